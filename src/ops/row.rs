//! What operations report: rows while they work, and one summary at the end.
//!
//! A row is plain data: nothing in it opens or decodes anything. Serialized, each is one object of JSON. The
//! fields of each kind of row come in the order of this file; a field that has nothing to say is left out,
//! unless it is always expected, and then it is null.
//!
//! A name or a path that is not UTF-8 has a second field beside it, with all of its bytes in hexadecimal:
//! `name_hex` beside `name`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::context::Problem;
use super::read::diff::Change;
use super::read::info::InfoRow;
use super::read::snapshot::{Hash, SnapshotChange, SnapshotDifference, Sums};
use crate::archive::{Entry, FileType, Kind, escape, path_bytes};
use crate::media::asked::Asker;
use crate::media::details::{Details, Fact, Value};

/// One thing that an operation reports.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Row {
    /// An entry of an archive, or a loose file.
    Entry(EntryRow),
    /// What an archive is like as a whole.
    Info(Box<InfoRow>),
    /// The end of an archive: all of its entries have been reported.
    #[serde(skip)]
    Archive(ArchiveRow),
    /// A difference between two archives.
    Change(ChangeRow),
    /// A difference from a snapshot.
    Snapshot(SnapshotRow),
    /// What became of the snapshot.
    #[serde(skip)]
    Recorded(RecordedRow),
    /// How two sides compare as a whole.
    #[serde(skip)]
    Compared(ComparedRow),
    /// One of several copies of a content.
    Copy(CopyRow),
    /// A file that a map asks for and the game does not serve.
    Missing(MissingRow),
    /// A map, after all files that it misses.
    #[serde(skip)]
    Map(MapRow),
    /// An error or a warning. Only an input that could not be read is an object of JSON.
    Finding(Problem),
}

impl Row {
    /// Whether it is an object of JSON.
    #[must_use]
    pub const fn has_json(&self) -> bool {
        match self {
            Self::Archive(_) | Self::Recorded(_) | Self::Compared(_) | Self::Map(_) => false,
            Self::Finding(problem) => problem.unread.is_some(),
            _ => true,
        }
    }

    /// The errors and warnings that belong to it.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Entry(entry) => entry.check.as_ref().map_or(&[], |check| &check.problems),
            Self::Finding(problem) => core::slice::from_ref(problem),
            _ => &[],
        }
    }
}

/// An entry, or a loose file.
#[derive(Debug, serde::Serialize)]
pub struct EntryRow {
    /// Whether an engine serves it, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub served: Option<Served>,
    /// Where it is.
    #[serde(flatten)]
    pub at: At,
    /// Its name.
    #[serde(flatten, serialize_with = "text::name")]
    pub name: Vec<u8>,
    /// What its extension says.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "kind")]
    pub kind: Option<Kind>,
    /// Where its payload begins in the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Its size, decompressed.
    pub size: u64,
    /// What it takes in the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packed_size: Option<u64>,
    /// Whether it is compressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compressed: Option<bool>,
    /// What its header or its content says, if that was asked.
    #[serde(flatten)]
    pub facts: Option<Facts>,
    /// Whether it can be decoded, if that was asked.
    #[serde(flatten)]
    pub check: Option<Check>,
}

impl EntryRow {
    /// The place, the name and the size of an entry.
    pub(super) fn of(archive: &Arc<Path>, entry: &Entry<'_>) -> Self {
        let at = match entry.path() {
            Some(file) if entry.is_file() => At::File(file.to_path_buf()),
            _ => At::Archive(Arc::clone(archive), entry.index()),
        };
        Self::new(at, entry.name().as_bytes().to_vec(), entry.size())
    }

