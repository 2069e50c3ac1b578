//! What is in archives: their directories, entry by entry, with nothing decoded; and where it is asked for,
//! what the files' headers say.

use crate::ops::finding::Finding;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::facts::{Headers, headers_of};
use crate::archive::{Coding, Entry};
use crate::media::Kind;
use crate::ops::context::{Context, Refusal};
use crate::ops::game::Winners;
use crate::ops::open;
use crate::ops::row::{Delivery, EntryRow, Facts, Row, Summary};
use crate::ops::source::{self, Search, Selection};

/// What to list.
#[derive(Debug, Default)]
pub struct ListOptions {
    /// Where archives are looked for besides those that are named.
    pub search: Search,
    /// Which entries.
    pub selection: Selection,
    /// Whether to look at the headers of the files.
    pub headers: bool,
}

/// Lists the entries of archives, in the order of each directory.
///
/// ```
/// use daisho::ops::context::Context;
/// use daisho::ops::source::Search;
/// use daisho::ops::read::list::{ListOptions, list};
/// use daisho::ops::row::Row;
/// use daisho::ops::source::Selection;
///
/// let options = ListOptions {
///     search: Search::RECURSIVE,
///     selection: Selection::new(&["maps/*.bsp"], &["e1m2*"])?,
///     headers: false,
/// };
/// let mut levels = Vec::new();
/// list(&Context::new(), &["corpus/game/data".into()], &options, &mut |row| {
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
/// A directory without `recursive`.
pub fn list(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &ListOptions,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let mut out = Delivery::new(rows);
    source::each(
        context,
        paths,
        options.search,
        &mut out,
        &mut |input, archive, out| {
            let entries = options.selection.entries(archive);
            let (headers, unreadable) = match options.headers {
                true => headers_of(context, &entries),
                false => (Headers::new(), Vec::new()),
            };
            let at = Arc::from(input.path.as_path());
            let rows = entry_rows(&at, &entries, &headers, options.headers);
            out.archive(Arc::clone(&at), rows);
            let impossible = entries
                .iter()
                .filter_map(|entry| entry.check_claims().err());
            // What is only odd of an archive, `info` says.
            out.findings(open::notes(archive).into_iter().filter(Finding::is_error));
            out.findings(impossible.map(Finding::from));
            out.findings(unreadable);
        },
    )?;
    // What was not looked at might have matched.
    if out.summary.archives > 0 && !context.cancel.is_set() {
        out.findings(options.selection.unmatched());
    }
    Ok(out.summary)
}

/// Lists what is served, archive by archive, and loose files between them.
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
    let (mut of_headers, mut unreadable) = (Headers::new(), Vec::new());
    if headers {
        (of_headers, unreadable) = headers_of(context, &winners.served);
    }
    let mut of_headers = of_headers.into_iter();
    for entries in winners.served.chunk_by(is_together) {
        let path = entries
            .first()
            .filter(|entry| !entry.is_file())
            .and_then(Entry::path);
        let at = Arc::from(path.unwrap_or(Path::new("")));
        let of_headers: Headers = of_headers.by_ref().take(entries.len()).collect();
        out.archive(
            Arc::clone(&at),
            entry_rows(&at, entries, &of_headers, headers),
        );
    }
    out.findings(winners.findings);
    out.findings(unreadable);
    out.summary
}

/// A row for each of an archive's entries.
fn entry_rows<'a>(
    archive: &'a Arc<Path>,
    entries: &'a [Entry<'a>],
    headers: &'a Headers,
    is_long: bool,
) -> impl Iterator<Item = EntryRow> {
    entries.iter().enumerate().map(move |(number, entry)| {
        let mut row = EntryRow::of(archive, entry);
        row.kind = Some(Kind::of(entry.name()));
        if !entry.is_file() {
            row.offset = Some(entry.offset());
            row.packed_size = Some(entry.stored_len());
            row.compressed = Some(entry.coding() != Coding::Stored);
        }
        row.facts = is_long.then(|| Facts {
            details: headers.get(number).and_then(Clone::clone),
            is_whole: false,
        });
        row
    })
}
