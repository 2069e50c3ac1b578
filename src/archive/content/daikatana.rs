//! Decodes a stream of Daikatana, and decides how to read the reserved byte `0xFE` in it.
//!
//! The game skips the byte. One third-party packer writes it for a copy of 64 bytes. A packer writes a
//! whole pak, so the whole pak votes. Every stream that has the byte at the beginning of a token is walked
//! under both readings, and is sound in one of them, in both, or in neither:
//!
//! | streams that are sound in one reading only | how streams with the byte are read            |
//! |--------------------------------------------|-----------------------------------------------|
//! | all in the same reading                    | that reading, for all                         |
//! | some in one, some in the other             | each by its own result; if it is sound in both, as most are |
//! | none                                       | skipped, as the game does, if that is sound   |
//!
//! The vote is taken at the first such byte, and only once for an open pak. The decoder stops before this
//! byte; both readings agree on everything before it. If the streams disagree, the rest of this stream is
//! walked for its lengths under both readings, and the one that gives the entry's size wins. Decoding
//! continues with it, and all output so far stays valid.

use core::fmt;
use core::ops::Range;
use std::collections::BTreeSet;

use crate::archive::container::Archive;
use crate::archive::entry::Coding;
use crate::archive::entry::Entry;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::stored::{BUFFER, StoredReader};
use crate::codec::{
    DecodeError, Decoder, End, Reserved, Status, Summary, Unreadable, Walk, Walker,
};

/// How many bytes of streams are walked for the vote, as a multiple of the file's length. The streams of an
/// honest pak do not overlap, so all of them are walked. In a hostile pak, a million entries can refer to
/// one long stream in a million different ways.
const WALKED_MAX: u64 = 4;

/// A stream while it is decoded.
#[derive(Debug)]
pub(super) struct Stream {
    decoder: Decoder,
    buffer: Vec<u8>,
    /// The part of the buffer that is not decoded yet.
    ready: Range<usize>,
    pub(super) summary: Option<Summary>,
    /// Whether to stop before the first reserved byte that is ambiguous.
    stops: bool,
}

impl Stream {
    /// Reads the stream of an entry in pieces of at most this size.
    pub(super) fn new(entry: Entry<'_>, piece: usize, stops: bool) -> Self {
        let packed = usize::try_from(entry.stored_len());
        let buffer = packed.unwrap_or(piece).min(piece);
        let reserved = entry.archive().options().reserved;
        Self {
            decoder: Decoder::new(Some(entry.size()), reserved.unwrap_or(Reserved::Stop)),
            buffer: vec![0; buffer],
            ready: 0..0,
            summary: None,
            stops,
        }
    }

    pub(super) fn decode(
        &mut self,
        payload: &mut StoredReader<'_>,
        output: &mut [u8],
    ) -> Result<usize, Error> {
        if output.is_empty() {
            return Ok(0);
        }
        while self.summary.is_none() {
            if self.ready.is_empty() {
                self.ready = 0..payload.read_some(&mut self.buffer)?;
            }
            let input = self.buffer.get(self.ready.clone()).unwrap_or_default();
            let over = input.is_empty();
            let progress = self.decoder.decode(input, output);
            self.ready.start += progress.consumed;
            match progress.status {
                // Output before it is returned first. The next call meets the damage again, and so it does
                // the reserved byte, which may turn out to be damage.
                Err(_) | Ok(Status::Reserved) if progress.produced > 0 => {}
                Err(error) => return Err(damaged(payload.entry, error)),
                Ok(Status::Done) => self.end(payload)?,
                Ok(Status::NeedInput) if over && progress.produced == 0 => self.end(payload)?,
                Ok(Status::Reserved) if self.stops => return Ok(0),
                Ok(Status::Reserved) => {
                    let reading = self.judge(payload)?;
                    self.decoder.pin(reading);
                }
                Ok(Status::NeedInput | Status::NeedOutput) => {}
            }
            if progress.produced > 0 {
                return Ok(progress.produced);
            }
        }
        Ok(0)
    }

    fn end(&mut self, payload: &StoredReader<'_>) -> Result<(), Error> {
        let tail = self.ready.len() as u64 + payload.left();
        let summary = self.decoder.finish(tail);
        let summary = summary.map_err(|error| damaged(payload.entry, error))?;
        if summary.reserved > 0 {
            payload.entry.archive().met_reserved();
        }
        self.summary = Some(summary);
        Ok(())
    }

