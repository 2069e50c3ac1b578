//! The columns before an entry's name, as wide as the rows need.

use std::fmt::Write as _;

use daisho::media::Kind;
use daisho::ops::row::EntryRow;

const SIZE: &str = "size";
const PACKED: &str = "packed";
const KIND: &str = "kind";
const FACTS: &str = "facts";

/// The widths of the columns. A column without a width is left out.
#[derive(Debug)]
pub(super) struct Columns {
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
    pub(super) fn new(rows: &[EntryRow], long: bool, has_headings: bool) -> Self {
        let least = |heading: &str| if has_headings { heading.len() } else { 0 };
        let mut table = Self {
            index: None,
            size: least(SIZE),
            packed: None,
            kind: least(KIND),
            facts: long.then_some(least(FACTS)),
        };
        for row in rows {
            if let Some(index) = row.at.index() {
                table.index = table.index.max(Some(digits(index as u64)));
            }
            if let (Some(packed), Some(true)) = (row.packed_size, row.compressed) {
                let width = digits(packed).max(least(PACKED));
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

    /// The headings of the columns.
    pub(super) fn headings(&self) -> String {
        let mut line = String::new();
        if let Some(width) = self.index {
            add_right(&mut line, "", width);
        }
        add_right(&mut line, SIZE, self.size);
        if let Some(width) = self.packed {
            add_right(&mut line, PACKED, width);
        }
        add_left(&mut line, KIND, self.kind);
        if let Some(width) = self.facts {
            add_left(&mut line, FACTS, width);
        }
        line + "name"
    }

    /// Adds the cells of a row to a line, or blanks for a directory of a tree.
    pub(super) fn add(&self, row: Option<&EntryRow>, line: &mut String) {
        if let Some(width) = self.index {
            let index = row.and_then(|row| row.at.index());
            add_number(line, index.map(|index| index as u64), width);
        }
        add_number(line, row.map(|row| row.size), self.size);
        if let Some(width) = self.packed {
            match row {
                Some(row) if row.compressed != Some(true) => add_right(line, "-", width),
                row => add_number(line, row.and_then(|row| row.packed_size), width),
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
