//! `convert` and `create` with limits: outputs that are split, and what speaks against it.

use super::Dir;
use crate::archive::build::{Entry, Pak};

/// A pak of so many entries of ten bytes, `f0` and on.
fn pak(count: usize) -> Pak {
    (0..count).fold(Pak::new(), |pak, n| {
        pak.stored(format!("f{n}"), format!("content {n:02}").as_bytes())
    })
}

/// A run of `convert` that is refused, and writes nothing.
#[track_caller]
fn convert_refused(dir: &Dir, args: &str, said: &str) {
    let before = dir.all();
    for dry in ["", "-n"] {
        let args = args
            .split(' ')
            .chain([dry].into_iter().filter(|it| !it.is_empty()));
        dir.daisho()
            .arg("convert")
            .args(args)
            .run()
            .code(2)
            .out("")
            .err_has(said);
        assert_eq!(dir.all(), before);
    }
}

#[test]
fn convert_splits_at_each_limit() {
    let dir = Dir::new();
    dir.file("in.pak", pak(5).daikatana());
    let convert = |args: &[&str]| dir.daisho().args(["convert", "in.pak"]).args(args).run();
    let limit = ["-o", "pak1.pak", "--max-entries", "2"];
    convert(&limit).code(0).out("").err_has(
        "  pak1.pak: 2 entries, 160 bytes\n  pak2.pak: 2 entries, 160 bytes\n  \
         pak3.pak: 1 entry, 86 bytes\nin.pak -> pak1.pak: 3 archives, 5 entries, 422 bytes to 406 bytes\n\
         3 archives written: 5 entries",
    );
    dir.lists("pak1.pak", "f0 f1");
    dir.lists("pak2.pak", "f2 f3");
    dir.lists("pak3.pak", "f4");
    let all = dir.all();

    // The same with a limit of bytes, which is of the whole file.
    convert(&["-o", "x08.pak", "--max-size", "160"]).code(0);
    for (limit, first, second) in [("160", "x08.pak", "x09.pak"), ("159", "y1.pak", "y2.pak")] {
        if limit == "159" {
            convert(&["-o", first, "--max-size", limit]).code(0);
        }
        let count = if limit == "160" { 2 } else { 1 };
        assert_eq!(dir.names(first).len(), count);
        assert_eq!(dir.names(second).len(), count);
    }
    assert!(dir.path("x10.pak").exists() && dir.path("y5.pak").exists());
    assert_eq!(dir.all().len(), all.len() + 8);

    // Where nothing exceeds a limit, the name is free, and nothing else changes.
    convert(&["-o", "one.pak", "--max-entries", "5", "--max-size", "1K"]).code(0);
    assert_eq!(dir.read("one.pak"), pak(5).quake());
}

#[test]
fn a_dry_run_lists_the_parts() {
    let dir = Dir::new();
    dir.file("in.pak", pak(3).quake());
    dir.ok("convert in.pak -o pak1.pak --max-entries 2 -n")
        .quiet()
        .out(
            "write pak1.pak\nwrite pak2.pak\n\
             \u{20} pak1.pak: would write 2 entries, 160 bytes\n  pak2.pak: would write 1 entry, 86 bytes\n\
             in.pak -> pak1.pak: would write 2 archives, 3 entries, 234 bytes to 246 bytes\n\
             2 archives to write\n",
        );
    dir.holds("in.pak");
}

#[test]
fn an_engine_sets_the_layout_and_refuses_another() {
    let dir = Dir::new();
    dir.file("in.pak", pak(2).quake());
    let convert = |args: &str| dir.run(format!("-q convert in.pak {args}"));
    convert("-o pak0.pak --engine daikatana").code(0).quiet();
    assert_eq!(dir.read("pak0.pak"), pak(2).daikatana());
    for verb in ["convert", "create"] {
        dir.refuses(format!(
            "{verb} in.pak -o pak1.pak --engine quake2 --to daikatana"
        ))
        .err_has("daisho writes quake archives for quake2, but you asked for a daikatana one");
    }
    convert("-o pak1.pak --engine quake2 --to quake")
        .code(0)
        .quiet();
    // A name that the engine never asks for is refused.
    dir.refuses("convert in.pak -o new.pak --engine quake2")
        .err_has(
            "error: quake2 would not load the output as \"new.pak\": it looks only for pak0.pak, pak1.pak and so on",
        )
        .err_has("--> new.pak")
        .err_has("help: choose a name that the engine loads, such as pak0.pak");
}

