//! Outputs that keep to limits: one pak, or as many as it takes.
//!
//! | file        | job                                                                      |
//! |-------------|--------------------------------------------------------------------------|
//! | `partition` | which entry goes into which part                                         |
//! | `series`    | the names of the parts                                                   |
//! | `stale`     | parts that an earlier run has left behind them                           |
//! | `write`     | all parts, under temporary names, and committed when all are whole       |
//! | `remarks`   | what engines will make of an output, said beforehand                     |
//!
//! An output is split where a limit asks for it, and never without one. **How large a part will be**
//! is known beforehand for Quake's layout. For Daikatana's it is known when all is encoded; so the
//! sizes of the stored entries are taken, which is the most that a part can have, and a part may be
//! smaller than it could be. That way the same entries make the same parts, whatever the encoder
//! does and however many threads there are.

mod partition;
mod remarks;
mod series;
mod stale;
mod write;

use core::num::NonZeroU64;

use std::path::PathBuf;

use super::assemble::{Parts, Sharing};
use crate::engine::{Engine, Names};
use crate::error::{Error, ErrorKind};
use crate::pak::{Layout, Limits};
use partition::{Item, partition, sets};

pub use remarks::HardToFind;
pub(super) use remarks::{Lowered, hard_to_find, unloadable};
pub(super) use series::Series;
pub(super) use stale::Stale;
pub(super) use write::{Job, Output};

/// What outputs have to keep to. By default, only to what the format can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// The engine that is to load them. Its limits hold, and names are compared as it does; without
    /// one, names are one that are one to any.
    pub engine: Option<Engine>,
    /// How many entries each may have at most.
    pub max_entries: Option<NonZeroU64>,
    /// How many bytes each may have at most, as a whole.
    pub max_size: Option<u64>,
}

/// One of the outputs that a pak or files become, which are several where they are split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The output.
    pub target: PathBuf,
    /// How many entries it has, or would have.
    pub entries: u64,
    /// Its length; none where it was not written, and is not known without writing.
    pub bytes: Option<u64>,
}

impl Rules {
    /// Whether an output in this layout can keep to them.
    pub(super) fn check(&self, to: Layout) -> Result<(), Error> {
        match self.engine.map(|engine| (engine, engine.profile().layout)) {
            Some((engine, wanted)) if wanted != to => Err(ErrorKind::EngineLayout {
                engine: engine.name(),
                wanted,
                asked: to,
            }
            .into()),
            _ => Ok(()),
        }
    }

    /// Whether they can ask for a split.
    pub(super) const fn limit(&self) -> bool {
        self.engine.is_some() || self.max_entries.is_some() || self.max_size.is_some()
    }

    /// Without an engine it may be any.
    fn names(&self) -> Names {
        self.engine.map_or(Names::WIDEST, |it| it.profile().names)
    }

    /// All limits, of which the smallest holds.
    fn limits(&self) -> Limits {
        let own = Limits {
            max_entries: self.max_entries.map_or(u64::MAX, NonZeroU64::get),
            max_bytes: self.max_size.unwrap_or(u64::MAX),
        };
        let engine = self.engine.map(|engine| engine.profile().limits());
        own.and(engine.unwrap_or_default()).and(Limits::default())
    }

    /// Who sets a limit of bytes or entries that is exceeded.
    fn whose(&self, own: Option<u64>, limit: u64, option: &'static str) -> &'static str {
        match self.engine {
            _ if own == Some(limit) => option,
            Some(engine) => engine.name(),
            None => "the format",
        }
    }
}

/// The parts of a pak, by the numbers of their entries, where it must be split.
///
/// # Errors
/// If entries that must stay together fit into no part.
pub(super) fn split(
    parts: &dyn Parts,
    sharing: &Sharing,
    to: Layout,
    rules: &Rules,
) -> Result<Option<Vec<Vec<u32>>>, Error> {
    if !rules.limit() {
        return Ok(None);
    }
    let name = |index| {
        parts
            .part(index)
            .map_or(&[][..], |part| part.name().as_bytes())
    };
    let sets = sets(parts.count(), rules.names(), name);
    let item = |(index, set): (usize, u32)| Item {
        size: parts.part(index).map_or(0, |part| part.size()),
        payload: u32::try_from(sharing.first(index).unwrap_or(index)).unwrap_or(u32::MAX),
        set,
    };
    let items: Vec<Item> = sets.into_iter().enumerate().map(item).collect();
    let limits = rules.limits();
    let lists = partition(&items, to, limits).map_err(|unfit| {
        let set = |item: &&Item| item.set as usize == unfit.first;
        let over = unfit.measure.bytes > limits.max_bytes;
        let (bytes, entries) = (rules.max_size, rules.max_entries.map(NonZeroU64::get));
        let error = Error::from(ErrorKind::FitsNoPart {
            together: items.iter().filter(set).count() as u64,
            value: if over {
                unfit.measure.bytes
            } else {
                unfit.measure.entries
            },
            unit: if over { "bytes" } else { "entries" },
            limit: if over {
                limits.max_bytes
            } else {
                limits.max_entries
            },
            whose: if over {
                rules.whose(bytes, limits.max_bytes, "--max-size")
            } else {
                rules.whose(entries, limits.max_entries, "--max-entries")
            },
        });
        match parts.part(unfit.first) {
            Some(part) => part.located(error),
            None => error,
        }
    })?;
    Ok(Some(lists).filter(|lists| lists.len() > 1))
}

/// How much there is to write, decompressed. A payload that entries of several parts share is written
/// in each of these.
pub(super) fn bytes(parts: &dyn Parts, sharing: &Sharing, lists: Option<&[Vec<u32>]>) -> u64 {
    let Some(lists) = lists else {
        return sharing.bytes(parts);
    };
    let mut last = vec![usize::MAX; parts.count()];
    let mut bytes = 0_u64;
    for (number, list) in lists.iter().enumerate() {
        for index in list.iter().map(|index| *index as usize) {
            let payload = sharing.first(index).unwrap_or(index);
            let (Some(last), Some(part)) = (last.get_mut(payload), parts.part(index)) else {
                continue;
            };
            if core::mem::replace(last, number) != number {
                bytes = bytes.saturating_add(part.size());
            }
        }
    }
    bytes
}
