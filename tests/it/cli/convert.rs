//! `convert`

use super::paks::{literals, packed};
use super::{Dir, assert_snapshot, timeless};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

#[test]
fn convert_wants_to_know_where_to() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("games/a.pak", quake());
    dir.file("existing/readme.txt", "no archive");
    let outputs = "use -C for the directory of the outputs: daisho";
    for (line, help) in [
        (
            "convert a.pak",
            "use -o OUT for the output, or -C DIR for its directory",
        ),
        (
            "convert games",
            "use -C DIR for the directory of the outputs",
        ),
        (
            "convert a.pak b.pak",
            "use -o for the output: daisho convert a.pak -o b.pak",
        ),
        (
            "convert a.pak out",
            &format!("{outputs} convert a.pak -C out"),
        ),
        (
            "convert games out",
            &format!("{outputs} convert games -C out"),
        ),
        (
            "convert games existing",
            &format!("{outputs} convert games -C existing"),
        ),
        (
            "convert a.pak games existing",
            &format!("{outputs} convert a.pak games -C existing"),
        ),
        (
            "-q convert -r games out --to sin",
            &format!("{outputs} -q convert -r games -C out --to sin"),
        ),
        (
            "convert --merge games all.pak",
            "use -o for the output: daisho convert --merge games -o all.pak",
        ),
    ] {
        let expected = format!("error: convert needs an output\nhelp: {help}\n");
        dir.refuses(line).err(&expected);
    }
}

/// Two entries, one of them compressed: as Daikatana has it.
fn daikatana() -> Vec<u8> {
    Pak::new()
        .stored("sound/hit.wav", b"RIFF")
        .compressed("skins/black.tga", 130, b"\x7f\x7f\xff")
        .daikatana()
}

/// The same as Quake has it.
fn quake() -> Vec<u8> {
    Pak::new()
        .stored("sound/hit.wav", b"RIFF")
        .stored("skins/black.tga", [0; 130])
        .quake()
}

/// One entry of two is damaged.
fn damaged() -> Vec<u8> {
    Pak::new()
        .stored("sound/hit.wav", b"RIFF")
        .compressed("skins/cut.tga", 130, b"\x7f\xff")
        .daikatana()
}

#[test]
fn a_daikatana_pak_becomes_a_quake_pak_and_back() {
    let dir = Dir::new();
    dir.file("in.pak", daikatana());
    let ran = dir.run("convert in.pak -o out.pak");
    let ran = ran.code(0).out("");
    assert_eq!(
        timeless(ran.stderr()),
        "in.pak -> out.pak: 2 entries, 163 bytes to 274 bytes\n\
         1 archive written: 2 entries, 163 bytes to 274 bytes in TIME\n"
    );
    assert_eq!(dir.read("out.pak"), quake());
    let back = "-q convert out.pak -o back.pak --to daikatana";
    dir.ok(back).out("").quiet();
    assert_eq!(dir.read("back.pak"), daikatana());
    dir.holds("back.pak in.pak out.pak");
}

#[test]
fn one_output_takes_one_pak() {
    let dir = Dir::new();
    dir.file("d/a.pak", quake());
    dir.file("d/b.pak", quake());
    for args in [
        "d/a.pak d/b.pak -o out.pak",
        "d -o out.pak",
        "-r d -o out.pak",
    ] {
        dir.refuses(format!("convert {args}")).err(
            "error: only one archive can be written to one output, but there are 2\n\
             help: give -C DIR to write several archives into a directory\n",
        );
    }
    dir.holds("d/ d/a.pak d/b.pak");
}

#[test]
fn a_batch_goes_on_past_damage_and_foreign_files() {
    let dir = Dir::new();
    dir.file("in/a/one.pak", daikatana());
    dir.file("in/b/bad.pak", damaged());
    dir.file("in/b/notes.txt", "no pak");
    dir.file("in/c/deep/two.PAK", quake());
    dir.file("in/c/empty.pak", Pak::new().quake());
    dir.file("in/c/noise.pak", [b"PACK".as_slice(), &[0x80; 64]].concat());
    dir.file("in/out/old.pak", quake());
    dir.file("three.pak", quake());
    dir.file("readme.txt", "no pak");
    let ran = dir.fails("convert -r in three.pak readme.txt -C in/out");
    assert_snapshot("convert_batch", &timeless(ran.out("").stderr()));
    let written = ["a/one.pak", "c/deep/two.PAK", "old.pak", "three.pak"];
    for name in written {
        assert_eq!(dir.read(format!("in/out/{name}")), quake(), "{name}");
    }
    let folders = ["", "a/", "c/", "c/deep/"];
    let all = dir.all();
    let found = all.iter().filter(|path| path.starts_with("in/out/"));
    assert_eq!(found.count(), written.len() + folders.len());
}

