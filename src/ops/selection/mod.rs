//! Selects entries by globs and names.
//!
//! A glob with a `/` is compared with the whole name. A glob without one is compared with the last part of the name, so
//! it matches in any folder. ASCII case is ignored, as in most games. A `\` in a name counts as `/`. `*` does not match
//! a `/`, but `**` does. `maps/` is the same as `maps/**`.
//!
//! As in tar, a name selects one entry, or everything in a folder of that name. If it has wildcards, it is also a glob.

mod glob;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use bstr::ByteSlice;

use self::glob::Glob;
use crate::archive::{Archive, Entry, RawName, quoted_name};
use crate::ops::finding::{Finding, Help};

/// Which entries are selected.
#[derive(Debug, Default)]
pub struct Selection {
    /// Globs. If there are neither globs nor names, all entries are selected.
    include: Vec<Pattern>,
    /// Names of entries and folders.
    names: Vec<Pattern>,
    exclude: Vec<Pattern>,
    /// The numbers of entries, if they were chosen from a list.
    numbers: Option<BTreeSet<usize>>,
}

/// One glob or name.
#[derive(Debug)]
struct Pattern {
    /// The text that the user gave.
    given: Vec<u8>,
    /// The name, in lower case. `None` if this is only a glob.
    name: Option<Vec<u8>>,
    /// `None` if this is only a name.
    glob: Option<Glob>,
    /// Whether the glob is compared with the whole name.
    whole: bool,
    /// Whether it has matched an entry, in any archive.
    hit: AtomicBool,
}

impl Selection {
    /// Every entry.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// The entries that match one of `include` (all entries if it is empty) and none of `exclude`.
    ///
    /// ```
    /// use daisho::ops::source::Selection;
    /// use daisho::archive::RawName;
    ///
    /// let selection = Selection::new(&["maps/**", "*.wal"], &["*.ent"])?;
    /// assert!(selection.picks(RawName::from("maps/dm/e1.bsp")));
    /// assert!(selection.picks(RawName::from("textures/e1/WALL.WAL")));
    /// assert!(!selection.picks(RawName::from("maps/e1m1.ent")));
    /// # Ok::<(), daisho::ops::finding::Finding>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a glob is invalid.
    pub fn new<S: AsRef<[u8]>>(include: &[S], exclude: &[S]) -> Result<Self, Finding> {
        let include = include.iter().map(|glob| Pattern::new(glob.as_ref()));
        let exclude = exclude.iter().map(|glob| Pattern::new(glob.as_ref()));
        Ok(Self {
            include: include.collect::<Result<_, _>>()?,
            names: Vec::new(),
            exclude: exclude.collect::<Result<_, _>>()?,
            numbers: None,
        })
    }

    /// The entries with these numbers, for a program whose user chooses entries of one archive from a list.
    #[must_use]
    pub fn of_numbers(numbers: impl IntoIterator<Item = usize>) -> Self {
        Self { numbers: Some(numbers.into_iter().collect()), ..Self::default() }
    }

    /// Also selects the entries with these names, and all entries in folders with these names. If a name has wildcards,
    /// it is also a glob.
    ///
    /// ```
    /// use daisho::ops::source::Selection;
    /// use daisho::archive::RawName;
    ///
    /// let selection = Selection::all().with_names(["maps/E1M1.bsp", "sound"]);
    /// assert!(selection.picks(RawName::from("maps/e1m1.bsp")));
    /// assert!(selection.picks(RawName::from("sound/misc/hit.wav")));
    /// assert!(!selection.picks(RawName::from("old/maps/e1m1.bsp")));
    /// ```
    #[must_use]
    pub fn with_names<N: AsRef<[u8]>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter();
        self.names.extend(names.map(|name| Pattern::name(name.as_ref())));
        self
    }

    /// Whether the entry with this name is selected.
    pub fn picks(&self, name: RawName<'_>) -> bool {
        let name = name.as_bytes().replace(b"\\", b"/");
        let mut is_wanted = self.include.is_empty() && self.names.is_empty();
        // All of them are asked, so that each knows whether it has ever matched.
        for pattern in self.include.iter().chain(&self.names) {
            is_wanted |= pattern.picks(&name);
        }
        is_wanted && !self.exclude.iter().any(|pattern| pattern.picks(&name))
    }

    /// An error for each included glob and each name that has matched nothing so far.
    pub fn unmatched(&self) -> impl Iterator<Item = Finding> + '_ {
        let patterns = self.include.iter().chain(&self.names);
        let unmatched = patterns.filter(|pattern| !pattern.has_hit());
        unmatched.map(|pattern| no_match(&pattern.given))
    }

    /// Whether entries were named.
    pub(super) fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// The names that have matched nothing so far, as the user gave them.
    pub(super) fn unmatched_names(&self) -> impl Iterator<Item = &[u8]> {
        let unmatched = self.names.iter().filter(|pattern| !pattern.has_hit());
        unmatched.map(|pattern| pattern.given.as_slice())
    }

    /// The selected entries of an archive, in the directory's order.
    pub(super) fn entries<'a>(&self, archive: &'a Archive) -> Vec<Entry<'a>> {
        let entries = archive.entries();
        if self.is_all() {
            return entries.collect();
        }
        let has_number = |entry: &Entry<'_>| {
            let numbers = self.numbers.as_ref();
            numbers.is_none_or(|numbers| numbers.contains(&entry.index()))
        };
        entries.filter(|entry| has_number(entry) && self.picks(entry.name())).collect()
    }

    /// Whether all entries are selected, of any archive.
    pub(super) fn is_all(&self) -> bool {
        let none = [&self.include, &self.names, &self.exclude];
        self.numbers.is_none() && none.iter().all(|patterns| patterns.is_empty())
    }
}

