//! No name in a stranger's archive reaches a terminal unescaped.
//!
//! Names are put together from pieces that do something to a terminal or to a listing, or that careless escaping lets
//! through. Many of them go into one pak, and the pak through every verb. The same names
//! are paths of paks, directories and snapshots on the command line.
//!
//! Every run is checked for what could steer a terminal, by ranges of characters (see
//! `crate::cli`); besides, nothing may look like a line of ours that is none, and JSON must give
//! the name's very bytes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::archive::build::{Entry, Pak};
use crate::cli::show::without_colours;
use crate::cli::{Dir, Ran, assert_plain};

/// What no line may begin with, or end in: every name that has it tries to forge one.
const FORGED: &str = "forged";

/// How many names are in one pak.
const NAMES: usize = 60;

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&'static [u8]> = vec![
        // Sequences that clear, move, set titles and clipboards, link, and never end.
        b"\x1b[2J",
        b"\x1b[1;1H",
        b"\x1b]0;t\x07",
        b"\x1b]52;c;eA==\x07",
        b"\x1b]8;;x\x1b\\",
        b"\x1bP",
        b"\x1b",
        b"\x1bc",
        b"[31m",
        b"\x9b2J",
        "\u{9b}2J".as_bytes(),
        "\u{9d}".as_bytes(),
        // Ends of lines, real and nearly.
        b"\nerror: forged",
        b"\r",
        b"\r\nforged",
        b"\x0b",
        b"\x0c",
        "\u{85}forged".as_bytes(),
        "\u{2028}forged".as_bytes(),
        "\u{2029}".as_bytes(),
        b"\t",
        b"\x08\x08",
        b"\x7f",
        b"\x07",
        // Direction, width, tags.
        "\u{202e}".as_bytes(),
        "\u{202a}".as_bytes(),
        "\u{2066}".as_bytes(),
        "\u{2069}".as_bytes(),
        "\u{61c}".as_bytes(),
        "\u{200e}".as_bytes(),
        "\u{200b}".as_bytes(),
        "\u{feff}".as_bytes(),
        "\u{ad}".as_bytes(),
        "\u{e0041}".as_bytes(),
        "\u{fe0f}".as_bytes(),
        "\u{200d}".as_bytes(),
        "\u{17b4}".as_bytes(),
        "\u{180b}".as_bytes(),
        "\u{13430}".as_bytes(),
        "\u{1bca0}".as_bytes(),
        "\u{1d173}".as_bytes(),
        "\u{e01ef}".as_bytes(),
        // No UTF-8: overlong, surrogates, too large, cut, lone.
        b"\xc0\xaf",
        b"\xc0\x8a",
        b"\xe0\x80\x9b",
        b"\xf0\x80\x80\xaf",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\xe2\x80",
        b"\xff",
        b"\x80",
        b"\xfe",
        // What looks escaped already, and what ends a quoted name.
        b"\\x1b",
        b"\\u{202e}",
        b"\\",
        b"\"",
        b"\", byte 12\n",
        b"'",
        b"\\\"",
        b"{}",
        b"%s",
        b"\\n",
        // Parts.
        b"/",
        b"..",
        b" ",
        b".",
        b"a",
        b"maps/",
        "刀é".as_bytes(),
        b"error: ",
        b"  --> ",
    ];
    prop_oneof![
        6 => prop::sample::select(known).prop_map(<[u8]>::to_vec),
        2 => prop::collection::vec(1..=255_u8, 1..4),
        1 => prop::char::any().prop_map(|c| c.to_string().into_bytes()),
    ]
}

/// A name of at most 55 bytes without a NUL.
fn name() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 1..8).prop_map(|pieces| {
        let mut name = pieces.concat();
        name.retain(|byte| *byte != 0);
        name.truncate(55);
        name
    })
}

fn names() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(name(), NAMES)
}

/// A pak of these names: some stored, some damaged, some streams that are.
fn pak(names: &[Vec<u8>], daikatana: bool) -> Vec<u8> {
    let mut pak = Pak::new();
    for (n, name) in names.iter().enumerate() {
        let damaged = n % 5 == 4;
        let stream: &[u8] = if damaged { b"\xc0\x00\xff" } else { b"\x02abc\xff" };
        let content: &[u8] = if daikatana { stream } else { b"abc" };
        let offset = pak.payload(content);
        let far = if damaged && !daikatana { 1 << 30 } else { 0 };
        pak = pak.entry(Entry {
            name: name.clone(),
            offset: offset + far,
            size: 3,
            packed: Some((content.len() as u32, 1)),
        });
    }
    if daikatana { pak.daikatana() } else { pak.quake() }
}

