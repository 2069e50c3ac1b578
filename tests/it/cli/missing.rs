//! `missing`: what maps ask for that a game does not serve.

use super::{Dir, assert_plain};
use crate::archive::build::Pak;
use crate::archive::maps;
use crate::archive::wads::{Wad, texture};
use crate::archive::zips::build::Zip;

#[test]
fn missing_takes_its_base_from_the_environment() {
    let dir = Dir::new();
    let map = maps::quake2("{ \"classname\" \"worldspawn\" }", &["e1/base", "e1/own"]);
    dir.file("mod/maps/a.bsp", map);
    dir.file("mod/textures/e1/own.wal", "wal");
    dir.file("base/textures/e1/base.wal", "wal");
    dir.file("other/x", "");
    let missing = |game: &str, args: &str| {
        dir.daisho()
            .env("DAISHO_GAME", game)
            .arg("missing")
            .args(args.split_whitespace())
            .arg("-q")
            .run()
    };
    let of_base = "maps/a.bsp: texture textures/e1/base.wal (texture 0)\n";
    missing("", "mod").code(1).out(of_base);
    missing("base", "mod").code(0).out("");
    missing("mod", "mod").code(1).out(of_base);
    missing("mod", "").code(1).out(of_base);
    missing("base", "other mod").code(1).out(of_base);
    missing("", "")
        .code(2)
        .err_has("'daisho missing' takes the directories or archives of a game");
}

/// What is printed on standard output, line by line.
fn lines(dir: &Dir, args: &[&str], code: i32) -> Vec<String> {
    let ran = dir
        .daisho()
        .args(["missing", "-q"])
        .args(args)
        .run()
        .code(code);
    ran.text().lines().map(str::to_owned).collect()
}

