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
    lead: Lead,
    /// The only path that the user gave. If it is an archive itself, its path is not shown.
    only: Option<PathBuf>,
    /// Whether columns have headings, which only people read.
    has_headings: bool,
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
    /// Shows the entries of one archive, or of several.
    pub(crate) fn new(form: Form, long: bool, several: bool, only: Option<PathBuf>) -> Self {
        let lead = match (several, form) {
            (false, _) => Lead::None,
            (true, Form::Tree) => Lead::Heading,
            (true, _) if io::stdout().is_terminal() => Lead::Heading,
            (true, _) => Lead::Line,
        };
        Self {
            form,
            long,
            lead,
            only,
            has_headings: form == Form::Table && io::stdout().is_terminal(),
            entries: Vec::new(),
            begun: false,
        }
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
        let table = Columns::new(&rows, self.long, self.has_headings);
        if self.has_headings {
            let mut headings = String::new();
            table.add_headings(&mut headings);
            writeln!(out, "{}", text::faint(&headings))?;
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
            table.add(Some(row), &mut line);
            add_name(&shown_name(row), &mut line);
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Where the path of this archive is shown.
    fn lead_of(&self, archive: &Path) -> Lead {
        if self.only.as_deref() == Some(archive) { Lead::None } else { self.lead }
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
    let mut tree = TreeLines::of(&sorted);
    let mut line = String::new();
    while let Some((branch, part, place)) = tree.next_line() {
        line.clear();
        table.add(place.and_then(|place| rows.get(place)), &mut line);
        writeln!(out, "{line}{branch}{}", escape(part))?;
    }
    Ok(())
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
        let [size, least_packed, kind_width, facts_width] =
            [SIZE, PACKED, KIND, FACTS].map(|it| if has_headings { it.len() } else { 0 });
        let mut table = Self {
            index: None,
            size,
            packed: None,
            kind: kind_width,
            facts: long.then_some(facts_width),
        };
        for row in rows {
            if let Some(index) = row.at.index() {
                table.index = table.index.max(Some(digits(index as u64)));
            }
            if let (Some(packed), Some(true)) = (row.packed_size, row.compressed) {
                let width = digits(packed).max(least_packed);
                table.packed = table.packed.max(Some(width));
            }
            table.size = table.size.max(digits(row.size));
            table.kind = table.kind.max(kind(Some(row)).len());
            if long {
                table.facts = table.facts.max(Some(facts(row).chars().count()));
            }
        }
        table
    }

    /// Adds the headings of the columns, and of the names after them.
    fn add_headings(&self, line: &mut String) {
        if let Some(width) = self.index {
            add_right(line, Some(""), width);
        }
        add_right(line, Some(SIZE), self.size);
        if let Some(width) = self.packed {
            add_right(line, Some(PACKED), width);
        }
        add_left(line, KIND, self.kind);
        if let Some(width) = self.facts {
            add_left(line, FACTS, width);
        }
        line.push_str("name");
    }

    /// Adds the cells of a row to a line, or blanks for a directory of a tree.
    fn add(&self, row: Option<&EntryRow>, line: &mut String) {
        if let Some(width) = self.index {
            add_right(line, row.and_then(|row| row.at.index()), width);
        }
        add_right(line, row.map(|row| row.size), self.size);
        if let Some(width) = self.packed {
            match row {
                Some(row) if row.compressed != Some(true) => add_right(line, Some("-"), width),
                row => add_right(line, row.and_then(|row| row.packed_size), width),
            }
        }
        add_left(line, kind(row), self.kind);
        if let Some(width) = self.facts {
            add_left(line, &row.map_or(String::new(), facts), width);
        }
    }
}

fn kind(row: Option<&EntryRow>) -> &'static str {
    row.and_then(|row| row.kind).map_or("", Kind::as_str)
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

fn add_right(line: &mut String, cell: Option<impl Display>, width: usize) {
    let _ = match cell {
        Some(cell) => write!(line, "{cell:>width$}  "),
        None => write!(line, "{:width$}  ", ""),
    };
}

fn add_left(line: &mut String, cell: &str, width: usize) {
    let _ = write!(line, "{cell:<width$}  ");
}

/// An entry's name and number.
type Numbered<'a> = (&'a [u8], usize);

