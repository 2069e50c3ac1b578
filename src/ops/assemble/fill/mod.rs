//! A pak whose sizes are all known is filled in parallel: every byte's place is in the plan.
//!
//! Work comes in pieces, see `pieces`. Stored payloads are copied by the sink in its shortest way; a
//! compressed one is decoded through a small buffer straight to its place; small ones are read
//! together, put together in memory, and written together.

mod pieces;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pieces::{Batch, Piece, Range, payloads, pieces};

use super::part::{Part, Parts};
use super::{Crew, Failure, Found, Tally, of_copy, output};
use crate::error::{Error, ErrorKind};
use crate::ops::context::Work;
use crate::ops::nearby::Nearby;
use crate::pak::{Plan, Planned, Sink};

/// How much is decoded before it is written; times the threads, what filling takes of memory.
const BUFFER: usize = 128 * 1024;

/// How many entries are cut into pieces at once: all of any pak that an engine loads. A hostile one
/// has millions, and a piece takes more memory than their records.
const ROUND: usize = 1 << 16;

/// What a thread keeps between two pieces.
#[derive(Debug, Default)]
struct Kept {
    nearby: Nearby,
    buffer: Vec<u8>,
}

/// Fills all payloads of `plan`, whose entries are `parts`. A part that fails does not keep the
/// others from being read and written, so that all are found, the same for any number of threads.
pub(super) fn fill<K: Sink + Sync>(
    crew: Crew<'_>,
    parts: &dyn Parts,
    plan: &Plan<'_>,
    sink: &K,
) -> Result<Tally, Error> {
    let filling = Filling {
        crew,
        parts,
        plan,
        sink,
        tally: Mutex::default(),
        end: Mutex::default(),
        ended: AtomicBool::new(false),
    };
    filling.announce();
    let count = plan.entries().len();
    for start in (0..count).step_by(ROUND) {
        let round = start..count.min(start + ROUND);
        let pieces = pieces(parts, plan, round);
        crew.pool.map(&pieces, Kept::default, |kept, piece| {
            filling.work(kept, piece)
        });
    }
    if let Some(error) = into_inner(filling.end) {
        return Err(error);
    }
    let mut tally = into_inner(filling.tally);
    // Threads have found them in any order, and a payload of several pieces several times.
    tally
        .failed
        .sort_by_key(|found| (found.index, found.error.offset()));
    tally.failed.dedup_by_key(|found| found.index);
    tally.odd.sort_by_key(|found| found.index);
    tally.failed = with_shares(parts, plan, tally.failed);
    Ok(tally)
}

/// Parts that share a payload with a damaged one are damaged, too, and nobody has read them.
fn with_shares(parts: &dyn Parts, plan: &Plan<'_>, failed: Vec<Found>) -> Vec<Found> {
    if failed.is_empty() {
        return failed;
    }
    let at = |index: usize| plan.entries().get(index).map_or(0, |entry| entry.offset);
    // Payloads lie in the order of the entries, so these are sorted by place as well.
    let damaged: Vec<(u32, usize)> = failed.iter().map(|it| (at(it.index), it.index)).collect();
    let sharing = |(index, entry): (usize, &Planned<'_>)| {
        let found = damaged.binary_search_by_key(&entry.offset, |(offset, _)| *offset);
        let (_, first) = damaged.get(found.ok().filter(|_| entry.shares)?)?;
        let first = match parts.part(*first)? {
            Part::Entry(entry, _) => entry.index(),
            Part::Loose(_) => *first,
        };
        let part = parts.part(index)?;
        let error = part.located(ErrorKind::SharesDamage { first }.into());
        Some(Found { index, error })
    };
    let sharing: Vec<Found> = plan
        .entries()
        .iter()
        .enumerate()
        .filter_map(sharing)
        .collect();
    let mut all = failed;
    all.extend(sharing);
    all.sort_by_key(|found| found.index);
    all
}

/// What all threads see.
struct Filling<'a, K> {
    crew: Crew<'a>,
    parts: &'a dyn Parts,
    plan: &'a Plan<'a>,
    sink: &'a K,
    tally: Mutex<Tally>,
    /// Why there is no point in going on.
    end: Mutex<Option<Error>>,
    ended: AtomicBool,
}

