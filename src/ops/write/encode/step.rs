//! What goes from the feed through the encoders to the output.

use crate::archive::{BlockCoder, Coding};
use crate::ops::finding::Finding;
use crate::ops::pool::Pool;

/// Blocks above this size get their buffers from the pool. Memory that a thread frees, glibc keeps for that thread.
const SMALL: usize = 128 << 10;

/// The capacity of the pool's buffers: a block can become a little longer than its content.
const LARGE: usize = BlockCoder::BLOCK + (32 << 10);

/// A step towards an entry.
pub(super) struct Step {
    pub(super) number: u64,
    /// The position of the part that it belongs to.
    pub(super) position: usize,
    pub(super) what: What,
}

pub(super) enum What {
    /// All of an entry that has the payload of the part at this position.
    Share(usize),
    /// All of an entry whose payload is copied as it is.
    Copy(Coding),
    /// A block of an entry that is not.
    Block(Block),
    /// The part cannot be read.
    Failed(Finding),
}

pub(super) struct Block {
    /// The content, then, if it is to be compressed, its tokens.
    pub(super) bytes: Vec<u8>,
    /// How much content that is.
    pub(super) len: u64,
    /// What stands before it.
    pub(super) history: Vec<u8>,
    pub(super) coding: Coding,
    /// What the content sums up to, once a worker has seen it.
    pub(super) sum: crc32fast::Hasher,
    pub(super) last: bool,
    /// What was odd in the part.
    pub(super) odd: Vec<Finding>,
}

impl Block {
    /// Replaces the content by what it becomes.
    pub(super) fn encode(&mut self, coder: &mut BlockCoder, pool: &Pool) {
        let mut output = buffer(pool, self.bytes.len());
        let (history, content) = (&self.history, &self.bytes);
        coder.encode(self.coding, history, content, self.last, &mut output);
        give_back(pool, core::mem::replace(&mut self.bytes, output));
    }
}

/// An empty buffer for so many bytes of content, or for the block that they become.
pub(super) fn buffer(pool: &Pool, len: usize) -> Vec<u8> {
    if len <= SMALL {
        return Vec::with_capacity(len);
    }
    let mut buffer = pool.buffer();
    buffer.clear();
    buffer.reserve_exact(LARGE);
    buffer
}

/// Returns a buffer to the pool, if it came from there.
pub(super) fn give_back(pool: &Pool, buffer: Vec<u8>) {
    if buffer.capacity() >= LARGE {
        pool.give_back(buffer);
    }
}

impl Step {
    /// The bytes that it takes in memory: its buffer and itself.
    pub(super) const fn len(&self) -> u64 {
        let content = match &self.what {
            What::Block(block) if block.len > SMALL as u64 => LARGE as u64,
            What::Block(block) => block.len,
            _ => 0,
        };
        content + size_of::<Self>() as u64
    }
}
