//! Pairs the entries of two sides by name and order, and finds out which pairs have the same content.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};
use std::sync::Arc;

use crate::archive::{Archive, Entry};
use crate::ops::catalogue::{self, ContentHash, Trouble};
use crate::ops::context::Context;
use crate::ops::finding::{self, Finding};
use crate::ops::source::Selection;

/// A fingerprint: two contents that are the same have the same one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Print {
    /// The keyed hash of the bytes that could be decoded, and of their number. That number is less than the size
    /// only if the entry is damaged.
    keyed: u64,
    damaged: bool,
}

/// The fingerprints of the contents of two sides, by the places of their entries.
pub(super) struct Contents {
    one: Vec<Option<Print>>,
    other: Vec<Option<Print>>,
}

impl Contents {
    /// Decodes the entries that can be the same: pairs with the same size, and entries without a partner if an
    /// entry without a partner on the other side has the same size. Entries that cannot be decoded are reported
    /// through `tell`.
    pub(super) fn read(
        context: &Context<'_>,
        [one, other]: [&[Arc<Archive>]; 2],
        matched: &Matched<'_>,
        max_expansion: Option<u64>,
        tell: &mut dyn FnMut(Finding),
    ) -> Result<Self, Finding> {
        let (mut of_one, mut of_other) = (Vec::new(), Vec::new());
        for (a, b) in &matched.pairs {
            if a.entry.size() == b.entry.size() {
                of_one.push(*a);
                of_other.push(*b);
            }
        }
        of_one.extend(of_sizes(&matched.removed, &matched.added));
        of_other.extend(of_sizes(&matched.added, &matched.removed));
        let one = contents(context, one, of_one, max_expansion)?;
        let other = contents(context, other, of_other, max_expansion)?;
        let start = Keyed::default();
        Ok(Self {
            one: prints(context, &one, &start, tell),
            other: prints(context, &other, &start, tell),
        })
    }

    /// Whether an entry of one side has the same content as an entry of the other.
    pub(super) fn are_same(&self, a: &Item<'_>, b: &Item<'_>) -> bool {
        let (one, other) = (print_of(&self.one, a), print_of(&self.other, b));
        one.is_some() && one == other
    }

    /// Removes entries that have the same content under names that only one side has, and returns them in pairs:
    /// the first of one side with the first of the other.
    pub(super) fn take_renamed<'a>(&self, matched: &mut Matched<'a>) -> Vec<(Item<'a>, Item<'a>)> {
        let mut new: HashMap<Print, VecDeque<Item<'a>>> = HashMap::new();
        for item in &matched.added {
            if let Some(print) = print_of(&self.other, item).filter(|it| !it.damaged) {
                new.entry(print).or_default().push_back(*item);
            }
        }
        let (mut renamed, mut removed) = (Vec::new(), Vec::new());
        for item in std::mem::take(&mut matched.removed) {
            let alike = print_of(&self.one, &item).and_then(|print| new.get_mut(&print));
            match alike.and_then(VecDeque::pop_front) {
                Some(partner) => renamed.push((item, partner)),
                None => removed.push(item),
            }
        }
        matched.removed = removed;
        let taken: HashSet<usize> = renamed.iter().map(|(_, it)| it.place).collect();
        matched.added.retain(|item| !taken.contains(&item.place));
        renamed
    }
}

/// The content of an entry, if it was read.
fn print_of(prints: &[Option<Print>], item: &Item<'_>) -> Option<Print> {
    *prints.get(item.place)?
}

/// The contents of some entries of these archives, for each archive.
fn contents<'a>(
    context: &Context<'_>,
    archives: &'a [Arc<Archive>],
    mut items: Vec<Item<'a>>,
    max_expansion: Option<u64>,
) -> Result<Vec<(&'a Archive, catalogue::Contents<'a>)>, Finding> {
    items.sort_unstable_by_key(|item| item.place);
    let (mut contents, mut base) = (Vec::new(), 0);
    let mut items = items.into_iter().peekable();
    for archive in archives {
        base += archive.len();
        let mut entries = Vec::new();
        while let Some(item) = items.next_if(|item| item.place < base) {
            entries.push(item.entry);
        }
        let of_archive = catalogue::Contents::of(context, archive, entries, max_expansion)?;
        contents.push((&**archive, of_archive));
    }
    Ok(contents)
}

