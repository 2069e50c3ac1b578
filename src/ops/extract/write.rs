//! The files, written as they were planned, from all threads and over all paks at once.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

use super::Outcome;
use super::names::Placed;
use super::plan::{PakPlan, Planner, Spellings};
use super::rows::{Held, Item};
use crate::error::{Error, ErrorKind};
use crate::fs::{Closed, CommitError, Draft, FileId, Found, Kind, Over, Root, System};
use crate::ops::context::{Context, Problem, Work};
use crate::ops::convert::targets::{self, Way};
use crate::ops::game::LooseFile;
use crate::ops::open::odd_stream;
use crate::ops::pool::Pool;
use crate::pak::{Entry, ReadAt, SafePath, Sink, escape};

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

/// How many files are written before what became of them is put down: what comes with each of them
/// until then takes no memory for every entry. Threads wait for each other between two rounds.
const ROUND: usize = 1 << 14;

/// For how many rows of a pak what their streams have is kept: more than any honest pak has.
const FEW: usize = 4096;

/// Writes all that is planned, and says what is not about one pak.
pub(super) fn write(planner: &Planner<'_>, pool: &Pool, plans: &mut [PakPlan]) -> Vec<Problem> {
    let context = planner.context;
    for rows in plans.iter().map(|plan| &plan.rows) {
        let planned = rows.planned().map(|row| rows.size(row));
        let (entries, bytes) = planned.fold((0, 0), |(n, sum), size| (n + 1, sum + size));
        context.observer.found(Work { entries, bytes });
    }
    let crew = Crew {
        system: planner.system,
        context,
        pool,
        root: planner.root,
        planner,
    };
    for paks in plans.chunks_mut(PAKS_MAX) {
        crew.chunk(paks);
    }
    match context.cancel.check() {
        Ok(()) => Vec::new(),
        Err(error) => vec![Problem::error(error)],
    }
}

#[derive(Clone, Copy)]
struct Crew<'a> {
    system: &'a System,
    context: &'a Context<'a>,
    pool: &'a Pool,
    root: &'a Root,
    planner: &'a Planner<'a>,
}

/// The late files of one pak that are made: what is found under another name and is one of these,
/// the file system takes for it.
#[derive(Default)]
struct Made(Mutex<HashSet<FileId>>);

impl Made {
    /// One thread at a time does all of a pak.
    fn lock(&self) -> Option<MutexGuard<'_, HashSet<FileId>>> {
        self.0.lock().ok()
    }
}

/// One file to be written: eight bytes, because a hostile pak has millions.
#[derive(Debug, Clone, Copy)]
struct Job {
    pak: u32,
    row: u32,
}

/// How it went.
struct Done {
    job: Job,
    /// Whether it went to its path in reserve.
    folded: bool,
    result: Result<Outcome, Error>,
    warnings: Vec<Error>,
}

