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
use crate::ops::context::{Context, Refusal};
use crate::ops::expansion::Expanded;
use crate::ops::finding::{self, Finding, same_output};
use crate::ops::plan::paths::{self, Aside, FilePath, IndexedName, PathRules};
use crate::ops::plan::policy::{Claimed, Guard, Undecided};
use crate::ops::row::{Fate, OutputStatus};
use crate::ops::source::directory::loose_file;

/// The plan for one archive, or for the loose files of a directory.
pub(crate) struct ArchivePlan<'a> {
    /// The number of the input.
    pub(crate) number: usize,
    pub(crate) archive: &'a Arc<Archive>,
    /// The directory that its files go into, relative to the root.
    pub(crate) folder: PathBuf,
    /// The entries whose files have no plan yet.
    entries: Vec<Entry<'a>>,
    pub(crate) files: Vec<FilePlan<'a>>,
    /// Whether it is a single file, or a directory of a game. A directory that the user named is an archive.
    pub(crate) is_loose: bool,
    /// Findings about the archive as a whole.
    pub(crate) findings: Vec<Finding>,
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

impl FilePlan<'_> {
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
    /// A plan in which no file has a path yet.
    pub(crate) fn new(
        (number, archive): (usize, &'a Arc<Archive>),
        entries: Vec<Entry<'a>>,
        folder: PathBuf,
        rules: PathRules,
    ) -> Self {
        let mut findings = finding::archive_notes(archive);
        if rules.served {
            // Errors were reported when the game was opened.
            findings.retain(|finding| !finding.is_error());
        }
        let is_file = entries.first().is_some_and(Entry::is_file);
        Self {
            number,
            archive,
            folder,
            is_loose: loose_file(archive).is_some() || is_file && rules.served,
            entries,
            files: Vec::new(),
            findings,
        }
    }

    /// The archive's file, or the directory.
    pub(crate) fn path(&self) -> &'a Path {
        self.archive.path().unwrap_or(Path::new(""))
    }

    /// The names of the entries, with their indices. Loose files have no index, so they are numbered.
    fn names(&self) -> Vec<IndexedName<'a>> {
        let mut names = Vec::with_capacity(self.entries.len());
        for (row, entry) in self.entries.iter().enumerate() {
            let number = if entry.is_file() { row } else { entry.index() };
            names.push((number, entry.name()));
        }
        names
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

    /// Gives the files these places, and returns what needs the user's decision.
    fn decide(
        &mut self,
        guard: &Guard,
        rules: PathRules,
        placed: impl Iterator<Item = Result<FilePath, PathError>>,
    ) -> Vec<Finding> {
        let mut refused = Vec::new();
        // Each place is reported only once, even if it affects many files.
        let mut reported = HashSet::new();
        self.files.reserve_exact(self.entries.len());
        for (entry, placed) in core::mem::take(&mut self.entries).into_iter().zip(placed) {
            let mut file = FilePlan {
                entry,
                relative: None,
                aside: None,
                is_png: rules.is_png(entry.name()),
                status: OutputStatus::Skipped,
                size: entry.size(),
                findings: Vec::new(),
            };
            match placed {
                Ok(placed) => {
                    if let Err(error) = file.decide(&self.folder, &placed, guard, rules)
                        && reported.insert(error.place.path.clone())
                    {
                        refused.push(error);
                    }
                }
                Err(why) => file.add(ErrorKind::Path(why).into()),
            }
            self.files.push(file);
        }
        refused
    }
}

