//! Textures in games' own formats: WAL of Quake II and of Daikatana, M8, M32 and SWL.
//!
//! None of them has a magic: a file is of its name's type if its numbers agree.
//!
//! | type   | header | name   | width, height | mips | first offset | how to recognise it                    |
//! |--------|--------|--------|---------------|------|--------------|----------------------------------------|
//! | WAL    | 100    | 0, 32  | 32, 36        | 4    | 40           | byte 0 is no small number               |
//! | WAL 3  | 892    | 1, 32  | 36, 40        | 9    | 44           | byte 0 is 3, as no text begins          |
//! | M8     | 1,040  | 4, 32  | 36, 100       | 16   | 164          | begins with 2                           |
//! | M32    | 968    | 4, 128 | 516, 580      | 16   | 644          | begins with 4                           |
//! | SWL    | 1,188  | 0, 64  | 64, 68        | 4    | 1,100        | -                                      |
//!
//! M8 and M32 have sixteen widths and then sixteen heights: each mip has its own.

use super::facts::FactList;
use super::file::{File, Mismatch, check};
use super::palette::{self, Palette};
use super::pixels::{Data, Decoding, Frame, Frames, PictureError, Pixels};
use crate::archive::bytes::{Cursor, Short};

/// The largest side of a plausible texture.
const SIDE_MAX: u32 = 8192;

/// The offsets in a format's header.
pub(super) struct WalLayout {
    /// The length of the header.
    pub(super) len: u32,
    /// The name's offset and length.
    pub(super) name: (usize, usize),
    pub(super) width: usize,
    pub(super) height: usize,
    /// The most mips.
    pub(super) mips: u32,
    /// The place of the first mip's offset.
    pub(super) offset: usize,
    /// Whether each mip has its own width and height, in two arrays.
    pub(super) own_sizes: bool,
    /// Bytes per pixel.
    pub(super) bytes: usize,
}

#[rustfmt::skip]
const WAL: WalLayout = WalLayout { len: 100, name: (0, 32), width: 32, height: 36, mips: 4, offset: 40, own_sizes: false, bytes: 1 };
#[rustfmt::skip]
const WAL3: WalLayout = WalLayout { len: 892, name: (1, 32), width: 36, height: 40, mips: 9, offset: 44, own_sizes: false, bytes: 1 };
#[rustfmt::skip]
const M8: WalLayout = WalLayout { len: 1040, name: (4, 32), width: 36, height: 100, mips: 16, offset: 164, own_sizes: true, bytes: 1 };
#[rustfmt::skip]
const M32: WalLayout = WalLayout { len: 968, name: (4, 128), width: 516, height: 580, mips: 16, offset: 644, own_sizes: true, bytes: 4 };
// The mips' offsets follow a palette of 1,024 bytes and a checksum.
#[rustfmt::skip]
const SWL: WalLayout = WalLayout { len: 1188, name: (0, 64), width: 64, height: 68, mips: 4, offset: 1100, own_sizes: false, bytes: 1 };

/// The header.
pub(super) struct Header<'a> {
    pub(super) name: &'a [u8],
    pub(super) sides: (u32, u32),
    /// How many of its mips are in the file. A file that is cut off has fewer than its header says.
    pub(super) mips: u32,
}

