//! Reads the contents of one archive's entries on all threads, and a payload that several entries share only once.
//!
//! Packers that deduplicate let entries share a payload, and a pak of a few kilobytes can name one large payload
//! 60,000 times.

use std::collections::HashMap;

use super::batch::{Buffers, batches, largest_first};
use super::content::Failure;
use crate::archive::{Archive, Entry};
use crate::codec::StreamSummary;
use crate::ops::context::Context;
use crate::ops::expansion::Limit;
use crate::ops::finding;
use crate::ops::finding::{Finding, shares_damage};

/// Entries of one archive, and their payloads.
pub(in crate::ops) struct Payloads<'a> {
    archive: &'a Archive,
    /// In the directory's order.
    entries: Vec<Entry<'a>>,
    /// For each entry, the position of the first entry with the same payload. Empty if no payload is shared.
    firsts: Vec<u32>,
    /// The first entry of each payload, in the order of the payloads in the file.
    in_file: Vec<u32>,
}

/// A payload that is read next.
pub(in crate::ops) struct Payload<'a, 'p> {
    entry: Entry<'a>,
    context: &'a Context<'a>,
    buffers: &'a mut Buffers<'p>,
}

/// The result and the damage of each payload, by the position of its first entry.
pub(in crate::ops) struct PayloadResults<R>(Vec<Option<PayloadResult<R>>>);

/// The damage is in a box, because there is a result for each entry, and few entries are damaged.
type PayloadResult<R> = (R, Option<Box<Finding>>);

impl<'a> Payloads<'a> {
    /// The payloads of these entries of the archive. The entries must be in the directory's order.
    pub(in crate::ops) fn of(archive: &'a Archive, entries: Vec<Entry<'a>>) -> Self {
        let firsts = firsts(archive, &entries);
        let mut in_file: Vec<u32> = (0..).take(entries.len()).collect();
        if !firsts.is_empty() {
            in_file.retain(|position| firsts.get(*position as usize) == Some(position));
        }
        let place = |position: &u32| entries.get(*position as usize).and_then(Entry::extent);
        if !in_file.is_sorted_by_key(place) {
            in_file.sort_by_key(place);
        }
        Self {
            archive,
            entries,
            firsts,
            in_file,
        }
    }

    /// The archive that they are in.
    pub(in crate::ops) const fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// The first entry of each of these payloads.
    fn payloads(&self, payloads: &[u32]) -> impl Iterator<Item = Entry<'a>> {
        let positions = payloads.iter();
        positions.filter_map(|position| self.entries.get(*position as usize).copied())
    }

    /// Tells the observer how much there is to decode. Refuses to decode more than `max_expansion` times the archive's
    /// length.
    pub(in crate::ops) fn announce(
        &self,
        context: &Context<'_>,
        max_expansion: Option<u64>,
    ) -> Result<(), Finding> {
        let bytes = self.payloads(&self.in_file).map(|it| sound_size(&it)).sum();
        Limit::of(self.archive)
            .check(bytes, max_expansion)
            .map_err(|error| finding::in_archive(self.archive, error))?;
        context.found(self.entries.len() as u64, bytes);
        // An entry that shares a payload counts as done when the payload is.
        context.done((self.entries.len() - self.in_file.len()) as u64, 0);
        Ok(())
    }

    /// Runs `work` on every payload, on all threads.
    pub(in crate::ops) fn map<R: Send>(
        &self,
        context: &Context<'_>,
        work: impl Fn(Payload<'_, '_>) -> (R, Option<Finding>) + Sync,
    ) -> PayloadResults<R> {
        let mut batches = batches(self.payloads(&self.in_file), |_| true);
        largest_first(&mut batches, |batch| batch.len);
        let new_buffers = || Buffers::new(&context.pool);
        let done = context
            .pool
            .map_with(&batches, new_buffers, |buffers, batch| {
                buffers.fill_window(self.archive, batch);
                let payloads = self.in_file.get(batch.payloads.clone()).unwrap_or_default();
                let mut results = Vec::with_capacity(payloads.len());
                for entry in self.payloads(payloads) {
                    let (result, damage) = work(Payload {
                        entry,
                        context,
                        buffers,
                    });
                    results.push((result, damage.map(Box::new)));
                }
                results
            });
        let mut results = Vec::new();
        results.resize_with(self.entries.len(), || None);
        for (batch, done) in batches.iter().zip(done) {
            let payloads = self.in_file.get(batch.payloads.clone()).unwrap_or_default();
            for (position, result) in payloads.iter().zip(done) {
                if let Some(place) = results.get_mut(*position as usize) {
                    *place = Some(result);
                }
            }
        }
        PayloadResults(results)
    }

    /// Calls `take` for each entry in the directory's order, with the result of its payload. The first entry of a
    /// damaged payload gets the error. The other entries get an error that refers to the first, or an error of their
    /// own if their records make wrong claims.
    pub(in crate::ops) fn for_each<R>(
        &self,
        mut results: PayloadResults<R>,
        mut take: impl FnMut(Entry<'a>, &R, Option<Finding>),
    ) {
        let is_damaged = |it: &Option<PayloadResult<R>>| matches!(it, Some((_, Some(_))));
        let damaged: Vec<bool> = results.0.iter().map(is_damaged).collect();
        for (position, entry) in self.entries.iter().enumerate() {
            let first = self
                .firsts
                .get(position)
                .map_or(position, |it| *it as usize);
            let Some(Some((result, error))) = results.0.get_mut(first) else {
                continue;
            };
            let error = match damaged.get(first) {
                Some(true) => Some(match error.take() {
                    Some(error) => *error,
                    None => self.shared(entry, first),
                }),
                _ => None,
            };
            take(*entry, result, error);
        }
    }

    /// The error for an entry that shares its damaged payload with another entry.
    fn shared(&self, entry: &Entry<'_>, first: usize) -> Finding {
        if let Err(error) = entry.check_claims() {
            return error.into();
        }
        let first = self.entries.get(first).map_or(0, Entry::index);
        shares_damage(first).of_entry(entry).at(entry.start())
    }
}

impl Payload<'_, '_> {
    /// Calls `take` for each piece of the content. All pieces but the last have the same size. If the payload is
    /// damaged, `take` gets the content before the damage.
    pub(in crate::ops) fn read(
        self,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<StreamSummary>, Finding> {
        let mut left = sound_size(&self.entry);
        let result = self.buffers.read(self.context, &self.entry, &mut |piece| {
            let len = piece.len() as u64;
            left = left.saturating_sub(len);
            self.context.done(0, len);
            take(piece);
            Ok(())
        });
        // If the payload is damaged, the rest of its content counts as done.
        self.context.done(1, left);
        result.map_err(Failure::into_error)
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
            let payload = (entry.extent(), entry.size(), entry.coding());
            first = *seen
                .entry((payload, entry.stated_crc32()))
                .or_insert(position);
        }
        firsts.push(first);
    }
    firsts
}

/// The size of the content to decode, or 0 if the entry's claims cannot be true.
fn sound_size(entry: &Entry<'_>) -> u64 {
    match entry.check_claims() {
        Ok(()) => entry.size(),
        Err(_) => 0,
    }
}
