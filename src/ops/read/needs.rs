//! What a game has for its maps, and what it lacks: the copy of each file that a map asks for, and the files that this copy needs.
//!
//! | a file            | needs                                                                    |
//! |-------------------|--------------------------------------------------------------------------|
//! | a map             | what [`crate::media::asked`] lists; files of its name that engines load beside it, such as `.lit` |
//! | a shader          | its script, and the pictures that the script names for it                |
//! | an MD2, a DKM     | the skins that it names                                                  |
//!
//! What scripts and models name may be missing, because many name files that their game never had.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::{Archive, Entry, RawName};
use crate::engine::{FileCopy, Game};
use crate::media::asked::{Ask, Asked, Asker, Role, shown_class};
use crate::media::entities::shaders;
use crate::media::{self, Depth, FileType, Kind, MapError, Value};
use crate::ops::finding::{Finding, not_examined, source_of_map};
use crate::ops::json::{self, escaped, text_entry};
use crate::ops::selection::{Selection, entry_names};

/// The extensions of files that engines load beside a map, under its name.
const BESIDE: [&[u8]; 6] = [b"lit", b"ent", b"vis", b"loc", b"aas", b"nav"];

/// The sides of a sky, as a shader's sky has them.
const SIDES: [&[u8]; 6] = [b"_rt", b"_bk", b"_lf", b"_ft", b"_up", b"_dn"];

/// The selected files that requests can find, in load order, or without an engine sorted by name.
pub(crate) fn picked<'g>(game: &'g Game, selection: &Selection) -> Vec<Entry<'g>> {
    let found = game.files().into_iter().filter(|file| file.is_found).map(|file| file.entry);
    let mut picked = selection.of(found.collect(), entry_names);
    if game.engine().is_none() {
        picked.sort_by_key(|entry| entry.name().as_bytes());
    }
    picked
}

/// A map, and what it asks for.
pub(crate) struct MapNeeds<'g> {
    pub(crate) map: Entry<'g>,
    pub(crate) asked: Asked,
    /// The file from which engines read its entities.
    pub(crate) ents: Option<FileCopy<'g>>,
}

impl<'g> MapNeeds<'g> {
    /// Reads what a map asks for. Without an engine, both its own entities and those of the file beside it count.
    pub(crate) fn read(game: &'g Game, map: Entry<'g>) -> Result<Self, Finding> {
        let source = media::whole(map)?;
        let error = |error| match error {
            MapError::Io(error) => Finding::from_io(error).of_entry(&map),
            error => not_examined(format!("the map cannot be read: {error}")).of_entry(&map),
        };
        let own = media::asked::entities(&source).map_err(error)?;
        let ents = game.ents(map.name(), &own);
        let asked = match &ents {
            None => Asked::with_entities(&source, &[&own]),
            Some(ents) if ents.size > SCRIPT_MAX => {
                return Err(too_large(ents.size, SCRIPT_MAX).of_entry(&map));
            }
            Some(ents) if game.engine().is_some() => {
                Asked::with_entities(&source, &[&ents.read()?])
            }
            Some(ents) => Asked::with_entities(&source, &[&own, &ents.read()?]),
        };
        let asked = asked.map_err(error)?;
        Ok(Self { map, asked, ents })
    }
}

/// The largest WAD or model that is read.
const WHOLE_MAX: u64 = 256 << 20;

/// The largest script of shaders, or file of entities, that is read. Real ones have some hundred kilobytes.
const SCRIPT_MAX: u64 = 16 << 20;

/// What a game serves.
pub(crate) struct ServedFiles<'g> {
    game: &'g Game,
    /// The scripts of the shaders that maps ask for, each with its pictures, by the shaders' names in lower case.
    shaders: BTreeMap<Vec<u8>, Vec<FileCopy<'g>>>,
    /// The WADs that maps name, by their names in lower case.
    wads: BTreeMap<Vec<u8>, ServedWad<'g>>,
}

struct ServedWad<'g> {
    file: Option<FileCopy<'g>>,
    /// The names of its textures in lower case.
    textures: BTreeSet<Vec<u8>>,
}