/// Mods are in version control as loose files.
#[test]
fn missing_takes_a_directory_of_loose_files() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" }
        { \"classname\" \"target_speaker\" \"noise\" \"world/amb\" }
        { \"classname\" \"target_speaker\" \"noise\" \"world/gone\" }";
    dir.file("mod/maps/a.bsp", maps::quake2(entities, &["e1/here"]));
    dir.file("mod/textures/e1/here.wal", "wal");
    dir.file("mod/sound/world/amb.wav", "wav");
    let gone =
        "maps/a.bsp: sound sound/world/gone.wav (entity 2 \"target_speaker\", key \"noise\")";
    for engine in [&[][..], &["--engine", "yquake2"], &["--engine", "fteqw"]] {
        let args = [&["mod", "--map", "maps/a.bsp"], engine].concat();
        assert_eq!(lines(&dir, &args, 1), [gone], "{engine:?}");
    }
    // Nor does a base directory need an archive.
    dir.file("base/sound/world/gone.wav", "wav");
    let args = ["base", "mod", "--map", "maps/a.bsp", "--engine", "q2pro"];
    assert!(lines(&dir, &args, 0).is_empty());
}

/// A map of Quake II, its textures in two archives, loose and as a picture, and what is not there.
#[test]
fn missing_names_what_a_quake2_map_lacks() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"sky\" \"unit1_\" }
        { \"classname\" \"target_speaker\" \"noise\" \"world/amb\" }
        { \"classname\" \"target_speaker\" \"noise\" \"world/gone\" }
        { \"classname\" \"misc\" \"model\" \"models/box.md2\" }";
    let map = maps::quake2(entities, &["e1/in_pak", "e1/LOOSE", "e1/as_png", "e1/gone"]);
    let sky = ["rt", "bk", "lf", "ft", "up"].map(|side| format!("env/unit1_{side}.pcx"));
    let pak = Pak::named(&sky, "pcx");
    let pak = pak
        .stored("textures/e1/in_pak.wal", b"wal")
        .stored("sound/world/amb.wav", b"wav");
    dir.file("baseq2/pak0.pak", pak.quake());
    dir.file("baseq2/textures/e1/loose.wal", "wal");
    dir.file(
        "mod/pak0.pak",
        Pak::new().stored("maps/a.bsp", &map).quake(),
    );
    dir.file("mod/textures/e1/as_png.png", "png");
    let all = [
        "maps/a.bsp: texture textures/e1/gone.wal (texture 3)",
        "maps/a.bsp: sky env/unit1_dn.tga (entity 0 \"worldspawn\", key \"sky\")",
        "maps/a.bsp: sound sound/world/gone.wav (entity 2 \"target_speaker\", key \"noise\")",
        "maps/a.bsp: model models/box.md2 (entity 3 \"misc\", key \"model\")",
    ];
    assert_eq!(lines(&dir, &["baseq2", "mod", "--map", "a.bsp"], 1), all);
    // On a file system that tells cases apart, a loose file is found as it is spelled.
    let mut found = lines(
        &dir,
        &["baseq2", "mod", "--map", "a.bsp", "--engine", "yquake2"],
        1,
    );
    if !cfg!(windows) {
        assert_eq!(
            found.remove(0),
            "maps/a.bsp: texture textures/e1/LOOSE.wal (texture 1)"
        );
    }
    assert_eq!(found, all);
    // Quake II itself takes no picture in a texture's place.
    let found = lines(
        &dir,
        &["baseq2", "mod", "--map", "a.bsp", "--engine", "quake2"],
        1,
    );
    assert!(found.contains(&"maps/a.bsp: texture textures/e1/as_png.wal (texture 2)".to_owned()));
    // All of it in one place, and archives that are named.
    for name in [
        "textures/e1/gone.wal",
        "env/unit1_dn.tga",
        "sound/world/gone.wav",
        "models/box.md2",
    ] {
        dir.file(format!("mod/{name}"), "here");
    }
    dir.ok("missing baseq2 mod --map maps/*.bsp")
        .out("")
        .err("1 map asks for 13 files, 0 missing\n");
    let found = lines(
        &dir,
        &["baseq2/pak0.pak", "mod/pak0.pak", "--map", "a.bsp"],
        1,
    );
    assert_eq!(found.len(), 6);
}

#[test]
fn daikatana_maps_need_palette_and_sounds() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"palette\" \"e1m1\" }
        { \"classname\" \"func_door\" \"sound_opening\" \"doors/a.wav\" \"sound_closing\" \"doors/b.wav\" }";
    let map = maps::daikatana(entities, &["e1/wall"], 32);
    let zip = Zip::new()
        .deflated("maps/e1.bsp", &map)
        .deflated("sounds/doors/a.wav", b"RIFF");
    dir.file(
        "data/pak0.pk3",
        zip.deflated("textures/e1/wall.wal", b"\x03").bytes(),
    );
    assert_eq!(
        lines(&dir, &["data", "--map", "e1.bsp"], 1),
        [
            "maps/e1.bsp: palette textures/e1m1/colormap.bmp (entity 0 \"worldspawn\", key \"palette\")",
            "maps/e1.bsp: sound sound/doors/b.wav (entity 1 \"func_door\", key \"sound_closing\")",
        ]
    );
}

#[test]
fn half_life_maps_need_textures_of_their_wads() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"wad\" \"\\sierra\\half-life\\VALVE\\own.wad;C:\\more.wad\" }";
    let map = maps::quake(
        30,
        entities,
        &[("inside", true), ("brick", false), ("stone", false)],
    );
    dir.file("valve/maps/a.bsp", &map);
    dir.file(
        "valve/own.wad",
        Wad::new(b"WAD3")
            .lump(b"BRICK", 67, &texture("brick", true))
            .bytes(),
    );
    // Another WAD has it, and the map does not name that.
    dir.file(
        "valve/other.wad",
        Wad::new(b"WAD3")
            .lump(b"stone", 67, &texture("stone", true))
            .bytes(),
    );
    let args = ["valve", "--map", "a.bsp"];
    let wad = "maps/a.bsp: wad more.wad (entity 0 \"worldspawn\", key \"wad\")";
    assert_eq!(lines(&dir, &args, 1), [wad]);
    dir.file("valve/more.wad", Wad::new(b"WAD3").bytes());
    assert_eq!(
        lines(&dir, &args, 1),
        ["maps/a.bsp: texture textures/stone (texture 2)"]
    );
    dir.file("valve/textures/stone.tga", "tga");
    assert!(lines(&dir, &args, 0).is_empty());
}

#[test]
fn a_wad_is_found_by_its_name_in_any_case() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"wad\" \"Q.WAD\" }";
    dir.file(
        "valve/maps/a.bsp",
        maps::quake(30, entities, &[("brick", false)]),
    );
    let wad = |lump: &[u8]| {
        let wad = Wad::new(b"WAD3").lump(lump, 67, &texture("brick", true));
        wad.bytes()
    };
    dir.file("valve/q.wad", wad(b"brick"));
    let args = ["valve", "--map", "a.bsp"];
    assert!(lines(&dir, &args, 0).is_empty());
    // It is the texture that is missing then, and not the WAD.
    dir.file("valve/q.wad", wad(b"other"));
    assert_eq!(
        lines(&dir, &args, 1),
        ["maps/a.bsp: texture textures/brick (texture 0)"]
    );
}

#[test]
fn a_quake_iii_map_asks_for_shaders_or_pictures() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"music\" \"music/a.wav\" }";
    let map = maps::quake3(
        entities,
        &["textures/a/shader", "textures/a/picture", "textures/a/gone"],
    );
    let zip = Zip::new()
        .deflated("maps/a.bsp", &map)
        .deflated("music/a.ogg", b"OggS");
    let zip = zip.deflated("scripts/a.shader", b"textures/A/Shader\n{\n{ map x }\n}\n");
    dir.file(
        "baseq3/pak0.pk3",
        zip.deflated("textures/a/picture.jpg", b"\xFF\xD8\xFF")
            .bytes(),
    );
    for engine in [&[][..], &["--engine", "ioquake3"]] {
        let args = [&["baseq3", "--map", "a.bsp"], engine].concat();
        assert_eq!(
            lines(&dir, &args, 1),
            ["maps/a.bsp: shader textures/a/gone (texture 2)"]
        );
    }
    let rows = dir.fails("missing baseq3 --map a.bsp --json").json();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["missing"], "textures/a/gone");
    assert_eq!(
        (&rows[0]["kind"], &rows[0]["texture"]),
        (&"shader".into(), &2.into())
    );
    assert_eq!(rows[0]["instead"][0], "textures/a/gone.tga");
}

