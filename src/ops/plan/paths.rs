//! Chooses the path for the file of each extracted entry, below the directory of its archive.
//!
//! All paths are chosen before a file is written, only from the names, so that the same archive gives the same paths on
//! every system.
//!
//! | the name                                       | its path                                          |
//! |------------------------------------------------|---------------------------------------------------|
//! | can be a path                                  | the name; with `lowercase` in lower case           |
//! | cannot be a path, see [`SafePath`]             | none; with `rescue` an escaped name in `_rescued/` |
//! | is the name of an earlier entry, or differs from it only in the case of ASCII letters | `NAME.dup-INDEX` |
//! | of a file is also the name of a directory      | `NAME.dup-INDEX`, whichever comes first            |
//! | `NAME.dup-INDEX` is taken                      | `NAME.dup-INDEX-2`, and so on                      |
//! | is too long with `.dup-INDEX` or `.png` added  | the beginning of the name, and what is added       |
//!
//! A file gives way to a directory because the directory may hold thousands of files.
//!
//! Only the case of ASCII letters is ignored. To know which other letters a file system treats as the same, daisho
//! would need the tables of that file system. If a file system treats two names as the same that differ here, the
//! second file meets the first one. That is handled like any file that appears while others are written.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bstr::ByteSlice as _;

use crate::archive::{PathError, RawName, SafePath};
use crate::media::{Palette, Picture};
use crate::ops::source::Input;
use crate::ops::source::nested::DUPLICATE;

/// The directory of entries whose names cannot be paths.
const RESCUED: &[u8] = b"_rescued/";
/// The longest name of a file.
const NAME_MAX: usize = 255;

/// How a name becomes a path.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PathRules {
    /// ASCII letters become lower case.
    pub(crate) lowercase: bool,
    /// Names that cannot be paths are escaped.
    pub(crate) rescue: bool,
    /// The directories in names are left out.
    pub(crate) flat: bool,
    /// Whether the entries are files that an engine serves, of one or more archives. Then names that need no change
    /// take precedence over others: an engine serves `d\e` and `d/e` as two files, and a request for the path `d/e`
    /// means the second.
    pub(crate) served: bool,
    /// Pictures, by their names, become PNG files.
    pub(crate) png: bool,
}

/// Where the file of an entry goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePath {
    pub(crate) path: SafePath,
    /// Why its name cannot be a path, if it was escaped.
    pub(crate) rescued: Option<PathError>,
    /// Why it does not have the path that its name asks for.
    pub(crate) aside: Option<Aside>,
}

/// Why an entry's file does not have the path that its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aside {
    /// An earlier entry has the same name.
    Duplicate,
    /// An earlier entry's name differs only in case.
    Case,
    /// Other entries need its name as a directory.
    Directory,
    /// Its name is too long with `.png` added.
    Long,
}

impl Aside {
    /// The reason, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Duplicate => "another entry already has this name",
            Self::Case => "another entry's name differs only in case",
            Self::Directory => "other entries need this name for a directory",
            Self::Long => "with .png its name would have more than 255 bytes",
        }
    }
}

/// An entry by its index and its name.
pub(crate) type IndexedName<'a> = (usize, RawName<'a>);

impl PathRules {
    /// Whether the files of all archives go into one directory.
    pub(crate) const fn share_directory(self) -> bool {
        self.flat || self.served
    }

    /// Whether the entry becomes a PNG file. A palette is no picture to edit, and stays as it is.
    pub(crate) fn is_png(self, name: RawName<'_>) -> bool {
        self.png && Picture::may_be_in(name) && !Palette::is_named(name)
    }

    /// The path that a name asks for.
    fn own(self, name: RawName<'_>) -> Result<FilePath, PathError> {
        let is_png = self.is_png(name);
        let (mut path, rescued) = match SafePath::try_from(name) {
            // Nothing is changed in most paths, and there may be a million.
            Ok(path) if !(self.flat || self.lowercase || is_png) => {
                return Ok(FilePath { path, rescued: None, aside: None });
            }
            Ok(path) => (path.as_bytes().to_vec(), None),
            Err(why) if self.rescue => (escaped(name), Some(why)),
            Err(why) => return Err(why),
        };
        if self.flat && rescued.is_none() {
            path.drain(..folder_len(&path));
        }
        if self.lowercase {
            path.make_ascii_lowercase();
        }
        let mut aside = None;
        if is_png {
            let whole = path.len() + ".png".len();
            path = with_suffix(&path, ".png");
            aside = (path.len() < whole && rescued.is_none()).then_some(Aside::Long);
        } else if rescued.is_some() {
            path = with_suffix(&path, "");
        }
        Ok(FilePath { path: SafePath::try_from(RawName::new(&path))?, rescued, aside })
    }
}

