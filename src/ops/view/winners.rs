//! What is served under every name, and what is taken where all of it goes into one place.
//!
//! Copies whose names are one to the engine's paks make a **class**. An entry answers to every
//! spelling of its name that the engine takes for one, and a loose file to its own spelling alone.
//! So an engine that ignores case can serve one name from two places, by how it is spelled. A
//! listing shows both copies, each under its own spelling. A pak, where spellings are one again,
//! cannot have both, so that one is **taken**:
//!
//! | the spellings that copies have are served by  | taken is                              |
//! |-----------------------------------------------|---------------------------------------|
//! | one copy                                      | that one                              |
//! | several                                       | what is served in lower case, or, if nothing is, what is searched first |
//!
//! Entries that the engine finds under no name are in no listing, which says so. A merge takes them
//! all the same, each name once: a pak without them would be poorer for other engines.
//!
//! Where names are to become what every engine finds, classes become one in the same way: the one
//! whose name needs no change is taken, or else the one that is searched first. Each copy that is
//! served and not taken is warned of.

use std::path::Path;

use super::class::{Candidate, Class};
use super::game::View;
use super::pak::LoadedPak;
use crate::archive::{Archive, Entry, RawName, escape_path, quoted};
use crate::engine::{Duplicates, Engine, Loose, findable};
use crate::error::{Error, ErrorKind};
use crate::ops::context::Problem;
use crate::ops::select::Selection;

/// Every file that is served, of those that were asked for.
#[derive(Debug)]
pub struct Winners<'a> {
    /// In the order in which paks load and folders are searched, the later ones last; within a
    /// pak in the directory's order. A loose file is an entry of its folder.
    pub served: Vec<Entry<'a>>,
    /// Names of which it is not defined which of their entries in one pak is served: the winners'
    /// places in `served`.
    pub undefined: Vec<usize>,
    /// Globs that picked nothing, what could not be looked at, and what is served and not taken.
    pub problems: Vec<Problem>,
}

impl<'a> Winners<'a> {
    /// Those of `chosen` that `selection` picks; with each comes whether it is not defined.
    fn new(
        mut chosen: Vec<(&Candidate<'a>, bool)>,
        selection: &Selection,
        mut problems: Vec<Problem>,
    ) -> Self {
        chosen.sort_unstable_by_key(|(copy, _)| copy.place());
        let (mut served, mut undefined) = (Vec::new(), Vec::new());
        for (copy, is_doubtful) in chosen {
            if selection.picks(copy.entry.name()) {
                if is_doubtful {
                    undefined.push(served.len());
                }
                served.push(copy.entry);
            }
        }
        problems.extend(selection.unmatched().map(Problem::error));
        Self {
            served,
            undefined,
            problems,
        }
    }

    /// A warning where it is not defined what is served.
    #[must_use]
    pub fn doubt(&self, engine: Engine) -> Option<Problem> {
        let count = self.undefined.len();
        (count > 0).then(|| undefined(engine, count))
    }
}

impl View {
    /// Every file that is served under its own name and that `selection` picks: of paks alone, or
    /// with `loose` of loose files as well, which can shadow entries then.
    #[must_use]
    pub fn winners(&self, selection: &Selection, loose: bool) -> Winners<'_> {
        let profile = self.engine().profile();
        let mut problems = Vec::new();
        let candidates = self.candidates(loose, false, &mut problems);
        let (mut chosen, mut never) = (Vec::new(), Vec::new());
        for alike in candidates.chunk_by(Candidate::is_alike) {
            let class = Class::new(alike, &profile);
            if class.is_never_found() {
                never.extend(class.entry);
                continue;
            }
            let served = class.served_as_named();
            chosen.extend(served.map(|copy| (copy, class.is_doubtful(copy))));
        }
        problems.extend(self.never_found(never, selection));
        Winners::new(chosen, selection, problems)
    }

