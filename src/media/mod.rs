//! The content of a game's files: facts from their headers, and decoded pictures. Pure functions of bytes.
//!
//! Nothing here uses a file system or knows an engine. A file is read from a [`ReadAt`]: its beginning, and
//! the few parts that a fact needs. A claimed size never causes an allocation, and no input causes a panic.
//!
//! A file type is a row in `file_type` and a part of a module, whose functions are listed in this file. The module
//! recognises the type, finds its facts, and decodes it if it is a picture.
//!
//! | file        | job                                                                 |
//! |-------------|---------------------------------------------------------------------|
//! | `file_type` | the table of types, and the kind of a file by its name              |
//! | `bsp`       | maps: BSP 29 and 30, BSP2, IBSP 38, 41 and 46                       |
//! | `texture`   | WAL of Quake II and Daikatana, M8, M32, SWL, and textures of WADs   |
//! | `pcx`, `tga`, `bmp`, `lmp`, `png_jpeg` | pictures                                 |
//! | `sprite`, `model` | SPR, SP2; MDL, MD2, MD3, DKM                                  |
//! | `sound`     | WAV, MP3, Ogg                                                       |
//! | `progs`     | compiled QuakeC                                                     |
//! | `facts`     | a file that is being examined, and its facts                        |
//! | `pixels`    | a decoded picture and its palette                                   |
//! | `png`       | a picture written as a PNG file                                     |
//! | `summary`   | the facts in one line                                               |
//! | `colours`   | palettes in files, and where a game keeps its palettes              |
//! | `entities`  | the text of a map's entities                                        |
//! | `asked`     | the files that a map needs                                          |
//! | `drawing`   | a map from above, as SVG                                            |
//!
//! ```
//! use daisho::media::{Depth, FileType, facts};
//!
//! let mut header = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0".to_vec();
//! header.extend(b"data\0\0\0\0");
//! let found = facts("sound/hit.wav".into(), &header, Depth::Header)?;
//! assert_eq!(found.file_type, Some(FileType::Wav));
//! assert_eq!(found.summary(), "11025 Hz, 8 bit, mono, 0.0 s");
//! assert_eq!(found.number("rate"), Some(11_025));
//! // The name may disagree.
//! let found = facts("pics/hit.tga".into(), &header, Depth::Type)?;
//! assert!(found.is_contrary());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Pictures are decoded into [`Pixels`], or with [`rgba`] into four bytes per pixel. PNG and JPEG are not
//! decoded: every program that shows pictures can show these.
//!
//! ```
//! use daisho::media::{Data, DecodeOptions, decode, rgba};
//! // A picture of Quake's menus: width, height, and colour numbers.
//! let lump = b"\x02\0\0\0\x01\0\0\0\x07\xFF";
//! let picture = decode("gfx/two.lmp".into(), lump, &DecodeOptions::default())?;
//! let Data::Indexed { indices, palette: None, transparent: Some(255) } = &picture.frames[0].pixels.data else { panic!() };
//! assert_eq!(indices, &[7, 255]);
//! // Without a palette its colours are shades of grey.
//! let rgba = rgba("gfx/two.lmp".into(), lump, None)?;
//! assert_eq!((rgba.width, rgba.height), (2, 1));
//! assert_eq!(rgba.pixels, [7, 7, 7, 255, 255, 255, 255, 0]);
//! # Ok::<(), daisho::media::PictureError>(())
//! ```

// Forbid everything that input could make panic, and exceptions without a reason.
#![deny(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason
)]
// Tests may overflow.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

pub mod asked;
mod bmp;
mod bsp;
pub mod colours;
pub mod drawing;
pub mod entities;
mod facts;
mod file_type;
mod lmp;
mod model;
mod pcx;
mod pixels;
#[cfg(any(feature = "ops", feature = "web"))]
mod png;
mod png_jpeg;
mod progs;
mod sound;
mod sprite;
mod summary;
mod texture;
mod tga;

use std::io;

pub use bsp::{Lump, MapError};
pub use facts::{Depth, Fact, START, Value};
pub use file_type::{FileType, Kind};
pub use pixels::{Data, DecodeOptions, Frame, Palette, PictureError, Pixels};
#[cfg(any(feature = "ops", feature = "web"))]
pub use png::png;
pub use sprite::{NamedFrame, named_frames};

