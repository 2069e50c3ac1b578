//! Something that takes a while: for interrupts, and for bars.

use std::fs::File;
use std::path::Path;

use super::Dir;

/// Makes a pak of one file, 150 MB of zeros, which a file system with holes in files keeps in a
/// few blocks, and which takes a second or two to compress.
pub(crate) fn slow_pak(dir: &Dir, name: impl AsRef<Path>) {
    const SIZE: u32 = 150_000_000;
    let mut start = b"PACK".to_vec();
    start.extend(12_u32.to_le_bytes());
    start.extend(64_u32.to_le_bytes());
    let mut record = b"maps/zeros.bsp".to_vec();
    record.resize(56, 0);
    record.extend(76_u32.to_le_bytes());
    record.extend(SIZE.to_le_bytes());
    start.extend(record);
    let path = dir.file(name, start);
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(76 + u64::from(SIZE)).unwrap();
}
