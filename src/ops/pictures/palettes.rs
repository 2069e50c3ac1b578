//! Chooses the palette of a picture: its own, the one that the user gave, or the one that its game would use.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::archive::error::{ErrorKind, Limit};
use crate::archive::{Archive, Case, Entry, Format, RawName, Which, or_list, quoted_name};
use crate::engine::Game;
use crate::media::asked::entities;
use crate::media::entities::Entity;
use crate::media::{Data, DecodeOptions, FileType, Palette, Picture, PictureError, read_png};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Help};
use crate::ops::game::open_whole;
use crate::ops::source::named::or_missing;

/// The largest file that is read for a palette. A screen of Daikatana as BMP is far smaller.
const FILE_MAX: u64 = 16 << 20;

/// How pictures are decoded, and where their palettes are looked for: first in the picture's own archive.
#[derive(Debug, Clone, Default)]
pub struct PictureOptions {
    /// Which frames are decoded, and how many pixels they may have.
    pub decode: DecodeOptions,
    /// The directories or archives of a game whose palettes are taken.
    pub game: Vec<PathBuf>,
    /// Whether the game is only a default, which may lack a palette.
    pub is_default_game: bool,
    /// A palette for pictures that have none: a file of 768 bytes, or one that has a palette.
    pub palette: Option<PathBuf>,
}

/// Palettes, each read once.
#[derive(Debug)]
pub(super) struct Palettes {
    given: Option<NamedPalette>,
    game: Option<Game>,
    /// Whether the user asked for the palettes of the game.
    needs_game: bool,
    beside: Vec<Arc<Archive>>,
    /// The palettes that were found for the pictures of an archive, by the names that the game looks for.
    found: Mutex<HashMap<PaletteRequest, Result<Option<NamedPalette>, Finding>>>,
    /// Whether archives, by their paths, are maps of Hexen II.
    hexen2: Mutex<HashMap<Option<Box<Path>>, bool>>,
}

/// A palette that was found.
#[derive(Debug, Clone)]
struct NamedPalette {
    palette: Arc<Palette>,
    /// The name of its file.
    name: Arc<[u8]>,
}

/// An archive, by its path, and the names of palettes.
type PaletteRequest = (Option<Box<Path>>, Vec<Vec<u8>>);

impl Palettes {
    pub(super) fn open(
        context: &Context<'_>,
        options: &PictureOptions,
        beside: Vec<Arc<Archive>>,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, Refusal> {
        let given = match &options.palette {
            Some(path) => {
                Some(of_file(path).map_err(|error| or_missing(error.at_path(path), false))?)
            }
            None => None,
        };
        let game = match options.game.as_slice() {
            [] => None,
            paths => Some(open_whole(context, paths, None, findings)?),
        };
        Ok(Self {
            given,
            game,
            needs_game: !options.game.is_empty() && !options.is_default_game,
            beside,
            found: Mutex::default(),
            hexen2: Mutex::default(),
        })
    }

    /// The palette for a picture that an entry was decoded into. If none is found, Quake's pictures get Quake's, which
    /// is built in, and others are drawn in grey.
    pub(super) fn of(
        &self,
        entry: &Entry<'_>,
        picture: &Picture,
    ) -> Result<ChosenPalette, Finding> {
        let mut chosen = ChosenPalette {
            palette: Arc::new(Palette::grey()),
            name: None,
            remark: None,
            is_stand_in: false,
        };
        if !picture.frames.iter().any(|it| it.pixels.wants_palette()) {
            return Ok(chosen);
        }
        let names = picture.file_type.palettes(entry.name());
        let found = match &self.given {
            Some(given) => Some(given.clone()),
            None => self.find(entry.archive(), names.clone())?,
        };
        if let Some(found) = found {
            chosen.palette = found.palette;
            chosen.name = Some(found.name);
            return Ok(chosen);
        }
        self.check_game(&names)?;
        let is_quake =
            picture.file_type.built_in_palette().is_some() && !self.is_of_hexen2(entry.archive());
        if is_quake {
            chosen.palette = Arc::new(Palette::quake());
        }
        chosen.is_stand_in = !is_quake;
        // These are made for Quake's palette, wherever its file is.
        let is_wad2 = entry.archive().format() == Some(Format::Wad2);
        if !is_quake || !is_wad2 && picture.file_type != FileType::Mip {
            chosen.remark = Some(no_palette(&names, is_quake).of_entry(entry));
        }
        Ok(chosen)
    }

    /// Whether an archive is a map of Hexen II, or in that game's directory. Its pictures have the formats of Quake's and
    /// other colours.
    fn is_of_hexen2(&self, archive: &Archive) -> bool {
        let path: Option<Box<Path>> = archive.path().map(Box::from);
        if path.iter().flat_map(|it| it.iter()).any(|part| part.eq_ignore_ascii_case("data1")) {
            return true;
        }
        let Ok(mut known) = self.hexen2.lock() else { return false };
        *known.entry(path).or_insert_with(|| {
            let text = archive.source().and_then(|map| entities(map).ok()).unwrap_or_default();
            Entity::all(&text).any(|entity| entity.is_of_hexen2())
        })
    }

    /// The palette for a file that is made.
    pub(super) fn target<'a>(
        &self,
        archives: impl Iterator<Item = &'a Archive>,
        file_type: FileType,
        name: RawName<'_>,
    ) -> Result<Option<Arc<Palette>>, Finding> {
        let names = match file_type {
            // A texture of Daikatana has the palette of its level. A skin has its own.
            FileType::Wal3 => {
                let mut names = FileType::Wal.palettes(name);
                names.retain(|it| it.starts_with(b"textures/") || it.starts_with(b"TEXTURES/"));
                names
            }
            _ => file_type.palettes(name),
        };
        if names.is_empty() {
            return Ok(None);
        }
        if let Some(given) = &self.given {
            return Ok(Some(Arc::clone(&given.palette)));
        }
        for archive in archives {
            if let Some(found) = self.find(archive, names.clone())? {
                return Ok(Some(found.palette));
            }
        }
        if file_type.built_in_palette().is_none() {
            return Ok(None);
        }
        self.check_game(&names)?;
        Ok(Some(Arc::new(Palette::quake())))
    }

