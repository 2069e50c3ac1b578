//! The files that a map needs: its textures, and the files that its entities name.
//!
//! **Textures**
//!
//! | map              | asks for                                                                     |
//! |------------------|------------------------------------------------------------------------------|
//! | BSP 29, 30, BSP2 | nothing if the pixels are in the map; else a texture of a WAD that worldspawn names in `wad` |
//! | IBSP 38, QBSP, 41 | `textures/NAME.wal`, or the same name as another picture if the engine loads one |
//! | IBSP 46, 47      | a shader by that name, or a picture                                          |
//!
//! Textures that are only on invisible surfaces (flag 0x80) are not needed.
//!
//! **Entities**: skies, palettes, music, sounds and models, by a rule for each game's keys.
//!
//! A brush model (`*3`), a sound of the player's (`*jump1.wav`), and a name without a required extension
//! are not files. Files that the game's code loads for an entity's class are not found: the code names
//! them, not the map.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::entities::Entity;
use super::file_type::FileType;
use super::types::Kind;
use super::types::bsp::{Map, MapTexture};
use crate::archive::{ReadAt, quoted, shortened};
use crate::format::map::{MapError, Naming, check_count};

/// What kind of file is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A texture that is a file.
    Texture,
    /// A texture in a WAD, or a file that replaces it.
    WadTexture,
    /// A shader, or a picture if there is no such shader.
    Shader,
    /// One side of the sky.
    Sky,
    /// A palette.
    Palette,
    /// A model.
    Model,
    /// A sound.
    Sound,
    /// Music.
    Music,
}

impl Role {
    /// A stable lower-case word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Texture | Self::WadTexture => "texture",
            Self::Shader => "shader",
            Self::Sky => "sky",
            Self::Palette => "palette",
            Self::Model => "model",
            Self::Sound => "sound",
            Self::Music => "music",
        }
    }
}

/// The part of a map that needs a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asker {
    /// The map's list of textures.
    Texture {
        /// The number of the record.
        record: u32,
    },
    /// An entity.
    Entity {
        /// Its number, from 0 for worldspawn.
        number: u32,
        /// Its class, which the files that one entity names share.
        class: Arc<[u8]>,
        /// The key that names the file.
        key: Vec<u8>,
    },
}

/// The record, or the entity and its key: `entity 2 "misc", key "model"`.
impl fmt::Display for Asker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Texture { record } => write!(f, "texture {record}"),
            Self::Entity { number, class, key } => {
                let class = shown_class(class);
                write!(f, "entity {number} {}, key {}", quoted(&class), quoted(key))
            }
        }
    }
}

/// The most bytes of an entity's class that are shown.
const MOST_OF_CLASS: usize = 64;

/// An entity's class as it is shown: a long one is cut and ends with `...`.
///
/// A map can name a thousand files in one entity whose class is a megabyte long.
pub(crate) fn shown_class(class: &[u8]) -> Cow<'_, [u8]> {
    shortened(class, MOST_OF_CLASS)
}

/// A file that a map asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// What it is to be.
    pub role: Role,
    /// The names that it may have, without an extension. Any one of them is enough.
    pub stems: Vec<Vec<u8>>,
    /// The extension that the game expects; may be empty.
    pub extension: Vec<u8>,
    /// The part of the map that names it.
    pub asker: Asker,
}

/// All files that a map needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The map's format.
    pub file_type: FileType,
    /// The files.
    pub files: Vec<Ask>,
    /// The WADs that worldspawn names, without their paths.
    pub wads: Vec<Vec<u8>>,
    /// The numbers of textures that the map's list leaves out, with an offset of -1, although faces have them.
    pub left_out: BTreeSet<u32>,
}

/// The sides of a sky.
const SIDES: [&str; 6] = ["rt", "bk", "lf", "ft", "up", "dn"];

/// How many files, and how many WADs, the entities of a map may name. A hostile map could name millions.
const FILES_MAX: u64 = 1 << 16;

/// How many bytes the names of these files may have, and each of them.
const NAMES_MAX: u64 = 8 << 20;
const NAME_MAX: u64 = 4096;

/// How many pieces of music a value names: the first, and the one that repeats after it.
const TRACKS_MAX: usize = 2;

impl Asked {
    /// Lists the files that a map needs.
    ///
    /// # Errors
    /// If it is not a map, cannot be read, or names more than any real map does.
    pub fn by(source: &impl ReadAt) -> Result<Self, MapError> {
        Self::with_entities(source, &[&entities(source)?])
    }

