//! What `info` knows of an archive, in words, and what speaks against it.

use std::io::{self, Write as _};
use std::iter;

use anstyle::AnsiColor;
use daisho::archive::Account;
use daisho::engine::{Effect, Engine, Engines, Verdict, load_position};
use daisho::error::{EngineNames, Error, ErrorKind};
use daisho::ops::read::info::Info;

use super::content;
use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::text;

/// Writes what there is to say, a label and lines at a time.
pub(super) fn show(
    out: &mut Output,
    info: &Info<'_>,
    between: &str,
    verbose: bool,
    checks: bool,
) -> io::Result<()> {
    let path = text::heading(&text::path(info.path));
    let mut all = format!("{between}{path}\n");
    for (label, lines) in facts(info, verbose, checks) {
        let labels = iter::once(label).chain(iter::repeat(""));
        for (label, line) in labels.zip(&lines) {
            let shown = format!("{label:<9}");
            let shown = match label {
                "unusual" | "unread" | "name" => text::coloured(AnsiColor::Yellow, &shown),
                _ => text::faint(&shown),
            };
            all.extend(["  ", &shown, &text::scrub(line), "\n"]);
        }
    }
    out.write_all(all.as_bytes())
}

/// What is shown, in order: a label, and the lines beside it. First what is asked for most: which format it
/// has, how much is in it, and who loads it.
fn facts(info: &Info<'_>, verbose: bool, checks: bool) -> Vec<(&'static str, Vec<String>)> {
    let archive = info.archive;
    let mut facts = vec![
        ("layout", vec![layout(info)]),
        ("entries", vec![entries(info)]),
        ("engines", verdicts(info)),
    ];
    if checks {
        facts.push(("name", unasked(info)));
    }
    facts.push(("unread", content::unread(&info.content)));
    facts.push(("holds", content::held(archive, &info.content, verbose)));
    let remarks = info.remarks.iter();
    facts.push(("unusual", remarks.map(ToString::to_string).collect()));
    let stock = info.stock.iter();
    let stock = stock.map(|stock| format!("{stock}, which Quake knows by its directory"));
    facts.push(("stock", stock.collect()));
    facts.push(("shared", shared(&info.account).into_iter().collect()));
    facts.push(("file", vec![account_in_words(&info.account)]));
    if verbose {
        facts.push(("why", archive.why()));
    }
    facts
}

/// The format, and in one line why it is taken for that.
fn layout(info: &Info<'_>) -> String {
    let format = info.archive.format();
    match info.archive.why().as_slice() {
        [] => format.to_string(),
        // What the length says, the first line says as well.
        [first, .., last] if !last.starts_with("so its length") => {
            format!("{format}: {first}; {last}")
        }
        [first, ..] => format!("{format}: {first}"),
    }
}

/// How much there is.
fn entries(info: &Info<'_>) -> String {
    let Info {
        archive,
        compressed,
        empty,
        ..
    } = info;
    let (size, packed) = (text::bytes(info.size), text::bytes(info.packed_size));
    let entries = archive.len();
    format!("{entries}, {compressed} compressed, {empty} empty; {size}, {packed} in the pak")
}

/// What entries share, if they do.
fn shared(account: &Account) -> Option<String> {
    let shared = &account.shared;
    let payloads = text::count(shared.len(), "payload", "payloads");
    let entries: usize = shared.iter().map(|shared| shared.entries).sum();
    let saved = text::bytes(account.saved_by_sharing());
    (!shared.is_empty()).then(|| format!("{payloads} by {entries} entries, {saved} saved"))
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
fn verdicts(info: &Info<'_>) -> Vec<String> {
    let words = |engine: Engine| {
        let verdict = info.verdict(engine)?;
        let (word, why) = (verdict.effect.verdict(), why(verdict));
        Some(match verdict.effect {
            Effect::Loads if why.is_empty() => word.to_owned(),
            Effect::Loads => format!("{word}, but {why}"),
            _ => format!("{word}: {why}"),
        })
    };
    // Those that load it come first, and of these those of which nothing more is to be said.
    let effect = |engine: Engine| info.verdict(engine).map(|verdict| verdict.effect);
    let line = |(words, engines): (Option<String>, Engines)| {
        let words = words?;
        let order = (engines.iter().filter_map(effect).max(), words != "loads");
        Some((order, format!("{}: {words}", EngineNames::from(engines))))
    };
    let groups = judged(info).agreeing(words).into_iter();
    let mut lines: Vec<((Option<Effect>, bool), String)> = groups.filter_map(line).collect();
    lines.sort_by_key(|(order, _)| *order);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Which of the engines that are asked about never ask for an archive of this name, and why.
fn unasked(info: &Info<'_>) -> Vec<String> {
    let name = info.path.file_name().unwrap_or_default();
    let why = |engine| load_position(name.as_encoded_bytes(), engine).err();
    let line = |(why, engines)| {
        Some(format!(
            "not asked for by {}: {}",
            EngineNames::from(engines),
            why?
        ))
    };
    let groups = judged(info).agreeing(|engine| why(engine).map(|why| why.to_string()));
    groups.into_iter().filter_map(line).collect()
}

/// An error for each reason why engines do not load the archive.
pub(super) fn unloaded(info: &Info<'_>) -> Vec<Message> {
    let reasons = |engine| {
        let verdict = info.verdict(engine).filter(|verdict| !verdict.loads())?;
        Some((verdict.effect == Effect::Misread, why(verdict)))
    };
    let mut errors = Vec::new();
    for (reason, engines) in judged(info).agreeing(reasons) {
        if let Some((garbage, why)) = reason {
            let kind = ErrorKind::Judged {
                engines: engines.into(),
                garbage,
                why,
            };
            let error = Error::from(kind).in_pak(info.path);
            errors.push(Message::from(&error).help(PACK_FOR));
        }
    }
    errors
}

const PACK_FOR: &str =
    "'daisho convert --engine' writes it for them: split where it must be, and in their format";

/// The engines with a verdict on the archive.
fn judged(info: &Info<'_>) -> Engines {
    info.engines.iter().map(|(engine, _)| *engine).collect()
}

fn why(verdict: &Verdict) -> String {
    let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    why.join("; ")
}

/// The error for damaged entries, which are not reported one by one here.
pub(super) fn damaged(info: &Info<'_>) -> Message {
    Message::error("the pak is damaged")
        .place(text::path(info.path))
        .help("'daisho verify' names every entry that cannot be decoded")
}
