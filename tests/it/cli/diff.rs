//! `diff`

use super::Dir;
use super::paks::{daikatana, damaged, packed, pak, quake};
use crate::archive::build::Pak;

#[test]
fn diff_of_two_layouts_finds_nothing() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    dir.ok("diff d.pak q.pak").out("").quiet();
    dir.ok("diff q.pak d.pak --json").out("").quiet();
}

#[test]
fn diff_reports_each_kind_of_change() {
    let dir = Dir::new();
    let a = [
        ("gone", "gone"),
        ("a", "1"),
        ("b", "2"),
        ("c", "3"),
        ("x\x1b", "old"),
        ("old", "content"),
    ];
    let b =
        [("c", "3"), ("a", "1"), ("new", "1"), ("b", "2"), ("x\x1b", "newer"), ("y", "content")];
    dir.file("a.pak", pak(&a));
    dir.file("b.pak", pak(&b));
    let mut session = dir.session();
    session.run("diff a.pak b.pak");
    session.run("diff a.pak b.pak --json");
    session.run("diff a.pak b.pak --only added,renamed");
    session.run("diff a.pak b.pak --only removed -x gone");
    // Of the new one the old one lacks what was added.
    session.run("diff b.pak a.pak --only renamed");
    // What is moved and not asked for is the same.
    session.run("diff a.pak b.pak --only added,removed,changed,renamed");
    session.is("diff-each-kind");
}

/// Empty files are all alike, and what is damaged is like nothing.
#[test]
fn diff_finds_no_renames_of_empty_or_damaged_files() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("a", ""), ("b", "same"), ("c", "same")]));
    dir.file("b.pak", pak(&[("d", ""), ("e", "same"), ("f", "other")]));
    let broken = |name: &[u8]| packed(Pak::new(), name, b"abcd", b"\x02abc\xff").daikatana();
    dir.file("c.pak", broken(b"a.tga"));
    dir.file("d.pak", broken(b"b.tga"));
    let mut session = dir.session();
    session.run("diff a.pak b.pak");
    session.run("diff c.pak d.pak");
    session.is("diff-no-renames");
}

/// Two contents of one size and one CRC-32: what CRC-32 alone would call the same.
#[test]
fn diff_tells_contents_of_one_crc32_apart() {
    let (a, b) = (&b"plumless"[..], &b"buckeroo"[..]);
    assert_eq!(super::paks::crc32(a), super::paks::crc32(b));
    let dir = Dir::new();
    dir.file("a.pak", Pak::new().stored("n", a).quake());
    dir.file("b.pak", Pak::new().stored("n", b).quake());
    dir.fails("diff a.pak b.pak").out("changed  n: 8 bytes, the same size\n");
}

#[test]
fn diff_reports_damage_and_compares_the_rest() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    // Damaged alike: nobody knows, so only the damage is reported, on both sides.
    let ran = dir.run("diff -v damaged.pak damaged.pak");
    let ran = ran.code(1).out("");
    assert_eq!(ran.err_count("error: "), 12, "{ran}");

    let sound = packed(Pak::new(), b"short.tga", b"abcd", b"\x03abcd\xff");
    dir.file("sound.pak", sound.stored("last.cfg", "FINE\n").daikatana());
    dir.fails("diff sound.pak damaged.pak")
        .out_starts(
            "changed  short.tga: cannot be compared\nchanged  last.cfg: 5 bytes, the same size\nadded",
        )
        .err_has("--> damaged.pak: entry 1 \"short.tga\", byte 20");
    let rows = dir.fails("diff sound.pak damaged.pak --json").json();
    for (name, is_unread) in [("short.tga", true), ("last.cfg", false)] {
        let row = rows.iter().find(|row| row["name"] == name).unwrap();
        assert_eq!(row["problem"].is_string(), is_unread, "{row}");
    }
}

#[test]
fn diff_with_a_non_archive_is_an_error() {
    let dir = Dir::new();
    dir.file("q.pak", quake());
    dir.file("zip.pk3", "PK\x03\x04 and more");
    let diff = |a: &str, b: &str| dir.run(format!("diff {a} {b}")).out("");
    diff("zip.pk3", "missing")
        .code(2)
        .err_has("the end of this ZIP is missing")
        .err_has("no such file");
    diff("q.pak", "zip.pk3").code(2).err_has("the end of this ZIP is missing");
}

/// A repacked archive can have all of its entries in another order, which is one thing to say.
#[test]
fn diff_prints_moved_entries_as_one_line() {
    let dir = Dir::new();
    let mut entries = ["a", "b", "c", "d", "e"].map(|name| (name, name));
    dir.file("a.pak", pak(&entries));
    entries.reverse();
    dir.file("b.pak", pak(&entries));
    let mut session = dir.session();
    for more in
        ["", "-v", "--json", "--only added,removed,changed,renamed", "-i c", "-x [b-d]", "-i x"]
    {
        session.run(format!("diff a.pak b.pak {more}"));
    }
    session.is("diff-moved-entries");
}