use crate::archive::bytes::Cursor;
use crate::archive::{RawName, ReadAt};
use facts::{FactList, File, Mismatch};
use file_type::Magic;
use pixels::{Decoding, Frames};

/// Examines a file and adds its facts, if its header fits the type.
type Look = fn(&File<'_>, &mut FactList) -> Result<(), Mismatch>;

/// Whether files of a type can be decoded.
#[derive(Clone, Copy)]
enum PictureDecoder {
    No,
    /// Yes, if their header is valid.
    Known(fn(&mut Decoding<'_>) -> Frames),
    /// Yes, even if only the extension and these first bytes fit. Then the decoder's error describes the damage.
    Named(&'static [u8], fn(&mut Decoding<'_>) -> Frames),
}

/// The functions for files of a type.
#[rustfmt::skip]
fn functions(file_type: FileType) -> (Look, PictureDecoder) {
    use FileType as T;
    use PictureDecoder::{Known, Named, No};
    match file_type {
        T::Bsp29 | T::Bsp30 | T::Bsp2 | T::Bsp2Psb => (bsp::look, Known(bsp::decode)),
        T::Ibsp38 | T::Qbsp38 | T::Ibsp41 | T::Ibsp46 | T::Ibsp47 => (bsp::look, No),
        T::Wal | T::Swl | T::Mip => (texture::look, Named(b"", texture::decode)),
        T::Wal3 => (texture::look, Named(b"\x03", texture::decode)),
        T::M8 => (texture::look, Named(b"\x02\0\0\0", texture::decode)),
        T::M32 => (texture::look, Named(b"\x04\0\0\0", texture::decode)),
        T::Spr | T::HalfLifeSpr => (sprite::spr, Known(sprite::decode)),
        T::Pcx => (pcx::look, Named(b"\x0A", pcx::decode)),
        T::Tga => (tga::look, Named(b"", tga::decode)),
        T::Bmp => (bmp::look, Named(b"BM", bmp::decode)),
        T::Lmp => (lmp::look, Named(b"", lmp::decode)),
        T::Pal => (lmp::pal, Known(lmp::decode)),
        T::Png => (png_jpeg::png, No),
        T::Jpeg => (png_jpeg::jpeg, No),
        T::Mdl | T::HalfLifeMdl | T::Md2 | T::Md3 | T::Dkm => (model::look, No),
        T::Sp2 => (sprite::sp2, No),
        T::Wav => (sound::wav, No),
        T::Mp3 => (sound::mp3, No),
        T::Ogg => (sound::ogg, No),
        T::Progs => (progs::look, No),
        T::Font => (lmp::font, No),
        // A demo or a video is known by its name. Nothing of it is read.
        T::Dem | T::Qwd | T::Mvd | T::Dm2 | T::Cin => (|_, _| Ok(()), No),
    }
}

/// The result of examining a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The types that the name's extension belongs to. May be empty.
    pub named: Vec<FileType>,
    /// The type according to the header; `None` if it is unknown.
    pub file_type: Option<FileType>,
    /// The facts, in the order in which they are shown.
    pub facts: Vec<Fact>,
    /// Contradictions in the file.
    pub notes: Vec<String>,
}

/// Whether a file of this name can be of a known type.
pub(crate) fn is_worth_a_look(name: RawName<'_>) -> bool {
    name.extension()
        .is_some_and(|extension| FileType::by_extension(extension).next().is_some())
}

/// Examines a file: its first bytes, its name if they do not tell its type, and the parts that `depth` asks for.
///
/// # Errors
/// If the file cannot be read.
pub fn facts(name: RawName<'_>, source: &impl ReadAt, depth: Depth) -> io::Result<Found> {
    let mut start = [0; START];
    let read = source.read_full_at(&mut start, 0)?;
    let start = start.get(..read).unwrap_or_default();
    let len = source.size()?;
    let extension = name.extension().unwrap_or_default();
    let mut found = Found {
        named: FileType::by_extension(extension).collect(),
        file_type: None,
        facts: Vec::new(),
        notes: Vec::new(),
    };
    let mut candidates: Vec<FileType> = FileType::by_magic(start).into_iter().collect();
    if candidates.is_empty() {
        // The name's type holds if the numbers agree. A BMP needs no name: its header is hard to mistake.
        let may_be = |it: &FileType| !matches!(it.magic(), Magic::Always(_));
        candidates.extend(found.named.iter().copied().filter(may_be));
        candidates.push(FileType::Bmp);
    }
    for file_type in candidates {
        let file = File {
            file_type,
            name,
            start: Cursor::new(start),
            len,
            depth,
            source,
        };
        let mut list = FactList::default();
        match (functions(file_type).0)(&file, &mut list) {
            Ok(()) => {
                found.file_type = Some(file_type);
                (found.facts, found.notes) = (list.facts, list.notes);
                break;
            }
            Err(Mismatch::Header) => {}
            Err(Mismatch::Io(error)) => return Err(error),
        }
    }
    Ok(found)
}

/// A decoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file's type. If its header is damaged, the type comes from the name.
    pub file_type: FileType,
    /// The picture, or all frames, sizes and textures that the options ask for. Empty for a map without
    /// textures of its own.
    pub frames: Vec<Frame>,
}

