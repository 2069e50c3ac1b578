//! Outputs that are written at any offset through `&self`, from many threads and in any order.

use std::io;
#[cfg(test)]
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::archive::ReadAt;

/// How much is copied at once through memory.
const BUFFER: usize = 128 * 1024;

/// The output of an archive: a file of `fs`, or memory.
///
/// Gaps between written ranges are zero.
pub(crate) trait Sink {
    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    /// Any error of the sink.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Sets the length to `len`. Called after everything is written, because a payload that was tried and
    /// dropped may have been longer than the rest.
    ///
    /// # Errors
    /// Any error of the sink.
    fn end_at(&self, len: u64) -> io::Result<()>;

    /// Copies `len` bytes of `source` from `from` to `to`. A sink may use a faster way, such as the
    /// kernel's copy between [files](ReadAt::as_file); by default it reads and writes.
    ///
    /// # Errors
    /// Any error of the source or the sink, and `UnexpectedEof` if the source is too short.
    fn copy_from(&self, source: &dyn ReadAt, from: u64, len: u64, to: u64) -> io::Result<()> {
        copy_through_memory((source, from), (self, to), len)
    }

    /// Announces the final length, for sinks that can use it.
    ///
    /// # Errors
    /// Any error of the sink, such as a lack of space.
    fn expect_len(&self, len: u64) -> io::Result<()> {
        let _ = len;
        Ok(())
    }
}

/// Copies `len` bytes by reading and writing them. The source must have them.
pub(crate) fn copy_through_memory(
    (source, from): (&dyn ReadAt, u64),
    (sink, to): (&(impl Sink + ?Sized), u64),
    len: u64,
) -> io::Result<()> {
    let mut buffer = vec![0; usize::try_from(len).unwrap_or(BUFFER).min(BUFFER)];
    let mut done = 0;
    while done < len {
        let count = usize::try_from(len - done).unwrap_or(BUFFER).min(BUFFER);
        let chunk = buffer.get_mut(..count).unwrap_or_default();
        if source.read_full_at(chunk, from + done)? < count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        sink.write_at(chunk, to + done)?;
        done += count as u64;
    }
    Ok(())
}

/// A sink in memory.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct MemorySink(Mutex<Vec<u8>>);

#[cfg(test)]
impl MemorySink {
    /// Creates an empty sink.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The bytes that were written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the bytes. A thread that panicked with the lock left only bytes, which are valid in any state.
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
impl Sink for MemorySink {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let too_far = || io::Error::from(io::ErrorKind::FileTooLarge);
        let start = usize::try_from(offset).map_err(|_| too_far())?;
        let end = start.checked_add(bytes.len()).ok_or_else(too_far)?;
        let mut all = self.bytes();
        if all.len() < end {
            all.resize(end, 0);
        }
        if let Some(place) = all.get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.bytes().resize(len, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_in_any_order() {
        let sink = MemorySink::new();
        sink.write_at(b"cd", 4).unwrap();
        sink.write_at(b"ab", 0).unwrap();
        sink.copy_from(&b"0123456789".to_vec(), 3, 2, 2).unwrap();
        sink.write_at(b"too much", 6).unwrap();
        sink.end_at(6).unwrap();
        assert_eq!(sink.into_bytes(), b"ab34cd");
    }

    #[test]
    fn a_source_that_ends_too_soon_is_an_error() {
        let error = MemorySink::new()
            .copy_from(&b"123".to_vec(), 1, 3, 0)
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
