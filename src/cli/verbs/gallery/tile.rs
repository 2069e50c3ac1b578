//! An entry on the page: its picture, map, sound or text as files that a browser shows, and its facts.

use std::io;
use std::path::{Path, PathBuf};

use crate::archive::{Entry, escape};
use crate::media::drawing::drawing;
use crate::media::{self, FileFacts, FileType, Kind, Picture};
use crate::ops::finding::{Finding, not_examined};
use crate::ops::pictures::{Pictures, smaller};
use crate::ops::plan::policy::{Finished, Guard};
use crate::ops::stream::Failure;

/// The longest side of a thumbnail.
const THUMBNAIL: u32 = 192;

/// The most lines in the drawing of a map: in a thumbnail, and in full size.
const LINES: (usize, usize) = (700, 20_000);

/// The longest file that is copied. Sounds of games take some kB.
const COPY_MAX: u64 = 32 << 20;

/// The most bytes of a text that are shown.
const TEXT_MAX: usize = 256 << 10;

/// An entry on the page.
#[derive(Debug)]
pub(super) struct Tile<'g> {
    /// The number of its archive.
    pub(super) archive: usize,
    /// Its number there.
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) size: u64,
    /// What a browser shows or plays for it: a picture, a map, a sound or a text.
    pub(super) look: Option<Kind>,
    /// The address of a file, seen from the page; empty if the browser shows nothing.
    pub(super) thumbnail: String,
    pub(super) full: String,
    /// Labels and values. A first fact without a label is the line under the tile.
    pub(super) facts: Vec<(String, String)>,
    /// Why it cannot be shown; empty if it can.
    pub(super) finding: String,
    /// Its files.
    pub(super) files: Vec<Finished<'g>>,
}

/// The folder next to the page. Each archive has a folder in it, and each entry files with its number as their name.
const FOLDER: &str = "files";

/// The extensions of these files.
const EXTENSIONS: [&str; 9] =
    ["png", "small.png", "svg", "small.svg", "jpg", "wav", "mp3", "ogg", "txt"];

/// The paths that the files of an entry of this number can have.
pub(super) fn paths_of(archive: usize, entry: &Entry<'_>) -> [PathBuf; EXTENSIONS.len()] {
    EXTENSIONS.map(|extension| address(archive, entry.index(), extension).into())
}

/// The address of a file of an entry, seen from the page.
fn address(archive: usize, index: usize, extension: &str) -> String {
    format!("{FOLDER}/{archive}/{index}.{extension}")
}

/// Makes tiles from entries.
pub(super) struct Tiler<'p, 'g> {
    pub(super) pictures: &'p Pictures,
    pub(super) guard: &'g Guard,
}

impl<'g> Tiler<'_, 'g> {
    /// Makes a tile. Of a damaged entry it shows the name and the problem.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn tile(
        &self,
        archive: usize,
        entry: &Entry<'_>,
    ) -> Result<(Tile<'g>, Vec<Finding>), Finding> {
        let mut tile = Tile {
            archive,
            index: entry.index(),
            name: escape(entry.name().as_bytes()).to_string(),
            kind: Kind::of(entry.name()),
            size: entry.size(),
            look: None,
            thumbnail: String::new(),
            full: String::new(),
            facts: Vec::new(),
            finding: String::new(),
            files: Vec::new(),
        };
        let mut findings = Vec::new();
        match self.fill(&mut tile, entry, &mut findings) {
            Ok(()) => {}
            Err(Failure::Output(error)) => return Err(error),
            Err(Failure::Entry(error)) => {
                tile.look = None;
                tile.finding = error.detail.to_string();
                findings.push(error);
            }
        }
        Ok((tile, findings))
    }

    fn fill(
        &self,
        tile: &mut Tile<'g>,
        entry: &Entry<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Failure> {
        entry.check_claims().map_err(Failure::entry)?;
        let details = media::look_at_all(*entry).map_err(Failure::entry)?;
        tile.facts = facts(&details);
        match details.file_type {
            Some(FileType::Png) => self.copy(tile, entry, Kind::Picture, "png"),
            Some(FileType::Jpeg) => self.copy(tile, entry, Kind::Picture, "jpg"),
            _ if Picture::may_be_in(entry.name()) => self.picture(tile, entry, findings),
            Some(FileType::Wav) => self.copy(tile, entry, Kind::Sound, "wav"),
            Some(FileType::Mp3) => self.copy(tile, entry, Kind::Sound, "mp3"),
            Some(FileType::Ogg) => self.copy(tile, entry, Kind::Sound, "ogg"),
            Some(file_type) if file_type.kind() == Kind::Map => self.map(tile, entry),
            Some(_) => Ok(()),
            None => self.text(tile, entry),
        }
    }

    fn picture(
        &self,
        tile: &mut Tile<'g>,
        entry: &Entry<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Failure> {
        let decoded = self.pictures.decode_within_memory(entry);
        let (_share, picture) = decoded.map_err(Failure::Entry)?;
        let Some(whole) = picture.whole() else {
            return Ok(());
        };
        let full = picture.png().map_err(not_encoded)?;
        tile.full = self.keep(tile, "png", &full)?;
        tile.thumbnail = if whole.width.max(whole.height) <= THUMBNAIL {
            tile.full.clone()
        } else {
            let small = smaller(&whole, &picture.palette, THUMBNAIL);
            let small = media::png(&small, &picture.palette, None).map_err(not_encoded)?;
            self.keep(tile, "small.png", &small)?
        };
        tile.look = Some(Kind::Picture);
        if let Some(remark) = picture.remark {
            tile.facts.push(("colours".to_owned(), remark.detail.to_string()));
            findings.push(remark);
        }
        Ok(())
    }

    fn map(&self, tile: &mut Tile<'g>, entry: &Entry<'_>) -> Result<(), Failure> {
        let Some(full) = drawn(entry, LINES.1)? else {
            return Ok(());
        };
        tile.full = self.keep(tile, "svg", full.as_bytes())?;
        tile.thumbnail = match drawn(entry, LINES.0)? {
            Some(small) if small != full => self.keep(tile, "small.svg", small.as_bytes())?,
            _ => tile.full.clone(),
        };
        tile.look = Some(Kind::Map);
        Ok(())
    }

    /// Stores a copy of a file that a browser can show or play unchanged.
    fn copy(
        &self,
        tile: &mut Tile<'g>,
        entry: &Entry<'_>,
        look: Kind,
        extension: &str,
    ) -> Result<(), Failure> {
        if entry.size() > COPY_MAX {
            return Ok(());
        }
        let _share = self.pictures.share(entry.size());
        let content = entry.read().map_err(Failure::entry)?;
        tile.full = self.keep(tile, extension, &content)?;
        if look == Kind::Picture {
            tile.thumbnail = tile.full.clone();
        }
        tile.look = Some(look);
        Ok(())
    }

    /// Stores a text as UTF-8.
    fn text(&self, tile: &mut Tile<'g>, entry: &Entry<'_>) -> Result<(), Failure> {
        if entry.size() > COPY_MAX || entry.size() == 0 {
            return Ok(());
        }
        let _share = self.pictures.share(entry.size());
        let content = entry.read().map_err(Failure::entry)?;
        let Some(text) = text(&content) else {
            return Ok(());
        };
        // Browsers recognise UTF-8 by the byte order mark.
        let text = format!("\u{feff}{text}");
        tile.full = self.keep(tile, "txt", text.as_bytes())?;
        tile.look = Some(Kind::Text);
        Ok(())
    }

    /// Writes a file that a browser loads for a tile, except for its name. Returns its address.
    fn keep(
        &self,
        tile: &mut Tile<'g>,
        extension: &str,
        content: &[u8],
    ) -> Result<String, Failure> {
        let address = address(tile.archive, tile.index, extension);
        let finished = self.write(Path::new(&address), content).map_err(Failure::Output)?;
        tile.files.push(finished);
        Ok(address)
    }

    fn write(&self, relative: &Path, content: &[u8]) -> Result<Finished<'g>, Finding> {
        let fate = self.guard.decide(relative)?;
        let output = self.guard.begin(relative)?;
        output.sink().write_at(content, 0).map_err(Finding::from_io)?;
        output.finish(fate)
    }
}

