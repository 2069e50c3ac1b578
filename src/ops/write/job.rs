//! Writes the archives of a plan, or finds out what would be written, and reports.

use std::path::{Path, PathBuf};

use crate::archive::error::ErrorKind;
use crate::archive::escape_path;
use crate::engine::Engine;
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, check_unchanged, internal, reserved_reading};
use crate::ops::plan::judge::{
    facts, facts_of_file, hard_to_find, made_alike, palettes, refused, unloadable,
};
use crate::ops::plan::layout::{Layout, foresee, needs_encoder};
use crate::ops::plan::options::WriteOptions;
use crate::ops::plan::part::{Findings, Part, PartList};
use crate::ops::plan::policy::{Edited, Group, Guard, Planned};
use crate::ops::plan::targets::{Targets, place_one};
use crate::ops::report::{Sink, hand_on};
use crate::ops::row::{ContentTypes, Fate, OutputFile, OutputRow, OutputStatus, WriteTotals};
use crate::ops::write::archive;

/// What is written and where: one output, or all parts of a split output.
pub(crate) struct Job<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) options: &'a WriteOptions,
    pub(crate) guard: &'a Guard,
    pub(crate) targets: &'a Targets,
    pub(crate) layout: &'a Layout<'a>,
    /// The engine whose served files are merged, if this is a merge.
    pub(crate) merged_for: Option<Engine>,
    /// Whether a file that cannot be read is never left out: the user has named it, and it may replace an entry.
    pub(crate) needs_files: bool,
}

/// Writes the only archive of an operation, split if limits require that. None of the `sources` is replaced. With
/// `edited`, it takes the place of that archive.
///
/// # Errors
/// Every reason to refuse it.
pub(crate) fn write_one(
    context: &Context<'_>,
    options: &WriteOptions,
    layout: &Layout<'_>,
    sources: &[PathBuf],
    edited: Option<Edited>,
    merged_for: Option<Engine>,
    row: OutputRow,
) -> Result<OutputRow, Refusal> {
    let (guard, targets) = place_one(context, options, sources, layout.count(options), edited)?;
    let needs_files = merged_for.is_none();
    let job =
        Job { context, options, guard: &guard, targets: &targets, layout, merged_for, needs_files };
    let place = row.target.clone();
    let mut row = job.run(&place, row);
    row.findings.extend(guard.finish());
    Ok(row)
}

/// Reports the only archive of an operation.
pub(crate) fn report_one(
    row: OutputRow,
    findings: Vec<Finding>,
    out: &mut dyn Sink<Box<OutputRow>>,
) -> WriteTotals {
    hand_on(out, findings);
    let mut totals = WriteTotals::default();
    totals.count(&row);
    let _ = out.row(Box::new(row));
    totals
}