/// Runs the command with these arguments, and checks what it prints.
#[track_caller]
fn run(dir: &Dir, arguments: &[&[u8]]) -> Ran {
    let arguments = arguments.iter().map(|argument| OsStr::from_bytes(argument));
    let ran = dir.daisho().args(arguments).run();
    assert!((0..3).any(|code| ran.is(code)), "{ran}");
    // Standard error is looked at by every run, standard output by this.
    for line in ran.text().lines().chain(ran.stderr().lines()) {
        let forged = line.starts_with(FORGED) || line.starts_with("error: forged");
        assert!(!forged, "{ran}");
    }
    ran
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Rows of JSON give the bytes of `field`.
#[track_caller]
fn assert_field(row: &serde_json::Value, field: &str, bytes: &[u8]) {
    let beside = row.get(format!("{field}_hex"));
    match core::str::from_utf8(bytes) {
        Ok(text) => assert!(row[field] == text && beside.is_none(), "{row}"),
        Err(_) => assert_eq!(beside.unwrap(), &hex(bytes), "{row}"),
    }
}

/// Every verb over names in a pak.
fn names_in_a_pak(names: &[Vec<u8>], daikatana: bool) {
    let dir = Dir::new();
    dir.file("p.pak", pak(names, daikatana));
    let others: Vec<Vec<u8>> = names.iter().rev().skip(3).cloned().collect();
    dir.file("o.pak", pak(&others, daikatana));
    let layout: &[u8] = if daikatana { b"daikatana" } else { b"quake" };
    let run = |line: &str| {
        let mut arguments: Vec<&[u8]> = vec![b"--from", layout];
        arguments.extend(line.split(' ').map(str::as_bytes));
        run(&dir, &arguments)
    };
    let listed = run("list p.pak");
    assert_eq!(listed.text().lines().count(), names.len(), "{listed}");
    for (line, name) in listed.text().lines().zip(names) {
        // Two names that differ are never shown alike: every byte can be recovered.
        let shown = daisho::archive::escape(name).to_string();
        assert!(line.ends_with(&format!("  {shown}")), "{listed}");
        assert_eq!(daisho::archive::unescape(&shown).unwrap(), *name);
    }
    for line in ["list --json p.pak", "verify --json p.pak"] {
        let mut rows = run(line).json();
        // Entries that cannot be read have an object of their own, and in `verify` the archive has one.
        rows.retain(|row| row.get("index").is_some() && row.get("size").is_some());
        assert_eq!(rows.len(), names.len());
        for (row, name) in rows.iter().zip(names) {
            assert_field(row, "name", name);
        }
    }
    for line in [
        "list --tree p.pak",
        "info p.pak",
        "info --json p.pak",
        "verify p.pak",
        "verify p.pak --snapshot made --update",
        "verify o.pak --snapshot made",
        "verify --json o.pak --snapshot made",
        "verify o.pak --snapshot made --update",
        "diff p.pak o.pak",
        "diff --json p.pak o.pak",
        "cat p.pak --index 4",
        "show p.pak --index 0 1 2 3 4 5",
        "show --json p.pak --index 0 1 2 3 4 5",
        "extract -n p.pak -C out",
        "extract -n --json p.pak -C out",
        "-v extract p.pak -C out",
        "extract p.pak -C out",
        "-v extract --rescue --lowercase p.pak -C rescued",
        "-v diff rescued p.pak",
        "convert -n --json p.pak -o q.pak",
        "convert p.pak -o q.pak",
        "convert --keep-going p.pak -o q.pak",
        "convert --keep-going p.pak -o r.pak --to daikatana",
    ] {
        run(line);
    }
    let from = str::from_utf8(layout).unwrap();
    let line = format!("show --from {from} --color always p.pak --index 0 1 2 3 4 5");
    let drawn = dir.command(line).styled().run();
    assert_plain(&without_colours(drawn.text()));
    assert_plain(&without_colours(drawn.stderr()));
    // The snapshot is a file that people look at with `cat`.
    let snapshot = dir.text("made");
    assert_plain(&snapshot);
    // Names that are asked for, found and not, and patterns.
    for name in names.iter().take(6) {
        dir.command("cat p.pak --").arg(OsStr::from_bytes(name)).run();
        dir.command("list p.pak -i").arg(OsStr::from_bytes(name)).run().text();
    }
}

/// The same names as paths: of paks, directories, outputs, and of files to be packed.
fn names_as_paths(names: &[Vec<u8>]) {
    let dir = Dir::new();
    let content = Pak::new().stored("a", b"x").stored("b\"\x1b", b"y").quake();
    let mut paths: Vec<Vec<u8>> = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let mut part = name.clone();
        part.retain(|byte| *byte != b'/');
        let path = [b"in/", format!("{n}").as_bytes(), &part].concat();
        // Some are sound, some are no paks at all.
        let bytes = if n % 4 == 3 {
            &content[..20]
        } else {
            dir.file(OsStr::from_bytes(&[b"sound", &path[2..]].concat()), &content);
            &content[..]
        };
        dir.file(OsStr::from_bytes(&path), bytes);
        dir.file(OsStr::from_bytes(&[b"mod", &path[2..]].concat()), "content");
        paths.push(path);
    }
    for line in [
        "list -r in",
        "list -r --tree in",
        "info -r in",
        "verify -r in",
        "verify -r sound --snapshot made --update",
        "verify -r in --snapshot made",
        "verify -r in --snapshot made --update",
        "verify -r --json in --snapshot made",
        "-v extract -r in -C out",
        "extract -r in -C out",
        "convert -r in -C new",
        "convert -r in -C new",
        "create mod -o mod.pak",
        "create -n mod -o mod.pak",
        "create in mod -o mod.pak",
    ] {
        let arguments: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
        run(&dir, &arguments);
    }
    crate::cli::assert_plain(&dir.text("made"));
    for path in paths.iter().take(2) {
        for verb in ["list", "info", "verify"] {
            for row in run(&dir, &[verb.as_bytes(), b"--json", path]).json() {
                assert_field(&row, "archive", path);
            }
        }
        let evil = &path[3..];
        run(&dir, &[b"extract", b"-v", path]);
        run(&dir, &[b"extract", path, b"-C", &[b"d", evil].concat()]);
        run(&dir, &[b"convert", path, b"-o", &[b"o", evil].concat()]);
        run(&dir, &[b"convert", path, b"-o", &[b"missing/", evil].concat()]);
        run(&dir, &[b"create", path, b"-o", &[b"c", evil].concat()]);
        let snapshot = [b"s", evil].concat();
        run(&dir, &[b"verify", path, b"--snapshot", &snapshot]);
        run(&dir, &[b"verify", path, b"--snapshot", &snapshot, b"--update"]);
        run(&dir, &[b"diff", path, evil]);
        run(&dir, &[b"list", evil]);
        run(&dir, &[b"-q", b"list", b"in"]);
        run(&dir, &[evil]);
        run(&dir, &[b"list", path, b"-i", evil]);
    }
}

