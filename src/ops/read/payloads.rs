//! Contents of entries, decoded on all threads, one that entries share only once.
//!
//! Packers that deduplicate let entries share a payload, and a pak of a few kilobytes can name one
//! large payload 60,000 times. Two entries share one where offset, stored length, size and coding
//! all agree; entries of no bytes share nothing, nor do files of a directory, nor does an entry of
//! which the archive says something that keeps it from being read.

use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::archive::{Archive, Entry};
use crate::codec::Summary;
use crate::error::{Error, ErrorKind};
use crate::ops::context::{Context, Work};
use crate::ops::expansion;
use crate::ops::nearby::{CONTENT_MAX, Nearby, Neighbours};
use crate::ops::open;
use crate::ops::pool::{Pool, ROUND};

/// How much is decoded at once, between two looks at whether to stop.
const PIECE: usize = 64 * 1024;

// What is decoded in one go is a piece, too, so that all pieces are of one size.
const _: () = assert!(CONTENT_MAX <= PIECE as u64);

/// How many payloads a thread takes at once, at most, so that all threads have some of many that are tiny.
const BATCH_MAX: usize = 4096;

/// Of how many payloads the errors are kept until they are asked for. Those of more are found once more:
/// together they would take more room than all else that is known of the archive.
const ERRORS_MAX: usize = 1 << 16;

/// Entries of one archive, by the payloads that they have. The archive is borrowed, or shared.
pub(super) struct Payloads<A> {
    archive: A,
    /// The entries' numbers, in the directory's order.
    entries: Vec<u32>,
    /// For each of the entries, which payload it has.
    numbers: Vec<u32>,
    /// For each payload, as they lie in the file, the place of the first entry that has it.
    firsts: Vec<u32>,
    /// How many errors were met.
    errors: AtomicUsize,
}

/// A payload whose turn it is to be decoded.
pub(super) struct Payload<'a> {
    entry: Entry<'a>,
    context: &'a Context<'a>,
    buffers: &'a mut Buffers,
    errors: &'a AtomicUsize,
}

/// What a thread keeps from one payload to the next.
#[derive(Debug, Default)]
struct Buffers {
    nearby: Nearby,
    piece: Vec<u8>,
}

/// Payloads that one thread decodes, one after the other.
struct Batch {
    payloads: Range<usize>,
    /// Where they lie, if they are small.
    neighbours: Option<Neighbours>,
}

impl<A: Deref<Target = Archive> + Sync> Payloads<A> {
    /// The payloads of these entries of the archive, which come in the directory's order.
    pub(super) fn of(archive: A, entries: Vec<Entry<'_>>) -> Self {
        let is_one_file = archive.source().is_some();
        let key = |place: u32| {
            let entry = entries.get(place as usize)?;
            let payload = (entry.extent(), entry.size(), entry.coding());
            let flaw = archive.flaw(entry.index()).map(|_| entry.index());
            Some((payload, entry.stated_crc32(), flaw))
        };
        let shares = |a: u32, b: u32| {
            let is_empty = entries
                .get(a as usize)
                .is_none_or(|entry| entry.size() == 0);
            is_one_file && !is_empty && key(a) == key(b)
        };
        let mut firsts: Vec<u32> = (0..).take(entries.len()).collect();
        // Of those that share a payload the first stays the first. In most archives payloads lie in
        // the directory's order.
        if !firsts.is_sorted_by_key(|place| key(*place)) {
            firsts.sort_unstable_by_key(|place| (key(*place), *place));
        }
        let (mut numbers, mut number) = (vec![0; entries.len()], 0);
        firsts.dedup_by(|place, first| {
            let is_same = shares(*first, *place);
            number += u32::from(!is_same);
            if let Some(of_entry) = numbers.get_mut(*place as usize) {
                *of_entry = number;
            }
            is_same
        });
        let number_of = |entry: Entry<'_>| u32::try_from(entry.index()).unwrap_or(u32::MAX);
        Self {
            entries: entries.into_iter().map(number_of).collect(),
            archive,
            numbers,
            firsts,
            errors: AtomicUsize::new(0),
        }
    }

    /// The archive that they are in.
    pub(super) fn archive(&self) -> &Archive {
        &self.archive
    }

    /// How many entries there are.
    pub(super) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entry at a place in the directory's order, with the number of its payload.
    pub(super) fn entry(&self, place: usize) -> Option<(Entry<'_>, usize)> {
        let index = *self.entries.get(place)?;
        let payload = *self.numbers.get(place)?;
        Some((self.archive.entry(index as usize)?, payload as usize))
    }

