//! The facts of a file: a block of lines.

use std::io::{self, Write as _};

use daisho::archive::quoted;
use daisho::media::{FileType, Found};
use daisho::ops::row::EntryRow;

use crate::cli::output::Stdout;
use crate::cli::text;

/// Writes a block: the name, then a label and lines for each fact.
pub(crate) fn block(out: &mut Stdout, entry: &EntryRow, all: bool) -> io::Result<()> {
    let Some(details) = details(entry) else {
        return Ok(());
    };
    let (index, name) = (entry.at.index().unwrap_or_default(), quoted(&entry.name));
    writeln!(out, "{}: entry {index} {name}", text::path(entry.at.path()))?;
    let file_type = details.file_type;
    let mut size = text::bytes(entry.size);
    if let Some(packed) = entry.packed_size.filter(|packed| *packed != entry.size) {
        size = format!("{size}, {} in the pak", text::bytes(packed));
    }
    let known = file_type.map_or_else(|| "not known".to_owned(), |it| it.to_string());
    let mut blocks = vec![
        ("type".to_owned(), vec![known]),
        ("size".to_owned(), vec![size]),
    ];
    for fact in &details.facts {
        blocks.push((fact.label(), fact.lines(all)));
    }
    let mut unusual = details.notes.clone();
    if details.is_contrary() {
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

/// What is known of an entry's content.
pub(crate) fn details(entry: &EntryRow) -> Option<&Found> {
    entry.facts.as_ref()?.details.as_deref()
}
