//! How a complete file gets its name, also over an old file.
//!
//! A file gets a new name by a link, which fails if the name is taken. It replaces another file by a rename of its
//! hidden name. If the system has no links, a rename or a copy takes their place.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::draft::{Draft, FilePlace, HiddenName, Over, with_free_name};
use super::error::{CommitError, FileAction};
use super::platform;
use super::root::Root;
use super::status::{FileId, FileKind, FileStatus};

/// How many complete files without a name are open at once: few compared to what a process may have open.
static UNNAMED_MAX: LazyLock<usize> =
    LazyLock::new(|| platform::files_max().map_or(64, |most| (most / 8).min(64)));

/// A file that is complete except for its name. If it is dropped before it has its name, nothing is left of it.
#[derive(Debug)]
pub(crate) struct Complete<'root> {
    over: Over,
    waiting: Nameless<'root>,
}

/// What a complete file is until it has its name.
#[derive(Debug)]
enum Nameless<'root> {
    /// An open file without a name.
    Unnamed(FilePlace<'root>, CountedFile<'root>),
    /// A closed file with a hidden name.
    Hidden(Parked<'root>),
}

/// A file that is counted in [`Root::unnamed`] while it is open.
#[derive(Debug)]
struct CountedFile<'root> {
    file: File,
    count: &'root AtomicUsize,
}

/// A closed file with a hidden name. Thousands may wait for their names, so the directory is not kept open.
#[derive(Debug)]
struct Parked<'root> {
    root: &'root Root,
    relative: PathBuf,
    /// Empty if the file does not wait any more.
    hidden: OsString,
}

/// What became of a complete file.
#[derive(Debug)]
pub(crate) enum NameOutcome<'root> {
    /// It has its name.
    Named,
    /// Something has the name, and nothing may be replaced.
    Taken(Complete<'root>),
}

impl Drop for CountedFile<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<'root> Parked<'root> {
    fn new(place: FilePlace<'root>, hidden: HiddenName<'root>) -> Self {
        Self { root: place.root, relative: place.relative, hidden: hidden.leave() }
    }

    /// Opens the directory again.
    fn fetch(mut self) -> Result<(FilePlace<'root>, HiddenName<'root>), CommitError> {
        let place = FilePlace::new(self.root, &self.relative)?;
        let hidden = place.hidden(core::mem::take(&mut self.hidden));
        Ok((place, hidden))
    }
}

impl Drop for Parked<'_> {
    fn drop(&mut self) {
        if self.hidden.is_empty() {
            return;
        }
        match FilePlace::new(self.root, &self.relative) {
            Ok(place) => place.remove_name(&self.hidden),
            Err(error) => self.root.add_leftover(error),
        }
    }
}

impl<'root> Draft<'root> {
    /// Closes the file and gives it its name. Fails if nothing may be replaced and something has the name.
    pub(crate) fn commit(self, over: Over) -> Result<(), CommitError> {
        let path = self.place.path.clone();
        match self.close(over)?.place()? {
            NameOutcome::Named => Ok(()),
            NameOutcome::Taken(_) => {
                let error = ErrorKind::AlreadyExists.into();
                Err(CommitError::new(FileAction::PLACING, path, error))
            }
        }
    }

    /// Closes a file that is complete except for its name. Any number of files can wait for their names, because only
    /// a few of them stay open.
    pub(crate) fn close(self, over: Over) -> Result<Complete<'root>, CommitError> {
        let Self { place, file, hidden, .. } = self;
        place.prepare(&file, over)?;
        let waiting = if let Some(hidden) = hidden {
            // Some network file systems send the last bytes only when the file is closed.
            drop(file);
            Nameless::Hidden(Parked::new(place, hidden))
        } else {
            let count = &place.root.unnamed;
            let open = 1 + count.fetch_add(1, Ordering::Relaxed);
            let file = CountedFile { file, count };
            if open > *UNNAMED_MAX {
                let hidden = place.hide(file, over)?;
                Nameless::Hidden(Parked::new(place, hidden))
            } else {
                Nameless::Unnamed(place, file)
            }
        };
        Ok(Complete { over, waiting })
    }
}

