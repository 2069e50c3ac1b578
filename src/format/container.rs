//! The kinds of containers, a file that is being opened as one, and an entry that is being written into one.

use std::borrow::Cow;

use super::records::Fields;
use super::{fixed, zip};
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

/// How the archives of a format are built. This is the only place where formats differ in more than numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Container {
    /// A header, payloads, and records of one length with these fields.
    Records(&'static Fields),
    /// A ZIP.
    Zip,
}

/// An entry with its place in the file.
#[derive(Debug, Clone)]
pub(crate) struct Placed<'a> {
    pub(crate) name: Cow<'a, [u8]>,
    pub(crate) name_len: u16,
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

impl Container {
    /// Reads the directory. `None` if the file is not such a container.
    pub(super) fn read(self, file: &ArchiveFile<'_>) -> Result<Option<ArchiveContents>, Error> {
        match self {
            Self::Records(_) => fixed::read(file),
            Self::Zip => zip::read(file),
        }
    }

    /// Completes an archive after its entries can be read.
    pub(super) fn finish(self, archive: &mut Archive) {
        match self {
            Self::Records(_) => {}
            Self::Zip => zip::follow_links(archive),
        }
    }

    /// Whether an entry can have this name.
    pub(super) fn check_name(self, format: Format, name: RawName<'_>) -> Result<(), ErrorKind> {
        match self {
            Self::Records(_) => fixed::check_name(format, name),
            Self::Zip => zip::check_name(format, name),
        }
    }

    /// The bytes before an entry's payload.
    pub(super) fn lead(self, entry: &Placed<'_>) -> Option<Vec<u8>> {
        match self {
            Self::Records(_) => None,
            Self::Zip => Some(zip::local_header(entry)),
        }
    }

    /// Appends an entry's record.
    pub(super) fn record(self, format: Format, entry: &Placed<'_>, out: &mut Vec<u8>) {
        match self {
            Self::Records(_) => fixed::record(format, entry, out),
            Self::Zip => zip::record(entry, out),
        }
    }

    /// The header or the end record, and its offset, for a directory at this offset with this length.
    pub(super) fn frame(
        self,
        format: Format,
        entries: &[Placed<'_>],
        directory: (u32, u32),
    ) -> Result<(Vec<u8>, u64), Error> {
        match self {
            Self::Records(_) => fixed::header(format, entries, directory),
            Self::Zip => Ok(zip::end_record(entries.len(), directory)),
        }
    }
}
