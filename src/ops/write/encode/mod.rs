//! An archive in which something is compressed: sizes are known when it is encoded, so payloads are
//! laid down in the order of the entries, one behind the other.
//!
//! ```text
//! feed (one at a time)      ->  encode (all threads)  ->  lay down (one at a time, in order)
//! reads and decodes content     blocks of 1 MiB           appends, or takes back and stores
//! ```
//!
//! Whichever thread is free takes the next block from the feed, encodes it, and hands it in; one of those that
//! hand in lays down all that are ready, while the others go on. The feed stops while more than [`MOST_AHEAD`]
//! is taken and not laid down, so memory depends on the number of threads only: each has a coder. What is compressed
//! already may be passed on as it is, see `walks`.
//!
//! The cuts depend on the content alone, and what is laid down on the order alone, so that the
//! bytes are the same for any number of threads.

mod feed;
mod lay_down;
mod step;
mod walks;

use crate::ops::finding::Finding;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};

use super::options::WriteOptions;
use crate::archive::{BlockCoder, Coding, Format, Sink};
use crate::format::Directory;
use crate::ops::context::Context;
use crate::ops::plan::part::{Findings, Part, payload_bytes};
use feed::Feed;
use lay_down::LaidDown;
use step::{Step, What};
use walks::Walks;

/// How much may be taken and not laid down: 10 blocks of 1 MiB, each of which has a buffer for its content and while
/// it is encoded another one.
const MOST_AHEAD: u64 = 11 << 20;

/// Writes the payloads. Returns where each lies, or nothing where every part
/// failed, or one did and `keep_going` is not set: then the work has stopped there.
pub(super) fn encode(
    context: &Context<'_>,
    parts: &[&Part<'_>],
    options: &WriteOptions,
    sink: &(impl Sink + Sync),
) -> Result<(Option<Directory<'static>>, Findings), Finding> {
    let WriteOptions { to, keep_going, .. } = *options;
    context.found(parts.len() as u64, payload_bytes(parts));
    let (cancel, threads) = (context.cancel, context.pool.threads());
    let walks = match options.level {
        // Who asks for a level asks for it of every payload.
        Some(_) if to.spec().coding == Some(Coding::Deflate) => Walks::none(cancel, threads),
        _ => Walks::new(cancel, threads, parts, to),
    };
    let line = Line {
        context,
        to,
        walks: &walks,
        feed: Mutex::new(Feed::new(&context.pool, parts, to, &walks)),
        done: Mutex::default(),
        laid: Mutex::new(LaidDown::new(context, parts, options, sink)),
        flight: Mutex::default(),
        room: Condvar::new(),
    };
    let workers = vec![(); threads];
    context.pool.map(
        &workers,
        || BlockCoder::new(options.level),
        |coder, ()| line.work(coder),
    );
    let flight = into_inner(line.flight);
    let (directory, findings) = into_inner(line.laid).end();
    if let Some(error) = flight.end {
        return Err(error);
    }
    let lacking = !findings.failed.is_empty();
    if lacking && (!keep_going || directory.len() == 0) {
        return Ok((None, findings));
    }
    Ok((Some(directory), findings))
}

/// The way from the parts to the output.
struct Line<'p, 'a, K> {
    context: &'p Context<'p>,
    to: Format,
    walks: &'p Walks<'p, 'a>,
    feed: Mutex<Feed<'p, 'a>>,
    /// Steps that wait to be laid down, by their numbers.
    done: Mutex<BTreeMap<u64, Step>>,
    laid: Mutex<LaidDown<'p, 'a, K>>,
    flight: Mutex<Flight>,
    /// Woken when something was laid down.
    room: Condvar,
}

/// What is taken and not laid down.
#[derive(Default)]
struct Flight {
    bytes: u64,
    /// How many threads wait for room. To wake nobody is a system call, too.
    waiting: usize,
    /// Whether there is no point in taking more.
    over: bool,
    /// Why.
    end: Option<Finding>,
}

impl<K: Sink> Line<'_, '_, K> {
    fn work(&self, coder: &mut BlockCoder) {
        loop {
            while self.walks.walk_ahead() {}
            let Some(mut step) = self.take() else { break };
            if let What::Block(block) = &mut step.what {
                if self.to.spec().states_sums {
                    block.sum.update(&block.bytes);
                }
                if block.coding != Coding::Stored {
                    block.encode(coder, &self.context.pool);
                }
            }
            self.hand_in(step);
        }
    }

    /// The next step, as soon as there is room for it. Whoever has the one that is due never waits
    /// here, so the wait has an end.
    fn take(&self) -> Option<Step> {
        let mut feed = lock(&self.feed);
        let mut flight = lock(&self.flight);
        while flight.bytes >= MOST_AHEAD && !flight.over {
            flight.waiting += 1;
            let woken = self.room.wait(flight);
            flight = woken.unwrap_or_else(PoisonError::into_inner);
            flight.waiting -= 1;
        }
        if flight.over {
            return None;
        }
        drop(flight);
        if let Err(error) = self.context.cancel.check() {
            self.stop(Some(error));
            return None;
        }
        let step = feed.next_step()?;
        lock(&self.flight).bytes += step.len();
        Some(step)
    }

    /// Hands in a step that is done. One thread at a time lays down what is due; the others go on.
    fn hand_in(&self, step: Step) {
        lock(&self.done).insert(step.number, step);
        loop {
            let mut laid = match self.laid.try_lock() {
                Ok(laid) => laid,
                Err(TryLockError::Poisoned(laid)) => laid.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            let due = self.lay_down(&mut laid);
            drop(laid);
            // Somebody may have handed it in, and gone on, just before the lock was free again.
            if !lock(&self.done).contains_key(&due) {
                return;
            }
        }
    }

    /// Lays down what is due, as far as it is done, and returns the number of the step that is due then.
    fn lay_down(&self, laid: &mut LaidDown<'_, '_, K>) -> u64 {
        loop {
            let next = laid.next_due(&mut lock(&self.done));
            let Some(step) = next else { return laid.due() };
            let len = step.len();
            if !lock(&self.flight).over {
                match laid.lay_down(step) {
                    Ok(true) => {}
                    Ok(false) => self.stop(None),
                    Err(error) => self.stop(Some(error)),
                }
            }
            let mut flight = lock(&self.flight);
            flight.bytes -= len;
            if flight.waiting > 0 {
                self.room.notify_all();
            }
        }
    }

    fn stop(&self, error: Option<Finding>) {
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
