//! `diff`

use super::Dir;
use super::paks::{daikatana, damaged, packed, quake};
use crate::archive::build::Pak;

fn pak(entries: &[(&str, &str)]) -> Vec<u8> {
    Pak::of(entries).quake()
}

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
    dir.file(
        "a.pak",
        pak(&[
            ("gone", "gone"),
            ("a", "1"),
            ("b", "2"),
            ("c", "3"),
            ("x\x1b", "old"),
            ("old", "content"),
        ]),
    );
    dir.file(
        "b.pak",
        pak(&[
            ("c", "3"),
            ("a", "1"),
            ("new", "1"),
            ("b", "2"),
            ("x\x1b", "newer"),
            ("y", "content"),
        ]),
    );
    dir.fails("diff a.pak b.pak")
        .out(
            "removed  gone: 4 bytes\nmoved    c: 1 byte\nchanged  x\\x1b: 3 bytes, then 5 bytes\n\
             renamed  old -> y: 7 bytes\nadded    new: 1 byte\n",
        )
        .err("1 added, 1 removed, 1 changed, 1 renamed, 1 moved, 2 the same\n");
    let rows = dir.fails("diff a.pak b.pak --json").json();
    let reported: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| {
            let is_renamed = row["change"] == "renamed";
            assert_eq!(row.as_object().unwrap().len(), 4 + usize::from(is_renamed));
            (
                row["change"].as_str().unwrap(),
                row["name"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("removed", "gone"),
        ("moved", "c"),
        ("changed", "x\x1b"),
        ("renamed", "old"),
        ("added", "new"),
    ];
    assert_eq!(reported, expected);
    assert_eq!(rows[2]["size_a"], 3);
    assert_eq!(rows[2]["size_b"], 5);
    assert_eq!(rows[3]["new_name"], "y");
    assert!(rows[0]["size_b"].is_null());

    let diff = |more: &str| dir.run(format!("diff a.pak b.pak {more}"));
    let only = diff("--only added,renamed").code(1);
    only.out("renamed  old -> y: 7 bytes\nadded    new: 1 byte\n");
    diff("--only removed -x gone").code(0).out("").quiet();
    // Of the new one the old one lacks what was added.
    dir.fails("diff b.pak a.pak --only renamed")
        .out("renamed  y -> old: 7 bytes\n");
}

/// Empty files are all alike, and what is damaged is like nothing.
#[test]
fn diff_finds_no_renames_of_empty_or_damaged_files() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("a", ""), ("b", "same"), ("c", "same")]));
    dir.file("b.pak", pak(&[("d", ""), ("e", "same"), ("f", "other")]));
    dir.fails("diff a.pak b.pak").out(
        "removed  a: 0 bytes\nrenamed  b -> e: 4 bytes\nremoved  c: 4 bytes\n\
         added    d: 0 bytes\nadded    f: 5 bytes\n",
    );
    let broken = |name: &[u8]| packed(Pak::new(), name, b"abcd", b"\x02abc\xff").daikatana();
    dir.file("c.pak", broken(b"a.tga"));
    dir.file("d.pak", broken(b"b.tga"));
    dir.fails("diff c.pak d.pak")
        .out("removed  a.tga: 4 bytes\nadded    b.tga: 4 bytes\n");
}

#[test]
fn diff_matches_duplicates_in_order() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("n", "1"), ("n", "2"), ("n", "3")]));
    dir.file("b.pak", pak(&[("n", "1"), ("n", "3")]));
    let diff = |a, b| dir.fails(format!("diff {a} {b}"));
    diff("a.pak", "b.pak").out("changed  n: 1 byte, as before\nremoved  n: 1 byte\n");
    diff("b.pak", "a.pak").out("changed  n: 1 byte, as before\nadded    n: 1 byte\n");
}

/// Two contents of one size and one CRC-32: what CRC-32 alone would call the same.
#[test]
fn diff_tells_contents_of_one_crc32_apart() {
    let (a, b) = (&b"plumless"[..], &b"buckeroo"[..]);
    assert_eq!(super::paks::crc32(a), super::paks::crc32(b));
    let dir = Dir::new();
    dir.file("a.pak", Pak::new().stored("n", a).quake());
    dir.file("b.pak", Pak::new().stored("n", b).quake());
    dir.fails("diff a.pak b.pak")
        .out("changed  n: 8 bytes, as before\n");
}

