//! What a file of a game is in itself: its type, as its first bytes tell, whatever it is called.
//!
//! The engines' table says which types each engine reads, and `media` finds the type and what else
//! stands in a header; so this enum lies below both. What a *name* says is in `kind`.

use core::fmt;

/// What a file is good for in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// A level.
    Map,
    /// A texture of a level, or a skin, in a game's own format.
    Texture,
    /// A model, drawn as triangles.
    Model,
    /// A model that is a picture.
    Sprite,
    /// A sound.
    Sound,
    /// A picture in a format that is no game's own, or that is for menus.
    Picture,
    /// Compiled game code.
    Program,
    /// A game that was recorded.
    Demo,
    /// Moving pictures.
    Video,
}

impl Family {
    /// A stable word for it, of one.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Texture => "texture",
            Self::Model => "model",
            Self::Sprite => "sprite",
            Self::Sound => "sound",
            Self::Picture => "picture",
            Self::Program => "program",
            Self::Demo => "demo",
            Self::Video => "video",
        }
    }

    /// The word of several.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Map => "maps",
            Self::Texture => "textures",
            Self::Model => "models",
            Self::Sprite => "sprites",
            Self::Sound => "sounds",
            Self::Picture => "pictures",
            Self::Program => "programs",
            Self::Demo => "demos",
            Self::Video => "videos",
        }
    }
}

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FileType {
    /// A map of Quake.
    Bsp29,
    /// A map of Half-Life.
    Bsp30,
    /// A map of Quake's with wider numbers.
    Bsp2,
    /// The same in its first version, which has fewer of them.
    Bsp2Psb,
    /// A map of Quake II.
    Ibsp38,
    /// A map of Quake II's with wider numbers.
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
    /// A sprite of Quake.
    Spr,
    /// A sprite of Half-Life.
    HalfLifeSpr,
    /// A sprite of Quake II.
    Sp2,
    /// A sound: RIFF/WAVE.
    Wav,
    /// A sound: MPEG audio, layer III.
    Mp3,
    /// A sound: Ogg, whatever it holds.
    Ogg,
    /// A picture of ZSoft's.
    Pcx,
    /// A picture of Truevision's.
    Tga,
    /// A picture of Windows'.
    Bmp,
    /// A picture of Quake's menus.
    Lmp,
    /// A palette in a WAD.
    Pal,
    /// A font of Half-Life in a WAD.
    Font,
    /// A picture.
    Png,
    /// A picture.
    Jpeg,
    /// What QuakeC was compiled to.
    Progs,
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

/// What is known of a type.
struct Row {
    file_type: FileType,
    family: Family,
    word: &'static str,
    /// As it is called in a list.
    name: &'static str,
    /// What a file of it is, with an article.
    described: &'static str,
    /// The extensions of such files.
    extensions: &'static [&'static str],
    /// How they begin, where that alone tells them from all other types.
    magic: Option<&'static [u8]>,
}

const fn row(
    (file_type, family): (FileType, Family),
    word: &'static str,
    (name, described): (&'static str, &'static str),
    extensions: &'static [&'static str],
    magic: Option<&'static [u8]>,
) -> Row {
    Row {
        file_type,
        family,
        word,
        name,
        described,
        extensions,
        magic,
    }
}

