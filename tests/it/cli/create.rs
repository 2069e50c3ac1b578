//! `create`

use super::{Dir, Ran};
use crate::archive::build::Pak;
use crate::archive::wads::Wad;

#[test]
fn create_packs_files_and_directories() {
    let dir = Dir::new();
    dir.file("mod/maps/e1m1.bsp", [0; 130]);
    dir.file("mod/Readme.TXT", "read");
    dir.file("mod/empty.cfg", "");
    dir.file("progs.dat", "code");
    let make = |more: &str| dir.run(format!("create -o out.pak mod progs.dat {more}"));
    make("-n")
        .code(0)
        .out(
            "write out.pak\nadd mod/Readme.TXT: 4 bytes\nadd mod/empty.cfg: 0 bytes\n\
             add mod/maps/e1m1.bsp: 130 bytes\nadd progs.dat: 4 bytes\n\
             out.pak: would write 4 files, 138 bytes to 406 bytes\n",
        )
        .err("");
    assert!(!dir.path("out.pak").exists());
    make("")
        .code(0)
        .err_has("  add mod/empty.cfg: 0 bytes\n")
        .err_has("\nout.pak: 4 files, 138 bytes to 406 bytes in ");
    let expected = Pak::new()
        .stored("mod/Readme.TXT", b"read")
        .stored("mod/empty.cfg", b"")
        .stored("mod/maps/e1m1.bsp", [0; 130])
        .stored("progs.dat", b"code");
    let expected = expected.quake();
    assert_eq!(dir.read("out.pak"), expected);
    make("-q -f --to daikatana").code(0).quiet();
    let expected = Pak::new()
        .stored("mod/Readme.TXT", b"read")
        .stored("mod/empty.cfg", b"")
        .compressed("mod/maps/e1m1.bsp", 130, b"\x7f\x7f\xff")
        .stored("progs.dat", b"code");
    assert_eq!(dir.read("out.pak"), expected.daikatana());
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
    assert!(!dir.path("out.pak").exists());
}

#[test]
fn create_refuses_its_inputs_and_empty_paks() {
    let dir = Dir::new();
    dir.file("mod/progs.dat", "code");
    std::fs::create_dir(dir.path("empty")).unwrap();
    let create = |args: &str| dir.run(format!("create {args}"));
    create("-f -o mod/progs.dat --to quake mod/progs.dat")
        .code(2)
        .err_has("this is an input, \"mod/progs.dat\", and inputs are never overwritten");
    create("-o out.pak empty")
        .code(1)
        .err_has("error: there is nothing to write")
        .err_has("out.pak: not written\n");
    dir.holds("empty/ mod/ mod/progs.dat");
}

#[cfg(unix)]
#[test]
fn create_skips_links_and_pipes_with_a_warning() {
    let dir = Dir::new();
    dir.file("mod/what?.cfg", "x");
    dir.sh("ln -s what?.cfg mod/link.cfg; ln -s .. mod/round; mkfifo mod/pipe")
        .run()
        .code(0);
    dir.ok("create -o out.pak mod")
        .err_has("warning: a symbolic link is left out: only regular files are taken\n  --> mod/link.cfg\n")
        .err_has("  --> mod/round\n")
        .err_has("warning: a pipe, socket or device is left out")
        .err_has("warning: the name has \"?\" in it, which Windows does not allow in names\n");
    let expected = Pak::new().stored("what?.cfg", b"x").quake();
    assert_eq!(dir.read("out.pak"), expected);

    dir.sh("touch 'mod/a\\b' \"$(printf 'mod/bell\\007')\"")
        .run()
        .code(0);
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
    dir.ok("create -o a.pak in")
        .err_has("a run that was killed has left it");
    let listed = dir.ok("list a.pak");
    assert_eq!(listed.text().lines().count(), 1, "{listed}");
}

/// The names in the pak that `create` makes of these paths in a folder, and what it says.
#[cfg(unix)]
fn created(dir: &Dir, within: &str, paths: &str) -> (Vec<String>, super::Ran) {
    let out = dir.path("out.pak");
    let script = format!(
        "cd {within} && daisho create -f -o {} {paths}",
        out.display()
    );
    let ran = dir.sh(&script).run().code(0);
    let archive = daisho::Archive::open(out).unwrap();
    let names = archive.entries().map(|entry| entry.name().to_string());
    (names.collect(), ran)
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
    let all = ["maps/b.bsp", "progs.dat", "sound/x.wav"];
    for (within, paths, expected) in [
        ("mod", "maps sound", &["maps/b.bsp", "sound/x.wav"][..]),
        ("mod", "*", &all),
        (
            "mod",
            "./maps/ sound//x.wav",
            &["maps/b.bsp", "sound/x.wav"],
        ),
        ("mod", "sound/x.wav", &["sound/x.wav"]),
        (
            ".",
            "mod/sound mod/progs.dat",
            &["mod/sound/x.wav", "mod/progs.dat"],
        ),
        ("mod", ".", &all),
        (".", "mod", &all),
        (".", "mod/", &all),
        ("mod", "../mod", &all),
        ("mod", "maps", &["b.bsp"]),
        (
            ".",
            "--root mod mod/maps mod/progs.dat",
            &["maps/b.bsp", "progs.dat"],
        ),
        (".", "--root . mod/maps", &["mod/maps/b.bsp"]),
        (
            ".",
            "--root . mod -x '*.wav'",
            &["mod/maps/b.bsp", "mod/progs.dat"],
        ),
        ("mod", "--root .. maps", &["mod/maps/b.bsp"]),
        (
            "mod/maps",
            "--root ../../mod . ../sound",
            &["maps/b.bsp", "sound/x.wav"],
        ),
    ] {
        let (names, ran) = created(&dir, within, paths);
        assert_eq!(names, expected, "{within}: {paths}");
        assert!(!ran.stderr().contains("warning"), "{paths}: {ran}");
    }
}

