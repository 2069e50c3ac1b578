//! `corpus/manifest.json` lists every archive of the corpus: what it shows, what it holds, and what a reader
//! should do with it. Here the library is held to it; `tests/conformance` scores other readers by it.
//!
//! | folder   | what it holds                                                                       |
//! |----------|-------------------------------------------------------------------------------------|
//! | `sound`  | archives that every reader must read, each with one thing that some do not; `dkpak-` are those that the game's own packer wrote |
//! | `broken` | files that are no archives, damaged ones, and names that no file may have           |
//! | `game`   | an install as the game has it, all of it sound, other files in between              |

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use daisho::archive::{RawName, SafePath};
use daisho::{Archive, ErrorKind};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::corpus;

/// The rows of the manifest about `archives` or `streams`.
pub(crate) fn manifest(about: &str) -> Vec<Value> {
    let text = fs::read_to_string(corpus::path("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    manifest[about].as_array().unwrap().clone()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A row as it holds on this system. No file of Windows can have a name that is not UTF-8.
fn here(row: &Value) -> Value {
    let mut row = row.clone();
    for entry in row["entries"].as_array_mut().into_iter().flatten() {
        if cfg!(windows) && entry["name_hex"].is_string() && entry["do"] == "accept" {
            entry["do"] = "refuse".into();
            entry["why"] = "name".into();
        }
    }
    row
}

#[test]
fn archives_are_read_as_the_manifest_says() {
    let rows = manifest("archives");
    let mut wrong = Vec::new();
    for row in &rows {
        let row = &here(row);
        let mut found = found(row["file"].as_str().unwrap());
        // What a file shows, a person has written, and what a refused one was before it was damaged.
        found["shows"] = row["shows"].clone();
        if row["do"] == "refuse" {
            found["format"] = row["format"].clone();
        }
        if found != *row {
            wrong.push(format!("{row}\nis read as\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A file that is added to the corpus needs a row, which this test prints but for what the file shows.
#[test]
fn every_archive_has_a_row_in_the_manifest() {
    let mut expected = BTreeSet::new();
    for pak in corpus::paks(&corpus::path("game"), Path::new("")) {
        let name = pak.strip_prefix(corpus::path("")).unwrap().to_string_lossy();
        expected.insert(name.replace('\\', "/"));
    }
    for kind in ["paks", "wads", "zips"] {
        for folder in [format!("{kind}/sound"), format!("{kind}/broken")] {
            expected
                .extend(corpus::files(&folder).iter().map(|(name, _)| format!("{folder}/{name}")));
        }
    }
    for row in manifest("archives") {
        let file = row["file"].as_str().unwrap();
        assert!(expected.remove(file), "{file} does not exist");
    }
    let missing: Vec<String> = expected.iter().map(|file| found(file).to_string()).collect();
    assert!(missing.is_empty(), "missing:\n{}", missing.join("\n"));
}

/// It was given the files of `game/data`, and packs none that is empty or called `default.cfg`.
#[test]
fn paks_of_the_games_own_packer_hold_what_it_was_given() {
    for (ours, theirs, unpacked) in [("pak0", "dkpak-game", 2), ("pak1", "dkpak-mod", 0)] {
        let open = |path: String| Archive::open(corpus::path(&path)).unwrap();
        let given = open(format!("game/data/{ours}.pak"));
        let packed = open(format!("paks/sound/{theirs}.pak"));
        for entry in packed.entries() {
            let name = entry.name().to_string();
            let expected = given.by_name(&name).unwrap().read().unwrap();
            assert_eq!(entry.read().unwrap(), expected, "{theirs}: {name}");
        }
        assert_eq!(packed.len() + unpacked, given.len(), "{theirs}");
    }
}

/// The row of a file as the library reads it.
fn found(file: &str) -> Value {
    let bytes = fs::read(corpus::path(file)).unwrap();
    let (size, sum) = (bytes.len(), sha256(&bytes));
    let mut row = json!({"file": file, "size": size, "sha256": sum, "entries": []});
    let archive = match Archive::from_bytes(bytes) {
        Ok(archive) => archive,
        Err(error) => {
            row["do"] = "refuse".into();
            row["why"] = word(&error).into();
            return row;
        }
    };
    assert_eq!(archive.account().unwrap().sum(), archive.file_len(), "{file}");
    row["format"] = archive.format_word().into();
    row["do"] = if archive.notes().is_empty() && archive.header_note().is_none() {
        "accept"
    } else {
        "note"
    }
    .into();
    row["entries"] = entries(&archive);
    row
}

fn entries(archive: &Archive) -> Value {
    let has_lumps = archive.format().is_some_and(|it| it.spec().has_lumps());
    let records: Vec<&[u8]> = archive.directory().chunks(32).collect();
    // The name that readers know an entry by: a lump's own, in a WAD.
    let served: Vec<&[u8]> = archive
        .entries()
        .map(|entry| {
            if has_lumps {
                records[entry.index()][16..].split(|byte| *byte == 0).next().unwrap()
            } else {
                entry.name().as_bytes()
            }
        })
        .collect();
    let keys: Vec<Vec<u8>> = served.iter().map(|name| key(name)).collect();
    let mut rows = Vec::new();
    for entry in archive.entries() {
        let at = entry.index();
        let name: RawName<'_> = entry.name();
        let mut row = match core::str::from_utf8(name.as_bytes()) {
            Ok(name) => json!({"name": name}),
            Err(_) => json!({"name_hex": hex(name.as_bytes())}),
        };
        if has_lumps {
            row["lump"] = core::str::from_utf8(served[at]).unwrap().into();
            row["type"] = records[at][12].into();
        }
        let folder = [&keys[at][..], b"/"].concat();
        let (action, why) = match entry.read() {
            Err(error) => ("refuse", word(&error)),
            Ok(content) => {
                row["size"] = content.len().into();
                row["sha256"] = sha256(&content).into();
                if SafePath::try_from(name).is_err() {
                    ("refuse", "name")
                } else if keys.iter().any(|key| key.starts_with(&folder)) {
                    ("note", "folder")
                } else if keys.iter().filter(|key| **key == keys[at]).count() > 1 {
                    ("note", "duplicate")
                } else {
                    ("accept", "")
                }
            }
        };
        row["do"] = action.into();
        if !why.is_empty() {
            row["why"] = why.into();
        }
        rows.push(row);
    }
    rows.into()
}

/// What makes two names one for most readers.
fn key(name: &[u8]) -> Vec<u8> {
    name.to_ascii_lowercase()
        .into_iter()
        .map(|byte| if byte == b'\\' { b'/' } else { byte })
        .collect()
}

/// The word that the manifest has for an error.
fn word(error: &daisho::Error) -> &'static str {
    match error.kind() {
        ErrorKind::TooShort { .. } => "too-short",
        ErrorKind::NotAnArchive { .. } => "no-pak",
        ErrorKind::OtherFile { .. } => "relative",
        ErrorKind::NoDirectory { .. } | ErrorKind::ShortDirectory { .. } => "no-directory",
        ErrorKind::Undecided { .. } => "undecided",
        ErrorKind::OutsideFile { .. } => "outside",
        ErrorKind::ImpossibleSize { .. } => "impossible",
        ErrorKind::Damaged(_) | ErrorKind::DamagedDeflate(_) => "damaged",
        ErrorKind::Flawed(_) => "flawed",
        ErrorKind::WrongCrc32 { .. } => "wrong-sum",
        ErrorKind::NoZipEnd => "no-end",
        ErrorKind::NoZipDirectory { .. } => "no-directory",
        ErrorKind::SplitZip => "split",
        ErrorKind::Unreadable(_) => "unreadable",
        _ => "unexpected",
    }
}
