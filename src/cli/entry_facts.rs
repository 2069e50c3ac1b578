//! The facts of one entry, as a block of lines and as a row of JSON.

use std::io::{self, Write as _};
use std::path::Path;

use daisho::archive::{FileType, quoted};
use daisho::ops::read::facts::EntryFacts;

use super::facts;
use super::json;
use super::output::Output;
use super::text;

/// Writes a block: the name, then a label and lines for each fact.
pub(crate) fn block(
    out: &mut Output,
    path: &Path,
    entry: &EntryFacts,
    all: bool,
) -> io::Result<()> {
    let (index, name) = (entry.index, quoted(&entry.name));
    writeln!(out, "{}: entry {index} {name}", text::path(path))?;
    let found = &entry.details.found;
    let file_type = found.file_type();
    let mut size = text::bytes(entry.size);
    if entry.size != entry.packed_size {
        size = format!("{size}, {} in the pak", text::bytes(entry.packed_size));
    }
    let known = file_type.map_or_else(|| "not known".to_owned(), |it| it.to_string());
    let mut blocks = vec![
        ("type".to_owned(), vec![known]),
        ("size".to_owned(), vec![size]),
    ];
    for fact in &entry.details.facts {
        blocks.push((facts::label(fact), facts::lines(fact, all)));
    }
    let mut unusual = entry.details.notes.clone();
    if found.is_contrary() {
        let what = file_type.map_or("of no type that is known", FileType::described);
        unusual.insert(0, format!("not what its name says: it is {what}"));
    }
    blocks.push(("unusual".to_owned(), unusual));
    let width = blocks.iter().map(|(label, _)| label.len()).max();
    let width = width.unwrap_or_default() + 2;
    for (label, lines) in blocks {
        let labels = std::iter::once(&label[..]).chain(std::iter::repeat(""));
        for (label, line) in labels.zip(&lines) {
            writeln!(out, "  {label:<width$}{}", text::scrub(line))?;
        }
    }
    Ok(())
}

/// Writes an entry as a row of JSON.
pub(crate) fn row(out: &mut Output, path: &Path, entry: &EntryFacts) -> io::Result<()> {
    let found = &entry.details.found;
    json::row(out, |row| {
        row.path("pak", path)?;
        row.field("index", entry.index)?;
        row.text("name", &entry.name)?;
        row.field("kind", entry.kind.as_str())?;
        row.field("size", entry.size)?;
        row.field("packed_size", entry.packed_size)?;
        row.field("type", found.file_type().map(FileType::as_str))?;
        row.field("format", found.file_type().map(|it| it.to_string()))?;
        row.field("contrary", found.is_contrary())?;
        row.field("facts", facts::Json(&entry.details.facts))?;
        row.field("notes", &entry.details.notes)
    })
}
