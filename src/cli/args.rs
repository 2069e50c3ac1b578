//! Arguments that several verbs have, and what they mean to an operation. Nothing here acts.

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
use daisho::ops::source::{Search, Selection, arguments};
use daisho::ops::write::{Rules, common_format, named_format};

use super::complete;
use super::message::Message;
use super::path_list;
use super::text;
use super::values::{
    AUTO, LayoutOrAuto, ReservedOrAuto, When, engine, engines, is_standard, layout_or_auto, number,
    parse_count, parse_jobs, parse_size,
};

/// The help heading of options about a game's directories.
pub(crate) const SERVED: &str = "What an engine serves";
/// The help heading of options about how things are shown.
pub(crate) const SHOWN: &str = "How it is shown";
/// The help heading of global options.
const GLOBAL: &str = "Global options";
/// What every verb takes.
#[derive(Debug, Args)]
pub(crate) struct GlobalArgs {
    /// How many threads work [default: all cores, or DAISHO_JOBS]
    ///
    /// Output and reports are the same for every number.
    #[arg(short, long, value_name = "N", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    #[arg(value_parser = parse_jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Print neither warnings, nor summaries, nor progress
    ///
    /// Errors are always printed.
    #[arg(short, long, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL, overrides_with = "quiet")]
    pub(crate) quiet: bool,
    /// Print more of what is done and why, and each of many messages of a kind
    #[arg(short, long, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL, overrides_with = "verbose")]
    pub(crate) verbose: bool,
    /// Read every pak in this layout
    ///
    /// By default each pak's layout is found out from the evidence in it; 'daisho info' shows
    /// that evidence.
    #[arg(long, value_name = "LAYOUT", default_value = AUTO, global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    #[arg(value_parser = layout_or_auto())]
    pub(crate) layout: LayoutOrAuto,
    /// How to read the control byte 0xfe in compressed files
    ///
    /// The game skips it; one packer means a copy of 64 bytes by it. 'auto' finds out which of the two
    /// fits the streams of the whole pak, and says what it found; a bare stream is read with
    /// the byte skipped.
    #[arg(long, value_name = "HOW", default_value = "auto", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    pub(crate) reserved: ReservedOrAuto,
    /// When to colour messages
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    pub(crate) color: When,
    /// When to draw progress bars
    ///
    /// 'auto' draws them where standard error is a terminal, once something takes longer than
    /// half a second.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, hide_short_help = true, hide_long_help = true, help_heading = GLOBAL)]
    pub(crate) progress: When,
}

/// The paks that are meant.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// An archive, or with -r a directory to search for archives; '-' is standard input
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    #[arg(value_hint = ValueHint::AnyPath, add = ArgValueCompleter::new(complete::paths_and_names))]
    pub(crate) paths: Vec<PathBuf>,
    /// Search directories for paks
    ///
    /// Paks are known by how they begin, not by their extension, and taken in the order of their
    /// names. Files that are no pak are passed over, and ZIPs that are programs, books or office
    /// files; those with a pak's name with a warning. Links to directories are not followed.
    /// Archives within the archives that are found are searched as well, one level deep: mods travel as a
    /// ZIP that holds id1/pak0.pak. One that is deeper can be named: mod.zip//id1/pak0.pak.
    #[arg(short, long)]
    pub(crate) recursive: bool,
    #[command(flatten)]
    pub(crate) list: PathListArgs,
}

impl InputArgs {
    /// Where archives are looked for besides those that are named.
    pub(crate) fn search(&self) -> Search {
        Search {
            directories: self.recursive,
            listed: self.list.is_given(),
        }
    }

    /// Whether there are several archives, or may be.
    pub(crate) fn is_several(&self) -> bool {
        self.recursive || self.list.is_given() || self.paths.len() > 1
    }

