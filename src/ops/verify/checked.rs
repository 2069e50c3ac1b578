//! One pak, decoded, and its entries.

use std::fs::File;
use std::path::Path;

use super::Totals;
use crate::codec::Summary;
use crate::error::Error;
use crate::ops::context::Problem;
use crate::ops::once::{Few, Payloads, damage};
use crate::ops::open;
use crate::ops::snapshot::Line;
use crate::pak::{Archive, Entry, RawName};

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
    findings: Few<Finding>,
    /// Whether the numbers in `outcomes` are CRC-32s, or mean nothing.
    summed: bool,
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
    /// The CRC-32 of its content, if it is sound and
    /// [asked for](super::VerifyOptions::checksums).
    pub crc32: Option<u32>,
    /// What is wrong with it, or odd.
    pub problems: Vec<Problem>,
    sound: bool,
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
        match self.sound {
            false => Status::Damaged,
            true if self.problems.is_empty() => Status::Ok,
            true => Status::Warning,
        }
    }
}

/// What became of a payload: eight bytes, for there can be very many.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outcome {
    /// Sound, with this CRC-32, if content was summed.
    Sound(u32),
    /// The same, and its stream has warnings.
    Odd(u32),
    Damaged,
    Interrupted,
}

/// What was found in a payload.
#[derive(Debug)]
pub(super) enum Finding {
    Odd(Summary),
    Damage(Error),
}

impl<'a> CheckedPak<'a> {
    pub(super) fn new(
        path: &'a Path,
        archive: &'a Archive,
        payloads: &'a Payloads,
        (outcomes, findings): (Vec<Outcome>, Few<Finding>),
        summed: bool,
    ) -> Self {
        let mut totals = Totals::default();
        for (index, payload) in payloads.entries() {
            totals.entries += 1;
            match outcomes.get(payload) {
                Some(outcome @ (Outcome::Sound(_) | Outcome::Odd(_))) => {
                    totals.bytes += archive.entry(index).map_or(0, |e| u64::from(e.size()));
                    totals.warnings += u64::from(matches!(outcome, Outcome::Odd(_)));
                }
                Some(Outcome::Damaged) => totals.damaged += 1,
                Some(Outcome::Interrupted) | None => {}
            }
        }
        let mut problems = open::oddities(archive, path);
        problems.extend(open::reserved(archive, path));
        Self {
            path,
            totals,
            problems,
            archive,
            payloads,
            outcomes,
            findings,
            summed,
        }
    }

    /// Its entries, in the directory's order.
    pub fn into_entries(self) -> impl Iterator<Item = CheckedEntry<'a>> {
        self.payloads
            .entries()
            .filter_map(move |(index, payload)| self.entry(index, payload))
    }

    fn entry(&self, index: usize, payload: usize) -> Option<CheckedEntry<'a>> {
        let entry = self.archive.entry(index)?;
        let (crc32, errors, severe) = match *self.outcomes.get(payload)? {
            Outcome::Interrupted => return None,
            Outcome::Sound(crc32) => (Some(crc32), Vec::new(), false),
            Outcome::Odd(crc32) => {
                let warnings = self.summary(&entry, payload);
                let warnings = warnings.iter().flat_map(Summary::warnings);
                let errors = warnings
                    .map(|warning| open::odd_stream(&entry, warning))
                    .collect();
                (Some(crc32), errors, false)
            }
            Outcome::Damaged => (None, vec![self.damage(&entry, payload)], true),
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
            crc32: crc32.filter(|_| self.summed),
            problems: problems.collect(),
            sound: !severe,
        })
    }

    /// What was odd in a payload, which each of its entries tells.
    fn summary(&self, entry: &Entry<'_, File>, payload: usize) -> Option<Summary> {
        let summary = match self.findings.take(payload) {
            Some(Finding::Odd(summary)) => Some(summary),
            _ => entry.verify().ok()?.stream,
        };
        if let (Some(summary), Ok(payload)) = (summary, u32::try_from(payload)) {
            self.findings.keep(payload, Finding::Odd(summary));
        }
        summary
    }

    /// The damage in a payload, which the first of its entries tells.
    fn damage(&self, entry: &Entry<'_, File>, payload: usize) -> Error {
        if !self.payloads.is_first(entry.index(), payload) {
            return self.payloads.shared_damage(entry, payload);
        }
        match self.findings.take(payload) {
            Some(Finding::Damage(error)) => error,
            _ => damage(entry),
        }
    }

    /// Its entries as lines of a snapshot.
    pub(super) fn lines(&self, mut push: impl FnMut(Line<'_>)) {
        for (index, payload) in self.payloads.entries() {
            let Some(entry) = self.archive.entry(index) else {
                continue;
            };
            let crc32 = match self.outcomes.get(payload) {
                Some(Outcome::Sound(crc32) | Outcome::Odd(crc32)) => Some(*crc32),
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