/// So many cases, each with [`NAMES`] names.
fn sweep(cases: u32) {
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 100, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let property = |(names, daikatana): (Vec<Vec<u8>>, bool)| {
        names_in_a_pak(&names, daikatana);
        names_as_paths(&names);
        Ok(())
    };
    runner.run(&(names(), any::<bool>()), property).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn no_name_steers_a_terminal() {
    sweep(2);
}

/// `cargo test --release --test it hostile -- --ignored`
#[test]
#[ignore = "takes a few minutes"]
fn no_name_steers_a_terminal_a_hundred_times() {
    sweep(100);
}

/// Bars steer the terminal themselves, by few sequences: what is left without these is plain.
#[test]
fn no_name_steers_a_terminal_from_a_bar() {
    let dir = Dir::new();
    let path = b"\x1b[2J\x1b]0;t\x07\n\xe2\x80\xae\xff\xc2\x9b.pak";
    crate::cli::slow_to_deflate(&dir, OsStr::from_bytes(path));
    let begun = Instant::now();
    let ran = dir
        .daisho()
        .args(["--progress", "always", "-j1", "convert", "--level", "9"])
        .arg(OsStr::from_bytes(path))
        .args(["-o", "out.pk3"])
        .styled()
        .run()
        .code(0);
    assert!(ran.stderr().contains("of 1 entry,"), "no bar in {ran}");
    // A rate has settled after two seconds.
    if begun.elapsed() > Duration::from_secs(4) {
        let mut bars = ran.stderr().split('\r');
        let is_settled = |bar: &str| bar.contains(" MB/s, ") && bar.contains(" s left");
        assert!(bars.any(is_settled), "no time that is left in {ran}");
    }
    assert!(ran.stderr().contains(r"\x1b[2J\x1b]0;t\x07\x0a\u{202e}\xff\u{9b}.pak"), "{ran}");
    crate::cli::assert_plain(&without_bars(ran.stderr()));
}

/// A text without what a bar needs: moves up and down, the start of a line, and its clearing.
fn without_bars(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\x1b', '\r']) {
        plain += &rest[..at];
        let sequence = &rest[at..];
        let len = if sequence.starts_with('\r') {
            1
        } else {
            let digits = sequence[1..].strip_prefix('[').expect(text);
            let end = digits.find(|c: char| !c.is_ascii_digit()).expect(text);
            assert!(digits[end..].starts_with(['A', 'B', 'K']), "{sequence:?}");
            2 + end + 1
        };
        rest = &sequence[len..];
    }
    plain + rest
}
