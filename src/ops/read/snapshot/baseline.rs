//! What `verify` compares with: reads the old snapshot, gathers a new one, compares them, and writes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file::{load, save};
use super::leads::{InputLeads, all};
use crate::archive::RawName;
use crate::archive::snapshot::{Hash, Leads, Line, Snapshot, SnapshotChange, compare};
use crate::ops::finding::{Finding, Notice};
use crate::ops::row::{Delivery, EntryRow, Recorded, RecordedRow, Row, SnapshotRow};
use crate::ops::source::{Input, Inputs, Selection};

/// Which snapshot, and what to do with it.
#[derive(Debug, Clone)]
pub struct SnapshotOptions {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is renewed, and made where there is none.
    pub update: bool,
}

/// The snapshot that was there before, and the lines of a new one as they are gathered.
#[derive(Debug)]
pub(in crate::ops::read) struct Baseline<'a> {
    options: &'a SnapshotOptions,
    hash: Hash,
    old: Option<Snapshot>,
    new: Vec<Line>,
    /// What leads the names of each archive.
    leads: InputLeads,
    /// The leads of those that are read.
    of_paks: Vec<Vec<u8>>,
    /// Whether names are led: not where one file is named.
    is_led: bool,
}

impl<'a> Baseline<'a> {
    /// Reads the old one, for one archive or for several. If it is no snapshot, holds other sums than are `asked` for, or is not there and not to be made, nothing should be
    /// done at all.
    pub(in crate::ops::read) fn new(
        options: &'a SnapshotOptions,
        asked: Option<Hash>,
        several: bool,
        inputs: &Inputs,
    ) -> Result<Self, Finding> {
        let old = load(&options.path)?;
        if old.is_none() && !options.update {
            let why = "there is no snapshot here, so nothing can be compared";
            return Err(Finding::error(Notice::NoSnapshot, why).in_pak(&options.path));
        }
        let holds = old.as_ref().and_then(Snapshot::hash);
        if let (Some(holds), Some(asked)) = (holds, asked)
            && holds != asked
        {
            let (holds, asked) = (holds.as_str(), asked.as_str());
            let why =
                format!("this snapshot holds {holds} of each entry, and {asked} is asked for");
            return Err(Finding::error(Notice::OtherHash, why).in_pak(&options.path));
        }
        let leads = InputLeads::new(inputs, old.as_ref());
        Ok(Self {
            options,
            hash: holds.or(asked).unwrap_or_default(),
            old,
            new: Vec::new(),
            of_paks: inputs.archives.iter().map(|pak| leads.of(pak)).collect(),
            leads,
            // Whatever is found there: an archive more or less changes no other line.
            is_led: several || all(inputs).any(|input| input.found),
        })
    }

    /// What contents are summed up by.
    pub(in crate::ops::read) const fn hash(&self) -> Hash {
        self.hash
    }

    /// Whether the old one has entries of this archive.
    pub(in crate::ops::read) fn knows(&self, pak: &Input) -> bool {
        let lead = self.leads.of(pak);
        self.old.as_ref().is_some_and(|old| old.has_lead(&lead))
    }

    /// Files below `root` that the old one has as archives and the search neither took for archives
    /// nor named: such as are not called like archives, and are none any more.
    pub(in crate::ops::read) fn lost(&self, root: &Path, inputs: &Inputs) -> Vec<PathBuf> {
        let taken: HashSet<Vec<u8>> = all(inputs).map(|input| self.leads.of(input)).collect();
        let (mut asked, mut lost) = (HashSet::new(), Vec::new());
        for Line { name, .. } in self.old.iter().flat_map(Snapshot::lines) {
            let ends = (0..).zip(name).filter(|(_, byte)| **byte == b'/');
            let leads = ends.filter_map(|(end, _): (usize, _)| name.get(..=end));
            for lead in leads.take_while(|lead| !taken.contains(*lead)) {
                let path = core::str::from_utf8(lead).unwrap_or_default();
                let path = root.join(path.trim_end_matches('/'));
                if asked.insert(lead) && path.is_file() {
                    lost.push(path);
                }
            }
        }
        lost
    }

