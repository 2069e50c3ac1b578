//! The colours of a picture in a game's format.
//!
//! A picture whose palette is the target's keeps its colour numbers. Otherwise each pixel becomes the nearest colour
//! that may be used. Nothing is dithered.
//!
//! | target            | opaque pixels                                   | transparent pixels                  |
//! |-------------------|-------------------------------------------------|-------------------------------------|
//! | miptex, WAD2      | 1 to 223; with fullbright colours 1 to 255      | 255 if the name begins with `{`, else 0 |
//! | LMP               | 1 to 254                                        | 255                                 |
//! | `conchars`        | 0 to 254                                        | 0                                   |
//! | WAL               | 0 to 255                                        | -                                   |
//! | WAL 3             | 0 to 254                                        | 255                                 |
//! | miptex, WAD3      | 256 own colours; 255 if the name begins with `{` | 255 if the name begins with `{`, else - |
//! | PCX               | 0 to 255, or to 254 in `pics/`                  | 255 in `pics/`, else -              |
//! | BMP               | 256 own colours, or true colour                 | -                                   |
//!
//! Black is 48 in Quake, because 0 shows what is behind in a sky. A pixel is transparent up to an alpha of 128.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::fields::PictureFields;
use super::pixels::{Data, Palette, PictureError, Pixels};
use super::quantize::{Quantizer, choose_colours, distance};
use crate::archive::RawName;

/// A palette for pictures that are encoded.
#[derive(Debug)]
pub struct TargetPalette {
    palette: Palette,
    quantizers: [OnceLock<Arc<Quantizer>>; 5],
}

impl TargetPalette {
    /// Prepares a palette.
    #[must_use]
    pub fn new(palette: Palette) -> Self {
        Self { palette, quantizers: Default::default() }
    }

    /// The palette.
    #[must_use]
    pub const fn palette(&self) -> &Palette {
        &self.palette
    }

    fn quantizer(&self, usable: Usable) -> Arc<Quantizer> {
        let new = || Arc::new(usable.quantizer(&self.palette));
        let quantizer = self.quantizers.get(usable as usize);
        quantizer.map_or_else(new, |it| Arc::clone(it.get_or_init(new)))
    }

    /// The colour that changes most when these colours become these numbers, of those that this palette lacks.
    fn lost_colour(
        &self,
        colours: &[[u8; 4]],
        numbers: &[u8],
        rules: ColourRules,
    ) -> Option<LostColour> {
        let all = self.quantizer(Usable::All);
        let (mut most, mut lost) = (0, None);
        for ([red, green, blue, _], number) in colours.iter().zip(numbers) {
            let (colour, nearest) = ([*red, *green, *blue], self.palette.colour(*number));
            let distance = distance(colour, nearest);
            if distance > most
                && rules.transparent != Some(*number)
                && self.palette.colour(all.nearest(colour)) != colour
            {
                most = distance;
                lost = Some(LostColour { distance, colour, nearest });
            }
        }
        lost
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
pub(super) const FULLBRIGHT: u8 = 224;

/// The highest alpha of a transparent pixel.
pub(super) const CLEAR: u8 = 128;

/// How many colours of a PNG are the target's first ones if its palette was made of the target's.
const ENOUGH: usize = 16;

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
    /// A side of a texture of Daikatana is not a power of two.
    NoPowersOfTwo,
    /// Pixels of pure blue became transparent.
    BlueIsClear,
}

/// A colour that the game's palette lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LostColour {
    /// The square of its distance from the nearest one.
    pub distance: u32,
    /// The colour.
    pub colour: [u8; 3],
    /// The nearest one that may be used.
    pub nearest: [u8; 3],
}

/// A picture that is being encoded.
pub(super) struct PictureEncoding<'a> {
    /// The name of the format.
    pub(super) format: &'static str,
    /// The name of the file.
    pub(super) name: RawName<'a>,
    pub(super) pixels: &'a Pixels,
    /// The palette of the game, if it is known.
    pub(super) palette: Option<&'a TargetPalette>,
    /// Whether a texture of Quake may use fullbright colours.
    pub(super) fullbright: bool,
    /// What the file that the picture was made of holds beside its pixels.
    pub(super) fields: &'a PictureFields,
    /// Whether that file has the same format. In another one, the same numbers are other colours.
    pub(super) is_original: bool,
    pub(super) remarks: Vec<EncodeRemark>,
    /// The colour that changed most because the game's palette lacks it.
    pub(super) lost: Option<LostColour>,
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
pub(super) struct IndexedPicture<'a> {
    pub(super) palette: Palette,
    pub(super) indices: Vec<u8>,
    pub(super) width: usize,
    /// The colours of the pixels, of which the numbers are the nearest. `None` if the numbers are the picture's own.
    pub(super) exact: Option<Cow<'a, [[u8; 4]]>>,
    pub(super) rules: ColourRules,
    /// The colours that smaller sizes may use.
    pub(super) quantizer: Arc<Quantizer>,
    pub(super) fullbright: bool,
}

