//! The options of the verbs that write archives.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::Format;
use crate::archive::Coding;
use crate::cli::args::{
    OverwriteArgs, engines, is_standard, is_written_picture, parse_size, with_engines,
};
use crate::cli::inputs::GlobArgs;
use crate::cli::output;
use crate::cli::ui::Ui;
use crate::engine::Engines;
use crate::media::FileType;
use crate::ops::finding::Finding;
use crate::ops::source::{Selection, is_named_as_archive};
use crate::ops::write::{Destination, Rules, Spool, WriteOptions, common_format, named_format};

/// The help heading of options about what outputs must suit.
const RULES: &str = "Engines and limits";

/// What goes into archives, the engines and limits that they must suit, and what happens to existing files.
#[derive(Debug, Args)]
pub(crate) struct WriteArgs {
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// Write archives for these engines, split if necessary
    #[arg(long, value_name = "ENGINES", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(WRITE_FOR))]
    #[arg(help_heading = RULES)]
    engine: Vec<Engines>,
    /// Split above this uncompressed size, such as 650M
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = RULES)]
    max_size: Option<u64>,
    /// Split outputs with more entries than this
    #[arg(long, value_name = "N", value_parser = parse_count, hide_short_help = true)]
    #[arg(help_heading = RULES)]
    max_entries: Option<NonZeroU64>,
    /// Compression level for ZIP, 0 (store) to 9 (slow)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9))]
    #[arg(help_heading = None)]
    level: Option<u8>,
    /// Make names lower case, and replace '\' by '/'
    #[arg(long, help_heading = RULES)]
    lowercase: bool,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    /// Show what would be done, and do nothing
    #[arg(short = 'n', long, help_heading = "Overwriting")]
    pub(crate) dry_run: bool,
}

impl WriteArgs {
    /// The options of an operation that writes archives.
    pub(crate) fn options(
        &self,
        destination: Destination,
        to: Format,
        selection: Selection,
    ) -> WriteOptions {
        WriteOptions {
            selection,
            rules: Rules {
                engines: self.engines(),
                max_entries: self.max_entries,
                max_size: self.max_size,
            },
            level: self.level,
            lowercase: self.lowercase,
            existing: self.overwrite.existing(),
            dry_run: self.dry_run,
            ..WriteOptions::new(destination, to)
        }
    }

    /// Refuses an output that is a terminal, or one with an extension of nothing that daisho writes, unless an argument
    /// chooses the format, or the type if the inputs `are_pictures`.
    pub(crate) fn check(
        &self,
        is_known: bool,
        are_pictures: bool,
        output: &Path,
        json: bool,
    ) -> Result<(), Finding> {
        let is_known = is_known
            || !are_pictures && !self.engine.is_empty()
            || output.extension().unwrap_or_default().is_empty()
            || is_named_as_archive(output);
        if !is_known && are_pictures {
            let written = FileType::ALL.iter().filter(|it| is_written_picture(it));
            let known = written.flat_map(|it| it.extensions());
            return Err(unknown_extension(output, "type of pictures", known));
        }
        if !is_known {
            let known = Format::ALL.iter().flat_map(|it| it.spec().extensions);
            return Err(unknown_extension(output, "format", known));
        }
        if !is_standard(output) || self.dry_run {
            return Ok(());
        }
        if json {
            let error = "the output and the rows of --json would both go to standard output";
            return Err(Finding::error(error).advice("give -o a file, or leave out --json"));
        }
        output::refuse_terminal()
    }

    /// Refuses options about archives if pictures are written.
    pub(crate) fn check_pictures(&self) -> Result<(), Finding> {
        let is_about_archives = self.max_size.is_some()
            || self.max_entries.is_some()
            || self.level.is_some()
            || self.lowercase;
        if is_about_archives {
            let error = Finding::error(
                "--max-size, --max-entries, --level and --lowercase are about archives, and this output is a picture",
            );
            return Err(error.advice("leave them out"));
        }
        Ok(())
    }

    /// The engines that must be able to load the output.
    pub(crate) fn engines(&self) -> Engines {
        self.engine.iter().copied().collect()
    }

    /// The format to write: that of `--to`; otherwise that of the output's extension, if the engines can read it;
    /// otherwise that of the engines; otherwise Quake's. Warns of a compression level that has no effect on it.
    pub(crate) fn format(
        &self,
        to: Option<Format>,
        output: Option<&Path>,
        inputs: &[PathBuf],
        ui: &Ui,
    ) -> Format {
        let engines = self.engines();
        let input = inputs.first().map(PathBuf::as_path);
        let mut named = output.and_then(|output| named_format(output, input));
        named = named.filter(|named| engines.iter().all(|it| it.profile().reads(*named)));
        let chosen = to.or(named).or(common_format(engines));
        let to = chosen.unwrap_or(Format::Quake);
        if self.level.is_some() && to.spec().coding != Some(Coding::Deflate) {
            let words = format!("--level has no effect: only ZIPs have levels, and this is {to}");
            ui.tell(&Finding::warning(words));
        }
        to
    }
}

const WRITE_FOR: &str = "\
Write archives for these engines, split if necessary";

/// The error about an output with an extension that belongs to nothing that is written: `what`, whose extensions are
/// `known`.
fn unknown_extension<'e>(
    output: &Path,
    what: &str,
    known: impl IntoIterator<Item = &'e &'e str>,
) -> Finding {
    let mut extensions: Vec<String> = Vec::new();
    for extension in known {
        let extension = format!(".{extension}");
        if !extensions.contains(&extension) {
            extensions.push(extension);
        }
    }
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    let why = format!("daisho writes no {what} with the extension \".{extension}\"");
    let known = extensions.join(" ");
    Finding::error(why)
        .at_path(output)
        .advice(format!("give the output one of {known}, or say the {what} with --to"))
}

/// The destination that `-o` names.
pub(crate) fn destination(output: PathBuf) -> Destination {
    if is_standard(&output) {
        Destination::Spool(Spool::default())
    } else {
        Destination::File(output)
    }
}

/// Parses a number of entries.
fn parse_count(text: &str) -> Result<NonZeroU64, String> {
    let expected = "give a number of at least 1, such as 2048";
    text.parse().map_err(|_| expected.to_owned())
}
