//! Pictures in a terminal, drawn as half blocks: text in colours, with two pixels per character.
//!
//! The environment variables of the terminal say how many colours it has. The terminal itself is never asked: its answer
//! could come late, or be mistaken for typed text.
//!
//! The escape sequences made here contain colours, but never a raw byte from an archive.

use std::fmt::Write as _;

use console::Term;

use crate::media::{Data, Palette, Pixels};
use crate::ops::pictures::smaller;

/// The text that draws a picture, with the end of its last line.
pub(crate) fn draw(pixels: &Pixels, palette: &Palette, colours: ColorDepth, room: &Room) -> String {
    half_blocks(&room.in_blocks(pixels, palette), colours)
}

/// The colours that text can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColorDepth {
    /// 24 bits each.
    All,
    /// A palette of 256.
    Some,
}

/// The colours that the environment promises.
pub(crate) fn colours() -> ColorDepth {
    let has_all = ["truecolor", "24bit"].contains(&&variable("COLORTERM")[..])
        || variable("TERM").ends_with("-direct")
        || !variable("WT_SESSION").is_empty();
    if has_all { ColorDepth::All } else { ColorDepth::Some }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// The columns and lines to assume if the size is unknown.
const UNKNOWN: (u32, u32) = (80, 24);
/// Lines that a picture leaves free: one for its heading and one for the next prompt.
const FREE: u32 = 2;

/// How much room there is.
#[derive(Debug)]
pub(crate) struct Room {
    /// Columns and lines of characters.
    cells: (u32, u32),
}

impl Room {
    /// The room of the terminal. With `width`, the picture may have so many columns, and any number of lines.
    pub(crate) fn here(width: Option<u16>) -> Self {
        let (columns, rows) = size();
        let cells = match width {
            Some(width) => (u32::from(width), u32::from(u16::MAX)),
            None => (columns, rows.saturating_sub(FREE).max(1)),
        };
        Self { cells }
    }

    /// The picture to draw in half blocks, with two pixels per character: scaled down unless it fits.
    fn in_blocks(&self, pixels: &Pixels, palette: &Palette) -> Pixels {
        let (width, height) = (pixels.width.max(1), pixels.height.max(1));
        let longest = width.max(height);
        // The side that the longest one gets if the width or the height fills the room.
        let by_width = u64::from(longest) * u64::from(self.cells.0) / u64::from(width);
        let by_height = u64::from(longest) * u64::from(self.cells.1 * 2) / u64::from(height);
        let side = u32::try_from(by_width.min(by_height)).unwrap_or(longest);
        smaller(pixels, palette, side.clamp(1, longest))
    }
}

/// The number of columns or lines that the environment gives.
fn length(name: &str) -> Option<u32> {
    let value: u16 = std::env::var(name).ok()?.parse().ok()?;
    (value > 0).then_some(u32::from(value))
}

/// The columns and lines of the terminal.
fn size() -> (u32, u32) {
    match Term::stdout().size_checked() {
        Some((rows, columns)) => (columns.into(), rows.into()),
        None => (length("COLUMNS").unwrap_or(UNKNOWN.0), length("LINES").unwrap_or(UNKNOWN.1)),
    }
}

/// The least opacity of a pixel that is drawn.
const OPAQUE: u8 = 128;
/// The shades of each channel in a palette of 256 colours.
const SHADES: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The text that draws a picture, with the end of its last line. The background shows through transparent pixels.
fn half_blocks(pixels: &Pixels, colours: ColorDepth) -> String {
    let Data::Rgba(rgba) = &pixels.data else {
        return String::new();
    };
    let drawn: Vec<Option<Code>> = rgba.chunks_exact(4).map(|it| code(it, colours)).collect();
    let mut out = String::new();
    let width = (pixels.width as usize).max(1);
    for two in drawn.chunks(width * 2) {
        let (upper, lower) = two.split_at_checked(width).unwrap_or((two, &[]));
        let (mut fore, mut back) = (None, None);
        for (n, upper) in upper.iter().enumerate() {
            let lower = lower.get(n).copied().flatten();
            let (character, front, behind) = match (*upper, lower) {
                (None, None) => (' ', fore, None),
                (Some(upper), None) => ('▀', Some(upper), None),
                (None, Some(lower)) => ('▄', Some(lower), None),
                (Some(upper), Some(lower)) => ('▀', Some(upper), Some(lower)),
            };
            if front != fore {
                set(&mut out, 38, front);
            }
            if behind != back {
                set(&mut out, 48, behind);
            }
            (fore, back) = (front, behind);
            out.push(character);
        }
        out.push_str("\x1b[0m\n");
    }
    out
}

/// A colour in an escape sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Red, green, blue.
    True(u8, u8, u8),
    /// One of 256.
    Number(u8),
}

fn set(out: &mut String, what: u8, code: Option<Code>) {
    let _ = match code {
        Some(Code::True(red, green, blue)) => write!(out, "\x1b[{what};2;{red};{green};{blue}m"),
        Some(Code::Number(number)) => write!(out, "\x1b[{what};5;{number}m"),
        None => write!(out, "\x1b[{}m", what + 1),
    };
}

/// A pixel's colour, or `None` if it is transparent.
fn code(pixel: &[u8], colours: ColorDepth) -> Option<Code> {
    let &[red, green, blue, alpha] = pixel else {
        return None;
    };
    (alpha >= OPAQUE).then(|| match colours {
        ColorDepth::All => Code::True(red, green, blue),
        ColorDepth::Some => Code::Number(number([red, green, blue])),
    })
}

