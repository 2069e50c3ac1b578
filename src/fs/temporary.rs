//! A file that does not have its final name yet: it has no name at all, or a hidden one beside the final
//! one.
//!
//! An unnamed file (`O_TMPFILE`) is gone as soon as nobody has it open, so that even a killed run leaves
//! nothing. It takes a system that has such files, and `/proc` to link them. Without these, and while a file
//! is renamed over another, it has a name such as `.daisho-1234abcd.tmp`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use cap_std::fs::Dir;

use super::directories::{Root, split};
use super::error::{CommitError, Step};
use super::platform;
use super::status::{FileId, Kind, Status};
use super::system::System;

const PREFIX: &str = ".daisho-";
const SUFFIX: &str = ".tmp";

/// How many hidden names are tried. There are 2^32, so if more than a few are taken, somebody takes them on
/// purpose.
const NAMES_MAX: usize = 1000;

/// How many unnamed files wait for their names at once. They are open, and few systems let a program open
/// less than 256 files.
const WAITING_MAX: usize = 64;

/// How much of a file is copied at once.
const BUFFER: usize = 128 << 10;

/// The first number of this process's hidden names. Other processes most likely begin elsewhere.
static START: LazyLock<u32> = LazyLock::new(|| {
    let [a, b, c, d, ..] = RandomState::new()
        .hash_one(std::process::id())
        .to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
});
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A hidden name that no other file has, most likely.
pub(super) fn next_name() -> OsString {
    let number = START.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed));
    format!("{PREFIX}{number:08x}{SUFFIX}").into()
}

/// Whether this is the name of a temporary file. A killed run may have left it, and it is not one of the
/// user's files.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let number = (name.as_encoded_bytes())
        .strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    number.is_some_and(|digits| digits.len() == 8 && digits.iter().all(u8::is_ascii_hexdigit))
}

/// What may have the name that a file is to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Nothing. If somebody has made something there meanwhile, it stays.
    Nothing,
    /// An old file or a link, which is replaced; or nothing.
    Old,
}

/// A whole file without its final name. If it is dropped, there was never anything.
#[derive(Debug)]
pub(crate) struct Temporary<'root> {
    pub(super) root: &'root Root,
    pub(super) parent: Arc<Dir>,
    /// The final name.
    pub(super) target: OsString,
    /// The final path, for messages.
    pub(super) path: PathBuf,
    /// What it may replace, which is known when it is whole.
    over: Over,
    /// The hidden name, if the file has one.
    pub(super) hidden: Option<OsString>,
    /// The unnamed file, once it is whole.
    waiting: Option<Waiting<'root>>,
}

