//! The signal comes just before each system call of a run, for all calls in turn.
//!
//! strace counts calls by name and thread, so a moment is "the third `pwrite64` of a thread". One
//! thread does all the work here; the others only wait. A kill that comes with a call keeps it
//! from being made. Other signals are handled when the call is done, or interrupt it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use super::{ASKING, Signal, Tally, is_heard};
use crate::hostile::stage::{PLAYS, SPLITS, Scale, Stage, say};

/// Before one call of this name.
pub(super) type Boundary = (String, usize);

#[test]
fn a_kill_before_some_system_calls_leaves_whole_files_or_none() {
    sweep("kills before system calls", &[Signal::Kill], 12);
}

#[test]
fn a_stop_at_some_system_calls_leaves_whole_files_and_nothing_else() {
    sweep("stops at system calls", &ASKING, 3);
}

/// `cargo test --release --test it hostile::kills -- --ignored --nocapture`
#[test]
#[ignore = "some minutes"]
fn a_kill_before_every_system_call_leaves_whole_files_or_none() {
    sweep("kills before system calls", &[Signal::Kill], usize::MAX);
}

/// `cargo test --release --test it hostile::kills -- --ignored --nocapture`
#[test]
#[ignore = "some minutes"]
fn a_stop_at_every_system_call_leaves_whole_files_and_nothing_else() {
    sweep("stops at system calls", &ASKING, usize::MAX);
}

/// Every play with every signal at every boundary, or at no more than `most` of them a signal.
fn sweep(what: &str, signals: &[Signal], most: usize) {
    if !has_strace() {
        say(&format!("skipped: {what}: there is no strace here"));
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
                chosen.retain(|(name, _)| CHANGES.contains(&name.as_str()));
                let step = chosen.len() / most + 1;
                chosen = chosen
                    .into_iter()
                    .skip(shift % step)
                    .step_by(step)
                    .collect();
            }
            for (name, number) in chosen {
                stage.reset();
                let status = run(&stage, *signal, name, *number);
                tally.judge(
                    &stage,
                    *signal,
                    status,
                    &format!("at {name} number {number}"),
                );
            }
        }
    }
    say(&tally.line(what));
    // The calls of two runs are the same but for a few around memory; and the first calls are the
    // loader's, when nobody listens yet.
    assert!((tally.killed + tally.stopped) * 5 > tally.runs, "{tally:?}");
}

/// Calls that change files.
pub(super) const CHANGES: [&str; 12] = [
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

pub(super) fn has_strace() -> bool {
    let mut strace = std::process::Command::new("strace");
    strace
        .args(["-f", "-o", "/dev/null", "true"])
        .stderr(Stdio::null());
    strace.status().is_ok_and(|status| status.success())
}

/// All system calls of a run that nobody disturbs.
fn boundaries(stage: &Stage) -> Vec<Boundary> {
    stage.reset();
    let trace = stage.path("trace");
    let mut strace = stage.command("strace");
    strace.args([
        "-f",
        "-qq",
        "-o",
        "trace",
        env!("CARGO_BIN_EXE_daisho"),
        "-j1",
    ]);
    let ran = strace.args(stage.arguments()).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    all_calls(&trace)
}

/// The calls that a trace holds, which is removed.
pub(super) fn all_calls(trace: &Path) -> Vec<Boundary> {
    let text = std::fs::read(trace).unwrap();
    std::fs::remove_file(trace).unwrap();
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in String::from_utf8_lossy(&text).lines() {
        let mut words = line.splitn(2, ' ');
        let (Some(thread), Some(call)) = (words.next(), words.next()) else {
            continue;
        };
        // What is no name is the rest of a call, or an exit.
        let name = call.trim_start().split('(').next().unwrap_or_default();
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let key = (name.to_owned(), thread.to_owned());
            *counts.entry(key).or_default() += 1;
        }
    }
    let mut most: BTreeMap<String, usize> = BTreeMap::new();
    for ((name, _), count) in counts {
        let entry = most.entry(name).or_default();
        *entry = count.max(*entry);
    }
    // This one is strace's own business.
    most.remove("execve");
    let boundaries = most.into_iter();
    boundaries
        .flat_map(|(name, count)| (1..=count).map(move |n| (name.clone(), n)))
        .collect()
}

/// A run with a signal at one boundary. strace ends as what it traces does.
fn run(stage: &Stage, signal: Signal, name: &str, number: usize) -> ExitStatus {
    let inject = format!("inject={name}:signal={}:when={number}", signal.name());
    let mut strace = stage.command("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", &inject]);
    strace.args([env!("CARGO_BIN_EXE_daisho"), "-j1"]);
    strace.args(stage.arguments());
    strace.stdout(Stdio::null()).stderr(Stdio::null());
    strace.status().unwrap()
}
