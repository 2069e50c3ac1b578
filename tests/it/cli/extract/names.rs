//! Names: duplicates, those that no file may have, and those that get into each other's way.

use super::*;

fn tricky() -> Vec<u8> {
    Pak::new()
        .stored("a/x", b"served")
        .stored("a\\x", b"by another slash")
        .stored("../up", b"evil")
        .stored("dir", b"a file")
        .stored("a/x", b"third")
        .stored("dir/y", b"inside")
        .quake()
}

#[test]
fn duplicates_and_conflicts_are_written_as_dup() {
    let dir = Dir::new();
    dir.file("p.pak", tricky());
    let ran = dir.fails("extract p.pak");
    assert_snapshot("extract-names", ran.stderr());
    assert_eq!(dir.read("p/a/x"), b"served");
    assert_eq!(dir.read("p/a/x.dup-1"), b"by another slash");
    assert_eq!(dir.read("p/a/x.dup-4"), b"third");
    assert_eq!(dir.read("p/dir.dup-3"), b"a file");
    assert_eq!(dir.read("p/dir/y"), b"inside");
    assert!(!dir.has("up"));
}

#[test]
fn lowercase_writes_equal_names_as_dup() {
    let dir = Dir::new();
    let pak = Pak::new().stored("A/B.WAV", b"1").stored("a/b.wav", b"2");
    dir.file("P.pak", pak.quake());
    dir.ok("extract --lowercase P.pak").err_has("P.pak: entry 1 \"a/b.wav\"\n");
    dir.holds("P.pak P/ P/a/ P/a/b.wav P/a/b.wav.dup-1");
    assert_eq!(dir.read("P/a/b.wav"), b"1");
}

/// The first letter is escaped, so that no name is that of a device, and a dot at the end.
#[test]
fn rescue_escapes_names_in_one_way() {
    let dir = Dir::new();
    let names = ["../a.b", "c.", "con", "d//e-f_1", "g:h"];
    dir.file("p.pak", Pak::named(&names, "x").quake());
    dir.ok("extract p.pak --rescue");
    dir.holds(
        "p.pak p/ p/_rescued/ p/_rescued/%2e.%2fa.b p/_rescued/%63%2e p/_rescued/%63on \
         p/_rescued/%64%2f%2fe-f_1 p/_rescued/%67%3ah",
    );
}

#[test]
fn hidden_names_are_extracted_with_a_warning() {
    let dir = Dir::new();
    let pak = ["a.cfg", ".git/hooks/post-checkout", "b/desktop.ini", "c.map~", "d..e", "~f"]
        .iter()
        .fold(Pak::new(), |pak, name| pak.stored(name, b"x"));
    dir.file("a.pak", pak.quake());
    let extract = |more: &str| dir.run(format!("extract a.pak {more}"));
    let ran = extract("-v -C out").code(0);
    assert_eq!(ran.err_count("warning: "), 3, "{ran}");
    ran.err_has(
        "warning: this is the name of a hidden or backup file\n  \
         --> a.pak: entry 1 \".git/hooks/post-checkout\"\n",
    )
    .err_has("entry 2 \"b/desktop.ini\"")
    .err_has("entry 3 \"c.map~\"");
    assert!(dir.has("out/.git/hooks/post-checkout"));
    // What is kept is not written.
    extract("-k -C out").code(0).err_lacks("warning");
}
