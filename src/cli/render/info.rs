//! Facts about an archive as a whole: about ten lines, or every detail. Of several archives, one line each.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::iter;

use anstyle::AnsiColor;

use crate::archive::{Account, quoted};
use crate::cli::output::Stdout;
use crate::cli::text;
use crate::engine::{Effect, Engine, Engines, Verdict};
use crate::media::{FileType, Kind};
use crate::ops::row::{ArchiveInfo, ContentTypes, EntryName, Remark, Unread};

/// How much to say about each archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// One line, if there are several archives.
    Line,
    /// About ten lines. With `--engine`, the reasons of these engines are among them.
    Summary,
    /// The reasons, the sizes of all parts, and the names of all files.
    All,
}

/// Writes the lines of one archive.
pub(crate) fn show(out: &mut Stdout, info: &ArchiveInfo, detail: Detail) -> io::Result<()> {
    let path = text::heading(&text::path(&info.archive));
    let blocks = match detail {
        Detail::Line => {
            let line = text::scrub(&line(info));
            return writeln!(out, "{path}  {line}");
        }
        Detail::Summary => {
            let size = text::bytes(info.account.file);
            writeln!(out, "{path}  {}, {size}", info.format_name)?;
            writeln!(out, "  {}", files(info))?;
            summary(info)
        }
        Detail::All => {
            writeln!(out, "{path}")?;
            facts(info)
        }
    };
    for (label, lines) in blocks {
        let labels = iter::once(label).chain(iter::repeat(""));
        for (label, line) in labels.zip(&lines) {
            let shown = format!("{label:<9}");
            let shown = match label {
                "unusual" | "unread" | "name" => text::coloured(AnsiColor::Yellow, &shown),
                _ => text::faint(&shown),
            };
            writeln!(out, "  {shown}{}", text::scrub(line))?;
        }
    }
    Ok(())
}

/// The line about one of several archives.
fn line(info: &ArchiveInfo) -> String {
    let mut parts = vec![
        info.format_name.to_owned(),
        text::bytes(info.account.file),
        text::count(info.entries, "file", "files"),
    ];
    parts.extend(by_kind(&info.content).into_iter().map(|(count, _)| count));
    if info.unsupported > 0 {
        parts.push(format!("{} not supported", info.unsupported));
    }
    if info.is_damaged() {
        parts.push("damaged".to_owned());
    }
    parts.join(", ")
}

/// How many files there are, and how large they are.
fn files(info: &ArchiveInfo) -> String {
    let files = text::count(info.entries, "file", "files");
    let size = text::bytes(info.size);
    match info.compressed {
        0 => format!("{files}, {size}"),
        compressed => format!("{files}, {size} unpacked, {compressed} compressed"),
    }
}

/// The most remarks that a summary shows.
const REMARKS: usize = 3;

/// What a summary relies on.
const CHECKED: &str = "the directory and file headers; 'daisho verify' decodes every entry";

/// What is in the archive, who loads it, and what is unusual.
fn summary(info: &ArchiveInfo) -> Vec<(&'static str, Vec<String>)> {
    let mut remarks: Vec<&Remark> = info.remarks.iter().collect();
    remarks.sort_by_key(|remark| !remark.is_damage);
    let mut unusual: Vec<String> = remarks.iter().map(|remark| remark.words.clone()).collect();
    if unusual.len() > REMARKS {
        let more = unusual.len() - (REMARKS - 1);
        unusual.truncate(REMARKS - 1);
        unusual.push(format!("{more} other things (-v)"));
    }
    let mut summary = vec![("contents", contents(info))];
    if info.is_check {
        summary.extend(of_engines(info));
    } else {
        summary.push(("engines", engines(info)));
    }
    summary.extend([
        ("release", info.release.iter().map(ToString::to_string).collect()),
        ("unusual", unusual),
        ("checked", vec![CHECKED.to_owned()]),
    ]);
    summary
}

/// For each kind of file, how many there are in words, and the number of files of each type.
fn by_kind(content: &ContentTypes) -> Vec<(String, Vec<(FileType, usize)>)> {
    let mut kinds: BTreeMap<Kind, Vec<(FileType, usize)>> = BTreeMap::new();
    for held in &content.kinds {
        let types = kinds.entry(held.file_type.kind()).or_default();
        match types.iter_mut().find(|(other, _)| *other == held.file_type) {
            Some((_, count)) => *count += held.entries.len(),
            None => types.push((held.file_type, held.entries.len())),
        }
    }
    let mut counted = Vec::new();
    for (kind, mut types) in kinds {
        types.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
        let count = types.iter().map(|(_, count)| count).sum();
        counted.push((count_of(kind, count), types));
    }
    counted
}

/// `1 map`, `2 maps`.
fn count_of(kind: Kind, count: usize) -> String {
    let (one, many) = kind.words();
    text::count(count, one, many)
}

