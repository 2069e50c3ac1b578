//! `info`

use std::io::{self, Write as _};
use std::ops::ControlFlow;

use daisho::engine::{Engine, Outcome, Stock, Verdict};
use daisho::ops::info::{Info, info};
use serde::Serialize;

use super::asked::{self, count};
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
            match shown {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        shown?;
        Ok(match told {
            Ok(report) => asked::judge(report.paks, &report.problems, global),
            Err(refusal) => global.messages.refusal(&refusal),
        })
    })
}

/// Where every byte belongs is told in the fields behind the promised ones.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    pak: json::Pak,
    layout: &'static str,
    why: Vec<String>,
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

/// What an engine makes of the pak.
#[derive(Serialize)]
struct Judged {
    engine: &'static str,
    loads: bool,
    outcome: &'static str,
    why: Vec<String>,
}

impl Row {
    fn new(info: &Info<'_>) -> Self {
        let account = &info.account;
        Self {
            pak: json::Pak::new(info.path),
            layout: info.archive.layout().as_str(),
            why: info.archive.detection().reasons(),
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
            outcome: verdict.outcome.as_str(),
            why: verdict.why.iter().map(ToString::to_string).collect(),
        }
    }
}

fn show(out: &mut Output, info: &Info<'_>, between: &str) -> io::Result<()> {
    let account = &info.account;
    writeln!(out, "{between}{}", text::path(info.path))?;
    let mut line = |label: &str, words: &str| writeln!(out, "  {label:<9}{}", text::scrub(words));
    line("layout", info.archive.layout().as_str())?;
    for (n, why) in info.archive.detection().reasons().iter().enumerate() {
        line(if n == 0 { "why" } else { "" }, why)?;
    }
    line(
        "entries",
        &format!(
            "{}, {} compressed, {} empty",
            info.archive.len(),
            info.compressed,
            info.empty
        ),
    )?;
    line(
        "content",
        &format!(
            "{}, {} in the pak",
            count(info.size, "byte", "bytes"),
            info.packed_size
        ),
    )?;
    line(
        "file",
        &format!(
            "{} bytes: header {}, directory {}, payloads {}, {}, behind the end {}",
            account.file,
            account.header,
            account.directory,
            account.payload,
            match account.gaps.len() {
                0 => "gaps 0".to_owned(),
                gaps => format!(
                    "{} {}",
                    count(gaps as u64, "gap", "gaps"),
                    account.gap_bytes()
                ),
            },
            account.trailing
        ),
    )?;
    if !account.shared.is_empty() {
        let entries: usize = account.shared.iter().map(|shared| shared.entries).sum();
        line(
            "shared",
            &format!(
                "{} by {entries} entries, {} saved",
                count(account.shared.len() as u64, "payload", "payloads"),
                count(account.saved_by_sharing(), "byte", "bytes")
            ),
        )?;
    }
    if let Some(stock) = info.stock {
        line(
            "stock",
            &format!("{stock}, which Quake knows by its directory"),
        )?;
    }
    for (n, words) in engines(info).iter().enumerate() {
        line(if n == 0 { "engines" } else { "" }, words)?;
    }
    for (n, remark) in info.remarks.iter().enumerate() {
        line(if n == 0 { "unusual" } else { "" }, &remark.to_string())?;
    }
    Ok(())
}

/// What the engines make of the pak, those of one mind in one line, in the order of the first.
fn engines(info: &Info<'_>) -> Vec<String> {
    let mut groups: Vec<(&Verdict, Vec<&str>)> = Vec::new();
    for (engine, verdict) in &info.engines {
        match groups.iter_mut().find(|(other, _)| *other == verdict) {
            Some((_, names)) => names.push(engine.name()),
            None => groups.push((verdict, vec![engine.name()])),
        }
    }
    let words = |(verdict, names): &(&Verdict, Vec<&str>)| {
        let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
        let (names, why) = (names.join(", "), why.join("; "));
        match verdict.outcome {
            Outcome::Loads if why.is_empty() => format!("{names}: loads"),
            Outcome::Loads => format!("{names}: loads, but {why}"),
            Outcome::Misread => format!("{names}: loads with wrong content: {why}"),
            _ => format!("{names}: does not load: {why}"),
        }
    };
    groups.iter().map(words).collect()
}

/// Each entry is not told here: that is for the verbs that show entries.
fn damaged(info: &Info<'_>) -> Message {
    Message::error("the pak is damaged")
        .place(text::path(info.path))
        .help("'daisho verify' names every entry that cannot be decoded")
}
