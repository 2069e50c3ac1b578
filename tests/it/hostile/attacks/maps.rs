//! Maps: what their entities can name, and how much of it.

use super::*;
use crate::archive::maps;
use crate::archive::zips::build::Zip;

/// The most bytes of entities that are read.
const ENTITIES_MAX: usize = 16 << 20;

/// The bytes of entities of an attack. Without optimization each run takes ten times as long.
const ENTITIES: usize = if cfg!(debug_assertions) { 2 << 20 } else { ENTITIES_MAX };

/// A pak with a map that has these entities, in this format.
fn with_map(map: Vec<u8>) -> Arena {
    Arena::with(Pak::new().stored("maps/a.bsp", &map).quake())
}

/// Looks at a map in every way that reads its entities.
#[track_caller]
fn look(map: Vec<u8>, code: i32, words: &str) {
    let arena = with_map(map);
    for line in ["missing -q p.pak", "missing -q p.pak --json"] {
        let ran = arena.run_within_limits(line, 1).code(code);
        let is_said = ran.text().contains(words) || ran.stderr().contains(words);
        assert!(is_said, "{line}: {words} is not said");
    }
    for line in ["info p.pak maps/a.bsp", "list -l p.pak"] {
        arena.run_within_limits(line, 1).code(0);
    }
    arena.assert_untouched();
}

/// As many copies of a text as there is room for.
fn filled(text: &str) -> String {
    text.repeat(ENTITIES / text.len())
}

#[test]
fn endless_entities_are_read_or_refused() {
    let open = "{ classname worldspawn }";
    for text in
        [filled("{}"), filled("{a b}"), filled("{ model *1 }"), filled("{ classname light }")]
    {
        look(maps::quake(29, &text, &[]), 0, "");
    }
    let text = format!("{open}{}", " ".repeat(ENTITIES_MAX));
    look(maps::quake(29, &text, &[]), 1, "more bytes of entities than any map");
}

/// A thousand files, each with the class of its entity.
#[test]
fn a_class_of_megabytes_is_kept_once() {
    let mut files = String::new();
    for n in 0..1000 {
        files += &format!("noise{} a{n}.wav model b{n}.mdl ", n % 5);
    }
    let class = "c".repeat(ENTITIES - files.len() - 100);
    let text = format!("{{ classname {class} {files} }}");
    look(maps::quake(29, &text, &[]), 1, "b10.mdl");
}

#[test]
fn file_names_of_megabytes_are_refused() {
    let words = "more bytes in the name of a file than any map";
    let long = "s".repeat(ENTITIES - 100);
    let sky = format!("{{ classname worldspawn sky {long} }}");
    look(maps::quake(29, &sky, &[]), 1, words);
    look(maps::daikatana(&sky, &[]), 1, words);
    let slashes = format!("{{ model a{} }}", "\\".repeat(ENTITIES - 100));
    look(maps::quake2(&slashes, &[]), 1, words);
    let many = filled("{ model 0123456789.md2 }");
    look(maps::quake2(&many, &[]), 1, "0123456789.md2");
}

#[test]
fn too_many_files_of_a_map_are_refused() {
    let mut text = String::new();
    for n in 0..ENTITIES / 24 {
        text += &format!("{{ model {n}.md2 }}");
    }
    look(maps::quake2(&text, &[]), 1, "more files that entities name than any map");
}

/// Only two pieces of music are asked for.
#[test]
fn only_two_pieces_of_music_are_looked_for() {
    let tracks = "a b ".repeat(ENTITIES / 4 - 30);
    let text = format!("{{ classname worldspawn music \"{tracks}\" }}");
    look(maps::quake3(&text, &[]), 1, "a.wav");
}

/// Each is compared with all before it, and kept.
#[test]
fn too_many_wads_of_a_map_are_refused() {
    let mut list = String::new();
    for n in 0..ENTITIES / 6 {
        list += &format!("{n:x};");
    }
    list.truncate(ENTITIES - 100);
    let text = format!("{{ classname worldspawn wad \"{list}\" }}");
    look(maps::quake(30, &text, &[]), 1, "more WADs that entities name than any map");
    list.truncate(300_000);
    let text = format!("{{ classname worldspawn wad \"{list}\" }}");
    look(maps::quake(30, &text, &[("a", false)]), 1, "edc0");
}

/// A list of so many textures, with the texture at the same place for each.
fn listed(count: u32, held: u32) -> Vec<u8> {
    let texture = crate::archive::wads::texture("brick", false);
    let mut map = maps::textured(b"\x1D\0\0\0", &[]);
    let start = map.len() as u32 - 4;
    map.truncate(start as usize);
    map.extend(count.to_le_bytes());
    for _ in 0..held {
        map.extend((4 + 4 * held).to_le_bytes());
    }
    map.extend(texture);
    let len = map.len() as u32 - start;
    map[20..24].copy_from_slice(&start.to_le_bytes());
    map[24..28].copy_from_slice(&len.to_le_bytes());
    map
}

#[test]
fn a_false_number_of_textures_is_refused() {
    for (count, words) in
        [(u32::MAX, "the number of entries would be"), (1 << 16, "list of textures is not whole")]
    {
        let arena = Arena::with(listed(count, 16));
        for line in ["list p.pak", "verify p.pak", "convert p.pak -o q.wad"] {
            arena.run_within_limits(line, 1).code(1).err_has(words);
        }
        arena.assert_untouched();
    }
}

#[test]
fn textures_at_one_place_are_not_extracted() {
    let count = 50_000;
    let arena = Arena::with(listed(count, count));
    arena.run_within_limits("verify p.pak", count.into()).code(0);
    let extract = "extract p.pak -C out";
    let ran = arena.run_within_limits(extract, count.into());
    ran.code(1).err_has("payloads must overlap");
    arena.assert_untouched();
    // A WAD stores them once, too.
    let convert = "convert p.pak -o q.wad";
    arena.run_within_limits(convert, count.into()).code(0);
    arena.assert_only_within(&["work/q.wad"]);
    assert!(arena.path("work/q.wad").metadata().unwrap().len() < 2_000_000);
}

/// As many textures as a map of Quake II has records for, each with a name of its own.
#[test]
fn a_map_names_no_more_textures_than_entities_name_files() {
    let most: usize = 1 << 16;
    let names: Vec<String> = (0..=most).map(|n| format!("t{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (count, words) in [(most, "textures/t65535.wal"), (most + 1, "more textures than any map")]
    {
        let map = maps::quake2("{ }", &names[..count]);
        let arena = Arena::with(Zip::new().deflated("maps/a.bsp", &map).bytes());
        let ran = arena.run_within_limits("missing -q p.pak", 1).code(1);
        assert!(ran.text().contains(words) || ran.stderr().contains(words), "{words}");
    }
}

/// Scripts of shaders are read one shader after the other, and only those that a map asks for are kept.
#[test]
fn scripts_of_millions_of_shaders_are_read_or_refused() {
    let map = maps::quake3("{ }", &["textures/a"]);
    for (len, words) in [(ENTITIES, "shader textures/a"), (ENTITIES_MAX + 1, "at most 16777216")] {
        let script = "a{b/c}".repeat(len / 6 + 1);
        let zip =
            Zip::new().deflated("maps/a.bsp", &map).deflated("scripts/a.shader", script.as_bytes());
        let arena = Arena::with(zip.bytes());
        let ran = arena.run_within_limits("missing -q p.pak", 1).code(1);
        assert!(ran.text().contains(words) || ran.stderr().contains(words), "{words}");
    }
}
