//! What an archive is like as a whole: a block of lines, and what speaks against it.

use std::io::{self, Write as _};
use std::iter;

use anstyle::AnsiColor;

use daisho::archive::{Account, quoted};
use daisho::engine::{Effect, Engine, Engines, Verdict, load_position};
use daisho::media::FileType;
use daisho::ops::finding;
use daisho::ops::row::{Content, Held, InfoRow, Named, Unread};

use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::text;

/// Writes what there is to say, a label and lines at a time.
pub(crate) fn show(
    out: &mut Output,
    info: &InfoRow,
    between: &str,
    verbose: bool,
) -> io::Result<()> {
    let path = text::heading(&text::path(&info.archive));
    let mut all = format!("{between}{path}\n");
    for (label, lines) in facts(info, verbose) {
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
fn facts(info: &InfoRow, verbose: bool) -> Vec<(&'static str, Vec<String>)> {
    let mut facts = vec![
        ("layout", vec![layout(info)]),
        ("entries", vec![entries(info)]),
        ("engines", verdicts(info)),
    ];
    if info.is_check {
        facts.push(("name", unasked(info)));
    }
    facts.push(("unread", unread(&info.content)));
    facts.push(("holds", held(&info.content, verbose)));
    let remarks = info.remarks.iter();
    facts.push(("unusual", remarks.map(ToString::to_string).collect()));
    let stock = info.stock.iter();
    let stock = stock.map(|stock| format!("{stock}, which Quake knows by its directory"));
    facts.push(("stock", stock.collect()));
    facts.push(("shared", shared(&info.account).into_iter().collect()));
    facts.push(("file", vec![account_in_words(&info.account)]));
    if verbose {
        facts.push(("why", info.why.clone()));
    }
    facts
}

/// The format, and in one line why it is taken for that.
fn layout(info: &InfoRow) -> String {
    let format = info.format;
    match info.why.as_slice() {
        [] => format.to_string(),
        // What the length says, the first line says as well.
        [first, .., last] if !last.starts_with("so its length") => {
            format!("{format}: {first}; {last}")
        }
        [first, ..] => format!("{format}: {first}"),
    }
}

/// How much there is.
fn entries(info: &InfoRow) -> String {
    let InfoRow {
        entries,
        compressed,
        empty,
        ..
    } = info;
    let (size, packed) = (text::bytes(info.size), text::bytes(info.packed_size));
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
fn verdicts(info: &InfoRow) -> Vec<String> {
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
        Some((order, format!("{}: {words}", engines)))
    };
    let groups = judged(info).agreeing(words).into_iter();
    let mut lines: Vec<((Option<Effect>, bool), String)> = groups.filter_map(line).collect();
    lines.sort_by_key(|(order, _)| *order);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Which of the engines that are asked about never ask for an archive of this name, and why.
fn unasked(info: &InfoRow) -> Vec<String> {
    let name = info.archive.file_name().unwrap_or_default();
    let why = |engine| load_position(name.as_encoded_bytes(), engine).err();
    let line = |(why, engines)| Some(format!("not asked for by {}: {}", engines, why?));
    let groups = judged(info).agreeing(|engine| why(engine).map(|why| why.to_string()));
    groups.into_iter().filter_map(line).collect()
}

/// An error for each reason why engines that were asked about do not load the archive, and one if it is
/// damaged.
pub(super) fn errors(info: &InfoRow) -> Vec<Message> {
    let mut errors = Vec::new();
    if info.is_check {
        errors.extend(unloaded(info));
    }
    if info.is_damaged() {
        errors.push(damaged(info));
    }
    errors
}

/// An error for each reason why engines do not load the archive.
fn unloaded(info: &InfoRow) -> Vec<Message> {
    let reasons = |engine| {
        let verdict = info.verdict(engine).filter(|verdict| !verdict.loads())?;
        Some((verdict.effect == Effect::Misread, why(verdict)))
    };
    let mut errors = Vec::new();
    for (reason, engines) in judged(info).agreeing(reasons) {
        if let Some((garbage, why)) = reason {
            let error = finding::judged(engines, garbage, why).in_pak(&info.archive);
            errors.push(Message::from(&error).help(PACK_FOR));
        }
    }
    errors
}

const PACK_FOR: &str =
    "'daisho convert --engine' writes it for them: split where it must be, and in their format";

/// The engines with a verdict on the archive.
fn judged(info: &InfoRow) -> Engines {
    info.engines.iter().map(|(engine, _)| *engine).collect()
}

fn why(verdict: &Verdict) -> String {
    let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    why.join("; ")
}

/// The error for damaged entries, which are not reported one by one here.
fn damaged(info: &InfoRow) -> Message {
    Message::error("the pak is damaged")
        .place(text::path(&info.archive))
        .help("'daisho verify' names every entry that cannot be decoded")
}

/// A line for each type with how many there are, and what is not what it is called; with `names` a line for
/// each file below them.
fn held(content: &Content, names: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in &content.kinds {
        let family = kind.file_type.family();
        let count = text::count(kind.entries.len(), family.as_str(), family.plural());
        lines.push(format!(
            "{count}: {}{}",
            kind.file_type,
            leafs_in_words(kind)
        ));
        if names {
            lines.extend(
                kind.entries
                    .iter()
                    .map(|entry| format!("  {}", place(entry))),
            );
        }
    }
    let contrary = content.contrary.iter().map(|it| {
        let place = place(&it.entry);
        match it.found {
            Some(found) => format!("{place} is {}", found.described()),
            None => place,
        }
    });
    let what = (
        "file is not what its name says",
        "files are not what their names say",
    );
    lines.extend(some(contrary.collect(), what, names));
    let unreadable = content.unreadable.iter().map(place);
    let what = ("header could not be read", "headers could not be read");
    lines.extend(some(unreadable.collect(), what, names));
    lines
}

/// How many, with the first of them, or below it all of them.
fn some(all: Vec<String>, (one, more): (&str, &str), names: bool) -> Vec<String> {
    let Some(first) = all.first() else {
        return Vec::new();
    };
    let count = text::count(all.len(), one, more);
    if names {
        let all = all.iter().map(|line| format!("  {line}"));
        return std::iter::once(count).chain(all).collect();
    }
    let such_as = if all.len() > 1 { ", such as" } else { ":" };
    vec![format!("{count}{such_as} {first}")]
}

fn leafs_in_words(kind: &Held) -> String {
    match kind.leaf_bytes {
        Some(bytes) => format!(", leafs of {bytes} bytes"),
        None if kind.file_type == FileType::Ibsp41 => {
            ", leafs of a length that is not certain".to_owned()
        }
        None => String::new(),
    }
}

fn place(entry: &Named) -> String {
    format!("entry {} {}", entry.index, quoted(&entry.name))
}

/// What each engine cannot read, with engines that agree in one line.
fn unread(content: &Content) -> Vec<String> {
    let engines: Engines = content.unread.iter().map(|it| it.engine).collect();
    let mut lines = Vec::new();
    for (words, engines) in engines.agreeing(|engine| unread_in_words(content, engine)) {
        lines.push(format!("{}: {words}", engines));
    }
    lines
}

fn unread_in_words(content: &Content, engine: Engine) -> String {
    let of_engine = content.unread.iter().filter(|it| it.engine == engine);
    let unread: Vec<&Unread> = of_engine.collect();
    let count: usize = unread.iter().map(|it| it.count).sum();
    if count == content.count() {
        return "reads none of it".to_owned();
    }
    let mut files = Vec::new();
    for it in unread {
        let family = it.file_type.family();
        let word = match it.count {
            1 => family.as_str(),
            _ => family.plural(),
        };
        files.push(format!("{} {} {word}", it.count, it.file_type.short()));
    }
    format!("does not read {}", files.join(", "))
}
