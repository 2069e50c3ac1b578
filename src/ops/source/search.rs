//! Searches paths for archives.
//!
//! In a directory, archives are recognised by their first bytes, and ZIPs also by their names. If a search finds an archive, it
//! also takes the archives in it, one level deep. An archive that the user named is one input, whatever it holds. A
//! search passes over:
//!
//! | what                                                            | reported            |
//! |-----------------------------------------------------------------|---------------------|
//! | a file that is no archive and not named like one                | no: a game's directory holds mostly other files |
//! | a ZIP that is not named like an archive                         | no: many programs and documents are ZIPs |
//! | a text that is called `.sin`                                    | no: gettext's scripts |
//! | a temporary file, or a previous version (`NAME~`)               | no                  |
//! | a link to a directory, or a pipe that is named like an archive  | a warning           |
//! | another program's file that is named or begins like an archive  | one warning for all |
//!
//! Any other file that is named like an archive is taken for a ruined one: `verify` cannot read it, and all other
//! verbs warn.
//!
//! If nothing in a directory is an archive, is named like one, was left out, or could not be searched, the directory is
//! an archive itself; a file that cannot be opened is an entry that cannot be read. A directory of damaged archives never is, so that nobody takes it for one without damage.
//!
//! What `--exclude-archive` matches is not opened. A path that the user has named is always opened: engines load
//! even Android's apps, which are ZIPs.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::directory::{directory_name, open_directory, open_loose_file};
use super::look::{Looked, Looker, folders_of, leaves_out, unread};
use super::named::or_missing;
use super::nested;
use super::open::{Input, InputBytes, Waiting, receive};
use super::passed_over::{self, NAME_NESTED, PassedOver};
use super::recognize::{is_loose_file, is_named_as_archive};
use crate::archive::{Archive, ReadOptions};
use crate::fs::is_standard_input;
use crate::ops::context::Context;
use crate::ops::finding::{Finding, Help, Meaning};

/// The most archives within others that a search takes. No collection has more, but a small file can hold very many.
const WITHIN_MAX: usize = 10_000;

/// The archives that the user named or that a search finds, in order, each as soon as it is found.
///
/// What else the search meets is known when the iteration is over.
pub(in crate::ops) struct Found<'a> {
    context: &'a Context<'a>,
    /// The paths that were not looked at yet.
    paths: std::vec::IntoIter<PathBuf>,
    /// Whether the paths come from a list.
    listed: bool,
    /// The directory that is not searched.
    skip: Option<PathBuf>,
    /// Whether a file that is no archive is an entry of its own.
    takes_files: bool,
    /// Whether a file that is named like an archive and is none is an archive that cannot be read.
    takes_ruined: bool,
    /// The directory that is being searched.
    directory: Option<SearchedDirectory>,
    /// The archive that was handed out last and that a search has found. Archives in it come next.
    outer: Option<Input>,
    /// Archives that come next.
    next: VecDeque<Input>,
    /// How many archives were found.
    taken: usize,
    /// How many archives within others were found.
    within: usize,
    /// Files and directories that could not be searched, and directories without an archive.
    pub(in crate::ops) findings: Vec<Finding>,
    /// Files that are named like archives and are none, unless they are taken.
    pub(in crate::ops) ruined: Vec<Input>,
    /// What else was not taken, although the user may expect it.
    pub(in crate::ops) passed_over: Vec<(PathBuf, PassedOver)>,
    /// Warnings about files that are left out of directories that are archives.
    pub(in crate::ops) left_out: Vec<Finding>,
    /// Archives that could not be opened.
    unread: Vec<Finding>,
}

/// How many files of a directory are looked at together, if threads are free for them. With 16, waking the threads took
/// a tenth of the time of a list of 3,000 small archives, and with 256 the first ones were waited for.
const TOGETHER: usize = 64;

