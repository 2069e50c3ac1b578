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

use std::borrow::Cow;

use super::findings;
use super::view::View;
use crate::archive::Entry;
use crate::archive::error::Place;
use crate::engine::{Engine, ServedFile, findable};
use crate::ops::finding::{Finding, Notice, names_hard_to_find};
use crate::ops::source::Selection;

/// Every served file that was asked for.
#[derive(Debug)]
pub struct Winners<'a> {
    /// In the order in which paks load and folders are searched, the later ones last; within a
    /// pak in the directory's order. A loose file is an entry of its folder.
    pub served: Vec<Entry<'a>>,
    /// Those of which the engine may serve another entry of the same pak instead.
    pub undefined: Vec<Entry<'a>>,
    /// Globs that picked nothing, what could not be looked at, and what is served and not taken.
    pub findings: Vec<Finding>,
}

impl<'a> Winners<'a> {
    /// Those of `chosen` that `selection` picks.
    fn new(
        mut chosen: Vec<ServedFile<'a>>,
        selection: &Selection,
        mut findings: Vec<Finding>,
    ) -> Self {
        chosen.sort_unstable_by_key(ServedFile::place);
        let (mut served, mut undefined) = (Vec::new(), Vec::new());
        for file in chosen {
            if selection.picks(file.entry.name()) {
                if file.is_doubtful {
                    undefined.push(file.entry);
                }
                served.push(file.entry);
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
    /// Every file that is served under its own name and that `selection` picks, or with `lowercase` one
    /// copy of those whose names become one. What is left out is warned of.
    #[must_use]
    pub fn winners(&self, selection: &Selection, lowercase: bool) -> Winners<'_> {
        let mut findings = findings::of_loose(&self.game, self.engine);
        let mut files = self.game.files();
        let never = files.iter().filter(|file| {
            !file.is_found && !file.entry.is_file() && selection.picks(file.entry.name())
        });
        let never = never.map(ServedFile::name);
        findings.extend(names_hard_to_find(self.engine.into(), false, never));
        files.retain(|file| file.is_found);
        if lowercase {
            files = one_of_each(files, true, selection, &mut findings);
        }
        Winners::new(files, selection, findings)
    }

    /// What a merge writes: one copy of each name as the engine's paks take names, or with `lowercase`
    /// of each name in lower case. What is left out is warned of. What the engine never finds is taken,
    /// too, since another engine may.
    pub(in crate::ops) fn to_merge(&self, selection: &Selection, lowercase: bool) -> Winners<'_> {
        let mut findings = findings::of_loose(&self.game, self.engine);
        let taken = one_of_each(self.game.files(), lowercase, selection, &mut findings);
        Winners::new(taken, selection, findings)
    }
}

/// Keeps one of the files that have the same name for the engine, or in lower case with `lowercase`. Warns about
/// the others.
fn one_of_each<'a>(
    mut files: Vec<ServedFile<'a>>,
    lowercase: bool,
    selection: &Selection,
    findings: &mut Vec<Finding>,
) -> Vec<ServedFile<'a>> {
    let family = |file: &ServedFile<'_>| match lowercase {
        true => (findable(file.key).into_owned(), true),
        false => (file.key.to_vec(), file.is_found),
    };
    files.sort_by_cached_key(|file| (family(file), precedence(file)));
    let (mut taken, mut left) = (Vec::<ServedFile<'a>>::new(), Vec::new());
    for file in files {
        match taken.last() {
            Some(last) if family(last) == family(&file) => {
                if selection.picks(file.entry.name()) {
                    left.push((file.place(), file.entry, last.entry));
                }
            }
            _ => taken.push(file),
        }
    }
    left.sort_unstable_by_key(|(place, ..)| *place);
    for (_, entry, taken) in left {
        let mut place = Place::default();
        taken.locate_at(&mut place);
        let why = format!(
            "this is left out: in lower case its name is also that of {place}, which is taken"
        );
        findings.push(Finding::warning(Notice::NamesAlike, why).of_entry(&entry));
    }
    taken
}

/// The order in which copies are preferred if only one of them can be taken. Games ask in lower case
/// whatever files are called, so a name that is in lower case goes first.
fn precedence(file: &ServedFile<'_>) -> (bool, bool, usize) {
    let changes = |name| matches!(findable(name), Cow::Owned(_));
    (
        !file.is_found || changes(file.key),
        changes(file.name()),
        file.rank,
    )
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
