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
//! Entries that the engine finds under no name are in no listing, which says so. They are taken all the same, each
//! name once: a pak without them would be poorer for other engines.
//!
//! Where names are to become what every engine finds, classes become one in the same way: the one
//! whose name needs no change is taken, or else the one that is searched first. Each copy that is
//! served and not taken is warned of.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::View;
use super::find::Served;
use crate::engine::{Duplicates, Engine, Loose, Names, findable};
use crate::error::{Error, ErrorKind};
use crate::ops::context::Problem;
use crate::ops::select::Selection;
use crate::pak::RawName;

/// Every file that is served, of those that were asked for.
#[derive(Debug)]
pub struct Winners<'a> {
    /// In the order in which paks load and folders are searched, the later ones last; within a
    /// pak in the directory's order.
    pub served: Vec<Served<'a>>,
    /// Names of which it is not defined which of their entries in one pak is served: the winners'
    /// places in `served`.
    pub undefined: Vec<usize>,
    /// Globs that picked nothing, what could not be looked at, and what is served and not taken.
    pub problems: Vec<Problem>,
}

impl Winners<'_> {
    /// A warning where it is not defined what is served.
    pub(in crate::ops) fn doubt(&self, engine: Engine) -> Option<Problem> {
        let (count, engine) = (self.undefined.len(), engine.name());
        (count > 0).then(|| Problem::warning(ErrorKind::Undefined { engine, count }.into()))
    }
}

impl View {
    /// Every file that is served under its own name and that `selection` picks: of paks alone, or
    /// with `loose` of loose files as well, which can shadow entries then.
    #[must_use]
    pub fn winners(&self, selection: &Selection, loose: bool) -> Winners<'_> {
        let mut problems = Vec::new();
        let all = Copies::of(self, loose, &mut problems);
        let (mut chosen, mut never) = (Vec::new(), Vec::new());
        for class in all.by_name(self, false).chunk_by(Named::same) {
            let class = all.class(class, self);
            if class.is_never_found() {
                never.extend(class.entry);
                continue;
            }
            let own = class.ranks();
            let own = own.filter(|rank| class.answer(all.name(*rank)) == Some(*rank));
            chosen.extend(own.map(|rank| (rank, class.is_doubtful(rank))));
        }
        problems.extend(self.left_out(&all, never, selection));
        all.winners(selection, chosen, problems)
    }

    /// A warning of entries that are left out, since no request finds them.
    fn left_out(
        &self,
        all: &Copies<'_>,
        mut never: Vec<usize>,
        selection: &Selection,
    ) -> Option<Problem> {
        never.sort_unstable_by_key(|rank| all.place(*rank));
        let never = never.into_iter().map(|rank| all.name(rank));
        let never = never.filter(|name| selection.picks(RawName::new(name)));
        let never = ErrorKind::hard_to_find(self.engine().name(), false, never)?;
        Some(Problem::warning(never.into()))
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
        let mut problems = Vec::new();
        let all = Copies::of(self, loose, &mut problems);
        let (mut chosen, mut left, mut never) = (Vec::new(), Vec::new(), Vec::new());
        let same = |a: &Named<'_>, b: &Named<'_>| {
            a.same(b) || lowercase && found_as(&a.name) == found_as(&b.name)
        };
        for family in all.by_name(self, lowercase).chunk_by(same) {
            let classes = family.chunk_by(Named::same);
            let classes: Vec<Class<'_>> = classes.map(|class| all.class(class, self)).collect();
            let clean = classes.iter().position(Class::is_clean);
            let first = || (0..classes.len()).min_by_key(|at| classes.get(*at).map(Class::first));
            let best = clean.or_else(first).unwrap_or_default();
            if let Some(class) = classes.get(best)
                && !unfound
                && class.is_never_found()
            {
                never.extend(class.entry);
                continue;
            }
            let Some(taken) = classes.get(best).map(|class| class.taken(&all)) else {
                continue;
            };
            for (at, class) in classes.iter().enumerate() {
                let others = class.served(&all).into_iter();
                let others = others.filter(|rank| *rank != taken);
                left.extend(others.map(|rank| (rank, taken, at == best)));
                if at == best {
                    chosen.push((taken, class.is_doubtful(taken)));
                }
            }
        }
        left.sort_unstable_by_key(|(rank, ..)| all.place(*rank));
        let picked = left
            .into_iter()
            .filter(|(rank, ..)| selection.picks(RawName::new(all.name(*rank))));
        let engine = self.engine().name();
        let warnings = picked.filter_map(|(rank, taken, alone)| {
            let (copy, taken) = (all.copy(rank)?, all.copy(taken)?.place());
            let kind = if alone {
                ErrorKind::SpelledAlike { engine, taken }
            } else {
                ErrorKind::LoweredAway { taken }
            };
            Some(Problem::warning(copy.located(Error::from(kind))))
        });
        problems.extend(warnings);
        problems.extend(self.left_out(&all, never, selection));
        all.winners(selection, chosen, problems)
    }
}

