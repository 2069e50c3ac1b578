//! `verify`: decodes everything in paks, and compares it with a snapshot.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::read::snapshot::{LineDifference, SnapshotOptions, SnapshotResult};
use daisho::ops::read::verify::{CheckedEntry, CheckedPak, Totals, VerifyOptions, verify};

use crate::cli::args::{ExpansionArgs, GlobArgs, InputArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind, Output, go_on};
use crate::cli::{signals, text};

/// Decode everything in paks, and compare it with a snapshot
///
/// Every entry is read and decompressed as a conversion would; each damage is reported with its
/// entry and byte, and makes the exit status 1.
///
/// It never writes anything but the snapshot, and that only where --update says so.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
    /// Compare the contents with this file, which --update makes
    ///
    /// What differs is printed, and makes the exit status 1. A file that is missing is an error: else a
    /// wrong name, or a snapshot that is lost, would look like a success.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "The snapshot")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Make the snapshot, or renew it
    ///
    /// Neither is done where an input could not be read.
    #[arg(long, requires = "snapshot", help_heading = "The snapshot")]
    pub(crate) update: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

const VERIFY: &str = "\
Rules:
  A snapshot has a line for each entry, sorted by name: CRC-32, size, and escaped name, or
  'damaged' in the place of the CRC-32. It holds contents, not layout, so a Daikatana pak and its
  conversion satisfy the same one. Unless one file is named, each name is led by the pak's path,
  from the directory that was searched.
  With -i or -x only the entries that match are compared, or renewed.
  A file that is no snapshot is never replaced.
  A search with -r warns of what is named like a pak and is none. Where the snapshot has entries
  of it, that is an error.

JSON fields:
  pak, index, name, size, crc32, status (ok, warning, damaged), problem; name_hex too where the
  name is not UTF-8. Fields are only ever added.

Examples:
  daisho verify pak0.pak
  daisho verify -r games/                        every pak below a directory
  daisho verify pak1.pak --snapshot pak1.txt --update   remember what is in it
  daisho verify quake1.pak --snapshot pak1.txt          prove that the conversion lost nothing";

/// How many rows are written before the problems of their entries are reported, which wait in
/// memory until then.
const ROWS: usize = 4096;

pub(super) fn run(args: VerifyArgs, global: &Global) -> Result<Exit, Refusal> {
    let update = args.update;
    let options = VerifyOptions {
        search: args.inputs.search(),
        selection: args.globs.selection()?,
        snapshot: args.snapshot.map(|path| SnapshotOptions { path, update }),
        checksums: args.json,
        max_expansion: args.expansion.max_expansion,
    };
    let paths = &args.inputs.paths;
    let several = args.inputs.recursive || paths.len() > 1;
    let mut exit = Exit::Done;
    let found = global.observe(|context| {
        verify(context, paths, &options, |pak| {
            let line = format!("{}: {}", text::path(&pak.path), verdict(pak.totals));
            let (shown, went_on) = show(&pak, args.json, global);
            exit = exit.and(shown);
            if several && went_on && signals::caught().is_none() {
                global.messages.line(&line);
            }
            go_on(went_on)
        })
    })?;
    exit = exit.and(global.judge(found.paks, &found.problems));
    if let (Some(snapshot), Some(options)) = (&found.snapshot, &options.snapshot) {
        exit = exit.and(compared(snapshot, &options.path, args.json, global));
    }
    if found.paks > 0 && signals::caught().is_none() {
        let paks = match several {
            true => format!("{}, ", text::count(found.paks, "pak", "paks")),
            false => String::new(),
        };
        let unread = match found.unread {
            0 => String::new(),
            unread => format!("; {} not read", text::count(unread, "input", "inputs")),
        };
        global
            .messages
            .note(&format!("{paks}{}{unread}", verdict(found.totals)));
    }
    Ok(exit)
}

