//! The snapshots of a run of `verify`: reads the old one, gathers a new one, compares them, and writes the new one.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::archive::error::ErrorKind;
use crate::fs::{Over, Root, WriteAt as _};
use crate::ops::catalogue::change::ChangeCounts;
use crate::ops::catalogue::compare::{Scope, SnapshotRow, compare};
use crate::ops::catalogue::sum::Hash;
use crate::ops::catalogue::text::{Line, Snapshot, SnapshotError, State};
use crate::ops::context::Context;
use crate::ops::finding::{Finding, Help, blocked};
use crate::ops::source::{Input, Selection};

/// Which snapshot, and what to do with it.
#[derive(Debug, Clone)]
pub struct SnapshotOptions {
    /// The path of the snapshot.
    pub path: PathBuf,
    /// Whether to update it, or to create it if it does not exist.
    pub update: bool,
}

/// The result for a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotTotals {
    /// What became of it.
    pub outcome: Recorded,
    /// How many entries differ.
    pub differences: ChangeCounts,
    /// How many entries and archives are damaged or unreadable as the snapshot records.
    pub damage: u64,
}

/// What became of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It did not exist, so it was created with this many lines, and nothing was compared.
    Created(usize),
    /// It was compared.
    Compared,
    /// It was compared, and updated if anything differed.
    Updated,
}

/// The snapshot that was there before, and the lines of a new one as they are gathered.
#[derive(Debug)]
pub(crate) struct Baseline<'a> {
    options: &'a SnapshotOptions,
    /// The kind of checksum.
    pub(crate) hash: Hash,
    old: Option<Snapshot>,
    new: Vec<Line>,
    /// How many archives have a line because they are unreadable, or not readable as a whole.
    unreadable: u64,
    /// How many entries and archives are damaged or unreadable as the old snapshot records.
    damage: u64,
    prefixes: &'a [Vec<u8>],
}

impl<'a> Baseline<'a> {
    /// Reads the old snapshot. It is an error if the file is not a snapshot, has other checksums than `asked`, or does
    /// not exist and must not be created. Then nothing should be done at all.
    pub(crate) fn new(
        options: &'a SnapshotOptions,
        asked: Option<Hash>,
        prefixes: &'a [Vec<u8>],
    ) -> Result<Self, Finding> {
        let old = load(&options.path)?;
        if old.is_none() && !options.update {
            let why = "there is no snapshot here, so nothing can be compared";
            return Err(Finding::error(why)
                .advice("name an existing file")
                .help(Help::NewSnapshot)
                .at_path(&options.path));
        }
        let holds = old.as_ref().and_then(Snapshot::hash);
        if let (Some(holds), Some(asked)) = (holds, asked)
            && holds != asked
        {
            let (holds, asked) = (holds.as_str(), asked.as_str());
            let why =
                format!("this snapshot holds the {holds} of each entry, but you asked for {asked}");
            return Err(Finding::error(why)
                .advice("compare with the checksums that the snapshot has, or make the new snapshot in another file")
                .at_path(&options.path));
        }
        Ok(Self {
            options,
            hash: holds.or(asked).unwrap_or_default(),
            old,
            new: Vec::new(),
            unreadable: 0,
            damage: 0,
            prefixes,
        })
    }

    /// Remembers an entry of an archive. An archive that is unreadable, or whose directory is cut, has a line without a
    /// name, and so the name of the line is its prefix, which is empty in the snapshot of one archive. Returns whether it
    /// cannot be decoded or read, and the old snapshot records that.
    pub(crate) fn add(&mut self, prefix: &[u8], name: &[u8], size: u64, state: State) -> bool {
        let line = Line { state, size, name: [prefix, name].concat() };
        let is_recorded =
            line.sum().is_none() && self.old.as_ref().is_some_and(|old| old.has(&line));
        self.damage += u64::from(is_recorded);
        self.unreadable += u64::from(line.is_unreadable());
        self.new.push(line);
        is_recorded
    }

    /// Compares the snapshots, and writes the new one. Only selected entries in archives that are not left out are
    /// compared. An update keeps the lines of all other entries. It also keeps the lines of archives that are
    /// unreadable, or not readable as a whole: `unread` is the number of these. Returns the differences if the snapshot
    /// was only compared, and no totals if it should have been written and was not.
    pub(crate) fn settle(
        self,
        context: &Context<'_>,
        selection: &Selection,
        unread: u64,
        findings: &mut Vec<Finding>,
    ) -> (Vec<SnapshotRow>, Option<SnapshotTotals>) {
        let path = &self.options.path;
        let new: Snapshot = self.new.into_iter().collect();
        // What a folder holds that cannot be searched may be in the snapshot.
        let unread = unread.saturating_sub(self.unreadable);
        if unread > 0 && self.options.update {
            let done = if self.old.is_none() { "created" } else { "updated" };
            let why =
                format!("the snapshot was not {done}: {unread} of the archives could not be read");
            let error = Finding::error(why).advice("repair or leave out what cannot be read");
            findings.push(error.at_path(path));
        }
        let damage = self.damage;
        let totals = |outcome, differences| SnapshotTotals { outcome, differences, damage };
        let Some(old) = self.old else {
            let is_written = unread == 0 && save(context, &new, path, Over::Nothing, findings);
            let created = totals(Recorded::Created(new.lines().len()), ChangeCounts::new());
            return (Vec::new(), is_written.then_some(created));
        };
        let scope = Scope::new(context, selection, self.prefixes);
        let differences = compare(&Arc::from(path.as_path()), &old, &new, &scope);
        let mut counts = ChangeCounts::new();
        for difference in &differences {
            *counts.entry(difference.change).or_default() += 1;
        }
        if !self.options.update || unread > 0 {
            if !differences.is_empty() && has_other_names(&old, &new) {
                let why = "no name is both in the snapshot and in these archives: the names may begin with the paths of archives in one of them only";
                let warning = Finding::warning(why)
                    .advice("give the same paths as when the snapshot was made")
                    .help(Help::NewSnapshot);
                findings.push(warning.at_path(path));
            }
            return (differences, Some(totals(Recorded::Compared, counts)));
        }
        let is_written = differences.is_empty()
            || save(context, &renewed(old, new, &scope), path, Over::Old, findings);
        (Vec::new(), is_written.then_some(totals(Recorded::Updated, counts)))
    }
}

