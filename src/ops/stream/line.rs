//! Encodes contents on all threads, and delivers them in order.
//!
//! ```text
//! feed (one thread at a time)   ->  work (all threads)          ->  deliver (one at a time, in order)
//! hands out contents in order,      reads and encodes small ones,   writes steps in order
//! reads large ones block by block   encodes blocks of large ones
//! ```
//!
//! A free thread takes the next step from the feed, does it, and hands it in. A step is due when all steps before it
//! are delivered. One of the threads that hand in a step delivers all steps that are due, while the others go on. The
//! feed stops while steps of more than [`MOST_AHEAD`] bytes are taken but not delivered. So memory depends only on
//! the number of threads, each of which has a coder.
//!
//! The cuts between blocks depend only on the content, and the order only on the list. So the output does not
//! depend on the number of threads.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError, TryLockError};

use crate::archive::error::Error;
use crate::archive::{BlockCoder, Coding, DecodedReader, Entry};
use crate::fs::lock;
use crate::ops::context::Context;
use crate::ops::finding::Finding;
use crate::ops::pool::Pool;
use crate::ops::stream::content::odd_stream;

/// How many bytes may be taken but not delivered: 10 blocks of 1 MiB. Each has a buffer for its content, and a second
/// one while it is encoded.
const MOST_AHEAD: u64 = 11 << 20;

/// Blocks above this size get their buffers from the pool. Otherwise each thread would keep the memory that it has
/// freed, because glibc does not return it.
const SMALL: usize = 128 << 10;

/// The capacity of the pool's buffers: a block can become a little longer than its content.
const POOLED: usize = BlockCoder::BLOCK + (32 << 10);

/// How a content is encoded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Encoding {
    /// It is not read.
    Skip,
    /// Its payload is copied unchanged if every reader decodes it in the same way. Otherwise it is read and encoded.
    Pass(Coding),
    /// It is read and encoded.
    Encode(Coding),
}

/// The result for a content, or for one of its blocks.
pub(crate) enum Encoded {
    /// It was not read.
    Skipped,
    /// Its payload can be copied unchanged.
    Passed,
    /// The next block of its payload.
    Block(Block),
    /// It cannot be read. Blocks that were delivered before must not be used.
    Failed(Finding),
}

/// A block of a payload.
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The length of its content.
    pub(crate) len: u64,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content.
    pub(crate) sum: crc32fast::Hasher,
    /// Whether it is the last block of its content.
    pub(crate) last: bool,
    /// What is unusual in the stream that the content came from.
    pub(crate) odd: Vec<Finding>,
}

/// Encodes contents and calls `deliver` for each, in order, with its position, until `deliver` returns `false` or
/// fails. `entry` returns the entry at a position, or `None` after the last one.
pub(crate) fn line<'a>(
    context: &Context<'_>,
    level: Option<u8>,
    entry: impl Fn(usize) -> Option<(Entry<'a>, Encoding)> + Send,
    deliver: impl FnMut(usize, Encoded) -> Result<bool, Finding> + Send,
) -> Result<(), Finding> {
    let feed = Feed { pool: &context.pool, entry, next: 0, number: 0, open: None };
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

/// A step: the work on one content, or on one block of a large content.
struct LineStep<'a> {
    number: u64,
    /// The position of the content.
    position: usize,
    /// How many bytes of memory it takes until it is delivered.
    memory: u64,
    work: LineWork<'a>,
}

enum LineWork<'a> {
    /// Check whether the payload can be copied unchanged. If not, read and encode it.
    Pass(Entry<'a>, Coding),
    /// Read and encode a content.
    Read(Entry<'a>, Coding),
    /// Encode a block.
    Encode(RawBlock),
    /// Read and encode a large content when it is due.
    Large(Entry<'a>, Coding),
    /// Deliver the result.
    Done(Encoded),
}

/// A block of content that is not encoded yet.
struct RawBlock {
    /// The content just before the block.
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

    /// Reads the next block. The last block fails if there is an error after the end of the content.
    fn next(&mut self, pool: &Pool) -> Result<RawBlock, Error> {
        let len = usize::try_from(self.left).unwrap_or(usize::MAX);
        let len = len.min(BlockCoder::BLOCK);
        let mut bytes = buffer(pool, len);
        bytes.resize(len, 0);
        if self.content.read_full(&mut bytes)? < len {
            // The next read returns the error.
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

/// The source of all steps.
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
        Some(LineStep { number, position, memory: work.memory(), work })
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
        let content = if content > SMALL as u64 { POOLED as u64 } else { content };
        content + size_of::<LineStep<'_>>() as u64
    }
}

/// Whether a content has more than one block.
const fn is_large(entry: &Entry<'_>) -> bool {
    entry.size() > BlockCoder::BLOCK as u64
}

/// The feed, the steps in progress, and the delivery.
struct EncodingLine<'p, 'a, E, D> {
    context: &'p Context<'p>,
    feed: Mutex<Feed<'p, 'a, E>>,
    /// Steps that are done but not delivered, by their numbers.
    done: Mutex<BTreeMap<u64, LineStep<'a>>>,
    delivery: Mutex<InOrder<D>>,
    flight: Mutex<Flight>,
    /// Wakes threads that wait until there is room for another step.
    room: Condvar,
}

struct InOrder<D> {
    /// The number of the step that is due.
    due: u64,
    deliver: D,
}

/// The steps that are taken but not delivered.
#[derive(Default)]
struct Flight {
    /// How many bytes of memory they take.
    bytes: u64,
    /// How many threads wait for room. Waking costs a system call even if no thread waits.
    waiting: usize,
    /// Whether no more steps are taken.
    over: bool,
    /// Why not, if the output failed or the user stopped the operation.
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

    /// Takes the next step as soon as there is room for it. The thread with the step that is due never waits here, so
    /// the wait ends.
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

    /// Does the work of a step. Returns the work that is left.
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

    /// Whether a payload is shorter than its content, and every reader decodes it in the same way.
    fn passes(&self, entry: &Entry<'_>) -> bool {
        !self.context.cancel.is_set()
            && entry.stored_len() < entry.size()
            && entry.is_clean_stream().unwrap_or(false)
    }

    /// Hands in a step that is done, and delivers all steps that are due unless another thread does that already.
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
            // Another thread may have handed in the step that is due just before the lock was released.
            if !lock(&self.done).contains_key(&due) {
                return;
            }
        }
    }

    /// Delivers steps in order until the next one is not done.
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
        // This is rare: a large content whose stream could not be copied unchanged.
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

/// An empty buffer for `len` bytes of content, or for the encoded block.
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
pub(crate) fn give_back(pool: &Pool, buffer: Vec<u8>) {
    if buffer.capacity() >= POOLED {
        pool.give_back(buffer);
    }
}
