//! Pairs the items of an old collection with those of a new one: by name, and the others by content.

use core::hash::Hash;
use std::collections::{HashMap, VecDeque};

/// An item before and after a change. One of them may be missing.
pub(crate) type Pair<T> = (Option<T>, Option<T>);

/// Pairs the items of two collections, each sorted by name. Items with the same name are paired in order.
pub(crate) fn by_name<'i, T, N: Ord>(
    mut old: &'i [T],
    mut new: &'i [T],
    name: impl Fn(&'i T) -> N,
) -> Vec<Pair<&'i T>> {
    let mut pairs = Vec::new();
    while let ([a, olds @ ..], [b, news @ ..]) = (old, new) {
        let order = name(a).cmp(&name(b));
        if order.is_le() {
            old = olds;
        }
        if order.is_ge() {
            new = news;
        }
        pairs.push((order.is_le().then_some(a), order.is_ge().then_some(b)));
    }
    pairs.extend(old.iter().map(|a| (Some(a), None)));
    pairs.extend(new.iter().map(|b| (None, Some(b))));
    pairs
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

    fn items() -> impl Strategy<Value = Vec<Item>> {
        let items = proptest::collection::vec((0..4_u8, 0..3_u8), 0..12);
        items.prop_map(|mut items| {
            items.sort_by_key(|(name, _)| *name);
            items
        })
    }

    /// The items of each name, paired in order.
    fn naive_by_name(old: &[Item], new: &[Item]) -> Vec<Pair<Item>> {
        let names: BTreeSet<u8> = old.iter().chain(new).map(|(name, _)| *name).collect();
        let mut pairs = Vec::new();
        for name in names {
            let of_name = |items: &[Item]| -> Vec<Item> {
                items.iter().copied().filter(|it| it.0 == name).collect()
            };
            let (old, new) = (of_name(old), of_name(new));
            for place in 0..old.len().max(new.len()) {
                pairs.push((old.get(place).copied(), new.get(place).copied()));
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
        let [old, new] = [b"abbc", b"bbbd"];
        let (a, b, c, d) = (Some(&b'a'), Some(&b'b'), Some(&b'c'), Some(&b'd'));
        let expected = [(a, None), (b, b), (b, b), (None, b), (c, None), (None, d)];
        assert_eq!(by_name(old, new, |name| name), expected);
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
            for (old, new) in by_name(&old, &new, |(name, _)| name) {
                pairs.push((old.copied(), new.copied()));
            }
            prop_assert_eq!(&pairs, &naive_by_name(&old, &new));
            let joined = naive_by_content(&pairs);
            by_content(&mut pairs, |(_, content)| (*content > 0).then_some(*content));
            prop_assert_eq!(pairs, joined);
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
