//! Selects entries by globs and names.
//!
//! An included or excluded pattern matches files, and folders with everything in them, as in `.gitignore`. With a `/` in
//! it, it begins at the root: `/source/`, `source/` and `./source` are the same. Without one it matches at any depth.
//! ASCII case is ignored, as in most games. A `\` in a name counts as `/`. `*` does not match a `/`, but `**` does.
//!
//! As in tar, a name selects one entry, or everything in a folder of that name. If it has wildcards, it is also a glob
//! for files: with a `/` it is compared with the whole name, and without one with the last part of the name.
//!
//! In a WAD or a map, a name or a pattern may leave out the extension, and `*lava` is `#lava.mip`.

mod glob;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use bstr::ByteSlice;

use self::glob::Glob;
use crate::archive::{Archive, Entry, RawName, quoted_name};
use crate::media::{FileType, Kind};
use crate::ops::finding::{Finding, Help};

/// Which entries are selected.
#[derive(Debug, Default)]
pub struct Selection {
    /// Globs. If there are neither globs nor names, all entries are selected.
    include: Vec<Pattern>,
    /// Names of entries and folders.
    names: Vec<Pattern>,
    exclude: Vec<Pattern>,
    /// Excluded patterns of a list, which may match nothing.
    exclude_list: Vec<Pattern>,
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
    /// Whether the glob begins at the root.
    rooted: bool,
    /// Whether the glob also matches folders, with everything in them.
    folders: bool,
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
            exclude: exclude.collect::<Result<_, _>>()?,
            ..Self::default()
        })
    }

    /// Also excludes the patterns of a list: one a line, without blank lines and comments, which begin with `#`.
    ///
    /// # Errors
    ///
    /// If a pattern is invalid.
    pub fn excluding_list(mut self, list: &[u8]) -> Result<Self, Finding> {
        for line in list.lines() {
            let pattern = line.trim_ascii();
            if !pattern.is_empty() && !pattern.starts_with(b"#") {
                self.exclude_list.push(Pattern::new(pattern)?);
            }
        }
        Ok(self)
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
        self.picks_any(&[name.as_bytes().replace(b"\\", b"/")])
    }

    /// Whether an entry is selected. Lumps have several names.
    pub(crate) fn picks_entry(&self, entry: &Entry<'_>) -> bool {
        let mut names = vec![entry.name().as_bytes().replace(b"\\", b"/")];
        names.extend(lump_names(entry));
        self.picks_any(&names)
    }

    /// Whether an entry with these names is selected.
    fn picks_any(&self, names: &[Vec<u8>]) -> bool {
        let mut is_wanted = self.include.is_empty() && self.names.is_empty();
        // All of them are asked, so that each knows whether it has ever matched.
        let picks = |pattern: &Pattern| names.iter().any(|name| pattern.picks(name));
        for pattern in self.include.iter().chain(&self.names) {
            is_wanted |= picks(pattern);
        }
        for pattern in self.exclude.iter().chain(&self.exclude_list) {
            is_wanted &= !picks(pattern);
        }
        is_wanted
    }

    /// An error for each included pattern and each name that has matched nothing so far, and a warning for each excluded
    /// pattern.
    pub fn unmatched(&self) -> impl Iterator<Item = Finding> + '_ {
        let excluded = self.exclude.iter().filter(|pattern| !pattern.has_hit());
        let excluded = excluded.map(|pattern| {
            let pattern = quoted_name(&pattern.given);
            Finding::warning(format!("nothing is left out by -x {pattern}, which matches nothing"))
        });
        self.missed().map(|pattern| no_match(&pattern.given)).chain(excluded)
    }

    /// The included patterns and the names that have matched nothing so far.
    fn missed(&self) -> impl Iterator<Item = &Pattern> {
        self.include.iter().chain(&self.names).filter(|pattern| !pattern.has_hit())
    }

    /// Whether an included pattern or a name has matched nothing so far.
    pub(crate) fn has_missed(&self) -> bool {
        self.missed().next().is_some()
    }

    /// Whether entries were named.
    pub(crate) fn has_names(&self) -> bool {
        let mut included = self.include.iter();
        !self.names.is_empty() || included.any(|pattern| !is_glob(&pattern.given))
    }

    /// The names that have matched nothing so far, as the user gave them. An included pattern without wildcards is one.
    pub(crate) fn unmatched_names(&self) -> impl Iterator<Item = &[u8]> {
        let names = self.missed().map(|pattern| pattern.given.as_slice());
        names.filter(|given| !is_glob(given) || self.names.iter().any(|it| it.given == *given))
    }

    /// The selected entries of an archive, in the directory's order.
    pub(crate) fn entries<'a>(&self, archive: &'a Archive) -> Vec<Entry<'a>> {
        let entries = archive.entries();
        if self.is_all() {
            return entries.collect();
        }
        let has_number = |entry: &Entry<'_>| {
            let numbers = self.numbers.as_ref();
            numbers.is_none_or(|numbers| numbers.contains(&entry.index()))
        };
        entries.filter(|entry| has_number(entry) && self.picks_entry(entry)).collect()
    }

    /// Whether all entries are selected, of any archive.
    pub(crate) fn is_all(&self) -> bool {
        let none = [&self.include, &self.names, &self.exclude, &self.exclude_list];
        self.numbers.is_none() && none.iter().all(|patterns| patterns.is_empty())
    }
}

