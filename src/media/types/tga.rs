//! TGA: types 1, 2 and 3, and their run-length coded forms 9, 10 and 11.
//!
//! Rows come from the bottom up unless bit 5 of byte 17 is set, and from the left unless bit 4 is set. Grey
//! is a picture of indices with a grey palette. A picture of 32 bits is opaque if its header says it has no
//! alpha and all alpha values are zero.

use super::row::{PICTURE, PictureDecoder, TypeRow};
use crate::archive::bytes::{Cursor, Short, u16_at};
use crate::media::colouring::PictureEncoding;
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::{
    Data, Decoding, Frame, Frames, Palette, PictureError, flip, mirror, swap, wrong,
};

pub(super) const ROW: TypeRow = TypeRow {
    look,
    encoder: Some(encode),
    decoder: PictureDecoder::EvenDamaged(b"", decode),
    ..PICTURE
};

const HEADER: usize = 18;

/// The header.
struct TgaHeader {
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

impl TgaHeader {
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

    /// The type of pixels: 1 for colour numbers, 2 for colours, 3 for grey. The type in the header has 8 added if
    /// they are run-length coded.
    const fn pixel_kind(&self) -> u8 {
        self.kind & !8
    }

    /// Rejects unknown types and numbers of bits.
    fn check(&self) -> Result<(), PictureError> {
        match (self.pixel_kind(), self.bits) {
            (1, 8) if self.mapped != 1 => {
                Err(wrong("whether it has a palette", 1, "1", self.mapped))
            }
            (1, 8) | (2, 15 | 16 | 24 | 32) | (3, 8 | 16) => Ok(()),
            (1..=3, bits) => {
                let expected = "one that its type has";
                Err(wrong("the bits of a pixel", 16, expected, bits))
            }
            _ => Err(wrong("the type", 2, "1, 2, 3, 9, 10 or 11", self.kind)),
        }
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
fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let header = TgaHeader::read(&mut file.start.at(0))?;
    header.check()?;
    check(match header.pixel_kind() {
        1 => header.first_colour <= header.colours,
        2 => header.mapped <= 1,
        _ => header.mapped == 0,
    })?;
    check(header.width > 0 && header.height > 0)?;
    // Plain pixels must all be in the file. Runs take fewer bytes, but at least one.
    let pixels = u64::from(header.width).saturating_mul(header.height.into());
    let pixels = match header.kind {
        1..=3 => pixels.saturating_mul(header.bits.div_ceil(8).into()),
        _ => pixels.div_ceil(128),
    };
    let least = (header.palette_len() as u64)
        .saturating_add(pixels)
        .saturating_add(HEADER as u64)
        .saturating_add(header.text.into());
    check(least <= file.len)?;
    facts.sides((header.width, header.height));
    facts.number("bits", Some(header.bits));
    if header.pixel_kind() == 1 {
        facts.word("palette", "inside");
    }
    Ok(())
}

fn decode(job: &mut Decoding<'_>) -> Frames {
    let mut input = job.input;
    input.at(0).take("the header", HEADER)?;
    let header = TgaHeader::read(&mut input)?;
    input.take("the text", header.text.into())?;
    let map = input.take("the palette", header.palette_len())?;
    header.check()?;
    let colours = match header.pixel_kind() {
        1 => colours(map, &header)?,
        _ => Vec::new(),
    };
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
    Ok(Frame::only(sides, data(raw, &header, &colours)))
}

/// The colours of the palette. Colours before the first are black.
fn colours(map: &[u8], header: &TgaHeader) -> Result<Vec<[u8; 4]>, PictureError> {
    let mut colours = vec![[0; 4]; usize::from(header.first_colour.min(256))];
    match header.colour_bits {
        15 | 16 => colours.extend(pairs(map).map(|pair| of_16(pair, false))),
        24 => {
            let triples = map.chunks_exact(3).filter_map(|it| it.first_chunk());
            colours.extend(triples.map(|&[blue, green, red]| [red, green, blue, 255]));
        }
        32 => {
            let quads = map.chunks_exact(4).filter_map(|it| it.first_chunk());
            colours.extend(quads.map(|&[blue, green, red, alpha]| [red, green, blue, alpha]));
        }
        bits => return Err(wrong("the bits of a colour", 7, "15, 16, 24 or 32", bits)),
    }
    Ok(colours)
}

fn pairs(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).map(|pair| u16_at(pair, 0))
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

/// A colour without its opacity.
const fn rgb([red, green, blue, _]: [u8; 4]) -> [u8; 3] {
    [red, green, blue]
}

/// The pixels of these bytes, which are in their order on the screen.
fn data(mut raw: Vec<u8>, header: &TgaHeader, colours: &[[u8; 4]]) -> Data {
    let alpha_bits = header.flags & 15;
    match (header.pixel_kind(), header.bits) {
        (1, _) if header.colour_bits == 32 => {
            let colour = |index: &u8| colours.get(usize::from(*index)).copied();
            let pixels = raw.iter().map(|index| colour(index).unwrap_or_default());
            Data::Rgba(pixels.flatten().collect())
        }
        (1, _) => {
            let palette = Palette::of_colours(colours.iter().copied().map(rgb));
            Data::indexed(raw, Some(palette), None)
        }
        (3, 8) => Data::indexed(raw, Some(Palette::grey()), None),
        (3, _) => {
            let pixels = pairs(&raw).map(u16::to_le_bytes);
            let pixels = pixels.flat_map(|[grey, alpha]| [grey, grey, grey, alpha]);
            Data::Rgba(pixels.collect())
        }
        (_, 16) if alpha_bits == 1 => {
            Data::Rgba(pairs(&raw).flat_map(|pair| of_16(pair, true)).collect())
        }
        (_, 15 | 16) => {
            let pixels = pairs(&raw).flat_map(|pair| rgb(of_16(pair, false)));
            Data::Rgb(pixels.collect())
        }
        (_, 24) => {
            swap(&mut raw, 3);
            Data::Rgb(raw)
        }
        _ => {
            swap(&mut raw, 4);
            let is_seen = |pixel: &[u8]| pixel.last() != Some(&0);
            if alpha_bits == 0 && !raw.chunks_exact(4).any(is_seen) {
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
    input.at(input.position()).take("the packets of pixels", least)?;
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

/// Encodes a picture of 24 bits, or of 32 if it has transparent pixels.
fn encode(job: &mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError> {
    let (width, height) = job.sides();
    let mut pixels = job.pixels.to_rgba(&Palette::grey());
    let has_alpha = pixels.chunks_exact(4).any(|pixel| !pixel.ends_with(&[255]));
    let bytes_of_pixel: u8 = if has_alpha { 4 } else { 3 };
    swap(&mut pixels, 4);
    // Engines that ignore the order of rows read them from the bottom.
    flip(&mut pixels, (width as usize).saturating_mul(4));
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for side in [width, height] {
        bytes.extend_from_slice(&u16::try_from(side).unwrap_or(u16::MAX).to_le_bytes());
    }
    bytes.push(bytes_of_pixel.saturating_mul(8));
    bytes.push(if has_alpha { 8 } else { 0 });
    for pixel in pixels.chunks_exact(4) {
        bytes.extend(pixel.iter().take(bytes_of_pixel.into()));
    }
    Ok(bytes)
}
