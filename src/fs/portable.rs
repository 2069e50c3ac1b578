//! The functions of `unix.rs` for other systems. They use only cap-std, and are unsupported if it lacks a call.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt};
use cap_std::fs::OpenOptions;
#[cfg(windows)]
use cap_std::fs::OpenOptionsExt as _;

pub(super) use super::status::by_path::{
    Dir, Metadata, canonicalize, create, open_root, temporary_directory,
};
pub(super) use super::status::lacking::{
    allocate, copy_range, create_unnamed, exchange, link_unnamed, lock_file, rename_new,
};
use super::status::{FileId, FileKind, FileStatus, Identity, Permissions};

/// The right to rename and to remove a file on Windows.
#[cfg(windows)]
const DELETE: u32 = 0x0001_0000;

/// Opens a file to read from.
pub(super) fn open_source(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// How many files the process may have open. Here nothing tells.
pub(super) const fn files_max() -> Option<usize> {
    None
}

/// Whether the process has too many open files (4 on Windows).
pub(super) fn is_too_many_files(error: &io::Error) -> bool {
    error.raw_os_error() == Some(4)
}

/// Gives a file a second name. On Windows that name can be neither renamed nor removed while a program has the file open
/// and does not allow it. So the file is opened for that first, and gets no second name if that fails.
pub(super) fn hard_link(parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
    #[cfg(windows)]
    parent.open_with(old, OpenOptions::new().access_mode(DELETE))?;
    parent.hard_link(old, parent, new)
}

/// Opens a directory. A link is an error.
pub(super) fn open_dir(parent: &Dir, name: &OsStr) -> io::Result<Dir> {
    parent.open_dir_nofollow(name)
}

/// The status of a name, without the identity of the file, because [`identify`] must open the file to get it.
pub(super) fn status(parent: &Dir, name: &OsStr) -> io::Result<FileStatus> {
    let found = parent.symlink_metadata(name)?;
    Ok(FileStatus { kind: FileKind::of(&found), id: None, permissions: None })
}

/// Opens a file for reading and writing. A link is an error.
pub(super) fn reopen(parent: &Dir, name: &OsStr) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).follow(FollowSymlinks::No);
    Ok(parent.open_with(name, &options)?.into_std())
}

/// Does nothing: these systems have no such permissions.
pub(super) fn set_permissions(_: &File, _: Permissions) -> io::Result<()> {
    Ok(())
}

/// The identity of the file that a path leads to.
pub(super) fn identify(path: &Path) -> io::Result<FileId> {
    Ok(identify_open(&File::open(path)?)?.file)
}

/// The identity and the length of an open file.
pub(super) fn identify_open(file: &File) -> io::Result<Identity> {
    let found = Metadata::from_file(file)?;
    let file = FileId::new(found.dev(), found.ino());
    Ok(Identity { file, len: found.len(), is_regular: found.is_file() })
}

/// Writes at an offset. Also moves the cursor of the file, which daisho never uses.
#[cfg(windows)]
pub(super) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}

/// Whether an error means that the file system has no unnamed files.
pub(super) fn lacks_unnamed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported
}

/// Does nothing: Windows writes the names of a directory to the disk by itself.
pub(super) fn sync_dir(_: &Dir) -> io::Result<()> {
    Ok(())
}

/// Whether an error may mean that the file system does not support the call.
///
/// Then another call may succeed. FAT returns "incorrect function" (1), and others "access denied" (5), "not
/// supported" (50), "invalid parameter" (87) or "not implemented" (120). A file that already has 1,024 names returns
/// 1142.
pub(super) fn unsupported(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported
        || error.raw_os_error().is_some_and(|code| [1, 5, 50, 87, 120, 1142].contains(&code))
}
