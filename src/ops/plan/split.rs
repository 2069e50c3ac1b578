//! The limits for outputs, and the division of entries among outputs that keep them.
//!
//! Entries with the same name make a **set**. A set stays together in the part of its first entry, so an engine
//! serves the same entry from the part as from the whole archive. Parts are filled in the order of the entries. If
//! the next set does not fit into a part, the part is closed for good.
//!
//! A payload that several entries share is counted once in each part that has one of these entries. The size of a
//! part counts every entry as stored, because the encoded size is known only after encoding. So the same entries
//! make the same parts, whatever the encoder does and for any number of threads, and a part can be smaller than its
//! limit.

use core::num::NonZeroU64;
use std::borrow::Cow;
use std::collections::HashSet;

use crate::archive::error::ErrorKind;
use crate::archive::{Case, Format};
use crate::engine::{Engine, Engines, Names};
use crate::format::Limits;
use crate::ops::finding::{Finding, Help, UserLimit};
use crate::ops::plan::part::PartList;

/// The rules for outputs. By default, only the limits of the format apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// The engines that the outputs are for. The limits of all of them apply. Two names are the same if the only engine
    /// treats them as the same, or if there is not exactly one, any engine at all.
    pub engines: Engines,
    /// The most entries of an output.
    pub max_entries: Option<NonZeroU64>,
    /// The most bytes of an output file.
    pub max_size: Option<u64>,
}

impl Rules {
    /// Checks that an output in this format can follow the rules.
    pub(crate) fn check(&self, to: Format) -> Result<(), Finding> {
        if !to.spec().is_written() {
            return Err(ErrorKind::NotWritten { format: to }.into());
        }
        let unable: Vec<Engine> =
            (self.engines.iter()).filter(|engine| !engine.profile().reads(to)).collect();
        let Some(first) = unable.first() else {
            return Ok(());
        };
        if common_format(self.engines).is_none() {
            let why = format!(
                "these engines have no format in common: {}",
                formats_in_words(self.engines)
            );
            return Err(Finding::error(why)
                .advice("name only engines that read the same format, and write another archive for the others"));
        }
        let wanted = first.profile().layout();
        let engines: Engines =
            (unable.iter().copied()).filter(|engine| engine.profile().layout() == wanted).collect();
        let why = format!(
            "daisho writes {wanted} archives for {engines}, but you asked for {} one",
            to.with_article()
        );
        Err(Finding::error(why)
            .advice("name an engine that reads that format")
            .help(Help::OutputDecides))
    }

    /// Whether the rules can require a split.
    pub(crate) const fn limit(&self) -> bool {
        !self.engines.is_empty() || self.max_entries.is_some() || self.max_size.is_some()
    }

    /// Divides the parts of one output among several. Returns the places of the parts of each.
    ///
    /// # Errors
    /// If entries that must stay together fit into no output.
    pub(super) fn split(&self, parts: &PartList<'_>, to: Format) -> Result<Vec<Vec<u32>>, Finding> {
        let names: Vec<&[u8]> = parts.iter().map(|it| it.name().as_bytes()).collect();
        let sets = sets(&names, rule_for(self.engines, to));
        let mut items = Vec::with_capacity(parts.len());
        for (place, (part, set)) in (0_u32..).zip(parts.iter().zip(sets)) {
            items.push(SplitItem {
                size: part.size(),
                name_len: part.name().as_bytes().len(),
                payload: part.shares.unwrap_or(place),
                set,
            });
        }
        partition(&items, to, self.limits(to)).map_err(|unfit| self.unfit(unfit, &items, parts, to))
    }

