//! The temporary file beside the final name: made so that nobody's file is disturbed, and gone
//! whatever happens.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use cap_std::fs::Dir;

use super::directories::Directories;
use super::error::{CommitError, Step};

/// How many names are tried. Each is one of 2^32, so more than a few that are taken means that
/// somebody takes them on purpose.
const NAMES_MAX: usize = 1000;

/// Where this process begins to count: somewhere else than any other, most likely.
static START: LazyLock<u32> = LazyLock::new(|| {
    let [a, b, c, d, ..] = RandomState::new()
        .hash_one(std::process::id())
        .to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
});
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A temporary file, which is removed unless it has got another name.
#[derive(Debug)]
pub(super) struct Temporary<'root> {
    pub(super) directories: &'root Directories,
    pub(super) parent: Arc<Dir>,
    /// Its own name.
    pub(super) name: OsString,
    /// The name that it is to have.
    pub(super) target: OsString,
    /// The whole path that it is to have, for messages.
    pub(super) path: PathBuf,
    /// Whether it still has its own name.
    exists: bool,
}

impl<'root> Temporary<'root> {
    /// Creates the file.
    pub(super) fn create(
        directories: &'root Directories,
        parent: Arc<Dir>,
        target: &OsStr,
        path: PathBuf,
    ) -> Result<(Self, File), CommitError> {
        for _ in 0..NAMES_MAX {
            let name = next_name();
            match directories.gate.create(&parent, &name) {
                Ok(file) => {
                    let temporary = Self {
                        directories,
                        parent,
                        name,
                        target: target.to_owned(),
                        path,
                        exists: true,
                    };
                    return Ok((temporary, file));
                }
                // A name that a killed run has left, or that somebody else has.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(CommitError::new(Step::Creating, path, error)),
            }
        }
        let why = io::Error::new(
            ErrorKind::AlreadyExists,
            "every name for a temporary is taken",
        );
        Err(CommitError::new(Step::Creating, path, why))
    }

    /// An error about the file.
    pub(super) fn failed(&self, step: Step, cause: io::Error) -> CommitError {
        CommitError::new(step, &self.path, cause)
    }

    /// It has taken its final name, and there is nothing to remove.
    pub(super) fn moved(&mut self) {
        self.exists = false;
    }

    /// Removes it, or has [`Directories`] remember that it could not be.
    pub(super) fn remove(&mut self) {
        if core::mem::take(&mut self.exists) {
            self.remove_name(&self.name);
        }
    }

    /// Removes a name beside the target, or has [`Directories`] remember it.
    pub(super) fn remove_name(&self, name: &OsStr) {
        let removed = self.directories.gate.remove(&self.parent, name);
        // It may have been done in spite of an error before.
        if let Err(error) = removed
            && error.kind() != ErrorKind::NotFound
        {
            let path = self.path.with_file_name(name);
            let error = CommitError::new(Step::Removing, path, error);
            self.directories.add_leftover(error);
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}

fn next_name() -> OsString {
    let number = START.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed));
    format!("{PREFIX}{number:08x}{SUFFIX}").into()
}

const PREFIX: &str = ".daisho-";
const SUFFIX: &str = ".tmp";

/// Whether a file of this name is what a killed run has left: half of something, and not to be
/// taken for a file of the user's.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let number = name.as_encoded_bytes().strip_prefix(PREFIX.as_bytes());
    let number = number.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    number.is_some_and(|n| n.len() == 8 && n.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::archive::Sink as _;
    use crate::fs::{Over, Sync, System};

    #[test]
    fn a_temporary_is_known_by_its_name() {
        assert!(is_temporary(&next_name()));
        for name in [
            ".daisho-1.tmp",
            ".daisho-0000000g.tmp",
            "daisho-00000000.tmp",
            "a",
        ] {
            assert!(!is_temporary(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn what_a_killed_run_has_left_is_not_disturbed() {
        let dir = tempfile::tempdir().unwrap();
        // The counter is shared with the other tests of this process, so more names than one.
        let next = START.wrapping_add(COUNT.load(Ordering::Relaxed));
        let left: Vec<PathBuf> = (0..50)
            .map(|n| {
                let name = format!(".daisho-{:08x}.tmp", next.wrapping_add(n));
                dir.path().join(name)
            })
            .collect();
        for path in &left {
            std::fs::write(path, b"left").unwrap();
        }
        let root = System::real().root(dir.path(), Sync::Off);
        let draft = root.draft(Path::new("new")).unwrap();
        draft.write_at(b"whole", 0).unwrap();
        draft.commit(Over::Nothing).unwrap();
        assert!(root.finish().is_empty());
        for path in &left {
            assert_eq!(std::fs::read(path).unwrap(), b"left");
        }
        assert_eq!(std::fs::read(dir.path().join("new")).unwrap(), b"whole");
    }
}
