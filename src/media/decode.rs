//! Decodes the pictures in a file.

use super::file::Depth;
use super::file_type::FileType;
use super::found::facts;
use super::pixels::{DecodeOptions, Decoding, Frame, Palette, PictureError};
use super::types::PictureDecoder;
use crate::archive::RawName;
use crate::archive::bytes::Cursor;

/// A decoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file's type. If its header is damaged, the type comes from the name.
    pub file_type: FileType,
    /// The picture, or all frames and sizes that the options ask for.
    pub frames: Vec<Frame>,
}

impl Picture {
    /// Whether a file of this name may contain pictures that can be decoded.
    #[must_use]
    pub fn may_be_in(name: RawName<'_>) -> bool {
        let extension = name.extension().unwrap_or_default();
        let mut types = FileType::by_extension(extension);
        types.any(|it| !matches!(it.row().decoder, PictureDecoder::No | PictureDecoder::Refused(_)))
    }

    /// Decodes the pictures in a file. Memory is bounded by the file's length: a header alone allocates
    /// nothing.
    ///
    /// # Errors
    /// If it contains no picture that can be decoded, is damaged, or has more pixels than `options` allow.
    pub fn decode(
        name: RawName<'_>,
        bytes: &[u8],
        options: &DecodeOptions,
    ) -> Result<Self, PictureError> {
        let found = facts(name, &bytes, Depth::Type).ok();
        let found = found.and_then(|found| found.file_type);
        let file_type = match found {
            Some(found) => found,
            None => damaged(name, bytes).ok_or(PictureError::NotAPicture)?,
        };
        let mut job = Decoding { name, input: Cursor::new(bytes), options: *options, pixels: 0 };
        let frames = match file_type.row().decoder {
            PictureDecoder::IfValid(decode) | PictureDecoder::EvenDamaged(_, decode) => {
                decode(&mut job)?
            }
            PictureDecoder::Refused(reason) => return Err(reason(bytes)),
            PictureDecoder::No => return Err(PictureError::NotAPicture),
        };
        Ok(Self { file_type, frames })
    }
}

/// The type of a damaged picture, by its extension. It is cut off, or its header has impossible numbers.
/// The row with the longest magic wins.
fn damaged(name: RawName<'_>, bytes: &[u8]) -> Option<FileType> {
    let extension = name.extension()?;
    let mut longest = None;
    for file_type in FileType::by_extension(extension) {
        if let PictureDecoder::EvenDamaged(begin, _) = file_type.row().decoder
            && bytes.starts_with(begin)
        {
            longest = longest.max(Some((begin.len(), file_type)));
        }
    }
    longest.map(|(_, file_type)| file_type)
}

/// A picture with four bytes per pixel: red, green, blue, opacity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rgba {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// The pixels row by row from the top, each row from the left.
    pub pixels: Vec<u8>,
}

impl Rgba {
    /// Decodes the first picture in a file into four bytes per pixel. A picture without a palette uses
    /// `palette`. Without one, Quake's pictures have Quake's colours, and others are shades of grey.
    ///
    /// # Errors
    /// If it contains no picture that can be decoded, is damaged, or has more than 64 Mi pixels.
    pub fn decode(
        name: RawName<'_>,
        bytes: &[u8],
        palette: Option<&Palette>,
    ) -> Result<Self, PictureError> {
        let picture = Picture::decode(name, bytes, &DecodeOptions::default())?;
        let Some(Frame { pixels, .. }) = picture.frames.first() else {
            return Err(PictureError::NotAPicture);
        };
        let built_in = picture.file_type.built_in_palette();
        let data = match palette {
            Some(palette) => pixels.to_rgba(palette),
            None => pixels.to_rgba(&built_in.unwrap_or_else(Palette::grey)),
        };
        Ok(Self { width: pixels.width, height: pixels.height, pixels: data })
    }
}
