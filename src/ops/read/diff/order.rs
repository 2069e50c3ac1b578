//! Which entries belong together, and which of them have moved.

use std::collections::{HashMap, HashSet, VecDeque};

use super::contents::{Contents, Print};
use crate::archive::{Archive, Entry};
use crate::ops::select::Selection;

/// Which entry of one archive is meant by which of the other: those of one name in order, the first by
/// the first.
#[derive(Debug, Default)]
pub(super) struct Matched<'a> {
    /// Entries of the first archive and of the second, in the first one's order.
    pub(super) pairs: Vec<(Entry<'a>, Entry<'a>)>,
    /// What only the first one has, in its order.
    pub(super) removed: Vec<Entry<'a>>,
    /// What only the second one has, in its order.
    pub(super) added: Vec<Entry<'a>>,
}

impl<'a> Matched<'a> {
    pub(super) fn new(one: &'a Archive, other: &'a Archive, selection: &Selection) -> Self {
        let mut matched = Self::default();
        let mut rest = by_name(other, selection).into_iter().peekable();
        for entry in by_name(one, selection) {
            let only = || rest.next_if(|it| it.name() < entry.name());
            matched.added.extend(std::iter::from_fn(only));
            match rest.next_if(|it| it.name() == entry.name()) {
                Some(partner) => matched.pairs.push((entry, partner)),
                None => matched.removed.push(entry),
            }
        }
        matched.added.extend(rest);
        matched
            .pairs
            .sort_unstable_by_key(|(entry, _)| entry.index());
        matched.removed.sort_unstable_by_key(Entry::index);
        matched.added.sort_unstable_by_key(Entry::index);
        matched
    }

    /// Takes out what has the same content under names that only one of the two archives has: the first
    /// of the one with the first of the other.
    pub(super) fn take_renamed(&mut self, contents: &Contents) -> Vec<(Entry<'a>, Entry<'a>)> {
        let sound = |print: Option<Print>| print.filter(Print::is_sound);
        let mut new: HashMap<(Print, u64), VecDeque<Entry<'a>>> = HashMap::new();
        for entry in self.added.iter().filter(|entry| entry.size() > 0) {
            if let Some(print) = sound(contents.of_other(entry)) {
                let alike = new.entry((print, entry.size())).or_default();
                alike.push_back(*entry);
            }
        }
        let partner = |entry: &Entry<'a>| {
            let print = sound(contents.of_one(entry))?;
            new.get_mut(&(print, entry.size()))?.pop_front()
        };
        let partners: Vec<_> = self.removed.iter().map(partner).collect();
        let removed = std::mem::take(&mut self.removed).into_iter().zip(partners);
        let mut renamed = Vec::new();
        for (entry, partner) in removed {
            match partner {
                Some(partner) => renamed.push((entry, partner)),
                None => self.removed.push(entry),
            }
        }
        let taken: HashSet<usize> = renamed.iter().map(|(_, it)| it.index()).collect();
        self.added.retain(|entry| !taken.contains(&entry.index()));
        renamed
    }
}

/// The entries that are meant, sorted by name, those of one name in the directory's order.
fn by_name<'a>(archive: &'a Archive, selection: &Selection) -> Vec<Entry<'a>> {
    let mut entries = selection.entries(archive);
    entries.sort_unstable_by_key(|entry| (entry.name(), entry.index()));
    entries
}

/// Which of these numbers, all different, belong to a longest selection that rises.
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
    use super::*;
    use proptest::prelude::*;

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
