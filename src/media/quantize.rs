//! Finds the nearest colours of a palette, and chooses a palette for a picture.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::pixels::Palette;

/// A colour, and its number in the palette.
type NumberedColour = (u8, [u8; 3]);

/// Finds the nearest colour among those of a palette that may be used.
///
/// Nearest by the squared distance of red, green and blue. Among equals, the first one in the order of the numbers
/// that may be used. All threads share what one of them has found.
pub(super) struct Quantizer {
    colours: Vec<NumberedColour>,
    /// The colours that can be nearest within each cell of 16 x 16 x 16 colours, found when a cell is first used.
    cells: Vec<OnceLock<Box<[NumberedColour]>>>,
    /// The last colour that belongs into each place, with its number in the highest byte. Pictures repeat colours, so
    /// most are found here.
    found: Vec<AtomicU32>,
}

impl std::fmt::Debug for Quantizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Quantizer({} colours)", self.colours.len())
    }
}

impl Quantizer {
    /// How many bits of a colour's hash choose its place.
    const PLACE_BITS: u32 = 16;

    /// Creates a quantizer with the colours of these numbers.
    pub(super) fn new(palette: &Palette, may_be_used: impl IntoIterator<Item = u8>) -> Self {
        let colours = may_be_used.into_iter();
        let mut quantizer = Self {
            colours: colours.map(|number| (number, palette.colour(number))).collect(),
            cells: vec![OnceLock::new(); 1 << 12],
            found: Vec::new(),
        };
        // An empty place holds 0, which is black. Only the first place is asked for black, so that one is filled.
        let black = quantizer.search([0; 3]);
        let mut places = vec![0; 1 << Self::PLACE_BITS];
        if let Some(first) = places.first_mut() {
            *first = u32::from(black) << 24;
        }
        quantizer.found = places.into_iter().map(AtomicU32::new).collect();
        quantizer
    }

    /// The number of the nearest colour; 0 if none may be used.
    pub(super) fn nearest(&self, colour: [u8; 3]) -> u8 {
        let [red, green, blue] = colour;
        let bits = u32::from_le_bytes([red, green, blue, 0]);
        let hash = bits.wrapping_mul(0x9E37_79B1) >> (u32::BITS - Self::PLACE_BITS);
        let Some(place) = self.found.get(hash as usize) else {
            return self.search(colour);
        };
        let found = place.load(Ordering::Relaxed);
        let [.., number] = found.to_le_bytes();
        if found << 8 == bits << 8 {
            return number;
        }
        let number = self.search(colour);
        place.store(bits | u32::from(number) << 24, Ordering::Relaxed);
        number
    }

    /// Looks at all candidates.
    fn search(&self, colour: [u8; 3]) -> u8 {
        let [red, green, blue] = colour.map(|value| usize::from(value >> 4));
        let cell = self.cells.get(red << 8 | green << 4 | blue);
        let candidates = cell
            .map_or(self.colours.as_slice(), |cell| cell.get_or_init(|| self.candidates(colour)));
        let mut nearest = (u32::MAX, 0);
        for (number, candidate) in candidates {
            let distance = distance(*candidate, colour);
            if distance < nearest.0 {
                nearest = (distance, *number);
            }
        }
        nearest.1
    }

    /// The colours that can be nearest to a colour in the cell of `colour`. A colour whose least distance from the
    /// cell is more than another's greatest cannot.
    fn candidates(&self, colour: [u8; 3]) -> Box<[NumberedColour]> {
        let first = colour.map(|value| value & 0xF0);
        let last = first.map(|value| value | 0x0F);
        let mut limit = u32::MAX;
        for (_, candidate) in &self.colours {
            let mut farthest = first;
            for ((far, last), value) in farthest.iter_mut().zip(last).zip(candidate) {
                if last.abs_diff(*value) > far.abs_diff(*value) {
                    *far = last;
                }
            }
            limit = limit.min(distance(*candidate, farthest));
        }
        let mut candidates = Vec::new();
        for (number, candidate) in &self.colours {
            let mut closest = *candidate;
            for ((value, first), last) in closest.iter_mut().zip(first).zip(last) {
                *value = (*value).clamp(first, last);
            }
            if distance(*candidate, closest) <= limit {
                candidates.push((*number, *candidate));
            }
        }
        candidates.into()
    }
}

