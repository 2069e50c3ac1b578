//! Contents that lie more than once, within archives and across them.
//!
//! First the sizes of all entries are gathered, without decoding anything; then contents of a size that
//! occurs more than once are decoded and hashed by SHA-256. So a collection in which nothing lies twice
//! costs no more than its directories.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::archive::{Archive, Entry};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::Finding;
use crate::ops::open;
use crate::ops::row::{CopyRow, Delivery, Row, Summary};
use crate::ops::source::{self, Search, Selection, nested};
use crate::ops::stream::Payloads;

/// Finds the contents that lie more than once in the archives that `paths` mean. Empty files are none.
/// Reports the copies of each content one after another, those first that waste most.
///
/// Of the summary, `done` counts contents, `entries` their copies, and `bytes_out` what the copies waste.
///
/// # Errors
/// A directory, where none is to be searched.
pub fn dupes(
    context: &Context<'_>,
    paths: &[PathBuf],
    search: Search,
    selection: &Selection,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let mut out = Delivery::new(rows);
    let mut sizes: HashMap<u64, u32> = HashMap::new();
    let mut archives = Vec::new();
    let mut seen = HashSet::new();
    let mut notes = Vec::new();
    source::each(
        context,
        paths,
        search,
        &mut out,
        &mut |input, archive, _| {
            // A file under two names is there once, and so is what lies in it.
            let (file, names) = match nested::split(&input.path) {
                None => (input.path.clone(), Vec::new()),
                Some(within) => (within.file, within.names),
            };
            let id = context.system.identify(&file);
            if !id.map_or(true, |id| seen.insert((id, names))) {
                return;
            }
            // Where a directory is cut off, entries are missing.
            notes.extend(open::notes(archive).into_iter().filter(Finding::is_error));
            for entry in selection.entries(archive) {
                let count = sizes.entry(entry.size()).or_default();
                *count = count.saturating_add(1);
            }
            archives.push(input.clone());
        },
    )?;
    out.findings(notes);
    out.findings(selection.unmatched());
    let occurs_often = |entry: &Entry<'_>| {
        entry.size() > 0 && sizes.get(&entry.size()).is_some_and(|count| *count > 1)
    };
    let mut contents = Contents::new();
    context.observer.archives(archives.len() as u64);
    for input in archives {
        let opened = input.open(context);
        let hashed = opened.and_then(|archive| {
            let mut entries = selection.entries(&archive);
            entries.retain(occurs_often);
            hash(context, &archive, entries, &mut contents)
        });
        match hashed {
            Ok(findings) => out.findings(findings),
            Err(error) => out.findings([error.in_pak(&input.path)]),
        }
        context.observer.archive_done();
    }
    for copies in several(contents) {
        out.summary.done += 1;
        out.summary.entries += copies.len() as u64;
        out.summary.bytes_out = out.summary.bytes_out.saturating_add(wasted(&copies));
        for copy in copies {
            out.row(Row::Copy(copy));
        }
    }
    Ok(out.summary)
}

/// Where contents lie, by their sizes and hashes.
type Contents = HashMap<(u64, [u8; 32]), Vec<CopyRow>>;

/// The copies of each content that lies more than once, what wastes most first. Hashes have no order of
/// their own that anybody would expect, so among equals the first copy's place decides.
fn several(contents: Contents) -> Vec<Vec<CopyRow>> {
    let mut several: Vec<Vec<CopyRow>> = contents.into_values().collect();
    several.retain(|copies| copies.len() > 1);
    for copies in &mut several {
        let count = copies.len();
        for copy in copies {
            copy.copies = count;
        }
    }
    several.sort_by(|a, b| {
        let place = |copies: &[CopyRow]| {
            let first = copies.first();
            first.map(|copy| (Arc::clone(&copy.archive), copy.index))
        };
        let order = wasted(b).cmp(&wasted(a));
        order.then_with(|| place(a).cmp(&place(b)))
    });
    several
}

/// How many bytes all copies take but the first.
fn wasted(copies: &[CopyRow]) -> u64 {
    let others = copies.iter().skip(1).map(|copy| copy.packed_size);
    others.fold(0, u64::saturating_add)
}

/// Adds what these entries hash to, and returns what of them cannot be read.
fn hash(
    context: &Context<'_>,
    archive: &Archive,
    entries: Vec<Entry<'_>>,
    contents: &mut Contents,
) -> Result<Vec<Finding>, Finding> {
    context.cancel.check()?;
    let payloads = Payloads::of(archive, entries);
    payloads.announce(context, None)?;
    let sums = payloads.map(context, |payload| {
        let mut hasher = Sha256::new();
        let decoded = payload.read(&mut |piece| hasher.update(piece));
        (<[u8; 32]>::from(hasher.finalize()), decoded.err())
    });
    let path: Arc<Path> = Arc::from(archive.path().unwrap_or(Path::new("")));
    let mut findings = Vec::new();
    let mut seen = HashSet::new();
    payloads.for_each(sums, |entry, sum, error| {
        if let Some(error) = error {
            findings.push(error);
            return;
        }
        let is_first = seen.insert(entry.extent());
        let copies = contents.entry((entry.size(), *sum)).or_default();
        copies.push(CopyRow {
            sha256: *sum,
            size: entry.size(),
            copies: 0,
            archive: Arc::clone(&path),
            index: entry.index(),
            name: entry.name().as_bytes().to_vec(),
            packed_size: if is_first { entry.stored_len() } else { 0 },
        });
    });
    Ok(findings)
}
