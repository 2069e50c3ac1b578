//! A file that is being written, under a temporary name, from as many threads as there are.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::copy::KernelCopy;
use super::directories::Root;
use super::error::{CommitError, Step};
use super::platform;
use super::system::System;
use super::temporary::{Over, Temporary};
use crate::archive::{ReadAt, Sink, copy_through_memory};

/// How much of two files is compared at once.
const COMPARED_AT_ONCE: usize = 64 * 1024;

/// A file that is being written. It appears under its name with [`Draft::commit`], and if it is
/// dropped before, there was never anything. It holds one open file.
#[derive(Debug)]
pub(crate) struct Draft<'root> {
    // Before the name, so that it is closed before the name is removed: some systems insist.
    file: File,
    temporary: Temporary<'root>,
    kernel_copy: KernelCopy,
}

impl<'root> Draft<'root> {
    /// Begins a file at a path below a root, with the directories that it needs.
    pub(super) fn create(root: &'root Root, relative: &Path) -> Result<Self, CommitError> {
        let (temporary, file) = Temporary::create(root, relative)?;
        Ok(Self {
            file,
            temporary,
            kernel_copy: KernelCopy::default(),
        })
    }

    /// Gives the file its name, as [`Temporary::commit`] does.
    pub(crate) fn commit(self, over: Over) -> Result<(), CommitError> {
        match self.close(over)?.commit()? {
            None => Ok(()),
            Some(closed) => {
                let error = ErrorKind::AlreadyExists.into();
                Err(closed.failed(Step::Placing, error))
            }
        }
    }

    /// Whether the bytes written so far are those of another file.
    pub(crate) fn equals(&self, other: &dyn ReadAt) -> io::Result<bool> {
        let len = self.size()?;
        if len != other.size()? {
            return Ok(false);
        }
        let (mut ours, mut theirs) = (vec![0; COMPARED_AT_ONCE], vec![0; COMPARED_AT_ONCE]);
        let mut at = 0;
        while at < len {
            let read = self.read_full_at(&mut ours, at)?;
            let found = other.read_full_at(&mut theirs, at)?;
            if read == 0 || ours.get(..read) != theirs.get(..found) {
                return Ok(false);
            }
            at += read as u64;
        }
        Ok(true)
    }

    /// Says that all is written; all that is left is to give the file its name. Few files that wait for that
    /// are open, so any number can wait for each other.
    pub(crate) fn close(self, over: Over) -> Result<Temporary<'root>, CommitError> {
        let Self {
            file,
            mut temporary,
            ..
        } = self;
        temporary.close(file, over)?;
        Ok(temporary)
    }

    const fn system(&self) -> &System {
        &self.temporary.root.system
    }
}

impl ReadAt for Draft<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.system().read_at(&self.file, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        self.system().len(&self.file)
    }
}

