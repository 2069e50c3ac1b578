//! BMP as Windows has it: 8 bits with a colour table, 24 and 32 bits, not compressed.
//!
//! Rows begin at the bottom, or at the top if the height is negative. Other kinds (runs, masks, fewer bits, OS/2) are
//! recognised and not decoded: no game has them.

use super::row::{PICTURE, PictureDecoder, TypeRow};
use crate::archive::bytes::Cursor;
use crate::media::colouring::{ColourRules, EncodeRemark, PictureEncoding};
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::{
    Data, Decoding, Frame, Frames, Palette, PictureError, flip, swap, wrong,
};

pub(super) const ROW: TypeRow = TypeRow {
    look,
    encoder: Some(encode),
    decoder: PictureDecoder::EvenDamaged(b"BM", decode),
    palette: Some(|input| palette(input).map(Some)),
    ..PICTURE
};

/// The header.
struct BmpHeader {
    /// Its length.
    len: u32,
    /// The offset of the pixels.
    pixels: u32,
    width: u32,
    height: u32,
    from_top: bool,
    bits: u16,
    compression: u32,
}

impl BmpHeader {
    fn read(input: Cursor<'_>) -> Result<Self, PictureError> {
        let len = input.at(14).u32("the header's length")?;
        let pixels = input.at(10).u32("where the pixels begin")?;
        if len < 40 {
            return Err(wrong("the header's length", 14, "40 or more, as Windows has it", len));
        }
        let mut header = input.at(18);
        let (width, height) = (header.i32("the width")?, header.i32("the height")?);
        header.skip(2);
        Ok(Self {
            len,
            pixels,
            width: u32::try_from(width).map_err(|_| wrong("the width", 18, "1 or more", width))?,
            height: height.unsigned_abs(),
            from_top: height < 0,
            bits: header.u16("the bits of a pixel")?,
            compression: header.u32("the compression")?,
        })
    }

    fn sides(&self) -> (u32, u32) {
        (self.width, self.height)
    }
}

/// Accepts a BMP whose numbers agree with the file's length.
fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.all().starts_with(b"BM"))?;
    let len = file.start.at(14).u32("the header's length")?;
    check(matches!(len, 12 | 40 | 52 | 56 | 64 | 108 | 124))?;
    if len == 12 {
        // The header of OS/2.
        return Ok(());
    }
    let header = BmpHeader::read(file.start)?;
    check(u64::from(header.pixels) <= file.len && header.width > 0)?;
    check(matches!(header.bits, 1 | 4 | 8 | 16 | 24 | 32))?;
    facts.sides(header.sides());
    facts.number("bits", Some(header.bits));
    if header.bits <= 8 {
        facts.word("palette", "inside");
    }
    Ok(())
}

/// The colour table.
fn palette(input: Cursor<'_>) -> Result<Palette, PictureError> {
    let header = BmpHeader::read(input)?;
    if header.bits != 8 {
        return Err(wrong("the bits of a pixel", 28, "8", header.bits));
    }
    let count = match input.at(46).u32("the number of colours")? {
        0 => 256,
        own if own <= 256 => own as usize,
        own => return Err(wrong("the number of colours", 46, "256 at most", own)),
    };
    // A table that overlaps the pixels ends where they begin.
    let mut table = input.at(14);
    table.skip(header.len as usize);
    let room = (header.pixels as usize).checked_sub(table.position()).unwrap_or(usize::MAX);
    let table = table.take("the colour table", count.saturating_mul(4).min(room))?;
    let colours = table.chunks_exact(4).filter_map(|it| it.first_chunk());
    Ok(Palette::of_colours(colours.map(|&[blue, green, red]| [red, green, blue])))
}

fn decode(job: &mut Decoding<'_>) -> Frames {
    let input = job.input;
    let header = BmpHeader::read(input)?;
    job.area(18, header.sides())?;
    if header.compression != 0 {
        return Err(wrong("the compression", 30, "0, for none", header.compression));
    }
    let data = match header.bits {
        8 => {
            let palette = palette(input)?;
            Data::indexed(rows(input, &header)?, Some(palette), None)
        }
        24 => {
            let mut rgb = rows(input, &header)?;
            swap(&mut rgb, 3);
            Data::Rgb(rgb)
        }
        32 => {
            let mut rgb = Vec::new();
            for pixel in rows(input, &header)?.chunks_exact(4) {
                rgb.extend(pixel.iter().take(3).rev());
            }
            Data::Rgb(rgb)
        }
        bits => return Err(wrong("the bits of a pixel", 28, "8, 24 or 32", bits)),
    };
    Ok(Frame::only(header.sides(), data))
}

/// The rows from the top, without the padding to a multiple of four bytes.
fn rows(input: Cursor<'_>, header: &BmpHeader) -> Result<Vec<u8>, PictureError> {
    let row = usize::from(header.bits / 8).saturating_mul(header.width as usize);
    let stride = row.div_ceil(4).saturating_mul(4);
    // Some files lack the padding of the last row.
    let padding = stride.saturating_sub(row);
    let len = stride.saturating_mul(header.height as usize);
    let mut pixels = input.at(header.pixels as usize);
    let bytes = pixels.take("the pixels", len.saturating_sub(padding))?;
    let mut rows = Vec::with_capacity(row.saturating_mul(header.height as usize));
    for line in bytes.chunks(stride.max(1)) {
        rows.extend_from_slice(line.get(..row).unwrap_or_default());
    }
    if !header.from_top {
        flip(&mut rows, row);
    }
    Ok(rows)
}

/// Encodes a picture of 256 colours with 8 bits, and one of more with 24.
fn encode(job: &mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError> {
    let (width, height) = job.sides();
    let (mut table, mut pixels) = (Vec::new(), Vec::new());
    let (mut bits, mut bytes_of_pixel) = (8_u16, 1);
    if matches!(job.pixels.data, Data::Indexed { .. }) {
        let indexed = job.indexed(ColourRules::OPAQUE, true)?;
        for [red, green, blue] in indexed.palette.colours() {
            table.extend([*blue, *green, *red, 0]);
        }
        pixels = indexed.indices;
    } else {
        (bits, bytes_of_pixel) = (24, 3_usize);
        for pixel in job.pixels.to_rgba(&Palette::grey()).chunks_exact(4) {
            pixels.extend(pixel.iter().take(3).rev());
            if !pixel.ends_with(&[255]) {
                job.remark(EncodeRemark::AlphaIgnored);
            }
        }
    }
    let row = bytes_of_pixel.saturating_mul(width as usize).max(1);
    flip(&mut pixels, row);
    let mut rows = Vec::new();
    for row in pixels.chunks_exact(row) {
        rows.extend_from_slice(row);
        rows.resize(rows.len().next_multiple_of(4), 0);
    }
    let number = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
    let start = table.len().saturating_add(54);
    let mut bytes = b"BM".to_vec();
    bytes.extend(number(start.saturating_add(rows.len())));
    bytes.extend([0; 4]);
    bytes.extend(number(start));
    for side in [40, width, height] {
        bytes.extend(side.to_le_bytes());
    }
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(bits.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(number(rows.len()));
    // 2,835 pixels a metre are 72 an inch.
    bytes.extend([2835_u32.to_le_bytes(), 2835_u32.to_le_bytes()].concat());
    bytes.extend([0; 8]);
    bytes.extend(table);
    bytes.extend(rows);
    Ok(bytes)
}
