//! What became of each pak, as plain data.

use std::path::PathBuf;

use crate::ops::context::Problem;
use crate::ops::split::{HardToFind, Part};
use crate::pak::Layout;

/// What [`convert`](super::convert) has done.
#[derive(Debug)]
pub struct ConvertReport {
    /// The inputs, in their order.
    pub paks: Vec<PakReport>,
    /// What could not be looked at or cleaned up, and belongs to no pak.
    pub problems: Vec<Problem>,
}

/// What became of one input.
#[derive(Debug)]
pub struct PakReport {
    /// The input.
    pub source: PathBuf,
    /// The output that it has, or would have had; where it is split, the first one.
    pub target: PathBuf,
    /// What became of it.
    pub outcome: Outcome,
    /// The layout it has; none where it was not opened.
    pub from: Option<Layout>,
    /// The layout it was to get.
    pub to: Layout,
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
    pub parts: Vec<Part>,
    /// How many outputs exist and are kept, of one that is split: they are what they should be, or
    /// in a dry run they are not compared.
    pub parts_kept: usize,
    /// The output's, or all outputs'; none where it was not written, and is not known without writing.
    pub bytes_out: Option<u64>,
    /// Names that the engine which is to load it never finds, or only as they are spelled. Problems
    /// sum them up.
    pub hard_to_find: Vec<HardToFind>,
    /// What is to be told of it: each entry that was skipped or mended, in their order.
    pub problems: Vec<Problem>,
}

/// What became of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The output is written.
    Written,
    /// The output existed, and is kept. The input was not looked into, unless the output is split.
    Kept,
    /// The output would have been written.
    Planned,
    /// The output is not written, or would not be; the problems say why.
    Failed,
    /// A stop was asked for before it was written.
    Stopped,
}

/// Sums over all paks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Paks written, or that would be, each part of a split one counted.
    pub written: u64,
    /// Paks kept.
    pub kept: u64,
    /// Paks that failed or were stopped.
    pub failed: u64,
    /// Entries of the paks written, or that would be.
    pub entries: u64,
    /// Entries of them left out.
    pub skipped: u64,
    /// Bytes of the paks that were read for those written.
    pub bytes_in: u64,
    /// Bytes written.
    pub bytes_out: u64,
}

impl PakReport {
    /// Entries of the outputs that are written, or would be.
    #[must_use]
    pub fn entries_out(&self) -> u64 {
        self.parts.iter().map(|part| part.entries).sum()
    }

    /// Nothing is told of an input whose outputs are kept.
    pub(super) fn forget(&mut self) {
        self.hard_to_find.clear();
        self.problems.clear();
        self.mended = 0;
        self.skipped = 0;
    }
}

impl ConvertReport {
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
                Outcome::Failed | Outcome::Stopped => totals.failed += 1,
            }
        }
        totals
    }
}
