//! Archives within archives.

use std::io::Write as _;

use super::Dir;
use super::paks::{daikatana, quake};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// A mod as it travels: a ZIP that holds a pak, deflated or stored, and a readme.
fn parcel() -> Vec<u8> {
    Zip::new()
        .stored("readme.txt", b"by hand")
        .deflated("id1/pak0.pak", &daikatana())
        .stored("id1/pak1.pak", &quake())
        .stored("id1/gfx.wad", b"WAD2\0\0\0\0\x0c\0\0\0")
        .bytes()
}

/// The archives that a line leads to, by the paths of their entries.
fn found(dir: &Dir, line: &str) -> Vec<String> {
    let rows = dir.ok(format!("list {line} --json")).json();
    let entries = rows.iter().filter(|row| row["status"] != "left_out");
    let mut paks: Vec<_> = entries.map(|row| row["archive"].as_str().unwrap().to_owned()).collect();
    paks.dedup();
    paks
}

#[test]
fn nested_archives_are_read_by_every_verb_only() {
    let dir = Dir::new();
    dir.file("mod.zip", parcel());
    dir.file("pak0.pak", daikatana());
    for pak in ["mod.zip//id1/pak0.pak", "mod.zip//id1/pak1.pak"] {
        dir.ok(format!("diff pak0.pak {pak}")).out("");
        dir.ok(format!("verify {pak} -q"));
        dir.ok(format!("info {pak}"));
        let cat = dir.ok(format!("cat {pak} maps/e1m1.bsp"));
        assert_eq!(cat.stdout(), b"level".repeat(300));
    }
    dir.ok("convert mod.zip//id1/pak0.pak -o out.pak --to quake");
    assert!(dir.read("out.pak") == quake());
    dir.ok("extract mod.zip//id1/pak1.pak -i *.bsp");
    assert!(dir.has("pak1/maps/e1m1.bsp"));
    // A search for the largest output opens archives twice, and closes them in between.
    dir.ok("convert mod.zip//id1/pak0.pak -C split --max-entries 4");
    assert!(dir.has("split/pak1.pak"));
    assert!(dir.read("mod.zip") == parcel());
}

#[test]
fn searches_go_one_archive_deep_and_skip_wads() {
    let dir = Dir::new();
    dir.file("in/mod.zip", parcel());
    dir.file("in/all.zip", Zip::new().deflated("b/mod.zip", &parcel()).bytes());
    let within = |zip: &str| [format!("{zip}//id1/pak0.pak"), format!("{zip}//id1/pak1.pak")];
    let (one, two) = (within("in/mod.zip"), within("in/all.zip//b/mod.zip"));
    let flat = ["in/all.zip".to_owned(), "in/mod.zip".to_owned()];
    let inner = "in/all.zip//b/mod.zip".to_owned();
    let once = [&flat[..1], &[inner], &flat[1..], &one].concat();
    assert_eq!(found(&dir, "-r in"), once);
    assert_eq!(found(&dir, "in"), once);
    assert_eq!(found(&dir, "in/mod.zip"), flat[1..]);
    assert_eq!(found(&dir, "-r in/mod.zip"), flat[1..]);
    assert_eq!(found(&dir, &two[0]), two[..1]);
}

/// What an archive yields lands where its files would, so that a ZIP is searched as a directory is.
#[test]
fn outputs_of_nested_archives_keep_the_outer_path() {
    let dir = Dir::new();
    dir.file("in/sub/mod.zip", parcel());
    dir.ok("convert -r in -C out --to quake -x *.pak");
    for pak in ["out/sub/mod.pak", "out/sub/mod/id1/pak0.pak", "out/sub/mod/id1/pak1.pak"] {
        assert!(dir.has(pak), "{pak}");
    }
    dir.ok("verify -r in --snapshot all --update -q");
    let lines = dir.text("all");
    assert!(lines.contains("sub/mod/id1/pak0.pak"), "{lines}");
}

