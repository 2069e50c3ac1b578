//! Reads an undecoded payload from its archive or its own file, in constant memory.

use core::fmt;
use core::ops::Range;
use std::io::{self, Read};
use std::sync::Arc;

use super::entry::Entry;
use super::error::{Error, ErrorKind};
use super::source::{ArchiveSource, ReadAt};

/// How much of a payload is read at once. Between 16 and 256 KiB the time is the same; this size,
/// multiplied by the number of threads, is the memory for reading.
pub(super) const BUFFER: usize = 32 * 1024;

/// The source of a payload.
#[derive(Clone)]
enum PayloadSource<'a> {
    /// The archive.
    Archive(&'a dyn ReadAt),
    /// A file that is open for this payload only.
    File(Arc<dyn ReadAt>),
}

impl PayloadSource<'_> {
    fn get(&self) -> &dyn ReadAt {
        match self {
            Self::Archive(source) => *source,
            Self::File(source) => &**source,
        }
    }
}

/// Reads an undecoded payload.
#[derive(Clone)]
pub struct StoredReader<'a> {
    pub(super) entry: Entry<'a>,
    source: PayloadSource<'a>,
    /// The rest of the payload, as offsets in the file.
    rest: Range<u64>,
}

impl<'a> StoredReader<'a> {
    /// Creates a reader. The entry's claims have been checked.
    pub(super) fn new(entry: Entry<'a>) -> Result<Self, Error> {
        let source = match entry.archive().store() {
            ArchiveSource::One(source) => PayloadSource::Archive(&**source),
            ArchiveSource::Each(files) => {
                PayloadSource::File(files.open(entry.index(), entry.name().as_bytes())?)
            }
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

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.rest.end - self.rest.start
    }

    /// Skips bytes that were already read.
    pub(super) fn skip(&mut self, count: u64) {
        self.rest.start += count.min(self.left());
    }

    /// Checks that a file in a directory still has the length it had when the directory was read.
    pub(crate) fn check_unchanged(&self) -> Result<(), Error> {
        let PayloadSource::File(file) = &self.source else {
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

    /// The source, for callers that can let the kernel copy it.
    pub(crate) fn source(&self) -> &dyn ReadAt {
        self.source.get()
    }

    /// Like [`Read::read`], but with an error that says where it happened.
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

    /// The error for a read or a copy that failed at this offset.
    pub(crate) fn failed(&self, error: io::Error, at: u64) -> Error {
        let error = Error::from_io(error);
        match self.source {
            PayloadSource::Archive(_) => self.entry.locate(error).at(at),
            PayloadSource::File(_) => self.entry.locate(error),
        }
    }

    /// The error for a file that ends at this offset, before the payload does.
    pub(crate) fn cut(&self, at: u64) -> Error {
        match self.source {
            PayloadSource::Archive(_) => {
                let error = ErrorKind::CutWhileRead { at };
                self.entry.locate(error.into()).at(at)
            }
            PayloadSource::File(_) => match self.check_unchanged() {
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