#[test]
fn diff_reports_damage_and_compares_the_rest() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    // Damaged alike: nobody knows, so only the damage is reported, on both sides.
    let ran = dir.run("diff -v damaged.pak damaged.pak");
    let ran = ran.code(1).out("");
    assert_eq!(ran.stderr().matches("error: ").count(), 12, "{ran}");

    let sound = packed(Pak::new(), b"short.tga", b"abcd", b"\x03abcd\xff");
    dir.file("sound.pak", sound.stored("last.cfg", "FINE\n").daikatana());
    dir.fails("diff sound.pak damaged.pak")
        .out_starts(
            "changed  short.tga: 4 bytes, as before\nchanged  last.cfg: 5 bytes, as before\nadded",
        )
        .err_has("--> damaged.pak: entry 1 \"short.tga\", byte 20");
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
    diff("q.pak", "zip.pk3")
        .code(1)
        .err_has("the end of this ZIP is missing");
}

/// A repacked archive can have all of its entries in another order, which is one thing to say.
#[test]
fn diff_prints_moved_entries_as_one_line() {
    let dir = Dir::new();
    let names = ["a", "b", "c", "d", "e"];
    let entries = names.map(|name| (name, name));
    let mut reversed = entries;
    reversed.reverse();
    dir.file("a.pak", pak(&entries));
    dir.file("b.pak", pak(&reversed));
    let diff = |more: &str| dir.run(format!("diff a.pak b.pak {more}"));
    diff("")
        .code(1)
        .out("moved    4 entries, the first of them a\n");
    diff("-v")
        .code(1)
        .out("moved    a: 1 byte\nmoved    b: 1 byte\nmoved    c: 1 byte\nmoved    d: 1 byte\n");
    assert_eq!(diff("--json").code(1).json().len(), 4);
    diff("--only added,removed,changed,renamed").code(0).out("");
    diff("-i c").code(0).out("");
    diff("-x [b-d]").code(1).out("moved    a: 1 byte\n");
    diff("-i x").code(1).err_has("no entry matches \"x\"");
}

/// What a modder asks: what did I edit since I took it apart.
#[test]
fn diff_compares_an_archive_with_a_directory() {
    let dir = Dir::new();
    dir.file(
        "a.pak",
        pak(&[("maps/z.bsp", "1"), ("a.cfg", "2"), ("gone", "3")]),
    );
    dir.ok("extract a.pak -C mod");
    for (one, other) in [("a.pak", "mod"), ("mod", "a.pak"), ("mod", "mod")] {
        dir.ok(format!("diff {one} {other}")).out("");
    }
    dir.file("mod/a.cfg", "33");
    dir.file("mod/new/b.cfg", "4");
    std::fs::remove_file(dir.path("mod/gone")).unwrap();
    dir.fails("diff a.pak mod").out(
        "changed  a.cfg: 1 byte, then 2 bytes\nremoved  gone: 1 byte\nadded    new/b.cfg: 1 byte\n",
    );
    dir.fails("diff mod a.pak").out(
        "changed  a.cfg: 2 bytes, then 1 byte\nremoved  new/b.cfg: 1 byte\nadded    gone: 1 byte\n",
    );
}

#[test]
fn diff_compares_directories_archive_by_archive() {
    let dir = Dir::new();
    dir.file("g/id1/pak0.pak", pak(&[("a", "1"), ("b", "2")]));
    dir.file("g/id1/pak1.pak", pak(&[("c", "3")]));
    dir.file("g/id1/autoexec.cfg", "no archive");
    dir.file("g/mod/pak0.pak", pak(&[("d", "4")]));
    dir.ok("convert -r g -C h --to pk3");
    let diff = |more: &str| dir.run(format!("diff g h {more}"));
    diff("")
        .code(0)
        .out("")
        .err("3 archives compared, each with the one of its path\n");
    dir.file("g/id1/pak0.pak", pak(&[("a", "one"), ("b", "2")]));
    dir.file("g/mod/pak2.pak", pak(&[("e", "5")]));
    std::fs::remove_file(dir.path("g/mod/pak0.pak")).unwrap();
    diff("-q").code(1).out(
        "id1/pak0.pak:\n  changed  a: 3 bytes, then 1 byte\n\
         removed  mod/pak2.pak: 77 bytes\nadded    mod/pak0.pk3: 101 bytes\n",
    );
    let rows = diff("--json").code(1).json();
    assert_eq!(
        (&rows[0]["archive"], &rows[0]["name"]),
        (&"id1/pak0.pak".into(), &"a".into())
    );
    assert_eq!(
        (rows[1].get("archive"), &rows[1]["name"]),
        (None, &"mod/pak2.pak".into())
    );
    diff("-q -i b --only changed").code(0).out("");
}

