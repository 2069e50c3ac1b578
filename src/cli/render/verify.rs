//! What `verify` found: a line for each archive, differences from the snapshot, and the summary.

use std::io::{self, Write as _};

use daisho::archive::escape;
use daisho::ops::row::{Recorded, RecordedRow, Row, Summary};
use daisho::ops::snapshot::{Line, SnapshotChange, SnapshotDifference, State};

use super::Channel;
use super::identity::known_line;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::message::Message;
use crate::cli::output::Stdout;
use crate::cli::{signals, text};

/// Shows what was verified.
pub(crate) struct VerifyLines<'g> {
    several: bool,
    lines: Channel,
    global: &'g Global,
    /// The differences from the snapshot.
    differences: Vec<SnapshotDifference>,
}

impl<'g> VerifyLines<'g> {
    /// Shows one archive, or `several`.
    pub(crate) fn new(several: bool, global: &'g Global) -> Self {
        Self {
            several,
            lines: Channel::new(true, global.json),
            global,
            differences: Vec::new(),
        }
    }

    /// Takes a row.
    pub(crate) fn row(&mut self, out: &mut Stdout, row: Row) -> io::Result<()> {
        let global = self.global;
        match row {
            Row::Archive(row) if self.several && signals::caught().is_none() => {
                let line = format!("{}: {}", text::path(&row.archive), verdict(&row.counts));
                self.lines.print(out, global, &line)
            }
            Row::Identity(row) => self.lines.print(out, global, &known_line(&row)),
            Row::Snapshot(row) => {
                self.differences.push(row.difference);
                Ok(())
            }
            Row::Recorded(row) => {
                show_differences(out, &self.differences)?;
                out.flush()?;
                global.messages.flush();
                match recorded(&row) {
                    Ok(line) => self.lines.print(out, global, &line),
                    Err(message) => {
                        global.messages.tell(message);
                        Ok(())
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// Prints the summary.
    pub(crate) fn end(&self, summary: &Summary) -> Exit {
        let mut line = String::new();
        if self.several {
            line += &text::count(summary.archives, "archive, ", "archives, ");
        }
        line += &verdict(summary);
        if summary.unread > 0 {
            line += &format!(
                "; {} could not be read",
                text::count(summary.unread, "archive", "archives")
            );
        }
        self.lines.print_last(self.global, &line)
    }
}

/// A summary: `3 entries, 1 damaged, 20 bytes OK`.
fn verdict(counts: &Summary) -> String {
    let entries = text::count(counts.entries, "entry", "entries");
    let bytes = text::bytes(counts.bytes_out);
    let mut words = match (counts.failed, counts.cut) {
        (0, 0) => format!("{entries}, {bytes}, all OK"),
        (0, _) => format!("{entries}, {bytes} OK"),
        (damaged, _) => format!("{entries}, {damaged} damaged, {bytes} OK"),
    };
    if counts.warnings > 0 {
        words += &format!(", {}", text::count(counts.warnings, "warning", "warnings"));
    }
    if counts.cut > 0 {
        let cut = text::count(counts.cut, "directory", "directories");
        words += &format!("; {cut} cut off");
    }
    words
}

/// What became of the snapshot, or that the archives differ from it.
fn recorded(row: &RecordedRow) -> Result<String, Message> {
    let place = text::path(&row.snapshot);
    let mut counts = Vec::new();
    for (change, count) in SnapshotChange::ALL.iter().zip(row.differences) {
        if count > 0 {
            counts.push(format!("{count} {}", change.as_str()));
        }
    }
    let counts = counts.join(", ");
    let words = match row.outcome {
        Recorded::Made(lines) => {
            let lines = text::count(lines, "entry", "entries");
            format!("created with {lines}")
        }
        Recorded::Compared if counts.is_empty() => "no differences".to_owned(),
        Recorded::Renewed if counts.is_empty() => "no differences, so it stays as it is".to_owned(),
        Recorded::Renewed => format!("updated; {counts}"),
        Recorded::Compared => {
            let error = Message::error(format!("the contents differ from the snapshot: {counts}"));
            let help = "if the differences are intended, record them with --update";
            return Err(error.place(place).help(help));
        }
    };
    Ok(format!("{place}: {words}"))
}

/// A heading for each archive, where there are several, and below it a line for each entry.
fn show_differences(out: &mut Stdout, differences: &[SnapshotDifference]) -> io::Result<()> {
    for group in differences.chunk_by(|a, b| a.archive == b.archive) {
        let archive = group.first().map_or(&[][..], |first| &first.archive);
        let indent = if archive.is_empty() { "" } else { "  " };
        if !archive.is_empty() {
            writeln!(out, "{}:", escape(archive))?;
        }
        for difference in group {
            writeln!(out, "{indent}{}", words(difference))?;
        }
    }
    Ok(())
}

/// `changed  NAME: 3 bytes, then 5`
fn words(difference: &SnapshotDifference) -> String {
    let change = difference.change.as_str();
    match difference.change {
        SnapshotChange::Unreadable => {
            return format!("{change}: the archive cannot be read, or not all of it");
        }
        SnapshotChange::Readable => return format!("{change}: the archive was unreadable before"),
        _ => {}
    }
    let line = [&difference.before, &difference.after].map(Option::as_ref);
    let is_archive = line.into_iter().flatten().any(Line::is_unreadable);
    let name = match difference.former_name() {
        _ if is_archive => "the unreadable archive".to_owned(),
        Some(former) => format!("{} -> {}", escape(former), escape(difference.name())),
        None => escape(difference.name()).to_string(),
    };
    let what = match line {
        [Some(before), Some(after)] if before.sum().is_none() && after.sum().is_some() => {
            format!("was damaged, now OK, {}", text::bytes(after.size))
        }
        [Some(_), Some(after)] if after.state == State::Damaged => "now damaged".to_owned(),
        [Some(before), Some(after)] => text::sizes(before.size, after.size),
        [one, other] => text::bytes(one.or(other).map_or(0, |line| line.size)),
    };
    format!("{change:<7}  {name}: {what}")
}
