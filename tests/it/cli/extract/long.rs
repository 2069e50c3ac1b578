//! Names that a file may have, and that are too long with anything added to them.

use super::*;
use crate::archive::zips::build::Zip;
use crate::cli::Ran;

fn name(len: usize, end: &str) -> String {
    format!("{}{end}", "x".repeat(len))
}

fn extract(dir: &Dir, more: &[&str]) -> Ran {
    dir.daisho().args(["extract", "p.zip"]).args(more).run()
}

/// The files below `out`, with their contents.
fn files(dir: &Dir) -> Vec<(String, Vec<u8>)> {
    let all = dir.all().into_iter();
    let files = all.filter(|path| path.starts_with("out/") && !path.ends_with('/'));
    files
        .map(|path| (path["out/".len()..].to_owned(), dir.read(&path)))
        .collect()
}

#[test]
fn a_duplicate_of_a_long_name_gets_a_name_that_fits() {
    let long = name(255, "");
    let zip = Zip::new()
        .stored(&long, b"first")
        .stored("../evil", b"evil")
        .stored(&long, b"second");
    let expected = [
        (name(249, ".dup-2"), b"second".to_vec()),
        (long, b"first".to_vec()),
    ];
    // What is rescued changes nothing about the others.
    for rescue in [&["-C", "out"][..], &["-C", "out", "--rescue"]] {
        let dir = Dir::new();
        dir.file("p.zip", zip.bytes());
        let planned = extract(&dir, &[rescue, &["-n"]].concat());
        for (name, _) in &expected {
            let line = format!("write out/{name}\n");
            assert!(planned.text().contains(&line), "{planned}");
        }
        let ran = extract(&dir, &[rescue, &["--json"]].concat());
        for row in ran.json() {
            let is_named = row["status"] == "written" || row["problem"].is_string();
            assert!(is_named || row["status"] == "skipped", "{row}");
        }
        let kept = |(path, _): &(String, Vec<u8>)| !path.starts_with("_rescued");
        let found = || files(&dir).into_iter().filter(kept).collect::<Vec<_>>();
        assert_eq!(found(), expected);
        // Each finds its own again.
        extract(&dir, &[rescue, &["-k"]].concat()).err_has(" kept");
        assert_eq!(found(), expected);
        extract(&dir, &[rescue, &["-f"]].concat()).err_has(" replaced");
        assert_eq!(found(), expected);
    }
}

#[test]
fn a_file_of_a_long_name_gives_way_to_a_directory() {
    let dir = Dir::new();
    let (lower, upper) = (name(255, ""), name(255, "").to_uppercase());
    let inside = format!("{upper}/y");
    let zip = Zip::new()
        .stored(&lower, b"a file")
        .stored(&inside, b"inside");
    dir.file("p.zip", zip.bytes());
    extract(&dir, &["-C", "out"])
        .code(0)
        .err_has("for a directory");
    let expected = [
        (inside, b"inside".to_vec()),
        (name(249, ".dup-0"), b"a file".to_vec()),
    ];
    assert_eq!(files(&dir), expected);
}

/// A picture of one pixel.
const PICTURE: &[u8] = b"\0\0\x02\0\0\0\0\0\0\0\0\0\x01\0\x01\0\x18\0abc";

#[test]
fn a_long_picture_name_is_cut_to_fit_png() {
    let dir = Dir::new();
    let (one, other) = (name(251, ".tga"), name(250, "y.tga"));
    let zip = Zip::new().stored(&one, PICTURE).stored(&other, PICTURE);
    dir.file("p.zip", zip.bytes());
    extract(&dir, &["-C", "out", "--png"])
        .code(0)
        .err_has("with .png its name would have more than 255 bytes");
    let found: Vec<String> = files(&dir).into_iter().map(|(path, _)| path).collect();
    assert_eq!(found, [name(251, ".png"), name(250, "y.png")]);
}

#[test]
fn a_pictures_size_is_that_of_its_file() {
    let dir = Dir::new();
    let mut picture = PICTURE.to_vec();
    (picture[12], picture[14]) = (100, 100);
    picture.resize(18 + 30_000, 7);
    dir.file("p.zip", Zip::new().stored("a.tga", &picture).bytes());
    let ran = extract(&dir, &["-C", "out", "--png"]).code(0);
    let len = dir.read("out/a.tga.png").len();
    ran.err_has(&format!("1 file, {len} bytes, into out/"));
    let rows = extract(&dir, &["-C", "out", "--png", "-f", "--json"]).json();
    assert_eq!(rows[0]["size"], len);
}
