//! Examines files, and writes their facts as one short line, or as a label and lines for each.

use std::io;

use super::file::{Depth, Fact, FactList, File, Mismatch, START, Value};
use super::file_type::FileType;
use super::types::{Kind, Magic};
use crate::archive::bytes::Cursor;
use crate::archive::{RawName, ReadAt, escape};

/// The result of examining a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// The types that the name's extension belongs to. May be empty.
    pub named: Vec<FileType>,
    /// The type according to the header; `None` if it is unknown.
    pub file_type: Option<FileType>,
    /// The facts, in the order in which they are shown.
    pub facts: Vec<Fact>,
    /// Contradictions in the file.
    pub notes: Vec<String>,
}

/// Whether a file of one of these types, by its name, is a picture or a palette without a magic.
fn is_lump(named: &[FileType], len: u64) -> bool {
    named.contains(&FileType::Lmp) || named.contains(&FileType::Pal) && len == 768
}

/// Examines a file: its first bytes, its name if they do not tell its type, and the parts that `depth` asks for.
///
/// # Errors
/// If the file cannot be read.
pub fn facts(name: RawName<'_>, source: &impl ReadAt, depth: Depth) -> io::Result<FileFacts> {
    let mut start = [0; START];
    let read = source.read_full_at(&mut start, 0)?;
    let start = start.get(..read).unwrap_or_default();
    let len = source.size()?;
    let extension = name.extension().unwrap_or_default();
    let mut found = FileFacts {
        named: FileType::by_extension(extension).collect(),
        file_type: None,
        facts: Vec::new(),
        notes: Vec::new(),
    };
    let mut candidates: Vec<FileType> = FileType::by_magic(start).into_iter().collect();
    // The magic of these maps is a small number, like the width of a picture.
    if matches!(candidates[..], [FileType::Bsp29 | FileType::Bsp30]) && is_lump(&found.named, len) {
        candidates.clear();
    }
    if candidates.is_empty() {
        // The name's type holds if the numbers agree. A BMP needs no name: its header is hard to mistake.
        let may_be = |it: &FileType| !matches!(it.row().magic, Magic::Always(_));
        candidates.extend(found.named.iter().copied().filter(may_be));
        candidates.push(FileType::Bmp);
    }
    for file_type in candidates {
        let file = File { name, start: Cursor::new(start), len, depth, source };
        let mut list = FactList::default();
        match (file_type.row().look)(&file, &mut list) {
            Ok(()) => {
                found.file_type = Some(file_type);
                (found.facts, found.notes) = (list.facts, list.notes);
                break;
            }
            Err(Mismatch::Header) => {}
            Err(Mismatch::Io(error)) => return Err(error),
        }
    }
    Ok(found)
}

impl FileFacts {
    /// Whether the file's type differs from its name, or is unknown. An extension that other programs use
    /// as well implies nothing about a file of unknown type.
    #[must_use]
    pub fn is_contrary(&self) -> bool {
        match self.file_type {
            Some(found) => !self.named.is_empty() && !self.named.contains(&found),
            None => self.named.iter().any(|named| !named.shares_extensions()),
        }
    }

    /// The fact with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut facts = self.facts.iter();
        facts.find(|fact| fact.name == name).map(|fact| &fact.value)
    }

    /// The number with this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The most important facts in one short line, escaped. Empty if nothing is known.
    #[must_use]
    pub fn summary(&self) -> String {
        let Some(file_type) = self.file_type else {
            return String::new();
        };
        let parts = match file_type.kind() {
            Kind::Map => {
                vec![
                    self.map_version(file_type),
                    self.words("game"),
                    self.count("entities", "entity", "entities"),
                ]
            }
            Kind::Picture => vec![
                self.words("lump"),
                self.size(),
                if file_type.is_texture() { None } else { self.bits() },
                self.count("mips", "mip", "mips"),
                self.count("frames", "frame", "frames"),
            ],
            Kind::Model => vec![
                self.size(),
                self.count("frames", "frame", "frames"),
                self.count("skins", "skin", "skins"),
                self.count("triangles", "triangle", "triangles"),
            ],
            Kind::Sound => vec![
                self.number("rate").map(|rate| format!("{rate} Hz")),
                self.bits(),
                self.channels(),
                self.seconds(),
                self.get("loop_start").map(|_| "loops".to_owned()),
            ],
            Kind::Code => {
                vec![self.words("game"), self.count("functions", "function", "functions")]
            }
            Kind::Text | Kind::Other => vec![self.size(), self.bits()],
        };
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(", ")
    }

    fn map_version(&self, file_type: FileType) -> Option<String> {
        let version = match file_type {
            FileType::Bsp2 | FileType::Bsp2Psb | FileType::Qbsp38 => file_type.short().to_owned(),
            _ => self.number("version")?.to_string(),
        };
        Some(format!("map {version}"))
    }

    fn size(&self) -> Option<String> {
        let (width, height) = self.number("width").zip(self.number("height"))?;
        Some(format!("{width}x{height}"))
    }

    fn bits(&self) -> Option<String> {
        Some(format!("{} bit", self.number("bits")?))
    }

    fn channels(&self) -> Option<String> {
        Some(match self.number("channels")? {
            1 => "mono".to_owned(),
            2 => "stereo".to_owned(),
            channels => format!("{channels} channels"),
        })
    }

    fn seconds(&self) -> Option<String> {
        let Value::Milliseconds(number) = self.get("seconds")? else {
            return None;
        };
        // Rounded, but never to zero.
        let tenths = number.saturating_add(50) / 100;
        let tenths = if *number > 0 { tenths.max(1) } else { 0 };
        Some(format!("{}.{} s", tenths / 10, tenths % 10))
    }

    fn count(&self, name: &str, one: &str, more: &str) -> Option<String> {
        let number = self.number(name)?;
        Some(format!("{number} {}", if number == 1 { one } else { more }))
    }

    fn words(&self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::Word(word) => Some(word.clone()),
            Value::Text(text) => Some(short(&escape(text).to_string())),
            _ => None,
        }
    }
}

