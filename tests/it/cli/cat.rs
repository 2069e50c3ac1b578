//! `cat`

use super::Dir;
use super::paks::{daikatana, damaged, entry, quake};
use crate::archive::build::Pak;

#[test]
fn cat_prints_entries_in_the_order_given() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let bind = b"bind w +forward\n";
    dir.ok("cat d.pak default.cfg maps/e1m1.bsp default.cfg")
        .out([&bind[..], &b"level".repeat(300), bind].concat())
        .quiet();
    dir.ok("cat d.pak --index 5 2 4 0").out([b"second\n", &bind[..], &[0; 195]].concat()).quiet();
}

#[test]
fn names_match_exactly_then_loosely_then_as_shown() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    for (name, content) in [
        (&b"MAPS\\A.cfg"[..], "loose"),
        (b"maps/a.cfg", "exact"),
        (b"b\\c\x1b.cfg", "odd"),
        (br"b\\c\x1b.cfg", "literally"),
        (b"\x1b.cfg", "shown"),
    ] {
        pak = pak.stored(name, format!("{content}\n").as_bytes());
    }
    dir.file("q.pak", pak.quake());
    for (name, content) in [
        ("maps/a.cfg", "exact\n"),
        ("maps/A.cfg", "loose\n"),
        ("maps\\a.cfg", "loose\n"),
        (r"b\\c\x1b.cfg", "literally\n"),
        (r"\x1b.cfg", "shown\n"),
    ] {
        dir.ok(format!("cat q.pak {name}")).out(content).quiet();
    }
}

#[test]
fn cat_goes_on_after_missing_and_damaged_entries() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    let mut session = dir.session();
    session.run("cat damaged.pak nope short.tga last.cfg");
    session.run("cat damaged.pak --index 99 4 7");
    session.is("cat-damaged");
}

#[test]
fn cat_prints_the_same_from_either_layout() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let of = |pak| dir.ok(format!("cat {pak} --index 0 1 2 3 4 5 6"));
    assert_eq!(of("d.pak").stdout(), of("q.pak").stdout());
}

/// Folders and patterns are names in every verb that takes entries.
#[test]
fn a_folder_or_a_pattern_means_all_of_its_entries() {
    let dir = Dir::new();
    let files = [("maps/a.bsp", "1"), ("b.cfg", "2"), ("maps/b.cfg", "3"), ("maps/[x]", "4")];
    dir.file("q.pak", Pak::of(&files).quake());
    for (name, content) in [
        ("maps/", "134"),
        ("*.cfg", "23"),
        ("*", "1234"),
        // A name wins over a pattern.
        ("maps/[x]", "4"),
        ("MAPS/A.BSP", "1"),
    ] {
        dir.ok(format!("cat q.pak {name}")).out(content);
    }
    for name in ["nope/", "map"] {
        dir.fails(format!("cat q.pak {name}")).out("").err_has("error: no entry is named");
    }
    // A name that ends in a slash is a folder for rename, too.
    dir.ok("rename -q q.pak maps/ levels/");
    dir.lists("q.pak", "levels/a.bsp b.cfg levels/b.cfg levels/[x]");
}

/// The same PNG as `extract --png` writes, which another program reads.
#[test]
fn one_picture_becomes_the_png_that_extract_writes() {
    let dir = Dir::new();
    dir.copy("game/data/pak1.pak", "a.pak");
    dir.ok("extract a.pak --png");
    for name in ["pics/load0.pcx", "pics/logo.bmp", "skins/hero.tga"] {
        dir.ok(format!("cat a.pak {name} --png")).quiet().out(dir.read(format!("a/{name}.png")));
    }
    // By its number, a pattern, and with the options of pictures.
    let load = dir.read("a/pics/load0.pcx.png");
    for line in ["--index 3", "*.pcx", "pics/load0.pcx --palette a/pics/load0.pcx.png"] {
        dir.ok(format!("cat a.pak --png {line}")).out(&load);
    }
    // A PNG in true colour has no palette.
    dir.refuses("cat a.pak --png pics/load0.pcx --palette a/skins/hero.tga.png")
        .out("")
        .err_has("a/skins/hero.tga.png");
    // A PNG is one already.
    dir.ok("create -q -o b.pak --root a a/pics");
    dir.ok("cat b.pak pics/load0.pcx.png --png").quiet().out(&load);
}

#[test]
fn only_one_picture_becomes_a_png() {
    let dir = Dir::new();
    dir.copy("game/data/pak1.pak", "a.pak");
    for (line, code, said) in [
        ("pics/ --png", 2, "one picture becomes a PNG here, and these are 2"),
        ("--png --index 3 3", 2, "these are 2"),
        ("readme.txt --png", 1, "not a picture"),
        ("sound/hit.wav --png", 1, "not a picture"),
        ("none.pcx --png", 1, "no entry is named"),
        ("pics/load0.pcx --png --max-pixels 9", 1, "pixels"),
        ("pics/load0.pcx --frames", 2, "give --png as well"),
    ] {
        let ran = dir.run(format!("cat a.pak {line}"));
        ran.code(code).out("").err_has(said);
    }
}

/// `extract` refuses the same. An entry that is named is what was asked for, however often.
#[test]
fn more_than_a_format_can_hold_is_refused_early() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    let start = pak.payload(&[b'x'; 10_000]);
    for n in 0..200 {
        pak = pak.entry(entry(format!("{n}").as_bytes(), start, 10_000, None));
    }
    dir.file("p.pak", pak.quake());
    for words in ["*", "--max-expansion 5 1*"] {
        dir.refuses(format!("cat p.pak {words}"))
            .out("")
            .err_has("this archive would unpack to ")
            .err_has("--max-expansion");
    }
    assert_eq!(dir.cat("p.pak", "--max-expansion 200 *").len(), 2_000_000);
    assert_eq!(dir.cat("p.pak", "7 7 7").len(), 30_000);
}
