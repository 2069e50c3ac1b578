//! An archive changed: entries added, replaced, removed and renamed.
//!
//! The archive is written anew beside itself, and takes its name when it is whole; until then, and where
//! anything fails, the old one stays. What is not changed is copied as it is, in its order; what is new
//! goes last. All that speaks against a change is found before a byte is written. A ZIP keeps what games
//! read of it, and no comment, folders, dates or rights.
//!
//! Or it is changed in place, which takes the time of what is new alone, and [`undo`](super::undo::undo)
//! goes back: see [`EditOptions::append`].

use std::cell::Cell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::{Context, Existing, Problem, Refusal};
use super::gather_files::{check_chosen, gather};
use super::meant::{no_name, or_missing};
use super::nested;
use super::open;
use super::pool::Pool;
use super::select::Selection;
use super::write::destination::{OutputRoot, Targets, cleared};
use super::write::job::Job;
use super::write::part::Part;
use super::write::plan::Plan;
use super::write::{Crew, Outcome, WriteOptions, Written, names_alike};
use crate::archive::{Archive, Case, Entry, Extent, Format, RawName, SafePath};
use crate::error::{Error, ErrorKind};
use crate::format::{HEADER_LEN, check_name};
use crate::fs::{Closable, FileId, InPlace, LooseFile, Sync, System, archive_of};

/// What became of an entry or a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A file is an entry now.
    Added {
        /// The entry's name.
        name: Vec<u8>,
        /// How long it is.
        size: u64,
    },
    /// A file has taken the place of the entries of its name.
    Replaced {
        /// Their name.
        name: Vec<u8>,
        /// How long the file is.
        size: u64,
        /// How many entries there were.
        entries: usize,
    },
    /// An entry is gone.
    Removed {
        /// Its name.
        name: Vec<u8>,
        /// How long it was.
        size: u64,
    },
    /// An entry has another name.
    Renamed {
        /// Its name.
        name: Vec<u8>,
        /// The name that it had.
        from: Vec<u8>,
    },
}

/// How an archive is to be changed.
#[derive(Debug)]
pub struct EditOptions {
    /// How it is written; destination, format and what is done about existing files are the archive's. It
    /// is never split: what the engines' limits forbid is refused.
    pub write: WriteOptions,
    /// Whether the old one stays, under its name with a `~` behind it.
    pub backup: bool,
    /// Whether the archive is changed in place: what is new goes behind its end, nothing in it is moved or
    /// overwritten but the eight bytes of the header that say where its directory is, and these last of
    /// all. Directory and claims of all entries are checked before; no payload is read. ZIPs are refused,
    /// and files of several names.
    pub append: bool,
}

/// What was changed, in the order of the entries.
#[derive(Debug)]
pub struct Edited {
    /// The archive as it was written.
    pub written: Written,
    /// What was changed, or would be.
    pub changes: Vec<Change>,
}

/// Adds the files that `paths` mean to an archive, named as [`create`](super::create::create) names
/// them, or one as `name`.
///
/// # Errors
/// Nothing is written where a file has an entry's name, unless the options say that it is to be
/// replaced, and where `create` would write nothing.
pub fn add(
    context: &Context<'_>,
    archive: &Path,
    paths: &[PathBuf],
    name: Option<&[u8]>,
    options: EditOptions,
    replace: bool,
) -> Result<Edited, Refusal> {
    let system = &System::real();
    add_on(system, context, archive, paths, name, options, replace)
}

