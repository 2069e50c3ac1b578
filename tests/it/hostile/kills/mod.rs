//! Runs that are killed, or asked to stop, at any moment.
//!
//! | file         | when                                                                        |
//! |--------------|-----------------------------------------------------------------------------|
//! | `boundaries` | before every system call that a run makes, one after the other, by strace   |
//! | `moments`    | at random moments, with any number of threads                               |
//! | `edits`      | verbs that change an archive, before every system call                      |
//!
//! A killed run leaves nothing that is not whole: its new files have no names before their final ones. Where a
//! file system has no unnamed files, and while a file replaces an old one, it may leave a temporary. A
//! run that is asked to stop leaves none, and its exit status shows the signal.

mod boundaries;
mod edits;
mod moments;

use std::process::ExitStatus;

use super::stage::{Found, Stage};

/// What ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Kill,
    HangUp,
    Interrupt,
    Quit,
    Terminate,
}

/// Those that ask for an end.
const ASKING: [Signal; 4] = [Signal::HangUp, Signal::Interrupt, Signal::Quit, Signal::Terminate];

impl Signal {
    const fn name(self) -> &'static str {
        match self {
            Self::Kill => "KILL",
            Self::HangUp => "HUP",
            Self::Interrupt => "INT",
            Self::Quit => "QUIT",
            Self::Terminate => "TERM",
        }
    }

    const fn number(self) -> i32 {
        match self {
            Self::Kill => 9,
            Self::HangUp => 1,
            Self::Interrupt => 2,
            Self::Quit => 3,
            Self::Terminate => 15,
        }
    }
}

/// Whether a signal reaches what this process starts.
fn is_heard(signal: Signal) -> bool {
    crate::cli::signals::is_heard(signal.number())
}

/// What came of many runs.
#[derive(Debug, Default)]
struct Tally {
    runs: usize,
    /// Killed before they were done.
    killed: usize,
    /// Stopped with the exit status of the signal.
    stopped: usize,
    /// The signal came before they listened, and nothing was begun.
    early: usize,
    /// Done before the signal came.
    done: usize,
    found: Found,
}

impl Tally {
    /// Judges a run that was sent `signal`, and the run after it.
    #[track_caller]
    fn judge(
        &mut self,
        stage: &Stage,
        (signal, threads): (Signal, usize),
        status: ExitStatus,
        what: &str,
    ) {
        use std::os::unix::process::ExitStatusExt as _;

        let what = format!("{} {what}: {status}", signal.name());
        let found = stage.judge(&stage.path("out"), &what);
        let files = stage.new_files().len();
        self.runs += 1;
        let most = match signal {
            Signal::Kill => stage.temporaries_after_a_kill(threads),
            _ => 0,
        };
        assert!(found.left <= most, "{}, {what}: {found:?}", stage.name());
        match (status.code(), status.signal()) {
            (Some(0), _) => {
                assert_eq!((found.new, found.left), (files, 0), "{what}");
                self.done += 1;
            }
            (Some(code), _) if signal != Signal::Kill && code == 128 + signal.number() => {
                self.stopped += 1;
            }
            (_, Some(number)) if number == signal.number() => {
                if signal == Signal::Kill {
                    self.killed += 1;
                } else {
                    assert_eq!(found.new, 0, "{}, {what}", stage.name());
                    self.early += 1;
                }
            }
            _ => panic!("{}, {what}", stage.name()),
        }
        self.found.new += found.new;
        self.found.old += found.old;
        self.found.absent += found.absent;
        self.found.left += found.left;
        stage.complete(&what);
    }
}
