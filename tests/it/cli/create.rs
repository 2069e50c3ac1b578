//! `create`

use serde_json::json;

#[cfg(unix)]
use super::Ran;
use super::{Dir, assert_has};
use crate::archive::build::Pak;
use crate::archive::wads::Wad;

#[test]
fn create_packs_files_and_directories() {
    let dir = Dir::new();
    dir.file("mod/maps/e1m1.bsp", [0; 130]);
    dir.file("mod/Readme.TXT", "read");
    dir.file("mod/empty.cfg", "");
    dir.file("progs.dat", "code");
    let mut session = dir.session();
    session.run("create -o out.pak mod progs.dat -n");
    assert!(!dir.has("out.pak"));
    session.run("create -o out.pak mod progs.dat");
    session.is("create-files");
    let readme = Pak::new().stored("mod/Readme.TXT", b"read").stored("mod/empty.cfg", b"");
    let quake = readme.clone().stored("mod/maps/e1m1.bsp", [0; 130]);
    let quake = quake.stored("progs.dat", b"code");
    assert_eq!(dir.read("out.pak"), quake.quake());
    dir.ok("create -o out.pak mod progs.dat -q -f --to daikatana").quiet();
    let daikatana = readme.compressed("mod/maps/e1m1.bsp", 130, b"\x7f\x7f\xff");
    let daikatana = daikatana.stored("progs.dat", b"code");
    assert_eq!(dir.read("out.pak"), daikatana.daikatana());
}

#[test]
fn create_of_nothing_writes_nothing() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path("empty")).unwrap();
    dir.refuses("create -o out.pak empty").err_has("error: there is nothing to write");
    dir.holds("empty/");
}

#[test]
fn create_refuses_all_impossible_names_together() {
    let dir = Dir::new();
    dir.file(format!("mod/{}/y", "x".repeat(50)), "");
    dir.file(format!("mod/{}", "x".repeat(56)), "");
    dir.file("mod/fine.cfg", "");
    dir.refuses("create -o out.pak mod ./mod/fine.cfg missing")
        .err_has(
            "the name has 56 bytes, but a quake archive can safely hold names of at most 55",
        )
        .err_has("the name has 60 bytes")
        .err_has("error: no such file or directory\n  --> missing\n")
        .err_has(
            "error: \"mod/fine.cfg\" would also have this name in the archive\n  --> ./mod/fine.cfg\n",
        );
    assert!(!dir.has("out.pak"));
}

/// Windows keeps only one of them.
#[cfg(unix)]
#[test]
fn create_refuses_names_that_become_one_in_lower_case() {
    let dir = Dir::new();
    dir.file("mod/maps/A.TXT", "upper");
    dir.file("mod/maps/a.txt", "lower");
    dir.refuses("create --lowercase -o out.pak mod")
        .err_has("error: \"mod/maps/A.TXT\" would also have this name in the archive\n  --> mod/maps/a.txt\n");
    assert!(!dir.has("out.pak"));
    dir.ok("create -o out.pak mod");
    dir.lists("out.pak", "maps/A.TXT maps/a.txt");
}

#[cfg(unix)]
#[test]
fn create_skips_links_and_pipes_with_a_warning() {
    let dir = Dir::new();
    dir.file("mod/what?.cfg", "x");
    dir.file("outside.cfg", "x");
    dir.sh("ln -s ../outside.cfg mod/out.cfg; ln -s .. mod/round; mkfifo mod/pipe").run().code(0);
    let why = "a symbolic link is left out: it leads to no file in the directory that is read";
    dir.ok("create -v -o out.pak mod")
        .err_has(&format!("warning: {why}\n  --> mod/out.cfg\n"))
        .err_has(&format!("warning: {why}\n  --> mod/round\n"))
        .err_has("warning: a pipe, socket or device is left out")
        .err_has("warning: the name has \"?\" in it, which Windows does not allow in names\n");
    let expected = Pak::new().stored("what?.cfg", b"x").quake();
    assert_eq!(dir.read("out.pak"), expected);

    dir.sh("touch 'mod/a\\b' \"$(printf 'mod/bell\\007')\"").run().code(0);
    dir.refuses("create -f -o out.pak mod")
        .err_has("the name has a backslash in it")
        .err_has(r"mod/bell\x07");
    assert_eq!(dir.read("out.pak"), expected);
}

#[test]
fn create_skips_temporary_files_of_killed_runs() {
    let dir = Dir::new();
    dir.file("in/a.cfg", "whole");
    dir.file("in/.daisho-00000001.tmp", "hal");
    dir.ok("create -o a.pak in").err_has("a run that was killed has left it");
    dir.lists("a.pak", "a.cfg");
}

