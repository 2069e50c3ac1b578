//! What outputs have to keep to, and which entry goes into which of them.
//!
//! An output is split where a limit asks for it, and never without one. **How large a part will be**
//! is known beforehand where everything is stored. For Daikatana it is known when all is encoded; so the
//! sizes of the stored entries are taken, which is the most that a part can have, and a part may be
//! smaller than it could be. That way the same entries make the same parts, whatever the encoder
//! does and however many threads there are.

use core::num::NonZeroU64;

use super::part::Part;
use super::partition::{Item, Unfit, partition, sets};
use super::sharing::Sharing;
use crate::archive::Format;
use crate::engine::{Engine, Names};
use crate::error::{Error, ErrorKind};
use crate::format::Limits;

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

impl Rules {
    /// Whether an output in this format can keep to them.
    pub(in crate::ops) fn check(&self, to: Format) -> Result<(), Error> {
        if !to.is_written() {
            return Err(ErrorKind::NoFile { format: to }.into());
        }
        match self.engine.map(|engine| (engine, engine.profile())) {
            Some((engine, profile)) if !profile.reads(to) => Err(ErrorKind::EngineLayout {
                engine: engine.name(),
                wanted: profile.layout,
                asked: to,
            }
            .into()),
            _ => Ok(()),
        }
    }

    /// Whether they can ask for a split.
    pub(in crate::ops) const fn limit(&self) -> bool {
        self.engine.is_some() || self.max_entries.is_some() || self.max_size.is_some()
    }

    /// The parts of each output, in their order: one list, unless there must be several.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output.
    pub(super) fn split<'p, 'a>(
        &self,
        parts: &[&'p Part<'a>],
        to: Format,
    ) -> Result<Vec<Vec<&'p Part<'a>>>, Error> {
        if !self.limit() {
            return Ok(vec![parts.to_vec()]);
        }
        let sharing = Sharing::of(parts, to);
        // Without an engine it may be any.
        let names = self.engine;
        let names = names.map_or(Names::WIDEST, |it| it.profile().names_in(to));
        let name = |at: usize| parts.get(at).map_or(&[][..], |it| it.name().as_bytes());
        let sets = sets(parts.len(), names, name);
        let item = |(at, set): (usize, u32)| Item {
            size: parts.get(at).map_or(0, |part| part.size()),
            name_len: name(at).len(),
            payload: u32::try_from(sharing.first(at).unwrap_or(at)).unwrap_or(u32::MAX),
            set,
        };
        let items: Vec<Item> = sets.into_iter().enumerate().map(item).collect();
        let limits = self.limits(to);
        let lists = partition(&items, to, limits);
        let lists = lists.map_err(|unfit| self.unfit(unfit, &items, parts, limits))?;
        let part = |at: &u32| parts.get(*at as usize).copied();
        let lists = lists
            .iter()
            .map(|list| list.iter().filter_map(part).collect());
        Ok(lists.collect())
    }

    /// The error for entries that fit into no output.
    fn unfit(&self, unfit: Unfit, items: &[Item], parts: &[&Part<'_>], limits: Limits) -> Error {
        let set = |item: &&Item| item.set as usize == unfit.first;
        let over = unfit.measure.bytes > limits.max_bytes;
        let own = self.max_entries.map(NonZeroU64::get);
        let (value, unit, limit, whose) = if over {
            let (value, limit) = (unfit.measure.bytes, limits.max_bytes);
            let whose = self.whose(self.max_size, limit, "--max-size");
            (value, "bytes", limit, whose)
        } else {
            let (value, limit) = (unfit.measure.entries, limits.max_entries);
            let whose = self.whose(own, limit, "--max-entries");
            (value, "entries", limit, whose)
        };
        let error = Error::from(ErrorKind::FitsNoPart {
            together: items.iter().filter(set).count() as u64,
            value,
            unit,
            limit,
            whose,
        });
        match parts.get(unfit.first) {
            Some(part) => part.entry.locate(error),
            None => error,
        }
    }

    /// All limits, of which the smallest holds.
    fn limits(&self, to: Format) -> Limits {
        let own = Limits {
            max_entries: self.max_entries.map_or(u64::MAX, NonZeroU64::get),
            max_bytes: self.max_size.unwrap_or(u64::MAX),
        };
        let engine = self.engine.map(|engine| engine.profile().limits(to));
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
