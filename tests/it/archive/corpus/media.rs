//! Sounds, code and lumps for the game's corpus. All arithmetic is in whole numbers, so
//! that every machine makes the same bytes.

use std::fmt::Write;

use super::pictures::{long, palette, short};
use crate::codec::dice::Dice;

/// A tone that goes from one height to another and fades away, with some noise of 256 parts in it:
/// RIFF/WAVE, 11,025 samples a second, 8 bits, one channel.
pub(super) fn wav([from, to]: [usize; 2], noise: usize, milliseconds: usize) -> Vec<u8> {
    let rate = 11_025;
    let count = rate * milliseconds / 1000;
    let mut dice = Dice::new((from + to) as u64);
    let mut phase = 0;
    let samples = (0..count).map(|i| {
        let hertz = (from * (count - i) + to * i) / count;
        phase = (phase + hertz * 65_536 / rate) % 65_536;
        let hiss = i64::try_from(dice.below(131_072)).unwrap() - 65_536;
        let noise = i64::try_from(noise).unwrap();
        let loudness = i64::try_from(120 * (count - i) / count).unwrap();
        let swing = (wave(phase) * (256 - noise) + hiss * noise) / 256;
        u8::try_from(128 + swing * loudness / 65_536).unwrap()
    });
    let mut samples: Vec<u8> = samples.collect();
    // Chunks begin at even places.
    samples.resize(count.next_multiple_of(2), 128);
    let mut file = b"RIFF".to_vec();
    file.extend(long(36 + samples.len()));
    file.extend(b"WAVEfmt ");
    file.extend(long(16));
    file.extend([short(1), short(1)].concat());
    file.extend([long(rate), long(rate)].concat());
    file.extend([short(1), short(8)].concat());
    file.extend(b"data");
    file.extend(long(samples.len()));
    file.extend(samples);
    file
}

/// Two parabolas for a sine: -65,536 to 65,536 over a turn of 65,536.
fn wave(phase: usize) -> i64 {
    let phase = i64::try_from(phase).unwrap();
    let x = phase % 32_768;
    let y = x * (32_768 - x) / 4096;
    if phase < 32_768 { y } else { -y }
}

/// What each of the palette's 256 colours becomes in 64 lights, from bright to dark, and how many are
/// bright in all of them: the last 32.
pub(super) fn colormap() -> Vec<u8> {
    let lit = |light: usize, index: u8| match index {
        0xE0.. => index,
        _ => {
            index / 16 * 16
                + u8::try_from((usize::from(index % 16) * (64 - light) / 32).min(15)).unwrap()
        }
    };
    let mut file: Vec<u8> = (0..64)
        .flat_map(|light| (0..=255).map(move |index| lit(light, index)))
        .collect();
    file.push(32);
    file
}

/// The palette as a lump.
pub(super) fn palette_lump() -> Vec<u8> {
    palette()
}

/// Compiled game code: 15 longs, then what they point at.
pub(super) fn dat(functions: usize) -> Vec<u8> {
    let mut strings = String::from("\0");
    let (mut statements, mut records) = (vec![], vec![]);
    for number in 0..functions {
        let name = strings.len();
        write!(strings, "think_{number}\0").unwrap();
        records.extend([long(statements.len() / 8), long(28 + number), long(2)].concat());
        records.extend([long(0), long(name), long(0), long(0), long(0)].concat());
        for step in 0..6 {
            let op = [
                short(step * 7 % 66),
                short(28 + step),
                short(number),
                short(1),
            ];
            statements.extend(op.concat());
        }
    }
    let globals: Vec<u8> = (0..28 + functions).flat_map(long).collect();
    let parts = [(statements, 8), (vec![], 8), (vec![], 8), (records, 36)];
    let mut file = [long(6), long(5927)].concat();
    let (mut body, start) = (Vec::new(), 60);
    for (part, len) in parts {
        file.extend([long(start + body.len()), long(part.len() / len)].concat());
        body.extend(part);
    }
    file.extend([long(start + body.len()), long(strings.len())].concat());
    body.extend(strings.as_bytes());
    file.extend([long(start + body.len()), long(globals.len() / 4)].concat());
    body.extend(globals);
    file.extend(long(96));
    file.extend(body);
    file
}

/// The end screen: 80 x 25 characters of code page 437, each with its colours: what is said, in a frame.
pub(super) fn screen(lines: &[&str]) -> Vec<u8> {
    let (top, left, width) = (12 - lines.len().div_ceil(2), 16, 48);
    let cell = |row: usize, column: usize| -> [u8; 2] {
        let (row, column) = (row.wrapping_sub(top - 2), column.wrapping_sub(left));
        let last = lines.len() + 3;
        match (row, column) {
            _ if row > last || column >= width => [[0xB0, 0x18], [b' ', 0x10]][(row ^ column) % 2],
            (0, 0) => [0xC9, 0x4E],
            (0, 47) => [0xBB, 0x4E],
            (_, 0) if row == last => [0xC8, 0x4E],
            (_, 47) if row == last => [0xBC, 0x4E],
            (0, _) => [0xCD, 0x4E],
            _ if row == last => [0xCD, 0x4E],
            (_, 0 | 47) => [0xBA, 0x4E],
            _ => {
                let line = lines.get(row.wrapping_sub(2)).copied().unwrap_or_default();
                let text = format!("{line:^46}").into_bytes();
                [text[column - 1], if row == 2 { 0x4E } else { 0x4F }]
            }
        }
    };
    let cells = (0..25).flat_map(|row| (0..80).map(move |column| (row, column)));
    cells.flat_map(|(row, column)| cell(row, column)).collect()
}
