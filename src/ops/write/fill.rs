//! Writes payloads whose offsets in the output are known, on all threads.
//!
//! Small payloads that follow each other in the source and in the output are read and written with one call each. Where
//! copies take no time, all stored ones that follow each other are copied as one range. All others are written one by one.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::fs::WriteAt;
use crate::ops::context::Context;
use crate::ops::finding::{Finding, internal};
use crate::ops::plan::part::{Findings, Part};
use crate::ops::stream::{
    Batch, Buffers, Failure, Follows, batches, copy_stored, largest_first, write_content,
};

/// The most bytes that are copied as one range. The output may be watched, and the work stopped, between two ranges.
const RANGE_MAX: u64 = 8 << 20;

/// A payload, and its offset in the output.
pub(super) struct PlacedPayload<'p, 'a> {
    pub(super) part: &'p Part<'a>,
    pub(super) to: u64,
}

impl PlacedPayload<'_, '_> {
    /// How this payload follows the one before it.
    fn follows(&self, before: &Self) -> Follows {
        let (one, this) = (before.part.entry, self.part.entry);
        let is_one_file = !one.is_file() && core::ptr::eq(one.archive(), this.archive());
        if !is_one_file || before.to.checked_add(one.size()) != Some(self.to) {
            return Follows::Not;
        }
        let end = one.offset().checked_add(one.size());
        if one.is_plain() && this.is_plain() && end == Some(this.offset()) {
            return Follows::Directly;
        }
        Follows::Near
    }
}

/// Writes the payloads, and then the first bytes of each one that gets new ones. If one fails, the others are still
/// read and written, so that every failure is found. There are `part_count` parts; those without a payload of their own
/// only count as done.
pub(super) fn fill(
    context: &Context<'_>,
    part_count: usize,
    payloads: &[PlacedPayload<'_, '_>],
    sink: &dyn WriteAt,
) -> Result<Findings, Finding> {
    let sizes = payloads.iter().map(|it| it.part.size());
    context.found(part_count as u64, sizes.fold(0, u64::saturating_add));
    context.done((part_count - payloads.len()) as u64, 0);
    let range_max = if sink.copies_by_reference() { RANGE_MAX } else { 0 };
    let mut before = None;
    let following = payloads.iter().map(|payload| {
        let follows = match before.replace(payload) {
            Some(before) => payload.follows(before),
            None => Follows::Not,
        };
        (payload.part.entry, follows)
    });
    let mut batches = batches(following, range_max);
    // A single thread has nothing to wait for, and reads and writes in order.
    if batches.len() > 1 && context.pool.threads() > 1 {
        batches.sort_by_key(|batch| largest_first(batch.len));
    }
    let filling = Filling { context, payloads, sink, has_ended: AtomicBool::new(false) };
    let new_buffers = || Buffers::new(&context.pool);
    let filled = (context.pool)
        .map_with(&batches, new_buffers, |buffers, batch| filling.batch(buffers, batch));
    let mut findings = Findings::default();
    for found in filled {
        findings.extend(found?);
    }
    for PlacedPayload { part, to } in payloads {
        if let Some(start) = part.new_start() {
            sink.write_at(start, *to).map_err(Finding::from_io)?;
        }
    }
    Ok(findings)
}

/// What all threads share.
struct Filling<'p, 'a> {
    context: &'p Context<'p>,
    payloads: &'p [PlacedPayload<'p, 'a>],
    sink: &'p dyn WriteAt,
    /// Whether the output has failed, so that nothing more is written.
    has_ended: AtomicBool,
}

impl Filling<'_, '_> {
    /// Writes a batch, unless the output has failed.
    fn batch(&self, buffers: &mut Buffers<'_>, batch: &Batch) -> Result<Findings, Finding> {
        let mut findings = Findings::default();
        if self.has_ended.load(Ordering::Relaxed) {
            return Ok(findings);
        }
        let written = self.write(buffers, batch, &mut findings);
        if written.is_err() {
            self.has_ended.store(true, Ordering::Relaxed);
        }
        written.map(|()| findings)
    }

    /// Writes the payloads together, or one by one if anything about one of them is unusual.
    fn write(
        &self,
        buffers: &mut Buffers<'_>,
        batch: &Batch,
        findings: &mut Findings,
    ) -> Result<(), Finding> {
        self.context.cancel.check()?;
        let payloads = self.payloads.get(batch.payloads.clone());
        let payloads =
            payloads.ok_or_else(|| internal("a batch has payloads that do not exist"))?;
        if payloads.len() > 1 && self.write_together(buffers, batch, payloads)? {
            self.context.done(payloads.len() as u64, batch.len);
            return Ok(());
        }
        for PlacedPayload { part, to } in payloads {
            let (output, count) = ((self.sink, *to), |len| self.context.done(0, len));
            match write_content(self.context, &part.entry, buffers.piece(), output, count) {
                Ok(odd) => {
                    let odd = odd.into_iter().map(|it| part.finding(it));
                    findings.odd.extend(odd);
                }
                Err(Failure::Output(error)) => return Err(error),
                Err(Failure::Entry(error)) => findings.failed.push(part.finding(error)),
            }
            self.context.done(1, 0);
        }
        Ok(())
    }

    /// Writes payloads that follow each other with one call. Returns `false` if one of them is damaged or unusual.
    fn write_together(
        &self,
        buffers: &mut Buffers<'_>,
        batch: &Batch,
        payloads: &[PlacedPayload<'_, '_>],
    ) -> Result<bool, Finding> {
        let Some(first) = payloads.first() else {
            return Ok(true);
        };
        if batch.is_copied() {
            return self.copy_range(first, batch.len);
        }
        buffers.fill_window(first.part.entry.archive(), batch);
        let entries = payloads.iter().map(|it| it.part.entry);
        let Some(contents) = buffers.contents(batch, entries) else {
            return Ok(false);
        };
        let written = self.sink.write_at(contents, first.to);
        written.map_err(Finding::from_io)?;
        Ok(true)
    }

    /// Copies `len` bytes from the beginning of this payload. Returns `false` if they cannot be read.
    fn copy_range(&self, first: &PlacedPayload<'_, '_>, len: u64) -> Result<bool, Finding> {
        let entry = &first.part.entry;
        let Ok(reader) = entry.payload() else {
            return Ok(false);
        };
        let from = (reader.start(), len);
        match copy_stored(self.context, &reader, from, (self.sink, first.to), |_| {}) {
            Ok(()) => Ok(true),
            Err(Failure::Output(error)) => Err(error),
            Err(Failure::Entry(_)) => Ok(false),
        }
    }
}
