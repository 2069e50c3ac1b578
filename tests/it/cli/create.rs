//! `create`

use super::{Dir, refused};
use crate::pak::build::Pak;

#[test]
fn wrong_usage_is_refused() {
    refused(&[
        "create",
        "create dir",
        "create -o a.pak",
        "create dir -o a.pak -k",
    ]);
}

#[test]
fn a_directory_and_a_file_become_a_pak() {
    let dir = Dir::new();
    dir.file("mod/maps/e1m1.bsp", [0; 130]);
    dir.file("mod/Readme.TXT", "read");
    dir.file("mod/.hidden", "");
    dir.file("progs.dat", "code");
    let make = |more: &[&str]| {
        let args = ["create", "-o", "out.pak", "mod", "progs.dat"];
        dir.daisho().args(args).args(more).run()
    };
    make(&["-n"]).code(0).out("").err(
        ".hidden: 0 bytes\nReadme.TXT: 4 bytes\nmaps/e1m1.bsp: 130 bytes\nprogs.dat: 4 bytes\n\
         out.pak: would write 4 files, 138 bytes to 406 bytes\n",
    );
    assert!(!dir.path("out.pak").exists());
    let said = make(&[]).code(0);
    let start = "out.pak: 4 files, 138 bytes to 406 bytes in ";
    assert!(said.stderr().starts_with(start), "{said}");
    let expected = Pak::new()
        .stored(".hidden", b"")
        .stored("Readme.TXT", b"read")
        .stored("maps/e1m1.bsp", &[0; 130])
        .stored("progs.dat", b"code");
    assert_eq!(dir.read("out.pak"), expected.quake());

    make(&[]).code(2).err(
        "error: this exists already\n  --> out.pak\n\
         help: give -f to replace it, or another name\n",
    );
    make(&["-q", "-f", "--to", "daikatana"]).code(0).quiet();
    let expected = Pak::new()
        .stored(".hidden", b"")
        .stored("Readme.TXT", b"read")
        .compressed("maps/e1m1.bsp", 130, b"\x7f\x7f\xff")
        .stored("progs.dat", b"code");
    assert_eq!(dir.read("out.pak"), expected.daikatana());
}

#[test]
fn all_names_that_cannot_be_are_listed_before_anything_is_written() {
    let dir = Dir::new();
    dir.file(format!("mod/{}/y", "x".repeat(54)), "");
    dir.file(format!("mod/{}", "x".repeat(60)), "");
    dir.file("mod/fine.cfg", "");
    dir.file("fine.cfg", "");
    dir.daisho()
        .args(["create", "-o", "out.pak", "mod", "fine.cfg", "missing"])
        .run()
        .code(2)
        .err_has("the name has 56 bytes, and the longest that a pak can hold safely has 55")
        .err_has("the name has 60 bytes")
        .err_has("error: no such file or directory (os error 2)\n  --> missing\n")
        .err_has("error: \"mod/fine.cfg\" would have this name in the pak, too\n  --> fine.cfg\n");
    assert!(!dir.path("out.pak").exists());
}

#[test]
fn it_writes_neither_over_nor_among_its_files_and_no_empty_pak() {
    let dir = Dir::new();
    dir.file("mod/progs.dat", "code");
    std::fs::create_dir(dir.path("empty")).unwrap();
    let create = |args: &[&str]| dir.daisho().arg("create").args(args).run();
    create(&["-f", "-o", "mod/progs.dat", "mod/progs.dat"])
        .code(2)
        .err_has("this is an input, \"mod/progs.dat\": a source is never touched");
    for output in ["mod/out.pak", "./mod/../mod/out.pak"] {
        create(&["-o", output, "mod"])
            .code(2)
            .err_has("this lies in an input, \"mod\", and would be taken for one of its files");
    }
    create(&["-o", "out.pak", "empty"])
        .code(1)
        .err_has("error: there is no entry to write")
        .err_has("out.pak: not written\n");
    assert_eq!(dir.all(), ["empty/", "mod/", "mod/progs.dat"]);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_left_out_with_a_word_and_odd_names_are_told() {
    let dir = Dir::new();
    dir.file("mod/what?.cfg", "x");
    dir.sh("ln -s what?.cfg mod/link.cfg; ln -s .. mod/round; mkfifo mod/pipe")
        .run()
        .code(0);
    dir.daisho()
        .args(["create", "-o", "out.pak", "mod"])
        .run()
        .code(0)
        .err_has("warning: a symbolic link is left out: only regular files are taken\n  --> mod/link.cfg\n")
        .err_has("  --> mod/round\n")
        .err_has("warning: a pipe, socket or device is left out")
        .err_has("warning: the name has \"?\" in it, which Windows takes in no name\n");
    let expected = Pak::new().stored("what?.cfg", b"x").quake();
    assert_eq!(dir.read("out.pak"), expected);

    dir.sh("touch 'mod/a\\b' \"$(printf 'mod/bell\\007')\"")
        .run()
        .code(0);
    dir.daisho()
        .args(["create", "-f", "-o", "out.pak", "mod"])
        .run()
        .code(2)
        .err_has("the name has a backslash in it")
        .err_has(r"mod/bell\x07");
    assert_eq!(dir.read("out.pak"), expected);
}

#[test]
fn what_a_killed_run_has_left_is_left_out() {
    let dir = Dir::new();
    dir.file("in/a.cfg", "whole");
    dir.file("in/.daisho-00000001.tmp", "hal");
    dir.daisho()
        .args(["create", "-o", "a.pak", "in"])
        .run()
        .code(0)
        .err_has("a run that was killed has left it");
    let listed = dir.daisho().args(["list", "a.pak"]).run().code(0);
    assert_eq!(listed.text().lines().count(), 1, "{listed}");
}
