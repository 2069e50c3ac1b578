//! What the files of all platforms share: the status of a name, and the calls that some systems do not have.
//!
//! An output that is a source under any name (another path to it, a hard link, a symbolic link) is found by the
//! file's number, not by its name: see [`FileId`].

use std::path::PathBuf;

use super::platform::Metadata;

/// The identity of a file. Two names with equal identities belong to one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FileId {
    device: u64,
    file: u64,
}

impl FileId {
    pub(super) const fn new(device: u64, file: u64) -> Self {
        Self { device, file }
    }
}

/// What tells an open file from another one that takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(super) file: FileId,
    pub(super) len: u64,
    pub(super) is_regular: bool,
}

/// The kind of file that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, whatever it points to.
    Link,
    /// A pipe, a socket, a device.
    Other,
}

impl FileKind {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let kind = metadata.file_type();
        if kind.is_symlink() {
            Self::Link
        } else if kind.is_dir() {
            Self::Directory
        } else if kind.is_file() {
            Self::File
        } else {
            Self::Other
        }
    }

    /// The kind in words, for messages.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Directory => "a directory",
            Self::Link => "a symbolic link",
            Self::Other => "a pipe, socket or device",
        }
    }
}

/// The permissions of a file's owner, its group and all others, and the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Permissions {
    pub(super) mode: u32,
    pub(super) group: u32,
}

/// The status of a name. Links are not followed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileStatus {
    pub(super) kind: FileKind,
    /// The identity of the file, if the system tells it without opening the file.
    pub(super) id: Option<FileId>,
    /// The permissions of the file, if the system has permissions. The set-user-ID, set-group-ID and sticky bits are
    /// left out, because they were given to other content.
    pub(super) permissions: Option<Permissions>,
}

/// What exists at the path of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Occupant {
    /// Nothing: a new file can be written here.
    Nothing,
    /// Something has this name.
    Taken {
        /// Its kind.
        kind: FileKind,
        /// The identity of the file, or of the file that the link leads to. `None` for a broken link.
        id: Option<FileId>,
    },
    /// Something else exists where the path needs a directory.
    Blocked {
        /// Its path, relative to the root.
        at: PathBuf,
        /// Its kind.
        kind: FileKind,
    },
}

impl Occupant {
    /// Whether this is another name of `file`.
    #[cfg(all(test, unix))]
    pub(crate) fn is(&self, file: FileId) -> bool {
        matches!(self, Self::Taken { id: Some(id), .. } if *id == file)
    }
}

/// System calls that are the same on all systems with a disk.
#[cfg(not(target_os = "wasi"))]
pub(super) mod by_path {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io;
    use std::path::{Path, PathBuf};

    use cap_std::ambient_authority;
    use cap_std::fs::OpenOptions;
    pub(crate) use cap_std::fs::{Dir, Metadata};

    /// The directory for temporary files.
    pub(crate) fn temporary_directory() -> PathBuf {
        std::env::temp_dir()
    }

    /// An absolute path without links in it.
    pub(crate) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }

    /// Opens a directory at any path.
    pub(crate) fn open_root(path: &Path) -> io::Result<Dir> {
        Dir::open_ambient_dir(path, ambient_authority())
    }

    /// Creates a new file for writing and reading, with the permissions that the umask leaves.
    pub(crate) fn create(parent: &Dir, name: &OsStr) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        Ok(parent.open_with(name, &options)?.into_std())
    }
}

/// System calls that a platform does not have. The caller then uses other calls.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) mod lacking {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io::{self, ErrorKind};

    use crate::fs::platform::Dir;

    pub(crate) fn create_unnamed(_: &Dir) -> io::Result<File> {
        Err(ErrorKind::Unsupported.into())
    }

    pub(crate) fn link_unnamed(_: &File, _: &Dir, _: &OsStr) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    #[cfg(not(target_os = "wasi"))]
    pub(crate) fn copy_range(_: (&File, u64), _: (&File, u64), _: usize) -> io::Result<usize> {
        Err(ErrorKind::Unsupported.into())
    }

    pub(crate) fn allocate(_: &File, _: u64) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    #[cfg(not(unix))]
    pub(crate) fn lock_file(_: &File) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    #[cfg(not(target_vendor = "apple"))]
    pub(crate) fn exchange(_: &Dir, _: &OsStr, _: &OsStr) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    #[cfg(not(any(target_vendor = "apple", target_os = "wasi")))]
    pub(crate) fn rename_new(_: &Dir, _: &OsStr, _: &OsStr) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }
}
