//! The global options, and what every verb gets from them: messages, threads and progress.

use std::num::NonZeroUsize;
use std::time::Instant;

use clap::Args;
use indicatif::{MultiProgress, ProgressDrawTarget};

use daisho::Format;
use daisho::archive::{ReadOptions, quoted};
use daisho::codec::Reserved;
use daisho::ops::source::Selection;
use daisho::ops::{Context, Observer, Unobserved};

use super::args::{AUTO, OrAuto, When, format_or_auto, parse_jobs, reserved_or_auto};
use super::exit::{self, Exit};
use super::messages::{Message, Messages};
use super::progress::{self, Bars};
use super::text;

/// The environment variable for `-j`.
const JOBS: &str = "DAISHO_JOBS";

/// The help heading of global options.
const GLOBAL: &str = "Global options";

/// The global options, which every verb accepts.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// The number of threads [default: all cores, or DAISHO_JOBS]
    ///
    /// The output does not depend on it.
    #[arg(short, long, value_name = "N", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    #[arg(value_parser = parse_jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Print no warnings, summaries or progress
    ///
    /// Errors are always printed.
    #[arg(short, long, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL, overrides_with = "quiet")]
    pub(crate) quiet: bool,
    /// Print more details, and each of many similar messages
    #[arg(short, long, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL, overrides_with = "verbose")]
    pub(crate) verbose: bool,
    /// Print rows as JSON, one object per line
    #[arg(long, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL, overrides_with = "json")]
    pub(crate) json: bool,
    /// Read every archive as this format
    ///
    /// By default the format is detected; 'daisho info -v' shows why.
    #[arg(long, value_name = "FORMAT", default_value = AUTO, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    #[arg(value_parser = format_or_auto())]
    pub(crate) from: OrAuto<Format>,
    /// How to read the control byte 0xfe in compressed files
    ///
    /// The game skips it; one packer means a copy of 64 bytes. 'auto' decides by all streams of the pak and
    /// reports the decision; in a bare stream the byte is skipped.
    #[arg(long, value_name = "HOW", default_value = AUTO, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    #[arg(value_parser = reserved_or_auto())]
    pub(crate) reserved: OrAuto<Reserved>,
    /// Skip archives that match when directories are searched
    #[arg(long, value_name = "GLOB", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    pub(crate) exclude_archive: Vec<String>,
    /// When to colour messages
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    pub(crate) color: When,
    /// When to draw progress bars
    ///
    /// 'auto' draws them on a terminal, after half a second.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    pub(crate) progress: When,
    /// Has no effect: directories are always searched. Scripts may still say so.
    #[arg(short, long, global = true, hide = true, overrides_with = "recursive")]
    recursive: bool,
}

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
    /// Whether to show progress bars.
    bars: bool,
}

impl Global {
    /// Resolves the global options against the terminal and the environment. With `salvage`, archives without a
    /// directory are read as far as possible. With `maps`, a map is an archive of its textures.
    pub(crate) fn new(args: &GlobalArgs, salvage: bool, maps: bool) -> Result<Self, Exit> {
        let screen = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
        color(args.color);
        let jobs = match args.jobs {
            None => environment_jobs().map_err(|message| message.refuse())?,
            given => given,
        };
        let bars = progress::wanted(args.progress) && !args.quiet;
        let messages = Messages::new(args.quiet, args.verbose, screen.clone());
        let searched = Selection::new(&[], &args.exclude_archive)
            .map_err(|error| Message::from(&error).refuse())?;
        exit::listen(screen);
        Ok(Self {
            messages,
            jobs,
            json: args.json,
            open: ReadOptions {
                format: args.from.0,
                reserved: args.reserved.0,
                salvage,
                maps,
            },
            searched,
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
        let progress = if self.bars {
            Bars::with_bars(&self.messages.bars)
        } else {
            Bars::default()
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
            .stopped_by(&exit::CANCEL)
            .with_jobs(self.jobs)
            .reading(self.open)
            .searching(&self.searched)
    }

    /// The exit status of the run. A signal makes it the worst.
    pub(crate) fn end(&self) -> u8 {
        self.messages.flush();
        if let Some(signal) = exit::caught() {
            self.messages.tell(Message::error("interrupted"));
            self.messages.worsen(signal);
        }
        self.messages.exit()
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
/// value of `-j` that nobody typed, and it would count the variable as an argument, so that it no longer noticed a
/// call without arguments.
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
