//! Rows as objects of JSON, where a derived serialization does not do.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{At, Change, Check, Facts, Served, SnapshotRow};
use crate::archive::snapshot::Hash;
use crate::archive::{FileType, Kind, escape, path_bytes};
use crate::media::asked::Asker;
use crate::media::details::{Fact, Value};
use crate::ops::context::Problem;

impl Serialize for At {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Archive(path, index) => {
                text_entry(&mut map, "pak", &path_bytes(path))?;
                map.serialize_entry("index", index)?;
            }
            Self::File(path) => text_entry(&mut map, "file", &path_bytes(path))?,
        }
        map.end()
    }
}

impl Serialize for Served {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Yes => serializer.serialize_bool(true),
            Self::No => serializer.serialize_bool(false),
            Self::NotDefined => serializer.serialize_none(),
        }
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let details = self.details.as_deref();
        let file_type = details.and_then(|it| it.found.file_type());
        let facts = details.map_or(&[][..], |it| &it.facts);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", &file_type.map(FileType::as_str))?;
        if self.is_whole {
            map.serialize_entry("format", &file_type.map(|it| it.to_string()))?;
            let is_contrary = details.is_some_and(|it| it.found.is_contrary());
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

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sum = |hash| self.sums.by(hash).map(|sum| sum.to_string());
        let mut problems = Vec::new();
        for Problem { error, .. } in &self.problems {
            problems.push(match error.offset() {
                Some(offset) => format!("byte {offset}: {}", error.kind()),
                None => error.kind().to_string(),
            });
        }
        let problem = (!problems.is_empty()).then(|| problems.join("; "));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("crc32", &sum(Hash::Crc32))?;
        map.serialize_entry("status", self.status.as_str())?;
        map.serialize_entry("problem", &problem)?;
        if let Some(sha256) = sum(Hash::Sha256) {
            map.serialize_entry("sha256", &sha256)?;
        }
        map.end()
    }
}

impl Serialize for SnapshotRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let difference = &self.difference;
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "snapshot", &path_bytes(&self.snapshot))?;
        text_entry(&mut map, "pak", &difference.archive)?;
        text_entry(&mut map, "name", difference.name())?;
        map.serialize_entry("change", difference.change.as_str())?;
        if let Some(former) = difference.former_name() {
            text_entry(&mut map, "from", former)?;
        }
        map.end()
    }
}

/// An input that could not be read, as an object of JSON.
impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(path) = &self.unread {
            text_entry(&mut map, "pak", &path_bytes(path))?;
            map.serialize_entry("status", "unread")?;
            map.serialize_entry("problem", &self.error.kind().to_string())?;
        }
        map.end()
    }
}

/// Text as a field, and its bytes as another one if it is not UTF-8.
pub(super) fn text_entry<M: SerializeMap>(
    map: &mut M,
    name: &str,
    bytes: &[u8],
) -> Result<(), M::Error> {
    map.serialize_entry(name, &String::from_utf8_lossy(bytes))?;
    if core::str::from_utf8(bytes).is_err() {
        map.serialize_entry(&format!("{name}_hex"), &hex(bytes))?;
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that are mostly text: a name or a path.
pub(super) trait Text {
    /// The bytes; nothing if the field is left out.
    fn text(&self) -> Option<Cow<'_, [u8]>>;
}

impl Text for Vec<u8> {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(self))
    }
}

impl Text for PathBuf {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        Some(path_bytes(self))
    }
}

impl Text for Arc<Path> {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        Some(path_bytes(self))
    }
}

impl<T: Text> Text for Option<T> {
    fn text(&self) -> Option<Cow<'_, [u8]>> {
        self.as_ref()?.text()
    }
}

/// The fields that are names and paths.
pub(super) mod text {
    use super::{SerializeMap, Serializer, text_entry};

    macro_rules! fields {
        ($($name:ident)*) => {
            $(pub(in crate::ops) fn $name<S: Serializer>(text: &impl super::Text, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                if let Some(bytes) = text.text() {
                    text_entry(&mut map, stringify!($name), &bytes)?;
                }
                map.end()
            })*
        };
    }

    fields!(archive file map missing name new_name pak path);
}

fn escaped(texts: &[Vec<u8>]) -> Vec<String> {
    texts.iter().map(|text| escape(text).to_string()).collect()
}

pub(super) fn escaped_list<S: Serializer>(
    texts: &[Vec<u8>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    escaped(texts).serialize(serializer)
}

pub(super) fn hexadecimal<S: Serializer>(
    bytes: &[u8; 32],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

pub(super) fn kind<S: Serializer>(kind: &Option<Kind>, serializer: S) -> Result<S::Ok, S::Error> {
    kind.map(Kind::as_str).serialize(serializer)
}

pub(super) fn change<S: Serializer>(change: &Change, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(change.as_str())
}

pub(super) fn asker<S: Serializer>(asker: &Asker, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    match asker {
        Asker::Texture { record } => map.serialize_entry("texture", record)?,
        Asker::Entity { number, class, key } => {
            map.serialize_entry("entity", number)?;
            text_entry(&mut map, "class", class)?;
            text_entry(&mut map, "key", key)?;
        }
    }
    map.end()
}
