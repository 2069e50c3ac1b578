//! Which path each entry of a pak gets. Found out for all of them before one is written, from the
//! names alone, so that the same pak gives the same paths everywhere.
//!
//! | the name                                      | its path                                          |
//! |-----------------------------------------------|---------------------------------------------------|
//! | can be a path                                 | that one; with `lowercase` its ASCII letters lowered |
//! | can be none, see [`SafePath`]                 | none; with `rescue` an escaped one in `_rescued/` |
//! | is that of an entry before it                 | put aside: `NAME.dup-INDEX`                       |
//! | of a file is that of another's directory      | the file is put aside, whichever comes first      |
//! | `NAME.dup-INDEX` is taken by a real name      | `NAME.dup-INDEX-2`, and so on: a real name keeps its path |
//! | differs from another in case alone            | its own, if the file system tells them apart; else the first gets its own, the others are put aside |
//!
//! A file gives way to a directory because it is one and the directory may hold thousands: to an
//! engine all of them are there, names being flat.
//!
//! Whether a file system folds case shows only when files are made. So entries that could fall
//! together are late: they are written after all others, one after the other, and
//! have a second path in reserve. Names that are not ASCII are late, too, because a file system
//! that folds Unicode's normal forms would surprise us there, and knowing these forms would take
//! their tables.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};

use crate::pak::{PathError, RawName, SafePath};

/// Where names that no file may have go to.
const RESCUED: &[u8] = b"_rescued/";
/// Between a name and the number of the entry that is put aside.
const ASIDE: &[u8] = b".dup-";

/// What becomes of the names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rules {
    /// ASCII letters become lower case.
    pub(super) lowercase: bool,
    /// Names that no file may have become ones that a file may.
    pub(super) rescue: bool,
}

/// Where an entry's file goes, from the pak's destination.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) path: SafePath,
    /// Why it does not have the path that its name says.
    pub(super) aside: Option<Aside>,
    /// Why its name cannot be a path.
    pub(super) rescued: Option<PathError>,
    /// Where it goes if it is late, and something stands where it should go.
    pub(super) reserve: Option<SafePath>,
    /// Whether another entry's directory may be its path.
    pub(super) may_be_directory: bool,
}

/// Why an entry's file is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aside {
    /// An entry before it has the same name.
    Duplicate,
    /// Other entries need its name as a directory.
    Directory,
    /// The file system takes its name for that of another entry.
    Folded,
}

impl Aside {
    /// The same in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Duplicate => "an entry before it has this name already",
            Self::Directory => "other entries need this name for a directory",
            Self::Folded => "this file system does not tell its name from that of another entry",
        }
    }
}

impl Place {
    const fn new(path: SafePath, rescued: Option<PathError>) -> Self {
        Self {
            path,
            aside: None,
            rescued,
            reserve: None,
            may_be_directory: false,
        }
    }

    /// Whether its file may turn out to be another one's.
    #[cfg(test)]
    const fn late(&self) -> bool {
        self.reserve.is_some()
    }
}

/// Finds the places of entries, given by number and name in the directory's order.
pub(super) fn resolve<'a>(
    names: impl Iterator<Item = (u32, RawName<'a>)>,
    rules: Rules,
) -> Vec<(u32, Result<Place, PathError>)> {
    let mut found: Vec<(u32, Result<Place, PathError>)> = names
        .map(|(number, name)| (number, rules.place(name)))
        .collect();
    let taken = Taken::new(&found);
    for (row, fate) in fates(&found) {
        if let Some((number, Ok(place))) = found.get_mut(row) {
            let reserve = taken.free(&place.path, *number);
            match (fate, reserve) {
                (Fate::Aside(why), Some(path)) => {
                    place.aside = Some(why);
                    place.path = path;
                }
                (Fate::Late { may_be_directory }, reserve) => {
                    place.reserve = reserve;
                    place.may_be_directory = may_be_directory;
                }
                // It cannot be: what is added takes away nothing that makes a path safe, and no
                // name is long enough to become too long by it.
                (Fate::Aside(_), None) => {}
            }
        }
    }
    found
}

impl Rules {
    fn place(self, name: RawName<'_>) -> Result<Place, PathError> {
        let lowered = |path: &[u8]| {
            let path = if self.lowercase {
                path.to_ascii_lowercase()
            } else {
                path.to_vec()
            };
            SafePath::try_from(RawName::new(&path))
        };
        match lowered(name.as_bytes()) {
            Err(why) if self.rescue => Ok(Place::new(lowered(&rescued(name))?, Some(why))),
            path => Ok(Place::new(path?, None)),
        }
    }
}

/// A name that any file may have, a different one for each name: bytes other than ASCII letters,
/// digits, `-`, `_`, and `.` between others, become `%` and two digits.
fn rescued(name: RawName<'_>) -> Vec<u8> {
    let bytes = name.as_bytes();
    let mut path = RESCUED.to_vec();
    for (at, byte) in bytes.iter().copied().enumerate() {
        let plain = match byte {
            // Whatever the first one is: then no name is that of a device.
            _ if at == 0 => false,
            b'.' => at + 1 < bytes.len(),
            _ => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
        };
        if plain {
            path.push(byte);
        } else {
            path.extend(format!("%{byte:02x}").bytes());
        }
    }
    if bytes.is_empty() {
        path.push(b'%');
    }
    path
}

