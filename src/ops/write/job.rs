//! From a plan to outputs: write under temporary names, commit when all are whole, report.
//!
//! Outputs get their names from the last one on, one after another: as long as the first one is
//! missing, which has the name that was asked for, so is the whole. If one of these steps fails,
//! the outputs behind it already have their names, and the error says how many they are.
//!
//! A run that is stopped between two of these steps leaves the last outputs, or over old ones new
//! ones behind old ones. A run with `-f` writes all of them.

use crate::ops::finding::{Finding, Notice, exists};
use std::path::Path;

use super::archive;
use super::options::{Spool, WriteOptions};
use crate::archive::error::ErrorKind;
use crate::archive::{Archive, escape_path};
use crate::engine::Engine;
use crate::fs::Draft;
use crate::ops::context::Context;
use crate::ops::plan::judge::{
    facts, facts_of_file, hard_to_find, made_alike, never_asked_for, odd_entries, palettes,
    refused, served_otherwise, stock_lost, unloadable,
};
use crate::ops::plan::layout::{Layout, all_stored, foresee, needs_encoder};
use crate::ops::plan::part::{Findings, Part};
use crate::ops::plan::targets::{Existed, OutputRoot, Target, Targets};
use crate::ops::row::{Outcome, OutputFile, OutputRow};

/// One output, or the parts of one that is split: what is written, and where.
pub(in crate::ops) struct Job<'a> {
    pub(in crate::ops) context: &'a Context<'a>,
    pub(in crate::ops) options: &'a WriteOptions,
    pub(in crate::ops) root: &'a OutputRoot,
    pub(in crate::ops) targets: &'a Targets,
    pub(in crate::ops) layout: &'a Layout<'a>,
    /// The archives that the parts come from.
    pub(in crate::ops) archives: &'a [&'a Archive],
    /// The engine that serves the parts from several archives, where they are merged.
    pub(in crate::ops) merged_for: Option<Engine>,
}

/// What has become of the outputs.
#[derive(Default)]
struct Made {
    /// The outputs that are written. Empty if an entry failed and `keep_going` is off.
    outputs: Vec<OutputFile>,
    /// Whether the only output appeared while it was written, and is kept.
    kept: bool,
    findings: Findings,
}

