//! Where the work comes from: the parts in their order, large ones in blocks.
//!
//! One thread at a time is here, reading and decoding, so a compressed part is decoded once from
//! its start to its end whoever encodes its blocks.

use super::step::{Block, Step, What, buffer};
use super::walks::Walks;
use crate::archive::{BlockCoder, Coding, DecodedReader, Format};
use crate::ops::finding::Finding;
use crate::ops::plan::part::Part;
use crate::ops::pool::Pool;
use crate::ops::stream::odd_stream;

pub(super) struct Feed<'p, 'a> {
    pool: &'p Pool,
    parts: &'p [&'p Part<'a>],
    to: Format,
    walks: &'p Walks<'p, 'a>,
    /// The position of the next part.
    next: usize,
    /// The next step's number.
    number: u64,
    /// The part that is being read.
    open: Option<Open<'p, 'a>>,
}

/// A part that is being read.
struct Open<'p, 'a> {
    position: usize,
    part: &'p Part<'a>,
    content: DecodedReader<'a>,
    left: u64,
    coding: Coding,
    /// The last bytes before the next block.
    history: Vec<u8>,
}

impl<'p, 'a> Feed<'p, 'a> {
    pub(super) fn new(
        pool: &'p Pool,
        parts: &'p [&'p Part<'a>],
        to: Format,
        walks: &'p Walks<'p, 'a>,
    ) -> Self {
        Self {
            pool,
            parts,
            to,
            walks,
            next: 0,
            number: 0,
            open: None,
        }
    }

    /// The next step in order.
    pub(super) fn next_step(&mut self) -> Option<Step> {
        let (position, what) = match self.open.take() {
            Some(open) => (open.position, self.block(open)),
            None => {
                let position = self.next;
                let part = self.parts.get(position)?;
                self.next += 1;
                (position, self.begin(position, part))
            }
        };
        let number = self.number;
        self.number += 1;
        Some(Step {
            number,
            position,
            what,
        })
    }

    /// The first step of a part, which most often is the only one.
    fn begin(&mut self, position: usize, part: &'p Part<'a>) -> What {
        if let Some(first) = part.shared_with(self.parts) {
            return What::Share(first);
        }
        let coding = part.coding(self.to);
        let copies =
            coding == Coding::Stored && part.entry.is_plain() && !self.to.spec().states_sums;
        if !part.is_read() || copies {
            return What::Copy(Coding::Stored);
        }
        if self.walks.pass(position) {
            return What::Copy(coding);
        }
        match part.entry.reader() {
            Err(error) => What::Failed(error.into()),
            Ok(content) => self.block(Open {
                position,
                part,
                content,
                left: part.size(),
                coding,
                history: Vec::new(),
            }),
        }
    }

    /// The next block of a part that is being read.
    fn block(&mut self, mut open: Open<'p, 'a>) -> What {
        let len = usize::try_from(open.left).unwrap_or(usize::MAX);
        let len = len.min(BlockCoder::BLOCK);
        let mut bytes = buffer(self.pool, len);
        bytes.resize(len, 0);
        let mut read = open.content.read_full(&mut bytes);
        if read.as_ref().is_ok_and(|read| *read < len) {
            // The next read returns what is wrong.
            read = open.content.read_full(&mut bytes);
        }
        if let Err(error) = read {
            return What::Failed(error.into());
        }
        open.left -= len as u64;
        let reach = len.saturating_sub(BlockCoder::reach(open.coding));
        let reach = bytes.get(reach..).unwrap_or_default().to_vec();
        let mut block = Block {
            history: core::mem::replace(&mut open.history, reach),
            bytes,
            len: len as u64,
            coding: open.coding,
            sum: crc32fast::Hasher::new(),
            last: open.left == 0,
            odd: Vec::new(),
        };
        if !block.last {
            self.open = Some(open);
            return What::Block(block);
        }
        match open.finish() {
            Ok(odd) => block.odd = odd,
            Err(error) => return What::Failed(error),
        }
        What::Block(block)
    }
}

impl Open<'_, '_> {
    /// Judges the end, and returns what was odd.
    fn finish(mut self) -> Result<Vec<Finding>, Finding> {
        self.content.read_full(&mut [0; 16])?;
        Ok(odd_stream(&self.part.entry, self.content.summary()))
    }
}
