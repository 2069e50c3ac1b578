//! The only file that joins archives and codings: a payload as it lies in its archive, and as the
//! content that it holds.
//!
//! Both readers take constant memory, whatever the entry claims. A stream with the reserved byte
//! `0xFE` in it is read in one of two ways. The decoder stops before the first one; everything
//! before it is the same in both. Then the archive's vote (`reserved`) decides; where its
//! streams disagree, the rest of this one is walked for its lengths alone under both readings, and
//! the one that comes out at the entry's size is taken. Decoding goes on with that, and what was
//! already given out stays true.

use core::fmt;
use core::ops::Range;
use std::io::{self, Read};
use std::sync::Arc;

use super::entry::Entry;
use super::source::{ReadAt, Store};
#[cfg(any(test, feature = "ops"))]
use crate::codec::decode_into;
use crate::codec::{
    BlockEncoder, DecodeError, Decoder, Encoder, End, Profile, Status, Unreadable, Walk, Walker,
    Warning,
};
use crate::error::{Error, ErrorKind};

// What the rest of this layer knows of a stream, it knows through this file.
pub(crate) use crate::codec::could_hold;
pub(super) use crate::codec::{Bytes, Reserved, Summary};

/// How much of a stream is read at once. Between 16 and 256 KiB the time is the same; this much,
/// times the threads, is what reading takes of memory.
const BUFFER: usize = 32 * 1024;

/// What a payload is read from.
#[derive(Clone)]
enum Source<'a> {
    /// The archive.
    Archive(&'a dyn ReadAt),
    /// A file that is open for this payload alone.
    File(Arc<dyn ReadAt>),
}

impl Source<'_> {
    fn get(&self) -> &dyn ReadAt {
        match self {
            Self::Archive(source) => *source,
            Self::File(source) => &**source,
        }
    }
}

/// Reads a payload as it lies in its archive.
#[derive(Clone)]
pub struct StoredReader<'a> {
    entry: Entry<'a>,
    source: Source<'a>,
    /// What is still to be read, as places of the file.
    rest: Range<u64>,
}

impl<'a> StoredReader<'a> {
    /// The entry's claims have been checked.
    pub(super) fn new(entry: Entry<'a>) -> Result<Self, Error> {
        let source = match entry.archive().store() {
            Store::One(source) => Source::Archive(&**source),
            Store::Each(files) => Source::File(files.open(entry.index())?),
        };
        let extent = entry.extent().unwrap_or_default();
        let reader = Self {
            entry,
            source,
            rest: extent.offset..extent.end(),
        };
        reader.check_unchanged()?;
        Ok(reader)
    }

    /// How many bytes are still to be read.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.rest.end - self.rest.start
    }

    /// Whether a file of its own is as long as it was when its directory was read.
    pub(crate) fn check_unchanged(&self) -> Result<(), Error> {
        let Source::File(file) = &self.source else {
            return Ok(());
        };
        let found = file.size();
        let found = found.map_err(|error| self.entry.locate(Error::from_io(error)))?;
        let expected = self.entry.size();
        if found == expected {
            return Ok(());
        }
        Err(self
            .entry
            .locate(ErrorKind::Changed { expected, found }.into()))
    }

    /// What it is read from, for who can have the kernel copy it.
    #[cfg(feature = "ops")]
    pub(crate) fn source(&self) -> &dyn ReadAt {
        self.source.get()
    }

    /// Reads some bytes, as [`Read::read`] does, with an error that says where.
    ///
    /// # Errors
    /// If the file cannot be read, or has become shorter.
    pub fn read_some(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let count = usize::try_from(self.left())
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        if count == 0 {
            if self.left() == 0 {
                self.check_unchanged()?;
            }
            return Ok(0);
        }
        let buffer = buffer.get_mut(..count).unwrap_or_default();
        let at = self.rest.start;
        let read = self.source.get().read_full_at(buffer, at);
        let read = read.map_err(|error| self.failed(error, at))?;
        if read < count {
            let end = self.source.get().size().unwrap_or(u64::MAX);
            return Err(self.cut(end.min(at + read as u64)));
        }
        self.rest.start += read as u64;
        Ok(read)
    }

    /// The error of a read or a copy that has failed from this byte on.
    pub(crate) fn failed(&self, error: io::Error, at: u64) -> Error {
        let error = Error::from_io(error);
        match self.source {
            Source::Archive(_) => self.entry.locate(error).at(at),
            Source::File(_) => self.entry.locate(error),
        }
    }

    /// The error where the file ends at this byte, before the payload does.
    pub(crate) fn cut(&self, at: u64) -> Error {
        match self.source {
            Source::Archive(_) => {
                let error = ErrorKind::CutWhileRead { at };
                self.entry.locate(error.into()).at(at)
            }
            Source::File(_) => match self.check_unchanged() {
                Err(error) => error,
                Ok(()) => self.failed(io::ErrorKind::UnexpectedEof.into(), at),
            },
        }
    }
}