/// [`add`] on a system.
pub(crate) fn add_on(
    system: &System,
    context: &Context<'_>,
    archive: &Path,
    paths: &[PathBuf],
    name: Option<&[u8]>,
    mut options: EditOptions,
    replace: bool,
) -> Result<Edited, Refusal> {
    let old = Old::open(system, context, archive, &mut options)?;
    let (mut files, mut problems) = gather(paths, &options.write, name)?;
    problems.extend(old.leave_out(system, &mut files));
    problems.extend(options.write.selection.unmatched().map(Problem::error));
    if files.is_empty() {
        let errors = problems.into_iter().map(|problem| problem.error);
        let nothing = Error::from(ErrorKind::NothingToWrite).in_pak(archive);
        return Err(Refusal(errors.chain([nothing]).collect()));
    }
    let new = archive_of(system, Path::new(""), files);
    let taken = |entry: &Entry<'_>| old.archive.get(entry.name().as_bytes()).is_some();
    let refused: Vec<Error> = new
        .entries()
        .filter(|entry| !replace && taken(entry))
        .map(|entry| entry.locate(ErrorKind::NameTaken(entry.name().as_bytes().to_vec()).into()))
        .collect();
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    let mut parts: Vec<(Entry<'_>, Option<Vec<u8>>)> = Vec::new();
    let mut changes = Vec::new();
    for entry in &old.archive {
        let name = entry.name().as_bytes();
        match new.get(name) {
            None => parts.push((entry, None)),
            // Those behind the first one of several give way.
            Some(file) if old.is_first(entry) => {
                changes.push(Change::Replaced {
                    name: name.to_vec(),
                    size: file.size(),
                    entries: old.archive.find_all(name, Case::Matters).count(),
                });
                parts.push((file, None));
            }
            Some(_) => {}
        }
    }
    for file in new.entries().filter(|file| !taken(file)) {
        let name = file.name().as_bytes().to_vec();
        let size = file.size();
        changes.push(Change::Added { name, size });
        parts.push((file, None));
    }
    let mut edited = old.write(system, context, parts, changes, &options)?;
    edited.written.problems.splice(0..0, problems);
    Ok(edited)
}

/// Removes the entries of an archive that these names mean, case included: of a folder all that is in it.
/// A name that nothing has is a glob.
///
/// # Errors
/// Nothing is written where one of them means no entry, or no entry would be left.
pub fn remove(
    context: &Context<'_>,
    archive: &Path,
    names: &[Vec<u8>],
    options: EditOptions,
) -> Result<Edited, Refusal> {
    remove_on(&System::real(), context, archive, names, options)
}

/// [`remove`] on a system.
pub(crate) fn remove_on(
    system: &System,
    context: &Context<'_>,
    archive: &Path,
    names: &[Vec<u8>],
    mut options: EditOptions,
) -> Result<Edited, Refusal> {
    let old = Old::open(system, context, archive, &mut options)?;
    let mut gone = HashSet::new();
    let mut refused = Vec::new();
    for name in names {
        let meant = old.meant_by(name)?;
        if meant.is_empty() {
            refused.push(Error::from(no_name(&old.archive, name)).in_pak(archive));
        }
        gone.extend(meant);
    }
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    let (mut parts, mut changes) = (Vec::new(), Vec::new());
    for entry in &old.archive {
        if !gone.contains(&entry.index()) {
            parts.push((entry, None));
            continue;
        }
        let (name, size) = (entry.name().as_bytes().to_vec(), entry.size());
        changes.push(Change::Removed { name, size });
    }
    if parts.is_empty() {
        return Err(Error::from(ErrorKind::NothingToWrite)
            .in_pak(archive)
            .into());
    }
    old.write(system, context, parts, changes, &options)
}

/// Gives the entries of a name another one; with `folders` all entries in a folder, whose name is then
/// the other. An empty name stands for no folder.
///
/// # Errors
/// Nothing is written where no entry is named, or another one has the new name.
pub fn rename_entries(
    context: &Context<'_>,
    archive: &Path,
    names: (&[u8], &[u8]),
    folders: bool,
    options: EditOptions,
) -> Result<Edited, Refusal> {
    rename_on(&System::real(), context, archive, names, folders, options)
}

/// [`rename_entries`] on a system.
pub(crate) fn rename_on(
    system: &System,
    context: &Context<'_>,
    archive: &Path,
    (from, to): (&[u8], &[u8]),
    folders: bool,
    mut options: EditOptions,
) -> Result<Edited, Refusal> {
    let old = Old::open(system, context, archive, &mut options)?;
    check_chosen(to).map_err(|error| error.in_pak(archive))?;
    let renamed = |name: &[u8]| match folders {
        true => in_folder(name, from).map(|rest| join(to, rest)),
        false => (name == from).then(|| to.to_vec()),
    };
    let (mut parts, mut changes, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    let mut problems = Vec::new();
    let kept: HashSet<&[u8]> = old
        .archive
        .entries()
        .map(|entry| entry.name().as_bytes())
        .filter(|name| renamed(name).is_none())
        .collect();
    for entry in &old.archive {
        let name = renamed(entry.name().as_bytes());
        if let Some(name) = &name {
            if kept.contains(name.as_slice()) {
                refused.push(entry.locate(ErrorKind::NameTaken(name.clone()).into()));
            }
            if let Err(error) = check_name(options.write.to, RawName::new(name)) {
                refused.push(entry.locate(error));
            }
            let was_odd = SafePath::try_from(entry.name()).is_err();
            if let (false, Err(odd)) = (was_odd, SafePath::try_from(RawName::new(name))) {
                let error = entry.locate(ErrorKind::FileName(odd).into());
                problems.push(Problem::warning(error));
            }
            let (name, from) = (name.clone(), entry.name().as_bytes().to_vec());
            changes.push(Change::Renamed { name, from });
        }
        parts.push((entry, name));
    }
    if changes.is_empty() {
        let kind = match folders {
            true => ErrorKind::NoFolder(from.to_vec()),
            false => no_name(&old.archive, from),
        };
        refused.push(Error::from(kind).in_pak(archive));
    }
    if !refused.is_empty() {
        return Err(Refusal(refused));
    }
    let mut edited = old.write(system, context, parts, changes, &options)?;
    edited.written.problems.splice(0..0, problems);
    Ok(edited)
}

/// What of a name stands behind a folder's.
fn in_folder<'n>(name: &'n [u8], folder: &[u8]) -> Option<&'n [u8]> {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    match folder {
        [] => Some(name),
        _ => name.strip_prefix(folder)?.strip_prefix(b"/"),
    }
}

