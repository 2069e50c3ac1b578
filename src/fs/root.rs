//! The directories of the output, below one root. Each is opened below its parent, without following
//! links. Missing ones are made, and removed again if they get no file.
//!
//! The entries of an archive are grouped by folder. So 20,000 files need few directories, and a handful
//! of open ones is enough.
//!
//! A failed run leaves no directories behind: [`Root::finish`] removes the directories that this run made
//! and that are empty. A directory that existed before stays, empty or not. The call that is used removes
//! only empty directories, so files that somebody else has put there stay. Another run that is about to write its first file there may find its
//! directory gone, and reports that.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cap_std::fs::Dir;

use super::error::{CommitError, FileAction};
use super::status::{FileKind, Occupant};
use super::system::{System, lock};
use crate::archive::{PathError, RawName, SafePath};

/// How many directories stay open: some for every thread, and few against the limit on open files,
/// which is 256 by default on one system.
const OPEN_MAX: usize = 8;

/// A directory that output goes to, and those below it. It need not exist: the first file makes it, so that
/// a plan can ask without leaving a trace.
#[derive(Debug)]
pub(crate) struct Root {
    /// The root's path, as the user named it; empty for the current directory.
    pub(super) path: PathBuf,
    pub(super) system: System,
    /// Open since it was first found or made: what the path leads to later does not matter.
    directory: OnceLock<Arc<Dir>>,
    /// The directories that were used last, by their paths from the root, the latest first.
    recent: Mutex<Vec<(PathBuf, Arc<Dir>)>>,
    new: Mutex<NewDirectories>,
    /// What should have been removed and could not be.
    leftovers: Mutex<Vec<CommitError>>,
    /// Whether files can be without a name here, as far as is known.
    pub(super) has_unnamed: AtomicBool,
    /// How many whole files without a name are open.
    pub(super) unnamed: AtomicUsize,
}

/// The directories that were made and hold no file yet.
#[derive(Debug, Default)]
struct NewDirectories {
    /// The root and those above it, as paths that the user would write, in the order they were
    /// made.
    above: Vec<PathBuf>,
    /// Relative to the root.
    below: HashSet<PathBuf>,
}

/// Where a walk along a path of directories ended.
pub(super) enum WalkEnd {
    /// At its last directory.
    Arrived(Arc<Dir>),
    /// Where a directory is missing.
    Missing,
    /// At something that is no directory.
    Blocked { at: PathBuf, kind: FileKind },
}

/// The directory and the name of a file, if the path is one that leads to a file below a root.
///
/// Names are judged long before they come here, by stricter rules. This is the last door.
pub(super) fn split(relative: &Path) -> Result<(&Path, &OsStr), CommitError> {
    let refused = |why| {
        let cause = io::Error::new(ErrorKind::InvalidInput, why);
        CommitError::new(FileAction::Naming, relative, cause)
    };
    if !relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return Err(refused("the path does not stay below its directory"));
    }
    relative
        .file_name()
        .map(|name| (relative.parent().unwrap_or(Path::new("")), name))
        .ok_or_else(|| refused("the path is empty"))
}

impl System {
    /// The directory at a path, which is made with its parents when the first file needs it.
    pub(crate) fn root(&self, path: impl Into<PathBuf>) -> Root {
        Root::new(path.into(), self.clone())
    }

    /// The directory of one file that the user named, made like any other, and the file's name in it.
    pub(crate) fn root_of_file(&self, file: &Path) -> Result<(Root, PathBuf), CommitError> {
        // A path that ends in a separator means a directory, which `file_name` does not tell.
        let bytes = file.as_os_str().as_encoded_bytes();
        let named = bytes
            .last()
            .is_some_and(|&last| !std::path::is_separator(last.into()));
        let (Some(name), Some(parent), true) = (file.file_name(), file.parent(), named) else {
            let why = io::Error::new(ErrorKind::InvalidInput, "this is not the name of a file");
            return Err(CommitError::new(FileAction::Naming, file, why));
        };
        let name_error = name_taken_otherwise(name.as_encoded_bytes()).filter(|_| cfg!(windows));
        if let Some(why) = name_error {
            let why = io::Error::new(ErrorKind::InvalidFilename, why);
            return Err(CommitError::new(FileAction::Naming, file, why));
        }
        Ok((self.root(parent), name.into()))
    }
}

/// Why Windows takes the name of a file for something else: a device, a stream of another file, another
/// name.
fn name_taken_otherwise(name: &[u8]) -> Option<PathError> {
    SafePath::try_from(RawName::new(name)).err()
}

impl Root {
    pub(super) fn new(path: PathBuf, system: System) -> Self {
        Self {
            path,
            system,
            directory: OnceLock::new(),
            recent: Mutex::default(),
            new: Mutex::default(),
            leftovers: Mutex::default(),
            has_unnamed: AtomicBool::new(true),
            unnamed: AtomicUsize::new(0),
        }
    }

