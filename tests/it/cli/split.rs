//! `convert` and `create` with limits: outputs that are split, and what speaks against it.

use super::Dir;
use super::paks::{entry, many};
use crate::archive::build::Pak;

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
        let line = format!("convert {args} {dry}");
        dir.refuses(line).out("").err_has(said);
        assert_eq!(dir.all(), before);
    }
}

#[test]
fn convert_splits_at_each_limit() {
    let dir = Dir::new();
    dir.file("in.pak", pak(5).daikatana());
    dir.ok("convert in.pak -o pak1.pak --max-entries 2")
        .out("")
        .err_has(
            "  pak1.pak: 2 entries, 160 bytes\n  pak2.pak: 2 entries, 160 bytes\n  \
             pak3.pak: 1 entry, 86 bytes\nin.pak -> pak1.pak: 3 archives, 5 entries, 422 bytes to 406 bytes\n\
             3 archives written: 5 entries",
        );
    dir.lists("pak1.pak", "f0 f1");
    dir.lists("pak2.pak", "f2 f3");
    dir.lists("pak3.pak", "f4");
    // The same with a limit of bytes, which is of the whole file.
    dir.ok("convert in.pak -o x/x08.pak --max-size 160");
    assert_eq!(dir.files("x"), ["x08.pak", "x09.pak", "x10.pak"]);
    dir.lists("x/x09.pak", "f2 f3");
    dir.ok("convert in.pak -o y/y1.pak --max-size 159");
    assert_eq!(dir.files("y").len(), 5);
    dir.lists("y/y5.pak", "f4");
    // Where nothing exceeds a limit, the name is free, and nothing else changes.
    dir.ok("convert in.pak -o one.pak --max-entries 5 --max-size 1K");
    assert_eq!(dir.read("one.pak"), pak(5).quake());
}

/// Engines load them over the new parts.
#[test]
fn parts_of_an_older_split_are_named() {
    let dir = Dir::new();
    dir.file("in.pak", pak(5).quake());
    dir.ok("convert in.pak -o pak1.pak --max-entries 1").err_lacks("older split");
    dir.ok("convert in.pak -o pak1.pak --max-entries 2 -f")
        .err_has("warning: this is left of an older split")
        .err_has("  --> pak4.pak\n");
    dir.ok("convert in.pak -o pak4.pak --max-entries 3 -f").err_lacks("older split");
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
    dir.ok("-q convert in.pak -o pak0.pak --engine daikatana").quiet();
    assert_eq!(dir.read("pak0.pak"), pak(2).daikatana());
    dir.ok("-q convert in.pak -o pak1.pak --engine quake2 --to quake").quiet();
    for verb in ["convert", "create"] {
        dir.refuses(format!("{verb} in.pak -o pak1.pak --engine quake2 --to daikatana"))
            .err_has("daisho writes quake archives for quake2, but you asked for a daikatana one");
    }
}

