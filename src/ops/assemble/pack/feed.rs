//! Where jobs come from: the parts in their order, large ones in blocks.
//!
//! One thread at a time is here, reading and decoding, so a compressed part is decoded once from
//! its start to its end whoever encodes its blocks.

use super::{Block, Job, Step};
use crate::codec::{BLOCK, grammar::DISTANCE_MAX};
use crate::error::Error;
use crate::ops::assemble::Found;
use crate::ops::assemble::part::{Content, Part, Parts};
use crate::ops::assemble::sharing::Sharing;
use crate::pak::{Coding, Layout, coding_for};

pub(super) struct Feed<'a> {
    parts: &'a dyn Parts,
    sharing: &'a Sharing,
    layout: Layout,
    /// Which payloads are passed on as they are.
    passes: Vec<bool>,
    /// The next part.
    next: usize,
    /// The next job's number.
    number: u64,
    /// The part that is being read.
    open: Option<Open<'a>>,
}

/// A part that is being read.
struct Open<'a> {
    index: usize,
    part: Part<'a>,
    content: Content<'a>,
    left: u64,
    coding: Coding,
    /// The last bytes before the next block.
    history: Vec<u8>,
}

impl<'a> Feed<'a> {
    pub(super) fn new(
        parts: &'a dyn Parts,
        sharing: &'a Sharing,
        layout: Layout,
        passes: Vec<bool>,
    ) -> Self {
        Self {
            parts,
            sharing,
            layout,
            passes,
            next: 0,
            number: 0,
            open: None,
        }
    }

    /// The next job in order.
    pub(super) fn next_job(&mut self) -> Option<Job> {
        let (index, step) = match self.open.take() {
            Some(open) => (open.index, self.block(open)),
            None => {
                let index = self.next;
                let part = self.parts.part(index)?;
                self.next += 1;
                (index, self.begin(index, part))
            }
        };
        let number = self.number;
        self.number += 1;
        Some(Job {
            number,
            index,
            step,
        })
    }

    /// The first job of a part, which most often is the only one.
    fn begin(&mut self, index: usize, part: Part<'a>) -> Step {
        let coding = coding_for(part.name(), self.layout);
        if let Some(first) = self.sharing.first(index) {
            return Step::Share(first);
        }
        let passes = self.passes.get(index).copied().unwrap_or_default();
        let as_it_is = match coding {
            _ if part.size() == 0 => Some(Coding::Stored),
            Coding::Compressed => passes.then_some(Coding::Compressed),
            Coding::Stored => part.stored_at().map(|_| Coding::Stored),
        };
        if let Some(coding) = as_it_is {
            return Step::Copy(coding);
        }
        match part.content() {
            Err(error) => Step::Failed(error),
            Ok(content) => self.block(Open {
                index,
                part,
                content,
                left: part.size(),
                coding,
                history: Vec::new(),
            }),
        }
    }

    /// The next block of a part that is being read.
    fn block(&mut self, mut open: Open<'a>) -> Step {
        let len = usize::try_from(open.left).unwrap_or(BLOCK).min(BLOCK);
        let mut bytes = vec![0; len];
        if let Err(error) = open.content.read_full(&mut bytes) {
            return Step::Failed(error);
        }
        open.left -= len as u64;
        let reach = len.saturating_sub(DISTANCE_MAX);
        let reach = bytes.get(reach..).unwrap_or_default().to_vec();
        let mut block = Block {
            history: core::mem::replace(&mut open.history, reach),
            bytes,
            len: len as u64,
            coding: open.coding,
            last: open.left == 0,
            odd: Vec::new(),
        };
        if !block.last {
            self.open = Some(open);
            return Step::Block(block);
        }
        match open.finish() {
            Ok(odd) => block.odd = odd,
            Err(error) => return Step::Failed(error),
        }
        Step::Block(block)
    }
}

impl Open<'_> {
    fn finish(self) -> Result<Vec<Found>, Error> {
        let Self {
            index,
            part,
            content,
            ..
        } = self;
        let warnings = content.finish()?.into_iter();
        let found = warnings.map(|warning| Found {
            index,
            error: part.odd(warning),
        });
        Ok(found.collect())
    }
}