    /// The error for entries that fit into no output.
    fn unfit(
        &self,
        unfit: Unfit,
        items: &[SplitItem],
        parts: &PartList<'_>,
        to: Format,
    ) -> Finding {
        let limits = self.limits(to);
        let mut all = self.named_limits(to).into_iter();
        let (value, unit, limit, whose) = if unfit.measure.bytes > limits.max_bytes {
            let limit = limits.max_bytes;
            let whose = all.find(|(_, limits)| limits.max_bytes == limit);
            (unfit.measure.bytes, "bytes", limit, whose)
        } else {
            let limit = limits.max_entries;
            let whose = all.find(|(_, limits)| limits.max_entries == limit);
            (unfit.measure.entries, "entries", limit, whose)
        };
        let whose = whose.map_or("the format", |(whose, _)| whose);
        let size = format!("an archive of {value} {unit}, but {whose} allows only {limit}");
        let of_set = items.iter().filter(|item| item.set as usize == unfit.first);
        let error = match of_set.count() {
            1 => Finding::error(format!("this entry needs {size}"))
                .advice("leave it out, name an engine that allows more")
                .help(Help::Raise(UserLimit::ArchiveSize)),
            together => Finding::error(format!(
                "the {together} entries of this name must stay together and need {size}"
            ))
            .advice("leave some of them out, name an engine that allows more")
            .help(Help::Raise(UserLimit::ArchiveEntries)),
        };
        match parts.get(unfit.first) {
            Some(part) => error.of_entry(&part.entry),
            None => error,
        }
    }

    /// The smallest of all limits.
    fn limits(&self, to: Format) -> Limits {
        let all = self.named_limits(to).into_iter();
        all.fold(Limits::default(), |least, (_, limits)| least.and(limits))
    }

    /// The limits of the options and of the engines, each with the name of what sets it.
    fn named_limits(&self, to: Format) -> Vec<(&'static str, Limits)> {
        let format = Limits::default();
        let mut all = Vec::new();
        if let Some(max_bytes) = self.max_size {
            all.push(("--max-size", Limits { max_bytes, ..format }));
        }
        if let Some(max_entries) = self.max_entries.map(NonZeroU64::get) {
            all.push(("--max-entries", Limits { max_entries, ..format }));
        }
        for engine in self.engines.iter() {
            all.push((engine.as_str(), engine.profile().limits(to)));
        }
        all
    }
}

/// The default format to write for these engines: the format of their paks if all of them read it, otherwise ZIP if
/// all of them read that.
#[must_use]
pub fn common_format(engines: Engines) -> Option<Format> {
    let first = engines.iter().next()?.profile().layout();
    let mut formats = [first, Format::Pk3].into_iter();
    formats.find(|format| engines.iter().all(|engine| engine.profile().reads(*format)))
}

/// A sentence about the formats that engines read. Engines that read the same formats are named together.
fn formats_in_words(engines: Engines) -> String {
    let groups = engines.agreeing(|engine| {
        let profile = engine.profile();
        let mut reads = vec![profile.layout()];
        reads.extend(Some(Format::Pk3).filter(|it| profile.layout() != *it && profile.reads(*it)));
        reads
    });
    let words = groups.iter().map(|(reads, engines)| {
        let reads: Vec<&str> = reads.iter().map(|format| format.as_str()).collect();
        let verb = if engines.len() == 1 { "reads" } else { "read" };
        format!("{engines} {verb} {}", reads.join(" and "))
    });
    words.collect::<Vec<String>>().join("; ")
}

/// The rule by which names are the same: that of the only engine, or else names are the same if any engine treats them
/// as the same.
pub(super) fn rule_for(engines: Engines, to: Format) -> Names {
    let mut engines = engines.iter();
    match (engines.next(), engines.next()) {
        (Some(only), None) => only.profile().rules_in(to).names,
        _ => Names::WIDEST,
    }
}

/// The facts about an entry that the division needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SplitItem {
    /// The most bytes that its payload takes.
    pub(super) size: u64,
    /// How long its name is.
    pub(super) name_len: usize,
    /// The number of the first entry with the same payload.
    pub(super) payload: u32,
    /// The number of the first entry with the same name.
    pub(super) set: u32,
}

/// How large a pak is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) entries: u64,
    /// The length of the whole file.
    pub(super) bytes: u64,
}

/// A set that no pak within the limits can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unfit {
    /// The number of its first entry.
    pub(super) first: usize,
    /// The measure of a pak that contains only this set.
    pub(super) measure: Measure,
}

