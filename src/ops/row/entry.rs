//! The row of an entry, or of a loose file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::{Entry, path_bytes};
use crate::media::{Fact, FileFacts, FileType, Kind, Value};
use crate::ops::catalogue::{Hash, Sums};
use crate::ops::finding::Finding;
use crate::ops::json::{self, escaped, text_entry};
use crate::ops::source::directory::loose_file;

/// An entry, or a loose file.
#[derive(Debug, serde::Serialize)]
pub struct EntryRow {
    /// Where it is.
    #[serde(flatten)]
    pub at: At,
    /// Its name.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Vec<u8>,
    /// The kind of file that its extension stands for.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "kind")]
    pub kind: Option<Kind>,
    /// Where its payload begins in the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Its size, decompressed.
    pub size: u64,
    /// Its size in the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed_size: Option<u64>,
    /// Whether it is compressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compressed: Option<bool>,
    /// Facts from its header or its content, if they were asked for.
    #[serde(flatten)]
    pub facts: Option<EntryFacts>,
}

impl EntryRow {
    /// Creates a row with the place, the name and the size of an entry.
    pub(crate) fn of(archive: &Arc<Path>, entry: &Entry<'_>) -> Self {
        let at = match loose_file(entry.archive()) {
            Some(file) => At::File(file.to_path_buf()),
            None => At::Archive(Arc::clone(archive), entry.index()),
        };
        Self::new(at, entry.name().as_bytes().to_vec(), entry.size())
    }

    /// Creates a row for an entry about which nothing else is known.
    pub(crate) const fn new(at: At, name: Vec<u8>, size: u64) -> Self {
        Self {
            at,
            name,
            kind: None,
            offset: None,
            size,
            packed_size: None,
            compressed: None,
            facts: None,
        }
    }
}

/// Where an entry is.
#[derive(Debug, Clone)]
pub enum At {
    /// In this archive, with this number.
    Archive(Arc<Path>, usize),
    /// It is this file.
    File(PathBuf),
}

impl At {
    /// The archive, or the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Archive(path, _) => path,
            Self::File(path) => path,
        }
    }

    /// The entry's number in its archive, counted from 0.
    #[must_use]
    pub const fn index(&self) -> Option<usize> {
        match self {
            Self::Archive(_, index) => Some(*index),
            Self::File(_) => None,
        }
    }
}

/// What a file's header or content says.
#[derive(Debug)]
pub struct EntryFacts {
    /// The facts that were found. `None` if the type of its name is unknown, or if it cannot be read.
    pub details: Option<Box<FileFacts>>,
    /// Whether the whole file was examined, and not only its header.
    pub is_whole: bool,
    /// What a file of no known type is, with an article, if its beginning tells: a program, another program's archive,
    /// or a text.
    pub other: Option<&'static str>,
}

/// What a text of no known type is called.
pub(crate) const TEXT: &str = "a text";

impl EntryFacts {
    /// The name of its type, or what it is otherwise.
    pub(crate) fn format(&self) -> Option<String> {
        let file_type = self.details.as_ref().and_then(|it| it.file_type);
        let other = || self.other.map(|other| other.trim_start_matches("a ").to_owned());
        file_type.map(|it| it.to_string()).or_else(other)
    }
}

/// Whether an entry can be decoded.
#[derive(Debug)]
pub struct Check {
    /// The result.
    pub status: CheckStatus,
    /// The checksums of its content, if it can be decoded.
    pub sums: Sums,
    /// Damage and oddities.
    pub findings: Vec<Finding>,
}

/// The result of decoding an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// It can be decoded.
    Ok,
    /// It can be decoded, but something in its stream is unusual.
    Warning,
    /// It cannot be decoded, because daisho does not support its compression or encryption.
    Unsupported,
    /// It cannot be decoded, because it is damaged.
    Damaged,
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Archive(path, index) => {
                text_entry(&mut map, "archive", &path_bytes(path))?;
                map.serialize_entry("index", index)?;
            }
            Self::File(path) => text_entry(&mut map, "file", &path_bytes(path))?,
        }
        map.end()
    }
}

fn kind<S: Serializer>(kind: &Option<Kind>, serializer: S) -> Result<S::Ok, S::Error> {
    kind.map(Kind::as_str).serialize(serializer)
}

impl Serialize for EntryFacts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let details = self.details.as_deref();
        let file_type = details.and_then(|it| it.file_type);
        let facts = details.map_or(&[][..], |it| &it.facts);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", &file_type.map(FileType::as_str))?;
        if self.is_whole {
            map.serialize_entry("format", &self.format())?;
            let is_contrary = details.is_some_and(|it| it.is_contrary());
            map.serialize_entry("contrary", &is_contrary)?;
        }
        map.serialize_entry("facts", &FactsObject(facts))?;
        if self.is_whole {
            map.serialize_entry("notes", details.map_or(&[][..], |it| &it.notes))?;
        }
        map.end()
    }
}

/// Facts as an object.
struct FactsObject<'a>(&'a [Fact]);

impl Serialize for FactsObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for Fact { name, value } in self.0 {
            match value {
                Value::Number(number) => map.serialize_entry(name, number)?,
                #[expect(clippy::cast_precision_loss, reason = "thousandths of hours are exact")]
                Value::Milliseconds(number) => {
                    map.serialize_entry(name, &(*number as f64 / 1000.0))?;
                }
                Value::Word(word) => map.serialize_entry(name, word)?,
                Value::Text(text) => text_entry(&mut map, name, text)?,
                Value::Texts(texts) => map.serialize_entry(name, &escaped(texts))?,
                Value::Records(records) => {
                    let records: Vec<_> = records.iter().map(|it| FactsObject(it)).collect();
                    map.serialize_entry(name, &records)?;
                }
            }
        }
        map.end()
    }
}

impl Check {
    fn sum(&self, hash: Hash) -> Option<String> {
        self.sums.by(hash).map(|sum| sum.to_string())
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut problems = Vec::new();
        for finding in &self.findings {
            problems.push(match finding.place.offset {
                Some(offset) => format!("byte {offset}: {}", finding.detail),
                None => finding.detail.to_string(),
            });
        }
        let problem = (!problems.is_empty()).then(|| problems.join("; "));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("crc32", &self.sum(Hash::Crc32))?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("problem", &problem)?;
        if let Some(sha256) = self.sum(Hash::Sha256) {
            map.serialize_entry("sha256", &sha256)?;
        }
        map.end()
    }
}
