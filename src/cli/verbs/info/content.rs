//! What the files of an archive are, in words and as JSON.

use daisho::Archive;
use daisho::archive::{FileType, escape, quoted};
use daisho::engine::{Engine, Engines};
use daisho::error::EngineNames;
use daisho::media::map::Leafs;
use daisho::ops::read::info::{Content, Kind, Unread};
use serde::Serialize;

use crate::cli::text;

/// A line for each type with how many there are, and what is not what it is called; with `names` a line for
/// each file below them.
pub(super) fn held(archive: &Archive, content: &Content, names: bool) -> Vec<String> {
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
                    .map(|index| format!("  {}", place(archive, *index))),
            );
        }
    }
    let contrary = content.contrary.iter().map(|it| {
        let place = place(archive, it.index);
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
    let unreadable = content
        .unreadable
        .iter()
        .map(|index| place(archive, *index));
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

fn leafs_in_words(kind: &Kind) -> String {
    match kind.leafs.map(Leafs::bytes) {
        None => String::new(),
        Some(Some(bytes)) => format!(", leafs of {bytes} bytes"),
        Some(None) => ", leafs of a length that is not certain".to_owned(),
    }
}

fn place(archive: &Archive, index: usize) -> String {
    let name = archive.entry(index).map(|entry| entry.name());
    format!(
        "entry {index} {}",
        quoted(name.map_or(&[][..], |name| name.as_bytes()))
    )
}

/// What each engine does not read, with engines that agree in one line; with `sources` each with where
/// that was read.
pub(super) fn unread(content: &Content, sources: bool) -> Vec<String> {
    let files = |unread: &Unread| {
        let family = unread.file_type.family();
        let word = if unread.count == 1 {
            family.as_str()
        } else {
            family.plural()
        };
        format!("{} {} {word}", unread.count, unread.file_type.short())
    };
    let of_engine = |unread: &[Unread]| {
        let count: usize = unread.iter().map(|it| it.count).sum();
        if count == content.count() {
            return "reads none of it".to_owned();
        }
        let all: Vec<String> = unread.iter().map(files).collect();
        format!("does not read {}", all.join(", "))
    };
    if sources {
        let mut lines = Vec::new();
        for (engine, unread) in &content.unread {
            // What is refused in one place is named together.
            for same in unread.chunk_by(|a, b| a.source == b.source) {
                let all: Vec<String> = same.iter().map(files).collect();
                let source = same.first().map_or("", |it| it.source);
                lines.push(format!(
                    "{engine}: does not read {} [{source}]",
                    all.join(", ")
                ));
            }
        }
        return lines;
    }
    let of_one = |engine: Engine| {
        let found = content.unread.iter().find(|(it, _)| *it == engine);
        found.map(|(_, unread)| of_engine(unread))
    };
    let engines: Engines = content.unread.iter().map(|(engine, _)| *engine).collect();
    let line = |(words, engines)| Some(format!("{}: {}", EngineNames::from(engines), words?));
    engines
        .agreeing(of_one)
        .into_iter()
        .filter_map(line)
        .collect()
}

/// Files of one type, as JSON.
#[derive(Serialize)]
pub(super) struct Held<'a> {
    kind: &'static str,
    r#type: &'static str,
    format: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    leaf_bytes: Option<u8>,
    count: usize,
    entries: &'a [usize],
    names: Vec<String>,
}

/// A file that is not what its name says, as JSON.
#[derive(Serialize)]
pub(super) struct Contrary {
    entry: usize,
    name: String,
    found: Option<&'static str>,
}

/// What an engine does not read, as JSON.
#[derive(Serialize)]
pub(super) struct NotRead {
    engine: &'static str,
    kind: &'static str,
    r#type: &'static str,
    count: usize,
    source: &'static str,
}

/// Escaped, since not all names are text.
fn name(archive: &Archive, index: usize) -> String {
    let name = archive.entry(index).map(|entry| entry.name());
    escape(name.map_or(&[][..], |name| name.as_bytes())).to_string()
}

pub(super) fn held_rows<'a>(archive: &Archive, content: &'a Content) -> Vec<Held<'a>> {
    let row = |kind: &'a Kind| Held {
        kind: kind.file_type.family().as_str(),
        r#type: kind.file_type.as_str(),
        format: kind.file_type.to_string(),
        leaf_bytes: kind.leafs.and_then(Leafs::bytes),
        count: kind.entries.len(),
        entries: &kind.entries,
        names: kind
            .entries
            .iter()
            .map(|index| name(archive, *index))
            .collect(),
    };
    content.kinds.iter().map(row).collect()
}

pub(super) fn contrary_rows(archive: &Archive, content: &Content) -> Vec<Contrary> {
    let rows = content.contrary.iter().map(|it| Contrary {
        entry: it.index,
        name: name(archive, it.index),
        found: it.found.map(FileType::as_str),
    });
    rows.collect()
}

pub(super) fn unread_rows(content: &Content) -> Vec<NotRead> {
    let rows = |(engine, unread): &(Engine, Vec<Unread>)| {
        let row = |it: &Unread| NotRead {
            engine: engine.name(),
            kind: it.file_type.family().as_str(),
            r#type: it.file_type.as_str(),
            count: it.count,
            source: it.source,
        };
        unread.iter().map(row).collect::<Vec<_>>()
    };
    content.unread.iter().flat_map(rows).collect()
}