/// The other names of a lump of a WAD, or of a texture of a map: without the extension, which daisho adds, and with the
/// `*` that daisho shows as `#`.
pub(crate) fn lump_names(entry: &Entry<'_>) -> Vec<Vec<u8>> {
    let archive = entry.archive();
    let has_lumps = match archive.format() {
        Some(format) => format.spec().has_lumps(),
        None => FileType::by_word(archive.format_word()).is_some_and(|it| it.kind() == Kind::Map),
    };
    let name = entry.name().as_bytes();
    let Some(dot) = name.rfind_byte(b'.').filter(|_| has_lumps) else {
        return Vec::new();
    };
    let stem = name.get(..dot).unwrap_or_default();
    let mut names = vec![stem.to_vec()];
    if stem.starts_with(b"#") {
        names.extend([name, stem].map(|it| it.replacen(b"#", b"*", 1)));
    }
    names
}

/// Whether a name has wildcards.
pub(crate) fn is_glob(name: &[u8]) -> bool {
    name.iter().any(|byte| b"*?[{".contains(byte))
}

/// The error for a glob that no entry matches.
pub(crate) fn no_match(glob: &[u8]) -> Finding {
    Finding::error(format!("no entry matches {}", quoted_name(glob))).help(Help::Patterns)
}

impl Pattern {
    fn new(given: &[u8]) -> Result<Self, Finding> {
        if given.starts_with(b"!") {
            let why = format!("the pattern {} begins with '!'", quoted_name(given));
            return Err(Finding::error(why));
        }
        let start = given.strip_prefix(b"./").unwrap_or(given);
        let start = start.strip_prefix(b"/").unwrap_or(start);
        let glob = Self::glob(start.strip_suffix(b"/").unwrap_or(start))?;
        Ok(Self {
            given: given.to_vec(),
            name: None,
            glob: Some(glob),
            rooted: given.contains(&b'/'),
            folders: true,
            hit: AtomicBool::new(false),
        })
    }

    fn glob(text: &[u8]) -> Result<Glob, Finding> {
        Glob::new(text).map_err(|why| {
            let glob = quoted_name(text);
            Finding::error(format!("the glob {glob} cannot be read: {why}")).advice(
                "put special characters in brackets: '[[]' matches '[', and '[{]' matches '{'",
            )
        })
    }

    /// A name. It is also a glob if it has wildcards and is valid as a glob.
    fn name(given: &[u8]) -> Self {
        let name = given.replace(b"\\", b"/").to_ascii_lowercase();
        let name = name.strip_prefix(b"./").unwrap_or(&name);
        let name = name.trim_end_with(|c| c == '/').to_vec();
        let mut glob = if is_glob(given) { Self::glob(given).ok() } else { None };
        if given.ends_with(b"/") && glob.is_some() {
            glob = Self::glob(&[given, b"**"].concat()).ok();
        }
        Self {
            given: given.to_vec(),
            name: Some(name),
            glob,
            rooted: given.contains(&b'/'),
            folders: false,
            hit: AtomicBool::new(false),
        }
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
        let picked = self.names(name) || self.glob.as_ref().is_some_and(|it| self.globs(it, name));
        if picked {
            self.hit.store(true, Ordering::Relaxed);
        }
        picked
    }

    /// Whether the glob matches `name`, or a folder that it is in.
    fn globs(&self, glob: &Glob, name: &[u8]) -> bool {
        let mut start = 0;
        for end in name.find_iter(b"/").chain([name.len()]) {
            let is_asked = self.folders || end == name.len();
            if is_asked && name.get(start..end).is_some_and(|part| glob.matches(part)) {
                return true;
            }
            if !self.rooted {
                start = end + 1;
            }
        }
        false
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
    }

    #[test]
    fn a_pattern_matches_folders_with_everything_in_them() {
        for (pattern, name, expected) in [
            ("source", "source/a.map", true),
            ("source", "maps/source/deep/a.map", true),
            ("source", "source", true),
            ("source", "sources/a.map", false),
            ("source/", "source/a.map", true),
            ("/source/", "source/a.map", true),
            ("./source", "source/a.map", true),
            ("source/", "maps/source/a.map", false),
            ("s*", "maps/source/a.map", true),
            ("*.d/", "x.d/a.map", true),
            ("maps/e*", "maps/e1/a.bsp", true),
        ] {
            assert_eq!(picks(&[pattern], &[], name.as_bytes()), expected, "{pattern}, {name}");
            assert_eq!(picks(&[], &[pattern], name.as_bytes()), !expected, "{pattern}, {name}");
        }
        // A glob among the names is about files.
        let selection = Selection::all().with_names(["te*"]);
        assert!(!selection.picks(RawName::new(b"textures/wall.wal")));
    }

    #[test]
    fn a_list_excludes_and_never_warns() {
        let list = b"# built by the editor\n\n *.bak \r\n/source/\n";
        let selection = Selection::all().excluding_list(list).unwrap();
        assert!(!selection.picks(RawName::new(b"maps/a.bak")));
        assert!(!selection.picks(RawName::new(b"source/a.map")));
        assert!(selection.picks(RawName::new(b"maps/source/a.map")));
        assert_eq!(selection.unmatched().count(), 0);
        let unused = Selection::new(&[], &["*.none"]).unwrap();
        assert!(unused.picks(RawName::new(b"a")));
        assert!(unused.unmatched().all(|it| !it.is_error()) && !unused.has_missed());
        assert!(Selection::new(&[], &["!*.bak"]).is_err());
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