/// The names in the pak that `create` makes of these paths in a folder, and what it says.
#[cfg(unix)]
fn created(dir: &Dir, within: &str, paths: &str) -> (Vec<String>, Ran) {
    let out = dir.path("out.pak");
    let create = format!("daisho create -f -o {} {paths}", out.display());
    let ran = dir.sh(&format!("cd {within} && {create}")).run().code(0);
    (dir.names("out.pak"), ran)
}

/// What zip and tar keep of each of these paths, too, but for what leads upwards, which zip keeps
/// and tar strips.
#[cfg(unix)]
#[test]
fn names_are_as_typed_or_below_the_root() {
    let dir = Dir::new();
    dir.file("mod/maps/b.bsp", "map");
    dir.file("mod/sound/x.wav", "sound");
    dir.file("mod/progs.dat", "code");
    let all = "maps/b.bsp progs.dat sound/x.wav";
    for (within, paths, expected) in [
        ("mod", "maps sound", "maps/b.bsp sound/x.wav"),
        ("mod", "*", all),
        ("mod", "./maps/ sound//x.wav", "maps/b.bsp sound/x.wav"),
        ("mod", "sound/x.wav", "sound/x.wav"),
        (".", "mod/sound mod/progs.dat", "mod/sound/x.wav mod/progs.dat"),
        ("mod", ".", all),
        (".", "mod", all),
        (".", "mod/", all),
        ("mod", "../mod", all),
        ("mod", "maps", "b.bsp"),
        (".", "--root mod mod/maps mod/progs.dat", "maps/b.bsp progs.dat"),
        (".", "--root . mod/maps", "mod/maps/b.bsp"),
        (".", "--root . mod -x '*.wav'", "mod/maps/b.bsp mod/progs.dat"),
        ("mod", "--root .. maps", "mod/maps/b.bsp"),
        ("mod/maps", "--root ../../mod . ../sound", "maps/b.bsp sound/x.wav"),
    ] {
        let (names, ran) = created(&dir, within, paths);
        assert_eq!(names.join(" "), expected, "{within}: {paths}");
        ran.err_lacks("warning");
    }
}

#[test]
fn hidden_files_are_skipped_unless_named() {
    let dir = Dir::new();
    let all = ".git/config .gitignore maps/a.bsp maps/a.map~ sound/.DS_Store sound/Desktop.ini sound/THUMBS.DB";
    for name in all.split(' ') {
        dir.file(format!("mod/{name}"), name);
    }
    let create = |paths: &str, names: &str| {
        let ran = dir.ok(format!("create -f -o out.pak {paths}"));
        dir.lists("out.pak", names);
        ran
    };
    create("mod", "maps/a.bsp").err_has(
        "warning: 6 hidden or backup files are left out, such as this one\n  --> mod/.git/config\n\
         help: name them one by one, or give --hidden to take them\n",
    );
    create("mod --hidden", all).err_lacks("warning");
    // Only what would be taken is counted.
    create("mod -x .git/ -x *~ -x *.ini -x *.db -x .DS_Store", "maps/a.bsp")
        .err_has("warning: 1 hidden or backup file is left out\n  --> mod/.gitignore\n");
    create("mod -i *.bsp", "maps/a.bsp").err_lacks("warning");
    // Files that are named are taken, and so are the files of directories that are named.
    let named = "mod/.gitignore mod/maps/a.map~ mod/maps/a.bsp";
    create(named, named).err_lacks("warning");
    create("mod/.git", "config").err_lacks("warning");
    create("mod/.git mod/maps/a.bsp", "mod/.git/config mod/maps/a.bsp").err_lacks("warning");

    create("mod -i *.bsp", "maps/a.bsp");
    dir.ok("add out.pak mod/sound mod/maps -n")
        .err_has("warning: 4 hidden or backup files are left out, such as");
    dir.ok("add out.pak mod --root mod --hidden -f").err_lacks("warning");
    let mut sorted = dir.names("out.pak");
    sorted.sort();
    assert_eq!(sorted.join(" "), all);
}

/// A WAD of lumps that are all called `a`, with these contents of two letters.
fn wad_of_duplicates(contents: &[&str]) -> Wad {
    let mut wad = Wad::new(b"WAD2");
    for content in contents {
        wad = wad.lump(b"a", 0x42, &lump(content));
    }
    wad
}