    /// Lists the files that a map needs with these texts of entities. Some engines read a text beside the map in
    /// place of the map's own.
    ///
    /// # Errors
    /// As [`by`](Self::by).
    pub fn with_entities(source: &impl ReadAt, texts: &[&[u8]]) -> Result<Self, MapError> {
        let map = Map::read(source)?;
        let textures = map.textures()?;
        let mut asked = Self {
            file_type: FileType::by_magic(map.header.kind.magic).ok_or(MapError::NotAMap)?,
            files: Vec::new(),
            wads: Vec::new(),
            left_out: map.of_faces(&textures.left_out)?,
        };
        for named in textures.all.iter().filter(|named| !named.is_within) {
            asked.files.extend(texture(map.header.kind.naming, named));
        }
        let mut seen = SeenNames::default();
        asked.files.retain(|ask| seen.insert(ask));
        for text in texts {
            for (number, entity) in (0..).zip(Entity::all(text)) {
                asked.add_entity(number, &entity, &mut seen)?;
            }
        }
        Ok(asked)
    }
}

/// The text of a map's own entities.
///
/// # Errors
/// If it is not a map, or cannot be read.
pub fn entities(source: &dyn ReadAt) -> Result<Vec<u8>, MapError> {
    Map::read(source)?.entities()
}

/// The names of files and WADs that were found before, in lower case.
#[derive(Default)]
struct SeenNames {
    files: BTreeSet<(Role, Option<Vec<u8>>, Vec<u8>)>,
    wads: BTreeSet<Vec<u8>>,
    /// The bytes of the names that entities name.
    named: u64,
}

impl SeenNames {
    /// Returns whether the file is new.
    fn insert(&mut self, ask: &Ask) -> bool {
        let stem = ask.stems.first().map(|stem| stem.to_ascii_lowercase());
        self.files.insert((ask.role, stem, ask.extension.clone()))
    }

    /// Counts the bytes of a name.
    fn count_name(&mut self, name: &[u8]) -> Result<(), MapError> {
        self.named = self.named.saturating_add(name.len() as u64);
        check_count("bytes in the names of files", self.named, NAMES_MAX)
    }
}

/// The file for a texture that is not in the map.
fn texture(naming: Naming, named: &MapTexture) -> Option<Ask> {
    let name = clean(&named.name);
    let file = [b"textures/", &name[..]].concat();
    let (role, stem, extension): (_, _, &[u8]) = match naming {
        // The engine draws these without a file.
        Naming::Shaders if matches!(&name[..], b"noshader" | b"<default>" | b"*white") => {
            return None;
        }
        Naming::Shaders => (Role::Shader, split(&name).0.to_vec(), b"tga"),
        Naming::Texinfo => (Role::Texture, file, b"wal"),
        Naming::Miptex(_) => (Role::WadTexture, file, b""),
    };
    Some(Ask {
        role,
        stems: vec![stem],
        extension: extension.to_vec(),
        asker: Asker::Texture { record: named.record },
    })
}

/// A name with `/` instead of `\`, and without a leading one.
pub(crate) fn clean(name: &[u8]) -> Vec<u8> {
    let start = name.iter().position(|byte| !matches!(byte, b'/' | b'\\'));
    let name = name.get(start.unwrap_or(name.len())..).unwrap_or_default();
    let mut name = name.to_vec();
    for byte in &mut name {
        if *byte == b'\\' {
            *byte = b'/';
        }
    }
    name
}

/// Splits a name into stem and extension, which may be empty.
pub(crate) fn split(name: &[u8]) -> (&[u8], &[u8]) {
    let slash = name.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    let dot = name.iter().rposition(|byte| *byte == b'.').unwrap_or(0);
    if dot <= slash {
        return (name, b"");
    }
    let (stem, extension) = name.split_at(dot);
    (stem, extension.get(1..).unwrap_or_default())
}

/// Which keys of an entity name files, and which files.
struct Rule {
    /// The formats of maps.
    maps: &'static [&'static [FileType]],
    /// The class of the entity, or [`ANY`].
    class: &'static str,
    /// The keys, with spaces between them. `*` at the end stands for any end.
    keys: &'static str,
    /// The folders in which the file may be, with spaces between them.
    folders: &'static str,
    files: NamedFiles,
}

/// Files that a value names.
#[derive(Clone, Copy)]
enum NamedFiles {
    /// WADs, separated by `;`.
    Wads,
    /// The six sides of a sky.
    Sky,
    /// The palette of a folder.
    Palette,
    /// One or two pieces of music.
    Music,
    /// A sound. A name without an extension of a sound is no file.
    Sound,
    /// A sound. `.wav` is added to a name without an extension of a sound.
    SoundOrWav,
    /// A model, a sprite, or a map used as a model.
    Model,
}

