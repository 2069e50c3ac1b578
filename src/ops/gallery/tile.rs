//! What an entry becomes on the page: something to look at or to hear, and its facts.

use super::store::Store;
use crate::archive::{Entry, escape};
use crate::media::drawing::drawing;
use crate::media::{self, Depth, Fact, Family, FileType, Found, Kind, Value};
use crate::ops::finding::{Finding, Notice};
use crate::ops::pictures::{Pictures, png, smaller};
use crate::ops::read::entry_source::EntrySource;

/// The longest side of a thumbnail.
const THUMBNAIL: u32 = 192;

/// How many lines a map has: small, and large.
const LINES: (usize, usize) = (700, 20_000);

/// What is longer is not copied: a page is to look at, and a sound of Quake takes some kB.
const COPY_MAX: u64 = 32 << 20;

/// How much of a text is shown.
const TEXT_MAX: usize = 256 << 10;

/// How many values of a fact that has many are shown.
const VALUES_MAX: usize = 40;

/// What there is to look at or to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Picture,
    Map,
    Sound,
    Text,
    /// Its facts only.
    Nothing,
}

impl Look {
    /// The word that the page has for it.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Map => "map",
            Self::Sound => "sound",
            Self::Text => "text",
            Self::Nothing => "",
        }
    }
}

/// An entry on the page.
#[derive(Debug)]
pub(super) struct Tile {
    /// The number of its archive.
    pub(super) archive: usize,
    /// Its number there.
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) size: u64,
    pub(super) look: Look,
    /// Addresses; empty where there is nothing to look at.
    pub(super) thumbnail: String,
    pub(super) full: String,
    /// Labels and words. The first one's label may be empty: it is what stands under the tile.
    pub(super) facts: Vec<(String, String)>,
    /// Why it cannot be shown; empty where it can.
    pub(super) finding: String,
}

impl Tile {
    /// Whether it is a picture that can be seen.
    pub(super) fn is_picture(&self) -> bool {
        self.look == Look::Picture
    }
}

/// What makes tiles.
pub(super) struct Tiler<'a> {
    pub(super) pictures: &'a Pictures,
    pub(super) store: Store<'a>,
}