#[rustfmt::skip]
const ROWS: [Row; 40] = {
    use Family::{Demo, Map, Model, Picture, Program, Sound, Sprite, Texture, Video};
    use FileType as T;
    [
        row((T::Bsp29, Map), "bsp29", ("BSP 29 (Quake)", "a Quake level"), &["bsp"], Some(b"\x1D\0\0\0")),
        row((T::Bsp30, Map), "bsp30", ("BSP 30 (Half-Life)", "a Half-Life level"), &["bsp"], Some(b"\x1E\0\0\0")),
        row((T::Bsp2, Map), "bsp2", ("BSP2 (Quake, larger)", "a Quake level of more than the old limits (BSP2)"), &["bsp"], Some(b"BSP2")),
        row((T::Bsp2Psb, Map), "2psb", ("2PSB (Quake, larger)", "a Quake level of more than the old limits (2PSB)"), &["bsp"], Some(b"2PSB")),
        row((T::Ibsp38, Map), "ibsp38", ("IBSP 38 (Quake II)", "a Quake II level"), &["bsp"], Some(b"IBSP\x26\0\0\0")),
        row((T::Qbsp38, Map), "qbsp38", ("QBSP 38 (Quake II, larger)", "a Quake II level of more than the old limits (QBSP)"), &["bsp"], Some(b"QBSP\x26\0\0\0")),
        row((T::Ibsp41, Map), "ibsp41", ("IBSP 41 (Daikatana)", "a Daikatana level"), &["bsp"], Some(b"IBSP\x29\0\0\0")),
        row((T::Ibsp46, Map), "ibsp46", ("IBSP 46 (Quake III)", "a Quake III level"), &["bsp"], Some(b"IBSP\x2E\0\0\0")),
        row((T::Ibsp47, Map), "ibsp47", ("IBSP 47 (Wolfenstein, Quake Live)", "a level of Return to Castle Wolfenstein or Quake Live"), &["bsp"], Some(b"IBSP\x2F\0\0\0")),
        row((T::Wal, Texture), "wal", ("WAL (Quake II)", "a Quake II texture"), &["wal"], None),
        row((T::Wal3, Texture), "wal3", ("WAL 3 (Daikatana)", "a Daikatana texture"), &["wal"], None),
        row((T::M8, Texture), "m8", ("M8 (Heretic II)", "a Heretic II texture"), &["m8"], None),
        row((T::M32, Texture), "m32", ("M32 (Heretic II)", "a Heretic II texture in true colour"), &["m32"], None),
        row((T::Swl, Texture), "swl", ("SWL (SiN)", "a SiN texture"), &["swl"], None),
        row((T::Mip, Texture), "mip", ("Miptex (WAD)", "a texture of a WAD"), &["mip"], None),
        row((T::Mdl, Model), "mdl", ("MDL (Quake)", "a Quake model"), &["mdl"], Some(b"IDPO")),
        row((T::HalfLifeMdl, Model), "hlmdl", ("Half-Life MDL", "a Half-Life model"), &["mdl"], Some(b"IDST")),
        row((T::Md2, Model), "md2", ("MD2 (Quake II)", "a Quake II model"), &["md2"], Some(b"IDP2")),
        row((T::Md3, Model), "md3", ("MD3 (Quake III)", "a Quake III model"), &["md3"], Some(b"IDP3")),
        row((T::Dkm, Model), "dkm", ("DKM (Daikatana)", "a Daikatana model"), &["dkm"], Some(b"DKMD")),
        row((T::Spr, Sprite), "spr", ("SPR (Quake)", "a Quake sprite"), &["spr"], Some(b"IDSP\x01\0\0\0")),
        row((T::HalfLifeSpr, Sprite), "hlspr", ("Half-Life SPR", "a Half-Life sprite"), &["spr"], Some(b"IDSP\x02\0\0\0")),
        row((T::Sp2, Sprite), "sp2", ("SP2 (Quake II)", "a Quake II sprite"), &["sp2"], Some(b"IDS2\x02\0\0\0")),
        row((T::Wav, Sound), "wav", ("WAV", "a RIFF file, as sounds are"), &["wav"], Some(b"RIFF")),
        row((T::Mp3, Sound), "mp3", ("MP3", "an MP3 sound"), &["mp3"], Some(b"ID3")),
        row((T::Ogg, Sound), "ogg", ("Ogg", "an Ogg sound"), &["ogg", "opus"], Some(b"OggS")),
        row((T::Pcx, Picture), "pcx", ("PCX", "a PCX picture"), &["pcx"], Some(b"\x0A\x05\x01\x08")),
        row((T::Tga, Picture), "tga", ("TGA", "a TGA picture"), &["tga"], None),
        row((T::Bmp, Picture), "bmp", ("BMP", "a BMP picture"), &["bmp"], None),
        row((T::Lmp, Picture), "lmp", ("LMP (Quake)", "a picture of Quake's menus"), &["lmp"], None),
        row((T::Pal, Picture), "pal", ("Palette (WAD)", "a palette"), &["pal"], None),
        row((T::Font, Picture), "font", ("Font (Half-Life)", "a Half-Life font"), &["fnt"], None),
        row((T::Png, Picture), "png", ("PNG", "a PNG picture"), &["png"], Some(b"\x89PNG\r\n\x1A\n")),
        row((T::Jpeg, Picture), "jpeg", ("JPEG", "a JPEG picture"), &["jpg", "jpeg"], Some(b"\xFF\xD8\xFF")),
        row((T::Progs, Program), "progs", ("QuakeC", "compiled QuakeC"), &["dat"], None),
        row((T::Dem, Demo), "dem", ("DEM (Quake)", "a Quake demo"), &["dem"], None),
        row((T::Qwd, Demo), "qwd", ("QWD (QuakeWorld)", "a QuakeWorld demo"), &["qwd"], None),
        row((T::Mvd, Demo), "mvd", ("MVD (QuakeWorld)", "a QuakeWorld demo of the server's"), &["mvd"], None),
        row((T::Dm2, Demo), "dm2", ("DM2 (Quake II)", "a Quake II demo"), &["dm2"], None),
        row((T::Cin, Video), "cin", ("CIN (Quake II)", "a Quake II video"), &["cin"], None),
    ]
};