/// A line for each kind of file.
fn contents(info: &ArchiveInfo) -> Vec<String> {
    let mut lines = Vec::new();
    for (count, types) in by_kind(&info.content) {
        let types = match types.as_slice() {
            [(only, _)] => only.to_string(),
            _ => {
                let types = types.iter().map(|(it, count)| format!("{count} {it}"));
                types.collect::<Vec<_>>().join(", ")
            }
        };
        lines.push(format!("{count}: {types}"));
    }
    let others = info.entries.saturating_sub(info.content.count());
    if others > 0 && !lines.is_empty() {
        let others = text::count(others, "file", "files");
        lines.push(format!("{others} of other types"));
    }
    let contrary = info.content.contrary.len();
    if contrary > 0 {
        let (one, many) = CONTRARY;
        lines.push(format!("{} (-v)", text::count(contrary, one, many)));
    }
    lines
}

/// The most engines that a summary names if they refuse the archive.
const REFUSING: usize = 4;

/// Which engines load the archive, in three lines.
fn engines(info: &ArchiveInfo) -> Vec<String> {
    let all = judged(info);
    let mut lines = Vec::new();
    for word in ["loads", "misread", "refused"] {
        let does = |engine: &Engine| match effect(info, *engine) {
            Some(Effect::Loads) => "loads",
            Some(Effect::Misread) => "misread",
            _ => "refused",
        };
        let engines: Engines = all.iter().filter(|engine| does(engine) == word).collect();
        let number = engines.len();
        let words = match number {
            0 => continue,
            _ if number == all.len() => format!("all {number} engines"),
            _ if word == "refused" && number > REFUSING => {
                format!("{number} others (--engine NAME says why)")
            }
            _ => engines.to_string(),
        };
        lines.extend(wrapped(word, &words));
    }
    lines
}

/// The width of a line of engines.
const WIDTH: usize = 60;

/// A label with words next to it, in as many lines as they need.
fn wrapped(label: &str, words: &str) -> Vec<String> {
    let mut lines = vec![format!("{label:<8}")];
    for word in words.split(' ') {
        let is_full = lines.last().is_some_and(|line| line.len() + word.len() >= WIDTH);
        if is_full {
            lines.push(" ".repeat(8));
        }
        if let Some(line) = lines.last_mut() {
            line.extend([" ", word]);
        }
    }
    lines
}

/// Whether engines load the archive, with their reasons, and what they cannot read.
fn of_engines(info: &ArchiveInfo) -> Vec<(&'static str, Vec<String>)> {
    let mut lines = vec![("engines", verdicts(info))];
    if info.is_check {
        lines.push(("name", unasked(info)));
    }
    lines.push(("unread", unread(&info.content)));
    lines
}

/// Every detail, in order: a label, and the lines next to it.
fn facts(info: &ArchiveInfo) -> Vec<(&'static str, Vec<String>)> {
    let mut facts = vec![("format", vec![format_and_why(info)]), ("entries", vec![entries(info)])];
    facts.extend(of_engines(info));
    let remarks = info.remarks.iter();
    let unusual = remarks.map(|remark| remark.words.clone()).collect();
    facts.extend([
        ("holds", held(&info.content)),
        ("unusual", unusual),
        ("release", info.release.iter().map(ToString::to_string).collect()),
        ("shared", shared(&info.account).into_iter().collect()),
        ("file", vec![account_in_words(&info.account)]),
        ("why", info.why.clone()),
    ]);
    facts
}

