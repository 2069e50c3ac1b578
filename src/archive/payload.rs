//! Reads an undecoded payload from its archive or its own file, in constant memory.

use core::fmt;
use core::ops::Range;
use std::io::{self, Read};
use std::sync::Arc;

use super::container::Extent;
use super::entry::Entry;
use super::error::{Error, ErrorKind};
use super::source::{ArchiveSource, ReadAt};

/// How much of a payload is read at once. Between 16 and 256 KiB the time is the same; this size,
/// multiplied by the number of threads, is the memory for reading.
pub(super) const BUFFER: usize = 32 * 1024;

/// Reads an undecoded payload.
#[derive(Clone)]
pub struct PayloadReader<'a> {
    pub(super) entry: Entry<'a>,
    /// The archive, or a file that is open for this payload only.
    source: Arc<dyn ReadAt>,
    /// The rest of the payload, as offsets in the file.
    rest: Range<u64>,
}

/// The content of an entry that is not compressed, read in place.
pub(crate) struct StoredContent {
    source: Arc<dyn ReadAt>,
    extent: Extent,
}

impl StoredContent {
    /// The bytes of a source in this place.
    pub(crate) const fn new(source: Arc<dyn ReadAt>, extent: Extent) -> Self {
        Self { source, extent }
    }
}

impl ReadAt for StoredContent {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = self.extent.len.saturating_sub(offset);
        let most = usize::try_from(left).unwrap_or(usize::MAX);
        let len = buffer.len().min(most);
        let buffer = buffer.get_mut(..len).unwrap_or_default();
        let at = self.extent.offset.saturating_add(offset);
        self.source.read_at(buffer, at)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.extent.len)
    }
}

impl Entry<'_> {
    /// Its content as a source, which can be read at any offset and outlives the archive: in place if it is stored,
    /// otherwise decoded into memory. So an archive in another one can be opened, and facts of a file need not read
    /// all of it:
    ///
    /// ```
    /// use daisho::media::{Depth, facts};
    /// use daisho::{Archive, Format, Writer};
    ///
    /// let mut pak = Writer::in_memory(Format::Quake)?;
    /// pak.add("maps/e1m1.bsp", "a map")?;
    /// let mut zip = Writer::in_memory(Format::Pk3)?;
    /// zip.add("id1/pak0.pak", pak.finish_bytes()?)?;
    /// let zip = Archive::from_bytes(zip.finish_bytes()?)?;
    ///
    /// let pak = Archive::from_source(zip.by_name("id1/pak0.pak")?.source()?)?;
    /// let map = pak.by_name("maps/e1m1.bsp")?;
    /// assert_eq!(map.read()?, b"a map");
    /// assert_eq!(facts(map.name(), &map.source()?, Depth::All)?.file_type, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The checksum of a stored entry is not compared. [`verify`](Self::verify) does that.
    ///
    /// # Errors
    /// If [`check_claims`](Self::check_claims) fails, the file of a directory cannot be opened, or a compressed entry
    /// is damaged.
    pub fn source(&self) -> Result<Arc<dyn ReadAt>, Error> {
        match self.stored_content()? {
            Some(content) => Ok(Arc::new(content)),
            None => Ok(Arc::new(self.read()?)),
        }
    }

    /// Its content as a source; `None` if it is compressed.
    pub(crate) fn stored_content(&self) -> Result<Option<StoredContent>, Error> {
        self.check_claims()?;
        if self.is_compressed() {
            return Ok(None);
        }
        let reader = PayloadReader::new(*self)?;
        let extent = Extent { offset: reader.rest.start, len: reader.left() };
        Ok(Some(StoredContent { source: reader.source, extent }))
    }
}

