//! The container's fuzz targets on the stable toolchain: their seeds, and everything they ever
//! found.

use std::path::Path;

use super::{
    chosen, fields, fuzz_bodies, fuzz_fields, fuzz_media, fuzz_names, fuzz_pictures, fuzz_write,
    fuzz_zips, maps,
};
use crate::choices::Choices;
use crate::codec::dice::Dice;
use crate::{corpus, long};

/// Calls `target` with every pak of the corpus, cut at some places, too, and with every finding in
/// `tests/fuzz/found/NAME`.
fn replay(name: &str, target: fn(&[u8])) {
    let paks = corpus::paks(&corpus::path(""), &corpus::path("streams"));
    let paks = paks.into_iter().map(|path| std::fs::read(path).unwrap());
    let zips = ["zips/sound", "zips/broken", "wads/sound", "wads/broken"].map(corpus::files);
    let zips = zips.into_iter().flatten().map(|(_, bytes)| bytes);
    for bytes in paks.chain(zips) {
        target(&bytes);
        // Small ones show what there is to show.
        for parts in (1..8).step_by(long::step(4)) {
            if bytes.len() >= 4096 {
                break;
            }
            target(&bytes[..bytes.len() * parts / 8]);
        }
    }
    for bytes in corpus::found(name) {
        target(&bytes);
    }
}

#[test]
fn any_bytes_are_read_alike_in_every_way() {
    replay("open_read_all", fuzz_bodies::open_read_all);
    made_up(300, |directory| {
        let len = (directory.len() as u32).to_le_bytes();
        let pak = [b"PACK\x0c\0\0\0", &len[..], directory].concat();
        fuzz_bodies::open_read_all(&pak);
    });
}

#[test]
fn any_directory_gets_one_verdict_with_reasons() {
    replay("detect", fuzz_bodies::detection);
}

#[test]
fn written_paks_hold_what_was_added() {
    replay("write_read", fuzz_write::write_read);
}

/// Inputs of any bytes, of which a structure is made: lengths up to `longest`.
fn made_up(longest: usize, target: fn(&[u8])) {
    let mut dice = Dice::new(5);
    for len in (0..longest).step_by(long::step(7)) {
        let bytes: Vec<u8> = (0..len).map(|_| dice.byte()).collect();
        target(&bytes);
    }
}

/// Calls `target` with each of these and with some of its fields changed, many times over.
fn with_changed_fields(seeds: impl IntoIterator<Item = Vec<u8>>, target: fn(&[u8])) {
    let mut dice = Dice::new(7);
    for seed in seeds {
        for _ in 0..long::cases(20, 200) {
            let mut bytes = seed.clone();
            for _ in 0..=dice.below(4) {
                fields::change_field(&mut bytes, &mut dice);
            }
            target(&bytes);
        }
    }
}

#[test]
fn paks_with_changed_fields_read_the_naive_way() {
    replay("pak_fields", fuzz_fields::pak_fields);
    let mut dice = Dice::new(5);
    let chosen = (0..long::cases(60, 300)).map(|_| {
        let choices: Vec<u8> = (0..400).map(|_| dice.byte()).collect();
        chosen::any_pak(&mut Choices(&choices)).2
    });
    let chosen: Vec<Vec<u8>> = chosen.collect();
    with_changed_fields(chosen, fuzz_fields::pak_fields);
    let paks = corpus::paks(&corpus::path("paks"), Path::new("")).into_iter();
    let paks = paks.map(|path| std::fs::read(path).unwrap());
    let small = paks.filter(|bytes| bytes.len() < 4096);
    with_changed_fields(small, fuzz_fields::pak_fields);
}

#[test]
fn zips_with_changed_fields_read_the_naive_way() {
    replay("zip_fields", fuzz_zips::zip_fields);
    let zips = ["zips/sound", "zips/broken"].into_iter();
    let zips = zips.flat_map(corpus::files).map(|(_, bytes)| bytes);
    with_changed_fields(zips, fuzz_zips::zip_fields);
}

#[test]
fn any_name_is_shown_safely_and_judged_as_a_path() {
    replay("names", fuzz_names::names);
    made_up(80, fuzz_names::names);
    let mut dice = Dice::new(13);
    for _ in 0..long::cases(500, 5000) {
        let name: Vec<u8> = (0..dice.below(20)).map(|_| b"ab.:/\\ "[dice.below(7)]).collect();
        fuzz_names::names(&name);
    }
}

/// The pictures, and each of them with bytes changed and cut off.
#[test]
fn changed_pictures_decode_whole_or_fail() {
    replay("pictures", fuzz_pictures::pictures);
    made_up(200, fuzz_pictures::pictures);
    let mut dice = Dice::new(11);
    for (name, seed) in corpus::files("pictures") {
        if seed.len() > 4096 || name.ends_with(".txt") {
            continue;
        }
        for _ in 0..long::cases(20, 100) {
            let mut bytes = seed.clone();
            for _ in 0..=dice.below(4) {
                let at = dice.below(bytes.len());
                bytes[at] = dice.byte();
            }
            bytes.truncate(bytes.len() - dice.below(9) * dice.below(2));
            fuzz_pictures::pictures(&bytes);
        }
    }
}

/// The corpus, and maps with bytes changed, under every extension.
#[test]
fn changed_files_have_the_same_facts_in_pieces() {
    replay("media", fuzz_media::media);
    made_up(400, fuzz_media::media);
    let text =
        "{ \"classname\" \"worldspawn\" \"sky\" \"a\" \"wad\" \"b.wad\" \"model\" \"c.mdl\" }";
    let mut dice = Dice::new(3);
    for map in [
        maps::quake(29, text, &[("a", true), ("b", false)]),
        maps::quake2(text, &["a", "b"]),
        maps::daikatana(text, &["a"]),
        maps::quake3(text, &["a"]),
    ] {
        for _ in 0..long::cases(200, 2000) {
            let mut bytes = [&[0][..], &map].concat();
            for _ in 0..=dice.below(4) {
                let at = dice.below(bytes.len());
                bytes[at] = dice.byte();
            }
            fuzz_media::media(&bytes);
        }
    }
}
