//! Contents in their order, encoded on all threads.
//!
//! ```text
//! feed (one thread at a time)   ->  work (all threads)          ->  deliver (one at a time, in order)
//! hands out contents in order,      reads and encodes small ones,   writes what is due
//! reads large ones block by block   encodes blocks of large ones
//! ```
//!
//! A thread that is free takes the next step from the feed, does it, and hands it in. One of the threads that hand in
//! delivers everything that is due, while the others go on. The feed stops while more than [`MOST_AHEAD`] is taken
//! and not delivered, so memory depends on the number of threads only: each has a coder.
//!
//! The cuts depend on the content alone, and the order on the list alone, so the output is the same for any number
//! of threads.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError, TryLockError};

use super::content::odd_stream;
use crate::archive::error::Error;
use crate::archive::{BlockCoder, Coding, DecodedReader, Entry};
use crate::fs::lock;
use crate::ops::context::Context;
use crate::ops::finding::Finding;
use crate::ops::pool::Pool;

/// How much may be taken and not delivered: 10 blocks of 1 MiB, each of which has a buffer for its content and while
/// it is encoded another one.
const MOST_AHEAD: u64 = 11 << 20;

/// Blocks above this size get their buffers from the pool. Memory that a thread frees, glibc keeps for that thread.
const SMALL: usize = 128 << 10;

/// The capacity of the pool's buffers: a block can become a little longer than its content.
const POOLED: usize = BlockCoder::BLOCK + (32 << 10);

/// What is to be done with a content.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) enum Encoding {
    /// Nothing: it is not read.
    Skip,
    /// Its payload may be passed on as it is, if every reader decodes it alike. If not, it is encoded.
    Pass(Coding),
    /// It is read and encoded.
    Encode(Coding),
}

/// A part of what has become of a content.
pub(in crate::ops) enum Encoded {
    /// It was not read.
    Skipped,
    /// Its payload can be passed on as it is.
    Passed,
    /// A block of its payload.
    Block(Block),
    /// It cannot be read. What was delivered of it is void.
    Failed(Finding),
}

/// A block of a payload.
pub(in crate::ops) struct Block {
    pub(in crate::ops) bytes: Vec<u8>,
    /// How much content that is.
    pub(in crate::ops) len: u64,
    pub(in crate::ops) coding: Coding,
    /// The CRC-32 of the content.
    pub(in crate::ops) sum: crc32fast::Hasher,
    /// Whether it is the last block of its content.
    pub(in crate::ops) last: bool,
    /// What is unusual in the stream that the content came from.
    pub(in crate::ops) odd: Vec<Finding>,
}