#[test]
fn a_name_without_a_number_cannot_be_counted_up() {
    let dir = Dir::new();
    dir.file("in.pak", pak(3).quake());
    convert_refused(
        &dir,
        "in.pak -o out.pak --max-entries 2",
        "error: the output must be split into 2 archives, but its name does not end in a number that \
         daisho can count up\n  --> out.pak\nhelp: choose a name that ends in a number, such as pak1.pak",
    );
}

#[test]
fn a_number_that_the_engine_never_loads_is_refused() {
    let dir = Dir::new();
    dir.file("in.pak", pak(12).quake());
    for (engine, first, said) in [
        (
            "quake2",
            "pak8.pak",
            "quake2 would not load part 3 as \"pak10.pak\": it asks for no number above 9",
        ),
        (
            "quake",
            "mod1.pak",
            "quake would not load part 1 as \"mod1.pak\"",
        ),
        (
            "darkplaces",
            "pak9.pak",
            "as \"pak10.pak\": it is loaded before the part that it follows",
        ),
    ] {
        let args = format!("in.pak -o {first} --max-entries 4 --engine {engine}");
        convert_refused(&dir, &args, said);
    }
    dir.ok("convert in.pak -o mod1.pak --max-entries 4 --engine darkplaces");
    dir.holds("in.pak mod1.pak mod2.pak mod3.pak");
}

#[test]
fn existing_parts_are_refused_kept_or_replaced() {
    let dir = Dir::new();
    dir.file("in.pak", pak(3).quake());
    dir.file("pak2.pak", "old");
    let base = "in.pak -o pak1.pak --max-entries 2";
    convert_refused(
        &dir,
        base,
        "error: already exists\n  --> pak2.pak\nhelp: give -f to replace existing files, or -k to keep them\n",
    );
    let convert = |more: &str| {
        let args = base.split(' ').chain([more]);
        dir.daisho().arg("convert").args(args).run()
    };
    convert("-k").code(2).err_has(
        "error: only 1 of the 2 parts exists\n  --> pak2.pak\nhelp: remove the parts that exist, or write all parts again with -f",
    );
    assert!(!dir.path("pak1.pak").exists());
    convert("-f").code(0).err_has("2 archives written");
    let whole = (dir.read("pak1.pak"), dir.read("pak2.pak"));
    convert("-k").code(0).err(
        "in.pak -> pak1.pak: kept\n0 archives to write, 1 kept\n"
            .replace(" to write", " written")
            .as_str(),
    );
    assert_eq!((dir.read("pak1.pak"), dir.read("pak2.pak")), whole);
    std::fs::remove_file(dir.path("pak2.pak")).unwrap();
    std::fs::create_dir(dir.path("pak2.pak")).unwrap();
    convert_refused(&dir, &format!("{base} -f"), "  --> pak2.pak\n");
}

#[test]
fn a_number_that_cannot_be_counted_up_is_refused() {
    let dir = Dir::new();
    dir.file("in.pak", pak(5).quake());
    for first in ["pak18446744073709551614.pak", "pak99999999999999999999.pak"] {
        convert_refused(
            &dir,
            &format!("in.pak -o {first} --max-entries 2"),
            &format!(
                "error: the output must be split into 3 archives, but the number in its name is too large \
                 to count up that far\n  --> {first}\nhelp: choose a name with a smaller number"
            ),
        );
    }
}

#[test]
fn max_entries_must_be_at_least_1() {
    let dir = Dir::new();
    dir.file("in.pak", pak(5).quake());
    for number in ["0", "-1", "many", "1.5"] {
        let limit = format!("--max-entries={number}");
        dir.refuses(format!("convert in.pak -o pak1.pak {limit}"))
            .err_has("for '--max-entries <N>': give a number of at least 1, such as 2048");
    }
}

#[test]
fn a_part_never_overwrites_a_source() {
    let dir = Dir::new();
    dir.file("pak2.pak", pak(3).quake());
    convert_refused(
        &dir,
        "pak2.pak -o pak1.pak --max-entries 2 -f",
        "this is an input, \"pak2.pak\", and inputs are never overwritten",
    );
}

