//! Writes the outputs of a plan under temporary names, gives them their names when all are complete, and reports.
//!
//! Outputs get their names one after another, the last one first. The first output has the name that the user
//! asked for, so as long as it is missing, the user sees that the set is incomplete. If a rename fails, the outputs
//! after it already have their names, and the error says how many.
//!
//! A run that is killed between two renames leaves only the last outputs, or new outputs after old ones if it
//! replaces files. Another run with `-f` writes all of them again.

use std::path::Path;

use super::archive;
use super::options::{Destination, Spool, WriteOptions};
use crate::archive::error::ErrorKind;
use crate::archive::escape_path;
use crate::engine::Engine;
use crate::fs::Draft;
use crate::ops::context::Context;
use crate::ops::finding::{Finding, Help, exists, internal, reserved_reading};
use crate::ops::plan::judge::{
    facts, facts_of_file, hard_to_find, made_alike, palettes, refused, unloadable,
};
use crate::ops::plan::layout::{Layout, foresee, needs_encoder};
use crate::ops::plan::part::{Findings, Part};
use crate::ops::plan::targets::{Existed, OutputRoot, Target, Targets};
use crate::ops::row::{Outcome, OutputFile, OutputRow};

/// What is written and where: one output, or all parts of a split output.
pub(in crate::ops) struct Job<'a> {
    pub(in crate::ops) context: &'a Context<'a>,
    pub(in crate::ops) options: &'a WriteOptions,
    pub(in crate::ops) root: &'a OutputRoot,
    pub(in crate::ops) targets: &'a Targets,
    pub(in crate::ops) layout: &'a Layout<'a>,
    /// The engine whose served files are merged, if this is a merge.
    pub(in crate::ops) merged_for: Option<Engine>,
}

/// The outputs that were written, or would be.
#[derive(Default)]
struct Made {
    /// Empty if an entry failed and `keep_going` is off.
    outputs: Vec<OutputFile>,
    /// Whether the only output appeared while it was written, and is kept.
    kept: bool,
    findings: Findings,
}

