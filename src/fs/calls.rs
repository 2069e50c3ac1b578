//! The system calls of the operations that write, each of them one method of one trait: all of the
//! output side, and opening and reading what the bytes come from.
//!
//! Every name of an output is a single part below an open directory. The real ones do what their names say and
//! nothing more: what an error means, and what is tried next, is decided by whoever calls. Tests
//! put another implementation before the real one.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use super::look::{FileId, Rights, Seen};
use super::system;
use crate::pak::ReadAt;

/// How often in a row an interrupted call is tried again. A signal interrupts once; a system that
/// says so without end is broken, and an error is better than to hang.
const INTERRUPTIONS_MAX: usize = 100;

/// All that an operation that writes asks of the system, once its inputs are found.
pub(crate) trait Calls: Send + core::marker::Sync + core::fmt::Debug {
    /// Opens a file to read from, by any path.
    fn open_source(&self, path: &Path) -> io::Result<File>;
    /// Reads some bytes from a place, and says how many; 0 at the end.
    fn read_at(&self, file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
    /// Which file is open.
    fn identify_open(&self, file: &File) -> io::Result<FileId>;
    /// How long an open file is.
    fn len(&self, file: &File) -> io::Result<u64>;
    /// Opens a directory by any path, as the user named it.
    fn open_root(&self, path: &Path) -> io::Result<Dir>;
    /// Makes a directory by any path; its parent exists.
    fn make_root(&self, path: &Path) -> io::Result<()>;
    /// Which file stands behind any path, links followed.
    fn identify(&self, path: &Path) -> io::Result<FileId>;
    /// Opens a directory that is no link.
    fn open_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<Dir>;
    /// Makes a directory.
    fn make_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()>;
    /// What stands under a name, links not followed.
    fn look(&self, parent: &Dir, name: &OsStr) -> io::Result<Seen>;
    /// The names that a directory lists, as it spells them.
    fn names(&self, dir: &Dir) -> io::Result<Vec<OsString>>;
    /// Creates a file that was not there, with the rights that the umask leaves, to be written and
    /// read.
    fn create(&self, parent: &Dir, name: &OsStr) -> io::Result<File>;
    /// Opens a file that is no link, to be written and read.
    fn reopen(&self, parent: &Dir, name: &OsStr) -> io::Result<File>;
    /// Writes some bytes at a place, and says how many.
    fn write_at(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<usize>;
    /// Has the kernel copy some bytes from place to place, and says how many; 0 at the end.
    fn copy_range(&self, from: (&File, u64), to: (&File, u64), len: usize) -> io::Result<usize>;
    /// Reserves room on the disk, and sets the length where the file is shorter.
    fn allocate(&self, file: &File, len: u64) -> io::Result<()>;
    /// Sets the length.
    fn set_len(&self, file: &File, len: u64) -> io::Result<()>;
    /// Sets what who may do with a file, as [`Seen::rights`] says it.
    fn set_rights(&self, file: &File, rights: Rights) -> io::Result<()>;
    /// Gives a file a second name, if there is nothing under it.
    fn link(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()>;
    /// Gives a file another name, over whatever file is there.
    fn rename(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()>;
    /// Gives a file another name, if there is nothing under it.
    fn rename_new(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, parent: &Dir, name: &OsStr) -> io::Result<()>;
    /// Removes a directory that is empty.
    fn remove_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()>;
    /// Removes a directory that is empty, by any path.
    fn remove_root(&self, path: &Path) -> io::Result<()>;
    /// Waits until a file's bytes are on the disk.
    fn sync_file(&self, file: &File) -> io::Result<()>;
    /// Waits until a directory's names are on the disk.
    fn sync_dir(&self, dir: &Dir) -> io::Result<()>;
    /// Waits until all of the file system that holds a directory is on the disk.
    fn sync_all(&self, dir: &Dir) -> io::Result<()>;
}

/// The system itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Real;

impl Calls for Real {
    fn open_source(&self, path: &Path) -> io::Result<File> {
        File::open(path)
    }

    fn read_at(&self, file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        ReadAt::read_at(file, buffer, offset)
    }

    fn identify_open(&self, file: &File) -> io::Result<FileId> {
        system::identify_open(file)
    }

    fn len(&self, file: &File) -> io::Result<u64> {
        file.size()
    }

    fn open_root(&self, path: &Path) -> io::Result<Dir> {
        Dir::open_ambient_dir(path, ambient_authority())
    }

    fn make_root(&self, path: &Path) -> io::Result<()> {
        std::fs::create_dir(path)
    }

    fn identify(&self, path: &Path) -> io::Result<FileId> {
        system::identify(path)
    }

    fn open_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<Dir> {
        system::open_dir(parent, name)
    }

    fn make_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        parent.create_dir(name)
    }

    fn look(&self, parent: &Dir, name: &OsStr) -> io::Result<Seen> {
        system::look(parent, name)
    }

    fn names(&self, dir: &Dir) -> io::Result<Vec<OsString>> {
        system::names(dir)
    }

    fn create(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        Ok(parent.open_with(name, &options)?.into_std())
    }

    fn reopen(&self, parent: &Dir, name: &OsStr) -> io::Result<File> {
        system::reopen(parent, name)
    }

    fn write_at(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
        system::write_at(file, bytes, offset)
    }

    fn copy_range(&self, from: (&File, u64), to: (&File, u64), len: usize) -> io::Result<usize> {
        system::copy_range(from, to, len)
    }

    fn allocate(&self, file: &File, len: u64) -> io::Result<()> {
        system::allocate(file, len)
    }

    fn set_len(&self, file: &File, len: u64) -> io::Result<()> {
        file.set_len(len)
    }

    fn set_rights(&self, file: &File, rights: Rights) -> io::Result<()> {
        system::set_rights(file, rights)
    }

    fn link(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        parent.hard_link(old, parent, new)
    }

    fn rename(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        parent.rename(old, parent, new)
    }

    fn rename_new(&self, parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
        system::rename_new(parent, old, new)
    }

    fn remove(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        parent.remove_file(name)
    }

    fn remove_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        parent.remove_dir(name)
    }

    fn remove_root(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_dir(path)
    }

    fn sync_file(&self, file: &File) -> io::Result<()> {
        // Not the data alone: the rights are to be there, too.
        file.sync_all()
    }

    fn sync_dir(&self, dir: &Dir) -> io::Result<()> {
        system::sync_dir(dir)
    }

    fn sync_all(&self, dir: &Dir) -> io::Result<()> {
        system::sync_all(dir)
    }
}

/// Makes a call again when a signal has interrupted it.
pub(super) fn heal<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    heal_telling(|_| call())
}

/// The same for a call to which it matters whether it was interrupted before: it may have been done
/// all the same.
pub(super) fn heal_telling<T>(mut call: impl FnMut(bool) -> io::Result<T>) -> io::Result<T> {
    for round in 0..INTERRUPTIONS_MAX {
        match call(round > 0) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
    Err(ErrorKind::Interrupted.into())
}
