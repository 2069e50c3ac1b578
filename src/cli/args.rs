//! Arguments that several verbs share, converted to the options of an operation. Nothing here has an effect.

use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use clap_complete::engine::ArgValueCompleter;
use daisho::Format;
use daisho::archive::Coding;
use daisho::engine::{Engine, Engines};
use daisho::ops::context::{Context, Existing};
use daisho::ops::finding::Finding;
use daisho::ops::pictures::PictureOptions;
use daisho::ops::source::Wanted;
use daisho::ops::source::{Selection, arguments};
use daisho::ops::write::{Rules, common_format, named_format};

use super::complete;
use super::message::Message;
use super::path_list;
use super::text;
use super::values::{
    AUTO, FormatOrAuto, ReservedOrAuto, When, engine, engines, format_or_auto, is_standard, number,
    parse_count, parse_jobs, parse_size,
};

/// The help heading of options about a game's directories.
pub(crate) const SERVED: &str = "A game as an engine sees it";
/// The help heading of options about how things are shown.
pub(crate) const SHOWN: &str = "Display";
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
    pub(crate) from: FormatOrAuto,
    /// How to read the control byte 0xfe in compressed files
    ///
    /// The game skips it; one packer means a copy of 64 bytes. 'auto' decides by all streams of the pak and
    /// reports the decision; in a bare stream the byte is skipped.
    #[arg(long, value_name = "HOW", default_value = "auto", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    pub(crate) reserved: ReservedOrAuto,
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

/// The archives that a verb reads.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Archives, and directories to search for them; '-' is standard input
    ///
    /// Archives are recognised by content. A path can also lead to an archive inside another one:
    /// mod.zip//id1/pak0.pak
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    #[arg(value_hint = ValueHint::AnyPath, add = ArgValueCompleter::new(complete::paths_and_names))]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) list: PathListArgs,
}

impl InputArgs {
    /// Whether there are several archives, or may be.
    pub(crate) fn is_several(&self) -> bool {
        let is_directory = |path: &PathBuf| path.is_dir();
        self.list.is_given() || self.paths.len() > 1 || self.paths.iter().any(is_directory)
    }

    /// Removes the names of entries from the paths, and returns the selection that these names and the globs make.
    /// With `--files-from` all arguments are paths.
    pub(crate) fn selection(
        &mut self,
        globs: &GlobArgs,
        context: &Context<'_>,
    ) -> Result<Selection, Finding> {
        let selection = globs.selection()?;
        if self.list.is_given() {
            return Ok(selection);
        }
        let (paths, names) = arguments(context, &self.paths);
        self.paths = paths;
        let names = names.iter().map(|name| name.as_os_str().as_encoded_bytes());
        Ok(selection.with_names(names))
    }

    /// Adds the paths of the list that was given.
    pub(crate) fn read_list(&mut self) -> Result<(), Message> {
        self.list.read_into(&mut self.paths)?;
        let standard = self.paths.iter().filter(|path| is_standard(path)).count();
        if standard + usize::from(self.list.is_standard_input()) < 2 {
            return Ok(());
        }
        Err(Message::error("standard input cannot be read twice")
            .help("name it once: as an archive, or as the list of --files-from"))
    }
}

/// A list with more paths.
#[derive(Debug, Args)]
pub(crate) struct PathListArgs {
    /// Also read paths from FILE, one per line; '-' is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    files_from: Option<PathBuf>,
}

impl PathListArgs {
    /// Whether there is a list.
    pub(crate) const fn is_given(&self) -> bool {
        self.files_from.is_some()
    }

    fn is_standard_input(&self) -> bool {
        self.files_from.as_deref().is_some_and(is_standard)
    }

    /// Adds the paths of the list.
    pub(crate) fn read_into(&self, paths: &mut Vec<PathBuf>) -> Result<(), Message> {
        if let Some(file) = &self.files_from {
            paths.extend(path_list::read(file)?);
        }
        Ok(())
    }
}

/// Globs that select entries.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct GlobArgs {
    /// Only entries that match GLOB
    ///
    /// May be given more than once. A pattern without '/' matches the file name in any folder, and 'maps/' matches everything in that
    /// folder. Case is ignored.
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Skip entries that match GLOB
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

