//! `convert --merge` and `extract --effective`: what an engine serves, in one pak or directory.

use super::Dir;
use super::paks::packed;
use crate::archive::build::Pak;

const HELP: &str = "by the rules of quake, because the paks have quake's layout; choose another engine with --engine\n";

/// Payloads of one length at one place in different paks, and two that follow each other across
/// paks: `a` ends in its pak where `y` begins in its own.
fn game(finish: fn(Pak) -> Vec<u8>) -> Dir {
    let dir = Dir::new();
    let pak = |files: &[(&str, &[u8])]| finish(Pak::of(files));
    dir.file("id1/pak0.pak", pak(&[("a", b"AAAA"), ("x", b"no!!")]));
    dir.file("id1/pak1.pak", pak(&[("x", b"no!!"), ("y", b"YYYY"), ("z", b"ZZ")]));
    dir.file("mod/pak0.pak", pak(&[("x", b"XXXX"), ("maps/m.bsp", b"level")]));
    dir.file("mod/z", "loose");
    dir
}

/// The names and contents of a pak, in its order.
fn contents(dir: &Dir, pak: &str) -> Vec<(String, Vec<u8>)> {
    let archive = daisho::Archive::open(dir.path(pak)).unwrap();
    let all = archive.entries();
    all.map(|entry| (entry.name().to_string(), entry.read().unwrap())).collect()
}

fn expected(files: &[(&str, &[u8])]) -> Vec<(String, Vec<u8>)> {
    let all = files.iter();
    all.map(|(name, content)| ((*name).to_owned(), content.to_vec())).collect()
}

/// What a merge of these directories with these options has in it.
fn merged(dir: &Dir, line: &str) -> Vec<(String, Vec<u8>)> {
    dir.ok(format!("convert --merge {line} -f -o pak0.pak"));
    contents(dir, "pak0.pak")
}

#[test]
fn a_merge_holds_the_winners_in_load_order() {
    let winners: &[(&str, &[u8])] =
        &[("a", b"AAAA"), ("y", b"YYYY"), ("z", b"ZZ"), ("x", b"XXXX"), ("maps/m.bsp", b"level")];
    for finish in [Pak::quake, Pak::daikatana] {
        let dir = game(finish);
        for to in ["quake", "daikatana"] {
            let out = format!("{to}.pak");
            dir.ok(format!("convert --merge id1 mod --to {to} -o {out}"))
                .err_has(&format!("id1 -> {out}: 5 entries"));
            assert_eq!(contents(&dir, &out), expected(winners), "{to}");
        }
    }
}

#[test]
fn loose_files_are_merged_only_if_asked_and_winning() {
    let dir = game(Pak::quake);
    // The mod's loose file beats the base's pak under any engine.
    let mut all = expected(&[
        ("a", b"AAAA"),
        ("y", b"YYYY"),
        ("z", b"loose"),
        ("x", b"XXXX"),
        ("maps/m.bsp", b"level"),
    ]);
    assert_eq!(merged(&dir, "id1 mod --loose --engine quake"), all);
    let loose = all.remove(2);
    all.push(loose);
    assert_eq!(merged(&dir, "id1 mod --loose --engine qss"), all);
}

#[test]
fn a_merge_names_the_pak_of_a_damaged_entry() {
    let dir = Dir::new();
    let sound = Pak::new().stored("a.cfg", "sound");
    dir.file("data/pak0.pak", sound.daikatana());
    let pak = Pak::new().stored("b.cfg", "sound");
    let pak = packed(pak, b"c.tga", b"abcd", b"\x02abc\xff");
    dir.file("data/pak1.pak", pak.daikatana());
    let merge = "convert --merge data -o out.pak";
    let place = "  --> data/pak1.pak: entry 1 \"c.tga\"";
    dir.fails(merge).err_has(place);
    dir.holds("data/ data/pak0.pak data/pak1.pak");
    dir.fails(format!("{merge} --keep-going")).err_has(place);
    assert_eq!(contents(&dir, "out.pak"), expected(&[("a.cfg", b"sound"), ("b.cfg", b"sound")]));
}

