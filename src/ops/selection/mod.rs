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
//!
//! In an archive that has an entry or a folder of exactly this name, wildcards in it mean nothing.

mod glob;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use bstr::ByteSlice;

use crate::archive::{Archive, Entry, RawName, quoted_name};
use crate::media::{FileType, Kind};
use crate::ops::finding::{Finding, Help};
use crate::ops::selection::glob::Glob;

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
    /// The name of an entry or a folder that it is, without the `/` at its ends.
    name: Vec<u8>,
    /// `None` if this is only a name.
    glob: Option<Glob>,
    /// Whether the glob begins at the root.
    rooted: bool,
    /// Whether it is among the names: the name begins at the root, and the glob is about files.
    is_name: bool,
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

    /// Whether the entry with this name is selected, if it is the only one.
    pub fn picks(&self, name: RawName<'_>) -> bool {
        self.is_all() || !self.of(vec![()], |()| vec![name.as_bytes().to_vec()]).is_empty()
    }

    /// Those of an archive's files that are selected. Lumps have several names.
    pub(crate) fn of<T>(&self, files: Vec<T>, names: impl Fn(&T) -> Vec<Vec<u8>>) -> Vec<T> {
        let mut names: Vec<Vec<Vec<u8>>> = files.iter().map(names).collect();
        for byte in names.iter_mut().flatten().flatten().filter(|byte| **byte == b'\\') {
            *byte = b'/';
        }
        let mut wanted = vec![self.include.is_empty() && self.names.is_empty(); files.len()];
        // All of them are asked, so that each knows whether it has ever matched.
        for pattern in self.include.iter().chain(&self.names) {
            for (wanted, picked) in wanted.iter_mut().zip(pattern.picks(&names)) {
                *wanted |= picked;
            }
        }
        for pattern in self.exclude.iter().chain(&self.exclude_list) {
            for (wanted, picked) in wanted.iter_mut().zip(pattern.picks(&names)) {
                *wanted &= !picked;
            }
        }
        files.into_iter().zip(wanted).filter_map(|(file, wanted)| wanted.then_some(file)).collect()
    }

    /// An error for each included pattern and each name that has matched nothing so far, and a warning for each excluded
    /// pattern.
    pub fn unmatched(&self) -> impl Iterator<Item = Finding> + '_ {
        let excluded = self.exclude.iter().filter(|it| it.glob.is_some() && !it.has_hit());
        let excluded = excluded.map(|pattern| {
            let pattern = quoted_name(&pattern.given);
            Finding::warning(format!("nothing is left out by -x {pattern}, which matches nothing"))
        });
        self.missed().map(|pattern| no_match(&pattern.given)).chain(excluded)
    }

    /// The included patterns, the names, and the excluded patterns that cannot be globs, if they have matched nothing so
    /// far.
    fn missed(&self) -> impl Iterator<Item = &Pattern> {
        let excluded = self.exclude.iter().chain(&self.exclude_list);
        let excluded = excluded.filter(|pattern| pattern.glob.is_none());
        let missed = self.include.iter().chain(&self.names).chain(excluded);
        missed.filter(|pattern| !pattern.has_hit())
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
        let names =
            self.missed().filter(|it| it.is_name || it.glob.is_none() || !is_glob(&it.given));
        names.map(|pattern| pattern.given.as_slice())
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
        self.of(entries.filter(has_number).collect(), entry_names)
    }

    /// Whether all entries are selected, of any archive.
    pub(crate) fn is_all(&self) -> bool {
        let none = [&self.include, &self.names, &self.exclude, &self.exclude_list];
        self.numbers.is_none() && none.iter().all(|patterns| patterns.is_empty())
    }
}

/// All names of an entry.
pub(crate) fn entry_names(entry: &Entry<'_>) -> Vec<Vec<u8>> {
    let mut names = lump_names(entry);
    names.push(entry.name().as_bytes().to_vec());
    names
}

/// The other names of a lump of a WAD, or of a texture of a map: without the extension, which daisho adds, and with the
/// `*` that daisho shows as `#`.
pub(crate) fn lump_names(entry: &Entry<'_>) -> Vec<Vec<u8>> {
    let name = entry.name().as_bytes();
    let Some(dot) = name.rfind_byte(b'.').filter(|_| is_lump(entry)) else {
        return Vec::new();
    };
    let stem = name.get(..dot).unwrap_or_default();
    let mut names = vec![stem.to_vec()];
    if stem.starts_with(b"#") {
        names.extend([name, stem].map(|it| it.replacen(b"#", b"*", 1)));
    }
    names
}

/// Whether an entry is a lump of a WAD or a texture of a map, whose name is not a path.
pub(crate) fn is_lump(entry: &Entry<'_>) -> bool {
    let archive = entry.archive();
    match archive.format() {
        Some(format) => format.spec().has_lumps(),
        None => FileType::by_word(archive.format_word()).is_some_and(|it| it.kind() == Kind::Map),
    }
}

/// Whether a name has wildcards.
pub(crate) fn is_glob(name: &[u8]) -> bool {
    name.iter().any(|byte| b"*?[{".contains(byte))
}

