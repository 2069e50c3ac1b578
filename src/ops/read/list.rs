//! Lists the entries of archives, without decoding them, or with facts from their headers.

use std::path::Path;
use std::sync::Arc;

use super::facts::headers_of;
use crate::archive::{Coding, Entry};
use crate::media::{Depth, Kind};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding;
use crate::ops::finding::Finding;
use crate::ops::game::Winners;
use crate::ops::row::{Delivery, EntryFacts, EntryRow, Row, Summary};
use crate::ops::source::{Found, Selection};

/// What to list.
#[derive(Debug, Default)]
pub struct ListOptions {
    /// Which entries.
    pub selection: Selection,
    /// Whether to look at the headers of the files.
    pub headers: bool,
}

/// Lists the entries of archives, in the order of each directory.
///
/// ```
/// use daisho::ops::{Context, ListOptions, list};
/// use daisho::ops::row::Row;
/// use daisho::ops::source::Selection;
///
/// let options = ListOptions {
///     selection: Selection::new(&["maps/*.bsp"], &["e1m2*"])?,
///     headers: false,
/// };
/// let mut levels = Vec::new();
/// list(&Context::new(), &["corpus/game/data"], &options, &mut |row| {
///     if let Row::Entry(entry) = row {
///         levels.push(String::from_utf8_lossy(&entry.name).into_owned());
///     }
/// })?;
/// assert_eq!(levels, ["maps/e1m1.bsp"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// None so far.
pub fn list(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &ListOptions,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let mut out = Delivery::new(rows);
    let mut found = Found::new(context, paths);
    while let Some((input, archive)) = found.next_opened() {
        out.summary.archives += 1;
        let entries = options.selection.entries(&archive);
        let unreadable = report(context, &input.path, &entries, options.headers, &mut out);
        let impossible = entries
            .iter()
            .filter_map(|entry| entry.check_claims().err());
        // What is only odd of an archive, `info` says.
        out.findings(
            finding::archive_notes(&archive)
                .into_iter()
                .filter(Finding::is_error),
        );
        out.findings(impossible.map(Finding::from));
        out.findings(unreadable);
    }
    out.findings(found.into_findings());
    // What was not looked at might have matched.
    let is_all_read = out.summary.archives > 0 && out.summary.unread == 0;
    if is_all_read && !context.cancel.is_set() {
        out.findings(options.selection.unmatched());
    }
    Ok(out.summary)
}

/// Lists the files that an engine serves, archive by archive, with loose files in between.
#[must_use]
pub fn list_served(
    context: &Context<'_>,
    winners: Winners<'_>,
    headers: bool,
    rows: &mut dyn FnMut(Row),
) -> Summary {
    let mut out = Delivery::new(rows);
    // The game could be opened, whatever is in it.
    out.summary.archives = 1;
    let is_together = |a: &Entry<'_>, b: &Entry<'_>| {
        core::ptr::eq(a.archive(), b.archive()) || a.is_file() && b.is_file()
    };
    let mut unreadable = Vec::new();
    for entries in winners.served.chunk_by(is_together) {
        let path = entries
            .first()
            .filter(|entry| !entry.is_file())
            .and_then(Entry::path);
        let path = path.unwrap_or(Path::new(""));
        unreadable.extend(report(context, path, entries, headers, &mut out));
    }
    out.findings(winners.findings);
    out.findings(unreadable);
    out.summary
}

/// Reports an archive's entries, with facts from their headers if `headers` is set. Returns an error for each header
/// that could not be read.
fn report(
    context: &Context<'_>,
    archive: &Path,
    entries: &[Entry<'_>],
    headers: bool,
    out: &mut Delivery<'_>,
) -> Vec<Finding> {
    let mut found = if headers {
        headers_of(context, entries, Depth::Header)
    } else {
        Vec::new()
    }
    .into_iter();
    let mut unreadable = Vec::new();
    let archive = Arc::from(archive);
    let rows = entries.iter().map(|entry| {
        let details = match found.next().flatten() {
            Some(Ok(found)) => Some(Box::new(found)),
            Some(Err(error)) => {
                unreadable.push(Finding::from(error));
                None
            }
            None => None,
        };
        let mut row = EntryRow::of(&archive, entry);
        row.kind = Some(Kind::of(entry.name()));
        if !entry.is_file() {
            row.offset = Some(entry.offset());
            row.packed_size = Some(entry.stored_len());
            row.compressed = Some(entry.coding() != Coding::Stored);
        }
        row.facts = headers.then_some(EntryFacts {
            details,
            is_whole: false,
        });
        row
    });
    out.archive(Arc::clone(&archive), rows);
    unreadable
}
