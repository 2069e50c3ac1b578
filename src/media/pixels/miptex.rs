//! Textures of Quake and Half-Life: a lump of a WAD, or those inside a map.
//!
//! A name, width, height, where each of four sizes begins, and the sizes. Half-Life's have a palette
//! behind the smallest. Where a name begins with `{`, colour 255 is none.

use super::frame::{Frame, Options, Pixels};
use crate::archive::RawName;
use crate::media::PictureError;
use crate::media::input::{Budget, Input, size, wrong};
use crate::media::palette;
use crate::media::source::text;
use crate::media::texture::MipTexture;

/// A texture's lump.
pub(super) fn lump(
    input: Input<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    let mut frames = Vec::new();
    texture(input, "", options, budget, true, &mut frames)?;
    Ok(frames)
}

/// Decodes the texture at the beginning of `input`, and returns how many bytes of the file it takes.
fn texture(
    input: Input<'_>,
    label: &str,
    options: &Options,
    budget: &mut Budget,
    may_have_palette: bool,
    frames: &mut Vec<Frame>,
) -> Result<usize, PictureError> {
    let (width, height) = input.sides(16)?;
    let name = text(input.0, 0, 16).unwrap_or_default();
    let transparent = name.starts_with(b"{").then_some(255);
    let palette = palette::of_miptex(input).filter(|_| may_have_palette);
    let mut taken = MipTexture::LEN;
    let mips: u32 = if options.mips { 4 } else { 1 };
    for (level, place) in (0..mips).zip((24..40).step_by(4)) {
        let at = size(input.long("where the pixels begin", place)?);
        let (width, height) = (width >> level, height >> level);
        let area = budget.area(16, width, height);
        let bytes = area.and_then(|area| input.take("the pixels", at, area));
        let bytes = match bytes {
            // The largest is enough where the others are cut off.
            Err(_) if level > 0 => break,
            bytes => bytes?,
        };
        taken = taken.saturating_add(bytes.len());
        let parts = [label, "-", &format!("mip{level}")];
        let label = match (level, label) {
            (0, label) => label.to_owned(),
            (_, "") => parts[2].to_owned(),
            _ => parts.concat(),
        };
        let size = (width, height);
        let pixels = Pixels::indexed(size, bytes.to_vec(), palette.clone(), transparent);
        frames.push(Frame { label, pixels });
    }
    let colours = if palette.is_some() { 768 } else { 0 };
    Ok(taken.saturating_add(colours))
}

/// The textures of a map, each labelled with its name; those whose pixels are in a WAD are left out.
pub(super) fn map(
    input: Input<'_>,
    half_life: bool,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    // Lump 2, of offset and length.
    let start = size(input.long("where the textures begin", 20)?);
    let len = size(input.long("how long the textures are", 24)?);
    let lump = Input(input.take("the textures", start, len)?);
    if len == 0 {
        return Ok(Vec::new());
    }
    let count = size(lump.long("how many textures there are", 0)?);
    let table = lump.take("the table of textures", 4, count.saturating_mul(4))?;
    let mut frames = Vec::new();
    // Records may name one place many times over, and then the lump does not bear that many pixels.
    let mut left = len;
    for record in table.chunks_exact(4) {
        let Some(offset) = Input(record).long("", 0).ok().filter(|it| *it != u32::MAX) else {
            continue;
        };
        let at = size(offset);
        let header = lump.take("the header of a texture", at, MipTexture::LEN)?;
        let Some(texture_header) = MipTexture::of(header).filter(|it| it.has_pixels) else {
            continue;
        };
        let label = RawName::new(&texture_header.name).to_string();
        let rest = Input(lump.0.get(at..).unwrap_or_default());
        let taken = texture(rest, &label, options, budget, half_life, &mut frames)?;
        left = left.checked_sub(taken).ok_or_else(|| {
            let (what, expected) = ("where a texture begins", "behind the one before");
            wrong(what, start.saturating_add(at), expected, offset)
        })?;
        if !options.all_frames {
            break;
        }
    }
    Ok(frames)
}
