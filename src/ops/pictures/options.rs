//! How pictures are decoded.

use std::path::PathBuf;

use crate::media::DecodeOptions;

/// How pictures are decoded.
#[derive(Debug, Clone)]
pub struct PictureOptions {
    /// The most pixels that all frames of a picture together may have.
    pub max_pixels: u64,
    /// All frames of a sprite, all sizes of a texture and all textures of a map; else the first.
    pub all_frames: bool,
    /// A file whose palette all pictures are drawn with that have none of their own.
    pub palette: Option<PathBuf>,
    /// A game's directories and archives, in which palettes are looked for after the picture's own archive.
    pub game: Vec<PathBuf>,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            max_pixels: DecodeOptions::default().max_pixels,
            all_frames: false,
            palette: None,
            game: Vec::new(),
        }
    }
}
