//! The columns before an entry's name, as wide as the rows need.

use std::fmt::Write as _;

use daisho::Entry;

use super::row::Row;

/// The widths of the columns. A column without a width is left out.
#[derive(Debug)]
pub(super) struct Table {
    /// Loose files have no number.
    index: Option<usize>,
    size: usize,
    /// Only if an entry is compressed.
    packed: Option<usize>,
    kind: usize,
    /// Only with `-l`.
    facts: Option<usize>,
}

impl Table {
    pub(super) fn new(rows: &[Row<'_>], long: bool) -> Self {
        let mut table = Self {
            index: None,
            size: 0,
            packed: None,
            kind: 0,
            facts: long.then_some(0),
        };
        for row in rows {
            let entry = &row.entry;
            if !entry.is_file() {
                table.index = table.index.max(Some(digits(entry.index() as u64)));
            }
            if entry.is_compressed() {
                table.packed = table.packed.max(Some(digits(entry.stored_len())));
            }
            table.size = table.size.max(digits(entry.size()));
            table.kind = table.kind.max(entry.kind().as_str().len());
            if long {
                table.facts = table.facts.max(Some(facts(row).chars().count()));
            }
        }
        table
    }

    /// Adds the cells of a row to a line, or blanks for a directory of a tree.
    pub(super) fn add(&self, row: Option<&Row<'_>>, line: &mut String) {
        let entry = row.map(|row| &row.entry);
        if let Some(width) = self.index {
            let index = entry.filter(|entry| !entry.is_file());
            add_number(line, index.map(|entry| entry.index() as u64), width);
        }
        add_number(line, entry.map(Entry::size), self.size);
        if let Some(width) = self.packed {
            match entry {
                Some(entry) if !entry.is_compressed() => add_right(line, "-", width),
                entry => add_number(line, entry.map(Entry::stored_len), width),
            }
        }
        let kind = entry.map_or("", |entry| entry.kind().as_str());
        add_left(line, kind, self.kind);
        if let Some(width) = self.facts {
            add_left(line, &row.map_or(String::new(), facts), width);
        }
    }
}

/// What the header says, in short.
fn facts(row: &Row<'_>) -> String {
    let facts = row.header.map_or(String::new(), |header| header.summary());
    match facts.is_empty() {
        true => "-".to_owned(),
        false => facts,
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

fn add_number(line: &mut String, number: Option<u64>, width: usize) {
    let number = number.map_or(String::new(), |number| number.to_string());
    add_right(line, &number, width);
}

fn add_right(line: &mut String, cell: &str, width: usize) {
    // A string takes everything.
    let _ = write!(line, "{cell:>width$}  ");
}

fn add_left(line: &mut String, cell: &str, width: usize) {
    let _ = write!(line, "{cell:width$}  ");
}