/// Encodes contents and gives them to `deliver`, by their positions and in order, until that returns `false` or fails.
/// `entry` gives the entry at each position, and `None` after the last.
pub(in crate::ops) fn line<'a>(
    context: &Context<'_>,
    level: Option<u8>,
    entry: impl Fn(usize) -> Option<(Entry<'a>, Encoding)> + Send,
    deliver: impl FnMut(usize, Encoded) -> Result<bool, Finding> + Send,
) -> Result<(), Finding> {
    let feed = Feed {
        pool: &context.pool,
        entry,
        next: 0,
        number: 0,
        open: None,
    };
    let line = EncodingLine {
        context,
        feed: Mutex::new(feed),
        done: Mutex::default(),
        delivery: Mutex::new(InOrder { due: 0, deliver }),
        flight: Mutex::default(),
        room: Condvar::new(),
    };
    let workers = vec![(); context.pool.threads()];
    let new_coder = || BlockCoder::new(level);
    (context.pool).map_with(&workers, new_coder, |coder, ()| line.work(coder));
    let flight = line.flight.into_inner();
    match flight.unwrap_or_else(PoisonError::into_inner).end {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// A step towards a payload.
struct LineStep<'a> {
    number: u64,
    /// The position of the content.
    position: usize,
    /// How much memory it takes until it is delivered.
    memory: u64,
    work: LineWork<'a>,
}

enum LineWork<'a> {
    /// To be passed on, if possible.
    Pass(Entry<'a>, Coding),
    /// To be read and encoded.
    Read(Entry<'a>, Coding),
    /// To be encoded.
    Encode(RawBlock),
    /// To be read and encoded when it is due.
    Large(Entry<'a>, Coding),
    /// Nothing but to be delivered.
    Done(Encoded),
}

/// A block of a content that is not encoded yet.
struct RawBlock {
    /// What is before it.
    history: Vec<u8>,
    block: Block,
}

/// The blocks of one content.
struct Blocks<'a> {
    entry: Entry<'a>,
    content: DecodedReader<'a>,
    left: u64,
    coding: Coding,
    /// The last bytes before the next block.
    history: Vec<u8>,
}

impl<'a> Blocks<'a> {
    fn open(entry: Entry<'a>, coding: Coding) -> Result<Self, Error> {
        Ok(Self {
            entry,
            content: entry.reader()?,
            left: entry.size(),
            coding,
            history: Vec::new(),
        })
    }

    /// Reads the next block. The last one fails if there is anything wrong behind it.
    fn next(&mut self, pool: &Pool) -> Result<RawBlock, Error> {
        let len = usize::try_from(self.left).unwrap_or(usize::MAX);
        let len = len.min(BlockCoder::BLOCK);
        let mut bytes = buffer(pool, len);
        bytes.resize(len, 0);
        if self.content.read_full(&mut bytes)? < len {
            // The next read returns what is wrong.
            self.content.read_full(&mut bytes)?;
        }
        self.left -= len as u64;
        let mut odd = Vec::new();
        if self.left == 0 {
            self.content.read_full(&mut [0; 16])?;
            odd = odd_stream(&self.entry, self.content.summary());
        }
        let reach = len.saturating_sub(BlockCoder::reach(self.coding));
        let reach = bytes.get(reach..).unwrap_or_default().to_vec();
        Ok(RawBlock {
            history: core::mem::replace(&mut self.history, reach),
            block: Block {
                bytes,
                len: len as u64,
                coding: self.coding,
                sum: crc32fast::Hasher::new(),
                last: self.left == 0,
                odd,
            },
        })
    }
}

impl RawBlock {
    fn encode(mut self, coder: &mut BlockCoder, pool: &Pool) -> Block {
        let block = &mut self.block;
        block.sum.update(&block.bytes);
        if block.coding != Coding::Stored {
            let mut output = buffer(pool, block.bytes.len());
            let (history, content) = (&self.history, &block.bytes);
            coder.encode(block.coding, history, content, block.last, &mut output);
            give_back(pool, core::mem::replace(&mut block.bytes, output));
        }
        self.block
    }
}

/// Where the work comes from.
struct Feed<'p, 'a, E> {
    pool: &'p Pool,
    entry: E,
    /// The position of the next content.
    next: usize,
    /// The number of the next step.
    number: u64,
    /// The large content that is being read, and its position.
    open: Option<(usize, Box<Blocks<'a>>)>,
}

impl<'a, E: Fn(usize) -> Option<(Entry<'a>, Encoding)>> Feed<'_, 'a, E> {
    fn next_step(&mut self) -> Option<LineStep<'a>> {
        let (position, work) = match self.open.take() {
            Some((position, blocks)) => (position, self.read(position, blocks)),
            None => {
                let position = self.next;
                let (entry, encoding) = (self.entry)(position)?;
                self.next += 1;
                (position, self.begin(position, entry, encoding))
            }
        };
        let number = self.number;
        self.number += 1;
        Some(LineStep {
            number,
            position,
            memory: work.memory(),
            work,
        })
    }

    fn begin(&mut self, position: usize, entry: Entry<'a>, encoding: Encoding) -> LineWork<'a> {
        match encoding {
            Encoding::Skip => LineWork::Done(Encoded::Skipped),
            Encoding::Pass(coding) => LineWork::Pass(entry, coding),
            Encoding::Encode(coding) if !is_large(&entry) => LineWork::Read(entry, coding),
            Encoding::Encode(coding) => match Blocks::open(entry, coding) {
                Ok(blocks) => self.read(position, Box::new(blocks)),
                Err(error) => LineWork::Done(Encoded::Failed(error.into())),
            },
        }
    }

    /// Reads the next block of a large content.
    fn read(&mut self, position: usize, mut blocks: Box<Blocks<'a>>) -> LineWork<'a> {
        match blocks.next(self.pool) {
            Ok(raw) => {
                if !raw.block.last {
                    self.open = Some((position, blocks));
                }
                LineWork::Encode(raw)
            }
            Err(error) => LineWork::Done(Encoded::Failed(error.into())),
        }
    }
}

impl LineWork<'_> {
    fn memory(&self) -> u64 {
        let content = match self {
            Self::Read(entry, _) => entry.size(),
            Self::Encode(raw) => raw.block.len,
            Self::Done(Encoded::Block(block)) => block.len,
            Self::Pass(..) | Self::Large(..) | Self::Done(_) => 0,
        };
        let content = match content > SMALL as u64 {
            true => POOLED as u64,
            false => content,
        };
        content + size_of::<LineStep<'_>>() as u64
    }
}

/// Whether a content has more than one block.
const fn is_large(entry: &Entry<'_>) -> bool {
    entry.size() > BlockCoder::BLOCK as u64
}

/// The way from the feed to the delivery.
struct EncodingLine<'p, 'a, E, D> {
    context: &'p Context<'p>,
    feed: Mutex<Feed<'p, 'a, E>>,
    /// Steps that wait to be delivered, by their numbers.
    done: Mutex<BTreeMap<u64, LineStep<'a>>>,
    delivery: Mutex<InOrder<D>>,
    flight: Mutex<Flight>,
    /// Woken when something was delivered.
    room: Condvar,
}

struct InOrder<D> {
    /// The number of the step that is due.
    due: u64,
    deliver: D,
}

/// What is taken and not delivered.
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

impl<'a, E, D> EncodingLine<'_, 'a, E, D>
where
    E: Fn(usize) -> Option<(Entry<'a>, Encoding)>,
    D: FnMut(usize, Encoded) -> Result<bool, Finding>,
{
    fn work(&self, coder: &mut BlockCoder) {
        while let Some(mut step) = self.take() {
            step.work = self.step(coder, step.work);
            let memory = step.work.memory();
            let mut flight = lock(&self.flight);
            flight.bytes = flight.bytes - step.memory + memory;
            drop(flight);
            step.memory = memory;
            self.hand_in(coder, step);
        }
    }

    /// The next step, as soon as there is room for it. The thread that has the step that is due never waits here, so
    /// the wait has an end.
    fn take(&self) -> Option<LineStep<'a>> {
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
        lock(&self.flight).bytes += step.memory;
        Some(step)
    }

    /// Does what a step asks for.
    fn step(&self, coder: &mut BlockCoder, work: LineWork<'a>) -> LineWork<'a> {
        let pool = &self.context.pool;
        let (entry, coding) = match work {
            LineWork::Pass(entry, _) if self.passes(&entry) => {
                return LineWork::Done(Encoded::Passed);
            }
            LineWork::Pass(entry, coding) | LineWork::Read(entry, coding) => (entry, coding),
            LineWork::Encode(raw) => {
                return LineWork::Done(Encoded::Block(raw.encode(coder, pool)));
            }
            LineWork::Large(..) | LineWork::Done(_) => return work,
        };
        if is_large(&entry) {
            return LineWork::Large(entry, coding);
        }
        let raw = Blocks::open(entry, coding).and_then(|mut blocks| blocks.next(pool));
        LineWork::Done(match raw {
            Ok(raw) => Encoded::Block(raw.encode(coder, pool)),
            Err(error) => Encoded::Failed(error.into()),
        })
    }

    /// Whether a payload is shorter than its content, and every reader decodes it alike.
    fn passes(&self, entry: &Entry<'_>) -> bool {
        !self.context.cancel.is_set()
            && entry.stored_len() < entry.size()
            && entry.is_clean_stream().unwrap_or(false)
    }

    /// Hands in a step that is done. One thread at a time delivers what is due; the others go on.
    fn hand_in(&self, coder: &mut BlockCoder, step: LineStep<'a>) {
        lock(&self.done).insert(step.number, step);
        loop {
            let mut delivery = match self.delivery.try_lock() {
                Ok(delivery) => delivery,
                Err(TryLockError::Poisoned(delivery)) => delivery.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            self.deliver_due(coder, &mut delivery);
            let due = delivery.due;
            drop(delivery);
            // Another thread may have handed it in, and gone on, just before the lock was free again.
            if !lock(&self.done).contains_key(&due) {
                return;
            }
        }
    }

    /// Delivers the steps that are due, until one is not done.
    fn deliver_due(&self, coder: &mut BlockCoder, delivery: &mut InOrder<D>) {
        loop {
            let Some(step) = lock(&self.done).remove(&delivery.due) else {
                return;
            };
            delivery.due += 1;
            let memory = step.memory;
            if !lock(&self.flight).over {
                match self.deliver(coder, delivery, step) {
                    Ok(true) => {}
                    Ok(false) => self.stop(None),
                    Err(error) => self.stop(Some(error)),
                }
            }
            let mut flight = lock(&self.flight);
            flight.bytes -= memory;
            if flight.waiting > 0 {
                self.room.notify_all();
            }
        }
    }

    fn deliver(
        &self,
        coder: &mut BlockCoder,
        delivery: &mut InOrder<D>,
        step: LineStep<'a>,
    ) -> Result<bool, Finding> {
        let (entry, coding) = match step.work {
            LineWork::Done(encoded) => return (delivery.deliver)(step.position, encoded),
            LineWork::Large(entry, coding) => (entry, coding),
            LineWork::Pass(..) | LineWork::Read(..) | LineWork::Encode(_) => return Ok(true),
        };
        // Few streams that might be passed on are not, and fewer of those are large.
        let pool = &self.context.pool;
        let mut blocks = match Blocks::open(entry, coding) {
            Ok(blocks) => blocks,
            Err(error) => return (delivery.deliver)(step.position, Encoded::Failed(error.into())),
        };
        loop {
            self.context.cancel.check()?;
            let raw = match blocks.next(pool) {
                Ok(raw) => raw,
                Err(error) => {
                    return (delivery.deliver)(step.position, Encoded::Failed(error.into()));
                }
            };
            let last = raw.block.last;
            let block = Encoded::Block(raw.encode(coder, pool));
            let goes_on = (delivery.deliver)(step.position, block)?;
            if last || !goes_on {
                return Ok(goes_on);
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

/// An empty buffer for so many bytes of content, or for the block that they become.
fn buffer(pool: &Pool, len: usize) -> Vec<u8> {
    if len <= SMALL {
        return Vec::with_capacity(len);
    }
    let mut buffer = pool.buffer();
    buffer.clear();
    buffer.reserve_exact(POOLED);
    buffer
}

/// Returns a buffer to the pool, if it came from there.
pub(in crate::ops) fn give_back(pool: &Pool, buffer: Vec<u8>) {
    if buffer.capacity() >= POOLED {
        pool.give_back(buffer);
    }
}
