//! The way from a root to the directory that a file lies in: one part after the other, no link
//! followed, and the last few directories kept open.
//!
//! A pak's directory has its files in groups, so 20,000 files ask for few directories, and a
//! handful of open ones spares nearly all the opening.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::fs::Dir;

use super::calls::heal;
use super::error::{CommitError, Doing};
use super::look::Kind;
use super::root::{Root, Sync};

/// How many directories stay open: some for every thread, and few against the limit on open files,
/// which is 256 by default on one system.
const OPEN_MAX: usize = 8;

/// The directories that were used last, the latest first.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<Vec<(PathBuf, Arc<Dir>)>>);

impl Recent {
    fn get(&self, path: &Path) -> Option<Arc<Dir>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept
            .iter()
            .position(|(kept, _)| kept.as_os_str() == path.as_os_str())?;
        kept.get_mut(..=place)?.rotate_right(1);
        kept.first().map(|(_, dir)| Arc::clone(dir))
    }

    fn put(&self, path: &Path, dir: &Arc<Dir>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(OPEN_MAX - 1);
        kept.insert(0, (path.to_path_buf(), Arc::clone(dir)));
    }
}

/// Where a walk along a path ended.
pub(super) enum Way {
    /// At its end.
    Through(Arc<Dir>),
    /// Where a directory is missing.
    Missing,
    /// At something that is no directory.
    Blocked { at: PathBuf, kind: Kind },
}

/// The directory and the name of a file, if the path is one that leads to a file below a root.
///
/// Names are judged long before they come here, by stricter rules. This is the last door.
pub(super) fn split(relative: &Path) -> Result<(&Path, &OsStr), CommitError> {
    let refused = |why| {
        CommitError::new(
            Doing::Naming,
            relative,
            io::Error::new(ErrorKind::InvalidInput, why),
        )
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

impl Root {
    /// Follows a path of directories, and with `make` makes those that are missing.
    pub(super) fn walk(&self, path: &Path, make: bool) -> Result<Way, CommitError> {
        let Some(mut dir) = self.handle(make)? else {
            return Ok(Way::Missing);
        };
        if path.as_os_str().is_empty() {
            return Ok(Way::Through(dir));
        }
        if let Some(dir) = self.recent().get(path) {
            return Ok(Way::Through(dir));
        }
        let mut at = PathBuf::new();
        for name in path {
            at.push(name);
            let mut opened = heal(|| self.calls().open_dir(&dir, name));
            if make && is(&opened, ErrorKind::NotFound) {
                self.make(&dir, name, &at)?;
                opened = heal(|| self.calls().open_dir(&dir, name));
            }
            dir = match opened {
                Ok(next) => Arc::new(next),
                Err(error) if !make && error.kind() == ErrorKind::NotFound => {
                    return Ok(Way::Missing);
                }
                // Systems differ in what they say to a link or a file in the place of a
                // directory, so what is there decides.
                Err(error) => match heal(|| self.calls().look(&dir, name)) {
                    Ok(seen) if seen.kind != Kind::Directory => {
                        return Ok(Way::Blocked {
                            at,
                            kind: seen.kind,
                        });
                    }
                    _ => return Err(CommitError::new(Doing::Opening, self.full(&at), error)),
                },
            };
        }
        self.recent().put(path, &dir);
        Ok(Way::Through(dir))
    }

    fn make(&self, parent: &Dir, name: &OsStr, at: &Path) -> Result<(), CommitError> {
        let made = heal(|| self.calls().make_dir(parent, name));
        // Another thread may have been faster.
        if is(&made, ErrorKind::AlreadyExists) {
            return Ok(());
        }
        made.map_err(|error| CommitError::new(Doing::Making, self.full(at), error))?;
        self.made().below(at);
        if self.sync() == Sync::Each {
            heal(|| self.calls().sync_dir(parent))
                .map_err(|error| CommitError::new(Doing::Syncing, self.full(at), error))?;
        }
        Ok(())
    }

    /// The directory for a file that is about to be written.
    pub(super) fn parent_for_writing(&self, path: &Path) -> Result<Arc<Dir>, CommitError> {
        let (at, why) = match self.walk(path, true)? {
            Way::Through(dir) => return Ok(dir),
            Way::Missing => (path.to_path_buf(), "the directory has just been removed"),
            Way::Blocked {
                at,
                kind: Kind::Link,
            } => (
                at,
                "this is a symbolic link, and none is followed below the destination",
            ),
            Way::Blocked { at, .. } => (at, "this is a file, not a directory"),
        };
        let cause = io::Error::new(ErrorKind::NotADirectory, why);
        Err(CommitError::new(Doing::Opening, self.full(&at), cause))
    }
}

fn is<T>(result: &io::Result<T>, kind: ErrorKind) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == kind)
}
