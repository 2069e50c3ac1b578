//! The files that an operation reads from. Only a bounded number of them is open at once.
//!
//! There can be more archives than a process may have open files. So a file is closed if too many others were
//! opened after it, and its next read opens it again.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::{fmt, io};

use super::platform;
use super::scratch::Scratch;
use super::status::Identity;
use super::system::{System, lock, not_interrupted};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Archive, LooseFile, ReadAt};

/// A file to read from. It may be closed at any time and is opened again by the next read, which fails if
/// another file has taken its place.
#[derive(Clone, Debug)]
pub(crate) struct Source(Arc<Slot>);

/// What a source is, and whether it is open.
///
/// A slot in the queue of [`Handles`](super::system::Handles) is open, so closing it waits for no other lock.
pub(super) struct Slot {
    origin: SourceOrigin,
    /// Which file it is, once the system was asked.
    identity: OnceLock<Identity>,
    /// The open file, and the scratch file that it belongs to if its content was decoded.
    open: Mutex<Option<(Arc<File>, Option<Scratch>)>>,
    system: System,
}

/// Where the bytes of a source come from.
enum SourceOrigin {
    File(PathBuf),
    /// This function writes that many bytes into a file without a name.
    Decoded(u64, Box<Fill>),
}

type Fill = dyn Fn(&mut Scratch) -> io::Result<()> + Send + Sync;

impl System {
    /// Opens a file to read from.
    pub(crate) fn open(&self, path: &Path) -> io::Result<Source> {
        Ok(self.adopt(path, self.open_source(path)?))
    }

    /// Opens a regular file to read from. Other files are refused, because a read from a pipe without a writer would
    /// wait for ever. The open file is checked again, because another file may have taken its place.
    pub(crate) fn open_regular(&self, path: &Path) -> io::Result<Source> {
        if std::fs::metadata(path)?.is_file() {
            let file = self.open(path)?;
            if file.is_regular()? {
                return Ok(file);
            }
        }
        Err(Error::from(ErrorKind::NotAFile).into())
    }

    /// Makes a source of a file that is already open.
    pub(crate) fn adopt(&self, path: &Path, file: File) -> Source {
        let source = Source(Arc::new(Slot {
            origin: SourceOrigin::File(path.to_path_buf()),
            identity: OnceLock::new(),
            open: Mutex::new(Some((Arc::new(file), None))),
            system: self.clone(),
        }));
        self.handles().add(&source.0);
        source
    }

    /// Makes a source of the `len` bytes that `fill` writes into a file without a name. `fill` is called at the first
    /// read, and again if the file was closed since.
    pub(crate) fn decoded(
        &self,
        len: u64,
        fill: impl Fn(&mut Scratch) -> io::Result<()> + Send + Sync + 'static,
    ) -> Source {
        Source(Arc::new(Slot {
            origin: SourceOrigin::Decoded(len, Box::new(fill)),
            identity: OnceLock::new(),
            open: Mutex::new(None),
            system: self.clone(),
        }))
    }
}

impl Source {
    /// Closes the file until the next read. Not every system can replace an open file.
    pub(crate) fn close(&self) -> io::Result<()> {
        self.0.system.handles().remove(&self.0);
        self.0.close()
    }

    /// Locks the file for a run that is about to replace it, so that of several runs only one does. Fails if another
    /// file has taken its place, or another run is about to replace it.
    ///
    /// The lock lasts until the returned file is dropped. `None` on a system without locks: there the file must be
    /// closed, because not every system replaces an open file.
    pub(crate) fn lock(&self) -> io::Result<Option<Arc<File>>> {
        let file = self.opened()?;
        let is_locked = match self.0.system.lock_file(&file) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(replaced()),
            Err(_) => false,
        };
        // A closed source opens its file again, and fails if another run has replaced it.
        self.close()?;
        self.opened()?;
        self.close()?;
        Ok(is_locked.then_some(file))
    }

    /// Whether it is a regular file.
    pub(crate) fn is_regular(&self) -> io::Result<bool> {
        Ok(self.0.identify(&*self.opened()?)?.is_regular)
    }

    /// Opens the file if it is closed.
    fn opened(&self) -> io::Result<Arc<File>> {
        let mut open = lock(&self.0.open);
        if let Some((file, _)) = &*open {
            return Ok(Arc::clone(file));
        }
        let (file, scratch) = self.0.open().map_err(not_interrupted)?;
        *open = Some((Arc::clone(&file), scratch));
        drop(open);
        self.0.system.handles().add(&self.0);
        Ok(file)
    }
}

