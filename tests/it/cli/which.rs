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
    dir.file(
        "id1/pak0.pak",
        pak(&["progs.dat", "maps/start.bsp", "gfx.wad"]).quake(),
    );
    dir.file(
        "id1/pak1.pak",
        pak(&["maps/e2m1.bsp", "maps/start.bsp"]).quake(),
    );
    dir.file("id1/PAK2.PAK", pak(&["maps/e3m1.bsp"]).quake());
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
    dir.ok("which n x --engine q2pro")
    .out(
        "not defined  n/pak1.pak: entry 0 \"x\"\n\
         not defined  n/pak01.pak: entry 0 \"x\"\n\
         shadowed  n/pak0.pak: entry 0 \"x\"\n",
    )
    .err_has(
        "warning: q2pro loads \"pak01.pak\" and \"pak1.pak\" in the order in which the file system lists them, \
         so for 1 file it is not defined which copy it serves\n  --> n\n",
    );
    dir.ok("which n y --engine q2pro")
        .out("served    n/pak1.pak: entry 1 \"y\"\n");
    dir.ok("which c x --engine darkplaces")
    .out("not defined  c/pak1.pak: entry 0 \"x\"\nshadowed  c/pak0.pak: entry 0 \"x\"\n")
        .err_has(
            "warning: darkplaces loads only one of \"pak1.pak\" and \"PAK1.PAK\", and the order in which the \
             file system lists them decides which one\n  --> c/PAK1.PAK\n",
        );
    dir.fails("which c z --engine darkplaces")
        .err_has("it is not defined whether this engine loads the archive\n");
    let rows = dir.run("which n x --engine q2pro --json").json();
    let served: Vec<_> = rows.iter().map(|row| row["served"].clone()).collect();
    assert_eq!(
        served,
        [None, None, Some(false)].map(serde_json::Value::from)
    );
    // The listing of all that is served names both archives, too.
    dir.ok("list --effective n --engine q2pro")
        .err_has("\"pak01.pak\" and \"pak1.pak\"");
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
        (
            "own/id1",
            "quakespasm",
            "own/quakespasm.pak",
            "own/id1/pak0.pak",
        ),
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
    list().err_has("as quake sees it");
    dir.file("g/pak2.pak", Pak::new().stored("x", b"1").daikatana());
    list().err_has("as daikatana sees it");
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

/// Whether cases are one to the file system, so that any engine loads `PAK2.PAK` as `pak2.pak`.
const IGNORES_CASE: bool = cfg!(windows);

const CHOSEN: &str =
    "as quake sees it, because the paks have quake's layout; choose another engine with --engine\n";
const UPPER: &str = "warning: quake never loads this archive: it asks for pak2.pak, in lower case\n  \
                     --> id1/PAK2.PAK\n";

#[test]
fn which_warns_of_paks_loaded_in_listing_order() {
    let dir = Dir::new();
    for (path, name) in [("a.pak", "X.cfg"), ("b.pak", "x.cfg"), ("c.pak", "y.cfg")] {
        dir.file(
            format!("mod/{path}"),
            Pak::new().stored(name, path.as_bytes()).quake(),
        );
    }
    let reported = "warning: yquake2 loads \"a.pak\", \"b.pak\" and \"c.pak\" in the order in which the file system \
                lists them, so for 1 file it is not defined which copy it serves\n  \
                --> mod\n\
                help: number the paks (pak0.pak, pak1.pak and so on): the highest number wins\n";
    let which = |engine: &str| dir.run(format!("which mod x.cfg --engine {engine}"));
    which("yquake2")
        .code(0)
        .out("not defined  mod/b.pak: entry 0 \"x.cfg\"\nnot defined  mod/a.pak: entry 0 \"X.cfg\"\n")
        .err(reported);
    // Case tells the names apart; the listing is sorted.
    which("qss").code(0).err("");
    which("darkplaces").code(0).err("");
    which("fteqw").code(0).err("");
    // What has a number is not among the others.
    std::fs::rename(dir.path("mod/a.pak"), dir.path("mod/pak0.pak")).unwrap();
    which("yquake2").code(0).err("");
}

#[test]
fn which_prints_the_served_copy_then_shadowed_ones() {
    let dir = game();
    dir.ok("which id1 mod maps/start.bsp")
        .out(
            "served    id1/pak1.pak: entry 1 \"maps/start.bsp\"\n\
             shadowed  id1/pak0.pak: entry 1 \"maps/start.bsp\"\n\
             shadowed  id1/maps/start.bsp\n",
        )
        .err(&if IGNORES_CASE {
            CHOSEN.to_owned()
        } else {
            format!("{CHOSEN}{UPPER}")
        });
    dir.ok("which id1 mod progs.dat --engine darkplaces -v")
        .out(
            "served    mod/pak0.pak: entry 0 \"progs.dat\"\n\
             shadowed  id1/pak0.pak: entry 0 \"progs.dat\"\n",
        )
        .err(
            "  loads 1: id1/pak0.pak, 3 entries\n  loads 2: id1/pak1.pak, 2 entries\n  \
             loads 3: id1/PAK2.PAK, 1 entry\n  loads 4: mod/pak0.pak, 2 entries\n",
        );
}

