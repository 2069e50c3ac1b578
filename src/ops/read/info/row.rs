//! What `info` says of an archive.

use std::path::{Path, PathBuf};

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::content::Content;
use super::remarks::{self, Remark};
use crate::archive::{Account, Archive, Entry, FileType, Format, escape};
use crate::engine::{Effect, Engine, Engines, Facts, Stock, Verdict};
use crate::media::map::Leafs;
use crate::ops::pool::Pool;
use crate::ops::row::text;

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
    #[serde(flatten, serialize_with = "content")]
    pub content: Content,
    /// Which of Quake's own paks it is, if it is one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "stock")]
    pub stock: Option<Stock>,
    /// Whether it was asked if these engines load it.
    #[serde(skip)]
    pub is_check: bool,
}

impl InfoRow {
    pub(super) fn new(path: &Path, archive: &Archive, asked: Engines, pool: &Pool) -> Self {
        let account = archive.account();
        let entries = || archive.entries();
        Self {
            archive: path.to_path_buf(),
            format: archive.format(),
            why: archive.why(),
            entries: archive.len(),
            compressed: entries().filter(Entry::is_compressed).count(),
            empty: entries().filter(|entry| entry.size() == 0).count(),
            // Entries are free to claim more than a number can say.
            size: entries()
                .map(|entry| entry.size())
                .fold(0, u64::saturating_add),
            packed_size: entries()
                .map(|entry| entry.stored_len())
                .fold(0, u64::saturating_add),
            remarks: remarks::of(archive, &account),
            account,
            engines: Facts::of(archive).judge_for(asked),
            content: Content::of(archive, asked, pool),
            stock: Stock::of(archive),
            is_check: !asked.is_empty(),
        }
    }

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
        verdict: Effect::verdict(verdict.effect),
        why: verdict.why.iter().map(ToString::to_string).collect(),
    }))
}

/// What the files are, and what engines cannot read of them.
fn content<S: Serializer>(content: &Content, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(serde::Serialize)]
    struct Held {
        kind: &'static str,
        r#type: &'static str,
        format: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        leaf_bytes: Option<u8>,
        count: usize,
        entries: Vec<usize>,
        names: Vec<String>,
    }
    #[derive(serde::Serialize)]
    struct Contrary {
        entry: usize,
        name: String,
        found: Option<&'static str>,
    }
    #[derive(serde::Serialize)]
    struct Unread {
        engine: &'static str,
        kind: &'static str,
        r#type: &'static str,
        count: usize,
    }
    let (mut held, mut contrary, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for kind in &content.kinds {
        held.push(Held {
            kind: kind.file_type.family().as_str(),
            r#type: kind.file_type.as_str(),
            format: kind.file_type.to_string(),
            leaf_bytes: kind.leafs.and_then(Leafs::bytes),
            count: kind.entries.len(),
            entries: kind.entries.iter().map(|entry| entry.index).collect(),
            names: kind
                .entries
                .iter()
                .map(|entry| escape(&entry.name).to_string())
                .collect(),
        });
    }
    for it in &content.contrary {
        contrary.push(Contrary {
            entry: it.entry.index,
            name: escape(&it.entry.name).to_string(),
            found: it.found.map(FileType::as_str),
        });
    }
    for it in &content.unread {
        unread.push(Unread {
            engine: it.engine.name(),
            kind: it.file_type.family().as_str(),
            r#type: it.file_type.as_str(),
            count: it.count,
        });
    }
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("content", &held)?;
    map.serialize_entry("contrary", &contrary)?;
    map.serialize_entry("unread", &unread)?;
    map.end()
}
