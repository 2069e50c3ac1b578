//! One entry of an open archive: what is said of it, whether that can be true, and its content.

use core::fmt;
use std::path::Path;

use super::checksum::{Check, Checked};
use super::container::Archive;
use super::content::{self, DecodedReader, StoredReader, Summary, could_hold};
use super::kind::Kind;
use super::name::RawName;
use super::source::Store;
use crate::error::{Error, ErrorKind};

/// How much of an entry's claimed size is allocated before any of it was decoded.
const FIRST_ALLOCATION: u64 = 1 << 20;

/// One entry of an open archive. To copy one costs nothing, and nothing of its content is read before
/// [`read`](Self::read), [`reader`](Self::reader), [`stored`](Self::stored) or
/// [`verify`](Self::verify) is called.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    archive: &'a Archive,
    record: &'a Record,
    index: usize,
}

/// What an archive's directory says of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    /// Where the payload begins. Means nothing when `size` is 0.
    pub(crate) offset: u64,
    /// The file's length, decompressed.
    pub(crate) size: u64,
    /// How many bytes the payload takes.
    pub(crate) stored_len: u64,
    /// Where in the directory the name begins.
    pub(crate) name_at: u32,
    pub(crate) name_len: u16,
    pub(crate) coding: Coding,
}

/// How a payload is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Coding {
    /// As it is.
    Stored,
    /// As one of Daikatana's streams.
    Daikatana,
}

/// Where something lies in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Extent {
    /// Its first byte.
    pub offset: u64,
    /// How many bytes it has.
    pub len: u64,
}

impl Extent {
    /// The byte behind its last one.
    #[must_use]
    pub const fn end(self) -> u64 {
        self.offset.saturating_add(self.len)
    }
}

/// An entry that was decoded to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// Its size and CRC-32.
    pub checked: Checked,
    /// What its stream was like, where it is compressed.
    pub stream: Option<Summary>,
}

impl<'a> Entry<'a> {
    pub(super) const fn new(archive: &'a Archive, index: usize, record: &'a Record) -> Self {
        Self {
            archive,
            record,
            index,
        }
    }

    /// Its number in the directory, counted from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The archive it is in.
    #[must_use]
    pub const fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// Its name.
    #[inline]
    #[must_use]
    pub fn name(&self) -> RawName<'a> {
        let start = self.record.name_at as usize;
        let end = start + usize::from(self.record.name_len);
        let name = self.archive.directory().get(start..end);
        RawName::new(name.unwrap_or_default())
    }

    /// The file that its content is read from, where that is one: its archive, or, in a directory, the
    /// file itself.
    #[must_use]
    pub fn path(&self) -> Option<&'a Path> {
        match self.archive.store() {
            Store::One(_) => self.archive.path(),
            Store::Each(files) => Some(files.path(self.index)),
        }
    }

    /// Whether it is a file of its own, in a directory.
    #[must_use]
    pub const fn is_file(&self) -> bool {
        matches!(self.archive.store(), Store::Each(_))
    }

    /// What its name says it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::of(self.name())
    }

    /// Its size, decompressed.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.record.size
    }

    /// How its payload is coded.
    #[must_use]
    pub const fn coding(&self) -> Coding {
        self.record.coding
    }

    /// Whether its payload is a compressed stream.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        !matches!(self.record.coding, Coding::Stored)
    }

    /// How many bytes its payload takes, as the directory states it.
    #[must_use]
    pub const fn stored_len(&self) -> u64 {
        self.record.stored_len
    }

    /// Where its payload begins, as the directory states it. Means nothing where the size is 0.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.record.offset
    }

    /// Where its payload lies, or `None` where it has none: its offset then means nothing.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        (self.record.size > 0).then_some(Extent {
            offset: self.record.offset,
            len: self.record.stored_len,
        })
    }

    /// Where the payload begins, for messages about it.
    pub(crate) fn start(&self) -> u64 {
        self.extent().map_or(0, |extent| extent.offset)
    }

    /// Whether what the directory claims can be true. Nothing is read or allocated to know it.
    ///
    /// # Errors
    /// If the payload does not lie in the file, or its stream is too short for its size.
    pub fn check_claims(&self) -> Result<(), Error> {
        let Some(extent) = self.extent().filter(|_| !self.is_file()) else {
            return Ok(());
        };
        let (size, file) = (self.record.size, self.archive.file_len());
        let kind = if extent.end() > file {
            ErrorKind::OutsideFile {
                offset: extent.offset,
                len: extent.len,
                file,
            }
        } else if self.is_compressed() && !could_hold(extent.len, size) {
            ErrorKind::ImpossibleSize {
                size,
                packed: extent.len,
            }
        } else {
            return Ok(());
        };
        Err(self.locate(Error::new(kind)).at(extent.offset))
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
        fits && content::decode_plain(payload, self.is_compressed(), output)
    }

    /// The error with this entry as its place.
    pub(crate) fn locate(&self, error: Error) -> Error {
        match self.archive.store() {
            Store::Each(files) => error.in_pak(files.path(self.index)),
            Store::One(_) => {
                let error = error.in_entry(self.index, self.name());
                match self.archive.path() {
                    Some(path) => error.in_pak(path),
                    None => error,
                }
            }
        }
    }

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

    /// Whether the payload is a stream that every known reader decodes alike: sound, no copy
    /// longer than its distance, no reserved byte, the end marker as its last byte. Such a one
    /// can be passed on as it is. It is walked for its lengths, and not decoded.
    ///
    /// # Errors
    /// What [`check_claims`](Self::check_claims) finds, or if the file cannot be read.
    pub fn is_clean_stream(&self) -> Result<bool, Error> {
        if !self.is_compressed() || self.size() == 0 {
            return Ok(false);
        }
        content::is_clean(*self)
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
}

/// Whether it is the same entry of the same open archive.
impl PartialEq for Entry<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.archive.id(), self.index) == (other.archive.id(), other.index)
    }
}

impl Eq for Entry<'_> {}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("index", &self.index)
            .field("name", &self.name())
            .field("size", &self.size())
            .field("coding", &self.coding())
            .finish_non_exhaustive()
    }
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
