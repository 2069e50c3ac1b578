//! What `verify` does with a snapshot: gathers a new one, compares it with the old one, and writes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Difference, Line, Snapshot, load, save};
use crate::error::{Error, ErrorKind};
use crate::ops::context::Problem;
use crate::ops::inputs::{Input, Inputs};
use crate::ops::select::Selection;
use crate::pak::RawName;

/// Which snapshot, and what to do with it.
#[derive(Debug, Clone)]
pub struct SnapshotOptions {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is renewed, and made where there is none.
    pub update: bool,
}

/// What a snapshot says, or what became of it.
#[derive(Debug)]
pub enum SnapshotReport {
    /// There was none: it was made, and nothing was compared.
    Made {
        /// How many lines it has.
        lines: usize,
    },
    /// It was compared, and these are the differences.
    Compared(Vec<Difference>),
    /// It was renewed, and these were the differences.
    Renewed(Vec<Difference>),
}

/// The snapshot of a run, as it grows, and the old one.
#[derive(Debug)]
pub(in crate::ops) struct Memory<'a> {
    options: &'a SnapshotOptions,
    old: Option<Snapshot>,
    new: Snapshot,
    /// What leads the names of each pak; nothing where one file is named.
    leads: Vec<Vec<u8>>,
}

impl<'a> Memory<'a> {
    /// Reads the old one. If it is no snapshot, or is not there and not to be made, nothing should be
    /// done at all.
    pub(in crate::ops) fn new(
        options: &'a SnapshotOptions,
        paths: &[PathBuf],
        inputs: &Inputs,
    ) -> Result<Self, Error> {
        let old = load(&options.path)?;
        if old.is_none() && !options.update {
            return Err(Error::from(ErrorKind::NoSnapshot).in_pak(&options.path));
        }
        let passed_over = inputs.passed_over.iter().map(|(input, _)| input);
        let mut all = inputs.paks.iter().chain(passed_over);
        // Whatever is found there: a pak more or less changes no other line.
        let is_led = paths.len() > 1 || all.any(|input| input.searched);
        let leads = inputs.paks.iter().map(|pak| lead(&pak.relative));
        Ok(Self {
            options,
            old,
            new: Snapshot::default(),
            leads: if is_led { leads.collect() } else { Vec::new() },
        })
    }

    /// Whether the old one has entries of this pak.
    pub(in crate::ops) fn knows(&self, pak: &Input) -> bool {
        let lead = lead(&pak.relative);
        let mut lines = self.old.iter().flat_map(Snapshot::lines);
        lines.any(|line| line.name.starts_with(&lead))
    }

    /// Files below `root` that the old one has as paks and the search did not take for paks nor name:
    /// such as are not called like paks, and are none any more.
    pub(in crate::ops) fn lost(&self, root: &Path, inputs: &Inputs) -> Vec<PathBuf> {
        let taken = inputs.paks.iter();
        let taken = taken.chain(inputs.passed_over.iter().map(|(input, _)| input));
        let taken: HashSet<Vec<u8>> = taken.map(|input| lead(&input.relative)).collect();
        let (mut asked, mut lost) = (HashSet::new(), Vec::new());
        for line in self.old.iter().flat_map(Snapshot::lines) {
            let ends = (0..).zip(line.name).filter(|(_, byte)| **byte == b'/');
            let leads = ends.filter_map(|(end, _): (usize, _)| line.name.get(..=end));
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

    /// What leads the names of this pak.
    pub(in crate::ops) fn lead(&self, pak: &Input) -> Vec<u8> {
        if self.leads.is_empty() {
            Vec::new()
        } else {
            lead(&pak.relative)
        }
    }

    /// Remembers an entry.
    pub(in crate::ops) fn push(&mut self, lead: &[u8], line: Line<'_>) {
        self.new.push(lead, line);
    }

    /// Compares and writes. Only entries that `selection` picks are compared; when it is renewed,
    /// the others stay as they were. `unread` paks could not be read, or not whole: then what is known
    /// of them is not thrown away.
    pub(in crate::ops) fn settle(
        self,
        selection: &Selection,
        unread: usize,
        problems: &mut Vec<Problem>,
    ) -> Option<SnapshotReport> {
        let Self {
            options,
            old,
            mut new,
            leads,
        } = self;
        new.sort();
        let path = &options.path;
        let is_new = old.is_none();
        if unread > 0 && options.update {
            let error = ErrorKind::NotRenewed {
                paks: unread,
                is_new,
            };
            problems.push(Problem::error(Error::from(error).in_pak(path)));
        }
        let mut written = |snapshot: &Snapshot, replace| {
            let errors = save(snapshot, path, replace);
            let whole = errors.is_empty();
            problems.extend(errors.into_iter().map(Problem::error));
            whole
        };
        let Some(old) = old else {
            let lines = new.len();
            let made = unread == 0 && written(&new, false);
            return made.then_some(SnapshotReport::Made { lines });
        };
        let old = with_lead(old, &new, &leads);
        let about = |name: &[u8]| selection.picks(RawName::new(without_lead(name, &leads)));
        let differences = old.compare(&new, about);
        if !options.update || unread > 0 {
            return Some(SnapshotReport::Compared(differences));
        }
        for line in old.lines().filter(|line| !about(line.name)) {
            new.push(b"", line);
        }
        new.sort();
        let same = differences.is_empty();
        (same || written(&new, true)).then_some(SnapshotReport::Renewed(differences))
    }
}

/// The old snapshot with a lead before each name, where it has none and the new one has: it was made
/// by an older version from a directory with one pak, which is the one that has most of the names.
fn with_lead(old: Snapshot, new: &Snapshot, leads: &[Vec<u8>]) -> Snapshot {
    let is_led = |line: Line<'_>| leads.iter().any(|lead| line.name.starts_with(lead));
    if leads.is_empty() || old.lines().any(is_led) {
        return old;
    }
    let names: HashSet<&[u8]> = new.lines().map(|line| line.name).collect();
    let common = |lead: &&Vec<u8>| {
        let has = |line: &Line<'_>| names.contains(&[lead, line.name].concat()[..]);
        old.lines().filter(has).count()
    };
    let Some(lead) = leads
        .iter()
        .max_by_key(common)
        .filter(|lead| common(lead) > 0)
    else {
        return old;
    };
    let mut led = Snapshot::default();
    old.lines().for_each(|line| led.push(lead, line));
    led
}

/// A pak's path and a slash, the same on every system.
fn lead(relative: &Path) -> Vec<u8> {
    let mut lead = Vec::new();
    for part in relative.components() {
        lead.extend_from_slice(part.as_os_str().as_encoded_bytes());
        lead.push(b'/');
    }
    lead
}

/// The name in the pak, where it is known what leads it.
fn without_lead<'a>(name: &'a [u8], leads: &[Vec<u8>]) -> &'a [u8] {
    leads
        .iter()
        .find_map(|lead| name.strip_prefix(lead.as_slice()))
        .unwrap_or(name)
}
