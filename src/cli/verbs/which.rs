//! `which`: says which copy of a file an engine serves.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::archive::escape;
use daisho::ops::context::Refusal;
use daisho::ops::row::{Row, Served};

use super::view;
use crate::cli::args::{EngineArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;

/// Say which copy of a file an engine serves
///
/// GAMEDIRs are directories such as id1, the base first and mods after it. Over all their archives
/// and loose files, the copy is printed that the engine serves under NAME, then those that it
/// shadows, in the order in which they would take its place. Archives that the engine never loads are
/// reported, with the reason; -v shows the order in which the others load.
///
/// It never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = WHICH, override_usage = WHICH_USAGE)]
pub(crate) struct WhichArgs {
    /// A game's directories, the base first, and after them a name, as the game asks for it
    #[arg(value_name = "GAMEDIR... NAME", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) words: Vec<OsString>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
}

const WHICH_USAGE: &str = "daisho which [OPTIONS] GAMEDIR... NAME";

const WHICH: &str = "\
Rules:
  Names are compared as the engine does: with case or without, and '\\', './', '//' or a leading
  '/' as it treats them. File names are seen as on a file system that tells cases apart.
  A later directory takes precedence over an earlier one, and a later archive over an earlier one
  of its directory. The engine decides which archives it loads, in which order, and whether loose
  files come before them. Warnings name what is not taken into account, such as pak.lst.
  If the engine loads archives in the order in which the file system lists them, each copy that
  may be served is marked 'not defined'. If nothing is served, the exit status is 1.

JSON fields:
  served (true, false, or null if not defined), pak, index, name, size. For a loose file: served,
  file, name, size. name_hex is added if a name is not UTF-8. Fields are only ever added.

Examples:
  daisho which id1 maps/start.bsp
  daisho which id1 hipnotic progs.dat --engine quakespasm";

impl WhichArgs {
    /// Refuses a name without a directory, or the other way round.
    pub(crate) fn check(&self) -> Result<(), Message> {
        if self.words.len() > 1 {
            return Ok(());
        }
        Err(Message::error("which takes a game's directory and a name")
            .help("give both, as in daisho which id1 progs.dat, or try '--help'"))
    }
}

pub(super) fn run(mut args: WhichArgs, global: &Global) -> Result<Exit, Refusal> {
    // clap cannot tell the name from the directories where an option stands between them.
    let name = args.words.pop().unwrap_or_default();
    let folders: Vec<PathBuf> = args.words.into_iter().map(PathBuf::from).collect();
    let view = view::open(&folders, args.engine.engine, global)?;
    let (exit, _) = report(
        global,
        Style::new(args.json, Work::Looks),
        |out, row| {
            // A warning about all copies comes before them.
            global.messages.flush();
            show(out, row)
        },
        |rows| Ok(view.which(name.as_encoded_bytes(), rows)),
    );
    Ok(exit)
}

/// Writes a copy, and whether it is served.
fn show(out: &mut Output, row: Row) -> io::Result<()> {
    let Row::Entry(copy) = row else { return Ok(()) };
    let word = match copy.served {
        Some(Served::Yes) | None => "served",
        Some(Served::No) => "shadowed",
        Some(Served::NotDefined) => "not defined",
    };
    let path = text::path(copy.at.path());
    match copy.at.index() {
        Some(index) => {
            let name = escape(&copy.name);
            writeln!(out, "{word:<8}  {path}: entry {index} \"{name}\"")
        }
        None => writeln!(out, "{word:<8}  {path}"),
    }
}