#[test]
fn impossible_outputs_and_splits_are_refused() {
    let dir = Dir::new();
    dir.file("in.pak", pak(5).quake());
    let odd = pak(2).stored("big", [7; 500]);
    let odd = odd.stored("twice", b"a").stored("twice", b"b");
    dir.file("odd.pak", odd.quake());
    std::fs::create_dir(dir.path("dir2.pak")).unwrap();
    let too_large = "error: the output must be split into 3 archives, but the number in its name is too large \
                     to count up that far\n";
    for (args, said) in [
        (
            "in.pak -o out.pak --max-entries 2",
            "error: the output must be split into 3 archives, but its name does not end in a number",
        ),
        ("in.pak -o pak18446744073709551614.pak --max-entries 2", too_large),
        ("in.pak -o pak99999999999999999999.pak --max-entries 2", too_large),
        ("in.pak -o dir1.pak --max-entries 3 -f", "  --> dir2.pak\n"),
        (
            "in.pak -o new.pak --engine quake2",
            "quake2 would not load the output as \"new.pak\": it looks only for pak0.pak, pak1.pak and so on",
        ),
        (
            "in.pak -o pak8.pak --max-entries 2 --engine quake2",
            "quake2 would not load part 3 as \"pak10.pak\": it asks for no number above 9",
        ),
        (
            "in.pak -o pak9.pak --max-entries 3 --engine quake,quake2",
            "quake2 would not load part 2 as \"pak10.pak\": it asks for no number above 9",
        ),
        (
            "in.pak -o pak9.pak --max-entries 3 --engine quake2,quake",
            "quake2 would not load part 2 as \"pak10.pak\": it asks for no number above 9",
        ),
        (
            "in.pak -o mod1.pak --max-entries 2 --engine quake",
            "quake would not load part 1 as \"mod1.pak\"",
        ),
        (
            "in.pak -o pak9.pak --max-entries 2 --engine darkplaces",
            "as \"pak10.pak\": it is loaded before the part that it follows",
        ),
        (
            "odd.pak -o pak1.pak --max-size 575",
            "error: this entry needs an archive of 576 bytes, but --max-size allows only 575\n  \
             --> odd.pak: entry 2 \"big\"\n",
        ),
        (
            "odd.pak -o pak1.pak --max-entries 1 --engine quake",
            "the 2 entries of this name must stay together and need an archive of 2 entries, but \
             --max-entries allows only 1\n  --> odd.pak: entry 3 \"twice\"\n",
        ),
    ] {
        convert_refused(&dir, args, said);
    }
    dir.ok("convert in.pak -o a/mod1.pak --max-entries 2 --engine darkplaces");
    assert_eq!(dir.files("a"), ["mod1.pak", "mod2.pak", "mod3.pak"]);
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
    dir.remove("in/pak2.pak");
    dir.ok("convert -r in -C out --max-entries 2").err_has("5 archives written");
    dir.lists("out/pak2.pak", "f2");
    dir.lists("out/sub/pak2.pak", "f2 f3");
    dir.lists("out/sub/pak3.pak", "f4");
}