/// Everything that could be served. A copy's rank is its number in the order in which they are
/// searched.
#[derive(Default)]
struct Copies<'a> {
    /// In the order of [`Winners::served`].
    copies: Vec<Served<'a>>,
    /// Their places there, by their ranks.
    places: Vec<usize>,
}

impl<'a> Copies<'a> {
    fn of(view: &'a View, loose: bool, problems: &mut Vec<Problem>) -> Self {
        let profile = view.engine().profile();
        let mut groups: Vec<(Vec<Served<'a>>, bool)> = Vec::new();
        for folder in view.folders() {
            let files = if loose {
                folder.loose(view.engine(), problems)
            } else {
                Vec::new()
            };
            let files = (files.into_iter().map(Served::Loose).collect(), false);
            let paks = folder.paks().map(|pak| {
                let entries = pak.archive.entries();
                let entries = entries.map(|entry| Served::Entry(pak, entry)).collect();
                (entries, profile.duplicates == Duplicates::Last)
            });
            match profile.loose {
                Loose::Loses => groups.extend([files].into_iter().chain(paks)),
                Loose::Wins => groups.extend(paks.chain([files])),
            }
        }
        let mut all = Self::default();
        let mut end: usize = groups.iter().map(|(group, _)| group.len()).sum();
        for (group, last_first) in groups.iter().rev() {
            let start = end - group.len();
            if *last_first {
                all.places.extend((start..end).rev());
            } else {
                all.places.extend(start..end);
            }
            end = start;
        }
        all.copies = groups.into_iter().flat_map(|(group, _)| group).collect();
        all
    }

    fn place(&self, rank: usize) -> usize {
        self.places.get(rank).copied().unwrap_or(usize::MAX)
    }

    fn copy(&self, rank: usize) -> Option<&Served<'a>> {
        self.copies.get(self.place(rank))
    }

    fn name(&self, rank: usize) -> &[u8] {
        self.copy(rank).map_or(&[], |copy| copy.name().as_bytes())
    }

    /// All of them by their names as the engine compares them, and those of one name in the order in
    /// which they are searched; with `lowercase` names side by side that become one.
    fn by_name(&self, view: &View, lowercase: bool) -> Vec<Named<'_>> {
        let names = view.engine().profile().names;
        let named = |rank| {
            let name = self.name(rank);
            let key = match self.copy(rank) {
                Some(Served::Entry(..)) => names.of_entry(name),
                _ => names.of_request(name),
            };
            Named {
                never_found: key.is_none(),
                name: key.unwrap_or(Cow::Borrowed(name)),
                rank,
            }
        };
        let mut all: Vec<Named<'_>> = (0..self.places.len()).map(named).collect();
        all.sort_unstable();
        if lowercase {
            all.sort_by_cached_key(|named| found_as(&named.name).into_owned());
        }
        all
    }

    /// What answers to each spelling, of copies that have one name.
    fn class<'s>(&'s self, named: &'s [Named<'s>], view: &View) -> Class<'s> {
        let profile = view.engine().profile();
        let defined = profile.duplicates != Duplicates::NotDefined;
        let mut class = Class {
            named,
            names: profile.names,
            loose: HashMap::new(),
            entry: None,
            doubtful: false,
        };
        let mut ranks = class.ranks();
        while let Some(rank) = ranks.next() {
            let Some(Served::Entry(pak, _)) = self.copy(rank) else {
                class.loose.entry(self.name(rank)).or_insert(rank);
                continue;
            };
            class.entry = Some(rank);
            // Entries of one pak follow each other in the search.
            let next = ranks.next().and_then(|next| self.copy(next));
            class.doubtful = !defined
                && matches!(next, Some(Served::Entry(other, _)) if core::ptr::eq(*other, *pak));
            break;
        }
        class
    }

    /// Those of `chosen` that `selection` picks; with each comes whether it is not defined.
    fn winners(
        self,
        selection: &Selection,
        mut chosen: Vec<(usize, bool)>,
        mut problems: Vec<Problem>,
    ) -> Winners<'a> {
        for (rank, _) in &mut chosen {
            *rank = self.place(*rank);
        }
        chosen.sort_unstable();
        let mut chosen = chosen.into_iter().peekable();
        let (mut served, mut undefined) = (Vec::new(), Vec::new());
        for (place, copy) in self.copies.into_iter().enumerate() {
            let Some((_, doubtful)) = chosen.next_if(|(chosen, _)| *chosen == place) else {
                continue;
            };
            if selection.picks(copy.name()) {
                if doubtful {
                    undefined.push(served.len());
                }
                served.push(copy);
            }
        }
        problems.extend(selection.unmatched().map(Problem::error));
        Winners {
            served,
            undefined,
            problems,
        }
    }
}

