//! Decodes everything in archives, and says of each entry whether it is sound.
//!
//! Archives are worked on a few at a time, and the payloads within each by all threads, each payload
//! once; of very many damaged ones, those behind the first 65,536 once more, when their errors are asked for. The results come archive by archive and in the directory's order, whoever was first.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::payloads::{Payload, Payloads};
use super::snapshot::{Baseline, Hash, Line, SnapshotOptions, SnapshotResult, Sum, Summer, Sums};
use super::visit;
use crate::archive::{Archive, Entry, escape_path};
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
    /// Whether [`CheckedEntry::sums`] are wanted: the CRC-32, and what `hash` says. Where they are not, and
    /// there is no snapshot either, no content is summed.
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
}

/// One archive, decoded.
#[derive(Debug)]
pub struct CheckedPak {
    /// Where it is, as the user would write it.
    pub path: PathBuf,
    /// The archive.
    pub archive: Arc<Archive>,
    /// The sums over its entries.
    pub totals: Totals,
    /// What is unusual in the archive as a whole.
    pub problems: Vec<Problem>,
    /// Its entries that were selected, in the directory's order. To ask for them can read the archive:
    /// not all errors of very many are kept.
    pub entries: CheckedEntries,
}

/// The entries of an archive, each made when it is asked for: those of an archive that says nothing true
/// have an error each, which together take several times the room of the archive.
pub struct CheckedEntries {
    payloads: Payloads<Arc<Archive>>,
    decoded: Vec<Decoded>,
    /// How many were asked for.
    given: usize,
}

/// One entry, decoded.
#[derive(Debug)]
pub struct CheckedEntry {
    /// Its number in the archive.
    pub index: usize,
    /// How it is.
    pub status: Status,
    /// What its content sums up to, if it is sound and that is [asked for](VerifyOptions::checksums).
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
    // Archives whose directory is cut: entries are missing that a snapshot may have.
    let mut cut = 0;
    for paks in inputs.paks.chunks(PAKS_A_THREAD * pool.threads()) {
        let check = |(): &mut (), input: &Input| check(context, &pool, (options, &hashes), input);
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
            cut += usize::from(pak.problems.iter().any(Problem::is_error));
            // Only when the archive's payloads are gone is there room for lines.
            let archive = Arc::clone(&pak.archive);
            let sums = baseline.as_ref();
            let sums = sums.map(|baseline| pak.entries.sums(baseline.hash()));
            if visit(pak).is_break() {
                return Ok(found);
            }
            if let (Some(baseline), Some(sums)) = (&mut baseline, sums) {
                baseline.extend(input, lines(&archive, sums));
            }
        }
    }
    found.unread = asked - found.paks;
    if found.paks > 0 && !context.cancel.is_set() {
        let unmatched = options.selection.unmatched();
        found.problems.extend(unmatched.map(Problem::error));
        if let Some(baseline) = baseline {
            let unread = found.unread + cut;
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

/// What decoding a payload has shown: its sums, if they are wanted, and its stream, if that is odd; or
/// the damage, until an entry takes it.
type Decoded = Result<(Sums, Option<Box<Summary>>), Option<Error>>;

/// Decodes an archive.
fn check(
    context: &Context<'_>,
    pool: &Pool,
    (options, hashes): (&VerifyOptions, &[Hash]),
    input: &Input,
) -> Result<CheckedPak, Error> {
    context.cancel.check()?;
    let archive = open::open(&System::real(), &input.path, context.open)?;
    let archive = Arc::new(archive);
    let entries = options.selection.entries(&archive);
    let payloads = Payloads::of(Arc::clone(&archive), entries);
    payloads.announce(context, options.max_expansion)?;
    let name = escape_path(&input.path).to_string();
    context.observer.begin(&name);
    let decoded = payloads.map(context, pool, |payload| decode(payload, hashes));
    context.observer.end(&name);
    let mut problems = open::notes(&archive);
    problems.extend(open::reserved(&archive));
    let entries = CheckedEntries {
        payloads,
        decoded,
        given: 0,
    };
    Ok(CheckedPak {
        path: input.path.clone(),
        totals: entries.totals(),
        problems,
        entries,
        archive,
    })
}

fn decode(payload: Payload<'_>, hashes: &[Hash]) -> Decoded {
    let mut summer = Summer::new(hashes);
    let decoded = payload.decode(&mut |piece| summer.update(piece));
    let odd = decoded?.filter(|summary| summary.warnings().next().is_some());
    Ok((summer.finish(), odd.map(Box::new)))
}

impl CheckedEntries {
    /// Each with what decoding its payload has shown.
    fn decoded(&self) -> impl Iterator<Item = (Entry<'_>, &Decoded)> {
        let entries = self.payloads.entries();
        entries.filter_map(|(entry, payload)| Some((entry, self.decoded.get(payload)?)))
    }

    /// The sums over all of them.
    fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for (entry, decoded) in self.decoded() {
            totals.entries += 1;
            match decoded {
                Ok((_, odd)) => {
                    totals.bytes = totals.bytes.saturating_add(entry.size());
                    totals.warnings += u64::from(odd.is_some());
                }
                Err(_) => totals.damaged += 1,
            }
        }
        totals
    }

    /// What they sum up to, by their numbers.
    fn sums(&self, hash: Hash) -> Vec<(u32, Option<Sum>)> {
        let sum = |decoded: &Decoded| decoded.as_ref().ok()?.0.by(hash);
        let mut sums = Vec::with_capacity(self.payloads.len());
        sums.extend(self.decoded().map(|(entry, decoded)| {
            let index = u32::try_from(entry.index()).unwrap_or(u32::MAX);
            (index, sum(decoded))
        }));
        sums
    }
}

impl Iterator for CheckedEntries {
    type Item = CheckedEntry;

    fn next(&mut self) -> Option<CheckedEntry> {
        let (entry, payload) = self.payloads.entry(self.given)?;
        self.given += 1;
        Some(match self.decoded.get_mut(payload)? {
            Ok((sums, odd)) => CheckedEntry::sound(entry, *sums, odd.as_deref()),
            Err(damage) => {
                let error = self.payloads.error((entry, payload), damage);
                CheckedEntry::damaged(entry, error)
            }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.payloads.len() - self.given;
        (left, Some(left))
    }
}

impl ExactSizeIterator for CheckedEntries {}

impl core::fmt::Debug for CheckedEntries {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CheckedEntries")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl CheckedEntry {
    fn sound(entry: Entry<'_>, sums: Sums, odd: Option<&Summary>) -> Self {
        let warnings = odd.into_iter().flat_map(Summary::warnings);
        let problem = |warning| Problem::warning(open::odd_stream(&entry, warning));
        Self {
            index: entry.index(),
            status: match odd {
                None => Status::Ok,
                Some(_) => Status::Warning,
            },
            sums,
            problems: warnings.map(problem).collect(),
        }
    }

    fn damaged(entry: Entry<'_>, error: Error) -> Self {
        Self {
            index: entry.index(),
            status: Status::Damaged,
            sums: Sums::default(),
            problems: vec![Problem::error(error)],
        }
    }
}

/// The entries as lines of a snapshot.
fn lines(archive: &Archive, sums: Vec<(u32, Option<Sum>)>) -> impl Iterator<Item = Line> {
    sums.into_iter().filter_map(|(index, sum)| {
        let entry = archive.entry(index as usize)?;
        Some(Line {
            sum,
            size: entry.size(),
            name: entry.name().as_bytes().to_vec(),
        })
    })
}

impl core::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.bytes += other.bytes;
        self.warnings += other.warnings;
        self.damaged += other.damaged;
    }
}
