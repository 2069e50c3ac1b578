//! What an archive keeps of each entry: where its payload lies, its size, its name, its coding.

use super::format::EXPANSION_MAX;

/// What an archive's directory says of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    /// Where the payload begins. Means nothing when `size` is 0.
    pub(crate) offset: u64,
    /// The file's length, decompressed.
    pub(crate) size: u64,
    /// How many bytes the payload takes.
    pub(crate) stored_len: u64,
    /// Where among the archive's names this one begins.
    pub(crate) name_at: u32,
    pub(crate) name_len: u16,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content, where the archive states it.
    pub(crate) crc32: Option<u32>,
    /// How many bytes before the payload are the entry's, too: a ZIP's local header.
    pub(crate) lead: u32,
}

/// How a payload is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// As it is.
    Stored,
    /// As one of Daikatana's streams.
    Daikatana,
    /// As a raw deflate stream, as ZIPs hold them.
    Deflate,
    /// As a deflate stream with zlib's header and checksum around it.
    Zlib,
}

/// The most that a byte of deflate comes to: 258 bytes from a length of one bit and a distance of one.
const DEFLATE_MAX: u64 = 1032;

impl Coding {
    /// A stable lower-case word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Daikatana => "daikatana",
            Self::Deflate => "deflate",
            Self::Zlib => "zlib",
        }
    }

    /// The most that a payload of this length can hold.
    pub(crate) const fn most(self, packed: u64) -> u64 {
        match self {
            Self::Stored => packed,
            Self::Daikatana => packed.saturating_mul(EXPANSION_MAX),
            Self::Deflate | Self::Zlib => packed.saturating_mul(DEFLATE_MAX),
        }
    }
}

/// Where something lies in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Extent {
    /// Its first byte.
    pub offset: u64,
    /// How many bytes it has.
    pub len: u64,
}

impl Extent {
    /// The byte behind its last one.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.offset.saturating_add(self.len)
    }
}
