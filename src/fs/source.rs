//! The files that an operation reads from.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::status::FileId;
use super::system::System;
use crate::archive::ReadAt;
use crate::error::{Error, ErrorKind};

/// What is read from, and can be closed while nobody needs it. Who reads it then opens it again.
pub(crate) trait Closable: ReadAt {
    /// Closes it until it is read again.
    fn close(&self) -> io::Result<()>;
}

/// A file to read from. It can be closed while nobody needs it, since there can be more archives than
/// files may be open; who reads it then opens it again, if it is still the one that it was.
#[derive(Debug)]
pub(crate) struct Source {
    path: PathBuf,
    state: Mutex<State>,
    system: System,
}

#[derive(Debug)]
enum State {
    Open(Arc<File>),
    /// Which file it was, and how long.
    Closed(FileId, u64),
}

impl Source {
    /// The file at this path, which is open.
    pub(super) fn new(path: &Path, file: File, system: System) -> Self {
        Self {
            path: path.to_path_buf(),
            state: Mutex::new(State::Open(Arc::new(file))),
            system,
        }
    }

    /// The file, open.
    fn file(&self) -> io::Result<Arc<File>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (id, len) = match &*state {
            State::Open(file) => return Ok(Arc::clone(file)),
            State::Closed(id, len) => (*id, *len),
        };
        let file = Arc::new(self.system.open_source(&self.path)?);
        if (self.system.identify_open(&file)?, self.system.len(&file)?) != (id, len) {
            return Err(io::Error::other(Error::from(ErrorKind::AnotherPak)));
        }
        *state = State::Open(Arc::clone(&file));
        Ok(file)
    }
}

impl Closable for Source {
    fn close(&self) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Open(file) = &*state {
            let (id, len) = (self.system.identify_open(file)?, self.system.len(file)?);
            *state = State::Closed(id, len);
        }
        Ok(())
    }
}

/// Whoever reads to the end of a buffer goes on after an interruption. The system has tried often enough.
fn for_good(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Interrupted => {
            io::Error::other("opening the file is interrupted every time")
        }
        _ => error,
    }
}

impl ReadAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let file = self.file().map_err(for_good)?;
        self.system.read_at(&file, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        self.system.len(&*self.file()?)
    }

    fn as_file(&self) -> Option<Arc<File>> {
        self.file().ok()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;
    use crate::fs::System;

    /// Nobody writes into the pipe, so that opening it as one waits for ever.
    #[test]
    fn a_pipe_where_a_closed_file_stood_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pak");
        fs::write(&path, b"PACK").unwrap();
        let source = System::real().open(&path).unwrap();
        source.close().unwrap();
        fs::remove_file(&path).unwrap();
        mkfifoat(CWD, &path, Mode::RUSR).unwrap();
        let (told, heard) = mpsc::channel();
        thread::spawn(move || {
            let read = source.read_at(&mut [0; 4], 0);
            told.send(read.unwrap_err().to_string())
        });
        let error = heard.recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(error, Error::from(ErrorKind::AnotherPak).to_string());
    }
}
