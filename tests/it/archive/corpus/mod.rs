//! `corpus/paks` and `corpus/game`: what is in each pak, how it is made, what must come out of it.
//!
//! | folder         | what lies there                                                            |
//! |----------------|----------------------------------------------------------------------------|
//! | `paks/sound`   | paks that every reader must read, each with one thing that some do not      |
//! | `paks/broken`  | files that are no paks, damaged ones, and names that no file may have       |
//! | `game`         | an install as the game has it, all of it sound, other files in between      |
//!
//! Each folder's `MANIFEST` has a line a pak. What it says comes from the calls that built the
//! pak; that the library finds the same is a test.

mod broken;
mod build;
mod game;
mod levels;
pub(super) mod made;
pub(super) mod manifest;
mod media;
mod models;
mod packer;
mod paint;
mod pictures;
mod scenes;
mod sound;

use std::fs;

use build::Build;
use daisho::archive::{Coding, SafePath};
use daisho::codec::Summary;
use daisho::format::coding_for;
use daisho::{Archive, Format};

use crate::corpus;

const FOLDERS: [&str; 3] = ["paks/sound", "paks/broken", "game"];

/// Name, what it shows, how it is made.
type Row = (&'static str, &'static str, Build);

/// Everything that is compared with what is committed.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = game::loose();
    for (folder, rows) in tables() {
        let manifest = manifest::write(&rows);
        files.push((format!("{folder}/MANIFEST"), manifest.into_bytes()));
        for (name, _, build) in rows {
            files.push((format!("{folder}/{name}.pak"), build.bytes()));
        }
    }
    files
}

/// The folders, and the paks in each.
fn tables() -> impl Iterator<Item = (&'static str, Vec<Row>)> {
    let rows = [sound::rows(), broken::rows(), game::rows()];
    FOLDERS.into_iter().zip(rows)
}

/// The manifest is read from where it is committed, as benches and others read it.
#[test]
fn the_paks_are_as_the_code_makes_them_and_the_library_finds_what_the_manifests_say() {
    corpus::compare_or_bless(&files());
    let mut wrong = Vec::new();
    for folder in FOLDERS {
        let text = fs::read_to_string(corpus::path(folder).join("MANIFEST")).unwrap();
        for line in manifest::read(&text) {
            let path = corpus::path(folder).join(line.file);
            let found = manifest::found(&fs::read(&path).unwrap());
            if found != line.said {
                wrong.push(format!(
                    "{folder}/{}: {found:?}, not {:?}",
                    line.file, line.said
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_entry_has_the_name_and_the_bytes_it_was_built_with() {
    for (folder, rows) in tables() {
        for (name, _, build) in rows {
            let Ok(archive) = Archive::from_bytes(build.bytes()) else {
                assert!(build.refused.is_some(), "{folder}/{name}");
                continue;
            };
            assert_eq!(archive.len(), build.entries().len(), "{folder}/{name}");
            for (entry, built) in archive.entries().zip(build.entries()) {
                let place = format!("{folder}/{name}, entry {}", entry.index());
                assert_eq!(entry.name().as_bytes(), built.name, "{place}");
                assert_eq!(entry.read().ok(), built.comes.clone().ok(), "{place}");
            }
        }
    }
}

/// Nothing in it is odd, and its packs hold what the game expects: so its conversion says nothing.
#[test]
fn the_game_is_sound_throughout() {
    let (mut compressed, mut left_stored) = (0, 0);
    for (name, _, build) in game::rows() {
        let archive = Archive::from_bytes(build.bytes()).unwrap();
        assert_eq!(archive.format(), build.layout, "{name}");
        assert_eq!(archive.notes(), [], "{name}");
        let account = archive.account();
        assert_eq!((account.gap_bytes(), account.trailing), (0, 0), "{name}");
        for entry in archive.entries() {
            let place = format!("{name}, {}", entry.name());
            assert!(SafePath::try_from(entry.name()).is_ok(), "{place}");
            let stream = entry.verify().unwrap().stream;
            assert_eq!(
                stream.iter().flat_map(Summary::warnings).count(),
                0,
                "{place}"
            );
            let may = archive.format().spec().coding.is_some()
                && coding_for(entry.name(), Format::Daikatana) == Coding::Daikatana;
            assert!(may || !entry.is_compressed(), "{place}");
            assert_eq!(
                entry.is_clean_stream().unwrap(),
                entry.is_compressed(),
                "{place}"
            );
            compressed += usize::from(entry.is_compressed());
            left_stored += usize::from(may && !entry.is_compressed());
        }
    }
    assert!(
        compressed > 20 && left_stored > 0,
        "{compressed}, {left_stored}"
    );
}

#[test]
fn all_of_the_corpus_stays_small() {
    let bytes: usize = files().iter().map(|(_, content)| content.len()).sum();
    assert!(bytes < 1_000_000, "{bytes} bytes");
}
