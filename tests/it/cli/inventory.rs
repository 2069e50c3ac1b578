//! Many archives: `list` for people and scripts; lists of paths; links.

use std::path::{Component, PathBuf};

use super::Dir;
use super::paks::{contents, daikatana, quake};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

/// Two paks in two directories, under one name.
fn collection() -> Dir {
    let dir = Dir::new();
    let pak = |files: &[(&str, &str)]| Pak::of(files).quake();
    dir.file("g/a/pak0.pak", pak(&[("b.cfg", "12345"), ("a.wav", "123")]));
    dir.file("g/b/pak0.pak", pak(&[("c,\"d\".cfg", "1"), ("maps/z.bsp", "1234")]));
    dir
}

#[test]
fn list_in_a_pipe_names_the_archive_on_each_line() {
    let dir = collection();
    let mut session = dir.session();
    session.run("list -r g");
    session.run("list g/a/pak0.pak");
    session.run("list -r g --tree -i *.bsp");
    session.is("list-in-a-pipe");
}

#[test]
fn list_names_are_raw_with_0_and_escaped_on_lines() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let names = |arguments: &str| dir.ok(format!("list --names {arguments}")).stdout().to_vec();
    let all: Vec<Vec<u8>> = contents().iter().map(|(name, _)| name.to_vec()).collect();
    let ended = |name: &Vec<u8>| [name, &b"\0"[..]].concat();
    let expected: Vec<u8> = all.iter().flat_map(ended).collect();
    assert_eq!(names("d.pak -0"), expected);
    let pair = |name: &Vec<u8>| [b"d.pak\0", name.as_slice(), b"\0"].concat();
    let expected: Vec<u8> = all.iter().flat_map(pair).collect();
    let found = names("d.pak q.pak -0");
    assert_eq!(found[..expected.len()], expected);
    let lines = String::from_utf8(names("d.pak")).unwrap();
    let escaped = all.iter().map(|name| daisho::archive::escape(name).to_string() + "\n");
    assert_eq!(lines, escaped.collect::<String>());
}

/// What a user would name to read it, and nothing that is no input.
#[test]
fn unread_rows_have_the_searched_path() {
    let dir = collection();
    let unread = |line: &str| {
        let mut rows = dir.fails(format!("{line} --json")).json();
        rows.retain(|row| row["status"] == "unread");
        rows.iter().map(|row| row["archive"].clone()).collect::<Vec<_>>()
    };
    let pak = dir.read("g/a/pak0.pak");
    dir.file("o.zip", Zip::new().stored("in.pak", &pak).bytes());
    let snapshot = "verify o.zip none.zip --snapshot s --update";
    assert_eq!(unread(snapshot), ["none.zip"]);
    for verb in ["list", "info", "verify", "extract -C out"] {
        let line = format!("{verb} o.zip//none.pak o.zip");
        assert_eq!(unread(&line), ["o.zip//none.pak"], "{verb}");
    }
    // The ZIP itself is read, and its entry is damaged.
    let spoiled = Zip::new().stored("in.pak", &pak);
    let spoiled = spoiled.both(|header| header.crc32 = 3);
    dir.file("n/n.zip", spoiled.bytes());
    assert_eq!(unread("verify n"), ["n/n.zip//in.pak"]);
}

#[test]
fn files_from_takes_lines_or_nul_separated_paths() {
    let dir = collection();
    dir.file("lines", "g/a/pak0.pak\r\n\ng/b/pak0.pak");
    dir.file("zeros", "g/a/pak0.pak\0g/b/pak0.pak\0");
    let typed = dir.run("list g/a/pak0.pak g/b/pak0.pak");
    let list = |arguments: &str| dir.command(format!("list {arguments}"));
    for arguments in ["--files-from lines", "--files-from zeros"] {
        list(arguments).run().code(0).out(typed.stdout());
    }
    let stdin = list("--files-from -").stdin("g/b/pak0.pak\n").run();
    assert!(stdin.code(0).text().starts_with("g/b/pak0.pak: 0  1"));
    // Those that were typed come first.
    let both = list("g/a/pak0.pak --files-from -").stdin("g/b/pak0.pak\n");
    both.run().code(0).out(typed.stdout());
    let empty = "this list of paths is empty";
    let twice = "standard input cannot be read twice";
    for (arguments, stdin, why) in [
        ("--files-from -", "", empty),
        ("--files-from -", "\n\r\n\n", empty),
        ("--files-from - a.pak", "", empty),
        ("--files-from none", "", "cannot read this list: "),
        ("--files-from - -", "a", twice),
        ("--files-from -", "-\n", twice),
        ("- -", "", twice),
    ] {
        list(arguments).stdin(stdin).run().code(2).out("").err_has(&format!("error: {why}"));
    }
}