impl<'g> ServedFiles<'g> {
    /// What a game serves to maps that ask for these files. If a script or a WAD cannot be read, that is a finding.
    pub(crate) fn new(game: &'g Game, maps: &[MapNeeds<'_>], findings: &mut Vec<Finding>) -> Self {
        let mut served = Self { game, shaders: BTreeMap::new(), wads: BTreeMap::new() };
        let asks = || maps.iter().flat_map(|map| &map.asked.files);
        if asks().any(|ask| ask.role == Role::Shader) {
            served.read_shaders(maps, findings);
        }
        if asks().any(|ask| ask.role == Role::WadTexture) {
            served.read_wads(maps, findings);
        }
        served
    }

    /// Reads the shaders that maps ask for from every script. If one cannot be read, that is a finding.
    fn read_shaders(&mut self, maps: &[MapNeeds<'_>], findings: &mut Vec<Finding>) {
        let mut asked = BTreeSet::new();
        for ask in maps.iter().flat_map(|map| &map.asked.files) {
            if ask.role == Role::Shader {
                asked.extend(ask.stems.iter().map(|stem| stem.to_ascii_lowercase()));
            }
        }
        let Ok(scripts) = Selection::new(&["scripts/*.shader"], &[]) else {
            return;
        };
        for script in picked(self.game, &scripts) {
            match whole(script, SCRIPT_MAX) {
                Ok(text) => {
                    for shader in shaders(&text) {
                        let name = shader.name.to_ascii_lowercase();
                        if !asked.contains(&name) {
                            continue;
                        }
                        let mut files = Vec::from_iter(self.game.get(script.name().as_bytes()));
                        files.extend(shader.paths.iter().flat_map(|path| self.pictures(path)));
                        self.shaders.insert(name, files);
                    }
                }
                Err(error) => findings.push(error),
            }
        }
    }

    /// Reads the names of the textures in the WADs that maps name. A WAD may be in any folder of the game.
    fn read_wads(&mut self, maps: &[MapNeeds<'_>], findings: &mut Vec<Finding>) {
        let named = maps.iter().flat_map(|map| &map.asked.wads);
        let named: BTreeSet<Vec<u8>> = named.map(|name| name.to_ascii_lowercase()).collect();
        let Ok(wads) = Selection::new(&["*.wad"], &[]) else {
            return;
        };
        for wad in picked(self.game, &wads) {
            let name = wad.name().last_part().to_ascii_lowercase();
            if !named.contains(&name) {
                continue;
            }
            let opened = whole(wad, WHOLE_MAX).and_then(|bytes| Ok(Archive::from_bytes(bytes)?));
            match opened {
                Ok(opened) => {
                    let names = opened.entries().map(|entry| {
                        let name = entry.name().as_bytes();
                        let stem = name.iter().rposition(|byte| *byte == b'.');
                        let stem = stem.and_then(|end| name.get(..end)).unwrap_or(name);
                        stem.to_ascii_lowercase()
                    });
                    let file = self.game.get(wad.name().as_bytes());
                    self.wads.insert(name, ServedWad { file, textures: names.collect() });
                }
                Err(error) => findings.push(error.of_entry(&wad)),
            }
        }
    }

    /// Whether a file that is asked for is served, or another file that the engine takes instead.
    pub(crate) fn has(&self, ask: &Ask, asked: &Asked) -> bool {
        !self.served(ask, asked).is_empty()
    }

    /// The files that serve what is asked for, and what these need. Empty if nothing does.
    pub(crate) fn copies(&self, ask: &Ask, asked: &Asked) -> Vec<FileCopy<'g>> {
        let mut copies = self.served(ask, asked);
        if ask.role == Role::Model {
            for model in copies.clone() {
                for skin in skins(&model, ask) {
                    copies.extend(self.served(&skin, asked));
                }
            }
        }
        copies
    }

    /// The files that serve what is asked for: those of a shader, the WAD of a texture, or the first of its names that is
    /// served. Only WADs that the map names count.
    fn served(&self, ask: &Ask, asked: &Asked) -> Vec<FileCopy<'g>> {
        let mut stems = ask.stems.iter().map(|stem| stem.to_ascii_lowercase());
        let within = match ask.role {
            Role::Shader => stems.find_map(|stem| self.shaders.get(&stem).cloned()),
            Role::WadTexture => stems.find_map(|stem| {
                let wads = asked.wads.iter();
                let mut wads = wads.filter_map(|wad| self.wads.get(&wad.to_ascii_lowercase()));
                let wad =
                    wads.find(|wad| wad.textures.contains(RawName::new(&stem).last_part()))?;
                Some(Vec::from_iter(wad.file.clone()))
            }),
            _ => None,
        };
        within.unwrap_or_else(|| Vec::from_iter(self.first(ask)))
    }

    /// The first file that will do.
    fn first(&self, ask: &Ask) -> Option<FileCopy<'g>> {
        self.names(ask).into_iter().find_map(|name| self.game.get(name))
    }

    /// The files that engines load beside a map.
    pub(crate) fn beside(&self, map: RawName<'_>) -> Vec<FileCopy<'g>> {
        let name = map.as_bytes();
        let stem = name.len() - map.extension().map_or(0, <[u8]>::len);
        let stem = name.get(..stem).unwrap_or(name);
        let names = BESIDE.iter().map(|extension| [stem, extension].concat());
        names.filter_map(|name| self.game.get(name)).collect()
    }

    /// The pictures for a path in a shader: of this name, or the sides of a sky.
    fn pictures(&self, path: &[u8]) -> Vec<FileCopy<'g>> {
        let (stem, extension) = media::asked::split(path);
        let picture = |stem: Vec<u8>| Ask {
            role: Role::Sky,
            stems: vec![stem],
            extension: extension.to_ascii_lowercase(),
            asker: media::asked::Asker::Texture { record: 0 },
        };
        let mut asks = vec![picture(stem.to_vec())];
        asks.extend(SIDES.map(|side| picture([stem, side].concat())));
        asks.iter().filter_map(|ask| self.first(ask)).collect()
    }

    /// The name of the file that is asked for.
    pub(crate) fn name(&self, ask: &Ask) -> Vec<u8> {
        let stem = || ask.stems.first().cloned().unwrap_or_default();
        match ask.role {
            // It is asked for without an extension.
            Role::Shader | Role::WadTexture => stem(),
            _ => self.names(ask).into_iter().next().unwrap_or_else(stem),
        }
    }

    /// The names of files that will do, beginning with the one that is asked for.
    pub(crate) fn names(&self, ask: &Ask) -> Vec<Vec<u8>> {
        let own = core::str::from_utf8(&ask.extension).unwrap_or_default();
        let mut extensions: Vec<&str> = vec![own];
        extensions.extend(self.instead(ask.role));
        let mut seen = BTreeSet::new();
        extensions.retain(|it| !it.is_empty() && seen.insert(*it));
        let names = extensions.iter().flat_map(|extension| {
            let stems = ask.stems.iter();
            stems.map(|stem| [stem, &b"."[..], extension.as_bytes()].concat())
        });
        names.collect()
    }

    /// The extensions of files that the engine takes instead of a file with this role.
    fn instead(&self, role: Role) -> Vec<&'static str> {
        let engine = self.game.engine();
        let replaces = |it: &FileType| match role {
            Role::Texture if !engine.is_none_or(|it| it.profile().replaces_textures) => false,
            Role::Texture => it.is_picture_file(),
            Role::WadTexture | Role::Shader | Role::Sky => it.is_picture_file() && !it.is_texture(),
            Role::Sound | Role::Music => it.kind() == Kind::Sound,
            Role::Model | Role::Palette => false,
        };
        // A type is not left out if it is not known whether the engine reads it.
        let may_read = |it: &FileType| {
            let reads = engine.and_then(|engine| engine.reads(it.as_str()));
            reads != Some(false)
        };
        let types = FileType::ALL.iter().copied().filter(replaces).filter(may_read);
        types.flat_map(FileType::extensions).copied().collect()
    }
}

