//! What is to become of each entry of one pak, found out before anything is written.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::names::{self, Aside, Named, Placed, Rules};
use super::{ExtractOptions, ExtractedFile, ExtractedPak, Only, Outcome};
use crate::error::{Error, ErrorKind};
use crate::ops::commit::{CommitError, FileId, Found, Kind, Root, Source, System};
use crate::ops::context::{Context, Existing, Problem};
use crate::ops::convert::targets;
use crate::ops::expansion;
use crate::ops::inputs::Input;
use crate::ops::open;
use crate::ops::select::Picked;
use crate::pak::{Archive, Entry};

/// What all paks are planned with.
pub(super) struct Planner<'a> {
    system: &'a System,
    context: &'a Context<'a>,
    options: &'a ExtractOptions,
    root: &'a Root,
    /// The inputs, however they are called: none is ever replaced.
    sources: HashMap<FileId, PathBuf>,
    /// The entries that are meant, where it is not all that the options pick.
    only: Option<&'a Only>,
}

/// What is to become of one pak.
#[derive(Debug)]
pub(super) struct PakPlan {
    pub(super) path: PathBuf,
    /// Where its files go, from the root.
    pub(super) base: PathBuf,
    pub(super) files: Vec<ExtractedFile>,
    /// What waits for the others, in the order in which it is written.
    pub(super) late: Vec<Late>,
    /// By the row in `files`, where it is about one.
    pub(super) problems: Vec<(Option<usize>, Problem)>,
    /// What needs the user's word.
    pub(super) refused: Vec<Error>,
    pub(super) mark: Mark,
    /// What to do about a file in reserve that exists.
    pub(super) existing: Existing,
}

/// A file that may turn out to be another one's.
#[derive(Debug)]
pub(super) struct Late {
    /// Its row.
    pub(super) row: usize,
    /// Where it goes then.
    pub(super) reserve: PathBuf,
}

/// By what a pak is known again when it is opened for the second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    file: FileId,
    len: u64,
    directory: u32,
}

impl Mark {
    pub(super) fn of(archive: &Archive<Source>, path: &Path) -> Result<Self, Error> {
        let file = archive.source().identify();
        Ok(Self {
            file: file.map_err(|error| Error::from_io(error).in_pak(path))?,
            len: archive.file_len(),
            directory: crc32fast::hash(archive.directory()),
        })
    }
}

