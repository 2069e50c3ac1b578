//! `missing`: finds the files that maps need and the game does not have.

use crate::ops::Refusal;
use crate::ops::finding::Finding;
use std::io::{self, Write as _};
use std::path::PathBuf;

use crate::archive::escape;
use crate::engine::Engine;
use crate::ops::{MissingFile, MissingOptions, MissingRow, MissingTotals, maps_named, missing};
use clap::{Args, ValueHint};

use crate::cli::args::{engine, with_base};
use crate::cli::output::Stdout;
use crate::cli::render::json_line;
use crate::cli::rows::{RunKind, Show, Totals};
use crate::cli::text;
use crate::cli::ui::Ui;

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

JSON fields:
  map, path, kind, missing, instead (names that would do), and texture, or
  entity, class and key.

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
    let engine = args.engine;
    let options = MissingOptions { maps, engine };
    let mut shown = ShowMissing { ui };
    let (totals, _) =
        ui.run(RunKind::Looks, &mut shown, |context, out| missing(context, &paths, &options, out))?;
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

impl Totals for MissingTotals {
    fn has_failed(&self) -> bool {
        self.missing > 0
    }
}

/// Shows files that maps ask for.
struct ShowMissing<'g> {
    ui: &'g Ui,
}

impl Show<MissingRow> for ShowMissing<'_> {
    fn json(&self, out: &mut Stdout, row: &MissingRow) -> io::Result<bool> {
        match row {
            MissingRow::File(file) => json_line(out, file)?,
            MissingRow::Map(_) => return Ok(false),
        }
        Ok(true)
    }

    fn text(&mut self, out: &mut Stdout, row: MissingRow) -> io::Result<()> {
        match row {
            MissingRow::File(file) => show_file(out, &file),
            MissingRow::Map(map) => {
                let (path, name) = (text::path(&map.path), escape(&map.name));
                let (file_type, asked, missing) = (map.file_type, map.asked, map.missing);
                let mut asks = format!("{file_type}: asks for {asked}, {missing} missing");
                if let Some(entities) = &map.entities {
                    asks += &format!("; entities from {}", escape(entities));
                }
                self.ui.detail(&format!("  {path}: {name}, {asks}"));
                Ok(())
            }
        }
    }
}

fn show_file(out: &mut Stdout, file: &MissingFile) -> io::Result<()> {
    let (map, name) = (escape(&file.map), escape(&file.missing));
    writeln!(out, "{map}: {} {name} ({})", file.kind, file.asker)
}