#[test]
fn where_nothing_named_is_a_pak_nothing_is_done() {
    let dir = Dir::new();
    dir.file("readme.txt", "no pak");
    dir.file("d/readme.txt", "no pak");
    dir.refuses("convert readme.txt -C out")
        .err_has("this is not a known archive: it has 6 bytes");
    dir.refuses("convert -r d -C out")
        .err_has(
            "this directory is read as an archive, and its files need an output that is named\n  --> d\n",
        );
    dir.holds("d/ d/readme.txt readme.txt");
}

#[test]
fn existing_outputs_are_refused_kept_or_replaced() {
    let dir = Dir::new();
    dir.file("a.pak", daikatana());
    dir.file("b.pak", daikatana());
    dir.file("c.pak", daikatana());
    dir.file("out/a.pak", "old a");
    dir.file("out/b.pak", "old b");
    let convert = |more: &str| dir.run(format!("convert a.pak b.pak c.pak -C out {more}"));
    convert("").code(2).err(
        "error: already exists\n  --> out/a.pak\n\
         help: give -f to replace existing files, or -k to keep them\n\
         error: already exists\n  --> out/b.pak\n\
         help: give -f to replace existing files, or -k to keep them\n",
    );
    assert!(!dir.path("out/c.pak").exists());

    convert("-k -n")
        .code(0)
        .out("keep out/a.pak\nkeep out/b.pak\nwrite out/c.pak\n1 archive to write, 2 kept\n")
        .quiet();
    assert!(!dir.path("out/c.pak").exists());

    let ran = convert("-k").code(0);
    assert_eq!(
        timeless(ran.stderr()),
        "a.pak -> out/a.pak: kept\n\
         b.pak -> out/b.pak: kept\n\
         c.pak -> out/c.pak: 2 entries, 163 bytes to 274 bytes\n\
         1 archive written, 2 kept: 2 entries, 163 bytes to 274 bytes in TIME\n"
    );
    assert_eq!(dir.read("out/a.pak"), b"old a");
    assert_eq!(dir.read("out/c.pak"), quake());

    convert("-f").code(0);
    assert_eq!(dir.read("out/a.pak"), quake());
    assert_eq!(dir.read("out/b.pak"), quake());
    // Nothing is left beside them.
    assert_eq!(dir.all().len(), 3 + 1 + 3);
}

#[test]
fn damage_is_named_and_keep_going_leaves_it_out() {
    let dir = Dir::new();
    dir.file("in.pak", damaged());
    let reported = "error: the stream is damaged: ";
    dir.fails("convert in.pak -o out.pak")
        .err_has(reported)
        .err_has("  --> in.pak: entry 1 \"skins/cut.tga\", byte 17\n")
        .err_has(
            "in.pak -> out.pak: not written: 1 of 2 entries cannot be converted; \
             --keep-going leaves it out\n\
             0 archives written, 1 not written\n",
        );
    dir.holds("in.pak");
    dir.fails("convert in.pak -o out.pak --keep-going")
        .err_has(reported)
        .err_has("1 entry, 162 bytes to 80 bytes, 1 left out\n");
    let expected = Pak::new().stored("sound/hit.wav", b"RIFF").quake();
    assert_eq!(dir.read("out.pak"), expected);
}

#[test]
fn a_pak_without_entries_is_an_error_and_not_written() {
    let dir = Dir::new();
    dir.file("in.pak", Pak::new().quake());
    dir.fails("convert in.pak -o out.pak").err(
        "error: there is nothing to write: an archive needs at least one entry\n  \
             --> in.pak\n\
             help: some engines refuse a pak without entries, and others look for no more \
             paks after it\n\
             in.pak -> out.pak: not written\n\
             0 archives written, 1 not written\n",
    );
    dir.holds("in.pak");
}

