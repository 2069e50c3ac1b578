//! `missing`: what maps ask for that a game does not serve.

use serde_json::json;

use super::{Dir, assert_has};
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
        let missing = dir.command(format!("missing {args} -q"));
        missing.env("DAISHO_GAME", game).run()
    };
    let of_base = "maps/a.bsp: texture textures/e1/base.wal (texture 0)\n";
    missing("", "mod").code(1).out(of_base);
    missing("base", "mod").code(0).out("");
    missing("mod", "mod").code(1).out(of_base);
    missing("mod", "").code(1).out(of_base);
    missing("base", "other mod").code(1).out(of_base);
    missing("", "").code(2).err_has("'daisho missing' takes the directories or archives of a game");
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
        "maps/a.bsp: sound sound/world/gone.wav (entity 2 \"target_speaker\", key \"noise\")\n";
    for engine in ["", "--engine yquake2", "--engine fteqw"] {
        dir.fails(format!("missing -q mod --map maps/a.bsp {engine}")).out(gone);
    }
    // Nor does a base directory need an archive.
    dir.file("base/sound/world/gone.wav", "wav");
    dir.ok("missing -q base mod --map maps/a.bsp --engine q2pro").out("");
}

/// A map of Quake II with textures in two archives, as a loose file and as a picture. Others do not exist.
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
    let pak = pak.stored("textures/e1/in_pak.wal", b"wal").stored("sound/world/amb.wav", b"wav");
    dir.file("baseq2/pak0.pak", pak.quake());
    dir.file("baseq2/textures/e1/loose.wal", "wal");
    dir.file("mod/pak0.pak", Pak::of(&[("maps/a.bsp", &map)]).quake());
    dir.file("mod/textures/e1/as_png.png", "png");
    let missing = |more: &str| {
        let ran = dir.fails(format!("missing -q {more} --map a.bsp"));
        ran.text().to_owned()
    };
    let all = "\
maps/a.bsp: texture textures/e1/gone.wal (texture 3)
maps/a.bsp: sky env/unit1_dn.tga (entity 0 \"worldspawn\", key \"sky\")
maps/a.bsp: sound sound/world/gone.wav (entity 2 \"target_speaker\", key \"noise\")
maps/a.bsp: model models/box.md2 (entity 3 \"misc\", key \"model\")
";
    assert_eq!(missing("baseq2 mod"), all);
    // On a file system that tells cases apart, a loose file is found as it is spelled.
    let loose = "maps/a.bsp: texture textures/e1/LOOSE.wal (texture 1)\n";
    let expected = if cfg!(windows) { all.to_owned() } else { format!("{loose}{all}") };
    assert_eq!(missing("baseq2 mod --engine yquake2"), expected);
    // Quake II itself takes no picture in a texture's place.
    let picture = "maps/a.bsp: texture textures/e1/as_png.wal (texture 2)\n";
    assert!(missing("baseq2 mod --engine quake2").contains(picture));
    assert_eq!(missing("baseq2/pak0.pak mod/pak0.pak").lines().count(), 6);
    for name in
        ["textures/e1/gone.wal", "env/unit1_dn.tga", "sound/world/gone.wav", "models/box.md2"]
    {
        dir.file(format!("mod/{name}"), "here");
    }
    dir.ok("missing baseq2 mod --map maps/*.bsp")
        .out("")
        .err("1 map asks for 13 files, 0 missing\n\
              not checked: what only the game's code (progs.dat, a DLL) loads for an entity's class\n");
}

#[test]
fn daikatana_maps_need_palette_and_sounds() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"palette\" \"e1m1\" }
        { \"classname\" \"func_door\" \"sound_opening\" \"doors/a.wav\" \"sound_closing\" \"doors/b.wav\" }";
    let map = maps::daikatana(entities, &["e1/wall"]);
    let zip = Zip::new()
        .deflated("maps/e1.bsp", &map)
        .deflated("sounds/doors/a.wav", b"RIFF")
        .deflated("textures/e1/wall.wal", b"\x03");
    dir.file("data/pak0.pk3", zip.bytes());
    dir.fails("missing -q data --map e1.bsp").out(
        "maps/e1.bsp: palette textures/e1m1/colormap.bmp (entity 0 \"worldspawn\", key \"palette\")\n\
         maps/e1.bsp: sound sound/doors/b.wav (entity 1 \"func_door\", key \"sound_closing\")\n",
    );
}

/// A WAD of Half-Life with one texture.
fn wad(lump: &str) -> Vec<u8> {
    let wad = Wad::new(b"WAD3").lump(lump.as_bytes(), 67, &texture("brick", true));
    wad.bytes()
}

#[test]
fn half_life_maps_need_textures_of_their_wads() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"wad\" \"\\sierra\\half-life\\VALVE\\OWN.wad;C:\\more.wad\" }";
    let textures = [("inside", true), ("brick", false), ("stone", false)];
    dir.file("valve/maps/a.bsp", maps::quake(30, entities, &textures));
    // Cases are one in the names of WADs and textures.
    dir.file("valve/Own.wad", wad("BRICK"));
    // Another WAD has it, and the map does not name that.
    dir.file("valve/other.wad", wad("stone"));
    let missing = "missing -q valve --map a.bsp";
    // The missing WAD may have the texture.
    let both = "maps/a.bsp: texture textures/stone (texture 2)\n\
                maps/a.bsp: wad more.wad (entity 0 \"worldspawn\", key \"wad\")\n";
    dir.fails(missing).out(both);
    dir.fails("create -q --map a valve -o a.pk3")
        .code(1)
        .err_has("error: the map \"maps/a.bsp\" needs this texture (texture 2), which the game does not have\n  --> textures/stone\n")
        .err_has("error: the map \"maps/a.bsp\" needs this wad (entity 0 \"worldspawn\", key \"wad\"), which the game does not have\n  --> more.wad\n");
    // Xash3D loads WADs as archives. A map finds them in any directory of the game.
    dir.file("mod/more.wad", wad("stone"));
    dir.ok("missing -q valve mod --map a.bsp --engine xash3d").out("");
    dir.file("valve/more.wad", Wad::new(b"WAD3").bytes());
    dir.fails(missing).out("maps/a.bsp: texture textures/stone (texture 2)\n");
    dir.file("valve/textures/stone.tga", "tga");
    dir.ok(missing).out("");
}

/// Engines take the entities of a map from a file beside it. With the checksum of the map's own in its name it is
/// preferred.
#[test]
fn entities_are_read_from_a_file_beside_the_map() {
    let dir = Dir::new();
    let own = "{ \"classname\" \"worldspawn\" }";
    let sounds = |name: &str| {
        format!(
            "{own} {{ \"classname\" \"door\" \"noise1\" \"{name}\" \"noise2\" \"in/base.wav\" }}"
        )
    };
    let pak = Pak::of(&[("sound/in/base.wav", &b"wav"[..]), ("maps/a.ent", b"{ }")]);
    dir.file("id1/pak0.pak", pak.quake());
    dir.file("mod/pak0.pak", Pak::of(&[("maps/mine.bsp", maps::quake(29, own, &[]))]).quake());
    dir.file("mod/maps/mine.ent", sounds("door/plain.wav"));
    let missing = |engine: &str| {
        let missing = dir.run(format!("missing -q id1 mod --map mine --engine {engine}"));
        missing.text().to_owned()
    };
    let plain = "maps/mine.bsp: sound sound/door/plain.wav (entity 1 \"door\", key \"noise1\")\n";
    for engine in
        ["quakespasm", "ironwail", "vkquake", "qss", "darkplaces", "fteqw", "xash3d", "yquake2"]
    {
        assert_eq!(missing(engine), plain, "{engine}");
    }
    for engine in ["quake", "ezquake", "hexen2", "q2pro"] {
        assert_eq!(missing(engine), "", "{engine}");
    }
    dir.file("mod/maps/mine@3bdf.ent", sounds("door/checked.wav"));
    let checked = plain.replace("plain", "checked");
    for (engine, expected) in [
        ("quakespasm", &*checked),
        ("vkquake", &checked),
        ("yquake2", &checked),
        ("darkplaces", plain),
        ("quake", ""),
    ] {
        assert_eq!(missing(engine), expected, "{engine}");
    }
    dir.fails("missing id1 mod -v --map mine").err_has("; entities from maps/mine@3bdf.ent\n");
    // All that the entities ask for is packed, and both files.
    dir.file("mod/sound/door/checked.wav", "wav");
    dir.ok("create --map mine id1 mod -o mine.pak");
    let packed = ["maps/mine.bsp", "maps/mine.ent", "maps/mine@3bdf.ent", "sound/door/checked.wav"];
    assert_eq!(dir.names("mine.pak"), packed);
    // A file of the base game is not for another map of the mod.
    dir.file("mod/maps/a.bsp", maps::quake(29, &sounds("gone.wav"), &[]));
    let gone = "maps/a.bsp: sound sound/gone.wav (entity 1 \"door\", key \"noise1\")\n";
    for engine in ["quakespasm", "vkquake", "xash3d"] {
        dir.fails(format!("missing -q id1 mod --map a --engine {engine}")).out(gone);
    }
    dir.ok("missing -q id1 mod --map a --engine darkplaces").out("");
    // Unless its checksum says that it is for this map, in some engines.
    dir.file("mod/maps/c.bsp", maps::quake(29, own, &[]));
    dir.file("id1/maps/c@3bdf.ent", sounds("gone.wav"));
    let gone = gone.replace("maps/a", "maps/c");
    for (engine, expected) in [("vkquake", &*gone), ("yquake2", &gone), ("quakespasm", "")] {
        let missing = dir.run(format!("missing -q id1 mod --map c --engine {engine}"));
        assert_eq!(missing.text(), expected, "{engine}");
    }
    // Xash3D reads those of the last directory alone, which may be the only one.
    dir.file("id1/maps/c.ent", sounds("gone.wav"));
    dir.ok("missing -q id1 mod --map c --engine xash3d").out("");
    dir.file("id1/maps/c.bsp", maps::quake(29, own, &[]));
    dir.fails("missing -q id1 --map c --engine xash3d").out(&gone);
}

#[test]
fn a_quake_iii_map_asks_for_shaders_or_pictures() {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"music\" \"music/a.wav\" }";
    let textures = ["textures/a/shader", "textures/a/picture", "textures/a/gone"];
    let zip = Zip::new()
        .deflated("maps/a.bsp", &maps::quake3(entities, &textures))
        .deflated("music/a.ogg", b"OggS")
        .deflated("scripts/a.shader", b"textures/A/Shader\n{\n{ map x }\n}\n")
        .deflated("textures/a/picture.jpg", b"\xFF\xD8\xFF");
    dir.file("baseq3/pak0.pk3", zip.bytes());
    for engine in ["", "--engine ioquake3"] {
        dir.fails(format!("missing -q baseq3 --map a.bsp {engine}"))
            .out("maps/a.bsp: shader textures/a/gone (texture 2)\n");
    }
    let rows = dir.fails("missing baseq3 --map a.bsp --json").json();
    assert_eq!(rows.len(), 1);
    let gone = json!({"missing": "textures/a/gone", "kind": "shader", "texture": 2});
    assert_has(&rows[0], gone);
    assert_eq!(rows[0]["instead"][0], "textures/a/gone.tga");
}

#[test]
fn unreadable_maps_and_unmatched_globs_are_reported() {
    let dir = Dir::new();
    let map = maps::quake2("{ }", &["gone"]);
    let evil = maps::quake2("{ classname \u{1b}[2J model \u{1b}[3J.md2 }", &[]);
    let files: [(&str, &[u8]); 4] = [
        ("maps/a.bsp", &map[..map.len() - 1]),
        ("maps/b.bsp", &map),
        ("maps/c.bsp", b"no map"),
        ("maps/e.bsp", &evil),
    ];
    dir.file("q/pak0.pak", Pak::of(&files).quake());
    let mut session = dir.session();
    session.run("missing q --map *.bsp --map x.bsp");
    session.is("missing-unreadable-maps");
    dir.refuses("missing nowhere --map *.bsp");
}

#[test]
fn missing_in_a_game_without_maps_is_an_error() {
    let dir = Dir::new();
    let map = maps::quake2("{ }", &[]);
    dir.file("q/mod.pak", Pak::of(&[("maps/a.bsp", &map)]).quake());
    dir.file("empty/pak0.pak", Pak::new().stored("a.cfg", b"").quake());
    for line in ["missing q --engine quake2", "missing empty"] {
        dir.fails(line)
            .out("")
            .err_has("error: the game has no maps\n")
            .err_lacks("no entry matches")
            .err_lacks("0 maps");
    }
    dir.ok("missing q").err_has("1 map asks for");
}

/// As the other verbs that read refuse them.
#[test]
fn missing_refuses_directories_with_nothing_to_read() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path("empty")).unwrap();
    dir.file("ruined/pak0.pak", "PACK");
    for folder in ["empty", "ruined"] {
        let listed = dir.run(format!("list {folder}"));
        dir.refuses(format!("missing {folder}")).err_has(listed.stderr());
    }
}

