//! Interrupts: the first asks for a clean end, the second leaves at once.
//!
//! `SIGINT` and `SIGTERM` are told apart, since a shell wants to know. While only standard output
//! is at stake there is nothing to end cleanly, and a write to a slow pipe cannot be asked to
//! stop: then the first one leaves at once, too ([`leave_at_once`]).
//!
//! `SIGXFSZ` kills a process that reaches its file size limit. With a handler, which does nothing,
//! the write fails instead, and that is an error like any other. `SIGPIPE` is ignored by Rust.
//!
//! All of this is of the process, so it is static.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use daisho::ops::context::Cancel;

/// What asked for the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Signal {
    /// `SIGINT`, Ctrl-C.
    Interrupt,
    /// `SIGTERM`.
    Terminate,
}

impl Signal {
    /// 128 and the signal's number, as shells have it.
    pub(crate) const fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Told to every operation.
static CANCEL: Cancel = Cancel::new();
/// The exit code of the first signal, or 0.
static CAUGHT: AtomicU8 = AtomicU8::new(0);
/// Whether the next signal leaves at once.
static ARMED: AtomicBool = AtomicBool::new(false);

/// What every operation is told to stop by.
pub(crate) fn cancel() -> &'static Cancel {
    &CANCEL
}

/// The first signal that came.
pub(crate) fn caught() -> Option<Signal> {
    [Signal::Interrupt, Signal::Terminate]
        .into_iter()
        .find(|signal| CAUGHT.load(Ordering::SeqCst) == signal.exit_code())
}

/// From here on, until the result is dropped, a signal leaves at once.
pub(crate) fn leave_at_once() -> Armed {
    ARMED.store(true, Ordering::SeqCst);
    Armed(())
}

/// See [`leave_at_once`].
#[derive(Debug)]
pub(crate) struct Armed(());

impl Drop for Armed {
    fn drop(&mut self) {
        ARMED.store(caught().is_some(), Ordering::SeqCst);
    }
}

/// The first signal.
fn catch(signal: Signal) {
    CAUGHT.store(signal.exit_code(), Ordering::SeqCst);
    CANCEL.set();
}

/// Begins to listen. Where that fails signals do what they do by default, which is to kill: no
/// reason not to work.
#[cfg(unix)]
pub(crate) fn listen() {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    /// Nobody looks at it.
    static XFSZ: AtomicBool = AtomicBool::new(false);

    let _ = flag::register(SIGXFSZ, &XFSZ);
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    for (number, signal) in [(SIGINT, Signal::Interrupt), (SIGTERM, Signal::Terminate)] {
        // In this order: the first signal finds the flag unset, and sets it for the second. Both
        // happen in the handler itself, so leaving does not depend on any thread of ours.
        let _ = flag::register_conditional_shutdown(number, signal.exit_code().into(), &ARMED);
        let _ = flag::register(number, &ARMED);
    }
    let wait = move || {
        for number in &mut signals {
            catch(match number {
                SIGTERM => Signal::Terminate,
                _ => Signal::Interrupt,
            });
        }
    };
    let _ = std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(wait);
}

/// Begins to listen to Ctrl-C and Ctrl-Break.
#[cfg(not(unix))]
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ARMED.swap(true, Ordering::SeqCst) {
            std::process::exit(Signal::Interrupt.exit_code().into());
        }
        catch(Signal::Interrupt);
    });
}
