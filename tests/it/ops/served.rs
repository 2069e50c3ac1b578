//! What an engine served from a game's directories it serves from what a merge or an extraction made
//! of them, for games at random, seen by a plain search that knows nothing of the code under test.
#![cfg(target_os = "linux")]

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::ops::report::{extract_served, merge};
use daisho::Format;
use daisho::engine::Engine;
use daisho::ops::ExtractOptions;
use daisho::ops::finding::Finding;
use daisho::ops::game::View;
use daisho::ops::source::Selection;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::engines::observed::{Backslash, rules};
use super::engines::pak_engines;
use super::oracle::{Copy, File, Folder, found, search, served};
use super::{context, into_file, naive};
use crate::archive::build::Pak;

const PAKS: [&str; 8] =
    ["pak0.pak", "pak1.pak", "pak2.pak", "pak4.pak", "pak10.pak", "PAK3.PAK", "mod.pak", "Zoo.pak"];
const NAMES: [&str; 12] = [
    "a", "A", "b", "maps/x", "Maps/X", "MAPS/x", "c/d", "C/D", "c/D", "e.cfg", "maps\\x", "Maps\\X",
];
/// As files they have `/`.
const LOOSE: [&str; 9] = ["a", "A", "b", "maps/x", "Maps/X", "c/d", "C/D", "c/D", "f"];

/// What folders are made of: numbers of the names above.
type Made = Vec<MadeFolder>;
type MadeFolder = (Vec<(usize, Vec<usize>)>, BTreeSet<usize>);

fn any_game(names: usize) -> impl Strategy<Value = Made> {
    let pak = (0..PAKS.len(), proptest::collection::vec(0..names, 1..6));
    let paks = proptest::collection::vec(pak, 0..4);
    let loose = proptest::collection::btree_set(0..LOOSE.len(), 0..5);
    proptest::collection::vec((paks, loose), 1..4)
}

/// Every copy has a content of its own.
fn game(made: &Made) -> Vec<Folder> {
    let folder = |(at, (paks, loose)): (usize, &MadeFolder)| {
        let mut folder = Folder::default();
        // Every engine loads this one.
        let first = (0, vec![2]);
        for (pak, names) in paks.iter().chain([&first]) {
            let file = |(n, name): (usize, &usize)| {
                let content = format!("{at} {} {n}", PAKS[*pak]);
                (NAMES[*name].to_owned(), content.into_bytes())
            };
            let files: Vec<File> = names.iter().enumerate().map(file).collect();
            folder.paks.entry(PAKS[*pak].to_owned()).or_insert(files);
        }
        let file = |name: &usize| {
            let content = format!("{at} loose {}", LOOSE[*name]);
            (LOOSE[*name].to_owned(), content.into_bytes())
        };
        folder.loose = loose.iter().map(file).collect();
        folder
    };
    made.iter().enumerate().map(folder).collect()
}

/// Writes the folders, `0` and on.
fn write(dir: &Path, game: &[Folder], layout: Format) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for (at, folder) in game.iter().enumerate() {
        let path = dir.join(at.to_string());
        fs::create_dir(&path).unwrap();
        for (name, files) in &folder.paks {
            let pak = Pak::of(files);
            let bytes = match layout {
                Format::Daikatana => pak.daikatana(),
                _ => pak.quake(),
            };
            fs::write(path.join(name), bytes).unwrap();
        }
        for (name, content) in &folder.loose {
            let file = path.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        folders.push(path);
    }
    folders
}

/// The name that every engine finds.
fn lowered(name: &str) -> String {
    name.to_ascii_lowercase().replace('\\', "/")
}

/// What is to be taken of each name, and what is to be warned of: said of copies in the order in
/// which they are searched.
struct Expected {
    /// By the names that one copy is for.
    taken: BTreeMap<BTreeSet<String>, usize>,
    left: BTreeSet<usize>,
}

/// Which copies become one.
#[derive(Clone, Copy, PartialEq)]
enum One {
    /// Those of one name.
    Name,
    /// Those that a pak cannot tell apart.
    Key,
    /// Those of one name in lower case.
    Lowered,
}

