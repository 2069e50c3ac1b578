//! What goes from the feed through the encoders to the output.

use super::spare::Spare;
use crate::archive::{BlockCoder, Coding};
use crate::error::Error;

/// What a coder needs for a block besides its content, about.
const CODER: u64 = 64 << 10;

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
    Failed(Error),
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
    pub(super) odd: Vec<Error>,
}

impl Step {
    /// The bytes that it takes in memory: its buffer, a coder for it, and itself.
    pub(super) const fn len(&self) -> u64 {
        let content = match &self.what {
            // Its buffer has room for a whole block.
            What::Block(block) if Spare::is_large(block.len) => BlockCoder::BLOCK as u64 + CODER,
            What::Block(block) => block.len + CODER,
            _ => 0,
        };
        content + size_of::<Self>() as u64
    }
}
