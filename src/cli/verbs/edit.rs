//! `add`, `remove`, `rename` and `undo`: change an archive.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;

use crate::Archive;
use crate::cli::args::{PackArgs, engines, with_engines};
use crate::cli::inputs::{GlobArgs, PathListArgs};
use crate::cli::output::Stdout;
use crate::cli::render::written::{edit_words, run_edit, show_changes};
use crate::cli::rows::{RunKind, Show};
use crate::cli::ui::Ui;
use crate::cli::verbs::diff;
use crate::cli::{complete, text};
use crate::engine::Engines;
use crate::ops::catalogue::ChangeRow;
use crate::ops::edit::backup_of;
use crate::ops::{self, AddOptions, Edit, EditOptions, Refusal, UndoRow};

/// Add files to an archive, or replace entries
///
/// Names are the paths as typed, as with zip and tar: 'add all.pk3 mymod/maps' adds mymod/maps/...,
/// and with '--root mymod' maps/... New entries go last; a replaced entry keeps its place. The previous
/// archive stays as ARCHIVE~; 'daisho undo' exchanges the two.
#[derive(Debug, Args)]
#[command(after_long_help = rules_and(ADD))]
pub(crate) struct AddArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// Files, and directories whose files are added
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    #[arg(value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    list: PathListArgs,
    /// Store a single file under NAME
    #[arg(long = "as", value_name = "NAME", conflicts_with = "root")]
    name: Option<OsString>,
    /// Replace entries that have the same name
    #[arg(short, long, help_heading = "Overwriting")]
    force: bool,
    #[command(flatten)]
    pack: PackArgs,
    #[command(flatten)]
    globs: GlobArgs,
    #[command(flatten)]
    how: EditArgs,
}

/// Remove entries from an archive
///
/// A NAME is an entry, a folder, or a pattern. If one matches nothing, the archive is not changed. The
/// previous archive stays as ARCHIVE~; 'daisho undo' exchanges the two.
#[derive(Debug, Args)]
#[command(after_long_help = rules_and(REMOVE))]
pub(crate) struct RemoveArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// Names of entries or folders, or patterns
    #[arg(value_name = "NAME", required = true, add = ArgValueCompleter::new(complete::names))]
    names: Vec<OsString>,
    #[command(flatten)]
    how: EditArgs,
}

/// Rename an entry or a folder of an archive
///
/// All entries with that name are renamed. A name that another entry already has is refused. The previous
/// archive stays as ARCHIVE~; 'daisho undo' exchanges the two.
#[derive(Debug, Args)]
#[command(after_long_help = rules_and(RENAME))]
pub(crate) struct RenameArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// The present name
    #[arg(value_name = "OLD", add = ArgValueCompleter::new(complete::names))]
    old: OsString,
    /// The new name
    #[arg(value_name = "NEW")]
    new: OsString,
    #[command(flatten)]
    how: EditArgs,
}

/// Undo the last add, remove or rename
///
/// These verbs keep the previous archive as ARCHIVE~. 'undo' exchanges the two, so a second 'undo' is a
/// redo. It names the entries that this changes.
#[derive(Debug, Args)]
#[command(after_long_help = UNDO)]
pub(crate) struct UndoArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// Show what would be undone, and do nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
}

/// How an archive is changed.
#[derive(Debug, Args)]
struct EditArgs {
    /// Leave out entries that cannot be read
    ///
    /// Without it, an archive with a damaged, encrypted or unsupported entry is not changed. 'add' also leaves out
    /// pictures that cannot be made.
    #[arg(long, help_heading = None)]
    keep_going: bool,
    /// Do not keep the previous archive as ARCHIVE~
    ///
    /// An ARCHIVE~ of an earlier edit stays, and 'daisho undo' goes back to that one.
    #[arg(long, help_heading = None)]
    no_backup: bool,
    /// Show what would be done, and do nothing
    #[arg(short = 'n', long, help_heading = None)]
    dry_run: bool,
    /// Refuse an archive that these engines would not load
    #[arg(long, value_name = "ENGINES", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(FOR))]
    #[arg(help_heading = None)]
    engine: Vec<Engines>,
}

const FOR: &str = "\
Refuse an archive that these engines would not load

An edited archive is never split.";

/// The rules of all three verbs, and the examples of one.
fn rules_and(examples: &str) -> String {
    format!("{RULES}\n\n{examples}")
}

