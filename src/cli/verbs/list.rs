//! `list`: lists the entries of archives, or what an engine serves of a game.

use std::io::{self, IsTerminal as _};

use clap::Args;

use crate::cli::args::{EngineArgs, SERVED, SHOWN};
use crate::cli::inputs::{GlobArgs, InputArgs};
use crate::cli::render::list::{EntryList, Form};
use crate::cli::rows::RunKind;
use crate::cli::ui::Ui;
use crate::cli::verbs::which;
use crate::cli::{output, text};
use crate::ops::finding::Finding;
use crate::ops::{ListOptions, Refusal, list, list_served};

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
    /// Also show facts: the size of a picture, the length of a sound
    #[arg(short, long, conflicts_with = "names", help_heading = SHOWN)]
    long: bool,
    /// Show a tree of folders
    #[arg(long, conflicts_with = "names", help_heading = SHOWN)]
    tree: bool,
    /// Print only names
    #[arg(long, help_heading = SHOWN)]
    names: bool,
    /// End each name with a NUL byte, and escape nothing
    #[arg(short = '0', long, requires = "names", hide_short_help = true, help_heading = SHOWN)]
    null: bool,
    /// List a game as its engine sees it
    ///
    /// PATHs are the directories of a game, the base first. daisho lists the copy of each file that the
    /// engine would use.
    #[arg(long, conflicts_with = "tree", help_heading = SERVED)]
    effective: bool,
    /// Include files outside of archives, as the engine does
    #[arg(long, requires = "effective", help_heading = SERVED)]
    loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    engine: EngineArgs,
}

const LIST: &str = "\
Rules:
  After the first archive, an argument that is not an archive is the name of an
  entry, a folder, or a pattern. With --files-from all arguments are paths.
  Names are escaped, except in JSON and with -0. With -0 and several archives,
  the archive's path precedes each name.

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

impl ListArgs {
    fn form(&self) -> Form {
        match (self.names, self.null, self.tree) {
            (true, true, _) => Form::RawNames,
            (true, false, _) => Form::Names,
            (false, _, true) => Form::Tree,
            (false, _, false) => Form::Table,
        }
    }
}

pub(super) fn run(mut args: ListArgs, ui: &Ui) -> Result<(), Refusal> {
    if ui.json && (args.tree || args.names) {
        let error = Finding::error("--json cannot be combined with --tree or --names");
        return Err(error.advice("give one of them, or try '--help'").into());
    }
    if args.null {
        output::refuse_terminal()?;
    }
    let (globs, effective) = (&args.globs, args.effective);
    let selection = args.inputs.selection(globs, effective, ui)?;
    let (paths, headers) = (&args.inputs.paths, args.long);
    let several = effective || args.inputs.is_several();
    let only = args.inputs.only().filter(|_| !effective);
    let mut listing = EntryList::new(args.form(), args.long, only);
    if effective {
        let view = which::open_view(paths, args.engine.engine, args.loose, ui)?;
        let winners = view.winners(&selection, false);
        ui.run(RunKind::Looks, &mut listing, |context, out| {
            Ok(list_served(context, winners, headers, out))
        })?;
        return Ok(());
    }
    let options = ListOptions { selection, headers, offsets: ui.json };
    let (totals, _) =
        ui.run(RunKind::Looks, &mut listing, |context, out| list(context, paths, &options, out))?;
    // As the headings, the total of a single archive is for people.
    let is_told = several || io::stdout().is_terminal();
    if is_told && totals.archives > 0 && !ui.json && !args.names {
        let entries = text::count(totals.entries, "entry", "entries");
        let mut line = format!("{entries}, {}", text::bytes(totals.bytes));
        if totals.archives > 1 {
            line = format!("{} archives, {line}", totals.archives);
        }
        if totals.packed_bytes != totals.bytes {
            line += &format!(", {} packed", text::bytes(totals.packed_bytes));
        }
        ui.note(&line);
    }
    Ok(())
}