/// Decides which files of these archives are written, and where. Archives that cannot be extracted are removed: returns
/// an error for each, with the number of its input.
///
/// # Errors
/// Everything that needs the user's word.
pub(crate) fn plan<'a>(
    context: &Context<'_>,
    guard: &Guard,
    rules: PathRules,
    max_expansion: Option<u64>,
    archives: &mut Vec<ArchivePlan<'a>>,
) -> Result<Vec<(usize, Finding)>, Refusal> {
    // Files that go into one directory get their paths together.
    let together = if rules.share_directory() { archives.len().max(1) } else { 1 };
    let groups: Vec<_> = archives.chunks_mut(together).collect();
    let decide = |(): &mut (), archives: &mut [ArchivePlan<'a>]| {
        let names: Vec<IndexedName<'_>> = archives.iter().flat_map(ArchivePlan::names).collect();
        let mut placed = paths::place(&names, rules).into_iter();
        let mut refused = Vec::with_capacity(archives.len());
        for archive in archives {
            let placed = placed.by_ref().take(archive.entries.len());
            refused.push(archive.decide(guard, rules, placed));
        }
        refused
    };
    let refused_of_each = context.pool.map_with(groups, || (), decide);
    context.cancel.check()?;

    let (mut failed, mut refused, mut expanded) = (Vec::new(), Vec::new(), Expanded::default());
    let refused_of_each = refused_of_each.into_iter().flatten();
    for (archive, refused_of_it) in core::mem::take(archives).into_iter().zip(refused_of_each) {
        let bytes = archive.sizes().fold(0, u64::saturating_add);
        if let Err(error) = expanded.add(archive.archive, bytes, max_expansion) {
            failed.push((archive.number, Finding::unread(archive.path(), error)));
            continue;
        }
        refused.extend(refused_of_it);
        archives.push(archive);
    }
    if !rules.share_directory() {
        refused.extend(collisions(guard, archives));
    }
    Refusal::if_any(refused)?;
    Ok(failed)
}

impl FilePlan<'_> {
    /// Decides what happens to a file that goes to this place.
    ///
    /// # Errors
    /// Why nothing may be written there.
    fn decide(
        &mut self,
        folder: &Path,
        placed: &FilePath,
        guard: &Guard,
        rules: PathRules,
    ) -> Result<(), Finding> {
        if let Some(warning) = remark(placed, rules) {
            self.add(warning);
        }
        let relative = folder.join(placed.path.to_path_buf());
        let decided = guard.decide(&relative);
        (self.relative, self.aside) = (Some(relative), placed.aside);
        self.status = OutputStatus::Failed;
        if let Err(error) = self.entry.check_claims() {
            self.add(error.into());
            return Ok(());
        }
        match decided {
            Ok(fate) => self.status = OutputStatus::Planned(fate),
            Err(Undecided::Refused(error)) => return Err(error),
            Err(Undecided::Unseen(error)) => self.add(error),
        }
        if self.to_write().is_some() && RawName::new(placed.path.as_bytes()).is_hidden() {
            let why = "this is the name of a hidden or backup file";
            let warning = Finding::warning(why)
                .many("files have the names of hidden or backup files")
                .advice("look at what these files do before you use them");
            self.add(warning);
        }
        Ok(())
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
    order.sort_by(|a, b| a.folder.cmp(&b.folder));
    let (mut errors, mut claimed) = (Vec::new(), Claimed::default());
    let mut outer: Option<&Path> = None;
    for (at, plan) in order.iter().enumerate() {
        let base = &*plan.folder;
        let is_inside = outer.is_some_and(|outer| base.starts_with(outer));
        let next = order.get(at + 1);
        if !is_inside {
            (outer, claimed) = (Some(base), Claimed::default());
            if next.is_none_or(|next| !next.folder.starts_with(base)) {
                continue;
            }
        }
        let before = at.checked_sub(1).and_then(|at| order.get(at));
        if let Some(other) = before.filter(|other| other.folder == base && !plan.is_loose) {
            errors.push(same_output(other.path()).at_path(guard.shown(base)));
            continue;
        }
        for relative in plan.files.iter().filter_map(|file| file.relative.as_deref()) {
            if let Err(error) = claimed.claim(relative, plan.path()) {
                errors.push(error.at_path(guard.shown(relative)));
                break;
            }
        }
    }
    errors
}
