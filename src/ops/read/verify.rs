//! Decodes everything in archives, and reports for each entry whether it is intact.
//!
//! A few archives are decoded at a time. All threads decode the payloads of each, every payload once. The results
//! are reported archive by archive, in the order of the directory, for any number of threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::{RawName, escape_path, path_bytes};
use crate::ops::catalogue::{
    Baseline, Content, Contents, Hash, SnapshotOptions, SnapshotRow, SnapshotTotals, State, Summer,
    name_prefixes,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding, Meaning};
use crate::ops::json::text_entry;
use crate::ops::plan::paths::{PathRules, folders_of, place};
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::row::{Check, CheckStatus, EntryRow, MANY};
use crate::ops::source::directory::{check_outside, parent_of};
use crate::ops::source::{How, Input, Search, Selection, for_each, missing_names};

/// What to verify.
#[derive(Debug, Default)]
pub struct VerifyOptions {
    /// Whether the paths come from a list. Then the names in a snapshot begin with the path of their archive.
    pub listed: bool,
    /// Which entries.
    pub selection: Selection,
    /// The snapshot to compare with, if one is wanted.
    pub snapshot: Option<SnapshotOptions>,
    /// The kind of checksum in the snapshot. If the snapshot exists but has another kind, that is refused.
    pub hash: Option<Hash>,
    /// Whether to report every entry, with its CRC-32 and the checksum that `hash` asks for, or only entries with
    /// findings.
    pub checksums: bool,
    /// Whether to report every entry, with the checksum that `hash` asks for and the file that `extract` makes of it.
    pub sums: bool,
    /// The most that may be decoded from an archive, as a multiple of its length. Each payload counts once. By
    /// default, only an archive with overlapping payloads exceeds the limit. Such an archive counts as unread.
    pub max_expansion: Option<u64>,
}

/// What a verification reports.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub enum VerifyRow {
    /// An entry.
    Entry(VerifiedEntry),
    /// The end of an archive: all of its entries have been reported.
    Archive(VerifiedArchive),
    /// A difference from the snapshot.
    Difference(Box<SnapshotRow>),
}

/// An entry that has been decoded.
#[derive(Debug, serde::Serialize)]
pub struct VerifiedEntry {
    /// The entry.
    #[serde(flatten)]
    pub entry: EntryRow,
    /// Whether it can be decoded.
    #[serde(flatten)]
    pub check: Box<Check>,
    /// Whether it cannot be decoded, and the snapshot records that.
    #[serde(skip)]
    pub is_recorded: bool,
    /// The file that `extract` makes of it below its output directory, if that was asked for and the name is allowed.
    #[serde(skip)]
    pub file: Option<PathBuf>,
}

/// An archive whose entries have been decoded.
#[derive(Debug)]
pub struct VerifiedArchive {
    /// The archive.
    pub archive: Arc<Path>,
    /// What was counted in it.
    pub counts: VerifyTotals,
    /// Whether it is one of more than 20 archives.
    pub is_one_of_many: bool,
    /// Why it could not be read, or not as a whole.
    pub problems: Vec<Finding>,
    /// Whether the snapshot records that it cannot be read, or not as a whole.
    pub is_recorded: bool,
}

impl VerifiedArchive {
    /// A stable word for the result.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        if self.counts.unread > 0 {
            "unread"
        } else if self.counts.cut > 0 {
            "cut"
        } else if self.counts.damaged + self.counts.unsupported > 0 {
            "damaged"
        } else {
            "ok"
        }
    }
}

impl Serialize for VerifiedArchive {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "archive", &path_bytes(&self.archive))?;
        map.serialize_entry("status", self.status())?;
        if let Some(problem) = self.problems.first() {
            map.serialize_entry("problem", &problem.detail)?;
        }
        map.serialize_entry("entries", &self.counts.entries)?;
        map.serialize_entry("damaged", &self.counts.damaged)?;
        map.serialize_entry("size", &self.counts.bytes)?;
        map.end()
    }
}

/// What was verified.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VerifyTotals {
    /// Archives that could be read.
    pub archives: u64,
    /// Inputs that could not be read.
    pub unread: u64,
    /// Archives whose directory is cut off, so that entries are missing.
    pub cut: u64,
    /// Entries.
    pub entries: u64,
    /// Entries that cannot be decoded, because they are damaged.
    pub damaged: u64,
    /// Entries that cannot be decoded, because daisho does not support their compression or encryption.
    pub unsupported: u64,
    /// Entries that could be decoded and are odd.
    pub warnings: u64,
    /// The sum of the sizes of the entries that could be decoded.
    pub bytes: u64,
    /// Whether a name or a pattern has matched nothing, so that nothing was concluded.
    pub is_unmatched: bool,
    /// The result for the snapshot, if one was compared or written.
    pub snapshot: Option<SnapshotTotals>,
}