/// A copy by its rank, and its name as the engine compares it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named<'a> {
    name: Cow<'a, [u8]>,
    /// Whether no request finds it; then this is the name that it has.
    never_found: bool,
    rank: usize,
}

impl Named<'_> {
    /// Whether the two are one name.
    fn same(&self, other: &Self) -> bool {
        (&self.name, self.never_found) == (&other.name, other.never_found)
    }
}

/// Copies of what is one name to the engine.
struct Class<'a> {
    /// All of them, in the order in which they are searched.
    named: &'a [Named<'a>],
    /// How the engine takes names.
    names: Names,
    /// The loose files that are found before any entry, by how they are spelled.
    loose: HashMap<&'a [u8], usize>,
    /// The entry that is found first.
    entry: Option<usize>,
    /// Whether another entry of the same pak might be found as well.
    doubtful: bool,
}

impl<'a> Class<'a> {
    fn ranks(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.named.iter().map(|named| named.rank)
    }

    /// What is searched first.
    fn first(&self) -> usize {
        self.ranks().next().unwrap_or_default()
    }

    /// The name as it is compared.
    fn name(&self) -> &[u8] {
        self.named.first().map_or(&[], |named| &named.name)
    }

    /// What is served under a spelling.
    fn answer(&self, name: &[u8]) -> Option<usize> {
        let file = self.names.clean_request(name);
        let file = file.and_then(|name| self.loose.get(&*name).copied());
        file.or(self.entry)
    }

    /// Whether no request finds them.
    fn is_never_found(&self) -> bool {
        self.named.first().is_some_and(|named| named.never_found)
    }

    /// All that is served under spellings that copies have.
    fn spelled(&self, all: &Copies<'_>) -> Vec<usize> {
        if self.loose.is_empty() {
            return self.entry.into_iter().collect();
        }
        let answers = self.ranks().filter_map(|rank| self.answer(all.name(rank)));
        let mut seen = HashSet::new();
        answers.filter(|rank| seen.insert(*rank)).collect()
    }

    /// The same, and what is served in lower case, which games ask for whatever copies are called.
    fn served(&self, all: &Copies<'_>) -> Vec<usize> {
        let mut served = self.spelled(all);
        let lower = self.answer(self.name());
        served.extend(lower.filter(|rank| !served.contains(rank)));
        served
    }

    /// The one that is taken.
    fn taken(&self, all: &Copies<'_>) -> usize {
        match self.spelled(all).as_slice() {
            [only] => *only,
            _ => self.answer(self.name()).unwrap_or_else(|| self.first()),
        }
    }

    fn is_doubtful(&self, rank: usize) -> bool {
        self.doubtful && self.entry == Some(rank)
    }

    /// Whether its name is one that every engine finds.
    fn is_clean(&self) -> bool {
        !self.is_never_found() && matches!(found_as(self.name()), Cow::Borrowed(_))
    }
}

/// The name that every engine finds, for one that is compared.
fn found_as(name: &[u8]) -> Cow<'_, [u8]> {
    findable(RawName::new(name)).map_or(Cow::Borrowed(name), Cow::Owned)
}
