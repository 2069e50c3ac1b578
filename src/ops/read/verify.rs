//! Decodes everything in archives, and says of each entry whether it is sound.
//!
//! Archives are worked on a few at a time, and the payloads within each by all threads, each payload
//! once. The results come archive by archive and in the directory's order, whoever was first.

use std::ops::ControlFlow;
use std::path::PathBuf;

use super::payloads::{Payload, Payloads};
use super::snapshot::{Baseline, Hash, Line, SnapshotOptions, SnapshotResult, Summer, Sums};
use super::visit;
use crate::archive::{Entry, escape_path};
use crate::codec::Summary;
use crate::error::{Error, ErrorKind, PassedOver};
use crate::fs::System;
use crate::ops::context::{Context, Problem, Refusal};
use crate::ops::inputs::{Input, Inputs, Search};
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::select::Selection;

/// How many archives are open at once, for each thread.
const PAKS_A_THREAD: usize = 2;

/// What to verify.
#[derive(Debug)]
pub struct VerifyOptions {
    /// Where archives are looked for besides those that are named.
    pub search: Search,
    /// Which entries.
    pub selection: Selection,
    /// The snapshot to compare with, where one is wanted.
    pub snapshot: Option<SnapshotOptions>,
    /// What the snapshot is to hold. One that is there holds what it holds: another kind is refused.
    pub hash: Option<Hash>,
    /// Whether [`CheckedPak::entries`] holds every entry, with its CRC-32 and what `hash` says, or only
    /// those with problems.
    pub checksums: bool,
    /// How many times an archive's length may be decoded of it, each payload once. Only payloads that
    /// lie over each other can hold more than that many times. Such an archive counts as unread.
    pub max_expansion: Option<u64>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            search: Search::default(),
            selection: Selection::all(),
            snapshot: None,
            hash: None,
            checksums: true,
            max_expansion: None,
        }
    }
}

/// What was found in all archives.
#[derive(Debug)]
pub struct Verification {
    /// How many archives could be read.
    pub paks: usize,
    /// How many inputs could not.
    pub unread: usize,
    /// The sums over all archives.
    pub totals: Totals,
    /// What became of the snapshot. Nothing, where it could not be used, or was not asked for.
    pub snapshot: Option<SnapshotResult>,
    /// Archives that could not be read, globs that matched nothing, and a snapshot that could not be
    /// written.
    pub problems: Vec<Problem>,
}

/// Sums over entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Entries that were decoded, or should have been.
    pub entries: u64,
    /// Bytes of the sound ones.
    pub bytes: u64,
    /// Those that are sound and odd.
    pub warnings: u64,
    /// Those that are not sound.
    pub damaged: u64,
    /// Archives whose directory is cut off, so that entries are missing.
    pub cut: usize,
}

/// One archive, decoded.
#[derive(Debug)]
pub struct CheckedPak {
    /// Where it is, as the user would write it.
    pub path: PathBuf,
    /// The sums over its entries.
    pub totals: Totals,
    /// What is unusual in the archive as a whole.
    pub problems: Vec<Problem>,
    /// Its entries that were selected, in the directory's order; unless
    /// [`checksums`](VerifyOptions::checksums) are asked for, or a snapshot, only those with problems.
    pub entries: Vec<CheckedEntry>,
}

/// One entry, decoded.
#[derive(Debug)]
pub struct CheckedEntry {
    /// Its number in the archive.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// Its size, decompressed.
    pub size: u64,
    /// How it is.
    pub status: Status,
    /// The checksums of its content, if it is sound.
    pub sums: Sums,
    /// What is wrong with it, or odd.
    pub problems: Vec<Problem>,
}

/// How an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Sound.
    Ok,
    /// Sound, with something unusual in its stream.
    Warning,
    /// It cannot be decoded.
    Damaged,
}

impl Status {
    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Damaged => "damaged",
        }
    }
}

/// Decodes what is asked for, and gives `visit` one archive after another, until it breaks off. [An
/// example](crate::ops#nothing-lost-and-proof-of-it).
///
/// # Errors
///
/// A directory without `recursive`; a snapshot that is none, or is not there and not to be made.
pub fn verify(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &VerifyOptions,
    mut visit: impl FnMut(CheckedPak) -> ControlFlow<()>,
) -> Result<Verification, Refusal> {
    let mut inputs = visit::find(paths, options.search)?;
    let pool = Pool::new(context.jobs);
    let mut baseline = match &options.snapshot {
        Some(snapshot) => {
            let several = paths.len() > 1 || options.search.listed;
            Some(Baseline::new(snapshot, options.hash, several, &inputs)?)
        }
        None => None,
    };
    let hashes = hashes(options, baseline.as_ref());
    let not_taken = not_taken(&inputs, paths, options, baseline.as_ref());
    let lost = not_taken.iter().filter(|problem| problem.is_error());
    let asked = inputs.paks.len() + inputs.problems.len() + lost.count();
    let mut found = Verification {
        paks: 0,
        unread: 0,
        totals: Totals::default(),
        snapshot: None,
        problems: std::mem::take(&mut inputs.problems),
    };
    found.problems.extend(not_taken);
    context.observer.archives(inputs.paks.len() as u64);
    for paks in inputs.paks.chunks(PAKS_A_THREAD * pool.threads()) {
        let check = |(): &mut (), input: &Input| {
            let checked = check(context, &pool, (options, &hashes), input);
            context.observer.archive_done();
            checked
        };
        let checked = pool.map(paks, || (), check);
        for (input, checked) in paks.iter().zip(checked) {
            // Half of the work is nothing to report, or to compare.
            if context.cancel.is_set() {
                return Ok(found);
            }
            let pak = match checked {
                Ok(pak) => pak,
                Err(error) => {
                    found.problems.push(Problem::unread(&input.path, error));
                    continue;
                }
            };
            found.paks += 1;
            found.totals += pak.totals;
            if let Some(baseline) = &mut baseline {
                let hash = baseline.hash();
                baseline.extend(input, pak.entries.iter().map(|entry| entry.line(hash)));
            }
            if visit(pak).is_break() {
                return Ok(found);
            }
        }
    }
    found.unread = asked - found.paks;
    if found.paks > 0 && !context.cancel.is_set() {
        let unmatched = options.selection.unmatched();
        found.problems.extend(unmatched.map(Problem::error));
        if let Some(baseline) = baseline {
            // What a cut directory lacks may be in the snapshot.
            let unread = found.unread + found.totals.cut;
            found.snapshot = baseline.settle(&options.selection, unread, &mut found.problems);
        }
    }
    Ok(found)
}

