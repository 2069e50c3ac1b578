//! Finds the end record of a ZIP, and the directory that it describes.
//!
//! The search goes backwards from the file's end. Bytes before and after the ZIP are allowed, as in
//! engines, and the comment at its end may be cut.

use std::io;

use bstr::ByteSlice as _;

use super::headers::{END, END_LEN, END64, END64_LEN, LOCATOR64, LOCATOR64_LEN, RECORD};
use crate::archive::bytes::{u16_at, u32_at, u64_at};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Extent, ReadAt, read_at};

/// How much of the file's end is read first. Most end records are among the last 22 bytes, and the whole of a small
/// ZIP's directory is there, too.
const TAIL: u64 = 1 << 10;

/// How much of the file's end is searched for the end record: the longest comment, and as much again for
/// appended bytes.
const SEARCHED: u64 = 128 << 10;

/// How far the ZIP64 end record may be from its locator to belong to it.
const NEAR: u64 = 4 << 10;

/// An end record and the directory that it describes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EndRecord {
    /// The place of all end records, with the comment.
    pub(super) records: Extent,
    /// The stated number of entries.
    pub(super) entries: u64,
    /// The place of the directory.
    pub(super) directory: Extent,
    /// The number of bytes before the ZIP, which its offsets do not count.
    pub(super) before: u64,
    /// The part number of a ZIP that was split over files; otherwise 0.
    pub(super) disk: u32,
    /// Whether a ZIP64 end record exists and is needed.
    pub(super) larger: bool,
    pub(super) needs_larger: bool,
}

/// A file whose last bytes were read. Reads that lie in them need no other read.
pub(super) struct Tail<'s> {
    source: &'s dyn ReadAt,
    start: u64,
    bytes: Vec<u8>,
}

impl<'s> Tail<'s> {
    /// Reads the end of a file of this length.
    pub(super) fn read(source: &'s dyn ReadAt, len: u64) -> Result<Self, Error> {
        Self::of_len(source, len, TAIL)
    }

    fn of_len(source: &'s dyn ReadAt, len: u64, most: u64) -> Result<Self, Error> {
        let start = len.saturating_sub(most);
        let mut bytes = vec![0; usize::try_from(len - start).unwrap_or_default()];
        let read = read_at(source, &mut bytes, start)?;
        bytes.truncate(read);
        Ok(Self { source, start, bytes })
    }

    fn kept(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let at = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        self.bytes.get(at..at.checked_add(len)?)
    }
}

impl ReadAt for Tail<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self.kept(offset, buffer.len()) {
            Some(kept) => {
                buffer.copy_from_slice(kept);
                Ok(kept.len())
            }
            None => self.source.read_at(buffer, offset),
        }
    }

    fn size(&self) -> io::Result<u64> {
        self.source.size()
    }
}

/// Finds the end record of the ZIP in or at the end of a file of this length. Most are in the `tail`.
pub(super) fn find_end(tail: &Tail<'_>, len: u64) -> Result<Option<EndRecord>, Error> {
    let found = find_in(tail, len);
    if tail.start == 0 || matches!(found, Ok(Some(_))) {
        return found;
    }
    find_in(&Tail::of_len(tail.source, len, SEARCHED)?, len)
}

/// Finds the last valid end record in the tail.
fn find_in(tail: &Tail<'_>, len: u64) -> Result<Option<EndRecord>, Error> {
    let mut failed = None;
    let mut rest = tail.bytes.as_slice();
    while let Some(at) = rest.rfind(END) {
        match judge_end(tail, len, at) {
            Ok(Some(end)) => return Ok(Some(end)),
            Ok(None) => {}
            Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error),
            // The last one counts, as in every reader.
            Err(error) => failed = failed.or(Some(error)),
        }
        rest = tail.bytes.get(..at).unwrap_or_default();
    }
    failed.map_or(Ok(None), Err)
}

/// Parses the end record at this place of the tail.
fn judge_end(tail: &Tail<'_>, file: u64, at: usize) -> Result<Option<EndRecord>, Error> {
    let record = tail.bytes.get(at..).unwrap_or_default();
    if record.len() < END_LEN {
        return Ok(None);
    }
    // A comment that is cut is harmless.
    let len = (END_LEN + usize::from(u16_at(record, 20))).min(record.len());
    let mut end = EndRecord {
        records: Extent { offset: tail.start + at as u64, len: len as u64 },
        entries: u16_at(record, 10).into(),
        directory: Extent { offset: u32_at(record, 16).into(), len: u32_at(record, 12).into() },
        before: 0,
        disk: u16_at(record, 4).into(),
        larger: false,
        needs_larger: [4, 6, 10].iter().any(|at| u16_at(record, *at) == u16::MAX)
            || u32_at(record, 12) == u32::MAX
            || u32_at(record, 16) == u32::MAX,
    };
    end.read_larger(tail, file)?;
    // All writers end the directory where the end records begin, which shows how many bytes precede the
    // ZIP. If it does not fit, the record's own offset is used.
    let claimed = end.directory;
    let behind = end.records.offset.checked_sub(claimed.len);
    for offset in behind.into_iter().chain([claimed.offset]) {
        let Some(before) = offset.checked_sub(claimed.offset) else {
            continue;
        };
        if offset > file {
            continue;
        }
        let mut magic = [0; 4];
        read_at(tail, &mut magic, offset)?;
        let is_empty = claimed.len == 0 && end.entries == 0;
        if is_empty || magic == RECORD {
            end.directory.offset = offset;
            end.before = before;
            return Ok(Some(end));
        }
    }
    if end.disk > 0 {
        return Err(ErrorKind::SplitZip.into());
    }
    let Extent { offset, len } = claimed;
    Err(ErrorKind::NoZipDirectory { offset, len }.into())
}

impl EndRecord {
    /// Adds the ZIP64 end records before this one, if they exist, and uses their numbers, if they are needed.
    fn read_larger(&mut self, source: &dyn ReadAt, file: u64) -> Result<(), Error> {
        let Some(at) = self.records.offset.checked_sub(LOCATOR64_LEN as u64) else {
            return Ok(());
        };
        let mut locator = [0; LOCATOR64_LEN];
        read_at(source, &mut locator, at)?;
        self.larger = locator.starts_with(&LOCATOR64);
        if !self.larger {
            return Ok(());
        }
        let mut record = [0; END64_LEN];
        // Either at the locator's offset, or right before the locator if bytes precede the ZIP.
        let places = [u64_at(&locator, 8), at.saturating_sub(END64_LEN as u64)];
        for place in places.into_iter().filter(|place| *place < file) {
            read_at(source, &mut record, place)?;
            if record.starts_with(&END64) {
                if self.needs_larger {
                    self.disk = u32_at(&record, 16);
                    self.entries = u64_at(&record, 32);
                    self.directory =
                        Extent { offset: u64_at(&record, 48), len: u64_at(&record, 40) };
                }
                // A record far away from the others does not belong to them.
                if at.abs_diff(place) < NEAR {
                    let end = self.records.end();
                    self.records.offset = place.min(at);
                    self.records.len = end - self.records.offset;
                }
                break;
            }
        }
        Ok(())
    }
}
