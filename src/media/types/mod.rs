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

pub use crate::format::map::MapError;
pub use row::Kind;
use row::{FILE, TypeRow, Usage};
pub(super) use row::{Magic, PictureDecoder};

use super::fields::PictureFields;
use super::pixels::Palette;
use crate::archive::bytes::Cursor;
use crate::archive::{RawName, is_extension_of};
use crate::format::map::MapKind;

/// Makes [`FileType`] from the list of types, each with the constant that describes it and its names.
macro_rules! file_types {
    ($($variant:ident = $row:path {
        word: $word:expr, extensions: $extensions:expr, name: $name:literal, is: $described:literal
    })*) => {
        /// The type of a file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum FileType {
            $(#[doc = concat!($name, ": ", $described, ".")] $variant,)*
        }

        impl FileType {
            /// All types, in order of their kinds.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            pub(super) const fn row(self) -> &'static TypeRow {
                match self {
                    $(Self::$variant => &$row,)*
                }
            }

            /// A stable lower-case word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// Its extensions, without the dot.
            #[must_use]
            pub const fn extensions(self) -> &'static [&'static str] {
                match self {
                    $(Self::$variant => $extensions,)*
                }
            }

            /// The name of the format with the game: `IBSP 41 (Daikatana)`.
            const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The type with an article: `a Daikatana level`.
            #[must_use]
            pub const fn described(self) -> &'static str {
                match self {
                    $(Self::$variant => $described,)*
                }
            }
        }
    };
}