    /// An entry of which nothing else is known.
    pub(super) const fn new(at: At, name: Vec<u8>, size: u64) -> Self {
        Self {
            served: None,
            at,
            name,
            kind: None,
            offset: None,
            size,
            packed_size: None,
            compressed: None,
            facts: None,
            check: None,
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

/// Whether an engine serves a copy of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// It does.
    Yes,
    /// Another copy shadows it.
    No,
    /// It is not defined which of several copies it serves.
    NotDefined,
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

/// What a file's header or content says.
#[derive(Debug)]
pub struct Facts {
    /// What was found; nothing if its name is of no type that is known, or it cannot be read.
    pub details: Option<Arc<Details>>,
    /// Whether all of the file was looked at, and not only its header.
    pub is_whole: bool,
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

/// Whether an entry can be decoded.
#[derive(Debug)]
pub struct Check {
    /// How it is.
    pub status: Status,
    /// The checksums of its content, if it can be decoded.
    pub sums: Sums,
    /// What is wrong with it, or odd.
    pub problems: Vec<Problem>,
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

/// How an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It can be decoded.
    Ok,
    /// It can be decoded, and something in its stream is unusual.
    Warning,
    /// It cannot be decoded.
    Damaged,
}

impl Status {
    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Damaged => "damaged",
        }
    }
}

/// An archive whose entries have been reported.
#[derive(Debug)]
pub struct ArchiveRow {
    /// The archive; empty for loose files.
    pub archive: Arc<Path>,
    /// What was counted in it.
    pub counts: Summary,
    /// Whether something is unusual in the archive as a whole.
    pub is_odd: bool,
}

/// A difference between two archives.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ChangeRow {
    /// The archive of a directory, by its path in A.
    #[serde(flatten, serialize_with = "text::archive")]
    pub archive: Option<PathBuf>,
    /// The entry's name in A, or the name that only B has.
    #[serde(flatten, serialize_with = "text::name")]
    pub name: Vec<u8>,
    /// What became of it.
    #[serde(serialize_with = "change")]
    pub change: Change,
    /// Its name in B, if it was renamed.
    #[serde(flatten, serialize_with = "text::new_name")]
    pub new_name: Option<Vec<u8>>,
    /// Its size in A.
    pub size_a: Option<u64>,
    /// Its size in B.
    pub size_b: Option<u64>,
}

/// How two sides compare as a whole, after all differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ComparedRow {
    /// How many pairs of archives were compared, if both sides are directories of archives.
    pub pairs: usize,
    /// How many archives were taken together, if only one side is a directory of archives.
    pub together: usize,
    /// How many entries are the same, and in the same order.
    pub same: usize,
    /// How many differences there are, in the order of [`Change::ALL`].
    pub differences: [usize; Change::ALL.len()],
}

/// A difference from a snapshot.
#[derive(Debug)]
pub struct SnapshotRow {
    /// The snapshot.
    pub snapshot: Arc<Path>,
    /// What differs.
    pub difference: SnapshotDifference,
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

/// What became of a snapshot, after all differences from it.
#[derive(Debug)]
pub struct RecordedRow {
    /// The snapshot.
    pub snapshot: Arc<Path>,
    /// What became of it.
    pub outcome: Recorded,
    /// How many entries differ, in the order of [`SnapshotChange::ALL`].
    pub differences: [usize; SnapshotChange::ALL.len()],
}

/// What became of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// There was none, so it was made with this many lines, and nothing was compared.
    Made(usize),
    /// It was compared.
    Compared,
    /// It was compared, and renewed if anything was different.
    Renewed,
}

/// One of several copies of a content.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CopyRow {
    /// The content's SHA-256.
    #[serde(serialize_with = "hexadecimal")]
    pub sha256: [u8; 32],
    /// How long the content is.
    pub size: u64,
    /// How many copies there are.
    pub copies: usize,
    /// The archive.
    #[serde(flatten, serialize_with = "text::pak")]
    pub archive: Arc<Path>,
    /// The entry's number there.
    pub index: usize,
    /// Its name.
    #[serde(flatten, serialize_with = "text::name")]
    pub name: Vec<u8>,
    /// How many bytes the copy takes in the archive: none if it shares another entry's payload.
    pub packed_size: u64,
}

/// A file that a map asks for and the game does not serve.
#[derive(Debug, serde::Serialize)]
pub struct MissingRow {
    /// The map's name.
    #[serde(flatten, serialize_with = "text::map")]
    pub map: Vec<u8>,
    /// Where the map is.
    #[serde(flatten, serialize_with = "text::path")]
    pub path: PathBuf,
    /// What kind of file it is.
    pub kind: &'static str,
    /// Its name.
    #[serde(flatten, serialize_with = "text::missing")]
    pub missing: Vec<u8>,
    /// Names that would do instead.
    #[serde(serialize_with = "escaped_list")]
    pub instead: Vec<Vec<u8>>,
    /// Who asks for it.
    #[serde(flatten, serialize_with = "asker")]
    pub asker: Asker,
}

