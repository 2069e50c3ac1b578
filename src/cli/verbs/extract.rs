//! `extract`: writes the files of archives into directories, or only the files that an engine serves.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::extract::{ExtractOptions, extract, extract_served};
use daisho::ops::row::Row;

use super::view;
use crate::cli::args::{
    EngineArgs, ExistingArgs, ExpansionArgs, GlobArgs, InputArgs, PictureArgs, SERVED,
};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Stdout;
use crate::cli::render::extract::Told;
use crate::cli::render::{Action, report};

/// Extract files from archives
///
/// A single archive is extracted into DIR, or ./STEM by default; several archives into DIR/PATH/STEM.
/// Nothing is written outside of that directory, whatever names the archive has. Damaged entries are
/// reported, and all others are written.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Extract into DIR, which is created if necessary [default: ./STEM]
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "Output")]
    pub(crate) directory: Option<PathBuf>,
    /// Make all names lower case
    #[arg(long, help_heading = "Output")]
    pub(crate) lowercase: bool,
    /// Put all files into DIR itself, without folders
    ///
    /// If several files have the same name, the first one gets it; the others become NAME.dup-INDEX.
    #[arg(long, requires = "directory", conflicts_with = "effective")]
    #[arg(help_heading = "Output")]
    pub(crate) flat: bool,
    /// Also extract entries whose names are not allowed, into _rescued/
    #[arg(long, help_heading = "Output")]
    pub(crate) rescue: bool,
    /// Write pictures as PNG, with .png added to their names
    ///
    /// Pictures are .wal, .lmp, .mip, .pcx, .tga, .bmp, .spr, .m8, .m32 and .swl. Other files are written as
    /// they are.
    #[arg(long, help_heading = "Pictures")]
    pub(crate) png: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    /// Find the files of a ZIP that was cut short (exit status 1)
    #[arg(long, conflicts_with = "effective")]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    /// Extract a game as its engine sees it
    ///
    /// PATHs are the directories of a game, the base first. daisho extracts the copy of each file that the
    /// engine would use.
    #[arg(long, requires = "directory", help_heading = SERVED)]
    pub(crate) effective: bool,
    /// Include files outside of archives, as the engine does
    #[arg(long, requires = "effective", help_heading = SERVED, hide_short_help = true)]
    pub(crate) loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) existing: ExistingArgs,
}

impl ExtractArgs {
    /// Refuses options about pictures if pictures are not decoded.
    pub(crate) fn check(&self) -> Result<(), Message> {
        if self.pictures.is_given() && !self.png {
            return Err(
                Message::error("these options are about pictures that are decoded")
                    .help("give --png as well, or try '--help'"),
            );
        }
        self.engine.check(self.effective)
    }
}

const USAGE: &str = "\
daisho extract [OPTIONS] PATH... [NAME|GLOB]...";

const AFTER: &str = "\
Rules:
  After the first archive, an argument that is not an archive is the name of an
  entry, a folder, or a pattern. A name that matches nothing is refused.
  If two archives would share a directory (pak0.pak and pak0.bak), one of the
  directories gets the whole file name of its archive.
  '\\' in a name becomes '/'. An entry is skipped if its name leads upwards, is
  absolute, or is not allowed on some system; see --rescue.
  If several entries have the same name, the first one gets it. The others
  become NAME.dup-INDEX, and so do entries whose names differ only in case, and
  files whose name is also a folder.
  Links inside DIR are not followed; -f replaces the link itself.
  All files are planned first. If one exists and neither -f nor -k is given,
  nothing is written and the exit status is 2.

Summary:
  replaced     a file existed, and -f was given
  put aside    a duplicate, written as NAME.dup-INDEX
  kept         a file existed, and -k was given
  skipped      its name is not allowed; --rescue writes it
  failed       damaged, or could not be written
  not reached  the run was stopped before

Examples:
  daisho extract pak0.pak                       everything, into pak0/
  daisho extract pak0.pak maps/e1m1.bsp sound/  a file and a folder
  daisho extract pak0.pak -C q/ '*.wav'         sounds only
  daisho extract games/ -i '*.wav' --flat -C sounds/
                                                all sounds in one directory
  daisho extract pak0.pak -C look --png pics/   pictures as PNG
  daisho extract pak0.pak -n                    what would be written, and where
  daisho extract --effective id1 mymod -C all/  a mod as it is played";

pub(super) fn run(mut args: ExtractArgs, global: &Global) -> Result<Exit, Refusal> {
    let selection = match args.effective {
        true => args.globs.selection()?,
        false => args.inputs.selection(&args.globs, &global.context())?,
    };
    let (listed, paths) = (args.inputs.list.is_given(), args.inputs.paths);
    let options = ExtractOptions {
        listed,
        directory: args.directory,
        selection,
        existing: args.existing.existing(),
        dry_run: args.existing.dry_run,
        lowercase: args.lowercase,
        rescue: args.rescue,
        flat: args.flat,
        pictures: args.png.then(|| args.pictures.options()),
        max_expansion: args.expansion.max_expansion,
    };
    let mut told = Told::new(options.dry_run, global);
    let show = |out: &mut Stdout, row: Row| told.row(out, &row);
    let ended = if args.effective {
        let view = view::open(&paths, args.engine.engine, args.loose, global)?;
        report(global, Action::Writes, show, |context, rows| {
            extract_served(context, &view, &options, rows)
        })
    } else {
        report(global, Action::Writes, show, |context, rows| {
            extract(context, &paths, &options, rows)
        })
    };
    if ended.summary.is_some() {
        return Ok(told.end().and(ended.exit));
    }
    Ok(ended.exit)
}