/// The skins that a model names.
fn skins(model: &FileCopy<'_>, asked_by: &Ask) -> Vec<Ask> {
    let content = if model.size <= WHOLE_MAX { model.read().ok() } else { None };
    // A model that cannot be read names nothing.
    let Some(content) = content else {
        return Vec::new();
    };
    let Ok(found) = media::facts(RawName::new(&model.name), &content, Depth::All) else {
        return Vec::new();
    };
    let mut skins = Vec::new();
    for fact in found.facts {
        let ("skin_names", Value::Texts(names)) = (fact.name, fact.value) else {
            continue;
        };
        for name in names {
            let name = media::asked::clean(&name);
            let (stem, extension) = media::asked::split(&name);
            skins.push(Ask {
                role: Role::Texture,
                stems: vec![stem.to_vec()],
                extension: extension.to_ascii_lowercase(),
                asker: asked_by.asker.clone(),
            });
        }
    }
    skins
}

/// The content of an entry, unless it is larger than any such file is.
fn whole(entry: Entry<'_>, most: u64) -> Result<Vec<u8>, Finding> {
    if entry.size() > most {
        return Err(too_large(entry.size(), most).of_entry(&entry));
    }
    Ok(entry.read()?)
}

fn too_large(size: u64, most: u64) -> Finding {
    not_examined(format!("it has {size} bytes, and at most {most} are read"))
}

