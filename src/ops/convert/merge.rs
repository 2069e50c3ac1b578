//! One pak out of all that an engine serves from a game's folders.
//!
//! Entries come in the order in which their paks load, and within a pak in the directory's order,
//! so that the same game gives the same bytes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::one::tell;
use super::targets::{self, Way, check_parent, meet};
use super::{ConvertOptions, ConvertReport, Destination, Outcome, PakReport};
use crate::error::{Error, ErrorKind};
use crate::ops::assemble::{self, Chosen, Crew, Found, Loose, Part, Parts, Sharing, Tally, shown};
use crate::ops::commit::{FileId, Over, Root, Source, Sync, System};
use crate::ops::context::{Context, Existing, Problem, Refusal};
use crate::ops::engine::{Engine, Facts};
use crate::ops::expansion;
use crate::ops::game::{Served, View, Winners};
use crate::ops::open::open_on;
use crate::ops::pool::Pool;
use crate::ops::select::Selection;
use crate::pak::{Archive, Layout};

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
    let system = &System::real();
    let mut winners = view.winners(&Selection::all(), loose);
    let parts = Merged::of(&winners, view, system)?;
    let (root, name) = system
        .root_of_file(target, Sync::each(options.sync))
        .map_err(Error::from)?;
    check_parent(target)?;
    let sources = sources(view, &winners, system, options.existing)?;
    let way =
        meet(&root, &name, &sources, options.existing).map_err(|error| error.in_pak(target))?;
    let mut report = PakReport {
        source: view
            .folders()
            .first()
            .map_or_else(PathBuf::new, |folder| folder.path().into()),
        target: target.clone(),
        outcome: Outcome::Failed,
        from: Some(view.engine().profile().layout),
        to: options.to,
        entries: parts.count() as u64,
        skipped: 0,
        mended: 0,
        bytes_in: winners.served.iter().map(Served::size).sum(),
        bytes_out: None,
        problems: too_much(view.engine(), options.to, &winners, target),
    };
    let shown = shown(target);
    let merging = Merging {
        context,
        options,
        parts: &parts,
        winners: &winners,
        len: read(view, &winners),
    };
    context.observer.begin(&shown);
    let worked = merging.work(&mut report, &root, &name, way);
    context.observer.end(&shown);
    match worked {
        Ok(outcome) => report.outcome = outcome,
        Err(error) => {
            if matches!(error.kind(), ErrorKind::Interrupted) {
                report.outcome = Outcome::Stopped;
            }
            report.problems.push(Problem::error(error.in_pak(target)));
        }
    }
    let mut problems = core::mem::take(&mut winners.problems);
    let left = root.finish().into_iter();
    problems.extend(left.map(|error| Problem::error(error.into())));
    Ok(ConvertReport {
        paks: vec![report],
        problems,
    })
}

struct Merging<'a> {
    context: &'a Context<'a>,
    options: &'a ConvertOptions,
    parts: &'a Merged,
    winners: &'a Winners<'a>,
    /// How long all that is read is.
    len: u64,
}

impl Merging<'_> {
    fn work(
        &self,
        report: &mut PakReport,
        root: &Root,
        name: &Path,
        way: Way,
    ) -> Result<Outcome, Error> {
        let over = match way {
            Way::New => Over::Nothing,
            Way::Replaces => Over::Old,
            Way::Kept => return Ok(Outcome::Kept),
        };
        if self.parts.count() == 0 {
            let nothing = Error::from(ErrorKind::NothingToWrite).in_pak(&report.target);
            report.problems.push(Problem::warning(nothing));
            return Ok(Outcome::Failed);
        }
        let (to, keep_going) = (self.options.to, self.options.keep_going);
        let mut claims = assemble::claims(self.parts);
        self.place(&mut claims, |index| index);
        let chosen = Chosen::without(self.parts, &claims);
        let sharing = Sharing::of(&chosen, to);
        let (bytes, times) = (sharing.bytes(&chosen), self.options.max_expansion);
        expansion::check(bytes, self.len, times)?;
        let possible = chosen.count() > 0 && (claims.is_empty() || keep_going);
        if self.options.dry_run {
            if possible && !assemble::needs_encoder(&chosen, to) {
                report.bytes_out = Some(assemble::plan(&chosen, &sharing, to)?.file_len());
            }
            tell(report, &chosen, claims, Tally::default());
            return Ok(if possible {
                Outcome::Planned
            } else {
                Outcome::Failed
            });
        }
        let pool = Pool::new(self.context.jobs);
        let crew = Crew {
            pool: &pool,
            cancel: self.context.cancel,
            observer: self.context.observer,
        };
        if !possible {
            // It will not be written: all that is left is to name every entry that is damaged.
            let mut tally = assemble::check(crew, &chosen, &sharing)?;
            self.place_all(&mut tally, &chosen);
            tell(report, &chosen, claims, tally);
            return Ok(Outcome::Failed);
        }
        let draft = root.draft(name)?;
        let (len, mut tally) = assemble::write(crew, &chosen, sharing, to, keep_going, &draft)?;
        self.place_all(&mut tally, &chosen);
        tell(report, &chosen, claims, tally);
        let Some(len) = len else {
            return Ok(Outcome::Failed);
        };
        self.context.cancel.check()?;
        draft.commit(over)?;
        report.bytes_out = Some(len);
        Ok(Outcome::Written)
    }

    fn place_all(&self, tally: &mut Tally, chosen: &Chosen<'_>) {
        self.place(&mut tally.failed, |index| chosen.inner(index));
        self.place(&mut tally.odd, |index| chosen.inner(index));
    }

    /// Gives what was found the pak that it is in.
    fn place(&self, found: &mut [Found], inner: impl Fn(usize) -> usize) {
        for found in found {
            if let Some(served) = self.winners.served.get(inner(found.index)) {
                found.error.set_pak(served.path());
            }
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
    fn of(winners: &Winners<'_>, view: &View, system: &System) -> Result<Self, Error> {
        let mut archives = Vec::new();
        let mut numbers = HashMap::new();
        for (pak, number) in view.paks().zip(0..) {
            let archive = open_on(system, &pak.path, Some(pak.archive.layout()))?;
            if archive.directory() != pak.archive.directory() {
                let (expected, found) = (pak.archive.file_len(), archive.file_len());
                return Err(Error::from(ErrorKind::Changed { expected, found }).in_pak(&pak.path));
            }
            archives.push(archive);
            numbers.insert(pak.path.as_path(), number);
        }
        let of = |served: &Served<'_>| match served {
            Served::Entry(pak, entry) => {
                let number = numbers.get(pak.path.as_path()).copied();
                Of::Pak(number.unwrap_or_default(), entry.index())
            }
            Served::Loose(file) => Of::File(Loose {
                name: file.name.clone(),
                path: file.path.clone(),
                len: file.size,
                system: system.clone(),
            }),
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
    let folders = view.folders().iter();
    let never = folders.flat_map(|folder| folder.never_loaded());
    let paths: Vec<PathBuf> = view
        .paks()
        .map(|pak| &*pak.path)
        .chain(never.map(|never| &*never.path))
        .chain(winners.served.iter().map(Served::path))
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
