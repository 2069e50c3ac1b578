//! The system calls of Unix. `portable.rs` has the same functions for other systems.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt as _, PermissionsExt};
use std::path::Path;

use cap_std::fs::MetadataExt as _;
use rustix::fs::{FlockOperation, Mode, OFlags, flock, fsync, openat};
use rustix::io::Errno;

pub(super) use super::status::by_path::{
    Dir, Metadata, canonicalize, create, open_root, temporary_directory,
};
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) use super::status::lacking::{allocate, copy_range, create_unnamed, link_unnamed};
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) use super::status::lacking::{exchange, rename_new};
use super::status::{FileId, FileKind, FileStatus, Identity, Permissions};
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use linux::{allocate, copy_range, create_unnamed, link_unnamed};

/// How directories are opened. On Linux, a handle to open names below a directory needs no permission to read it.
#[cfg(any(target_os = "linux", target_os = "android"))]
const HANDLE: OFlags = OFlags::PATH;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const HANDLE: OFlags = OFlags::RDONLY;

/// Read, write and execute for owner, group and others; nothing else.
const PERMISSIONS: u32 = 0o777;
/// Read, write and execute for the group.
const GROUP: u32 = 0o070;

/// Opens a file to read from. Does not wait for the writer of a pipe, because there may never be one. The caller then
/// sees that it is not a regular file.
pub(super) fn open_source(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    match options.read(true).custom_flags(flags).open(path) {
        // Another program has a lease on the file. It gets time to end it. Pipes have no leases.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => File::open(path),
        opened => opened,
    }
}

/// How many files the process may have open. `None` if there is no limit.
pub(super) fn files_max() -> Option<usize> {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current?;
    usize::try_from(most).ok()
}

/// Whether the process, or the system, has too many open files.
pub(super) fn is_too_many_files(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(errno, Some(Errno::MFILE | Errno::NFILE))
}

/// Gives a file a second name.
pub(super) fn hard_link(parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
    parent.hard_link(old, parent, new)
}

/// Opens a directory. A link is an error.
pub(super) fn open_dir(parent: &Dir, name: &OsStr) -> io::Result<Dir> {
    let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = openat(parent, name, flags, Mode::empty())?;
    Ok(Dir::from_std_file(File::from(handle)))
}

/// The status of a name. Links are not followed.
pub(super) fn status(parent: &Dir, name: &OsStr) -> io::Result<FileStatus> {
    let found = parent.symlink_metadata(name)?;
    Ok(FileStatus {
        kind: FileKind::of(&found),
        id: Some(FileId::new(found.dev(), found.ino())),
        permissions: Some(Permissions { mode: found.mode() & PERMISSIONS, group: found.gid() }),
    })
}

/// Opens a file for reading and writing. A link is an error.
pub(super) fn reopen(parent: &Dir, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(openat(parent, name, flags, Mode::empty())?))
}

/// The identity of the file that a path leads to.
pub(super) fn identify(path: &Path) -> io::Result<FileId> {
    let found = std::fs::metadata(path)?;
    Ok(FileId::new(found.dev(), found.ino()))
}

/// The identity and the length of an open file.
pub(super) fn identify_open(file: &File) -> io::Result<Identity> {
    let found = file.metadata()?;
    let file = FileId::new(found.dev(), found.ino());
    Ok(Identity { file, len: found.len(), is_regular: found.is_file() })
}

/// Locks a file against other runs, until it is closed. Fails with `WouldBlock` if another run has locked it.
pub(super) fn lock_file(file: &File) -> io::Result<()> {
    Ok(flock(file, FlockOperation::NonBlockingLockExclusive)?)
}

/// Whether an error means that the file system has no unnamed files. A kernel that does not know them takes the call
/// for one that opens a directory for writing.
pub(super) fn lacks_unnamed(error: &io::Error) -> bool {
    let meanings = [Errno::NOSYS, Errno::OPNOTSUPP, Errno::ISDIR, Errno::INVAL];
    is_one_of(error, &meanings)
}

/// Writes at an offset.
pub(super) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    FileExt::write_at(file, bytes, offset)
}

/// Gives an open file these permissions. Makes no call if the file already has them, because a file system without
/// permissions refuses to set even the permissions that it shows. The permissions of one group are not given to
/// another group.
pub(super) fn set_permissions(file: &File, permissions: Permissions) -> io::Result<()> {
    let has = file.metadata()?;
    let mode =
        if has.gid() == permissions.group { permissions.mode } else { permissions.mode & !GROUP };
    if has.mode() & PERMISSIONS == mode {
        return Ok(());
    }
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

/// Waits until the names in a directory are on the disk. The handle itself cannot be synced, because it is not open
/// for reading. Without permission to read a directory, only its owner can sync it. Then this does nothing, because
/// the file was written nevertheless.
pub(super) fn sync_dir(dir: &Dir) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match openat(dir, ".", flags, Mode::empty()).map_err(io::Error::from) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        readable => Ok(fsync(readable?)?),
    }
}

/// Renames a file. A name that is taken is an error.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_new(parent: &Dir, old: &OsStr, new: &OsStr) -> io::Result<()> {
    let flags = rustix::fs::RenameFlags::NOREPLACE;
    Ok(rustix::fs::renameat_with(parent, old, parent, new, flags)?)
}

/// Exchanges the names of two files.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(parent: &Dir, one: &OsStr, other: &OsStr) -> io::Result<()> {
    let flags = rustix::fs::RenameFlags::EXCHANGE;
    Ok(rustix::fs::renameat_with(parent, one, parent, other, flags)?)
}

/// What systems say of a call that they do not support.
#[rustfmt::skip]
const UNSUPPORTED: [Errno; 10] = [
    Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP, Errno::INVAL, Errno::PERM, Errno::ACCESS,
    Errno::XDEV, Errno::MLINK, Errno::NODEV, Errno::NOLCK,
];

/// Whether an error may mean that the call is not supported, by the system, the file system or these two files.
///
/// Then another call may succeed. FAT returns `EPERM` for a hard link, sandboxes return it for calls that they do not
/// know, and Android returns `EACCES`.
pub(super) fn unsupported(error: &io::Error) -> bool {
    is_one_of(error, &UNSUPPORTED)
}

/// Whether an error has one of these meanings, or is the error of `lacking`.
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

    /// The directory with a link to each open file of this process, if the system has it.
    static OPEN_FILES: LazyLock<Option<Dir>> =
        LazyLock::new(|| Dir::open_ambient_dir("/proc/self/fd", ambient_authority()).ok());

    /// Creates a file without a name. Fails if it could never be linked to a name.
    pub(crate) fn create_unnamed(parent: &Dir) -> io::Result<File> {
        if OPEN_FILES.is_none() {
            return Err(Errno::NOSYS.into());
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        Ok(File::from(openat(parent, ".", flags, mode)?))
    }

    /// Gives a file without a name its first name.
    pub(crate) fn link_unnamed(file: &File, parent: &Dir, name: &OsStr) -> io::Result<()> {
        let open_files = OPEN_FILES.as_ref().ok_or(Errno::NOSYS)?;
        let number = file.as_raw_fd().to_string();
        let follow = AtFlags::SYMLINK_FOLLOW;
        Ok(linkat(open_files, number, parent, name, follow)?)
    }

    /// Lets the kernel copy a range.
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
