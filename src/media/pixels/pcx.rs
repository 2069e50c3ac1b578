//! PCX: bytes in runs, line by line. The header says how long a line is, which may be more than the width.
//!
//! | bits, planes | pixels                                                           |
//! |--------------|------------------------------------------------------------------|
//! | 8, 1         | colours of the palette in the last 768 bytes                      |
//! | 8, 3         | red, green and blue                                              |
//! | 1, 1         | black and white                                                  |
//! | 1, 2 or 4    | colours of the palette in the header, the first plane's bit lowest |
//!
//! A run ends with its line, as Quake II and others have it. Colour 255 is transparent in `pics/`, from where
//! Quake II takes what it draws over the screen.

use super::frame::{Data, Frame, Pixels};
use crate::archive::RawName;
use crate::media::FileType;
use crate::media::input::{Budget, Input, PictureError, wrong};
use crate::media::palette::{self, Palette};
use crate::media::picture::Picture;

const HEADER: usize = 128;
/// Where the header has 16 colours.
const COLOURS: usize = 16;

/// What a header says.
struct Header {
    encoding: u8,
    bits: u8,
    planes: u8,
    sides: (u32, u32),
}

impl Header {
    fn read(input: Input<'_>) -> Result<Self, PictureError> {
        let side = |what, from, to| {
            let (least, most) = (input.short(what, from)?, input.short(what, to)?);
            let len = u32::from(most).checked_sub(least.into());
            let len = len.map(|len| len.saturating_add(1));
            len.ok_or_else(|| wrong(what, to, "not less than the first", most))
        };
        Ok(Self {
            encoding: input.byte("the header", 2)?,
            bits: input.byte("the header", 3)?,
            planes: input.byte("the header", 65)?,
            sides: (side("the last column", 4, 8)?, side("the last row", 6, 10)?),
        })
    }
}

/// The facts of a PCX of 8 bits, which its magic tells.
pub(crate) fn facts(start: &[u8]) -> Option<Picture> {
    let header = Header::read(Input(start)).ok()?;
    let bits = u16::from(header.bits).checked_mul(header.planes.into());
    let has_palette = match (header.bits, header.planes) {
        (8, 1) | (1, 2..) => Some(true),
        _ => None,
    };
    Some(Picture {
        has_palette,
        ..Picture::new(FileType::Pcx, Some(header.sides), bits)
    })
}

/// The facts of a file with the name of a PCX, if it is one of 1 bit.
pub(crate) fn facts_of_1_bit(start: &[u8]) -> Option<Picture> {
    let is_one = matches!(start, [0x0A, 0 | 2 | 3 | 5, 1, 1, ..])
        && matches!(start.get(65), Some(1 | 2 | 4));
    facts(start).filter(|_| is_one)
}

pub(super) fn decode(
    name: RawName<'_>,
    input: Input<'_>,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    input.take("the header", 0, HEADER)?;
    let header = Header::read(input)?;
    let Header {
        bits,
        planes,
        sides,
        ..
    } = header;
    if header.encoding != 1 {
        return Err(wrong("the encoding", 2, "1, for runs", header.encoding));
    }
    let expected = match bits {
        8 if matches!(planes, 1 | 3) => None,
        1 if matches!(planes, 1 | 2 | 4) => None,
        8 => Some("1 or 3"),
        1 => Some("1, 2 or 4"),
        _ => return Err(wrong("the bits of a pixel in a plane", 3, "1 or 8", bits)),
    };
    if let Some(expected) = expected {
        return Err(wrong("the number of planes", 65, expected, planes));
    }
    let stride = input.short("the bytes of a line", 66)?;
    let pixels_per_byte = if bits == 1 { 8 } else { 1 };
    if u32::from(stride) < sides.0.div_ceil(pixels_per_byte) {
        let expected = "not less than the picture is wide";
        return Err(wrong("the bytes of a line", 66, expected, stride));
    }
    let palette = palette::of_pcx(input).filter(|_| (bits, planes) == (8, 1));
    let end = input.left(if palette.is_some() { 769 } else { 0 });
    let runs = input.0.get(HEADER..end).unwrap_or_default();
    let area = budget.area(8, sides.0, sides.1)?;
    let lines = Lines {
        line: vec![0; usize::from(stride).saturating_mul(planes.into())],
        stride: stride.into(),
        width: usize::try_from(sides.0).unwrap_or(usize::MAX),
        runs,
    };
    lines.check(sides.1)?;
    let data = match (bits, planes) {
        (1, planes) => Data::Indexed {
            indices: lines.bits(area, input)?,
            palette: Some(of_bits(input, planes)?),
            transparent: None,
        },
        (_, 1) => Data::Indexed {
            indices: lines.indices(area, input)?,
            palette,
            transparent: is_pic(name).then_some(255),
        },
        _ => Data::Rgb(lines.rgb(area, input)?),
    };
    let (width, height) = sides;
    let pixels = Pixels {
        width,
        height,
        data,
    };
    Ok(vec![Frame::only(pixels)])
}

