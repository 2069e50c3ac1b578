//! What files are, and what is in those that are archives.

use std::path::Path;

use daisho::archive::error::{Error, ErrorKind, Place};
use daisho::engine::{Engines, Facts};
use daisho::{Archive, Format};
use serde_json::{Value, json};

use crate::report::{Report, failure, shown, warning};

/// How many entries are said at once.
const ROWS: usize = 2000;

/// Says of each file what it is.
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

/// Whether it is a file of another kind, and does not even claim to be an archive by its name.
fn is_other(path: &str, error: &Error) -> bool {
    let is_none = matches!(
        error.kind(),
        ErrorKind::NotAPak { .. } | ErrorKind::TooShort { .. } | ErrorKind::Relative { .. }
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
    report.say(&json!({
        "file": number,
        "format": archive.format().as_str(),
        "why": archive.why(),
        "notes": notes,
        "entries": archive.len(),
        "length": archive.file_len(),
        "engines": engines(archive),
    }));
    let mut rows = Vec::with_capacity(ROWS.min(archive.len()));
    for entry in archive {
        let damage = entry.check_claims().err();
        rows.push(json!([
            shown(entry.name()),
            daisho::media::Kind::of(entry.name()).as_str(),
            entry.size(),
            entry.stored_len(),
            damage.as_ref().map(failure),
        ]));
        if rows.len() == ROWS {
            report.say(&json!({ "file": number, "rows": std::mem::take(&mut rows) }));
        }
    }
    report.say(&json!({ "file": number, "rows": rows }));
}

/// What each engine makes of an archive, those that load it first.
pub(crate) fn engines(archive: &Archive) -> Vec<Value> {
    let mut verdicts = Facts::of(archive).judge_for(Engines::NONE);
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
