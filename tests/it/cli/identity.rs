//! `info --identity`: one digest for a pak, its conversions, its PK3 and its files.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::Dir;
use super::paks::pak;
use crate::archive::zips::build::Zip;
use crate::corpus;
use crate::skips::is_installed;

/// The identities of all archives at a path, by their paths without directory and extension.
fn identities(dir: &Dir, path: &Path) -> BTreeMap<String, String> {
    let ran = dir.run(format!("info --json --identity {}", path.display()));
    let mut found = BTreeMap::new();
    for row in ran.json() {
        // Archives that cannot be read have none.
        let Some(identity) = row["identity"].as_str() else {
            continue;
        };
        let archive = Path::new(row["archive"].as_str().unwrap()).with_extension("");
        let relative = archive.strip_prefix(path).unwrap_or(&archive);
        found.insert(relative.to_str().unwrap().to_owned(), identity.to_owned());
    }
    found
}

fn identity(dir: &Dir, path: impl AsRef<Path>) -> String {
    let ran = dir.daisho().args(["info", "--identity"]).arg(path.as_ref()).run().code(0);
    ran.text().split(' ').next().unwrap().to_owned()
}

/// What the rule in the guide gives, computed by a few lines of Python.
fn by_python(arguments: &[String]) -> Vec<String> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new("python3")
        .arg(top.join("tests/conformance/identity.py"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let text = String::from_utf8(ran.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_conversion_to_any_format_has_the_same_identity() {
    let dir = Dir::new();
    for (folder, least) in [("game", 5), ("paks/sound", 60), ("zips/sound", 24), ("wads/sound", 7)]
    {
        let whole = identities(&dir, &corpus::path(folder));
        assert!(whole.len() >= least, "{folder}: {}", whole.len());
        for format in ["quake", "daikatana", "sin", "pk3"] {
            let out = dir.path(format!("{folder}-{format}"));
            let convert = dir.command(format!("convert -q --to {format}"));
            // Some names do not fit into every format.
            convert.arg(corpus::path(folder)).arg("-C").arg(&out).run();
            let converted = identities(&dir, &out);
            for (archive, identity) in &converted {
                assert_eq!(whole.get(archive), Some(identity), "{folder}/{archive} as {format}");
            }
            assert!(converted.len() + 4 >= least, "{folder} as {format}: {}", converted.len());
        }
    }
}

#[test]
fn extracted_files_have_the_archives_identity() {
    let dir = Dir::new();
    let mut compared = 0;
    for folder in ["game", "paks/sound", "zips/sound", "wads/sound"] {
        for (archive, identity) in identities(&dir, &corpus::path(folder)) {
            // Extraction puts other entries of one name aside.
            if archive.contains("duplicates")
                || archive == "kind-office"
                || archive.contains("empty")
            {
                continue;
            }
            let tree = dir.path(format!("{folder}/{archive}"));
            let mut source = corpus::path(folder).join(&archive);
            for extension in ["pak", "pk3", "zip", "wad"] {
                if source.with_extension(extension).exists() {
                    source.set_extension(extension);
                }
            }
            dir.run(format!("x -q {} -C {}", source.display(), tree.display()));
            if !tree.is_dir() {
                continue;
            }
            let packed = dir.path("packed.pk3");
            dir.ok(format!("create --hidden -q -f -o packed.pk3 {}", tree.display()));
            assert_eq!(self::identity(&dir, &packed), identity, "{folder}/{archive}");
            compared += 1;
            // In a directory, a search takes what is named like an archive.
            let is_archive = |file: &&String| {
                [".pak", ".wad", ".pk3", ".zip"].iter().any(|it| file.to_lowercase().ends_with(it))
            };
            let below = format!("{folder}/{archive}/");
            if dir.all().iter().filter(|file| file.starts_with(&below)).any(|it| is_archive(&it)) {
                continue;
            }
            // Hidden files are no part of a directory that is read as an archive.
            let is_same = self::identity(&dir, &tree) == identity;
            let is_hidden = archive.contains("begins-with-a-dot");
            assert_ne!(is_same, is_hidden, "{folder}/{archive}");
        }
    }
    assert!(compared > 80, "{compared} archives");
}

#[test]
fn the_rule_in_the_guide_gives_the_same_digests() {
    if !is_installed("python3") {
        return;
    }
    let dir = Dir::new();
    let (mut arguments, mut expected) = (Vec::new(), Vec::new());
    for (format, file) in [
        ("quake", "game/id1/pak0.pak"),
        ("quake", "game/id1/pak1.pak"),
        ("daikatana", "game/data/pak0.pak"),
        ("daikatana", "paks/sound/plain-daikatana.pak"),
        ("quake", "paks/sound/duplicates.pak"),
        ("quake", "paks/sound/duplicates-by-case.pak"),
        ("quake", "paks/sound/duplicates-by-separator.pak"),
        ("quake", "paks/sound/name-not-utf8.pak"),
        ("quake", "paks/broken/name-control.pak"),
        ("quake", "paks/broken/name-parent.pak"),
        ("quake", "paks/sound/no-entries.pak"),
        ("pk3", "zips/sound/plain.pk3"),
        ("pk3", "zips/sound/folders-by-attribute.pk3"),
    ] {
        // Python's zipfile takes folders for files that only their attributes tell.
        if file.contains("by-attribute") {
            continue;
        }
        let path = corpus::path(file);
        arguments.push(format!("{format}:{}", path.display()));
        expected.push(identity(&dir, &path));
    }
    let tree = dir.path("tree");
    let source = corpus::path("game/data/pak0.pak");
    dir.ok(format!("x -q {} -C tree", source.display()));
    arguments.push(tree.display().to_string());
    expected.push(identity(&dir, &tree));
    assert_eq!(by_python(&arguments), expected);
}

#[test]
fn identity_depends_only_on_names_and_contents() {
    let dir = Dir::new();
    let files = [("maps/a.bsp", "one"), ("b.cfg", "two")];
    let same = [
        pak(&files),
        pak(&[("b.cfg", "two"), ("maps/a.bsp", "one")]),
        pak(&[("MAPS\\A.bsp", "one"), ("b.cfg", "two")]),
        pak(&[("maps/a.bsp", "one"), ("b.cfg", "two"), ("B.CFG", "not served")]),
        Zip::new().deflated("b.cfg", b"two").stored("maps/a.bsp", b"one").bytes(),
    ];
    let expected = identity(&dir, dir.file("a.pak", pak(&files)));
    for (number, bytes) in same.iter().enumerate() {
        let file = dir.file(format!("same{number}.pak"), bytes);
        assert_eq!(identity(&dir, file), expected, "{number}");
    }
    let others = [
        pak(&[("maps/a.bsp", "onf"), ("b.cfg", "two")]),
        pak(&[("maps/b.bsp", "one"), ("b.cfg", "two")]),
        pak(&[("maps/a.bsp", "one"), ("b.cfg", "two"), ("c.cfg", "")]),
        pak(&[("maps/a.bsp", "two"), ("b.cfg", "one")]),
        pak(&[("maps/a.bsp", "one")]),
    ];
    for (number, bytes) in others.iter().enumerate() {
        let file = dir.file(format!("other{number}.pak"), bytes);
        assert_ne!(identity(&dir, file), expected, "{number}");
    }
}

#[test]
fn damaged_archives_have_no_identity() {
    let dir = Dir::new();
    for file in [
        "paks/broken/stream-cut.pak",
        "paks/broken/cut-in-the-directory-quake.pak",
        "paks/broken/file-empty.pak",
        "zips/broken/sum-stored.pk3",
    ] {
        let ran = dir.daisho().args(["info", "--identity"]).arg(corpus::path(file)).run();
        assert!(!ran.is(0), "{file}");
        ran.out("").err_has("error: ");
    }
}

#[test]
fn identity_of_a_directory_is_of_files_or_archives() {
    let dir = Dir::new();
    dir.file("mod/maps/a.bsp", "one");
    dir.file("mod/b.cfg", "two");
    dir.file("paks/a.pak", pak(&[("maps/a.bsp", "one"), ("b.cfg", "two")]));
    let expected = identity(&dir, "paks/a.pak");
    assert_eq!(identity(&dir, "mod"), expected);
    dir.file("paks/b.pk3", Zip::new().deflated("a.cfg", b"1").bytes());
    let other = identity(&dir, "paks/b.pk3");
    dir.ok("info --identity paks")
        .out(format!("{expected}  paks/a.pak\n{other}  paks/b.pk3\n"))
        .quiet();
}
