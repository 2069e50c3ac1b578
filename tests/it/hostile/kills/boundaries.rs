//! The signal comes just before each system call of a run, for all calls in turn.
//!
//! strace counts calls by name and thread, so a moment is "the third `pwrite64` of a thread". The
//! main thread does all the work here; the others only wait. A kill that comes with a call keeps it
//! from being made. Other signals are handled when the call is done, or interrupt it.
//!
//! A second signal ends a run at once, and may leave a temporary. So a run gets only one: where
//! the main thread and another both make the third call of a name, only the main thread is traced.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::{fmt, fs};

use super::{ASKING, Signal, Tally, is_heard};
use crate::hostile::stage::{PLAYS, SPLITS, Scale, Stage, say};
use crate::hostile::strace::is_traced;

/// Before one call.
pub(super) struct Boundary {
    pub(super) name: String,
    /// How many calls of this name the thread has made then, with this one.
    number: usize,
    /// Whether the main thread makes it. Otherwise only other threads do.
    is_of_main: bool,
}

impl Boundary {
    /// The options with which strace sends `signal` here, to one thread.
    pub(super) fn strace(&self, signal: Signal) -> Vec<String> {
        let Self { name, number, .. } = self;
        let inject = format!("inject={name}:signal={}:when={number}", signal.name());
        let mut options = vec!["-qq", "-e", &inject];
        if !self.is_of_main {
            options.push("-f");
        }
        options.into_iter().map(str::to_owned).collect()
    }
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {} number {}", self.name, self.number)
    }
}

#[test]
fn a_kill_before_some_calls_leaves_whole_files() {
    sweep("kills before system calls", &[Signal::Kill], 12);
}

#[test]
fn a_stop_at_some_calls_leaves_only_whole_files() {
    sweep("stops at system calls", &ASKING, 3);
}

/// `cargo test --release --test it hostile::kills -- --ignored --nocapture`
#[test]
#[ignore = "some minutes"]
fn a_kill_before_any_call_leaves_whole_files() {
    sweep("kills before system calls", &[Signal::Kill], usize::MAX);
}

/// `cargo test --release --test it hostile::kills -- --ignored --nocapture`
#[test]
#[ignore = "some minutes"]
fn a_stop_at_any_call_leaves_only_whole_files() {
    sweep("stops at system calls", &ASKING, usize::MAX);
}

/// Every play with every signal at every boundary, or at no more than `most` of them a signal.
fn sweep(what: &str, signals: &[Signal], most: usize) {
    if !is_traced(what) {
        return;
    }
    let mut tally = Tally::default();
    for (play, shift) in PLAYS.into_iter().chain(SPLITS).zip(0..) {
        let stage = Stage::new(play, Scale::Small);
        let all = boundaries(&stage);
        for signal in signals.iter().filter(|signal| is_heard(**signal)) {
            let mut chosen: Vec<&Boundary> = all.iter().collect();
            if most < all.len() {
                // A few, others in each play, of the calls that change files.
                chosen.retain(|call| CHANGES.contains(&call.name.as_str()));
                let step = chosen.len() / most + 1;
                chosen = chosen.into_iter().skip(shift % step).step_by(step).collect();
            }
            for boundary in chosen {
                stage.reset();
                let status = run(&stage, *signal, boundary);
                tally.judge(&stage, (*signal, 1), status, &boundary.to_string());
            }
        }
    }
    say(&format!("{what}: {tally:?}"));
    // The calls of two runs are the same but for a few around memory; and the first calls are the
    // loader's, when nobody listens yet.
    assert!((tally.killed + tally.stopped) * 5 > tally.runs, "{tally:?}");
}

/// Calls that change files.
pub(super) const CHANGES: [&str; 13] = [
    "openat",
    "openat2",
    "mkdir",
    "mkdirat",
    "pwrite64",
    "copy_file_range",
    "fallocate",
    "ftruncate",
    "fdatasync",
    "fsync",
    "linkat",
    "renameat",
    "unlinkat",
];

/// All system calls of a run that nobody disturbs.
fn boundaries(stage: &Stage) -> Vec<Boundary> {
    stage.reset();
    let trace = stage.path("trace");
    let mut strace = stage.command("strace");
    strace.args(["-f", "-qq", "-o", "trace", env!("CARGO_BIN_EXE_daisho"), "-j1"]);
    let ran = strace.args(stage.arguments()).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    all_calls(&trace)
}

/// The calls that a trace holds, which is removed.
pub(super) fn all_calls(trace: &Path) -> Vec<Boundary> {
    let text = fs::read(trace).unwrap();
    fs::remove_file(trace).unwrap();
    let text = String::from_utf8_lossy(&text);
    // The first call is the main thread's.
    let main = text.split(' ').next().unwrap();
    let mut of_main: BTreeMap<&str, usize> = BTreeMap::new();
    let mut of_others: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for line in text.lines() {
        let Some((thread, call)) = line.split_once(' ') else {
            continue;
        };
        // What is no name is the rest of a call, or an exit.
        let name = call.trim_start().split('(').next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            continue;
        }
        // This one is strace's own business.
        if name == "execve" {
            continue;
        }
        if thread == main {
            *of_main.entry(name).or_default() += 1;
        } else {
            *of_others.entry((name, thread)).or_default() += 1;
        }
    }
    let mut most = of_main.clone();
    for ((name, _), count) in of_others {
        let entry = most.entry(name).or_default();
        *entry = count.max(*entry);
    }
    let mut boundaries = Vec::new();
    for (name, count) in most {
        let of_main = of_main.get(name).copied().unwrap_or(0);
        for number in 1..=count {
            boundaries.push(Boundary {
                name: name.to_owned(),
                number,
                is_of_main: number <= of_main,
            });
        }
    }
    boundaries
}

/// A run with a signal at one boundary. strace ends as what it traces does.
fn run(stage: &Stage, signal: Signal, boundary: &Boundary) -> ExitStatus {
    let mut strace = stage.command("strace");
    strace.args(boundary.strace(signal)).args(["-o", "signals"]);
    strace.args([env!("CARGO_BIN_EXE_daisho"), "-j1"]);
    strace.args(stage.arguments());
    strace.stdout(Stdio::null()).stderr(Stdio::null());
    let status = strace.status().unwrap();
    let log = fs::read_to_string(stage.path("signals")).unwrap();
    let sent = log.matches(&format!("--- SIG{} ", signal.name())).count();
    assert!(sent <= 1, "{} {boundary}: {log}", signal.name());
    status
}
