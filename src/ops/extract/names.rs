//! Which path each entry gets. Found out for all of them before one is written, from the names alone,
//! so that the same archive gives the same paths everywhere.
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
//! Whether a file system folds case shows when files are made, or by how it spells those that are
//! there: one that is found by a name that its directory does not list is found by folding. (That
//! two names lead to one file says nothing: they can be links to it.) So entries that could fall
//! together are late: they are written after all others, one after the other, and
//! have a second path in reserve. Names that are not ASCII are late, too, because a file system
//! that folds Unicode's normal forms would surprise us there, and knowing these forms would take
//! their tables.

use std::collections::{HashMap, HashSet};

use crate::archive::{PathError, RawName, SafePath};

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

/// Where the file of an entry goes.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) path: SafePath,
    /// Why it does not have the path that its name says.
    pub(super) aside: Option<Aside>,
    /// Where it goes if it is late, and something stands where it should go.
    pub(super) reserve: Option<SafePath>,
    /// Whether another entry's directory may be its path.
    pub(super) may_be_directory: bool,
    /// Why its name cannot be a path, and the path that it has instead, where it is a rescued one.
    pub(super) rescued: Option<(PathError, SafePath)>,
}

/// The path that a name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) path: SafePath,
    /// Why its name cannot be a path, where it is a rescued one.
    pub(super) rescued: Option<PathError>,
}

/// Why an entry's file is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aside {
    /// An entry before it has the same name.
    Duplicate,
    /// A file of another archive has its path, where all go into one directory.
    AnotherPak,
    /// Other entries need its name as a directory.
    Directory,
    /// The file system takes its name for that of another entry.
    Folded,
}

impl Aside {
    /// Why, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Duplicate => "an entry before it has this name already",
            Self::AnotherPak => "a file of another pak has this path already",
            Self::Directory => "other entries need this name for a directory",
            Self::Folded => "this file system does not tell its name from that of another entry",
        }
    }
}

/// `PATH.dup-NUMBER`, and `-COUNT` from 2 on.
fn beside(path: &SafePath, number: usize, count: u32) -> Option<SafePath> {
    let mut beside = path.as_bytes().to_vec();
    beside.extend(ASIDE);
    beside.extend(number.to_string().bytes());
    if count > 1 {
        beside.extend(format!("-{count}").bytes());
    }
    SafePath::try_from(RawName::new(&beside)).ok()
}

