//! What damage does to a conversion: every damaged entry is named, and nothing is written that
//! lacks one unless that is asked for.

use std::fs::File;
use std::path::Path;

use crate::ops::report::{Report, convert, create};
use daisho::Format;
use daisho::ops::Cancel;
use daisho::ops::row::{Fate, OutputStatus};

use super::naive::{self, assert_tight, contents};
use super::{Watcher, into_file, names_in, tried, watched};
use crate::archive::build::{self, PACKS, Pak};

const ZEROS: &[u8] = b"\x7f\xff";

/// Eight entries, and every second one has something wrong with it.
fn damaged() -> Vec<u8> {
    let pak = Pak::new()
        .stored("good.wav", b"abcd")
        .compressed("short.tga", 65, b"\x7e\xff")
        .compressed("good.tga", 65, ZEROS)
        .compressed("cut.tga", 65, b"\x05ab")
        .stored("good.cfg", b"efgh");
    let shared = pak.entries[3].clone();
    let far = build::Entry { name: b"far.wav".to_vec(), offset: 1 << 30, size: 10, packed: None };
    pak.entry(far)
        .compressed("good.wal", 65, ZEROS)
        .entry(build::Entry { name: b"shared.tga".to_vec(), ..shared })
        .stored("x".repeat(56), b"name")
        .daikatana()
}

fn named(report: &Report) -> Vec<String> {
    let errors = report.paks[0].findings.iter().filter(|it| it.is_error());
    errors
        .map(|finding| {
            assert!(finding.place.path.as_deref().unwrap().ends_with("in.pak"));
            finding.place.entry().unwrap().1.to_string()
        })
        .collect()
}

const CHANGED: &str = "files changed while they were read";

#[test]
fn all_damaged_entries_are_named_before_writing() {
    for layout in PACKS {
        let (report, written) = tried(&damaged(), layout, |_| {});
        assert!(written.is_none());
        assert_eq!(report.paks[0].status, OutputStatus::Failed);
        assert_eq!(report.paks[0].skipped, 5);
        let long = "x".repeat(56);
        let expected = ["short.tga", "cut.tga", "far.wav", "shared.tga", &long];
        assert_eq!(named(&report), expected, "{layout}");
        let detail = |n: usize| &report.paks[0].findings[n].detail;
        let many = |n: usize| report.paks[0].findings[n].many;
        assert_eq!(many(0), Some("streams are damaged"));
        assert_eq!(many(2), Some("payloads are outside the file"));
        assert!(detail(3).contains("shares its payload with entry 3"));
        assert_eq!(many(4), Some("names are too long for the archive"));
        assert!(detail(4).contains("56 bytes"), "{}", detail(4));
    }
}

#[test]
fn damaged_entries_are_left_out_without_holes() {
    for layout in PACKS {
        let (report, written) = tried(&damaged(), layout, |options| options.keep_going = true);
        let written = written.unwrap();
        assert_eq!(report.paks[0].status, OutputStatus::Done(Fate::New));
        assert_eq!(report.paks[0].skipped, 5);
        assert_eq!(named(&report).len(), 5);
        let entries = naive::read(&written, layout);
        assert_tight(&written, &entries);
        let zeros = [0; 65];
        let expected: [(&[u8], &[u8]); 4] = [
            (b"good.wav", b"abcd"),
            (b"good.tga", &zeros),
            (b"good.cfg", b"efgh"),
            (b"good.wal", &zeros),
        ];
        assert_eq!(contents(&entries), expected);
    }
}

#[test]
fn a_dry_run_finds_what_shows_without_decoding() {
    let (report, written) = tried(&damaged(), Format::Quake, |options| options.dry_run = true);
    assert!(written.is_none());
    assert_eq!(report.paks[0].status, OutputStatus::Failed);
    assert_eq!(named(&report), ["far.wav", &"x".repeat(56)]);
}

#[test]
fn a_pak_with_nothing_left_is_not_written() {
    let all_bad = Pak::new()
        .compressed("a.tga", 65, b"\x7e\xff")
        .compressed("b.tga", 65, b"\x05")
        .daikatana();
    for layout in PACKS {
        let (report, written) = tried(&all_bad, layout, |options| options.keep_going = true);
        assert!(written.is_none());
        assert_eq!(report.paks[0].status, OutputStatus::Failed);
        assert_eq!(named(&report), ["a.tga", "b.tga"]);

        let (report, written) = tried(&Pak::new().quake(), layout, |_| {});
        assert!(written.is_none());
        assert_eq!(report.paks[0].status, OutputStatus::Failed);
        let [finding] = &report.paks[0].findings[..] else {
            panic!("{report:?}");
        };
        assert!(finding.is_error());
        assert!(finding.detail.starts_with("there is nothing to write"));
    }
}

#[test]
fn a_shared_damaged_payload_is_read_once() {
    let mut pak = Pak::new().compressed("0.tga", 65, b"\x7e\xff");
    let shared = pak.entries[0].clone();
    for n in 1..20_000 {
        pak = pak.entry(build::Entry { name: format!("{n}.tga").into_bytes(), ..shared.clone() });
    }
    let bytes = pak.stored("good.wav", b"abcd").daikatana();
    for layout in PACKS {
        let (report, written) = tried(&bytes, layout, |options| options.keep_going = true);
        assert_eq!(report.paks[0].skipped, 20_000);
        assert!(written.is_some());
    }
}

/// Changes the length of a file when the plan is made and nothing is read.
fn resizes(path: &Path, len: u64) -> Watcher<'_> {
    Watcher::on_found(move || {
        let file = File::options().write(true).open(path).unwrap();
        file.set_len(len).unwrap();
    })
}

#[test]
fn a_source_cut_later_costs_only_lost_entries() {
    let source = Pak::new()
        .stored("a.wav", b"abcd")
        .stored("b.wav", b"efgh")
        .stored("c.wav", b"ijkl")
        .quake();
    for jobs in [1, 3] {
        for (len, gone) in [(12, 3), (17, 2), (23, 1)] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("in.pak");
            std::fs::write(&path, &source).unwrap();
            let observer = resizes(&path, len);
            let cancel = Cancel::new();
            let context = watched(jobs, &observer, &cancel);
            let options = into_file(dir.path().join("out.pak"), Format::Quake);
            let report = convert(&context, std::slice::from_ref(&path), options).unwrap();
            assert_eq!(names_in(dir.path()), ["in.pak"]);
            assert_eq!(named(&report), ["a.wav", "b.wav", "c.wav"][3 - gone..]);
            for finding in &report.paks[0].findings {
                assert_eq!(finding.many, Some(CHANGED));
                assert!(finding.detail.contains("before it should"), "{finding}");
            }
        }
    }
}

#[test]
fn a_file_changing_while_packed_is_not_packed() {
    for layout in PACKS {
        for len in [3, 5] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("in.tga");
            std::fs::write(&path, b"abcd").unwrap();
            let observer = resizes(&path, len);
            let cancel = Cancel::new();
            let context = watched(2, &observer, &cancel);
            let options = into_file(dir.path().join("out.pak"), layout);
            let report = create(&context, std::slice::from_ref(&path), options).unwrap();
            assert_eq!(report.status, OutputStatus::Failed);
            assert_eq!(names_in(dir.path()), ["in.tga"]);
            let [finding] = &report.findings[..] else {
                panic!("{report:?}");
            };
            let detail = &finding.detail;
            assert_eq!(finding.many, Some(CHANGED));
            let changed = format!("the file had 4 bytes and now has {len}:");
            assert!(detail.starts_with(&changed), "{detail}");
        }
    }
}