#[test]
fn which_json_marks_the_served_copy() {
    let dir = game();
    let ran = dir.ok("which id1 maps/start.bsp --json -q").quiet();
    assert_eq!(
        ran.text(),
        "{\"served\":true,\"archive\":\"id1/pak1.pak\",\"index\":1,\"name\":\"maps/start.bsp\",\"size\":14}\n\
         {\"served\":false,\"archive\":\"id1/pak0.pak\",\"index\":1,\"name\":\"maps/start.bsp\",\"size\":14}\n\
         {\"served\":false,\"file\":\"id1/maps/start.bsp\",\"name\":\"maps/start.bsp\",\"size\":5}\n"
    );
}

#[test]
fn which_of_an_unserved_name_explains_why() {
    let dir = game();
    let which = |name: &str| {
        dir.fails(format!("which id1 mod -q {name}"))
            .out("")
            .stderr()
            .to_owned()
    };
    assert_eq!(
        which("nothing"),
        "error: quake serves nothing under the name \"nothing\"\n\
         help: 'daisho list --effective' shows the names that are served\n"
    );
    assert_eq!(
        which("maps/mod.bsp"),
        "error: quake serves nothing under the name \"maps/mod.bsp\": mod/pak0.pak has entry 1 \
         \"MAPS/Mod.bsp\", but to this engine that is a different name\n"
    );
    #[cfg(not(windows))]
    assert_eq!(
        which("maps/e3m1.bsp"),
        "error: quake serves nothing under the name \"maps/e3m1.bsp\": id1/PAK2.PAK has entry \
         0 \"maps/e3m1.bsp\", but is never loaded\n"
    );
    #[cfg(target_os = "linux")]
    assert_eq!(
        which("AUTOEXEC.CFG"),
        "error: quake serves nothing under the name \"AUTOEXEC.CFG\": mod/autoexec.cfg is there, \
         but to the file system that is a different name\n"
    );
}

#[test]
fn which_asks_for_a_name_as_the_engine_would() {
    let dir = Dir::new();
    let pak = Pak::new().stored("maps/a.bsp", b"").stored("b\\c", b"");
    dir.file("g/pak0.pak", pak.quake());
    let which = |engine: &str, name: &str| dir.run(format!("which g {name} --engine {engine}"));
    for name in ["./maps/a.bsp", "/MAPS\\a.bsp", "x/../maps//a.bsp"] {
        which("q2pro", name)
            .code(0)
            .out("served    g/pak0.pak: entry 0 \"maps/a.bsp\"\n")
            .quiet();
    }
    for (engine, name) in [("darkplaces", "./maps/a.bsp"), ("fteqw", "/maps/a.bsp")] {
        let said = format!(
            "error: {engine} serves nothing under the name \"{name}\": it looks for no name like this\n"
        );
        which(engine, name).code(1).out("").err(&said);
    }
    for engine in ["fteqw", "q2pro"] {
        which(engine, "b/c")
            .code(0)
            .out("served    g/pak0.pak: entry 1 \"b\\\\c\"\n");
    }
    which("quake2", "b/c")
        .code(1)
        .err_has("but to this engine that is a different name");
    // Left out of the listing, since it is never found, and not without a word.
    dir.ok("list --effective g --engine darkplaces")
        .out("g/pak0.pak: 0  0  map  maps/a.bsp\n")
        .err_has("warning: darkplaces never finds 1 of the names: \"b\\\\c\"\n");
}

#[test]
fn which_refuses_paths_without_a_game() {
    let dir = game();
    dir.file("files/readme.txt", "nothing");
    dir.file("broken/pak0.pak", "nothing");
    let help = "help: give the directory that holds the game's paks, such as id1, baseq2 or data, or name the \
                engine of a game of ZIPs, as in --engine ioquake3\n";
    for (verb, name) in [("which", "a"), ("list --effective", "")] {
        let run = |path: &str| dir.refuses(format!("{verb} {path} {name}")).out("");
        run("id1/pak0.pak").err(&format!(
            "error: this is not a directory\n  --> id1/pak0.pak\n{help}"
        ));
        run("nowhere").err_has("  --> nowhere\n");
        run("broken").err_has("this is not a known archive");
    }
    dir.refuses("list --effective files").out("").err(&format!(
        "error: there is no pak in this game's directory\n  --> files\n{help}"
    ));
}

#[test]
fn which_takes_daikatana_by_its_layout() {
    let dir = Dir::new();
    let pak = || Pak::new().stored("a", b"a");
    dir.file("data/pak0.pak", pak().daikatana());
    dir.file("data/pak1.pak", pak().daikatana());
    dir.file("data/pak2.pak", pak().quake());
    dir.ok("which data A")
        .out("served    data/pak1.pak: entry 0 \"a\"\nshadowed  data/pak0.pak: entry 0 \"a\"\n")
        .err_has("as daikatana sees it");
    dir.file("one/pak0.pak", pak().daikatana());
    dir.fails("list --effective one --engine quake")
        .out("")
        .err(
            "warning: quake misreads this archive: it is a daikatana \
             archive, not a quake archive\n  \
             --> one/pak0.pak\n\
             error: quake loads none of the paks\n\
             help: name the engine that loads them, with --engine\n",
        );
}

