//! Copies whose names are one to the engine, and which of them answers to which spelling.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::archive::Entry;
use crate::engine::{Duplicates, Names, Profile, findable};

/// A copy of a file that could be served.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    pub(super) entry: Entry<'a>,
    /// Its name as the engine compares it; where no request finds it, the name that it has.
    pub(super) key: Cow<'a, [u8]>,
    pub(super) never_found: bool,
    /// Its number in the order in which copies are searched.
    pub(super) rank: usize,
    /// The number of its archive in the order in which they load.
    pub(super) loaded: usize,
}

impl<'a> Candidate<'a> {
    pub(super) fn new(entry: Entry<'a>, names: Names, rank: usize, loaded: usize) -> Self {
        let name = entry.name().as_bytes();
        let key = if entry.is_file() {
            names.of_request(name)
        } else {
            names.of_entry(name)
        };
        Self {
            entry,
            never_found: key.is_none(),
            key: key.unwrap_or(name.into()),
            rank,
            loaded,
        }
    }

    /// Whether the two are one name to the engine.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        (&self.key, self.never_found) == (&other.key, other.never_found)
    }

    /// The name that it has.
    pub(super) fn name(&self) -> &'a [u8] {
        self.entry.name().as_bytes()
    }

    /// Its place in the order in which archives load, and entries lie in them.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.loaded, self.entry.index())
    }
}

/// Whether it is not defined which entry of one name in the same archive is served.
fn is_undefined(copy: &Candidate<'_>, profile: &Profile) -> bool {
    let format = copy.entry.archive().format();
    profile.duplicates_in(format) == Duplicates::NotDefined
}

/// Copies of what is one name to the engine.
pub(super) struct Class<'c, 'a> {
    /// All of them, in the order in which they are searched.
    candidates: &'c [Candidate<'a>],
    /// How the engine takes names.
    names: Names,
    /// The loose files that are found before any entry, by how they are spelled.
    loose: HashMap<&'a [u8], &'c Candidate<'a>>,
    /// The entry of a pak that is found first.
    pub(super) entry: Option<&'c Candidate<'a>>,
    /// Whether another entry of the same pak might be found as well.
    doubtful: bool,
}

impl<'c, 'a> Class<'c, 'a> {
    pub(super) fn new(candidates: &'c [Candidate<'a>], profile: &Profile) -> Self {
        let mut loose = HashMap::new();
        let first = candidates.iter().position(|it| !it.entry.is_file());
        let before = candidates.get(..first.unwrap_or(candidates.len()));
        for file in before.unwrap_or_default() {
            loose.entry(file.name()).or_insert(file);
        }
        let mut entries = candidates.iter().skip(first.unwrap_or(candidates.len()));
        let entry = entries.next();
        // Entries of one pak follow each other in the search.
        let same_pak = |(one, next): (&Candidate<'_>, &Candidate<'_>)| one.loaded == next.loaded;
        Self {
            candidates,
            names: profile.names,
            loose,
            entry,
            doubtful: entry.zip(entries.next()).is_some_and(same_pak)
                && entry.is_some_and(|it| is_undefined(it, profile)),
        }
    }

    /// The name as it is compared.
    fn key(&self) -> &[u8] {
        self.candidates.first().map_or(&[], |first| &first.key)
    }

    /// The rank of what is searched first.
    pub(super) fn rank(&self) -> usize {
        self.candidates
            .first()
            .map_or(usize::MAX, |first| first.rank)
    }

    /// Whether no request finds them.
    pub(super) fn is_never_found(&self) -> bool {
        self.candidates.first().is_some_and(|it| it.never_found)
    }

    /// Whether its name is one that every engine finds.
    pub(super) fn is_clean(&self) -> bool {
        !self.is_never_found() && matches!(findable(self.key()), Cow::Borrowed(_))
    }

    /// Whether it is not defined that this copy is served.
    pub(super) fn is_doubtful(&self, copy: &Candidate<'_>) -> bool {
        self.doubtful && self.entry.is_some_and(|entry| entry.rank == copy.rank)
    }

    /// What is served under a spelling.
    fn answer(&self, name: &[u8]) -> Option<&'c Candidate<'a>> {
        let file = self.names.clean_request(name);
        let file = file.and_then(|name| self.loose.get(&*name).copied());
        file.or(self.entry)
    }

    /// The copies that are served under their own names.
    pub(super) fn served_as_named(&self) -> impl Iterator<Item = &'c Candidate<'a>> {
        let candidates = self.candidates.iter();
        candidates.filter(|copy| {
            let answer = self.answer(copy.name());
            answer.is_some_and(|answer| answer.rank == copy.rank)
        })
    }

    /// All that is served under spellings that copies have.
    fn served_as_spelled(&self) -> Vec<&'c Candidate<'a>> {
        if self.loose.is_empty() {
            return self.entry.into_iter().collect();
        }
        let candidates = self.candidates.iter();
        let answers = candidates.filter_map(|copy| self.answer(copy.name()));
        let mut seen = HashSet::new();
        answers.filter(|copy| seen.insert(copy.rank)).collect()
    }

    /// All that is served, in lower case as well, which games ask for whatever copies are called.
    pub(super) fn served(&self) -> Vec<&'c Candidate<'a>> {
        let mut served = self.served_as_spelled();
        let lower = self.answer(self.key());
        served.extend(lower.filter(|lower| served.iter().all(|copy| copy.rank != lower.rank)));
        served
    }

    /// The one that is taken where there can be only one.
    pub(super) fn taken(&self) -> Option<&'c Candidate<'a>> {
        match self.served_as_spelled().as_slice() {
            [only] => Some(only),
            _ => self.answer(self.key()).or(self.candidates.first()),
        }
    }
}
