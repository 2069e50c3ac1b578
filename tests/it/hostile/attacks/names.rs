//! Names that lead elsewhere, or mean something else than a file, in paks and on disk.

use super::*;
use crate::archive::zips::build::Zip;

/// Extracts a pak with these names three directories deep, and sees to it that each is refused
/// with these words, its entry named, that `--rescue` gives each a file inside of the destination,
/// and that everything else goes on: the sound entry comes out, and a conversion keeps every name.
#[track_caller]
fn refused(names: &[&[u8]], words: &str) {
    let mut arena = Arena::with(pak(names));
    let extract = "-v --from quake extract p.pak -C a/b/out";
    let ran = arena.run(extract).code(1).err_has(words);
    assert_eq!(ran.stderr().matches(words).count(), names.len(), "{ran}");
    let help = ran.stderr().matches("help: give --rescue").count();
    assert_eq!(help, names.len(), "{ran}");
    for (n, name) in names.iter().enumerate() {
        let shown = daisho::archive::quoted(name).to_string();
        let place = format!("  --> p.pak: entry {n} {shown}\n");
        assert!(ran.stderr().contains(&place), "{place} in {ran}");
    }
    arena.assert_only_within(&["work/a"]);
    let files: Vec<PathBuf> = arena.files("work/a/b/out").into_keys().collect();
    assert_eq!(files, [Path::new("good")]);

    arena.look();
    arena.run("--from quake extract p.pak -C rescue --rescue").code(0);
    arena.assert_only_within(&["work/rescue"]);
    let mut rescued = arena.files("work/rescue");
    assert_eq!(rescued.remove(Path::new("good")).unwrap(), b"good");
    assert!(rescued.keys().all(|path| path.starts_with("_rescued")));
    let mut contents: Vec<&[u8]> = rescued.values().map(Vec::as_slice).collect();
    contents.sort();
    let mut expected: Vec<&[u8]> = names.to_vec();
    expected.sort();
    assert_eq!(contents, expected);

    // Reading by any other verb is no danger, and a conversion changes no name.
    arena.look();
    let rows = arena.run("--from quake list --json p.pak").code(0).json();
    assert_eq!(rows.len(), names.len() + 1);
    for (n, name) in names.iter().enumerate() {
        let said = arena.run(&format!("--from quake cat p.pak --index {n}"));
        said.code(0).out(name);
    }
    arena.assert_untouched();
    arena.run("--from quake convert p.pak -o q.pak").code(0);
    arena.assert_only_within(&["work/q.pak"]);
    arena.run("--from quake diff p.pak q.pak").code(0).quiet();
}

/// Entries of these names, each with its name for content, and a sound one behind them.
fn pak(names: &[&[u8]]) -> Vec<u8> {
    let all = names.iter();
    let pak = all.fold(Pak::new(), |pak, name| pak.stored(name, name));
    pak.stored("good", b"good").quake()
}

const UPWARDS: &[&[u8]] = &[
    b"..",
    b"../x",
    b"../../../outside/victim",
    b"maps/../../x",
    b"a/..",
    b"..\\x",
    b"maps\\..\\..\\..\\outside\\victim",
    b"a/..\\../x",
];
const DRIVES: &[&[u8]] = &[b"c:x", b"C:\\x", b"c:/x", b"z:", b"c:..\\x"];
const UNC: &[&[u8]] = &[
    b"//server/share/x",
    b"\\\\server\\share\\x",
    b"\\\\?\\C:\\x",
    b"\\\\.\\PhysicalDrive0",
    b"//",
];
const DEVICES: &[&[u8]] = &[
    b"con",
    b"NUL.txt",
    b"maps/aux",
    b"a/PRN.bsp/b",
    b"COM1 .x",
    b"lpt\xc2\xb3.wav",
    b"conin$",
    b"Lpt9.tar.gz",
];
const DOTS: &[&[u8]] = &[b".", b"./a", b"a/."];
const TRAILING: &[&[u8]] =
    &[b"...", b"....", b"a/.../b", b"trailing.", b"trailing ", b"a /b", b"a./b", b"good. .", b" "];
const EMPTY_PARTS: &[&[u8]] = &[b"a/", b"a//b", b"a\\", b"a\\/b"];
const SPECIAL: &[&[u8]] = &[b"a<b", b"a>b", b"a|b", b"what?", b"*.bsp", b"a\"b"];
const STREAMS: &[&[u8]] = &[b"ab:stream", b"good:$DATA", b"maps/e1:x"];

