//! `--engine` with several engines: archives that all of them load, and the check of one that is there.

use super::Dir;
use super::paks::many;
use crate::archive::build::Pak;

#[test]
fn several_engines_share_their_smallest_limits() {
    let dir = Dir::new();
    dir.file("in.pak", many(4097, "x").quake());
    let convert = |engine: &str| {
        let ran = dir.ok(format!("convert -n in.pak -o pak0.pak --engine {engine}"));
        let parts = ran.text().matches("  pak").count().max(1);
        assert!(!ran.stderr().contains("warning"), "{ran}");
        parts
    };
    for (engines, parts) in [
        ("fteqw", 1),
        ("fteqw,darkplaces", 1),
        ("qss,fteqw", 2),
        ("qss,fteqw,QUAKESPASM", 3),
        ("all-quake", 3),
        ("all-quake2", 2),
        ("all-quake,all-quake2", 3),
    ] {
        assert_eq!(convert(engines), parts, "{engines}");
    }
    // Given twice, both count.
    let twice = dir.run("convert -n in.pak -o pak0.pak --engine fteqw --engine quake");
    assert_eq!(twice.code(0).text().matches("  pak").count(), 3);
}

#[test]
fn the_format_is_common_to_all_engines_or_refused() {
    let dir = Dir::new();
    dir.file("in.pak", many(3, "x").quake());
    let convert = |output: &str, engine: &str| {
        dir.run(format!("convert in.pak -o {output} --engine {engine}"))
    };
    // Without an extension that says which.
    let ran = convert("-", "qss,fteqw").code(0);
    assert!(ran.stdout().starts_with(b"PACK"));
    let ran = convert("-", "fteqw,ioquake3").code(0);
    assert!(ran.stdout().starts_with(b"PK"));
    convert("pak0.pk3", "fteqw,qss").code(0);
    assert!(dir.read("pak0.pk3").starts_with(b"PK"));
    for (output, engines, words) in [
        (
            "no.pak",
            "quake,quakespasm,ioquake3,fteqw",
            "error: these engines have no format in common: quake, quakespasm read quake; \
             fteqw reads quake and pk3; ioquake3 reads pk3\n",
        ),
        ("no.pk3", "quake,daikatana", "quake reads quake; daikatana reads daikatana\n"),
    ] {
        convert(output, engines).code(2).err_has(words);
    }
    // Both read paks, one of them no ZIPs.
    dir.refuses("convert in.pak -o no.pk3 --to pk3 --engine quake,hexen2,fteqw").err_has(
        "error: daisho writes quake archives for quake, hexen2, but you asked for a pk3 one\n",
    );
}

#[test]
fn convert_warns_of_names_that_engines_miss() {
    let dir = Dir::new();
    let pak = Pak::new().stored("a", b"1").stored("b", b"2").stored("A", b"3");
    dir.file("in.pak", pak.quake());
    let convert = |engine: &str| dir.ok(format!("convert -n in.pak -o pak0.pak --engine {engine}"));
    // What was in the source already is not repeated.
    convert("quake2,q2pro,yquake2").err_lacks("warning");
    convert("quake,hexen2")
        .err_has("warning: quake, hexen2 find 1 of the names only if they are spelled exactly");
}

/// They were in the source, and `info` says it of source and output.
#[test]
fn convert_leaves_oddities_of_the_source_to_info() {
    let dir = Dir::new();
    dir.file("in.pak", Pak::new().stored("a", b"").stored("b", b"2").quake());
    dir.ok("convert in.pak -o pak0.pak --engine all-quake2,hexen2").err_lacks("warning");
    for pak in ["in.pak", "pak0.pak"] {
        dir.run(format!("info {pak} --engine hexen2"))
            .out_has("asked for empty files: entry 0 \"a\"");
    }
}

#[test]
fn info_engine_fails_if_an_engine_does_not_load_it() {
    let dir = Dir::new();
    dir.file("pak0.pak", many(2049, "x").quake());
    dir.file("mymod.pak", many(3, "x").quake());
    let info = |file: &str, engine: &str| dir.run(format!("info {file} --engine {engine}"));
    info("pak0.pak", "fteqw,darkplaces,yquake2")
        .code(0)
        .quiet()
        .out_has("engines  darkplaces, fteqw, yquake2: loads\n")
        .out_lacks("hexen2");
    info("pak0.pak", "all-quake").code(1).err(
        "error: quake, quakespasm, ironwail, vkquake refuse this archive: it has 2049 entries, more than 2048, and the game does not start with it\n  --> pak0.pak\n\
         help: 'daisho convert --engine NAME' writes an archive that the engine loads\n",
    );
    // A name can be changed.
    info("mymod.pak", "quake,quake2,fteqw").code(0).quiet().out_has(
        "name     not asked for by quake, quake2: it looks only for pak0.pak, pak1.pak and so on\n",
    );
    let rows = dir.fails("info pak0.pak --json --engine quake,qss").json();
    assert_eq!(rows[0]["engines"][0]["loads"], false);
    assert_eq!(rows[0]["engines"][1]["loads"], true);
    // What is a texture library to its game is no archive of files to an engine.
    let wad = crate::archive::wads::texture("brick", false);
    dir.file("brick.mip", wad);
    dir.ok("create brick.mip -o a.wad");
    info("a.wad", "quake").code(1);
    info("none.pak", "quake").code(2);
}

#[test]
fn unknown_engine_words_get_the_list_and_nearest() {
    let dir = Dir::new();
    dir.file("in.pak", many(3, "x").quake());
    for verb in ["convert in.pak -o o.pak", "info in.pak"] {
        dir.refuses(format!("{verb} --engine quake,quakespazm"))
            .err_has("quakespazm")
            .err_has("quakespasm")
            .err_has("all-quake3");
    }
}

/// What each engine reads was read in its source.
#[test]
fn info_says_what_an_engine_cannot_read() {
    let dir = Dir::new();
    let files: [(&str, &[u8]); 9] = [
        ("a.png", b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0"),
        ("a.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"),
        ("maps/hl.bsp", b"\x1E\0\0\0"),
        ("maps/q64.bsp", b" 46Q"),
        ("maps/jk2.bsp", b"RBSP\x01\0\0\0"),
        ("maps/wsw.bsp", b"FBSP\x01\0\0\0"),
        ("progs/a.mdl", b"IDP3\x0F\0\0\0"),
        ("progs/a.md5mesh", b"MD5Version 10\n"),
        ("progs/a.spr", b"IDSP\x20\0\0\0"),
    ];
    let mut pak = Pak::new();
    for (name, content) in files {
        pak = pak.stored(name, [content, &[0; 200]].concat());
    }
    dir.file("pak0.pak", pak.quake());
    for (engine, unread) in [
        ("vkquake", "rbsp fbsp spr32"),
        ("quakespasm", "rbsp fbsp spr32 png jpeg"),
        ("ironwail", "rbsp fbsp spr32"),
        ("darkplaces", "md5mesh"),
        ("quake", "bsp30 q64 rbsp fbsp spr32 png jpeg md3 md5mesh"),
    ] {
        let rows = dir.run(format!("info pak0.pak --engine {engine} --json")).json();
        let types = rows[0]["not_read"].as_array().unwrap();
        let types: Vec<&str> = types.iter().map(|it| it["type"].as_str().unwrap()).collect();
        assert_eq!(types.join(" "), unread, "{engine}");
        assert_eq!(rows[0]["contrary"].as_array().unwrap().len(), 0, "{engine}");
    }
}