/// What contents are summed up by.
fn hashes(options: &VerifyOptions, baseline: Option<&Baseline<'_>>) -> Vec<Hash> {
    let mut hashes = Vec::new();
    if options.checksums {
        hashes.push(Hash::Crc32);
        hashes.extend(options.hash);
    }
    hashes.extend(baseline.map(Baseline::hash));
    hashes
}

/// What a search has not taken for archives: an error where the snapshot has entries of it, else a
/// warning.
fn not_taken(
    inputs: &Inputs,
    paths: &[PathBuf],
    options: &VerifyOptions,
    baseline: Option<&Baseline<'_>>,
) -> Vec<Problem> {
    let lost = |why, path: &PathBuf| {
        let error = Error::from(ErrorKind::NoPakAnyMore(why));
        Problem::unread(path, error.in_pak(path))
    };
    let passed_over = inputs.warnings().zip(&inputs.passed_over);
    let mut problems: Vec<Problem> = passed_over
        .map(|(warning, (input, why))| match baseline {
            Some(baseline) if baseline.knows(input) => lost(*why, &input.path),
            _ => warning,
        })
        .collect();
    if let (Some(baseline), [root], true) = (baseline, paths, options.search.directories) {
        let unnamed = baseline.lost(root, inputs);
        problems.extend(unnamed.iter().map(|path| lost(PassedOver::NoMagic, path)));
    }
    problems
}

/// Decodes an archive.
fn check(
    context: &Context<'_>,
    pool: &Pool,
    (options, hashes): (&VerifyOptions, &[Hash]),
    input: &Input,
) -> Result<CheckedPak, Error> {
    context.cancel.check()?;
    let archive = open::open(&System::real(), &input.path, context.open)?;
    let payloads = Payloads::of(&archive, options.selection.entries(&archive));
    payloads.announce(context, options.max_expansion)?;
    let name = escape_path(&input.path).to_string();
    context.observer.begin(&name);
    let decoded = payloads.map(context, pool, |payload| decode(payload, hashes));
    context.observer.end(&name);
    let mut pak = CheckedPak {
        path: input.path.clone(),
        totals: Totals::default(),
        problems: open::notes(&archive),
        entries: Vec::new(),
    };
    pak.totals.cut = usize::from(pak.problems.iter().any(Problem::is_error));
    pak.problems.extend(open::reserved(&archive));
    payloads.for_each(decoded, |entry, (sums, odd), error| {
        let checked = CheckedEntry::new(entry, *sums, odd.as_deref(), error);
        pak.totals.add(&checked);
        // Without checksums nobody asks for entries that are sound.
        if checked.status != Status::Ok || !hashes.is_empty() {
            pak.entries.push(checked);
        }
    });
    Ok(pak)
}

/// The checksums of a payload, its stream if that is odd, and the damage.
fn decode(payload: Payload<'_>, hashes: &[Hash]) -> ((Sums, Option<Box<Summary>>), Option<Error>) {
    let mut summer = Summer::new(hashes);
    match payload.decode(&mut |piece| summer.update(piece)) {
        Ok(summary) => {
            let odd = summary.filter(|summary| summary.warnings().next().is_some());
            ((summer.finish(), odd.map(Box::new)), None)
        }
        Err(error) => ((Sums::default(), None), Some(error)),
    }
}

impl CheckedEntry {
    fn new(entry: Entry<'_>, sums: Sums, odd: Option<&Summary>, error: Option<Error>) -> Self {
        let mut problems = Vec::new();
        for warning in odd.into_iter().flat_map(Summary::warnings) {
            problems.push(Problem::warning(open::odd_stream(&entry, warning)));
        }
        let status = match (&error, odd) {
            (Some(_), _) => Status::Damaged,
            (None, Some(_)) => Status::Warning,
            (None, None) => Status::Ok,
        };
        problems.extend(error.map(Problem::error));
        Self {
            index: entry.index(),
            name: entry.name().as_bytes().to_vec(),
            size: entry.size(),
            status,
            sums,
            problems,
        }
    }

    /// The entry as a line of a snapshot.
    fn line(&self, hash: Hash) -> Line {
        Line {
            sum: self.sums.by(hash),
            size: self.size,
            name: self.name.clone(),
        }
    }
}

impl Totals {
    fn add(&mut self, entry: &CheckedEntry) {
        self.entries += 1;
        match entry.status {
            Status::Damaged => self.damaged += 1,
            Status::Warning => self.warnings += 1,
            Status::Ok => {}
        }
        if entry.status != Status::Damaged {
            self.bytes = self.bytes.saturating_add(entry.size);
        }
    }
}

impl core::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.bytes += other.bytes;
        self.warnings += other.warnings;
        self.damaged += other.damaged;
        self.cut += other.cut;
    }
}