#[test]
fn hidden_files_are_skipped_unless_named() {
    let dir = Dir::new();
    for name in [
        "maps/a.bsp",
        "maps/a.map~",
        ".gitignore",
        ".git/config",
        "sound/.DS_Store",
        "sound/THUMBS.DB",
        "sound/Desktop.ini",
    ] {
        dir.file(format!("mod/{name}"), name);
    }
    let create = |more: &str| dir.ok(format!("create -f -o out.pak {more}"));
    let names = || {
        let ran = dir.run("list --names out.pak");
        ran.text().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    create("mod").err_has(
        "warning: 6 hidden or backup files are left out, such as this one\n  --> mod/.git/config\n\
         help: name them one by one, or give --hidden to take them\n",
    );
    assert_eq!(names(), ["maps/a.bsp"]);
    let all = [
        ".git/config",
        ".gitignore",
        "maps/a.bsp",
        "maps/a.map~",
        "sound/.DS_Store",
        "sound/Desktop.ini",
        "sound/THUMBS.DB",
    ];
    let is_quiet = |ran: Ran| assert!(!ran.stderr().contains("warning"), "{ran}");
    is_quiet(create("mod --hidden"));
    assert_eq!(names(), all);
    // Only what would be taken is counted.
    create("mod -x .git/ -x *~ -x *.ini -x *.db -x .DS_Store")
        .err_has("warning: 1 hidden or backup file is left out\n  --> mod/.gitignore\n");
    is_quiet(create("mod -i *.bsp"));
    // What was named is meant, and so is what is in a directory that was named.
    is_quiet(create("mod/.gitignore mod/maps/a.map~ mod/maps/a.bsp"));
    assert_eq!(
        names(),
        ["mod/.gitignore", "mod/maps/a.map~", "mod/maps/a.bsp"]
    );
    is_quiet(create("mod/.git"));
    assert_eq!(names(), ["config"]);
    is_quiet(create("mod/.git mod/maps/a.bsp"));
    assert_eq!(names(), ["mod/.git/config", "mod/maps/a.bsp"]);

    let add = |more: &str| {
        create("mod -i *.bsp");
        dir.ok(format!("add out.pak {more}"))
    };
    add("mod/sound mod/maps").err_has("warning: 4 hidden or backup files are left out, such as");
    is_quiet(add("mod --root mod --hidden -f"));
    let mut sorted = names();
    sorted.sort();
    assert_eq!(sorted, all);
}

#[test]
fn create_warns_of_archives_among_the_files() {
    let dir = Dir::new();
    for name in ["maps/a.bsp", "pak0.pak", "gfx.wad", "mod.pk3"] {
        dir.file(format!("mod/{name}"), name);
    }
    let create = |more: &str| dir.ok(format!("create -f -o out.pak {more}"));
    create("mod")
        .err_has("warning: 2 archives are packed like other files, such as this one\n  --> mod/mod.pk3\nhelp: leave")
        .err_has("  add pak0.pak: 8 bytes\n");
    create("mod -x *.pk3")
        .err_has("warning: an archive is packed like any other file\n  --> mod/pak0.pak\n");
    create("mod/maps/a.bsp mod/pak0.pak").err_lacks("warning");
}

#[test]
fn create_makes_a_wad_with_duplicates_again() {
    let dir = Dir::new();
    let lump = |name: &str| [&[2, 0, 0, 0, 1, 0, 0, 0][..], name.as_bytes()].concat();
    let mut wad = Wad::new(b"WAD2");
    for content in [
        "00", "11", "22", "33", "44", "55", "66", "77", "88", "99", "aa",
    ] {
        wad = wad.lump(b"a", 0x42, &lump(content));
    }
    let wad = wad.lump(b"b", 0x42, &lump("bb")).bytes();
    dir.file("a.wad", wad);
    dir.run("extract -q a.wad");
    assert!(dir.path("a/a.lmp.dup-10").exists());
    dir.ok("create -q a -o again.wad").quiet();
    dir.ok("diff a.wad again.wad");
    let copies = |archive: &str| {
        dir.ok(format!("cat {archive} --index 0 2 10 11"))
            .stdout()
            .to_vec()
    };
    assert_eq!(copies("again.wad"), copies("a.wad"));
    // A pak has no such rule: there the name is one that its game can ask for.
    dir.ok("create -q a -o a.pak");
    dir.run("list --names a.pak").out_has("a.lmp.dup-10");
}

#[test]
fn add_puts_dup_files_into_wads_by_index() {
    let dir = Dir::new();
    let lump = |name: &str| [&[2, 0, 0, 0, 1, 0, 0, 0][..], name.as_bytes()].concat();
    let mut wad = Wad::new(b"WAD2");
    for content in ["00", "11", "22"] {
        wad = wad.lump(b"a", 0x42, &lump(content));
    }
    dir.file("a.wad", wad.bytes());
    dir.run("extract -q a.wad");
    let add = |code: i32, line: &str| {
        let args = line.split(' ');
        dir.daisho()
            .args(["add", "a.wad"])
            .args(args)
            .run()
            .code(code)
    };
    let contents = || {
        let ran = dir.run("list --names a.wad");
        let count = ran.text().lines().count();
        let numbers = (0..count).map(|index| index.to_string());
        let args = ["cat", "a.wad", "--index"].map(String::from);
        let ran = dir.daisho().args(args).args(numbers).run().code(0);
        let lumps = ran
            .stdout()
            .chunks(10)
            .map(|it| String::from_utf8_lossy(&it[8..]).into_owned());
        lumps.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(contents(), "00 11 22");
    // It is there already.
    add(2, "a/a.lmp.dup-2").err_has("daisho add -f");
    dir.file("a/a.lmp.dup-2", lump("zz"));
    add(0, "-q -f a/a.lmp.dup-2");
    assert_eq!(contents(), "00 11 zz");
    // The archive has no entry of this index.
    dir.file("b/a.lmp.dup-7", lump("77"));
    add(0, "b/a.lmp.dup-7").err_has("1 added");
    assert_eq!(contents(), "00 11 zz 77");
    // All of them at once.
    dir.file("a/a.lmp", lump("aa"));
    add(0, "-f --root a a").err_has("3 replaced");
    assert_eq!(contents(), "aa 11 zz");
    // Without the others, the first stays alone, as in every archive.
    add(0, "-q -f a/a.lmp");
    assert_eq!(contents(), "aa");
    // A name that the user gives is the name.
    add(2, "a/a.lmp.dup-2 --as a.lmp").err_has("daisho add -f");
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
    // Where it is on this disk is nobody's business.
    let at = |name: &str| dir.path(name).to_str().unwrap().to_owned();
    let paths = [at("deep/mod/maps/b.bsp"), at("deep/mod")].join(" ");
    let (names, ran) = created(&dir, ".", &paths);
    assert_eq!(names, ["b.bsp", "mod/maps/b.bsp", "mod/progs.dat"]);
    assert!(!ran.stderr().contains("warning"), "{ran}");
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
    assert!(!dir.path("c.wad").exists());
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
    run("add p.pak ../a.lmp").err_has("warning: \"../\" is left out of the names");
    assert_eq!(
        dir.names("work/p.pak"),
        ["b.cfg", "c.lmp", "maps/a.lmp", "a.lmp"]
    );
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
    dir.ok("create mod mod/.git mod/.svn -o p.pak -f")
        .err_lacks("warning");
}

#[test]
fn pictures_that_are_left_out_are_counted() {
    let dir = Dir::new();
    dir.file("src/a.lmp", "a");
    dir.file("src/b.mip.png", "no picture");
    let made = dir.fails("create src -o w.wad --keep-going");
    made.err_has("w.wad: 1 file, 1 byte to 45 bytes, 1 left out");
    let json = dir
        .fails("create src -o w.wad -f --keep-going --json")
        .json();
    assert_eq!(
        (&json[0]["entries"], &json[0]["failed"]),
        (&1.into(), &1.into())
    );
}

/// The name of the file, quoted if a shell would change it, and no other pattern.
#[test]
fn a_file_is_left_out_by_its_name() {
    let dir = Dir::new();
    let long = "x".repeat(60);
    for (name, advice) in [
        (
            format!("{long}.md3"),
            format!("leave it out with -x {long}.md3\n"),
        ),
        (
            format!("{long} 2"),
            format!("leave it out with -x '{long} 2'\n"),
        ),
        (
            format!("{long}[1]"),
            "leave it out with -x NAME\n".to_owned(),
        ),
    ] {
        let file = dir.file(format!("mod/maps/{name}"), "a");
        dir.refuses("create mod -o p.pak").err_has(&advice);
        std::fs::remove_file(file).unwrap();
    }
    for number in 0..9 {
        dir.file(format!("mod/{long}{number}"), "a");
    }
    dir.refuses("create mod -o p.pak")
        .err_has("error: 9 names are too long for the archive\n")
        .err_has("leave it out with -x NAME\n");
}
