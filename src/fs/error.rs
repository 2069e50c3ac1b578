//! What failed on the output side: what was being done, to which file, and what the system said.

use core::fmt;
use std::io;
#[cfg(test)]
use std::path::Path;
use std::path::PathBuf;

use crate::pak::escape;

/// What was being done when it failed. In an error's words it comes before the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Doing {
    /// Judging whether a path may be made below a root at all.
    Naming,
    /// Opening a directory.
    Opening,
    /// Making a directory.
    Making,
    /// Asking what stands under a name.
    Looking,
    /// Creating the temporary.
    Creating,
    /// Asking for room on the disk.
    Reserving,
    /// Writing.
    Writing,
    /// Cutting to length.
    Sizing,
    /// Finding out the rights of an old file, and giving them to the new one.
    Keeping,
    /// Giving a whole file its new name.
    Placing,
    /// Giving a whole file the name of an old one.
    Replacing,
    /// Removing a temporary.
    Removing,
    /// Removing a directory that was made for nothing.
    Clearing,
    /// Waiting until it is on the disk.
    Syncing,
}

impl Doing {
    const fn words(self) -> &'static str {
        match self {
            Self::Naming => "cannot write to",
            Self::Opening => "cannot open directory",
            Self::Making => "cannot make directory",
            Self::Looking => "cannot look at",
            Self::Creating => "cannot create a temporary file for",
            Self::Reserving => "cannot reserve room for",
            Self::Writing => "cannot write",
            Self::Sizing => "cannot set the length of",
            Self::Keeping => "cannot keep the rights of",
            Self::Placing => "cannot place",
            Self::Replacing => "cannot replace",
            Self::Removing => "cannot remove the temporary file",
            Self::Clearing => "cannot remove the empty directory",
            Self::Syncing => "cannot bring to disk",
        }
    }
}

impl Doing {
    /// The same where the path stands elsewhere.
    const fn words_alone(self) -> &'static str {
        match self {
            Self::Naming => "cannot write under this name",
            Self::Opening => "cannot open this directory",
            Self::Making => "cannot make this directory",
            Self::Looking => "cannot look at this",
            Self::Creating => "cannot create a temporary file for this",
            Self::Reserving => "cannot reserve room for this",
            Self::Writing => "cannot write this",
            Self::Sizing => "cannot set the length of this",
            Self::Keeping => "cannot keep the rights of this",
            Self::Placing => "cannot give this its name",
            Self::Replacing => "cannot replace this",
            Self::Removing => "cannot remove this temporary file",
            Self::Clearing => "cannot remove this empty directory",
            Self::Syncing => "cannot bring this to disk",
        }
    }
}

/// A step of writing a file that failed.
#[derive(Debug)]
pub(crate) struct CommitError {
    doing: Doing,
    path: PathBuf,
    cause: io::Error,
}

impl CommitError {
    pub(super) fn new(doing: Doing, path: impl Into<PathBuf>, cause: io::Error) -> Self {
        Self {
            doing,
            path: path.into(),
            cause,
        }
    }

    /// What was being done.
    #[cfg(test)]
    pub(crate) const fn doing(&self) -> Doing {
        self.doing
    }

    /// To which file or directory: by its final name, unless the temporary itself is the matter.
    #[cfg(test)]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the system said.
    #[cfg(test)]
    pub(crate) const fn cause(&self) -> &io::Error {
        &self.cause
    }

    /// The error that a draft, written to as a sink, has passed through [`io::Error`]; or what
    /// else that was: the error of whatever the bytes came from.
    pub(crate) fn from_io(error: io::Error) -> Result<Self, io::Error> {
        error.downcast::<Self>()
    }
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = escape(self.path.as_os_str().as_encoded_bytes());
        write!(f, "{} {path}: {}", self.doing.words(), self.cause)
    }
}

impl core::error::Error for CommitError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        // The cause's own words are in ours already.
        self.cause.source()
    }
}

impl From<CommitError> for crate::Error {
    /// The file becomes the place of the error, so the words must stand without it.
    fn from(error: CommitError) -> Self {
        let kind = crate::ErrorKind::Output {
            what: error.doing.words_alone(),
            cause: error.cause,
        };
        Self::new(kind).in_pak(error.path)
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
    fn an_error_says_what_was_done_to_which_file_and_why_it_failed() {
        let cause = io::Error::from(io::ErrorKind::StorageFull);
        let error = CommitError::new(Doing::Writing, "out/a\u{1b}[2J.wav", cause);
        assert_eq!(
            error.to_string(),
            "cannot write out/a\\x1b[2J.wav: no storage space"
        );
    }

    #[test]
    fn an_error_survives_its_way_through_io() {
        let cause = io::Error::from(io::ErrorKind::StorageFull);
        let error = io::Error::from(CommitError::new(Doing::Syncing, "a", cause));
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(CommitError::from_io(error).unwrap().doing(), Doing::Syncing);
        // Somebody else's error comes back as it was.
        let error = CommitError::from_io(io::ErrorKind::NotFound.into()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
