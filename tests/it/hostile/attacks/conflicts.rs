//! Names that are one file on some system, or a file and a directory at once.

use super::*;

/// Extracts these names, each with its number for content, and returns what came out.
#[track_caller]
fn extracted(names: &[&str], said: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let arena = Arena::with(pak(names));
    let mut ran = arena.run("extract p.pak -C out").code(0);
    for words in said {
        ran = ran.err_has(words);
    }
    arena.assert_only_within(&["work/out"]);
    let files = arena.files("work/out");
    assert_eq!(files.len(), names.len(), "{files:?}");
    // A second time each finds its own again.
    arena.run("extract p.pak -C out").code(2);
    arena.run("extract -k p.pak -C out").code(0);
    assert_eq!(arena.files("work/out"), files);
    arena.run("extract -f p.pak -C out").code(0);
    assert_eq!(arena.files("work/out"), files);
    // A conversion keeps them all, in order.
    arena.run("convert p.pak -o q.pak").code(0);
    let rows = arena.run("list --json q.pak").json();
    let listed: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(listed, names);
    files
}

fn pak(names: &[&str]) -> Vec<u8> {
    let all = names.iter().enumerate();
    all.fold(Pak::new(), |pak, (n, name)| pak.stored(name, n.to_string().as_bytes())).quake()
}

#[track_caller]
fn assert_files(files: &BTreeMap<PathBuf, Vec<u8>>, expected: &[(&str, &str)]) {
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, found)| (path.to_str().unwrap(), core::str::from_utf8(found).unwrap()))
        .collect();
    assert_eq!(files, expected);
}

const CASE: &[&str] = &["Maps/X", "maps/x", "MAPS", "A", "a"];
const UNICODE: &[&str] = &["\u{e9}", "e\u{301}", "\u{c9}", "\u{212b}", "\u{c5}", "A\u{30a}"];
const FILE_AND_DIRECTORY: &[&str] = &["a", "a/b", "c/d/e", "c/d", "c"];
const DUPLICATES: &[&str] = &["a/x", "a\\x", "a/x", "a/x.dup-1", "b"];

#[test]
fn names_that_differ_in_case_each_get_a_file() {
    let files = extracted(CASE, &["differs only in case"]);
    assert_files(
        &files,
        &[
            ("A", "3"),
            ("MAPS.dup-2", "2"),
            ("Maps/X", "0"),
            ("a.dup-4", "4"),
            ("maps/x.dup-1", "1"),
        ],
    );
}

/// On a file system that does not fold Unicode's forms.
#[cfg(target_os = "linux")]
#[test]
fn unicode_forms_of_a_name_each_get_a_file() {
    let files = extracted(UNICODE, &[]);
    for (n, name) in UNICODE.iter().enumerate() {
        assert_eq!(files[Path::new(name)], n.to_string().as_bytes());
    }
}

#[test]
fn a_file_named_like_a_directory_is_put_aside() {
    let files = extracted(FILE_AND_DIRECTORY, &["other entries need this name for a directory"]);
    assert_files(
        &files,
        &[("a/b", "1"), ("a.dup-0", "0"), ("c/d/e", "2"), ("c/d.dup-3", "3"), ("c.dup-4", "4")],
    );
}

#[test]
fn duplicates_are_put_aside_by_their_index() {
    let files = extracted(DUPLICATES, &["another entry already has this name"]);
    assert_files(
        &files,
        &[("a/x", "0"), ("a/x.dup-1", "3"), ("a/x.dup-1-2", "1"), ("a/x.dup-2", "2"), ("b", "4")],
    );
}

/// What was put aside could take the place of what a user has.
#[test]
fn a_duplicate_never_replaces_an_existing_file() {
    let mut arena = Arena::with(pak(&["a", "a"]));
    arena.file("work/out/a.dup-1", PRECIOUS);
    arena.run("extract p.pak -C out").code(2).err_has("  --> out/a.dup-1\n");
    arena.assert_untouched();
    arena.run("extract -k p.pak -C out").code(0);
    arena.assert_only_within(&["work/out/a"]);
}

/// No two get one file, and none is lost.
#[test]
fn a_thousand_duplicates_each_get_a_file() {
    const COUNT: usize = 1000;
    let names = vec!["same"; COUNT];
    let arena = Arena::with(pak(&names));
    arena.run("-q extract p.pak -C out").code(0);
    let mut contents: Vec<usize> = arena
        .files("work/out")
        .values()
        .map(|found| core::str::from_utf8(found).unwrap().parse().unwrap())
        .collect();
    contents.sort();
    assert!(contents.into_iter().eq(0..COUNT));
}

/// What other tests of this suite run all verbs over.
pub(super) fn paks() -> Vec<Attack> {
    let sorts = [
        ("case", CASE),
        ("unicode", UNICODE),
        ("file and directory", FILE_AND_DIRECTORY),
        ("duplicates", DUPLICATES),
    ];
    let all = sorts.into_iter();
    all.map(|(sort, names)| (format!("conflicts: {sort}"), pak(names))).collect()
}
