//! Names: duplicates, those that no file may have, and those that get into each other's way.

use super::*;
use crate::archive::build::Entry;

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
fn duplicates_and_path_conflicts_are_put_aside() {
    let dir = Dir::new();
    dir.file("p.pak", tricky());
    let ran = dir.fails("extract p.pak");
    assert_snapshot("extract-names", ran.stderr());
    assert_eq!(dir.read("p/a/x"), b"served");
    assert_eq!(dir.read("p/a/x.dup-1"), b"by another slash");
    assert_eq!(dir.read("p/a/x.dup-4"), b"third");
    assert_eq!(dir.read("p/dir.dup-3"), b"a file");
    assert_eq!(dir.read("p/dir/y"), b"inside");
    assert!(!dir.path("up").exists());
}

#[test]
fn of_names_equal_in_case_the_first_keeps_its_name() {
    let dir = Dir::new();
    let pak = Pak::new().stored("Case", b"upper").stored("case", b"lower");
    dir.file("p.pak", pak.quake());
    dir.ok("extract p.pak")
        .err_has("so this one is written as \"case.dup-1\"");
    assert_eq!(dir.read("p/Case"), b"upper");
    assert_eq!(dir.read("p/case.dup-1"), b"lower");
}

#[test]
fn lower_case_makes_duplicates_and_reports_them() {
    let dir = Dir::new();
    let pak = Pak::new().stored("A/B.WAV", b"1").stored("a/b.wav", b"2");
    dir.file("P.pak", pak.quake());
    dir.ok("extract --lowercase P.pak")
        .err_has("P.pak: entry 1 \"a/b.wav\"\n");
    dir.holds("P.pak P/ P/a/ P/a/b.wav P/a/b.wav.dup-1");
    assert_eq!(dir.read("P/a/b.wav"), b"1");
}

const HOSTILE: &[&[u8]] = &[
    b"..",
    b"../x",
    b"a/../../x",
    b"..\\..\\x",
    b"/tmp/daisho-evil",
    b"//server/share",
    b"\\\\?\\C:\\x",
    b"c:x",
    b"C:\\x",
    b"con",
    b"NUL.txt",
    b"a/aux",
    b"a:stream",
    b"a\x1b[2Jb",
    b"a\nb",
    b"a\x7f",
    b"",
    b".",
    b"...",
    b"a/",
    b"a//b",
    b"./a",
    b"trailing.",
    b"trailing ",
    b"what?",
    b"../../../../../../../../../../../../../../../../../x",
];

fn hostile() -> Vec<u8> {
    let mut pak = Pak::new();
    for name in HOSTILE {
        let offset = pak.payload(name);
        let (name, size) = (name.to_vec(), name.len() as u32);
        let packed = None;
        pak = pak.entry(Entry {
            name,
            offset,
            size,
            packed,
        });
    }
    pak.stored("good", b"good").quake()
}

#[test]
fn impossible_names_are_skipped_and_reported() {
    let dir = Dir::new();
    dir.file("in/p.pak", hostile());
    let ran = dir
        .fails("extract -v --from quake in/p.pak -C in/out")
        .err_has("give --rescue");
    let errors = ran.stderr().matches("error: ").count();
    assert_eq!(errors, HOSTILE.len());
    dir.holds("in/ in/out/ in/out/good in/p.pak");
}

#[test]
fn rescue_keeps_all_files_under_new_names() {
    let dir = Dir::new();
    dir.file("in/p.pak", hostile());
    dir.ok("extract --from quake in/p.pak -C in/out --rescue");
    let all = dir.all();
    let rescued: Vec<&String> = all
        .iter()
        .filter(|path| path.starts_with("in/out/_rescued/") && !path.ends_with('/'))
        .collect();
    assert_eq!(rescued.len(), HOSTILE.len(), "{all:?}");
    assert_eq!(all.len(), HOSTILE.len() + 5, "{all:?}");
    let mut contents: Vec<Vec<u8>> = rescued.iter().map(|path| dir.read(path)).collect();
    contents.sort();
    let mut names: Vec<Vec<u8>> = HOSTILE.iter().map(|name| name.to_vec()).collect();
    names.sort();
    assert_eq!(contents, names);
}

/// Windows has no such files.
#[cfg(unix)]
#[test]
fn a_pak_of_a_hostile_name_stays_in_the_directory_too() {
    let dir = Dir::new();
    let pak = Pak::new().stored("x", b"x").quake();
    dir.file("in/...pak", &pak);
    dir.file("in/..pak", &pak);
    dir.file("in/con.pak", &pak);
    dir.ok("extract -r in -C out/below");
    assert!(!dir.path("out/x").exists());
    let files: Vec<String> = dir
        .all()
        .into_iter()
        .filter(|path| path.ends_with("/x"))
        .collect();
    assert_eq!(
        files,
        [
            "out/below/...pak/x",
            "out/below/..pak/x",
            "out/below/con.pak/x"
        ]
    );
}

#[test]
fn hidden_names_are_extracted_with_a_warning() {
    let dir = Dir::new();
    let pak = [
        "a.cfg",
        ".git/hooks/post-checkout",
        "b/desktop.ini",
        "c.map~",
        "d..e",
        "~f",
    ]
    .iter()
    .fold(Pak::new(), |pak, name| pak.stored(name, b"x"));
    dir.file("a.pak", pak.quake());
    let extract = |more: &str| dir.run(format!("extract a.pak {more}"));
    let ran = extract("-v -C out").code(0);
    assert_eq!(ran.stderr().matches("warning: ").count(), 3, "{ran}");
    ran.err_has(
        "warning: this is the name of a hidden or backup file\n  \
         --> a.pak: entry 1 \".git/hooks/post-checkout\"\n",
    )
    .err_has("entry 2 \"b/desktop.ini\"")
    .err_has("entry 3 \"c.map~\"");
    assert!(dir.path("out/.git/hooks/post-checkout").exists());
    // What is kept is not written.
    extract("-k -C out").code(0).err_lacks("warning");
}
