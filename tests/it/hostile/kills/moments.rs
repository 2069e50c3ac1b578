//! The signal comes at a random moment between the start of a run and its usual end, with one to
//! four threads. The moments are what a seed says, and it is printed; what a run had reached by
//! then is the machine's matter.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use super::{ASKING, Signal, Tally, is_heard};
use crate::codec::dice::Dice;
use crate::hostile::stage::{PLAYS, SPLITS, Scale, Stage, say};
use crate::long;

/// Sets the seed.
const SEED: &str = "DAISHO_TEST_SEED";

#[test]
fn a_kill_at_some_moments_leaves_whole_files() {
    strike("kills at random moments", &[Signal::Kill], Scale::Medium, 8);
}

#[test]
fn a_stop_at_some_moments_leaves_only_whole_files() {
    strike("stops at random moments", &ASKING, Scale::Medium, 2);
}

/// A terminal that is closed sends it, and a shell that knows its jobs sends it again.
#[test]
fn hang_ups_that_come_again_and_again_are_one() {
    if !is_heard(Signal::HangUp) {
        return;
    }
    let (mut tally, mut sender) = (Tally::default(), Sender::new());
    for play in PLAYS.into_iter().chain(SPLITS) {
        // Without optimisation, as little takes as long as much does with it.
        let scale = if long::whole() { Scale::Large } else { Scale::Medium };
        let stage = Stage::new(play, scale);
        let delay = duration(&stage) / 3;
        stage.reset();
        let mut child = start(&stage, 1);
        std::thread::sleep(delay);
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            sender.send(Signal::HangUp, child.id());
        };
        tally.judge(&stage, (Signal::HangUp, 1), status, "again and again");
    }
    say(&format!("stops again and again: {tally:?}"));
}

/// `cargo test --release --test it hostile::kills -- --ignored --nocapture`
#[test]
#[ignore = "some minutes"]
fn a_kill_at_1000_moments_leaves_whole_files() {
    strike("kills at random moments", &[Signal::Kill], Scale::Large, 1000 / PLAYS.len());
}

/// `cargo test --release --test it hostile::kills -- --ignored --nocapture`
#[test]
#[ignore = "some minutes"]
fn a_stop_at_1000_moments_leaves_only_whole_files() {
    strike("stops at random moments", &ASKING, Scale::Large, 1000 / PLAYS.len() / ASKING.len() + 1);
}

/// Every play with each signal at so many moments.
fn strike(what: &str, signals: &[Signal], scale: Scale, moments: usize) {
    let seed = match std::env::var(SEED).map(|seed| seed.parse()) {
        Ok(Ok(seed)) => seed,
        _ => SystemTime::UNIX_EPOCH.elapsed().map_or(0, |now| now.as_nanos() as u64),
    };
    say(&format!("{what}: {SEED}={seed}"));
    let mut dice = Dice::new(seed);
    let (mut tally, mut sender) = (Tally::default(), Sender::new());
    for play in PLAYS.into_iter().chain(SPLITS) {
        let stage = Stage::new(play, scale);
        let whole = (0..5).map(|_| duration(&stage)).min().unwrap_or_default();
        for signal in signals.iter().filter(|signal| is_heard(**signal)) {
            for _ in 0..moments {
                let delay = whole.mul_f64(dice.below(1000) as f64 / 1000.0);
                let threads = dice.below(4) + 1;
                stage.reset();
                let status = run(&mut sender, &stage, *signal, delay, threads);
                let when = format!("after {delay:?} of {whole:?}, {threads} threads, seed {seed}");
                tally.judge(&stage, (*signal, threads), status, &when);
            }
        }
    }
    say(&format!("{what}: {tally:?}"));
    // Otherwise the moments were not within the runs.
    assert!(tally.killed + tally.stopped > 0, "{tally:?}");
}

fn duration(stage: &Stage) -> Duration {
    stage.reset();
    let start = Instant::now();
    assert!(stage.daisho().output().unwrap().status.success());
    start.elapsed()
}

fn run(
    sender: &mut Sender,
    stage: &Stage,
    signal: Signal,
    delay: Duration,
    threads: usize,
) -> ExitStatus {
    let mut child = start(stage, threads);
    std::thread::sleep(delay);
    sender.send(signal, child.id());
    child.wait().unwrap()
}

fn start(stage: &Stage, threads: usize) -> Child {
    let mut daisho = stage.daisho();
    daisho.args(["-j", &threads.to_string()]);
    daisho.stdout(Stdio::null()).stderr(Stdio::null());
    daisho.spawn().unwrap()
}

/// A shell that sends signals, sooner than a process of its own for each would.
struct Sender {
    shell: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Sender {
    fn new() -> Self {
        let mut shell = Command::new("sh");
        shell.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut shell = shell.stderr(Stdio::null()).spawn().unwrap();
        Self {
            input: shell.stdin.take().unwrap(),
            output: BufReader::new(shell.stdout.take().unwrap()),
            shell,
        }
    }

    /// Sends a signal to a child that was not waited for. It may be over by now.
    fn send(&mut self, signal: Signal, process: u32) {
        writeln!(self.input, "kill -s {} {process}; echo", signal.name()).unwrap();
        self.output.read_line(&mut String::new()).unwrap();
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
