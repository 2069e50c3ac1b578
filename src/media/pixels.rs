//! Decoded pixels, and limits for decoding.

use super::palette::Palette;
pub(super) use super::picture_error::PictureError;
use crate::archive::RawName;
use crate::archive::bytes::{Cursor, Short};

/// Which pictures of a file to decode, and how many pixels at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeOptions {
    /// All frames of a sprite and all textures of a map, instead of the first.
    pub all_frames: bool,
    /// All sizes of a texture, instead of the largest.
    pub mips: bool,
    /// The most pixels of all frames together.
    pub max_pixels: u64,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            all_frames: false,
            mips: false,
            max_pixels: 64 << 20,
        }
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
    /// The only frame of a file.
    pub(super) fn only(pixels: Pixels) -> Vec<Self> {
        let label = String::new();
        vec![Self { label, pixels }]
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

impl Pixels {
    pub(super) fn new((width, height): (u32, u32), data: Data) -> Self {
        Self {
            width,
            height,
            data,
        }
    }

    /// Numbers of colours.
    pub(super) fn indexed(
        sides: (u32, u32),
        indices: Vec<u8>,
        palette: Option<Palette>,
        transparent: Option<u8>,
    ) -> Self {
        let data = Data::Indexed {
            indices,
            palette,
            transparent,
        };
        Self::new(sides, data)
    }

    /// Whether its palette is in another file of the game.
    #[must_use]
    pub fn wants_palette(&self) -> bool {
        matches!(self.data, Data::Indexed { palette: None, .. })
    }

    /// Red, green, blue and opacity of pixel `at`, counted row by row. A picture without a palette uses
    /// `palette`.
    #[must_use]
    pub fn pixel(&self, palette: &Palette, at: usize) -> [u8; 4] {
        let pixel = match &self.data {
            Data::Indexed {
                indices,
                palette: own,
                transparent,
            } => indices.get(at).and_then(|index| {
                let colours = own.as_ref().unwrap_or(palette).colours();
                let [red, green, blue] = *colours.get(usize::from(*index))?;
                let alpha = if *transparent == Some(*index) { 0 } else { 255 };
                Some([red, green, blue, alpha])
            }),
            Data::Rgb(rgb) => {
                let rest = rgb.get(at.saturating_mul(3)..).unwrap_or_default();
                rest.first_chunk()
                    .map(|&[red, green, blue]| [red, green, blue, 255])
            }
            Data::Rgba(rgba) => {
                let rest = rgba.get(at.saturating_mul(4)..).unwrap_or_default();
                rest.first_chunk().copied()
            }
        };
        pixel.unwrap_or_default()
    }

    /// All pixels, four bytes each, as returned by [`pixel`](Self::pixel).
    #[must_use]
    pub fn to_rgba(&self, palette: &Palette) -> Vec<u8> {
        let area = (self.width as usize).saturating_mul(self.height as usize);
        let mut rgba = Vec::with_capacity(area.saturating_mul(4));
        for at in 0..area {
            rgba.extend_from_slice(&self.pixel(palette, at));
        }
        rgba
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
    PictureError::Value {
        what,
        offset: at as u64,
        expected,
        found: found.into(),
    }
}

/// The result of a decoder: the picture, or its frames.
pub(super) type Frames = Result<Vec<Frame>, PictureError>;

/// A file while it is decoded.
pub(super) struct Decoding<'a> {
    pub(super) name: RawName<'a>,
    /// The beginning of the file.
    pub(super) input: Cursor<'a>,
    pub(super) options: DecodeOptions,
    /// How many pixels are decoded so far.
    pixels: u64,
}

impl<'a> Decoding<'a> {
    pub(super) const fn new(name: RawName<'a>, bytes: &'a [u8], options: DecodeOptions) -> Self {
        Self {
            name,
            input: Cursor::new(bytes),
            options,
            pixels: 0,
        }
    }

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
    // Reverse all bytes of a row, then those of each pixel.
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

/// The bits of some bytes, highest first.
pub(super) fn bits(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let shifts = [7, 6, 5, 4, 3, 2, 1, 0];
    bytes
        .iter()
        .flat_map(move |byte| shifts.map(|shift| byte >> shift & 1))
}

/// The halves of some bytes, four bits each, higher half first.
pub(super) fn halves(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15])
}
