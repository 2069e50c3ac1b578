//! `info --identity` and `--known`: one digest for a pak, its conversions, its PK3 and its files.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::Dir;
use super::paks::pak;
use crate::archive::zips::build::Zip;
use crate::archive::zips::others::is_installed;
use crate::corpus;

/// The identities of all archives at a path, by their paths without directory and extension.
fn identities(dir: &Dir, path: &Path) -> BTreeMap<String, String> {
    let ran = dir.run(format!("info --json --known /dev/null {}", path.display()));
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
            // Hidden files are no part of a directory that is read as an archive.
            let is_same = self::identity(&dir, &tree) == identity;
            let is_hidden = archive.contains("begins-with-a-dot");
            assert_ne!(is_same, is_hidden, "{folder}/{archive}");
            assert_eq!(self::identity(&dir, &packed), identity, "{folder}/{archive}");
            compared += 1;
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
fn known_names_archives_by_a_table() {
    let dir = Dir::new();
    dir.file("c/a.pak", pak(&[("a.cfg", "1")]));
    dir.file("c/b.pk3", Zip::new().deflated("a.cfg", b"1").bytes());
    dir.file("c/other.pak", pak(&[("a.cfg", "2")]));
    let known = identity(&dir, "c/a.pak");
    let other = identity(&dir, "c/other.pak");
    dir.file("known.tsv", format!("# mods\n\n{known}\tMy mod 1.0\tnever released\n"));
    dir.ok("info --known known.tsv c")
        .out(format!(
            "{known}  c/a.pak: My mod 1.0 (never released)\n\
             {known}  c/b.pk3: My mod 1.0 (never released)\n\
             {other}  c/other.pak: not known\n"
        ))
        .quiet();
    dir.ok("verify --known known.tsv c/a.pak")
        .out("c/a.pak: My mod 1.0 (never released)\n1 entry, 1 byte, all OK\n")
        .quiet();
    let rows = dir.command("verify --json -q --known known.tsv c/other.pak");
    let rows = rows.run().code(0).json();
    assert_eq!(rows[1]["identity"], other.as_str());
    assert!(rows[1]["known"].is_null());
    // Half of an archive is not the archive.
    let part = dir.command("verify --known known.tsv c/a.pak -x *.cfg");
    assert!(!part.run().text().contains("My mod"));
}

#[test]
fn a_damaged_known_table_is_refused_by_line() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("a.cfg", "1")]));
    let digest = "0".repeat(64);
    for (table, why) in [
        (
            "# x\nabc\tname\n".to_owned(),
            "line 2 of this table: expected 64 hexadecimal digits before a tab",
        ),
        (format!("{digest}\n"), "line 1 of this table: expected a tab and a name after the digits"),
        (
            format!("{digest}\ta\n{digest}\tb\n"),
            "line 2 of this table: an earlier line has the same digits",
        ),
    ] {
        dir.file("known.tsv", table);
        for verb in ["info", "verify"] {
            dir.refuses(format!("{verb} --known known.tsv a.pak"))
                .out("")
                .err_has(&format!("error: {why}\n  --> known.tsv\n"));
        }
    }
    dir.file("known.tsv", b"\xFF\n");
    dir.refuses("info --known known.tsv a.pak")
        .err_has("line 1 of this table: it is not text in UTF-8");
    dir.refuses("info --known none.tsv a.pak").err_has("none.tsv");
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
    dir.file("mod/hrot.txt", "HROT");
    dir.file("paks/b.pak", pak(&[("maps/a.bsp", "one"), ("b.cfg", "two"), ("hrot.txt", "HROT")]));
    dir.file("known.tsv", format!("{expected}\tA mod\t\n"));
    let all = identity(&dir, "paks/b.pak");
    assert_eq!(identity(&dir, "mod"), all);
    dir.ok("info --known known.tsv paks")
        .out(format!("{expected}  paks/a.pak: A mod\n{all}  paks/b.pak: not known\n"))
        .quiet();
    dir.ok("info --known known.tsv --identity mod").out(format!("{all}  mod: not known\n")).quiet();
}
