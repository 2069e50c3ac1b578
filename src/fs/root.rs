//! A directory that output goes to.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cap_std::fs::Dir;

use super::calls::{Calls, Real, heal};
use super::draft::Draft;
use super::error::{CommitError, Doing};
use super::look::{Found, Kind};
use super::made::Made;
use super::parents::{Recent, Way, split};
use super::source::{Source, System};
use super::system;
use super::temporary::Temporary;

/// When new files are brought to the disk. Those that replace an old one always are, at once: the
/// old one was on it.
///
/// Measured on one machine, microseconds a small file: 46 for a plain write, 54 with a temporary
/// and a rename, 113 with one sync at the end, 309 with one for each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Sync {
    /// When the system sees fit.
    #[default]
    Off,
    /// Each of them, before it gets its name, and the name after it.
    Each,
    /// All at once, in [`Root::finish`]; each of them where the system has no call for that.
    AtEnd,
}

impl Sync {
    /// Each new file, or none: for few and large ones.
    pub(crate) const fn each(wanted: bool) -> Self {
        if wanted { Self::Each } else { Self::Off }
    }

    /// All of them at the end, or none: for many small ones.
    pub(crate) const fn at_end(wanted: bool) -> Self {
        if wanted { Self::AtEnd } else { Self::Off }
    }
}

/// A directory that output goes to. It need not exist: the first file makes it, so that a plan can
/// ask without leaving a trace.
#[derive(Debug)]
pub(crate) struct Root {
    /// As the user named it; empty for the current directory.
    path: PathBuf,
    /// Whether it is made when it is missing.
    make: bool,
    sync: Sync,
    calls: Arc<dyn Calls>,
    /// Open since it was first found or made: what the path leads to later does not matter.
    handle: OnceLock<Arc<Dir>>,
    recent: Recent,
    made: Made,
    /// What should have been removed and could not be.
    leftovers: Mutex<Vec<CommitError>>,
}

impl Root {
    /// The directory at a path, which is made with its parents when the first file needs it.
    pub(crate) fn new(path: impl Into<PathBuf>, sync: Sync) -> Self {
        let sync = match sync {
            Sync::AtEnd if !system::SYNCS_ALL => Sync::Each,
            sync => sync,
        };
        Self {
            path: path.into(),
            make: true,
            sync,
            calls: Arc::new(Real),
            handle: OnceLock::new(),
            recent: Recent::default(),
            made: Made::default(),
            leftovers: Mutex::default(),
        }
    }

    /// The directory of one file that the user named, which has to exist, and the file's name in
    /// it.
    pub(crate) fn of_file(file: &Path, sync: Sync) -> Result<(Self, PathBuf), CommitError> {
        // A path that ends in a separator means a directory, which `file_name` does not tell.
        let bytes = file.as_os_str().as_encoded_bytes();
        let named = bytes
            .last()
            .is_some_and(|&last| !std::path::is_separator(last.into()));
        let (Some(name), Some(parent), true) = (file.file_name(), file.parent(), named) else {
            let why =
                std::io::Error::new(ErrorKind::InvalidInput, "this is not the name of a file");
            return Err(CommitError::new(Doing::Naming, file, why));
        };
        let mut root = Self::new(parent, sync);
        root.make = false;
        Ok((root, name.into()))
    }

    /// The same with other system calls.
    pub(super) fn with_calls(mut self, calls: Arc<dyn Calls>) -> Self {
        self.calls = calls;
        self
    }

    /// What stands at a path below the root, before anything is written.
    pub(crate) fn look(&self, relative: &Path) -> Result<Found, CommitError> {
        let (parent, name) = split(relative)?;
        let parent = match self.walk(parent, false)? {
            Way::Through(dir) => dir,
            Way::Missing => return Ok(Found::Nothing),
            Way::Blocked { at, kind } => return Ok(Found::Blocked { at, kind }),
        };
        let failed = |error| CommitError::new(Doing::Looking, self.full(relative), error);
        let seen = match heal(|| self.calls.look(&parent, name)) {
            Ok(seen) => seen,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(failed(error)),
        };
        let id = match (seen.kind, seen.id) {
            // A link that leads nowhere, or where we may not look, leads to no source: those are
            // open.
            (Kind::Link, _) => heal(|| self.calls.identify(&self.full(relative))).ok(),
            (Kind::File, None) => {
                Some(heal(|| self.calls.identify(&self.full(relative))).map_err(failed)?)
            }
            (_, id) => id,
        };
        Ok(Found::Taken {
            kind: seen.kind,
            id,
            own: seen.id.or(id),
        })
    }

