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

use crate::archive::Entry;
use crate::archive::error::Place;
use crate::engine::{ServedFile, findable};
use crate::ops::finding::{Finding, alike, names_hard_to_find};
use crate::ops::game::view::{View, unlisted};
use crate::ops::selection::{Selection, entry_names};

/// Every served file that was asked for.
#[derive(Debug)]
pub struct Winners<'a> {
    /// The served files, in the order in which paks load and folders are searched, and within a pak in the order of
    /// its directory. A loose file is an entry of its folder.
    pub served: Vec<Entry<'a>>,
    /// Globs that matched nothing, files that could not be read, files that are served but not taken, and files for
    /// which the engine may serve another entry of the same pak instead.
    pub findings: Vec<Finding>,
}

impl View {
    /// Those of `chosen` that `selection` picks.
    fn picked<'a>(
        &self,
        chosen: Vec<ServedFile<'a>>,
        selection: &Selection,
        mut findings: Vec<Finding>,
    ) -> Winners<'a> {
        let mut chosen = selection.of(chosen, |file| entry_names(&file.entry));
        chosen.sort_unstable_by_key(ServedFile::place);
        findings.extend(selection.unmatched());
        for file in chosen.iter().filter(|file| file.is_doubtful) {
            findings.push(self.warn_undefined().of_entry(&file.entry));
        }
        Winners { served: chosen.into_iter().map(|file| file.entry).collect(), findings }
    }

    /// Every file that is served under its own name and that `selection` selects. With `lowercase`, only one of the
    /// copies whose names become equal. Warnings name the copies that are left out.
    #[must_use]
    pub fn winners(&self, selection: &Selection, lowercase: bool) -> Winners<'_> {
        let mut findings = unlisted(&self.game);
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
    pub(crate) fn to_merge(&self, selection: &Selection, lowercase: bool) -> Winners<'_> {
        let mut findings = unlisted(&self.game);
        let taken = one_of_each(self.game.files(), lowercase, selection, &mut findings);
        self.picked(taken, selection, findings)
    }

    /// The warning that it is not defined which of the entries with this name is served.
    pub(crate) fn warn_undefined(&self) -> Finding {
        let engine = self.engine_word();
        let why =
            format!("{engine} may serve any of the entries with this name; daisho takes the first");
        Finding::warning(why)
            .many("names have several entries in one archive, and the engine may serve any of them")
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
    // Games ask for names in lower case, however the files are spelled, so a lower-case name goes first.
    let has_upper = |name| matches!(findable(name), Cow::Owned(_));
    files.sort_by_cached_key(|file| {
        let is_second = !file.is_found || has_upper(file.key);
        (family(file, lowercase), is_second, has_upper(file.name()), file.rank)
    });
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
