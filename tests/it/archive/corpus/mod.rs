//! `corpus/paks` and `corpus/game`: what is in each pak, how it is made, what must come out of it.
//!
//! | folder         | what is there                                                            |
//! |----------------|----------------------------------------------------------------------------|
//! | `paks/sound`   | paks that every reader must read, each with one thing that some do not      |
//! | `paks/broken`  | files that are no paks, damaged ones, and names that no file may have       |
//! | `game`         | an install as the game has it, all of it sound, other files in between      |
//!
//! `corpus/manifest.json` describes each of them. What it says comes from the calls that built the
//! archive; a test checks that the library finds the same.

mod broken;
mod build;
mod game;
mod levels;
pub(crate) mod made;
mod manifest;
mod media;
mod models;
mod packer;
mod paint;
mod pictures;
mod scenes;
mod sound;

use build::Build;
use daisho::archive::{Coding, SafePath};
use daisho::codec::StreamSummary;
use daisho::{Archive, Format};
use made::{Expected, Made};

use crate::corpus;

/// Name, what it shows, how it is made.
type Row = (&'static str, &'static str, Build);

/// The archives whose reader should say something about them as a whole.
const NOTED: &[&str] = &[
    "paks/broken/cut-in-the-directory-both-divide.pak",
    "paks/broken/cut-in-the-directory-daikatana.pak",
    "paks/broken/cut-in-the-directory-quake.pak",
    "paks/broken/directory-length-of-the-other.pak",
    "paks/broken/directory-of-a-part.pak",
    "paks/broken/directory-too-long.pak",
    "paks/sound/no-entries-directory-nowhere.pak",
    "paks/sound/no-entries.pak",
    "wads/broken/claims-most.wad",
    "wads/broken/cut.wad",
    "wads/sound/empty.wad",
    "wads/sound/sizes-differ.wad",
    "zips/broken/size-of-all-bits.pk3",
    "zips/sound/before.zip",
    "zips/sound/count-too-small.pk3",
    "zips/sound/descriptor-with-lies.pk3",
    "zips/sound/empty.pk3",
    "zips/sound/local-flags.pk3",
    "zips/sound/local-name.pk3",
    "zips/sound/local-packed-size.pk3",
    "zips/sound/local-size.pk3",
    "zips/sound/local-sum.pk3",
];

/// All archives of the corpus.
pub(crate) fn archives() -> Vec<Made> {
    let folders = [
        ("paks/sound", sound::rows()),
        ("paks/broken", broken::rows()),
        ("game", game::rows()),
    ];
    let mut archives = Vec::new();
    for (folder, rows) in folders {
        for (name, shows, build) in rows {
            archives.push(made(format!("{folder}/{name}.pak"), shows, &build));
        }
    }
    archives.extend(super::zips::archives());
    archives.extend(super::wads::archives());
    for made in &mut archives {
        made.noted = NOTED.contains(&&*made.file);
    }
    archives
}

fn made(file: String, shows: &'static str, build: &Build) -> Made {
    let entries = build.entries().iter();
    Made {
        file,
        shows,
        made: build.script(),
        bytes: build.bytes(),
        format: build.layout.as_str(),
        refused: build.refused,
        noted: false,
        entries: entries
            .map(|entry| Expected::new(&entry.name, &entry.comes))
            .collect(),
    }
}

#[test]
fn the_corpus_and_its_manifest_match_the_code() {
    let archives = archives();
    let mut files = game::loose();
    files.push((
        "manifest.json".to_owned(),
        manifest::write(&archives).into(),
    ));
    for made in &archives {
        files.push((made.file.clone(), made.bytes.clone()));
    }
    corpus::compare_or_renew(&files);
    let bytes: usize = files.iter().map(|(_, content)| content.len()).sum();
    assert!(bytes < 1_200_000, "{bytes} bytes");
    let mut wrong = Vec::new();
    for made in &archives {
        if let Err(error) = made::compare(made) {
            wrong.push(format!("{}: {error}", made.file));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nothing in it is odd, and its packs hold what the game expects: so its conversion says nothing.
#[test]
fn the_game_is_sound_throughout() {
    let (mut compressed, mut left_stored) = (0, 0);
    for (name, _, build) in game::rows() {
        let archive = Archive::from_bytes(build.bytes()).unwrap();
        assert_eq!(archive.format(), Some(build.layout), "{name}");
        assert_eq!(archive.notes(), [], "{name}");
        let account = archive.account();
        assert_eq!((account.gap_bytes(), account.trailing), (0, 0), "{name}");
        for entry in archive.entries() {
            let place = format!("{name}, {}", entry.name());
            assert!(SafePath::try_from(entry.name()).is_ok(), "{place}");
            let stream = entry.verify().unwrap().stream;
            assert_eq!(
                stream.iter().flat_map(StreamSummary::warnings).count(),
                0,
                "{place}"
            );
            let may = build.layout.spec().coding.is_some()
                && Format::Daikatana.coding_for(entry.name()) == Coding::Daikatana;
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
