//! A look at an entry: the facts of its content, of which only as much is decoded as is worthwhile.

use std::io;
use std::sync::Arc;

use super::file::{Depth, START};
use super::file_type::FileType;
use super::found::{FileFacts, facts};
use crate::archive::error::Error;
use crate::archive::{Entry, ReadAt};

/// The most bytes to decode of a compressed map to look at its entities.
const MAP_WITHIN: u64 = 8 << 20;

/// The most bytes to decode of all maps together.
const DECODED_MAX: u64 = 512 << 20;

/// The most bytes to decode of an entry to look at all of it.
const WHOLE_MAX: u64 = 64 << 20;

/// The most bytes to decode of each compressed map among these entries to look at its beginning. All of them
/// have one limit, so it does not matter which thread is first.
pub(crate) fn map_limit(entries: &[Entry<'_>]) -> u64 {
    let maps = entries.iter().filter(|it| it.is_compressed() && is_named_map(it)).count() as u64;
    MAP_WITHIN.min(DECODED_MAX.checked_div(maps).unwrap_or(DECODED_MAX))
}

fn is_named_map(entry: &Entry<'_>) -> bool {
    entry.name().extension().is_some_and(|it| it.eq_ignore_ascii_case(b"bsp"))
}

/// Whether the beginning of an entry can tell what it is: its name has a known type, it is not empty, and its claims
/// can be true.
pub(crate) fn is_worth_a_look(entry: &Entry<'_>) -> bool {
    let mut named = entry.name().extension().into_iter();
    entry.size() > 0
        && named.any(|extension| FileType::by_extension(extension).next().is_some())
        && entry.check_claims().is_ok()
}

/// Examines the beginning of an entry. Of a compressed map, `limit` bytes are decoded.
pub(crate) fn look_at_start(
    entry: Entry<'_>,
    limit: u64,
    depth: Depth,
) -> Result<FileFacts, Error> {
    let most = if is_named_map(&entry) { limit } else { START as u64 };
    match entry.stored_content()? {
        Some(content) => facts_of(entry, &content, depth),
        None => facts_of(entry, &Beginning::of(entry, most)?, depth),
    }
}

/// Examines all of an entry.
pub(crate) fn look_at_all(entry: Entry<'_>) -> Result<FileFacts, Error> {
    facts_of(entry, &whole(entry)?, Depth::All)
}

fn facts_of(entry: Entry<'_>, content: &impl ReadAt, depth: Depth) -> Result<FileFacts, Error> {
    facts(entry.name(), content, depth).map_err(|error| entry.locate(Error::from_io(error)))
}

/// All of an entry: in place if it is stored, otherwise decoded. Of a large one, only the beginning is.
pub(crate) fn whole(entry: Entry<'_>) -> Result<Arc<dyn ReadAt>, Error> {
    if entry.is_compressed() && entry.size() > WHOLE_MAX {
        return Ok(Arc::new(Beginning::of(entry, WHOLE_MAX)?));
    }
    entry.source()
}

/// The beginning of a content.
struct Beginning {
    bytes: Vec<u8>,
    /// The size of all of it.
    size: u64,
}

impl Beginning {
    fn of(entry: Entry<'_>, most: u64) -> Result<Self, Error> {
        Ok(Self { bytes: entry.start(most)?, size: entry.size() })
    }
}

impl ReadAt for Beginning {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.bytes.read_at(buffer, offset)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }
}
