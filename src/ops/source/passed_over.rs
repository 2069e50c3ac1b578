//! What a search does not take as an archive, and why.

use crate::ops::finding::{Finding, Notice, Severity};

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
    /// An archive within another one, behind as many as are looked for.
    TooMany,
}

impl PassedOver {
    /// The warning of a search.
    pub(in crate::ops) fn warning(self) -> Finding {
        let (notice, is_named, what) = self.row();
        let named = if is_named {
            "is named like a pak and "
        } else {
            ""
        };
        Finding::warning(notice, format!("this {named}{what}"))
    }

    /// The error of a search that ends here.
    pub(in crate::ops) fn error(self) -> Finding {
        Finding {
            severity: Severity::Error,
            ..self.warning()
        }
    }

    /// The error if the snapshot knows an archive of this path.
    pub(in crate::ops) fn lost(self) -> Finding {
        let (_, _, what) = self.row();
        let why = format!("this was a pak when the snapshot was made, and now {what}");
        Finding::error(Notice::NoLongerArchive, why)
    }

    /// The notice, whether it counts only because it is named like an archive, and what it is.
    #[rustfmt::skip]
    fn row(self) -> (Notice, bool, String) {
        let (notice, is_named, what) = match self {
            Self::Empty => (Notice::EmptyFile, true, "is empty"),
            Self::NoMagic => (Notice::NotBeginning, true, "does not begin as one"),
            Self::DanglingLink => (Notice::DanglingLink, true, "is a link that leads nowhere"),
            Self::NotAFile => (Notice::NotRegular, true, "is not a regular file"),
            Self::Packfile => (Notice::Packfile, false, "is one of Git's packfiles, and not a pak"),
            Self::PackDir => (Notice::PackDir, false, "is a RISC OS archive (PackDir), and not a pak"),
            Self::Text => (Notice::TextFile, false, "begins like a pak, but is a text"),
            Self::AnotherKind(what) => return (Notice::OtherZip, true, format!("is {what}")),
            Self::LinkedDirectory => (Notice::LinkedDirectory, false, "is a link to a directory, and is not searched"),
            Self::NoPath => (Notice::NestedName, false, "archive within another one has a name that no file may have"),
            Self::TooMany => (Notice::NestedLimit, false, "archive and those behind it are not opened: 10000 within others were found already"),
        };
        (notice, is_named, what.to_owned())
    }
}
