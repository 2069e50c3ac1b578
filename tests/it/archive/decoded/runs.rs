//! Runs of PCX, TGA and BMP: pictures packed in any way there is come out as they were, and of any bytes
//! comes what a decoder makes of them that takes a byte at a time and keeps the whole state in two numbers.

use daisho::media::{Data, DecodeOptions, Picture};

use super::files::File;
use crate::archive::fuzz_pictures::under;
use crate::codec::dice::Dice;

fn numbers(name: &str, file: &[u8]) -> Result<Vec<u8>, String> {
    let picture = Picture::decode(name.into(), file, &DecodeOptions::default());
    let picture = picture.map_err(|it| it.to_string())?;
    match &picture.frames[0].pixels.data {
        Data::Indexed { indices, .. } => Ok(indices.clone()),
        Data::Rgb(bytes) | Data::Rgba(bytes) => Ok(bytes.clone()),
    }
}

/// Pixels in which some follow each other often.
fn picture(dice: &mut Dice, len: usize) -> Vec<u8> {
    let mut pixels = Vec::new();
    while pixels.len() < len {
        let (pixel, count) = (dice.byte(), 1 + dice.below(200) * dice.below(2));
        pixels.extend(std::iter::repeat_n(pixel, count));
    }
    pixels.truncate(len);
    pixels
}

/// How many of the first pixels are the same, up to this many.
fn alike(pixels: &[u8], size: usize, most: usize) -> usize {
    let first = &pixels[..size];
    pixels
        .chunks(size)
        .take(most)
        .take_while(|it| *it == first)
        .count()
}

fn pcx(width: usize, height: usize, stride: usize, planes: u8) -> File {
    let last = |side: usize| u16::try_from(side - 1).unwrap();
    let file = File::new(128)
        .put(0, &[10, 5, 1, 8])
        .shorts(8, &[last(width), last(height)]);
    file.put(65, &[planes])
        .shorts(66, &[u16::try_from(stride).unwrap()])
}

fn tga(width: usize, height: usize, kind: u8, bits: u8) -> File {
    let sides = [width, height].map(|it| u16::try_from(it).unwrap());
    File::new(18)
        .put(2, &[kind])
        .shorts(12, &sides)
        .put(16, &[bits, 0x20])
}

fn bmp(width: usize, height: usize) -> File {
    let [width, height] = [width, height].map(|it| u32::try_from(it).unwrap());
    let file = File::new(54)
        .put(0, b"BM")
        .longs(10, &[1078, 40, width, height]);
    let table: Vec<u8> = (0..=255).flat_map(|it| [it, it, it, 0]).collect();
    file.shorts(26, &[1, 8]).longs(30, &[1]).then(&table)
}

#[test]
fn pictures_packed_in_any_way_decode_to_their_pixels() {
    let mut dice = Dice::new(19);
    for _ in 0..400 {
        let (width, height) = (1 + dice.below(70), 1 + dice.below(9));
        // PCX: lines longer than the picture is wide.
        let stride = width + dice.below(5);
        let pixels = picture(&mut dice, width * height);
        let mut file = pcx(width, height, stride, 1);
        for row in pixels.chunks(width) {
            let line = [row, &vec![dice.byte(); stride - width][..]].concat();
            let mut rest = &line[..];
            while let Some(first) = rest.first() {
                let run = 1 + dice.below(alike(rest, 1, 63));
                if *first >= 0xC0 || run > 1 || dice.below(4) == 0 {
                    file.0.push(0xC0 | u8::try_from(run).unwrap());
                    file.0.push(*first);
                    rest = &rest[run..];
                } else {
                    file.0.push(*first);
                    rest = &rest[1..];
                }
            }
        }
        assert_eq!(numbers("a.pcx", &file.0), Ok(pixels.clone()));

        // TGA: packets that know no rows.
        let size = [1, 3, 4][dice.below(3)];
        let wide = picture(&mut dice, width * height * size);
        let kind = if size == 1 { 11 } else { 10 };
        let mut file = tga(width, height, kind, 8 * u8::try_from(size).unwrap());
        // One pixel that is seen, so that alpha stays what it is.
        file.0[17] |= if size == 4 { 8 } else { 0 };
        let mut rest = &wide[..];
        while !rest.is_empty() {
            let run = 1 + dice.below(alike(rest, size, 128));
            let (head, taken) = match dice.below(2) {
                0 => (0x80 | (run - 1), size),
                _ => (run - 1, run * size),
            };
            file.0.push(u8::try_from(head).unwrap());
            file.0.extend(&rest[..taken]);
            rest = &rest[run * size..];
        }
        let expected = wide.chunks(size).flat_map(|it| match it {
            [blue, green, red, rest @ ..] => [&[*red, *green, *blue][..], rest].concat(),
            grey => grey.to_vec(),
        });
        assert_eq!(numbers("a.tga", &file.0), Ok(expected.collect()));

        // BMP: runs, plain pixels, and ends of lines that nothing comes before.
        let mut file = bmp(width, height);
        for row in pixels.rchunks(width) {
            let mut rest = row;
            while !rest.is_empty() {
                let plain = rest.len().min(3 + dice.below(252));
                if plain >= 3 && dice.below(2) == 0 {
                    file.0.extend([0, u8::try_from(plain).unwrap()]);
                    file.0.extend(&rest[..plain]);
                    file.0.extend(vec![0; plain % 2]);
                    rest = &rest[plain..];
                } else {
                    let run = 1 + dice.below(alike(rest, 1, 255));
                    file.0.extend([u8::try_from(run).unwrap(), rest[0]]);
                    rest = &rest[run..];
                }
            }
            file.0.extend([0, 0]);
        }
        file.0.extend([0, 1]);
        assert_eq!(numbers("a.bmp", &file.0), Ok(pixels));
    }
}

