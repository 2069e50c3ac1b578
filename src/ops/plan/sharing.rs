//! Which parts share a payload: the only place that finds it out.
//!
//! Extents that were shared stay shared where everything that makes the payload agrees: the archive,
//! the place, the sizes, the coding, and the coding chosen for the output. Two that are equal by
//! chance stay two.

use std::collections::HashMap;

use super::part::{Findings, Part};
use crate::archive::Format;
use crate::error::ErrorKind;

/// Which parts share a payload, by their positions in a list of parts.
#[derive(Debug)]
pub(in crate::ops) struct Sharing {
    /// For each part the first one that has its payload; empty where none is shared.
    firsts: Vec<u32>,
}

impl Sharing {
    /// For parts that are written in this format: one payload that is stored for one part and
    /// compressed for another becomes two. In a format that [states sums](Format::states_sums) none is
    /// shared.
    pub(in crate::ops) fn of(parts: &[&Part<'_>], to: Format) -> Self {
        let archive = |part: &Part<'_>| core::ptr::from_ref(part.entry.archive());
        let alone = |a: &&Part<'_>, b: &&Part<'_>| {
            a.entry.is_file() || archive(a) == archive(b) && a.entry.offset() < b.entry.offset()
        };
        // In most archives each payload lies behind the one before.
        let payloads = parts.iter().copied().filter(|part| part.size() > 0);
        if to.states_sums() || payloads.is_sorted_by(alone) {
            return Self { firsts: Vec::new() };
        }
        let mut seen = HashMap::with_capacity(parts.len());
        let first = |(position, part): (u32, &&Part<'_>)| {
            let entry = part.entry;
            let Some(extent) = entry.extent().filter(|_| !entry.is_file()) else {
                return position;
            };
            let (size, coding) = (entry.size(), (entry.coding(), part.coding(to)));
            *seen
                .entry((archive(part), extent, size, coding, entry.stated_crc32()))
                .or_insert(position)
        };
        Self {
            firsts: (0..).zip(parts).map(first).collect(),
        }
    }

    /// The part before this one whose payload it shares, where there is one.
    pub(in crate::ops) fn first(&self, position: usize) -> Option<usize> {
        let first = *self.firsts.get(position)? as usize;
        (first != position).then_some(first)
    }

    /// The parts that have a payload of their own, by their positions.
    pub(in crate::ops) fn payloads<'p, 'a>(
        &self,
        parts: &'p [&'p Part<'a>],
    ) -> impl Iterator<Item = (usize, &'p Part<'a>)> {
        let parts = parts.iter().copied().enumerate();
        parts.filter(|(position, part)| part.is_read() && self.first(*position).is_none())
    }

    /// How much there is to write, decompressed.
    pub(in crate::ops) fn bytes(&self, parts: &[&Part<'_>]) -> u64 {
        let sizes = self.payloads(parts).map(|(_, part)| part.size());
        sizes.fold(0, u64::saturating_add)
    }
}

/// Adds the parts that share a payload with one that could not be read, and sorts.
pub(in crate::ops) fn spread(parts: &[&Part<'_>], to: Format, findings: &mut Findings) {
    findings.sort();
    if findings.failed.is_empty() {
        return;
    }
    let sharing = Sharing::of(parts, to);
    let mut shared = Vec::new();
    for (position, part) in parts.iter().enumerate() {
        let first = sharing.first(position).and_then(|first| parts.get(first));
        if let Some(first) = first.filter(|first| findings.has_failed(first)) {
            let first = first.entry.index();
            let error = ErrorKind::SharesDamage { first };
            shared.push(part.finding(part.entry.locate(error.into())));
        }
    }
    findings.failed.extend(shared);
    findings.sort();
}
