//! The global options after they are resolved, and the other things that every verb needs.

use std::num::NonZeroUsize;
use std::time::Instant;

use indicatif::{MultiProgress, ProgressDrawTarget};

use daisho::archive::{ReadOptions, quoted};
use daisho::ops::context::{Context, Observer, Unobserved};
use daisho::ops::source::Selection;

use super::args::GlobalArgs;
use super::exit::Exit;
use super::message::Message;
use super::messages::Messages;
use super::progress::{self, Bars};
use super::values::{When, parse_jobs};
use super::{signals, text};

/// The environment variable for `-j`.
const JOBS: &str = "DAISHO_JOBS";

/// Messages, threads and progress. Every verb gets a reference to this.
#[derive(Debug)]
pub(crate) struct Global {
    /// Errors, warnings, summaries.
    pub(crate) messages: Messages,
    /// The number of threads, if the user gave one.
    jobs: Option<NonZeroUsize>,
    /// Whether rows are printed as JSON.
    pub(crate) json: bool,
    /// How to read archives.
    pub(crate) open: ReadOptions,
    /// Which archives a search of a directory includes.
    searched: Selection,
    /// The screen that bars are drawn on; hidden until there are some.
    screen: MultiProgress,
    /// Whether to show progress bars.
    bars: bool,
}

impl Global {
    /// Resolves the global options against the terminal and the environment. With `salvage`, archives without a
    /// directory are read as far as possible.
    pub(crate) fn new(args: &GlobalArgs, salvage: bool) -> Result<Self, Exit> {
        let screen = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
        color(args.color);
        let jobs = match args.jobs {
            None => environment_jobs().map_err(|message| message.refuse())?,
            given => given,
        };
        let bars = progress::wanted(args.progress) && !args.quiet;
        let messages = Messages::new(args.quiet, args.verbose, screen.clone());
        let searched = Selection::new(&[], &args.exclude_archive)
            .map_err(|error| messages.refusal(&error.into()))?;
        signals::listen(screen.clone());
        Ok(Self {
            messages,
            jobs,
            json: args.json,
            open: ReadOptions {
                format: args.from.0,
                reserved: args.reserved.reserved(),
                salvage,
            },
            searched,
            screen,
            bars,
        })
    }

    /// Runs an operation with progress bars, and clears them when it returns. If it `is_timed`, its bytes are
    /// counted, and the returned text says how long it took and at what rate.
    pub(crate) fn observe<T>(
        &self,
        is_timed: bool,
        operation: impl FnOnce(&Context<'_>) -> T,
    ) -> (T, String) {
        if !self.bars && !is_timed {
            return (operation(&self.context()), String::new());
        }
        let begun = Instant::now();
        let progress = match self.bars {
            true => Bars::with_bars(&self.screen),
            false => Bars::default(),
        };
        let done = operation(&self.watched_by(&progress));
        let seconds = begun.elapsed().as_secs_f64();
        (done, text::rate(progress.bytes(), seconds))
    }

    /// The context for an operation without progress bars.
    pub(crate) fn context(&self) -> Context<'_> {
        self.watched_by(&Unobserved)
    }

    fn watched_by<'a>(&'a self, observer: &'a dyn Observer) -> Context<'a> {
        Context::new()
            .observed_by(observer)
            .stopped_by(signals::cancel())
            .with_jobs(self.jobs)
            .reading(self.open)
            .searching(&self.searched)
    }

    /// The exit status of the run. A reported error makes `exit` worse, and a signal makes it the worst.
    pub(crate) fn end(&self, exit: Exit) -> Exit {
        self.messages.flush();
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

/// Sets whether the process prints colours. `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` count under [`When::Auto`].
pub(crate) fn color(when: When) {
    match when {
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// The number of threads that the environment asks for. clap does not read this variable: its error would name a
/// value of `-j` that nobody typed, and a call without arguments would no longer count as a call without arguments.
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
