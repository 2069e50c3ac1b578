//! The differences of two archives, as lines.

use std::io::{self, Write as _};

use anstyle::AnsiColor;
use daisho::archive::escape;
use daisho::ops::row::{Change, ChangeRow, ComparedRow, Row};

use crate::cli::global::Global;
use crate::cli::output::Stdout;
use crate::cli::text;

/// The differences so far. They are shown when all are known, because archives can have headings.
#[derive(Default)]
pub(crate) struct Differences {
    changes: Vec<ChangeRow>,
    whole: ComparedRow,
}

impl Differences {
    /// Takes a row.
    pub(crate) fn row(&mut self, out: &mut Stdout, row: Row, global: &Global) -> io::Result<()> {
        match row {
            Row::Change(row) => self.changes.push(row),
            Row::Compared(row) => {
                tell_sides(&row, global);
                self.whole = row;
                show(out, &self.changes, global.messages.verbose())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// `1 added, 2 removed, 3 the same`
    pub(crate) fn summary(&self) -> String {
        let mut counts = Vec::new();
        for (change, count) in Change::ALL.iter().zip(self.whole.differences) {
            counts.push(format!("{count} {}", change.as_str()));
        }
        format!("{}, {} the same", counts.join(", "), self.whole.same)
    }
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
fn show(out: &mut Stdout, differences: &[ChangeRow], each: bool) -> io::Result<()> {
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

/// Writes a line for each difference. All moved entries share one line, unless `each` is true: order alone says
/// little, and repacking an archive can move all of its entries.
fn show_group(
    out: &mut Stdout,
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
