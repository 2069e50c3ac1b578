//! The files that an operation reads from, of which a bounded number is open.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::scratch::Scratch;
use super::status::FileId;
use super::system::System;
use crate::archive::ReadAt;
use crate::archive::error::{Error, ErrorKind};

/// How many source files are open at most. There can be more archives than a process may have open files.
const OPEN_MAX: usize = 64;

/// The source files that are open, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Handles(Mutex<VecDeque<Weak<Slot>>>);

impl Handles {
    /// Adds a file that was just opened, and closes the oldest if there are too many.
    fn add(&self, slot: &Arc<Slot>) {
        let mut open = lock(&self.0);
        if open.len() >= OPEN_MAX {
            open.retain(|slot| slot.strong_count() > 0);
        }
        let oldest = match open.len() >= OPEN_MAX {
            true => open.pop_front(),
            false => None,
        };
        open.push_back(Arc::downgrade(slot));
        drop(open);
        if let Some(oldest) = oldest.and_then(|slot| slot.upgrade()) {
            let _ = oldest.close();
        }
    }

    fn remove(&self, slot: &Arc<Slot>) {
        lock(&self.0).retain(|it| !core::ptr::eq(it.as_ptr(), Arc::as_ptr(slot)));
    }

    /// Closes all of them, and returns whether there were any.
    pub(super) fn close_all(&self) -> bool {
        let all = core::mem::take(&mut *lock(&self.0));
        let mut any = false;
        for slot in all.iter().filter_map(Weak::upgrade) {
            any |= slot.close().is_ok();
        }
        any
    }
}

/// A file to read from. It may be closed at any time and is opened again by the next read, which fails if
/// another file has taken its place.
#[derive(Clone, Debug)]
pub(crate) struct Source(Arc<Slot>);

/// What a source is, and whether it is open. If it is in the queue of [`Handles`], it is open, so whoever
/// closes it waits for no other lock.
struct Slot {
    origin: Origin,
    state: Mutex<State>,
    system: System,
}

/// Where a source's bytes are from.
enum Origin {
    File(PathBuf),
    /// A file without a name, which this function fills with as many bytes.
    Decoded(u64, Box<Fill>),
}

type Fill = dyn Fn(&mut Scratch) -> io::Result<()> + Send + Sync;

enum State {
    Open(Opened),
    /// Which file it was, and how long; nothing of what is decoded again.
    Closed(Option<(FileId, u64)>),
}

#[derive(Clone)]
enum Opened {
    File(Arc<File>),
    Decoded(Arc<Scratch>),
}

impl System {
    /// Opens a file to read from.
    pub(crate) fn open(&self, path: &Path) -> io::Result<Source> {
        Ok(self.adopt(path, self.open_source(path)?))
    }

    /// Reads from a file that is open.
    pub(crate) fn adopt(&self, path: &Path, file: File) -> Source {
        let source = Source(Arc::new(Slot {
            origin: Origin::File(path.to_path_buf()),
            state: Mutex::new(State::Open(Opened::File(Arc::new(file)))),
            system: self.clone(),
        }));
        self.handles().add(&source.0);
        source
    }

    /// Reads what `fill` writes into a file without a name: `len` bytes. It is called at the first read, and
    /// again if the file was closed since.
    pub(crate) fn decoded(
        &self,
        len: u64,
        fill: impl Fn(&mut Scratch) -> io::Result<()> + Send + Sync + 'static,
    ) -> Source {
        Source(Arc::new(Slot {
            origin: Origin::Decoded(len, Box::new(fill)),
            state: Mutex::new(State::Closed(None)),
            system: self.clone(),
        }))
    }
}

impl Source {
    /// Closes the file until it is read again. Not every system replaces an open file.
    pub(crate) fn close(&self) -> io::Result<()> {
        self.0.system.handles().remove(&self.0);
        self.0.close()
    }

    /// The file, open.
    fn opened(&self) -> io::Result<Opened> {
        let mut state = lock(&self.0.state);
        let last = match &*state {
            State::Open(opened) => return Ok(opened.clone()),
            State::Closed(last) => *last,
        };
        let opened = self.0.open(last).map_err(not_interrupted)?;
        *state = State::Open(opened.clone());
        drop(state);
        self.0.system.handles().add(&self.0);
        Ok(opened)
    }
}