impl VerifyTotals {
    /// Counts an entry.
    fn count(&mut self, status: CheckStatus, size: u64) {
        self.entries += 1;
        match status {
            CheckStatus::Damaged => self.damaged += 1,
            CheckStatus::Unsupported => self.unsupported += 1,
            CheckStatus::Warning => self.warnings += 1,
            CheckStatus::Ok => {}
        }
        if matches!(status, CheckStatus::Ok | CheckStatus::Warning) {
            self.bytes = self.bytes.saturating_add(size);
        }
    }

    /// Adds the counts of an archive.
    fn add(&mut self, archive: &Self) {
        self.archives += archive.archives;
        self.unread += archive.unread;
        self.cut += archive.cut;
        self.entries += archive.entries;
        self.damaged += archive.damaged;
        self.unsupported += archive.unsupported;
        self.warnings += archive.warnings;
        self.bytes = self.bytes.saturating_add(archive.bytes);
    }
}

/// Decodes the selected entries, and reports each. [An example](crate::ops#nothing-lost-and-proof-of-it).
///
/// # Errors
///
/// If no path leads to an archive or to a file that is named like one, if the snapshot cannot be read, or if it does not
/// exist and `update` is off.
pub fn verify(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &VerifyOptions,
    out: &mut dyn Sink<VerifyRow>,
) -> Result<VerifyTotals, Refusal> {
    let VerifyOptions { listed, selection, snapshot, .. } = options;
    let how = How { listed: *listed, takes_ruined: true, ..How::default() };
    let mut found = Search::new(context, paths, how);
    found.refuse_strangers(context)?;
    let mut totals = VerifyTotals::default();
    let missing = missing_names(context, &found, selection);
    if !missing.is_empty() {
        hand_on(out, missing);
        hand_on(out, found.take_findings());
        totals.archives = found.inputs.len() as u64;
        totals.is_unmatched = true;
        return Ok(totals);
    }
    let several = paths.len() > 1 || *listed;
    let mut prefixes = Vec::new();
    let mut baseline = None;
    if let Some(snapshot) = snapshot {
        if snapshot.update {
            // A snapshot among the files of a directory would be one of them the next time.
            for directory in found.directories() {
                check_outside(directory, parent_of(&snapshot.path), &snapshot.path)?;
            }
        }
        prefixes = name_prefixes(&found.inputs, several);
        baseline = Some(Baseline::new(snapshot, options.hash, &prefixes)?);
    }
    let folders = if options.sums { extracted_into(&found.inputs, several) } else { Vec::new() };
    let mut hashes = Vec::new();
    hashes.extend(options.checksums.then_some(Hash::Crc32));
    hashes.extend(options.hash.filter(|_| options.checksums || options.sums));
    hashes.extend(baseline.as_ref().map(|baseline| baseline.hash));
    let mut number = 0;
    let work = |input: &Input| check(context, options, &hashes, input);
    let flow = for_each(context, &found.inputs, work, |input, checked| {
        let (mut archive, mut entries, findings) = checked.unwrap_or_else(|error| {
            let counts = VerifyTotals { unread: 1, ..VerifyTotals::default() };
            (verified(input, counts, vec![error]), Vec::new(), Vec::new())
        });
        archive.is_one_of_many = found.inputs.len() > MANY;
        if let Some(baseline) = &mut baseline {
            let prefix = prefixes.get(number).map_or(&[][..], Vec::as_slice);
            for entry in &mut entries {
                let state = match entry.check.sums.by(baseline.hash) {
                    Some(sum) => State::Sum(sum),
                    None if entry.check.status == CheckStatus::Unsupported => State::Unsupported,
                    None => State::Damaged,
                };
                entry.is_recorded =
                    baseline.add(prefix, &entry.entry.name, entry.entry.size, state);
            }
            if archive.status() == "unread" || archive.status() == "cut" {
                let size = input.len(&context.system);
                archive.is_recorded = baseline.add(prefix, b"", size, State::Unreadable);
            }
        }
        if let Some(folder) = folders.get(number) {
            name_files(folder, &mut entries);
        }
        number += 1;
        totals.add(&archive.counts);
        hand_on(out, findings);
        hand_on_rows(out, entries.into_iter().map(VerifyRow::Entry))?;
        out.row(VerifyRow::Archive(archive))
    });
    totals.unread += hand_on(out, found.take_findings());
    if flow.is_break() || context.cancel.is_set() {
        return Ok(totals);
    }
    hand_on(out, selection.unmatched());
    totals.is_unmatched = selection.has_missed();
    if let Some(baseline) = baseline.filter(|_| !totals.is_unmatched) {
        let (unread, mut findings) = (totals.unread + totals.cut, Vec::new());
        let (differences, recorded) = baseline.settle(context, selection, unread, &mut findings);
        totals.snapshot = recorded;
        hand_on(out, findings);
        let rows = differences.into_iter().map(|row| VerifyRow::Difference(Box::new(row)));
        // There is nothing after them that could be ended.
        let _ = hand_on_rows(out, rows);
    }
    Ok(totals)
}

