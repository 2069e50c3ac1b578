//! Decides which file each entry of an archive becomes, and what happens to existing files.
//!
//! Every path is decided before the first file is written. If an archive cannot be planned, the others are still
//! extracted. Everything that needs the user's decision is collected, and then nothing is written: files that
//! exist, places where a file cannot be, and archives that would write to each other's files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Entry, PathError, RawName, quoted_path};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::expansion::Expanded;
use crate::ops::finding::{self, Finding, same_output};
use crate::ops::plan::options::Destination;
use crate::ops::plan::paths::{self, Aside, FilePath, IndexedName, PathRules};
use crate::ops::plan::policy::{Claimed, Guard, Undecided};
use crate::ops::row::{Fate, OutputStatus};
use crate::ops::source::directory::loose_file;

/// Everything that will be extracted.
pub(crate) struct Extraction<'a> {
    pub(crate) tasks: Vec<Task<'a>>,
    /// The files that are never replaced.
    pub(crate) sources: Vec<PathBuf>,
    pub(crate) rules: PathRules,
}

/// What will be written, and what cannot be.
pub(crate) struct ExtractPlan<'a> {
    pub(crate) guard: Guard,
    pub(crate) archives: Vec<ArchivePlan<'a>>,
    /// Errors of archives that have no plan, with the numbers of their inputs.
    pub(crate) failed: Vec<(usize, Finding)>,
}

/// Entries of one archive to extract, and where they go.
pub(crate) struct Task<'a> {
    /// The number of the input.
    pub(crate) number: usize,
    pub(crate) archive: &'a Arc<Archive>,
    pub(crate) entries: Vec<Entry<'a>>,
    /// The directory that they go into, relative to the root.
    pub(crate) folder: PathBuf,
}

impl<'a> Task<'a> {
    /// The archive's file, or the directory.
    pub(crate) fn path(&self) -> &'a Path {
        self.archive.path().unwrap_or(Path::new(""))
    }

    /// The names of the entries, with their indices. Loose files have no index, so they are numbered.
    pub(crate) fn names(&self) -> Vec<IndexedName<'a>> {
        let mut names = Vec::with_capacity(self.entries.len());
        for (row, entry) in self.entries.iter().enumerate() {
            let number = if entry.is_file() { row } else { entry.index() };
            names.push((number, entry.name()));
        }
        names
    }
}

/// The plan for one archive, or for the loose files of a directory.
pub(crate) struct ArchivePlan<'a> {
    pub(crate) task: &'a Task<'a>,
    pub(crate) files: Vec<FilePlan<'a>>,
    /// Whether it is a single file, or a directory of a game. A directory that the user named is an archive.
    pub(crate) is_loose: bool,
    /// Findings about the archive as a whole.
    pub(crate) findings: Vec<Finding>,
    /// What needs the user's decision.
    refused: Vec<Finding>,
}

/// The plan for one entry, and what was done.
pub(crate) struct FilePlan<'a> {
    pub(crate) entry: Entry<'a>,
    /// The path of its file below the root. `None` if its name cannot be a path.
    pub(crate) relative: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    pub(crate) aside: Option<Aside>,
    /// Whether it becomes a PNG file.
    pub(crate) is_png: bool,
    pub(crate) status: OutputStatus,
    /// The size of the file if it was written, or else of the entry, decompressed.
    pub(crate) size: u64,
    /// Findings about it.
    pub(crate) findings: Vec<Finding>,
}

impl<'a> FilePlan<'a> {
    fn new(entry: Entry<'a>, rules: PathRules) -> Self {
        Self {
            entry,
            relative: None,
            aside: None,
            is_png: rules.is_png(entry.name()),
            status: OutputStatus::Skipped,
            size: entry.size(),
            findings: Vec::new(),
        }
    }

    /// What will happen at its path, if a file will be written there.
    pub(crate) fn to_write(&self) -> Option<Fate> {
        match self.status {
            OutputStatus::Planned(fate) if fate.is_written() => Some(fate),
            _ => None,
        }
    }