/// A name that says ZIP and a content that is a pak is what no engine and no tool can make sense of.
#[test]
fn an_output_with_an_unwritten_extension_is_refused() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("game/pak0.pak", quake());
    for extension in ["vpk", "gma", "dat", "DAT", "grp"] {
        let output = format!("b.{extension}");
        let no_format = format!(
            "error: daisho writes no format with the extension \".{extension}\"\n  --> {output}\n"
        );
        let another = format!(
            "error: the name ends in \".{extension}\", but the output would be a quake archive\n  \
             --> {output}\nhelp: give the output the extension of that format"
        );
        for (args, said) in [
            ("convert a.pak", &no_format),
            ("convert a.pak -n", &no_format),
            ("convert a.pak --to quake", &another),
            ("convert --merge game", &no_format),
            ("create game", &no_format),
            ("create game --to quake", &another),
        ] {
            let ran = dir.run(format!("{args} -o {output}"));
            let ran = ran.code(2).out("");
            assert!(ran.stderr().starts_with(said.as_str()), "{ran}");
        }
    }
    dir.holds("a.pak game/ game/pak0.pak");
    for fine in ["b.pak", "c.PAK", "b.new --to quake", "b"] {
        let args = ["convert", "a.pak", "-o"]
            .into_iter()
            .chain(fine.split(' '));
        dir.daisho().args(args).run().code(0);
    }
}

#[test]
fn a_dash_is_stdout_and_dot_slash_dash_a_file() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("game/pak0.pak", quake());
    for args in ["convert a.pak", "convert --merge game", "create game"] {
        let ran = dir.ok(format!("{args} -o -"));
        assert!(ran.stdout().starts_with(b"PACK"), "{ran}");
    }
    dir.holds("a.pak game/ game/pak0.pak");
    dir.ok("convert a.pak -o ./-");
    assert_eq!(dir.read("-"), quake());
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_replaced_link_leaves_its_target_unchanged() {
        let dir = Dir::new();
        dir.file("in.pak", quake());
        dir.file("precious", "precious");
        symlink("precious", dir.path("out.pak")).unwrap();
        dir.ok("convert in.pak -o out.pak -f");
        assert_eq!(dir.read("out.pak"), quake());
        assert!(!dir.path("out.pak").is_symlink());
        assert_eq!(dir.read("precious"), b"precious");
    }

    #[test]
    fn an_unwritable_output_is_an_error_that_names_it() {
        let dir = Dir::new();
        dir.file("a.pak", quake());
        dir.file("b.pak", quake());
        dir.file("out", "a file");
        dir.refuses("convert a.pak b.pak -C out").err_has("out");
        let script = "ulimit -f 0; daisho convert a.pak -o new.pak";
        dir.sh(script)
            .run()
            .code(1)
            .err_has("cannot reserve room for this: file too large\n  --> new.pak\n");
        let script = "ulimit -f 0; daisho convert a.pak -o new.pak --to daikatana";
        dir.sh(script)
            .run()
            .code(1)
            .err_has("error: cannot write this: file too large\n  --> new.pak\n");
        dir.holds("a.pak b.pak out");
    }
}

/// As `extract` and `verify` do: of each archive what is picked, and nothing of those that have none.
#[test]
fn convert_takes_only_what_globs_pick() {
    let dir = Dir::new();
    let with = |names: &[&str]| Pak::named(names, "content").daikatana();
    dir.file(
        "in/pak0.pak",
        with(&["maps/a.bsp", "maps/a.ent", "readme.txt"]),
    );
    dir.file("in/pak1.pak", with(&["readme.txt"]));
    let names = |pak: &str| -> Vec<String> {
        dir.ok(format!("list {pak} --json"))
            .json()
            .iter()
            .map(|line| line["name"].as_str().unwrap().to_owned())
            .collect()
    };
    dir.ok("convert -r in -C out -i maps/* -x *.ent")
        .err_has("1 archive written, 1 without a match");
    assert_eq!(names("out/pak0.pak"), ["maps/a.bsp"]);
    assert!(!dir.path("out/pak1.pak").exists());
    let one = |output: &'static str, glob: &'static str| {
        dir.run(format!("convert in/pak0.pak -o {output} -i {glob}"))
    };
    one("one.pak", "*.txt").code(0);
    assert_eq!(names("one.pak"), ["readme.txt"]);
    one("none.pak", "*.wav")
        .code(1)
        .err_has("no entry matches \"*.wav\"");
    assert!(!dir.path("none.pak").exists());
    dir.ok("convert --merge in -o pak0.pak --engine daikatana -x maps/*");
    assert_eq!(names("pak0.pak"), ["readme.txt"]);
}

