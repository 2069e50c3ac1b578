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
//! Whether a file system folds case shows when files are made, or by how it spells those that are
//! there: one that is found by a name that its directory does not list is found by folding. (That
//! two names lead to one file says nothing: they can be links to it.) So entries that could fall
//! together are late: they are written after all others, one after the other, and
//! have a second path in reserve. Names that are not ASCII are late, too, because a file system
//! that folds Unicode's normal forms would surprise us there, and knowing these forms would take
//! their tables.
//!
//! A hostile pak has millions of names, so what is known of each is eight bytes, and its path is
//! made again from its name whenever it is asked for. What is compared are hashes, sorted, and the
//! paths themselves where these agree; the key of the hashes is drawn at random.

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

/// What becomes of an entry's name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Why it does not have the path that its name says.
    pub(super) aside: Option<Aside>,
    /// Whether its file may turn out to be another one's, and has a path in reserve.
    pub(super) late: bool,
    /// Whether another entry's directory may be its path.
    pub(super) may_be_directory: bool,
    /// The number behind that of the entry in the path aside or in reserve; 1 is not written.
    count: u32,
}

/// The same in full.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) path: SafePath,
    pub(super) aside: Option<Aside>,
    /// Where it goes if it is late, and something stands where it should go.
    pub(super) reserve: Option<SafePath>,
    pub(super) may_be_directory: bool,
}

/// The path that a name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) path: SafePath,
    /// Why its name cannot be a path, where it is a rescued one.
    pub(super) rescued: Option<PathError>,
}

const _: () = assert!(size_of::<Place>() == 8);

/// Why an entry's file is put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aside {
    /// An entry before it has the same name.
    Duplicate,
    /// A file of another pak has its path, where all go into one directory.
    AnotherPak,
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
            Self::AnotherPak => "a file of another pak has this path already",
            Self::Directory => "other entries need this name for a directory",
            Self::Folded => "this file system does not tell its name from that of another entry",
        }
    }
}

impl Place {
    /// The same in full, for the entry `number`, given the path that its name says.
    pub(super) fn in_full(self, own: Own, number: u32) -> Placed {
        let reserve = self.late.then(|| self.beside(&own, number));
        let path = match self.aside {
            Some(_) => self.beside(&own, number),
            None => own.path,
        };
        Placed {
            path,
            aside: self.aside,
            reserve,
            may_be_directory: self.may_be_directory,
        }
    }

    fn beside(self, own: &Own, number: u32) -> SafePath {
        // It is always one: what is added takes away nothing that makes a path safe, and no name
        // is long enough to become too long by it.
        beside(&own.path, number, self.count).unwrap_or_else(|| own.path.clone())
    }
}

/// `PATH.dup-NUMBER`, and `-COUNT` from 2 on.
fn beside(path: &SafePath, number: u32, count: u32) -> Option<SafePath> {
    let mut beside = path.as_bytes().to_vec();
    beside.extend(ASIDE);
    beside.extend(number.to_string().bytes());
    if count > 1 {
        beside.extend(format!("-{count}").bytes());
    }
    SafePath::try_from(RawName::new(&beside)).ok()
}

/// Entries by their rows, as the directory has them.
pub(super) trait Named {
    /// How many there are.
    fn count(&self) -> usize;
    /// The number and the name of one of them.
    fn named(&self, row: usize) -> Option<(u32, RawName<'_>)>;
}

/// Finds out what becomes of names. Those in `aside` are put aside because of others elsewhere.
pub(super) fn resolve(names: &dyn Named, rules: Rules, aside: &[(usize, Aside)]) -> Vec<Place> {
    let mut resolver = Resolver {
        names,
        rules,
        places: vec![Place::default(); names.count()],
        random: RandomState::new(),
    };
    let blocking = resolver.find_duplicates();
    resolver.find_folded();
    let blocking = blocking.into_iter().map(|row| (row, Aside::Directory));
    for (row, why) in aside.iter().copied().chain(blocking) {
        resolver.set(row, |place| {
            *place = Place {
                aside: Some(why),
                ..Place::default()
            };
        });
    }
    resolver.count();
    resolver.places
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

struct Resolver<'a> {
    names: &'a dyn Named,
    rules: Rules,
    places: Vec<Place>,
    random: RandomState,
}

/// Half a hash of a path above the row that has it, sorted.
type Index = Vec<u64>;

/// A rescued path comes behind the real one that it is equal to.
const RESCUED_BIT: u64 = 1 << 31;

impl Resolver<'_> {
    /// The number of a row and the path that its name says, where it says one.
    fn own(&self, row: usize) -> Option<(u32, Own)> {
        let (number, name) = self.names.named(row)?;
        Some((number, self.rules.own(name).ok()?))
    }

