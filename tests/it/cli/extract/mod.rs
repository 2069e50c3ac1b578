//! `extract`, through the real binary.

// Test data is cut to size on purpose.
#![allow(clippy::cast_possible_truncation)]

mod batch;
mod existing;
mod long;
mod names;
mod paths;
mod selected;

use super::{Dir, assert_snapshot};
use crate::archive::build::Pak;

/// A Daikatana pak with three sound entries, stored, compressed and empty.
fn sound() -> Vec<u8> {
    Pak::new()
        .stored("sounds/a.wav", b"one")
        // Two zeros, a run of five `x`, the end.
        .compressed("skins/b.tga", 7, &[0x40, 0x83, b'x', 0xFF])
        .stored("empty.cfg", b"")
        .daikatana()
}

/// The same with an entry between them whose stream is cut off.
fn damaged() -> Vec<u8> {
    Pak::new()
        .stored("sounds/a.wav", b"one")
        .compressed("skins/b.tga", 7, &[0x40, 0xC0, 0xFF])
        .stored("c", b"three")
        .daikatana()
}

#[test]
fn extract_writes_into_a_directory_of_the_paks_name() {
    let dir = Dir::new();
    dir.file("in/pak0.pak", sound());
    dir.ok("extract in/pak0.pak").out("").err("in/pak0.pak: 3 files, 10 bytes, into pak0/\n");
    dir.holds("in/ in/pak0.pak pak0/ pak0/empty.cfg pak0/skins/ pak0/skins/b.tga pak0/sounds/ pak0/sounds/a.wav");
    assert_eq!(dir.read("pak0/sounds/a.wav"), b"one");
    assert_eq!(dir.read("pak0/skins/b.tga"), b"\0\0xxxxx");
    assert_eq!(dir.read("pak0/empty.cfg"), b"");
}

#[test]
fn extract_c_writes_into_the_given_directory() {
    let dir = Dir::new();
    dir.file("pak0.pak", sound());
    dir.ok("extract pak0.pak -C x/y").err("pak0.pak: 3 files, 10 bytes, into x/y/\n");
    assert_eq!(dir.read("x/y/sounds/a.wav"), b"one");
}

#[cfg(unix)]
#[test]
fn extracted_files_are_not_executable() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new();
    dir.file("p.pak", Pak::new().stored("a.sh", b"#!/bin/sh").quake());
    dir.ok("extract p.pak");
    let mode = std::fs::metadata(dir.path("p/a.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0);
}

#[test]
fn a_damaged_entry_is_skipped_and_named() {
    let dir = Dir::new();
    dir.file("p.pak", damaged());
    let ran = dir.fails("extract p.pak");
    assert_snapshot("extract-damaged", ran.stderr());
    dir.holds("p.pak p/ p/c p/sounds/ p/sounds/a.wav");
}

#[test]
fn a_cut_pak_gives_its_whole_files() {
    let dir = Dir::new();
    // The directory comes first, and the last payload is missing.
    let mut pak = Pak::new().stored("a", b"one").stored("b", b"two").quake();
    let records = pak.split_off(18);
    let mut bytes = pak[..4].to_vec();
    bytes.extend(12_u32.to_le_bytes());
    bytes.extend(128_u32.to_le_bytes());
    bytes.extend(&records);
    for (record, offset) in [(0, 140_u32), (1, 143)] {
        let at = 12 + record * 64 + 56;
        bytes[at..at + 4].copy_from_slice(&offset.to_le_bytes());
    }
    bytes.extend(b"one");
    dir.file("p.pak", bytes);
    dir.fails("extract p.pak")
        .err_has("  --> p.pak: entry 1 \"b\", byte 143\n")
        .err_has("p.pak: 1 file, 3 bytes, into p/; 1 failed\n");
    dir.holds("p.pak p/ p/a");
}

#[test]
fn verbose_lists_every_file_and_quiet_none() {
    let dir = Dir::new();
    dir.file("p.pak", sound());
    let ran = dir.ok("extract -v p.pak");
    assert_snapshot("extract-verbose", ran.stderr());
    dir.ok("extract -q -f p.pak").quiet();
}

#[test]
fn a_dry_run_prints_each_file_and_writes_none() {
    let dir = Dir::new();
    dir.file("p.pak", sound());
    dir.file("p/empty.cfg", "old");
    let before = dir.all();
    dir.ok("extract -n -k p.pak")
        .out(
            "write p/sounds/a.wav\nwrite p/skins/b.tga\nkeep p/empty.cfg\n\
             p.pak: 2 files, 10 bytes, would go into p/; 1 kept\n",
        )
        .quiet();
    dir.ok("extract -q -n -f p.pak")
        .out("write p/sounds/a.wav\nwrite p/skins/b.tga\nreplace p/empty.cfg\n");
    dir.refuses("extract -n p.pak");
    assert_eq!(dir.all(), before);
    assert_eq!(dir.read("p/empty.cfg"), b"old");
}

#[test]
fn a_large_file_comes_out_whole_however_it_is_stored() {
    let dir = Dir::new();
    // Longer than one piece of what the kernel copies, and of what is decoded.
    let stored: Vec<u8> = (0..9_000_001_u32).map(|n| (n % 251) as u8).collect();
    let stream = [vec![0x7F; 50_000], vec![0xFF]].concat();
    let pak =
        Pak::new().stored("stored", &stored).compressed("packed", 65 * 50_000, &stream).daikatana();
    dir.file("p.pak", pak);
    dir.ok("extract p.pak");
    assert!(dir.read("p/stored") == stored);
    assert!(dir.read("p/packed") == vec![0; 65 * 50_000]);
}