#[test]
fn names_that_no_file_may_have_are_refused() {
    for (names, words) in [
        (UPWARDS, "the name leads upwards through \"..\""),
        (DRIVES, "the name begins with a drive letter"),
        (UNC, "the name is a network path"),
        (DEVICES, "a part of the name is a device name on Windows"),
        (STREAMS, "the name has a colon in it"),
        (SPECIAL, "which Windows does not allow in names"),
        (&[b""], "the name is empty"),
        (DOTS, "the name has a part \".\""),
        (TRAILING, "a part of the name ends in a dot or a space"),
        (EMPTY_PARTS, "the name has an empty part"),
    ] {
        refused(names, words);
    }
}

#[test]
fn absolute_names_are_refused() {
    // Where it could be seen, if it were written there.
    let arena = Arena::new();
    let root = arena.path("outside");
    let absolute = format!("{}/x", root.display());
    let climbing = format!("{}{}/x", "../".repeat(8), &root.to_str().unwrap()[1..]);
    let backslashes = absolute.replace('/', "\\");
    assert!(climbing.len() <= 55, "{climbing}");
    let names = [absolute.as_bytes(), backslashes.as_bytes(), b"/", b"/etc/x"];
    refused(&names, "the name is an absolute path");
    refused(&[climbing.as_bytes()], "the name leads upwards through");
    arena.assert_untouched();
}

#[test]
fn names_with_control_bytes_are_refused() {
    let names: Vec<Vec<u8>> =
        (1..=0x1f_u8).chain([0x7f]).map(|byte| vec![b'a', byte, b'b']).collect();
    let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    refused(&names, "the name has the control byte 0x");
}

/// That nothing of it gets to a terminal is checked with every run; `hostile::terminal` does it
/// with names of every sort.
#[test]
fn names_with_terminal_escapes_are_never_shown_raw() {
    let names: &[&[u8]] = &[
        b"\x1b[2J\x1b[1;1Hdone",
        b"\x1b]0;title\x07",
        b"\x1b]52;c;cm0gLXJm\x07",
        b"a\nerror: forged",
        b"a\r  good",
    ];
    refused(names, "the name has the control byte 0x");
    // Above ASCII it is no control byte, and a file may have it; a terminal may not.
    let arena = Arena::with(pak(&["\u{9b}2J\u{202e}exe.\u{2066}".as_bytes()]));
    let ran = arena.run("-v extract p.pak -C out").code(0);
    ran.err_has(r"\u{9b}2J\u{202e}exe.\u{2066}");
    arena.assert_only_within(&["work/out"]);
    assert_eq!(arena.files("work/out").len(), 2);
}

#[test]
fn a_name_of_28_parts_is_extracted() {
    let deep = vec!["a"; 28].join("/");
    let arena = Arena::with(pak(&[deep.as_bytes()]));
    arena.run("extract p.pak -C out").code(0);
    arena.assert_only_within(&["work/out"]);
    let files = arena.files("work/out");
    assert_eq!(files[Path::new(&deep)], deep.as_bytes());
    arena.run("list --tree p.pak").code(0);
}

#[test]
fn a_name_of_56_bytes_is_extracted_not_converted() {
    let endless = [b'x'; 56];
    let arena = Arena::with(pak(&[&endless]));
    arena.run("extract p.pak -C out").code(0);
    let name = "x".repeat(56);
    assert_eq!(arena.files("work/out")[Path::new(&name)], endless);
    let reported = format!("p.pak: entry 0 \"{name}\"");
    let ran = arena.run("convert p.pak -o q.pak").code(1);
    ran.err_has("the name has 56 bytes").err_has(&reported);
    arena.assert_only_within(&["work/out"]);
    arena.run("convert p.pak -o q.pak --keep-going").code(1).err_has("1 left out");
    let rows = arena.run("list --json q.pak").code(0).json();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["name"], "good");
}

/// A destination of its own name for each pak, however the pak is called.
#[test]
fn odd_pak_names_get_directories_of_their_own() {
    let mut arena = Arena::new();
    for name in ["..pak", "...pak", "con.pak", ".pak", "\u{1b}[2J.pak"] {
        arena.file(format!("work/in/{name}"), pak(&[]));
    }
    arena.run("extract -r in -C below/out").code(0);
    arena.assert_only_within(&["work/below/out"]);
    let files: Vec<PathBuf> = arena.files("work/below/out").into_keys().collect();
    assert_eq!(files.len(), 5);
    assert!(files.iter().all(|path| path.iter().count() == 2), "{files:?}");
}