use NamedFiles::{Model, Music, Palette, Sky, Sound, SoundOrWav, Wads};

const QUAKE: &[FileType] = &[FileType::Bsp29, FileType::Bsp2, FileType::Bsp2Psb];
const HALF_LIFE: &[FileType] = &[FileType::Bsp30];
const QUAKE2: &[FileType] = &[FileType::Ibsp38, FileType::Qbsp38];
const DAIKATANA: &[FileType] = &[FileType::Ibsp41];
const QUAKE3: &[FileType] = &[FileType::Ibsp46, FileType::Ibsp47];

const ANY: &str = "";
const WORLD: &str = "worldspawn";

/// The rules, each with its source. The first that fits a key is used.
#[rustfmt::skip]
const RULES: [Rule; 15] = [
    Rule { maps: &[FileType::ALL], class: WORLD, keys: "wad", folders: "", files: Wads },
    // QuakeSpasm, gl_sky.c, Sky_NewMap.
    Rule { maps: &[QUAKE], class: WORLD, keys: "sky skyname", folders: "gfx/env/", files: Sky },
    // The game's code gets them by PF_ambientsound and PF_sound.
    Rule {
        maps: &[QUAKE], class: ANY, keys: "noise noise1 noise2 noise3 noise4", folders: "sound/",
        files: Sound,
    },
    // Xash3D, mod_bmodel.c and gl_warp.c.
    Rule { maps: &[HALF_LIFE], class: WORLD, keys: "skyname", folders: "gfx/env/", files: Sky },
    // TrenchBroom, HalfLife.fgd.
    Rule {
        maps: &[HALF_LIFE], class: "ambient_generic", keys: "message", folders: "sound/",
        files: Sound,
    },
    // id Quake-2, g_spawn.c, SP_worldspawn.
    Rule { maps: &[QUAKE2], class: WORLD, keys: "sky", folders: "env/", files: Sky },
    // id Quake-2, g_target.c, SP_target_speaker.
    Rule {
        maps: &[QUAKE2], class: "target_speaker", keys: "noise", folders: "sound/",
        files: SoundOrWav,
    },
    Rule { maps: &[QUAKE2], class: ANY, keys: "noise", folders: "sound/", files: Sound },
    // yquake2remaster, stb.c, GetSkyImage.
    Rule { maps: &[DAIKATANA], class: WORLD, keys: "sky", folders: "env/32bit/", files: Sky },
    // TrenchBroom, Daikatana's Common.fgd.
    Rule {
        maps: &[DAIKATANA], class: WORLD, keys: "palette", folders: "textures/", files: Palette,
    },
    Rule {
        maps: &[DAIKATANA], class: ANY, keys: "sound*", folders: "sound/ sounds/", files: Sound,
    },
    // id Quake III, g_spawn.c, SP_worldspawn.
    Rule { maps: &[QUAKE3], class: WORLD, keys: "music", folders: "", files: Music },
    // id Quake III, g_target.c.
    Rule {
        maps: &[QUAKE3], class: "target_speaker", keys: "noise", folders: "", files: SoundOrWav,
    },
    // id Quake III, g_mover.c. Of `model` only the number of a brush model is used.
    Rule { maps: &[QUAKE3], class: ANY, keys: "model2", folders: "", files: Model },
    // Each game's field `model`.
    Rule {
        maps: &[QUAKE, HALF_LIFE, QUAKE2, DAIKATANA], class: ANY, keys: "model mdl", folders: "",
        files: Model,
    },
];

