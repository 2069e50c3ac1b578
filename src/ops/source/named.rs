//! Which entry a name means, and what a wrong name is like.

use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Case, Entry, Which, quoted, unescape};
use crate::engine::findable;
use crate::ops::finding::{Finding, Notice, no_such_file, perhaps};

/// An entry that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// By its name.
    Name(Vec<u8>),
    /// By its number, counted from 0.
    Index(usize),
}

/// The entry that is asked for, or an error that says what was probably meant.
pub(in crate::ops) fn find<'a>(
    archive: &'a Archive,
    wanted: &Wanted,
) -> Result<Entry<'a>, Finding> {
    let (found, missing) = match wanted {
        Wanted::Index(index) => {
            let (index, count) = (*index, archive.len());
            (
                archive.entry(index),
                Finding::from(ErrorKind::NoEntry { index, count }),
            )
        }
        Wanted::Name(name) => (named(archive, name), no_name(archive, name)),
    };
    found.ok_or(missing)
}

/// The entry that a name means: the first of exactly this name, else the first that differs from it in
/// case and the kind of slash alone, else the one that is shown so.
pub(in crate::ops) fn named<'a>(archive: &'a Archive, name: &[u8]) -> Option<Entry<'a>> {
    let exact = |name: &[u8]| archive.find(name, Case::Matters, Which::First);
    let loose = || {
        let mut entries = archive.entries();
        entries.find(|entry| is_loosely(entry.name().as_bytes(), name))
    };
    let shown = || exact(&unescape(core::str::from_utf8(name).ok()?)?);
    exact(name).or_else(loose).or_else(shown)
}

/// Whether two names are the same but for the case of ASCII letters and the kind of slash.
fn is_loosely(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && findable(a) == findable(b)
}

/// How many bytes of a name may differ, of how many: one of up to seven, two of up to eleven.
const PER_CHANGE: usize = 4;

/// Of `names` the one that is most like `typed`: that ends in it, or that differs from it in a few
/// bytes, in neither of them by case or the kind of slash. The first of several that are as like.
pub(in crate::ops) fn meant(
    typed: &[u8],
    names: impl IntoIterator<Item = Vec<u8>>,
) -> Option<Vec<u8>> {
    let typed = findable(typed);
    let most = (typed.len() / PER_CHANGE).max(1);
    let mut best: Option<(usize, Vec<u8>)> = None;
    for name in names {
        let other = findable(&name);
        let ends = other
            .strip_suffix(&*typed)
            .is_some_and(|it| it.ends_with(b"/"));
        let distance = match other == typed {
            true => Some(0),
            false if ends => Some(1),
            // After what only lacks its directories.
            false => changes(&typed, &other, most).map(|changes| changes + 1),
        };
        if let Some(distance) = distance
            && best.as_ref().is_none_or(|(least, _)| distance < *least)
        {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The error for a name that no entry of an archive has.
pub(in crate::ops) fn no_name(archive: &Archive, name: &[u8]) -> Finding {
    let names = archive.entries();
    let near = meant(name, names.map(|entry| entry.name().as_bytes().to_vec()));
    let perhaps = perhaps(near.as_deref().map(quoted));
    Finding::error(
        Notice::NoSuchEntry,
        format!("no entry is named {}{perhaps}", quoted(name)),
    )
}

/// The error of looking at a path; where there is nothing, with what was probably meant.
pub(in crate::ops) fn or_missing(error: Finding) -> Finding {
    match &error.place.path {
        Some(path) if error.notice == Notice::NotFound => {
            no_such_file(Notice::NoSuchFile, path, beside(path).as_deref())
        }
        _ => error,
    }
}

/// What there is beside a path that leads nowhere and is called like it.
pub(in crate::ops) fn beside(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let listed = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let entries = fs::read_dir(listed).ok()?.filter_map(Result::ok);
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    // Not the order in which a disk lists them.
    names.sort_unstable();
    let typed = path.file_name()?.as_encoded_bytes();
    let bytes = |name: &std::ffi::OsString| name.as_encoded_bytes().to_vec();
    let found = meant(typed, names.iter().map(bytes))?;
    let name = names.iter().find(|name| name.as_encoded_bytes() == found)?;
    Some(folder.join(name))
}

/// How many bytes must be put in, taken out or exchanged to make one name of the other, up to
/// `most`.
fn changes(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (n, x) in (1..).zip(a) {
        let mut left = n;
        let mut diagonal = core::mem::replace(row.first_mut()?, n);
        for (cell, y) in row.iter_mut().skip(1).zip(b) {
            let exchanged = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = exchanged.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
    }
    row.last().copied().filter(|changes| *changes <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_most_like_is_meant_and_nothing_where_nothing_is_like() {
        let names = [
            "maps/e1m1.bsp",
            "MAPS\\E1M2.BSP",
            "progs.dat",
            "gfx/conchars.lmp",
        ];
        let meant = |typed: &str| {
            let names = names.map(|name| name.as_bytes().to_vec());
            meant(typed.as_bytes(), names).map(|name| String::from_utf8(name).unwrap())
        };
        for (typed, expected) in [
            ("maps/e1m9.bsp", Some("maps/e1m1.bsp")),
            ("maps/e1m2.bsp", Some("MAPS\\E1M2.BSP")),
            ("E1M2.bsp", Some("MAPS\\E1M2.BSP")),
            ("conchars.lmp", Some("gfx/conchars.lmp")),
            ("prog.dat", Some("progs.dat")),
            ("pogrs.dat", Some("progs.dat")),
            ("progs", None),
            ("m1.bsp", None),
            ("", None),
        ] {
            assert_eq!(meant(typed).as_deref(), expected, "{typed}");
        }
    }

    #[test]
    fn changes_are_counted_as_by_hand() {
        for (a, b, expected) in [
            ("kitten", "sitting", Some(3)),
            ("", "abc", Some(3)),
            ("abc", "abc", Some(0)),
            ("abcd", "abce", Some(1)),
            ("abcd", "wxyz", None),
        ] {
            assert_eq!(changes(a.as_bytes(), b.as_bytes(), 3), expected, "{a} {b}");
        }
    }

    #[test]
    fn case_and_slashes_are_all_that_a_loose_name_may_differ_in() {
        assert!(is_loosely(b"MAPS\\E1M1.bsp", b"maps/e1m1.BSP"));
        assert!(!is_loosely(b"maps/e1m1", b"maps/e1m1.bsp"));
        assert!(!is_loosely(b"\xC9", b"\xE9"));
    }
}
