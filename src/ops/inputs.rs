//! From the paths a user names to the paks that are meant.
//!
//! A file is meant as it is, whatever it holds: if it is no pak, that is an error to tell. A
//! directory is searched for paks, by their first four bytes and not by how they are named. The order
//! is that of the arguments, and of names within a directory, so that a run does not depend on how a
//! disk lists its files.
//!
//! What is passed over in a directory:
//!
//! | what                                                       | said               |
//! |------------------------------------------------------------|--------------------|
//! | a file that is no pak and is not named like one            | nothing: a game's directory holds mostly other things |
//! | a file that is called `.jar`, or a text that is called `.sin` | nothing: Java's archives and gettext's scripts |
//! | the temporary file of a run that was killed                | nothing            |
//! | whatever is named like a pak and is none                   | a warning          |
//! | a link to a directory,           | a warning          |
//! | a link to a directory that holds it                        | a warning          |
//! | a Git packfile, a `PackDir` or a text that begins as a pak does | a warning     |
//! | a ZIP that is something else: a program, a book, an office file | a warning if it is named like a pak, else nothing |
//!
//! Archives within an archive are meant, too, as deep as the search says (`nested`), up to a number that no
//! collection has. `-` is standard input.
//!
//! The names in a ZIP tell the last of these. What is named itself is always opened: engines load even
//! Android's apps, and users may want one converted.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::context::Refusal;
use super::meant::{beside, or_missing};
use super::nested;
pub use super::nested::DEPTH_MAX;
use super::open;
use super::recognize::{Found, is_pak, look};
use super::select::Selection;
use crate::archive::error::ErrorKind;
use crate::archive::{Archive, Format, ReadOptions};
use crate::fs::{Source, System, is_standard_input, is_temporary};
use crate::ops::finding::{Finding, Notice, no_such_file};
use crate::ops::passed_over::PassedOver;

/// One pak that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Where it is, as a user would write it.
    pub path: PathBuf,
    /// The path of what it yields below an output directory: a file's own name, or the path from
    /// the directory that was searched.
    pub relative: PathBuf,
    /// Whether it was found in a directory, rather than named.
    pub searched: bool,
}

impl Input {
    /// What comes from standard input, which has no name of its own.
    fn standard_input() -> Self {
        Self {
            path: "-".into(),
            relative: "stdin".into(),
            searched: false,
        }
    }

    /// What a search of a directory has come upon.
    fn searched(root: &Path, path: PathBuf, search: Search) -> Self {
        Self {
            relative: below(root, &path, search),
            path,
            searched: true,
        }
    }

    /// What a user has named, or a list.
    fn named(path: &Path, search: Search) -> Self {
        let name = || path.file_name().unwrap_or(OsStr::new("pak")).into();
        Self {
            path: path.to_path_buf(),
            relative: if search.listed { way(path) } else { name() },
            searched: false,
        }
    }
}

/// Where archives are looked for besides where the user has named one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Search {
    /// Whether directories are searched, and archives for others within them, one level deep.
    pub directories: bool,
    /// Whether the paths come from a list. Then even one alone is one of several, and each keeps its own
    /// way below an output directory: a list that is shared among many runs comes out as in one.
    pub listed: bool,
}

impl Search {
    /// What `-r` asks for: directories, and archives one deep.
    pub const RECURSIVE: Self = Self {
        directories: true,
        listed: false,
    };

