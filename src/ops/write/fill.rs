//! Writes an archive in which everything is stored: each payload's offset is known, so all threads write at once.
//!
//! | piece    | what it is                                                                             |
//! |----------|----------------------------------------------------------------------------------------|
//! | `Stored` | stored payloads that follow each other in the source and in the output, copied         |
//! | `Batch`  | small payloads that follow each other in the output, read and written with one call,   |
//! |          | or one payload of any size, decoded through a small buffer                             |

use std::sync::atomic::{AtomicBool, Ordering};

use crate::format::Directory;
use crate::fs::Sink;
use crate::ops::context::Context;
use crate::ops::finding::Finding;
use crate::ops::plan::part::{Findings, Part};
use crate::ops::stream::{Batch, Buffers, batches, largest_first};
use crate::ops::stream::{COPY, Failure, PIECE, copy, copy_stored, odd_stream};

/// A payload, and its offset in the output.
struct PlacedPayload<'p, 'a> {
    part: &'p Part<'a>,
    to: u64,
}

/// A piece of work.
enum Piece {
    Stored(StoredRange),
    Batch(Batch),
}

/// Bytes of stored payloads that follow each other in the source and in the output.
#[derive(Clone, Copy)]
struct StoredRange {
    /// The position of the payload that the first byte belongs to.
    first: usize,
    from: u64,
    len: u64,
    to: u64,
    /// How many payloads end in it.
    ends: u64,
}

