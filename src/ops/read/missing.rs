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

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::needs::{MapNeeds, ServedFiles, picked};
use crate::archive::Entry;
use crate::engine::Engine;
use crate::media::FileType;
use crate::media::asked::{Ask, Asked, Asker, Role, shown_class};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, no_maps, source_of_map};
use crate::ops::game::{check_readable, open_whole};
use crate::ops::json::{self, escaped, text_entry};
use crate::ops::report::{Sink, hand_on};
use crate::ops::source::Selection;

/// What to look for.
#[derive(Debug)]
pub struct MissingOptions {
    /// Which of the game's files are the maps to check. `None` means all of its `.bsp` files.
    pub maps: Option<Selection>,
    /// The engine whose rules apply.
    pub engine: Option<Engine>,
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

/// What the check of a game reports.
#[derive(Debug)]
pub enum MissingRow {
    /// A file that a map asks for but the game does not serve.
    File(Box<MissingFile>),
    /// A map, reported after all of its missing files.
    Map(MapRow),
}

/// A file that a map asks for but the game does not serve.
#[derive(Debug, serde::Serialize)]
pub struct MissingFile {
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

/// A map, reported after all of its missing files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapRow {
    /// The archive, or the file.
    pub path: PathBuf,
    /// Its name.
    pub name: Vec<u8>,
    /// Its format.
    pub file_type: FileType,
    /// The file from which engines read its entities in place of its own.
    pub entities: Option<Vec<u8>>,
    /// How many files it asks for.
    pub asked: usize,
    /// How many of them are not served.
    pub missing: usize,
}

/// What was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MissingTotals {
    /// Maps that could be read.
    pub maps: u64,
    /// Files that they ask for.
    pub asked: u64,
    /// Files that are not served.
    pub missing: u64,
}

/// Finds the files that maps of a game ask for but the game does not serve.
///
/// ```
/// use daisho::ops::{Context, MissingOptions, MissingRow, Reported, missing};
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
/// let mut reported = Reported::default();
/// missing(&context, &[game], &options, &mut reported)?;
/// for row in reported.rows {
///     if let MissingRow::File(file) = row {
///         sky.push(String::from_utf8_lossy(&file.missing).into_owned());
///     }
/// }
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
    out: &mut dyn Sink<MissingRow>,
) -> Result<MissingTotals, Refusal> {
    let mut totals = MissingTotals::default();
    let mut findings = Vec::new();
    let game = open_whole(context, paths, options.engine, &mut findings)?;
    let maps = match &options.maps {
        Some(selection) => picked(&game, selection),
        None => picked(&game, &Selection::new(&["*.bsp"], &[])?),
    };
    match &options.maps {
        Some(selection) => findings.extend(selection.unmatched()),
        None if maps.is_empty() => {
            if picked(&game, &Selection::default()).is_empty() {
                check_readable(context, &game, paths)?;
            }
            let error = no_maps("the game has no maps");
            findings.extend(paths.first().map(|path| error.at_path(path)));
        }
        None => {}
    }
    let read = context.pool.map(&maps, |map| {
        context.cancel.check()?;
        MapNeeds::read(&game, *map)
    });
    let (mut maps, mut errors) = (Vec::new(), Vec::new());
    for map in read {
        match map {
            Ok(map) => maps.push(map),
            Err(error) => errors.push(error),
        }
    }
    let served = ServedFiles::new(&game, &maps, &mut findings);
    for map in &maps {
        if report(&served, map, &mut totals, out).is_break() {
            return Ok(totals);
        }
    }
    hand_on(out, findings);
    hand_on(out, errors);
    Ok(totals)
}

/// The files that a map asks for but the game does not serve. Nobody knows which textures are in a WAD that is
/// missing, so the WADs are named after the textures.
pub(crate) fn missing_files<'a>(
    served: &'a ServedFiles<'_>,
    needs: &'a MapNeeds<'_>,
) -> impl Iterator<Item = MissingFile> + use<'a> {
    let MapNeeds { map, asked, .. } = needs;
    let asks: Vec<&Ask> = asked.files.iter().filter(|ask| !served.has(ask, asked)).collect();
    let lacks_textures = asks.iter().any(|ask| ask.role == Role::WadTexture);
    let wads = asked.wads.iter().filter(move |wad| lacks_textures && !served.has_wad(wad));
    let files = asks.into_iter().map(|ask| missing_file(served, map, ask));
    files.chain(wads.map(|wad| missing_wad(map, wad.clone())))
}

/// Reports the files that a map asks for but the game does not serve.
fn report(
    served: &ServedFiles<'_>,
    needs: &MapNeeds<'_>,
    totals: &mut MissingTotals,
    out: &mut dyn Sink<MissingRow>,
) -> ControlFlow<()> {
    let MapNeeds { map, asked, ents } = needs;
    totals.maps += 1;
    totals.asked += asked.files.len() as u64;
    let mut missing = 0;
    for file in missing_files(served, needs) {
        missing += 1;
        totals.missing += 1;
        out.row(MissingRow::File(Box::new(file)))?;
    }
    out.row(MissingRow::Map(MapRow {
        path: path_of(map),
        name: map.name().as_bytes().to_vec(),
        file_type: asked.file_type,
        entities: ents.as_ref().map(|ents| ents.name.clone()),
        asked: asked.files.len(),
        missing,
    }))?;
    if let Some(warning) = left_out(asked) {
        out.finding(warning.of_entry(map));
    }
    ControlFlow::Continue(())
}

/// The row of a file that is not served.
fn missing_file(served: &ServedFiles<'_>, map: &Entry<'_>, ask: &Ask) -> MissingFile {
    let missing = served.name(ask);
    let mut instead = served.names(ask);
    instead.retain(|name| *name != missing);
    MissingFile {
        map: map.name().as_bytes().to_vec(),
        path: path_of(map),
        kind: ask.role.as_str(),
        missing,
        instead,
        asker: ask.asker.clone(),
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
    Some(
        Finding::warning(why)
            .many("maps leave out textures that their faces have; engines show a placeholder")
            .advice("compile the map again with the WADs that have these textures"),
    )
}

/// The row of a WAD that is not served.
fn missing_wad(map: &Entry<'_>, wad: Vec<u8>) -> MissingFile {
    MissingFile {
        map: map.name().as_bytes().to_vec(),
        path: path_of(map),
        kind: "wad",
        missing: wad,
        instead: Vec::new(),
        asker: Asker::Entity { number: 0, class: b"worldspawn"[..].into(), key: b"wad".to_vec() },
    }
}

fn path_of(map: &Entry<'_>) -> PathBuf {
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
