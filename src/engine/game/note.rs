//! What there is to know of a game besides which archives load.

use std::path::PathBuf;
use std::sync::Arc;

use crate::archive::error::Error;

/// A remark about a game: what its engine does, or what daisho does not look at.
#[derive(Debug)]
pub struct GameNote {
    /// The file or directory that it is about.
    pub path: PathBuf,
    /// What it is.
    pub kind: GameNoteKind,
}

/// What there is to know about a file or directory of a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum GameNoteKind {
    /// The engine does not start, because the base directory has no `pak0.pak`.
    NeedsFirst,
    /// The engine loads archives of this directory in the order in which the file system lists them.
    Unsorted {
        /// The archives.
        archives: Arc<[PathBuf]>,
        /// How many names are in more than one of them.
        names: usize,
    },
    /// The engine also loads or obeys this file, which is not taken into account.
    Unseen,
    /// A link to a folder is not followed, so files behind it are not listed.
    Unfollowed,
    /// The folder cannot be listed.
    Unreadable(Error),
}
