//! Decoded pixels, palettes, and the parts that decoders share.

use std::borrow::Cow;
use std::ops::Range;

use crate::archive::RawName;
use crate::archive::bytes::{Cursor, Short};
use crate::codec::Bytes;

/// Which pictures of a file to decode, and how many pixels at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeOptions {
    /// All frames of a sprite and all textures of a map, instead of the first.
    pub all_frames: bool,
    /// All sizes of a texture, instead of the largest.
    pub mips: bool,
    /// The most pixels of all frames together.
    pub max_pixels: u64,
}

impl DecodeOptions {
    /// All frames and all sizes, with this many pixels at most.
    ///
    /// ```
    /// use daisho::media::{DecodeOptions, Picture};
    /// let archive = daisho::Archive::open("corpus/game/data/pak1.pak")?;
    /// let wall = archive.read("textures/e1/wall.wal")?;
    /// let sizes = Picture::decode("wall.wal".into(), &wall, &DecodeOptions::all(1 << 20))?;
    /// assert_eq!(sizes.frames[1].label, "mip1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn all(max_pixels: u64) -> Self {
        Self { all_frames: true, mips: true, max_pixels }
    }
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self { all_frames: false, mips: false, max_pixels: 64 << 20 }
    }
}

/// One of the pictures in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its label: empty for the first and largest, otherwise `mip1`, `frame3`, or the name of a map's
    /// texture. Control characters in a name are escaped.
    pub label: String,
    /// Its pixels.
    pub pixels: Pixels,
}

impl Frame {
    pub(super) fn new(label: String, (width, height): (u32, u32), data: Data) -> Self {
        let pixels = Pixels { width, height, data };
        Self { label, pixels }
    }

    /// The only frame of a file.
    pub(super) fn only(sides: (u32, u32), data: Data) -> Vec<Self> {
        vec![Self::new(String::new(), sides, data)]
    }
}

/// A picture, row by row from the top, each row from the left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Its width; not 0.
    pub width: u32,
    /// Its height; not 0.
    pub height: u32,
    /// Its colours.
    pub data: Data,
}

/// The colours of pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Data {
    /// Numbers of colours in a palette.
    Indexed {
        /// One byte per pixel.
        indices: Vec<u8>,
        /// The palette, if it is in the file. Otherwise it is in another file of the game.
        palette: Option<Palette>,
        /// The transparent colour number.
        transparent: Option<u8>,
    },
    /// Red, green, blue.
    Rgb(Vec<u8>),
    /// Red, green, blue, opacity.
    Rgba(Vec<u8>),
}

impl Data {
    /// Numbers of colours.
    pub(super) fn indexed(
        indices: Vec<u8>,
        palette: Option<Palette>,
        transparent: Option<u8>,
    ) -> Self {
        Self::Indexed { indices, palette, transparent }
    }
}

impl Pixels {
    /// Whether its palette is in another file of the game.
    #[must_use]
    pub fn wants_palette(&self) -> bool {
        matches!(self.data, Data::Indexed { palette: None, .. })
    }

    /// Sets its palette, unless it has one or needs none.
    pub fn complete(&mut self, palette: &Palette) {
        if let Data::Indexed { palette: own @ None, .. } = &mut self.data {
            *own = Some(palette.clone());
        }
    }

    /// All pixels, row by row: red, green, blue and opacity. A picture without a palette uses `palette`.
    #[must_use]
    pub fn to_rgba(&self, palette: &Palette) -> Vec<u8> {
        self.rgba(palette).into_owned().into_flattened()
    }

    /// Like [`to_rgba`](Self::to_rgba), without a copy of a picture that has these four bytes.
    pub(super) fn rgba(&self, palette: &Palette) -> Cow<'_, [[u8; 4]]> {
        self.rows(palette, 0..self.height)
    }

    /// The pixels of these rows, as [`to_rgba`](Self::to_rgba) returns those of all rows.
    #[must_use]
    pub fn rows(&self, palette: &Palette, rows: Range<u32>) -> Cow<'_, [[u8; 4]]> {
        fn part<T>(all: &[T], [start, end]: [usize; 2]) -> &[T] {
            all.get(start..end.min(all.len())).unwrap_or_default()
        }
        let row = self.width as usize;
        let places = [rows.start, rows.end].map(|at| row.saturating_mul(at as usize));
        let [start, end] = places;
        let area = end.saturating_sub(start);
        let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, 255];
        let mut pixels: Vec<[u8; 4]> = match &self.data {
            Data::Indexed { indices, palette: own, transparent } => {
                let mut colours = own.as_ref().unwrap_or(palette).colours().map(opaque);
                let clear = transparent.and_then(|clear| colours.get_mut(usize::from(clear)));
                if let Some([.., alpha]) = clear {
                    *alpha = 0;
                }
                let colour = |index: &u8| colours.get(usize::from(*index)).copied();
                part(indices, places)
                    .iter()
                    .map(|index| colour(index).unwrap_or_default())
                    .collect()
            }
            Data::Rgb(rgb) => part(rgb.as_chunks().0, places).iter().copied().map(opaque).collect(),
            Data::Rgba(rgba) => {
                let pixels = part(rgba.as_chunks().0, places);
                if pixels.len() == area {
                    return Cow::Borrowed(pixels);
                }
                pixels.to_vec()
            }
        };
        pixels.resize(area, [0; 4]);
        Cow::Owned(pixels)
    }
}

