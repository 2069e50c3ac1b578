//! A game's directory written for an engine: all of it loads, and if no part comes between two archives, in the order
//! in which it did.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;

use crate::ops::report::convert;
use daisho::Format;
use daisho::engine::Engine;
use daisho::ops::write::{Destination, WriteOptions};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::engines::pak_engines;
use super::oracle::{self, File, Folder, search, served};
use super::split::any_files;
use super::{context, naive, names_in};
use crate::archive::build::Pak;

/// Names that archives have in one way or another.
const NAMES: [&str; 8] =
    ["pak0.pak", "pak1.pak", "pak2.pak", "pak4.pak", "pak9.pak", "pak10.pak", "mod.pak", "zoo.pak"];

fn pak(files: &[File], format: Format) -> Vec<u8> {
    let pak = Pak::of(files);
    match format {
        Format::Daikatana => pak.daikatana(),
        _ => pak.quake(),
    }
}

/// The same paks, under numbers that every engine loads in this order.
fn ideal(paks: &BTreeMap<String, Vec<File>>, order: &[String]) -> Folder {
    let numbered = order.iter().enumerate();
    let numbered = numbered.map(|(n, name)| (format!("pak{n}.pak"), paks[name].clone()));
    Folder { paks: numbered.collect(), loose: Vec::new() }
}

/// The order in which the engine loads all of these, if it does and leaves nothing to the file system.
fn order(engine: Engine, names: &BTreeSet<String>) -> Option<Vec<String>> {
    let loaded = oracle::order(engine, names);
    let unnumbered = names.iter().filter(|name| !name.starts_with("pak")).count();
    let as_listed =
        matches!(engine, Engine::Qss | Engine::EzQuake | Engine::Yquake2 | Engine::Yquake2Remaster);
    // Behind a gap a number is one of those that are listed.
    let gaps = (0..).take_while(|n| names.contains(&format!("pak{n}.pak"))).count();
    let behind = names.len() - gaps;
    let listed = match engine {
        Engine::Qss | Engine::EzQuake => behind,
        _ => unnumbered,
    };
    (loaded.len() == names.len() && !(as_listed && listed > 1)).then_some(loaded)
}

/// Converts the directory, and says what it holds then; nothing where that is refused for want of names.
fn written(from: &Path, to: &Path, engine: Engine, most: u64) -> Option<Folder> {
    let format = engine.profile().layout();
    let mut options =
        WriteOptions { ..WriteOptions::new(Destination::Directory(to.to_path_buf()), format) };
    options.rules.engines = engine.into();
    options.rules.max_entries = NonZeroU64::new(most);
    if let Err(refusal) = convert(&context(2), &[from.to_path_buf()], options) {
        for error in &refusal.0 {
            let expected = [
                "would not load the output as",
                "would also be written here",
                "the output must be split into",
                "this entry needs an archive of",
                "must stay together and need an archive of",
            ];
            let is_expected = expected.iter().any(|it| error.detail.contains(it));
            assert!(is_expected, "{refusal:?}");
        }
        assert!(!to.exists());
        return None;
    }
    let read = |name: String| {
        let entries = naive::read(&fs::read(to.join(&name)).unwrap(), format);
        let entries = entries.into_iter();
        let file = |entry: naive::Entry| (String::from_utf8(entry.name).unwrap(), entry.content);
        (name, entries.map(file).collect())
    };
    Some(Folder { paks: names_in(to).into_iter().map(read).collect(), loose: Vec::new() })
}

#[test]
fn a_converted_game_is_served_as_before() {
    let mut runner = TestRunner::new(ProptestConfig::with_cases(60));
    let (split, refused) = (Cell::new(0), Cell::new(0));
    let names = proptest::sample::subsequence(NAMES.to_vec(), 1..5);
    let files = proptest::collection::vec(any_files(), 5);
    let game = (names, files, prop_oneof![1..4_u64, 6..60_u64], any::<bool>());
    runner
        .run(&game, |(names, files, most, is_daikatana)| {
            let dir = tempfile::tempdir().unwrap();
            let from = dir.path().join("from");
            fs::create_dir(&from).unwrap();
            let source = if is_daikatana { Format::Daikatana } else { Format::Quake };
            let mut paks = BTreeMap::new();
            for (name, files) in names.iter().zip(files) {
                fs::write(from.join(name), pak(&files, source)).unwrap();
                paks.insert((*name).to_owned(), files);
            }
            let names: BTreeSet<String> = paks.keys().cloned().collect();
            for engine in pak_engines() {
                let to = dir.path().join(engine.as_str());
                let Some(folder) = written(&from, &to, engine, most) else {
                    refused.set(refused.get() + 1);
                    continue;
                };
                // Every archive keeps its name, and parts count up from it.
                prop_assert!(paks.keys().all(|name| folder.paks.contains_key(name)));
                let Some(order) = order(engine, &names) else {
                    continue;
                };
                let is_split = folder.paks.len() > paks.len();
                split.set(split.get() + usize::from(is_split));
                if is_split && paks.len() > 1 {
                    continue;
                }
                let ideal = search(engine, &[ideal(&paks, &order)], false);
                let copies = search(engine, &[folder], false);
                prop_assert_eq!(copies.len(), ideal.len(), "{} leaves some", engine);
                for name in paks.values().flatten().map(|(name, _)| name) {
                    let serves = |copies: &[oracle::Copy]| {
                        let rank = served(engine, copies, name)?;
                        Some(copies[rank].content.clone())
                    };
                    prop_assert_eq!(serves(&copies), serves(&ideal), "{} {}", engine, name);
                }
            }
            Ok(())
        })
        .unwrap();
    assert!(split.get() > 10 && refused.get() > 100, "{split:?} {refused:?}");
}
