//! TGA: types 1, 2 and 3, and their run-length coded forms 9, 10 and 11.
//!
//! Rows come from the bottom up unless bit 5 of byte 17 is set, and from the left unless bit 4 is set. Grey
//! is a picture of indices with a grey palette. A picture of 32 bits is opaque if its header says it has no
//! alpha and all alpha values are zero.

use super::facts::FactList;
use super::file::{File, Mismatch, check};
use super::palette::Palette;
use super::pixels::{
    Data, Decoding, Frame, Frames, PictureError, Pixels, flip, mirror, swap, wrong,
};
use crate::archive::bytes::{Cursor, Short};

const HEADER: usize = 18;

/// The header.
struct Header {
    /// The length of the text after the header.
    text: u8,
    /// 1 if it has a palette.
    mapped: u8,
    kind: u8,
    first_colour: u16,
    colours: u16,
    colour_bits: u8,
    width: u32,
    height: u32,
    bits: u8,
    flags: u8,
}

impl Header {
    fn read(input: &mut Cursor<'_>) -> Result<Self, Short> {
        let text = input.u8("the length of the text")?;
        let mapped = input.u8("whether it has a palette")?;
        let kind = input.u8("the type")?;
        let first_colour = input.u16("the first colour")?;
        let colours = input.u16("the number of colours")?;
        let colour_bits = input.u8("the bits of a colour")?;
        // Skip the position.
        input.skip(4);
        Ok(Self {
            text,
            mapped,
            kind,
            first_colour,
            colours,
            colour_bits,
            width: input.u16("the width")?.into(),
            height: input.u16("the height")?.into(),
            bits: input.u8("the bits of a pixel")?,
            flags: input.u8("the order of pixels")?,
        })
    }

    /// The length of the palette in bytes.
    fn palette_len(&self) -> usize {
        match self.mapped {
            1 => usize::from(self.colours).saturating_mul(self.colour_bits.div_ceil(8).into()),
            _ => 0,
        }
    }
}

/// Accepts a file with the name of a TGA, if the header is possible.
pub(super) fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let header = Header::read(&mut file.start.at(0))?;
    let (mapped, bits) = (header.mapped, header.bits);
    let is_kind = match header.kind {
        1 | 9 => mapped == 1 && bits == 8 && header.first_colour <= header.colours,
        2 | 10 => mapped <= 1 && matches!(bits, 15 | 16 | 24 | 32),
        3 | 11 => mapped == 0 && matches!(bits, 8 | 16),
        _ => false,
    };
    check(is_kind && header.width > 0 && header.height > 0)?;
    // Plain pixels must all be in the file. Runs take fewer bytes, but at least one.
    let pixels = u64::from(header.width).saturating_mul(header.height.into());
    let pixels = match header.kind {
        1..=3 => pixels.saturating_mul(bits.div_ceil(8).into()),
        _ => pixels.div_ceil(128),
    };
    let least = (header.palette_len() as u64)
        .saturating_add(pixels)
        .saturating_add(HEADER as u64)
        .saturating_add(header.text.into());
    check(least <= file.len)?;
    facts.sides((header.width, header.height));
    facts.number("bits", Some(bits));
    if matches!(header.kind, 1 | 9) {
        facts.word("palette", "inside");
    }
    Ok(())
}

/// The meaning of a pixel's bytes.
enum TgaCoding {
    /// A colour number, with the palette.
    Indexed(Palette),
    /// A colour number, with colours that have alpha.
    Mapped(Vec<[u8; 4]>),
    /// Grey and opacity.
    GreyAlpha,
    /// 16 bits; whether the highest bit is opacity.
    Of16(bool),
    Bgr,
    Bgra,
}

pub(super) fn decode(job: &mut Decoding<'_>) -> Frames {
    let mut input = job.input;
    input.at(0).take("the header", HEADER)?;
    let header = Header::read(&mut input)?;
    input.take("the text", header.text.into())?;
    let map = input.take("the palette", header.palette_len())?;
    let coding = coding(&header, map)?;
    let sides = (header.width, header.height);
    let area = job.area(12, sides)?;
    let bytes = usize::from(header.bits.div_ceil(8));
    let len = area.saturating_mul(bytes);
    let mut raw = match header.kind {
        1..=3 => input.take("the pixels", len)?.to_vec(),
        _ => unpack(input, len, bytes)?,
    };
    let stride = bytes.saturating_mul(header.width as usize);
    if header.flags & 0x20 == 0 {
        flip(&mut raw, stride);
    }
    if header.flags & 0x10 != 0 {
        mirror(&mut raw, stride, bytes);
    }
    let data = data(raw, coding, header.flags & 15 == 0);
    Ok(Frame::only(Pixels::new(sides, data)))
}

fn coding(header: &Header, map: &[u8]) -> Result<TgaCoding, PictureError> {
    let bits = header.bits;
    Ok(match (header.kind, bits) {
        (1 | 9, 8) if header.mapped == 1 => colours(map, header)?,
        (1 | 9, 8) => return Err(wrong("whether it has a palette", 1, "1", header.mapped)),
        (2 | 10, 15 | 16) => TgaCoding::Of16(bits == 16 && header.flags & 15 == 1),
        (2 | 10, 24) => TgaCoding::Bgr,
        (2 | 10, 32) => TgaCoding::Bgra,
        (3 | 11, 8) => TgaCoding::Indexed(Palette::grey()),
        (3 | 11, 16) => TgaCoding::GreyAlpha,
        (1 | 9 | 2 | 10 | 3 | 11, _) => {
            let expected = "one that its type has";
            return Err(wrong("the bits of a pixel", 16, expected, bits));
        }
        (kind, _) => return Err(wrong("the type", 2, "1, 2, 3, 9, 10 or 11", kind)),
    })
}

