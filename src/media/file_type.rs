//! The types of files, with their names. What is known of each is the constant in `types` that the list names.

use core::fmt;

use crate::archive::is_extension_of;
use crate::format::map::MapKind;

/// Passes the list of types to a macro: each with the constant in `types` that describes it, and its names.
macro_rules! file_types {
    ($make:ident) => { $make! {
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
        name: "WAV", is: "a WAV sound or an AVI video" }
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
    } };
}
pub(super) use file_types;

/// Makes [`FileType`] of the list.
macro_rules! names {
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

file_types!(names);

impl FileType {
    /// The types with this extension, compared without ASCII case.
    pub fn by_extension(extension: &[u8]) -> impl Iterator<Item = Self> {
        let types = Self::ALL.iter().copied();
        types.filter(move |it| is_extension_of(extension, it.extensions()))
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
