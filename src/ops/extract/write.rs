//! The files, written as they were planned, from all threads and over all archives at once.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};

use super::plan::{PakPlan, Spellings};
use super::row::Row;
use crate::archive::{Entry, SafePath, Sink as _, escape_path};
use crate::error::{Error, ErrorKind};
use crate::fs::{CommitError, Draft, FileId, Found, Kind, Over};
use crate::ops::context::{Context, Problem, Work};
use crate::ops::open::{check_unchanged, odd_stream, reserved};
use crate::ops::pictures::Pictures;
use crate::ops::pool::Pool;
use crate::ops::write::Outcome;
use crate::ops::write::destination::{Existed, OutputRoot};

/// How many archives are open at once: enough for small ones to keep all threads busy, and few against
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

/// Writes all that is planned.
pub(super) fn write(
    context: &Context<'_>,
    root: &OutputRoot,
    pool: &Pool,
    pictures: Option<&Pictures>,
    plans: &mut [PakPlan<'_>],
) {
    for plan in &*plans {
        let sizes = plan.rows.iter().filter(|row| row.is_file());
        let sizes = sizes.map(|row| row.entry.size());
        let (entries, bytes) = sizes.fold((0, 0), |(n, sum), size| (n + 1, sum + size));
        context.observer.found(Work { entries, bytes });
    }
    let crew = FileCrew {
        context,
        root,
        pool,
        pictures,
    };
    for plans in plans.chunks_mut(PAKS_MAX) {
        crew.write(plans);
    }
}

/// Who writes files, and where.
#[derive(Clone, Copy)]
struct FileCrew<'a> {
    context: &'a Context<'a>,
    root: &'a OutputRoot,
    pool: &'a Pool,
    /// What makes PNG files of pictures.
    pictures: Option<&'a Pictures>,
}

/// The late files of one archive that are made: what is found under another name and is one of these,
/// the file system takes for it.
#[derive(Default)]
struct LateFiles(Mutex<HashSet<FileId>>);

impl LateFiles {
    /// One thread at a time does all of an archive.
    fn lock(&self) -> Option<MutexGuard<'_, HashSet<FileId>>> {
        self.0.lock().ok()
    }
}

/// One file to be written, by its archive and its row.
type Place = (usize, usize);

/// How it went.
struct Done {
    place: Place,
    /// Whether it went to its path in reserve.
    folded: bool,
    result: Result<Outcome, Error>,
    /// What is odd about it.
    problems: Vec<Problem>,
}

