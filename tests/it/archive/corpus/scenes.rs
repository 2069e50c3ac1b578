//! What is painted for the game's corpus: textures, skins, screens, the frames of a bubble.

use super::paint::{between, dither, hue, shade};
use super::pictures::Picture;
use crate::codec::dice::Dice;

/// A wall of bricks of 16 x 8, each lit from above, some darker than others.
pub(super) fn bricks(width: i32, height: i32, hue: u8, seed: u64) -> Picture {
    let mut picture = Picture::new(width, height, 0);
    let mut dice = Dice::new(seed);
    let tones: Vec<usize> = (0..64).map(|_| dice.below(4)).collect();
    picture.paint(|x, y, _| {
        let (row, along) = (y / 8, x + 8 * (y / 8 % 2));
        let brick = usize::try_from(row * 5 + along % width / 16).unwrap();
        let tone = i32::try_from(tones[brick % 64]).unwrap();
        Some(match (along % 16, y % 8) {
            (0, _) | (_, 0) => shade(hue, 2),
            (_, 1) | (1, _) => shade(hue, 9 + tone),
            (_, 7) | (15, _) => shade(hue, 4 + tone),
            _ => shade(hue, 6 + tone),
        })
    });
    picture.grain(seed, 24);
    picture
}

/// The same, with moss that grows from below.
pub(super) fn mossy(width: i32, height: i32) -> Picture {
    let mut picture = bricks(width, height, hue::STONE, 3);
    let mut dice = Dice::new(8);
    let mut tops = vec![height * 3 / 4];
    for _ in 1..width {
        let step = i32::try_from(dice.below(7)).unwrap() - 3;
        tops.push((tops[tops.len() - 1] + step).clamp(height / 2, height - 6));
    }
    picture.paint(|x, y, old| {
        let top = tops[usize::try_from(x).unwrap()];
        (y >= top).then(|| {
            shade(
                hue::LEAF,
                i32::from(old & 15) - 2 + 4 * i32::from(y < top + 2),
            )
        })
    });
    picture
}

/// Tiles in two colours, each with a border.
pub(super) fn tiles(side: i32, hues: [u8; 2]) -> Picture {
    let mut picture = Picture::new(side, side, 0);
    picture.paint(|x, y, _| {
        let hue = hues[usize::from((x / 16 + y / 16) % 2 == 1)];
        Some(match (x % 16, y % 16) {
            (0, _) | (_, 0) => shade(hue, 12),
            (15, _) | (_, 15) => shade(hue, 3),
            (x, y) => shade(hue, 9 - (x + y) / 8),
        })
    });
    picture.grain(1, 16);
    picture
}

/// Pipes that are above each other, with joints.
pub(super) fn pipes(side: i32) -> Picture {
    let mut picture = Picture::new(side, side, 0);
    picture.paint(|x, y, _| {
        let (pipe, across) = (y / 16, y % 16);
        let bright = 13 - (across - 4).abs() - i32::from(across > 12) * 2;
        let joint = (x + pipe * 24).rem_euclid(32);
        let hue =
            [hue::STONE, hue::ORANGE, hue::STONE, hue::TEAL][usize::try_from(pipe % 4).unwrap()];
        Some(match joint {
            0..=5 => shade(hue::GREY, bright - 2 + i32::from(joint == 0) * 3),
            6 => shade(hue, bright - 5),
            _ => shade(hue, bright),
        })
    });
    picture
}

/// A door of steel, with stripes below and a window above.
pub(super) fn door(side: i32) -> Picture {
    let mut picture = Picture::new(side, side, shade(hue::STONE, 7));
    picture.paint(|x, y, old| {
        let edge = x.min(y).min(side - 1 - x).min(side - 1 - y);
        Some(match edge {
            0 | 1 => shade(hue::STONE, if x + y < side { 11 } else { 3 }),
            2 => shade(hue::STONE, 4),
            _ if x == side / 2 => shade(hue::STONE, 3),
            _ if x == side / 2 + 1 => shade(hue::STONE, 10),
            _ => old,
        })
    });
    picture.paint(|x, y, _| {
        let inside = (side - 20..side - 8).contains(&y) && (4..side - 4).contains(&x);
        let is_dark = (x + y) % 16 < 8;
        inside.then(|| {
            if is_dark {
                shade(hue::GREY, 2)
            } else {
                shade(hue::GOLD, 10)
            }
        })
    });
    for left in [10, side / 2 + 8] {
        picture.rect([left, 10], [14, 18], shade(hue::STONE, 3));
        picture.paint(|x, y, _| {
            let inside = (left + 1..left + 13).contains(&x) && (11..27).contains(&y);
            inside.then(|| shade(hue::GLOW, 12 - (x - left + y - 10) / 3))
        });
    }
    for place in [[6, 34], [57, 34], [6, 6], [57, 6]] {
        picture.ball(place, [2, 2], hue::GREY);
    }
    picture
}

