//! What is to become of each entry of one pak, found out before anything is written.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::names::{Aside, Placed, Rules};
use super::rows::Rows;
use super::{ExtractOptions, ExtractedPak, Origin, Outcome, Task};
use crate::error::{Error, ErrorKind};
use crate::fs::{CommitError, FileId, Found, Kind, Root, Source, System};
use crate::ops::context::{Context, Existing, Problem};
use crate::ops::convert::targets;
use crate::ops::expansion;
use crate::ops::game::LooseFile;
use crate::ops::inputs::beside;
use crate::ops::meant::meant;
use crate::ops::open;
use crate::ops::select::{Picked, Selection};
use crate::pak::Archive;

/// What there is beside a name, taken for a path, and is called like it.
fn file_beside(name: &[u8]) -> Option<Vec<u8>> {
    let path = Path::new(core::str::from_utf8(name).ok()?);
    Some(beside(path)?.into_os_string().into_encoded_bytes())
}

/// What all paks are planned with.
pub(super) struct Planner<'a> {
    pub(super) system: &'a System,
    pub(super) context: &'a Context<'a>,
    pub(super) options: &'a ExtractOptions,
    pub(super) root: &'a Root,
    /// The inputs, however they are called: none is ever replaced.
    pub(super) sources: HashMap<FileId, PathBuf>,
}

/// What is to become of one pak, or of the loose files of a directory.
#[derive(Debug)]
pub(super) struct PakPlan {
    pub(super) path: PathBuf,
    /// Where its files go, from the root.
    pub(super) base: PathBuf,
    pub(super) rows: Rows,
    /// What was found that cannot be found again, by the row, where it is about one.
    pub(super) problems: Vec<(Option<usize>, Problem)>,
    /// What needs the user's word.
    pub(super) refused: Vec<Error>,
}

impl PakPlan {
    /// The paths of its files, from its destination.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let placed = (0..self.rows.len()).filter_map(|row| self.rows.placed(row)?.ok());
        placed.map(|placed| placed.path.to_path_buf())
    }

    /// An error for each name that was given and is that of no entry.
    pub(super) fn unmatched_names(&self, selection: &Selection) -> Vec<Error> {
        let error = |name: &[u8]| {
            let kind = ErrorKind::NeitherFileNorEntry {
                name: name.to_vec(),
                near: meant(name, self.rows.all_names()).or_else(|| file_beside(name)),
            };
            Error::from(kind).in_pak(&self.path)
        };
        selection.unmatched_names().map(error).collect()
    }

    /// Adds what happened to a file, with its place.
    pub(super) fn tell(&mut self, row: usize, mut problem: Problem) {
        // What is about the output stands there already.
        if problem.error.pak().is_none() {
            problem.error = self.rows.located(row, problem.error, &self.path);
        }
        self.problems.push((Some(row), problem));
    }

    pub(super) fn report(mut self, directory: Option<&Path>) -> ExtractedPak {
        self.problems.sort_by_key(|(row, _)| *row);
        ExtractedPak {
            destination: directory.unwrap_or(Path::new("")).join(&self.base),
            path: self.path,
            is_loose: self.rows.is_loose(),
            rows: self.rows,
            problems: self.problems,
        }
    }
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        system: &'a System,
        context: &'a Context<'a>,
        options: &'a ExtractOptions,
        root: &'a Root,
        sources: &[PathBuf],
    ) -> Result<Self, Error> {
        let sources = targets::sources(system, sources.iter(), options.existing)?;
        Ok(Self {
            system,
            context,
            options,
            root,
            sources,
        })
    }

    /// Plans one pak, or says why nothing of it can be extracted.
    pub(super) fn plan(&self, task: &Task<'_>) -> Result<PakPlan, Error> {
        self.context.cancel.check()?;
        let (path, problems, rows) = match &task.from {
            Origin::Pak(path) => {
                let archive = open::open_on(self.system, path, self.context.open)?;
                let odd = open::oddities(&archive, path);
                let picked = open::picked(&archive, &self.options.selection);
                (path, odd, self.rows(archive, picked, &task.aside))
            }
            Origin::Served(pak, numbers) => {
                let archive = pak.reopen(self.system)?;
                let mut odd = open::oddities(&archive, &pak.path);
                // The others were told when it was looked at.
                odd.retain(|problem| !problem.is_error());
                let picked = Picked::Some(numbers.clone());
                (&pak.path, odd, self.rows(archive, picked, &task.aside))
            }
            Origin::Loose(folder, files) => {
                (folder, Vec::new(), Ok(self.loose(files, &task.aside)))
            }
        };
        let base = &task.to.base;
        let problems = problems.into_iter().chain(task.to.warning(path));
        let mut plan = PakPlan {
            path: path.clone(),
            base: base.clone(),
            rows: rows.map_err(|error| error.in_pak(path))?,
            problems: problems.map(|problem| (None, problem)).collect(),
            refused: Vec::new(),
        };
        let mut looker = Looker::new(self, base);
        for row in 0..plan.rows.len() {
            let outcome = match plan.rows.placed(row) {
                Some(Ok(placed)) => match plan.rows.check_claims(row) {
                    Ok(()) => looker.outcome(&mut plan, row, &placed),
                    Err(_) => Outcome::Failed,
                },
                _ => Outcome::Skipped,
            };
            plan.rows.end(row, outcome);
        }
        self.check_expansion(&plan)?;
        Ok(plan)
    }

    fn rows(
        &self,
        archive: Archive<Source>,
        picked: Picked,
        aside: &[(usize, Aside)],
    ) -> Result<Rows, Error> {
        Rows::of_pak(archive, picked, self.rules(), aside)
    }

    fn loose(&self, files: &[LooseFile], aside: &[(usize, Aside)]) -> Rows {
        Rows::of_files(files, self.rules(), aside)
    }

    const fn rules(&self) -> Rules {
        Rules {
            lowercase: self.options.lowercase,
            rescue: self.options.rescue,
        }
    }

    fn check_expansion(&self, plan: &PakPlan) -> Result<(), Error> {
        let rows = &plan.rows;
        let Some(len) = rows.pak_len() else {
            return Ok(());
        };
        let bytes = rows.planned().map(|row| rows.size(row)).sum();
        expansion::check(bytes, len, self.options.max_expansion)
            .map_err(|error| error.in_pak(&plan.path))
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
    planner: &'a Planner<'a>,
    base: &'a Path,
    /// The directory that was looked for last, and whether it is missing: its files are, then,
    /// and need not be asked for one by one.
    last: Option<(PathBuf, bool)>,
    /// The files that were found where late ones would go, and the first path to each.
    late: HashMap<FileId, PathBuf>,
    names: Spellings,
    /// What was found on the way to files, and is told once.
    blocked: HashSet<PathBuf>,
}

