//! What a search for paks does not take, and does not pass over in silence.

use super::Dir;
use crate::archive::build::{Entry, Pak};
use crate::archive::zips::build::Zip;

/// Each verb that searches.
const SEARCHING: [&str; 6] = [
    "list -r in",
    "info -r in",
    "verify -r in",
    "verify -r in --json",
    "extract -r in -C out -f",
    "convert -r in -C new -f",
];

/// A pak without anything unusual.
fn plain() -> Vec<u8> {
    Pak::new().stored("default.cfg", "bind w +forward\n").quake()
}

/// A Git packfile of nothing, as `git pack-objects` writes it: its hash is not looked at.
fn packfile(version: u8) -> Vec<u8> {
    let mut bytes = [b"PACK\0\0\0".as_slice(), &[version], &[0, 0, 0, 9]].concat();
    bytes.extend((0..400_u32).map(|n| ((n * n) >> 3) as u8));
    bytes
}

/// What a search says of a file.
enum Said {
    Nothing,
    /// A warning.
    Other(&'static str),
    /// The problem of an archive that cannot be read: a warning, and in `verify` an error.
    Ruined(&'static str),
}

/// The file, its content, and what a search says of it.
type Skipped = (&'static str, Vec<u8>, Said);

fn skipped() -> Vec<Skipped> {
    // Of an archive of RISC OS, the name of what was packed follows the small number.
    let packdir = [b"PACK\0\x01\0\0\0ADFS::4.$.!Game\0".as_slice(), &[9; 300]].concat();
    let jar = Zip::new().stored("messages.properties", b"a = b");
    let zip = || jar.bytes();
    let odd_zip = || Said::Other("this is a ZIP that is not named like one, and is not searched");
    let git = || Said::Other("this is a Git packfile, not an archive that daisho reads");
    let ruined = || Said::Ruined("this is not a known archive");
    vec![
        ("empty.PAK", vec![], ruined()),
        ("zeros.pak", vec![0; 100], ruined()),
        ("page.pk3", b"<!DOCTYPE html><html></html>".into(), ruined()),
        // Bytes that are no text may have been a pak of SiN's.
        ("zeros.sin", vec![0; 100], ruined()),
        ("sed.sin", b"# Sed script that removes a date\n".into(), Said::Nothing),
        ("readme.txt", vec![], Said::Nothing),
        // Many programs have files of this name.
        ("settings.dat", vec![0; 100], Said::Nothing),
        ("resources.jar", jar.bytes(), Said::Nothing),
        // Every mod that is kept in Git has some.
        (".git/objects/pack/pack-01.pack", packfile(2), git()),
        (".git/objects/pack/pack-45.pack", packfile(3), git()),
        (
            "list.txt",
            b"PACKAGE LIST of the mod\n".into(),
            Said::Other("this is a text, not an archive that daisho reads"),
        ),
        (
            "game,68e",
            packdir,
            Said::Other("this is a RISC OS archive (PackDir), not an archive that daisho reads"),
        ),
        (
            "doom.wad",
            [b"PWAD".as_slice(), &[0; 40]].concat(),
            Said::Other("this is a Doom add-on archive (PWAD), not an archive that daisho reads"),
        ),
        // Other programs' archives, under their own names.
        (
            "maps.rar",
            b"Rar!\x1a\x07\x01\0 and more".into(),
            Said::Other("this is a RAR archive, not an archive that daisho reads"),
        ),
        (
            "demo.mvd.gz",
            b"\x1f\x8b\x08\0 and more".into(),
            Said::Other("this is a gzip file, not an archive that daisho reads"),
        ),
        (
            "short.gz",
            b"\x1f\x8b\x08".into(),
            Said::Other("this is a gzip file, not an archive that daisho reads"),
        ),
        // Its beginning is not that of gzip's only method.
        ("random.bin", b"\x1f\x8b\x0d\xff and more".into(), Said::Nothing),
        // ZIPs whose names say that they are archives, or that have a program before them.
        ("pak0.pk3.bak", zip(), odd_zip()),
        ("old/MOD.ZIP.1", zip(), odd_zip()),
        ("setup.exe", [b"MZ\x90\0".as_slice(), &[0; 400], &zip()].concat(), odd_zip()),
        ("quake.exe", [b"MZ\x90\0".as_slice(), &[0; 400]].concat(), Said::Nothing),
        ("readme.docx", zip(), Said::Nothing),
        ("mod.jar.bak", zip(), Said::Nothing),
    ]
}

#[test]
fn searches_warn_of_files_that_look_like_paks() {
    for (file, content, said) in skipped() {
        let dir = Dir::new();
        dir.file("in/a.pak", plain());
        dir.file(format!("in/{file}"), content);
        for line in SEARCHING {
            let ran = dir.run(line);
            let count = ran.err_count("warning: ") + ran.err_count("error: ");
            let is_said = !matches!(said, Said::Nothing);
            assert_eq!(count, usize::from(is_said), "{file}, {line}: {ran}");
            let place = format!("  --> in/{file}\n");
            let quiet = dir.run(format!("-q {line}"));
            match said {
                Said::Ruined(said) if line.starts_with("verify") => {
                    ran.code(1).err_has(&format!("error: {said}")).err_has(&place);
                    quiet.code(1).err_has(&place).out_has(&format!("in/{file}"));
                }
                Said::Ruined(said) => {
                    ran.code(0).err_has(&format!("warning: {said}")).err_has(&place);
                    quiet.code(0).quiet();
                }
                Said::Other(said) => {
                    ran.code(0).err_has(&format!("warning: {said}\n{place}"));
                    quiet.code(0).quiet();
                }
                Said::Nothing => {
                    ran.code(0).out_lacks(file).err_lacks(file);
                    quiet.code(0);
                }
            }
        }
    }
}

#[test]
fn a_named_file_of_another_kind_is_called_what_it_is() {
    for (file, content, _) in skipped() {
        let what = match file {
            "list.txt" => "a text",
            "game,68e" => "a RISC OS archive (PackDir)",
            ".git/objects/pack/pack-01.pack" => "a Git packfile",
            _ => continue,
        };
        let dir = Dir::new();
        dir.file(file, content);
        dir.refuses(format!("list {file}"))
            .err_has(&format!("this is not a known archive: it is {what}"));
    }
}

#[test]
fn warnings_of_one_kind_are_grouped() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    for n in 0..100 {
        dir.file(format!("in/empty{n:02}.pak"), "");
    }
    let list = |more: &str| dir.run(format!("list -r in {more}"));
    let expected = "warning: 100 files are too short for an archive\n  \
         --> in/empty00.pak, and 99 more (-v names each)\n";
    list("").code(0).err_has(expected);
    let named = list("-v").code(0);
    assert_eq!(named.err_count("warning: "), 100, "{named}");
    dir.file("in/a.rar.pak", "Rar!\x1a\x07\0 and more");
    dir.file("in/b.pak", [b"PWAD".as_slice(), &[0; 40]].concat());
    dir.file("in/c.pak", [b"PWAD".as_slice(), &[0; 40]].concat());
    list("").code(0).err_has(
        "warning: 3 files are not archives that daisho reads: \
         a Doom add-on archive (PWAD) (2 times), a RAR archive\n  --> in/a.rar.pak\n",
    );
    let named = list("-v").code(0);
    assert_eq!(named.err_count("not an archive that daisho reads\n"), 3, "{named}");
    let rows = list("--json").json();
    let left_out = rows.iter().filter(|row| row["status"] == "left_out");
    let left_out: Vec<_> = left_out.map(|row| row["archive"].as_str().unwrap()).collect();
    assert_eq!(left_out, ["in/a.rar.pak", "in/b.pak", "in/c.pak"]);
}

#[test]
fn a_directory_without_a_pak_names_empty_paks() {
    let dir = Dir::new();
    dir.file("in/empty.pak", "");
    for line in SEARCHING {
        let ran = dir.run(line).err_has("it has 0 bytes").err_has("in/empty.pak");
        if line.starts_with("verify") {
            ran.code(1).err_lacks("this directory holds no archive").out_lacks("all OK");
        } else {
            ran.code(1).err_has("error: this directory holds no archive");
        }
    }
}

#[cfg(unix)]
#[test]
fn searches_warn_of_links_they_do_not_follow() {
    let dir = Dir::new();
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(to, dir.path(from)).unwrap();
    };
    dir.file("in/a.pak", plain());
    dir.file("elsewhere/b.pak", plain());
    link("nowhere", "in/dangling.pak");
    link("nowhere", "in/dangling.txt");
    link("../elsewhere", "in/linked");
    link("in", "start");
    for line in SEARCHING {
        // One that is named itself is followed.
        let ran = dir.daisho().args(line.replace(" in", " start").split(' '));
        let ran = ran.run();
        let (code, severity) =
            if line.starts_with("verify") { (1, "error") } else { (0, "warning") };
        let ran = ran.code(code);
        for said in [
            format!("{severity}: this link leads nowhere\n  --> start/dangling.pak\n"),
            "warning: this is a link to a directory, and is not searched\n  --> start/linked\n"
                .into(),
        ] {
            assert!(ran.stderr().contains(&said), "{line}: {ran}");
        }
        assert_eq!(ran.err_count("warning: ") + ran.err_count("error: "), 2, "{line}: {ran}");
    }
}

/// Its directory is where the version of a packfile is, big-endian.
#[test]
fn a_pak_that_begins_like_a_packfile_is_still_a_pak() {
    for at in [0x0200_0000_u32, 0x0300_0000] {
        let dir = Dir::new();
        let mut pak = Pak::new().stored("default.cfg", "bind w +forward\n");
        pak.payload(&vec![0; at as usize - pak.bytes.len()]);
        let pak =
            pak.entry(Entry { name: b"maps/e1m1.ent".to_vec(), offset: 12, size: 4, packed: None });
        let bytes = pak.quake();
        assert_eq!(bytes[4..8], at.to_le_bytes());
        dir.file("in/a.pak", bytes);
        dir.ok("verify -r in").out_has("2 entries, 20 bytes, all OK\n");
    }
}

/// Without this, nobody would know that a mod pack's ZIPs hold paks.
#[test]
fn searches_count_archives_that_lie_deeper_than_they_look() {
    let dir = Dir::new();
    let deep = |name: &str| Zip::new().deflated(name, &plain()).stored("readme.txt", b"x").bytes();
    let outer = Zip::new().stored("a.zip", &deep("id1/pak0.pak")).stored("c.pak", &plain());
    dir.file("in/pack.zip", outer.deflated("mods/b.ZIP", &deep("pak1.pak")).bytes());
    dir.file("in/cut.zip", Zip::new().stored("in.zip", b"PK\x03\x04 and no more").bytes());
    for line in SEARCHING {
        let ran = dir.run(line);
        ran.err_has(
            "warning: 2 archives are in archives within others, and are not searched\n  \
             --> in/pack.zip//a.zip//id1/pak0.pak, and 1 more (-v names each)\n\
             help: give its path to read it\n",
        );
    }
    let ran = dir.run("list in --exclude-archive pack/a/*");
    ran.err_has("  --> in/pack.zip//mods/b.ZIP//pak1.pak\n").err_lacks("pak0.pak");
    let ran = dir.run("list in/pack.zip//a.zip//id1/pak0.pak --names");
    ran.code(0).out("default.cfg\n").quiet();
    // An archive that the user names is one input.
    dir.ok("list in/pack.zip").quiet();
}

/// Programs and documents are ZIPs, too.
#[test]
fn searches_take_zips_only_by_extension() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    let zip = Zip::new().deflated("maps/a.bsp", &[7; 1300]).bytes();
    for name in ["in/other.bin", "in/other.apk", "in/other.docx", "in/other"] {
        dir.file(name, &zip);
    }
    for line in SEARCHING {
        let ran = dir.ok(line);
        assert!(!ran.stderr().contains("other"), "{line}: {ran}");
        assert!(!ran.text().contains("other"), "{line}: {ran}");
    }
    let named = ["in/other.zip", "in/other.pk3", "in/other.OBB", "in/run.kpf"];
    for name in named {
        dir.file(name, &zip);
    }
    // An engine's archive may follow a program.
    dir.file("in/run.kpf", [b"#!/bin/sh\n", zip.as_slice()].concat());
    dir.ok("verify -r in").out_has("5 archives, 5 entries");
}

#[test]
fn a_zip_whose_path_is_given_is_read_under_any_name() {
    let dir = Dir::new();
    let zip = Zip::new().deflated("META-INF/MANIFEST.MF", &[7; 1300]);
    let zip = zip.stored("a/Main.class", b"bytes").bytes();
    for name in ["other.zip", "other.apk", "other"] {
        dir.file(name, &zip);
        dir.ok(format!("verify {name}")).out_has("2 entries, 1305 bytes, all OK");
        dir.ok(format!("convert {name} -o x.pak -f"));
        dir.ok(format!("diff x.pak {name}"));
    }
}

/// What PK3s hold that Java's `jar` has made.
#[test]
fn a_pk3_with_a_java_manifest_is_searched() {
    let dir = Dir::new();
    let zip = Zip::new().stored("META-INF/MANIFEST.MF", b"Created-By: 1.4.2\n");
    let zip = zip.deflated("maps/a.bsp", &[7; 1300]);
    dir.file("in/map.pk3", zip.bytes());
    let ran = dir.ok("verify -r in");
    let ran = ran.out_has("2 entries, 1318 bytes, all OK\n");
    assert!(!ran.stderr().contains("warning"), "{ran}");
}
