//! Entries as `list` shows them: a table, a tree, or names alone.
//!
//! A tree of directories exists only in the names of an archive. Sorting puts names with a common beginning next to
//! each other, so the tree is drawn from a sorted list, and is never built. A part keeps its separator, so that
//! `maps/` and `maps\` stay different.

use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use crate::archive::escape;
use crate::cli::output::Stdout;
use crate::cli::rows::Show;
use crate::cli::text;
use crate::media::Kind;
use crate::ops::ListRow;
use crate::ops::row::{At, EntryRow, path_bytes};

/// How entries are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One line for each entry, with columns.
    Table,
    /// As a tree of directories, with columns.
    Tree,
    /// Names, escaped.
    Names,
    /// Names without escapes, each with a NUL byte at its end.
    RawNames,
}

/// Where the archive's path is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Nowhere: there is one archive.
    None,
    /// On a line before its entries.
    Heading,
    /// On each line.
    Line,
}

/// Shows entries. A table has columns as wide as an archive needs, so its entries are kept until it ends.
pub(crate) struct EntryList {
    form: Form,
    /// Whether there is a column for facts from the headers of files.
    long: bool,
    /// The only path that the user gave. If it is an archive itself, its path is not shown.
    only: Option<PathBuf>,
    /// Whether people read it, and not programs.
    is_terminal: bool,
    /// The entries of the archive, so far.
    entries: Vec<EntryRow>,
    /// Whether an archive was shown.
    begun: bool,
}

impl Show<ListRow> for EntryList {
    fn has_object(row: &ListRow) -> bool {
        matches!(row, ListRow::Entry(_))
    }

    fn text(&mut self, out: &mut Stdout, row: ListRow) -> io::Result<()> {
        match row {
            ListRow::Entry(entry) => self.show_entry(out, entry),
            ListRow::End(archive) => self.show_archive(out, &archive),
        }
    }
}

impl EntryList {
    /// Shows the entries of the `only` archive, or of several.
    pub(crate) fn new(form: Form, long: bool, only: Option<PathBuf>) -> Self {
        let is_terminal = io::stdout().is_terminal();
        Self { form, long, only, is_terminal, entries: Vec::new(), begun: false }
    }

    fn show_entry(&mut self, out: &mut Stdout, entry: EntryRow) -> io::Result<()> {
        match self.form {
            Form::Names => writeln!(out, "{}{}", self.begin(&entry), shown_name(&entry)),
            Form::RawNames => self.show_raw(out, &entry),
            Form::Table | Form::Tree => {
                self.entries.push(entry);
                Ok(())
            }
        }
    }

