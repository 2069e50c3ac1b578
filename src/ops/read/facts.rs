//! What single files of archives are, in detail: their facts, each file's own.
//!
//! # Which arguments are names
//!
//! Behind one archive stand archives, or names of entries in it. What begins as an archive is one. Anything
//! else is a name where an entry is meant by it, as [`cat`](super::cat) finds it; that a file of this name
//! lies beside the archive makes no difference. Where none is, all are
//! paths, unless one that leads nowhere is more like an entry than like a file.

use crate::ops::finding::{Finding, no_file_or_entry};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry_source::{EntrySource, start_limit};
use crate::archive::error::Error;
use crate::archive::{Archive, Entry};
use crate::fs::is_standard_input;
use crate::media::{self, Depth, Found, Kind, is_worth_a_look};
use crate::ops::context::{Context, Refusal};
use crate::ops::open;
use crate::ops::row::{Delivery, EntryRow, Facts, Row, Summary};
use crate::ops::source::named::Wanted;
use crate::ops::source::named::{beside, meant};
use crate::ops::source::recognize::is_pak;
use crate::ops::source::{self, named};

/// What stands behind the first of some paths.
#[derive(Debug)]
pub enum Behind {
    /// Other paths, or nothing.
    Paths,
    /// Names of entries of the first one.
    Entries(Asked),
    /// Names of entries, of which this is one, and other archives.
    Both(PathBuf),
}

/// Entries of an archive that are asked for.
#[derive(Debug)]
pub struct Asked {
    archive: Box<Archive>,
    /// Their numbers, or why one is not there.
    found: Vec<Result<usize, Finding>>,
}

/// Finds the entries that are named behind an archive, and those of these numbers.
///
/// ```
/// use daisho::ops::context::Context;
/// use daisho::ops::read::facts::{Behind, behind};
/// use daisho::ops::row::Row;
///
/// let context = Context::new();
/// let paths = ["corpus/game/data/pak1.pak", "pics/load0.pcx"].map(Into::into);
/// let Behind::Entries(asked) = behind(&context, &paths, &[])? else { panic!() };
/// asked.look(&context, &mut |row| {
///     if let Row::Entry(entry) = row {
///         let details = entry.facts.and_then(|facts| facts.details).unwrap();
///         assert_eq!(details.number("bits"), Some(8));
///     }
/// })?;
/// # Ok::<(), daisho::ops::context::Refusal>(())
/// ```
///
/// # Errors
///
/// If entries are asked for by numbers, and the archive cannot be read.
pub fn behind(
    context: &Context<'_>,
    paths: &[PathBuf],
    numbers: &[usize],
) -> Result<Behind, Refusal> {
    let Some((first, rest)) = paths.split_first() else {
        return Ok(Behind::Paths);
    };
    // What cannot be looked at is no archive here; as a path it is an error.
    let names = || rest.iter().filter(|path| !is_pak(path).unwrap_or(false));
    if names().next().is_none() && numbers.is_empty() {
        return Ok(Behind::Paths);
    }
    let archive = match source::one(context, first) {
        Ok(archive) => Box::new(archive),
        Err(_) if numbers.is_empty() && !is_standard_input(first) => return Ok(Behind::Paths),
        Err(error) => return Err(error.into()),
    };
    let is_alone = names().count() == rest.len();
    let is_entry = |path: &PathBuf| named::named(&archive, bytes(path)).is_some();
    // What is like a file beside is the wrong name of a file.
    let is_meant = |path: &PathBuf| {
        !path.exists() && (beside(path).is_none() || near(&archive, path).is_some())
    };
    let is_named = names().any(is_entry) || is_alone && names().any(is_meant);
    if !is_named && numbers.is_empty() && !is_standard_input(first) {
        return Ok(Behind::Paths);
    }
    if let Some(name) = names().next().filter(|_| !is_alone) {
        return Ok(Behind::Both(name.clone()));
    }
    let mut found = Vec::new();
    for path in rest {
        found.push(find(&archive, path).map(|entry| entry.index()));
    }
    for number in numbers {
        let entry = named::find(&archive, &Wanted::Index(*number));
        found.push(entry.map(|entry| entry.index()));
    }
    Ok(Behind::Entries(Asked { archive, found }))
}