impl WalLayout {
    /// Reads a header whose numbers agree with the file's length.
    pub(super) fn header<'a>(&self, file: &File<'a>) -> Result<Header<'a>, Mismatch> {
        let start = file.start;
        let name = start.at(self.name.0).text("the name", self.name.1)?;
        let width = start.at(self.width).u32("the width")?;
        let height = start.at(self.height).u32("the height")?;
        check((1..=SIDE_MAX).contains(&width) && (1..=SIDE_MAX).contains(&height))?;
        // The largest mip is after the header and in the file. Its offset may be beyond the part that was
        // read.
        let pixels = u64::from(width).saturating_mul(height.into());
        if let Ok(offset) = start.at(self.offset).u32("where the pixels begin") {
            let end = u64::from(offset).saturating_add(pixels);
            check(offset >= self.len && end <= file.len)?;
        }
        check(file.len > self.len.into())?;
        let mut mips = 0;
        while mips < self.mips && self.has_mip(mips, start, (width, height), file.len) {
            mips = mips.saturating_add(1);
        }
        Ok(Header {
            name,
            sides: (width, height),
            mips,
        })
    }

    /// Whether mip `level` is in a file of this length.
    fn has_mip(
        &self,
        level: u32,
        start: Cursor<'_>,
        (width, height): (u32, u32),
        file_len: u64,
    ) -> bool {
        let Ok(offset) = self.mip_offset(level, start) else {
            return false;
        };
        // No mip follows the one that is one pixel high or wide.
        let before = level.saturating_sub(1);
        if level > 0 && (width >> before <= 1 || height >> before <= 1) {
            return false;
        }
        let pixels =
            u64::from((width >> level).max(1)).saturating_mul((height >> level).max(1).into());
        let end = u64::from(offset).saturating_add(pixels.saturating_mul(self.bytes as u64));
        offset >= self.len && end <= file_len
    }

    fn mip_offset(&self, level: u32, start: Cursor<'_>) -> Result<u32, Short> {
        nth(start, self.offset, level).u32("where the pixels begin")
    }

    fn look(
        &self,
        file: &File<'_>,
        facts: &mut FactList,
        palette: Option<&str>,
    ) -> Result<(), Mismatch> {
        let header = self.header(file)?;
        facts.sides(header.sides);
        facts.number("mips", Some(header.mips));
        if let Some(palette) = palette {
            facts.word("palette", palette);
        }
        facts.text("texture", header.name);
        Ok(())
    }

    fn decode(
        &self,
        job: &mut Decoding<'_>,
        palette: Option<&Palette>,
        transparent: Option<u8>,
    ) -> Frames {
        let first = self.mip(0, job, palette, transparent)?;
        let mut frames = Frame::only(first);
        let mips = if job.options.mips { self.mips } else { 1 };
        for level in 1..mips {
            // Shipped textures have fewer mips than their header has room for, and some are cut off.
            let Ok(pixels) = self.mip(level, job, palette, transparent) else {
                break;
            };
            let label = format!("mip{level}");
            frames.push(Frame { label, pixels });
        }
        Ok(frames)
    }

    /// One size of the picture.
    fn mip(
        &self,
        level: u32,
        job: &mut Decoding<'_>,
        palette: Option<&Palette>,
        transparent: Option<u8>,
    ) -> Result<Pixels, PictureError> {
        let input = job.input;
        let own = if self.own_sizes { level } else { 0 };
        let mut width = nth(input, self.width, own).u32("the width")?;
        let mut height = nth(input, self.height, own).u32("the height")?;
        if !self.own_sizes {
            // No mip follows the one whose smaller side is 1: its area would be 0, which is an error.
            (width, height) = (width >> level, height >> level);
        }
        let at = nth(input, self.offset, level).size("where the pixels begin")?;
        if level > 0 && at == 0 {
            return Err(PictureError::NotAPicture);
        }
        let sides = (width, height);
        let area = job.area(nth(input, self.width, level).position(), sides)?;
        let len = area.saturating_mul(self.bytes);
        let bytes = input.at(at).take("the pixels", len)?.to_vec();
        if self.bytes == 4 {
            return Ok(Pixels::new(sides, Data::Rgba(bytes)));
        }
        Ok(Pixels::indexed(sides, bytes, palette.cloned(), transparent))
    }
}

/// The place of a number of 32 bits in an array that begins at `first`.
fn nth(input: Cursor<'_>, first: usize, number: u32) -> Cursor<'_> {
    let mut place = input.at(first);
    for _ in 0..number {
        place.skip(4);
    }
    place
}

pub(super) fn wal(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let first = file.start.at(0).u8("the name")?;
    check(first == 0 || first > b' ')?;
    WAL.look(file, facts, Some("pics/colormap.pcx"))
}

pub(super) fn wal3(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.at(0).u8("the version")? == 3)?;
    WAL3.look(file, facts, Some("inside"))
}

pub(super) fn m8(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.at(0).u32("the version")? == 2)?;
    M8.look(file, facts, Some("inside"))
}

pub(super) fn m32(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    check(file.start.at(0).u32("the version")? == 4)?;
    M32.look(file, facts, None)
}

pub(super) fn swl(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    SWL.look(file, facts, Some("inside"))
}

/// The palette of a texture of Daikatana.
pub(super) fn palette_of_wal3(input: Cursor<'_>) -> Result<Palette, PictureError> {
    palette::of_triples(input.at(120))
}

/// The palette of a texture of Heretic II.
pub(super) fn palette_of_m8(input: Cursor<'_>) -> Result<Palette, PictureError> {
    palette::of_triples(input.at(260))
}

/// The palette of a texture of SiN: four bytes per colour; the last one is unused.
pub(super) fn palette_of_swl(input: Cursor<'_>) -> Result<Palette, PictureError> {
    let bytes = input.at(72).take("the palette", 1024)?;
    Ok(Palette::of_bytes(bytes, 4))
}

pub(super) fn decode_wal(job: &mut Decoding<'_>) -> Frames {
    WAL.decode(job, None, None)
}

pub(super) fn decode_wal3(job: &mut Decoding<'_>) -> Frames {
    let palette = palette_of_wal3(job.input)?;
    WAL3.decode(job, Some(&palette), Some(255))
}

pub(super) fn decode_m8(job: &mut Decoding<'_>) -> Frames {
    let palette = palette_of_m8(job.input)?;
    M8.decode(job, Some(&palette), None)
}

pub(super) fn decode_m32(job: &mut Decoding<'_>) -> Frames {
    M32.decode(job, None, None)
}

pub(super) fn decode_swl(job: &mut Decoding<'_>) -> Frames {
    let palette = palette_of_swl(job.input)?;
    SWL.decode(job, Some(&palette), None)
}