    /// One copy of each name, where names are one to the engine, or with `lowercase` where they
    /// are one in lower case. What is served besides is warned of. With `unfound` what the engine never
    /// finds is taken, too, since another engine may.
    pub(in crate::ops) fn taken(
        &self,
        selection: &Selection,
        loose: bool,
        lowercase: bool,
        unfound: bool,
    ) -> Winners<'_> {
        let profile = self.engine().profile();
        let mut problems = Vec::new();
        let candidates = self.candidates(loose, lowercase, &mut problems);
        let (mut chosen, mut left, mut never) = (Vec::new(), Vec::new(), Vec::new());
        let become_one = |a: &Candidate<'_>, b: &Candidate<'_>| {
            a.is_alike(b) || lowercase && findable(&a.key) == findable(&b.key)
        };
        for family in candidates.chunk_by(become_one) {
            let classes = family.chunk_by(Candidate::is_alike);
            let classes: Vec<_> = classes.map(|alike| Class::new(alike, &profile)).collect();
            let clean = classes.iter().find(|class| class.is_clean());
            let best = clean.or_else(|| classes.iter().min_by_key(|class| class.rank()));
            let Some(best) = best else {
                continue;
            };
            if !unfound && best.is_never_found() {
                never.extend(best.entry);
                continue;
            }
            let Some(taken) = best.taken() else {
                continue;
            };
            chosen.push((taken, best.is_doubtful(taken)));
            for class in &classes {
                let others = class.served().into_iter();
                let others = others.filter(|copy| copy.rank != taken.rank);
                left.extend(others.map(|copy| (copy, taken)));
            }
        }
        problems.extend(self.left_out(left, selection));
        problems.extend(self.never_found(never, selection));
        Winners::new(chosen, selection, problems)
    }

    /// A warning of each copy that is served and not taken, since another one is.
    fn left_out<'c>(
        &self,
        mut left: Vec<(&'c Candidate<'c>, &'c Candidate<'c>)>,
        selection: &Selection,
    ) -> Vec<Problem> {
        left.sort_unstable_by_key(|(copy, _)| copy.place());
        let engine = self.engine().name();
        let picked = left.into_iter();
        let picked = picked.filter(|(copy, _)| selection.picks(copy.entry.name()));
        let warnings = picked.map(|(copy, other)| {
            let taken = in_words(&other.entry);
            let kind = if copy.is_alike(other) {
                ErrorKind::SpelledAlike { engine, taken }
            } else {
                ErrorKind::LoweredAway { taken }
            };
            Problem::warning(copy.entry.locate(Error::from(kind)))
        });
        warnings.collect()
    }

    /// A warning of entries that are left out, since no request finds them.
    fn never_found(
        &self,
        mut never: Vec<&Candidate<'_>>,
        selection: &Selection,
    ) -> Option<Problem> {
        never.sort_unstable_by_key(|copy| copy.place());
        let never = never.iter().map(|copy| copy.name());
        let never = never.filter(|name| selection.picks(RawName::new(name)));
        let never = ErrorKind::hard_to_find(self.engine().into(), false, never)?;
        Some(Problem::warning(never.into()))
    }

    /// Everything that could be served, by name as the engine compares it, and within one name in the
    /// order in which it is searched; with `lowercase` names side by side that become one.
    fn candidates<'a>(
        &'a self,
        loose: bool,
        lowercase: bool,
        problems: &mut Vec<Problem>,
    ) -> Vec<Candidate<'a>> {
        let profile = self.engine().profile();
        let mut places: Vec<Place<'_>> = Vec::new();
        for folder in self.folders() {
            let files = loose.then(|| folder.loose());
            problems.extend(files.iter().flat_map(|files| files.problems()));
            let files = files.map(|files| Place::Files(&files.archive));
            let paks = folder.paks().map(Place::Pak);
            match profile.loose {
                Loose::Loses => places.extend(files.into_iter().chain(paks)),
                Loose::Wins => places.extend(paks.chain(files)),
            }
        }
        let mut candidates = Vec::new();
        for (loaded, place) in places.into_iter().enumerate().rev() {
            let names = match place {
                Place::Pak(pak) => pak.names,
                Place::Files(_) => profile.names,
            };
            let search = |entry: Entry<'a>| {
                let rank = candidates.len();
                candidates.push(Candidate::new(entry, names, rank, loaded));
            };
            match place {
                Place::Pak(pak) if pak.duplicates == Duplicates::Last => {
                    pak.entries().rev().for_each(search);
                }
                Place::Pak(pak) => pak.entries().for_each(search),
                Place::Files(files) => files.entries().for_each(search),
            }
        }
        candidates.sort_unstable_by(|a, b| {
            let [a, b] = [a, b].map(|it| (&it.key, it.never_found, it.rank));
            a.cmp(&b)
        });
        if lowercase {
            candidates.sort_by_cached_key(|copy| findable(&copy.key).into_owned());
        }
        candidates
    }
}

/// Where entries are searched.
#[derive(Clone, Copy)]
enum Place<'a> {
    Pak(&'a LoadedPak),
    /// The loose files of a folder.
    Files(&'a Archive),
}

/// The warning that it is not defined which entry of so many names is served.
pub(super) fn undefined(engine: Engine, count: usize) -> Problem {
    let engine = engine.name();
    Problem::warning(ErrorKind::Undefined { engine, count }.into())
}

/// Where a copy is.
fn in_words(entry: &Entry<'_>) -> String {
    let path = entry.path().map_or(Path::new(""), |path| path);
    let path = escape_path(path);
    if entry.is_file() {
        return path.to_string();
    }
    let name = quoted(entry.name().as_bytes());
    format!("{path}: entry {} {name}", entry.index())
}