    fn rows(&self) -> impl Iterator<Item = (usize, Own)> + '_ {
        let own = |row| Some((row, self.own(row)?.1));
        (0..self.places.len()).filter_map(own)
    }

    fn set(&mut self, row: usize, change: impl FnOnce(&mut Place)) {
        if let Some(place) = self.places.get_mut(row) {
            change(place);
        }
    }

    /// Half a hash, in the upper half.
    fn hash(&self, path: &[u8]) -> u64 {
        self.random.hash_one(path) & !u64::from(u32::MAX)
    }

    /// Of the rows with one path all but the first are put aside. Real names come first: they keep
    /// their paths against rescued ones. Returns the rows whose path others need as a directory.
    fn find_duplicates(&mut self) -> Vec<usize> {
        let mut index: Index = Vec::with_capacity(self.places.len());
        index.extend(self.rows().map(|(row, own)| {
            let rescued = if own.rescued.is_some() {
                RESCUED_BIT
            } else {
                0
            };
            self.hash(own.path.as_bytes()) | rescued | row as u64
        }));
        index.sort_unstable();
        for same in index.chunk_by(|a, b| a >> 32 == b >> 32) {
            let [_, _, ..] = same else { continue };
            // One path each, but for those whose hashes agree by chance.
            let mut firsts: Vec<SafePath> = Vec::new();
            for row in same.iter().map(|key| row_of(*key)) {
                let Some((_, own)) = self.own(row) else {
                    continue;
                };
                if firsts.contains(&own.path) {
                    self.set(row, |place| place.aside = Some(Aside::Duplicate));
                } else {
                    firsts.push(own.path);
                }
            }
        }
        let mut blocking = Vec::new();
        let is_path = |path: &[u8], own: &Own| own.path.as_bytes() == path;
        for (_, own) in self.rows() {
            let path = own.path.as_bytes();
            let found = ancestors(path).filter_map(|path| self.find(&index, path, &is_path));
            blocking.extend(found);
        }
        blocking.sort_unstable();
        blocking.dedup();
        blocking
    }

    /// The rows with paths that could fall together, where case is folded, are late.
    fn find_folded(&mut self) {
        let mut index: Index = Vec::with_capacity(self.places.len());
        let firsts = self.rows().filter(|(row, _)| self.is_first(*row));
        index.extend(firsts.map(|(row, own)| self.hash(&own.path.conflict_key()) | row as u64));
        index.sort_unstable();
        // Each directory is looked for once for the entries that lie in it and stand together.
        let is_key = |key: &[u8], own: &Own| own.path.conflict_key() == key;
        let mut directories = Vec::new();
        let mut last = Vec::new();
        for (_, own) in self.rows() {
            let key = own.path.conflict_key();
            let parent = ancestors(&key).next().unwrap_or_default();
            if parent != last {
                let found = ancestors(&key).filter_map(|key| self.find(&index, key, &is_key));
                directories.extend(found);
                last = parent.to_vec();
            }
        }
        directories.sort_unstable();
        directories.dedup();
        for same in index.chunk_by(|a, b| a >> 32 == b >> 32) {
            let mut rows: Vec<usize> = same.iter().map(|key| row_of(*key)).collect();
            // One key at a time: nearly always that is all of them.
            while let Some(key) = rows.first().map(|row| self.key(*row)) {
                let (equal, others) = rows.into_iter().partition(|row| self.key(*row) == key);
                self.fall_together(&equal, &directories);
                rows = others;
            }
        }
    }

    /// Marks rows of one key, where they are late.
    fn fall_together(&mut self, rows: &Vec<usize>, directories: &[usize]) {
        let may_be_directory = rows
            .iter()
            .any(|row| directories.binary_search(row).is_ok());
        for row in rows {
            let ascii = self
                .own(*row)
                .is_some_and(|(_, own)| own.path.as_bytes().is_ascii());
            if may_be_directory || rows.len() > 1 || !ascii {
                self.set(*row, |place| {
                    place.late = true;
                    place.may_be_directory = may_be_directory;
                });
            }
        }
    }

    /// Whether a row has the path that its name says.
    fn is_first(&self, row: usize) -> bool {
        self.places
            .get(row)
            .is_some_and(|place| place.aside.is_none())
    }

    /// The first row of which `is_it` says that it has the path `path`.
    fn find(
        &self,
        index: &Index,
        path: &[u8],
        is_it: &dyn Fn(&[u8], &Own) -> bool,
    ) -> Option<usize> {
        let hash = self.hash(path);
        let start = index.partition_point(|key| *key < hash);
        let same = index.get(start..).unwrap_or_default().iter();
        let mut rows = same.take_while(|key| *key >> 32 == hash >> 32);
        rows.find_map(|key| {
            let row = row_of(*key);
            let (_, own) = self.own(row)?;
            is_it(path, &own).then_some(row)
        })
    }

    /// Gives each row that is put aside, or may have to be, the lowest number that makes its path
    /// there a free one. Two entries never get the same: their own numbers differ.
    fn count(&mut self) {
        let beside = |place: &Place| place.late || place.aside.is_some();
        if !self.places.iter().any(beside) {
            return;
        }
        let taken = self.taken();
        for row in 0..self.places.len() {
            if !self.places.get(row).is_some_and(beside) {
                continue;
            }
            let Some((number, own)) = self.own(row) else {
                continue;
            };
            let is_free = |count: &u32| {
                let path = self::beside(&own.path, number, *count);
                path.is_none_or(|path| !self.is_taken(&taken, &path.conflict_key()))
            };
            let count = (1..).find(is_free).unwrap_or(1);
            self.set(row, |place| place.count = count);
        }
    }

    /// The rows with paths that look like ones that were put aside, without regard to case, in the
    /// order of their keys: nothing else can stand where something is put aside.
    fn taken(&self) -> Vec<u32> {
        let looks_so = |own: &Own| {
            let key = own.path.conflict_key();
            key.windows(ASIDE.len()).any(|part| part == ASIDE)
        };
        let rows = self.rows().filter(|(_, own)| looks_so(own));
        let mut taken: Vec<u32> = rows.filter_map(|(row, _)| row.try_into().ok()).collect();
        taken.sort_unstable_by_key(|row| self.key(*row as usize));
        taken
    }

    fn key(&self, row: usize) -> Vec<u8> {
        let own = self.own(row);
        own.map_or_else(Vec::new, |(_, own)| own.path.conflict_key())
    }

    /// Whether a name is a path of this key, or a directory above one.
    fn is_taken(&self, taken: &[u32], key: &[u8]) -> bool {
        let begins = |start: &[u8]| {
            let at = taken.partition_point(|row| self.key(*row as usize).as_slice() < start);
            taken.get(at).map(|row| self.key(*row as usize))
        };
        let below = [key, b"/"].concat();
        begins(key).is_some_and(|found| found == key)
            || begins(&below).is_some_and(|found| found.starts_with(&below))
    }
}

const fn row_of(key: u64) -> usize {
    (key & (RESCUED_BIT - 1)) as usize
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

    impl Named for &[&str] {
        fn count(&self) -> usize {
            self.len()
        }

        fn named(&self, row: usize) -> Option<(u32, RawName<'_>)> {
            let name = RawName::new(self.get(row)?.as_bytes());
            Some((row.try_into().unwrap(), name))
        }
    }

    /// The path and the one in reserve of each name.
    fn resolved(
        names: &[&str],
        rules: Rules,
    ) -> Vec<Result<(SafePath, Option<SafePath>), PathError>> {
        let places = resolve(&names, rules, &[]);
        let rows = (0..).zip(names).zip(places);
        rows.map(|((number, name), place)| {
            let own = rules.own(RawName::new(name.as_bytes()))?;
            let placed = place.in_full(own, number);
            Ok((placed.path, placed.reserve))
        })
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
