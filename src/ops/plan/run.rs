//! Writes planned files under temporary names, and gives them their names when all of a group are complete.
//!
//! The files of a group get their names one after another, the last one first. The first file has the name that the user
//! asked for, so as long as it is missing, the user sees that the group is incomplete. If a file cannot get its name, the
//! files after it already have theirs, and the error says how many.
//!
//! A run that is killed between two names leaves only the last files, or new files after old ones if it replaces files.
//! Another run with `-f` writes all of them again.

use std::path::{Path, PathBuf};

use crate::fs::{Complete, Draft, NameOutcome, Over, Scratch, WriteAt};
use crate::ops::finding::{Finding, Help, exists};
use crate::ops::plan::options::Spool;
use crate::ops::plan::policy::{Guard, Target};
use crate::ops::row::Fate;

/// A file that will be written, or kept.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    /// Its path below the root.
    pub(crate) relative: PathBuf,
    pub(crate) fate: Fate,
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) enum OpenOutput<'g> {
    /// It has a temporary name, or none.
    File(Draft<'g>),
    /// It has no name, and is on its way to standard output.
    Spool(&'g Spool, Scratch),
}

/// A file that is complete except for its name.
#[derive(Debug)]
pub(crate) struct Finished<'g> {
    /// What was planned.
    fate: Fate,
    waiting: ClosedOutput<'g>,
}

/// Where a complete file waits for its name.
#[derive(Debug)]
enum ClosedOutput<'g> {
    File(Complete<'g>),
    Spool(&'g Spool, Scratch),
}

/// Files that get their names together: all of them, or none.
pub(crate) struct Group<'g> {
    guard: &'g Guard,
    /// What the files are called in an error.
    noun: &'static str,
    files: Vec<Finished<'g>>,
    /// Whether the only file would be byte for byte the archive that it replaces.
    is_unchanged: bool,
}

impl Guard {
    /// Begins to write the file at a path below the root.
    pub(crate) fn begin(&self, relative: &Path) -> Result<OpenOutput<'_>, Finding> {
        Ok(match &self.target {
            Target::Spool(spool) => {
                let scratch = self.root.system.scratch().map_err(Finding::from_io)?;
                OpenOutput::Spool(spool, scratch)
            }
            _ => OpenOutput::File(self.root.draft(relative)?),
        })
    }

    /// Gives a complete file its name, and returns what happened at its path. A file that has appeared there since the
    /// plan is handled as if it had existed before.
    pub(crate) fn commit(&self, file: Finished<'_>) -> Result<Fate, Finding> {
        let planned = file.fate;
        let file = match file.waiting {
            ClosedOutput::File(file) => file,
            ClosedOutput::Spool(spool, scratch) => {
                spool.keep(scratch);
                return Ok(planned);
            }
        };
        let placed = match &self.target {
            Target::Edited(_, edited) => {
                let shown = self.shown(file.relative());
                let locked = edited.source.lock();
                let _lock = locked.map_err(|error| Finding::from_io(error).at_path(shown))?;
                match &edited.backup {
                    Some(backup) => file.place_and_keep(backup)?,
                    None => file.place()?,
                }
            }
            _ => file.place()?,
        };
        let NameOutcome::Taken(file) = placed else {
            return Ok(planned);
        };
        let fate = self.decide(file.relative())?;
        match fate {
            Fate::Keep => {}
            Fate::Replace => file.replace()?,
            // It has gone again.
            Fate::New => {
                if let NameOutcome::Taken(file) = file.place()? {
                    return Err(exists().at_path(self.shown(file.relative())));
                }
            }
        }
        Ok(fate)
    }
}

impl<'g> OpenOutput<'g> {
    /// What the content is written to.
    pub(crate) const fn sink(&self) -> &dyn WriteAt {
        match self {
            Self::File(draft) => draft,
            Self::Spool(_, scratch) => scratch,
        }
    }

    /// Closes a file that is complete. `fate` is what was decided about its path.
    pub(crate) fn finish(self, fate: Fate) -> Result<Finished<'g>, Finding> {
        let waiting = match self {
            Self::File(draft) => {
                let over = if fate == Fate::Replace { Over::Old } else { Over::Nothing };
                ClosedOutput::File(draft.close(over)?)
            }
            Self::Spool(spool, scratch) => ClosedOutput::Spool(spool, scratch),
        };
        Ok(Finished { fate, waiting })
    }
}

impl Finished<'_> {
    /// The path of the file below the root. A file on its way to standard output has none.
    fn relative(&self) -> &Path {
        match &self.waiting {
            ClosedOutput::File(file) => file.relative(),
            ClosedOutput::Spool(..) => Path::new(""),
        }
    }
}

impl<'g> Group<'g> {
    pub(crate) const fn new(guard: &'g Guard, noun: &'static str) -> Self {
        Self { guard, noun, files: Vec::new(), is_unchanged: false }
    }

    /// Adds a file that is complete. `fate` is what was decided about its path.
    pub(crate) fn add(&mut self, output: OpenOutput<'g>, fate: Fate) -> Result<(), Finding> {
        if let (Target::Edited(_, edited), OpenOutput::File(draft)) = (&self.guard.target, &output)
        {
            let shown = self.guard.shown(draft.relative());
            let same = draft.equals(&edited.source);
            self.is_unchanged = same.map_err(|error| Finding::from_io(error).at_path(shown))?;
        }
        if !self.is_unchanged {
            self.files.push(output.finish(fate)?);
        }
        Ok(())
    }

    /// Adds files that are complete.
    pub(crate) fn extend(&mut self, files: Vec<Finished<'g>>) {
        self.files.extend(files);
    }

    /// Gives all files their names. Returns what happened at the path of the only file, or of the first.
    pub(crate) fn commit(self) -> Result<Fate, Finding> {
        let count = self.files.len();
        let mut fate = if self.is_unchanged { Fate::Keep } else { Fate::New };
        for (done, file) in self.files.into_iter().rev().enumerate() {
            let shown = (count > 1).then(|| self.guard.shown(file.relative()));
            let mut named = self.guard.commit(file);
            if let (Ok(Fate::Keep), Some(shown)) = (&named, shown) {
                // The file has appeared meanwhile. One of several cannot be kept on its own.
                named = Err(exists().at_path(shown));
            }
            fate = match named {
                Err(error) if done > 0 => return Err(in_part(&error, done, count, self.noun)),
                named => named?,
            };
        }
        Ok(fate)
    }
}

/// The error that some files of a group have their names, and another one cannot get its own.
fn in_part(error: &Finding, done: usize, count: usize, noun: &str) -> Finding {
    let written = format!("{done} of the {count} {noun} have been written, from the last one on");
    Finding::error(format!("{error}; {written}")).advice("remove them").help(Help::OverwriteAll)
}
