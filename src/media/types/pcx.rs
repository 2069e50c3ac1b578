//! PCX: run-length coded lines. The header states the length of a line, which may exceed the width.
//!
//! | bits, planes | pixels                                                           |
//! |--------------|------------------------------------------------------------------|
//! | 8, 1         | colours of the palette in the last 768 bytes                      |
//! | 8, 3         | red, green and blue                                              |
//!
//! Pictures of one bit a plane are recognised and not decoded: no game has them.
//!
//! A run ends with its line, as in Quake II and others. Colour 255 is transparent in `pics/`, whose
//! pictures Quake II draws over the screen.

use super::row::{Magic, PICTURE, PictureDecoder, TypeRow};
use crate::archive::RawName;
use crate::archive::bytes::{Cursor, Short};
use crate::media::colouring::{ColourRules, PictureEncoding, Usable};
use crate::media::file::{FactList, File, Mismatch, check};
use crate::media::pixels::{Data, Decoding, Frame, Frames, Palette, PictureError, wrong};

pub(super) const ROW: TypeRow = TypeRow {
    magic: Magic::Often(MAGIC),
    look,
    encoder: Some(encode),
    decoder: PictureDecoder::EvenDamaged(b"\x0A", decode),
    palette: Some(|input| Ok(palette(input))),
    game_palettes: &["pics/colormap.pcx"],
    ..PICTURE
};

/// How pictures of 8 bits begin.
const MAGIC: &[u8] = b"\x0A\x05\x01\x08";
const HEADER: usize = 128;

/// The header.
struct PcxHeader {
    encoding: u8,
    bits: u8,
    planes: u8,
    sides: (u32, u32),
}

impl PcxHeader {
    fn read(input: Cursor<'_>) -> Result<Self, PictureError> {
        Ok(Self {
            encoding: input.at(2).u8("the header")?,
            bits: input.at(3).u8("the header")?,
            planes: input.at(65).u8("the header")?,
            sides: (side(input, "the last column", 4)?, side(input, "the last row", 6)?),
        })
    }
}

/// A width or height: the first column or row is at `first`, the last one two numbers later.
fn side(input: Cursor<'_>, what: &'static str, first: usize) -> Result<u32, PictureError> {
    let mut numbers = input.at(first);
    let least = numbers.u16(what)?;
    numbers.skip(2);
    let at = numbers.position();
    let most = numbers.u16(what)?;
    match u32::from(most).checked_sub(least.into()) {
        Some(len) => Ok(len.saturating_add(1)),
        None => Err(wrong(what, at, "not less than the first", most)),
    }
}

fn look(file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
    let header = PcxHeader::read(file.start)?;
    check(matches!(file.start.all(), [0x0A, 5, 1, 8, ..] | [0x0A, 0 | 2 | 3 | 5, 1, 1, ..]))?;
    facts.sides(header.sides);
    facts.number("bits", u16::from(header.bits).checked_mul(header.planes.into()));
    if (header.bits, header.planes) == (8, 1) {
        facts.word("palette", "inside");
    }
    Ok(())
}

/// The palette at the end of a PCX.
fn palette(input: Cursor<'_>) -> Option<Palette> {
    let at = input.all().len().checked_sub(769)?;
    let mut end = input.at(at);
    if at < HEADER || end.u8("the palette") != Ok(0x0C) {
        return None;
    }
    Palette::of_triples(end).ok()
}

fn decode(job: &mut Decoding<'_>) -> Frames {
    let input = job.input;
    input.at(0).take("the header", HEADER)?;
    let header = PcxHeader::read(input)?;
    let (bits, planes, sides) = (header.bits, header.planes, header.sides);
    if header.encoding != 1 {
        return Err(wrong("the encoding", 2, "1, for runs", header.encoding));
    }
    if bits != 8 {
        return Err(wrong("the bits of a pixel in a plane", 3, "8", bits));
    }
    if planes != 1 && planes != 3 {
        return Err(wrong("the number of planes", 65, "1 or 3", planes));
    }
    let stride = input.at(66).u16("the bytes of a line")?;
    if u32::from(stride) < sides.0 {
        let expected = "not less than the picture is wide";
        return Err(wrong("the bytes of a line", 66, expected, stride));
    }
    let is_rgb = planes == 3;
    let palette = palette(input).filter(|_| !is_rgb);
    let runs = input.at(HEADER).rest();
    let end = if palette.is_some() { 769 } else { 0 };
    let runs = runs.get(..runs.len().saturating_sub(end)).unwrap_or_default();
    let area = job.area(8, sides)?;
    let mut lines = Lines {
        line: vec![0; usize::from(stride).saturating_mul(planes.into())],
        stride: stride.into(),
        width: usize::try_from(sides.0).unwrap_or(usize::MAX),
        runs,
        end: input.at(HEADER).rest().len() as u64,
    };
    lines.check(sides.1)?;
    let mut pixels = Vec::with_capacity(if is_rgb { area.saturating_mul(3) } else { area });
    for _ in 0..sides.1 {
        lines.decode_next()?;
        if is_rgb {
            lines.add_rgb(&mut pixels);
        } else {
            pixels.extend_from_slice(lines.line.get(..lines.width).unwrap_or_default());
        }
    }
    let data = if is_rgb {
        Data::Rgb(pixels)
    } else {
        Data::indexed(pixels, palette, is_pic(job.name).then_some(255))
    };
    Ok(Frame::only(sides, data))
}

