//! Outputs that are split for an engine: what it serves from all parts is what it would serve from
//! one pak, if it loaded that.

use std::cell::Cell;
use std::collections::HashMap;
use std::num::NonZeroU64;
use std::path::Path;

use crate::ops::report::{Report, convert};
use daisho::Format;
use daisho::engine::{Engine, Engines};
use daisho::ops::Existing;
use daisho::ops::write::{Rules, common_format};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::engines::{observed, pak_engines};
use super::naive::{self, contents};
use super::oracle::{Copy, Folder, search, served};
use super::{context, into_file, names_in};
use crate::archive::build::{Entry, Pak};

/// Files in their order.
type Files = Vec<(String, Vec<u8>)>;

fn key(name: &[u8], engine: Engine) -> Option<String> {
    let name = core::str::from_utf8(name).unwrap();
    observed::rules(engine).key(name)
}

/// A Daikatana pak of these files. Files of one content share their payload now and then.
fn daikatana(files: &Files, shared: bool) -> Vec<u8> {
    let mut pak = Pak::new();
    let mut seen = HashMap::new();
    for (name, content) in files {
        let offset = match seen.get(content) {
            Some(offset) if shared => *offset,
            _ => pak.payload(content),
        };
        seen.insert(content, offset);
        pak.entries.push(Entry {
            name: name.as_bytes().to_vec(),
            offset,
            size: content.len() as u32,
            packed: None,
        });
    }
    pak.daikatana()
}

fn rules(engines: impl Into<Engines>, max_entries: u64, max_size: u64) -> Rules {
    Rules {
        engines: engines.into(),
        max_entries: NonZeroU64::new(max_entries),
        max_size: (max_size > 0).then_some(max_size),
    }
}

/// Converts into `game/`, and says what came of it.
fn split(
    dir: &Path,
    bytes: &[u8],
    first: &str,
    jobs: usize,
    rules: Rules,
) -> Result<Report, daisho::ops::Refusal> {
    let (source, game) = (dir.join("in.pak"), dir.join(format!("game{jobs}")));
    std::fs::write(&source, bytes).unwrap();
    std::fs::create_dir_all(&game).unwrap();
    let to = common_format(rules.engines).unwrap_or(Format::Quake);
    let mut options = into_file(game.join(first), to);
    options.rules = rules;
    options.existing = Existing::Replace;
    convert(&context(jobs), &[source], options)
}

/// The first part's name, from which on there is most room.
fn first(engine: Engine) -> &'static str {
    match engine {
        Engine::DarkPlaces | Engine::Xash3d => "pak000.pak",
        _ => "pak0.pak",
    }
}

/// What `engine` serves from the parts is what it would serve from the one pak.
fn assert_serves_alike(game: &Path, files: &Files, engine: Engine) -> Result<(), TestCaseError> {
    let folder = |paks: Vec<(String, Files)>| Folder {
        paks: paks.into_iter().collect(),
        loose: Files::new(),
    };
    let part = |name: String| {
        let bytes = std::fs::read(game.join(&name)).unwrap();
        let entries = naive::read(&bytes, engine.profile().layout()).into_iter();
        let file = |entry: naive::Entry| (String::from_utf8(entry.name).unwrap(), entry.content);
        (name, entries.map(file).collect())
    };
    let parts = folder(names_in(game).into_iter().map(part).collect());
    let whole = folder(vec![("pak0.pak".to_owned(), files.clone())]);
    let (parts, whole) = (search(engine, &[parts], false), search(engine, &[whole], false));
    prop_assert_eq!(parts.len(), files.len(), "{} loads other entries", engine);
    let mut asked: Vec<String> = files.iter().map(|file| file.0.clone()).collect();
    asked.extend(files.iter().map(|file| file.0.to_ascii_uppercase()));
    asked.push("none/such".to_owned());
    for name in asked {
        let content = |copies: &[Copy]| {
            let rank = served(engine, copies, &name)?;
            Some(copies[rank].content.clone())
        };
        prop_assert_eq!(content(&parts), content(&whole), "{} {}", engine, name);
    }
    Ok(())
}

/// All parts together hold every file once, each part in the order of the source, and names that
/// are one to the engine are in one part.
fn assert_whole(
    parts: &[Vec<naive::Entry>],
    files: &Files,
    engine: Engine,
) -> Result<(), TestCaseError> {
    let mut left: Vec<Option<&(String, Vec<u8>)>> = files.iter().map(Some).collect();
    for part in parts {
        prop_assert!(!part.is_empty());
        let mut at = 0;
        for (name, content) in contents(part) {
            let place = left[at..].iter().position(|file| {
                file.is_some_and(|file| file.0.as_bytes() == name && file.1 == content)
            });
            prop_assert!(place.is_some(), "out of order, or not of the source");
            at += place.unwrap();
            left[at] = None;
        }
    }
    prop_assert!(left.iter().all(Option::is_none), "something is missing");
    for (n, part) in parts.iter().enumerate() {
        let others = || parts[n + 1..].iter().flatten();
        for entry in part {
            let key = |entry: &naive::Entry| key(&entry.name, engine);
            let same = |other: &naive::Entry| key(entry).is_some() && key(other) == key(entry);
            prop_assert!(!others().any(same), "a set is torn apart");
        }
    }
    Ok(())
}