    /// Decides how to read the next byte, which is reserved.
    fn judge(&self, payload: &StoredReader<'_>) -> Result<Reserved, Error> {
        let vote = payload.entry.archive().reserved_vote();
        if let Some(reading) = vote.unanimous() {
            return Ok(reading);
        }
        let walk = |reserved| {
            let ready = self.buffer.get(self.ready.clone()).unwrap_or_default();
            walk_on(&mut self.decoder.walker(reserved), ready, payload)
        };
        match (walk(Reserved::Skip)?, walk(Reserved::Copy)?) {
            (Ok(_), Ok(_)) => Ok(vote.reading()),
            (Ok(_), Err(_)) => Ok(Reserved::Skip),
            (Err(_), Ok(_)) => Ok(Reserved::Copy),
            (Err(skipped), Err(copied)) => {
                let start = payload.entry.start();
                let error = ErrorKind::Unreadable(Unreadable { skipped, copied }.into());
                let at = start + self.decoder.read();
                Err(payload.entry.locate(error.into()).at(at))
            }
        }
    }
}

/// Whether the stream of a compressed entry is sound with the reserved byte skipped, and with it read as a
/// copy. `None` if there is no such byte. Only lengths are walked.
fn sound_readings(entry: Entry<'_>) -> Result<Option<[bool; 2]>, Error> {
    let mut payload = entry.stored()?;
    let mut walker = Walker::new(Some(entry.size()), Reserved::Stop);
    let read = match walk_on(&mut walker, &[], &payload)? {
        Ok(walk) if walk.summary.end == End::Reserved => walk.summary.read,
        _ => return Ok(None),
    };
    payload.skip(read);
    let is_sound = |reserved| -> Result<bool, Error> {
        let mut walker = walker.clone();
        walker.pin(reserved);
        Ok(walk_on(&mut walker, &[], &payload)?.is_ok())
    };
    Ok(Some([is_sound(Reserved::Skip)?, is_sound(Reserved::Copy)?]))
}

/// Whether every reader decodes the stream alike, so that it can be copied unchanged. Only lengths are
/// walked. A damaged stream is not clean; decoding it gives the error.
pub(super) fn is_clean(entry: Entry<'_>) -> Result<bool, Error> {
    let mut walker = Walker::new(Some(entry.size()), Reserved::Error);
    let walk = walk_on(&mut walker, &[], &entry.stored()?)?;
    Ok(walk.is_ok_and(|walk| walk.is_clean()))
}

impl Archive {
    /// The vote of the archive's streams about the reserved byte. The first call walks all of them.
    pub(crate) fn reserved_vote(&self) -> ReservedVote {
        let vote = self.reserved.get_or_init(|| Some(take_vote(self)));
        vote.unwrap_or_default()
    }

    /// Records that a stream with the reserved byte was read to its end.
    pub(crate) fn met_reserved(&self) {
        // If the options give no reading, the vote was taken before.
        let _ = self.reserved.set(None);
    }
}

/// Takes the vote. Unreadable entries do not vote.
fn take_vote(archive: &Archive) -> ReservedVote {
    let mut vote = ReservedVote::default();
    let mut seen = BTreeSet::new();
    let mut left = archive.file_len().saturating_mul(WALKED_MAX);
    for entry in archive.entries() {
        if entry.coding() != Coding::Daikatana || entry.check_claims().is_err() {
            continue;
        }
        let Some(extent) = entry.extent() else {
            continue;
        };
        if !seen.insert((extent, entry.size())) || extent.len > left {
            continue;
        }
        left -= extent.len;
        if let Ok(Some([skip, copy])) = sound_readings(entry) {
            *match (skip, copy) {
                (true, false) => &mut vote.skip_only,
                (false, true) => &mut vote.copy_only,
                (true, true) => &mut vote.either,
                (false, false) => &mut vote.neither,
            } += 1;
        }
    }
    vote
}

/// Walks `ready`, then the rest of the payload.
///
/// `Ok(Err(_))` is a damaged stream, which is a valid result of a walk.
fn walk_on(
    walker: &mut Walker,
    ready: &[u8],
    payload: &StoredReader<'_>,
) -> Result<Result<Walk, DecodeError>, Error> {
    let mut rest = payload.clone();
    let mut own = Vec::new();
    let mut input = ready;
    loop {
        let (taken, status) = walker.feed(input);
        let left = (input.len() - taken) as u64 + rest.left();
        match status {
            Err(error) => return Ok(Err(error)),
            Ok(Status::NeedInput) if rest.left() > 0 => {
                own.resize(BUFFER, 0);
                let read = rest.read_some(&mut own)?;
                input = own.get(..read).unwrap_or_default();
            }
            Ok(Status::NeedInput) => return Ok(walker.finish(0)),
            Ok(_) => return Ok(walker.finish(left)),
        }
    }
}

fn damaged(entry: Entry<'_>, error: DecodeError) -> Error {
    let start = entry.start();
    let at = start.saturating_add(error.input());
    entry.locate(ErrorKind::Damaged(error).into()).at(at)
}

/// The vote of a pak's streams about the reserved byte, as numbers of streams that contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReservedVote {
    /// Sound only if the byte is skipped.
    pub skip_only: u64,
    /// Sound only if the byte is a copy of 64 bytes.
    pub copy_only: u64,
    /// Sound in both readings.
    pub either: u64,
    /// Damaged in both readings.
    pub neither: u64,
}

