//! What a pak may make the command write, decode and remember, however little of it there is.

use crate::archive::build::{Entry, Pak};
use crate::cli::{Dir, TestCommand};

/// So many entries, the first at the payload's start and each other one byte behind the one before,
/// all of them up to the payload's end: `content` bytes of each are named by every entry.
fn overlapping(entries: u32, content: u32, name: &str) -> Vec<u8> {
    let mut pak = Pak::new();
    let bytes: Vec<u8> = (0..entries + content)
        .map(|n| (n.wrapping_mul(n) >> 7) as u8)
        .collect();
    let offset = pak.payload(&bytes);
    for n in 0..entries {
        pak = pak.entry(Entry {
            name: name.replace('N', &n.to_string()).into_bytes(),
            offset: offset + n,
            size: content,
            packed: None,
        });
    }
    pak.daikatana()
}

/// So many entries that share one payload.
fn sharing(entries: u32, content: &[u8]) -> Vec<u8> {
    let mut pak = Pak::new();
    let offset = pak.payload(content);
    for n in 0..entries {
        pak = pak.entry(Entry {
            name: format!("sounds/{n}.wav").into_bytes(),
            offset,
            size: content.len() as u32,
            packed: None,
        });
    }
    pak.quake()
}

/// A picture that is nothing but zeros, compressed as far as the format goes: 65 bytes of content
/// for each byte of the stream but its end marker.
fn zeros(bytes: usize) -> Vec<u8> {
    let stream = [vec![0x7F; bytes / 65], vec![0xFF]].concat();
    let size = (bytes / 65 * 65) as u32;
    Pak::new()
        .compressed("black.tga", size, &stream)
        .daikatana()
}

fn run(dir: &Dir, line: &str) -> TestCommand {
    dir.command(line)
}

#[test]
fn overlapping_extents_are_refused_or_converted() {
    let dir = Dir::new();
    dir.file("bomb.pak", overlapping(300, 100_000, "N.wav"));
    for to in ["quake", "daikatana"] {
        for how in [
            "-o out.pak",
            "-C out",
            "-o out.pak -n",
            "-o out.pak --keep-going",
        ] {
            let ran = run(&dir, &format!("convert bomb.pak {how} --to {to}")).run();
            let ran = ran.code(2).out("");
            let ran = ran.err_has(
                "this archive would unpack to 30000000 bytes, which is more than 65 times",
            );
            ran.err_has("  --> bomb.pak\n")
                .err_has("raise the limit with --max-expansion N");
            assert_eq!(dir.all(), ["bomb.pak"], "{how}");
        }
        let raised = "convert bomb.pak -o out.pak --max-expansion 300 --to";
        run(&dir, &format!("{raised} {to}")).run().code(0);
        run(&dir, "diff bomb.pak out.pak --max-expansion 300")
            .run()
            .code(0);
        std::fs::remove_file(dir.path("out.pak")).unwrap();
    }
}

#[test]
fn a_bomb_in_a_batch_costs_that_pak_alone() {
    let dir = Dir::new();
    dir.file("in/bomb.pak", overlapping(300, 100_000, "N.wav"));
    dir.file("in/fine.pak", Pak::new().stored("a", b"one").quake());
    for verb in ["convert -r in -C out -n", "convert -r in -C out"] {
        run(&dir, verb).run().code(1).err_has("--max-expansion N");
    }
    assert!(!dir.path("out/bomb.pak").exists());
    assert!(dir.path("out/fine.pak").exists());
    run(&dir, "verify -r in --json")
        .run()
        .code(1)
        .err_has("--max-expansion N")
        .err_has("1 archive, 1 entry, 3 bytes, all OK");
}

