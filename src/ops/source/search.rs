//! Searches paths for archives.
//!
//! In a directory, archives are recognised by their first bytes, and ZIPs also by their names. If a search finds an
//! archive, it also takes the archives in it, one level deep. An archive that the user named is one input, whatever it
//! holds. A search passes over:
//!
//! | what                                                            | reported            |
//! |-----------------------------------------------------------------|---------------------|
//! | a file that is no archive and not named like one                | no: a game's directory holds mostly other files |
//! | a ZIP that is not named like an archive                         | no: many programs and documents are ZIPs |
//! | such a ZIP under a name like `pak0.pk3.bak`, or in a program    | one warning for all |
//! | an archive in a ZIP that is in an archive                       | one warning for all |
//! | a text that is called `.sin`                                    | no: gettext's scripts |
//! | a temporary file, or a previous version (`NAME~`)               | no                  |
//! | a link to a directory, or a pipe that is named like an archive  | a warning           |
//! | another program's archive, or a file that begins like an archive | one warning for all |
//!
//! Any other file that is named like an archive is taken for a ruined one: `verify` cannot read it, and all other
//! verbs warn.
//!
//! If nothing in a directory is an archive, is named like one, was left out, or could not be searched, the directory is
//! an archive itself; a file that cannot be opened is an entry that cannot be read. A directory of damaged archives
//! never is, so that nobody takes it for one without damage.
//!
//! What `--exclude-archive` matches is not opened. A path that the user has named is always opened: engines load
//! even Android's apps, which are ZIPs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use bstr::ByteSlice as _;
use walkdir::{DirEntry, WalkDir};

use crate::archive::{Archive, ReadOptions};
use crate::fs::{Source, is_standard_input, is_temporary};
use crate::ops::context::{Context, Refusal};
use crate::ops::finding::{Finding, Help, Meaning};
use crate::ops::source::directory::{directory_name, open_directory, open_loose_file, walk_error};
use crate::ops::source::input::{Input, Origin, receive};
use crate::ops::source::named::or_missing;
use crate::ops::source::nested::{self, NestedArchive};
use crate::ops::source::recognize::{
    PassedOver, Recognized, is_loose_file, is_named_as_archive, look, magic, passed_over_in_words,
};

/// The most archives within others that a search takes. No collection has more, but a small file can hold very many.
const WITHIN_MAX: usize = 10_000;

/// The most entries that the archives of a search may have together to stay in memory until their turn.
const ENTRIES_KEPT: usize = 1 << 15;

/// How many files of a directory are looked at together. With 16, waking the threads took a tenth of the time of a
/// list of 3,000 small archives. All archives within these are held at once.
const TOGETHER: usize = 64;

/// How paths are searched.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct How<'a> {
    /// Whether the paths come from a list. Then each archive keeps its folders below an output directory, even if the
    /// list has a single path. So several lists that share a collection give the same outputs as one list.
    pub(crate) listed: bool,
    /// A directory that is not searched. It is the output's, so that a second run does not read what the first has
    /// written.
    pub(crate) skip: Option<&'a Path>,
    /// Whether a file that the user named and that is no archive is an entry of its own.
    pub(crate) takes_files: bool,
    /// Whether a file that is named like an archive and is none is an archive that cannot be read.
    pub(crate) takes_ruined: bool,
    /// Whether names of entries may come after the first path, so that a path that does not exist may be one.
    pub(crate) takes_names: bool,
}

/// What a search has found.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// The archives, in order.
    pub(crate) inputs: Vec<Input>,
    /// An error for each path that could not be searched, and for each directory without an archive.
    pub(crate) findings: Vec<Finding>,
    /// Files that are named like archives and are none, unless they are taken.
    pub(crate) ruined: Vec<Input>,
    /// What else was not taken, although the user may expect it.
    passed_over: Vec<(PathBuf, PassedOver)>,
    /// Warnings about files that are left out of directories that are archives.
    pub(crate) left_out: Vec<Finding>,
}