/// 256 colours of red, green and blue.
#[derive(Clone, PartialEq, Eq)]
pub struct Palette(Box<[[u8; 3]; 256]>);

impl std::fmt::Debug for Palette {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [first, .., last] = *self.0;
        write!(f, "Palette({first:?} to {last:?})")
    }
}

impl Palette {
    /// Shades of grey, from black to white.
    #[must_use]
    pub fn grey() -> Self {
        Self::of_colours((0..=255).map(|shade| [shade; 3]))
    }

    /// Up to 256 of these colours. The rest is black.
    #[must_use]
    pub fn of_colours(colours: impl IntoIterator<Item = [u8; 3]>) -> Self {
        let mut all = Box::new([[0; 3]; 256]);
        for (to, from) in all.iter_mut().zip(colours) {
            *to = from;
        }
        Self(all)
    }

    /// Colours of `len` bytes each, beginning with red, green and blue.
    pub(super) fn of_bytes(bytes: &[u8], len: usize) -> Self {
        let colours = bytes.chunks_exact(len).filter_map(|it| it.first_chunk());
        Self::of_colours(colours.copied())
    }

    /// Reads 256 colours of three bytes.
    pub(super) fn of_triples(mut input: Cursor<'_>) -> Result<Self, PictureError> {
        Ok(Self::of_bytes(input.take("the palette", 768)?, 3))
    }

    /// Reads a number of 16 bits and that many colours of three bytes, if there are at most 256 and all are in
    /// the file.
    pub(super) fn counted(mut input: Cursor<'_>) -> Option<Self> {
        let count = usize::from(input.u16("the number of colours").ok()?);
        if !(1..=256).contains(&count) {
            return None;
        }
        let colours = input.take("the palette", count.saturating_mul(3)).ok()?;
        Some(Self::of_bytes(colours, 3))
    }

    /// The colour with this number.
    pub(super) fn colour(&self, number: u8) -> [u8; 3] {
        self.0.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// All colours, by number.
    #[must_use]
    pub fn colours(&self) -> &[[u8; 3]; 256] {
        &self.0
    }
}

/// Why a file cannot be decoded into pixels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// It is not a picture, or its format is not decoded.
    #[error("it is not a picture of a known format")]
    NotAPicture,
    /// PNG and JPEG are not decoded: every program shows them as they are.
    #[error("a file of type {0} stays as it is and is not decoded")]
    PassThrough(&'static str),
    /// A sprite of Quake II has no pixels, only names of pictures.
    #[error("a sprite of Quake II has no pixels of its own, it names its {0} pictures")]
    NamesOnly(usize),
    /// The file ends before a part that its header describes.
    #[error(
        "{} should be {} long at byte {}, but only {} {} there",
        .0.what,
        Bytes(.0.expected),
        .0.offset,
        Bytes(.0.found),
        if .0.found == 1 { "is" } else { "are" }
    )]
    Short(Short),
    /// A number in the file is impossible.
    #[error("{what} at byte {offset} is {found}; it must be {expected}")]
    Value {
        /// The meaning of the number.
        what: &'static str,
        /// Its offset.
        offset: u64,
        /// The possible values.
        expected: &'static str,
        /// The value found.
        found: i64,
    },
    /// daisho does not write files of this type.
    #[error("daisho does not write files of type {0}")]
    NotWritten(&'static str),
    /// The format has no palette of its own, and the game's is not known.
    #[error("the palette for a file of type {0} is not known")]
    NoPalette(&'static str),
    /// The format cannot have a picture of this size.
    #[error("its size is {width} x {height}, but it can be {most} x {most} at most")]
    Sides {
        /// The width.
        width: u32,
        /// The height.
        height: u32,
        /// The longest possible side.
        most: u32,
    },
    /// The sides of a texture are no multiples of 16.
    #[error(
        "its size is {} x {}, but the sides of a texture are multiples of 16; {}",
        .sides.0, .sides.1, sides_that_fit(*.smaller, *.larger)
    )]
    TextureSides {
        /// Its size.
        sides: (u32, u32),
        /// The next smaller size that fits.
        smaller: (u32, u32),
        /// The next larger size that fits.
        larger: (u32, u32),
    },
    /// The format has a name inside, and this one does not fit.
    #[error("the name {name:?} has {} bytes, but at most {most} fit", .name.len())]
    TextureName {
        /// The name.
        name: String,
        /// How many bytes fit.
        most: usize,
    },
    /// A lump without a header has the wrong size.
    #[error(
        "its size is {} x {}, but this picture is {} x {}",
        .sides.0, .sides.1, .expected.0, .expected.1
    )]
    LumpSides {
        /// Its size.
        sides: (u32, u32),
        /// The only possible size.
        expected: (u32, u32),
    },
    /// The PNG is damaged.
    #[error("it is not a PNG that can be read: {0}")]
    Png(String),
    /// The pixels would take more memory than allowed.
    #[error("it has at least {found} pixels, but daisho decodes at most {most}")]
    TooManyPixels {
        /// How many there are in the part that was counted.
        found: u64,
        /// How many are allowed.
        most: u64,
    },
}

