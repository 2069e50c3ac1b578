//! `undo`, and the previous version that every edit keeps.

use super::Dir;
use super::paks::{daikatana, quake};

/// An archive of each format that is written.
fn of_each_format(dir: &Dir) -> [&'static str; 7] {
    dir.file("files/a.lmp", b"first");
    dir.file("files/b.lmp", b"second".repeat(9));
    let all = [
        ("q.pak", "quake"),
        ("d.pak", "daikatana"),
        ("s.sin", "sin"),
        ("h.pak", "hrot"),
        ("two.wad", "wad2"),
        ("three.wad", "wad3"),
        ("z.pk3", "pk3"),
    ];
    for (archive, format) in all {
        let line = ["create", "files", "-o", archive, "--to", format];
        dir.daisho().args(line).run().code(0);
    }
    all.map(|(archive, _)| archive)
}

#[test]
fn every_edit_of_any_format_keeps_the_previous_archive_and_undo_exchanges_the_two() {
    let dir = Dir::new();
    dir.file("c.lmp", b"third");
    for archive in of_each_format(&dir) {
        let backup = format!("{archive}~");
        for edit in [
            &["add", archive, "c.lmp"][..],
            &["rename", archive, "a.lmp", "z.lmp"],
            &["remove", archive, "b.lmp"],
        ] {
            let old = dir.read(archive);
            dir.daisho().args(edit).run().code(0);
            let new = dir.read(archive);
            assert!(new != old, "{edit:?}");
            assert!(dir.read(&backup) == old, "{edit:?}");
            dir.daisho().args(["undo", archive]).run().code(0);
            assert!(dir.read(archive) == old, "{edit:?}");
            assert!(dir.read(&backup) == new, "{edit:?}");
            dir.daisho().args(["undo", archive]).run().code(0);
            assert!(dir.read(archive) == new, "{edit:?}");
            assert!(dir.read(&backup) == old, "{edit:?}");
        }
    }
}

#[test]
fn undo_says_what_it_does_to_the_entries() {
    let dir = Dir::new();
    dir.file("p.pak", daikatana());
    dir.file("new.cfg", b"new");
    dir.daisho().args(["add", "p.pak", "new.cfg"]).run().code(0);
    let new = dir.read("p.pak");
    dir.daisho()
        .args(["undo", "p.pak", "-n"])
        .run()
        .code(0)
        .out("remove new.cfg: 3 bytes\n")
        .err_has("p.pak: 1 removed; would be ");
    assert!(dir.read("p.pak") == new);
    let row = dir.daisho().args(["undo", "p.pak", "--json"]).run().code(0);
    let row = &row.json()[0];
    assert_eq!(row["status"], "done");
    assert_eq!(row["removed"], 1);
    assert_eq!(row["bytes"], daikatana().len());
    dir.daisho()
        .args(["undo", "p.pak", "-v"])
        .run()
        .code(0)
        .err_has("add new.cfg: 3 bytes")
        .err_has("p.pak: 1 added; ");
    dir.daisho()
        .args(["rename", "p.pak", "new.cfg", "z.cfg"])
        .run()
        .code(0);
    dir.daisho()
        .args(["undo", "p.pak", "-v"])
        .run()
        .code(0)
        .err_has("rename z.cfg to new.cfg");
    dir.file("new.cfg", b"NEW");
    dir.daisho()
        .args(["add", "p.pak", "new.cfg", "-f"])
        .run()
        .code(0);
    dir.daisho()
        .args(["undo", "p.pak", "-v"])
        .run()
        .code(0)
        .err_has("replace new.cfg: 3 bytes");
}

#[test]
fn without_a_previous_version_there_is_nothing_to_undo() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    let undo = || dir.daisho().args(["undo", "p.pak"]).run();
    undo().code(2).err("error: there is nothing to undo: p.pak~ is not here\n  --> p.pak\nhelp: add, remove and rename keep the previous archive there, unless --no-backup is given\n");
    dir.daisho()
        .args(["add", "p.pak", "a.cfg", "--no-backup"])
        .run()
        .code(0);
    assert_eq!(dir.all(), ["a.cfg", "p.pak"]);
    undo().code(2).err_has("nothing to undo");
    for (path, words) in [
        ("nowhere", "no such file"),
        ("a.cfg", "nothing to undo"),
        (".", "is a directory"),
    ] {
        let run = dir.daisho().args(["undo", path]).run().code(2);
        run.err_has(words);
    }
}

