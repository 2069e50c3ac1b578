//! `undo`: exchanges an archive and its previous version.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::undo::{Undone, undo};

use super::edit;
use crate::cli::args::SHOWN;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::text;

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
    let undone = undo(&global.context(), &args.archive, args.dry_run)?;
    if !args.dry_run {
        edit::name(&undone.changes, global);
    }
    let archive = text::path(&undone.archive);
    let line = summary(&undone, args.dry_run);
    let now = (undone.entries, Some(undone.bytes.1));
    let shown = match (args.json, args.dry_run) {
        (true, _) => {
            let status = if args.dry_run { "planned" } else { "done" };
            edit::show_json(&undone.archive, status, &undone.changes, now, global)
        }
        (false, true) => edit::show_plan(&undone.changes, global),
        (false, false) => Exit::Done,
    };
    global.messages.note(&format!("{archive}: {line}"));
    Ok(shown)
}

/// What was taken back, and what the archive holds now, in words.
fn summary(undone: &Undone, dry_run: bool) -> String {
    let mut changes = edit::counts(&undone.changes);
    if !changes.is_empty() {
        changes += "; ";
    }
    let would = if dry_run { "would be " } else { "" };
    let entries = text::count(undone.entries, "entry", "entries");
    let (from, to) = undone.bytes;
    let sizes = text::in_and_out(from, Some(to));
    format!("{changes}{would}{entries}, {sizes}")
}
