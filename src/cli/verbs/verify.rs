//! `verify`

use std::io::{self, Write as _};
use std::path::Path;

use daisho::Entry;
use daisho::ops::read::snapshot::{LineDifference, SnapshotOptions, SnapshotResult};
use daisho::ops::read::verify::{CheckedEntry, CheckedPak, Totals, VerifyOptions, verify};
use serde::Serialize;

use super::asked;
use crate::cli::args::VerifyArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind, Output};
use crate::cli::{signals, text};

/// How many rows are written before the problems of their entries are reported, which wait in
/// memory until then.
const ROWS: usize = 4096;

/// See [`VerifyArgs`].
pub(crate) fn run(args: VerifyArgs, global: &Global) -> Result<Exit, Exit> {
    let selection = asked::selection(&args.globs, global)?;
    let update = args.update;
    let options = VerifyOptions {
        recursive: args.inputs.recursive,
        selection,
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
                global.messages.note(&line);
            }
            asked::go_on(went_on)
        })
    });
    let found = asked::accepted(found, global)?;
    exit = exit.and(asked::judge(found.paks, &found.problems, global));
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
    let path = json::Text::pak(&pak.path);
    let mut exit = Exit::Done;
    for some in pak.entries.chunks(ROWS) {
        let mut went_on = true;
        if rows {
            let written = output::write(global, Kind::Text, |out| {
                // Nothing may be reported in here.
                let written = global.messages.aside(|| write_rows(out, &path, pak, some));
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

fn write_rows(
    out: &mut Output,
    path: &json::Text,
    pak: &CheckedPak,
    rows: &[CheckedEntry],
) -> io::Result<()> {
    for row in rows {
        if let Some(entry) = pak.archive.entry(row.index) {
            json::row(out, &Row::new(path, &entry, row))?;
        }
    }
    out.flush()
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    pak: &'a json::Text,
    index: usize,
    #[serde(flatten)]
    name: json::Text,
    size: u64,
    /// `null` where it is damaged.
    crc32: Option<String>,
    status: &'static str,
    /// `null` where there is none.
    problem: Option<String>,
}

impl<'a> Row<'a> {
    fn new(pak: &'a json::Text, entry: &Entry<'_>, row: &CheckedEntry) -> Self {
        let problems = row.problems.iter();
        let problems: Vec<String> = problems
            .map(|problem| match problem.error.offset() {
                Some(offset) => format!("byte {offset}: {}", problem.error.kind()),
                None => problem.error.kind().to_string(),
            })
            .collect();
        Self {
            pak,
            index: entry.index(),
            name: json::Text::name(entry.name().as_bytes()),
            size: entry.size(),
            crc32: row.crc32.map(|crc32| format!("{crc32:08x}")),
            status: row.status.as_str(),
            problem: (!problems.is_empty()).then(|| problems.join("; ")),
        }
    }
}

/// A summary: `3 entries, 1 damaged, 20 bytes sound`.
fn verdict(totals: Totals) -> String {
    let entries = text::count(totals.entries, "entry", "entries");
    let bytes = text::count(totals.bytes, "byte", "bytes");
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