/// A directory that is being searched.
struct SearchedDirectory {
    root: PathBuf,
    entries: Box<dyn Iterator<Item = walkdir::Result<DirEntry>>>,
    /// What was looked at and has no turn yet.
    looked_at: VecDeque<Looked>,
    /// What was found before this search.
    before: Before,
    /// Whether a file in it is named like an archive.
    has_named: bool,
    /// How many files in it could not be opened.
    unopened: usize,
    /// Whether `--exclude-archive` has left out something in it.
    has_left_out: bool,
}

/// The numbers of things that were found before a directory was searched.
struct Before {
    taken: usize,
    findings: usize,
    passed_over: usize,
}

impl<'a> Found<'a> {
    /// A search for the archives that `paths` lead to.
    pub(in crate::ops) fn new(context: &'a Context<'a>, paths: &[impl AsRef<Path>]) -> Self {
        let paths: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().into()).collect();
        Self {
            context,
            paths: paths.into_iter(),
            listed: false,
            skip: None,
            takes_files: false,
            takes_ruined: false,
            directory: None,
            outer: None,
            next: VecDeque::new(),
            taken: 0,
            within: 0,
            findings: Vec::new(),
            ruined: Vec::new(),
            passed_over: Vec::new(),
            left_out: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Sets whether the paths come from a list. Then each archive keeps its folders below an output directory, even
    /// if the list has a single path. So several lists that share a collection give the same outputs as one list.
    pub(in crate::ops) fn listed(self, listed: bool) -> Self {
        Self { listed, ..self }
    }

    /// Sets a directory that is not searched. It is the output's, so that a second run does not read what the first
    /// has written.
    pub(in crate::ops) fn skipping(self, directory: Option<&Path>) -> Self {
        Self { skip: directory.and_then(|path| crate::fs::canonicalize(path).ok()), ..self }
    }

    /// Sets whether a file that the user named and that is no archive is an entry of its own.
    pub(in crate::ops) fn taking_files(self, takes_files: bool) -> Self {
        Self { takes_files, ..self }
    }

    /// Takes files that are named like archives and are none as archives that cannot be read.
    pub(in crate::ops) fn taking_ruined(self) -> Self {
        Self { takes_ruined: true, ..self }
    }

    /// The next `most` archives. All later archives have their turn after these.
    pub(in crate::ops) fn ahead(&mut self, most: usize) -> Vec<Input> {
        let (context, waiting) = (self.context, Waiting::default());
        let mut archives = Vec::new();
        while archives.len() < most
            && let Some(mut input) = self.next_of(TOGETHER)
        {
            waiting.add(context, &mut input);
            archives.push(input);
        }
        archives
    }

    /// The next archive that can be opened. The others are among the findings in the end. Local headers of ZIPs are read
    /// if they are needed now.
    pub(in crate::ops) fn next_opened(&mut self, headers: bool) -> Option<(Input, Arc<Archive>)> {
        while !self.context.cancel.is_set() {
            let input = self.next_of(TOGETHER)?;
            match input.open_at_once(self.context, headers) {
                Ok(archive) => return Some((input, archive)),
                Err(error) => self.unread.push(Finding::unread(input.path, error)),
            }
        }
        None
    }

    /// What could not be searched, what was passed over, and what could not be opened.
    pub(in crate::ops) fn into_findings(self) -> Vec<Finding> {
        let warnings = self.warnings();
        [self.findings, warnings, self.unread].concat()
    }

    /// The warnings about files that are no archives, or are left out of directories that are archives.
    pub(in crate::ops) fn warnings(&self) -> Vec<Finding> {
        warnings(&self.ruined, &self.passed_over, &self.left_out)
    }

    /// Looks at a path: it is an archive, or a directory to search.
    fn begin(&mut self, path: &Path) {
        if is_standard_input(path) {
            match receive(self.context, path) {
                Ok(()) => self.add(named(path, "stdin".into())),
                Err(error) => self.unreadable(path, error),
            }
            return;
        }
        let relative = if self.listed {
            folders_of(path)
        } else {
            path.file_name().unwrap_or(OsStr::new("pak")).into()
        };
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => self.begin_directory(path),
            Ok(_) if self.takes_files && is_loose_file(self.context, path) => {
                self.add_loose_file(path, relative);
            }
            Ok(_) => self.add(named(path, relative)),
            Err(_) if nested::split(path).is_some() => self.add(named(path, relative)),
            Err(error) => {
                self.unreadable(path, or_missing(Finding::from_io(error).at_path(path)));
            }
        }
    }