/// The directory comes first, and the payload is a hole: nothing of it is read.
#[cfg(unix)]
#[test]
fn an_entry_too_large_for_the_engine_is_refused() {
    let dir = Dir::new();
    let size = (1_u32 << 31) - 76;
    let mut start = b"PACK\x0c\0\0\0\x40\0\0\0huge.cin".to_vec();
    start.resize(68, 0);
    start.extend(76_u32.to_le_bytes());
    start.extend(size.to_le_bytes());
    let path = dir.file("in.pak", start);
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(76 + u64::from(size)).unwrap();
    for engine in ["quake", "q2pro"] {
        let said = format!(
            "error: this entry needs an archive of 2147483648 bytes, but {engine} allows only 2147483647\n  \
             --> in.pak: entry 0 \"huge.cin\"\n"
        );
        convert_refused(&dir, &format!("in.pak -o pak1.pak --engine {engine}"), &said);
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
    dir.file("pak2.pak", "old");
    let mut session = dir.session();
    session.run("create mod -o out.pak --max-entries 2");
    session.run("create mod -o pak9.pak --max-entries 2 --engine quake2");
    session.run("create mod -o pak4.pak --max-size 85");
    session.run("create mod -o mod1.pak --max-size 160 -n");
    assert_eq!(dir.all().len(), 7);
    session.run("create mod -o pak1.pak --max-entries 2 -f");
    dir.lists("pak2.pak", "f2 f3");
    session.is("create-splits");
}

#[test]
fn lowercase_is_for_every_engine_and_reports_clashes() {
    let dir = Dir::new();
    let mixed = ["MAPS\\E1M1.bsp", "maps/e1m1.bsp", "Zoo", "zoo", "Zoo"];
    dir.file("in.pak", Pak::named(&mixed, "x").quake());
    let convert = "convert in.pak -f -o pak0.pak --lowercase";
    let mut session = dir.session();
    session.run(convert);
    dir.lists("pak0.pak", "maps/e1m1.bsp maps/e1m1.bsp zoo zoo zoo");
    session.run(format!("{convert} --engine q2pro"));
    session.run(format!("{convert} --engine daikatana"));
    session.is("convert-lowercase");
    // What is one name now stays in one part.
    dir.ok(format!("{convert} --max-entries 3"));
    dir.lists("pak0.pak", "maps/e1m1.bsp maps/e1m1.bsp");
    dir.lists("pak1.pak", "zoo zoo zoo");
    // A pak of names that are fine is written as without it.
    dir.file("fine.pak", pak(2).quake());
    dir.ok("-q convert fine.pak -o same.pak --lowercase").quiet();
    assert_eq!(dir.read("same.pak"), pak(2).quake());
}

#[test]
fn create_writes_lower_case_too() {
    let dir = Dir::new();
    dir.file("mod/Progs.dat", "first");
    dir.file("mod/Maps/A.bsp", "second");
    dir.ok("create -o pak0.pak mod --lowercase --engine quake").err_lacks("warning");
    dir.lists("pak0.pak", "maps/a.bsp progs.dat");
}

#[test]
fn unfindable_names_are_one_line_or_all_with_v() {
    let dir = Dir::new();
    dir.file("in.pak", Pak::named(&["A", "b", "C\\d", "E", "F"], "").quake());
    let mut session = dir.session();
    for engine in ["quake", "quake -v", "darkplaces -v", "fteqw", "quake --lowercase"] {
        session.run(format!("convert in.pak -f -o pak0.pak --engine {engine}"));
    }
    session.run("convert in.pak -f -o pak0.pak");
    session.is("convert-unfindable-names");
}

#[test]
fn without_limits_engines_that_refuse_are_named() {
    let dir = Dir::new();
    let convert = |count: usize, more: &str| {
        dir.file("in.pak", many(count, "").quake());
        dir.ok(format!("convert in.pak -f -o out.pak {more}"))
    };
    convert(2048, "").err_lacks("warning");
    convert(2049, "").err_has(
        "warning: quake, quakespasm, ironwail, vkquake refuse this archive: it has 2049 entries, more than 2048, and the game does not start with it; hexen2, hexenwail refuse this archive: it has 2049 entries, more than 2048\n  --> out.pak\nhelp: 'daisho create' and 'daisho convert' split their output with --engine, --max-entries or --max-size",
    );
    // Asked for a limit, one knows.
    convert(2049, "--max-entries 3000").err_lacks("warning");
    convert(4097, "").err_has(
        "qss, quake2 refuse this archive: it has 4097 entries, more than 4096, and the game does not start with it; hexen2, hexenwail refuse this archive: it has 4097 entries, more than 2048\n",
    );
    convert(4097, "--to daikatana").err_lacks("warning");
}

/// DarkPlaces refuses a whole ZIP for one long name, and splitting cannot shorten it.
#[test]
fn names_that_keep_an_engine_from_loading_are_refused() {
    let dir = Dir::new();
    let long = format!("{}/{}.txt", "a".repeat(100), "b".repeat(30));
    dir.file(format!("in/{long}"), "long");
    dir.file("in/short.txt", "short");
    let said = "darkplaces refuses this archive: it takes names of at most 127 bytes, and refuses a ZIP with a longer one: entry 0 ";
    let advice = "help: give these entries shorter names, or leave them out\n";
    dir.ok("create in -o in.pk3").err_has(&format!("warning: {said}")).err_has(advice);
    let convert = "convert in.pk3 -o new.pk3 --engine darkplaces";
    let create = "create in -o new.pk3 --engine darkplaces";
    for line in [convert, create] {
        let before = dir.all();
        for more in ["", "-n", "--max-entries 1"] {
            dir.refuses(format!("{line} {more}"))
                .err_has(&format!("error: {said}"))
                .err_has(advice);
            assert_eq!(dir.all(), before);
        }
        dir.ok(format!("{line} -f -x b*.txt"));
    }
    dir.refuses(format!("add new.pk3 in/{long} --engine darkplaces")).err_has(advice);
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
        pak = pak.entry(entry(format!("f{n}").as_bytes(), start, 50_000, None));
    }
    dir.file("in.pak", pak.quake());
    dir.ok("convert in.pak -o whole.pak");
    let before = dir.all();
    for dry in ["", "-n"] {
        let ran = dir.run(format!("convert in.pak -o p0.pak --max-entries 1 {dry}"));
        assert!(ran.is(1) || ran.is(2), "{ran}");
        ran.err_has("--max-expansion");
        assert_eq!(dir.all(), before);
    }
    dir.ok("convert in.pak -o p0.pak --max-entries 1 --max-expansion 100");
    assert!(dir.has("p99.pak"));
}