/// The colours of pixels of so many bits: of one, black and white, whatever the header has.
fn of_bits(input: Input<'_>, planes: u8) -> Result<Palette, PictureError> {
    if planes == 1 {
        return Ok(Palette::of_colours([[0; 3], [255; 3]]));
    }
    let colours = input.take("the colours", COLOURS, 48)?.chunks_exact(3);
    let colours = colours.filter_map(|it| it.first_chunk().copied());
    Ok(Palette::of_colours(colours))
}

/// Whether Quake II draws it over its screen.
fn is_pic(name: RawName<'_>) -> bool {
    let lower = name.as_bytes().to_ascii_lowercase();
    lower.starts_with(b"pics/") && lower != b"pics/colormap.pcx"
}

/// The lines of a picture.
struct Lines<'a> {
    /// The one that was decoded last, with all of its planes.
    line: Vec<u8>,
    /// How many bytes each plane of it has.
    stride: usize,
    width: usize,
    /// What is not decoded yet.
    runs: &'a [u8],
}

impl Lines<'_> {
    /// Refuses a picture with more lines than its bytes can say: two bytes are a run of 63 at most.
    fn check(&self, height: u32) -> Result<(), PictureError> {
        // What is left of a line behind whole runs takes a byte, or a run.
        let whole = (self.line.len() / 63).saturating_mul(2);
        let of_line = whole.saturating_add((self.line.len() % 63).min(2));
        let expected = (of_line as u64).saturating_mul(height.into());
        let found = self.runs.len() as u64;
        if found >= expected {
            return Ok(());
        }
        Err(PictureError::Short {
            what: "the pixels",
            offset: HEADER as u64,
            expected,
            found,
        })
    }

    /// Decodes the next line.
    fn next(&mut self, input: Input<'_>) -> Result<(), PictureError> {
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
                return Err(PictureError::Short {
                    what: "the pixels",
                    offset: HEADER as u64,
                    expected: input.left(HEADER).saturating_add(1) as u64,
                    found: input.left(HEADER) as u64,
                });
            };
            let len = usize::from(head & 0x3F).min(rest.len());
            let (run, behind) = rest.split_at_mut(len);
            run.fill(value);
            (rest, self.runs) = (behind, runs);
        }
        Ok(())
    }

    fn indices(mut self, area: usize, input: Input<'_>) -> Result<Vec<u8>, PictureError> {
        let mut indices = Vec::with_capacity(area);
        while indices.len() < area {
            self.next(input)?;
            indices.extend_from_slice(self.line.get(..self.width).unwrap_or_default());
        }
        Ok(indices)
    }

    /// Indices whose bits are in the planes.
    fn bits(mut self, area: usize, input: Input<'_>) -> Result<Vec<u8>, PictureError> {
        let mut indices = Vec::with_capacity(area);
        while indices.len() < area {
            self.next(input)?;
            let start = indices.len();
            indices.resize(start.saturating_add(self.width), 0);
            let row = indices.get_mut(start..).unwrap_or_default();
            for (number, plane) in self.line.chunks_exact(self.stride.max(1)).enumerate() {
                let bits = plane
                    .iter()
                    .flat_map(|byte| [7, 6, 5, 4, 3, 2, 1, 0].map(|bit| byte >> bit & 1));
                for (index, bit) in row.iter_mut().zip(bits) {
                    *index |= bit << number;
                }
            }
        }
        Ok(indices)
    }

    fn rgb(mut self, area: usize, input: Input<'_>) -> Result<Vec<u8>, PictureError> {
        let len = area.saturating_mul(3);
        let mut rgb = Vec::with_capacity(len);
        while rgb.len() < len {
            self.next(input)?;
            let (red, others) = self.line.split_at(self.stride.min(self.line.len()));
            let (green, blue) = others.split_at(self.stride.min(others.len()));
            let pixels = red.iter().zip(green).zip(blue).take(self.width);
            rgb.extend(pixels.flat_map(|((red, green), blue)| [*red, *green, *blue]));
        }
        Ok(rgb)
    }
}
