//! Entries as `list` shows them: a table, a tree, or names alone.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use daisho::archive::{escape, path_bytes};
use daisho::ops::row::{At, EntryRow, Row};

use super::table::Columns;
use super::tree;
use crate::cli::output::Stdout;
use crate::cli::text;

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
    /// Whether columns have headings, which only people read.
    has_headings: bool,
    /// The entries of the archive, so far.
    entries: Vec<EntryRow>,
    /// Whether an archive was shown.
    begun: bool,
}

impl EntryList {
    /// Shows the entries of one archive, or of several.
    pub(crate) fn new(form: Form, long: bool, several: bool) -> Self {
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
            has_headings: form == Form::Table && io::stdout().is_terminal(),
            entries: Vec::new(),
            begun: false,
        }
    }

    /// Takes a row.
    pub(crate) fn show(&mut self, out: &mut Stdout, row: Row) -> io::Result<()> {
        match row {
            Row::Entry(entry) => self.show_entry(out, entry),
            Row::Archive(row) => self.show_archive(out, &row.archive),
            _ => Ok(()),
        }
    }

    fn show_entry(&mut self, out: &mut Stdout, entry: EntryRow) -> io::Result<()> {
        match self.form {
            Form::Names => writeln!(out, "{}{}", self.lead_of(&entry), shown_name(&entry)),
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
        if self.lead == Lead::Heading {
            let between = if is_first { "" } else { "\n" };
            let heading = match archive.as_os_str().is_empty() {
                true => "loose files".to_owned(),
                false => text::path(archive),
            };
            writeln!(out, "{between}{}:", text::heading(&heading))?;
        }
        let table = Columns::new(&rows, self.long, self.has_headings);
        if self.has_headings {
            writeln!(out, "{}", text::faint(&table.headings()))?;
        }
        if self.form == Form::Tree {
            return show_tree(out, &table, &rows);
        }
        // Rows have one path, unless they are loose files, which no path leads.
        let lead = rows.first().map_or(String::new(), |row| self.lead_of(row));
        let mut line = String::new();
        for row in &rows {
            line.clear();
            line.push_str(&lead);
            table.add(Some(row), &mut line);
            add_folder_faint(&shown_name(row), &mut line);
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// The text at the beginning of an entry's line.
    fn lead_of(&self, entry: &EntryRow) -> String {
        match (self.lead, &entry.at) {
            (Lead::Line, At::Archive(path, _)) => text::faint(&format!("{}: ", text::path(path))),
            _ => String::new(),
        }
    }

    fn show_raw(&self, out: &mut Stdout, entry: &EntryRow) -> io::Result<()> {
        let path = &*path_bytes(entry.at.path());
        let is_file = entry.at.index().is_none();
        if is_file || self.lead != Lead::None {
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

fn show_tree(out: &mut Stdout, table: &Columns, rows: &[EntryRow]) -> io::Result<()> {
    let names = rows.iter().map(|row| &row.name[..]);
    let mut line = String::new();
    tree::draw(names.zip(0..), &mut |branch, part, place| {
        line.clear();
        table.add(place.and_then(|place: usize| rows.get(place)), &mut line);
        writeln!(out, "{line}{branch}{}", escape(part))
    })
}

/// Adds a name with its folder in faint text, so that the last part stands out.
fn add_folder_faint(name: &str, line: &mut String) {
    match name.rfind('/').map(|at| name.split_at(at + 1)) {
        Some((folder, last)) => {
            line.push_str(&text::faint(folder));
            line.push_str(last);
        }
        None => line.push_str(name),
    }
}
