//! Which entries of the output share one extent.
//!
//! Extents that were shared stay shared where everything that makes the payload agrees: the
//! source, the offset, the stored length, the size, the flag, and the coding chosen for the
//! output. Two that are equal by chance stay two.

use std::collections::HashMap;

use crate::pak::entry::Entry;
use crate::pak::kind::may_be_compressed;
use crate::pak::layout::{Layout, Packed};
use crate::pak::name::RawName;

/// How a payload is laid down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coding {
    /// As it is.
    Stored,
    /// As a compressed stream, or stored where that is not smaller.
    Compressed,
}

/// The coding for a file of this name. Only a layout that can compress does, and there only the
/// five types that the game opens compressed: it dies at any other.
#[must_use]
pub fn coding_for(name: RawName<'_>, layout: Layout) -> Coding {
    if layout.can_compress() && may_be_compressed(name) {
        Coding::Compressed
    } else {
        Coding::Stored
    }
}

/// Where a payload comes from. Origins sort as their payloads lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    source: u32,
    offset: u32,
    stored_len: u32,
    size: u32,
    flag: u32,
}

impl Origin {
    /// The origin of an entry's payload, or `None` where it has none. `source` tells several
    /// paks apart that are read for one output.
    #[must_use]
    pub fn of<S>(source: u32, entry: &Entry<'_, S>) -> Option<Self> {
        let record = entry.record();
        (record.size > 0).then(|| Self {
            source,
            offset: record.offset,
            stored_len: record.stored_len(),
            size: record.size,
            flag: record.packed.map_or(0, |Packed { flag, .. }| flag),
        })
    }
}

/// The payloads laid down so far, by where they came from and how they are coded.
#[derive(Debug, Default)]
pub struct Shares(HashMap<(Origin, Coding), usize>);

impl Shares {
    /// None so far.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The entry whose extent this one shares, or `None` for the first of its kind, which is
    /// `index` from now on.
    pub fn find_or_insert(
        &mut self,
        origin: Origin,
        coding: Coding,
        index: usize,
    ) -> Option<usize> {
        match self.0.entry((origin, coding)) {
            std::collections::hash_map::Entry::Occupied(first) => Some(*first.get()),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(index);
                None
            }
        }
    }

    /// The entry whose extent this one shares, where there is one.
    #[must_use]
    pub fn find(&self, origin: Origin, coding: Coding) -> Option<usize> {
        self.0.get(&(origin, coding)).copied()
    }
}
