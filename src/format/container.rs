//! The two traits by which a container of its own kind is read and written.
//!
//! [`Fixed`](super::fixed::Fixed) has them for all formats with records of one length,
//! [`Zip`](super::zip::Zip) for ZIPs. The row of a format names the one that serves it.

use super::write::{Directory, Placed};
use crate::archive::{Archive, Contents, Format, RawName, ReadAt, ReadOptions};
use crate::error::{Error, ErrorKind};

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

    /// The header, or the end record, of an archive whose records end at this place; and where it stands.
    fn frame(&self, directory: &Directory<'_>, end: u64) -> Result<(Vec<u8>, u64), Error>;
}
