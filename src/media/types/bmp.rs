//! BMP: 1, 4 and 8 bits with a colour table, plain or run-length coded; 16, 24 and 32 bits.
//!
//! Rows begin at the bottom, or at the top if the height is negative.
//!
//! The header comes from Windows or from OS/2. In OS/2's, numbers have 16 bits and colours three bytes. Pixels of 16 and 32 bits have five or eight bits per colour, or use the masks in the header.
//! Pixels that runs skip have colour 0.

use super::row::{PICTURE, PictureDecoder, TypeRow};
use crate::archive::bytes::{Cursor, u16_at, u32_at};
use crate::media::colouring::{ColourRules, EncodeRemark, PictureEncoding};
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::{
    Data, Decoding, Frame, Frames, Palette, PictureError, bits, flip, halves, swap, wrong,
};

pub(super) const ROW: TypeRow = TypeRow {
    word: "bmp",
    name: "BMP",
    described: "a BMP picture",
    extensions: &["bmp"],
    look,
    encoder: Some(encode),
    decoder: PictureDecoder::EvenDamaged(b"BM", decode),
    palette: Some(|input| palette(input).map(Some)),
    ..PICTURE
};

/// The length of OS/2's header. The colours after it have three bytes, not four.
const OS2_HEADER: u32 = 12;

/// The compressions that are decoded.
const RUNS_OF_8: u32 = 1;
const RUNS_OF_4: u32 = 2;
const MASKS: u32 = 3;

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
    coding: u32,
}

impl BmpHeader {
    fn read(input: Cursor<'_>) -> Result<Self, PictureError> {
        let len = input.at(14).u32("the header's length")?;
        let pixels = input.at(10).u32("where the pixels begin")?;
        let mut header = input.at(18);
        let (width, height) = match len {
            OS2_HEADER => {
                let (width, height) = (header.u16("the width")?, header.u16("the height")?);
                (width.into(), height.into())
            }
            40.. => (header.i32("the width")?, header.i32("the height")?),
            _ => return Err(wrong("the header's length", 14, "12, or 40 or more", len)),
        };
        header.skip(2);
        Ok(Self {
            len,
            pixels,
            width: u32::try_from(width).map_err(|_| wrong("the width", 18, "1 or more", width))?,
            height: height.unsigned_abs(),
            from_top: height < 0,
            bits: header.u16("the bits of a pixel")?,
            coding: match len {
                OS2_HEADER => 0,
                _ => header.u32("the compression")?,
            },
        })
    }

    fn sides(&self) -> (u32, u32) {
        (self.width, self.height)
    }
}

/// Accepts a BMP whose numbers agree with the file's length.
fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.all().starts_with(b"BM"))?;
    let header = BmpHeader::read(file.start)?;
    check(matches!(header.len, 12 | 40 | 52 | 56 | 64 | 108 | 124))?;
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
    let is_os2 = header.len == OS2_HEADER;
    let (bits_at, colour) = if is_os2 { (24, 3) } else { (28, 4) };
    let bits = header.bits;
    if !matches!(bits, 1 | 4 | 8) {
        return Err(wrong("the bits of a pixel", bits_at, "1, 4 or 8", bits));
    }
    let mut count = 1_usize << bits;
    if !is_os2 {
        count = match input.at(46).u32("the number of colours")? {
            0 => count,
            own if own <= 256 => own as usize,
            own => return Err(wrong("the number of colours", 46, "256 at most", own)),
        };
    }
    // A table that overlaps the pixels ends where they begin.
    let mut table = input.at(14);
    table.skip(header.len as usize);
    let room = (header.pixels as usize).checked_sub(table.position()).unwrap_or(usize::MAX);
    let len = count.saturating_mul(colour).min(room);
    let table = table.take("the colour table", len)?;
    let colours = table.chunks_exact(colour).filter_map(|it| it.first_chunk());
    Ok(Palette::of_colours(colours.map(|&[blue, green, red]| [red, green, blue])))
}

/// Runs can skip whole rows, so a few bytes can claim many pixels. Each byte may claim at most this many,
/// beyond the first 65,536.
const PIXELS_PER_BYTE: u64 = 4096;

fn decode(job: &mut Decoding<'_>) -> Frames {
    let input = job.input;
    let header = BmpHeader::read(input)?;
    let area = job.area(18, header.sides())?;
    let data = match (header.bits, header.coding) {
        (8, RUNS_OF_8) | (4, RUNS_OF_4) => unpack(input, &header, area)?,
        (1 | 4 | 8, 0) => indexed(input, &header, area)?,
        (24, 0) => {
            let mut rgb = plain_rows(input, &header)?;
            swap(&mut rgb, 3);
            Data::Rgb(rgb)
        }
        (16 | 32, 0 | MASKS) => masked(input, &header)?,
        (1 | 4 | 8 | 16 | 24 | 32, coding) => {
            let expected = "none, runs of 4 or 8 bits, or masks";
            return Err(wrong("the compression", 30, expected, coding));
        }
        (bits, _) => {
            let expected = "1, 4, 8, 16, 24 or 32";
            return Err(wrong("the bits of a pixel", 28, expected, bits));
        }
    };
    Ok(Frame::only(header.sides(), data))
}