/// In a batch a line appears when its archive is done, and not at the end of the run.
#[cfg(unix)]
#[test]
fn an_archives_line_appears_before_the_next_is_done() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let dir = Dir::new();
    dir.file("in/a.pak", quake());
    super::slow_pak(&dir, "in/b.pak");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_daisho"))
        .args([
            "convert",
            "-j1",
            "-r",
            "in",
            "-C",
            "out",
            "--to",
            "daikatana",
        ])
        .current_dir(dir.path(""))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut reported = BufReader::new(child.stderr.take().unwrap());
    reported.read_line(&mut line).unwrap();
    assert!(line.starts_with("in/a.pak -> out/a.pak: "), "{line}");
    assert!(child.try_wait().unwrap().is_none(), "it had ended");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// As -C makes its directory, and what a plan or a refusal leaves is nothing.
#[test]
fn the_directory_of_an_output_is_made() {
    let dir = Dir::new();
    dir.file("a.pak", daikatana());
    dir.file("bad.pak", "PACK");
    let run =
        |input: &str, more: &str| dir.run(format!("convert {input} -o new/dir/out.pak {more}"));
    run("a.pak", "-n -q").code(0).out("write new/dir/out.pak\n");
    run("bad.pak", "").code(2);
    dir.holds("a.pak bad.pak");
    run("a.pak", "").code(0);
    let made = ["a.pak", "bad.pak", "new/", "new/dir/", "new/dir/out.pak"];
    assert_eq!(dir.all(), made);
    run("a.pak", "-f -n -q")
        .code(0)
        .out("replace new/dir/out.pak\n");
    run("a.pak", "-k -n -q")
        .code(0)
        .out("keep new/dir/out.pak\n");
}

/// A file of no bytes has a stream all the same, and a sum: both are checked where neither is kept.
#[test]
fn the_stream_of_an_empty_file_is_checked() {
    let dir = Dir::new();
    let empty = |stream: &[u8], crc32: u32| {
        let zip = Zip::new()
            .stored("a", b"A")
            .deflated("b", b"")
            .payload(stream);
        let packed = stream.len() as u64;
        zip.both(|header| (header.packed, header.crc32) = (packed, crc32))
    };
    let sum_only = Zip::new().stored("a", b"A").stored("b", b"");
    for zip in [
        empty(b"\x4b\x04\x00", 0),
        empty(b"\xff\xff\xff", 0),
        sum_only.both(|header| header.crc32 = 5),
    ] {
        dir.file("z.pk3", zip.bytes());
        for to in ["quake", "daikatana", "sin", "hrot", "pk3"] {
            let convert = format!("convert z.pk3 -o out --to {to}");
            dir.fails(&convert).err_has("z.pk3: entry 1 \"b\"");
            assert_eq!(dir.all(), ["z.pk3"], "{to}");
        }
    }
    let sound = Zip::new()
        .stored("a", b"A")
        .deflated("b", b"")
        .stored("c", b"");
    dir.file("z.pk3", sound.bytes());
    dir.ok("convert z.pk3 -o z.pak");
}

/// A pak of so many empty files.
fn of_empty_files(count: u32) -> Vec<u8> {
    let mut pak = b"PACK".to_vec();
    pak.extend(12_u32.to_le_bytes());
    pak.extend((64 * count).to_le_bytes());
    for n in 0..count {
        let mut name = format!("f{n}").into_bytes();
        name.resize(56, 0);
        pak.extend(name);
        pak.extend(12_u32.to_le_bytes());
        pak.extend(0_u32.to_le_bytes());
    }
    pak
}