impl Asked {
    /// Looks at the entries, in the order in which they are asked for.
    ///
    /// # Errors
    ///
    /// If a stop is asked for.
    pub fn look(
        self,
        context: &Context<'_>,
        rows: &mut dyn FnMut(Row),
    ) -> Result<Summary, Refusal> {
        let mut out = Delivery::new(rows);
        out.summary.archives = 1;
        for found in self.found {
            context.cancel.check()?;
            match found.map(|index| self.archive.entry(index)) {
                Ok(Some(entry)) => {
                    let (row, finding) = whole(entry);
                    out.findings(finding);
                    row.into_iter().for_each(|row| out.row(Row::Entry(row)));
                }
                Ok(None) => {}
                Err(error) => {
                    out.findings([open::in_archive(&self.archive, error)]);
                }
            }
        }
        out.findings(open::reserved(&self.archive));
        Ok(out.summary)
    }
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// The entry that was probably meant.
fn near(archive: &Archive, path: &Path) -> Option<Vec<u8>> {
    let names = archive.entries();
    meant(
        bytes(path),
        names.map(|entry| entry.name().as_bytes().to_vec()),
    )
}

fn find<'a>(archive: &'a Archive, path: &Path) -> Result<Entry<'a>, Finding> {
    named::named(archive, bytes(path)).ok_or_else(|| {
        let file = || Some(beside(path)?.into_os_string().into_encoded_bytes());
        no_file_or_entry(bytes(path), near(archive, path).or_else(file))
    })
}

/// Looks at all of an entry. Of one that is damaged, the beginning may still say what it is.
pub(super) fn whole(entry: Entry<'_>) -> (Option<EntryRow>, Option<Finding>) {
    let all = EntrySource::whole(entry).and_then(|source| look(entry, source, Depth::All));
    let (details, error) = match all {
        Ok(details) => (details, None),
        Err(error) => {
            let source = EntrySource::start(entry, start_limit(&[entry]));
            match source.and_then(|source| look(entry, source, Depth::Header)) {
                Ok(header) => (header, Some(Finding::from(error))),
                Err(error) => return (None, Some(Finding::from(error))),
            }
        }
    };
    let archive = Arc::from(entry.archive().path().unwrap_or(Path::new("")));
    let mut row = EntryRow::of(&archive, &entry);
    row.kind = Some(Kind::of(entry.name()));
    row.packed_size = Some(entry.stored_len());
    row.facts = Some(Facts {
        details: Some(Arc::new(details)),
        is_whole: true,
    });
    (Some(row), error)
}

/// Looks at an entry; an error is the entry's.
fn look(entry: Entry<'_>, source: EntrySource<'_>, depth: Depth) -> Result<Found, Error> {
    media::facts(entry.name(), &source, depth).map_err(|error| entry.locate(Error::from_io(error)))
}

/// What the headers of some entries say, and a map's entities: nothing of one whose name is that of no type
/// that is known.
pub type Headers = Vec<Option<Arc<Found>>>;

/// Looks at the headers of entries, on all threads, and says which cannot be read. Those whose claims cannot
/// be true are passed over.
pub(super) fn headers_of(context: &Context<'_>, entries: &[Entry<'_>]) -> (Headers, Vec<Finding>) {
    let limit = start_limit(entries);
    let is_worth = |entry: &Entry<'_>| {
        entry.size() > 0 && is_worth_a_look(entry.name()) && entry.check_claims().is_ok()
    };
    let header = |(): &mut (), entry: &Entry<'_>| {
        is_worth(entry).then(|| look(*entry, EntrySource::start(*entry, limit)?, Depth::Header))
    };
    let found = context.pool.map(entries, || (), header);
    let mut findings = Vec::new();
    let headers = found.into_iter().map(|found| match found? {
        Ok(details) => Some(Arc::new(details)),
        Err(error) => {
            findings.push(Finding::from(error));
            None
        }
    });
    let headers = headers.collect();
    (headers, findings)
}
