//! Painting with numbers of colours: shapes, light on balls, gradients, letters. The palette has 16 hues
//! of 16 shades, from dark to bright, so a number of a colour is a hue and a shade.

use super::pictures::Picture;
use crate::codec::dice::Dice;

/// The hues of the palette, by the number of their darkest shade.
pub(super) mod hue {
    pub(in super::super) const GREY: u8 = 0x00;
    pub(in super::super) const BROWN: u8 = 0x10;
    pub(in super::super) const RED: u8 = 0x20;
    pub(in super::super) const ORANGE: u8 = 0x30;
    pub(in super::super) const GOLD: u8 = 0x40;
    pub(in super::super) const LEAF: u8 = 0x50;
    pub(in super::super) const SLIME: u8 = 0x60;
    pub(in super::super) const TEAL: u8 = 0x70;
    pub(in super::super) const SKY: u8 = 0x80;
    pub(in super::super) const BLUE: u8 = 0x90;
    pub(in super::super) const PURPLE: u8 = 0xA0;
    pub(in super::super) const PINK: u8 = 0xB0;
    pub(in super::super) const SKIN: u8 = 0xC0;
    pub(in super::super) const STONE: u8 = 0xD0;
    pub(in super::super) const FIRE: u8 = 0xE0;
    pub(in super::super) const GLOW: u8 = 0xF0;
}

/// The darkest, a middle and the brightest shade of each hue.
const HUES: [[[i32; 3]; 3]; 16] = [
    [[0, 0, 0], [122, 122, 122], [248, 248, 248]],
    [[18, 10, 6], [122, 82, 50], [226, 190, 142]],
    [[24, 2, 4], [178, 28, 30], [255, 150, 128]],
    [[30, 12, 2], [212, 104, 22], [255, 206, 130]],
    [[34, 22, 2], [206, 158, 30], [255, 246, 170]],
    [[4, 20, 6], [56, 136, 44], [190, 238, 130]],
    [[10, 18, 0], [110, 140, 20], [222, 250, 90]],
    [[0, 18, 22], [20, 138, 138], [156, 246, 226]],
    [[6, 16, 40], [70, 140, 206], [214, 240, 255]],
    [[4, 4, 24], [38, 56, 154], [150, 176, 255]],
    [[12, 4, 24], [100, 48, 142], [220, 170, 250]],
    [[28, 4, 22], [198, 62, 124], [255, 196, 216]],
    [[32, 14, 8], [188, 122, 84], [255, 226, 196]],
    [[10, 12, 16], [96, 106, 122], [214, 224, 236]],
    [[40, 0, 0], [244, 98, 8], [255, 250, 200]],
    [[0, 30, 60], [30, 200, 240], [236, 255, 255]],
];

/// The palette: red, green, blue of a number.
pub(super) fn colour(index: u8) -> [u8; 3] {
    let [dark, middle, bright] = HUES[usize::from(index / 16)];
    let shade = i32::from(index % 16);
    [0, 1, 2].map(|part| {
        let value = match shade {
            0..=7 => dark[part] + (middle[part] - dark[part]) * shade / 8,
            _ => middle[part] + (bright[part] - middle[part]) * (shade - 8) / 7,
        };
        u8::try_from(value).unwrap()
    })
}

/// A shade of a hue, the nearest that there is.
pub(super) fn shade(hue: u8, shade: i32) -> u8 {
    hue + u8::try_from(shade.clamp(0, 15)).unwrap()
}

