//! `dupes`

use super::Dir;
use super::paks::{daikatana, quake};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

#[test]
fn dupes_finds_one_content_under_other_names() {
    let dir = Dir::new();
    let content = b"the same in all".repeat(40);
    let mut other = content.clone();
    other[599] ^= 1;
    dir.file("mod/a.txt", &content);
    dir.file("mod/b.txt", &other);
    dir.file("mod/empty", b"");
    dir.ok("create mod -o in/p.pak");
    let zip = Zip::new().stored("x/y.cfg", &content).stored("none", b"").stored("few", b"few");
    dir.file("in/z.pk3", zip.bytes());
    let mut session = dir.session();
    session.run("dupes -r in");
    session.run("dupes -r in --json -q");
    session.run("dupes in/p.pak");
    session.run("dupes -r in -i *.cfg");
    session.is("dupes-other-names");
    let sum = dir.sh("sha256sum mod/a.txt | cut -c 1-64").run().code(0);
    let sums = dir.ok("dupes -r in --json").fields("sha256");
    assert_eq!(sums, [sum.text().trim(); 2]);
}

#[test]
fn dupes_counts_an_entry_without_a_name() {
    let dir = Dir::new();
    for name in ["name-empty.pak", "name-dot.pak"] {
        dir.file(name, std::fs::read(format!("corpus/paks/broken/{name}")).unwrap());
    }
    let rows = dir.ok("dupes name-empty.pak name-dot.pak --json").json();
    let names = rows.iter().map(|row| row["name"].as_str().unwrap());
    assert_eq!(names.filter(|name| ["", "./."].contains(name)).count(), 2);
}

#[test]
fn dupes_finds_copies_in_two_formats() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let rows = dir.ok("dupes d.pak q.pak --json").json();
    // All but the empty one, in both.
    assert_eq!(rows.len(), 2 * 6);
    dir.copy("paks/sound/shared-extent.pak", "s.pak");
    dir.ok("dupes s.pak").out_has("0 bytes wasted").out_has("(shared)");
}

#[test]
fn dupes_names_the_unreadable_and_compares_the_rest() {
    let dir = Dir::new();
    dir.file("a.pak", super::paks::damaged());
    // Behind its end the other one differs, so the archives are not equal.
    dir.file("b.pak", [&super::paks::damaged()[..], b"+"].concat());
    dir.file("c.txt", b"no pak");
    dir.fails("dupes a.pak b.pak c.txt")
        .out_has("a.pak: last.cfg\n  b.pak: last.cfg\n")
        .err_has("this is not a known archive")
        .err_has("a.pak: entry 1 \"short.tga\"");
}

#[test]
fn dupes_selects_sorts_by_waste_and_sums_it_up() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    for name in ["big1", "big2"] {
        pak = pak.stored(name, [1; 2048]);
    }
    for name in ["a", "b", "c", "d.ent"] {
        pak = pak.stored(name, [2; 1000]);
    }
    dir.file("d.pak", pak.quake());
    let mut session = dir.session();
    for more in ["", "-x *.ent", "-i *.nope", "--min-size 1K", "--min-size 1M"] {
        session.run(format!("dupes d.pak {more}"));
    }
    session.is("dupes-sorted");
}

/// Who deletes one of the copies would delete the other, too.
#[test]
fn dupes_counts_archives_of_a_linked_file_once() {
    let dir = Dir::new();
    let inner = Zip::new().stored("a.cfg", b"the only one").bytes();
    let outer = Zip::new().stored("in.zip", &inner);
    dir.file("o.zip", outer.bytes());
    std::os::unix::fs::symlink("o.zip", dir.path("o2.zip")).unwrap();
    for line in [
        "dupes -r o.zip o2.zip",
        "dupes o.zip//in.zip o.zip//in.zip",
        "dupes o.zip//in.zip o2.zip//in.zip",
    ] {
        dir.ok(line).out("");
    }
    // Two that are in one file are two.
    dir.file("two.zip", outer.stored("too.zip", &inner).bytes());
    let run = dir.ok("dupes two.zip//in.zip two.zip//too.zip");
    assert!(run.text().contains("2 equal archives of "), "{}", run.text());
}

#[test]
fn dupes_reports_equal_archives_once() {
    let dir = Dir::new();
    let pak = Pak::of(&[("a.cfg", "one"), ("b.cfg", "two")]).quake();
    dir.file("c/one/pak0.pak", &pak);
    dir.file("c/two/pak0.pak", &pak);
    dir.file("c/z.zip", Zip::new().stored("id1/pak0.pak", &pak).bytes());
    let mut session = dir.session();
    session.run("dupes c");
    session.run("dupes c --json");
    let sum = dir.sh("sha256sum c/one/pak0.pak | cut -c 1-64").run();
    let sums = dir.ok("dupes c --json").fields("sha256");
    assert_eq!(sums, [sum.text().trim(); 3]);
    // A file of one of them and of another archive is still found, once.
    dir.file("c/other.pak", Pak::new().stored("x", b"one").quake());
    session.run("dupes c");
    // Where only some entries are compared, archives are not.
    session.run("dupes c -i *.cfg");
    session.is("dupes-equal-archives");
}

/// The sum of their sizes says nothing about what is in them.
#[test]
fn dupes_compares_directories_file_by_file() {
    let dir = Dir::new();
    dir.file("one/a.txt", "one");
    dir.file("two/a.txt", "two");
    dir.ok("dupes one two").out("");
    dir.file("one/b.txt", "both");
    dir.file("two/c.txt", "both");
    dir.ok("dupes one two").out_has("2 copies of 4 bytes, 4 bytes wasted\n  one: b.txt\n");
}

#[test]
fn dupes_concludes_nothing_after_an_interrupt() {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    if !super::signals::is_heard(2) {
        return;
    }
    let dir = Dir::new();
    // Two files with holes: they take no room, but their hashes take long.
    let size = 1_u32 << 30;
    let mut long = b"PACK".to_vec();
    for number in [12, 128] {
        long.extend(u32::to_le_bytes(number));
    }
    for (name, at) in [("a", 140), ("b", 140 + size)] {
        let mut record = name.as_bytes().to_vec();
        record.resize(56, 0);
        for number in [at, size] {
            record.extend(u32::to_le_bytes(number));
        }
        long.extend(record);
    }
    let path = dir.file("a.pak", long);
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(140 + 2 * u64::from(size)).unwrap();
    let dupes = Command::new(env!("CARGO_BIN_EXE_daisho"))
        .args(["dupes", "a.pak"])
        .current_dir(dir.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    super::signals::send("INT", dupes.id());
    let ran = dupes.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(130));
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "");
    let errors = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(errors, "error: interrupted\n");
}