/// Selects maps by names and patterns. A name or a pattern without an extension gets `.bsp`.
///
/// # Errors
/// If one is not a pattern.
pub fn maps_named<S: AsRef<str>>(maps: &[S]) -> Result<Selection, Finding> {
    let mut named = Vec::new();
    for map in maps {
        let map = map.as_ref();
        let own = map.rsplit(['/', '\\']).next().unwrap_or(map);
        if own.to_ascii_lowercase().ends_with(".map") {
            return Err(source_of_map(map.as_bytes()));
        }
        let is_stem = !own.is_empty() && !own.contains('.');
        named.push(if is_stem { format!("{map}.bsp") } else { map.to_owned() });
    }
    Selection::new(&named, &[])
}

/// A file that a map asks for but the game does not serve.
#[derive(Debug, serde::Serialize)]
pub(crate) struct MissingFile {
    /// The map's name.
    #[serde(flatten, serialize_with = "json::map")]
    pub map: Vec<u8>,
    /// Where the map is.
    #[serde(flatten, serialize_with = "json::path")]
    pub path: PathBuf,
    /// What kind of file it is.
    pub kind: &'static str,
    /// Its name.
    #[serde(flatten, serialize_with = "json::missing")]
    pub missing: Vec<u8>,
    /// Names of files that the engine would take instead.
    #[serde(serialize_with = "escaped_list")]
    pub instead: Vec<Vec<u8>>,
    /// What in the map asks for it.
    #[serde(flatten, serialize_with = "asker")]
    pub asker: Asker,
}

/// The files that a map asks for but the game does not serve. Nobody knows which textures are in a WAD that is
/// missing, so the WADs are named after the textures.
pub(crate) fn missing_files<'a>(
    served: &'a ServedFiles<'_>,
    needs: &'a MapNeeds<'_>,
) -> impl Iterator<Item = MissingFile> + use<'a> {
    let MapNeeds { map, asked, .. } = needs;
    let row = |kind, missing, instead, asker| MissingFile {
        map: map.name().as_bytes().to_vec(),
        path: path_of(map),
        kind,
        missing,
        instead,
        asker,
    };
    let asks: Vec<&Ask> = asked.files.iter().filter(|ask| !served.has(ask, asked)).collect();
    let lacks_textures = asks.iter().any(|ask| ask.role == Role::WadTexture);
    let files = asks.into_iter().map(move |ask| {
        let missing = served.name(ask);
        let mut instead = served.names(ask);
        instead.retain(|name| *name != missing);
        row(ask.role.as_str(), missing, instead, ask.asker.clone())
    });
    let wads = asked
        .wads
        .iter()
        .filter(move |wad| lacks_textures && !served.wads.contains_key(&wad.to_ascii_lowercase()));
    files.chain(wads.map(move |wad| {
        let (class, key) = (b"worldspawn"[..].into(), b"wad".to_vec());
        row("wad", wad.clone(), Vec::new(), Asker::Entity { number: 0, class, key })
    }))
}

pub(crate) fn path_of(map: &Entry<'_>) -> PathBuf {
    map.path().map_or_else(PathBuf::new, Into::into)
}

fn asker<S: Serializer>(asker: &Asker, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    match asker {
        Asker::Texture { record } => map.serialize_entry("texture", record)?,
        Asker::Entity { number, class, key } => {
            map.serialize_entry("entity", number)?;
            text_entry(&mut map, "class", &shown_class(class))?;
            text_entry(&mut map, "key", key)?;
        }
    }
    map.end()
}

fn escaped_list<S: Serializer>(texts: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    escaped(texts).serialize(serializer)
}
