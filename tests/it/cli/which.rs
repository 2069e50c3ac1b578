//! `which`, and `list --effective`: a game's directories as an engine sees them.

use super::Dir;
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// A base and a mod, with loose files.
fn game() -> Dir {
    let dir = Dir::new();
    let pak = |names: &[&str]| {
        let add = |pak: Pak, name: &&str| pak.stored(name, name);
        names.iter().fold(Pak::new(), add)
    };
    dir.file("id1/pak0.pak", pak(&["progs.dat", "maps/start.bsp", "gfx.wad"]).quake());
    dir.file("id1/pak1.pak", pak(&["maps/e2m1.bsp", "maps/start.bsp"]).quake());
    dir.file("id1/maps/start.bsp", "loose");
    dir.file("mod/pak0.pak", pak(&["progs.dat", "MAPS/Mod.bsp"]).quake());
    dir.file("mod/autoexec.cfg", "bind w +forward\n");
    dir
}

/// Which of these loads last was seen to turn around with the listing of the directory.
#[test]
#[cfg(target_os = "linux")]
fn which_calls_listing_order_not_defined() {
    let dir = Dir::new();
    let pak = |names: &[&str]| Pak::named(names, "1").quake();
    dir.file("n/pak0.pak", pak(&["x"]));
    dir.file("n/pak1.pak", pak(&["x", "y"]));
    dir.file("n/pak01.pak", pak(&["x"]));
    dir.file("c/pak0.pak", pak(&["x"]));
    dir.file("c/pak1.pak", pak(&["x"]));
    dir.file("c/PAK1.PAK", pak(&["x", "z"]));
    let mut session = dir.session();
    session.run("which n x --engine q2pro");
    session.run("which n y --engine q2pro");
    session.run("which c x --engine darkplaces");
    session.run("which c z --engine darkplaces");
    session.run("which n x --engine q2pro --json");
    // The listing of all that is served names both archives, too.
    session.run("list --effective n --engine q2pro");
    session.is("which-listing-order");
}

/// What an engine loads later goes before what it loads earlier.
#[test]
fn archives_load_in_the_order_of_their_engine() {
    let dir = Dir::new();
    let pak = || Pak::new().stored("x", b"1").quake();
    for path in [
        "number/pak0.pak",
        "own/id1/pak0.pak",
        "own/quakespasm.pak",
        "sorted/pak2.pak",
        "sorted/pak10.pak",
    ] {
        dir.file(path, pak());
    }
    dir.file("number/pak0.pk3", Zip::new().stored("x", b"1").bytes());
    for (folder, engine, served, shadowed) in [
        ("number", "qss", "number/pak0.pk3", "number/pak0.pak"),
        ("own/id1", "quakespasm", "own/quakespasm.pak", "own/id1/pak0.pak"),
        ("sorted", "q2pro", "sorted/pak10.pak", "sorted/pak2.pak"),
    ] {
        let ran = dir.run(format!("which {folder} x --engine {engine}"));
        let expected =
            format!("served    {served}: entry 0 \"x\"\nshadowed  {shadowed}: entry 0 \"x\"\n");
        ran.code(0).out(&expected).quiet();
    }
}

#[test]
fn an_empty_pak_ends_the_numbers_with_a_reason() {
    let dir = Dir::new();
    let pak = Pak::new().stored("x", b"1").quake();
    dir.file("g/pak0.pak", &pak);
    dir.file("g/pak1.pak", Pak::new().quake());
    dir.file("g/pak2.pak", &pak);
    dir.ok("which g x --engine quakespasm").err_has(
        "pak1.pak has no entries, and the engine asks for no number after such a one\n  --> g/pak2.pak\n",
    );
}

/// Only where more than half of the paks are Daikatana's.
#[test]
fn which_chooses_the_engine_by_most_paks() {
    let dir = Dir::new();
    dir.file("g/pak0.pak", Pak::new().stored("x", b"1").quake());
    dir.file("g/pak1.pak", Pak::new().stored("x", b"1").daikatana());
    let list = || dir.ok("list --effective g");
    list().err_has("by the rules of quake");
    dir.file("g/pak2.pak", Pak::new().stored("x", b"1").daikatana());
    list().err_has("by the rules of daikatana");
}