#[test]
fn unreadable_maps_and_unmatched_globs_are_reported() {
    let dir = Dir::new();
    let map = maps::quake2("{ }", &["gone"]);
    let cut = &map[..map.len() - 1];
    let pak = Pak::new()
        .stored("maps/a.bsp", cut)
        .stored("maps/b.bsp", &map);
    let evil = maps::quake2("{ classname \u{1b}[2J model \u{1b}[3J.md2 }", &[]);
    dir.file(
        "q/pak0.pak",
        pak.stored("maps/c.bsp", b"no map")
            .stored("maps/e.bsp", &evil)
            .quake(),
    );
    let ran = dir.fails("missing q --map *.bsp --map x.bsp");
    assert_plain(ran.text());
    assert_eq!(ran.text().lines().count(), 2, "{ran}");
    let ran = ran.err_has("error: no entry matches \"x.bsp\"");
    let ran = ran.err_has("the map cannot be read: its textures should lie at bytes");
    ran.err_has("the map cannot be read: it is not a map of a known format")
        .err_has("2 maps ask for 2 files, 2 missing");
    dir.refuses("missing nowhere --map *.bsp");
}

#[test]
fn missing_in_a_game_without_maps_is_an_error() {
    let dir = Dir::new();
    let map = maps::quake2("{ }", &[]);
    dir.file("q/mod.pak", Pak::new().stored("maps/a.bsp", &map).quake());
    dir.file("empty/pak0.pak", Pak::new().stored("a.cfg", b"").quake());
    for line in ["missing q --engine quake2", "missing empty"] {
        let ran = dir.fails(line).out("");
        let ran = ran.err_has("error: the game has no maps\n");
        assert!(!ran.stderr().contains("no entry matches"), "{ran}");
        assert!(!ran.stderr().contains("0 maps"), "{ran}");
    }
    dir.ok("missing q").err_has("1 map asks for");
}

/// Engines say "2 textures missing" of such a map. Nothing that the game could serve is missing, so the exit status
/// is 0.
#[test]
fn missing_warns_of_textures_left_out_of_a_map() {
    let dir = Dir::new();
    let pak = Pak::new().stored("maps/a.bsp", maps::left_out(&[true, false, true]));
    dir.file("id1/pak0.pak", pak.quake());
    dir.ok("info id1/pak0.pak maps/a.bsp")
        .out_has("textures left out  3");
    dir.ok("missing id1").out("").err_has(
        "warning: the map leaves out textures 0, 2, which its faces have; engines show a placeholder\n\
         \x20 --> id1/pak0.pak: entry 0 \"maps/a.bsp\"",
    );
    let all = Pak::new().stored("maps/all.bsp", maps::left_out(&[true; 20]));
    dir.file("id1/pak0.pak", all.quake());
    dir.ok("missing id1")
        .err_has("leaves out 20 textures that its faces have: 0, 1, 2, 3, 4, 5, 6, 7, ...");
    let none = Pak::new().stored("maps/a.bsp", maps::left_out(&[false; 3]));
    dir.file("id1/pak0.pak", none.quake());
    dir.ok("missing id1")
        .err("1 map asks for 0 files, 0 missing\n");
}

#[test]
fn a_directory_that_is_cut_is_an_error() {
    let dir = Dir::new();
    let map = maps::quake2("{ \"classname\" \"worldspawn\" }", &[]);
    let mut pak = Pak::of(&[("maps/a.bsp", &map[..]), ("z", b"z")]).quake();
    pak.truncate(pak.len() - 64);
    dir.file("game/pak0.pak", pak);
    dir.fails("missing game --json")
        .err_has("entries are missing")
        .out_has("\"status\":\"cut\"");
    dir.fails("create --map a game -o a.pk3")
        .err_has("entries are missing");
}
