//! What single files of archives are, in detail: their facts, each file's own.
//!
//! # Which arguments are names
//!
//! Behind one archive stand archives, or names of entries in it. What begins as an archive is one. Anything
//! else is a name where an entry is meant by it, as [`cat`](super::cat) finds it; that a file of this name
//! lies beside the archive makes no difference. Where none is, all are
//! paths, unless one that leads nowhere is more like an entry than like a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry_source::{EntrySource, start_limit};
use super::wanted::{self, Wanted};
use crate::archive::{Archive, Entry, Kind};
use crate::error::{Error, ErrorKind};
use crate::fs::is_standard_input;
use crate::media::details::{Depth, Details, details};
use crate::media::is_worth_a_look;
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::meant::{beside, meant};
use crate::ops::open::{self, open_one};
use crate::ops::pool::Pool;
use crate::ops::recognize::is_pak;

/// One entry, looked at.
#[derive(Debug)]
pub struct EntryFacts {
    /// Its number.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// What its extension says.
    pub kind: Kind,
    /// Its size, decompressed.
    pub size: u64,
    /// What it takes in the archive.
    pub packed_size: u64,
    /// Its type and its facts; of a damaged entry, what its header says.
    pub details: Details,
}

/// The entries that were asked for, and what went wrong.
#[derive(Debug, Default)]
pub struct FactsReport {
    /// The entries, in the order in which they are asked for.
    pub entries: Vec<EntryFacts>,
    /// Entries that are not there, or damaged.
    pub problems: Vec<Problem>,
}

/// What stands behind the first of some paths.
#[derive(Debug)]
pub enum Behind {
    /// Other paths, or nothing.
    Paths,
    /// Names of entries of the first one, with what was found of these.
    Entries(FactsReport),
    /// Names of entries, of which this is one, and other archives.
    Both(PathBuf),
}

/// Looks at the entries that are named behind an archive, and at those of these numbers.
///
/// ```
/// use daisho::ops::context::{Cancel, Context, Unobserved};
/// use daisho::ops::read::facts::{Behind, facts};
///
/// let cancel = Cancel::new();
/// let context = Context::new(&Unobserved, &cancel);
/// let paths = ["corpus/game/data/pak1.pak", "pics/load0.pcx"].map(Into::into);
/// let Behind::Entries(found) = facts(&context, &paths, &[])? else { panic!() };
/// assert_eq!(found.entries[0].details.number("bits"), Some(8));
/// # Ok::<(), daisho::ops::context::Refusal>(())
/// ```
///
/// # Errors
///
/// If entries are asked for by numbers, and the archive cannot be read.
pub fn facts(
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
    let archive = match open_one(context, first) {
        Ok(archive) => archive,
        Err(_) if numbers.is_empty() && !is_standard_input(first) => return Ok(Behind::Paths),
        Err(error) => return Err(error.into()),
    };
    let is_alone = names().count() == rest.len();
    let is_entry = |path: &PathBuf| wanted::named(&archive, bytes(path)).is_some();
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
    let by_name = rest.iter().map(|path| find(&archive, path));
    let by_number = numbers
        .iter()
        .map(|index| wanted::find(&archive, &Wanted::Index(*index)));
    let mut report = FactsReport::default();
    for found in by_name.chain(by_number) {
        context.cancel.check()?;
        match found {
            Ok(entry) => report.add(entry),
            Err(error) => {
                let error = Problem::error(error.in_pak(first));
                report.problems.push(error);
            }
        }
    }
    report.problems.extend(open::reserved(&archive));
    Ok(Behind::Entries(report))
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

fn find<'a>(archive: &'a Archive, path: &Path) -> Result<Entry<'a>, Error> {
    wanted::named(archive, bytes(path)).ok_or_else(|| {
        let file = || Some(beside(path)?.into_os_string().into_encoded_bytes());
        let kind = ErrorKind::NeitherFileNorEntry {
            name: bytes(path).to_vec(),
            near: near(archive, path).or_else(file),
        };
        kind.into()
    })
}

impl FactsReport {
    pub(super) fn add(&mut self, entry: Entry<'_>) {
        let all = EntrySource::whole(entry).and_then(|source| look(entry, source, Depth::All));
        let details = match all {
            Ok(details) => Ok(details),
            // What its beginning says may still be there.
            Err(error) => {
                let source = EntrySource::start(entry, start_limit(&[entry]));
                let header = source.and_then(|source| look(entry, source, Depth::Header));
                if header.is_ok() {
                    self.problems.push(Problem::error(error));
                }
                header
            }
        };
        match details {
            Ok(details) => self.entries.push(EntryFacts {
                index: entry.index(),
                name: entry.name().as_bytes().to_vec(),
                kind: entry.kind(),
                size: entry.size(),
                packed_size: entry.stored_len(),
                details,
            }),
            Err(error) => self.problems.push(Problem::error(error)),
        }
    }
}

/// Looks at an entry; an error is the entry's.
fn look(entry: Entry<'_>, mut source: EntrySource<'_>, depth: Depth) -> Result<Details, Error> {
    details(entry.name(), &mut source, depth).map_err(|error| {
        let error = Error::from_io(error);
        match error.entry() {
            Some(_) => error,
            None => entry.locate(error),
        }
    })
}

/// What the headers of some entries say, and a map's entities: nothing of one whose name is that of no type
/// that is known.
pub type Headers = Vec<Option<Arc<Details>>>;

/// Looks at the headers of entries, on all threads, and says which cannot be read. Those whose claims cannot
/// be true are passed over.
#[must_use]
pub fn headers(context: &Context<'_>, entries: &[Entry<'_>]) -> (Headers, Vec<Problem>) {
    headers_on(&Pool::new(context.jobs), entries)
}

/// Like [`headers`], on threads that are there.
pub(super) fn headers_on(pool: &Pool, entries: &[Entry<'_>]) -> (Headers, Vec<Problem>) {
    let limit = start_limit(entries);
    let is_worth = |entry: &Entry<'_>| {
        entry.size() > 0 && is_worth_a_look(entry.name()) && entry.check_claims().is_ok()
    };
    let header = |(): &mut (), entry: &Entry<'_>| {
        is_worth(entry).then(|| look(*entry, EntrySource::start(*entry, limit)?, Depth::Header))
    };
    let found = pool.map(entries, || (), header);
    let mut problems = Vec::new();
    let headers = found.into_iter().map(|found| match found? {
        Ok(details) => Some(Arc::new(details)),
        Err(error) => {
            problems.push(Problem::error(error));
            None
        }
    });
    let headers = headers.collect();
    (headers, problems)
}
