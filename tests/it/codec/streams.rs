//! `corpus/streams`: what comes out of each file, by the oracle and by the decoder.

use std::fmt::Write;

use daisho::codec::{self, Reserved};

use super::fuzz_bodies::stream;
use super::oracle;
use crate::archive::corpus::{manifest, sha256};
use crate::corpus;

/// A stream of the corpus, and what the manifest says of it.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The declared size.
    pub(crate) size: Option<u64>,
    /// The reading of `0xFE` under which it is sound: `any`, `skip`, `copy` or `none`.
    reading: String,
    /// The checksum of what it decodes to, if it is sound.
    output: Option<String>,
}

/// The streams of the manifest.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for row in manifest("streams") {
        let text = |field: &str| row[field].as_str().map(str::to_owned);
        let file = text("file").unwrap();
        let bytes = std::fs::read(corpus::path(&file)).unwrap();
        assert_eq!(text("sha256").unwrap(), sha256(&bytes), "{file}");
        rows.push(Row {
            name: file.strip_prefix("streams/").unwrap().to_owned(),
            bytes,
            size: row["output_size"].as_u64(),
            reading: text("reading").unwrap(),
            output: text("output_sha256"),
        });
    }
    rows
}

#[test]
fn every_stream_has_a_row_in_the_manifest() {
    let mut names: Vec<String> = rows().into_iter().map(|row| row.name).collect();
    names.sort();
    let files = corpus::files("streams").into_iter();
    assert_eq!(names, files.map(|(name, _)| name).collect::<Vec<_>>());
}

/// By the byte-by-byte oracle, so that the manifest does not only say what the decoder does.
#[test]
fn the_oracle_decodes_as_the_manifest_says() {
    for row in rows() {
        let output = match &*row.reading {
            "none" => None,
            "copy" => Some(Reserved::Copy),
            _ => Some(Reserved::Skip),
        };
        let output = output.map(|reading| oracle::verdict(&row.bytes, row.size, reading).output);
        assert_eq!(output.map(|it| sha256(&it)), row.output, "{}", row.name);
    }
}

#[test]
fn each_stream_is_sound_under_its_rows_reading() {
    for Row { name, bytes, size, reading, .. } in rows() {
        let walk = |reserved| codec::Walk::of(&bytes, size, reserved).is_ok();
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
            let judged = codec::Reserved::judge(&bytes, size);
            let expected = match &*reading {
                "any" | "skip" => Some(Reserved::Skip),
                "copy" => Some(Reserved::Copy),
                _ => None,
            };
            assert_eq!(judged.ok(), expected, "{name}");
        }
    }
}

/// A line for each file and reading. Readings that come to the same are reported once.
#[test]
fn each_stream_decodes_as_in_the_snapshot() {
    let mut report = String::new();
    for Row { name, bytes, size, .. } in rows() {
        let outcome_of = |reserved| outcome(&bytes, size, reserved);
        let readings = [
            ("skip", outcome_of(Reserved::Skip)),
            ("copy", outcome_of(Reserved::Copy)),
            ("error", outcome_of(Reserved::Error)),
        ];
        if readings.iter().all(|(_, reported)| *reported == readings[0].1) {
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
    let (output, result) =
        stream(bytes, size, reserved, &mut std::iter::repeat((1 << 14, 1 << 14)));
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
