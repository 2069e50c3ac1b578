//! Payloads, each of them decoded once, however many entries name it.
//!
//! Packers that deduplicate let entries share a payload, and a pak of a few kilobytes can name one
//! large payload 60,000 times. Two entries share one where offset, stored length, size and flag
//! all agree; entries of no bytes all share nothing.

use std::fs::File;
use std::ops::Range;

use super::context::{Context, Work};
use super::nearby::{CONTENT_MAX, Nearby, Neighbours};
use super::pool::Pool;
use crate::codec::Summary;
use crate::error::{Error, ErrorKind};
use crate::pak::{Archive, Entry};

/// How much is decoded at once, between two looks at the clock and at whether to stop.
const PIECE: usize = 64 * 1024;

// What is decoded in one go is a piece, too, so that all pieces are of one size.
const _: () = assert!(CONTENT_MAX <= PIECE as u64);

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

/// The payloads of some entries of one pak, in the order in which they lie in the file.
#[derive(Debug)]
pub(super) struct Payloads {
    /// The entries, in the directory's order, and which payload each of them has.
    entries: Vec<(u32, u32)>,
    /// For each payload the first entry that names it, and how many do.
    payloads: Vec<(u32, u32)>,
}

impl Payloads {
    /// The payloads of the entries of these numbers, which rise.
    pub(super) fn of(archive: &Archive, picked: impl IntoIterator<Item = u32>) -> Self {
        let mut entries: Vec<(u32, u32)> = picked.into_iter().map(|index| (index, 0)).collect();
        let mut keys: Vec<(Key, u32)> = (0_u32..)
            .zip(&entries)
            .filter_map(|(position, (index, _))| {
                Some((key(&archive.entry(*index as usize)?), position))
            })
            .collect();
        keys.sort_unstable();
        let mut payloads = Vec::new();
        for (number, same) in (0_u32..).zip(keys.chunk_by(|(a, _), (b, _)| a == b)) {
            let mut first = None;
            for (_, position) in same {
                if let Some((index, payload)) = entries.get_mut(*position as usize) {
                    *payload = number;
                    first.get_or_insert(*index);
                }
            }
            let count = u32::try_from(same.len()).unwrap_or(u32::MAX);
            payloads.push((first.unwrap_or_default(), count));
        }
        Self { entries, payloads }
    }

    /// The entries, in the directory's order, and which payload each of them has.
    pub(super) fn entries(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let entries = self.entries.iter();
        entries.map(|(index, payload)| (*index as usize, *payload as usize))
    }

    /// Runs `work` on the number of every payload, on all threads, and returns the results in
    /// their order. `work` hands what it is given on to [`decode`](Self::decode).
    pub(super) fn map<R: Send>(
        &self,
        archive: &Archive,
        pool: &Pool,
        work: impl Fn(&mut Kept, u32) -> R + Sync,
    ) -> Vec<R> {
        let results = pool.map(&self.batches(archive), Kept::default, |kept, batch| {
            match &batch.neighbours {
                Some(neighbours) if batch.numbers.len() > 1 => {
                    kept.nearby.read(archive, neighbours);
                }
                _ => kept.nearby.clear(),
            }
            let numbers = batch.numbers.clone();
            numbers.map(|n| work(kept, n)).collect::<Vec<R>>()
        });
        results.into_iter().flatten().collect()
    }

    /// All payloads, small neighbours together.
    fn batches(&self, archive: &Archive) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        for (number, (first, _)) in (0_u32..).zip(&self.payloads) {
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
        let found = self.entries.binary_search_by_key(&index, |entry| entry.0);
        let (_, payload) = self.entries.get(found.ok()?)?;
        Some(*payload as usize)
    }

    /// The error of an entry whose payload has turned out to be damaged at another entry. What
    /// its own record says wrong is told in full.
    pub(super) fn shared_damage(&self, entry: &Entry<'_, File>, payload: usize) -> Error {
        let first = self.payloads.get(payload).map_or(0, |(first, _)| *first);
        entry.check_claims().err().unwrap_or_else(|| {
            let start = entry.extent().map_or(0, |extent| extent.offset);
            let first = first as usize;
            Error::from(ErrorKind::SharesDamage { first })
                .in_entry(entry.index(), entry.name())
                .at(start)
        })
    }

    /// What there is to do: for the observer.
    pub(super) fn work(&self, archive: &Archive) -> Work {
        let firsts = self.payloads.iter().map(|(first, _)| *first as usize);
        Work {
            entries: self.entries.len() as u64,
            bytes: firsts
                .filter_map(|index| archive.entry(index))
                .map(|entry| sound_size(&entry))
                .sum(),
        }
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
        let (first, count) = self
            .payloads
            .get(payload as usize)
            .copied()
            .unwrap_or_default();
        let Some(entry) = archive.entry(first as usize) else {
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
            entries: count.into(),
            // What damage has left undone is done with, too.
            bytes: sound_size(&entry).saturating_sub(told),
        });
        result
    }
}

/// What makes two payloads one: offset, stored length, size, flag.
type Key = (u32, u32, u32, bool);

fn key(entry: &Entry<'_, File>) -> Key {
    match entry.size() {
        0 => (0, 0, 0, false),
        size => (
            entry.record().offset,
            entry.stored_len(),
            size,
            entry.is_compressed(),
        ),
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
    if let Some(output) = buffer.get_mut(..entry.size() as usize)
        && nearby.decode(entry, output)
    {
        context.cancel.check()?;
        hand_on(output);
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
