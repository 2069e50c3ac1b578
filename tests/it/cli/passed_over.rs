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

/// A pak of which there is nothing to say.
fn plain() -> Vec<u8> {
    Pak::new()
        .stored("default.cfg", "bind w +forward\n")
        .quake()
}

/// A Git packfile of nothing, as `git pack-objects` writes it: its hash is not looked at.
fn packfile(version: u8) -> Vec<u8> {
    let mut bytes = [b"PACK\0\0\0".as_slice(), &[version], &[0, 0, 0, 9]].concat();
    bytes.extend((0..400_u32).map(|n| ((n * n) >> 3) as u8));
    bytes
}

#[test]
fn a_file_only_named_like_a_pak_is_a_warning() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    dir.file("in/empty.PAK", "");
    dir.file("in/zeros.pak", [0; 100]);
    dir.file("in/readme.txt", "");
    for line in SEARCHING {
        let ran = dir.ok(line);
        for (what, path) in [
            ("is named like a pak but is empty", "empty.PAK"),
            (
                "is named like a pak but does not begin like one",
                "zeros.pak",
            ),
        ] {
            let said = format!("warning: this {what}\n  --> in/{path}\nhelp: ");
            assert_eq!(ran.stderr().matches(&said).count(), 1, "{line}: {ran}");
        }
        assert!(!ran.stderr().contains("readme"), "{line}: {ran}");
        dir.ok(format!("-q {line}")).quiet();
    }
}

#[test]
fn many_alike_are_one_warning() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    for n in 0..100 {
        dir.file(format!("in/empty{n:02}.pak"), "");
    }
    let verify = |more: &str| dir.run(format!("verify -r in {more}"));
    let expected = "warning: 100 files are named like paks but are empty\n  \
         --> in/empty00.pak, and 99 more (-v names each)\n\
         help: if this is meant to be a pak, get a whole copy of it\n";
    verify("").code(0).err_has(expected);
    let named = verify("-v").code(0);
    assert_eq!(named.stderr().matches("warning: ").count(), 100, "{named}");
}

#[test]
fn without_a_pak_files_named_so_are_reported() {
    let dir = Dir::new();
    dir.file("in/empty.pak", "");
    for line in SEARCHING {
        dir.refuses(line)
            .err_has("error: this directory holds no archive")
            .err_has("is named like a pak but is empty");
    }
}

#[cfg(unix)]
#[test]
fn links_that_are_not_followed_are_warned_of() {
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
        let ran = ran.run().code(0);
        for said in [
            "warning: this is named like a pak but is a link that leads nowhere\n  --> start/dangling.pak\n",
            "warning: this is a link to a directory, and is not searched\n  --> start/linked\n",
        ] {
            assert!(ran.stderr().contains(said), "{line}: {ran}");
        }
        assert_eq!(
            ran.stderr().matches("warning: ").count(),
            2,
            "{line}: {ran}"
        );
    }
}

/// Every mod that is kept in Git has some.
#[test]
fn git_packfiles_are_named_and_are_no_failure() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    dir.file("in/.git/objects/pack/pack-0123.pack", packfile(2));
    dir.file("in/.git/objects/pack/pack-4567.pack", packfile(3));
    for line in SEARCHING {
        let ran = dir.ok(line);
        let said = "warning: this is a Git packfile, not a pak\n  --> ";
        assert_eq!(ran.stderr().matches(said).count(), 2, "{line}: {ran}");
        assert!(ran.stderr().contains("pack-4567.pack"), "{line}: {ran}");
    }
}

/// As Git itself makes it, where it is installed.
#[cfg(unix)]
#[test]
fn a_packfile_that_git_has_made_is_no_failure() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    for n in 0..50 {
        dir.file(
            format!("in/src/{n}.qc"),
            format!("void() f{n} = {{}};\n").repeat(n),
        );
    }
    let script = "command -v git >/dev/null || exit 77; cd in && git init -q && git add . && \
         git -c user.name=a -c user.email=a@b commit -qm a && git repack -qad && cd .. && \
         daisho verify -r in";
    let ran = dir.sh(script).run();
    if !ran.is(77) {
        ran.code(0)
            .err_has("warning: this is a Git packfile, not a pak\n");
    }
}

