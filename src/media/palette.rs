//! Palettes of 256 colours. No game's palette is built in; without one, pictures are drawn in shades of
//! grey.

use super::pixels::PictureError;
use crate::archive::bytes::Cursor;

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

    /// All colours, by number.
    #[must_use]
    pub fn colours(&self) -> &[[u8; 3]; 256] {
        &self.0
    }
}

/// 256 colours of three bytes.
pub(super) fn of_triples(mut input: Cursor<'_>) -> Result<Palette, PictureError> {
    Ok(Palette::of_bytes(input.take("the palette", 768)?, 3))
}

/// A number of 16 bits and that many colours of three bytes, if there are at most 256 and all are in the
/// file.
pub(super) fn counted(mut input: Cursor<'_>) -> Option<Palette> {
    let count = usize::from(input.u16("the number of colours").ok()?);
    if !(1..=256).contains(&count) {
        return None;
    }
    let colours = input.take("the palette", count.saturating_mul(3)).ok()?;
    Some(Palette::of_bytes(colours, 3))
}
