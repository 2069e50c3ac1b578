//! The only folder that joins archives and codings: a payload as the content that it holds, and content
//! as the payload that is written.
//!
//! Reading takes constant memory, whatever the entry claims. A stream with the reserved byte
//! `0xFE` in it is read in one of two ways. The decoder stops before the first one; everything
//! before it is the same in both. Then the archive's vote (`reserved`) decides; where its
//! streams disagree, the rest of this one is walked for its lengths alone under both readings, and
//! the one that comes out at the entry's size is taken. Decoding goes on with that, and what was
//! already given out stays true.

mod encode;
mod inflate;

use core::fmt;
use core::ops::Range;
use std::collections::BTreeSet;
use std::io::{self, Read};

use crate::archive::checksum::{Check, Checked};
use crate::archive::container::Archive;
use crate::archive::entry::Entry;
use crate::archive::record::Coding;
use crate::archive::reserved::ReservedVote;
use crate::archive::stored::StoredReader;
#[cfg(any(test, feature = "ops"))]
use crate::codec::decode_into;
use crate::codec::{
    DecodeError, Decoder, End, Reserved, Status, Summary, Unreadable, Walk, Walker, Warning,
};
use crate::error::{Error, ErrorKind};
use inflate::Inflating;
#[cfg(any(test, feature = "ops"))]
use inflate::inflate_into;

pub(crate) use encode::BlockCoder;

/// How much of a stream is read at once. Between 16 and 256 KiB the time is the same; this much,
/// times the threads, is what reading takes of memory.
const BUFFER: usize = 32 * 1024;

/// How many bytes of streams are walked for the vote, as a multiple of the file's length. The streams
/// of an honest pak do not overlap, so they are all walked; a hostile pak can let a million entries
/// name one long stream in a million different ways.
const WALKED_MAX: u64 = 4;

/// How much of an entry's claimed size is allocated before any of it was decoded.
const FIRST_ALLOCATION: u64 = 1 << 20;

/// An entry that was decoded to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// Its size and CRC-32.
    pub checked: Checked,
    /// What its stream was like, where it is compressed.
    pub stream: Option<Summary>,
}

impl<'a> Entry<'a> {
    /// A reader of the payload as it lies in the archive.
    ///
    /// # Errors
    /// What [`check_claims`](Self::check_claims) finds; in a directory, if the file cannot be opened
    /// or has changed.
    pub fn stored(&self) -> Result<StoredReader<'a>, Error> {
        self.check_claims()?;
        StoredReader::new(*self)
    }

    /// A reader of the content: the payload, decompressed where it is compressed.
    ///
    /// # Errors
    /// As [`stored`](Self::stored). Damage within a stream is found on the way.
    pub fn reader(&self) -> Result<DecodedReader<'a>, Error> {
        self.check_claims()?;
        DecodedReader::new(*self)
    }

    /// Whether the payload is a stream that every known reader decodes alike, which can be passed on
    /// as it is. One of Daikatana's is sound, has no copy longer than its distance, no reserved byte,
    /// and the end marker as its last byte; it is walked for its lengths, and not decoded. A deflated
    /// one is decoded, sums up to what the archive says, and ends where the payload does.
    ///
    /// # Errors
    /// What [`check_claims`](Self::check_claims) finds, or if the file cannot be read.
    pub fn is_clean_stream(&self) -> Result<bool, Error> {
        match self.coding() {
            Coding::Daikatana if self.size() > 0 => is_clean(*self),
            Coding::Deflate if self.size() > 0 => is_sound(*self),
            _ => Ok(false),
        }
    }

    /// The whole content, in memory. For contents of any size [`reader`](Self::reader) is a `Read`.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        let mut reader = self.reader()?;
        let first = usize::try_from(self.size().min(FIRST_ALLOCATION)).unwrap_or_default();
        let mut bytes = Vec::with_capacity(first);
        let read = std::io::Read::read_to_end(&mut reader, &mut bytes);
        read.map_err(|error| self.locate(Error::from_io(error)))?;
        Ok(bytes)
    }

    /// Decodes it to its end, keeping nothing but size and CRC-32.
    ///
    /// ```
    /// use daisho::Archive;
    ///
    /// let archive = Archive::open("corpus/game/data/pak1.pak")?;
    /// let verified = archive.get("skins/hero.tga").unwrap().verify()?;
    /// assert_eq!((verified.checked.size, verified.checked.crc32), (6162, 0x03A6_FA81));
    /// assert_eq!(verified.stream.unwrap().warnings().count(), 0);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn verify(&self) -> Result<Verified, Error> {
        let mut reader = Check::new(self.reader()?);
        let copied = std::io::copy(&mut reader, &mut std::io::sink());
        copied.map_err(|error| self.locate(Error::from_io(error)))?;
        let (reader, checked) = reader.finish();
        Ok(Verified {
            checked,
            stream: reader.summary().copied(),
        })
    }

    /// Decodes the payload from memory, for who has read it together with its neighbours: `payload`
    /// is what [`stored`](Self::stored) gives, and `output` is as long as the content.
    ///
    /// Returns `false`, and leaves anything in `output`, where a length is not what the directory
    /// states, or the stream is damaged or has anything that is worth a warning: then
    /// [`reader`](Self::reader) tells what.
    #[cfg(any(test, feature = "ops"))]
    pub(crate) fn decode_plain(&self, payload: &[u8], output: &mut [u8]) -> bool {
        let len = self.extent().map_or(0, |extent| extent.len);
        let fits = payload.len() as u64 == len && output.len() as u64 == self.size();
        fits && self.is_readable() && decode_plain(*self, payload, output)
    }

    /// Whether a payload that is in memory is the content, and what it should be.
    #[cfg(feature = "ops")]
    pub(crate) fn is_content(&self, payload: &[u8]) -> bool {
        let sums_up = |sum: u32| crc32fast::hash(payload) == sum;
        self.is_readable()
            && matches!(self.coding(), Coding::Stored)
            && self.stated_crc32().is_none_or(sums_up)
    }

    /// Whether nothing that the archive says of it keeps it from being read.
    #[cfg(any(test, feature = "ops"))]
    fn is_readable(&self) -> bool {
        self.archive().flaw(self.index()).is_none()
    }
}

