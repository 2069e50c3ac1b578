//! BMP: 1, 4 and 8 bits with a colour table, also in runs; 16, 24 and 32 bits. Rows begin at the bottom, or
//! at the top if the height is negative.
//!
//! The header is that of Windows, or that of OS/2, whose numbers have 16 bits and whose colours three bytes.
//! Pixels of 16 and 32 bits have five or eight bits for each colour, or what the masks in the header say. Pixels
//! that runs leave out have colour 0.

use super::frame::{Data, Frame, Pixels};
use super::rows;
use crate::media::FileType;
use crate::media::input::{Budget, Input, PictureError, size, wrong};
use crate::media::palette;
use crate::media::picture::Picture;

/// The compressions that are decoded.
const RUNS_OF_8: u32 = 1;
const RUNS_OF_4: u32 = 2;
const MASKS: u32 = 3;

/// What a header says.
struct Header {
    /// How long it is.
    len: u32,
    /// Where the pixels begin.
    pixels: u32,
    width: u32,
    height: u32,
    from_top: bool,
    bits: u16,
    coding: u32,
}

impl Header {
    fn read(input: Input<'_>) -> Result<Self, PictureError> {
        let len = input.long("the header's length", 14)?;
        let pixels = input.long("where the pixels begin", 10)?;
        if len == palette::OS2_HEADER {
            return Ok(Self {
                len,
                pixels,
                width: input.short("the width", 18)?.into(),
                height: input.short("the height", 20)?.into(),
                from_top: false,
                bits: input.short("the bits of a pixel", 24)?,
                coding: 0,
            });
        }
        if len < 40 {
            return Err(wrong("the header's length", 14, "12, or 40 or more", len));
        }
        let width = input.signed_long("the width", 18)?;
        let height = input.signed_long("the height", 22)?;
        Ok(Self {
            len,
            pixels,
            width: u32::try_from(width).map_err(|_| wrong("the width", 18, "1 or more", width))?,
            height: height.unsigned_abs(),
            from_top: height < 0,
            bits: input.short("the bits of a pixel", 28)?,
            coding: input.long("the compression", 30)?,
        })
    }

    fn sides(&self) -> (u32, u32) {
        (self.width, self.height)
    }
}

/// The facts of a BMP whose numbers agree with the file's length.
pub(crate) fn facts(start: &[u8], len: u64) -> Option<Picture> {
    if !start.starts_with(b"BM") {
        return None;
    }
    let header = Header::read(Input(start)).ok()?;
    let is_one = matches!(header.len, 12 | 40 | 52 | 56 | 64 | 108 | 124)
        && u64::from(header.pixels) <= len
        && header.width > 0
        && matches!(header.bits, 1 | 4 | 8 | 16 | 24 | 32);
    is_one.then(|| Picture {
        has_palette: (header.bits <= 8).then_some(true),
        ..Picture::new(FileType::Bmp, Some(header.sides()), Some(header.bits))
    })
}

/// Runs can leave out whole rows, so that few bytes claim many pixels. No more than this many for each
/// byte are believed, beyond the first 65,536.
const PIXELS_PER_BYTE: u64 = 4096;

pub(super) fn decode(input: Input<'_>, budget: &mut Budget) -> Result<Vec<Frame>, PictureError> {
    let header = Header::read(input)?;
    let area = budget.area(18, header.width, header.height)?;
    let data = match (header.bits, header.coding) {
        (8, RUNS_OF_8) | (4, RUNS_OF_4) => unpack(input, &header, area)?,
        (1 | 4 | 8, 0) => indexed(input, &header, area)?,
        (24, 0) => {
            let mut rgb = lines_of(input, &header)?.collect::<Vec<_>>().concat();
            rows::swap(&mut rgb, 3);
            Data::Rgb(rgb)
        }
        (16 | 32, 0 | MASKS) => {
            let masks = masks(input, &header)?;
            let lines = lines_of(input, &header)?;
            masked(lines, area, usize::from(header.bits / 8), masks)
        }
        (1 | 4 | 8 | 16 | 24 | 32, coding) => {
            let expected = "none, runs of 4 or 8 bits, or masks";
            return Err(wrong("the compression", 30, expected, coding));
        }
        (bits, _) => {
            let expected = "1, 4, 8, 16, 24 or 32";
            return Err(wrong("the bits of a pixel", 28, expected, bits));
        }
    };
    let pixels = Pixels {
        width: header.width,
        height: header.height,
        data,
    };
    Ok(vec![Frame::only(pixels)])
}

/// The rows from the top, each without what fills it up to a whole number of 32 bits.
fn lines_of<'a>(
    input: Input<'a>,
    header: &Header,
) -> Result<impl Iterator<Item = &'a [u8]>, PictureError> {
    let at = size(header.pixels);
    let (count, from_top) = (size(header.height), header.from_top);
    let bits = size(header.width).saturating_mul(header.bits.into());
    let stride = bits.div_ceil(32).saturating_mul(4);
    let used = bits.div_ceil(8);
    let len = stride.saturating_mul(count);
    // What fills up the last row is missing in some files.
    let least = len.saturating_sub(stride.saturating_sub(used));
    input.take("the pixels", at, least)?;
    let bytes = input.0.get(at..).unwrap_or_default();
    let bytes = bytes.get(..len).unwrap_or(bytes);
    let line = move |number: usize| {
        let number = if from_top {
            number
        } else {
            count.saturating_sub(1).saturating_sub(number)
        };
        let start = number.saturating_mul(stride);
        let line = bytes.get(start..).and_then(|rest| rest.get(..used));
        line.unwrap_or_default()
    };
    Ok((0..count).map(line))
}

