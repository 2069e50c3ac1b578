//! What is to become of each entry of one archive, found out before anything is written.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::destination::Folder;
use super::names::{self, Aside, Placed};
use super::report::{ExtractOptions, ExtractedFile, ExtractedPak};
use crate::archive::{Archive, Entry, PathError, SafePath};
use crate::error::{Error, ErrorKind};
use crate::fs::{CommitError, FileId, Found, Kind, Root, Source};
use crate::ops::context::{Context, Problem};
use crate::ops::expansion;
use crate::ops::inputs::beside;
use crate::ops::meant::meant;
use crate::ops::open;
use crate::ops::select::Selection;
use crate::ops::write::Outcome;
use crate::ops::write::destination::{Existed, OutputRoot};

/// Entries of one archive that are to be extracted, and where they go.
pub(super) struct Task<'a> {
    /// The number of the input.
    pub(super) number: usize,
    pub(super) archive: &'a Archive,
    pub(super) entries: Vec<Entry<'a>>,
    /// The archive's file, where it is closed while nobody reads it.
    pub(super) source: Option<&'a Source>,
    pub(super) folder: Folder,
    /// Its rows that are put aside because of the files of another task.
    pub(super) aside: Vec<(usize, Aside)>,
}

impl<'a> Task<'a> {
    /// The archive's file, or the directory.
    pub(super) fn path(&self) -> &'a Path {
        self.archive.path().unwrap_or(Path::new(""))
    }
}

/// What is to become of one archive, or of the loose files of a directory.
pub(super) struct PakPlan<'a> {
    pub(super) task: &'a Task<'a>,
    /// One for each entry.
    pub(super) rows: Vec<Row<'a>>,
    /// What was found, by the row, where it is about one.
    pub(super) problems: Vec<(Option<usize>, Problem)>,
    /// What needs the user's word.
    pub(super) refused: Vec<Error>,
}

/// What is to become of one entry.
pub(super) struct Row<'a> {
    pub(super) entry: Entry<'a>,
    pub(super) placed: Result<Placed, PathError>,
    pub(super) outcome: Outcome,
}

impl Row<'_> {
    /// Whether a file is to be written, or was.
    pub(super) const fn is_file(&self) -> bool {
        matches!(self.outcome, Outcome::Written | Outcome::Replaced)
    }

    /// It goes where it was to go in reserve: the file system has shown that it folds.
    pub(super) fn fold(&mut self) {
        if let Ok(placed) = &mut self.placed
            && let Some(reserve) = placed.reserve.take()
        {
            (placed.path, placed.aside) = (reserve, Some(Aside::Folded));
        }
    }

    /// What is worth reporting of its name and its claims.
    fn problems(&self) -> Vec<Problem> {
        let locate = |kind: ErrorKind| self.entry.locate(kind.into());
        let placed = match &self.placed {
            Ok(placed) => placed,
            Err(why) => return vec![Problem::error(self.entry.locate((*why).into()))],
        };
        let mut problems = Vec::new();
        let mut warn = |kind| problems.push(Problem::warning(locate(kind)));
        let path = || placed.path.to_path_buf();
        let folded = placed.aside == Some(Aside::Folded);
        if let Some((why, own)) = &placed.rescued {
            let path = if folded { own.to_path_buf() } else { path() };
            warn(ErrorKind::Rescued { path, why: *why });
        }
        if let Some(why) = placed.aside
            && (placed.rescued.is_none() || folded)
        {
            let (path, why) = (path(), why.words());
            warn(ErrorKind::PutAside { path, why });
        }
        if self.outcome == Outcome::Failed
            && let Err(error) = self.entry.check_claims()
        {
            problems.push(Problem::error(error));
        }
        problems
    }
}

