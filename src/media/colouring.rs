//! The colours and smaller sizes of a picture in a game's format.
//!
//! A picture whose palette is the target's keeps its colour numbers. Otherwise each pixel becomes the nearest colour
//! that may be used. Nothing is dithered.
//!
//! | target            | opaque pixels                                   | transparent pixels                  |
//! |-------------------|-------------------------------------------------|-------------------------------------|
//! | miptex, WAD2      | 1 to 223; with fullbright colours 1 to 254      | 255 if the name begins with `{`, else 0 |
//! | LMP               | 1 to 254                                        | 255                                 |
//! | `conchars`        | 0 to 254                                        | 0                                   |
//! | WAL               | 0 to 255                                        | -                                   |
//! | WAL 3             | 0 to 254                                        | 255                                 |
//! | miptex, WAD3      | 256 own colours; 255 if the name begins with `{` | 255 if the name begins with `{`, else - |
//! | PCX               | 0 to 255, or to 254 in `pics/`                  | 255 in `pics/`, else -              |
//!
//! Black is 48 in Quake, because 0 shows what is behind in a sky. A pixel is transparent up to an alpha of 128.

use std::sync::OnceLock;

use super::pixels::{Data, Palette, PictureError, Pixels};
use super::quantize::{Quantizer, Remembering, choose_colours};
use crate::archive::RawName;

/// A palette for pictures that are encoded.
#[derive(Debug)]
pub struct TargetPalette {
    palette: Palette,
    quantizers: [OnceLock<Quantizer>; 5],
}

impl TargetPalette {
    /// Prepares a palette.
    #[must_use]
    pub fn new(palette: Palette) -> Self {
        Self {
            palette,
            quantizers: Default::default(),
        }
    }

    /// The palette.
    #[must_use]
    pub const fn palette(&self) -> &Palette {
        &self.palette
    }

    fn quantizer(&self, usable: Usable) -> Option<&Quantizer> {
        let quantizer = self.quantizers.get(usable as usize)?;
        Some(quantizer.get_or_init(|| usable.quantizer(&self.palette)))
    }
}

/// Which colours of the game's palette opaque pixels may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usable {
    All,
    /// All but 255.
    NotLast,
    /// Quake's without fullbright ones.
    Quake,
    /// Quake's with fullbright ones, which are taken before equal ones.
    QuakeBright,
    /// Quake's in a picture.
    QuakePicture,
}

impl Usable {
    fn quantizer(self, palette: &Palette) -> Quantizer {
        match self {
            Self::All => Quantizer::new(palette, 0..=255),
            Self::NotLast => Quantizer::new(palette, 0..=254),
            Self::Quake => Quantizer::new(palette, 1..=223),
            Self::QuakeBright => Quantizer::new(palette, (FULLBRIGHT..=254).chain(1..FULLBRIGHT)),
            Self::QuakePicture => Quantizer::new(palette, 1..=254),
        }
    }
}

/// The first colour of Quake's that light does not change.
const FULLBRIGHT: u8 = 224;

/// The highest alpha of a transparent pixel.
const CLEAR: u8 = 128;

/// What is lost or unusual in an encoded picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum EncodeRemark {
    /// Transparent pixels became colour 0 of a texture that is drawn opaque.
    ClearIsZero,
    /// The format has no transparent pixels.
    AlphaIgnored,
    /// A side is not a multiple of 16.
    OddSides,
}

/// A picture that is being encoded.
pub(super) struct Encoding<'a> {
    /// The name of the format.
    pub(super) format: &'static str,
    /// The name of the file.
    pub(super) name: RawName<'a>,
    pub(super) pixels: &'a Pixels,
    /// The palette of the game, if it is known.
    pub(super) palette: Option<&'a TargetPalette>,
    /// Whether a texture of Quake may use fullbright colours.
    pub(super) fullbright: bool,
    /// What an original of the same format holds.
    pub(super) inner: &'a InnerFields,
    /// The sides of this original, if there is one.
    pub(super) original: Option<(u32, u32)>,
    /// How many colours the palette of the pixels has; 0 for 256.
    pub(super) colours: usize,
    /// Whether the palette of the pixels replaces one that was not found.
    pub(super) is_stand_in: bool,
    pub(super) remarks: Vec<EncodeRemark>,
}