    fn add(&mut self, input: Input) {
        self.taken += 1;
        self.next.push_back(input);
    }

    fn add_loose_file(&mut self, path: &Path, relative: PathBuf) {
        match open_loose_file(&self.context.system, path) {
            Ok(archive) => self.add(Input::of_loose(path, relative, archive)),
            Err(error) => self.unreadable(path, error),
        }
    }

    fn begin_directory(&mut self, root: &Path) {
        let skip = self.skip.clone();
        let walk = WalkDir::new(root).sort_by_file_name().into_iter();
        let walk = walk.filter_entry(move |entry| match &skip {
            Some(skip) => !is_skipped_directory(entry, skip),
            None => true,
        });
        self.directory = Some(SearchedDirectory {
            root: root.to_path_buf(),
            entries: Box::new(walk),
            looked_at: VecDeque::new(),
            before: Before {
                taken: self.taken,
                findings: self.findings.len(),
                passed_over: self.passed_over.len(),
            },
            has_named: false,
            unopened: 0,
            has_left_out: false,
        });
    }

    /// Takes a directory for an archive if nothing in it is one, is named like one, was left out, or could not be read.
    fn end_directory(&mut self, directory: &SearchedDirectory) {
        let root = directory.root.as_path();
        let before = &directory.before;
        let known = before.findings + directory.unopened;
        if before.taken != self.taken || known != self.findings.len() {
            return;
        }
        if directory.has_left_out {
            let why = "--exclude-archive leaves out everything in this directory";
            return self.unreadable(root, Finding::error(why).help(Help::Patterns));
        }
        if directory.has_named {
            let error = Finding::error("this directory holds no archive").help(Help::NewArchive);
            return self.unreadable(root, error.means(Meaning::Unread));
        }
        match open_directory(&self.context.system, root) {
            Ok((archive, left_out)) => {
                // What was passed over or could not be opened is an entry, or is left out with another warning.
                self.findings.truncate(before.findings);
                self.passed_over.truncate(before.passed_over);
                self.left_out.extend(left_out);
                let relative = if self.listed { folders_of(root) } else { directory_name(root) };
                self.add(Input::of_loose(root, relative, archive));
            }
            Err(findings) => {
                for finding in findings {
                    if finding.is_error() {
                        self.unreadable(root, finding);
                    } else {
                        self.left_out.push(finding);
                    }
                }
            }
        }
    }

    /// Looks at the next things in a directory.
    fn look_ahead(&self, directory: &mut SearchedDirectory, together: usize) {
        let looker = Looker { context: self.context, root: &directory.root, listed: self.listed };
        let mut entries = Vec::new();
        for entry in directory.entries.by_ref().take(together) {
            let entry = entry.map_err(|error| unread(error, &directory.root));
            if let Ok(entry) = &entry {
                let is_named = is_named_as_archive(entry.path());
                directory.has_named |= is_named && !entry.file_type().is_dir();
            }
            entries.push(entry);
        }
        let looked_at = self.context.pool.map(&entries, |entry| looker.look(entry));
        directory.looked_at = looked_at.into();
    }

    /// Takes or reports what was looked at in a directory.
    fn take(&mut self, directory: &mut SearchedDirectory, looked: Looked) {
        match looked {
            Looked::Archive(input) => {
                self.outer = Some(input.clone());
                self.add(input);
            }
            Looked::Ruined(input) if self.takes_ruined => self.add(input),
            Looked::Ruined(input) => self.ruined.push(input),
            Looked::PassedOver(path, why) => self.passed_over.push((path, why)),
            Looked::LeftOut => directory.has_left_out = true,
            Looked::Unreadable(path, error) => self.unreadable(&path, error),
            Looked::Unopened(path, error) => {
                directory.unopened += 1;
                self.unreadable(&path, error);
            }
            Looked::Other => {}
        }
    }

