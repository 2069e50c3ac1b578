//! One entry as `list` shows it, as plain data that can wait to be sorted with others.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use clap::ValueEnum;
use daisho::Entry;
use daisho::archive::{Coding, FileType, Kind, escape};
use daisho::media::details::Details;

use crate::cli::facts;
use crate::cli::json;
use crate::cli::output::Output;
use crate::cli::text;

/// One entry, or a loose file.
#[derive(Debug)]
pub(super) struct Row {
    /// The archive, or the loose file.
    pub(super) path: Rc<Path>,
    pub(super) is_file: bool,
    pub(super) index: usize,
    pub(super) name: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) packed: u64,
    pub(super) coding: Coding,
    /// What its header says, where that is asked for and known.
    pub(super) header: Option<Arc<Details>>,
    /// Whether that is asked for.
    pub(super) is_long: bool,
}

/// What entries are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Key {
    /// The bytes of the name
    Name,
    /// The size, the largest first
    Size,
    /// What it takes in the archive, the largest first
    Packed,
    /// Where it lies in the archive
    Offset,
    /// The archive's path
    Archive,
}

impl Row {
    /// An entry of the archive at `path`, or the loose file there.
    pub(super) fn new(path: &Rc<Path>, entry: &Entry<'_>) -> Self {
        Self {
            path: Rc::clone(path),
            is_file: entry.is_file(),
            index: entry.index(),
            name: entry.name().as_bytes().to_vec(),
            kind: entry.kind(),
            offset: entry.offset(),
            size: entry.size(),
            packed: entry.stored_len(),
            coding: entry.coding(),
            header: None,
            is_long: false,
        }
    }

    /// Rows of entries of the archive at `path`, each with what its header says, where there is any.
    pub(super) fn all<'a>(
        path: &Rc<Path>,
        entries: impl IntoIterator<Item = &'a Entry<'a>>,
        headers: &[Option<Arc<Details>>],
    ) -> Vec<Self> {
        let entries = entries.into_iter().enumerate();
        let rows = entries.map(|(number, entry)| {
            let header = headers.get(number);
            Self {
                is_long: header.is_some(),
                header: header.cloned().flatten(),
                ..Self::new(path, entry)
            }
        });
        rows.collect()
    }

    /// The facts in one line.
    pub(super) fn facts(&self) -> String {
        let header = self.header.as_ref();
        header.map_or(String::new(), |header| header.summary())
    }

    fn show_facts(&self, row: &mut json::Row<'_>) -> io::Result<()> {
        if !self.is_long {
            return Ok(());
        }
        let header = self.header.as_deref();
        let file_type = header.and_then(|header| header.found.file_type());
        row.field("type", file_type.map(FileType::as_str))?;
        let all = header.map_or(&[][..], |header| &header.facts);
        row.field("facts", facts::Json(all))
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.coding != Coding::Stored
    }

    /// Adds the name, or the path of a loose file, escaped.
    pub(super) fn add_shown(&self, line: &mut String) {
        // A string takes everything.
        let _ = match self.is_file {
            true => line.write_str(&text::path(&self.path)),
            false => write!(line, "{}", escape(&self.name)),
        };
    }

    pub(super) fn show_json(&self, out: &mut Output) -> io::Result<()> {
        json::row(out, |row| {
            if self.is_file {
                row.path("file", &self.path)?;
                row.text("name", &self.name)?;
                row.field("kind", self.kind.as_str())?;
                row.field("size", self.size)?;
                return self.show_facts(row);
            }
            row.path("pak", &self.path)?;
            row.field("index", self.index)?;
            row.text("name", &self.name)?;
            row.field("kind", self.kind.as_str())?;
            row.field("offset", self.offset)?;
            row.field("size", self.size)?;
            row.field("packed_size", self.packed)?;
            row.field("compressed", self.is_compressed())?;
            self.show_facts(row)
        })
    }
}

/// Sorts rows; those that are equal keep their order.
pub(super) fn sort(rows: &mut [Row], key: Key) {
    match key {
        Key::Name => rows.sort_by(|a, b| a.name.cmp(&b.name)),
        Key::Size => rows.sort_by_key(|row| Reverse(row.size)),
        Key::Packed => rows.sort_by_key(|row| Reverse(row.packed)),
        Key::Offset => rows.sort_by_key(|row| row.offset),
        Key::Archive => rows.sort_by(|a, b| a.path.cmp(&b.path)),
    }
}
