//! The facts about an entry or a file, as `info` and `show` print them.

use std::io::{self, Write as _};

use crate::archive::quoted;
use crate::cli::output::Stdout;
use crate::cli::render::labelled;
use crate::cli::text;
use crate::media::{FileFacts, FileType};
use crate::ops::row::{At, EntryRow};

/// Writes a block: the name, then a label and lines for each fact.
pub(crate) fn block(out: &mut Stdout, entry: &EntryRow, all: bool) -> io::Result<()> {
    let Some(details) = details(entry) else {
        return Ok(());
    };
    match entry.at {
        At::Archive(..) => writeln!(out, "{}: {}", text::path(entry.at.path()), which(entry))?,
        At::File(_) => writeln!(out, "{}", which(entry))?,
    }
    let file_type = details.file_type;
    let mut size = text::bytes(entry.size);
    if let Some(packed) = entry.packed_size.filter(|packed| *packed != entry.size) {
        size = format!("{size}, {} in the pak", text::bytes(packed));
    }
    let known = file_type.map_or_else(|| "not known".to_owned(), |it| it.to_string());
    let mut unusual = details.notes.clone();
    if details.is_contrary() {
        let what = file_type.map_or("of no type that is known", FileType::described);
        unusual.insert(0, format!("not what its name says: it is {what}"));
    }
    let labels = details.facts.iter().map(|fact| fact.label().len());
    let width = labels.fold("unusual".len(), usize::max) + 2;
    labelled(out, "type", width, str::to_owned, &[known])?;
    labelled(out, "size", width, str::to_owned, &[size])?;
    for fact in &details.facts {
        labelled(out, &fact.label(), width, str::to_owned, &fact.lines(all))?;
    }
    labelled(out, "unusual", width, str::to_owned, &unusual)
}

/// Writes the line about one of several files that are no archives.
pub(crate) fn line(out: &mut Stdout, file: &EntryRow) -> io::Result<()> {
    let path = text::heading(&text::path(file.at.path()));
    let mut facts = in_short(file);
    facts.push(text::bytes(file.size));
    writeln!(out, "{path}  {}", text::scrub(&facts.join(", ")))
}

/// Which entry of its archive it is, or the path of a file that is no archive.
pub(crate) fn which(entry: &EntryRow) -> String {
    match &entry.at {
        At::Archive(_, index) => format!("entry {index} {}", quoted(&entry.name)),
        At::File(path) => text::path(path),
    }
}

/// The type of an entry, and the facts that matter most.
pub(crate) fn in_short(entry: &EntryRow) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(details) = details(entry) {
        facts.extend(details.file_type.map(|it| it.to_string()));
        facts.push(details.summary());
    }
    facts.retain(|fact| !fact.is_empty());
    facts
}

/// What is known of an entry's content.
pub(crate) fn details(entry: &EntryRow) -> Option<&FileFacts> {
    entry.facts.as_ref()?.details.as_deref()
}
