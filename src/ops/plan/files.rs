//! Decides which file each entry of an archive becomes, and what happens to existing files.
//!
//! Every path is decided before the first file is written. If an archive cannot be planned, the others are still
//! extracted. Everything that needs the user's decision is collected, and then nothing is written: files that
//! exist, places where a file cannot be, and archives that would write to each other's files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::Destination;
use super::paths::{self, FilePath, Folder, IndexedName, PathRules};
use super::policy::{Claimed, Fate, Guard};
use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Entry, PathError, RawName, quoted_path};
use crate::fs::{CommitError, Occupant};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::expansion::Limit;
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
    pub(in crate::ops) guard: Guard,
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
    /// What happens at this path. `None` if nothing can be written there.
    pub(in crate::ops) fate: Option<Fate>,
    /// What was done, if the file was to be written and this is no dry run.
    pub(in crate::ops) done: Option<Done>,
    /// Whether it becomes a PNG file.
    pub(in crate::ops) is_png: bool,
    /// Findings about it.
    pub(in crate::ops) findings: Vec<Finding>,
}

/// What was done about a file.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) struct Done {
    pub(in crate::ops) outcome: Outcome,
    /// Whether the file took the place of another one, or would.
    pub(in crate::ops) replaces: bool,
    /// The size of the file if it was written, or else of the entry, decompressed.
    pub(in crate::ops) size: u64,
}

impl FilePlan<'_> {
    /// Whether a file is to be written.
    pub(in crate::ops) fn is_written(&self) -> bool {
        self.fate.is_some_and(Fate::is_written)
    }

    /// What was done, or in a dry run what would be done.
    pub(in crate::ops) fn done(&self) -> Done {
        if let Some(done) = self.done {
            return done;
        }
        let outcome = match self.fate {
            Some(Fate::New | Fate::Replace) => Outcome::Planned,
            Some(Fate::Keep) => Outcome::Kept,
            None if self.path.is_none() => Outcome::Skipped,
            None => Outcome::Failed,
        };
        self.ended(outcome)
    }

    /// The outcome if nothing was written.
    pub(in crate::ops) fn ended(&self, outcome: Outcome) -> Done {
        let is_planned = outcome == Outcome::Planned;
        Done {
            outcome,
            replaces: is_planned && self.fate == Some(Fate::Replace),
            size: self.entry.size(),
        }
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

    /// Decides what happens to a file that goes to this place.
    fn decide(
        &mut self,
        number: usize,
        placed: &FilePath,
        rules: PathRules,
        looker: &mut Looker<'_>,
    ) {
        if let Some(warning) = remark(placed, rules) {
            self.add(number, warning);
        }
        let fate = looker.fate(self, number, &placed.path.to_path_buf());
        if let Some(file) = self.files.get_mut(number) {
            file.fate = fate;
        }
        let is_hidden = RawName::new(placed.path.as_bytes()).is_hidden();
        if is_hidden && fate.is_some_and(Fate::is_written) {
            let why = "this is the name of a hidden or backup file";
            let warning = Finding::warning(why)
                .many("files have the names of hidden or backup files")
                .advice("look at what these files do before you use them");
            self.add(number, warning);
        }
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
            file.done = Some(file.ended(outcome));
        }
    }

    /// Whether files are to be written that nothing has been done about.
    pub(in crate::ops) fn has_work(&self) -> bool {
        let mut files = self.files.iter();
        files.any(|file| file.is_written() && file.done.is_none())
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
        directory: &Path,
        existing: Existing,
        max_expansion: Option<u64>,
    ) -> Result<ExtractPlan<'_>, Refusal> {
        let destination = Destination::Directory(directory.to_path_buf());
        let guard = Guard::new(&context.system, &destination, existing, &self.sources)?;
        let planned = self.plan_all(context, &guard);
        context.cancel.check()?;

        let (mut archives, mut failed) = (Vec::new(), Vec::new());
        let (mut refused, mut sums) = (Vec::new(), HashMap::new());
        for (task, plan) in self.tasks.iter().zip(planned) {
            let checked = plan.and_then(|plan| {
                check_expansion(&plan, max_expansion, &mut sums)?;
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
            Ok(ExtractPlan {
                guard,
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
        guard: &Guard,
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
        findings.extend(self.folder.warning(self.path()));
        let mut plan = ArchivePlan {
            task: self,
            files: Vec::with_capacity(self.entries.len()),
            findings,
            refused: Vec::new(),
        };
        let mut looker = Looker::new(guard, &self.folder.base);
        for (number, (entry, placed)) in self.entries.iter().zip(placed).enumerate() {
            let mut file = FilePlan {
                entry: *entry,
                path: None,
                aside: None,
                fate: None,
                done: None,
                is_png: rules.is_png(entry.name()),
                findings: Vec::new(),
            };
            match placed {
                Ok(placed) => {
                    (file.path, file.aside) = (Some(placed.path.to_path_buf()), placed.aside);
                    plan.files.push(file);
                    plan.decide(number, &placed, rules, &mut looker);
                }
                Err(why) => {
                    plan.files.push(file);
                    plan.add(number, Finding::from(ErrorKind::Path(why)));
                }
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
    max_expansion: Option<u64>,
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
    let checked = Limit::of(archive).check(all, max_expansion);
    checked.map_err(|error| error.at_path(plan.task.path()))?;
    sums.insert(file, all);
    Ok(())
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
        let place = guard.root.path().join(base);
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
    guard: &'a Guard,
    base: &'a Path,
    /// The last directory that was looked for, and whether it is missing. Then its files are missing, too, and need
    /// not be looked for one by one.
    last: Option<(PathBuf, bool)>,
    /// Places that have been reported. Each is reported only once, even if it affects many files.
    reported: HashSet<PathBuf>,
}

impl<'a> Looker<'a> {
    fn new(guard: &'a Guard, base: &'a Path) -> Self {
        Self {
            guard,
            base,
            last: None,
            reported: HashSet::new(),
        }
    }

    /// What happens to an entry whose file goes to this path. `None` if nothing can be written.
    fn fate(&mut self, plan: &mut ArchivePlan<'_>, number: usize, path: &Path) -> Option<Fate> {
        let claims = plan.files.get(number)?.entry.check_claims();
        if let Err(error) = claims {
            plan.add(number, Finding::from(error));
            return None;
        }
        let path = self.base.join(path);
        match self.look(&path) {
            Ok(found) => self.decide(plan, &path, found),
            Err(error) => {
                self.failed(plan, number, error);
                None
            }
        }
    }

    fn decide(&mut self, plan: &mut ArchivePlan<'_>, path: &Path, found: Occupant) -> Option<Fate> {
        let error = match self.guard.decide_about(path, found) {
            Ok(fate) => return Some(fate),
            Err(error) => error,
        };
        // What is about another place than the file's own is so for many files.
        let elsewhere = error.place.path.as_deref().map(Path::to_path_buf);
        if elsewhere.is_none_or(|place| self.reported.insert(place)) {
            let place = self.guard.root.path().join(path);
            plan.refused.push(error.at_path(place));
        }
        None
    }

    fn look(&mut self, path: &Path) -> Result<Occupant, CommitError> {
        let root = &self.guard.root;
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

    /// Reports that a place cannot be examined. If this place is the root, that is so for all files.
    fn failed(&mut self, plan: &mut ArchivePlan<'_>, number: usize, error: CommitError) {
        let error = Finding::from(error);
        let root = self.guard.root.path();
        if error.place.path.as_deref() != Some(root) {
            plan.add(number, error);
        } else if self.reported.insert(root.to_path_buf()) {
            plan.refused.push(error);
        }
    }
}
