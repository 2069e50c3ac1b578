//! Lumps of Quake: pictures with a header, and those that are known by their names and lengths.
//!
//! | file           | bytes          | picture                                                    |
//! |----------------|----------------|------------------------------------------------------------|
//! | `palette.lmp`, any of 768 bytes | 768 | 16 x 16, each colour once                            |
//! | `colormap.lmp` | 16,384 or more | 256 x 64: a row for each brightness, a column for each colour |
//! | `conchars.lmp` | 16,384         | 128 x 128, colour 0 is none                                |
//! | `pop.lmp`      | 256            | 16 x 16                                                    |
//! | any other      | 8 and pixels   | width and height first; colour 255 is none; Half-Life's have a palette behind |

use super::frame::{Frame, Pixels};
use crate::archive::RawName;
use crate::media::FileType;
use crate::media::input::{Budget, Input, PictureError, wrong};
use crate::media::palette;
use crate::media::picture::{Lump, Picture};
use crate::media::source::long;

/// Whether a header says that the file is this long.
fn is_picture(start: &[u8], len: u64) -> bool {
    let sides = long(start, 0).zip(long(start, 4));
    let pixels = sides.and_then(|(width, height)| u64::from(width).checked_mul(height.into()));
    pixels.is_some_and(|pixels| pixels > 0 && pixels.checked_add(8) == Some(len))
}

/// The lump without a header that has this name and length.
fn lump(name: RawName<'_>, start: &[u8], len: u64) -> Option<Lump> {
    if is_picture(start, len) {
        return None;
    }
    let last = name.last_part().to_ascii_lowercase();
    let stem = last.split(|byte| *byte == b'.').next()?;
    match (stem, len) {
        (_, 768) => Some(Lump::Palette),
        (b"colormap", 0x4000..) => Some(Lump::Colormap),
        (b"conchars", 0x4000) => Some(Lump::Conchars),
        (b"pop", 256) => Some(Lump::Pop),
        _ => None,
    }
}

/// The facts of an LMP: its header says how long it is, or its name and length what it is.
pub(crate) fn facts(name: RawName<'_>, start: &[u8], len: u64) -> Option<Picture> {
    let (width, height) = (long(start, 0)?, long(start, 4)?);
    let lump = lump(name, start, len);
    if lump.is_none() && !is_picture(start, len) {
        return None;
    }
    Some(Picture {
        lump,
        has_palette: (lump != Some(Lump::Palette)).then_some(false),
        ..Picture::new(
            FileType::Lmp,
            Some(lump.map_or((width, height), Lump::size)),
            Some(8),
        )
    })
}

/// The facts of a file with the name of a palette. Palettes of other programs have it, too.
pub(crate) fn palette_facts(len: u64) -> Option<Picture> {
    (len == 768).then(|| Picture {
        lump: Some(Lump::Palette),
        ..Picture::new(FileType::Pal, Some(Lump::Palette.size()), Some(8))
    })
}

/// The facts of a font of Half-Life: width, height, rows and their height, the place of each of 256 characters,
/// pixels, and a palette.
pub(crate) fn font_facts(start: &[u8], len: u64) -> Option<Picture> {
    const HEADER: u64 = 16 + 256 * 4;
    let sides = (long(start, 0)?, long(start, 4)?);
    let pixels = u64::from(sides.0).checked_mul(sides.1.into())?;
    let end = pixels.checked_add(HEADER)?;
    (pixels > 0 && end <= len).then(|| Picture {
        has_palette: Some(len >= end.saturating_add(5)),
        ..Picture::new(FileType::Font, Some(sides), Some(8))
    })
}

pub(super) fn decode(
    name: RawName<'_>,
    input: Input<'_>,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    let Some(lump) = lump(name, input.0, input.len() as u64) else {
        return Ok(vec![Frame::only(picture(input, budget)?)]);
    };
    let sides = lump.size();
    let area = budget.area(0, sides.0, sides.1)?;
    let pixels = match lump {
        Lump::Palette => {
            let palette = palette::of_triples(input, 0)?;
            Pixels::indexed(sides, (0..=255).collect(), Some(palette), None)
        }
        Lump::Colormap | Lump::Conchars | Lump::Pop => {
            let transparent = match lump {
                Lump::Conchars => Some(0),
                Lump::Pop => Some(255),
                _ => None,
            };
            let indices = input.take("the pixels", 0, area)?.to_vec();
            Pixels::indexed(sides, indices, None, transparent)
        }
    };
    Ok(vec![Frame::only(pixels)])
}

/// A picture with its width and height before it.
fn picture(input: Input<'_>, budget: &mut Budget) -> Result<Pixels, PictureError> {
    let sides = input.sides(0)?;
    let area = budget.area(0, sides.0, sides.1)?;
    let indices = input.take("the pixels", 8, area)?;
    let end = area.saturating_add(8);
    let palette = palette::counted(input, end);
    if palette.is_none() && input.len() != end {
        let found = i64::try_from(input.left(end)).unwrap_or(i64::MAX);
        let expected = "0, or a palette";
        return Err(wrong(
            "the number of bytes behind the pixels",
            end,
            expected,
            found,
        ));
    }
    let indices = indices.to_vec();
    Ok(Pixels::indexed(sides, indices, palette, Some(255)))
}