impl Archive {
    /// What the archive's streams say about the reserved byte. Walks all of them at the first call.
    pub(crate) fn reserved_vote(&self) -> ReservedVote {
        let vote = self.reserved().get_or_init(|| Some(take_vote(self)));
        vote.unwrap_or_default()
    }

    /// A stream with the reserved byte was read to its end.
    pub(crate) fn met_reserved(&self) {
        // Where the reading is not given, the vote was taken before.
        let _ = self.reserved().set(None);
    }
}

/// Asks all streams of a pak. What cannot be read does not vote.
fn take_vote(archive: &Archive) -> ReservedVote {
    let mut vote = ReservedVote::default();
    let mut seen = BTreeSet::new();
    let mut left = archive.file_len().saturating_mul(WALKED_MAX);
    for entry in archive.entries() {
        let Some(extent) = entry
            .extent()
            .filter(|_| entry.coding() == Coding::Daikatana)
        else {
            continue;
        };
        if entry.check_claims().is_err() || !seen.insert((extent, entry.size())) {
            continue;
        }
        let Some(rest) = left.checked_sub(extent.len) else {
            continue;
        };
        left = rest;
        count(&mut vote, entry);
    }
    vote
}

fn count(vote: &mut ReservedVote, entry: Entry<'_>) {
    let Ok(Some([skip, copy])) = sound_readings(entry) else {
        return;
    };
    *match (skip, copy) {
        (true, false) => &mut vote.skip_only,
        (false, true) => &mut vote.copy_only,
        (true, true) => &mut vote.either,
        (false, false) => &mut vote.neither,
    } += 1;
}

/// Reads the file that a payload holds.
///
/// The end of a stream is judged when everything before it was read: go on until a read gives 0,
/// or call [`finish`](Self::finish).
pub struct DecodedReader<'a> {
    payload: StoredReader<'a>,
    decoding: Decoding,
    /// Where the archive states what the content sums up to.
    sum: Option<Sum>,
    failed: bool,
}

/// How a payload becomes content.
enum Decoding {
    /// It is the content.
    Stored,
    /// One of Daikatana's streams.
    Daikatana(Box<Stream>),
    /// A deflate stream, or one with zlib's header.
    Deflate(Box<Inflating>),
}

/// What the content comes to so far.
struct Sum {
    expected: u32,
    hasher: crc32fast::Hasher,
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
    pub(crate) fn new(entry: Entry<'a>) -> Result<Self, Error> {
        let decoding = match entry.coding() {
            Coding::Daikatana if entry.size() > 0 => {
                Decoding::Daikatana(Box::new(Stream::new(entry)))
            }
            Coding::Deflate | Coding::Zlib if entry.extent().is_some() => {
                Decoding::Deflate(Box::new(Inflating::new(entry)))
            }
            _ => Decoding::Stored,
        };
        Ok(Self {
            payload: StoredReader::new(entry)?,
            decoding,
            sum: entry.stated_crc32().map(|expected| Sum {
                expected,
                hasher: crc32fast::Hasher::new(),
            }),
            failed: false,
        })
    }

    /// What a stream of Daikatana's was like, once it was read to its end.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        match &self.decoding {
            Decoding::Daikatana(stream) => stream.summary.as_ref(),
            Decoding::Stored | Decoding::Deflate(_) => None,
        }
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
        let read = match &mut self.decoding {
            Decoding::Stored => self.payload.read_some(output),
            Decoding::Daikatana(stream) => stream.decode(&mut self.payload, output),
            Decoding::Deflate(stream) => stream.decode(&mut self.payload, output),
        };
        let read = read.and_then(|read| match self.sum.take() {
            Some(sum) if !output.is_empty() => {
                let read = output.get(..read).unwrap_or_default();
                self.sum = sum.add(read, self.payload.entry)?;
                Ok(read.len())
            }
            sum => {
                self.sum = sum;
                Ok(read)
            }
        });
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

