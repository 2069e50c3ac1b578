//! Where container and codec meet: a payload as it lies in the pak, and as the file that it holds.
//!
//! Both readers take constant memory, whatever the entry claims. A stream with the reserved byte
//! `0xFE` in it is read in one of two ways. The decoder stops before the first one; everything
//! before it is the same in both. Then the pak's [vote](super::reserved) decides; where the pak's
//! streams disagree, the rest of this one is walked for its lengths alone under both readings, and
//! the one that comes out at the entry's size is taken. Decoding goes on with that, and what was
//! already given out stays true.

use std::io::{self, Read};
use std::ops::Range;

use super::entry::Entry;
use super::source::ReadAt;
use crate::codec::{
    BlockEncoder, DecodeError, Decoder, Encoder, End, Profile, Status, Unreadable, Walk, Walker,
    Warning, decode_into,
};
use crate::error::{Error, ErrorKind};

// What the rest of the container knows of a stream, it knows through this file.
pub(super) use crate::codec::{Bytes, Reserved, Summary, could_hold};

/// How much of a stream is read at once. Between 16 and 256 KiB the time is the same; this much,
/// times the threads, is what reading takes of memory.
const BUFFER: usize = 32 * 1024;

/// Reads a payload as it lies in the pak.
#[derive(Debug)]
pub struct StoredReader<'a, S> {
    entry: Entry<'a, S>,
    /// What is still to be read, as places of the file.
    rest: Range<u64>,
}

impl<'a, S: ReadAt> StoredReader<'a, S> {
    /// The entry's claims have been checked.
    pub(super) fn new(entry: Entry<'a, S>) -> Self {
        let rest = entry
            .extent()
            .map_or(0..0, |extent| extent.offset..extent.end());
        Self { entry, rest }
    }

    /// How many bytes are still to be read.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.rest.end - self.rest.start
    }

    /// Reads some bytes, as [`Read::read`] does, with an error that says where.
    ///
    /// # Errors
    /// If the file cannot be read, or has become shorter.
    pub fn read_some(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let count = usize::try_from(self.left())
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let buffer = buffer.get_mut(..count).unwrap_or_default();
        let at = self.rest.start;
        let located = |error: Error| self.entry.located(error).at(at);
        let source = self.entry.archive().source();
        let read = source
            .read_full_at(buffer, at)
            .map_err(|error| located(Error::from_io(error)))?;
        if read < count {
            let at = at + read as u64;
            return Err(self
                .entry
                .located(ErrorKind::CutWhileRead { at }.into())
                .at(at));
        }
        self.rest.start += read as u64;
        Ok(read)
    }

    /// Reads what is left, and keeps nothing of it.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        let mut rest = [0; 4096];
        while self.read_some(&mut rest)? > 0 {}
        Ok(())
    }
}

impl<S: ReadAt> Read for StoredReader<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_some(buffer)?)
    }
}

/// Reads the file that a payload holds.
///
/// The end of a stream is judged when everything before it was read: go on until a read gives 0,
/// or call [`finish`](Self::finish).
#[derive(Debug)]
pub struct DecodedReader<'a, S> {
    payload: StoredReader<'a, S>,
    /// Only where the payload is compressed.
    stream: Option<Box<Stream>>,
    failed: bool,
}

#[derive(Debug)]
struct Stream {
    decoder: Decoder,
    buffer: Vec<u8>,
    /// What of the buffer is still to be decoded.
    ready: Range<usize>,
    summary: Option<Summary>,
}

impl<'a, S: ReadAt> DecodedReader<'a, S> {
    /// The entry's claims have been checked.
    pub(super) fn new(entry: Entry<'a, S>) -> Self {
        let compressed = entry.is_compressed() && entry.size() > 0;
        Self {
            payload: StoredReader::new(entry),
            stream: compressed.then(|| Box::new(Stream::new(entry))),
            failed: false,
        }
    }

    /// What the stream was like, once it was read to its end. A stored payload has none.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        self.stream.as_ref()?.summary.as_ref()
    }

    /// What is unusual in the stream, once it was read to its end.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        self.summary().into_iter().flat_map(Summary::warnings)
    }

    /// Reads some bytes, as [`Read::read`] does, with an error that says where.
    ///
    /// # Errors
    /// If the file cannot be read, or the payload is damaged.
    pub fn read_some(&mut self, output: &mut [u8]) -> Result<usize, Error> {
        if self.failed {
            return Err(self.payload.entry.located(ErrorKind::FailedBefore.into()));
        }
        let read = match &mut self.stream {
            None => self.payload.read_some(output),
            Some(stream) => stream.decode(&mut self.payload, output),
        };
        self.failed = read.is_err();
        read
    }

    /// Reads what is left, and judges the end.
    ///
    /// # Errors
    /// If the file cannot be read, or the payload is damaged.
    pub fn finish(mut self) -> Result<Option<Summary>, Error> {
        let mut rest = [0; 4096];
        while self.read_some(&mut rest)? > 0 {}
        Ok(self.summary().copied())
    }
}

impl<S: ReadAt> Read for DecodedReader<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_some(buffer)?)
    }
}