/// The format, and in one line why it was detected.
fn format_and_why(info: &ArchiveInfo) -> String {
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
fn entries(info: &ArchiveInfo) -> String {
    let ArchiveInfo { entries, compressed, empty, .. } = info;
    let (size, packed) = (text::bytes(info.size), text::bytes(info.packed_size));
    format!("{entries}, {compressed} compressed, {empty} empty; {size}, {packed} in the archive")
}

/// How many entries share payloads, if any do.
fn shared(account: &Account) -> Option<String> {
    let shared = &account.shared;
    let payloads = text::count(shared.len(), "payload", "payloads");
    let entries: usize = shared.iter().map(|(_, entries)| entries).sum();
    let saved = text::bytes(account.saved_by_sharing());
    (!shared.is_empty()).then(|| format!("{payloads} by {entries} entries, {saved} saved"))
}

/// How the bytes of the file are used.
fn account_in_words(account: &Account) -> String {
    let gaps = match account.gaps.len() {
        0 => "gaps 0".to_owned(),
        gaps => format!("{} {}", text::count(gaps, "gap", "gaps"), account.gap_bytes()),
    };
    format!(
        "{} bytes: header {}, directory {}, payloads {}, {gaps}, after the end {}",
        account.file, account.header, account.directory, account.payload, account.trailing
    )
}

/// The verdicts of the engines, with engines that agree in one line.
fn verdicts(info: &ArchiveInfo) -> Vec<String> {
    let mut lines = Vec::new();
    for (words, engines) in judged(info).agreeing(|engine| verdict(info, engine)) {
        // Engines that load it come first, and among them engines without a remark.
        let effect = engines.iter().filter_map(|engine| effect(info, engine)).max();
        lines.push((effect, words != "loads", format!("{engines}: {words}")));
    }
    lines.sort_by_key(|(effect, has_remark, _)| (*effect, *has_remark));
    lines.into_iter().map(|(_, _, line)| line).collect()
}

/// The verdict of an engine that was asked, in words.
fn verdict(info: &ArchiveInfo, engine: Engine) -> String {
    let Some(verdict) = info.verdict(engine) else {
        return String::new();
    };
    let (word, why) = (verdict.effect.verdict(), why(verdict));
    match verdict.effect {
        Effect::Loads if why.is_empty() => word.to_owned(),
        Effect::Loads => format!("{word}, but {why}"),
        _ => format!("{word}: {why}"),
    }
}

fn effect(info: &ArchiveInfo, engine: Engine) -> Option<Effect> {
    info.verdict(engine).map(|verdict| verdict.effect)
}

/// The engines that the user asked about but that never look for an archive with this name, and why.
fn unasked(info: &ArchiveInfo) -> Vec<String> {
    let name = info.archive.file_name().unwrap_or(info.archive.as_os_str());
    let name = name.as_encoded_bytes();
    let groups =
        judged(info).agreeing(|engine| engine.asks_for(name).err().map(|why| why.to_string()));
    let mut lines = Vec::new();
    for (why, engines) in groups {
        lines.extend(why.map(|why| format!("not asked for by {engines}: {why}")));
    }
    lines
}

/// The engines with a verdict on the archive.
fn judged(info: &ArchiveInfo) -> Engines {
    info.engines.iter().map(|(engine, _)| *engine).collect()
}

fn why(verdict: &Verdict) -> String {
    let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    why.join("; ")
}

/// A line for each type with the number of files, and a line for each file.
fn held(content: &ContentTypes) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in &content.kinds {
        let count = count_of(kind.file_type.kind(), kind.entries.len());
        lines.push(format!("{count}: {}", kind.file_type));
        let each = kind.entries.iter();
        lines.extend(each.map(|entry| format!("  {}", place(entry))));
    }
    let contrary = content.contrary.iter().map(|it| {
        let place = place(&it.entry);
        match it.found {
            Some(found) => format!("{place} is {}", found.described()),
            None => place,
        }
    });
    lines.extend(counted(contrary.collect(), CONTRARY));
    let unreadable = content.unreadable.iter().map(place);
    let what = ("header could not be read", "headers could not be read");
    lines.extend(counted(unreadable.collect(), what));
    lines
}

/// The words for files that are not of the type that their names say.
const CONTRARY: (&str, &str) =
    ("file is not what its name says", "files are not what their names say");

/// A line with the number of items, and then a line for each. Nothing if there are none.
fn counted(all: Vec<String>, (one, more): (&str, &str)) -> Vec<String> {
    if all.is_empty() {
        return all;
    }
    let mut lines = vec![text::count(all.len(), one, more)];
    lines.extend(all.iter().map(|line| format!("  {line}")));
    lines
}

fn place(entry: &EntryName) -> String {
    format!("entry {} {}", entry.index, quoted(&entry.name))
}

/// What each engine cannot read, with engines that agree in one line.
fn unread(content: &ContentTypes) -> Vec<String> {
    unread_of(&content.unread, content.count())
}

/// What each engine cannot read of so many files, with engines that agree in one line.
pub(crate) fn unread_of(unread: &[Unread], all: usize) -> Vec<String> {
    let engines: Engines = unread.iter().map(|it| it.engine).collect();
    let mut lines = Vec::new();
    for (words, engines) in engines.agreeing(|engine| unread_in_words(unread, all, engine)) {
        lines.push(format!("{}: {words}", engines));
    }
    lines
}

/// What engines cannot read of archives that were written, and other engines that can.
pub(crate) fn unread_line(unread: &[Unread]) -> Option<String> {
    let mut words = unread_of(unread, usize::MAX);
    let mut others: Vec<(Engine, Vec<&str>)> = Vec::new();
    for it in unread {
        let Some(other) = it.engine.wider(it.file_type.as_str()) else { continue };
        let short = it.file_type.short();
        match others.iter_mut().find(|(engine, _)| *engine == other) {
            Some((_, types)) if types.contains(&short) => {}
            Some((_, types)) => types.push(short),
            None => others.push((other, vec![short])),
        }
    }
    words.extend(others.iter().map(|(other, types)| format!("{other} reads {}", types.join(", "))));
    (!words.is_empty()).then(|| words.join("; "))
}

fn unread_in_words(unread: &[Unread], all: usize, engine: Engine) -> String {
    let of_engine = unread.iter().filter(|it| it.engine == engine);
    let unread: Vec<&Unread> = of_engine.collect();
    let count: usize = unread.iter().map(|it| it.count).sum();
    if count == all {
        return "reads none of it".to_owned();
    }
    let mut files = Vec::new();
    for it in unread {
        let (one, many) = it.file_type.kind().words();
        let word = if it.count == 1 { one } else { many };
        files.push(format!("{} {} {word}", it.count, it.file_type.short()));
    }
    format!("cannot read {}", files.join(", "))
}
