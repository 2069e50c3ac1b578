//! `diff`: compares the contents of two archives.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use daisho::ops::context::Refusal;
use daisho::ops::read::diff::{DiffOptions, diff};
use daisho::ops::row::Change;

use crate::cli::args::{ExpansionArgs, GlobArgs};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::render::diff::Differences;
use crate::cli::render::{Action, report};

/// Compare the contents of two archives
///
/// Contents are decoded and compared by name, so the formats may differ. Either side may be a
/// directory. If anything differs, the exit status is 1.
#[derive(Debug, Args)]
#[command(after_long_help = DIFF)]
pub(crate) struct DiffArgs {
    /// An archive, a directory of archives, or a directory of files
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
    pub(crate) a: PathBuf,
    /// What to compare it with
    #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
    pub(crate) b: PathBuf,
    /// Report only these changes (A,B)
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = change())]
    pub(crate) only: Vec<Change>,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
}

/// Parses the word for a change.
fn change() -> impl TypedValueParser<Value = Change> {
    let words = PossibleValuesParser::new(Change::ALL.map(Change::as_str));
    let found = |word: String| Change::ALL.into_iter().find(|it| it.as_str() == word);
    words.try_map(move |word| found(word).ok_or("no such change"))
}

const DIFF: &str = "\
Rules:
  Entries with the same name are compared in order. An entry is renamed if each
  side has its content under another name. Moved entries take one line, or with
  -v a line each.
  A directory that holds paks or ZIPs, or nothing but archives, is compared
  archive by archive; any other directory is compared file by file.

JSON fields:
  archive (its path in A, for two directories of archives), name, change
  (added, removed, changed, moved, renamed), new_name (if renamed), size_a,
  size_b (null if missing).

Examples:
  daisho diff pak1.pak quake1.pak              no output: nothing was lost
  daisho diff games/ backup/                   archive by archive
  daisho diff old.pak new.pak --only removed";

pub(super) fn run(args: DiffArgs, global: &Global) -> Result<Exit, Refusal> {
    let options = DiffOptions {
        selection: args.globs.selection()?,
        only: args.only,
        max_expansion: args.expansion.max_expansion,
    };
    let mut shown = Differences::default();
    let ended = report(
        global,
        Action::Decodes,
        |out, row| shown.row(out, row, global),
        |context, rows| diff(context, &args.a, &args.b, &options, rows),
    );
    if ended.summary.is_none_or(|summary| summary.done == 0) {
        return Ok(ended.exit);
    }
    global.messages.note(&shown.summary());
    Ok(ended.exit.and(Exit::NotAllWell))
}
