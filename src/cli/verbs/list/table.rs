//! Rows as columns of text, aligned, or as CSV.

use std::io::{self, Write as _};

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

    /// What stands there. Loose files are in no archive.
    fn cell(self, row: &Row) -> String {
        match self {
            Self::Archive | Self::Index | Self::Offset if row.is_file => String::new(),
            Self::Archive => text::path(&row.path),
            Self::Index => row.index.to_string(),
            Self::Kind => row.kind.to_string(),
            Self::Offset => row.offset.to_string(),
            Self::Size => row.size.to_string(),
            Self::Packed => row.packed.to_string(),
            Self::Coding => row.coding.as_str().to_owned(),
            Self::Name => row.shown(),
            Self::Facts => row.facts(),
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
        let width = |column: Column| {
            let widths = rows.iter().map(|row| shown(column, row).chars().count());
            (column, widths.max().unwrap_or_default())
        };
        Self(columns.into_iter().map(width).collect())
    }

    /// A row as a line. The blanks at its end are a name's own.
    pub(super) fn line(&self, row: &Row) -> String {
        self.cells(self.0.len(), |column| shown(column, row))
    }

    /// What stands before the last column, of a row or of none.
    pub(super) fn before(&self, row: Option<&Row>) -> String {
        let cell = |column| row.map_or(String::new(), |row| shown(column, row));
        self.cells(self.0.len().saturating_sub(1), cell) + "  "
    }

    fn cells(&self, count: usize, cell: impl Fn(Column) -> String) -> String {
        let last = self.0.len().saturating_sub(1);
        let cells = self.0.iter().enumerate().take(count);
        let cells = cells.map(|(at, (column, width))| {
            let (cell, width) = (cell(*column), *width);
            match column.is_number() {
                true => format!("{cell:>width$}"),
                false if at == last && *column == Column::Name => folder_faint(&cell),
                false if at == last => cell,
                false => format!("{cell:<width$}"),
            }
        });
        cells.collect::<Vec<_>>().join("  ")
    }
}

/// A name, so that its last part is seen first.
fn folder_faint(name: &str) -> String {
    match name.rfind('/').map(|at| name.split_at(at + 1)) {
        Some((folder, last)) => text::faint(folder) + last,
        None => name.to_owned(),
    }
}

/// What stands in a column of text, where '-' says that it is what it would be without.
fn shown(column: Column, row: &Row) -> String {
    match column {
        Column::Packed if !row.is_compressed() => "-".to_owned(),
        Column::Facts if row.facts().is_empty() => "-".to_owned(),
        column => column.cell(row),
    }
}

/// Writes the first line of a CSV, which names the columns.
pub(super) fn show_headings(out: &mut Output, columns: &[Column]) -> io::Result<()> {
    let headings: Vec<&str> = columns.iter().map(|column| column.heading()).collect();
    writeln!(out, "{}", headings.join(","))
}

/// Writes a row as a line of CSV, as RFC 4180 puts it but for the CR at its end.
pub(super) fn show_csv(out: &mut Output, columns: &[Column], row: &Row) -> io::Result<()> {
    let cells = columns.iter().map(|column| field(column.cell(row)));
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