impl FileCrew<'_> {
    /// Writes the files of a few archives.
    fn write(self, plans: &mut [PakPlan<'_>]) {
        plans.iter_mut().for_each(|plan| self.open(plan));
        let name = |plan: &PakPlan<'_>| escape_path(plan.task.path()).to_string();
        let shown: Vec<String> = plans.iter().map(name).collect();
        shown.iter().for_each(|it| self.context.observer.begin(it));

        let buffer = || vec![0; BUFFER];
        let early = early(plans);
        let done = self.pool.map(&early, buffer, |buffer, place| {
            let row = row(plans, *place)?;
            Some(self.early(buffer, *place, plans.get(place.0)?, row))
        });
        apply(plans, done.into_iter().flatten());
        let late: Vec<Vec<Place>> = (0..).zip(&*plans).map(|(n, plan)| late(n, plan)).collect();
        let done = self.pool.map(&late, buffer, |buffer, late| {
            let made = LateFiles::default();
            let done = late.iter().filter_map(|place| {
                let row = row(plans, *place)?;
                Some(self.late(buffer, *place, plans.get(place.0)?, row, &made))
            });
            done.collect::<Vec<_>>()
        });
        apply(plans, done.into_iter().flatten());
        for plan in &mut *plans {
            let reserved = reserved(plan.task.archive).map(|problem| (None, problem));
            plan.problems.extend(reserved);
            if let Some(source) = plan.task.source {
                // It need not be closed where it is gone.
                let _ = source.close();
            }
        }
        shown.iter().for_each(|it| self.context.observer.end(it));
    }

    /// Opens an archive again, if anything of it is to be written.
    fn open(self, plan: &mut PakPlan<'_>) {
        if !plan.rows.iter().any(Row::is_file) {
            return;
        }
        if self.context.cancel.is_set() {
            plan.end_all(Outcome::Stopped);
            return;
        }
        if plan.task.source.is_some()
            && let Err(error) = check_unchanged(plan.task.archive)
        {
            plan.problems.push((None, Problem::error(error)));
            plan.end_all(Outcome::Failed);
        }
    }

    fn early(self, buffer: &mut [u8], place: Place, plan: &PakPlan<'_>, row: &Row<'_>) -> Done {
        let mut problems = Vec::new();
        let over = match row.outcome {
            Outcome::Replaced => Over::Old,
            _ => Over::Nothing,
        };
        let path = row.path(plan.rules).map_err(Error::from);
        let result = path.and_then(|path| self.file(buffer, plan, row, &path, over, &mut problems));
        Done {
            place,
            folded: false,
            result,
            problems,
        }
    }

    fn late(
        self,
        buffer: &mut [u8],
        place: Place,
        plan: &PakPlan<'_>,
        row: &Row<'_>,
        made: &LateFiles,
    ) -> Done {
        let (mut folded, mut problems) = (false, Vec::new());
        let result = self.late_file(buffer, plan, row, made, &mut folded, &mut problems);
        Done {
            place,
            folded,
            result,
            problems,
        }
    }

    fn late_file(
        self,
        buffer: &mut [u8],
        plan: &PakPlan<'_>,
        row: &Row<'_>,
        made: &LateFiles,
        folded: &mut bool,
        problems: &mut Vec<Problem>,
    ) -> Result<Outcome, Error> {
        self.context.cancel.check()?;
        let (root, path) = (&self.root.root, row.path(plan.rules)?);
        let in_place = plan.base().join(path.to_path_buf());
        // Nothing was here when this was planned: this extraction has made what is here now, or
        // somebody else has.
        *folded = match root.look(&in_place)? {
            Found::Taken {
                kind: Kind::Directory,
                ..
            } if row.may_be_directory() => !Spellings::default().are_there(root, &in_place)?,
            Found::Taken { id: Some(id), .. } => made.lock().is_some_and(|made| made.contains(&id)),
            _ => false,
        };
        let path = match *folded {
            true => row.placed?.reserve(row.named(), plan.rules)?,
            false => path,
        };
        let outcome = self.file(buffer, plan, row, &path, Over::Nothing, problems)?;
        if !*folded
            && let Found::Taken { id: Some(id), .. } = root.look(&in_place)?
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
        plan: &PakPlan<'_>,
        row: &Row<'_>,
        path: &SafePath,
        over: Over,
        problems: &mut Vec<Problem>,
    ) -> Result<Outcome, Error> {
        self.context.cancel.check()?;
        let path = plan.base().join(path.to_path_buf());
        let draft = self.root.root.draft(&path)?;
        let name = row.entry.name();
        if let Some(pictures) = self.pictures.filter(|_| plan.rules.is_png(name)) {
            self.draw(pictures, row.entry, &draft, problems)?;
        } else if !row.entry.is_plain() || row.entry.size() <= SMALL && !row.entry.is_file() {
            self.decode(buffer, row.entry, &draft, problems)?;
        } else {
            self.copy(row.entry, &draft)?;
        }
        let shown = self.root.root.path().join(&path);
        let existed = self.root.commit(draft.close(over)?, &path, &shown)?;
        self.done(1, 0);
        Ok(match (existed, over) {
            (Existed::Nothing, Over::Nothing) => Outcome::Written,
            (Existed::Nothing, Over::Old) | (Existed::Replaced, _) => Outcome::Replaced,
            (Existed::Kept, _) => Outcome::Kept,
        })
    }

    fn decode(
        self,
        buffer: &mut [u8],
        entry: Entry<'_>,
        draft: &Draft<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Error> {
        if entry.size() >= LARGE {
            draft.expect_len(entry.size()).map_err(output)?;
        }
        let mut reader = entry.reader()?;
        let mut at = 0;
        loop {
            self.context.cancel.check()?;
            let filled = reader.read_full(buffer)?;
            let Some(bytes) = buffer.get(..filled).filter(|bytes| !bytes.is_empty()) else {
                break;
            };
            draft.write_at(bytes, at).map_err(output)?;
            at += filled as u64;
            self.done(0, filled as u64);
            if at >= entry.size() && entry.is_plain() {
                break;
            }
        }
        let odd = reader.warnings();
        problems.extend(odd.map(|odd| Problem::warning(odd_stream(&entry, odd))));
        Ok(())
    }

    /// Writes a picture as PNG.
    fn draw(
        self,
        pictures: &Pictures,
        entry: Entry<'_>,
        draft: &Draft<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<(), Error> {
        let (picture, _share) = pictures.decode_within_memory(&entry)?;
        let file = picture.png().map_err(Error::from_io)?;
        draft.write_at(&file, 0).map_err(output)?;
        problems.extend(picture.remark(&entry));
        self.done(0, entry.size());
        Ok(())
    }

    /// Has the kernel copy a stored file.
    fn copy(self, entry: Entry<'_>, draft: &Draft<'_>) -> Result<(), Error> {
        let reader = entry.stored()?;
        let mut at = 0;
        while at < entry.size() {
            self.context.cancel.check()?;
            let (from, len) = (entry.offset() + at, (entry.size() - at).min(COPY));
            let copied = draft.copy_from(reader.source(), from, len, at);
            copied.map_err(|error| match CommitError::from_io(error) {
                Ok(error) => error.into(),
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    reader.cut(reader.source().size().unwrap_or(from))
                }
                Err(error) => reader.failed(error, from),
            })?;
            at += len;
            self.done(0, len);
        }
        reader.check_unchanged()
    }

    fn done(self, entries: u64, bytes: u64) {
        self.context.observer.done(Work { entries, bytes });
    }
}

/// A failure to write.
fn output(error: std::io::Error) -> Error {
    match CommitError::from_io(error) {
        Ok(error) => error.into(),
        Err(error) => Error::from_io(error),
    }
}

fn row<'p, 'a>(plans: &'p [PakPlan<'a>], place: Place) -> Option<&'p Row<'a>> {
    plans.get(place.0)?.rows.get(place.1)
}

