//! One pak out of all that an engine serves from a game's folders, or as many as a limit asks for.
//!
//! Entries come in the order in which their paks load, and within a pak in the directory's order,
//! so that the same game gives the same bytes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::one::{stock_lost, tell};
use super::targets::{self, Meeting, check_format, check_parent};
use super::{ConvertOptions, ConvertReport, Destination, Outcome, PakReport};
use crate::engine::{Engine, Facts, findable};
use crate::error::{Error, ErrorKind};
use crate::fs::{FileId, Source, Sync, System};
use crate::ops::assemble::{self, Chosen, Crew, Found, Loose, Part, Parts, Sharing, Tally, shown};
use crate::ops::context::{Context, Existing, Problem, Refusal};
use crate::ops::expansion;
use crate::ops::game::{LoadedPak, Served, View, Winners};
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::select::Selection;
use crate::ops::split::{self, Job, Lowered, Output, Stale, hard_to_find};
use crate::pak::{Archive, Layout, Plan, RawName};

/// Writes what `view` serves into one pak; with `loose`, loose files as well. `options` say where
/// and how: the destination must be a file, and `recursive` says nothing.
///
/// # Errors
///
/// Nothing is written where the destination is a directory, the output is one of the game's paks
/// or files by any name, or exists and may not be replaced.
pub fn merge(
    context: &Context<'_>,
    view: &View,
    loose: bool,
    options: &ConvertOptions,
) -> Result<ConvertReport, Refusal> {
    let Destination::File(target) = &options.destination else {
        let found = view.folders().len();
        return Err(Error::from(ErrorKind::OneOutput { found }).into());
    };
    options.rules.check(options.to)?;
    let mut winners = view.taken(&Selection::all(), loose, options.lowercase, true);
    let mut problems = core::mem::take(&mut winners.problems);
    problems.extend(winners.doubt(view.engine()));
    let system = &System::real();
    let merged = Merged::of(&winners, view, options.lowercase, system)?;
    let parts = Lowered::of(&merged, options.lowercase);

    let mut claims = assemble::claims(&parts, options.to);
    place(&winners, &mut claims, |index| index);
    let chosen = Chosen::without(&parts, &claims);
    let sharing = Sharing::of(&chosen, options.to);
    // What could not be read, or is cut short, has entries that the output would lack.
    let whole = claims.is_empty() && !view.problems().iter().any(Problem::is_error);
    let possible = chosen.count() > 0 && (whole || options.keep_going);
    let lists = if possible {
        split::split(&chosen, &sharing, options.to, &options.rules)?
    } else {
        None
    };

    let (root, name) = system
        .root_of_file(target, Sync::each(options.sync))
        .map_err(Error::from)?;
    check_format(target, options.to)?;
    check_parent(target)?;
    let meeting = Meeting {
        root: &root,
        rules: &options.rules,
        sources: &sources(view, &winners, system, options.existing)?,
        existing: options.existing,
    };
    let count = lists.as_ref().map_or(1, Vec::len);
    let outputs = meeting
        .outputs((&name, target), count, &mut |_| Ok(()))
        .map_err(Refusal)?;
    let mut report = PakReport {
        source: view
            .folders()
            .first()
            .map_or_else(PathBuf::new, |folder| folder.path().into()),
        target: target.clone(),
        outcome: Outcome::Kept,
        from: Some(view.engine().profile().layout),
        to: options.to,
        entries: parts.count() as u64,
        skipped: 0,
        mended: 0,
        bytes_in: winners.served.iter().map(Served::size).sum(),
        parts: Vec::new(),
        parts_kept: 0,
        bytes_out: None,
        hard_to_find: Vec::new(),
        problems: Vec::new(),
    };
    if let Some(outputs) = outputs {
        if !options.rules.limit() {
            let warning = too_much(view.engine(), options.to, &winners, target);
            report.problems.extend(warning);
        }
        remark(&mut report, &parts, &outputs, options);
        if possible {
            let plan = || assemble::plan(&chosen, &sharing, options.to).ok();
            let plan = lists.is_none().then(plan).flatten();
            report
                .problems
                .extend(lost(view, options.to, plan.as_ref()));
        }
        let shown = shown(target);
        let merging = Merging {
            context,
            options,
            meeting,
            outputs: &outputs,
            stale: &meeting.stale((&name, target), &outputs, |_| false),
            chosen: &chosen,
            possible,
            winners: &winners,
            len: read(view, &winners),
        };
        context.observer.begin(&shown);
        let worked = merging.work(&mut report, sharing, lists, claims);
        context.observer.end(&shown);
        let paks = view.paks().zip(&merged.archives);
        let reserved = paks.filter_map(|(pak, archive)| open::reserved(archive, &pak.path));
        report.problems.extend(reserved);
        match worked {
            Ok(outcome) => report.outcome = outcome,
            Err(error) if matches!(error.kind(), ErrorKind::NotTheParts { .. }) => {
                return Err(error.into());
            }
            Err(error) => {
                report.outcome = match error.kind() {
                    ErrorKind::Interrupted => Outcome::Stopped,
                    _ => Outcome::Failed,
                };
                report.problems.push(Problem::error(error.in_pak(target)));
            }
        }
    }
    let left = root.finish().into_iter();
    problems.extend(left.map(|error| Problem::error(error.into())));
    Ok(ConvertReport {
        paks: vec![report],
        problems,
    })
}

