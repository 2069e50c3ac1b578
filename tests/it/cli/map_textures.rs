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
fn a_map_lists_and_converts_as_a_wad() {
    for (magic, wad, kind, palette) in [
        (BSP29, b"WAD2", b'D', false),
        (b"BSP2", b"WAD2", b'D', false),
        (b"2PSB", b"WAD2", b'D', false),
        (BSP30, b"WAD3", b'C', true),
    ] {
        let dir = Dir::new();
        let lumps = ["brick", "*lava", "{fence"].map(|name| texture(name, palette));
        let [brick, lava, fence] = lumps.clone();
        let slots = [Some(brick), None, Some(lava), Some(outside("sky4")), Some(fence)];
        dir.file("a.bsp", textured(magic, &slots));
        dir.ok("list a.bsp --names").out("brick.mip\n#lava.mip\n{fence.mip\n");
        dir.ok("verify a.bsp")
            .err_has("1 texture is not in the map, but in a WAD: \"sky4\"; 1 slot has no texture");
        dir.ok("convert a.bsp -o a.wad");
        let expected = Wad::new(wad)
            .lump(b"brick", kind, &lumps[0])
            .lump(b"*lava", kind, &lumps[1])
            .lump(b"{fence", kind, &lumps[2]);
        dir.file("expected.wad", expected.bytes());
        dir.ok("diff expected.wad a.wad");
        dir.ok("diff a.bsp a.wad");
        assert_eq!(&dir.read("a.wad")[..4], wad);
        let cat = dir.ok("cat a.bsp #lava.mip");
        assert!(cat.stdout() == lumps[1]);
        dir.ok("extract a.bsp --png -q");
        assert!(dir.path("a/brick.mip.png").is_file());
        dir.ok("gallery a.bsp -o page -q");
    }
}

#[test]
fn a_map_is_an_archive_only_as_the_first_path() {
    let dir = Dir::new();
    let map = textured(BSP29, &[Some(texture("brick", false))]);
    dir.file("maps/a.bsp", &map);
    dir.file("maps/b.bsp", textured(BSP29, &[Some(texture("wall", false))]));
    let pak = Pak::new().stored("maps/a.bsp", &map).quake();
    dir.file("pak0.pak", pak);
    // No search takes one, in a directory or in an archive.
    dir.ok("verify pak0.pak").out_has("1 entry");
    dir.ok("list pak0.pak --names").out("maps/a.bsp\n");
    dir.ok("list pak0.pak maps/a.bsp --names").out("maps/a.bsp\n");
    dir.ok("list pak0.pak//maps/a.bsp --names").out("brick.mip\n");
    // The selection of a map's textures, and several maps.
    dir.ok("list maps/a.bsp brick* --names").out_has("brick.mip");
    dir.ok("convert maps/a.bsp maps/b.bsp -C out --to wad2");
    assert!(dir.path("out/a.wad").is_file() && dir.path("out/b.wad").is_file());
    dir.ok("convert --merge maps/a.bsp maps/b.bsp -o all.wad");
    let names = dir.ok("list all.wad --names");
    assert_eq!(names.stdout(), b"brick.mip\nwall.mip\n");
    dir.ok("convert --merge out/a.wad out/b.wad -o again.wad");
    dir.ok("diff all.wad again.wad");
    // Edits refuse a map, and the other verbs see one file.
    dir.refuses("remove maps/a.bsp brick.mip");
    dir.refuses("convert maps/a.bsp -o b.bsp");
}

#[test]
fn mutated_maps_are_read_without_a_panic() {
    let mut state = 29_u32;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % limit
    };
    let mut options = ReadOptions::default();
    options.maps = true;
    for magic in [BSP29, BSP30, b"BSP2"] {
        let slots = [Some(texture("brick", true)), None, Some(texture("a", false))];
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
            let _ = archive.account().unwrap();
        }
    }
}
