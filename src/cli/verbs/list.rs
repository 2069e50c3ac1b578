//! `list`: lists the entries of archives, or what an engine serves of a game.

use clap::Args;
use daisho::ops::read::list::{ListOptions, list, list_served};
use daisho::ops::row::Summary;

use super::which;
use crate::cli::args::{EngineArgs, SERVED, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::messages::{Message, Refused};
use crate::cli::output::DataKind;
use crate::cli::render::list::{EntryList, Form};
use crate::cli::render::{Action, report_as};
use crate::cli::text;

/// List the entries of archives
///
/// The columns are the number of the entry, its size, its size in the archive if compressed, its kind,
/// and its name. With several archives, a pipe gets the archive's path on each line.
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
  After the first archive, an argument that is not an archive is the name of an
  entry, a folder, or a pattern. With --files-from all arguments are paths.
  Names are escaped, except in JSON and with -0. With -0 and several archives,
  the archive's path precedes each name.

JSON fields:
  archive, index, name, kind (map, picture, model, sound, text, code, other),
  offset, size, packed_size, compressed; with -l also type and facts. For a
  file outside of archives: file, name, kind, size. For an archive that could
  not be read: archive, status (unread), problem.

Examples:
  daisho list pak0.pak '*.tga' maps/          what matches, and a folder
  daisho list -l pak0.pak '*.wav'             with the length of each sound
  daisho list games/ -i '*.bsp'               all archives in a directory
  daisho list pak0.pak --names -0 | xargs -0 daisho cat pak0.pak | sha256sum
  daisho list games/ -i '*.wav' --json | jq -s -c 'sort_by(-.size)[]'
                                              all sounds, the largest first
  daisho list games/ --json | jq -r '[.archive, .name, .size] | @csv'
                                              a table for a spreadsheet
  daisho list --effective id1 hipnotic --engine quakespasm";

/// How entries are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = SHOWN)]
struct ShownArgs {
    /// Also show facts: the size of a picture, the length of a sound
    #[arg(short, long, conflicts_with = "names")]
    long: bool,
    /// Show a tree of folders
    #[arg(long, conflicts_with = "names")]
    tree: bool,
    /// Print only names
    #[arg(long)]
    names: bool,
    /// End each name with a NUL byte, and escape nothing
    #[arg(short = '0', long, requires = "names", hide_short_help = true)]
    null: bool,
}

/// What an engine serves.
#[derive(Debug, Args)]
#[command(next_help_heading = SERVED)]
struct ServedArgs {
    /// List a game as its engine sees it
    ///
    /// PATHs are the directories of a game, the base first. daisho lists the copy of each file that the
    /// engine would use.
    #[arg(long, conflicts_with = "tree")]
    effective: bool,
    /// Include files outside of archives, as the engine does
    #[arg(long, requires = "effective")]
    loose: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

impl ListArgs {
    /// Refuses two forms of output at once, and an engine without `--effective`.
    fn check(&self, json: bool) -> Result<(), Message> {
        if json && (self.shown.tree || self.shown.names) {
            return Err(
                Message::error("--json cannot be combined with --tree or --names")
                    .help("give one of them, or try '--help'"),
            );
        }
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

    /// What standard output gets.
    fn kind(&self) -> DataKind {
        match self.form() {
            Form::RawNames => DataKind::Binary,
            _ => DataKind::Text,
        }
    }
}

pub(super) fn run(mut args: ListArgs, global: &Global) -> Result<Exit, Refused> {
    args.check(global.json)?;
    if args.served.effective {
        return run_served(args, global);
    }
    let options = ListOptions {
        selection: args.inputs.selection(&args.globs, false, global)?,
        headers: args.shown.long,
    };
    let (paths, several) = (&args.inputs.paths, args.inputs.is_several());
    let mut listing = EntryList::new(args.shown.form(), args.shown.long, several);
    let ended = report_as(
        global,
        args.shown.kind(),
        Action::Looks,
        |out, row| listing.show(out, row),
        |context, rows| list(context, paths, &options, rows),
    );
    let summary = ended
        .summary
        .filter(|summary| several && summary.archives > 0);
    if let Some(summary) = summary
        && !global.json
        && !args.shown.names
    {
        global.messages.note(&total(&summary));
    }
    Ok(ended.exit)
}

fn run_served(mut args: ListArgs, global: &Global) -> Result<Exit, Refused> {
    let selection = args.inputs.selection(&args.globs, true, global)?;
    let view = which::open_view(
        &args.inputs.paths,
        args.served.engine.engine,
        args.served.loose,
        global,
    )?;
    let winners = view.winners(&selection, false);
    which::tell_undefined(&view, &winners, global);
    let mut listing = EntryList::new(args.shown.form(), args.shown.long, true);
    let ended = report_as(
        global,
        args.shown.kind(),
        Action::Looks,
        |out, row| listing.show(out, row),
        |context, rows| Ok(list_served(context, winners, args.shown.long, rows)),
    );
    Ok(ended.exit)
}

/// The totals of all archives.
fn total(summary: &Summary) -> String {
    let archives = text::count(summary.archives, "archive", "archives");
    let entries = text::count(summary.entries, "entry", "entries");
    let size = text::bytes(summary.bytes_out);
    match summary.bytes_in == summary.bytes_out {
        true => format!("{archives}, {entries}, {size}"),
        false => {
            let packed = text::bytes(summary.bytes_in);
            format!("{archives}, {entries}, {size}, {packed} in the archives")
        }
    }
}
