//! Problems of a single entry: a flaw in its headers, found on opening, or a damaged deflate stream.

use super::name::quoted;

/// A problem in an entry's headers, because of which it cannot be read. Almost only ZIPs have any.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// It is encrypted.
    #[error("the entry is encrypted")]
    Encrypted,
    /// Its compression method is one that daisho does not read.
    #[error("the entry is compressed by method {0}{name}, but daisho reads only 0 (stored), 8 (deflated) and 9 (Deflate64)", name = method_name(*.0))]
    Method(u16),
    /// It is a compressed lump of a WAD.
    #[error("the lump is compressed by method {0}, which no known program writes")]
    LumpMethod(u8),
    /// There is no local header at the offset in the directory.
    #[error("there is no local header where the directory says it is: {} is there instead", quoted(.0))]
    NoHeader([u8; 4]),
    /// The local header is outside of the file.
    #[error("the directory puts the local header at byte {at}, but the file ends at byte {file}")]
    Outside {
        /// Its claimed offset.
        at: u64,
        /// The length of the file.
        file: u64,
    },
    /// The local header and the directory disagree.
    #[error("the directory says that {field} is {directory}, but the local header says {header}")]
    Disagree {
        /// The field in which they disagree: `the method`.
        field: &'static str,
        /// The value in the directory.
        directory: u16,
        /// The value in the local header.
        header: u16,
    },
    /// It is stored, and its two sizes differ.
    #[error("the entry is stored, but its sizes differ: {size} bytes, and {packed} packed")]
    StoredLength {
        /// The size of the content.
        size: u64,
        /// The size of the payload.
        packed: u64,
    },
    /// Its sizes should follow its payload, whose end is not found.
    #[error("the end of the payload is not found: its sizes are only after it")]
    NoEnd,
    /// It is in another part of a ZIP that was split over files.
    #[error("the entry is in another part of a split ZIP: part {}", .0 + 1)]
    OtherPart(u32),
    /// The target of a symbolic link is too long for a name.
    #[error(
        "the entry is a symbolic link, and the path of its target is {0} bytes long, which is too long"
    )]
    LongLink(u64),
    /// A symbolic link whose target is not an entry.
    #[error("the entry is a symbolic link to {}, which does not lead to a file in this archive", quoted(.0))]
    Link(Box<[u8]>),
    /// A symbolic link to a folder of the archive.
    #[error("the entry is a symbolic link to the folder {}, but daisho follows links only to files", quoted(.0))]
    LinkToFolder(Box<[u8]>),
}

impl Flaw {
    /// Whether the entry may be well, but daisho does not support its compression or encryption, or a link to a
    /// folder.
    #[must_use]
    pub const fn is_unsupported(&self) -> bool {
        matches!(self, Self::Encrypted | Self::Method(_) | Self::LinkToFolder(_))
    }
}

/// Damage in a deflated payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeflateDamage {
    /// Its codes are invalid.
    #[error("its codes make no sense")]
    Codes,
    /// The payload ends before the stream does.
    #[error("the payload ends before the stream does")]
    Cut,
    /// The stream ends before it reaches the entry's size.
    #[error("it ends after {found} of {size} bytes")]
    TooShort {
        /// The claimed size.
        size: u64,
        /// The actual size.
        found: u64,
    },
    /// The stream continues after the entry's size.
    #[error("it goes on after the entry's {size} bytes")]
    TooLong {
        /// The claimed size.
        size: u64,
    },
}

/// The name of a known method.
fn method_name(method: u16) -> &'static str {
    match method {
        1 => " (shrunk)",
        2..=5 => " (reduced)",
        6 => " (imploded)",
        12 => " (bzip2)",
        14 => " (LZMA)",
        93 => " (Zstandard)",
        95 => " (xz)",
        98 => " (PPMd)",
        99 => " (AES encryption)",
        _ => "",
    }
}
