//! How rows are shown: as lines, a tree, JSON, or names alone.

use std::io::{self, IsTerminal as _, Write as _};

use clap::Args;
use daisho::archive::{escape, path_bytes};

use super::row::Row;
use super::table::Table;
use crate::cli::args::SHOWN;
use crate::cli::output::{Kind, Output};
use crate::cli::text;
use crate::cli::verbs::tree;

/// How entries are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = SHOWN)]
pub(super) struct ShownArgs {
    /// Also show what each file is: a picture's size, a sound's length, a map's entities
    ///
    /// A column of facts from the files' headers, which are read, and decompressed if necessary.
    /// 'daisho info ARCHIVE NAME' says more about one file.
    #[arg(short, long, conflicts_with = "names")]
    pub(super) long: bool,
    /// One JSON object a line
    #[arg(long, conflicts_with_all = ["tree", "names"])]
    pub(super) json: bool,
    /// As a tree of directories
    #[arg(long, conflicts_with = "names")]
    tree: bool,
    /// Names alone, escaped
    ///
    /// With -0 they are not escaped, each ends in a NUL byte, and where there are several archives so
    /// does the archive's path before it: pairs, as xargs -0 -n2 takes them.
    #[arg(long)]
    pub(super) names: bool,
    /// With --names, end each name in a NUL byte and escape nothing
    #[arg(short = '0', long, requires = "names", hide_short_help = true)]
    null: bool,
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

/// Shows rows as they come.
pub(super) struct Printer<'a> {
    args: &'a ShownArgs,
    lead: Lead,
    pub(super) out: &'a mut Output,
    /// Whether anything was shown.
    begun: bool,
}

impl ShownArgs {
    /// What standard output gets.
    pub(super) fn kind(&self) -> Kind {
        match self.null {
            true => Kind::Binary,
            false => Kind::Text,
        }
    }

    /// Whether it is for people.
    pub(super) const fn is_table(&self) -> bool {
        !(self.json || self.names)
    }
}

impl<'a> Printer<'a> {
    pub(super) fn new(args: &'a ShownArgs, several: bool, out: &'a mut Output) -> Self {
        let lead = match several {
            false => Lead::None,
            true if args.tree || io::stdout().is_terminal() => Lead::Heading,
            true => Lead::Line,
        };
        Self {
            args,
            lead,
            out,
            begun: false,
        }
    }

    /// Shows the rows of an archive.
    pub(super) fn show(&mut self, heading: &str, rows: &[Row<'_>]) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        if self.args.json {
            for row in rows {
                row.show_json(self.out, self.args.long)?;
            }
            return Ok(());
        }
        if self.args.names {
            return rows.iter().try_for_each(|row| self.show_name(row));
        }
        let is_first = !std::mem::replace(&mut self.begun, true);
        if self.lead == Lead::Heading {
            let between = if is_first { "" } else { "\n" };
            writeln!(self.out, "{between}{}:", text::heading(heading))?;
        }
        let table = Table::new(rows, self.args.long);
        if self.args.tree {
            return self.show_tree(&table, rows);
        }
        // Rows have one path, unless they are loose files, which no path leads.
        let lead = rows.first().map_or(String::new(), |row| self.lead_of(row));
        let mut line = String::new();
        for row in rows {
            line.clear();
            line.push_str(&lead);
            table.add(Some(row), &mut line);
            add_folder_faint(&row.shown(), &mut line);
            line.push('\n');
            self.out.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// What leads the line of a row.
    fn lead_of(&self, row: &Row<'_>) -> String {
        match self.lead {
            Lead::Line if !row.entry.is_file() => {
                text::faint(&format!("{}: ", text::path(row.path)))
            }
            _ => String::new(),
        }
    }

    fn show_name(&mut self, row: &Row<'_>) -> io::Result<()> {
        if !self.args.null {
            let line = self.lead_of(row) + &row.shown();
            return writeln!(self.out, "{line}");
        }
        let path = &*path_bytes(row.path);
        if row.entry.is_file() {
            return self.out.write_all(&[path, b"\0"].concat());
        }
        if self.lead != Lead::None {
            self.out.write_all(&[path, b"\0"].concat())?;
        }
        let name = row.entry.name().as_bytes();
        self.out.write_all(&[name, b"\0"].concat())
    }

    fn show_tree(&mut self, table: &Table, rows: &[Row<'_>]) -> io::Result<()> {
        let names = rows.iter().map(|row| row.entry.name().as_bytes());
        let out = &mut *self.out;
        let mut line = String::new();
        tree::draw(names.zip(0..), &mut |branch, part, place| {
            line.clear();
            table.add(place.and_then(|place: usize| rows.get(place)), &mut line);
            writeln!(out, "{line}{branch}{}", escape(part))
        })
    }
}

/// Adds a name whose folder is faint, so that its last part is seen first.
fn add_folder_faint(name: &str, line: &mut String) {
    match name.rfind('/').map(|at| name.split_at(at + 1)) {
        Some((folder, last)) => {
            line.push_str(&text::faint(folder));
            line.push_str(last);
        }
        None => line.push_str(name),
    }
}
