//! What maps need: `create --map` packs it.

use super::{Dir, Ran};
use crate::archive::build::Pak;
use crate::archive::maps;
use crate::archive::wads::{Wad, texture};
use crate::archive::zips::build::Zip;

/// A model of Quake II that names one skin.
fn md2(skin: &str) -> Vec<u8> {
    let mut file = vec![0; 68];
    file[..4].copy_from_slice(b"IDP2");
    for (at, number) in [(4, 8), (20, 1), (44, 68)] {
        file[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
    }
    file.extend(skin.as_bytes());
    file.resize(68 + 64, 0);
    file
}

/// A base game and a mod with one map, in a pak and loose.
fn quake2() -> Dir {
    let dir = Dir::new();
    let entities = "{ \"classname\" \"worldspawn\" \"sky\" \"own\" }
        { \"classname\" \"target_speaker\" \"noise\" \"world/base\" }
        { \"classname\" \"target_speaker\" \"noise\" \"world/own\" }
        { \"classname\" \"misc\" \"model\" \"models/box.md2\" }";
    let map = maps::quake2(entities, &["e1/base", "e1/own", "e1/png", "e1/both"]);
    let base = ["textures/e1/base.wal", "textures/e1/both.wal", "sound/world/base.wav"];
    let base = Pak::named(&base, "base");
    dir.file("base/pak0.pak", base.quake());
    let mut pak = Pak::new()
        .stored("maps/mine.bsp", &map)
        .stored("maps/other.bsp", maps::quake2("{ }", &["e1/unused"]))
        .stored("models/box.md2", md2("models/box/Skin.pcx"))
        .stored("models/box/skin.pcx", b"skin")
        .stored("textures/e1/own.wal", b"own")
        .stored("textures/e1/both.wal", b"mine")
        .stored("textures/e1/unused.wal", b"unused");
    for side in ["rt", "bk", "lf", "ft", "up", "dn"] {
        pak = pak.stored(format!("env/own{side}.tga"), side.as_bytes());
    }
    dir.file("mod/pak0.pak", pak.quake());
    dir.file("mod/sound/world/own.wav", "wav");
    dir.file("mod/textures/e1/png.png", "png");
    dir.file("mod/maps/mine.ent", "{ }");
    dir.file("mod/progs.dat", "code");
    dir
}

/// What the map `mine` of this mod needs and the base does not have.
const MINE: [&str; 13] = [
    "env/ownbk.tga",
    "env/owndn.tga",
    "env/ownft.tga",
    "env/ownlf.tga",
    "env/ownrt.tga",
    "env/ownup.tga",
    "maps/mine.bsp",
    "maps/mine.ent",
    "models/box.md2",
    "models/box/skin.pcx",
    "sound/world/own.wav",
    "textures/e1/own.wal",
    "textures/e1/png.png",
];

fn create(dir: &Dir, args: &str) -> Ran {
    dir.run(format!("create -f -o out.pk3 {args}"))
}

#[test]
fn create_map_packs_what_the_base_lacks() {
    let dir = quake2();
    let mine = MINE;
    for map in ["mine", "maps/mine.bsp", "MINE.bsp", "maps/mine", "min*"] {
        create(&dir, &format!("base mod --map {map}")).code(0);
        assert_eq!(dir.names("out.pk3"), mine, "{map}");
    }
    assert_eq!(dir.cat("out.pk3", "textures/e1/own.wal"), b"own");
    assert_eq!(dir.cat("out.pk3", "sound/world/own.wav"), b"wav");
    // Several maps, and a selection.
    create(&dir, "base mod --map mine --map other -x *.tga").code(0);
    let mut both: Vec<&str> = mine.into_iter().filter(|it| !it.ends_with("tga")).collect();
    both.extend(["maps/other.bsp", "textures/e1/unused.wal"]);
    both.sort_unstable();
    assert_eq!(dir.names("out.pk3"), both);
    // The base is a directory of its own, that of the environment, or nothing.
    let line = "create -q -f -o out.pk3 mod --map mine";
    let create_from = dir.command(line).env("DAISHO_GAME", "base");
    create_from.run().code(0).quiet();
    assert_eq!(dir.names("out.pk3"), mine);
    create(&dir, "mod --map mine")
        .code(1)
        .err_has("error: the map \"maps/mine.bsp\" needs this texture (texture 0), which the game does not have\n  --> textures/e1/base.wal\n")
        .err_has("needs this sound (entity 1 \"target_speaker\", key \"noise\"), which the game does not have\n  --> sound/world/base.wav\n");
    create(&dir, "mod --map mine --json").code(1).out_has(
        "\"problems\":[\"textures/e1/base.wal: the map \\\"maps/mine.bsp\\\" needs this texture (texture 0)",
    );
    let mut with_both = mine.to_vec();
    with_both.insert(11, "textures/e1/both.wal");
    assert_eq!(dir.names("out.pk3"), with_both);
    // `missing` agrees that the base and the archive are all.
    dir.ok("missing base out.pk3 --map mine");
}

#[test]
fn create_map_refuses_missing_and_base_maps() {
    let dir = quake2();
    create(&dir, "base mod --map gone").code(2).err_has("the game has no such map");
    create(&dir, "base mod --map mine --map gone").code(1).err_has("gone.bsp");
    // The first directory is the base.
    create(&dir, "mod base --map mine").code(0);
    assert_eq!(dir.names("out.pk3"), ["sound/world/base.wav", "textures/e1/base.wal"]);
    dir.file("base/maps/old.bsp", maps::quake2("{ }", &["e1/base"]));
    let before = dir.all();
    create(&dir, "base mod --map old")
        .code(2)
        .err_has("error: the base game has everything that the maps need\n  --> out.pk3\n");
    assert_eq!(dir.all(), before);
    dir.file("bad/maps/a.bsp", "no map");
    create(&dir, "bad --map a").code(2);
    for wrong in ["mod --map mine --root mod", "mod --map mine --hidden"] {
        create(&dir, wrong).code(2).err_has("cannot be used with");
    }
    dir.refuses("create -o mod/pak0.pak -f mod --map mine").err_has("this is an input");
}

#[test]
fn create_map_brings_shaders_with_their_textures() {
    let dir = Dir::new();
    let map = maps::quake3(
        "{ \"classname\" \"worldspawn\" }",
        &["textures/a/lava", "textures/a/sky", "textures/a/wall", "textures/a/base"],
    );
    let script = "textures/a/lava\n{\n { animMap 5 fx/lava1.tga fx/lava2.tga }\n}\n\
                  textures/a/sky { skyparms env/dusk 512 - }\ntextures/a/unused { { map fx/no.tga } }";
    let mut zip = Zip::new()
        .deflated("maps/a.bsp", &map)
        .deflated("scripts/a.shader", script.as_bytes())
        .deflated("scripts/b.shader", b"textures/b { }");
    for name in
        ["fx/lava1.jpg", "fx/lava2.tga", "fx/no.tga", "env/dusk_up.jpg", "textures/a/wall.jpg"]
    {
        zip = zip.deflated(name, name.as_bytes());
    }
    dir.file("mod/a.pk3", zip.bytes());
    dir.file("base/textures/a/base.jpg", "jpg");
    create(&dir, "base mod --map a").code(0);
    let expected = [
        "env/dusk_up.jpg",
        "fx/lava1.jpg",
        "fx/lava2.tga",
        "maps/a.bsp",
        "scripts/a.shader",
        "textures/a/wall.jpg",
    ];
    assert_eq!(dir.names("out.pk3"), expected);

    let entities = "{ \"classname\" \"worldspawn\" \"wad\" \"own.wad;all.wad\" }";
    let map = maps::quake(30, entities, &[("brick", false), ("stone", false)]);
    dir.file("hl/maps/a.bsp", map);
    for (wad, lump) in [("valve/all.wad", "stone"), ("hl/own.wad", "brick"), ("hl/no.wad", "no")] {
        let content = texture(lump, true);
        let wad_file = Wad::new(b"WAD3").lump(lump.as_bytes(), 67, &content);
        dir.file(wad, wad_file.bytes());
    }
    create(&dir, "valve hl --map a").code(0);
    assert_eq!(dir.names("out.pk3"), ["maps/a.bsp", "own.wad"]);
}