/// A byte at a time: what is left of a run, and where the next pixel goes.
fn naive_pcx(data: &[u8], width: usize, height: usize, stride: usize) -> Option<Vec<u8>> {
    let mut lines = vec![0; stride * height];
    let (mut at, mut bytes) = (0, data.iter().copied());
    while at < lines.len() {
        let byte = bytes.next()?;
        let (count, value) = if byte >= 0xC0 {
            (byte - 0xC0, bytes.next()?)
        } else {
            (1, byte)
        };
        let line_end = (at / stride + 1) * stride;
        for _ in 0..count {
            if at < line_end {
                lines[at] = value;
                at += 1;
            }
        }
    }
    Some(
        lines
            .chunks(stride)
            .flat_map(|line| line[..width].to_vec())
            .collect(),
    )
}

fn naive_tga(data: &[u8], len: usize) -> Option<Vec<u8>> {
    let (mut out, mut bytes) = (Vec::new(), data.iter().copied());
    while out.len() < len {
        let head = bytes.next()?;
        let count = (usize::from(head & 127) + 1).min(len - out.len());
        if head >= 128 {
            let value = bytes.next()?;
            out.extend(vec![value; count]);
        } else {
            for _ in 0..count {
                out.push(bytes.next()?);
            }
        }
    }
    Some(out)
}

fn naive_bmp(data: &[u8], width: usize, height: usize) -> Option<Vec<u8>> {
    let mut rows = vec![vec![0; width]; height];
    let (mut x, mut y, mut bytes) = (0, 0, data.iter().copied());
    while y < height {
        let (count, value) = (bytes.next()?, bytes.next()?);
        let mut pixels = vec![value; count.into()];
        match (count, value) {
            (0, 0) => {
                (x, y) = (0, y + 1);
                continue;
            }
            (0, 1) => break,
            (0, 2) => {
                x += usize::from(bytes.next()?);
                y += usize::from(bytes.next()?);
                continue;
            }
            (0, plain) => {
                pixels = (0..plain).map(|_| bytes.next()).collect::<Option<_>>()?;
                if plain % 2 == 1 {
                    bytes.next();
                }
            }
            _ => {}
        }
        for pixel in pixels {
            if let Some(to) = rows[y].get_mut(x) {
                *to = pixel;
            }
            x += 1;
        }
    }
    rows.reverse();
    Some(rows.concat())
}

#[test]
fn any_bytes_decode_as_a_naive_decoder_says() {
    let mut dice = Dice::new(23);
    let mut decoded = [0; 3];
    for _ in 0..30_000 {
        let (width, height) = (1 + dice.below(9), 1 + dice.below(5));
        let stride = width + dice.below(3);
        let data: Vec<u8> = (0..dice.below(60))
            .map(|_| match dice.below(3) {
                0 => dice.byte(),
                1 => u8::try_from(dice.below(6)).unwrap(),
                _ => 0x80 | dice.byte() & 0x47,
            })
            .collect();
        let found = [
            (
                numbers("a.pcx", &pcx(width, height, stride, 1).then(&data).0),
                naive_pcx(&data, width, height, stride),
            ),
            (
                numbers("a.tga", &tga(width, height, 11, 8).then(&data).0),
                naive_tga(&data, width * height),
            ),
            (
                numbers("a.bmp", &bmp(width, height).then(&data).0),
                naive_bmp(&data, width, height),
            ),
        ];
        for (count, (found, naive)) in decoded.iter_mut().zip(found) {
            *count += usize::from(naive.is_some());
            assert_eq!(found.ok(), naive, "{width} x {height}, {data:02X?}");
        }
        let _ = under("a.pcx", &pcx(width, height, stride, 3).then(&data).0);
    }
    assert!(decoded.iter().all(|it| *it > 1000), "{decoded:?}");
}
