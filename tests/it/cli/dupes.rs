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
    let zip = Zip::new()
        .deflated("x/y.cfg", &content)
        .stored("none", b"")
        .stored("few", b"few");
    dir.file("in/z.pk3", zip.bytes());
    let run = dir.ok("dupes -r in");
    let text = run.text();
    assert!(
        text.starts_with("1 file stored 2 times; ") && text.contains("\n\n2 copies of 600 bytes, "),
        "{text}"
    );
    assert!(
        text.contains("\n  in/p.pak: a.txt\n  in/z.pk3: x/y.cfg\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 5);
    // As sha256sum has it.
    let json = dir.ok("dupes -r in --json -q").json();
    let sum = dir.sh("sha256sum mod/a.txt | cut -c 1-64").run().code(0);
    for (row, name) in json.iter().zip(["a.txt", "x/y.cfg"]) {
        assert_eq!(row["sha256"].as_str().unwrap(), sum.text().trim());
        assert_eq!(
            (row["name"].as_str(), row["copies"].as_u64()),
            (Some(name), Some(2))
        );
        assert_eq!(row["size"], 600);
    }
    assert_eq!(json.len(), 2);
    dir.ok("dupes in/p.pak").out("");
    dir.ok("dupes -r in -i *.cfg").out("");
}

#[test]
fn dupes_counts_an_entry_without_a_name() {
    let dir = Dir::new();
    for name in ["name-empty.pak", "name-dot.pak"] {
        dir.file(
            name,
            std::fs::read(format!("corpus/paks/broken/{name}")).unwrap(),
        );
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
    let shared = std::fs::read("corpus/paks/sound/shared-extent.pak").unwrap();
    dir.file("s.pak", shared);
    let run = dir.ok("dupes s.pak");
    assert!(run.text().contains("0 bytes wasted"), "{}", run.text());
    assert!(run.text().contains("(shared)"));
}

#[test]
fn dupes_names_the_unreadable_and_compares_the_rest() {
    let dir = Dir::new();
    dir.file("a.pak", super::paks::damaged());
    // Behind its end the other one differs, so the archives are not equal.
    dir.file("b.pak", [&super::paks::damaged()[..], b"+"].concat());
    dir.file("c.txt", b"no pak");
    let run = dir.fails("dupes a.pak b.pak c.txt");
    assert!(
        run.text().contains("a.pak: last.cfg\n  b.pak: last.cfg\n"),
        "{}",
        run.text()
    );
    run.err_has("this is not a known archive")
        .err_has("a.pak: entry 1 \"short.tga\"");
    dir.refuses("dupes c.txt");
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
    assert!(
        run.text().contains("2 equal archives of "),
        "{}",
        run.text()
    );
}

#[test]
fn dupes_ignores_excluded_and_reports_no_match() {
    let dir = Dir::new();
    let pak = Pak::new().stored("a.cfg", b"one").stored("b.cfg", b"one");
    dir.file("d.pak", pak.stored("c.ent", b"one").quake());
    let dupes = |arguments: &str| dir.run(format!("dupes d.pak {arguments}"));
    dupes("-x *.ent")
        .code(0)
        .out("1 file stored 2 times; 3 bytes wasted\n\n2 copies of 3 bytes, 3 bytes wasted\n  d.pak: a.cfg\n  d.pak: b.cfg\n");
    dupes("-i *.nope")
        .code(1)
        .err_has("error: no entry matches \"*.nope\"\n");
}

#[test]
fn dupes_sorts_by_waste_and_sums_it_up() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    for name in ["big1", "big2"] {
        pak = pak.stored(name, [1; 100]);
    }
    for name in ["a", "b", "c", "d", "e"] {
        pak = pak.stored(name, [2; 50]);
    }
    dir.file("d.pak", pak.quake());
    let ran = dir.ok("dupes d.pak");
    let lines: Vec<&str> = ran.text().lines().take(3).collect();
    assert_eq!(
        lines,
        [
            "2 files stored 7 times; 300 bytes wasted",
            "",
            "5 copies of 50 bytes, 200 bytes wasted"
        ]
    );
    ran.quiet();
}

#[test]
fn dupes_reports_equal_archives_once() {
    let dir = Dir::new();
    let pak = Pak::new().stored("a.cfg", b"one").stored("b.cfg", b"two");
    let pak = pak.quake();
    dir.file("c/one/pak0.pak", &pak);
    dir.file("c/two/pak0.pak", &pak);
    dir.file("c/z.zip", Zip::new().stored("id1/pak0.pak", &pak).bytes());
    let ran = dir.ok("dupes c").quiet();
    assert_eq!(
        ran.text(),
        format!(
            "1 archive stored 3 times; {wasted} bytes wasted\n\n\
             3 equal archives of {size} bytes, {wasted} bytes wasted\n  \
             c/one/pak0.pak\n  c/two/pak0.pak\n  c/z.zip//id1/pak0.pak\n",
            size = pak.len(),
            wasted = 2 * pak.len()
        )
    );
    let rows = dir.run("dupes c --json").json();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.get("name").is_none()));
    let sum = dir.sh("sha256sum c/one/pak0.pak | cut -c 1-64").run();
    assert_eq!(rows[0]["sha256"], sum.text().trim());
    // A file of one of them and of another archive is still found, once.
    dir.file("c/other.pak", Pak::new().stored("x", b"one").quake());
    let ran = dir.ok("dupes c");
    let file = "\n2 copies of 3 bytes, 3 bytes wasted\n  c/one/pak0.pak: a.cfg\n  c/other.pak: x\n";
    assert!(ran.text().ends_with(file), "{ran}");
    // Where only some entries are compared, archives are not.
    dir.run("dupes c -i *.cfg")
        .out_starts("2 files stored 6 times; ");
}

#[test]
fn dupes_min_size_leaves_out_small_files() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    for name in ["a", "b"] {
        pak = pak
            .stored(name, [1; 2048])
            .stored(format!("{name}2"), [2; 1000]);
    }
    dir.file("d.pak", pak.quake());
    let ran = dir.run("dupes d.pak --min-size 1K");
    assert_eq!(
        ran.code(0).text(),
        "1 file stored 2 times; 2048 bytes wasted\n\n2 copies of 2048 bytes, 2048 bytes wasted\n  \
         d.pak: a\n  d.pak: b\n"
    );
    dir.ok("dupes d.pak --min-size 1M")
        .out("")
        .err("no file is stored more than once\n");
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
