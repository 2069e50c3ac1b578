//! What the layer below writes into, and reads from.
//!
//! These two traits stand here until that layer brings its own, and have the same shape.

use std::fs::File;
use std::io;

/// Bytes that can be read at any place.
pub(crate) trait ReadAt {
    /// Reads some bytes at a place, and says how many; 0 at the end.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The file behind it.
    fn as_file(&self) -> Option<&File> {
        None
    }
}

/// Something that can be written at any place.
pub(crate) trait Sink {
    /// Writes all the bytes.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Makes it this long, when all is written.
    fn end_at(&self, len: u64) -> io::Result<()>;
    /// Copies all the bytes of a range.
    fn copy_from(&self, source: &dyn ReadAt, from: u64, len: u64, to: u64) -> io::Result<()>;
    /// Says beforehand how long it will be.
    fn expect_len(&self, len: u64) -> io::Result<()>;
}

#[cfg(unix)]
impl ReadAt for File {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    fn as_file(&self) -> Option<&File> {
        Some(self)
    }
}
