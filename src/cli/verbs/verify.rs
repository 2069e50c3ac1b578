//! `verify`

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::Path;

use daisho::ops::context::Problem;
use daisho::ops::snapshot::{Difference, SnapshotOptions, SnapshotReport};
use daisho::ops::verify::{CheckedEntry, CheckedPak, Totals, VerifyOptions, verify};
use serde::Serialize;

use super::asked::{self, count};
use crate::cli::args::VerifyArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind};
use crate::cli::{signals, text};

/// How many rows are written before what is wrong with their entries is told: it waits in memory
/// until then.
const ROWS: usize = 4096;

/// See [`VerifyArgs`].
pub(crate) fn run(args: VerifyArgs, global: &Global) -> Exit {
    let selection = match asked::selection(&args.globs, global) {
        Ok(selection) => selection,
        Err(exit) => return exit,
    };
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
    let report = global.observe(|context| {
        verify(context, paths, &options, |pak| {
            let line = format!("{}: {}", text::path(pak.path), verdict(pak.totals));
            let (shown, went_on) = show(pak, args.json, global);
            exit = exit.and(shown);
            if several && went_on && signals::caught().is_none() {
                global.messages.note(&line);
            }
            match went_on {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })
    });
    let report = match report {
        Ok(report) => report,
        Err(refusal) => return global.messages.refusal(&refusal),
    };
    exit = exit.and(asked::judge(report.paks, &report.problems, global));
    if let (Some(snapshot), Some(options)) = (&report.snapshot, &options.snapshot) {
        exit = exit.and(remembered(snapshot, &options.path, args.json, global));
    }
    if report.paks > 0 && signals::caught().is_none() {
        let paks = match several {
            true => format!("{}, ", count(report.paks as u64, "pak", "paks")),
            false => String::new(),
        };
        let unread = match report.unread {
            0 => String::new(),
            unread => format!("; {} not read", count(unread as u64, "input", "inputs")),
        };
        global
            .messages
            .note(&format!("{paks}{}{unread}", verdict(report.totals)));
    }
    exit
}

/// Tells what is wrong in a pak, and with `rows` shows all of it; and says whether anybody still
/// reads that.
fn show(mut pak: CheckedPak<'_>, rows: bool, global: &Global) -> (Exit, bool) {
    global.messages.problems(&std::mem::take(&mut pak.problems));
    let path = json::Pak::new(pak.path);
    let entries = pak.into_entries();
    if !rows {
        entries.for_each(|entry| global.messages.problems(&entry.problems));
        return (Exit::Done, true);
    }
    let mut entries = entries.peekable();
    let mut problems: Vec<Problem> = Vec::new();
    let (mut exit, mut went_on) = (Exit::Done, true);
    while went_on && entries.peek().is_some() {
        let written = output::write(global, Kind::Text, |out| {
            // Nothing may be told in here.
            let written: io::Result<()> = global.messages.aside(|| {
                for entry in entries.by_ref().take(ROWS) {
                    json::row(out, &Row::new(&path, &entry))?;
                    problems.extend(entry.problems);
                }
                out.flush()
            });
            went_on = written.is_ok();
            written.map(|()| Exit::Done)
        });
        exit = exit.and(written);
        global.messages.problems(&std::mem::take(&mut problems));
    }
    (exit, went_on)
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    pak: &'a json::Pak,
    index: usize,
    #[serde(flatten)]
    name: json::Name,
    size: u32,
    /// `null` where it is damaged.
    crc32: Option<String>,
    status: &'static str,
    /// `null` where there is none.
    problem: Option<String>,
}

impl<'a> Row<'a> {
    fn new(pak: &'a json::Pak, entry: &CheckedEntry<'_>) -> Self {
        let problems = entry.problems.iter();
        let problems: Vec<String> = problems
            .map(|problem| match problem.error.offset() {
                Some(offset) => format!("byte {offset}: {}", problem.error.kind()),
                None => problem.error.kind().to_string(),
            })
            .collect();
        Self {
            pak,
            index: entry.index,
            name: json::Name::new(entry.name.as_bytes()),
            size: entry.size,
            crc32: entry.crc32.map(|crc32| format!("{crc32:08x}")),
            status: entry.status().as_str(),
            problem: (!problems.is_empty()).then(|| problems.join("; ")),
        }
    }
}

/// A sum in words.
fn verdict(totals: Totals) -> String {
    let entries = count(totals.entries, "entry", "entries");
    let bytes = count(totals.bytes, "byte", "bytes");
    let mut words = match totals.damaged {
        0 => format!("{entries}, {bytes}, all sound"),
        damaged => format!("{entries}, {damaged} damaged, {bytes} sound"),
    };
    if totals.warnings > 0 {
        words += &format!(", {}", count(totals.warnings, "warning", "warnings"));
    }
    words
}

/// What the snapshot says. Where rows of JSON are on standard output, the differences are not.
fn remembered(report: &SnapshotReport, path: &Path, rows: bool, global: &Global) -> Exit {
    let place = text::path(path);
    let note = |words: &str| global.messages.note(&format!("{place}: {words}"));
    match report {
        SnapshotReport::Made { lines } => {
            let lines = count(*lines as u64, "entry", "entries");
            note(&format!("made, with {lines}; nothing was compared"));
            Exit::Done
        }
        SnapshotReport::Compared(differences) if differences.is_empty() => {
            note("nothing differs");
            Exit::Done
        }
        SnapshotReport::Renewed(differences) if differences.is_empty() => {
            note("nothing differs, and nothing was renewed");
            Exit::Done
        }
        SnapshotReport::Renewed(differences) => {
            let lines = count(differences.len() as u64, "line", "lines");
            note(&format!("renewed, {lines} differed"));
            Exit::Done
        }
        SnapshotReport::Compared(differences) => {
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
            let lines = count(differences.len() as u64, "line differs", "lines differ");
            let error = Message::error(format!("{lines} from the snapshot"));
            let help = "give --update to renew it, if this is how it should be";
            global.messages.tell(error.place(place).help(help));
            exit
        }
    }
}

fn signed(difference: &Difference) -> String {
    let sign = if difference.added { '+' } else { '-' };
    format!("{sign}{}", difference.line())
}
