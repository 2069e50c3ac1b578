//! The types of files, a row for each, and the seven kinds that they belong to.

pub(super) mod bmp;
pub(super) mod bsp;
mod lmp;
mod model;
pub(super) mod pcx;
mod png_jpeg;
mod progs;
mod sound;
pub(super) mod sprite;
pub(super) mod texture;
mod tga;

use core::fmt;

pub use bsp::MapError;
pub(crate) use sprite::named_frames;

use super::file::{FactList, File, Mismatch};
use super::pixels::{Decoding, Frames};
use crate::archive::{RawName, is_extension_of};

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

/// How files of a type begin.
#[derive(Clone, Copy)]
pub(super) enum Magic {
    /// With these bytes, which only this type has.
    Always(&'static [u8]),
    /// With these bytes, but other types may have them. The extension must fit, too.
    Often(&'static [u8]),
    /// With anything: the extension must fit.
    ByName,
}

/// Examines a file and adds its facts, if its header fits the type.
type Look = fn(&File<'_>, &mut FactList) -> Result<(), Mismatch>;

/// Whether files of a type can be decoded.
#[derive(Clone, Copy)]
pub(super) enum PictureDecoder {
    No,
    /// Yes, if their header is valid.
    IfValid(fn(&mut Decoding<'_>) -> Frames),
    /// Yes, even if only the extension and these first bytes fit. Then the decoder's error describes the damage.
    EvenDamaged(&'static [u8], fn(&mut Decoding<'_>) -> Frames),
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

/// Every type, in the order of [`FileType`].
#[rustfmt::skip]
const ROWS: [TypeRow; 40] = {
    use Kind::{Code, Map, Model, Other, Picture, Sound};
    use FileType as T;
    use Magic::{Always, ByName, Often};
    use PictureDecoder::{EvenDamaged, IfValid, No};
    // A demo or a video is known by its name. Nothing of it is read.
    const UNREAD: Look = |_, _| Ok(());
    [
        row(T::Bsp29, Map, "bsp29", "BSP 29 (Quake)", "a Quake level", &["bsp"], Always(b"\x1D\0\0\0"), bsp::look, IfValid(bsp::decode)),
        row(T::Bsp30, Map, "bsp30", "BSP 30 (Half-Life)", "a Half-Life level", &["bsp"], Always(b"\x1E\0\0\0"), bsp::look, IfValid(bsp::decode)),
        row(T::Bsp2, Map, "bsp2", "BSP2 (Quake, larger)", "a Quake level of more than the old limits (BSP2)", &["bsp"], Always(b"BSP2"), bsp::look, IfValid(bsp::decode)),
        row(T::Bsp2Psb, Map, "2psb", "2PSB (Quake, larger)", "a Quake level of more than the old limits (2PSB)", &["bsp"], Always(b"2PSB"), bsp::look, IfValid(bsp::decode)),
        row(T::Ibsp38, Map, "ibsp38", "IBSP 38 (Quake II)", "a Quake II level", &["bsp"], Always(b"IBSP\x26\0\0\0"), bsp::look, No),
        row(T::Qbsp38, Map, "qbsp38", "QBSP 38 (Quake II, larger)", "a Quake II level of more than the old limits (QBSP)", &["bsp"], Always(b"QBSP\x26\0\0\0"), bsp::look, No),
        row(T::Ibsp41, Map, "ibsp41", "IBSP 41 (Daikatana)", "a Daikatana level", &["bsp"], Always(b"IBSP\x29\0\0\0"), bsp::look, No),
        row(T::Ibsp46, Map, "ibsp46", "IBSP 46 (Quake III)", "a Quake III level", &["bsp"], Always(b"IBSP\x2E\0\0\0"), bsp::look, No),
        row(T::Ibsp47, Map, "ibsp47", "IBSP 47 (Wolfenstein, Quake Live)", "a level of Return to Castle Wolfenstein or Quake Live", &["bsp"], Always(b"IBSP\x2F\0\0\0"), bsp::look, No),
        row(T::Wal, Picture, "wal", "WAL (Quake II)", "a Quake II texture", &["wal"], ByName, texture::wal, EvenDamaged(b"", |job| texture::WAL.decode(job))),
        row(T::Wal3, Picture, "wal3", "WAL 3 (Daikatana)", "a Daikatana texture", &["wal"], ByName, |file, facts| texture::WAL3.look(file, facts), EvenDamaged(texture::WAL3.begin, |job| texture::WAL3.decode(job))),
        row(T::M8, Picture, "m8", "M8 (Heretic II)", "a Heretic II texture", &["m8"], ByName, |file, facts| texture::M8.look(file, facts), EvenDamaged(texture::M8.begin, |job| texture::M8.decode(job))),
        row(T::M32, Picture, "m32", "M32 (Heretic II)", "a Heretic II texture in true colour", &["m32"], ByName, |file, facts| texture::M32.look(file, facts), EvenDamaged(texture::M32.begin, |job| texture::M32.decode(job))),
        row(T::Swl, Picture, "swl", "SWL (SiN)", "a SiN texture", &["swl"], ByName, |file, facts| texture::SWL.look(file, facts), EvenDamaged(b"", |job| texture::SWL.decode(job))),
        row(T::Mip, Picture, "mip", "Miptex (WAD)", "a texture of a WAD", &["mip"], ByName, |file, facts| texture::MIPTEX.look(file, facts), EvenDamaged(b"", texture::decode_lump)),
        row(T::Spr, Picture, "spr", "SPR (Quake)", "a Quake sprite", &["spr"], Always(b"IDSP\x01\0\0\0"), sprite::spr, IfValid(sprite::decode)),
        row(T::HalfLifeSpr, Picture, "hlspr", "Half-Life SPR", "a Half-Life sprite", &["spr"], Always(b"IDSP\x02\0\0\0"), sprite::spr, IfValid(sprite::decode)),
        row(T::Pcx, Picture, "pcx", "PCX", "a PCX picture", &["pcx"], Often(b"\x0A\x05\x01\x08"), pcx::look, EvenDamaged(b"\x0A", pcx::decode)),
        row(T::Tga, Picture, "tga", "TGA", "a TGA picture", &["tga"], ByName, tga::look, EvenDamaged(b"", tga::decode)),
        row(T::Bmp, Picture, "bmp", "BMP", "a BMP picture", &["bmp"], ByName, bmp::look, EvenDamaged(b"BM", bmp::decode)),
        row(T::Lmp, Picture, "lmp", "LMP (Quake)", "a picture of Quake's menus", &["lmp"], ByName, lmp::look, EvenDamaged(b"", lmp::decode)),
        row(T::Pal, Picture, "pal", "Palette (WAD)", "a palette", &["pal"], ByName, lmp::pal, IfValid(lmp::decode)),
        row(T::Png, Picture, "png", "PNG", "a PNG picture", &["png"], Always(b"\x89PNG\r\n\x1A\n"), png_jpeg::png, No),
        row(T::Jpeg, Picture, "jpeg", "JPEG", "a JPEG picture", &["jpg", "jpeg"], Always(b"\xFF\xD8\xFF"), png_jpeg::jpeg, No),
        row(T::Mdl, Model, "mdl", "MDL (Quake)", "a Quake model", &["mdl"], Always(b"IDPO"), model::look, No),
        row(T::HalfLifeMdl, Model, "hlmdl", "Half-Life MDL", "a Half-Life model", &["mdl"], Always(b"IDST"), model::look, No),
        row(T::Md2, Model, "md2", "MD2 (Quake II)", "a Quake II model", &["md2"], Always(b"IDP2"), model::look, No),
        row(T::Md3, Model, "md3", "MD3 (Quake III)", "a Quake III model", &["md3"], Always(b"IDP3"), model::look, No),
        row(T::Dkm, Model, "dkm", "DKM (Daikatana)", "a Daikatana model", &["dkm"], Always(b"DKMD"), model::look, No),
        row(T::Sp2, Model, "sp2", "SP2 (Quake II)", "a Quake II sprite", &["sp2"], Always(b"IDS2\x02\0\0\0"), sprite::sp2, No),
        row(T::Wav, Sound, "wav", "WAV", "a RIFF file, as sounds are", &["wav"], Always(b"RIFF"), sound::wav, No),
        row(T::Mp3, Sound, "mp3", "MP3", "an MP3 sound", &["mp3"], Often(b"ID3"), sound::mp3, No),
        row(T::Ogg, Sound, "ogg", "Ogg", "an Ogg sound", &["ogg", "opus"], Always(b"OggS"), sound::ogg, No),
        row(T::Progs, Code, "progs", "QuakeC", "compiled QuakeC", &["dat"], ByName, progs::look, No),
        row(T::Font, Other, "font", "Font (Half-Life)", "a Half-Life font", &["fnt"], ByName, lmp::font, No),
        row(T::Dem, Other, "dem", "DEM (Quake)", "a Quake demo", &["dem"], ByName, UNREAD, No),
        row(T::Qwd, Other, "qwd", "QWD (QuakeWorld)", "a QuakeWorld demo", &["qwd"], ByName, UNREAD, No),
        row(T::Mvd, Other, "mvd", "MVD (QuakeWorld)", "a QuakeWorld demo of the server's", &["mvd"], ByName, UNREAD, No),
        row(T::Dm2, Other, "dm2", "DM2 (Quake II)", "a Quake II demo", &["dm2"], ByName, UNREAD, No),
        row(T::Cin, Other, "cin", "CIN (Quake II)", "a Quake II video", &["cin"], ByName, UNREAD, No),
    ]
};

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
        let rows = ROWS
            .iter()
            .filter(move |row| is_extension_of(extension, row.extensions));
        rows.map(|row| row.file_type)
    }

    /// How files of this type begin.
    pub(super) fn magic(self) -> Magic {
        self.row().magic
    }

    /// Examines a file that may be of this type.
    pub(super) fn look(self, file: &File<'_>, facts: &mut FactList) -> Result<(), Mismatch> {
        (self.row().look)(file, facts)
    }

    /// How files of this type are decoded.
    pub(super) fn decoder(self) -> PictureDecoder {
        self.row().decoder
    }

    fn row(self) -> &'static TypeRow {
        // A test ensures that each type has a row, in order.
        ROWS.get(self as usize).unwrap_or(&ROWS[0])
    }

    /// The kind of file that it is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// Whether games use it only for the surfaces of maps.
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

    /// Whether it is a type of lump. Engines read it only from a WAD, and its number there gives the extension.
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

/// What kind of file an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A map.
    Map,
    /// A picture, a texture, or a sprite that consists of pictures.
    Picture,
    /// A model.
    Model,
    /// A sound or music.
    Sound,
    /// Text: settings, scripts, sources of maps.
    Text,
    /// Compiled game code.
    Code,
    /// Any other file: demos, videos, archives, unknown extensions.
    Other,
}

/// Extensions whose files have no [`FileType`], because nothing is read from them.
#[rustfmt::skip]
const EXTENSIONS: [(Kind, &[&str]); 4] = [
    (Kind::Sound, &["flac"]),
    (Kind::Model, &["mdr", "iqm", "md5mesh"]),
    (Kind::Text, &["txt", "cfg", "rc", "lst", "map", "ent", "shader", "mtr", "def", "script", "skin", "qc"]),
    (Kind::Code, &["qvm"]),
];

impl Kind {
    /// All kinds.
    #[rustfmt::skip]
    pub const ALL: [Self; 7] = [Self::Map, Self::Picture, Self::Model, Self::Sound, Self::Text, Self::Code, Self::Other];

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
        for (kind, extensions) in EXTENSIONS {
            if is_extension_of(extension, extensions) {
                return kind;
            }
        }
        let file_type = FileType::by_extension(extension).next();
        file_type.map_or(Self::Other, FileType::kind)
    }

    /// A stable lower-case word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Picture => "picture",
            Self::Model => "model",
            Self::Sound => "sound",
            Self::Text => "text",
            Self::Code => "code",
            Self::Other => "other",
        }
    }

    /// The words for one such file and for several: `map` and `maps`.
    #[must_use]
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Map => ("map", "maps"),
            Self::Picture => ("picture", "pictures"),
            Self::Model => ("model", "models"),
            Self::Sound => ("sound", "sounds"),
            Self::Text => ("text", "texts"),
            Self::Code => ("code file", "code files"),
            Self::Other => ("other file", "other files"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_row_and_words_of_its_own() {
        let mut words = std::collections::BTreeSet::new();
        for (number, row) in ROWS.iter().enumerate() {
            assert_eq!(row.file_type as usize, number, "{}", row.word);
            assert_eq!(row.file_type.as_str(), row.word);
            assert!(words.insert(row.word) && words.insert(row.file_type.short()));
            assert!(!row.extensions.is_empty());
        }
        assert_eq!(FileType::Cin as usize, ROWS.len() - 1);
        assert!(ROWS.is_sorted_by_key(|row| row.kind));
    }

    #[test]
    fn no_magic_is_that_of_two_types() {
        for row in &ROWS {
            if let Magic::Always(magic) | Magic::Often(magic) = row.magic {
                assert_eq!(FileType::by_magic(magic), Some(row.file_type));
                for end in 0..magic.len() {
                    assert_eq!(FileType::by_magic(&magic[..end]), None, "{}", row.word);
                }
            }
        }
    }

    #[test]
    fn an_extension_is_that_of_all_types_that_have_it() {
        let types = |extension: &str| -> Vec<&str> {
            FileType::by_extension(extension.as_bytes())
                .map(FileType::as_str)
                .collect()
        };
        assert_eq!(types("WAL"), ["wal", "wal3"]);
        assert_eq!(types("bsp").len(), 9);
        assert_eq!(types("jpg"), ["jpeg"]);
        assert_eq!(types("txt"), [""; 0]);
    }
}
