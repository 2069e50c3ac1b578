//! What became of the files that `extract` writes, in words.

use std::io::{self, Write as _};

use daisho::archive::quoted;
use daisho::ops::row::{ArchiveRow, FileRow, Outcome, Row};

use super::Channel;
use crate::cli::exit::Exit;
use crate::cli::global::Global;
use crate::cli::output::{self, DataKind, Stdout};
use crate::cli::text;

/// Says what becomes of files, archive by archive.
pub(crate) struct Told<'g> {
    is_planned: bool,
    lines: Channel,
    global: &'g Global,
    /// The counts for the current archive so far.
    counts: Counts,
    /// The counts for all archives.
    total: Counts,
    /// The lines about archives that are not printed yet: they wait until it is clear that there are several
    /// archives, or, for a plan, until its end.
    held: Vec<(Counts, String)>,
    archives: usize,
    /// The number of archives without a file to extract.
    without: usize,
}

impl<'g> Told<'g> {
    pub(crate) fn new(is_planned: bool, global: &'g Global) -> Self {
        Self {
            is_planned,
            lines: Channel::new(is_planned, global.json),
            global,
            counts: Counts::default(),
            total: Counts::default(),
            held: Vec::new(),
            archives: 0,
            without: 0,
        }
    }

    /// Takes a row.
    pub(crate) fn row(&mut self, out: &mut Stdout, row: &Row) -> io::Result<()> {
        if !self.is_planned {
            self.print_held(out)?;
        }
        match row {
            Row::File(file) => self.file(out, file),
            Row::Archive(archive) => {
                self.archive(archive);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Shows what would happen to a file, or with `-v` what happened to it.
    fn file(&mut self, out: &mut Stdout, file: &FileRow) -> io::Result<()> {
        self.counts.add(file);
        if !self.is_planned {
            if self.global.messages.verbose() {
                self.global.messages.detail(&detail(file));
            }
            return Ok(());
        }
        let verb = match file.outcome {
            Outcome::Written => "write",
            Outcome::Replaced => "replace",
            Outcome::Kept => "keep",
            _ => return Ok(()),
        };
        match self.global.json {
            true => Ok(()),
            false => writeln!(out, "{verb} {}", place(file)),
        }
    }

    fn archive(&mut self, row: &ArchiveRow) {
        let counts = core::mem::take(&mut self.counts);
        self.archives += 1;
        let place = text::path(&row.archive);
        let into = if self.is_planned {
            "would go into"
        } else {
            "into"
        };
        let what = if row.is_loose { "loose file" } else { "file" };
        let directory = row.into.as_deref().map_or(String::new(), text::folder);
        let directory = format!(", {into} {directory}");
        let line = format!("{place}: {}", counts.in_words(what, &directory));
        self.total += counts;
        self.held.push((counts, line));
    }

    /// Prints the lines of several archives. Those without a file to extract are only counted.
    fn print_held(&mut self, out: &mut Stdout) -> io::Result<()> {
        for (counts, line) in self.held.drain(..) {
            if counts == Counts::default() {
                self.without += 1;
            } else {
                self.lines.print(out, self.global, &line)?;
            }
        }
        Ok(())
    }

    /// Prints the totals, or the line about the only archive.
    pub(crate) fn end(mut self) -> Exit {
        let (global, lines) = (self.global, self.lines);
        if let (1, [(_, line)]) = (self.archives, self.held.as_slice()) {
            return lines.print_last(global, line);
        }
        if self.archives < 2 {
            return Exit::Done;
        }
        let exit = output::write(global, DataKind::Text, |out| {
            self.print_held(out).map(|()| Exit::Done)
        });
        let archives = text::count(self.archives, "archive", "archives");
        let mut line = format!("{archives}: {}", self.total.in_words("file", ""));
        if self.without > 0 {
            line += &format!("; {} without a match", self.without);
        }
        lines.print_last(global, &line).and(exit)
    }
}

/// `  entry N "name": written to PATH, N bytes`
fn detail(file: &FileRow) -> String {
    let what = match file.outcome {
        Outcome::Written | Outcome::Planned => "written to",
        Outcome::Replaced => "written, replacing",
        Outcome::Kept => "kept",
        Outcome::Skipped => "skipped",
        Outcome::Failed => "failed",
        Outcome::Stopped => "not reached",
    };
    let name = quoted(&file.name);
    let entry = match file.index {
        Some(index) => format!("entry {index} {name}"),
        None => name.to_string(),
    };
    let place = place(file);
    let space = if place.is_empty() { "" } else { " " };
    format!(
        "  {entry}: {what}{space}{place}, {}",
        text::bytes(file.size)
    )
}

fn place(file: &FileRow) -> String {
    file.file.as_deref().map_or(String::new(), text::path)
}

/// The number of files for each outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    written: usize,
    bytes: u64,
    /// The numbers of entries with other outcomes, in the order of [`BESIDES`].
    besides: [usize; BESIDES.len()],
}

/// The words for the other outcomes of entries.
const BESIDES: [&str; 6] = [
    "replaced",
    "put aside",
    "kept",
    "skipped",
    "failed",
    "not reached before the run was stopped",
];

impl Counts {
    /// Counts a file.
    fn add(&mut self, file: &FileRow) {
        let [replaced, aside, kept, skipped, failed, stopped] = &mut self.besides;
        match file.outcome {
            Outcome::Replaced => *replaced += 1,
            Outcome::Kept => *kept += 1,
            Outcome::Skipped => *skipped += 1,
            Outcome::Failed => *failed += 1,
            Outcome::Stopped => *stopped += 1,
            Outcome::Written | Outcome::Planned => {}
        }
        if file.is_written() {
            self.written += 1;
            self.bytes = self.bytes.saturating_add(file.size);
            *aside += usize::from(file.aside.is_some());
        }
    }

    /// `N files, N bytes, into DIR/; 1 kept, 2 failed`
    fn in_words(&self, one: &str, directory: &str) -> String {
        let files = text::count(self.written, one, &format!("{one}s"));
        let bytes = text::bytes(self.bytes);
        let besides = self.besides.iter().zip(BESIDES);
        let besides = besides.filter(|(count, _)| **count > 0);
        let besides: Vec<String> = besides
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let between = if besides.is_empty() { "" } else { "; " };
        format!("{files}, {bytes}{directory}{between}{}", besides.join(", "))
    }
}

impl core::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.written += other.written;
        self.bytes = self.bytes.saturating_add(other.bytes);
        for (sum, count) in self.besides.iter_mut().zip(other.besides) {
            *sum += count;
        }
    }
}