/// An unnamed file that waits for its name, and has to stay open.
#[derive(Debug)]
struct Waiting<'root> {
    file: File,
    count: &'root AtomicUsize,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<'root> Temporary<'root> {
    /// Creates the file.
    pub(super) fn create(root: &'root Root, relative: &Path) -> Result<(Self, File), CommitError> {
        let mut temporary = Self::new(root, relative, Over::Nothing)?;
        let created = temporary.create_unnamed_or_hidden();
        let file = created.map_err(|error| temporary.failed(Step::Creating, error))?;
        Ok((temporary, file))
    }

    /// A file that has yet to be created.
    pub(super) fn new(root: &'root Root, relative: &Path, over: Over) -> Result<Self, CommitError> {
        let (parent, target) = split(relative)?;
        Ok(Self {
            root,
            parent: root.parent_for_writing(parent)?,
            target: target.to_owned(),
            path: root.full(relative),
            over,
            hidden: None,
            waiting: None,
        })
    }

    fn create_unnamed_or_hidden(&mut self) -> io::Result<File> {
        let has_unnamed = &self.root.has_unnamed;
        if has_unnamed.load(Ordering::Relaxed) {
            match self.system().create_unnamed(&self.parent) {
                Err(error) if platform::lacks_unnamed(&error) => {
                    has_unnamed.store(false, Ordering::Relaxed);
                }
                created => return created,
            }
        }
        self.create_hidden()
    }

    fn create_hidden(&mut self) -> io::Result<File> {
        let (name, file) = with_free_name(|name| self.system().create(&self.parent, name))?;
        self.hidden = Some(name);
        Ok(file)
    }

    /// Says that the file is whole. Only an unnamed file stays open.
    pub(super) fn close(&mut self, file: File, over: Over) -> Result<(), CommitError> {
        self.over = over;
        self.prepare(&file)?;
        if self.hidden.is_some() {
            // Some network file systems send the rest only when the file is closed.
            return Ok(());
        }
        let count = &self.root.waiting;
        let others = count.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting { file, count };
        if others >= WAITING_MAX {
            return self.hide(&waiting.file);
        }
        self.waiting = Some(waiting);
        Ok(())
    }

    /// Gives the file its name. After an error there is no temporary any more, and under the name
    /// what was there before; except after [`Step::Syncing`], where the file may have been placed
    /// whole but might not survive a power cut. If something has appeared where nothing was to be, that
    /// stays, and the file comes back.
    pub(crate) fn commit(mut self) -> Result<Option<Self>, CommitError> {
        let has_name = self.publish()?;
        Ok((!has_name).then_some(self))
    }

    /// Gives the file its name over what has appeared there since it was closed.
    pub(crate) fn replace(mut self) -> Result<(), CommitError> {
        if self.over == Over::Nothing {
            self.over = Over::Old;
            self.prepare_again()?;
        }
        self.publish().map(drop)
    }

    fn prepare_again(&self) -> Result<(), CommitError> {
        if let Some(waiting) = &self.waiting {
            return self.prepare(&waiting.file);
        }
        let hidden = self.hidden.as_deref().unwrap_or_default();
        let file = self.system().reopen(&self.parent, hidden);
        let file = file.map_err(|error| self.failed(Step::Replacing, error))?;
        self.prepare(&file)
    }

    /// A file that replaces another gets its permissions, and is on the disk before it gets its name.
    fn prepare(&self, file: &File) -> Result<(), CommitError> {
        if self.over == Over::Nothing {
            return Ok(());
        }
        self.keep_permissions(file)
            .map_err(|error| self.failed(Step::Keeping, error))?;
        (self.system().sync_file(file)).map_err(|error| self.failed(Step::Syncing, error))
    }

    /// Gives the file the permissions of the one that it replaces. Those that a new one would get
    /// may be wider, so where that fails nothing is replaced. A link has none of its own.
    fn keep_permissions(&self, file: &File) -> io::Result<()> {
        match self.system().status(&self.parent, &self.target) {
            Ok(Status {
                kind: Kind::File,
                permissions: Some(permissions),
                ..
            }) => self.system().set_permissions(file, permissions),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Gives the file its name. `false` if something has appeared there, and the file is still without it.
    fn publish(&mut self) -> Result<bool, CommitError> {
        if self.over == Over::Old {
            self.rename_over()?;
        } else if !self.place()? {
            return Ok(false);
        }
        self.root.hold(&self.path);
        if self.over == Over::Old {
            (self.system().sync_dir(&self.parent))
                .map_err(|error| self.failed(Step::Syncing, error))?;
        }
        Ok(true)
    }

    /// Gives the file its name over whatever file has it.
    fn rename_over(&mut self) -> Result<(), CommitError> {
        // Nothing but a name can be renamed.
        if let Some(waiting) = self.waiting.take() {
            self.hide(&waiting.file)?;
        }
        (self.rename_hidden()).map_err(|error| self.failed(Step::Replacing, error))
    }

    /// Gives the file its name, or returns `false` if that is taken.
    fn place(&mut self) -> Result<bool, CommitError> {
        if let Some(waiting) = self.waiting.take() {
            match self.link_unnamed(&waiting.file, &self.target) {
                Err(error) if platform::unsupported(&error) => {
                    self.hide_copy(&waiting.file)?;
                }
                linked => {
                    let is_placed = self.is_placed(linked)?;
                    self.waiting = (!is_placed).then_some(waiting);
                    return Ok(is_placed);
                }
            }
        }
        let placed = self.place_hidden();
        self.is_placed(placed)
    }

    /// Whether a name was free.
    fn is_placed(&self, placed: io::Result<()>) -> Result<bool, CommitError> {
        match placed {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(self.failed(Step::Placing, error)),
        }
    }

    /// Gives an unnamed file a hidden name. If the system cannot link it, a copy gets the name.
    fn hide(&mut self, file: &File) -> Result<(), CommitError> {
        match self.find_hidden_name(|name| self.link_unnamed(file, name)) {
            Ok(name) => {
                self.hidden = Some(name);
                Ok(())
            }
            Err(error) if platform::unsupported(&error) => self.hide_copy(file),
            Err(error) => Err(self.failed(Step::Placing, error)),
        }
    }

    /// Tries to link a file to hidden names, until one is free.
    pub(super) fn find_hidden_name(
        &self,
        link: impl Fn(&OsStr) -> io::Result<()>,
    ) -> io::Result<OsString> {
        let linked = with_free_name(|name| match link(name) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                // An error does not always mean that nothing was done.
                self.remove_name(name);
                Err(error)
            }
            linked => linked,
        });
        linked.map(|(name, ())| name)
    }

    /// Copies a file into one with a hidden name.
    pub(super) fn hide_copy(&mut self, file: &File) -> Result<(), CommitError> {
        let created = self.create_hidden();
        let copy = created.map_err(|error| self.failed(Step::Creating, error))?;
        self.copy(file, &copy)
            .map_err(|error| self.failed(Step::Writing, error))?;
        self.prepare(&copy)
    }

    fn copy(&self, from: &File, to: &File) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        let mut at = 0;
        loop {
            let read = self.system().read_at(from, &mut buffer, at)?;
            let bytes = buffer.get(..read).unwrap_or_default();
            if bytes.is_empty() {
                return Ok(());
            }
            self.system().write_all(to, bytes, at)?;
            at += read as u64;
        }
    }

    fn link_unnamed(&self, file: &File, name: &OsStr) -> io::Result<()> {
        match self.system().link_unnamed(file, &self.parent, name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.has_name(self.system().identify_open(file).ok(), name, error)
            }
            Err(error) if platform::unsupported(&error) => {
                // Android lets programs make unnamed files, and not link them.
                self.root.has_unnamed.store(false, Ordering::Relaxed);
                Err(error)
            }
            linked => linked,
        }
    }

    /// Fails with `error`, a name that is taken, unless the file has it. A link that was interrupted, or
    /// whose answer a network has lost, is done all the same, and the second try finds the name taken.
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

    fn place_hidden(&mut self) -> io::Result<()> {
        let hidden = self.hidden.as_deref().unwrap_or_default();
        match self.system().link(&self.parent, hidden, &self.target) {
            Err(error) if platform::unsupported(&error) => return self.place_without_link(),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let file = self.system().status(&self.parent, hidden);
                let file = file.ok().and_then(|file| file.id);
                self.has_name(file, &self.target, error)?;
            }
            linked => linked?,
        }
        self.remove();
        Ok(())
    }

    fn place_without_link(&mut self) -> io::Result<()> {
        let hidden = self.hidden.as_deref().unwrap_or_default();
        let renamed = (self.system()).rename_new(&self.parent, hidden, &self.target);
        match renamed {
            Err(error) if platform::unsupported(&error) => {
                // Only this keeps a file that somebody makes now from being replaced.
                drop(self.system().create(&self.parent, &self.target)?);
                self.rename_hidden()
                    .inspect_err(|_| self.remove_name(&self.target))
            }
            Err(error) => Err(error),
            Ok(()) => {
                self.hidden = None;
                Ok(())
            }
        }
    }

    fn rename_hidden(&mut self) -> io::Result<()> {
        let hidden = self.hidden.as_deref().unwrap_or_default();
        (self.system()).rename(&self.parent, hidden, &self.target)?;
        self.hidden = None;
        Ok(())
    }

    fn system(&self) -> &'root System {
        &self.root.system
    }

    /// An error about the file.
    pub(super) fn failed(&self, step: Step, cause: io::Error) -> CommitError {
        CommitError::new(step, &self.path, cause)
    }

    /// Removes the hidden name, or has [`Root`] remember that it could not be removed.
    fn remove(&mut self) {
        if let Some(name) = self.hidden.take() {
            self.remove_name(&name);
        }
    }

    /// Removes a name beside the target, or has [`Root`] remember that it could not be removed.
    fn remove_name(&self, name: &OsStr) {
        let path = self.path.with_file_name(name);
        self.root.remove_temporary(&self.parent, name, &path);
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Tries hidden names until `make` finds one that is free.
fn with_free_name<T>(make: impl Fn(&OsStr) -> io::Result<T>) -> io::Result<(OsString, T)> {
    for _ in 0..NAMES_MAX {
        let name = next_name();
        match make(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return Ok((name, made?)),
        }
    }
    let why = "every name for a temporary is taken";
    Err(io::Error::new(ErrorKind::AlreadyExists, why))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Arc;

    use super::*;
    use crate::archive::Sink as _;
    use crate::fs::System;
    use crate::testing::{Call, Faulty};

    /// What a file takes that has a hidden name from the first.
    const UNNAMED: Call = Call::CreateUnnamed;

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
        let made = [Call::OpenRoot, Call::CreateUnnamed];
        let after = log.strip_prefix(&made[..]).unwrap();
        after
            .strip_prefix(&[Call::Create])
            .unwrap_or(after)
            .to_vec()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn data_is_on_the_disk_before_the_name_and_the_name_before_the_end() {
        use Call::{Link, LinkUnnamed, Remove, Rename, Status, SyncDir, SyncFile};
        for (over, lacks, expected) in [
            (Over::Nothing, &[][..], &[LinkUnnamed][..]),
            (
                Over::Old,
                &[],
                &[Status, SyncFile, LinkUnnamed, Rename, SyncDir],
            ),
            (Over::Nothing, &[UNNAMED], &[Link, Remove]),
            (Over::Old, &[UNNAMED], &[Status, SyncFile, Rename, SyncDir]),
        ] {
            assert_eq!(calls_of(over, lacks), expected, "{over:?} {lacks:?}");
        }
    }

    /// Android lets a program make an unnamed file, and not link it.
    #[test]
    #[cfg(target_os = "linux")]
    fn an_unnamed_file_that_cannot_be_linked_is_copied_and_the_next_one_is_named() {
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
    fn without_hard_links_a_rename_spares_what_exists_and_without_that_a_file_holds_the_name() {
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
}