impl Search {
    /// Finds the archives that `paths` lead to.
    pub(crate) fn new(context: &Context<'_>, paths: &[impl AsRef<Path>], how: How<'_>) -> Self {
        let searcher = Searcher {
            context,
            how,
            skip: how.skip.and_then(|path| crate::fs::canonicalize(path).ok()),
            entries: AtomicUsize::new(0),
            files: AtomicUsize::new(0),
            within: AtomicUsize::new(0),
        };
        let mut found = Self::default();
        for path in paths {
            if context.cancel.is_set() {
                break;
            }
            searcher.search(path.as_ref(), &mut found);
        }
        found
    }

    /// The archives that a directory leads to. If it only has WADs, and other files, it is one archive itself, because
    /// the files of a mod include WADs.
    pub(crate) fn of_directory(context: &Context<'_>, path: &Path) -> Self {
        let found = Self::new(context, &[path], How::default());
        let are_wads = !found.inputs.is_empty()
            && found.inputs.iter().all(|it| matches!(magic(&it.path), Ok(Some([b'W', ..]))));
        if are_wads
            && found.findings.is_empty()
            && let Ok(whole) = Self::whole_directory(context, path)
            && whole.inputs.iter().filter_map(Input::loose).any(|it| it.len() > found.inputs.len())
        {
            return whole;
        }
        found
    }

    /// A directory as one archive, whatever is in it.
    pub(crate) fn whole_directory(
        context: &Context<'_>,
        path: &Path,
    ) -> Result<Self, Vec<Finding>> {
        let (archive, left_out) = open_directory(&context.system, path)?;
        let inputs = vec![Input::of_loose(path, directory_name(path), archive)];
        Ok(Self { inputs, left_out, ..Self::default() })
    }

    /// The warnings about files that are no archives, or are left out of directories that are archives.
    pub(crate) fn warnings(&self) -> Vec<Finding> {
        let mut warnings = Vec::new();
        for input in &self.ruined {
            if let Some(Err(error)) = &input.opened {
                warnings.push(Finding::unread(&input.path, error.clone()).as_warning());
            }
        }
        warnings.extend(passed_over_in_words(&self.passed_over));
        warnings.extend_from_slice(&self.left_out);
        warnings
    }

    /// The errors and the warnings. They are taken out of the search.
    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        let mut findings = core::mem::take(&mut self.findings);
        findings.extend(self.warnings());
        findings
    }

    /// Refuses paths that do not exist, and inputs of which none is an archive or named like one.
    pub(crate) fn refuse(&mut self, context: &Context<'_>) -> Result<(), Refusal> {
        let missing = self.findings.iter().filter(|it| it.meaning == Meaning::NoSuchFile);
        Refusal::if_any(missing.cloned().collect())?;
        self.refuse_strangers(context)
    }

    /// Refuses inputs of which none is an archive or named like one.
    pub(crate) fn refuse_strangers(&mut self, context: &Context<'_>) -> Result<(), Refusal> {
        let is_archive = |input: &Input| {
            input.found || is_named_as_archive(&input.path) || input.open_as_found(context).is_ok()
        };
        if !self.ruined.is_empty() || self.inputs.iter().any(is_archive) {
            return Ok(());
        }
        context.cancel.check()?;
        for input in core::mem::take(&mut self.inputs) {
            if let Err(error) = input.open(context) {
                self.unreadable(&input.path, error);
            }
        }
        Err(Refusal(self.take_findings()))
    }

    /// The directories that are archives.
    pub(crate) fn directories(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().filter_map(Input::as_directory)
    }

    /// The paths of the files that contain the inputs.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.inputs.iter().flat_map(Input::files).collect()
    }

    fn unreadable(&mut self, path: &Path, error: Finding) {
        self.findings.push(Finding::unread(path, error.at_path(path)));
    }

    fn append(&mut self, other: Self) {
        self.inputs.extend(other.inputs);
        self.findings.extend(other.findings);
        self.ruined.extend(other.ruined);
        self.passed_over.extend(other.passed_over);
        self.left_out.extend(other.left_out);
    }
}