#[test]
fn parts_of_a_batch_never_take_another_outputs_name() {
    let dir = Dir::new();
    dir.file("in/pak1.pak", pak(3).quake());
    dir.file("in/pak2.pak", pak(2).quake());
    dir.file("in/sub/pak1.pak", pak(5).quake());
    convert_refused(
        &dir,
        "-r in -C out --max-entries 2",
        "error: the output of \"in/pak2.pak\" would also be written here",
    );
    std::fs::remove_file(dir.path("in/pak2.pak")).unwrap();
    dir.ok("convert -r in -C out --max-entries 2")
        .err_has("5 archives written");
    dir.lists("out/pak2.pak", "f2");
    dir.lists("out/sub/pak2.pak", "f2 f3");
    dir.lists("out/sub/pak3.pak", "f4");
}

#[test]
fn an_entry_that_fits_no_part_is_refused_by_name() {
    let dir = Dir::new();
    let two = pak(2)
        .stored("big", [7; 500])
        .stored("twice", b"a")
        .stored("twice", b"b");
    dir.file("in.pak", two.quake());
    convert_refused(
        &dir,
        "in.pak -o pak1.pak --max-size 575",
        "error: this entry needs an archive of 576 bytes, but --max-size allows only 575\n  \
         --> in.pak: entry 2 \"big\"\n",
    );
    convert_refused(
        &dir,
        "in.pak -o pak1.pak --max-entries 1 --engine quake",
        "the 2 entries of this name must stay together and need an archive of 2 entries, but \
         --max-entries allows only 1\n  --> in.pak: entry 3 \"twice\"\n",
    );
}

/// The directory comes first, and the payload is a hole: nothing of it is read.
#[cfg(unix)]
#[test]
fn an_entry_too_large_for_the_engine_is_refused() {
    use std::os::unix::fs::FileExt as _;

    let dir = Dir::new();
    let path = dir.path("in.pak");
    let file = std::fs::File::create(&path).unwrap();
    let size = (1_u32 << 31) - 76;
    file.write_all_at(b"PACK\x0c\0\0\0\x40\0\0\0huge.cin", 0)
        .unwrap();
    file.write_all_at(&76_u32.to_le_bytes(), 68).unwrap();
    file.write_all_at(&size.to_le_bytes(), 72).unwrap();
    file.set_len(76 + u64::from(size)).unwrap();
    for engine in ["quake", "q2pro"] {
        convert_refused(
            &dir,
            &format!("in.pak -o pak1.pak --engine {engine}"),
            &format!(
                "error: this entry needs an archive of 2147483648 bytes, but {engine} allows only 2147483647\n  \
                 --> in.pak: entry 0 \"huge.cin\"\n"
            ),
        );
    }
}

#[test]
fn a_damaged_entry_costs_no_part_its_number() {
    let dir = Dir::new();
    let cut = |pak: Pak, name: &str| pak.compressed(name, 130, b"\x7f\xff");
    let pak = cut(cut(pak(2), "c1.tga"), "c2.tga").stored("last", b"whole");
    dir.file("in.pak", pak.daikatana());
    let args = "convert in.pak -o pak1.pak --max-entries 2";
    dir.fails(args).err_has("c1.tga").err_has("c2.tga");
    dir.holds("in.pak");
    // The second part loses all its entries, and the third has its number then.
    dir.fails(format!("{args} --keep-going"))
        .err_has("2 archives, 3 entries")
        .err_has("2 left out");
    dir.holds("in.pak pak1.pak pak2.pak");
    dir.lists("pak2.pak", "last");
}

#[test]
fn create_splits_by_the_same_rules() {
    let dir = Dir::new();
    for n in 0..5 {
        dir.file(format!("mod/f{n}"), format!("content {n:02}"));
    }
    let create = |args: &str| dir.run(format!("create mod {args}"));
    create("-o out.pak --max-entries 2")
        .code(2)
        .err_has("the output must be split into 3 archives, but its name does not end in a number");
    create("-o pak9.pak --max-entries 2 --engine quake2")
        .code(2)
        .err_has("it asks for no number above 9");
    dir.file("pak2.pak", "old");
    create("-o pak1.pak --max-entries 2")
        .code(2)
        .err_has("already exists");
    assert_eq!(dir.all().len(), 7);
    create("-o pak1.pak --max-entries 2 -f").code(0).err_has(
        "  pak1.pak: 2 entries, 160 bytes\n  pak2.pak: 2 entries, 160 bytes\n  \
         pak3.pak: 1 entry, 86 bytes\npak1.pak: 3 archives, 5 files, 50 bytes to 406 bytes in ",
    );
    dir.lists("pak2.pak", "f2 f3");
    create("-o mod1.pak --max-size 160 -n")
        .code(0)
        .out_has("mod1.pak: would write 3 archives, 5 files");
    create("-o pak4.pak --max-size 85")
        .code(2)
        .err_has(
            "error: this entry needs an archive of 86 bytes, but --max-size allows only 85\n  --> mod/f0\n",
        );
}

