//! Writes the files as planned, with all threads, and several archives at the same time.

use crate::archive::{Entry, escape_path};
use crate::ops::context::Context;
use crate::ops::finding::{Finding, check_unchanged, internal, reserved_reading};
use crate::ops::pictures::Pictures;
use crate::ops::plan::files::{ArchivePlan, Done, FilePlan};
use crate::ops::plan::policy::{Fate, Guard};
use crate::ops::plan::run::{OpenOutput, Planned};
use crate::ops::row::Outcome;
use crate::ops::stream::{Failure, LARGE, PIECE, largest_first, write_content};

/// How many archives are worked on at once: enough for small ones to keep all threads busy.
const ARCHIVES_MAX: usize = 16;

/// Writes all that is planned.
pub(super) fn write(
    context: &Context<'_>,
    guard: &Guard,
    pictures: Option<&Pictures>,
    plans: &mut [ArchivePlan<'_>],
) {
    for plan in &*plans {
        let (entries, bytes) = plan
            .sizes()
            .fold((0, 0), |(n, sum), size| (n + 1, sum + size));
        context.found(entries, bytes);
    }
    let crew = FileCrew {
        context,
        guard,
        pictures,
    };
    for plans in plans.chunks_mut(ARCHIVES_MAX) {
        crew.write(plans);
    }
}

/// What the threads need to write files.
#[derive(Clone, Copy)]
struct FileCrew<'a> {
    context: &'a Context<'a>,
    guard: &'a Guard,
    /// Converts pictures to PNG.
    pictures: Option<&'a Pictures>,
}

/// One file to be written, by its archive and its row.
type FileIndex = (usize, usize);

/// What was done about one file, and what was found.
struct FileResult {
    place: FileIndex,
    done: Done,
    findings: Vec<Finding>,
}

impl FileCrew<'_> {
    /// Writes the files of a few archives.
    fn write(self, plans: &mut [ArchivePlan<'_>]) {
        plans.iter_mut().for_each(|plan| self.open(plan));
        let name = |plan: &ArchivePlan<'_>| escape_path(plan.task.path()).to_string();
        let shown: Vec<String> = plans.iter().map(name).collect();
        shown.iter().for_each(|it| self.context.observer.begin(it));

        let buffer = || vec![0; PIECE];
        let done = self
            .context
            .pool
            .map_with(&in_order(plans), buffer, |buffer, place| {
                let plan = plans.get(place.0)?;
                let row = plan.files.get(place.1)?;
                Some(self.result(buffer, *place, plan, row))
            });
        apply(plans, done.into_iter().flatten());
        for plan in &mut *plans {
            let reserved = reserved_reading(plan.task.archive);
            plan.findings.extend(reserved);
        }
        shown.iter().for_each(|it| self.context.observer.end(it));
    }

    /// If anything of an archive will be written, checks that the archive has not changed since the plan.
    fn open(self, plan: &mut ArchivePlan<'_>) {
        if !plan.has_work() {
            return;
        }
        if self.context.cancel.is_set() {
            plan.end_all(Outcome::Stopped);
            return;
        }
        if let Err(error) = check_unchanged(plan.task.archive) {
            plan.findings.push(error);
            plan.end_all(Outcome::Failed);
        }
    }

    /// Writes one file, or finds out why not.
    fn result(
        self,
        buffer: &mut [u8],
        place: FileIndex,
        plan: &ArchivePlan<'_>,
        row: &FilePlan<'_>,
    ) -> FileResult {
        let mut findings = Vec::new();
        let done = match self.file(buffer, plan, row, &mut findings) {
            Ok((fate, size)) => Done {
                outcome: if fate.is_written() {
                    Outcome::Written
                } else {
                    Outcome::Kept
                },
                replaces: fate == Fate::Replace,
                size,
            },
            Err(error) if error.is_stop() => row.ended(Outcome::Stopped),
            Err(error) => {
                findings.push(error);
                row.ended(Outcome::Failed)
            }
        };
        FileResult {
            place,
            done,
            findings,
        }
    }

    /// Writes one file.
    fn file(
        self,
        buffer: &mut [u8],
        plan: &ArchivePlan<'_>,
        row: &FilePlan<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<(Fate, u64), Finding> {
        self.context.cancel.check()?;
        let (Some(path), Some(fate)) = (row.path.as_deref(), row.fate) else {
            return Err(internal("a file is written that has no path"));
        };
        let planned = Planned {
            relative: plan.base().join(path),
            fate,
        };
        let output = self.guard.begin(&self.context.system, &planned)?;
        let mut size = row.entry.size();
        if let Some(pictures) = self.pictures.filter(|_| row.is_png) {
            size = self.draw(pictures, row.entry, &output, findings)?;
        } else {
            if size >= LARGE && !row.entry.is_plain() {
                output.sink().expect_len(size).map_err(Finding::from_io)?;
            }
            let count = |len| self.context.done(0, len);
            let written =
                write_content(self.context, &row.entry, buffer, (output.sink(), 0), count);
            findings.extend(written.map_err(Failure::into_error)?);
        }
        let fate = self.guard.commit(output.finish(planned)?)?;
        self.context.done(1, 0);
        Ok((fate, size))
    }

    /// Writes a picture as PNG, and returns the size of the file.
    fn draw(
        self,
        pictures: &Pictures,
        entry: Entry<'_>,
        output: &OpenOutput<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<u64, Finding> {
        let (_share, picture) = pictures.decode_within_memory(&entry)?;
        let file = picture.png().map_err(Finding::from_io)?;
        output.sink().write_at(&file, 0).map_err(Finding::from_io)?;
        findings.extend(picture.remark);
        self.context.done(0, entry.size());
        Ok(file.len() as u64)
    }
}

/// The files to be written.
fn in_order(plans: &[ArchivePlan<'_>]) -> Vec<FileIndex> {
    let mut places = Vec::new();
    for (pak, plan) in plans.iter().enumerate() {
        for (number, row) in plan.files.iter().enumerate() {
            if row.is_written() && row.done.is_none() {
                places.push((pak, number, row.entry.size()));
            }
        }
    }
    largest_first(&mut places, |(_, _, size)| *size);
    let places = places.into_iter();
    places.map(|(pak, number, _)| (pak, number)).collect()
}

/// Records the results in the plans.
fn apply(plans: &mut [ArchivePlan<'_>], results: impl IntoIterator<Item = FileResult>) {
    for result in results {
        let (pak, number) = result.place;
        let Some(plan) = plans.get_mut(pak) else {
            continue;
        };
        for finding in result.findings {
            plan.add(number, finding);
        }
        if let Some(row) = plan.files.get_mut(number) {
            row.done = Some(result.done);
        }
    }
}
