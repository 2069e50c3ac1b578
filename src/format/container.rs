//! The two traits that read and write a kind of container.
//!
//! [`Fixed`](super::fixed::Fixed) implements them for all formats with records of one length,
//! [`Zip`](super::zip::Zip) for ZIPs. The row of a format names its implementation.

use std::borrow::Cow;

use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Archive, ArchiveContents, Coding, Format, RawName, ReadAt, ReadOptions};

/// A file that is being opened as an archive.
pub(super) struct ArchiveFile<'a> {
    pub(super) source: &'a dyn ReadAt,
    pub(super) len: u64,
    /// Its first bytes: as many as a header has, or the whole file.
    pub(super) start: &'a [u8],
    pub(super) options: ReadOptions,
}

/// Reads a container's directory.
pub(super) trait ReadDirectory: Sync {
    /// Returns the archive's contents, or `None` if the file is not such a container.
    fn read(&self, file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error>;

    /// Completes an archive after its entries can be read.
    fn finish(&self, _: &mut Archive) {}
}

/// Writes a container's directory.
pub(super) trait WriteDirectory: Sync {
    /// Whether an entry can have this name.
    fn check_name(&self, format: Format, name: RawName<'_>) -> Result<(), ErrorKind>;

    /// The bytes before an entry's payload.
    fn lead(&self, _: &Placed<'_>) -> Option<Vec<u8>> {
        None
    }

    /// Appends an entry's record.
    fn record(&self, format: Format, entry: &Placed<'_>, out: &mut Vec<u8>);

    /// The header or the end record, and its offset, for a directory at this offset with this length.
    fn frame(
        &self,
        format: Format,
        entries: &[Placed<'_>],
        directory: (u32, u32),
    ) -> Result<(Vec<u8>, u64), Error>;
}

/// An entry with its place in the file.
#[derive(Debug, Clone)]
pub(crate) struct Placed<'a> {
    pub(crate) name: Cow<'a, [u8]>,
    pub(crate) size: u32,
    /// The offset of its payload. For an empty entry, where a payload would be.
    pub(crate) offset: u32,
    pub(crate) stored_len: u32,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content, if the format has it.
    pub(crate) crc32: u32,
    /// Whether an earlier entry has the same payload, so that nothing needs to be written.
    pub(crate) shares: bool,
}