/// The lines of a tree that are still to be drawn.
struct TreeLines<'r, 'a> {
    /// The directories on the way to the next line.
    levels: Vec<Level<'r, 'a>>,
    /// What is drawn before the line.
    stem: String,
}

impl<'r, 'a> TreeLines<'r, 'a> {
    /// The tree of these names, which are sorted.
    fn of(sorted: &'r [Numbered<'a>]) -> Self {
        let top = Level { rows: sorted, from: 0, stem_len: 0, lead: "" };
        Self { levels: vec![top], stem: String::new() }
    }

    /// The next line: the branch before it, the part of the name on it, and the entry's number if it is an entry.
    fn next_line(&mut self) -> Option<(&str, &'a [u8], Option<usize>)> {
        let (level, (name, index)) = loop {
            let level = self.levels.pop()?;
            if let Some(first) = level.rows.first() {
                break (level, *first);
            }
        };
        // Each level costs a line and its stem, so a name of thousands of parts would fill the disk.
        let is_deepest = self.levels.len() >= LEVELS_MAX;
        let (part, is_directory) = if is_deepest {
            (name.get(level.from..).unwrap_or(&[]), false)
        } else {
            part(name, level.from)
        };
        let group_len = group_len(level, is_directory.then_some(part));
        let (group, rest) = level.rows.split_at(group_len);
        let (branch, below) = match (self.levels.is_empty(), rest.is_empty()) {
            (true, _) => ("", ""),
            (false, false) => ("├── ", "│   "),
            (false, true) => ("└── ", "    "),
        };
        self.levels.push(Level { rows: rest, ..level });
        if is_directory {
            self.levels.push(Level {
                rows: group,
                from: level.from + part.len(),
                stem_len: level.stem_len + level.lead.len(),
                lead: below,
            });
        }
        self.stem.truncate(level.stem_len);
        self.stem += level.lead;
        self.stem += branch;
        Some((&self.stem, part, (!is_directory).then_some(index)))
    }
}

/// The most directories within each other that a tree shows. What is deeper is shown with its path.
const LEVELS_MAX: usize = 256;

/// One directory of a tree: the rows that are still to be drawn, whose names have their first `from` bytes in common.
#[derive(Clone, Copy)]
struct Level<'r, 'a> {
    rows: &'r [Numbered<'a>],
    from: usize,
    /// What is drawn before each of its lines, after so many bytes that levels above it draw.
    lead: &'static str,
    stem_len: usize,
}

/// How many rows belong to the first line of a level: those in its directory, or one.
fn group_len(level: Level<'_, '_>, directory: Option<&[u8]>) -> usize {
    let Some(directory) = directory else {
        return 1;
    };
    let rows = level.rows.iter();
    rows.take_while(|(name, _)| part(name, level.from) == (directory, true)).count()
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
        let mut tree = TreeLines::of(&rows);
        let mut drawn = Vec::new();
        while let Some((branch, part, entry)) = tree.next_line() {
            let entry = entry.map_or_else(|| "-".to_owned(), |entry| entry.to_string());
            drawn.push(format!("{entry} {branch}{}", String::from_utf8_lossy(part)));
        }
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
        let mut tree = TreeLines::of(&rows);
        let mut lines = Vec::new();
        while let Some((branch, part, entry)) = tree.next_line() {
            lines.push((branch.chars().count(), part.len(), entry));
        }
        assert_eq!(lines.len(), 258);
        assert_eq!(lines[0], (0, 2, None));
        assert_eq!(lines[256], (1024, 64_000 - 512, Some(0)));
        assert_eq!(lines[257], (4, 1, Some(1)));
    }
}