    /// Adds a finding. A finding about the output already has a place.
    pub(crate) fn add(&mut self, mut finding: Finding) {
        if finding.place.path.is_none() {
            finding = finding.of_entry(&self.entry);
        }
        // A vector would make room for four, and there may be a million files.
        self.findings.reserve_exact(1);
        self.findings.push(finding);
    }
}

impl<'a> ArchivePlan<'a> {
    /// The directory of its files, relative to the root.
    fn base(&self) -> &'a Path {
        &self.task.folder
    }

    /// The sizes of the entries that will be written.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u64> {
        let written = self.files.iter().filter(|file| file.to_write().is_some());
        written.map(|file| file.entry.size())
    }

    /// Ends the plan: none of its files will be written.
    pub(crate) fn end_all(&mut self, status: OutputStatus) {
        for file in &mut self.files {
            if file.to_write().is_some() {
                file.status = status;
            }
        }
    }
}

impl Extraction<'_> {
    /// Decides which files are written.
    ///
    /// # Errors
    /// Everything that needs the user's word.
    pub(crate) fn plan(
        &self,
        context: &Context<'_>,
        directory: &Path,
        existing: Existing,
        max_expansion: Option<u64>,
    ) -> Result<ExtractPlan<'_>, Refusal> {
        let destination = Destination::Directory(directory.to_path_buf());
        let guard = Guard::new(&context.system, &destination, existing, &self.sources)?;
        let planned = self.plan_all(context, &guard);
        context.cancel.check()?;

        let (mut archives, mut failed) = (Vec::new(), Vec::new());
        let (mut refused, mut expanded) = (Vec::new(), Expanded::default());
        for (task, plan) in self.tasks.iter().zip(planned) {
            let checked = plan.and_then(|plan| {
                let bytes = plan.sizes().fold(0, u64::saturating_add);
                expanded.add(plan.task.archive, bytes, max_expansion)?;
                Ok(plan)
            });
            match checked {
                Ok(mut plan) => {
                    refused.append(&mut plan.refused);
                    archives.push(plan);
                }
                Err(error) => failed.push((task.number, task.unread(error))),
            }
        }
        if !self.rules.share_directory() {
            refused.extend(collisions(&guard, &archives));
        }
        if refused.is_empty() {
            Ok(ExtractPlan { guard, archives, failed })
        } else {
            Err(Refusal(refused))
        }
    }

    /// A plan for each task. Files that go into one directory get their paths together.
    fn plan_all(
        &self,
        context: &Context<'_>,
        guard: &Guard,
    ) -> Vec<Result<ArchivePlan<'_>, Finding>> {
        let together = if self.rules.share_directory() { self.tasks.len().max(1) } else { 1 };
        let groups: Vec<&[Task<'_>]> = self.tasks.chunks(together).collect();
        let planned = context.pool.map(&groups, |tasks| {
            let names: Vec<IndexedName<'_>> = tasks.iter().flat_map(Task::names).collect();
            let mut placed = paths::place(&names, self.rules).into_iter();
            let mut plans = Vec::with_capacity(tasks.len());
            for task in *tasks {
                let placed = placed.by_ref().take(task.entries.len());
                let cancelled = context.cancel.check();
                plans.push(cancelled.map(|()| task.plan(guard, self.rules, placed)));
            }
            plans
        });
        planned.into_iter().flatten().collect()
    }
}

