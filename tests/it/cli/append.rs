//! `--append` and `undo`: archives changed in place, and back.

use super::Dir;
use super::paks::{daikatana, quake};
use crate::archive::build::Pak;

/// Bytes 4 to 11 of a file: what a change in place changes.
const HEADER: std::ops::Range<usize> = 4..12;

#[test]
fn what_was_in_the_archive_stays_and_undo_goes_back_byte_for_byte() {
    let dir = Dir::new();
    for (archive, bytes) in [("q.pak", quake()), ("d.pak", daikatana())] {
        dir.file(archive, &bytes);
        dir.file("new.cfg", b"new");
        dir.file("new.tga", vec![7; 3000]);
        let run = |line: &[&str]| {
            let line = [&line[..1], &[archive], &line[1..]].concat();
            dir.daisho().args(line).run().code(0)
        };
        let is_prefix = |old: &[u8]| {
            let new = dir.read(archive);
            assert!(new.len() > old.len());
            assert!(new[..4] == old[..4] && new[HEADER] != old[HEADER]);
            assert!(new[12..old.len()] == old[12..]);
            new
        };
        run(&["add", "new.cfg", "new.tga", "--append"]).err_has("2 added");
        let first = is_prefix(&bytes);
        run(&["rename", "new.cfg", "z.cfg", "--append"]).err_has("1 renamed");
        let second = is_prefix(&first);
        run(&["remove", "new.tga", "--append"]).err_has("1 removed");
        let third = is_prefix(&second);
        run(&["verify"]);
        run(&["info"]).err("");
        let info = dir.daisho().args(["info", archive, "--json"]).run().code(0);
        let info = &info.json()[0];
        let former: Vec<_> = [&second, &first, &bytes]
            .iter()
            .map(|it| it.len())
            .collect();
        let changes = info["changes"].as_array().unwrap();
        let told = changes
            .iter()
            .map(|it| it["bytes"].as_u64().unwrap() as usize);
        assert_eq!(told.collect::<Vec<_>>(), former);
        // Every byte is accounted for, and nothing of them is left by a conversion.
        let bytes_of = |key: &str| info[key].as_u64().unwrap();
        let parts = ["header", "directory", "payload", "gap", "trailing"];
        let sum: u64 = parts
            .iter()
            .map(|it| bytes_of(&format!("{it}_bytes")))
            .sum();
        assert_eq!(sum, third.len() as u64);
        assert_eq!(bytes_of("trailing_bytes"), 64);
        run(&[
            "convert",
            "-o",
            "clean.pak",
            "--to",
            info["layout"].as_str().unwrap(),
        ]);
        let clean = dir.daisho().args(["info", "clean.pak", "--json"]).run();
        assert_eq!(clean.json()[0]["gap_bytes"], 0);
        assert_eq!(clean.json()[0]["changes"].as_array().unwrap().len(), 0);
        dir.daisho()
            .args(["diff", archive, "clean.pak"])
            .run()
            .code(0);
        std::fs::remove_file(dir.path("clean.pak")).unwrap();

        let planned = run(&["undo", "-n"]);
        assert!(
            planned.text().contains("add new.tga: 3000 bytes\n"),
            "{planned}"
        );
        planned
            .err_has("would be ")
            .err_has("2 more changes to take back");
        assert!(dir.read(archive) == third);
        run(&["undo", "-v"]).err_has("add new.tga");
        assert!(dir.read(archive) == second);
        run(&["undo", "-v"]).err_has("rename z.cfg to new.cfg");
        assert!(dir.read(archive) == first);
        run(&["undo"])
            .err_has("2 removed; ")
            .err_has("nothing more to take back");
        assert!(dir.read(archive) == bytes);
        let none = dir.daisho().args(["undo", archive]).run().code(2);
        none.err_has("error: there is nothing to undo in this archive");
    }
}