    /// Adds the archives within one that was found.
    fn search_within(&mut self, input: Input) {
        let InputBytes::Archive(file, archive) = input.bytes else {
            return;
        };
        // The options are for the archives within. The outer one is read with the defaults.
        let default = ReadOptions { maps: self.context.open.maps, ..ReadOptions::default() };
        let outer = if self.context.open == default {
            archive
        } else {
            match Archive::read_source(Box::new(file), default, Some(&input.path)) {
                Ok(outer) => Arc::new(outer),
                Err(_) => return,
            }
        };
        let folder = input.relative.with_extension("");
        for nested in nested::search(&outer, &input.path) {
            self.within += 1;
            if self.within > WITHIN_MAX {
                self.too_many(&nested.path);
                break;
            }
            let (relative, why) = match nested.relative {
                Ok(relative) => (folder.join(relative), None),
                Err(why) => (folder.clone(), Some(why)),
            };
            let input = Input {
                path: nested.path,
                relative,
                found: true,
                bytes: InputBytes::Entry(Arc::clone(&outer), nested.index),
            };
            if leaves_out(self.context, &input.relative) {
                continue;
            }
            match why {
                Some(why) => self.passed_over.push((input.path, why)),
                None => self.add(input),
            }
        }
    }

    /// Reports the first archive that is left out because there are too many.
    fn too_many(&mut self, path: &Path) {
        if self.within == WITHIN_MAX + 1 {
            let why = format!(
                "this archive and those after it are not opened: {WITHIN_MAX} archives within others were found before"
            );
            self.unreadable(
                path,
                Finding::error(why)
                    .many("archives within others are over the limit, and are not opened")
                    .advice(NAME_NESTED),
            );
        }
    }

    fn unreadable(&mut self, path: &Path, error: Finding) {
        let error = Finding::unread(path, error.at_path(path));
        self.findings.push(error);
    }
}

impl Found<'_> {
    /// The next archive. So many files of a directory are looked at together.
    fn next_of(&mut self, together: usize) -> Option<Input> {
        while !self.context.cancel.is_set() {
            if let Some(input) = self.next.pop_front() {
                return Some(input);
            }
            if let Some(outer) = self.outer.take() {
                self.search_within(outer);
                continue;
            }
            let Some(mut directory) = self.directory.take() else {
                let path = self.paths.next()?;
                self.begin(&path);
                continue;
            };
            if directory.looked_at.is_empty() {
                self.look_ahead(&mut directory, together);
            }
            match directory.looked_at.pop_front() {
                Some(looked) => {
                    self.take(&mut directory, looked);
                    self.directory = Some(directory);
                }
                None => self.end_directory(&directory),
            }
        }
        None
    }
}

impl Iterator for Found<'_> {
    type Item = Input;

    /// The next archive. Nothing behind it is looked at, because the threads may be at work.
    fn next(&mut self) -> Option<Input> {
        self.next_of(1)
    }
}

/// The warnings of a search.
pub(super) fn warnings(
    ruined: &[Input],
    passed_over: &[(PathBuf, PassedOver)],
    left_out: &[Finding],
) -> Vec<Finding> {
    let mut warnings = Vec::new();
    for input in ruined {
        if let InputBytes::Ruined(error) = &input.bytes {
            warnings.push(Finding::unread(&input.path, error.clone()).as_warning());
        }
    }
    warnings.extend(passed_over::warnings(passed_over));
    warnings.extend_from_slice(left_out);
    warnings
}

/// An archive that the user named.
fn named(path: &Path, relative: PathBuf) -> Input {
    Input { path: path.to_path_buf(), relative, found: false, bytes: InputBytes::Path }
}

