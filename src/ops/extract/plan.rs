//! What is to become of each entry of one archive, found out before anything is written.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::destination::Folder;
use super::names::{self, Aside, Late, Named, Rules};
use super::report::{ExtractOptions, ExtractedPak, Kept};
use super::row::Row;
use crate::archive::{Archive, Entry};
use crate::error::{Error, ErrorKind};
use crate::fs::{Closable, CommitError, FileId, Found, Kind, Root};
use crate::ops::context::{Context, Problem};
use crate::ops::expansion;
use crate::ops::meant::beside;
use crate::ops::meant::meant;
use crate::ops::open;
use crate::ops::select::Selection;
use crate::ops::write::Outcome;
use crate::ops::write::destination::{Existed, OutputRoot};

/// Entries of one archive that are to be extracted, and where they go.
pub(super) struct Task<'a> {
    /// The number of the input.
    pub(super) number: usize,
    pub(super) archive: &'a Arc<Archive>,
    pub(super) entries: Vec<Entry<'a>>,
    /// The archive's file, where it is closed while nobody reads it.
    pub(super) source: Option<&'a dyn Closable>,
    pub(super) folder: Folder,
    /// Its rows that are put aside because of the files of another task.
    pub(super) aside: Vec<(usize, Aside)>,
    /// How many entries are left out, because nothing is left of their paths.
    pub(super) left_out: usize,
    /// Whether a task before it is of the same archive, and says what there is to say of that.
    pub(super) again: bool,
}

impl<'a> Task<'a> {
    /// Leaves out the entries of whose paths nothing is left.
    pub(super) fn strip(&mut self, rules: Rules) {
        let all = self.entries.len();
        self.entries.retain(|entry| rules.leaves(entry.name()));
        self.left_out = all - self.entries.len();
    }

    /// The archive's file, or the directory.
    pub(super) fn path(&self) -> &'a Path {
        self.archive.path().unwrap_or(Path::new(""))
    }
}

/// What is to become of one archive, or of the loose files of a directory.
pub(super) struct PakPlan<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) rules: Rules,
    /// One for each entry.
    pub(super) rows: Vec<Row<'a>>,
    /// What was found, by the row, where it is about one.
    pub(super) problems: Vec<(Option<usize>, Problem)>,
    /// What needs the user's word.
    pub(super) refused: Vec<Error>,
}

impl<'a> PakPlan<'a> {
    /// Where its files go, from the root.
    pub(super) fn base(&self) -> &'a Path {
        &self.task.folder.base
    }

    /// The paths that its files have, or may turn out to have, from the root.
    pub(super) fn possible_paths(&self) -> impl Iterator<Item = PathBuf> {
        let reserve = |row: &Row<'_>| {
            let placed = row.placed.ok().filter(|_| row.is_late())?;
            placed.reserve(row.named(), self.rules).ok()
        };
        let reserves = self.rows.iter().filter_map(reserve);
        let reserves = reserves.map(|path| path.to_path_buf());
        self.paths()
            .chain(reserves)
            .map(|path| self.base().join(path))
    }

    /// The paths of its files, from its destination.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let paths = self.rows.iter().filter_map(|row| row.path(self.rules).ok());
        paths.map(|path| path.to_path_buf())
    }

    /// Adds what happened to a file. What is about the output has its place already.
    pub(super) fn add(&mut self, row: usize, mut problem: Problem) {
        if problem.error.pak().is_none()
            && let Some(it) = self.rows.get(row)
        {
            problem.error = it.entry.locate(problem.error);
        }
        self.problems.push((Some(row), problem));
    }

    /// Nothing of what is planned will be written.
    pub(super) fn end_all(&mut self, outcome: Outcome) {
        let planned = self.rows.iter_mut().filter(|row| row.is_file());
        planned.for_each(|row| row.outcome = outcome);
    }

    pub(super) fn report(mut self, directory: &Path) -> ExtractedPak {
        self.problems.sort_by_key(|(row, _)| *row);
        ExtractedPak {
            path: self.task.path().to_path_buf(),
            is_loose: self.rows.first().is_some_and(|row| row.entry.is_file()),
            destination: directory.join(&self.task.folder.base),
            left_out: self.task.left_out,
            archive: Arc::clone(self.task.archive),
            rules: self.rules,
            rows: self.rows.into_iter().map(Kept::from).collect(),
            problems: self.problems,
        }
    }
}