/// The failure that a picture cannot be encoded.
fn not_encoded(error: io::Error) -> Failure {
    Failure::Entry(Finding::from_io(error))
}

/// A map drawn from above, with this many lines at most. `None` if it has no edges to draw, as of Quake III.
fn drawn(entry: &Entry<'_>, lines: usize) -> Result<Option<String>, Failure> {
    let source = media::whole(*entry).map_err(Failure::entry)?;
    let drawn = drawing(&source, lines);
    drawn.map_err(|error| Failure::Entry(not_examined(error.to_string()).of_entry(entry)))
}

/// The beginning of a text, read as UTF-8 or else as Latin-1. `None` if a byte never occurs in texts.
fn text(bytes: &[u8]) -> Option<String> {
    let is_text = |byte: &u8| *byte >= b' ' && *byte != 0x7F || b"\t\n\r\x0c\x1a".contains(byte);
    if !bytes.iter().all(is_text) {
        return None;
    }
    let shown = bytes.get(..TEXT_MAX).unwrap_or(bytes);
    let mut text = match (core::str::from_utf8(bytes), shown.len() == bytes.len()) {
        (Ok(text), true) => text.to_owned(),
        (Ok(_), false) => String::from_utf8_lossy(shown).into_owned(),
        (Err(_), _) => shown.iter().map(|byte| char::from(*byte)).collect(),
    };
    if shown.len() < bytes.len() {
        let more = bytes.len() - shown.len();
        text += &format!("\n\n[{more} bytes more]\n");
    }
    Some(text)
}

/// The facts in words. The first is the line under the tile, without a label.
fn facts(details: &FileFacts) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let summary = details.summary();
    if !summary.is_empty() {
        facts.push((String::new(), summary));
    }
    if let Some(file_type) = details.file_type {
        facts.push(("type".to_owned(), file_type.to_string()));
    }
    for fact in &details.facts {
        facts.push((fact.label(), fact.lines(false).join("\n")));
    }
    if details.is_contrary() {
        facts.push(("unusual".to_owned(), "not what its name says".to_owned()));
    }
    for note in &details.notes {
        facts.push(("unusual".to_owned(), note.clone()));
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text_in_any_encoding_and_binary_is_none() {
        assert_eq!(text(b"bind x\r\n\tjump\n").as_deref(), Some("bind x\r\n\tjump\n"));
        assert_eq!(text("刀".as_bytes()).as_deref(), Some("刀"));
        assert_eq!(text(b"b\xe4r").as_deref(), Some("bär"));
        for binary in [&b"a\0"[..], b"\x1b[2J", b"\x7f"] {
            assert_eq!(text(binary), None);
        }
        let long = vec![b'a'; TEXT_MAX + 5];
        assert!(text(&long).unwrap().ends_with("a\n\n[5 bytes more]\n"));
    }
}