/// Whether a file of this name may contain pictures that can be decoded.
#[must_use]
pub fn may_be_picture(name: RawName<'_>) -> bool {
    let extension = name.extension().unwrap_or_default();
    let mut types = FileType::by_extension(extension);
    types.any(|it| !matches!(functions(it).1, PictureDecoder::No))
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
) -> Result<Picture, PictureError> {
    let found = facts(name, &bytes, Depth::Type).ok();
    let found = found.and_then(|found| found.file_type);
    let file_type = match found {
        // The magic of these maps is a small number, like the width of a picture.
        Some(FileType::Bsp29 | FileType::Bsp30) if is_named_lump(name, bytes) => FileType::Lmp,
        Some(found) => found,
        None => damaged(name, bytes).ok_or(PictureError::NotAPicture)?,
    };
    let mut job = Decoding {
        file_type,
        name,
        input: Cursor::new(bytes),
        options: *options,
        pixels: 0,
    };
    let frames = match (functions(file_type).1, file_type) {
        (PictureDecoder::Known(decode) | PictureDecoder::Named(_, decode), _) => decode(&mut job)?,
        (_, FileType::Sp2) => return Err(PictureError::NamesOnly(named_frames(bytes).len())),
        (_, FileType::Png | FileType::Jpeg) => {
            return Err(PictureError::PassThrough(file_type.short()));
        }
        _ => return Err(PictureError::NotAPicture),
    };
    Ok(Picture { file_type, frames })
}

fn is_named_lump(name: RawName<'_>, bytes: &[u8]) -> bool {
    let extension = name.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case(b"lmp")
        || extension.eq_ignore_ascii_case(b"pal") && bytes.len() == 768
}

/// The type of a damaged picture, by its extension. It is cut off, or its header has impossible numbers.
/// The row with the longest magic wins.
fn damaged(name: RawName<'_>, bytes: &[u8]) -> Option<FileType> {
    let extension = name.extension()?;
    let mut longest = None;
    for file_type in FileType::by_extension(extension) {
        if let PictureDecoder::Named(begin, _) = functions(file_type).1
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

/// Decodes the first picture in a file into four bytes per pixel. A picture without a palette uses
/// `palette`, or shades of grey.
///
/// # Errors
/// If it contains no picture that can be decoded, is damaged, or has more than 64 Mi pixels.
pub fn rgba(
    name: RawName<'_>,
    bytes: &[u8],
    palette: Option<&Palette>,
) -> Result<Rgba, PictureError> {
    let picture = decode(name, bytes, &DecodeOptions::default())?;
    let Some(Frame { pixels, .. }) = picture.frames.first() else {
        return Err(PictureError::NotAPicture);
    };
    let data = match palette {
        Some(palette) => pixels.to_rgba(palette),
        None => pixels.to_rgba(&Palette::grey()),
    };
    Ok(Rgba {
        width: pixels.width,
        height: pixels.height,
        pixels: data,
    })
}

#[cfg(test)]
mod tests;