/// The longest text in a short line.
const SHORT: usize = 40;

/// A text, shortened if it is long.
fn short(text: &str) -> String {
    if text.chars().count() <= SHORT {
        return text.to_owned();
    }
    let cut: String = text.chars().take(SHORT - 3).collect();
    cut + "..."
}

/// How many names of a list are shown in a line, unless all are asked for.
const NAMED: usize = 8;

/// How many records get a line each, unless all are asked for.
const LINES: usize = 24;

impl Fact {
    /// Its name as a label: `texture names`.
    #[must_use]
    pub fn label(&self) -> String {
        self.name.replace('_', " ")
    }

    /// Its value as lines of escaped text. Long lists are shortened unless `all` is set.
    #[must_use]
    pub fn lines(&self, all: bool) -> Vec<String> {
        match &self.value {
            Value::Texts(texts) => {
                let texts: Vec<String> = texts.iter().map(|it| escape(it).to_string()).collect();
                vec![list(&texts, all)]
            }
            Value::Records(records) => of_records(records, all),
            value => vec![word(value)],
        }
    }
}

/// Some parts of a list, or all, in one line.
fn list(parts: &[String], all: bool) -> String {
    let most = if all { parts.len() } else { NAMED };
    let shown = parts.get(..most).unwrap_or(parts);
    match parts.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Records that only count something in one line, other records in a line each. Offsets are shown only with `all`.
fn of_records(records: &[Vec<Fact>], all: bool) -> Vec<String> {
    let counted = |record: &Vec<Fact>| match record.as_slice() {
        [what, count] if count.name == "count" => {
            Some(format!("{} {}", word(&count.value), word(&what.value)))
        }
        _ => None,
    };
    if let Some(counts) = records.iter().map(counted).collect::<Option<Vec<_>>>() {
        return vec![list(&counts, all)];
    }
    let mut lines = Vec::new();
    for record in records {
        let has_place = record.iter().any(|fact| fact.name == "offset");
        if all || !has_place {
            lines.push(of_record(record));
        }
    }
    let more = lines.len().saturating_sub(LINES);
    if !all && more > 0 {
        lines.truncate(LINES);
        lines.push(format!("and {more} more"));
    }
    lines
}

fn of_record(record: &[Fact]) -> String {
    let mut parts = Vec::new();
    for fact in record {
        parts.push(match fact.name {
            "name" => word(&fact.value),
            name => format!("{name} {}", word(&fact.value)),
        });
    }
    parts.join(", ")
}

/// A value that is not a list.
fn word(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Milliseconds(number) => format!("{}.{:03}", number / 1000, number % 1000),
        Value::Word(word) => word.clone(),
        Value::Text(text) => escape(text).to_string(),
        Value::Texts(_) | Value::Records(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(name: &'static str, value: Value) -> Fact {
        Fact { name, value }
    }

    #[test]
    fn a_long_list_is_cut_unless_all_is_asked_for() {
        let names: Vec<Vec<u8>> = (0..10_u8).map(|it| vec![b'a' + it]).collect();
        let names = fact("texture_names", Value::Texts(names));
        assert_eq!(names.label(), "texture names");
        assert_eq!(names.lines(false), ["a, b, c, d, e, f, g, h and 2 more"]);
        assert_eq!(names.lines(true), ["a, b, c, d, e, f, g, h, i, j"]);
        let record =
            |number| vec![fact("width", Value::Number(number)), fact("height", Value::Number(2))];
        let frames = fact("frame_list", Value::Records((0..26).map(record).collect()));
        let cut = frames.lines(false);
        assert_eq!(
            (cut.len(), cut[0].as_str(), cut[24].as_str()),
            (25, "width 0, height 2", "and 2 more")
        );
        let lump =
            vec![fact("name", Value::Word("planes".into())), fact("offset", Value::Number(4))];
        let lumps = fact("lumps", Value::Records(vec![lump]));
        assert_eq!(lumps.lines(false), [""; 0]);
        assert_eq!(lumps.lines(true), ["planes, offset 4"]);
        let class =
            vec![fact("class", Value::Text(b"light".to_vec())), fact("count", Value::Number(3))];
        assert_eq!(fact("classes", Value::Records(vec![class])).lines(false), ["3 light"]);
    }
}