#[test]
fn what_is_replaced_in_place_comes_back() {
    let dir = Dir::new();
    let bytes = quake();
    dir.file("p.pak", &bytes);
    dir.file("default.cfg", b"third");
    let add = ["add", "p.pak", "default.cfg", "--append"];
    dir.daisho()
        .args(add)
        .run()
        .code(2)
        .err_has("already has an entry named");
    assert!(dir.read("p.pak") == bytes);
    dir.daisho()
        .args(add)
        .args(["-f", "-n"])
        .run()
        .code(0)
        .err_has("would write");
    assert!(dir.read("p.pak") == bytes);
    dir.daisho()
        .args(add)
        .arg("-f")
        .run()
        .code(0)
        .err_has("1 replaced");
    let cat = dir.daisho().args(["cat", "p.pak", "default.cfg"]).run();
    assert_eq!(cat.stdout(), b"third");
    dir.daisho()
        .args(["undo", "p.pak"])
        .run()
        .code(0)
        .err_has("1 replaced");
    assert!(dir.read("p.pak") == bytes);
}

#[test]
fn what_cannot_be_changed_in_place_is_refused_with_advice() {
    let dir = Dir::new();
    dir.file("a.lmp", b"a");
    dir.file("z/a.lmp", b"a");
    dir.daisho()
        .args(["create", "z", "-o", "z.pk3"])
        .run()
        .code(0);
    let zip = dir.read("z.pk3");
    dir.daisho()
        .args(["add", "z.pk3", "a.lmp", "--as", "b", "--append"])
        .run()
        .code(2)
        .err("error: a pk3 archive is not changed in place: its directory is its end\n  --> z.pk3\nhelp: leave --append out: it is written anew then\n");
    assert!(dir.read("z.pk3") == zip);
    let both = ["add", "z.pk3", "a.lmp", "--append", "--backup"];
    dir.daisho()
        .args(both)
        .run()
        .code(2)
        .err_has("--append and --backup cannot be given together");
    dir.daisho()
        .args(["undo", "z"])
        .run()
        .code(2)
        .err_has("is a directory");
    dir.daisho()
        .args(["undo", "none"])
        .run()
        .code(2)
        .err_has("no such file");
    dir.daisho()
        .args(["undo", "a.lmp"])
        .run()
        .code(2)
        .err_has("no known archive");
    dir.daisho()
        .args(["undo", "z.pk3"])
        .run()
        .code(2)
        .err_has("nothing to undo");
    // What is damaged is found as far as the directory tells.
    let damaged = super::paks::damaged();
    dir.file("cut.pak", &damaged[..damaged.len() - 10]);
    let cut = dir
        .daisho()
        .args(["add", "cut.pak", "a.lmp", "--append"])
        .run();
    cut.code(1).err_has("not changed");
    assert!(dir.read("cut.pak") == damaged[..damaged.len() - 10]);
}

#[test]
fn a_way_back_that_something_else_has_changed_is_not_taken() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    let append = ["add", "p.pak", "a.cfg", "--append"];
    dir.daisho().args(append).run().code(0);
    let whole = dir.read("p.pak");
    let refused = |bytes: &[u8], words: &str| {
        dir.file("p.pak", bytes);
        dir.daisho()
            .args(["undo", "p.pak"])
            .run()
            .code(2)
            .err_has(words);
        assert!(dir.read("p.pak") == bytes);
    };
    // The directory that it leads back to.
    let mut bytes = whole.clone();
    bytes[quake().len() - 1] ^= 1;
    refused(
        &bytes,
        "the former directory of this archive is not what it was",
    );
    // Any byte of what leads there.
    for at in whole.len() - 64..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        refused(&bytes, "there is nothing to undo");
    }
    // Written anew, there is no way back.
    dir.file("p.pak", &whole);
    dir.daisho()
        .args(["remove", "p.pak", "a.cfg"])
        .run()
        .code(0);
    dir.daisho()
        .args(["undo", "p.pak"])
        .run()
        .code(2)
        .err_has("nothing to undo");
}

