//! The directory that output goes to, and the directories below it.
//!
//! Each directory is opened below its parent, without following links. Missing directories are made. The entries of
//! an archive are grouped by folder, so 20,000 files need few directories, and a few open ones are enough.
//!
//! A failed run leaves no directories behind: [`Root::finish`] removes the directories that this run made and that
//! are empty. A directory that existed before stays, empty or not. The system call removes only empty directories, so
//! files that other programs have put there stay. Another run that is about to write its first file may find that its
//! directory is gone, and reports that.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::error::{CommitError, FileAction};
use super::platform::Dir;
use super::status::{FileKind, Occupant};
use super::system::{System, lock};
use crate::archive::{RawName, SafePath};

/// How many directories stay open: enough for all threads, and few compared to the limit on open files, which is 256
/// by default on one system.
const OPEN_MAX: usize = 8;

/// A directory that output goes to. It need not exist: it is made for the first file, so a plan that only looks
/// leaves no trace.
#[derive(Debug)]
pub(crate) struct Root {
    /// Its path, as the user named it. Empty for the current directory.
    pub(crate) path: PathBuf,
    pub(crate) system: System,
    /// Its handle, opened once. If the path leads elsewhere later, that does not matter.
    directory: OnceLock<Arc<Dir>>,
    /// The directories that were used last, with their paths below the root, the latest first. `None` if one is missing:
    /// then its files are missing, too, and are not looked for one by one. Writing a file there creates it.
    recent: Mutex<Vec<(PathBuf, Option<Arc<Dir>>)>>,
    new: Mutex<NewDirectories>,
    /// Errors about files and directories that could not be removed.
    leftovers: Mutex<Vec<CommitError>>,
    /// Whether the file system can have files without names. True until a call fails.
    pub(super) has_unnamed: AtomicBool,
    /// How many complete files without a name are open.
    pub(super) unnamed: AtomicUsize,
}

/// The directories that this run made and that have no file yet.
#[derive(Debug, Default)]
struct NewDirectories {
    /// The root and directories above it, as the user would write their paths, in the order in which they were made.
    above: Vec<PathBuf>,
    /// Relative to the root.
    below: HashSet<PathBuf>,
}

/// How a walk along a path of directories ended.
enum WalkEnd {
    /// The last directory was reached.
    Arrived(Arc<Dir>),
    /// A directory is missing.
    Missing,
    /// Something other than a directory is in the way.
    Blocked { at: PathBuf, kind: FileKind },
}

/// Splits the path of a file below a root into its directory and its name.
///
/// Names are checked by stricter rules long before. This is the last check.
pub(super) fn split(relative: &Path) -> Result<(&Path, &OsStr), CommitError> {
    let refused = |why| {
        let cause = io::Error::new(ErrorKind::InvalidInput, why);
        CommitError::new(FileAction::NAMING, relative, cause)
    };
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(refused("the path does not stay below its directory"));
    }
    relative
        .file_name()
        .map(|name| (relative.parent().unwrap_or(Path::new("")), name))
        .ok_or_else(|| refused("the path is empty"))
}

impl System {
    /// The root at a path. It is made, with its parents, when the first file needs it.
    pub(crate) fn root(&self, path: impl Into<PathBuf>) -> Root {
        Root {
            path: path.into(),
            system: self.clone(),
            directory: OnceLock::new(),
            recent: Mutex::default(),
            new: Mutex::default(),
            leftovers: Mutex::default(),
            has_unnamed: AtomicBool::new(true),
            unnamed: AtomicUsize::new(0),
        }
    }

    /// The root for one file that the user named, and the file's name in it.
    pub(crate) fn root_of_file(&self, file: &Path) -> Result<(Root, PathBuf), CommitError> {
        // A path that ends in a separator means a directory. `file_name` ignores the separator.
        let bytes = file.as_os_str().as_encoded_bytes();
        let named = bytes.last().is_some_and(|&last| !std::path::is_separator(last.into()));
        let (Some(name), Some(parent), true) = (file.file_name(), file.parent(), named) else {
            let why = io::Error::new(ErrorKind::InvalidInput, "it is not the name of a file");
            return Err(CommitError::new(FileAction::NAMING, file, why));
        };
        // Windows would take such a name for a device, a stream of another file, or another name.
        if cfg!(windows)
            && let Err(why) = SafePath::try_from(RawName::new(name.as_encoded_bytes()))
        {
            let why = io::Error::new(ErrorKind::InvalidFilename, why);
            return Err(CommitError::new(FileAction::NAMING, file, why));
        }
        Ok((self.root(parent), name.into()))
    }
}

