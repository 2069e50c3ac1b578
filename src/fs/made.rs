//! Directories that were made on the way to a file, and hold none in the end.
//!
//! What failed leaves no trace: [`Root::finish`](super::Root::finish) removes the directories that
//! this run made and that no file came into. Only those: one that was there stays, empty or not.
//! And only by the call that removes nothing but an empty directory, so that what somebody else
//! has put there meanwhile stays, too. Another run that is about to write its first file there may
//! find its directory gone, which it says.

use std::collections::{BTreeSet, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::calls::heal;
use super::error::{CommitError, Doing};
use super::parents::{Way, split};
use super::root::{Root, shown};

/// The directories that were made and hold no file yet.
#[derive(Debug, Default)]
pub(super) struct Made(Mutex<Paths>);

#[derive(Debug, Default)]
struct Paths {
    /// The root and those above it, as paths that the user would write, in the order they were
    /// made.
    above: Vec<PathBuf>,
    /// Relative to the root.
    below: HashSet<PathBuf>,
}

impl Made {
    /// The root, or one above it, was made.
    pub(super) fn above(&self, path: &Path) {
        self.with(|paths| paths.above.push(path.to_path_buf()));
    }

    /// One below the root was made.
    pub(super) fn below(&self, relative: &Path) {
        self.with(|paths| paths.below.insert(relative.to_path_buf()));
    }

    /// A file has come to a path below the root: all that lead to it stay.
    pub(super) fn hold(&self, file: &Path) {
        self.with(|paths| {
            paths.above.clear();
            let mut dirs = file.ancestors().skip(1);
            // Where one holds a file already, or was there before, so it is with those above it.
            while dirs.next().is_some_and(|dir| paths.below.remove(dir)) {}
        });
    }

    fn with<R>(&self, work: impl FnOnce(&mut Paths) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Root {
    /// Removes the directories that were made for nothing, the innermost first.
    pub(super) fn remove_made(&self) {
        let Paths { above, below } = self.made().with(core::mem::take);
        let below: BTreeSet<PathBuf> = below.into_iter().collect();
        for relative in below.iter().rev() {
            let removed = split(relative).and_then(|(parent, name)| {
                // Whatever stands in the way now was not made here.
                let Way::Through(parent) = self.walk(parent, false)? else {
                    return Ok(());
                };
                let removed = heal(|| self.calls().remove_dir(&parent, name));
                removed.or_else(|error| self.unless_expected(&self.full(relative), error))
            });
            removed.unwrap_or_else(|error| self.left_over(error));
        }
        for path in above.iter().rev() {
            let removed = heal(|| self.calls().remove_root(path));
            removed
                .or_else(|error| self.unless_expected(shown(path), error))
                .unwrap_or_else(|error| self.left_over(error));
        }
    }

    /// That somebody else uses it, or has removed it, is as well.
    fn unless_expected(&self, path: &Path, error: std::io::Error) -> Result<(), CommitError> {
        match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory | ErrorKind::NotFound => Ok(()),
            // What POSIX lets a system say of a directory that is not empty.
            ErrorKind::AlreadyExists | ErrorKind::ResourceBusy => Ok(()),
            _ => Err(CommitError::new(Doing::Clearing, path, error)),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fs::{Over, Sync};
    use crate::pak::Sink as _;

    #[test]
    fn directories_that_were_made_for_nothing_are_removed_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("made/out");
        fs::create_dir(dir.path().join("there")).unwrap();
        let root = Root::new(&out, Sync::Off);
        drop(root.draft(Path::new("a/b/c/given up")).unwrap());
        assert!(root.finish().is_empty());
        assert!(!dir.path().join("made").exists());

        let root = Root::new(dir.path(), Sync::Off);
        drop(root.draft(Path::new("there/a/given up")).unwrap());
        let draft = root.draft(Path::new("held/by/a file")).unwrap();
        draft.write_at(b"whole", 0).unwrap();
        draft.commit(Over::Nothing).unwrap();
        drop(root.draft(Path::new("held/by/nothing/given up")).unwrap());
        drop(root.draft(Path::new("used/given up")).unwrap());
        fs::write(dir.path().join("used/by somebody else"), b"").unwrap();
        assert!(root.finish().is_empty());
        for (path, stays) in [
            ("there", true),
            ("there/a", false),
            ("held/by/a file", true),
            ("held/by/nothing", false),
            ("used/by somebody else", true),
        ] {
            assert_eq!(dir.path().join(path).exists(), stays, "{path}");
        }
    }
}
