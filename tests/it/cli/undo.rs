//! `undo`, and the previous version that every edit keeps.

use std::collections::BTreeSet;

use super::Dir;
use super::paks::{of_each_format, quake};

#[test]
fn every_edit_keeps_a_backup_and_undo_swaps_them() {
    let dir = Dir::new();
    dir.file("c.lmp", b"third");
    for archive in of_each_format(&dir) {
        let backup = format!("{archive}~");
        for edit in [
            &format!("add {archive} c.lmp"),
            &format!("rename {archive} a.lmp z.lmp"),
            &format!("remove {archive} b.lmp"),
        ] {
            let old = dir.read(archive);
            dir.ok(edit);
            let new = dir.read(archive);
            assert!(new != old, "{edit}");
            assert!(dir.read(&backup) == old, "{edit}");
            dir.ok(format!("undo {archive}"));
            assert!(dir.read(archive) == old, "{edit}");
            assert!(dir.read(&backup) == new, "{edit}");
            dir.ok(format!("undo {archive}"));
            assert!(dir.read(archive) == new, "{edit}");
            assert!(dir.read(&backup) == old, "{edit}");
        }
    }
}

#[test]
fn undo_prints_the_entries_and_bytes_of_both_versions() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("new.cfg", b"new");
    dir.ok("add p.pak new.cfg");
    let (old, new) = (quake(), dir.read("p.pak"));
    dir.ok("undo p.pak -n")
        .out("p.pak: would change 8 entries, 2249 bytes to 7 entries, 2182 bytes\n");
    assert!(dir.read("p.pak") == new);
    let row = dir.ok("undo p.pak --json");
    let expected = serde_json::json!({
        "archive": "p.pak", "status": "done", "entries_before": 8, "bytes_before": new.len(),
        "entries": 7, "bytes": old.len(),
    });
    assert_eq!(row.json(), [expected]);
    dir.ok("undo p.pak")
        .err("p.pak: 7 entries, 2182 bytes to 8 entries, 2249 bytes\n");
    assert!(dir.read("p.pak") == new);
}

#[test]
fn undo_without_a_backup_is_refused() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("a.cfg", b"a");
    let undo = || dir.run("undo p.pak");
    undo().code(2).err("error: there is nothing to undo: \"p.pak~\" does not exist\n  --> p.pak\nhelp: adding, removing and renaming keep the previous archive there, unless no backup is wanted\n");
    dir.ok("add p.pak a.cfg --no-backup");
    dir.holds("a.cfg p.pak");
    undo().code(2).err_has("nothing to undo");
    for (path, words) in [
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
        for edit in [
            "rename p a.cfg a.cfg",
            "rename p maps maps --prefix",
            "add p mod --root mod -f",
        ] {
            dir.ok(edit)
                .err("p: unchanged, the new archive would be the same\n");
            assert!(dir.read("p") == old, "{edit}");
            assert_eq!(dir.all(), before, "{edit}");
        }
        let row = dir.ok("add p mod --root mod -f --json");
        let row = &row.json()[0];
        assert_eq!(row["status"], "unchanged");
        assert_eq!(row["replaced"], 0);
        assert_eq!(row["entries"], 2);
        assert_eq!(row["bytes"], old.len());
    }
}

#[test]
fn a_non_archive_named_like_a_backup_is_kept() {
    let dir = Dir::new();
    dir.file("p.pak", quake());
    dir.file("p.pak~", "notes, written with an editor");
    dir.file("a.cfg", b"a");
    let before = dir.all();
    let advice = "help: move it away, or give --no-backup to keep no previous version\n";
    for edit in [
        "add p.pak a.cfg",
        "add p.pak a.cfg -f",
        "add p.pak a.cfg -n",
        "remove p.pak default.cfg",
        "rename p.pak default.cfg x.cfg",
        "undo p.pak",
    ] {
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
    std::fs::remove_file(dir.path("p.pak~")).unwrap();
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
    assert!(dir.path("link.pak").is_symlink());
    assert!(dir.read("real/p.pak~") == quake());
    // The other name of the old file stays with it.
    assert!(dir.read("copy.pak") == quake());
    let new = dir.read("real/p.pak");
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
    let verified = || {
        dir.ok("verify -r mod --json")
            .json()
            .iter()
            .filter_map(|row| row["archive"].as_str())
            .map(str::to_owned)
            .collect::<BTreeSet<String>>()
    };
    assert_eq!(verified(), BTreeSet::from(["mod/p.pak".to_owned()]));
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
    let both = ["mod/p.pak", "mod/q.pak~"].map(str::to_owned);
    assert_eq!(verified(), BTreeSet::from(both));
}
