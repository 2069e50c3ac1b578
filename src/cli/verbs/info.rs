//! `info`: says which layout paks have and why, which engines load them, what they hold, and what is odd.

use std::io::Write as _;

use clap::Args;
use daisho::engine::Engines;
use daisho::ops::context::Refusal;
use daisho::ops::read::facts::{Asked, Behind, behind};
use daisho::ops::read::info::info;
use daisho::ops::row::Row;

use super::missing;
use crate::cli::args::{InputArgs, SHOWN, with_engines};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::render::facts::block;
use crate::cli::render::info::show;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;
use crate::cli::values::{engines, number};

/// Say which layout paks have and why, which engines load them, and what they hold
///
/// Entries, sizes, gaps, shared contents, everything unusual, and for each engine whether it loads
/// the archive and if not, why; a ZIP's extension counts in that. What the files are, by their first
/// bytes: maps, textures, models, sounds and pictures by format. With --engine also which of them these
/// engines cannot read. -v names every file.
///
/// With NAMEs behind one archive it says what these files are, in detail: a map's title, entities,
/// textures and lumps, the size of a picture, the length and loop of a sound, a model's skins, which
/// game code is for. -v leaves out nothing of a long list.
///
/// Of compressed files it decompresses headers, and of those that are named what their facts need. It
/// never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = INFO, override_usage = USAGE)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Say what these maps ask for that PATH, as a game, does not serve; a glob, such as '*.bsp'
    ///
    /// PATH is then a game's directories and archives, the base first, and MAP picks the maps in them,
    /// by name as elsewhere; one --engine says whose rules hold. Listed is each texture, model, sound,
    /// side of a sky or piece of music that a map names and nothing serves, with who asks for it.
    #[arg(long, value_name = "MAP", conflicts_with = "recursive")]
    pub(crate) missing: Vec<String>,
    /// Check for these engines (A,B); exit status 1 where one does not load an archive
    #[arg(long, value_name = "ENGINE", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(CHECK))]
    pub(crate) engine: Vec<Engines>,
    /// Entries by their numbers, counted from 0, as 'daisho list' shows them, instead of by name
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    #[arg(conflicts_with_all = ["recursive", "missing", "engine", "files_from"])]
    pub(crate) index: Vec<usize>,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
}

const USAGE: &str = "\
daisho info [OPTIONS] PATH...
       daisho info [OPTIONS] ARCHIVE NAME...
       daisho info [OPTIONS] ARCHIVE --index N...";

const CHECK: &str = "\
Check only these engines (A,B); exit status 1 if one of them does not load an archive

The content is judged, and of the name only the extension. A name that an engine never asks for is
reported, but is no failure, because an archive can be renamed.";

const INFO: &str = "\
Rules:
  An argument after the first is another archive if it is a file that begins as one, and else the
  name of an entry. --index picks entries by number. For a damaged entry the facts of its header
  are shown, and the exit status is 1.
  --missing looks in the archives and the loose files of the directories: as --engine loads them
  and compares names, or without it everything, in any case. Another picture type may replace a
  texture, and another sound type a sound, if the engine allows it. Textures of a WAD are looked
  for in the WADs that the map names. What shaders and the game's code ask for is not seen. If
  something is missing, the exit status is 1.

JSON fields:
  pak, layout, why, entries, compressed, size, packed_size, warnings, engines (engine, loads,
  verdict, why), content (kind, type, format, count, entries, names, leaf_bytes for maps of
  Daikatana), contrary (files that are not what their names say: entry, name, found), unread (for
  --engine: engine, kind, type, count). For an archive that could not be read: pak, status
  (unread), problem. For an entry: pak, index, name, kind, size, packed_size, type (null if not
  known), format, contrary, facts (an object whose fields depend on the type), notes. For
  --missing: map, path, kind, missing, instead (names that would do), and texture, or entity, class
  and key. Fields are only ever added.

Examples:
  daisho info pak1.pak
  daisho info pak1.pak maps/e1m2.bsp sound/hit.wav
  daisho info pak0.pk3 --engine qss,fteqw,ioquake3
                                          will all of these load it?
  daisho info id1 mymod --missing maps/mine.bsp --engine quakespasm
  daisho info -r games/ --json | jq -r 'select(.layout == \"daikatana\") | .pak'";

impl InfoArgs {
    /// Refuses several engines where one game is looked at.
    pub(crate) fn check(&self) -> Result<(), Message> {
        let engines: Engines = self.engine.iter().copied().collect();
        if self.missing.is_empty() || engines.len() <= 1 {
            return Ok(());
        }
        Err(Message::error("--missing takes one engine")
            .help("run it once for each, or try '--help'"))
    }
}

pub(super) fn run(args: &InfoArgs, global: &Global) -> Result<Exit, Refusal> {
    if !args.missing.is_empty() {
        let (paths, maps) = (&args.inputs.paths, &args.missing);
        let engine = args.engine.iter().flat_map(|engines| engines.iter()).next();
        return missing::run(paths, maps, engine, args.json, global);
    }
    if !args.inputs.recursive && !args.inputs.list.is_given() && args.engine.is_empty() {
        let paths = &args.inputs.paths;
        match behind(&global.context(), paths, &args.index)? {
            Behind::Paths => {}
            Behind::Entries(asked) => return Ok(look(asked, args.json, global)),
            Behind::Both(name) => {
                let name = text::path(&name);
                let error = format!("both archives and the name of an entry are given: \"{name}\"");
                let help = "give one archive with names, or archives alone";
                global.messages.tell(Message::error(error).help(help));
                return Ok(Exit::Refused);
            }
        }
    }
    let asked: Engines = args.engine.iter().copied().collect();
    let (paths, search) = (&args.inputs.paths, args.inputs.search());
    let mut between = "";
    let (exit, _) = report(
        global,
        Style::new(args.json, Work::Looks),
        |out, row| {
            let Row::Info(info) = row else { return Ok(()) };
            show(out, &info, between, global.messages.verbose())?;
            between = "\n";
            Ok(())
        },
        |rows| info(&global.context(), paths, search, asked, rows),
    );
    Ok(exit)
}

/// Shows the facts of entries.
fn look(asked: Asked, as_json: bool, global: &Global) -> Exit {
    let mut is_first = true;
    let (exit, _) = report(
        global,
        Style::new(as_json, Work::Looks),
        |out, row| {
            let Row::Entry(entry) = row else {
                return Ok(());
            };
            if !core::mem::take(&mut is_first) {
                writeln!(out)?;
            }
            block(out, &entry, global.messages.verbose())
        },
        |rows| asked.look(&global.context(), rows),
    );
    exit
}