impl<K: Sink> Filling<'_, K> {
    /// Tells the observer what there is to do, and what takes no doing.
    fn announce(&self) {
        let mut work = Work::default();
        for (_, planned) in self.plan.payloads() {
            work.entries += 1;
            work.bytes += u64::from(planned.size);
        }
        let idle = (self.parts.count() as u64).saturating_sub(work.entries);
        let idle = Work {
            entries: idle,
            bytes: 0,
        };
        self.crew.observer.found(Work {
            entries: work.entries + idle.entries,
            ..work
        });
        self.crew.observer.done(idle);
    }

    fn work(&self, kept: &mut Kept, piece: &Piece) {
        if self.ended.load(Ordering::Relaxed) {
            return;
        }
        let worked = match *piece {
            Piece::Copy(range) => self.copy(range),
            Piece::Decode { index, size, to } => self
                .decode(&mut kept.buffer, index, size, to)
                .or_else(|failure| self.in_part(index, failure)),
            Piece::Batch(ref batch) => self.batch(kept, batch, piece.work()),
        };
        if let Err(error) = worked {
            self.ended.store(true, Ordering::Relaxed);
            lock(&self.end).get_or_insert(error);
        }
    }

    /// Small payloads in one go; one by one where anything about one of them is unusual.
    fn batch(&self, kept: &mut Kept, batch: &Batch, work: Work) -> Result<(), Error> {
        self.crew.cancel.check()?;
        if self.decode_together(kept, batch) {
            let written = self.sink.write_at(&kept.buffer, batch.to);
            written.map_err(output)?;
            self.crew.observer.done(work);
            return Ok(());
        }
        for (index, planned) in payloads(self.plan, batch.parts.clone()) {
            let (size, to) = (u64::from(planned.size), u64::from(planned.offset));
            let Some(part) = self.parts.part(index) else {
                continue;
            };
            match part.stored_at() {
                None => self
                    .decode(&mut kept.buffer, index, size, to)
                    .or_else(|failure| self.in_part(index, failure))?,
                Some(from) => self.copy(Range {
                    first: index,
                    pak: part.pak(),
                    from,
                    len: size,
                    to,
                    ends: 1,
                })?,
            }
        }
        Ok(())
    }

    fn decode_together(&self, kept: &mut Kept, batch: &Batch) -> bool {
        let Some(Part::Entry(first, _)) = self.parts.part(batch.parts.start) else {
            return false;
        };
        let Kept { nearby, buffer } = kept;
        nearby.read(first.archive(), &batch.neighbours);
        buffer.resize(usize::try_from(batch.len).unwrap_or_default(), 0);
        let mut rest = buffer.as_mut_slice();
        for (index, planned) in payloads(self.plan, batch.parts.clone()) {
            let Some((output, behind)) = rest.split_at_mut_checked(planned.size as usize) else {
                return false;
            };
            match self.parts.part(index) {
                Some(Part::Entry(entry, _)) if nearby.decode(&entry, output) => rest = behind,
                _ => return false,
            }
        }
        rest.is_empty()
    }

    fn copy(&self, range: Range) -> Result<(), Error> {
        match self.copy_range(range) {
            Ok(()) => {}
            Err(Failure::End(error)) => return Err(error),
            Err(Failure::Part(_)) => self.copy_one_by_one(range)?,
        }
        self.crew.observer.done(Piece::Copy(range).work());
        Ok(())
    }

    /// Finds out which parts of a range cannot be read.
    fn copy_one_by_one(&self, range: Range) -> Result<(), Error> {
        let count = self.plan.entries().len();
        for (index, planned) in payloads(self.plan, range.first..count) {
            let place = u64::from(planned.offset);
            if place >= range.to + range.len {
                break;
            }
            let start = place.max(range.to);
            let end = (place + u64::from(planned.size)).min(range.to + range.len);
            if start >= end {
                continue;
            }
            let own = Range {
                first: index,
                from: range.from + (start - range.to),
                len: end - start,
                to: start,
                ends: 0,
                pak: range.pak,
            };
            self.copy_range(own)
                .or_else(|failure| self.in_part(index, failure))?;
        }
        Ok(())
    }

    fn copy_range(&self, range: Range) -> Result<(), Failure> {
        self.crew.cancel.check().map_err(Failure::End)?;
        let Some(part) = self.parts.part(range.first) else {
            return Ok(());
        };
        let source = part.source().map_err(Failure::Part)?;
        self.sink
            .copy_from(source.get(), range.from, range.len, range.to)
            .map_err(|error| of_copy(error, part, source.get(), range.from))?;
        match part {
            Part::Loose(loose) => loose.unchanged(source.get()).map_err(Failure::Part),
            Part::Entry(..) => Ok(()),
        }
    }

    fn decode(
        &self,
        buffer: &mut Vec<u8>,
        index: usize,
        size: u64,
        to: u64,
    ) -> Result<(), Failure> {
        let Some(part) = self.parts.part(index) else {
            return Ok(());
        };
        buffer.resize(BUFFER, 0);
        let len = usize::try_from(size).unwrap_or(BUFFER).min(BUFFER);
        let buffer = buffer.get_mut(..len).unwrap_or_default();
        let mut content = part.content().map_err(Failure::Part)?;
        let mut done = 0;
        while done < size {
            self.crew.cancel.check().map_err(Failure::End)?;
            let read = content.read_full(buffer).map_err(Failure::Part)?;
            if read == 0 {
                break;
            }
            self.sink
                .write_at(buffer.get(..read).unwrap_or_default(), to + done)
                .map_err(|error| Failure::End(output(error)))?;
            done += read as u64;
            self.crew.observer.done(Work {
                entries: 0,
                bytes: read as u64,
            });
        }
        let warnings = content.finish().map_err(Failure::Part)?;
        let odd = warnings.into_iter().map(|warning| Found {
            index,
            error: part.odd(warning),
        });
        lock(&self.tally).odd.extend(odd);
        self.crew.observer.done(Work {
            entries: 1,
            bytes: 0,
        });
        Ok(())
    }

    /// Notes a part that failed; what ends everything is passed on.
    fn in_part(&self, index: usize, failure: Failure) -> Result<(), Error> {
        match failure {
            Failure::End(error) => Err(error),
            Failure::Part(error) => {
                lock(&self.tally).failed.push(Found { index, error });
                Ok(())
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
