//! What is to become of each entry of one archive, found out before anything is written.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::destination::Folder;
use super::names::{Named, Placed, Rules};
use super::options::ExtractOptions;
use crate::archive::{Archive, Entry, PathError};
use crate::error::{Error, ErrorKind};
use crate::fs::{CommitError, Found};
use crate::ops::context::{Context, Problem};
use crate::ops::meant::beside;
use crate::ops::meant::meant;
use crate::ops::open;
use crate::ops::plan::targets::{Existed, OutputRoot};
use crate::ops::row::{ArchiveRow, Aside, Delivery, FileRow, Outcome, Row, Summary};
use crate::ops::select::Selection;

/// Entries of one archive that are to be extracted, and where they go.
pub(super) struct Task<'a> {
    /// The number of the input.
    pub(super) number: usize,
    pub(super) archive: &'a Arc<Archive>,
    pub(super) entries: Vec<Entry<'a>>,
    /// Whether they are what an engine serves of a game. The archive is a part of it then.
    pub(super) is_served: bool,
    pub(super) folder: Folder,
}

impl<'a> Task<'a> {
    /// The archive's file, or the directory.
    pub(super) fn path(&self) -> &'a Path {
        self.archive.path().unwrap_or(Path::new(""))
    }

    /// The entries' names. Loose files have no index, and are counted.
    pub(super) fn names(&self) -> Vec<Named<'a>> {
        let mut names = Vec::with_capacity(self.entries.len());
        for (row, entry) in self.entries.iter().enumerate() {
            let number = if entry.is_file() { row } else { entry.index() };
            names.push((number, entry.name()));
        }
        names
    }
}

/// What is to become of one archive, or of the loose files of a directory.
pub(super) struct PakPlan<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) files: Vec<FilePlan<'a>>,
    /// What was found of the archive as a whole.
    pub(super) problems: Vec<Problem>,
    /// What needs the user's word.
    pub(super) refused: Vec<Error>,
}

/// What is to become of one entry.
pub(super) struct FilePlan<'a> {
    pub(super) entry: Entry<'a>,
    /// Its file, from the archive's destination; none if its name cannot be a path.
    pub(super) path: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    aside: Option<Aside>,
    /// The size of the file that was written, or else of the entry, decompressed.
    pub(super) size: u64,
    pub(super) outcome: Outcome,
    /// Whether it becomes a PNG file.
    pub(super) is_png: bool,
    /// What was found of it.
    problems: Vec<Problem>,
}

impl FilePlan<'_> {
    /// Whether a file is to be written, or was.
    pub(super) const fn is_written(&self) -> bool {
        matches!(self.outcome, Outcome::Written | Outcome::Replaced)
    }
}

impl<'a> PakPlan<'a> {
    /// Where its files go, from the root.
    pub(super) fn base(&self) -> &'a Path {
        &self.task.folder.base
    }

    /// The paths of its files, from its destination.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|row| row.path.as_deref())
    }

    /// The sizes of the entries that are to be written.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u64> {
        let written = self.files.iter().filter(|row| row.is_written());
        written.map(|row| row.entry.size())
    }

    /// Adds what happened to a file. What is about the output has its place already.
    pub(super) fn add(&mut self, row: usize, mut problem: Problem) {
        let Some(file) = self.files.get_mut(row) else {
            return;
        };
        if problem.error.pak().is_none() {
            problem.error = file.entry.locate(problem.error);
        }
        file.problems.push(problem);
    }

    /// Nothing of what is planned will be written.
    pub(super) fn end_all(&mut self, outcome: Outcome) {
        for row in self.files.iter_mut().filter(|row| row.is_written()) {
            row.outcome = outcome;
        }
    }

    /// Reports what became of each file, and then of the archive.
    pub(super) fn report(self, options: &ExtractOptions, out: &mut Delivery<'_>) {
        let archive: Arc<Path> = Arc::from(self.task.path());
        let directory = options.directory.as_deref().unwrap_or(Path::new(""));
        let into = directory.join(&self.task.folder.base);
        let is_loose = self.files.first().is_some_and(|file| file.entry.is_file());
        out.findings(self.problems);
        for file in self.files {
            let entry = file.entry;
            out.row(Row::File(FileRow {
                archive: Arc::clone(&archive),
                index: (!entry.is_file()).then(|| entry.index()),
                name: entry.name().as_bytes().to_vec(),
                file: file.path.map(|path| into.join(path)),
                aside: file.aside,
                size: file.size,
                outcome: file.outcome,
                is_planned: options.dry_run,
                problems: file.problems,
            }));
        }
        out.summary.archives += 1;
        let mut row = ArchiveRow::new(archive, Summary::default());
        (row.into, row.is_loose) = (Some(into), is_loose);
        out.row(Row::Archive(row));
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
    pub(super) rules: Rules,
    pub(super) root: &'a OutputRoot,
}

