//! Pictures as text: half blocks, the upper half in one colour and the lower in another.

use std::fmt::Write as _;

use daisho::media::{Data, Pixels};

use super::protocol::ColorDepth;

/// The least opacity of a pixel that is drawn.
const OPAQUE: u8 = 128;
/// The shades of each channel in a palette of 256 colours.
const SHADES: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The text that draws a picture, with the end of its last line. The background shows through transparent pixels.
pub(super) fn image(pixels: &Pixels, colours: ColorDepth) -> String {
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
    let shade = |value: u8| {
        let all = SHADES.into_iter().zip(0_u8..);
        all.min_by_key(|(shade, _)| shade.abs_diff(value))
            .unwrap_or((0, 0))
    };
    let [red, green, blue] = colour.map(shade);
    let sum: u16 = colour.iter().map(|it| u16::from(*it)).sum();
    let grey = u8::try_from((sum / 3).saturating_sub(3) / 10)
        .unwrap_or(u8::MAX)
        .min(23);
    let far = |other: [u8; 3]| -> u32 {
        let differences = colour
            .iter()
            .zip(other)
            .map(|(a, b)| u32::from(a.abs_diff(b)));
        differences.map(|it| it * it).sum()
    };
    match far([8 + grey * 10; 3]) < far([red.0, green.0, blue.0]) {
        true => 232 + grey,
        false => 16 + red.1 * 36 + green.1 * 6 + blue.1,
    }
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Numbers that are small.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
mod tests {
    use super::*;
    use daisho::media::Palette;
    use daisho::ops::pictures::smaller;

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

    fn picture(width: u32, height: u32) -> Pixels {
        let pixel = |n: u32| {
            [
                (n * 37) as u8,
                (n / 3) as u8,
                9,
                if n % 5 == 2 { 9 } else { 255 },
            ]
        };
        let data = Data::Rgba((0..width * height).flat_map(pixel).collect());
        Pixels {
            width,
            height,
            data,
        }
    }

    #[test]
    fn every_pixel_comes_back() {
        for (width, height) in [(1, 1), (4, 3), (5, 8), (90, 33)] {
            let of = smaller(&picture(width, height), &Palette::grey(), 40);
            let mut rows = drawn(&image(&of, ColorDepth::All));
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
        let few = image(&picture(4, 4), ColorDepth::Some);
        let rows = drawn(&few).concat();
        assert!(rows.iter().flatten().all(|colour| colour.starts_with("5;")));
    }
}