/// Every error of these carries a [`CommitError`] that names the file, but for those of the source
/// of a copy: [`CommitError::from_io`] tells them apart.
impl Sink for Draft<'_> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let written = self.system().write_all(&self.file, bytes, offset);
        written.map_err(|error| self.temporary.failed(Step::Writing, error).into())
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        (self.system().set_len(&self.file, len))
            .map_err(|error| self.temporary.failed(Step::Sizing, error).into())
    }

    /// Copies `len` bytes, which the source has to have, through the kernel where it can.
    fn copy_from(&self, source: &dyn ReadAt, from: u64, len: u64, to: u64) -> io::Result<()> {
        if from.checked_add(len).is_none() || to.checked_add(len).is_none() {
            return Err(ErrorKind::InvalidInput.into());
        }
        let done = source.as_file().map_or(0, |file| {
            let (from, to) = ((&*file, from), (&self.file, to));
            self.kernel_copy.copy(self.system(), from, to, len)
        });
        copy_through_memory((source, from + done), (self, to + done), len - done)
    }

    /// Reserves space on the disk, so that a full one shows now and not at the end. Where there is
    /// no such call, nothing happens.
    fn expect_len(&self, len: u64) -> io::Result<()> {
        if len == 0 {
            return Ok(());
        }
        match self.system().allocate(&self.file, len) {
            Err(error) if platform::unsupported(&error) => Ok(()),
            result => result.map_err(|error| self.temporary.failed(Step::Reserving, error).into()),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::fs::System;
    use crate::testing::{Call, Fault, Faulty, When};

    #[test]
    fn a_file_is_filled_from_many_threads_in_any_order() {
        let dir = tempfile::tempdir().unwrap();
        let root = System::real().root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        draft.expect_len(4000).unwrap();
        std::thread::scope(|scope| {
            for thread in (0..4_u8).rev() {
                let draft = &draft;
                scope.spawn(move || {
                    for place in (0..1000).rev() {
                        draft
                            .write_at(&[thread], place * 4 + u64::from(thread))
                            .unwrap();
                    }
                });
            }
        });
        // A payload that was given up may have reached further.
        draft.write_at(b"given up", 3999).unwrap();
        draft.write_at(&[3], 3999).unwrap();
        draft.end_at(4000).unwrap();
        draft.commit(Over::Nothing).unwrap();
        assert_eq!(
            fs::read(dir.path().join("file")).unwrap(),
            [0, 1, 2, 3].repeat(1000)
        );
    }

    #[test]
    fn files_that_are_closed_wait_for_their_names_and_are_gone_without() {
        let dir = tempfile::tempdir().unwrap();
        let root = System::real().root(dir.path());
        let close = |name: &str| {
            let draft = root.draft(Path::new(name)).unwrap();
            draft.write_at(name.as_bytes(), 0).unwrap();
            draft.close(Over::Nothing).unwrap()
        };
        let (first, second) = (close("first"), close("second"));
        assert!(!dir.path().join("first").exists());
        first.commit().unwrap();
        drop(second);
        assert_eq!(fs::read(dir.path().join("first")).unwrap(), b"first");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(root.finish().is_empty());
    }

    #[test]
    fn a_draft_that_is_dropped_was_never_there() {
        let dir = tempfile::tempdir().unwrap();
        let calls = Faulty::lacking(&[Call::CreateUnnamed]);
        let root = System::new(Arc::new(calls)).root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        draft.write_at(b"half", 0).unwrap();
        assert!(!dir.path().join("file").exists());
        let temporary = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap();
        let name = temporary.file_name().into_string().unwrap();
        assert!(
            name.starts_with(".daisho-") && name.ends_with(".tmp"),
            "{name}"
        );
        drop(draft);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        assert!(root.finish().is_empty());
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
        assert!(closed.commit().unwrap().is_none());
        assert_eq!(fs::read(dir.path().join("file")).unwrap(), b"whole");
    }

    /// Unnamed files have to stay open, and a program may open only so many.
    #[test]
    #[cfg(target_os = "linux")]
    fn of_many_files_that_wait_for_their_names_few_are_open() {
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
            assert!(closed.commit().unwrap().is_none());
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

    /// What appears under a file's name while it waits is replaced, with its permissions.
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
            let closed = closed.commit().unwrap().expect("the name is taken");
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
        let mode = |name| {
            fs::metadata(dir.path().join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        let root = System::real().root(dir.path());
        for over in [Over::Nothing, Over::Old] {
            let draft = root.draft(Path::new("file")).unwrap();
            draft.commit(over).unwrap();
            assert_eq!(mode("file"), mode("plain"));
        }
    }

    #[test]
    fn an_error_of_a_sink_names_the_file_and_what_failed() {
        let dir = tempfile::tempdir().unwrap();
        // The root is opened, and the temporary created, which has a hidden name here.
        let fault = Fault::Fails(rustix::io::Errno::NOSPC);
        let calls = Faulty::lacking(&[Call::CreateUnnamed]).with(When::From(3), fault);
        let root = System::new(Arc::new(calls)).root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        for (step, result) in [
            (Step::Reserving, draft.expect_len(1)),
            (Step::Writing, draft.write_at(b"1", 0)),
            (Step::Writing, draft.copy_from(&Bytes, 0, 1, 0)),
            (Step::Sizing, draft.end_at(1)),
        ] {
            let error = result.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::StorageFull);
            let error = CommitError::from_io(error).unwrap();
            assert_eq!(error.step(), step);
            assert_eq!(error.path(), dir.path().join("file"));
            assert_eq!(error.cause().raw_os_error(), Some(28));
        }
        drop(draft);
        // Not even the removal has worked, which is told.
        let [left] = &root.finish()[..] else {
            panic!("one error expected");
        };
        assert_eq!(left.step(), Step::Removing);
        assert!(left.path().exists(), "{left}");
    }

    /// Not a file.
    struct Bytes;

    impl ReadAt for Bytes {
        fn read_at(&self, buffer: &mut [u8], _: u64) -> io::Result<usize> {
            buffer.fill(b'x');
            Ok(buffer.len())
        }

        fn size(&self) -> io::Result<u64> {
            Ok(u64::MAX)
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
}
