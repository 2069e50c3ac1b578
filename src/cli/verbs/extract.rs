//! `extract`: writes the files of paks, or those that an engine serves, into directories.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::extract::{ExtractOptions, extract, extract_served};
use daisho::ops::row::Row;

use super::view;
use crate::cli::args::{
    EngineArgs, ExistingArgs, ExpansionArgs, GlobArgs, InputArgs, PictureArgs, SERVED, SHOWN,
};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Output;
use crate::cli::render::extract::Told;
use crate::cli::render::{Style, Work, report};

/// Write the files of paks into directories
///
/// One pak goes straight into DIR (default: a directory named as the pak is, without its
/// extension). Several paks, or any with -r, get a directory each: DIR/PATH/STEM/. Behind a pak,
/// names pick entries, as tar and unzip take them: 'daisho extract pak0.pak maps/e1m1.bsp'.
///
/// It never writes outside of that directory, whatever names the pak holds, and never through a
/// link that stands in it. A damaged entry leaves no file; it is named, and all others are
/// written.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = USAGE)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// The directory to write into; made where it is missing [default: ./STEM]
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "Where it goes")]
    pub(crate) directory: Option<PathBuf>,
    /// Make all names lower case
    ///
    /// Names that become one by this are treated as duplicates; of what an engine serves, one is
    /// taken.
    #[arg(long, help_heading = "Where it goes")]
    pub(crate) lowercase: bool,
    /// Put all files into DIR itself, without the directories in their names
    ///
    /// The first file of a name gets it. Others are put aside as duplicates are; they are counted, and -v
    /// names them.
    #[arg(long, requires = "directory", conflicts_with = "effective")]
    #[arg(help_heading = "Where it goes")]
    pub(crate) flat: bool,
    /// Extract entries whose names no file may have, too
    ///
    /// They go to _rescued/ under an escaped name. Without it they are named and skipped, and the
    /// exit status is 1.
    #[arg(long, help_heading = "Where it goes")]
    pub(crate) rescue: bool,
    /// Write pictures as PNG, named as they are with .png behind that; everything else as it is
    ///
    /// What is a picture its name says: .wal, .lmp, .mip, .pcx, .tga, .bmp, .spr, .m8, .m32,
    /// .swl. PNG and JPEG stay as they are. A picture that cannot be decoded is named, and the exit
    /// status is 1.
    #[arg(long = "as", value_name = "png", help_heading = "Pictures")]
    pub(crate) format: Option<PictureFormat>,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    /// Extract what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is taken that the engine serves from the paks, as 'daisho list --effective' shows it;
    /// all go straight into DIR, which must be given. Of names that the engine takes for one, or
    /// that --lowercase makes one, one is taken, and the others are reported.
    #[arg(long, conflicts_with = "recursive", requires = "directory", help_heading = SERVED)]
    pub(crate) effective: bool,
    /// Copy loose files, too, where they are served; they can shadow those in paks
    #[arg(long, requires = "effective", help_heading = SERVED, hide_short_help = true)]
    pub(crate) loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) existing: ExistingArgs,
    /// Print a row of JSON for each file: what became of it, and where it is
    #[arg(long, help_heading = SHOWN, hide_short_help = true)]
    pub(crate) json: bool,
}

/// What pictures become.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Portable Network Graphics
    Png,
}

impl ExtractArgs {
    /// Refuses options of pictures where these stay as they are.
    pub(crate) fn check(&self) -> Result<(), Message> {
        if self.pictures.is_given() && self.format.is_none() {
            return Err(
                Message::error("these options are about pictures that are decoded")
                    .help("give --as png as well, or try '--help'"),
            );
        }
        self.engine.check(self.effective)
    }
}

const USAGE: &str = "\
daisho extract [OPTIONS] PAK [PAK|NAME]...
       daisho extract [OPTIONS] PATH...";

const AFTER: &str = "\
Rules:
  The first argument is an archive. Each one after it is an archive if it is a file that begins
  as one, and else the name of an entry or a folder, or a glob. With -r or --files-from all are
  paths. ASCII case and the kind of slash make no difference, and -x wins. A name that matches no
  entry is refused before anything is written.
  Archives that would share a directory, such as pak0.pak and pak0.bak, get directories of their
  whole names, except for one of them. Two of the same name are refused: use a -C for each.
  Names: '\\' becomes '/'. A name that leads upwards, is absolute, or is not allowed on some system
  (a device, a control byte, a dot at the end) is skipped: see --rescue.
  Duplicates: the first entry of a name gets the plain name, the others are put aside as
  NAME.dup-INDEX. Names that differ only in ASCII case are duplicates. A file whose name is also
  a directory ('a' and 'a/b') is put aside as a.dup-INDEX.
  No link below DIR is followed; -f replaces a link itself.
  All files are planned first. If one exists (without -f or -k), nothing is written and the exit
  status is 2. Directories, pipes and sources are never replaced.
  Each file appears whole or not at all. Paks hold no times and no permissions, so none are set.

Words of the summary:
  replaced     a file existed, and -f was given
  put aside    a duplicate, written as NAME.dup-INDEX
  kept         a file existed, and -k was given
  skipped      no file may have such a name; --rescue writes it
  failed       damaged, or could not be written; the errors say why
  not reached  the run was stopped before it

Examples:
  daisho extract pak0.pak                        everything, into pak0/
  daisho extract pak0.pak maps/e1m1.bsp sound    one file, and all below sound/
  daisho extract pak0.pak -C q/ -i '*.wav'       sounds only
  daisho extract -r games/ -i '*.wav' --flat -C sounds/
                                                 all sounds, in one directory
  daisho extract pak0.pak -C look --as png -i 'pics/'
                                                 pictures, to look at
  daisho extract pak0.pak -n                     what would be written, and where
  daisho extract --effective id1 mymod -C all/   what a mod is played with";

pub(super) fn run(mut args: ExtractArgs, global: &Global) -> Result<Exit, Refusal> {
    let selection = match args.effective {
        true => args.globs.selection()?,
        false => args.inputs.selection(&args.globs, &global.context())?,
    };
    let (search, paths) = (args.inputs.search(), args.inputs.paths);
    let options = ExtractOptions {
        search,
        directory: args.directory,
        selection,
        existing: args.existing.existing(),
        dry_run: args.existing.dry_run,
        lowercase: args.lowercase,
        rescue: args.rescue,
        flat: args.flat,
        pictures: args
            .format
            .map(|PictureFormat::Png| args.pictures.options()),
        max_expansion: args.expansion.max_expansion,
    };
    let style = Style::new(args.json, Work::Writes);
    let mut told = Told::new(options.dry_run, args.json, global);
    let show = |out: &mut Output, row: Row| told.row(out, &row);
    let (exit, summary) = if args.effective {
        let view = view::open(&paths, args.engine.engine, global)?;
        report(global, style, show, |rows| {
            global.observe(|context| extract_served(context, &view, args.loose, &options, rows))
        })
    } else {
        report(global, style, show, |rows| {
            global.observe(|context| extract(context, &paths, &options, rows))
        })
    };
    if summary.is_some() {
        told.end();
    }
    Ok(exit)
}