/// One path alone comes out as it does among others.
#[test]
fn files_from_keeps_the_folders_in_outputs() {
    let dir = collection();
    let absolute = dir.path("g/a/pak0.pak");
    let list = format!("{}\ng/x/../b/pak0.pak\n", absolute.display());
    std::fs::create_dir(dir.path("g/x")).unwrap();
    let run = |arguments: &str| {
        dir.command(format!("{arguments} --files-from -")).stdin(list.as_str()).run().code(0)
    };
    run("convert -C out");
    assert!(dir.path("out/b/pak0.pak").is_file(), "{:?}", dir.all());
    // Without the root, and without a drive.
    let is_part = |part: &Component<'_>| matches!(part, Component::Normal(_));
    let inside: PathBuf = absolute.components().filter(is_part).collect();
    assert!(dir.path("out").join(inside).is_file(), "{:?}", dir.all());
    dir.command("extract -C files --files-from -").stdin("g/a/pak0.pak\n").run().code(0);
    assert_eq!(dir.read("files/g/a/pak0/b.cfg"), b"12345");
    dir.command("verify --snapshot s --update --files-from -")
        .stdin("g/a/pak0.pak\n")
        .run()
        .code(0);
    let snapshot = dir.text("s");
    assert!(snapshot.lines().all(|line| line.contains(" g/a/pak0.pak/")), "{snapshot}");
}

#[test]
fn files_from_keeps_the_names_of_packed_files() {
    let dir = Dir::new();
    for name in ["mod/a.cfg", "mod/b/c.cfg", "mod/d.cfg"] {
        dir.file(name, name);
    }
    let run = |arguments: &str, list: &str| {
        let line = dir.command(format!("{arguments} --files-from -"));
        line.stdin(list).run().code(0)
    };
    run("create -o a.pak", "mod/a.cfg\nmod/b\n");
    dir.lists("a.pak", "mod/a.cfg mod/b/c.cfg");
    // A directory that is alone in a list is one of several.
    run("create -o b.pak", "mod/b\0");
    dir.lists("b.pak", "mod/b/c.cfg");
    run("add b.pak", "mod/d.cfg\n");
    dir.lists("b.pak", "mod/b/c.cfg mod/d.cfg");
}

#[cfg(unix)]
#[test]
fn links_to_directories_are_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = collection();
    symlink("../b", dir.path("g/a/link")).unwrap();
    symlink("..", dir.path("g/b/round")).unwrap();
    symlink("nowhere", dir.path("g/b/lost.pak")).unwrap();
    let list = "list -r g -i *.bsp --names";
    dir.ok(list).out("g/b/pak0.pak: maps/z.bsp\n");
    dir.file("files/in/a.cfg", "a");
    dir.file("files/b.cfg", "b");
    symlink("files", dir.path("mod")).unwrap();
    symlink("..", dir.path("files/in/round")).unwrap();
    symlink("nowhere", dir.path("files/lost")).unwrap();
    symlink("in", dir.path("files/too")).unwrap();
    symlink("../b.cfg", dir.path("files/in/up.cfg")).unwrap();
    dir.ok("create -v -o a.pak mod").err_has("--> mod/too").err_has("--> mod/lost");
    dir.lists("a.pak", "b.cfg in/a.cfg in/up.cfg");
}

#[test]
fn output_to_stdout_equals_output_to_a_file() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("mod/a.cfg", "a");
    dir.file("mod/pak0.pak", quake());
    for line in [
        "convert --merge mod",
        "convert d.pak --to quake",
        "convert d.pak --to pk3",
        "convert d.pak --to daikatana",
        "create mod",
    ] {
        dir.ok(format!("{line} -o file -f"));
        dir.ok(format!("{line} -o -")).out(dir.read("file"));
    }
    // A dash with a path is a file.
    dir.ok("convert d.pak -o ./-");
    assert_eq!(dir.read("-"), quake());
    dir.ok("convert d.pak -o - -n").out_has("write -\n");
    dir.refuses("convert d.pak -o - --max-entries 2").out("").err_has("does not end in a number");
    dir.refuses("convert d.pak d.pak -o -").out("");
    dir.holds("- d.pak file mod/ mod/a.cfg mod/pak0.pak");
}

#[test]
fn damaged_archives_write_nothing_to_stdout() {
    let dir = Dir::new();
    dir.file("d.pak", super::paks::damaged());
    let run = |arguments: &str| dir.run(format!("convert d.pak -o - {arguments}"));
    run("").code(1).out("");
    let rest = run("--keep-going").code(1);
    dir.file("rest.pak", rest.stdout());
    dir.ok("verify rest.pak");
}
