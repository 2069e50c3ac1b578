//! Pixels in another order: rows from the bottom up, from the right, blue before red.

/// Turns the order of rows of this length round.
pub(super) fn flip(pixels: &mut [u8], row: usize) {
    let mut rest = pixels;
    while rest.len() > row {
        let (first, behind) = rest.split_at_mut(row);
        let (between, last) = behind.split_at_mut(behind.len().saturating_sub(row));
        first.swap_with_slice(last);
        rest = between;
    }
}

/// Turns the order of pixels in rows of this length round.
pub(super) fn mirror(pixels: &mut [u8], row: usize, pixel: usize) {
    // All bytes of a row, then those of each pixel back.
    pixels
        .chunks_exact_mut(row.max(1))
        .for_each(<[u8]>::reverse);
    if pixel > 1 {
        pixels.chunks_exact_mut(pixel).for_each(<[u8]>::reverse);
    }
}

/// Turns blue, green, red into red, green, blue, whatever is behind them in a pixel.
pub(super) fn swap(pixels: &mut [u8], pixel: usize) {
    for pixel in pixels.chunks_exact_mut(pixel.max(1)) {
        if let [blue, _, red, ..] = pixel {
            std::mem::swap(blue, red);
        }
    }
}
