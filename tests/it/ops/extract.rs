//! Extraction: what its report says, and that it can be stopped.

use std::fs;
use std::path::PathBuf;

use crate::ops::report::{Extracted, extract};
use daisho::ops::finding::Finding;
use daisho::ops::row::{Fate, OutputStatus};
use daisho::ops::{Cancel, Existing, ExtractOptions, Unobserved, Work};
use tempfile::TempDir;

use super::{Watcher, context, watched};
use crate::archive::build::Pak;

/// A directory with paks `0.pak` and on, and what to extract them with, into `out`.
fn setup(paks: &[Vec<u8>]) -> (TempDir, Vec<PathBuf>, ExtractOptions) {
    let dir = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    for (n, pak) in paks.iter().enumerate() {
        let path = dir.path().join(format!("{n}.pak"));
        fs::write(&path, pak).unwrap();
        paths.push(path);
    }
    let options =
        ExtractOptions { directory: Some(dir.path().join("out")), ..ExtractOptions::default() };
    (dir, paths, options)
}

fn statuses(report: &Extracted) -> Vec<OutputStatus> {
    report.files.iter().map(|file| file.status).collect()
}

#[test]
fn a_stop_leaves_whole_files_and_nothing_temporary() {
    let content = vec![7; 9 << 20];
    let stream = [vec![0x7F; 100_000], vec![0xFF]].concat();
    let mut pak = Pak::new();
    for n in 0..2 {
        pak = pak
            .stored(format!("stored{n}"), &content)
            .compressed(&format!("packed{n}"), 6_500_000, &stream)
            .stored(format!("small{n}"), b"small");
    }
    let pak = pak.daikatana();
    for bytes in [0, 7_000_000, 20_000_000] {
        let (dir, mut paths, mut options) = setup(&[pak.clone(), pak.clone()]);
        let cancel = Cancel::new();
        let stop = Watcher::stops_after(bytes, &cancel);
        let report = extract(&watched(2, &stop, &cancel), &paths, &options).unwrap();
        assert!(report.findings.iter().any(Finding::is_stop));
        assert!(report.files.iter().all(|file| file.findings.is_empty()));
        assert!(statuses(&report).contains(&OutputStatus::Stopped));
        let mut files = Vec::new();
        for n in 0..2 {
            for entry in fs::read_dir(dir.path().join(format!("out/{n}"))).into_iter().flatten() {
                files.push(entry.unwrap().path());
            }
        }
        let written = statuses(&report);
        let written = written.iter().filter(|o| **o == OutputStatus::Done(Fate::New)).count();
        assert_eq!(files.len(), written);
        for file in &files {
            let name = file.file_name().unwrap().to_str().unwrap();
            let len = fs::metadata(file).unwrap().len();
            let expected = match &name[..name.len() - 1] {
                "stored" => 9 << 20,
                "packed" => 6_500_000,
                "small" => 5,
                other => panic!("{other}"),
            };
            assert_eq!(len, expected);
        }
        // What is missing comes with `Keep`.
        options.existing = Existing::Keep;
        paths.truncate(2);
        let report = extract(&context(2), &paths, &options).unwrap();
        let kept = statuses(&report);
        let kept = kept.iter().filter(|o| **o == OutputStatus::Planned(Fate::Keep)).count();
        assert_eq!(kept, written);
        assert_eq!(statuses(&report).len(), 12);
    }
}

#[test]
fn a_stop_before_the_first_file_writes_nothing() {
    let (dir, paths, options) = setup(&[Pak::new().stored("a", b"a").quake()]);
    let cancel = Cancel::new();
    cancel.set();
    assert!(extract(&watched(2, &Unobserved, &cancel), &paths, &options).is_err());
    assert!(!dir.path().join("out").exists());
}

#[test]
fn a_pak_changed_after_planning_is_not_extracted() {
    let planned = Pak::new().stored("a", b"one").quake();
    let other = Pak::new().stored("../b", b"two").quake();
    let (dir, paths, options) = setup(&[planned]);
    let swap = Watcher::on_found(|| fs::write(&paths[0], &other).unwrap());
    let report = extract(&watched(2, &swap, &Cancel::new()), &paths, &options).unwrap();
    assert_eq!(statuses(&report), [OutputStatus::Failed]);
    let finding = &report.findings[0];
    assert_eq!(finding.many, Some("files changed while they were read"));
    assert!(!dir.path().join("out").exists());
}

#[test]
fn extract_reports_as_much_work_done_as_found() {
    let pak = Pak::new()
        .stored("a", [1; 100_000])
        .compressed("b", 130, &[0x7F, 0x7F, 0xFF])
        .stored("c", b"c")
        .stored("C", b"C")
        .daikatana();
    let (_dir, paths, options) = setup(&[pak]);
    let watcher = Watcher::default();
    extract(&watched(2, &watcher, &Cancel::new()), &paths, &options).unwrap();
    let [found, done] = watcher.work();
    assert_eq!(found, done);
    let expected = Work { entries: 4, bytes: 100_132 };
    assert_eq!(found, expected);
}
