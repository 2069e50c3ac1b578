//! How much room a terminal has for a picture, and a picture made to fit it.

use std::borrow::Cow;

use daisho::media::{Data, Palette, Pixels};
use daisho::ops::pictures::smaller;

/// The columns and lines to assume if the size is unknown.
const UNKNOWN: (u32, u32) = (80, 24);
/// The pixels of a character to assume if they are unknown.
const CELL: (u32, u32) = (8, 16);
/// Lines that a picture leaves free: one for its heading and one for the next prompt.
const FREE: u32 = 2;
/// The most times that a pixel of a tiny picture is repeated in each direction.
const LARGER: u32 = 8;
/// The most pixels that a tiny picture's longer side is enlarged to: first where pixels are drawn, then where
/// blocks are.
const TINY: (u32, u32) = (128, 16);

/// How much room there is.
#[derive(Debug)]
pub(crate) struct Room {
    /// Columns and lines of characters.
    cells: (u32, u32),
    /// The pixels of a character.
    cell: (u32, u32),
}

/// The side to which a terminal scales a picture that is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// So many columns of characters.
    Columns(u32),
    /// So many lines.
    Rows(u32),
}

impl Room {
    /// The room of the terminal. With `width`, the picture may have so many columns, and any number of lines.
    pub(crate) fn here(width: Option<u16>) -> Self {
        let ((columns, rows), cell) = size();
        let cells = match width {
            Some(width) => (u32::from(width), u32::from(u16::MAX)),
            None => (columns, rows.saturating_sub(FREE).max(1)),
        };
        Self { cells, cell }
    }

    /// The width and height in pixels.
    fn pixels(&self) -> (u32, u32) {
        (self.cells.0 * self.cell.0, self.cells.1 * self.cell.1)
    }

    /// The side to which the terminal must scale a picture with so many pixels, or `None` if the picture fits.
    pub(super) fn limit(&self, [width, height]: [u64; 2]) -> Option<Side> {
        let (most_wide, most_high) = self.pixels();
        let (most_wide, most_high) = (u64::from(most_wide), u64::from(most_high));
        if width <= most_wide && height <= most_high {
            None
        } else if width.saturating_mul(most_high) >= height.saturating_mul(most_wide) {
            Some(Side::Columns(self.cells.0))
        } else {
            Some(Side::Rows(self.cells.1))
        }
    }

    /// The picture to draw on a terminal that draws pixels.
    pub(super) fn in_pixels<'p>(&self, pixels: &'p Pixels, palette: &Palette) -> Cow<'p, Pixels> {
        let room = self.pixels();
        fitted(pixels, palette, room, TINY.0).map_or(Cow::Borrowed(pixels), Cow::Owned)
    }

    /// The picture to draw in half blocks, with two pixels per character.
    pub(super) fn in_blocks(&self, pixels: &Pixels, palette: &Palette) -> Pixels {
        let room = (self.cells.0, self.cells.1 * 2);
        fitted(pixels, palette, room, TINY.1).unwrap_or_else(|| larger(pixels, palette, 1))
    }
}

/// A picture scaled down to the room, or a tiny one scaled up. `None` if it fits as it is.
fn fitted(pixels: &Pixels, palette: &Palette, room: (u32, u32), tiny: u32) -> Option<Pixels> {
    let (width, height) = (pixels.width.max(1), pixels.height.max(1));
    let longest = width.max(height);
    let (times_wide, times_high) = (room.0 / width, room.1 / height);
    if times_wide == 0 || times_high == 0 {
        let scaled = |room: u32, side: u32| {
            let scaled = u64::from(longest) * u64::from(room) / u64::from(side);
            u32::try_from(scaled).unwrap_or(longest)
        };
        let side = scaled(room.0, width).min(scaled(room.1, height));
        return Some(smaller(pixels, palette, side.clamp(1, longest)));
    }
    let times = LARGER.min(tiny / longest).min(times_wide).min(times_high);
    (times > 1).then(|| larger(pixels, palette, times))
}

/// The picture in true colour, with each pixel repeated `times` times in each direction.
fn larger(pixels: &Pixels, palette: &Palette, times: u32) -> Pixels {
    let rgba = pixels.to_rgba(palette);
    let repeated = times as usize;
    let mut large = Vec::with_capacity(rgba.len() * repeated * repeated);
    for row in rgba.chunks_exact((pixels.width as usize * 4).max(4)) {
        let wide = row.chunks_exact(4).map(|pixel| pixel.repeat(repeated));
        let wide: Vec<u8> = wide.flatten().collect();
        (0..times).for_each(|_| large.extend_from_slice(&wide));
    }
    Pixels {
        width: pixels.width * times,
        height: pixels.height * times,
        data: Data::Rgba(large),
    }
}

