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
//! Where directories are left out of paths, what is left counts as the name here.
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

use std::borrow::Cow;
use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};

use crate::archive::{PathError, RawName, SafePath};
use crate::ops::pictures::is_picture;

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
    /// How many directories are left out at the beginning of each path.
    pub(super) strip: usize,
    /// All directories are left out.
    pub(super) flat: bool,
    /// Which entries become PNG files.
    pub(super) pictures: AsPictures,
}

/// Which entries become PNG files, by their names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum AsPictures {
    #[default]
    None,
    /// Pictures.
    NoMaps,
    /// Maps, too, by the textures in them.
    WithMaps,
}

/// Where the file of an entry goes. No path is kept, but made of the name each time it is asked for: a
/// rescued one has three times the bytes of its name, and there can be millions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    /// Why its name cannot be a path, where it is a rescued one.
    pub(super) rescued: Option<PathError>,
    /// Why it does not have the path that its name says.
    pub(super) aside: Option<Aside>,
    pub(super) late: Late,
    /// Which of the paths beside its own is free, where it is put aside or may have to be.
    free: u32,
}

/// Whether a file is written after all others, because it may turn out to be another one's. Then it
/// has a path in reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Late {
    No,
    Yes,
    /// And another entry's directory may be its path.
    Directory,
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

/// An entry by its number and its name.
pub(super) type Named<'a> = (usize, RawName<'a>);

impl Rules {
    /// Why a name can be a path only as a rescued one, if so; or why it can be none.
    fn judge(self, name: RawName<'_>) -> Result<Option<PathError>, PathError> {
        match SafePath::try_from(name) {
            Err(why) if self.rescue => {
                SafePath::try_from(RawName::new(&rescued(name)))?;
                Ok(Some(why))
            }
            path => path.map(|_| None),
        }
    }

    /// Whether the entry becomes a PNG file.
    pub(super) fn is_png(self, name: RawName<'_>) -> bool {
        self.pictures != AsPictures::None && is_picture(name, self.pictures == AsPictures::WithMaps)
    }

    /// The path that a name says.
    fn own(self, name: RawName<'_>, is_rescued: bool) -> Cow<'_, [u8]> {
        let mut path = Cow::Borrowed(name.as_bytes());
        if is_rescued {
            path = rescued(name).into();
        }
        if path.contains(&b'\\') {
            for byte in path.to_mut().iter_mut().filter(|byte| **byte == b'\\') {
                *byte = b'/';
            }
        }
        if !is_rescued {
            path = self.without_directories(path);
        }
        if self.is_png(name) {
            path.to_mut().extend_from_slice(b".png");
        }
        if self.lowercase && path.iter().any(u8::is_ascii_uppercase) {
            path.to_mut().make_ascii_lowercase();
        }
        path
    }

    /// A path without the directories that are left out. Names that no file may have keep all.
    fn without_directories<'a>(self, path: Cow<'a, [u8]>) -> Cow<'a, [u8]> {
        let mut ends = (0..).zip(&*path).filter(|(_, byte)| **byte == b'/');
        let end: Option<(usize, _)> = match (self.flat, self.strip.checked_sub(1)) {
            (true, _) => ends.last(),
            (false, Some(before)) => ends.nth(before),
            (false, None) => None,
        };
        let start = end.map_or(0, |(end, _)| end + 1);
        match path {
            Cow::Borrowed(path) => path.get(start..).unwrap_or_default().into(),
            Cow::Owned(mut path) => {
                path.drain(..start.min(path.len()));
                path.into()
            }
        }
    }

    /// Whether anything is left of a name's path without the directories that are left out.
    pub(super) fn leaves(self, name: RawName<'_>) -> bool {
        let is_separator = |byte: &&u8| matches!(**byte, b'/' | b'\\');
        let directories = name.as_bytes().iter().filter(is_separator).count();
        self.flat || directories >= self.strip || SafePath::try_from(name).is_err()
    }

    /// The path that a name says, if it can be one.
    pub(super) fn path(self, name: RawName<'_>) -> Result<Cow<'_, [u8]>, PathError> {
        let rescued = self.judge(name)?;
        Ok(self.own(name, rescued.is_some()))
    }
}

impl Placed {
    /// The path of the entry's file.
    pub(super) fn path(&self, entry: Named<'_>, rules: Rules) -> Result<SafePath, PathError> {
        match self.aside {
            Some(_) => self.reserve(entry, rules),
            None => self.own(entry.1, rules),
        }
    }

    /// The path that its name says.
    pub(super) fn own(&self, name: RawName<'_>, rules: Rules) -> Result<SafePath, PathError> {
        let path = rules.own(name, self.rescued.is_some());
        SafePath::try_from(RawName::new(&path))
    }

    /// The path beside that, where it goes if it is put aside.
    pub(super) fn reserve(
        &self,
        (number, name): Named<'_>,
        rules: Rules,
    ) -> Result<SafePath, PathError> {
        let path = rules.own(name, self.rescued.is_some());
        let beside = beside(&path, number, self.free);
        beside.map_or_else(|| SafePath::try_from(RawName::new(&path)), Ok)
    }
}