impl<'a> Task<'a> {
    /// Plans the files of one archive, whose entries have these places.
    fn plan<'t>(
        &'t self,
        guard: &Guard,
        rules: PathRules,
        placed: impl IntoIterator<Item = Result<FilePath, PathError>>,
    ) -> ArchivePlan<'t>
    where
        'a: 't,
    {
        let mut findings = finding::archive_notes(self.archive);
        if rules.served {
            // Errors were reported when the game was opened.
            findings.retain(|finding| !finding.is_error());
        }
        let is_file = self.entries.first().is_some_and(Entry::is_file);
        let mut plan = ArchivePlan {
            task: self,
            is_loose: loose_file(self.archive).is_some() || is_file && rules.served,
            files: Vec::with_capacity(self.entries.len()),
            findings,
            refused: Vec::new(),
        };
        // Each place is reported only once, even if it affects many files.
        let mut reported = HashSet::new();
        for (entry, placed) in self.entries.iter().zip(placed) {
            let mut file = FilePlan::new(*entry, rules);
            match placed {
                Ok(placed) => {
                    let refused = self.decide(&mut file, &placed, guard, rules);
                    if let Some(error) = refused
                        && reported.insert(error.place.path.clone())
                    {
                        plan.refused.push(error);
                    }
                }
                Err(why) => file.add(ErrorKind::Path(why).into()),
            }
            plan.files.push(file);
        }
        plan
    }

    /// Decides what happens to a file that goes to this place. Returns the reason if nothing may be written there.
    fn decide(
        &self,
        file: &mut FilePlan<'_>,
        placed: &FilePath,
        guard: &Guard,
        rules: PathRules,
    ) -> Option<Finding> {
        if let Some(warning) = remark(placed, rules) {
            file.add(warning);
        }
        let relative = self.folder.join(placed.path.to_path_buf());
        let decided = guard.decide(&relative);
        (file.relative, file.aside) = (Some(relative), placed.aside);
        file.status = OutputStatus::Failed;
        if let Err(error) = file.entry.check_claims() {
            file.add(error.into());
            return None;
        }
        match decided {
            Ok(fate) => file.status = OutputStatus::Planned(fate),
            Err(Undecided::Refused(error)) => return Some(error),
            Err(Undecided::Unseen(error)) => {
                file.add(error);
                return None;
            }
        }
        if file.to_write().is_some() && RawName::new(placed.path.as_bytes()).is_hidden() {
            let why = "this is the name of a hidden or backup file";
            let warning = Finding::warning(why)
                .many("files have the names of hidden or backup files")
                .advice("look at what these files do before you use them");
            file.add(warning);
        }
        None
    }

    /// The finding for an archive that cannot be planned, and so is not extracted at all.
    fn unread(&self, error: Finding) -> Finding {
        match self.archive.path() {
            Some(path) => Finding::unread(path, error),
            None => error,
        }
    }
}

/// The remark about a file's path, if the user should know about it.
fn remark(placed: &FilePath, rules: PathRules) -> Option<Finding> {
    let (why, many) = match (placed.rescued, placed.aside) {
        (Some(why), _) => {
            (format!("{why}: rescued as"), "files are rescued, because their names are not allowed")
        }
        // Without their directories many names are one: that is what was asked for.
        (None, Some(Aside::Duplicate | Aside::Case)) if rules.flat => return None,
        (None, Some(aside)) => (
            format!("{}, so this one is written as", aside.words()),
            "files are written as NAME.dup-INDEX, because their own names are taken",
        ),
        (None, None) => return None,
    };
    let path = placed.path.to_path_buf();
    Some(Finding::warning(format!("{why} {}", quoted_path(&path))).many(many))
}

/// An error for each archive that has the same destination as another one. Also an error if the destination lies
/// inside another one and both archives have a file at the same path, or one a file and the other a directory.
fn collisions(guard: &Guard, plans: &[ArchivePlan<'_>]) -> Vec<Finding> {
    let mut order: Vec<&ArchivePlan<'_>> = plans.iter().collect();
    // A folder comes right before its subfolders. The order of the inputs stays between equals.
    order.sort_by(|a, b| a.base().cmp(b.base()));
    let (mut errors, mut claimed) = (Vec::new(), Claimed::default());
    let mut outer: Option<&Path> = None;
    for (at, plan) in order.iter().enumerate() {
        let base = plan.base();
        let is_inside = outer.is_some_and(|outer| base.starts_with(outer));
        let next = order.get(at + 1);
        if !is_inside {
            (outer, claimed) = (Some(base), Claimed::default());
            if next.is_none_or(|next| !next.base().starts_with(base)) {
                continue;
            }
        }
        let before = at.checked_sub(1).and_then(|at| order.get(at));
        if let Some(other) = before.filter(|other| other.base() == base && !plan.is_loose) {
            errors.push(same_output(other.task.path()).at_path(guard.shown(base)));
            continue;
        }
        for relative in plan.files.iter().filter_map(|file| file.relative.as_deref()) {
            if let Err(error) = claimed.claim(relative, plan.task.path()) {
                errors.push(error.at_path(guard.shown(relative)));
                break;
            }
        }
    }
    errors
}
