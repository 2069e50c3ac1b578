//! Contents that lie more than once, within archives and across them.
//!
//! First the sizes of all entries are gathered, without decoding anything; then contents of a size that
//! occurs more than once are decoded and hashed by SHA-256. So a collection in which nothing lies twice
//! costs no more than its directories.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use super::payloads::Payloads;
use super::visit;
use crate::archive::{Archive, Entry};
use crate::error::Error;
use crate::fs::System;
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::inputs::Search;
use crate::ops::nested;
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::select::Selection;

/// A content that lies more than once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dupe {
    /// How long it is.
    pub size: u64,
    /// What it hashes to.
    pub sha256: [u8; 32],
    /// Where it lies, in the order of the archives and of their entries.
    pub copies: Vec<Copy>,
}

/// A place where a content lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// The archive.
    pub pak: PathBuf,
    /// The entry's number there.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// How many bytes it takes in the archive: none where it shares another entry's.
    pub stored: u64,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Dupes {
    /// The contents, those that take most for nothing first.
    pub contents: Vec<Dupe>,
    /// How many archives were opened.
    pub paks: usize,
    /// What could not be opened or read.
    pub problems: Vec<Problem>,
}

impl Dupe {
    /// How many bytes its copies take but for the first.
    #[must_use]
    pub fn wasted(&self) -> u64 {
        let stored = self.copies.iter().map(|copy| copy.stored);
        stored.skip(1).fold(0, u64::saturating_add)
    }
}

/// Finds the contents that lie more than once in the archives that `paths` mean. Empty files are none.
///
/// # Errors
/// A directory, where none is to be searched.
pub fn dupes(
    context: &Context<'_>,
    paths: &[PathBuf],
    search: Search,
    selection: &Selection,
) -> Result<Dupes, Refusal> {
    let mut sizes: HashMap<u64, u32> = HashMap::new();
    let mut archives = Vec::new();
    let system = System::real();
    let mut seen = HashSet::new();
    let mut notes = Vec::new();
    let mut visited = visit::each(context, paths, search, |path, archive| {
        // A file under two names is there once, and so is what lies in it.
        let (file, names) = match nested::split(path) {
            None => (path.to_path_buf(), Vec::new()),
            Some(within) => (within.file, within.names),
        };
        let id = system.identify(&file);
        if !id.map_or(true, |id| seen.insert((id, names))) {
            return std::ops::ControlFlow::Continue(());
        }
        // Where a directory is cut off, entries are missing.
        notes.extend(open::notes(archive).into_iter().filter(Problem::is_error));
        for entry in selection.entries(archive) {
            let count = sizes.entry(entry.size()).or_default();
            *count = count.saturating_add(1);
        }
        archives.push(path.to_path_buf());
        std::ops::ControlFlow::Continue(())
    })?;
    visited.problems.extend(notes);
    visited
        .problems
        .extend(selection.unmatched().map(Problem::error));
    let occurs_often = |entry: &Entry<'_>| {
        entry.size() > 0 && sizes.get(&entry.size()).is_some_and(|count| *count > 1)
    };
    let pool = Pool::new(context.jobs);
    let mut found = Dupes {
        paks: visited.paks,
        problems: visited.problems,
        ..Dupes::default()
    };
    let mut contents = Contents::new();
    context.observer.archives(archives.len() as u64);
    for path in archives {
        let opened = open::open(&system, &path, context.open);
        let hashed = opened.and_then(|archive| {
            let mut entries = selection.entries(&archive);
            entries.retain(occurs_often);
            hash(context, &pool, &archive, entries)
        });
        match hashed {
            Ok((hashed, problems)) => {
                for (key, copy) in hashed {
                    let pak = path.clone();
                    contents.entry(key).or_default().push(Copy { pak, ..copy });
                }
                found.problems.extend(problems);
            }
            Err(error) => found.problems.push(Problem::error(error.in_pak(&path))),
        }
        context.observer.archive_done();
    }
    found.contents = several(contents);
    Ok(found)
}

/// Where contents lie, by their sizes and hashes.
type Contents = HashMap<(u64, [u8; 32]), Vec<Copy>>;

/// Those that lie more than once, what takes most for nothing first. Hashes have no order of their own that
/// anybody would expect, so among equals the first copy's place decides.
fn several(contents: Contents) -> Vec<Dupe> {
    let several = contents.into_iter().filter(|(_, copies)| copies.len() > 1);
    let dupe = |((size, sha256), copies)| Dupe {
        size,
        sha256,
        copies,
    };
    let mut dupes: Vec<Dupe> = several.map(dupe).collect();
    let place = |dupe: &Dupe| {
        let first = dupe.copies.first();
        first.map(|copy| (copy.pak.clone(), copy.index))
    };
    dupes.sort_by(|a, b| {
        let wasted = b.wasted().cmp(&a.wasted());
        wasted.then_with(|| place(a).cmp(&place(b)))
    });
    dupes
}

type Hashed = Vec<((u64, [u8; 32]), Copy)>;

/// What these entries hash to, and what of them cannot be read.
fn hash(
    context: &Context<'_>,
    pool: &Pool,
    archive: &Archive,
    entries: Vec<Entry<'_>>,
) -> Result<(Hashed, Vec<Problem>), Error> {
    context.cancel.check()?;
    let payloads = Payloads::of(archive, entries);
    payloads.announce(context, None)?;
    let sums = payloads.map(context, pool, |payload| {
        let mut hasher = Sha256::new();
        let decoded = payload.decode(&mut |piece| hasher.update(piece));
        (<[u8; 32]>::from(hasher.finalize()), decoded.err())
    });
    let (mut hashed, mut problems) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    payloads.for_each(sums, |entry, sum, error| {
        if let Some(error) = error {
            problems.push(Problem::error(error));
            return;
        }
        let is_first = seen.insert(entry.extent());
        let copy = Copy {
            pak: PathBuf::new(),
            index: entry.index(),
            name: entry.name().as_bytes().to_vec(),
            stored: if is_first { entry.stored_len() } else { 0 },
        };
        hashed.push(((entry.size(), *sum), copy));
    });
    Ok((hashed, problems))
}