/// How the reserved bytes of a pak were read, for reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservedReading {
    /// The reading of the streams that are sound in both readings.
    pub reading: Reserved,
    /// The vote; `None` if the reading was given.
    pub vote: Option<ReservedVote>,
}

impl ReservedVote {
    /// The reading for streams that are sound in both.
    #[must_use]
    pub const fn reading(self) -> Reserved {
        if self.copy_only > self.skip_only {
            Reserved::Copy
        } else {
            Reserved::Skip
        }
    }

    /// The reading of all streams, if all streams that are sound in only one reading agree.
    #[must_use]
    pub const fn unanimous(self) -> Option<Reserved> {
        match (self.skip_only, self.copy_only) {
            (1.., 0) => Some(Reserved::Skip),
            (0, 1..) => Some(Reserved::Copy),
            _ => None,
        }
    }

    /// How many streams contain the byte.
    #[must_use]
    pub const fn streams(self) -> u64 {
        self.skip_only + self.copy_only + self.either + self.neither
    }
}

impl fmt::Display for ReservedReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reading = match self.reading {
            Reserved::Copy => "read as a copy of 64 bytes",
            _ => "skipped as in the game",
        };
        let Some(vote) = self.vote else {
            return write!(f, "the reserved byte 0xfe is {reading}, as you chose");
        };
        let count = vote.streams();
        let contain = match count {
            1 => "stream contains",
            _ => "streams contain",
        };
        write!(f, "{count} {contain} the reserved byte 0xfe")?;
        if vote.skip_only > 0 && vote.copy_only > 0 {
            write!(f, "; each is read in the way that makes it sound")?;
            if vote.either > 0 {
                write!(f, ", or with the byte {reading} if both ways do")?;
            }
        } else {
            write!(f, ", which is {reading}")?;
        }
        let are = |count: u64| if count == 1 { "is" } else { "are" };
        let mut separator = ": ";
        let sound = [
            (vote.copy_only, "only as copies"),
            (vote.skip_only, "only if it is skipped"),
            (vote.either, "either way"),
        ];
        for (count, how) in sound.into_iter().filter(|(count, _)| *count > 0) {
            match separator {
                ": " => write!(f, ": {count} {} sound {how}", are(count))?,
                _ => write!(f, ", {count} {how}")?,
            }
            separator = ", ";
        }
        match vote.neither {
            0 => Ok(()),
            count => write!(f, "{separator}{count} {} damaged either way", are(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn vote(skip_only: u64, copy_only: u64, either: u64, neither: u64) -> ReservedVote {
        ReservedVote {
            skip_only,
            copy_only,
            either,
            neither,
        }
    }

    #[test]
    fn a_pak_is_read_one_way_only_where_all_streams_that_decide_agree() {
        let copies = vote(0, 820, 11, 1);
        assert_eq!(copies.unanimous(), Some(Reserved::Copy));
        assert_eq!(copies.reading(), Reserved::Copy);
        let skips = vote(3, 0, 11, 0);
        assert_eq!(skips.unanimous(), Some(Reserved::Skip));
        assert_eq!(skips.reading(), Reserved::Skip);
        for (undecided, reading) in [
            (vote(0, 0, 5, 2), Reserved::Skip),
            (vote(2, 2, 5, 0), Reserved::Skip),
            (vote(2, 3, 5, 0), Reserved::Copy),
            (vote(3, 2, 5, 0), Reserved::Skip),
        ] {
            assert_eq!(undecided.unanimous(), None, "{undecided:?}");
            assert_eq!(undecided.reading(), reading, "{undecided:?}");
        }
    }

    #[test]
    fn a_report_says_which_reading_was_chosen_and_by_how_many_streams() {
        let words =
            |vote: Option<ReservedVote>, reading| ReservedReading { reading, vote }.to_string();
        let of = |vote: ReservedVote| words(Some(vote), vote.reading());
        assert_eq!(
            of(vote(0, 820, 11, 0)),
            "831 streams contain the reserved byte 0xfe, which is read as a copy of 64 bytes: \
             820 are sound only as copies, 11 either way"
        );
        assert_eq!(
            of(vote(0, 0, 1, 0)),
            "1 stream contains the reserved byte 0xfe, which is skipped as in the game: \
             1 is sound either way"
        );
        assert_eq!(
            of(vote(2, 3, 1, 1)),
            "7 streams contain the reserved byte 0xfe; each is read in the way that makes it sound, \
             or with the byte read as a copy of 64 bytes if both ways do: 3 are sound only as copies, \
             2 only if it is skipped, 1 either way, 1 is damaged either way"
        );
        assert_eq!(
            words(None, Reserved::Copy),
            "the reserved byte 0xfe is read as a copy of 64 bytes, as you chose"
        );
    }
}
