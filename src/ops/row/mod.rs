//! What operations report: rows while they work, and one summary at the end.
//!
//! A row is plain data: nothing in it opens or decodes anything. Serialized, each is one object of JSON. The
//! fields of each kind of row come in the order of this file; a field that has nothing to say is left out,
//! unless it is always expected, and then it is null.
//!
//! A name or a path that is not UTF-8 has a second field beside it, with all of its bytes in hexadecimal:
//! `name_hex` beside `name`.

mod info;
mod json;
mod output;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::Problem;
use crate::archive::snapshot::{SnapshotChange, SnapshotDifference, Sums};
use crate::archive::{Entry, FileType, Kind};
use crate::media::asked::Asker;
use crate::media::details::Details;

pub use info::{Content, Contrary, Held, InfoRow, Named, Remark, Unread};
pub use output::{
    Aside, Created, Edit, EditRow, FileRow, HardToFind, Outcome, OutputFile, OutputRow, PageRow,
};

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
    /// What became of an input that is written to an archive, or to several.
    Output(Box<OutputRow>),
    /// What became of an archive that is edited.
    Edit(Box<EditRow>),
    /// What became of a file that is extracted.
    File(FileRow),
    /// What became of a page.
    Page(PageRow),
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
            Self::Edit(edit) => !matches!(edit.output.outcome, Outcome::Failed | Outcome::Stopped),
            _ => true,
        }
    }

    /// The errors and warnings that belong to it.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Entry(entry) => entry.check.as_ref().map_or(&[], |check| &check.problems),
            Self::Output(output) => &output.problems,
            Self::Edit(edit) => &edit.output.problems,
            Self::File(file) => &file.problems,
            Self::Page(page) => &page.problems,
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
    #[serde(flatten, serialize_with = "json::text::name")]
    pub name: Vec<u8>,
    /// What its extension says.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "json::kind")]
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

/// What a file's header or content says.
#[derive(Debug)]
pub struct Facts {
    /// What was found; nothing if its name is of no type that is known, or it cannot be read.
    pub details: Option<Arc<Details>>,
    /// Whether all of the file was looked at, and not only its header.
    pub is_whole: bool,
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
    /// Where its files are extracted to.
    pub into: Option<PathBuf>,
    /// Whether it is a directory whose loose files are extracted.
    pub is_loose: bool,
}

/// A difference between two archives.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ChangeRow {
    /// The archive of a directory, by its path in A.
    #[serde(flatten, serialize_with = "json::text::archive")]
    pub archive: Option<PathBuf>,
    /// The entry's name in A, or the name that only B has.
    #[serde(flatten, serialize_with = "json::text::name")]
    pub name: Vec<u8>,
    /// What became of it.
    #[serde(serialize_with = "json::change")]
    pub change: Change,
    /// Its name in B, if it was renamed.
    #[serde(flatten, serialize_with = "json::text::new_name")]
    pub new_name: Option<Vec<u8>>,
    /// Its size in A.
    pub size_a: Option<u64>,
    /// Its size in B.
    pub size_b: Option<u64>,
}

/// What became of an entry from the first pak to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// Only the second one has it.
    Added,
    /// Only the first one has it.
    Removed,
    /// The content is another one.
    Changed,
    /// The content is the same, and the name another one.
    Renamed,
    /// The content is the same, and the place in the order another one.
    Moved,
}

impl Change {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 5] = [
        Self::Added,
        Self::Removed,
        Self::Changed,
        Self::Renamed,
        Self::Moved,
    ];

    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
        }
    }
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
    #[serde(serialize_with = "json::hexadecimal")]
    pub sha256: [u8; 32],
    /// How long the content is.
    pub size: u64,
    /// How many copies there are.
    pub copies: usize,
    /// The archive.
    #[serde(flatten, serialize_with = "json::text::pak")]
    pub archive: Arc<Path>,
    /// The entry's number there.
    pub index: usize,
    /// Its name.
    #[serde(flatten, serialize_with = "json::text::name")]
    pub name: Vec<u8>,
    /// How many bytes the copy takes in the archive: none if it shares another entry's payload.
    pub packed_size: u64,
}

/// A file that a map asks for and the game does not serve.
#[derive(Debug, serde::Serialize)]
pub struct MissingRow {
    /// The map's name.
    #[serde(flatten, serialize_with = "json::text::map")]
    pub map: Vec<u8>,
    /// Where the map is.
    #[serde(flatten, serialize_with = "json::text::path")]
    pub path: PathBuf,
    /// What kind of file it is.
    pub kind: &'static str,
    /// Its name.
    #[serde(flatten, serialize_with = "json::text::missing")]
    pub missing: Vec<u8>,
    /// Names that would do instead.
    #[serde(serialize_with = "json::escaped_list")]
    pub instead: Vec<Vec<u8>>,
    /// Who asks for it.
    #[serde(flatten, serialize_with = "json::asker")]
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

    /// Counts an output; of a split one each archive.
    fn count_output(&mut self, output: &OutputRow) {
        match output.outcome {
            Outcome::Written | Outcome::Planned => {
                self.done += output.parts.len() as u64;
                self.entries += output.entries_out();
                self.bytes_in = self.bytes_in.saturating_add(output.bytes_in);
                let bytes_out = output.bytes_out.unwrap_or_default();
                self.bytes_out = self.bytes_out.saturating_add(bytes_out);
            }
            Outcome::Kept => self.kept += 1,
            Outcome::Skipped => self.skipped += 1,
            _ => self.failed += 1,
        }
    }

    /// Counts a file that is extracted.
    fn count_file(&mut self, file: &FileRow) {
        self.entries += 1;
        match file.outcome {
            Outcome::Kept => self.kept += 1,
            Outcome::Skipped => self.skipped += 1,
            Outcome::Failed | Outcome::Stopped => self.failed += 1,
            Outcome::Written | Outcome::Replaced | Outcome::Planned => {
                self.done += 1;
                self.bytes_out = self.bytes_out.saturating_add(file.size);
            }
        }
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
        match &row {
            Row::Archive(archive) => self.summary += archive.counts,
            Row::Output(output) => self.summary.count_output(output),
            Row::File(file) => self.summary.count_file(file),
            _ => {}
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
        self.row(Row::Archive(ArchiveRow {
            archive,
            counts,
            is_odd: false,
            into: None,
            is_loose: false,
        }));
    }
}
