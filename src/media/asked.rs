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
//! **Entities**: the keys of each game, with the source of each.
//!
//! | map          | entity         | key                 | file                          | from                                  |
//! |--------------|----------------|---------------------|-------------------------------|---------------------------------------|
//! | BSP 29, BSP2 | worldspawn     | `sky`, `skyname`    | `gfx/env/VALUE` + side        | QuakeSpasm, gl_sky.c, `Sky_NewMap`    |
//! | BSP 30       | worldspawn     | `skyname`           | `gfx/env/VALUE` + side        | Xash3D, mod_bmodel.c and gl_warp.c    |
//! | BSP 30       | ambient_generic | `message`          | `sound/VALUE`                 | TrenchBroom, HalfLife.fgd             |
//! | IBSP 38      | worldspawn     | `sky`               | `env/VALUE` + side            | id Quake-2, `g_spawn.c`, `SP_worldspawn` |
//! | IBSP 38      | target_speaker | `noise`             | `sound/VALUE`, `.wav` added   | id Quake-2, `g_target.c`, `SP_target_speaker` |
//! | IBSP 41      | worldspawn     | `sky`               | `env/32bit/VALUE` + side      | yquake2remaster, stb.c, `GetSkyImage` |
//! | IBSP 41      | worldspawn     | `palette`           | `textures/VALUE/colormap.bmp` | TrenchBroom, Daikatana's Common.fgd   |
//! | IBSP 41      | any            | `sound`, `sound1` to `sound3`, `sound_*` | `sound/VALUE` or `sounds/VALUE` | the same           |
//! | IBSP 46, 47  | worldspawn     | `music`             | `VALUE`, one or two           | id Quake III, `g_spawn.c`, `SP_worldspawn` |
//! | IBSP 46, 47  | target_speaker | `noise`             | `VALUE`, `.wav` added         | id Quake III, `g_target.c`            |
//! | IBSP 46, 47  | any            | `model2`            | `VALUE`                       | id Quake III, `g_mover.c`             |
//! | Quake's      | any            | `noise`, `noise1` to `noise4` | `sound/VALUE`       | `PF_ambientsound` and `PF_sound` get them from the game's code |
//! | all but 46, 47 | any          | `model`, `mdl`      | `VALUE`                       | each game's `model` field             |
//!
//! A brush model (`*3`), a sound of the player's (`*jump1.wav`), and a name without a required extension
//! are not files. Files that the game's code loads for an entity's class are not found: the code names
//! them, not the map.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::entities::Entity;
use super::types::bsp::{Map, MapError, MapTexture, Naming, check_count};
use super::types::{FileType, Kind};
use crate::archive::ReadAt;

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

/// The most bytes of an entity's class that are shown.
const MOST_OF_CLASS: usize = 64;

/// An entity's class as it is shown: a long one is cut and ends with `...`.
///
/// A map can name a thousand files in one entity whose class is a megabyte long.
#[must_use]
pub fn shown_class(class: &[u8]) -> Cow<'_, [u8]> {
    match class.get(..MOST_OF_CLASS) {
        Some(start) if class.len() > MOST_OF_CLASS => Cow::Owned([start, b"..."].concat()),
        _ => Cow::Borrowed(class),
    }
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
}

/// The sides of a sky.
const SIDES: [&str; 6] = ["rt", "bk", "lf", "ft", "up", "dn"];

/// How many files, and how many WADs, the entities of a map may name. A hostile map could name millions.
const FILES_MAX: u64 = 1 << 16;

/// How many bytes the names of these files may have.
const NAMES_MAX: u64 = 8 << 20;

