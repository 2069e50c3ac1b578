//! A file while it is examined. Its beginning is in memory; the rest is read if a fact needs it.

use std::io;

use super::facts::Depth;
use super::picture_error::PictureError;
use crate::archive::bytes::{Cursor, Short};
use crate::archive::{RawName, ReadAt};

/// How much of the beginning is read: up to where an SWL keeps the offsets of its mips.
pub const START: usize = 1116;

/// A file while it is examined.
pub(super) struct File<'a> {
    pub(super) name: RawName<'a>,
    /// The first [`START`] bytes, or all of a shorter file.
    pub(super) start: Cursor<'a>,
    pub(super) len: u64,
    pub(super) depth: Depth,
    pub(super) source: &'a dyn ReadAt,
}

impl File<'_> {
    /// Reads `len` bytes at `offset`, or fewer if the file ends before.
    pub(super) fn read_up_to(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        let read = self.source.read_full_at(&mut bytes, offset)?;
        bytes.truncate(read);
        Ok(bytes)
    }

    /// Reads `len` bytes at `offset`; `None` if the file ends before.
    pub(super) fn read(&self, offset: u64, len: usize) -> io::Result<Option<Vec<u8>>> {
        let bytes = self.read_up_to(offset, len)?;
        Ok((bytes.len() == len).then_some(bytes))
    }
}

/// Why a file is not of the expected type.
#[derive(Debug)]
pub(super) enum Mismatch {
    /// The header does not fit the type.
    Header,
    /// The file cannot be read.
    Io(io::Error),
}

impl From<io::Error> for Mismatch {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Short> for Mismatch {
    fn from(_: Short) -> Self {
        Self::Header
    }
}

impl From<PictureError> for Mismatch {
    fn from(_: PictureError) -> Self {
        Self::Header
    }
}

/// Returns a mismatch unless the header's numbers agree.
pub(super) fn check(agree: bool) -> Result<(), Mismatch> {
    if agree { Ok(()) } else { Err(Mismatch::Header) }
}