impl PakPlan {
    /// The paths of its files, from its destination.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|file| file.path.as_deref())
    }

    pub(super) fn warn(&mut self, row: usize, kind: ErrorKind) {
        let problem = Problem::warning(Error::from(kind));
        self.tell(row, problem);
    }

    /// Adds what happened to a file, with its place.
    pub(super) fn tell(&mut self, row: usize, mut problem: Problem) {
        // What is about the output stands there already.
        if let (Some(file), None) = (self.files.get(row), problem.error.pak()) {
            let name = crate::pak::RawName::new(&file.name);
            problem.error = problem.error.in_entry(file.index, name).in_pak(&self.path);
        }
        self.problems.push((Some(row), problem));
    }

    pub(super) fn report(mut self, directory: Option<&Path>) -> ExtractedPak {
        self.problems.sort_by_key(|(row, _)| *row);
        ExtractedPak {
            destination: directory.unwrap_or(Path::new("")).join(&self.base),
            path: self.path,
            files: self.files,
            problems: self.problems.into_iter().map(|(_, p)| p).collect(),
        }
    }
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        system: &'a System,
        context: &'a Context<'a>,
        options: &'a ExtractOptions,
        root: &'a Root,
        paks: &'a [Input],
        only: Option<&'a Only>,
    ) -> Result<Self, Error> {
        let paths = paks.iter().map(|input| &input.path);
        let sources = targets::sources(system, paths, options.existing)?;
        Ok(Self {
            system,
            context,
            options,
            root,
            sources,
            only,
        })
    }

    /// Plans one pak, or says why nothing of it can be extracted.
    pub(super) fn plan(&self, input: &Input, base: &Path) -> Result<PakPlan, Error> {
        self.context.cancel.check()?;
        let archive = open::open_on(self.system, &input.path, self.context.layout)?;
        let mut plan = PakPlan {
            path: input.path.clone(),
            base: base.to_path_buf(),
            files: Vec::new(),
            late: Vec::new(),
            problems: Vec::new(),
            refused: Vec::new(),
            mark: Mark::of(&archive, &input.path)?,
            existing: self.options.existing,
        };
        let odd = open::oddities(&archive, &input.path).into_iter();
        plan.problems.extend(odd.map(|problem| (None, problem)));
        let mut picked = open::picked(&archive, &self.options.selection);
        if let Some(only) = self.only {
            let meant = only.get(&input.path).map_or(&[][..], Vec::as_slice);
            let numbers = picked.numbers();
            let both = numbers.filter(|number| meant.binary_search(number).is_ok());
            picked = Picked::Some(both.collect());
        }
        let rules = Rules {
            lowercase: self.options.lowercase,
            rescue: self.options.rescue,
        };
        let picked = Entries {
            archive: &archive,
            picked: &picked,
        };
        let places = names::resolve(&picked, rules);
        plan.files.reserve_exact(places.len());
        let mut looker = Looker::new(self, base);
        for (row, place) in places.into_iter().enumerate() {
            let Some((number, entry)) = picked.entry(row) else {
                continue;
            };
            let own = rules.own(entry.name());
            self.add(
                &mut plan,
                &mut looker,
                entry,
                own.map(|own| place.in_full(own, number)),
            );
        }
        // A file that may have to give way to a directory is tried when all directories are there.
        let ways: Vec<bool> = looker.may_be_directories;
        let mut late = core::mem::take(&mut plan.late);
        late.sort_by_key(|late| ways.get(late.row).copied());
        plan.late = late;
        self.check_expansion(&archive, &plan)?;
        Ok(plan)
    }

    fn add(
        &self,
        plan: &mut PakPlan,
        looker: &mut Looker<'_>,
        entry: Entry<'_, Source>,
        place: Result<Placed, crate::pak::PathError>,
    ) {
        let row = plan.files.len();
        let mut file = ExtractedFile {
            index: entry.index(),
            name: entry.name().as_bytes().to_vec(),
            path: None,
            aside: None,
            size: entry.size().into(),
            outcome: Outcome::Skipped,
        };
        looker.may_be_directories.push(false);
        let place = match place {
            Ok(place) => place,
            Err(why) => {
                plan.files.push(file);
                plan.tell(row, Problem::error(why.into()));
                return;
            }
        };
        let path = place.path.to_path_buf();
        file.path = Some(path.clone());
        file.aside = place.aside;
        plan.files.push(file);
        if let Some(last) = looker.may_be_directories.last_mut() {
            *last = place.may_be_directory;
        }
        let told = match (place.rescued, place.aside) {
            (Some(why), _) => Some(ErrorKind::Rescued { path, why }),
            (None, Some(why)) => Some(put_aside(path, why)),
            (None, None) => None,
        };
        if let Some(kind) = told {
            plan.warn(row, kind);
        }
        let outcome = match entry.check_claims() {
            Ok(()) => looker.outcome(plan, row, &place),
            Err(error) => {
                plan.tell(row, Problem::error(error));
                Outcome::Failed
            }
        };
        if let Some(file) = plan.files.get_mut(row) {
            file.outcome = outcome;
        }
    }

    fn check_expansion(&self, archive: &Archive<Source>, plan: &PakPlan) -> Result<(), Error> {
        let written =
            |file: &&ExtractedFile| matches!(file.outcome, Outcome::Written | Outcome::Replaced);
        let bytes = plan
            .files
            .iter()
            .filter(written)
            .map(|file| file.size)
            .sum();
        expansion::check(bytes, archive.file_len(), self.options.max_expansion)
            .map_err(|error| error.in_pak(&plan.path))
    }
}

