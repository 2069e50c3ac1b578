//! The previous version of a file: how it is kept under a second name, and exchanged with the file.
//!
//! At every moment the name of the file belongs to a complete file.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use super::draft::{Draft, Over};
use super::error::{CommitError, FileAction};
use super::platform;
use super::root::{Root, split};
use super::status::FileId;

/// A file that is about to be replaced. It has a second name, under which it becomes the backup.
struct Previous<'root> {
    /// Its second name, which is hidden. Its final name is the name of the backup.
    second: Draft<'root>,
    /// Its first name.
    first: OsString,
    /// Its identity, if the system tells it.
    id: Option<FileId>,
}

impl Draft<'_> {
    /// Gives the file its name, as [`place`](Self::place) does. The file that had the name is renamed to `backup`,
    /// and replaces the file there. If that fails, [`Root::finish`] reports it.
    pub(crate) fn place_and_keep(
        self,
        replaced: &Path,
        backup: &Path,
    ) -> Result<Option<Self>, CommitError> {
        let previous = self.root.previous(replaced, backup)?;
        let placed = self.place();
        previous.settle(placed.is_ok());
        placed
    }
}

impl Root {
    /// Exchanges the names of a file and its previous version. If the system has no call for that, a kill may leave
    /// the file under a temporary name.
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
                let current = self.previous(file, backup)?;
                let renamed = self.system.rename(&directory, backup_name, name);
                current.settle(renamed.is_ok());
                renamed.map_err(|error| self.failed(FileAction::Replacing, file, error))?;
            }
            exchanged => {
                exchanged.map_err(|error| self.failed(FileAction::Replacing, file, error))?
            }
        }
        (self.system.sync_dir(&directory))
            .map_err(|error| self.failed(FileAction::Syncing, file, error))
    }

    /// Gives a file a second name, so that it stays when another file takes its first name. If the file system allows
    /// only one name, a copy of the file gets the second name.
    fn previous(&self, file: &Path, backup: &Path) -> Result<Previous<'_>, CommitError> {
        let mut second = Draft::new(self, backup, Over::Old)?;
        let (_, first) = split(file)?;
        let status = self.system.status(&second.parent, first);
        let status = status.map_err(|error| self.failed(FileAction::Looking, file, error))?;
        let linked =
            second.find_hidden_name(|name| match self.system.link(&second.parent, first, name) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    second.has_name(status.id, name, error)
                }
                linked => linked,
            });
        match linked {
            Ok(name) => second.hidden = Some(name),
            Err(error) if platform::unsupported(&error) => {
                let source = self.system.open_source(&self.full(file));
                let source =
                    source.map_err(|error| self.failed(FileAction::Looking, file, error))?;
                second.hide_copy(&source)?;
            }
            Err(error) => return Err(self.failed(FileAction::Placing, file, error)),
        }
        Ok(Previous {
            second,
            first: first.to_owned(),
            id: status.id,
        })
    }

    fn failed(&self, step: FileAction, path: &Path, cause: io::Error) -> CommitError {
        CommitError::new(step, self.full(path), cause)
    }
}

impl Previous<'_> {
    /// Renames the second name to the backup's if another file has the first name now. Otherwise removes it.
    ///
    /// `is_replaced` says that another file is known to have the first name. If it is false, this looks at the file,
    /// because a rename may have been made in spite of an error. If the second name may be the only one that the file
    /// has, it stays.
    fn settle(mut self, mut is_replaced: bool) {
        let (root, parent) = (self.second.root, Arc::clone(&self.second.parent));
        let Some(hidden) = self.second.hidden.take() else {
            return;
        };
        let path = self.second.path.with_file_name(&hidden);
        if !is_replaced {
            match root.system.status(&parent, &self.first) {
                Ok(found) => is_replaced = found.id.is_some() && found.id != self.id,
                Err(error) => {
                    return root.add_leftover(CommitError::new(FileAction::Looking, path, error));
                }
            }
        }
        if is_replaced && let Err(error) = root.system.rename(&parent, &hidden, &self.second.target)
        {
            return root.add_leftover(CommitError::new(FileAction::Placing, path, error));
        }
        // The rename does nothing if both are already names of one file.
        root.remove_temporary(&parent, &hidden, &path);
    }
}