impl<'a> PayloadReader<'a> {
    /// Creates a reader. The entry's claims have been checked.
    pub(super) fn new(entry: Entry<'a>) -> Result<Self, Error> {
        let source = match &entry.archive().store {
            ArchiveSource::One(source) => Arc::clone(source),
            ArchiveSource::Each(files) => files
                .open(entry.index(), entry.name().as_bytes())
                .map_err(|error| entry.locate(error))?,
        };
        let extent = entry.extent()?;
        entry.check_place(extent)?;
        let extent = extent.unwrap_or_default();
        let reader = Self { entry, source, rest: extent.offset..extent.end() };
        reader.check_unchanged()?;
        Ok(reader)
    }

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.rest.end - self.rest.start
    }

    /// Where the payload begins.
    pub(crate) fn start(&self) -> u64 {
        self.rest.end.saturating_sub(self.entry.stored_len())
    }

    /// Skips bytes that were already read.
    pub(super) fn skip(&mut self, count: u64) {
        self.rest.start += count.min(self.left());
    }

    /// Checks that a file in a directory still has the length it had when the directory was read.
    pub(crate) fn check_unchanged(&self) -> Result<(), Error> {
        if !self.entry.is_file() {
            return Ok(());
        }
        let found = self.source.size();
        let found = found.map_err(|error| self.entry.locate(Error::from_io(error)))?;
        let expected = self.entry.size();
        if found == expected {
            return Ok(());
        }
        let error = ErrorKind::Changed { expected, found }.into();
        Err(self.entry.locate(error))
    }

    /// The source, for callers that can let the kernel copy it.
    pub(crate) fn source(&self) -> &dyn ReadAt {
        &*self.source
    }

    /// Like [`Read::read`], but with an error that says where it happened.
    ///
    /// # Errors
    /// If the file cannot be read, or has become shorter.
    pub fn read_some(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let count = usize::try_from(self.left()).unwrap_or(usize::MAX).min(buffer.len());
        if count == 0 {
            if self.left() == 0 {
                self.check_unchanged()?;
            }
            return Ok(0);
        }
        let buffer = buffer.get_mut(..count).unwrap_or_default();
        let at = self.rest.start;
        let read = self.source.read_full_at(buffer, at);
        let read = read.map_err(|error| self.failed(error, at))?;
        if read < count {
            let end = self.source.size().unwrap_or(u64::MAX);
            return Err(self.cut(end.min(at + read as u64)));
        }
        self.rest.start += read as u64;
        Ok(read)
    }

    /// The error for a read or a copy that failed at this offset.
    pub(crate) fn failed(&self, error: io::Error, at: u64) -> Error {
        let error = self.entry.locate(Error::from_io(error));
        if self.entry.is_file() { error } else { error.at(at) }
    }

    /// The error for a file that ends at this offset, before the payload does.
    pub(crate) fn cut(&self, at: u64) -> Error {
        if !self.entry.is_file() {
            let error = ErrorKind::CutWhileRead { at };
            return self.entry.locate(error.into()).at(at);
        }
        match self.check_unchanged() {
            Err(error) => error,
            Ok(()) => self.failed(io::ErrorKind::UnexpectedEof.into(), at),
        }
    }
}

impl fmt::Debug for PayloadReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PayloadReader")
            .field("entry", &self.entry)
            .field("left", &self.left())
            .finish_non_exhaustive()
    }
}

impl Read for PayloadReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_some(buffer)?)
    }
}

/// A payload, read in pieces.
pub(super) struct Pieces<'a> {
    pub(super) payload: PayloadReader<'a>,
    buffer: Vec<u8>,
    /// The part of the buffer that is not decoded yet.
    undecoded: Range<usize>,
}

impl<'a> Pieces<'a> {
    /// Reads the payload of an entry in pieces of at most this size.
    pub(super) fn new(entry: Entry<'a>, piece: usize) -> Result<Self, Error> {
        let packed = usize::try_from(entry.stored_len()).unwrap_or(piece);
        Ok(Self {
            payload: PayloadReader::new(entry)?,
            buffer: vec![0; packed.min(piece)],
            undecoded: 0..0,
        })
    }

    /// The bytes to decode next. There are none at the payload's end.
    pub(super) fn next(&mut self) -> Result<&[u8], Error> {
        if self.undecoded.is_empty() {
            self.undecoded = 0..self.payload.read_some(&mut self.buffer)?;
        }
        Ok(self.ready())
    }

    /// The bytes that were read, and are not decoded yet.
    pub(super) fn ready(&self) -> &[u8] {
        self.buffer.get(self.undecoded.clone()).unwrap_or_default()
    }

    /// Goes on after this many bytes, which are decoded now.
    pub(super) fn consume(&mut self, count: usize) {
        self.undecoded.start += count;
    }

    /// How many bytes are not decoded yet.
    pub(super) fn left(&self) -> u64 {
        self.undecoded.len() as u64 + self.payload.left()
    }
}
