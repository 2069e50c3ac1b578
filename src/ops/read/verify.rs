//! Decodes everything in archives, and reports for each entry whether it is intact.
//!
//! A few archives are decoded at a time. All threads decode the payloads of each, every payload once. The results
//! are reported archive by archive, in the order of the directory, for any number of threads.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::{RawName, escape_path, path_bytes};
use crate::ops::catalogue::{
    Baseline, Content, Contents, Hash, RecordedRow, SnapshotOptions, SnapshotRow, State, Sum,
    Summer, Sums, Trouble, name_prefixes,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{self, Finding, Meaning};
use crate::ops::json::text_entry;
use crate::ops::plan::paths::{PathRules, folders_of, place};
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::row::{Check, CheckStatus, EntryRow, MANY};
use crate::ops::source::directory::{check_outside, parent_of};
use crate::ops::source::{How, Input, Search, Selection, for_each, missing_names};
use crate::ops::stream::odd_stream;

/// What to verify.
#[derive(Debug)]
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
    /// Whether to report the checksum that `hash` asks for of each entry that can be decoded, as a [`SumRow`].
    pub sums: bool,
    /// The most that may be decoded from an archive, as a multiple of its length. Each payload counts once. By
    /// default, only an archive with overlapping payloads exceeds the limit. Such an archive counts as unread.
    pub max_expansion: Option<u64>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self {
            listed: false,
            selection: Selection::all(),
            snapshot: None,
            hash: None,
            checksums: true,
            sums: false,
            max_expansion: None,
        }
    }
}

/// What a verification reports.
#[derive(Debug, serde::Serialize)]
#[serde(untagged)]
pub enum VerifyRow {
    /// An entry.
    Entry(VerifiedEntry),
    /// The checksum of an entry's content.
    #[serde(skip)]
    Sum(SumRow),
    /// The end of an archive: all of its entries have been reported.
    Archive(VerifiedArchive),
    /// A difference from the snapshot.
    Difference(Box<SnapshotRow>),
    /// The result for the snapshot.
    #[serde(skip)]
    Recorded(RecordedRow),
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
}

/// The checksum of an entry's content, for a list of checksums.
#[derive(Debug)]
pub struct SumRow {
    /// The checksum.
    pub sum: Sum,
    /// The path of the file that `extract` makes of the entry, below its output directory.
    pub name: Vec<u8>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
    /// Whether a search has found an archive that could not be read.
    pub has_found_unread: bool,
    /// Whether a name or a pattern has matched nothing, so that nothing was concluded.
    pub is_unmatched: bool,
}