/// An error for each name that was given and is that of no entry, in any of these archives.
pub(super) fn unmatched_names(plans: &[PakPlan<'_>], selection: &Selection) -> Vec<Error> {
    let Some(first) = plans.first() else {
        return Vec::new();
    };
    let entries = || plans.iter().flat_map(|plan| plan.task.archive.entries());
    let names = || entries().map(|entry| entry.name().as_bytes().to_vec());
    let error = |name: &[u8]| {
        let kind = ErrorKind::NeitherFileNorEntry {
            name: name.to_vec(),
            near: meant(name, names()).or_else(|| file_beside(name)),
        };
        let error = Error::from(kind);
        match plans.len() {
            1 => error.in_pak(first.task.path()),
            _ => error,
        }
    };
    selection.unmatched_names().map(error).collect()
}

/// What there is beside a name, taken for a path, and is called like it.
fn file_beside(name: &[u8]) -> Option<Vec<u8>> {
    let path = Path::new(core::str::from_utf8(name).ok()?);
    Some(beside(path)?.into_os_string().into_encoded_bytes())
}

/// What all archives are planned with.
pub(super) struct Planner<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) options: &'a ExtractOptions,
    pub(super) root: &'a OutputRoot,
}

impl Planner<'_> {
    /// Plans one archive, or says why nothing of it can be extracted.
    pub(super) fn plan<'a>(&self, task: &'a Task<'a>) -> Result<PakPlan<'a>, Error> {
        self.context.cancel.check()?;
        let rules = self.options.name_rules();
        let number = |row: usize, entry: &Entry<'_>| match entry.is_file() {
            true => row,
            false => entry.index(),
        };
        let names = task.entries.iter().enumerate();
        let names: Vec<Named<'_>> = names
            .map(|(row, entry)| (number(row, entry), entry.name()))
            .collect();
        let placed = names::resolve(&names, rules, &task.aside);
        let rows = task.entries.iter().zip(names).zip(placed);
        let rows = rows.map(|((entry, (number, _)), placed)| Row {
            entry: *entry,
            number,
            placed,
            outcome: Outcome::Skipped,
        });
        let mut problems = match task.again {
            true => Vec::new(),
            false => open::notes(task.archive),
        };
        if task.source.is_none() {
            // The others were reported when it was looked at.
            problems.retain(|problem| !problem.is_error());
        }
        problems.extend(task.folder.warning(task.path()));
        let mut plan = PakPlan {
            task,
            rules,
            rows: rows.collect(),
            problems: problems.into_iter().map(|it| (None, it)).collect(),
            refused: Vec::new(),
        };
        let mut looker = Looker::new(self.root, &task.folder.base);
        for row in 0..plan.rows.len() {
            let outcome = looker.outcome(&mut plan, row);
            if let Some(row) = plan.rows.get_mut(row) {
                row.outcome = outcome;
            }
        }
        self.check_expansion(&plan)?;
        Ok(plan)
    }

    fn check_expansion(&self, plan: &PakPlan<'_>) -> Result<(), Error> {
        let written = plan.rows.iter().filter(|row| row.is_file());
        let bytes = written.map(|row| row.entry.size());
        let bytes = bytes.fold(0, u64::saturating_add);
        let len = plan.task.archive.file_len();
        let most = expansion::most(plan.task.archive);
        expansion::check(bytes, len, self.options.max_expansion, most)
            .map_err(|error| error.in_pak(plan.task.path()))
    }
}

/// How the file system spells what is there.
#[derive(Debug, Default)]
pub(super) struct Spellings(HashMap<PathBuf, HashSet<OsString>>);

