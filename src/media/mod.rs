//! What files of a game are: facts from their headers, and their pixels. Pure: bytes in, facts or pixels out.
//!
//! Nothing here knows a file system, an archive's format or an engine. A file is a [`Source`], of which
//! only the header is read and the few parts that a fact needs; nothing is allocated because a number
//! claims it, and no bytes make it panic.
//!
//! | file       | job                                                                  |
//! |------------|----------------------------------------------------------------------|
//! | `source`   | what a file is read from, and numbers out of it                      |
//! | `map`      | levels: BSP 29 and 30, BSP2, IBSP 38, 41 and 46; their parts         |
//! | `texture`  | WAL of Quake II and Daikatana, M8, M32, SWL, miptex                  |
//! | `model`    | MDL, MD2, MD3, DKM; sprites: SPR, SP2                                |
//! | `sound`    | WAV, MP3, Ogg                                                        |
//! | `picture`  | PNG, JPEG; what the header of a picture says                         |
//! | `program`  | progs.dat: compiled QuakeC                                           |
//! | `entities` | the text in a map that says what stands in it                        |
//! | `details`  | more facts than the header's, as a list                              |
//! | `drawing`  | a map from above, as SVG                                             |
//! | `asked`    | the files that a map asks for                                        |
//! | `shader`   | the names that a Quake III shader script defines                     |
//! | `pixels`   | PCX, TGA, BMP, LMP; pictures decoded                                 |
//! | `palette`  | palettes, and where a game keeps them                                |
//! | `input`    | what is decoded, read with errors that name the place                |
//!
//! ```
//! use daisho::media::{Facts, FileType, look};
//!
//! let mut header = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0".to_vec();
//! header.extend(b"data\0\0\0\0");
//! let found = look("sound/hit.wav".into(), &mut &header[..]).unwrap();
//! assert_eq!(found.file_type(), Some(FileType::Wav));
//! // What its name says is one thing, what it is another.
//! let found = look("pics/hit.tga".into(), &mut &header[..]).unwrap();
//! assert!(found.is_contrary());
//! let Some(Facts::Sound(sound)) = found.facts else { panic!() };
//! assert_eq!((sound.rate, sound.channels, sound.bits), (Some(11_025), Some(1), Some(8)));
//! ```

// Nothing that a stranger's bytes could make panic, and no exception without its reason.
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
// Tests may add up what they please.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

pub mod asked;
pub mod details;
pub mod drawing;
pub mod entities;
mod file_type;
mod input;
mod kind;
pub mod map;
mod model;
pub mod palette;
mod picture;
mod picture_error;
pub mod pixels;
mod program;
pub mod shader;
mod sound;
mod source;
mod texture;

use std::io;

pub use file_type::{Family, FileType};
pub use kind::Kind;
pub use model::Model;
pub use picture::{Lump, Picture};
pub use picture_error::PictureError;
pub use program::Program;
pub use sound::Sound;
pub use source::{START, Source};
pub use texture::{MipTexture, Texture};

use crate::archive::RawName;
use map::Map;
use pixels::{bmp, lump, pcx, tga};

/// What a file's header says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Facts {
    /// It is a level.
    Map(Map),
    /// It is a texture of a game's own format.
    Texture(Texture),
    /// It is a model or a sprite.
    Model(Model),
    /// It is a sound.
    Sound(Sound),
    /// It is a picture.
    Picture(Picture),
    /// It is compiled game code.
    Program(Program),
    /// It is a demo or a video, as its name says: nothing of it is read.
    Named(FileType),
}

impl Facts {
    /// The file's type.
    #[must_use]
    pub const fn file_type(&self) -> FileType {
        match self {
            Self::Map(map) => map.file_type,
            Self::Texture(texture) => texture.file_type,
            Self::Model(model) => model.file_type,
            Self::Sound(sound) => sound.file_type,
            Self::Picture(picture) => picture.file_type,
            Self::Program(_) => FileType::Progs,
            Self::Named(file_type) => *file_type,
        }
    }
}

