//! What is done in one way for records of one length and in another for ZIPs.

use super::container::{ArchiveFile, Container, Placed};
use super::{fixed, zip};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Archive, ArchiveContents, Format, RawName};

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