/// A name in a folder.
fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    match folder {
        [] => name.to_vec(),
        _ => [folder, b"/", name].concat(),
    }
}

/// The name under which an archive stays.
fn backup_of(name: &Path) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push("~");
    name.into()
}

/// Where an archive is that is to be changed, links followed.
///
/// # Errors
/// If it is a directory, or lies within another archive.
pub(super) fn changeable(path: &Path) -> Result<PathBuf, Error> {
    if nested::split(path).is_some() {
        return Err(Error::from(ErrorKind::WithinAnother).in_pak(path));
    }
    open::check_one(path)?;
    std::fs::canonicalize(path).map_err(|error| or_missing(Error::from_io(error).in_pak(path)))
}

/// Removes what killed runs have left beside an archive that is about to be changed, and says so.
pub(super) fn clear_beside(system: &System, archive: &Path) -> Vec<Problem> {
    let Ok((root, _)) = system.root_of_file(archive, Sync::Off) else {
        return Vec::new();
    };
    root.clear();
    cleared(&root)
}

/// The error with the path that the user has named.
pub(super) fn shown_as(error: Error, path: &Path) -> Error {
    Error::from(error.into_kind()).in_pak(path)
}

/// The archive that is to be changed.
struct Old {
    archive: Archive,
    /// As the user has named it.
    shown: PathBuf,
    /// Where it is, links followed: what they lead to is changed, and they stay.
    path: PathBuf,
    /// What killed runs had left beside it.
    cleared: Cell<Vec<Problem>>,
    /// What it is read from.
    source: Arc<dyn Closable>,
    /// What it is, locked where that can be: no other run changes it meanwhile.
    file: Option<InPlace>,
}

impl Old {
    fn open(
        system: &System,
        context: &Context<'_>,
        path: &Path,
        options: &mut EditOptions,
    ) -> Result<Self, Refusal> {
        let real = changeable(path)?;
        let cleared = match options.write.dry_run {
            true => Vec::new(),
            false => clear_beside(system, &real),
        };
        let file = match options.append {
            true => system.open_in_place(&real).map(Some),
            false => system.lock_old(&real),
        };
        let file = file.map_err(|error| shown_as(error, path))?;
        let (archive, source) = open::open_shared(system, path, context.open)?;
        let to = archive.format();
        let checked = options.write.rules.check(to);
        checked.map_err(|error| error.in_pak(path))?;
        if options.append && to == Format::Pk3 {
            let error = Error::from(ErrorKind::NotInPlace { format: to });
            return Err(error.in_pak(path).into());
        }
        options.write.to = to;
        options.write.existing = Existing::Replace;
        Ok(Self {
            archive,
            shown: path.to_path_buf(),
            path: real,
            source,
            file,
            cleared: Cell::new(cleared),
        })
    }

    /// Leaves the archive itself out of the files that are to be added, and says so.
    fn leave_out(&self, system: &System, files: &mut Vec<LooseFile>) -> Vec<Problem> {
        let is_it = |file: &LooseFile| {
            let id = || system.identify(&file.path).ok();
            file.size == self.archive.file_len() && id().is_some_and(|id| self.is(system, id))
        };
        let (what, why) = ("the archive itself", "it is what is being changed");
        let out = files.extract_if(.., |file| is_it(file));
        let problem = |file: LooseFile| {
            let error = Error::from(ErrorKind::LeftOut { what, why });
            Problem::warning(error.in_pak(file.path))
        };
        out.map(problem).collect()
    }

    fn is(&self, system: &System, id: FileId) -> bool {
        system.identify(&self.path).is_ok_and(|own| own == id)
    }

    /// Whether it is the first of its name.
    fn is_first(&self, entry: Entry<'_>) -> bool {
        self.archive.get(entry.name().as_bytes()) == Some(entry)
    }

    fn has(&self, entry: &Entry<'_>) -> bool {
        core::ptr::eq(entry.archive(), &self.archive)
    }

