//! Entries as `show` shows them: pictures, text, or facts. `info` shows the same facts.

use std::io::{self, Write as _};

use daisho::Entry;
use daisho::archive::quoted;
use daisho::media::{FileFacts, FileType};
use daisho::ops::finding::Finding;
use daisho::ops::row::{At, EntryRow};
use daisho::ops::{Shown, ShownContent};

use super::json_line;
use crate::cli::output::Stdout;
use crate::cli::terminal::{self, ColorDepth, Room};
use crate::cli::text::{self, Escaper};
use crate::cli::ui::Ui;

/// How entries are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Their facts.
    Facts,
    /// As text, or as pictures in so many colours.
    Drawn(ColorDepth),
    /// As text, and pictures as their facts.
    Text,
}

/// Shows entries on standard output.
pub(crate) struct Viewer<'v> {
    way: Way,
    room: Room,
    several: bool,
    count: usize,
    ui: &'v Ui,
    out: &'v mut Stdout,
    /// Why a picture was not drawn.
    undrawn: Option<&'static str>,
}

const COLOURLESS: &str = "pictures are drawn in colours here, which are turned off: these are their facts; --color always draws them";
const UNDECODED: &str = "PNG and JPEG are not decoded: these are their facts; 'daisho cat ARCHIVE NAME | chafa' draws them";

impl<'v> Viewer<'v> {
    pub(crate) fn new(
        way: Way,
        width: Option<u16>,
        several: bool,
        ui: &'v Ui,
        out: &'v mut Stdout,
    ) -> Self {
        Self { way, room: Room::here(width), several, count: 0, ui, out, undrawn: None }
    }

    /// Ends the output, and reports what could not be shown.
    pub(crate) fn end(self, findings: &[Finding]) -> io::Result<()> {
        self.out.flush()?;
        self.ui.findings(findings);
        if let Some(note) = self.undrawn {
            self.ui.note(note);
        }
        Ok(())
    }

    /// Shows an entry.
    pub(crate) fn show(&mut self, shown: &Shown<'_>) -> io::Result<()> {
        let between = self.count > 0 && !self.ui.json;
        self.count += 1;
        if between {
            writeln!(self.out)?;
        }
        let drawn = match (&shown.content, self.way) {
            (_, Way::Facts) | (ShownContent::Other, _) => None,
            (ShownContent::Undecoded, _) => {
                self.undrawn = Some(UNDECODED);
                None
            }
            (ShownContent::Text, _) => return self.text(shown),
            (_, Way::Text) => {
                self.undrawn = Some(COLOURLESS);
                None
            }
            (ShownContent::Picture(picture), Way::Drawn(colours)) => picture
                .whole()
                .map(|whole| terminal::draw(&whole, &picture.palette, colours, &self.room)),
        };
        match drawn {
            Some(drawn) => {
                self.heading(&shown.facts)?;
                self.out.write_all(drawn.as_bytes())
            }
            None => self.facts(&shown.facts),
        }
    }

    fn facts(&mut self, entry: &EntryRow) -> io::Result<()> {
        if self.ui.json {
            json_line(self.out, entry)
        } else {
            block(self.out, entry, self.ui.verbose)
        }
    }

    /// Writes a line about the next entry if there are several.
    fn heading(&mut self, entry: &EntryRow) -> io::Result<()> {
        if !self.several {
            return Ok(());
        }
        let mut facts = vec![which(entry)];
        facts.extend(in_short(entry));
        writeln!(self.out, "{}", text::scrub(&facts.join(", ")))
    }

    fn text(&mut self, shown: &Shown<'_>) -> io::Result<()> {
        self.heading(&shown.facts)?;
        if let Err(error) = print(self.out, &shown.entry)? {
            self.out.flush()?;
            self.ui.finding(&error);
        }
        Ok(())
    }
}

/// Prints an entry's text, up to the damage if it is damaged.
fn print(out: &mut Stdout, entry: &Entry<'_>) -> io::Result<Result<(), Finding>> {
    let mut reader = match entry.reader() {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(error.into())),
    };
    let (mut escaper, mut buffer) = (Escaper::default(), vec![0; 64 * 1024]);
    let read = loop {
        match reader.read_some(&mut buffer) {
            Ok(0) => break Ok(()),
            Ok(read) => {
                let text = escaper.escape(buffer.get(..read).unwrap_or(&buffer));
                out.write_all(text.as_bytes())?;
            }
            Err(error) => break Err(error.into()),
        }
    };
    out.write_all(escaper.end().as_bytes())?;
    Ok(read)
}

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
    let mut blocks = vec![("type".to_owned(), vec![known]), ("size".to_owned(), vec![size])];
    for fact in &details.facts {
        blocks.push((fact.label(), fact.lines(all)));
    }
    let mut unusual = details.notes.clone();
    if details.is_contrary() {
        let what = file_type.map_or("of no type that is known", FileType::described);
        unusual.insert(0, format!("not what its name says: it is {what}"));
    }
    blocks.push(("unusual".to_owned(), unusual));
    let longest = blocks.iter().map(|(label, _)| label.len()).max();
    let width = longest.unwrap_or(0) + 2;
    for (label, lines) in blocks {
        let labels = std::iter::once(&label[..]).chain(std::iter::repeat(""));
        for (label, line) in labels.zip(&lines) {
            writeln!(out, "  {label:<width$}{}", text::scrub(line))?;
        }
    }
    Ok(())
}

/// Writes the line about one of several files that are no archives.
pub(crate) fn line(out: &mut Stdout, file: &EntryRow) -> io::Result<()> {
    let path = text::heading(&text::path(file.at.path()));
    let mut facts = in_short(file);
    facts.push(text::bytes(file.size));
    writeln!(out, "{path}  {}", text::scrub(&facts.join(", ")))
}

/// Which entry of its archive it is, or the path of a file that is no archive.
fn which(entry: &EntryRow) -> String {
    match &entry.at {
        At::Archive(_, index) => format!("entry {index} {}", quoted(&entry.name)),
        At::File(path) => text::path(path),
    }
}

/// The type of an entry, and the facts that matter most.
fn in_short(entry: &EntryRow) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(details) = details(entry) {
        facts.extend(details.file_type.map(|it| it.to_string()));
        facts.push(details.summary());
    }
    facts.retain(|fact| !fact.is_empty());
    facts
}

/// What is known of an entry's content.
fn details(entry: &EntryRow) -> Option<&FileFacts> {
    entry.facts.as_ref()?.details.as_deref()
}