#[test]
fn bad_names_and_damage_in_nested_archives_are_named() {
    let dir = Dir::new();
    let evil = Zip::new().stored("../evil.pak", &quake()).stored("ok.pak", &quake());
    dir.file("in/evil.zip", evil.bytes());
    let broken = Zip::new().deflated("a.pak", &quake()).both(|it| it.crc32 ^= 1);
    dir.file("broken.zip", broken.bytes());
    dir.ok("list in").out_has("in/evil.zip//../evil.pak: 0  ");
    dir.ok("convert in -C out -q");
    // An archive whose name is not allowed for a file is called by its number.
    assert!(dir.has("out/evil/ok.pak") && dir.has("out/evil/0.pak"));
    assert!(!dir.has("evil.pak") && !dir.has("out/evil.pak.pak"));
    dir.fails("list broken.zip//a.pak").err_has("--> broken.zip: entry 0 \"a.pak\"");
    let deep = format!("in/evil.zip{}", "//a.zip".repeat(9));
    dir.fails(format!("list {deep}"))
        .err_has("daisho opens archives within archives to a depth of 8, but this one lies deeper");
    dir.command("list broken.zip//a.pak")
        .env(if cfg!(windows) { "TMP" } else { "TMPDIR" }, "/dev/null")
        .run()
        .code(1)
        .err_has("--> broken.zip//a.pak");
}

/// A file that is the archive around an input is a source as any other.
#[test]
fn an_output_over_its_outer_archive_is_refused() {
    let dir = Dir::new();
    dir.file("mod.zip", parcel());
    let line = ["convert", "mod.zip//id1/pak0.pak", "-o", "mod.zip", "-f"];
    let said = "error: this is an input, \"mod.zip\", and inputs are never overwritten\n";
    dir.daisho().args(line).run().code(2).err_has(said);
    assert!(dir.read("mod.zip") == parcel());
    // An entry or a page that has the name of the archive around it.
    let pak = Pak::new().stored("outer", "x").quake();
    let outer = Zip::new().stored("in.pak", &pak).bytes();
    for (outer_name, line) in [
        ("ex/outer", "extract ex/outer//in.pak -C ex -f"),
        ("g/index.html", "gallery g/index.html//in.pak -o g -f"),
    ] {
        dir.file(outer_name, &outer);
        let said = format!("this is an input, \"{outer_name}\"");
        dir.refuses(line).err_has(&said);
        assert!(dir.read(outer_name) == outer, "{line}");
    }
}

/// Read in place or not: what an archive sums up to is checked.
#[test]
fn a_stored_archive_with_a_bad_sum_is_not_read() {
    let dir = Dir::new();
    let zip = Zip::new().stored("a.pak", &quake()).both(|it| it.crc32 ^= 1);
    dir.file("a.zip", zip.bytes());
    dir.fails("verify a.zip//a.pak").err_has("--> a.zip: entry 0 \"a.pak\"");
}

/// A pak whose entries are all of it, as far as a path can lead.
#[test]
fn an_archive_that_holds_itself_is_found_once() {
    let dir = Dir::new();
    let names = ["a.pak", "b.pak", "c.pak"];
    let mut pak = Pak::named(&names, "").quake();
    let len = u32::try_from(pak.len()).unwrap().to_le_bytes();
    for record in pak[12..].chunks_exact_mut(64) {
        record[56..60].fill(0);
        record[60..64].copy_from_slice(&len);
    }
    dir.file("in/self.pak", pak);
    assert_eq!(found(&dir, "in"), ["in/self.pak"]);
}

/// One payload under several names is one archive, under the first name that leads to it.
#[test]
fn stray_end_records_do_not_hide_an_archive() {
    let dir = Dir::new();
    let pak = quake();
    let encrypted = Zip::new()
        .stored("a.pak", &pak)
        .change(|entry| entry.central.flags |= 1)
        .stored("b.pak", &pak);
    let unserved =
        Zip::new().stored("a.pak", &daikatana()).stored("a.pak", &pak).stored("b.pak", &pak);
    for (zip, moved, code, inside) in [
        (encrypted, [1, 0], 1, &["in/z.pk3//b.pak"][..]),
        (unserved, [2, 1], 0, &["in/z.pk3//a.pak", "in/z.pk3//a.pak.dup-1"]),
    ] {
        let mut zip = zip.bytes();
        let starts = zip.windows(4).enumerate();
        let starts = starts.filter(|(_, it)| it == b"PK\x01\x02");
        let records: Vec<usize> = starts.map(|(at, _)| at + 42).collect();
        // One record leads to the local header that is another one's.
        let [of, to] = moved.map(|number: usize| records[number]);
        zip.copy_within(to..to + 4, of);
        dir.file("in/z.pk3", zip);
        let rows = dir.run("list in --json").code(code).json();
        let paks = rows.iter().map(|row| row["archive"].as_str().unwrap());
        let mut paks: Vec<&str> = paks.filter(|it| *it != "in/z.pk3").collect();
        paks.dedup();
        assert_eq!(paks, inside);
    }
}