impl<'root> Complete<'root> {
    pub(super) const fn root(&self) -> &'root Root {
        match &self.waiting {
            Nameless::Unnamed(place, _) => place.root,
            Nameless::Hidden(parked) => parked.root,
        }
    }

    /// Its path below the root.
    pub(crate) fn relative(&self) -> &Path {
        match &self.waiting {
            Nameless::Unnamed(place, _) => &place.relative,
            Nameless::Hidden(parked) => &parked.relative,
        }
    }

    /// Gives the file its name. Returns the file if nothing may be replaced and something has the name.
    ///
    /// After an error the file is gone, and the name belongs to the same file as before. Only after an error of
    /// [`FileAction::SYNCING`] the file may have its name, but might not survive a power cut.
    pub(crate) fn place(self) -> Result<NameOutcome<'root>, CommitError> {
        let Self { over, waiting } = self;
        match (over, waiting) {
            (Over::Nothing, Nameless::Unnamed(place, file)) => place.name_unnamed(file),
            (Over::Nothing, Nameless::Hidden(parked)) => {
                let (place, hidden) = parked.fetch()?;
                place.name_hidden(hidden)
            }
            (Over::Old, Nameless::Unnamed(place, file)) => {
                // A rename needs a name.
                let hidden = place.hide(file, over)?;
                place.rename_over_old(hidden).map(|()| NameOutcome::Named)
            }
            (Over::Old, Nameless::Hidden(parked)) => {
                let (place, hidden) = parked.fetch()?;
                place.rename_over_old(hidden).map(|()| NameOutcome::Named)
            }
        }
    }

    /// Gives the file its name, and replaces the file that has appeared under it meanwhile.
    pub(crate) fn replace(self) -> Result<(), CommitError> {
        let Self { over, waiting } = self;
        let (place, hidden) = match waiting {
            Nameless::Unnamed(place, open) => {
                if over == Over::Nothing {
                    place.prepare(&open.file, Over::Old)?;
                }
                let hidden = place.hide(open, Over::Old)?;
                (place, hidden)
            }
            Nameless::Hidden(parked) => {
                let (place, hidden) = parked.fetch()?;
                if over == Over::Nothing {
                    let opened = place.system().reopen(&place.parent, &hidden.name);
                    let opened =
                        opened.map_err(|error| place.failed(FileAction::REPLACING, error))?;
                    place.prepare(&opened, Over::Old)?;
                }
                (place, hidden)
            }
        };
        place.rename_over_old(hidden)
    }
}

impl<'root> FilePlace<'root> {
    /// Gives the file of a hidden name its name, and replaces the file that has it.
    fn rename_over_old(&self, mut hidden: HiddenName<'_>) -> Result<(), CommitError> {
        (hidden.rename(&self.name)).map_err(|error| self.failed(FileAction::REPLACING, error))?;
        self.root.hold(&self.relative);
        (self.system().sync_dir(&self.parent))
            .map_err(|error| self.failed(FileAction::SYNCING, error))
    }