impl<'a> Looker<'a> {
    fn new(planner: &'a Planner<'a>, base: &'a Path) -> Self {
        Self {
            planner,
            base,
            last: None,
            late: HashMap::new(),
            names: Spellings::default(),
            blocked: HashSet::new(),
        }
    }

    /// What will become of a file that can be read.
    fn outcome(&mut self, plan: &mut PakPlan, row: usize, place: &Placed) -> Outcome {
        let path = place.path.to_path_buf();
        let mut found = match self.look(&path) {
            Ok(found) => found,
            Err(error) => return self.failed(plan, row, error),
        };
        let mut shown = path.clone();
        if let Some(reserve) = &place.reserve {
            let reserve = reserve.to_path_buf();
            let folded = match self.is_folded(&path, &found, place.may_be_directory) {
                Ok(folded) => folded,
                Err(error) => return self.failed(plan, row, error),
            };
            if folded {
                found = match self.look(&reserve) {
                    Ok(found) => found,
                    Err(error) => return self.failed(plan, row, error),
                };
                plan.rows.fold(row);
                shown = reserve;
            } else if found != Found::Nothing {
                plan.rows.need_not_wait(row);
            }
        }
        self.judge(plan, &shown, found)
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
        let (root, full) = (self.planner.root, self.base.join(path));
        match found {
            Found::Taken {
                kind: Kind::Directory,
                ..
            } if may_be_directory => Ok(!self.names.are_there(root, &full)?),
            Found::Taken {
                kind: Kind::File | Kind::Link,
                own: Some(id),
                ..
            } => match self.late.get(id) {
                Some(first) => {
                    let first = self.names.are_there(root, first)?;
                    Ok(!(first && self.names.are_there(root, &full)?))
                }
                None => {
                    self.late.insert(*id, full);
                    Ok(false)
                }
            },
            _ => Ok(false),
        }
    }

    fn judge(&mut self, plan: &mut PakPlan, path: &Path, found: Found) -> Outcome {
        let (planner, base) = (self.planner, self.base);
        let full = |path: &Path| planner.root.path().join(path);
        let here = || full(&base.join(path));
        let (kind, id) = match found {
            Found::Nothing => return Outcome::Written,
            Found::Taken { kind, id, .. } => (kind, id),
            Found::Blocked { at, kind } => {
                let what = match kind {
                    Kind::Link => "a symbolic link",
                    _ => "a file",
                };
                let at = full(&at);
                if self.blocked.insert(at.clone()) {
                    refuse(plan, ErrorKind::NoDirectoryHere { what }, at);
                }
                return Outcome::Failed;
            }
        };
        if let Some(input) = id.and_then(|id| self.planner.sources.get(&id)) {
            let input = input.clone();
            refuse(plan, ErrorKind::OutputIsInput { input }, here());
            return Outcome::Failed;
        }
        let what = match kind {
            Kind::Directory => Some("a directory"),
            Kind::Other => Some("a pipe or a device"),
            Kind::File | Kind::Link => None,
        };
        if let Some(what) = what {
            refuse(plan, ErrorKind::Blocked { what }, here());
            return Outcome::Failed;
        }
        match self.planner.options.existing {
            Existing::Refuse => {
                refuse(plan, ErrorKind::Exists, here());
                Outcome::Failed
            }
            Existing::Replace => Outcome::Replaced,
            Existing::Keep => Outcome::Kept,
        }
    }

    fn look(&mut self, path: &Path) -> Result<Found, CommitError> {
        let path = self.base.join(path);
        let parent = path.parent().unwrap_or(Path::new(""));
        let root = self.planner.root;
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
            root.look(&path)
        }
    }

    /// A place that cannot be looked at. If that is the root, it is so for all of them.
    fn failed(&self, plan: &mut PakPlan, row: usize, error: CommitError) -> Outcome {
        let error = Error::from(error);
        if error.pak() == Some(self.planner.root.path()) {
            let told = plan.refused.iter().any(|e| e.pak() == error.pak());
            if !told {
                plan.refused.push(error);
            }
        } else {
            plan.tell(row, Problem::error(error));
        }
        Outcome::Failed
    }
}

/// Asks for the user's word about a place.
fn refuse(plan: &mut PakPlan, kind: ErrorKind, place: PathBuf) {
    plan.refused.push(Error::from(kind).in_pak(place));
}