#[test]
fn a_torn_header_is_told_and_mended() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    dir.daisho()
        .args(["add", "p.pak", "a.cfg", "--append"])
        .run()
        .code(0);
    let mut torn = dir.read("p.pak");
    torn[8..12].copy_from_slice(&quake()[8..12]);
    dir.file("p.pak", &torn);
    for verb in ["list", "info", "verify"] {
        dir.daisho()
            .args([verb, "p.pak"])
            .run()
            .err_has("error: only a part of this archive's header was written when it was changed in place\n  --> p.pak")
            .err_has("help: 'daisho undo' goes back to what it was before that change");
    }
    let undo = dir.daisho().args(["undo", "p.pak"]).run().code(0);
    undo.err_has("and the header mended; ");
    assert!(dir.read("p.pak") == quake());
}

/// The file of a run that was killed before it changed the header.
#[test]
fn what_an_interrupted_change_has_left_does_no_harm() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    dir.daisho()
        .args(["add", "p.pak", "a.cfg", "--append"])
        .run()
        .code(0);
    let mut left = dir.read("p.pak");
    left[HEADER].copy_from_slice(&quake()[HEADER]);
    dir.file("p.pak", &left);
    let bytes = left.len() - quake().len();
    let words =
        format!("one was interrupted; 'daisho undo' removes its {bytes} bytes behind the end");
    let info = dir.daisho().args(["info", "p.pak"]).run().code(0);
    assert!(info.text().contains(&words), "{}", info.text());
    dir.daisho()
        .args(["add", "p.pak", "a.cfg", "--append"])
        .run()
        .code(0);
    dir.daisho()
        .args(["undo", "p.pak"])
        .run()
        .code(0)
        .err_has("1 removed");
    assert!(dir.read("p.pak") == left);
    let undo = dir.daisho().args(["undo", "p.pak"]).run().code(0);
    undo.err_has("an interrupted change removed; ");
    assert!(dir.read("p.pak") == quake());
}

#[cfg(unix)]
#[test]
fn links_lead_to_what_is_changed_and_files_of_several_names_are_not_changed_in_place() {
    let dir = Dir::new();
    dir.file("real/p.pak", quake());
    dir.file("a.cfg", b"a");
    std::os::unix::fs::symlink("real/p.pak", dir.path("link.pak")).unwrap();
    let add = ["add", "link.pak", "a.cfg", "--append"];
    dir.daisho().args(add).run().code(0);
    assert!(dir.path("link.pak").is_symlink());
    let changed = dir.read("real/p.pak");
    std::fs::hard_link(dir.path("real/p.pak"), dir.path("copy.pak")).unwrap();
    for line in [
        &["undo", "link.pak"][..],
        &["remove", "link.pak", "a.cfg", "--append"],
    ] {
        dir.daisho().args(line).run().code(2).err(
            "error: this file has 2 names (hard links), and would change under all of them\n  --> link.pak\nhelp: give it a file of its own: copy it, or change it without --append\n",
        );
    }
    assert!(dir.read("copy.pak") == changed);
    dir.daisho()
        .args(["remove", "link.pak", "a.cfg"])
        .run()
        .code(0);
    assert!(dir.read("copy.pak") == changed);
}

/// A pak of one entry of five bytes whose directory ends there, with a hole before it.
#[cfg(target_os = "linux")]
fn of_length(dir: &Dir, name: &str, len: u64) {
    use std::io::{Seek as _, Write as _};
    let at = u32::try_from(len - 64).unwrap();
    let header = [*b"PACK", at.to_le_bytes(), 64_u32.to_le_bytes()].concat();
    let mut record = vec![0; 64];
    record[..5].copy_from_slice(b"x.txt");
    record[56..60].copy_from_slice(&12_u32.to_le_bytes());
    record[60..].copy_from_slice(&5_u32.to_le_bytes());
    let mut file = std::fs::File::create(dir.path(name)).unwrap();
    file.write_all(&header).unwrap();
    file.seek(std::io::SeekFrom::Start(at.into())).unwrap();
    file.write_all(&record).unwrap();
}

