//! Reads the contents of one archive's entries on all threads, and hashes them. Nothing else hashes contents.
//!
//! A payload that several entries share is read only once. Packers that deduplicate let entries share a payload, and a
//! pak of a few kilobytes can name one large payload 60,000 times.

use std::collections::HashMap;

use crate::archive::{Archive, Entry};
use crate::codec::StreamSummary;
use crate::ops::catalogue::sum::{Summer, Sums};
use crate::ops::context::Context;
use crate::ops::expansion::{ExpansionLimit, sound_size};
use crate::ops::finding::{self, Finding, internal, shares_damage};
use crate::ops::stream::{Buffers, Follows, batches, largest_first, odd_stream};

/// Entries of one archive whose contents are to be read.
pub(crate) struct Contents<'a> {
    archive: &'a Archive,
    /// In the directory's order.
    entries: Vec<Entry<'a>>,
    /// For each entry, the position of the first entry with the same payload. Empty if no payload is shared.
    firsts: Vec<u32>,
    /// The first entry of each payload, in the order of the payloads in the file.
    in_file: Vec<u32>,
}

/// A content that was read.
pub(crate) struct Content<'a> {
    /// The entry that has it.
    pub(crate) entry: Entry<'a>,
    /// Its checksums, unless it cannot be decoded.
    pub(crate) sums: Sums,
    /// What is unusual in its stream, or why it cannot be decoded.
    pub(crate) findings: Vec<Finding>,
}

/// The checksums of a payload, and what is unusual in its stream, or why it cannot be decoded. In boxes, because few of
/// a million payloads have any. The first entry of a damaged payload takes the error.
type Hashed = (Sums, Option<Result<Box<StreamSummary>, Option<Box<Finding>>>>);

impl<'a> Contents<'a> {
    /// The contents of these entries of the archive, which must be in the directory's order. Tells the observer how much
    /// there is to decode. Refuses to decode more than `max_expansion` times the archive's length.
    pub(crate) fn of(
        context: &Context<'_>,
        archive: &'a Archive,
        entries: Vec<Entry<'a>>,
        max_expansion: Option<u64>,
    ) -> Result<Self, Finding> {
        let firsts = firsts(archive, &entries);
        let mut in_file: Vec<u32> = (0..).take(entries.len()).collect();
        if !firsts.is_empty() {
            in_file.retain(|position| firsts.get(*position as usize) == Some(position));
        }
        let place = |position: &u32| entries.get(*position as usize).and_then(Entry::place);
        if !in_file.is_sorted_by_key(place) {
            in_file.sort_by_key(place);
        }
        let contents = Self { archive, entries, firsts, in_file };
        contents.announce(context, max_expansion)?;
        Ok(contents)
    }

    fn announce(&self, context: &Context<'_>, max_expansion: Option<u64>) -> Result<(), Finding> {
        let bytes = self.payloads(&self.in_file).map(|it| sound_size(&it)).sum();
        ExpansionLimit::of(self.archive)
            .check(bytes, max_expansion)
            .map_err(|error| finding::in_archive(self.archive, error))?;
        context.found(self.entries.len() as u64, bytes);
        // An entry that shares a payload counts as done when the payload is.
        context.done((self.entries.len() - self.in_file.len()) as u64, 0);
        Ok(())
    }

