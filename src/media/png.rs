//! Writes pictures as PNG files, and reads them. It needs the feature `png`, which `ops` and `web` bring.
//!
//! Measured on 150 textures of a free game in true colour (32 MB), and on the same in 256 colours of one
//! palette of 16 ramps, as the games have it (5 MB); both cores were busy, so times are worth little more
//! than their order:
//!
//! | level         | colour, filter by rows | 256 colours, no filter | filtered by rows  |
//! |---------------|------------------------|------------------------|-------------------|
//! | fastest       | 40.4 %, 569 MB/s       | 96.7 %, 310 MB/s       | 32.3 %, 182 MB/s  |
//! | 1             | 51.0 %, 188 MB/s       | 34.7 %, 111 MB/s       | 37.2 %            |
//! | 2             | 35.9 %, 114 MB/s       | 24.1 %                 | 26.5 %            |
//! | **3**         | 34.9 %, 89 MB/s        | 22.9 %                 | 25.7 %, 100 MB/s  |
//! | 4             | 34.4 %, 47 MB/s        | 22.4 %, 100 MB/s       | 25.3 %, 58 MB/s   |
//! | 6             | 33.9 %, 39 MB/s        | 21.8 %, 32 MB/s        | 24.8 %, 20 MB/s   |
//! | 9             | 33.4 %, 10 MB/s        | 21.3 %, 7 MB/s         | 24.3 %, 5 MB/s    |
//!
//! Above level 3 files become a twentieth smaller at most, and take twice the time. Neighbouring colour numbers
//! have little in common, so filters make such pictures longer.

use std::io;

use png::{BitDepth, ColorType, Decoder, DeflateCompression, Encoder, Filter, Transformations};

use super::colouring::CLEAR;
use super::fields::{KEYWORD, PictureFields};
use super::pixels::{Data, Palette, PictureError, Pixels};

/// The level of compression.
const LEVEL: DeflateCompression = DeflateCompression::Level(3);

/// Returns a picture as the bytes of a PNG file, the same on every machine.
///
/// Indexed pixels stay indexed: the file's palette ends with the highest number that is used, and the
/// number for no colour is transparent. A picture without a palette of its own uses `palette`. With `fields`, the file
/// has the whole palette and a text chunk, and [`read_png`] gives the same picture and fields.
///
/// # Errors
/// If the picture has no pixels, or more or fewer than its width and height say.
pub fn png(
    pixels: &Pixels,
    palette: &Palette,
    fields: Option<&PictureFields>,
) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, pixels.width, pixels.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_deflate_compression(LEVEL);
    encoder.set_filter(Filter::Adaptive);
    let (colour, bytes) = match &pixels.data {
        Data::Rgb(rgb) => (ColorType::Rgb, rgb),
        Data::Rgba(rgba) => (ColorType::Rgba, rgba),
        Data::Indexed { indices, palette: own, transparent } => {
            encoder.set_filter(Filter::NoFilter);
            let highest = indices.iter().max();
            let used = match (fields, highest) {
                (Some(_), _) => 256,
                (None, Some(last)) => usize::from(*last) + 1,
                (None, None) => 0,
            };
            let colours = own.as_ref().unwrap_or(palette).colours();
            let colours = colours.iter().take(used).flatten().copied();
            encoder.set_palette(colours.collect::<Vec<u8>>());
            let is_shown = |none: &u8| fields.is_some() || indices.contains(none);
            if let Some(none) = transparent.filter(is_shown) {
                let mut alphas = vec![255; usize::from(none)];
                alphas.push(0);
                encoder.set_trns(alphas);
            }
            (ColorType::Indexed, indices)
        }
    };
    encoder.set_color(colour);
    let text = fields.map_or_else(String::new, PictureFields::to_text);
    if !text.is_empty() {
        encoder.add_text_chunk(KEYWORD.to_owned(), text)?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(bytes)?;
    writer.finish()?;
    Ok(file)
}

/// Decodes a PNG file of any depth and colour type, and the fields in its text chunk.
///
/// Values of 16 bits are reduced to 8. Profiles and gamma are ignored. An indexed picture stays indexed, unless some
/// of its colours are partly transparent.
///
/// # Errors
/// If it is damaged or has more than `most` pixels.
pub fn read_png(bytes: &[u8], most: u64) -> Result<(Pixels, PictureFields), PictureError> {
    let damaged = |error: png::DecodingError| PictureError::Png(error.to_string());
    let mut decoder = Decoder::new(io::Cursor::new(bytes));
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = header.size();
    let is_indexed = header.color_type == ColorType::Indexed;
    let found = u64::from(width).saturating_mul(height.into());
    if found > most {
        return Err(PictureError::TooManyPixels { found, most });
    }
    decoder.set_transformations(if is_indexed {
        Transformations::IDENTITY
    } else {
        Transformations::EXPAND | Transformations::STRIP_16
    });
    decoder.ignore_checksums(false);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let mut raw = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let frame = reader.next_frame(&mut raw).map_err(damaged)?;
    raw.truncate(frame.buffer_size());
    let info = reader.info();
    let mut fields = PictureFields::default();
    for chunk in &info.uncompressed_latin1_text {
        if chunk.keyword == KEYWORD {
            fields = PictureFields::of_text(&chunk.text);
        }
    }
    let data = match frame.color_type {
        ColorType::Rgb => Data::Rgb(raw),
        ColorType::Rgba => Data::Rgba(raw),
        ColorType::Grayscale => Data::Rgb(raw.iter().flat_map(|grey| [*grey; 3]).collect()),
        ColorType::GrayscaleAlpha => {
            let mut rgba = Vec::with_capacity(raw.len().saturating_mul(2));
            for pixel in raw.chunks_exact(2) {
                if let [grey, alpha] = pixel {
                    rgba.extend([*grey, *grey, *grey, *alpha]);
                }
            }
            Data::Rgba(rgba)
        }
        ColorType::Indexed => {
            let colours = info.palette.as_deref().unwrap_or_default();
            fields.colours = colours.len() / 3;
            let row = raw.chunks(frame.line_size.max(1));
            let mut indices = Vec::with_capacity(usize::try_from(found).unwrap_or(0));
            for row in row {
                unpack(row, frame.bit_depth, width as usize, &mut indices);
            }
            let alphas = info.trns.as_deref().unwrap_or_default();
            let palette = Palette::of_bytes(colours, 3);
            let rgba = partly_clear(&indices, &palette, alphas);
            let data = numbered(indices, palette, alphas);
            match rgba {
                Some(rgba) => {
                    fields.numbered = Some(data);
                    rgba
                }
                None => data,
            }
        }
    };
    let pixels = Pixels { width, height, data };
    Ok((pixels, fields))
}

