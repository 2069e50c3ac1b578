//! What looks: `list`, `verify`, `cat` and `diff` through the library.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use daisho::Format;
use daisho::ops::finding::Notice;
use daisho::ops::pictures::PictureOptions;
use daisho::ops::row::{Change, CheckStatus, ComparedRow, Outcome, Recorded, Row};
use daisho::ops::snapshot::SnapshotOptions;
use daisho::ops::source::Selection;
use daisho::ops::{
    Cancel, Context, DiffOptions, Existing, GalleryOptions, ListOptions, Observer, Unobserved,
    VerifyOptions, Work, diff, gallery, list, verify,
};

use super::{Random, context, converted, watched};
use crate::archive::build::Pak;

/// A pak of mixed content, in Quake's layout.
fn pak(seed: u64, entries: usize) -> Vec<u8> {
    let mut random = Random(seed);
    let mut pak = Pak::new();
    for n in 0..entries {
        let kind = ["tga", "wav", "bsp", "cfg"][random.below(4)];
        let len = random.below(200_000);
        pak = pak.stored(&format!("part{}/{n}.{kind}", n % 3), &random.mixture(len));
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
        known: None,
    }
}

#[test]
fn a_snapshot_outlives_conversions_there_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("snapshot");
    let quake = pak(1, 30);
    let daikatana = converted(&quake, Format::Daikatana, 2);
    let back = converted(&daikatana, Format::Quake, 1);
    for (n, bytes) in [&quake, &daikatana, &back].into_iter().enumerate() {
        let file = dir.path().join(format!("{n}.pak"));
        std::fs::write(&file, bytes).unwrap();
        let options = options(Some(SnapshotOptions {
            path: path.clone(),
            update: n == 0,
        }));
        let (mut sound, mut recorded) = (0, None);
        verify(&context(2), &[file], &options, &mut |row| match row {
            Row::Entry(entry) => sound += u32::from(entry.check.unwrap().status == CheckStatus::Ok),
            Row::Recorded(row) => recorded = Some((row.outcome, row.differences)),
            Row::Archive(_) => {}
            other => panic!("{other:?}"),
        })
        .unwrap();
        assert_eq!(sound, 30);
        let outcome = if n == 0 {
            Recorded::Made(30)
        } else {
            Recorded::Compared
        };
        assert_eq!(recorded, Some((outcome, [0; 6])));
    }
    let file = |n: usize| dir.path().join(format!("{n}.pak"));
    let options = DiffOptions::default();
    let mut compared = None;
    let summary = diff(
        &context(2),
        file(0),
        file(1),
        &options,
        &mut |row| match row {
            Row::Compared(row) => compared = Some(row),
            other => panic!("{other:?}"),
        },
    );
    let expected = ComparedRow {
        same: 30,
        ..ComparedRow::default()
    };
    assert_eq!((summary.unwrap().done, compared), (0, Some(expected)));
}

/// Counts what it is told.
#[derive(Default)]
struct Counter {
    found: [AtomicU64; 2],
    done: [AtomicU64; 2],
    /// Told to stop after so many bytes.
    stop: Option<(u64, Cancel)>,
}

impl Counter {
    fn stopping(after: u64) -> Self {
        Self {
            stop: Some((after, Cancel::new())),
            ..Self::default()
        }
    }

    /// With so many threads, until it says stop.
    fn stopped(&self, jobs: usize) -> Context<'_> {
        watched(jobs, self, &self.stop.as_ref().unwrap().1)
    }
}

impl Observer for Counter {
    fn found(&self, work: Work) {
        self.found[0].fetch_add(work.entries, Ordering::Relaxed);
        self.found[1].fetch_add(work.bytes, Ordering::Relaxed);
    }

