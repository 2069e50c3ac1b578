//! The global options, which every verb accepts.

use std::num::NonZeroUsize;

use clap::{Arg, Args};

use crate::Format;
use crate::archive::quoted;
use crate::cli::args::{AUTO, OrAuto, When, format_or_auto, parse_jobs, reserved_or_auto};
use crate::codec::Reserved;
use crate::ops::finding::Finding;

/// The environment variable for `-j`.
const JOBS: &str = "DAISHO_JOBS";

/// The global options, which every verb accepts.
#[derive(Debug, Args)]
#[command(mut_args = as_global)]
pub(crate) struct GlobalArgs {
    /// The number of threads [default: all cores, or DAISHO_JOBS]
    ///
    /// The output does not depend on it.
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Print no warnings, summaries or progress
    ///
    /// Errors are always printed.
    #[arg(short, long, overrides_with = "quiet")]
    pub(crate) quiet: bool,
    /// Print more details, and each of many similar messages
    #[arg(short, long, overrides_with = "verbose")]
    pub(crate) verbose: bool,
    /// Print rows as JSON, one object per line: 'daisho help scripting'
    #[arg(long, overrides_with = "json")]
    pub(crate) json: bool,
    /// Read every archive as this format
    ///
    /// By default the format is detected; 'daisho info -v' shows why.
    #[arg(long, value_name = "FORMAT", default_value = AUTO, value_parser = format_or_auto())]
    pub(crate) from: OrAuto<Format>,
    /// What to do at the control byte 0xFE in compressed files
    ///
    /// The game skips it; one packer means a copy of 64 bytes. 'auto' decides by all streams of the pak and
    /// reports the decision; in a bare stream the byte is skipped.
    #[arg(long, value_name = "ACTION", default_value = AUTO, value_parser = reserved_or_auto())]
    pub(crate) reserved: OrAuto<Reserved>,
    /// Skip archives that match when directories are searched
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude_archive: Vec<String>,
    /// When to colour messages, and to draw pictures in show
    #[arg(long, value_name = "WHEN", default_value = AUTO)]
    pub(crate) color: When,
    /// When to draw progress bars
    ///
    /// 'auto' draws them on a terminal, after half a second.
    #[arg(long, value_name = "WHEN", default_value = AUTO)]
    pub(crate) progress: When,
    /// Has no effect: directories are always searched. Scripts may still say so.
    #[arg(short, long, hide = true, overrides_with = "recursive")]
    recursive: bool,
}

/// The help of the command describes these options in its own words.
fn as_global(option: Arg) -> Arg {
    let option = option.global(true).help_heading("Global options");
    option.hide_short_help(true).hide_long_help(true)
}

impl GlobalArgs {
    /// The number of threads that the user or the environment wants, if any. clap does not read the variable: its error
    /// would name a value of `-j` that nobody typed, and it would count the variable as an argument, so that it no
    /// longer noticed a call without arguments.
    pub(super) fn jobs(&self) -> Result<Option<NonZeroUsize>, Finding> {
        let value = std::env::var_os(JOBS).filter(|value| !value.is_empty());
        let (None, Some(value)) = (self.jobs, value) else {
            return Ok(self.jobs);
        };
        parse_jobs(&value.to_string_lossy()).map(Some).map_err(|why| {
            let value = quoted(value.as_encoded_bytes());
            Finding::error(format!("{JOBS} is {value}, {why}"))
                .advice("correct it, unset it, or give -j N")
        })
    }
}

/// Sets whether the process prints colours. `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and `FORCE_COLOR` count under
/// [`When::Auto`].
pub(crate) fn color(when: When) {
    let forced = std::env::var_os("FORCE_COLOR").unwrap_or_default();
    match when {
        When::Auto if !forced.is_empty() && forced != "0" => anstream::ColorChoice::Always,
        When::Auto => anstream::ColorChoice::Auto,
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}
