//! The system calls that only Linux has.

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
pub(super) fn create_unnamed(parent: &Dir) -> io::Result<File> {
    if OPEN_FILES.is_none() {
        return Err(Errno::NOSYS.into());
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o666);
    Ok(File::from(openat(parent, ".", flags, mode)?))
}

/// Gives a file without a name its first one.
pub(super) fn link_unnamed(file: &File, parent: &Dir, name: &OsStr) -> io::Result<()> {
    let open_files = OPEN_FILES.as_ref().ok_or(Errno::NOSYS)?;
    let number = file.as_raw_fd().to_string();
    let follow = AtFlags::SYMLINK_FOLLOW;
    Ok(linkat(open_files, number, parent, name, follow)?)
}

/// Has the kernel copy a range.
pub(super) fn copy_range(
    (from, mut from_offset): (&File, u64),
    (to, mut to_offset): (&File, u64),
    len: usize,
) -> io::Result<usize> {
    let copied =
        rustix::fs::copy_file_range(from, Some(&mut from_offset), to, Some(&mut to_offset), len)?;
    Ok(copied)
}

/// Reserves space.
pub(super) fn allocate(file: &File, len: u64) -> io::Result<()> {
    Ok(fallocate(file, FallocateFlags::empty(), 0, len)?)
}
