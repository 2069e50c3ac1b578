//! BMP: 1, 4 and 8 bits with a colour table, 16, 24 and 32 bits, 8 bits in runs; from the bottom up, or
//! from the top where the height is negative.
//!
//! Numbers of 16 and 32 bits have five bits or eight for each colour, or what the masks in the header say.
//! What runs leave out has colour 0.

use super::frame::{Data, Frame, Pixels};
use super::rows;
use crate::media::input::{Budget, Input, PictureError, size, wrong};
use crate::media::palette;

/// The compressions that are known.
const RUNS: u32 = 1;
const MASKS: u32 = 3;

/// Runs can leave out whole rows, so that few bytes claim many pixels. No more than this many for each
/// byte are believed, beyond the first 65,536.
const PIXELS_PER_BYTE: u64 = 4096;

pub(super) fn decode(input: Input<'_>, budget: &mut Budget) -> Result<Vec<Frame>, PictureError> {
    let header = input.long("the header's length", 14)?;
    if header < 40 {
        return Err(wrong("the header's length", 14, "40 or more", header));
    }
    input.take("the header", 0, 54)?;
    let width = input.signed_long("the width", 18)?;
    if width <= 0 {
        return Err(wrong("the width", 18, "1 or more", width));
    }
    let lines = input.signed_long("the height", 22)?;
    let (width, height) = (width.unsigned_abs(), lines.unsigned_abs());
    let at = size(input.long("where the pixels begin", 10)?);
    let bits = input.short("the bits of a pixel", 28)?;
    let coding = input.long("the compression", 30)?;
    let area = budget.area(18, width, height)?;
    let data = match (bits, coding) {
        (8, RUNS) => unpack(input, at, (width, height), area, lines < 0)?,
        (1 | 4 | 8, 0) => {
            let lines = lines_of(input, at, (width, height), bits, lines < 0)?;
            indexed(lines, size(width), area, bits, input)?
        }
        (24, 0) => {
            let lines = lines_of(input, at, (width, height), bits, lines < 0)?;
            let mut rgb = lines.collect::<Vec<_>>().concat();
            rows::swap(&mut rgb, 3);
            Data::Rgb(rgb)
        }
        (16 | 32, 0 | MASKS) => {
            let masks = masks(input, header, bits, coding)?;
            let lines = lines_of(input, at, (width, height), bits, lines < 0)?;
            masked(lines, area, usize::from(bits / 8), masks)
        }
        (1 | 4 | 8 | 16 | 24 | 32, _) => {
            return Err(wrong(
                "the compression",
                30,
                "none, runs of 8 bits, or masks",
                coding,
            ));
        }
        _ => {
            return Err(wrong(
                "the bits of a pixel",
                28,
                "1, 4, 8, 16, 24 or 32",
                bits,
            ));
        }
    };
    let pixels = Pixels {
        width,
        height,
        data,
    };
    Ok(vec![Frame::only(pixels)])
}

/// The rows from the top, each without what fills it up to a whole number of 32 bits.
fn lines_of<'a>(
    input: Input<'a>,
    at: usize,
    (width, height): (u32, u32),
    bits: u16,
    from_top: bool,
) -> Result<impl Iterator<Item = &'a [u8]>, PictureError> {
    let bits = size(width).saturating_mul(bits.into());
    let stride = bits.div_ceil(32).saturating_mul(4);
    let used = bits.div_ceil(8);
    let len = stride.saturating_mul(size(height));
    // What fills up the last row is missing in some files.
    let least = len.saturating_sub(stride.saturating_sub(used));
    input.take("the pixels", at, least)?;
    let bytes = input.0.get(at..).unwrap_or_default();
    let bytes = bytes.get(..len).unwrap_or(bytes);
    let count = size(height);
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

fn indexed<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    width: usize,
    area: usize,
    bits: u16,
    input: Input<'_>,
) -> Result<Data, PictureError> {
    let palette = palette::of_bmp(input)?;
    let mut indices = Vec::with_capacity(area);
    for line in lines {
        match bits {
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
fn masks(input: Input<'_>, header: u32, bits: u16, coding: u32) -> Result<[u32; 4], PictureError> {
    if coding != MASKS {
        return Ok(match bits {
            16 => [0x7C00, 0x3E0, 0x1F, 0],
            _ => [0xFF_0000, 0xFF00, 0xFF, 0],
        });
    }
    let mut masks = [0; 4];
    let known = if header >= 56 { 4 } else { 3 };
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

/// 8 bits in runs.
fn unpack(
    input: Input<'_>,
    at: usize,
    (width, height): (u32, u32),
    area: usize,
    from_top: bool,
) -> Result<Data, PictureError> {
    let palette = palette::of_bmp(input)?;
    let most = (input.left(at) as u64)
        .saturating_mul(PIXELS_PER_BYTE)
        .saturating_add(65_536);
    let found = area as u64;
    if found > most {
        return Err(PictureError::TooManyPixels { found, most });
    }
    let width = size(width);
    let mut indices = vec![0; area];
    let mut at = at;
    let (mut column, mut row) = (0_usize, 0_usize);
    while row < size(height) {
        let [count, value] = [at, at.saturating_add(1)].map(|at| input.byte("a run", at));
        let (count, value) = (usize::from(count?), value?);
        at = at.saturating_add(2);
        let start = row.saturating_mul(width).saturating_add(column);
        let rest = indices.get_mut(start..).unwrap_or_default();
        let rest = rest.iter_mut().take(width.saturating_sub(column));
        match (count, value) {
            (0, 0) => (column, row) = (0, row.saturating_add(1)),
            (0, 1) => break,
            (0, 2) => {
                let [right, down] = [at, at.saturating_add(1)].map(|at| input.byte("a step", at));
                column = column.saturating_add(right?.into());
                row = row.saturating_add(down?.into());
                at = at.saturating_add(2);
            }
            (0, value) => {
                let len = usize::from(value);
                let bytes = input.take("plain pixels between runs", at, len)?;
                rest.zip(bytes).for_each(|(to, from)| *to = *from);
                column = column.saturating_add(len);
                at = at.saturating_add(len).saturating_add(len % 2);
            }
            (count, value) => {
                rest.take(count).for_each(|to| *to = value);
                column = column.saturating_add(count);
            }
        }
    }
    if !from_top {
        rows::flip(&mut indices, width);
    }
    Ok(Data::Indexed {
        indices,
        palette: Some(palette),
        transparent: None,
    })
}
