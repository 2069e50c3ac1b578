//! Sounds, levels, code and lumps for the game's corpus. All arithmetic is in whole numbers, so
//! that every machine makes the same bytes.

use std::fmt::Write;

use super::pictures::{long, palette, short};
use crate::codec::dice::Dice;

/// A tone that fades away: RIFF/WAVE, 11,025 samples a second, 8 bits, one channel.
pub(super) fn wav(hertz: usize, milliseconds: usize) -> Vec<u8> {
    let rate = 11_025;
    let count = rate * milliseconds / 1000;
    let samples = (0..count).map(|i| {
        let phase = i * hertz * 65_536 / rate;
        let loudness = 120 * (count - i) / count;
        let swing = wave(phase % 65_536) * i64::try_from(loudness).unwrap() / 65_536;
        u8::try_from(128 + swing).unwrap()
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

/// A level of `rooms` rooms: a header, then lumps of entities, planes, points, edges, faces,
/// light. Quake's has 15 lumps and no name, Daikatana's 19.
pub(super) fn bsp(magic: &[u8], version: usize, lumps: usize, rooms: usize) -> Vec<u8> {
    let mut dice = Dice::new(rooms as u64);
    let mut entities = String::from("{\n\"classname\" \"worldspawn\"\n\"message\" \"rooms\"\n}\n");
    let (mut planes, mut points, mut edges, mut faces, mut light) =
        (vec![], vec![], vec![], vec![], vec![]);
    for room in 0..rooms {
        let (x, y) = (room % 8 * 256, room / 8 * 256);
        writeln!(
            entities,
            "{{\n\"classname\" \"light\"\n\"origin\" \"{} {} 96\"\n\"light\" \"{}\"\n}}",
            x + 128,
            y + 128,
            200 + 25 * (room % 5)
        )
        .unwrap();
        for side in 0..6_u8 {
            let axis = usize::from(side / 2);
            let normal = [0, 1, 2].map(|i| if i == axis { 1.0 } else { 0.0 });
            let distance = [x, y, 0][axis] + 192 * usize::from(side % 2);
            planes.extend(normal.into_iter().flat_map(f32::to_le_bytes));
            planes.extend(float(distance));
            planes.extend(long(axis));
            let first = points.len() / 12;
            for corner in 0..4 {
                let (u, v) = (192 * (corner / 2), 192 * (corner % 2));
                let point = match axis {
                    0 => [distance, y + u, v],
                    1 => [x + u, distance, v],
                    _ => [x + u, y + v, distance],
                };
                points.extend(point.into_iter().flat_map(float));
                edges.extend([short(first + corner), short(first + (corner + 1) % 4)].concat());
            }
            faces.extend([short(planes.len() / 20 - 1), short(usize::from(side % 2))].concat());
            faces.extend([long(first), long(light.len())].concat());
            faces.extend([short(4), short(0)].concat());
            faces.extend([0, 255, 255, 255]);
            light.extend((0..64).map(|i| {
                let bright = 16 * (4 - i % 4) + dice.below(3);
                u8::try_from(bright).unwrap()
            }));
        }
    }
    let parts = [
        entities.into_bytes(),
        planes,
        points,
        vec![0; 64 * rooms],
        edges,
        faces,
        light,
    ];
    let mut file = magic.to_vec();
    file.extend(long(version));
    let mut body = Vec::new();
    let start = file.len() + 8 * lumps;
    for lump in 0..lumps {
        let part = parts.get(lump).map_or(&[][..], Vec::as_slice);
        file.extend([long(start + body.len()), long(part.len())].concat());
        body.extend(part);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    file.extend(body);
    file
}

fn float(value: usize) -> [u8; 4] {
    f32::from(u16::try_from(value).unwrap()).to_le_bytes()
}

/// 32 shades of each of the palette's 256 colours, and the one byte more of the game's own.
pub(super) fn colormap() -> Vec<u8> {
    let mut file: Vec<u8> = (0..32_u8)
        .flat_map(|light| {
            (0..=255_u8).map(move |index| (index & 0xF0) + (index & 15) * (light / 2) / 16)
        })
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

/// A model: a magic, counts, and points that move from frame to frame.
pub(super) fn model(magic: &[u8], frames: usize) -> Vec<u8> {
    let mut dice = Dice::new(frames as u64);
    let mut file = magic.to_vec();
    file.extend([long(1), long(frames), long(60)].concat());
    for frame in 0..frames {
        file.extend(super::pictures::field(&format!("stand{frame}"), 16));
        file.extend((0..60 * 4).map(|_| dice.byte()));
    }
    file
}

/// The end screen: 80 x 25 characters, each with its attribute.
pub(super) fn screen(text: &str) -> Vec<u8> {
    let line = format!("{text:^80}");
    let rows = (0..25).map(|row| {
        if row == 11 {
            line.clone()
        } else {
            " ".repeat(80)
        }
    });
    rows.flat_map(|row| row.into_bytes())
        .flat_map(|byte| [byte, 0x4F])
        .collect()
}
