//! PNG and JPEG. They are not decoded, because every program that shows pictures can show them.

use super::row::{Magic, PICTURE, PictureDecoder, TypeRow};
use crate::archive::bytes::Cursor;
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::PictureError;

pub(super) const PNG: TypeRow = TypeRow {
    word: "png",
    name: "PNG",
    described: "a PNG picture",
    extensions: &["png"],
    magic: Magic::Always(b"\x89PNG\r\n\x1A\n"),
    look: png,
    decoder: PictureDecoder::Refused(|_| PictureError::PassThrough(PNG.name)),
    ..PICTURE
};

pub(super) const JPEG: TypeRow = TypeRow {
    word: "jpeg",
    name: "JPEG",
    described: "a JPEG picture",
    extensions: &["jpg", "jpeg"],
    magic: Magic::Always(b"\xFF\xD8\xFF"),
    look: jpeg,
    decoder: PictureDecoder::Refused(|_| PictureError::PassThrough(JPEG.name)),
    ..PICTURE
};

fn png(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let mut header = file.start.at(12);
    check(header.take("the first chunk", 4)? == b"IHDR")?;
    let sides = (header.u32_be("the width")?, header.u32_be("the height")?);
    let bits = header.u8("the bits of a channel").ok();
    let kind = header.u8("the kind of colours").ok();
    let channels = match kind {
        Some(2) => 3,
        Some(4) => 2,
        Some(6) => 4,
        _ => 1,
    };
    facts.sides(sides);
    facts.number("bits", bits.map(|bits| u16::from(bits).saturating_mul(channels)));
    if kind == Some(3) {
        facts.word("palette", "inside");
    }
    Ok(())
}

/// The most segments of a JPEG that are skipped. Profiles and previews of 16 MiB take that many.
const SEGMENTS_MAX: usize = 256;

/// Finds the segment with the picture's size. Others, of any length, come first.
fn jpeg(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let mut at: u64 = 2;
    for _ in 0..SEGMENTS_MAX {
        let segment = file.read_up_to(at, 10)?;
        let &[0xFF, marker, ..] = &segment[..] else {
            break;
        };
        let segment = Cursor::new(&segment);
        // 0xC4, 0xC8 and 0xCC begin tables.
        if matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC) {
            add_frame(segment, facts);
            break;
        }
        let Ok(len @ 2..) = segment.at(2).u16_be("the length of a segment") else {
            break;
        };
        at = at.saturating_add(2).saturating_add(len.into());
    }
    Ok(())
}

/// Adds the facts of a frame segment.
fn add_frame(segment: Cursor<'_>, facts: &mut FactList) {
    let height = segment.at(5).u16_be("the height");
    let width = segment.at(7).u16_be("the width");
    let (Ok(height), Ok(width)) = (height, width) else {
        return;
    };
    facts.sides((width.into(), height.into()));
    let bits = segment.at(4).u8("the bits of a channel");
    let channels = segment.at(9).u8("the number of channels");
    if let (Ok(bits), Ok(channels)) = (bits, channels) {
        facts.number("bits", u16::from(bits).checked_mul(channels.into()));
    }
}
