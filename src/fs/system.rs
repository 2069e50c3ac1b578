//! The system calls of operations that write, each in one place.
//!
//! The calls create outputs, and open and read source files. Every call passes one point, where a test can interfere:
//! fail it, shorten it, or do something else first. A call does what its name says, and is made again if a signal has
//! interrupted it. The caller decides what an error means, and what to try next.
//!
//! Every name of an output is a single part of a path, below an open directory.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

use super::platform::{self, Dir};
use super::source::Slot;
use super::status::{FileId, FileStatus, Identity, Permissions};
use crate::archive::ReadAt;

/// How many bytes are copied or compared at once in memory.
pub(super) const BUFFER: usize = 128 << 10;

/// How often in a row an interrupted call is tried again. A signal interrupts a call once. A system that interrupts
/// it without end is broken, and then an error is better than to hang.
const INTERRUPTIONS_MAX: usize = 100;

/// How often in a row a call finds too many files open and none to close. Another thread may just have closed them.
const CLOSED_BY_OTHERS_MAX: usize = 5;

/// The system calls: one for each method of [`System`] that makes one.
#[rustfmt::skip]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    OpenSource, Read, IdentifyOpen, Len, Identify,
    OpenRoot, MakeRoot, RemoveRoot, OpenDir, MakeDir, RemoveDir, SyncDir,
    Status, Link, LinkUnnamed, Rename, RenameNew, Exchange, Remove,
    Create, CreateUnnamed, Reopen, Write, Copy, Allocate, SetLen, SetPermissions, SyncFile, Lock,
}

impl Call {
    /// Whether it opens a file or directory.
    const fn opens(self) -> bool {
        use Call::{Create, CreateUnnamed, OpenDir, OpenRoot, OpenSource, Reopen, SyncDir};
        matches!(self, OpenSource | OpenRoot | OpenDir | Create | CreateUnnamed | Reopen | SyncDir)
    }
}

/// Interferes with system calls, for a test.
#[cfg(all(test, unix))]
pub(crate) trait Interference: Send + Sync + core::fmt::Debug {
    /// Decides what happens to the next call.
    fn treat(&self, call: Call) -> Treatment;
}

/// What happens to a call in a test.
#[cfg(all(test, unix))]
#[derive(Debug)]
pub(crate) enum Treatment {
    /// It is made.
    Make,
    /// It is made for half of the bytes, if it has bytes.
    MakeShort,
    /// It is not made, and fails.
    Fail(io::Error),
    /// It is made, and reported as failed.
    MakeAndFail(io::Error),
}

/// The system that an operation works on. Tests can interfere with its calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct System {
    /// The source files that are open.
    handles: Arc<Handles>,
    #[cfg(all(test, unix))]
    interference: Option<Arc<dyn Interference>>,
}

/// How many source files are open at most: half of what the process may have, because outputs, directories and pipes
/// need some, but never more than this. Linux makes all threads wait when a process opens its 65th file, its 257th, and
/// so on: with 288, a list of 3,000 small archives took a third longer, and with 4,096 twice as long.
const OPEN_MAX: usize = 56;

/// How many source files an operation needs while it works. The others may wait for their turn.
const OPEN_AT_WORK: usize = 32;

/// How many source files are open at most.
pub(super) fn open_max() -> usize {
    static MAX: LazyLock<usize> = LazyLock::new(|| {
        let half = platform::files_max().map_or(OPEN_MAX, |most| most / 2);
        half.clamp(OPEN_AT_WORK, OPEN_MAX)
    });
    *MAX
}

/// The source files that are open, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Handles(Mutex<VecDeque<Weak<Slot>>>);

impl Handles {
    /// Adds a file that was just opened, and closes the oldest if there are too many.
    pub(super) fn add(&self, slot: &Arc<Slot>) {
        let mut open = lock(&self.0);
        if open.len() >= open_max() {
            open.retain(|slot| slot.strong_count() > 0);
        }
        let oldest = if open.len() >= open_max() { open.pop_front() } else { None };
        open.push_back(Arc::downgrade(slot));
        drop(open);
        if let Some(oldest) = oldest.and_then(|slot| slot.upgrade()) {
            let _ = oldest.close();
        }
    }

    pub(super) fn remove(&self, slot: &Arc<Slot>) {
        lock(&self.0).retain(|it| it.as_ptr() != Arc::as_ptr(slot));
    }

    /// Closes all files, and returns whether any was open.
    fn close_all(&self) -> bool {
        let all = core::mem::take(&mut *lock(&self.0));
        let mut any = false;
        for slot in all.iter().filter_map(Weak::upgrade) {
            any |= slot.close().is_ok();
        }
        any
    }
}

/// Changes the kind of an interruption, because readers would try again without end. [`System`] has tried often enough.
pub(super) fn not_interrupted(error: io::Error) -> io::Error {
    if error.kind() == ErrorKind::Interrupted {
        return io::Error::other("every read is interrupted");
    }
    error
}