    /// The entries in the directory's order, each with the number of its payload.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Entry<'_>, usize)> {
        (0..self.len()).filter_map(|place| self.entry(place))
    }

    /// The first entry of each of these payloads.
    fn firsts(&self, payloads: Range<usize>) -> impl Iterator<Item = Entry<'_>> {
        let places = self.firsts.get(payloads).unwrap_or_default().iter();
        places.filter_map(|place| Some(self.entry(*place as usize)?.0))
    }

    /// Announces the work to the observer; or refuses it, if more would be decoded than this many
    /// times the archive's length.
    pub(super) fn announce(
        &self,
        context: &Context<'_>,
        max_expansion: Option<u64>,
    ) -> Result<(), Error> {
        let firsts = self.firsts(0..self.firsts.len());
        let bytes = firsts.map(|first| sound_size(&first)).sum();
        let (len, most) = (self.archive.file_len(), expansion::most(&self.archive));
        expansion::check(bytes, len, max_expansion, most)
            .map_err(|error| open::in_archive(&self.archive, error))?;
        let entries = self.entries.len() as u64;
        context.observer.found(Work { entries, bytes });
        // Those that share a payload with another entry are done with it.
        context.observer.done(Work {
            entries: entries - self.firsts.len() as u64,
            bytes: 0,
        });
        Ok(())
    }

    /// Runs `work` on every payload, on all threads, and returns the results by the payloads'
    /// numbers.
    pub(super) fn map<R: Send>(
        &self,
        context: &Context<'_>,
        pool: &Pool,
        work: impl Fn(Payload<'_>) -> R + Sync,
    ) -> Vec<R> {
        let archive: &Archive = &self.archive;
        let run = |buffers: &mut Buffers, batch: &Batch| {
            match &batch.neighbours {
                Some(neighbours) if batch.payloads.len() > 1 => {
                    buffers.nearby.read(archive, neighbours);
                }
                _ => buffers.nearby.clear(),
            }
            let mut results = Vec::with_capacity(batch.payloads.len());
            for entry in self.firsts(batch.payloads.clone()) {
                results.push(work(Payload {
                    entry,
                    context,
                    buffers,
                    errors: &self.errors,
                }));
            }
            results
        };
        let mut all = Vec::with_capacity(self.firsts.len());
        for start in (0..self.firsts.len()).step_by(ROUND) {
            let round = start..self.firsts.len().min(start + ROUND);
            let results = pool.map(&self.batches(round), Buffers::default, run);
            results.into_iter().for_each(|some| all.extend(some));
        }
        all
    }

    /// These payloads, small neighbours together, and those of which there is nothing to read.
    fn batches(&self, payloads: Range<usize>) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        for (number, entry) in payloads.clone().zip(self.firsts(payloads)) {
            let neighbours = Neighbours::of(&entry);
            let is_nothing =
                neighbours.is_none() && (entry.extent().is_none() || entry.check_claims().is_err());
            let joins = |last: &mut Batch| match (&mut last.neighbours, &neighbours) {
                _ if last.payloads.len() == BATCH_MAX => false,
                _ if is_nothing => !entry.is_file(),
                (Some(all), Some(next)) => all.join(next),
                _ => false,
            };
            if let Some(last) = batches.last_mut()
                && joins(last)
            {
                last.payloads.end = number + 1;
                continue;
            }
            batches.push(Batch {
                payloads: number..number + 1,
                neighbours,
            });
        }
        batches
    }

    /// The error of an entry whose payload is damaged, which is asked for in the entries' order. The first
    /// entry takes the damage itself, or has it found again; the others refer to that one, unless what
    /// their own records claim is wrong.
    pub(super) fn error(
        &self,
        (entry, payload): (Entry<'_>, usize),
        damage: &mut Option<Error>,
    ) -> Error {
        let first = self.firsts(payload..payload + 1).next();
        let first = first.map_or(0, |first| first.index());
        let is_first = first == entry.index();
        let claims = || entry.check_claims().err();
        let again = || is_first.then(|| entry.verify().err())?;
        let found = damage.take().or_else(claims).or_else(again);
        found.unwrap_or_else(|| {
            // Where the first is not damaged any more, somebody has changed the file.
            let kind = match is_first {
                true => ErrorKind::FailedBefore,
                false => ErrorKind::SharesDamage { first },
            };
            entry.locate(kind.into()).at(entry.start())
        })
    }
}

impl Payload<'_> {
    /// Decodes it, hands its bytes on in pieces of one size (but for the last), and tells the
    /// observer. What came before damage is handed on, too. The error is left out where it can be found
    /// again: where the entry's claims cannot be true, and where there were many before it.
    pub(super) fn decode(
        self,
        hand_on: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<Summary>, Option<Error>> {
        let Self {
            entry,
            context,
            buffers,
            errors,
        } = self;
        let mut decoded = 0;
        let result = buffers.decode(&entry, context, &mut |piece| {
            let bytes = piece.len() as u64;
            decoded += bytes;
            context.observer.done(Work { entries: 0, bytes });
            hand_on(piece);
        });
        context.observer.done(Work {
            entries: 1,
            // What damage has left undone is done with, too.
            bytes: sound_size(&entry).saturating_sub(decoded),
        });
        result.map_err(|error| {
            let is_kept =
                entry.check_claims().is_ok() && errors.fetch_add(1, Ordering::Relaxed) < ERRORS_MAX;
            // A stop is no damage, and what the system says it may not say again.
            let is_damage = !matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::Io(_));
            (is_kept || !is_damage).then_some(error)
        })
    }
}

impl Buffers {
    fn decode(
        &mut self,
        entry: &Entry<'_>,
        context: &Context<'_>,
        hand_on: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<Summary>, Error> {
        let Self { nearby, piece } = self;
        piece.resize(PIECE, 0);
        if let Some(content) = nearby.content(entry, piece) {
            context.cancel.check()?;
            hand_on(content);
            return Ok(None);
        }
        let mut reader = entry.reader()?;
        let mut filled = 0;
        loop {
            context.cancel.check()?;
            let read = reader.read_some(piece.get_mut(filled..).unwrap_or_default());
            filled += read.as_ref().map_or(0, |read| *read);
            let over = !matches!(read, Ok(1..));
            if over || filled == piece.len() {
                hand_on(piece.get(..filled).unwrap_or_default());
                filled = 0;
            }
            read?;
            if over {
                return Ok(reader.summary().copied());
            }
        }
    }
}

/// How much there is to decode: nothing, where the entry claims what cannot be.
fn sound_size(entry: &Entry<'_>) -> u64 {
    match entry.check_claims() {
        Ok(()) => entry.size(),
        Err(_) => 0,
    }
}
