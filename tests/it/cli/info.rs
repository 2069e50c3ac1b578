//! `info`

use serde_json::json;

use super::paks::{daikatana, damaged, entry, quake};
use super::{Dir, assert_has, assert_snapshot};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

#[test]
fn info_v_describes_paks_of_each_layout() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let mut pak = Pak::new().stored("a.wav", "shared");
    pak.payload(b"gap!");
    pak = pak.entry(entry(b"b.wav", 12, 6, None)).entry(entry(b"B.WAV", 15, 6, None));
    let mut odd = pak.stored("../up", "up").quake();
    odd.extend(b"behind the end");
    dir.file("odd.pak", odd);
    let ran = dir.run("info -v d.pak q.pak odd.pak");
    let ran = ran.code(0).quiet();
    let text = if cfg!(windows) {
        ran.text().replace(
            "that are not allowed for files: those of 2 entries, first entry 3",
            "that are not allowed for files: those of entry 3",
        )
    } else {
        ran.text().to_owned()
    };
    assert_snapshot("info", &text);
}

#[test]
fn info_json_accounts_for_every_byte() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let rows = dir.ok("info d.pak --json").quiet().json();
    assert_eq!(rows.len(), 1);
    assert_has(
        &rows[0],
        json!({"archive": "d.pak", "format": "daikatana", "entries": 7, "compressed": 3}),
    );
    let number = |field: &str| rows[0][field].as_u64().unwrap();
    let bytes = number("header_bytes")
        + number("directory_bytes")
        + number("payload_bytes")
        + number("gap_bytes")
        + number("trailing_bytes");
    assert_eq!(bytes, daikatana().len() as u64);
    // The sums are those of the rows of `list`.
    let list = dir.run("list d.pak --json").json();
    for field in ["size", "packed_size"] {
        let sum: u64 = list.iter().map(|row| row[field].as_u64().unwrap()).sum();
        assert_eq!(number(field), sum);
    }
}

#[test]
fn info_from_sets_the_layout() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    let ran = dir.run("info q.pak --json --from daikatana");
    assert_eq!(ran.json()[0]["format"], "daikatana");
}

#[test]
fn info_of_a_damaged_archive_advises_verify() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    dir.fails("info damaged.pak").err(
        "error: the archive is damaged\n  --> damaged.pak\n\
             help: find the damaged entries with 'daisho verify'\n",
    );
}

#[test]
fn info_says_which_engines_load_a_pak_and_why_not() {
    let dir = Dir::new();
    let many = (0..2049).fold(Pak::new(), |pak, _| pak.entry(entry(b"X", 12, 0, None)));
    dir.file("many.pak", many.quake());
    dir.copy("game/data/pak1.pak", "d.pak");
    // An engine that reads another layout counts other entries, which is its reason to refuse.
    let many = (0..2541).fold(Pak::new(), |pak, n| pak.stored(format!("f{n}"), b"x"));
    dir.file("many-d.pak", many.daikatana());
    dir.copy("game/id1/pak1.pak", "pak1.pak");
    let mut session = dir.session();
    session.run("info pak1.pak");
    session.run("info -v many.pak");
    session.run("info d.pak --json");
    session.run("info d.pak --engine quake");
    session.run("info many-d.pak --engine quake");
    session.is("info-engines");
}

/// Ten lines, with the reasons of the engines that were asked about among them; -v gives everything.
#[test]
fn info_prints_ten_lines_or_all_with_v() {
    let dir = Dir::new();
    dir.file("odd.pak", daikatana());
    dir.copy("game/data/pak1.pak", "d.pak");
    dir.copy("game/data/pak1.pak", "e.pak");
    for line in ["info odd.pak", "info odd.pak --engine quake"] {
        let ran = dir.run(line);
        assert!(ran.text().lines().count() <= 11, "{ran}");
    }
    let mut session = dir.session();
    session.run("info d.pak");
    session.run("info d.pak -v");
    session.run("info d.pak -v --engine quake");
    // Several have a line each, unless there is a question about engines.
    session.run("info d.pak e.pak");
    session.run("info d.pak e.pak --engine quake");
    session.is("info-brief-and-verbose");
}

