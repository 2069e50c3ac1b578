//! An entry as a source for [`facts`]: it reads the content at any place, and decodes only as much as is worthwhile.

use std::io;
use std::sync::{Mutex, PoisonError};

use super::{Depth, FileFacts, FileType, START, facts};
use crate::archive::error::Error;
use crate::archive::{Coding, DecodedReader, Entry, PayloadReader, ReadAt};

/// How many bytes are decoded at once. As many of the bytes before them are kept.
const PIECE: usize = 8 * 1024;

/// The most bytes to decode of a compressed map to look at its entities.
const MAP_WITHIN: u64 = 8 << 20;

/// The most bytes to decode of all maps together.
const DECODED_MAX: u64 = 512 << 20;

/// The most bytes to decode of each of these entries to look at its beginning. It is the same for all entries, so
/// it does not matter which thread is first.
#[must_use]
pub fn start_limit(entries: &[Entry<'_>]) -> u64 {
    let is_map = |entry: &&Entry<'_>| {
        let extension = entry.name().extension().unwrap_or_default();
        entry.is_compressed() && extension.eq_ignore_ascii_case(b"bsp")
    };
    let maps = entries.iter().filter(is_map).count() as u64;
    MAP_WITHIN.min(DECODED_MAX.checked_div(maps).unwrap_or(DECODED_MAX))
}

/// Whether the beginning of an entry can tell what it is: its name has a known type, it is not empty, and its claims
/// can be true.
pub(crate) fn is_worth_a_look(entry: &Entry<'_>) -> bool {
    let mut named = entry.name().extension().into_iter();
    entry.size() > 0
        && named.any(|extension| FileType::by_extension(extension).next().is_some())
        && entry.check_claims().is_ok()
}

/// Examines the beginning of an entry, of which `limit` bytes are decoded if it is compressed: see [`start_limit`].
/// `None` if that cannot tell what the entry is, because its name has no known type, it is empty, or its claims cannot
/// be true.
///
/// # Errors
///
/// If the entry is damaged or cannot be read.
pub fn header(entry: Entry<'_>, limit: u64, depth: Depth) -> Result<Option<FileFacts>, Error> {
    if !is_worth_a_look(&entry) {
        return Ok(None);
    }
    look(entry, &EntrySource::start(entry, limit)?, depth).map(Some)
}

/// Examines an entry.
pub(crate) fn look(
    entry: Entry<'_>,
    source: &EntrySource<'_>,
    depth: Depth,
) -> Result<FileFacts, Error> {
    facts(entry.name(), source, depth).map_err(|error| entry.locate(Error::from_io(error)))
}

/// The content of an entry. A stored entry is read in place. A compressed entry is decoded from its beginning, and
/// decoded again if a read asks for bytes that are no longer kept.
pub(crate) struct EntrySource<'a> {
    entry: Entry<'a>,
    content: EntryContent<'a>,
    /// Bytes from this offset on are not decoded.
    limit: u64,
}

enum EntryContent<'a> {
    Stored(PayloadReader<'a>),
    Decoded(Mutex<Decoded<'a>>),
}

/// A reader, and the last bytes that it returned.
struct Decoded<'a> {
    reader: DecodedReader<'a>,
    /// Whether only the beginning is wanted.
    start_only: bool,
    window: Vec<u8>,
    /// Where the window begins in the content.
    begin: u64,
}

impl<'a> EntrySource<'a> {
    /// The beginning of an entry. Of a compressed entry, `limit` bytes can be read.
    pub(crate) fn start(entry: Entry<'a>, limit: u64) -> Result<Self, Error> {
        Self::new(entry, limit, true)
    }

    /// All of an entry.
    pub(crate) fn whole(entry: Entry<'a>) -> Result<Self, Error> {
        Self::new(entry, u64::MAX, false)
    }

    fn new(entry: Entry<'a>, limit: u64, start_only: bool) -> Result<Self, Error> {
        let content = if entry.coding() == Coding::Stored {
            EntryContent::Stored(entry.payload()?)
        } else {
            EntryContent::Decoded(Mutex::new(Decoded::new(entry, start_only)?))
        };
        Ok(Self { entry, content, limit })
    }
}

impl ReadAt for EntrySource<'_> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.entry.size())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.read_full_at(buffer, offset)
    }

    /// Reads only once. A second read that met damage would return an error, and the bytes before the damage would
    /// be lost.
    fn read_full_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = match self.content {
            EntryContent::Stored(_) => self.entry.size(),
            EntryContent::Decoded(_) => self.entry.size().min(self.limit),
        };
        let left = usize::try_from(end.saturating_sub(offset)).unwrap_or(usize::MAX);
        let count = buffer.len().min(left);
        let buffer = buffer.get_mut(..count).unwrap_or_default();
        match &self.content {
            EntryContent::Stored(stored) => {
                stored.source().read_full_at(buffer, stored.start().saturating_add(offset))
            }
            EntryContent::Decoded(decoded) => {
                let mut decoded = decoded.lock().unwrap_or_else(PoisonError::into_inner);
                if offset < decoded.begin {
                    *decoded = Decoded::new(self.entry, decoded.start_only)?;
                }
                Ok(decoded.read(offset, buffer)?)
            }
        }
    }
}

impl<'a> Decoded<'a> {
    fn new(entry: Entry<'a>, start_only: bool) -> Result<Self, Error> {
        let reader = if start_only { entry.start_reader()? } else { entry.reader()? };
        Ok(Self { reader, start_only, window: Vec::new(), begin: 0 })
    }

    /// Reads from a place that is not before the window.
    fn read(&mut self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(filled as u64).saturating_sub(self.begin);
            let there = usize::try_from(at).ok().and_then(|at| self.window.get(at..));
            let there = there.unwrap_or_default();
            if there.is_empty() {
                match self.advance() {
                    Ok(true) => continue,
                    // What comes before damage counts, where only the beginning is wanted.
                    Err(error) if !self.start_only || filled == 0 => return Err(error),
                    Ok(false) | Err(_) => break,
                }
            }
            let count = there.len().min(rest.len());
            for (to, from) in rest.iter_mut().zip(there) {
                *to = *from;
            }
            filled = filled.saturating_add(count);
        }
        Ok(filled)
    }

    /// Decodes some more; `false` at the end.
    fn advance(&mut self) -> Result<bool, Error> {
        // What was asked for last may be asked for again: textures in a map can overlap.
        let gone = self.window.len().saturating_sub(PIECE);
        self.window.drain(..gone);
        self.begin = self.begin.saturating_add(gone as u64);
        let kept = self.window.len();
        // Of most entries the header is all that is asked for.
        let is_first = self.start_only && self.begin == 0 && kept == 0;
        let wanted = if is_first { START } else { PIECE };
        self.window.resize(kept.saturating_add(wanted), 0);
        let room = self.window.get_mut(kept..).unwrap_or_default();
        let read = self.reader.read_some(room)?;
        self.window.truncate(kept.saturating_add(read));
        Ok(read > 0)
    }
}
