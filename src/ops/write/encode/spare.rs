//! Buffers and coders for large blocks, which are used again: what a thread frees, the system's allocator
//! keeps for that thread, so that memory would grow with the number of threads.

use std::sync::{Mutex, PoisonError};

use crate::archive::BlockCoder;

/// Blocks up to this size are left to the allocator.
const SMALL: u64 = 128 << 10;

/// How much longer than its content a block can become.
const SLACK: usize = 32 << 10;

/// What nobody uses at the moment.
pub(super) struct Spare {
    level: Option<u8>,
    buffers: Mutex<Vec<Vec<u8>>>,
    coders: Mutex<Vec<BlockCoder>>,
}

impl Spare {
    /// Nothing so far. Coders deflate at this level.
    pub(super) fn new(level: Option<u8>) -> Self {
        Self {
            level,
            buffers: Mutex::default(),
            coders: Mutex::default(),
        }
    }

    /// Whether so much content is a large block.
    pub(super) const fn is_large(len: u64) -> bool {
        len > SMALL
    }

    /// An empty buffer for so many bytes of content, or for the block that they become.
    pub(super) fn buffer(&self, len: usize) -> Vec<u8> {
        if !Self::is_large(len as u64) {
            return Vec::with_capacity(len);
        }
        let mut buffer = take(&self.buffers).unwrap_or_default();
        buffer.clear();
        buffer.reserve_exact(BlockCoder::BLOCK + SLACK);
        buffer
    }

    /// A coder for a large block.
    pub(super) fn coder(&self) -> BlockCoder {
        take(&self.coders).unwrap_or_else(|| BlockCoder::new(self.level))
    }

    /// Keeps a buffer for later, if it is one for large blocks.
    pub(super) fn keep_buffer(&self, buffer: Vec<u8>) {
        if buffer.capacity() == BlockCoder::BLOCK + SLACK {
            put(&self.buffers, buffer);
        }
    }

    /// Keeps a coder for later.
    pub(super) fn keep_coder(&self, coder: BlockCoder) {
        put(&self.coders, coder);
    }
}

fn take<T>(spare: &Mutex<Vec<T>>) -> Option<T> {
    let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
    spare.pop()
}

fn put<T>(spare: &Mutex<Vec<T>>, one: T) {
    let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
    spare.push(one);
}
