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
    Baseline, Content, Contents, Hash, NamePrefixes, RecordedRow, SnapshotOptions, SnapshotRow,
    State, Sum, Summer, Sums, Trouble,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding;
use crate::ops::finding::{Finding, Meaning};
use crate::ops::json::text_entry;
use crate::ops::plan::folders::folders_of;
use crate::ops::plan::paths::{PathRules, place};
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::row::{Check, CheckStatus, EntryRow};
use crate::ops::source::directory::{check_outside, parent_of};
use crate::ops::source::{Found, Input, Selection, Waiting, for_each};
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
#[derive(Debug)]
pub enum VerifyRow {
    /// An entry.
    Entry(VerifiedEntry),
    /// The checksum of an entry's content.
    Sum(SumRow),
    /// The end of an archive: all of its entries have been reported.
    Archive(VerifiedArchive),
    /// A difference from the snapshot.
    Difference(Box<SnapshotRow>),
    /// The result for the snapshot.
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
    let mut found = Found::new(context, paths).listed(options.listed).taking_ruined();
    let (mut prefixes, mut folders) = (NamePrefixes::default(), Vec::new());
    let first = if options.snapshot.is_some() || options.sums {
        let archives = found.ahead(usize::MAX);
        let several = paths.len() > 1 || options.listed;
        if options.sums {
            folders = extracted_into(&archives, several);
        } else {
            prefixes = NamePrefixes::new(&archives, several);
        }
        archives
    } else {
        found.ahead(MANY + 1)
    };
    let mut baseline = None;
    if let Some(snapshot) = &options.snapshot {
        if snapshot.update {
            // A snapshot among the files of a directory would be one of them the next time.
            for directory in first.iter().filter_map(Input::as_directory) {
                check_outside(directory, parent_of(&snapshot.path), &snapshot.path)?;
            }
        }
        baseline = Some(Baseline::new(snapshot, options.hash, &prefixes)?);
    }
    let hashes = hashes(options, baseline.as_ref());
    let mut verification = Verification {
        context,
        options,
        are_many: first.len() > MANY,
        prefixes: &prefixes,
        folders: &folders,
        taken: 0,
        baseline,
        totals: VerifyTotals::default(),
        out,
    };
    let waiting = Waiting::default();
    let archives = first.into_iter().chain(&mut found).map(|mut input| {
        waiting.add(context, &mut input);
        input
    });
    // Rows of entries take memory.
    let window =
        if hashes.is_empty() { usize::MAX } else { ARCHIVES_A_THREAD * context.pool.threads() };
    let work = |input: Input| {
        waiting.remove(&input);
        let checked = check(context, (options, &hashes), &input);
        (checked.unwrap_or_else(|error| Checked::unread(&input, error)), input)
    };
    let take = |(checked, input): (_, Input)| verification.take(&input, checked);
    let is_ended = for_each(context, archives, window, work, take).is_break();
    Ok(verification.end(found.into_findings(), is_ended))
}

/// How many archives per thread may wait for one before them, with the rows of their entries.
const ARCHIVES_A_THREAD: usize = 16;

/// The most archives that are not many.
const MANY: usize = 20;

/// A verification under way.
struct Verification<'a, 'r> {
    context: &'a Context<'a>,
    options: &'a VerifyOptions,
    /// Whether more than [`MANY`] archives are verified.
    are_many: bool,
    prefixes: &'a NamePrefixes,
    /// The directory that each archive is extracted into, for a list of checksums.
    folders: &'a [PathBuf],
    /// How many archives were taken.
    taken: usize,
    baseline: Option<Baseline<'a>>,
    totals: VerifyTotals,
    out: &'r mut dyn Sink<VerifyRow>,
}

impl Verification<'_, '_> {
    /// Reports what was found in an archive, and remembers it for the snapshot.
    fn take(&mut self, input: &Input, mut checked: Checked) -> ControlFlow<()> {
        // Incomplete results are neither reported nor compared.
        if self.context.cancel.is_set() {
            return ControlFlow::Break(());
        }
        let prefix = self.prefixes.archives.get(self.taken);
        let prefix = prefix.map_or(&[][..], Vec::as_slice);
        let folder = self.folders.get(self.taken);
        self.taken += 1;
        if let Some(baseline) = &mut self.baseline {
            for entry in &mut checked.entries {
                let state = state(entry, baseline.hash());
                entry.is_recorded =
                    baseline.add(prefix, &entry.entry.name, entry.entry.size, state);
            }
            if checked.counts.unread + checked.counts.cut > 0 {
                checked.is_recorded = baseline.add_unreadable(prefix, input, &self.context.system);
            }
        }
        if let Some(hash) = self.options.hash
            && let Some(folder) = folder
        {
            report_sums(hash, folder, &checked.entries, self.out)?;
        }
        self.totals.add(&checked.counts);
        self.totals.has_found_unread |= input.found && checked.counts.unread > 0;
        checked.report(self.are_many, self.out)
    }

