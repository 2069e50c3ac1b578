//! `add`, `remove` and `rename`: change an archive.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use daisho::Format;
use daisho::archive::escape;
use daisho::engine::Engines;
use daisho::ops::context::{Context, Existing, Refusal};
use daisho::ops::edit::{self, EditOptions};
use daisho::ops::row::{Edit, EditRow, Outcome, Row, Summary};
use daisho::ops::write::{Destination, Rules, WriteOptions};

use super::written;
use crate::cli::args::{GlobArgs, PathListArgs, SHOWN, with_engines};
use crate::cli::complete;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;
use crate::cli::values::engines;

/// Add files to an archive, or replace entries by files
///
/// The files are named as 'create' names them: those of one directory by their paths from there,
/// others as they were typed. New entries go last; one that is replaced keeps its place. Everything
/// else is copied as it is.
///
/// daisho writes a new archive and renames it over the old one, which stays as ARCHIVE~. 'daisho undo'
/// exchanges the two.
#[derive(Debug, Args)]
#[command(after_long_help = rules_and(ADD))]
pub(crate) struct AddArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// A file, or a directory whose files are meant
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    #[arg(value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    list: PathListArgs,
    /// The name that one file gets in the archive
    #[arg(long = "as", value_name = "NAME")]
    name: Option<OsString>,
    /// Replace what has the name of a file
    #[arg(short, long, help_heading = "Overwriting")]
    force: bool,
    #[command(flatten)]
    globs: GlobArgs,
    #[command(flatten)]
    how: EditArgs,
}

/// Remove entries from an archive
///
/// A name is that of an entry, case included, or of a folder of them. One that nothing has is a glob:
/// without '/' it is about the last part of a name, wherever that stands, and ASCII case is ignored. What
/// means nothing is refused, and nothing is changed then.
///
/// daisho writes a new archive and renames it over the old one, which stays as ARCHIVE~. 'daisho undo'
/// exchanges the two. The other entries keep their order.
#[derive(Debug, Args)]
#[command(after_long_help = rules_and(REMOVE))]
pub(crate) struct RemoveArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// The name of an entry or a folder, or a glob
    #[arg(value_name = "NAME", required = true, add = ArgValueCompleter::new(complete::names))]
    names: Vec<OsString>,
    #[command(flatten)]
    how: EditArgs,
}

/// Give an entry of an archive another name
///
/// Of several entries of the name all get the other one. A new name that another entry has is
/// refused.
///
/// daisho writes a new archive and renames it over the old one, which stays as ARCHIVE~. 'daisho undo'
/// exchanges the two. Contents and order stay as they are.
#[derive(Debug, Args)]
#[command(after_long_help = rules_and(RENAME))]
pub(crate) struct RenameArgs {
    /// The archive to change
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    archive: PathBuf,
    /// The name that the entry has
    #[arg(value_name = "OLD", add = ArgValueCompleter::new(complete::names))]
    old: OsString,
    /// The name that it gets
    #[arg(value_name = "NEW")]
    new: OsString,
    /// Rename a folder: everything in OLD is in NEW then
    #[arg(long)]
    prefix: bool,
    #[command(flatten)]
    how: EditArgs,
}

/// How an archive is changed.
#[derive(Debug, Args)]
struct EditArgs {
    /// Leave damaged entries out
    ///
    /// Each one is named, and the exit status is 1. Without it an archive that has one is not changed.
    #[arg(long)]
    keep_going: bool,
    /// Do not keep the previous archive as ARCHIVE~
    #[arg(long)]
    no_backup: bool,
    /// Refuse what this engine, or one of several (A,B), would not load
    #[arg(long, value_name = "ENGINE", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(FOR))]
    engine: Vec<Engines>,
    /// Show what would be done, and do nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// One JSON object
    #[arg(long, help_heading = SHOWN)]
    json: bool,
}

const FOR: &str = "\
Refuse what this engine would not load, or one of several (A,B)

The archive is judged as convert judges its output: its format, the number of its entries and its
length. It is never split. Names that the engine never finds, or finds only as they are spelled,
are reported.";

/// The rules of all three verbs, and the examples of one.
fn rules_and(examples: &str) -> String {
    format!("{RULES}\n\n{examples}")
}

const RULES: &str = "\
Rules:
  The new archive is written as convert writes it: gaps, comments, folders, dates and permissions of
  a ZIP are lost. -n decodes nothing, so it does not find damage.
  ARCHIVE~ is replaced only if it is an archive. An edit that changes nothing keeps both.

JSON fields:
  pak, status (done, planned, unchanged), added, replaced, removed, renamed, entries, bytes (null if
  -n cannot know it). Fields are only ever added.";

const ADD: &str = "\
Examples:
  daisho add mod.pak maps/e1m9.bsp               one file, under this name
  daisho add mod.pak new.bsp --as maps/e1m1.bsp -f
                                                 in place of the entry of that name
  daisho add mod.pak mymod/ -x '*.txt' -f -n     what a directory would add
  daisho add mod.pak progs.dat && daisho undo mod.pak";

const REMOVE: &str = "\
Examples:
  daisho remove mod.pak maps/e1m1.bsp            one entry
  daisho remove mod.pak sound '*.ent'            a folder and a type; the old pak stays as mod.pak~
  daisho remove mod.pak sound --no-backup        without keeping the old pak";

const RENAME: &str = "\
Examples:
  daisho rename mod.pak maps/e1m1.bsp maps/start.bsp
                                                 one entry
  daisho rename mod.pak --prefix maps levels     a folder";

