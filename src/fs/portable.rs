//! The functions of `unix.rs` for other systems, with cap-std alone; what that lacks is unsupported.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt};
use cap_std::fs::{Dir, Metadata, OpenOptions};

pub(super) use super::lacking::{
    allocate, copy_range, create_unnamed, exchange, link_unnamed, rename_new,
};
use super::status::{FileId, FileKind, FileStatus, Permissions};

/// Opens a file to read from.
pub(super) fn open_source(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Whether the process has too many open files (4 on Windows).
pub(super) fn is_too_many_files(error: &io::Error) -> bool {
    error.raw_os_error() == Some(4)
}

/// Opens a directory that is no link.
pub(super) fn open_dir(parent: &Dir, name: &OsStr) -> io::Result<Dir> {
    parent.open_dir_nofollow(name)
}

/// The status of a name, without the file's identity: [`identify`] must open the file for that.
pub(super) fn status(parent: &Dir, name: &OsStr) -> io::Result<FileStatus> {
    let found = parent.symlink_metadata(name)?;
    Ok(FileStatus {
        kind: FileKind::of(&found),
        id: None,
        permissions: None,
    })
}

/// Opens a file that is no link.
pub(super) fn reopen(parent: &Dir, name: &OsStr) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).follow(FollowSymlinks::No);
    Ok(parent.open_with(name, &options)?.into_std())
}

/// There are no permissions here that a file would have by itself.
pub(super) fn set_permissions(_: &File, _: Permissions) -> io::Result<()> {
    Ok(())
}

/// The identity of the file at a path.
pub(super) fn identify(path: &Path) -> io::Result<FileId> {
    identify_open(&File::open(path)?)
}

/// Which file is open.
pub(super) fn identify_open(file: &File) -> io::Result<FileId> {
    let found = Metadata::from_file(file)?;
    Ok(FileId::new(found.dev(), found.ino()))
}

/// Writes at an offset. Moves the file's cursor, too, which nothing here looks at.
#[cfg(windows)]
pub(super) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}

/// Whether an error means that there are no unnamed files here.
pub(super) fn lacks_unnamed(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported
}

/// Windows keeps the names of a directory in order without being asked.
pub(super) fn sync_dir(_: &Dir) -> io::Result<()> {
    Ok(())
}

/// Whether an error may mean that the file system has no such call, so that another may still do. FAT says "incorrect function"
/// (1), others "not supported" (50), "invalid parameter" (87) or "not implemented" (120); a file
/// has room for 1,023 further names (1142).
pub(super) fn unsupported(error: &io::Error) -> bool {
    error.kind() == ErrorKind::Unsupported
        || error
            .raw_os_error()
            .is_some_and(|code| [1, 5, 50, 87, 120, 1142].contains(&code))
}
