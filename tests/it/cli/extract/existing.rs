//! What is there already: refused with a list, kept, replaced.

use super::*;

#[test]
fn existing_files_are_listed_and_nothing_is_written() {
    let dir = Dir::new();
    dir.file("p.pak", sound());
    dir.file("p/empty.cfg", "old");
    dir.file("p/skins/b.tga", "old");
    let before = dir.all();
    let ran = dir.refuses("extract p.pak");
    assert_snapshot("extract-exists", ran.stderr());
    assert_eq!(dir.all(), before);
}

#[test]
fn existing_files_are_grouped_and_listed_with_v() {
    let dir = Dir::new();
    let names: Vec<String> = (0..6).map(|n| format!("{n}.cfg")).collect();
    let pak = Pak::named(&names, "new");
    dir.file("p.pak", pak.quake());
    for name in &names {
        dir.file(format!("p/{name}"), "old");
    }
    dir.refuses("extract p.pak").err(
        "error: 6 files already exist\n  --> p/0.cfg\n  --> p/1.cfg\n  \
         --> p/2.cfg, and 3 more (-v names each)\nhelp: give -f to replace existing files, or -k to keep them\n",
    );
    let each = dir.refuses("extract -v p.pak");
    assert_eq!(each.err_count("error: already exists"), 6);
    assert_eq!(dir.read("p/0.cfg"), b"old");
    for name in ["p/5.cfg", "p/4.cfg", "p/3.cfg"] {
        dir.remove(name);
    }
    let few = dir.refuses("extract p.pak");
    assert_eq!(few.err_count("error: already exists"), 3);
}

#[test]
fn k_keeps_existing_files_and_writes_the_rest() {
    let dir = Dir::new();
    dir.file("p.pak", sound());
    dir.file("p/skins/b.tga", "old");
    dir.ok("extract -k p.pak").err("p.pak: 2 files, 3 bytes, into p/; 1 kept\n");
    assert_eq!(dir.read("p/skins/b.tga"), b"old");
    assert_eq!(dir.read("p/sounds/a.wav"), b"one");
    dir.ok("extract -k p.pak").err("p.pak: 0 files, 0 bytes, into p/; 3 kept\n");
}

#[test]
fn f_replaces_files_but_not_with_damaged_ones() {
    let dir = Dir::new();
    dir.file("p.pak", damaged());
    dir.file("p/skins/b.tga", "old");
    dir.file("p/c", "an old file that is longer");
    dir.fails("extract -f p.pak")
        .err_has("p.pak: 2 files, 8 bytes, into p/; 1 replaced, 1 failed\n");
    assert_eq!(dir.read("p/skins/b.tga"), b"old");
    assert_eq!(dir.read("p/c"), b"three");
}

#[test]
fn directories_and_files_never_replace_each_other() {
    for flag in ["-f", "-k", "-q"] {
        let dir = Dir::new();
        dir.file("p.pak", sound());
        dir.file("p/empty.cfg/x", "");
        dir.file("p/sounds", "a file");
        let before = dir.all();
        dir.refuses(format!("extract {flag} p.pak"))
            .err_has("  --> p/empty.cfg\n")
            .err_has("  --> p/sounds\n");
        assert_eq!(dir.all(), before);
    }
}

#[test]
fn a_destination_that_is_a_file_is_refused() {
    let dir = Dir::new();
    // Without an extension the directory would have the pak's own name.
    dir.file("pak", sound());
    dir.refuses("extract pak");
    dir.refuses("extract pak -C pak").err_has("  --> pak\n");
    dir.holds("pak");
}
