//! `corpus/manifest.json`: what each archive and stream of the corpus shows and holds, and what a reader
//! should do with it. `tests/conformance` scores readers by it.

use std::collections::HashMap;

use daisho::archive::{RawName, SafePath};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::made::{Expected, Made};
use crate::codec::streams;

const ABOUT: &[&str] = &[
    "Small archives and streams for testing readers. Each shows one thing. Made by the tests of daisho.",
    "format: what the archive is; of a file that is refused, what it was before it was damaged.",
    "do: what a reader should do with the archive, or with one entry.",
    "do accept: read it. do note: read it, and say what is unusual. do refuse: report an error.",
    "why: 'name' if no file may have this name (the content can still be read); 'duplicate' if another entry has the same name, apart from case and separators; 'folder' if other entries lie in a folder of this name; else the kind of damage.",
    "name: as text; name_hex: as bytes, if it is not UTF-8. lump, type: a WAD's own name, and the lump's type.",
    "size, sha256: of the content after decompression; of an archive or stream, of the file itself.",
    "streams: reading is how 0xfe must be read (any, skip, copy; none: the stream is damaged). output_size is the declared size, null for none.",
];

#[derive(Serialize)]
struct Archive<'a> {
    file: &'a str,
    shows: &'a str,
    made: &'a str,
    format: &'a str,
    size: usize,
    sha256: String,
    r#do: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

#[derive(Serialize)]
struct Entry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_hex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lump: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    r#do: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

#[derive(Serialize)]
struct Stream<'a> {
    file: String,
    shows: &'a str,
    made: &'a str,
    size: usize,
    sha256: String,
    output_size: Option<u64>,
    reading: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_sha256: Option<String>,
}

/// The manifest of all archives of the corpus and of its streams: one line for each archive, entry and
/// stream, so that a change shows as a changed line.
pub(super) fn write(archives: &[Made]) -> String {
    let mut archives: Vec<&Made> = archives.iter().collect();
    archives.sort_by(|a, b| a.file.cmp(&b.file));
    let about = serde_json::to_string_pretty(ABOUT).unwrap();
    let archives: Vec<String> = archives.into_iter().map(archive).collect();
    let mut streams = streams::rows();
    streams.sort_by_key(|row| row.0);
    let streams: Vec<String> = streams.iter().map(stream).collect();
    format!(
        "{{\n\"about\": {about},\n\"archives\": [\n{}\n],\n\"streams\": [\n{}\n]\n}}\n",
        archives.join(",\n"),
        streams.join(",\n")
    )
}

fn archive(made: &Made) -> String {
    let (action, why) = match made.refused {
        Some(error) => ("refuse", Some(error)),
        None if made.noted => ("note", None),
        None => ("accept", None),
    };
    let archive = Archive {
        file: &made.file,
        shows: made.shows,
        made: shorter(&made.made, 400),
        format: made.format,
        size: made.bytes.len(),
        sha256: sha256(&made.bytes),
        r#do: action,
        why,
    };
    let mut copies = HashMap::new();
    for expected in &made.entries {
        *copies.entry(key(expected.served_name())).or_insert(0) += 1;
    }
    let entries: Vec<String> = made
        .entries
        .iter()
        .map(|expected| {
            let name = std::str::from_utf8(&expected.name).ok();
            let (action, why) = match &expected.comes {
                Err(error) => ("refuse", Some(*error)),
                _ if SafePath::try_from(RawName::from(&expected.name[..])).is_err() => {
                    ("refuse", Some("name"))
                }
                _ if is_folder_too(expected, &made.entries) => ("note", Some("folder")),
                _ if copies[&key(expected.served_name())] > 1 => ("note", Some("duplicate")),
                _ => ("accept", None),
            };
            let content = expected.comes.as_ref().ok();
            let lump = expected.lump.as_ref();
            json(&Entry {
                name,
                name_hex: name.is_none().then(|| hex(&expected.name)),
                lump: lump.map(|(lump, _)| std::str::from_utf8(lump).unwrap()),
                r#type: lump.map(|(_, kind)| *kind),
                size: content.map(Vec::len),
                sha256: content.map(|content| sha256(content)),
                r#do: action,
                why,
            })
        })
        .collect();
    let mut text = json(&archive);
    text.pop();
    if entries.is_empty() {
        format!("{text},\"entries\":[]}}")
    } else {
        format!("{text},\"entries\":[\n  {}\n]}}", entries.join(",\n  "))
    }
}

fn stream(row: &streams::Row) -> String {
    let (name, output_size, reading, shows, built) = row;
    json(&Stream {
        file: format!("streams/{name}"),
        shows,
        made: shorter(&built.script(), 200),
        size: built.bytes.len(),
        sha256: sha256(&built.bytes),
        output_size: *output_size,
        reading,
        output_sha256: streams::output(row).map(|output| sha256(&output)),
    })
}

/// Whether other entries are in a folder of this name, so that no extractor can make both.
fn is_folder_too(file: &Expected, entries: &[Expected]) -> bool {
    let mut folder = key(file.served_name());
    folder.push(b'/');
    let is_inside = |other: &Expected| key(other.served_name()).starts_with(&folder);
    entries.iter().any(is_inside)
}

/// What makes two names one for most readers.
fn key(name: &[u8]) -> Vec<u8> {
    let same = |byte: &u8| match byte.to_ascii_lowercase() {
        b'\\' => b'/',
        byte => byte,
    };
    name.iter().map(same).collect()
}

/// A long script says less than `shows`.
fn shorter(script: &str, max: usize) -> &str {
    if script.len() > max {
        "see the code"
    } else {
        script
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