#[test]
fn each_archive_of_one_name_within_another_is_visited() {
    let dir = Dir::new();
    let inner = |content: &[u8]| Zip::new().stored("a.cfg", content);
    let mut damaged = inner(b"second").bytes();
    damaged[35] ^= 1;
    let outer = Zip::new().stored("b.zip", &inner(b"first").bytes()).stored("b.zip", &damaged);
    dir.file("in/all.zip", outer.bytes());
    dir.fails("verify in").err_has("--> in/all.zip//b.zip.dup-1: entry 0 \"a.cfg\"");
    // The name that is shown is one that can be given.
    dir.ok("verify in/all.zip//b.zip");
    dir.fails("verify in/all.zip//b.zip.dup-1");
    dir.fails("extract in -C out");
    assert_eq!(dir.read("out/all/b/a.cfg"), b"first");
    assert!(!dir.has("out/all/b.dup-1/a.cfg"));
}

/// Adds an entry that is deflated as well as it can be.
fn squeezed(zip: Zip, name: &str, content: &[u8]) -> Zip {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    let payload = encoder.finish().unwrap();
    let zip = zip.stored(name, content).payload(&payload);
    zip.both(|header| (header.method, header.packed) = (8, payload.len() as u64))
}

#[test]
fn the_output_limit_holds_for_the_named_file() {
    let dir = Dir::new();
    let mut outer = Zip::new();
    for number in 0..4 {
        // Each differs from the others: one payload under many names would be one archive.
        let inner = Zip::new().stored("n", &[number]);
        let inner = squeezed(inner, "zeros.bin", &vec![0; 4 << 20]).bytes();
        outer = squeezed(outer, &format!("{number}.zip"), &inner);
    }
    let outer = outer.bytes();
    assert!(outer.len() * 1032 < 4 << 20, "{}", outer.len());
    dir.file("in/all.zip", &outer);
    for verb in ["extract -r in -C out", "convert -r in -C out --to quake", "verify -r in"] {
        dir.fails(verb).err_has(&format!("times the outer file's length of {} bytes", outer.len()));
    }
    assert!(!dir.all().iter().any(|path| path.ends_with("zeros.bin")));
    let extract = |to: &str, times: usize| {
        let extract = dir.command(format!("extract -r in -C {to}"));
        let ran = extract.arg("--max-expansion").arg(times.to_string()).run();
        let inside = format!("{to}/");
        let all = dir.all().into_iter();
        let written = all.filter(|it| it.starts_with(&inside) && it.ends_with("zeros.bin"));
        (ran, written.count())
    };
    let (ran, written) = extract("raised", 20_000);
    assert_eq!((ran.is(0), written), (true, 4), "{ran}");
    // All of them count together: 10 MB is room for two.
    let (ran, written) = extract("some", (10 << 20) / outer.len());
    assert_eq!((ran.is(1), written), (true, 2), "{ran}");
}

#[test]
fn a_nested_archive_under_two_names_is_found_once() {
    let dir = Dir::new();
    let inner = Pak::new().stored("a.cfg", "a").quake();
    let mut outer = Pak::new().stored("a.pak", &inner);
    let mut again = outer.entries[0].clone();
    again.name = b"b.pak".to_vec();
    outer = outer.entry(again);
    dir.file("in/o.pak", outer.quake());
    dir.ok("list in --names").out("in/o.pak: a.pak\nin/o.pak: b.pak\nin/o.pak//a.pak: a.cfg\n");
}
