//! Which directories were made for files, and hold none yet.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The directories that were made and hold no file yet.
#[derive(Debug, Default)]
pub(super) struct NewDirectories(Mutex<Paths>);

#[derive(Debug, Default)]
struct Paths {
    /// The root and those above it, as paths that the user would write, in the order they were
    /// made.
    above: Vec<PathBuf>,
    /// Relative to the root.
    below: HashSet<PathBuf>,
}

impl NewDirectories {
    /// Remembers that the root, or a directory above it, was made.
    pub(super) fn add_above(&self, path: &Path) {
        self.with(|paths| paths.above.push(path.to_path_buf()));
    }

    /// Remembers that a directory below the root was made.
    pub(super) fn add_below(&self, relative: &Path) {
        self.with(|paths| paths.below.insert(relative.to_path_buf()));
    }

    /// Forgets all that lead to a file below the root: they hold it, so they stay.
    pub(super) fn forget_parents(&self, file: &Path) {
        self.with(|paths| {
            paths.above.clear();
            let mut dirs = file.ancestors().skip(1);
            // Where one holds a file already, or was there before, so it is with those above it.
            while dirs.next().is_some_and(|dir| paths.below.remove(dir)) {}
        });
    }

    /// Forgets all of them, and gives those below the root and those above it, each in an order in
    /// which the inner ones come last.
    pub(super) fn take(&self) -> (BTreeSet<PathBuf>, Vec<PathBuf>) {
        let Paths { above, below } = self.with(core::mem::take);
        (below.into_iter().collect(), above)
    }

    fn with<R>(&self, work: impl FnOnce(&mut Paths) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