fn expected(engine: Engine, copies: &[Copy], one: One) -> Expected {
    let rules = rules(engine);
    // Names that are never found are each its own.
    let key = |name: &str| match rules.key(name) {
        Some(key) => (key, true),
        None => (name.to_owned(), false),
    };
    let mut families: BTreeMap<(String, bool), Vec<usize>> = BTreeMap::new();
    for (rank, copy) in copies.iter().enumerate() {
        let (key, found) = key(&copy.name);
        let family = match one {
            One::Name => (copy.name.clone(), true),
            One::Key => (key, found),
            One::Lowered => (lowered(&key), true),
        };
        families.entry(family).or_default().push(rank);
    }
    let mut expected = Expected { taken: BTreeMap::new(), left: BTreeSet::new() };
    for family in families.into_values() {
        // What is never found is left out as what is served is: the first of it.
        let is_served = |rank: &usize| {
            let name = &copies[*rank].name;
            let first = match key(name) {
                (_, true) => served(engine, copies, name),
                (_, false) => copies.iter().position(|copy| copy.name == *name),
            };
            first == Some(*rank)
        };
        let mut kept: Vec<usize> = family.iter().copied().filter(is_served).collect();
        // Whatever copies are called, a game asks in lower case.
        kept.sort_by_key(|rank| {
            let name = &copies[*rank].name;
            let (key, found) = key(name);
            (!found || key != lowered(&key), *name != lowered(name), *rank)
        });
        let Some((taken, left)) = kept.split_first() else {
            continue;
        };
        let names = family.iter().map(|rank| copies[*rank].name.clone());
        expected.left.extend(left);
        expected.taken.insert(names.collect(), *taken);
    }
    expected
}

/// Whether these warnings, and no others, are about the copies that are left out: by their contents,
/// which say where each is.
fn assert_reported(
    findings: &[Finding],
    expected: &Expected,
    copies: &[Copy],
    layout: Format,
) -> Result<(), TestCaseError> {
    let mut reported = BTreeSet::new();
    for finding in findings {
        prop_assert!(!finding.is_error(), "{}", finding);
        if finding.detail.contains(" may serve any of the entries") {
            continue;
        }
        let taken = &finding.detail;
        prop_assert!(taken.starts_with("this is left out: "), "{}", finding);
        let path = finding.place.path.as_deref().unwrap();
        let content = match finding.place.entry() {
            Some((index, _)) => {
                let bytes = fs::read(path).unwrap();
                naive::read(&bytes, layout)[index].content.clone()
            }
            None => fs::read(path).unwrap(),
        };
        let rank = copies.iter().position(|copy| copy.content == content).unwrap();
        prop_assert!(reported.insert(rank), "twice: {}", finding);
        let names = expected.taken.iter().find(|(names, _)| names.contains(&copies[rank].name));
        let other = &copies[*names.unwrap().1];
        let place = if other.is_loose { other.name.clone() } else { "entry ".to_owned() };
        prop_assert!(taken.contains(&place), "{} is not {}", taken, other.name);
    }
    prop_assert_eq!(&reported, &expected.left);
    Ok(())
}

/// Every search by name finds the copies that the plain search finds, in its order, and a copy is listed that is
/// served under its own name.
fn assert_found(engine: Engine, view: &View, copies: &[Copy]) -> Result<(), TestCaseError> {
    for asked in NAMES {
        let ours = view.game.find(asked.as_bytes());
        let ours: Vec<Vec<u8>> = ours.iter().map(|copy| copy.read().unwrap()).collect();
        let expected = found(engine, copies, asked).into_iter();
        let expected: Vec<Vec<u8>> = expected.map(|rank| copies[rank].content.clone()).collect();
        prop_assert_eq!(ours, expected, "{} {}", engine, asked);
    }
    let listed = view.winners(&Selection::all(), false).served;
    let listed: BTreeSet<Vec<u8>> = listed.iter().map(|it| it.read().unwrap()).collect();
    let ranks = 0..copies.len();
    let is_own = |rank: &usize| served(engine, copies, &copies[*rank].name) == Some(*rank);
    let expected = ranks.filter(is_own).map(|rank| copies[rank].content.clone());
    prop_assert_eq!(listed, expected.collect::<BTreeSet<_>>(), "{}", engine);
    Ok(())
}

