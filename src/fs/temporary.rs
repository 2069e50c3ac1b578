//! The temporary file beside the final name: made so that nobody's file is disturbed, given its final
//! name when it is whole, and gone whatever happens.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;

use cap_std::fs::Dir;

use super::directories::Directories;
use super::error::{CommitError, Step};
use super::platform;
use super::status::{Kind, Status};
use super::temporary_name::next_name;

/// How many names are tried. Each is one of 2^32, so more than a few that are taken means that
/// somebody takes them on purpose.
const NAMES_MAX: usize = 1000;

/// What may stand under the name that a file is to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Nothing: if somebody has made something there meanwhile, it stays.
    Nothing,
    /// An old file, or a link, which gives way; or nothing.
    Old,
}

/// A temporary file, which is removed unless it has got another name.
#[derive(Debug)]
pub(super) struct Temporary<'root> {
    pub(super) directories: &'root Directories,
    parent: Arc<Dir>,
    /// Its own name.
    name: OsString,
    /// The name that it is to have.
    target: OsString,
    /// The whole path that it is to have, for messages.
    path: PathBuf,
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

    /// Closes the file, before it has its name: some network file systems send the rest only then.
    pub(super) fn close(&mut self, file: File, over: Over) -> Result<(), CommitError> {
        if over == Over::Old {
            self.keep_permissions(&file)
                .map_err(|error| self.failed(Step::Keeping, error))?;
        }
        if over == Over::Old {
            (self.directories.gate.sync_file(&file))
                .map_err(|error| self.failed(Step::Syncing, error))?;
        }
        drop(file);
        Ok(())
    }

    /// Gives the file its name, and removes the temporary one. `false` where something has appeared
    /// there, and the file is still under its temporary name.
    pub(super) fn publish(&mut self, over: Over) -> Result<bool, CommitError> {
        match over {
            Over::Nothing => match self.place() {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
                placed => placed.map_err(|error| self.failed(Step::Placing, error))?,
            },
            Over::Old => self
                .replace()
                .map_err(|error| self.failed(Step::Replacing, error))?,
        }
        self.directories.hold(&self.path);
        if over == Over::Old {
            (self.directories.gate.sync_dir(&self.parent))
                .map_err(|error| self.failed(Step::Syncing, error))?;
        }
        Ok(true)
    }

    /// Readies the file to replace what has appeared under its name since it was closed.
    pub(super) fn close_again(&mut self) -> Result<(), CommitError> {
        let file = (self.directories.gate.reopen(&self.parent, &self.name))
            .map_err(|error| self.failed(Step::Replacing, error))?;
        self.close(file, Over::Old)
    }

    /// Gives the file the permissions of the one that it replaces. Those that a new one would get
    /// may be wider, so where that fails nothing is replaced. A link has none of its own.
    fn keep_permissions(&self, file: &File) -> io::Result<()> {
        let gate = &self.directories.gate;
        match gate.status(&self.parent, &self.target) {
            Ok(Status {
                kind: Kind::File,
                permissions: Some(permissions),
                ..
            }) => gate.set_permissions(file, permissions),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn replace(&mut self) -> io::Result<()> {
        let gate = &self.directories.gate;
        gate.rename(&self.parent, &self.name, &self.target)?;
        self.exists = false;
        Ok(())
    }

    fn place(&mut self) -> io::Result<()> {
        let gate = &self.directories.gate;
        let placed = match gate.link(&self.parent, &self.name, &self.target) {
            Err(error) if platform::unsupported(&error) => self.place_without_link(),
            placed => placed,
        };
        match placed {
            // A link that was interrupted, or whose answer a network has lost, is done all the
            // same, and the second try finds the first one's work.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && self.is_placed() => {}
            placed => placed?,
        }
        self.remove();
        Ok(())
    }

    /// Whether the temporary and the final name are one file.
    fn is_placed(&self) -> bool {
        let status = |name| self.directories.gate.status(&self.parent, name);
        match (status(&self.name), status(&self.target)) {
            (Ok(ours), Ok(theirs)) => ours.id.is_some() && ours.id == theirs.id,
            _ => false,
        }
    }

    fn place_without_link(&mut self) -> io::Result<()> {
        let gate = &self.directories.gate;
        match gate.rename_new(&self.parent, &self.name, &self.target) {
            Err(error) if platform::unsupported(&error) => {
                // Only this keeps a file that somebody makes now from being replaced.
                drop(gate.create(&self.parent, &self.target)?);
                self.replace()
                    .inspect_err(|_| self.remove_name(&self.target))
            }
            Err(error) => Err(error),
            Ok(()) => {
                self.exists = false;
                Ok(())
            }
        }
    }

    /// An error about the file.
    pub(super) fn failed(&self, step: Step, cause: io::Error) -> CommitError {
        CommitError::new(step, &self.path, cause)
    }

    /// Removes it, or has [`Directories`] remember that it could not be.
    fn remove(&mut self) {
        if core::mem::take(&mut self.exists) {
            self.remove_name(&self.name);
        }
    }

    /// Removes a name beside the target, or has [`Directories`] remember it.
    fn remove_name(&self, name: &OsStr) {
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::archive::Sink as _;
    use crate::fs::System;
    use crate::testing::{Call, Faulty};

    /// Writes `file`, and says which calls it took after the temporary was created.
    fn calls_of(over: Over, lacks: &[Call]) -> Vec<Call> {
        let dir = tempfile::tempdir().unwrap();
        let calls = Arc::new(Faulty::lacking(lacks));
        let root = System::new(Arc::clone(&calls) as Arc<_>).root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        draft.commit(over).unwrap();
        assert!(root.finish().is_empty());
        assert!(dir.path().join("file").exists());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        let log = calls.log();
        let made = [Call::OpenRoot, Call::Create];
        log.strip_prefix(&made[..]).unwrap().to_vec()
    }

    #[test]
    fn data_is_on_the_disk_before_the_name_and_the_name_before_the_end() {
        use Call::{Link, Remove, Rename, Status, SyncDir, SyncFile};
        for (over, expected) in [
            (Over::Nothing, &[Link, Remove][..]),
            (Over::Old, &[Status, SyncFile, Rename, SyncDir]),
        ] {
            assert_eq!(calls_of(over, &[]), expected, "{over:?}");
        }
    }

    #[test]
    fn without_hard_links_a_rename_spares_what_exists_and_without_that_a_file_holds_the_name() {
        use Call::{Create, Link, Rename, RenameNew};
        let calls = calls_of(Over::Nothing, &[Link]);
        assert_eq!(calls, [Link, RenameNew]);
        let calls = calls_of(Over::Nothing, &[Link, RenameNew]);
        assert_eq!(calls, [Link, RenameNew, Create, Rename]);
    }

    #[test]
    fn what_somebody_else_has_made_meanwhile_stays() {
        for lacks in [&[][..], &[Call::Link], &[Call::Link, Call::RenameNew]] {
            let dir = tempfile::tempdir().unwrap();
            let calls = Arc::new(Faulty::lacking(lacks));
            let root = System::new(calls).root(dir.path());
            let draft = root.draft(Path::new("file")).unwrap();
            draft.write_at(b"ours", 0).unwrap();
            fs::write(dir.path().join("file"), b"theirs").unwrap();
            let error = draft.commit(Over::Nothing).unwrap_err();
            assert_eq!(error.step(), Step::Placing);
            assert_eq!(error.cause().kind(), ErrorKind::AlreadyExists);
            assert_eq!(fs::read(dir.path().join("file")).unwrap(), b"theirs");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions_but_none_to_run_as_its_owner() {
        let rights = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        for (old, expected) in [
            (0o600, 0o600),
            (0o444, 0o444),
            (0o777, 0o777),
            (0o6755, 0o755),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("file");
            fs::write(&path, b"old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(old)).unwrap();
            assert_eq!(rights(&path), old);
            let root = System::real().root(dir.path());
            let draft = root.draft(Path::new("file")).unwrap();
            draft.write_at(b"new", 0).unwrap();
            draft.commit(Over::Old).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(rights(&path), expected, "{old:o}");
        }
    }

    #[test]
    fn a_link_that_is_replaced_has_no_rights_to_keep() {
        let dir = tempfile::tempdir().unwrap();
        let root = System::real().root(dir.path());
        root.draft(Path::new("new"))
            .unwrap()
            .commit(Over::Nothing)
            .unwrap();
        std::os::unix::fs::symlink("new", dir.path().join("link")).unwrap();
        root.draft(Path::new("link"))
            .unwrap()
            .commit(Over::Old)
            .unwrap();
        let mode = |name| {
            let found = fs::symlink_metadata(dir.path().join(name)).unwrap();
            assert!(found.is_file());
            found.permissions().mode()
        };
        assert_eq!(mode("link"), mode("new"));
    }

    #[test]
    fn where_rights_cannot_be_kept_nothing_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let calls = Arc::new(Faulty::lacking(&[Call::SetPermissions]));
        let root = System::new(calls).root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        draft.write_at(b"new", 0).unwrap();
        let error = draft.commit(Over::Old).unwrap_err();
        assert_eq!(error.step(), Step::Keeping);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_directory_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("name")).unwrap();
        let root = System::real().root(dir.path());
        let draft = root.draft(Path::new("name")).unwrap();
        let error = draft.commit(Over::Old).unwrap_err();
        assert_eq!(error.step(), Step::Replacing);
        assert!(dir.path().join("name").is_dir());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
