//! `undo`: takes back what `--append` has done to an archive.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::undo::{Undo, Undone, undo};

use super::edit;
use crate::cli::args::SHOWN;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::text;

/// Take back the last change that --append has made to an archive
///
/// The archive is byte for byte what it was before that change. Each call goes back one more, as
/// often as there were changes; 'daisho info' lists them.
///
/// What was interrupted, by a kill or a power cut, is taken back first. An archive that was written
/// anew since, as convert does and the verbs do without --append, has nothing to take back.
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
Rules:
  What a change has left is believed only if its checksum, its place and the header agree, and if
  the directory before it is what it was. What follows the change in the file is cut off with it.

JSON fields:
  pak, status (done, planned), added, replaced, removed, renamed, entries, bytes (null where -n cannot
  know it). Fields are only ever added.

Examples:
  daisho add mod.pak progs.dat --append && daisho undo mod.pak
                                                 there and back again
  daisho add mod.pak progs.dat --append && daisho undo mod.pak -n
                                                 what going back would do";

pub(super) fn run(args: &UndoArgs, global: &Global) -> Result<Exit, Refusal> {
    let undone = undo(&global.context(), &args.archive, args.dry_run)?;
    global.messages.problems(&undone.problems);
    if !args.dry_run {
        edit::name(&undone.changes, global);
    }
    let archive = text::path(&undone.archive);
    let line = summary(&undone, args.dry_run);
    let now = (undone.entries, Some(undone.bytes.1));
    let shown = match (args.json, args.dry_run) {
        (true, _) => edit::show_json(&undone.archive, args.dry_run, &undone.changes, now, global),
        (false, true) => edit::show_plan(&undone.changes, global),
        (false, false) => Exit::Done,
    };
    global.messages.note(&format!("{archive}: {line}"));
    Ok(shown)
}

/// What was taken back, and what there is now, in words.
fn summary(undone: &Undone, dry_run: bool) -> String {
    let what = match undone.undo {
        Undo::Change => edit::counts(&undone.changes),
        Undo::Interrupted => "an interrupted change removed".to_owned(),
        Undo::Torn => "an interrupted change taken back, and the header mended".to_owned(),
    };
    let would = if dry_run { "would be " } else { "" };
    let entries = text::count(undone.entries, "entry", "entries");
    let (from, to) = undone.bytes;
    let sizes = text::in_and_out(from, Some(to));
    let left = match undone.left {
        0 => "nothing more".to_owned(),
        left => text::count(left, "more change", "more changes"),
    };
    format!("{what}; {would}{entries}, {sizes}; {left} to take back")
}
