//! How the control byte 0xFE is read, by every verb that reads: one reading and one message a pak.

use super::paks::packed;
use super::{Dir, Ran};
use crate::archive::build::Pak;

/// Sound as a copy only: 64 letters, then a copy of them.
const COPY: &[u8] = b"\xfe\x3e\xff";
/// Sound either way, at 129 bytes: a literal of 64, or a copy of 64 and the end marker.
const EITHER: &[u8] = b"\xfe\x3f";

fn letters(count: usize) -> Vec<u8> {
    (b'a'..=b'z').cycle().take(count).collect()
}

/// A stream of letters in literals, with this behind it.
fn stream(count: usize, end: &[u8]) -> Vec<u8> {
    let literal = |piece: &[u8]| [&[piece.len() as u8 - 1], piece].concat();
    let all = letters(count);
    let mut stream: Vec<u8> = all.chunks(64).flat_map(literal).collect();
    stream.extend(end);
    stream
}

fn either() -> Vec<u8> {
    [&stream(65, EITHER)[..], &[0xff; 64], b"\xff"].concat()
}

fn as_copy() -> Vec<u8> {
    [letters(65), letters(64)].concat()
}

fn as_nothing() -> Vec<u8> {
    [letters(65), vec![0xff; 64]].concat()
}

/// What the third-party packer writes: textures that are sound as copies, and one that the game's
/// reading takes for something else.
fn third_party() -> Vec<u8> {
    let copied = [letters(64), letters(64)].concat();
    let mut pak = packed(Pak::new(), b"either.wal", &as_copy(), &either());
    for name in ["a.wal", "b.wal"] {
        pak = packed(pak, name.as_bytes(), &copied, &stream(64, COPY));
    }
    pak.stored("c.cfg", "c\n").daikatana()
}

/// How often the byte is spoken of.
fn mentions(ran: &Ran) -> usize {
    ran.err_count("0xFE")
}

#[test]
fn every_verb_reads_reserved_bytes_alike() {
    let dir = Dir::new();
    dir.file("p.pak", third_party());
    let says = "warning: 3 streams contain the control byte 0xFE, which is read as a copy of 64 \
                bytes: 2 are sound only as copies, 1 either way\n  --> p.pak\n";
    let run = |line: &str| {
        let ran = dir.ok(line).err_has(says);
        assert_eq!(mentions(&ran), 1, "{ran}");
        ran
    };
    run("cat p.pak either.wal").out(as_copy());
    run("verify p.pak");
    run("extract p.pak -C out");
    assert_eq!(dir.read("out/either.wal"), as_copy());
    for to in ["quake", "daikatana"] {
        let converted = format!("{to}.pak");
        run(&format!("convert p.pak -o {converted} --to {to}"));
        // What is written has no such byte any more.
        dir.ok(format!("cat {converted} either.wal")).out(as_copy()).quiet();
        run(&format!("diff p.pak {converted}")).out("");
    }
    dir.file("game/pak0.pak", third_party());
    let merged = dir.run("convert --merge game -o merged.pak --to quake --engine quake");
    assert_eq!(mentions(&merged), 0, "an engine of another layout: {merged}");
    let ran = dir.ok("convert --merge game -o merged.pak");
    assert_eq!(mentions(&ran), 1, "{ran}");
    // Only where one is met: this entry has none.
    dir.ok("cat p.pak c.cfg").out("c\n").quiet();
}

#[test]
fn reserved_bytes_are_read_as_the_streams_need() {
    for (pak, said) in [
        (
            "reserved-skipped",
            "1 stream contains the control byte 0xFE, which is skipped as in the game: 1 is sound only if it is skipped\n",
        ),
        (
            "reserved-tie",
            "3 streams contain the control byte 0xFE; each is read in the way that makes it sound, or with the byte \
             skipped as in the game if both ways do: 1 is sound only as copies, 1 only if it is skipped, 1 either way\n",
        ),
    ] {
        let pak = crate::corpus::path(&format!("paks/sound/{pak}.pak"));
        let verify = format!("verify {}", pak.display());
        Dir::new().ok(verify).err_has(said);
    }
}

#[test]
fn verbose_names_each_stream_with_reserved_bytes() {
    let dir = Dir::new();
    dir.file("p.pak", third_party());
    for line in ["verify p.pak -v", "extract p.pak -C out -v", "convert p.pak -o q.pak -v"] {
        let ran = dir.ok(line);
        assert_eq!(mentions(&ran), 4, "{ran}");
    }
    let rows = dir.run("verify p.pak --json").json();
    let status: Vec<&str> = rows.iter().map(|row| row["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["warning", "warning", "warning", "ok", "ok"]);
}

#[test]
fn every_verb_reads_reserved_bytes_as_asked() {
    let dir = Dir::new();
    dir.file("p.pak", third_party());
    dir.ok("cat p.pak either.wal --reserved skip").out(as_nothing());
    dir.ok("cat p.pak either.wal --reserved copy").out(as_copy());
    dir.ok("verify p.pak --reserved copy")
        .err_has("0xFE is read as a copy of 64 bytes, as you chose");
    dir.fails("verify p.pak --reserved skip").out_has("2 damaged");
    dir.fails("extract p.pak -C out --reserved skip");
    assert_eq!(dir.read("out/either.wal"), as_nothing());
    dir.fails("convert p.pak -o q.pak --reserved skip --keep-going");
    dir.ok("cat q.pak either.wal").out(as_nothing());
    let ran = dir.fails("verify p.pak --reserved error").out_has("3 damaged");
    let help = "help: read it with --reserved skip, as the game does, or with --reserved copy";
    assert!(ran.stderr().contains(help), "{ran}");
}

/// As many threads as there are meet the first such byte at once.
#[test]
fn reserved_bytes_do_not_depend_on_stream_order() {
    let dir = Dir::new();
    let copied = [letters(64), letters(64)].concat();
    let mut pak = Pak::new();
    for n in 0..300 {
        pak = match n % 3 {
            0 => packed(pak, format!("{n}.wal").as_bytes(), &copied, &stream(64, COPY)),
            _ => packed(pak, format!("{n}.wal").as_bytes(), &as_copy(), &either()),
        };
    }
    dir.file("p.pak", pak.daikatana());
    let said = |jobs: &str| {
        let ran = dir.ok(format!("verify p.pak --json -j {jobs}"));
        (ran.text().to_owned(), ran.stderr().to_owned())
    };
    let one = said("1");
    assert_eq!(said("16"), one);
    assert!(one.1.contains("100 are sound only as copies, 200 either way"), "{}", one.1);
}
