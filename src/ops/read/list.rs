//! Lists the entries of archives, without decoding them, or with facts from their headers.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::archive::{Coding, Entry};
use crate::media::{Depth, Kind};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding};
use crate::ops::game::Winners;
use crate::ops::read::info::headers_of;
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{At, EntryFacts, EntryRow};
use crate::ops::source::{How, Input, Search, Selection, for_each, missing_names};

/// What to list.
#[derive(Debug, Default)]
pub struct ListOptions {
    /// Which entries.
    pub selection: Selection,
    /// Whether to look at the headers of the files.
    pub headers: bool,
    /// Whether the offsets of rows are those of payloads. In a ZIP, the headers before all payloads are read for that;
    /// else the offsets are those of the headers.
    pub offsets: bool,
}

/// What a list reports.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub enum ListRow {
    /// An entry of an archive, or a loose file.
    Entry(EntryRow),
    /// The end of an archive, whose path is empty for loose files: all of its entries have been reported.
    #[serde(skip)]
    End(Arc<Path>),
}

/// What was listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListTotals {
    /// Archives that could be read.
    pub archives: u64,
    /// Entries.
    pub entries: u64,
    /// The sum of their sizes. Impossible sizes do not count.
    pub bytes: u64,
    /// The sum of their sizes in the archives, also without entries of an impossible size.
    pub packed_bytes: u64,
}

/// Lists the entries of archives, in the order of each directory.
///
/// ```
/// use daisho::ops::{Context, ListOptions, ListRow, Reported, list};
/// use daisho::ops::source::Selection;
///
/// let options = ListOptions {
///     selection: Selection::new(&["maps/*.bsp"], &["e1m2*"])?,
///     ..ListOptions::default()
/// };
/// let mut levels = Vec::new();
/// let mut reported = Reported::default();
/// list(&Context::new(), &["corpus/game/data"], &options, &mut reported)?;
/// for row in reported.rows {
///     if let ListRow::Entry(entry) = row {
///         levels.push(String::from_utf8_lossy(&entry.name).into_owned());
///     }
/// }
/// assert_eq!(levels, ["maps/e1m1.bsp"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If no path leads to an archive, or to a file that is named like one.
pub fn list(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &ListOptions,
    out: &mut dyn Sink<ListRow>,
) -> Result<ListTotals, Refusal> {
    let mut lister =
        Lister { context, headers: options.headers, totals: ListTotals::default(), out };
    let mut found = Search::new(context, paths, How::default());
    found.refuse_strangers(context)?;
    let missing = missing_names(context, &found, &options.selection);
    if !missing.is_empty() {
        lister.findings(missing);
        lister.findings(found.take_findings());
        lister.totals.archives = found.inputs.len() as u64;
        return Ok(lister.totals);
    }
    let open = |input: &Input| {
        let archive = input.open_as_found(context)?;
        if options.offsets {
            archive.check_headers()?;
        }
        Ok(archive)
    };
    let flow = for_each(context, &found.inputs, open, |input, opened| {
        let archive = match opened {
            Ok(archive) => archive,
            Err(error) => {
                lister.findings([error]);
                return ControlFlow::Continue(());
            }
        };
        lister.totals.archives += 1;
        let entries = options.selection.entries(&archive);
        let mut unreadable = Vec::new();
        let flow = lister.report(&input.path, &entries, &mut unreadable);
        let impossible = entries.iter().filter_map(|entry| entry.check_claims().err());
        lister.findings(finding::archive_errors(&archive));
        lister.findings(impossible.map(Finding::from));
        lister.findings(unreadable);
        flow
    });
    if flow.is_continue() {
        lister.findings(found.take_findings());
        if lister.totals.archives > 0 {
            lister.findings(options.selection.unmatched());
        }
    }
    Ok(lister.totals)
}

/// Lists the files that an engine serves, archive by archive, with loose files in between.
#[must_use]
pub fn list_served(
    context: &Context<'_>,
    winners: Winners<'_>,
    headers: bool,
    out: &mut dyn Sink<ListRow>,
) -> ListTotals {
    let mut lister = Lister {
        context,
        headers,
        // The game could be opened, whatever is in it.
        totals: ListTotals { archives: 1, ..ListTotals::default() },
        out,
    };
    let mut unreadable = Vec::new();
    for entries in winners
        .served
        .chunk_by(|a, b| core::ptr::eq(a.archive(), b.archive()) || a.is_file() && b.is_file())
    {
        // Entries of one archive, or loose files, which have none.
        let in_archive = entries.first().filter(|entry| !entry.is_file());
        let path = in_archive.and_then(Entry::path).unwrap_or(Path::new(""));
        if lister.report(path, entries, &mut unreadable).is_break() {
            break;
        }
    }
    lister.findings(winners.findings);
    lister.findings(unreadable);
    lister.totals
}

/// Lists archives, and counts what is in them.
struct Lister<'a, 'o> {
    context: &'a Context<'a>,
    /// Whether to look at the headers of the files.
    headers: bool,
    totals: ListTotals,
    out: &'o mut dyn Sink<ListRow>,
}

impl Lister<'_, '_> {
    fn findings(&mut self, findings: impl IntoIterator<Item = Finding>) {
        hand_on(self.out, findings);
    }

    /// Reports an archive's entries. Adds an error for each header that could not be read.
    fn report(
        &mut self,
        archive: &Path,
        entries: &[Entry<'_>],
        unreadable: &mut Vec<Finding>,
    ) -> ControlFlow<()> {
        let mut found = Vec::new();
        if self.headers {
            found = headers_of(self.context, entries, Depth::Header);
        }
        let mut found = found.into_iter();
        let archive = Arc::from(archive);
        for entry in entries {
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
            self.totals.entries += 1;
            let is_possible = entry.has_possible_size();
            if is_possible {
                self.totals.bytes = self.totals.bytes.saturating_add(row.size);
            }
            // Loose files of a game belong to no archive.
            if archive.as_os_str().is_empty() {
                row.at = At::File(entry.path().unwrap_or(&archive).to_path_buf());
            } else {
                row.offset = Some(entry.known_offset());
                row.packed_size = Some(entry.stored_len());
                row.compressed = Some(entry.coding() != Coding::Stored);
                if is_possible {
                    let packed_bytes = self.totals.packed_bytes.saturating_add(entry.stored_len());
                    self.totals.packed_bytes = packed_bytes;
                }
            }
            row.facts =
                self.headers.then_some(EntryFacts { details, is_whole: false, other: None });
            self.out.row(ListRow::Entry(row))?;
        }
        self.out.row(ListRow::End(archive))
    }
}
