//! The files, written as they were planned, from all threads and over all paks at once.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::names::Aside;
use super::plan::{Late, Mark, PakPlan, put_aside};
use super::{ExtractedFile, Outcome};
use crate::error::{Error, ErrorKind};
use crate::ops::commit::{CommitError, Draft, Found, Kind, Over, Root, Source, System};
use crate::ops::context::{Context, Existing, Problem, Work};
use crate::ops::open::{self, odd_stream};
use crate::ops::pool::Pool;
use crate::pak::{Archive, Entry, ReadAt, Sink, escape};

/// How many paks are open at once: enough for small ones to keep all threads busy, and few against
/// the limit on open files, which is 256 by default on one system.
const PAKS_MAX: usize = 16;

/// How much is decoded before it is written; times the threads, what writing takes of memory.
const BUFFER: usize = 64 << 10;

/// A stored file up to this size is read and written: two calls, as quick as one of the kernel's
/// copy, and they work from one file system to another.
const SMALL: u64 = BUFFER as u64;

/// How much the kernel copies before a stop can be heard.
const COPY: u64 = 8 << 20;

/// A file of this size is begun before the others, the longest first, so that no thread works
/// alone at the end; and room for it is reserved. All others keep their order, which is how a disk
/// likes to be read, and which goes directory by directory.
const LARGE: u64 = 1 << 20;

/// Writes all that is planned, and says what is not about one pak.
pub(super) fn write(
    system: &System,
    context: &Context<'_>,
    pool: &Pool,
    root: &Root,
    plans: &mut [PakPlan],
) -> Vec<Problem> {
    for plan in plans.iter() {
        let files = plan.files.iter().filter(|file| is_planned(file));
        let (entries, bytes) = files.fold((0, 0), |(n, sum), file| (n + 1, sum + file.size));
        context.observer.found(Work { entries, bytes });
    }
    let crew = Crew {
        system,
        context,
        pool,
        root,
    };
    for paks in plans.chunks_mut(PAKS_MAX) {
        crew.chunk(paks);
    }
    match context.cancel.check() {
        Ok(()) => Vec::new(),
        Err(error) => vec![Problem::error(error)],
    }
}

/// Whether a file is to be written.
const fn is_planned(file: &ExtractedFile) -> bool {
    matches!(file.outcome, Outcome::Written | Outcome::Replaced)
}

#[derive(Clone, Copy)]
struct Crew<'a> {
    system: &'a System,
    context: &'a Context<'a>,
    pool: &'a Pool,
    root: &'a Root,
}

/// One file to be written.
#[derive(Clone, Copy)]
struct Job<'a> {
    pak: usize,
    row: usize,
    archive: &'a Archive<Source>,
    plan: &'a PakPlan,
    file: &'a ExtractedFile,
    path: &'a Path,
}

/// How it went.
struct Done {
    pak: usize,
    row: usize,
    /// The path in reserve, if it went there.
    aside: Option<PathBuf>,
    result: Result<Outcome, Error>,
    warnings: Vec<Error>,
}