impl<'a> PakPlan<'a> {
    /// Where its files go, from the root.
    pub(super) fn base(&self) -> &'a Path {
        &self.task.folder.base
    }

    /// The paths of its files, from its destination.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let placed = self.rows.iter().filter_map(|row| row.placed.as_ref().ok());
        placed.map(|placed| placed.path.to_path_buf())
    }

    /// An error for each name that was given and is that of no entry.
    pub(super) fn unmatched_names(&self, selection: &Selection) -> Vec<Error> {
        let entries = || self.task.archive.entries();
        let names = || entries().map(|entry| entry.name().as_bytes().to_vec());
        let error = |name: &[u8]| {
            let kind = ErrorKind::NeitherFileNorEntry {
                name: name.to_vec(),
                near: meant(name, names()).or_else(|| file_beside(name)),
            };
            Error::from(kind).in_pak(self.task.path())
        };
        selection.unmatched_names().map(error).collect()
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
        for (number, row) in self.rows.iter().enumerate() {
            let problems = row.problems().into_iter();
            self.problems.extend(problems.map(|it| (Some(number), it)));
        }
        // What the name says comes first.
        self.problems.sort_by_key(|(row, _)| *row);
        let is_loose = self.rows.first().is_some_and(|row| row.entry.is_file());
        let file = |row: Row<'_>| {
            let placed = row.placed.ok();
            ExtractedFile {
                index: (!row.entry.is_file()).then_some(row.entry.index()),
                name: row.entry.name().as_bytes().to_vec(),
                aside: placed.as_ref().and_then(|placed| placed.aside),
                path: placed.map(|placed| placed.path.to_path_buf()),
                size: row.entry.size(),
                outcome: row.outcome,
            }
        };
        ExtractedPak {
            path: self.task.path().to_path_buf(),
            is_loose,
            destination: directory.join(&self.task.folder.base),
            files: self.rows.into_iter().map(file).collect(),
            problems: self.problems.into_iter().map(|(_, it)| it).collect(),
        }
    }
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
        let names = task.entries.iter().enumerate();
        // Loose files have no numbers, and are counted.
        let number = |row: usize, entry: &Entry<'_>| match entry.is_file() {
            true => row,
            false => entry.index(),
        };
        let names: Vec<_> = names
            .map(|(row, entry)| (number(row, entry), entry.name()))
            .collect();
        let placed = names::resolve(&names, self.options.name_rules(), &task.aside);
        drop(names);
        let rows = task.entries.iter().zip(placed);
        let rows = rows.map(|(entry, placed)| Row {
            entry: *entry,
            placed,
            outcome: Outcome::Skipped,
        });
        let mut problems = open::notes(task.archive);
        if task.source.is_none() {
            // The others were reported when it was looked at.
            problems.retain(|problem| !problem.is_error());
        }
        problems.extend(task.folder.warning(task.path()));
        let mut plan = PakPlan {
            task,
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
        let Some(row) = plan.rows.get_mut(number) else {
            return Outcome::Skipped;
        };
        if row.placed.is_err() {
            return Outcome::Skipped;
        }
        if row.entry.check_claims().is_err() {
            return Outcome::Failed;
        }
        match self.found(row) {
            Ok((path, found)) => self.judge(plan, &path, found),
            Err(error) => self.failed(plan, number, error),
        }
    }

    /// What stands where a file will go, and where that is below the root.
    fn found(&mut self, row: &mut Row<'_>) -> Result<(PathBuf, Found), CommitError> {
        let Ok(placed) = &mut row.placed else {
            return Ok((PathBuf::new(), Found::Nothing));
        };
        let path = self.base.join(placed.path.to_path_buf());
        let found = self.look(&path)?;
        let Some(reserve) = placed.reserve.as_ref().map(SafePath::to_path_buf) else {
            return Ok((path, found));
        };
        if self.is_folded(&path, &found, placed.may_be_directory)? {
            row.fold();
            let path = self.base.join(reserve);
            let found = self.look(&path)?;
            return Ok((path, found));
        }
        if found != Found::Nothing {
            // It needs not wait for the others.
            placed.reserve = None;
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
                let error = error.in_pak(self.root.root.path().join(path));
                let place = error.pak().map(Path::to_path_buf).unwrap_or_default();
                if self.reported.insert(place) {
                    plan.refused.push(error);
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
