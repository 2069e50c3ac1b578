//! The archive that is to be changed: opened, locked where that can be, and written anew or changed in place.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::{Change, EditOptions, Edited};
use crate::archive::{Archive, Case, Coding, Entry, Extent, Format, RawName};
use crate::error::{Error, ErrorKind};
use crate::format::HEADER_LEN;
use crate::fs::{Closable, FileId, InPlace, LooseFile, Sync, System};
use crate::ops::context::{Context, Existing, Problem, Refusal};
use crate::ops::meant::or_missing;
use crate::ops::nested;
use crate::ops::open;
use crate::ops::pool::Pool;
use crate::ops::select::Selection;
use crate::ops::write::destination::{OutputRoot, Targets, cleared};
use crate::ops::write::job::Job;
use crate::ops::write::part::Part;
use crate::ops::write::plan::Plan;
use crate::ops::write::{Crew, Outcome, Written, names_alike};

/// What of a name stands behind a folder's.
pub(super) fn in_folder<'n>(name: &'n [u8], folder: &[u8]) -> Option<&'n [u8]> {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    match folder {
        [] => Some(name),
        _ => name.strip_prefix(folder)?.strip_prefix(b"/"),
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
pub(in crate::ops) fn changeable(path: &Path) -> Result<PathBuf, Error> {
    if nested::split(path).is_some() {
        return Err(Error::from(ErrorKind::WithinAnother).in_pak(path));
    }
    open::check_one(path)?;
    std::fs::canonicalize(path).map_err(|error| or_missing(Error::from_io(error).in_pak(path)))
}

/// Removes what killed runs have left beside an archive that is about to be changed, and says so.
pub(in crate::ops) fn clear_beside(system: &System, archive: &Path) -> Vec<Problem> {
    let Ok((root, _)) = system.root_of_file(archive, Sync::Off) else {
        return Vec::new();
    };
    root.clear();
    cleared(&root)
}

/// The error with the path that the user has named.
pub(in crate::ops) fn shown_as(error: Error, path: &Path) -> Error {
    Error::from(error.into_kind()).in_pak(path)
}

/// The archive that is to be changed.
pub(super) struct Old {
    pub(super) archive: Archive,
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
    pub(super) fn open(
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
    pub(super) fn leave_out(&self, system: &System, files: &mut Vec<LooseFile>) -> Vec<Problem> {
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
    pub(super) fn is_first(&self, entry: Entry<'_>) -> bool {
        self.archive.get(entry.name().as_bytes()) == Some(entry)
    }

    fn has(&self, entry: &Entry<'_>) -> bool {
        core::ptr::eq(entry.archive(), &self.archive)
    }

    /// The numbers of the entries that a name means.
    pub(super) fn meant_by(&self, name: &[u8]) -> Result<Vec<usize>, Refusal> {
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
    /// that have the header in them, which changes, and those that are to be coded otherwise under another
    /// name.
    fn parts<'a>(
        &self,
        entries: Vec<(Entry<'a>, Option<Vec<u8>>)>,
        edit: &EditOptions,
    ) -> Vec<Part<'a>> {
        let mut parts = Part::named(entries, edit.write.to, edit.write.lowercase);
        for part in &mut parts {
            let has_header = |it: Extent| it.offset < HEADER_LEN as u64;
            let changes = part.entry.extent().is_some_and(has_header);
            let coding = part.entry.coding();
            let is_recoded = part.is_renamed()
                && coding != Coding::Stored
                && coding != part.coding(self.archive.format());
            part.stays = edit.append && self.has(&part.entry) && !changes && !is_recoded;
        }
        if edit.append && self.archive.options().reserved.is_none() {
            self.keep_readings(&mut parts);
        }
        parts
    }

    /// Sees to it that streams with the byte 0xFE are read as before. Where one is sound either way, the
    /// others in the archive say how it is read. If those that stay say something else than all of them
    /// did, what has the byte is written anew, without it.
    fn keep_readings(&self, parts: &mut [Part<'_>]) {
        let mut stays = vec![false; self.archive.len()];
        for part in parts.iter().filter(|part| part.stays) {
            if let Some(stays) = stays.get_mut(part.entry.index()) {
                *stays = true;
            }
        }
        let stays = |entry: &Entry<'_>| stays.get(entry.index()) == Some(&true);
        let mut gone = self.archive.entries().filter(|entry| !stays(entry));
        if !gone.any(|entry| entry.has_reserved()) {
            return;
        }
        let left = self.archive.entries().filter(stays);
        let left = self.archive.reserved_vote_of(left);
        if left.reading() == self.archive.reserved_vote().reading() {
            return;
        }
        for part in parts.iter_mut().filter(|part| part.stays) {
            part.stays = !part.entry.has_reserved();
        }
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
    pub(super) fn write(
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