/// What a texture holds beside its pixels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct InnerFields {
    /// The name inside.
    pub(super) name: Vec<u8>,
    /// The name of the next texture of an animation.
    pub(super) animation: Vec<u8>,
    /// Flags, contents and value of a WAL.
    pub(super) numbers: Option<[u32; 3]>,
}

/// What the colour numbers of a target mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColourRules {
    /// The colours of the game's palette for opaque pixels.
    pub(super) usable: Usable,
    pub(super) transparent: Option<u8>,
    /// Whether pixels in the palette's last colour are transparent, too.
    pub(super) keyed: bool,
    /// Whether it is a sky of Quake's: black in its left half is transparent.
    pub(super) is_sky: bool,
    /// Whether nothing is drawn behind transparent pixels.
    pub(super) is_opaque: bool,
    /// The colour of transparent pixels in an own palette.
    pub(super) clear_colour: [u8; 3],
}

impl ColourRules {
    /// Those of a format without transparent pixels.
    pub(super) const OPAQUE: Self = Self {
        usable: Usable::All,
        transparent: None,
        keyed: false,
        is_sky: false,
        is_opaque: false,
        clear_colour: [0; 3],
    };
}

/// A palette and colour numbers.
pub(super) struct Indexed<'a> {
    pub(super) palette: Palette,
    pub(super) indices: Vec<u8>,
    width: usize,
    /// For each pixel of the source, its colour.
    source: &'a Pixels,
    /// Whether the numbers are the source's.
    is_kept: bool,
    rules: ColourRules,
    mixer: Mixer<'a>,
    fullbright: bool,
}

/// The quantizer for smaller sizes.
enum Mixer<'a> {
    Shared(&'a Quantizer),
    Own(Quantizer),
}

impl Mixer<'_> {
    const fn get(&self) -> &Quantizer {
        match self {
            Self::Shared(quantizer) => quantizer,
            Self::Own(quantizer) => quantizer,
        }
    }
}

impl<'a> Encoding<'a> {
    pub(super) const fn sides(&self) -> (u32, u32) {
        (self.pixels.width, self.pixels.height)
    }

    /// Refuses sides outside of these limits.
    pub(super) fn check_sides(&self, least: u32, most: u32) -> Result<(), PictureError> {
        let (width, height) = self.sides();
        if width.min(height) < least || width.max(height) > most {
            return Err(PictureError::Sides {
                width,
                height,
                most,
            });
        }
        Ok(())
    }

    /// Refuses sides that engines refuse. The sides of the original are accepted, with a remark.
    pub(super) fn check_texture_sides(&mut self) -> Result<(), PictureError> {
        let (width, height) = self.sides();
        let are_multiples = |of: u32| width.is_multiple_of(of) && height.is_multiple_of(of);
        if are_multiples(16) {
            return Ok(());
        }
        if are_multiples(8) || self.original == Some((width, height)) {
            self.remark(EncodeRemark::OddSides);
            return Ok(());
        }
        let smaller = |side: u32| (side & !15).max(16);
        let larger = |side: u32| side.div_ceil(16).saturating_mul(16);
        Err(PictureError::TextureSides {
            sides: (width, height),
            smaller: (smaller(width), smaller(height)),
            larger: (larger(width), larger(height)),
        })
    }

