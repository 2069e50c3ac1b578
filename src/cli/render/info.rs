//! Facts about archives, about ten lines or every detail, and about entries and files, as `info` and `show` print them.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use anstyle::AnsiColor;

use crate::archive::{Account, quoted};
use crate::cli::output::Stdout;
use crate::cli::render::labelled;
use crate::cli::text;
use crate::engine::{Effect, Engine, Engines};
use crate::media::{FileFacts, FileType, Kind};
use crate::ops::finding::Finding;
use crate::ops::row::{ArchiveInfo, At, ContentTypes, EntryFacts, EntryName, EntryRow, Unread};

/// Writes the line about one of several archives.
pub(crate) fn line(out: &mut Stdout, info: &ArchiveInfo) -> io::Result<()> {
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
    let path = text::heading(&text::path(&info.archive));
    writeln!(out, "{path}  {}", text::scrub(&parts.join(", ")))
}

/// What a summary relies on.
const CHECKED: &str = "the directory and file headers; 'daisho verify' decodes every entry";

/// Writes about ten lines: what is in the archive, who loads it, and what is unusual. With `all`, these are complete,
/// and the sizes of all parts and the reasons for the format follow.
pub(crate) fn show(out: &mut Stdout, info: &ArchiveInfo, all: bool) -> io::Result<()> {
    let path = text::heading(&text::path(&info.archive));
    writeln!(out, "{path}  {}, {}", info.format_name, text::bytes(info.account.file))?;
    let (files, size) = (text::count(info.entries, "file", "files"), text::bytes(info.size));
    match info.compressed {
        0 => writeln!(out, "  {files}, {size}")?,
        compressed => writeln!(out, "  {files}, {size} unpacked, {compressed} compressed")?,
    }
    let [facts, odd]: [fn(&str) -> String; 2] =
        [text::faint, |label| text::coloured(AnsiColor::Yellow, label)];
    let mut block = |label, style, lines: Vec<String>| labelled(out, label, 9, style, &lines);
    block("contents", facts, if all { held(&info.content) } else { contents(info) })?;
    block("engines", facts, if all || info.is_check { verdicts(info) } else { engines(info) })?;
    if info.is_check {
        block("name", odd, unasked(info))?;
    }
    block("types", odd, unread_of(&info.content.unread, info.content.count()))?;
    block("release", facts, info.release.iter().cloned().collect())?;
    block("unusual", odd, unusual(info, all))?;
    if !all {
        return block("checked", facts, vec![CHECKED.to_owned()]);
    }
    block("shared", facts, shared(&info.account).into_iter().collect())?;
    block("file", facts, vec![account_in_words(&info.account)])?;
    block("why", facts, info.why.clone())
}

/// The most remarks that a summary shows.
const REMARKS: usize = 3;

/// What is unusual, and in a summary damage first.
fn unusual(info: &ArchiveInfo, all: bool) -> Vec<String> {
    let mut remarks: Vec<&Finding> = info.remarks.iter().collect();
    if !all {
        remarks.sort_by_key(|remark| !remark.is_error());
    }
    let mut unusual: Vec<String> = remarks.iter().map(ToString::to_string).collect();
    if !all && unusual.len() > REMARKS {
        let more = unusual.len() - (REMARKS - 1);
        unusual.truncate(REMARKS - 1);
        unusual.push(format!("{more} other things (-v)"));
    }
    unusual
}

