//! `list`, `info`, `verify`, `cat`, `diff`, `which`: the verbs that only read.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{EngineArgs, ExpansionArgs, GlobArgs, InputArgs, SERVED, number};
use crate::cli::message::Message;

/// The help heading of options about how things are shown.
const SHOWN: &str = "How it is shown";

/// Show what is in paks
///
/// One line for each entry, in the order of the directory: its number, counted from 0, its size,
/// what it takes in the pak ('-' where that is the same, and no column where it always is), its
/// kind, and its name, escaped.
///
/// It never decompresses anything and never writes a file: see 'daisho verify' for whether the
/// entries are sound.
#[derive(Debug, Args)]
#[command(after_long_help = LIST)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
    /// As a tree of directories
    #[arg(long, conflicts_with = "json", help_heading = SHOWN)]
    pub(crate) tree: bool,
    /// List what an engine serves from a game's directories
    ///
    /// PATHs are directories such as id1, the base first and mods after it. Of each name only the
    /// copy is listed that the engine serves. Paks that it never loads are reported, and with -v the
    /// order in which the others load.
    #[arg(long, conflicts_with_all = ["recursive", "tree"], help_heading = SERVED)]
    pub(crate) effective: bool,
    /// Take loose files in, too, which can shadow those in paks
    #[arg(long, requires = "effective", help_heading = SERVED)]
    pub(crate) loose: bool,
    #[command(flatten, next_help_heading = SERVED)]
    pub(crate) engine: EngineArgs,
}

const LIST: &str = "\
JSON fields:
  pak, index, name, kind, offset, size, packed_size, compressed; name_hex too where the name is
  not UTF-8. Of a loose file: file, name, kind, size. Fields are only ever added.

Examples:
  daisho list pak0.pak
  daisho list pak0.pak --tree
  daisho list -r games/ -i '*.bsp'               every level below a directory
  daisho list pak0.pak --json | jq -r 'select(.compressed) | .name'
  daisho list --effective id1 hipnotic --engine quakespasm
                                                 what the game is played with";

/// Say which layout paks have and why, which engines load them, and what is odd
///
/// Entries, sizes, gaps, shared contents, everything unusual, and for each engine whether it loads
/// the pak and if not, why.
///
/// It never decompresses anything and never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = INFO)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
}

const INFO: &str = "\
JSON fields:
  pak, layout (quake, daikatana), why (a list of sentences), entries, compressed, size,
  packed_size, warnings, engines (a list of engine, loads, outcome, why). Fields are only ever added.

Examples:
  daisho info pak1.pak
  daisho info -r games/ --json | jq -r 'select(.layout == \"daikatana\") | .pak'";

/// Decode everything in paks, and compare it with a snapshot
///
/// Every entry is read and decompressed as a conversion would; each damage is reported with its
/// entry and byte, and makes the exit status 1.
///
/// It never writes anything but the snapshot, and that only where --update says so.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
    /// Compare the contents with this file, which --update makes
    ///
    /// What differs is printed, and makes the exit status 1. A file that is missing is an error: else a
    /// wrong name, or a snapshot that is lost, would look like a success.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "The snapshot")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Make the snapshot, or renew it
    ///
    /// Neither is done where an input could not be read.
    #[arg(long, requires = "snapshot", help_heading = "The snapshot")]
    pub(crate) update: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

const VERIFY: &str = "\
Rules:
  A snapshot has a line for each entry, sorted by name: CRC-32, size, and escaped name, or
  'damaged' in the place of the CRC-32. It holds contents, not layout, so a Daikatana pak and its
  conversion satisfy the same one. Unless one file is named, each name is led by the pak's path,
  from the directory that was searched.
  With -i or -x only the entries that match are compared, or renewed.
  A file that is no snapshot is never replaced.
  A search with -r warns of what is named like a pak and is none. Where the snapshot has entries
  of it, that is an error.

JSON fields:
  pak, index, name, size, crc32, status (ok, warning, damaged), problem; name_hex too where the
  name is not UTF-8. Fields are only ever added.

Examples:
  daisho verify pak0.pak
  daisho verify -r games/                        every pak below a directory
  daisho verify pak1.pak --snapshot pak1.txt --update   remember what is in it
  daisho verify quake1.pak --snapshot pak1.txt          prove that the conversion lost nothing";

