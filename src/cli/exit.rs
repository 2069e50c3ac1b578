//! How the process ends: the exit status, and signals.
//!
//! If the status is not 0, daisho has printed an error, even with `-q`. For `diff`, the differences on standard
//! output are enough. `tests/it/cli/silence.rs` checks that for every verb. Only `cat` ends with 1 and without a message
//! if its reader stops reading.
//!
//! **Signals.** The first signal asks for a clean end, the second removes the progress bars and ends the process.
//!
//! Each of `SIGHUP`, `SIGINT`, `SIGQUIT` and `SIGTERM` has its own exit status, as shells expect. While daisho only
//! writes to standard output, there is nothing to clean up, and a write to a slow pipe cannot be cancelled. So the
//! first signal then ends the process immediately, too ([`AtOnce`]).
//!
//! A `SIGHUP` never counts as the second signal: when a terminal is closed, both the terminal and its shell send
//! one.
//!
//! A signal that is ignored from the start stays ignored: `nohup` does that to `SIGHUP`, and a shell to `SIGINT`
//! and `SIGQUIT` for its background jobs. Without unsafe code, only Linux tells which signals are ignored. On other
//! systems daisho does not handle `SIGHUP`, but handles the others.
//!
//! `SIGXFSZ` kills a process that reaches its file size limit. daisho installs a handler that does nothing. So the
//! write fails instead, and that is an error like any other. `SIGPIPE` is ignored by Rust.
//!
//! Signal handling belongs to the process, so its state is static.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use indicatif::MultiProgress;

use crate::ops::Cancel;

/// How a run ended, ordered from best to worst. If two apply, the worse counts. A shell sees the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything is done. Warnings, and files that `-k` kept, do not change this.
    Done = 0,
    /// Not all is well: damage, a read or write error, an archive that cannot be read, a difference, a name or pattern
    /// without a match, a skipped entry, output that was not read to its end.
    NotAllWell = 1,
    /// Wrong usage, a refusal before any work began, or no input that is an archive or named like one.
    Refused = 2,
    /// Stopped by `SIGHUP`: the terminal was closed.
    HangUp = 129,
    /// Stopped by `SIGINT`, Ctrl-C.
    Interrupt = 130,
    /// Stopped by `SIGQUIT`, Ctrl-\\. There is no core dump: temporaries are removed, as after `SIGINT`.
    Quit = 131,
    /// Stopped by `SIGTERM`.
    Terminate = 143,
}

/// The request to stop, which every operation watches.
pub(crate) static CANCEL: Cancel = Cancel::new();
/// The exit code of the first signal, or 0.
static CAUGHT: AtomicU8 = AtomicU8::new(0);
/// Whether even the first signal ends the process immediately.
static AT_ONCE: AtomicBool = AtomicBool::new(false);

/// The first signal that came.
pub(crate) fn caught() -> Option<Exit> {
    let signals = [Exit::HangUp, Exit::Interrupt, Exit::Quit, Exit::Terminate];
    let code = CAUGHT.load(Ordering::SeqCst);
    signals.into_iter().find(|signal| code == *signal as u8)
}

/// While this lives, a signal ends the process immediately.
#[derive(Debug)]
pub(crate) struct AtOnce {
    before: bool,
}

impl AtOnce {
    pub(crate) fn begin() -> Self {
        let before = AT_ONCE.swap(true, Ordering::SeqCst);
        Self { before }
    }
}

impl Drop for AtOnce {
    fn drop(&mut self) {
        AT_ONCE.store(self.before, Ordering::SeqCst);
    }
}

/// Remembers the first signal, and asks all operations to stop.
fn catch(signal: Exit) {
    CAUGHT.store(signal as u8, Ordering::SeqCst);
    CANCEL.set();
}

/// Starts handling signals. If that fails, they kill the process, as they do by default.
#[cfg(unix)]
pub(crate) fn listen(bars: MultiProgress) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    /// Set by the handler, and never read.
    static XFSZ: AtomicBool = AtomicBool::new(false);

    let _ = flag::register(SIGXFSZ, &XFSZ);
    let ignored = ignored();
    let mut heard = vec![
        (SIGINT, Exit::Interrupt),
        (SIGQUIT, Exit::Quit),
        (SIGTERM, Exit::Terminate),
        (SIGHUP, Exit::HangUp),
    ];
    heard.retain(|(number, signal)| match ignored {
        Some(ignored) => !is_in(ignored, *number),
        None => *signal != Exit::HangUp,
    });
    let Ok(mut signals) = Signals::new(heard.iter().map(|(number, _)| *number)) else {
        return;
    };
    for (number, signal) in &heard {
        let code = *signal as i32;
        let _ = flag::register_conditional_shutdown(*number, code, &AT_ONCE);
    }
    let wait = move || {
        for number in &mut signals {
            let signal = heard.iter().find(|(other, _)| *other == number);
            let signal = signal.map_or(Exit::Interrupt, |(_, signal)| *signal);
            if caught().is_none() {
                catch(signal);
            } else if signal != Exit::HangUp {
                bars.suspend(|| std::process::exit(signal as i32));
            }
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    if thread.spawn(wait).is_err() {
        // Without the thread no signal asks for a clean end, so the first one leaves at once.
        AT_ONCE.store(true, Ordering::SeqCst);
    }
}

/// The signals that are ignored, as bits beginning with signal 1. `None` if that is not known.
#[cfg(unix)]
fn ignored() -> Option<u128> {
    ignored_in(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// Parses Linux's `/proc/self/status`: one line has the ignored signals in hexadecimal.
#[cfg(unix)]
fn ignored_in(status: &str) -> Option<u128> {
    let mut lines = status.lines();
    let bits = lines.find_map(|line| line.strip_prefix("SigIgn:"))?;
    u128::from_str_radix(bits.trim(), 16).ok()
}

/// Whether the signal of this number is among `signals`.
#[cfg(unix)]
fn is_in(signals: u128, number: i32) -> bool {
    let place = u32::try_from(number - 1).ok();
    place.and_then(|place| signals.checked_shr(place)).is_some_and(|bits| bits & 1 != 0)
}

/// Begins to handle Ctrl-C and Ctrl-Break.
#[cfg(not(unix))]
pub(crate) fn listen(bars: MultiProgress) {
    let _ = ctrlc::set_handler(move || {
        if AT_ONCE.load(Ordering::SeqCst) || caught().is_some() {
            bars.suspend(|| std::process::exit(Exit::Interrupt as i32));
        }
        catch(Exit::Interrupt);
    });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_linux_says_of_ignored_signals_is_read() {
        let status =
            |bits: &str| format!("Name:\tdaisho\nSigBlk:\t1\nSigIgn:\t{bits}\nSigCgt:\t1\n");
        let ignored = ignored_in(&status("0000000000001007")).unwrap();
        let numbers: Vec<i32> = (1..=64).filter(|number| is_in(ignored, *number)).collect();
        assert_eq!(numbers, [1, 2, 3, 13]);
        assert_eq!(ignored_in(&status("?")), None);
        assert_eq!(ignored_in("SigCgt:\t0\n"), None);
    }
}