/// A threshold of 0 to 15 for each pixel, evenly spread: for shades between shades.
pub(super) fn dither(x: i32, y: i32) -> i32 {
    const BAYER: [i32; 16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
    BAYER[usize::try_from(y.rem_euclid(4) * 4 + x.rem_euclid(4)).unwrap()]
}

/// A colour of a row of them, `at` in `of` parts of the way.
pub(super) fn between(colours: &[u8], at: i32, of: i32, threshold: i32) -> u8 {
    let last = i32::try_from(colours.len()).unwrap() - 1;
    let place = (at * last * 16 / of + threshold) / 16;
    colours[usize::try_from(place.clamp(0, last)).unwrap()]
}

impl Picture {
    pub(super) fn new(width: i32, height: i32, index: u8) -> Self {
        let [width, height] = [width, height].map(|side| usize::try_from(side).unwrap());
        Self {
            width,
            height,
            pixels: vec![index; width * height],
        }
    }

    pub(super) fn sides(&self) -> [i32; 2] {
        [self.width, self.height].map(|side| i32::try_from(side).unwrap())
    }

    /// Paints what `paint` has a colour for, knowing the colour that is there.
    pub(super) fn paint(&mut self, mut paint: impl FnMut(i32, i32, u8) -> Option<u8>) {
        let [width, height] = self.sides();
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        for (pixel, (x, y)) in self.pixels.iter_mut().zip(places) {
            if let Some(colour) = paint(x, y, *pixel) {
                *pixel = colour;
            }
        }
    }

    /// Colours from above to below, from row `top` to row `bottom`.
    pub(super) fn sky(&mut self, top: i32, bottom: i32, colours: &[u8]) {
        self.paint(|x, y, _| {
            let inside = (top..bottom).contains(&y);
            inside.then(|| between(colours, y - top, bottom - top, dither(x, y)))
        });
    }

    pub(super) fn rect(&mut self, [left, top]: [i32; 2], [width, height]: [i32; 2], colour: u8) {
        self.paint(|x, y, _| {
            let inside = (left..left + width).contains(&x) && (top..top + height).contains(&y);
            inside.then_some(colour)
        });
    }

    /// A disc, or the ellipse that it becomes.
    pub(super) fn disc(&mut self, middle: [i32; 2], radii: [i32; 2], colour: u8) {
        self.paint(|x, y, _| (far([x, y], middle, radii) <= 1000).then_some(colour));
    }

    /// A ball that is lit from above on the left.
    pub(super) fn ball(&mut self, middle: [i32; 2], radii: [i32; 2], hue: u8) {
        let [x, y] = middle;
        let lit = [x - radii[0] * 3 / 8, y - radii[1] * 3 / 8];
        self.paint(|x, y, _| {
            let darkness = far([x, y], lit, radii) * 13 * 16 / 1900;
            let inside = far([x, y], middle, radii) <= 1000;
            inside.then(|| shade(hue, 14 - (darkness + dither(x, y)) / 16))
        });
    }

    /// What is within these corners.
    pub(super) fn area(&mut self, corners: &[[i32; 2]], colour: u8) {
        self.paint(|x, y, _| {
            let mut inside = false;
            for (i, &[to_x, to_y]) in corners.iter().enumerate() {
                let [from_x, from_y] = corners[(i + corners.len() - 1) % corners.len()];
                if (from_y > y) != (to_y > y) {
                    let cross = (to_x - from_x) * (y - from_y) - (x - from_x) * (to_y - from_y);
                    inside ^= (cross > 0) == (to_y > from_y);
                }
            }
            inside.then_some(colour)
        });
    }

    /// A line so many half pixels wide.
    pub(super) fn line(&mut self, from: [i32; 2], to: [i32; 2], width: i32, colour: u8) {
        let [right, down] = [to[0] - from[0], to[1] - from[1]];
        let len = right * right + down * down;
        self.paint(|x, y, _| {
            let [x, y] = [x - from[0], y - from[1]];
            let along = x * right + y * down;
            let beside = x * down - y * right;
            let inside = (0..=len).contains(&along) && 4 * beside * beside <= width * width * len;
            inside.then_some(colour)
        });
    }

    /// Hills from this row down, so high at most; wilder where `rough` is more.
    pub(super) fn hills(&mut self, seed: u64, row: i32, high: i32, rough: i32, hue: [u8; 2]) {
        let mut dice = Dice::new(seed);
        let mut throw = |most: i32| {
            let most = usize::try_from(most.max(0)).unwrap();
            i32::try_from(dice.below(2 * most + 1)).unwrap() - i32::try_from(most).unwrap()
        };
        // Between two points a third, which may be above or below, less the nearer they are.
        let mut line = vec![throw(high), throw(high), throw(high)];
        let mut most = high;
        while line.len() < self.width {
            most = most * rough / 16;
            let pairs: Vec<[i32; 2]> = line.windows(2).map(|it| [it[0], it[1]]).collect();
            let mut finer = vec![line[0]];
            for [a, b] in pairs {
                finer.extend([i32::midpoint(a, b) + throw(most), b]);
            }
            line = finer;
        }
        self.paint(|x, y, _| {
            let top = row - line[usize::try_from(x).unwrap()];
            (y >= top).then(|| if y < top + 2 { hue[1] } else { hue[0] })
        });
    }

    /// So many of 256 pixels become a shade darker or brighter.
    pub(super) fn grain(&mut self, seed: u64, many: usize) {
        let mut dice = Dice::new(seed);
        self.paint(|_, _, old| {
            let chosen = dice.below(256) < many;
            let by = if dice.below(2) == 0 { -1 } else { 1 };
            chosen.then(|| shade(old & 0xF0, i32::from(old & 15) + by))
        });
    }

    /// Letters of 5 x 5, each so many times as large, from bright to dark.
    pub(super) fn text(&mut self, [left, top]: [i32; 2], size: i32, text: &str, colours: &[u8]) {
        for (letter, place) in text.chars().zip(0..) {
            let rows = letter_rows(letter);
            let left = left + place * 6 * size;
            self.paint(|x, y, _| {
                let inside =
                    (0..5 * size).contains(&(x - left)) && (0..5 * size).contains(&(y - top));
                let (column, row) = ((x - left) / size, (y - top) / size);
                let is_ink = inside && rows[usize::try_from(row).unwrap()] >> (4 - column) & 1 == 1;
                is_ink.then(|| between(colours, y - top, 5 * size, 0))
            });
        }
    }
}

/// How far a point is from the middle of an ellipse: 1000 on its border, and growing as its square.
fn far([x, y]: [i32; 2], middle: [i32; 2], radii: [i32; 2]) -> i32 {
    let part = |at: i32, middle: i32, radius: i32| {
        let at = 2 * (at - middle);
        at * at * 250 / (radius * radius)
    };
    part(x, middle[0], radii[0]) + part(y, middle[1], radii[1])
}

/// The rows of a letter, five bits each.
fn letter_rows(letter: char) -> [u8; 5] {
    match letter {
        'A' => [0b01110, 0b10001, 0b11111, 0b10001, 0b10001],
        'D' => [0b11110, 0b10001, 0b10001, 0b10001, 0b11110],
        'E' => [0b11111, 0b10000, 0b11110, 0b10000, 0b11111],
        'H' => [0b10001, 0b10001, 0b11111, 0b10001, 0b10001],
        'I' => [0b01110, 0b00100, 0b00100, 0b00100, 0b01110],
        'O' => [0b01110, 0b10001, 0b10001, 0b10001, 0b01110],
        'R' => [0b11110, 0b10001, 0b11110, 0b10010, 0b10001],
        'S' => [0b01111, 0b10000, 0b01110, 0b00001, 0b11110],
        'T' => [0b11111, 0b00100, 0b00100, 0b00100, 0b00100],
        _ => [0; 5],
    }
}
