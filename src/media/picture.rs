//! What the header of a picture says, and the headers of PNG and JPEG. Those of PCX, TGA, BMP and LMP are read
//! where these are decoded, in `pixels`.

use std::io;

use super::source::{Source, big_long, big_short, byte};
use crate::media::FileType;

/// What a picture's header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its type.
    pub file_type: FileType,
    /// Width and height; none where the header's beginning does not hold them.
    pub size: Option<(u32, u32)>,
    /// How many bits a pixel has.
    pub bits: Option<u16>,
    /// What an LMP is, where it is no picture of its own.
    pub lump: Option<Lump>,
    /// Whether its palette is in it; none where it needs none.
    pub has_palette: Option<bool>,
}

/// An LMP without a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lump {
    /// 256 colours of three bytes: 768 bytes, whatever its name.
    Palette,
    /// `colormap`: for 64 lights the colours that 256 colours become, and how many are always bright.
    Colormap,
    /// `conchars`: 256 characters, 128 x 128.
    Conchars,
    /// `pop`: 16 x 16, which shows whether the game was bought.
    Pop,
}

impl Lump {
    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Palette => "palette",
            Self::Colormap => "colormap",
            Self::Conchars => "conchars",
            Self::Pop => "pop",
        }
    }

    pub(super) const fn size(self) -> (u32, u32) {
        match self {
            Self::Palette => (16, 16),
            Self::Colormap => (256, 64),
            Self::Conchars => (128, 128),
            Self::Pop => (16, 16),
        }
    }
}

impl Picture {
    pub(super) const fn new(
        file_type: FileType,
        size: Option<(u32, u32)>,
        bits: Option<u16>,
    ) -> Self {
        Self {
            file_type,
            size,
            bits,
            lump: None,
            has_palette: None,
        }
    }
}

pub(super) fn png(start: &[u8]) -> Option<Picture> {
    if start.get(12..16) != Some(b"IHDR") {
        return None;
    }
    let size = (big_long(start, 16)?, big_long(start, 20)?);
    // What that byte says are bits of each channel, and the next says how many channels.
    let channels = match byte(start, 25) {
        Some(2) => 3,
        Some(4) => 2,
        Some(6) => 4,
        _ => 1,
    };
    let bits = byte(start, 24).map(|bits| u16::from(bits).saturating_mul(channels));
    Some(Picture {
        has_palette: (byte(start, 25) == Some(3)).then_some(true),
        ..Picture::new(FileType::Png, Some(size), bits)
    })
}

/// The most segments of a JPEG that are passed over. Profiles and previews of 16 MiB take as many.
const SEGMENTS_MAX: usize = 256;

/// Looks for the segment with the picture's size. Others, of any length, come first.
pub(super) fn jpeg(source: &mut (impl Source + ?Sized)) -> io::Result<Picture> {
    let mut picture = Picture::new(FileType::Jpeg, None, None);
    let mut at = 2;
    for _ in 0..SEGMENTS_MAX {
        let mut segment = [0; 10];
        let read = source.read_at(at, &mut segment)?;
        let segment = segment.get(..read).unwrap_or_default();
        let (Some(0xFF), Some(marker)) = (byte(segment, 0), byte(segment, 1)) else {
            break;
        };
        // 0xC4, 0xC8 and 0xCC begin tables.
        if matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC) {
            let [height, width] = [5, 7].map(|at| big_short(segment, at).map(u32::from));
            picture.size = width.zip(height);
            let bits = byte(segment, 4).zip(byte(segment, 9));
            picture.bits =
                bits.and_then(|(bits, channels)| u16::from(bits).checked_mul(channels.into()));
            break;
        }
        let Some(len) = big_short(segment, 2).filter(|len| *len >= 2) else {
            break;
        };
        at = at.saturating_add(2).saturating_add(len.into());
    }
    Ok(picture)
}
