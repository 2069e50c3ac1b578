//! The previous version of a file: how it is kept under a second name, and exchanged with the file.
//!
//! At every moment the name of the file belongs to a complete file, and the name of the backup to the version before
//! it, or to the same version.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::draft::{FilePlace, HiddenName, Over};
use super::error::{CommitError, FileAction};
use super::naming::{Complete, NameOutcome};
use super::platform::{self, Dir};
use super::root::{Root, split};
use super::status::FileId;

/// A file that is about to be replaced, and whose backup is a second name of it already.
struct Kept<'root> {
    root: &'root Root,
    parent: Arc<Dir>,
    name: OsString,
    /// Its identity, if the system tells it.
    id: Option<FileId>,
    backup: OsString,
    backup_path: PathBuf,
    /// The backup from before, under a hidden name. It gets its name back if the file is not replaced.
    earlier: Option<SecondName<'root>>,
}

/// A hidden second name of a file.
struct SecondName<'root> {
    hidden: HiddenName<'root>,
    id: Option<FileId>,
}

impl<'root> Complete<'root> {
    /// Gives the file its name, as [`place`](Self::place) does. The file that had the name is called `backup` from
    /// then on, and replaces the file there. After an error both names are as before; [`Root::finish`] reports what
    /// could not be restored.
    pub(crate) fn place_and_keep(self, backup: &Path) -> Result<NameOutcome<'root>, CommitError> {
        let kept = self.root().keep(self.relative(), backup)?;
        let placed = self.place();
        kept.settle(matches!(placed, Ok(NameOutcome::Named)));
        placed
    }
}

impl Root {
    /// Exchanges the names of a file and its previous version. If the system has no call for that, both names belong
    /// to the file for a moment, and a kill then leaves the previous version under a hidden name.
    pub(crate) fn exchange(&self, file: &Path, backup: &Path) -> Result<(), CommitError> {
        let (parent, name) = split(file)?;
        let (_, backup_name) = split(backup)?;
        let directory = self.parent_for_writing(parent)?;
        let id = |name| Some(self.system.status(&directory, name).ok()?.id);
        let previous = id(backup_name).flatten();
        match self.system.exchange(&directory, name, backup_name) {
            // The exchange may have been made in spite of the error.
            Err(_) if previous.is_some() && id(name).flatten() == previous => {}
            Err(error)
                if platform::unsupported(&error) || error.kind() == ErrorKind::Interrupted =>
            {
                let mut kept = self.keep(file, backup)?;
                let Some(earlier) = &mut kept.earlier else {
                    kept.settle(false);
                    let error = io::Error::from(ErrorKind::NotFound);
                    return Err(self.failed(FileAction::LOOKING, backup, error));
                };
                let renamed = earlier.hidden.rename(name);
                if renamed.is_ok() {
                    kept.earlier = None;
                }
                kept.settle(renamed.is_ok());
                renamed.map_err(|error| self.failed(FileAction::REPLACING, file, error))?;
            }
            exchanged => {
                exchanged.map_err(|error| self.failed(FileAction::REPLACING, file, error))?
            }
        }
        (self.system.sync_dir(&directory))
            .map_err(|error| self.failed(FileAction::SYNCING, file, error))
    }

    /// Makes `backup` a second name of a file that is about to be replaced.
    fn keep(&self, file: &Path, backup: &Path) -> Result<Kept<'_>, CommitError> {
        let (parent, backup_name) = split(backup)?;
        let parent = self.parent_for_writing(parent)?;
        let earlier = match self.system.status(&parent, backup_name) {
            Ok(_) => Some(self.second_name(backup, backup)?),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(self.failed(FileAction::LOOKING, backup, error)),
        };
        let second = self.second_name(file, backup)?;
        let kept = Kept {
            root: self,
            parent,
            name: split(file)?.1.to_owned(),
            id: second.id,
            backup: backup_name.to_owned(),
            backup_path: self.full(backup),
            earlier,
        };
        if let Err(error) = kept.name_backup(second) {
            kept.settle(false);
            return Err(error);
        }
        Ok(kept)
    }

    /// Gives a file a hidden second name, beside `target`. If the file system allows only one name, a copy of the
    /// file gets the second name.
    fn second_name(&self, file: &Path, target: &Path) -> Result<SecondName<'_>, CommitError> {
        let place = FilePlace::new(self, target)?;
        let (_, name) = split(file)?;
        let status = self.system.status(&place.parent, name);
        let status = status.map_err(|error| self.failed(FileAction::LOOKING, file, error))?;
        let linked =
            place.find_hidden_name(|hidden| match self.system.link(&place.parent, name, hidden) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    place.has_name(status.id, hidden, error)
                }
                linked => linked,
            });
        let hidden = match linked {
            Ok(hidden) => hidden,
            Err(error) if platform::unsupported(&error) => {
                let source = self.system.open_source(&self.full(file));
                let source =
                    source.map_err(|error| self.failed(FileAction::LOOKING, file, error))?;
                place.hide_copy(&source, Over::Old)?
            }
            Err(error) => return Err(self.failed(FileAction::PLACING, file, error)),
        };
        let id = status.id;
        Ok(SecondName { hidden, id })
    }

    fn failed(&self, step: FileAction, path: &Path, cause: io::Error) -> CommitError {
        CommitError::new(step, self.full(path), cause)
    }
}

impl Kept<'_> {
    /// Renames the second name of the file to the backup's, and sees that this survives a power cut.
    fn name_backup(&self, second: SecondName<'_>) -> Result<(), CommitError> {
        let failed = |action, error| CommitError::new(action, self.backup_path.clone(), error);
        let system = &self.root.system;
        (system.rename(&self.parent, &second.hidden.name, &self.backup))
            .map_err(|error| failed(FileAction::PLACING, error))?;
        // The rename does nothing if both are already names of one file.
        drop(second);
        (system.sync_dir(&self.parent)).map_err(|error| failed(FileAction::SYNCING, error))
    }

    /// Removes the backup from before if another file has the name now. Otherwise restores it.
    ///
    /// `is_replaced` says that another file is known to have the name. If it is false, this looks at the file, because
    /// a rename may have been made in spite of an error.
    fn settle(mut self, mut is_replaced: bool) {
        let (root, parent) = (self.root, Arc::clone(&self.parent));
        if !is_replaced {
            match root.system.status(&parent, &self.name) {
                Ok(found) => is_replaced = found.id.is_some() && found.id != self.id,
                Err(error) => {
                    // Nobody knows which versions are left, so all of them stay.
                    let mut path = self.backup_path.clone();
                    if let Some(earlier) = self.earlier.take() {
                        path.set_file_name(earlier.hidden.leave());
                    }
                    return root.add_leftover(CommitError::new(FileAction::LOOKING, path, error));
                }
            }
        }
        let Some(earlier) = self.earlier.take() else {
            if !is_replaced {
                root.remove_temporary(&parent, &self.backup, &self.backup_path);
            }
            return;
        };
        let name = &earlier.hidden.name;
        if !is_replaced && let Err(error) = root.system.rename(&parent, name, &self.backup) {
            let path = self.backup_path.with_file_name(earlier.hidden.leave());
            root.add_leftover(CommitError::new(FileAction::PLACING, path, error));
        }
        // The hidden name is removed now. A rename does nothing if both are already names of one file.
    }
}