impl<'a> PictureEncoding<'a> {
    pub(super) const fn sides(&self) -> (u32, u32) {
        (self.pixels.width, self.pixels.height)
    }

    /// Refuses sides that engines refuse. The sides of the original are accepted, with a remark.
    pub(super) fn check_texture_sides(&mut self) -> Result<(), PictureError> {
        let (width, height) = self.sides();
        let are_multiples = |of: u32| width.is_multiple_of(of) && height.is_multiple_of(of);
        if are_multiples(16) {
            return Ok(());
        }
        let is_as_before = self.is_original && self.fields.sides == Some((width, height));
        if are_multiples(8) || is_as_before {
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

    /// Adds a remark, once.
    pub(super) fn remark(&mut self, remark: EncodeRemark) {
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
    ) -> Result<IndexedPicture<'a>, PictureError> {
        if let Some(kept) = self.kept(rules, has_own) {
            return Ok(kept);
        }
        let (pixels, fullbright) = (self.pixels, self.fullbright);
        let (palette, quantizer, pass) = match self.palette {
            Some(target) => {
                let usable = match rules.usable {
                    Usable::Quake if fullbright => Usable::QuakeBright,
                    usable => usable,
                };
                let quantizer = target.quantizer(rules.usable);
                (target.palette.clone(), quantizer, target.quantizer(usable))
            }
            None if has_own => {
                let (palette, quantizer) = self.own_colours(rules);
                (palette, Arc::clone(&quantizer), quantizer)
            }
            None => return Err(PictureError::NoPalette(self.format)),
        };
        let colours = pixels.rgba(&Palette::grey());
        let indices = self.numbers(&colours, &palette, rules, &pass);
        self.lost = self.palette.and_then(|target| target.lost_colour(&colours, &indices, rules));
        Ok(IndexedPicture {
            palette,
            indices,
            width: pixels.width as usize,
            exact: Some(colours),
            rules,
            quantizer,
            fullbright,
        })
    }

    /// The numbers of the nearest colours.
    fn numbers(
        &mut self,
        colours: &[[u8; 4]],
        palette: &Palette,
        rules: ColourRules,
        quantizer: &Quantizer,
    ) -> Vec<u8> {
        let width = (self.pixels.width as usize).max(1);
        let keyed = rules.keyed.then(|| palette.colour(255));
        let is_bright = self.fullbright && rules.usable == Usable::Quake && !rules.keyed;
        let last = is_bright.then(|| palette.colour(255));
        let (mut has_clear, mut has_key) = (false, false);
        let mut indices = vec![0; colours.len()];
        for (indices, colours) in indices.chunks_mut(width).zip(colours.chunks(width)) {
            for (x, (index, pixel)) in indices.iter_mut().zip(colours).enumerate() {
                let [red, green, blue, alpha] = *pixel;
                let colour = [red, green, blue];
                has_clear |= alpha <= CLEAR;
                has_key |= alpha > CLEAR && Some(colour) == keyed;
                let is_clear = alpha <= CLEAR
                    || Some(colour) == keyed
                    || rules.is_sky && colour == [0; 3] && x < width / 2;
                *index = match rules.transparent {
                    Some(none) if is_clear => none,
                    _ if Some(colour) == last => 255,
                    _ => quantizer.nearest(colour),
                };
            }
        }
        if self.palette.is_none() && has_key {
            self.remark(EncodeRemark::BlueIsClear);
        }
        match rules.transparent {
            None if has_clear => self.remark(EncodeRemark::AlphaIgnored),
            Some(_) if has_clear && rules.is_opaque => self.remark(EncodeRemark::ClearIsZero),
            _ => {}
        }
        indices
    }

    /// A picture that has the target's palette, or a palette that the format can hold, with its own numbers.
    fn kept(&mut self, rules: ColourRules, has_own: bool) -> Option<IndexedPicture<'a>> {
        let data = self.fields.numbered.as_ref().unwrap_or(&self.pixels.data);
        let Data::Indexed { indices, palette: Some(palette), transparent } = data else {
            return None;
        };
        let has_targets = |target: &&TargetPalette| {
            palette.begins(&target.palette, self.fields.colours)
                && !(1..ENOUGH).contains(&self.fields.colours)
        };
        let target = self.palette.filter(has_targets);
        if target.is_none() && !self.keeps_own(palette, has_own) {
            return None;
        }
        let mut palette = target.map_or(palette, |target| &target.palette).clone();
        let (mut indices, transparent) = (indices.clone(), *transparent);
        // The number for transparent pixels may be a colour in this palette, unless it is the colour that is so.
        if let Some(none) = rules.transparent
            && target.is_none()
            && transparent != Some(none)
            && indices.contains(&none)
        {
            let is_clear = rules.keyed && palette.colour(none) == rules.clear_colour;
            if transparent.is_some() || !is_clear {
                return None;
            }
        }
        match (rules.transparent, transparent) {
            (None, Some(clear)) if indices.contains(&clear) => {
                self.remark(EncodeRemark::AlphaIgnored);
            }
            (Some(none), Some(clear)) if none != clear => {
                for index in indices.iter_mut().filter(|index| **index == clear) {
                    *index = none;
                }
                if rules.is_opaque {
                    self.remark(EncodeRemark::ClearIsZero);
                }
            }
            _ => {}
        }
        let is_unedited = self.is_original && has_own;
        if target.is_none() && rules.transparent == Some(255) && !is_unedited {
            palette = palette.with_last(rules.clear_colour);
        }
        let own = || Arc::new(rules.usable.quantizer(&palette));
        Some(IndexedPicture {
            quantizer: target.map_or_else(own, |target| target.quantizer(rules.usable)),
            palette,
            indices,
            width: self.pixels.width as usize,
            exact: None,
            rules,
            fullbright: self.fullbright,
        })
    }