    fn remark(&mut self, remark: EncodeRemark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// The colours as numbers of the game's palette, or of an own one if the format `has_own` and the game's is not
    /// known.
    pub(super) fn indexed(
        &mut self,
        rules: ColourRules,
        has_own: bool,
    ) -> Result<Indexed<'a>, PictureError> {
        if let Some(kept) = self.kept(rules, has_own) {
            return Ok(kept);
        }
        let pixels = self.pixels;
        let (palette, mixer, pass) = match self.palette {
            Some(target) => {
                let shared = |usable| target.quantizer(usable).map(Mixer::Shared);
                let usable = match rules.usable {
                    Usable::Quake if self.fullbright => Usable::QuakeBright,
                    usable => usable,
                };
                let none = PictureError::NotAPicture;
                let mixer = shared(rules.usable).ok_or_else(|| none.clone())?;
                (
                    target.palette.clone(),
                    mixer,
                    target.quantizer(usable).ok_or(none)?,
                )
            }
            None if has_own => return Ok(self.own_colours(rules)),
            None => return Err(PictureError::NoPalette(self.format)),
        };
        let mut found = Indexed {
            palette,
            indices: Vec::new(),
            width: pixels.width as usize,
            source: pixels,
            is_kept: false,
            rules,
            mixer,
            fullbright: self.fullbright,
        };
        found.indices = self.numbers(&found.palette, rules, pass);
        Ok(found)
    }

    /// The numbers of the nearest colours.
    fn numbers(&mut self, palette: &Palette, rules: ColourRules, quantizer: &Quantizer) -> Vec<u8> {
        let pixels = self.pixels;
        let width = pixels.width as usize;
        let area = width.saturating_mul(pixels.height as usize);
        let keyed = rules.keyed.then(|| palette.colour(255));
        let mut has_clear = false;
        let mut indices = Vec::with_capacity(area);
        let own = Palette::grey();
        let mut quantizer = Remembering::new(quantizer);
        for at in 0..area {
            let [red, green, blue, alpha] = pixels.pixel(&own, at);
            let colour = [red, green, blue];
            has_clear |= alpha <= CLEAR;
            let in_left_half = || at.checked_rem(width) < Some(width / 2);
            let is_clear = alpha <= CLEAR
                || Some(colour) == keyed
                || rules.is_sky && colour == [0; 3] && in_left_half();
            indices.push(match rules.transparent {
                Some(none) if is_clear => none,
                _ => quantizer.nearest(colour),
            });
        }
        match rules.transparent {
            None if has_clear => self.remark(EncodeRemark::AlphaIgnored),
            Some(_) if has_clear && rules.is_opaque => self.remark(EncodeRemark::ClearIsZero),
            _ => {}
        }
        indices
    }

    /// A picture that has the target's palette, or a palette that the format can hold, with its own numbers.
    fn kept(&mut self, rules: ColourRules, has_own: bool) -> Option<Indexed<'a>> {
        let Data::Indexed {
            indices,
            palette: Some(palette),
            transparent,
        } = &self.pixels.data
        else {
            return None;
        };
        let mut palette = palette.clone();
        let mut mixer = None;
        if let Some(target) = self.palette
            && palette.begins(&target.palette, self.colours)
        {
            palette = target.palette.clone();
            mixer = target.quantizer(rules.usable).map(Mixer::Shared);
        }
        let is_unedited = self.original.is_some() && has_own;
        let may_be_own = has_own && (self.palette.is_none() || is_unedited);
        if mixer.is_none() && !may_be_own && !self.is_stand_in {
            return None;
        }
        let mut indices = indices.clone();
        match (rules.transparent, *transparent) {
            (None, Some(clear)) if indices.contains(&clear) => {
                self.remark(EncodeRemark::AlphaIgnored)
            }
            (Some(none), Some(clear)) if none != clear => {
                // The number for transparent pixels may be a colour in this palette.
                if mixer.is_none() && indices.contains(&none) {
                    return None;
                }
                for index in indices.iter_mut().filter(|index| **index == clear) {
                    *index = none;
                }
                if rules.is_opaque {
                    self.remark(EncodeRemark::ClearIsZero);
                }
            }
            (Some(none), None) if mixer.is_none() && indices.contains(&none) => return None,
            _ => {}
        }
        if mixer.is_none() && rules.transparent == Some(255) && !is_unedited {
            palette = palette.with_last(rules.clear_colour);
        }
        let mixer = mixer.unwrap_or_else(|| Mixer::Own(rules.usable.quantizer(&palette)));
        Some(Indexed {
            palette,
            indices,
            width: self.pixels.width as usize,
            source: self.pixels,
            is_kept: true,
            rules,
            mixer,
            fullbright: self.fullbright,
        })
    }

    /// Chooses 256 colours, or 255 and one for transparent pixels.
    fn own_colours(&mut self, rules: ColourRules) -> Indexed<'a> {
        let pixels = self.pixels;
        let area = (pixels.width as usize).saturating_mul(pixels.height as usize);
        let grey = Palette::grey();
        let colours = (0..area).filter_map(|at| {
            let [red, green, blue, alpha] = pixels.pixel(&grey, at);
            let is_seen = rules.transparent.is_none() || alpha > CLEAR;
            is_seen.then_some([red, green, blue])
        });
        let most = if rules.transparent.is_some() {
            255
        } else {
            256
        };
        let chosen = choose_colours(colours, most);
        let numbers = (0..=255).take(chosen.len());
        let mut palette = Palette::of_colours(chosen);
        if rules.transparent.is_some() {
            palette = palette.with_last(rules.clear_colour);
        }
        let quantizer = Quantizer::new(&palette, numbers);
        let indices = self.numbers(&palette, rules, &quantizer);
        Indexed {
            palette,
            indices,
            width: pixels.width as usize,
            source: pixels,
            is_kept: false,
            rules,
            mixer: Mixer::Own(quantizer),
            fullbright: false,
        }
    }
}

