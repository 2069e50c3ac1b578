//! The error of writing a file: which step failed, for which file, and what the system said.

use core::fmt;
use std::io;
use std::path::PathBuf;

use crate::archive::escape_path;

/// A step of writing a file: what failed, in words. The path is shown next to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileAction(&'static str);

impl FileAction {
    /// Checking whether a path stays below its root.
    pub(crate) const NAMING: Self = Self("cannot use this name");
    /// Opening a directory.
    pub(crate) const OPENING: Self = Self("cannot open this directory");
    /// Making a directory.
    pub(crate) const MAKING: Self = Self("cannot make this directory");
    /// Looking up a name, or listing a directory.
    pub(crate) const LOOKING: Self = Self("cannot read this");
    /// Creating the temporary file.
    pub(crate) const CREATING: Self = Self("cannot create a temporary file for this");
    /// Reserving space on the disk.
    pub(crate) const RESERVING: Self = Self("cannot reserve room for this");
    /// Writing.
    pub(crate) const WRITING: Self = Self("cannot write this");
    /// Setting the length.
    pub(crate) const SIZING: Self = Self("cannot set the length of this");
    /// Giving the new file the permissions of an old one.
    pub(crate) const KEEPING: Self = Self("cannot keep the rights of this");
    /// Giving a complete file a new name.
    pub(crate) const PLACING: Self = Self("cannot give this its name");
    /// Giving a complete file the name of an old one.
    pub(crate) const REPLACING: Self = Self("cannot replace this");
    /// Removing a temporary file.
    pub(crate) const REMOVING: Self = Self("cannot remove this temporary file");
    /// Removing a directory that was made and has no file.
    pub(crate) const CLEARING: Self = Self("cannot remove this empty directory");
    /// Syncing a file or a directory.
    pub(crate) const SYNCING: Self = Self("cannot bring this to disk");
}

/// A step of writing a file that failed.
#[derive(Debug)]
pub(crate) struct CommitError {
    step: FileAction,
    path: PathBuf,
    cause: io::Error,
}

impl CommitError {
    pub(super) fn new(step: FileAction, path: impl Into<PathBuf>, cause: io::Error) -> Self {
        Self { step, path: path.into(), cause }
    }

    /// Which step failed.
    #[cfg(test)]
    pub(crate) const fn step(&self) -> FileAction {
        self.step
    }

    /// The file or directory: its final path, unless the error is about the temporary file itself.
    pub(crate) fn path(&self) -> &std::path::Path {
        &self.path
    }

    /// What failed and what the system said, without the path.
    pub(crate) fn words(&self) -> String {
        let cause = crate::archive::error::lower_first(&self.cause);
        format!("{}: {cause}", self.step.0)
    }

    /// What the system said.
    pub(crate) const fn cause(&self) -> &io::Error {
        &self.cause
    }

    /// Takes the error of a draft out of an [`io::Error`]. Another error, such as the source's, is returned
    /// unchanged.
    pub(crate) fn from_io(error: io::Error) -> Result<Self, io::Error> {
        error.downcast::<Self>()
    }
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", escape_path(&self.path), self.words())
    }
}

impl core::error::Error for CommitError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // Our words already contain the words of the cause.
        self.cause.source()
    }
}

impl From<CommitError> for io::Error {
    fn from(error: CommitError) -> Self {
        Self::new(error.cause.kind(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_action_file_and_reason() {
        let cause = io::Error::from(io::ErrorKind::StorageFull);
        let error = CommitError::new(FileAction::WRITING, "out/a\u{1b}[2J.wav", cause);
        let folder = ["out", std::path::MAIN_SEPARATOR_STR].concat();
        assert_eq!(
            error.to_string(),
            folder + "a\\x1b[2J.wav: cannot write this: no storage space"
        );
    }

    #[test]
    fn an_error_survives_its_way_through_io() {
        let cause = io::Error::from(io::ErrorKind::StorageFull);
        let error = io::Error::from(CommitError::new(FileAction::SYNCING, "a", cause));
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(CommitError::from_io(error).unwrap().step(), FileAction::SYNCING);
        // Another error comes back unchanged.
        let error = CommitError::from_io(io::ErrorKind::NotFound.into()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
