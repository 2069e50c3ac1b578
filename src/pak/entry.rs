//! One entry of an open pak: what its record says, whether that can be true, and its payload.

use super::archive::Archive;
use super::check::{Check, Checked};
use super::kind::Kind;
use super::layout::Record;
use super::name::RawName;
use super::payload::{self, DecodedReader, StoredReader, Summary, could_hold};
use super::source::ReadAt;
use crate::error::{Error, ErrorKind};

/// How much of an entry's claimed size is allocated before any of it was decoded.
const FIRST_ALLOCATION: u64 = 1 << 20;

/// One entry of an open pak. It is a place in the directory and no more: to copy one costs nothing,
/// and nothing of its payload is read before [`read`](Self::read), [`decoded`](Self::decoded),
/// [`stored`](Self::stored) or [`verify`](Self::verify) is called.
#[derive(Debug)]
pub struct Entry<'a, S> {
    archive: &'a Archive<S>,
    index: usize,
    record: Record<'a>,
}

/// Where a payload lies in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

// Not derived: that would ask the same of `S`.
impl<S> Clone for Entry<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Entry<'_, S> {}

impl<'a, S> Entry<'a, S> {
    pub(super) const fn new(archive: &'a Archive<S>, index: usize, record: Record<'a>) -> Self {
        Self {
            archive,
            index,
            record,
        }
    }

    /// Its number in the directory, counted from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The pak it is in.
    #[must_use]
    pub const fn archive(&self) -> &'a Archive<S> {
        self.archive
    }

    /// Its record, as the pak states it.
    #[must_use]
    pub const fn record(&self) -> Record<'a> {
        self.record
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> RawName<'a> {
        self.record.name
    }

    /// The same entry under another name, as which it is to be in another pak.
    #[must_use]
    pub const fn renamed(mut self, name: RawName<'a>) -> Self {
        self.record.name = name;
        self
    }

    /// What its name says it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::of(self.record.name)
    }

    /// Its size, decompressed.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.record.size
    }

    /// Whether its payload is a compressed stream.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        self.record.is_compressed()
    }

    /// How many bytes its payload takes in the pak, as the record states it.
    #[must_use]
    pub const fn stored_len(&self) -> u32 {
        self.record.stored_len()
    }

    /// Where its payload lies, or `None` where it has none: its offset then means nothing.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        (self.record.size > 0).then(|| Extent {
            offset: self.record.offset.into(),
            len: self.record.stored_len().into(),
        })
    }

    /// Whether what the record claims can be true. Nothing is read or allocated to know it.
    ///
    /// # Errors
    /// If the payload does not lie in the file, or its stream is too short for its size.
    pub fn check_claims(&self) -> Result<(), Error> {
        let Some(extent) = self.extent() else {
            return Ok(());
        };
        let size = u64::from(self.record.size);
        let kind = if extent.end() > self.archive.file_len() {
            ErrorKind::OutsideFile {
                offset: extent.offset,
                len: extent.len,
                file: self.archive.file_len(),
            }
        } else if self.is_compressed() && !could_hold(extent.len, size) {
            ErrorKind::ImpossibleSize {
                size,
                packed: extent.len,
            }
        } else {
            return Ok(());
        };
        Err(self.located(Error::new(kind)).at(extent.offset))
    }

    /// Decodes the payload from memory, for who has read it together with its neighbours: `payload`
    /// is what [`stored`](Self::stored) gives, and `output` is as long as the file.
    ///
    /// Returns `false`, and leaves anything in `output`, where a length is not what the record
    /// states, or the stream is damaged or has anything that is worth a warning: then
    /// [`decoded`](Self::decoded) tells what.
    #[must_use]
    pub fn decode_plain(&self, payload: &[u8], output: &mut [u8]) -> bool {
        let len = self.extent().map_or(0, |extent| extent.len);
        let fits = payload.len() as u64 == len && output.len() as u64 == u64::from(self.size());
        fits && payload::decode_plain(payload, self.is_compressed(), output)
    }

    /// The error with this entry as its place.
    pub(super) fn located(&self, error: Error) -> Error {
        error.in_entry(self.index, self.record.name)
    }
}