/// The error for a glob that no entry matches, or a name with wildcards that no entry has.
pub(crate) fn no_match(glob: &[u8]) -> Finding {
    let shown = quoted_name(glob);
    match Glob::new(glob) {
        Ok(_) => Finding::error(format!("no entry matches {shown}")).help(Help::Patterns),
        Err(why) => {
            let why = format!("no entry is named {shown}, and the glob cannot be read: {why}");
            Finding::error(why).advice(
                "put special characters in brackets: '[[]' matches '[', and '[{]' matches '{'",
            )
        }
    }
}

impl Pattern {
    fn new(given: &[u8]) -> Result<Self, Finding> {
        if given.starts_with(b"!") {
            let why = format!("the pattern {} begins with '!'", quoted_name(given));
            return Err(Finding::error(why));
        }
        let start = given.strip_prefix(b"./").unwrap_or(given);
        let start = start.strip_prefix(b"/").unwrap_or(start);
        let text = start.strip_suffix(b"/").unwrap_or(start);
        Ok(Self::of(given, text, Glob::new(text).ok(), false))
    }

    /// A name. It is also a glob if it has wildcards and is valid as a glob.
    fn name(given: &[u8]) -> Self {
        let name = given.strip_prefix(b"./").unwrap_or(given);
        let folder = if given.ends_with(b"/") { b"**".as_slice() } else { b"" };
        let glob = is_glob(given).then(|| Glob::new(&[given, folder].concat()).ok());
        Self::of(given, name.trim_end_with(|c| matches!(c, '/' | '\\')), glob.flatten(), true)
    }

    fn of(given: &[u8], name: &[u8], glob: Option<Glob>, is_name: bool) -> Self {
        let rooted = given.contains(&b'/');
        let (given, name) = (given.to_vec(), name.replace(b"\\", b"/"));
        Self { given, name, glob, rooted, is_name, hit: AtomicBool::new(false) }
    }

    fn has_hit(&self) -> bool {
        self.hit.load(Ordering::Relaxed)
    }

    /// Which of an archive's files match, by their names: those of exactly this name, or else of the glob.
    fn picks(&self, files: &[Vec<Vec<u8>>]) -> Vec<bool> {
        let each = |glob: Option<&Glob>| -> Vec<bool> {
            let files = files.iter();
            files.map(|names| names.iter().any(|name| self.matches(name, glob))).collect()
        };
        let mut picked = each(None);
        if let Some(glob) = &self.glob
            && !picked.contains(&true)
        {
            picked = each(Some(glob));
        }
        self.hit.fetch_or(picked.contains(&true), Ordering::Relaxed);
        picked
    }

    /// Whether `name`, or a folder that it is in, matches the glob, or without one is the pattern's name.
    fn matches(&self, name: &[u8], glob: Option<&Glob>) -> bool {
        let rooted = self.rooted || self.is_name && glob.is_none();
        let mut start = 0;
        for end in name.find_iter(b"/").chain([name.len()]) {
            let part = name.get(start..end).unwrap_or_default();
            let is_match = match glob {
                Some(glob) => (!self.is_name || end == name.len()) && glob.matches(part),
                None => part.eq_ignore_ascii_case(&self.name),
            };
            if is_match {
                return true;
            }
            if !rooted {
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
        for selection in [Selection::new(&["a[b"], &[]), Selection::new(&[], &["a[b"])] {
            let selection = selection.unwrap();
            selection.picks(RawName::new(b"ab"));
            let unmatched: Vec<Finding> = selection.unmatched().collect();
            assert!(unmatched[0].is_error() && selection.has_missed(), "{unmatched:?}");
            assert!(unmatched[0].to_string().contains("no `]`"), "{unmatched:?}");
        }
    }

    #[test]
    fn an_exact_name_wins_over_the_glob_in_its_archive() {
        let picked = |include: &[&str], exclude: &[&str], names: &[&str], all: &[&str]| {
            let selection = Selection::new(include, exclude).unwrap();
            let selection = selection.with_names(names);
            let all = all.iter().map(|name| name.as_bytes().to_vec()).collect();
            let picked = selection.of(all, |name| vec![name.clone()]);
            assert_eq!(selection.unmatched().count(), 0);
            let picked = picked.iter().map(|it| String::from_utf8_lossy(it).into_owned());
            picked.collect::<Vec<_>>().join(" ")
        };
        let all = ["ab", "{ab}", "d/{AB}", "d/ab"];
        assert_eq!(picked(&["{ab}"], &[], &[], &all), "{ab} d/{AB}");
        assert_eq!(picked(&["/{ab}"], &[], &[], &all), "{ab}");
        assert_eq!(picked(&[], &["{ab}"], &[], &all), "ab d/ab");
        assert_eq!(picked(&[], &[], &["{ab}"], &all), "{ab}");
        assert_eq!(picked(&[], &[], &["{ab}"], &["ab", "d/ab"]), "ab d/ab");
        assert_eq!(picked(&[], &["a[1].txt"], &[], &["a[1].txt", "a1.txt"]), "a1.txt");
        assert_eq!(picked(&[], &["{fence"], &[], &["{fence", "a"]), "a");
    }
}