/// The directory that `extract -C` of the same arguments writes each archive into. `several` says that the user named
/// several paths or a list.
fn extracted_into(archives: &[Input], several: bool) -> Vec<PathBuf> {
    if !several && archives.iter().all(|input| !input.found) {
        return vec![PathBuf::new(); archives.len()];
    }
    let mut read = archives.to_vec();
    read.retain(|input| !input.is_ruined);
    let mut folders = folders_of(&read);
    for (number, _) in archives.iter().enumerate().filter(|(_, input)| input.is_ruined) {
        folders.insert(number, PathBuf::new());
    }
    folders
}

/// Adds the path of the file that each entry is extracted to. An entry whose name is not allowed for a file has none.
fn name_files(folder: &Path, entries: &mut [VerifiedEntry]) {
    let mut names = Vec::with_capacity(entries.len());
    for (row, VerifiedEntry { entry, .. }) in entries.iter().enumerate() {
        names.push((entry.at.index().unwrap_or(row), RawName::new(&entry.name)));
    }
    let placed = place(&names, PathRules::default());
    for (entry, placed) in entries.iter_mut().zip(placed) {
        entry.file = placed.ok().map(|placed| folder.join(placed.path.to_path_buf()));
    }
}

/// An archive, its selected entries, and what is unusual in the archive as a whole. If no checksums are reported, only
/// entries with findings.
type Checked = (VerifiedArchive, Vec<VerifiedEntry>, Vec<Finding>);

fn verified(input: &Input, counts: VerifyTotals, problems: Vec<Finding>) -> VerifiedArchive {
    let archive = Arc::from(input.path.as_path());
    VerifiedArchive { archive, counts, is_one_of_many: false, problems, is_recorded: false }
}

/// Decodes an archive.
fn check(
    context: &Context<'_>,
    options: &VerifyOptions,
    hashes: &[Hash],
    input: &Input,
) -> Result<Checked, Finding> {
    let archive = input.open(context)?;
    let selected = options.selection.entries(&archive);
    let contents = Contents::of(context, &archive, selected, options.max_expansion)?;
    let name = escape_path(&input.path).to_string();
    context.observer.begin(&name);
    let start = Summer::new(hashes);
    let read = contents.hash(context, &start);
    context.observer.end(&name);
    let (problems, mut findings): (Vec<_>, Vec<_>) =
        finding::archive_notes(&archive).into_iter().partition(Finding::is_error);
    // Known when the contents have been read.
    findings.extend(finding::reserved_reading(&archive));
    let cut = u64::from(!problems.is_empty());
    let counts = VerifyTotals { archives: 1, cut, ..VerifyTotals::default() };
    let (mut verified, mut entries) = (verified(input, counts, problems), Vec::new());
    for content in read {
        let (entry, check) = (content.entry, check_of(content));
        verified.counts.count(check.status, entry.size());
        // Without checksums nobody asks for entries that can be decoded.
        if check.status != CheckStatus::Ok || !hashes.is_empty() {
            entries.push(VerifiedEntry {
                entry: EntryRow::of(&verified.archive, &entry),
                check: Box::new(check),
                is_recorded: false,
                file: None,
            });
        }
    }
    Ok((verified, entries, findings))
}

/// The result of decoding an entry.
fn check_of(content: Content<'_>) -> Check {
    let status = match content.findings.first() {
        None => CheckStatus::Ok,
        Some(it) if it.meaning == Meaning::Unsupported => CheckStatus::Unsupported,
        Some(it) if it.is_error() => CheckStatus::Damaged,
        Some(_) => CheckStatus::Warning,
    };
    Check { status, sums: content.sums, findings: content.findings }
}
