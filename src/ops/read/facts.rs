//! Facts about the files in archives, from their headers or from their whole contents.

use std::path::Path;
use std::sync::Arc;

use crate::archive::Entry;
use crate::archive::error::Error;
use crate::media::{
    Depth, FileFacts, Kind, is_worth_a_look, look_at_all, look_at_start, map_limit,
};
use crate::ops::context::Context;
use crate::ops::finding::Finding;
use crate::ops::row::{EntryFacts, EntryRow};

/// Looks at the whole content of an entry. If the entry is damaged, its beginning may still tell what it is.
pub(crate) fn whole(entry: Entry<'_>) -> (Option<EntryRow>, Option<Finding>) {
    let (details, error) = match look_at_all(entry) {
        Ok(details) => (details, None),
        Err(error) => match look_at_start(entry, map_limit(&[entry]), Depth::Header) {
            Ok(header) => (header, Some(Finding::from(error))),
            Err(error) => return (None, Some(Finding::from(error))),
        },
    };
    let archive = Arc::from(entry.archive().path().unwrap_or(Path::new("")));
    let mut row = EntryRow::of(&archive, &entry);
    row.kind = Some(Kind::of(entry.name()));
    row.packed_size = Some(entry.stored_len());
    row.facts = Some(EntryFacts { details: Some(Box::new(details)), is_whole: true });
    (Some(row), error)
}

/// Looks at the beginnings of entries, on all threads. `None` for an entry whose name has no known type, that is
/// empty, or whose claims cannot be true.
pub(super) fn headers_of(
    context: &Context<'_>,
    entries: &[Entry<'_>],
    depth: Depth,
) -> Vec<Option<Result<FileFacts, Error>>> {
    // Only entries that are read are work for threads: most archives of a collection have few of them.
    let worth = entries.iter().copied().enumerate().filter(|(_, entry)| is_worth_a_look(entry));
    let (places, worth): (Vec<usize>, Vec<Entry<'_>>) = worth.unzip();
    let limit = map_limit(&worth);
    let found = context.pool.map(&worth, |entry| look_at_start(*entry, limit, depth));
    let mut headers = Vec::new();
    headers.resize_with(entries.len(), || None);
    for (place, found) in places.into_iter().zip(found) {
        if let Some(header) = headers.get_mut(place) {
            *header = Some(found);
        }
    }
    headers
}
