//! Which entries belong together, and which of them have moved.

use core::cmp::Ordering;

use crate::pak::Archive;

/// Which entry of one pak is meant by which of the other.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// Numbers in the first and the second pak, in the first one's order.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Numbers in the second pak, in its order.
    pub(super) added: Vec<u32>,
}

impl Matched {
    pub(super) fn new(one: &Archive, other: &Archive) -> Self {
        let (of_one, of_other) = (by_name(one), by_name(other));
        let mut matched = Self::default();
        let mut rest = of_other.iter().peekable();
        let mut pairs = of_one.iter().peekable();
        while let Some(index) = rest.peek() {
            let order = pairs.peek().map_or(Ordering::Greater, |own| {
                name(one, **own).cmp(&name(other, **index))
            });
            match order {
                // Only in the first.
                Ordering::Less => {}
                Ordering::Equal => {
                    let own = pairs.peek().map_or(0, |own| **own);
                    matched.pairs.push((own, **index));
                    rest.next();
                }
                Ordering::Greater => {
                    matched.added.push(**index);
                    rest.next();
                    continue;
                }
            }
            pairs.next();
        }
        matched.pairs.sort_unstable();
        matched.added.sort_unstable();
        matched
    }
}

/// All entries, sorted by name, those of one name in the directory's order. Numbers only: the names
/// beside them would take 24 bytes an entry.
fn by_name(archive: &Archive) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0_u32..).take(archive.len()).collect();
    numbers.sort_unstable_by_key(|number| (name(archive, *number), *number));
    numbers
}

fn name(archive: &Archive, number: u32) -> Option<&[u8]> {
    Some(archive.entry(number as usize)?.name().as_bytes())
}

/// Which of these numbers, all different, belong to a longest selection that rises.
pub(super) fn longest_rise(numbers: &[u32]) -> Vec<bool> {
    // The last place of the best rise of each length, and before each place the one it follows.
    let mut ends: Vec<(u32, u32)> = Vec::new();
    let mut before = Vec::with_capacity(numbers.len());
    for (place, number) in (0_u32..).zip(numbers) {
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
        if let Some(belongs) = belongs.get_mut(place as usize) {
            *belongs = true;
        }
        at = before.get(place as usize).copied().flatten();
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
            numbers in Just((0..9_u32).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let rises = |picked: &[u32]| picked.is_sorted();
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
            let kept: Vec<u32> = kept.map(|(number, _)| *number).collect();
            prop_assert!(rises(&kept));
            prop_assert_eq!(Some(kept.len()), best);
        }
    }
}