    /// Gives an open file its name, unless something has it.
    fn name_unnamed(self, open: CountedFile<'root>) -> Result<NameOutcome<'root>, CommitError> {
        match self.link_unnamed(&open.file, &self.name) {
            Ok(()) => {
                self.root.hold(&self.relative);
                Ok(NameOutcome::Named)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Ok(NameOutcome::Taken(Complete {
                    over: Over::Nothing,
                    waiting: Nameless::Unnamed(self, open),
                }))
            }
            Err(error) if platform::unsupported(&error) => {
                let hidden = self.hide_copy(&open.file, Over::Nothing)?;
                drop(open);
                self.name_hidden(hidden)
            }
            Err(error) => Err(self.failed(FileAction::PLACING, error)),
        }
    }

    /// Gives a closed file its name, unless something has it.
    fn name_hidden(self, mut hidden: HiddenName<'root>) -> Result<NameOutcome<'root>, CommitError> {
        match self.link_hidden(&mut hidden) {
            Ok(()) => {
                self.root.hold(&self.relative);
                Ok(NameOutcome::Named)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Ok(NameOutcome::Taken(Complete {
                    over: Over::Nothing,
                    waiting: Nameless::Hidden(Parked::new(self, hidden)),
                }))
            }
            Err(error) => Err(self.failed(FileAction::PLACING, error)),
        }
    }

    /// Gives a file that replaces another one its permissions, and syncs it before it gets its name.
    fn prepare(&self, file: &File, over: Over) -> Result<(), CommitError> {
        if over == Over::Nothing {
            return Ok(());
        }
        self.keep_permissions(file).map_err(|error| self.failed(FileAction::KEEPING, error))?;
        (self.system().sync_file(file)).map_err(|error| self.failed(FileAction::SYNCING, error))
    }

    /// Gives the file the permissions of the file that it replaces. The default permissions may allow more, so if
    /// this fails, nothing is replaced. Links have no permissions.
    fn keep_permissions(&self, file: &File) -> io::Result<()> {
        match self.system().status(&self.parent, &self.name) {
            Ok(FileStatus { kind: FileKind::File, permissions: Some(permissions), .. }) => {
                self.system().set_permissions(file, permissions)
            }
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Gives an open file without a name a hidden name, and closes it. If the system cannot link it, a copy gets the
    /// hidden name.
    fn hide(&self, open: CountedFile<'_>, over: Over) -> Result<HiddenName<'root>, CommitError> {
        match self.find_hidden_name(|name| self.link_unnamed(&open.file, name)) {
            Ok(hidden) => Ok(hidden),
            Err(error) if platform::unsupported(&error) => self.hide_copy(&open.file, over),
            Err(error) => Err(self.failed(FileAction::PLACING, error)),
        }
    }

    /// Copies a file into one with a hidden name.
    pub(super) fn hide_copy(
        &self,
        file: &File,
        over: Over,
    ) -> Result<HiddenName<'root>, CommitError> {
        let created = self.create_hidden();
        let (copy, hidden) = created.map_err(|error| self.failed(FileAction::CREATING, error))?;
        let copied = (self.system().copy_all(file, &copy))
            .map_err(|error| self.failed(FileAction::WRITING, error))
            .and_then(|()| self.prepare(&copy, over));
        // Some systems cannot remove the name of an open file.
        drop(copy);
        copied.map(|()| hidden)
    }

    /// Calls `link` with hidden names until one is free, and returns that name.
    pub(super) fn find_hidden_name(
        &self,
        link: impl Fn(&OsStr) -> io::Result<()>,
    ) -> io::Result<HiddenName<'root>> {
        let linked = with_free_name(|name| match link(name) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                // The link may have been made in spite of the error.
                self.remove_name(name);
                Err(error)
            }
            linked => linked,
        });
        linked.map(|(name, ())| self.hidden(name))
    }

    fn link_unnamed(&self, file: &File, name: &OsStr) -> io::Result<()> {
        match self.system().link_unnamed(file, &self.parent, name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let id = self.system().identify_open(file).ok();
                self.has_name(id.map(|it| it.file), name, error)
            }
            Err(error) if platform::unsupported(&error) => {
                // Android lets programs make unnamed files, but not link them.
                self.root.has_unnamed.store(false, Ordering::Relaxed);
                Err(error)
            }
            linked => linked,
        }
    }

    /// Returns `error`, which says that the name is taken, unless the file itself has the name. A first call may have
    /// made the link although it was interrupted, or although a network lost its answer.
    pub(super) fn has_name(
        &self,
        file: Option<FileId>,
        name: &OsStr,
        error: io::Error,
    ) -> io::Result<()> {
        let found = self.system().status(&self.parent, name);
        let found = found.ok().and_then(|found| found.id);
        if file.is_some() && file == found {
            return Ok(());
        }
        Err(error)
    }

