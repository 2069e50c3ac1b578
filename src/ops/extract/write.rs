//! Writes the files as planned, with all threads, and several archives at the same time.

use crate::archive::escape_path;
use crate::ops::context::Context;
use crate::ops::finding::{Finding, check_unchanged, internal, reserved_reading};
use crate::ops::pictures::Pictures;
use crate::ops::plan::files::{ArchivePlan, FilePlan};
use crate::ops::plan::policy::Guard;
use crate::ops::row::{Fate, OutputStatus};
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
        let (entries, bytes) = plan.sizes().fold((0, 0), |(n, sum), size| (n + 1, sum + size));
        context.found(entries, bytes);
    }
    let crew = FileCrew { context, guard, pictures };
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

impl FileCrew<'_> {
    /// Writes the files of a few archives.
    fn write(self, plans: &mut [ArchivePlan<'_>]) {
        let mut shown = Vec::new();
        for plan in &mut *plans {
            self.open(plan);
            let name = escape_path(plan.path()).to_string();
            self.context.observer.begin(&name);
            shown.push(name);
        }
        let files = plans.iter_mut().flat_map(|plan| &mut plan.files);
        let mut files: Vec<_> = files.filter(|file| file.to_write().is_some()).collect();
        files.sort_by_key(|file| largest_first(file.entry.size()));
        (self.context.pool).map_with(
            files,
            || vec![0; PIECE],
            |buffer, file| self.file(buffer, file),
        );
        for plan in plans {
            let reserved = reserved_reading(plan.archive);
            plan.findings.extend(reserved);
        }
        for name in shown {
            self.context.observer.end(&name);
        }
    }

    /// If anything of an archive will be written, checks that the archive has not changed since the plan.
    fn open(self, plan: &mut ArchivePlan<'_>) {
        if plan.sizes().next().is_none() {
            return;
        }
        if self.context.cancel.is_set() {
            plan.end_all(OutputStatus::Stopped);
            return;
        }
        if let Err(error) = check_unchanged(plan.archive) {
            plan.findings.push(error);
            plan.end_all(OutputStatus::Failed);
        }
    }

    /// Writes one file, or finds out why not.
    fn file(self, buffer: &mut [u8], file: &mut FilePlan<'_>) {
        file.status = match self.write_file(buffer, file) {
            Ok(fate) => OutputStatus::Done(fate),
            Err(error) if error.is_stop() => OutputStatus::Stopped,
            Err(error) => {
                file.add(error);
                OutputStatus::Failed
            }
        };
    }

    fn write_file(self, buffer: &mut [u8], file: &mut FilePlan<'_>) -> Result<Fate, Finding> {
        self.context.cancel.check()?;
        let (Some(relative), Some(fate)) = (&file.relative, file.to_write()) else {
            return Err(internal("a file is written that has no path"));
        };
        let entry = file.entry;
        let output = self.guard.begin(relative)?;
        let sink = output.sink();
        let mut size = entry.size();
        let mut findings = Vec::new();
        if let Some(pictures) = self.pictures.filter(|_| file.is_png) {
            let (_share, picture) = pictures.decode_within_memory(&entry)?;
            let png = picture.png().map_err(Finding::from_io)?;
            sink.write_at(&png, 0).map_err(Finding::from_io)?;
            findings.extend(picture.remark);
            self.context.done(0, size);
            size = png.len() as u64;
        } else {
            if size >= LARGE && !entry.is_plain() {
                sink.expect_len(size).map_err(Finding::from_io)?;
            }
            let count = |len| self.context.done(0, len);
            let odd = write_content(self.context, &entry, buffer, (sink, 0), count);
            findings = odd.map_err(Failure::into_error)?;
        }
        let fate = self.guard.commit(output.finish(fate)?)?;
        file.size = size;
        for finding in findings {
            file.add(finding);
        }
        self.context.done(1, 0);
        Ok(fate)
    }
}