#[test]
fn which_reports_a_pak_that_stops_the_engine() {
    let dir = game();
    std::fs::remove_file(dir.path("id1/PAK2.PAK")).unwrap();
    dir.file("id1/pak2.pak", Pak::new().quake());
    dir.fails("which id1 gfx.wad --engine yquake2")
        .out("served    id1/pak0.pak: entry 2 \"gfx.wad\"\n")
        .err_has("error: yquake2 refuses this archive: it has no entries, and the game does not start with it\n  --> id1/pak2.pak\n");
}

#[test]
fn list_effective_has_each_name_once() {
    let dir = game();
    let list = |arguments: &str| {
        let ran = dir.ok(format!("list --effective id1 mod -q {arguments}"));
        ran.quiet().text().to_owned()
    };
    let third = if IGNORES_CASE {
        "id1/PAK2.PAK: 0  13  map  maps/e3m1.bsp\n"
    } else {
        ""
    };
    let paks = "id1/pak0.pak: 2  7  other  gfx.wad\n\
                id1/pak1.pak: 0  13  map  maps/e2m1.bsp\n\
                id1/pak1.pak: 1  14  map  maps/start.bsp\n\
                THIRD\
                mod/pak0.pak: 0   9  code  progs.dat\n\
                mod/pak0.pak: 1  12  map   MAPS/Mod.bsp\n"
        .replace("THIRD", third);
    assert_eq!(list(""), paks);
    // Loose files of the base lose; those of the mod come before its paks.
    assert_eq!(
        list("--loose"),
        paks.replace(
            "mod/pak0.pak: 0",
            "16  text  mod/autoexec.cfg\nmod/pak0.pak: 0"
        )
    );
    assert_eq!(
        list("--loose --engine fteqw -i *.bsp"),
        "id1/pak1.pak: 0  13  map  maps/e2m1.bsp\n\
         id1/PAK2.PAK: 0  13  map  maps/e3m1.bsp\n\
         5  map  id1/maps/start.bsp\n\
         mod/pak0.pak: 1  12  map  MAPS/Mod.bsp\n"
    );
    assert_eq!(
        list("--json --loose -i gfx.wad -i *.cfg"),
        "{\"archive\":\"id1/pak0.pak\",\"index\":2,\"name\":\"gfx.wad\",\"kind\":\"other\",\"offset\":35,\
         \"size\":7,\"packed_size\":7,\"compressed\":false}\n\
         {\"file\":\"mod/autoexec.cfg\",\"name\":\"autoexec.cfg\",\"kind\":\"text\",\"size\":16}\n"
    );
    dir.fails("list --effective id1 -i *.none -q")
        .out("")
        .err_has("no entry matches \"*.none\"");
}

#[test]
fn undefined_duplicates_are_one_warning() {
    let dir = Dir::new();
    let pak = Pak::new()
        .stored("a", b"1")
        .stored("b", b"2")
        .stored("A", b"3")
        .stored("b", b"4");
    dir.file("g/pak0.pak", pak.quake());
    let warning = |count: usize| {
        let names = if count == 1 { "name has" } else { "names have" };
        format!(
            "warning: {count} {names} several entries in one archive, and yquake2 may serve any of them; daisho takes the first\n"
        )
    };
    let base = "list --effective g --engine yquake2";
    dir.ok(base)
        .out("g/pak0.pak: 0  1  other  a\ng/pak0.pak: 1  1  other  b\n")
        .err(&warning(2));
    dir.ok(format!("{base} -v")).err(&format!(
        "  loads 1: g/pak0.pak, 4 entries\n{}  g/pak0.pak: entry 0 \"a\"\n  g/pak0.pak: entry 1 \"b\"\n",
        warning(2)
    ));
    dir.ok("which g b --engine yquake2").err(&warning(1));
    dir.ok("which g b --engine q2pro")
        .out("served    g/pak0.pak: entry 3 \"b\"\nshadowed  g/pak0.pak: entry 1 \"b\"\n")
        .quiet();
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
    dir.ok("which g x.cfg --engine qss")
        .out_has("not defined  g/caf\\xe9.pak");
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
    which("", "x")
        .code(2)
        .err_has("'daisho which' takes a game's directory and a name");
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
        .err("as quake sees it, because there are no paks; choose another engine with --engine\n");
    dir.fails("which base nothing --engine quake2").out("");
    dir.ok("list --effective --loose base")
        .out("1  map  base/maps/start.bsp\n");
    for line in [
        "which ruin maps/start.bsp",
        "which outer a",
        "which hidden .git/config",
        "list --effective base",
    ] {
        dir.refuses(line).out("").err_has("error: ");
    }
}
