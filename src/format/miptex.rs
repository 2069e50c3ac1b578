//! The header of a miptex, a texture of Quake or Half-Life: in a WAD, or in a map.
//!
//! | at | what                                                                                  |
//! |----|---------------------------------------------------------------------------------------|
//! | 0  | the name, 16 bytes, up to its first NUL                                               |
//! | 16 | the width, and the height                                                             |
//! | 24 | where each of the four sizes begins; 0 or -1 if the pixels are in a WAD               |
//! | 40 | usually the largest size; the smallest comes last, and in Half-Life a palette after it |

use crate::archive::RawName;
use crate::archive::bytes::u32_at;

/// The offset of a texture that is left out: -1.
pub(crate) const NO_TEXTURE: u32 = u32::MAX;

/// The header of a miptex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Miptex<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Where the pixels of each size begin, the largest first.
    pub(crate) offsets: [u32; 4],
}

impl<'a> Miptex<'a> {
    /// The length of the header.
    pub(crate) const HEADER: usize = 40;

    /// The fewest bytes of a palette: a count of two bytes, and a colour.
    const PALETTE_MIN: u64 = 5;

    pub(crate) fn new(header: &'a [u8; Miptex::HEADER]) -> Self {
        let (name, _) = header.split_at(16);
        Self {
            name: RawName::from_field(name).as_bytes(),
            width: u32_at(header, 16),
            height: u32_at(header, 20),
            offsets: [24, 28, 32, 36].map(|at| u32_at(header, at)),
        }
    }

    /// Whether its pixels follow. Otherwise they are in a WAD.
    pub(crate) const fn has_pixels(&self) -> bool {
        let [first, ..] = self.offsets;
        first != 0 && first != NO_TEXTURE
    }

    /// Where the pixels of the smallest size end, and a palette may begin. `None` if the header is impossible.
    pub(crate) fn end(&self) -> Option<u64> {
        let [.., smallest] = self.offsets.map(u64::from);
        let pixels = u64::from(self.width / 8).checked_mul(u64::from(self.height / 8))?;
        let end = smallest.checked_add(pixels)?;
        (smallest >= Self::HEADER as u64).then_some(end)
    }

    /// Whether a texture of this length has a palette after its pixels, as in Half-Life and unlike Quake. `None` if
    /// the header cannot be a texture's.
    pub(crate) fn has_palette(&self, len: u64) -> Option<bool> {
        let end = self.end().filter(|end| *end <= len)?;
        let is_texture = self.width > 0 && self.height > 0;
        is_texture.then_some(len >= end.saturating_add(Self::PALETTE_MIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textures_with_bytes_after_them_have_a_palette() {
        let mut header = [0; Miptex::HEADER];
        // 128 by 128: Half-Life's example has 22,572 bytes.
        header[16..24].copy_from_slice(&[128, 0, 0, 0, 128, 0, 0, 0]);
        header[36..].copy_from_slice(&(40 + 16384 + 4096 + 1024_u32).to_le_bytes());
        let miptex = Miptex::new(&header);
        assert_eq!(miptex.has_palette(22_572), Some(true));
        assert_eq!(miptex.has_palette(21_800), Some(false));
        assert_eq!(miptex.has_palette(21_802), Some(false));
        assert_eq!(miptex.has_palette(21_799), None);
        assert_eq!(Miptex::new(&[0; Miptex::HEADER]).has_palette(22_572), None);
        let most = [0xFF; Miptex::HEADER];
        assert_eq!(Miptex::new(&most).has_palette(u32::MAX.into()), None);
    }
}
