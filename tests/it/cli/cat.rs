//! `cat`

use super::Dir;
use super::paks::{daikatana, damaged, quake};
use crate::archive::build::Pak;

#[test]
fn entries_come_in_the_order_asked_for() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.ok("cat d.pak default.cfg maps/e1m1.bsp default.cfg")
        .out(
            [
                b"bind w +forward\n",
                &b"level".repeat(300)[..],
                b"bind w +forward\n",
            ]
            .concat(),
        )
        .quiet();
    dir.ok("cat d.pak --index 5 2 4 0")
        .out([&b"second\nbind w +forward\n"[..], &[0; 195]].concat())
        .quiet();
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
fn what_is_missing_or_damaged_does_not_keep_the_rest() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    dir.daisho()
        .args(["cat", "damaged.pak", "nope\x1b", "short.tga", "last.cfg"])
        .run()
        .code(1)
        .out("abcfine\n")
        .err(
            "error: no entry is named \"nope\\x1b\"\n  --> damaged.pak\n\
             help: 'daisho list' shows the names and numbers\n\
             error: the stream is damaged: end marker at stream byte 4 after 3 bytes of output, \
             expected 4\n  --> damaged.pak: entry 1 \"short.tga\", byte 20\n\
             help: get another copy of the pak; its other entries are not affected\n",
        );
    dir.fails("cat damaged.pak --index 99 4 7")
        .out("fine\n")
        .err_has("there is no entry 99: the archive has 8 entries, numbered from 0")
        .err_has("the payload should lie at bytes 60000 to 61000");
}

#[test]
fn without_a_pak_nothing_is_written() {
    let dir = Dir::new();
    dir.file("zip.pk3", "PK\x03\x04 and more");
    for (pak, words) in [
        (".", "error: this directory holds no archive\n  --> .\n"),
        ("missing", "no such file"),
        ("zip.pk3", "the end of this ZIP is missing"),
    ] {
        dir.refuses(format!("cat {pak} a")).out("").err_has(words);
    }
}

#[test]
fn a_pak_of_either_layout_gives_the_same() {
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
    let pak = Pak::new().stored("maps/a.bsp", b"1").stored("b.cfg", b"2");
    let pak = pak.stored("maps/b.cfg", b"3").stored("maps/[x]", b"4");
    dir.file("q.pak", pak.quake());
    for (name, content) in [
        ("maps/", "134"),
        ("maps", "134"),
        ("*.cfg", "23"),
        ("maps/*.cfg", "3"),
        ("*", "1234"),
        // A name wins over a pattern.
        ("maps/[x]", "4"),
        ("MAPS/A.BSP", "1"),
    ] {
        dir.ok(format!("cat q.pak {name}")).out(content);
        let info = dir.run(format!("info q.pak {name} --json"));
        assert_eq!(info.code(0).json().len(), content.len(), "{name}");
        let show = dir.run(format!("show q.pak {name} --json"));
        assert_eq!(show.code(0).json().len(), content.len(), "{name}");
    }
    for name in ["nope/", "map"] {
        dir.fails(format!("cat q.pak {name}"))
            .out("")
            .err_has("error: no entry is named");
    }
    dir.fails("cat q.pak *.nope")
        .out("")
        .err_has("error: no entry matches \"*.nope\"");
    // A name that ends in a slash is a folder for rename, too.
    dir.ok("rename -q q.pak maps/ levels/");
    dir.run("list q.pak --names")
        .out("levels/a.bsp\nb.cfg\nlevels/b.cfg\nlevels/[x]\n");
}

/// The same PNG as `extract --png` writes, which another program reads.
#[test]
fn one_picture_becomes_the_png_that_extract_writes() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/game/data");
    let dir = Dir::new();
    dir.file("a.pak", std::fs::read(corpus.join("pak1.pak")).unwrap());
    dir.ok("extract a.pak --png");
    for name in ["pics/load0.pcx", "pics/logo.bmp", "skins/hero.tga"] {
        dir.ok(format!("cat a.pak {name} --png"))
            .quiet()
            .out(dir.read(format!("a/{name}.png")));
    }
    // By its number, a pattern, and with the options of pictures.
    let load = dir.read("a/pics/load0.pcx.png");
    for line in [
        "--index 3",
        "*.pcx",
        "pics/load0.pcx --palette a/pics/load0.pcx.png",
        "pics/load0.pcx --palette a/skins/hero.tga.png",
    ] {
        let all = ["cat", "a.pak", "--png"].into_iter().chain(line.split(' '));
        let ran = dir.daisho().args(all).run();
        // A PNG in true colour has no palette.
        if line.contains("hero.tga.png") {
            ran.code(2).out("").err_has("a/skins/hero.tga.png");
        } else {
            ran.code(0).out(&load);
        }
    }
    // A PNG is one already.
    dir.ok("create -q -o b.pak --root a a/pics");
    dir.ok("cat b.pak pics/load0.pcx.png --png")
        .quiet()
        .out(&load);
}

#[test]
fn only_one_picture_becomes_a_png() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/game/data");
    let dir = Dir::new();
    dir.file("a.pak", std::fs::read(corpus.join("pak1.pak")).unwrap());
    for (line, code, said) in [
        (
            "pics/ --png",
            2,
            "one picture becomes a PNG here, and these are 2",
        ),
        ("--png --index 3 3", 2, "these are 2"),
        ("readme.txt --png", 1, "not a picture"),
        ("sound/hit.wav --png", 1, "not a picture"),
        ("none.pcx --png", 1, "no entry is named"),
        ("pics/load0.pcx --png --max-pixels 9", 1, "pixels"),
        ("pics/load0.pcx --frames", 2, "give --png as well"),
    ] {
        let all = ["cat", "a.pak"].into_iter().chain(line.split(' '));
        dir.daisho()
            .args(all)
            .run()
            .code(code)
            .out("")
            .err_has(said);
    }
}

/// `extract` refuses the same. An entry that is named is what was asked for, however often.
#[test]
fn more_than_a_format_can_hold_is_refused_early() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    let start = pak.payload(&[b'x'; 10_000]);
    for n in 0..200 {
        let name = format!("{n}");
        pak = pak.entry(super::paks::entry(name.as_bytes(), start, 10_000, None));
    }
    dir.file("p.pak", pak.quake());
    let cat = |words: &str| dir.run(format!("cat p.pak {words}"));
    for words in ["*", "--max-expansion 5 1*"] {
        cat(words)
            .code(2)
            .out("")
            .err_has("this archive would unpack to ")
            .err_has("--max-expansion");
    }
    assert_eq!(
        cat("--max-expansion 200 *").code(0).stdout().len(),
        2_000_000
    );
    assert_eq!(cat("7 7 7").code(0).stdout().len(), 30_000);
}