/// Whether the new snapshot has entries, but none under a name of the old one.
fn has_other_names(old: &Snapshot, new: &Snapshot) -> bool {
    let names = names(old);
    let mut entries = new.lines().iter().filter(|line| !line.is_unreadable());
    let has_entries = entries.clone().next().is_some();
    has_entries && !names.is_empty() && !entries.any(|line| names.contains(line.name.as_slice()))
}

/// The new lines, and the old lines about which this run knows nothing, because they are not in its scope or
/// their archive is unreadable.
fn renewed(old: Snapshot, new: Snapshot, scope: &Scope<'_>) -> Snapshot {
    let (names, unreadable) = (names(&new), new.unreadable());
    let mut lines = old.lines;
    lines.retain(|line| {
        let is_known = names.contains(line.name.as_slice());
        let is_unreadable = unreadable.contains(scope.prefix(&line.name));
        !scope.has(line) || !is_known && is_unreadable
    });
    new.lines.into_iter().chain(lines).collect()
}

/// The names of a snapshot.
fn names(snapshot: &Snapshot) -> HashSet<&[u8]> {
    let lines = snapshot.lines().iter();
    lines.map(|line| line.name.as_slice()).collect()
}

/// Reads the snapshot at `path`. Returns `None` if it does not exist but can be created.
fn load(path: &Path) -> Result<Option<Snapshot>, Finding> {
    let loaded = match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(blocked("a directory")),
        Ok(found) if !found.is_file() => Err(ErrorKind::NotAFile.into()),
        Ok(_) => {
            let file = File::open(path).map_err(SnapshotError::Io);
            let read = file.and_then(|file| Snapshot::read(BufReader::new(file)));
            read.map(Some).map_err(Finding::from)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            Err(blocked("a link that leads nowhere"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SnapshotError::Io(error).into()),
    };
    loaded.map_err(|error| error.at_path(path))
}

impl From<SnapshotError> for Finding {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Io(error) => Self::from(ErrorKind::Io(error)),
            SnapshotError::BadLine { .. } => Self::error(error.to_string())
                .advice("name another file, or remove this one to make a new snapshot"),
        }
    }
}

/// Writes the snapshot to `path`: all of it or nothing, and with `over` over an old one. Reports problems, and returns
/// whether it was written.
fn save(
    context: &Context<'_>,
    snapshot: &Snapshot,
    path: &Path,
    over: Over,
    findings: &mut Vec<Finding>,
) -> bool {
    let mut text = String::new();
    for line in snapshot.lines() {
        text.push_str(&line.to_string());
        text.push('\n');
    }
    let write = |root: &Root, name: &Path| {
        let draft = root.draft(name)?;
        draft.write_at(text.as_bytes(), 0).map_err(Finding::from_io)?;
        Ok(draft.commit(over)?)
    };
    // If the path is a link, the file that it leads to is renewed, not the link.
    let real = crate::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let before = findings.len();
    match context.system.root_of_file(&real) {
        Ok((root, name)) => {
            findings.extend(write(&root, &name).err());
            findings.extend(root.finish().into_iter().map(Finding::from));
        }
        Err(error) => findings.push(Finding::from(error)),
    }
    !findings.iter().skip(before).any(Finding::is_error)
}

/// What the names of each archive begin with: nothing, if the user named a single file. `several` says that the user
/// named several paths or a list.
pub(crate) fn name_prefixes(inputs: &[Input], several: bool) -> Vec<Vec<u8>> {
    // Whatever is found in a directory: an archive more or less changes no other line.
    if !several && inputs.iter().all(|input| !input.found) {
        return vec![Vec::new(); inputs.len()];
    }
    let mut prefixes: Vec<_> = inputs.iter().map(|input| prefix(&input.relative)).collect();
    loop {
        // Two arguments can lead to one archive, such as a directory and a directory in it.
        let mut owners: HashMap<&[u8], HashSet<&Path>> = HashMap::new();
        for (input, prefix) in inputs.iter().zip(&prefixes) {
            owners.entry(prefix).or_default().insert(&input.path);
        }
        // Inputs that share a prefix get their path as a prefix, which another one may have, too.
        let mut set_apart = prefixes.clone();
        for (input, own) in inputs.iter().zip(&mut set_apart) {
            if owners.get(own.as_slice()).is_some_and(|owners| owners.len() > 1) {
                *own = prefix(&input.path);
            }
        }
        if set_apart == prefixes {
            return prefixes;
        }
        prefixes = set_apart;
    }
}

/// An archive's path and a slash, the same on every system.
fn prefix(path: &Path) -> Vec<u8> {
    let mut prefix = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => continue,
            Component::RootDir => {}
            Component::Prefix(_) | Component::ParentDir | Component::Normal(_) => {
                prefix.extend_from_slice(part.as_os_str().as_encoded_bytes());
            }
        }
        prefix.push(b'/');
    }
    prefix
}