/// For each kind of file, how many there are in words, and the number of files of each type.
fn by_kind(content: &ContentTypes) -> Vec<(String, Vec<(FileType, usize)>)> {
    let mut kinds: BTreeMap<Kind, Vec<(FileType, usize)>> = BTreeMap::new();
    for (file_type, entries) in &content.kinds {
        kinds.entry(file_type.kind()).or_default().push((*file_type, entries.len()));
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

/// The width of a line of engines.
const WIDTH: usize = 60;

/// Which engines load the archive, in three parts.
fn engines(info: &ArchiveInfo) -> Vec<String> {
    let all = info.engines.len();
    let mut lines = Vec::new();
    for (effect, word) in
        [(Effect::Loads, "loads"), (Effect::Misread, "misread"), (Effect::Refused, "refused")]
    {
        let alike = info.verdicts().into_iter().filter(|(it, ..)| *it == effect);
        let engines: Engines = alike.flat_map(|(.., engines)| engines.iter()).collect();
        let words = match engines.len() {
            0 => continue,
            number if number == all => format!("all {number} engines"),
            number if effect == Effect::Refused && number > REFUSING => {
                format!("{number} others (--engine NAME says why)")
            }
            _ => engines.to_string(),
        };
        let mut line = format!("{word:<8}");
        for word in words.split(' ') {
            if line.len() + word.len() >= WIDTH {
                lines.push(core::mem::replace(&mut line, " ".repeat(8)));
            }
            line.extend([" ", word]);
        }
        lines.push(line);
    }
    lines
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

/// The verdicts of the engines: those that load it come first, and among them those without a remark.
fn verdicts(info: &ArchiveInfo) -> Vec<String> {
    let mut all = info.verdicts();
    all.sort_by_key(|(effect, why, _)| (*effect, !why.is_empty()));
    let mut lines = Vec::new();
    for (effect, why, engines) in all {
        let word = effect.verdict();
        lines.push(match effect {
            Effect::Loads if why.is_empty() => format!("{engines}: {word}"),
            Effect::Loads => format!("{engines}: {word}, but {why}"),
            _ => format!("{engines}: {word}: {why}"),
        });
    }
    lines
}

/// The engines that the user asked about but that never look for an archive with this name, and why.
fn unasked(info: &ArchiveInfo) -> Vec<String> {
    let name = info.archive.file_name().unwrap_or(info.archive.as_os_str());
    let name = name.as_encoded_bytes();
    let engines: Engines = info.engines.iter().map(|(engine, _)| *engine).collect();
    let mut lines = Vec::new();
    for (why, engines) in engines.agreeing(|it| it.asks_for(name).err().map(|why| why.to_string()))
    {
        lines.extend(why.map(|why| format!("not asked for by {engines}: {why}")));
    }
    lines
}

/// A line for each type with the number of files, and a line for each file.
fn held(content: &ContentTypes) -> Vec<String> {
    let mut lines = Vec::new();
    for (file_type, entries) in &content.kinds {
        lines.push(format!("{}: {file_type}", count_of(file_type.kind(), entries.len())));
        lines.extend(entries.iter().map(|entry| format!("  {}", place(entry))));
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

/// What each engine cannot read of so many files, with engines that agree in one line.
pub(crate) fn unread_of(unread: &[Unread], all: usize) -> Vec<String> {
    let engines: Engines = unread.iter().map(|it| it.engine).collect();
    let groups = engines.agreeing(|engine| {
        let (mut count, mut files) = (0, Vec::new());
        for it in unread.iter().filter(|it| it.engine == engine) {
            let (one, many) = it.file_type.kind().words();
            let word = if it.count == 1 { one } else { many };
            files.push(format!("{} {} {word}", it.count, it.file_type.short()));
            count += it.count;
        }
        if count == all {
            "reads none of it".to_owned()
        } else {
            format!("cannot read {}", files.join(", "))
        }
    });
    groups.iter().map(|(words, engines)| format!("{engines}: {words}")).collect()
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

/// Writes a block: the name, then a label and lines for each fact.
pub(crate) fn block(out: &mut Stdout, entry: &EntryRow, all: bool) -> io::Result<()> {
    let Some(details) = details(entry) else {
        return Ok(());
    };
    match entry.at {
        At::Archive(..) => writeln!(out, "{}: {}", text::path(entry.at.path()), which(entry))?,
        At::File(_) => writeln!(out, "{}", which(entry))?,
    }
    let file_type = details.file_type;
    let mut size = text::bytes(entry.size);
    if let Some(packed) = entry.packed_size.filter(|packed| *packed != entry.size) {
        size = format!("{size}, {} in the pak", text::bytes(packed));
    }
    let known = entry.facts.as_ref().and_then(EntryFacts::format);
    let known = known.unwrap_or_else(|| "not known".to_owned());
    let mut unusual = details.notes.clone();
    if details.is_contrary() {
        let other = entry.facts.as_ref().and_then(|it| it.other);
        let what = file_type.map(FileType::described).or(other);
        let what = what.unwrap_or("of no type that is known");
        unusual.insert(0, format!("not what its name says: it is {what}"));
    }
    let labels = details.facts.iter().map(|fact| fact.label().len());
    let width = labels.fold("unusual".len(), usize::max) + 2;
    labelled(out, "type", width, str::to_owned, &[known])?;
    labelled(out, "size", width, str::to_owned, &[size])?;
    for fact in &details.facts {
        labelled(out, &fact.label(), width, str::to_owned, &fact.lines(all))?;
    }
    labelled(out, "unusual", width, str::to_owned, &unusual)
}

/// Writes the line about one of several files that are no archives.
pub(crate) fn entry_line(out: &mut Stdout, file: &EntryRow) -> io::Result<()> {
    let path = text::heading(&text::path(file.at.path()));
    let mut facts = in_short(file);
    if facts.is_empty() {
        facts.extend(file.facts.as_ref().and_then(EntryFacts::format));
    }
    facts.push(text::bytes(file.size));
    writeln!(out, "{path}  {}", text::scrub(&facts.join(", ")))
}

/// Which entry of its archive it is, or the path of a file that is no archive.
pub(crate) fn which(entry: &EntryRow) -> String {
    match &entry.at {
        At::Archive(_, index) => format!("entry {index} {}", quoted(&entry.name)),
        At::File(path) => text::path(path),
    }
}

/// The type of an entry, and the facts that matter most.
pub(crate) fn in_short(entry: &EntryRow) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(details) = details(entry) {
        facts.extend(details.file_type.map(|it| it.to_string()));
        facts.push(details.summary());
    }
    facts.retain(|fact| !fact.is_empty());
    facts
}

/// What is known of an entry's content.
pub(crate) fn details(entry: &EntryRow) -> Option<&FileFacts> {
    entry.facts.as_ref()?.details.as_deref()
}