file_types! {
    Bsp29 = bsp::BSP29 { word: MapKind::BSP29.word, extensions: &["bsp"],
        name: "BSP 29 (Quake)", is: "a Quake level" }
    Bsp30 = bsp::BSP30 { word: MapKind::BSP30.word, extensions: &["bsp"],
        name: "BSP 30 (Half-Life)", is: "a Half-Life level" }
    Bsp2 = bsp::BSP2 { word: MapKind::BSP2.word, extensions: &["bsp"],
        name: "BSP2 (Quake, larger)", is: "a Quake level of more than the old limits (BSP2)" }
    Bsp2Psb = bsp::BSP2_PSB { word: MapKind::BSP2_PSB.word, extensions: &["bsp"],
        name: "2PSB (Quake, larger)", is: "a Quake level of more than the old limits (2PSB)" }
    Ibsp38 = bsp::IBSP38 { word: MapKind::IBSP38.word, extensions: &["bsp"],
        name: "IBSP 38 (Quake II)", is: "a Quake II level" }
    Qbsp38 = bsp::QBSP38 { word: MapKind::QBSP38.word, extensions: &["bsp"],
        name: "QBSP 38 (Quake II, larger)",
        is: "a Quake II level of more than the old limits (QBSP)" }
    Ibsp41 = bsp::IBSP41 { word: MapKind::IBSP41.word, extensions: &["bsp"],
        name: "IBSP 41 (Daikatana)", is: "a Daikatana level" }
    Ibsp46 = bsp::IBSP46 { word: MapKind::IBSP46.word, extensions: &["bsp"],
        name: "IBSP 46 (Quake III)", is: "a Quake III level" }
    Ibsp47 = bsp::IBSP47 { word: MapKind::IBSP47.word, extensions: &["bsp"],
        name: "IBSP 47 (Wolfenstein, Quake Live)",
        is: "a level of Return to Castle Wolfenstein or Quake Live" }
    Quake64 = bsp::QUAKE64 { word: "q64", extensions: &["bsp"],
        name: "Q64 (Quake 64)", is: "a level of Quake 64" }
    Rbsp = bsp::RBSP { word: "rbsp", extensions: &["bsp"],
        name: "RBSP (Raven)", is: "a level of Jedi Knight or Soldier of Fortune II" }
    Fbsp = bsp::FBSP { word: "fbsp", extensions: &["bsp"],
        name: "FBSP (Warsow)", is: "a level of Warsow" }
    Wal = texture::WAL_ROW { word: "wal", extensions: &["wal"],
        name: "WAL (Quake II)", is: "a Quake II texture" }
    Wal3 = texture::WAL3_ROW { word: "wal3", extensions: &["wal"],
        name: "WAL 3 (Daikatana)", is: "a Daikatana texture" }
    M8 = texture::M8_ROW { word: "m8", extensions: &["m8"],
        name: "M8 (Heretic II)", is: "a Heretic II texture" }
    M32 = texture::M32_ROW { word: "m32", extensions: &["m32"],
        name: "M32 (Heretic II)", is: "a Heretic II texture in true colour" }
    Swl = texture::SWL_ROW { word: "swl", extensions: &["swl"],
        name: "SWL (SiN)", is: "a SiN texture" }
    Mip = texture::MIP_ROW { word: "mip", extensions: &["mip"],
        name: "Miptex (WAD)", is: "a texture of a WAD" }
    Spr = sprite::SPR { word: "spr", extensions: &["spr"],
        name: "SPR (Quake)", is: "a Quake sprite" }
    HalfLifeSpr = sprite::HALF_LIFE_SPR { word: "hlspr", extensions: &["spr"],
        name: "Half-Life SPR", is: "a Half-Life sprite" }
    Spr32 = sprite::SPR32 { word: "spr32", extensions: &["spr"],
        name: "SPR 32 (DarkPlaces)", is: "a sprite of DarkPlaces in true colour" }
    Pcx = pcx::ROW { word: "pcx", extensions: &["pcx"], name: "PCX", is: "a PCX picture" }
    Tga = tga::ROW { word: "tga", extensions: &["tga"], name: "TGA", is: "a TGA picture" }
    Bmp = bmp::ROW { word: "bmp", extensions: &["bmp"], name: "BMP", is: "a BMP picture" }
    Lmp = lmp::LMP { word: "lmp", extensions: &["lmp"],
        name: "LMP (Quake)", is: "a picture of Quake's menus" }
    Pal = lmp::PAL { word: "pal", extensions: &["pal"], name: "Palette (WAD)", is: "a palette" }
    Png = png_jpeg::PNG { word: "png", extensions: &["png"], name: "PNG", is: "a PNG picture" }
    Jpeg = png_jpeg::JPEG { word: "jpeg", extensions: &["jpg", "jpeg"],
        name: "JPEG", is: "a JPEG picture" }
    Mdl = model::MDL { word: "mdl", extensions: &["mdl"], name: "MDL (Quake)", is: "a Quake model" }
    HalfLifeMdl = model::HLMDL { word: "hlmdl", extensions: &["mdl"],
        name: "Half-Life MDL", is: "a Half-Life model" }
    Md2 = model::MD2 { word: "md2", extensions: &["md2"],
        name: "MD2 (Quake II)", is: "a Quake II model" }
    // Engines that read MD3 tell it by its first bytes, and games name it like the MDL that it replaces.
    Md3 = model::MD3 { word: "md3", extensions: &["md3", "mdl"],
        name: "MD3 (Quake III)", is: "a Quake III model" }
    Dkm = model::DKM { word: "dkm", extensions: &["dkm"],
        name: "DKM (Daikatana)", is: "a Daikatana model" }
    Md5Mesh = model::MD5 { word: "md5mesh", extensions: &["md5mesh"],
        name: "MD5 (Doom 3)", is: "an MD5 model" }
    Md5Anim = model::MD5 { word: "md5anim", extensions: &["md5anim"],
        name: "MD5 animation (Doom 3)", is: "the animation of an MD5 model" }
    Sp2 = sprite::SP2 { word: "sp2", extensions: &["sp2"],
        name: "SP2 (Quake II)", is: "a Quake II sprite" }
    Wav = sound::WAV { word: "wav", extensions: &["wav"],
        name: "WAV", is: "a RIFF file, as sounds are" }
    Mp3 = sound::MP3 { word: "mp3", extensions: &["mp3"], name: "MP3", is: "an MP3 sound" }
    Ogg = sound::OGG { word: "ogg", extensions: &["ogg", "opus"], name: "Ogg", is: "an Ogg sound" }
    Progs = progs::ROW { word: "progs", extensions: &["dat"],
        name: "QuakeC", is: "compiled QuakeC" }
    Font = lmp::FONT { word: "font", extensions: &["fnt"],
        name: "Font (Half-Life)", is: "a Half-Life font" }
    Dem = FILE { word: "dem", extensions: &["dem"], name: "DEM (Quake)", is: "a Quake demo" }
    Qwd = FILE { word: "qwd", extensions: &["qwd"],
        name: "QWD (QuakeWorld)", is: "a QuakeWorld demo" }
    Mvd = FILE { word: "mvd", extensions: &["mvd"],
        name: "MVD (QuakeWorld)", is: "a QuakeWorld demo of the server's" }
    Dm2 = FILE { word: "dm2", extensions: &["dm2"], name: "DM2 (Quake II)", is: "a Quake II demo" }
    Cin = FILE { word: "cin", extensions: &["cin"], name: "CIN (Quake II)", is: "a Quake II video" }
}

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

    /// The type with this [word](Self::as_str).
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == word)
    }

    /// The name of the format without the game: `IBSP 41`.
    #[must_use]
    pub fn short(self) -> &'static str {
        let name = self.name();
        name.split_once(" (").map_or(name, |(short, _)| short)
    }
}

/// The name of the format with the game: `IBSP 41 (Daikatana)`.
impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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
const EXTENSIONS: [(Kind, &[&str]); 5] = [
    (Kind::Sound, &["flac"]),
    (Kind::Model, &["mdr", "iqm"]),
    (Kind::Text, &["txt", "cfg", "rc", "lst", "qc"]),
    (Kind::Text, &["map", "ent", "shader", "mtr", "def", "script", "skin"]),
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
        assert_eq!(types("bsp").len(), 12);
        assert_eq!(types("jpg"), ["jpeg"]);
        assert_eq!(types("txt"), [""; 0]);
    }
}
