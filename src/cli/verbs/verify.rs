//! `verify`: decodes everything in archives, and compares it with a snapshot.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::read::identity::KnownArchives;
use daisho::ops::read::verify::{VerifyOptions, verify};
use daisho::ops::snapshot::Hash;
use daisho::ops::snapshot::SnapshotOptions;

use crate::cli::args::{ExpansionArgs, GlobArgs, InputArgs};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::render::verify::VerifyLines;
use crate::cli::render::{Action, report};
use crate::cli::signals;

/// Check that every entry can be decoded
///
/// Every entry is decoded, and its checksum is compared if the archive has one. Damage is reported with
/// the entry and the byte, and the exit status is 1. With --snapshot, contents are also compared with
/// the recorded ones.
#[derive(Debug, Args)]
#[command(after_long_help = VERIFY, override_usage = "daisho verify [OPTIONS] PATH... [NAME|GLOB]...")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// Compare the contents with those recorded in FILE
    ///
    /// A missing FILE is an error; --update creates it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Snapshot")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Create or update the snapshot
    ///
    /// Damaged entries and unreadable archives are recorded (exit status 1).
    #[arg(long, requires = "snapshot", help_heading = "Snapshot")]
    pub(crate) update: bool,
    /// The checksum in a new snapshot [default: crc32]
    ///
    /// crc32 finds accidents; sha256 also finds deliberate changes, and takes longer.
    #[arg(long, value_name = "HASH", value_parser = hash(), help_heading = "Snapshot")]
    pub(crate) hash: Option<Hash>,
    /// Look up the identity of each archive in FILE, as info --known does
    ///
    /// An archive has no identity if it is damaged, or if only some of its entries are verified.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide = true)]
    pub(crate) known: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

/// Parses the word for a hash.
fn hash() -> impl TypedValueParser<Value = Hash> {
    let words = PossibleValuesParser::new(Hash::ALL.map(Hash::as_str));
    let found = |word: String| Hash::ALL.into_iter().find(|hash| hash.as_str() == word);
    words.try_map(move |word| found(word).ok_or("no such hash"))
}

const VERIFY: &str = "\
Rules:
  A snapshot has a line for each entry, sorted by name: checksum, size, name.
  It records contents, not formats: a pak, its conversion and its PK3 match
  the same snapshot. With several archives, each name begins with the
  archive's path. Instead of a checksum, 'damaged' marks a damaged entry, and
  'unreadable' an archive that cannot be read as a whole; the snapshot keeps
  the lines of its entries.
  Differences are missing, new, changed, or renamed (same content, other
  name), and archives that became unreadable or readable.
  With names, -i or -x, only matching entries are compared or updated.
  --known FILE looks the archives up in a table of identities. 'daisho help
  snapshots' says more.

JSON fields:
  archive, index, name, size, crc32, status (ok, warning, damaged), problem,
  sha256 (with --hash sha256). For an archive that could not be read: archive,
  status (unread), problem. For a difference from the snapshot: snapshot,
  archive, name, change (missing, changed, renamed, new; unreadable or
  readable with an empty name), from (the former name). With --known, for each
  archive: archive, identity, files, size, known, notes.

Examples:
  daisho verify pak0.pak maps/                     only this folder
  daisho verify games/                             all archives in a directory
  daisho verify pak1.pak --snapshot pak1.txt --update
                                                   record what is in it
  daisho verify quake1.pak --snapshot pak1.txt     the conversion lost nothing
  daisho verify games/ --snapshot games.txt --update --hash sha256
  daisho verify games/ --json | jq -c 'select(.status != \"ok\")'
                                                   only what is damaged or odd";

pub(super) fn run(mut args: VerifyArgs, global: &Global) -> Result<Exit, Refusal> {
    let selection = args.inputs.selection(&args.globs, &global.context())?;
    let update = args.update;
    let options = VerifyOptions {
        listed: args.inputs.list.is_given(),
        selection,
        snapshot: args.snapshot.map(|path| SnapshotOptions { path, update }),
        hash: args.hash,
        checksums: global.json,
        max_expansion: args.expansion.max_expansion,
        known: args.known.as_deref().map(KnownArchives::load).transpose()?,
    };
    let paths = &args.inputs.paths;
    let several = args.inputs.is_several();
    let mut shown = VerifyLines::new(several, global);
    let ended = report(
        global,
        Action::Decodes,
        |out, row| shown.row(out, row),
        |context, rows| verify(context, paths, &options, rows),
    );
    let summary = ended.summary.filter(|summary| summary.archives > 0);
    match summary {
        Some(summary) if signals::caught().is_none() => Ok(shown.end(&summary).and(ended.exit)),
        _ => Ok(ended.exit),
    }
}
