//! What a search does not take as an archive, and why.

use crate::ops::finding::{Finding, Notice};

/// Why a search for paks does not take something that a user may have meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PassedOver {
    /// A file that is named like a pak and has no byte.
    Empty,
    /// A file that is named like a pak and does not begin as one.
    NoMagic,
    /// A link that is named like a pak and leads nowhere.
    DanglingLink,
    /// A pipe, a socket or a device that is named like a pak.
    NotAFile,
    /// One of Git's packfiles, which begin as paks do.
    Packfile,
    /// An archive of RISC OS's PackDir, which begins as paks do.
    PackDir,
    /// A text that begins as a pak does.
    Text,
    /// A ZIP that is something else, as programs and office files are, and is named like a pak.
    AnotherKind(&'static str),
    /// A link to a directory.
    LinkedDirectory,
    /// An archive within another one, under a name that is no path.
    NoPath,
}

impl PassedOver {
    /// The warning of a search.
    pub(in crate::ops) fn warning(self) -> Finding {
        let (notice, is_named, what) = self.row();
        let named = if is_named {
            "is named like a pak but "
        } else {
            ""
        };
        Finding::warning(notice, format!("this {named}{what}"))
    }

    /// The error if the snapshot knows an archive of this path.
    pub(in crate::ops) fn lost(self) -> Finding {
        let (_, _, what) = self.row();
        let why = format!("this was an archive when the snapshot was made, but now {what}");
        Finding::error(Notice::NoLongerArchive, why)
    }

    /// The notice, whether it counts only because it is named like an archive, and what it is.
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
            Self::AnotherKind(what) => return (Notice::OtherZip, true, format!("is {what}")),
            Self::LinkedDirectory => (Notice::LinkedDirectory, false, "is a link to a directory, and is not searched"),
            Self::NoPath => (Notice::NestedName, false, "archive within another one has a name that is not allowed for a file"),
        };
        (notice, is_named, what.to_owned())
    }
}