/// Locks, even if another thread panicked while it held the lock.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The input files, and the status of paths that the user named.
impl System {
    /// Opens the file at any path to read from it. Opens pipes and devices, too, and never waits for them.
    pub(super) fn open_source(&self, path: &Path) -> io::Result<File> {
        self.pass(Call::OpenSource, || platform::open_source(path))
    }

    /// Reads some bytes at an offset, and returns their number: 0 at the end.
    pub(super) fn read_at(&self, file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let read = self.pass_bytes(Call::Read, buffer.len(), |len| {
            let buffer = buffer.get_mut(..len).unwrap_or_default();
            ReadAt::read_at(file, buffer, at)
        });
        // `read_exact` retries after an interruption without end.
        read.map_err(not_interrupted)
    }

    /// What tells an open file from others.
    pub(super) fn identify_open(&self, file: &File) -> io::Result<Identity> {
        self.pass(Call::IdentifyOpen, || platform::identify_open(file))
    }

    /// The length of an open file.
    pub(super) fn len(&self, file: &File) -> io::Result<u64> {
        self.pass(Call::Len, || file.size())
    }

    /// Locks an open file until it is closed. Fails with `WouldBlock` if another run has locked it.
    pub(super) fn lock_file(&self, file: &File) -> io::Result<()> {
        self.pass(Call::Lock, || platform::lock_file(file))
    }

    /// The identity of the file at any path. Links are followed.
    pub(crate) fn identify(&self, path: &Path) -> io::Result<FileId> {
        self.pass(Call::Identify, || platform::identify(path))
    }

    /// Opens a directory at any path.
    pub(super) fn open_root(&self, path: &Path) -> io::Result<Dir> {
        self.pass(Call::OpenRoot, || platform::open_root(path))
    }

    /// Makes a directory at any path. Its parent must exist.
    pub(super) fn make_root(&self, path: &Path) -> io::Result<()> {
        self.pass(Call::MakeRoot, || std::fs::create_dir(path))
    }

    /// Removes an empty directory at any path.
    pub(super) fn remove_root(&self, path: &Path) -> io::Result<()> {
        self.pass(Call::RemoveRoot, || std::fs::remove_dir(path))
    }
}

/// Directories, and the names in them.
impl System {
    /// Opens a directory. A link is an error.
    pub(super) fn open_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<Dir> {
        self.pass(Call::OpenDir, || platform::open_dir(parent, name))
    }

    /// Makes a directory.
    pub(super) fn make_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        self.pass(Call::MakeDir, || parent.create_dir(name))
    }

    /// Removes an empty directory.
    pub(super) fn remove_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        self.pass(Call::RemoveDir, || parent.remove_dir(name))
    }

    /// The status of a name, without following links.
    pub(super) fn status(&self, parent: &Dir, name: &OsStr) -> io::Result<FileStatus> {
        self.pass(Call::Status, || platform::status(parent, name))
    }

    /// Gives a file a second name. A name that is taken is an error.
    pub(super) fn link(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        self.pass(Call::Link, || platform::hard_link(parent, old, new))
    }

    /// Gives an unnamed file a name. A name that is taken is an error.
    pub(super) fn link_unnamed(&self, file: &File, parent: &Dir, name: &OsStr) -> io::Result<()> {
        self.pass(Call::LinkUnnamed, || platform::link_unnamed(file, parent, name))
    }

    /// Renames a file, and replaces the file that has the new name.
    pub(super) fn rename(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        self.pass_rename(Call::Rename, || parent.rename(old, parent, new))
    }

    /// Renames a file. A name that is taken is an error.
    pub(super) fn rename_new(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        self.pass_rename(Call::RenameNew, || platform::rename_new(parent, old, new))
    }

    /// Exchanges the names of two files. After an interruption the call is not made again: if the first call was
    /// successful, a second one would undo it.
    pub(super) fn exchange(&self, parent: &Dir, one: &OsStr, other: &OsStr) -> io::Result<()> {
        self.pass_once(Call::Exchange, 0, |_| platform::exchange(parent, one, other))
    }

    /// Removes a file.
    pub(super) fn remove(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        self.pass(Call::Remove, || parent.remove_file(name))
    }

    /// Waits until the names in a directory are on the disk.
    pub(super) fn sync_dir(&self, dir: &Dir) -> io::Result<()> {
        self.pass(Call::SyncDir, || platform::sync_dir(dir))
    }
}

/// Files that are written.
impl System {
    /// Creates a new file for writing and reading, with the permissions that the umask leaves.
    pub(super) fn create(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        self.pass(Call::Create, || platform::create(parent, name))
    }

    /// Creates a file without a name in the file system of a directory. Otherwise it is like
    /// [`create`](Self::create).
    pub(super) fn create_unnamed(&self, parent: &Dir) -> io::Result<File> {
        self.pass(Call::CreateUnnamed, || platform::create_unnamed(parent))
    }

    /// Opens a file for writing and reading. A link is an error.
    pub(super) fn reopen(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        self.pass(Call::Reopen, || platform::reopen(parent, name))
    }