    /// Reports what could not be read, and what became of the snapshot.
    fn end(mut self, findings: Vec<Finding>, is_ended: bool) -> VerifyTotals {
        self.totals.unread += hand_on(self.out, findings);
        let is_nothing_read = self.totals.archives == 0 && !self.totals.has_found_unread;
        if is_ended || is_nothing_read || self.context.cancel.is_set() {
            return self.totals;
        }
        let selection = &self.options.selection;
        // What could not be read might have matched.
        if self.totals.unread == 0 {
            hand_on(self.out, selection.unmatched());
            self.totals.is_unmatched = selection.has_missed();
        }
        if self.totals.is_unmatched {
            return self.totals;
        }
        if let Some(baseline) = self.baseline {
            let unread = self.totals.unread + self.totals.cut;
            let settled = baseline.settle(self.context, selection, unread);
            hand_on(self.out, settled.findings);
            let differences = settled.differences.into_iter();
            let rows = differences.map(|row| VerifyRow::Difference(Box::new(row)));
            let recorded = settled.recorded.map(VerifyRow::Recorded);
            // There is nothing after it that could be ended.
            let _ = hand_on_rows(self.out, rows.chain(recorded));
        }
        self.totals
    }
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
    read.retain(|input| !input.is_ruined());
    let mut folders = folders_of(&read).into_iter();
    let of_archive = |input: &Input| if input.is_ruined() { None } else { folders.next() };
    archives.iter().map(of_archive).map(Option::unwrap_or_default).collect()
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
    path: Arc<Path>,
    /// What is unusual in the archive as a whole.
    findings: Vec<Finding>,
    /// The selected entries, or only those with findings if no checksums are reported.
    entries: Vec<VerifiedEntry>,
    counts: VerifyTotals,
    problems: Vec<Finding>,
    is_recorded: bool,
}

impl Checked {
    /// An archive that could not be read.
    fn unread(input: &Input, error: Finding) -> Self {
        Self {
            path: Arc::from(input.path.as_path()),
            findings: Vec::new(),
            entries: Vec::new(),
            counts: VerifyTotals { unread: 1, ..VerifyTotals::default() },
            problems: vec![Finding::unread(&input.path, error)],
            is_recorded: false,
        }
    }

    fn report(self, is_one_of_many: bool, out: &mut dyn Sink<VerifyRow>) -> ControlFlow<()> {
        hand_on(out, self.findings);
        hand_on_rows(out, self.entries.into_iter().map(VerifyRow::Entry))?;
        out.row(VerifyRow::Archive(VerifiedArchive {
            archive: self.path,
            counts: self.counts,
            is_one_of_many,
            problems: self.problems,
            is_recorded: self.is_recorded,
        }))
    }
}

/// Decodes an archive.
fn check(
    context: &Context<'_>,
    (options, hashes): (&VerifyOptions, &[Hash]),
    input: &Input,
) -> Result<Checked, Finding> {
    let archive = input.open(context)?;
    let entries = options.selection.entries(&archive);
    let contents = Contents::of(context, &archive, entries, options.max_expansion)?;
    let name = escape_path(&input.path).to_string();
    context.observer.begin(&name);
    let read = contents.hash(context, Summer::new(hashes));
    context.observer.end(&name);
    let (problems, mut findings): (Vec<_>, Vec<_>) =
        finding::archive_notes(&archive).into_iter().partition(Finding::is_error);
    let is_cut = !problems.is_empty();
    // Known when the contents have been read.
    findings.extend(finding::reserved_reading(&archive));
    let mut checked = Checked {
        path: Arc::from(input.path.as_path()),
        findings,
        entries: Vec::new(),
        counts: VerifyTotals { archives: 1, cut: u64::from(is_cut), ..VerifyTotals::default() },
        problems,
        is_recorded: false,
    };
    for content in read {
        let (entry, check) = (content.entry, check_of(content));
        checked.counts.count(check.status, entry.size());
        // Without checksums nobody asks for entries that can be decoded.
        if check.status != CheckStatus::Ok || !hashes.is_empty() {
            checked.entries.push(VerifiedEntry {
                entry: EntryRow::of(&checked.path, &entry),
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
