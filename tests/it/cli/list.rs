//! `list`

use serde_json::json;

use super::paks::{contents, daikatana, damaged, quake};
use super::{Dir, assert_has};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

#[test]
fn columns_are_aligned_and_names_escaped() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let mut session = dir.session();
    session.run("list d.pak");
    session.run("list q.pak");
    session.run("list d.pak --tree");
    session.run("list d.pak q.pak -i *.cfg");
    session.is("list");
    let each = dir.ok("list ./d.pak ./q.pak");
    dir.ok("list -r .").out(each.stdout());
}

#[test]
fn list_json_has_every_byte_of_a_name() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let mut session = dir.session();
    session.run("list d.pak --json");
    session.is("list-json");
    let rows = dir.ok("list d.pak --json").quiet().json();
    assert_eq!(rows.len(), contents().len());
    for (row, (name, content)) in rows.iter().zip(contents()) {
        assert_eq!(row["size"], content.len());
        match str::from_utf8(name) {
            Ok(text) => {
                assert_eq!(row["name"], text);
                assert_eq!(row.get("name_hex"), None);
            }
            Err(_) => assert_eq!(row["name_hex"], "62e4722e776176"),
        }
    }
}

#[test]
fn globs_pick_and_one_that_picks_nothing_is_reported() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let mut session = dir.session();
    for globs in ["*.BSP", "maps/* -x old*", "*.bsp -i *.mdl", "*.mdl", "a[b"] {
        session.run(format!("list d.pak --names -i {globs}"));
    }
    session.run("list d.pak --names -x *");
    session.is("list-globs");
}

#[test]
fn impossible_entries_are_listed_with_errors() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    let mut session = dir.session();
    session.run("list damaged.pak");
    session.is("list-damaged");
}

#[test]
fn arguments_named_like_archives_are_paths() {
    let dir = Dir::new();
    dir.file("one.pak", quake());
    dir.file("notes.txt", "no archive");
    for verb in ["list", "verify", "dupes"] {
        for path in ["notes.txt", "gone.pak"] {
            dir.fails(format!("{verb} one.pak {path}")).err_has(&format!("--> {path}"));
        }
    }
}

/// One false claim must not hide the size of everything else.
#[test]
fn impossible_sizes_are_not_in_the_total() {
    let dir = Dir::new();
    let claim = |zip: Zip, size: u64| {
        zip.deflated("false", b"x").both(|header| {
            header.large = true;
            header.size = size;
        })
    };
    let zip = Zip::new().stored("true", &[1; 30]);
    dir.file("in/a.pk3", zip.bytes());
    dir.file("in/b.pk3", claim(zip.clone(), u64::MAX).bytes());
    let far = Zip::new().stored("far", b"x").both(|header| {
        header.large = true;
        (header.packed, header.size) = (1 << 40, 1 << 40);
    });
    dir.file("in/c.pk3", far.bytes());
    let ran = dir.fails("list in");
    ran.err_has("3 archives, 4 entries, 60 bytes\n");
    let info = dir.fails("info in/b.pk3 --json").json();
    assert_has(&info[0], json!({"entries": 2, "size": 30, "packed_size": 30}));
}

#[test]
fn columns_have_headings_only_on_a_terminal() {
    let dir = Dir::new();
    let pak = Pak::new().stored("maps/a.bsp", b"level").stored("b", b"1");
    dir.file("q.pak", pak.quake());
    dir.ok("list q.pak").out("0  5  map    maps/a.bsp\n1  1  other  b\n");
    #[cfg(unix)]
    if crate::skips::is_installed("script") {
        let script = "script -qec 'NO_COLOR=1 daisho list q.pak' /dev/null </dev/null";
        dir.sh(script)
            .run()
            .code(0)
            .out("   size  kind   name\r\n0     5  map    maps/a.bsp\r\n1     1  other  b\r\n2 entries, 6 bytes\r\n");
    }
}
