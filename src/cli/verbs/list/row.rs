//! One entry as `list` shows it, as plain data that can wait to be sorted with others.

use std::cmp::Reverse;
use std::io;
use std::path::Path;
use std::rc::Rc;

use clap::ValueEnum;
use daisho::Entry;
use daisho::archive::{Coding, Kind, escape};

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
        }
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.coding != Coding::Stored
    }

    /// The name, or the path of a loose file, escaped.
    pub(super) fn shown(&self) -> String {
        match self.is_file {
            true => text::path(&self.path),
            false => escape(&self.name).to_string(),
        }
    }

    pub(super) fn show_json(&self, out: &mut Output) -> io::Result<()> {
        json::row(out, |row| {
            if self.is_file {
                row.path("file", &self.path)?;
                row.text("name", &self.name)?;
                row.field("kind", self.kind.as_str())?;
                return row.field("size", self.size);
            }
            row.path("pak", &self.path)?;
            row.field("index", self.index)?;
            row.text("name", &self.name)?;
            row.field("kind", self.kind.as_str())?;
            row.field("offset", self.offset)?;
            row.field("size", self.size)?;
            row.field("packed_size", self.packed)?;
            row.field("compressed", self.is_compressed())
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