/// Engines say "2 textures missing" of such a map. Nothing that the game could serve is missing, so the exit status
/// is 0.
#[test]
fn missing_warns_of_textures_left_out_of_a_map() {
    let dir = Dir::new();
    let mut session = dir.session();
    for left_out in [&[true, false, true][..], &[true; 20], &[false; 3]] {
        let map = maps::left_out(left_out);
        dir.file("id1/pak0.pak", Pak::of(&[("maps/a.bsp", map)]).quake());
        session.run("missing id1");
    }
    session.is("missing-left-out-textures");
    let map = maps::left_out(&[true, false, true]);
    dir.file("id1/pak0.pak", Pak::of(&[("maps/a.bsp", map)]).quake());
    dir.ok("info id1/pak0.pak maps/a.bsp").out_has("textures left out  3");
}

#[test]
fn a_directory_that_is_cut_is_an_error() {
    let dir = Dir::new();
    let map = maps::quake2("{ \"classname\" \"worldspawn\" }", &[]);
    let mut pak = Pak::of(&[("maps/a.bsp", &map[..]), ("z", b"z")]).quake();
    pak.truncate(pak.len() - 64);
    dir.file("game/pak0.pak", pak);
    dir.fails("missing game --json").err_has("entries are missing").out_has("\"status\":\"cut\"");
    dir.fails("create --map a game -o a.pk3").err_has("entries are missing");
}

