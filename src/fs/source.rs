//! The system as an operation is given it, and the files that it reads from.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::calls::{Calls, Real, heal};
use super::error::CommitError;
use super::look::FileId;
use super::root::{Root, Sync};
use crate::pak::ReadAt;

/// The system that an operation works on. There is one; the tests put others before it.
#[derive(Debug, Clone)]
pub(crate) struct System(Arc<dyn Calls>);

impl System {
    /// The one there is.
    pub(crate) fn real() -> Self {
        Self(Arc::new(Real))
    }

    /// One with these calls.
    pub(crate) fn new(calls: Arc<dyn Calls>) -> Self {
        Self(calls)
    }

    /// See [`Root::new`].
    pub(crate) fn root(&self, path: impl Into<PathBuf>, sync: Sync) -> Root {
        Root::new(path, sync).with_calls(Arc::clone(&self.0))
    }

    /// See [`Root::of_file`].
    pub(crate) fn root_of_file(
        &self,
        file: &Path,
        sync: Sync,
    ) -> Result<(Root, PathBuf), CommitError> {
        let (root, name) = Root::of_file(file, sync)?;
        Ok((root.with_calls(Arc::clone(&self.0)), name))
    }

    /// Opens a file to read from.
    pub(crate) fn open(&self, path: &Path) -> io::Result<Source> {
        let file = heal(|| self.0.open_source(path))?;
        Ok(self.adopt(file))
    }

    /// Reads from a file that is open.
    pub(crate) fn adopt(&self, file: File) -> Source {
        let calls = Arc::clone(&self.0);
        Source { file, calls }
    }

    /// Which file it is that a path leads to, links followed.
    pub(crate) fn identify(&self, path: &Path) -> io::Result<FileId> {
        heal(|| self.0.identify(path))
    }
}

/// A file to read from.
#[derive(Debug)]
pub(crate) struct Source {
    file: File,
    calls: Arc<dyn Calls>,
}

impl Source {
    /// Which file it is.
    pub(crate) fn identify(&self) -> io::Result<FileId> {
        heal(|| self.calls.identify_open(&self.file))
    }
}

impl ReadAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match heal(|| self.calls.read_at(&self.file, buffer, offset)) {
            // Whoever reads to the end of a buffer goes on after an interruption, for ever.
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                Err(io::Error::other("every read is interrupted"))
            }
            read => read,
        }
    }

    fn size(&self) -> io::Result<u64> {
        heal(|| self.calls.len(&self.file))
    }

    fn as_file(&self) -> Option<&File> {
        Some(&self.file)
    }
}