impl Slot {
    /// Opens the file, if it is the one that it was.
    fn open(&self, last: Option<(FileId, u64)>) -> io::Result<Opened> {
        match &self.origin {
            Origin::File(path) => {
                let file = Arc::new(self.system.open_source(path)?);
                if last.is_some_and(|last| self.identify(&file).ok() != Some(last)) {
                    return Err(io::Error::other(Error::from(ErrorKind::AnotherPak)));
                }
                Ok(Opened::File(file))
            }
            Origin::Decoded(_, fill) => {
                let mut scratch = self.system.scratch().map_err(|error| {
                    let place = std::env::temp_dir();
                    let words = format!("cannot be kept in {}: {error}", place.display());
                    io::Error::new(error.kind(), words)
                })?;
                fill(&mut scratch)?;
                Ok(Opened::Decoded(Arc::new(scratch)))
            }
        }
    }

    fn identify(&self, file: &File) -> io::Result<(FileId, u64)> {
        Ok((self.system.identify_open(file)?, self.system.len(file)?))
    }

    /// Closes the file. It stays open if the system does not say which file it is.
    fn close(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        let last = match &*state {
            State::Open(Opened::File(file)) => Some(self.identify(file)?),
            State::Open(Opened::Decoded(_)) => None,
            State::Closed(_) => return Ok(()),
        };
        *state = State::Closed(last);
        Ok(())
    }
}

impl ReadAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self.opened()? {
            Opened::File(file) => self.0.system.read_at(&file, buffer, offset),
            Opened::Decoded(scratch) => scratch.read_at(buffer, offset),
        }
    }

    fn size(&self) -> io::Result<u64> {
        if let Origin::Decoded(len, _) = self.0.origin {
            return Ok(len);
        }
        match self.opened()? {
            Opened::File(file) => self.0.system.len(&file),
            Opened::Decoded(scratch) => scratch.size(),
        }
    }

    fn as_file(&self) -> Option<Arc<File>> {
        match self.opened().ok()? {
            Opened::File(file) => Some(file),
            Opened::Decoded(_) => None,
        }
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match &self.origin {
            Origin::File(path) => Some(path),
            Origin::Decoded(..) => None,
        };
        f.debug_struct("Slot")
            .field("path", &path)
            .finish_non_exhaustive()
    }
}

/// Readers that fill a buffer go on after an interruption. The system has tried often enough.
fn not_interrupted(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::Interrupted => {
            io::Error::other("opening the file is interrupted every time")
        }
        _ => error,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn is_open(source: &Source) -> bool {
        matches!(*lock(&source.0.state), State::Open(_))
    }

    #[test]
    fn the_oldest_file_is_closed_and_opened_again_by_the_next_read() {
        let dir = tempfile::tempdir().unwrap();
        let system = System::real();
        let mut sources = Vec::new();
        for number in 0..=OPEN_MAX {
            let path = dir.path().join(number.to_string());
            fs::write(&path, number.to_string()).unwrap();
            sources.push(system.open(&path).unwrap());
        }
        let open = || sources.iter().filter(|source| is_open(source)).count();
        assert_eq!((open(), is_open(&sources[0])), (OPEN_MAX, false));
        let mut byte = [0; 1];
        assert_eq!(sources[0].read_at(&mut byte, 0).unwrap(), 1);
        assert_eq!(byte, *b"0");
        assert_eq!((open(), is_open(&sources[1])), (OPEN_MAX, false));
    }

    #[test]
    fn a_file_that_grew_while_it_was_closed_is_another_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pak");
        fs::write(&path, b"PACK").unwrap();
        let source = System::real().open(&path).unwrap();
        source.close().unwrap();
        assert_eq!(source.read_at(&mut [0; 4], 0).unwrap(), 4);
        source.close().unwrap();
        fs::write(&path, b"PACK5").unwrap();
        let error = source.read_at(&mut [0; 4], 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            Error::from(ErrorKind::AnotherPak).to_string()
        );
    }
}