fn indexed(input: Input<'_>, header: &Header, area: usize) -> Result<Data, PictureError> {
    let palette = palette::of_bmp(input)?;
    let width = size(header.width);
    let mut indices = Vec::with_capacity(area);
    for line in lines_of(input, header)? {
        match header.bits {
            8 => indices.extend_from_slice(line),
            4 => indices.extend(line.iter().flat_map(|it| [it >> 4, it & 15]).take(width)),
            _ => {
                let eight = |byte: &u8| [7, 6, 5, 4, 3, 2, 1, 0].map(|bit| byte >> bit & 1);
                indices.extend(line.iter().flat_map(eight).take(width));
            }
        }
    }
    Ok(Data::Indexed {
        indices,
        palette: Some(palette),
        transparent: None,
    })
}

/// The masks of red, green, blue and alpha.
fn masks(input: Input<'_>, header: &Header) -> Result<[u32; 4], PictureError> {
    if header.coding != MASKS {
        return Ok(match header.bits {
            16 => [0x7C00, 0x3E0, 0x1F, 0],
            _ => [0xFF_0000, 0xFF00, 0xFF, 0],
        });
    }
    let mut masks = [0; 4];
    let known = if header.len >= 56 { 4 } else { 3 };
    for (mask, at) in masks.iter_mut().zip((54..).step_by(4)).take(known) {
        *mask = input.long("the mask of a colour", at)?;
    }
    Ok(masks)
}

fn masked<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    area: usize,
    pixel: usize,
    masks: [u32; 4],
) -> Data {
    let part = |number: u32, mask: u32| {
        let shift = mask.trailing_zeros();
        let of = |number: u32| u64::from(number.checked_shr(shift).unwrap_or(0));
        let (part, most) = (of(number & mask), of(mask));
        let part = part.saturating_mul(255).checked_div(most).unwrap_or(0);
        u8::try_from(part).unwrap_or(255)
    };
    let [.., alpha] = masks;
    let channels: usize = if alpha == 0 { 3 } else { 4 };
    let mut out = Vec::with_capacity(area.saturating_mul(channels));
    for pixel in lines.flat_map(|line| line.chunks_exact(pixel)) {
        let mut number = [0; 4];
        number
            .iter_mut()
            .zip(pixel)
            .for_each(|(to, from)| *to = *from);
        let number = u32::from_le_bytes(number);
        out.extend(masks.iter().take(channels).map(|mask| part(number, *mask)));
    }
    match channels {
        3 => Data::Rgb(out),
        _ => Data::Rgba(out),
    }
}

/// 4 or 8 bits in runs.
fn unpack(input: Input<'_>, header: &Header, area: usize) -> Result<Data, PictureError> {
    let palette = palette::of_bmp(input)?;
    let mut at = size(header.pixels);
    let most = (input.left(at) as u64)
        .saturating_mul(PIXELS_PER_BYTE)
        .saturating_add(65_536);
    let found = area as u64;
    if found > most {
        return Err(PictureError::TooManyPixels { found, most });
    }
    let (width, is_of_4) = (size(header.width), header.bits == 4);
    let mut indices = vec![0; area];
    let (mut column, mut row) = (0_usize, 0_usize);
    while row < size(header.height) {
        let count = input.byte("a run", at)?;
        let value = input.byte("a run", at.saturating_add(1))?;
        at = at.saturating_add(2);
        let start = row.saturating_mul(width).saturating_add(column);
        let rest = indices.get_mut(start..).unwrap_or_default();
        let rest = rest.iter_mut().take(width.saturating_sub(column));
        match (count, value) {
            (0, 0) => (column, row) = (0, row.saturating_add(1)),
            (0, 1) => break,
            (0, 2) => {
                let right = input.byte("a step", at)?;
                let down = input.byte("a step", at.saturating_add(1))?;
                column = column.saturating_add(right.into());
                row = row.saturating_add(down.into());
                at = at.saturating_add(2);
            }
            (0, value) => {
                let count = usize::from(value);
                let len = if is_of_4 { count.div_ceil(2) } else { count };
                let bytes = input.take("plain pixels between runs", at, len)?;
                if is_of_4 {
                    let halves = bytes.iter().flat_map(|it| [it >> 4, it & 15]);
                    rest.zip(halves.take(count))
                        .for_each(|(to, from)| *to = from);
                } else {
                    rest.zip(bytes).for_each(|(to, from)| *to = *from);
                }
                column = column.saturating_add(count);
                at = at.saturating_add(len.next_multiple_of(2));
            }
            (count, value) => {
                let count = usize::from(count);
                if is_of_4 {
                    let halves = [value >> 4, value & 15].into_iter().cycle();
                    rest.zip(halves.take(count))
                        .for_each(|(to, from)| *to = from);
                } else {
                    rest.take(count).for_each(|to| *to = value);
                }
                column = column.saturating_add(count);
            }
        }
    }
    if !header.from_top {
        rows::flip(&mut indices, width);
    }
    Ok(Data::Indexed {
        indices,
        palette: Some(palette),
        transparent: None,
    })
}
