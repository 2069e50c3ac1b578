//! Copies of files that could be served, and which of them are.

use std::borrow::Cow;
use std::collections::HashSet;

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
    /// Whether a request for its own name finds it.
    pub(super) is_served: bool,
    /// Whether another entry of the same archive might be found instead.
    pub(super) is_doubtful: bool,
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
            is_served: false,
            is_doubtful: false,
        }
    }

    /// Whether the two have one name to the engine's paks.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        (&self.key, self.never_found) == (&other.key, other.never_found)
    }

    /// The name that it has.
    pub(super) fn name(&self) -> &'a [u8] {
        self.entry.name().as_bytes()
    }

    /// Its place in the order in which archives load, and within its archive.
    pub(super) fn place(&self) -> (usize, usize) {
        (self.loaded, self.entry.index())
    }

    /// What orders copies of which only one can be taken: the first one is. Games ask in lower case
    /// whatever files are called, so what has that name already comes before what is searched earlier.
    pub(super) fn precedence(&self) -> (bool, bool, usize) {
        let changes = |name| matches!(findable(name), Cow::Owned(_));
        (
            self.never_found || changes(&self.key),
            changes(self.name()),
            self.rank,
        )
    }
}

/// Marks those that are served under their own names. All have one name to the engine's paks and come
/// in the order in which they are searched.
///
/// An entry answers to every spelling of its name, a loose file only to its own.
pub(super) fn mark_served(copies: &mut [Candidate<'_>], profile: &Profile) {
    let mut loose = HashSet::new();
    let mut rest = copies;
    while let Some((copy, later)) = rest.split_first_mut() {
        let name = copy.name();
        let asked = profile.names.clean_request(name);
        if copy.entry.is_file() {
            copy.is_served = asked.is_some_and(|asked| *asked == *name) && loose.insert(name);
            rest = later;
            continue;
        }
        copy.is_served = !asked.is_some_and(|asked| loose.contains(&*asked));
        // Entries of one archive follow each other in the search.
        let next = later.first();
        let duplicates = profile.duplicates_in(copy.entry.archive().format());
        copy.is_doubtful = duplicates == Duplicates::NotDefined
            && next.is_some_and(|next| next.loaded == copy.loaded);
        return;
    }
}
