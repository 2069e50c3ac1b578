//! `missing`: the files that maps ask for but the game does not serve: textures, and the files that entities name.
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

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::archive::escape;
use crate::cli::args::{engine, with_base};
use crate::cli::exit::Exit;
use crate::cli::output::Stdout;
use crate::cli::rows::{RunKind, Show};
use crate::cli::text;
use crate::cli::ui::Ui;
use crate::engine::Engine;
use crate::ops::finding::{Finding, no_maps};
use crate::ops::game::{check_readable, open_whole};
use crate::ops::read::needs::{
    MapNeeds, MissingFile, ServedFiles, maps_named, missing_files, path_of, picked,
};
use crate::ops::report::hand_on;
use crate::ops::source::Selection;
use crate::ops::{Context, Refusal, Sink};

/// Find the files that maps need and the game does not have
///
/// DIRs are the directories or archives of a game, the base first. With one DIR or none, the base is
/// DAISHO_GAME, if that is set. Each texture, model, sound, sky and piece of music that a map names is
/// looked up as the engine does.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct MissingArgs {
    /// The directories or archives of a game, the base first, then mods
    #[arg(value_name = "DIR", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Check these maps: names or patterns such as 'e1*.bsp' [default: all maps]
    #[arg(long, value_name = "MAP")]
    map: Vec<String>,
    /// The engine whose rules apply
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true)]
    #[arg(hide_possible_values = true)]
    engine: Option<Engine>,
}

const AFTER: &str = "\
Rules:
  With --engine, archives load in that engine's order and names are compared as
  it does. Without it, every archive counts and case is ignored.
  An image of another format may replace a texture, and another format of sound
  a sound, if the engine allows that. Textures of a WAD are looked up in the
  WADs that the map names. Files that only shaders, MD3 models or game code ask
  for are not seen. If a file is missing, the exit status is 1.
  A MAP without an extension is a .bsp: 'mine' is maps/mine.bsp.

Examples:
  daisho missing id1 mymod --map maps/mine.bsp --engine quakespasm
  daisho missing baseq2                  all maps of a game";

pub(super) fn run(args: &MissingArgs, ui: &Ui) -> Result<(), Refusal> {
    let mut maps = None;
    if !args.map.is_empty() {
        maps = Some(maps_named(&args.map)?);
    }
    let paths = with_base(args.paths.clone())?;
    if paths.is_empty() {
        let error = Finding::error("'daisho missing' takes the directories or archives of a game");
        return Err(error
            .advice("give them, as in daisho missing id1 mymod, or try '--help'")
            .into());
    }
    let (totals, _) = ui.run(RunKind::Looks, &mut ShowMissing, |context, out| {
        missing(context, &paths, maps.as_ref(), args.engine, ui, out)
    })?;
    if totals.missing > 0 {
        ui.worsen(Exit::NotAllWell);
    }
    if totals.maps > 0 {
        let maps = text::count(totals.maps, "map asks for", "maps ask for");
        let files = text::count(totals.asked, "file", "files");
        let line = format!("{maps} {files}, {} missing", totals.missing);
        ui.note(&line);
        ui.note(
            "not checked: what only the game's code (progs.dat, a DLL) loads for an entity's class",
        );
    }
    Ok(())
}

/// What was looked for.
#[derive(Debug, Default)]
struct MissingTotals {
    /// Maps that could be read.
    maps: u64,
    /// Files that they ask for.
    asked: u64,
    /// Files that are not served.
    missing: u64,
}

/// Shows files that maps ask for.
struct ShowMissing;

impl Show<MissingFile> for ShowMissing {
    fn text(&mut self, out: &mut Stdout, file: MissingFile) -> io::Result<()> {
        let (map, name) = (escape(&file.map), escape(&file.missing));
        writeln!(out, "{map}: {} {name} ({})", file.kind, file.asker)
    }
}

/// How many textures that a map leaves out are named in a warning.
const NAMED_MAX: usize = 8;

/// Finds the files that maps of a game ask for but the game does not serve.
///
/// # Errors
/// If a path of the game does not exist, or is neither a directory nor an archive.
fn missing(
    context: &Context<'_>,
    paths: &[PathBuf],
    selected: Option<&Selection>,
    engine: Option<Engine>,
    ui: &Ui,
    out: &mut dyn Sink<MissingFile>,
) -> Result<MissingTotals, Refusal> {
    let mut totals = MissingTotals::default();
    let mut findings = Vec::new();
    let game = open_whole(context, paths, engine, &mut findings)?;
    let maps = match selected {
        Some(selection) => picked(&game, selection),
        None => picked(&game, &Selection::new(&["*.bsp"], &[])?),
    };
    if let Some(selection) = selected {
        findings.extend(selection.unmatched());
    } else if maps.is_empty() {
        if picked(&game, &Selection::default()).is_empty() {
            check_readable(context, &game, paths)?;
        }
        let error = no_maps("the game has no maps");
        findings.extend(paths.first().map(|path| error.at_path(path)));
    }
    let read = context.pool.map(&maps, |map| {
        context.cancel.check()?;
        MapNeeds::read(&game, *map)
    });
    let (maps, errors): (Vec<_>, Vec<_>) = read.into_iter().partition(Result::is_ok);
    let maps: Vec<MapNeeds<'_>> = maps.into_iter().flatten().collect();
    let served = ServedFiles::new(&game, &maps, &mut findings);
    for needs in &maps {
        let MapNeeds { map, asked, ents } = needs;
        let (count, mut missing) = (asked.files.len() as u64, 0);
        for file in missing_files(&served, needs) {
            missing += 1;
            if out.row(file).is_break() {
                return Ok(totals);
            }
        }
        totals.maps += 1;
        totals.asked += count;
        totals.missing += missing;
        let (path, name) = (text::path(&path_of(map)), escape(map.name().as_bytes()));
        let mut asks = format!("{}: asks for {count}, {missing} missing", asked.file_type);
        if let Some(ents) = ents {
            asks += &format!("; entities from {}", escape(&ents.name));
        }
        ui.detail(&format!("  {path}: {name}, {asks}"));
        if !asked.left_out.is_empty() {
            let count = text::count(asked.left_out.len(), "texture", "textures");
            let numbers = asked.left_out.iter().take(NAMED_MAX).map(ToString::to_string);
            let numbers = numbers.collect::<Vec<_>>().join(", ");
            let why = format!(
                "the map leaves out {count} that its faces have ({numbers}); engines show a placeholder"
            );
            let warning = Finding::warning(why)
                .many("maps leave out textures that their faces have; engines show a placeholder")
                .advice("compile the map again with the WADs that have these textures");
            out.finding(warning.of_entry(map));
        }
    }
    hand_on(out, findings);
    hand_on(out, errors.into_iter().filter_map(Result::err));
    Ok(totals)
}