/// Warns of what the engine will not find or load.
fn remark(report: &mut PakReport, parts: &dyn Parts, outputs: &[Output], options: &ConvertOptions) {
    let (hard_to_find, warnings) = hard_to_find(options.rules.engine, parts);
    report.hard_to_find = hard_to_find;
    let place = |it: Problem| Problem::warning(it.error.in_pak(&report.target));
    let warnings: Vec<Problem> = warnings.into_iter().map(place).collect();
    report.problems.extend(warnings);
    if let [output] = outputs {
        let warning = output.not_loaded(options.rules.engine);
        report.problems.extend(warning);
    }
}

struct Merging<'a> {
    context: &'a Context<'a>,
    options: &'a ConvertOptions,
    meeting: Meeting<'a>,
    outputs: &'a [Output],
    stale: &'a Stale,
    /// What is not known to be damaged without being read.
    chosen: &'a Chosen<'a>,
    /// Whether they may be written.
    possible: bool,
    winners: &'a Winners<'a>,
    /// How long all that is read is.
    len: u64,
}

impl Merging<'_> {
    fn work(
        &self,
        report: &mut PakReport,
        sharing: Sharing,
        lists: Option<Vec<Vec<u32>>>,
        claims: Vec<Found>,
    ) -> Result<Outcome, Error> {
        if report.entries == 0 {
            let nothing = Error::from(ErrorKind::NothingToWrite).in_pak(&report.target);
            report.problems.push(Problem::error(nothing));
            return Ok(Outcome::Failed);
        }
        let bytes = split::bytes(self.chosen, &sharing, lists.as_deref());
        expansion::check(bytes, self.len, self.options.max_expansion)?;
        let pool = Pool::new(self.context.jobs);
        let crew = Crew {
            pool: &pool,
            cancel: self.context.cancel,
            observer: self.context.observer,
        };
        let job = Job {
            crew,
            meeting: self.meeting,
            outputs: self.outputs,
            parts: self.chosen,
            to: self.options.to,
            keep_going: self.options.keep_going,
        };
        let mut tally = Tally::default();
        let mut outcome = Outcome::Failed;
        match (self.possible, self.options.dry_run) {
            (true, true) => {
                (report.parts, report.parts_kept) = job.plan(&sharing, lists.as_deref())?;
                outcome = match report.parts.is_empty() {
                    true => Outcome::Kept,
                    false => Outcome::Planned,
                };
            }
            (true, false) => {
                let made = job.write(sharing, lists)?;
                (report.parts, report.parts_kept) = (made.outputs, made.kept);
                tally = made.tally;
                outcome = match (report.parts.is_empty(), report.parts_kept) {
                    (false, _) => Outcome::Written,
                    (true, 1..) => Outcome::Kept,
                    (true, 0) => Outcome::Failed,
                };
            }
            (false, true) => {}
            // It will not be written: all that is left is to name every entry that is damaged.
            (false, false) => tally = assemble::check(crew, self.chosen, &sharing)?,
        }
        let parts = report.parts.len() + report.parts_kept;
        if report.parts.is_empty() && parts > 0 {
            report.forget();
        }
        report.bytes_out = report.parts.iter().map(|part| part.bytes).sum();
        if parts > 0 {
            report.problems.extend(self.stale.behind(parts));
        }
        let inner = |index| self.chosen.inner(index);
        place(self.winners, &mut tally.failed, inner);
        place(self.winners, &mut tally.odd, inner);
        tell(report, self.chosen, claims, tally);
        Ok(outcome)
    }
}