/// Whether something below the searched directory is this directory.
fn is_skipped_directory(entry: &DirEntry, directory: &Path) -> bool {
    entry.depth() > 0
        && entry.file_type().is_dir()
        // The system call is only made for a directory with the right name.
        && directory.file_name() == Some(entry.file_name())
        && crate::fs::canonicalize(entry.path()).is_ok_and(|path| path == directory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Format;
    use crate::ops::source::Inputs;

    fn find(paths: &[PathBuf], skip: Option<&Path>) -> Inputs {
        let context = Context::new();
        Inputs::of(Found::new(&context, paths).skipping(skip))
    }

    fn tree() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in [
            ("b/pak1.pak", "PACK\0and more"),
            ("b/pak0.pak", "PACK"),
            ("a/data.bin", "PACKED\0and more"),
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
    fn a_search_finds_paks_by_magic_in_name_order() {
        let dir = tree();
        let skip = dir.path().join("out");
        let inputs = find(&[dir.path().into()], Some(&skip));
        let found: Vec<_> = inputs.archives.iter().map(|i| i.relative.as_path()).collect();
        assert_eq!(
            found,
            ["a/data.bin", "b/pak0.pak", "b/pak1.pak", "z/out/pak0.pak"].map(Path::new)
        );
        assert!(inputs.archives.iter().all(|i| i.found));
        assert!(inputs.findings.is_empty());
    }

    /// A small file can hold very many, or name one under very many names.
    #[test]
    fn nested_archives_are_found_up_to_a_limit() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, path) = (dir.path().to_path_buf(), dir.path().join("many.pak"));
        let mut inner = crate::Writer::in_memory(Format::Quake).unwrap();
        inner.add("a.cfg", b"a").unwrap();
        let inner = inner.finish_bytes().unwrap();
        for (count, found, findings) in
            [(WITHIN_MAX, WITHIN_MAX, 0), (WITHIN_MAX + 2, WITHIN_MAX, 1)]
        {
            let mut writer = crate::Writer::in_memory(Format::Quake).unwrap();
            for number in 0..count {
                writer.add(format!("{number:05}.pak"), &inner).unwrap();
            }
            fs::write(&path, writer.finish_bytes().unwrap()).unwrap();
            let inputs = find(std::slice::from_ref(&folder), None);
            assert_eq!((inputs.archives.len(), inputs.findings.len()), (1 + found, findings));
            for finding in inputs.findings {
                let place = finding.place.path.unwrap();
                assert!(place.ends_with("many.pak//10000.pak"), "{}", place.display());
            }
        }
    }

    #[test]
    fn a_file_is_meant_whatever_it_holds() {
        let dir = tree();
        let path = dir.path().join("a/readme.txt");
        let inputs = find(std::slice::from_ref(&path), None);
        assert_eq!(inputs.archives.len(), 1);
        assert_eq!(inputs.archives[0].path, path);
        assert_eq!(inputs.archives[0].relative, Path::new("readme.txt"));
        assert!(!inputs.archives[0].found);
    }

    #[test]
    fn missing_inputs_are_reported_and_others_go_on() {
        let dir = tree();
        let paths = [dir.path().join("nowhere.pak"), dir.path().join("b/pak0.pak")];
        let inputs = find(&paths, None);
        assert_eq!(inputs.archives.len(), 1);
        assert_eq!(inputs.findings.len(), 1);
    }

    #[test]
    fn leftovers_of_a_killed_run_are_no_input() {
        let dir = tree();
        let left = dir.path().join("b/.daisho-0123abcd.tmp");
        fs::write(&left, "PACK, and then it was killed").unwrap();
        let found = |path: &Path| find(&[path.into()], None).archives;
        let paks = found(&dir.path().join("b"));
        let paks: Vec<_> = paks.iter().filter_map(|i| i.relative.to_str()).collect();
        assert_eq!(paks, ["pak0.pak", "pak1.pak"]);
        assert_eq!(found(&left).len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_files_are_followed_unless_broken_or_loops() {
        let dir = tree();
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
        };
        link("../b/pak0.pak", "a/link.pak");
        link("nowhere", "a/dangling.pak");
        link("..", "a/round");
        let inputs = find(&[dir.path().join("a")], None);
        let found: Vec<_> = inputs.archives.iter().map(|i| i.relative.to_str().unwrap()).collect();
        assert_eq!(found, ["data.bin", "link.pak"]);
        assert!(inputs.findings.is_empty());
    }
}
