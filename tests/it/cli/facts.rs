//! `info ARCHIVE NAME...` and `list -l`: the facts of single files.

use serde_json::json;

use super::paks::{packed, quake};
use super::{Dir, assert_has};
use crate::archive::build::Pak;
use crate::archive::maps;
use crate::archive::zips::build::Zip;
use crate::codec::tokens::literals;

const WORLD: &str = "{ \"classname\" \"worldspawn\" \"message\" \"the Hall\" \"sky\" \"dusk_\" } \
    { \"classname\" \"light\" } { \"classname\" \"light\" }";

/// A sound of 1.2 seconds that loops from its middle on: 11,025 samples of a byte in a second.
fn wav() -> Vec<u8> {
    let mut wav =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0".to_vec();
    wav.extend(b"cue \x1C\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0data\0\0\0\0\0\0\0\0");
    wav.extend(6615_u32.to_le_bytes());
    wav.extend(b"data");
    wav.extend(13_230_u32.to_le_bytes());
    wav.resize(wav.len() + 13_230, 128);
    wav
}

/// A picture of Quake's menus.
fn lmp() -> Vec<u8> {
    let mut lmp = [24, 16_u32].map(u32::to_le_bytes).concat();
    lmp.resize(8 + 24 * 16, 7);
    lmp
}

fn files() -> Vec<(&'static [u8], Vec<u8>)> {
    vec![
        (b"maps/hall.bsp", maps::quake(29, WORLD, &[("floor", true), ("{bars", false)])),
        (b"gfx/sign.lmp", lmp()),
        (b"sound/hum.wav", wav()),
        (b"gfx/palette.lmp", vec![0; 768]),
        (
            b"sound/other.wav",
            b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x10\0\0\0\x08\x08\x02".to_vec(),
        ),
        (b"readme.txt", b"by hand".to_vec()),
        (b"progs/bad.mdl", vec![7; 100]),
        (b"b\xE4r.lmp", lmp()),
    ]
}

fn pak() -> Vec<u8> {
    Pak::of(&files()).quake()
}

#[test]
fn info_shows_the_facts_of_wad_lumps() {
    let dir = Dir::new();
    let mut font = [256, 40, 3, 13_u32].map(u32::to_le_bytes).concat();
    font.resize(16 + 1024 + 256 * 40, 0);
    font.extend(1_u16.to_le_bytes());
    font.extend([9; 3]);
    dir.file("wall.mip", crate::archive::wads::texture("wall", true));
    dir.file("small.fnt", font);
    dir.file("colours.pal", [0; 768]);
    dir.ok("create -q -o a.wad --to wad3 wall.mip small.fnt colours.pal");
    let mut session = dir.session();
    session.run("info a.wad wall.mip small.fnt colours.pal");
    session.is("facts-of-lumps");
}

#[test]
fn list_l_shows_the_facts_of_each_file() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    let mut session = dir.session();
    session.run("list q.pak -l");
    session.run("list q.pak -l --tree -i hall.bsp");
    session.is("facts-in-a-list");
    let of_one_thread = dir.ok("list q.pak --long -j1");
    dir.ok("list q.pak -l -j4").out(of_one_thread.stdout());
}

#[test]
fn list_json_has_facts_only_with_l() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    let long = dir.ok("list q.pak --json -l").quiet().json();
    let facts = json!({"version": 29, "title": "the Hall", "sky": "dusk_", "entities": 3});
    assert_has(&long[0], json!({"type": "bsp29", "facts": facts}));
    assert_eq!(long[2]["facts"]["seconds"], 1.2);
    assert_eq!(long[4]["type"], "png");
    assert_eq!(long[4]["facts"]["width"], 16);
    assert_has(&long[5], json!({"type": null, "facts": {}}));
    assert!(dir.ok("list q.pak --json").json()[0].get("facts").is_none());
}

#[test]
fn info_of_an_entry_prints_all_its_facts() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    let mut session = dir.session();
    // Case and slashes are as 'cat' takes them.
    session.run("info q.pak maps/hall.bsp SOUND\\hum.wav sound/other.wav");
    session.run("info q.pak --index 2");
    session.run("info q.pak progs/bad.mdl");
    // All lumps where all is asked for.
    session.run("info q.pak -v maps/hall.bsp");
    session.run("info q.pak --json gfx/palette.lmp b\\xe4r.lmp");
    session.is("facts-of-entries");
}

