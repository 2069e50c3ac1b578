//! Something that takes a while: for interrupts, and for bars.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use daisho::codec::{Profile, encode};

use super::Dir;
use crate::archive::build::Pak;
use crate::codec::dice::Dice;

/// Makes a pak of one file, zeros that a file system with holes in files keeps in a few blocks, and that
/// take about three seconds to compress as Daikatana does. These are 150 MB or fewer, since a program that is
/// built without optimisation compresses hundreds of times more slowly.
pub(crate) fn slow_pak(dir: &Dir, name: impl AsRef<Path>) {
    const SAMPLE: usize = 16 << 10;
    let begun = Instant::now();
    let _ = encode(&vec![0; SAMPLE], Profile::default());
    let a_second = SAMPLE as f64 / begun.elapsed().as_secs_f64();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // It is clamped.
    let size = (3.0 * a_second).clamp(1e5, 1.5e8) as u32;
    let mut start = b"PACK".to_vec();
    start.extend(12_u32.to_le_bytes());
    start.extend(64_u32.to_le_bytes());
    let mut record = b"maps/zeros.bsp".to_vec();
    record.resize(56, 0);
    record.extend(76_u32.to_le_bytes());
    record.extend(size.to_le_bytes());
    start.extend(record);
    let path = dir.file(name, start);
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(76 + u64::from(size)).unwrap();
}

/// Makes a pak of one file of 5 MB, which take about three seconds to deflate at level 9: noise of four
/// letters. Unlike that of [`slow_pak`], the file has several blocks however the program is built.
pub(crate) fn slow_to_deflate(dir: &Dir, name: impl AsRef<Path>) {
    let mut dice = Dice::new(5);
    let noise: Vec<u8> = (0..1_000_000).map(|_| dice.byte() & 3).collect();
    let content = noise.repeat(5);
    dir.file(name, Pak::new().stored("maps/noise.bsp", &content).quake());
}
