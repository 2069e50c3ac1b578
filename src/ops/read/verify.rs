//! Decodes everything in archives, and reports for each entry whether it is intact.
//!
//! A few archives are decoded at a time. All threads decode the payloads of each, every payload once. The results
//! are reported archive by archive, in the order of the directory, for any number of threads.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::archive::escape_path;
use crate::ops::catalogue::{
    Baseline, Content, Contents, Hash, NamePrefixes, RecordedRow, SnapshotOptions, SnapshotRow,
    State, Sum, Summer, Sums, Trouble,
};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding;
use crate::ops::finding::{Finding, Meaning};
use crate::ops::report::{Sink, hand_on, hand_on_rows};
use crate::ops::row::{Check, CheckStatus, EntryRow};
use crate::ops::source::directory::{check_outside, parent_of};
use crate::ops::source::passed_over::PassedOver;
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
}

/// The checksum of an entry's content, for a list of checksums.
#[derive(Debug)]
pub struct SumRow {
    /// The checksum.
    pub sum: Sum,
    /// The entry's name. If there are several archives, it begins with the archive's path, as in a snapshot.
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
    let mut found = Found::new(context, paths).listed(options.listed);
    let mut prefixes = NamePrefixes::default();
    let first = if options.snapshot.is_some() || options.sums {
        let archives = found.ahead(usize::MAX);
        let several = paths.len() > 1 || options.listed;
        prefixes = NamePrefixes::new(&archives, &found.passed_over, several);
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
        taken: 0,
        baseline,
        totals: VerifyTotals::default(),
        unread: Vec::new(),
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
        (check(context, (options, &hashes), &input), input)
    };
    let take = |(checked, input): (_, Input)| verification.take(&input, checked);
    let is_ended = for_each(context, archives, window, work, take).is_break();
    let mut unread = std::mem::take(&mut found.findings);
    unread.extend(verification.not_taken(found, paths));
    unread.append(&mut verification.unread);
    verification.unread = unread;
    Ok(verification.end(is_ended))
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
    /// How many archives were taken.
    taken: usize,
    baseline: Option<Baseline<'a>>,
    totals: VerifyTotals,
    /// What could not be read. Reported after all archives.
    unread: Vec<Finding>,
    out: &'r mut dyn Sink<VerifyRow>,
}

impl Verification<'_, '_> {
    /// Reports what was found in an archive, and remembers it for the snapshot.
    fn take(&mut self, input: &Input, checked: Result<Checked, Finding>) -> ControlFlow<()> {
        // Incomplete results are neither reported nor compared.
        if self.context.cancel.is_set() {
            return ControlFlow::Break(());
        }
        let prefix = self.prefixes.archives.get(self.taken);
        let prefix = prefix.map_or(&[][..], Vec::as_slice);
        self.taken += 1;
        let checked = match checked {
            Ok(checked) => checked,
            Err(error) => {
                if let Some(baseline) = &mut self.baseline {
                    baseline.add_unreadable(prefix, input);
                }
                self.unread.push(Finding::unread(&input.path, error));
                return ControlFlow::Continue(());
            }
        };
        if let Some(baseline) = &mut self.baseline {
            for entry in &checked.entries {
                let state = state(entry, baseline.hash());
                baseline.add(prefix, &entry.entry.name, entry.entry.size, state);
            }
            if checked.counts.cut > 0 {
                baseline.add_unreadable(prefix, input);
            }
        }
        if let Some(hash) = self.options.hash
            && self.options.sums
        {
            report_sums(hash, prefix, &checked.entries, self.out)?;
        }
        self.totals.add(&checked.counts);
        checked.report(self.are_many, self.out)
    }

    /// Reports files that a search did not recognise as archives: as an error if the snapshot has entries of the file,
    /// otherwise as a warning.
    fn not_taken(&self, found: Found<'_>, paths: &[impl AsRef<Path>]) -> Vec<Finding> {
        let lost = |why: PassedOver, path: &Path| Finding::unread(path, why.lost().at_path(path));
        let mut findings = Vec::new();
        for (place, (input, why)) in found.passed_over.iter().enumerate() {
            let prefix = self.prefixes.passed_over.get(place);
            let is_known = match (&self.baseline, prefix) {
                (Some(baseline), Some(prefix)) => baseline.knows(prefix),
                _ => false,
            };
            findings.push(if is_known {
                lost(*why, &input.path)
            } else {
                why.warning(&input.path)
            });
        }
        findings.extend(found.left_out);
        if let (Some(baseline), [root]) = (&self.baseline, paths)
            && root.as_ref().is_dir()
        {
            let unnamed = baseline.lost(self.context, root.as_ref());
            findings.extend(unnamed.iter().map(|path| lost(PassedOver::NoMagic, path)));
        }
        findings
    }

    /// Reports what could not be read, and what became of the snapshot.
    fn end(mut self, is_ended: bool) -> VerifyTotals {
        self.totals.unread = hand_on(self.out, self.unread);
        if is_ended || self.totals.archives == 0 || self.context.cancel.is_set() {
            return self.totals;
        }
        let selection = &self.options.selection;
        // What could not be read might have matched.
        if self.totals.unread == 0 {
            hand_on(self.out, selection.unmatched());
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

/// Reports the checksum of each entry that could be decoded. `prefix` is what the names begin with.
fn report_sums(
    hash: Hash,
    prefix: &[u8],
    entries: &[VerifiedEntry],
    out: &mut dyn Sink<VerifyRow>,
) -> ControlFlow<()> {
    for entry in entries {
        if let Some(sum) = entry.check.sums.by(hash) {
            let name = [prefix, &entry.entry.name].concat();
            out.row(VerifyRow::Sum(SumRow { sum, name }))?;
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
}

impl Checked {
    fn report(self, is_one_of_many: bool, out: &mut dyn Sink<VerifyRow>) -> ControlFlow<()> {
        hand_on(out, self.findings);
        hand_on_rows(out, self.entries.into_iter().map(VerifyRow::Entry))?;
        out.row(VerifyRow::Archive(VerifiedArchive {
            archive: self.path,
            counts: self.counts,
            is_one_of_many,
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
    let mut findings = finding::archive_notes(&archive);
    let is_cut = findings.iter().any(Finding::is_error);
    // Known when the contents have been read.
    findings.extend(finding::reserved_reading(&archive));
    let mut checked = Checked {
        path: Arc::from(input.path.as_path()),
        findings,
        entries: Vec::new(),
        counts: VerifyTotals { archives: 1, cut: u64::from(is_cut), ..VerifyTotals::default() },
    };
    for content in read {
        let (entry, check) = (content.entry, check_of(content));
        checked.counts.count(check.status, entry.size());
        // Without checksums nobody asks for entries that can be decoded.
        if check.status != CheckStatus::Ok || !hashes.is_empty() {
            checked.entries.push(VerifiedEntry {
                entry: EntryRow::of(&checked.path, &entry),
                check: Box::new(check),
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