impl<'a, S: ReadAt> Entry<'a, S> {
    /// The error with this entry as its place, where a copy of its payload has failed. A copy only
    /// says that the file has ended; the payload is read once more to find the byte.
    pub(super) fn copy_failed(&self, error: Error) -> Error {
        let end = std::io::ErrorKind::UnexpectedEof;
        if matches!(error.kind(), ErrorKind::Io(error) if error.kind() == end)
            && let Err(found) = self.stored().and_then(StoredReader::finish)
        {
            return found;
        }
        self.located(error)
    }

    /// A reader of the payload as it lies in the pak.
    ///
    /// # Errors
    /// What [`check_claims`](Self::check_claims) finds.
    pub fn stored(&self) -> Result<StoredReader<'a, S>, Error> {
        self.check_claims()?;
        Ok(StoredReader::new(*self))
    }

    /// A reader of the file: the payload, decompressed where it is compressed.
    ///
    /// # Errors
    /// What [`check_claims`](Self::check_claims) finds. Damage within a stream is found on the
    /// way.
    pub fn decoded(&self) -> Result<DecodedReader<'a, S>, Error> {
        self.check_claims()?;
        Ok(DecodedReader::new(*self))
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
        payload::is_clean(*self)
    }

    /// The whole file, in memory. For files of any size [`decoded`](Self::decoded) is a `Read`.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn read(&self) -> Result<Vec<u8>, Error> {
        let mut reader = self.decoded()?;
        let size = u64::from(self.size());
        let first = usize::try_from(size.min(FIRST_ALLOCATION)).unwrap_or_default();
        let mut bytes = Vec::with_capacity(first);
        let read = std::io::Read::read_to_end(&mut reader, &mut bytes);
        read.map_err(|error| self.located(Error::from_io(error)))?;
        Ok(bytes)
    }

    /// Decodes it to its end, keeping nothing but size and CRC-32.
    ///
    /// ```
    /// use daisho::pak::{Archive, Case, Which};
    ///
    /// let archive = Archive::open("corpus/game/data/pak1.pak")?;
    /// let entry = archive.find("skins/hero.tga", Case::Matters, Which::First).unwrap();
    /// let verified = entry.verify()?;
    /// assert_eq!((verified.checked.size, verified.checked.crc32), (6162, 0x03A6_FA81));
    /// assert_eq!(verified.stream.unwrap().warnings().count(), 0);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn verify(&self) -> Result<Verified, Error> {
        let mut reader = Check::new(self.decoded()?);
        let copied = std::io::copy(&mut reader, &mut std::io::sink());
        copied.map_err(|error| self.located(Error::from_io(error)))?;
        let (reader, checked) = reader.finish();
        Ok(Verified {
            checked,
            stream: reader.summary().copied(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pak::layout::Layout;
    use crate::pak::write::{Coding, Limits, MemorySink, Writer};

    /// A stored file, a compressed one, and one whose stream has something unusual about it.
    fn archive() -> Archive<Vec<u8>> {
        let mut writer = Writer::new(MemorySink::new(), Layout::Daikatana, Limits::default());
        for (name, payload, size, coding) in [
            ("a.wav", &b"abc"[..], 3, Coding::Stored),
            ("b.tga", b"\x7F\xFF", 65, Coding::Compressed),
            ("c.tga", b"\x7F\xFF\0", 65, Coding::Compressed),
            ("empty", b"", 0, Coding::Stored),
        ] {
            writer.begin(name.into()).unwrap();
            writer.append(payload).unwrap();
            writer.end(size, coding).unwrap();
        }
        Archive::new(writer.finish().unwrap().0.into_bytes()).unwrap()
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

    #[test]
    fn an_entry_under_another_name_has_the_same_payload() {
        let archive = archive();
        let entry = archive.entry(1).unwrap();
        let renamed = entry.renamed("other.wal".into());
        assert_eq!(renamed.name().to_string(), "other.wal");
        assert_eq!(entry.name().to_string(), "b.tga");
        assert_eq!(renamed.extent(), entry.extent());
        assert_eq!(renamed.read().unwrap(), [0; 65]);
    }
}
