//! Outputs that are written at any offset: the trait [`WriteAt`], and a file that is not complete yet, a [`Draft`].
//!
//! Many threads write to a sink through `&self`, in any order. `naming` gives a draft its name when it is complete.
//! Until then it has no name (`O_TMPFILE`), so even a killed run leaves nothing behind. This needs a system with
//! unnamed files, and `/proc` to link them. On other systems, and while a file is renamed over another one, it has a
//! hidden name such as `.daisho-1234abcd.tmp`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
#[cfg(all(test, unix))]
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use super::error::{CommitError, FileAction};
use super::platform::{self, Dir};
use super::root::{Root, split};
use super::system::{BUFFER, System};
use crate::archive::ReadAt;

/// An output that is written at any offset. Gaps between written ranges are zero.
pub(crate) trait WriteAt: Sync {
    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    /// Any error of the sink.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Sets the length to `len`. Called after everything is written, because a payload that was tried and
    /// dropped may have been longer than the rest.
    ///
    /// # Errors
    /// Any error of the sink.
    fn end_at(&self, len: u64) -> io::Result<()>;

    /// Copies `len` bytes of `source` from offset `from` to offset `to`. By default it reads and writes. A sink may
    /// have a faster way, such as the kernel's copy between [files](ReadAt::as_file).
    ///
    /// # Errors
    /// Any error of the source or the sink, and `UnexpectedEof` if the source is too short.
    fn copy_from(&self, source: &dyn ReadAt, from: u64, len: u64, to: u64) -> io::Result<()> {
        copy_through_memory((source, from), (self, to), len)
    }

    /// Whether a copy of a file's range refers to that file, and so takes the same time for any length.
    fn copies_by_reference(&self) -> bool {
        false
    }

    /// Announces the final length, so that a sink can reserve space.
    ///
    /// # Errors
    /// Any error of the sink, such as a lack of space.
    fn expect_len(&self, len: u64) -> io::Result<()> {
        let _ = len;
        Ok(())
    }
}

/// Copies `len` bytes by reading and writing them. Fails if the source has fewer.
pub(crate) fn copy_through_memory(
    (source, from): (&dyn ReadAt, u64),
    (sink, to): (&(impl WriteAt + ?Sized), u64),
    len: u64,
) -> io::Result<()> {
    let mut buffer = vec![0; usize::try_from(len).unwrap_or(BUFFER).min(BUFFER)];
    let mut done = 0;
    while done < len {
        let count = usize::try_from(len - done).unwrap_or(BUFFER).min(BUFFER);
        let chunk = buffer.get_mut(..count).unwrap_or_default();
        if source.read_full_at(chunk, from + done)? < count {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        sink.write_at(chunk, to + done)?;
        done += count as u64;
    }
    Ok(())
}

/// The most bytes that the kernel copies at once. A signal does not interrupt such a copy, and so many bytes take a
/// fraction of a second.
const KERNEL_COPY_MAX: usize = 64 << 20;

/// What may be replaced when a file gets its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Nothing. If something has appeared under the name meanwhile, it stays.
    Nothing,
    /// An old file or a link, if one exists.
    Old,
}

/// A file that is being written. If it is dropped before it has its name, nothing is left of it.
#[derive(Debug)]
pub(crate) struct Draft<'root> {
    pub(super) place: FilePlace<'root>,
    pub(super) file: File,
    /// The hidden name, if the system has no unnamed files. It is removed after the file is closed, because some systems
    /// cannot remove the name of an open file.
    pub(super) hidden: Option<HiddenName<'root>>,
    /// Whether the kernel cannot copy into this file.
    lacks_copy: AtomicBool,
}

/// Where a file goes: its directory and its final name.
#[derive(Debug)]
pub(super) struct FilePlace<'root> {
    pub(super) root: &'root Root,
    pub(super) parent: Arc<Dir>,
    pub(super) name: OsString,
    /// Its path below the root.
    pub(super) relative: PathBuf,
    /// Its path, for messages.
    pub(super) path: PathBuf,
}

/// A hidden name of a file, which is removed when this is dropped.
#[derive(Debug)]
pub(super) struct HiddenName<'root> {
    root: &'root Root,
    parent: Arc<Dir>,
    pub(super) name: OsString,
    path: PathBuf,
    /// Whether the file still has this name.
    is_there: bool,
}

impl Root {
    /// Begins a file at a path below the root. Makes the directories of the path if they are missing.
    pub(crate) fn draft(&self, relative: &Path) -> Result<Draft<'_>, CommitError> {
        let place = FilePlace::new(self, relative)?;
        let (file, hidden) =
            place.create().map_err(|error| place.failed(FileAction::CREATING, error))?;
        Ok(Draft { place, file, hidden, lacks_copy: AtomicBool::new(false) })
    }
}

