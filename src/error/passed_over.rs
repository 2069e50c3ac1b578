//! What a search passes over, and why: one of them in words, and several.

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
    /// What it is, as a clause.
    pub(super) const fn what(self) -> &'static str {
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
    pub(super) const fn more(self) -> &'static str {
        match self {
            Self::AnotherKind(what) => what,
            _ => "",
        }
    }

    /// Why it may have been meant, as the start of a sentence.
    pub(super) const fn name(self) -> &'static str {
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

    /// What several of them are, behind their number.
    #[must_use]
    pub const fn several(self) -> &'static str {
        match self {
            Self::Empty => "files are named like paks and are empty",
            Self::NoMagic => "files are named like paks and do not begin as paks",
            Self::DanglingLink => "links are named like paks and lead nowhere",
            Self::NotAFile => "things are named like paks and are not regular files",
            Self::Packfile => "files are Git's packfiles, and not paks",
            Self::PackDir => "files are RISC OS archives (PackDir), and not paks",
            Self::Text => "files begin like paks, but are texts",
            Self::AnotherKind(_) => {
                "files are named like paks and are ZIPs of other kinds, as programs and office files are"
            }
            Self::LinkedDirectory => "links to directories are not searched",
            Self::NoPath => "archives within archives have names that no file may have",
            Self::TooMany => "archives within others are more than are opened",
        }
    }
}