/// The entries of each part, by their numbers. No entries make no parts.
pub(super) fn partition(
    items: &[SplitItem],
    layout: Format,
    limits: Limits,
) -> Result<Vec<Vec<u32>>, Unfit> {
    let mut sets: Vec<Vec<u32>> = vec![Vec::new(); items.len()];
    for (index, item) in (0..).zip(items) {
        if let Some(set) = sets.get_mut(item.set as usize) {
            set.push(index);
        }
    }
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut open = OpenPart::new(layout, limits);
    for set in sets.iter().filter(|set| !set.is_empty()) {
        if open.take(set, items) {
            continue;
        }
        if !open.entries.is_empty() {
            let full = core::mem::replace(&mut open, OpenPart::new(layout, limits));
            parts.push(full.entries);
            if open.take(set, items) {
                continue;
            }
        }
        return Err(Unfit {
            first: set.first().map_or(0, |first| *first as usize),
            measure: open.with(set, items),
        });
    }
    if !open.entries.is_empty() {
        parts.push(open.entries);
    }
    for part in &mut parts {
        part.sort_unstable();
    }
    Ok(parts)
}

/// The part that is being filled.
struct OpenPart {
    layout: Format,
    limits: Limits,
    entries: Vec<u32>,
    payloads: HashSet<u32>,
    filled: Measure,
}

impl OpenPart {
    fn new(layout: Format, limits: Limits) -> Self {
        Self {
            layout,
            limits,
            entries: Vec::new(),
            payloads: HashSet::new(),
            filled: Measure { entries: 0, bytes: layout.spec().frame_len },
        }
    }

    /// Adds a set, if it fits.
    fn take(&mut self, set: &[u32], items: &[SplitItem]) -> bool {
        let grown = self.with(set, items);
        if grown.entries > self.limits.max_entries.min(self.layout.spec().entries_max)
            || grown.bytes > self.limits.max_bytes.min(self.layout.spec().number_max)
        {
            return false;
        }
        self.filled = grown;
        self.entries.extend(set);
        let items = set.iter().filter_map(|at| items.get(*at as usize));
        self.payloads.extend(items.map(|item| item.payload));
        true
    }

    /// How large the part would be with a set.
    fn with(&self, set: &[u32], items: &[SplitItem]) -> Measure {
        let mut grown = self.filled;
        let mut payloads = HashSet::new();
        for item in set.iter().filter_map(|at| items.get(*at as usize)) {
            let record = self.layout.spec().lead_len(item.name_len)
                + self.layout.spec().entry_len(item.name_len);
            grown.entries += 1;
            grown.bytes = grown.bytes.saturating_add(record);
            if !self.payloads.contains(&item.payload) && payloads.insert(item.payload) {
                grown.bytes = grown.bytes.saturating_add(item.size);
            }
        }
        grown
    }
}

