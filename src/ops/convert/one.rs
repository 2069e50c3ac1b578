//! One pak: opened, planned, written under a temporary name, committed.

use super::targets::{Meeting, Target};
use super::{Candidate, ConvertOptions, Outcome, PakReport};
use crate::engine::Stock;
use crate::error::{Error, ErrorKind};
use crate::fs::{Source, System};
use crate::ops::assemble::{self, Chosen, Crew, Found, Parts as _, Sharing, Tally, shown};
use crate::ops::context::{Context, Problem};
use crate::ops::expansion;
use crate::ops::open::{self, oddities, open_on};
use crate::ops::split::{self, Job, Lowered, hard_to_find, unloadable};
use crate::pak::{Archive, Layout, Plan, ReadAt, ReadOptions};

/// What all paks of a batch have in common.
pub(super) struct Batch<'a> {
    pub(super) crew: Crew<'a>,
    /// How all inputs are read.
    pub(super) open: ReadOptions,
    pub(super) system: &'a System,
    pub(super) meeting: Meeting<'a>,
    pub(super) options: &'a ConvertOptions,
}

impl Batch<'_> {
    /// Converts a pak, or says why not.
    pub(super) fn convert(&self, candidate: &Candidate, target: &Target) -> PakReport {
        let source = &candidate.input.path;
        let mut report = PakReport {
            source: source.clone(),
            target: target.shown.clone(),
            outcome: Outcome::Failed,
            from: None,
            to: self.options.to,
            entries: 0,
            skipped: 0,
            mended: 0,
            bytes_in: 0,
            parts: Vec::new(),
            parts_kept: 0,
            bytes_out: None,
            hard_to_find: Vec::new(),
            problems: Vec::new(),
        };
        if target.kept {
            report.outcome = Outcome::Kept;
            return report;
        }
        let name = shown(source);
        self.crew.observer.begin(&name);
        let done = self.work(&mut report, target);
        self.crew.observer.end(&name);
        match done {
            Ok(outcome) => report.outcome = outcome,
            Err(error) => {
                if matches!(error.kind(), ErrorKind::Interrupted) {
                    report.outcome = Outcome::Stopped;
                }
                report.problems.push(Problem::error(error));
            }
        }
        for problem in &mut report.problems {
            problem.error.set_pak(source);
        }
        report
    }

    fn work(&self, report: &mut PakReport, target: &Target) -> Result<Outcome, Error> {
        self.crew.cancel.check()?;
        let archive = open_on(self.system, &report.source, self.open)?;
        report.from = Some(archive.layout());
        report.entries = archive.len() as u64;
        report.bytes_in = archive.file_len();
        if archive.is_empty() {
            let nothing = Error::from(ErrorKind::NothingToWrite);
            report.problems.push(Problem::error(nothing));
            return Ok(Outcome::Failed);
        }
        report.problems = oddities(&archive, &report.source);
        // Where the directory is cut short, entries are missing that the output would lack.
        let whole = !report.problems.iter().any(Problem::is_error);
        let done = self.write(report, target, &archive, whole);
        let reserved = open::reserved(&archive, &report.source);
        report.problems.extend(reserved);
        if self.options.lowercase {
            let name = |index| Some(archive.entry(index)?.name().as_bytes().to_vec());
            for problem in &mut report.problems {
                problem.error.rename_entry(name);
            }
        }
        done
    }

    fn write(
        &self,
        report: &mut PakReport,
        target: &Target,
        archive: &Archive<Source>,
        whole: bool,
    ) -> Result<Outcome, Error> {
        let options = self.options;
        let lowered = Lowered::of(archive, options.lowercase);
        let claims = assemble::claims(archive, options.to);
        let chosen = Chosen::without(&lowered, &claims);
        let sharing = Sharing::of(&chosen, options.to);
        // Before anything is decoded, as well: what it bounds is not only the output.
        let (bytes, times) = (sharing.bytes(&chosen), options.max_expansion);
        expansion::check(bytes, archive.file_len(), times)?;
        if !will_be_written(options, &chosen, claims.is_empty() && whole) {
            // All that is left is to name every entry that is damaged.
            let tally = if options.dry_run {
                Tally::default()
            } else {
                assemble::check(self.crew, &chosen, &sharing)?
            };
            tell(report, &chosen, claims, tally);
            return Ok(Outcome::Failed);
        }
        let lists = split::split(&chosen, &sharing, options.to, &options.rules)?;
        let bytes = split::bytes(&chosen, &sharing, lists.as_deref());
        expansion::check(bytes, archive.file_len(), times)?;
        if lists.as_ref().map_or(1, Vec::len) != target.outputs.len() {
            return Err(ErrorKind::AnotherPak.into());
        }
        self.remark(report, target, &lowered);
        if Stock::of(archive).is_some() && options.to == Layout::Quake {
            let plan = assemble::plan(&chosen, &sharing, options.to);
            let lost = stock_lost(archive, plan.ok().filter(|_| lists.is_none()).as_ref());
            report.problems.extend(lost);
        }
        let job = Job {
            crew: self.crew,
            meeting: self.meeting,
            outputs: &target.outputs,
            parts: &chosen,
            to: options.to,
            keep_going: options.keep_going,
        };
        if options.dry_run {
            (report.parts, report.parts_kept) = job.plan(&sharing, lists.as_deref())?;
            tell(report, &chosen, claims, Tally::default());
        } else {
            let made = job.write(sharing, lists)?;
            report.parts = made.outputs;
            report.parts_kept = made.kept;
            tell(report, &chosen, claims, made.tally);
        }
        Ok(self.outcome(report, target))
    }

    /// What a pak has come to whose outputs are written, planned or kept.
    fn outcome(&self, report: &mut PakReport, target: &Target) -> Outcome {
        let options = self.options;
        let parts = report.parts.len() + report.parts_kept;
        if report.parts.is_empty() && parts > 0 {
            report.forget();
        }
        report.bytes_out = report.parts.iter().map(|part| part.bytes).sum();
        if parts > 0 {
            report.problems.extend(target.stale.behind(parts));
        }
        if !options.rules.limit()
            && let [part] = &report.parts[..]
        {
            let warning = unloadable(part, options.to);
            let place = |it: Error| Problem::warning(it.in_pak(&target.shown));
            report.problems.extend(warning.map(place));
        }
        match (report.parts.is_empty(), options.dry_run) {
            (true, _) if report.parts_kept > 0 => Outcome::Kept,
            (true, _) => Outcome::Failed,
            (false, true) => Outcome::Planned,
            (false, false) => Outcome::Written,
        }
    }

    /// Warnings of names that will not be found, or are found in another way than before.
    fn remark(&self, report: &mut PakReport, target: &Target, lowered: &Lowered<'_>) {
        let (options, engine) = (self.options, self.options.rules.engine);
        let alike = lowered.alike(engine, options.to);
        report.problems.extend(alike);
        let (hard_to_find, warnings) = hard_to_find(engine, lowered);
        report.hard_to_find = hard_to_find;
        report.problems.extend(warnings);
        if let [output] = &target.outputs[..] {
            report.problems.extend(output.not_loaded(engine));
        }
    }
}