/// Merges the game for every engine: the copies left out, and the merges made.
fn assert_merged(
    made: &Made,
    loose: bool,
    lowercase: bool,
) -> Result<(usize, usize), TestCaseError> {
    let (mut left, mut merged) = (0, 0);
    let game = game(made);
    for engine in pak_engines() {
        let dir = tempfile::tempdir().unwrap();
        let layout = engine.profile().layout();
        let folders = write(dir.path(), &game, layout);
        let copies = search(engine, &game, loose);
        let one = if lowercase { One::Lowered } else { One::Key };
        let expected = expected(engine, &copies, one);

        let view = View::open(&context(1), &folders, Some(engine), loose).unwrap();
        if loose {
            assert_found(engine, &view, &copies)?;
        }
        let out = dir.path().join("pak0.pak");
        let mut options = into_file(&out, layout);
        options.lowercase = lowercase;
        let report = merge(&context(2), &view, &options).unwrap();
        assert_reported(&report.findings, &expected, &copies, layout)?;
        prop_assert!(report.paks[0].findings.is_empty(), "{report:?}");

        let entries = naive::read(&fs::read(&out).unwrap(), layout);
        prop_assert_eq!(entries.len(), expected.taken.len());
        let mut after = Folder::default();
        let file = |entry: naive::Entry| (String::from_utf8(entry.name).unwrap(), entry.content);
        let files = entries.into_iter().map(file).collect();
        after.paks.insert("pak0.pak".to_owned(), files);
        let after = search(engine, &[after], false);
        let rules = rules(engine);
        for (names, taken) in &expected.taken {
            for name in names {
                let asked = if lowercase { lowered(name) } else { name.clone() };
                // One finds another entry so, and never this one.
                if rules.backslash == Backslash::OfRequests && asked.contains('\\') {
                    continue;
                }
                let found = served(engine, &after, &asked).map(|rank| &after[rank].content);
                let is_found = rules.key(&asked).is_some();
                let content = is_found.then_some(&copies[*taken].content);
                prop_assert_eq!(found, content, "{} {}", engine, name);
                // Where nothing was left out, that is what was served. A name that no entry is found
                // by finds copies of another name, if any: of those that name speaks.
                let is_own = rules.key(name).is_some();
                let before = is_own.then(|| served(engine, &copies, name)).flatten();
                // What a loose file hides under its own name is not listed, whatever else finds it.
                let is_hidden =
                    |rank: usize| served(engine, &copies, &copies[rank].name) != Some(rank);
                let is_kept = before
                    .is_none_or(|it| it == *taken || expected.left.contains(&it) || is_hidden(it));
                prop_assert!(is_kept, "{} {} was {:?}", engine, name, before);
            }
        }
        left += expected.left.len();
        merged += 1;
    }
    Ok((left, merged))
}

#[test]
fn a_merge_serves_what_the_game_served() {
    let (left, merged) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(ProptestConfig::with_cases(40));
    let strategy = (any_game(NAMES.len()), any::<bool>(), any::<bool>());
    let done = runner.run(&strategy, |(made, loose, lowercase)| {
        let (more_left, more) = assert_merged(&made, loose, lowercase)?;
        left.set(left.get() + more_left);
        merged.set(merged.get() + more);
        Ok(())
    });
    done.unwrap();
    assert!(left.get() > 50 && merged.get() > 200, "{left:?} {merged:?}");
}

/// A request for `Maps\X` is one for `Maps/X`, which a file system that tells capitals apart finds
/// in a pak and not beside it.
#[test]
fn an_unfindable_name_is_no_key_of_another() {
    let name = |name: &str| NAMES.iter().position(|it| *it == name).unwrap();
    let loose = LOOSE.iter().position(|it| *it == "maps/x").unwrap();
    let names = vec![name("Maps\\X"), name("maps/x")];
    let made = vec![(vec![(0, names)], BTreeSet::new()), (Vec::new(), BTreeSet::from([loose]))];
    for lowercase in [false, true] {
        assert_merged(&made, true, lowercase).unwrap();
    }
}