    /// How deep archives are searched for others.
    fn depth(self) -> u8 {
        u8::from(self.directories)
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The paks, in order.
    pub paks: Vec<Input>,
    /// Files and directories that could not be looked into.
    pub problems: Vec<Finding>,
    /// What a user may have meant, and is not taken.
    pub passed_over: Vec<(Input, PassedOver)>,
}

impl Inputs {
    /// A warning for each of those that are not taken.
    pub fn warnings(&self) -> impl Iterator<Item = Finding> {
        let warning = |(input, why): &(Input, PassedOver)| why.warning().in_pak(&input.path);
        self.passed_over.iter().map(warning)
    }
}

/// Tells archives from the names of entries in them, which follow the first archive.
///
/// An argument is a path if it is an archive, or if its extension is that of one. Any other is a name if an
/// entry or a folder in one of the archives has it, or a file nowhere; a glob needs no entry.
/// [`Selection::with_names`] selects these entries.
#[must_use]
pub fn split_names(arguments: &[PathBuf], open: ReadOptions) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let Some((first, others)) = arguments.split_first() else {
        return (Vec::new(), Vec::new());
    };
    let is_directory = fs::metadata(first).map(|found| found.is_dir());
    let is_file = is_standard_input(first) || nested::split(first).is_some();
    if !is_file && is_directory.unwrap_or(true) {
        return (arguments.to_vec(), Vec::new());
    }
    let mut paths = vec![first.clone()];
    let mut rest = Vec::new();
    for argument in others {
        match is_pak(argument) {
            Ok(true) => paths.push(argument.clone()),
            _ => rest.push(argument),
        }
    }
    let mut names = Vec::new();
    if rest.is_empty() {
        return (paths, names);
    }
    // Standard input is read once, and not to find this out.
    let archives = paths.iter().filter(|path| !is_standard_input(path));
    let archives = archives.filter_map(|path| open::open(&System::real(), path, open).ok());
    let archives: Vec<Archive> = archives.collect();
    for argument in rest {
        match is_name(argument, &archives) {
            true => names.push(argument.clone()),
            false => paths.push(argument.clone()),
        }
    }
    // The order in which they were given.
    paths.sort_by_key(|path| arguments.iter().position(|it| it == path));
    (paths, names)
}

/// Whether an argument that is no archive is the name of an entry.
fn is_name(argument: &Path, archives: &[Archive]) -> bool {
    let bytes = argument.as_os_str().as_encoded_bytes();
    let is_in = |archive: &Archive| {
        let selection = Selection::all().with_names([bytes]);
        archive.entries().any(|entry| selection.picks(entry.name()))
    };
    if archives.iter().any(is_in) {
        return true;
    }
    let extension = argument.extension().and_then(OsStr::to_str);
    let is_archive = extension.is_some_and(|it| Format::of_extension(it).next().is_some());
    let is_missing = fs::symlink_metadata(argument).is_err();
    is_missing && (!is_archive || bytes.contains(&b'*'))
}

/// How many archives within others are looked for at most.
const WITHIN_MAX: usize = 10_000;

/// Finds the paks that `paths` mean. Where the search is for directories a path may be one; `skip` is one
/// that is not entered: the output's, so that a second run does not take the first one's results
/// for sources.
///
/// # Errors
///
/// A directory without that: nothing is done then, since the user may have meant something
/// else. A path that cannot be looked at is a problem, and the rest goes on.
pub fn find(paths: &[PathBuf], search: Search, skip: Option<&Path>) -> Result<Inputs, Refusal> {
    let mut paks = Vec::new();
    let found = each(paths, search, skip, &mut |input, _| {
        paks.push(input);
        ControlFlow::Continue(None)
    })?;
    Ok(Inputs { paks, ..found })
}

/// Takes an archive, as soon as it is found, with its file where the search has that open, and says whether
/// the search goes on. Whoever has opened it gives it back, since it is searched for others next.
type Take<'a> = dyn FnMut(Input, Option<Source>) -> ControlFlow<(), Option<Archive>> + 'a;