/// Gives what was found the pak that it is in, and the name that it has there.
fn place(winners: &Winners<'_>, found: &mut [Found], inner: impl Fn(usize) -> usize) {
    for found in found {
        if let Some(served) = winners.served.get(inner(found.index)) {
            found.error.set_pak(served.path());
            let name = |_| Some(served.name().as_bytes().to_vec());
            found.error.rename_entry(name);
        }
    }
}

/// The winners as parts of one pak.
struct Merged {
    /// The paks, opened once more: to be copied from, and not only looked at.
    archives: Vec<Archive<Source>>,
    of: Vec<Of>,
}

/// Where a winner lies.
enum Of {
    /// In the pak of this number, as the entry of this one.
    Pak(u32, usize),
    File(Loose),
}

impl Merged {
    fn of(
        winners: &Winners<'_>,
        view: &View,
        lowercase: bool,
        system: &System,
    ) -> Result<Self, Error> {
        let mut archives = Vec::new();
        let mut numbers = HashMap::new();
        for (pak, number) in view.paks().zip(0..) {
            archives.push(pak.reopen(system)?);
            numbers.insert(pak.path.as_path(), number);
        }
        let of = |served: &Served<'_>| match served {
            Served::Entry(pak, entry) => {
                let number = numbers.get(pak.path.as_path()).copied();
                Of::Pak(number.unwrap_or_default(), entry.index())
            }
            Served::Loose(file) => {
                let mut file = file.to_pack(system);
                let name = findable(RawName::new(&file.name)).filter(|_| lowercase);
                file.name = name.unwrap_or(file.name);
                Of::File(file)
            }
        };
        let of = winners.served.iter().map(of).collect();
        Ok(Self { archives, of })
    }
}

impl Parts for Merged {
    fn count(&self) -> usize {
        self.of.len()
    }

    fn part(&self, index: usize) -> Option<Part<'_>> {
        match self.of.get(index)? {
            Of::Pak(pak, entry) => {
                let archive = self.archives.get(*pak as usize)?;
                Some(Part::Entry(archive.entry(*entry)?, *pak))
            }
            Of::File(file) => Some(Part::Loose(file)),
        }
    }
}

/// Warnings where the engine knows paks of the game by their directories, and will not know the
/// output.
fn lost(view: &View, to: Layout, plan: Option<&Plan<'_>>) -> Vec<Problem> {
    if to != Layout::Quake {
        return Vec::new();
    }
    let lost = |pak: &LoadedPak| {
        let mut problem = stock_lost(&pak.archive, plan)?;
        problem.error.set_pak(&pak.path);
        Some(problem)
    };
    view.paks().filter_map(lost).collect()
}

/// How long the paks are, and the loose files that are taken.
fn read(view: &View, winners: &Winners<'_>) -> u64 {
    let loose = winners.served.iter().filter(|it| it.entry().is_none());
    let paks = view.paks().map(|pak| pak.archive.file_len());
    paks.chain(loose.map(Served::size)).sum()
}

/// The files that must not be replaced.
fn sources(
    view: &View,
    winners: &Winners<'_>,
    system: &System,
    existing: Existing,
) -> Result<HashMap<FileId, PathBuf>, Error> {
    let served = winners.served.iter().map(Served::path);
    let paths: Vec<PathBuf> = view
        .all_paks()
        .chain(served)
        .map(Path::to_path_buf)
        .collect();
    targets::sources(system, paths.iter(), existing)
}

/// A warning where the engine would not load the result.
fn too_much(engine: Engine, to: Layout, winners: &Winners<'_>, target: &Path) -> Vec<Problem> {
    // Who writes the other layout means another engine.
    if engine.profile().layout != to {
        return Vec::new();
    }
    let mut facts = Facts::new(to, 0);
    for served in &winners.served {
        facts.add(served.name(), served.size(), None);
    }
    let verdict = facts.judge(engine);
    if verdict.loads() || winners.served.is_empty() {
        return Vec::new();
    }
    let words: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
    let kind = ErrorKind::NeverLoaded {
        engine: engine.name(),
        why: words.join("; "),
    };
    vec![Problem::warning(Error::from(kind).in_pak(target))]
}