impl Tiler<'_> {
    /// Makes a tile, of whatever can be shown of an entry.
    pub(super) fn tile(&self, archive: usize, entry: &Entry<'_>) -> (Tile, Vec<Finding>) {
        let mut tile = Tile {
            archive,
            index: entry.index(),
            name: escape(entry.name().as_bytes()).to_string(),
            kind: Kind::of(entry.name()),
            size: entry.size(),
            look: Look::Nothing,
            thumbnail: String::new(),
            full: String::new(),
            facts: Vec::new(),
            finding: String::new(),
        };
        let mut findings = Vec::new();
        if let Err(error) = self.fill(&mut tile, entry, &mut findings) {
            tile.look = Look::Nothing;
            tile.finding.clone_from(&error.detail);
            findings.push(error);
        }
        (tile, findings)
    }

    fn fill(
        &self,
        tile: &mut Tile,
        entry: &Entry<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Finding> {
        entry.check_claims()?;
        let source = EntrySource::whole(*entry)?;
        let details = media::facts(entry.name(), &source, Depth::All)
            .map_err(|error| Finding::from_io(error).of_entry(entry))?;
        let file_type = details.file_type;
        tile.facts = facts(&details);
        if let Some(FileType::Png | FileType::Jpeg) = file_type {
            return self.copy(tile, entry, Look::Picture, file_type);
        }
        if self.pictures.takes(entry.name()) {
            return self.picture(tile, entry, findings);
        }
        match file_type.map(FileType::family) {
            Some(Family::Map) => self.map(tile, entry),
            Some(Family::Sound) => self.copy(tile, entry, Look::Sound, file_type),
            None => self.text(tile, entry),
            _ => Ok(()),
        }
    }

    fn picture(
        &self,
        tile: &mut Tile,
        entry: &Entry<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Finding> {
        let (picture, _share) = self.pictures.decode_within_memory(entry)?;
        let Some(whole) = picture.whole() else {
            return Ok(());
        };
        let full = picture.png().map_err(Finding::from_io)?;
        tile.full = self.keep(tile, "png", "image/png", &full)?;
        tile.thumbnail = match whole.width.max(whole.height) <= THUMBNAIL {
            true => tile.full.clone(),
            false => {
                let small = smaller(&whole, &picture.palette, THUMBNAIL);
                let small = png::png(&small, &picture.palette).map_err(Finding::from_io)?;
                self.keep(tile, "small.png", "image/png", &small)?
            }
        };
        tile.look = Look::Picture;
        if let Some(remark) = picture.remark(entry) {
            tile.facts
                .push(("colours".to_owned(), remark.detail.clone()));
            findings.push(remark);
        }
        Ok(())
    }

    fn map(&self, tile: &mut Tile, entry: &Entry<'_>) -> Result<(), Finding> {
        let draw = |lines| {
            let source = EntrySource::whole(*entry)?;
            drawing(&source, lines).map_err(|error| {
                Finding::error(Notice::NotLookedInto, error.to_string()).of_entry(entry)
            })
        };
        let full = draw(LINES.1)?;
        tile.full = self.keep(tile, "svg", "image/svg+xml", full.as_bytes())?;
        let small = draw(LINES.0)?;
        tile.thumbnail = match small == full {
            true => tile.full.clone(),
            false => self.keep(tile, "small.svg", "image/svg+xml", small.as_bytes())?,
        };
        tile.look = Look::Map;
        Ok(())
    }

    /// Keeps a file that a browser shows or plays as it is.
    fn copy(
        &self,
        tile: &mut Tile,
        entry: &Entry<'_>,
        look: Look,
        file_type: Option<FileType>,
    ) -> Result<(), Finding> {
        let (extension, media_type) = match file_type {
            Some(FileType::Png) => ("png", "image/png"),
            Some(FileType::Jpeg) => ("jpg", "image/jpeg"),
            Some(FileType::Wav) => ("wav", "audio/wav"),
            Some(FileType::Mp3) => ("mp3", "audio/mpeg"),
            Some(FileType::Ogg) => ("ogg", "audio/ogg"),
            _ => return Ok(()),
        };
        if entry.size() > COPY_MAX {
            return Ok(());
        }
        let _share = self.pictures.share(entry.size());
        tile.full = self.keep(tile, extension, media_type, &entry.read()?)?;
        if look == Look::Picture {
            tile.thumbnail = tile.full.clone();
        }
        tile.look = look;
        Ok(())
    }

    /// Keeps a text, in the bytes that every browser takes for one.
    fn text(&self, tile: &mut Tile, entry: &Entry<'_>) -> Result<(), Finding> {
        if entry.size() > COPY_MAX || entry.size() == 0 {
            return Ok(());
        }
        let Some(text) = text(&entry.read()?) else {
            return Ok(());
        };
        // The mark at its beginning says that it is UTF-8.
        let text = format!("\u{feff}{text}");
        tile.full = self.keep(tile, "txt", "text/plain;charset=utf-8", text.as_bytes())?;
        tile.look = Look::Text;
        Ok(())
    }

    fn keep(
        &self,
        tile: &Tile,
        extension: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<String, Finding> {
        let name = format!("{}/{}.{extension}", tile.archive, tile.index);
        self.store.keep(&name, media_type, content)
    }
}

/// The text that bytes are, as far as it is shown: UTF-8, or else one character a byte; nothing where a byte
/// stands in no text.
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

/// The facts in words: first what stands under the tile.
fn facts(details: &Found) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let summary = details.summary();
    if !summary.is_empty() {
        facts.push((String::new(), summary));
    }
    if let Some(file_type) = details.file_type {
        facts.push(("type".to_owned(), file_type.to_string()));
    }
    facts.extend(details.facts.iter().map(|fact| {
        let label = fact.name.replace('_', " ");
        (label, value(&fact.value))
    }));
    if details.is_contrary() {
        facts.push(("unusual".to_owned(), "not what its name says".to_owned()));
    }
    facts.extend(
        details
            .notes
            .iter()
            .map(|note| ("unusual".to_owned(), note.clone())),
    );
    facts
}

fn value(value: &Value) -> String {
    let listed = |mut all: Vec<String>, count: usize| {
        if count > all.len() {
            all.push(format!("and {} more", count - all.len()));
        }
        all.join("\n")
    };
    match value {
        Value::Number(number) => number.to_string(),
        Value::Milliseconds(number) => format!("{}.{:01} s", number / 1000, number % 1000 / 100),
        Value::Word(word) => word.clone(),
        Value::Text(text) => escape(text).to_string(),
        Value::Texts(texts) => {
            let shown = texts.iter().take(VALUES_MAX);
            listed(
                shown.map(|text| escape(text).to_string()).collect(),
                texts.len(),
            )
        }
        Value::Records(records) => {
            let words = |record: &Vec<Fact>| {
                let facts = record.iter().map(|fact| self::value(&fact.value));
                facts.collect::<Vec<_>>().join("  ")
            };
            let shown = records.iter().take(VALUES_MAX);
            listed(shown.map(words).collect(), records.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text_in_any_encoding_and_binary_is_none() {
        assert_eq!(
            text(b"bind x\r\n\tjump\n").as_deref(),
            Some("bind x\r\n\tjump\n")
        );
        assert_eq!(text("刀".as_bytes()).as_deref(), Some("刀"));
        assert_eq!(text(b"b\xe4r").as_deref(), Some("bär"));
        for binary in [&b"a\0"[..], b"\x1b[2J", b"\x7f"] {
            assert_eq!(text(binary), None);
        }
        let long = vec![b'a'; TEXT_MAX + 5];
        assert!(text(&long).unwrap().ends_with("a\n\n[5 bytes more]\n"));
    }
}