/// A warning where the engine knows the pak by its directory and will not know the output, or the
/// parts of it.
pub(super) fn stock_lost<S: ReadAt>(
    archive: &Archive<S>,
    plan: Option<&Plan<'_>>,
) -> Option<Problem> {
    let stock = match plan {
        Some(plan) => Stock::lost(archive, plan)?,
        None => Stock::of(archive)?,
    };
    let stock = stock.to_string();
    Some(Problem::warning(ErrorKind::StockLost { stock }.into()))
}

/// How many outputs a candidate needs. What keeps it from being written at all is told when it is
/// its turn.
pub(super) fn count(
    system: &System,
    context: &Context<'_>,
    candidate: &Candidate,
    options: &ConvertOptions,
) -> Result<usize, Error> {
    let path = &candidate.input.path;
    let archive = match open_on(system, path, context.open) {
        Ok(archive) if candidate.is_pak => archive,
        _ => return Ok(1),
    };
    let whole = !oddities(&archive, path).iter().any(Problem::is_error);
    let lowered = Lowered::of(&archive, options.lowercase);
    let claims = assemble::claims(&archive, options.to);
    let chosen = Chosen::without(&lowered, &claims);
    let sharing = Sharing::of(&chosen, options.to);
    let (bytes, times) = (sharing.bytes(&chosen), options.max_expansion);
    if expansion::check(bytes, archive.file_len(), times).is_err()
        || !will_be_written(options, &chosen, claims.is_empty() && whole)
    {
        return Ok(1);
    }
    let lists = split::split(&chosen, &sharing, options.to, &options.rules);
    let lists = lists.map_err(|error| error.in_pak(path))?;
    let bytes = split::bytes(&chosen, &sharing, lists.as_deref());
    if expansion::check(bytes, archive.file_len(), times).is_err() {
        return Ok(1);
    }
    Ok(lists.map_or(1, |lists| lists.len()))
}

/// Whether what is known of a pak without reading its payloads allows to write it.
fn will_be_written(options: &ConvertOptions, chosen: &Chosen<'_>, whole: bool) -> bool {
    chosen.count() > 0 && (whole || options.keep_going)
}

/// Puts what was found into the report, in the order of the entries.
pub(super) fn tell(report: &mut PakReport, chosen: &Chosen<'_>, claims: Vec<Found>, tally: Tally) {
    let inner = |found: Found| (chosen.inner(found.index), found.error);
    let mut failed: Vec<(usize, Error)> = claims
        .into_iter()
        .map(|found| (found.index, found.error))
        .chain(tally.failed.into_iter().map(inner))
        .collect();
    failed.sort_by_key(|(index, _)| *index);
    report.skipped = failed.len() as u64;
    let odd: Vec<(usize, Error)> = tally.odd.into_iter().map(inner).collect();
    let mut mended: Vec<usize> = odd.iter().map(|(index, _)| *index).collect();
    mended.dedup();
    report.mended = mended.len() as u64;
    let mut rows: Vec<(usize, Problem)> = failed
        .into_iter()
        .map(|(index, error)| (index, Problem::error(error)))
        .chain(
            odd.into_iter()
                .map(|(index, error)| (index, Problem::warning(error))),
        )
        .collect();
    rows.sort_by_key(|(index, _)| *index);
    report
        .problems
        .extend(rows.into_iter().map(|(_, problem)| problem));
}