#[test]
fn lowercase_is_for_every_engine_and_reports_clashes() {
    let dir = Dir::new();
    let mixed = Pak::new()
        .stored("MAPS\\E1M1.bsp", b"first")
        .stored("maps/e1m1.bsp", b"second")
        .stored("Zoo", b"third")
        .stored("zoo", b"fourth")
        .stored("Zoo", b"fifth");
    dir.file("in.pak", mixed.quake());
    let convert = |args: &str| dir.run(format!("convert in.pak -f {args}"));
    convert("-o pak0.pak --lowercase")
        .code(0)
        .err_has(
            "warning: in lower case this is also the name of entry 0 \"MAPS\\\\E1M1.bsp\"; most \
             engines serve entry 0\n  --> in.pak: entry 1 \"maps/e1m1.bsp\"\n",
        )
        .err_has("the name of entry 2 \"Zoo\"; most engines serve entry 2\n  --> in.pak: entry 3");
    let lower = ["maps/e1m1.bsp", "maps/e1m1.bsp", "zoo", "zoo", "zoo"];
    assert_eq!(dir.names("pak0.pak"), lower);
    convert("-o pak0.pak --lowercase --engine q2pro")
        .code(0)
        .err_has("q2pro serves entry 4\n  --> in.pak: entry 3");
    convert("-o pak0.pak --lowercase --engine daikatana")
        .code(0)
        .err_has("it is not defined which of them daikatana serves");
    // What is one name now stays in one part.
    convert("-o pak0.pak --lowercase --max-entries 3").code(0);
    assert_eq!(dir.names("pak0.pak"), &lower[..2]);
    assert_eq!(dir.names("pak1.pak"), &lower[2..]);
    // A pak of names that are fine is written as without it.
    dir.file("fine.pak", pak(2).quake());
    dir.ok("-q convert fine.pak -o same.pak --lowercase")
        .quiet();
    assert_eq!(dir.read("same.pak"), pak(2).quake());
}

#[cfg(target_os = "linux")]
#[test]
fn create_writes_lower_case_too() {
    let dir = Dir::new();
    dir.file("mod/Progs.dat", "first");
    dir.file("mod/progs.dat", "second");
    dir.file("mod/Maps/A.bsp", "third");
    dir.ok("create -o pak0.pak mod --lowercase --engine quake")
        .err_has(
            "warning: in lower case this is also the name of entry 1 \"Progs.dat\"; quake serves \
             entry 1\n  --> mod/progs.dat\n",
        );
    dir.lists("pak0.pak", "maps/a.bsp progs.dat progs.dat");
}

#[test]
fn unfindable_names_are_one_line_or_all_with_v() {
    let dir = Dir::new();
    let upper = ["A", "b", "C\\d", "E", "F"];
    let pak = Pak::named(&upper, "");
    dir.file("in.pak", pak.quake());
    let convert = |args: &str| dir.run(format!("convert in.pak -f -o pak0.pak {args}"));
    let line = "warning: quake finds 4 of the names only if they are spelled exactly like this: \"A\", \
                \"C\\\\d\", \"E\", ...\n  --> in.pak\n\
                help: keep them if the game uses this spelling, or give --lowercase if it asks in lower case\n";
    let ran = convert("--engine quake").code(0);
    assert!(
        ran.stderr().starts_with(line) && !ran.stderr().contains("entry 4"),
        "{ran}"
    );
    convert("--engine quake -v")
        .code(0)
        .err_has(line)
        .err_has("  entry 4 \"F\" is found only under exactly this spelling by quake\n");
    convert("--engine darkplaces -v")
        .code(0)
        .err_has("warning: darkplaces never finds 1 of the names: \"C\\\\d\"\n")
        .err_has("  entry 2 \"C\\\\d\" is never found by darkplaces\n");
    for quiet in ["--engine fteqw", "", "--engine quake --lowercase"] {
        convert(quiet).code(0).err_lacks("warning");
    }
}

