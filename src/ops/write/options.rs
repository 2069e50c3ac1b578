//! What a user says about the output of a verb that writes archives: one struct for all of them.

use std::path::{Path, PathBuf};

use super::spool::Spool;
use crate::archive::Format;
use crate::ops::context::Existing;
use crate::ops::plan::rules::Rules;
use crate::ops::source::Search;
use crate::ops::source::Selection;

/// What [`convert`](crate::ops::convert::convert), [`merge`](crate::ops::merge::merge) and
/// [`create`](crate::ops::create::create) are to do.
#[derive(Debug)]
pub struct WriteOptions {
    /// Where the output goes.
    pub destination: Destination,
    /// The format to write.
    pub to: Format,
    /// Which entries, or files, are written.
    pub selection: Selection,
    /// What outputs have to keep to. One that would not is split.
    pub rules: Rules,
    /// How hard deflate tries, 0 (not at all) to 9. With a level every payload is deflated anew; without
    /// one those pass on as they are that were sound.
    pub level: Option<u8>,
    /// Whether names become what every engine finds: ASCII letters in lower case, `/` for `\\`.
    pub lowercase: bool,
    /// Where archives are looked for besides those that are named.
    pub search: Search,
    /// Whether entries that cannot be read are left out. Without it, an archive that has one is
    /// not written.
    pub keep_going: bool,
    /// What is done about outputs that exist.
    pub existing: Existing,
    /// Whether only to find out what would be done.
    pub dry_run: bool,
    /// How many times a source's length may be written for it, decompressed, each payload once. Only
    /// payloads that lie over each other can take more than that many times. Such an archive is
    /// not written.
    pub max_expansion: Option<u64>,
}

/// Where the output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Into this file, which takes exactly one input.
    File(PathBuf),
    /// Below this directory, which is made when it is missing: what was named as a file under its
    /// own name, what was found in a directory under its path from there.
    Directory(PathBuf),
    /// Nowhere, until it is copied. It takes exactly one input.
    Spool(Spool),
}

impl Destination {
    /// The one output, as the user would write it.
    pub(in crate::ops) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Spool(_) => Some(Path::new("-")),
            Self::Directory(_) => None,
        }
    }

    /// Whether the output has no name.
    pub(in crate::ops) const fn is_spool(&self) -> bool {
        matches!(self, Self::Spool(_))
    }
}

impl WriteOptions {
    /// What is written unless more is said: no limits but the format's, names as they are,
    /// no search, no archive that lacks an entry, nothing replaced.
    ///
    /// Name the rest with `..`, so that an option that is added later does not matter:
    ///
    /// ```
    /// use daisho::Format;
    /// use daisho::ops::source::Search;
    /// use daisho::ops::write::{Destination, WriteOptions};
    ///
    /// let options = WriteOptions {
    ///     search: Search::RECURSIVE,
    ///     ..WriteOptions::new(Destination::Directory("quake".into()), Format::Quake)
    /// };
    /// # assert!(options.search.directories && !options.keep_going && !options.dry_run);
    /// ```
    #[must_use]
    pub fn new(destination: Destination, to: Format) -> Self {
        Self {
            destination,
            to,
            selection: Selection::all(),
            rules: Rules::default(),
            level: None,
            lowercase: false,
            search: Search::default(),
            keep_going: false,
            existing: Existing::default(),
            dry_run: false,
            max_expansion: None,
        }
    }
}