/// Reports what is wrong in an archive, and with `rows` shows all of it; and says whether anybody
/// still reads that.
fn show(pak: &CheckedPak, rows: bool, global: &Global) -> (Exit, bool) {
    global.messages.problems(&pak.problems);
    let mut exit = Exit::Done;
    for some in pak.entries.chunks(ROWS) {
        let mut went_on = true;
        if rows {
            let written = output::write(global, Kind::Text, |out| {
                // Nothing may be reported in here.
                let written = global.messages.aside(|| write_rows(out, pak, some));
                went_on = written.is_ok();
                written.map(|()| Exit::Done)
            });
            exit = exit.and(written);
        }
        let problems = some.iter().flat_map(|row| &row.problems);
        problems.for_each(|problem| global.messages.problem(problem));
        if !went_on {
            return (exit, false);
        }
    }
    (exit, true)
}

fn write_rows(out: &mut Output, pak: &CheckedPak, rows: &[CheckedEntry]) -> io::Result<()> {
    for checked in rows {
        let Some(entry) = pak.archive.entry(checked.index) else {
            continue;
        };
        json::row(out, |row| {
            row.path("pak", &pak.path)?;
            row.field("index", entry.index())?;
            row.text("name", entry.name().as_bytes())?;
            row.field("size", entry.size())?;
            row.field("crc32", checked.crc32.map(|crc32| format!("{crc32:08x}")))?;
            row.field("status", checked.status.as_str())?;
            row.field("problem", problem(checked))
        })?;
    }
    out.flush()
}

/// What is wrong with an entry, in words.
fn problem(checked: &CheckedEntry) -> Option<String> {
    let problems = checked.problems.iter();
    let words: Vec<String> = problems
        .map(|problem| match problem.error.offset() {
            Some(offset) => format!("byte {offset}: {}", problem.error.kind()),
            None => problem.error.kind().to_string(),
        })
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// A summary: `3 entries, 1 damaged, 20 bytes sound`.
fn verdict(totals: Totals) -> String {
    let entries = text::count(totals.entries, "entry", "entries");
    let bytes = text::bytes(totals.bytes);
    let mut words = match totals.damaged {
        0 => format!("{entries}, {bytes}, all sound"),
        damaged => format!("{entries}, {damaged} damaged, {bytes} sound"),
    };
    if totals.warnings > 0 {
        words += &format!(", {}", text::count(totals.warnings, "warning", "warnings"));
    }
    words
}

/// Reports the result of comparing with a snapshot. Differences go to standard output, unless rows
/// of JSON go there.
fn compared(result: &SnapshotResult, path: &Path, rows: bool, global: &Global) -> Exit {
    let place = text::path(path);
    let note = |words: &str| global.messages.note(&format!("{place}: {words}"));
    match result {
        SnapshotResult::Made { lines } => {
            let lines = text::count(*lines, "entry", "entries");
            note(&format!("made, with {lines}; nothing was compared"));
            Exit::Done
        }
        SnapshotResult::Compared(differences) if differences.is_empty() => {
            note("nothing differs");
            Exit::Done
        }
        SnapshotResult::Renewed(differences) if differences.is_empty() => {
            note("nothing differs, and nothing was renewed");
            Exit::Done
        }
        SnapshotResult::Renewed(differences) => {
            let lines = text::count(differences.len(), "line", "lines");
            note(&format!("renewed, {lines} differed"));
            Exit::Done
        }
        SnapshotResult::Compared(differences) => {
            let exit = if rows {
                differences
                    .iter()
                    .for_each(|difference| note(&signed(difference)));
                Exit::Done
            } else {
                output::write(global, Kind::Text, |out| {
                    for difference in differences {
                        writeln!(out, "{}", signed(difference))?;
                    }
                    Ok(Exit::Done)
                })
            };
            let lines = text::count(differences.len(), "line differs", "lines differ");
            let error = Message::error(format!("{lines} from the snapshot"));
            let help = "give --update to renew it, if this is how it should be";
            global.messages.tell(error.place(place).help(help));
            exit
        }
    }
}

fn signed(difference: &LineDifference) -> String {
    let sign = if difference.added { '+' } else { '-' };
    format!("{sign}{}", difference.line)
}
