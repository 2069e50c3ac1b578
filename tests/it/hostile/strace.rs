//! Every file-related system call of the real command fails in turn, once and from then on: the
//! whole way from the first look at an argument to the exit, with the calls that no trait of ours
//! comes before (walking directories, opening, asking for lengths).
//!
//! strace makes them fail: it lets the call pass by and puts an error in its place. What comes back
//! short is the business of `src/ops/sweep`, since a call that passes by has moved no bytes.
//!
//! Left out: `close`, whose errors Rust's library drops; and `EINTR` without end, after
//! which it tries for ever.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::process::{Command, Output, Stdio};

use super::stage::{Over, Scale, Stage, Verb, say};

/// What a disk, a network and a limit say, and what a signal does.
const ERRNOS: [(&str, &str); 5] = [
    ("ENOSPC", "no space left"),
    ("EIO", "input/output error"),
    ("EACCES", "permission denied"),
    ("EINTR", "interrupted"),
    ("EMFILE", "too many open files"),
];

/// What is about files; those that a system does not have are passed over. No `close`: see above.
const CALLS: &str = "trace=?open,?openat,?openat2,?read,?pread64,?readv,?write,?pwrite64,?writev,\
    ?copy_file_range,?sendfile,?fallocate,?ftruncate,?link,?linkat,?rename,?renameat,?renameat2,\
    ?unlink,?unlinkat,?rmdir,?mkdir,?mkdirat,?stat,?lstat,?fstat,?statx,?newfstatat,?access,\
    ?faccessat,?faccessat2,?fsync,?fdatasync,?syncfs,?getdents64,?readlink,?readlinkat,?lseek,\
    ?fcntl,?dup,?dup3,?getcwd,?statfs,?fstatfs,?fchmod,?fadvise64";

/// Whether there is a strace that may trace. If not, this prints what was skipped.
pub(super) fn is_traced(what: &str) -> bool {
    let tried = Command::new("strace")
        .args(["-f", "-o", "/dev/null", "-e", "trace=?openat", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        crate::skips::skip(&format!("{what}: there is no strace that may trace"));
    }
    works
}

/// Some seconds in all.
#[test]
fn a_failing_call_is_reported_and_tears_no_file() {
    sweep(24);
}

/// `cargo test --release --test it hostile::strace -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn every_failing_call_is_reported_and_tears_no_file() {
    sweep(usize::MAX);
}

/// Plays with faults at all calls, or at no more than about `most` in each play.
fn sweep(most: usize) {
    if !is_traced("failing system calls") {
        return;
    }
    let mut injected = 0;
    for verb in [Verb::Convert, Verb::Encode, Verb::Extract, Verb::Create] {
        for over in [Over::Nothing, Over::Old] {
            let stage = Stage::new((verb, over), Scale::Small);
            let faults = faults(&stage);
            let mut step = faults.len().div_ceil(most);
            if step > 1 && step.is_multiple_of(ERRNOS.len()) {
                // Not in step with the errors.
                step += 1;
            }
            for fault in faults.iter().step_by(step) {
                judge(&stage, fault, &run(&stage, Some(fault)));
                injected += 1;
            }
        }
    }
    say(&format!("{injected} faults injected into system calls"));
}

/// A call that fails.
#[derive(Debug)]
struct Fault {
    call: String,
    /// Counted from 1, among the calls of this kind.
    number: usize,
    errno: &'static str,
    /// What the message must say.
    words: &'static str,
    from_then_on: bool,
}

/// Every error at every call, as a run without faults has made them.
fn faults(stage: &Stage) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (call, numbers) in calls(stage) {
        for number in numbers {
            for (errno, words) in ERRNOS {
                for from_then_on in [false, true] {
                    if from_then_on && errno == "EINTR" {
                        continue;
                    }
                    faults.push(Fault { call: call.clone(), number, errno, words, from_then_on });
                }
            }
        }
    }
    faults
}

