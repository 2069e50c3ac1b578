//! `info`: says which layout paks have and why, which engines load them, and what is odd.

use std::io::{self, Write as _};
use std::iter;

use clap::Args;
use daisho::archive::Account;
use daisho::engine::{Effect, Engine, Verdict};
use daisho::ops::read::info::{Info, info};
use serde::Serialize;

use crate::cli::args::{InputArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind, Output, go_on};
use crate::cli::text;

/// Say which layout paks have and why, which engines load them, and what is odd
///
/// Entries, sizes, gaps, shared contents, everything unusual, and for each engine whether it loads
/// the archive and if not, why; a ZIP's extension counts in that.
///
/// It never decompresses anything and never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = INFO)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
}

const INFO: &str = "\
JSON fields:
  pak, layout (quake, daikatana), why (a list of sentences), entries, compressed, size,
  packed_size, warnings, engines (a list of engine, loads, outcome, why). Fields are only ever added.

Examples:
  daisho info pak1.pak
  daisho info -r games/ --json | jq -r 'select(.layout == \"daikatana\") | .pak'";

pub(super) fn run(args: InfoArgs, global: &Global) -> Exit {
    let paths = &args.inputs.paths;
    output::write(global, Kind::Text, |out| {
        let mut between = "";
        let mut shown: io::Result<()> = Ok(());
        let told = info(&global.context(), paths, args.inputs.search(), |info| {
            shown = if args.json {
                show_json(out, info)
            } else {
                show(out, info, between)
            };
            between = "\n";
            if shown.is_ok() && info.is_damaged() {
                shown = out.flush();
                global.messages.tell(damaged(info));
            }
            go_on(shown.is_ok())
        });
        shown?;
        Ok(match told {
            Ok(visited) => global.judge(visited.paks, &visited.problems),
            Err(refusal) => global.messages.refusal(&refusal),
        })
    })
}

/// Writes a row. The fields from `file_size` on account for every byte of the file.
fn show_json(out: &mut Output, info: &Info<'_>) -> io::Result<()> {
    let (archive, account) = (info.archive, &info.account);
    let warnings: Vec<String> = info.remarks.iter().map(ToString::to_string).collect();
    let engines: Vec<Judged> = info.engines.iter().map(Judged::new).collect();
    json::row(out, |row| {
        row.path("pak", info.path)?;
        row.field("layout", archive.format().as_str())?;
        row.field("why", archive.why())?;
        row.field("entries", archive.len())?;
        row.field("compressed", info.compressed)?;
        row.field("size", info.size)?;
        row.field("packed_size", info.packed_size)?;
        row.field("warnings", warnings)?;
        row.field("file_size", account.file)?;
        row.field("header_bytes", account.header)?;
        row.field("directory_bytes", account.directory)?;
        row.field("payload_bytes", account.payload)?;
        row.field("gap_bytes", account.gap_bytes())?;
        row.field("trailing_bytes", account.trailing)?;
        row.field("gaps", account.gaps.len())?;
        row.field("shared_extents", account.shared.len())?;
        row.field("shared_bytes_saved", account.saved_by_sharing())?;
        row.field("engines", engines)?;
        match info.stock {
            Some(stock) => row.field("stock", stock.version()),
            None => Ok(()),
        }
    })
}

/// An engine's verdict on the pak.
#[derive(Serialize)]
struct Judged {
    engine: &'static str,
    loads: bool,
    outcome: &'static str,
    why: Vec<String>,
}

impl Judged {
    fn new((engine, verdict): &(Engine, Verdict)) -> Self {
        Self {
            engine: engine.name(),
            loads: verdict.loads(),
            outcome: verdict.effect.as_str(),
            why: verdict.why.iter().map(ToString::to_string).collect(),
        }
    }
}

fn show(out: &mut Output, info: &Info<'_>, between: &str) -> io::Result<()> {
    writeln!(out, "{between}{}", text::path(info.path))?;
    for (label, lines) in facts(info) {
        let labels = iter::once(label).chain(iter::repeat(""));
        for (label, line) in labels.zip(&lines) {
            writeln!(out, "  {label:<9}{}", text::scrub(line))?;
        }
    }
    Ok(())
}

/// What is shown, in order: a label, and the lines beside it.
fn facts(info: &Info<'_>) -> Vec<(&'static str, Vec<String>)> {
    let Info {
        archive,
        account,
        compressed,
        empty,
        packed_size,
        ..
    } = info;
    let size = text::count(info.size, "byte", "bytes");
    let mut facts = vec![
        ("layout", vec![archive.format().as_str().to_owned()]),
        ("why", archive.why().to_vec()),
        (
            "entries",
            vec![format!(
                "{}, {compressed} compressed, {empty} empty",
                archive.len()
            )],
        ),
        ("content", vec![format!("{size}, {packed_size} in the pak")]),
        ("file", vec![account_in_words(account)]),
    ];
    if !account.shared.is_empty() {
        let payloads = text::count(account.shared.len(), "payload", "payloads");
        let entries: usize = account.shared.iter().map(|shared| shared.entries).sum();
        let saved = text::count(account.saved_by_sharing(), "byte", "bytes");
        let line = format!("{payloads} by {entries} entries, {saved} saved");
        facts.push(("shared", vec![line]));
    }
    let stock = info.stock.iter();
    let stock = stock.map(|stock| format!("{stock}, which Quake knows by its directory"));
    facts.push(("stock", stock.collect()));
    facts.push(("engines", engines(info)));
    let remarks = info.remarks.iter();
    facts.push(("unusual", remarks.map(ToString::to_string).collect()));
    facts
}

/// How the bytes of the file are used.
fn account_in_words(account: &Account) -> String {
    let gaps = match account.gaps.len() {
        0 => "gaps 0".to_owned(),
        gaps => format!(
            "{} {}",
            text::count(gaps, "gap", "gaps"),
            account.gap_bytes()
        ),
    };
    format!(
        "{} bytes: header {}, directory {}, payloads {}, {gaps}, behind the end {}",
        account.file, account.header, account.directory, account.payload, account.trailing
    )
}

/// The verdicts of the engines, with engines that agree in one line.
fn engines(info: &Info<'_>) -> Vec<String> {
    let words = |verdict: &Verdict| {
        let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
        let why = why.join("; ");
        match verdict.effect {
            Effect::Loads if why.is_empty() => "loads".to_owned(),
            Effect::Loads => format!("loads, but {why}"),
            Effect::Misread => format!("loads with wrong content: {why}"),
            _ => format!("does not load: {why}"),
        }
    };
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (engine, verdict) in &info.engines {
        let words = words(verdict);
        match groups.iter_mut().find(|(other, _)| *other == words) {
            Some((_, names)) => names.push(engine.name()),
            None => groups.push((words, vec![engine.name()])),
        }
    }
    let line = |(words, names): &(String, Vec<&str>)| format!("{}: {words}", names.join(", "));
    groups.iter().map(line).collect()
}

/// The error for damaged entries, which are not reported one by one here.
fn damaged(info: &Info<'_>) -> Message {
    Message::error("the pak is damaged")
        .place(text::path(info.path))
        .help("'daisho verify' names every entry that cannot be decoded")
}