    /// Takes the names of entries out of the paths, and returns what they and the globs select. With `-r`
    /// or `--files-from` all arguments are paths.
    pub(crate) fn selection(
        &mut self,
        globs: &GlobArgs,
        context: &Context<'_>,
    ) -> Result<Selection, Finding> {
        let selection = globs.selection()?;
        if self.recursive || self.list.is_given() {
            return Ok(selection);
        }
        let (paths, names) = arguments(context, &self.paths);
        self.paths = paths;
        let names = names.iter().map(|name| name.as_os_str().as_encoded_bytes());
        Ok(selection.with_names(names))
    }

    /// Adds the paths of the list that was given.
    pub(crate) fn complete(&mut self) -> Result<(), Message> {
        self.list.complete(&mut self.paths)?;
        let standard = self.paths.iter().filter(|path| is_standard(path)).count();
        if standard + usize::from(self.list.is_standard_input()) < 2 {
            return Ok(());
        }
        Err(Message::error("standard input is to be read twice")
            .help("name it once: as an archive, or as the list of --files-from"))
    }
}

/// More paths, out of a list.
#[derive(Debug, Args)]
pub(crate) struct PathListArgs {
    /// Also read paths from FILE, one per line; '-' is standard input
    ///
    /// The list is read to its end before anything is done. Lines end in LF or CR LF, or in NUL bytes if the
    /// list has one, as find -print0 writes them. Empty lines are skipped; a list without a path is refused. Paths are relative to the current directory. Each
    /// counts as one of several, even if it is alone, and below an output directory it keeps its own way,
    /// as games/a/pak0.pak does: so lists that share a collection among many runs come out as in one.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    files_from: Option<PathBuf>,
}

impl PathListArgs {
    /// Where directories of files are searched whose paths may come from this list.
    pub(crate) fn search(&self) -> Search {
        Search {
            listed: self.is_given(),
            ..Search::default()
        }
    }

    /// Whether there is a list.
    pub(crate) const fn is_given(&self) -> bool {
        self.files_from.is_some()
    }

    fn is_standard_input(&self) -> bool {
        self.files_from.as_deref().is_some_and(is_standard)
    }

    /// Adds the paths of the list.
    pub(crate) fn complete(&self, paths: &mut Vec<PathBuf>) -> Result<(), Message> {
        if let Some(file) = &self.files_from {
            paths.extend(path_list::read(file)?);
        }
        Ok(())
    }
}

/// The entries that are meant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which entries")]
pub(crate) struct GlobArgs {
    /// Only entries that match; may be given more than once
    ///
    /// A glob without '/' is about the last part of the name, wherever it stands; one with '/' is
    /// about the whole name. '*' does not cross a '/', '**' does, and 'maps/' means all in that folder. ASCII
    /// case is ignored. A glob that matches nothing makes the exit status 1.
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// No entries that match; may be given more than once
    ///
    /// It wins over -i.
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
}

impl GlobArgs {
    /// The entries that the globs select.
    pub(crate) fn selection(&self) -> Result<Selection, Finding> {
        Selection::new(&self.include, &self.exclude)
    }
}

/// How pictures are decoded.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// A game's directory or archive, for the palettes in it; may be given more than once
    ///
    /// A picture without a palette of its own is drawn with that of its archive, of those beside it that
    /// are read, or else of these, as the game finds it: gfx/palette.lmp for Quake and Hexen II,
    /// pics/colormap.pcx for Quake II, textures/LEVEL/colormap.bmp for Daikatana. None is built in.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, hide_short_help = true)]
    game: Vec<PathBuf>,
    /// Draw with the palette of this file what has none of its own
    ///
    /// 768 bytes of colours, a PCX or BMP, a texture that has one, or a list as GIMP and Paint Shop Pro
    /// write it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    palette: Option<PathBuf>,
    /// All frames of a sprite, sizes of a texture and textures of a map, beside each other
    #[arg(long, hide_short_help = true)]
    frames: bool,
    /// The most pixels of a picture, with K, M or G [default: 64M]
    #[arg(long, value_name = "N", value_parser = parse_size, hide_short_help = true)]
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

    /// Whether one of them is given.
    pub(crate) fn is_given(&self) -> bool {
        self.frames || self.max_pixels.is_some() || self.palette.is_some() || !self.game.is_empty()
    }
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
    #[arg(long, value_name = "N", value_parser = number::<u64>, hide_short_help = true)]
    pub(crate) max_expansion: Option<u64>,
}

