//! A part: an entry that is to be written, the name that it will have, and where it stands among all.

use std::borrow::Cow;

use crate::archive::{Coding, Entry, Format, RawName};
use crate::engine::findable;
use crate::format::{check_name, name_in};
use crate::ops::finding::{Finding, shares_damage};
use crate::ops::row::OutputRow;

/// An entry that is to be written. Whatever goes wrong with it says so by its place in the source.
#[derive(Debug, Clone)]
pub(in crate::ops) struct Part<'a> {
    pub(in crate::ops) entry: Entry<'a>,
    /// Which of all parts it is.
    pub(in crate::ops) number: usize,
    /// The number of the first part of the same output that has the same payload. Its own if no part before it
    /// has.
    pub(in crate::ops) payload: usize,
    /// Its name, where it gets another one.
    name: Option<Box<[u8]>>,
}

/// A part that could not be read, or was odd: which one, and what it was.
#[derive(Debug)]
pub(in crate::ops) struct OfPart {
    pub(in crate::ops) part: usize,
    pub(in crate::ops) finding: Finding,
}

/// What became of parts.
#[derive(Debug, Default)]
pub(in crate::ops) struct Findings {
    /// Parts that could not be read.
    pub(in crate::ops) failed: Vec<OfPart>,
    /// What was odd in parts that are whole in the output.
    pub(in crate::ops) odd: Vec<OfPart>,
}

impl<'a> Part<'a> {
    /// All of these entries, in their order, for an archive of this format; with `lowercase` under the
    /// names that every engine finds.
    pub(in crate::ops) fn all(
        entries: impl IntoIterator<Item = Entry<'a>>,
        to: Format,
        lowercase: bool,
    ) -> Vec<Self> {
        let entries = entries.into_iter().map(|entry| (entry, None));
        Self::named(entries.collect(), to, lowercase)
    }

    /// These entries in their order, each under a name of its own where it has one, for an archive of this
    /// format; with `lowercase` under the names that every engine finds.
    pub(in crate::ops) fn named(
        entries: Vec<(Entry<'a>, Option<Vec<u8>>)>,
        to: Format,
        lowercase: bool,
    ) -> Vec<Self> {
        let part = |(number, (entry, name)): (usize, (Entry<'a>, Option<Vec<u8>>))| {
            let plain = name.as_deref().unwrap_or(entry.name().as_bytes());
            let lowered = lowercase.then(|| findable(plain));
            let lowered = lowered.unwrap_or(Cow::Borrowed(plain));
            let own = match name_in(to, &lowered) {
                Cow::Owned(own) => Some(own),
                Cow::Borrowed(_) => None,
            };
            let name = match (own, lowered) {
                (Some(own), _) | (None, Cow::Owned(own)) => Some(own.into_boxed_slice()),
                (None, Cow::Borrowed(_)) => name.map(Vec::into_boxed_slice),
            };
            Self {
                entry,
                number,
                payload: number,
                name,
            }
        };
        entries.into_iter().enumerate().map(part).collect()
    }

    /// The name that it will have.
    pub(in crate::ops) fn name(&self) -> RawName<'_> {
        match &self.name {
            Some(name) => RawName::new(name),
            None => self.entry.name(),
        }
    }

    /// Whether it gets another name than it has.
    pub(in crate::ops) const fn is_renamed(&self) -> bool {
        self.name.is_some()
    }

    /// How long the content is.
    pub(in crate::ops) const fn size(&self) -> u64 {
        self.entry.size()
    }

    /// Whether there is anything to read of it: an empty file may have to sum up to nothing.
    pub(in crate::ops) const fn is_read(&self) -> bool {
        self.size() > 0 || !self.entry.is_plain()
    }

    /// Whether its payload is one of those to be written: there is something to read, and no part before
    /// it has the same.
    pub(in crate::ops) const fn has_payload(&self) -> bool {
        self.is_read() && self.payload == self.number
    }

    /// Where the part before this one that has the same payload is among all parts of the output.
    pub(in crate::ops) fn shared_with(&self, parts: &[&Part<'_>]) -> Option<usize> {
        if self.payload == self.number {
            return None;
        }
        let found = parts.binary_search_by_key(&self.payload, |part| part.number);
        found.ok()
    }

    /// How it is coded in the output, if that makes it smaller.
    pub(in crate::ops) fn coding(&self, to: Format) -> Coding {
        to.coding_for(self.name())
    }

    /// Checks whether an archive of this format can hold it, without reading its content.
    pub(in crate::ops) fn check(&self, to: Format) -> Result<(), Finding> {
        check_name(to, self.name()).map_err(|error| self.entry.locate(error))?;
        Ok(self.entry.check_claims()?)
    }

    /// What was found in it.
    pub(in crate::ops) fn finding(&self, finding: impl Into<Finding>) -> OfPart {
        OfPart {
            part: self.number,
            finding: finding.into(),
        }
    }
}

impl Findings {
    /// Adds what was found in others.
    pub(in crate::ops) fn extend(&mut self, other: Self) {
        self.failed.extend(other.failed);
        self.odd.extend(other.odd);
    }

    /// Whether this part is among the failed parts, which must be [sorted](Self::sort).
    pub(in crate::ops) fn has_failed(&self, part: &Part<'_>) -> bool {
        let found = self.failed.binary_search_by_key(&part.number, |it| it.part);
        found.is_ok()
    }

    /// Brings all in the order of the parts, each part that failed once.
    pub(in crate::ops) fn sort(&mut self) {
        self.failed
            .sort_by_key(|it| (it.part, it.finding.place.offset));
        self.failed.dedup_by_key(|it| it.part);
        self.odd.sort_by_key(|it| it.part);
    }

    /// Adds the parts of an output that share a payload with one that failed, and sorts.
    pub(in crate::ops) fn spread(&mut self, parts: &[&Part<'_>]) {
        self.sort();
        let mut shared = Vec::new();
        for part in parts {
            let Some(first) = part.shared_with(parts).and_then(|at| parts.get(at)) else {
                continue;
            };
            if self.has_failed(first) {
                let first = first.entry.index();
                shared.push(part.finding(shares_damage(first).of_entry(&part.entry)));
            }
        }
        self.failed.extend(shared);
        self.sort();
    }

    /// Adds them to what is reported of an output, in the order of the parts.
    pub(in crate::ops) fn add_to(mut self, report: &mut OutputRow) {
        self.sort();
        report.skipped = self.failed.len() as u64;
        let mut mended: Vec<usize> = self.odd.iter().map(|it| it.part).collect();
        mended.dedup();
        report.mended = mended.len() as u64;
        let mut findings = Vec::new();
        for OfPart { part, finding } in self.failed {
            findings.push((part, finding));
        }
        for OfPart { part, finding } in self.odd {
            findings.push((part, finding.as_warning()));
        }
        findings.sort_by_key(|(part, _)| *part);
        let findings = findings.into_iter().map(|(_, finding)| finding);
        report.findings.extend(findings);
    }
}

/// How many bytes the payloads of these parts have, decompressed.
pub(in crate::ops) fn payload_bytes<'p, 'a: 'p>(
    parts: impl IntoIterator<Item = &'p &'p Part<'a>>,
) -> u64 {
    let payloads = parts.into_iter().filter(|part| part.has_payload());
    payloads.fold(0, |sum, part| sum.saturating_add(part.size()))
}
