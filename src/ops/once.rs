//! Payloads, each of them decoded once, however many entries name it.
//!
//! Packers that deduplicate let entries share a payload, and a pak of a few kilobytes can name one
//! large payload 60,000 times. Two entries share one where offset, stored length, size and flag
//! all agree; entries of no bytes all share nothing.

use std::collections::HashMap;
use std::fs::File;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::context::{Context, Work};
use super::nearby::{CONTENT_MAX, Nearby, Neighbours};
use super::pool::Pool;
use super::select::Picked;
use crate::codec::Summary;
use crate::error::{Error, ErrorKind};
use crate::pak::{Archive, Entry, Layout};

/// How much is decoded at once, between two looks at the clock and at whether to stop.
const PIECE: usize = 64 * 1024;

// What is decoded in one go is a piece, too, so that all pieces are of one size.
const _: () = assert!(CONTENT_MAX <= PIECE as u64);

/// How many payloads are handed out at once: all of any pak that an engine loads.
const ROUND: usize = 1 << 16;

/// What a thread keeps from one payload to the next.
#[derive(Debug, Default)]
pub(super) struct Kept {
    nearby: Nearby,
    buffer: Vec<u8>,
}

/// Payloads that one thread decodes, one after the other.
#[derive(Debug)]
struct Batch {
    numbers: Range<u32>,
    /// Where they lie, if they are small.
    neighbours: Option<Neighbours>,
}

/// The payloads of some entries of one pak, in the order in which they lie in the file. Takes four
/// bytes an entry and four a payload, and sixteen an entry while it is made: a hostile pak has
/// millions of either.
#[derive(Debug)]
pub(super) struct Payloads {
    picked: Picked,
    /// For each entry that was picked, which payload it has.
    payloads: Vec<u32>,
    /// For each payload the first entry that names it.
    firsts: Vec<u32>,
}

impl Payloads {
    /// The payloads of these entries.
    pub(super) fn of(archive: &Archive, picked: Picked) -> Self {
        let mut keys: Vec<Key> = Vec::with_capacity(picked.len());
        let positions = (0_u32..).zip(picked.numbers());
        keys.extend(positions.filter_map(|(position, index)| {
            let entry = archive.entry(index as usize)?;
            Some(Key::of(&entry, position))
        }));
        keys.sort_unstable();
        let mut payloads = vec![0; picked.len()];
        let mut firsts = Vec::new();
        for (number, same) in (0_u32..).zip(keys.chunk_by(Key::is_same)) {
            for key in same {
                if let Some(payload) = payloads.get_mut(key.position()) {
                    *payload = number;
                }
            }
            let first = same.first().and_then(|key| picked.number(key.position()));
            firsts.push(first.unwrap_or_default());
        }
        Self {
            picked,
            payloads,
            firsts,
        }
    }

    /// The entries, in the directory's order, and which payload each of them has.
    pub(super) fn entries(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        let entries = self.picked.numbers().zip(&self.payloads);
        entries.map(|(index, payload)| (index as usize, *payload as usize))
    }

    /// Runs `work` on the number of every payload, on all threads, and returns the results in
    /// their order. `work` hands what it is given on to [`decode`](Self::decode).
    pub(super) fn map<R: Send>(
        &self,
        archive: &Archive,
        pool: &Pool,
        work: impl Fn(&mut Kept, u32) -> R + Sync,
    ) -> Vec<R> {
        let count = self.firsts.len();
        let mut all = Vec::with_capacity(count);
        for start in (0..count).step_by(ROUND) {
            let batches = self.batches(archive, start..count.min(start + ROUND));
            let results = pool.map(&batches, Kept::default, |kept, batch| {
                match &batch.neighbours {
                    Some(neighbours) if batch.numbers.len() > 1 => {
                        kept.nearby.read(archive, neighbours);
                    }
                    _ => kept.nearby.clear(),
                }
                let numbers = batch.numbers.clone();
                numbers.map(|n| work(kept, n)).collect::<Vec<R>>()
            });
            all.extend(results.into_iter().flatten());
        }
        all
    }

