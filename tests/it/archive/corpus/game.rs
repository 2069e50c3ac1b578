//! `corpus/game`: a folder of games as players have it. Two of Daikatana's paks, a mod for it, two
//! of Quake's, and other files in between. All of it is sound, and nothing of it is from a game.

use super::build::Build;
use super::levels::{Textures, bsp};
use super::media::{colormap, dat, palette_lump, screen, wav};
use super::models::{DOOR, FIGURE, dkm, mdl};
use super::paint::hue;
use super::pictures::Picture;
use super::{Row, scenes};

pub(super) fn rows() -> Vec<Row> {
    vec![
        (
            "data/pak0",
            "Daikatana's layout: five types compressed, all others stored",
            base(),
        ),
        (
            "data/pak1",
            "Daikatana's layout, of 8 entries, so that its directory divides both ways",
            update(),
        ),
        (
            "arena/pak0",
            "Daikatana's layout: a mod, with files that replace others",
            arena(),
        ),
        ("id1/pak0", "Quake's layout", quake()),
        (
            "id1/pak1",
            "Quake's layout, of 9 entries, so that its directory divides both ways",
            quake_more(),
        ),
    ]
}

/// What is beside the paks and is none.
pub(super) fn loose() -> Vec<(String, Vec<u8>)> {
    [
        (
            "readme.txt",
            "A small install that looks like a player's: made by the tests, free to use.\n",
        ),
        (
            "data/user.cfg",
            "bind w +forward\nbind s +back\nset name \"player\"\n",
        ),
        ("data/maps/todo.txt", "the bridge in e1m2 is too short\n"),
        ("arena/description.txt", "Arena: four rooms, no doors\n"),
        ("id1/config.cfg", "bind SPACE +jump\nsensitivity 4\n"),
        ("id1/autoexec.cfg", "// nothing yet\n"),
    ]
    .map(|(path, text)| (format!("game/{path}"), text.as_bytes().to_vec()))
    .into()
}

fn base() -> Build {
    let mut build = Build::daikatana()
        .stored("default.cfg", config(40).as_bytes())
        .stored("scripts/intro.rc", b"wait 10\nmap e1m1\nfade 2\n")
        .packed("maps/e1m1.bsp", &level(12, 124))
        .packed("maps/e1m2.bsp", &level(13, 140))
        .stored(
            "maps/e1m1.ent",
            b"{\n\"classname\" \"info_player_start\"\n}\n",
        );
    for (name, picture) in [
        ("wall", scenes::bricks(64, 64, hue::STONE, 1)),
        ("floor", scenes::tiles(64, [hue::BROWN, hue::SKIN])),
        ("pipe", scenes::pipes(64)),
        ("door", scenes::door(64)),
        ("glass", scenes::glass(64)),
    ] {
        let path = format!("e1/{name}");
        build = build.packed(format!("textures/{path}.wal"), &picture.wal(&path));
    }
    for (name, picture) in [
        ("hero", scenes::hero(64, 64, hue::RED, hue::BLUE)),
        ("guard", scenes::guard(64)),
        ("frog", scenes::frog(64)),
    ] {
        build = build.packed(format!("skins/{name}.tga"), &picture.tga());
        // All of them are one model, and differ by their skins.
        let model = dkm(FIGURE, 8, "skins/hero.tga");
        build = build.stored(format!("models/{name}.dkm"), &model);
    }
    let scenes = [scenes::sunset, scenes::castle, scenes::gate];
    for (number, scene) in scenes.into_iter().enumerate() {
        build = build.packed(format!("pics/load{number}.pcx"), &scene(128, 96).pcx());
    }
    for (name, hertz, noise) in [
        ("hit", [140, 60], 150),
        ("jump", [180, 520], 10),
        ("pickup", [440, 880], 0),
        ("door", [70, 50], 60),
        ("frog", [330, 120], 30),
    ] {
        build = build.stored(format!("sound/{name}.wav"), &wav(hertz, noise, 300));
    }
    build
        .packed("pics/logo.bmp", &scenes::logo(hue::BLUE).bmp())
        // Would not become smaller: stored, as its packer leaves it.
        .packed("pics/noise.tga", &Picture::grey_noise(32, 32))
        .stored("pics/colormap.lmp", &palette_lump())
        .stored("music/none.cfg", b"")
}