impl Spellings {
    /// Whether every part of a path below the root is listed exactly so. One that is found and not
    /// listed so is found by a file system that takes its name for another one.
    pub(super) fn are_there(&mut self, root: &Root, path: &Path) -> Result<bool, CommitError> {
        for path in path.ancestors() {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                break;
            };
            if !self.0.contains_key(folder) {
                let names = root.names(folder)?.into_iter().collect();
                self.0.insert(folder.to_path_buf(), names);
            }
            if !self.0.get(folder).is_some_and(|names| names.contains(name)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Looks at what stands where files would go.
struct Looker<'a> {
    root: &'a OutputRoot,
    base: &'a Path,
    /// The directory that was looked for last, and whether it is missing: its files are, then,
    /// and need not be asked for one by one.
    last: Option<(PathBuf, bool)>,
    /// The files that were found where late ones would go, and the first path to each.
    late: HashMap<FileId, PathBuf>,
    names: Spellings,
    /// Places that are reported once, though many files are concerned.
    reported: HashSet<PathBuf>,
}

impl<'a> Looker<'a> {
    fn new(root: &'a OutputRoot, base: &'a Path) -> Self {
        Self {
            root,
            base,
            last: None,
            late: HashMap::new(),
            names: Spellings::default(),
            reported: HashSet::new(),
        }
    }

    /// What will become of an entry.
    fn outcome(&mut self, plan: &mut PakPlan<'_>, number: usize) -> Outcome {
        let rules = plan.rules;
        let Some(row) = plan.rows.get_mut(number) else {
            return Outcome::Skipped;
        };
        let Ok(path) = row.path(rules) else {
            return Outcome::Skipped;
        };
        if row.entry.check_claims().is_err() {
            return Outcome::Failed;
        }
        let path = self.base.join(path.to_path_buf());
        match self.found(row, rules, path) {
            Ok((path, found)) => self.judge(plan, &path, found),
            Err(error) => self.failed(plan, number, error),
        }
    }

    /// What stands where a file will go, and where that is below the root.
    fn found(
        &mut self,
        row: &mut Row<'_>,
        rules: Rules,
        path: PathBuf,
    ) -> Result<(PathBuf, Found), CommitError> {
        let found = self.look(&path)?;
        if !row.is_late() {
            return Ok((path, found));
        }
        if self.is_folded(&path, &found, row.may_be_directory())? {
            row.fold();
            let reserve = row.path(rules).map(|path| path.to_path_buf());
            let path = self.base.join(reserve.unwrap_or_default());
            let found = self.look(&path)?;
            return Ok((path, found));
        }
        if found != Found::Nothing
            && let Ok(placed) = &mut row.placed
        {
            // It needs not wait for the others.
            placed.late = Late::No;
        }
        Ok((path, found))
    }

    /// Whether what a late file finds is there by another name alone: that of an earlier file, or of
    /// a directory. Then the file system takes their names for one, and an extraction before this
    /// one has made it.
    ///
    /// That two names lead to one file is not enough: they can be links to it. So the file system is
    /// asked how it spells them.
    fn is_folded(
        &mut self,
        path: &Path,
        found: &Found,
        may_be_directory: bool,
    ) -> Result<bool, CommitError> {
        let root = &self.root.root;
        match found {
            Found::Taken {
                kind: Kind::Directory,
                ..
            } if may_be_directory => Ok(!self.names.are_there(root, path)?),
            Found::Taken {
                kind: Kind::File | Kind::Link,
                own: Some(id),
                ..
            } => match self.late.get(id) {
                Some(first) => {
                    let first = self.names.are_there(root, first)?;
                    Ok(!(first && self.names.are_there(root, path)?))
                }
                None => {
                    self.late.insert(*id, path.to_path_buf());
                    Ok(false)
                }
            },
            _ => Ok(false),
        }
    }

    fn judge(&mut self, plan: &mut PakPlan<'_>, path: &Path, found: Found) -> Outcome {
        match self.root.judge(path, found) {
            Ok(Existed::Nothing) => Outcome::Written,
            Ok(Existed::Replaced) => Outcome::Replaced,
            Ok(Existed::Kept) => Outcome::Kept,
            Err(error) => {
                // What is about another place than the file's own is so for many files.
                let elsewhere = error.pak().map(Path::to_path_buf);
                if elsewhere.is_none_or(|place| self.reported.insert(place)) {
                    let place = self.root.root.path().join(path);
                    plan.refused.push(error.in_pak(place));
                }
                Outcome::Failed
            }
        }
    }

    fn look(&mut self, path: &Path) -> Result<Found, CommitError> {
        let root = &self.root.root;
        let parent = path.parent().unwrap_or(Path::new(""));
        let missing = match &self.last {
            Some((last, missing)) if last == parent => *missing,
            _ => {
                let missing = root.is_missing(parent)?;
                self.last = Some((parent.to_path_buf(), missing));
                missing
            }
        };
        if missing {
            Ok(Found::Nothing)
        } else {
            root.look(path)
        }
    }

    /// A place that cannot be looked at. If that is the root, it is so for all of them.
    fn failed(&mut self, plan: &mut PakPlan<'_>, row: usize, error: CommitError) -> Outcome {
        let error = Error::from(error);
        let root = self.root.root.path();
        if error.pak() != Some(root) {
            plan.add(row, Problem::error(error));
        } else if self.reported.insert(root.to_path_buf()) {
            plan.refused.push(error);
        }
        Outcome::Failed
    }
}
