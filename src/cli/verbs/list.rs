//! `list`: shows what is in paks, or what an engine serves from a game's directories.

use clap::Args;
use daisho::ops::context::Refusal;
use daisho::ops::read::list::{ListOptions, list, list_served};
use daisho::ops::row::Summary;

use super::view;
use crate::cli::args::{EngineArgs, GlobArgs, InputArgs, SERVED, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Kind;
use crate::cli::render::list::{Form, Listing};
use crate::cli::render::{Style, Work, report};
use crate::cli::text;

/// Show what is in paks
///
/// One line for each entry, in the order of the directory: its number, counted from 0, its size,
/// what it takes in the pak ('-' where that is the same, and no column where it always is), its
/// kind, and its name, escaped. Where there are several paks, a terminal has a heading for each of
/// them, and in a pipe its path leads every line.
///
/// It decompresses nothing but headers for -l, and never writes a file: see 'daisho verify' for
/// whether the entries are sound.
#[derive(Debug, Args)]
#[command(after_long_help = LIST, override_usage = "daisho list [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    shown: ShownArgs,
    #[command(flatten)]
    served: ServedArgs,
}

const LIST: &str = "\
Rules:
  Arguments after the first archive that are no archives are names of entries, folders, or globs.
  With -r or --files-from all arguments are paths, and -i takes globs.
  Names and paths are escaped, except in JSON and with --names -0.

JSON fields:
  pak, index, name, kind, offset, size, packed_size, compressed. For a loose file: file, name,
  kind, size. With -l also type and facts, as in 'daisho info ARCHIVE NAME --json'. For an archive
  that could not be read: pak, status (unread), problem. name_hex is added if a name is not UTF-8.
  Fields are only ever added.

Examples:
  daisho list pak0.pak '*.tga' maps/             what matches, and a folder
  daisho list -l pak0.pak '*.wav'                with the length of each sound
  daisho list -r games/ -i '*.bsp'               every level below a directory
  daisho list pak0.pak --names -0 | xargs -0 daisho cat pak0.pak | sha256sum
  daisho list -r games/ -i '*.wav' --json | jq -s -c 'sort_by(-.size)[]'
                                                 all sounds, the largest first
  daisho list -r games/ --json | jq -r '[.pak, .name, .size] | @csv'
                                                 a table for a spreadsheet
  daisho list --effective id1 hipnotic --engine quakespasm
                                                 what the game is played with";

/// How entries are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = SHOWN)]
struct ShownArgs {
    /// Also show what each file is: a picture's size, a sound's length, a map's entities
    ///
    /// A column of facts from the files' headers, which are read, and decompressed if necessary.
    /// 'daisho info ARCHIVE NAME' says more about one file.
    #[arg(short, long, conflicts_with = "names")]
    long: bool,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["tree", "names"])]
    json: bool,
    /// As a tree of directories
    #[arg(long, conflicts_with = "names")]
    tree: bool,
    /// Names alone, escaped
    ///
    /// With -0 they are not escaped, each ends in a NUL byte, and where there are several archives so
    /// does the archive's path before it: pairs, as xargs -0 -n2 takes them.
    #[arg(long)]
    names: bool,
    /// With --names, end each name in a NUL byte and escape nothing
    #[arg(short = '0', long, requires = "names", hide_short_help = true)]
    null: bool,
}

/// What an engine serves.
#[derive(Debug, Args)]
#[command(next_help_heading = SERVED)]
struct ServedArgs {
    /// List what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is listed that the engine serves. Archives that it never loads are reported, and with -v
    /// the order in which the others load.
    #[arg(long, conflicts_with_all = ["recursive", "tree"])]
    effective: bool,
    /// Take loose files in, too, which can shadow those in paks
    #[arg(long, requires = "effective")]
    loose: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

impl ListArgs {
    /// Refuses an engine that would say nothing.
    pub(crate) fn check(&self) -> Result<(), Message> {
        self.served.engine.check(self.served.effective)
    }
}

impl ShownArgs {
    fn form(&self) -> Form {
        match (self.names, self.null, self.tree) {
            (true, true, _) => Form::RawNames,
            (true, false, _) => Form::Names,
            (false, _, true) => Form::Tree,
            (false, _, false) => Form::Table,
        }
    }

    fn style(&self) -> Style {
        let kind = match self.form() {
            Form::RawNames => Kind::Binary,
            _ => Kind::Text,
        };
        Style {
            kind,
            ..Style::new(self.json, Work::Looks)
        }
    }
}

pub(super) fn run(mut args: ListArgs, global: &Global) -> Result<Exit, Refusal> {
    if args.served.effective {
        return run_served(&args, global);
    }
    let options = ListOptions {
        selection: args.inputs.selection(&args.globs, &global.context())?,
        search: args.inputs.search(),
        headers: args.shown.long,
    };
    let (paths, several) = (&args.inputs.paths, args.inputs.is_several());
    let mut listing = Listing::new(args.shown.form(), args.shown.long, several);
    let (exit, summary) = report(
        global,
        args.shown.style(),
        |out, row| listing.show(out, row),
        |rows| list(&global.context(), paths, &options, rows),
    );
    let summary = summary.filter(|summary| several && summary.archives > 0);
    if let Some(summary) = summary
        && !args.shown.json
        && !args.shown.names
    {
        global.messages.note(&total(&summary));
    }
    Ok(exit)
}

fn run_served(args: &ListArgs, global: &Global) -> Result<Exit, Refusal> {
    let selection = args.globs.selection()?;
    let view = view::open(&args.inputs.paths, args.served.engine.engine, global)?;
    let winners = view.winners(&selection, args.served.loose);
    view::tell_undefined(&view, &winners, global);
    let mut listing = Listing::new(args.shown.form(), args.shown.long, true);
    let (exit, _) = report(
        global,
        args.shown.style(),
        |out, row| listing.show(out, row),
        |rows| {
            let long = args.shown.long;
            Ok(list_served(&global.context(), winners, long, rows))
        },
    );
    Ok(exit)
}

/// How much there is in all archives.
fn total(summary: &Summary) -> String {
    let paks = text::count(summary.archives, "pak", "paks");
    let entries = text::count(summary.entries, "entry", "entries");
    let size = text::bytes(summary.bytes_out);
    match summary.bytes_in == summary.bytes_out {
        true => format!("{paks}, {entries}, {size}"),
        false => {
            let packed = text::bytes(summary.bytes_in);
            format!("{paks}, {entries}, {size}, {packed} in the paks")
        }
    }
}
