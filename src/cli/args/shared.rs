//! Arguments that several verbs have.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use daisho::Format;
use daisho::codec::Reserved;
use daisho::engine::Engine;
use daisho::ops::context::Existing;

use crate::cli::message::Message;

/// The help heading of options about a game's directories.
pub(super) const SERVED: &str = "What an engine serves";
/// The help heading of global options.
const GLOBAL: &str = "Global options";
/// The most threads that `-j` accepts: far more than any machine needs, and far fewer than make
/// starting them fail.
pub(crate) const JOBS_MAX: usize = 1024;

/// What every verb takes.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// How many threads work [default: all cores, or DAISHO_JOBS]
    ///
    /// Output and reports are the same for every number.
    #[arg(short, long, value_name = "N", global = true, help_heading = GLOBAL)]
    #[arg(value_parser = parse_jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Print neither warnings, nor summaries, nor progress
    ///
    /// Errors are always printed.
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub(crate) quiet: bool,
    /// Print more of what is done and why
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub(crate) verbose: bool,
    /// Read every pak in this layout
    ///
    /// By default each pak's layout is found out from the evidence in it; 'daisho info' shows
    /// that evidence.
    #[arg(long, value_name = "LAYOUT", default_value = AUTO, global = true, help_heading = GLOBAL)]
    #[arg(value_parser = layout_or_auto())]
    pub(crate) layout: LayoutOrAuto,
    /// How to read the control byte 0xfe in compressed files
    ///
    /// The game skips it; one packer means a copy of 64 bytes by it. 'auto' finds out which of the two
    /// fits the streams of the whole pak, and says what it found; a bare stream is read with
    /// the byte skipped.
    #[arg(long, value_name = "HOW", default_value = "auto", global = true, help_heading = GLOBAL)]
    #[arg(hide_short_help = true)]
    pub(crate) reserved: ReservedOrAuto,
    /// When to colour messages
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = GLOBAL)]
    pub(crate) color: When,
    /// When to draw progress bars
    ///
    /// 'auto' draws them where standard error is a terminal, once something takes longer than
    /// half a second.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = GLOBAL)]
    pub(crate) progress: When,
}

/// Parses a number of threads, from `-j` or from the environment.
pub(crate) fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|jobs| jobs.get() <= JOBS_MAX)
        .ok_or_else(|| format!("expected a number from 1 to {JOBS_MAX}"))
}

/// Refuses `-` as an output: it would mean standard output, where no pak is written.
pub(super) fn check_output(output: &Path) -> Result<(), Message> {
    if output.as_os_str() != "-" {
        return Ok(());
    }
    Err(Message::error("a pak cannot be written to standard output")
        .help("to write a file that is called -, write ./-"))
}

/// Parses a number, with an error that a user understands.
pub(super) fn number<T: core::str::FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "expected a number, such as 100")
}

/// When to do what suits a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Where it is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Parses the name of a layout.
pub(super) fn layout() -> impl TypedValueParser<Value = Format> {
    let word = |it: Format| PossibleValue::new(it.as_str()).help(it.description());
    let words = PossibleValuesParser::new(Format::ALL.map(word));
    words.try_map(|word| Format::by_word(&word).ok_or("no such layout"))
}

/// Parses the name of a layout, or `auto`.
fn layout_or_auto() -> impl TypedValueParser<Value = LayoutOrAuto> {
    let auto = PossibleValue::new(AUTO).help("Find out");
    let word = |it: Format| PossibleValue::new(it.as_str()).help(it.description());
    let words = core::iter::once(auto).chain(Format::ALL.map(word));
    PossibleValuesParser::new(words).map(|word| LayoutOrAuto(Format::by_word(&word)))
}

/// The value for a layout that is detected.
const AUTO: &str = "auto";

/// A layout, or `None` to detect it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LayoutOrAuto(pub(crate) Option<Format>);

