//! `verify --snapshot`

use super::Dir;
#[cfg(unix)]
use super::paks::damaged;
use super::paks::{contents, crc32, daikatana, packed, quake};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// The lines that [`contents`] should give, by a simple way.
fn expected() -> String {
    let mut lines: Vec<(Vec<u8>, String)> = contents()
        .into_iter()
        .map(|(name, content)| {
            let shown = match name {
                b"b\xe4r.wav" => r"b\xe4r.wav".to_owned(),
                b"maps\\old.bsp" => r"maps\\old.bsp".to_owned(),
                super::paks::EVIL => r"e\x1b[2J\x0a\u{202e}.cfg".to_owned(),
                name => String::from_utf8(name.to_vec()).unwrap(),
            };
            let line = format!("{:08x} {} {shown}\n", crc32(&content), content.len());
            (name.to_vec(), line)
        })
        .collect();
    lines.sort_by(|(a, _), (b, _)| a.cmp(b));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// A pak of one file.
fn one(content: &str) -> Vec<u8> {
    Pak::new().stored("a.cfg", content).quake()
}

/// The names in the snapshot `s`.
fn recorded(dir: &Dir) -> String {
    let text = dir.text("s");
    let names = text.lines().filter_map(|line| line.splitn(3, ' ').nth(2));
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_conversion_satisfies_the_snapshot_of_its_source() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let mut session = dir.session();
    session.run("verify d.pak --snapshot s.txt --update");
    assert_eq!(dir.text("s.txt"), expected());
    session.run("verify d.pak --snapshot s.txt");
    session.run("verify q.pak --snapshot s.txt");
    dir.holds("d.pak q.pak s.txt");
    // Other tools may have sorted it, or changed its line ends.
    let expected = expected();
    let mut lines: Vec<String> = expected.lines().map(|it| format!("{it}\r\n")).collect();
    lines.reverse();
    // Duplicates are in the directory's order.
    lines.swap(4, 5);
    dir.file("s.txt", lines.concat());
    session.run("verify q.pak --snapshot s.txt");
    session.is("snapshot-of-a-conversion");
}

#[test]
fn snapshot_changes_are_printed_until_updated() {
    let dir = Dir::new();
    let same = Pak::new().stored("same.cfg", "same");
    dir.file("a.pak", same.clone().stored("a.cfg", "one").quake());
    dir.file("b.pak", same.stored("a.cfg", "two").quake());
    let mut session = dir.session();
    session.run("verify a.pak --snapshot s.txt --update");
    session.run("verify b.pak --snapshot s.txt");
    session.run("verify b.pak --snapshot s.txt --json");
    session.run("verify b.pak --snapshot s.txt --update");
    session.run("verify b.pak --snapshot s.txt");
    session.run("verify a.pak --snapshot s.txt");
    session.is("snapshot-changes-until-updated");
    dir.holds("a.pak b.pak s.txt");
}

#[test]
fn a_snapshot_of_several_paks_has_their_paths() {
    let dir = Dir::new();
    dir.file("games/base/pak0.pak", one("base"));
    dir.file("games/mod/pak0.pak", one("mod"));
    let mut session = dir.session();
    session.run("verify -r games --snapshot s --update");
    session.show("s");
    // Another directory of the same shape satisfies it, whatever it is called.
    std::fs::rename(dir.path("games"), dir.path("converted")).unwrap();
    session.run("verify -r converted --snapshot s");
    // One that has gone is what differs, and not the rest; and one that was added.
    std::fs::remove_dir_all(dir.path("converted/mod")).unwrap();
    session.run("verify -r converted --snapshot s");
    dir.file("converted/base/pak1.pak", one("new"));
    session.run("verify -r converted --snapshot s");
    session.is("snapshot-of-several-paks");
}

#[test]
fn globs_limit_what_a_snapshot_compares_and_updates() {
    let dir = Dir::new();
    dir.file("a.pak", Pak::of(&[("a.cfg", "cfg"), ("b.wav", "wav")]).quake());
    let mut session = dir.session();
    session.run("verify a.pak --snapshot s --update");
    session.show("s");
    dir.file("a.pak", Pak::of(&[("a.cfg", "CFG"), ("b.wav", "WAV")]).quake());
    session.run("verify a.pak --snapshot s -i *.cfg");
    session.run("verify a.pak --snapshot s -i *.cfg --update");
    session.show("s");
    session.is("snapshot-globs");
}

#[test]
fn a_file_that_is_no_snapshot_is_never_replaced() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("b.pak", daikatana());
    dir.file("text", "00000000 1 a\n0000000g 1 b\n");
    for (snapshot, words) in [
        ("text", "error: line 2 of this snapshot cannot be read: expected it to begin with"),
        ("b.pak", "error: line 1 of this snapshot cannot be read"),
        ("a.pak", "error: line 1 of this snapshot cannot be read"),
        (".", "a directory"),
    ] {
        for update in ["", "--update"] {
            let line = format!("verify a.pak --snapshot {snapshot} {update}");
            dir.refuses(line).out("").err_has(words);
        }
    }
    assert_eq!(dir.read("b.pak"), daikatana());
    dir.holds("a.pak b.pak text");
}