/// Like [`find`], and hands each pak over when it is found, instead of keeping it.
pub(super) fn each(
    paths: &[PathBuf],
    search: Search,
    skip: Option<&Path>,
    take: &mut Take<'_>,
) -> Result<Inputs, Refusal> {
    let is_refused = |path: &&PathBuf| {
        let is_directory = || fs::metadata(path).is_ok_and(|found| found.is_dir());
        !search.directories && !is_standard_input(path) && is_directory()
    };
    let refused = paths.iter().filter(is_refused);
    let refused =
        refused.map(|path| Finding::error(Notice::IsDirectory, "this is a directory").in_pak(path));
    let refused: Vec<Finding> = refused.collect();
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    let mut finder = Finder {
        search,
        skip: skip.and_then(|path| fs::canonicalize(path).ok()),
        take,
        found: Inputs::default(),
        within: 0,
    };
    // Who takes them has had enough, or there are no more.
    let (ControlFlow::Break(()) | ControlFlow::Continue(())) =
        paths.iter().try_for_each(|path| finder.path(path));
    Ok(finder.found)
}

/// A search under way.
struct Finder<'a> {
    search: Search,
    skip: Option<PathBuf>,
    take: &'a mut Take<'a>,
    /// All but the paks.
    found: Inputs,
    /// How many archives within others were found: a small file can hold very many.
    within: usize,
}

impl Finder<'_> {
    /// Finds what a path means.
    fn path(&mut self, path: &Path) -> ControlFlow<()> {
        let depth = self.search.depth();
        if is_standard_input(path) {
            return self.add(Input::standard_input(), None, depth);
        }
        let named = || Input::named(path, self.search);
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => self.directory(path),
            Ok(_) => self.add(named(), None, depth),
            Err(_) if nested::split(path).is_some() => self.add(named(), None, 0),
            Err(error) => {
                let error = or_missing(Finding::from_io(error).in_pak(path));
                self.found.problems.push(Finding::unread(path, error));
                ControlFlow::Continue(())
            }
        }
    }

    /// Adds an archive, and those within it.
    fn add(&mut self, input: Input, file: Option<Source>, depth: u8) -> ControlFlow<()> {
        let (path, folder) = (input.path.clone(), input.relative.with_extension(""));
        let opened = (self.take)(input, file)?;
        if depth == 0 {
            return ControlFlow::Continue(());
        }
        let open = || open::open(&System::real(), &path, ReadOptions::default()).ok();
        let within = match opened.or_else(open) {
            Some(archive) => nested::search(&archive, &path),
            None => Vec::new(),
        };
        for found in within {
            self.within += 1;
            if self.within > WITHIN_MAX {
                // Said once, of the first that is left out.
                if self.within == WITHIN_MAX + 1 {
                    let error = PassedOver::TooMany.error().in_pak(&found.path);
                    self.found.problems.push(Finding::unread(found.path, error));
                }
                break;
            }
            let path = found.path;
            let relative = found
                .relative
                .as_ref()
                .map_or(folder.clone(), |it| folder.join(it));
            let input = Input {
                path,
                relative,
                searched: true,
            };
            match found.relative {
                Ok(_) => self.add(input, None, depth - 1)?,
                Err(why) => self.found.passed_over.push((input, why)),
            }
        }
        ControlFlow::Continue(())
    }

    /// Searches a directory.
    fn directory(&mut self, root: &Path) -> ControlFlow<()> {
        let skip = self.skip.clone();
        let walk = WalkDir::new(root)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| {
                // Only what has the right last name is worth the system call.
                !(entry.file_type().is_dir()
                    && entry.depth() > 0
                    && skip.as_deref().is_some_and(|skip| {
                        skip.file_name() == Some(entry.file_name())
                            && fs::canonicalize(entry.path()).is_ok_and(|path| path == skip)
                    }))
            });
        for entry in walk {
            match entry {
                Ok(entry) => self.come_upon(root, entry)?,
                Err(error) => self.not_entered(root, error),
            }
        }
        ControlFlow::Continue(())
    }

    /// Looks at what a search has come upon.
    fn come_upon(&mut self, root: &Path, entry: DirEntry) -> ControlFlow<()> {
        let is_kept = is_temporary(entry.file_name()) || is_previous_version(entry.path());
        if is_kept && entry.file_type().is_file() {
            return ControlFlow::Continue(());
        }
        let is_link = entry.path_is_symlink() && entry.depth() > 0;
        let found = look(entry.path(), is_link, entry.file_type().is_file());
        let input = |entry: DirEntry| Input::searched(root, entry.into_path(), self.search);
        match found {
            Ok(Found::Pak(file)) => return self.add(input(entry), Some(file), self.search.depth()),
            Ok(Found::PassedOver(why)) => self.found.passed_over.push((input(entry), why)),
            Ok(Found::Other) => {}
            Err(error) => {
                let problem = unreadable(entry.path(), error);
                self.found.problems.push(problem);
            }
        }
        ControlFlow::Continue(())
    }

    /// Says what a search could not enter.
    fn not_entered(&mut self, root: &Path, error: walkdir::Error) {
        let path = error.path().unwrap_or(root).to_path_buf();
        let other = || io::ErrorKind::Other.into();
        let error = error.into_io_error().unwrap_or_else(other);
        self.found.problems.push(unreadable(&path, error));
    }
}