/// The paths of entries that share a directory, in their order.
pub(crate) fn place(
    names: &[IndexedName<'_>],
    rules: PathRules,
) -> Vec<Result<FilePath, PathError>> {
    let mut placed: Vec<_> = names.iter().map(|(_, name)| rules.own(*name)).collect();
    for (row, path, why) in put_aside(names, &placed, rules) {
        if let Some(Ok(placed)) = placed.get_mut(row) {
            (placed.path, placed.aside) = (path, Some(why));
        }
    }
    placed
}

/// The rows whose paths are already taken by others, with the paths that they get instead.
fn put_aside(
    names: &[IndexedName<'_>],
    placed: &[Result<FilePath, PathError>],
    rules: PathRules,
) -> Vec<(usize, SafePath, Aside)> {
    let sorted = SortedFiles::of(names, placed, rules);
    let mut aside = Vec::new();
    let mut paths = sorted.0.chunk_by(|a, b| a.key == b.key).peekable();
    while let Some(files) = paths.next() {
        let [first, others @ ..] = files else {
            continue;
        };
        let next = paths.peek().and_then(|files| files.first());
        if next.is_some_and(|next| is_below(&next.key, &first.key)) {
            aside.extend(files.iter().map(|file| (file, Aside::Directory)));
            continue;
        }
        for file in others {
            let is_same = file.placed.path == first.placed.path;
            aside.push((file, if is_same { Aside::Duplicate } else { Aside::Case }));
        }
    }
    aside.sort_by_key(|(file, _)| file.row);
    name_aside(names, &aside, &sorted)
}

/// The files of an archive in the order of a tree: a directory would come directly before everything in it.
struct SortedFiles<'a>(Vec<SortedFile<'a>>);

struct SortedFile<'a> {
    /// Equal for paths that differ only in case.
    key: Cow<'a, [u8]>,
    row: usize,
    placed: &'a FilePath,
}

impl<'a> SortedFiles<'a> {
    /// Of files with the same key, the one that keeps its path comes first.
    fn of(
        names: &[IndexedName<'_>],
        placed: &'a [Result<FilePath, PathError>],
        rules: PathRules,
    ) -> Self {
        let mut files = Vec::with_capacity(placed.len());
        for (row, placed) in placed.iter().enumerate() {
            if let Ok(placed) = placed {
                let key = placed.path.conflict_key();
                files.push(SortedFile { key, row, placed });
            }
        }
        files.sort_unstable_by(|a, b| {
            let order = in_tree(&a.key, &b.key);
            order.then_with(|| a.rank(names, rules).cmp(&b.rank(names, rules)))
        });
        Self(files)
    }

    /// Whether a file or a directory has this path.
    fn has(&self, key: &[u8]) -> bool {
        let first = self.0.partition_point(|file| in_tree(&file.key, key).is_lt());
        let first = self.0.get(first);
        first.is_some_and(|file| *file.key == *key || is_below(&file.key, key))
    }
}

impl SortedFile<'_> {
    /// Its rank among files with the same key. Real names keep their paths against escaped ones.
    fn rank(&self, names: &[IndexedName<'_>], rules: PathRules) -> (bool, bool, usize) {
        let name = names.get(self.row).map(|(_, name)| name.as_bytes());
        let is_changed = rules.served && name != Some(self.placed.path.as_bytes());
        (self.placed.rescued.is_some(), is_changed, self.row)
    }
}

/// Compares two paths as if `/` were 0, a byte that no path contains.
fn in_tree(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let next = |path: &[u8]| {
        let byte = path.get(common)?;
        Some(if *byte == b'/' { 0 } else { *byte })
    };
    next(a).cmp(&next(b))
}

/// Whether a path is in a directory, or in one below it.
fn is_below(path: &[u8], directory: &[u8]) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.first() == Some(&b'/'))
}