impl Job<'_> {
    /// Writes the outputs, or finds out what would be written, and completes the report. A finding without a place
    /// gets `place`.
    pub(in crate::ops) fn run(&self, place: &Path, mut report: OutputRow) -> OutputRow {
        if self.targets.kept {
            report.outcome = Outcome::Kept;
            return report;
        }
        report.entries = self.layout.parts.len() as u64;
        let context = self.context;
        let name = escape_path(place).to_string();
        context.observer.begin(&name);
        let done = self.work(&mut report);
        context.observer.end(&name);
        match done {
            Ok(outcome) => report.outcome = outcome,
            Err(error) => {
                if error.is_stop() {
                    report.outcome = Outcome::Stopped;
                }
                report.findings.push(error);
            }
        }
        for archive in self.layout.archives() {
            report.findings.extend(reserved_reading(archive));
        }
        for finding in &mut report.findings {
            finding.place.set_path(place);
        }
        report
    }

    fn work(&self, report: &mut OutputRow) -> Result<Outcome, Finding> {
        self.context.cancel.check()?;
        let Self {
            layout, options, ..
        } = self;
        if layout.parts.is_empty() {
            return Err(ErrorKind::NothingToWrite.into());
        }
        layout.check_expansion(options)?;
        let mut findings = Findings {
            failed: layout.failed(),
            ..Findings::default()
        };
        let outputs = layout.outputs();
        if !layout.is_possible {
            if self.merged_for.is_some() {
                self.add_warnings(report);
            }
            if !options.dry_run {
                // Nothing will be written, but every damaged entry is named.
                findings.extend(archive::check(self.context, &outputs.concat())?);
            }
            findings.add_to(report);
            return Ok(Outcome::Failed);
        }
        if outputs.len() != self.targets.all.len() {
            let (outputs, places) = (outputs.len(), self.targets.all.len());
            return Err(internal(&format!(
                "there are {outputs} outputs and {places} places for them"
            )));
        }
        self.add_warnings(report);
        let made = if options.dry_run {
            self.plan_only(&outputs)?
        } else {
            self.write(&outputs)?
        };
        findings.extend(made.findings);
        if made.kept {
            report.forget();
            return Ok(Outcome::Kept);
        }
        report.parts = made.outputs;
        findings.sort();
        let warning = self.unloadable_warning(&outputs, &findings, report);
        findings.add_to(report);
        report.findings.extend(warning);
        report.bytes_out = report.parts.iter().map(|part| part.bytes).sum();
        Ok(match (report.parts.is_empty(), options.dry_run) {
            (true, _) => Outcome::Failed,
            (false, true) => Outcome::Planned,
            (false, false) => Outcome::Written,
        })
    }

    /// Adds warnings about names that engines will not find, or that are one to them, and about outputs that they will
    /// not load.
    fn add_warnings(&self, report: &mut OutputRow) {
        let (rules, to) = (&self.options.rules, self.options.to);
        let parts = &self.layout.parts;
        let findings = &mut report.findings;
        match self.merged_for {
            None => findings.extend(made_alike(rules.engines, parts, to)),
            // A user who writes another format has another engine in mind.
            Some(engine) if !rules.limit() && engine.profile().reads(to) => {
                let refused = refused(&facts(parts, to), engine.into()).into_iter();
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
    fn unloadable_warning(
        &self,
        outputs: &[Vec<&Part<'_>>],
        findings: &Findings,
        report: &OutputRow,
    ) -> Option<Finding> {
        if self.options.rules.limit() || self.merged_for.is_some() {
            return None;
        }
        let ([parts], [output]) = (outputs, report.parts.as_slice()) else {
            return None;
        };
        let mut parts = parts.clone();
        parts.retain(|part| !findings.has_failed(part));
        let to = self.options.to;
        let facts = facts_of_file(&parts, to, output.bytes.unwrap_or_default());
        Some(unloadable(&facts, to)?.at_path(&output.target))
    }

    /// Writes one output for each list.
    fn write(&self, lists: &[Vec<&Part<'_>>]) -> Result<Made, Finding> {
        let (mut drafts, mut made) = (Vec::new(), Made::default());
        let mut whole = true;
        for list in lists {
            if whole {
                self.draft(list, &mut drafts, &mut made)?;
                whole = self.options.keep_going || made.findings.failed.is_empty();
            } else {
                // Nothing will be written, but every damaged entry is named.
                let findings = archive::check(self.context, list)?;
                made.findings.extend(findings);
            }
        }
        if !whole {
            made.outputs.clear();
            return Ok(made);
        }
        self.context.cancel.check()?;
        self.commit(drafts, &mut made)?;
        Ok(made)
    }

    /// Writes an output under a temporary name, or into the spool, unless parts fail.
    fn draft<'s>(
        &'s self,
        list: &[&Part<'_>],
        drafts: &mut Vec<(Draft<'s>, &'s Target)>,
        made: &mut Made,
    ) -> Result<(), Finding> {
        // If all entries of an output failed, it is not written, and the next output gets its name.
        let Some(target) = self.targets.all.get(drafts.len()) else {
            return Err(internal("there are more outputs than places for them"));
        };
        let (len, findings) = match &self.options.destination {
            Destination::Spool(spool) => self.write_to_spool(list, spool)?,
            Destination::File(_) | Destination::Directory(_) => {
                let draft = self.root.root.draft(&target.relative)?;
                let (len, findings) = archive::write(self.context, list, self.options, &draft)?;
                if len.is_some() && self.root.is_unchanged(&draft, &target.relative)? {
                    made.kept = true;
                } else if len.is_some() {
                    drafts.push((draft.close(target.existed.over())?, target));
                }
                (len, findings)
            }
        };
        if len.is_some() {
            let entries = list.len().saturating_sub(findings.failed.len()) as u64;
            made.outputs.push(self.output(target, entries, len));
        }
        made.findings.extend(findings);
        Ok(())
    }

    /// Writes the only output into the spool.
    fn write_to_spool(
        &self,
        list: &[&Part<'_>],
        spool: &Spool,
    ) -> Result<(Option<u64>, Findings), Finding> {
        let scratch = self.context.system.scratch().map_err(Finding::from_io)?;
        let (len, findings) = archive::write(self.context, list, self.options, &scratch)?;
        if let Some(len) = len {
            spool.keep(scratch, len);
        }
        Ok((len, findings))
    }

    /// Gives all outputs their names.
    fn commit(&self, drafts: Vec<(Draft<'_>, &Target)>, made: &mut Made) -> Result<(), Finding> {
        let parts = drafts.len();
        for (done, (draft, target)) in drafts.into_iter().rev().enumerate() {
            let mut existed = self.root.commit(draft, &target.relative);
            if parts > 1 && matches!(existed, Ok(Existed::Kept)) {
                // The file has appeared meanwhile. One of several parts cannot be kept on its own.
                existed = Err(exists().at_path(self.root.shown(&target.relative)));
            }
            match existed {
                Ok(existed) => made.kept = existed == Existed::Kept,
                Err(error) if done == 0 => return Err(error),
                Err(error) => {
                    let written = format!(
                        "{done} of the {parts} parts have been written, from the last one on"
                    );
                    return Err(Finding::error(format!("{error}; {written}"))
                        .advice("remove them")
                        .help(Help::OverwriteAll));
                }
            }
        }
        Ok(())
    }

    /// The outputs that would be written. Sizes that are known only after encoding are left out.
    fn plan_only(&self, lists: &[Vec<&Part<'_>>]) -> Result<Made, Finding> {
        let to = self.options.to;
        let mut made = Made::default();
        for (list, target) in lists.iter().zip(&self.targets.all) {
            let known = !needs_encoder(list, to);
            let plan = foresee(list, to)?;
            let bytes = known.then(|| plan.file_len());
            made.outputs
                .push(self.output(target, list.len() as u64, bytes));
        }
        Ok(made)
    }

    /// The output that was written to this target.
    fn output(&self, target: &Target, entries: u64, bytes: Option<u64>) -> OutputFile {
        OutputFile {
            target: self.root.shown(&target.relative),
            replaces: target.existed == Existed::Replaced,
            entries,
            bytes,
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::archive::Format;
    use crate::ops::plan::targets::place_one;
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
        let (root, _) = place_one(&context, &options, &[], 1, None).unwrap();
        let job = Job {
            context: &context,
            options: &options,
            root: &root,
            targets: &Targets::default(),
            layout: &layout,
            merged_for: None,
        };
        let row = job.run(&output, OutputRow::new(path, PathBuf::new(), Format::Quake));
        assert_eq!(row.outcome, Outcome::Failed);
        let [finding] = row.findings.as_slice() else {
            panic!("{:?}", row.findings);
        };
        assert!(finding.detail.starts_with("internal error: "));
        assert!(finding.detail.starts_with("internal error: "), "{finding}");
        assert!(!output.exists());
    }
}
