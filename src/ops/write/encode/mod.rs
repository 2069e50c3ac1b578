//! An archive in which something is compressed: sizes are known when it is encoded, so payloads are
//! laid down in the order of the entries, one behind the other.
//!
//! ```text
//! feed (one at a time)      ->  encode (all threads)  ->  lay down (one at a time, in order)
//! reads and decodes content     blocks of 1 MiB           appends, or takes back and stores
//! ```
//!
//! Whichever thread is free takes the next block from the feed, encodes it, and hands it in; whoever
//! hands in the one that is due lays down all that are ready. Encoding takes so much longer than
//! either end that these rarely wait for each other. The feed stops while more than [`AHEAD`] a
//! thread is taken and not laid down, so memory depends on the number of threads only.
//!
//! The cuts depend on the content alone, and what is laid down on the order alone, so that the
//! bytes are the same for any number of threads.

mod feed;
mod lay_down;
mod step;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::crew::Crew;
use super::options::WriteOptions;
use super::part::{Findings, Part};
use super::sharing::Sharing;
use crate::archive::{BlockCoder, Coding, Format, Sink};
use crate::error::Error;
use crate::format::Directory;
use crate::ops::context::Work;
use feed::Feed;
use lay_down::LaidDown;
use step::{Step, What};

/// How much content may be taken and not laid down, for each thread.
const AHEAD: u64 = 2 * BlockCoder::BLOCK as u64;

/// Writes the payloads, from the byte `start` on. Returns where each lies, or nothing where every part
/// failed, or one did and `keep_going` is not set: then the work has stopped there.
pub(super) fn encode(
    crew: Crew<'_>,
    parts: &[&Part<'_>],
    sharing: &Sharing,
    options: &WriteOptions,
    start: u64,
    sink: &(impl Sink + Sync),
) -> Result<(Option<Directory<'static>>, Findings), Error> {
    let WriteOptions { to, keep_going, .. } = *options;
    crew.context.observer.found(Work {
        entries: parts.len() as u64,
        bytes: sharing.bytes(parts),
    });
    let passes = match options.level {
        // Who asks for a level asks for it of every payload.
        Some(_) if to.compresses() == Some(Coding::Deflate) => vec![false; parts.len()],
        _ => passing(crew, parts, sharing, to),
    };
    let line = Line {
        crew,
        to,
        feed: Mutex::new(Feed::new(parts, sharing, to, passes)),
        laid: Mutex::new(LaidDown::new(crew, parts, options, start, sink)),
        flight: Mutex::default(),
        room: Condvar::new(),
    };
    let workers = vec![(); crew.pool.threads()];
    crew.pool.map(
        &workers,
        || BlockCoder::new(options.level),
        |coder, ()| line.work(coder),
    );
    let flight = into_inner(line.flight);
    let (directory, mut findings) = into_inner(line.laid).end();
    if let Some(error) = flight.end {
        return Err(error);
    }
    sharing.spread(parts, &mut findings);
    let lacking = !findings.failed.is_empty();
    if lacking && (!keep_going || directory.len() == 0) {
        return Ok((None, findings));
    }
    Ok((Some(directory), findings))
}

/// Which payloads are passed on as they are, compressed. A walk along each tells, and one is enough
/// however many parts share it.
fn passing(crew: Crew<'_>, parts: &[&Part<'_>], sharing: &Sharing, to: Format) -> Vec<bool> {
    let payloads = sharing.payloads(parts);
    let streams: Vec<(usize, &Part<'_>)> = payloads
        .filter(|(_, part)| part.entry.is_compressed() && part.coding(to) == part.entry.coding())
        .collect();
    let clean = crew.pool.map(
        &streams,
        || (),
        |(), (_, part)| {
            !crew.context.cancel.is_set()
                && part.entry.stored_len() < part.size()
                && part.entry.is_clean_stream().unwrap_or(false)
        },
    );
    let mut passes = vec![false; parts.len()];
    for ((position, _), clean) in streams.into_iter().zip(clean) {
        if let Some(passes) = passes.get_mut(position) {
            *passes = clean;
        }
    }
    passes
}

/// The way from the parts to the output.
struct Line<'p, 'a, K> {
    crew: Crew<'p>,
    to: Format,
    feed: Mutex<Feed<'p, 'a>>,
    laid: Mutex<LaidDown<'p, 'a, K>>,
    flight: Mutex<Flight>,
    /// Woken when something was laid down.
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

impl<K: Sink> Line<'_, '_, K> {
    fn work(&self, coder: &mut BlockCoder) {
        while let Some(mut step) = self.take() {
            if let What::Block(block) = &mut step.what {
                if self.to.states_sums() {
                    block.sum.update(&block.bytes);
                }
                if block.coding != Coding::Stored {
                    let (history, content) = (&block.history, &block.bytes);
                    block.bytes = coder.encode(block.coding, history, content, block.last);
                }
            }
            self.hand_in(step);
        }
    }

    /// The next step, as soon as there is room for it. Whoever has the one that is due never waits
    /// here, so the wait has an end.
    fn take(&self) -> Option<Step> {
        let mut feed = lock(&self.feed);
        let most = AHEAD * self.crew.pool.threads() as u64;
        let mut flight = lock(&self.flight);
        while flight.bytes >= most && !flight.over {
            let woken = self.room.wait(flight);
            flight = woken.unwrap_or_else(PoisonError::into_inner);
        }
        if flight.over {
            return None;
        }
        drop(flight);
        if let Err(error) = self.crew.context.cancel.check() {
            self.stop(Some(error));
            return None;
        }
        let step = feed.next_step()?;
        lock(&self.flight).bytes += step.len();
        Some(step)
    }

    /// Lays down the step, and those that have waited for it, as soon as it is its turn.
    fn hand_in(&self, step: Step) {
        let mut freed = 0;
        let mut laid = lock(&self.laid);
        laid.put(step);
        while let Some(step) = laid.next_due() {
            freed += step.len();
            if lock(&self.flight).over {
                continue;
            }
            match laid.lay_down(step) {
                Ok(true) => {}
                Ok(false) => self.stop(None),
                Err(error) => self.stop(Some(error)),
            }
        }
        drop(laid);
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
