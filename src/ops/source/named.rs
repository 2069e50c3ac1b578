//! Finds the entry that a name means, and suggests similar names for a wrong one.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Entry, quoted_name, quoted_path, unescape};
use crate::engine::findable;
use crate::ops::finding::{Finding, Help, Meaning, perhaps};
use crate::ops::selection::{Selection, entry_names, is_glob, lump_names, no_match};

/// An entry that a user asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// By its name.
    Name(Vec<u8>),
    /// By its number, counted from 0.
    Index(usize),
}

impl Wanted {
    /// Entries by their names, then entries by their numbers.
    pub fn list<N: Into<OsString>>(
        names: impl IntoIterator<Item = N>,
        numbers: &[usize],
    ) -> Vec<Self> {
        let names = names.into_iter();
        let mut wanted: Vec<Self> =
            names.map(|name| Self::Name(name.into().into_encoded_bytes())).collect();
        wanted.extend(numbers.iter().copied().map(Self::Index));
        wanted
    }
}

/// Finds the entries that a user asks for: one by its number or name, or all entries of a folder or a glob. With
/// `or_file`, a name that no entry has may be that of a file.
pub(crate) fn find<'a>(
    archive: &'a Archive,
    wanted: &Wanted,
    or_file: bool,
) -> Result<Vec<Entry<'a>>, Finding> {
    match wanted {
        Wanted::Index(index) => {
            let (index, count) = (*index, archive.len());
            let entry = archive.entry(index);
            let entry = entry.ok_or(ErrorKind::NoEntry { index, count })?;
            Ok(vec![entry])
        }
        Wanted::Name(name) => {
            let name = without_dot(archive, name);
            if let Some(entry) = named(archive, name) {
                return Ok(vec![entry]);
            }
            let mut several = lumps_named(archive, name);
            if several.is_empty() {
                several = in_folder_or_glob(archive, name)?;
            }
            if several.is_empty() {
                return Err(not_found(name, names_of(archive), or_file));
            }
            Ok(several)
        }
    }
}

/// A name without a leading `./`, unless an entry has it as it was typed.
pub(crate) fn without_dot<'n>(archive: &Archive, name: &'n [u8]) -> &'n [u8] {
    match name.strip_prefix(b"./") {
        Some(rest) if archive.get(name).is_none() => rest,
        _ => name,
    }
}

/// The rest of a name after a folder, or `None` if it is not in that folder. Every name is in the empty folder.
pub(crate) fn in_folder<'n>(name: &'n [u8], folder: &[u8]) -> Option<&'n [u8]> {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    match folder {
        [] => Some(name),
        _ => name.strip_prefix(folder)?.strip_prefix(b"/"),
    }
}

/// The entries of a folder, or the entries that a glob matches if no folder has that name.
pub(crate) fn in_folder_or_glob<'a>(
    archive: &'a Archive,
    name: &[u8],
) -> Result<Vec<Entry<'a>>, Finding> {
    if name.is_empty() {
        return Ok(Vec::new());
    }
    let mut entries: Vec<Entry<'a>> = archive.entries().collect();
    if is_glob(name) {
        let selection = Selection::new(&[name], &[])?;
        let mut all = entries.iter();
        if !all.any(|entry| in_folder(entry.name().as_bytes(), name).is_some()) {
            return Ok(selection.of(entries, entry_names));
        }
    }
    entries.retain(|entry| in_folder(entry.name().as_bytes(), name).is_some());
    Ok(entries)
}

/// The entry that a name means: the first of exactly this name, else the first that differs from it in
/// case and the kind of slash alone, else the one that is shown so, else the only lump that has it as another name.
pub(crate) fn named<'a>(archive: &'a Archive, name: &[u8]) -> Option<Entry<'a>> {
    if let Some(exact) = archive.get(name) {
        return Some(exact);
    }
    let mut entries = archive.entries();
    let loose = entries.find(|entry| is_loosely(entry.name().as_bytes(), name));
    if loose.is_some() {
        return loose;
    }
    let shown = core::str::from_utf8(name).ok().and_then(unescape);
    if let Some(shown) = shown.and_then(|shown| archive.get(&shown)) {
        return Some(shown);
    }
    match lumps_named(archive, name).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The lumps that have this as another name, such as `brick` of `brick.mip` and `brick.lmp`.
pub(crate) fn lumps_named<'a>(archive: &'a Archive, name: &[u8]) -> Vec<Entry<'a>> {
    let is_other = |entry: &Entry<'a>| lump_names(entry).iter().any(|it| is_loosely(it, name));
    archive.entries().filter(is_other).collect()
}

