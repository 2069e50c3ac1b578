//! The only folder that joins archives and codings: a payload as the content that it holds, and content
//! as the payload that is written.
//!
//! | file        | job                                                             |
//! |-------------|-----------------------------------------------------------------|
//! | this one    | an entry read, whatever its coding, and its sum checked         |
//! | `daikatana` | one of Daikatana's streams, and how its reserved byte is read   |
//! | `inflate`   | a deflated payload                                              |
//! | `encode`    | content as a payload, block by block                            |
//!
//! Reading takes constant memory, whatever the entry claims.

mod daikatana;
mod encode;
mod inflate;

use core::fmt;
use std::io::{self, Read};

use crate::archive::checksum::{Check, Checked};
use crate::archive::entry::Entry;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::record::Coding;
use crate::archive::stored::{BUFFER, StoredReader};
#[cfg(any(test, feature = "ops"))]
use crate::codec::{Reserved, decode_into};
use crate::codec::{Summary, Warning};
use daikatana::{Stream, is_clean};
use inflate::Inflating;
#[cfg(any(test, feature = "ops"))]
use inflate::inflate_into;

pub(crate) use encode::BlockCoder;

/// How much of an entry's claimed size is allocated before any of it was decoded.
const FIRST_ALLOCATION: u64 = 1 << 20;

/// How much of a payload is read at once where only its beginning is wanted.
#[cfg(feature = "ops")]
const START_PIECE: usize = 2048;

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

    /// A reader of the content's beginning, which takes little of the payload at a time. A stream of
    /// Daikatana's seems to end before its first reserved byte: to know how that is meant, all streams
    /// of the archive would be walked.
    ///
    /// # Errors
    /// As [`reader`](Self::reader).
    #[cfg(feature = "ops")]
    pub(crate) fn start_reader(&self) -> Result<DecodedReader<'a>, Error> {
        self.check_claims()?;
        DecodedReader::with_pieces(*self, START_PIECE, true)
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
    /// assert_eq!((verified.checked.size, verified.checked.crc32), (12_306, 0x4F34_7EA6));
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
    /// Damage that [`read_full`](Self::read_full) has met behind what it read.
    #[cfg(feature = "ops")]
    damage: Option<Error>,
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

impl<'a> DecodedReader<'a> {
    /// The entry's claims have been checked.
    pub(crate) fn new(entry: Entry<'a>) -> Result<Self, Error> {
        Self::with_pieces(entry, BUFFER, false)
    }

    /// The same, with the payload read in pieces of this size; it may stop at the reserved byte.
    fn with_pieces(entry: Entry<'a>, piece: usize, stops: bool) -> Result<Self, Error> {
        let decoding = match entry.coding() {
            Coding::Daikatana if entry.size() > 0 => {
                Decoding::Daikatana(Box::new(Stream::new(entry, piece, stops)))
            }
            Coding::Deflate | Coding::Zlib if entry.extent().is_some() => {
                Decoding::Deflate(Box::new(Inflating::new(entry, piece)))
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
            #[cfg(feature = "ops")]
            damage: None,
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

    /// Fills the buffer, or as much of it as there is content. What comes before damage is read first, and the
    /// next call returns the error.
    #[cfg(feature = "ops")]
    pub(crate) fn read_full(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        if let Some(error) = self.damage.take() {
            return Err(error);
        }
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read_some(rest) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if filled == 0 => return Err(error),
                Err(error) => {
                    self.damage = Some(error);
                    break;
                }
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
        // A stream of no bytes holds none.
        _ if payload.len() != output.len() => false,
        _ => {
            output.copy_from_slice(payload);
            true
        }
    };
    let sums_up = |sum: u32| crc32fast::hash(output) == sum;
    decoded && entry.stated_crc32().is_none_or(sums_up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::container::Archive;
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
