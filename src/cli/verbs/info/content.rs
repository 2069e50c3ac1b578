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

/// What each engine cannot read, with engines that agree in one line.
pub(super) fn unread(content: &Content) -> Vec<String> {
    let engines: Engines = content.unread.iter().map(|(engine, _)| *engine).collect();
    let of_engine = |engine: Engine| {
        let found = content.unread.iter().find(|(it, _)| *it == engine);
        found.map(|(_, unread)| unread_in_words(content, unread))
    };
    let mut lines = Vec::new();
    for (words, engines) in engines.agreeing(of_engine) {
        if let Some(words) = words {
            lines.push(format!("{}: {words}", EngineNames::from(engines)));
        }
    }
    lines
}

fn unread_in_words(content: &Content, unread: &[Unread]) -> String {
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

/// What an engine cannot read, as JSON.
#[derive(Serialize)]
pub(super) struct NotRead {
    engine: &'static str,
    kind: &'static str,
    r#type: &'static str,
    count: usize,
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
        };
        unread.iter().map(row).collect::<Vec<_>>()
    };
    content.unread.iter().flat_map(rows).collect()
}
