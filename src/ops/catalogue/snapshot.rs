//! The snapshots of a run of `verify`: reads the old one, gathers a new one, compares them, and writes the new one.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::error::ErrorKind;
use crate::archive::path_bytes;
use crate::fs::{Over, Root, System, WriteAt as _};
use crate::ops::catalogue::change::ChangeCounts;
use crate::ops::catalogue::compare::{Scope, SnapshotDifference, compare};
use crate::ops::catalogue::sum::Hash;
use crate::ops::catalogue::text::{Line, Snapshot, SnapshotError, State};
use crate::ops::context::Context;
use crate::ops::finding::{Finding, Help, blocked};
use crate::ops::json::text_entry;
use crate::ops::source::{Input, Selection};

/// Which snapshot, and what to do with it.
#[derive(Debug, Clone)]
pub struct SnapshotOptions {
    /// The path of the snapshot.
    pub path: PathBuf,
    /// Whether to update it, or to create it if it does not exist.
    pub update: bool,
}

/// A difference from a snapshot.
#[derive(Debug)]
pub struct SnapshotRow {
    /// The snapshot.
    pub snapshot: Arc<Path>,
    /// What differs.
    pub difference: SnapshotDifference,
}

impl Serialize for SnapshotRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let difference = &self.difference;
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "snapshot", &path_bytes(&self.snapshot))?;
        text_entry(&mut map, "archive", &difference.archive)?;
        text_entry(&mut map, "name", difference.name())?;
        map.serialize_entry("change", difference.change.since_snapshot())?;
        if let Some(former) = difference.former_name() {
            text_entry(&mut map, "from", former)?;
        }
        map.end()
    }
}

/// The result for a snapshot, reported after all differences from it.
#[derive(Debug)]
pub struct RecordedRow {
    /// The snapshot.
    pub snapshot: Arc<Path>,
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

/// What became of a snapshot.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// Problems of the snapshot itself, which are reported first.
    pub(crate) findings: Vec<Finding>,
    pub(crate) differences: Vec<SnapshotRow>,
    /// `None` if the snapshot should have been written and was not.
    pub(crate) recorded: Option<RecordedRow>,
}

/// The snapshot that was there before, and the lines of a new one as they are gathered.
#[derive(Debug)]
pub(crate) struct Baseline<'a> {
    options: &'a SnapshotOptions,
    hash: Hash,
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

    /// The kind of checksum.
    pub(crate) const fn hash(&self) -> Hash {
        self.hash
    }

    /// Remembers an entry of an archive. Returns whether it cannot be decoded and the old snapshot records that.
    pub(crate) fn add(&mut self, prefix: &[u8], name: &[u8], size: u64, state: State) -> bool {
        self.add_line(Line { state, size, name: [prefix, name].concat() })
    }

    /// Remembers that an archive is unreadable, or that its directory is cut. The name of its line is its prefix, which
    /// is empty in the snapshot of one archive. Returns whether the old snapshot records that.
    pub(crate) fn add_unreadable(&mut self, prefix: &[u8], input: &Input, system: &System) -> bool {
        self.unreadable += 1;
        let name = prefix.to_vec();
        self.add_line(Line { state: State::Unreadable, size: input.len(system), name })
    }

    fn add_line(&mut self, line: Line) -> bool {
        let is_recorded =
            line.sum().is_none() && self.old.as_ref().is_some_and(|old| old.has(&line));
        self.damage += u64::from(is_recorded);
        self.new.push(line);
        is_recorded
    }

    /// Compares the snapshots, and writes the new one. Only selected entries in archives that are not left out are
    /// compared. An update keeps the lines of all other entries. It also keeps the lines of archives that are
    /// unreadable, or not readable as a whole: `unread` is the number of these.
    pub(crate) fn settle(
        self,
        context: &Context<'_>,
        selection: &Selection,
        unread: u64,
    ) -> Settled {
        let mut settled = Settled::default();
        let path: Arc<Path> = Arc::from(self.options.path.as_path());
        let new: Snapshot = self.new.into_iter().collect();
        // What a folder holds that cannot be searched may be in the snapshot.
        let unread = unread.saturating_sub(self.unreadable);
        if unread > 0 && self.options.update {
            let error = not_written(self.old.is_none(), unread).at_path(&path);
            settled.findings.push(error);
        }
        let recorded = |outcome, differences| {
            let damage = self.damage;
            Some(RecordedRow { snapshot: Arc::clone(&path), outcome, differences, damage })
        };
        let mut counts = ChangeCounts::default();
        let Some(old) = self.old else {
            if unread == 0 && save(context, &new, &path, Over::Nothing, &mut settled.findings) {
                settled.recorded = recorded(Recorded::Created(new.lines().len()), counts);
            }
            return settled;
        };
        let scope = Scope {
            prefixes: self.prefixes.iter().cloned().collect(),
            selected: Some((context, selection)),
        };
        let differences = compare(&old, &new, &scope);
        for difference in &differences {
            counts.add(difference.change);
        }
        if self.options.update && unread == 0 {
            let is_up_to_date = differences.is_empty() || {
                let renewed = renewed(old, new, &scope);
                save(context, &renewed, &path, Over::Old, &mut settled.findings)
            };
            if is_up_to_date {
                settled.recorded = recorded(Recorded::Updated, counts);
            }
            return settled;
        }
        if !differences.is_empty() && has_other_names(&old, &new) {
            settled.findings.push(other_names().at_path(&path));
        }
        for difference in differences {
            settled.differences.push(SnapshotRow { snapshot: Arc::clone(&path), difference });
        }
        settled.recorded = recorded(Recorded::Compared, counts);
        settled
    }
}