/// A window of coloured panes in lead.
pub(super) fn glass(side: i32) -> Picture {
    let hues = [
        hue::RED,
        hue::BLUE,
        hue::GOLD,
        hue::TEAL,
        hue::PURPLE,
        hue::LEAF,
    ];
    let mut picture = Picture::new(side, side, 0);
    picture.paint(|x, y, _| {
        let (a, b) = ((x + y) / 16, (x - y + 2 * side) / 16);
        let lead = (x + y) % 16 < 2 || (x - y + 2 * side) % 16 < 2;
        let pane = usize::try_from(a * 2 + b * 3).unwrap();
        let light = 12 - ((x - side / 2).abs() + (y - side / 2).abs()) / 8;
        Some(if lead {
            shade(hue::GREY, 2)
        } else {
            shade(hues[pane % 6], light)
        })
    });
    let middle = [side / 2, side / 2];
    picture.disc(middle, [13, 13], shade(hue::GREY, 2));
    picture.ball(middle, [11, 11], hue::GOLD);
    picture
}

/// Water or slime: waves that meet.
pub(super) fn liquid(side: i32, hue: u8) -> Picture {
    let mut picture = Picture::new(side, side, 0);
    let wave = |at: i32, len: i32| (at.rem_euclid(len) * 2 - len).abs() * 8 / len;
    picture.paint(|x, y, _| {
        let bend = wave(y, side) / 2;
        let light = wave(x + bend, side / 2) + wave(y + wave(x, side) - 4, side / 2);
        Some(shade(hue, (light * 12 + dither(x, y)) / 16 + 1))
    });
    picture
}

/// A shield on a tile.
pub(super) fn emblem(side: i32) -> Picture {
    let mut picture = tiles(side, [hue::STONE, hue::STONE]);
    let middle = [side / 2, side / 2];
    picture.disc(middle, [side * 3 / 8, side * 3 / 8], shade(hue::GREY, 2));
    picture.ball(middle, [side * 3 / 8 - 2, side * 3 / 8 - 2], hue::RED);
    let at = |x: i32, y: i32| [side * x / 32, side * y / 32];
    let star = [
        at(16, 6),
        at(18, 13),
        at(25, 13),
        at(20, 17),
        at(22, 24),
        at(16, 20),
        at(10, 24),
        at(12, 17),
        at(7, 13),
        at(14, 13),
    ];
    picture.area(&star, shade(hue::GOLD, 13));
    picture
}

/// A face: whose, says `band` for the band around the hair.
pub(super) fn hero(width: i32, height: i32, band: u8, back: u8) -> Picture {
    let mut picture = Picture::new(width, height, 0);
    picture.sky(0, height, &[shade(back, 3), shade(back, 5), shade(back, 8)]);
    let at = |x: i32, y: i32| [width * x / 64, height * y / 64];
    picture.ball(at(32, 72), at(30, 22), band);
    picture.rect(at(26, 44), at(12, 10), shade(hue::SKIN, 5));
    picture.disc(at(32, 26), at(20, 22), shade(hue::GREY, 2));
    picture.ball(at(32, 31), at(15, 19), hue::SKIN);
    picture.area(
        &[
            at(16, 22),
            at(20, 8),
            at(32, 4),
            at(46, 8),
            at(48, 24),
            at(40, 16),
            at(26, 15),
        ],
        shade(hue::GREY, 2),
    );
    picture.rect(at(16, 17), at(33, 5), shade(band, 9));
    picture.rect(at(16, 17), at(33, 1), shade(band, 12));
    for x in [25, 39] {
        picture.rect(at(x - 4, 25), at(8, 2), shade(hue::BROWN, 2));
        picture.rect(at(x - 4, 29), at(8, 3), shade(hue::GREY, 14));
        picture.rect(at(x - 1, 28), at(4, 4), shade(hue::BLUE, 4));
    }
    picture.line(at(32, 30), at(30, 38), 3, shade(hue::SKIN, 5));
    picture.rect(at(27, 43), at(10, 2), shade(hue::RED, 6));
    picture
}