impl AddArgs {
    /// Adds the paths of the list that was given.
    pub(super) fn complete(&mut self) -> Result<(), Message> {
        self.list.complete(&mut self.paths)
    }
}

impl EditArgs {
    fn options(&self, archive: &Path) -> EditOptions {
        let destination = Destination::File(archive.to_path_buf());
        EditOptions {
            write: WriteOptions {
                keep_going: self.keep_going,
                existing: Existing::Replace,
                dry_run: self.dry_run,
                rules: Rules {
                    engines: self.engine.iter().copied().collect(),
                    ..Rules::default()
                },
                // What the archive has is written, and found out when it is opened.
                ..WriteOptions::new(destination, Format::Quake)
            },
            backup: !self.no_backup,
        }
    }
}

pub(super) fn add_to(args: &AddArgs, global: &Global) -> Result<Exit, Refusal> {
    let mut options = args.how.options(&args.archive);
    options.write.selection = args.globs.selection()?;
    options.write.search = args.list.search();
    let name = args.name.as_ref().map(|name| name.as_encoded_bytes());
    let (archive, paths) = (&args.archive, &args.paths);
    Ok(run(global, args.how.json, EDIT, |context, rows| {
        edit::add(context, archive, paths, name, options, args.force, rows)
    }))
}

pub(super) fn remove_from(args: &RemoveArgs, global: &Global) -> Result<Exit, Refusal> {
    let names = args.names.iter();
    let names: Vec<Vec<u8>> = names.map(|name| name.as_encoded_bytes().to_vec()).collect();
    let options = args.how.options(&args.archive);
    Ok(run(global, args.how.json, EDIT, |context, rows| {
        edit::remove(context, &args.archive, &names, options, rows)
    }))
}

pub(super) fn rename_in(args: &RenameArgs, global: &Global) -> Result<Exit, Refusal> {
    let names = (args.old.as_encoded_bytes(), args.new.as_encoded_bytes());
    let options = args.how.options(&args.archive);
    Ok(run(global, args.how.json, EDIT, |context, rows| {
        edit::rename_entries(context, &args.archive, names, args.prefix, options, rows)
    }))
}

/// How the summary of an edit is worded.
const EDIT: (&str, bool) = ("would write ", true);

/// Runs an edit, and shows what was changed. The summary has `would` in it if nothing was done, and the
/// time that it took if `is_timed`.
pub(super) fn run(
    global: &Global,
    as_json: bool,
    (would, is_timed): (&str, bool),
    operation: impl FnOnce(&Context<'_>, &mut dyn FnMut(Row)) -> Result<Summary, Refusal>,
) -> Exit {
    let mut rate = String::new();
    let mut edited = None;
    let (exit, _) = report(
        global,
        Style::new(as_json, Work::Writes),
        |out, row| {
            if let Row::Edit(row) = row {
                show(out, &row, as_json, global)?;
                edited = Some(row);
            }
            Ok(())
        },
        |rows| global.observe_rate(|context| operation(context, rows), &mut rate),
    );
    let Some(edited) = edited else {
        return exit;
    };
    let output = &edited.output;
    let target = text::path(&output.target);
    let mut line = match output.outcome {
        Outcome::Failed | Outcome::Stopped => {
            global.messages.note(&format!("{target}: not changed"));
            return exit.and(Exit::NotAllWell);
        }
        Outcome::Kept => format!("{target}: unchanged, the new archive would be the same"),
        outcome => {
            let mut words = counts(&edited);
            if !words.is_empty() {
                words += "; ";
            }
            if outcome == Outcome::Planned {
                words += would;
            }
            let entries = text::count(output.entries_out(), "entry", "entries");
            let sizes = text::in_and_out(output.bytes_in, output.bytes_out);
            format!("{target}: {words}{entries}, {sizes}")
        }
    };
    if output.outcome == Outcome::Written && is_timed {
        line += &format!(" in {rate}");
    }
    global.messages.note(&line);
    exit
}

/// Shows every change: of a dry run, or with `-v`.
fn show(out: &mut Output, row: &EditRow, as_json: bool, global: &Global) -> io::Result<()> {
    written::tell_hard_to_find(&row.output, global);
    let is_planned = row.output.outcome == Outcome::Planned;
    for change in &row.changes {
        match (is_planned, as_json) {
            (true, false) => writeln!(out, "{}", words(change))?,
            (true, true) => {}
            (false, _) => global.messages.detail(&words(change)),
        }
    }
    Ok(())
}

/// What became of an entry, in words.
fn words(change: &Edit) -> String {
    match change {
        Edit::Added { name, size } => format!("add {}: {}", escape(name), text::bytes(*size)),
        Edit::Replaced {
            name,
            size,
            entries,
        } => {
            let all = match entries {
                1 => String::new(),
                _ => format!(", for {entries} entries"),
            };
            format!("replace {}: {}{all}", escape(name), text::bytes(*size))
        }
        Edit::Removed { name, size } => {
            format!("remove {}: {}", escape(name), text::bytes(*size))
        }
        Edit::Renamed { name, from } => format!("rename {} to {}", escape(from), escape(name)),
    }
}

/// How many entries were changed in each way, in words.
fn counts(row: &EditRow) -> String {
    let mut counts = Vec::new();
    for (count, word) in row.counts() {
        if count > 0 {
            counts.push(format!("{count} {word}"));
        }
    }
    counts.join(", ")
}
