//! Size and CRC-32 of whatever is read: a reader wrapped around a reader.

use std::io::{self, Read};

/// What was read so far, as two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Checked {
    /// How many bytes.
    pub size: u64,
    /// Their CRC-32, as in ZIP and PNG.
    pub crc32: u32,
}

/// A reader that passes on what it reads, and counts and sums it.
#[derive(Debug)]
pub struct Check<R> {
    inner: R,
    size: u64,
    hasher: crc32fast::Hasher,
}

impl<R: Read> Check<R> {
    /// A reader around `inner`, from here on.
    pub fn new(inner: R) -> Self {
        Self {
            inner,
            size: 0,
            hasher: crc32fast::Hasher::new(),
        }
    }

    /// What was read, and the reader.
    pub fn finish(self) -> (R, Checked) {
        let checked = Checked {
            size: self.size,
            crc32: self.hasher.finalize(),
        };
        (self.inner, checked)
    }
}

impl<R: Read> Read for Check<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hasher.update(buffer.get(..read).unwrap_or_default());
        self.size += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_whole_however_it_is_read() {
        let mut check = Check::new(&b"123456789"[..]);
        let mut buffer = [0; 4];
        while check.read(&mut buffer).unwrap() > 0 {}
        let (_, checked) = check.finish();
        assert_eq!((checked.size, checked.crc32), (9, 0xCBF4_3926));
    }
}
