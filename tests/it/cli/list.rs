//! `list`

use super::paks::{contents, daikatana, damaged, quake};
use super::{Dir, assert_snapshot};
use crate::archive::build::Pak;
use crate::archive::zips::build::Zip;

#[test]
fn columns_are_aligned_and_names_escaped() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    dir.file("q.pak", quake());
    let list = |arguments: &str| {
        dir.ok(format!("list -q {arguments}"))
            .quiet()
            .text()
            .to_owned()
    };
    assert_snapshot("list-daikatana", &list("d.pak"));
    assert_snapshot("list-quake", &list("q.pak"));
    assert_snapshot("list-tree", &list("d.pak --tree"));
    assert_snapshot("list-several", &list("d.pak q.pak -i *.cfg"));
    assert_eq!(list("-r ."), list("./d.pak ./q.pak"));
}

#[test]
fn list_json_has_every_byte_of_a_name() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let rows = dir.ok("list d.pak --json").quiet().json();
    assert_eq!(rows.len(), contents().len());
    for ((row, (name, content)), index) in rows.iter().zip(contents()).zip(0..) {
        let text = core::str::from_utf8(name);
        let mut fields: Vec<&str> = row.as_object().unwrap().keys().map(|k| &**k).collect();
        fields.retain(|field| *field != "name_hex");
        fields.sort_unstable();
        let promised = [
            "archive",
            "compressed",
            "index",
            "kind",
            "name",
            "offset",
            "packed_size",
            "size",
        ];
        assert_eq!(fields, promised);
        assert_eq!(row["archive"], "d.pak");
        assert_eq!(row["index"], index);
        assert_eq!(row["size"], content.len());
        match text {
            Ok(text) => {
                assert_eq!(row["name"], text);
                assert_eq!(row.get("name_hex"), None);
            }
            Err(_) => assert_eq!(row["name_hex"], "62e4722e776176"),
        }
        if row["compressed"] == false {
            assert_eq!(row["packed_size"], row["size"]);
        }
    }
    assert_eq!(rows[0]["kind"], "picture");
    assert_eq!(
        (&rows[0]["offset"], &rows[0]["packed_size"]),
        (&12.into(), &4.into())
    );
    assert_eq!(rows[0]["compressed"], true);
}

#[test]
fn globs_pick_and_one_that_picks_nothing_is_reported() {
    let dir = Dir::new();
    dir.file("d.pak", daikatana());
    let names = |arguments: &str, code| {
        dir.run(format!("list d.pak --json {arguments}"))
            .code(code)
            .json()
            .iter()
            .map(|row| row["index"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("-i *.BSP", 0), [1, 6]);
    assert_eq!(names("-i maps/* -x old*", 0), [1]);
    assert!(names("-x *", 0).is_empty());
    assert_eq!(names("-i *.bsp -i *.mdl", 1), [1, 6]);
    dir.fails("list d.pak -i *.mdl")
        .out("")
        .err("error: no entry matches \"*.mdl\"\nhelp: '*.wal' and '*wall*' match in any folder, 'maps/' matches everything in a folder, \
              and '*' stops at a '/'; 'daisho list' shows the names\n");
    dir.refuses("list d.pak -i a[b").out("").err_has("a[b");
}

#[test]
fn what_cannot_be_is_listed_and_told() {
    let dir = Dir::new();
    dir.file("damaged.pak", damaged());
    let ran = dir.fails("list damaged.pak");
    assert_snapshot(
        "list-damaged",
        &format!("{}--\n{}", ran.text(), ran.stderr()),
    );
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
    assert_eq!(
        (&info[0]["entries"], &info[0]["size"]),
        (&2.into(), &30.into())
    );
    assert_eq!(info[0]["packed_size"], 30);
}

#[test]
fn names_and_globs_select_entries_in_every_look() {
    let dir = Dir::new();
    let pak = |first: &[u8]| {
        let pak = Pak::new().stored("maps/a.bsp", first);
        let pak = pak.stored("maps/b.bsp", first);
        pak.stored("readme.txt", "text").quake()
    };
    dir.file("one.pak", pak(b"one"));
    dir.file("two.pak", pak(b"two"));
    // The current directory has files of these names, too.
    dir.file("readme.txt", "beside");
    dir.file("maps/a.bsp", "beside");
    let names = |arguments: &str| {
        dir.ok(format!("list --names {arguments}"))
            .quiet()
            .text()
            .replace('\n', " ")
            .trim_end()
            .to_owned()
    };
    assert_eq!(names("one.pak *.BSP"), "maps/a.bsp maps/b.bsp");
    assert_eq!(names("one.pak maps/"), "maps/a.bsp maps/b.bsp");
    assert_eq!(
        names("one.pak maps/a.bsp readme.txt"),
        "maps/a.bsp readme.txt"
    );
    assert_eq!(
        names("one.pak two.pak maps/a.bsp"),
        "one.pak: maps/a.bsp two.pak: maps/a.bsp"
    );
    let run = |arguments: &str, code| dir.run(arguments).code(code);
    run("verify one.pak maps", 0).out("2 entries, 6 bytes, all OK\n");
    run("dupes one.pak two.pak *.txt", 0).out(
        "1 file stored 2 times; 4 bytes wasted\n\n2 copies of 4 bytes, 4 bytes wasted\n  one.pak: readme.txt\n  two.pak: readme.txt\n",
    );
    for verb in ["list", "verify", "dupes"] {
        // A file that is there, or that is called like an archive, is a path.
        dir.file("notes.txt", "no archive");
        run(&format!("{verb} one.pak notes.txt"), 1).err_has("--> notes.txt");
        run(&format!("{verb} one.pak gone.pak"), 1).err_has("--> gone.pak");
    }
}

#[test]
fn columns_have_headings_only_on_a_terminal() {
    let dir = Dir::new();
    let pak = Pak::new().stored("maps/a.bsp", b"level").stored("b", b"1");
    dir.file("q.pak", pak.quake());
    dir.ok("list q.pak")
        .out("0  5  map    maps/a.bsp\n1  1  other  b\n");
    #[cfg(unix)]
    {
        let script = "command -v script >/dev/null || exit 77\n\
                      script -qec 'NO_COLOR=1 daisho list q.pak' /dev/null </dev/null";
        let ran = dir.sh(script).run();
        if !ran.is(77) {
            ran.code(0)
                .out("   size  kind   name\r\n0     5  map    maps/a.bsp\r\n1     1  other  b\r\n");
        }
    }
}
