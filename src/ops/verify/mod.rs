//! Decodes everything in paks, and says of each entry whether it is sound.
//!
//! Paks are worked on a few at a time, and the payloads within each by all threads, each payload
//! once. The results are told pak by pak and in the directory's order, whoever was first.

mod checked;

use std::ops::ControlFlow;
use std::path::PathBuf;

use super::assemble::shown;
use super::context::{Context, Problem, Refusal};
use super::expansion::{self, EXPANSION_DEFAULT};
use super::inputs::{Input, Inputs};
use super::once::{Few, Payloads};
use super::open;
use super::pool::Pool;
use super::select::Selection;
use super::snapshot::{Memory, SnapshotOptions, SnapshotReport};
use crate::error::{Error, ErrorKind, PassedOver};
use crate::pak::Archive;
use checked::{Finding, Outcome};

pub use checked::{CheckedEntry, CheckedPak, Status};

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
    /// Whether [`CheckedEntry::crc32`] is wanted. Where it is not, and there is no snapshot either,
    /// no content is summed.
    pub checksums: bool,
    /// How many times a pak's length may be decoded of it, each payload once. Only payloads that
    /// lie over each other can hold more than [`EXPANSION_DEFAULT`]. Such a pak counts as unread.
    pub max_expansion: u64,
}

impl VerifyOptions {
    /// Whether content is summed.
    const fn sums(&self) -> bool {
        self.checksums || self.snapshot.is_some()
    }
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            recursive: false,
            selection: Selection::all(),
            snapshot: None,
            checksums: true,
            max_expansion: EXPANSION_DEFAULT,
        }
    }
}

/// What was found in all paks.
#[derive(Debug)]
pub struct VerifyReport {
    /// How many paks could be read.
    pub paks: usize,
    /// How many inputs could not.
    pub unread: usize,
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

/// Decodes what is asked for, and lends `visit` one pak after another, until it breaks off. [An
/// example](crate::ops#nothing-lost-and-proof-of-it).
///
/// # Errors
///
/// A directory without `recursive`; a snapshot that is none, or is not there and not to be made.
pub fn verify(
    context: &Context<'_>,
    paths: &[PathBuf],
    options: &VerifyOptions,
    mut visit: impl FnMut(CheckedPak<'_>) -> ControlFlow<()>,
) -> Result<VerifyReport, Refusal> {
    let inputs = open::find(paths, options.recursive)?;
    let pool = Pool::new(context.jobs);
    let mut memory = match &options.snapshot {
        Some(snapshot) => Some(Memory::new(snapshot, paths, &inputs)?),
        None => None,
    };
    let mut passed_over = passed_over(&inputs, memory.as_ref());
    if let (Some(memory), [root], true) = (&memory, paths, options.recursive) {
        let lost = memory.lost(root, &inputs).into_iter();
        let error = |path| Error::from(ErrorKind::NoPakAnyMore(PassedOver::NoMagic)).in_pak(path);
        passed_over.extend(lost.map(|path| Problem::error(error(path))));
    }
    let lost = passed_over.iter().filter(|problem| problem.is_error());
    let asked = inputs.paks.len() + inputs.problems.len() + lost.count();
    let mut report = VerifyReport {
        paks: 0,
        unread: 0,
        totals: Totals::default(),
        snapshot: None,
        problems: inputs.problems,
    };
    report.problems.extend(passed_over);
    let mut whole = true;
    // Paks whose directory is cut: entries are missing that a snapshot may have.
    let mut cut = 0;
    for paks in inputs.paks.chunks(PAKS_A_THREAD * pool.threads()) {
        let decoded = pool.map(
            paks,
            || (),
            |(), input| decode(context, &pool, options, input),
        );
        for (input, decoded) in paks.iter().zip(decoded) {
            let (archive, payloads, outcomes, findings) = match decoded {
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
            let found = (outcomes, findings);
            let pak = CheckedPak::new(&input.path, &archive, &payloads, found, options.sums());
            report.totals += pak.totals;
            cut += usize::from(pak.problems.iter().any(Problem::is_error));
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
    if whole {
        report.unread = asked - report.paks;
    }
    // Half of the work is nothing to compare.
    if whole && !context.cancel.is_set() && report.paks > 0 {
        let unmatched = options.selection.unmatched();
        report.problems.extend(unmatched.map(Problem::error));
        if let Some(memory) = memory {
            let lost = report.unread + cut;
            report.snapshot = memory.settle(&options.selection, lost, &mut report.problems);
        }
    }
    Ok(report)
}

/// What the search has not taken: an error where the snapshot has entries of it, else a warning.
fn passed_over(inputs: &Inputs, memory: Option<&Memory<'_>>) -> Vec<Problem> {
    let problem = |(warning, (input, why)): (Problem, &(Input, PassedOver))| {
        if memory.is_some_and(|memory| memory.knows(input)) {
            let error = Error::from(ErrorKind::NoPakAnyMore(*why));
            Problem::error(error.in_pak(&input.path))
        } else {
            warning
        }
    };
    let all = inputs.warnings().zip(&inputs.passed_over);
    all.map(problem).collect()
}

type Decoded = (Archive, Payloads, Vec<Outcome>, Few<Finding>);

fn decode(
    context: &Context<'_>,
    pool: &Pool,
    options: &VerifyOptions,
    input: &Input,
) -> Result<Decoded, Error> {
    context.cancel.check()?;
    let archive = open::open(&input.path, context.open)?;
    let picked = open::picked(&archive, &options.selection);
    let payloads = Payloads::of(&archive, picked);
    let work = payloads.work(&archive);
    expansion::check(work.bytes, archive.file_len(), options.max_expansion)
        .map_err(|error| error.in_pak(&input.path))?;
    let name = shown(&input.path);
    payloads.announce(work, context);
    context.observer.begin(&name);
    let findings = Few::new();
    let sums = options.sums();
    let outcomes = payloads.map(&archive, pool, |kept, payload| {
        let mut hasher = crc32fast::Hasher::new();
        let decoded = payloads.decode(&archive, payload, context, kept, &mut |piece| {
            if sums {
                hasher.update(piece);
            }
        });
        match decoded {
            Ok(Some(summary)) if summary.warnings().next().is_some() => {
                findings.keep(payload, Finding::Odd(summary));
                Outcome::Odd(hasher.finalize())
            }
            Ok(_) => Outcome::Sound(hasher.finalize()),
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted) => Outcome::Interrupted,
            Err(error) => {
                findings.keep(payload, Finding::Damage(error));
                Outcome::Damaged
            }
        }
    });
    context.observer.end(&name);
    Ok((archive, payloads, outcomes, findings))
}

impl core::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.bytes += other.bytes;
        self.warnings += other.warnings;
        self.damaged += other.damaged;
    }
}