impl Crew<'_> {
    /// Writes the files of a few paks.
    fn chunk(self, plans: &mut [PakPlan]) {
        plans.iter_mut().for_each(|plan| self.open(plan));
        let shown: Vec<String> = plans
            .iter()
            .map(|plan| escape(plan.path.as_os_str().as_encoded_bytes()).to_string())
            .collect();
        shown
            .iter()
            .for_each(|pak| self.context.observer.begin(pak));

        let buffer = || vec![0; BUFFER];
        let mut kept = vec![0; plans.len()];
        for jobs in jobs(plans).chunks(ROUND) {
            let done = self.pool.map(jobs, buffer, |buffer, job| {
                let plan = plans.get(job.pak as usize);
                plan.map(|plan| self.early(buffer, *job, plan))
            });
            apply(plans, &mut kept, done.into_iter().flatten());
        }
        let late = (0..).zip(&*plans).map(|(n, plan)| late(n, plan));
        let late: Vec<(Vec<Job>, Made)> = late.map(|late| (late, Made::default())).collect();
        let rounds = late
            .iter()
            .map(|(late, _)| late.len().div_ceil(ROUND))
            .max();
        for round in 0..rounds.unwrap_or_default() {
            let done = self.pool.map(&late, buffer, |buffer, (late, made)| {
                let some = late.iter().skip(round * ROUND).take(ROUND);
                let done = some.filter_map(|job| {
                    let plan = plans.get(job.pak as usize)?;
                    Some(self.late(buffer, *job, plan, made))
                });
                done.collect::<Vec<_>>()
            });
            apply(plans, &mut kept, done.into_iter().flatten());
        }
        for plan in &mut *plans {
            let reserved = plan.rows.reserved(&plan.path);
            plan.problems.extend(reserved.map(|it| (None, it)));
            plan.rows.close();
        }
        shown.iter().for_each(|pak| self.context.observer.end(pak));
    }

    /// Opens a pak again, if anything of it is to be written.
    fn open(self, plan: &mut PakPlan) {
        if plan.rows.planned().next().is_none() {
            return;
        }
        if self.context.cancel.is_set() {
            plan.rows.end_all(Outcome::NotReached);
            return;
        }
        if let Err(error) = plan.rows.open(self.system, &plan.path) {
            let error = error.in_pak(&plan.path);
            plan.problems.push((None, Problem::error(error)));
            plan.rows.end_all(Outcome::Failed);
        }
    }

    fn early(self, buffer: &mut [u8], job: Job, plan: &PakPlan) -> Done {
        let way = match plan.rows.outcome(job.row as usize) {
            Outcome::Replaced => Way::Replaces,
            _ => Way::New,
        };
        let mut warnings = Vec::new();
        let result = placed(plan, job)
            .and_then(|placed| self.file(buffer, job, plan, &placed.path, way, &mut warnings));
        Done {
            job,
            folded: false,
            result,
            warnings,
        }
    }

    fn late(self, buffer: &mut [u8], job: Job, plan: &PakPlan, made: &Made) -> Done {
        let (mut folded, mut warnings) = (false, Vec::new());
        let result = self.late_file(buffer, job, plan, made, &mut folded, &mut warnings);
        Done {
            job,
            folded,
            result,
            warnings,
        }
    }

    fn late_file(
        self,
        buffer: &mut [u8],
        job: Job,
        plan: &PakPlan,
        made: &Made,
        folded: &mut bool,
        warnings: &mut Vec<Error>,
    ) -> Result<Outcome, Error> {
        self.context.cancel.check()?;
        let placed = placed(plan, job)?;
        let in_place = plan.base.join(placed.path.to_path_buf());
        // Nothing was here when this was planned: this extraction has made what is here now, or
        // somebody else has.
        *folded = match self.root.look(&in_place)? {
            Found::Taken {
                kind: Kind::Directory,
                ..
            } if placed.may_be_directory => {
                !Spellings::default().are_there(self.root, &in_place)?
            }
            Found::Taken { id: Some(id), .. } => made.lock().is_some_and(|made| made.contains(&id)),
            _ => false,
        };
        let path = match &placed.reserve {
            Some(reserve) if *folded => reserve,
            _ => &placed.path,
        };
        let outcome = self.file(buffer, job, plan, path, Way::New, warnings)?;
        if !*folded
            && let Found::Taken { id: Some(id), .. } = self.root.look(&in_place)?
            && let Some(mut made) = made.lock()
        {
            made.insert(id);
        }
        Ok(outcome)
    }

    /// Writes one file.
    fn file(
        self,
        buffer: &mut [u8],
        job: Job,
        plan: &PakPlan,
        path: &SafePath,
        way: Way,
        warnings: &mut Vec<Error>,
    ) -> Result<Outcome, Error> {
        self.context.cancel.check()?;
        let item = plan.rows.item(job.row as usize);
        let item = item.ok_or(ErrorKind::AnotherPak)?;
        let path = plan.base.join(path.to_path_buf());
        let draft = self.root.draft(&path)?;
        match item {
            Item::Entry(entry) if entry.is_compressed() => {
                self.decode(buffer, entry, &draft, warnings)?;
            }
            Item::Entry(entry) => self.copy(buffer, entry, &draft)?,
            Item::File(file) => self.copy_file(file, &draft)?,
        }
        let (over, outcome) = match way {
            Way::Replaces => (Over::Old, Outcome::Replaced),
            _ => (Over::Nothing, Outcome::Written),
        };
        let outcome = match draft.close(over)?.commit()? {
            None => outcome,
            Some(draft) => self.over_what_appeared(draft, &path)?,
        };
        self.done(1, 0);
        Ok(outcome)
    }

    /// Treats what has appeared where a file was to go as if it had been there before.
    fn over_what_appeared(self, draft: Closed<'_>, path: &Path) -> Result<Outcome, Error> {
        let place = |error: Error| error.in_pak(self.root.path().join(path));
        let (sources, existing) = (&self.planner.sources, self.planner.options.existing);
        match targets::meet(self.root, path, sources, existing).map_err(place)? {
            Way::Kept => Ok(Outcome::Kept),
            Way::Replaces => {
                draft.replace()?;
                Ok(Outcome::Replaced)
            }
            // It has gone again.
            Way::New => match draft.commit()? {
                None => Ok(Outcome::Written),
                Some(_) => Err(place(ErrorKind::Exists.into())),
            },
        }
    }

    fn decode(
        self,
        buffer: &mut [u8],
        entry: Entry<'_, Held>,
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
        entry: Entry<'_, Held>,
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

    fn copy_file(self, file: &LooseFile, draft: &Draft<'_>) -> Result<(), Error> {
        let file = file.to_pack(self.system);
        let source = file.open()?;
        let mut at = 0;
        while at < file.len {
            self.context.cancel.check()?;
            let len = (file.len - at).min(COPY);
            let copied = draft.copy_from(&source, at, len, at);
            copied.map_err(|error| match CommitError::from_io(error) {
                Ok(error) => error.into(),
                Err(error) => {
                    let changed = file.unchanged(&source).err();
                    changed.unwrap_or_else(|| Error::from_io(error).in_pak(&file.path))
                }
            })?;
            at += len;
            self.done(0, len);
        }
        file.unchanged(&source)
    }

    fn done(self, entries: u64, bytes: u64) {
        self.context.observer.done(Work { entries, bytes });
    }
}

