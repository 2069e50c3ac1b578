//! Names that a file may have, and that are too long with anything added to them.

use super::*;
use crate::archive::zips::build::Zip;
use crate::cli::Ran;

fn name(len: usize, end: &str) -> String {
    format!("{}{end}", "x".repeat(len))
}

fn extract(dir: &Dir, more: &str) -> Ran {
    dir.run(format!("extract p.zip -C out {more}"))
}

#[test]
fn a_duplicate_of_a_long_name_gets_a_name_that_fits() {
    let long = name(255, "");
    let zip =
        Zip::new().stored(&long, b"first").stored("../evil", b"evil").stored(&long, b"second");
    let expected = [(name(249, ".dup-2"), b"second".to_vec()), (long, b"first".to_vec())];
    // What is rescued changes nothing about the others.
    for rescue in ["", "--rescue"] {
        let dir = Dir::new();
        dir.file("p.zip", zip.bytes());
        let planned = extract(&dir, &format!("{rescue} -n"));
        let ran = extract(&dir, &format!("{rescue} --json"));
        for row in ran.json() {
            let is_named = row["status"] == "written" || row["problem"].is_string();
            assert!(is_named || row["status"] == "skipped", "{row}");
        }
        let is_as_expected = || {
            for (name, content) in &expected {
                assert!(planned.text().contains(&format!("write out/{name}\n")), "{planned}");
                assert_eq!(dir.read(format!("out/{name}")), *content);
            }
            let rescued = usize::from(!rescue.is_empty());
            assert_eq!(dir.files("out").len(), expected.len() + rescued);
        };
        is_as_expected();
        // Each finds its own again.
        extract(&dir, &format!("{rescue} -k")).err_has(" kept");
        is_as_expected();
        extract(&dir, &format!("{rescue} -f")).err_has(" replaced");
        is_as_expected();
    }
}

#[test]
fn a_file_of_a_long_name_gives_way_to_a_directory() {
    let dir = Dir::new();
    let inside = format!("{}/y", "X".repeat(255));
    let zip = Zip::new().stored(name(255, ""), b"a file").stored(&inside, b"inside");
    dir.file("p.zip", zip.bytes());
    extract(&dir, "").code(0).err_has("for a directory");
    let aside = name(249, ".dup-0");
    assert_eq!(dir.read(format!("out/{inside}")), b"inside");
    assert_eq!(dir.read(format!("out/{aside}")), b"a file");
    assert_eq!(dir.files("out"), [inside, aside]);
}

/// A picture of one pixel.
const PICTURE: &[u8] = b"\0\0\x02\0\0\0\0\0\0\0\0\0\x01\0\x01\0\x18\0abc";

#[test]
fn a_long_picture_name_is_cut_to_fit_png() {
    let dir = Dir::new();
    let (one, other) = (name(251, ".tga"), name(250, "y.tga"));
    let zip = Zip::new().stored(&one, PICTURE).stored(&other, PICTURE);
    dir.file("p.zip", zip.bytes());
    extract(&dir, "--png").code(0).err_has("with .png its name would have more than 255 bytes");
    assert_eq!(dir.files("out"), [name(251, ".png"), name(250, "y.png")]);
}

#[test]
fn a_pictures_size_is_that_of_its_file() {
    let dir = Dir::new();
    let mut picture = PICTURE.to_vec();
    (picture[12], picture[14]) = (100, 100);
    picture.resize(18 + 30_000, 7);
    dir.file("p.zip", Zip::new().stored("a.tga", &picture).bytes());
    let ran = extract(&dir, "--png").code(0);
    let len = dir.read("out/a.tga.png").len();
    ran.err_has(&format!("1 file, {len} bytes, into out/"));
    let rows = extract(&dir, "--png -f --json").json();
    assert_eq!(rows[0]["size"], len);
}
