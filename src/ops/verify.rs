//! Decodes everything in paks, and says of each entry whether it is sound.
//!
//! Paks are worked on a few at a time, and the payloads within each by all threads, each payload
//! once. The results are told pak by pak and in the directory's order, whoever was first.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::context::{Context, Problem, Refusal};
use super::inputs::Input;
use super::once::Payloads;
use super::open;
use super::pool::Pool;
use super::select::Selection;
use super::snapshot::{Line, Memory, SnapshotOptions, SnapshotReport};
use crate::codec::{Summary, Warning};
use crate::error::{Error, ErrorKind};
use crate::pak::{Archive, Entry, RawName};

/// How many paks are open at once, for each thread.
const PAKS_A_THREAD: usize = 2;

/// What to verify.
#[derive(Debug)]
pub struct VerifyOptions {
    /// Whether directories are searched for paks.
    pub recursive: bool,
    /// Which entries.
    pub selection: Selection,
    /// The snapshot to compare with, where one is wanted.
    pub snapshot: Option<SnapshotOptions>,
}

/// What was found in all paks.
#[derive(Debug)]
pub struct VerifyReport {
    /// How many paks could be read.
    pub paks: usize,
    /// The sums over all paks.
    pub totals: Totals,
    /// What the snapshot says. Nothing, where it could not be used, or was not asked for.
    pub snapshot: Option<SnapshotReport>,
    /// Paks that could not be read, globs that picked nothing, and a snapshot that could not be
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

/// One pak, decoded.
#[derive(Debug)]
pub struct CheckedPak<'a> {
    /// Where it is, as the user would write it.
    pub path: &'a Path,
    /// The sums over its entries.
    pub totals: Totals,
    /// What is unusual in the pak as a whole.
    pub problems: Vec<Problem>,
    archive: &'a Archive,
    payloads: &'a Payloads,
    outcomes: Vec<Outcome>,
}

/// One entry, decoded.
#[derive(Debug)]
pub struct CheckedEntry<'a> {
    /// Its number.
    pub index: usize,
    /// Its name.
    pub name: RawName<'a>,
    /// Its size, as the directory states it.
    pub size: u32,
    /// The CRC-32 of its content, if it is sound.
    pub crc32: Option<u32>,
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

impl CheckedEntry<'_> {
    /// How it is.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.crc32 {
            None => Status::Damaged,
            Some(_) if self.problems.is_empty() => Status::Ok,
            Some(_) => Status::Warning,
        }
    }
}

/// What became of a payload.
#[derive(Debug)]
enum Outcome {
    Sound {
        crc32: u32,
        /// Only where it has warnings.
        odd: Option<Box<Summary>>,
    },
    /// The error is taken by the first entry.
    Damaged(Option<Error>),
    Interrupted,
}

/// Decodes what is asked for, and lends `visit` one pak after another, until it breaks off.
///
/// # Errors
///
/// A directory without `recursive`; a snapshot that is none.
pub fn verify(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &VerifyOptions,
    mut visit: impl FnMut(CheckedPak<'_>) -> ControlFlow<()>,
) -> Result<VerifyReport, Refusal> {
    let inputs = open::find(paths, options.recursive)?;
    let pool = Pool::new(context.jobs)?;
    let mut memory = match &options.snapshot {
        Some(snapshot) => Some(Memory::new(snapshot, paths, &inputs.paks)?),
        None => None,
    };
    let asked = inputs.paks.len() + inputs.problems.len();
    let mut report = VerifyReport {
        paks: 0,
        totals: Totals::default(),
        snapshot: None,
        problems: inputs.problems,
    };
    let mut whole = true;
    for paks in inputs.paks.chunks(PAKS_A_THREAD * pool.threads()) {
        let decoded = pool.map(
            paks,
            || (),
            |(), input| decode(context, &pool, options, input),
        );
        for (input, decoded) in paks.iter().zip(decoded) {
            let (archive, payloads, outcomes) = match decoded {
                Ok(decoded) => decoded,
                Err(error) => {
                    report.problems.push(Problem::error(error));
                    continue;
                }
            };
            if !whole || context.cancel.is_set() {
                whole = false;
                break;
            }
            report.paks += 1;
            let pak = CheckedPak::new(&input.path, &archive, &payloads, outcomes);
            report.totals += pak.totals;
            if let Some(memory) = &mut memory {
                let lead = memory.lead(input);
                pak.lines(|line| memory.push(&lead, line));
            }
            whole = visit(pak).is_continue();
        }
        if !whole {
            break;
        }
    }
    // Half of the work is nothing to compare.
    if whole && !context.cancel.is_set() && report.paks > 0 {
        let unmatched = options.selection.unmatched();
        report.problems.extend(unmatched.map(Problem::error));
        if let Some(memory) = memory {
            let unread = asked - report.paks;
            report.snapshot = memory.settle(&options.selection, unread, &mut report.problems);
        }
    }
    Ok(report)
}

type Decoded = (Archive, Payloads, Vec<Outcome>);

fn decode(
    context: &Context<'_>,
    pool: &Pool,
    options: &VerifyOptions,
    input: &Input,
) -> Result<Decoded, Error> {
    context.cancel.check()?;
    let archive = open::open(&input.path, context.layout)?;
    let picked = open::picked(&archive, &options.selection);
    let payloads = Payloads::of(&archive, picked);
    let name = input.path.to_string_lossy();
    context.observer.found(payloads.work(&archive));
    context.observer.begin(&name);
    let outcomes = pool.map(&payloads.numbers(), Vec::new, |buffer, payload| {
        let mut hasher = crc32fast::Hasher::new();
        let decoded = payloads.decode(&archive, *payload, context, buffer, &mut |piece| {
            hasher.update(piece);
        });
        match decoded {
            Ok(summary) => Outcome::Sound {
                crc32: hasher.finalize(),
                odd: summary
                    .filter(|summary| summary.warnings().next().is_some())
                    .map(Box::new),
            },
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted) => Outcome::Interrupted,
            Err(error) => Outcome::Damaged(Some(error)),
        }
    });
    context.observer.end(&name);
    Ok((archive, payloads, outcomes))
}

