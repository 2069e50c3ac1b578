//! What was probably meant by a name that nothing has.

use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::{Archive, quoted};
use crate::engine::findable;
use crate::ops::finding::{Finding, Notice, no_such_file, perhaps};

/// How many bytes of a name may differ, of how many: one of up to seven, two of up to eleven.
const PER_CHANGE: usize = 4;

/// Of `names` the one that is most like `typed`: that ends in it, or that differs from it in a few
/// bytes, in neither of them by case or the kind of slash. The first of several that are as like.
#[must_use]
pub fn meant(typed: &[u8], names: impl IntoIterator<Item = Vec<u8>>) -> Option<Vec<u8>> {
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
pub(super) fn no_name(archive: &Archive, name: &[u8]) -> Finding {
    let names = archive.entries();
    let near = meant(name, names.map(|entry| entry.name().as_bytes().to_vec()));
    let perhaps = perhaps(near.as_deref().map(quoted));
    Finding::error(
        Notice::NoSuchEntry,
        format!("no entry is named {}{perhaps}", quoted(name)),
    )
}

/// The error of looking at a path; where there is nothing, with what was probably meant.
pub(super) fn or_missing(error: Finding) -> Finding {
    match &error.place.path {
        Some(path) if error.notice == Notice::NotFound => {
            no_such_file(Notice::NoSuchFile, path, beside(path).as_deref())
        }
        _ => error,
    }
}

/// What there is beside a path that leads nowhere and is called like it.
pub(super) fn beside(path: &Path) -> Option<PathBuf> {
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
}
