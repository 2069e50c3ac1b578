//! Pairs the entries of two sides, and finds the entries that have moved.

use crate::archive::{Archive, Entry};
use crate::ops::source::Selection;

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
    pub(super) fn new(one: &'a [Archive], other: &'a [Archive], selection: &Selection) -> Self {
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
fn by_name<'a>(archives: &'a [Archive], selection: &Selection) -> Vec<Item<'a>> {
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