    fn show_archive(&mut self, out: &mut Stdout, archive: &Path) -> io::Result<()> {
        let rows = core::mem::take(&mut self.entries);
        if rows.is_empty() {
            return Ok(());
        }
        let is_first = !core::mem::replace(&mut self.begun, true);
        if self.lead_of(archive) == Lead::Heading {
            let between = if is_first { "" } else { "\n" };
            let heading = if archive.as_os_str().is_empty() {
                "loose files".to_owned()
            } else {
                text::path(archive)
            };
            writeln!(out, "{between}{}:", text::heading(&heading))?;
        }
        let has_headings = self.form == Form::Table && self.is_terminal;
        let table = Columns::new(&rows, self.long, has_headings);
        if has_headings {
            let mut headings = String::new();
            table.add(&mut headings, [&"", &SIZE, &PACKED, &KIND, &FACTS]);
            writeln!(out, "{}", text::faint(&(headings + "name")))?;
        }
        if self.form == Form::Tree {
            return show_tree(out, &table, &rows);
        }
        // Rows have one path, unless they are loose files, which no path leads.
        let lead = rows.first().map_or(String::new(), |row| self.begin(row));
        let mut line = String::new();
        for row in &rows {
            line.clear();
            line.push_str(&lead);
            table.add_row(&mut line, row);
            add_name(&shown_name(row), &mut line);
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Where the path of this archive is shown.
    fn lead_of(&self, archive: &Path) -> Lead {
        if self.only.as_deref() == Some(archive) {
            Lead::None
        } else if self.form == Form::Tree || self.is_terminal {
            Lead::Heading
        } else {
            Lead::Line
        }
    }

    /// The text at the beginning of an entry's line.
    fn begin(&self, entry: &EntryRow) -> String {
        match (self.lead_of(entry.at.path()), &entry.at) {
            (Lead::Line, At::Archive(path, _)) => text::faint(&format!("{}: ", text::path(path))),
            _ => String::new(),
        }
    }

    fn show_raw(&self, out: &mut Stdout, entry: &EntryRow) -> io::Result<()> {
        let path = &*path_bytes(entry.at.path());
        let is_file = entry.at.index().is_none();
        if is_file || self.lead_of(entry.at.path()) != Lead::None {
            out.write_all(&[path, b"\0"].concat())?;
        }
        if is_file {
            return Ok(());
        }
        out.write_all(&[&entry.name[..], b"\0"].concat())
    }
}

/// The name, or the path of a loose file, escaped.
fn shown_name(row: &EntryRow) -> String {
    match &row.at {
        At::File(path) => text::path(path),
        _ => escape(&row.name).to_string(),
    }
}

/// Adds a name with its folder in faint text, so that the last part stands out.
fn add_name(name: &str, line: &mut String) {
    match name.rfind('/').map(|at| name.split_at(at + 1)) {
        Some((folder, last)) if text::has_colours() => {
            line.push_str(&text::faint(folder));
            line.push_str(last);
        }
        _ => line.push_str(name),
    }
}

fn show_tree(out: &mut Stdout, table: &Columns, rows: &[EntryRow]) -> io::Result<()> {
    let names = rows.iter().map(|row| &row.name[..]);
    let mut sorted: Vec<Numbered<'_>> = names.zip(0..).collect();
    sorted.sort_unstable();
    let mut line = String::new();
    draw_folder(&sorted, 0, 0, &mut String::new(), &mut |branch, part, place| {
        line.clear();
        match place.and_then(|place| rows.get(place)) {
            Some(row) => table.add_row(&mut line, row),
            None => table.add(&mut line, [&""; 5]),
        }
        writeln!(out, "{line}{branch}{}", escape(part))
    })
}

const SIZE: &str = "size";
const PACKED: &str = "packed";
const KIND: &str = "kind";
const FACTS: &str = "facts";

/// The widths of the columns. A column without a width is left out.
#[derive(Debug)]
struct Columns {
    /// Loose files have no number.
    index: Option<usize>,
    size: usize,
    /// Only if an entry is compressed.
    packed: Option<usize>,
    kind: usize,
    /// Only with `-l`.
    facts: Option<usize>,
}

impl Columns {
    /// The table of these rows, with a column of facts if it is `long`, and wide enough for headings.
    fn new(rows: &[EntryRow], long: bool, has_headings: bool) -> Self {
        let heading = |text: &str| if has_headings { text.len() } else { 0 };
        let indexes = rows.iter().filter_map(|row| row.at.index());
        let sizes = rows.iter().map(|row| digits(row.size));
        let packed = rows.iter().filter_map(packed);
        let kinds = rows.iter().map(|row| kind(row).len());
        let facts = rows.iter().map(|row| facts(row).chars().count());
        Self {
            index: indexes.max().map(|index| digits(index as u64)),
            size: sizes.fold(heading(SIZE), usize::max),
            packed: packed.max().map(|packed| digits(packed).max(heading(PACKED))),
            kind: kinds.fold(heading(KIND), usize::max),
            facts: long.then(|| facts.fold(heading(FACTS), usize::max)),
        }
    }

    /// Adds the cells of a row to a line.
    fn add_row(&self, line: &mut String, row: &EntryRow) {
        let index = row.at.index();
        let index: &dyn Display = if let Some(index) = &index { index } else { &"" };
        let packed = packed(row);
        let packed: &dyn Display = if let Some(packed) = &packed { packed } else { &"-" };
        let facts = self.facts.map_or(String::new(), |_| facts(row));
        self.add(line, [index, &row.size, packed, &kind(row), &facts]);
    }

    /// Adds cells to a line: numbers to the right, and words to the left.
    fn add(&self, line: &mut String, [index, size, packed, kind, facts]: [&dyn Display; 5]) {
        for (width, cell) in [(self.index, index), (Some(self.size), size), (self.packed, packed)] {
            if let Some(width) = width {
                let _ = write!(line, "{cell:>width$}  ");
            }
        }
        for (width, cell) in [(Some(self.kind), kind), (self.facts, facts)] {
            if let Some(width) = width {
                let _ = write!(line, "{cell:<width$}  ");
            }
        }
    }
}

fn kind(row: &EntryRow) -> &'static str {
    row.kind.map_or("", Kind::as_str)
}

/// The size of a compressed entry in its archive.
fn packed(row: &EntryRow) -> Option<u64> {
    row.packed_size.filter(|_| row.compressed == Some(true))
}

/// The facts from the file's header, in a few words.
fn facts(row: &EntryRow) -> String {
    let details = row.facts.as_ref().and_then(|facts| facts.details.as_ref());
    let facts = details.map_or(String::new(), |details| details.summary());
    if facts.is_empty() { "-".to_owned() } else { facts }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

/// An entry's name and number.
type Numbered<'a> = (&'a [u8], usize);

/// The most directories within each other that a tree shows. What is deeper is shown with its path.
const LEVELS_MAX: usize = 256;

/// Draws the lines of a directory of a tree. Its rows are sorted, and their names have their first `from` bytes in
/// common. `line` gets what is drawn before the part of a name, the part, and the entry's number if it is an entry.
fn draw_folder(
    mut rows: &[Numbered<'_>],
    level: usize,
    from: usize,
    stem: &mut String,
    line: &mut impl FnMut(&str, &[u8], Option<usize>) -> io::Result<()>,
) -> io::Result<()> {
    while let Some((name, index)) = rows.first() {
        // Each level costs a line and its stem, so a name of thousands of parts would fill the disk.
        let (part, is_folder) = if level < LEVELS_MAX {
            part(name, from)
        } else {
            (name.get(from..).unwrap_or(&[]), false)
        };
        let in_folder = rows.iter().take_while(|(name, _)| self::part(name, from) == (part, true));
        let (group, rest) = rows.split_at(if is_folder { in_folder.count() } else { 1 });
        let (branch, below) = match (level, rest) {
            (0, _) => ("", ""),
            (_, []) => ("└── ", "    "),
            _ => ("├── ", "│   "),
        };
        let stem_len = stem.len();
        stem.push_str(branch);
        line(stem, part, (!is_folder).then_some(*index))?;
        stem.truncate(stem_len);
        if is_folder {
            stem.push_str(below);
            draw_folder(group, level + 1, from + part.len(), stem, line)?;
            stem.truncate(stem_len);
        }
        rows = rest;
    }
    Ok(())
}

/// The part of the name that begins at `from`, and whether more follows it.
fn part(name: &[u8], from: usize) -> (&[u8], bool) {
    let rest = name.get(from..).unwrap_or(&[]);
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'\\'));
    match end.and_then(|end| rest.split_at_checked(end + 1)) {
        Some((part, after)) => (part, !after.is_empty()),
        None => (rest, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_come_from_names_and_nothing_is_lost() {
        let names = ["a", "a/", "a/b/c", "a/b/d", "a\\b", "a/e", "z", "z", "//x", ""];
        let mut rows: Vec<_> = names.iter().map(|n| n.as_bytes()).zip(0..).collect();
        rows.sort_unstable();
        let mut drawn = Vec::new();
        draw_folder(&rows, 0, 0, &mut String::new(), &mut |branch, part, entry| {
            let entry = entry.map_or_else(|| "-".to_owned(), |entry| entry.to_string());
            drawn.push(format!("{entry} {branch}{}", String::from_utf8_lossy(part)));
            Ok(())
        })
        .unwrap();
        assert_eq!(
            drawn,
            [
                "9 ",
                "- /",
                "- └── /",
                "8     └── x",
                "0 a",
                "1 a/",
                "- a/",
                "- ├── b/",
                "2 │   ├── c",
                "3 │   └── d",
                "5 └── e",
                "- a\\",
                "4 └── b",
                "6 z",
                "7 z",
            ]
        );
    }
    #[test]
    fn a_very_deep_name_takes_256_lines_of_a_tree() {
        let deep = b"D/".repeat(32_000);
        let rows = [(&deep[..], 0), (b"D/x", 1)];
        let mut lines = Vec::new();
        draw_folder(&rows, 0, 0, &mut String::new(), &mut |branch, part, entry| {
            lines.push((branch.chars().count(), part.len(), entry));
            Ok(())
        })
        .unwrap();
        assert_eq!(lines.len(), 258);
        assert_eq!(lines[0], (0, 2, None));
        assert_eq!(lines[256], (1024, 64_000 - 512, Some(0)));
        assert_eq!(lines[257], (4, 1, Some(1)));
    }
}