/// `PATH.dup-NUMBER`, and `-COUNT` from 2 on.
fn beside(path: &[u8], number: usize, count: u32) -> Option<SafePath> {
    let mut beside = path.to_vec();
    beside.extend(ASIDE);
    beside.extend(number.to_string().bytes());
    if count > 1 {
        beside.extend(format!("-{count}").bytes());
    }
    SafePath::try_from(RawName::new(&beside)).ok()
}

/// Finds out what becomes of names. Those in `aside` are put aside because of others elsewhere.
pub(super) fn resolve(
    names: &[Named<'_>],
    rules: Rules,
    aside: &[(usize, Aside)],
) -> Vec<Result<Placed, PathError>> {
    let placed = names.iter().map(|(_, name)| {
        Ok(Placed {
            rescued: rules.judge(*name)?,
            aside: None,
            late: Late::No,
            free: 1,
        })
    });
    let mut resolver = Resolver {
        names,
        rules,
        placed: placed.collect(),
    };
    let blocking = resolver.find_duplicates().into_iter();
    resolver.find_folded();
    let blocking = blocking.map(|row| (row, Aside::Directory));
    for (row, why) in aside.iter().copied().chain(blocking) {
        if let Some(Ok(placed)) = resolver.placed.get_mut(row) {
            (placed.aside, placed.late) = (Some(why), Late::No);
        }
    }
    resolver.find_free();
    resolver.placed
}

/// A name that any file may have, a different one for each name: bytes other than ASCII letters,
/// digits, `-`, `_`, and `.` between others, become `%` and two digits.
fn rescued(name: RawName<'_>) -> Vec<u8> {
    let bytes = name.as_bytes();
    let mut path = Vec::with_capacity(RESCUED.len() + 3 * bytes.len().max(1));
    path.extend_from_slice(RESCUED);
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
            let digit = |half: u8| b"0123456789abcdef".get(usize::from(half)).copied();
            path.push(b'%');
            path.extend([byte >> 4, byte & 15].into_iter().filter_map(digit));
        }
    }
    if bytes.is_empty() {
        path.push(b'%');
    }
    path
}

/// What is found out about names, by their rows.
struct Resolver<'a> {
    names: &'a [Named<'a>],
    rules: Rules,
    placed: Vec<Result<Placed, PathError>>,
}

impl<'a> Resolver<'a> {
    /// The rows whose names say a path, and that path.
    fn paths(&self) -> impl Iterator<Item = (usize, &Placed, Cow<'a, [u8]>)> {
        let rows = self.names.iter().zip(&self.placed).enumerate();
        rows.filter_map(|(row, ((_, name), placed))| {
            let placed = placed.as_ref().ok()?;
            Some((row, placed, self.rules.own(*name, placed.rescued.is_some())))
        })
    }

    /// What these paths become where case does not count.
    fn keys(&self) -> impl Iterator<Item = (usize, &Placed, Cow<'a, [u8]>)> {
        self.paths()
            .map(|(row, placed, path)| (row, placed, key(path)))
    }

    /// Of the rows with one path all but the first are put aside. Real names come first: they keep
    /// their paths against rescued ones. Returns the rows whose path others need as a directory.
    fn find_duplicates(&mut self) -> HashSet<usize> {
        let mut firsts: HashMap<Cow<'_, [u8]>, usize> = HashMap::with_capacity(self.names.len());
        let mut duplicates = Vec::new();
        for rescued in [false, true] {
            let these = self.paths();
            for (row, _, path) in these.filter(|(_, it, _)| it.rescued.is_some() == rescued) {
                match firsts.entry(path) {
                    Slot::Occupied(_) => duplicates.push(row),
                    Slot::Vacant(slot) => {
                        slot.insert(row);
                    }
                }
            }
        }
        let mut blocking = HashSet::new();
        each_directory(self.paths().map(|(_, _, path)| path), |directory| {
            blocking.extend(firsts.get(directory));
        });
        drop(firsts);
        for row in duplicates {
            if let Some(Ok(placed)) = self.placed.get_mut(row) {
                placed.aside = Some(Aside::Duplicate);
            }
        }
        blocking
    }

