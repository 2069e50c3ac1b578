//! Maps as archives of the textures in them.

use daisho::Archive;
use daisho::archive::ReadOptions;

use super::Dir;
use crate::archive::build::Pak;
use crate::archive::maps::textured;
use crate::archive::wads::{Wad, texture};

const BSP29: &[u8; 4] = b"\x1D\0\0\0";
const BSP30: &[u8; 4] = b"\x1E\0\0\0";

/// The header of a texture that is in a WAD.
fn outside(name: &str) -> Vec<u8> {
    let mut header = texture(name, false);
    header.truncate(40);
    header[24..40].fill(0);
    header
}

#[test]
fn textures_of_a_map_are_the_lumps_of_a_wad() {
    for (magic, wad, kind, palette) in [
        (BSP29, b"WAD2", b'D', false),
        (b"BSP2", b"WAD2", b'D', false),
        (b"2PSB", b"WAD2", b'D', false),
        (BSP30, b"WAD3", b'C', true),
    ] {
        let dir = Dir::new();
        let lumps = ["brick", "*lava", "{fence"].map(|name| texture(name, palette));
        let [brick, lava, fence] = lumps.clone();
        let slots = [
            Some(brick),
            None,
            Some(lava),
            Some(outside("sky4")),
            Some(fence),
        ];
        dir.file("a.bsp", textured(magic, &slots));
        let run = |line: &str| dir.daisho().args(line.split(' ')).run();
        run("list a.bsp --names")
            .code(0)
            .out("brick.mip\n#lava.mip\n{fence.mip\n");
        let ran = run("verify a.bsp").code(0);
        ran.err_has("1 texture is not in the map, but in a WAD: \"sky4\"; 1 slot has no texture");
        run("convert a.bsp -o a.wad").code(0);
        let expected = Wad::new(wad)
            .lump(b"brick", kind, "brick.mip", &lumps[0])
            .lump(b"*lava", kind, "#lava.mip", &lumps[1])
            .lump(b"{fence", kind, "{fence.mip", &lumps[2]);
        dir.file("expected.wad", expected.bytes());
        run("diff expected.wad a.wad").code(0);
        run("diff a.bsp a.wad").code(0);
        assert_eq!(&dir.read("a.wad")[..4], wad);
        let cat = run("cat a.bsp #lava.mip").code(0);
        assert!(cat.stdout() == lumps[1]);
        run("extract a.bsp --png -q").code(0);
        assert!(dir.path("a/brick.mip.png").is_file());
        run("gallery a.bsp -o page -q").code(0);
    }
}

#[test]
fn a_map_is_an_archive_only_where_its_path_comes_first() {
    let dir = Dir::new();
    let map = textured(BSP29, &[Some(texture("brick", false))]);
    dir.file("maps/a.bsp", &map);
    dir.file(
        "maps/b.bsp",
        textured(BSP29, &[Some(texture("wall", false))]),
    );
    let pak = Pak::new().stored("maps/a.bsp", &map).quake();
    dir.file("pak0.pak", pak);
    let run = |line: &str| dir.daisho().args(line.split(' ')).run();
    // No search takes one, in a directory or in an archive.
    run("verify pak0.pak").code(0).out_has("1 entry");
    run("list pak0.pak --names").code(0).out("maps/a.bsp\n");
    run("list pak0.pak maps/a.bsp --names")
        .code(0)
        .out("maps/a.bsp\n");
    run("list pak0.pak//maps/a.bsp --names")
        .code(0)
        .out("brick.mip\n");
    // The selection of a map's textures, and several maps.
    run("list maps/a.bsp brick* --names")
        .code(0)
        .out_has("brick.mip");
    run("convert maps/a.bsp maps/b.bsp -C out --to wad2").code(0);
    assert!(dir.path("out/a.wad").is_file() && dir.path("out/b.wad").is_file());
    run("convert --merge maps/a.bsp maps/b.bsp -o all.wad").code(0);
    let names = run("list all.wad --names").code(0);
    assert_eq!(names.stdout(), b"brick.mip\nwall.mip\n");
    run("convert --merge out/a.wad out/b.wad -o again.wad").code(0);
    run("diff all.wad again.wad").code(0);
    // Edits refuse a map, and the other verbs see one file.
    run("remove maps/a.bsp brick.mip").code(2);
    run("convert maps/a.bsp -o b.bsp").code(2);
}

#[test]
fn a_map_with_any_bytes_is_read_without_a_panic() {
    let mut state = 29_u32;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % limit
    };
    let options = ReadOptions {
        maps: true,
        ..ReadOptions::default()
    };
    for magic in [BSP29, BSP30, b"BSP2"] {
        let slots = [
            Some(texture("brick", true)),
            None,
            Some(texture("a", false)),
        ];
        let whole = textured(magic, &slots);
        for round in 0..2000 {
            let mut map = whole.clone();
            for _ in 0..=below(4) {
                let at = 4 + below(whole.len() - 4);
                map[at] = below(256) as u8;
            }
            if round % 3 == 0 {
                map.truncate(below(whole.len()));
            }
            let Ok(archive) = Archive::from_source_with(map, options) else {
                continue;
            };
            for entry in archive.entries() {
                let _ = entry.read();
            }
            let _ = archive.account();
        }
    }
}
