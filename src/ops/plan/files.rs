//! Decides which file each entry of an archive becomes, and what happens to existing files.
//!
//! Every path is decided before the first file is written. If an archive cannot be planned, the others are still
//! extracted. Everything that needs the user's decision is collected, and then nothing is written: files that
//! exist, places where a file cannot be, and archives that would write to each other's files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::paths::{self, FilePath, Folder, IndexedName, PathRules};
use super::targets::{Claimed, Existed, OutputRoot};
use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Entry, PathError, RawName, quoted_path};
use crate::fs::{CommitError, Occupant};
use crate::ops::context::{Context, Refusal};
use crate::ops::expansion::Limit;
use crate::ops::extract::ExtractOptions;
use crate::ops::finding::{self, Finding, Help, same_output};
use crate::ops::row::{Aside, Outcome};
use crate::ops::source::directory::loose_file;
use crate::ops::source::named::{names_of, no_file_or_entry};
use crate::ops::source::{Selection, nested};

/// Everything that will be extracted.
pub(in crate::ops) struct Extraction<'a> {
    pub(in crate::ops) tasks: Vec<Task<'a>>,
    /// The files that are never replaced.
    pub(in crate::ops) sources: Vec<PathBuf>,
    pub(in crate::ops) rules: PathRules,
}

/// What will be written, and what cannot be.
pub(in crate::ops) struct ExtractPlan<'a> {
    pub(in crate::ops) root: OutputRoot,
    pub(in crate::ops) archives: Vec<ArchivePlan<'a>>,
    /// Errors of archives that have no plan, with the numbers of their inputs.
    pub(in crate::ops) failed: Vec<(usize, Finding)>,
}

/// Entries of one archive to extract, and where they go.
pub(in crate::ops) struct Task<'a> {
    /// The number of the input.
    pub(in crate::ops) number: usize,
    pub(in crate::ops) archive: &'a Arc<Archive>,
    pub(in crate::ops) entries: Vec<Entry<'a>>,
    pub(in crate::ops) folder: Folder,
}

impl<'a> Task<'a> {
    /// The archive's file, or the directory.
    pub(in crate::ops) fn path(&self) -> &'a Path {
        self.archive.path().unwrap_or(Path::new(""))
    }

    /// The names of the entries, with their indices. Loose files have no index, so they are numbered.
    pub(in crate::ops) fn names(&self) -> Vec<IndexedName<'a>> {
        let mut names = Vec::with_capacity(self.entries.len());
        for (row, entry) in self.entries.iter().enumerate() {
            let number = if entry.is_file() { row } else { entry.index() };
            names.push((number, entry.name()));
        }
        names
    }
}

/// The plan for one archive, or for the loose files of a directory.
pub(in crate::ops) struct ArchivePlan<'a> {
    pub(in crate::ops) task: &'a Task<'a>,
    pub(in crate::ops) files: Vec<FilePlan<'a>>,
    /// Findings about the archive as a whole.
    pub(in crate::ops) findings: Vec<Finding>,
    /// What needs the user's decision.
    pub(in crate::ops) refused: Vec<Finding>,
}

/// The plan for one entry.
pub(in crate::ops) struct FilePlan<'a> {
    pub(in crate::ops) entry: Entry<'a>,
    /// The path of its file below the archive's destination. `None` if its name cannot be a path.
    pub(in crate::ops) path: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    pub(in crate::ops) aside: Option<Aside>,
    /// The size of the file that was written, or else of the entry, decompressed.
    pub(in crate::ops) size: u64,
    pub(in crate::ops) outcome: Outcome,
    /// Whether it becomes a PNG file.
    pub(in crate::ops) is_png: bool,
    /// Findings about it.
    pub(in crate::ops) findings: Vec<Finding>,
}

impl FilePlan<'_> {
    /// Whether a file will be written, or was.
    pub(in crate::ops) const fn is_written(&self) -> bool {
        matches!(self.outcome, Outcome::Written | Outcome::Replaced)
    }
}

impl<'a> ArchivePlan<'a> {
    /// The directory of its files, relative to the root.
    pub(in crate::ops) fn base(&self) -> &'a Path {
        &self.task.folder.base
    }

    /// The paths of its files, relative to its destination.
    pub(in crate::ops) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|file| file.path.as_deref())
    }

    /// The sizes of the entries that will be written.
    pub(in crate::ops) fn sizes(&self) -> impl Iterator<Item = u64> {
        let written = self.files.iter().filter(|file| file.is_written());
        written.map(|file| file.entry.size())
    }

    /// Adds a finding about a file. A finding about the output already has a place.
    pub(in crate::ops) fn add(&mut self, number: usize, mut finding: Finding) {
        let Some(file) = self.files.get_mut(number) else {
            return;
        };
        if finding.place.path.is_none() {
            finding = finding.of_entry(&file.entry);
        }
        // A vector would make room for four, and there may be a million files.
        file.findings.reserve_exact(1);
        file.findings.push(finding);
    }

    /// Ends the plan: none of its files will be written.
    pub(in crate::ops) fn end_all(&mut self, outcome: Outcome) {
        for file in self.files.iter_mut().filter(|file| file.is_written()) {
            file.outcome = outcome;
        }
    }
}

