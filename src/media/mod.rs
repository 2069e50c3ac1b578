//! The content of a game's files: facts from their headers, and decoded pictures. Pure functions of bytes.
//!
//! Nothing here uses a file system or knows an engine. A file is read from a [`ReadAt`]: its beginning, and
//! the few parts that a fact needs. A claimed size never causes an allocation, and no input causes a panic.
//!
//! A file type is a row in this file and a module. The module recognises the type, finds its facts, and
//! decodes it if it is a picture. These modules do not know the table.
//!
//! | file       | job                                                                  |
//! |------------|----------------------------------------------------------------------|
//! | `bsp`      | maps: BSP 29 and 30, BSP2, IBSP 38, 41 and 46                        |
//! | `wal`      | WAL of Quake II and Daikatana, M8, M32, SWL                          |
//! | `miptex`   | textures of WADs, and those inside maps of Quake and Half-Life       |
//! | `pcx`, `tga`, `bmp`, `lmp`, `png_jpeg` | pictures                                 |
//! | `sprite`, `model` | SPR, SP2; MDL, MD2, MD3, DKM                                  |
//! | `wav`, `mp3`, `ogg` | sounds                                                      |
//! | `progs`    | compiled QuakeC                                                      |
//! | `file`, `facts` | a file while it is examined, and its facts                      |
//! | `pixels`, `palette` | a decoded picture and its colours                           |
//! | `summary`  | the facts in one line                                                |
//! | `colours`  | palettes in files, and where a game keeps its palettes               |
//! | `entities` | the text of a map's entities                                         |
//! | `asked`    | the files that a map needs                                           |
//! | `drawing`  | a map from above, as SVG                                             |
//! | `kind`     | the kind of a file, by its name                                      |
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

// Nothing that input could make panic, and no exception without its reason.
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
// Tests may add without care.
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

pub mod asked;
mod bmp;
mod bsp;
pub mod colours;
pub mod drawing;
pub mod entities;
mod facts;
mod file;
mod kind;
mod lmp;
mod miptex;
mod model;
mod mp3;
mod ogg;
mod palette;
mod pcx;
mod picture_error;
mod pixels;
#[cfg(any(feature = "ops", feature = "web"))]
mod png;
mod png_jpeg;
mod progs;
mod sprite;
mod summary;
mod tga;
mod wal;
mod wav;

use core::fmt;
use std::io;

pub use bsp::{Lump, MapError};
pub use facts::{Depth, Fact, Value};
pub use file::START;
pub use kind::Kind;
pub use palette::Palette;
pub use picture_error::PictureError;
pub use pixels::{Data, DecodeOptions, Frame, Pixels};
#[cfg(any(feature = "ops", feature = "web"))]
pub use png::png;
pub use sprite::{NamedFrame, named_frames};

use crate::archive::bytes::Cursor;
use crate::archive::{RawName, ReadAt};
use facts::FactList;
use file::{File, Mismatch};
use pixels::{Decoding, Frames};

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FileType {
    /// A map of Quake.
    Bsp29,
    /// A map of Half-Life.
    Bsp30,
    /// A map of Quake with wider numbers.
    Bsp2,
    /// The first version of BSP2, in which fewer numbers are wide.
    Bsp2Psb,
    /// A map of Quake II.
    Ibsp38,
    /// A map of Quake II with wider numbers.
    Qbsp38,
    /// A map of Daikatana.
    Ibsp41,
    /// A map of Quake III Arena.
    Ibsp46,
    /// A map of Return to Castle Wolfenstein or Quake Live.
    Ibsp47,
    /// A texture of Quake II.
    Wal,
    /// A texture of Daikatana, version 3.
    Wal3,
    /// A texture of Heretic II with its own palette.
    M8,
    /// A texture of Heretic II or Soldier of Fortune in true colour.
    M32,
    /// A texture of SiN.
    Swl,
    /// A texture of Quake or Half-Life in a WAD.
    Mip,
    /// A sprite of Quake.
    Spr,
    /// A sprite of Half-Life.
    HalfLifeSpr,
    /// A ZSoft PCX picture.
    Pcx,
    /// A Truevision TGA picture.
    Tga,
    /// A Windows bitmap.
    Bmp,
    /// A picture of Quake's menus.
    Lmp,
    /// A palette in a WAD.
    Pal,
    /// A PNG picture.
    Png,
    /// A JPEG picture.
    Jpeg,
    /// A model of Quake.
    Mdl,
    /// A model of Half-Life.
    HalfLifeMdl,
    /// A model of Quake II.
    Md2,
    /// A model of Quake III Arena.
    Md3,
    /// A model of Daikatana.
    Dkm,
    /// A sprite of Quake II.
    Sp2,
    /// A sound: RIFF/WAVE.
    Wav,
    /// A sound: MPEG audio, layer III.
    Mp3,
    /// A sound: Ogg with any codec.
    Ogg,
    /// Compiled QuakeC.
    Progs,
    /// A font of Half-Life in a WAD.
    Font,
    /// A demo of Quake.
    Dem,
    /// A demo of QuakeWorld, as a player saw it.
    Qwd,
    /// A demo of QuakeWorld, as the server saw it.
    Mvd,
    /// A demo of Quake II.
    Dm2,
    /// A video of Quake II.
    Cin,
}

