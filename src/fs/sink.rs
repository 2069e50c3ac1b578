//! Sinks: outputs that are written at any offset through `&self`, from many threads and in any order.
//!
//! There are two: a [`Draft`](super::Draft) gets a name when it is complete, and a [`Scratch`] never has one.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use cap_std::fs::Dir;

use super::draft::next_name;
use super::platform;
use super::system::{System, lock};
use crate::archive::ReadAt;

/// How many bytes are copied at once through memory.
pub(super) const BUFFER: usize = 128 * 1024;

/// How soon a stop is noticed while standard input is read.
const STOP: Duration = Duration::from_millis(20);

/// An output that is written at any offset. Gaps between written ranges are zero.
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

    /// Copies `len` bytes of `source` from offset `from` to offset `to`. By default it reads and writes. A sink may
    /// have a faster way, such as the kernel's copy between [files](ReadAt::as_file).
    ///
    /// # Errors
    /// Any error of the source or the sink, and `UnexpectedEof` if the source is too short.
    fn copy_from(&self, source: &dyn ReadAt, from: u64, len: u64, to: u64) -> io::Result<()> {
        copy_through_memory((source, from), (self, to), len)
    }

    /// Announces the final length, so that a sink can reserve space.
    ///
    /// # Errors
    /// Any error of the sink, such as a lack of space.
    fn expect_len(&self, len: u64) -> io::Result<()> {
        let _ = len;
        Ok(())
    }
}

/// Copies `len` bytes by reading and writing them. Fails if the source has fewer.
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

/// A temporary file without a name, for content that does not fit into memory. It is gone when it is dropped.
///
/// It is in the system's directory for temporary files. If the system has no unnamed files, its name is removed
/// at once, or, if the system cannot remove the name of an open file, when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    file: Arc<File>,
    len: u64,
    system: System,
    /// Its name, if that could not be removed yet.
    named: Option<(Dir, OsString)>,
}

impl System {
    /// Creates a file without a name.
    pub(crate) fn scratch(&self) -> io::Result<Scratch> {
        let dir = self.open_root(&std::env::temp_dir())?;
        let (file, named) = match self.create_unnamed(&dir) {
            Err(error) if platform::lacks_unnamed(&error) => {
                let name = next_name();
                let file = self.create(&dir, &name)?;
                let removed = self.remove(&dir, &name);
                (file, removed.err().map(|_| (dir, name)))
            }
            created => (created?, None),
        };
        Ok(Scratch {
            file: Arc::new(file),
            len: 0,
            system: self.clone(),
            named,
        })
    }

    /// Returns everything from standard input. An archive is read at any offset, but standard input only once and in
    /// order, so it is copied into a file.
    pub(crate) fn standard_input(&self) -> io::Result<Arc<Scratch>> {
        self.standard_input_until(|| false)
    }

    /// Like [`standard_input`](Self::standard_input), but gives up as soon as `is_stopped`.
    pub(crate) fn standard_input_until(
        &self,
        is_stopped: impl Fn() -> bool,
    ) -> io::Result<Arc<Scratch>> {
        static READ: Mutex<Option<Arc<Scratch>>> = Mutex::new(None);
        let mut read = lock(&READ);
        if let Some(scratch) = &*read {
            return Ok(Arc::clone(scratch));
        }
        let mut scratch = self.scratch()?;
        // A read from a pipe can take any time, so another thread waits for it.
        let (sender, received) = mpsc::channel();
        let receive = move || {
            let copied = io::copy(&mut io::stdin().lock(), &mut scratch);
            // After a stop, nobody receives it.
            let _ = sender.send(copied.map(|_| scratch));
        };
        thread::Builder::new()
            .name("standard input".to_owned())
            .spawn(receive)?;
        let scratch = loop {
            match received.recv_timeout(STOP) {
                Ok(received) => break received?,
                Err(_) if is_stopped() => return Err(io::ErrorKind::Interrupted.into()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::Other.into()),
            }
        };
        let scratch = Arc::new(scratch);
        *read = Some(Arc::clone(&scratch));
        Ok(scratch)
    }
}

/// This does not change [`Scratch::len`], which counts only the bytes that [`io::Write`] appends.
impl Sink for Scratch {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.system.write_all(&self.file, bytes, offset)
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        self.system.set_len(&self.file, len)
    }
}

impl io::Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.system.write_at(&self.file, bytes, self.len)?;
        self.len += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ReadAt for Scratch {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.system.read_at(&self.file, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn as_file(&self) -> Option<Arc<File>> {
        Some(Arc::clone(&self.file))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some((dir, name)) = self.named.take() {
            let _ = self.system.remove(&dir, &name);
        }
    }
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
        self.0.into_inner().unwrap()
    }
}

#[cfg(test)]
impl Sink for MemorySink {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let too_far = || io::Error::from(io::ErrorKind::FileTooLarge);
        let start = usize::try_from(offset).map_err(|_| too_far())?;
        let end = start.checked_add(bytes.len()).ok_or_else(too_far)?;
        let mut all = lock(&self.0);
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
        lock(&self.0).resize(len, 0);
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