fn lump(content: &str) -> Vec<u8> {
    [&[2, 0, 0, 0, 1, 0, 0, 0][..], content.as_bytes()].concat()
}

#[test]
fn create_warns_of_archives_among_the_files() {
    let dir = Dir::new();
    for name in ["maps/a.bsp", "pak0.pak", "gfx.wad", "mod.pk3"] {
        dir.file(format!("mod/{name}"), name);
    }
    let create = |more: &str| dir.ok(format!("create -f -o out.pak {more}"));
    create("mod -v")
        .err_has(
            "warning: an archive is packed like any other file\n  --> mod/mod.pk3\nhelp: leave",
        )
        .err_has("  add pak0.pak: 8 bytes\n");
    create("mod -x *.pk3")
        .err_has("warning: an archive is packed like any other file\n  --> mod/pak0.pak\n");
    create("mod/maps/a.bsp mod/pak0.pak").err_lacks("warning");
}

#[test]
fn create_makes_a_wad_with_duplicates_again() {
    let dir = Dir::new();
    let contents = ["00", "11", "22", "33", "44", "55", "66", "77", "88", "99", "aa"];
    let wad = wad_of_duplicates(&contents).lump(b"b", 0x42, &lump("bb"));
    dir.file("a.wad", wad.bytes());
    dir.run("extract -q a.wad");
    assert!(dir.has("a/a.lmp.dup-10"));
    dir.ok("create -q a -o again.wad").quiet();
    dir.ok("diff a.wad again.wad");
    let copies = dir.cat("again.wad", "--index 0 2 10 11");
    assert_eq!(copies, dir.cat("a.wad", "--index 0 2 10 11"));
    // A pak has no such rule: there the name is one that its game can ask for.
    dir.ok("create -q a -o a.pak");
    dir.run("list --names a.pak").out_has("a.lmp.dup-10");
}

#[test]
fn add_puts_dup_files_into_wads_by_index() {
    let dir = Dir::new();
    dir.file("a.wad", wad_of_duplicates(&["00", "11", "22"]).bytes());
    dir.run("extract -q a.wad");
    let contents = |expected: &str| {
        let indices: Vec<String> = (0..dir.names("a.wad").len()).map(|it| it.to_string()).collect();
        let lumps = dir.cat("a.wad", &format!("--index {}", indices.join(" ")));
        let contents = lumps.chunks(10).map(|it| str::from_utf8(&it[8..]).unwrap());
        assert_eq!(contents.collect::<Vec<_>>().join(" "), expected);
    };
    contents("00 11 22");
    // It is there already.
    dir.refuses("add a.wad a/a.lmp.dup-2").err_has("daisho add -f");
    dir.file("a/a.lmp.dup-2", lump("zz"));
    dir.ok("add a.wad -q -f a/a.lmp.dup-2");
    contents("00 11 zz");
    // The archive has no entry of this index.
    dir.file("b/a.lmp.dup-7", lump("77"));
    dir.ok("add a.wad b/a.lmp.dup-7").err_has("1 added");
    contents("00 11 zz 77");
    // All of them at once.
    dir.file("a/a.lmp", lump("aa"));
    dir.ok("add a.wad -f --root a a").err_has("3 replaced");
    contents("aa 11 zz");
    // Without the others, the first stays alone, as in every archive.
    dir.ok("add a.wad -q -f a/a.lmp");
    contents("aa");
    // A name that the user gives is the name.
    dir.refuses("add a.wad a/a.lmp.dup-2 --as a.lmp").err_has("daisho add -f");
}

#[cfg(unix)]
#[test]
fn create_strips_upward_and_absolute_names() {
    let dir = Dir::new();
    dir.file("deep/mod/maps/b.bsp", "map");
    dir.file("deep/mod/progs.dat", "code");
    dir.file("deep/other/x.cfg", "x");
    let (names, ran) = created(&dir, "deep/other", "../mod/maps ../mod/progs.dat x.cfg");
    assert_eq!(names, ["mod/maps/b.bsp", "mod/progs.dat", "x.cfg"]);
    ran.err_has(
        "warning: \"../\" is left out of the names, because a name in an archive must not lead upwards\n  \
         --> ../mod/maps\n",
    )
    .err_has("  --> ../mod/progs.dat\n");
    let (names, _) = created(&dir, "deep/mod", "maps/../../other/x.cfg");
    assert_eq!(names, ["other/x.cfg"]);
    let (names, _) = created(&dir, "deep/mod", "../other/.. progs.dat");
    assert_eq!(names[..2], ["mod/maps/b.bsp", "mod/progs.dat"]);
    // A name does not say where the file is on this disk.
    let at = |name: &str| dir.path(name).to_str().unwrap().to_owned();
    let paths = [at("deep/mod/maps/b.bsp"), at("deep/mod")].join(" ");
    let (names, ran) = created(&dir, ".", &paths);
    assert_eq!(names, ["b.bsp", "mod/maps/b.bsp", "mod/progs.dat"]);
    ran.err_lacks("warning");
}

