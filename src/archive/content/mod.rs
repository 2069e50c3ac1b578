//! Decodes payloads to contents and encodes contents to payloads. The only folder that uses codings.
//!
//! | file        | job                                                             |
//! |-------------|-----------------------------------------------------------------|
//! | this one    | reads an entry with any coding, and checks its checksum         |
//! | `daikatana` | streams of Daikatana, and the reading of their reserved byte    |
//! | `inflate`   | deflated payloads                                               |
//! | `encode`    | encodes content block by block                                  |
//!
//! Reading takes constant memory, whatever size the entry claims.

mod daikatana;
mod encode;
mod inflate;

use core::{fmt, mem};
use std::io::{self, Read};

use crate::archive::container::Coding;
use crate::archive::entry::Entry;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::payload::{BUFFER, PayloadReader, Pieces};
use crate::codec::{Reserved, StreamSummary, decode_into};
use daikatana::{Stream, is_clean};
use inflate::{Inflating, inflate_into};

pub(crate) use encode::BlockCoder;
pub(crate) use inflate::Measuring;

/// How much of an entry's claimed size is allocated before any of it is decoded.
const FIRST_ALLOCATION: u64 = 1 << 20;

/// How much of a payload is read at once if only its beginning is needed.
const START_PIECE: usize = 2048;

/// The result of decoding an entry to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// The size of its content.
    pub size: u64,
    /// The CRC-32 of its content, as in ZIP and PNG.
    pub crc32: u32,
    /// The summary of its stream, if it is compressed.
    pub stream: Option<StreamSummary>,
}

