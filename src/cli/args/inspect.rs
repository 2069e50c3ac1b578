//! `list`, `info`, `verify`, `cat`, `diff`: what looks, and changes nothing.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{ExpansionArgs, GlobArgs, InputArgs};

/// The heading of how things are shown.
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
}

const LIST: &str = "\
JSON fields:
  pak, index, name, kind, offset, size, packed_size, compressed; name_hex too where the name is
  not UTF-8. Fields are only ever added.

Examples:
  daisho list pak0.pak
  daisho list pak0.pak --tree
  daisho list -r games/ -i '*.bsp'               every level below a directory
  daisho list pak0.pak --json | jq -r 'select(.compressed) | .name'";

/// Say which layout paks have and why, and what is odd in them
///
/// Entries, sizes, gaps, shared contents, and everything unusual.
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
  packed_size, warnings. Fields are only ever added.

Examples:
  daisho info pak1.pak
  daisho info -r games/ --json | jq -r 'select(.layout == \"daikatana\") | .pak'";

/// Decode everything in paks, and compare it with a snapshot
///
/// Every entry is read and decompressed as a conversion would; each damage is told with its entry
/// and byte, and makes the exit status 1.
///
/// It never writes anything but the snapshot, and never renews that unless --update says so.
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
    /// Compare the contents with this file; made where it is missing
    ///
    /// The first run makes it, and says that nothing was compared. Later ones print what differs,
    /// and any difference makes the exit status 1.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "The snapshot")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Renew the snapshot
    #[arg(long, requires = "snapshot", help_heading = "The snapshot")]
    pub(crate) update: bool,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

const VERIFY: &str = "\
Rules:
  A snapshot has a line for each entry, sorted by name: CRC-32, size, and escaped name, or
  'damaged' in the place of the CRC-32. It holds contents, not layout, so a Daikatana pak and its
  conversion satisfy the same one. With several paks a name is led by the pak's path, from the
  directory that was searched.
  With -i or -x only the entries that match are compared, or renewed.
  A file that is no snapshot is never replaced.

JSON fields:
  pak, index, name, size, crc32, status (ok, warning, damaged), problem; name_hex too where the
  name is not UTF-8. Fields are only ever added.

Examples:
  daisho verify pak0.pak
  daisho verify -r games/                        every pak below a directory
  daisho verify pak1.pak --snapshot pak1.txt     remember what is in it
  daisho verify quake1.pak --snapshot pak1.txt   prove that the conversion lost nothing";

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
    #[arg(long, value_name = "N", num_args = 1..)]
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
