//! `add`, `remove` and `rename`: change an archive.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use daisho::Format;
use daisho::archive::escape;
use daisho::engine::Engines;
use daisho::ops::context::{Existing, Problem, Refusal};
use daisho::ops::edit::{self, Change, EditOptions, Edited};
use daisho::ops::write::{Destination, Outcome, Rules, WriteOptions};

use super::written;
use crate::cli::args::{GlobArgs, PathListArgs, SHOWN, with_engines};
use crate::cli::complete;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};
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
Refuse what this engine would not load, or one of several, with commas between them

The whole archive is judged as convert judges its output: its format, the number of its entries and its \
length. It is never split. What an engine never finds, finds \
only as it is spelled, or serves otherwise than the others, is reported.";

/// The rules of all three verbs, and the examples of one.
fn rules_and(examples: &str) -> String {
    format!("{RULES}\n\n{examples}")
}

const RULES: &str = "\
Rules:
  An archive is written as convert writes it: gaps go, and of a ZIP comments, folders, dates and
  rights.
  -n decodes nothing, so that what is damaged is found only when it is written.
  ARCHIVE~ is replaced only if it is an archive. An edit that changes nothing leaves both as they are.

JSON fields:
  pak, status (done, planned, unchanged), added, replaced, removed, renamed, entries, bytes (null where
  -n cannot know it). Fields are only ever added.";

const ADD: &str = "\
Examples:
  daisho add mod.pak maps/e1m9.bsp               one file, under this name
  daisho add mod.pak new.bsp --as maps/e1m1.bsp -f
                                                 in place of the one of that name
  daisho add mod.pak mymod/ -x '*.txt' -f -n     what a directory would add
  daisho add mod.pak progs.dat && daisho undo mod.pak
                                                 there and back again";

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
    let (edited, rate) = global
        .observe_rate(|context| edit::add(context, archive, paths, name, options, args.force));
    Ok(tell(&edited?, &rate, args.how.json, global))
}

pub(super) fn remove_from(args: &RemoveArgs, global: &Global) -> Result<Exit, Refusal> {
    let names = args
        .names
        .iter()
        .map(|name| name.as_encoded_bytes().to_vec());
    let names: Vec<Vec<u8>> = names.collect();
    let options = args.how.options(&args.archive);
    let (edited, rate) =
        global.observe_rate(|context| edit::remove(context, &args.archive, &names, options));
    Ok(tell(&edited?, &rate, args.how.json, global))
}

pub(super) fn rename_in(args: &RenameArgs, global: &Global) -> Result<Exit, Refusal> {
    let names = (args.old.as_encoded_bytes(), args.new.as_encoded_bytes());
    let options = args.how.options(&args.archive);
    let (edited, rate) = global.observe_rate(|context| {
        edit::rename_entries(context, &args.archive, names, args.prefix, options)
    });
    Ok(tell(&edited?, &rate, args.how.json, global))
}

/// Names every change with `-v`.
pub(super) fn name(changes: &[Change], global: &Global) {
    for line in changes.iter().map(words) {
        global.messages.detail(&line);
    }
}

/// Prints what -n has found: every change.
pub(super) fn show_plan(changes: &[Change], global: &Global) -> Exit {
    written::show_plan(changes.iter().map(words), global)
}

fn tell(edited: &Edited, rate: &str, json: bool, global: &Global) -> Exit {
    let written = &edited.written;
    written::tell_problems(written, global);
    let target = text::path(&written.target);
    let is_planned = written.outcome == Outcome::Planned;
    if matches!(written.outcome, Outcome::Failed | Outcome::Stopped) {
        global.messages.note(&format!("{target}: not changed"));
        return Exit::NotAllWell;
    }
    if !is_planned {
        name(&edited.changes, global);
    }
    let (status, entries, bytes) = match written.outcome {
        Outcome::Planned => ("planned", written.entries_out(), written.bytes_out),
        Outcome::Kept => ("unchanged", written.entries, Some(written.bytes_in)),
        _ => ("done", written.entries_out(), written.bytes_out),
    };
    let entries_in_words = text::count(entries, "entry", "entries");
    let line = match written::summary(written, &entries_in_words) {
        _ if written.outcome == Outcome::Kept => {
            format!("{target}: unchanged, the new archive would be the same")
        }
        Some(words) if is_planned => format!("{target}: {}; {words}", counts(&edited.changes)),
        words => {
            let words = words.unwrap_or_default();
            format!("{target}: {}; {words} in {rate}", counts(&edited.changes))
        }
    };
    let shown = match (json, is_planned) {
        (true, _) => {
            let now = (entries, bytes);
            show_json(&written.target, status, &edited.changes, now, global)
        }
        (false, true) => show_plan(&edited.changes, global),
        (false, false) => Exit::Done,
    };
    global.messages.note(&line);
    match written.problems.iter().any(Problem::is_error) {
        true => shown.and(Exit::NotAllWell),
        false => shown,
    }
}

/// Writes what was changed, or would be, as a row, and how many entries and bytes there are then.
pub(super) fn show_json(
    archive: &Path,
    status: &str,
    changes: &[Change],
    (entries, bytes): (u64, Option<u64>),
    global: &Global,
) -> Exit {
    output::write(global, Kind::Text, |out| {
        json::row(out, |row| {
            row.path("pak", archive)?;
            row.field("status", status)?;
            for (count, what) in numbers(changes) {
                row.field(what, count)?;
            }
            row.field("entries", entries)?;
            row.field("bytes", bytes)
        })?;
        Ok(Exit::Done)
    })
}

/// What became of an entry, in words.
fn words(change: &Change) -> String {
    match change {
        Change::Added { name, size } => format!("add {}: {}", escape(name), text::bytes(*size)),
        Change::Replaced {
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
        Change::Removed { name, size } => {
            format!("remove {}: {}", escape(name), text::bytes(*size))
        }
        Change::Renamed { name, from } => format!("rename {} to {}", escape(from), escape(name)),
        _ => String::new(),
    }
}

/// How many entries were changed in each way, in words.
pub(super) fn counts(changes: &[Change]) -> String {
    let counts = numbers(changes);
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    counts.join(", ")
}

/// How many entries were changed in each way.
fn numbers(changes: &[Change]) -> [(usize, &'static str); 4] {
    let count = |is: fn(&Change) -> bool| changes.iter().filter(|change| is(change)).count();
    [
        (count(|it| matches!(it, Change::Added { .. })), "added"),
        (
            count(|it| matches!(it, Change::Replaced { .. })),
            "replaced",
        ),
        (count(|it| matches!(it, Change::Removed { .. })), "removed"),
        (count(|it| matches!(it, Change::Renamed { .. })), "renamed"),
    ]
}