/// What it takes to go back counts, too: with -n as without it.
#[cfg(target_os = "linux")]
#[test]
fn an_archive_grows_to_the_last_byte_that_its_numbers_can_say_and_is_refused_beyond_it() {
    let dir = Dir::new();
    // A payload, two records, and 64 bytes that lead back.
    let len = u64::from(u32::MAX) - 600 - 128 - 64;
    of_length(&dir, "p.pak", len);
    dir.file("much", vec![7; 601]);
    dir.file("fits", vec![7; 600]);
    let length = || std::fs::metadata(dir.path("p.pak")).unwrap().len();
    for how in [&["-n"][..], &[]] {
        let add = |file: &str| {
            let run = dir.daisho().args(["add", "p.pak", file, "--append", "-q"]);
            run.args(how).run()
        };
        add("much")
            .code(2)
            .err_has("the pak's length would be 4294967296, and the limit is 4294967295");
        assert_eq!(length(), len);
        add("fits").code(0);
    }
    assert_eq!(length(), u64::from(u32::MAX));
    dir.daisho().args(["undo", "p.pak"]).run().code(0);
    assert_eq!(length(), len);
}

/// Engines look where the directory is, and not at what stands behind it.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_reaches_the_directory_of_an_archive_changed_in_place_is_not_said_to_miss_it() {
    let dir = Dir::new();
    // The directory begins at the last byte that a signed number can say.
    of_length(&dir, "p.pak", (1 << 31) - 2);
    dir.file("one", b"1");
    let line = ["add", "p.pak", "one", "--append"];
    let told = dir.daisho().args(line).run().code(0).stderr().to_owned();
    assert!(!told.contains("up to byte 2147483711"), "{told}");
    let info = dir.daisho().args(["info", "p.pak"]).run().code(0);
    let loads = |engine: &str| {
        let line = info.text().lines();
        let mut lines = line.filter(|line| line.contains("loads") && line.contains(engine));
        lines.next().is_some_and(|line| !line.contains("does not"))
    };
    assert_eq!(
        told.contains("xash3d"),
        !loads("xash3d"),
        "{told}\n{}",
        info.text()
    );
}

/// A payload may lie anywhere, and no change may reach into one.
#[test]
fn an_entry_that_has_the_header_in_it_keeps_its_content() {
    let dir = Dir::new();
    let mut bytes = quake();
    let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let len = u32::try_from(bytes.len()).unwrap();
    let claims = [0_u32, len, 11, 20].map(u32::to_le_bytes).concat();
    bytes[directory + 56..][..8].copy_from_slice(&claims[..8]);
    bytes[directory + 64 + 56..][..8].copy_from_slice(&claims[8..]);
    dir.file("p.pak", &bytes);
    dir.file("new.cfg", b"new");
    let cat = |index: &str| {
        let cat = dir.daisho().args(["cat", "p.pak", "--index", index]);
        cat.run().code(0).stdout().to_vec()
    };
    let line = ["add", "p.pak", "new.cfg", "--append"];
    dir.daisho().args(line).run().code(0);
    assert!(cat("0") == bytes);
    assert!(cat("1") == bytes[11..31]);
    let line = ["rename", "p.pak", "new.cfg", "x", "--append"];
    dir.daisho().args(line).run().code(0);
    assert!(cat("0") == bytes);
    for _ in 0..2 {
        dir.daisho().args(["undo", "p.pak"]).run().code(0);
    }
    assert!(dir.read("p.pak") == bytes);
}