/// People give the map, or its source, where the game belongs.
#[test]
fn a_map_in_place_of_a_game_gets_the_command_that_works() {
    let dir = Dir::new();
    dir.file("mine.bsp", maps::quake(29, "{ }", &[]));
    dir.file("mine.map", "{ \"classname\" \"worldspawn\" }");
    dir.file("mod/maps/mine.bsp", maps::quake(29, "{ }", &[]));
    dir.refuses("missing mine.bsp")
        .err_has("error: a map is not a game\n  --> mine.bsp\n")
        .err_has("as in 'daisho missing id1 mymod --map mine'")
        .err_lacks("archive: ");
    for line in
        ["missing mine.map", "missing mod --map mine.map", "create --map mine.map mod -o a.pk3"]
    {
        dir.refuses(line)
            .err_has("error: \"mine.map\" is the source of a map\n")
            .err_has("compile it first");
    }
}

/// A map of Hexen II has the format of Quake's, and other colours.
#[test]
fn a_map_of_hexen2_is_told_by_its_entities() {
    let dir = Dir::new();
    for entity in [
        "\"classname\" \"worldspawn\" \"MIDI\" \"casa1\"",
        "\"classname\" \"item_mana_blue\"",
        "\"classname\" \"puzzle_piece\"",
    ] {
        dir.file("h.bsp", maps::quake(29, &format!("{{ }} {{ {entity} }}"), &[]));
        dir.ok("info h.bsp").out_has("\n  game ").out_has("Hexen II");
    }
    dir.file("q.bsp", maps::quake(29, "{ \"classname\" \"worldspawn\" }", &[]));
    dir.ok("info q.bsp").out_lacks("Hexen");
}