    /// The numbers of the entries that a name means.
    fn meant_by(&self, name: &[u8]) -> Result<Vec<usize>, Refusal> {
        let exact = self.archive.find_all(name, Case::Matters);
        let exact: Vec<usize> = exact.map(|entry| entry.index()).collect();
        if !exact.is_empty() {
            return Ok(exact);
        }
        let all = || self.archive.entries();
        let numbers = |is: &dyn Fn(RawName<'_>) -> bool| {
            let meant = all().filter(|entry| is(entry.name()));
            meant.map(|entry| entry.index()).collect::<Vec<_>>()
        };
        let within = |it: RawName<'_>| !name.is_empty() && in_folder(it.as_bytes(), name).is_some();
        let folder = numbers(&within);
        match core::str::from_utf8(name) {
            Ok(glob) if folder.is_empty() && glob.contains(['*', '?', '[', '{']) => {
                let selection = Selection::new(&[glob], &[])?;
                Ok(numbers(&|it| selection.picks(it)))
            }
            _ => Ok(folder),
        }
    }

    /// These entries under these names. In place, those that are there stay where they are, but for those
    /// that have the header in them, which changes.
    fn parts<'a>(
        &self,
        entries: Vec<(Entry<'a>, Option<Vec<u8>>)>,
        edit: &EditOptions,
    ) -> Vec<Part<'a>> {
        let mut parts = Part::named(entries, edit.write.lowercase);
        for part in &mut parts {
            let has_header = |it: Extent| it.offset < HEADER_LEN as u64;
            let changes = part.entry.extent().is_some_and(has_header);
            part.stays = edit.append && self.has(&part.entry) && !changes;
        }
        parts
    }

    /// What is known of the archive before anything is done.
    fn report(&self) -> Written {
        let format = self.archive.format();
        let mut report = Written::new(self.shown.clone(), self.shown.clone(), format);
        report.from = Some(format);
        report.bytes_in = self.archive.file_len();
        report.problems = open::notes(&self.archive);
        report
    }

    /// Changes the archive, or writes it anew, of these entries under these names.
    fn write(
        &self,
        system: &System,
        context: &Context<'_>,
        parts: Vec<(Entry<'_>, Option<Vec<u8>>)>,
        changes: Vec<Change>,
        edit: &EditOptions,
    ) -> Result<Edited, Refusal> {
        let (to, options) = (self.archive.format(), &edit.write);
        let parts = self.parts(parts, edit);
        let in_place = edit.append.then(|| self.archive.file_len());
        let files = parts.iter().filter(|part| part.entry.is_file());
        let len = files
            .map(Part::size)
            .fold(self.archive.file_len(), u64::saturating_add);
        let whole = !open::notes(&self.archive).iter().any(Problem::is_error);
        let plan = Plan::of(&parts, whole, len, options)?;
        plan.check_whole(options, in_place)
            .map_err(|error| error.in_pak(&self.shown))?;
        let root = system.root_of_file(&self.path, Sync::each(options.sync));
        let (root, name) = root.map_err(Error::from)?;
        // Of all files that are read, this one alone may be replaced.
        let sources: Vec<PathBuf> = parts
            .iter()
            .filter(|part| part.entry.is_file())
            .filter_map(|part| part.entry.path().map(Path::to_path_buf))
            .collect();
        let root = OutputRoot::new(
            root,
            options.existing,
            system,
            sources.iter().map(|it| &**it),
        )?;
        let root = root.in_place_of(&self.source);
        let names = (&*name, &*self.shown);
        let targets = root.targets(names, 1, &options.rules);
        let targets: Targets = targets.map_err(Refusal)?;
        let mut report = self.report();
        report.entries = parts.len() as u64;
        let is_new = |part: &Part<'_>| !self.has(&part.entry) || part.is_renamed();
        let alike = names_alike(options.rules.engines, &parts, to, is_new);
        report.problems.extend(alike);
        let backup = backup_of(&name);
        if edit.backup {
            let shown = backup_of(&self.shown);
            root.meet(&backup).map_err(|error| error.in_pak(shown))?;
        }
        let kept = match edit.backup && !options.dry_run && !plan.is_refused() {
            true => Some(root.root.second_name(&name).map_err(Error::from)?),
            false => None,
        };
        let pool = Pool::new(context.jobs);
        let job = Job {
            crew: Crew::new(&pool, context),
            options,
            root: &root,
            archives: &[&self.archive],
            in_place: self.file.as_ref().filter(|_| edit.append),
            merged_for: None,
        };
        let mut written = job.run(&self.shown, plan, &targets, report);
        if let Some(kept) = kept {
            let over = (written.outcome == Outcome::Written).then_some(&*backup);
            let kept = root.root.settle(&name, &kept, over);
            let failed = kept.err().map(|error| Problem::error(error.into()));
            written.problems.extend(failed);
        }
        written.problems.extend(root.finish());
        written.problems.extend(self.cleared.take());
        Ok(Edited { written, changes })
    }
}