/// Whether Quake II draws the picture over the screen.
fn is_pic(name: RawName<'_>) -> bool {
    let mut lower = name.as_bytes().to_ascii_lowercase();
    // Some programs wrote names with backslashes.
    for byte in lower.iter_mut().filter(|byte| **byte == b'\\') {
        *byte = b'/';
    }
    lower.starts_with(b"pics/") && lower != b"pics/colormap.pcx"
}

/// The lines of a picture.
struct Lines<'a> {
    /// The current line, with all of its planes.
    line: Vec<u8>,
    /// The bytes of each plane in a line.
    stride: usize,
    width: usize,
    /// The bytes that are not decoded yet.
    runs: &'a [u8],
    /// The length of the part after the header.
    end: u64,
}

impl Lines<'_> {
    fn short(expected: u64, found: u64) -> PictureError {
        PictureError::Short(Short { what: "the pixels", offset: HEADER as u64, expected, found })
    }

    /// Rejects a picture with more lines than its bytes can hold: two bytes are a run of at most 63.
    fn check(&self, height: u32) -> Result<(), PictureError> {
        // The rest of a line after whole runs takes one byte, or one run.
        let whole = (self.line.len() / 63).saturating_mul(2);
        let of_line = whole.saturating_add((self.line.len() % 63).min(2));
        let expected = (of_line as u64).saturating_mul(height.into());
        let found = self.runs.len() as u64;
        if found < expected {
            return Err(Self::short(expected, found));
        }
        Ok(())
    }

    /// Decodes the next line.
    fn decode_next(&mut self) -> Result<(), PictureError> {
        let mut rest = self.line.as_mut_slice();
        while !rest.is_empty() {
            let mut starts = self.runs.iter().take(rest.len());
            let plain = starts.position(|byte| *byte >= 0xC0);
            let plain = plain.unwrap_or(rest.len().min(self.runs.len()));
            let (from, runs) = self.runs.split_at(plain);
            let (to, behind) = rest.split_at_mut(plain);
            to.copy_from_slice(from);
            (rest, self.runs) = (behind, runs);
            if rest.is_empty() {
                break;
            }
            let &[head, value, ref runs @ ..] = self.runs else {
                return Err(Self::short(self.end.saturating_add(1), self.end));
            };
            let len = usize::from(head & 0x3F).min(rest.len());
            let (run, behind) = rest.split_at_mut(len);
            run.fill(value);
            (rest, self.runs) = (behind, runs);
        }
        Ok(())
    }

    fn add_rgb(&self, pixels: &mut Vec<u8>) {
        let (red, others) = self.line.split_at(self.stride.min(self.line.len()));
        let (green, blue) = others.split_at(self.stride.min(others.len()));
        let colours = red.iter().zip(green).zip(blue).take(self.width);
        pixels.extend(colours.flat_map(|((red, green), blue)| [*red, *green, *blue]));
    }
}

/// Encodes a picture of 256 colours in runs.
fn encode(job: &mut PictureEncoding<'_>) -> Result<Vec<u8>, PictureError> {
    let is_pic = is_pic(job.name);
    let rules = ColourRules {
        usable: if is_pic { Usable::NotLast } else { Usable::All },
        transparent: is_pic.then_some(255),
        ..ColourRules::OPAQUE
    };
    let indexed = job.indexed(rules, true)?;
    let (width, height) = job.sides();
    let number = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    // A line has an even length.
    let stride = number(width.saturating_add(width % 2)).to_le_bytes();
    let mut bytes = b"\x0A\x05\x01\x08\0\0\0\0".to_vec();
    for side in [width.saturating_sub(1), height.saturating_sub(1), width, height] {
        bytes.extend_from_slice(&number(side).to_le_bytes());
    }
    bytes.extend_from_slice(&[0; 49]);
    bytes.push(1);
    bytes.extend_from_slice(&stride);
    bytes.push(1);
    bytes.resize(HEADER, 0);
    for row in indexed.indices.chunks_exact((width as usize).max(1)) {
        let padding = if width % 2 == 1 { row.last() } else { None };
        let line: Vec<u8> = row.iter().chain(padding).copied().collect();
        for run in line.chunk_by(|one, other| one == other) {
            for run in run.chunks(63) {
                // A byte with the two highest bits is never plain.
                match run {
                    [plain] if *plain < 0xC0 => bytes.push(*plain),
                    [value, ..] => {
                        bytes.push(0xC0 | u8::try_from(run.len()).unwrap_or(63));
                        bytes.push(*value);
                    }
                    [] => {}
                }
            }
        }
    }
    bytes.push(0x0C);
    bytes.extend_from_slice(indexed.palette.colours().as_flattened());
    Ok(bytes)
}