/// The palette. Colours before the first are black.
fn colours(map: &[u8], header: &Header) -> Result<TgaCoding, PictureError> {
    let before = std::iter::repeat_n([0; 4], usize::from(header.first_colour.min(256)));
    let all: Vec<[u8; 4]> = match header.colour_bits {
        15 | 16 => before
            .chain(pairs(map).map(|it| of_16(it, false)))
            .collect(),
        24 => {
            let triples = map.chunks_exact(3).filter_map(|it| it.first_chunk());
            let triples = triples.map(|&[blue, green, red]| [red, green, blue, 255]);
            before.chain(triples).collect()
        }
        32 => {
            let quads = map.chunks_exact(4).filter_map(|it| it.first_chunk());
            let quads = quads.map(|&[blue, green, red, alpha]| [red, green, blue, alpha]);
            return Ok(TgaCoding::Mapped(before.chain(quads).collect()));
        }
        bits => return Err(wrong("the bits of a colour", 7, "15, 16, 24 or 32", bits)),
    };
    let all = all
        .into_iter()
        .map(|[red, green, blue, _]| [red, green, blue]);
    Ok(TgaCoding::Indexed(Palette::of_colours(all)))
}

fn pairs(bytes: &[u8]) -> impl Iterator<Item = u16> {
    let pairs = bytes.chunks_exact(2).filter_map(|it| it.first_chunk());
    pairs.map(|pair| u16::from_le_bytes(*pair))
}

/// Five bits each of red, green and blue, and an optional bit of opacity.
fn of_16(pixel: u16, has_alpha: bool) -> [u8; 4] {
    let part = |shift: u16| {
        let part = pixel.checked_shr(shift.into()).unwrap_or(0) & 31;
        u8::try_from(part.saturating_mul(255) / 31).unwrap_or(255)
    };
    let alpha = if has_alpha && pixel < 0x8000 { 0 } else { 255 };
    [part(10), part(5), part(0), alpha]
}

fn data(mut raw: Vec<u8>, coding: TgaCoding, no_alpha: bool) -> Data {
    match coding {
        TgaCoding::Indexed(palette) => Data::Indexed {
            indices: raw,
            palette: Some(palette),
            transparent: None,
        },
        TgaCoding::Mapped(colours) => {
            let colour = |index: &u8| colours.get(usize::from(*index)).copied();
            let pixels = raw.iter().map(|index| colour(index).unwrap_or_default());
            Data::Rgba(pixels.flatten().collect())
        }
        TgaCoding::GreyAlpha => {
            let pixels = pairs(&raw).map(u16::to_le_bytes);
            Data::Rgba(
                pixels
                    .flat_map(|[grey, alpha]| [grey, grey, grey, alpha])
                    .collect(),
            )
        }
        TgaCoding::Of16(true) => Data::Rgba(pairs(&raw).flat_map(|it| of_16(it, true)).collect()),
        TgaCoding::Of16(false) => {
            let pixels = pairs(&raw).map(|it| of_16(it, false));
            Data::Rgb(
                pixels
                    .flat_map(|[red, green, blue, _]| [red, green, blue])
                    .collect(),
            )
        }
        TgaCoding::Bgr => {
            swap(&mut raw, 3);
            Data::Rgb(raw)
        }
        TgaCoding::Bgra => {
            swap(&mut raw, 4);
            let is_seen = |pixel: &[u8]| pixel.last() != Some(&0);
            if no_alpha && !raw.chunks_exact(4).any(is_seen) {
                let alphas = raw.chunks_exact_mut(4).filter_map(<[u8]>::last_mut);
                alphas.for_each(|alpha| *alpha = 255);
            }
            Data::Rgba(raw)
        }
    }
}

/// Decodes packets: one pixel repeated, or plain pixels.
fn unpack(mut input: Cursor<'_>, len: usize, pixel: usize) -> Result<Vec<u8>, PictureError> {
    // 128 pixels take at least one packet.
    let least = len.div_ceil(pixel.saturating_mul(128).max(1));
    let least = least.saturating_mul(pixel.saturating_add(1));
    input
        .at(input.position())
        .take("the packets of pixels", least)?;
    let mut raw = vec![0; len];
    let mut rest = raw.as_mut_slice();
    while !rest.is_empty() {
        let head = input.u8("a packet of pixels")?;
        let count = usize::from(head & 0x7F).saturating_add(1);
        let whole = count.saturating_mul(pixel).min(rest.len());
        let (to, behind) = rest.split_at_mut(whole);
        let is_run = head >= 0x80;
        let bytes = input.take("a packet of pixels", if is_run { pixel } else { whole })?;
        match bytes {
            [byte] => to.fill(*byte),
            _ if !is_run => to.copy_from_slice(bytes),
            _ => {
                for to in to.chunks_exact_mut(pixel) {
                    to.copy_from_slice(bytes);
                }
            }
        }
        rest = behind;
    }
    Ok(raw)
}