impl<'root> FilePlace<'root> {
    /// The place of a file below the root. Makes the directories of the path if they are missing.
    pub(super) fn new(root: &'root Root, relative: &Path) -> Result<Self, CommitError> {
        let (parent, name) = split(relative)?;
        Ok(Self {
            root,
            parent: root.parent_for_writing(parent)?,
            name: name.to_owned(),
            relative: relative.to_path_buf(),
            path: root.full(relative),
        })
    }

    /// Creates a file without a name, or with a hidden one if the system has no unnamed files.
    fn create(&self) -> io::Result<(File, Option<HiddenName<'root>>)> {
        let has_unnamed = &self.root.has_unnamed;
        if has_unnamed.load(Ordering::Relaxed) {
            match self.system().create_unnamed(&self.parent) {
                Err(error) if platform::lacks_unnamed(&error) => {
                    has_unnamed.store(false, Ordering::Relaxed);
                }
                created => return Ok((created?, None)),
            }
        }
        let (file, hidden) = self.create_hidden()?;
        Ok((file, Some(hidden)))
    }

    /// Creates a file with a hidden name.
    pub(super) fn create_hidden(&self) -> io::Result<(File, HiddenName<'root>)> {
        let (name, file) = with_free_name(|name| self.system().create(&self.parent, name))?;
        Ok((file, self.hidden(name)))
    }

    /// A hidden name that a file has in the directory.
    pub(super) fn hidden(&self, name: OsString) -> HiddenName<'root> {
        HiddenName {
            root: self.root,
            parent: Arc::clone(&self.parent),
            path: self.path.with_file_name(&name),
            name,
            is_there: true,
        }
    }

    pub(super) fn system(&self) -> &'root System {
        &self.root.system
    }

    /// An error about the file.
    pub(super) fn failed(&self, step: FileAction, cause: io::Error) -> CommitError {
        CommitError::new(step, &self.path, cause)
    }

    /// Removes a name in the directory. If that fails, [`Root::finish`] reports it.
    pub(super) fn remove_name(&self, name: &OsStr) {
        let path = self.path.with_file_name(name);
        self.root.remove_temporary(&self.parent, name, &path);
    }
}

impl HiddenName<'_> {
    /// Renames the file. A file that has the new name is replaced.
    pub(super) fn rename(&mut self, new: &OsStr) -> io::Result<()> {
        (self.root.system).rename(&self.parent, &self.name, new)?;
        self.is_there = false;
        Ok(())
    }

    /// Renames the file. A new name that is taken is an error.
    pub(super) fn rename_new(&mut self, new: &OsStr) -> io::Result<()> {
        (self.root.system).rename_new(&self.parent, &self.name, new)?;
        self.is_there = false;
        Ok(())
    }

    /// Leaves the file this name, and returns it.
    pub(super) fn leave(mut self) -> OsString {
        self.is_there = false;
        core::mem::take(&mut self.name)
    }
}

impl Drop for HiddenName<'_> {
    fn drop(&mut self) {
        if self.is_there {
            self.root.remove_temporary(&self.parent, &self.name, &self.path);
        }
    }
}

impl Draft<'_> {
    /// Its path below the root.
    pub(crate) fn relative(&self) -> &Path {
        &self.place.relative
    }

    /// Whether the bytes written so far equal the content of another file.
    pub(crate) fn equals(&self, other: &dyn ReadAt) -> io::Result<bool> {
        let len = self.size()?;
        if len != other.size()? {
            return Ok(false);
        }
        let (mut ours, mut theirs) = (vec![0; BUFFER], vec![0; BUFFER]);
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

    /// Lets the kernel copy as many bytes as it can, and returns their number.
    ///
    /// An error of the kernel's copy does not say whether the read or the write failed. So after any error the rest
    /// goes through memory: a plain read or a plain write then meets the same fault, and reports it.
    fn copy_in_kernel(&self, from: (&File, u64), to: u64, len: u64) -> u64 {
        let mut done = 0;
        while done < len && !self.lacks_copy.load(Ordering::Relaxed) {
            let rest = usize::try_from(len - done).unwrap_or(KERNEL_COPY_MAX);
            let (from, to) = ((from.0, from.1 + done), (&self.file, to + done));
            match (self.place.system()).copy_range(from, to, rest.min(KERNEL_COPY_MAX)) {
                // The end of the source, or a file whose length the kernel does not know. A read will tell.
                Ok(0) => break,
                Ok(copied) => done += copied as u64,
                Err(error) => {
                    if platform::unsupported(&error) {
                        self.lacks_copy.store(true, Ordering::Relaxed);
                    }
                    break;
                }
            }
        }
        done.min(len)
    }
}

