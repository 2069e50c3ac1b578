//! The reasons why a search does not take a file as an archive.

use std::path::Path;

use crate::ops::finding::Finding;

/// Advice about archives within others that a search does not open.
pub(super) const NAME_NESTED: &str = "name the archives that you want, as in mod.zip//id1/pak0.pak";

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
        let (what, many) = self.words();
        let is_named =
            matches!(self, Self::Empty | Self::NoMagic | Self::DanglingLink | Self::NotAFile);
        let named = if is_named { "is named like a pak but " } else { "" };
        let finding = Finding::warning(format!("this {named}{what}")).many(many);
        let finding = match self {
            Self::Empty | Self::NoMagic | Self::DanglingLink => {
                finding.advice("if this is meant to be a pak, get a whole copy of it")
            }
            Self::LinkedDirectory => finding.advice("give the directory that it points to"),
            Self::NoPath => finding.advice(NAME_NESTED),
            Self::NotAFile | Self::Packfile | Self::PackDir | Self::Text => finding,
        };
        finding.at_path(path)
    }

    /// The error if the snapshot has an archive with this path.
    pub(in crate::ops) fn lost(self) -> Finding {
        let (what, _) = self.words();
        let why = format!("this was an archive when the snapshot was made, but now {what}");
        Finding::error(why)
            .many("files were archives when the snapshot was made, but no longer are")
            .advice("get a whole copy of it, or remove it if it is meant to be gone")
    }

    /// What one file is, and the sentence for many.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Empty => ("is empty", "files are named like paks but are empty"),
            Self::NoMagic => {
                ("does not begin like one", "files are named like paks but do not begin like paks")
            }
            Self::DanglingLink => {
                ("is a link that leads nowhere", "links are named like paks but are broken")
            }
            Self::NotAFile => {
                ("is not a regular file", "paths are named like paks but are not regular files")
            }
            Self::Packfile => ("is a Git packfile, not a pak", "files are Git packfiles, not paks"),
            Self::PackDir => (
                "is a RISC OS archive (PackDir), not a pak",
                "files are RISC OS archives (PackDir), not paks",
            ),
            Self::Text => ("is text that begins like a pak", "files begin like paks but are text"),
            Self::LinkedDirectory => (
                "is a link to a directory, and is not searched",
                "links to directories are not searched",
            ),
            Self::NoPath => (
                "archive within another one has a name that is not allowed for a file",
                "archives within archives have names that are not allowed for files",
            ),
        }
    }
}
