//! `diff`: compares two paks by what is in them.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anstyle::AnsiColor;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use daisho::archive::escape;
use daisho::ops::context::Refusal;
use daisho::ops::read::diff::{DiffOptions, diff};
use daisho::ops::row::{Change, ChangeRow, ComparedRow, Row};

use crate::cli::args::{ExpansionArgs, GlobArgs, SHOWN};
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::Output;
use crate::cli::render::{Style, Work, report};
use crate::cli::text;

/// Compare two archives by what is in them
///
/// Contents are compared decompressed and by name, so archives of different formats can be alike, and
/// an archive and a directory. What was added, removed, changed, renamed, or moved to another
/// place in the order is printed, and makes the exit status 1.
///
/// It never writes a file.
#[derive(Debug, Args)]
#[command(after_long_help = DIFF)]
pub(crate) struct DiffArgs {
    /// The archive to compare, or a directory of archives or of files
    #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
    pub(crate) a: PathBuf,
    /// The archive or directory to compare it with
    #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
    pub(crate) b: PathBuf,
    /// Count these changes alone, with commas between them
    ///
    /// The others are not shown, and leave the exit status 0.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = change())]
    pub(crate) only: Vec<Change>,
    #[command(flatten)]
    pub(crate) globs: GlobArgs,
    /// One JSON object a line
    #[arg(long, help_heading = SHOWN)]
    pub(crate) json: bool,
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
  First what A has, in its order, then what only B has. Entries of one name are compared in order.
  Content that each side has under a name of its own is renamed. An entry that is damaged on one
  side only has changed. Moved entries are one line, or with -v a line each.
  A directory that holds paks or ZIPs, or only archives, is a directory of archives. Two of them are
  compared archive by archive, matched by path without extension; one is compared with an archive
  as if all of its archives were one. Any other directory is compared file by file:
  'diff old.pak mymod/' shows what was edited since mymod/ was extracted.

JSON fields:
  archive (its path in A, for two directories of archives), name, change (added, removed, changed,
  moved, renamed), new_name (if renamed), size_a, size_b (null if missing). name_hex is added if a
  name is not UTF-8. Fields are only ever added.

Examples:
  daisho diff pak1.pak quake1.pak                silence: the conversion lost nothing
  daisho diff games/ backup/                     the same for every archive below
  daisho diff old.pak new.pak --only removed     silence: nothing was lost";

pub(super) fn run(args: DiffArgs, global: &Global) -> Result<Exit, Refusal> {
    let options = DiffOptions {
        selection: args.globs.selection()?,
        only: args.only,
        max_expansion: args.expansion.max_expansion,
    };
    let (mut differences, mut whole) = (Vec::new(), ComparedRow::default());
    let (exit, summary) = report(
        global,
        Style::new(args.json, Work::Decodes),
        |out, row| match row {
            Row::Change(row) => {
                differences.push(row);
                Ok(())
            }
            Row::Compared(row) => {
                whole = row;
                tell_sides(&row, global);
                show(out, &differences, global.messages.verbose())
            }
            _ => Ok(()),
        },
        |rows| global.observe(|context| diff(context, &args.a, &args.b, &options, rows)),
    );
    if summary.is_none_or(|summary| summary.done == 0) {
        return Ok(exit);
    }
    let counts = Change::ALL.iter().zip(whole.differences);
    let counts: Vec<String> = counts
        .map(|(it, count)| format!("{count} {}", it.as_str()))
        .collect();
    let line = format!("{}, {} the same", counts.join(", "), whole.same);
    global.messages.note(&line);
    Ok(exit.and(Exit::NotAllWell))
}

/// Says how archives were matched.
fn tell_sides(whole: &ComparedRow, global: &Global) {
    for (count, words) in [
        (whole.pairs, "compared, each with the one of its path"),
        (
            whole.together,
            "of a directory compared as if they were one",
        ),
    ] {
        if count > 0 {
            let archives = text::count(count, "archive", "archives");
            global.messages.note(&format!("{archives} {words}"));
        }
    }
}

/// Writes the differences of each archive, with a heading if there are several.
fn show(out: &mut Output, differences: &[ChangeRow], each: bool) -> io::Result<()> {
    for group in differences.chunk_by(|a, b| a.archive == b.archive) {
        let archive = group.first().and_then(|first| first.archive.as_deref());
        if let Some(archive) = archive {
            writeln!(out, "{}:", text::path(archive))?;
        }
        let indent = if archive.is_some() { "  " } else { "" };
        show_group(out, group, indent, each)?;
    }
    Ok(())
}

/// Writes a line for each difference, but one for all that have moved, unless `each` is to have its own:
/// order alone says little, and all of a repacked archive can be in another one.
fn show_group(
    out: &mut Output,
    differences: &[ChangeRow],
    indent: &str,
    each: bool,
) -> io::Result<()> {
    let is_moved = |it: &&ChangeRow| it.change == Change::Moved;
    let moved = differences.iter().filter(is_moved).count();
    let mut is_told = false;
    for difference in differences {
        if each || moved < 2 || difference.change != Change::Moved {
            writeln!(out, "{indent}{}", words(difference))?;
        } else if !is_told {
            is_told = true;
            let name = escape(&difference.name);
            let word = word(Change::Moved);
            writeln!(
                out,
                "{indent}{word}  {moved} entries, the first of them {name}"
            )?;
        }
    }
    Ok(())
}

/// `changed  NAME: 3 bytes, then 5 bytes`
fn words(difference: &ChangeRow) -> String {
    let name = match &difference.new_name {
        Some(new) => format!("{} -> {}", escape(&difference.name), escape(new)),
        None => escape(&difference.name).to_string(),
    };
    let sizes = match (difference.change, difference.size_a, difference.size_b) {
        (Change::Changed, Some(a), Some(b)) => text::sizes(a, b),
        (_, a, b) => text::bytes(a.or(b).unwrap_or_default()),
    };
    format!("{}  {name}: {sizes}", word(difference.change))
}

/// The word for a change, in a column of its own.
fn word(change: Change) -> String {
    let color = match change {
        Change::Added => AnsiColor::Green,
        Change::Removed => AnsiColor::Red,
        Change::Changed => AnsiColor::Yellow,
        Change::Moved | Change::Renamed => AnsiColor::Cyan,
    };
    text::coloured(color, &format!("{:<7}", change.as_str()))
}
