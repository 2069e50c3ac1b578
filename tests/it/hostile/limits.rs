//! What a pak may make the command write, decode and remember, however little of it there is.

use crate::archive::build::{Entry, Pak};
use crate::cli::Dir;

#[test]
fn a_stream_under_60000_names_is_decoded_once() {
    // Once for each entry, any of these would take minutes.
    let dir = Dir::new();
    let mut pak = Pak::new();
    let stream = [b"\x00a\x7f\x00b\x7f".repeat(50_000), vec![0xFF]].concat();
    let offset = pak.payload(&stream);
    for n in 0..60_000 {
        pak = pak.entry(Entry {
            name: format!("{n}.tga").into_bytes(),
            offset,
            size: 100_000 * 66,
            packed: Some((stream.len() as u32, 1)),
        });
    }
    dir.file("shared.pak", pak.daikatana());
    dir.ok("verify shared.pak");
    dir.ok("diff shared.pak shared.pak");
    for to in ["quake", "daikatana"] {
        let convert = format!("convert shared.pak -o {to}.pak --to {to}");
        dir.ok(&convert);
    }
    assert_eq!(dir.read("daikatana.pak"), dir.read("shared.pak"));
}

#[test]
fn damage_in_10000_streams_is_reported_for_each() {
    // More than are kept in memory: the rest is found again when it is reported.
    let dir = Dir::new();
    let mut pak = Pak::new();
    let offset = pak.payload(&[0xC0; 10_000]);
    for n in 0..10_000 {
        pak = pak.entry(Entry {
            name: format!("{n}.tga").into_bytes(),
            offset: offset + n,
            size: 4,
            packed: Some((1, 1)),
        });
    }
    dir.file("p.pak", pak.daikatana());
    for verb in ["verify p.pak", "diff p.pak p.pak"] {
        // One message, and with -v one for each.
        let ran = dir.fails(verb);
        // What is the same archive on both sides is damaged on both.
        let count = if verb.starts_with("diff") { 20_000 } else { 10_000 };
        ran.err_has(&format!("error: {count} streams are damaged\n"))
            .err_has("  --> p.pak: entry 0 \"0.tga\", byte 12\n")
            .err_has(&format!(", and {} more (-v names each)\n", count - 3));
        let verb = &format!("-v {verb}");
        let ran = dir.fails(verb);
        let all: Vec<&str> = ran.stderr().lines().collect();
        for n in 0..10_000 {
            let place = format!("  --> p.pak: entry {n} \"{n}.tga\", byte {}", 12 + n);
            assert_eq!(all[3 * n + 1], place, "{verb}");
            assert_eq!(all[3 * n], all[0], "{verb}");
        }
    }
}

/// A small file can hold very many archives. `cargo test --release --test it hostile -- --ignored`
#[test]
#[ignore = "takes ten seconds"]
fn the_limit_of_nested_archives_is_reported_once() {
    let dir = Dir::new();
    let mut outer = Pak::new();
    for n in 0..10_003 {
        let inner = Pak::new().stored("a.cfg", format!("{n}").as_bytes());
        outer = outer.stored(format!("p{n:05}.pak"), inner.quake());
    }
    // A search looks into archives; one that is named is a single input.
    dir.file("d/many.pak", outer.quake());
    let rows = dir.fails("list -r d --json").json();
    let unread: Vec<_> = rows.iter().filter(|it| it["status"] == "unread").collect();
    assert_eq!(unread.len(), 1, "{unread:?}");
    assert_eq!(unread[0]["archive"], "d/many.pak//p10000.pak");
    let problem = unread[0]["problem"].as_str().unwrap();
    assert!(problem.contains("are not opened"), "{problem}");
    let within = rows.iter().filter(|row| row["name"] == "a.cfg");
    assert_eq!(within.count(), 10_000);
}
