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
        Finding::warning(
            self.notice(),
            format!("this {}{}{}", self.name(), self.what(), self.more()),
        )
    }

    /// The error of a search that ends here.
    pub(in crate::ops) fn error(self) -> Finding {
        Finding {
            severity: Severity::Error,
            ..self.warning()
        }
    }

    /// The error where the snapshot knows an archive of this path.
    pub(in crate::ops) fn lost(self) -> Finding {
        let why = format!(
            "this was a pak when the snapshot was made, and now {}{}",
            self.what(),
            self.more()
        );
        Finding::error(Notice::NoLongerArchive, why)
    }

    const fn notice(self) -> Notice {
        match self {
            Self::Empty => Notice::EmptyFile,
            Self::NoMagic => Notice::NotBeginning,
            Self::DanglingLink => Notice::DanglingLink,
            Self::NotAFile => Notice::NotRegular,
            Self::Packfile => Notice::Packfile,
            Self::PackDir => Notice::PackDir,
            Self::Text => Notice::TextFile,
            Self::AnotherKind(_) => Notice::OtherZip,
            Self::LinkedDirectory => Notice::LinkedDirectory,
            Self::NoPath => Notice::NestedName,
            Self::TooMany => Notice::NestedLimit,
        }
    }

    /// What it is, as a clause.
    const fn what(self) -> &'static str {
        match self {
            // Goes on with what it is.
            Self::AnotherKind(_) => "is ",
            Self::Empty => "is empty",
            Self::NoMagic => "does not begin as one",
            Self::DanglingLink => "is a link that leads nowhere",
            Self::NotAFile => "is not a regular file",
            Self::Packfile => "is one of Git's packfiles, and not a pak",
            Self::PackDir => "is a RISC OS archive (PackDir), and not a pak",
            Self::Text => "begins like a pak, but is a text",
            Self::LinkedDirectory => "is a link to a directory, and is not searched",
            Self::NoPath => "archive within another one has a name that no file may have",
            Self::TooMany => {
                "archive and those behind it are not opened: 10000 within others were found already"
            }
        }
    }

    /// The end of that clause, where it is not the same for all.
    const fn more(self) -> &'static str {
        match self {
            Self::AnotherKind(what) => what,
            _ => "",
        }
    }

    /// Why it may have been meant, as the start of a sentence.
    const fn name(self) -> &'static str {
        match self {
            Self::Packfile
            | Self::PackDir
            | Self::Text
            | Self::LinkedDirectory
            | Self::NoPath
            | Self::TooMany => "",
            _ => "is named like a pak and ",
        }
    }
}
