//! The smaller sizes of a texture: the nearest colours to averages in linear light.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::colouring::{FULLBRIGHT, IndexedPicture, Usable};
use super::quantize::distance;

impl IndexedPicture<'_> {
    /// This many smaller sizes, each with half the sides of the one before, and at least 1: the nearest colours to the
    /// averages of `2^level` x `2^level` pixels in linear light.
    pub(super) fn mips(&self, levels: usize) -> Vec<Vec<u8>> {
        let mut mips = Vec::new();
        for level in 1..=levels {
            let width = self.width.checked_shr(u32::try_from(level).unwrap_or(u32::MAX));
            mips.push(Mip {
                sums: vec![LightSum::default(); width.unwrap_or(0).max(1)],
                indices: Vec::new(),
            });
        }
        let exact = self.exact_colours();
        let width = self.width.max(1);
        let height = self.indices.chunks(width).len();
        let rows = self.indices.chunks(width).zip(exact.chunks(width));
        for (y, (indices, colours)) in (1_usize..).zip(rows) {
            if let Some(first) = mips.first_mut() {
                self.add_row(&mut first.sums, indices, colours);
            }
            self.complete_rows(&mut mips, y, height);
        }
        mips.into_iter().map(|mip| mip.indices).collect()
    }

    /// The colour of each pixel.
    fn exact_colours(&self) -> Cow<'_, [[u8; 4]]> {
        if let Some(exact) = &self.exact {
            return Cow::Borrowed(exact);
        }
        let mut exact = Vec::with_capacity(self.indices.len());
        for index in &self.indices {
            let [red, green, blue] = self.palette.colour(*index);
            exact.push([red, green, blue, 255]);
        }
        Cow::Owned(exact)
    }

    /// Adds a row of pixels to the sums of two pixels beside each other.
    fn add_row(&self, sums: &mut [LightSum], indices: &[u8], colours: &[[u8; 4]]) {
        let light = &*LIGHT;
        let none = self.rules.transparent;
        let is_kept = self.exact.is_none();
        let clear_before = match none {
            // In a texture that was not edited, 0 is black, unless it is a sky.
            Some(0) if is_kept && self.rules.is_sky => self.width / 2,
            Some(0) if is_kept => 0,
            _ => self.width,
        };
        for (x, (index, colour)) in indices.iter().zip(colours).enumerate() {
            let Some(sum) = sums.get_mut(x / 2) else { break };
            if none == Some(*index) && x < clear_before {
                sum.clear = sum.clear.wrapping_add(1);
            } else {
                sum.add_pixel(*index, light.of(*colour));
            }
        }
    }

    /// Completes the rows of smaller sizes for which the first `y` of `height` rows of the picture are enough.
    fn complete_rows(&self, mips: &mut [Mip], y: usize, mut height: usize) {
        let (mut rows, mut rest) = (y, mips);
        while let [mip, smaller @ ..] = rest
            && (rows.is_multiple_of(2) || height == 1)
        {
            mip.indices.extend(mip.sums.iter().map(|sum| self.mixed(sum)));
            if let Some(next) = smaller.first_mut() {
                for (sum, pair) in next.sums.iter_mut().zip(mip.sums.chunks(2)) {
                    for part in pair {
                        sum.add(part);
                    }
                }
            }
            mip.sums.fill(LightSum::default());
            (rows, height, rest) = ((rows / 2).max(1), (height / 2).max(1), smaller);
        }
    }

    /// The nearest colour to an average. Of fullbright colours, only those in the area may be taken.
    fn mixed(&self, sum: &LightSum) -> u8 {
        if let Some(none) = self.rules.transparent
            && sum.clear >= sum.seen
        {
            return none;
        }
        let light = &*LIGHT;
        let [red, green, blue] = sum.mean();
        let colour = [light.value(red), light.value(green), light.value(blue)];
        let mut nearest = self.quantizer.nearest(colour);
        if self.rules.usable != Usable::Quake || sum.bright == 0 {
            return nearest;
        }
        let mut least = distance(self.palette.colour(nearest), colour);
        for number in FULLBRIGHT..=255 {
            if sum.bright >> number.saturating_sub(FULLBRIGHT) & 1 == 0 {
                continue;
            }
            let distance = distance(self.palette.colour(number), colour);
            let is_preferred = self.fullbright && nearest < FULLBRIGHT && distance == least;
            if distance < least || is_preferred {
                (nearest, least) = (number, distance);
            }
        }
        nearest
    }
}