    /// Whether a picture keeps this palette, which is not the target's.
    fn keeps_own(&self, palette: &Palette, has_own: bool) -> bool {
        let (is_known, colours) = (self.palette.is_some(), self.fields.colours);
        if has_own && !is_known {
            return true;
        }
        // An unedited picture has the palette that it was drawn with: its own, one with which nothing can be compared,
        // or a stand-in.
        let is_stand_in = self.fields.is_stand_in && palette.begins(&Palette::grey(), colours);
        self.is_original && (has_own || !is_known && colours == 256 || is_stand_in)
    }

    /// Chooses 256 colours, or 255 and one for transparent pixels.
    fn own_colours(&self, rules: ColourRules) -> (Palette, Arc<Quantizer>) {
        let (pixels, grey) = (self.pixels, Palette::grey());
        // Choosing takes much memory, so the pixels are not copied before.
        let rows = (0..pixels.height).map(|row| pixels.rows(&grey, row..row.saturating_add(1)));
        let seen = rows.flat_map(|row| row.into_owned());
        let seen = seen.filter_map(|[red, green, blue, alpha]| {
            let colour = [red, green, blue];
            let is_clear = alpha <= CLEAR || rules.keyed && colour == rules.clear_colour;
            (rules.transparent.is_none() || !is_clear).then_some(colour)
        });
        let most = if rules.transparent.is_some() { 255 } else { 256 };
        let chosen = choose_colours(seen, most);
        let numbers = (0..=255).take(chosen.len());
        let mut palette = Palette::of_colours(chosen);
        if rules.transparent.is_some() {
            palette = palette.with_last(rules.clear_colour);
        }
        let quantizer = Quantizer::new(&palette, numbers);
        (palette, Arc::new(quantizer))
    }
}

impl Palette {
    /// Whether the first `count` of these colours, or all for 0, are the other palette's.
    pub(super) fn begins(&self, other: &Self, count: usize) -> bool {
        let count = if count == 0 { 256 } else { count };
        self.colours().iter().zip(other.colours()).take(count).all(|(one, other)| one == other)
    }

    /// The same palette with another last colour.
    pub(super) fn with_last(self, colour: [u8; 3]) -> Self {
        let first = self.colours().iter().take(255).copied();
        Self::of_colours(first.chain([colour]))
    }
}