    /// The first entry of each of these payloads.
    fn payloads(&self, payloads: &[u32]) -> impl Iterator<Item = Entry<'a>> {
        let positions = payloads.iter();
        positions.filter_map(|position| self.entries.get(*position as usize).copied())
    }

    /// Reads every payload, on all threads, and returns the contents in the directory's order. The first entry of a
    /// damaged payload gets the error. The other entries get an error that refers to the first, or an error of their own
    /// if their records make wrong claims.
    pub(crate) fn hash(
        &self,
        context: &Context<'_>,
        start: &Summer,
    ) -> impl Iterator<Item = Content<'a>> {
        let mut hashed = self.hash_payloads(context, start);
        self.entries.iter().enumerate().map(move |(position, entry)| {
            let entry = *entry;
            let first = match self.firsts.get(position) {
                Some(first) => *first as usize,
                None => position,
            };
            let Some((sums, trouble)) = hashed.get_mut(first).and_then(Option::as_mut) else {
                let error = internal("a content was not read").of_entry(&entry);
                return Content { entry, sums: Sums::default(), findings: vec![error] };
            };
            let mut findings = match trouble {
                None => Vec::new(),
                Some(Ok(summary)) => odd_stream(&entry, Some(summary)),
                Some(Err(_)) if first != position => vec![self.shared(&entry, first)],
                Some(Err(error)) => match error.take() {
                    Some(error) => vec![*error],
                    None => vec![internal("an error was taken twice").of_entry(&entry)],
                },
            };
            // There may be a million entries, with one finding each.
            findings.shrink_to_fit();
            Content { entry, sums: *sums, findings }
        })
    }

    /// The checksums of each payload, at the position of its first entry.
    fn hash_payloads(&self, context: &Context<'_>, start: &Summer) -> Vec<Option<Hashed>> {
        let payloads = self.payloads(&self.in_file);
        let mut batches = batches(payloads.map(|entry| (entry, Follows::Near)), 0);
        batches.sort_by_key(|batch| largest_first(batch.len));
        let new_buffers = || Buffers::new(&context.pool);
        let done = context.pool.map_with(&batches, new_buffers, |buffers, batch| {
            buffers.fill_window(self.archive, batch);
            let payloads = self.in_file.get(batch.payloads.clone()).unwrap_or_default();
            let mut hashed = Vec::with_capacity(payloads.len());
            for entry in self.payloads(payloads) {
                hashed.push(hash_one(context, buffers, &entry, start.clone()));
            }
            hashed
        });
        let mut hashed = Vec::new();
        hashed.resize_with(self.entries.len(), || None);
        for (batch, done) in batches.iter().zip(done) {
            let payloads = self.in_file.get(batch.payloads.clone()).unwrap_or_default();
            for (position, result) in payloads.iter().zip(done) {
                if let Some(place) = hashed.get_mut(*position as usize) {
                    *place = Some(result);
                }
            }
        }
        hashed
    }

    /// The error for an entry that shares its damaged payload with another entry.
    fn shared(&self, entry: &Entry<'_>, first: usize) -> Finding {
        if let Err(error) = entry.check_claims() {
            return error.into();
        }
        let first = self.entries.get(first).map_or(0, Entry::index);
        shares_damage(first).of_entry(entry).at(entry.known_offset())
    }
}

/// Reads one content.
fn hash_one(
    context: &Context<'_>,
    buffers: &mut Buffers<'_>,
    entry: &Entry<'_>,
    mut summer: Summer,
) -> Hashed {
    let mut left = sound_size(entry);
    let read = buffers.read(context, entry, &mut |piece| {
        let len = piece.len() as u64;
        left = left.saturating_sub(len);
        context.done(0, len);
        summer.update(piece);
        Ok(())
    });
    // If the payload is damaged, the rest of its content counts as done.
    context.done(1, left);
    match read {
        Ok(summary) => {
            let odd = summary.filter(|summary| summary.warnings().next().is_some());
            (summer.finish(), odd.map(|summary| Ok(Box::new(summary))))
        }
        Err(failure) => (Sums::default(), Some(Err(Some(Box::new(failure.into_error()))))),
    }
}

/// For each entry, the position of the first entry with the same payload. Empty if no payload is shared.
///
/// Entries share a payload if they have the same extent, size, coding and stated CRC-32. Empty entries, files of a
/// directory, and entries with a flaw in the directory share nothing.
fn firsts(archive: &Archive, entries: &[Entry<'_>]) -> Vec<u32> {
    let contents = entries.iter().filter(|entry| entry.size() > 0);
    // In most archives, each payload comes after the one of the previous entry.
    if archive.source().is_none() || contents.is_sorted_by(|a, b| a.offset() < b.offset()) {
        return Vec::new();
    }
    let mut seen = HashMap::with_capacity(entries.len());
    let mut firsts = Vec::with_capacity(entries.len());
    for (position, entry) in (0..).zip(entries) {
        let mut first = position;
        if entry.size() > 0 && archive.flaw(entry.index()).is_none() {
            let payload = (entry.place(), entry.size(), entry.coding());
            first = *seen.entry((payload, entry.stated_crc32())).or_insert(position);
        }
        firsts.push(first);
    }
    firsts
}
