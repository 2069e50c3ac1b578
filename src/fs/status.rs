//! The status of a name on disk: its kind, the identity of the file, and its permissions.
//!
//! An output that is a source by any name (another path to it, a hard link, a symbolic link) is
//! found by the file's number, not by its name: see [`FileId`].

use std::path::PathBuf;

/// Which file it is, whatever its name: two that are equal are one file.
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
    pub(super) fn of(metadata: &cap_std::fs::Metadata) -> Self {
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
}

/// What a file's owner, its group and all others may do with it, and which group that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Permissions {
    pub(super) mode: u32,
    pub(super) group: u32,
}

/// What the system says of a name, links not followed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileStatus {
    pub(super) kind: FileKind,
    /// Which file it is, where the system says so without opening it.
    pub(super) id: Option<FileId>,
    /// Its permissions, where the system has them. The set-user-ID, set-group-ID and sticky bits
    /// are not among them: they were given to other content.
    pub(super) permissions: Option<Permissions>,
}

/// What a plan finds where it wants to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Occupant {
    /// Nothing: a new file can be written here.
    Nothing,
    /// Something has this name.
    Taken {
        /// What it is.
        kind: FileKind,
        /// Which file it is, or which one the link leads to; none for a link that leads nowhere.
        id: Option<FileId>,
    },
    /// Something that is no directory stands where one is needed on the way.
    Blocked {
        /// Where, relative to the root.
        at: PathBuf,
        /// What it is.
        kind: FileKind,
    },
}

impl Occupant {
    /// Whether what was found is this very file by another name.
    #[cfg(all(test, unix))]
    pub(crate) fn is(&self, file: FileId) -> bool {
        matches!(self, Self::Taken { id: Some(id), .. } if *id == file)
    }
}