/// A smaller size under way.
struct Mip {
    /// The sums of its next row.
    sums: Vec<LightSum>,
    /// Its complete rows.
    indices: Vec<u8>,
}

/// The sum of the pixels that a pixel of a smaller size replaces.
#[derive(Debug, Clone, Default)]
struct LightSum {
    light: [u64; 3],
    /// How many pixels were added, and how many are transparent.
    seen: u32,
    clear: u32,
    /// The fullbright colours among them, a bit for each.
    bright: u32,
}

impl LightSum {
    fn add_pixel(&mut self, index: u8, light: [u32; 3]) {
        for (sum, light) in self.light.iter_mut().zip(light) {
            *sum = sum.wrapping_add(light.into());
        }
        self.seen = self.seen.wrapping_add(1);
        if let Some(number) = index.checked_sub(FULLBRIGHT) {
            self.bright |= 1 << number;
        }
    }

    /// Adds the pixels of another sum.
    fn add(&mut self, other: &Self) {
        for (light, more) in self.light.iter_mut().zip(other.light) {
            *light = light.wrapping_add(more);
        }
        self.seen = self.seen.wrapping_add(other.seen);
        self.clear = self.clear.wrapping_add(other.clear);
        self.bright |= other.bright;
    }

    /// The mean of the pixels that were added.
    fn mean(&self) -> [u64; 3] {
        if self.seen.is_power_of_two() {
            // Mostly these are all pixels of the area. A division takes longer.
            return self.light.map(|light| light >> self.seen.trailing_zeros());
        }
        self.light.map(|light| light.checked_div(self.seen.into()).unwrap_or(0))
    }
}

/// Between the bytes of sRGB and linear light in steps of 2^-24.
struct Light {
    of_value: [u32; 256],
    /// The light halfway to the next byte.
    limits: [u32; 255],
    /// For each multiple of 2^12, the nearest byte. Limits are further apart, so a byte of other light is this one or
    /// the next.
    of_light: [u8; 4097],
}

static LIGHT: LazyLock<Light> = LazyLock::new(|| {
    let mut light = Light { of_value: [0; 256], limits: [0; 255], of_light: [0; 4097] };
    for (number, to) in (0_u32..).zip(&mut light.of_value) {
        *to = linear(f64::from(number));
    }
    for (number, to) in (0_u32..).zip(&mut light.limits) {
        *to = linear(f64::from(number) + 0.5);
    }
    for (number, to) in (0_u32..).zip(&mut light.of_light) {
        let below = light.limits.partition_point(|limit| *limit <= number << 12);
        *to = u8::try_from(below).unwrap_or(255);
    }
    light
});

/// The light of a byte of sRGB.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 0 and 2^24"
)]
fn linear(value: f64) -> u32 {
    let value = value / 255.0;
    let light = if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
    (light * 16_777_216.0).round() as u32
}

impl Light {
    /// The light of a colour.
    fn of(&self, [red, green, blue, _]: [u8; 4]) -> [u32; 3] {
        [red, green, blue].map(|value| self.of_value.get(usize::from(value)).copied().unwrap_or(0))
    }

    /// The nearest byte.
    fn value(&self, light: u64) -> u8 {
        let step = usize::try_from(light >> 12).unwrap_or(usize::MAX);
        let value = self.of_light.get(step).copied().unwrap_or(255);
        let limit = self.limits.get(usize::from(value));
        let is_next = limit.is_some_and(|limit| u64::from(*limit) <= light);
        value.saturating_add(is_next.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_becomes_the_nearest_byte() {
        let naive = |light: u64| {
            let limits = LIGHT.limits.iter();
            u8::try_from(limits.filter(|limit| u64::from(**limit) <= light).count()).unwrap()
        };
        let edges = LIGHT.limits.into_iter().flat_map(|it| [it - 1, it, it + 1]);
        let steps = (0..=1 << 24).step_by(997).chain([1 << 24]);
        for light in edges.chain(steps) {
            assert_eq!(LIGHT.value(light.into()), naive(light.into()), "{light}");
        }
        assert_eq!(LIGHT.value(u64::MAX), 255);
        for byte in 0..=255 {
            assert_eq!(LIGHT.of([byte; 4]).map(|it| LIGHT.value(it.into())), [byte; 3]);
        }
    }
}
