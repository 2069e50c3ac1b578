//! Pixels, and what else a picture that is decoded has.

use crate::media::palette::Palette;

/// What is decoded of a file, and how much at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// All frames of a sprite and all textures of a map; else the first.
    pub all_frames: bool,
    /// The smaller sizes of a texture, too; else the largest only.
    pub mips: bool,
    /// The most pixels that all frames together may have.
    pub max_pixels: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            all_frames: false,
            mips: false,
            max_pixels: 64 << 20,
        }
    }
}

/// One picture of those in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// What tells it from the others: empty for the first and largest, else `mip1`, `frame3`, a texture's
    /// name in a map. Steering characters of a name are escaped.
    pub label: String,
    /// Its pixels.
    pub pixels: Pixels,
}

impl Frame {
    /// The first or only one.
    pub(crate) fn only(pixels: Pixels) -> Self {
        Self {
            label: String::new(),
            pixels,
        }
    }
}

/// A picture, row by row from the top, each from the left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// How many columns it has; not 0.
    pub width: u32,
    /// How many rows it has; not 0.
    pub height: u32,
    /// Their colours.
    pub data: Data,
}

/// The colours of pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// Numbers of colours in a palette.
    Indexed {
        /// One byte a pixel.
        indices: Vec<u8>,
        /// The colours, where the file has them; else they are in another file of the game.
        palette: Option<Palette>,
        /// The number that stands for no colour.
        transparent: Option<u8>,
    },
    /// Red, green, blue.
    Rgb(Vec<u8>),
    /// Red, green, blue, and how opaque it is.
    Rgba(Vec<u8>),
}

impl Pixels {
    /// Numbers of colours whose palette is elsewhere.
    pub(crate) fn indexed(
        (width, height): (u32, u32),
        indices: Vec<u8>,
        palette: Option<Palette>,
        transparent: Option<u8>,
    ) -> Self {
        let data = Data::Indexed {
            indices,
            palette,
            transparent,
        };
        Self {
            width,
            height,
            data,
        }
    }

    /// Whether its colours are in another file of the game.
    #[must_use]
    pub fn wants_palette(&self) -> bool {
        matches!(self.data, Data::Indexed { palette: None, .. })
    }

    /// The red, green, blue and opacity of pixel `at`, counted row by row. A picture without a palette of its own
    /// takes `palette`.
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

    /// All pixels, four bytes each, as [`pixel`](Self::pixel) returns them.
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
