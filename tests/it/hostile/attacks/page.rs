//! The page and the tests say the same: each row names a test that is there, and each test has a
//! row.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Modules that are no rows: the table as a whole, and this.
const ABOUT_ALL: [&str; 3] = ["mod", "page", "table"];

#[test]
fn every_row_has_a_test_and_every_test_a_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let page = fs::read_to_string(root.join("ATTACKS.md")).unwrap();
    let mut rows = BTreeSet::new();
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 4, "{line}");
        for test in cells[3].split(", ").filter(|test| test.contains("::")) {
            rows.insert(test.trim_matches('`').to_owned());
        }
    }
    let mut tests = BTreeSet::new();
    for file in fs::read_dir(root.join("it/hostile/attacks")).unwrap() {
        let path = file.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap();
        if ABOUT_ALL.contains(&module) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let names = functions(&text);
        tests.extend(names.into_iter().map(|name| format!("{module}::{name}")));
    }
    let missing: Vec<_> = tests.difference(&rows).collect();
    let dangling: Vec<_> = rows.difference(&tests).collect();
    assert!(missing.is_empty(), "no row in ATTACKS.md for {missing:?}");
    assert!(dangling.is_empty(), "no test for the rows of {dangling:?}");
    println!("{} attacks in the table", rows.len());
}

/// The names of the tests in a source.
fn functions(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        is_test |= line == "#[test]";
        if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test) {
            names.extend(rest.split('(').next());
            is_test = false;
        }
    }
    names
}