impl Extraction<'_> {
    /// Decides which files are written.
    ///
    /// # Errors
    /// Everything that needs the user's word.
    pub(in crate::ops) fn plan(
        &self,
        context: &Context<'_>,
        options: &ExtractOptions,
    ) -> Result<ExtractPlan<'_>, Refusal> {
        let directory = options.directory.clone().unwrap_or_default();
        let root = context.system.root(directory);
        let sources = self.sources.iter().map(PathBuf::as_path);
        let root = OutputRoot::new(root, options.existing, &context.system, sources)?;
        let planned = self.plan_all(context, &root);
        context.cancel.check()?;

        let (mut archives, mut failed) = (Vec::new(), Vec::new());
        let (mut refused, mut sums) = (Vec::new(), HashMap::new());
        for (task, plan) in self.tasks.iter().zip(planned) {
            let checked = plan.and_then(|plan| {
                check_expansion(&plan, options, &mut sums)?;
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
            refused.extend(collisions(&root, &archives));
        }
        if refused.is_empty() {
            Ok(ExtractPlan {
                root,
                archives,
                failed,
            })
        } else {
            Err(Refusal(refused))
        }
    }

    /// A plan for each task. Files that go into one directory get their paths together.
    fn plan_all(
        &self,
        context: &Context<'_>,
        root: &OutputRoot,
    ) -> Vec<Result<ArchivePlan<'_>, Finding>> {
        let together = if self.rules.share_directory() {
            self.tasks.len().max(1)
        } else {
            1
        };
        let groups: Vec<&[Task<'_>]> = self.tasks.chunks(together).collect();
        let planned = context.pool.map(&groups, |tasks| {
            let names: Vec<IndexedName<'_>> = tasks.iter().flat_map(Task::names).collect();
            let mut placed = paths::place(&names, self.rules).into_iter();
            let mut plans = Vec::with_capacity(tasks.len());
            for task in *tasks {
                let placed = placed.by_ref().take(task.entries.len());
                let cancelled = context.cancel.check();
                plans.push(cancelled.map(|()| task.plan(root, self.rules, placed)));
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
        root: &OutputRoot,
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
        findings.extend(self.folder.warning(self.path()));
        let mut plan = ArchivePlan {
            task: self,
            files: Vec::with_capacity(self.entries.len()),
            findings,
            refused: Vec::new(),
        };
        let mut looker = Looker::new(root, &self.folder.base);
        for (number, (entry, placed)) in self.entries.iter().zip(placed).enumerate() {
            let known = placed.as_ref().ok();
            plan.files.push(FilePlan {
                entry: *entry,
                path: known.map(|placed| placed.path.to_path_buf()),
                aside: known.and_then(|placed| placed.aside),
                size: entry.size(),
                outcome: Outcome::Skipped,
                is_png: rules.is_png(entry.name()),
                findings: Vec::new(),
            });
            let outcome = match placed {
                Ok(placed) => {
                    if let Some(warning) = remark(&placed, rules) {
                        plan.add(number, warning);
                    }
                    let outcome = looker.outcome(&mut plan, number, &placed.path.to_path_buf());
                    let is_hidden = RawName::new(placed.path.as_bytes()).is_hidden();
                    if is_hidden && matches!(outcome, Outcome::Written | Outcome::Replaced) {
                        let why = "this is the name of a hidden or backup file";
                        plan.add(
                            number,
                            Finding::warning(why)
                                .many("files have the names of hidden or backup files")
                                .advice("look at what these files do before you use them"),
                        );
                    }
                    outcome
                }
                Err(why) => {
                    plan.add(number, Finding::from(ErrorKind::Path(why)));
                    Outcome::Skipped
                }
            };
            if let Some(file) = plan.files.last_mut() {
                file.outcome = outcome;
            }
        }
        plan
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
    let path = placed.path.to_path_buf();
    let path = quoted_path(&path);
    if let Some(why) = placed.rescued {
        return Some(
            Finding::warning(format!("{why}: rescued as {path}"))
                .many("files are rescued, because their names are not allowed"),
        );
    }
    // Without their directories many names are one: that is what was asked for.
    let aside = placed.aside?;
    if rules.flat && matches!(aside, Aside::Duplicate | Aside::Case) {
        return None;
    }
    let why = aside.words();
    Some(
        Finding::warning(format!("{why}, so this one is written as {path}"))
            .many("files are written as NAME.dup-INDEX, because their own names are taken"),
    )
}

/// Refuses an archive that would take too much room, counted together with the archives before it that come from
/// the same file.
fn check_expansion(
    plan: &ArchivePlan<'_>,
    options: &ExtractOptions,
    sums: &mut HashMap<PathBuf, u64>,
) -> Result<(), Finding> {
    let bytes = plan.sizes().fold(0, u64::saturating_add);
    let archive = plan.task.archive;
    let mut before = 0;
    let mut file = plan.task.path().to_path_buf();
    if let Some(within) = nested::split(&file) {
        file = within.file;
        before = sums.get(&file).copied().unwrap_or_default();
    }
    let all = bytes.saturating_add(before);
    let checked = Limit::of(archive).check(all, options.max_expansion);
    checked.map_err(|error| error.at_path(plan.task.path()))?;
    sums.insert(file, all);
    Ok(())
}

/// An error for each archive that has the same destination as another one. Also an error if the destination lies
/// inside another one and both archives have a file at the same path, or one a file and the other a directory.
fn collisions(root: &OutputRoot, plans: &[ArchivePlan<'_>]) -> Vec<Finding> {
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
        let place = root.root.path().join(base);
        let before = at.checked_sub(1).and_then(|at| order.get(at));
        let is_loose = loose_file(plan.task.archive).is_some();
        if let Some(other) = before.filter(|other| other.base() == base && !is_loose) {
            errors.push(same_output(other.task.path()).at_path(place));
            continue;
        }
        for path in plan.paths() {
            if let Err(error) = claimed.claim(&base.join(path), plan.task.path()) {
                errors.push(error.at_path(place.join(path)));
                break;
            }
        }
    }
    errors
}

/// An error for each name that was given but that no entry in any of these archives has.
pub(in crate::ops) fn unmatched_names(tasks: &[Task<'_>], selection: &Selection) -> Vec<Finding> {
    let names = || tasks.iter().flat_map(|task| names_of(task.archive));
    let error = |name: &[u8]| {
        // A name that is like none may be meant as the directory to write into.
        let error = no_file_or_entry(name, names(), Help::NamesAfterArchive);
        match tasks {
            [only] => error.at_path(only.path()),
            _ => error,
        }
    };
    selection.unmatched_names().map(error).collect()
}

/// Looks for existing files where files would go.
struct Looker<'a> {
    root: &'a OutputRoot,
    base: &'a Path,
    /// The last directory that was looked for, and whether it is missing. Then its files are missing, too, and need
    /// not be looked for one by one.
    last: Option<(PathBuf, bool)>,
    /// Places that have been reported. Each is reported only once, even if it affects many files.
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

    /// The outcome for an entry whose file goes to this path.
    fn outcome(&mut self, plan: &mut ArchivePlan<'_>, number: usize, path: &Path) -> Outcome {
        let claims = plan.files.get(number).map(|file| file.entry.check_claims());
        if let Some(Err(error)) = claims {
            plan.add(number, Finding::from(error));
            return Outcome::Failed;
        }
        let path = self.base.join(path);
        match self.look(&path) {
            Ok(found) => self.decide(plan, &path, found),
            Err(error) => self.failed(plan, number, error),
        }
    }

    fn decide(&mut self, plan: &mut ArchivePlan<'_>, path: &Path, found: Occupant) -> Outcome {
        match self.root.decide(path, found) {
            Ok(Existed::Nothing) => Outcome::Written,
            Ok(Existed::Replaced) => Outcome::Replaced,
            Ok(Existed::Kept) => Outcome::Kept,
            Err(error) => {
                // What is about another place than the file's own is so for many files.
                let elsewhere = error.place.path.as_deref().map(Path::to_path_buf);
                if elsewhere.is_none_or(|place| self.reported.insert(place)) {
                    let place = self.root.root.path().join(path);
                    plan.refused.push(error.at_path(place));
                }
                Outcome::Failed
            }
        }
    }

    fn look(&mut self, path: &Path) -> Result<Occupant, CommitError> {
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
            return Ok(Occupant::Nothing);
        }
        root.look(path)
    }

    /// The outcome if a place cannot be examined. If this place is the root, all files have this outcome.
    fn failed(&mut self, plan: &mut ArchivePlan<'_>, number: usize, error: CommitError) -> Outcome {
        let error = Finding::from(error);
        let root = self.root.root.path();
        if error.place.path.as_deref() != Some(root) {
            plan.add(number, error);
        } else if self.reported.insert(root.to_path_buf()) {
            plan.refused.push(error);
        }
        Outcome::Failed
    }
}