/// Adds the colour numbers in a row.
fn unpack(row: &[u8], depth: BitDepth, width: usize, indices: &mut Vec<u8>) {
    let bits = |byte: &u8| [7, 6, 5, 4, 3, 2, 1, 0].map(|shift| byte >> shift & 1);
    let quarters = |byte: &u8| [byte >> 6, byte >> 4 & 3, byte >> 2 & 3, byte & 3];
    match depth {
        BitDepth::One => indices.extend(row.iter().flat_map(bits).take(width)),
        BitDepth::Two => indices.extend(row.iter().flat_map(quarters).take(width)),
        BitDepth::Four => {
            indices.extend(row.iter().flat_map(|byte| [byte >> 4, byte & 15]).take(width))
        }
        BitDepth::Eight | BitDepth::Sixteen => indices.extend(row.iter().take(width)),
    }
}

/// The pixels of colours of which some are partly transparent.
fn partly_clear(indices: &[u8], palette: &Palette, alphas: &[u8]) -> Option<Data> {
    if alphas.iter().all(|alpha| matches!(alpha, 0 | 255)) {
        return None;
    }
    let rgba = indices.iter().flat_map(|index| {
        let [red, green, blue] = palette.colour(*index);
        [red, green, blue, alphas.get(usize::from(*index)).copied().unwrap_or(255)]
    });
    Some(Data::Rgba(rgba.collect()))
}

/// Numbers of colours with these values of alpha. One number is enough for all transparent pixels.
fn numbered(mut indices: Vec<u8>, palette: Palette, alphas: &[u8]) -> Data {
    let clear = |number: &u8| alphas.get(usize::from(*number)).is_some_and(|it| *it <= CLEAR);
    let transparent = (0..=255).rev().find(clear);
    if let Some(none) = transparent {
        for index in indices.iter_mut().filter(|index| clear(index)) {
            *index = none;
        }
    }
    Data::indexed(indices, Some(palette), transparent)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What another reader makes of a PNG: four bytes a pixel, and how many colours its palette has.
    fn read(file: &[u8]) -> (Vec<u8>, Option<usize>) {
        let mut decoder = png::Decoder::new(io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut rgba).unwrap();
        let palette = reader.info().palette.as_ref();
        (rgba, palette.map(|palette| palette.len() / 3))
    }

    #[test]
    fn what_is_written_is_read_with_the_same_colours() {
        let own = Palette::of_colours((0..=255).map(|it| [it, 255 - it, it / 2]));
        let indexed = |indices: &[u8], palette, transparent| Data::Indexed {
            indices: indices.to_vec(),
            palette,
            transparent,
        };
        let rows = [
            (indexed(&[0, 3, 7, 2, 1, 5], None, None), Some(8)),
            (indexed(&[0, 3, 255, 2, 1, 5], Some(own.clone()), Some(255)), Some(256)),
            (indexed(&[9, 3, 0, 2, 0, 5], Some(own.clone()), Some(0)), Some(10)),
            // The number for no colour is not used.
            (indexed(&[9, 3, 0, 2, 0, 5], Some(own), Some(255)), Some(10)),
            (Data::Rgb((0..18).collect()), None),
            (Data::Rgba((0..24).collect()), None),
        ];
        for (data, colours) in rows {
            let pixels = Pixels { width: 3, height: 2, data };
            let file = png(&pixels, &Palette::grey(), None).unwrap();
            let (rgba, found) = read(&file);
            assert_eq!(rgba, pixels.to_rgba(&Palette::grey()), "{pixels:?}");
            assert_eq!(found, colours);
            assert_eq!(png(&pixels, &Palette::grey(), None).unwrap(), file);
        }
    }

    #[test]
    fn a_picture_that_is_none_is_refused() {
        for (width, height) in [(0, 2), (2, 0), (2, 2)] {
            let data = Data::Rgb(vec![0; 3]);
            let pixels = Pixels { width, height, data };
            png(&pixels, &Palette::grey(), None).unwrap_err();
        }
    }
}