/// Write entries of a pak to standard output
///
/// One after another, in the order given, decompressed, byte for byte.
///
/// It never prints binary to a terminal.
#[derive(Debug, Args)]
#[command(after_long_help = CAT, override_usage = CAT_USAGE)]
pub(crate) struct CatArgs {
    /// The pak
    #[arg(value_name = "PAK", value_hint = ValueHint::FilePath)]
    pub(crate) pak: PathBuf,
    /// An entry's name
    #[arg(
        value_name = "NAME",
        required_unless_present = "index",
        conflicts_with = "index"
    )]
    pub(crate) names: Vec<OsString>,
    /// Entries by their numbers, counted from 0, as 'daisho list' shows them
    #[arg(long, value_name = "N", num_args = 1.., value_parser = number::<usize>)]
    pub(crate) index: Vec<usize>,
}

const CAT_USAGE: &str = "\
daisho cat [OPTIONS] PAK NAME...
       daisho cat [OPTIONS] PAK --index N...";

const CAT: &str = "\
Rules:
  Of several entries of one name the first is meant, which is the one that most engines serve;
  --index reaches the others. Where no entry has exactly this name, the first is meant that has
  it in another case or with the other slash; then the one that 'daisho list' shows so, escaped.
  A damaged entry is written up to the damage, the others follow, and the exit status is 1.

Examples:
  daisho cat pak0.pak default.cfg
  daisho cat pak0.pak maps/e1m1.bsp > e1m1.bsp
  daisho cat pak0.pak --index 0 7 | sha256sum";

/// Compare two paks by what is in them
///
/// Contents are compared decompressed and by name, so paks of different layouts can be alike.
/// What was added, removed, changed, or moved to another place in the order is printed, and makes
/// the exit status 1.
///
/// It never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = DIFF)]
pub(crate) struct DiffArgs {
    /// The pak to compare
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub(crate) a: PathBuf,
    /// The pak to compare it with
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub(crate) b: PathBuf,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

const DIFF: &str = "\
Rules:
  First what A has, in its order, then what only B has. Entries of one name are compared in order,
  the first with the first. An entry that is damaged in one pak only has changed.

JSON fields:
  name, change (added, removed, changed, moved); name_hex too where the name is not UTF-8.
  Fields are only ever added.

Examples:
  daisho diff pak1.pak quake1.pak                silence: the conversion lost nothing
  daisho diff old.pak new.pak --json";

/// Say which copy of a file an engine serves
///
/// GAMEDIRs are directories such as id1, the base first and mods after it. Over all their paks
/// and loose files, the copy is printed that the engine serves under NAME, then those that it
/// shadows, in the order in which they would take its place. Paks that the engine never loads are
/// reported, with the reason; -v shows the order in which the others load.
///
/// It never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = WHICH, override_usage = WHICH_USAGE)]
pub(crate) struct WhichArgs {
    /// A game's directories, the base first, and after them a name, as the game asks for it
    #[arg(value_name = "GAMEDIR... NAME", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) words: Vec<OsString>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
}

const WHICH_USAGE: &str = "daisho which [OPTIONS] GAMEDIR... NAME";

const WHICH: &str = "\
Rules:
  Names are compared as the engine does: with case or without, and '\\', './', '//' or a leading
  '/' as it takes them. File names are seen as on a file system that tells cases apart: an engine
  that asks for pak0.pak never loads PAK0.PAK.
  A later directory goes before an earlier one, and a later pak of a directory before an earlier
  one. Which paks load, and whether loose files go before those of their directory or after, is
  the engine's rule. An engine's own pak is seen where it lies beside the first directory.
  Archives other than paks (pk3, pkz) are not read; a warning says where there are some.
  Where nothing is served, the exit status is 1.

JSON fields:
  served (true for the first), pak, index, name, size; name_hex too where the name is not UTF-8.
  Of a loose file: served, file, name, size. Fields are only ever added.

Examples:
  daisho which id1 maps/start.bsp
  daisho which id1 hipnotic progs.dat --engine quakespasm
  daisho which baseq2 mymod pics/colormap.pcx --engine q2pro -v";

impl WhichArgs {
    /// The directories and the name; clap cannot tell them apart where an option stands between.
    pub(crate) fn split(&self) -> Option<(Vec<PathBuf>, &OsString)> {
        let (name, folders) = self.words.split_last()?;
        let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
        (!folders.is_empty()).then_some((folders, name))
    }

    /// Refuses a name without a directory, or the other way round.
    pub(super) fn check(&self) -> Result<(), Message> {
        match self.split() {
            Some(_) => Ok(()),
            None => Err(Message::error("which takes a game's directory and a name")
                .help("give both, as in daisho which id1 progs.dat, or try '--help'")),
        }
    }
}