/// Its directory is where the version of a packfile is, big-endian.
#[test]
fn a_pak_that_begins_like_a_packfile_is_still_a_pak() {
    for at in [0x0200_0000_u32, 0x0300_0000] {
        let dir = Dir::new();
        let mut pak = Pak::new().stored("default.cfg", "bind w +forward\n");
        pak.payload(&vec![0; at as usize - pak.bytes.len()]);
        let pak = pak.entry(Entry {
            name: b"maps/e1m1.ent".to_vec(),
            offset: 12,
            size: 4,
            packed: None,
        });
        let bytes = pak.quake();
        assert_eq!(bytes[4..8], at.to_le_bytes());
        dir.file("in/a.pak", bytes);
        dir.ok("verify -r in")
            .out_has("2 entries, 20 bytes, all OK\n");
    }
}

#[test]
fn a_text_that_begins_like_a_pak_is_no_failure() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    dir.file("in/list.txt", "PACKAGE LIST of the mod\n");
    for line in SEARCHING {
        dir.ok(line).err_has("this is text that begins like a pak");
    }
    // Named outright, both are called what they are.
    dir.file("x.pack", packfile(2));
    for (path, what) in [("in/list.txt", "a text"), ("x.pack", "a Git packfile")] {
        dir.refuses(format!("list {path}"))
            .err_has(&format!("this is not a known archive: it is {what}"));
    }
}

/// An archive of RISC OS, of which the name of what was packed follows the small number.
#[test]
fn a_packdir_is_named_and_is_no_failure() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    let packed = [b"PACK\0\x01\0\0\0ADFS::4.$.!Game\0".as_slice(), &[9; 300]].concat();
    dir.file("in/game,68e", &packed);
    for line in SEARCHING {
        dir.ok(line)
            .err_has("warning: this is a RISC OS archive (PackDir), not a pak\n  --> in");
    }
    dir.refuses("list in/game,68e")
        .err_has("this is not a known archive: it is a RISC OS archive (PackDir)");
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
        dir.ok(format!("verify {name}"))
            .out_has("2 entries, 1305 bytes, all OK");
        dir.ok(format!("convert {name} -o x.pak -f"));
        dir.ok(format!("diff x.pak {name}"));
    }
}

/// What PK3s hold that Java's `jar` has made.
#[test]
fn a_java_manifest_alone_is_no_java_archive() {
    let dir = Dir::new();
    let zip = Zip::new().stored("META-INF/MANIFEST.MF", b"Created-By: 1.4.2\n");
    let zip = zip.deflated("maps/a.bsp", &[7; 1300]);
    dir.file("in/map.pk3", zip.bytes());
    let ran = dir.ok("verify -r in");
    let ran = ran.out_has("2 entries, 1318 bytes, all OK\n");
    assert!(!ran.stderr().contains("warning"), "{ran}");
}

#[test]
fn scripts_named_sin_and_zips_named_jar_are_skipped() {
    let dir = Dir::new();
    dir.file("in/a.pak", plain());
    dir.file(
        "in/remove-potcdate.sin",
        "# Sed script that removes POT-Creation-Date.\n",
    );
    // Only its extension tells.
    let jar = Zip::new().stored("messages.properties", b"a = b");
    dir.file("in/resources.jar", jar.bytes());
    for line in SEARCHING {
        let ran = dir.ok(line);
        assert!(!ran.stderr().contains("warning: "), "{line}: {ran}");
        assert!(!ran.text().contains("resources.jar"), "{line}: {ran}");
    }
    // Bytes that are no text may have been a pak of SiN's.
    dir.file("in/zeros.sin", [0; 100]);
    dir.ok("list -r in").err_has(
        "warning: this is named like a pak but does not begin like one\n  --> in/zeros.sin\n",
    );
}