impl ReadAt for Draft<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.place.system().read_at(&self.file, buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        self.place.system().len(&self.file)
    }
}

/// Errors of the file contain a [`CommitError`] that names it. Errors of the source of a copy do not:
/// [`CommitError::from_io`] tells the two apart.
impl WriteAt for Draft<'_> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let written = self.place.system().write_all(&self.file, bytes, offset);
        written.map_err(|error| self.place.failed(FileAction::WRITING, error).into())
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        (self.place.system().set_len(&self.file, len))
            .map_err(|error| self.place.failed(FileAction::SIZING, error).into())
    }

    /// Copies `len` bytes, through the kernel if that is possible.
    fn copy_from(&self, source: &dyn ReadAt, from: u64, len: u64, to: u64) -> io::Result<()> {
        if from.checked_add(len).is_none() || to.checked_add(len).is_none() {
            return Err(ErrorKind::InvalidInput.into());
        }
        let done =
            source.as_file().map_or(0, |source| self.copy_in_kernel((&*source, from), to, len));
        copy_through_memory((source, from + done), (self, to + done), len - done)
    }

    fn copies_by_reference(&self) -> bool {
        cfg!(target_os = "wasi") // the page refers to the file that was dropped
    }

    /// Reserves space, so that a full disk is reported now and not at the end. If the system has no such call,
    /// nothing happens.
    fn expect_len(&self, len: u64) -> io::Result<()> {
        if len == 0 {
            return Ok(());
        }
        match self.place.system().allocate(&self.file, len) {
            Err(error) if platform::unsupported(&error) => Ok(()),
            result => {
                result.map_err(|error| self.place.failed(FileAction::RESERVING, error).into())
            }
        }
    }
}

const PREFIX: &str = ".daisho-";
const SUFFIX: &str = ".tmp";

/// How many hidden names are tried. There are 2^32 of them, so if more than a few are taken, somebody does that on
/// purpose.
const NAMES_MAX: usize = 1000;

/// The number of the next hidden name. The first one is random, so other processes use other names.
static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| {
    let [a, b, c, d, ..] = RandomState::new().hash_one(PREFIX).to_le_bytes();
    AtomicU32::new(u32::from_le_bytes([a, b, c, d]))
});

/// Returns a hidden name that most likely no other file has.
pub(crate) fn next_name() -> OsString {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{PREFIX}{number:08x}{SUFFIX}").into()
}

