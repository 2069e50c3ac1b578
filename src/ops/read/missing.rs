//! The files that maps ask for but the game does not serve: textures, and the files that entities name.
//!
//! A game is a list of directories and archives, the base first. With an engine, directories are read and names are
//! compared as that engine does it. Without one, every file in any of them counts, and upper and lower case are the
//! same. [`media::asked`](crate::media::asked) says what a map asks for, and with which keys.
//!
//! | a map asks for | what counts as served                                                      |
//! |----------------|----------------------------------------------------------------------------|
//! | a texture      | the file, or a file with the same name and another type that the engine takes in its place |
//! | a texture of a WAD | a texture in a WAD that the map names, or a picture in `textures/`      |
//! | a shader       | a definition in a script `scripts/*.shader`, or a picture                  |
//! | a side of a sky | a picture                                                                 |
//! | a sound, music | the file, or a file of another type that the engine plays                  |
//! | a model, a palette | the file                                                               |

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::archive::{Archive, Entry, RawName};
use crate::engine::{Engine, Game};
use crate::media::asked::{Ask, Asked, Asker, Role};
use crate::media::entities::shader_names;
use crate::media::{FileType, Kind, MapError};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Notice};
use crate::ops::game::open_whole;
use crate::ops::read::entry_source::EntrySource;
use crate::ops::row::{Delivery, MapRow, MissingRow, Row, Summary};
use crate::ops::source::Selection;

/// What to look for.
#[derive(Debug)]
pub struct MissingOptions {
    /// Which of the game's files are the maps to check. `None` means all of its `.bsp` files.
    pub maps: Option<Selection>,
    /// The engine whose rules apply.
    pub engine: Option<Engine>,
}

/// Finds the files that maps of a game ask for but the game does not serve.
///
/// In the summary, `entries` counts the maps that could be read, `done` the files that they ask for, and `failed`
/// the files that are not served.
///
/// ```
/// use daisho::ops::{Context, MissingOptions, missing};
/// use daisho::ops::row::Row;
/// use daisho::ops::source::Selection;
///
/// # let dir = tempfile::tempdir()?;
/// # let game = dir.path().to_path_buf();
/// # std::fs::create_dir(game.join("maps"))?;
/// # let mut map = b"BSP2".to_vec();
/// # let text = b"{ \"classname\" \"worldspawn\" \"sky\" \"storm_\" }";
/// # map.extend([124_u32.to_le_bytes(), (text.len() as u32).to_le_bytes()].concat());
/// # map.extend([0; 14 * 8]);
/// # map.extend(text);
/// # std::fs::write(game.join("maps/start.bsp"), map)?;
/// let context = Context::new();
/// let maps = Selection::new(&["maps/*.bsp"], &[])?;
/// let options = MissingOptions { maps: Some(maps), engine: None };
/// let mut sky = Vec::new();
/// missing(&context, &[game], &options, &mut |row| {
///     if let Row::Missing(file) = row {
///         sky.push(String::from_utf8_lossy(&file.missing).into_owned());
///     }
/// })?;
/// assert_eq!(sky.len(), 6); // the sides of its sky
/// assert_eq!(sky[0], "gfx/env/storm_rt.tga");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a path of the game does not exist, or is neither a directory nor an archive.
pub fn missing(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &MissingOptions,
    rows: &mut dyn FnMut(Row),
) -> Result<Summary, Refusal> {
    let mut out = Delivery::new(rows);
    let mut findings = Vec::new();
    let game = open_whole(context, paths, options.engine, &mut findings)?;
    let maps = match &options.maps {
        Some(selection) => picked(&game, selection),
        None => picked(&game, &Selection::new(&["*.bsp"], &[])?),
    };
    match &options.maps {
        Some(selection) => findings.extend(selection.unmatched()),
        None if maps.is_empty() => {
            let error = Finding::error(Notice::NoMaps, "the game has no maps");
            findings.extend(paths.first().map(|path| error.at_path(path)));
        }
        None => {}
    }
    let all_asked = context.pool.map(&maps, |map| {
        context.cancel.check()?;
        read(*map)
    });
    let asks_for = |role| {
        let mut files = all_asked.iter().flatten().flat_map(|asked| &asked.files);
        files.any(|ask| ask.role == role)
    };
    let mut served = ServedFiles {
        game: &game,
        shaders: BTreeSet::new(),
        wads: BTreeMap::new(),
    };
    if asks_for(Role::Shader) {
        served.read_shaders(&mut findings);
    }
    if asks_for(Role::WadTexture) {
        let named = all_asked.iter().flatten().flat_map(|asked| &asked.wads);
        served.read_wads(named, &mut findings);
    }
    // The game could be opened, whatever is in it.
    out.summary.archives = 1;
    for (map, asked) in maps.iter().zip(&all_asked) {
        if let Ok(asked) = asked {
            served.report(map, asked, &mut out);
        }
    }
    out.findings(findings);
    let errors = all_asked.into_iter().filter_map(Result::err);
    out.findings(errors);
    Ok(out.summary)
}