/// What is known of an archive stays, so that a later copy of it can be compared.
#[test]
fn updates_keep_the_lines_of_unreadable_paks() {
    let dir = Dir::new();
    dir.file("a.pak", one("a"));
    dir.file("b.pak", one("b"));
    let mut session = dir.session();
    session.run("verify a.pak b.pak --snapshot s --update");
    let whole = dir.text("s");
    dir.file("b.pak", "gone");
    session.run("verify a.pak b.pak --snapshot s");
    assert_eq!(dir.text("s"), whole);
    session.run("verify a.pak b.pak --snapshot s --update");
    session.show("s");
    // It is still unreadable, which is an error and no difference.
    session.run("verify a.pak b.pak --snapshot s");
    session.run("verify a.pak b.pak --snapshot s --update");
    session.show("s");
    dir.file("b.pak", "gone again");
    session.run("verify a.pak b.pak --snapshot s");
    // A new copy has to have the same content.
    dir.file("b.pak", one("b"));
    session.run("verify a.pak b.pak --snapshot s --update");
    session.is("snapshot-unreadable-paks");
    assert_eq!(dir.text("s"), whole);
}

/// The first snapshot of a collection that is not all right.
#[test]
fn a_snapshot_records_unreadable_and_cut_archives() {
    let dir = Dir::new();
    let whole = Pak::named(&["0.cfg", "1.cfg", "2.cfg"], "x").quake();
    dir.file("r/a.pak", one("a"));
    dir.file("r/b.pak", b"PACK\xff\xff\0\0\xff\xff\0\0");
    dir.file("r/c.pak", &whole[..whole.len() - 120]);
    let damaged = packed(Pak::new(), b"short.tga", b"abcd", b"\x02abc\xff");
    dir.file("r/d/e.pak", damaged.daikatana());
    let mut session = dir.session();
    session.run("verify -q r --snapshot s --update");
    session.show("s");
    session.run("verify -q r --snapshot s");
    // Whole copies are found: of one that nothing was known of, only that it can be read.
    dir.file("r/b.pak", one("b"));
    dir.file("r/c.pak", &whole);
    session.run("verify -q r --snapshot s --json");
    session.run("verify -q r --snapshot s --update");
    session.show("s");
    // An archive that is gone is missing, whatever is known of it.
    dir.file("r/b.pak", b"PACK\xff\xff\0\0\xff\xff\0\0");
    session.run("verify -q r --snapshot s --update");
    dir.remove("r/b.pak");
    session.run("verify -q r --snapshot s");
    session.is("snapshot-of-ruins");
}

#[test]
fn updates_keep_the_lines_of_excluded_archives() {
    let dir = Dir::new();
    dir.file("r/a.pak", quake());
    dir.file("r/old/b.pak", daikatana());
    dir.file("r/old/bad.pak", b"PACK\xff\xff\0\0\xff\xff\0\0");
    dir.file("r/empty.pak", "");
    dir.fails("verify -q r --snapshot s --update");
    let old = || {
        let mut lines: Vec<String> = dir.text("s").lines().map(str::to_owned).collect();
        lines.retain(|line| line.contains(" old/"));
        lines
    };
    let before = old();
    let without = "verify -q r --snapshot s --exclude-archive BAD.pak --exclude-archive old/b*";
    dir.ok(without).out("").quiet();
    dir.file("r/a.pak", Pak::new().quake());
    dir.ok(format!("{without} --update"));
    assert_eq!(old(), before);
    assert!(!dir.text("s").contains(" a.pak/"));
    // In every verb that searches, and never for what is named.
    dir.ok("list --names r --exclude-archive old/").out("");
    dir.ok("info r/old/b.pak --exclude-archive b.pak");
    dir.refuses("info r --exclude-archive a[b").err_has("the glob");
}