/// The error that a snapshot was not written.
fn not_written(is_new: bool, unread: u64) -> Finding {
    let done = if is_new { "created" } else { "updated" };
    let why = format!("the snapshot was not {done}: {unread} of the archives could not be read");
    Finding::error(why).advice("repair or leave out what cannot be read")
}

/// Whether the new snapshot has entries, but none under a name of the old one.
fn has_other_names(old: &Snapshot, new: &Snapshot) -> bool {
    let names = names(old);
    let mut entries = new.lines().iter().filter(|line| !line.is_unreadable());
    let has_entries = entries.clone().next().is_some();
    has_entries && !names.is_empty() && !entries.any(|line| names.contains(line.name.as_slice()))
}

/// A warning about a snapshot with other paths before its names.
fn other_names() -> Finding {
    let why = "no name is both in the snapshot and in these archives: the names may begin with the paths of archives in one of them only";
    Finding::warning(why)
        .advice("give the same paths as when the snapshot was made")
        .help(Help::NewSnapshot)
}

/// The new lines, and the old lines about which this run knows nothing, because they are not in its scope or
/// their archive is unreadable.
fn renewed(old: Snapshot, new: Snapshot, scope: &Scope<'_>) -> Snapshot {
    let (names, unreadable) = (names(&new), new.unreadable());
    let mut kept = Vec::new();
    for line in old {
        let is_known = names.contains(line.name.as_slice());
        let is_unreadable = unreadable.contains(scope.prefixes.of(&line.name));
        if !scope.has(&line) || !is_known && is_unreadable {
            kept.push(line);
        }
    }
    new.into_iter().chain(kept).collect()
}

/// The names of a snapshot.
fn names(snapshot: &Snapshot) -> HashSet<&[u8]> {
    let lines = snapshot.lines().iter();
    lines.map(|line| line.name.as_slice()).collect()
}

/// How many bytes are written at once.
const PIECE: usize = 64 * 1024;

/// Reads the snapshot at `path`. Returns `None` if it does not exist but can be created.
fn load(path: &Path) -> Result<Option<Snapshot>, Finding> {
    let io = |error| Finding::from(ErrorKind::Io(error));
    let load = || match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(blocked("a directory")),
        Ok(found) if !found.is_file() => Err(ErrorKind::NotAFile.into()),
        Ok(_) => {
            let file = File::open(path).map_err(io)?;
            Ok(Some(Snapshot::read(BufReader::new(file))?))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            Err(blocked("a link that leads nowhere"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(error)),
    };
    load().map_err(|error: Finding| error.at_path(path))
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
    problems: &mut Vec<Finding>,
) -> bool {
    // If the path is a link, the file that it leads to is renewed, not the link.
    let real = match over {
        Over::Old => crate::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()),
        Over::Nothing => path.to_path_buf(),
    };
    let mut findings = Vec::new();
    match context.system.root_of_file(&real) {
        Ok((root, name)) => {
            findings.extend(write(snapshot, &root, &name, over).err());
            findings.extend(root.finish().into_iter().map(Finding::from));
        }
        Err(error) => findings.push(Finding::from(error)),
    }
    let is_whole = !findings.iter().any(Finding::is_error);
    problems.append(&mut findings);
    is_whole
}

fn write(snapshot: &Snapshot, root: &Root, name: &Path, over: Over) -> Result<(), Finding> {
    let draft = root.draft(name)?;
    let (mut piece, mut at) = (String::new(), 0);
    let mut lines = snapshot.lines().iter().peekable();
    while let Some(line) = lines.next() {
        piece.push_str(&line.to_string());
        piece.push('\n');
        if piece.len() >= PIECE || lines.peek().is_none() {
            draft.write_at(piece.as_bytes(), at).map_err(Finding::from_io)?;
            at += piece.len() as u64;
            piece.clear();
        }
    }
    Ok(draft.commit(over)?)
}

/// What the names of each archive begin with: nothing, if the user named a single file. `several` says that the user
/// named several paths or a list.
pub(crate) fn name_prefixes(inputs: &[Input], several: bool) -> Vec<Vec<u8>> {
    let mut prefixes = vec![Vec::new(); inputs.len()];
    // Whatever is found in a directory: an archive more or less changes no other line.
    if several || inputs.iter().any(|input| input.found) {
        for (own, input) in prefixes.iter_mut().zip(inputs) {
            *own = prefix(&input.relative);
        }
        while set_apart(inputs, &mut prefixes) {}
    }
    prefixes
}

/// Gives inputs with the same prefix their path as a prefix. Returns whether a prefix has changed.
fn set_apart(inputs: &[Input], prefixes: &mut [Vec<u8>]) -> bool {
    let mut owners: HashMap<&[u8], &Path> = HashMap::new();
    let mut shared: HashSet<Vec<u8>> = HashSet::new();
    for (input, prefix) in inputs.iter().zip(&*prefixes) {
        // Two arguments can lead to one archive, such as a directory and a directory in it.
        if *owners.entry(prefix).or_insert(&input.path) != input.path {
            shared.insert(prefix.clone());
        }
    }
    let mut is_any = false;
    for (input, own) in inputs.iter().zip(prefixes) {
        let typed = prefix(&input.path);
        if *own != typed && shared.contains(own) {
            *own = typed;
            is_any = true;
        }
    }
    is_any
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