impl Rule {
    /// The rule for a key, in lower case, of an entity of this class.
    fn find(map: FileType, class: &[u8], key: &[u8]) -> Option<&'static Self> {
        RULES.iter().find(|rule| {
            let is_class =
                || rule.class == ANY || class.eq_ignore_ascii_case(rule.class.as_bytes());
            let is_key = |pattern: &str| match pattern.strip_suffix('*') {
                Some(start) => key.starts_with(start.as_bytes()),
                None => key == pattern.as_bytes(),
            };
            rule.maps.iter().any(|maps| maps.contains(&map))
                && rule.keys.split(' ').any(is_key)
                && is_class()
        })
    }

    /// The names in a value.
    fn names<'v>(&self, value: &'v [u8]) -> Vec<&'v [u8]> {
        let Music = self.files else {
            return vec![value];
        };
        let tracks = value.split(u8::is_ascii_whitespace);
        let tracks = tracks.filter(|track| !track.is_empty());
        tracks.take(TRACKS_MAX).collect()
    }

    /// The files of a name, except WADs: what they are, their names and their extension.
    fn files(&self, value: &[u8]) -> Vec<(Role, Vec<Vec<u8>>, Vec<u8>)> {
        let stems = |stem: &[u8]| -> Vec<Vec<u8>> {
            let folders = self.folders.split(' ');
            folders.map(|it| [it.as_bytes(), stem].concat()).collect()
        };
        let mut files = Vec::new();
        match self.files {
            Wads => {}
            Sky => {
                for side in SIDES {
                    let stem = [value, side.as_bytes()].concat();
                    files.push((Role::Sky, stems(&stem), b"tga".to_vec()));
                }
            }
            Palette => {
                let stem = [value, b"/colormap"].concat();
                files.push((Role::Palette, stems(&stem), b"bmp".to_vec()));
            }
            Music => {
                if let Some((stem, extension)) = sound(value, true) {
                    files.push((Role::Music, stems(stem), extension));
                }
            }
            Sound | SoundOrWav => {
                let adds_wav = matches!(self.files, SoundOrWav);
                if let Some((stem, extension)) = sound(value, adds_wav) {
                    files.push((Role::Sound, stems(stem), extension));
                }
            }
            Model => {
                let (stem, extension) = split(value);
                let is_brush = value.starts_with(b"*");
                if !is_brush && !extension.iter().all(u8::is_ascii_digit) {
                    files.push((Role::Model, stems(stem), extension.to_ascii_lowercase()));
                }
            }
        }
        files
    }
}

/// The stem and the extension of a sound, unless the value is empty or names a player's own sound.
fn sound(value: &[u8], adds_wav: bool) -> Option<(&[u8], Vec<u8>)> {
    if value.is_empty() || value.starts_with(b"*") {
        return None;
    }
    let (stem, extension) = split(value);
    if FileType::by_extension(extension).any(|it| it.kind() == Kind::Sound) {
        return Some((stem, extension.to_ascii_lowercase()));
    }
    // If `.wav` is added, a dot in the name does not begin an extension.
    adds_wav.then(|| (value, b"wav".to_vec()))
}

impl Asked {
    /// Adds the files that an entity names, and that nothing before it does.
    fn add_entity(
        &mut self,
        number: u32,
        entity: &Entity<'_>,
        seen: &mut SeenNames,
    ) -> Result<(), MapError> {
        let class = entity.class();
        let shared: Arc<[u8]> = class.into();
        for (key, value) in &entity.pairs {
            let key = key.to_ascii_lowercase();
            let Some(rule) = Rule::find(self.file_type, class, &key) else {
                continue;
            };
            let value = clean(value);
            if value.is_empty() {
                continue;
            }
            if let Wads = rule.files {
                self.add_wads(&value, seen)?;
                continue;
            }
            for name in rule.names(&value) {
                check_count("bytes in the name of a file", name.len() as u64, NAME_MAX)?;
                for (role, stems, extension) in rule.files(name) {
                    let asker =
                        Asker::Entity { number, class: Arc::clone(&shared), key: key.clone() };
                    let ask = Ask { role, stems, extension, asker };
                    self.add_file(ask, seen)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a file that an entity names, if nothing before it does.
    fn add_file(&mut self, ask: Ask, seen: &mut SeenNames) -> Result<(), MapError> {
        if seen.insert(&ask) {
            for stem in &ask.stems {
                seen.count_name(stem)?;
            }
            self.files.push(ask);
            let files = self.files.len() as u64;
            check_count("files that entities name", files, FILES_MAX)?;
        }
        Ok(())
    }

    /// Adds the WADs of a list. Their paths are from the mapper's own disk, so only the names count.
    fn add_wads(&mut self, list: &[u8], seen: &mut SeenNames) -> Result<(), MapError> {
        for path in list.split(|byte| *byte == b';') {
            let mut parts = path.rsplit(|byte| matches!(byte, b'/' | b':'));
            let name = parts.next().unwrap_or_default().trim_ascii();
            if !name.is_empty() && seen.wads.insert(name.to_ascii_lowercase()) {
                seen.count_name(name)?;
                self.wads.push(name.to_vec());
                let wads = self.wads.len() as u64;
                check_count("WADs that entities name", wads, FILES_MAX)?;
            }
        }
        Ok(())
    }
}