/// Refuses arguments that are no paths, before anything is written: what was meant may be another
/// file, or, where `entries` can be named behind a pak, an entry.
pub(super) fn check_missing(paths: &[PathBuf], entries: bool) -> Result<(), Refusal> {
    let is_missing = |path: &&PathBuf| {
        let looked = fs::metadata(path);
        !is_standard_input(path)
            && looked.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
            // To Windows what leads into a file is not there either.
            && nested::split(path).is_none()
    };
    let error = |path: &PathBuf| {
        let notice = match entries && paths.len() > 1 {
            true => Notice::NoSuchFileOrEntry,
            false => Notice::NoSuchFile,
        };
        no_such_file(notice, path, beside(path).as_deref())
    };
    let missing: Vec<Finding> = paths.iter().filter(is_missing).map(error).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Refusal(missing))
    }
}

/// The path of what was found in a directory that is searched, below an output directory.
fn below(root: &Path, path: &Path, search: Search) -> PathBuf {
    let relative = path.strip_prefix(root).unwrap_or(path);
    match search.listed {
        true => way(root).join(relative),
        false => relative.to_path_buf(),
    }
}

/// A path of a list, below an output directory: without the root, and what leads upwards is dropped with
/// all that stands before it.
fn way(path: &Path) -> PathBuf {
    let mut way = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => way.push(part),
            Component::ParentDir => way = PathBuf::new(),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    way
}

/// That something cannot be looked at.
fn unreadable(path: &Path, error: io::Error) -> Finding {
    Finding::unread(path, Finding::from(ErrorKind::Io(error)).in_pak(path))
}

