//! Lumps of Quake: pictures with a header, and those that are known by their names and lengths.
//!
//! | file           | bytes          | picture                                                    |
//! |----------------|----------------|------------------------------------------------------------|
//! | `palette.lmp`, any of 768 bytes | 768 | 16 x 16, each colour once                            |
//! | `colormap.lmp` | 16,384 or more | 256 x 64: a row for each brightness, a column for each colour |
//! | `conchars.lmp` | 16,384         | 128 x 128, colour 0 is none                                |
//! | `pop.lmp`      | 256            | 16 x 16                                                    |
//! | any other      | 8 and pixels   | width and height first; colour 255 is none; Half-Life's have a palette behind |

use super::frame::{Frame, Pixels};
use crate::archive::RawName;
use crate::media::input::{Budget, Input, PictureError, wrong};
use crate::media::palette;

pub(super) fn decode(
    name: RawName<'_>,
    input: Input<'_>,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    let last = name.last_part().to_ascii_lowercase();
    let stem = last.split(|byte| *byte == b'.').next().unwrap_or_default();
    let (sides, transparent) = match (stem, input.len()) {
        (b"colormap", 16_384..) => ((256, 64), None),
        (b"conchars", 16_384) => ((128, 128), Some(0)),
        (b"pop", 256) => ((16, 16), Some(255)),
        // A picture of this length would say so at its beginning.
        (_, 768) if picture(input, &mut Budget::new(768)).is_err() => {
            let palette = palette::of_triples(input, 0)?;
            budget.area(0, 16, 16)?;
            let indices = (0..=255).collect();
            let pixels = Pixels::indexed((16, 16), indices, Some(palette), None);
            return Ok(vec![Frame::only(pixels)]);
        }
        _ => return Ok(vec![Frame::only(picture(input, budget)?)]),
    };
    let area = budget.area(0, sides.0, sides.1)?;
    let indices = input.take("the pixels", 0, area)?.to_vec();
    let pixels = Pixels::indexed(sides, indices, None, transparent);
    Ok(vec![Frame::only(pixels)])
}

/// A picture with its width and height before it.
fn picture(input: Input<'_>, budget: &mut Budget) -> Result<Pixels, PictureError> {
    let sides = input.sides(0)?;
    let area = budget.area(0, sides.0, sides.1)?;
    let indices = input.take("the pixels", 8, area)?;
    let end = area.saturating_add(8);
    let palette = palette::counted(input, end);
    if palette.is_none() && input.len() != end {
        let found = i64::try_from(input.left(end)).unwrap_or(i64::MAX);
        let expected = "0, or a palette";
        return Err(wrong(
            "the number of bytes behind the pixels",
            end,
            expected,
            found,
        ));
    }
    let indices = indices.to_vec();
    Ok(Pixels::indexed(sides, indices, palette, Some(255)))
}