impl Slot {
    /// Opens the file. Fails if another one was identified before.
    fn open(&self) -> io::Result<(Arc<File>, Option<Scratch>)> {
        match &self.origin {
            SourceOrigin::File(path) => {
                let file = Arc::new(self.system.open_source(path)?);
                let last = self.identity.get();
                if last.is_some_and(|last| self.system.identify_open(&file).ok() != Some(*last)) {
                    return Err(replaced());
                }
                Ok((file, None))
            }
            SourceOrigin::Decoded(_, fill) => {
                let mut scratch = self.system.scratch().map_err(|error| {
                    let place = platform::temporary_directory();
                    let words = format!("cannot be kept in {}: {error}", place.display());
                    io::Error::new(error.kind(), words)
                })?;
                fill(&mut scratch)?;
                Ok((Arc::clone(&scratch.file), Some(scratch)))
            }
        }
    }

    /// Which file the open one is.
    fn identify(&self, file: &File) -> io::Result<Identity> {
        if let Some(identity) = self.identity.get() {
            return Ok(*identity);
        }
        let identity = self.system.identify_open(file)?;
        Ok(*self.identity.get_or_init(|| identity))
    }

    /// Closes the file. It stays open if the system does not say which file it is.
    pub(super) fn close(&self) -> io::Result<()> {
        let mut open = lock(&self.open);
        if let Some((file, None)) = &*open {
            self.identify(file)?;
        }
        *open = None;
        Ok(())
    }
}

impl ReadAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.system.read_at(&*self.opened()?, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        match self.0.origin {
            SourceOrigin::File(_) => {
                // The next read opens a closed file again, and fails if it has another length.
                if lock(&self.0.open).is_none()
                    && let Some(identity) = self.0.identity.get()
                {
                    return Ok(identity.len);
                }
                self.0.system.len(&*self.opened()?)
            }
            SourceOrigin::Decoded(len, _) => Ok(len),
        }
    }

    fn as_file(&self) -> Option<Arc<File>> {
        self.opened().ok()
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").finish_non_exhaustive()
    }
}

/// The error that another file has taken a file's place.
fn replaced() -> io::Error {
    io::Error::other(Error::from(ErrorKind::Replaced))
}

/// Whether a path means standard input, or standard output where an output is named. A file named `-` can be given as `./-`.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// An absolute path without links in it. The file must exist.
pub(crate) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    platform::canonicalize(path)
}

/// An archive of loose files, in this order.
pub(crate) fn archive_of(
    system: &System,
    directory: &Path,
    files: Vec<LooseFile>,
) -> Result<Archive, Error> {
    let system = system.clone();
    let open = move |_: &[u8], path: &Path| Ok(Arc::new(system.open_regular(path)?) as _);
    Archive::of_files(directory, files, Box::new(open))
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;
    use std::{fs, thread};

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;
    use crate::fs::system::open_max;

    /// Nobody writes into the pipe, so opening it like a file would wait for ever.
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
        assert_eq!(error, Error::from(ErrorKind::Replaced).to_string());
    }

    fn is_open(source: &Source) -> bool {
        lock(&source.0.open).is_some()
    }

    #[test]
    fn the_oldest_file_is_closed_and_reopened() {
        let dir = tempfile::tempdir().unwrap();
        let system = System::real();
        let mut sources = Vec::new();
        for number in 0..=open_max() {
            let path = dir.path().join(number.to_string());
            fs::write(&path, number.to_string()).unwrap();
            sources.push(system.open(&path).unwrap());
        }
        let open = || sources.iter().filter(|source| is_open(source)).count();
        assert_eq!((open(), is_open(&sources[0])), (open_max(), false));
        let mut byte = [0; 1];
        assert_eq!(sources[0].read_at(&mut byte, 0).unwrap(), 1);
        assert_eq!(byte, *b"0");
        assert_eq!((open(), is_open(&sources[1])), (open_max(), false));
    }

    #[test]
    fn a_file_grown_while_closed_is_another_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pak");
        fs::write(&path, b"PACK").unwrap();
        let source = System::real().open(&path).unwrap();
        source.close().unwrap();
        assert_eq!(source.read_at(&mut [0; 4], 0).unwrap(), 4);
        source.close().unwrap();
        fs::write(&path, b"PACK5").unwrap();
        let error = source.read_at(&mut [0; 4], 0).unwrap_err();
        assert_eq!(error.to_string(), Error::from(ErrorKind::Replaced).to_string());
    }
}