/// Whether two names are the same but for the case of ASCII letters and the kind of slash.
fn is_loosely(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && findable(a) == findable(b)
}

/// One byte of a name may differ for each four that it has, but at least one.
const PER_CHANGE: usize = 4;

/// For how many wrong names a similar one is looked for, which takes long in a large archive.
pub(crate) const SUGGESTED: usize = 3;

/// The first of the `names` that are most similar to `typed`. A similar name ends in `/` and the typed one, or differs in
/// a few bytes. Case and the kind of slash do not count.
pub(crate) fn meant(typed: &[u8], names: impl IntoIterator<Item = Vec<u8>>) -> Option<Vec<u8>> {
    let typed = findable(typed);
    let most = (typed.len() / PER_CHANGE).max(1);
    let mut best: Option<(usize, Vec<u8>)> = None;
    for name in names {
        let other = findable(&name);
        let ends = other.strip_suffix(&*typed).is_some_and(|it| it.ends_with(b"/"));
        // A name that only lacks its directories comes before all that differ.
        let distance = if other == typed {
            Some(0)
        } else if ends {
            Some(1)
        } else {
            changes(&typed, &other, most).map(|changes| changes + 1)
        };
        if let Some(distance) = distance
            && best.as_ref().is_none_or(|(least, _)| distance < *least)
        {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The error for a name that none of these is, or for a glob that matches none of them. With `or_file`, the user may have
/// meant a file, or the directory to write into.
pub(crate) fn not_found(
    name: &[u8],
    names: impl IntoIterator<Item = Vec<u8>>,
    or_file: bool,
) -> Finding {
    if is_glob(name) {
        return no_match(name);
    }
    let mut near = meant(name, names);
    if or_file && near.is_none() {
        let path = core::str::from_utf8(name).ok().map(Path::new);
        near = path.and_then(beside).map(|it| it.into_os_string().into_encoded_bytes());
    }
    let help = if or_file && near.is_none() { Help::NamesAfterArchive } else { Help::ListNames };
    let nothing = if or_file { "no file and no entry" } else { "no entry" };
    let perhaps = perhaps(near.as_deref().map(quoted_name));
    Finding::error(format!("{nothing} is named {}{perhaps}", quoted_name(name))).help(help)
}

/// The names of an archive's entries.
pub(crate) fn names_of(archive: &Archive) -> impl Iterator<Item = Vec<u8>> {
    archive.entries().flat_map(|entry| entry_names(&entry))
}

/// The error for a path that cannot be examined. If it does not exist, the error suggests a similar file. It may be the
/// name of an entry if names are taken, or if it goes on after a file.
pub(crate) fn or_missing(error: Finding, takes_names: bool) -> Finding {
    let Some(path) = error.place.path.clone() else {
        return error;
    };
    let leads_into_file = path.ancestors().skip(1).any(Path::is_file);
    if error.meaning != Meaning::NoSuchFile && !leads_into_file {
        return error;
    }
    let near = if leads_into_file { None } else { beside(&path) };
    let perhaps = perhaps(near.as_deref().map(quoted_path));
    let error = Finding::error(format!("no such file or directory{perhaps}")).at_path(path);
    if leads_into_file || takes_names {
        error.help(Help::NamesAfterArchive).means(Meaning::NoSuchFile)
    } else {
        error.no_such_file()
    }
}

/// A file in the same directory with a name similar to a path that does not exist.
pub(crate) fn beside(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(listed).ok()?.filter_map(Result::ok);
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    // The result must not depend on the order in which a disk lists files.
    names.sort_unstable();
    let typed = path.file_name()?.as_encoded_bytes();
    let bytes = names.iter().map(|name| name.as_encoded_bytes().to_vec());
    let found = meant(typed, bytes)?;
    let name = names.iter().find(|name| name.as_encoded_bytes() == found)?;
    Some(folder.join(name))
}

/// How many bytes must be inserted, removed or replaced to turn one name into the other. `None` if more than `most`.
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
    fn suggestions_are_the_most_alike_or_none() {
        let names = ["maps/e1m1.bsp", "MAPS\\E1M2.BSP", "progs.dat", "gfx/conchars.lmp"];
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
    fn loose_names_may_differ_only_in_case_and_slashes() {
        assert!(is_loosely(b"MAPS\\E1M1.bsp", b"maps/e1m1.BSP"));
        assert!(!is_loosely(b"maps/e1m1", b"maps/e1m1.bsp"));
        assert!(!is_loosely(b"\xC9", b"\xE9"));
    }
}
