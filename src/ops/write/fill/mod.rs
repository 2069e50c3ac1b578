//! An archive whose sizes are all known is filled in parallel: every byte's place is known before the
//! first is written.
//!
//! Work comes in pieces, see `pieces`. Stored payloads are copied by the sink in its shortest way; a
//! compressed one is decoded through a small buffer straight to its place; small ones are read
//! together, put together in memory, and written together.

mod pieces;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::failure::{Failure, of_copy, output};
use crate::archive::Sink;
use crate::error::Error;
use crate::format::Directory;
use crate::ops::context::Context;
use crate::ops::nearby::Nearby;
use crate::ops::open::odd_stream;
use crate::ops::plan::part::{Findings, Part};
use crate::ops::pool::Pool;
use pieces::{Batch, Payload, Piece, Range, pieces};

/// How much is decoded before it is written; times the threads, what filling takes of memory.
const BUFFER: usize = 128 * 1024;

/// What a thread keeps between two pieces. The buffers are the pool's.
#[derive(Debug)]
struct Kept<'p> {
    pool: &'p Pool,
    nearby: Nearby,
    buffer: Vec<u8>,
}

impl<'p> Kept<'p> {
    fn new(pool: &'p Pool) -> Self {
        Self {
            pool,
            nearby: Nearby::in_buffer(pool.buffer()),
            buffer: pool.buffer(),
        }
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.pool.give_back(self.nearby.take_buffer());
        self.pool.give_back(core::mem::take(&mut self.buffer));
    }
}

