//! What an archive keeps of each entry: where its payload lies, its size, its name, its coding.

/// What an archive's directory says of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    /// Where the payload begins. Means nothing when `size` is 0.
    pub(crate) offset: u64,
    /// The file's length, decompressed.
    pub(crate) size: u64,
    /// How many bytes the payload takes.
    pub(crate) stored_len: u64,
    /// Where in the directory the name begins.
    pub(crate) name_at: u32,
    pub(crate) name_len: u16,
    pub(crate) coding: Coding,
}

/// How a payload is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// As it is.
    Stored,
    /// As one of Daikatana's streams.
    Daikatana,
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