/// Writes the payloads of these parts at the offsets that `directory` has. If a part fails, the others are still
/// read and written, so that every failure is found.
pub(super) fn fill(
    context: &Context<'_>,
    parts: &[&Part<'_>],
    directory: &Directory<'_>,
    sink: &(impl Sink + Sync),
) -> Result<Findings, Finding> {
    let mut payloads = Vec::new();
    for (part, entry) in parts.iter().zip(directory.entries()) {
        if !entry.shares && part.is_read() {
            let to = entry.offset.into();
            payloads.push(PlacedPayload { part, to });
        }
    }
    context.found(
        parts.len() as u64,
        payloads.iter().map(|it| it.part.size()).sum(),
    );
    context.done((parts.len() - payloads.len()) as u64, 0);
    let pieces = pieces(&payloads);
    let filling = Filling {
        context,
        payloads,
        sink,
        has_ended: AtomicBool::new(false),
    };
    let new_buffers = || Buffers::new(&context.pool);
    let filled = (context.pool).map_with(&pieces, new_buffers, |buffers, piece| {
        filling.piece(buffers, piece)
    });
    let mut findings = Findings::default();
    for found in filled {
        findings.extend(found?);
    }
    Ok(findings)
}

/// What all threads share.
struct Filling<'p, 'a, K> {
    context: &'p Context<'p>,
    payloads: Vec<PlacedPayload<'p, 'a>>,
    sink: &'p K,
    /// Whether the output has failed, so that no more pieces are written.
    has_ended: AtomicBool,
}

impl<K: Sink> Filling<'_, '_, K> {
    fn piece(&self, buffers: &mut Buffers<'_>, piece: &Piece) -> Result<Findings, Finding> {
        let mut findings = Findings::default();
        if self.has_ended.load(Ordering::Relaxed) {
            return Ok(findings);
        }
        let filled = match piece {
            Piece::Stored(range) => self.stored(range, &mut findings),
            Piece::Batch(batch) => self.batch(buffers, batch, &mut findings),
        };
        if filled.is_err() {
            self.has_ended.store(true, Ordering::Relaxed);
        }
        filled.map(|()| findings)
    }

    /// Writes a batch of small payloads at once, or one by one if anything about one of them is unusual.
    fn batch(
        &self,
        buffers: &mut Buffers<'_>,
        batch: &Batch,
        findings: &mut Findings,
    ) -> Result<(), Finding> {
        self.context.cancel.check()?;
        let payloads = self.payloads.get(batch.payloads.clone());
        let payloads = payloads.unwrap_or_default();
        if let [first, _, ..] = payloads {
            buffers.open(first.part.entry.archive(), batch);
            if buffers.join(batch, payloads.iter().map(|it| it.part.entry)) {
                let written = self.sink.write_at(&buffers.output, first.to);
                written.map_err(Finding::from_io)?;
                self.context.done(payloads.len() as u64, batch.len);
                return Ok(());
            }
        }
        for payload in payloads {
            let filled = match payload.part.entry.is_plain() {
                true => self.copy(payload),
                false => self.decode(buffers, payload, findings),
            };
            note(payload, filled, findings)?;
            self.context.done(1, 0);
        }
        Ok(())
    }

    fn decode(
        &self,
        buffers: &mut Buffers<'_>,
        payload: &PlacedPayload<'_, '_>,
        findings: &mut Findings,
    ) -> Result<(), Failure> {
        let entry = payload.part.entry;
        let mut at = payload.to;
        buffers.output.resize(PIECE, 0);
        let summary = copy(self.context, &entry, &mut buffers.output, &mut |piece| {
            self.sink.write_at(piece, at).map_err(Failure::output)?;
            at += piece.len() as u64;
            self.context.done(0, piece.len() as u64);
            Ok(())
        })?;
        for odd in odd_stream(&entry, summary.as_ref()) {
            findings.odd.push(payload.part.finding(odd));
        }
        Ok(())
    }

    /// Copies a stored payload.
    fn copy(&self, payload: &PlacedPayload<'_, '_>) -> Result<(), Failure> {
        let reader = payload.part.entry.stored().map_err(Failure::entry)?;
        let from = (payload.part.entry.offset(), payload.part.size());
        let count = |len| self.context.done(0, len);
        copy_stored(self.context, &reader, from, (self.sink, payload.to), count)
    }

    /// Copies a range at once, or payload by payload to find out which of them cannot be read.
    fn stored(&self, range: &StoredRange, findings: &mut Findings) -> Result<(), Finding> {
        match self.copy_range(range) {
            Ok(()) => {}
            Err(Failure::Output(error)) => return Err(error),
            Err(Failure::Entry(_)) => {
                for (at, payload) in self.payloads.iter().enumerate().skip(range.first) {
                    if payload.to >= range.to + range.len {
                        break;
                    }
                    let own = range.of(at, payload);
                    note(payload, self.copy_range(&own), findings)?;
                }
            }
        }
        self.context.done(range.ends, 0);
        Ok(())
    }

    fn copy_range(&self, range: &StoredRange) -> Result<(), Failure> {
        let Some(payload) = self.payloads.get(range.first) else {
            return Ok(());
        };
        let reader = payload.part.entry.stored().map_err(Failure::entry)?;
        let (from, to) = ((range.from, range.len), (self.sink, range.to));
        copy_stored(self.context, &reader, from, to, |len| {
            self.context.done(0, len)
        })
    }
}

/// Notes a part that failed. A failure of the output is returned.
fn note(
    payload: &PlacedPayload<'_, '_>,
    filled: Result<(), Failure>,
    findings: &mut Findings,
) -> Result<(), Finding> {
    match filled {
        Ok(()) => Ok(()),
        Err(Failure::Output(error)) => Err(error),
        Err(Failure::Entry(error)) => {
            findings.failed.push(payload.part.finding(error));
            Ok(())
        }
    }
}

impl PlacedPayload<'_, '_> {
    /// Whether both are in one file, and `next` comes directly after this one in the output.
    fn is_followed_by(&self, next: &Self) -> bool {
        let (one, other) = (self.part.entry, next.part.entry);
        let is_one_file = !one.is_file() && core::ptr::eq(one.archive(), other.archive());
        is_one_file && self.to + self.part.size() == next.to
    }
}

impl StoredRange {
    /// The part of the range that belongs to this payload.
    fn of(&self, at: usize, payload: &PlacedPayload<'_, '_>) -> Self {
        let start = payload.to.max(self.to);
        let end = (payload.to + payload.part.size()).min(self.to + self.len);
        Self {
            first: at,
            from: self.from + (start - self.to),
            len: end.saturating_sub(start),
            to: start,
            ends: 0,
        }
    }
}

/// Divides the payloads into pieces of work. Streams come before stored bytes, the longest first.
fn pieces(payloads: &[PlacedPayload<'_, '_>]) -> Vec<Piece> {
    let entries = payloads.iter().map(|it| it.part.entry);
    let follows = |position: usize| match payloads.get(position - 1..=position) {
        Some([one, next]) => one.is_followed_by(next),
        _ => false,
    };
    let (mut streams, mut ranges) = (Vec::new(), Vec::new());
    for batch in batches(entries, follows) {
        let of_batch = payloads.get(batch.payloads.clone()).unwrap_or_default();
        if of_batch.iter().any(|it| !it.part.entry.is_plain()) {
            streams.push(batch);
            continue;
        }
        for (position, payload) in batch.payloads.zip(of_batch) {
            add_stored(&mut ranges, payloads, position, payload);
        }
    }
    largest_first(&mut streams, |batch| batch.len);
    let mut pieces: Vec<Piece> = streams.into_iter().map(Piece::Batch).collect();
    for range in ranges {
        cut(range, &mut pieces);
    }
    pieces
}

/// Adds a stored payload to the last range if it continues that range, or else as a new range.
fn add_stored(
    ranges: &mut Vec<StoredRange>,
    payloads: &[PlacedPayload<'_, '_>],
    first: usize,
    payload: &PlacedPayload<'_, '_>,
) {
    let (from, len, to) = (payload.part.entry.offset(), payload.part.size(), payload.to);
    if let Some(last) = ranges.last_mut()
        && last.from + last.len == from
        && last.to + last.len == to
        && let Some(of_last) = payloads.get(last.first)
        && !payload.part.entry.is_file()
        && core::ptr::eq(of_last.part.entry.archive(), payload.part.entry.archive())
    {
        last.len += len;
        last.ends += 1;
        return;
    }
    ranges.push(StoredRange {
        first,
        from,
        len,
        to,
        ends: 1,
    });
}

/// Cuts a range into pieces, so that several threads can copy a long one.
fn cut(range: StoredRange, pieces: &mut Vec<Piece>) {
    let mut done = 0;
    while done < range.len {
        let len = COPY.min(range.len - done);
        let is_last = done + len == range.len;
        pieces.push(Piece::Stored(StoredRange {
            from: range.from + done,
            to: range.to + done,
            len,
            ends: if is_last { range.ends } else { 0 },
            ..range
        }));
        done += len;
    }
}