fn placed(plan: &PakPlan, job: Job) -> Result<Placed, Error> {
    let placed = plan.rows.placed(job.row as usize).and_then(Result::ok);
    placed.ok_or_else(|| ErrorKind::AnotherPak.into())
}

/// What is not late: the large ones, the longest first, then the others as they stand.
fn jobs(plans: &[PakPlan]) -> Vec<Job> {
    let (mut large, mut jobs) = (Vec::new(), Vec::new());
    for (pak, plan) in (0..).zip(plans) {
        for row in plan.rows.planned() {
            let (Ok(number), false) = (u32::try_from(row), plan.rows.place(row).late) else {
                continue;
            };
            let job = Job { pak, row: number };
            match plan.rows.size(row) {
                size @ LARGE.. => large.push((size, job)),
                _ => jobs.push(job),
            }
        }
    }
    large.sort_by_key(|(size, _)| core::cmp::Reverse(*size));
    let large = large.into_iter().map(|(_, job)| job);
    large.chain(jobs).collect()
}

/// What is late. A file that may have to give way to a directory is tried when all directories
/// are there.
fn late(pak: u32, plan: &PakPlan) -> Vec<Job> {
    let rows = &plan.rows;
    let mut late = Vec::new();
    for may_be_directory in [false, true] {
        let meant = |row: &usize| {
            let place = rows.place(*row);
            place.late && place.may_be_directory == may_be_directory
        };
        let numbers = rows.planned().filter(meant);
        let numbers = numbers.filter_map(|row| u32::try_from(row).ok());
        late.extend(numbers.map(|row| Job { pak, row }));
    }
    late
}

/// Puts down how it went. `kept` is for how many rows of each pak what their streams have is kept.
fn apply(plans: &mut [PakPlan], kept: &mut [usize], done: impl IntoIterator<Item = Done>) {
    for done in done {
        let (pak, row) = (done.job.pak as usize, done.job.row as usize);
        let (Some(plan), Some(kept)) = (plans.get_mut(pak), kept.get_mut(pak)) else {
            continue;
        };
        if done.folded {
            plan.rows.fold(row);
        }
        let damaged = matches!(&done.result, Err(error) if is_damage(error));
        let again = *kept >= FEW;
        if damaged || !done.warnings.is_empty() {
            if again {
                plan.rows.find_again(row);
            } else {
                *kept += 1;
            }
        }
        for warning in done.warnings.into_iter().filter(|_| !again) {
            plan.tell(row, Problem::warning(warning));
        }
        let outcome = match done.result {
            Ok(outcome) => outcome,
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted) => Outcome::NotReached,
            Err(error) => {
                if !(damaged && again) {
                    plan.tell(row, Problem::error(error));
                }
                Outcome::Failed
            }
        };
        plan.rows.end(row, outcome);
    }
}

/// Whether decoding once more gives the same error.
fn is_damage(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Damaged(_) | ErrorKind::Unreadable(_)
    )
}

/// What failed while bytes went from a pak to a file: one of the two.
fn failed(entry: Entry<'_, Held>, error: io::Error) -> Error {
    match CommitError::from_io(error) {
        Ok(error) => error.into(),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            let at = entry.archive().source().size().unwrap_or_default();
            Error::from(ErrorKind::CutWhileRead { at }).at(at)
        }
        Err(error) => Error::from_io(error),
    }
}