#[cfg(unix)]
#[test]
fn updating_through_a_link_writes_its_target() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("real", "");
    std::os::unix::fs::symlink("real", dir.path("link")).unwrap();
    dir.ok("verify a.pak --snapshot link --update");
    assert_eq!(dir.text("real"), expected());
    assert!(dir.path("link").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_snapshot_behind_a_dangling_link_is_refused() {
    let dir = Dir::new();
    dir.file("a.pak", damaged());
    std::os::unix::fs::symlink("nowhere", dir.path("link")).unwrap();
    for update in ["", "--update"] {
        dir.refuses(format!("verify a.pak --snapshot link {update}")).err(
            "error: this is a link that leads nowhere, which daisho never replaces\n  --> link\n\
                  help: choose another name or another directory for the output\n",
        );
    }
    dir.holds("a.pak link");
}

#[cfg(target_os = "linux")]
#[test]
fn a_snapshot_that_cannot_be_written_is_an_error() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.sh("mkfifo pipe && daisho verify a.pak --snapshot pipe")
        .run()
        .code(2)
        .err_has("not a regular file");
    dir.sh("ulimit -f 0; daisho verify a.pak --snapshot s --update")
        .run()
        .code(1)
        .err_has("file too large");
    dir.holds("a.pak pipe");
}

#[test]
fn no_snapshot_is_made_if_an_input_is_missing() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.fails("verify a.pak b.pak --snapshot s --update").err_has(
        "error: the snapshot was not created: 1 of the archives could not be read\n  --> s\n",
    );
    dir.holds("a.pak");
}

/// The lines of entries that it no longer has stay, so that the baseline is not lost.
#[test]
fn updates_keep_the_lines_of_a_cut_archive() {
    let dir = Dir::new();
    let names: Vec<String> = (0..9).map(|n| format!("{n}.cfg")).collect();
    let whole = Pak::named(&names, "x").quake();
    let cut = &whole[..whole.len() - 200];
    let mut session = dir.session();
    // A new snapshot of it has the entries that are left.
    dir.file("a.pak", cut);
    session.run("verify a.pak --snapshot s --update");
    session.show("s");
    session.run("verify a.pak --snapshot s");
    dir.remove("s");
    // In an old one, the lines of all entries stay.
    dir.file("a.pak", &whole);
    session.run("verify a.pak --snapshot s --update");
    let before = dir.text("s");
    dir.file("a.pak", cut);
    session.run("verify a.pak --snapshot s");
    session.run("verify a.pak --snapshot s --update");
    session.show("s");
    // The whole archive can be read again.
    dir.file("a.pak", &whole);
    session.run("verify a.pak --snapshot s");
    session.run("verify a.pak --snapshot s --update");
    session.is("snapshot-of-a-cut-archive");
    assert_eq!(dir.text("s"), before);
}

/// A search finds paks by how they begin, so one that is called otherwise is missed like the others.
#[test]
fn recorded_paks_of_any_name_are_missed() {
    let dir = Dir::new();
    for name in ["r/a.dat", "r/b.pak", "r/deep/c.bin"] {
        dir.file(name, one(name));
    }
    dir.ok("verify -qr r --snapshot s --update");
    // Never a pak, and a pak before.
    dir.file("r/never.pak", "");
    dir.fails("verify -qr r --snapshot s").out_has("never.pak:\n  unreadable");
    dir.remove("r/never.pak");
    dir.file("r/a.dat", "");
    dir.file("r/deep/c.bin", [0; 100]);
    dir.fails("verify -qr r --snapshot s")
        .out("missing  a.dat/a.cfg: 7 bytes\nmissing  deep/c.bin/a.cfg: 12 bytes\n");
    // What is gone is gone: that is what --update is for.
    dir.ok("verify -qr r --snapshot s --update");
    assert_eq!(recorded(&dir), "b.pak/a.cfg");
}

#[test]
fn snapshot_changes_are_listed_by_archive() {
    let dir = Dir::new();
    let files = [("one", "1"), ("two", "22"), ("three", "333"), ("old", "name")];
    dir.file("g/a.pak", Pak::of(&files).quake());
    dir.file("g/b.pak", Pak::of(&[("there", "moved to a")]).quake());
    dir.file("g/c.pak", Pak::of(&[("lost", "for ever")]).quake());
    dir.ok("verify -r g --snapshot s --update");
    let files = [("one", "1"), ("two", "twenty"), ("new", "name"), ("here", "moved to a")];
    dir.file("g/a.pak", Pak::of(&files).quake());
    dir.file("g/b.pak", Pak::of(&[("added", "to b")]).quake());
    dir.remove("g/c.pak");
    let mut session = dir.session();
    session.run("verify -r g --snapshot s");
    session.run("verify -r g --snapshot s --json");
    session.is("snapshot-changes-by-archive");
}