impl Planner<'_> {
    /// Plans one archive, whose entries have these places.
    pub(super) fn plan<'a>(
        &self,
        task: &'a Task<'a>,
        placed: impl IntoIterator<Item = Result<Placed, PathError>>,
    ) -> Result<PakPlan<'a>, Error> {
        self.context.cancel.check()?;
        let mut problems = open::notes(task.archive);
        if task.is_served {
            // The others were reported when it was looked at.
            problems.retain(|problem| !problem.is_error());
        }
        problems.extend(task.folder.warning(task.path()));
        let mut plan = PakPlan {
            task,
            files: Vec::with_capacity(task.entries.len()),
            problems,
            refused: Vec::new(),
        };
        let mut looker = Looker::new(self.root, &task.folder.base);
        for (number, (entry, placed)) in task.entries.iter().zip(placed).enumerate() {
            let known = placed.as_ref().ok();
            plan.files.push(FilePlan {
                entry: *entry,
                path: known.map(|placed| placed.path.to_path_buf()),
                aside: known.and_then(|placed| placed.aside),
                size: entry.size(),
                outcome: Outcome::Skipped,
                is_png: self.rules.is_png(entry.name()),
                problems: Vec::new(),
            });
            let outcome = match placed {
                Ok(placed) => {
                    let remark = self.remark(&placed);
                    let remark = remark.map(|kind| Problem::warning(kind.into()));
                    remark.into_iter().for_each(|it| plan.add(number, it));
                    looker.outcome(&mut plan, number, &placed.path.to_path_buf())
                }
                Err(why) => {
                    plan.add(number, Problem::error(why.into()));
                    Outcome::Skipped
                }
            };
            if let Some(row) = plan.files.last_mut() {
                row.outcome = outcome;
            }
        }
        Ok(plan)
    }

    /// What a user should know of a file's path.
    fn remark(&self, placed: &Placed) -> Option<ErrorKind> {
        let path = placed.path.to_path_buf();
        if let Some(why) = placed.rescued {
            return Some(ErrorKind::Rescued { path, why });
        }
        // Without their directories many names are one: that is what was asked for.
        let aside = placed.aside?;
        if self.rules.flat && matches!(aside, Aside::Duplicate | Aside::Case) {
            return None;
        }
        let why = aside.words();
        Some(ErrorKind::PutAside { path, why })
    }
}

/// Looks at what is where files would go.
struct Looker<'a> {
    root: &'a OutputRoot,
    base: &'a Path,
    /// The directory that was looked for last, and whether it is missing: its files are, then,
    /// and need not be asked for one by one.
    last: Option<(PathBuf, bool)>,
    /// Places that are reported once, though many files are concerned.
    reported: HashSet<PathBuf>,
}

impl<'a> Looker<'a> {
    fn new(root: &'a OutputRoot, base: &'a Path) -> Self {
        Self {
            root,
            base,
            last: None,
            reported: HashSet::new(),
        }
    }

    /// What will become of an entry whose file goes to this path.
    fn outcome(&mut self, plan: &mut PakPlan<'_>, number: usize, path: &Path) -> Outcome {
        let claims = plan.files.get(number).map(|row| row.entry.check_claims());
        if let Some(Err(error)) = claims {
            plan.add(number, Problem::error(error));
            return Outcome::Failed;
        }
        let path = self.base.join(path);
        match self.look(&path) {
            Ok(found) => self.judge(plan, &path, found),
            Err(error) => self.failed(plan, number, error),
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
            return Ok(Found::Nothing);
        }
        root.look(path)
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