impl<'a> Entry<'a> {
    /// Returns a reader of the undecoded payload.
    ///
    /// # Errors
    /// If [`check_claims`](Self::check_claims) fails. In a directory, also if the file cannot be opened or
    /// has changed.
    pub fn payload(&self) -> Result<PayloadReader<'a>, Error> {
        self.check_claims()?;
        PayloadReader::new(*self)
    }

    /// Returns a reader of the content, which is decompressed if necessary.
    ///
    /// # Errors
    /// As [`payload`](Self::payload). Damage within a stream is found while reading.
    pub fn reader(&self) -> Result<DecodedReader<'a>, Error> {
        self.check_claims()?;
        DecodedReader::new(*self, BUFFER, false)
    }

    /// The first `most` bytes of the content, or as many as there are before damage. A stream of Daikatana seems to
    /// end before its first reserved byte: to find out how to read it, all streams of the archive would have to be
    /// walked.
    ///
    /// # Errors
    /// If not even the first bytes can be read.
    pub fn start(&self, most: u64) -> Result<Vec<u8>, Error> {
        self.check_claims()?;
        let mut reader = DecodedReader::new(*self, START_PIECE, true)?;
        let most = usize::try_from(most.min(self.size())).unwrap_or(usize::MAX);
        let (mut start, mut piece) = (Vec::new(), vec![0; most.min(BUFFER)]);
        loop {
            let len = piece.len().min(most.saturating_sub(start.len()));
            let room = piece.get_mut(..len).unwrap_or_default();
            match reader.read_some(room) {
                Ok(0) => return Ok(start),
                Ok(read) => start.extend(room.iter().take(read)),
                Err(_) if !start.is_empty() => return Ok(start),
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the payload is a stream that every known reader decodes alike, so that it can be copied
    /// unchanged. A Daikatana stream must be sound and have no copy longer than its distance, no reserved
    /// byte, and the end marker as its last byte; it is walked, not decoded. A deflated stream is decoded;
    /// it must have the right CRC-32 and end where the payload ends.
    ///
    /// # Errors
    /// If [`check_claims`](Self::check_claims) fails, or if the file cannot be read.
    pub fn is_clean_stream(&self) -> Result<bool, Error> {
        match self.coding() {
            Coding::Daikatana if self.size() > 0 => is_clean(*self),
            Coding::Deflate if self.size() > 0 => is_sound(*self),
            _ => Ok(false),
        }
    }

    /// Reads the whole content into memory. Use [`reader`](Self::reader) for contents of any size.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        if let Some(content) = self.read_at_once()? {
            return Ok(content);
        }
        let mut reader = self.reader()?;
        let first = usize::try_from(self.size().min(FIRST_ALLOCATION)).unwrap_or_default();
        let mut bytes = Vec::with_capacity(first);
        let read = std::io::Read::read_to_end(&mut reader, &mut bytes);
        read.map_err(|error| self.locate(Error::from_io(error)))?;
        Ok(bytes)
    }

    /// A small content, whose payload is read with one call. `None` if it is large, damaged or unusual.
    fn read_at_once(&self) -> Result<Option<Vec<u8>>, Error> {
        let mut payload = self.payload()?;
        if self.size().max(payload.left()) > FIRST_ALLOCATION {
            return Ok(None);
        }
        let room = |len| vec![0; usize::try_from(len).unwrap_or_default()];
        let mut packed = room(payload.left());
        let is_whole = payload.read_some(&mut packed).is_ok() && payload.check_unchanged().is_ok();
        if !is_whole || self.is_content(&packed) {
            return Ok(is_whole.then_some(packed));
        }
        let mut content = room(self.size());
        Ok(self.decode_plain(&packed, &mut content).then_some(content))
    }

    /// Decodes it to its end, and keeps only its size and CRC-32.
    ///
    /// ```
    /// use daisho::Archive;
    ///
    /// let archive = Archive::open("corpus/game/data/pak1.pak")?;
    /// let verified = archive.get("skins/hero.tga").unwrap().verify()?;
    /// assert_eq!((verified.size, verified.crc32), (12_306, 0x4F34_7EA6));
    /// assert_eq!(verified.stream.unwrap().warnings().count(), 0);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn verify(&self) -> Result<Verified, Error> {
        let mut reader = self.reader()?;
        let (mut size, mut hasher) = (0, crc32fast::Hasher::new());
        let mut buffer = [0; 8192];
        loop {
            let read = reader.read_some(&mut buffer)?;
            if read == 0 {
                break;
            }
            hasher.update(buffer.get(..read).unwrap_or_default());
            size += read as u64;
        }
        Ok(Verified { size, crc32: hasher.finalize(), stream: reader.summary().copied() })
    }

    /// Decodes the payload from memory, for a caller that has read several payloads together. `payload` is
    /// the undecoded payload, and `output` is as long as the content.
    ///
    /// Returns `false`, with `output` in any state, if a length differs from the directory's, or if the
    /// stream is damaged or gives any warning. Then [`reader`](Self::reader) tells what is wrong.
    pub(crate) fn decode_plain(&self, payload: &[u8], output: &mut [u8]) -> bool {
        let len = self.place().map_or(0, |place| place.len);
        let fits = payload.len() as u64 == len && output.len() as u64 == self.size();
        if !fits || !self.is_readable() {
            return false;
        }
        let decoded = match self.coding() {
            Coding::Daikatana if !output.is_empty() => {
                decode_into(payload, output, Reserved::Error)
                    .is_ok_and(|summary| summary.warnings().next().is_none())
            }
            Coding::Deflate | Coding::Zlib if !payload.is_empty() => {
                inflate_into(payload, self.coding(), output)
            }
            Coding::Stored => {
                let is_content = payload.len() == output.len();
                if is_content {
                    output.copy_from_slice(payload);
                }
                is_content
            }
            // No stream is valid for no content. Other codings are rare enough that the reader may decode them.
            _ => payload.is_empty() && output.is_empty(),
        };
        decoded && self.has_stated_crc32(output)
    }

    /// Whether a payload in memory is the content and has the right checksum.
    pub(crate) fn is_content(&self, payload: &[u8]) -> bool {
        self.is_readable()
            && matches!(self.coding(), Coding::Stored)
            && self.has_stated_crc32(payload)
    }

    fn has_stated_crc32(&self, content: &[u8]) -> bool {
        let sums_up = |sum: u32| crc32fast::hash(content) == sum;
        self.stated_crc32().is_none_or(sums_up)
    }

    /// Whether the directory's data alone allows reading it.
    fn is_readable(&self) -> bool {
        self.archive().flaw(self.index()).is_none()
    }
}

/// Reads the decoded content of an entry.
///
/// The end of a stream is checked after everything before it was read: read until a read returns 0, or call
/// [`finish`](Self::finish).
pub struct DecodedReader<'a> {
    input: Pieces<'a>,
    decoding: PayloadDecoder,
    /// The stated CRC-32, if the archive contains one, and the CRC-32 of the content so far.
    sum: Option<(u32, crc32fast::Hasher)>,
    state: ReadState,
}

/// Whether a reader can go on.
enum ReadState {
    Intact,
    /// Damage that [`read_full`](DecodedReader::read_full) met after the bytes it returned.
    Damaged(Error),
    /// An error was returned.
    Failed,
}

/// How a payload is decoded.
enum PayloadDecoder {
    /// It is not: the payload is the content.
    Stored,
    /// As a stream of Daikatana.
    Daikatana(Box<Stream>),
    /// As a deflate stream, raw or with zlib's header.
    Deflate(Box<Inflating>),
}