/// Whatever is compressed: how many entries there will be is known beforehand.
#[test]
fn more_entries_than_a_zip_can_count_are_refused() {
    let dir = Dir::new();
    dir.file("most.pak", of_empty_files(65_534));
    dir.file("more.pak", of_empty_files(65_535));
    dir.file("many.pak", of_empty_files(70_000));
    dir.file("f", b"one more");
    let most = "convert most.pak -o most.pk3";
    dir.ok(format!("{most} -n"));
    dir.ok(most);
    let over = "the number of entries would be 65535, but the limit is 65534";
    let more = "convert more.pak -o more.pk3";
    dir.fails(format!("{more} -n")).err_has(over);
    dir.fails(more).err_has(over);
    let before = dir.read("most.pk3");
    let add = "add most.pk3 f";
    dir.refuses(format!("{add} -n")).err_has(over);
    dir.refuses(add)
        .err_has(over)
        .err_has("help: split it first: 'daisho convert --max-entries N'");
    assert!(dir.read("most.pk3") == before);
    assert!(!dir.path("more.pk3").exists());
    // It is their true number.
    let many = "the number of entries would be 70000, but the limit is 65534";
    for more in ["", "-n", "--keep-going", "--level 0"] {
        dir.fails(format!("convert many.pak -o many.pk3 {more}"))
            .err_has(many)
            .err_has("'daisho convert' split their output");
    }
    dir.ok("convert many.pak -o part1.pk3 --max-entries 65534");
    dir.holds("f many.pak more.pak most.pak most.pk3 part1.pk3 part2.pk3");
}

#[test]
fn entries_that_become_one_lump_are_not_written() {
    let dir = Dir::new();
    let names = [
        "x.mip",
        "X.mip",
        "x.MIP",
        "*lava.mip",
        "#lava.mip",
        "x.type68",
    ];
    let pak = names
        .iter()
        .fold(Pak::new(), |pak, name| pak.stored(name, name));
    dir.file("p.pak", pak.quake());
    for more in [&["-n"][..], &[], &["--keep-going"]] {
        let line = "convert p.pak -o w.wad";
        let run = dir.command(line).args(more).run().code(1);
        let error = |of: &str, first: &str| {
            format!(
                "error: in a WAD this is the same name as that of entry {first}\n  --> p.pak: entry {of}\n"
            )
        };
        let run = run
            .err_has(&error("2 \"x.MIP\"", "0 \"x.mip\""))
            .err_has(&error("4 \"#lava.mip\"", "3 \"*lava.mip\""))
            .err_has(&error("5 \"x.type68\"", "0 \"x.mip\""));
        assert_eq!(run.stderr().matches("error: ").count(), 3);
        assert_eq!(dir.path("w.wad").exists(), more == ["--keep-going"]);
    }
    dir.ok("list w.wad --names")
        .out("x.mip\nX.mip\n#lava.mip\n");
}

#[test]
fn entries_of_one_name_in_a_wad_stay_two() {
    let dir = Dir::new();
    let pak = Pak::new().stored("x.mip", b"one").stored("x.mip", b"two");
    dir.file("p.pak", pak.quake());
    for (from, to) in [("p.pak", "w.wad"), ("w.wad", "again.wad")] {
        let run = dir.ok(format!("convert {from} -o {to}"));
        assert!(!run.stderr().contains("same name"), "{}", run.stderr());
        let list = dir.ok(format!("list {to} --json"));
        assert_eq!(list.json().len(), 2);
    }
}

/// Programs read `./a` in a ZIP as `a`: it would be another entry, or one of two.
#[test]
fn a_name_that_a_zip_would_change_is_refused() {
    let dir = Dir::new();
    let pak = Pak::new().stored("./a", b"one").stored("a", b"two");
    dir.file("p.pak", pak.quake());
    let convert = |more: &str| dir.run(format!("convert p.pak {more}"));
    let refused = "error: the name begins with \"./\"";
    convert("-o p.pk3").code(1).err_has(refused);
    dir.holds("p.pak");
    convert("-o p.pk3 --keep-going").code(1);
    dir.ok("cat p.pk3 a").out("two");
    // A pak has no such rule.
    convert("-o q.pak --to daikatana").code(0);
    dir.ok("diff p.pak q.pak");
}

/// A file that replaces another has its permissions: a pak that nobody else may read stays so.
#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    /// What no umask gives to a new file.
    const MODE: u32 = 0o604;
    let dir = Dir::new();
    dir.file("in.pak", quake());
    dir.file("other.pak", Pak::new().stored("a", b"a").quake());
    dir.file("x.cfg", "bind");
    let snapshot = "verify in.pak --snapshot s.txt --update";
    for (line, target) in [
        ("convert in.pak -o out.pak -f", "out.pak"),
        ("convert in.pak -o out.pak -f --to daikatana", "out.pak"),
        ("create x.cfg -o out.pak -f", "out.pak"),
        ("extract other.pak -C . -f", "a"),
        ("add other.pak x.cfg", "other.pak"),
        (snapshot, "s.txt"),
    ] {
        if target == "s.txt" {
            let first = snapshot.replace("in.pak", "other.pak");
            dir.ok(first);
        } else if !dir.path(target).exists() {
            dir.file(target, "old");
        }
        set_permissions(dir.path(target), Permissions::from_mode(MODE)).unwrap();
        let before = dir.read(target);
        dir.ok(line);
        let mode = metadata(dir.path(target)).unwrap().permissions().mode();
        assert!(dir.read(target) != before, "{line}");
        assert_eq!(mode & 0o777, MODE, "{line}");
    }
}

