//! Which entry of an archive is meant by a name or a number.

use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Case, Entry, Which, unescape};
use crate::engine::findable;
use crate::ops::finding::Finding;
use crate::ops::meant::no_name;

/// An entry that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// By its name.
    Name(Vec<u8>),
    /// By its number, counted from 0.
    Index(usize),
}

/// The entry that is asked for, or an error that says what was probably meant.
pub(super) fn find<'a>(archive: &'a Archive, wanted: &Wanted) -> Result<Entry<'a>, Finding> {
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
pub(super) fn named<'a>(archive: &'a Archive, name: &[u8]) -> Option<Entry<'a>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_slashes_are_all_that_a_loose_name_may_differ_in() {
        assert!(is_loosely(b"MAPS\\E1M1.bsp", b"maps/e1m1.BSP"));
        assert!(!is_loosely(b"maps/e1m1", b"maps/e1m1.bsp"));
        assert!(!is_loosely(b"\xC9", b"\xE9"));
    }
}