impl Job<'_> {
    /// Writes what was planned, or finds out what would be written, and reports it. What has no other
    /// place is reported of the file at `place`.
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
        let archives = self.archives.iter();
        let reserved = archives.filter_map(|it| crate::ops::finding::reserved_reading(it));
        report.findings.extend(reserved);
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
            failed: layout.failed(options.to),
            ..Findings::default()
        };
        let outputs = layout.outputs();
        if !layout.is_possible {
            if self.merged_for.is_some() {
                self.remark(&[], report);
            }
            if !options.dry_run {
                // All that is left is to name every entry that is damaged.
                findings.extend(archive::check(self.context, &outputs.concat())?);
            }
            findings.add_to(report);
            return Ok(Outcome::Failed);
        }
        if outputs.len() != self.targets.all.len() {
            return Err(ErrorKind::Replaced.into());
        }
        self.remark(&outputs, report);
        let made = match options.dry_run {
            true => self.foresee(&outputs)?,
            false => self.write(&outputs)?,
        };
        findings.extend(made.findings);
        if made.kept {
            report.forget();
            return Ok(Outcome::Kept);
        }
        report.parts = made.outputs;
        findings.sort();
        let warning = self.unloadable(&outputs, &findings, report);
        findings.add_to(report);
        report.findings.extend(warning);
        report.bytes_out = report.parts.iter().map(|part| part.bytes).sum();
        Ok(match (report.parts.is_empty(), options.dry_run) {
            (true, _) => Outcome::Failed,
            (false, true) => Outcome::Planned,
            (false, false) => Outcome::Written,
        })
    }

    /// Warnings of names that will not be found, or are found in another way than before, and of an
    /// output that will not be loaded or known.
    fn remark(&self, lists: &[Vec<&Part<'_>>], report: &mut OutputRow) {
        let (rules, to) = (&self.options.rules, self.options.to);
        let parts = &self.layout.parts;
        let findings = &mut report.findings;
        match self.merged_for {
            None => findings.extend(made_alike(rules.engines, parts, to)),
            // Who writes another format means another engine.
            Some(engine) if !rules.limit() && engine.profile().reads(to) => {
                let refused = refused(&facts(parts, to), engine.into()).into_iter();
                findings.extend(refused.map(Finding::as_warning));
            }
            Some(_) => {}
        }
        let (hard_to_find, warnings) = hard_to_find(rules.engines, parts, to);
        report.hard_to_find = hard_to_find;
        findings.extend(warnings);
        if !rules.engines.is_empty() {
            findings.extend(odd_entries(&facts(parts, to), rules.engines));
        }
        findings.extend(served_otherwise(rules.engines, parts, to));
        findings.extend(palettes(parts, to));
        findings.extend(self.layout.unshared());
        if let [target] = self.targets.all.as_slice() {
            findings.extend(never_asked_for(target, rules.engines));
        }
        let directory = match lists {
            [list] if self.is_any_stock() => all_stored(list, to).ok(),
            _ => None,
        };
        let directory = directory.map(|it| it.to_bytes());
        findings.extend(stock_lost(self.archives, to, directory.as_deref()));
    }

    fn is_any_stock(&self) -> bool {
        let mut archives = self.archives.iter();
        archives.any(|it| crate::engine::Stock::of(it).is_some())
    }

    /// A warning of an output that engines of its format do not load, if none of them was named.
    fn unloadable(
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
        Some(unloadable(&facts, to)?.in_pak(&output.target))
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
                // Nothing will be written: all that is left is to name what is damaged.
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
        // An output of which nothing is left is not written, and leaves its name to the next one.
        let Some(target) = self.targets.all.get(drafts.len()) else {
            return Err(ErrorKind::Replaced.into());
        };
        let (len, findings) = match &self.root.spool {
            Some(spool) => self.write_to_spool(list, spool)?,
            None => {
                let draft = self.root.root.draft(&target.relative)?;
                let (len, findings) = archive::write(self.context, list, self.options, &draft)?;
                if len.is_some() && self.root.is_unchanged(&draft, &target.shown)? {
                    made.kept = true;
                } else if len.is_some() {
                    drafts.push((draft.close(target.existed.over())?, target));
                }
                (len, findings)
            }
        };
        if len.is_some() {
            let entries = list.len().saturating_sub(findings.failed.len()) as u64;
            made.outputs.push(target.output(entries, len));
        }
        made.findings.extend(findings);
        Ok(())
    }

    /// Writes the one output that has no name.
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

    /// Gives all of them their names.
    fn commit(&self, drafts: Vec<(Draft<'_>, &Target)>, made: &mut Made) -> Result<(), Finding> {
        let parts = drafts.len();
        for (done, (draft, target)) in drafts.into_iter().rev().enumerate() {
            let existed = self.root.commit(draft, &target.relative, &target.shown);
            let existed = match existed {
                // It has appeared meanwhile, and a part alone is not kept.
                Ok(Existed::Kept) if parts > 1 => Err(exists().in_pak(&target.shown)),
                existed => existed,
            };
            let existed = existed.map_err(|error| match done {
                0 => error,
                done => {
                    let why = format!("{error}; {done} of the {parts} parts have been written, from the last one on"); Finding::error(Notice::PartsLeft, why)
                }
            })?;
            made.kept = existed == Existed::Kept;
        }
        Ok(())
    }

    /// What would be written. Sizes that only encoding can tell are left out.
    fn foresee(&self, lists: &[Vec<&Part<'_>>]) -> Result<Made, Finding> {
        let to = self.options.to;
        let mut made = Made::default();
        for (list, target) in lists.iter().zip(&self.targets.all) {
            let known = !needs_encoder(list, to);
            let plan = foresee(list, to)?;
            let bytes = known.then(|| plan.file_len());
            made.outputs.push(target.output(list.len() as u64, bytes));
        }
        Ok(made)
    }
}

impl Target {
    /// It as an output of so many entries.
    fn output(&self, entries: u64, bytes: Option<u64>) -> OutputFile {
        OutputFile {
            target: self.shown.clone(),
            replaces: self.existed == Existed::Replaced,
            entries,
            bytes,
        }
    }
}