impl Asked {
    /// Lists the files that a map needs.
    ///
    /// # Errors
    /// If it is not a map, cannot be read, or names more than any real map does.
    pub fn by(source: &impl ReadAt) -> Result<Self, MapError> {
        let map = Map::read(source)?;
        let mut start = [0; 8];
        source.read_full_at(&mut start, 0)?;
        let file_type = FileType::by_magic(&start).ok_or(MapError::NotAMap)?;
        let text = map.entities()?;
        let textures = map.textures()?;
        let mut asked = Self {
            file_type,
            files: Vec::new(),
            wads: Vec::new(),
        };
        for named in textures.iter().filter(|named| !named.is_within) {
            asked.files.extend(texture(map.naming, named));
        }
        let mut seen = Seen::default();
        asked.files.retain(|ask| seen.insert(ask));
        for (number, entity) in (0..).zip(Entity::all(&text)) {
            asked.add_entity(number, &entity, &mut seen);
            let (files, wads) = (asked.files.len() as u64, asked.wads.len() as u64);
            check_count("files that entities name", files, FILES_MAX)?;
            check_count("WADs that entities name", wads, FILES_MAX)?;
            check_count("bytes in the names of files", seen.named, NAMES_MAX)?;
        }
        Ok(asked)
    }
}

/// The names of files and WADs that were found before, in lower case.
#[derive(Default)]
struct Seen {
    files: BTreeSet<(Role, Option<Vec<u8>>, Vec<u8>)>,
    wads: BTreeSet<Vec<u8>>,
    /// The bytes of the names that entities name.
    named: u64,
}

impl Seen {
    /// Returns whether the file is new.
    fn insert(&mut self, ask: &Ask) -> bool {
        let stem = ask.stems.first().map(|stem| stem.to_ascii_lowercase());
        self.files.insert((ask.role, stem, ask.extension.clone()))
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
        Naming::Miptex => (Role::WadTexture, file, b""),
    };
    Some(Ask {
        role,
        stems: vec![stem],
        extension: extension.to_vec(),
        asker: Asker::Texture {
            record: named.record,
        },
    })
}

/// A name with `/` instead of `\`, and without a leading one.
fn clean(name: &[u8]) -> Vec<u8> {
    let start = name.iter().position(|byte| !matches!(byte, b'/' | b'\\'));
    let name = name.get(start.unwrap_or(name.len())..).unwrap_or_default();
    name.split(|byte| *byte == b'\\')
        .collect::<Vec<_>>()
        .join(&b'/')
}

/// Splits a name into stem and extension, which may be empty.
fn split(name: &[u8]) -> (&[u8], &[u8]) {
    let slash = name.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    let dot = name.iter().rposition(|byte| *byte == b'.').unwrap_or(0);
    if dot <= slash {
        return (name, b"");
    }
    let (stem, extension) = name.split_at(dot);
    (stem, extension.get(1..).unwrap_or_default())
}

impl Asked {
    /// Adds the files that an entity names, and that nothing before it does.
    fn add_entity(&mut self, number: u32, entity: &Entity<'_>, seen: &mut Seen) {
        let class = entity.class();
        let shared: Arc<[u8]> = class.into();
        let mut found = Vec::new();
        for (key, value) in &entity.pairs {
            let key = key.to_ascii_lowercase();
            let value = clean(value);
            if value.is_empty() {
                continue;
            }
            if class.eq_ignore_ascii_case(b"worldspawn") && key == b"wad" {
                self.add_wads(&value, seen);
                continue;
            }
            let asker = Asker::Entity {
                number,
                class: Arc::clone(&shared),
                key: key.clone(),
            };
            let files = &mut found;
            KeyFiles { asker, files }.add(self.file_type, class, &key, &value);
        }
        for ask in found {
            if seen.insert(&ask) {
                let names = ask.stems.iter().map(|stem| stem.len() as u64);
                seen.named = seen.named.saturating_add(names.sum());
                self.files.push(ask);
            }
        }
    }

    /// Adds the WADs of a list. Their paths are from the mapper's own disk, so only the names count.
    fn add_wads(&mut self, list: &[u8], seen: &mut Seen) {
        for path in list.split(|byte| *byte == b';') {
            let mut parts = path.rsplit(|byte| matches!(byte, b'/' | b':'));
            let name = parts.next().unwrap_or_default().trim_ascii();
            if !name.is_empty() && seen.wads.insert(name.to_ascii_lowercase()) {
                self.wads.push(name.to_vec());
            }
        }
    }
}

/// Adds the files that a key of an entity names.
struct KeyFiles<'a> {
    asker: Asker,
    files: &'a mut Vec<Ask>,
}

