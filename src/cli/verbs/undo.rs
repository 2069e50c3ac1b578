//! `undo`: exchanges an archive and its previous version.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::undo::undo;

use super::edit;
use crate::cli::args::SHOWN;
use crate::cli::exit::Exit;
use crate::cli::global::Global;

/// Take back the last change of add, remove or rename
///
/// These verbs keep the previous archive as ARCHIVE~. 'daisho undo' exchanges the two, so a second
/// 'undo' makes the change again.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct UndoArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// Show what would be taken back, and do nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// One JSON object
    #[arg(long, help_heading = SHOWN)]
    json: bool,
}

const AFTER: &str = "\
JSON fields:
  pak, status (done, planned), added, replaced, removed, renamed, entries, bytes. Fields are only ever
  added.

Examples:
  daisho add mod.pak progs.dat && daisho undo mod.pak
                                                 there and back again
  daisho add mod.pak progs.dat && daisho undo mod.pak -n
                                                 what undo would change";

pub(super) fn run(args: &UndoArgs, global: &Global) -> Result<Exit, Refusal> {
    Ok(edit::run(
        global,
        args.json,
        ("would be ", false),
        |context, rows| undo(context, &args.archive, args.dry_run, rows),
    ))
}