impl Crew<'_> {
    /// Writes the files of a few paks.
    fn chunk(self, plans: &mut [PakPlan]) {
        let archives: Vec<Option<Archive<Source>>> =
            plans.iter_mut().map(|plan| self.open(plan)).collect();
        let shown: Vec<String> = plans
            .iter()
            .map(|plan| escape(plan.path.as_os_str().as_encoded_bytes()).to_string())
            .collect();
        shown
            .iter()
            .for_each(|pak| self.context.observer.begin(pak));

        let buffer = || vec![0; BUFFER];
        let jobs = jobs(plans, &archives);
        let done = self
            .pool
            .map(&jobs, buffer, |buffer, job| self.early(buffer, *job));
        apply(plans, done);

        let late: Vec<usize> = (0..plans.len()).collect();
        let done = {
            let plans = &*plans;
            self.pool.map(&late, buffer, |buffer, pak| {
                let (plan, archive) = (plans.get(*pak), archives.get(*pak));
                match (plan, archive) {
                    (Some(plan), Some(Some(archive))) => self.late(buffer, *pak, plan, archive),
                    _ => Vec::new(),
                }
            })
        };
        apply(plans, done.into_iter().flatten());
        shown.iter().for_each(|pak| self.context.observer.end(pak));
    }

    /// Opens a pak again. They are not kept open since they were planned, because there can be
    /// more of them than files may be open.
    fn open(self, plan: &mut PakPlan) -> Option<Archive<Source>> {
        if !plan.files.iter().any(is_planned) {
            return None;
        }
        if self.context.cancel.is_set() {
            plan.end_all(Outcome::NotReached);
            return None;
        }
        let opened =
            open::open_on(self.system, &plan.path, self.context.layout).and_then(|archive| {
                if Mark::of(&archive, &plan.path)? == plan.mark {
                    Ok(archive)
                } else {
                    Err(Error::from(ErrorKind::AnotherPak).in_pak(&plan.path))
                }
            });
        match opened {
            Ok(archive) => Some(archive),
            Err(error) => {
                plan.problems.push((None, Problem::error(error)));
                plan.end_all(Outcome::Failed);
                None
            }
        }
    }

    fn early(self, buffer: &mut [u8], job: Job<'_>) -> Done {
        let over = match job.file.outcome {
            Outcome::Replaced => Over::Old,
            _ => Over::Nothing,
        };
        let mut warnings = Vec::new();
        let written = self.file(buffer, job, job.path, over, &mut warnings);
        Done {
            pak: job.pak,
            row: job.row,
            aside: None,
            result: written.map(|()| job.file.outcome),
            warnings,
        }
    }

    /// Writes those of a pak that may fall together, one after the other.
    fn late(
        self,
        buffer: &mut [u8],
        pak: usize,
        plan: &PakPlan,
        archive: &Archive<Source>,
    ) -> Vec<Done> {
        let done = |late: &Late| {
            let file = plan.files.get(late.row)?;
            let job = Job {
                pak,
                row: late.row,
                archive,
                plan,
                file,
                path: file.path.as_deref()?,
            };
            let (mut aside, mut warnings) = (None, Vec::new());
            let result = self.late_file(buffer, job, late, &mut aside, &mut warnings);
            Some(Done {
                pak,
                row: late.row,
                aside,
                result,
                warnings,
            })
        };
        plan.late.iter().filter_map(done).collect()
    }

    fn late_file(
        self,
        buffer: &mut [u8],
        job: Job<'_>,
        late: &Late,
        aside: &mut Option<PathBuf>,
        warnings: &mut Vec<Error>,
    ) -> Result<Outcome, Error> {
        self.context.cancel.check()?;
        // Nothing was here when this was planned: what is here now, this extraction has made.
        if self.root.look(&job.plan.base.join(job.path))? == Found::Nothing {
            self.file(buffer, job, job.path, Over::Nothing, warnings)?;
            return Ok(Outcome::Written);
        }
        *aside = Some(late.reserve.clone());
        let reserve = job.plan.base.join(&late.reserve);
        let (over, outcome) = match (self.root.look(&reserve)?, job.plan.existing) {
            (Found::Nothing, _) => (Over::Nothing, Outcome::Written),
            (found, _) if !is_file(&found) => {
                let what = "something other than a file";
                let error = Error::from(ErrorKind::Blocked { what });
                return Err(error.in_pak(self.root.path().join(reserve)));
            }
            (_, Existing::Refuse) => {
                let error = Error::from(ErrorKind::Exists);
                return Err(error.in_pak(self.root.path().join(reserve)));
            }
            (_, Existing::Keep) => return Ok(Outcome::Kept),
            (_, Existing::Replace) => (Over::Old, Outcome::Replaced),
        };
        self.file(buffer, job, &late.reserve, over, warnings)?;
        Ok(outcome)
    }

    /// Writes one file.
    fn file(
        self,
        buffer: &mut [u8],
        job: Job<'_>,
        path: &Path,
        over: Over,
        warnings: &mut Vec<Error>,
    ) -> Result<(), Error> {
        self.context.cancel.check()?;
        let entry = job
            .archive
            .entry(job.file.index)
            .ok_or(ErrorKind::AnotherPak)?;
        let draft = self.root.draft(&job.plan.base.join(path))?;
        if entry.is_compressed() {
            self.decode(buffer, entry, &draft, warnings)?;
        } else {
            self.copy(buffer, entry, &draft)?;
        }
        draft.commit(over)?;
        self.done(1, 0);
        Ok(())
    }

    fn decode(
        self,
        buffer: &mut [u8],
        entry: Entry<'_, Source>,
        draft: &Draft<'_>,
        warnings: &mut Vec<Error>,
    ) -> Result<(), Error> {
        let size = u64::from(entry.size());
        if size >= LARGE {
            draft
                .expect_len(size)
                .map_err(|error| failed(entry, error))?;
        }
        let mut reader = entry.decoded()?;
        let mut at = 0;
        loop {
            self.context.cancel.check()?;
            let mut filled = 0;
            while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
                match reader.read_some(room)? {
                    0 => break,
                    read => filled += read,
                }
            }
            let Some(bytes) = buffer.get(..filled).filter(|bytes| !bytes.is_empty()) else {
                break;
            };
            draft
                .write_at(bytes, at)
                .map_err(|error| failed(entry, error))?;
            at += filled as u64;
            self.done(0, filled as u64);
        }
        let odd = reader.warnings();
        warnings.extend(odd.map(|warning| odd_stream(&entry, warning)));
        Ok(())
    }

    fn copy(
        self,
        buffer: &mut [u8],
        entry: Entry<'_, Source>,
        draft: &Draft<'_>,
    ) -> Result<(), Error> {
        let Some(extent) = entry.extent() else {
            return Ok(());
        };
        if extent.len <= SMALL {
            let mut reader = entry.stored()?;
            let mut at = 0;
            while reader.left() > 0 {
                let read = reader.read_some(buffer)?;
                let bytes = buffer.get(..read).unwrap_or_default();
                draft
                    .write_at(bytes, at)
                    .map_err(|error| failed(entry, error))?;
                at += read as u64;
            }
            self.done(0, at);
            return Ok(());
        }
        let mut at = 0;
        while at < extent.len {
            self.context.cancel.check()?;
            let len = (extent.len - at).min(COPY);
            draft
                .copy_from(entry.archive().source(), extent.offset + at, len, at)
                .map_err(|error| failed(entry, error))?;
            at += len;
            self.done(0, len);
        }
        Ok(())
    }

    fn done(self, entries: u64, bytes: u64) {
        self.context.observer.done(Work { entries, bytes });
    }
}