    fn done(&self, work: Work) {
        self.done[0].fetch_add(work.entries, Ordering::Relaxed);
        let bytes = self.done[1].fetch_add(work.bytes, Ordering::Relaxed) + work.bytes;
        if let Some((most, cancel)) = &self.stop
            && bytes > *most
        {
            cancel.set();
        }
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
fn the_observer_hears_of_all_work_and_of_its_end_also_where_it_is_damaged() {
    let damaged = Pak::new()
        .compressed("a.tga", 100, b"\x00a\xff")
        .compressed("b.tga", 3, b"\x02abc\xff")
        .daikatana();
    let (_dir, paths) = files(&[pak(2, 9), damaged]);
    let counter = Counter::default();
    let cancel = Cancel::new();
    let context = watched(2, &counter, &cancel);
    let summary = verify(&context, &paths, &options(None), &mut |_| {}).unwrap();
    assert_eq!((summary.entries, summary.failed), (11, 1));
    let read = |counts: &[AtomicU64; 2]| [0, 1].map(|n: usize| counts[n].load(Ordering::Relaxed));
    assert_eq!(read(&counter.found), read(&counter.done));
    assert_eq!(read(&counter.found)[0], 11);
}

#[test]
fn a_gallery_that_is_stopped_is_not_said_to_be_written() {
    let mut pak = Pak::new();
    for n in 0..600 {
        pak = pak.stored(&format!("{n}.cfg"), b"text");
    }
    let (dir, paths) = files(&[pak.quake()]);
    let counter = Counter::stopping(0);
    let context = counter.stopped(2);
    let options = GalleryOptions {
        output: dir.path().join("look.html"),
        selection: Selection::all(),
        pictures: PictureOptions::default(),
        existing: Existing::Refuse,
    };
    let mut outcome = None;
    let summary = gallery(&context, &paths, &options, &mut |row| match row {
        Row::Page(page) => outcome = Some(page.outcome),
        other => panic!("{other:?}"),
    });
    let summary = summary.unwrap();
    assert_eq!((summary.done, summary.failed), (0, 1));
    assert_eq!(outcome, Some(Outcome::Stopped));
    assert!(!options.output.exists());
}

#[test]
fn a_gallery_is_counted_as_one_file_with_its_entries() {
    let (dir, paths) = files(&[pak(6, 5), pak(7, 4)]);
    let mut options = GalleryOptions {
        output: dir.path().join("look"),
        selection: Selection::all(),
        pictures: PictureOptions::default(),
        existing: Existing::Refuse,
    };
    let summary = gallery(&context(2), &paths, &options, &mut |_| {}).unwrap();
    assert_eq!((summary.done, summary.entries, summary.kept), (1, 9, 0));
    options.existing = Existing::Keep;
    let summary = gallery(&context(2), &paths, &options, &mut |_| {}).unwrap();
    assert_eq!((summary.done, summary.entries, summary.kept), (0, 0, 1));
}

/// Of very many payloads errors are found again when they are asked for. A stop is none.
#[test]
fn a_stop_before_very_many_payloads_is_no_damage_of_any() {
    let mut pak = Pak::new();
    for n in 0..140_000_u32 {
        pak = pak.stored(&format!("{n}"), &n.to_le_bytes());
    }
    let (_dir, paths) = files(&[pak.quake()]);
    for jobs in [1, 3] {
        let counter = Counter::stopping(1000);
        let context = counter.stopped(jobs);
        let cancel = &counter.stop.as_ref().unwrap().1;
        let options = DiffOptions::default();
        let told = diff(&context, &paths[0], &paths[0], &options, &mut unfound);
        assert!(cancel.is_set() && told.unwrap().done == 0);
    }
}

#[test]
fn a_stop_leaves_no_snapshot_and_tells_no_damage() {
    let (dir, paths) = files(&[pak(3, 20), pak(4, 20)]);
    for jobs in [1, 3] {
        let counter = Counter::stopping(300_000);
        let context = counter.stopped(jobs);
        let cancel = &counter.stop.as_ref().unwrap().1;
        let options = options(Some(SnapshotOptions {
            path: dir.path().join("snapshot"),
            update: true,
        }));
        let mut outcomes = 0;
        let summary = verify(&context, &paths, &options, &mut |row| match row {
            Row::Recorded(_) => outcomes += 1,
            Row::Finding(finding) => {
                assert!(matches!(finding.notice, Notice::Interrupted));
            }
            _ => {}
        });
        assert!(cancel.is_set());
        assert_eq!((summary.unwrap().failed, outcomes), (0, 0));
        assert!(!dir.path().join("snapshot").exists());
        let options = DiffOptions::default();
        let told = diff(&context, &paths[0], &paths[0], &options, &mut unfound);
        assert_eq!(told.unwrap().done, 0);
    }
}

/// Takes rows of which none is a finding.
fn unfound(row: Row) {
    assert!(!matches!(row, Row::Finding(_)), "{row:?}");
}

#[test]
fn a_stop_between_rows_ends_the_search() {
    let (dir, mut paths) = files(&[pak(5, 3), pak(6, 3), pak(7, 3)]);
    let options = ListOptions {
        selection: Selection::new(&["nothing"], &[]).unwrap(),
        headers: false,
    };
    let listed = |paths: &[PathBuf], options: &ListOptions, is_stopped: bool| {
        let cancel = Cancel::new();
        let context = watched(1, &Unobserved, &cancel);
        let mut findings = 0;
        let summary = list(&context, paths, options, &mut |row| {
            findings += usize::from(matches!(row, Row::Finding(_)));
            if is_stopped {
                cancel.set();
            }
        });
        (summary.unwrap().archives, findings)
    };
    // What was not looked at may have matched.
    assert_eq!(listed(&paths, &options, true), (1, 0));
    assert_eq!(listed(&paths, &options, false), (3, 1));
    // Nor is there a search behind it.
    paths.push(dir.path().join("missing"));
    assert_eq!(listed(&paths, &ListOptions::default(), true), (1, 0));
    assert_eq!(listed(&paths, &ListOptions::default(), false), (3, 1));
}

#[test]
fn differences_come_in_the_order_of_the_first_archive_and_then_of_the_second() {
    let one = Pak::new()
        .stored("a", b"1")
        .stored("b", b"2")
        .stored("b", b"3")
        .quake();
    let other = Pak::new()
        .stored("b", b"2")
        .stored("b", b"44")
        .stored("c", b"5")
        .quake();
    let (_dir, paths) = files(&[one, other]);
    let mut told = Vec::new();
    let options = DiffOptions::default();
    diff(&context(1), &paths[0], &paths[1], &options, &mut |row| {
        if let Row::Change(row) = row {
            told.push((row.change, row.size_a, row.size_b));
        }
    })
    .unwrap();
    assert_eq!(
        told,
        [
            (Change::Removed, Some(1), None),
            (Change::Changed, Some(1), Some(2)),
            (Change::Added, None, Some(1)),
        ]
    );
}