impl<'a> CheckedPak<'a> {
    fn new(
        path: &'a Path,
        archive: &'a Archive,
        payloads: &'a Payloads,
        outcomes: Vec<Outcome>,
    ) -> Self {
        let mut totals = Totals::default();
        for (index, payload) in payloads.entries() {
            totals.entries += 1;
            match outcomes.get(payload) {
                Some(Outcome::Sound { odd, .. }) => {
                    totals.bytes += archive.entry(index).map_or(0, |e| u64::from(e.size()));
                    totals.warnings += u64::from(odd.is_some());
                }
                Some(Outcome::Damaged(_)) => totals.damaged += 1,
                Some(Outcome::Interrupted) | None => {}
            }
        }
        Self {
            path,
            totals,
            problems: open::oddities(archive, path),
            archive,
            payloads,
            outcomes,
        }
    }

    /// Its entries, in the directory's order.
    pub fn into_entries(mut self) -> impl Iterator<Item = CheckedEntry<'a>> {
        self.payloads
            .entries()
            .filter_map(move |(index, payload)| self.entry(index, payload))
    }

    fn entry(&mut self, index: usize, payload: usize) -> Option<CheckedEntry<'a>> {
        let entry = self.archive.entry(index)?;
        let (crc32, errors, severe) = match self.outcomes.get_mut(payload)? {
            Outcome::Interrupted => return None,
            Outcome::Sound { crc32, odd } => {
                let warnings = odd.iter().flat_map(|summary| summary.warnings());
                let errors = warnings
                    .map(|warning| odd_stream(&entry, warning))
                    .collect();
                (Some(*crc32), errors, false)
            }
            Outcome::Damaged(error) => {
                let error = error.take();
                let error = error.unwrap_or_else(|| self.payloads.shared_damage(&entry, payload));
                (None, vec![error], true)
            }
        };
        let problems = errors.into_iter().map(|error: Error| {
            let error = error.in_pak(self.path);
            if severe {
                Problem::error(error)
            } else {
                Problem::warning(error)
            }
        });
        Some(CheckedEntry {
            index,
            name: entry.name(),
            size: entry.size(),
            crc32,
            problems: problems.collect(),
        })
    }

    /// Its entries as lines of a snapshot.
    fn lines(&self, mut push: impl FnMut(Line<'_>)) {
        for (index, payload) in self.payloads.entries() {
            let Some(entry) = self.archive.entry(index) else {
                continue;
            };
            let crc32 = match self.outcomes.get(payload) {
                Some(Outcome::Sound { crc32, .. }) => Some(*crc32),
                _ => None,
            };
            push(Line {
                crc32,
                size: entry.size(),
                name: entry.name().as_bytes(),
            });
        }
    }
}

impl core::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.bytes += other.bytes;
        self.warnings += other.warnings;
        self.damaged += other.damaged;
    }
}

fn start<S>(entry: &Entry<'_, S>) -> u64 {
    entry.extent().map_or(0, |extent| extent.offset)
}

fn odd_stream<S>(entry: &Entry<'_, S>, warning: Warning) -> Error {
    let at = match warning {
        Warning::MissingEnd { at } | Warning::Tail { at, .. } => at,
        Warning::Reserved { first, .. } => first,
    };
    Error::from(ErrorKind::OddStream(warning))
        .in_entry(entry.index(), entry.name())
        .at(start(entry) + at)
}
