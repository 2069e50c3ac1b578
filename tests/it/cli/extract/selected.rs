//! Names of entries behind the one pak that they are in, as tar, unzip and 7z take them; and
//! arguments that mean nothing.

use super::*;

fn maps() -> Vec<u8> {
    Pak::new()
        .stored("maps/e1m1.bsp", b"one")
        .stored("MAPS\\E1M2.BSP", b"two")
        .stored("maps/old/e1m1.bsp", b"old")
        .stored("maps/[x].bsp", b"odd")
        .stored("mapsize", b"size")
        .stored("progs.dat", b"code")
        .quake()
}

/// The files that came out, from the destination on.
#[track_caller]
fn extracted(args: &str) -> Vec<String> {
    let dir = Dir::new();
    dir.file("p.pak", maps());
    dir.ok(format!("extract p.pak -C out {args}"));
    let files = dir.files("out").into_iter();
    files.map(|path| one_folder(&path)).collect()
}

/// On Windows `MAPS` and `maps` are one directory, and have the name that it was made under.
fn one_folder(path: &str) -> String {
    if cfg!(windows) { path.replace("MAPS/", "maps/") } else { path.to_owned() }
}

#[test]
fn names_after_a_pak_select_entries() {
    assert_eq!(extracted("maps/e1m1.bsp"), ["maps/e1m1.bsp"]);
    assert_eq!(extracted("MAPS/E1M1.bsp"), ["maps/e1m1.bsp"]);
    assert_eq!(extracted("maps/e1m2.bsp PROGS.dat"), [&one_folder("MAPS/E1M2.BSP"), "progs.dat"]);
    // What could be a glob is also a name.
    assert_eq!(extracted("maps/[x].bsp"), ["maps/[x].bsp"]);
    // A directory's name means all in it.
    let all = [&one_folder("MAPS/E1M2.BSP"), "maps/[x].bsp", "maps/e1m1.bsp", "maps/old/e1m1.bsp"];
    assert_eq!(extracted("maps"), all);
    assert_eq!(extracted("maps/"), all);
    assert_eq!(extracted("maps -x e1*"), ["maps/[x].bsp"]);
}

#[test]
fn globs_after_a_pak_work_like_i() {
    assert_eq!(extracted("*.DAT"), ["progs.dat"]);
    assert_eq!(
        extracted("maps/*.bsp"),
        [&one_folder("MAPS/E1M2.BSP"), "maps/[x].bsp", "maps/e1m1.bsp"]
    );
    assert_eq!(extracted("-i progs.* mapsize"), ["mapsize", "progs.dat"]);
}

#[test]
fn an_unknown_name_is_an_error_and_writes_nothing() {
    let dir = Dir::new();
    dir.file("p.pak", maps());
    let run = |code: i32, args: &str| {
        let ran = dir.run(format!("extract {args}")).code(code);
        dir.holds("p.pak");
        ran
    };
    run(1, "p.pak maps/e1m9.bsp").err(
        "error: no file and no entry is named \"maps/e1m9.bsp\"; did you mean \
         \"maps/e1m1.bsp\"?\n  --> p.pak\nhelp: 'daisho list' shows the names and numbers\n",
    );
    // It may be meant as the directory to write into.
    run(1, "p.pak outdir")
        .err_has("error: no file and no entry is named \"outdir\"\n")
        .err_has(" a directory to write into comes after -C, ");
    run(1, "p.pak progs.dat E1M1.BSP").err_has("; did you mean \"maps/e1m1.bsp\"?\n");
    run(1, "p.pak *.wav").err_has("no entry matches \"*.wav\"\n");
    run(2, "p.pak q.pak")
        .err_has("error: no such file or directory; did you mean \"p.pak\"?\n  --> q.pak\n");
    run(1, "p.pak progs.dat -n none").err_has("\"none\"");
}

#[test]
fn nothing_is_written_if_an_argument_is_missing() {
    let dir = Dir::new();
    dir.file("p.pak", maps());
    dir.file("q.pak", maps());
    let run = |code: i32, args: &str| {
        let ran = dir.run(format!("extract {args}")).code(code);
        dir.holds("p.pak q.pak");
        ran
    };
    run(2, "progs.dat p.pak")
        .err_has("error: no such file or directory\n  --> progs.dat\n")
        .err_has("names of entries come after their archive");
    run(1, "p.pak q.pak progs.da -C out").err(
        "error: no file and no entry is named \"progs.da\"; did you mean \
         \"progs.dat\"?\nhelp: 'daisho list' shows the names and numbers\n",
    );
    #[cfg(not(windows))] // There it is `p.pak`.
    run(2, "P.pak q.pak").err_has("error: no such file or directory; did you mean \"p.pak\"?\n");
    run(2, "./pp.pak").err_has("did you mean \"./p.pak\"?\n  --> ./pp.pak\n");
}

#[test]
fn an_archive_named_like_an_entry_is_a_path() {
    let dir = Dir::new();
    dir.file("p.pak", maps());
    dir.file("progs.dat", Pak::new().stored("x", b"x").quake());
    dir.ok("extract p.pak progs.dat -C out");
    assert_eq!(dir.read("out/progs/x"), b"x");
    assert_eq!(dir.read("out/p/progs.dat"), b"code");
}

/// In a mod's own directory there are files of the names that its pak has.
#[test]
fn an_entry_name_wins_over_a_file_of_that_name() {
    let dir = Dir::new();
    dir.file("p.pak", maps());
    dir.file("q.pak", maps());
    dir.file("progs.dat", "no pak");
    dir.file("maps/readme.txt", "no pak");
    // Names are of all archives, wherever they follow the first.
    dir.ok("extract p.pak progs.dat q.pak -C e");
    assert_eq!(dir.files("e"), ["p/progs.dat", "q/progs.dat"]);
    dir.ok("extract p.pak progs.dat -C a").err("p.pak: 1 file, 4 bytes, into a/\n");
    assert_eq!(dir.read("a/progs.dat"), b"code");
    dir.ok("extract p.pak maps -C b");
    assert_eq!(dir.read("b/maps/e1m1.bsp"), b"one");
    assert!(!dir.has("b/progs.dat"));
    // What is an archive stays one, whatever it is called.
    dir.ok("extract p.pak q.pak -C c");
    assert_eq!(dir.read("c/q/progs.dat"), b"code");
    dir.file("mapsize", maps());
    dir.ok("extract p.pak mapsize -C d");
    assert_eq!(dir.read("d/mapsize/progs.dat"), b"code");
}