/// The engine that is meant.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The engine whose rules hold [default: quake, or daikatana where most paks are Daikatana's]
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true)]
    pub(crate) engine: Option<Engine>,
}

impl EngineArgs {
    /// Refuses an engine that would say nothing, because not what it serves is asked for.
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

const WRITE_FOR: &str = "\
Write for this engine, or for several, with commas between them

The output is what all of them load: a format that all read, the smallest of their limits, names \
that are one to any of them kept together, and parts of a split that each loads in their order; where \
that cannot be, it is refused, and the rules that collide are named. What an engine never finds, finds \
only as it is spelled, or serves otherwise than the others, is reported. 'daisho info FILE --engine' \
checks an archive that is there.";

/// A help text with the words that stand for engines.
pub(crate) fn with_engines(help: &str) -> String {
    let engines: Vec<&str> = Engine::ALL.into_iter().map(Engine::name).collect();
    let families = Engines::FAMILIES.map(|(word, _)| word).join(", ");
    let engines = engines.join(", ");
    format!("{help}\n\nENGINE: {engines}; {families} are all of a family.")
}

/// What outputs have to keep to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engines, limits, names")]
pub(crate) struct RuleArgs {
    /// Write for this engine, or for several (A,B), split where it must be
    #[arg(long, value_name = "ENGINE", value_parser = engines(), ignore_case = true)]
    #[arg(value_delimiter = ',', hide_possible_values = true, long_help = with_engines(WRITE_FOR))]
    pub(crate) engine: Vec<Engines>,
    /// Split what would be longer than this, the whole file counted
    ///
    /// In bytes, or with a unit: 650M or 650MiB are 650 x 1024 x 1024 of them, 650MB are 650 million, and
    /// 1.5G is as good; K and G likewise. To Daikatana's layout the sizes of stored files are counted, because what compression
    /// saves is known too late: parts can be smaller than they might be.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_size: Option<u64>,
    /// Split what would have more entries than this
    #[arg(long, value_name = "N", value_parser = parse_count, hide_short_help = true)]
    pub(crate) max_entries: Option<NonZeroU64>,
    /// Deflate at this level, 0 to 9, into a ZIP
    ///
    /// 0 stores every file, 9 takes the longest. Without it, payloads of ZIPs that are sound pass on as
    /// they are, and the others are deflated at level 3; with it all of them are deflated anew.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9), help_heading = None)]
    pub(crate) level: Option<u8>,
    /// Write names in lower case, and '/' for '\', as most games ask for them
    ///
    /// An engine to which case matters finds a name only as it is spelled: leave the names of a game
    /// or mod alone that asks for them so, such as progs/Player.mdl. Entries whose names become the
    /// same are reported, and all of them stay; but of what an engine serves, one is taken.
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

    /// Says so where a level means nothing to the format.
    pub(crate) fn remark(&self, to: Format) -> Option<Message> {
        let deflates = to.spec().coding == Some(Coding::Deflate);
        let means_nothing = self.level.is_some() && !deflates;
        let words = format!("--level means nothing here: only ZIPs are deflated, and this is {to}");
        means_nothing.then(|| Message::warning(words))
    }

    /// Refuses an output whose extension belongs to no format that is written, unless `--to` or
    /// `--engine` says the format.
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
            "no format that is written has the extension \".{extension}\""
        ))
        .place(text::path(output))
        .help(format!(
            "give the output one of {known}, or say the format with --to"
        )))
    }

    /// The engines that are to load what is written.
    pub(crate) fn engines(&self) -> Engines {
        self.engine.iter().copied().collect()
    }

    /// The format to write: that of `--to`, or what the output's extension says where the engines read
    /// that, or theirs, or Quake's.
    pub(crate) fn layout(
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
