//! The system calls that Unix has in its own form.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt as _, PermissionsExt};
use std::path::Path;

use cap_std::fs::{Dir, MetadataExt as _};
use rustix::fs::{Mode, OFlags, fsync, openat};
use rustix::io::Errno;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) use super::lacking::{allocate, copy_range, create_unnamed, link_unnamed};
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) use super::lacking::{exchange, rename_new};
use super::status::{FileId, FileKind, FileStatus, Permissions};
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::{allocate, copy_range, create_unnamed, link_unnamed};

/// A handle that only leads to what is below needs no right to read the directory.
#[cfg(any(target_os = "linux", target_os = "android"))]
const HANDLE: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const HANDLE: OFlags = OFlags::RDONLY;

/// Read, write and execute for owner, group and others; nothing else.
const PERMISSIONS: u32 = 0o777;
/// The group's part of them.
const GROUP: u32 = 0o070;

/// Opens a file to read from. A pipe is open at once: perhaps nothing is ever written into it, and
/// the caller then sees that it is not a file.
pub(super) fn open_source(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    match options.read(true).custom_flags(flags).open(path) {
        // Somebody holds a lease on it, as only files have them, and is given time to end it.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => File::open(path),
        opened => opened,
    }
}

/// Whether the process, or the system, has too many open files.
pub(super) fn is_too_many_files(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(errno, Some(Errno::MFILE | Errno::NFILE))
}

/// Opens a directory that is no link.
pub(super) fn open_dir(parent: &Dir, name: &OsStr) -> io::Result<Dir> {
    let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = openat(parent, name, flags, Mode::empty())?;
    Ok(Dir::from_std_file(File::from(handle)))
}

/// The status of the file with this name.
pub(super) fn status(parent: &Dir, name: &OsStr) -> io::Result<FileStatus> {
    let found = parent.symlink_metadata(name)?;
    Ok(FileStatus {
        kind: FileKind::of(&found),
        id: Some(FileId::new(found.dev(), found.ino())),
        permissions: Some(Permissions {
            mode: found.mode() & PERMISSIONS,
            group: found.gid(),
        }),
    })
}

/// Opens a file that is no link.
pub(super) fn reopen(parent: &Dir, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(openat(parent, name, flags, Mode::empty())?))
}

/// Identifies the file that a path leads to.
pub(super) fn identify(path: &Path) -> io::Result<FileId> {
    let found = std::fs::metadata(path)?;
    Ok(FileId::new(found.dev(), found.ino()))
}

/// Which file is open.
pub(super) fn identify_open(file: &File) -> io::Result<FileId> {
    let found = file.metadata()?;
    Ok(FileId::new(found.dev(), found.ino()))
}

/// Whether an error means that there are no unnamed files here. A kernel that does not know of them takes
/// the call for one that opens a directory to write.
pub(super) fn lacks_unnamed(error: &io::Error) -> bool {
    let meanings = [Errno::NOSYS, Errno::OPNOTSUPP, Errno::ISDIR, Errno::INVAL];
    is_one_of(error, &meanings)
}

/// Writes at an offset.
pub(super) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    FileExt::write_at(file, bytes, offset)
}

/// Gives an open file these permissions. Where it has them already no call is made: a file system
/// without permissions of its own refuses to set even the permissions that it shows. What a group may do is
/// not passed on to another group.
pub(super) fn set_permissions(file: &File, permissions: Permissions) -> io::Result<()> {
    let has = file.metadata()?;
    let mode = match has.gid() == permissions.group {
        true => permissions.mode,
        false => permissions.mode & !GROUP,
    };
    if has.mode() & PERMISSIONS == mode {
        return Ok(());
    }
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

/// Waits until a directory's names are on the disk. The handle cannot be synced itself: it is not
/// open for reading. A directory that one may write to and not read can be synced by nobody but its
/// owner, and that is no reason to say that its file was not written.
pub(super) fn sync_dir(dir: &Dir) -> io::Result<()> {
    match readable(dir) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        readable => Ok(fsync(readable?)?),
    }
}

fn readable(dir: &Dir) -> io::Result<rustix::fd::OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(dir, ".", flags, Mode::empty())?)
}

/// Renames, unless something has the new name.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_new(parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
    let flags = rustix::fs::RenameFlags::NOREPLACE;
    Ok(rustix::fs::renameat_with(parent, old, parent, new, flags)?)
}

/// Has two files exchange their names.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(parent: &Dir, one: &OsStr, other: &OsStr) -> io::Result<()> {
    let flags = rustix::fs::RenameFlags::EXCHANGE;
    Ok(rustix::fs::renameat_with(
        parent, one, parent, other, flags,
    )?)
}

/// Whether an error may mean that there is no such call here, or not on this file system, or not
/// between these two files, so that another call may still do. `EPERM` is what FAT says to a hard link, and
/// sandboxes say to what they do not know; `EACCES` is what Android says.
pub(super) fn unsupported(error: &io::Error) -> bool {
    let meanings = [
        Errno::NOSYS,
        Errno::OPNOTSUPP,
        Errno::NOTSUP,
        Errno::INVAL,
        Errno::PERM,
        Errno::ACCESS,
        Errno::XDEV,
        Errno::MLINK,
        Errno::NODEV,
        Errno::NOLCK,
    ];
    is_one_of(error, &meanings)
}

/// Whether an error is what `lacking` returns, or one of these.
fn is_one_of(error: &io::Error, meanings: &[Errno]) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    error.kind() == io::ErrorKind::Unsupported
        || errno.is_some_and(|errno| meanings.contains(&errno))
}

/// The system calls that only Linux has.
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::sync::LazyLock;

    use cap_std::ambient_authority;
    use cap_std::fs::Dir;
    use rustix::fs::{AtFlags, FallocateFlags, Mode, OFlags, fallocate, linkat, openat};
    use rustix::io::Errno;

    /// The directory where this process's open files are links, if there is one.
    static OPEN_FILES: LazyLock<Option<Dir>> =
        LazyLock::new(|| Dir::open_ambient_dir("/proc/self/fd", ambient_authority()).ok());

    /// Creates a file without a name. Fails if the file could not be linked to a name later.
    pub(crate) fn create_unnamed(parent: &Dir) -> io::Result<File> {
        if OPEN_FILES.is_none() {
            return Err(Errno::NOSYS.into());
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        Ok(File::from(openat(parent, ".", flags, mode)?))
    }

    /// Gives a file without a name its first one.
    pub(crate) fn link_unnamed(file: &File, parent: &Dir, name: &OsStr) -> io::Result<()> {
        let open_files = OPEN_FILES.as_ref().ok_or(Errno::NOSYS)?;
        let number = file.as_raw_fd().to_string();
        let follow = AtFlags::SYMLINK_FOLLOW;
        Ok(linkat(open_files, number, parent, name, follow)?)
    }

    /// Has the kernel copy a range.
    pub(crate) fn copy_range(
        (from, mut from_offset): (&File, u64),
        (to, mut to_offset): (&File, u64),
        len: usize,
    ) -> io::Result<usize> {
        let copied = rustix::fs::copy_file_range(
            from,
            Some(&mut from_offset),
            to,
            Some(&mut to_offset),
            len,
        )?;
        Ok(copied)
    }

    /// Reserves space.
    pub(crate) fn allocate(file: &File, len: u64) -> io::Result<()> {
        Ok(fallocate(file, FallocateFlags::empty(), 0, len)?)
    }
}
