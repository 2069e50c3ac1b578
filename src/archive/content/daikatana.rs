//! Decodes a stream of Daikatana, and decides how to read the reserved byte `0xFE` in it.
//!
//! The decoder stops before the first such byte; both readings agree on everything before it. Then the
//! archive's vote (`reserved`) decides. If its streams disagree, the rest of this stream is walked for its
//! lengths under both readings, and the one that gives the entry's size wins. Decoding continues with it,
//! and all output so far stays valid.

use std::collections::BTreeSet;

use crate::archive::container::{Archive, Coding};
use crate::archive::entry::Entry;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::payload::{BUFFER, PayloadReader, Pieces};
use crate::archive::reserved::{ReservedReading, ReservedVote};
use crate::codec::{
    DecodeError, Decoder, End, Reserved, Status, StreamSummary, Unreadable, Walk, Walker,
};

/// How many bytes of streams are walked for the vote, as a multiple of the file's length. The streams of an
/// honest pak do not overlap, so all of them are walked. In a hostile pak, a million entries can refer to
/// one long stream in a million different ways.
const WALKED_MAX: u64 = 4;

/// A stream while it is decoded.
#[derive(Debug)]
pub(super) struct Stream {
    decoder: Decoder,
    pub(super) summary: Option<StreamSummary>,
    /// Whether to stop before the first reserved byte that is ambiguous.
    stops: bool,
}

impl Stream {
    pub(super) fn new(entry: Entry<'_>, stops: bool) -> Self {
        let reserved = entry.archive().options().reserved;
        Self {
            decoder: Decoder::new(Some(entry.size()), reserved.unwrap_or(Reserved::Stop)),
            summary: None,
            stops,
        }
    }

    pub(super) fn decode(
        &mut self,
        input: &mut Pieces<'_>,
        output: &mut [u8],
    ) -> Result<usize, Error> {
        if output.is_empty() {
            return Ok(0);
        }
        while self.summary.is_none() {
            let piece = input.next()?;
            let over = piece.is_empty();
            let progress = self.decoder.decode(piece, output);
            input.consume(progress.consumed);
            match progress.status {
                // Output before it is returned first. The next call meets the damage again, and so it does
                // the reserved byte, which may turn out to be damage.
                Err(_) | Ok(Status::Reserved) if progress.produced > 0 => {}
                Err(error) => return Err(damaged(input.payload.entry, error)),
                Ok(Status::Done) => self.end(input)?,
                Ok(Status::NeedInput) if over && progress.produced == 0 => self.end(input)?,
                Ok(Status::Reserved) if self.stops => return Ok(0),
                Ok(Status::Reserved) => {
                    let reading = self.judge(input)?;
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

    fn end(&mut self, input: &Pieces<'_>) -> Result<(), Error> {
        let entry = input.payload.entry;
        let summary = self.decoder.finish(input.left());
        let summary = summary.map_err(|error| damaged(entry, error))?;
        if summary.reserved > 0 {
            entry.archive().met_reserved();
        }
        self.summary = Some(summary);
        Ok(())
    }

    /// Decides how to read the next byte, which is reserved.
    fn judge(&self, input: &Pieces<'_>) -> Result<Reserved, Error> {
        let entry = input.payload.entry;
        let vote = entry.archive().reserved_vote();
        if let Some(reading) = vote.unanimous() {
            return Ok(reading);
        }
        let walk = |reserved| {
            let mut walker = self.decoder.walker(reserved);
            walk_on(&mut walker, input.ready(), &input.payload)
        };
        match (walk(Reserved::Skip)?, walk(Reserved::Copy)?) {
            (Ok(_), Ok(_)) => Ok(vote.reading()),
            (Ok(_), Err(_)) => Ok(Reserved::Skip),
            (Err(_), Ok(_)) => Ok(Reserved::Copy),
            (Err(skipped), Err(copied)) => {
                let error = ErrorKind::Unreadable(Unreadable { skipped, copied }.into());
                let at = entry.known_offset() + self.decoder.read();
                Err(entry.locate(error.into()).at(at))
            }
        }
    }
}

/// Whether the stream of a compressed entry is sound with the reserved byte skipped, and with it read as a
/// copy. `None` if there is no such byte. Only lengths are walked.
fn sound_readings(entry: Entry<'_>) -> Result<Option<[bool; 2]>, Error> {
    let mut payload = entry.payload()?;
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
    let walk = walk_on(&mut walker, &[], &entry.payload()?)?;
    Ok(walk.is_ok_and(|walk| walk.is_clean()))
}

impl Archive {
    /// The vote of the archive's streams about the reserved byte. The first call walks all of them.
    fn reserved_vote(&self) -> ReservedReading {
        *self.reserved.get_or_init(|| take_vote(self))
    }

    /// Records that a stream with the reserved byte was read to its end.
    fn met_reserved(&self) {
        // If the options give no reading, the vote was taken before.
        if let Some(reading) = self.options().reserved {
            let _ = self.reserved.set(ReservedReading::Chosen(reading));
        }
    }
}

/// Takes the vote. Unreadable entries do not vote.
fn take_vote(archive: &Archive) -> ReservedReading {
    let mut vote = ReservedVote::default();
    let mut seen = BTreeSet::new();
    let mut left = archive.file_len().saturating_mul(WALKED_MAX);
    for entry in archive.entries() {
        if entry.coding() != Coding::Daikatana || entry.check_claims().is_err() {
            continue;
        }
        let Some(extent) = entry.place() else {
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
    ReservedReading::Voted(vote)
}

/// Walks `ready`, then the rest of the payload.
///
/// `Ok(Err(_))` is a damaged stream, which is a valid result of a walk.
fn walk_on(
    walker: &mut Walker,
    ready: &[u8],
    payload: &PayloadReader<'_>,
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
    let start = entry.known_offset();
    let at = start.saturating_add(error.input());
    entry.locate(ErrorKind::Damaged(error).into()).at(at)
}