/// The new names of files that get other names. No other file or directory has them.
fn name_aside(
    names: &[IndexedName<'_>],
    aside: &[(&SortedFile<'_>, Aside)],
    sorted: &SortedFiles<'_>,
) -> Vec<(usize, SafePath, Aside)> {
    let mut moved = Vec::with_capacity(aside.len());
    // How many files have asked for a name. Without this, a name that thousands of archives have would
    // be counted up from 2 for each of them.
    let mut asked: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut taken: HashSet<Vec<u8>> = HashSet::new();
    for (file, why) in aside {
        let Some((index, _)) = names.get(file.row) else {
            continue;
        };
        let own = file.placed.path.as_bytes();
        let first = with_suffix(own, &format!("{DUPLICATE}{index}"));
        let count = asked.entry(first.to_ascii_lowercase()).or_default();
        let path = loop {
            *count += 1;
            let path = match *count {
                1 => first.clone(),
                count => with_suffix(own, &format!("{DUPLICATE}{index}-{count}")),
            };
            let key = path.to_ascii_lowercase();
            if !sorted.has(&key) && taken.insert(key) {
                break path;
            }
        };
        if let Ok(path) = SafePath::try_from(RawName::new(&path)) {
            moved.push((file.row, path, *why));
        }
    }
    moved
}

/// The path with `suffix` added to its last part. The part is cut if it would become too long.
fn with_suffix(path: &[u8], suffix: &str) -> Vec<u8> {
    let most = folder_len(path) + NAME_MAX - suffix.len();
    let mut end = path.len().min(most);
    // A character of up to four bytes is not cut in two: all but its first byte begin with the bits 10.
    for _ in 0..3 {
        let is_inside = path.get(end).is_some_and(|byte| byte & 0xC0 == 0x80);
        end -= usize::from(is_inside);
    }
    let mut kept = path.get(..end).unwrap_or_default();
    if end < path.len() {
        // Windows drops these at the end of a name.
        kept = kept.trim_end_with(|it| matches!(it, '.' | ' '));
    }
    [kept, suffix.as_bytes()].concat()
}

/// The length of the directories of a path, including the last `/`.
fn folder_len(path: &[u8]) -> usize {
    let last = path.iter().rposition(|byte| *byte == b'/');
    last.map_or(0, |at| at + 1)
}

/// Escapes a name so that every system allows it. Different names stay different. ASCII letters, digits, `-`, `_`,
/// and `.` between other characters are kept; every other byte becomes `%` and two digits.
fn escaped(name: RawName<'_>) -> Vec<u8> {
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

/// The directory for each of these archives, relative to the root.
///
/// Archives whose names differ only in the extension, such as `pak0.pak` and `pak0.bak`, would share a directory.
/// One of them gets it: the one without an extension, otherwise the `.pak`, otherwise the first. Each of the others
/// gets a directory with its whole name. So the same archives have the same directories in every
/// run. Archives with the same whole name still share a directory, and are refused later.
pub(crate) fn folders_of(archives: &[Input]) -> Vec<PathBuf> {
    let mut owners: HashMap<PathBuf, &Input> = HashMap::new();
    for input in archives.iter().filter(|input| !input.is_loose_file()) {
        let owner = owners.entry(base(input)).or_insert(input);
        if claim(owner) < claim(input) {
            *owner = input;
        }
    }
    let mut folders = Vec::with_capacity(archives.len());
    for input in archives {
        if input.is_loose_file() {
            folders.push(folder_of(input).to_path_buf());
            continue;
        }
        let base = base(input);
        // Some file systems take names for the same that differ only in case.
        let owner = owners.get(&base).copied().unwrap_or(input).relative.as_os_str();
        let is_owner = owner.eq_ignore_ascii_case(&input.relative);
        folders.push(if is_owner { base } else { input.relative.clone() });
    }
    folders
}

/// The rank of an archive among others with the same stem: the best one gets the directory.
fn claim(input: &Input) -> u8 {
    match input.relative.extension() {
        None => 2,
        Some(extension) if extension.eq_ignore_ascii_case("pak") => 1,
        Some(_) => 0,
    }
}

/// The directory of an archive that is extracted alone, below the root.
fn base(input: &Input) -> PathBuf {
    // A stem can be `..` (of `...pak`), or a name that another system refuses. A whole name is always usable.
    let stem = input.relative.file_stem().filter(|stem| {
        let stem = stem.as_encoded_bytes();
        SafePath::try_from(RawName::new(stem)).is_ok_and(|path| path.as_bytes() == stem)
    });
    let name = stem.or_else(|| input.relative.file_name());
    folder_of(input).join(name.unwrap_or_default())
}

/// The directory that a loose file goes into, below the root.
fn folder_of(input: &Input) -> &Path {
    input.relative.parent().unwrap_or(Path::new(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(names: &[&str], rules: PathRules) -> Vec<Result<FilePath, PathError>> {
        let names = names.iter().map(|name| RawName::new(name.as_bytes()));
        place(&names.enumerate().collect::<Vec<_>>(), rules)
    }

    fn paths(names: &[&str], rules: PathRules) -> Vec<String> {
        let mut paths = Vec::new();
        for placed in placed(names, rules) {
            paths.push(match placed {
                Ok(placed) => placed.path.to_string(),
                Err(why) => format!("({why:?})"),
            });
        }
        paths
    }

    fn plain(names: &[&str]) -> Vec<String> {
        paths(names, PathRules::default())
    }

    #[test]
    fn directories_are_left_out() {
        let rules = PathRules { flat: true, ..PathRules::default() };
        assert_eq!(
            paths(&["a/x", "b\\x", "x", "c/X", "../y"], rules),
            ["x", "x.dup-1", "x.dup-2", "X.dup-3", "(Parent)"]
        );
    }

    #[test]
    fn the_first_of_a_name_keeps_it() {
        assert_eq!(plain(&["a/x", "b", "a\\x", "a/x"]), ["a/x", "b", "a/x.dup-2", "a/x.dup-3"]);
    }

    #[test]
    fn files_make_way_for_directories_in_either_order() {
        assert_eq!(plain(&["a", "a/b"]), ["a.dup-0", "a/b"]);
        assert_eq!(plain(&["a/b", "a", "a"]), ["a/b", "a.dup-1", "a.dup-2"]);
        assert_eq!(plain(&["a/b/c", "a/b", "a"]), ["a/b/c", "a/b.dup-1", "a.dup-2"]);
    }

    #[test]
    fn what_is_put_aside_never_takes_a_real_name() {
        assert_eq!(
            plain(&["a", "a", "a.dup-1", "A.DUP-1-2"]),
            ["a", "a.dup-1-3", "a.dup-1", "A.DUP-1-2"]
        );
        assert_eq!(plain(&["a", "a", "a.dup-1/x"]), ["a", "a.dup-1-2", "a.dup-1/x"]);
    }

    #[test]
    fn of_names_equal_in_case_the_first_keeps_its_path() {
        assert_eq!(
            plain(&["Maps/a", "b", "maps/A", "maps/a"]),
            ["Maps/a", "b", "maps/A.dup-2", "maps/a.dup-3"]
        );
        assert_eq!(plain(&["MAPS", "maps/a"]), ["MAPS.dup-0", "maps/a"]);
        // Nothing is known of letters that are not ASCII.
        assert_eq!(plain(&["\u{e9}", "\u{c9}"]), ["\u{e9}", "\u{c9}"]);
        let why = |names: &[&str]| placed(names, PathRules::default())[1].clone().unwrap().aside;
        assert_eq!(why(&["a", "A"]), Some(Aside::Case));
        assert_eq!(why(&["a", "a"]), Some(Aside::Duplicate));
    }

    #[test]
    fn too_long_names_are_cut_and_stay_distinct() {
        let long = "x".repeat(255);
        let cut = |len: usize, suffix: &str| format!("{}{suffix}", "x".repeat(len));
        assert_eq!(
            plain(&[&long, &long, "d/e", &long]),
            [&*long, &cut(249, ".dup-1"), "d/e", &cut(249, ".dup-3")]
        );
        // A real name keeps its path.
        assert_eq!(
            plain(&[&long, &long, &cut(249, ".dup-1")]),
            [&*long, &cut(247, ".dup-1-2"), &cut(249, ".dup-1")]
        );
        // Only the last part is cut, and no character in two.
        let wide = format!("{}\u{20ac}x", "x".repeat(251));
        assert_eq!(wide.len(), 255);
        assert_eq!(plain(&["a", &wide, &wide])[2], cut(249, ".dup-2"));
        let wide = format!("d/{}\u{20ac}xxxx", "x".repeat(248));
        assert_eq!(plain(&["a", &wide, &wide])[2], format!("d/{}", cut(248, ".dup-2")));
        // Nor does anything end in a dot, which Windows drops.
        let rules = PathRules { rescue: true, ..PathRules::default() };
        let dots = format!(":{}a", ".".repeat(300));
        assert_eq!(paths(&[&dots], rules), ["_rescued/%3a"]);
        assert_eq!(
            paths(&[&cut(256, ""), &cut(257, "")], rules),
            [
                format!("_rescued/%78{}", cut(252, "")),
                format!("_rescued/%78{}", cut(246, ".dup-1"))
            ]
        );
    }

    #[test]
    fn a_picture_of_a_long_name_gets_a_shorter_one() {
        let rules = PathRules { png: true, ..PathRules::default() };
        let name = |len: usize, end: &str| format!("{}{end}", "x".repeat(len));
        let names = [name(251, ".tga"), name(251, ".pcx"), name(247, ".tga")];
        let names = names.each_ref().map(String::as_str);
        let found = paths(&names, rules);
        assert_eq!(found, [name(251, ".png"), name(249, ".dup-1"), name(247, ".tga.png")]);
        let aside = placed(&names, rules).into_iter().map(|it| it.unwrap().aside);
        let aside: Vec<_> = aside.collect();
        assert_eq!(aside, [Some(Aside::Long), Some(Aside::Duplicate), None]);
    }

    #[test]
    fn lower_case_makes_duplicates() {
        let rules = PathRules { lowercase: true, ..PathRules::default() };
        assert_eq!(
            paths(&["A.WAV", "a.wav", "B/\u{c9}"], rules),
            ["a.wav", "a.wav.dup-1", "b/\u{c9}"]
        );
    }

    #[test]
    fn names_that_no_file_may_have_are_refused_or_rescued() {
        let names = ["../x", "", "con", "a.", "/etc/passwd", "../x", "c:\\\u{202e}"];
        assert!(placed(&names, PathRules::default()).iter().all(Result::is_err));
        let rules = PathRules { rescue: true, ..PathRules::default() };
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
            ["_rescued/%2e.%2fx.dup-0", "_rescued/%2e.%2fx", "_rescued.dup-2"]
        );
    }

    #[test]
    fn every_two_byte_name_is_rescued_under_its_own() {
        let mut seen = HashSet::new();
        let mut names: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        names.extend((0..=255_u8).flat_map(|a| (0..=255).map(move |b| vec![a, b])));
        for name in &names {
            let path = escaped(RawName::new(name));
            let path = SafePath::try_from(RawName::new(&path)).unwrap();
            assert_eq!(path.parts().count(), 2);
            assert!(seen.insert(path.as_bytes().to_vec()), "{path}");
        }
    }

    /// Adds the directories above a path.
    fn add_directories(path: &SafePath, directories: &mut HashSet<Vec<u8>>) {
        let key = path.conflict_key();
        for (at, byte) in key.iter().enumerate() {
            if *byte == b'/' {
                directories.insert(key[..at].to_vec());
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_two_entries_share_a_path_or_a_directory(
            names in proptest::collection::vec("(a|A|b|c\\.dup-[0-9]|[.]{2}|/|\\\\){1,6}", 0..24),
            lowercase: bool,
            rescue: bool,
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = placed(&names, PathRules { lowercase, rescue, ..PathRules::default() });
            let found: Vec<_> = found.into_iter().filter_map(Result::ok).collect();
            let mut files = HashSet::new();
            for placed in &found {
                let key = placed.path.conflict_key();
                proptest::prop_assert!(files.insert(key), "{:?}", found);
            }
            let mut directories = HashSet::new();
            for placed in &found {
                add_directories(&placed.path, &mut directories);
            }
            proptest::prop_assert!(files.iter().all(|file| !directories.contains(&**file)), "{:?}", found);
        }
    }
}
