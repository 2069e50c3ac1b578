//! The two traits by which a container of its own kind is read and written.
//!
//! [`Fixed`](super::fixed::Fixed) has them for all formats with records of one length,
//! [`Zip`](super::zip::Zip) for ZIPs. The row of a format names the one that serves it.

use std::borrow::Cow;

use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Archive, Coding, Contents, Format, RawName, ReadAt, ReadOptions};

/// A file that is opened as an archive.
pub(super) struct File<'a> {
    pub(super) source: &'a dyn ReadAt,
    pub(super) len: u64,
    /// Its first bytes: as many as a header has, or all.
    pub(super) start: &'a [u8],
    pub(super) options: ReadOptions,
}

/// Reads a container's directory.
pub(super) trait ReadDirectory: Sync {
    /// The contents of the archive that the file is, or `None` if it is no such container.
    fn read(&self, file: &File<'_>) -> Result<Option<Contents>, Error>;

    /// Finishes an archive whose entries can be read.
    fn finish(&self, _: &mut Archive) {}
}

/// Writes a container's directory.
pub(super) trait WriteDirectory: Sync {
    /// Whether an entry can have this name.
    fn check_name(&self, format: Format, name: RawName<'_>) -> Result<(), ErrorKind>;

    /// What stands before an entry's payload.
    fn lead(&self, _: &Placed<'_>) -> Option<Vec<u8>> {
        None
    }

    /// Appends an entry's record.
    fn record(&self, format: Format, entry: &Placed<'_>, out: &mut Vec<u8>);

    /// The header, or the end record, and where it stands; the directory has this offset and length.
    fn frame(
        &self,
        format: Format,
        entries: &[Placed<'_>],
        directory: (u32, u32),
    ) -> Result<(Vec<u8>, u64), Error>;
}

/// An entry that has its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed<'a> {
    pub(crate) name: Cow<'a, [u8]>,
    pub(crate) size: u32,
    /// Where its payload begins. For an empty one, where it would.
    pub(crate) offset: u32,
    pub(crate) stored_len: u32,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content, where the format states it.
    pub(crate) crc32: u32,
    /// Whether an entry before it has the same payload, so that there is nothing to fill.
    #[cfg_attr(
        not(any(test, feature = "ops")),
        expect(dead_code, reason = "a serial writer fills none")
    )]
    pub(crate) shares: bool,
}