/// The nearest of the 240 colours that all terminals agree on: a cube of six shades, and 24 greys.
fn number(colour: [u8; 3]) -> u8 {
    let [red, green, blue] = colour.map(shade);
    let sum: u16 = colour.iter().map(|it| u16::from(*it)).sum();
    let grey = u8::try_from((sum / 3).saturating_sub(3) / 10).unwrap_or(u8::MAX).min(23);
    if distance(colour, [8 + grey * 10; 3]) < distance(colour, [red.0, green.0, blue.0]) {
        232 + grey
    } else {
        16 + red.1 * 36 + green.1 * 6 + blue.1
    }
}

/// The nearest shade of the cube, and its number.
fn shade(value: u8) -> (u8, u8) {
    let shades = SHADES.into_iter().zip(0_u8..);
    let nearest = shades.min_by_key(|(shade, _)| shade.abs_diff(value));
    nearest.unwrap_or((0, 0))
}

/// The square of the distance of two colours.
fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    let differences = one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)));
    differences.map(|it| it * it).sum()
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Numbers that are small.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32) -> Pixels {
        let rgba = (0..width * height).flat_map(|n| [n as u8, (n >> 8) as u8, 7, 255]);
        Pixels { width, height, data: Data::Rgba(rgba.collect()) }
    }

    fn room(columns: u32, rows: u32) -> Room {
        Room { cells: (columns, rows) }
    }

    #[test]
    fn a_picture_fits_and_is_as_large_as_it_can_be() {
        let grey = Palette::grey();
        let room = room(10, 5);
        for width in 1..300 {
            for height in [1, 2, 9, 10, 11, 50, 79, 80, 81, 200] {
                let from = picture(width, height);
                let size = |to: &Pixels| (to.width, to.height);
                let blocks = size(&room.in_blocks(&from, &grey));
                assert!(blocks.0 <= 10 && blocks.1 <= 10, "{width} {height} {blocks:?}");
                if width > 10 || height > 10 {
                    assert!(blocks.0 == 10 || blocks.1 == 10, "{width} {height} {blocks:?}");
                }
                if width <= 10 && height <= 10 {
                    assert_eq!(blocks, (width, height));
                }
            }
        }
    }

    /// What a terminal makes of it: rows of pixels, two for each line, each a colour or nothing.
    fn drawn(image: &str) -> Vec<Vec<Option<String>>> {
        let mut rows = Vec::new();
        for line in image.lines() {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            let (mut fore, mut back): (Option<String>, Option<String>) = (None, None);
            let mut rest = line;
            while let Some(first) = rest.chars().next() {
                rest = &rest[first.len_utf8()..];
                match first {
                    '\x1b' => {
                        let (code, after) = rest[1..].split_once('m').unwrap();
                        rest = after;
                        match code.split_once(';') {
                            Some(("38", colour)) => fore = Some(colour.to_owned()),
                            Some(("48", colour)) => back = Some(colour.to_owned()),
                            None if code == "39" => fore = None,
                            None if code == "49" => back = None,
                            None if code == "0" => (fore, back) = (None, None),
                            _ => panic!("{code}"),
                        }
                    }
                    ' ' => {
                        upper.push(back.clone());
                        lower.push(back.clone());
                    }
                    '▀' => {
                        upper.push(Some(fore.clone().unwrap()));
                        lower.push(back.clone());
                    }
                    '▄' => {
                        upper.push(back.clone());
                        lower.push(Some(fore.clone().unwrap()));
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!((fore, back), (None, None), "colours stay behind a line");
            rows.extend([upper, lower]);
        }
        rows
    }

    fn dotted(width: u32, height: u32) -> Pixels {
        let pixel = |n: u32| [(n * 37) as u8, (n / 3) as u8, 9, if n % 5 == 2 { 9 } else { 255 }];
        let data = Data::Rgba((0..width * height).flat_map(pixel).collect());
        Pixels { width, height, data }
    }

    #[test]
    fn every_pixel_comes_back() {
        for (width, height) in [(1, 1), (4, 3), (5, 8), (90, 33)] {
            let of = smaller(&dotted(width, height), &Palette::grey(), 40);
            let mut rows = drawn(&half_blocks(&of, ColorDepth::All));
            if of.height % 2 == 1 {
                assert!(rows.pop().unwrap().iter().all(Option::is_none));
            }
            let rgba = of.to_rgba(&Palette::grey());
            let expected: Vec<_> = rgba
                .chunks_exact(4)
                .map(|it| (it[3] >= 128).then(|| format!("2;{};{};{}", it[0], it[1], it[2])))
                .collect();
            assert_eq!(rows.concat(), expected);
        }
    }

    #[test]
    fn one_of_256_colours_is_the_nearest_of_all() {
        let mut all = Vec::new();
        for number in 16..=255_u32 {
            let shade = |n: u32| i32::from(SHADES[(n % 6) as usize]);
            let cube = number - 16;
            all.push(match number {
                ..232 => [shade(cube / 36), shade(cube / 6), shade(cube)],
                _ => [8 + (number as i32 - 232) * 10; 3],
            });
        }
        let far = |a: [i32; 3], b: [i32; 3]| -> i32 { (0..3).map(|n| (a[n] - b[n]).pow(2)).sum() };
        for n in 0..4096_i32 {
            let colour = [n % 16 * 17, n / 16 % 16 * 17, n / 256 * 17];
            let found = number(colour.map(|it| it as u8));
            let found = far(colour, all[usize::from(found) - 16]);
            let best = all.iter().map(|it| far(colour, *it)).min().unwrap();
            assert_eq!(found, best, "{colour:?}");
        }
        let few = half_blocks(&dotted(4, 4), ColorDepth::Some);
        let rows = drawn(&few).concat();
        assert!(rows.iter().flatten().all(|colour| colour.starts_with("5;")));
    }
}