impl Job<'_> {
    /// Writes the outputs, or finds out what would be written, and completes the report. A finding without a place
    /// gets `place`.
    pub(crate) fn run(&self, place: &Path, mut report: OutputRow) -> OutputRow {
        if self.targets.are_kept() {
            report.status = OutputStatus::Planned(Fate::Keep);
            return report;
        }
        report.entries = self.layout.len() as u64;
        let context = self.context;
        let name = escape_path(place).to_string();
        context.observer.begin(&name);
        let done = self.work(&mut report);
        context.observer.end(&name);
        match done {
            Ok(status) => report.status = status,
            Err(error) => {
                if error.is_stop() {
                    report.status = OutputStatus::Stopped;
                }
                report.parts.clear();
                report.findings.push(error);
            }
        }
        for archive in self.layout.archives() {
            report.findings.extend(reserved_reading(archive));
        }
        if !self.options.rules.engines.is_empty()
            && (report.status.is_written() || report.status.is_planned())
        {
            let entries: Vec<_> = self.layout.all().iter().map(|part| part.entry).collect();
            let engines = self.options.rules.engines;
            report.unread = ContentTypes::of_entries(context, &entries, engines).unread;
        }
        if let Some(part) = &self.targets.old_part {
            let why = "this is left of an older split, and engines load it over the new parts";
            let warning = Finding::warning(why).many("files are left of older splits");
            report.findings.push(warning.at_path(part));
        }
        for finding in &mut report.findings {
            finding.place.set_path(place);
        }
        report
    }

    fn work(&self, report: &mut OutputRow) -> Result<OutputStatus, Finding> {
        self.context.cancel.check()?;
        let Self { layout, options, .. } = self;
        if layout.len() == 0 {
            return Err(ErrorKind::NothingToWrite.into());
        }
        layout.check_expansion(options)?;
        let mut findings = Findings { failed: layout.failed(), ..Findings::default() };
        let outputs = &layout.outputs;
        if !layout.is_possible {
            if self.merged_for.is_some() {
                self.add_warnings(report);
            }
            if !options.dry_run {
                // Nothing will be written, but every damaged entry is named.
                for list in outputs {
                    findings.extend(archive::check(self.context, list)?);
                }
            }
            findings.add_to(report);
            return Ok(OutputStatus::Failed);
        }
        if outputs.len() != self.targets.files.len() {
            let (outputs, places) = (outputs.len(), self.targets.files.len());
            return Err(internal(&format!(
                "there are {outputs} outputs and {places} places for them"
            )));
        }
        self.add_warnings(report);
        let status = if options.dry_run {
            self.plan_only(&mut report.parts)?
        } else {
            self.write(&mut report.parts, &mut findings)?
        };
        if status.is_kept() {
            report.forget();
            return Ok(status);
        }
        findings.sort();
        let warning = self.unloadable_warning(&findings, report);
        findings.add_to(report);
        report.findings.extend(warning);
        if !report.parts.is_empty() {
            report.bytes_out = report.parts.iter().map(|part| part.bytes).sum();
        }
        Ok(status)
    }

    /// Adds warnings about names that engines will not find, or that are one to them, and about outputs that they will
    /// not load.
    fn add_warnings(&self, report: &mut OutputRow) {
        let (rules, to) = (&self.options.rules, self.options.to);
        let parts = &self.layout.all();
        let findings = &mut report.findings;
        match self.merged_for {
            None => findings.extend(made_alike(parts, to)),
            // A user who writes another format has another engine in mind.
            Some(engine) if !rules.limit() && engine.profile().reads(to) => {
                let refused = refused(&facts(parts.iter().copied(), to), engine.into()).into_iter();
                findings.extend(refused.map(Finding::as_warning));
            }
            Some(_) => {}
        }
        let (hard_to_find, warnings) = hard_to_find(rules.engines, parts, to);
        report.hard_to_find = hard_to_find;
        findings.extend(warnings);
        findings.extend(palettes(parts, to));
        findings.extend(self.layout.unshared());
    }

    /// A warning if the engines of the format do not load the output. Without `--engine` only.
    fn unloadable_warning(&self, findings: &Findings, report: &OutputRow) -> Option<Finding> {
        if self.options.rules.limit() || self.merged_for.is_some() {
            return None;
        }
        let outputs = (self.layout.outputs.as_slice(), report.parts.as_slice());
        let ([parts], [output]) = outputs else {
            return None;
        };
        let parts = parts.iter().filter(|part| !findings.has_failed(part));
        let to = self.options.to;
        let facts = facts_of_file(parts, to, output.bytes.unwrap_or_default());
        Some(unloadable(&facts, to)?.at_path(&output.target))
    }

    /// Writes the outputs: all of them, or none. The first one is kept if a file appeared while it was written, or if it
    /// has the same bytes.
    fn write(
        &self,
        parts: &mut Vec<OutputFile>,
        findings: &mut Findings,
    ) -> Result<OutputStatus, Finding> {
        let mut group = Group::new(self.guard, "parts");
        let mut is_whole = true;
        for list in &self.layout.outputs {
            if is_whole {
                is_whole = self.draft(list, &mut group, parts, findings)?;
            } else {
                // Nothing will be written, but every damaged entry is named.
                findings.extend(archive::check(self.context, list)?);
            }
        }
        if !is_whole || parts.is_empty() {
            parts.clear();
            return Ok(OutputStatus::Failed);
        }
        self.context.cancel.check()?;
        // A source that was written over meanwhile may have given parts of two versions.
        for archive in self.layout.archives() {
            check_unchanged(archive)?;
        }
        Ok(OutputStatus::Done(group.commit()?))
    }

    /// Writes an output under a temporary name, unless parts fail. Returns whether it may lack the parts that failed.
    fn draft<'s>(
        &'s self,
        list: &PartList<'_>,
        group: &mut Group<'s>,
        parts: &mut Vec<OutputFile>,
        findings: &mut Findings,
    ) -> Result<bool, Finding> {
        // If all entries of an output failed, it is not written, and the next output gets its name.
        let Some(planned) = self.targets.files.get(parts.len()) else {
            return Err(internal("there are more outputs than places for them"));
        };
        let output = self.guard.begin(&planned.relative)?;
        let (len, found) = archive::write(self.context, list, self.options, output.sink())?;
        if len.is_some() {
            group.add(output, planned.fate)?;
            let entries = list.len().saturating_sub(found.failed.len()) as u64;
            parts.push(self.output(planned, entries, len));
        }
        let is_failed_file = |part: &Part<'_>| part.entry.is_file() && found.has_failed(part);
        let lacks_file = self.needs_files && list.iter().any(is_failed_file);
        let is_whole = found.failed.is_empty() || self.options.keep_going && !lacks_file;
        findings.extend(found);
        Ok(is_whole)
    }

    /// The outputs that would be written. Sizes that are known only after encoding are left out.
    fn plan_only(&self, parts: &mut Vec<OutputFile>) -> Result<OutputStatus, Finding> {
        let to = self.options.to;
        for (list, planned) in self.layout.outputs.iter().zip(&self.targets.files) {
            let plan = foresee(list, to)?;
            let bytes = (!needs_encoder(list, to)).then(|| plan.file_len());
            parts.push(self.output(planned, list.len() as u64, bytes));
        }
        let first = self.targets.files.first();
        Ok(first.map_or(OutputStatus::Failed, |first| OutputStatus::Planned(first.fate)))
    }

    /// The output that was written, or would be.
    fn output(&self, planned: &Planned, entries: u64, bytes: Option<u64>) -> OutputFile {
        OutputFile {
            target: self.guard.shown(&planned.relative),
            replaces: planned.fate == Fate::Replace,
            entries,
            bytes,
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::archive::Format;
    use crate::ops::plan::options::Destination;
    use crate::ops::source::open;
    use crate::testing::pak;

    /// No input leads to it, so nobody's file was replaced.
    #[test]
    fn outputs_without_places_are_a_mistake_of_ours() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.pak");
        std::fs::write(&path, pak(Format::Quake, &[("a", b"one", false)])).unwrap();
        let context = Context::new();
        let archive = open(&context.system, &path, None.into()).unwrap();
        let output = dir.path().join("b.pak");
        let options = WriteOptions::new(Destination::File(output.clone()), Format::Quake);
        let layout = Layout::of_archive(&archive, &options).unwrap();
        let (guard, _) = place_one(&context, &options, &[], 1, None).unwrap();
        let job = Job {
            context: &context,
            options: &options,
            guard: &guard,
            targets: &Targets::default(),
            layout: &layout,
            merged_for: None,
            needs_files: false,
        };
        let row = job.run(&output, OutputRow::new(path, PathBuf::new(), Format::Quake));
        assert_eq!(row.status, OutputStatus::Failed);
        let [finding] = row.findings.as_slice() else {
            panic!("{:?}", row.findings);
        };
        assert!(finding.detail.starts_with("internal error: "), "{finding}");
        assert!(!output.exists());
    }
}