impl Root {
    /// The path of a file below the root, as the user would write it.
    pub(super) fn full(&self, relative: &Path) -> PathBuf {
        self.path.join(relative)
    }

    /// What exists at a path below the root. Called before anything is written.
    pub(crate) fn look(&self, relative: &Path) -> Result<Occupant, CommitError> {
        let (parent, name) = split(relative)?;
        let parent = match self.walk(parent, false)? {
            WalkEnd::Arrived(dir) => dir,
            WalkEnd::Missing => return Ok(Occupant::Nothing),
            WalkEnd::Blocked { at, kind } => return Ok(Occupant::Blocked { at, kind }),
        };
        let (system, full) = (&self.system, self.full(relative));
        let status = match system.status(&parent, name) {
            Ok(status) => status,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Occupant::Nothing),
            Err(error) => return Err(CommitError::new(FileAction::LOOKING, full, error)),
        };
        let id = match (status.kind, status.id) {
            // A link that is broken, or that leads to a directory without permission, leads to no source: sources
            // were opened.
            (FileKind::Link, _) => system.identify(&full).ok(),
            (FileKind::File, None) => {
                let id = system.identify(&full);
                Some(id.map_err(|error| CommitError::new(FileAction::LOOKING, full, error))?)
            }
            (_, id) => id,
        };
        Ok(Occupant::Taken { kind: status.kind, id })
    }

    /// The directory for a file that is about to be written, made if it is missing.
    pub(super) fn parent_for_writing(&self, path: &Path) -> Result<Arc<Dir>, CommitError> {
        let (at, why) = match self.walk(path, true)? {
            WalkEnd::Arrived(dir) => return Ok(dir),
            WalkEnd::Missing => (path.to_path_buf(), "the directory has just been removed"),
            WalkEnd::Blocked { at, kind: FileKind::Link } => {
                (at, "this is a symbolic link, and none is followed below the destination")
            }
            WalkEnd::Blocked { at, .. } => (at, "this is a file, not a directory"),
        };
        let cause = io::Error::new(ErrorKind::NotADirectory, why);
        Err(CommitError::new(FileAction::OPENING, self.full(&at), cause))
    }

    /// Keeps the directories of a file that has its name now.
    pub(super) fn hold(&self, relative: &Path) {
        let mut new = lock(&self.new);
        new.above.clear();
        let mut dirs = relative.ancestors().skip(1);
        // If a directory has a file already, or existed before, then so do the directories above it.
        while dirs.next().is_some_and(|dir| new.below.remove(dir)) {}
    }

    /// Removes the hidden name of a file. If that fails, [`finish`](Self::finish) reports it.
    pub(super) fn remove_temporary(&self, parent: &Dir, name: &OsStr, path: &Path) {
        match self.system.remove(parent, name) {
            Ok(()) => {}
            // An earlier call may have removed it in spite of an error.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => self.add_leftover(CommitError::new(FileAction::REMOVING, path, error)),
        }
    }

    /// Remembers an error about a file that could not be removed, for [`finish`](Self::finish).
    pub(super) fn add_leftover(&self, error: CommitError) {
        lock(&self.leftovers).push(error);
    }

    /// The last step, after all drafts: removes the directories that were made and have no file, the innermost first.
    /// Closes them before, because not every system removes an open directory. Returns the errors about files and
    /// directories that could not be removed.
    #[must_use = "these errors are only reported here"]
    pub(crate) fn finish(mut self) -> Vec<CommitError> {
        let NewDirectories { above, below } = core::mem::take(&mut *lock(&self.new));
        let mut below: Vec<PathBuf> = below.into_iter().collect();
        below.sort_unstable();
        lock(&self.recent).clear();
        for relative in below.iter().rev() {
            let removed = split(relative).and_then(|(parent, name)| {
                // Another program has moved or replaced the parent since.
                let WalkEnd::Arrived(parent) = self.walk(parent, false)? else {
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
        self.leftovers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows a path of directories below the root. With `make`, makes the missing ones, and the root.
    fn walk(&self, path: &Path, make: bool) -> Result<WalkEnd, CommitError> {
        match self.recall(path) {
            Some(Some(dir)) => return Ok(WalkEnd::Arrived(dir)),
            Some(None) if !make => return Ok(WalkEnd::Missing),
            _ => {}
        }
        let Some(mut dir) = self.open_root(make)? else {
            self.remember(path, None);
            return Ok(WalkEnd::Missing);
        };
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
                    self.remember(path, None);
                    return Ok(WalkEnd::Missing);
                }
                // Systems report different errors for a link or a file in the place of a directory, so its
                // status decides.
                Err(error) => match self.system.status(&dir, name) {
                    Ok(status) if status.kind != FileKind::Directory => {
                        let kind = status.kind;
                        return Ok(WalkEnd::Blocked { at, kind });
                    }
                    _ => return Err(CommitError::new(FileAction::OPENING, self.full(&at), error)),
                },
            };
        }
        self.remember(path, Some(&dir));
        Ok(WalkEnd::Arrived(dir))
    }

    /// Returns what is remembered about a directory, and makes it the latest.
    fn recall(&self, path: &Path) -> Option<Option<Arc<Dir>>> {
        let mut recent = lock(&self.recent);
        let place = recent.iter().position(|(kept, _)| kept.as_os_str() == path.as_os_str())?;
        recent.get_mut(..=place)?.rotate_right(1);
        recent.first().map(|(_, dir)| dir.clone())
    }

    /// Remembers a directory, which is open or missing.
    fn remember(&self, path: &Path, dir: Option<&Arc<Dir>>) {
        let mut recent = lock(&self.recent);
        // It may have been missing before.
        recent.retain(|(kept, _)| kept.as_os_str() != path.as_os_str());
        recent.truncate(OPEN_MAX - 1);
        recent.insert(0, (path.to_path_buf(), dir.cloned()));
    }

    /// Makes the directory at the path `at`.
    fn make(&self, parent: &Dir, name: &OsStr, at: &Path) -> Result<(), CommitError> {
        let made = self.system.make_dir(parent, name);
        // Another thread may have been faster.
        if is(&made, ErrorKind::AlreadyExists) {
            return Ok(());
        }
        made.map_err(|error| CommitError::new(FileAction::MAKING, self.full(at), error))?;
        lock(&self.new).below.insert(at.to_path_buf());
        Ok(())
    }

    /// Opens the root itself. `None` if it is missing; with `make`, it is made.
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
        let opened = opened.map_err(|error| CommitError::new(FileAction::OPENING, path, error))?;
        // Another thread may have been faster. All threads take the same handle.
        Ok(Some(Arc::clone(self.directory.get_or_init(|| Arc::new(opened)))))
    }

    /// Makes the root, or a directory above it, and its missing parents.
    fn make_root(&self, path: &Path) -> Result<(), CommitError> {
        let mut made = self.system.make_root(path);
        if let Some(parent) = path.parent()
            && is(&made, ErrorKind::NotFound)
        {
            self.make_root(shown(parent))?;
            made = self.system.make_root(path);
        }
        // If this is not a directory, opening it will fail.
        if is(&made, ErrorKind::AlreadyExists) {
            return Ok(());
        }
        made.map_err(|error| CommitError::new(FileAction::MAKING, path, error))?;
        lock(&self.new).above.push(path.to_path_buf());
        Ok(())
    }
}

/// Ignores the errors of a directory that another program uses, or has removed.
fn removed_or_used(path: &Path, removed: io::Result<()>) -> Result<(), CommitError> {
    removed.or_else(|error| match error.kind() {
        ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory | ErrorKind::NotFound => Ok(()),
        // POSIX allows these errors for a directory that is not empty, too.
        ErrorKind::AlreadyExists | ErrorKind::ResourceBusy => Ok(()),
        _ => Err(CommitError::new(FileAction::CLEARING, path, error)),
    })
}

/// The path of a directory for system calls: `.` for the current directory, whose path is empty elsewhere.
fn shown(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

fn is<T>(result: &io::Result<T>, kind: ErrorKind) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == kind)
}
