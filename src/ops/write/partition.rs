//! Which entry goes into which part: a pure function of names, sizes and limits.
//!
//! Entries of one name make a **set**, which stays together in the part of its first entry: then
//! whichever of them an engine serves out of one pak, it serves out of the part. Parts are filled in
//! the order of the entries, and one that the next set does not fit into is closed for good. Within
//! a part the order of the entries is kept.
//!
//! A payload that entries share takes its room once in each part that has one of them.

use std::borrow::Cow;

use crate::archive::{Case, Format};
use crate::engine::Names;
use crate::format::Limits;

/// What matters of an entry here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    /// How much its payload takes at most.
    pub(super) size: u64,
    /// How long its name is.
    pub(super) name_len: usize,
    /// The number of the first entry with the same payload.
    pub(super) payload: u32,
    /// The number of the first entry of the same name.
    pub(super) set: u32,
}

/// How large a pak is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) entries: u64,
    /// Of the whole file.
    pub(super) bytes: u64,
}

/// A set that no pak within the limits can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unfit {
    /// The number of its first entry.
    pub(super) first: usize,
    /// A pak of it alone.
    pub(super) measure: Measure,
}

/// The entries of each part, by their numbers. There is none without entries.
pub(super) fn partition(
    items: &[Item],
    layout: Format,
    limits: Limits,
) -> Result<Vec<Vec<u32>>, Unfit> {
    let max_entries = limits.max_entries.min(layout.most_entries());
    let max_bytes = limits.max_bytes.min(layout.number_max());
    let empty = Measure {
        entries: 0,
        bytes: layout.frame_len(),
    };
    let besides = |name_len| layout.lead_len(name_len) + layout.entry_len(name_len);
    let fits = |measure: Measure| measure.entries <= max_entries && measure.bytes <= max_bytes;
    let next = chains(items);
    // The last part that took an entry, and the last that took a payload.
    let mut part_of = vec![NONE; items.len()];
    let mut payload_in = vec![NONE; items.len()];
    let (mut part, mut filled) = (0, empty);
    for index in 0..items.len() {
        if items
            .get(index)
            .is_none_or(|item| item.set as usize != index)
        {
            continue;
        }
        let set = || core::iter::successors(Some(index), |at| link(&next, *at));
        loop {
            let mut grown = filled;
            for item in set().filter_map(|member| items.get(member)) {
                grown.entries += 1;
                grown.bytes = grown.bytes.saturating_add(besides(item.name_len));
                // Marks that a set leaves which does not fit are of a part that is closed.
                if let Some(last) = payload_in.get_mut(item.payload as usize)
                    && *last != part
                {
                    *last = part;
                    grown.bytes = grown.bytes.saturating_add(item.size);
                }
            }
            if fits(grown) {
                filled = grown;
                break;
            }
            if filled == empty {
                let (first, measure) = (index, grown);
                return Err(Unfit { first, measure });
            }
            (part, filled) = (part + 1, empty);
        }
        for member in set() {
            if let Some(place) = part_of.get_mut(member) {
                *place = part;
            }
        }
    }
    Ok(lists(&part_of, part))
}

