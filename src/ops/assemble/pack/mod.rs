//! A pak in which something is compressed: sizes are known when it is encoded, so payloads are
//! laid down in the order of the entries, one behind the other.
//!
//! ```text
//! feed (one at a time)      ->  encode (all threads)  ->  lay down (one at a time, in order)
//! reads and decodes content     blocks of 1 MiB           appends, or takes back and stores
//! ```
//!
//! Whichever thread is free takes the next job from the feed, encodes it, and hands it in; whoever
//! hands in the one that is due lays down all that are ready. Encoding takes so much longer than
//! either end that these rarely wait for each other. The feed stops while more than [`AHEAD`] a
//! thread is taken and not laid down, so memory hangs on the number of threads only.
//!
//! The cuts depend on the content alone, and what is laid down on the order alone, so that the
//! bytes are the same for any number of threads.

mod feed;
mod lay;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::part::{Part, Parts};
use super::sharing::Sharing;
use super::{Crew, Found, Tally, of_output};
use crate::codec::{BLOCK, Encoder, Profile};
use crate::error::Error;
use crate::ops::context::Work;
use crate::pak::{Coding, Layout, Sink, coding_for};
use feed::Feed;
use lay::Lay;

/// How much content may be taken and not laid down, for each thread.
const AHEAD: u64 = 2 * BLOCK as u64;

/// Writes the pak. Returns its length, or nothing where every part failed, or one did and
/// `keep_going` is not set: then the work has stopped there.
pub(super) fn pack<K: Sink + Sync>(
    crew: Crew<'_>,
    parts: &dyn Parts,
    sharing: &Sharing,
    layout: Layout,
    keep_going: bool,
    sink: &K,
) -> Result<(Option<u64>, Tally), Error> {
    crew.observer.found(Work {
        entries: parts.count() as u64,
        bytes: sharing.bytes(parts),
    });
    let passes = passing(crew, parts, sharing, layout);
    let line = Line {
        crew,
        feed: Mutex::new(Feed::new(parts, sharing, layout, passes)),
        lay: Mutex::new(Lay::new(crew, parts, layout, keep_going, sink)),
        flight: Mutex::default(),
        room: Condvar::new(),
    };
    let workers = vec![(); crew.pool.threads()];
    crew.pool.map(
        &workers,
        || Encoder::new(Profile::Compatible),
        |encoder, ()| line.work(encoder),
    );
    let flight = into_inner(line.flight);
    let (writer, tally) = into_inner(line.lay).end();
    if let Some(error) = flight.end {
        return Err(error);
    }
    let lacking = !tally.failed.is_empty();
    if lacking && (!keep_going || writer.is_empty()) {
        return Ok((None, tally));
    }
    let (_, len) = writer.finish().map_err(of_output)?;
    Ok((Some(len), tally))
}

/// Which payloads are passed on as they are, compressed. A walk along each tells, and one is enough
/// however many parts share it.
fn passing(crew: Crew<'_>, parts: &dyn Parts, sharing: &Sharing, layout: Layout) -> Vec<bool> {
    let streams: Vec<u32> = sharing
        .payloads(parts)
        .filter(|(_, part)| {
            part.stream_at().is_some() && coding_for(part.name(), layout) == Coding::Compressed
        })
        .filter_map(|(index, _)| u32::try_from(index).ok())
        .collect();
    let clean = crew.pool.map(
        &streams,
        || (),
        |(), index| {
            let part = parts.part(*index as usize);
            !crew.cancel.is_set() && part.is_some_and(Part::is_clean_stream)
        },
    );
    let mut passes = vec![false; parts.count()];
    for (index, clean) in streams.into_iter().zip(clean) {
        if let Some(passes) = passes.get_mut(index as usize) {
            *passes = clean;
        }
    }
    passes
}

/// A step towards an entry.
struct Job {
    number: u64,
    /// The part it belongs to.
    index: usize,
    step: Step,
}

enum Step {
    /// All of an entry that has the payload of this part.
    Share(usize),
    /// All of an entry whose payload is copied as it is.
    Copy(Coding),
    /// A block of an entry that is not.
    Block(Block),
    /// The part cannot be read.
    Failed(Error),
}

struct Block {
    /// The content, then, if it is to be compressed, its tokens.
    bytes: Vec<u8>,
    /// How much content that is.
    len: u64,
    /// What stands before it.
    history: Vec<u8>,
    coding: Coding,
    last: bool,
    /// What was odd in the part.
    odd: Vec<Found>,
}

impl Job {
    /// How much content it holds in memory.
    fn len(&self) -> u64 {
        match &self.step {
            Step::Block(block) => block.len,
            _ => 0,
        }
    }
}

/// The way from the parts to the output.
struct Line<'a, K> {
    crew: Crew<'a>,
    feed: Mutex<Feed<'a>>,
    lay: Mutex<Lay<'a, K>>,
    flight: Mutex<Flight>,
    /// Told when something was laid down.
    room: Condvar,
}

/// What is taken and not laid down.
#[derive(Default)]
struct Flight {
    bytes: u64,
    /// Whether there is no point in taking more.
    over: bool,
    /// Why.
    end: Option<Error>,
}

impl<K: Sink> Line<'_, K> {
    fn work(&self, encoder: &mut Encoder) {
        while let Some(mut job) = self.take() {
            if let Step::Block(block) = &mut job.step
                && block.coding == Coding::Compressed
            {
                let mut tokens = Vec::new();
                encoder.encode_block(&block.history, &block.bytes, &mut tokens);
                block.bytes = tokens;
            }
            self.hand_in(job);
        }
    }

    /// The next job, as soon as there is room for it. Whoever has the one that is due never waits
    /// here, so the wait has an end.
    fn take(&self) -> Option<Job> {
        let mut feed = lock(&self.feed);
        let most = AHEAD * self.crew.pool.threads() as u64;
        let mut flight = lock(&self.flight);
        while flight.bytes >= most && !flight.over {
            flight = self
                .room
                .wait(flight)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if flight.over {
            return None;
        }
        drop(flight);
        if let Err(error) = self.crew.cancel.check() {
            self.stop(Some(error));
            return None;
        }
        let job = feed.next_job()?;
        lock(&self.flight).bytes += job.len();
        Some(job)
    }

    /// Lays down the job, and those that have waited for it, as soon as it is its turn.
    fn hand_in(&self, job: Job) {
        let mut freed = 0;
        let mut lay = lock(&self.lay);
        lay.put(job);
        while let Some(job) = lay.next_due() {
            freed += job.len();
            if lock(&self.flight).over {
                continue;
            }
            match lay.lay_down(job) {
                Ok(true) => {}
                Ok(false) => self.stop(None),
                Err(error) => self.stop(Some(error)),
            }
        }
        drop(lay);
        lock(&self.flight).bytes -= freed;
        self.room.notify_all();
    }

    fn stop(&self, error: Option<Error>) {
        let mut flight = lock(&self.flight);
        flight.over = true;
        flight.end = flight.end.take().or(error);
        drop(flight);
        self.room.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