#[test]
fn a_merge_too_large_for_the_engine_is_a_warning() {
    let dir = Dir::new();
    for n in 0..2 {
        let names: Vec<String> = (0..1100).map(|m| format!("{n}/{m}")).collect();
        let pak = Pak::named(&names, "");
        dir.file(format!("id1/pak{n}.pak"), pak.quake());
    }
    let merge = |output: &str, more: &str| {
        let all = format!("convert --merge id1 -n -o {output}");
        dir.run(format!("{all} {more}"))
    };
    let warning = "warning: quake refuses this archive: it has 2200 entries, more than 2048, and the game does not start with it\n  --> out.pak\n";
    merge("out.pak", "").code(0).err_has(warning);
    merge("pak0.pak", "--engine quake2").code(0).err_lacks("warning");
    // For an engine that is named it is split.
    merge("out.pak", "--engine quake")
        .code(2)
        .err_has("the output must be split into 2 archives, but its name does not end in a number");
    merge("pak0.pak", "--engine quake")
        .code(0)
        .out_has("pak0.pak: would write 2048 entries")
        .out_has("pak1.pak: would write 152 entries");
    // Its rules are about what is served, and not about another engine's pak.
    merge("pak0.pak", "--engine quake --to daikatana")
        .code(0)
        .out_has("pak0.pak: would write 2200 entries");
}

#[test]
fn extract_effective_writes_only_served_files() {
    let dir = game(Pak::quake);
    dir.ok("extract --effective id1 mod -C out -x a").err_starts(HELP);
    assert_eq!(dir.files("out"), ["maps/m.bsp", "x", "y", "z"]);
    assert_eq!(dir.read("out/x"), b"XXXX");
    assert_eq!(dir.read("out/z"), b"ZZ");
    // A file in one pak where another pak needs a directory.
    dir.file("mod/pak1.pak", Pak::new().stored("maps", b"a file").quake());
    dir.ok("extract --effective mod -C two")
        .err_has("so this one is written as \"maps.dup-0\"\n  --> mod/pak1.pak: entry 0 \"maps\"");
    assert_eq!(dir.read("two/maps.dup-0"), b"a file");
    // And where a loose file needs one.
    dir.file("mod/a/b", "a is a directory here");
    dir.ok("extract --effective id1 mod --loose -C three")
        .err_has("so this one is written as \"a.dup-0\"\n  --> id1/pak0.pak: entry 0 \"a\"");
    assert_eq!(dir.read("three/a/b"), b"a is a directory here");
    assert_eq!(dir.read("three/a.dup-0"), b"AAAA");
}

/// Small streams are read together where they are neighbours, which those of two paks never are.
#[test]
fn small_streams_of_several_paks_keep_their_contents() {
    let dir = Dir::new();
    let streams: [(&str, &[u8], &[u8]); 4] = [
        ("a.tga", &[0; 195], b"\x7f\x7f\x7f\xff"),
        ("b.tga", b"abc", b"\x02abc\xff"),
        ("c.tga", b"abcd", b"\x03abcd\xff"),
        ("d.tga", &[7; 65], b"\xbf\x07\xff"),
    ];
    for (n, pair) in streams.chunks(2).enumerate() {
        let mut pak = Pak::new();
        for (name, content, stream) in pair {
            pak = packed(pak, name.as_bytes(), content, stream);
        }
        dir.file(format!("data/pak{n}.pak"), pak.daikatana());
    }
    let all = expected(&streams.map(|(name, content, _)| (name, content)));
    for to in ["quake", "daikatana"] {
        assert_eq!(merged(&dir, &format!("data --to {to}")), all, "{to}");
    }
}

#[test]
fn unreadable_games_merge_only_with_keep_going() {
    for junk in [false, true] {
        let dir = game(Pak::quake);
        let mut bytes = dir.read("id1/pak1.pak");
        if junk {
            bytes[..4].copy_from_slice(b"JUNK");
        } else {
            bytes.truncate(bytes.len() - 64);
        }
        dir.file("id1/pak1.pak", bytes);
        let run = |more: &str| dir.fails(format!("convert --merge id1 -o out.pak {more}"));
        run("").err_has("id1/pak1.pak");
        assert!(!dir.has("out.pak"));
        run("--keep-going").err_has("id1/pak1.pak");
        assert!(dir.has("out.pak"));
        dir.fails("list --effective id1").err_has("id1/pak1.pak");
    }
}