/// The length of a row in bytes, without the padding to a multiple of 32 bits.
fn row_len(header: &BmpHeader) -> usize {
    let bits = usize::from(header.bits).saturating_mul(header.width as usize);
    bits.div_ceil(8)
}

/// The rows from the top, without padding.
fn plain_rows(input: Cursor<'_>, header: &BmpHeader) -> Result<Vec<u8>, PictureError> {
    let row = row_len(header);
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

fn indexed(input: Cursor<'_>, header: &BmpHeader, area: usize) -> Result<Data, PictureError> {
    let palette = palette(input)?;
    let rows = plain_rows(input, header)?;
    let width = header.width as usize;
    let mut indices = Vec::with_capacity(area);
    for row in rows.chunks(row_len(header).max(1)) {
        match header.bits {
            8 => indices.extend_from_slice(row),
            4 => indices.extend(halves(row).take(width)),
            _ => indices.extend(bits(row).take(width)),
        }
    }
    Ok(Data::indexed(indices, Some(palette), None))
}

/// The masks of red, green, blue and alpha.
fn masks(input: Cursor<'_>, header: &BmpHeader) -> Result<[u32; 4], PictureError> {
    if header.coding != MASKS {
        return Ok(match header.bits {
            16 => [0x7C00, 0x3E0, 0x1F, 0],
            _ => [0xFF_0000, 0xFF00, 0xFF, 0],
        });
    }
    let mut masks = [0; 4];
    let known = if header.len >= 56 { 4 } else { 3 };
    let mut input = input.at(54);
    for mask in masks.iter_mut().take(known) {
        *mask = input.u32("the mask of a colour")?;
    }
    Ok(masks)
}

/// Pixels of 16 or 32 bits.
fn masked(input: Cursor<'_>, header: &BmpHeader) -> Result<Data, PictureError> {
    let [red, green, blue, alpha] = masks(input, header)?;
    let mut pixels = Vec::new();
    for pixel in plain_rows(input, header)?.chunks_exact(usize::from(header.bits / 8)) {
        let number = match header.bits {
            16 => u16_at(pixel, 0).into(),
            _ => u32_at(pixel, 0),
        };
        pixels.extend([red, green, blue].map(|mask| channel(number, mask)));
        if alpha != 0 {
            pixels.push(channel(number, alpha));
        }
    }
    Ok(match alpha {
        0 => Data::Rgb(pixels),
        _ => Data::Rgba(pixels),
    })
}

/// The bits of a number that a mask selects, scaled to 0 to 255.
fn channel(number: u32, mask: u32) -> u8 {
    let shift = mask.trailing_zeros();
    let part = u64::from((number & mask).checked_shr(shift).unwrap_or(0));
    let most = u64::from(mask.checked_shr(shift).unwrap_or(0));
    let part = part.saturating_mul(255).checked_div(most).unwrap_or(0);
    u8::try_from(part).unwrap_or(255)
}

/// Decodes run-length coded pixels of 4 or 8 bits.
fn unpack(mut input: Cursor<'_>, header: &BmpHeader, area: usize) -> Result<Data, PictureError> {
    let palette = palette(input)?;
    input = input.at(header.pixels as usize);
    let most = (input.rest().len() as u64).saturating_mul(PIXELS_PER_BYTE).saturating_add(65_536);
    let found = area as u64;
    if found > most {
        return Err(PictureError::TooManyPixels { found, most });
    }
    let is_of_4 = header.bits == 4;
    let mut rows = Rows { indices: vec![0; area], width: header.width as usize, column: 0, row: 0 };
    while rows.row < header.height as usize {
        match (input.u8("a run")?, input.u8("a run")?) {
            (0, 0) => (rows.column, rows.row) = (0, rows.row.saturating_add(1)),
            (0, 1) => break,
            (0, 2) => {
                let right = input.u8("a step")?;
                let down = input.u8("a step")?;
                rows.column = rows.column.saturating_add(right.into());
                rows.row = rows.row.saturating_add(down.into());
            }
            (0, count) => {
                let count = usize::from(count);
                let len = if is_of_4 { count.div_ceil(2) } else { count };
                let bytes = input.take("plain pixels between runs", len)?;
                if is_of_4 {
                    rows.write(halves(bytes), count);
                } else {
                    rows.write(bytes.iter().copied(), count);
                }
                input.skip(len % 2);
            }
            (count, value) if is_of_4 => {
                let pair = [value >> 4, value & 15];
                rows.write(pair.into_iter().cycle(), count.into());
            }
            (count, value) => rows.write(std::iter::repeat(value), count.into()),
        }
    }
    if !header.from_top {
        flip(&mut rows.indices, rows.width);
    }
    Ok(Data::indexed(rows.indices, Some(palette), None))
}

/// Pixels that runs fill, and the current position.
struct Rows {
    indices: Vec<u8>,
    width: usize,
    column: usize,
    row: usize,
}

impl Rows {
    /// Writes `count` pixels. Pixels beyond the end of the row are dropped.
    fn write(&mut self, pixels: impl Iterator<Item = u8>, count: usize) {
        let start = self.row.saturating_mul(self.width).saturating_add(self.column);
        let room = self.width.saturating_sub(self.column);
        let rest = self.indices.get_mut(start..).unwrap_or_default();
        for (to, from) in rest.iter_mut().take(room).zip(pixels.take(count)) {
            *to = from;
        }
        self.column = self.column.saturating_add(count);
    }
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