/// A run that was killed just after it gave the archive a second name.
#[test]
fn a_previous_version_that_is_the_archive_itself_is_none() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    std::fs::hard_link(dir.path("p.pak"), dir.path("p.pak~")).unwrap();
    dir.daisho()
        .args(["undo", "p.pak"])
        .run()
        .code(2)
        .err_has("nothing to undo");
    dir.daisho()
        .args(["remove", "p.pak", "default.cfg"])
        .run()
        .code(0);
    assert!(dir.read("p.pak~") == quake());
    assert!(dir.read("p.pak") != quake());
    assert_eq!(dir.all(), ["p.pak", "p.pak~"]);
}

#[test]
fn an_edit_that_changes_nothing_keeps_no_previous_version() {
    let dir = Dir::new();
    dir.file("mod/a.cfg", b"a");
    dir.file("mod/maps/b.cfg", b"b");
    for format in ["quake", "daikatana", "pk3"] {
        let create = ["create", "mod", "-o", "p", "--to", format, "-f"];
        dir.daisho().args(create).run().code(0);
        let old = dir.read("p");
        let before = dir.all();
        for edit in [
            &["rename", "p", "a.cfg", "a.cfg"][..],
            &["rename", "p", "maps", "maps", "--prefix"],
            &["add", "p", "mod", "-f"],
        ] {
            dir.daisho()
                .args(edit)
                .run()
                .code(0)
                .err("p: unchanged, the new archive would be the same\n");
            assert!(dir.read("p") == old, "{edit:?}");
            assert_eq!(dir.all(), before, "{edit:?}");
        }
        let line = ["add", "p", "mod", "-f", "--json"];
        let row = dir.daisho().args(line).run().code(0);
        let row = &row.json()[0];
        assert_eq!(row["status"], "unchanged");
        assert_eq!(row["replaced"], 0);
        assert_eq!(row["entries"], 2);
        assert_eq!(row["bytes"], old.len());
    }
}

#[test]
fn a_file_with_the_previous_versions_name_that_is_no_archive_is_never_replaced() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("p.pak~", "notes, written with an editor");
    dir.file("a.cfg", b"a");
    let before = dir.all();
    let advice = "help: move it away, or keep no previous version with --no-backup\n";
    for edit in [
        &["add", "p.pak", "a.cfg"][..],
        &["add", "p.pak", "a.cfg", "-f"],
        &["add", "p.pak", "a.cfg", "-n"],
        &["remove", "p.pak", "default.cfg"],
        &["rename", "p.pak", "default.cfg", "x.cfg"],
        &["undo", "p.pak"],
    ] {
        dir.daisho()
            .args(edit)
            .run()
            .code(2)
            .err_has("is not one: it is no archive that can be read\n  --> p.pak~\n")
            .err_has(advice);
        assert_eq!(dir.read("p.pak~"), b"notes, written with an editor");
        assert!(dir.read("p.pak") == quake(), "{edit:?}");
        assert_eq!(dir.all(), before);
    }
    dir.daisho()
        .args(["add", "p.pak", "a.cfg", "--no-backup"])
        .run()
        .code(0);
    assert_eq!(dir.read("p.pak~"), b"notes, written with an editor");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_no_previous_version_either() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    let edit = |what: &str| {
        let line = ["add", "p.pak", "a.cfg"];
        dir.daisho().args(line).run().code(2).err_has(what);
        let line = ["undo", "p.pak"];
        dir.daisho().args(line).run().code(2).err_has(what);
        assert!(dir.read("p.pak") == quake());
    };
    std::fs::create_dir(dir.path("p.pak~")).unwrap();
    edit("it is a directory");
    std::fs::remove_dir(dir.path("p.pak~")).unwrap();
    dir.file("elsewhere.pak", quake());
    std::os::unix::fs::symlink("elsewhere.pak", dir.path("p.pak~")).unwrap();
    edit("it is a symbolic link");
    std::fs::remove_file(dir.path("p.pak~")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, dir.path("p.pak~"), rustix::fs::Mode::RUSR).unwrap();
    edit("it is a pipe, socket or device");
}