    /// The error for palettes that were not found, if the user asked for those of a game.
    fn check_game(&self, names: &[Vec<u8>]) -> Result<(), Finding> {
        if !self.needs_game {
            return Ok(());
        }
        let names: Vec<_> = names.iter().map(|name| quoted_name(name).to_string()).collect();
        let why = format!("the game given with --game has no palette {}", or_list(&names));
        Err(Finding::error(why)
            .many("pictures have no palette in the game given with --game")
            .help(Help::GivePalette))
    }

    fn find(
        &self,
        archive: &Archive,
        names: Vec<Vec<u8>>,
    ) -> Result<Option<NamedPalette>, Finding> {
        let request = (archive.path().map(Box::from), names);
        if let Ok(found) = self.found.lock()
            && let Some(answer) = found.get(&request)
        {
            return answer.clone();
        }
        let each = request.1.iter().map(|name| self.read(archive, name));
        let answer = each.filter_map(Result::transpose).next().transpose();
        if let Ok(mut found) = self.found.lock() {
            found.insert(request, answer.clone());
        }
        answer
    }

    /// Reads the palette with this name: from the archive, from archives in the same directory, or from the game.
    fn read(&self, archive: &Archive, name: &[u8]) -> Result<Option<NamedPalette>, Finding> {
        let folder = archive.path().and_then(Path::parent);
        let beside = self.beside.iter().map(|it| &**it);
        let beside = beside.filter(|it| it.path().and_then(Path::parent) == folder);
        let mut archives = core::iter::once(archive).chain(beside);
        let own = archives.find_map(|it| it.find(name, Case::Ignored, Which::First));
        let Some(entry) = own.or_else(|| self.game.as_ref()?.find(name).first()?.entry()) else {
            return Ok(None);
        };
        let damaged = |why: String| {
            let why = format!("the palette is damaged, so pictures cannot get its colours: {why}");
            Finding::error(why).help(Help::GivePalette).of_entry(&entry)
        };
        if entry.size() > FILE_MAX {
            return Err(damaged(format!("it has {} bytes", entry.size())));
        }
        let bytes = entry.read().map_err(|error| damaged(error.to_string()))?;
        let palette = Palette::of_file(entry.name(), &bytes);
        let palette = Arc::new(palette.map_err(|error| damaged(error.to_string()))?);
        Ok(Some(NamedPalette { palette, name: entry.name().as_bytes().into() }))
    }
}

/// The palette that is chosen for a picture.
pub(crate) struct ChosenPalette {
    pub(crate) palette: Arc<Palette>,
    /// The name of its file, if one was found.
    pub(crate) name: Option<Arc<[u8]>>,
    /// A warning if no palette was found.
    pub(crate) remark: Option<Finding>,
    /// Whether it is grey because no palette was found.
    pub(crate) is_stand_in: bool,
}

/// The warning that no palette was found, and where the game looks for it.
fn no_palette(wanted: &[Vec<u8>], is_quake: bool) -> Finding {
    let names: Vec<String> = wanted.iter().map(|name| quoted_name(name).to_string()).collect();
    let wanted =
        if names.is_empty() { "no file that is known".to_owned() } else { or_list(&names) };
    let drawn = if is_quake { "gets Quake's, which is built in" } else { "is drawn in grey" };
    let why =
        format!("no palette was found, so the picture {drawn}; the game looks for it in {wanted}");
    let finding = Finding::warning(why).help(Help::GivePalette);
    if is_quake {
        finding
            .many("pictures get Quake's palette, which is built in, because no other was found")
            .advice("keep it if the picture is Quake's")
    } else {
        finding.many("pictures are drawn in grey, because no palette was found")
    }
}

/// The palette in a file that the user named.
fn of_file(path: &Path) -> Result<NamedPalette, Finding> {
    let found = std::fs::metadata(path).map_err(Finding::from_io)?;
    if !found.is_file() {
        return Err(ErrorKind::NotAFile.into());
    }
    if found.len() > FILE_MAX {
        let kind = ErrorKind::OverLimit {
            what: Limit::Length("a file with a palette"),
            value: found.len(),
            limit: FILE_MAX,
        };
        return Err(kind.into());
    }
    let bytes = std::fs::read(path).map_err(Finding::from_io)?;
    let palette = if FileType::by_magic(&bytes) == Some(FileType::Png) {
        of_png(&bytes)
    } else {
        Palette::of_file(RawName::of_file(path), &bytes)
    };
    let palette = palette.map_err(|error| {
        let why = format!("no palette can be read from this: {error}");
        Finding::error(why)
            .advice("name a file that has a palette: gfx/palette.lmp, pics/colormap.pcx, an indexed .png, a .bmp, .pal or .gpl")
    })?;
    Ok(NamedPalette { palette: Arc::new(palette), name: RawName::of_file(path).as_bytes().into() })
}

/// The palette of an indexed PNG.
fn of_png(bytes: &[u8]) -> Result<Palette, PictureError> {
    let (pixels, _) = read_png(bytes, DecodeOptions::default().max_pixels)?;
    match pixels.data {
        Data::Indexed { palette: Some(palette), .. } => Ok(palette),
        _ => Err(PictureError::NoPalette("PNG")),
    }
}
