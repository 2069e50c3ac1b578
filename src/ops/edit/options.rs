//! How an archive is to be changed, and what was changed, as plain data.

use crate::ops::write::{WriteOptions, Written};

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
    /// Whether the previous archive is kept as `NAME~`.
    pub backup: bool,
}

/// What was changed, in the order of the entries.
#[derive(Debug)]
pub struct Edited {
    /// The archive as it was written.
    pub written: Written,
    /// What was changed, or would be.
    pub changes: Vec<Change>,
}