    /// The path as the user would write it.
    pub(super) fn full(&self, relative: &Path) -> PathBuf {
        self.path.join(relative)
    }

    /// The status of a path below the root, before anything is written.
    pub(crate) fn look(&self, relative: &Path) -> Result<Occupant, CommitError> {
        let (parent, name) = split(relative)?;
        let parent = match self.walk(parent)? {
            WalkEnd::Arrived(dir) => dir,
            WalkEnd::Missing => return Ok(Occupant::Nothing),
            WalkEnd::Blocked { at, kind } => return Ok(Occupant::Blocked { at, kind }),
        };
        let (system, full) = (&self.system, self.full(relative));
        let status = match system.status(&parent, name) {
            Ok(status) => status,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Occupant::Nothing),
            Err(error) => return Err(CommitError::new(FileAction::Looking, full, error)),
        };
        let id = match (status.kind, status.id) {
            // A link that leads nowhere, or where we may not look, leads to no source: those are
            // open.
            (FileKind::Link, _) => system.identify(&full).ok(),
            (FileKind::File, None) => {
                let id = system.identify(&full);
                Some(id.map_err(|error| CommitError::new(FileAction::Looking, full, error))?)
            }
            (_, id) => id,
        };
        Ok(Occupant::Taken {
            kind: status.kind,
            id,
        })
    }

    /// Whether a directory below the root does not exist; then nothing does that would be in it.
    pub(crate) fn is_missing(&self, directory: &Path) -> Result<bool, CommitError> {
        let end = self.walk(directory)?;
        Ok(matches!(end, WalkEnd::Missing))
    }

    /// Its path, as the user named it; empty for the current directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Follows a path of directories, and makes none.
    pub(super) fn walk(&self, path: &Path) -> Result<WalkEnd, CommitError> {
        self.walk_or_make(path, false)
    }

    /// The directory for a file that is about to be written, made if it is missing.
    pub(super) fn parent_for_writing(&self, path: &Path) -> Result<Arc<Dir>, CommitError> {
        let (at, why) = match self.walk_or_make(path, true)? {
            WalkEnd::Arrived(dir) => return Ok(dir),
            WalkEnd::Missing => (path.to_path_buf(), "the directory has just been removed"),
            WalkEnd::Blocked {
                at,
                kind: FileKind::Link,
            } => (
                at,
                "this is a symbolic link, and none is followed below the destination",
            ),
            WalkEnd::Blocked { at, .. } => (at, "this is a file, not a directory"),
        };
        let cause = io::Error::new(ErrorKind::NotADirectory, why);
        Err(CommitError::new(FileAction::Opening, self.full(&at), cause))
    }

    /// A file has got its name, so the directories that lead to it stay.
    pub(super) fn hold(&self, file: &Path) {
        if let Ok(relative) = file.strip_prefix(&self.path) {
            let mut new = lock(&self.new);
            new.above.clear();
            let mut dirs = relative.ancestors().skip(1);
            // Where one holds a file already, or was there before, so it is with those above it.
            while dirs.next().is_some_and(|dir| new.below.remove(dir)) {}
        }
    }

    /// Removes the hidden name of a file, or remembers that it could not be removed.
    pub(super) fn remove_temporary(&self, parent: &Dir, name: &OsStr, path: &Path) {
        match self.system.remove(parent, name) {
            Ok(()) => {}
            // It may have been done in spite of an error before.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => self.add_leftover(CommitError::new(FileAction::Removing, path, error)),
        }
    }

    /// Remembers something that should have been removed and could not be.
    pub(super) fn add_leftover(&self, error: CommitError) {
        lock(&self.leftovers).push(error);
    }

    /// The last step, when every draft is done: removes the directories that were made and hold no
    /// file, and returns what could not be removed.
    #[must_use = "what was left behind is only reported here"]
    pub(crate) fn finish(mut self) -> Vec<CommitError> {
        self.remove_unused();
        self.leftovers
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn walk_or_make(&self, path: &Path, make: bool) -> Result<WalkEnd, CommitError> {
        let Some(mut dir) = self.open_root(make)? else {
            return Ok(WalkEnd::Missing);
        };
        if path.as_os_str().is_empty() {
            return Ok(WalkEnd::Arrived(dir));
        }
        if let Some(dir) = self.recall(path) {
            return Ok(WalkEnd::Arrived(dir));
        }
        let mut at = PathBuf::new();
        for name in path {
            at.push(name);
            let mut opened = self.system.open_dir(&dir, name);
            if make && is(&opened, ErrorKind::NotFound) {
                self.make(&dir, name, &at)?;
                opened = self.system.open_dir(&dir, name);
            }
            dir = match opened {
                Ok(next) => Arc::new(next),
                Err(error) if !make && error.kind() == ErrorKind::NotFound => {
                    return Ok(WalkEnd::Missing);
                }
                // Systems report different errors for a link or a file in the place of a directory, so its
                // status decides.
                Err(error) => match self.system.status(&dir, name) {
                    Ok(status) if status.kind != FileKind::Directory => {
                        let kind = status.kind;
                        return Ok(WalkEnd::Blocked { at, kind });
                    }
                    _ => return Err(CommitError::new(FileAction::Opening, self.full(&at), error)),
                },
            };
        }
        self.keep_open(path, &dir);
        Ok(WalkEnd::Arrived(dir))
    }

    fn recall(&self, path: &Path) -> Option<Arc<Dir>> {
        let mut recent = lock(&self.recent);
        let place = recent
            .iter()
            .position(|(kept, _)| kept.as_os_str() == path.as_os_str())?;
        recent.get_mut(..=place)?.rotate_right(1);
        recent.first().map(|(_, dir)| Arc::clone(dir))
    }

    fn keep_open(&self, path: &Path, dir: &Arc<Dir>) {
        let mut recent = lock(&self.recent);
        recent.truncate(OPEN_MAX - 1);
        recent.insert(0, (path.to_path_buf(), Arc::clone(dir)));
    }

    fn make(&self, parent: &Dir, name: &OsStr, at: &Path) -> Result<(), CommitError> {
        let made = self.system.make_dir(parent, name);
        // Another thread may have been faster.
        if is(&made, ErrorKind::AlreadyExists) {
            return Ok(());
        }
        made.map_err(|error| CommitError::new(FileAction::Making, self.full(at), error))?;
        lock(&self.new).below.insert(at.to_path_buf());
        Ok(())
    }

    /// The root itself, open; with `make` it is made if it is missing.
    fn open_root(&self, make: bool) -> Result<Option<Arc<Dir>>, CommitError> {
        if let Some(dir) = self.directory.get() {
            return Ok(Some(Arc::clone(dir)));
        }
        let path = shown(&self.path);
        let mut opened = self.system.open_root(path);
        if is(&opened, ErrorKind::NotFound) {
            if !make {
                return Ok(None);
            }
            self.make_root(path)?;
            opened = self.system.open_root(path);
        }
        let opened = opened.map_err(|error| CommitError::new(FileAction::Opening, path, error))?;
        // Another thread may have been faster; all take the same handle.
        Ok(Some(Arc::clone(
            self.directory.get_or_init(|| Arc::new(opened)),
        )))
    }

    /// Makes the root, or one above it, with those above it.
    fn make_root(&self, path: &Path) -> Result<(), CommitError> {
        let mut made = self.system.make_root(path);
        if let Some(parent) = path.parent()
            && is(&made, ErrorKind::NotFound)
        {
            self.make_root(shown(parent))?;
            made = self.system.make_root(path);
        }
        // What it is shows when it is opened.
        if is(&made, ErrorKind::AlreadyExists) {
            return Ok(());
        }
        made.map_err(|error| CommitError::new(FileAction::Making, path, error))?;
        lock(&self.new).above.push(path.to_path_buf());
        Ok(())
    }

    /// Removes the directories that were made and hold no file, the innermost first. None of them stays
    /// open: not every system removes one that is.
    fn remove_unused(&mut self) {
        let NewDirectories { above, below } = core::mem::take(&mut *lock(&self.new));
        let mut below: Vec<PathBuf> = below.into_iter().collect();
        below.sort_unstable();
        lock(&self.recent).clear();
        for relative in below.iter().rev() {
            let removed = split(relative).and_then(|(parent, name)| {
                // This run did not create what blocks the path now.
                let WalkEnd::Arrived(parent) = self.walk(parent)? else {
                    return Ok(());
                };
                let removed = self.system.remove_dir(&parent, name);
                removed_or_used(&self.full(relative), removed)
            });
            removed.unwrap_or_else(|error| self.add_leftover(error));
            lock(&self.recent).clear();
        }
        if !above.is_empty() {
            self.directory.take();
        }
        for path in above.iter().rev() {
            removed_or_used(shown(path), self.system.remove_root(path))
                .unwrap_or_else(|error| self.add_leftover(error));
        }
    }
}

/// That somebody else uses a directory, or has removed it, is as well.
fn removed_or_used(path: &Path, removed: io::Result<()>) -> Result<(), CommitError> {
    removed.or_else(|error| match error.kind() {
        ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory | ErrorKind::NotFound => Ok(()),
        // What POSIX lets a system say of a directory that is not empty.
        ErrorKind::AlreadyExists | ErrorKind::ResourceBusy => Ok(()),
        _ => Err(CommitError::new(FileAction::Clearing, path, error)),
    })
}

/// The current directory has an empty path here, and a dot where the system is asked.
fn shown(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

fn is<T>(result: &io::Result<T>, kind: ErrorKind) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == kind)
}
