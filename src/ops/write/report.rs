//! What became of what was to be written, as plain data.

use std::path::PathBuf;

use super::part::Findings;
use crate::archive::Format;
use crate::engine::Engines;
use crate::ops::context::Problem;

/// What a verb that writes archives has done.
#[derive(Debug, Default)]
pub struct Report {
    /// What became of each input, in their order; of a merge or a creation the one.
    pub paks: Vec<Written>,
    /// What could not be looked at or cleaned up, and belongs to none of them.
    pub problems: Vec<Problem>,
}

/// What became of one input.
#[derive(Debug)]
pub struct Written {
    /// The input.
    pub source: PathBuf,
    /// The output that it has, or would have had; where it is split, the first one.
    pub target: PathBuf,
    /// What became of it.
    pub outcome: Outcome,
    /// The format it has; none where it was not opened.
    pub from: Option<Format>,
    /// The format it was to get.
    pub to: Format,
    /// Entries of the input.
    pub entries: u64,
    /// Entries that were not converted, or would not be.
    pub skipped: u64,
    /// Entries that were odd in the input and are not in the output.
    pub mended: u64,
    /// The input's length in bytes.
    pub bytes_in: u64,
    /// The outputs that are written, or would be: one, or where it is split several, in their
    /// order.
    pub parts: Vec<Output>,
    /// The output's length, or that of all outputs; none where it was not written, and is not known
    /// without writing.
    pub bytes_out: Option<u64>,
    /// The files that were to become entries, in their order, where it was created from files.
    pub files: Vec<Created>,
    /// Names that the engine which is to load it never finds, or only as they are spelled. Problems
    /// sum them up.
    pub hard_to_find: Vec<HardToFind>,
    /// What is to be reported of it: each entry that was skipped or mended, in their order.
    pub problems: Vec<Problem>,
}

/// An archive that is written, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Where.
    pub target: PathBuf,
    /// Whether it takes the place of a file, or would.
    pub replaces: bool,
    /// How many entries it has, or would have.
    pub entries: u64,
    /// Its length; none where it was not written, and is not known without writing.
    pub bytes: Option<u64>,
}

/// A name that an engine never finds, or only as it is spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HardToFind {
    /// The entry's number in its pak, or among the files, or in what a merge takes.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// Whether it is found at all.
    pub found: bool,
    /// The engines for which that is so.
    pub engines: Engines,
}

/// A file and the entry it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The file.
    pub path: PathBuf,
    /// The name in the archive.
    pub name: Vec<u8>,
    /// How many bytes it has.
    pub size: u64,
}

/// What became of an archive or a file that was to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It is written.
    Written,
    /// It is written, and something gave way to it.
    Replaced,
    /// What was there is kept.
    Kept,
    /// It would have been written.
    Planned,
    /// It was skipped: no file may have its name, or nothing in it is meant.
    Skipped,
    /// It is not written, or would not be; the problems say why.
    Failed,
    /// A stop was asked for before it was written.
    Stopped,
}

/// Sums over all inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Archives written, or that would be, each part of a split one counted.
    pub written: u64,
    /// Archives kept.
    pub kept: u64,
    /// Archives of which no entry is picked.
    pub unpicked: u64,
    /// Archives that failed or were stopped.
    pub failed: u64,
    /// Entries of the archives written, or that would be.
    pub entries: u64,
    /// Entries of them left out.
    pub skipped: u64,
    /// Bytes of the archives that were read for those written.
    pub bytes_in: u64,
    /// Bytes written.
    pub bytes_out: u64,
}

impl Written {
    /// Nothing has become of this input so far.
    pub(in crate::ops) const fn new(source: PathBuf, target: PathBuf, to: Format) -> Self {
        Self {
            source,
            target,
            outcome: Outcome::Failed,
            from: None,
            to,
            entries: 0,
            skipped: 0,
            mended: 0,
            bytes_in: 0,
            parts: Vec::new(),
            bytes_out: None,
            files: Vec::new(),
            hard_to_find: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Entries of the outputs that are written, or would be.
    #[must_use]
    pub fn entries_out(&self) -> u64 {
        self.parts.iter().map(|part| part.entries).sum()
    }

    /// Nothing is reported of an input whose outputs are kept.
    pub(super) fn forget(&mut self) {
        self.hard_to_find.clear();
        self.problems.clear();
        self.mended = 0;
        self.skipped = 0;
    }

    /// Adds what was found in its parts, in their order.
    pub(super) fn add(&mut self, mut findings: Findings) {
        findings.sort();
        self.skipped = findings.failed.len() as u64;
        let mut mended: Vec<usize> = findings.odd.iter().map(|it| it.part).collect();
        mended.dedup();
        self.mended = mended.len() as u64;
        let failed = findings.failed.into_iter();
        let failed = failed.map(|it| (it.part, Problem::error(it.error)));
        let odd = findings.odd.into_iter();
        let odd = odd.map(|it| (it.part, Problem::warning(it.error)));
        let mut rows: Vec<(usize, Problem)> = failed.chain(odd).collect();
        rows.sort_by_key(|(part, _)| *part);
        self.problems
            .extend(rows.into_iter().map(|(_, problem)| problem));
    }
}

impl Report {
    /// The sums.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for pak in &self.paks {
            match pak.outcome {
                Outcome::Written | Outcome::Planned => {
                    totals.written += pak.parts.len() as u64;
                    totals.entries += pak.entries_out();
                    totals.skipped += pak.skipped;
                    totals.bytes_in += pak.bytes_in;
                    totals.bytes_out += pak.bytes_out.unwrap_or_default();
                }
                Outcome::Kept => totals.kept += 1,
                Outcome::Skipped => totals.unpicked += 1,
                _ => totals.failed += 1,
            }
        }
        totals
    }
}
