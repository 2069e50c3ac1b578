//! Pictures as sixels: bands of six lines, each drawn once for each of its colours.
//!
//! Colours are given in hundredths, so that at most 101 shades of each are told apart.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use daisho::media::pixels::{Data, Pixels};

use super::colours::{Colour, fewer};

/// Lines of a band.
const BAND: usize = 6;
/// From here on a pixel is drawn.
const OPAQUE: u8 = 128;

/// A picture in true colour, drawn where the cursor is. What is transparent is left out.
pub(super) fn image(pixels: &Pixels) -> String {
    let Data::Rgba(rgba) = &pixels.data else {
        return String::new();
    };
    let drawn: Vec<Option<Colour>> = rgba.chunks_exact(4).map(hundredths).collect();
    let mut counts: BTreeMap<Colour, u64> = BTreeMap::new();
    for colour in drawn.iter().flatten() {
        *counts.entry(*colour).or_default() += 1;
    }
    let (palette, numbers) = fewer(counts);
    let (width, height) = (pixels.width, pixels.height);
    // The second number leaves what is not drawn as it is.
    let mut out = format!("\x1bP0;1;0q\"1;1;{width};{height}");
    for (number, [red, green, blue]) in palette.iter().enumerate() {
        let _ = write!(out, "#{number};2;{red};{green};{blue}");
    }
    let width = (width as usize).max(1);
    let number = |colour: &Option<Colour>| numbers.get(&(*colour)?).copied();
    for (n, band) in drawn.chunks(width * BAND).enumerate() {
        if n > 0 {
            out.push('-');
        }
        let band: Vec<Option<u8>> = band.iter().map(number).collect();
        let used: BTreeSet<u8> = band.iter().flatten().copied().collect();
        for (n, colour) in used.into_iter().enumerate() {
            if n > 0 {
                out.push('$');
            }
            let _ = write!(out, "#{colour}");
            line(&mut out, &band, width, colour);
        }
    }
    out.push_str("\x1b\\\n");
    out
}

/// A pixel's colour; none where it is transparent.
fn hundredths(pixel: &[u8]) -> Option<Colour> {
    let &[red, green, blue, alpha] = pixel else {
        return None;
    };
    let hundredths = |value: u8| u8::try_from((u16::from(value) * 100 + 127) / 255).unwrap_or(100);
    (alpha >= OPAQUE).then(|| [red, green, blue].map(hundredths))
}

/// One colour of a band, with repeats as numbers, up to its last pixel.
fn line(out: &mut String, band: &[Option<u8>], width: usize, colour: u8) {
    let mut columns = vec![0_u8; width];
    for (row, bit) in band.chunks(width).zip(0..) {
        for (column, pixel) in columns.iter_mut().zip(row) {
            *column |= u8::from(*pixel == Some(colour)) << bit;
        }
    }
    let last = columns.iter().rposition(|column| *column > 0);
    columns.truncate(last.map_or(0, |last| last + 1));
    for run in columns.chunk_by(|a, b| a == b) {
        let letter = char::from(run.first().copied().unwrap_or(0) + b'?');
        match run.len() {
            len @ 0..4 => out.extend(core::iter::repeat_n(letter, len)),
            len => {
                let _ = write!(out, "!{len}{letter}");
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Numbers that are small.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
mod tests {
    use super::*;
    use daisho::media::palette::Palette;
    use daisho::ops::pictures::smaller;

    /// What a terminal makes of it: width, height, and each pixel's colour in hundredths, if it was drawn.
    fn drawn(image: &str) -> (usize, usize, Vec<Option<[u32; 3]>>) {
        let inner = image.strip_prefix("\x1bP0;1;0q\"1;1;").unwrap();
        let inner = inner.strip_suffix("\x1b\\\n").unwrap();
        let mut rest = inner.bytes().peekable();
        let number = |rest: &mut core::iter::Peekable<core::str::Bytes<'_>>| {
            let mut number = 0;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                number = number * 10 + u32::from(digit - b'0');
            }
            number
        };
        let width = number(&mut rest) as usize;
        assert_eq!(rest.next(), Some(b';'));
        let height = number(&mut rest) as usize;
        let mut palette = BTreeMap::new();
        let mut pixels = vec![None; width * height];
        let (mut x, mut y, mut colour) = (0, 0, [0; 3]);
        while let Some(byte) = rest.next() {
            match byte {
                b'#' => {
                    let index = number(&mut rest);
                    if rest.next_if_eq(&b';').is_some() {
                        assert_eq!(number(&mut rest), 2);
                        let value = [0; 3].map(|_| {
                            assert_eq!(rest.next(), Some(b';'));
                            number(&mut rest)
                        });
                        assert!(index < 256 && value.iter().all(|it| *it <= 100));
                        palette.insert(index, value);
                    }
                    colour = palette[&index];
                }
                b'$' => x = 0,
                b'-' => (x, y) = (0, y + 6),
                _ => {
                    let count = if byte == b'!' { number(&mut rest) } else { 1 };
                    let letter = if byte == b'!' {
                        rest.next().unwrap()
                    } else {
                        byte
                    };
                    assert!((b'?'..=b'~').contains(&letter));
                    for _ in 0..count {
                        for bit in 0..6 {
                            if (letter - b'?') >> bit & 1 == 1 {
                                let pixel = &mut pixels[(y + bit) * width + x];
                                // Nothing is drawn twice.
                                assert_eq!(pixel.replace(colour), None);
                            }
                        }
                        x += 1;
                    }
                }
            }
        }
        (width, height, pixels)
    }

    fn picture(width: u32, height: u32, pixel: impl Fn(u32) -> [u8; 4]) -> Pixels {
        let data = Data::Rgba((0..width * height).flat_map(pixel).collect());
        Pixels {
            width,
            height,
            data,
        }
    }

    #[test]
    fn few_colours_come_back_as_they_were() {
        for (width, height) in [(1, 1), (3, 5), (7, 6), (40, 7), (100, 31)] {
            let of = picture(width, height, |n| {
                let shade = (n * 31 % 200) as u8;
                [shade, 255 - shade, 9, if n % 7 == 3 { 20 } else { 255 }]
            });
            let of = smaller(&of, &Palette::grey(), 60);
            let (found_width, found_height, found) = drawn(&image(&of));
            assert_eq!(
                (found_width, found_height),
                (of.width as usize, of.height as usize)
            );
            let rgba = of.to_rgba(&Palette::grey());
            for (found, pixel) in found.iter().zip(rgba.chunks_exact(4)) {
                let expected = (pixel[3] >= 128)
                    .then(|| [0, 1, 2].map(|n| (f64::from(pixel[n]) / 2.55).round() as u32));
                match (found, expected) {
                    (Some(found), Some(expected)) if of.width < 60 => assert_eq!(*found, expected),
                    (found, expected) => assert_eq!(found.is_some(), expected.is_some()),
                }
            }
        }
    }

    #[test]
    fn many_colours_come_back_nearly() {
        let of = picture(64, 64, |n| {
            [(n % 64 * 4) as u8, (n / 64 * 4) as u8, 128, 255]
        });
        let (.., found) = drawn(&image(&of));
        let rgba = of.to_rgba(&Palette::grey());
        for (found, pixel) in found.iter().zip(rgba.chunks_exact(4)) {
            let found = found.unwrap();
            for n in 0..3 {
                let expected = f64::from(pixel[n]) / 2.55;
                let far = (f64::from(found[n]) - expected).abs();
                assert!(far < 9.0, "{found:?} {pixel:?}");
            }
        }
    }
}