#[cfg(unix)]
#[test]
fn through_a_link_what_it_leads_to_is_edited_and_keeps_its_previous_version_there() {
    let dir = Dir::new();
    dir.file("real/p.pak", quake());
    dir.file("a.cfg", b"a");
    std::os::unix::fs::symlink("real/p.pak", dir.path("link.pak")).unwrap();
    std::fs::hard_link(dir.path("real/p.pak"), dir.path("copy.pak")).unwrap();
    dir.daisho()
        .args(["add", "link.pak", "a.cfg"])
        .run()
        .code(0);
    assert!(dir.path("link.pak").is_symlink());
    assert!(dir.read("real/p.pak~") == quake());
    // The other name of the old file stays with it.
    assert!(dir.read("copy.pak") == quake());
    let new = dir.read("real/p.pak");
    dir.daisho().args(["undo", "link.pak"]).run().code(0);
    assert!(dir.path("link.pak").is_symlink());
    assert!(dir.read("real/p.pak") == quake());
    assert!(dir.read("real/p.pak~") == new);
}

#[test]
fn a_damaged_archive_can_be_gone_back_to() {
    let dir = Dir::new();
    let damaged = super::paks::damaged();
    dir.file("p.pak", &damaged);
    dir.file("a.cfg", b"a");
    dir.daisho()
        .args(["add", "p.pak", "a.cfg", "--keep-going"])
        .run()
        .code(1);
    assert!(dir.read("p.pak") != damaged);
    dir.daisho().args(["undo", "p.pak"]).run().code(0);
    assert!(dir.read("p.pak") == damaged);
}

/// The edit of another run, which was done first, is not lost.
#[cfg(target_os = "linux")]
#[test]
fn an_archive_that_another_run_has_replaced_meanwhile_is_not_replaced() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("other.pak", quake());
    // Compressing it takes a while.
    dir.file("zeros.bsp", "");
    let zeros = std::fs::File::options()
        .write(true)
        .open(dir.path("zeros.bsp"));
    zeros.unwrap().set_len(150_000_000).unwrap();
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_daisho"))
        .current_dir(dir.path(""))
        .args(["add", "d.pak", "zeros.bsp"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let fds = std::path::PathBuf::from(format!("/proc/{}/fd", child.id()));
    let is_open = |name: &str| {
        let links = std::fs::read_dir(&fds).into_iter().flatten();
        let mut links = links.filter_map(|it| std::fs::read_link(it.ok()?.path()).ok());
        links.any(|link| link == dir.path(name).canonicalize().unwrap())
    };
    while !is_open("zeros.bsp") {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::fs::rename(dir.path("other.pak"), dir.path("d.pak")).unwrap();
    let ran = child.wait_with_output().unwrap();
    let told = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{told}");
    assert!(told.contains("d.pak: not changed"), "{told}");
    assert!(told.contains("the pak has changed since"), "{told}");
    assert!(dir.read("d.pak") == quake());
    assert_eq!(dir.all(), ["d.pak", "zeros.bsp"]);
}

/// Its content is that of the archive beside it, and no game loads it.
#[test]
fn a_search_passes_over_previous_versions_and_an_edit_does_not_pack_its_own() {
    let dir = Dir::new();
    dir.file("mod/p.pak", quake());
    dir.file("mod/a.cfg", "a");
    dir.daisho()
        .args(["add", "mod/p.pak", "mod/a.cfg", "--as", "a.cfg"])
        .run()
        .code(0);
    let list = dir.daisho().args(["verify", "-r", "mod"]).run().code(0);
    assert!(!list.text().contains("p.pak~"), "{}", list.text());
    dir.daisho().args(["list", "mod/p.pak~"]).run().code(0);
    dir.daisho()
        .args(["add", "mod/p.pak", "mod", "-f"])
        .run()
        .code(0)
        .err_has("warning: the archive itself is left out")
        .err_has("warning: the archive's previous version is left out")
        .err_has("--> mod/p.pak~");
    // Without an archive beside it, it is a file like any other.
    std::fs::rename(dir.path("mod/p.pak~"), dir.path("mod/q.pak~")).unwrap();
    let list = dir.daisho().args(["verify", "-r", "mod"]).run().code(0);
    assert!(list.text().contains("q.pak~"), "{}", list.text());
}