impl fmt::Debug for StoredReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredReader")
            .field("entry", &self.entry)
            .field("left", &self.left())
            .finish_non_exhaustive()
    }
}

impl Read for StoredReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_some(buffer)?)
    }
}

/// Reads the file that a payload holds.
///
/// The end of a stream is judged when everything before it was read: go on until a read gives 0,
/// or call [`finish`](Self::finish).
pub struct DecodedReader<'a> {
    payload: StoredReader<'a>,
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

impl<'a> DecodedReader<'a> {
    /// The entry's claims have been checked.
    pub(super) fn new(entry: Entry<'a>) -> Result<Self, Error> {
        let compressed = entry.is_compressed() && entry.size() > 0;
        Ok(Self {
            payload: StoredReader::new(entry)?,
            stream: compressed.then(|| Box::new(Stream::new(entry))),
            failed: false,
        })
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
            return Err(self.payload.entry.locate(ErrorKind::FailedBefore.into()));
        }
        let read = match &mut self.stream {
            None => self.payload.read_some(output),
            Some(stream) => stream.decode(&mut self.payload, output),
        };
        self.failed = read.is_err();
        read
    }

    /// Fills the buffer, or as much of it as there is content.
    #[cfg(feature = "ops")]
    pub(crate) fn read_full(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read_some(rest)? {
                0 => break,
                read => filled += read,
            }
        }
        Ok(filled)
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

impl fmt::Debug for DecodedReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodedReader")
            .field("payload", &self.payload)
            .field("summary", &self.summary())
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

impl Read for DecodedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_some(buffer)?)
    }
}

impl Stream {
    fn new(entry: Entry<'_>) -> Self {
        let packed = usize::try_from(entry.stored_len());
        let buffer = packed.unwrap_or(BUFFER).min(BUFFER);
        let reserved = entry.archive().options().reserved;
        Self {
            decoder: Decoder::new(Some(entry.size()), reserved.unwrap_or(Reserved::Stop)),
            buffer: vec![0; buffer],
            ready: 0..0,
            summary: None,
        }
    }

    fn decode(
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

    /// How the reserved byte that the decoder stands before is meant.
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
                let error = ErrorKind::Unreadable(Unreadable { skipped, copied });
                let at = start + self.decoder.read();
                Err(payload.entry.locate(error.into()).at(at))
            }
        }
    }
}

/// Whether the stream of a compressed entry is sound with the reserved byte skipped, and as a copy;
/// `None` where no token of it is that byte. The stream is walked for its lengths alone.
pub(super) fn sound_readings(entry: Entry<'_>) -> Result<Option<[bool; 2]>, Error> {
    let mut payload = entry.stored()?;
    let mut walker = Walker::new(Some(entry.size()), Reserved::Stop);
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
/// for its lengths alone. A damaged stream is not clean; decoding it says what is wrong.
pub(super) fn is_clean(entry: Entry<'_>) -> Result<bool, Error> {
    let mut walker = Walker::new(Some(entry.size()), Reserved::Error);
    let walk = walk_on(&mut walker, &[], &entry.stored()?)?;
    Ok(walk.is_ok_and(|walk| walk.is_clean()))
}

/// Decodes a payload that is in memory, if nothing about it is unusual. The lengths are right.
#[cfg(any(test, feature = "ops"))]
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

/// Encodes a content that is in memory: nothing, if that is not smaller.
pub(crate) fn encode(content: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = BlockEncoder::new(Encoder::new(Profile::Compatible));
    let mut stream = Vec::new();
    encoder.push(content, &mut stream);
    encoder.finish(&mut stream);
    (stream.len() < content.len()).then_some(stream)
}

fn damaged(entry: Entry<'_>, error: DecodeError) -> Error {
    let start = entry.start();
    let at = start.saturating_add(error.input());
    entry.locate(ErrorKind::Damaged(error).into()).at(at)
}