/// The entries that are not empty and have the size of one of the others.
fn of_sizes<'a>(items: &[Item<'a>], others: &[Item<'_>]) -> Vec<Item<'a>> {
    let sizes: HashSet<u64> = others.iter().map(|item| item.entry.size()).collect();
    let mut alike = items.to_vec();
    alike.retain(|item| item.entry.size() > 0 && sizes.contains(&item.entry.size()));
    alike
}

/// The fingerprints of the contents of one side, by the places of their entries.
fn prints(
    context: &Context<'_>,
    side: &[(&Archive, catalogue::Contents<'_>)],
    start: &Keyed,
    tell: &mut dyn FnMut(Finding),
) -> Vec<Option<Print>> {
    let mut prints = Vec::new();
    for (archive, contents) in side {
        let base = prints.len();
        prints.resize(base + archive.len(), None);
        for content in contents.hash(context, start.clone()) {
            let mut print = Print {
                keyed: content.digest,
                damaged: false,
            };
            // A stop is no damage; nothing is judged after it.
            if let Some(Trouble::Damaged(error)) = content.trouble
                && !error.is_stop()
            {
                print.damaged = true;
                tell(error);
            }
            if let Some(of_entry) = prints.get_mut(base + content.entry.index()) {
                *of_entry = Some(print);
            }
        }
        if let Some(reserved) = finding::reserved_reading(archive) {
            tell(reserved);
        }
    }
    prints
}

/// A keyed hash of a content and its length. The key is random, and new for each run.
#[derive(Clone)]
struct Keyed {
    keyed: DefaultHasher,
    len: u64,
}

impl Default for Keyed {
    fn default() -> Self {
        Self {
            keyed: RandomState::new().build_hasher(),
            len: 0,
        }
    }
}

impl ContentHash for Keyed {
    type Digest = u64;

    fn add(&mut self, piece: &[u8]) {
        self.len += piece.len() as u64;
        self.keyed.write(piece);
    }

    fn finish(mut self) -> u64 {
        self.keyed.write_u64(self.len);
        self.keyed.finish()
    }
}

/// An entry of one of the two sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) entry: Entry<'a>,
    /// Its number among the entries of all archives of its side.
    pub(super) place: usize,
}

/// The entries of two sides, paired by name. Entries with the same name are paired in order.
#[derive(Debug, Default)]
pub(super) struct Matched<'a> {
    /// Entries of the first side and of the second, in the first one's order.
    pub(super) pairs: Vec<(Item<'a>, Item<'a>)>,
    /// The entries that only the first side has, in its order.
    pub(super) removed: Vec<Item<'a>>,
    /// The entries that only the second side has, in its order.
    pub(super) added: Vec<Item<'a>>,
}

impl<'a> Matched<'a> {
    pub(super) fn new(
        one: &'a [Arc<Archive>],
        other: &'a [Arc<Archive>],
        selection: &Selection,
    ) -> Self {
        let mut matched = Self::default();
        let mut rest = by_name(other, selection).into_iter().peekable();
        for item in by_name(one, selection) {
            let name = item.entry.name();
            while let Some(added) = rest.next_if(|it| it.entry.name() < name) {
                matched.added.push(added);
            }
            match rest.next_if(|it| it.entry.name() == name) {
                Some(partner) => matched.pairs.push((item, partner)),
                None => matched.removed.push(item),
            }
        }
        matched.added.extend(rest);
        matched.pairs.sort_unstable_by_key(|(item, _)| item.place);
        matched.removed.sort_unstable_by_key(|item| item.place);
        matched.added.sort_unstable_by_key(|item| item.place);
        matched
    }
}

/// The selected entries, sorted by name. Entries with the same name keep the order of their archives.
fn by_name<'a>(archives: &'a [Arc<Archive>], selection: &Selection) -> Vec<Item<'a>> {
    let (mut items, mut base) = (Vec::new(), 0);
    for archive in archives {
        for entry in selection.entries(archive) {
            let place = base + entry.index();
            items.push(Item { entry, place });
        }
        base += archive.len();
    }
    items.sort_unstable_by_key(|item| (item.entry.name(), item.place));
    items
}

/// Marks the numbers that belong to a longest increasing subsequence. All numbers must be different.
pub(super) fn longest_rise(numbers: &[usize]) -> Vec<bool> {
    // The last place of the best rise of each length, and before each place the one it follows.
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut before = Vec::with_capacity(numbers.len());
    for (place, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|(end, _)| end < number);
        let shorter = length.checked_sub(1).and_then(|shorter| ends.get(shorter));
        before.push(shorter.map(|(_, place)| *place));
        match ends.get_mut(length) {
            Some(end) => *end = (*number, place),
            None => ends.push((*number, place)),
        }
    }
    let mut belongs = vec![false; numbers.len()];
    let mut at = ends.last().map(|(_, place)| *place);
    while let Some(place) = at {
        if let Some(belongs) = belongs.get_mut(place) {
            *belongs = true;
        }
        at = before.get(place).copied().flatten();
    }
    belongs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn of_what_has_moved_as_much_as_possible_stays() {
        assert!(longest_rise(&[]).is_empty());
        assert_eq!(longest_rise(&[3, 0, 1, 2]), [false, true, true, true]);
        assert_eq!(longest_rise(&[1, 2, 3, 0]), [true, true, true, false]);
        assert_eq!(
            longest_rise(&[2, 1, 0])
                .iter()
                .filter(|stays| **stays)
                .count(),
            1
        );
    }

    proptest! {
        #[test]
        fn no_selection_that_rises_is_longer(
            numbers in Just((0..9_usize).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let rises = |picked: &[usize]| picked.is_sorted();
            let best = (0..1_u32 << numbers.len())
                .map(|mask| {
                    let bit = |place: usize| mask >> place & 1 == 1;
                    let picked = numbers.iter().enumerate().filter(|(place, _)| bit(*place));
                    picked.map(|(_, number)| *number).collect::<Vec<_>>()
                })
                .filter(|picked| rises(picked))
                .map(|picked| picked.len())
                .max();
            let stays = longest_rise(&numbers);
            let kept = numbers.iter().zip(stays).filter(|(_, stays)| *stays);
            let kept: Vec<usize> = kept.map(|(number, _)| *number).collect();
            prop_assert!(rises(&kept));
            prop_assert_eq!(Some(kept.len()), best);
        }
    }
}