#[test]
fn diff_compares_an_archive_with_a_whole_game() {
    let dir = Dir::new();
    let entries = [("a", "1"), ("b", "2"), ("c", "3")];
    dir.file("all.pak", pak(&entries));
    dir.ok("convert all.pak -o s/pak0.pak --max-entries 2");
    let diff = |a: &str, b: &str| dir.run(format!("diff {a} {b}"));
    diff("all.pak", "s")
        .code(0)
        .out("")
        .err("2 archives of a directory compared as if they were one\n");
    diff("s", "all.pak").code(0).out("");
    dir.file("s/pak1.pak", pak(&[("c", "33"), ("d", "4")]));
    diff("all.pak", "s")
        .code(1)
        .out("changed  c: 1 byte, then 2 bytes\nadded    d: 1 byte\n");
}

/// Mods hold WADs, and ZIPs hold paks.
#[test]
fn diff_takes_archives_in_a_directory_as_files() {
    let dir = Dir::new();
    let wad = std::fs::read("corpus/wads/sound/plain-wad2.wad").unwrap();
    let files = Pak::new().stored("gfx.wad", &wad).stored("a.cfg", b"a");
    dir.file("mod.pak", files.quake());
    let inner = pak(&[("a", "1")]);
    let outer = Pak::new()
        .stored("id1/pak0.pak", &inner)
        .stored("readme", b"text");
    dir.file("outer.pak", outer.quake());
    for name in ["mod", "outer"] {
        let pak = format!("{name}.pak");
        dir.ok(format!("extract {pak} -C {name}"));
        dir.ok(format!("diff {pak} {name}")).out("").quiet();
        dir.ok(format!("diff {name} {pak}")).out("").quiet();
    }
    // A WAD more is a file more.
    dir.file("mod/new.wad", &wad);
    let added = "added    new.wad: 17.7 kB\n";
    dir.fails("diff mod.pak mod").out(added);
}

#[test]
fn diff_without_moved_counts_them_as_equal() {
    let dir = Dir::new();
    dir.file("a.pak", pak(&[("a", "1"), ("b", "2"), ("c", "3")]));
    dir.file(
        "b.pak",
        pak(&[("c", "3"), ("b", "2"), ("a", "1"), ("d", "4")]),
    );
    dir.fails("diff a.pak b.pak --only added,removed,changed,renamed")
        .out("added    d: 1 byte\n")
        .err("1 added, 0 removed, 0 changed, 0 renamed, 0 moved, 3 the same\n");
}

#[test]
fn diff_reports_a_cut_archive_on_either_side() {
    let dir = Dir::new();
    let whole = quake();
    dir.file("whole.pak", &whole);
    dir.file("cut.pak", &whole[..whole.len() - 100]);
    for pair in ["whole.pak cut.pak", "cut.pak whole.pak"] {
        dir.fails(format!("diff {pair}"))
            .err_has("entries are missing\n  --> cut.pak: byte ");
    }
}

#[test]
fn a_nested_archive_of_one_side_has_its_size() {
    let dir = Dir::new();
    let inner = pak(&[("a", "content")]);
    dir.file("a/same.pak", pak(&[("x", "x")]));
    dir.file(
        "a/outer.pak",
        Pak::of(&[("in.pak", inner.as_slice())]).quake(),
    );
    dir.file("b/same.pak", pak(&[("x", "x")]));
    dir.run("diff a b")
        .out_has(&format!("outer/in.pak: {} bytes", inner.len()));
}
