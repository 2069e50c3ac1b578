//! The copy that is served under each name, and the copies to take if all files go into one place.
//!
//! A listing shows every copy that is served under its own name. An engine that ignores case in paks can serve `a`
//! from a loose file and `A` from a pak. Then both are listed and extracted.
//!
//! An archive cannot keep two copies if the engine's paks treat their names as the same, and with lower case no
//! place can keep two copies whose names become equal. In such a case the copy with a lower-case name is taken, or
//! otherwise the one that the engine searches first. Warnings name the others.
//!
//! A listing leaves out entries that the engine cannot find under any name, and says so. A merge takes them, each
//! name once, because other engines may find them.

use std::borrow::Cow;

use super::findings;
use super::view::View;
use crate::archive::Entry;
use crate::archive::error::Place;
use crate::engine::{ServedFile, findable};
use crate::ops::finding::{Finding, alike, names_hard_to_find};
use crate::ops::source::Selection;

/// Every served file that was asked for.
#[derive(Debug)]
pub struct Winners<'a> {
    /// The served files, in the order in which paks load and folders are searched, and within a pak in the order of
    /// its directory. A loose file is an entry of its folder.
    pub served: Vec<Entry<'a>>,
    /// Files for which the engine may serve another entry of the same pak instead.
    pub undefined: Vec<Entry<'a>>,
    /// A warning if it is not defined which copy is served.
    pub doubt: Option<Finding>,
    /// Globs that matched nothing, files that could not be read, and files that are served but not taken.
    pub findings: Vec<Finding>,
}

impl View {
    /// Those of `chosen` that `selection` picks.
    fn picked<'a>(
        &self,
        mut chosen: Vec<ServedFile<'a>>,
        selection: &Selection,
        mut findings: Vec<Finding>,
    ) -> Winners<'a> {
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
        let doubt = match undefined.len() {
            0 => None,
            count => Some(self.warn_undefined(count)),
        };
        Winners { served, undefined, doubt, findings }
    }

    /// Every file that is served under its own name and that `selection` selects. With `lowercase`, only one of the
    /// copies whose names become equal. Warnings name the copies that are left out.
    #[must_use]
    pub fn winners(&self, selection: &Selection, lowercase: bool) -> Winners<'_> {
        let mut findings = findings::of_loose(&self.game);
        let mut files = self.game.files();
        let never = files.iter().filter(|file| {
            !file.is_found && !file.entry.is_file() && selection.picks(file.entry.name())
        });
        let never = never.map(ServedFile::name);
        let engines = self.engine().into_iter().collect();
        findings.extend(names_hard_to_find(engines, false, never));
        files.retain(|file| file.is_found);
        if lowercase {
            files = one_of_each(files, true, selection, &mut findings);
        }
        self.picked(files, selection, findings)
    }

    /// The files that a merge writes: one copy for each name, with names compared as in the engine's paks, or with
    /// `lowercase` in lower case. Warnings name the copies that are left out. Entries that the engine never finds
    /// are included, because another engine may find them.
    pub(in crate::ops) fn to_merge(&self, selection: &Selection, lowercase: bool) -> Winners<'_> {
        let mut findings = findings::of_loose(&self.game);
        let taken = one_of_each(self.game.files(), lowercase, selection, &mut findings);
        self.picked(taken, selection, findings)
    }

    /// The warning that, for `count` names, it is not defined which entry is served.
    pub(super) fn warn_undefined(&self, count: usize) -> Finding {
        let engine = self.engine_word();
        let have = if count == 1 { "name has" } else { "names have" };
        let why = format!(
            "{count} {have} several entries in one archive, and {engine} may serve any of them; daisho takes the first"
        );
        Finding::warning(why)
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
    files.sort_by_cached_key(|file| (family(file, lowercase), precedence(file)));
    let (mut taken, mut left) = (Vec::<ServedFile<'a>>::new(), Vec::new());
    for file in files {
        match taken.last() {
            Some(last) if family(last, lowercase) == family(&file, lowercase) => {
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
            "this is left out: in lower case it has the same name as {place}, which is used instead"
        );
        findings.push(alike(why).of_entry(&entry));
    }
    taken
}

/// Files of one family have the same name for the engine, or in lower case.
fn family(file: &ServedFile<'_>, lowercase: bool) -> (Vec<u8>, bool) {
    if lowercase {
        (findable(file.key).into_owned(), true)
    } else {
        (file.key.to_vec(), file.is_found)
    }
}

/// The order of preference if only one of several copies can be taken. Games ask for names in lower case, however
/// the files are spelled, so a lower-case name goes first.
fn precedence(file: &ServedFile<'_>) -> (bool, bool, usize) {
    (!file.is_found || has_upper_case(file.key), has_upper_case(file.name()), file.rank)
}

/// Whether games ask for this name in another spelling.
fn has_upper_case(name: &[u8]) -> bool {
    matches!(findable(name), Cow::Owned(_))
}