#[test]
fn which_skips_entries_that_an_engine_skips() {
    let dir = Dir::new();
    dir.file("g/pak0.pk3", Zip::new().stored("x", b"1").bytes());
    let encrypted = Zip::new().deflated("x", b"2").both(|it| it.flags |= 1);
    dir.file("g/pak1.pk3", encrypted.bytes());
    let which = |engine: &str| dir.ok(format!("which g x --engine {engine}"));
    which("fteqw").out("served    g/pak0.pk3: entry 0 \"x\"\n");
    let both = "served    g/pak1.pk3: entry 0 \"x\"\nshadowed  g/pak0.pk3: entry 0 \"x\"\n";
    which("ioquake3").out(both);
}

#[test]
fn which_warns_of_paks_loaded_in_listing_order() {
    let dir = Dir::new();
    for (path, name) in [("a", "X.cfg"), ("b", "x.cfg"), ("c", "y.cfg")] {
        let pak = Pak::new().stored(name, path);
        dir.file(format!("mod/{path}.pak"), pak.quake());
    }
    let mut session = dir.session();
    session.run("which mod x.cfg --engine yquake2");
    // Case tells the names apart; the listing is sorted.
    for engine in ["qss", "darkplaces", "fteqw"] {
        session.run(format!("which mod x.cfg --engine {engine}"));
    }
    // What has a number is not among the others.
    std::fs::rename(dir.path("mod/a.pak"), dir.path("mod/pak0.pak")).unwrap();
    session.run("which mod x.cfg --engine yquake2");
    session.is("which-unnumbered-paks");
}

#[test]
fn which_prints_the_served_copy_then_shadowed_ones() {
    let dir = game();
    let mut session = dir.session();
    session.run("which id1 mod maps/start.bsp");
    session.run("which id1 mod progs.dat --engine darkplaces -v");
    session.run("which id1 maps/start.bsp --json -q");
    session.is("which-served-and-shadowed");
}

#[cfg(target_os = "linux")]
#[test]
fn which_of_an_unserved_name_explains_why() {
    let dir = game();
    let mut session = dir.session();
    session.run("which id1 mod -q nothing");
    session.run("which id1 mod -q maps/mod.bsp");
    session.run("which id1 mod -q AUTOEXEC.CFG");
    dir.file("id1/PAK2.PAK", Pak::named(&["maps/e3m1.bsp"], "x").quake());
    session.run("which id1 mod maps/e3m1.bsp");
    session.run("which id1 mod maps/e3m1.bsp --engine darkplaces -v");
    session.is("which-unserved-names");
}

#[test]
fn which_asks_for_a_name_as_the_engine_would() {
    let dir = Dir::new();
    let pak = Pak::new().stored("maps/a.bsp", b"").stored("b\\c", b"");
    dir.file("g/pak0.pak", pak.quake());
    let mut session = dir.session();
    for name in ["./maps/a.bsp", "/MAPS\\a.bsp", "x/../maps//a.bsp"] {
        session.run(format!("which g {name} --engine q2pro"));
    }
    session.run("which g ./maps/a.bsp --engine darkplaces");
    session.run("which g /maps/a.bsp --engine fteqw");
    for engine in ["fteqw", "q2pro", "quake2"] {
        session.run(format!("which g b/c --engine {engine}"));
    }
    // Left out of the listing, since it is never found, and not without a word.
    session.run("list --effective g --engine darkplaces");
    session.is("which-names-as-engines-ask");
}

#[test]
fn which_refuses_paths_without_a_game() {
    let dir = game();
    dir.file("files/readme.txt", "nothing");
    dir.file("broken/pak0.pak", "nothing");
    for (path, words) in [
        ("id1/pak0.pak", "error: this is not a directory\n"),
        ("nowhere", "  --> nowhere\n"),
        ("broken", "this is not a known archive"),
    ] {
        dir.refuses(format!("which {path} a")).out("").err_has(words);
        let list = format!("list --effective {path}");
        dir.refuses(list).out("").err_has(words);
    }
    dir.refuses("list --effective files")
        .out("")
        .err_has("error: there is no pak in this game's directory\n  --> files\n");
}

#[test]
fn which_reports_a_pak_that_stops_the_engine() {
    let dir = game();
    dir.file("id1/pak2.pak", Pak::new().quake());
    dir.fails("which id1 gfx.wad --engine yquake2")
        .out("served    id1/pak0.pak: entry 2 \"gfx.wad\"\n")
        .err_has("error: yquake2 refuses this archive: it has no entries, and the game does not start with it\n  --> id1/pak2.pak\n");
}

