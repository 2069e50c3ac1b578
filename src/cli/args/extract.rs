//! `extract`

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{ExistingArgs, GlobArgs, InputArgs};

/// Write the files of paks into directories
///
/// One pak goes straight into DIR (default: a directory named as the pak is, without its
/// extension). Several paks, or any with -r, get a directory each: DIR/PATH/STEM/.
///
/// It never writes outside of that directory, whatever names the pak holds, and never through a
/// link that stands in it. A damaged entry leaves no file; it is named, and all others are
/// written.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// The directory to write into; made where it is missing [default: ./STEM]
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(help_heading = "Where it goes")]
    pub(crate) directory: Option<PathBuf>,
    /// Make all names lower case
    ///
    /// Names that become one by this are treated as duplicates.
    #[arg(long, help_heading = "Where it goes")]
    pub(crate) lowercase: bool,
    /// Extract entries whose names no file may have, too
    ///
    /// They go to _rescued/ under an escaped name. Without it they are named and skipped, and the
    /// exit status is 1.
    #[arg(long, help_heading = "Where it goes")]
    pub(crate) rescue: bool,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) existing: ExistingArgs,
}

const AFTER: &str = "\
Rules:
  Names: '\\' becomes '/'. A name that leads upwards, is absolute, or is no file's name on some
  system (a device, a control byte, a dot at the end) is refused: see --rescue.
  Duplicates: the first entry of a name, which is the one that most engines serve, gets the plain
  name; the others are put aside as NAME.dup-INDEX, and reported.
  All files are planned first. If one exists, nothing is written, all that stand in the way are
  listed, and the exit status is 2: see -f and -k.
  Each file appears whole or not at all. Paks hold no times, so none are set.

Examples:
  daisho extract pak0.pak                        everything, into pak0/
  daisho extract pak0.pak -C q/ -i '*.wav'       sounds only
  daisho extract pak0.pak -i 'maps/**' -x '*.ent'
  daisho extract -r games/ -C out/ -k            all paks below games/, what is there is kept
  daisho extract pak0.pak -n                     what would be written, and where";