/// A helmet with a slit that glows.
pub(super) fn guard(side: i32) -> Picture {
    let mut picture = Picture::new(side, side, 0);
    picture.sky(
        0,
        side,
        &[
            shade(hue::RED, 2),
            shade(hue::RED, 4),
            shade(hue::ORANGE, 6),
        ],
    );
    let at = |x: i32, y: i32| [side * x / 64, side * y / 64];
    picture.ball(at(32, 70), at(31, 20), hue::STONE);
    picture.ball(at(32, 28), at(20, 24), hue::STONE);
    picture.rect(at(13, 28), at(39, 22), shade(hue::STONE, 6));
    picture.rect(at(13, 28), at(3, 22), shade(hue::STONE, 10));
    picture.rect(at(48, 28), at(4, 22), shade(hue::STONE, 3));
    picture.rect(at(30, 4), at(4, 22), shade(hue::RED, 8));
    picture.rect(at(12, 24), at(41, 10), shade(hue::GREY, 1));
    picture.paint(|x, y, _| {
        let inside =
            (16 * side / 64..48 * side / 64).contains(&x) && (y * 64 / side - 28).abs() <= 2;
        inside.then(|| shade(hue::FIRE, 15 - (x - side / 2).abs() * 10 * 64 / (side * 16)))
    });
    for row in [38, 42, 46] {
        picture.rect(at(22, row), at(20, 2), shade(hue::GREY, 1));
    }
    picture
}

/// A frog that looks at you.
pub(super) fn frog(side: i32) -> Picture {
    let mut picture = Picture::new(side, side, 0);
    picture.sky(
        0,
        side,
        &[shade(hue::SKY, 11), shade(hue::SKY, 8), shade(hue::TEAL, 5)],
    );
    let at = |x: i32, y: i32| [side * x / 64, side * y / 64];
    picture.disc(at(32, 66), at(40, 12), shade(hue::LEAF, 3));
    picture.ball(at(32, 40), at(27, 20), hue::LEAF);
    for x in [18, 46] {
        picture.ball(at(x, 20), at(11, 11), hue::LEAF);
        picture.ball(at(x, 19), at(8, 8), hue::GOLD);
        picture.disc(at(x, 19), at(2, 6), shade(hue::GREY, 0));
        picture.disc(at(x - 3, 15), at(1, 1), shade(hue::GREY, 15));
    }
    picture.paint(|x, y, _| {
        let (x, y) = ((x - side / 2) * 64 / side, y * 64 / side);
        let mouth = 46 - x * x / 48;
        (x.abs() < 22 && (mouth..mouth + 2).contains(&y)).then(|| shade(hue::LEAF, 1))
    });
    for x in [28, 36] {
        picture.rect(at(x, 34), at(1, 2), shade(hue::LEAF, 2));
    }
    picture
}

/// The sun goes down behind mountains, over a lake.
pub(super) fn sunset(width: i32, height: i32) -> Picture {
    let mut picture = Picture::new(width, height, 0);
    let lake = height * 3 / 4;
    picture.sky(
        0,
        lake,
        &[
            shade(hue::BLUE, 4),
            shade(hue::PURPLE, 6),
            shade(hue::PURPLE, 8),
            shade(hue::PINK, 8),
            shade(hue::ORANGE, 9),
            shade(hue::ORANGE, 11),
            shade(hue::GOLD, 12),
        ],
    );
    let sun = [width * 5 / 8, height / 2];
    picture.disc(sun, [height / 6, height / 6], shade(hue::GOLD, 14));
    picture.hills(
        7,
        lake - height / 8,
        height / 4,
        9,
        [shade(hue::PURPLE, 4), shade(hue::PURPLE, 6)],
    );
    picture.hills(
        12,
        lake - height / 20,
        height / 9,
        8,
        [shade(hue::PURPLE, 1), shade(hue::PURPLE, 3)],
    );
    picture.sky(
        lake,
        height,
        &[
            shade(hue::PINK, 6),
            shade(hue::PURPLE, 5),
            shade(hue::BLUE, 3),
        ],
    );
    picture.paint(|x, y, _| {
        let wide = height / 8 + (y - lake) / 3 - y % 3 * 4;
        (y >= lake && y % 2 == 0 && (x - sun[0]).abs() < wide).then(|| shade(hue::ORANGE, 11))
    });
    picture
}

