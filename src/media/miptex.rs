//! Textures of Quake and Half-Life: lumps of a WAD, or parts of a map.
//!
//! The name is at byte 0 and has 16 bytes. Width and height are at 16 and 20, the offsets of four sizes at
//! 24; then come the pixels. Half-Life's textures have a palette after the smallest size. If the name
//! begins with `{`, colour 255 is transparent.

use super::facts::FactList;
use super::file::{File, Mismatch};
use super::palette::{self, Palette};
use super::pixels::{Decoding, Frame, Frames, PictureError, Pixels, sides};
use super::wal::WalLayout;
use crate::archive::bytes::{Cursor, Short};

/// The length of the header.
pub(super) const HEADER: usize = 40;

#[rustfmt::skip]
const MIP: WalLayout = WalLayout { len: 40, name: (0, 16), width: 16, height: 20, mips: 4, offset: 24, own_sizes: false, bytes: 1 };

/// The header of a texture in a map.
pub(super) struct Header<'a> {
    pub(super) name: &'a [u8],
    /// Whether its pixels are in the map. Otherwise they are in a WAD.
    pub(super) has_pixels: bool,
}

impl<'a> Header<'a> {
    pub(super) fn read(mut bytes: Cursor<'a>) -> Result<Self, Short> {
        let name = bytes.text("the name", 16)?;
        bytes.skip(8);
        let offset = bytes.u32("where the pixels begin")?;
        let has_pixels = offset != 0 && offset != u32::MAX;
        Ok(Self { name, has_pixels })
    }
}

pub(super) fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let header = MIP.header(file)?;
    let (width, height) = header.sides;
    facts.sides(header.sides);
    facts.number("mips", Some(header.mips));
    let smallest = file.start.at(36).u32("where the smallest size begins");
    let smallest = smallest.map_or(u64::MAX, u64::from);
    let pixels = u64::from(width / 8).saturating_mul((height / 8).into());
    // A palette is a count of two bytes and at least one colour.
    let palette_end = smallest.saturating_add(pixels).saturating_add(5);
    facts.palette(file.len >= palette_end, "gfx/palette.lmp");
    facts.text("texture", header.name);
    Ok(())
}

/// The palette after a texture of Half-Life. Quake's textures have none.
pub(super) fn palette(input: Cursor<'_>) -> Option<Palette> {
    let width = input.at(16).size("the width").ok()?;
    let height = input.at(20).size("the height").ok()?;
    let smallest = input.at(36).size("where the smallest size begins").ok()?;
    let pixels = (width / 8).checked_mul(height / 8)?;
    if smallest < HEADER {
        return None;
    }
    palette::counted(input.at(smallest.checked_add(pixels)?))
}

pub(super) fn decode(job: &mut Decoding<'_>) -> Frames {
    let mut frames = Vec::new();
    let palette = palette(job.input);
    texture(job.input, "", palette, job, &mut frames)?;
    Ok(frames)
}

/// Decodes the texture at the beginning of `input`, and returns its length in bytes.
pub(super) fn texture(
    input: Cursor<'_>,
    name: &str,
    palette: Option<Palette>,
    job: &mut Decoding<'_>,
    frames: &mut Vec<Frame>,
) -> Result<usize, PictureError> {
    let (width, height) = sides(&mut input.at(16))?;
    let transparent = input.all().starts_with(b"{").then_some(255);
    let mut taken = HEADER;
    let mips: u32 = if job.options.mips { 4 } else { 1 };
    let mut offsets = input.at(24);
    for level in 0..mips {
        let at = offsets.size("where the pixels begin")?;
        let sides = (width >> level, height >> level);
        let indices = match pixels(input.at(at), sides, job) {
            Ok(indices) => indices,
            // The largest size is enough if the others are cut off.
            Err(_) if level > 0 => break,
            Err(error) => return Err(error),
        };
        taken = taken.saturating_add(indices.len());
        let label = match (level, name) {
            (0, _) => name.to_owned(),
            (_, "") => format!("mip{level}"),
            _ => format!("{name}-mip{level}"),
        };
        let pixels = Pixels::indexed(sides, indices, palette.clone(), transparent);
        frames.push(Frame { label, pixels });
    }
    let colours = if palette.is_some() { 768 } else { 0 };
    Ok(taken.saturating_add(colours))
}

fn pixels(
    mut input: Cursor<'_>,
    sides: (u32, u32),
    job: &mut Decoding<'_>,
) -> Result<Vec<u8>, PictureError> {
    let area = job.area(16, sides)?;
    Ok(input.take("the pixels", area)?.to_vec())
}
