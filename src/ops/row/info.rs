//! What `info` says of an archive.

use std::path::PathBuf;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::text;
use crate::archive::{Account, Format, Note, escape};
use crate::codec::Bytes;
use crate::engine::{Engine, Entries, Stock, Verdict};
use crate::media::FileType;

/// What an archive is like as a whole.
#[derive(Debug, serde::Serialize)]
pub struct InfoRow {
    /// Where it is, as the user would write it.
    #[serde(flatten, serialize_with = "text::pak")]
    pub archive: PathBuf,
    /// Its format.
    #[serde(rename = "layout", serialize_with = "format")]
    pub format: Format,
    /// Why it is of that format, in sentences.
    pub why: Vec<String>,
    /// How many entries it has.
    pub entries: usize,
    /// How many of them are compressed.
    pub compressed: usize,
    /// How many of them have no content.
    #[serde(skip)]
    pub empty: usize,
    /// The sum of the sizes that the entries state, decompressed.
    pub size: u64,
    /// The sum of the lengths of their payloads, each entry's counted.
    pub packed_size: u64,
    /// What is unusual.
    #[serde(rename = "warnings", serialize_with = "sentences")]
    pub remarks: Vec<Remark>,
    /// Where every byte belongs.
    #[serde(flatten, serialize_with = "account")]
    pub account: Account,
    /// What each engine makes of it that was asked about, or each that there is. Nothing is said of a WAD if
    /// no engine was asked about: none loads one as an archive of files.
    #[serde(serialize_with = "verdicts")]
    pub engines: Vec<(Engine, Verdict)>,
    /// What the files in it are, and which of them the engines that were asked about cannot read.
    #[serde(flatten)]
    pub content: Content,
    /// Which of Quake's own paks it is, if it is one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "stock")]
    pub stock: Option<Stock>,
    /// Whether it was asked if these engines load it.
    #[serde(skip)]
    pub is_check: bool,
}

impl InfoRow {
    /// What an engine makes of it, if it was asked about.
    #[must_use]
    pub fn verdict(&self, engine: Engine) -> Option<&Verdict> {
        let verdict = self.engines.iter().find(|(other, _)| *other == engine);
        verdict.map(|(_, verdict)| verdict)
    }

    /// Whether something is not only odd but damaged.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.remarks.iter().any(Remark::is_damage)
    }
}

/// What the files of an archive are.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Content {
    /// The files of each type, in the types' order.
    #[serde(rename = "content")]
    pub kinds: Vec<Held>,
    /// The files that are something else than their names say.
    pub contrary: Vec<Contrary>,
    /// The entries whose headers could not be read.
    #[serde(skip)]
    pub unreadable: Vec<Named>,
    /// The files that engines cannot read, engine by engine.
    pub unread: Vec<Unread>,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its number.
    pub index: usize,
    /// Its name.
    pub name: Vec<u8>,
}

/// Files of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The type.
    pub file_type: FileType,
    /// How long the leafs are, in maps of Daikatana of which that is certain.
    pub leaf_bytes: Option<u64>,
    /// The files.
    pub entries: Vec<Named>,
}

/// A file that is something else than its name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrary {
    /// The file.
    pub entry: Named,
    /// What it is, if that is known.
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

impl Content {
    /// How many files of a known type there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kinds.iter().map(|kind| kind.entries.len()).sum()
    }
}

/// Something unusual. It shows itself as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Remark {
    /// In the pak as a whole.
    #[error("{0}")]
    Pak(Note),
    /// Payloads that do not lie in the file.
    #[error("outside the file: the payloads of {0}")]
    Outside(Entries),
    /// Streams that cannot hold what is claimed of them.
    #[error("larger than their streams can hold: {0}")]
    Impossible(Entries),
    /// Entries that cannot be read for what the archive says of them.
    #[error("cannot be read, for what the archive says of them: {0}")]
    Flawed(Entries),
    /// Payloads over what is no payload.
    #[error("over the header or the directory: the payloads of {0}")]
    OverStructure(Entries),
    /// Payloads that overlap without being the same.
    #[error("{} {} to payloads that overlap without being the same", Bytes(*bytes), if *bytes == 1 { "belongs" } else { "belong" })]
    Overlapping {
        /// How many.
        bytes: u64,
    },
    /// Names that an earlier entry has.
    #[error("names that an earlier entry has: those of {0}")]
    Duplicates(Entries),
    /// Names that differ from an earlier one in case only.
    #[error("names that differ from an earlier one only in case: those of {0}")]
    OnlyCase(Entries),
    /// Names that no file may have.
    #[error("names that no file may have: those of {0}")]
    NoPath(Entries),
    /// Names without an end.
    #[error("names that fill their field, which few engines find: those of {0}")]
    Endless(Entries),
    /// Names that are not UTF-8.
    #[error("names that are not UTF-8: those of {0}")]
    NotUtf8(Entries),
    /// Names with the other separator.
    #[error(
        "names with a backslash, which is a slash to some engines and never found by others: those of {0}"
    )]
    Backslash(Entries),
    /// Names with upper-case letters.
    #[error(
        "names with upper-case letters, which some engines find only as they are spelled: those of {0}"
    )]
    UpperCase(Entries),
    /// Bytes behind a name's end.
    #[error("leftovers behind the name's end: in {0}")]
    Leftovers(Entries),
    /// Flags that are neither 0 nor 1.
    #[error("compressed with a flag other than 1: {0}")]
    OddFlag(Entries),
    /// Compressed types that the game cannot read compressed.
    #[error("compressed though the game reads this type only stored: {0}")]
    MustBeStored(Entries),
}

impl Remark {
    /// Whether it costs something, rather than being odd.
    #[must_use]
    pub const fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Outside(_)
                | Self::Impossible(_)
                | Self::Flawed(_)
                | Self::Pak(Note::DirectoryCut { .. })
        )
    }
}

fn format<S: Serializer>(format: &Format, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(format.as_str())
}

fn sentences<S: Serializer>(remarks: &[Remark], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(remarks.iter().map(ToString::to_string))
}

fn stock<S: Serializer>(stock: &Option<Stock>, serializer: S) -> Result<S::Ok, S::Error> {
    stock.map(Stock::version).serialize(serializer)
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
        engine: engine.name(),
        loads: verdict.loads(),
        verdict: verdict.effect.verdict(),
        why: verdict.why.iter().map(ToString::to_string).collect(),
    }))
}

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self
            .entries
            .iter()
            .map(|entry| escape(&entry.name).to_string());
        let indexes: Vec<usize> = self.entries.iter().map(|entry| entry.index).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.file_type.family().as_str())?;
        map.serialize_entry("type", self.file_type.as_str())?;
        map.serialize_entry("format", &self.file_type.to_string())?;
        if let Some(bytes) = self.leaf_bytes {
            map.serialize_entry("leaf_bytes", &bytes)?;
        }
        map.serialize_entry("count", &indexes.len())?;
        map.serialize_entry("entries", &indexes)?;
        map.serialize_entry("names", &names.collect::<Vec<_>>())?;
        map.end()
    }
}

impl Serialize for Contrary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("entry", &self.entry.index)?;
        map.serialize_entry("name", &escape(&self.entry.name).to_string())?;
        map.serialize_entry("found", &self.found.map(FileType::as_str))?;
        map.end()
    }
}

impl Serialize for Unread {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("engine", self.engine.name())?;
        map.serialize_entry("kind", self.file_type.family().as_str())?;
        map.serialize_entry("type", self.file_type.as_str())?;
        map.serialize_entry("count", &self.count)?;
        map.end()
    }
}
