//! Limits of the process: open files, the size of a file, threads. A run that reaches one reports an
//! error or works with less. It never crashes, and no file is incomplete.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Output;

use super::stage::{PLAYS, Scale, Stage, say};

/// What a run may not have enough of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    /// Descriptors.
    Files,
    /// 512 bytes of a file.
    Size,
}

impl Limit {
    /// The option of `ulimit`.
    const fn option(self) -> &'static str {
        match self {
            Self::Files => "-n",
            Self::Size => "-f",
        }
    }
}

#[test]
fn a_limit_on_open_files_is_an_error() {
    let counts: Vec<usize> = (0..40).collect();
    sweep(Limit::Files, Scale::Small, &counts, 4);
}

#[test]
fn a_file_size_limit_is_an_error_not_a_crash() {
    kills_others();
    let blocks: Vec<usize> = (0..60).collect();
    let tally = sweep(Limit::Size, Scale::Small, &blocks, 7);
    assert!(tally.reported > 8, "{tally:?}");
}

/// `cargo test --release --test it hostile::rlimits -- --ignored --nocapture`
#[test]
#[ignore = "a minute"]
fn every_limit_is_an_error_and_tears_no_file() {
    let numbers = |upto: usize, step: usize| (0..upto).step_by(step).collect::<Vec<_>>();
    sweep(Limit::Files, Scale::Large, &numbers(64, 1), 1);
    sweep(Limit::Size, Scale::Small, &numbers(64, 1), 1);
    sweep(Limit::Size, Scale::Large, &numbers(8000, 40), 1);
}

/// The limit that is to be survived kills who does nothing about it.
fn kills_others() {
    let stage = Stage::new(PLAYS[0], Scale::Small);
    let script = "ulimit -f 1; exec head -c 99999 /dev/zero >out/large";
    let ran = stage.command("sh").args(["-c", script]).output().unwrap();
    assert_eq!(ran.status.signal(), Some(25), "{ran:?}");
}

#[derive(Debug, Default)]
struct Tally {
    /// The program could not even be loaded.
    never: usize,
    reported: usize,
    done: usize,
}

impl Tally {
    fn judge(&mut self, stage: &Stage, limit: Limit, ran: &Output, what: &str) {
        let stderr = String::from_utf8_lossy(&ran.stderr);
        let found = stage.judge(&stage.path("out"), what);
        let what = format!("{}, {what}, {found:?}: {ran:?}", stage.name());
        assert!(!stderr.contains("panicked"), "{what}");
        match ran.status.code() {
            Some(0) => {
                assert_eq!(found.new, stage.new_files().len(), "{what}");
                self.done += 1;
            }
            Some(1 | 2) => {
                assert!(stderr.contains("error: "), "{what}");
                let why = match limit {
                    Limit::Files => "too many open files",
                    Limit::Size => "file too large",
                };
                assert!(stderr.contains(why), "{what}");
                self.reported += 1;
            }
            _ => panic!("{what}"),
        }
        assert_eq!(found.left, 0, "{what}");
    }
}

/// Every play under these limits, of which each play takes one in `step`.
fn sweep(limit: Limit, scale: Scale, values: &[usize], step: usize) -> Tally {
    let mut tally = Tally::default();
    for (play, shift) in PLAYS.into_iter().zip(0..) {
        let stage = Stage::new(play, scale);
        if stage.is_page() && limit == Limit::Files {
            // A page names the entries that cannot be read, so it is not always the same.
            continue;
        }
        for value in values.iter().skip(shift % step).step_by(step) {
            let what = format!("ulimit {} {value}", limit.option());
            let script = format!("{what} && exec \"$0\" \"$@\"");
            let run = |arguments: &[&str]| {
                let mut sh = stage.command("sh");
                sh.args(["-c", &script, env!("CARGO_BIN_EXE_daisho")]);
                sh.args(arguments).output().unwrap()
            };
            stage.reset();
            // What the system's loader needs is not our business.
            if limit != Limit::Size && !run(&["--version"]).status.success() {
                tally.never += 1;
                continue;
            }
            let ran = run(&stage.arguments());
            tally.judge(&stage, limit, &ran, &what);
            stage.complete(&what);
        }
    }
    say(&format!("limits ({limit:?}, {scale:?}): {tally:?}"));
    tally
}

/// As a user who may have no more processes: root has no such limit, and has to become one.
#[test]
fn where_no_thread_can_be_started_one_does_the_work() {
    let works = |stage: &Stage, processes: &str, program: &str, arguments: &[&str]| {
        let mut command = stage.command("setpriv");
        command.args(["--reuid=54321", "--regid=54321", "--clear-groups"]);
        command.args(["prlimit", processes, program]).args(arguments);
        command.output()
    };
    for play in PLAYS {
        let stage = Stage::new(play, Scale::Small);
        let ran = works(&stage, "--nproc=1", "true", &[]);
        let daisho = works(&stage, "--nproc=1", env!("CARGO_BIN_EXE_daisho"), &["--version"]);
        if !ran.is_ok_and(|ran| ran.status.success()) || !daisho.unwrap().status.success() {
            crate::skips::skip("cannot become another user, or that user cannot reach daisho");
            return;
        }
        let open = "chmod 777 . out && find out -type d -exec chmod 777 {} +";
        let opened = stage.command("sh").args(["-c", open]).status().unwrap();
        assert!(opened.success());
        let arguments = [&["-j8"], stage.arguments().as_slice()].concat();
        let ran = works(&stage, "--nproc=1", env!("CARGO_BIN_EXE_daisho"), &arguments).unwrap();
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        let found = stage.judge(&stage.path("out"), "without threads");
        assert_eq!((found.new, found.left), (stage.new_files().len(), 0));
    }
    say("no threads: every verb that writes has done its work on one");
}
