//! The system that an operation works on.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(all(test, unix))]
use std::sync::Arc;

use super::error::CommitError;
use super::gate::Gate;
#[cfg(all(test, unix))]
use super::gate::Interference;
use super::root::Root;
use super::source::Source;
use super::status::FileId;
use super::sync::Sync;

/// The system that an operation works on. There is one; tests interfere with it.
#[derive(Debug, Clone)]
pub(crate) struct System {
    gate: Gate,
}

impl System {
    /// The one there is.
    pub(crate) fn real() -> Self {
        let gate = Gate::default();
        Self { gate }
    }

    /// The system with something that interferes with its calls.
    #[cfg(all(test, unix))]
    pub(crate) fn new(interference: Arc<dyn Interference>) -> Self {
        let gate = Gate::with(interference);
        Self { gate }
    }

    /// See [`Root::new`].
    pub(crate) fn root(&self, path: impl Into<PathBuf>, sync: Sync) -> Root {
        Root::new(path, sync, self.gate.clone())
    }

    /// See [`Root::of_file`].
    pub(crate) fn root_of_file(
        &self,
        file: &Path,
        sync: Sync,
    ) -> Result<(Root, PathBuf), CommitError> {
        Root::of_file_with_gate(file, sync, self.gate.clone())
    }

    /// Opens a file to read from.
    pub(crate) fn open(&self, path: &Path) -> io::Result<Source> {
        Ok(self.adopt(path, self.gate.open_source(path)?))
    }

    /// Reads from a file that is open.
    pub(crate) fn adopt(&self, path: &Path, file: File) -> Source {
        Source::new(path, file, self.gate.clone())
    }

    /// Which file stands at a path, links followed.
    pub(crate) fn identify(&self, path: &Path) -> io::Result<FileId> {
        self.gate.identify(path)
    }
}