#[test]
fn without_limits_engines_that_refuse_are_named() {
    let dir = Dir::new();
    let many =
        |count: usize| (0..count).fold(Pak::new(), |pak, n| pak.stored(format!("f{n}"), b""));
    dir.file("in.pak", many(2049).quake());
    let convert = |args: &str| dir.run(format!("convert in.pak -f {args}"));
    convert("-o out.pak").code(0).err_has(
        "warning: quake, quakespasm, ironwail, vkquake refuse this archive: it has 2049 entries, more than 2048, and the game does not start with it; hexen2, hexenwail refuse this archive: it has 2049 entries, more than 2048\n  --> out.pak\nhelp: 'daisho create' and 'daisho convert' split their output with --engine, --max-entries or --max-size",
    );
    // Asked for a limit, one knows.
    convert("-o out.pak --max-entries 3000")
        .code(0)
        .err_lacks("warning");
    dir.file("in.pak", many(2048).quake());
    convert("-o out.pak").code(0).err_lacks("warning");
    dir.file("in.pak", many(4097).quake());
    convert("-o out.pak").code(0).err_has(
        "qss, quake2 refuse this archive: it has 4097 entries, more than 4096, and the game does not start with it; hexen2, hexenwail refuse this archive: it has 4097 entries, more than 2048\n",
    );
    convert("-o out.pak --to daikatana")
        .code(0)
        .err_lacks("warning");
}

#[test]
fn without_an_engine_equal_names_stay_together() {
    let dir = Dir::new();
    let names_in = ["a", "b", "A", "c", "a"];
    let pak = Pak::named(&names_in, "x");
    dir.file("in.pak", pak.quake());
    dir.ok("convert in.pak -o pak0.pak --max-entries 3");
    dir.lists("pak0.pak", "a A a");
    dir.lists("pak1.pak", "b c");
}

#[test]
fn a_payload_in_each_part_counts_for_each_limit() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    let start = pak.payload(&[7; 50_000]);
    for n in 0..100 {
        pak = pak.entry(Entry {
            name: format!("f{n}").into_bytes(),
            offset: start,
            size: 50_000,
            packed: None,
        });
    }
    dir.file("in.pak", pak.quake());
    let run = |more: &[&str]| dir.daisho().args(["convert", "in.pak"]).args(more).run();
    run(&["-o", "whole.pak"]).code(0);
    let before = dir.all();
    for dry in [&[][..], &["-n"]] {
        let ran = run(&[&["-o", "p0.pak", "--max-entries", "1"], dry].concat());
        assert!(ran.is(1) || ran.is(2), "{ran}");
        ran.err_has("--max-expansion");
        assert_eq!(dir.all(), before);
    }
    let raised = ["--max-entries", "1", "--max-expansion", "100"];
    run(&[&["-o", "p0.pak"], &raised[..]].concat()).code(0);
    assert!(dir.path("p99.pak").exists());
}

/// -k keeps a split that is whole, and changes nothing where it is not; -f writes all of it.
#[test]
fn k_refuses_a_split_with_only_some_parts() {
    let dir = Dir::new();
    dir.file("in/a1.pak", pak(5).quake());
    dir.file("in/b1.pak", pak(3).quake());
    for (n, part) in ["1", "2", "3", "4", "5"].iter().enumerate() {
        dir.file(format!("files/{n}"), part);
    }
    for (line, first, others) in [
        ("convert in/a1.pak -o c1.pak", "c1.pak", "c2.pak"),
        ("create files -o n1.pak", "n1.pak", "n2.pak"),
        ("convert -r in -C out", "out/a1.pak", "out/a2.pak"),
        (
            "convert --merge in -o all1.pak --engine darkplaces",
            "all1.pak",
            "all2.pak",
        ),
    ] {
        let run = |more: &str| {
            let args = line.split(' ').chain(["--max-entries", "2", more]);
            dir.daisho().args(args).run()
        };
        run("-k").code(0);
        let (all, content) = (dir.all(), dir.read(first));
        dir.file(others, "theirs");
        run("-k").code(0).err_has("kept");
        assert_eq!(dir.read(others), b"theirs", "{line}");

        std::fs::remove_file(dir.path(first)).unwrap();
        let some = dir.all();
        for how in ["-k", "-kn"] {
            run(how)
                .code(2)
                .err_has("error: only 2 of the 3 parts exist: this and \"")
                .err_has(&format!("  --> {others}\n"))
                .err_has("help: remove the parts that exist, or write all parts again with -f\n");
            assert_eq!(dir.all(), some, "{line}");
        }
        run("-f").code(0);
        assert_eq!(dir.all(), all, "{line}");
        assert!(
            dir.read(first) == content && dir.read(others) != b"theirs",
            "{line}"
        );
    }
}