#[test]
fn shared_payloads_stay_shared_in_each_part() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    let shared = pak.payload(&[7; 5000]);
    for name in [b"a", b"b", b"c"] {
        pak = pak.entry(entry(name, shared, 5000, None));
    }
    dir.file("in.pak", pak.quake());
    dir.ok("convert in.pak -o pak0.pak --max-entries 2");
    assert_eq!(dir.read("pak0.pak").len(), 12 + 5000 + 2 * 64);
    assert_eq!(dir.read("pak1.pak").len(), 12 + 5000 + 64);
}

/// -k keeps a split that is whole, and changes nothing where it is not; -f writes all of it.
#[test]
fn k_refuses_a_split_with_only_some_parts() {
    let dir = Dir::new();
    dir.file("in/a1.pak", pak(9).quake());
    dir.file("in/b1.pak", pak(3).quake());
    for n in 0..9 {
        dir.file(format!("files/{n}"), n.to_string());
    }
    for (line, first) in [
        ("convert in/a1.pak -o c1.pak", "c1.pak"),
        ("create files -o n1.pak", "n1.pak"),
        ("convert -r in -C out", "out/a1.pak"),
        ("convert --merge in -o all1.pak --engine darkplaces", "all1.pak"),
    ] {
        let run = |more: &str| dir.run(format!("{line} --max-entries 2 {more}"));
        let others = first.replace('1', "2");
        run("-k").code(0);
        let (all, content) = (dir.all(), dir.read(first));
        dir.file(&others, "theirs");
        run("-k").code(0).err_has("kept");
        assert_eq!(dir.read(&others), b"theirs", "{line}");

        dir.remove(first);
        let some = dir.all();
        let place = format!("  --> {others}\n");
        run("").code(2).err_has(&format!(" files already exist\n{place}"));
        for how in ["-k", "-kn"] {
            run(how)
                .code(2)
                .err_has("error: only 4 of the 5 parts exist: this and \"")
                .err_has(&place)
                .err_has("help: remove the parts that exist, or write all parts again with -f\n");
            assert_eq!(dir.all(), some, "{line}");
        }
        run("-f").code(0);
        assert_eq!(dir.all(), all, "{line}");
        assert!(dir.read(first) == content, "{line}");
        assert!(dir.read(&others) != b"theirs", "{line}");
    }
    // Three parts are named besides the first.
    dir.ok("convert in/a1.pak -o x1.pak --max-entries 1");
    dir.remove("x9.pak");
    dir.refuses("convert in/a1.pak -o x1.pak --max-entries 1 -k").err_has(
        "only 8 of the 9 parts exist: this and \"x2.pak\", \"x3.pak\", \"x4.pak\", 4 more\n",
    );
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
            assert!(dir.has(&path), "{path}");
        }
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
        let rows =
            dir.ok(format!("convert in.pak -n --json -q -o pak0.pak --max-size {size}")).json();
        let outputs = rows[0]["outputs"].as_array().unwrap().len();
        assert_eq!(outputs, parts, "{size}");
    }
}
