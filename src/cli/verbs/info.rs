//! `info`

use std::io::{self, Write as _};
use std::iter;

use daisho::archive::Account;
use daisho::engine::{Effect, Engine, Stock, Verdict};
use daisho::ops::read::info::{Info, info};
use serde::Serialize;

use super::asked;
use crate::cli::args::InfoArgs;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::json;
use crate::cli::message::Message;
use crate::cli::output::{self, Kind, Output};
use crate::cli::text;

/// See [`InfoArgs`].
pub(crate) fn run(args: InfoArgs, global: &Global) -> Exit {
    let paths = &args.inputs.paths;
    output::write(global, Kind::Text, |out| {
        let mut between = "";
        let mut shown: io::Result<()> = Ok(());
        let told = info(&global.context(), paths, args.inputs.recursive, |info| {
            shown = if args.json {
                json::row(out, &Row::new(info))
            } else {
                show(out, info, between)
            };
            between = "\n";
            if shown.is_ok() && info.is_damaged() {
                shown = out.flush();
                global.messages.tell(damaged(info));
            }
            asked::go_on(shown.is_ok())
        });
        shown?;
        Ok(match told {
            Ok(visited) => asked::judge(visited.paks, &visited.problems, global),
            Err(refusal) => global.messages.refusal(&refusal),
        })
    })
}

/// A row of JSON. The fields from `file_size` on account for every byte of the file.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    pak: json::Text,
    layout: &'static str,
    why: &'a [String],
    entries: usize,
    compressed: usize,
    size: u64,
    packed_size: u64,
    warnings: Vec<String>,
    file_size: u64,
    header_bytes: u64,
    directory_bytes: u64,
    payload_bytes: u64,
    gap_bytes: u64,
    trailing_bytes: u64,
    gaps: usize,
    shared_extents: usize,
    shared_bytes_saved: u64,
    engines: Vec<Judged>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stock: Option<&'static str>,
}

/// An engine's verdict on the pak.
#[derive(Serialize)]
struct Judged {
    engine: &'static str,
    loads: bool,
    outcome: &'static str,
    why: Vec<String>,
}

impl<'a> Row<'a> {
    fn new(info: &Info<'a>) -> Self {
        let account = &info.account;
        Self {
            pak: json::Text::pak(info.path),
            layout: info.archive.format().as_str(),
            why: info.archive.why(),
            entries: info.archive.len(),
            compressed: info.compressed,
            size: info.size,
            packed_size: info.packed_size,
            warnings: info.remarks.iter().map(ToString::to_string).collect(),
            file_size: account.file,
            header_bytes: account.header,
            directory_bytes: account.directory,
            payload_bytes: account.payload,
            gap_bytes: account.gap_bytes(),
            trailing_bytes: account.trailing,
            gaps: account.gaps.len(),
            shared_extents: account.shared.len(),
            shared_bytes_saved: account.saved_by_sharing(),
            engines: info.engines.iter().map(Judged::new).collect(),
            stock: info.stock.map(Stock::version),
        }
    }
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
