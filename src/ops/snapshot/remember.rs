//! What `verify` does with a snapshot: gathers a new one, compares it with the old one, and writes.

use std::path::{Path, PathBuf};

use super::{Difference, Line, Snapshot, load, save};
use crate::error::{Error, ErrorKind};
use crate::ops::context::Problem;
use crate::ops::inputs::Input;
use crate::ops::select::Selection;
use crate::pak::RawName;

/// Which snapshot, and what to do with it.
#[derive(Debug, Clone)]
pub struct SnapshotOptions {
    /// Where it is. It is made where there is none.
    pub path: PathBuf,
    /// Whether it is renewed.
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
    /// What leads the names of each pak; nothing where there is only one pak.
    leads: Vec<Vec<u8>>,
}

impl<'a> Memory<'a> {
    /// Reads the old one. If it is no snapshot, nothing should be done at all.
    pub(in crate::ops) fn new(
        options: &'a SnapshotOptions,
        paths: &[PathBuf],
        paks: &[Input],
    ) -> Result<Self, Error> {
        let old = load(&options.path)?;
        let leads: Vec<Vec<u8>> = paks.iter().map(|pak| lead(&pak.relative)).collect();
        // One pak that a search has found may be the last of several that were there before.
        let left_over = || {
            let searched = paks.iter().any(|pak| pak.searched);
            let led = |line: Line<'_>| leads.iter().any(|lead| line.name.starts_with(lead));
            searched && old.as_ref().is_some_and(|old| old.lines().any(led))
        };
        let several = paths.len() > 1 || paks.len() > 1 || left_over();
        Ok(Self {
            options,
            old,
            new: Snapshot::default(),
            leads: if several { leads } else { Vec::new() },
        })
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
    /// the others stay as they were. `unread` paks could not be read: then what is known of them
    /// is not thrown away.
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
        let mut written = |snapshot: &Snapshot, replace| {
            let errors = save(snapshot, path, replace);
            let whole = errors.is_empty();
            problems.extend(errors.into_iter().map(Problem::error));
            whole
        };
        let Some(old) = old else {
            let lines = new.len();
            return written(&new, false).then_some(SnapshotReport::Made { lines });
        };
        let about = |name: &[u8]| selection.picks(RawName::new(without_lead(name, &leads)));
        let differences = old.compare(&new, about);
        if !options.update {
            return Some(SnapshotReport::Compared(differences));
        }
        if unread > 0 {
            let error = Error::from(ErrorKind::NotRenewed { paks: unread }).in_pak(path);
            problems.push(Problem::error(error));
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