#[test]
fn many_entries_of_a_payload_are_written_once() {
    let dir = Dir::new();
    let pak = sharing(60_000, &b"0123456789abcdef".repeat(65_536));
    dir.file("shared.pak", &pak);
    run(&dir, "convert shared.pak -o quake.pak").run().code(0);
    assert_eq!(dir.read("quake.pak"), pak);
    let packed = "convert shared.pak -o packed.pak --to daikatana";
    run(&dir, packed).run().code(0);
    assert_eq!(dir.read("packed.pak").len(), pak.len() + 60_000 * 8);
    run(&dir, "verify shared.pak").run().code(0);
    run(&dir, "extract shared.pak")
        .run()
        .code(2)
        .err_has("this archive would unpack to 62914560000 bytes");
    assert_eq!(dir.all(), ["packed.pak", "quake.pak", "shared.pak"]);
}

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
    run(&dir, "verify shared.pak").run().code(0);
    run(&dir, "diff shared.pak shared.pak").run().code(0);
    for to in ["quake", "daikatana"] {
        let convert = format!("convert shared.pak -o {to}.pak --to {to}");
        run(&dir, &convert).run().code(0);
    }
    assert_eq!(dir.read("daikatana.pak"), dir.read("shared.pak"));
}

#[test]
fn payloads_at_the_formats_limit_pass() {
    let dir = Dir::new();
    dir.file("black.pak", zeros(13_000_000));
    for to in ["quake", "daikatana"] {
        let convert = format!("convert black.pak -o {to}.pak --to {to}");
        run(&dir, &convert).run().code(0);
        run(&dir, &format!("diff black.pak {to}.pak")).run().code(0);
    }
    run(&dir, "extract black.pak").run().code(0);
    assert_eq!(dir.read("black/black.tga").len(), 13_000_000);
}

#[test]
fn an_honest_pak_of_duplicates_passes() {
    // Twenty skins of four kinds, each kind stored once, and one of them under a second type.
    let dir = Dir::new();
    let mut pak = Pak::new();
    let offsets = [1, 2, 3, 4].map(|kind| pak.payload(&[kind; 10_000]));
    for n in 0..20 {
        let name = match n {
            19 => "skin.wav".to_owned(),
            _ => format!("skins/{n}.tga"),
        };
        pak = pak.entry(Entry {
            name: name.into_bytes(),
            offset: offsets[n % 4],
            size: 10_000,
            packed: None,
        });
    }
    dir.file("p.pak", pak.quake());
    run(&dir, "convert p.pak -o quake.pak").run().code(0);
    assert_eq!(dir.read("quake.pak"), dir.read("p.pak"));
    run(&dir, "convert p.pak -o packed.pak --to daikatana")
        .run()
        .code(0);
    run(&dir, "diff p.pak packed.pak").run().code(0);
    run(&dir, "verify p.pak").run().code(0);
    run(&dir, "extract p.pak").run().code(0);
}

#[test]
fn overlapping_streams_are_decoded_in_bounded_time() {
    let dir = Dir::new();
    dir.file("bomb.pak", overlapping(300, 100_000, "N.wav"));
    run(&dir, "verify bomb.pak")
        .run()
        .code(2)
        .err_has("raise the limit with --max-expansion N");
    run(&dir, "diff bomb.pak bomb.pak")
        .run()
        .code(2)
        .err_has("raise the limit with --max-expansion N");
    for verb in ["verify bomb.pak", "diff bomb.pak bomb.pak"] {
        run(&dir, &format!("{verb} --max-expansion 300"))
            .run()
            .code(0);
    }
    // What is not asked for does not count.
    run(&dir, "verify bomb.pak -i 1.wav").run().code(0);
    // And listing is no decoding.
    run(&dir, "list -q bomb.pak").run().code(0);
    run(&dir, "info bomb.pak").run().code(0);
}

#[test]
fn damage_in_10000_streams_is_reported_for_each() {
    // More than are kept in memory: the rest is found again when it is told.
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
        let ran = run(&dir, verb).run().code(1);
        // What is the same archive on both sides is damaged on both.
        let count = if verb.starts_with("diff") {
            20_000
        } else {
            10_000
        };
        ran.err_has(&format!("error: {count} streams are damaged\n"))
            .err_has("  --> p.pak: entry 0 \"0.tga\", byte 12\n")
            .err_has(&format!(", and {} more (-v names each)\n", count - 3));
        let verb = &format!("-v {verb}");
        let ran = run(&dir, verb).run().code(1);
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
