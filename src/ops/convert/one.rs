//! One pak: opened, planned, written under a temporary name, committed.

use super::targets::{Target, Way};
use super::{Candidate, ConvertOptions, Outcome, PakReport};
use crate::error::{Error, ErrorKind};
use crate::ops::assemble::{self, Chosen, Crew, Found, Parts as _, Sharing, Tally, shown};
use crate::ops::commit::{Over, Root, Source, System};
use crate::ops::context::Problem;
use crate::ops::engine::Stock;
use crate::ops::expansion;
use crate::ops::open::{oddities, open_on};
use crate::pak::{Archive, Layout};

/// What all paks of a batch have in common.
pub(super) struct Batch<'a> {
    pub(super) crew: Crew<'a>,
    /// The layout of all inputs, if it is given.
    pub(super) layout: Option<Layout>,
    pub(super) system: &'a System,
    pub(super) root: &'a Root,
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
            bytes_out: None,
            problems: Vec::new(),
        };
        let over = match target.way {
            // Opening it will tell what it is instead.
            _ if !candidate.is_pak => Over::Nothing,
            Way::Kept => {
                report.outcome = Outcome::Kept;
                return report;
            }
            Way::New => Over::Nothing,
            Way::Replaces => Over::Old,
        };
        let name = shown(source);
        self.crew.observer.begin(&name);
        let done = self.work(&mut report, target, over);
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

    fn work(&self, report: &mut PakReport, target: &Target, over: Over) -> Result<Outcome, Error> {
        self.crew.cancel.check()?;
        let archive = open_on(self.system, &report.source, self.layout)?;
        report.from = Some(archive.layout());
        report.entries = archive.len() as u64;
        report.bytes_in = archive.file_len();
        if archive.is_empty() {
            // A warning, yet nothing is written: the outcome says so.
            let nothing = Error::from(ErrorKind::NothingToWrite);
            report.problems.push(Problem::warning(nothing));
            return Ok(Outcome::Failed);
        }
        report.problems = oddities(&archive, &report.source);
        // Where the directory is cut short, entries are missing that the output would lack.
        let whole = !report.problems.iter().any(Problem::is_error);
        let claims = assemble::claims(&archive);
        let chosen = Chosen::without(&archive, &claims);
        let sharing = Sharing::of(&chosen, self.options.to);
        // Before anything is decoded, as well: what it bounds is not only the output.
        let (bytes, times) = (sharing.bytes(&chosen), self.options.max_expansion);
        expansion::check(bytes, archive.file_len(), times)?;
        report
            .problems
            .extend(self.lost(&archive, &chosen, &sharing)?);
        let keep_going = self.options.keep_going;
        if self.options.dry_run {
            return self.plan(report, &chosen, &sharing, claims, whole);
        }
        if chosen.count() == 0 || !((claims.is_empty() && whole) || keep_going) {
            // It will not be written: all that is left is to name every entry that is damaged.
            let tally = assemble::check(self.crew, &chosen, &sharing)?;
            tell(report, &chosen, claims, tally);
            return Ok(Outcome::Failed);
        }
        let draft = self.root.draft(&target.relative)?;
        let (len, tally) = assemble::write(
            self.crew,
            &chosen,
            sharing,
            self.options.to,
            keep_going,
            &draft,
        )?;
        tell(report, &chosen, claims, tally);
        let Some(len) = len else {
            return Ok(Outcome::Failed);
        };
        self.crew.cancel.check()?;
        draft.commit(over)?;
        report.bytes_out = Some(len);
        Ok(Outcome::Written)
    }

    /// A warning where the engine knows the pak by its directory and will not know the output.
    fn lost(
        &self,
        archive: &Archive<Source>,
        chosen: &Chosen<'_>,
        sharing: &Sharing,
    ) -> Result<Option<Problem>, Error> {
        if self.options.to != Layout::Quake || chosen.count() == 0 || Stock::of(archive).is_none() {
            return Ok(None);
        }
        let plan = assemble::plan(chosen, sharing, self.options.to)?;
        Ok(Stock::lost(archive, &plan).map(|stock| {
            let stock = stock.to_string();
            Problem::warning(ErrorKind::StockLost { stock }.into())
        }))
    }

    /// What would be done, as far as that shows without decoding.
    fn plan(
        &self,
        report: &mut PakReport,
        chosen: &Chosen<'_>,
        sharing: &Sharing,
        claims: Vec<Found>,
        whole: bool,
    ) -> Result<Outcome, Error> {
        let written = (claims.is_empty() && whole) || self.options.keep_going;
        let written = written && chosen.count() > 0;
        if written && !assemble::needs_encoder(chosen, self.options.to) {
            let plan = assemble::plan(chosen, sharing, self.options.to)?;
            report.bytes_out = Some(plan.file_len());
        }
        tell(report, chosen, claims, Tally::default());
        Ok(if written {
            Outcome::Planned
        } else {
            Outcome::Failed
        })
    }
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