/// For each name, the number of the first name that an engine treats as the same. A name that the engine never
/// finds is only the same as itself.
pub(super) fn sets(all: &[&[u8]], names: Names) -> Vec<u32> {
    let mut cleaned: Vec<Cow<'_, [u8]>> = Vec::with_capacity(all.len());
    for name in all {
        cleaned.push(names.clean_entry(name).unwrap_or(Cow::Borrowed(name)));
    }
    let mut firsts: Vec<u32> = (0_u32..).take(all.len()).collect();
    let mut sorted = firsts.clone();
    let name = |index: u32| cleaned.get(index as usize).map_or(&[][..], |name| name);
    let compare = |a: &u32, b: &u32| {
        let (a, b) = (name(*a), name(*b));
        match names.case {
            Case::Matters => a.cmp(b),
            Case::Ignored => {
                let (a, b) = (a.iter(), b.iter());
                a.map(u8::to_ascii_lowercase).cmp(b.map(u8::to_ascii_lowercase))
            }
        }
    };
    sorted.sort_unstable_by(|a, b| compare(a, b).then(a.cmp(b)));
    for same in sorted.chunk_by(|a, b| compare(a, b).is_eq()) {
        let [first, others @ ..] = same else {
            continue;
        };
        for other in others {
            if let Some(place) = firsts.get_mut(*other as usize) {
                *place = *first;
            }
        }
    }
    firsts
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "a few dozen entries")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::Engine;

    /// How an engine takes names to which case matters, and one to which it does not.
    fn names_of(engine: Engine) -> Names {
        *engine.profile().request_names()
    }

    /// A name's letter and a payload's number and size, for each entry.
    type Entries = Vec<(&'static str, u32, u64)>;

    fn items(entries: &Entries, names: Names) -> Vec<SplitItem> {
        let all: Vec<&[u8]> = entries.iter().map(|entry| entry.0.as_bytes()).collect();
        let sets = sets(&all, names);
        let payload = |number: u32| entries.iter().position(|entry| entry.1 == number);
        entries
            .iter()
            .zip(sets)
            .map(|((_, number, size), set)| SplitItem {
                size: *size,
                name_len: 1,
                payload: payload(*number).unwrap() as u32,
                set,
            })
            .collect()
    }

    fn limits(max_entries: u64, max_bytes: u64) -> Limits {
        Limits { max_entries, max_bytes }
    }

    fn quake(items: &[SplitItem], limits: Limits) -> Result<Vec<Vec<u32>>, Unfit> {
        partition(items, Format::Quake, limits)
    }

    /// Entries of different names and payloads, of these sizes.
    fn plain(sizes: &[u64]) -> Vec<SplitItem> {
        let item = |(index, size): (u32, &u64)| SplitItem {
            size: *size,
            name_len: 1,
            payload: index,
            set: index,
        };
        (0..).zip(sizes).map(item).collect()
    }

    #[test]
    fn parts_are_filled_to_the_last_entry_and_byte() {
        let items = plain(&[10; 5]);
        let in_twos = [vec![0, 1], vec![2, 3], vec![4]];
        assert_eq!(quake(&items, limits(2, u64::MAX)).unwrap(), in_twos);
        assert_eq!(quake(&items, limits(9, 12 + 2 * 74)).unwrap(), in_twos);
        let byte_less = quake(&items, limits(9, 12 + 2 * 74 - 1)).unwrap();
        assert_eq!(byte_less.len(), 5);
        let daikatana = partition(&items, Format::Daikatana, limits(9, 12 + 2 * 74));
        assert_eq!(daikatana.unwrap().len(), 5, "its records are longer");
        assert_eq!(quake(&items, limits(5, 12 + 5 * 74)).unwrap().len(), 1);
        // Two headers with a name of one byte each, and the end record.
        let most = 22 + 2 * (10 + 30 + 46 + 2);
        let zip = |most| partition(&items, Format::Pk3, limits(9, most)).unwrap();
        assert_eq!((zip(most).len(), zip(most - 1).len()), (3, 5));
        assert_eq!(quake(&[], limits(1, 1)).unwrap(), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn a_part_is_not_gone_back_to() {
        let items = plain(&[10, 900, 10]);
        let parts = quake(&items, limits(9, 1050)).unwrap();
        assert_eq!(parts, [vec![0, 1], vec![2]]);
        let parts = quake(&items, limits(9, 1049)).unwrap();
        assert_eq!(parts, [vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn a_set_goes_with_its_first_entry_as_a_whole() {
        let entries: Entries = vec![("a", 0, 1), ("b", 1, 1), ("c", 2, 1), ("b", 3, 1)];
        let items = items(&entries, names_of(Engine::Quake));
        assert_eq!(quake(&items, limits(3, 999)).unwrap(), [vec![0, 1, 3], vec![2]]);
        // Together they do not fit behind the first.
        assert_eq!(quake(&items, limits(2, 999)).unwrap(), [vec![0], vec![1, 3], vec![2]]);
        let unfit = quake(&items, limits(1, 999)).unwrap_err();
        assert_eq!((unfit.first, unfit.measure.entries), (1, 2));
        assert_eq!(unfit.measure.bytes, 12 + 2 * 65);
    }

    #[test]
    fn names_are_one_by_the_engines_rules() {
        let names = ["b", "a", "B", "b", "A", "x\\y", "x/y", "X\\y", "/x/y"];
        let names = names.map(str::as_bytes);
        let of = |engine: Engine| sets(&names, *engine.profile().request_names());
        assert_eq!(of(Engine::Quake), [0, 1, 2, 0, 4, 5, 6, 7, 8]);
        assert_eq!(of(Engine::Quake2), [0, 1, 0, 0, 1, 5, 6, 5, 8]);
        assert_eq!(of(Engine::DarkPlaces), [0, 1, 0, 0, 1, 5, 6, 5, 8]);
        assert_eq!(of(Engine::Fteqw), [0, 1, 0, 0, 1, 5, 5, 5, 5]);
        assert_eq!(of(Engine::Q2pro), [0, 1, 0, 0, 1, 5, 5, 5, 5]);
        assert_eq!(sets(&names, Names::WIDEST), of(Engine::Q2pro));
    }

    #[test]
    fn a_shared_payload_takes_room_once_in_each_part() {
        let entries: Entries = vec![("a", 7, 100), ("b", 7, 100), ("c", 7, 100)];
        let items = items(&entries, names_of(Engine::Quake));
        let one = limits(9, 12 + 100 + 3 * 64);
        assert_eq!(quake(&items, one).unwrap().len(), 1);
        let two = limits(9, one.max_bytes - 1);
        assert_eq!(quake(&items, two).unwrap(), [vec![0, 1], vec![2]]);
        let three = limits(9, 12 + 100 + 64);
        assert_eq!(quake(&items, three).unwrap().len(), 3);
        let none = limits(9, three.max_bytes - 1);
        assert_eq!(quake(&items, none).unwrap_err().first, 0);
    }

    /// How large a pak of these entries is, counted the plain way.
    fn naive(entries: &Entries, part: &[u32]) -> (u64, u64) {
        let mut seen = HashSet::new();
        let mut bytes = 12;
        for index in part {
            let (_, payload, size) = entries[*index as usize];
            bytes += 64 + if seen.insert(payload) { size } else { 0 };
        }
        (part.len() as u64, bytes)
    }

    proptest! {
        #[test]
        fn every_entry_is_in_one_part_and_parts_are_full(
            raw in proptest::collection::vec((0..12_usize, 0..10_u32), 1..40),
            max_entries in 1..12_u64,
            max_bytes in 80..900_u64,
            ignored in any::<bool>(),
        ) {
            const NAMES: [&str; 12] =
                ["a", "A", "b", "B", "c", "d", "e", "f", "g", "h/i", "H/i", "j"];
            let case = names_of(if ignored { Engine::Quake2 } else { Engine::Quake });
            let entries: Entries = raw
                .iter()
                .map(|(name, payload)| (NAMES[*name], *payload, u64::from(*payload) * 17))
                .collect();
            let key = |index: u32| {
                let name = entries[index as usize].0;
                if ignored { name.to_ascii_lowercase() } else { name.to_owned() }
            };
            let all: Vec<u32> = (0..entries.len() as u32).collect();
            let set_of = |index: u32| -> Vec<u32> {
                all.iter().copied().filter(|other| key(*other) == key(index)).collect()
            };
            let within = |part: &[u32]| {
                let (count, bytes) = naive(&entries, part);
                count <= max_entries && bytes <= max_bytes
            };
            let limits = limits(max_entries, max_bytes);
            match quake(&items(&entries, case), limits) {
                Err(unfit) => {
                    let set = set_of(unfit.first as u32);
                    prop_assert!(!within(&set));
                    let (count, bytes) = naive(&entries, &set);
                    prop_assert_eq!((unfit.measure.entries, unfit.measure.bytes), (count, bytes));
                }
                Ok(parts) => {
                    let mut union: Vec<u32> = parts.concat();
                    union.sort_unstable();
                    prop_assert_eq!(&union, &all);
                    for part in &parts {
                        prop_assert!(!part.is_empty() && part.is_sorted() && within(part));
                        for index in part {
                            prop_assert!(set_of(*index).iter().all(|it| part.contains(it)));
                        }
                    }
                    for pair in parts.windows(2) {
                        let with_next = [pair[0].clone(), set_of(pair[1][0])].concat();
                        prop_assert!(!within(&with_next), "there was room");
                    }
                }
            }
        }
    }
}