/// A run that is killed while it keeps the old archive leaves a second name of it.
#[cfg(unix)]
#[test]
fn a_second_name_that_a_killed_run_has_left_does_not_keep_an_archive_from_being_changed() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new", b"new");
    for line in [
        &["add", "p.pak", "new", "--append"][..],
        &["undo", "p.pak"],
        &["rename", "p.pak", "default.cfg", "x"],
    ] {
        for left in [".daisho-0000000a.tmp", ".daisho-0000000b.tmp"] {
            std::fs::hard_link(dir.path("p.pak"), dir.path(left)).unwrap();
        }
        dir.daisho()
            .args(line)
            .run()
            .code(0)
            .err_has("this temporary file and 1 more here were left by a run that was killed")
            .err_has(".daisho-0000000a.tmp");
        assert_eq!(dir.all(), ["new", "p.pak"], "{line:?}");
    }
}

/// Where a stream with 0xFE is sound either way, the others in the pak say how it is read.
#[test]
fn what_is_removed_in_place_does_not_change_how_others_are_read() {
    let a: Vec<u8> = (0..64).collect();
    let b: Vec<u8> = (64..128).collect();
    let either = [b"\x3f", &a[..], b"\x3f", &b[..], b"\xfe\x7e\xff"].concat();
    let copy_only = [b"\x3f", &a[..], b"\xfe\x3e\xff"].concat();
    let pak = || {
        let pak = Pak::new().compressed("a.tga", 192, &either);
        pak.compressed("b.tga", 128, &copy_only)
            .stored("c.cfg", b"c")
    };
    let dir = Dir::new();
    dir.file("new", b"new");
    for line in [
        &["remove", "d.pak", "b.tga", "--append"][..],
        &["add", "d.pak", "new", "--as", "b.tga", "-f", "--append"],
        &["rename", "d.pak", "b.tga", "b.cfg", "--append"],
    ] {
        let bytes = pak().daikatana();
        dir.file("d.pak", &bytes);
        let cat = || {
            dir.daisho()
                .args(["cat", "-q", "d.pak", "a.tga"])
                .run()
                .code(0)
                .stdout()
                .to_vec()
        };
        let before = cat();
        assert_eq!(before, [&a[..], &b, &a].concat());
        dir.daisho().args(line).run().code(0);
        assert_eq!(cat(), before, "{line:?}");
        dir.daisho().args(["undo", "d.pak"]).run().code(0);
        assert_eq!(dir.read("d.pak"), bytes);
    }
    // Nothing that has the byte goes, so nothing is written anew.
    let bytes = pak().daikatana();
    dir.file("d.pak", &bytes);
    dir.daisho()
        .args(["remove", "d.pak", "c.cfg", "--append"])
        .run()
        .code(0);
    let grown = dir.read("d.pak").len() - bytes.len();
    assert!(grown < 400, "{grown}");
}

/// The game opens sounds as they are stored, whatever their record says.
#[test]
fn what_gets_a_name_of_another_type_in_place_is_coded_as_that_type() {
    let dir = Dir::new();
    dir.file("a.tga", b"abcab".repeat(200));
    dir.file("b.txt", b"b");
    let create = [
        "create",
        "a.tga",
        "b.txt",
        "-o",
        "d.pak",
        "--to",
        "daikatana",
    ];
    dir.daisho().args(create).run().code(0);
    let packed = || {
        let list = dir.daisho().args(["list", "d.pak", "--json"]).run().code(0);
        list.json()[0]["compressed"].as_bool().unwrap()
    };
    assert!(packed());
    let rename = ["rename", "d.pak", "a.tga", "a.wav", "--append"];
    dir.daisho().args(rename).run().code(0);
    assert!(!packed());
    let cat = dir.daisho().args(["cat", "d.pak", "a.wav"]).run().code(0);
    assert_eq!(cat.stdout(), b"abcab".repeat(200));
    dir.daisho().args(["info", "d.pak"]).run().code(0).quiet();
}