fn update() -> Build {
    Build::daikatana()
        .packed("maps/e1m2.bsp", &level(12, 141))
        .packed(
            "textures/e1/wall.wal",
            &scenes::mossy(64, 64).wal("e1/wall"),
        )
        .packed(
            "skins/hero.tga",
            &scenes::hero(64, 64, hue::TEAL, hue::PURPLE).tga(),
        )
        .packed("pics/load0.pcx", &scenes::sunset(96, 96).pcx())
        .packed("pics/logo.bmp", &scenes::logo(hue::PURPLE).bmp())
        .stored("sound/hit.wav", &wav([200, 40], 200, 300))
        .stored("scripts/intro.rc", b"map e1m1\n")
        .stored(
            "readme.txt",
            b"what was mended: e1m2, and the sound of a hit\n",
        )
}

fn arena() -> Build {
    Build::daikatana()
        .packed(
            "maps/arena.bsp",
            &bsp(4, 104, &Textures::Named(&["arena/tile"; 4])),
        )
        .packed(
            "textures/arena/tile.wal",
            &scenes::emblem(64).wal("arena/tile"),
        )
        .packed(
            "skins/hero.tga",
            &scenes::hero(48, 48, hue::GOLD, hue::RED).tga(),
        )
        .stored("sound/gong.wav", &wav([96, 90], 8, 600))
        .stored("scripts/arena.rc", b"set fraglimit 20\nmap arena\n")
        .stored("sound/arena/gong.wav", &wav([160, 150], 8, 200))
}

fn quake() -> Build {
    let mut build = Build::quake()
        .stored(
            "quake.rc",
            b"exec default.cfg\nexec config.cfg\nexec autoexec.cfg\nstuffcmds\n",
        )
        .stored("default.cfg", config(30).as_bytes())
        .stored("progs.dat", &dat(60))
        .stored("gfx/palette.lmp", &palette_lump())
        .stored("gfx/colormap.lmp", &colormap())
        .stored("gfx/conback.lmp", &scenes::hall(112, 70).lmp())
        .stored(
            "end1.bin",
            &screen(&[
                "Come back soon",
                "",
                "The door stays open,",
                "and the frog waits.",
            ]),
        );
    for (name, hertz, noise) in [
        ("misc/talk", [500, 620], 0),
        ("misc/water1", [90, 240], 120),
        ("player/land", [90, 40], 140),
        ("items/health1", [350, 700], 0),
    ] {
        build = build.stored(format!("sound/{name}.wav"), &wav(hertz, noise, 300));
    }
    build
        .stored("maps/start.bsp", &quake_level(5, 212))
        .stored("maps/e1m1.bsp", &quake_level(8, 220))
        .stored(
            "progs/player.mdl",
            &mdl(FIGURE, 10, &scenes::plates(32, 24, hue::TEAL)),
        )
        .stored("progs/s_bubble.spr", &Picture::sprite(&scenes::bubble()))
}

fn quake_more() -> Build {
    let maps = (2..=5)
        .zip(0..)
        .fold(Build::quake(), |build, (number, seed)| {
            build.stored(
                format!("maps/e1m{number}.bsp"),
                &quake_level(1 + number, 300 + seed),
            )
        });
    maps.stored("gfx/menu/title.lmp", &scenes::title().lmp())
        .stored("sound/doors/drclos4.wav", &wav([80, 60], 80, 350))
        .stored("sound/plats/plat1.wav", &wav([45, 75], 60, 350))
        .stored(
            "progs/door.mdl",
            &mdl(DOOR, 2, &scenes::plates(32, 24, hue::BROWN)),
        )
        .stored(
            "end2.bin",
            &screen(&["The end", "", "Four levels, two sounds, one door."]),
        )
}

/// A level of Daikatana, built of the base's textures.
fn level(rooms: usize, seed: u64) -> Vec<u8> {
    let names = ["e1/wall", "e1/floor", "e1/pipe", "e1/door"];
    bsp(rooms, seed, &Textures::Named(&names))
}

/// A level of Quake, with its textures in it.
fn quake_level(rooms: usize, seed: u64) -> Vec<u8> {
    let textures = vec![
        ("brick1", scenes::bricks(32, 32, hue::BROWN, 2)),
        ("tile1", scenes::tiles(16, [hue::STONE, hue::BROWN])),
        ("pipe1", scenes::pipes(16)),
        ("*slime1", scenes::liquid(16, hue::SLIME)),
    ];
    bsp(rooms, seed, &Textures::Within(textures))
}

/// This many lines of key bindings.
fn config(lines: usize) -> String {
    let keys = ('a'..='z').chain('0'..='9').cycle();
    keys.take(lines)
        .enumerate()
        .map(|(number, key)| format!("bind {key} \"impulse {number}\"\n"))
        .collect()
}