impl Sum {
    /// Adds what was read; at the end, where nothing was, judges the whole. Nothing is left then.
    fn add(mut self, read: &[u8], entry: Entry<'_>) -> Result<Option<Self>, Error> {
        if !read.is_empty() {
            self.hasher.update(read);
            return Ok(Some(self));
        }
        let (expected, found) = (self.expected, self.hasher.finalize());
        if found == expected {
            return Ok(None);
        }
        let error = ErrorKind::WrongCrc32 { expected, found }.into();
        Err(entry.locate(error).at(entry.start()))
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
                let error = ErrorKind::Unreadable(Unreadable { skipped, copied }.into());
                let at = start + self.decoder.read();
                Err(payload.entry.locate(error.into()).at(at))
            }
        }
    }
}

/// Whether the stream of a compressed entry is sound with the reserved byte skipped, and as a copy;
/// `None` where no token of it is that byte. The stream is walked for its lengths alone.
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

/// Whether every reader decodes the stream alike, so that it can be passed on as it is. Walks it
/// for its lengths alone. A damaged stream is not clean; decoding it says what is wrong.
fn is_clean(entry: Entry<'_>) -> Result<bool, Error> {
    let mut walker = Walker::new(Some(entry.size()), Reserved::Error);
    let walk = walk_on(&mut walker, &[], &entry.stored()?)?;
    Ok(walk.is_ok_and(|walk| walk.is_clean()))
}

/// Whether a deflated payload is sound, and nothing stands behind it. What is damaged is not.
fn is_sound(entry: Entry<'_>) -> Result<bool, Error> {
    let mut reader = entry.reader()?;
    let mut buffer = vec![0; BUFFER];
    loop {
        match reader.read_some(&mut buffer) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if matches!(error.kind(), ErrorKind::Io(_)) => return Err(error),
            Err(_) => return Ok(false),
        }
    }
    Ok(match &reader.decoding {
        Decoding::Deflate(stream) => stream.is_whole(&reader.payload),
        _ => false,
    })
}

/// Decodes a payload that is in memory, if nothing about it is unusual. The lengths are right.
#[cfg(any(test, feature = "ops"))]
fn decode_plain(entry: Entry<'_>, payload: &[u8], output: &mut [u8]) -> bool {
    let decoded = match entry.coding() {
        Coding::Daikatana if !output.is_empty() => decode_into(payload, output, Reserved::Error)
            .is_ok_and(|summary| summary.warnings().next().is_none()),
        Coding::Deflate | Coding::Zlib if !payload.is_empty() => {
            inflate_into(payload, entry.coding(), output)
        }
        _ => {
            output.copy_from_slice(payload);
            true
        }
    };
    let sums_up = |sum: u32| crc32fast::hash(output) == sum;
    decoded && entry.stated_crc32().is_none_or(sums_up)
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

fn damaged(entry: Entry<'_>, error: DecodeError) -> Error {
    let start = entry.start();
    let at = start.saturating_add(error.input());
    entry.locate(ErrorKind::Damaged(error).into()).at(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Directory, Limits};

    /// A stored file, a compressed one, and one whose stream has something unusual about it.
    fn archive() -> Archive {
        let mut bytes = vec![0; 12];
        let mut directory = Directory::new(crate::archive::Format::Daikatana, Limits::default());
        for (name, payload, size, coding) in [
            ("a.wav", &b"abc"[..], 3, Coding::Stored),
            ("b.tga", b"\x7F\xFF", 65, Coding::Daikatana),
            ("c.tga", b"\x7F\xFF\0", 65, Coding::Daikatana),
            ("empty", b"", 0, Coding::Stored),
        ] {
            bytes.extend(payload);
            let len = payload.len() as u64;
            directory
                .add(name.as_bytes().into(), size, len, coding)
                .unwrap();
        }
        directory
            .seal(&mut |part, at| {
                let at = usize::try_from(at).unwrap();
                bytes.resize(bytes.len().max(at + part.len()), 0);
                bytes[at..at + part.len()].copy_from_slice(part);
                Ok(())
            })
            .unwrap();
        Archive::from_bytes(bytes).unwrap()
    }

    #[test]
    fn a_payload_in_memory_is_decoded_where_its_lengths_are_right_and_nothing_is_unusual() {
        let archive = archive();
        let decode = |index, payload: &[u8], size| {
            let mut output = vec![0xA5; size];
            let entry = archive.entry(index).unwrap();
            entry.decode_plain(payload, &mut output).then_some(output)
        };
        assert_eq!(decode(0, b"abc", 3).unwrap(), b"abc");
        assert_eq!(decode(0, b"ab", 3), None);
        assert_eq!(decode(0, b"abc", 4), None);
        assert_eq!(decode(1, b"\x7F\xFF", 65).unwrap(), [0; 65]);
        assert_eq!(decode(1, b"\x7F\xFF", 64), None);
        assert_eq!(decode(1, b"\x7F\xFE", 65), None);
        assert_eq!(decode(1, b"\x7E\xFF", 65), None);
        assert_eq!(decode(2, b"\x7F\xFF\0", 65), None);
        assert_eq!(decode(3, b"", 0).unwrap(), b"");
    }
}
