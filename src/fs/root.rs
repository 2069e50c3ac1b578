//! The system that an operation works on, and the directories there that its output goes to.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directories::{Root, WalkEnd, split};
use super::draft::Draft;
use super::error::{CommitError, Step};
use super::scratch::{Scratch, standard_input};
use super::status::{Found, Kind};
use super::system::System;
use crate::archive::{PathError, RawName, SafePath};

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
            return Err(CommitError::new(Step::Naming, file, why));
        };
        let name_error = name_taken_otherwise(name.as_encoded_bytes()).filter(|_| cfg!(windows));
        if let Some(why) = name_error {
            let why = io::Error::new(ErrorKind::InvalidFilename, why);
            return Err(CommitError::new(Step::Naming, file, why));
        }
        Ok((self.root(parent), name.into()))
    }

    /// A file without a name.
    pub(crate) fn scratch(&self) -> io::Result<Scratch> {
        Scratch::create(self.clone())
    }

    /// All that comes from standard input.
    pub(crate) fn standard_input(&self) -> io::Result<Arc<Scratch>> {
        standard_input(self)
    }
}

/// Why Windows takes the name of a file for something else: a device, a stream of another file, another
/// name.
fn name_taken_otherwise(name: &[u8]) -> Option<PathError> {
    SafePath::try_from(RawName::new(name)).err()
}

impl Root {
    /// A file without a name, on the same system.
    pub(crate) fn scratch(&self) -> io::Result<Scratch> {
        Scratch::create(self.system.clone())
    }

    /// What stands at a path below the root, before anything is written.
    pub(crate) fn look(&self, relative: &Path) -> Result<Found, CommitError> {
        let (parent, name) = split(relative)?;
        let parent = match self.walk(parent)? {
            WalkEnd::Arrived(dir) => dir,
            WalkEnd::Missing => return Ok(Found::Nothing),
            WalkEnd::Blocked { at, kind } => return Ok(Found::Blocked { at, kind }),
        };
        let (system, full) = (&self.system, self.full(relative));
        let status = match system.status(&parent, name) {
            Ok(status) => status,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(CommitError::new(Step::Looking, full, error)),
        };
        let id = match (status.kind, status.id) {
            // A link that leads nowhere, or where we may not look, leads to no source: those are
            // open.
            (Kind::Link, _) => system.identify(&full).ok(),
            (Kind::File, None) => {
                let id = system.identify(&full);
                Some(id.map_err(|error| CommitError::new(Step::Looking, full, error))?)
            }
            (_, id) => id,
        };
        Ok(Found::Taken {
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

    /// Begins a file at a path below the root, with the directories that it needs.
    pub(crate) fn draft(&self, relative: &Path) -> Result<Draft<'_>, CommitError> {
        Draft::create(self, relative)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;
    use crate::archive::Sink as _;
    use crate::fs::{Over, System};

    #[test]
    fn directories_that_were_made_for_nothing_are_removed_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("made/out");
        fs::create_dir(dir.path().join("there")).unwrap();
        let root = System::real().root(&out);
        drop(root.draft(Path::new("a/b/c/given up")).unwrap());
        assert!(root.finish().is_empty());
        assert!(!dir.path().join("made").exists());

        let root = System::real().root(dir.path());
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
