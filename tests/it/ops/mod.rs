//! Tests of the operations, through the library.

// Test data is cut to size on purpose.
#![allow(clippy::cast_possible_truncation)]

mod convert;
mod convert_damage;
mod edit;
mod engines;
mod extract;
mod fuzz_snapshot;
mod game;
mod looking;
pub(crate) mod naive;
mod oracle;
pub(crate) mod report;
mod served;
mod split;
mod whole_game;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use daisho::Format;
use daisho::ops::write::{Destination, Rules, WriteOptions};
use daisho::ops::{Cancel, Context, Existing, Observer, Work};
use report::{Report, convert};

/// A context of so many threads that nobody watches or stops.
pub(crate) fn context(jobs: usize) -> Context<'static> {
    static CANCEL: Cancel = Cancel::new();
    Context::new().stopped_by(&CANCEL).with_jobs(NonZeroUsize::new(jobs))
}

/// A context of so many threads with somebody who watches and may stop it.
pub(crate) fn watched<'a>(
    jobs: usize,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
) -> Context<'a> {
    Context::new().observed_by(observer).stopped_by(cancel).with_jobs(NonZeroUsize::new(jobs))
}

/// Counts the work of an operation, and may act when it is found or done.
#[derive(Default)]
pub(crate) struct Watcher<'a> {
    found: Mutex<Work>,
    done: Mutex<Work>,
    /// Called when the work is planned and nothing is read yet.
    on_found: Option<Box<dyn Fn() + Sync + 'a>>,
    /// Called after each piece of work with all that is done.
    on_done: Option<Box<dyn Fn(Work) + Sync + 'a>>,
}

impl<'a> Watcher<'a> {
    pub(crate) fn on_found(act: impl Fn() + Sync + 'a) -> Self {
        Self { on_found: Some(Box::new(act)), ..Self::default() }
    }

    /// Stops the operation when more than this many bytes are done.
    pub(crate) fn stops_after(bytes: u64, cancel: &'a Cancel) -> Self {
        let stop = move |done: Work| {
            if done.bytes > bytes {
                cancel.set();
            }
        };
        Self { on_done: Some(Box::new(stop)), ..Self::default() }
    }

    /// The work that was found and the work that was done.
    pub(crate) fn work(&self) -> [Work; 2] {
        [*self.found.lock().unwrap(), *self.done.lock().unwrap()]
    }
}

impl Observer for Watcher<'_> {
    fn found(&self, work: Work) {
        let mut found = self.found.lock().unwrap();
        found.entries += work.entries;
        found.bytes += work.bytes;
        if let Some(act) = &self.on_found {
            act();
        }
    }

    fn done(&self, work: Work) {
        let mut done = self.done.lock().unwrap();
        done.entries += work.entries;
        done.bytes += work.bytes;
        if let Some(act) = &self.on_done {
            act(*done);
        }
    }
}

/// Options for one file, which refuse what can be refused.
pub(crate) fn into_file(output: impl Into<PathBuf>, to: Format) -> WriteOptions {
    WriteOptions {
        level: None,
        destination: Destination::File(output.into()),
        to,
        selection: daisho::ops::source::Selection::all(),
        rules: Rules::default(),
        lowercase: false,
        keep_going: false,
        existing: Existing::Refuse,
        dry_run: false,
        max_expansion: None,
    }
}

/// Converts one pak, which goes well.
pub(crate) fn converted(bytes: &[u8], to: Format, jobs: usize) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let (source, target) = (dir.path().join("in.pak"), dir.path().join("out.pak"));
    std::fs::write(&source, bytes).unwrap();
    let report = convert(&context(jobs), &[source], into_file(&target, to)).unwrap();
    assert!(report.findings.is_empty(), "{report:?}");
    assert_eq!(names_in(dir.path()), ["in.pak", "out.pak"], "{report:?}");
    std::fs::read(target).unwrap()
}

/// Converts one pak, and says what came of it and of the output.
pub(crate) fn tried(
    bytes: &[u8],
    to: Format,
    change: impl FnOnce(&mut WriteOptions),
) -> (Report, Option<Vec<u8>>) {
    let dir = tempfile::tempdir().unwrap();
    let (source, target) = (dir.path().join("in.pak"), dir.path().join("out.pak"));
    std::fs::write(&source, bytes).unwrap();
    let mut options = into_file(&target, to);
    change(&mut options);
    let report = convert(&context(2), &[source], options).unwrap();
    let written = std::fs::read(&target).ok();
    let left = names_in(dir.path()).len();
    assert_eq!(left, 1 + usize::from(written.is_some()), "a temporary is left");
    (report, written)
}

/// The names in a directory, sorted.
pub(crate) fn names_in(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
