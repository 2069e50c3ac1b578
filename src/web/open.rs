//! Reports what the dropped files are, and lists the entries of archives.

use std::path::Path;

use daisho::archive::Place;
use daisho::engine::Facts;
use daisho::media::{Depth, FileType, Kind, Palette, header, start_limit};
use daisho::{Archive, Entry, Error, ErrorKind, Format};
use serde_json::{Value, json};

use crate::report::{Report, failure, shown, warning};

/// How many entries a line of the report lists.
const ROWS: usize = 2000;

/// Reports what each file is.
pub(crate) fn open(report: &mut Report, paths: &[&str]) {
    for (number, path) in paths.iter().enumerate() {
        report.progress(number as u64, paths.len() as u64);
        match Archive::open(path) {
            Ok(archive) => say(report, number, &archive),
            Err(error) => {
                let mut unread = failure(&error);
                if let Value::Object(fields) = &mut unread {
                    fields.insert("file".to_owned(), number.into());
                    fields.insert("other".to_owned(), is_other(path, &error).into());
                }
                report.say(&unread);
            }
        }
    }
}

/// Whether the file is not an archive, and is not named like one either.
fn is_other(path: &str, error: &Error) -> bool {
    let is_none = matches!(
        error.kind(),
        ErrorKind::NotAnArchive { .. } | ErrorKind::TooShort { .. } | ErrorKind::OtherFile { .. }
    );
    let extension = Path::new(path).extension().and_then(|it| it.to_str());
    let is_named = extension.is_some_and(|it| Format::of_extension(it).next().is_some());
    is_none && !is_named
}

fn say(report: &mut Report, number: usize, archive: &Archive) {
    let nowhere = Place::default();
    let mut notes = Vec::new();
    for note in archive.notes() {
        notes.push(warning(note, &nowhere));
    }
    if let Some(reading) = archive.reserved_reading() {
        notes.push(warning(reading, &nowhere));
    }
    let contents = contents(report, archive);
    report.say(&json!({
        "file": number,
        "format": archive.format_word(),
        "described": archive.format_name(),
        "compressed": archive.entries().filter(Entry::is_compressed).count(),
        "contents": contents,
        "why": archive.why(),
        "notes": notes,
        "entries": archive.len(),
        "length": archive.file_len(),
        "engines": engines(archive),
    }));
    let mut rows = Vec::with_capacity(ROWS.min(archive.len()));
    for entry in archive.entries() {
        let damage = entry.check_claims().err();
        let kind = Kind::of(entry.name());
        rows.push(json!([
            shown(entry.name()),
            kind.as_str(),
            entry.size(),
            kind == Kind::Picture && !Palette::is_named(entry.name()),
            damage.as_ref().map(failure),
        ]));
        if rows.len() == ROWS {
            report.say(&json!({ "file": number, "rows": std::mem::take(&mut rows) }));
        }
    }
    report.say(&json!({ "file": number, "rows": rows }));
}

/// The number of files of each kind, by their contents: `2 maps, 1 sound`.
fn contents(report: &mut Report, archive: &Archive) -> String {
    let entries: Vec<Entry<'_>> = archive.entries().collect();
    let limit = start_limit(&entries);
    let mut kinds = Vec::with_capacity(entries.len());
    for (number, entry) in entries.iter().enumerate() {
        report.progress(number as u64, entries.len() as u64);
        kinds.push(kind_of(entry, limit));
    }
    let mut parts = Vec::new();
    for kind in Kind::ALL {
        let count = kinds.iter().filter(|it| **it == kind).count();
        let (one, many) = kind.words();
        match count {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            _ => parts.push(format!("{count} {many}")),
        }
    }
    parts.join(", ")
}

/// The kind of a file by its beginning, or by its name if it is a kind without a known beginning, such as text.
fn kind_of(entry: &Entry<'_>, limit: u64) -> Kind {
    let named = Kind::of(entry.name());
    match header(*entry, limit, Depth::Type) {
        Ok(Some(found)) => found.file_type.map_or(Kind::Other, FileType::kind),
        _ if matches!(named, Kind::Text | Kind::Code) => named,
        Ok(None) | Err(_) => Kind::Other,
    }
}

/// The verdict of each engine on an archive, starting with engines that load it.
pub(crate) fn engines(archive: &Archive) -> Vec<Value> {
    let mut verdicts = Facts::of(archive).judge_for_all();
    verdicts.sort_by_key(|(_, verdict)| verdict.effect);
    let mut rows = Vec::new();
    for (engine, verdict) in verdicts {
        let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
        rows.push(json!({
            "name": engine.name(),
            "loads": verdict.loads(),
            "verdict": verdict.effect.verdict(),
            "why": why,
        }));
    }
    rows
}
