//! PNG and JPEG. They are not decoded, because every program that shows pictures can show them.

use super::row::{Magic, PICTURE, PictureDecoder, TypeRow};
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::PictureError;

pub(super) const PNG: TypeRow = TypeRow {
    magic: Magic::Always(b"\x89PNG\r\n\x1A\n"),
    look: png,
    decoder: PictureDecoder::Refused(|_| PictureError::PassThrough("PNG")),
    ..PICTURE
};

pub(super) const JPEG: TypeRow = TypeRow {
    magic: Magic::Always(b"\xFF\xD8\xFF"),
    decoder: PictureDecoder::Refused(|_| PictureError::PassThrough("JPEG")),
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
