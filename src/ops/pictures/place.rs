//! What a picture becomes that is packed, by its name and its place.
//!
//! | file                                         | becomes                                            |
//! |----------------------------------------------|----------------------------------------------------|
//! | `NAME.EXT.png`, for a WAD or with `png`      | `NAME.EXT`                                         |
//! | any picture, for a WAD                       | `NAME.mip`; for a WAD called `gfx.wad` `NAME.lmp`  |
//! | `conchars`, for a WAD2                       | `conchars.lmp`                                     |
//! | any picture under `gfx/`, with `png`         | `NAME.lmp`                                         |
//! | any picture under `textures/`, with `png`    | `NAME.wal`                                         |
//! | a loose picture that is converted            | `NAME` with the extension of the type              |

use std::path::Path;

use crate::archive::{Format, LooseFile, RawName};
use crate::engine::{Engine, Engines};
use crate::format::name_in;
use crate::media::{FileType, Kind, Palette};
use crate::ops::finding::{Finding, Help};

/// What the place that pictures go to says about them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PicturePlace {
    /// They become entries of an archive.
    Archive {
        to: Format,
        /// Whether it is the WAD with Quake's menus.
        is_gfx: bool,
        is_daikatana: bool,
    },
    /// Each becomes a file of this type.
    Loose {
        to: FileType,
        /// Whether a WAL gets the version of the type, even if its picture was of the other.
        is_fixed: bool,
    },
}

/// What a picture becomes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MadeAs {
    pub(super) file_type: FileType,
    pub(super) fullbright: bool,
    /// Whether its name was too long for a lump, and is shortened.
    pub(crate) is_shortened: bool,
}

/// The beginnings of file names that mean characters which no file may have on some systems.
const PREFIXES: [(&[u8], &[u8]); 3] = [(b"star_", b"#"), (b"plus_", b"+"), (b"minu_", b"-")];

/// The most bytes of a lump's name. Of a longer one, qpakman takes the first 7 and the last 8, and maps name textures so.
const LUMP_NAME_MAX: usize = 15;

impl PicturePlace {
    /// The place of pictures in an archive. `None` if they are packed as they are.
    pub(crate) fn new(to: Format, archive: &Path, engines: Engines, png: bool) -> Option<Self> {
        let name = archive.file_name().unwrap_or_default();
        (png || to.spec().has_lumps()).then(|| Self::Archive {
            to,
            is_gfx: name.eq_ignore_ascii_case("gfx.wad"),
            is_daikatana: to == Format::Daikatana
                || engines.iter().any(|it| it == Engine::Daikatana),
        })
    }

    /// The name that a picture gets, and what it becomes. `None` for a file that is packed as it is. A name that is too
    /// long for a lump is shortened if it `is_found`, and not chosen.
    pub(crate) fn of(
        self,
        name: &[u8],
        is_found: bool,
    ) -> Result<Option<(Vec<u8>, MadeAs)>, Finding> {
        let Some((stem, extension)) = split(name) else {
            return Ok(None);
        };
        if let Self::Loose { to, .. } = self {
            return Ok(loose(stem, extension, to));
        }
        if Palette::is_named(RawName::new(name)) {
            return Ok(None);
        }
        let is_png = extension.eq_ignore_ascii_case(b"png");
        let mut bare = stem;
        if is_png && let Some((shorter, named)) = named_type(stem) {
            if !named.is_written() {
                return Err(not_written(named));
            }
            // Any picture is a texture in a WAD.
            if !self.is_wad() || named.is_lump() || named == FileType::Lmp {
                return Ok(Some(self.as_read(stem.to_vec(), MadeAs::plain(named))));
            }
            bare = shorter;
        }
        let mut types = FileType::by_extension(extension);
        if !is_png && !types.any(|it| it.is_picture_file() && !is_web(it)) {
            return Ok(None);
        }
        let Some(file_type) = self.by_place(name, extension) else {
            return Ok(None);
        };
        let (mut own, fullbright) = own_name(bare);
        let mut is_shortened = false;
        if self.is_wad() {
            let last = RawName::new(&own).last_part();
            own = match last.strip_prefix(b"divd_") {
                // Outside of a WAD it would be an absolute path.
                Some(rest) => [b"/", rest].concat(),
                None => last.to_vec(),
            };
            is_shortened = is_found && own.len() > LUMP_NAME_MAX;
            if is_shortened {
                own.drain(7..own.len() - 8);
            }
        }
        let name = [own.as_slice(), b".", file_type.as_str().as_bytes()].concat();
        let made = MadeAs { file_type, fullbright, is_shortened };
        Ok(Some(self.as_read(name, made)))
    }

