//! Runs of PCX and TGA: any bytes decode as a naive decoder decodes them, which takes a byte at a time and keeps
//! the whole state in two numbers.

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
        data => panic!("{data:?}"),
    }
}

fn pcx(width: usize, height: usize, stride: usize, planes: u8) -> File {
    let last = |side: usize| u16::try_from(side - 1).unwrap();
    let file = File::new(128).put(0, &[10, 5, 1, 8]).shorts(8, &[last(width), last(height)]);
    file.put(65, &[planes]).shorts(66, &[u16::try_from(stride).unwrap()])
}

fn tga(width: usize, height: usize, kind: u8, bits: u8) -> File {
    let sides = [width, height].map(|it| u16::try_from(it).unwrap());
    File::new(18).put(2, &[kind]).shorts(12, &sides).put(16, &[bits, 0x20])
}

/// A byte at a time: what is left of a run, and where the next pixel goes.
fn naive_pcx(data: &[u8], width: usize, height: usize, stride: usize) -> Option<Vec<u8>> {
    let mut lines = vec![0; stride * height];
    let (mut at, mut bytes) = (0, data.iter().copied());
    while at < lines.len() {
        let byte = bytes.next()?;
        let (count, value) = if byte >= 0xC0 { (byte - 0xC0, bytes.next()?) } else { (1, byte) };
        let line_end = (at / stride + 1) * stride;
        for _ in 0..count {
            if at < line_end {
                lines[at] = value;
                at += 1;
            }
        }
    }
    Some(lines.chunks(stride).flat_map(|line| line[..width].to_vec()).collect())
}

/// Pixels of `size` bytes: red, green, blue and opacity, or one byte.
fn naive_tga(data: &[u8], pixels: usize, size: usize) -> Option<Vec<u8>> {
    let (mut out, mut bytes) = (Vec::new(), data.iter().copied());
    while out.len() < pixels * size {
        let head = bytes.next()?;
        let count = (usize::from(head & 127) + 1).min(pixels - out.len() / size);
        let mut pixel = || {
            let mut pixel: Vec<u8> = (0..size).map(|_| bytes.next()).collect::<Option<_>>()?;
            if let [blue, _, red, ..] = &mut pixel[..] {
                std::mem::swap(blue, red);
            }
            Some(pixel)
        };
        if head >= 128 {
            out.extend(pixel()?.repeat(count));
        } else {
            for _ in 0..count {
                out.extend(pixel()?);
            }
        }
    }
    Some(out)
}

#[test]
fn any_bytes_decode_as_a_naive_decoder_says() {
    let mut dice = Dice::new(23);
    let mut decoded = [0; 2];
    for number in 0..30_000 {
        let (wide, high, most) = if number % 10 == 0 { (70, 9, 600) } else { (9, 5, 60) };
        let (width, height) = (1 + dice.below(wide), 1 + dice.below(high));
        let stride = width + dice.below(3);
        let data: Vec<u8> = (0..dice.below(most))
            .map(|_| match dice.below(3) {
                0 => dice.byte(),
                1 => u8::try_from(dice.below(6)).unwrap(),
                _ => 0x80 | dice.byte() & 0x47,
            })
            .collect();
        let (kind, size, opacity) = [(11, 1, 0), (10, 3, 0), (10, 4, 8)][dice.below(3)];
        let bits = 8 * u8::try_from(size).unwrap();
        let tga = tga(width, height, kind, bits).put(17, &[0x20 | opacity]);
        let found = [
            (
                numbers("a.pcx", &pcx(width, height, stride, 1).then(&data).0),
                naive_pcx(&data, width, height, stride),
            ),
            (numbers("a.tga", &tga.then(&data).0), naive_tga(&data, width * height, size)),
        ];
        for (count, (found, naive)) in decoded.iter_mut().zip(found) {
            let is_clear = |pixels: &Vec<u8>| pixels.chunks(4).all(|it| it.last() == Some(&0));
            if opacity > 0 && naive.as_ref().is_some_and(is_clear) {
                // Nobody means to hide all of a picture.
                continue;
            }
            *count += usize::from(naive.is_some());
            assert_eq!(found.ok(), naive, "{width} x {height}, {data:02X?}");
        }
        let _ = under("a.pcx", &pcx(width, height, stride, 3).then(&data).0);
    }
    assert!(decoded.iter().all(|it| *it > 1000), "{decoded:?}");
}