/// Whether this is the hidden name of a draft. A killed run may have left such a file, which is not one of the user's
/// files.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let number = (name.as_encoded_bytes())
        .strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    number.is_some_and(|digits| digits.len() == 8 && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Tries hidden names until `make` finds one that is free.
pub(super) fn with_free_name<T>(
    make: impl Fn(&OsStr) -> io::Result<T>,
) -> io::Result<(OsString, T)> {
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

/// A sink in memory.
#[cfg(test)]
#[cfg(unix)]
#[derive(Debug, Default)]
pub(crate) struct MemorySink(Mutex<Vec<u8>>);

#[cfg(test)]
#[cfg(unix)]
impl MemorySink {
    /// Creates an empty sink.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The bytes that were written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap()
    }
}

#[cfg(test)]
#[cfg(unix)]
impl WriteAt for MemorySink {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let too_far = || io::Error::from(io::ErrorKind::FileTooLarge);
        let start = usize::try_from(offset).map_err(|_| too_far())?;
        let end = start.checked_add(bytes.len()).ok_or_else(too_far)?;
        let mut all = crate::fs::lock(&self.0);
        if all.len() < end {
            all.resize(end, 0);
        }
        if let Some(place) = all.get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn end_at(&self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?;
        crate::fs::lock(&self.0).resize(len, 0);
        Ok(())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use rustix::io::Errno;

    use super::*;
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
                        draft.write_at(&[thread], place * 4 + u64::from(thread)).unwrap();
                    }
                });
            }
        });
        // A payload that was given up may have reached further.
        draft.write_at(b"given up", 3999).unwrap();
        draft.write_at(&[3], 3999).unwrap();
        draft.end_at(4000).unwrap();
        draft.commit(Over::Nothing).unwrap();
        assert_eq!(fs::read(dir.path().join("file")).unwrap(), [0, 1, 2, 3].repeat(1000));
    }

    #[test]
    fn closed_files_wait_for_names_or_vanish() {
        let dir = tempfile::tempdir().unwrap();
        let root = System::real().root(dir.path());
        let close = |name: &str| {
            let draft = root.draft(Path::new(name)).unwrap();
            draft.write_at(name.as_bytes(), 0).unwrap();
            draft.close(Over::Nothing).unwrap()
        };
        let (first, second) = (close("first"), close("second"));
        assert!(!dir.path().join("first").exists());
        first.place().unwrap();
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
        assert!(name.starts_with(".daisho-") && name.ends_with(".tmp"), "{name}");
        drop(draft);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        assert!(root.finish().is_empty());
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
            (FileAction::RESERVING, draft.expect_len(1)),
            (FileAction::WRITING, draft.write_at(b"1", 0)),
            (FileAction::WRITING, draft.copy_from(&Bytes, 0, 1, 0)),
            (FileAction::SIZING, draft.end_at(1)),
        ] {
            let error = result.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::StorageFull);
            let error = CommitError::from_io(error).unwrap();
            assert_eq!(error.step(), step);
            assert_eq!(error.path(), dir.path().join("file"));
            assert_eq!(error.cause().raw_os_error(), Some(28));
        }
        drop(draft);
        // The removal failed, too, and an error says so.
        let [left] = &root.finish()[..] else {
            panic!("one error expected");
        };
        assert_eq!(left.step(), FileAction::REMOVING);
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

    const LEN: usize = 3 * BUFFER + 5;

    fn sample() -> Vec<u8> {
        (0..=250).cycle().take(LEN).collect()
    }

    /// Copies all of a file but its first byte in two parts, the second first; gives the calls.
    fn copied(calls: Faulty) -> Vec<Call> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("source");
        fs::write(&path, sample()).unwrap();
        let calls = Arc::new(calls);
        let system = System::new(Arc::clone(&calls) as Arc<_>);
        let source = system.adopt(&path, File::open(&path).unwrap());
        let root = system.root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        let (half, rest) = (BUFFER as u64, (LEN - 1 - BUFFER) as u64);
        draft.copy_from(&source, 1 + half, rest, half).unwrap();
        draft.copy_from(&source, 1, half, 0).unwrap();
        draft.commit(Over::Nothing).unwrap();
        assert!(fs::read(dir.path().join("file")).unwrap() == sample()[1..]);
        calls.log()
    }

    fn count(log: &[Call], call: Call) -> usize {
        log.iter().filter(|&&c| c == call).count()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_kernel_copies_where_it_can() {
        let log = copied(Faulty::default());
        assert_eq!(count(&log, Call::Copy), 2);
        assert_eq!(count(&log, Call::Read) + count(&log, Call::Write), 0);
    }

    #[test]
    fn a_system_that_cannot_copy_is_asked_once() {
        let log = copied(Faulty::lacking(&[Call::Copy]));
        assert_eq!(count(&log, Call::Copy), 1);
        assert_eq!(count(&log, Call::Write), 3 + 1);
    }

    #[test]
    fn a_failing_copy_goes_on_plainly() {
        let log = copied(Faulty::default());
        let first = log.iter().position(|&call| call == Call::Copy).unwrap();
        for errno in [Errno::XDEV, Errno::IO, Errno::NOSPC, Errno::TXTBSY] {
            let calls = Faulty::default()
                .with(When::Once(first), Fault::Short)
                .with(When::Once(first + 1), Fault::Fails(errno));
            let log = copied(calls);
            assert!(count(&log, Call::Read) > 0, "{errno:?}");
        }
        copied(Faulty::default().with(When::From(first), Fault::Short));
    }

    #[test]
    fn a_source_shorter_than_before_is_its_own_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("source");
        fs::write(&path, b"short").unwrap();
        let source = File::open(&path).unwrap();
        let root = System::real().root(dir.path());
        let draft = root.draft(Path::new("file")).unwrap();
        for (from, len) in [(0, 6), (5, 1), (9, 1)] {
            let error = draft.copy_from(&source, from, len, 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            assert!(CommitError::from_io(error).is_err());
        }
        draft.copy_from(&source, 9, 0, 0).unwrap();
        let error = draft.copy_from(&source, u64::MAX, 2, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }

    #[test]
    fn a_temporary_is_known_by_its_name() {
        assert!(is_temporary(&next_name()));
        for name in [".daisho-1.tmp", ".daisho-0000000g.tmp", "daisho-00000000.tmp", "a"] {
            assert!(!is_temporary(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn pieces_come_in_any_order() {
        let sink = MemorySink::new();
        sink.write_at(b"cd", 4).unwrap();
        sink.write_at(b"ab", 0).unwrap();
        sink.copy_from(&b"0123456789".to_vec(), 3, 2, 2).unwrap();
        sink.write_at(b"too much", 6).unwrap();
        sink.end_at(6).unwrap();
        assert_eq!(sink.into_bytes(), b"ab34cd");
    }

    #[test]
    fn a_source_that_ends_too_soon_is_an_error() {
        let error = MemorySink::new().copy_from(&b"123".to_vec(), 1, 3, 0).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
