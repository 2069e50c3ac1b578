//! What was meant by the global options, and what every verb is given.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{MultiProgress, ProgressDrawTarget};

use daisho::ops::context::{Context, Unobserved};
use daisho::pak::{ReadOptions, quoted};

use super::args::{GlobalArgs, When, parse_jobs};
use super::exit::Exit;
use super::message::{Message, Messages};
use super::progress::{self, Bars, Counted};
use super::signals;

/// The environment's word for `-j`.
const JOBS: &str = "DAISHO_JOBS";

/// What every verb is given.
#[derive(Debug)]
pub(crate) struct Global {
    /// Errors, warnings, summaries.
    pub(crate) messages: Messages,
    /// The threads that were asked for.
    jobs: Option<NonZeroUsize>,
    /// How paks are read, where the user says it.
    pub(crate) open: ReadOptions,
    /// The screen that bars are drawn on; hidden until there are some.
    screen: MultiProgress,
    /// Whether there are bars at all.
    bars: bool,
    /// Bytes of content that were handled, each payload once.
    done: AtomicU64,
}

impl Global {
    /// What `args` mean, here and now.
    pub(crate) fn new(args: &GlobalArgs) -> Result<Self, Exit> {
        let screen = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
        color(args.color);
        let jobs = match args.jobs {
            None => environment_jobs().map_err(|message| {
                message.print();
                Exit::Refused
            })?,
            given => given,
        };
        let bars = progress::wanted(args.progress) && !args.quiet;
        signals::listen(bars);
        Ok(Self {
            messages: Messages::new(args.quiet, args.verbose, screen.clone()),
            jobs,
            open: ReadOptions {
                layout: args.layout.0,
                reserved: args.reserved.reserved(),
            },
            screen,
            bars,
            done: AtomicU64::new(0),
        })
    }

    /// Runs an operation of `daisho::ops` under bars, which are gone when this returns.
    pub(crate) fn observe<T>(&self, operation: impl FnOnce(&Context<'_>) -> T) -> T {
        let bars = self.bars.then(|| Bars::new(&self.screen));
        operation(&Context {
            observer: match &bars {
                Some(bars) => bars,
                None => &Unobserved,
            },
            ..self.context()
        })
    }

    /// Like [`observe`](Self::observe), and counts what is handled, for a rate: of tiny files that
    /// costs all threads some time.
    pub(crate) fn observe_rate<T>(&self, operation: impl FnOnce(&Context<'_>) -> T) -> T {
        let observer = Counted {
            bytes: &self.done,
            bars: self.bars.then(|| Bars::new(&self.screen)),
        };
        operation(&Context {
            observer: &observer,
            ..self.context()
        })
    }

    /// How many bytes of content were handled under [`observe_rate`](Self::observe_rate).
    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// What an operation is given that shows what it does by its output, without bars.
    pub(crate) fn context(&self) -> Context<'_> {
        Context {
            jobs: self.jobs,
            open: self.open,
            observer: &Unobserved,
            cancel: signals::cancel(),
        }
    }

    /// The last word: what was told counts, and a signal above all.
    pub(crate) fn end(&self, exit: Exit) -> Exit {
        let exit = exit.and(self.messages.exit());
        match signals::caught() {
            None => exit,
            Some(signal) => {
                self.messages.tell(Message::error("interrupted"));
                exit.and(Exit::Signal(signal))
            }
        }
    }
}

/// Sets for all of the process whether there are colours. `NO_COLOR`, `CLICOLOR` and
/// `CLICOLOR_FORCE` hold under [`When::Auto`].
pub(crate) fn color(when: When) {
    match when {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// The threads that the environment asks for. It is not left to clap, which would call it a value
/// of `-j` that nobody typed, and a bare call with it no bare call.
fn environment_jobs() -> Result<Option<NonZeroUsize>, Message> {
    let Some(value) = std::env::var_os(JOBS).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    parse_jobs(&value.to_string_lossy())
        .map(Some)
        .map_err(|why| {
            let value = quoted(value.as_encoded_bytes());
            Message::error(format!("{JOBS} is {value}, {why}"))
                .help("correct it, unset it, or give -j N")
        })
}
