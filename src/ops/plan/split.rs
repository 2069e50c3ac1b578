//! The limits for outputs, and the division of an output that exceeds them.

use super::part::Part;
use super::partition::{SplitItem, Unfit, one_name, partition};
use crate::archive::Format;
use crate::archive::error::ErrorKind;
use crate::engine::{Engine, Engines};
use crate::format::Limits;
use crate::ops::finding::{Finding, Notice};
use core::num::NonZeroU64;

/// The rules for outputs. By default, only the limits of the format apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// The engines that the outputs are for. The limits of all of them apply. Two names are the same if any of
    /// these engines treats them as the same, or without an engine, any engine at all.
    pub engines: Engines,
    /// The most entries of an output.
    pub max_entries: Option<NonZeroU64>,
    /// The most bytes of an output file.
    pub max_size: Option<u64>,
}

impl Rules {
    /// Checks that an output in this format can follow the rules.
    pub(in crate::ops) fn check(&self, to: Format) -> Result<(), Finding> {
        if !to.spec().is_written() {
            return Err(ErrorKind::NotWritten { format: to }.into());
        }
        let unable: Vec<Engine> = (self.engines.iter())
            .filter(|engine| !engine.profile().reads(to))
            .collect();
        let Some(first) = unable.first() else {
            return Ok(());
        };
        if common_format(self.engines).is_none() {
            let why = format!(
                "these engines have no format in common: {}",
                formats_in_words(self.engines)
            );
            return Err(Finding::error(Notice::NoCommonFormat, why));
        }
        let wanted = first.profile().layout;
        let engines: Engines = (unable.iter().copied())
            .filter(|engine| engine.profile().layout == wanted)
            .collect();
        let why =
            format!("daisho writes {wanted} archives for {engines}, but you asked for a {to} one");
        Err(Finding::error(Notice::EngineLayout, why))
    }

    /// Whether the rules can require a split.
    pub(in crate::ops) const fn limit(&self) -> bool {
        !self.engines.is_empty() || self.max_entries.is_some() || self.max_size.is_some()
    }

    /// Divides the parts of one output among several. Returns the numbers of the parts of each.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output.
    pub(super) fn split(&self, parts: &[&Part<'_>], to: Format) -> Result<Vec<Vec<u32>>, Finding> {
        let names: Vec<&[u8]> = parts.iter().map(|it| it.name().as_bytes()).collect();
        let sets = one_name(self.engines, to, &names);
        let mut items = Vec::with_capacity(parts.len());
        for (part, set) in parts.iter().zip(sets) {
            items.push(SplitItem {
                size: part.size(),
                name_len: part.name().as_bytes().len(),
                payload: part.payload,
                set,
            });
        }
        let mut lists = match partition(&items, to, self.limits(to)) {
            Ok(lists) => lists,
            Err(unfit) => return Err(self.unfit(unfit, &items, parts, to)),
        };
        for place in lists.iter_mut().flatten() {
            let part = parts.get(*place as usize);
            *place = part.map_or(0, |part| u32::try_from(part.number).unwrap_or(u32::MAX));
        }
        Ok(lists)
    }

    /// The error for entries that fit into no output.
    fn unfit(&self, unfit: Unfit, items: &[SplitItem], parts: &[&Part<'_>], to: Format) -> Finding {
        let limits = self.limits(to);
        let over = unfit.measure.bytes > limits.max_bytes;
        let own = self.max_entries.map(NonZeroU64::get);
        let (value, unit, limit, whose) = if over {
            let (value, limit) = (unfit.measure.bytes, limits.max_bytes);
            let sets = |its: Limits| its.max_bytes == limit;
            let whose = self.whose(to, self.max_size == Some(limit), sets, "--max-size");
            (value, "bytes", limit, whose)
        } else {
            let (value, limit) = (unfit.measure.entries, limits.max_entries);
            let sets = |its: Limits| its.max_entries == limit;
            let whose = self.whose(to, own == Some(limit), sets, "--max-entries");
            (value, "entries", limit, whose)
        };
        let size = format!("an archive of {value} {unit}, but {whose} allows only {limit}");
        let of_set = items.iter().filter(|item| item.set as usize == unfit.first);
        let error = match of_set.count() {
            1 => Finding::error(Notice::FitsNoPart, format!("this entry needs {size}")),
            together => Finding::error(
                Notice::GroupFitsNoPart,
                format!("the {together} entries of this name must stay together and need {size}"),
            ),
        };
        match parts.get(unfit.first) {
            Some(part) => error.of_entry(&part.entry),
            None => error,
        }
    }

    /// The smallest of all limits.
    fn limits(&self, to: Format) -> Limits {
        let own = Limits {
            max_entries: self.max_entries.map_or(u64::MAX, NonZeroU64::get),
            max_bytes: self.max_size.unwrap_or(u64::MAX),
        };
        let engines = self.engines.iter();
        let engines = engines.map(|engine| engine.profile().limits(to));
        engines.fold(own.and(Limits::default()), Limits::and)
    }

    /// Names what sets the limit that is exceeded: the option, an engine, or the format.
    fn whose(
        &self,
        to: Format,
        own: bool,
        is_its: impl Fn(Limits) -> bool,
        option: &'static str,
    ) -> &'static str {
        let mut engines = self.engines.iter();
        match engines.find(|engine| is_its(engine.profile().limits(to))) {
            _ if own => option,
            Some(engine) => engine.name(),
            None => "the format",
        }
    }
}

/// The default format to write for these engines: the format of their paks if all of them read it, otherwise ZIP if
/// all of them read that.
#[must_use]
pub fn common_format(engines: Engines) -> Option<Format> {
    let first = engines.iter().next()?.profile().layout;
    let mut formats = [first, Format::Pk3].into_iter();
    formats.find(|format| engines.iter().all(|engine| engine.profile().reads(*format)))
}

/// A sentence about the formats that engines read. Engines that read the same formats are named together.
fn formats_in_words(engines: Engines) -> String {
    let mut groups: Vec<(Vec<Format>, Vec<&str>)> = Vec::new();
    for engine in engines.iter() {
        let profile = engine.profile();
        let mut reads = vec![profile.layout];
        reads.extend(Some(Format::Pk3).filter(|it| profile.layout != *it && profile.reads(*it)));
        match groups.iter_mut().find(|(other, _)| *other == reads) {
            Some((_, names)) => names.push(engine.name()),
            None => groups.push((reads, vec![engine.name()])),
        }
    }
    let words = groups.iter().map(|(reads, names)| {
        let reads: Vec<&str> = reads.iter().map(|format| format.as_str()).collect();
        let (names, verb) = (
            names.join(", "),
            if names.len() == 1 { "reads" } else { "read" },
        );
        format!("{names} {verb} {}", reads.join(" and "))
    });
    words.collect::<Vec<String>>().join("; ")
}