/// What is not late: the large ones, the longest first, then the others as they stand.
fn early(plans: &[PakPlan<'_>]) -> Vec<Place> {
    let (mut large, mut early) = (Vec::new(), Vec::new());
    for (pak, plan) in plans.iter().enumerate() {
        let rows = plan.rows.iter().enumerate();
        for (number, row) in rows.filter(|(_, row)| row.is_file() && !row.is_late()) {
            match row.entry.size() {
                size @ LARGE.. => large.push((size, (pak, number))),
                _ => early.push((pak, number)),
            }
        }
    }
    large.sort_by_key(|(size, _)| core::cmp::Reverse(*size));
    let large = large.into_iter().map(|(_, place)| place);
    large.chain(early).collect()
}

/// What is late. A file that may have to give way to a directory is tried when all directories
/// are there.
fn late(pak: usize, plan: &PakPlan<'_>) -> Vec<Place> {
    let rows = plan.rows.iter().enumerate();
    let late = rows.filter(|(_, row)| row.is_file() && row.is_late());
    let (last, first): (Vec<_>, Vec<_>) = late.partition(|(_, row)| row.may_be_directory());
    let all = first.into_iter().chain(last);
    all.map(|(number, _)| (pak, number)).collect()
}

/// Puts down how it went.
fn apply(plans: &mut [PakPlan<'_>], done: impl IntoIterator<Item = Done>) {
    for done in done {
        let (pak, number) = done.place;
        let Some(plan) = plans.get_mut(pak) else {
            continue;
        };
        for problem in done.problems {
            plan.add(number, problem);
        }
        let outcome = match done.result {
            Ok(outcome) => outcome,
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted) => Outcome::Stopped,
            Err(error) => {
                plan.add(number, Problem::error(error));
                Outcome::Failed
            }
        };
        if let Some(row) = plan.rows.get_mut(number) {
            if done.folded {
                row.fold();
            }
            row.outcome = outcome;
        }
    }
}
