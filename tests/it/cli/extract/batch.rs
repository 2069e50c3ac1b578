//! Many paks at once, and directories of them.

use super::*;

#[test]
fn a_directory_with_damage_gives_its_whole_files() {
    let dir = Dir::new();
    dir.file("games/base/pak0.pak", sound());
    dir.file("games/base/readme.txt", "no pak");
    dir.file("games/mod/deep/pak0.dat", damaged());
    dir.file("games/mod/torn.pak", "PACK");
    dir.file("games/out/old.pak", sound());
    dir.file("single.pak", sound());
    let ran = dir.fails("extract -r games single.pak -C games/out");
    assert_snapshot("extract-batch", ran.stderr());
    assert_eq!(
        dir.files("games/out"),
        [
            "base/pak0/empty.cfg",
            "base/pak0/skins/b.tga",
            "base/pak0/sounds/a.wav",
            "mod/deep/pak0/c",
            "mod/deep/pak0/sounds/a.wav",
            "old.pak",
            "single/empty.cfg",
            "single/skins/b.tga",
            "single/sounds/a.wav",
        ]
    );
}

#[test]
fn without_c_each_pak_is_extracted_here() {
    let dir = Dir::new();
    dir.file("in/a.pak", sound());
    dir.file("in/sub/b.pak", sound());
    dir.ok("extract -r in");
    assert_eq!(dir.read("a/sounds/a.wav"), b"one");
    assert_eq!(dir.read("sub/b/sounds/a.wav"), b"one");
}

#[test]
fn nested_outputs_are_refused_only_if_files_meet() {
    let dir = Dir::new();
    let outer = |name: &str| Pak::new().stored(name, b"outer").quake();
    dir.file("in/m/p.pak", sound());
    for (name, code) in [
        ("p/sounds/b.wav", 0),
        ("p/sounds/a.wav", 2),
        ("p/sounds", 2),
        ("p", 2),
        ("p/empty.cfg/x", 2),
        ("q", 0),
    ] {
        dir.file("in/m.pak", outer(name));
        let out = format!("out-{}", name.replace('/', "-"));
        let ran = dir.run(format!("extract -r in -C {out}"));
        let ran = ran.code(code);
        assert_eq!(dir.has(&out), code == 0, "{name}: {ran}");
    }
}

/// Files beside each other that differ in their extensions alone.
#[test]
fn paks_of_one_stem_get_directories_by_full_name() {
    let dir = Dir::new();
    let one = |content: &str| Pak::new().stored("a", content.as_bytes()).quake();
    for (name, content) in [
        ("in/pak0.bak", "bak"),
        ("in/pak0.pak", "pak"),
        ("in/pak0.old", "old"),
        ("in/pak1.pak", "one"),
        ("in/x.1", "x.1"),
        ("in/x.2", "x.2"),
        ("in/y", "no extension"),
        ("in/y.pak", "y.pak"),
    ] {
        dir.file(name, one(content));
    }
    let run = |more: &str| dir.run(format!("extract -r in -C out {more}"));
    run("-v").code(0).err_has("in/pak0.bak: 1 file, 3 bytes, into out/pak0.bak/\n");
    for (path, content) in [
        ("out/pak0/a", "pak"),
        ("out/pak0.bak/a", "bak"),
        ("out/pak0.old/a", "old"),
        ("out/pak1/a", "one"),
        ("out/x/a", "x.1"),
        ("out/x.2/a", "x.2"),
        ("out/y/a", "no extension"),
        ("out/y.pak/a", "y.pak"),
    ] {
        assert_eq!(dir.read(path), content.as_bytes(), "{path}");
    }
    // A second run finds them again.
    run("-k").code(0).err_has("in/pak0.old: 0 files, 0 bytes, into out/pak0.old/; 1 kept\n");
    run("").code(2).err_has("out/pak0.bak/a");
}

/// To Quake these are two names; as paths they are one.
#[test]
fn names_equal_but_for_slashes_are_written_as_dup() {
    let dir = Dir::new();
    let pak0 = Pak::new().stored("d\\e", b"back").stored("f", b"first");
    let pak1 = Pak::new().stored("d/e", b"plain").stored("f", b"second");
    dir.file("id1/pak0.pak", pak0.quake());
    dir.file("id1/pak1.pak", pak1.quake());
    let args = "extract --effective id1 -C out --engine quake";
    let put_aside = "warning: another entry already has this name, so this one is written as \
                     \"d/e.dup-0\"\n  --> id1/pak0.pak: entry 0 \"d\\\\e\"\n";
    dir.ok(args).err_has(put_aside);
    for (path, content) in [("out/d/e", "plain"), ("out/d/e.dup-0", "back"), ("out/f", "second")] {
        assert_eq!(dir.read(path), content.as_bytes(), "{path}");
    }
    assert_eq!(dir.files("out").len(), 3);
    dir.ok(format!("{args} -k")).err_has("2 kept");
}

/// What an engine never finds is left out of what is extracted as it is of the listing.
#[test]
fn effective_extract_skips_what_is_never_found() {
    let dir = Dir::new();
    let pak = Pak::new().stored("d\\e.cfg", b"never").stored("a.cfg", b"found");
    dir.file("game/pak0.pak", pak.quake());
    let says = "darkplaces never finds";
    dir.ok("list --effective game --engine darkplaces").err_has(says);
    dir.ok("extract --effective game --engine darkplaces -C out").err_has(says);
    assert_eq!(dir.read("out/a.cfg"), b"found");
    assert!(!dir.has("out/d"));
    // To another engine it is a name like others.
    dir.ok("extract --effective game --engine fteqw -C all");
    assert_eq!(dir.read("all/d/e.cfg"), b"never");
}

/// Some cannot be opened, and others would take too much room.
#[test]
fn failures_follow_the_order_of_inputs() {
    let dir = Dir::new();
    let stream = [[0x7f; 1000].as_slice(), b"\xff"].concat();
    let zeros = Pak::new().compressed("bomb.tga", 65_000, &stream);
    for (name, pak) in [("b1.pak", &zeros), ("b3.pak", &zeros)] {
        dir.file(name, pak.clone().daikatana());
    }
    // Their directories would be far behind their ends.
    for name in ["n2.pak", "n4.pak"] {
        dir.file(name, [b"PACK".as_slice(), &[0xff; 8]].concat());
    }
    dir.file("p.pak", sound());
    for order in ["b1.pak n2.pak b3.pak n4.pak", "n4.pak b3.pak n2.pak b1.pak"] {
        let line = format!("extract --json -q -n --max-expansion 10 {order} p.pak");
        let mut unread = String::new();
        for row in dir.fails(&line).json() {
            if row["status"] == "unread" {
                unread = unread + row["archive"].as_str().unwrap() + " ";
            }
        }
        assert_eq!(unread.trim_end(), order);
    }
}
