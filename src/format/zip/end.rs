//! The end record of a ZIP: where it is, and where it puts the directory.
//!
//! It is searched from the file's end backwards. Bytes may stand before the ZIP and behind it, as engines
//! allow, and the comment at its end may be cut.

use bstr::ByteSlice as _;

use super::headers::{
    END, END_LEN, END64, END64_LEN, LOCATOR64, LOCATOR64_LEN, RECORD, eight, four, two,
};
use crate::archive::error::{Error, ErrorKind};
use crate::archive::{Extent, ReadAt};

/// How much of the file's end is searched for the end record: the longest comment, and as much again
/// of what somebody has put behind it.
const SEARCHED: u64 = 128 << 10;

/// How far the larger end record is from what says where it is, at most, to count as one with it.
const NEAR: u64 = 4 << 10;

/// Where an end record and what it leads to are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    /// All end records, with the comment.
    pub(super) records: Extent,
    /// How many entries there should be.
    pub(super) entries: u64,
    /// Where the directory is.
    pub(super) directory: Extent,
    /// How many bytes stand before the ZIP that its offsets do not count.
    pub(super) before: u64,
    /// Which part of a ZIP that was split over files this is; 0 where it was not.
    pub(super) disk: u32,
    /// Whether there is an end record of ZIP64, and whether it is needed.
    pub(super) larger: bool,
    pub(super) needs_larger: bool,
}

/// The end record of the ZIP that the file is, or ends in; none where there is no such record.
pub(crate) fn find_end(source: &dyn ReadAt, len: u64) -> Result<Option<End>, Error> {
    let start = len.saturating_sub(SEARCHED);
    let mut tail = vec![0; usize::try_from(len - start).unwrap_or_default()];
    let read = source.read_full_at(&mut tail, start);
    tail.truncate(read.map_err(|error| Error::from_io(error).at(start))?);
    let mut failed = None;
    let mut rest = tail.as_slice();
    while let Some(at) = rest.rfind(END) {
        match judge_end(source, len, start, &tail, at) {
            Ok(Some(end)) => return Ok(Some(end)),
            Ok(None) => {}
            Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error),
            // Of several it is the last one that counts, as for every reader.
            Err(error) => failed = failed.or(Some(error)),
        }
        rest = tail.get(..at).unwrap_or_default();
    }
    failed.map_or(Ok(None), Err)
}

/// What the end record at this place of the tail says, if it is one.
fn judge_end(
    source: &dyn ReadAt,
    file: u64,
    start: u64,
    tail: &[u8],
    at: usize,
) -> Result<Option<End>, Error> {
    let record = tail.get(at..).unwrap_or_default();
    if record.len() < END_LEN {
        return Ok(None);
    }
    // A comment that is cut costs nothing.
    let len = (END_LEN + usize::from(two(record, 20))).min(record.len());
    let mut end = End {
        records: Extent {
            offset: start + at as u64,
            len: len as u64,
        },
        entries: two(record, 10).into(),
        directory: Extent {
            offset: four(record, 16).into(),
            len: four(record, 12).into(),
        },
        before: 0,
        disk: two(record, 4).into(),
        larger: false,
        needs_larger: [4, 6, 10].iter().any(|at| two(record, *at) == u16::MAX)
            || four(record, 12) == u32::MAX
            || four(record, 16) == u32::MAX,
    };
    end.read_larger(source, file)?;
    // The directory ends where the end records begin, as all writers have it; whatever stands before
    // the ZIP shows by that. Only then is it taken to be where the record says.
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
        let read = source.read_full_at(&mut magic, offset);
        read.map_err(|error| Error::from_io(error).at(offset))?;
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

impl End {
    /// Takes the numbers of the larger end record before this one, if there is one and it is needed.
    fn read_larger(&mut self, source: &dyn ReadAt, file: u64) -> Result<(), Error> {
        let Some(at) = self.records.offset.checked_sub(LOCATOR64_LEN as u64) else {
            return Ok(());
        };
        let read = |bytes: &mut [u8], at| {
            let read = source.read_full_at(bytes, at);
            read.map_err(|error| Error::from_io(error).at(at))
        };
        let mut locator = [0; LOCATOR64_LEN];
        read(&mut locator, at)?;
        self.larger = locator.starts_with(&LOCATOR64);
        if !self.larger || !self.needs_larger {
            return Ok(());
        }
        let mut record = [0; END64_LEN];
        // Where the locator says, or right before it: bytes may stand before the ZIP.
        let places = [eight(&locator, 8), at.saturating_sub(END64_LEN as u64)];
        for place in places.into_iter().filter(|place| *place < file) {
            read(&mut record, place)?;
            if record.starts_with(&END64) {
                self.disk = four(&record, 16);
                self.entries = eight(&record, 32);
                self.directory = Extent {
                    offset: eight(&record, 48),
                    len: eight(&record, 40),
                };
                // What lies far away from the others is not taken for one of them.
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
