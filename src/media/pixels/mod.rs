//! Pictures decoded: a file's bytes in, pixels out.
//!
//! | file      | decodes                                                               |
//! |-----------|-----------------------------------------------------------------------|
//! | `miptex`  | textures of WAD2 and WAD3, and those inside BSP 29, BSP2 and BSP 30   |
//! | `lump`    | LMP; the palette, the colour map, the characters                      |
//! | `sprite`  | SPR of Quake and Half-Life; the names in an SP2                       |
//! | `pcx`, `tga`, `bmp` | what they say                                               |
//! | `carried` | the palette that a file carries                                       |
//! | `rows`    | pixels put in another order                                           |
//! | `frame`   | what comes out                                                        |
//!
//! PNG and JPEG are not decoded: whatever shows a picture shows these as they are.
//!
//! What a file is, [`look`] says; where it says nothing, the extension does, so that what is wrong with the
//! file can be said. A file costs no more memory than its bytes can say: a header alone allocates nothing.
//!
//! ```
//! use daisho::media::pixels::{Data, Options, decode};
//! // A picture of Quake's menus: width, height, and numbers of colours.
//! let lump = b"\x02\0\0\0\x01\0\0\0\x07\xFF";
//! let frames = decode("gfx/two.lmp".into(), lump, &Options::default())?;
//! let pixels = &frames[0].pixels;
//! assert_eq!((pixels.width, pixels.height), (2, 1));
//! let Data::Indexed { indices, palette: None, transparent: Some(255) } = &pixels.data else { panic!() };
//! assert_eq!(indices, &[7, 255]);
//! # Ok::<(), daisho::media::pixels::PictureError>(())
//! ```

pub(super) mod bmp;
mod carried;
pub(super) mod frame;
pub(super) mod lump;
mod miptex;
pub(super) mod pcx;
mod rows;
mod sprite;
pub(super) mod tga;

pub use frame::{Data, Frame, Options, Pixels};
pub use sprite::{NamedFrame, named_frames};

pub use super::PictureError;

use super::input::{Budget, Input};
use super::{look, texture};
use crate::archive::RawName;
use crate::media::FileType;

/// What decodes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Typed(FileType),
    MipTexture,
    Lump,
}

impl Kind {
    /// What the extension of a file says that `look` knows nothing of, or that is damaged.
    fn of_name(name: RawName<'_>, bytes: &[u8]) -> Option<Self> {
        let extension = name.extension().unwrap_or_default().to_ascii_lowercase();
        match &extension[..] {
            b"mip" => Some(Self::MipTexture),
            b"lmp" => Some(Self::Lump),
            b"pal" if bytes.len() == 768 => Some(Self::Lump),
            _ => Self::of_damaged(&extension, bytes).map(Self::Typed),
        }
    }
}

impl Kind {
    /// The type of a damaged file, by its extension: one that is cut off, or whose header has numbers that
    /// cannot be. A format with a magic is not taken for damaged where the magic is missing.
    fn of_damaged(extension: &[u8], bytes: &[u8]) -> Option<FileType> {
        let (file_type, begin): (_, &[u8]) = match extension {
            b"wal" if bytes.first() == Some(&3) => (FileType::Wal3, b""),
            b"wal" => (FileType::Wal, b""),
            b"m8" => (FileType::M8, b"\x02\0\0\0"),
            b"m32" => (FileType::M32, b"\x04\0\0\0"),
            b"swl" => (FileType::Swl, b""),
            b"tga" => (FileType::Tga, b""),
            b"bmp" => (FileType::Bmp, b"BM"),
            b"pcx" => (FileType::Pcx, b"\x0A"),
            _ => return None,
        };
        bytes.starts_with(begin).then_some(file_type)
    }
}

/// Whether a file of this name may hold pictures that can be decoded.
#[must_use]
pub fn may_be_picture(name: RawName<'_>) -> bool {
    let extension = name.extension().unwrap_or_default().to_ascii_lowercase();
    let others: [&[u8]; 7] = [b"mip", b"pal", b"bsp", b"spr", b"wal", b"m8", b"m32"];
    let is_decoded = |it: FileType| {
        use FileType::{Bmp, Lmp, Pcx, Swl, Tga};
        matches!(it, Bmp | Lmp | Pcx | Swl | Tga)
    };
    others.contains(&&extension[..]) || FileType::by_extension(&extension).any(is_decoded)
}

/// Decodes the pictures in a file: one, or the frames, sizes and textures that `options` ask for. A map
/// whose textures are all elsewhere has none.
///
/// # Errors
/// If it holds no picture that is decoded, or is damaged, or has more pixels than `options` allow.
pub fn decode(
    name: RawName<'_>,
    bytes: &[u8],
    options: &Options,
) -> Result<Vec<Frame>, PictureError> {
    let input = Input(bytes);
    let found = look(name, &mut &*bytes).ok();
    let named = Kind::of_name(name, bytes);
    let kind = match found.and_then(|found| found.file_type()) {
        // The magic of these maps is a small number, as the width of a picture is.
        Some(FileType::Bsp29 | FileType::Bsp30) if named == Some(Kind::Lump) => named,
        Some(FileType::Lmp | FileType::Pal) => Some(Kind::Lump),
        Some(FileType::Mip) => Some(Kind::MipTexture),
        Some(file_type) => Some(Kind::Typed(file_type)),
        None => named,
    };
    let mut budget = Budget::new(options.max_pixels);
    match kind.ok_or(PictureError::NotAPicture)? {
        Kind::Typed(file_type) => typed(file_type, name, input, options, &mut budget),
        Kind::MipTexture => miptex::lump(input, options, &mut budget),
        Kind::Lump => lump::decode(name, input, &mut budget),
    }
}

/// Decodes a file of this type.
fn typed(
    file_type: FileType,
    name: RawName<'_>,
    input: Input<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Result<Vec<Frame>, PictureError> {
    match file_type {
        FileType::Wal | FileType::Wal3 | FileType::M8 | FileType::M32 | FileType::Swl => {
            texture::decode(file_type, input, options, budget)
        }
        FileType::Bsp29 | FileType::Bsp2 | FileType::Bsp2Psb => {
            miptex::map(input, false, options, budget)
        }
        FileType::Bsp30 => miptex::map(input, true, options, budget),
        FileType::Spr | FileType::HalfLifeSpr => sprite::decode(file_type, input, options, budget),
        FileType::Sp2 => Err(PictureError::NamesOnly(named_frames(input.0).len())),
        FileType::Pcx => pcx::decode(name, input, budget),
        FileType::Tga => tga::decode(input, budget),
        FileType::Bmp => bmp::decode(input, budget),
        FileType::Png | FileType::Jpeg => Err(PictureError::PassThrough(file_type.short())),
        _ => Err(PictureError::NotAPicture),
    }
}

#[cfg(test)]
mod tests;
