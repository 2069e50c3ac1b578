//! Encodes a picture as a file.

use std::sync::LazyLock;

use super::colouring::{EncodeRemark, LostColour, PictureEncoding, TargetPalette};
use super::fields::PictureFields;
use super::file_type::FileType;
use super::pixels::{PictureError, Pixels};
use crate::archive::RawName;

/// How to encode a picture.
#[derive(Debug, Clone, Copy)]
pub struct EncodeOptions<'a> {
    /// The palette of the game. Without it, a format that holds its own palette gets one for the picture.
    pub palette: Option<&'a TargetPalette>,
    /// Whether a texture of Quake may use fullbright colours.
    pub fullbright: bool,
    /// What the format holds beside the pixels.
    pub fields: &'a PictureFields,
}

impl Default for EncodeOptions<'_> {
    /// No palette, and no fields.
    fn default() -> Self {
        static NONE: LazyLock<PictureFields> = LazyLock::new(PictureFields::default);
        Self { palette: None, fullbright: false, fields: &NONE }
    }
}

/// A picture as the bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedPicture {
    /// The file.
    pub bytes: Vec<u8>,
    /// What was lost or is unusual.
    pub remarks: Vec<EncodeRemark>,
    /// The colour that changed most because the game's palette lacks it.
    pub lost: Option<LostColour>,
}

impl FileType {
    /// Encodes a picture as a file of this type. `name` is the name that the file gets.
    ///
    /// ```
    /// use daisho::media::{Data, EncodeOptions, FileType, Palette, Pixels, TargetPalette};
    /// let pixels = Pixels { width: 2, height: 1, data: Data::Rgb(vec![0, 0, 0, 255, 255, 255]) };
    /// let palette = TargetPalette::new(Palette::quake());
    /// let options = EncodeOptions { palette: Some(&palette), ..EncodeOptions::default() };
    /// let lump = FileType::Lmp.encode("gfx/two.lmp".into(), &pixels, &options)?;
    /// assert_eq!(lump.bytes, b"\x02\0\0\0\x01\0\0\0\x30\xFE");
    /// # Ok::<(), daisho::media::PictureError>(())
    /// ```
    ///
    /// # Errors
    /// If daisho does not write this type, the picture's sides or its name do not fit, or the palette is not known.
    pub fn encode(
        self,
        name: RawName<'_>,
        pixels: &Pixels,
        options: &EncodeOptions<'_>,
    ) -> Result<EncodedPicture, PictureError> {
        let encoder = self.row().encoder.ok_or(PictureError::NotWritten(self.short()))?;
        let mut job = PictureEncoding {
            format: self.short(),
            name,
            pixels,
            palette: options.palette,
            fullbright: options.fullbright,
            fields: options.fields,
            is_original: options.fields.file_type == Some(self),
            remarks: Vec::new(),
            lost: None,
        };
        let (width, height) = job.sides();
        if width.min(height) == 0 || width.max(height) > SIDE_MAX {
            return Err(PictureError::Sides { width, height, most: SIDE_MAX });
        }
        let bytes = encoder(&mut job)?;
        Ok(EncodedPicture { bytes, remarks: job.remarks, lost: job.lost })
    }

    /// Whether daisho writes pictures of this type.
    #[must_use]
    pub fn is_written(self) -> bool {
        self.row().encoder.is_some()
    }
}

/// The longest side of a picture that is encoded.
const SIDE_MAX: u32 = 4096;
