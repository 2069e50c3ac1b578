//! Makes every system call of whole operations fail in turn, and checks that nothing is lost.
//!
//! A call fails once, or fails from then on, or returns short. `judge` has the conditions that must hold after
//! each run. Faults include a pak that cannot be opened again, a directory that cannot be created, and a read
//! that fails in the middle of a batch. A run without faults counts the calls of each scenario.
//!
//! With one thread, a call has the same number in every run. With two it may not, but the conditions are the same.

use rustix::io::Errno;

use super::faulty::{Fault, Faulty, When};
use super::judge::judge;
use super::scenarios::{SCENARIOS, Stage};
use crate::fs::Call;

/// The errors of a full or broken disk, a permission, a signal and a limit.
const ERRNOS: [Errno; 5] = [Errno::NOSPC, Errno::IO, Errno::ACCESS, Errno::INTR, Errno::MFILE];

#[test]
fn without_a_fault_every_scenario_succeeds() {
    for scenario in SCENARIOS {
        let stage = Stage::new(scenario);
        let run = stage.run(Faulty::lacking(scenario.lacks));
        assert!(run.is_well(), "{scenario:?}: {:#?}", run.errors);
        assert_eq!(run.tree, stage.whole, "{scenario:?}");
        let log: Vec<Call> = run.log;
        for call in [Call::OpenSource, Call::CreateUnnamed, Call::Write] {
            assert!(log.contains(&call), "{scenario:?}: no {call:?} in {log:?}");
        }
        let is_synced = log.contains(&Call::SyncFile);
        assert_eq!(is_synced, scenario.over, "{scenario:?}");
    }
}

/// A fifth of all: each call meets one error, once and from then on, and is short once.
#[test]
fn any_failing_call_loses_nothing() {
    let runs = sweep(|number| vec![ERRNOS[number % ERRNOS.len()]], false);
    assert!(runs > 500, "{runs}");
}

/// `cargo test --lib testing::operations -- --ignored`
#[test]
#[ignore = "half a minute"]
fn the_same_with_every_error_at_every_call() {
    let runs = sweep(|_| ERRNOS.to_vec(), true);
    assert!(runs > 5000, "{runs}");
}

/// Runs all scenarios with these errors at every call. Returns the number of runs.
fn sweep(errnos: impl Fn(usize) -> Vec<Errno>, done_too: bool) -> usize {
    let mut runs = 0;
    for scenario in SCENARIOS {
        let stage = Stage::new(scenario);
        let calls = stage.run(Faulty::lacking(scenario.lacks)).log;
        // With two threads the call may create a file, and then no run can know that the file exists.
        let done = done_too && scenario.jobs == 1;
        for (number, &call) in calls.iter().enumerate() {
            for (when, fault) in faults(number, call, &errnos(number), done) {
                let system = Faulty::lacking(scenario.lacks).with(when, fault);
                let run = stage.run(system);
                judge(&stage, &run, when, fault, Some(call));
                runs += 1;
            }
        }
        // One run in which every call is short.
        let short = (When::From(0), Fault::Short);
        let run = stage.run(Faulty::lacking(scenario.lacks).with(short.0, short.1));
        judge(&stage, &run, short.0, short.1, None);
        runs += 1;
    }
    runs
}

/// The faults to try at one call.
fn faults(number: usize, call: Call, errnos: &[Errno], done_too: bool) -> Vec<(When, Fault)> {
    let mut faults = Vec::new();
    for &errno in errnos {
        faults.push((When::Once(number), Fault::Fails(errno)));
        faults.push((When::From(number), Fault::Fails(errno)));
        // A call that creates a file and reports an error: no run can know that the file exists.
        if done_too && call != Call::Create {
            faults.push((When::Once(number), Fault::DoneAndFails(errno)));
        }
    }
    if matches!(call, Call::Read | Call::Write | Call::Copy) {
        faults.push((When::Once(number), Fault::Short));
    }
    faults
}