impl VerifyTotals {
    /// Whether no input could be read, and none of those was found by a search.
    #[must_use]
    pub const fn is_nothing_read(&self) -> bool {
        self.archives == 0 && !self.has_found_unread
    }

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
/// If the snapshot cannot be read, or does not exist and `update` is off.
pub fn verify(
    context: &Context<'_>,
    paths: &[impl AsRef<Path>],
    options: &VerifyOptions,
    out: &mut dyn Sink<VerifyRow>,
) -> Result<VerifyTotals, Refusal> {
    let VerifyOptions { listed, selection, snapshot, .. } = options;
    let how = How { listed: *listed, takes_ruined: true, ..How::default() };
    let mut found = Search::new(context, paths, how);
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
    let hashes = hashes(options, baseline.as_ref());
    let mut number = 0;
    let work = |input: &Input| check(context, options, &hashes, input);
    let flow = for_each(context, &found.inputs, work, |input, checked| {
        let mut checked = checked.unwrap_or_else(|error| Checked::unread(input, error));
        let archive = &mut checked.archive;
        archive.is_one_of_many = found.inputs.len() > MANY;
        if let Some(baseline) = &mut baseline {
            let prefix = prefixes.get(number).map_or(&[][..], Vec::as_slice);
            for entry in &mut checked.entries {
                let state = state(entry, baseline.hash());
                entry.is_recorded =
                    baseline.add(prefix, &entry.entry.name, entry.entry.size, state);
            }
            if archive.status() == "unread" || archive.status() == "cut" {
                archive.is_recorded = baseline.add_unreadable(prefix, input, &context.system);
            }
        }
        if let (Some(hash), Some(folder)) = (options.hash, folders.get(number)) {
            report_sums(hash, folder, &checked.entries, out)?;
        }
        number += 1;
        totals.add(&archive.counts);
        totals.has_found_unread |= input.found && archive.counts.unread > 0;
        hand_on(out, checked.findings);
        hand_on_rows(out, checked.entries.into_iter().map(VerifyRow::Entry))?;
        out.row(VerifyRow::Archive(checked.archive))
    });
    totals.unread += hand_on(out, found.take_findings());
    if flow.is_break() || context.cancel.is_set() || totals.is_nothing_read() {
        return Ok(totals);
    }
    hand_on(out, selection.unmatched());
    totals.is_unmatched = selection.has_missed();
    if let Some(baseline) = baseline.filter(|_| !totals.is_unmatched) {
        let unread = totals.unread + totals.cut;
        let settled = baseline.settle(context, selection, unread);
        hand_on(out, settled.findings);
        let differences = settled.differences.into_iter();
        let rows = differences.map(|row| VerifyRow::Difference(Box::new(row)));
        let recorded = settled.recorded.map(VerifyRow::Recorded);
        // There is nothing after it that could be ended.
        let _ = hand_on_rows(out, rows.chain(recorded));
    }
    Ok(totals)
}

/// What a snapshot records of an entry.
fn state(entry: &VerifiedEntry, hash: Hash) -> State {
    match entry.check.sums.by(hash) {
        Some(sum) => State::Sum(sum),
        None if entry.check.status == CheckStatus::Unsupported => State::Unsupported,
        None => State::Damaged,
    }
}

/// The checksums to compute.
fn hashes(options: &VerifyOptions, baseline: Option<&Baseline<'_>>) -> Vec<Hash> {
    let mut hashes = Vec::new();
    if options.checksums {
        hashes.push(Hash::Crc32);
    }
    if options.checksums || options.sums {
        hashes.extend(options.hash);
    }
    hashes.extend(baseline.map(Baseline::hash));
    hashes
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

/// Reports the checksum of each entry that could be decoded, with the path of the file that it is extracted to.
fn report_sums(
    hash: Hash,
    folder: &Path,
    entries: &[VerifiedEntry],
    out: &mut dyn Sink<VerifyRow>,
) -> ControlFlow<()> {
    let mut names = Vec::with_capacity(entries.len());
    for (row, VerifiedEntry { entry, .. }) in entries.iter().enumerate() {
        names.push((entry.at.index().unwrap_or(row), RawName::new(&entry.name)));
    }
    for (entry, placed) in entries.iter().zip(place(&names, PathRules::default())) {
        // An entry whose name is not allowed for a file is not extracted.
        if let (Some(sum), Ok(placed)) = (entry.check.sums.by(hash), placed) {
            let path = folder.join(placed.path.to_path_buf());
            out.row(VerifyRow::Sum(SumRow { sum, name: path_bytes(&path).into_owned() }))?;
        }
    }
    ControlFlow::Continue(())
}

/// The result of decoding one archive.
struct Checked {
    /// What is unusual in the archive as a whole.
    findings: Vec<Finding>,
    /// The selected entries, or only those with findings if no checksums are reported.
    entries: Vec<VerifiedEntry>,
    archive: VerifiedArchive,
}

impl Checked {
    /// An archive of which nothing was read yet.
    fn new(input: &Input, counts: VerifyTotals, problems: Vec<Finding>) -> Self {
        let archive = VerifiedArchive {
            archive: Arc::from(input.path.as_path()),
            counts,
            is_one_of_many: false,
            problems,
            is_recorded: false,
        };
        Self { findings: Vec::new(), entries: Vec::new(), archive }
    }

    /// An archive that could not be read.
    fn unread(input: &Input, error: Finding) -> Self {
        let counts = VerifyTotals { unread: 1, ..VerifyTotals::default() };
        Self::new(input, counts, vec![error])
    }
}

/// Decodes an archive.
fn check(
    context: &Context<'_>,
    options: &VerifyOptions,
    hashes: &[Hash],
    input: &Input,
) -> Result<Checked, Finding> {
    let archive = input.open(context)?;
    let entries = options.selection.entries(&archive);
    let contents = Contents::of(context, &archive, entries, options.max_expansion)?;
    let name = escape_path(&input.path).to_string();
    context.observer.begin(&name);
    let read = contents.hash(context, Summer::new(hashes));
    context.observer.end(&name);
    let (problems, findings): (Vec<_>, Vec<_>) =
        finding::archive_notes(&archive).into_iter().partition(Finding::is_error);
    let cut = u64::from(!problems.is_empty());
    let counts = VerifyTotals { archives: 1, cut, ..VerifyTotals::default() };
    let mut checked = Checked::new(input, counts, problems);
    checked.findings = findings;
    // Known when the contents have been read.
    checked.findings.extend(finding::reserved_reading(&archive));
    for content in read {
        let (entry, check) = (content.entry, check_of(content));
        checked.archive.counts.count(check.status, entry.size());
        // Without checksums nobody asks for entries that can be decoded.
        if check.status != CheckStatus::Ok || !hashes.is_empty() {
            checked.entries.push(VerifiedEntry {
                entry: EntryRow::of(&checked.archive.archive, &entry),
                check: Box::new(check),
                is_recorded: false,
            });
        }
    }
    Ok(checked)
}

/// The result of decoding an entry.
fn check_of(content: Content<'_, Sums>) -> Check {
    match content.trouble.map(|it| *it) {
        None => Check { status: CheckStatus::Ok, sums: content.digest, findings: Vec::new() },
        Some(Trouble::Odd(summary)) => {
            let mut findings = odd_stream(&content.entry, Some(&summary));
            // There may be a million entries, with one finding each.
            findings.shrink_to_fit();
            Check { status: CheckStatus::Warning, sums: content.digest, findings }
        }
        Some(Trouble::Damaged(error)) => Check {
            status: if error.meaning == Meaning::Unsupported {
                CheckStatus::Unsupported
            } else {
                CheckStatus::Damaged
            },
            sums: Sums::default(),
            findings: vec![error],
        },
    }
}
