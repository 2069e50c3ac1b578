//! One entry as `list` shows it.

use std::io;
use std::path::Path;

use daisho::Entry;
use daisho::archive::{Coding, FileType, escape};
use daisho::media::details::Details;

use crate::cli::facts;
use crate::cli::json;
use crate::cli::output::Output;
use crate::cli::text;

/// One entry, or a loose file.
pub(super) struct Row<'a> {
    /// The archive, or the loose file.
    pub(super) path: &'a Path,
    pub(super) entry: Entry<'a>,
    /// What its header says, if `-l` asked for it and it is known.
    pub(super) header: Option<&'a Details>,
}

impl Row<'_> {
    /// The name, or the path of a loose file, escaped.
    pub(super) fn shown(&self) -> String {
        match self.entry.is_file() {
            true => text::path(self.path),
            false => escape(self.entry.name().as_bytes()).to_string(),
        }
    }

    /// Writes the row as JSON, with facts if `-l` is given.
    pub(super) fn show_json(&self, out: &mut Output, long: bool) -> io::Result<()> {
        let entry = &self.entry;
        json::row(out, |row| {
            if entry.is_file() {
                row.path("file", self.path)?;
            } else {
                row.path("pak", self.path)?;
                row.field("index", entry.index())?;
            }
            row.text("name", entry.name().as_bytes())?;
            row.field("kind", entry.kind().as_str())?;
            if !entry.is_file() {
                row.field("offset", entry.offset())?;
            }
            row.field("size", entry.size())?;
            if !entry.is_file() {
                row.field("packed_size", entry.stored_len())?;
                row.field("compressed", entry.coding() != Coding::Stored)?;
            }
            if long {
                let file_type = self.header.and_then(|header| header.found.file_type());
                row.field("type", file_type.map(FileType::as_str))?;
                let facts = self.header.map_or(&[][..], |header| &header.facts);
                row.field("facts", facts::Json(facts))?;
            }
            Ok(())
        })
    }
}
