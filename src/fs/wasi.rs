//! The functions of `unix.rs` for WASI (preview 1), where the program of the web page runs.
//!
//! The page shows the program a directory of its own, which nobody else can change. So a directory is a path here, and
//! a name that is free stays free. There are no links, no permissions, no directories for temporary files, and one
//! thread.

use std::ffi::OsStr;
pub(super) use std::fs::Metadata;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::os::fd::AsRawFd as _;
use std::path::{Component, Path, PathBuf};

pub(super) use super::status::lacking::{
    allocate, create_unnamed, exchange, link_unnamed, lock_file,
};
use super::status::{FileId, FileKind, FileStatus, Identity, Permissions};

/// The file of the page that copies: its path is completed by what to copy, and its length is what was copied.
const COPY: &str = "/.copy";

/// A directory: its path, because Rust's standard library opens nothing below a handle here.
#[derive(Debug)]
pub(crate) struct Dir(PathBuf);

impl Dir {
    pub(super) fn create_dir(&self, name: &OsStr) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    pub(super) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.0.join(name))
    }

    pub(super) fn rename(&self, old: &OsStr, parent: &Self, new: &OsStr) -> io::Result<()> {
        fs::rename(self.0.join(old), parent.0.join(new))
    }

    pub(super) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }
}

/// There are no second names.
pub(super) fn hard_link(_: &Dir, _: &OsStr, _: &OsStr) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Opens a file to read from.
pub(super) fn open_source(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// The directory for temporary files: the page's own directory.
pub(super) fn temporary_directory() -> PathBuf {
    PathBuf::from("/")
}

/// A path without links in it.
pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    fs::metadata(path)?;
    Ok(plain(path))
}

/// A path from the page's directory, without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    plain
}

/// How many files may be open. The page has no limit.
pub(super) const fn files_max() -> Option<usize> {
    None
}

/// Whether too many files are open.
pub(super) const fn is_too_many_files(_: &io::Error) -> bool {
    false
}

/// Opens a directory at any path.
pub(super) fn open_root(path: &Path) -> io::Result<Dir> {
    if fs::metadata(path)?.is_dir() {
        Ok(Dir(path.to_path_buf()))
    } else {
        Err(ErrorKind::NotADirectory.into())
    }
}

/// Opens a directory.
pub(super) fn open_dir(parent: &Dir, name: &OsStr) -> io::Result<Dir> {
    open_root(&parent.0.join(name))
}

/// The status of a name.
pub(super) fn status(parent: &Dir, name: &OsStr) -> io::Result<FileStatus> {
    let path = parent.0.join(name);
    Ok(FileStatus {
        kind: FileKind::of(&fs::symlink_metadata(&path)?),
        id: Some(identity(&path)),
        permissions: None,
    })
}

/// Creates a new file for writing and reading.
pub(super) fn create(parent: &Dir, name: &OsStr) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    options.open(parent.0.join(name))
}

/// Opens a file for reading and writing.
pub(super) fn reopen(parent: &Dir, name: &OsStr) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).open(parent.0.join(name))
}

/// Does nothing: files have no permissions here.
pub(super) fn set_permissions(_: &File, _: Permissions) -> io::Result<()> {
    Ok(())
}

/// The identity of the file that a path leads to. Each file has one path.
pub(super) fn identify(path: &Path) -> io::Result<FileId> {
    fs::metadata(path)?;
    Ok(identity(path))
}

fn identity(path: &Path) -> FileId {
    let mut hasher = DefaultHasher::new();
    plain(path).hash(&mut hasher);
    FileId::new(0, hasher.finish())
}

/// What tells an open file from others: only its length, because nothing but its path would say which one it is.
pub(super) fn identify_open(file: &File) -> io::Result<Identity> {
    let found = file.metadata()?;
    Ok(Identity { file: FileId::new(0, 0), len: found.len(), is_regular: found.is_file() })
}

/// Whether an error means that there are no unnamed files.
pub(super) fn lacks_unnamed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported
}

/// Writes at an offset. Also moves the cursor of the file, which daisho never uses.
pub(super) fn write_at(mut file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(offset))?;
    file.write(bytes)
}

/// Lets the page refer to a range of one file in another one, so that nobody reads it.
pub(super) fn copy_range(
    (from, from_offset): (&File, u64),
    (to, to_offset): (&File, u64),
    len: usize,
) -> io::Result<usize> {
    let (from, to) = (from.as_raw_fd(), to.as_raw_fd());
    let copy = format!("{COPY}/{from}/{from_offset}/{to}/{to_offset}/{len}");
    match fs::metadata(copy) {
        Ok(copied) => usize::try_from(copied.len()).map_err(io::Error::other),
        Err(_) => Err(ErrorKind::Unsupported.into()), // another host of this program
    }
}

/// Renames a file. A name that is taken is an error.
pub(super) fn rename_new(parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
    match fs::metadata(parent.0.join(new)) {
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => parent.rename(old, parent, new),
        Err(error) => Err(error),
    }
}

/// Does nothing: the page keeps nothing on a disk.
pub(super) fn sync_dir(_: &Dir) -> io::Result<()> {
    Ok(())
}

/// Whether an error means that the call is not supported.
pub(super) fn unsupported(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported
}