/// What happens to a row, other than to get its own path.
enum Fate {
    Aside(Aside),
    Late { may_be_directory: bool },
}

/// The rows that do not simply get their own paths.
fn fates(found: &[(u32, Result<Place, PathError>)]) -> Vec<(usize, Fate)> {
    let mut fates = Vec::new();
    // Real names first: they keep their paths against rescued ones.
    let mut firsts: HashMap<&[u8], usize> = HashMap::with_capacity(found.len());
    for rescued in [false, true] {
        for (row, place) in places(found).filter(|(_, place)| place.rescued.is_some() == rescued) {
            let path = place.path.as_bytes();
            if *firsts.entry(path).or_insert(row) != row {
                fates.push((row, Fate::Aside(Aside::Duplicate)));
            }
        }
    }
    let mut blocking = HashSet::new();
    let mut folded: HashMap<Vec<u8>, (usize, bool)> = HashMap::with_capacity(firsts.len());
    for (row, place) in places(found) {
        if firsts.get(place.path.as_bytes()) == Some(&row) {
            let key = place.path.conflict_key();
            folded
                .entry(key)
                .and_modify(|(_, alone)| *alone = false)
                .or_insert((row, true));
        }
        for directory in ancestors(place.path.as_bytes()) {
            blocking.extend(firsts.get(directory).copied());
        }
    }
    let mut may_be_directories = HashSet::new();
    for (_, place) in places(found) {
        let key = place.path.conflict_key();
        for directory in ancestors(&key) {
            if folded.contains_key(directory) {
                may_be_directories.insert(directory.to_vec());
            }
        }
    }
    for (row, place) in places(found) {
        if firsts.get(place.path.as_bytes()) != Some(&row) {
            continue;
        }
        let key = place.path.conflict_key();
        let may_be_directory = may_be_directories.contains(&key);
        let alone = folded.get(&key).is_none_or(|(_, alone)| *alone);
        if blocking.contains(&row) {
            fates.push((row, Fate::Aside(Aside::Directory)));
        } else if may_be_directory || !alone || !place.path.as_bytes().is_ascii() {
            fates.push((row, Fate::Late { may_be_directory }));
        }
    }
    fates
}

fn places(
    found: &[(u32, Result<Place, PathError>)],
) -> impl Iterator<Item = (usize, &Place)> + Clone {
    found
        .iter()
        .enumerate()
        .filter_map(|(row, (_, place))| Some((row, place.as_ref().ok()?)))
}

/// The directories above a path, the nearest first.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter()
        .enumerate()
        .rev()
        .filter(|(_, byte)| **byte == b'/')
        .filter_map(|(at, _)| path.get(..at))
}

/// The paths that look like ones that were put aside, without regard to case: those that are not
/// free for it. Hashes, because a hostile pak can have thirty directories for each of its names;
/// one that is taken for another costs a longer number, and nothing else.
struct Taken {
    keys: RandomState,
    hashes: HashSet<u64>,
}

impl Taken {
    fn new(found: &[(u32, Result<Place, PathError>)]) -> Self {
        let mut taken = Self {
            keys: RandomState::new(),
            hashes: HashSet::new(),
        };
        for (_, place) in places(found) {
            let key = place.path.conflict_key();
            for path in core::iter::once(key.as_slice()).chain(ancestors(&key)) {
                if path.windows(ASIDE.len()).any(|part| part == ASIDE) {
                    taken.hashes.insert(taken.keys.hash_one(path));
                }
            }
        }
        taken
    }