/// What is at a path in a directory.
enum Looked {
    /// An archive, with the archives in it; or a file that is named like one but is none.
    Archive(Input, Vec<Input>),
    /// A file that could not be opened, and that is not named like an archive.
    Unopened(Input),
    PassedOver(PathBuf, PassedOver),
    /// `--exclude-archive` leaves it out.
    Excluded,
    Unreadable(PathBuf, Finding),
    /// Nothing that a search takes or reports.
    Other,
}

/// A search under way. The threads share it.
struct Searcher<'a> {
    context: &'a Context<'a>,
    how: How<'a>,
    /// The absolute path of the directory that is not searched.
    skip: Option<PathBuf>,
    /// How many entries of archives are kept in memory.
    entries: AtomicUsize,
    /// How many files stay open.
    files: AtomicUsize,
    /// How many archives within others were found.
    within: AtomicUsize,
}

impl Searcher<'_> {
    /// Takes a path for an archive, or searches the directory there.
    fn search(&self, path: &Path, found: &mut Search) {
        let context = self.context;
        if let Err(error) = receive(context, path) {
            return found.unreadable(path, error);
        }
        if is_standard_input(path) {
            return found.inputs.push(Input::named(path, "stdin".into()));
        }
        let relative = if self.how.listed {
            folders_of(path)
        } else {
            path.file_name().unwrap_or(OsStr::new("pak")).into()
        };
        match fs::metadata(path) {
            Ok(file) if file.is_dir() => self.search_directory(path, found),
            Ok(_) if self.how.takes_files && is_loose_file(context, path) => {
                match open_loose_file(&context.system, path) {
                    Ok(file) => found.inputs.push(Input::of_loose(path, relative, file)),
                    Err(error) => found.unreadable(path, error),
                }
            }
            Err(error) if nested::split(path).is_none() => {
                let error = Finding::from_io(error).at_path(path);
                found.unreadable(path, or_missing(error, self.how.takes_names));
            }
            _ => found.inputs.push(Input::named(path, relative)),
        }
    }

    /// Searches a directory. It is an archive itself if nothing in it is one, is named like one, was left out, or could
    /// not be read.
    fn search_directory(&self, root: &Path, all: &mut Search) {
        let walk = WalkDir::new(root).sort_by_file_name().into_iter();
        let mut walk = walk.filter_entry(|entry| !self.is_skipped(entry));
        let mut found = Search::default();
        let (mut unopened, mut has_named, mut has_excluded) = (0, false, false);
        while !self.context.cancel.is_set() {
            let entries: Vec<_> = walk.by_ref().take(TOGETHER).collect();
            if entries.is_empty() {
                break;
            }
            for entry in entries.iter().flatten() {
                has_named |= entry.depth() > 0
                    && is_named_as_archive(entry.path())
                    && !entry.file_type().is_dir();
            }
            for looked in self.context.pool.map(&entries, |entry| self.look(root, entry)) {
                match looked {
                    Looked::Archive(input, _) if input.is_ruined && !self.how.takes_ruined => {
                        found.ruined.push(input);
                    }
                    Looked::Archive(input, nested) => {
                        found.inputs.push(input);
                        for input in nested {
                            match self.within.fetch_add(1, Relaxed) {
                                0..WITHIN_MAX => found.inputs.push(input),
                                WITHIN_MAX => found.unreadable(&input.path, too_many()),
                                _ => break,
                            }
                        }
                    }
                    Looked::Unopened(input) => {
                        found.inputs.push(input);
                        unopened += 1;
                    }
                    Looked::PassedOver(path, why) => found.passed_over.push((path, why)),
                    Looked::Excluded => has_excluded = true,
                    Looked::Unreadable(path, error) => found.unreadable(&path, error),
                    Looked::Other => {}
                }
            }
        }
        let zips: Vec<&Input> = found.inputs.iter().filter(|it| is_zip_within(it)).collect();
        let mut deep = Vec::new();
        for zips in zips.chunks(TOGETHER) {
            deep.extend(self.context.pool.map(zips, |zip| self.deep(zip)).into_iter().flatten());
            // A small file can hold very many.
            deep.truncate(WITHIN_MAX);
            if deep.len() == WITHIN_MAX || self.context.cancel.is_set() {
                break;
            }
        }
        found.passed_over.extend(deep.into_iter().map(|path| (path, PassedOver::Deep)));
        let is_whole = found.inputs.len() == unopened && found.findings.is_empty();
        if is_whole && !self.context.cancel.is_set() {
            if has_excluded {
                let why =
                    "no archive is left in this directory without what --exclude-archive names";
                found.unreadable(root, Finding::error(why).help(Help::Patterns));
            } else if has_named {
                let why = "this directory holds no archive";
                let error = Finding::error(why).help(Help::NewArchive);
                found.unreadable(root, error.means(Meaning::Unread));
            } else {
                self.take_whole(root, &mut found);
            }
        }
        all.append(found);
    }

    /// Takes a directory for an archive.
    fn take_whole(&self, root: &Path, found: &mut Search) {
        match open_directory(&self.context.system, root) {
            Ok((archive, left_out)) => {
                let relative =
                    if self.how.listed { folders_of(root) } else { directory_name(root) };
                found.inputs = vec![Input::of_loose(root, relative, archive)];
                // Everything but a folder is an entry now, or is left out with another warning.
                found
                    .passed_over
                    .retain(|(path, why)| matches!(why, PassedOver::NotAFile) && path.is_dir());
                found.left_out = left_out;
            }
            Err(findings) => {
                for finding in findings {
                    if finding.is_error() {
                        found.unreadable(root, finding);
                    } else {
                        found.left_out.push(finding);
                    }
                }
            }
        }
    }

    /// Looks at what a walk has met, or could not read. Opens archives, and looks for archives in them.
    fn look(&self, root: &Path, met: &walkdir::Result<DirEntry>) -> Looked {
        let entry = match met {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(root).to_path_buf();
                return Looked::Unreadable(path, walk_error(error));
            }
        };
        let (path, is_file) = (entry.path(), entry.file_type().is_file());
        let is_ours = is_file && (is_temporary(entry.file_name()) || is_previous_version(path));
        if entry.depth() == 0 || is_ours {
            return Looked::Other;
        }
        let below = path.strip_prefix(root).unwrap_or(path);
        if self.excludes(below) {
            return Looked::Excluded;
        }
        let mut input = Input::named(path, below.to_path_buf());
        input.found = true;
        if self.how.listed {
            input.relative = folders_of(root).join(below);
        }
        match look(&self.context.system, entry) {
            Ok(Recognized::Archive(file)) => {
                let nested = self.open(&mut input, file);
                Looked::Archive(input, nested)
            }
            Ok(Recognized::Ruined(error)) => {
                input.opened = Some(Err(error.at_path(path)));
                input.is_ruined = true;
                Looked::Archive(input, Vec::new())
            }
            Ok(Recognized::PassedOver(why)) => Looked::PassedOver(input.path, why),
            Ok(Recognized::Other) => Looked::Other,
            Err(error) if is_file || entry.path_is_symlink() => {
                // In a snapshot it is an unreadable archive.
                input.opened = Some(Err(Finding::from_io(error).at_path(path)));
                if is_named_as_archive(path) {
                    Looked::Archive(input, Vec::new())
                } else {
                    Looked::Unopened(input)
                }
            }
            Err(error) => Looked::Unreadable(input.path, Finding::from_io(error)),
        }
    }

    /// Opens an archive that was found. It stays in memory, and its file stays open, while these are not too many.
    /// Returns the archives in it.
    fn open(&self, input: &mut Input, file: Source) -> Vec<Input> {
        input.origin = Origin::File(file.clone());
        let archive = match input.open_as_found(self.context) {
            Ok(archive) => archive,
            Err(error) => {
                input.opened = Some(Err(error));
                return Vec::new();
            }
        };
        let nested = self.nested(input, &file, &archive);
        if self.files.fetch_add(1, Relaxed) >= self.context.system.files_kept_open()
            && file.close().is_err()
        {
            input.origin = Origin::Path;
        } else if self.entries.fetch_add(archive.len(), Relaxed) < ENTRIES_KEPT {
            input.opened = Some(Ok(archive));
        }
        nested
    }

    /// The archives in one that was found.
    fn nested(&self, input: &Input, file: &Source, archive: &Arc<Archive>) -> Vec<Input> {
        // The options are for the archives within. The outer one is read with the defaults.
        let default = ReadOptions { maps: self.context.open.maps, ..ReadOptions::default() };
        let mut outer = Arc::clone(archive);
        if self.context.open != default {
            match Archive::read_source(Box::new(file.clone()), default, Some(&input.path)) {
                Ok(archive) => outer = Arc::new(archive),
                Err(_) => return Vec::new(),
            }
        }
        let folder = input.relative.with_extension("");
        let mut inputs = Vec::new();
        for NestedArchive { index, path, relative } in nested::search(&outer, &input.path) {
            let relative = folder.join(relative);
            if self.excludes(&relative) {
                continue;
            }
            let mut nested = Input::named(&path, relative);
            nested.found = true;
            nested.origin = Origin::Within(Arc::clone(&outer), index);
            inputs.push(nested);
            if inputs.len() > WITHIN_MAX {
                break;
            }
        }
        inputs
    }

    /// The paths of the first archives in a ZIP that is in another archive. They are not searched.
    fn deep(&self, zip: &Input) -> Vec<PathBuf> {
        // If it cannot be opened, its own turn reports that.
        let Ok(archive) = zip.open_as_found(self.context) else {
            return Vec::new();
        };
        let folder = zip.relative.with_extension("");
        let mut found = nested::search(&archive, &zip.path);
        found.retain(|it| !self.excludes(&folder.join(&it.relative)));
        found.into_iter().take(WITHIN_MAX).map(|it| it.path).collect()
    }

    /// Whether `--exclude-archive` leaves out this path, which is relative to the searched directory.
    fn excludes(&self, relative: &Path) -> bool {
        self.context.leaves_out(relative.as_os_str().as_encoded_bytes())
    }

    /// Whether something below the searched directory is the directory that is not searched.
    fn is_skipped(&self, entry: &DirEntry) -> bool {
        let Some(skip) = &self.skip else {
            return false;
        };
        entry.depth() > 0
            && entry.file_type().is_dir()
            // The system call is only made for a directory with the right name.
            && skip.file_name() == Some(entry.file_name())
            && crate::fs::canonicalize(entry.path()).is_ok_and(|path| path == *skip)
    }
}