#[test]
fn merge_and_extract_warn_of_undefined_duplicates() {
    let dir = Dir::new();
    let pak = Pak::new().stored("a", b"0").stored("A", b"1").stored("b", b"2");
    dir.file("g/pak0.pak", pak.quake());
    for line in [
        "convert --merge g -o out.pak --engine darkplaces",
        "extract --effective g -C out --engine darkplaces",
    ] {
        dir.ok(line).err_has("warning: ").err_has("may serve any");
    }
}

/// A game in which an engine that ignores case serves two copies, each under its own name.
#[cfg(target_os = "linux")]
fn two_cases() -> Dir {
    let dir = Dir::new();
    let pak = Pak::new().stored("Maps/A", b"entry").stored("b", b"bb");
    dir.file("base/pak0.pak", pak.quake());
    dir.file("mod/pak0.pak", Pak::new().stored("c", b"c").quake());
    dir.file("mod/maps/a", "loose");
    dir
}

#[cfg(target_os = "linux")]
#[test]
fn a_merge_keeps_one_of_names_equal_but_for_case() {
    let dir = two_cases();
    let merge = "convert --merge base mod --loose -f -o pak0.pak --engine";
    let mut session = dir.session();
    session.run(format!("{merge} quake2"));
    let one: &[(&str, &[u8])] = &[("b", b"bb"), ("maps/a", b"loose"), ("c", b"c")];
    assert_eq!(contents(&dir, "pak0.pak"), expected(one));

    // An extraction has both.
    session.run("extract --effective base mod --loose -C out --engine quake2");
    assert_eq!(dir.read("out/Maps/A"), b"entry");
    assert_eq!(dir.read("out/maps/a.dup-0"), b"loose");

    // Neither is in lower case, and what is searched first is taken.
    std::fs::rename(dir.path("mod/maps"), dir.path("mod/MAPS")).unwrap();
    session.run(format!("{merge} quake2"));
    let one: &[(&str, &[u8])] = &[("b", b"bb"), ("MAPS/a", b"loose"), ("c", b"c")];
    assert_eq!(contents(&dir, "pak0.pak"), expected(one));

    // A file in lower case that is searched after the entry is never served.
    dir.file("base/maps/a", "base");
    session.run(format!("{merge} quake2"));
    assert_eq!(contents(&dir, "pak0.pak"), expected(one));

    // Where case matters, these are names of their own.
    session.run(format!("{merge} quake"));
    assert_eq!(contents(&dir, "pak0.pak").len(), 5);
    session.is("merge-equal-but-for-case");
}

/// A loose file that shadows an entry of exactly its name is what is served under that name.
#[test]
fn a_merge_takes_the_loose_file_of_exactly_this_name() {
    let dir = Dir::new();
    dir.file("g/pak0.pak", Pak::new().stored("Maps/A", b"entry").quake());
    dir.file("g/Maps/A", "loose");
    dir.ok("convert --merge g --loose -o pak0.pak --engine fteqw")
        .err_has("1 archive written: 1 entry, 5 bytes")
        .err_lacks("left out");
    assert_eq!(contents(&dir, "pak0.pak"), expected(&[("Maps/A", b"loose")]));
}

#[test]
fn merge_lowercase_keeps_the_copy_that_was_found() {
    let dir = Dir::new();
    let zero = [("x", "0"), ("Maps/X", "1"), ("Zoo", "2")];
    dir.file("g/pak0.pak", Pak::of(&zero).quake());
    dir.file("g/pak1.pak", Pak::of(&[("maps/x", "3"), ("zoO", "4")]).quake());
    dir.file("g/pak2.pak", Pak::of(&[("MAPS\\x", "5")]).quake());
    let mut session = dir.session();
    session.run("convert --merge g -o pak0.pak --engine quake --lowercase");
    let all: &[(&str, &[u8])] = &[("x", b"0"), ("maps/x", b"3"), ("zoo", b"4")];
    assert_eq!(contents(&dir, "pak0.pak"), expected(all));
    // Nor is a name extracted twice.
    session.run("extract --effective g -C out --engine quake --lowercase");
    assert_eq!(dir.files("out"), ["maps/x", "x", "zoo"]);
    assert_eq!(dir.read("out/maps/x"), b"3");
    session.is("merge-lowercase");
}