/// A castle by night, with light in its windows.
pub(super) fn castle(width: i32, height: i32) -> Picture {
    let mut picture = Picture::new(width, height, 0);
    picture.sky(
        0,
        height,
        &[
            shade(hue::BLUE, 1),
            shade(hue::BLUE, 4),
            shade(hue::BLUE, 7),
            shade(hue::TEAL, 7),
        ],
    );
    let mut dice = Dice::new(21);
    for _ in 0..40 {
        let [x, y] = [width, height * 2 / 3]
            .map(|side| i32::try_from(dice.below(usize::try_from(side).unwrap())).unwrap());
        picture.rect([x, y], [1, 1], shade(hue::GREY, 10 + x % 6));
    }
    picture.ball([width / 4, height / 4], [height / 7, height / 7], hue::GOLD);
    picture.hills(
        3,
        height * 3 / 4,
        height / 8,
        8,
        [shade(hue::BLUE, 3), shade(hue::BLUE, 4)],
    );
    let at = |x: i32, y: i32| [width * x / 128, height * y / 96];
    let dark = shade(hue::GREY, 1);
    for (left, top, wide) in [(48, 50, 64), (44, 36, 14), (100, 30, 14), (66, 20, 20)] {
        picture.rect(at(left, top), at(wide, 80), dark);
        for tooth in (0..wide).step_by(6) {
            picture.rect(at(left + tooth, top - 3), at(3, 4), dark);
        }
    }
    picture.area(&[at(64, 20), at(76, 2), at(88, 20)], dark);
    for [x, y] in [
        [50, 44],
        [106, 38],
        [72, 30],
        [79, 30],
        [72, 42],
        [79, 42],
        [62, 62],
        [94, 62],
    ] {
        picture.rect(at(x, y), at(2, 5), shade(hue::FIRE, 12));
    }
    picture.disc(at(78, 88), at(8, 16), shade(hue::FIRE, 6));
    picture.disc(at(78, 90), at(6, 14), shade(hue::FIRE, 10));
    picture.hills(
        5,
        height * 15 / 16,
        height / 24,
        8,
        [shade(hue::GREY, 0), shade(hue::TEAL, 3)],
    );
    picture
}

/// A gate that stands in the sea, in the morning.
pub(super) fn gate(width: i32, height: i32) -> Picture {
    let mut picture = Picture::new(width, height, 0);
    let sea = height * 5 / 8;
    picture.sky(
        0,
        sea,
        &[
            shade(hue::SKY, 9),
            shade(hue::SKY, 12),
            shade(hue::PINK, 13),
            shade(hue::SKIN, 14),
        ],
    );
    picture.disc(
        [width / 2, sea - height / 8],
        [height / 5, height / 5],
        shade(hue::SKIN, 15),
    );
    picture.hills(
        17,
        sea,
        height / 12,
        9,
        [shade(hue::TEAL, 6), shade(hue::TEAL, 8)],
    );
    picture.sky(
        sea,
        height,
        &[
            shade(hue::TEAL, 11),
            shade(hue::TEAL, 8),
            shade(hue::BLUE, 5),
        ],
    );
    let at = |x: i32, y: i32| [width * x / 128, height * y / 96];
    for (left, from, to, colour) in [
        (38, 22, 74, 8),
        (82, 22, 74, 8),
        (38, 74, 90, 5),
        (82, 74, 90, 5),
    ] {
        picture.rect(at(left, from), at(7, to - from), shade(hue::RED, colour));
        picture.rect(
            at(left, from),
            at(2, to - from),
            shade(hue::RED, colour + 3),
        );
    }
    picture.rect(at(32, 32), at(64, 5), shade(hue::RED, 8));
    picture.rect(at(61, 20), at(6, 14), shade(hue::RED, 7));
    picture.area(
        &[
            at(22, 12),
            at(30, 16),
            at(98, 16),
            at(106, 12),
            at(102, 22),
            at(26, 22),
        ],
        shade(hue::RED, 9),
    );
    picture.area(
        &[
            at(20, 9),
            at(30, 13),
            at(98, 13),
            at(108, 9),
            at(106, 14),
            at(22, 14),
        ],
        shade(hue::GREY, 2),
    );
    picture.paint(|x, y, old| {
        (y > sea && y % 5 == 0 && (x / 9 + y) % 3 == 0)
            .then(|| shade(old & 0xF0, i32::from(old & 15) + 2))
    });
    picture
}

/// Two swords, and a word.
pub(super) fn logo(back: u8) -> Picture {
    let (width, height) = (128, 64);
    let mut picture = Picture::new(width, height, 0);
    picture.sky(0, height, &[shade(back, 2), shade(back, 6)]);
    picture.disc([64, 26], [24, 24], shade(hue::RED, 8));
    for (tip, guard, end) in [
        ([24, 4], [88, 38], [104, 47]),
        ([104, 4], [40, 38], [24, 47]),
    ] {
        picture.line(tip, guard, 7, shade(hue::GREY, 2));
        picture.line(tip, guard, 4, shade(hue::STONE, 14));
        picture.line(guard, end, 9, shade(hue::PURPLE, 4));
        picture.ball(guard, [5, 5], hue::GOLD);
    }
    let gold = [
        shade(hue::GOLD, 14),
        shade(hue::GOLD, 11),
        shade(hue::ORANGE, 8),
    ];
    picture.text([29, 49], 2, "DAISHO", &[shade(hue::GREY, 0)]);
    picture.text([28, 48], 2, "DAISHO", &gold);
    picture
}