    /// Whether a directory below the root does not exist; then nothing does that would be in it.
    pub(crate) fn is_missing(&self, directory: &Path) -> Result<bool, CommitError> {
        Ok(matches!(self.walk(directory, false)?, Way::Missing))
    }

    /// The names in a directory below the root, as the file system spells them; none where it is
    /// missing.
    pub(crate) fn names(&self, directory: &Path) -> Result<Vec<OsString>, CommitError> {
        let Way::Through(dir) = self.walk(directory, false)? else {
            return Ok(Vec::new());
        };
        heal(|| self.calls.names(&dir))
            .map_err(|error| CommitError::new(Doing::Looking, self.full(directory), error))
    }

    /// Its path, as the user named it; empty for the current directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file below the root, or what a link there leads to, to be read.
    pub(crate) fn open(&self, relative: &Path) -> std::io::Result<Source> {
        System::new(Arc::clone(&self.calls)).open(&self.full(relative))
    }

    /// Begins a file at a path below the root, with the directories that it needs.
    pub(crate) fn draft(&self, relative: &Path) -> Result<Draft<'_>, CommitError> {
        let (parent, name) = split(relative)?;
        let parent = self.parent_for_writing(parent)?;
        let (temporary, file) = Temporary::create(self, parent, name, self.full(relative))?;
        Ok(Draft::new(file, temporary))
    }

    /// The last step, when every draft is done: removes the directories that were made for nothing,
    /// brings to the disk what waits for that, and tells what failed there and what could not be
    /// removed. Nothing in the list, nothing to tell.
    #[must_use = "this is where a failed sync and what was left behind are told"]
    pub(crate) fn finish(self) -> Vec<CommitError> {
        self.remove_made();
        let mut failed = self
            .leftovers
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if let (Sync::AtEnd, Some(dir)) = (self.sync, self.handle.get())
            && let Err(error) = heal(|| self.calls.sync_all(dir))
        {
            failed.push(CommitError::new(Doing::Syncing, shown(&self.path), error));
        }
        failed
    }

    pub(super) fn calls(&self) -> &dyn Calls {
        &*self.calls
    }

    pub(super) const fn sync(&self) -> Sync {
        self.sync
    }

    pub(super) const fn made(&self) -> &Made {
        &self.made
    }

    pub(super) const fn recent(&self) -> &Recent {
        &self.recent
    }

    /// The path as the user would write it.
    pub(super) fn full(&self, relative: &Path) -> PathBuf {
        self.path.join(relative)
    }

    /// A file has got its name, so the directories that lead to it stay.
    pub(super) fn holds(&self, full: &Path) {
        if let Ok(relative) = full.strip_prefix(&self.path) {
            self.made.hold(relative);
        }
    }

    pub(super) fn left_over(&self, error: CommitError) {
        self.leftovers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(error);
    }

    /// The root itself, open; with `make` it is made if it is missing.
    pub(super) fn handle(&self, make: bool) -> Result<Option<Arc<Dir>>, CommitError> {
        if let Some(dir) = self.handle.get() {
            return Ok(Some(Arc::clone(dir)));
        }
        let path = shown(&self.path);
        let mut opened = heal(|| self.calls.open_root(path));
        if let Err(error) = &opened
            && error.kind() == ErrorKind::NotFound
        {
            if !make {
                return Ok(None);
            }
            if self.make {
                self.make_all(path)?;
                opened = heal(|| self.calls.open_root(path));
            }
        }
        let opened = opened.map_err(|error| CommitError::new(Doing::Opening, path, error))?;
        // Another thread may have been faster; all take the same handle.
        Ok(Some(Arc::clone(
            self.handle.get_or_init(|| Arc::new(opened)),
        )))
    }

    fn make_all(&self, path: &Path) -> Result<(), CommitError> {
        let make = || heal(|| self.calls.make_root(path));
        let failed = |error| CommitError::new(Doing::Making, path, error);
        let mut made = make();
        if let (Err(error), Some(parent)) = (&made, path.parent())
            && error.kind() == ErrorKind::NotFound
        {
            self.make_all(shown(parent))?;
            made = make();
        }
        match made {
            // What it is shows when it is opened.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
            made => made.map_err(failed)?,
        }
        self.made.above(path);
        if self.sync == Sync::Each {
            let parent = shown(path.parent().unwrap_or(path));
            heal(|| {
                let parent = self.calls.open_root(parent)?;
                self.calls.sync_dir(&parent)
            })
            .map_err(|error| CommitError::new(Doing::Syncing, parent, error))?;
        }
        Ok(())
    }
}

/// The current directory has an empty path here, and a dot where the system is asked.
pub(super) fn shown(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}
