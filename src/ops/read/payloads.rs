//! Contents of entries, decoded on all threads, one that entries share only once.
//!
//! Packers that deduplicate let entries share a payload, and a pak of a few kilobytes can name one
//! large payload 60,000 times. Two entries share one where offset, stored length, size and coding
//! all agree; entries of no bytes share nothing, nor do files of a directory, nor does an entry of
//! which the archive says something that keeps it from being read.

use std::ops::Range;

use crate::archive::{Archive, Entry};
use crate::codec::Summary;
use crate::error::{Error, ErrorKind};
use crate::ops::context::{Context, Work};
use crate::ops::expansion::Limit;
use crate::ops::nearby::{CONTENT_MAX, Nearby, Neighbours};
use crate::ops::open;

/// How much is decoded at once, between two looks at whether to stop.
const PIECE: usize = 64 * 1024;

// What is decoded in one go is a piece, too, so that all pieces are of one size.
const _: () = assert!(CONTENT_MAX <= PIECE as u64);

/// How many payloads a thread takes at once, at most, so that all threads have some of many that are tiny.
const BATCH_MAX: usize = 4096;

/// Entries of one archive, by the payloads that they have.
pub(super) struct Payloads<'a> {
    archive: &'a Archive,
    /// In the directory's order.
    entries: Vec<Entry<'a>>,
    /// For each of the entries, which payload it has.
    numbers: Vec<u32>,
    /// For each payload, as they lie in the file, the place of the first entry that has it.
    firsts: Vec<u32>,
}

/// A payload whose turn it is to be decoded.
pub(super) struct Payload<'a> {
    entry: Entry<'a>,
    context: &'a Context<'a>,
    buffers: &'a mut Buffers,
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

impl<'a> Payloads<'a> {
    /// The payloads of these entries of the archive, which come in the directory's order.
    pub(super) fn of(archive: &'a Archive, entries: Vec<Entry<'a>>) -> Self {
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
        Self {
            archive,
            entries,
            numbers,
            firsts,
        }
    }

    /// The archive that they are in.
    pub(super) const fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// The first entry of each of these payloads.
    fn firsts(&self, payloads: Range<usize>) -> impl Iterator<Item = Entry<'a>> {
        let places = self.firsts.get(payloads).unwrap_or_default().iter();
        places.filter_map(|place| self.entries.get(*place as usize).copied())
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
        Limit::of(self.archive)
            .check(bytes, max_expansion)
            .map_err(|error| open::in_archive(self.archive, error))?;
        let entries = self.entries.len() as u64;
        context.found(entries, bytes);
        // Those that share a payload with another entry are done with it.
        context.done(entries - self.firsts.len() as u64, 0);
        Ok(())
    }

    /// Runs `work` on every payload, on all threads, and returns the results by the payloads'
    /// numbers: what was found out, and the damage.
    pub(super) fn map<R: Send>(
        &self,
        context: &Context<'_>,
        work: impl Fn(Payload<'_>) -> (R, Option<Error>) + Sync,
    ) -> Vec<(R, Option<Error>)> {
        let run = |buffers: &mut Buffers, batch: &Batch| {
            match &batch.neighbours {
                Some(neighbours) if batch.payloads.len() > 1 => {
                    buffers.nearby.read(self.archive, neighbours);
                }
                _ => buffers.nearby.clear(),
            }
            let mut results = Vec::with_capacity(batch.payloads.len());
            for entry in self.firsts(batch.payloads.clone()) {
                results.push(work(Payload {
                    entry,
                    context,
                    buffers,
                }));
            }
            results
        };
        let results = context.pool.map(&self.batches(), Buffers::default, run);
        results.into_iter().flatten().collect()
    }

    /// Gives `take` each entry in the directory's order, with the result of its payload. The first entry of
    /// a damaged payload gets the error. The others get one that refers to that entry, unless what their
    /// own records claim is wrong.
    pub(super) fn for_each<R>(
        &self,
        mut results: Vec<(R, Option<Error>)>,
        mut take: impl FnMut(Entry<'a>, &R, Option<Error>),
    ) {
        let is_damaged: Vec<bool> = results.iter().map(|(_, error)| error.is_some()).collect();
        for (entry, payload) in self.entries.iter().zip(&self.numbers) {
            let payload = *payload as usize;
            let Some((result, error)) = results.get_mut(payload) else {
                continue;
            };
            let error = match is_damaged.get(payload) {
                Some(true) => Some(error.take().unwrap_or_else(|| self.shared(entry, payload))),
                _ => None,
            };
            take(*entry, result, error);
        }
    }

    /// The error of an entry whose payload is damaged, and is another entry's, too.
    fn shared(&self, entry: &Entry<'_>, payload: usize) -> Error {
        if let Err(error) = entry.check_claims() {
            return error;
        }
        let first = self.firsts(payload..payload + 1).next();
        let first = first.map_or(0, |first| first.index());
        let error = Error::from(ErrorKind::SharesDamage { first });
        entry.locate(error).at(entry.start())
    }

    /// Small neighbours together, and payloads that cannot be read.
    fn batches(&self) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        for (number, entry) in self.firsts(0..self.firsts.len()).enumerate() {
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
}

impl Payload<'_> {
    /// Decodes it, hands its bytes on in pieces of one size (but for the last), and tells the
    /// observer. What came before damage is handed on, too.
    pub(super) fn decode(self, hand_on: &mut dyn FnMut(&[u8])) -> Result<Option<Summary>, Error> {
        let Self {
            entry,
            context,
            buffers,
        } = self;
        let mut decoded = 0;
        let result = buffers.decode(&entry, context, &mut |piece| {
            let bytes = piece.len() as u64;
            decoded += bytes;
            context.done(0, bytes);
            hand_on(piece);
        });
        context.observer.done(Work {
            entries: 1,
            // What damage has left undone is done with, too.
            bytes: sound_size(&entry).saturating_sub(decoded),
        });
        result
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