const RULES: &str = "\
Rules:
  The whole archive is written again: gaps, comments, folders, dates and
  permissions of a ZIP are lost. If ARCHIVE~ exists and is not an archive, the
  edit is refused. An edit that changes nothing leaves both as they are.";

const ADD: &str = "\
Examples:
  daisho add mod.pak maps/e1m9.bsp                one file, under this name
  daisho add mod.pak new.bsp --as maps/e1m1.bsp -f
                                                  replace an entry
  daisho add mod.pak mymod/maps --root mymod -f   a folder, as maps/...
  daisho add mod.pak mymod --root mymod -x '*.txt' -f -n
                                                  what a directory would add
  daisho add mod.pak progs.dat && daisho undo mod.pak";

const REMOVE: &str = "\
Examples:
  daisho remove mod.pak maps/e1m1.bsp        one entry
  daisho remove mod.pak sound/ '*.ent'       a folder and a type of files
  daisho remove mod.pak sound --no-backup    keep no mod.pak~";

const RENAME: &str = "\
Examples:
  daisho rename mod.pak maps/e1m1.bsp maps/start.bsp
  daisho rename mod.pak maps/ levels/          a folder";

const UNDO: &str = "\
Examples:
  daisho add mod.pak progs.dat && daisho undo mod.pak
  daisho add mod.pak progs.dat && daisho undo mod.pak -n
                                             what would change";

impl EditArgs {
    fn options(self) -> EditOptions {
        let Self { keep_going, no_backup, dry_run, engine } = self;
        let engines = engine.into_iter().collect();
        EditOptions { engines, keep_going, no_backup, dry_run, to: None }
    }
}

pub(super) fn add_to(mut args: AddArgs, ui: &Ui) -> Result<(), Refusal> {
    args.list.read_into(&mut args.paths)?;
    let format = Archive::open(&args.archive).ok().and_then(|archive| archive.format());
    let is_wad = format.is_some_and(|format| format.spec().has_lumps());
    let adding = AddOptions {
        selection: args.globs.selection()?,
        name: args.name.map(OsString::into_encoded_bytes),
        replace: args.force,
        pack: args.pack.options(is_wad)?,
    };
    run_edit(ui, &args.archive, Edit::Add(args.paths, Box::new(adding)), args.how.options())
}

pub(super) fn remove_from(args: RemoveArgs, ui: &Ui) -> Result<(), Refusal> {
    let names = args.names.into_iter().map(OsString::into_encoded_bytes);
    run_edit(ui, &args.archive, Edit::Remove(names.collect()), args.how.options())
}

pub(super) fn rename_in(args: RenameArgs, ui: &Ui) -> Result<(), Refusal> {
    let rename = Edit::Rename(args.old.into_encoded_bytes(), args.new.into_encoded_bytes());
    run_edit(ui, &args.archive, rename, args.how.options())
}

pub(super) fn undo_in(args: &UndoArgs, ui: &Ui) -> Result<(), Refusal> {
    // The previous version is beside the file that a link leads to. In JSON only the sizes are reported.
    let mut changes = Vec::new();
    if !ui.json
        && let Ok(file) = crate::fs::canonicalize(&args.archive)
    {
        changes = diff::changes(&ui.context(), &file, &backup_of(&file));
    }
    ui.run(RunKind::Writes, &mut ShowUndone { ui, changes }, |context, out| {
        let _ = out.row(ops::undo(context, &args.archive, args.dry_run)?);
        Ok(())
    })?;
    Ok(())
}

/// Shows what an undoing has changed.
struct ShowUndone<'g> {
    ui: &'g Ui,
    changes: Vec<ChangeRow>,
}

impl Show<UndoRow> for ShowUndone<'_> {
    /// `p.pak: 16 entries, 20.1 kB to 15 entries, 19.8 kB`
    fn text(&mut self, out: &mut Stdout, row: UndoRow) -> io::Result<()> {
        let archive = text::path(&row.archive);
        let would = if row.is_planned { "would change " } else { "" };
        let [before, after] = [row.before, row.after].map(|version| {
            let entries = text::count(version.entries, "entry", "entries");
            format!("{entries}, {}", text::bytes(version.bytes))
        });
        show_changes(out, row.is_planned, self.changes.iter().map(edit_words), self.ui)?;
        self.ui.print(out, row.is_planned, &format!("{archive}: {would}{before} to {after}"))
    }
}
