//! Every file-related system call of the real command fails in turn, once and from then on: the
//! whole way from the first look at an argument to the exit, with the calls that no trait of ours
//! comes before (walking directories, opening, asking for lengths).
//!
//! strace makes them fail: it lets the call pass by and puts an error in its place. What comes back
//! short is the business of `src/ops/sweep`, since a call that passes by has moved no bytes.
//!
//! Left out: `close`, whose errors Rust's library does not tell; and `EINTR` without end, after
//! which it tries for ever.

// What was skipped is reported, and how many faults there were.
#![allow(clippy::print_stderr)]

mod judge;
mod stage;

pub(super) use stage::strace_works;
use stage::{Fault, Stage, VERBS};

/// What a disk, a network and a limit say, and what a signal does.
const ERRNOS: [&str; 5] = ["ENOSPC", "EIO", "EACCES", "EINTR", "EMFILE"];

/// So many faults a scenario, spread over all calls: some seconds in all.
const FEW: usize = 24;

#[test]
fn a_few_failing_calls_of_convert() {
    sweep("convert", Some(FEW));
}

#[test]
fn a_few_failing_calls_of_extract() {
    sweep("extract", Some(FEW));
}

#[test]
fn a_few_failing_calls_of_create() {
    sweep("create", Some(FEW));
}

/// `cargo test --release --test it hostile::strace -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn every_call_of_convert_fails() {
    sweep("convert", None);
}

/// `cargo test --release --test it hostile::strace -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn every_call_of_extract_fails() {
    sweep("extract", None);
}

/// `cargo test --release --test it hostile::strace -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn every_call_of_create_fails() {
    sweep("create", None);
}

/// Runs the verb's scenarios with faults at all calls, or at some, and tells how many they were.
fn sweep(name: &str, some: Option<usize>) {
    if let Err(why) = strace_works() {
        eprintln!("skipped: {why}, so no call of {name} was made to fail");
        return;
    }
    let mut failures = Vec::new();
    let mut injected = 0;
    for verb in VERBS.iter().filter(|verb| verb.args[0] == name) {
        let stage = Stage::new(verb);
        let faults = faults(&stage);
        let step = some.map_or(1, |some| faults.len().div_ceil(some));
        // Not in step with the errors, of which there are five.
        let step = if step > 1 && step.is_multiple_of(5) {
            step + 1
        } else {
            step
        };
        for fault in faults.iter().step_by(step) {
            let run = stage.run(Some(fault));
            injected += 1;
            failures.extend(judge::judge(&stage, fault, &run).err());
        }
    }
    eprintln!(
        "{injected} faults injected into system calls of {name}, {} lost",
        failures.len()
    );
    let shown = failures.len().min(10);
    assert!(
        failures.is_empty(),
        "{} of {injected} have failed:\n{}",
        failures.len(),
        failures[..shown].join("\n\n")
    );
}

/// Every error at every call, as a run without faults has made them.
fn faults(stage: &Stage<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (call, numbers) in stage.calls() {
        for number in numbers {
            for errno in ERRNOS {
                for from_then_on in [false, true] {
                    if from_then_on && errno == "EINTR" {
                        continue;
                    }
                    faults.push(Fault {
                        call: call.clone(),
                        number,
                        errno,
                        from_then_on,
                    });
                }
            }
        }
    }
    faults
}
