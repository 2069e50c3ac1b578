//! Lumps of Quake: pictures with a header, and lumps known by name and length. Also palettes and fonts in
//! WADs.
//!
//! | file           | bytes          | picture                                                    |
//! |----------------|----------------|------------------------------------------------------------|
//! | `palette.lmp`, any of 768 bytes | 768 | 16 x 16, each colour once                            |
//! | `colormap.lmp` | 16,384 or more | 256 x 64: a row for each of 64 lights, a column for each colour |
//! | `conchars.lmp` | 16,384         | 128 x 128: 256 characters, colour 0 is transparent         |
//! | `tinyfont.lmp` | 4,096          | 128 x 32: Hexen II's small characters                      |
//! | `pop.lmp`      | 256            | 16 x 16: shows whether the game was bought                 |
//! | any other      | 8 and pixels   | width and height first; colour 255 is transparent; Half-Life's have a palette after them |

use super::row::{FILE, PICTURE, PictureDecoder, QUAKE_PALETTES, TypeRow, Usage};
use crate::archive::RawName;
use crate::archive::bytes::Cursor;
use crate::media::colouring::{ColourRules, PictureEncoding, Usable};
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::{Data, Decoding, Frame, Frames, Palette, PictureError, sides, wrong};

pub(super) const LMP: TypeRow = TypeRow {
    look,
    encoder: Some(encode),
    decoder: PictureDecoder::EvenDamaged(b"", decode),
    usage: Usage::Other,
    game_palettes: QUAKE_PALETTES,
    ..PICTURE
};

pub(super) const PAL: TypeRow =
    TypeRow { look: pal, decoder: PictureDecoder::IfValid(decode), usage: Usage::Lump, ..PICTURE };

pub(super) const FONT: TypeRow = TypeRow { look: font, usage: Usage::Lump, ..FILE };

/// The word for a lump that is a palette.
const PALETTE: &str = "palette";

/// The lump without a header that has this name and length: its word, its width and height, and its transparent
/// colour.
fn known_lump(
    name: RawName<'_>,
    start: Cursor<'_>,
    len: u64,
) -> Option<(&'static str, (u32, u32), Option<u8>)> {
    if is_picture(start, len) {
        return None;
    }
    let last = name.last_part().to_ascii_lowercase();
    let stem = last.split(|byte| *byte == b'.').next()?;
    Some(match (stem, len) {
        (_, 768) => (PALETTE, (16, 16), None),
        (b"colormap", 0x4000..) => ("colormap", (256, 64), None),
        _ => {
            let (own, sides, none) = raw_lump(stem)?;
            let pixels = u64::from(sides.0).saturating_mul(sides.1.into());
            if pixels != len {
                return None;
            }
            (own, sides, Some(none))
        }
    })
}

/// The picture without a header that has this name: its word, its width and height, and its transparent colour.
fn raw_lump(stem: &[u8]) -> Option<(&'static str, (u32, u32), u8)> {
    Some(match stem {
        b"conchars" => ("conchars", (128, 128), 0),
        b"tinyfont" => ("tinyfont", (128, 32), 0),
        b"pop" => ("pop", (16, 16), 255),
        _ => return None,
    })
}

/// Whether the header's size agrees with the file's length.
fn is_picture(mut start: Cursor<'_>, len: u64) -> bool {
    let Ok((width, height)) = sides(&mut start) else {
        return false;
    };
    let pixels = u64::from(width).checked_mul(height.into());
    pixels.is_some_and(|pixels| pixels > 0 && pixels.checked_add(8) == Some(len))
}

fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let mut sides = sides(&mut file.start.at(0))?;
    if let Some((word, own_sides, _)) = known_lump(file.name, file.start, file.len) {
        facts.word("lump", word);
        if word == PALETTE {
            return Ok(());
        }
        sides = own_sides;
    } else {
        check(is_picture(file.start, file.len))?;
    }
    facts.sides(sides);
    facts.number("bits", Some(8_u32));
    facts.word("palette", "gfx/palette.lmp");
    Ok(())
}

/// A file with a palette's name. Other programs use the extension, too.
fn pal(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.len == 768)?;
    facts.word("lump", PALETTE);
    Ok(())
}

/// A font of Half-Life: width, height, rows and their height, the places of 256 characters, pixels, and a
/// palette.
fn font(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    const HEADER: u64 = 16 + 256 * 4;
    let sides = sides(&mut file.start.at(0))?;
    let pixels = u64::from(sides.0).saturating_mul(sides.1.into());
    let end = pixels.saturating_add(HEADER);
    check(pixels > 0 && end <= file.len)?;
    facts.sides(sides);
    facts.number("bits", Some(8_u32));
    facts.palette(file.len >= end.saturating_add(5), "gfx/palette.lmp");
    Ok(())
}

fn decode(job: &mut Decoding<'_>) -> Frames {
    let len = job.input.all().len() as u64;
    let Some((word, sides, transparent)) = known_lump(job.name, job.input, len) else {
        return picture(job);
    };
    let area = job.area(0, sides)?;
    if word == PALETTE {
        let palette = Palette::of_triples(job.input)?;
        let data = Data::indexed((0..=255).collect(), Some(palette), None);
        return Ok(Frame::only(sides, data));
    }
    let indices = job.input.at(0).take("the pixels", area)?.to_vec();
    let data = Data::indexed(indices, None, transparent);
    Ok(Frame::only(sides, data))
}

/// Decodes a picture that begins with its width and height.
fn picture(job: &mut Decoding<'_>) -> Frames {
    let mut input = job.input;
    let sides = sides(&mut input)?;
    let area = job.area(0, sides)?;
    let indices = input.take("the pixels", area)?.to_vec();
    let palette = Palette::counted(input);
    let behind = input.rest().len();
    if palette.is_none() && behind > 0 {
        let what = "the number of bytes behind the pixels";
        let found = i64::try_from(behind).unwrap_or(i64::MAX);
        return Err(wrong(what, input.position(), "0, or a palette", found));
    }
    let data = Data::indexed(indices, palette, Some(255));
    Ok(Frame::only(sides, data))
}

/// Encodes a picture: of Half-Life with its palette, if that of the game is not given.
fn encode(job: &mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError> {
    let has_palette = job.palette.is_none();
    let last = job.name.last_part().to_ascii_lowercase();
    let raw = raw_lump(last.split(|byte| *byte == b'.').next().unwrap_or_default());
    let transparent = raw.map_or(255, |(_, _, none)| none);
    let rules = ColourRules {
        usable: match (has_palette, transparent) {
            (true, _) | (_, 0) => Usable::NotLast,
            _ => Usable::QuakePicture,
        },
        transparent: Some(transparent),
        keyed: !has_palette && transparent == 255,
        clear_colour: [0, 0, 255],
        ..ColourRules::OPAQUE
    };
    let sides = job.sides();
    if let Some((_, expected, _)) = raw
        && sides != expected
    {
        return Err(PictureError::LumpSides { sides, expected });
    }
    let indexed = job.indexed(rules, has_palette)?;
    if raw.is_some() {
        return Ok(indexed.indices);
    }
    let mut bytes = [sides.0.to_le_bytes(), sides.1.to_le_bytes()].concat();
    bytes.extend(indexed.indices);
    if has_palette {
        bytes.extend_from_slice(&256_u16.to_le_bytes());
        bytes.extend_from_slice(indexed.palette.colours().as_flattened());
    }
    Ok(bytes)
}