impl GlobArgs {
    /// The entries that the globs select.
    pub(crate) fn selection(&self) -> Result<Selection, Finding> {
        Selection::new(&self.include, &self.exclude)
    }
}

/// An archive, and entries of it.
#[derive(Debug, Args)]
pub(crate) struct EntryArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE", value_hint = ValueHint::FilePath)]
    pub(crate) archive: PathBuf,
    /// Names of entries or folders, or patterns
    #[arg(
        value_name = "NAME",
        add = ArgValueCompleter::new(complete::names),
        required_unless_present = "index",
        conflicts_with = "index"
    )]
    pub(crate) names: Vec<OsString>,
    /// Numbers of entries, counted from 0
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    index: Vec<usize>,
}

impl EntryArgs {
    /// The entries that are named or numbered.
    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        Wanted::list(&self.names, &self.index)
    }
}

/// How pictures are decoded.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// Take palettes from this game's directory or archive; may be given more than once
    ///
    /// An image without its own palette needs one from its game. daisho has no built-in game palettes.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, hide_short_help = true)]
    game: Vec<PathBuf>,
    /// Palette for images that have none
    ///
    /// 768 bytes, a PCX, a BMP, a texture with a palette, or a palette of GIMP or Paint Shop Pro.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    palette: Option<PathBuf>,
    /// All frames of a sprite, sizes of a texture, or textures of a map, side by side
    #[arg(long, hide_short_help = true)]
    frames: bool,
    /// Refuse images with more pixels than N, such as 4M [default: 64M]
    // The error about such an image names this option, so the help need not.
    #[arg(long, value_name = "N", value_parser = parse_size, hide_short_help = true, hide_long_help = true)]
    max_pixels: Option<u64>,
}

impl PictureArgs {
    /// How pictures are decoded.
    pub(crate) fn options(&self) -> PictureOptions {
        let default = PictureOptions::default();
        PictureOptions {
            max_pixels: self.max_pixels.unwrap_or(default.max_pixels),
            all_frames: self.frames,
            palette: self.palette.clone(),
            game: self.game.clone(),
        }
    }

    /// Whether any of these options is given.
    pub(crate) fn is_given(&self) -> bool {
        self.frames || self.max_pixels.is_some() || self.palette.is_some() || !self.game.is_empty()
    }
}

/// How much an archive may unpack to.
#[derive(Debug, Args)]
pub(crate) struct ExpansionArgs {
    /// Refuse an archive that unpacks to more than N times its length [default: 65, ZIP: 1032]
    #[arg(long, value_name = "N", value_parser = number::<u64>, hide_short_help = true)]
    pub(crate) max_expansion: Option<u64>,
}

/// The engine whose rules apply.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The engine whose rules apply [default: quake or daikatana]
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true)]
    #[arg(hide_possible_values = true, long_help = with_engines(RULES_OF))]
    pub(crate) engine: Option<Engine>,
}

impl EngineArgs {
    /// Refuses `--engine` without `--effective`: only what an engine serves depends on the engine.
    pub(crate) fn check(&self, effective: bool) -> Result<(), Message> {
        match self.engine {
            Some(_) if !effective => {
                let message = Message::error("--engine has no effect without --effective");
                Err(message.help("give --effective as well, or try '--help'"))
            }
            _ => Ok(()),
        }
    }
}

/// What to do about files that exist.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overwriting")]
pub(crate) struct OverwriteArgs {
    /// Overwrite existing files (never a source)
    #[arg(short, long, conflicts_with = "keep")]
    force: bool,
    /// Keep existing files and go on with the rest
    #[arg(short, long)]
    keep: bool,
}

impl OverwriteArgs {
    /// What to do about an existing file at an output's path.
    pub(crate) const fn existing(&self) -> Existing {
        match (self.force, self.keep) {
            (true, _) => Existing::Replace,
            (false, true) => Existing::Keep,
            (false, false) => Existing::Refuse,
        }
    }
}