/// What was found of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The types that files have whose names end so; none where the extension says nothing.
    pub named: Vec<FileType>,
    /// What its header says; none where it is of no type that is known.
    pub facts: Option<Facts>,
}

impl Found {
    /// The type that it is.
    #[must_use]
    pub fn file_type(&self) -> Option<FileType> {
        self.facts.as_ref().map(Facts::file_type)
    }

    /// Whether it is something else than its name says, or nothing that is known. An extension that other
    /// programs have as well says nothing of a file that is of no type that is known.
    #[must_use]
    pub fn is_contrary(&self) -> bool {
        match self.file_type() {
            Some(found) => !self.named.is_empty() && !self.named.contains(&found),
            None => self.named.iter().any(|named| !named.shares_extensions()),
        }
    }
}

/// Whether a file of this name can be of a type that is known, so that looking at it is worth it.
#[must_use]
pub fn is_worth_a_look(name: RawName<'_>) -> bool {
    name.extension()
        .is_some_and(|extension| FileType::by_extension(extension).next().is_some())
}

/// Looks at a file: at how it begins, and at its name where its beginning does not tell. For a map of
/// Daikatana some of its leafs are read, too.
///
/// # Errors
/// If the file cannot be read.
pub fn look(name: RawName<'_>, source: &mut (impl Source + ?Sized)) -> io::Result<Found> {
    let extension = name.extension().unwrap_or_default();
    let named: Vec<FileType> = FileType::by_extension(extension).collect();
    let mut start = [0; START];
    let len = source.read_at(0, &mut start)?;
    let start = start.get(..len).unwrap_or_default();
    let size = source.size();
    let facts = match FileType::by_magic(start) {
        Some(FileType::Jpeg) => Some(Facts::Picture(picture::jpeg(source)?)),
        Some(file_type) => match Map::of(file_type, start) {
            Some(map) => Some(Facts::Map(map.with_leafs(source)?)),
            None => of_magic(file_type, start),
        },
        None => of_names(name, &named, start, size)
            .or_else(|| bmp::facts(start, size).map(Facts::Picture)),
    };
    Ok(Found { named, facts })
}

/// The facts of a file whose magic says what it is, and whose header agrees.
fn of_magic(file_type: FileType, start: &[u8]) -> Option<Facts> {
    let model = || Model::of(file_type, start).map(Facts::Model);
    let sound = || Sound::of(file_type, start).map(Facts::Sound);
    let picture = || match file_type {
        FileType::Pcx => pcx::facts(start).map(Facts::Picture),
        FileType::Png => picture::png(start).map(Facts::Picture),
        _ => None,
    };
    model().or_else(sound).or_else(picture)
}

/// The facts of a file without a magic, which is what its name says as far as its numbers agree.
fn of_names(name: RawName<'_>, named: &[FileType], start: &[u8], size: u64) -> Option<Facts> {
    named.iter().find_map(|file_type| match file_type {
        FileType::Mp3 => sound::mp3(start).map(Facts::Sound),
        FileType::Pcx => pcx::facts_of_1_bit(start).map(Facts::Picture),
        FileType::Tga => tga::facts(start, size).map(Facts::Picture),
        FileType::Lmp => lump::facts(name, start, size).map(Facts::Picture),
        FileType::Pal => lump::palette_facts(size).map(Facts::Picture),
        FileType::Font => lump::font_facts(start, size).map(Facts::Picture),
        FileType::Progs => Program::of(start, size).map(Facts::Program),
        FileType::Dem | FileType::Qwd | FileType::Mvd | FileType::Dm2 | FileType::Cin => {
            Some(Facts::Named(*file_type))
        }
        _ => Texture::of(*file_type, start, size).map(Facts::Texture),
    })
}

#[cfg(test)]
mod tests;