#[test]
fn a_directory_that_was_made_for_nothing_is_removed() {
    let dir = Dir::new();
    dir.file("in.pak", damaged());
    let damaged = packed(Pak::new(), b"cut.tga", &[7; 9], b"\x05a");
    dir.file("one.pak", damaged.daikatana());
    for line in [
        "convert in.pak -C new/q",
        "convert in.pak -o new/q/out.pak",
        "extract one.pak -C new/q",
    ] {
        dir.fails(line);
        assert_eq!(dir.all(), ["in.pak", "one.pak"], "{line}");
    }
}

/// An entry of this size is not decoded together with its neighbours.
#[test]
fn an_odd_stream_of_a_long_entry_is_told_and_counted() {
    let dir = Dir::new();
    let content = b"odd".repeat(70_000);
    let mut stream = literals(&content);
    assert_eq!(stream.pop(), Some(0xff));
    let pak = packed(Pak::new(), b"long.tga", &content, &stream);
    dir.file("in.pak", pak.daikatana());
    dir.ok("convert in.pak -o out.pak --to quake")
        .err_has("warning: no end marker")
        .err_has("  --> in.pak: entry 0 \"long.tga\", byte ")
        .err_has(", 1 mended (");
}

#[test]
fn an_entry_with_two_oddities_is_mended_once() {
    let dir = Dir::new();
    let content = [b'a'; 64];
    let mut stream = literals(&content);
    stream.pop();
    // Reserved bytes, the end marker, and more behind it.
    stream.extend(b"\xfe\xfe\xfe\xff tail");
    let pak = packed(Pak::new(), b"a.tga", &content, &stream);
    dir.file("in.pak", pak.daikatana());
    for to in ["quake", "daikatana"] {
        let rows = dir
            .ok(format!("convert in.pak -o {to}.pak --to {to} --json -q"))
            .json();
        assert_eq!(rows[0]["mended"], 1, "{}", rows[0]);
        let of_stream = rows[0]["warnings"].as_array().unwrap().iter();
        let of_stream = of_stream.filter(|it| it.as_str().unwrap().contains("\"a.tga\""));
        assert_eq!(of_stream.count(), 2, "{}", rows[0]);
    }
}

#[test]
fn a_cut_pak_is_converted_only_with_keep_going() {
    let dir = Dir::new();
    let whole = Pak::new().stored("a", b"one").stored("b", b"two").quake();
    dir.file("cut.pak", &whole[..whole.len() - 64]);
    let convert = |more: &str| dir.fails(format!("convert cut.pak -o o.pak {more}"));
    convert("")
        .err_has("entries are missing\n  --> cut.pak: byte 18\n")
        .err_has("cut.pak -> o.pak: not written\n");
    dir.holds("cut.pak");
    convert("--keep-going").err_has("entries are missing");
    let expected = Pak::new().stored("a", b"one").quake();
    assert_eq!(dir.read("o.pak"), expected);
}

/// An archive whose output is kept is not opened, so its entries may match.
#[test]
fn a_second_run_with_k_reports_no_unmatched_glob() {
    let dir = Dir::new();
    dir.file("in/a.pak", quake());
    dir.file("in/b.pak", Pak::new().stored("x.txt", b"x").quake());
    let run = |globs: &str| dir.run(format!("convert in -C out -k {globs}"));
    for _ in 0..2 {
        run("-i *.tga").code(0);
    }
    std::fs::remove_dir_all(dir.path("out")).unwrap();
    // Where everything was read, it is known.
    run("-i *.tga -i *.wad")
        .code(1)
        .err_has("error: no entry matches \"*.wad\"");
    run("-i *.tga -i *.wad")
        .code(0)
        .err_lacks("no entry matches");
}