/// The part of an error that says which sizes fit.
fn sides_that_fit(smaller: (u32, u32), larger: (u32, u32)) -> String {
    if smaller == larger {
        return format!("{} x {} fits", larger.0, larger.1);
    }
    format!("{} x {} and {} x {} fit", smaller.0, smaller.1, larger.0, larger.1)
}

impl From<Short> for PictureError {
    fn from(short: Short) -> Self {
        Self::Short(short)
    }
}

/// Reads a width and a height of 32 bits each.
pub(super) fn sides(input: &mut Cursor<'_>) -> Result<(u32, u32), Short> {
    Ok((input.u32("the width")?, input.u32("the height")?))
}

/// The error for an impossible number.
pub(super) fn wrong(
    what: &'static str,
    at: usize,
    expected: &'static str,
    found: impl Into<i64>,
) -> PictureError {
    PictureError::Value { what, offset: at as u64, expected, found: found.into() }
}

/// The result of a decoder: the picture, or its frames.
pub(super) type Frames = Result<Vec<Frame>, PictureError>;

/// A file that is being decoded.
pub(super) struct Decoding<'a> {
    pub(super) name: RawName<'a>,
    /// The beginning of the file.
    pub(super) input: Cursor<'a>,
    pub(super) options: DecodeOptions,
    /// How many pixels are decoded so far.
    pub(super) pixels: u64,
}

impl Decoding<'_> {
    /// The number of pixels of a picture whose size is at byte `at`, if the limit allows them.
    pub(super) fn area(
        &mut self,
        at: usize,
        (width, height): (u32, u32),
    ) -> Result<usize, PictureError> {
        for (what, side) in [("the width", width), ("the height", height)] {
            if side == 0 {
                return Err(wrong(what, at, "1 or more", side));
            }
        }
        let pixels = u64::from(width).saturating_mul(height.into());
        let found = self.pixels.saturating_add(pixels);
        let most = self.options.max_pixels;
        match usize::try_from(pixels) {
            Ok(area) if found <= most => {
                self.pixels = found;
                Ok(area)
            }
            _ => Err(PictureError::TooManyPixels { found, most }),
        }
    }
}

/// Reverses the order of rows of this length.
pub(super) fn flip(pixels: &mut [u8], row: usize) {
    let mut rest = pixels;
    while rest.len() > row {
        let (first, behind) = rest.split_at_mut(row);
        let (between, last) = behind.split_at_mut(behind.len().saturating_sub(row));
        first.swap_with_slice(last);
        rest = between;
    }
}

/// Reverses the order of pixels in rows of this length.
pub(super) fn mirror(pixels: &mut [u8], row: usize, pixel: usize) {
    // Reverse all bytes of a row, then the bytes of each pixel.
    for row in pixels.chunks_exact_mut(row.max(1)) {
        row.reverse();
    }
    if pixel > 1 {
        for pixel in pixels.chunks_exact_mut(pixel) {
            pixel.reverse();
        }
    }
}

/// Changes blue, green, red to red, green, blue, and keeps other bytes of a pixel.
pub(super) fn swap(pixels: &mut [u8], pixel: usize) {
    for pixel in pixels.chunks_exact_mut(pixel.max(1)) {
        if let [blue, _, red, ..] = pixel {
            std::mem::swap(blue, red);
        }
    }
}