/// The sums are those of another tool.
#[cfg(target_os = "linux")]
#[test]
fn sha256_snapshots_match_sha256sum() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    dir.ok("verify d.pak --snapshot s --update --hash sha256");
    let snapshot = dir.text("s");
    dir.sh("daisho extract -q d.pak -C out; sha256sum out/maps/e1m1.bsp out/default.cfg > sums")
        .run();
    for line in dir.text("sums").lines() {
        let (sum, path) = line.split_once("  out/").unwrap();
        let is_it = |line: &&str| line.starts_with(sum) && line.ends_with(path);
        let found = snapshot.lines().find(is_it);
        assert!(found.is_some(), "{line} in {snapshot}");
    }
    for more in ["", "--hash sha256"] {
        dir.ok(format!("verify q.pak --snapshot s {more}")).out_has("s: no differences\n");
    }
    let rows = dir.ok("verify q.pak --snapshot s --hash sha256 --json").json();
    assert!(snapshot.contains(rows[1]["sha256"].as_str().unwrap()));
    assert_eq!(rows[1]["crc32"].as_str().unwrap().len(), 8);
    for more in ["", "--update"] {
        dir.refuses(format!("verify q.pak --snapshot s --hash crc32 {more}"))
            .out("")
            .err_has("holds the sha256 of each entry, but you asked for crc32\n  --> s\n");
    }
    // Renewed, it holds what it held.
    dir.file("q.pak", one("a"));
    dir.ok("verify q.pak --snapshot s --update");
    assert_eq!(dir.text("s").find(' '), Some(64));
    dir.file("mixed", snapshot + "00000000 1 z\n");
    dir.refuses("verify q.pak --snapshot mixed").err_has("is of another kind than those before it");
}

/// A ZIP's name may have 65,535 bytes, and each may be escaped.
#[test]
fn a_snapshot_of_the_longest_names_is_read_again() {
    let dir = Dir::new();
    let zip = Zip::new().stored(vec![b'a'; 65_535], b"x").stored(vec![0xff; 65_535], b"y");
    dir.file("z.pk3", zip.bytes());
    let verify = "verify z.pk3 --snapshot s.txt";
    dir.ok(format!("{verify} --update"));
    dir.ok(verify).out_has("no differences");
}

/// A ZIP of two entries.
fn zip(one: (&str, &str), other: (&str, &str)) -> Vec<u8> {
    let zip = Zip::new().stored(one.0, one.1.as_bytes());
    zip.stored(other.0, other.1.as_bytes()).bytes()
}

/// Globs are for names in archives, and those of an archive that has gone have its path before them.
#[test]
fn globs_pick_missing_entries_of_a_removed_archive() {
    let dir = Dir::new();
    dir.file("d/a.zip", zip(("maps/x.bsp", "x"), ("g", "g")));
    dir.file("d/b.zip", zip(("maps/y.bsp", "y"), ("h", "h")));
    dir.ok("verify -r d --snapshot s --update");
    dir.remove("d/b.zip");
    let mut session = dir.session();
    session.run("verify -r d --snapshot s -i maps/*");
    session.run("verify -r d --snapshot s -x maps/ -x h");
    session.is("snapshot-globs-and-a-removed-archive");
    dir.ok("verify -r d --snapshot s -i maps/* --update");
    assert_eq!(recorded(&dir), "a.zip/g a.zip/maps/x.bsp b.zip/h");
}

#[test]
fn snapshot_globs_match_names_in_nested_archives() {
    let dir = Dir::new();
    let with = |content: &[u8]| {
        let inner = Pak::new().stored("maps/x.bsp", content).quake();
        let outer = Pak::new().stored("readme", b"by hand");
        outer.stored("pak0.pak", &inner).quake()
    };
    dir.file("d/mod", with(b"one"));
    dir.ok("verify -r d --snapshot s --update");
    dir.file("d/mod", with(b"two"));
    let mut session = dir.session();
    session.run("verify -r d --snapshot s -i maps/*");
    session.is("snapshot-globs-in-nested-archives");
}