#[test]
fn an_extraction_writes_what_the_game_served() {
    // Without a backslash: as paths those names are others' names, which is refused.
    let names = NAMES.len() - 2;
    let mut runner = TestRunner::new(ProptestConfig::with_cases(24));
    let strategy = (any_game(names), any::<bool>(), any::<bool>());
    let done = runner.run(&strategy, |(made, loose, lowercase)| {
        let game = game(&made);
        for engine in pak_engines() {
            let dir = tempfile::tempdir().unwrap();
            let layout = engine.profile().layout();
            let folders = write(dir.path(), &game, layout);
            let copies = search(engine, &game, loose);
            let one = if lowercase { One::Lowered } else { One::Name };
            let expected = expected(engine, &copies, one);
            let view = View::open(&context(1), &folders, Some(engine), loose).unwrap();
            let out = dir.path().join("out");
            let options = ExtractOptions {
                directory: Some(out.clone()),
                lowercase,
                ..ExtractOptions::default()
            };
            let report = extract_served(&context(2), &view, &options).unwrap();
            assert_reported(&report.findings, &expected, &copies, layout)?;
            let files: BTreeMap<String, Vec<u8>> = walkdir::WalkDir::new(&out)
                .into_iter()
                .map(Result::unwrap)
                .filter(|entry| entry.file_type().is_file())
                .map(|entry| {
                    let path = entry.path().strip_prefix(&out).unwrap();
                    (path.to_str().unwrap().to_owned(), fs::read(entry.path()).unwrap())
                })
                .collect();
            let taken = expected.taken.values().map(|taken| {
                let copy = &copies[*taken];
                let name = if lowercase { lowered(&copy.name) } else { copy.name.clone() };
                (name, copy.content.clone())
            });
            let taken: BTreeMap<String, Vec<u8>> = taken.collect();
            // Of names that differ only in case the first keeps its own, and all are there.
            let mut found = Vec::new();
            for (path, content) in &files {
                let name = path.split_once(".dup-").map_or(&**path, |(name, _)| name);
                prop_assert_eq!(taken.get(name), Some(content), "{} {}", engine, path);
                found.push(name.to_owned());
            }
            found.sort();
            let names: Vec<String> = taken.into_keys().collect();
            prop_assert_eq!(found, names, "{}", engine);
            let keys: BTreeSet<String> = files.keys().map(|path| lowered(path)).collect();
            prop_assert_eq!(keys.len(), files.len(), "{:?}", files.keys());
        }
        Ok(())
    });
    done.unwrap();
}

/// Between the look at a game and the work, another pak can take the place of one: what was looked
/// at is open, and is what is copied.
#[test]
fn a_pak_replaced_after_opening_is_not_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pak0.pak");
    fs::write(&path, Pak::new().stored("a", b"content").quake()).unwrap();
    let folders = [dir.path().to_path_buf()];
    let view = View::open(&context(1), &folders, None, false).unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(&path, Pak::new().stored("b", b"another").quake()).unwrap();

    let out = tempfile::tempdir().unwrap();
    let options =
        ExtractOptions { directory: Some(out.path().join("files")), ..ExtractOptions::default() };
    extract_served(&context(1), &view, &options).unwrap();
    assert_eq!(fs::read(out.path().join("files/a")).unwrap(), b"content");
    assert!(!out.path().join("files/b").exists());

    let target = out.path().join("out.pak");
    let options = into_file(&target, Format::Quake);
    merge(&context(1), &view, &options).unwrap();
    let entries = naive::read(&fs::read(&target).unwrap(), Format::Quake);
    let entries: Vec<_> = entries.into_iter().map(|it| (it.name, it.content)).collect();
    assert_eq!(entries, [(b"a".to_vec(), b"content".to_vec())]);
}
