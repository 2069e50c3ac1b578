//! `convert`

use super::paks::{many, packed};
use super::{Dir, assert_snapshot, timeless};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;
use crate::codec::tokens::literals;

#[test]
fn convert_without_an_output_is_refused() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    dir.file("games/a.pak", quake());
    dir.file("existing/readme.txt", "no archive");
    let mut session = dir.session();
    for line in [
        "convert a.pak",
        "convert games",
        "convert a.pak b.pak",
        "convert a.pak out",
        "convert games out",
        "convert games existing",
        "convert a.pak games existing",
        "-q convert -r games out --to sin",
        "convert --merge games all.pak",
    ] {
        session.run(line);
    }
    session.is("convert-without-output");
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
    Pak::new().stored("sound/hit.wav", b"RIFF").stored("skins/black.tga", [0; 130]).quake()
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
    for paths in ["d/a.pak d/b.pak", "d", "-r d"] {
        dir.refuses(format!("convert {paths} -o out.pak"))
            .err_has("only one archive can be written to one output, but there are 2\n");
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
fn existing_outputs_are_refused_kept_or_replaced() {
    let dir = Dir::new();
    for name in ["a.pak", "b.pak", "c.pak"] {
        dir.file(name, daikatana());
    }
    dir.file("out/a.pak", "old a");
    dir.file("out/b.pak", "old b");
    let convert = "convert a.pak b.pak c.pak -C out";
    let mut session = dir.session();
    session.run(convert);
    session.run(format!("{convert} -k -n"));
    assert!(!dir.has("out/c.pak"));
    session.run(format!("{convert} -k"));
    assert_eq!(dir.read("out/a.pak"), b"old a");
    assert_eq!(dir.read("out/c.pak"), quake());
    session.run(format!("{convert} -f"));
    assert_eq!(dir.read("out/a.pak"), quake());
    assert_eq!(dir.read("out/b.pak"), quake());
    // Nothing is left beside them.
    dir.holds("a.pak b.pak c.pak out/ out/a.pak out/b.pak out/c.pak");
    session.is("convert-existing");
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
    fn an_input_with_two_names_is_called_by_the_first() {
        let dir = Dir::new();
        dir.file("a.pak", quake());
        symlink("a.pak", dir.path("b.pak")).unwrap();
        for (inputs, first) in [("a.pak b.pak", "a.pak"), ("b.pak a.pak", "b.pak")] {
            dir.refuses(format!("convert --merge {inputs} -o a.pak -f"))
                .err_has(&format!("this is an input, \"{first}\", and"));
        }
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
    let names = ["maps/a.bsp", "maps/a.ent", "readme.txt"];
    dir.file("in/pak0.pak", Pak::named(&names, "content").daikatana());
    dir.file("in/pak1.pak", Pak::named(&names[2..], "content").daikatana());
    dir.ok("convert -r in -C out -i maps/* -x *.ent")
        .err_has("1 archive written, 1 without a match");
    dir.lists("out/pak0.pak", "maps/a.bsp");
    assert!(!dir.has("out/pak1.pak"));
    dir.ok("convert in/pak0.pak -o one.pak -i *.txt");
    dir.lists("one.pak", "readme.txt");
    dir.ok("convert --merge in -o pak0.pak --engine daikatana -x maps/*");
    dir.lists("pak0.pak", "readme.txt");
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
        .args("convert -j1 -r in -C out --to daikatana".split(' '))
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
    let plan = "convert a.pak -o new/dir/out.pak -n -q";
    dir.ok(plan).out("write new/dir/out.pak\n");
    dir.fails("convert bad.pak -o new/dir/out.pak");
    dir.holds("a.pak bad.pak");
    dir.ok("convert a.pak -o new/dir/out.pak");
    dir.holds("a.pak bad.pak new/ new/dir/ new/dir/out.pak");
    let replaced = dir.ok(format!("{plan} -f"));
    replaced.out("replace new/dir/out.pak\n");
    dir.ok(format!("{plan} -k")).out("keep new/dir/out.pak\n");
}

/// A file of no bytes has a stream all the same, and a sum: both are checked where neither is kept.
#[test]
fn the_stream_of_an_empty_file_is_checked() {
    let dir = Dir::new();
    let empty = |stream: &[u8], crc32: u32| {
        let zip = Zip::new().stored("a", b"A").deflated("b", b"").payload(stream);
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
    let sound = Zip::new().stored("a", b"A").deflated("b", b"").stored("c", b"");
    dir.file("z.pk3", sound.bytes());
    dir.ok("convert z.pk3 -o z.pak");
}

/// Whatever is compressed: how many entries there will be is known beforehand.
#[test]
fn more_entries_than_a_zip_can_count_are_refused() {
    let dir = Dir::new();
    for (name, count) in [("most", 65_534), ("more", 65_535), ("many", 70_000)] {
        dir.file(format!("{name}.pak"), many(count, "").quake());
    }
    dir.file("f", b"one more");
    dir.ok("convert most.pak -o most.pk3 -n");
    dir.ok("convert most.pak -o most.pk3");
    let over = "the number of entries would be 65535, but the limit is 65534";
    dir.fails("convert more.pak -o more.pk3").err_has(over);
    dir.fails("convert more.pak -o more.pk3 -n").err_has(over);
    let before = dir.read("most.pk3");
    dir.refuses("add most.pk3 f -n").err_has(over);
    dir.refuses("add most.pk3 f")
        .err_has(over)
        .err_has("help: split it first: 'daisho convert --max-entries N'");
    assert!(dir.read("most.pk3") == before);
    // It is their true number.
    let over = "the number of entries would be 70000, but the limit is 65534";
    for more in ["", "-n", "--keep-going", "--level 0"] {
        dir.fails(format!("convert many.pak -o many.pk3 {more}"))
            .err_has(over)
            .err_has("'daisho convert' split their output");
    }
    dir.ok("convert many.pak -o part1.pk3 --max-entries 65534");
    dir.holds("f many.pak more.pak most.pak most.pk3 part1.pk3 part2.pk3");
}

#[test]
fn entries_that_become_one_lump_are_not_written() {
    let dir = Dir::new();
    let names = ["x.mip", "X.mip", "x.MIP", "*lava.mip", "#lava.mip", "x.type68"];
    dir.file("p.pak", Pak::named(&names, "x").quake());
    let mut session = dir.session();
    session.run("convert p.pak -o w.wad -n");
    session.run("convert p.pak -o w.wad");
    dir.holds("p.pak");
    session.run("convert p.pak -o w.wad --keep-going");
    session.run("list w.wad --names");
    session.is("convert-to-one-lump");
}

#[test]
fn entries_of_one_name_in_a_wad_stay_two() {
    let dir = Dir::new();
    dir.file("p.pak", Pak::named(&["x.mip", "x.mip"], "x").quake());
    for (from, to) in [("p.pak", "w.wad"), ("w.wad", "again.wad")] {
        dir.ok(format!("convert {from} -o {to}")).err_lacks("same name");
        assert_eq!(dir.names(to).len(), 2);
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
    dir.file("out.pak", "old");
    dir.file("a", "old");
    dir.ok("verify other.pak --snapshot s.txt --update");
    for (line, target) in [
        ("convert in.pak -o out.pak -f", "out.pak"),
        ("convert in.pak -o out.pak -f --to daikatana", "out.pak"),
        ("create x.cfg -o out.pak -f", "out.pak"),
        ("extract other.pak -C . -f", "a"),
        ("add other.pak x.cfg", "other.pak"),
        ("verify in.pak --snapshot s.txt --update", "s.txt"),
    ] {
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
    for line in
        ["convert in.pak -C new/q", "convert in.pak -o new/q/out.pak", "extract one.pak -C new/q"]
    {
        dir.fails(line);
        assert_eq!(dir.all(), ["in.pak", "one.pak"], "{line}");
    }
}

/// An entry of this size is not decoded together with its neighbours.
#[test]
fn an_odd_stream_of_a_long_entry_is_counted() {
    let dir = Dir::new();
    let content = b"odd".repeat(70_000);
    let mut stream = literals(&content);
    assert_eq!(stream.pop(), Some(0xff));
    let pak = packed(Pak::new(), b"long.tga", &content, &stream);
    dir.file("in.pak", pak.daikatana());
    dir.ok("convert in.pak -o out.pak --to quake")
        .err_has("warning: no end marker")
        .err_has("  --> in.pak: entry 0 \"long.tga\", byte ")
        .err_has(", 1 corrected (");
}

/// Small neighbours are read together, and stored ones are then there already.
#[test]
fn streams_as_long_as_their_contents_are_decoded() {
    let dir = Dir::new();
    // 62 bytes in 64, and four zeros in two.
    let pak = packed(Pak::new(), b"a.tga", &[7; 62], &literals(&[7; 62]));
    let pak = packed(pak, b"b.tga", &[0; 4], b"\x42\xff");
    dir.file("in.pak", pak.daikatana());
    dir.ok("convert in.pak -o out.pak --to quake");
    let expected = Pak::new().stored("a.tga", [7; 62]).stored("b.tga", [0; 4]);
    assert_eq!(dir.read("out.pak"), expected.quake());
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
        let rows = dir.ok(format!("convert in.pak -o {to}.pak --to {to} --json -q")).json();
        assert_eq!(rows[0]["corrected"], 1, "{}", rows[0]);
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
    dir.ok("convert in -C out -k -i *.tga");
    dir.ok("convert in -C out -k -i *.tga");
    // Where everything was read, it is known.
    dir.fails("convert in -C new -k -i *.tga -i *.wad")
        .err_has("error: no entry matches \"*.wad\"");
    dir.ok("convert in -C new -k -i *.tga -i *.wad").err_lacks("no entry matches");
}