impl KeyFiles<'_> {
    /// Adds the files for a key and its value, in a map of this format.
    fn add(&mut self, map: FileType, class: &[u8], key: &[u8], value: &[u8]) {
        use FileType::{Bsp2, Bsp2Psb, Bsp29, Bsp30, Ibsp38, Ibsp41, Ibsp46, Ibsp47, Qbsp38};
        let is = |name: &str| class.eq_ignore_ascii_case(name.as_bytes());
        let world = is("worldspawn");
        match (map, key) {
            (Bsp29 | Bsp2 | Bsp2Psb, b"sky" | b"skyname") if world => self.sky("gfx/env/", value),
            (Bsp30, b"skyname") if world => self.sky("gfx/env/", value),
            (Ibsp38 | Qbsp38, b"sky") if world => self.sky("env/", value),
            (Ibsp41, b"sky") if world => self.sky("env/32bit/", value),
            (Ibsp41, b"palette") if world => {
                let stem = [b"textures/", value, b"/colormap"].concat();
                self.file(Role::Palette, vec![stem], b"bmp");
            }
            (Ibsp46 | Ibsp47, b"music") if world => {
                for track in value.split(u8::is_ascii_whitespace) {
                    if !track.is_empty() {
                        self.sound(Role::Music, &[""], track, true);
                    }
                }
            }
            (Ibsp46 | Ibsp47, b"noise") if is("target_speaker") => {
                self.sound(Role::Sound, &[""], value, true);
            }
            (Ibsp46 | Ibsp47, b"model2") => self.model(value),
            (Ibsp46 | Ibsp47, _) => {}
            (_, b"model" | b"mdl") => self.model(value),
            (Ibsp38 | Qbsp38, b"noise") => {
                self.sound(Role::Sound, &["sound/"], value, is("target_speaker"));
            }
            (Bsp30, b"message") if is("ambient_generic") => {
                self.sound(Role::Sound, &["sound/"], value, false);
            }
            (Ibsp41, key) if key.starts_with(b"sound") => {
                self.sound(Role::Sound, &["sound/", "sounds/"], value, false);
            }
            (Bsp29 | Bsp2 | Bsp2Psb, b"noise" | b"noise1" | b"noise2" | b"noise3" | b"noise4") => {
                self.sound(Role::Sound, &["sound/"], value, false);
            }
            _ => {}
        }
    }

    fn file(&mut self, role: Role, stems: Vec<Vec<u8>>, extension: &[u8]) {
        self.files.push(Ask {
            role,
            stems,
            extension: extension.to_ascii_lowercase(),
            asker: self.asker.clone(),
        });
    }

    /// Adds the sides of a sky.
    fn sky(&mut self, folder: &str, value: &[u8]) {
        for side in SIDES {
            let stem = [folder.as_bytes(), value, side.as_bytes()].concat();
            self.file(Role::Sky, vec![stem], b"tga");
        }
    }

    /// Adds a sound in one of these folders. A name without an extension of a sound gets `.wav` if `adds_wav`;
    /// otherwise it is not a sound.
    fn sound(&mut self, role: Role, folders: &[&str], value: &[u8], adds_wav: bool) {
        let (stem, extension) = split(value);
        let is_sound = FileType::by_extension(extension).any(|it| it.kind() == Kind::Sound);
        // If `.wav` is added, a dot in the name does not begin an extension.
        let (stem, extension) = match (is_sound, adds_wav) {
            (true, _) => (stem, extension),
            (false, true) => (value, &b"wav"[..]),
            (false, false) => return,
        };
        if stem.first() == Some(&b'*') {
            return;
        }
        let stems = folders
            .iter()
            .map(|folder| [folder.as_bytes(), stem].concat());
        self.file(role, stems.collect(), extension);
    }

    /// Adds a model, a sprite, or a map used as a model.
    fn model(&mut self, value: &[u8]) {
        let (stem, extension) = split(value);
        let is_brush = value.starts_with(b"*");
        if !is_brush && !extension.iter().all(u8::is_ascii_digit) {
            self.file(Role::Model, vec![stem.to_vec()], extension);
        }
    }
}