/// How to read the reserved byte.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ReservedOrAuto {
    /// Find out from the pak's streams
    Auto,
    /// As the game does: it stands for nothing
    Skip,
    /// As one packer means it: a copy of 64 bytes, whose distance follows
    Copy,
    /// It is damage
    Error,
}

impl ReservedOrAuto {
    /// The reading, or `None` to find it out from the pak's streams.
    pub(crate) const fn reserved(self) -> Option<Reserved> {
        match self {
            Self::Auto => None,
            Self::Skip => Some(Reserved::Skip),
            Self::Copy => Some(Reserved::Copy),
            Self::Error => Some(Reserved::Error),
        }
    }
}

/// The paks that are meant.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// A pak, or with -r a directory to search for paks
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Search directories for paks
    ///
    /// Paks are known by how they begin, not by their extension, and taken in the order of their
    /// names. Files that are no pak are passed over, those with a pak's name with a
    /// warning; links to directories are not followed.
    #[arg(short, long)]
    pub(crate) recursive: bool,
}

/// The entries that are meant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which entries")]
pub(crate) struct GlobArgs {
    /// Only entries that match; may be given more than once
    ///
    /// A glob without '/' is about the last part of the name, wherever it stands; one with '/' is
    /// about the whole name. '*' does not cross a '/', '**' does. ASCII case is ignored. A glob
    /// that matches nothing makes the exit status 1.
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// No entries that match; may be given more than once
    ///
    /// It wins over -i.
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

/// How much may come out of a pak.
#[derive(Debug, Args)]
pub(crate) struct ExpansionArgs {
    /// Refuse a pak that would expand to more than N times its length
    ///
    /// No stream of Daikatana's holds more than 65 times its length, and no deflated one more than 1032
    /// times. That is what is allowed without this option: an archive that holds more has payloads
    /// that lie over each other, and a small one of that kind could fill a disk. It is refused before
    /// anything of it is decoded or written; others of a batch go on.
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    pub(crate) max_expansion: Option<u64>,
}

/// Whether to wait for the disk.
#[derive(Debug, Args)]
pub(crate) struct SyncArgs {
    /// Wait until what was written is on the disk
    ///
    /// A file that replaces another (-f) always waits: the old one was on the disk. A new one is
    /// brought there when the system sees fit, some seconds later as a rule, and a power cut
    /// before that can take it, or leave it empty. With this, convert and create bring each pak
    /// to the disk before it gets its name, and the name after it, which costs a fraction of a
    /// millisecond a pak and the time that the disk takes for its bytes. extract waits once, at
    /// the end, for all files: small ones take twice the time then (measured: 113 microseconds a
    /// file instead of 54; a wait for each would be 309).
    #[arg(long)]
    pub(crate) sync: bool,
}

/// The engine that is meant.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The engine whose rules hold [default: quake, or daikatana where most paks are Daikatana's]
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
    pub(crate) engine: Option<Engine>,
}

pub(super) fn engine() -> impl TypedValueParser<Value = Engine> {
    let names = PossibleValuesParser::new(Engine::ALL.map(Engine::name));
    names.try_map(|name| Engine::by_name(&name).ok_or("no such engine"))
}

/// What to do about files that exist.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overwriting")]
pub(crate) struct ExistingArgs {
    /// Replace files that exist
    ///
    /// Each one as a whole, when its successor is complete. A source is never replaced.
    #[arg(short, long, conflicts_with = "keep")]
    pub(crate) force: bool,
    /// Keep files that exist, and go on with the rest
    ///
    /// What was kept is no failure: the exit status stays 0.
    #[arg(short, long)]
    pub(crate) keep: bool,
    /// Show what would be done, and do nothing
    ///
    /// Nothing is decoded, so damage within an entry is not found: 'daisho verify' finds it.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

impl ExistingArgs {
    /// What to do about an existing file at an output's path.
    pub(crate) const fn existing(&self) -> Existing {
        if self.force {
            Existing::Replace
        } else if self.keep {
            Existing::Keep
        } else {
            Existing::Refuse
        }
    }
}
