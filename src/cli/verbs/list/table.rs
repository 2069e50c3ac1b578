//! Rows as columns of text, aligned, or as CSV.

use std::io::{self, Write as _};
use std::iter::repeat_n;

use clap::ValueEnum;

use super::row::Row;
use crate::cli::output::Output;
use crate::cli::text;

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Column {
    /// The archive's path
    Archive,
    /// The number in the archive, from 0
    Index,
    /// What the extension says
    Kind,
    /// The first byte of its content in the archive
    Offset,
    /// The size, decompressed
    Size,
    /// What it takes in the archive
    Packed,
    /// How it is compressed, or stored
    Coding,
    /// The name, escaped
    Name,
    /// What its header says, in short
    Facts,
}

impl Column {
    /// Those that CSV has, in their order; and where facts are asked for, these behind them.
    pub(super) const ALL: [Self; 9] = [
        Self::Archive,
        Self::Index,
        Self::Kind,
        Self::Offset,
        Self::Size,
        Self::Packed,
        Self::Coding,
        Self::Name,
        Self::Facts,
    ];

    /// The columns of a CSV, with facts or without.
    pub(super) fn of_csv(with_facts: bool) -> &'static [Self] {
        let (_, without) = Self::ALL.split_last().unwrap_or((&Self::Facts, &[]));
        if with_facts { &Self::ALL } else { without }
    }

    const fn heading(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::Index => "index",
            Self::Kind => "kind",
            Self::Offset => "offset",
            Self::Size => "size",
            Self::Packed => "packed",
            Self::Coding => "coding",
            Self::Name => "name",
            Self::Facts => "facts",
        }
    }

    const fn is_number(self) -> bool {
        matches!(self, Self::Index | Self::Offset | Self::Size | Self::Packed)
    }

    /// Adds what stands there. Loose files are in no archive.
    fn add(self, row: &Row, cell: &mut String) {
        let mut number = |number: u64| cell.push_str(&number.to_string());
        match self {
            Self::Archive | Self::Index | Self::Offset if row.is_file => {}
            Self::Archive => cell.push_str(&text::path(&row.path)),
            Self::Index => number(row.index as u64),
            Self::Kind => cell.push_str(row.kind.as_str()),
            Self::Offset => number(row.offset),
            Self::Size => number(row.size),
            Self::Packed => number(row.packed),
            Self::Coding => cell.push_str(row.coding.as_str()),
            Self::Name => row.add_shown(cell),
            Self::Facts => cell.push_str(&row.facts()),
        }
    }
}

/// Columns by the widths that some rows need.
#[derive(Debug)]
pub(super) struct Table(Vec<(Column, usize)>);

impl Table {
    /// These columns, or those that `list` shows unless it is told: the number, which loose files do not
    /// have, the size, what it takes where one is compressed, the kind, the facts where they are asked for,
    /// and the name.
    pub(super) fn new(columns: &[Column], rows: &[Row]) -> Self {
        let is_seen = |column: &Column| match column {
            Column::Index => rows.iter().any(|row| !row.is_file),
            Column::Packed => rows.iter().any(Row::is_compressed),
            Column::Facts => rows.iter().any(|row| row.is_long),
            _ => true,
        };
        let mut columns = columns.to_vec();
        if columns.is_empty() {
            use Column::{Facts, Index, Kind, Name, Packed, Size};
            columns = vec![Index, Size, Packed, Kind, Facts, Name];
            columns.retain(is_seen);
        }
        let last = columns.len().saturating_sub(1);
        let mut cell = String::new();
        let mut width = |column: Column| {
            let widths = rows.iter().map(|row| {
                cell.clear();
                add_shown(column, row, &mut cell);
                cell.chars().count()
            });
            widths.max().unwrap_or_default()
        };
        // What ends a line needs no width, unless it stands on the right.
        let widths = columns.iter().enumerate().map(|(at, column)| {
            let is_needed = at < last || column.is_number();
            (*column, if is_needed { width(*column) } else { 0 })
        });
        Self(widths.collect())
    }

    /// Adds a row to a line. The blanks at its end are a name's own.
    pub(super) fn add(&self, row: &Row, line: &mut String) {
        self.add_cells(self.0.len(), Some(row), line);
    }

    /// What stands before the last column, of a row or of none.
    pub(super) fn before(&self, row: Option<&Row>) -> String {
        let mut line = String::new();
        self.add_cells(self.0.len().saturating_sub(1), row, &mut line);
        line + "  "
    }

    fn add_cells(&self, count: usize, row: Option<&Row>, line: &mut String) {
        let last = self.0.len().saturating_sub(1);
        let mut cell = String::new();
        for (at, (column, width)) in self.0.iter().enumerate().take(count) {
            cell.clear();
            if let Some(row) = row {
                add_shown(*column, row, &mut cell);
            }
            if at > 0 {
                line.push_str("  ");
            }
            let blanks = width.saturating_sub(cell.chars().count());
            let blanks = repeat_n(' ', blanks);
            if column.is_number() {
                line.extend(blanks);
                line.push_str(&cell);
            } else if at == last && *column == Column::Name {
                add_folder_faint(&cell, line);
            } else {
                line.push_str(&cell);
                line.extend(blanks);
            }
        }
    }
}

/// Adds a name, so that its last part is seen first.
fn add_folder_faint(name: &str, line: &mut String) {
    match name.rfind('/').map(|at| name.split_at(at + 1)) {
        Some((folder, last)) => {
            line.push_str(&text::faint(folder));
            line.push_str(last);
        }
        None => line.push_str(name),
    }
}

/// Adds what stands in a column of text, where '-' says that it is what it would be without.
fn add_shown(column: Column, row: &Row, cell: &mut String) {
    match column {
        Column::Packed if !row.is_compressed() => cell.push('-'),
        Column::Facts if row.facts().is_empty() => cell.push('-'),
        column => column.add(row, cell),
    }
}

/// Writes the first line of a CSV, which names the columns.
pub(super) fn show_headings(out: &mut Output, columns: &[Column]) -> io::Result<()> {
    let headings: Vec<&str> = columns.iter().map(|column| column.heading()).collect();
    writeln!(out, "{}", headings.join(","))
}

/// Writes a row as a line of CSV, as RFC 4180 puts it but for the CR at its end.
pub(super) fn show_csv(out: &mut Output, columns: &[Column], row: &Row) -> io::Result<()> {
    let cells = columns.iter().map(|column| {
        let mut cell = String::new();
        column.add(row, &mut cell);
        field(cell)
    });
    writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))
}

/// A cell, in quotation marks where it needs some.
fn field(cell: String) -> String {
    match cell.contains([',', '"']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_csv_is_quoted_where_it_must_be() {
        for (cell, expected) in [
            ("a b", "a b"),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("", ""),
        ] {
            assert_eq!(field(cell.to_owned()), expected);
        }
    }
}