/// Else two of them could be swapped, and nobody would see it.
#[test]
fn equal_pak_names_are_led_by_the_given_paths() {
    let dir = Dir::new();
    let mut session = dir.session();
    for inputs in ["-r p q", "p/pak0.pak q/pak0.pak"] {
        dir.file("p/pak0.pak", one("one"));
        dir.file("q/pak0.pak", one("two"));
        session.run(format!("verify {inputs} --snapshot s --update"));
        assert_eq!(recorded(&dir), "p/pak0.pak/a.cfg q/pak0.pak/a.cfg");
        session.run(format!("verify {inputs} --snapshot s"));
        dir.file("p/pak0.pak", one("two"));
        dir.file("q/pak0.pak", one("one"));
        session.run(format!("verify {inputs} --snapshot s"));
        dir.remove("s");
    }
    // When one has gone, the path below the directory is the other one's alone. Once it must be renewed.
    session.run("verify -r p q --snapshot s --update");
    dir.remove("q/pak0.pak");
    dir.file("q/pak1.pak", one("new"));
    session.run("verify -r p q --snapshot s");
    session.run("verify -r p q --snapshot s --update");
    session.run("verify -r p q --snapshot s");
    session.is("snapshot-equal-pak-names");
    // Those that have a path to themselves keep the usual one.
    dir.remove("s");
    dir.ok("verify -r p q --snapshot s --update");
    assert_eq!(recorded(&dir), "pak0.pak/a.cfg pak1.pak/a.cfg");
}

#[test]
fn nested_equal_pak_names_are_led_by_typed_paths() {
    let dir = Dir::new();
    let outer = |content: &str| Zip::new().stored("pak0.pak", &one(content)).bytes();
    dir.file("d/s/m.pk3", outer("one"));
    dir.file("d/s/m.zip", outer("two"));
    // So is one that was unpacked beside them.
    dir.file("d/s/m/pak0.pak", Pak::new().stored("b", b"b").quake());
    let mut session = dir.session();
    session.run("verify -r d --snapshot s --update");
    session.show("s");
    session.run("verify -r d --snapshot s");
    dir.file("d/s/m.pk3", outer("two"));
    dir.file("d/s/m.zip", outer("one"));
    session.run("verify -r d --snapshot s");
    // One does not change where another one is gone, if it still shares its path with a third.
    dir.file("d/s/m.pk3", outer("one"));
    dir.remove("d/s/m.zip");
    session.run("verify -r d --snapshot s");
    session.is("snapshot-nested-equal-pak-names");
}

#[test]
fn a_snapshot_misses_only_the_removed_nested_archive() {
    let dir = Dir::new();
    let outer = || Zip::new().stored("maps/x", b"map").stored("y", b"why");
    dir.file("d/m.zip", outer().stored("in.pak", &one("a")).bytes());
    let mut session = dir.session();
    session.run("verify -r d --snapshot s --update");
    dir.file("d/m.zip", outer().bytes());
    session.run("verify -r d --snapshot s");
    // Nor is the rest lost where nothing of it is looked at.
    dir.file("d/m.zip", Zip::new().stored("y", b"why").bytes());
    session.run("verify -r d --snapshot s -i maps/*");
    dir.file("d/m.zip", outer().bytes());
    session.run("verify -r d --snapshot s --update");
    session.run("verify -r d --snapshot s");
    session.is("snapshot-without-a-nested-archive");
}

#[test]
fn a_snapshot_lists_only_changed_duplicates() {
    let dir = Dir::new();
    let pak = |contents: [&str; 3]| Pak::of(&contents.map(|content| ("a", content))).quake();
    dir.file("a.pak", pak(["one", "two", "three"]));
    dir.ok("verify a.pak --snapshot s --update");
    dir.file("a.pak", pak(["ONE", "two", "THREE"]));
    let mut session = dir.session();
    session.run("verify a.pak --snapshot s");
    session.is("snapshot-changed-duplicates");
}

#[test]
fn a_snapshot_lists_an_archive_per_argument() {
    let dir = Dir::new();
    dir.file("g/a.pak", one("one"));
    dir.file("g/m/b.pak", one("two"));
    for inputs in ["g g/m", "g/m g"] {
        dir.ok(format!("verify {inputs} --snapshot s --update"));
        assert_eq!(recorded(&dir), "a.pak/a.cfg b.pak/a.cfg m/b.pak/a.cfg");
        dir.remove("s");
    }
}
