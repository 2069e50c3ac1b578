//! What looks: `list`, `verify`, `cat` and `diff` through the library.

use std::ops::ControlFlow;
use std::path::PathBuf;

use daisho::engine::Engines;
use daisho::ops::catalogue::SnapshotOptions;
use daisho::ops::finding::Finding;
use daisho::ops::source::Selection;
use daisho::ops::{
    Cancel, ListOptions, Reported, Sink, Unobserved, VerifyOptions, VerifyRow, info, list, verify,
};

use super::{Watcher, context, watched};
use crate::archive::build::Pak;
use crate::codec::dice::Dice;

/// A pak of mixed content, in Quake's layout.
fn pak(seed: u64, entries: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    let mut pak = Pak::new();
    for n in 0..entries {
        let kind = ["tga", "wav", "bsp", "cfg"][dice.below(4)];
        let len = dice.below(200_000);
        pak = pak.stored(format!("part{}/{n}.{kind}", n % 3), dice.mixture(len));
    }
    pak.quake()
}

fn options(snapshot: Option<SnapshotOptions>) -> VerifyOptions {
    VerifyOptions {
        listed: false,
        selection: Selection::all(),
        snapshot,
        hash: None,
        checksums: true,
        sums: false,
        max_expansion: None,
    }
}

fn files(paks: &[Vec<u8>]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let dir = tempfile::tempdir().unwrap();
    let paths = (0..paks.len()).map(|n| dir.path().join(format!("{n}.pak")));
    let paths: Vec<PathBuf> = paths.collect();
    for (path, pak) in paths.iter().zip(paks) {
        std::fs::write(path, pak).unwrap();
    }
    (dir, paths)
}

#[test]
fn the_observer_sees_all_work_even_with_damage() {
    let damaged = Pak::new()
        .compressed("a.tga", 100, b"\x00a\xff")
        .compressed("b.tga", 3, b"\x02abc\xff")
        .daikatana();
    let (_dir, paths) = files(&[pak(2, 9), damaged]);
    let watcher = Watcher::default();
    let cancel = Cancel::new();
    let context = watched(2, &watcher, &cancel);
    let totals = verify(&context, &paths, &options(None), &mut Reported::default()).unwrap();
    assert_eq!((totals.entries, totals.damaged), (11, 1));
    let [found, done] = watcher.work();
    assert_eq!(found, done);
    assert_eq!(found.entries, 11);
}

/// Of very many payloads errors are found again when they are asked for. A stop is none.
#[test]
fn a_stop_before_many_payloads_is_not_damage() {
    let mut pak = Pak::new();
    for n in 0..140_000_u32 {
        pak = pak.stored(format!("{n}"), n.to_le_bytes());
    }
    let (_dir, paths) = files(&[pak.quake()]);
    for jobs in [1, 3] {
        let cancel = Cancel::new();
        let watcher = Watcher::stops_after(1000, &cancel);
        let context = watched(jobs, &watcher, &cancel);
        let mut reported = Reported::default();
        let totals = verify(&context, &paths, &options(None), &mut reported);
        assert!(cancel.is_set() && totals.unwrap().damaged == 0);
        assert!(reported.findings.is_empty());
    }
}

#[test]
fn a_stop_leaves_no_snapshot_and_reports_no_damage() {
    let (dir, paths) = files(&[pak(3, 20), pak(4, 20)]);
    for jobs in [1, 3] {
        let cancel = Cancel::new();
        let watcher = Watcher::stops_after(300_000, &cancel);
        let context = watched(jobs, &watcher, &cancel);
        let options =
            options(Some(SnapshotOptions { path: dir.path().join("snapshot"), update: true }));
        let mut reported = Reported::default();
        let totals = verify(&context, &paths, &options, &mut reported).unwrap();
        assert!(cancel.is_set());
        for finding in &reported.findings {
            assert!(finding.is_stop());
        }
        let is_recorded = |row: &VerifyRow| matches!(row, VerifyRow::Recorded(_));
        assert!(!reported.rows.iter().any(is_recorded));
        assert_eq!(totals.damaged, 0);
        assert!(!dir.path().join("snapshot").exists());
    }
}

/// Stops the operation when something is reported, by the flag or by its answer.
struct Stopping<'a> {
    flag: Option<&'a Cancel>,
    answer: ControlFlow<()>,
    findings: usize,
}

impl<R> Sink<R> for Stopping<'_> {
    fn row(&mut self, _row: R) -> ControlFlow<()> {
        self.stop();
        self.answer
    }

    fn finding(&mut self, _finding: Finding) {
        self.findings += 1;
        self.stop();
    }
}

impl Stopping<'_> {
    fn stop(&self) {
        if let Some(flag) = self.flag {
            flag.set();
        }
    }
}

#[test]
fn a_stop_between_rows_ends_the_search() {
    let (dir, mut paths) = files(&[pak(5, 3), pak(6, 3), pak(7, 3)]);
    let options = ListOptions {
        selection: Selection::new(&["*nothing"], &[]).unwrap(),
        headers: false,
        offsets: false,
    };
    let listed = |paths: &[PathBuf], options: &ListOptions, is_stopped: bool| {
        let cancel = Cancel::new();
        let context = watched(1, &Unobserved, &cancel);
        let mut sink = Stopping {
            flag: is_stopped.then_some(&cancel),
            answer: ControlFlow::Continue(()),
            findings: 0,
        };
        let totals = list(&context, paths, options, &mut sink);
        (totals.unwrap().archives, sink.findings)
    };
    // What was not looked at may have matched.
    assert_eq!(listed(&paths, &options, true), (1, 0));
    assert_eq!(listed(&paths, &options, false), (3, 1));
    // Nor is there a search behind it.
    paths.push(dir.path().join("missing"));
    assert_eq!(listed(&paths, &ListOptions::default(), true), (1, 0));
    assert_eq!(listed(&paths, &ListOptions::default(), false), (3, 1));
}

/// The sink's answer alone ends each operation over several archives, and nothing is said of what was not looked at.
#[test]
fn an_operation_ends_when_its_sink_takes_no_more_rows() {
    let (_dir, paths) = files(&[pak(5, 3), pak(6, 3), pak(7, 3)]);
    let sink = || Stopping { flag: None, answer: ControlFlow::Break(()), findings: 0 };
    for jobs in [1, 3] {
        let mut out = sink();
        let options = ListOptions {
            selection: Selection::new(&["1.tga", "*nothing"], &[]).unwrap(),
            headers: false,
            offsets: false,
        };
        let totals = list(&context(jobs), &paths, &options, &mut out).unwrap();
        assert_eq!((totals.archives, out.findings), (1, 0));
        let mut out = sink();
        let described = info(&context(jobs), &paths, Engines::NONE, &mut out).unwrap();
        assert_eq!((described, out.findings), (1, 0));
        let mut out = sink();
        let totals = verify(&context(jobs), &paths, &self::options(None), &mut out).unwrap();
        assert_eq!((totals.archives, out.findings), (1, 0));
    }
}
