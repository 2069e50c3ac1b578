//! The facts that `info` reports about an archive.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::{Account, escape};
use crate::engine::{Effect, Engine, Engines, Verdict};
use crate::media::FileType;
use crate::ops::finding::Finding;
use crate::ops::json;

/// Facts about an archive as a whole.
#[derive(Debug, serde::Serialize)]
pub struct ArchiveInfo {
    /// Where it is, as the user would write it.
    #[serde(flatten, serialize_with = "json::archive")]
    pub archive: PathBuf,
    /// The word for its format.
    pub format: &'static str,
    /// The name of its format: `Quake pak`.
    #[serde(skip)]
    pub format_name: &'static str,
    /// Why it is in that format, as sentences.
    pub why: Vec<String>,
    /// How many entries it has.
    pub entries: usize,
    /// How many of them are compressed.
    pub compressed: usize,
    /// How many of them cannot be read, because daisho does not support their compression or encryption, or links to
    /// folders.
    pub unsupported: usize,
    /// The sum of the sizes that the entries state, decompressed. Impossible sizes do not count.
    pub size: u64,
    /// The sum of the lengths of their payloads, without those of entries of an impossible size. A shared payload
    /// counts once for each entry.
    pub packed_size: u64,
    /// What is unusual: an error if it is damage, and not only odd.
    #[serde(rename = "warnings", serialize_with = "sentences")]
    pub remarks: Vec<Finding>,
    /// How every byte of the file is used.
    #[serde(flatten, serialize_with = "account")]
    pub account: Account,
    /// The verdicts of the engines that were asked about, or of all engines. For a WAD, there are no verdicts
    /// unless engines were asked about, because no engine loads a WAD as an archive of files.
    #[serde(serialize_with = "verdicts")]
    pub engines: Vec<(Engine, Verdict)>,
    /// The types of its files, and the files that the engines that were asked about cannot read.
    #[serde(flatten)]
    pub content: ContentTypes,
    /// The release that it is a file of, if it is one that everybody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// Whether the user asked if engines load it.
    #[serde(skip)]
    pub is_check: bool,
    /// An error if it is damaged, and an error for each reason why engines that were asked about do not load it.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl ArchiveInfo {
    /// The engines that do the same with the archive for the same reasons. Ways to refuse it are not told apart.
    pub(crate) fn verdicts(&self) -> Vec<(Effect, String, Engines)> {
        let mut groups: Vec<(Effect, String, Engines)> = Vec::new();
        for (engine, verdict) in &self.engines {
            let effect = verdict.effect.min(Effect::Refused);
            let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
            let why = why.join("; ");
            match groups.iter_mut().find(|(it, other, _)| *it == effect && *other == why) {
                Some((_, _, engines)) => *engines = engines.iter().chain([*engine]).collect(),
                None => groups.push((effect, why, (*engine).into())),
            }
        }
        groups
    }

    /// Whether something is not only odd but damaged.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.remarks.iter().any(Finding::is_error)
    }
}

/// The types of the files in an archive.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct ContentTypes {
    /// The files of each type.
    #[serde(rename = "content", serialize_with = "held")]
    pub kinds: BTreeMap<FileType, Vec<EntryName>>,
    /// The files whose contents do not match their names.
    pub contrary: Vec<Contrary>,
    /// The entries whose headers could not be read.
    #[serde(skip)]
    pub unreadable: Vec<EntryName>,
    /// The files that engines cannot read, engine by engine.
    #[serde(rename = "not_read")]
    pub unread: Vec<Unread>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct EntryName {
    /// Its number.
    #[serde(rename = "entry")]
    pub index: usize,
    /// Its name.
    #[serde(serialize_with = "escaped")]
    pub name: Vec<u8>,
}

/// A file whose content does not match its name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Contrary {
    /// The file.
    #[serde(flatten)]
    pub entry: EntryName,
    /// Its type, if that is known.
    #[serde(serialize_with = "file_type")]
    pub found: Option<FileType>,
}

/// Files of a type that an engine cannot read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The engine.
    pub engine: Engine,
    /// The type.
    pub file_type: FileType,
    /// How many there are.
    pub count: usize,
}

impl ContentTypes {
    /// How many files of a known type there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kinds.values().map(Vec::len).sum()
    }
}

fn sentences<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(|it| &it.detail))
}

/// The fields that account for every byte of the file.
fn account<S: Serializer>(account: &Account, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("file_size", &account.file)?;
    map.serialize_entry("header_bytes", &account.header)?;
    map.serialize_entry("directory_bytes", &account.directory)?;
    map.serialize_entry("payload_bytes", &account.payload)?;
    map.serialize_entry("gap_bytes", &account.gap_bytes())?;
    map.serialize_entry("trailing_bytes", &account.trailing)?;
    map.serialize_entry("gaps", &account.gaps.len())?;
    map.serialize_entry("shared_extents", &account.shared.len())?;
    map.serialize_entry("shared_bytes_saved", &account.saved_by_sharing())?;
    map.end()
}

fn verdicts<S: Serializer>(
    verdicts: &[(Engine, Verdict)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Judged {
        engine: &'static str,
        loads: bool,
        verdict: &'static str,
        why: Vec<String>,
    }
    serializer.collect_seq(verdicts.iter().map(|(engine, verdict)| Judged {
        engine: engine.as_str(),
        loads: verdict.loads(),
        verdict: verdict.effect.verdict(),
        why: verdict.why.iter().map(ToString::to_string).collect(),
    }))
}

fn held<S: Serializer>(
    kinds: &BTreeMap<FileType, Vec<EntryName>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Held {
        kind: &'static str,
        r#type: &'static str,
        format: String,
        count: usize,
        entries: Vec<usize>,
        names: Vec<String>,
    }
    serializer.collect_seq(kinds.iter().map(|(file_type, entries)| Held {
        kind: file_type.kind().as_str(),
        r#type: file_type.as_str(),
        format: file_type.to_string(),
        count: entries.len(),
        entries: entries.iter().map(|entry| entry.index).collect(),
        names: entries.iter().map(|entry| escape(&entry.name).to_string()).collect(),
    }))
}

fn escaped<S: Serializer>(name: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&escape(name))
}

fn file_type<S: Serializer>(found: &Option<FileType>, serializer: S) -> Result<S::Ok, S::Error> {
    found.map(FileType::as_str).serialize(serializer)
}

impl Serialize for Unread {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("engine", self.engine.as_str())?;
        map.serialize_entry("kind", self.file_type.kind().as_str())?;
        map.serialize_entry("type", self.file_type.as_str())?;
        map.serialize_entry("count", &self.count)?;
        map.end()
    }
}
