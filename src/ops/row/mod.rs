//! What operations report: rows while they work, and one summary at the end.
//!
//! A row is plain data: it does not open or decode anything. Each row is serialized as one JSON object, with its
//! fields in the order of its struct. A field without a value is left out, or is null if readers always expect the
//! field.
//!
//! If a name or a path is not UTF-8, a second field has all of its bytes in hexadecimal: `name_hex` follows `name`.

mod compare;
mod entry;
mod info;
mod json;
mod output;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ops::finding::Finding;
use crate::ops::snapshot::Sum;

pub use crate::archive::path::{escape_path, path_bytes};
pub use compare::{
    Change, ChangeRow, ComparedRow, CopyRow, DuplicatesRow, IdentityRow, MapRow, MissingRow,
    Recorded, RecordedRow, SnapshotRow, UnusedRow,
};
pub use entry::{At, Check, CheckStatus, EntryFacts, EntryRow, Served};
pub use info::{Content, Contrary, EntryName, Held, InfoRow, Remark, Unread};
pub use output::{
    Aside, Created, EditRow, FileRow, HardToFind, Outcome, OutputFile, OutputRow, PageRow, UndoRow,
    Version,
};

/// One thing that an operation reports.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Row {
    /// An entry of an archive, or a loose file.
    Entry(EntryRow),
    /// Facts about an archive as a whole.
    Info(Box<InfoRow>),
    /// The identity of an archive.
    Identity(IdentityRow),
    /// The end of an archive: all of its entries have been reported.
    #[serde(skip)]
    Archive(ArchiveRow),
    /// The checksum of an entry's content.
    #[serde(skip)]
    Sum(SumRow),
    /// The result for an input that is written to one archive or several.
    Output(Box<OutputRow>),
    /// The result of editing an archive.
    Edit(Box<EditRow>),
    /// The result of undoing an edit.
    Undone(UndoRow),
    /// The result of extracting a file.
    File(FileRow),
    /// The result of writing a page.
    Page(PageRow),
    /// A difference between two archives.
    Change(ChangeRow),
    /// A difference from a snapshot.
    Snapshot(Box<SnapshotRow>),
    /// The result for the snapshot.
    #[serde(skip)]
    Recorded(RecordedRow),
    /// How two sides compare as a whole.
    #[serde(skip)]
    Compared(ComparedRow),
    /// How much is stored more than once. Reported before all copies.
    #[serde(skip)]
    Duplicates(DuplicatesRow),
    /// One of several copies of a file or an archive.
    Copy(CopyRow),
    /// A file that a map asks for but the game does not serve.
    Missing(Box<MissingRow>),
    /// A file of a mod that no map needs.
    Unused(Box<UnusedRow>),
    /// A map, reported after all of its missing files.
    #[serde(skip)]
    Map(MapRow),
    /// An error or a warning. It becomes a JSON object only if it is about an input that could not be read, or only
    /// in part.
    Finding(Finding),
}

impl Row {
    /// Whether it becomes a JSON object.
    #[must_use]
    pub fn has_json(&self) -> bool {
        match self {
            Self::Archive(_)
            | Self::Sum(_)
            | Self::Recorded(_)
            | Self::Compared(_)
            | Self::Duplicates(_)
            | Self::Map(_) => false,
            Self::Finding(finding) => finding.input().is_some(),
            Self::Edit(edit) => !matches!(edit.output.outcome, Outcome::Failed | Outcome::Stopped),
            _ => true,
        }
    }

    /// The errors and warnings that belong to it.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Entry(entry) => entry.check.as_ref().map_or(&[], |check| &check.findings),
            Self::Output(output) => &output.findings,
            Self::Edit(edit) => &edit.output.findings,
            Self::File(file) => &file.findings,
            Self::Info(info) => &info.findings,
            Self::Page(page) => &page.findings,
            Self::Finding(finding) => core::slice::from_ref(finding),
            _ => &[],
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
    /// How many archives are verified together with it, itself included.
    pub among: usize,
    /// Where its files are extracted to.
    pub into: Option<PathBuf>,
    /// Whether it is a directory whose loose files are extracted.
    pub is_loose: bool,
}

impl ArchiveRow {
    /// An archive in which this was counted.
    pub(super) const fn new(archive: Arc<Path>, counts: Summary) -> Self {
        Self {
            archive,
            counts,
            among: 1,
            into: None,
            is_loose: false,
        }
    }
}

/// The checksum of an entry's content, for a list of checksums.
#[derive(Debug)]
pub struct SumRow {
    /// The checksum.
    pub sum: Sum,
    /// The entry's name. If there are several archives, it begins with the archive's path, as in a snapshot.
    pub name: Vec<u8>,
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
    /// Entries that were left out, because nothing selects them or their names are not allowed.
    pub skipped: u64,
    /// What could not be read or written.
    pub failed: u64,
    /// Entries that could be decoded and are odd.
    pub warnings: u64,
    /// Entries that could not be decoded, because daisho does not support their compression or encryption.
    pub unsupported: u64,
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
        self.unsupported += other.unsupported;
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
        self.count_checked(CheckStatus::Ok, entry.size);
    }

    /// Counts an output, or each archive of a split output.
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

    /// Counts a page.
    fn count_page(&mut self, page: &PageRow) {
        match page.outcome {
            Outcome::Written => {
                self.done += 1;
                self.entries += page.entries as u64;
            }
            Outcome::Kept => self.kept += 1,
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

    /// Counts an entry that was decoded, or should have been.
    pub(super) fn count_checked(&mut self, status: CheckStatus, size: u64) {
        self.entries += 1;
        match status {
            CheckStatus::Damaged => self.failed += 1,
            CheckStatus::Unsupported => self.unsupported += 1,
            CheckStatus::Warning => self.warnings += 1,
            CheckStatus::Ok => {}
        }
        if matches!(status, CheckStatus::Ok | CheckStatus::Warning) {
            self.bytes_out = self.bytes_out.saturating_add(size);
        }
    }
}

/// Passes rows on, and counts what is in them.
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

    /// Passes a row on.
    pub(super) fn row(&mut self, row: Row) {
        match &row {
            Row::Archive(archive) => self.summary += archive.counts,
            Row::Output(output) => self.summary.count_output(output),
            Row::Edit(edit) => self.summary.count_output(&edit.output),
            Row::File(file) => self.summary.count_file(file),
            Row::Page(page) => self.summary.count_page(page),
            _ => {}
        }
        (self.rows)(row);
    }

    /// Passes errors and warnings on.
    pub(super) fn findings(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            let is_unread = finding.is_error() && finding.unread.is_some();
            self.summary.unread += u64::from(is_unread);
            self.row(Row::Finding(finding));
        }
    }

    /// Passes on the entries of an archive, and then the archive with the counts.
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
        self.row(Row::Archive(ArchiveRow::new(archive, counts)));
    }
}