#[test]
fn info_takes_archives_by_content_else_entry_names() {
    let dir = Dir::new();
    dir.file("q.pak", pak());
    dir.file("other.pak", quake());
    // A file of an entry's name makes no difference.
    dir.file("gfx/sign.lmp", "lies here as well");
    let info = |arguments: &str| dir.run(format!("info {arguments}"));
    info("q.pak gfx/sign.lmp").code(0).out_has("entry 1 \"gfx/sign.lmp\"");
    // Several archives are what they were.
    info("q.pak other.pak")
        .code(0)
        .err("2 archives, 15 files, 18.0 kB\n")
        .out_starts("q.pak  Quake pak, ")
        .out_has("\nother.pak  Quake pak, ");
    // And a file that is neither is a file.
    dir.file("notes.txt", "no archive, and no entry");
    info("q.pak notes.txt")
        .code(0)
        .quiet()
        .out_starts("q.pak  ")
        .out_ends("\nnotes.txt  text, 24 bytes\n");
    info("q.pak othr.pak").code(1).err_has("no such file").err_has("other.pak");
    // The name that was probably meant is suggested.
    info("q.pak gfx/sing.lmp sound/hum.wav")
        .code(1)
        .err_has("did you mean \"gfx/sign.lmp\"?")
        .out_has("entry 2");
    info("q.pak nothing/like/it").code(1).err_has("no file and no entry is named");
    info("q.pak --index 8 1").code(1).err_has("entry 8");
    info("q.pak other.pak gfx/sign.lmp").code(2).err_has("both archives and the name of an entry");
    info("nowhere.pak --index 1").code(2).out("");
    // An archive that comes from standard input has names, too.
    dir.command("info - gfx/sign.lmp")
        .stdin(pak())
        .run()
        .code(0)
        .out_starts("-: entry 1 \"gfx/sign.lmp\"");
    // So has one within another.
    dir.file("mod.zip", Zip::new().stored("id1/pak0.pak", &pak()).bytes());
    info("mod.zip//id1/pak0.pak gfx/sign.lmp").code(0).out_starts("mod.zip//id1/pak0.pak: entry 1");
    info("mod.zip id1/pak0.pak").code(0).out_starts("mod.zip: entry 0");
}

#[test]
fn damaged_entries_have_facts_if_a_header_decodes() {
    let dir = Dir::new();
    let map = maps::quake2(WORLD, &["floor"]);
    let mut cut = literals(&map);
    cut.truncate(cut.len() / 2);
    let pak = packed(Pak::new(), b"maps/cut.bsp", &map, &cut);
    // Nothing of it can be decoded.
    let pak = packed(pak, b"gfx/gone.lmp", &lmp(), b"\xC0\x05\xFF");
    let pak = packed(pak, b"gfx/whole.lmp", &lmp(), &literals(&lmp()));
    dir.file("d.pak", pak.daikatana());
    let mut session = dir.session();
    session.run("list -l d.pak");
    session.run("info d.pak --json maps/cut.bsp gfx/gone.lmp gfx/whole.lmp");
    session.is("facts-of-damaged-entries");
}

/// Every coding gives the same, and so does a game's view of it.
#[test]
fn facts_are_equal_in_every_coding_and_loose() {
    let dir = Dir::new();
    let files = files();
    let files = || {
        let text = |name: &'static [u8]| core::str::from_utf8(name).ok();
        files.iter().filter_map(move |(name, content)| Some((text(name)?, content)))
    };
    let zip = files().fold(Zip::new(), |zip, (name, content)| zip.deflated(name, content));
    dir.file("a.pk3", zip.bytes());
    dir.file("id1/pak0.pak", pak());
    for (name, content) in files() {
        dir.file(format!("loose/{name}"), content);
    }
    // A game's directory has a pak.
    let readme = Pak::new().stored("readme.txt", "by hand");
    dir.file("loose/pak0.pak", readme.quake());
    dir.ok("convert -q a.pk3 -o d.pak --to daikatana");
    let facts = |arguments: &str| -> Vec<(String, serde_json::Value)> {
        let rows = dir.ok(format!("list -l --json {arguments}")).json().into_iter();
        let mut rows: Vec<_> = rows
            .filter(|row| row.get("name_hex").is_none())
            .map(|row| (row["name"].as_str().unwrap().to_owned(), row["facts"].clone()))
            .collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows
    };
    let expected = facts("id1/pak0.pak");
    assert_eq!(expected.len(), 7);
    for arguments in [
        "a.pk3",
        "d.pak",
        "--effective id1 --engine quakespasm",
        "--effective --loose loose --engine quakespasm -q",
    ] {
        assert_eq!(facts(arguments), expected, "{arguments}");
    }
    let of = |archive: &str| {
        dir.ok(format!("info --json {archive} maps/hall.bsp sound/hum.wav"))
            .json()
            .into_iter()
            .map(|row| row["facts"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("a.pk3"), of("id1/pak0.pak"));
    assert_eq!(of("d.pak"), of("id1/pak0.pak"));
}