#[test]
fn list_effective_has_each_name_once() {
    let dir = game();
    let mut session = dir.session();
    session.run("list --effective id1 mod -q");
    // Loose files of the base lose; those of the mod come before its paks.
    session.run("list --effective id1 mod -q --loose");
    session.run("list --effective id1 mod -q --loose --engine fteqw -i *.bsp");
    session.run("list --effective id1 mod -q --json --loose -i gfx.wad -i *.cfg");
    session.run("list --effective id1 -i *.none -q");
    session.is("list-effective");
}

#[test]
fn undefined_duplicates_are_one_warning() {
    let dir = Dir::new();
    let pak = [("a", "1"), ("b", "2"), ("A", "3"), ("b", "4")];
    dir.file("g/pak0.pak", Pak::of(&pak).quake());
    let mut session = dir.session();
    session.run("list --effective g --engine yquake2");
    session.run("list --effective g --engine yquake2 -v");
    session.run("which g b --engine yquake2");
    session.run("which g b --engine q2pro");
    session.is("which-undefined-duplicates");
}

/// Names stay bytes, and are escaped where they are printed.
#[cfg(unix)]
#[test]
fn non_utf_8_names_compare_without_case() {
    use std::os::unix::ffi::OsStrExt as _;
    let dir = Dir::new();
    for name in [b"g/caf\xe9.pak", b"g/CAF\xe9.pak"] {
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name));
        dir.file(path, Pak::new().stored("x.cfg", b"bytes").quake());
    }
    dir.ok("which g x.cfg --engine qss").out_has("served    g/caf\\xe9.pak");
}

#[test]
fn which_takes_its_base_from_the_environment() {
    let dir = game();
    let which = |game: &str, args: &str| {
        let which = dir.command(format!("which {args} -q"));
        which.env("DAISHO_GAME", game).run()
    };
    let of_base = "served    id1/pak1.pak: entry 1 \"maps/start.bsp\"\n\
                 shadowed  id1/pak0.pak: entry 1 \"maps/start.bsp\"\n\
                 shadowed  id1/maps/start.bsp\n";
    which("id1", "maps/start.bsp").code(0).out(of_base);
    which("id1", "mod maps/start.bsp").code(0).out(of_base);
    // It is not a second directory where it is the one that is given.
    which("./id1/../id1", "id1 maps/start.bsp").out(of_base);
    which("mod", "id1 mod progs.dat").out(
        "served    mod/pak0.pak: entry 0 \"progs.dat\"\n\
         shadowed  id1/pak0.pak: entry 0 \"progs.dat\"\n",
    );
    which("", "id1 mod/x").code(1);
    which("", "x").code(2).err_has("'daisho which' takes a game's directory and a name");
    which("gone", "x")
        .code(2)
        .err_has("DAISHO_GAME is \"gone\", but there is no such file or directory");
    // A file is an archive of a game, but not a directory that an engine loads.
    which("id1/pak0.pak", "x").code(2);
}

/// A directory without archives is a game of loose files, as it is an archive elsewhere.
#[test]
fn which_takes_a_directory_of_loose_files() {
    let dir = Dir::new();
    dir.file("base/maps/start.bsp", "1");
    dir.file("mod/maps/start.bsp", "2");
    dir.file("ruin/maps/start.bsp", "1");
    dir.file("ruin/pak0.pak", "PACK");
    dir.file("outer/id1/pak0.pak", Pak::new().stored("a", b"1").quake());
    dir.file("hidden/.git/config", "1");
    dir.ok("which base mod maps/start.bsp")
        .out("served    mod/maps/start.bsp\nshadowed  base/maps/start.bsp\n")
        .err("by the rules of quake, because there are no paks; choose another engine with --engine\n");
    dir.fails("which base nothing --engine quake2").out("");
    dir.ok("list --effective --loose base").out("1  map  base/maps/start.bsp\n");
    for line in [
        "which ruin maps/start.bsp",
        "which outer a",
        "which hidden .git/config",
        "list --effective base",
    ] {
        dir.refuses(line).out("").err_has("error: ");
    }
}
