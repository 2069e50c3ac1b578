//! The reasons why a search does not take a file as an archive.

use std::path::Path;

use crate::ops::finding::{Finding, Notice};

/// Why a search does not take a file that the user may expect it to take.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) enum PassedOver {
    /// An empty file that is named like an archive.
    Empty,
    /// A file that is named like an archive but does not begin like one.
    NoMagic,
    /// A link that is named like an archive but leads nowhere.
    DanglingLink,
    /// A pipe, a socket or a device that is named like an archive.
    NotAFile,
    /// One of Git's packfiles, which begin like paks.
    Packfile,
    /// An archive of RISC OS's PackDir, which begins like a pak.
    PackDir,
    /// A text that begins like a pak.
    Text,
    /// A link to a directory.
    LinkedDirectory,
    /// An archive within another one, with a name that cannot be a path.
    NoPath,
}

impl PassedOver {
    /// The warning that a search reports about this path.
    pub(in crate::ops) fn warning(self, path: &Path) -> Finding {
        let (notice, is_named, what) = self.row();
        let named = if is_named {
            "is named like a pak but "
        } else {
            ""
        };
        Finding::warning(notice, format!("this {named}{what}")).at_path(path)
    }

    /// The error if the snapshot has an archive with this path.
    pub(in crate::ops) fn lost(self) -> Finding {
        let (_, _, what) = self.row();
        let why = format!("this was an archive when the snapshot was made, but now {what}");
        Finding::error(Notice::NoLongerArchive, why)
    }

    /// The notice, whether it is reported only because of an archive's name, and a description.
    #[rustfmt::skip]
    fn row(self) -> (Notice, bool, String) {
        let (notice, is_named, what) = match self {
            Self::Empty => (Notice::EmptyFile, true, "is empty"),
            Self::NoMagic => (Notice::NotBeginning, true, "does not begin like one"),
            Self::DanglingLink => (Notice::DanglingLink, true, "is a link that leads nowhere"),
            Self::NotAFile => (Notice::NotRegular, true, "is not a regular file"),
            Self::Packfile => (Notice::Packfile, false, "is a Git packfile, not a pak"),
            Self::PackDir => (Notice::PackDir, false, "is a RISC OS archive (PackDir), not a pak"),
            Self::Text => (Notice::TextFile, false, "is text that begins like a pak"),
            Self::LinkedDirectory => (Notice::LinkedDirectory, false, "is a link to a directory, and is not searched"),
            Self::NoPath => (Notice::NestedName, false, "archive within another one has a name that is not allowed for a file"),
        };
        (notice, is_named, what.to_owned())
    }
}
