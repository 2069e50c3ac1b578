//! `undo`, and the previous version that every edit keeps.

use serde_json::json;

use super::paks::{of_each_format, quake};
use super::{Dir, assert_has};
#[cfg(unix)]
use crate::archive::build::Pak;

#[test]
fn every_edit_keeps_a_backup_and_undo_swaps_them() {
    let dir = Dir::new();
    dir.file("c.lmp", b"third");
    for archive in of_each_format(&dir) {
        let both = || (dir.read(archive), dir.read(format!("{archive}~")));
        for edit in [
            &format!("add {archive} c.lmp"),
            &format!("rename {archive} a.lmp z.lmp"),
            &format!("remove {archive} b.lmp"),
        ] {
            let old = dir.read(archive);
            dir.ok(edit);
            let new = dir.read(archive);
            assert!(new != old, "{edit}");
            assert!(both() == (new.clone(), old.clone()), "{edit}");
            dir.ok(format!("undo {archive}"));
            assert!(both() == (old.clone(), new.clone()), "{edit}");
            dir.ok(format!("undo {archive}"));
            assert!(both() == (new, old), "{edit}");
        }
    }
}

#[test]
fn undo_names_what_it_changes_and_the_entries_and_bytes_of_both_versions() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new.cfg", b"new");
    dir.ok("add p.pak new.cfg");
    let new = dir.read("p.pak");
    let mut session = dir.session();
    session.run("undo p.pak -n");
    assert!(dir.read("p.pak") == new);
    session.run("undo p.pak --json");
    session.run("undo p.pak");
    assert!(dir.read("p.pak") == new);
    // Of the same length, and as many as have a line, and one more.
    dir.file("new.cfg", b"wen");
    session.run("add p.pak new.cfg -f");
    session.run("undo p.pak");
    session.run("rename p.pak new.cfg old.cfg");
    session.run("undo p.pak");
    session.run("remove p.pak skins maps default.cfg new.cfg *.wav");
    session.run("undo p.pak");
    session.run("undo p.pak -v");
    session.is("undo");
}

#[test]
fn undo_without_a_backup_is_refused() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    dir.ok("add p.pak a.cfg --no-backup");
    dir.holds("a.cfg p.pak");
    for (path, words) in [
        ("p.pak", "nothing to undo"),
        ("nowhere", "no such file"),
        ("a.cfg", "nothing to undo"),
        (".", "is a directory"),
    ] {
        dir.refuses(format!("undo {path}")).err_has(words);
    }
}

/// A run that was killed just after it gave the archive a second name.
#[test]
fn a_hard_link_to_the_archive_is_no_backup() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    std::fs::hard_link(dir.path("p.pak"), dir.path("p.pak~")).unwrap();
    dir.refuses("undo p.pak").err_has("nothing to undo");
    dir.ok("remove p.pak default.cfg");
    assert!(dir.read("p.pak~") == quake());
    assert!(dir.read("p.pak") != quake());
    dir.holds("p.pak p.pak~");
}

#[test]
fn an_edit_without_changes_makes_no_backup() {
    let dir = Dir::new();
    dir.file("mod/a.cfg", b"a");
    dir.file("mod/maps/b.cfg", b"b");
    for format in ["quake", "daikatana", "pk3"] {
        dir.ok(format!("create mod -o p --to {format} -f"));
        let old = dir.read("p");
        let before = dir.all();
        for edit in ["rename p a.cfg a.cfg", "rename p maps/ maps/", "add p mod --root mod -f"] {
            dir.ok(edit).err("p: unchanged, the new archive would be the same\n");
            assert!(dir.read("p") == old, "{edit}");
            assert_eq!(dir.all(), before, "{edit}");
        }
        let row = dir.ok("add p mod --root mod -f --json");
        let bytes = old.len();
        assert_has(
            &row.json()[0],
            json!({"status": "kept", "replaced": 0, "entries": 2, "bytes": bytes}),
        );
    }
}

