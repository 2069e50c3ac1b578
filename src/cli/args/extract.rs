//! `extract`

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{
    EngineArgs, ExistingArgs, ExpansionArgs, GlobArgs, InputArgs, SERVED, SyncArgs,
};

/// Write the files of paks into directories
///
/// One pak goes straight into DIR (default: a directory named as the pak is, without its
/// extension). Several paks, or any with -r, get a directory each: DIR/PATH/STEM/. After one pak,
/// names pick entries of it, as tar and unzip take them: 'daisho extract pak0.pak maps/e1m1.bsp'.
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
    /// Extract entries whose names no file may have, too
    ///
    /// They go to _rescued/ under an escaped name. Without it they are named and skipped, and the
    /// exit status is 1.
    #[arg(long, help_heading = "Where it goes")]
    pub(crate) rescue: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    #[command(flatten)]
    pub(crate) sync: SyncArgs,
    /// Extract what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is taken that the engine serves from the paks, as 'daisho list --effective' shows it;
    /// all go straight into DIR, which must be given. Of names that the engine takes for one, or
    /// that --lowercase makes one, one is taken, and the others are reported.
    #[arg(long, conflicts_with = "recursive", requires = "directory", help_heading = SERVED)]
    pub(crate) effective: bool,
    /// Copy loose files, too, where they are served; they can shadow those in paks
    #[arg(long, requires = "effective", help_heading = SERVED)]
    pub(crate) loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) existing: ExistingArgs,
}

const USAGE: &str = "\
daisho extract [OPTIONS] PAK [NAME]...
       daisho extract [OPTIONS] PATH...";

const AFTER: &str = "\
Rules:
  What stands after one pak is another pak where it begins as one (or with -r a directory). If
  none of it is, it is names, even if there are files of these names here: each picks the entry of
  this whole name, or all in the directory of this name; one with '*', '?', '[' or '{' is a glob
  as well, as with -i. ASCII case and the kind of slash make no difference, and -x wins. A name
  that no entry has, and an argument that is missing, are refused before anything is written, with
  what was probably meant, and the exit status is 2.
  Paks that would share a directory, as pak0.pak and pak0.bak do: one without an extension gets
  STEM/, or else the one called .pak, or the first; the others get directories of their whole
  names, as pak0.bak/, and a warning. Paks of one whole name from different places are refused:
  extract each with a -C of its own.
  With --effective all paks share DIR. Of names that are two to the engine and one as a path
  ('d\\e' and 'd/e'), the one that is spelled as the path gets it, and the other is put aside.
  Names: '\\' becomes '/'. A name that leads upwards, is absolute, or is no file's name on some
  system (a device, a control byte, a dot at the end) is reported and skipped: see --rescue.
  Duplicates: the first entry of a name, which is the one that most engines serve, gets the plain
  name; the others are put aside as NAME.dup-INDEX, and reported. INDEX counts from 0, as
  everywhere. Where that is the name of another entry, it is NAME.dup-INDEX-2, and so on.
  A file against a directory ('a' and 'a/b'): the file is put aside as a.dup-INDEX, whichever of
  the two comes first.
  Names that differ in case alone, or in Unicode's form alone: each gets its own file where the
  file system tells them apart; where it does not, the later ones are put aside in the same way.
  Links: DIR itself may be one. Below it none is followed; -f replaces a link itself.
  All files are planned first. If one exists, nothing is written, all that stand in the way are
  listed, and the exit status is 2: see -f and -k. Directories, pipes and sources are in the way
  even then. So are two paks that would write to one place. What appears later, while files are
  written, is treated alike: -k keeps it, -f replaces it, and without them that file fails by name.
  --max-expansion: a shared payload counts once for each name that gets a file. Files that -k
  keeps and entries that -i and -x leave out do not count.
  Each file appears whole or not at all. Paks hold no times and no rights, so none are set.

Examples:
  daisho extract pak0.pak                        everything, into pak0/
  daisho extract pak0.pak maps/e1m1.bsp sound    one file, and all below sound/
  daisho extract pak0.pak -C q/ -i '*.wav'       sounds only
  daisho extract pak0.pak -i 'maps/**' -x '*.ent'
  daisho extract -r games/ -C out/ -k            all paks below games/, what is there is kept
  daisho extract pak0.pak -n                     what would be written, and where
  daisho extract --effective id1 mymod -C all/   what a mod is played with";
