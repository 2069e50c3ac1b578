//! Pictures: PCX, TGA, BMP, LMP, PNG and JPEG, as their headers say.
//!
//! | type | how it is told                                                     | size                     |
//! |------|--------------------------------------------------------------------|--------------------------|
//! | PCX  | `0A`, version 5, run-length coded, 8 bits                          | u16 at 4, 6, 8, 10       |
//! | TGA  | by its name, with a header that can be one                         | u16 at 12, 14            |
//! | BMP  | `BM`, and a header whose offsets can be                            | i32 at 18, 22            |
//! | LMP  | by its name, where width times height is what follows              | u32 at 0, 4              |
//! | LMP  | without a header: by its length, and all but a palette by its name | see [`Lump`]             |
//! | PNG  | eight bytes, then `IHDR`                                           | big-endian u32 at 16, 20 |
//! | JPEG | `FF D8 FF`, then segments up to the one that begins a picture      | big-endian u16 in it     |

use super::source::{big_long, big_short, byte, long, short, signed_long};
use crate::archive::FileType;

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

    /// The one with this name and length.
    fn of(name: &[u8], size: u64) -> Option<Self> {
        let last = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next()?;
        let stem = last.split(|byte| *byte == b'.').next()?;
        let is = |word: &str| stem.eq_ignore_ascii_case(word.as_bytes());
        match size {
            768 => Some(Self::Palette),
            // Some tools leave the number behind it out.
            0x4000 | 0x4001 if is("colormap") => Some(Self::Colormap),
            0x4000 if is("conchars") => Some(Self::Conchars),
            256 if is("pop") => Some(Self::Pop),
            _ => None,
        }
    }

    const fn size(self) -> (u32, u32) {
        match self {
            Self::Palette => (16, 16),
            Self::Colormap => (256, 64),
            Self::Conchars => (128, 128),
            Self::Pop => (16, 16),
        }
    }
}

impl Picture {
    const fn new(file_type: FileType, size: Option<(u32, u32)>, bits: Option<u16>) -> Self {
        Self {
            file_type,
            size,
            bits,
            lump: None,
            has_palette: None,
        }
    }

    /// The picture that begins so.
    pub(super) fn of(file_type: FileType, start: &[u8]) -> Option<Self> {
        match file_type {
            FileType::Pcx => pcx(start),
            FileType::Png => png(start),
            FileType::Jpeg => Some(jpeg(start)),
            _ => None,
        }
    }
}

fn pcx(start: &[u8]) -> Option<Picture> {
    let [left, top] = [short(start, 4)?, short(start, 6)?].map(u32::from);
    let [right, bottom] = [short(start, 8)?, short(start, 10)?].map(u32::from);
    let planes = byte(start, 65)?;
    let length = |from: u32, to: u32| to.checked_sub(from)?.checked_add(1);
    let size = (length(left, right)?, length(top, bottom)?);
    Some(Picture {
        has_palette: (planes == 1).then_some(true),
        ..Picture::new(FileType::Pcx, Some(size), u16::from(planes).checked_mul(8))
    })
}

fn png(start: &[u8]) -> Option<Picture> {
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

/// Looks for the segment that begins the picture, which stands behind others of any length.
fn jpeg(start: &[u8]) -> Picture {
    let mut picture = Picture::new(FileType::Jpeg, None, None);
    let mut at: usize = 2;
    while let (Some(0xFF), Some(marker)) = (byte(start, at), byte(start, at.saturating_add(1))) {
        let content = at.saturating_add(4);
        // 0xC4, 0xC8 and 0xCC begin tables.
        if matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC) {
            let number = |at: usize| big_short(start, content.saturating_add(at)).map(u32::from);
            picture.size = number(3).zip(number(1));
            let (bits, channels) = (byte(start, content), byte(start, content.saturating_add(5)));
            let bits = bits.zip(channels);
            picture.bits =
                bits.and_then(|(bits, channels)| u16::from(bits).checked_mul(channels.into()));
            break;
        }
        let Some(len) = big_short(start, at.saturating_add(2)).filter(|len| *len >= 2) else {
            break;
        };
        at = at.saturating_add(2).saturating_add(usize::from(len));
    }
    picture
}

/// The TGA with this header, if it can be one. It has no magic.
pub(super) fn tga(start: &[u8], size: u64) -> Option<Picture> {
    let [id, has_palette, kind] = [byte(start, 0)?, byte(start, 1)?, byte(start, 2)?];
    let [first, count] = [short(start, 3)?, short(start, 5)?];
    let palette_bits = byte(start, 7)?;
    let [width, height] = [short(start, 12)?, short(start, 14)?];
    let bits = byte(start, 16)?;
    let is_kind = match kind {
        1 | 9 => has_palette == 1 && bits == 8 && first <= count,
        2 | 10 => has_palette <= 1 && matches!(bits, 15 | 16 | 24 | 32),
        3 | 11 => has_palette == 0 && matches!(bits, 8 | 16),
        _ => false,
    };
    let palette = match has_palette {
        1 => u64::from(count).saturating_mul(palette_bits.div_ceil(8).into()),
        _ => 0,
    };
    // Plain pixels must be there; run-length coded ones are fewer, but not none.
    let pixels = u64::from(width).saturating_mul(height.into());
    let pixels = match kind {
        1..=3 => pixels.saturating_mul(bits.div_ceil(8).into()),
        _ => pixels.div_ceil(128),
    };
    let least = palette
        .saturating_add(pixels)
        .saturating_add(18)
        .saturating_add(id.into());
    let sides = (width.into(), height.into());
    (is_kind && width > 0 && height > 0 && least <= size).then(|| Picture {
        has_palette: matches!(kind, 1 | 9).then_some(true),
        ..Picture::new(FileType::Tga, Some(sides), Some(bits.into()))
    })
}

/// The BMP with this header, if its numbers agree with the file's length.
pub(super) fn bmp(start: &[u8], size: u64) -> Option<Picture> {
    if !start.starts_with(b"BM") {
        return None;
    }
    let (pixels, header) = (long(start, 10)?, long(start, 14)?);
    let (width, height) = (signed_long(start, 18)?, signed_long(start, 22)?);
    let bits = short(start, 28)?;
    let is_header = matches!(header, 40 | 52 | 56 | 64 | 108 | 124);
    let can_be = is_header
        && u64::from(pixels) <= size
        && width > 0
        && matches!(bits, 1 | 4 | 8 | 16 | 24 | 32);
    let sides = (width.unsigned_abs(), height.unsigned_abs());
    can_be.then(|| Picture {
        has_palette: (bits <= 8).then_some(true),
        ..Picture::new(FileType::Bmp, Some(sides), Some(bits))
    })
}

/// The LMP with this header, if its width and height say how long it is; else the one without a header
/// that has this name and length.
pub(super) fn lmp(name: &[u8], start: &[u8], size: u64) -> Option<Picture> {
    let (width, height) = (long(start, 0)?, long(start, 4)?);
    let pixels = u64::from(width).checked_mul(height.into())?;
    let lump = match pixels > 0 && pixels.checked_add(8)? == size {
        true => None,
        false => Some(Lump::of(name, size)?),
    };
    let sides = lump.map_or((width, height), Lump::size);
    Some(Picture {
        lump,
        has_palette: (lump != Some(Lump::Palette)).then_some(false),
        ..Picture::new(FileType::Lmp, Some(sides), Some(8))
    })
}
