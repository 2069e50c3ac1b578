//! The moment in which a whole file gets its name.

use std::fs::File;
use std::io::{self, ErrorKind};

use super::calls::{heal, heal_telling};
use super::error::{CommitError, Doing};
use super::look::{Kind, Seen};
use super::root::Sync;
use super::system;
use super::temporary::Temporary;

/// What may stand under the name that a file is to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Nothing: if somebody has made something there meanwhile, it stays.
    Nothing,
    /// An old file, or a link, which gives way; or nothing.
    Old,
}

/// What came of giving a file its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Published {
    Done,
    /// Something has appeared there. The file is still under its temporary name.
    Taken,
}

impl Temporary<'_> {
    /// Closes the file, before it can be seen: some network file systems send the rest only then.
    pub(super) fn close(&self, file: File, over: Over) -> Result<(), CommitError> {
        if over == Over::Old {
            self.keep_rights(&file)
                .map_err(|error| self.failed(Doing::Keeping, error))?;
        }
        if self.is_synced(over) {
            heal(|| self.root.calls().sync_file(&file))
                .map_err(|error| self.failed(Doing::Syncing, error))?;
        }
        drop(file);
        Ok(())
    }

    /// Gives the file its name, and takes the temporary one away; or says that something has the name
    /// that was not there before.
    pub(super) fn publish(&mut self, over: Over) -> Result<Published, CommitError> {
        match over {
            Over::Nothing => match self.place() {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    return Ok(Published::Taken);
                }
                placed => placed.map_err(|error| self.failed(Doing::Placing, error))?,
            },
            Over::Old => self
                .replace()
                .map_err(|error| self.failed(Doing::Replacing, error))?,
        }
        self.root.holds(&self.path);
        if self.is_synced(over) {
            heal(|| self.root.calls().sync_dir(&self.parent))
                .map_err(|error| self.failed(Doing::Syncing, error))?;
        }
        Ok(Published::Done)
    }

    /// Readies the file to replace what has appeared under its name since it was closed.
    pub(super) fn close_again(&self) -> Result<(), CommitError> {
        let file = heal(|| self.root.calls().reopen(&self.parent, &self.name))
            .map_err(|error| self.failed(Doing::Replacing, error))?;
        self.close(file, Over::Old)
    }

    /// Gives the file the rights of the one that it replaces. Those that a new one would get may
    /// be wider, so where that fails nothing is replaced. A link has none of its own.
    fn keep_rights(&self, file: &File) -> io::Result<()> {
        let calls = self.root.calls();
        match heal(|| calls.look(&self.parent, &self.target)) {
            Ok(Seen {
                kind: Kind::File,
                rights: Some(rights),
                ..
            }) => heal(|| calls.set_rights(file, rights)),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn is_synced(&self, over: Over) -> bool {
        over == Over::Old || self.root.sync() == Sync::Each
    }

    fn replace(&mut self) -> io::Result<()> {
        heal_telling(|again| {
            self.unless_done(again, |it| {
                let calls = it.root.calls();
                calls.rename(&it.parent, &it.name, &it.target)
            })
        })?;
        self.moved();
        Ok(())
    }

    fn place(&mut self) -> io::Result<()> {
        let calls = self.root.calls();
        let placed = match heal(|| calls.link(&self.parent, &self.name, &self.target)) {
            Err(error) if system::unsupported(&error) => self.place_without_link(),
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
        let look = |name| heal(|| self.root.calls().look(&self.parent, name));
        match (look(&self.name), look(&self.target)) {
            (Ok(ours), Ok(theirs)) => ours.id.is_some() && ours.id == theirs.id,
            _ => false,
        }
    }

    fn place_without_link(&mut self) -> io::Result<()> {
        let renamed = heal_telling(|again| {
            self.unless_done(again, |it| {
                let calls = it.root.calls();
                calls.rename_new(&it.parent, &it.name, &it.target)
            })
        });
        match renamed {
            Err(error) if system::unsupported(&error) => {
                // Only this keeps a file that somebody makes now from being replaced.
                drop(heal(|| {
                    self.root.calls().create(&self.parent, &self.target)
                })?);
                self.replace().inspect_err(|_| {
                    self.remove_name(&self.target);
                })
            }
            Err(error) => Err(error),
            Ok(()) => {
                self.moved();
                Ok(())
            }
        }
    }

    /// A rename that was interrupted and finds nothing to rename at the second try has been done:
    /// nobody else takes our temporary.
    fn unless_done(
        &self,
        again: bool,
        rename: impl FnOnce(&Self) -> io::Result<()>,
    ) -> io::Result<()> {
        match rename(self) {
            Err(error) if again && error.kind() == ErrorKind::NotFound => Ok(()),
            result => result,
        }
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
    use crate::fs::Root;
    use crate::fs::faults::{Call, Faulty};
    use crate::pak::Sink as _;

    /// Writes `file`, and says which calls it took after the temporary was created.
    fn calls_of(sync: Sync, over: Over, lacks: &[Call]) -> Vec<Call> {
        let dir = tempfile::tempdir().unwrap();
        let calls = Arc::new(Faulty::lacking(lacks));
        let root = Root::new(dir.path(), sync).with_calls(Arc::clone(&calls) as Arc<_>);
        let draft = root.draft(Path::new("file")).unwrap();
        draft.commit(over).unwrap();
        assert!(root.finish().is_empty());
        assert!(dir.path().join("file").exists());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        calls.log().split_off(2)
    }

    #[test]
    fn data_is_on_the_disk_before_the_name_and_the_name_before_the_end() {
        use Call::{Link, Look, Remove, Rename, SyncAll, SyncDir, SyncFile};
        for (sync, over, expected) in [
            (Sync::Off, Over::Nothing, &[Link, Remove][..]),
            (Sync::AtEnd, Over::Nothing, &[Link, Remove, SyncAll]),
            (
                Sync::Each,
                Over::Nothing,
                &[SyncFile, Link, Remove, SyncDir],
            ),
            (Sync::Off, Over::Old, &[Look, SyncFile, Rename, SyncDir]),
            (Sync::Each, Over::Old, &[Look, SyncFile, Rename, SyncDir]),
        ] {
            assert_eq!(calls_of(sync, over, &[]), expected, "{sync:?} {over:?}");
        }
    }

    #[test]
    fn without_hard_links_a_rename_spares_what_exists_and_without_that_a_file_holds_the_name() {
        use Call::{Create, Link, Rename, RenameNew};
        let calls = calls_of(Sync::Off, Over::Nothing, &[Link]);
        assert_eq!(calls, [Link, RenameNew]);
        let calls = calls_of(Sync::Off, Over::Nothing, &[Link, RenameNew]);
        assert_eq!(calls, [Link, RenameNew, Create, Rename]);
    }

    #[test]
    fn what_somebody_else_has_made_meanwhile_stays() {
        for lacks in [&[][..], &[Call::Link], &[Call::Link, Call::RenameNew]] {
            let dir = tempfile::tempdir().unwrap();
            let calls = Arc::new(Faulty::lacking(lacks));
            let root = Root::new(dir.path(), Sync::Off).with_calls(calls);
            let draft = root.draft(Path::new("file")).unwrap();
            draft.write_at(b"ours", 0).unwrap();
            fs::write(dir.path().join("file"), b"theirs").unwrap();
            let error = draft.commit(Over::Nothing).unwrap_err();
            assert_eq!(error.doing(), Doing::Placing);
            assert_eq!(error.cause().kind(), ErrorKind::AlreadyExists);
            assert_eq!(fs::read(dir.path().join("file")).unwrap(), b"theirs");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_replaced_file_keeps_its_rights_but_none_to_run_as_its_owner() {
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
            let root = Root::new(dir.path(), Sync::Off);
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
        let root = Root::new(dir.path(), Sync::Off);
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
        let calls = Arc::new(Faulty::lacking(&[Call::SetRights]));
        let root = Root::new(dir.path(), Sync::Off).with_calls(calls);
        let draft = root.draft(Path::new("file")).unwrap();
        draft.write_at(b"new", 0).unwrap();
        let error = draft.commit(Over::Old).unwrap_err();
        assert_eq!(error.doing(), Doing::Keeping);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_directory_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("name")).unwrap();
        let root = Root::new(dir.path(), Sync::Off);
        let draft = root.draft(Path::new("name")).unwrap();
        let error = draft.commit(Over::Old).unwrap_err();
        assert_eq!(error.doing(), Doing::Replacing);
        assert!(dir.path().join("name").is_dir());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