/// The squared distance of two colours.
pub(super) fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    let mut sum: u32 = 0;
    for (one, other) in one.into_iter().zip(other) {
        let difference = u32::from(one.abs_diff(other));
        sum = sum.wrapping_add(difference.wrapping_mul(difference));
    }
    sum
}

/// A colour as a number, red in its third byte, and how many pixels have it.
type CountedColour = (u32, u32);

/// Chooses at most `most` colours for these pixels: all of them if they are not more, otherwise by median cut.
pub(super) fn choose_colours(pixels: impl Iterator<Item = [u8; 3]>, most: usize) -> Vec<[u8; 3]> {
    let as_number = |[red, green, blue]: [u8; 3]| u32::from_be_bytes([0, red, green, blue]);
    let mut numbers: Vec<u32> = pixels.map(as_number).collect();
    numbers.sort_unstable();
    let same = || numbers.chunk_by(|one, other| one == other);
    let mut counted: Vec<CountedColour> = Vec::with_capacity(same().count());
    for chunk in same() {
        let count = u32::try_from(chunk.len()).unwrap_or(u32::MAX);
        counted.extend(chunk.first().map(|number| (*number, count)));
    }
    drop(numbers);
    let mut boxes = vec![ColourBox::new(&mut counted)];
    while boxes.len() < most {
        // The first one of the greatest, so that the result is always the same.
        let widest = boxes.iter_mut().rev().max_by_key(|it| it.weight);
        let Some(split) = widest.and_then(ColourBox::split) else {
            break;
        };
        boxes.push(split);
    }
    let mut chosen: Vec<_> = boxes.iter().filter_map(ColourBox::mean).collect();
    chosen.sort_unstable();
    chosen
}

/// Some colours of a picture.
struct ColourBox<'a> {
    colours: &'a mut [CountedColour],
    /// Its longest side: red, green or blue.
    axis: usize,
    /// The length of that side, by the number of pixels; 0 for a single colour.
    weight: u64,
}

impl<'a> ColourBox<'a> {
    fn new(colours: &'a mut [CountedColour]) -> Self {
        let (mut least, mut greatest, mut pixels) = ([255; 3], [0; 3], 0_u64);
        for (colour, count) in &*colours {
            pixels = pixels.saturating_add((*count).into());
            for (channel, (least, greatest)) in least.iter_mut().zip(&mut greatest).enumerate() {
                let value = value(*colour, channel);
                *least = value.min(*least);
                *greatest = value.max(*greatest);
            }
        }
        let (mut axis, mut side) = (0, 0);
        for (channel, (least, greatest)) in least.into_iter().zip(greatest).enumerate() {
            let length = greatest.saturating_sub(least);
            if length > side {
                (axis, side) = (channel, length);
            }
        }
        Self { colours, axis, weight: pixels.saturating_mul(side.into()) }
    }

    /// Splits it between two values of its longest side, where about half of its pixels are on each side; `None` for a
    /// single colour.
    fn split(&mut self) -> Option<Self> {
        if self.weight == 0 {
            return None;
        }
        let axis = self.axis;
        let mut counts = [0_u64; 256];
        for (colour, count) in &*self.colours {
            if let Some(sum) = counts.get_mut(usize::from(value(*colour, axis))) {
                *sum = sum.saturating_add((*count).into());
            }
        }
        let pixels = counts.iter().copied().fold(0, u64::saturating_add);
        let mut best = (u64::MAX, 0);
        let mut sum: u64 = 0;
        for (limit, count) in (0_u8..=255).zip(counts) {
            sum = sum.saturating_add(count);
            let difference = sum.abs_diff(pixels.saturating_sub(sum));
            if sum > 0 && sum < pixels && difference < best.0 {
                best = (difference, limit);
            }
        }
        let mut at: usize = 0;
        for index in 0..self.colours.len() {
            let colour = self.colours.get(index).map(|(colour, _)| value(*colour, axis));
            if colour.is_some_and(|value| value <= best.1) {
                self.colours.swap(at, index);
                at = at.saturating_add(1);
            }
        }
        let (front, behind) = std::mem::take(&mut self.colours).split_at_mut_checked(at)?;
        *self = Self::new(front);
        Some(Self::new(behind))
    }

