//! `corpus/streams`: what is in each file, how it is made, and what comes out of it.

use std::fmt::Write;

use daisho::codec::{self, Reserved};

use super::build::Build;
use super::fuzz_bodies::stream;
use super::oracle;
use crate::corpus;

/// Name, declared size, the reading of `0xFE` under which it is sound (`any`, `skip`, `copy`,
/// `none`), what it shows, how it is made.
pub(crate) type Row = (&'static str, Option<u64>, &'static str, &'static str, Build);

fn tokens() -> Vec<Row> {
    let new = Build::new;
    #[rustfmt::skip]
    let rows = vec![
        ("literal-shortest", Some(1), "any", "a literal of one byte", new().letters(1).end()),
        ("literal-longest", Some(64), "any", "a literal of 64 bytes", new().letters(64).end()),
        ("zeros-shortest", Some(2), "any", "a zero run of 2", new().zeros(2).end()),
        ("zeros-longest", Some(65), "any", "a zero run of 65: the most that one byte of a stream can write", new().zeros(65).end()),
        ("run-shortest", Some(2), "any", "a byte run of 2", new().run(2, b'r').end()),
        ("run-longest", Some(65), "any", "a byte run of 65", new().run(65, b'r').end()),
        ("run-of-zeros", Some(65), "any", "a byte run whose byte is zero: zeros coded the long way", new().run(65, 0).end()),
        ("copy-shortest", Some(5), "any", "a copy of 2", new().letters(3).copy(2, 3).end()),
        ("copy-longest", Some(127), "any", "a copy of 63", new().letters(64).copy(63, 64).end()),
        ("distance-2", Some(4), "any", "the smallest distance, 2", new().letters(2).copy(2, 2).end()),
        ("distance-257", Some(320), "any", "the largest distance, 257", new().text(257).copy(63, 257).end()),
        ("copy-of-all", Some(8), "any", "a copy as long as its distance, which does not overlap", new().letters(4).copy(4, 4).end()),
        ("overlap-by-one", Some(9), "any", "a copy one byte longer than its distance: the last byte is its own first", new().letters(4).copy(5, 4).end()),
        ("overlap-longest", Some(65), "any", "a copy of 63 from 2 back, which repeats two bytes", new().letters(2).copy(63, 2).end()),
        ("copy-of-a-copy", Some(28), "any", "copies of copies and of runs", new().letters(4).copy(4, 4).run(4, b'r').copy(8, 8).zeros(4).copy(4, 6).end()),
        ("every-length", None, "any", "every control byte of every class once, behind 257 bytes to copy from", every_length()),
        ("every-distance", None, "any", "a copy from every distance, 257 down to 2", (2..=257).rev().fold(new().text(257), |b, d| b.copy(3.min(d), d)).end()),
    ];
    rows
}

fn ends() -> Vec<Row> {
    let new = Build::new;
    #[rustfmt::skip]
    let rows = vec![
        ("empty", Some(0), "any", "no bytes at all for no bytes at all", new()),
        ("empty-with-end", Some(0), "any", "an end marker and nothing else", new().end()),
        ("end-missing", Some(4), "any", "a complete stream without its end marker", new().letters(4)),
        ("size-unknown", None, "any", "a stream whose size nobody declared", new().letters(4).copy(4, 4).end()),
        ("size-unknown-end-missing", None, "any", "neither declared size nor end marker", new().letters(4).copy(4, 4)),
        ("tail", Some(4), "any", "bytes behind the end marker, which nobody reads", new().letters(4).end().raw(b"tail")),
        ("tail-like-a-stream", Some(4), "any", "a tail that would decode, were it read", new().letters(4).end().letters(4).end()),
        ("reserved-in-the-tail", Some(4), "any", "0xfe behind the end marker means nothing", new().letters(4).end().reserved()),
        ("reserved-in-a-literal", Some(3), "any", "0xfe within a literal means itself", new().literal(b"\xFE\xFF\xFE").end()),
    ];
    rows
}

fn reserved() -> Vec<Row> {
    let new = Build::new;
    #[rustfmt::skip]
    let rows = vec![
        ("reserved-skipped", Some(8), "skip", "0xfe in a stream that is sound only if it is skipped", new().letters(4).reserved().letters(4).end()),
        ("reserved-copy", Some(128), "copy", "0xfe in a stream that is sound only if it copies 64 bytes", new().letters(64).reserved_copy(64).end()),
        ("reserved-copy-overlapping", Some(66), "copy", "0xfe as a copy from 2 back, which repeats two bytes", new().letters(2).reserved_copy(2).end()),
        ("reserved-either", Some(129), "skip", "0xfe in a stream that is sound either way: skipping goes first", new().text(65).reserved().literal(&[0xFF; 64]).end()),
        ("reserved-neither", Some(99), "none", "0xfe in a stream that is damaged either way", new().letters(4).reserved().zeros(50).end()),
        ("reserved-only", Some(0), "skip", "0xfe and the end for no bytes at all", new().reserved().end()),
        ("reserved-last", Some(4), "skip", "0xfe where the end marker is missing", new().letters(4).reserved()),
        ("reserved-thrice", Some(256), "copy", "three of them, the later ones copies of copies", new().letters(64).reserved_copy(64).reserved_copy(128).reserved_copy(32).end()),
        ("reserved-copy-cut", Some(128), "none", "0xfe as the last byte, where a copy needs one more", new().letters(64).reserved()),
        ("reserved-copy-before-start", Some(128), "none", "0xfe as a copy from before the start", new().letters(64).reserved_copy(65).end()),
    ];
    rows
}

fn damage() -> Vec<Row> {
    let new = Build::new;
    #[rustfmt::skip]
    let rows = vec![
        ("literal-too-long", Some(7), "none", "a literal that goes one byte beyond the declared size", new().letters(4).letters(4).end()),
        ("zeros-too-long", Some(68), "none", "a zero run that goes one byte beyond the declared size", new().letters(4).zeros(65).end()),
        ("run-too-long", Some(68), "none", "a byte run that goes one byte beyond the declared size", new().letters(4).run(65, b'r').end()),
        ("copy-too-long", Some(66), "none", "a copy that goes one byte beyond the declared size", new().letters(4).copy(63, 4).end()),
        ("token-after-all", Some(4), "none", "one more token where the declared size is reached", new().letters(4).zeros(2).end()),
        ("too-long-and-cut", Some(4), "none", "a token both too long and cut: too long is what is told", new().zeros(2).letters(60).cut(50)),
        ("end-too-soon", Some(9), "none", "an end marker before the declared size", new().letters(4).copy(4, 4).end()),
        ("cut-between-tokens", Some(9), "none", "a stream that ends between tokens before the declared size", new().letters(4).copy(4, 4)),
        ("cut-literal", Some(64), "none", "a literal of 64 of which one byte is missing", new().letters(64).cut(1)),
        ("cut-literal-at-once", Some(64), "none", "a literal of which nothing but the control byte is there", new().letters(64).cut(64)),
        ("cut-run", Some(9), "none", "a byte run without its byte", new().letters(4).run(5, b'r').cut(1)),
        ("cut-copy", Some(9), "none", "a copy without its distance", new().letters(4).copy(5, 4).cut(1)),
        ("cut-size-unknown", None, "none", "a cut literal where no size is declared", new().letters(4).letters(4).cut(2)),
        ("before-start-at-once", Some(8), "none", "a copy where nothing is written yet", new().copy(4, 2).letters(4).end()),
        ("before-start-by-one", Some(67), "none", "a copy that reaches one byte before the start", new().letters(4).copy(63, 5).end()),
        ("before-start-by-one-of-257", Some(319), "none", "the largest distance one byte too soon", new().text(256).copy(63, 257).end()),
        ("size-impossible", Some(66), "none", "a size that no stream of one byte can reach", new().zeros(65)),
        ("size-huge", Some(u64::MAX), "none", "the largest size there is, for a stream of a few bytes", new().letters(4).end()),
        ("damage-amid-plenty", Some(1074), "none", "damage where much of both sides is left, as the fast loop meets it", plenty(new().letters(4).zeros(30).copy(40, 200))),
        ("reserved-amid-plenty", Some(1034), "skip", "0xfe where much of both sides is left, as the fast loop meets it", plenty(new().letters(4).zeros(30).reserved())),
    ];
    rows
}

fn every_length() -> Build {
    let start = Build::new().text(257);
    let runs = (2..=65).fold(start, |b, n| b.zeros(n).run(n, b'r'));
    let copies = (2..=63).fold(runs, |b, n| b.copy(n, 257));
    (1..=64).fold(copies, Build::letters).end()
}

/// `start` and a thousand bytes more, most of them behind short literals.
fn plenty(start: Build) -> Build {
    (0..100)
        .fold(start, |b, _| b.letters(4).copy(4, 4).zeros(2))
        .end()
}

pub(crate) fn rows() -> Vec<Row> {
    [tokens(), ends(), reserved(), damage()].concat()
}

/// What a stream decodes to by the byte-by-byte oracle, if it is sound.
pub(crate) fn output((_, size, reading, _, built): &Row) -> Option<Vec<u8>> {
    let reserved = match *reading {
        "none" => return None,
        "copy" => Reserved::Copy,
        _ => Reserved::Skip,
    };
    Some(oracle::verdict(&built.bytes, *size, reserved).output)
}

#[test]
fn the_streams_are_as_the_code_makes_them() {
    let files: Vec<_> = rows()
        .into_iter()
        .map(|(name, .., built)| (format!("streams/{name}"), built.bytes))
        .collect();
    corpus::compare_or_renew(&files);
}

#[test]
fn each_stream_is_sound_under_its_rows_reading() {
    for (name, size, reading, _, built) in rows() {
        let walk = |reserved| codec::Walk::of(&built.bytes, size, reserved).is_ok();
        let (skip, copy) = (walk(Reserved::Skip), walk(Reserved::Copy));
        let used = walk(Reserved::Error) != skip || walk(Reserved::Error) != copy;
        let found = match (skip, copy) {
            (true, true) if !used => "any",
            (true, _) => "skip",
            (_, true) => "copy",
            _ => "none",
        };
        assert_eq!(found, reading, "{name}");
        if let Some(size) = size {
            let judged = codec::Reserved::judge(&built.bytes, size);
            let expected = match reading {
                "any" | "skip" => Some(Reserved::Skip),
                "copy" => Some(Reserved::Copy),
                _ => None,
            };
            assert_eq!(judged.ok(), expected, "{name}");
        }
    }
}

/// A line a file and reading. Readings that come to the same are reported once; a file that is
/// dropped into the folder is read like the others.
#[test]
fn what_each_stream_decodes_to() {
    let rows = rows();
    let mut report = String::new();
    for (name, bytes) in corpus::files("streams") {
        let size = rows.iter().find(|row| row.0 == name).and_then(|row| row.1);
        let tell = |reserved| outcome(&bytes, size, reserved);
        let readings = [
            ("skip", tell(Reserved::Skip)),
            ("copy", tell(Reserved::Copy)),
            ("error", tell(Reserved::Error)),
        ];
        if readings
            .iter()
            .all(|(_, reported)| *reported == readings[0].1)
        {
            writeln!(report, "{name}: {}", readings[0].1).unwrap();
            continue;
        }
        for (reading, reported) in readings {
            writeln!(report, "{name}, 0xfe {reading}: {reported}").unwrap();
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("streams", report));
}

/// Size, CRC-32 and warnings, or the error and what came before it.
fn outcome(bytes: &[u8], size: Option<u64>, reserved: Reserved) -> String {
    let (output, result) = stream(
        bytes,
        size,
        reserved,
        &mut std::iter::repeat((1 << 14, 1 << 14)),
    );
    match result {
        Ok(summary) => {
            let crc = crc32fast::hash(&output);
            let mut reported = format!("{} bytes, crc {crc:08x}", output.len());
            for warning in summary.warnings() {
                write!(reported, "; {warning}").unwrap();
            }
            reported
        }
        Err(error) => format!("error: {error}"),
    }
}