#[test]
fn create_refuses_names_that_are_too_long() {
    let mut arena = Arena::new();
    let part = format!("work/mod/{}", "x".repeat(56));
    let path = format!("work/mod/{}/{}", "d".repeat(30), "y".repeat(30));
    let deep = format!("work/mod/{}", vec!["z"; 29].join("/"));
    for name in [&part, &path, &deep, "work/mod/fine"] {
        arena.file(name, "content");
    }
    let ran = arena.run("create -o out.pak mod").code(2);
    let reported = ran.stderr().matches("error: the name has ").count();
    assert_eq!(reported, 3, "{ran}");
    for name in [&part, &path, &deep] {
        let name = name.strip_prefix("work/").unwrap();
        assert!(ran.stderr().contains(&format!("  --> {name}\n")), "{ran}");
    }
    arena.assert_untouched();
    // The longest that can be.
    let mut arena = Arena::new();
    arena.file(format!("work/mod/{}", "x".repeat(55)), "content");
    arena.run("create -o out.pak mod").code(0);
    arena.run("verify out.pak").code(0);
}

#[test]
fn create_refuses_backslashes_and_control_bytes() {
    let mut arena = Arena::new();
    for name in ["a\\b", "bell\x07", "line\nerror: forged", "\x1b[2J"] {
        arena.file(format!("work/mod/{name}"), "content");
    }
    let ran = arena.run("create -o out.pak mod").code(2);
    assert_eq!(ran.stderr().matches("error: ").count(), 5, "{ran}");
    let ran = ran.err_has("the name has a backslash in it");
    ran.err_has("  --> mod/line\\x0aerror: forged\n");
    arena.assert_untouched();
}

/// What other tests of this suite run all verbs over.
/// Five names of 32,000 folders within each other, all in upper case, of 64,000 bytes each.
fn thousands_of_folders() -> Vec<u8> {
    let mut zip = Zip::new();
    for n in 0..5 {
        zip = zip.stored(format!("{}{n}.CFG", "D/".repeat(32_000)), b"deep");
    }
    zip.bytes()
}

#[test]
fn a_name_of_32000_folders_is_skipped_or_rescued() {
    let mut arena = Arena::with(thousands_of_folders());
    for line in [
        "list p.pak",
        "list --tree p.pak",
        "list --json p.pak",
        "info -v p.pak",
        "verify p.pak",
        "dupes p.pak",
    ] {
        arena.run_within_limits(line, 5).code(0);
    }
    arena.run_within_limits("verify p.pak --snapshot s --update", 5).code(0);
    arena.run_within_limits("verify p.pak --snapshot s -x none", 5).code(0);
    fs::remove_file(arena.path("work/s")).unwrap();
    for line in ["extract -n p.pak -C out", "extract --lowercase p.pak -C out"] {
        let ran = arena.run_within_limits(line, 5).code(1);
        ran.err_has("the name has 64005 bytes, more than 4,096");
    }
    assert!(arena.files("work/out").is_empty());
    arena.run_within_limits("extract --rescue p.pak -C out", 5).code(0);
    let rescued = arena.files("work/out");
    assert_eq!(rescued.len(), 5);
    for path in rescued.keys() {
        assert!(path.as_os_str().len() < 4096 && path.starts_with("_rescued"));
    }
    arena.assert_only_within(&["work/out"]);
    arena.look();
    arena.run_within_limits("convert p.pak -o q.pk3", 5).code(0);
    arena.run_within_limits("diff p.pak q.pk3", 5).code(0);
    arena.run_within_limits("convert p.pak -o q.pak --to quake", 5).code(1);
    arena.assert_only_within(&["work/q.pk3"]);
}

#[test]
fn a_snapshot_of_long_names_is_compared_in_time() {
    let mut snapshot = String::new();
    for n in 0..300 {
        snapshot += &format!("352441c2 3 {}{n}.cfg\n", "d/".repeat(16_000));
    }
    let mut arena = Arena::with(thousands_of_folders());
    arena.file("work/s", snapshot);
    arena.look();
    let verify = "verify . --snapshot s";
    arena.run_within_limits(verify, 305).code(1);
    arena.assert_untouched();
}

pub(super) fn paks() -> Vec<Attack> {
    let sorts = [
        ("upwards", UPWARDS),
        ("drives", DRIVES),
        ("unc", UNC),
        ("devices", DEVICES),
        ("dots", DOTS),
        ("trailing", TRAILING),
        ("empty parts", EMPTY_PARTS),
        ("special", SPECIAL),
        ("streams", STREAMS),
        ("absolute", &[b"/tmp/x", b"/", b"\\x"]),
        ("escapes", &[b"\x1b[2J", b"\n", "\u{202e}".as_bytes()]),
        ("empty", &[b""]),
        ("endless", &[&[b'x'; 56]]),
        ("deep", &[b"a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"]),
    ];
    let all = sorts.into_iter();
    all.map(|(sort, names)| (format!("names: {sort}"), pak(names))).collect()
}
