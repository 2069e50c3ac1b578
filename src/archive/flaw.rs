//! What is wrong with an entry: what its archive says that keeps it from being read, found out when it
//! is opened, and what damage a deflated payload can have.

use core::fmt;

use super::name::quoted;

/// What an archive says of an entry that keeps it from being read. Hardly any but ZIPs say so much.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// It needs a password.
    #[error("the entry is encrypted")]
    Encrypted,
    /// It is compressed in a way that no engine reads.
    #[error("the entry is compressed by method {0}{name}, and only 0 (stored) and 8 (deflated) are read", name = method_name(*.0))]
    Method(u16),
    /// It is a compressed lump of a WAD.
    #[error("the lump is compressed by method {0}, which no program is known to write")]
    LumpMethod(u8),
    /// There is no local header where the directory puts it.
    #[error("there is no local header where the directory puts it: {} is there", quoted(.0))]
    NoHeader([u8; 4]),
    /// The file ends before the local header.
    #[error("the directory puts the local header at byte {at}, and the file ends at byte {file}")]
    Outside {
        /// Where it should be.
        at: u64,
        /// How long the file is.
        file: u64,
    },
    /// The local header and the directory say different things.
    #[error("the directory says that {field} is {}, and the local header {}", field.show(*.directory), field.show(*.header))]
    Disagree {
        /// What they disagree about.
        field: Field,
        /// What the directory says.
        directory: u64,
        /// What the local header says.
        header: u64,
    },
    /// It is stored, and its two sizes differ.
    #[error("the entry is stored, and its sizes differ: {size} bytes, packed {packed}")]
    StoredLength {
        /// How long the content is.
        size: u64,
        /// How long the payload is.
        packed: u64,
    },
    /// It lies in another part of a ZIP that was split over files.
    #[error("the entry lies in another part of a split ZIP: in its file {}", .0 + 1)]
    OtherPart(u32),
    /// A symbolic link to a name that is none.
    #[error("the entry is a symbolic link, and where it leads takes {0} bytes to say")]
    LongLink(u64),
    /// A symbolic link that leads to no entry.
    #[error("the entry is a symbolic link to {}, which leads to no file of this archive", quoted(.0))]
    Link(Box<[u8]>),
}

/// What is wrong with a deflated payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeflateDamage {
    /// Its codes make no sense.
    #[error("its codes make no sense")]
    Codes,
    /// The payload ends before the stream does.
    #[error("the payload ends before the stream does")]
    Cut,
    /// The stream ends before the entry's size is reached.
    #[error("it ends after {found} of {size} bytes")]
    TooShort {
        /// The size that is claimed.
        size: u64,
        /// What there is.
        found: u64,
    },
    /// The stream goes on behind the entry's size.
    #[error("it goes on behind the entry's {size} bytes")]
    TooLong {
        /// The size that is claimed.
        size: u64,
    },
}

/// What two headers of an entry can disagree about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The compression method.
    Method,
    /// The CRC-32 of the content.
    Crc32,
    /// How long the payload is.
    PackedSize,
    /// How long the content is.
    Size,
    /// Whether it is encrypted: 1, or 0.
    Encryption,
}

impl Field {
    /// A value of it, as programs show it.
    fn show(self, value: u64) -> String {
        match self {
            Self::Crc32 => format!("{value:08x}"),
            _ => value.to_string(),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Method => "the method",
            Self::Crc32 => "the CRC-32",
            Self::PackedSize => "the packed size",
            Self::Size => "the size",
            Self::Encryption => "the flag of encryption",
        })
    }
}

/// What a method is called, for those that are met.
fn method_name(method: u16) -> &'static str {
    match method {
        1 => " (shrunk)",
        2..=5 => " (reduced)",
        6 => " (imploded)",
        9 => " (Deflate64)",
        12 => " (bzip2)",
        14 => " (LZMA)",
        93 => " (Zstandard)",
        95 => " (xz)",
        98 => " (PPMd)",
        99 => " (AES encryption)",
        _ => "",
    }
}
