//! Pairs the items of an old collection with those of a new one: by name, and the others by content.

use core::cmp::Ordering;
use core::hash::Hash;
use std::collections::{HashMap, VecDeque};

/// An item before and after a change. One of them may be missing.
pub(crate) type Pair<T> = (Option<T>, Option<T>);

/// An item of a collection.
pub(crate) trait Named {
    fn name(&self) -> &[u8];

    /// Whether two items of one name have the same content. `None` as long as no content is known.
    fn is_same(&self, other: &Self) -> Option<bool>;
}

/// Pairs the items of two collections, each sorted by name. Leaves out items that are known to be the same.
///
/// Of items with the same name, those at the beginning and at the end that are the same belong together. The others are
/// paired in order.
pub(crate) fn by_name<'i, T: Named>(mut old: &'i [T], mut new: &'i [T]) -> Vec<Pair<&'i T>> {
    let mut pairs = Vec::new();
    while let ([a, olds @ ..], [b, news @ ..]) = (old, new) {
        match (a.name().cmp(b.name()), a.is_same(b)) {
            (Ordering::Less, _) => {
                pairs.push((Some(a), None));
                old = olds;
            }
            (Ordering::Greater, _) => {
                pairs.push((None, Some(b)));
                new = news;
            }
            (Ordering::Equal, Some(true)) => (old, new) = (olds, news),
            (Ordering::Equal, None) => {
                pairs.push((Some(a), Some(b)));
                (old, new) = (olds, news);
            }
            (Ordering::Equal, Some(false)) => {
                let (of_old, of_new);
                (of_old, old) = split_at_next_name(old, a.name());
                (of_new, new) = split_at_next_name(new, a.name());
                pair_in_order(of_old, of_new, &mut pairs);
            }
        }
    }
    pairs.extend(old.iter().map(|a| (Some(a), None)));
    pairs.extend(new.iter().map(|b| (None, Some(b))));
    pairs
}

/// The items of this name at the beginning, and the rest.
fn split_at_next_name<'i, T: Named>(items: &'i [T], name: &[u8]) -> (&'i [T], &'i [T]) {
    let len = items.iter().take_while(|item| item.name() == name).count();
    items.split_at(len)
}

/// Pairs the items of one name, of which the first are not the same.
fn pair_in_order<'i, T: Named>(mut old: &'i [T], mut new: &'i [T], pairs: &mut Vec<Pair<&'i T>>) {
    while let ([olds @ .., a], [news @ .., b]) = (old, new)
        && a.is_same(b) == Some(true)
    {
        (old, new) = (olds, news);
    }
    while !(old.is_empty() && new.is_empty()) {
        match (old.split_off_first(), new.split_off_first()) {
            (Some(a), Some(b)) if a.is_same(b) == Some(true) => {}
            pair => pairs.push(pair),
        }
    }
}

/// Joins pairs: an item without a new one gets the first new item that has the same content and no old one. `content`
/// is what equal contents have in common, or `None` if the content is not known.
///
/// The joined pair is where the new item was.
pub(crate) fn by_content<T, K: Eq + Hash>(
    pairs: &mut Vec<Pair<T>>,
    content: impl Fn(&T) -> Option<K>,
) {
    let mut gone: HashMap<K, VecDeque<usize>> = HashMap::new();
    for (place, pair) in pairs.iter().enumerate() {
        if let (Some(old), None) = pair
            && let Some(key) = content(old)
        {
            gone.entry(key).or_default().push_back(place);
        }
    }
    if gone.is_empty() {
        return;
    }
    for place in 0..pairs.len() {
        let Some((None, Some(new))) = pairs.get(place) else {
            continue;
        };
        let former = content(new).and_then(|key| gone.get_mut(&key)?.pop_front());
        let former = former.and_then(|former| pairs.get_mut(former)?.0.take());
        if let Some((old, _)) = pairs.get_mut(place) {
            *old = former;
        }
    }
    pairs.retain(|(old, new)| old.is_some() || new.is_some());
}