/// Examines a file and adds its facts, if its header fits the row's type.
type Look = fn(&File<'_>, &mut FactList) -> Result<(), Mismatch>;

/// How files of a type begin.
#[derive(Clone, Copy)]
enum Magic {
    /// With these bytes, which only this type has.
    Always(&'static [u8]),
    /// With these bytes, but other types may have them. The extension must fit, too.
    Often(&'static [u8]),
    /// With anything. The extension must fit.
    Never,
}

/// Whether files of a type can be decoded.
#[derive(Clone, Copy)]
enum PictureDecoder {
    No,
    /// Yes, if their header is valid.
    Known(fn(&mut Decoding<'_>) -> Frames),
    /// Also if only the extension and these first bytes fit, so that the decoder says what is wrong.
    Named(&'static [u8], fn(&mut Decoding<'_>) -> Frames),
}

/// The properties of a type.
struct TypeRow {
    file_type: FileType,
    kind: Kind,
    word: &'static str,
    /// Its name in a list.
    name: &'static str,
    /// The type with an article: `a Daikatana level`.
    described: &'static str,
    extensions: &'static [&'static str],
    magic: Magic,
    look: Look,
    decoder: PictureDecoder,
}

#[expect(clippy::too_many_arguments, reason = "the columns of a table")]
const fn row(
    file_type: FileType,
    kind: Kind,
    word: &'static str,
    name: &'static str,
    described: &'static str,
    extensions: &'static [&'static str],
    magic: Magic,
    look: Look,
    decoder: PictureDecoder,
) -> TypeRow {
    TypeRow {
        file_type,
        kind,
        word,
        name,
        described,
        extensions,
        magic,
        look,
        decoder,
    }
}

#[rustfmt::skip]
const ROWS: [TypeRow; 40] = {
    use PictureDecoder::{Known, Named, No};
    use Kind::{Code, Map, Model, Other, Picture, Sound};
    use FileType as T;
    use Magic::{Always, Never, Often};
    use bsp::Version as V;
    [
        row(T::Bsp29, Map, "bsp29", "BSP 29 (Quake)", "a Quake level", &["bsp"], Always(V::Bsp29.magic()), bsp::look, Known(bsp::decode)),
        row(T::Bsp30, Map, "bsp30", "BSP 30 (Half-Life)", "a Half-Life level", &["bsp"], Always(V::Bsp30.magic()), bsp::look, Known(bsp::decode_half_life)),
        row(T::Bsp2, Map, "bsp2", "BSP2 (Quake, larger)", "a Quake level of more than the old limits (BSP2)", &["bsp"], Always(V::Bsp2.magic()), bsp::look, Known(bsp::decode)),
        row(T::Bsp2Psb, Map, "2psb", "2PSB (Quake, larger)", "a Quake level of more than the old limits (2PSB)", &["bsp"], Always(V::Bsp2Psb.magic()), bsp::look, Known(bsp::decode)),
        row(T::Ibsp38, Map, "ibsp38", "IBSP 38 (Quake II)", "a Quake II level", &["bsp"], Always(V::Ibsp38.magic()), bsp::look, No),
        row(T::Qbsp38, Map, "qbsp38", "QBSP 38 (Quake II, larger)", "a Quake II level of more than the old limits (QBSP)", &["bsp"], Always(V::Qbsp38.magic()), bsp::look, No),
        row(T::Ibsp41, Map, "ibsp41", "IBSP 41 (Daikatana)", "a Daikatana level", &["bsp"], Always(V::Ibsp41.magic()), bsp::look, No),
        row(T::Ibsp46, Map, "ibsp46", "IBSP 46 (Quake III)", "a Quake III level", &["bsp"], Always(V::Ibsp46.magic()), bsp::look, No),
        row(T::Ibsp47, Map, "ibsp47", "IBSP 47 (Wolfenstein, Quake Live)", "a level of Return to Castle Wolfenstein or Quake Live", &["bsp"], Always(V::Ibsp47.magic()), bsp::look, No),
        row(T::Wal, Picture, "wal", "WAL (Quake II)", "a Quake II texture", &["wal"], Never, wal::wal, Named(b"", wal::decode_wal)),
        row(T::Wal3, Picture, "wal3", "WAL 3 (Daikatana)", "a Daikatana texture", &["wal"], Never, wal::wal3, Named(b"\x03", wal::decode_wal3)),
        row(T::M8, Picture, "m8", "M8 (Heretic II)", "a Heretic II texture", &["m8"], Never, wal::m8, Named(b"\x02\0\0\0", wal::decode_m8)),
        row(T::M32, Picture, "m32", "M32 (Heretic II)", "a Heretic II texture in true colour", &["m32"], Never, wal::m32, Named(b"\x04\0\0\0", wal::decode_m32)),
        row(T::Swl, Picture, "swl", "SWL (SiN)", "a SiN texture", &["swl"], Never, wal::swl, Named(b"", wal::decode_swl)),
        row(T::Mip, Picture, "mip", "Miptex (WAD)", "a texture of a WAD", &["mip"], Never, miptex::look, Named(b"", miptex::decode)),
        row(T::Spr, Picture, "spr", "SPR (Quake)", "a Quake sprite", &["spr"], Always(b"IDSP\x01\0\0\0"), sprite::spr, Known(sprite::decode_spr)),
        row(T::HalfLifeSpr, Picture, "hlspr", "Half-Life SPR", "a Half-Life sprite", &["spr"], Always(b"IDSP\x02\0\0\0"), sprite::half_life_spr, Known(sprite::decode_half_life_spr)),
        row(T::Pcx, Picture, "pcx", "PCX", "a PCX picture", &["pcx"], Often(b"\x0A\x05\x01\x08"), pcx::look, Named(b"\x0A", pcx::decode)),
        row(T::Tga, Picture, "tga", "TGA", "a TGA picture", &["tga"], Never, tga::look, Named(b"", tga::decode)),
        row(T::Bmp, Picture, "bmp", "BMP", "a BMP picture", &["bmp"], Never, bmp::look, Named(b"BM", bmp::decode)),
        row(T::Lmp, Picture, "lmp", "LMP (Quake)", "a picture of Quake's menus", &["lmp"], Never, lmp::look, Named(b"", lmp::decode)),
        row(T::Pal, Picture, "pal", "Palette (WAD)", "a palette", &["pal"], Never, lmp::pal, Known(lmp::decode)),
        row(T::Png, Picture, "png", "PNG", "a PNG picture", &["png"], Always(b"\x89PNG\r\n\x1A\n"), png_jpeg::png, No),
        row(T::Jpeg, Picture, "jpeg", "JPEG", "a JPEG picture", &["jpg", "jpeg"], Always(b"\xFF\xD8\xFF"), png_jpeg::jpeg, No),
        row(T::Mdl, Model, "mdl", "MDL (Quake)", "a Quake model", &["mdl"], Always(b"IDPO"), model::mdl, No),
        row(T::HalfLifeMdl, Model, "hlmdl", "Half-Life MDL", "a Half-Life model", &["mdl"], Always(b"IDST"), model::half_life_mdl, No),
        row(T::Md2, Model, "md2", "MD2 (Quake II)", "a Quake II model", &["md2"], Always(b"IDP2"), model::md2, No),
        row(T::Md3, Model, "md3", "MD3 (Quake III)", "a Quake III model", &["md3"], Always(b"IDP3"), model::md3, No),
        row(T::Dkm, Model, "dkm", "DKM (Daikatana)", "a Daikatana model", &["dkm"], Always(b"DKMD"), model::dkm, No),
        row(T::Sp2, Model, "sp2", "SP2 (Quake II)", "a Quake II sprite", &["sp2"], Always(b"IDS2\x02\0\0\0"), sprite::sp2, No),
        row(T::Wav, Sound, "wav", "WAV", "a RIFF file, as sounds are", &["wav"], Always(b"RIFF"), wav::look, No),
        row(T::Mp3, Sound, "mp3", "MP3", "an MP3 sound", &["mp3"], Often(b"ID3"), mp3::look, No),
        row(T::Ogg, Sound, "ogg", "Ogg", "an Ogg sound", &["ogg", "opus"], Always(b"OggS"), ogg::look, No),
        row(T::Progs, Code, "progs", "QuakeC", "compiled QuakeC", &["dat"], Never, progs::look, No),
        row(T::Font, Other, "font", "Font (Half-Life)", "a Half-Life font", &["fnt"], Never, lmp::font, No),
        row(T::Dem, Other, "dem", "DEM (Quake)", "a Quake demo", &["dem"], Never, by_name, No),
        row(T::Qwd, Other, "qwd", "QWD (QuakeWorld)", "a QuakeWorld demo", &["qwd"], Never, by_name, No),
        row(T::Mvd, Other, "mvd", "MVD (QuakeWorld)", "a QuakeWorld demo of the server's", &["mvd"], Never, by_name, No),
        row(T::Dm2, Other, "dm2", "DM2 (Quake II)", "a Quake II demo", &["dm2"], Never, by_name, No),
        row(T::Cin, Other, "cin", "CIN (Quake II)", "a Quake II video", &["cin"], Never, by_name, No),
    ]
};

/// A demo or a video is known by its name alone. Nothing of it is read.
fn by_name(_: &File<'_>, _: &mut FactList) -> Result<(), Mismatch> {
    Ok(())
}

impl TypeRow {
    fn has_extension(&self, extension: &[u8]) -> bool {
        let mut extensions = self.extensions.iter();
        extensions.any(|it| it.as_bytes().eq_ignore_ascii_case(extension))
    }
}

impl FileType {
    /// All types, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.file_type)
    }

    /// The type of a file by its first bytes, if they are enough to tell.
    ///
    /// ```
    /// use daisho::media::FileType;
    /// assert_eq!(FileType::by_magic(b"IBSP\x29\0\0\0"), Some(FileType::Ibsp41));
    /// assert_eq!(FileType::by_magic(b"plain text"), None);
    /// ```
    #[must_use]
    pub fn by_magic(start: &[u8]) -> Option<Self> {
        for row in &ROWS {
            if let Magic::Always(magic) | Magic::Often(magic) = row.magic
                && start.starts_with(magic)
            {
                return Some(row.file_type);
            }
        }
        None
    }

    /// The types with this extension, compared without ASCII case.
    pub fn by_extension(extension: &[u8]) -> impl Iterator<Item = Self> {
        let rows = ROWS.iter().filter(move |row| row.has_extension(extension));
        rows.map(|row| row.file_type)
    }

    fn row(self) -> &'static TypeRow {
        // A test ensures that there is one row for each type, in order.
        ROWS.get(self as usize).unwrap_or(&ROWS[0])
    }

    /// The kind of file that it is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// Whether games use it for the surfaces of maps and for nothing else.
    #[must_use]
    pub const fn is_texture(self) -> bool {
        matches!(
            self,
            Self::Wal | Self::Wal3 | Self::M8 | Self::M32 | Self::Swl | Self::Mip
        )
    }

    /// Whether it is one picture in a file of its own, which can be a texture or replace one.
    #[must_use]
    pub fn is_picture_file(self) -> bool {
        let is_other_use = matches!(self, Self::Lmp | Self::Spr | Self::HalfLifeSpr);
        self.kind() == Kind::Picture && !self.is_lump() && !is_other_use
    }

    /// Whether it is a type of lump. Engines read it from a WAD only, where its number gives the extension.
    #[must_use]
    pub const fn is_lump(self) -> bool {
        matches!(self, Self::Mip | Self::Pal | Self::Font)
    }

    /// Whether files of other programs have its extensions. Then a file that is not of this type may still
    /// be intact and correctly named.
    #[must_use]
    pub fn shares_extensions(self) -> bool {
        self.is_lump() || matches!(self.kind(), Kind::Code | Kind::Other)
    }

    /// A stable lower-case word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().word
    }

    /// The name of the format without the game: `IBSP 41`.
    #[must_use]
    pub fn short(self) -> &'static str {
        let name = self.row().name;
        name.split_once(" (").map_or(name, |(short, _)| short)
    }

    /// The type with an article: `a Daikatana level`.
    #[must_use]
    pub fn described(self) -> &'static str {
        self.row().described
    }

    /// Its extensions, without the dot.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }
}

