//! How an archive is to be changed.

use crate::ops::write::WriteOptions;

/// How an archive is to be changed.
#[derive(Debug)]
pub struct EditOptions {
    /// How it is written; destination, format and what is done about existing files are the archive's. It
    /// is never split: what the engines' limits forbid is refused.
    pub write: WriteOptions,
    /// Whether the previous archive is kept as `NAME~`.
    pub backup: bool,
}