    /// Remembers the entries of an archive.
    pub(in crate::ops::read) fn extend(&mut self, pak: &Input, entries: &[EntryRow]) {
        let lead = match self.is_led {
            true => self.leads.of(pak),
            false => Vec::new(),
        };
        for entry in entries {
            let line = Line {
                sum: entry
                    .check
                    .as_ref()
                    .and_then(|check| check.sums.by(self.hash)),
                size: entry.size,
                name: entry.name.clone(),
            };
            self.new.push(led(&lead, line));
        }
    }

    /// Compares and writes. Only entries that `selection` picks are compared; when it is renewed,
    /// the others stay as they were. If archives could not be read, or not whole, what is known of them is
    /// not thrown away.
    pub(in crate::ops::read) fn settle(self, selection: &Selection, out: &mut Delivery<'_>) {
        let path: Arc<Path> = Arc::from(self.options.path.as_path());
        let update = self.options.update;
        let new: Snapshot = self.new.into_iter().collect();
        // What a cut directory lacks may be in the snapshot.
        let unread = out.summary.unread + out.summary.cut;
        if unread > 0 && update {
            let done = if self.old.is_none() {
                "made"
            } else {
                "renewed"
            };
            let why =
                format!("the snapshot was not {done}: {unread} of the paks could not be read");
            out.findings([Finding::error(Notice::NotRenewed, why).in_pak(&path)]);
        }
        let mut recorded = RecordedRow {
            snapshot: Arc::clone(&path),
            outcome: Recorded::Compared,
            differences: [0; SnapshotChange::ALL.len()],
        };
        let Some(old) = self.old else {
            recorded.outcome = Recorded::Made(new.lines().len());
            if unread == 0 && written(&new, &path, false, out) {
                out.row(Row::Recorded(recorded));
            }
            return;
        };
        let (old, new, is_led) = match self.is_led {
            true => (old, new, true),
            false => one_with_lead(old, new, &self.of_paks),
        };
        let leads = self.of_paks.into_iter().filter(|_| is_led);
        let leads: Leads = leads.collect();
        let about = |name: &[u8]| selection.picks(RawName::new(leads.within(name)));
        let differences = compare(&old, &new, &leads, about);
        for (change, count) in SnapshotChange::ALL.iter().zip(&mut recorded.differences) {
            *count = differences.iter().filter(|it| it.change == *change).count();
        }
        if !update || unread > 0 {
            for difference in differences {
                let snapshot = Arc::clone(&path);
                out.row(Row::Snapshot(Box::new(SnapshotRow {
                    snapshot,
                    difference,
                })));
            }
        } else {
            recorded.outcome = Recorded::Renewed;
            let kept = old.into_iter().filter(|line| !about(&line.name));
            let renewed: Snapshot = new.into_iter().chain(kept).collect();
            if !differences.is_empty() && !written(&renewed, &path, true, out) {
                return;
            }
        }
        out.row(Row::Recorded(recorded));
    }
}

/// Writes a snapshot, reports what goes wrong, and says whether it is whole.
fn written(snapshot: &Snapshot, path: &Path, replace: bool, out: &mut Delivery<'_>) -> bool {
    let findings = save(snapshot, path, replace);
    let is_whole = !findings.iter().any(Finding::is_error);
    out.findings(findings);
    is_whole
}

/// Both snapshots of one file that is named, and whether their names are led: as in the old one, which may
/// have been made when an archive was found within the file.
fn one_with_lead(old: Snapshot, new: Snapshot, leads: &[Vec<u8>]) -> (Snapshot, Snapshot, bool) {
    let [lead] = leads else {
        return (old, new, false);
    };
    if !old.has_lead(lead) {
        return (old, new, false);
    }
    let names = names(&new);
    let is_led = {
        let old = || old.lines().iter().map(|line| line.name.as_slice());
        let inside = old().filter_map(|name| name.strip_prefix(lead.as_slice()));
        let common = inside.filter(|name| names.contains(name)).count();
        // An archive may hold a folder of its own name.
        common >= old().filter(|name| names.contains(name)).count()
    };
    let new = match is_led {
        true => new.into_iter().map(|line| led(lead, line)).collect(),
        false => new,
    };
    (old, new, is_led)
}

/// The names of a snapshot.
fn names(snapshot: &Snapshot) -> HashSet<&[u8]> {
    let lines = snapshot.lines().iter();
    lines.map(|line| line.name.as_slice()).collect()
}

/// A line with a lead before its name.
fn led(lead: &[u8], mut line: Line) -> Line {
    line.name.splice(..0, lead.iter().copied());
    line
}
