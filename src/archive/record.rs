//! What an open archive keeps of each entry: the place of its payload, its size, name and coding.

use super::format::EXPANSION_MAX;

/// The properties of an entry in an archive's directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EntryRecord {
    /// The offset of the payload. Meaningless if `size` is 0.
    pub(crate) offset: u64,
    /// The file's length, decompressed.
    pub(crate) size: u64,
    /// The length of the payload.
    pub(crate) stored_len: u64,
    /// The offset of its name among all names.
    pub(crate) name_at: u32,
    pub(crate) name_len: u16,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content, if the archive contains it.
    pub(crate) crc32: Option<u32>,
    /// The length of the local header before the payload, in a ZIP.
    pub(crate) lead: u32,
}

/// The coding of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// Not compressed.
    Stored,
    /// A stream of Daikatana.
    Daikatana,
    /// A raw deflate stream, as in ZIPs.
    Deflate,
    /// A deflate stream with zlib's header and checksum.
    Zlib,
}

/// The best ratio of deflate: 258 bytes for a length of one bit and a distance of one bit.
const DEFLATE_MAX: u64 = 1032;

impl Coding {
    /// A stable lower-case word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Daikatana => "daikatana",
            Self::Deflate => "deflate",
            Self::Zlib => "zlib",
        }
    }

    /// The most bytes that a payload of this length can decode to.
    pub(crate) const fn most(self, packed: u64) -> u64 {
        match self {
            Self::Stored => packed,
            Self::Daikatana => packed.saturating_mul(EXPANSION_MAX),
            Self::Deflate | Self::Zlib => packed.saturating_mul(DEFLATE_MAX),
        }
    }
}

/// A range of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Extent {
    /// Its offset.
    pub offset: u64,
    /// Its length.
    pub len: u64,
}

impl Extent {
    /// The offset after its last byte.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.offset.saturating_add(self.len)
    }
}