/// For each name the number of the first that is the same to an engine. A name that it never finds
/// is its own, as it is spelled.
pub(super) fn sets<'a>(count: usize, names: Names, name: impl Fn(usize) -> &'a [u8]) -> Vec<u32> {
    let clean = |index| {
        let name = name(index);
        names.clean_entry(name).unwrap_or(Cow::Borrowed(name))
    };
    let cleaned: Vec<Cow<'_, [u8]>> = (0..count).map(clean).collect();
    let mut firsts: Vec<u32> = (0_u32..).take(count).collect();
    let mut sorted = firsts.clone();
    let name = |index: u32| cleaned.get(index as usize).map_or(&[][..], |name| name);
    let compare = |a: &u32, b: &u32| {
        let (a, b) = (name(*a), name(*b));
        match names.case {
            Case::Matters => a.cmp(b),
            Case::Ignored => {
                let (a, b) = (a.iter(), b.iter());
                a.map(u8::to_ascii_lowercase)
                    .cmp(b.map(u8::to_ascii_lowercase))
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

/// Entries that either of two rules puts into one set, by the number of the first of them.
pub(super) fn joined(mut firsts: Vec<u32>, others: &[u32]) -> Vec<u32> {
    fn root(firsts: &[u32], mut at: u32) -> u32 {
        while let Some(first) = firsts.get(at as usize).filter(|first| **first != at) {
            at = *first;
        }
        at
    }
    for (at, other) in (0_u32..).zip(others) {
        let (a, b) = (root(&firsts, at), root(&firsts, *other));
        for place in [a, b, at] {
            if let Some(first) = firsts.get_mut(place as usize) {
                *first = a.min(b);
            }
        }
    }
    for (at, _) in (0_u32..).zip(others) {
        let first = root(&firsts, at);
        if let Some(place) = firsts.get_mut(at as usize) {
            *place = first;
        }
    }
    firsts
}

/// No number of an entry or a part: there are fewer than 2^32 of either.
const NONE: u32 = u32::MAX;

/// For each entry the next one of its set.
fn chains(items: &[Item]) -> Vec<u32> {
    let mut next = vec![NONE; items.len()];
    let mut last: Vec<u32> = (0_u32..).take(items.len()).collect();
    for (index, item) in (0_u32..).zip(items) {
        let Some(last) = last
            .get_mut(item.set as usize)
            .filter(|_| item.set != index)
        else {
            continue;
        };
        if let Some(link) = next.get_mut(*last as usize) {
            *link = index;
        }
        *last = index;
    }
    next
}

fn link(next: &[u32], at: usize) -> Option<usize> {
    let next = next.get(at).copied().filter(|next| *next != NONE)?;
    Some(next as usize)
}

/// From the part of each entry to the entries of each part.
fn lists(part_of: &[u32], last: u32) -> Vec<Vec<u32>> {
    if part_of.is_empty() {
        return Vec::new();
    }
    let mut lists = vec![Vec::new(); last as usize + 1];
    for (index, part) in (0_u32..).zip(part_of) {
        if let Some(list) = lists.get_mut(*part as usize) {
            list.push(index);
        }
    }
    lists
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "a few dozen entries")]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::engine::Engine;

    /// How an engine takes names to which case matters, and one to which it does not.
    const EXACT: Names = Engine::Quake.profile().names;
    const FOLDED: Names = Engine::Quake2.profile().names;

    /// A name's letter and a payload's number and size, for each entry.
    type Entries = Vec<(&'static str, u32, u64)>;

    fn items(entries: &Entries, names: Names) -> Vec<Item> {
        let sets = sets(entries.len(), names, |index| entries[index].0.as_bytes());
        let payload = |number: u32| entries.iter().position(|entry| entry.1 == number);
        entries
            .iter()
            .zip(sets)
            .map(|((_, number, size), set)| Item {
                size: *size,
                name_len: 1,
                payload: payload(*number).unwrap() as u32,
                set,
            })
            .collect()
    }

    fn limits(max_entries: u64, max_bytes: u64) -> Limits {
        Limits {
            max_entries,
            max_bytes,
        }
    }

    fn quake(items: &[Item], limits: Limits) -> Result<Vec<Vec<u32>>, Unfit> {
        partition(items, Format::Quake, limits)
    }

    /// Entries of different names and payloads, of these sizes.
    fn plain(sizes: &[u64]) -> Vec<Item> {
        let item = |(index, size): (u32, &u64)| Item {
            size: *size,
            name_len: 1,
            payload: index,
            set: index,
        };
        (0..).zip(sizes).map(item).collect()
    }

    #[test]
    fn parts_are_filled_to_the_last_entry_and_the_last_byte() {
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
        let items = items(&entries, EXACT);
        assert_eq!(
            quake(&items, limits(3, 999)).unwrap(),
            [vec![0, 1, 3], vec![2]]
        );
        // Together they do not fit behind the first.
        assert_eq!(
            quake(&items, limits(2, 999)).unwrap(),
            [vec![0], vec![1, 3], vec![2]]
        );
        let unfit = quake(&items, limits(1, 999)).unwrap_err();
        assert_eq!((unfit.first, unfit.measure.entries), (1, 2));
        assert_eq!(unfit.measure.bytes, 12 + 2 * 65);
    }

    #[test]
    fn names_are_one_by_the_engines_rules() {
        let names = ["b", "a", "B", "b", "A", "x\\y", "x/y", "X\\y", "/x/y"];
        let name = |index: usize| names[index].as_bytes();
        let of = |engine: Engine| sets(9, engine.profile().names, name);
        assert_eq!(of(Engine::Quake), [0, 1, 2, 0, 4, 5, 6, 7, 8]);
        assert_eq!(of(Engine::Quake2), [0, 1, 0, 0, 1, 5, 6, 5, 8]);
        assert_eq!(of(Engine::DarkPlaces), [0, 1, 0, 0, 1, 5, 6, 5, 8]);
        assert_eq!(of(Engine::Fteqw), [0, 1, 0, 0, 1, 5, 5, 5, 5]);
        assert_eq!(of(Engine::Q2pro), [0, 1, 0, 0, 1, 5, 5, 5, 5]);
        assert_eq!(sets(9, Names::WIDEST, name), of(Engine::Q2pro));
    }

    #[test]
    fn a_shared_payload_takes_room_once_in_each_part() {
        let entries: Entries = vec![("a", 7, 100), ("b", 7, 100), ("c", 7, 100)];
        let items = items(&entries, EXACT);
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
        fn every_entry_is_in_one_part_and_every_part_as_full_as_it_can_be(
            raw in proptest::collection::vec((0..12_usize, 0..10_u32), 1..40),
            max_entries in 1..12_u64,
            max_bytes in 80..900_u64,
            ignored in any::<bool>(),
        ) {
            const NAMES: [&str; 12] =
                ["a", "A", "b", "B", "c", "d", "e", "f", "g", "h/i", "H/i", "j"];
            let case = if ignored { FOLDED } else { EXACT };
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