/// The selected files that requests can find, in load order, or without an engine sorted by name.
fn picked<'g>(game: &'g Game, selection: &Selection) -> Vec<Entry<'g>> {
    let mut picked = Vec::new();
    for file in game.files() {
        if file.is_found && selection.picks(file.entry.name()) {
            picked.push(file.entry);
        }
    }
    if game.engine().is_none() {
        picked.sort_by_key(|entry| entry.name().as_bytes());
    }
    picked
}

/// Reads what a map asks for.
fn read(map: Entry<'_>) -> Result<Asked, Finding> {
    let source = EntrySource::whole(map)?;
    Asked::by(&source).map_err(|error| match error {
        MapError::Io(error) => Finding::from_io(error).of_entry(&map),
        error => not_looked_into(&error.to_string()).of_entry(&map),
    })
}

/// The largest script or WAD that is read.
const WHOLE_MAX: u64 = 256 << 20;

/// What a game serves.
struct ServedFiles<'g> {
    game: &'g Game,
    /// The shaders that its scripts define, in lower case.
    shaders: BTreeSet<Vec<u8>>,
    /// The textures of its WADs, in lower case, by the WADs' names.
    wads: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>,
}

impl ServedFiles<'_> {
    /// Reads every script of shaders. If one cannot be read, that is a finding.
    fn read_shaders(&mut self, findings: &mut Vec<Finding>) {
        let Ok(scripts) = Selection::new(&["scripts/*.shader"], &[]) else {
            return;
        };
        for script in picked(self.game, &scripts) {
            match whole(script) {
                Ok(text) => {
                    let names = shader_names(&text).map(<[u8]>::to_ascii_lowercase);
                    self.shaders.extend(names);
                }
                Err(error) => findings.push(error),
            }
        }
    }

    /// Reads the names of the textures in these WADs. A WAD may be in any folder of the game.
    fn read_wads<'n>(
        &mut self,
        named: impl Iterator<Item = &'n Vec<u8>>,
        findings: &mut Vec<Finding>,
    ) {
        let named: BTreeSet<Vec<u8>> = named.map(|name| name.to_ascii_lowercase()).collect();
        let Ok(wads) = Selection::new(&["*.wad"], &[]) else {
            return;
        };
        for wad in picked(self.game, &wads) {
            let name = wad.name().last_part().to_ascii_lowercase();
            if !named.contains(&name) {
                continue;
            }
            let opened = whole(wad).and_then(|bytes| Ok(Archive::from_bytes(bytes)?));
            match opened {
                Ok(wad) => {
                    let names = wad.entries().map(|entry| {
                        let name = entry.name().as_bytes();
                        let stem = name.iter().rposition(|byte| *byte == b'.');
                        let stem = stem.and_then(|end| name.get(..end)).unwrap_or(name);
                        stem.to_ascii_lowercase()
                    });
                    let textures = names.collect();
                    self.wads.insert(name, textures);
                }
                Err(error) => findings.push(error.of_entry(&wad)),
            }
        }
    }

    /// Reports the files that a map asks for but the game does not serve.
    fn report(&self, map: &Entry<'_>, asked: &Asked, out: &mut Delivery<'_>) {
        let (mut missing, mut in_wads) = (Vec::new(), Vec::new());
        for ask in asked.files.iter().filter(|ask| !self.has(ask, asked)) {
            match ask.role {
                Role::WadTexture => in_wads.push(self.missing(map, ask)),
                _ => missing.push(self.missing(map, ask)),
            }
        }
        let mut wads = asked.wads.clone();
        wads.retain(|wad| !self.wads.contains_key(&wad.to_ascii_lowercase()));
        // Nobody knows which textures are in a WAD that is missing.
        if wads.is_empty() || in_wads.is_empty() {
            missing.extend(in_wads)
        } else {
            missing.extend(wads.into_iter().map(|wad| missing_wad(map, wad)))
        }
        out.summary.entries += 1;
        out.summary.done += asked.files.len() as u64;
        out.summary.failed += missing.len() as u64;
        let whole = MapRow {
            path: path_of(map),
            name: map.name().as_bytes().to_vec(),
            file_type: asked.file_type,
            asked: asked.files.len(),
            missing: missing.len(),
        };
        for file in missing {
            out.row(Row::Missing(Box::new(file)));
        }
        out.row(Row::Map(whole));
        if let Some(warning) = left_out(asked) {
            out.findings([warning.of_entry(map)]);
        }
    }

    /// Whether a file that is asked for is served, or another file that the engine takes instead.
    fn has(&self, ask: &Ask, asked: &Asked) -> bool {
        let mut stems = ask.stems.iter();
        let within = match ask.role {
            Role::Shader => stems.any(|stem| self.shaders.contains(&stem.to_ascii_lowercase())),
            Role::WadTexture => stems.any(|stem| {
                let name = RawName::new(stem).last_part().to_ascii_lowercase();
                let mut wads = asked
                    .wads
                    .iter()
                    .filter_map(|wad| self.wads.get(&wad.to_ascii_lowercase()));
                wads.any(|textures| textures.contains(&name))
            }),
            _ => false,
        };
        within
            || self
                .names(ask)
                .iter()
                .any(|name| !self.game.find(name).is_empty())
    }

    /// The names of files that will do, beginning with the one that is asked for.
    fn names(&self, ask: &Ask) -> Vec<Vec<u8>> {
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
        let types = FileType::ALL
            .iter()
            .copied()
            .filter(replaces)
            .filter(may_read);
        types.flat_map(FileType::extensions).copied().collect()
    }

    /// The row of a file that is not served.
    fn missing(&self, map: &Entry<'_>, ask: &Ask) -> MissingRow {
        let mut names = self.names(ask).into_iter();
        let first = || ask.stems.first().cloned().unwrap_or_default();
        let missing = match ask.role {
            // It is asked for without an extension.
            Role::Shader | Role::WadTexture => first(),
            _ => names.next().unwrap_or_else(first),
        };
        MissingRow {
            map: map.name().as_bytes().to_vec(),
            path: path_of(map),
            kind: ask.role.as_str(),
            missing,
            instead: names.collect(),
            asker: ask.asker.clone(),
        }
    }
}