    /// The rows with paths that could fall together, where case is folded, are late.
    fn find_folded(&mut self) {
        // How many rows have a key that is not put aside already, and whether it is a directory's.
        let mut firsts: HashMap<Cow<'_, [u8]>, (u32, bool)> =
            HashMap::with_capacity(self.names.len());
        let is_first = |placed: &Placed| placed.aside.is_none();
        for (_, _, key) in self.keys().filter(|(_, placed, _)| is_first(placed)) {
            firsts.entry(key).or_default().0 += 1;
        }
        each_directory(self.keys().map(|(_, _, key)| key), |directory| {
            if let Some((_, is_directory)) = firsts.get_mut(directory) {
                *is_directory = true;
            }
        });
        let late = self.paths().map(|(row, placed, path)| {
            let is_ascii = path.is_ascii();
            let late = match firsts.get(&key(path)).filter(|_| is_first(placed)) {
                Some((_, true)) => Late::Directory,
                Some((2.., _)) => Late::Yes,
                Some(_) if !is_ascii => Late::Yes,
                _ => Late::No,
            };
            (row, late)
        });
        for (row, late) in late
            .filter(|(_, late)| *late != Late::No)
            .collect::<Vec<_>>()
        {
            if let Some(Ok(placed)) = self.placed.get_mut(row) {
                placed.late = late;
            }
        }
    }

    /// Each row that is put aside, or may have to be, gets the lowest number that makes its path
    /// there a free one. Two entries of one archive never get the same: their own numbers differ.
    fn find_free(&mut self) {
        // Nothing but what looks as if it was put aside, or lies in a directory that does, can stand
        // where something is put aside.
        let looks_so = |key: &Cow<'_, [u8]>| key.windows(ASIDE.len()).any(|part| part == ASIDE);
        let taken = self.keys().map(|(_, _, key)| key).filter(looks_so);
        let mut taken: Vec<Cow<'_, [u8]>> = taken.collect();
        taken.sort_unstable();
        let is_taken = |path: &[u8]| {
            let inside = [path, b"/"].concat();
            let at = taken.partition_point(|key| **key < *inside);
            let is_directory = taken.get(at).is_some_and(|key| key.starts_with(&inside));
            is_directory || taken.binary_search_by(|key| (**key).cmp(path)).is_ok()
        };
        for ((number, name), placed) in self.names.iter().zip(&mut self.placed) {
            let Ok(placed) = placed else { continue };
            if taken.is_empty() || placed.aside.is_none() && placed.late == Late::No {
                continue;
            }
            let path = self.rules.own(*name, placed.rescued.is_some());
            let is_free = |count: &u32| {
                let beside = beside(&path, *number, *count);
                beside.is_none_or(|path| !is_taken(&path.conflict_key()))
            };
            placed.free = (1..).find(is_free).unwrap_or_default();
        }
    }
}

/// What a path becomes where case does not count.
fn key(path: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !path.is_ascii() {
        let safe = SafePath::try_from(RawName::new(&path));
        return safe.map_or(path, |path| path.conflict_key().into());
    }
    let mut key = path;
    if key.iter().any(u8::is_ascii_uppercase) {
        key.to_mut().make_ascii_lowercase();
    }
    key
}

/// Calls `found` for the directories above each path: once for those that lie in one and stand
/// together.
fn each_directory<'a>(paths: impl Iterator<Item = Cow<'a, [u8]>>, mut found: impl FnMut(&[u8])) {
    let mut last = Vec::new();
    for path in paths {
        let parent = ancestors(&path).next().unwrap_or_default();
        if parent != last {
            ancestors(&path).for_each(&mut found);
            last.clear();
            last.extend_from_slice(parent);
        }
    }
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
        let placed = resolve(&names, rules, &[]).into_iter().zip(&names);
        placed
            .map(|(placed, name)| {
                let placed = placed?;
                let reserve = (placed.late != Late::No).then(|| placed.reserve(*name, rules));
                Ok((placed.path(*name, rules)?, reserve.transpose()?))
            })
            .collect()
    }

    fn plain(names: &[&str]) -> Vec<String> {
        paths(names, Rules::default())
    }

    #[test]
    fn directories_are_left_out_from_the_beginning_or_all_of_them() {
        let names = ["a/b/c", "a\\d", "A/b/C", "x", "../y"];
        let strip = |strip| Rules {
            strip,
            ..Rules::default()
        };
        let kept = |strip_by| {
            let names = names
                .iter()
                .filter(|it| strip(strip_by).leaves(RawName::from(**it)));
            let names: Vec<&str> = names.copied().collect();
            paths(&names, strip(strip_by)).join(" ")
        };
        assert_eq!(
            kept(0),
            "a/b/c a/d A/b/C x (Parent)".replace(
                "a/b/c a/d A/b/C",
                "a/b/c or a/b/c.dup-0 a/d A/b/C or A/b/C.dup-2"
            )
        );
        assert_eq!(kept(1), "b/c or b/c.dup-0 d b/C or b/C.dup-2 (Parent)");
        assert_eq!(kept(2), "c or c.dup-0 C or C.dup-1 (Parent)");
        assert_eq!(kept(3), "(Parent)");
        let flat = Rules {
            flat: true,
            ..Rules::default()
        };
        assert_eq!(
            paths(&["a/x", "b\\x", "x", "c/X"], flat),
            ["x or x.dup-0", "x.dup-1", "x.dup-2", "X or X.dup-3"]
        );
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
            let found = resolved(&names, Rules { lowercase, rescue, ..Rules::default() });
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
