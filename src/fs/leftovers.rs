//! Temporary files that killed runs have left, found by their names and removed.
//!
//! A run holds a lock on each of its temporaries until that has its final name, and the system ends it
//! with the process. So one that can be locked is nobody's, but for those that this process has just made and
//! not locked yet, which it knows by their names. Whoever makes one and finds, when it has the lock, that it
//! was removed meanwhile, makes another.
//!
//! A run that has many files waiting for their names does not hold all of them open: where as many are
//! locked as a run holds, others may be that run's, and all stay.

use std::ffi::{OsStr, OsString};
use std::fs::File;

use cap_std::fs::Dir;

use super::gate::Gate;
use super::platform;
use super::status::Kind;
use super::temporary_name::{is_own, is_temporary};

/// How many files that wait for their names a run holds locked.
pub(super) const LOCKED_MOST: usize = 64;

/// Removes what killed runs have left in a directory, and gives the names. What cannot be looked at, or
/// removed, stays as it is.
pub(super) fn clear(gate: &Gate, dir: &Dir) -> Vec<OsString> {
    if !platform::LOCKS {
        return Vec::new();
    }
    let names = gate.names(dir).unwrap_or_default();
    let mut names: Vec<OsString> = names.into_iter().filter(|it| is_left(it)).collect();
    let is_locked = |name: &&OsString| lock(gate, dir, name).is_none();
    if names.len() > LOCKED_MOST && names.iter().filter(is_locked).count() >= LOCKED_MOST {
        return Vec::new();
    }
    names.sort();
    names.retain(|name| {
        let lock = lock(gate, dir, name);
        lock.is_some() && gate.remove(dir, name).is_ok()
    });
    names
}

/// Whether a file of this name may be what a killed run has left.
fn is_left(name: &OsStr) -> bool {
    is_temporary(name) && !is_own(name)
}

/// Locks a temporary that nobody has locked.
fn lock(gate: &Gate, dir: &Dir, name: &OsStr) -> Option<File> {
    let is_file = |it: &super::status::Status| it.kind == Kind::File;
    gate.status(dir, name).ok().filter(is_file)?;
    let file = gate.reopen(dir, name).ok()?;
    gate.lock(&file).ok()?;
    // It may have got its name, or gone, before it was locked.
    let found = gate.status(dir, name).ok()?;
    (found.id == gate.identify_open(&file).ok()).then_some(file)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::archive::Sink as _;
    use crate::fs::{Over, Sync, System};

    /// Writes a file where so many temporaries lie, the first of which are locked. Says which of them are
    /// told to be removed, and which are there.
    fn write_beside(count: usize, locked: usize) -> (Vec<PathBuf>, Vec<PathBuf>, Vec<PathBuf>) {
        let dir = tempfile::tempdir().unwrap();
        // Names that this process does not make, most likely.
        let name = |number: usize| dir.path().join(format!(".daisho-1{number:07x}.tmp"));
        let left: Vec<PathBuf> = (0..count).map(name).collect();
        let gate = Gate::default();
        let open = |(number, path): (usize, &PathBuf)| {
            fs::write(path, b"left").unwrap();
            let file = File::open(path).unwrap();
            (number < locked).then(|| gate.lock(&file).map(|()| file).unwrap())
        };
        let locks: Vec<Option<File>> = left.iter().enumerate().map(open).collect();
        // What only looks like one stays.
        fs::create_dir(dir.path().join(".daisho-00000000.tmp")).unwrap();
        let root = System::real().root(dir.path(), Sync::Off);
        for name in ["new", "newer"] {
            let draft = root.draft(Path::new(name)).unwrap();
            draft.write_at(b"whole", 0).unwrap();
            draft.commit(Over::Nothing).unwrap();
            assert_eq!(fs::read(dir.path().join(name)).unwrap(), b"whole");
        }
        let told = root.cleared().concat();
        assert!(root.finish().is_empty());
        drop(locks);
        assert!(dir.path().join(".daisho-00000000.tmp").is_dir());
        let there = left.iter().filter(|path| path.exists()).cloned().collect();
        (left, told, there)
    }

    #[test]
    fn what_is_locked_stays_and_the_rest_is_removed_and_told() {
        for (count, locked) in [(0, 0), (1, 0), (1, 1), (9, 4), (200, 60)] {
            let (left, told, there) = write_beside(count, locked);
            assert_eq!(told, left[locked..]);
            assert_eq!(there, left[..locked]);
        }
    }

    #[test]
    fn where_as_many_are_locked_as_a_run_locks_all_stay() {
        let (left, told, there) = write_beside(70, LOCKED_MOST);
        assert_eq!((told, there), (Vec::new(), left));
    }
}