#[test]
fn info_engine_names_what_this_engine_refuses() {
    let dir = Dir::new();
    let pak = Pak::new().stored("./a.txt", b"1").stored("b.txt", b"2");
    dir.file("dot.pak", pak.quake());
    let cut = Pak::new().entry(entry(b"a", 12, 0, None)).entry(entry(b"b", 12, 999, None));
    dir.file("cut.pak", cut.quake());
    dir.file("empty.pk3", Zip::new().bytes());
    dir.file("sfx.pk3", Zip::new().before(b"MZ", true).stored("a", b"1").bytes());
    let none = "refuses: it has no entries, and the game does not start with it\n";
    for (path, code, said) in [
        ("dot.pak --engine yquake2", 0, "loads, but it never finds entry 0 \"./a.txt\"\n"),
        (
            "dot.pak --engine quake2",
            0,
            "it finds names only as they are spelled: those of entry 0 \"./a.txt\"\n",
        ),
        (
            "cut.pak --engine q2pro",
            1,
            "it does not find payloads that the file's end cuts off: entry 1 \"b\"\n",
        ),
        ("empty.pk3 --engine yquake2", 1, none),
        ("empty.pk3 --engine ioquake3", 0, "ioquake3: loads\n"),
        (
            "sfx.pk3 --engine xash3d",
            1,
            "refuses: the file begins with something other than an entry\n",
        ),
        ("sfx.pk3 --engine ioquake3", 0, "ioquake3: loads\n"),
    ] {
        dir.run(format!("info {path}")).code(code).out_has(said);
    }
}

#[test]
fn info_v_reports_odd_records() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    let (at, other) = (pak.payload(b"shared"), pak.payload(b"other"));
    for (name, at, size) in
        [(b"a", at, 6), (b"b", at, 6), (b"c", other, 5), (b"d", other, 5), (b"e", other, 5)]
    {
        pak = pak.entry(entry(name, at, size, None));
    }
    dir.file("shared.pak", pak.quake());
    dir.copy("paks/sound/name-garbage.pak", "name-garbage.pak");
    dir.copy("paks/sound/flag-2.pak", "flag-2.pak");
    for (path, said) in [
        ("shared", "2 payloads by 5 entries, 16 bytes saved\n"),
        ("name-garbage", "leftovers after the name's end: in entry 2 \"gfx.wad\"\n"),
        ("flag-2", "compressed with a flag other than 1: entry 1 \"skins/a.tga\"\n"),
    ] {
        dir.ok(format!("info -v {path}.pak")).out_has(said);
    }
}

/// Some engines quit, and others skip the pak; both have the same line.
#[test]
fn engines_with_the_same_verdict_share_a_line() {
    let dir = Dir::new();
    dir.copy("paks/sound/plain-sin.pak", "x.sin");
    let ran = dir.ok("info -v x.sin");
    for other in ["quake", "daikatana"] {
        let said = format!("refuses: it is a sin archive, not a {other} archive");
        assert_eq!(ran.text().matches(&said).count(), 1, "{ran}");
    }
}

/// The last four bytes of a file, so that the whole of it has this CRC-32.
fn forged(before: u32, wanted: u32) -> [u8; 4] {
    let step =
        |n: u32| (0..8).fold(n, |n, _| if n & 1 == 1 { n >> 1 ^ 0xEDB8_8320 } else { n >> 1 });
    let mut state = !wanted;
    for _ in 0..4 {
        let byte = (0..256).find(|byte| step(*byte) >> 24 == state >> 24).unwrap();
        state = (state ^ step(byte)) << 8 | byte;
    }
    (state ^ !before).to_le_bytes()
}

/// The size is that of Quake's pak0.pak of version 1.06, and the checksum is forged.
#[test]
fn a_release_is_known_by_size_and_checksum() {
    let dir = Dir::new();
    let mut pak = Pak::of(&[("a.cfg", "")]).quake();
    pak.resize(18_689_231, 0);
    pak.extend(forged(crc32fast::hash(&pak), 0x74E3_B084));
    dir.file("mine.pak", &pak);
    let line = "  release  Quake (v1.06), pak0.pak\n";
    dir.run("info mine.pak").out_has(line);
    dir.run("info -v mine.pak").out_has("release").out_has("Quake (v1.06), pak0.pak");
    let rows = dir.run("info mine.pak --json").json();
    assert_eq!(rows[0]["release"], "Quake (v1.06), pak0.pak");
    for change in [0, 18_689_234] {
        let mut other = pak.clone();
        other[change] ^= u8::from(change > 0);
        other.resize(pak.len() + usize::from(change == 0), 0);
        dir.file("mine.pak", other);
        dir.run("info mine.pak").out_lacks("release");
    }
}