impl PakPlan {
    /// Nothing of what is planned will be written.
    fn end_all(&mut self, outcome: Outcome) {
        for file in self.files.iter_mut().filter(|file| is_planned(file)) {
            file.outcome = outcome;
        }
    }
}

/// What is not late, the longest first.
fn jobs<'a>(plans: &'a [PakPlan], archives: &'a [Option<Archive<Source>>]) -> Vec<Job<'a>> {
    let mut jobs = Vec::new();
    for (pak, (plan, archive)) in plans.iter().zip(archives).enumerate() {
        let Some(archive) = archive else { continue };
        let late: HashSet<usize> = plan.late.iter().map(|late| late.row).collect();
        for (row, file) in plan.files.iter().enumerate() {
            if let Some(path) = &file.path
                && is_planned(file)
                && !late.contains(&row)
            {
                jobs.push(Job {
                    pak,
                    row,
                    archive,
                    plan,
                    file,
                    path,
                });
            }
        }
    }
    let large = |job: &Job<'_>| job.file.size.checked_sub(LARGE);
    jobs.sort_by_key(|job| core::cmp::Reverse(large(job)));
    jobs
}

/// Puts down how it went.
fn apply(plans: &mut [PakPlan], done: impl IntoIterator<Item = Done>) {
    for done in done {
        let (Some(plan), row) = (plans.get_mut(done.pak), done.row) else {
            continue;
        };
        if let Some(reserve) = done.aside {
            if let Some(file) = plan.files.get_mut(row) {
                file.path = Some(reserve.clone());
                file.aside = Some(Aside::Folded);
            }
            plan.warn(row, put_aside(reserve, Aside::Folded));
        }
        for warning in done.warnings {
            plan.tell(row, Problem::warning(warning));
        }
        let outcome = match done.result {
            Ok(outcome) => outcome,
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted) => Outcome::NotReached,
            Err(error) => {
                plan.tell(row, Problem::error(error));
                Outcome::Failed
            }
        };
        if let Some(file) = plan.files.get_mut(row) {
            file.outcome = outcome;
        }
    }
}

fn is_file(found: &Found) -> bool {
    matches!(
        found,
        Found::Taken {
            kind: Kind::File | Kind::Link,
            ..
        }
    )
}

/// What failed while bytes went from a pak to a file: one of the two.
fn failed(entry: Entry<'_, Source>, error: io::Error) -> Error {
    match CommitError::from_io(error) {
        Ok(error) => error.into(),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            let at = entry.archive().source().size().unwrap_or_default();
            Error::from(ErrorKind::CutWhileRead { at }).at(at)
        }
        Err(error) => Error::from_io(error),
    }
}