/// A map, after all files that it misses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapRow {
    /// The archive, or the file.
    pub path: PathBuf,
    /// Its name.
    pub name: Vec<u8>,
    /// Its format.
    pub file_type: FileType,
    /// How many files it asks for.
    pub asked: usize,
    /// How many of them are not served.
    pub missing: usize,
}

/// What an operation has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Archives that could be read.
    pub archives: u64,
    /// Inputs that could not be read.
    pub unread: u64,
    /// Archives whose directory is cut off, so that entries are missing.
    pub cut: u64,
    /// Entries that were looked at, or written.
    pub entries: u64,
    /// Entries, files or outputs that were written, or would be; copies and differences that were found.
    pub done: u64,
    /// Files or outputs that existed and were kept.
    pub kept: u64,
    /// What was left out, because nothing selects it, or no file may have its name.
    pub skipped: u64,
    /// What could not be read or written.
    pub failed: u64,
    /// Entries that could be decoded and are odd.
    pub warnings: u64,
    /// Bytes that were read: of archives, or of payloads.
    pub bytes_in: u64,
    /// Bytes of contents that were decoded, or that were written.
    pub bytes_out: u64,
}

impl core::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.archives += other.archives;
        self.unread += other.unread;
        self.cut += other.cut;
        self.entries += other.entries;
        self.done += other.done;
        self.kept += other.kept;
        self.skipped += other.skipped;
        self.failed += other.failed;
        self.warnings += other.warnings;
        self.bytes_in = self.bytes_in.saturating_add(other.bytes_in);
        self.bytes_out = self.bytes_out.saturating_add(other.bytes_out);
    }
}

impl Summary {
    /// Counts an entry that is listed.
    fn count(&mut self, entry: &EntryRow) {
        self.bytes_in = self
            .bytes_in
            .saturating_add(entry.packed_size.unwrap_or_default());
        self.count_checked(Status::Ok, entry.size);
    }

    /// Counts an entry that was decoded.
    pub(super) fn count_checked(&mut self, status: Status, size: u64) {
        self.entries += 1;
        match status {
            Status::Damaged => self.failed += 1,
            Status::Warning => self.warnings += 1,
            Status::Ok => {}
        }
        if status != Status::Damaged {
            self.bytes_out = self.bytes_out.saturating_add(size);
        }
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

    fields!(archive map missing name new_name pak path);
}

fn escaped(texts: &[Vec<u8>]) -> Vec<String> {
    texts.iter().map(|text| escape(text).to_string()).collect()
}

fn escaped_list<S: Serializer>(texts: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    escaped(texts).serialize(serializer)
}

fn hexadecimal<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

fn kind<S: Serializer>(kind: &Option<Kind>, serializer: S) -> Result<S::Ok, S::Error> {
    kind.map(Kind::as_str).serialize(serializer)
}

fn change<S: Serializer>(change: &Change, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(change.as_str())
}

fn asker<S: Serializer>(asker: &Asker, serializer: S) -> Result<S::Ok, S::Error> {
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

/// Hands rows on, and counts what is in them.
pub(super) struct Delivery<'r> {
    rows: &'r mut dyn FnMut(Row),
    pub(super) summary: Summary,
}

impl<'r> Delivery<'r> {
    pub(super) fn new(rows: &'r mut dyn FnMut(Row)) -> Self {
        Self {
            rows,
            summary: Summary::default(),
        }
    }

    /// Hands a row on.
    pub(super) fn row(&mut self, row: Row) {
        if let Row::Archive(archive) = &row {
            self.summary += archive.counts;
        }
        (self.rows)(row);
    }

    /// Hands errors and warnings on.
    pub(super) fn findings(&mut self, findings: impl IntoIterator<Item = Problem>) {
        for finding in findings {
            let is_unread = finding.is_error() && finding.unread.is_some();
            self.summary.unread += u64::from(is_unread);
            self.row(Row::Finding(finding));
        }
    }

    /// Hands on an archive's entries, and then the archive with what was counted.
    pub(super) fn archive(
        &mut self,
        archive: Arc<Path>,
        entries: impl IntoIterator<Item = EntryRow>,
    ) {
        let mut counts = Summary::default();
        for entry in entries {
            counts.count(&entry);
            self.row(Row::Entry(entry));
        }
        let is_odd = false;
        self.row(Row::Archive(ArchiveRow {
            archive,
            counts,
            is_odd,
        }));
    }
}
