//! `corpus/game`: a folder of games as players have it. Two of Daikatana's paks, a mod for it, two
//! of Quake's, and other files in between. All of it is sound, and nothing of it is from a game.

use super::Row;
use super::build::Build;
use super::media::{bsp, colormap, dat, model, palette_lump, screen, wav};
use super::pictures::Picture;

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

/// What lies beside the paks and is none.
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
        .packed("maps/e1m1.bsp", &bsp(b"IBSP", 41, 19, 24))
        .packed("maps/e1m2.bsp", &bsp(b"IBSP", 41, 19, 40))
        .stored(
            "maps/e1m1.ent",
            b"{\n\"classname\" \"info_player_start\"\n}\n",
        );
    for (name, base) in [
        ("wall", 16),
        ("floor", 48),
        ("pipe", 96),
        ("door", 160),
        ("glass", 208),
    ] {
        let path = format!("e1/{name}");
        let picture = Picture::bricks(64, 64, base, 12);
        build = build.packed(format!("textures/{path}.wal"), &picture.wal(&path));
    }
    for (name, base) in [("hero", 32), ("guard", 80), ("frog", 128)] {
        let picture = Picture::bricks(64, 64, base, 2);
        build = build.packed(format!("skins/{name}.tga"), &picture.tga());
        build = build.stored(format!("models/{name}.dkm"), &model(b"DKMD", 12));
    }
    for (number, base) in [64, 112, 176].into_iter().enumerate() {
        let picture = Picture::bricks(64, 48, base, 6);
        build = build.packed(format!("pics/load{number}.pcx"), &picture.pcx());
    }
    for (name, hertz) in [
        ("hit", 110),
        ("jump", 220),
        ("pickup", 440),
        ("door", 70),
        ("frog", 330),
    ] {
        build = build.stored(format!("sound/{name}.wav"), &wav(hertz, 400));
    }
    build
        .packed("pics/logo.bmp", &Picture::bricks(64, 32, 8, 0).bmp())
        // Would not become smaller: stored, as its packer leaves it.
        .packed("pics/noise.tga", &Picture::grey_noise(32, 32))
        .stored("pics/colormap.lmp", &colormap())
        .stored("music/none.cfg", b"")
}

fn update() -> Build {
    Build::daikatana()
        .packed("maps/e1m2.bsp", &bsp(b"IBSP", 41, 19, 41))
        .packed(
            "textures/e1/wall.wal",
            &Picture::bricks(64, 64, 24, 4).wal("e1/wall"),
        )
        .packed("skins/hero.tga", &Picture::bricks(32, 64, 33, 1).tga())
        .packed("pics/load0.pcx", &Picture::bricks(48, 48, 65, 3).pcx())
        .packed("pics/logo.bmp", &Picture::bricks(64, 32, 9, 1).bmp())
        .stored("sound/hit.wav", &wav(130, 300))
        .stored("scripts/intro.rc", b"map e1m1\n")
        .stored(
            "readme.txt",
            b"what was mended: e1m2, and the sound of a hit\n",
        )
}

fn arena() -> Build {
    Build::daikatana()
        .packed("maps/arena.bsp", &bsp(b"IBSP", 41, 19, 4))
        .packed(
            "textures/arena/tile.wal",
            &Picture::bricks(32, 32, 70, 20).wal("arena/tile"),
        )
        .packed("skins/hero.tga", &Picture::bricks(32, 32, 200, 5).tga())
        .stored("sound/gong.wav", &wav(60, 900))
        .stored("scripts/arena.rc", b"set fraglimit 20\nmap arena\n")
        .stored("sound/arena/gong.wav", &wav(61, 200))
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
        .stored("gfx/conback.lmp", &Picture::bricks(64, 40, 16, 8).lmp())
        .stored("end1.bin", &screen("come back soon"));
    for (name, hertz) in [
        ("misc/talk", 500),
        ("misc/water1", 90),
        ("player/land", 60),
        ("items/health1", 350),
    ] {
        build = build.stored(format!("sound/{name}.wav"), &wav(hertz, 300));
    }
    build
        .stored("maps/start.bsp", &bsp(b"", 29, 15, 12))
        .stored("maps/e1m1.bsp", &bsp(b"", 29, 15, 20))
        .stored("progs/player.mdl", &model(b"IDPO", 10))
        .stored("progs/s_bubble.spr", &model(b"IDSP", 1))
}

fn quake_more() -> Build {
    let maps = (2..=5).fold(Build::quake(), |build, number| {
        build.stored(
            format!("maps/e1m{number}.bsp"),
            &bsp(b"", 29, 15, 6 + number),
        )
    });
    maps.stored("gfx/menu/title.lmp", &Picture::bricks(48, 24, 100, 2).lmp())
        .stored("sound/doors/drclos4.wav", &wav(80, 350))
        .stored("sound/plats/plat1.wav", &wav(45, 350))
        .stored("progs/door.mdl", &model(b"IDPO", 2))
        .stored("end2.bin", &screen("the end"))
}

/// This many lines of key bindings.
fn config(lines: usize) -> String {
    let keys = ('a'..='z').chain('0'..='9').cycle();
    keys.take(lines)
        .enumerate()
        .map(|(number, key)| format!("bind {key} \"impulse {number}\"\n"))
        .collect()
}