#[cfg(unix)]
#[test]
fn create_refuses_files_of_one_lump_name() {
    let dir = Dir::new();
    dir.file("files/x.MIP", "one");
    dir.file("files/x.mip", "two");
    let create = |to: &str| dir.run(format!("create files -o {to}"));
    create("c.wad")
        .code(2)
        .err_has("\"files/x.MIP\" would also have this name")
        .err_has("--> files/x.mip");
    assert!(!dir.has("c.wad"));
    create("c.pak").code(0);
}

/// A folder's files are not together where another name comes between them.
#[test]
fn create_sorts_entries_by_the_bytes_of_names() {
    let dir = Dir::new();
    for name in ["c/a/x", "c/a-b", "c/B", "c/a0"] {
        dir.file(name, name);
    }
    dir.ok("create c -o o.pak");
    dir.ok("list o.pak --names").out("B\na-b\na/x\na0\n");
}

/// In these the folders of a path are not part of a name, so nothing is left out.
#[test]
fn upward_paths_warn_only_where_names_have_folders() {
    let dir = Dir::new();
    dir.file("a.lmp", "a");
    dir.file("work/b.cfg", "b");
    let run = |line: &str| dir.command(line).within(dir.path("work")).run().code(0);
    run("create -o w.wad ../a.lmp").err_lacks("warning");
    run("create -o p.pak b.cfg").err_lacks("warning");
    run("add p.pak ../a.lmp --as c.lmp").err_lacks("warning");
    run("add p.pak ../a.lmp --as maps/").err_lacks("warning");
    let up = if cfg!(windows) { r"..\" } else { "../" };
    run("add p.pak ../a.lmp").err_has(&format!("warning: \"{up}\" is left out of the names"));
    assert_eq!(dir.names("work/p.pak"), ["b.cfg", "c.lmp", "maps/a.lmp", "a.lmp"]);
}

#[test]
fn hidden_files_that_are_named_too_are_not_left_out() {
    let dir = Dir::new();
    dir.file("mod/.git/c", "c");
    dir.file("mod/.svn/d", "d");
    dir.file("mod/a.cfg", "a");
    for directory in ["mod", "./mod"] {
        dir.ok(format!("create {directory} mod/.git -o p.pak -f"))
            .err_has("warning: 1 hidden or backup file is left out\n")
            .err_has("mod/.svn/d\n");
        assert_eq!(dir.names("p.pak"), ["mod/a.cfg", "mod/.git/c"]);
    }
    dir.ok("create mod mod/.git mod/.svn -o p.pak -f").err_lacks("warning");
}

#[test]
fn pictures_that_are_left_out_are_counted() {
    let dir = Dir::new();
    dir.file("src/a.lmp", "a");
    dir.file("src/b.mip.png", "no picture");
    dir.fails("create src -o w.wad --keep-going")
        .err_has("w.wad: 1 file, 1 byte to 45 bytes, 1 left out");
    let json = dir.fails("create src -o w.wad -f --keep-going --json");
    assert_has(&json.json()[0], json!({"entries": 1, "left_out": 1}));
}

/// The name of the file, quoted if a shell would change it, and no other pattern.
#[test]
fn a_file_is_left_out_by_its_name() {
    let dir = Dir::new();
    let long = "x".repeat(60);
    let pattern = "NAME".to_owned();
    for (name, advice) in [
        (format!("{long}.md3"), format!("{long}.md3")),
        (format!("{long} 2"), format!("'{long} 2'")),
        (format!("{long}[1]"), pattern),
    ] {
        let file = format!("mod/maps/{name}");
        dir.file(&file, "a");
        dir.refuses("create mod -o p.pak").err_has(&format!("leave it out with -x {advice}\n"));
        dir.remove(&file);
    }
    for number in 0..9 {
        dir.file(format!("mod/{long}{number}"), "a");
    }
    dir.refuses("create mod -o p.pak")
        .err_has("error: 9 names are too long for the archive\n")
        .err_has("leave it out with -x NAME\n");
}
