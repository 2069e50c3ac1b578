//! The content of a game's files: facts from their headers, and decoded pictures. Pure functions of bytes.
//!
//! Nothing here uses a file system or knows an engine. A file is read from a
//! [`ReadAt`](crate::archive::ReadAt): its beginning, and the few parts that a fact needs. A claimed size never
//! causes an allocation, and no input causes a panic.
//!
//! A file type is a row in the list of `types`, with its names, and a constant in a module there. The module recognises
//! the type, finds its facts, and decodes it if it is a picture.
//!
//! | file        | job                                                                 |
//! |-------------|---------------------------------------------------------------------|
//! | `types`     | the list of types, and the kind of a file by its name               |
//! | `types/bsp` | maps: BSP 29 and 30, BSP2, 2PSB, IBSP 38, 41, 46 and 47, QBSP 38    |
//! | `types/texture` | WAL of Quake II and Daikatana, M8, M32, SWL, and textures of WADs |
//! | `types/pcx`, `tga`, `bmp`, `lmp`, `png_jpeg` | pictures                           |
//! | `types/sprite`, `model` | SPR, SP2; MDL, MD2, MD3, DKM                            |
//! | `types/sound` | WAV, MP3, Ogg                                                     |
//! | `types/progs` | compiled QuakeC                                                   |
//! | `file`      | a file that is being examined, and its facts                        |
//! | `found`     | examines a file; its facts as a result, also in one line            |
//! | `pixels`    | a decoded picture and its palette                                   |
//! | `decode`    | decodes the pictures in a file                                      |
//! | `colouring` | the colours and smaller sizes of a picture in a game's format       |
//! | `encode`    | encodes a picture as a file                                         |
//! | `fields`    | what a picture's file holds beside its pixels                       |
//! | `png`       | a picture as a PNG file, written and read                           |
//! | `quake`     | Quake's palette                                                     |
//! | `quantize`  | the nearest colours of a palette, and a palette for a picture       |
//! | `colours`   | palettes in files                                                   |
//! | `entities`  | the text of a map's entities                                        |
//! | `asked`     | the files that a map needs                                          |
//! | `drawing`   | a map from above, as SVG (but of Quake III)                         |
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
//! Pictures are decoded into [`Pixels`], or with [`Rgba::decode`] into four bytes per pixel. PNG and JPEG are not
//! decoded: every program that shows pictures can show these.
//!
//! ```
//! use daisho::media::{Data, DecodeOptions, Picture, Rgba};
//! // A picture of Quake's menus: width, height, and colour numbers.
//! let lump = b"\x02\0\0\0\x01\0\0\0\x07\xFF";
//! let picture = Picture::decode("gfx/two.lmp".into(), lump, &DecodeOptions::default())?;
//! let Data::Indexed { indices, palette: None, transparent: Some(255) } = &picture.frames[0].pixels.data else { panic!() };
//! assert_eq!(indices, &[7, 255]);
//! // Quake's palette is built in.
//! let rgba = Rgba::decode("gfx/two.lmp".into(), lump, None)?;
//! assert_eq!((rgba.width, rgba.height), (2, 1));
//! assert_eq!(rgba.pixels, [107, 107, 107, 255, 159, 91, 83, 0]);
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
mod colouring;
mod colours;
mod decode;
pub mod drawing;
mod encode;
pub mod entities;
mod fields;
mod file;
mod found;
mod look;
mod mips;
mod pixels;
#[cfg(feature = "ops")]
mod png;
mod quake;
mod quantize;
mod types;

pub use crate::archive::bytes::Short;
pub use colouring::{EncodeRemark, LostColour, TargetPalette};
pub use decode::{Picture, Rgba};
pub use encode::{EncodeOptions, EncodedPicture};
pub use fields::PictureFields;
pub(crate) use file::START;
pub use file::{Depth, Fact, Value};
pub use found::{FileFacts, facts};
pub(crate) use look::{
    is_in_hexen2, is_worth_a_look, look_at_all, look_at_start, map_limit, whole,
};
pub use pixels::{Data, DecodeOptions, Frame, Palette, PictureError, Pixels};
#[cfg(feature = "ops")]
pub use png::{png, png_with_fields, read_png};
pub use quantize::Quantizer;
pub use types::{FileType, Kind, MapError};

#[cfg(test)]
mod tests;
