//! `--flat`, which leaves out the directories of names; and the messages about many archives.

use super::*;

#[test]
fn flat_puts_all_files_into_one_directory() {
    let dir = Dir::new();
    let a = [("a/x.wav", "a: a/x"), ("b\\x.wav", "a: b/x"), ("y.wav", "a: y")];
    let b = [("c/X.WAV", "b: c/X"), ("c/z.wav", "b: c/z"), ("d/x.wav", "b: d/x")];
    dir.file("g/a.pak", Pak::of(&a).quake());
    dir.file("g/b.pak", Pak::of(&b).quake());
    let extract = |more: &str| dir.run(format!("extract -r g --flat {more}"));
    extract("-C out").code(0).err(
        "g/a.pak: 3 files, 16 bytes, into out/; 1 written as NAME.dup-INDEX\n\
         g/b.pak: 3 files, 18 bytes, into out/; 2 written as NAME.dup-INDEX\n\
         2 archives: 6 files, 34 bytes; 3 written as NAME.dup-INDEX\n",
    );
    // Nothing of it depends on the number of threads.
    extract("-C one -j1").code(0);
    for (name, content) in [
        ("X.WAV.dup-0", "b: c/X"),
        ("x.wav", "a: a/x"),
        ("x.wav.dup-1", "a: b/x"),
        ("x.wav.dup-2", "b: d/x"),
        ("y.wav", "a: y"),
        ("z.wav", "b: c/z"),
    ] {
        assert_eq!(dir.text(format!("out/{name}")), content);
        assert_eq!(dir.text(format!("one/{name}")), content);
    }
    // -k finds all of it again.
    extract("-C out -k").code(0).err_has("2 archives: 0 files, 0 bytes; 6 kept\n");
    assert_eq!(dir.files("out").len(), 6);
    extract("").code(2).err_has("--directory");
    // One pak alone is flat, too.
    dir.ok("extract g/b.pak --flat -C alone");
    assert_eq!(dir.files("alone").len(), 3);
}

#[test]
fn archives_without_a_match_have_no_line() {
    let dir = Dir::new();
    dir.file("g/a.pak", Pak::new().stored("a.cfg", b"12").quake());
    dir.file("g/b.pak", Pak::new().stored("b.wav", b"1").quake());
    dir.file("g/c.pak", Pak::new().stored("c.cfg", b"1").quake());
    dir.ok("extract -r g -i *.cfg -C out").err(
        "g/a.pak: 1 file, 2 bytes, into out/a/\n\
         g/c.pak: 1 file, 1 byte, into out/c/\n\
         3 archives: 2 files, 3 bytes; 1 without a file to extract\n",
    );
}