    /// A path beside `path` that is free. Two entries never get the same: their numbers differ.
    fn free(&self, path: &SafePath, number: u32) -> Option<SafePath> {
        for count in 1_u32.. {
            let mut aside = path.as_bytes().to_vec();
            aside.extend(ASIDE);
            aside.extend(number.to_string().bytes());
            if count > 1 {
                aside.extend(format!("-{count}").bytes());
            }
            let aside = SafePath::try_from(RawName::new(&aside)).ok()?;
            let hash = self.keys.hash_one(aside.conflict_key().as_slice());
            if !self.hashes.contains(&hash) {
                return Some(aside);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str], rules: Rules) -> Vec<String> {
        resolved(names, rules)
            .into_iter()
            .map(|place| match place {
                Ok(place) if place.late() => {
                    format!("{} or {}", place.path, place.reserve.unwrap())
                }
                Ok(place) => place.path.to_string(),
                Err(why) => format!("({why:?})"),
            })
            .collect()
    }

    fn resolved(names: &[&str], rules: Rules) -> Vec<Result<Place, PathError>> {
        let names: Vec<RawName<'_>> = names
            .iter()
            .map(|name| RawName::new(name.as_bytes()))
            .collect();
        resolve((0..).zip(names), rules)
            .into_iter()
            .map(|(_, place)| place)
            .collect()
    }

    fn plain(names: &[&str]) -> Vec<String> {
        paths(names, Rules::default())
    }

    #[test]
    fn the_first_of_a_name_gets_it_and_the_others_their_numbers() {
        assert_eq!(
            plain(&["a/x", "b", "a\\x", "a/x"]),
            ["a/x", "b", "a/x.dup-2", "a/x.dup-3"]
        );
    }

    #[test]
    fn a_file_gives_way_to_a_directory_whichever_comes_first() {
        assert_eq!(plain(&["a", "a/b"]), ["a.dup-0", "a/b"]);
        assert_eq!(plain(&["a/b", "a", "a"]), ["a/b", "a.dup-1", "a.dup-2"]);
        assert_eq!(
            plain(&["a/b/c", "a/b", "a"]),
            ["a/b/c", "a/b.dup-1", "a.dup-2"]
        );
    }

    #[test]
    fn what_is_put_aside_never_takes_a_real_name() {
        assert_eq!(
            plain(&["a", "a", "a.dup-1", "A.DUP-1-2"]),
            ["a", "a.dup-1-3", "a.dup-1", "A.DUP-1-2"]
        );
        assert_eq!(
            plain(&["a", "a", "a.dup-1/x"]),
            ["a", "a.dup-1-2", "a.dup-1/x"]
        );
    }

    #[test]
    fn names_that_differ_in_case_are_late_with_a_path_in_reserve() {
        assert_eq!(
            plain(&["Maps/a", "b", "maps/A"]),
            ["Maps/a or Maps/a.dup-0", "b", "maps/A or maps/A.dup-2"]
        );
        assert_eq!(plain(&["MAPS", "maps/a"]), ["MAPS or MAPS.dup-0", "maps/a"]);
        assert_eq!(plain(&["\u{e9}"]), ["\u{e9} or \u{e9}.dup-0"]);
    }

    #[test]
    fn lower_case_makes_duplicates() {
        let rules = Rules {
            lowercase: true,
            ..Rules::default()
        };
        assert_eq!(
            paths(&["A.WAV", "a.wav", "B/\u{c9}"], rules),
            ["a.wav", "a.wav.dup-1", "b/\u{c9} or b/\u{c9}.dup-2"]
        );
    }

    #[test]
    fn names_that_no_file_may_have_are_refused_or_rescued() {
        let names = [
            "../x",
            "",
            "con",
            "a.",
            "/etc/passwd",
            "../x",
            "c:\\\u{202e}",
        ];
        assert!(
            resolved(&names, Rules::default())
                .iter()
                .all(Result::is_err)
        );
        let rules = Rules {
            rescue: true,
            ..Rules::default()
        };
        assert_eq!(
            paths(&names, rules),
            [
                "_rescued/%2e.%2fx",
                "_rescued/%",
                "_rescued/%63on",
                "_rescued/%61%2e",
                "_rescued/%2fetc%2fpasswd",
                "_rescued/%2e.%2fx.dup-5",
                "_rescued/%63%3a%5c%e2%80%ae",
            ]
        );
        assert_eq!(
            paths(&["../x", "_rescued/%2e.%2fx", "_rescued"], rules),
            [
                "_rescued/%2e.%2fx.dup-0",
                "_rescued/%2e.%2fx",
                "_rescued.dup-2"
            ]
        );
    }

    #[test]
    fn every_name_of_two_bytes_can_be_rescued_and_none_like_another() {
        let mut seen = HashSet::new();
        let mut names: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        names.extend((0..=255_u8).flat_map(|a| (0..=255).map(move |b| vec![a, b])));
        for name in &names {
            let path = rescued(RawName::new(name));
            let path = SafePath::try_from(RawName::new(&path)).unwrap();
            assert_eq!(path.parts().count(), 2);
            assert!(seen.insert(path.as_bytes().to_vec()), "{path}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_two_entries_share_a_path_and_no_file_is_a_directory(
            names in proptest::collection::vec("(a|A|b|c\\.dup-[0-9]|[.]{2}|/|\\\\){1,6}", 0..24),
            lowercase: bool,
            rescue: bool,
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = resolved(&names, Rules { lowercase, rescue });
            let places: Vec<&Place> = found.iter().filter_map(|place| place.as_ref().ok()).collect();
            // With case folded, and each late one put aside, as on the worst of file systems; and
            // without, as on the best.
            for folds in [false, true] {
                let mut files = HashSet::new();
                let mut paths = Vec::new();
                for place in &places {
                    let path = place.reserve.as_ref().filter(|_| folds).unwrap_or(&place.path);
                    let path = if folds { path.conflict_key() } else { path.as_bytes().to_vec() };
                    proptest::prop_assert!(files.insert(path.clone()), "{:?}", found);
                    paths.push(path);
                }
                for path in &paths {
                    for directory in ancestors(path) {
                        proptest::prop_assert!(!files.contains(directory), "{:?}", found);
                    }
                }
            }
        }
    }
}