/// Behind the console: a door between two torches.
pub(super) fn hall(width: i32, height: i32) -> Picture {
    let mut picture = bricks(width, height, hue::BROWN, 11);
    let torches = [[width / 5, height / 2], [width * 4 / 5, height / 2]];
    picture.paint(|x, y, old| {
        let near = torches
            .iter()
            .map(|[a, b]| (x - a).pow(2) + (y - b + 6).pow(2))
            .min()
            .unwrap();
        let light = 4 - near * 7 / (height * height / 8);
        Some(shade(hue::BROWN, i32::from(old & 15) + light.max(-5)))
    });
    let (middle, top) = (width / 2, height * 3 / 8);
    for (wide, colour) in [
        (22, shade(hue::STONE, 7)),
        (19, shade(hue::STONE, 3)),
        (17, shade(hue::GREY, 1)),
    ] {
        picture.disc([middle, top], [wide, wide], colour);
        picture.rect([middle - wide, top], [2 * wide + 1, height], colour);
    }
    picture.paint(|x, y, _| {
        let inside = (x - middle).abs() < 15 && y > top - 8;
        inside.then(|| {
            shade(
                hue::RED,
                if (x - middle).rem_euclid(6) == 0 {
                    1
                } else {
                    4 - (y - top) / 20
                },
            )
        })
    });
    picture.ball([middle + 9, top + height / 4], [2, 2], hue::GOLD);
    for [x, y] in torches {
        picture.rect([x - 1, y], [3, 14], shade(hue::BROWN, 3));
        picture.rect([x - 3, y], [7, 3], shade(hue::STONE, 8));
        for (size, light) in [(6, 7), (4, 11), (2, 14)] {
            picture.area(
                &[
                    [x - size, y - size / 2],
                    [x, y - 3 * size],
                    [x + size, y - size / 2],
                    [x, y + 1],
                ],
                shade(hue::FIRE, light),
            );
        }
    }
    picture
}

/// A word in gold, on nothing.
pub(super) fn title() -> Picture {
    let mut picture = Picture::new(96, 24, 255);
    let gold = [
        shade(hue::GOLD, 15),
        shade(hue::GOLD, 12),
        shade(hue::ORANGE, 9),
        shade(hue::RED, 7),
    ];
    picture.text([5, 5], 3, "START", &[shade(hue::BROWN, 2)]);
    picture.text([3, 3], 3, "START", &gold);
    picture
}

/// A bubble that rises, grows, and is no more.
pub(super) fn bubble() -> Vec<Picture> {
    let (width, height) = (24, 24);
    (0..6)
        .map(|frame| {
            let mut picture = Picture::new(width, height, 255);
            let (middle, size) = ([12, 14 - frame], 6 + frame);
            if frame < 4 {
                picture.disc(middle, [size, size], shade(hue::SKY, 12));
                picture.disc(middle, [size - 1, size - 1], shade(hue::SKY, 7));
                picture.disc(
                    [middle[0] + 1, middle[1] + 1],
                    [size - 2, size - 2],
                    shade(hue::SKY, 9),
                );
                picture.rect(
                    [middle[0] - size / 2, middle[1] - size / 2],
                    [2, 2],
                    shade(hue::GREY, 15),
                );
            } else {
                for [x, y] in [
                    [0, -1],
                    [1, -1],
                    [1, 0],
                    [1, 1],
                    [0, 1],
                    [-1, 1],
                    [-1, 0],
                    [-1, -1],
                ] {
                    let drop = 14 - frame;
                    picture.disc(
                        [12 + x * size, 12 + y * size],
                        [1, 1],
                        shade(hue::SKY, drop + 2),
                    );
                }
            }
            picture
        })
        .collect()
}

/// A skin of plates, for a model.
pub(super) fn plates(width: i32, height: i32, hue: u8) -> Picture {
    let mut picture = Picture::new(width, height, 0);
    picture.paint(|x, y, _| {
        let seam = x % 16 == 0 || y % 16 == 0;
        let light = between(&[11, 9, 7, 5], y % 16, 16, dither(x, y));
        Some(if seam {
            shade(hue, 2)
        } else {
            shade(hue, i32::from(light))
        })
    });
    picture
}