    /// The name under which a picture is found again, and the type that this name has. They differ for Quake's font,
    /// which is no texture in any WAD.
    fn as_read(self, name: Vec<u8>, mut made: MadeAs) -> (Vec<u8>, MadeAs) {
        let Self::Archive { to, .. } = self else {
            return (name, made);
        };
        let own = name_in(to, &name).into_owned();
        if self.is_wad() && own.ends_with(b".lmp") {
            made.file_type = FileType::Lmp;
            return (own, made);
        }
        (name, made)
    }

    fn is_wad(self) -> bool {
        matches!(self, Self::Archive { to, .. } if to.spec().has_lumps())
    }

    /// Whether a picture of this type has only one name, that of its lump.
    pub(super) fn takes_name_of_lump(self, file_type: FileType) -> bool {
        match self {
            Self::Archive { .. } => self.is_wad(),
            Self::Loose { .. } => file_type == FileType::Mip,
        }
    }

    /// What a picture becomes whose name does not say it.
    fn by_place(self, name: &[u8], extension: &[u8]) -> Option<FileType> {
        let is_below = |folder: &[u8]| {
            let start = name.get(..folder.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(folder))
        };
        if self.is_wad() {
            return Some(match self {
                Self::Archive { is_gfx: true, .. } => FileType::Lmp,
                _ => FileType::Mip,
            });
        }
        if is_below(b"gfx/") {
            return Some(FileType::Lmp);
        }
        let is_wal = extension.eq_ignore_ascii_case(b"wal");
        (is_below(b"textures/") && !is_wal).then_some(FileType::Wal)
    }
}

/// Warnings about files that are packed as PNGs, although their names say that they were extracted as pictures of a game.
/// No game reads such a PNG. Only files that `--png` would turn back have one.
pub(crate) fn left_as_pngs(place: Option<PicturePlace>, files: &[LooseFile]) -> Vec<Finding> {
    let mut warnings = Vec::new();
    for file in files.iter().filter(|_| place.is_none()) {
        if let Some((stem, extension)) = split(&file.name)
            && extension.eq_ignore_ascii_case(b"png")
            && named_type(stem).is_some_and(|(_, named)| named.is_written())
        {
            let why = "this is packed as a PNG, which no game reads under this name";
            let warning = Finding::warning(why)
                .many("pictures are packed as PNGs, which no game reads under these names");
            warnings.push(warning.help(Help::MakePictures).at_path(&file.path));
        }
    }
    warnings
}

/// The name that a loose picture gets as a file of this type, and what it becomes. `None` if it is no picture.
fn loose(stem: &[u8], extension: &[u8], to: FileType) -> Option<(Vec<u8>, MadeAs)> {
    FileType::by_extension(extension).find(|it| it.kind() == Kind::Picture)?;
    // `brick.wal.png` is a picture of `brick.wal`.
    let is_png = extension.eq_ignore_ascii_case(b"png");
    let bare = match named_type(stem) {
        Some((shorter, _)) if is_png => shorter,
        _ => stem,
    };
    let (own, fullbright) = match to {
        FileType::Mip => own_name(bare),
        _ => (bare.to_vec(), false),
    };
    let extension = to.extensions().first()?;
    let made = MadeAs { fullbright, ..MadeAs::plain(to) };
    Some(([&own, b".".as_slice(), extension.as_bytes()].concat(), made))
}

/// The name of a picture, with the characters that `PREFIXES` give it, and whether the picture may have fullbright
/// colours.
fn own_name(stem: &[u8]) -> (Vec<u8>, bool) {
    let last = RawName::new(stem).last_part();
    let folder = stem.get(..stem.len() - last.len()).unwrap_or_default();
    let (own, fullbright) = match last.strip_suffix(b"_fbr") {
        Some(own) => (own, true),
        None => (last, false),
    };
    for (prefix, character) in PREFIXES {
        if let Some(rest) = own.strip_prefix(prefix) {
            return ([folder, character, rest].concat(), fullbright);
        }
    }
    ([folder, own].concat(), fullbright)
}

impl MadeAs {
    const fn plain(file_type: FileType) -> Self {
        Self { file_type, fullbright: false, is_shortened: false }
    }
}

/// Whether it is a format that no game's own tools use.
const fn is_web(file_type: FileType) -> bool {
    matches!(file_type, FileType::Png | FileType::Jpeg)
}

/// Splits a name into stem and extension.
fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let extension = RawName::new(name).extension()?;
    let stem = name.get(..name.len() - extension.len() - 1)?;
    Some((stem, extension))
}

/// The type of a game's picture that `NAME.EXT` names, and `NAME`.
fn named_type(name: &[u8]) -> Option<(&[u8], FileType)> {
    let (stem, extension) = split(name)?;
    let mut types = FileType::by_extension(extension);
    let named = types.find(|it| it.kind() == Kind::Picture && !is_web(*it))?;
    Some((stem, named))
}

fn not_written(file_type: FileType) -> Finding {
    let why = format!(
        "daisho does not write files of type {}, so this PNG cannot become one",
        file_type.short()
    );
    Finding::error(why).type_not_written()
}