impl Indexed<'_> {
    /// This many smaller sizes, each with half the sides of the one before: the nearest colours to the averages of
    /// `2^level` x `2^level` pixels in linear light.
    pub(super) fn mips(&self, levels: usize) -> Vec<Vec<u8>> {
        let mut mips = Vec::new();
        for level in 1..=levels {
            let width = self
                .width
                .checked_shr(u32::try_from(level).unwrap_or(u32::MAX));
            mips.push(Mip {
                sums: vec![Sum::default(); width.unwrap_or(0)],
                indices: Vec::new(),
            });
        }
        let mut at: usize = 0;
        for (y, row) in (1_usize..).zip(self.indices.chunks(self.width.max(1))) {
            if let Some(first) = mips.first_mut() {
                for (x, index) in row.iter().enumerate() {
                    if let Some(sum) = first.sums.get_mut(x / 2) {
                        self.add(sum, x, *index, at);
                    }
                    at = at.saturating_add(1);
                }
            }
            self.complete_rows(&mut mips, y);
        }
        mips.into_iter().map(|mip| mip.indices).collect()
    }

    /// Completes the rows of smaller sizes for which the first `y` rows of the picture are enough.
    fn complete_rows(&self, mips: &mut [Mip], y: usize) {
        let (mut rows, mut rest) = (y, mips);
        while let [mip, smaller @ ..] = rest
            && rows.is_multiple_of(2)
        {
            mip.indices
                .extend(mip.sums.iter().map(|sum| self.mixed(sum)));
            if let Some(next) = smaller.first_mut() {
                for (sum, pair) in next.sums.iter_mut().zip(mip.sums.chunks_exact(2)) {
                    for part in pair {
                        sum.add(part);
                    }
                }
            }
            mip.sums.fill(Sum::default());
            (rows, rest) = (rows / 2, smaller);
        }
    }

    /// Adds a pixel to an average.
    fn add(&self, sum: &mut Sum, x: usize, index: u8, at: usize) {
        // In a texture that was not edited, 0 is black, unless it is a sky.
        let is_clear = self.rules.transparent == Some(index)
            && (!self.is_kept || index == 255 || self.rules.is_sky && x < self.width / 2);
        if is_clear {
            sum.clear = sum.clear.saturating_add(1);
            return;
        }
        let [red, green, blue, _] = if self.is_kept {
            let [red, green, blue] = self.palette.colour(index);
            [red, green, blue, 255]
        } else {
            self.source.pixel(&self.palette, at)
        };
        for (sum, value) in sum.light.iter_mut().zip([red, green, blue]) {
            *sum = sum.saturating_add(LIGHT.of(value).into());
        }
        sum.seen = sum.seen.saturating_add(1);
        if let Some(number) = index.checked_sub(FULLBRIGHT) {
            sum.bright |= 1 << number;
        }
    }

    /// The nearest colour to an average. Of fullbright colours, only those in the area may be taken.
    fn mixed(&self, sum: &Sum) -> u8 {
        if let Some(none) = self.rules.transparent
            && sum.clear >= sum.seen
        {
            return none;
        }
        let colour = sum
            .light
            .map(|light| LIGHT.value(light.checked_div(sum.seen.into()).unwrap_or(0)));
        let mut nearest = self.mixer.get().nearest(colour);
        if self.rules.usable != Usable::Quake || sum.bright == 0 {
            return nearest;
        }
        let mut least = super::quantize::distance(self.palette.colour(nearest), colour);
        for number in FULLBRIGHT..=255 {
            if sum.bright >> number.saturating_sub(FULLBRIGHT) & 1 == 0 {
                continue;
            }
            let distance = super::quantize::distance(self.palette.colour(number), colour);
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
    sums: Vec<Sum>,
    /// Its complete rows.
    indices: Vec<u8>,
}

/// The sum of the pixels that a pixel of a smaller size replaces.
#[derive(Debug, Clone, Default)]
struct Sum {
    light: [u64; 3],
    /// How many pixels were added, and how many are transparent.
    seen: u32,
    clear: u32,
    /// The fullbright colours among them, a bit for each.
    bright: u32,
}

impl Sum {
    /// Adds the pixels of another sum.
    fn add(&mut self, other: &Self) {
        for (light, more) in self.light.iter_mut().zip(other.light) {
            *light = light.saturating_add(more);
        }
        self.seen = self.seen.saturating_add(other.seen);
        self.clear = self.clear.saturating_add(other.clear);
        self.bright |= other.bright;
    }
}

/// Between the bytes of sRGB and linear light in steps of 2^-24.
struct Light {
    of_value: [u32; 256],
    /// The light halfway to the next byte.
    limits: [u32; 255],
    /// The nearest byte to each multiple of 2^12: where the search for the nearest byte to another light begins.
    begin: [u8; 4097],
}

static LIGHT: std::sync::LazyLock<Light> = std::sync::LazyLock::new(|| {
    let mut light = Light {
        of_value: [0; 256],
        limits: [0; 255],
        begin: [0; 4097],
    };
    for (number, to) in (0_u32..).zip(&mut light.of_value) {
        *to = linear(f64::from(number));
    }
    for (number, to) in (0_u32..).zip(&mut light.limits) {
        *to = linear(f64::from(number) + 0.5);
    }
    for (number, to) in (0_u32..).zip(&mut light.begin) {
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
    let light = if value <= 0.040_45 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    };
    (light * 16_777_216.0).round() as u32
}

impl Light {
    fn of(&self, value: u8) -> u32 {
        self.of_value.get(usize::from(value)).copied().unwrap_or(0)
    }

    /// The nearest byte.
    fn value(&self, light: u64) -> u8 {
        let step = usize::try_from(light >> 12).unwrap_or(usize::MAX);
        let mut value = self.begin.get(step).copied().unwrap_or(255);
        while let Some(limit) = self.limits.get(usize::from(value))
            && u64::from(*limit) <= light
        {
            value = value.saturating_add(1);
        }
        value
    }
}

impl Palette {
    /// Whether the first `count` of these colours, or all for 0, are the other palette's.
    pub(super) fn begins(&self, other: &Self, count: usize) -> bool {
        let count = if count == 0 { 256 } else { count };
        self.colours()
            .iter()
            .zip(other.colours())
            .take(count)
            .all(|(one, other)| one == other)
    }

    /// The same palette with another last colour.
    pub(super) fn with_last(self, colour: [u8; 3]) -> Self {
        let first = self.colours().iter().take(255).copied();
        Self::of_colours(first.chain([colour]))
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
            assert_eq!(LIGHT.value(LIGHT.of(byte).into()), byte);
        }
    }
}
