//! What the fuzz target `pictures` asserts of any bytes under every extension: what is decoded has all of
//! its pixels, is no more than the bytes can say, and is the same every time and with fewer frames.

use daisho::archive::RawName;
use daisho::media::{Data, DecodeOptions, Frame, Palette, Picture, PictureError, Rgba};

/// The extensions of what is decoded.
pub(crate) const EXTENSIONS: [&str; 13] =
    ["wal", "m8", "m32", "swl", "mip", "lmp", "pal", "spr", "sp2", "pcx", "tga", "bmp", "png"];

const ALL: DecodeOptions = DecodeOptions::all(1 << 24);

/// Tries the file under every extension.
pub(crate) fn pictures(file: &[u8]) {
    for extension in EXTENSIONS {
        let _ = under(&format!("a.{extension}"), file);
    }
    if let Err(PictureError::NamesOnly(frames)) = under("a.sp2", file) {
        assert!(frames <= file.len() / 80);
    }
}

/// Decodes the file under this name, and returns the frames for callers that know what they should be.
pub(crate) fn under(name: &str, file: &[u8]) -> Result<Vec<Frame>, PictureError> {
    let name = RawName::from(name);
    let frames = Picture::decode(name, file, &ALL).map(|picture| picture.frames);
    let _ = Palette::of_file(name, file);
    let Ok(frames) = &frames else {
        return frames;
    };
    let mut total = 0;
    for frame in frames {
        let pixels = &frame.pixels;
        let area = u64::from(pixels.width) * u64::from(pixels.height);
        assert!(area > 0);
        let (len, bytes) = match &pixels.data {
            Data::Indexed { indices, .. } => (indices.len(), 1),
            Data::Rgb(rgb) => (rgb.len(), 3),
            Data::Rgba(rgba) => (rgba.len(), 4),
            data => panic!("{data:?}"),
        };
        assert_eq!(len as u64, bytes * area);
        assert_eq!(pixels.to_rgba(&Palette::grey()).len() as u64, 4 * area);
        assert!(!frame.label.contains(char::is_control));
        total += area;
    }
    // Nothing says more than 64 pixels in a byte. A chart has its own size.
    let most = 64 * file.len() as u64;
    assert!(total <= most && total <= ALL.max_pixels, "{total} of {}", file.len());
    let picture = Picture::decode(name, file, &DecodeOptions::default()).unwrap();
    let built_in = picture.file_type.built_in_palette();
    let palette = built_in.unwrap_or_else(Palette::grey);
    let first = picture.frames;
    let rgba = Rgba::decode(name, file, None).ok();
    let pixels = first.first().map(|it| it.pixels.to_rgba(&palette));
    assert_eq!(rgba.map(|it| it.pixels), pixels);
    assert_eq!(first.first().map(|it| &it.pixels), frames.first().map(|it| &it.pixels));
    assert!(first.len() <= frames.len());
    if let Some(frame) = frames.first() {
        let area = u64::from(frame.pixels.width) * u64::from(frame.pixels.height);
        let mut few = DecodeOptions::default();
        few.max_pixels = area - 1;
        let refused = Picture::decode(name, file, &few).unwrap_err();
        assert!(matches!(refused, PictureError::TooManyPixels { .. }), "{refused}");
    }
    Ok(frames.clone())
}
