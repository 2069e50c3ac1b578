//! What is served under every name, and what is taken where all of it goes into one place.
//!
//! A listing shows every copy that is served under its own name. An engine that ignores case in paks
//! can serve `a` from a loose file and `A` from a pak: both are listed and extracted.
//!
//! An archive cannot keep two copies whose names are one to the engine's paks, and with lower case no
//! place can keep two whose names become one. Of such copies the one whose name is in lower case is
//! taken, or else the one that is searched first. The others are warned of.
//!
//! Entries that the engine finds under no name are in no listing, which says so. A merge takes them
//! all the same, each name once: other engines may find them.

use std::path::Path;

use super::candidate::{Candidate, mark_served};
use super::pak::LoadedPak;
use super::view::View;
use crate::archive::{Archive, Entry, RawName, escape_path, quoted};
use crate::engine::{Duplicates, Engine, Loose, findable};
use crate::ops::finding::{Finding, Notice, names_hard_to_find};
use crate::ops::source::Selection;

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
    pub findings: Vec<Finding>,
}

impl<'a> Winners<'a> {
    /// Those of `chosen` that `selection` picks.
    fn new(
        mut chosen: Vec<Candidate<'a>>,
        selection: &Selection,
        mut findings: Vec<Finding>,
    ) -> Self {
        chosen.sort_unstable_by_key(Candidate::place);
        let (mut served, mut undefined) = (Vec::new(), Vec::new());
        for copy in chosen {
            if selection.picks(copy.entry.name()) {
                if copy.is_doubtful {
                    undefined.push(served.len());
                }
                served.push(copy.entry);
            }
        }
        findings.extend(selection.unmatched());
        Self {
            served,
            undefined,
            findings,
        }
    }

    /// A warning where it is not defined what is served.
    #[must_use]
    pub fn doubt(&self, engine: Engine) -> Option<Finding> {
        let count = self.undefined.len();
        (count > 0).then(|| undefined(engine, count))
    }
}

impl View {
    /// Every file that is served under its own name and that `selection` picks: of paks alone, or
    /// with `loose` of loose files as well, which can shadow entries then.
    #[must_use]
    pub fn winners(&self, selection: &Selection, loose: bool) -> Winners<'_> {
        let mut findings = Vec::new();
        let copies = self.served(loose, &mut findings);
        let found = self.found(copies, selection, &mut findings);
        Winners::new(found, selection, findings)
    }

    /// What an extraction writes: every file that is served, or with `lowercase` one copy of those
    /// whose names become one. What is left out is warned of.
    pub(in crate::ops) fn to_extract(
        &self,
        selection: &Selection,
        loose: bool,
        lowercase: bool,
    ) -> Winners<'_> {
        if !lowercase {
            return self.winners(selection, loose);
        }
        let mut findings = Vec::new();
        let copies = self.served(loose, &mut findings);
        let found = self.found(copies, selection, &mut findings);
        let taken = one_of_each(found, true, selection, &mut findings);
        Winners::new(taken, selection, findings)
    }

    /// What a merge writes: one copy of each name as the engine's paks take names, or with `lowercase`
    /// of each name in lower case. What is left out is warned of. What the engine never finds is taken,
    /// too, since another engine may.
    pub(in crate::ops) fn to_merge(
        &self,
        selection: &Selection,
        loose: bool,
        lowercase: bool,
    ) -> Winners<'_> {
        let mut findings = Vec::new();
        let copies = self.served(loose, &mut findings);
        let taken = one_of_each(copies, lowercase, selection, &mut findings);
        Winners::new(taken, selection, findings)
    }

    /// Every copy that is served under its own name, and one of each name that is never found.
    fn served(&self, loose: bool, findings: &mut Vec<Finding>) -> Vec<Candidate<'_>> {
        let profile = self.engine().profile();
        let mut copies = self.candidates(loose, findings);
        for alike in copies.chunk_by_mut(Candidate::is_alike) {
            match alike.first_mut() {
                Some(first) if first.never_found => first.is_served = true,
                _ => mark_served(alike, &profile),
            }
        }
        copies.retain(|copy| copy.is_served);
        copies
    }

    /// The copies without those that no request finds; left out entries are warned of.
    fn found<'a>(
        &self,
        copies: Vec<Candidate<'a>>,
        selection: &Selection,
        findings: &mut Vec<Finding>,
    ) -> Vec<Candidate<'a>> {
        let (mut never, found): (Vec<_>, Vec<_>) =
            copies.into_iter().partition(|copy| copy.never_found);
        never.retain(|copy| !copy.entry.is_file());
        findings.extend(self.never_found(never, selection));
        found
    }

    /// A warning of entries that are left out, since no request finds them.
    fn never_found(&self, mut never: Vec<Candidate<'_>>, selection: &Selection) -> Option<Finding> {
        never.sort_unstable_by_key(|copy| copy.place());
        let never = never.iter().map(|copy| copy.name());
        let never = never.filter(|name| selection.picks(RawName::new(name)));
        names_hard_to_find(self.engine().into(), false, never)
    }

    /// Everything that could be served, by name as the engine compares it, and within one name in the
    /// order in which it is searched.
    fn candidates<'a>(&'a self, loose: bool, findings: &mut Vec<Finding>) -> Vec<Candidate<'a>> {
        let profile = self.engine().profile();
        let mut places: Vec<Place<'_>> = Vec::new();
        for folder in self.folders() {
            let files = loose.then(|| folder.loose());
            findings.extend(files.iter().flat_map(|files| files.findings()));
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
        candidates
    }
}

/// One copy of those that have one name to the engine's paks, or with `lowercase` in lower case. The
/// others are warned of.
fn one_of_each<'a>(
    mut copies: Vec<Candidate<'a>>,
    lowercase: bool,
    selection: &Selection,
    findings: &mut Vec<Finding>,
) -> Vec<Candidate<'a>> {
    if lowercase {
        copies.sort_by_cached_key(|copy| findable(&copy.key).into_owned());
    }
    let become_one = |a: &Candidate<'_>, b: &Candidate<'_>| {
        a.is_alike(b) || lowercase && findable(&a.key) == findable(&b.key)
    };
    let mut left = Vec::new();
    for family in copies.chunk_by_mut(become_one) {
        family.sort_unstable_by_key(Candidate::precedence);
        let Some((taken, others)) = family.split_first_mut() else {
            continue;
        };
        for copy in others {
            copy.is_served = false;
            if selection.picks(copy.entry.name()) {
                left.push((copy.place(), copy.entry, taken.entry));
            }
        }
    }
    copies.retain(|copy| copy.is_served);
    left.sort_unstable_by_key(|(place, ..)| *place);
    for (_, entry, taken) in left {
        let taken = in_words(&taken);
        let why = format!(
            "this is left out: in lower case its name is also that of {taken}, which is taken"
        );
        findings.push(Finding::warning(Notice::NamesAlike, why).of_entry(&entry));
    }
    copies
}

/// Where entries are searched.
#[derive(Clone, Copy)]
enum Place<'a> {
    Pak(&'a LoadedPak),
    /// The loose files of a folder.
    Files(&'a Archive),
}

/// The warning that it is not defined which entry of so many names is served.
pub(super) fn undefined(engine: Engine, count: usize) -> Finding {
    let engine = engine.name();
    let have = if count == 1 { "name has" } else { "names have" };
    let why = format!(
        "{count} {have} several entries in one pak, and {engine} may serve any of them; the first is taken"
    );
    Finding::warning(Notice::Undefined, why)
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