/// What to do about files that exist, and whether to do nothing but say what would be done.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overwriting")]
pub(crate) struct ExistingArgs {
    #[command(flatten)]
    overwrite: OverwriteArgs,
    /// Show what would be done, and do nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

impl ExistingArgs {
    /// What to do about an existing file at an output's path.
    pub(crate) const fn existing(&self) -> Existing {
        self.overwrite.existing()
    }
}

/// The help of an engine whose rules apply.
pub(crate) const RULES_OF: &str = "The engine whose rules apply [default: quake or daikatana]";

const WRITE_FOR: &str = "\
Write archives that these engines load (A,B), split if necessary";

/// A help text with the names of engines.
pub(crate) fn with_engines(help: &str) -> String {
    let engines: Vec<&str> = Engine::ALL.into_iter().map(Engine::name).collect();
    let families = Engines::FAMILIES.map(|(word, _)| word).join(", ");
    let engines = engines.join(", ");
    format!("{help}\n\nENGINE: {engines}; {families} stand for all engines of a family.")
}

/// Engines and limits that outputs must suit.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engines and limits")]
pub(crate) struct RuleArgs {
    /// Write archives that these engines load (A,B), split if necessary
    #[arg(long, value_name = "ENGINE", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(WRITE_FOR))]
    pub(crate) engine: Vec<Engines>,
    /// Split outputs that would exceed this size, such as 650M
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_size: Option<u64>,
    /// Split outputs that would have more entries than this
    #[arg(long, value_name = "N", value_parser = parse_count, hide_short_help = true)]
    pub(crate) max_entries: Option<NonZeroU64>,
    /// Compression level for ZIP, 0 (store) to 9 (slow)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9), help_heading = None)]
    pub(crate) level: Option<u8>,
    /// Make names lower case, and replace '\' by '/'
    #[arg(long)]
    pub(crate) lowercase: bool,
}

impl RuleArgs {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            engines: self.engines(),
            max_entries: self.max_entries,
            max_size: self.max_size,
        }
    }

    /// The rules for an output in the format `to`. With `--merge`, an engine that cannot read this format only
    /// chooses copies, and its limits do not apply.
    pub(crate) fn read_by(&self, to: Format, merges: bool) -> Rules {
        let mut rules = self.rules();
        if merges {
            let engines = rules.engines.iter();
            rules.engines = engines.filter(|it| it.profile().reads(to)).collect();
        }
        rules
    }

    /// The warning that a compression level has no effect on this format.
    pub(crate) fn remark(&self, to: Format) -> Option<Message> {
        if self.level.is_none() || to.spec().coding == Some(Coding::Deflate) {
            return None;
        }
        let words = format!("--level has no effect: only ZIPs have levels, and this is {to}");
        Some(Message::warning(words))
    }

    /// Refuses an output if daisho writes no format with its extension, unless `--to` or `--engine` chooses the
    /// format.
    pub(crate) fn check_extension(&self, to: Option<Format>, output: &Path) -> Result<(), Message> {
        let extension = output.extension().unwrap_or_default().to_string_lossy();
        let says_nothing = to.is_none() && self.engine.is_empty() && !extension.is_empty();
        if !says_nothing || Format::of_extension(&extension).next().is_some() {
            return Ok(());
        }
        let mut known: Vec<String> = Vec::new();
        for format in Format::ALL {
            for extension in format.spec().extensions {
                let extension = format!(".{extension}");
                if !known.contains(&extension) {
                    known.push(extension);
                }
            }
        }
        let known = known.join(" ");
        Err(Message::error(format!(
            "daisho writes no format with the extension \".{extension}\""
        ))
        .place(text::path(output))
        .help(format!(
            "give the output one of {known}, or say the format with --to"
        )))
    }

    /// The engines that must be able to load the output.
    pub(crate) fn engines(&self) -> Engines {
        self.engine.iter().copied().collect()
    }

    /// The format to write: that of `--to`; otherwise that of the output's extension, if the engines can read it;
    /// otherwise that of the engines; otherwise Quake's.
    pub(crate) fn format(
        &self,
        to: Option<Format>,
        output: Option<&Path>,
        inputs: &[PathBuf],
    ) -> Format {
        let engines = self.engines();
        let input = inputs.first().map(PathBuf::as_path);
        let named = || named_format(output?, input);
        let fits = |format: &Format| engines.iter().all(|it| it.profile().reads(*format));
        to.or_else(|| named().filter(fits))
            .or(common_format(engines))
            .unwrap_or(Format::Quake)
    }
}