/// How many textures that a map leaves out are named in a warning.
const NAMED_MAX: usize = 8;

/// The warning about textures that a map leaves out although its faces have them.
fn left_out(asked: &Asked) -> Option<Finding> {
    let count = asked.left_out.len();
    let mut numbers = Vec::new();
    for number in asked.left_out.iter().take(NAMED_MAX) {
        numbers.push(number.to_string());
    }
    let numbers = numbers.join(", ");
    let why = match count {
        0 => return None,
        1 => format!("the map leaves out texture {numbers}, which its faces have"),
        2..=NAMED_MAX => format!("the map leaves out textures {numbers}, which its faces have"),
        _ => format!("the map leaves out {count} textures that its faces have: {numbers}, ..."),
    };
    let why = format!("{why}; engines show a placeholder");
    Some(Finding::warning(Notice::TexturesLeftOut, why))
}

/// The row of a WAD that is not served.
fn missing_wad(map: &Entry<'_>, wad: Vec<u8>) -> MissingRow {
    MissingRow {
        map: map.name().as_bytes().to_vec(),
        path: path_of(map),
        kind: "wad",
        missing: wad,
        instead: Vec::new(),
        asker: Asker::Entity {
            number: 0,
            class: b"worldspawn"[..].into(),
            key: b"wad".to_vec(),
        },
    }
}

fn path_of(map: &Entry<'_>) -> PathBuf {
    map.path().map_or_else(PathBuf::new, Into::into)
}

/// The content of an entry, unless it is larger than any such file is.
fn whole(entry: Entry<'_>) -> Result<Vec<u8>, Finding> {
    if entry.size() > WHOLE_MAX {
        let size = entry.size();
        let why = format!("it has {size} bytes, and at most {WHOLE_MAX} are read");
        return Err(not_looked_into(&why).of_entry(&entry));
    }
    Ok(entry.read()?)
}

/// The finding for a map, a script or a WAD that cannot be read.
fn not_looked_into(why: &str) -> Finding {
    Finding::error(
        Notice::NotLookedInto,
        format!("the map cannot be read: {why}"),
    )
}
