//! The list of file types.

mod bmp;
pub(super) mod bsp;
mod lmp;
mod model;
mod pcx;
mod png_jpeg;
mod progs;
mod row;
mod sound;
mod sprite;
pub(super) mod texture;
mod tga;

use core::fmt;

pub use bsp::MapError;
pub use row::Kind;
use row::{FILE, TypeRow, Usage};
pub(super) use row::{Magic, PictureDecoder};

use super::fields::PictureFields;
use super::pixels::Palette;
use crate::archive::bytes::Cursor;
use crate::archive::{RawName, is_extension_of};

/// Makes [`FileType`] from the list of types, each with the constant that describes it.
macro_rules! file_types {
    ($($(#[$doc:meta])* $name:ident = $row:path,)*) => {
        /// The type of a file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FileType {
            $($(#[$doc])* $name,)*
        }

        impl FileType {
            /// All types, in order of their kinds.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            pub(super) const fn row(self) -> &'static TypeRow {
                match self {
                    $(Self::$name => &$row,)*
                }
            }
        }
    };
}

file_types! {
    /// A map of Quake.
    Bsp29 = bsp::BSP29,
    /// A map of Half-Life.
    Bsp30 = bsp::BSP30,
    /// A map of Quake with wider numbers.
    Bsp2 = bsp::BSP2,
    /// The first version of BSP2, in which fewer numbers are wide.
    Bsp2Psb = bsp::BSP2_PSB,
    /// A map of Quake II.
    Ibsp38 = bsp::IBSP38,
    /// A map of Quake II with wider numbers.
    Qbsp38 = bsp::QBSP38,
    /// A map of Daikatana.
    Ibsp41 = bsp::IBSP41,
    /// A map of Quake III Arena.
    Ibsp46 = bsp::IBSP46,
    /// A map of Return to Castle Wolfenstein or Quake Live.
    Ibsp47 = bsp::IBSP47,
    /// A texture of Quake II.
    Wal = texture::WAL_ROW,
    /// A texture of Daikatana, version 3.
    Wal3 = texture::WAL3_ROW,
    /// A texture of Heretic II with its own palette.
    M8 = texture::M8_ROW,
    /// A texture of Heretic II or Soldier of Fortune in true colour.
    M32 = texture::M32_ROW,
    /// A texture of SiN.
    Swl = texture::SWL_ROW,
    /// A texture of Quake or Half-Life in a WAD.
    Mip = texture::MIP_ROW,
    /// A sprite of Quake.
    Spr = sprite::SPR,
    /// A sprite of Half-Life.
    HalfLifeSpr = sprite::HALF_LIFE_SPR,
    /// A ZSoft PCX picture.
    Pcx = pcx::ROW,
    /// A Truevision TGA picture.
    Tga = tga::ROW,
    /// A Windows bitmap.
    Bmp = bmp::ROW,
    /// A picture of Quake's menus.
    Lmp = lmp::LMP,
    /// A palette in a WAD.
    Pal = lmp::PAL,
    /// A PNG picture.
    Png = png_jpeg::PNG,
    /// A JPEG picture.
    Jpeg = png_jpeg::JPEG,
    /// A model of Quake.
    Mdl = model::MDL,
    /// A model of Half-Life.
    HalfLifeMdl = model::HALF_LIFE_MDL,
    /// A model of Quake II.
    Md2 = model::MD2,
    /// A model of Quake III Arena.
    Md3 = model::MD3,
    /// A model of Daikatana.
    Dkm = model::DKM,
    /// A sprite of Quake II.
    Sp2 = sprite::SP2,
    /// A sound: RIFF/WAVE.
    Wav = sound::WAV,
    /// A sound: MPEG audio, layer III.
    Mp3 = sound::MP3,
    /// A sound: Ogg with any codec.
    Ogg = sound::OGG,
    /// Compiled QuakeC.
    Progs = progs::ROW,
    /// A font of Half-Life in a WAD.
    Font = lmp::FONT,
    /// A demo of Quake.
    Dem = DEM,
    /// A demo of QuakeWorld, as a player saw it.
    Qwd = QWD,
    /// A demo of QuakeWorld, as the server saw it.
    Mvd = MVD,
    /// A demo of Quake II.
    Dm2 = DM2,
    /// A video of Quake II.
    Cin = CIN,
}

#[rustfmt::skip]
const DEM: TypeRow = TypeRow { word: "dem", name: "DEM (Quake)", described: "a Quake demo", extensions: &["dem"], ..FILE };
#[rustfmt::skip]
const QWD: TypeRow = TypeRow { word: "qwd", name: "QWD (QuakeWorld)", described: "a QuakeWorld demo", extensions: &["qwd"], ..FILE };
#[rustfmt::skip]
const MVD: TypeRow = TypeRow { word: "mvd", name: "MVD (QuakeWorld)", described: "a QuakeWorld demo of the server's", extensions: &["mvd"], ..FILE };
#[rustfmt::skip]
const DM2: TypeRow = TypeRow { word: "dm2", name: "DM2 (Quake II)", described: "a Quake II demo", extensions: &["dm2"], ..FILE };
#[rustfmt::skip]
const CIN: TypeRow = TypeRow { word: "cin", name: "CIN (Quake II)", described: "a Quake II video", extensions: &["cin"], ..FILE };

impl FileType {
    /// The type of a file by its first bytes, if they are enough to tell.
    ///
    /// ```
    /// use daisho::media::FileType;
    /// assert_eq!(FileType::by_magic(b"IBSP\x29\0\0\0"), Some(FileType::Ibsp41));
    /// assert_eq!(FileType::by_magic(b"plain text"), None);
    /// ```
    #[must_use]
    pub fn by_magic(start: &[u8]) -> Option<Self> {
        for file_type in Self::ALL {
            if let Magic::Always(magic) | Magic::Often(magic) = file_type.row().magic
                && start.starts_with(magic)
            {
                return Some(*file_type);
            }
        }
        None
    }

    /// What a file with these first bytes is, with an article, if that is certain: `a Daikatana level`.
    pub(crate) fn described_by_magic(start: &[u8]) -> Option<&'static str> {
        match Self::by_magic(start) {
            Some(file_type) => Some(file_type.described()),
            None if start.starts_with(b"IBSP") => {
                Some("a level of a version that is not known (IBSP)")
            }
            None => None,
        }
    }

    /// The types with this extension, compared without ASCII case.
    pub fn by_extension(extension: &[u8]) -> impl Iterator<Item = Self> {
        let types = Self::ALL.iter().copied();
        types.filter(move |it| is_extension_of(extension, it.extensions()))
    }

    /// What a file of this type holds beside its pixels.
    pub(super) fn inner_fields(self, input: Cursor<'_>) -> PictureFields {
        let read = self.row().fields;
        // A file that is cut off has none.
        read.and_then(|read| read(input).ok()).unwrap_or_default()
    }

    /// The palette that is built in for files of this type: Quake's, for its pictures.
    ///
    /// ```
    /// use daisho::media::{FileType, Palette};
    /// assert_eq!(FileType::Lmp.built_in_palette(), Some(Palette::quake()));
    /// assert_eq!(FileType::Wal.built_in_palette(), None);
    /// ```
    #[must_use]
    pub fn built_in_palette(self) -> Option<Palette> {
        (self.row().game_palettes == row::QUAKE_PALETTES).then(Palette::quake)
    }

    /// The entries in which a game keeps the palette for a file of this type and name. The first one that
    /// exists is used.
    ///
    /// The list is empty if a file always uses its own, as a texture of Daikatana does.
    ///
    /// ```
    /// use daisho::media::FileType;
    /// let names = FileType::Wal.palettes("textures/e1m1/floor.wal".into());
    /// assert_eq!(names[0], b"textures/e1m1/colormap.bmp");
    /// let names = FileType::Spr.palettes("progs/s_bubble.spr".into());
    /// assert_eq!(names[0], b"gfx/palette.lmp");
    /// ```
    #[must_use]
    pub fn palettes(self, name: RawName<'_>) -> Vec<Vec<u8>> {
        let mut palettes = Vec::new();
        for palette in self.row().game_palettes {
            if let Some((root, file)) = palette.split_once("*/") {
                let folder = folder_below(root.as_bytes(), name.as_bytes());
                palettes.extend(folder.map(|folder| [folder, file.as_bytes()].concat()));
            } else {
                palettes.push(palette.as_bytes().to_vec());
            }
        }
        palettes
    }

    /// The kind of file that it is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// Whether games use it only for the surfaces of maps.
    #[must_use]
    pub const fn is_texture(self) -> bool {
        matches!(self.row().usage, Usage::Texture | Usage::TextureLump)
    }

    /// Whether it is one picture in a file of its own, which can be a texture or replace one.
    #[must_use]
    pub const fn is_picture_file(self) -> bool {
        matches!(self.row().usage, Usage::Picture | Usage::Texture)
    }

    /// Whether it is a type of lump. Engines read it only from a WAD, and its number there gives the extension.
    #[must_use]
    pub const fn is_lump(self) -> bool {
        matches!(self.row().usage, Usage::Lump | Usage::TextureLump)
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

    /// The type with this [word](Self::as_str).
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == word)
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

/// The folder of a file below this one, with the separator at its end.
fn folder_below<'a>(root: &[u8], name: &'a [u8]) -> Option<&'a [u8]> {
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let root_end = name.iter().position(is_separator)?;
    let last = name.iter().rposition(is_separator)?;
    let is_below = name.get(..root_end)?.eq_ignore_ascii_case(root.strip_suffix(b"/")?);
    is_below.then(|| name.get(..=last))?
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_words_of_its_own() {
        let mut words = std::collections::BTreeSet::new();
        for file_type in FileType::ALL {
            assert!(words.insert(file_type.as_str()) && words.insert(file_type.short()));
            assert!(!file_type.described().is_empty() && !file_type.extensions().is_empty());
        }
        assert!(FileType::ALL.is_sorted_by_key(|it| it.kind()));
    }

    #[test]
    fn no_magic_is_that_of_two_types() {
        for file_type in FileType::ALL {
            if let Magic::Always(magic) | Magic::Often(magic) = file_type.row().magic {
                assert_eq!(FileType::by_magic(magic), Some(*file_type));
                for end in 0..magic.len() {
                    assert_eq!(FileType::by_magic(&magic[..end]), None, "{file_type}");
                }
            }
        }
    }

    #[test]
    fn levels_are_told_by_their_version() {
        for (start, what) in [
            (&b"\x1D\0\0\0\x1D\0\0\0"[..], "a Quake level"),
            (b"\x1E\0\0\0\x1D\0\0\0", "a Half-Life level"),
            (b"IBSP\x29\0\0\0", "a Daikatana level"),
            (b"IBSP\x13\0\0\0", "a level of a version that is not known (IBSP)"),
        ] {
            assert_eq!(FileType::described_by_magic(start), Some(what));
        }
        assert_eq!(FileType::described_by_magic(b"\x1F\0\0\0"), None);
    }

    #[test]
    fn an_extension_is_that_of_all_types_that_have_it() {
        let types = |extension: &str| -> Vec<&str> {
            FileType::by_extension(extension.as_bytes()).map(FileType::as_str).collect()
        };
        assert_eq!(types("WAL"), ["wal", "wal3"]);
        assert_eq!(types("bsp").len(), 9);
        assert_eq!(types("jpg"), ["jpeg"]);
        assert_eq!(types("txt"), [""; 0]);
    }
}
