//! What is known of each type of files: one module for each format, and a row for each type.

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

pub use crate::format::map::MapError;
pub use row::Kind;
use row::{FILE, TypeRow, Usage};
pub(super) use row::{Magic, PictureDecoder};

use super::fields::PictureFields;
use super::file_type::{FileType, file_types};
use super::pixels::{Frame, Palette};
use crate::archive::bytes::Cursor;
use crate::archive::{RawName, is_extension_of};

/// Makes the row of each type of the list.
macro_rules! rows {
    ($($variant:ident = $row:path { $($names:tt)* })*) => {
        impl FileType {
            pub(super) const fn row(self) -> &'static TypeRow {
                match self {
                    $(Self::$variant => &$row,)*
                }
            }
        }
    };
}

file_types!(rows);

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
}

impl PictureFields {
    /// Reads the fields of a picture's file whose first frame is `frame`.
    #[must_use]
    pub fn of_file(file_type: FileType, bytes: &[u8], frame: &Frame) -> Self {
        let read = file_type.row().fields;
        // A file that is cut off has none.
        let inner = read.and_then(|read| read(Cursor::new(bytes)).ok());
        Self {
            file_type: Some(file_type),
            sides: Some((frame.pixels.width, frame.pixels.height)),
            ..inner.unwrap_or_default()
        }
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
