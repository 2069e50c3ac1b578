//! The previous version of a file: kept under a second name, and exchanged with the file.
//!
//! At every moment the file's own name belongs to a whole file.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

use super::directories::{Root, split};
use super::draft::Draft;
use super::error::{CommitError, Step};
use super::platform;
use super::status::FileId;
use super::temporary::{Over, next_name};
use crate::archive::{ReadAt as _, Sink as _};

/// The temporary second name of a file that is about to be replaced.
#[derive(Debug)]
pub(crate) struct SecondName {
    path: PathBuf,
    /// The file that had the first name when the second was made, if the system tells.
    file: Option<FileId>,
}

impl Root {
    /// Gives a file a second name, so that it stays when another file takes its first. Where a file can have
    /// only one name, a copy gets the second. [`settle`](Self::settle) ends that.
    pub(crate) fn second_name(&self, file: &Path) -> Result<SecondName, CommitError> {
        let (parent, name) = split(file)?;
        let directory = self.parent_for_writing(parent)?;
        let status = self.gate.status(&directory, name);
        let status = status.map_err(|error| self.failed(Step::Looking, file, error))?;
        let temporary = next_name();
        let second = parent.join(&temporary);
        match self.gate.link(&directory, name, &temporary) {
            Err(error) if platform::unsupported(&error) => self.copy_to(file, &second)?,
            linked => linked.map_err(|error| {
                // An error does not always mean that nothing was done.
                self.remove_temporary(&directory, &temporary, &self.full(&second));
                self.failed(Step::Placing, file, error)
            })?,
        }
        Ok(SecondName {
            path: second,
            file: status.id,
        })
    }

    /// Ends what [`second_name`](Self::second_name) began: if another file has the first name now, the second
    /// becomes `backup`, over whatever file has that. Otherwise it is removed. `is_replaced` says that the
    /// first name is known to be another file's; an error of a rename does not mean that it was not made. If
    /// the second name cannot be changed, it stays.
    pub(crate) fn settle(
        &self,
        second: &SecondName,
        first: &Path,
        backup: &Path,
        mut is_replaced: bool,
    ) -> Result<(), CommitError> {
        let (parent, second_name) = split(&second.path)?;
        let directory = self.parent_for_writing(parent)?;
        let gate = &self.gate;
        if !is_replaced {
            match self.has_other_file(&directory, first, second) {
                Ok(has_other) => is_replaced = has_other,
                Err(error) => {
                    // The second name stays, so that nothing is lost.
                    self.add_leftover(error);
                    return Ok(());
                }
            }
        }
        if is_replaced {
            let (_, backup_name) = split(backup)?;
            let renamed = gate.rename(&directory, second_name, backup_name);
            renamed.map_err(|error| self.failed(Step::Placing, &second.path, error))?;
        }
        // A rename does nothing if both are names of one file already.
        self.remove_temporary(&directory, second_name, &self.full(&second.path));
        Ok(())
    }

    /// Whether the first name is no longer that of the file which has the second.
    fn has_other_file(
        &self,
        directory: &Dir,
        first: &Path,
        second: &SecondName,
    ) -> Result<bool, CommitError> {
        let (_, name) = split(first)?;
        match self.gate.status(directory, name) {
            Ok(found) => Ok(found.id.is_some() && found.id != second.file),
            Err(error) => Err(self.failed(Step::Looking, &second.path, error)),
        }
    }

    /// Has a file and its previous version exchange their names. If the system has no call for that, a kill
    /// may leave the file's content under a temporary name.
    pub(crate) fn exchange(&self, file: &Path, backup: &Path) -> Result<(), CommitError> {
        let (parent, name) = split(file)?;
        let (_, backup_name) = split(backup)?;
        let directory = self.parent_for_writing(parent)?;
        let gate = &self.gate;
        let id = |name| Some(gate.status(&directory, name).ok()?.id);
        let previous = id(backup_name).flatten();
        match gate.exchange(&directory, name, backup_name) {
            // An error does not always mean that nothing was done.
            Err(_) if previous.is_some() && id(name).flatten() == previous => {}
            Err(error)
                if platform::unsupported(&error) || error.kind() == ErrorKind::Interrupted =>
            {
                self.exchange_in_steps(&directory, file, backup)?;
            }
            exchanged => exchanged.map_err(|error| self.failed(Step::Replacing, file, error))?,
        }
        (gate.sync_dir(&directory)).map_err(|error| self.failed(Step::Syncing, file, error))
    }

    /// A second name for the file, then one rename over its own, and one over the backup's.
    fn exchange_in_steps(
        &self,
        directory: &Dir,
        file: &Path,
        backup: &Path,
    ) -> Result<(), CommitError> {
        let (_, backup_name) = split(backup)?;
        let (_, name) = split(file)?;
        let gate = &self.gate;
        let second = self.second_name(file)?;
        if let Err(error) = gate.rename(directory, backup_name, name) {
            self.settle(&second, file, backup, false)?;
            return Err(self.failed(Step::Replacing, file, error));
        }
        // The second name is the only one now, so it stays if this fails.
        self.settle(&second, file, backup, true)
    }

    fn copy_to(&self, file: &Path, copy: &Path) -> Result<(), CommitError> {
        let source = self.open(file);
        let source = source.map_err(|error| self.failed(Step::Looking, file, error))?;
        let draft = Draft::create(self, copy)?;
        let copied = source
            .size()
            .and_then(|len| draft.copy_from(&source, 0, len, 0));
        copied.map_err(|error| {
            CommitError::from_io(error)
                .unwrap_or_else(|error| self.failed(Step::Looking, file, error))
        })?;
        draft.commit(Over::Old)
    }

    fn failed(&self, step: Step, path: &Path, cause: io::Error) -> CommitError {
        CommitError::new(step, self.full(path), cause)
    }
}
