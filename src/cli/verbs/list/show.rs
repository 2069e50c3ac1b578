//! Where rows go: lines, a tree, CSV, JSON, or names alone; archive by archive, or sorted at the end.

use std::io::{self, IsTerminal as _, Write as _};

use clap::Args;
use daisho::archive::{escape, path_bytes};

use super::row::{Key, Row, sort};
use super::table::{Column, Table, show_csv, show_headings};
use crate::cli::args::SHOWN;
use crate::cli::output::{Kind, Output};
use crate::cli::text;
use crate::cli::verbs::tree;

/// How entries are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = SHOWN)]
pub(super) struct ShownArgs {
    /// What each file is as well: its size as a picture, its length as a sound, its entities as a map
    ///
    /// A column of facts from the files' headers, which are read, and decompressed where they must be.
    /// 'daisho info ARCHIVE NAME' says more of one.
    #[arg(short, long, conflicts_with = "names")]
    long: bool,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["tree", "csv", "names", "columns"])]
    json: bool,
    /// As a tree of directories
    #[arg(long, conflicts_with_all = ["csv", "names", "columns", "sort"])]
    tree: bool,
    /// Names alone, escaped
    ///
    /// With -0 they are not escaped, each ends in a NUL byte, and where there are several archives so
    /// does the archive's path before it: pairs, as xargs -0 -n2 takes them.
    #[arg(long, conflicts_with_all = ["csv", "columns"])]
    pub(super) names: bool,
    /// As CSV, with a line of headings; all columns unless --columns says which
    #[arg(long)]
    csv: bool,
    /// These columns, with commas between them
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    columns: Vec<Column>,
    /// Sort the entries of all archives together
    ///
    /// Those that are equal stay in the order of the archives and their directories.
    #[arg(long, value_name = "KEY")]
    sort: Option<Key>,
}

/// What leads the entries of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Nothing: there is one archive.
    None,
    /// The archive's path, on a line before them.
    Heading,
    /// The archive's path, on each line.
    Line,
}

/// Shows rows as they come, or at the end where they are to be sorted.
pub(super) struct Printer<'a> {
    args: &'a ShownArgs,
    /// Whether names end in NUL bytes.
    null: bool,
    lead: Lead,
    out: &'a mut Output,
    /// Whether anything was shown.
    begun: bool,
    /// What waits to be sorted.
    held: Vec<Row>,
}

impl ShownArgs {
    /// What standard output gets.
    pub(super) fn kind(&self, null: bool) -> Kind {
        match self.names && null {
            true => Kind::Binary,
            false => Kind::Text,
        }
    }

    /// Whether it is for people.
    pub(super) const fn is_table(&self) -> bool {
        !(self.json || self.csv || self.names)
    }

    /// Whether headers are to be looked at.
    pub(super) fn wants_facts(&self) -> bool {
        self.long || self.columns.contains(&Column::Facts)
    }

    pub(super) const fn is_json(&self) -> bool {
        self.json
    }
}

impl<'a> Printer<'a> {
    pub(super) fn new(args: &'a ShownArgs, null: bool, several: bool, out: &'a mut Output) -> Self {
        let lead = match several {
            false => Lead::None,
            true if args.tree => Lead::Heading,
            true if args.csv || !args.columns.is_empty() => Lead::None,
            true if args.sort.is_some() || !io::stdout().is_terminal() => Lead::Line,
            true => Lead::Heading,
        };
        Self {
            args,
            null,
            lead,
            out,
            begun: false,
            held: Vec::new(),
        }
    }

    pub(super) fn out(&mut self) -> &mut Output {
        self.out
    }

    /// Shows the rows of an archive, or keeps them to be sorted.
    pub(super) fn add(&mut self, heading: &str, rows: Vec<Row>) -> io::Result<()> {
        if self.args.sort.is_some() {
            self.held.extend(rows);
            return Ok(());
        }
        self.show(heading, &rows)
    }

    /// Shows what was to be sorted.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let mut rows = std::mem::take(&mut self.held);
        if let Some(key) = self.args.sort {
            sort(&mut rows, key);
        }
        self.show("", &rows)?;
        match self.args.csv && !self.begun {
            true => show_headings(self.out, self.columns()),
            false => Ok(()),
        }
    }

    fn show(&mut self, heading: &str, rows: &[Row]) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let is_first = !std::mem::replace(&mut self.begun, true);
        if self.args.json {
            return rows.iter().try_for_each(|row| row.show_json(self.out));
        }
        if self.args.names {
            return rows.iter().try_for_each(|row| self.show_name(row));
        }
        if self.args.csv {
            if is_first {
                show_headings(self.out, self.columns())?;
            }
            let mut rows = rows.iter();
            return rows.try_for_each(|row| show_csv(self.out, self.columns(), row));
        }
        if self.lead == Lead::Heading {
            let between = if is_first { "" } else { "\n" };
            writeln!(self.out, "{between}{}:", text::heading(heading))?;
        }
        let table = Table::new(&self.args.columns, rows);
        if self.args.tree {
            return self.show_tree(&table, rows);
        }
        for rows in rows.chunk_by(|a, b| a.path == b.path) {
            let lead = rows.first().map(|row| self.lead_of(row));
            let lead = lead.unwrap_or_default();
            let mut line = String::new();
            for row in rows {
                line.clear();
                line.push_str(&lead);
                table.add(row, &mut line);
                line.push('\n');
                self.out.write_all(line.as_bytes())?;
            }
        }
        Ok(())
    }

    /// The columns of a CSV.
    fn columns(&self) -> &'a [Column] {
        match self.args.columns.as_slice() {
            [] => Column::of_csv(self.args.long),
            columns => columns,
        }
    }

    /// What leads the line of a row.
    fn lead_of(&self, row: &Row) -> String {
        match self.lead {
            Lead::Line if !row.is_file => text::faint(&format!("{}: ", text::path(&row.path))),
            _ => String::new(),
        }
    }

    fn show_name(&mut self, row: &Row) -> io::Result<()> {
        if !self.null {
            let mut line = self.lead_of(row);
            row.add_shown(&mut line);
            line.push('\n');
            return self.out.write_all(line.as_bytes());
        }
        let path = &*path_bytes(&row.path);
        if self.lead != Lead::None && !row.is_file {
            self.out.write_all(&[path, b"\0"].concat())?;
        }
        let name = if row.is_file { path } else { &row.name };
        self.out.write_all(&[name, b"\0"].concat())
    }

    fn show_tree(&mut self, table: &Table, rows: &[Row]) -> io::Result<()> {
        let names = rows.iter().zip(0..);
        let names = names.map(|(row, place)| (row.name.as_slice(), place));
        let out = &mut *self.out;
        tree::draw(names, &mut |branch, part, place| {
            let row = place.and_then(|place: usize| rows.get(place));
            writeln!(out, "{}{branch}{}", table.before(row), escape(part))
        })
    }
}