/// The name of the format with the game: `IBSP 41 (Daikatana)`.
impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.row().name)
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

impl Kind {
    /// The kind that a name's extension implies, compared without ASCII case.
    ///
    /// ```
    /// use daisho::archive::RawName;
    /// use daisho::media::Kind;
    /// assert_eq!(Kind::of(RawName::from("maps/E1M1.BSP")), Kind::Map);
    /// assert_eq!(Kind::of(RawName::from("readme")), Kind::Other);
    /// ```
    #[must_use]
    pub fn of(name: RawName<'_>) -> Self {
        let extension = name.extension().unwrap_or_default();
        if let Some(kind) = Self::by_extension(extension) {
            return kind;
        }
        let file_type = FileType::by_extension(extension).next();
        file_type.map_or(Self::Other, FileType::kind)
    }
}

/// Whether a file of this name can be of a known type.
pub(crate) fn is_worth_a_look(name: RawName<'_>) -> bool {
    name.extension()
        .is_some_and(|extension| FileType::by_extension(extension).next().is_some())
}

/// Examines a file as deep as `depth` says: its first bytes, and its name if they do not tell its type.
///
/// # Errors
/// If the file cannot be read.
pub fn facts(name: RawName<'_>, source: &impl ReadAt, depth: Depth) -> io::Result<Found> {
    let mut start = [0; START];
    let read = source.read_full_at(&mut start, 0)?;
    let start = start.get(..read).unwrap_or_default();
    let file = File {
        name,
        start: Cursor::new(start),
        len: source.size()?,
        depth,
        source,
    };
    let extension = name.extension().unwrap_or_default();
    let named: Vec<FileType> = FileType::by_extension(extension).collect();
    let mut candidates: Vec<FileType> = FileType::by_magic(start).into_iter().collect();
    if candidates.is_empty() {
        // The name's type holds if the numbers agree. A BMP needs no name: its header is hard to mistake.
        let may_be = |it: &FileType| !matches!(it.row().magic, Magic::Always(_));
        candidates.extend(named.iter().copied().filter(may_be));
        candidates.push(FileType::Bmp);
    }
    for file_type in candidates {
        let mut all = FactList::default();
        match (file_type.row().look)(&file, &mut all) {
            Ok(()) => {
                return Ok(Found {
                    named,
                    file_type: Some(file_type),
                    facts: all.facts,
                    notes: all.notes,
                });
            }
            Err(Mismatch::Header) => {}
            Err(Mismatch::Io(error)) => return Err(error),
        }
    }
    Ok(Found {
        named,
        file_type: None,
        facts: Vec::new(),
        notes: Vec::new(),
    })
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
    types.any(|it| !matches!(it.row().decoder, PictureDecoder::No))
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
    let mut job = Decoding::new(name, bytes, *options);
    let frames = match (file_type.row().decoder, file_type) {
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
    for row in ROWS.iter().filter(|row| row.has_extension(extension)) {
        if let PictureDecoder::Named(begin, _) = row.decoder
            && bytes.starts_with(begin)
        {
            longest = longest.max(Some((begin.len(), row.file_type)));
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
