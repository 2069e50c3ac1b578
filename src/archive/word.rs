//! The word for each format, and nothing more: what each looks like is in
//! [`format`](mod@crate::format). And those words of the codec that name no coding.

pub(super) use crate::codec::grammar::EXPANSION_MAX;
pub(crate) use crate::codec::{Bytes, Reserved, could_hold};

/// What an archive looks like on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Quake, Quake II, Half-Life, Hexen II: records of 64 bytes, every file stored.
    Quake,
    /// Daikatana: records of 72 bytes, each file stored or compressed.
    Daikatana,
    /// SiN: records of 128 bytes, every file stored.
    Sin,
    /// HROT: as SiN's, with a magic of its own.
    Hrot,
    /// WAD2, Quake's texture archives: records of 32 bytes with a type, every file stored.
    Wad2,
    /// WAD3, Half-Life's: as WAD2, with a palette in each texture.
    Wad3,
    /// PK3 and its kin, which are ZIP archives: every file stored or deflated.
    Pk3,
    /// Anachronox: records of 144 bytes, each file stored or compressed by zlib. Read only.
    Anachronox,
    /// No file at all, but a directory on disk.
    Directory,
}
