//! Temporary files without names, for content that does not fit into memory, such as an archive on standard input.

use std::ffi::OsString;
use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{io, thread};

use super::draft::{WriteAt, next_name};
use super::platform::{self, Dir};
use super::system::{System, lock};
use crate::archive::ReadAt;

/// How soon a stop is noticed while standard input is read.
const STOP: Duration = Duration::from_millis(20);

/// A temporary file without a name. It is gone when it is dropped.
///
/// It is in the system's directory for temporary files. If the system has no unnamed files, its name is removed
/// at once, or, if the system cannot remove the name of an open file, when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(super) file: Arc<File>,
    /// The offset of the end of what was written.
    len: AtomicU64,
    system: System,
    /// Its name, if that could not be removed yet.
    named: Option<(Dir, OsString)>,
}

impl System {
    /// Creates a file without a name.
    pub(crate) fn scratch(&self) -> io::Result<Scratch> {
        let dir = self.open_root(&platform::temporary_directory())?;
        let (file, named) = match self.create_unnamed(&dir) {
            Err(error) if platform::lacks_unnamed(&error) => {
                let name = next_name();
                let file = self.create(&dir, &name)?;
                let removed = self.remove(&dir, &name);
                (file, removed.err().map(|_| (dir, name)))
            }
            created => (created?, None),
        };
        Ok(Scratch { file: Arc::new(file), len: AtomicU64::new(0), system: self.clone(), named })
    }

    /// Returns everything from standard input. An archive is read at any offset, but standard input only once and in
    /// order, so it is copied into a file. Gives up as soon as `is_stopped`.
    pub(crate) fn standard_input(&self, is_stopped: impl Fn() -> bool) -> io::Result<Arc<Scratch>> {
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
        thread::Builder::new().name("standard input".to_owned()).spawn(receive)?;
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

impl WriteAt for Scratch {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.system.write_all(&self.file, bytes, offset)?;
        let end = offset + bytes.len() as u64;
        self.len.fetch_max(end, Ordering::Relaxed);
        Ok(())
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        self.system.set_len(&self.file, len)?;
        self.len.store(len, Ordering::Relaxed);
        Ok(())
    }
}

impl io::Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.len.get_mut();
        let written = self.system.write_at(&self.file, bytes, *len)?;
        *len += written as u64;
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
        Ok(self.len.load(Ordering::Relaxed))
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

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn its_size_is_the_files_however_it_was_filled() {
        let mut scratch = System::real().scratch().unwrap();
        let check = |scratch: &Scratch| {
            let len = scratch.file.metadata().unwrap().len();
            assert_eq!(scratch.size().unwrap(), len);
            len
        };
        scratch.write_all(b"12345").unwrap();
        assert_eq!(check(&scratch), 5);
        // In no order.
        scratch.write_at(b"end", 100).unwrap();
        scratch.write_at(b"begin", 0).unwrap();
        assert_eq!(check(&scratch), 103);
        scratch.write_all(b"more").unwrap();
        assert_eq!(check(&scratch), 107);
        scratch.end_at(50).unwrap();
        assert_eq!(check(&scratch), 50);
        scratch.end_at(60).unwrap();
        assert_eq!(check(&scratch), 60);
    }
}
