//! The system calls that a system lacks, each of which has something else that does instead.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};

use cap_std::fs::Dir;

pub(super) fn create_unnamed(_: &Dir) -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

pub(super) fn link_unnamed(_: &File, _: &Dir, _: &OsStr) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

pub(super) fn copy_range(_: (&File, u64), _: (&File, u64), _: usize) -> io::Result<usize> {
    Err(ErrorKind::Unsupported.into())
}

pub(super) fn allocate(_: &File, _: u64) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_vendor = "apple"))]
pub(super) fn exchange(_: &Dir, _: &OsStr, _: &OsStr) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(target_vendor = "apple"))]
pub(super) fn rename_new(_: &Dir, _: &OsStr, _: &OsStr) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}