/// Marks the numbers that belong to a longest increasing subsequence. All numbers must be different.
pub(crate) fn longest_rise(numbers: &[usize]) -> Vec<bool> {
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
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A name and a content.
    type Item = (u8, u8);

    impl Named for Item {
        fn name(&self) -> &[u8] {
            core::slice::from_ref(&self.0)
        }

        fn is_same(&self, other: &Self) -> Option<bool> {
            Some(self.1 == other.1)
        }
    }

    /// A name alone.
    #[derive(Debug, PartialEq)]
    struct Unread(u8);

    impl Named for Unread {
        fn name(&self) -> &[u8] {
            core::slice::from_ref(&self.0)
        }

        fn is_same(&self, _: &Self) -> Option<bool> {
            None
        }
    }

    #[test]
    fn items_without_a_known_content_are_paired_in_order() {
        let [old, new] = [b"abbc", b"bbbd"].map(|names| names.map(Unread));
        let mut names = Vec::new();
        for (a, b) in by_name(&old, &new) {
            names.push((a.map(|it| it.0), b.map(|it| it.0)));
        }
        let (a, b, c, d) = (Some(b'a'), Some(b'b'), Some(b'c'), Some(b'd'));
        assert_eq!(names, [(a, None), (b, b), (b, b), (None, b), (c, None), (None, d)]);
    }

    fn items() -> impl Strategy<Value = Vec<Item>> {
        let items = proptest::collection::vec((0..4_u8, 0..3_u8), 0..12);
        items.prop_map(|mut items| {
            items.sort_by_key(|(name, _)| *name);
            items
        })
    }

    /// The items of each name as strings, of which everything common at both ends is cut off.
    fn naive_by_name(old: &[Item], new: &[Item]) -> Vec<Pair<Item>> {
        let names: BTreeSet<u8> = old.iter().chain(new).map(|(name, _)| *name).collect();
        let mut pairs = Vec::new();
        for name in names {
            let of_name = |items: &[Item]| -> Vec<Item> {
                items.iter().copied().filter(|it| it.0 == name).collect()
            };
            let (mut old, mut new) = (of_name(old), of_name(new));
            while !old.is_empty() && old.first() == new.first() {
                old.remove(0);
                new.remove(0);
            }
            while !old.is_empty() && old.last() == new.last() {
                old.pop();
                new.pop();
            }
            for place in 0..old.len().max(new.len()) {
                let pair = (old.get(place).copied(), new.get(place).copied());
                if pair.0 != pair.1 {
                    pairs.push(pair);
                }
            }
        }
        pairs
    }

    /// For each new item in turn, looks through all old ones.
    fn naive_by_content(pairs: &[Pair<Item>]) -> Vec<Pair<Item>> {
        let mut pairs = pairs.to_vec();
        for place in 0..pairs.len() {
            let (None, Some((_, content))) = pairs[place] else {
                continue;
            };
            let is_former = |(old, new): &Pair<Item>| {
                new.is_none() && content > 0 && old.is_some_and(|(_, former)| former == content)
            };
            if let Some(former) = pairs.iter().position(is_former) {
                pairs[place].0 = pairs[former].0.take();
            }
        }
        pairs.retain(|pair| *pair != (None, None));
        pairs
    }

    #[test]
    fn items_of_one_name_are_paired_in_order() {
        let old = [(b'a', 1), (b'a', 2), (b'a', 3)];
        assert_eq!(
            by_name(&old[..2], &[(b'a', 2), (b'a', 1)]),
            [(Some(&(b'a', 1)), Some(&(b'a', 2))), (Some(&(b'a', 2)), Some(&(b'a', 1)))]
        );
        let without_second = [(b'a', 1), (b'a', 3)];
        assert_eq!(by_name(&old, &without_second), [(Some(&(b'a', 2)), None)]);
        let twice = [(b'a', 1), (b'a', 1)];
        assert_eq!(by_name(&old[..1], &twice), [(None, Some(&(b'a', 1)))]);
    }

    #[test]
    fn of_what_has_moved_as_much_as_possible_stays() {
        assert!(longest_rise(&[]).is_empty());
        assert_eq!(longest_rise(&[3, 0, 1, 2]), [false, true, true, true]);
        assert_eq!(longest_rise(&[1, 2, 3, 0]), [true, true, true, false]);
        assert_eq!(longest_rise(&[2, 1, 0]).iter().filter(|stays| **stays).count(), 1);
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_naive_versions(old in items(), new in items()) {
            let mut pairs: Vec<Pair<Item>> = Vec::new();
            for (old, new) in by_name(&old, &new) {
                pairs.push((old.copied(), new.copied()));
            }
            prop_assert_eq!(&pairs, &naive_by_name(&old, &new));
            let joined = naive_by_content(&pairs);
            by_content(&mut pairs, |(_, content)| (*content > 0).then_some(*content));
            prop_assert_eq!(pairs, joined);
        }

        #[test]
        fn a_collection_does_not_differ_from_itself(items in items()) {
            prop_assert!(by_name(&items, &items).is_empty());
        }

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