impl Stream {
    fn new<S>(entry: Entry<'_, S>) -> Self {
        let packed = usize::try_from(entry.stored_len());
        let buffer = packed.unwrap_or(BUFFER).min(BUFFER);
        let reserved = entry.archive().options().reserved;
        Self {
            decoder: Decoder::new(
                Some(entry.size().into()),
                reserved.unwrap_or(Reserved::Stop),
            ),
            buffer: vec![0; buffer],
            ready: 0..0,
            summary: None,
        }
    }

    fn decode<S: ReadAt>(
        &mut self,
        payload: &mut StoredReader<'_, S>,
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
                // What came before is given out first; damage is told again next time, and so is
                // the reserved byte, which may turn out to be damage.
                Err(_) | Ok(Status::Reserved) if progress.produced > 0 => {}
                Err(error) => return Err(damaged(payload.entry, error)),
                Ok(Status::Done) => self.end(payload)?,
                Ok(Status::NeedInput) if over && progress.produced == 0 => self.end(payload)?,
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

    fn end<S: ReadAt>(&mut self, payload: &StoredReader<'_, S>) -> Result<(), Error> {
        let tail = self.ready.len() as u64 + payload.left();
        let summary = self.decoder.finish(tail);
        let summary = summary.map_err(|error| damaged(payload.entry, error))?;
        if summary.reserved > 0 {
            payload.entry.archive().met_reserved();
        }
        self.summary = Some(summary);
        Ok(())
    }

    /// How the reserved byte that the decoder stands before is meant.
    fn judge<S: ReadAt>(&self, payload: &StoredReader<'_, S>) -> Result<Reserved, Error> {
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
                let start = payload.entry.extent().map_or(0, |extent| extent.offset);
                let error = ErrorKind::Unreadable(Unreadable { skipped, copied });
                let at = start + self.decoder.read();
                Err(payload.entry.located(error.into()).at(at))
            }
        }
    }
}

/// Whether the stream of a compressed entry is sound with the reserved byte skipped, and as a copy;
/// `None` where no token of it is that byte. The stream is walked for its lengths alone.
pub(super) fn sound_readings<S: ReadAt>(entry: Entry<'_, S>) -> Result<Option<[bool; 2]>, Error> {
    let mut payload = entry.stored()?;
    let mut walker = Walker::new(Some(entry.size().into()), Reserved::Stop);
    let read = match walk_on(&mut walker, &[], &payload)? {
        Ok(walk) if walk.summary.end == End::Reserved => walk.summary.read,
        _ => return Ok(None),
    };
    payload.rest.start += read;
    let is_sound = |reserved| -> Result<bool, Error> {
        let mut walker = walker.clone();
        walker.pin(reserved);
        Ok(walk_on(&mut walker, &[], &payload)?.is_ok())
    };
    Ok(Some([is_sound(Reserved::Skip)?, is_sound(Reserved::Copy)?]))
}

/// Whether every reader decodes the stream alike, so that it can be passed on as it is. Walks it
/// for its lengths alone. A damaged stream is not clean; decoding it tells what is wrong.
pub(super) fn is_clean<S: ReadAt>(entry: Entry<'_, S>) -> Result<bool, Error> {
    let mut walker = Walker::new(Some(entry.size().into()), Reserved::Error);
    let walk = walk_on(&mut walker, &[], &entry.stored()?)?;
    Ok(walk.is_ok_and(|walk| walk.is_clean()))
}

/// Decodes a payload that is in memory, if nothing about it is unusual. The lengths are right.
pub(super) fn decode_plain(payload: &[u8], compressed: bool, output: &mut [u8]) -> bool {
    if compressed && !output.is_empty() {
        return decode_into(payload, output, Reserved::Error)
            .is_ok_and(|summary| summary.warnings().next().is_none());
    }
    output.copy_from_slice(payload);
    true
}

/// Walks `ready`, then the rest of the payload.
///
/// `Ok(Err(_))` is a stream that is damaged, which is what a walk is there to find out.
fn walk_on<S: ReadAt>(
    walker: &mut Walker,
    ready: &[u8],
    payload: &StoredReader<'_, S>,
) -> Result<Result<Walk, DecodeError>, Error> {
    let mut rest = StoredReader {
        entry: payload.entry,
        rest: payload.rest.clone(),
    };
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

/// Encodes what `reader` gives, and hands the stream on in pieces. Stops and says `false` as soon
/// as the stream is not smaller than the `size` bytes that it stands for.
pub(super) fn encode<S: ReadAt>(
    mut reader: DecodedReader<'_, S>,
    size: u64,
    hand_on: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Result<bool, Error> {
    let mut encoder = BlockEncoder::new(Encoder::new(Profile::Compatible));
    let mut content = vec![0; usize::try_from(size).unwrap_or(BUFFER).clamp(1, BUFFER)];
    let (mut stream, mut len) = (Vec::new(), 0);
    loop {
        let read = reader.read_some(&mut content)?;
        encoder.push(content.get(..read).unwrap_or_default(), &mut stream);
        if read == 0 {
            encoder.finish(&mut stream);
        }
        len += stream.len() as u64;
        if len >= size {
            return Ok(false);
        }
        hand_on(&stream)?;
        stream.clear();
        if read == 0 {
            return Ok(true);
        }
    }
}

fn damaged<S>(entry: Entry<'_, S>, error: DecodeError) -> Error {
    let start = entry.extent().map_or(0, |extent| extent.offset);
    let at = start.saturating_add(error.input());
    entry.located(ErrorKind::Damaged(error).into()).at(at)
}