impl FileType {
    /// All of them, those of a family together.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.file_type)
    }

    /// The type of a file that begins so, where its beginning alone tells.
    ///
    /// ```
    /// use daisho::media::FileType;
    /// assert_eq!(FileType::by_magic(b"IBSP\x29\0\0\0"), Some(FileType::Ibsp41));
    /// assert_eq!(FileType::by_magic(b"plain text"), None);
    /// ```
    #[must_use]
    pub fn by_magic(start: &[u8]) -> Option<Self> {
        let begins = |row: &&Row| row.magic.is_some_and(|magic| start.starts_with(magic));
        ROWS.iter().find(begins).map(|row| row.file_type)
    }

    /// The types that files with this extension have, ASCII case ignored.
    pub fn by_extension(extension: &[u8]) -> impl Iterator<Item = Self> {
        let has = |row: &&Row| {
            let mut extensions = row.extensions.iter();
            extensions.any(|it| it.as_bytes().eq_ignore_ascii_case(extension))
        };
        ROWS.iter().filter(has).map(|row| row.file_type)
    }

    fn row(self) -> &'static Row {
        // A test sees to it that there is one of each, in their order.
        ROWS.get(self as usize).unwrap_or(&ROWS[0])
    }

    /// What it is good for.
    #[must_use]
    pub fn family(self) -> Family {
        self.row().family
    }

    /// Whether it is a type of lump. Engines read it from a WAD only, and it has an extension by its number there.
    #[must_use]
    pub const fn is_lump(self) -> bool {
        matches!(self, Self::Mip | Self::Pal | Self::Font)
    }

    /// Whether other programs than games have files with its extensions, so that a file that is not of this
    /// type need not be damaged or misnamed.
    #[must_use]
    pub fn shares_extensions(self) -> bool {
        self.is_lump()
            || matches!(
                self.family(),
                Family::Program | Family::Demo | Family::Video
            )
    }

    /// A stable lower-case word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().word
    }

    /// The name of the format, without the game's behind it: `IBSP 41`.
    #[must_use]
    pub fn short(self) -> &'static str {
        let name = self.row().name;
        name.split_once(" (").map_or(name, |(short, _)| short)
    }

    /// What a file of this type is, with an article: `a Daikatana level`.
    #[must_use]
    pub fn described(self) -> &'static str {
        self.row().described
    }

    /// The extensions that such files have, without the dot.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }
}

/// The name of the format: `IBSP 41 (Daikatana)`.
impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.row().name)
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
        assert!(ROWS.is_sorted_by_key(|row| row.family));
    }

    #[test]
    fn no_magic_is_that_of_two_types() {
        for row in &ROWS {
            if let Some(magic) = row.magic {
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
