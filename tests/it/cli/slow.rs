//! Something that takes a while: for interrupts, and for bars.

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use daisho::codec::{Profile, encode};

use super::Dir;

/// Makes a pak of one file, zeros that a file system with holes in files keeps in a few blocks, and that
/// take about three seconds to compress. Returns how many megabytes these are: 150 or fewer, since a
/// program that is built without optimisation compresses hundreds of times more slowly.
pub(crate) fn slow_pak(dir: &Dir, name: impl AsRef<Path>) -> u32 {
    const SAMPLE: usize = 256 << 10;
    let begun = Instant::now();
    let _ = encode(&vec![0; SAMPLE], Profile::default());
    let a_second = SAMPLE as f64 / 1e6 / begun.elapsed().as_secs_f64();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Between 4 and 150.
    let megabytes = (3.0 * a_second).clamp(4.0, 150.0) as u32;
    let size = megabytes * 1_000_000;
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
    megabytes
}