impl<'a> DecodedReader<'a> {
    /// Creates a reader that reads pieces of this size. It may stop at the reserved byte. The entry's claims
    /// have been checked.
    fn new(entry: Entry<'a>, piece: usize, stops: bool) -> Result<Self, Error> {
        let (decoding, piece) = match entry.coding() {
            Coding::Daikatana if entry.size() > 0 => {
                let stream = Stream::new(entry, stops);
                (PayloadDecoder::Daikatana(Box::new(stream)), piece)
            }
            Coding::Stored | Coding::Daikatana => (PayloadDecoder::Stored, 0),
            _ if entry.place().is_none() => (PayloadDecoder::Stored, 0),
            coding => {
                let stream = Inflating::new(coding);
                (PayloadDecoder::Deflate(Box::new(stream)), piece)
            }
        };
        Ok(Self {
            input: Pieces::new(entry, piece)?,
            decoding,
            sum: entry.stated_crc32().map(|stated| (stated, crc32fast::Hasher::new())),
            state: ReadState::Intact,
        })
    }

    /// The summary of a Daikatana stream, after it was read to its end.
    #[must_use]
    pub fn summary(&self) -> Option<&StreamSummary> {
        match &self.decoding {
            PayloadDecoder::Daikatana(stream) => stream.summary.as_ref(),
            PayloadDecoder::Stored | PayloadDecoder::Deflate(_) => None,
        }
    }

    /// Like [`Read::read`], but with an error that says where it happened.
    ///
    /// # Errors
    /// If the file cannot be read, or the payload is damaged.
    pub fn read_some(&mut self, output: &mut [u8]) -> Result<usize, Error> {
        match mem::replace(&mut self.state, ReadState::Failed) {
            ReadState::Intact => {}
            ReadState::Damaged(error) => return Err(error),
            ReadState::Failed => {
                let entry = self.input.payload.entry;
                return Err(entry.locate(ErrorKind::FailedBefore.into()));
            }
        }
        let read = self.decode(output)?;
        self.state = ReadState::Intact;
        Ok(read)
    }

    fn decode(&mut self, output: &mut [u8]) -> Result<usize, Error> {
        let read = match &mut self.decoding {
            PayloadDecoder::Stored => self.input.payload.read_some(output),
            PayloadDecoder::Daikatana(stream) => stream.decode(&mut self.input, output),
            PayloadDecoder::Deflate(stream) => stream.decode(&mut self.input, output),
        }?;
        if read > 0 {
            if let Some((_, hasher)) = &mut self.sum {
                hasher.update(output.get(..read).unwrap_or_default());
            }
        } else if !output.is_empty()
            && let Some((expected, hasher)) = self.sum.take()
        {
            let found = hasher.finalize();
            if found != expected {
                let payload = &self.input.payload;
                let error = ErrorKind::WrongCrc32 { expected, found }.into();
                return Err(payload.entry.locate(error).at(payload.start()));
            }
        }
        Ok(read)
    }

    /// Fills the buffer, or returns fewer bytes at the end of the content. Bytes before damage are returned
    /// first, and the next call returns the error.
    pub(crate) fn read_full(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read_some(rest) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if filled == 0 => return Err(error),
                Err(error) => {
                    self.state = ReadState::Damaged(error);
                    break;
                }
            }
        }
        Ok(filled)
    }

    /// Reads the rest, and checks the end.
    ///
    /// # Errors
    /// If the file cannot be read, or the payload is damaged.
    pub fn finish(mut self) -> Result<Option<StreamSummary>, Error> {
        self.read_rest(&mut [0; 4096])?;
        Ok(self.summary().copied())
    }

    fn read_rest(&mut self, buffer: &mut [u8]) -> Result<(), Error> {
        while self.read_some(buffer)? > 0 {}
        Ok(())
    }
}

impl fmt::Debug for DecodedReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodedReader")
            .field("payload", &self.input.payload)
            .field("summary", &self.summary())
            .field("failed", &!matches!(self.state, ReadState::Intact))
            .finish_non_exhaustive()
    }
}

impl Read for DecodedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_some(buffer)?)
    }
}

/// Whether a deflated payload is sound and no bytes follow it.
fn is_sound(entry: Entry<'_>) -> Result<bool, Error> {
    let mut reader = entry.reader()?;
    let rest = reader.read_rest(&mut vec![0; BUFFER]);
    match (rest, &reader.decoding) {
        (Ok(()), PayloadDecoder::Deflate(stream)) => Ok(stream.is_whole(&reader.input)),
        (Err(error), _) if matches!(error.kind(), ErrorKind::Io(_)) => Err(error),
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::container::Archive;
    use crate::format::{Directory, Limits};

    /// A stored file, a compressed one, and one with a warning in its stream.
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
                .add(
                    name.as_bytes().into(),
                    crate::format::Payload { size, stored_len: len, coding, crc32: 0 },
                )
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
    fn sound_payloads_in_memory_decode_in_place() {
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