/// The error about the first archive that is left out because there are too many within others.
fn too_many() -> Finding {
    let why = format!(
        "this archive and those after it are not opened: {WITHIN_MAX} archives within others were found before"
    );
    Finding::error(why)
        .many("archives within others are over the limit, and are not opened")
        .advice("name the archives that you want, as in mod.zip//id1/pak0.pak")
}

/// Whether an input is a ZIP in another archive. It may hold archives, too. Paks and PK3s in archives seldom hold any, and
/// are not opened for that: they would be decoded twice.
fn is_zip_within(input: &Input) -> bool {
    matches!(input.origin, Origin::Within(..))
        && input.path.extension().is_some_and(|it| it.eq_ignore_ascii_case("zip"))
}

/// The path below an output directory for a path from a list: without the root, and without everything up to the last
/// `..`.
fn folders_of(path: &Path) -> PathBuf {
    let mut folders = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => folders.push(part),
            Component::ParentDir => folders = PathBuf::new(),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    folders
}

/// Whether this file is the previous version of an archive beside it, kept by an edit.
fn is_previous_version(path: &Path) -> bool {
    let archive = path.as_os_str().as_encoded_bytes().strip_suffix(b"~");
    archive.is_some_and(|archive| Path::new(&*archive.to_os_str_lossy()).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Format;

    fn find(paths: &[PathBuf], skip: Option<&Path>) -> Search {
        let context = Context::new();
        Search::new(&context, paths, How { skip, ..How::default() })
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
        let found: Vec<_> = inputs.inputs.iter().map(|i| i.relative.as_path()).collect();
        assert_eq!(
            found,
            ["a/data.bin", "b/pak0.pak", "b/pak1.pak", "z/out/pak0.pak"].map(Path::new)
        );
        assert!(inputs.inputs.iter().all(|i| i.found));
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
            assert_eq!((inputs.inputs.len(), inputs.findings.len()), (1 + found, findings));
            for finding in inputs.findings {
                let place = finding.place.path.unwrap();
                assert!(place.ends_with("many.pak//10000.pak"), "{}", place.display());
            }
        }
    }

    #[test]
    fn deeper_archives_are_counted_up_to_a_limit() {
        let dir = tempfile::tempdir().unwrap();
        let zip_of = |files: &[(String, &[u8])]| {
            let mut writer = crate::Writer::in_memory(Format::Pk3).unwrap();
            for (name, content) in files {
                writer.add(name.as_str(), content).unwrap();
            }
            writer.finish_bytes().unwrap()
        };
        let deep = |count: usize| {
            let names =
                (0..count).map(|number| (format!("{number:05}.pak"), &b"PACK\0and more"[..]));
            zip_of(&names.collect::<Vec<_>>())
        };
        let (many, two) = (deep(WITHIN_MAX - 1), deep(2));
        let outer = zip_of(&[("a.zip".into(), many.as_slice()), ("b.zip".into(), two.as_slice())]);
        fs::write(dir.path().join("outer.zip"), outer).unwrap();
        let found = find(&[dir.path().into()], None);
        assert_eq!((found.inputs.len(), found.passed_over.len()), (3, WITHIN_MAX));
    }

    #[test]
    fn a_file_is_meant_whatever_it_holds() {
        let dir = tree();
        let path = dir.path().join("a/readme.txt");
        let inputs = find(std::slice::from_ref(&path), None);
        assert_eq!(inputs.inputs.len(), 1);
        assert_eq!(inputs.inputs[0].path, path);
        assert_eq!(inputs.inputs[0].relative, Path::new("readme.txt"));
        assert!(!inputs.inputs[0].found);
    }

    #[test]
    fn missing_inputs_are_reported_and_others_go_on() {
        let dir = tree();
        let paths = [dir.path().join("nowhere.pak"), dir.path().join("b/pak0.pak")];
        let inputs = find(&paths, None);
        assert_eq!(inputs.inputs.len(), 1);
        assert_eq!(inputs.findings.len(), 1);
    }

    #[test]
    fn leftovers_of_a_killed_run_are_no_input() {
        let dir = tree();
        let left = dir.path().join("b/.daisho-0123abcd.tmp");
        fs::write(&left, "PACK, and then it was killed").unwrap();
        let found = |path: &Path| find(&[path.into()], None).inputs;
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
        let found: Vec<_> = inputs.inputs.iter().map(|i| i.relative.to_str().unwrap()).collect();
        assert_eq!(found, ["data.bin", "link.pak"]);
        assert!(inputs.findings.is_empty());
    }
}