/// Whether this is the previous version of an archive beside it, which an edit has kept.
fn is_previous_version(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    let archive = name.and_then(|name| name.strip_suffix('~'));
    archive.is_some_and(|archive| path.with_file_name(archive).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Format;

    fn tree() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in [
            ("b/pak1.pak", "PACK\0and more"),
            ("b/pak0.pak", "PACK"),
            ("a/data.bin", "PACKED"),
            ("a/readme.txt", "no pak"),
            ("a/short", "PA"),
            ("b/.daisho-0123abcd.tmp", "PACK"),
            ("out/pak0.pak", "PACK"),
            ("z/out/pak0.pak", "PACK"),
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        dir
    }

    #[test]
    fn a_directory_yields_its_paks_by_magic_and_in_name_order_without_the_output() {
        let dir = tree();
        let skip = dir.path().join("out");
        let inputs = find(&[dir.path().into()], Search::RECURSIVE, Some(&skip)).unwrap();
        let found: Vec<_> = inputs.paks.iter().map(|i| i.relative.as_path()).collect();
        assert_eq!(
            found,
            ["a/data.bin", "b/pak0.pak", "b/pak1.pak", "z/out/pak0.pak"].map(Path::new)
        );
        assert!(inputs.paks.iter().all(|i| i.searched));
        assert!(inputs.problems.is_empty());
    }

    /// A small file can hold very many, or name one under very many names.
    #[test]
    fn archives_within_another_are_found_up_to_a_number_and_the_first_beyond_it_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("many.pak");
        let mut inner = crate::Writer::in_memory(Format::Quake).unwrap();
        inner.add("a.cfg", b"a").unwrap();
        let inner = inner.finish().unwrap().into_inner();
        for (count, found, problems) in
            [(WITHIN_MAX, WITHIN_MAX, 0), (WITHIN_MAX + 2, WITHIN_MAX, 1)]
        {
            let mut writer = crate::Writer::in_memory(Format::Quake).unwrap();
            for number in 0..count {
                writer.add(format!("{number:05}.pak"), &inner).unwrap();
            }
            fs::write(&path, writer.finish().unwrap().into_inner()).unwrap();
            let inputs = find(std::slice::from_ref(&path), Search::RECURSIVE, None).unwrap();
            assert_eq!(
                (inputs.paks.len(), inputs.problems.len()),
                (1 + found, problems)
            );
            for problem in inputs.problems {
                let place = problem.place.path.unwrap();
                assert!(
                    place.ends_with("many.pak//10000.pak"),
                    "{}",
                    place.display()
                );
            }
        }
    }

    #[test]
    fn a_file_is_meant_whatever_it_holds() {
        let dir = tree();
        let path = dir.path().join("a/readme.txt");
        let inputs = find(std::slice::from_ref(&path), Search::RECURSIVE, None).unwrap();
        assert_eq!(inputs.paks.len(), 1);
        assert_eq!(inputs.paks[0].path, path);
        assert_eq!(inputs.paks[0].relative, Path::new("readme.txt"));
        assert!(!inputs.paks[0].searched);
    }

    #[test]
    fn a_directory_is_refused_unless_it_may_be_searched() {
        let dir = tree();
        let refusal = find(&[dir.path().into()], Search::default(), None).unwrap_err();
        assert_eq!(refusal.0[0].notice, Notice::IsDirectory);
    }

    #[test]
    fn what_does_not_exist_is_a_problem_and_the_rest_goes_on() {
        let dir = tree();
        let paths = [
            dir.path().join("nowhere.pak"),
            dir.path().join("b/pak0.pak"),
        ];
        let inputs = find(&paths, Search::default(), None).unwrap();
        assert_eq!(inputs.paks.len(), 1);
        assert_eq!(inputs.problems.len(), 1);
    }

    #[test]
    fn what_a_killed_run_has_left_is_no_input_unless_it_is_named() {
        let dir = tree();
        let left = dir.path().join("b/.daisho-0123abcd.tmp");
        fs::write(&left, "PACK, and then it was killed").unwrap();
        let found = |path: &Path| find(&[path.into()], Search::RECURSIVE, None).unwrap().paks;
        let paks = found(&dir.path().join("b"));
        let paks: Vec<_> = paks.iter().filter_map(|i| i.relative.to_str()).collect();
        assert_eq!(paks, ["pak0.pak", "pak1.pak"]);
        assert_eq!(found(&left).len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_are_followed_and_links_that_lead_nowhere_or_round_are_not() {
        let dir = tree();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
        };
        link("../b/pak0.pak", "a/link.pak");
        link("nowhere", "a/dangling.pak");
        link("..", "a/round");
        let inputs = find(&[dir.path().join("a")], Search::RECURSIVE, None).unwrap();
        let found: Vec<_> = inputs
            .paks
            .iter()
            .map(|i| i.relative.to_str().unwrap())
            .collect();
        assert_eq!(found, ["data.bin", "link.pak"]);
        assert!(inputs.problems.is_empty());
    }
}