/// The entries that are meant, by their rows.
struct Entries<'a> {
    archive: &'a Archive<Source>,
    picked: &'a Picked,
}

impl<'a> Entries<'a> {
    fn entry(&self, row: usize) -> Option<(u32, Entry<'a, Source>)> {
        let number = self.picked.number(row)?;
        Some((number, self.archive.entry(number as usize)?))
    }
}

impl Named for Entries<'_> {
    fn count(&self) -> usize {
        self.picked.len()
    }

    fn named(&self, row: usize) -> Option<(u32, crate::pak::RawName<'_>)> {
        let (number, entry) = self.entry(row)?;
        Some((number, entry.name()))
    }
}

/// A file that is not under its own name.
pub(super) fn put_aside(path: PathBuf, why: Aside) -> ErrorKind {
    ErrorKind::PutAside {
        path,
        why: why.words(),
    }
}

/// Looks at what stands where files would go.
struct Looker<'a> {
    planner: &'a Planner<'a>,
    base: &'a Path,
    /// The directory that was looked for last, and whether it is missing: its files are, then,
    /// and need not be asked for one by one.
    last: Option<(PathBuf, bool)>,
    /// The files that were found where late ones would go.
    late: HashSet<FileId>,
    /// What was found on the way to files, and is told once.
    blocked: HashSet<PathBuf>,
    /// For each row, whether another entry's directory may be its path.
    may_be_directories: Vec<bool>,
}

impl<'a> Looker<'a> {
    fn new(planner: &'a Planner<'a>, base: &'a Path) -> Self {
        Self {
            planner,
            base,
            last: None,
            late: HashSet::new(),
            blocked: HashSet::new(),
            may_be_directories: Vec::new(),
        }
    }

    /// What will become of a file that can be read.
    fn outcome(&mut self, plan: &mut PakPlan, row: usize, place: &Placed) -> Outcome {
        let path = place.path.to_path_buf();
        let mut found = match self.look(&path) {
            Ok(found) => found,
            Err(error) => return self.failed(plan, row, error),
        };
        let mut shown = path;
        if let Some(reserve) = &place.reserve {
            let reserve = reserve.to_path_buf();
            if self.is_folded(&found, place.may_be_directory) {
                found = match self.look(&reserve) {
                    Ok(found) => found,
                    Err(error) => return self.failed(plan, row, error),
                };
                plan.warn(row, put_aside(reserve.clone(), Aside::Folded));
                if let Some(file) = plan.files.get_mut(row) {
                    file.path = Some(reserve.clone());
                    file.aside = Some(Aside::Folded);
                }
                shown = reserve;
            } else if found == Found::Nothing {
                plan.late.push(Late { row, reserve });
            }
        }
        self.judge(plan, &shown, found)
    }

    /// Whether what a late file finds is what an earlier one has found, too: then the file system
    /// takes their names for one. Only an extraction before this one can have made it.
    fn is_folded(&mut self, found: &Found, may_be_directory: bool) -> bool {
        match found {
            Found::Taken {
                kind: Kind::Directory,
                ..
            } => may_be_directory,
            Found::Taken {
                kind: Kind::File,
                id: Some(id),
            } => !self.late.insert(*id),
            _ => false,
        }
    }

    fn judge(&mut self, plan: &mut PakPlan, path: &Path, found: Found) -> Outcome {
        let (planner, base) = (self.planner, self.base);
        let full = |path: &Path| planner.root.path().join(path);
        let here = || full(&base.join(path));
        let (kind, id) = match found {
            Found::Nothing => return Outcome::Written,
            Found::Taken { kind, id } => (kind, id),
            Found::Blocked { at, kind } => {
                let what = match kind {
                    Kind::Link => "a symbolic link, where a directory is needed,",
                    _ => "a file, where a directory is needed,",
                };
                let at = full(&at);
                if self.blocked.insert(at.clone()) {
                    refuse(plan, ErrorKind::Blocked { what }, at);
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