/// Whether a name has wildcards.
pub(super) fn is_glob(name: &[u8]) -> bool {
    name.iter().any(|byte| b"*?[{".contains(byte))
}

/// The error for a glob that no entry matches.
pub(super) fn no_match(glob: &[u8]) -> Finding {
    Finding::error(format!("no entry matches {}", quoted_name(glob))).help(Help::Patterns)
}

impl Pattern {
    fn new(given: &[u8]) -> Result<Self, Finding> {
        // A folder stands for everything in it.
        let glob = match given.strip_suffix(b"/") {
            Some(folder) => Glob::new(&[folder, b"/**"].concat()),
            None => Glob::new(given),
        };
        let glob = glob.map_err(|why| {
            let glob = quoted_name(given);
            Finding::error(format!("the glob {glob} cannot be read: {why}")).advice(
                "put special characters in brackets: '[[]' matches '[', and '[{]' matches '{'",
            )
        })?;
        Ok(Self {
            given: given.to_vec(),
            name: None,
            glob: Some(glob),
            whole: given.contains(&b'/'),
            hit: AtomicBool::new(false),
        })
    }

    /// A name. It is also a glob if it has wildcards and is valid as a glob.
    fn name(given: &[u8]) -> Self {
        let glob = is_glob(given).then(|| Self::new(given).ok()).flatten();
        let mut pattern = glob.unwrap_or_else(|| Self {
            given: given.to_vec(),
            name: None,
            glob: None,
            whole: true,
            hit: AtomicBool::new(false),
        });
        let name = given.replace(b"\\", b"/").to_ascii_lowercase();
        pattern.name = Some(name.trim_end_with(|c| c == '/').to_vec());
        pattern
    }

    fn has_hit(&self) -> bool {
        self.hit.load(Ordering::Relaxed)
    }

    /// Whether `name` is the given name, or in a folder of the given name.
    fn names(&self, name: &[u8]) -> bool {
        let Some(own) = &self.name else {
            return false;
        };
        let (Some(start), next) = (name.get(..own.len()), name.get(own.len())) else {
            return false;
        };
        start.eq_ignore_ascii_case(own) && next.is_none_or(|byte| *byte == b'/')
    }

    fn picks(&self, name: &[u8]) -> bool {
        let named = self.names(name);
        let name =
            if self.whole { name } else { name.rsplit(|b| *b == b'/').next().unwrap_or(name) };
        let picked = named || self.glob.as_ref().is_some_and(|glob| glob.matches(name));
        if picked {
            self.hit.store(true, Ordering::Relaxed);
        }
        picked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(include: &[&str], exclude: &[&str], name: &[u8]) -> bool {
        Selection::new(include, exclude).unwrap().picks(RawName::new(name))
    }

    #[test]
    fn globs_without_a_slash_match_the_last_part() {
        assert!(picks(&["*.wal"], &[], b"textures/e1/wall.wal"));
        assert!(picks(&["*.wal"], &[], b"wall.wal"));
        assert!(!picks(&["e1"], &[], b"textures/e1/wall.wal"));
    }

    #[test]
    fn a_glob_with_a_slash_is_about_the_whole_name() {
        assert!(picks(&["maps/*.bsp"], &[], b"maps/e1m1.bsp"));
        assert!(!picks(&["maps/*.bsp"], &[], b"old/maps/e1m1.bsp"));
        assert!(!picks(&["maps/*.bsp"], &[], b"maps/old/e1m1.bsp"));
        assert!(picks(&["maps/**"], &[], b"maps/old/e1m1.bsp"));
        assert!(picks(&["**/old/*"], &[], b"maps/old/e1m1.bsp"));
        assert!(picks(&["maps/"], &[], b"maps/old/e1m1.bsp"));
        assert!(picks(&["MAPS/old/"], &[], b"maps\\old\\e1m1.bsp"));
        assert!(!picks(&["maps/"], &[], b"mapsource/a"));
        assert!(!picks(&["maps/"], &[], b"old/maps/a"));
    }

    #[test]
    fn case_and_the_kind_of_slash_make_no_difference() {
        assert!(picks(&["maps/*.BSP"], &[], b"MAPS\\E1M1.bsp"));
        assert!(picks(&["e1*"], &[], b"MAPS\\E1M1.bsp"));
    }

    #[test]
    fn what_is_excluded_is_out_even_if_it_is_included() {
        assert!(!picks(&["*.wal"], &["wall*"], b"textures/wall.wal"));
        assert!(!picks(&[], &["*.wal"], b"textures/wall.wal"));
        assert!(picks(&[], &["*.wal"], b"textures/wall.tga"));
    }

    #[test]
    fn names_that_are_no_text_can_be_picked() {
        assert!(picks(&["*.wal"], &[], b"b\xE4r.wal"));
        assert!(picks(&["b?r.wal"], &[], b"b\xE4r.wal"));
    }

    #[test]
    fn a_glob_that_never_picked_is_told() {
        let selection = Selection::new(&["*.wal", "*.tga"], &[]).unwrap();
        assert!(selection.picks(RawName::new(b"a.wal")));
        let unmatched: Vec<String> = selection.unmatched().map(|e| e.to_string()).collect();
        assert_eq!(unmatched.len(), 1);
        assert!(unmatched[0].contains("*.tga"), "{unmatched:?}");
    }

    #[test]
    fn a_glob_that_is_none_is_refused() {
        let error = Selection::new(&["a[b"], &[]).unwrap_err();
        assert!(error.to_string().contains("a[b"), "{error}");
    }
}
