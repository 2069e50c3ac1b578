//! Which parts of a new pak share a payload: found out once, for all of them, before anything is
//! planned.
//!
//! By sorting, and not by a table that grows: a hostile pak has a million entries, and this takes
//! four bytes for each, and 24 while it sorts, where a table of what has been seen takes up to 70.

use super::part::{Part, Parts};
use crate::pak::{Coding, Layout, Origin, coding_for};

/// Which parts share a payload.
#[derive(Debug)]
pub(in crate::ops) struct Sharing {
    /// For each part the first one that has its payload; nothing at all where no part can share.
    firsts: Vec<u32>,
}

/// What makes two payloads one, and behind it which part it is: equal ones lie in their order.
type Key = (Origin, bool, u32);

impl Sharing {
    /// The same for parts that are written in `layout`: one payload that is stored for one part
    /// and compressed for another becomes two.
    pub(in crate::ops) fn of(parts: &dyn Parts, layout: Layout) -> Self {
        let key = |index: usize| -> Option<Key> {
            let part = parts.part(index)?;
            let compressed = coding_for(part.name(), layout) == Coding::Compressed;
            Some((part.origin()?, compressed, u32::try_from(index).ok()?))
        };
        let count = (0..parts.count()).filter_map(key).count();
        if count == 0 {
            return Self { firsts: Vec::new() };
        }
        let mut keys = Vec::with_capacity(count);
        keys.extend((0..parts.count()).filter_map(key));
        keys.sort_unstable();
        let mut firsts: Vec<u32> = (0_u32..).take(parts.count()).collect();
        for same in keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let [(_, _, first), others @ ..] = same else {
                continue;
            };
            for (_, _, index) in others {
                if let Some(place) = firsts.get_mut(*index as usize) {
                    *place = *first;
                }
            }
        }
        Self { firsts }
    }

    /// The part before this one whose payload it shares, where there is one.
    pub(in crate::ops) fn first(&self, index: usize) -> Option<usize> {
        let first = *self.firsts.get(index)? as usize;
        (first != index).then_some(first)
    }

    /// The parts that have a payload of their own.
    pub(super) fn payloads<'a>(
        &'a self,
        parts: &'a dyn Parts,
    ) -> impl Iterator<Item = (usize, Part<'a>)> + Clone {
        (0..parts.count())
            .filter(|index| self.first(*index).is_none())
            .filter_map(|index| Some((index, parts.part(index)?)))
            .filter(|(_, part)| part.size() > 0)
    }

    /// How much there is to write, decompressed.
    pub(in crate::ops) fn bytes(&self, parts: &dyn Parts) -> u64 {
        self.payloads(parts).map(|(_, part)| part.size()).sum()
    }
}
