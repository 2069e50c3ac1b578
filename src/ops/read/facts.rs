//! Facts about the files in archives, from their headers or from their whole contents.

use std::path::Path;
use std::sync::Arc;

use crate::archive::Entry;
use crate::archive::error::Error;
use crate::media::{
    Depth, FileFacts, Kind, is_worth_a_look, look_at_all, look_at_start, map_limit,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding};
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{EntryFacts, EntryRow, InfoTotals};
use crate::ops::source::named::find;
use crate::ops::source::{self, Wanted};

/// Reports the facts of entries, in the order in which they are asked for.
///
/// ```
/// use daisho::ops::{Context, Reported, facts};
/// use daisho::ops::source::Wanted;
///
/// let wanted = Wanted::list(["pics/load0.pcx"], &[]);
/// let mut reported = Reported::default();
/// facts(&Context::new(), "corpus/game/data/pak1.pak", &wanted, &mut reported)?;
/// for entry in reported.rows {
///     let details = entry.facts.and_then(|facts| facts.details).unwrap();
///     assert_eq!(details.number("bits"), Some(8));
/// }
/// # Ok::<(), daisho::ops::Refusal>(())
/// ```
///
/// # Errors
///
/// If the user stops the operation.
pub fn facts(
    context: &Context<'_>,
    path: impl AsRef<Path>,
    wanted: &[Wanted],
    out: &mut dyn Sink<EntryRow>,
) -> Result<InfoTotals, Refusal> {
    let path = path.as_ref();
    let mut totals = InfoTotals::default();
    let mut warnings = Vec::new();
    let archive = match source::one_or_loose_file(context, path, &mut warnings) {
        Ok(archive) => archive,
        Err(refusal) => {
            totals.unread = hand_on(out, refusal.0);
            return Ok(totals);
        }
    };
    hand_on(out, warnings);
    totals.archives = 1;
    for wanted in wanted {
        // The name may be meant as a file.
        let entries = match find(&archive, wanted, true) {
            Ok(entries) => entries,
            Err(error) => {
                out.finding(error.at_path(path));
                continue;
            }
        };
        for entry in entries {
            context.cancel.check()?;
            let (row, finding) = whole(entry);
            hand_on(out, finding);
            if row.is_some_and(|row| out.row(row).is_break()) {
                return Ok(totals);
            }
        }
    }
    hand_on(out, finding::reserved_reading(&archive));
    Ok(totals)
}

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
    let (mut places, mut worth) = (Vec::new(), Vec::new());
    for (place, entry) in entries.iter().enumerate() {
        if is_worth_a_look(entry) {
            places.push(place);
            worth.push(*entry);
        }
    }
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
