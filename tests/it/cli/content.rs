//! `info`: what the files of an archive are, and which of them an engine cannot read.

use super::paks::packed;
use super::{Dir, Ran};
use crate::archive::build::Pak;
use crate::archive::maps;
use crate::archive::zips::build::Zip;
use crate::codec::tokens::literals;

const WORLD: &str = "{ \"classname\" \"worldspawn\" }";

/// A WAL of Daikatana.
fn wal3() -> Vec<u8> {
    let mut wal = vec![0; 892 + 16 * 16];
    wal[0] = 3;
    for (at, number) in [(36, 16_u32), (40, 16), (44, 892)] {
        wal[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    wal
}

/// A pak of Daikatana, compressed but for its sounds.
fn daikatana() -> Vec<u8> {
    let map = maps::daikatana(WORLD, &[]);
    let mut pak = Pak::new();
    for name in ["maps/e1.bsp", "maps/e2.bsp", "maps/old.bsp"] {
        pak = packed(pak, name.as_bytes(), &map, &literals(&map));
    }
    pak = packed(pak, b"textures/a.wal", &wal3(), &literals(&wal3()));
    let dkm = [&b"DKMD\x02\0\0\0"[..], &[0; 80]].concat();
    pak = packed(pak, b"models/a.dkm", &dkm, &literals(&dkm));
    pak = pak.stored("sounds/a.mp3", b"\xFF\xFB\x90\x44 and so on");
    pak = pak.stored("music/b.mp3", b"ID3\x03\0\0\0\0\0\0");
    pak = pak.stored("pics/a.tga", b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x10\0\0\0\x10\x08");
    pak.stored("readme.txt", b"IBSP\x29\0\0\0").daikatana()
}

/// What is beside a label.
fn part(ran: &Ran, label: &str) -> Vec<String> {
    let lines = ran.text().lines().skip_while(|line| !line.starts_with(&format!("  {label}")));
    let mut lines = lines.map(|line| line.split_at(11)).peekable();
    let first = lines.next().map(|(_, line)| line.to_owned());
    let rest = lines.take_while(|(label, _)| label.trim().is_empty());
    first.into_iter().chain(rest.map(|(_, line)| line.to_owned())).collect()
}

#[test]
fn info_names_the_types_of_files() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let mut session = dir.session();
    session.run("info -v d.pak --engine daikatana");
    session.run("info d.pak --engine quake2,fteqw,yquake2");
    session.run("info d.pak --engine daikatana,yquake2remaster");
    session.is("content");
}

#[test]
fn info_json_has_the_types_of_files() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let rows = dir.ok("info d.pak --json").json();
    assert_eq!(
        rows[0]["content"][0],
        serde_json::json!({
            "kind": "map", "type": "ibsp41", "format": "IBSP 41 (Daikatana)", "count": 3,
            "entries": [0, 1, 2], "names": ["maps/e1.bsp", "maps/e2.bsp", "maps/old.bsp"],
        })
    );
    assert_eq!(
        rows[0]["contrary"],
        serde_json::json!([{"entry": 7, "name": "pics/a.tga", "found": "png"}])
    );
    assert_eq!(rows[0]["not_read"], serde_json::json!([]));
    let rows = dir.fails("info d.pak --json --engine fteqw").json();
    assert_eq!(
        rows[0]["not_read"],
        serde_json::json!([{"engine": "fteqw", "kind": "map", "type": "ibsp41", "count": 3}])
    );
}

/// The same contents in every coding and on any number of threads give the same answer.
#[test]
fn types_are_found_in_compressed_files_too() {
    let dir = Dir::new();
    let files = [
        ("maps/a.bsp", maps::quake3(WORLD, &["textures/a"])),
        ("maps/dk.bsp", maps::daikatana(&format!("{WORLD}{}", " ".repeat(100_000)), &[])),
        ("textures/a.wal", wal3()),
        ("sound/a.wav", b"RIFF\x04\0\0\0WAVEfmt ".to_vec()),
        ("maps/no.bsp", b"no map at all".to_vec()),
    ];
    let stored = files.iter().fold(Zip::new(), |zip, (name, file)| zip.stored(name, file));
    let deflated = files.iter().fold(Zip::new(), |zip, (name, file)| zip.deflated(name, file));
    dir.file("a.pk3", stored.bytes());
    dir.file("b.pk3", deflated.bytes());
    dir.ok("convert -q a.pk3 -o c.pak --to daikatana");
    let of = |name: &str, jobs: &str| {
        let ran = dir.run(format!("info -v {name} {jobs} --engine ioquake3,fteqw,quake"));
        (part(&ran, "contents"), part(&ran, "types"))
    };
    let expected = of("a.pk3", "-j1");
    assert_eq!(expected.0[2], "1 map: IBSP 46 (Quake III)");
    assert_eq!(expected.0[0], "1 map: IBSP 41 (Daikatana)");
    let [.., what, which] = &expected.0[..] else {
        panic!("{expected:?}");
    };
    assert_eq!(what, "1 file is not what its name says");
    assert_eq!(which, "  entry 4 \"maps/no.bsp\"");
    for name in ["a.pk3", "b.pk3", "c.pak"] {
        for jobs in ["-j1", "-j4"] {
            assert_eq!(of(name, jobs), expected, "{name} {jobs}");
        }
    }
}

/// Only what a header needs is decoded, so that damage behind it does not matter, nor the reserved byte.
#[test]
fn types_are_found_in_files_damaged_after_a_header() {
    let dir = Dir::new();
    let map = maps::quake2(WORLD, &["a"]);
    let mut broken = literals(&map);
    let start = broken.len();
    broken.extend(b"\xFE\xFE\xFE");
    let size = u32::try_from(map.len() + 5000).unwrap();
    let mut pak = Pak::new();
    let at = pak.payload(&broken);
    assert!(start > 100);
    let packed = Some((u32::try_from(broken.len()).unwrap(), 1));
    pak = pak.entry(super::paks::entry(b"maps/a.bsp", at, size, packed));
    dir.file("d.pak", pak.daikatana());
    let ran = dir.run("info d.pak");
    assert_eq!(part(&ran, "contents"), ["1 map: IBSP 38 (Quake II)"]);
}
