//! Puts frames side by side into one picture, and makes pictures smaller.

use crate::media::{Data, Frame, Palette, Pixels};

/// Where each frame goes on a sheet.
struct SheetLayout {
    /// The left and top of each frame.
    places: Vec<(u32, u32)>,
    width: u32,
    height: u32,
}

/// Arranges the frames in rows, so that the sheet is about as wide as it is high.
fn layout(frames: &[Frame]) -> SheetLayout {
    let mut area = 0_u64;
    let mut wrap = 1;
    for Frame { pixels, .. } in frames {
        area += u64::from(pixels.width) * u64::from(pixels.height);
        wrap = wrap.max(pixels.width);
    }
    wrap = wrap.max(u32::try_from(area.isqrt()).unwrap_or(u32::MAX));
    let mut layout = SheetLayout { places: Vec::with_capacity(frames.len()), width: 0, height: 0 };
    let (mut left, mut top) = (0_u32, 0);
    for Frame { pixels, .. } in frames {
        if left > 0 && left.saturating_add(pixels.width) > wrap {
            (left, top) = (0, layout.height);
        }
        layout.places.push((left, top));
        left = left.saturating_add(pixels.width);
        layout.width = layout.width.max(left);
        layout.height = layout.height.max(top.saturating_add(pixels.height));
    }
    layout
}

/// How many pixels the sheet of these frames has. If frames have very different shapes, much of the sheet is empty.
pub(super) fn sheet_area(frames: &[Frame]) -> u64 {
    let layout = layout(frames);
    u64::from(layout.width) * u64::from(layout.height)
}

/// Puts frames side by side into one picture, in order. The rest of the picture is transparent.
pub(super) fn sheet(frames: &[Frame], palette: &Palette) -> Pixels {
    let SheetLayout { places, width, height } = layout(frames);
    let row = width as usize * 4;
    let mut rgba = vec![0; row.saturating_mul(height as usize)];
    for (frame, (left, top)) in frames.iter().zip(places) {
        let pixels = frame.pixels.to_rgba(palette);
        let from = pixels.chunks_exact((frame.pixels.width as usize * 4).max(1));
        let to = rgba.chunks_exact_mut(row.max(1)).skip(top as usize);
        for (to, from) in to.zip(from) {
            for (to, from) in to.iter_mut().skip(left as usize * 4).zip(from) {
                *to = *from;
            }
        }
    }
    Pixels { width, height, data: Data::Rgba(rgba) }
}

/// The picture in true colour, at most `side` wide and high. Each pixel is the mean of the pixels that it replaces;
/// transparent ones do not count.
#[must_use]
pub fn smaller(pixels: &Pixels, palette: &Palette, side: u32) -> Pixels {
    let (width, height) = (pixels.width, pixels.height);
    let longest = width.max(height);
    if longest <= side {
        let data = Data::Rgba(pixels.to_rgba(palette));
        return Pixels { width, height, data };
    }
    let scaled = |length: u32| {
        let scaled = u64::from(length) * u64::from(side) / u64::from(longest);
        u32::try_from(scaled).unwrap_or(side).max(1)
    };
    let (to_width, to_height) = (scaled(width), scaled(height));
    let edge = |at: u32, from: u32, to: u32| {
        u32::try_from(u64::from(at) * u64::from(from) / u64::from(to)).unwrap_or(from)
    };
    let row = width as usize;
    let mut small = Vec::with_capacity(to_width as usize * to_height as usize * 4);
    for y in 0..to_height {
        let rows = edge(y, height, to_height)..edge(y + 1, height, to_height);
        let band = pixels.rows(palette, rows);
        for x in 0..to_width {
            let columns = edge(x, width, to_width) as usize..edge(x + 1, width, to_width) as usize;
            let block =
                band.chunks_exact(row).flat_map(|row| row.get(columns.clone()).unwrap_or_default());
            small.extend(mean(block.copied()));
        }
    }
    Pixels { width: to_width, height: to_height, data: Data::Rgba(small) }
}

/// The mean of some pixels, weighted by their opacity.
fn mean(pixels: impl Iterator<Item = [u8; 4]>) -> [u8; 4] {
    let (mut sums, mut opacity, mut count) = ([0_u64; 3], 0_u64, 0_u64);
    for [red, green, blue, opaque] in pixels {
        for (sum, value) in sums.iter_mut().zip([red, green, blue]) {
            *sum += u64::from(value) * u64::from(opaque);
        }
        opacity += u64::from(opaque);
        count += 1;
    }
    let byte = |sum: u64, of: u64| u8::try_from(sum.checked_div(of).unwrap_or(0)).unwrap_or(255);
    let [red, green, blue] = sums.map(|sum| byte(sum, opacity));
    [red, green, blue, byte(opacity, count)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(width: u32, height: u32, value: u8) -> Frame {
        let data = Data::Rgba([value, value, value, 255].repeat((width * height) as usize));
        Frame { label: String::new(), pixels: Pixels { width, height, data } }
    }

    fn rgba(pixels: &Pixels) -> Vec<u8> {
        pixels.to_rgba(&Palette::grey())
    }

    #[test]
    fn frames_lie_side_by_side_without_overlap() {
        let frames: Vec<Frame> = (1..=9).map(|n| filled(u32::from(n), 3, n)).collect();
        let sheet = sheet(&frames, &Palette::grey());
        let all = rgba(&sheet);
        for (frame, n) in frames.iter().zip(1..=9_u8) {
            let mine = all.chunks_exact(4).filter(|pixel| *pixel == [n, n, n, 255]);
            assert_eq!(mine.count(), (frame.pixels.width * 3) as usize, "{n}");
        }
        assert!(sheet.width <= 15 && sheet.height <= 15, "{} {}", sheet.width, sheet.height);
        assert_eq!(all.len(), (sheet.width * sheet.height * 4) as usize);
    }

    #[test]
    fn a_smaller_picture_averages_its_pixels() {
        let checked: Vec<u8> = (0..64_u8).flat_map(|n| [n % 2 * 200, 100, n, 255]).collect();
        let pixels = Pixels { width: 8, height: 8, data: Data::Rgba(checked) };
        let small = smaller(&pixels, &Palette::grey(), 4);
        assert_eq!((small.width, small.height), (4, 4));
        // The first pixel is the mean of the pixels 0, 1, 8 and 9.
        assert_eq!(rgba(&small)[..4], [100, 100, 4, 255]);
        let same = smaller(&pixels, &Palette::grey(), 8);
        assert_eq!(rgba(&same), rgba(&pixels));
        let line = Pixels { width: 1000, height: 1, data: Data::Rgba(vec![9; 4000]) };
        let small = smaller(&line, &Palette::grey(), 10);
        assert_eq!((small.width, small.height), (10, 1));
        assert_eq!(rgba(&small), [9; 40]);
    }

    #[test]
    fn what_is_transparent_has_no_colour_in_the_mean() {
        let pixels =
            Pixels { width: 2, height: 1, data: Data::Rgba(vec![255, 0, 0, 255, 0, 255, 0, 0]) };
        let small = smaller(&pixels, &Palette::grey(), 1);
        assert_eq!(rgba(&small), [255, 0, 0, 127]);
    }
}