    /// Some payloads, small neighbours together.
    fn batches(&self, archive: &Archive, some: Range<usize>) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        let firsts = (0_u32..).zip(&self.firsts);
        for (number, first) in firsts.skip(some.start).take(some.len()) {
            let entry = archive.entry(*first as usize);
            let neighbours = entry.as_ref().and_then(Neighbours::of);
            if let (Some(last), Some(next)) = (batches.last_mut(), &neighbours)
                && last.neighbours.as_mut().is_some_and(|all| all.join(next))
            {
                last.numbers.end = number + 1;
                continue;
            }
            batches.push(Batch {
                numbers: number..number + 1,
                neighbours,
            });
        }
        batches
    }

    /// The payload of the entry of this number, if it was picked.
    pub(super) fn of_entry(&self, index: u32) -> Option<usize> {
        let payload = self.payloads.get(self.picked.position(index)?)?;
        Some(*payload as usize)
    }

    /// The error of an entry whose payload has turned out to be damaged at another entry. What
    /// its own record says wrong is told in full.
    pub(super) fn shared_damage(&self, entry: &Entry<'_, File>, payload: usize) -> Error {
        entry.check_claims().err().unwrap_or_else(|| {
            let start = entry.extent().map_or(0, |extent| extent.offset);
            let first = self.firsts.get(payload).map_or(0, |first| *first as usize);
            Error::from(ErrorKind::SharesDamage { first })
                .in_entry(entry.index(), entry.name())
                .at(start)
        })
    }

    /// Whether this entry is the first one that has this payload.
    pub(super) fn is_first(&self, index: usize, payload: usize) -> bool {
        let first = self.firsts.get(payload);
        first.is_some_and(|first| *first as usize == index)
    }

    /// What there is to do: for the observer, and for the limit on it.
    pub(super) fn work(&self, archive: &Archive) -> Work {
        let firsts = self.firsts.iter().map(|first| *first as usize);
        Work {
            entries: self.payloads.len() as u64,
            bytes: firsts
                .filter_map(|index| archive.entry(index))
                .map(|entry| sound_size(&entry))
                .sum(),
        }
    }

    /// Tells the observer what there is to do, and of the entries that share a payload with another
    /// one that they are done.
    pub(super) fn announce(&self, work: Work, context: &Context<'_>) {
        context.observer.found(work);
        context.observer.done(Work {
            entries: (self.payloads.len() - self.firsts.len()) as u64,
            bytes: 0,
        });
    }

    /// Decodes a payload, hands its bytes on in pieces of one size (but for the last), and tells
    /// the observer. What came before damage is handed on, too.
    pub(super) fn decode(
        &self,
        archive: &Archive,
        payload: u32,
        context: &Context<'_>,
        kept: &mut Kept,
        hand_on: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<Summary>, Error> {
        let first = self.firsts.get(payload as usize);
        let Some(entry) = first.and_then(|first| archive.entry(*first as usize)) else {
            return Ok(None);
        };
        let mut told = 0;
        let result = drain(&entry, context, kept, &mut |piece| {
            let bytes = piece.len() as u64;
            told += bytes;
            context.observer.done(Work { entries: 0, bytes });
            hand_on(piece);
        });
        context.observer.done(Work {
            entries: 1,
            // What damage has left undone is done with, too.
            bytes: sound_size(&entry).saturating_sub(told),
        });
        result
    }
}

/// What was found in a few payloads, by their numbers. A hostile pak can have something wrong in each
/// of millions of payloads; what is not kept here is found again when it is told, by decoding the
/// payload for a second time.
#[derive(Debug)]
pub(super) struct Few<T>(Mutex<HashMap<u32, T>>);

/// How many are kept: more than any honest pak has, at about 300 bytes each.
const FEW: usize = 4096;

impl<T> Few<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::default())
    }

    /// Keeps what was found in a payload, unless there is too much.
    pub(super) fn keep(&self, payload: u32, found: T) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < FEW {
            kept.insert(payload, found);
        }
    }

    /// What was found in a payload, if it was kept.
    pub(super) fn take(&self, payload: usize) -> Option<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(&u32::try_from(payload).ok()?)
    }
}

/// The damage in an entry, found again.
pub(super) fn damage(entry: &Entry<'_, File>) -> Error {
    let changed = || Error::from(ErrorKind::FailedBefore).in_entry(entry.index(), entry.name());
    entry.verify().err().unwrap_or_else(changed)
}

/// What makes two payloads one, offset, stored length, size and flag; and which entry has it, so
/// that equal ones lie in the directory's order. Sixteen bytes: the flag is the top bit of the
/// position, which no directory's length lets grow that far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    offset: u32,
    stored_len: u32,
    size: u32,
    flag_and_position: u32,
}

const FLAG: u32 = 1 << 31;
const _: () = assert!(Layout::Quake.most_entries() < FLAG as u64);

impl Key {
    fn of(entry: &Entry<'_, File>, position: u32) -> Self {
        let flag = if entry.is_compressed() { FLAG } else { 0 };
        match entry.size() {
            0 => Self {
                offset: 0,
                stored_len: 0,
                size: 0,
                flag_and_position: position,
            },
            size => Self {
                offset: entry.record().offset,
                stored_len: entry.stored_len(),
                size,
                flag_and_position: position | flag,
            },
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let payload = |key: &Self| {
            let flag = key.flag_and_position & FLAG;
            (key.offset, key.stored_len, key.size, flag)
        };
        payload(self) == payload(other)
    }

    const fn position(&self) -> usize {
        (self.flag_and_position & !FLAG) as usize
    }
}

/// How much there is to decode: nothing, where the entry claims what cannot be.
fn sound_size(entry: &Entry<'_, File>) -> u64 {
    match entry.check_claims() {
        Ok(()) => entry.size().into(),
        Err(_) => 0,
    }
}

fn drain(
    entry: &Entry<'_, File>,
    context: &Context<'_>,
    kept: &mut Kept,
    hand_on: &mut dyn FnMut(&[u8]),
) -> Result<Option<Summary>, Error> {
    let Kept { nearby, buffer } = kept;
    buffer.resize(PIECE, 0);
    if let Some(content) = nearby.content(entry, buffer) {
        context.cancel.check()?;
        hand_on(content);
        return Ok(None);
    }
    let mut reader = entry.decoded()?;
    let mut filled = 0;
    loop {
        context.cancel.check()?;
        let read = reader.read_some(buffer.get_mut(filled..).unwrap_or_default());
        filled += read.as_ref().map_or(0, |read| *read);
        let over = !matches!(read, Ok(1..));
        if over || filled == buffer.len() {
            hand_on(buffer.get(..filled).unwrap_or_default());
            filled = 0;
        }
        read?;
        if over {
            return Ok(reader.summary().copied());
        }
    }
}
