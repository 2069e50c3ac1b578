//! PCX: bytes in runs, line by line, each line as long as the header says and not as the picture is wide.
//!
//! 8 bits and one plane are numbers of colours, of the palette in the last 768 bytes; 8 bits and three
//! planes are red, green and blue. A run ends with its line, as Quake II and others have it. Colour 255 is
//! none in `pics/`, from where Quake II takes what it draws over the screen.

use super::frame::{Data, Frame, Pixels};
use crate::archive::RawName;
use crate::media::input::{Budget, Input, PictureError, wrong};
use crate::media::palette;

const HEADER: usize = 128;

pub(super) fn decode(
    name: RawName<'_>,
    input: Input<'_>,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    input.take("the header", 0, HEADER)?;
    let [encoding, bits, planes] = [2, 3, 65].map(|at| input.byte("the header", at));
    let (encoding, bits, planes) = (encoding?, bits?, planes?);
    if encoding != 1 {
        return Err(wrong("the encoding", 2, "1, for runs", encoding));
    }
    if bits != 8 {
        return Err(wrong("the bits of a pixel in a plane", 3, "8", bits));
    }
    if planes != 1 && planes != 3 {
        return Err(wrong("the number of planes", 65, "1 or 3", planes));
    }
    let side = |what, from, to| {
        let (least, most) = (input.short(what, from)?, input.short(what, to)?);
        let len = u32::from(most).checked_sub(least.into());
        let len = len.map(|len| len.saturating_add(1));
        len.ok_or_else(|| wrong(what, to, "not less than the first", most))
    };
    let sides = (side("the last column", 4, 8)?, side("the last row", 6, 10)?);
    let stride = input.short("the bytes of a line", 66)?;
    if u32::from(stride) < sides.0 {
        let expected = "not less than the picture is wide";
        return Err(wrong("the bytes of a line", 66, expected, stride));
    }
    let palette = palette::of_pcx(input).filter(|_| planes == 1);
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
    let data = match planes {
        1 => Data::Indexed {
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