    /// Writes some bytes at an offset, and returns their number.
    pub(super) fn write_at(&self, file: &File, bytes: &[u8], at: u64) -> io::Result<usize> {
        self.pass_bytes(Call::Write, bytes.len(), |len| {
            platform::write_at(file, bytes.get(..len).unwrap_or_default(), at)
        })
    }

    /// Writes all bytes at an offset.
    pub(super) fn write_all(&self, file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = self.write_at(file, bytes, at)?;
            bytes = match bytes.get(written..) {
                Some(rest) if written > 0 => rest,
                _ => return Err(ErrorKind::WriteZero.into()),
            };
            let next = at.checked_add(written as u64);
            at = next.ok_or(ErrorKind::FileTooLarge)?;
        }
        Ok(())
    }

    /// Copies a whole file into another one, through memory.
    pub(super) fn copy_all(&self, from: &File, to: &File) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        let mut at = 0;
        loop {
            let read = self.read_at(from, &mut buffer, at)?;
            if read == 0 {
                return Ok(());
            }
            self.write_all(to, buffer.get(..read).unwrap_or_default(), at)?;
            at += read as u64;
        }
    }

    /// Lets the kernel copy some bytes from file to file, and returns their number: 0 at the end.
    pub(super) fn copy_range(
        &self,
        from: (&File, u64),
        to: (&File, u64),
        len: usize,
    ) -> io::Result<usize> {
        self.pass_bytes(Call::Copy, len, |len| platform::copy_range(from, to, len))
    }

    /// Reserves space on the disk. A shorter file gets this length.
    pub(super) fn allocate(&self, file: &File, len: u64) -> io::Result<()> {
        self.pass(Call::Allocate, || platform::allocate(file, len))
    }

    /// Sets the length.
    pub(super) fn set_len(&self, file: &File, len: u64) -> io::Result<()> {
        self.pass(Call::SetLen, || file.set_len(len))
    }

    /// Sets the permissions.
    pub(super) fn set_permissions(&self, file: &File, permissions: Permissions) -> io::Result<()> {
        self.pass(Call::SetPermissions, || platform::set_permissions(file, permissions))
    }

    /// Waits until the bytes and permissions of a file are on the disk.
    pub(super) fn sync_file(&self, file: &File) -> io::Result<()> {
        self.pass(Call::SyncFile, || file.sync_all())
    }
}

/// The point that all calls pass.
impl System {
    /// The system without interference.
    pub(crate) fn real() -> Self {
        Self::default()
    }

    /// The system with something that interferes with its calls.
    #[cfg(all(test, unix))]
    pub(crate) fn new(interference: Arc<dyn Interference>) -> Self {
        Self { interference: Some(interference), ..Self::default() }
    }

    /// How many source files may stay open until their turn.
    pub(crate) fn files_kept_open(&self) -> usize {
        open_max() - OPEN_AT_WORK
    }

    /// The source files that are open.
    pub(super) fn handles(&self) -> &Handles {
        &self.handles
    }

    /// Makes a rename. If it was interrupted, and then finds no file to rename, the first call was successful:
    /// nobody else renames our temporary files.
    fn pass_rename(&self, call: Call, make: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let mut is_repeated = false;
        self.pass_bytes(call, 0, |_| match make() {
            Err(error) if is_repeated && error.kind() == ErrorKind::NotFound => Ok(()),
            result => {
                is_repeated = true;
                result
            }
        })
    }

    fn pass<T>(&self, call: Call, make: impl Fn() -> io::Result<T>) -> io::Result<T> {
        self.pass_bytes(call, 0, |_| make())
    }

    /// Makes a call for up to `len` bytes. It is made again if a signal has interrupted it. A call that opens a file
    /// is also made again if too many files were open, after all source files were closed.
    fn pass_bytes<T>(
        &self,
        call: Call,
        len: usize,
        mut make: impl FnMut(usize) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut none_to_close = 0;
        for _ in 0..INTERRUPTIONS_MAX {
            match self.pass_once(call, len, &mut make) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error)
                    if call.opens()
                        && platform::is_too_many_files(&error)
                        && none_to_close < CLOSED_BY_OTHERS_MAX =>
                {
                    if !self.handles.close_all() {
                        none_to_close += 1;
                        std::thread::yield_now();
                    }
                }
                result => return result,
            }
        }
        Err(ErrorKind::Interrupted.into())
    }

    /// Makes a call once, unless a test interferes.
    fn pass_once<T>(
        &self,
        call: Call,
        len: usize,
        make: impl FnOnce(usize) -> io::Result<T>,
    ) -> io::Result<T> {
        #[cfg(all(test, unix))]
        if let Some(interference) = &self.interference {
            return match interference.treat(call) {
                Treatment::Make => make(len),
                Treatment::MakeShort => make(len.div_ceil(2)),
                Treatment::Fail(error) => Err(error),
                Treatment::MakeAndFail(error) => make(len).and(Err(error)),
            };
        }
        let _ = call;
        make(len)
    }
}
