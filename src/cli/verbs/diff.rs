//! `diff`: compares the contents of two archives, and shows the differences as lines.

use daisho::ops::Refusal;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anstyle::AnsiColor;
use clap::builder::TypedValueParser;
use clap::{Args, ValueHint};
use daisho::archive::escape;
use daisho::ops::catalogue::{Change, ChangeRow};
use daisho::ops::{ComparedRow, DiffOptions, DiffRow, DiffTotals, diff};

use crate::cli::args::{ExpansionArgs, one_of};
use crate::cli::exit::Exit;
use crate::cli::inputs::GlobArgs;
use crate::cli::output::Stdout;
use crate::cli::render::json_line;
use crate::cli::rows::{RunKind, Show, Totals};
use crate::cli::text;
use crate::cli::ui::Ui;

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
    one_of(Change::OF_ARCHIVES.map(|it| (it.as_str().into(), it)))
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
  size_b (null if missing), problem (if one of the two cannot be read),
  same_picture (true if only the small sizes of a texture differ).

Examples:
  daisho diff pak1.pak quake1.pak              no output: nothing was lost
  daisho diff games/ backup/                   archive by archive
  daisho diff old.pak new.pak --only removed";

pub(super) fn run(args: DiffArgs, ui: &Ui) -> Result<(), Refusal> {
    let options = DiffOptions {
        selection: args.globs.selection()?,
        only: args.only,
        max_expansion: args.expansion.max_expansion,
    };
    let mut shown = Differences { ui, changes: Vec::new(), whole: ComparedRow::default() };
    let (totals, _) = ui.run(RunKind::Decodes, &mut shown, |context, out| {
        diff(context, &args.a, &args.b, &options, out)
    })?;
    if totals.differences > 0 {
        ui.note(&shown.summary());
        ui.worsen(Exit::NotAllWell);
    }
    Ok(())
}

impl Totals for DiffTotals {
    fn is_nothing_read(&self) -> bool {
        self.sides < 2
    }
}

/// The differences so far. They are shown when all are known, because archives can have headings.
struct Differences<'g> {
    ui: &'g Ui,
    changes: Vec<ChangeRow>,
    whole: ComparedRow,
}

impl Show<DiffRow> for Differences<'_> {
    fn json(&self, out: &mut Stdout, row: &DiffRow) -> io::Result<bool> {
        let DiffRow::Change(change) = row else {
            return Ok(false);
        };
        json_line(out, change)?;
        Ok(true)
    }

    fn text(&mut self, out: &mut Stdout, row: DiffRow) -> io::Result<()> {
        match row {
            DiffRow::Change(row) => self.changes.push(row),
            DiffRow::Compared(row) => {
                tell_sides(&row, self.ui);
                self.whole = row;
                show(out, &self.changes, self.ui.verbose)?;
            }
        }
        Ok(())
    }
}

impl Differences<'_> {
    /// `1 added, 2 removed, 3 the same`
    fn summary(&self) -> String {
        let mut counts = Vec::new();
        for change in Change::OF_ARCHIVES {
            let count = self.whole.differences.of(change);
            counts.push(format!("{count} {}", change.as_str()));
        }
        format!("{}, {} the same", counts.join(", "), self.whole.same)
    }
}

/// Says how archives were matched.
fn tell_sides(whole: &ComparedRow, ui: &Ui) {
    for (count, words) in [
        (whole.pairs, "compared, each with the one of its path"),
        (whole.together, "of a directory compared as if they were one"),
    ] {
        if count > 0 {
            let archives = text::count(count, "archive", "archives");
            ui.note(&format!("{archives} {words}"));
        }
    }
}

/// Writes a line for each difference, with a heading for each archive if there are several. All moved entries of an
/// archive share one line, unless `each` is true: order alone says little, and repacking an archive can move all of its
/// entries.
fn show(out: &mut Stdout, differences: &[ChangeRow], each: bool) -> io::Result<()> {
    for group in differences.chunk_by(|a, b| a.archive == b.archive) {
        let archive = group.first().and_then(|first| first.archive.as_deref());
        let indent = if archive.is_some() { "  " } else { "" };
        if let Some(archive) = archive {
            writeln!(out, "{}:", text::path(archive))?;
        }
        let moved = group.iter().filter(|it| it.change == Change::Moved);
        let moved = moved.count();
        let mut is_told = false;
        for difference in group {
            if each || moved < 2 || difference.change != Change::Moved {
                writeln!(out, "{indent}{}", words(difference))?;
            } else if !is_told {
                is_told = true;
                let (word, name) = (word(Change::Moved), escape(&difference.name));
                writeln!(out, "{indent}{word}  {moved} entries, the first of them {name}")?;
            }
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
        _ if difference.problem.is_some() => "cannot be compared".to_owned(),
        _ if difference.same_picture => "same picture, other small sizes".to_owned(),
        (Change::Changed, Some(a), Some(b)) => text::sizes(a, b),
        (_, a, b) => text::bytes(a.or(b).unwrap_or(0)),
    };
    format!("{}  {name}: {sizes}", word(difference.change))
}

/// The word for a change, in a column of its own.
fn word(change: Change) -> String {
    let color = match change {
        Change::Added => AnsiColor::Green,
        Change::Removed => AnsiColor::Red,
        Change::Changed | Change::Unreadable | Change::Readable => AnsiColor::Yellow,
        Change::Moved | Change::Renamed => AnsiColor::Cyan,
    };
    text::coloured(color, &format!("{:<7}", change.as_str()))
}
