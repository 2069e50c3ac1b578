//! Bombs, and systems without room or rights. What strangers may prepare besides is the attack
//! table's: `hostile::attacks`.

use super::*;
use crate::archive::build::Entry;

/// A thousand entries that share one payload.
fn bomb() -> Vec<u8> {
    let mut pak = Pak::new();
    let offset = pak.payload(&[b'x'; 100_000]);
    for n in 0..1000 {
        pak = pak.entry(Entry {
            name: format!("{n}").into_bytes(),
            offset,
            size: 100_000,
            packed: None,
        });
    }
    pak.quake()
}

#[test]
fn bombs_are_refused_unless_the_limit_is_raised() {
    let dir = Dir::new();
    dir.file("bomb.pak", bomb());
    let ran = dir.refuses("extract bomb.pak");
    assert_snapshot("extract-bomb", ran.stderr());
    dir.holds("bomb.pak");
    // What is left out does not count.
    dir.ok("extract bomb.pak -i 9??");
    dir.ok("extract bomb.pak -k --max-expansion 1000");
    assert_eq!(dir.all().len(), 1002);
    // In a batch it costs that pak alone.
    dir.file("p.pak", sound());
    dir.fails("extract bomb.pak p.pak -C out")
        .err_has("--max-expansion");
    assert!(!dir.path("out/bomb").exists());
    assert_eq!(dir.read("out/p/sounds/a.wav"), b"one");
}

#[cfg(unix)]
#[test]
fn a_file_size_limit_costs_only_larger_files() {
    let dir = Dir::new();
    let pak = Pak::new()
        .stored("big", [1; 300_000])
        .stored("small", b"small")
        .quake();
    dir.file("p.pak", pak);
    dir.sh("ulimit -f 64; exec daisho extract p.pak")
        .run()
        .code(1)
        .err_has("  --> p/big\n")
        .err_has("1 failed");
    dir.holds("p.pak p/ p/small");
}

#[cfg(unix)]
#[test]
fn a_hundred_paks_need_few_open_files() {
    let dir = Dir::new();
    for n in 0..100 {
        dir.file(format!("in/{n}.pak"), sound());
    }
    dir.sh("ulimit -n 64; exec daisho extract -q -r in -C out")
        .run()
        .code(0)
        .quiet();
    let files = dir
        .all()
        .iter()
        .filter(|path| path.ends_with(".wav"))
        .count();
    assert_eq!(files, 100);
}

#[cfg(unix)]
#[test]
fn a_directory_without_rights_costs_the_files_in_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new();
    let pak = Pak::new().stored("d/a", b"a").stored("b", b"b").quake();
    dir.file("p.pak", pak);
    dir.file("p/d/old", "");
    let rights = |mode| {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(dir.path("p/d"), rights).unwrap();
    };
    rights(0o555);
    // For the super-user there are no rights to lack.
    if std::fs::write(dir.path("p/d/probe"), "").is_ok() {
        return;
    }
    let ran = dir.run("extract p.pak");
    rights(0o755);
    ran.code(1).err_has("  --> p/d/a\n");
    dir.holds("p.pak p/ p/b p/d/ p/d/old");
}

#[cfg(unix)]
#[test]
fn a_game_of_a_hundred_paks_needs_few_open_files() {
    let dir = Dir::new();
    for n in 0..100 {
        let pak = Pak::new().stored(format!("{n}.cfg"), b"bind x y").quake();
        dir.file(format!("id1/pak{n}.pak"), pak);
    }
    for command in [
        "list --effective id1 --engine quakespasm",
        "which id1 0.cfg --engine quakespasm",
        "extract --effective -q id1 -C files --engine quakespasm",
        "convert --merge -q id1 -o all/pak0.pak --engine quakespasm",
        "gallery -q -r id1 -o page",
    ] {
        dir.sh(&format!("ulimit -n 64; exec daisho {command}"))
            .run()
            .code(0);
    }
    assert_eq!(dir.read("files/99.cfg"), b"bind x y");
}