/// daisho does not choose other names than those that were asked for.
#[test]
fn a_part_named_like_another_archive_is_refused() {
    let dir = Dir::new();
    for n in 0..3 {
        let pak = Pak::new().stored(format!("a{n}"), b"a");
        let pak = pak.stored(format!("b{n}"), b"b");
        dir.file(format!("in/pak{n}.pak"), pak.quake());
    }
    for engine in ["", " --engine quakespasm", " --engine darkplaces,fteqw"] {
        let line = format!("in -C out --max-entries 1{engine}");
        let said = "the output of \"in/pak1.pak\" would also be written here";
        convert_refused(&dir, &line, said);
    }
    dir.refuses("convert in -C out --max-entries 1 --engine quakespasm")
        .err_has("--> out/pak1.pak")
        .err_has("help: merge the archives, or convert each archive in a command of its own");
    // Both ways out.
    dir.ok("convert --merge in -o out/pak0.pak --max-entries 1 --engine quakespasm");
    dir.lists("out/pak5.pak", "b2");
    let alone = "convert in/pak1.pak -o alone/pak2.pak --max-entries 1 --engine quakespasm";
    dir.ok(alone);
    dir.lists("alone/pak3.pak", "b1");
}

/// pak1.pak closes the gap behind which this engine loads paks by name.
#[test]
fn a_part_that_changes_the_load_order_is_refused() {
    let dir = Dir::new();
    dir.file("in/pak0.pak", pak(2).quake());
    for name in ["pak2", "pak10"] {
        dir.file(format!("in/{name}.pak"), pak(1).quake());
    }
    let said =
        "fteqw would not load this archive in the same order as now, because another one is split";
    convert_refused(&dir, "in -C out --max-entries 1 --engine fteqw", said);
    // Another one loads them by number.
    dir.ok("convert in -C out --max-entries 1 --engine yquake2");
    assert!(dir.path("out/pak1.pak").exists());
}

#[test]
fn archives_of_a_directory_keep_names_or_are_refused() {
    let dir = Dir::new();
    for name in ["pak0", "pak3", "mod"] {
        dir.file(format!("in/{name}.pak"), pak(2).quake());
    }
    let said = "quake, quake2 would not load the output as \"mod.pak\": it looks only for pak0.pak, pak1.pak and so on";
    convert_refused(&dir, "in -C out --engine quake,quake2", said);
    for (out, engine, extension) in [
        ("a", "yquake2", "pak"),
        ("b", "q2pro", "pak"),
        ("c", "ioquake3", "pk3"),
        ("d", "q2pro --to pk3", "pkz"),
    ] {
        dir.ok(format!("convert in -C {out} --engine {engine}"));
        for name in ["pak0", "pak3", "mod"] {
            let path = format!("{out}/{name}.{extension}");
            assert!(dir.path(&path).exists(), "{path}");
        }
    }
}

#[test]
fn the_parts_have_to_be_in_order_for_each_engine() {
    let dir = Dir::new();
    dir.file("in.pak", pak(2).quake());
    let said = "quake2 would not load part 2 as \"pak10.pak\": it asks for no number above 9";
    for engines in ["quake,quake2", "quake2,quake"] {
        let args = format!("in.pak -o pak9.pak --max-entries 1 --engine {engines}");
        convert_refused(&dir, &args, said);
    }
}

/// K and M are of 1024, as is MiB; MB is of 1000.
#[test]
fn a_limit_in_megabytes_is_smaller_than_in_mebibytes() {
    let dir = Dir::new();
    let half = vec![7; 510_000];
    let pak = Pak::new().stored("a", &half).stored("b", &half).quake();
    dir.file("in.pak", pak);
    for (size, parts) in [("1MB", 2), ("1MiB", 1), ("1M", 1), ("1.000000001M", 1)] {
        let rows = dir
            .ok(format!(
                "convert in.pak -n --json -q -o pak0.pak --max-size {size}"
            ))
            .json();
        let outputs = rows[0]["outputs"].as_array().unwrap().len();
        assert_eq!(outputs, parts, "{size}");
    }
}

/// Three parts are named besides the first.
#[test]
fn existing_parts_are_named_and_counted() {
    let dir = Dir::new();
    dir.file("in.pak", pak(6).quake());
    for part in 0..5 {
        dir.file(format!("pak{part}.pak"), "theirs");
    }
    dir.refuses("convert in.pak -o pak0.pak --max-entries 1 -k").err_has(
        "only 5 of the 6 parts exist: this and \"pak1.pak\", \"pak2.pak\", \"pak3.pak\", 1 more\n",
    );
}
