//! The end screen of Quake: what DOS shows when the game is over, 80 x 25 characters of code page 437,
//! each with a byte of colours.

use super::frame::{Frame, Pixels};
use super::glyphs;
use crate::media::input::{Budget, Input, PictureError};
use crate::media::palette::Palette;

/// How long such a screen is.
pub(super) const SCREEN: usize = 4000;

const COLUMNS: usize = 80;
const CELL: (u8, u8) = (8, 16);
const SIDES: (u32, u32) = (640, 400);

/// The sixteen colours of a PC's text.
const COLOURS: [[u8; 3]; 16] = [
    [0x00, 0x00, 0x00],
    [0x00, 0x00, 0xAA],
    [0x00, 0xAA, 0x00],
    [0x00, 0xAA, 0xAA],
    [0xAA, 0x00, 0x00],
    [0xAA, 0x00, 0xAA],
    [0xAA, 0x55, 0x00],
    [0xAA, 0xAA, 0xAA],
    [0x55, 0x55, 0x55],
    [0x55, 0x55, 0xFF],
    [0x55, 0xFF, 0x55],
    [0x55, 0xFF, 0xFF],
    [0xFF, 0x55, 0x55],
    [0xFF, 0x55, 0xFF],
    [0xFF, 0xFF, 0x55],
    [0xFF, 0xFF, 0xFF],
];

/// The lines of an end screen as text, without the blanks at their ends; none where its length is another.
///
/// ```
/// let screen = b"H\x1Fi\x1F".iter().chain(b" \x1F".iter().cycle()).take(4000);
/// let lines = daisho::media::pixels::screen_lines(&screen.copied().collect::<Vec<_>>()).unwrap();
/// assert_eq!((lines.len(), &lines[0][..], &lines[1][..]), (25, "Hi", ""));
/// ```
#[must_use]
pub fn screen_lines(bytes: &[u8]) -> Option<Vec<String>> {
    let line = |cells: &[u8]| {
        let characters = cells.iter().step_by(2);
        let line: String = characters.map(|it| glyphs::text(*it)).collect();
        let end = line.trim_end_matches([' ', '\u{A0}']).len();
        line.chars()
            .scan(0, |at, it| {
                *at = usize::saturating_add(*at, it.len_utf8());
                (*at <= end).then_some(it)
            })
            .collect()
    };
    let lines = bytes.chunks_exact(2_usize.saturating_mul(COLUMNS));
    (bytes.len() == SCREEN).then(|| lines.map(line).collect())
}

pub(super) fn decode(input: Input<'_>, budget: &mut Budget) -> Result<Vec<Frame>, PictureError> {
    let cells = input.take("the characters", 0, SCREEN)?;
    let area = budget.area(0, SIDES.0, SIDES.1)?;
    let mut indices = Vec::with_capacity(area);
    for line in cells.chunks_exact(2_usize.saturating_mul(COLUMNS)) {
        for y in 0..CELL.1 {
            for cell in line.chunks_exact(2) {
                let &[character, colours] = cell else {
                    continue;
                };
                // The highest bit lets it blink.
                let (ink, paper) = (colours & 15, colours >> 4 & 7);
                let lit = (0..CELL.0).map(|x| glyphs::is_lit(character, x, y));
                indices.extend(lit.map(|is_lit| if is_lit { ink } else { paper }));
            }
        }
    }
    let palette = Palette::of_colours(COLOURS);
    let pixels = Pixels::indexed(SIDES, indices, Some(palette), None);
    Ok(vec![Frame::only(pixels)])
}