    /// The mean of its pixels.
    fn mean(&self) -> Option<[u8; 3]> {
        let mut sums = [0_u64; 3];
        let mut pixels: u64 = 0;
        for (colour, count) in &*self.colours {
            let count = u64::from(*count);
            for (channel, sum) in sums.iter_mut().enumerate() {
                let value = u64::from(value(*colour, channel));
                *sum = sum.saturating_add(count.saturating_mul(value));
            }
            pixels = pixels.saturating_add(count);
        }
        let half = pixels / 2;
        let mut mean = [0; 3];
        for (to, sum) in mean.iter_mut().zip(sums) {
            let rounded = sum.saturating_add(half).checked_div(pixels)?;
            *to = u8::try_from(rounded).unwrap_or(255);
        }
        Some(mean)
    }
}

/// Red, green or blue of a colour.
fn value(colour: u32, channel: usize) -> u8 {
    let [_, values @ ..] = colour.to_be_bytes();
    values.get(channel).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Looks at every colour.
    fn exhaustive(palette: &Palette, order: &[u8], colour: [u8; 3]) -> u8 {
        let squared = |number: &&u8| {
            let own = palette.colours()[usize::from(**number)];
            let difference = |at: usize| (i32::from(own[at]) - i32::from(colour[at])).pow(2);
            (0..3).map(difference).sum::<i32>()
        };
        // `min_by_key` returns the first one of equals.
        *order.iter().min_by_key(squared).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn nearest_is_what_an_exhaustive_search_finds(
            // Few values, so that there are equal colours and equal distances.
            coarse in prop::collection::vec(prop::array::uniform3(0..8_u8), 256),
            fine in prop::collection::vec(any::<[u8; 3]>(), 256),
            order in prop::collection::vec(any::<u8>(), 1..256),
            asked in prop::collection::vec(any::<[u8; 3]>(), 100),
        ) {
            let coarse = coarse.into_iter().map(|colour| colour.map(|value| value * 36));
            for palette in [Palette::of_colours(coarse), Palette::of_colours(fine), Palette::quake()] {
                let quantizer = Quantizer::new(&palette, order.iter().copied());
                for colour in &asked {
                    prop_assert_eq!(quantizer.nearest(*colour), exhaustive(&palette, &order, *colour));
                }
            }
        }

        #[test]
        fn few_colours_are_kept_and_many_are_reduced(
            pixels in prop::collection::vec(any::<[u8; 3]>(), 1..400),
        ) {
            let chosen = choose_colours(pixels.iter().copied(), 64);
            prop_assert!(chosen.len() <= 64);
            let mut distinct = pixels.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() <= 64 {
                prop_assert_eq!(chosen, distinct);
            } else {
                prop_assert_eq!(chosen.len(), 64);
            }
        }
    }

    #[test]
    fn quakes_palette_is_the_one_of_the_game() {
        use sha2::{Digest, Sha256};
        let bytes: Vec<u8> = Palette::quake().colours().iter().flatten().copied().collect();
        let hash = Sha256::digest(&bytes);
        assert_eq!(hash[..8], [0x6b, 0x20, 0xb5, 0xbc, 0x4e, 0xa9, 0x65, 0xef]);
    }

    #[test]
    fn of_equal_colours_the_first_in_order_is_taken() {
        let palette = Palette::quake();
        assert_eq!(palette.colours()[76], palette.colours()[247]);
        let colour = [103, 0, 0];
        assert_eq!(Quantizer::new(&palette, 0..=255).nearest(colour), 76);
        let bright_first = (224..=254).chain(1..=223);
        assert_eq!(Quantizer::new(&palette, bright_first).nearest(colour), 247);
    }
}