    /// Gives a closed file its name. It keeps its hidden name if that is not renamed.
    fn link_hidden(&self, hidden: &mut HiddenName<'_>) -> io::Result<()> {
        match self.system().link(&self.parent, &hidden.name, &self.name) {
            Err(error) if platform::unsupported(&error) => self.rename_hidden(hidden),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let file = self.system().status(&self.parent, &hidden.name);
                let file = file.ok().and_then(|file| file.id);
                self.has_name(file, &self.name, error)
            }
            linked => linked,
        }
    }

    /// Gives a closed file its name without a link.
    fn rename_hidden(&self, hidden: &mut HiddenName<'_>) -> io::Result<()> {
        match hidden.rename_new(&self.name) {
            Err(error) if platform::unsupported(&error) => {
                // An empty file holds the name. Otherwise the rename could replace a file that appears now.
                drop(self.system().create(&self.parent, &self.name)?);
                (hidden.rename(&self.name)).inspect_err(|_| self.remove_name(&self.name))
            }
            renamed => renamed,
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Arc;

    use super::*;
    use crate::fs::system::BUFFER;
    use crate::fs::{System, WriteAt as _};
    use crate::testing::{Call, Faulty};

    fn is_named(file: Complete<'_>) -> bool {
        matches!(file.place().unwrap(), NameOutcome::Named)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_new_file_has_no_name_before_its_final_one() {
        let dir = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(dir.path()).unwrap().count();
        let root = System::real().root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        draft.write_at(b"whole", 0).unwrap();
        assert_eq!(names(), 0);
        let closed = draft.close(Over::Nothing).unwrap();
        assert_eq!(names(), 0);
        assert!(is_named(closed));
        assert_eq!(fs::read(dir.path().join("file")).unwrap(), b"whole");
    }

    /// Unnamed files have to stay open, and a program may open only so many.
    #[test]
    #[cfg(target_os = "linux")]
    fn few_of_many_waiting_files_are_open() {
        let dir = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(dir.path()).unwrap().count();
        let root = System::real().root(dir.path());
        let mut waiting = Vec::new();
        for number in 0_u32..80 {
            let draft = root.draft(&PathBuf::from(number.to_string())).unwrap();
            draft.write_at(&number.to_le_bytes(), 0).unwrap();
            waiting.push(draft.close(Over::Nothing).unwrap());
        }
        assert_eq!(names(), 80 - 64, "the others have no name yet");
        for closed in waiting {
            assert!(is_named(closed));
        }
        assert_eq!(names(), 80);
        for number in 0_u32..80 {
            let content = fs::read(dir.path().join(number.to_string())).unwrap();
            assert_eq!(content, number.to_le_bytes());
        }
        // None waits any more, so the next one is unnamed again.
        let draft = root.draft(Path::new("last")).unwrap();
        let closed = draft.close(Over::Nothing).unwrap();
        assert_eq!(names(), 80);
        drop(closed);
        assert!(root.finish().is_empty());
    }

    /// A file that appears under the name meanwhile is replaced, and its permissions are kept.
    #[test]
    fn a_file_that_waits_can_replace_what_has_appeared() {
        for lacks in [&[][..], &[Call::CreateUnnamed], &[Call::LinkUnnamed]] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("file");
            let root = System::new(Arc::new(Faulty::lacking(lacks))).root(dir.path());
            let draft = root.draft(Path::new("file")).unwrap();
            draft.write_at(b"ours", 0).unwrap();
            let closed = draft.close(Over::Nothing).unwrap();
            fs::write(&path, b"theirs").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            let NameOutcome::Taken(closed) = closed.place().unwrap() else {
                panic!("the name is taken");
            };
            assert_eq!(fs::read(&path).unwrap(), b"theirs");
            closed.replace().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"ours");
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640, "without {lacks:?}");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_file_has_the_rights_that_any_new_file_has() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("plain"), b"").unwrap();
        let mode = |name| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
        let root = System::real().root(dir.path());
        for over in [Over::Nothing, Over::Old] {
            let draft = root.draft(Path::new("file")).unwrap();
            draft.commit(over).unwrap();
            assert_eq!(mode("file"), mode("plain"));
        }
    }

    /// Four system calls, with the one that closes the file.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_small_new_file_takes_no_more_calls_than_it_must() {
        let dir = tempfile::tempdir().unwrap();
        let calls = Arc::new(Faulty::default());
        let root = System::new(Arc::clone(&calls) as Arc<_>).root(dir.path());
        for name in ["first", "second"] {
            let draft = root.draft(Path::new(name)).unwrap();
            draft.write_at(b"small", 0).unwrap();
            draft.commit(Over::Nothing).unwrap();
        }
        use Call::{CreateUnnamed, LinkUnnamed, OpenRoot, Write};
        let file = [CreateUnnamed, Write, LinkUnnamed];
        let once = [OpenRoot];
        assert_eq!(calls.log(), [&once, &file[..], &file].concat());
    }

    /// Without this call, a file has a hidden name from the start.
    const UNNAMED: Call = Call::CreateUnnamed;

    /// Writes `file`, and returns the calls after the temporary file was created.
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
        let made = [Call::OpenRoot, Call::CreateUnnamed];
        let after = log.strip_prefix(&made[..]).unwrap();
        after.strip_prefix(&[Call::Create]).unwrap_or(after).to_vec()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn data_is_synced_before_the_name_and_the_end() {
        use Call::{Link, LinkUnnamed, Remove, Rename, Status, SyncDir, SyncFile};
        for (over, lacks, expected) in [
            (Over::Nothing, &[][..], &[LinkUnnamed][..]),
            (Over::Old, &[], &[Status, SyncFile, LinkUnnamed, Rename, SyncDir]),
            (Over::Nothing, &[UNNAMED], &[Link, Remove]),
            (Over::Old, &[UNNAMED], &[Status, SyncFile, Rename, SyncDir]),
        ] {
            assert_eq!(calls_of(over, lacks), expected, "{over:?} {lacks:?}");
        }
    }

    /// Android lets a program make an unnamed file, but not link it.
    #[test]
    #[cfg(target_os = "linux")]
    fn an_unnamed_file_is_copied_if_linking_fails() {
        let dir = tempfile::tempdir().unwrap();
        let calls = Arc::new(Faulty::lacking(&[Call::LinkUnnamed]));
        let root = System::new(Arc::clone(&calls) as Arc<_>).root(dir.path());
        let content = vec![7; 3 * BUFFER + 5];
        for (name, over) in [("first", Over::Nothing), ("second", Over::Old)] {
            let draft = root.draft(Path::new(name)).unwrap();
            draft.write_at(&content, 0).unwrap();
            draft.commit(over).unwrap();
            assert!(fs::read(dir.path().join(name)).unwrap() == content);
        }
        assert!(root.finish().is_empty());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        let unnamed = (calls.log().into_iter()).filter(|call| *call == Call::CreateUnnamed);
        assert_eq!(unnamed.count(), 1);
    }

    #[test]
    fn without_hard_links_renames_spare_what_exists() {
        use Call::{Create, Link, Rename, RenameNew};
        let calls = calls_of(Over::Nothing, &[UNNAMED, Link]);
        assert_eq!(calls, [Link, RenameNew]);
        let calls = calls_of(Over::Nothing, &[UNNAMED, Link, RenameNew]);
        assert_eq!(calls, [Link, RenameNew, Create, Rename]);
    }

    #[test]
    fn what_somebody_else_has_made_meanwhile_stays() {
        for lacks in [
            &[][..],
            &[UNNAMED],
            &[Call::LinkUnnamed],
            &[UNNAMED, Call::Link],
            &[UNNAMED, Call::Link, Call::RenameNew],
        ] {
            let dir = tempfile::tempdir().unwrap();
            let calls = Arc::new(Faulty::lacking(lacks));
            let root = System::new(calls).root(dir.path());
            let draft = root.draft(Path::new("file")).unwrap();
            draft.write_at(b"ours", 0).unwrap();
            fs::write(dir.path().join("file"), b"theirs").unwrap();
            let error = draft.commit(Over::Nothing).unwrap_err();
            assert_eq!(error.step(), FileAction::PLACING);
            assert_eq!(error.cause().kind(), ErrorKind::AlreadyExists);
            assert_eq!(fs::read(dir.path().join("file")).unwrap(), b"theirs");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_replaced_file_keeps_permissions_but_not_setuid() {
        let rights = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        for (old, expected) in [(0o600, 0o600), (0o444, 0o444), (0o777, 0o777), (0o6755, 0o755)] {
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
        root.draft(Path::new("new")).unwrap().commit(Over::Nothing).unwrap();
        std::os::unix::fs::symlink("new", dir.path().join("link")).unwrap();
        root.draft(Path::new("link")).unwrap().commit(Over::Old).unwrap();
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
        assert_eq!(error.step(), FileAction::KEEPING);
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
        assert_eq!(error.step(), FileAction::REPLACING);
        assert!(dir.path().join("name").is_dir());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