#[test]
fn a_non_archive_named_like_a_backup_is_kept() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("p.pak~", "notes, written with an editor");
    dir.file("a.cfg", b"a");
    let before = dir.all();
    for edit in [
        "add p.pak a.cfg",
        "add p.pak a.cfg -f",
        "add p.pak a.cfg -n",
        "remove p.pak default.cfg",
        "rename p.pak default.cfg x.cfg",
        "undo p.pak",
    ] {
        // undo has no such option.
        let advice = match edit {
            "undo p.pak" => "help: move it away\n",
            _ => "help: move it away, or give --no-backup to keep no previous version\n",
        };
        dir.refuses(edit)
            .err_has("this is not a previous version of the archive: it is not a readable archive\n  --> p.pak~\n")
            .err_has(advice);
        assert_eq!(dir.read("p.pak~"), b"notes, written with an editor");
        assert!(dir.read("p.pak") == quake(), "{edit}");
        assert_eq!(dir.all(), before);
    }
    dir.ok("add p.pak a.cfg --no-backup");
    assert_eq!(dir.read("p.pak~"), b"notes, written with an editor");
}

#[cfg(unix)]
#[test]
fn only_a_regular_file_is_a_backup() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    let edit = |what: &str| {
        dir.refuses("add p.pak a.cfg").err_has(what);
        dir.refuses("undo p.pak").err_has(what);
        assert!(dir.read("p.pak") == quake());
    };
    std::fs::create_dir(dir.path("p.pak~")).unwrap();
    edit("it is a directory");
    std::fs::remove_dir(dir.path("p.pak~")).unwrap();
    dir.file("elsewhere.pak", quake());
    std::os::unix::fs::symlink("elsewhere.pak", dir.path("p.pak~")).unwrap();
    edit("it is a symbolic link");
    dir.remove("p.pak~");
    rustix::fs::mkfifoat(rustix::fs::CWD, dir.path("p.pak~"), rustix::fs::Mode::RUSR).unwrap();
    edit("it is a pipe, socket or device");
}

#[cfg(unix)]
#[test]
fn an_edit_through_a_link_changes_its_target() {
    let dir = Dir::new();
    dir.file("real/p.pak", quake());
    dir.file("a.cfg", b"a");
    std::os::unix::fs::symlink("real/p.pak", dir.path("link.pak")).unwrap();
    std::fs::hard_link(dir.path("real/p.pak"), dir.path("copy.pak")).unwrap();
    dir.ok("add link.pak a.cfg");
    assert!(dir.read("real/p.pak~") == quake());
    // The other name of the old file stays with it.
    assert!(dir.read("copy.pak") == quake());
    let new = dir.read("real/p.pak");
    // What changes is found beside the file, not beside the link.
    dir.file("link.pak~", Pak::named(&["other.cfg"], "x").quake());
    dir.ok("undo link.pak -n").out_starts("remove a.cfg: 1 byte\nlink.pak: would change ");
    dir.remove("link.pak~");
    dir.ok("undo link.pak");
    assert!(dir.path("link.pak").is_symlink());
    assert!(dir.read("real/p.pak") == quake());
    assert!(dir.read("real/p.pak~") == new);
}

#[test]
fn undo_goes_back_to_a_damaged_archive() {
    let dir = Dir::new();
    let damaged = super::paks::damaged();
    dir.file("p.pak", &damaged);
    dir.file("a.cfg", b"a");
    dir.fails("add p.pak a.cfg --keep-going");
    assert!(dir.read("p.pak") != damaged);
    dir.ok("undo p.pak");
    assert!(dir.read("p.pak") == damaged);
}

/// Its content is that of the archive beside it, and no game loads it.
#[test]
fn searches_and_edits_skip_previous_versions() {
    let dir = Dir::new();
    dir.file("mod/p.pak", quake());
    dir.file("mod/a.cfg", "a");
    dir.ok("add mod/p.pak mod/a.cfg --as a.cfg");
    let found = || {
        let mut paks = dir.ok("list -r mod --json").fields("archive");
        paks.dedup();
        paks
    };
    assert_eq!(found(), ["mod/p.pak"]);
    dir.ok("list mod/p.pak~");
    dir.ok("add mod/p.pak mod -f -n")
        .err_has("warning: the archive itself is left out")
        .err_has("warning: 1 hidden or backup file is left out\n  --> mod/p.pak~");
    dir.ok("add mod/p.pak mod -f --hidden")
        .err_has("warning: the archive itself is left out")
        .err_has("warning: the archive's previous version is left out")
        .err_has("--> mod/p.pak~");
    // Without an archive beside it, it is a file like any other.
    std::fs::rename(dir.path("mod/p.pak~"), dir.path("mod/q.pak~")).unwrap();
    assert_eq!(found(), ["mod/p.pak", "mod/q.pak~"]);
}