/// The calls of a run without faults, each kind with the numbers of those that are made from
/// the first one on that names an argument: what is before is the loader's, and Rust's own.
fn calls(stage: &Stage) -> Vec<(String, RangeInclusive<usize>)> {
    run(stage, None);
    let trace = fs::read_to_string(stage.path("trace")).unwrap();
    // One process, whose first thread does all the work. Calls are counted by thread.
    let first = trace.split(' ').next().unwrap();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut begun = false;
    for line in trace.lines() {
        let Some((thread, call)) = line.split_once(' ') else {
            continue;
        };
        let Some((name, args)) = call.trim_start().split_once('(') else {
            continue;
        };
        // The rest of a line that another thread has interrupted, an exit or a signal.
        if thread != first || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            continue;
        }
        begun |= args.contains("\"in\"") || args.contains("\"in/");
        let (before, all) = counts.entry(name).or_default();
        *all += 1;
        *before += usize::from(!begun);
    }
    assert!(begun, "{trace}");
    counts.into_iter().map(|(name, (before, all))| (name.to_owned(), before + 1..=all)).collect()
}

/// Runs the command on a fresh output, with a fault. One thread, so that a call has the same number in
/// every run; and whatever fails is named.
fn run(stage: &Stage, fault: Option<&Fault>) -> Output {
    stage.reset();
    // A run that hangs is killed, and has no exit status.
    let mut command = stage.command("timeout");
    command.args(["-s", "KILL", "20", "strace", "-f", "-o", "trace", "-e", CALLS]);
    if let Some(fault) = fault {
        let on = if fault.from_then_on { "+" } else { "" };
        let Fault { call, number, errno, .. } = fault;
        command.args(["-e", &format!("inject={call}:error={errno}:when={number}{on}")]);
    }
    command.args([env!("CARGO_BIN_EXE_daisho"), "-j1", "-v"]);
    command.args(stage.arguments());
    command.env_remove("DAISHO_JOBS").env_remove("DAISHO_GAME");
    command.output().unwrap()
}

/// What holds after a run in which a system call has failed:
///
/// 1. What [`Stage::judge`] checks: sources, and every file old or new.
/// 2. Exit status 0 only if all of the new content is there, and nothing else. Otherwise 1 or 2: no
///    panic, no death, no hang.
/// 3. A message names a file, and the system's error.
/// 4. A temporary is left only if its removal is what failed, and then it is named.
/// 5. What failed once costs one archive, or the directory that could not be searched. Exit status 2
///    means that nothing was written.
fn judge(stage: &Stage, fault: &Fault, ran: &Output) {
    let stderr = String::from_utf8_lossy(&ran.stderr);
    let what = format!("{fault:?}: {}, {stderr}", ran.status);
    let found = stage.judge(&stage.path("out"), &what);
    assert!(!stderr.contains("panicked"), "a panic: {what}");
    let named = stderr.matches("/.daisho-").count();
    assert!(found.left <= named, "{found:?} is left: {what}");
    let lacking: Vec<&String> = stage
        .new_files()
        .iter()
        .filter(|(name, new)| {
            let there = fs::read(stage.path("out").join(name));
            !there.is_ok_and(|there| there == **new)
        })
        .map(|(name, _)| name)
        .collect();
    match ran.status.code() {
        Some(0) => {
            assert!(lacking.is_empty() && found.left == 0, "lost, and not reported: {what}");
            return;
        }
        Some(1) => {
            let archives: BTreeSet<_> = lacking.iter().map(|name| name.split('/').next()).collect();
            let is_one = fault.from_then_on || archives.len() <= 1;
            assert!(is_one, "more than one archive has failed: {what}");
        }
        Some(2) => assert_eq!(found.new, 0, "refused, and written: {what}"),
        _ => panic!("a death or a hang: {what}"),
    }
    // Messages are what `write` writes: everything else is written at a place.
    if fault.call == "write" {
        return;
    }
    assert!(stderr.contains("error: "), "no message: {what}");
    let is_named =
        ["--> in", "--> out", "out/", "--> .\n"].iter().any(|name| stderr.contains(name));
    assert!(is_named, "no file is named: {what}");
    let is_reported = stderr.to_lowercase().contains(fault.words);
    assert!(is_reported, "no cause is reported: {what}");
}
