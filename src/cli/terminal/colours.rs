//! At most 256 colours for a picture that may have more.

use std::collections::BTreeMap;

/// The most colours.
const MOST: usize = 256;

/// A colour: red, green and blue, in the caller's own measure.
pub(super) type Colour = [u8; 3];

/// So many pixels of one colour.
type Counted = (Colour, u64);

/// A picture's colours, and for each of those that it had the number of the one that stands for it. Where
/// there are at most 256, each stands for itself.
pub(super) fn fewer(counts: BTreeMap<Colour, u64>) -> (Vec<Colour>, BTreeMap<Colour, u8>) {
    let mut boxes: Vec<Vec<Counted>> = vec![counts.into_iter().collect()];
    // The box whose pixels are the most wrong is cut where half of them lie on either side.
    while boxes.len() < MOST {
        let wrong = |colours: &[Counted]| {
            let (_, length) = longest(colours);
            let pixels: u64 = colours.iter().map(|(_, count)| count).sum();
            u64::from(length).saturating_mul(pixels)
        };
        let worst = (0..boxes.len()).max_by_key(|n| boxes.get(*n).map(|it| wrong(it)));
        let Some(worst) = worst.and_then(|n| boxes.get_mut(n)) else {
            break;
        };
        let (axis, length) = longest(worst);
        if length == 0 {
            break;
        }
        worst.sort_by_key(|(colour, _)| (colour.get(axis).copied(), *colour));
        let at = middle(worst);
        let other = worst.split_off(at);
        boxes.push(other);
    }
    boxes.retain(|colours| !colours.is_empty());
    let numbers = boxes
        .iter()
        .zip(0..=u8::MAX)
        .flat_map(|(colours, number)| colours.iter().map(move |(colour, _)| (*colour, number)));
    let numbers = numbers.collect();
    (boxes.iter().map(|colours| mean(colours)).collect(), numbers)
}

/// The direction in which colours differ most, and how much.
fn longest(colours: &[Counted]) -> (usize, u8) {
    let length = |axis: usize| {
        let values = || colours.iter().filter_map(|(colour, _)| colour.get(axis));
        let (least, most) = (values().min(), values().max());
        most.copied().unwrap_or(0) - least.copied().unwrap_or(0)
    };
    let axes = (0..3).map(|axis| (axis, length(axis)));
    axes.max_by_key(|(_, length)| *length).unwrap_or((0, 0))
}

/// The first of the colours in whose second half the picture's pixels are; neither 0 nor all.
fn middle(colours: &[Counted]) -> usize {
    let all: u64 = colours.iter().map(|(_, count)| count).sum();
    let mut before = 0;
    let half = colours.iter().position(|(_, count)| {
        before += count;
        before * 2 >= all
    });
    (half.unwrap_or(0) + 1).clamp(1, colours.len().saturating_sub(1).max(1))
}

/// The mean of colours, each as often as it is there.
fn mean(colours: &[Counted]) -> Colour {
    let all: u64 = colours.iter().map(|(_, count)| count).sum();
    [0, 1, 2].map(|axis| {
        let value =
            |(colour, count): &Counted| u64::from(colour.get(axis).copied().unwrap_or(0)) * count;
        let sum: u64 = colours.iter().map(value).sum();
        u8::try_from((sum + all / 2).checked_div(all).unwrap_or(0)).unwrap_or(u8::MAX)
    })
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Numbers that are small.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
mod tests {
    use super::*;

    #[test]
    fn up_to_256_colours_stand_for_themselves() {
        for count in [0, 1, 2, 255, 256] {
            let colours = (0..count).map(|n: u64| ([n as u8, 255 - n as u8, 7], n % 5 + 1));
            let colours: BTreeMap<Colour, u64> = colours.collect();
            let (palette, numbers) = fewer(colours.clone());
            assert_eq!(palette.len(), colours.len());
            for colour in colours.keys() {
                assert_eq!(palette[usize::from(numbers[colour])], *colour);
            }
        }
    }

    #[test]
    fn more_become_ones_that_are_near() {
        let cube = (0..20_u8).flat_map(|r| (0..20).map(move |g| (r, g)));
        let colours = cube.map(|(r, g)| ([r * 5, g * 5, (r ^ g) * 3], 1));
        let (palette, numbers) = fewer(colours.collect());
        assert_eq!((palette.len(), numbers.len()), (256, 400));
        for (colour, number) in &numbers {
            let stands = palette[usize::from(*number)];
            let far = colour.iter().zip(stands).map(|(a, b)| a.abs_diff(b)).max();
            assert!(far.unwrap() <= 12, "{colour:?} {stands:?}");
        }
    }
}
