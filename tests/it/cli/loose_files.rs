//! Files that are no archives: in `show`, `info` and `extract --png`, each is an entry of its own.

use super::{Dir, Ran, with_slashes};
use crate::corpus;

/// A WAL, a PCX, a map, text, an empty file, a pak, and a file that is only named like a pak.
fn files() -> Dir {
    let dir = Dir::new();
    let pak = std::fs::read(corpus::path("game/data/pak1.pak")).unwrap();
    dir.file("a.pak", &pak);
    for (name, entry) in [
        ("wall.wal", "textures/e1/wall.wal"),
        ("in/wall.wal", "textures/e1/wall.wal"),
        ("load0.pcx", "pics/load0.pcx"),
        ("e1m2.bsp", "maps/e1m2.bsp"),
    ] {
        let ran = dir.ok(format!("cat a.pak {entry}"));
        dir.file(name, ran.stdout());
    }
    dir.file("text", "bind w +forward\n");
    dir.file("empty", "");
    dir.file("x.pak", "not a pak, and long enough for a header");
    dir.file("cut.zip", "PK\x03\x04");
    dir.file("mod.rar", "Rar!\x1a\x07\x01\0, and what is in it");
    dir
}

fn ran(dir: &Dir, line: &str) -> Ran {
    dir.run(line)
}

#[test]
fn a_file_has_the_facts_of_the_same_entry() {
    let dir = files();
    for (file, entry) in [
        ("wall.wal", "textures/e1/wall.wal"),
        ("load0.pcx", "pics/load0.pcx"),
        ("e1m2.bsp", "maps/e1m2.bsp"),
    ] {
        for verb in ["show", "info"] {
            let of_file = ran(&dir, &format!("{verb} --json {file}")).code(0).json();
            let of_entry = ran(&dir, &format!("{verb} --json a.pak {entry}"));
            let of_entry = of_entry.code(0).json();
            assert_eq!(of_file[0]["file"], file, "{verb}");
            for field in ["kind", "size", "type", "format", "facts", "notes"] {
                assert_eq!(of_file[0][field], of_entry[0][field], "{verb} {field}");
            }
            let text = ran(&dir, &format!("{verb} {file}")).code(0).quiet();
            let first = text.text().lines().next().unwrap();
            assert_eq!(first, file);
        }
    }
}

#[test]
fn show_draws_a_picture_and_prints_a_text() {
    let dir = files();
    let of_file = ran(&dir, "show wall.wal --color always").code(0).quiet();
    let of_entry = ran(&dir, "show a.pak textures/e1/wall.wal --color always");
    assert!(of_file.stdout() == of_entry.stdout());
    ran(&dir, "show text --color always").code(0).out("bind w +forward\n");
    let several = ran(&dir, "show text in/wall.wal --color always").code(0);
    let several = with_slashes(&String::from_utf8_lossy(several.stdout()));
    assert!(several.starts_with("text\nbind w +forward\n\nin/wall.wal, WAL 3"));
}

#[test]
fn info_takes_archives_and_files_in_any_order() {
    let dir = files();
    ran(&dir, "info text empty a.pak wall.wal").code(0).quiet().out(
        "text  text, 16 bytes\n\
         empty  0 bytes\n\
         a.pak  Daikatana pak, 25.8 kB, 8 files, 1 map, 4 pictures, 1 sound\n\
         wall.wal  WAL 3 (Daikatana), 64x64, 7 mips, 6353 bytes\n",
    );
    let rows = ran(&dir, "info --json text a.pak").code(0).json();
    assert_eq!(rows[0]["file"], "text");
    assert_eq!(rows[1]["archive"], "a.pak");
}

/// As `list` says it of a file that is no archive.
#[test]
fn a_file_of_no_game_is_called_what_it_is() {
    let dir = files();
    dir.file("setup.exe", [b"MZ\x90\0".as_slice(), &[0; 300]].concat());
    dir.file("song.ogg", [b"OggS".as_slice(), &[0; 300]].concat());
    dir.file("bytes", [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0]);
    for (file, what, listed) in [
        ("setup.exe", "Windows program", "it is a Windows program\n"),
        ("song.ogg", "Ogg", "it is an Ogg sound\n"),
        ("load0.pcx", "PCX", "it is a PCX picture\n"),
        ("text", "text", "it begins with \"bind\""),
        ("bytes", "not known", "it begins with"),
    ] {
        let first = format!("{file}\n  type     {what}\n");
        let ran = dir.ok(file);
        assert!(ran.text().replace("  type        ", "  type     ").starts_with(&first), "{ran}");
        let known = Some(what).filter(|what| *what != "not known");
        assert_eq!(dir.ok(format!("info {file} --json")).json()[0]["format"].as_str(), known);
        dir.refuses(format!("list {file}")).err_has(listed);
    }
    // As in a pak.
    dir.ok("create -q setup.exe -o b.pak");
    dir.ok("info b.pak setup.exe").out_has("  type     Windows program\n");
    dir.file("bad.mdl", "<!DOCTYPE html>");
    dir.ok("info bad.mdl").out_has("  unusual  not what its name says: it is a text\n");
}

/// A file that should be an archive is never taken for an undamaged loose file.
#[test]
fn a_ruined_archive_is_no_file() {
    let dir = files();
    for file in ["x.pak", "cut.zip", "mod.rar"] {
        for line in ["info", "show", "info --json", "extract -C out --png"] {
            let code = if file == "mod.rar" || line == "show" { 2 } else { 1 };
            let ran = ran(&dir, &format!("{line} {file}")).code(code);
            assert!(ran.stderr().starts_with("error: "), "{line} {file}");
        }
    }
    ran(&dir, "info text x.pak").code(1).out("text  text, 16 bytes\n");
    ran(&dir, "info text nothing")
        .code(1)
        .err_has("error: no such file or directory\n  --> nothing\n");
    // An archive is shown if entries of it are named.
    ran(&dir, "show a.pak")
        .code(2)
        .err_has("error: this is an archive, and no entry of it is named\n  --> a.pak\n");
    // A format that the user names makes it an archive.
    ran(&dir, "info text --from quake").code(2);
}

#[test]
fn extract_png_writes_beside_or_into_a_directory() {
    let dir = files();
    ran(&dir, "extract --png in/wall.wal").code(0).err(
        "in/wall.wal: 1 loose file, 2389 bytes, into ./; \
         1 written as PNG\n",
    );
    ran(&dir, "extract --png wall.wal a.pak load0.pcx text -C out")
        .code(0)
        .err_has("4 archives and files: 11 files, ");
    let beside = dir.read("wall.wal.png");
    for path in ["out/wall.wal.png", "out/a/textures/e1/wall.wal.png"] {
        assert!(dir.read(path) == beside, "{path}");
    }
    assert_eq!(dir.read("out/text"), dir.read("text"));
}

#[test]
fn files_of_one_name_are_refused() {
    let dir = files();
    ran(&dir, "extract --png wall.wal in/wall.wal -C out")
        .code(2)
        .err_has("error: the output of \"wall.wal\" would also be written here\n");
    assert!(!dir.has("out"));
    // Nor is a file written over itself.
    let ran = ran(&dir, "extract --png text -f").code(2);
    assert!(ran.stderr().contains("inputs are never overwritten"));
}

#[test]
fn other_verbs_take_no_loose_files() {
    let dir = files();
    for line in [
        "extract text -C out",
        "list text",
        "verify text",
        "dupes text",
        "cat text a",
        "gallery text -o out",
    ] {
        ran(&dir, line).code(2).err_has("error: this is not a known archive");
    }
}