/// Finds out what becomes of names, each with the number of its entry. Those in `aside` are put aside
/// because of others elsewhere.
pub(super) fn resolve(
    names: &[(usize, RawName<'_>)],
    rules: Rules,
    aside: &[(usize, Aside)],
) -> Vec<Result<Placed, PathError>> {
    let owns = names.iter().map(|(_, name)| rules.own(*name)).collect();
    let mut resolver = Resolver {
        why: vec![None; names.len()],
        late: vec![Late::No; names.len()],
        owns,
    };
    let blocking = resolver.find_duplicates();
    let keys = resolver.keys();
    resolver.find_folded(&keys);
    let blocking = blocking.into_iter().map(|row| (row, Aside::Directory));
    for (row, why) in aside.iter().copied().chain(blocking) {
        if let (Some(place), Some(late)) = (resolver.why.get_mut(row), resolver.late.get_mut(row)) {
            (*place, *late) = (Some(why), Late::No);
        }
    }
    resolver.place(names, &keys)
}

/// Whether a file is written after all others, because it may turn out to be another one's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Late {
    No,
    Yes,
    /// And another entry's directory may be its path.
    Directory,
}

impl Rules {
    /// The path that a name says.
    pub(super) fn own(self, name: RawName<'_>) -> Result<Own, PathError> {
        let lowered = |path: &[u8]| {
            if self.lowercase {
                SafePath::try_from(RawName::new(&path.to_ascii_lowercase()))
            } else {
                SafePath::try_from(RawName::new(path))
            }
        };
        match lowered(name.as_bytes()) {
            Err(why) if self.rescue => Ok(Own {
                path: lowered(&rescued(name))?,
                rescued: Some(why),
            }),
            path => Ok(Own {
                path: path?,
                rescued: None,
            }),
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

/// What is found out about names, by their rows.
struct Resolver {
    owns: Vec<Result<Own, PathError>>,
    why: Vec<Option<Aside>>,
    late: Vec<Late>,
}

impl Resolver {
    /// The rows whose names say a path.
    fn rows(&self) -> impl Iterator<Item = (usize, &Own)> {
        let owns = self.owns.iter().enumerate();
        owns.filter_map(|(row, own)| Some((row, own.as_ref().ok()?)))
    }

    /// Of the rows with one path all but the first are put aside. Real names come first: they keep
    /// their paths against rescued ones. Returns the rows whose path others need as a directory.
    fn find_duplicates(&mut self) -> Vec<usize> {
        let mut firsts: HashMap<&[u8], usize> = HashMap::with_capacity(self.owns.len());
        let mut duplicates = Vec::new();
        for rescued in [false, true] {
            for (row, own) in self
                .rows()
                .filter(|(_, it)| it.rescued.is_some() == rescued)
            {
                match firsts.entry(own.path.as_bytes()) {
                    std::collections::hash_map::Entry::Occupied(_) => duplicates.push(row),
                    std::collections::hash_map::Entry::Vacant(place) => {
                        place.insert(row);
                    }
                }
            }
        }
        let mut blocking = HashSet::new();
        let mut last: &[u8] = &[];
        for (_, own) in self.rows() {
            let path = own.path.as_bytes();
            // Each directory is looked for once for the entries that lie in it and stand together.
            let parent = ancestors(path).next().unwrap_or_default();
            if parent != last {
                blocking.extend(ancestors(path).filter_map(|path| firsts.get(path)));
                last = parent;
            }
        }
        for row in duplicates {
            if let Some(why) = self.why.get_mut(row) {
                *why = Some(Aside::Duplicate);
            }
        }
        blocking.into_iter().collect()
    }

    /// What a path becomes where case does not count, for each row.
    fn keys(&self) -> Vec<Vec<u8>> {
        let key = |own: &Result<Own, PathError>| match own {
            Ok(own) => own.path.conflict_key(),
            Err(_) => Vec::new(),
        };
        self.owns.iter().map(key).collect()
    }

    /// The rows with paths that could fall together, where case is folded, are late.
    fn find_folded(&mut self, keys: &[Vec<u8>]) {
        // How many rows have a key that is not put aside already.
        let mut firsts: HashMap<&[u8], (u32, bool)> = HashMap::with_capacity(keys.len());
        let is_first = |row: usize| self.why.get(row).is_some_and(Option::is_none);
        for (row, _) in self.rows().filter(|(row, _)| is_first(*row)) {
            let key = keys.get(row).map_or(&[][..], |key| key);
            firsts.entry(key).or_default().0 += 1;
        }
        let mut last: &[u8] = &[];
        for (row, _) in self.rows() {
            let key = keys.get(row).map_or(&[][..], |key| key);
            let parent = ancestors(key).next().unwrap_or_default();
            if parent != last {
                for directory in ancestors(key) {
                    if let Some((_, is_directory)) = firsts.get_mut(directory) {
                        *is_directory = true;
                    }
                }
                last = parent;
            }
        }
        let late = |(row, own): (usize, &Result<Own, PathError>)| {
            let Ok(own) = own else { return Late::No };
            let key = keys.get(row).map_or(&[][..], |key| key);
            let found = firsts.get(key).filter(|_| is_first(row));
            match found {
                Some((_, true)) => Late::Directory,
                Some((2.., _)) => Late::Yes,
                Some(_) if !own.path.as_bytes().is_ascii() => Late::Yes,
                _ => Late::No,
            }
        };
        self.late = self.owns.iter().enumerate().map(late).collect();
    }

    /// The paths. Each row that is put aside, or may have to be, gets the lowest number that makes its
    /// path there a free one. Two entries of one archive never get the same: their own numbers differ.
    fn place(
        self,
        names: &[(usize, RawName<'_>)],
        keys: &[Vec<u8>],
    ) -> Vec<Result<Placed, PathError>> {
        let taken = taken(keys);
        let free = |path: &SafePath, number: usize| {
            let beside = |count: u32| beside(path, number, count);
            let is_free = |it: &SafePath| !taken.contains(it.conflict_key().as_slice());
            // It is always a path: what is added takes away nothing that makes a path safe, and no
            // name is long enough to become too long by it.
            let mut all = (1..).map_while(beside);
            all.find(is_free).unwrap_or_else(|| path.clone())
        };
        let rows = names
            .iter()
            .zip(self.owns)
            .zip(self.why.into_iter().zip(self.late));
        let placed = rows.map(|(((number, _), own), (aside, late))| {
            let Own { path, rescued } = own?;
            let reserve = (late != Late::No).then(|| free(&path, *number));
            let rescued = rescued.map(|why| (why, path.clone()));
            Ok(Placed {
                path: match aside {
                    Some(_) => free(&path, *number),
                    None => path,
                },
                aside,
                reserve,
                may_be_directory: late == Late::Directory,
                rescued,
            })
        });
        placed.collect()
    }
}

/// Paths that look like ones that were put aside, and the directories above such: nothing else can
/// stand where something is put aside.
fn taken(keys: &[Vec<u8>]) -> HashSet<&[u8]> {
    let looks_so = |key: &&Vec<u8>| key.windows(ASIDE.len()).any(|part| part == ASIDE);
    let mut taken = HashSet::new();
    for key in keys.iter().filter(looks_so) {
        taken.insert(key.as_slice());
        taken.extend(ancestors(key));
    }
    taken
}

/// The directories above a path, the nearest first.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter()
        .enumerate()
        .rev()
        .filter(|(_, byte)| **byte == b'/')
        .filter_map(|(at, _)| path.get(..at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn paths(names: &[&str], rules: Rules) -> Vec<String> {
        resolved(names, rules)
            .into_iter()
            .map(|place| match place {
                Ok((path, Some(reserve))) => format!("{path} or {reserve}"),
                Ok((path, None)) => path.to_string(),
                Err(why) => format!("({why:?})"),
            })
            .collect()
    }

    /// The path and the one in reserve of each name.
    fn resolved(
        names: &[&str],
        rules: Rules,
    ) -> Vec<Result<(SafePath, Option<SafePath>), PathError>> {
        let names: Vec<_> = names
            .iter()
            .map(|name| RawName::new(name.as_bytes()))
            .enumerate()
            .collect();
        let placed = resolve(&names, rules, &[]).into_iter();
        placed
            .map(|placed| placed.map(|it| (it.path, it.reserve)))
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
            let places: Vec<_> = found.iter().filter_map(|place| place.as_ref().ok()).collect();
            // With case folded, and each late one put aside, as on the worst of file systems; and
            // without, as on the best.
            for folds in [false, true] {
                let mut files = HashSet::new();
                let mut paths = Vec::new();
                for (path, reserve) in &places {
                    let path = reserve.as_ref().filter(|_| folds).unwrap_or(path);
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