/// The columns and lines of the terminal, and the pixels of a character.
fn size() -> ((u32, u32), (u32, u32)) {
    let number = |name: &str| {
        let value = std::env::var(name).ok()?;
        let value: u16 = value.parse().ok()?;
        (value > 0).then_some(u32::from(value))
    };
    let unknown = (
        number("COLUMNS").unwrap_or(UNKNOWN.0),
        number("LINES").unwrap_or(UNKNOWN.1),
    );
    #[cfg(unix)]
    if let Ok(size) = rustix::termios::tcgetwinsize(std::io::stdout())
        && size.ws_col > 0
        && size.ws_row > 0
    {
        let cells = (u32::from(size.ws_col), u32::from(size.ws_row));
        // Many terminals leave their size in pixels at 0.
        let cell = (
            u32::from(size.ws_xpixel) / cells.0,
            u32::from(size.ws_ypixel) / cells.1,
        );
        let is_known = cell.0 > 0 && cell.1 > 0;
        return (cells, if is_known { cell } else { CELL });
    }
    (unknown, CELL)
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation)] // Numbers that are small.
#[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32) -> Pixels {
        let rgba = (0..width * height).flat_map(|n| [n as u8, (n >> 8) as u8, 7, 255]);
        Pixels {
            width,
            height,
            data: Data::Rgba(rgba.collect()),
        }
    }

    fn room(columns: u32, rows: u32) -> Room {
        Room {
            cells: (columns, rows),
            cell: (8, 16),
        }
    }

    #[test]
    fn a_picture_fits_and_is_as_large_as_it_can_be() {
        let grey = Palette::grey();
        let room = room(10, 5);
        for width in 1..300 {
            for height in [1, 2, 9, 10, 11, 50, 79, 80, 81, 200] {
                let from = picture(width, height);
                let size = |to: &Pixels| (to.width, to.height);
                let blocks = size(&room.in_blocks(&from, &grey));
                let pixels = size(&room.in_pixels(&from, &grey));
                assert!(
                    blocks.0 <= 10 && blocks.1 <= 10,
                    "{width} {height} {blocks:?}"
                );
                assert!(
                    pixels.0 <= 80 && pixels.1 <= 80,
                    "{width} {height} {pixels:?}"
                );
                if width > 10 || height > 10 {
                    assert!(
                        blocks.0 == 10 || blocks.1 == 10,
                        "{width} {height} {blocks:?}"
                    );
                }
                let times = pixels.0 / width;
                if times > 0 && pixels.1 >= height {
                    assert_eq!(pixels, (width * times, height * times));
                    assert!(times <= 8);
                }
            }
        }
    }

    #[test]
    fn a_tiny_picture_is_repeated_pixel_by_pixel() {
        let grey = Palette::grey();
        let from = picture(16, 8);
        let to = room(80, 22).in_pixels(&from, &grey).into_owned();
        assert_eq!((to.width, to.height), (128, 64));
        let (small, large) = (from.to_rgba(&grey), to.to_rgba(&grey));
        for y in 0..64 {
            for x in 0..128 {
                let at = |width: usize, x: usize, y: usize| (y * width + x) * 4;
                let (s, l) = (at(16, x / 8, y / 8), at(128, x, y));
                assert_eq!(small[s..s + 4], large[l..l + 4]);
            }
        }
        // One that is not stays as it is.
        let from = picture(100, 8);
        assert_eq!(*room(80, 22).in_pixels(&from, &grey), from);
        assert_eq!(room(80, 22).in_blocks(&picture(16, 3), &grey).width, 16);
    }

    #[test]
    fn the_side_that_does_not_fit_is_what_a_file_is_scaled_by() {
        let room = room(10, 5);
        assert_eq!(room.limit([80, 80]), None);
        assert_eq!(room.limit([81, 10]), Some(Side::Columns(10)));
        assert_eq!(room.limit([10, 81]), Some(Side::Rows(5)));
        assert_eq!(room.limit([800, 801]), Some(Side::Rows(5)));
        assert_eq!(room.limit([u64::MAX, u64::MAX]), Some(Side::Columns(10)));
    }
}