/// What a modder asks: what did I edit since I took it apart.
#[test]
fn diff_compares_an_archive_with_a_directory() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("maps/z.bsp", "1"), ("a.cfg", "2"), ("gone", "3")]));
    dir.ok("extract a.pak -C mod");
    for pair in ["a.pak mod", "mod a.pak", "mod mod"] {
        dir.ok(format!("diff {pair}")).out("");
    }
    dir.file("mod/a.cfg", "33");
    dir.file("mod/new/b.cfg", "4");
    dir.remove("mod/gone");
    let mut session = dir.session();
    session.run("diff a.pak mod");
    session.run("diff mod a.pak");
    session.is("diff-archive-and-directory");
}

#[test]
fn diff_compares_directories_archive_by_archive() {
    let dir = Dir::new();
    dir.file("g/id1/pak0.pak", pak(&[("a", "1"), ("b", "2")]));
    dir.file("g/id1/pak1.pak", pak(&[("c", "3")]));
    dir.file("g/id1/autoexec.cfg", "no archive");
    dir.file("g/mod/pak0.pak", pak(&[("d", "4")]));
    dir.ok("convert -r g -C h --to sin");
    let mut session = dir.session();
    session.run("diff g h");
    dir.file("g/id1/pak0.pak", pak(&[("a", "one"), ("b", "2")]));
    dir.file("g/mod/pak2.pak", pak(&[("e", "5")]));
    dir.remove("g/mod/pak0.pak");
    session.run("diff g h");
    session.run("diff g h --json");
    session.run("diff g h -q -i b --only changed");
    session.is("diff-directories");
}

#[test]
fn diff_compares_an_archive_with_a_whole_game() {
    let dir = Dir::new();
    dir.file("all.pak", pak(&[("a", "1"), ("b", "2"), ("c", "3")]));
    dir.ok("convert all.pak -o s/pak0.pak --max-entries 2");
    let mut session = dir.session();
    session.run("diff all.pak s");
    session.run("diff s all.pak");
    dir.file("s/pak1.pak", pak(&[("c", "33"), ("d", "4")]));
    session.run("diff all.pak s");
    session.is("diff-archive-and-game");
}

/// Mods hold WADs, and ZIPs hold paks.
#[test]
fn diff_takes_archives_in_a_directory_as_files() {
    let dir = Dir::new();
    let wad = dir.copy("wads/sound/plain-wad2.wad", "gfx.wad");
    let wad = std::fs::read(wad).unwrap();
    let mod_pak = Pak::of(&[("gfx.wad", &wad[..]), ("a.cfg", b"a")]);
    let outer = Pak::of(&[("id1/pak0.pak", &pak(&[("a", "1")])[..]), ("readme", b"text")]);
    for (name, archive) in [("mod", mod_pak), ("outer", outer)] {
        dir.file(format!("{name}.pak"), archive.quake());
        dir.ok(format!("extract {name}.pak -C {name}"));
        dir.ok(format!("diff {name}.pak {name}")).out("").quiet();
        dir.ok(format!("diff {name} {name}.pak")).out("").quiet();
    }
    // A WAD more is a file more.
    dir.file("mod/new.wad", &wad);
    dir.fails("diff mod.pak mod").out("added    new.wad: 17.7 kB\n");
}

#[test]
fn diff_reports_a_cut_archive_on_either_side() {
    let dir = Dir::new();
    let whole = quake();
    dir.file("whole.pak", &whole);
    dir.file("cut.pak", &whole[..whole.len() - 100]);
    for pair in ["whole.pak cut.pak", "cut.pak whole.pak"] {
        let ran = dir.refuses(format!("diff {pair}"));
        ran.err_has("entries are missing\n  --> cut.pak: byte ");
    }
}

#[test]
fn a_nested_archive_of_one_side_has_its_size() {
    let dir = Dir::new();
    let inner = pak(&[("a", "content")]);
    dir.file("a/same.pak", pak(&[("x", "x")]));
    dir.file("a/outer.pak", Pak::of(&[("in.pak", inner.as_slice())]).quake());
    dir.file("b/same.pak", pak(&[("x", "x")]));
    dir.run("diff a b").out_has(&format!("outer/in.pak: {} bytes", inner.len()));
}

#[test]
fn diff_matches_duplicates_in_order() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("n", "1"), ("n", "2"), ("n", "3")]));
    dir.file("b.pak", pak(&[("n", "1"), ("n", "3")]));
    let diff = |pair| dir.fails(format!("diff {pair}"));
    diff("a.pak b.pak").out("changed  n: 1 byte, the same size\nremoved  n: 1 byte\n");
    diff("b.pak a.pak").out("changed  n: 1 byte, the same size\nadded    n: 1 byte\n");
}