/// Fills the payloads of these parts, whose places are in `directory`. A part that fails does not keep
/// the others from being read and written, so that all are found, in any order.
pub(super) fn fill(
    context: &Context<'_>,
    parts: &[&Part<'_>],
    directory: &Directory<'_>,
    sink: &(impl Sink + Sync),
) -> Result<Findings, Error> {
    let places = parts.iter().zip(directory.entries());
    let payloads: Vec<Payload<'_, '_>> = places
        .filter(|(part, placed)| !placed.shares && part.is_read())
        .map(|(part, placed)| Payload {
            part,
            to: placed.offset.into(),
        })
        .collect();
    context.found(
        parts.len() as u64,
        payloads.iter().map(|it| it.part.size()).sum(),
    );
    context.done((parts.len() - payloads.len()) as u64, 0);
    let filling = Filling {
        context,
        payloads: &payloads,
        sink,
        findings: Mutex::default(),
        end: Mutex::default(),
        ended: AtomicBool::new(false),
    };
    let work = |kept: &mut Kept<'_>, piece: &Piece| filling.work(kept, piece);
    context
        .pool
        .map(&pieces(&payloads), || Kept::new(&context.pool), work);
    if let Some(error) = into_inner(filling.end) {
        return Err(error);
    }
    Ok(into_inner(filling.findings))
}

/// What all threads see.
struct Filling<'p, 'a, K> {
    context: &'p Context<'p>,
    payloads: &'p [Payload<'p, 'a>],
    sink: &'p K,
    findings: Mutex<Findings>,
    /// Why there is no point in going on.
    end: Mutex<Option<Error>>,
    ended: AtomicBool,
}

impl<K: Sink> Filling<'_, '_, K> {
    fn work(&self, kept: &mut Kept<'_>, piece: &Piece) {
        if self.ended.load(Ordering::Relaxed) {
            return;
        }
        let worked = match piece {
            Piece::Copy(range) => self.copy(range),
            Piece::Decode(payload) => self.one(kept, *payload),
            Piece::Batch(batch) => self.batch(kept, batch),
        };
        if let Err(error) = worked {
            self.ended.store(true, Ordering::Relaxed);
            lock(&self.end).get_or_insert(error);
        }
    }

    /// Small payloads in one go; one by one where anything about one of them is unusual.
    fn batch(&self, kept: &mut Kept<'_>, batch: &Batch) -> Result<(), Error> {
        self.context.cancel.check()?;
        if self.decode_together(kept, batch) {
            let written = self.sink.write_at(&kept.buffer, batch.to);
            written.map_err(output)?;
            self.context.done(batch.payloads.len() as u64, batch.len);
            return Ok(());
        }
        batch.payloads.clone().try_for_each(|at| self.one(kept, at))
    }

    fn decode_together(&self, kept: &mut Kept<'_>, batch: &Batch) -> bool {
        let payloads = self.payloads.get(batch.payloads.clone());
        let payloads = payloads.unwrap_or_default();
        let Some(first) = payloads.first() else {
            return false;
        };
        let Kept { nearby, buffer, .. } = kept;
        nearby.read(first.part.entry.archive(), &batch.neighbours);
        buffer.resize(usize::try_from(batch.len).unwrap_or_default(), 0);
        let mut rest = buffer.as_mut_slice();
        for entry in payloads.iter().map(|it| it.part.entry) {
            let size = usize::try_from(entry.size()).unwrap_or(usize::MAX);
            let Some((output, behind)) = rest.split_at_mut_checked(size) else {
                return false;
            };
            if !nearby.decode(&entry, output) {
                return false;
            }
            rest = behind;
        }
        rest.is_empty()
    }

    /// One payload, by its position.
    fn one(&self, kept: &mut Kept<'_>, at: usize) -> Result<(), Error> {
        let Some(payload) = self.payloads.get(at) else {
            return Ok(());
        };
        if payload.part.entry.is_plain() {
            return self.copy(&Range::of(at, payload));
        }
        let decoded = self.decode(&mut kept.buffer, payload);
        decoded.or_else(|failure| self.note(payload, failure))
    }

    fn copy(&self, range: &Range) -> Result<(), Error> {
        match self.copy_range(range) {
            Ok(()) => {}
            Err(Failure::Output(error)) => return Err(error),
            Err(Failure::Part(_)) => self.copy_one_by_one(range)?,
        }
        self.context.done(range.ends, range.len);
        Ok(())
    }

    /// Finds out which parts of a range cannot be read.
    fn copy_one_by_one(&self, range: &Range) -> Result<(), Error> {
        let behind = self.payloads.iter().enumerate().skip(range.first);
        for (at, payload) in behind.take_while(|(_, it)| it.to < range.to + range.len) {
            let start = payload.to.max(range.to);
            let end = (payload.to + payload.part.size()).min(range.to + range.len);
            if start >= end {
                continue;
            }
            let own = Range {
                first: at,
                from: range.from + (start - range.to),
                len: end - start,
                to: start,
                ends: 0,
            };
            let copied = self.copy_range(&own);
            copied.or_else(|failure| self.note(payload, failure))?;
        }
        Ok(())
    }

    fn copy_range(&self, range: &Range) -> Result<(), Failure> {
        Failure::check(self.context)?;
        let Some(payload) = self.payloads.get(range.first) else {
            return Ok(());
        };
        let reader = payload.part.entry.stored().map_err(Failure::Part)?;
        self.sink
            .copy_from(reader.source(), range.from, range.len, range.to)
            .map_err(|error| of_copy(error, &reader, range.from))?;
        reader.check_unchanged().map_err(Failure::Part)
    }

    fn decode(&self, buffer: &mut Vec<u8>, payload: &Payload<'_, '_>) -> Result<(), Failure> {
        let entry = payload.part.entry;
        // A read into no room would not find out what stands in the stream of an empty file.
        let len = usize::try_from(entry.size()).unwrap_or(BUFFER);
        let len = len.clamp(1, BUFFER);
        buffer.resize(BUFFER, 0);
        let buffer = buffer.get_mut(..len).unwrap_or_default();
        let mut reader = entry.reader().map_err(Failure::Part)?;
        let mut at = payload.to;
        loop {
            Failure::check(self.context)?;
            let read = reader.read_full(buffer).map_err(Failure::Part)?;
            let Some(bytes) = buffer.get(..read).filter(|it| !it.is_empty()) else {
                break;
            };
            let written = self.sink.write_at(bytes, at);
            written.map_err(|error| Failure::Output(output(error)))?;
            at += read as u64;
            self.context.done(0, read as u64);
        }
        let odd = reader.warnings();
        let odd = odd.map(|it| payload.part.finding(odd_stream(&entry, it)));
        lock(&self.findings).odd.extend(odd);
        self.context.done(1, 0);
        Ok(())
    }

    /// Notes a part that failed; what ends everything is passed on.
    fn note(&self, payload: &Payload<'_, '_>, failure: Failure) -> Result<(), Error> {
        match failure {
            Failure::Output(error) => Err(error),
            Failure::Part(error) => {
                let failed = payload.part.finding(error);
                lock(&self.findings).failed.push(failed);
                Ok(())
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