/// A few names, many of them alike, with contents of which some are alike.
pub(super) fn any_files() -> impl Strategy<Value = Files> {
    let file = (0..24_usize, any::<bool>(), 0..6_usize);
    let name = |n: usize, upper: bool| {
        let stem = ["a", "b/c", "b\\c", "skins/e", "f", "g", "h", "i"][n % 8];
        let name = format!("{stem}.{}", ["cfg", "tga", "wav"][n / 8]);
        if upper { name.to_ascii_uppercase() } else { name }
    };
    let content = |n: usize| vec![b'x'; n * n * 7];
    proptest::collection::vec(file, 1..40).prop_map(move |files| {
        let file = |(n, upper, len): (usize, bool, usize)| (name(n, upper), content(len));
        files.into_iter().map(file).collect()
    })
}

#[test]
fn every_engine_serves_the_same_from_the_parts() {
    let mut runner = TestRunner::new(ProptestConfig::with_cases(24));
    // Of both there must be some, or nothing is shown.
    let (splits, refusals) = (Cell::new(0), Cell::new(0));
    runner
        .run(
            &(any_files(), 1..20_u64, 0..4000_u64, any::<bool>()),
            |(files, max_entries, max_size, shared)| {
                for engine in pak_engines() {
                    let dir = tempfile::tempdir().unwrap();
                    let bytes = daikatana(&files, shared);
                    let rules = rules(engine, max_entries, max_size);
                    let done = split(dir.path(), &bytes, first(engine), 2, rules);
                    let game = dir.path().join("game2");
                    if let Err(refusal) = done {
                        for error in &refusal.0 {
                            let expected = [
                                "this entry needs an archive of",
                                "must stay together and need an archive of",
                                "would not load part ",
                            ];
                            let is_expected = expected.iter().any(|it| error.detail.contains(it));
                            prop_assert!(is_expected, "{refusal:?}");
                        }
                        prop_assert!(names_in(&game).is_empty());
                        refusals.set(refusals.get() + 1);
                        continue;
                    }
                    let parts = names_in(&game);
                    splits.set(splits.get() + usize::from(parts.len() > 1));
                    let layout = engine.profile().layout();
                    let mut all = Vec::new();
                    for part in &parts {
                        let bytes = std::fs::read(game.join(part)).unwrap();
                        let entries = naive::read(&bytes, layout);
                        prop_assert!(entries.len() as u64 <= max_entries);
                        prop_assert!(max_size == 0 || bytes.len() as u64 <= max_size);
                        all.push(entries);
                    }
                    // By name is not by number beyond nine.
                    all.sort_by_key(|part| {
                        let first = contents(part)[0];
                        let same = |file: &(String, Vec<u8>)| {
                            file.0.as_bytes() == first.0 && file.1 == first.1
                        };
                        files.iter().position(same)
                    });
                    assert_whole(&all, &files, engine)?;
                    assert_serves_alike(&game, &files, engine)?;
                }
                Ok(())
            },
        )
        .unwrap();
    assert!(splits.get() > 50 && refusals.get() > 5, "{splits:?} {refusals:?}");
}

/// Engines that take names in different ways share the parts, and each serves what it would from one pak.
#[test]
fn parts_for_several_engines_are_served_alike_by_each() {
    let all: Vec<Engine> = pak_engines().filter(|it| *it != Engine::Daikatana).collect();
    let mut runner = TestRunner::new(ProptestConfig::with_cases(150));
    let splits = Cell::new(0);
    let chosen = proptest::sample::subsequence(all, 2..6);
    runner
        .run(&(any_files(), 4..20_u64, chosen), |(files, most, engines)| {
            let dir = tempfile::tempdir().unwrap();
            let bytes = daikatana(&files, false);
            let rules = rules(engines.iter().copied().collect::<Engines>(), most, 0);
            let Ok(_) = split(dir.path(), &bytes, "pak0.pak", 2, rules) else {
                return Ok(());
            };
            let game = dir.path().join("game2");
            let parts = names_in(&game);
            splits.set(splits.get() + usize::from(parts.len() > 1));
            let read = |name: &String| naive::quake(&std::fs::read(game.join(name)).unwrap());
            let parts: Vec<_> = parts.iter().map(read).collect();
            for engine in engines {
                assert_whole(&parts, &files, engine)?;
                assert_serves_alike(&game, &files, engine)?;
            }
            Ok(())
        })
        .unwrap();
    assert!(splits.get() > 50, "{splits:?}");
}