#[test]
fn merge_lowercase_reports_damage_by_the_old_name() {
    let dir = Dir::new();
    let pak = packed(Pak::new(), b"C.tga", b"abcd", b"\x02abc\xff");
    dir.file("data/pak0.pak", pak.daikatana());
    dir.fails("convert --merge data -o out.pak --lowercase")
        .err_has("  --> data/pak0.pak: entry 0 \"C.tga\"");
}

#[test]
fn effective_extract_copies_loose_files() {
    let dir = game(Pak::quake);
    dir.file("id1/x", "shadowed");
    dir.file("id1/sub/empty", "");
    dir.file("id1/big", vec![7; 100_000]);
    let extract = "extract --effective id1 mod --loose -C out";
    let mut session = dir.session();
    session.run(format!("{extract} -n --engine qss"));
    session.run(format!("{extract} -v"));
    assert_eq!(dir.read("out/z"), b"loose");
    assert_eq!(dir.read("out/x"), b"XXXX");
    assert_eq!(dir.read("out/big"), [7; 100_000]);
    assert_eq!(dir.read("out/sub/empty"), b"");
    // Existing files are kept or replaced by the same rules as in any extraction.
    session.run(extract);
    dir.file("out/z", "mine");
    session.run(format!("{extract} -k"));
    assert_eq!(dir.read("out/z"), b"mine");
    session.run(format!("{extract} -f"));
    assert_eq!(dir.read("out/z"), b"loose");
    session.is("extract-effective-loose-files");
}

/// Nor is a pak of the game overwritten from which nothing is taken, or that is never loaded.
#[test]
fn extract_effective_never_overwrites_a_pak() {
    let dir = game(Pak::quake);
    let paks = Pak::new().stored("pak1.pak", b"1").stored("pak7.pak", b"7");
    dir.file("top/pak0.pak", paks.quake());
    dir.file("id1/pak7.pak", Pak::new().stored("a", b"").quake());
    for pak in ["pak1", "pak7"] {
        dir.refuses(format!("extract --effective id1 top -C id1 -f -i {pak}.pak"))
            .err_has(&format!("this is an input, \"id1/{pak}.pak\""));
    }
}

#[test]
fn effective_extract_reports_each_problem_once() {
    let dir = Dir::new();
    let shadowed = Pak::new().stored("a", b"0").quake();
    dir.file("g/pak0.pak", shadowed);
    let mut cut = Pak::new().stored("a", b"1").stored("b", b"2").quake();
    cut.truncate(cut.len() - 64);
    dir.file("g/pak1.pak", cut);
    let extract = |more: &str| {
        let all = "extract --effective g -C out --engine quake";
        dir.fails(format!("{all} {more}"))
    };
    let ran = extract("");
    assert_eq!(ran.err_count("  --> g/pak1.pak"), 1, "{ran}");
    assert!(!ran.stderr().contains("g/pak0.pak"), "{ran}");
    // Where the globs pick nothing, that is all there is to say.
    let ran = extract("-i none");
    assert_eq!(ran.err_count("no entry matches"), 1, "{ran}");
    assert!(!ran.stderr().contains("0 files"), "{ran}");
}

#[test]
fn unfindable_names_are_numbered_as_merged() {
    let dir = Dir::new();
    dir.file("g/pak0.pak", Pak::new().stored("A", b"").stored("b", b"").quake());
    dir.file("g/pak1.pak", Pak::new().stored("C", b"").quake());
    dir.ok("convert --merge g -n -v --engine quake -o pak0.pak").err_has(
        "  entry 0 \"A\" is found only under exactly this spelling by quake\n  \
         entry 2 \"C\" is found only under exactly this spelling by quake\n",
    );
}

/// No engine's rules apply to archives that were named one by one.
#[test]
fn a_merge_of_archives_says_their_format() {
    let dir = Dir::new();
    dir.file("a.pak", Pak::of(&[("a", b"a")]).daikatana());
    dir.file("b.pak", Pak::of(&[("b", b"b")]).daikatana());
    dir.file("c.pak", Pak::of(&[("c", b"c")]).quake());
    for (paks, from) in [("a.pak b.pak", "\"daikatana\""), ("a.pak c.pak", "null")] {
        dir.ok(format!("convert --merge {paks} -o out.pak -f --json"))
            .out_has(&format!("\"from\":{from},"));
    }
}
