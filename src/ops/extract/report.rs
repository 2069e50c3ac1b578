//! What is to be extracted, and what became of it, as plain data.

use std::path::PathBuf;

use super::names::{Aside, Rules};
use crate::ops::context::{Existing, Problem};
use crate::ops::select::Selection;
use crate::ops::write::Outcome;

/// What is to be extracted, and how.
#[derive(Debug)]
pub struct ExtractOptions {
    /// Whether directories are searched for archives.
    pub recursive: bool,
    /// Where everything goes.
    pub directory: Option<PathBuf>,
    /// Which entries are meant.
    pub selection: Selection,
    /// What is done about files that exist.
    pub existing: Existing,
    /// Nothing is written, and the report says what would be.
    pub dry_run: bool,
    /// ASCII letters of the files' paths become lower case.
    pub lowercase: bool,
    /// Entries whose names no file may have go into `_rescued/`, under other names.
    pub rescue: bool,
    /// How many times an archive's length its files may take. Only payloads that lie over each other
    /// can take more than that many times. Such an archive is not extracted.
    pub max_expansion: Option<u64>,
    /// Whether all files are brought to the disk at the end, before this returns. Those that
    /// replace others always are, each by itself.
    pub sync: bool,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self {
            recursive: false,
            directory: None,
            selection: Selection::all(),
            existing: Existing::default(),
            dry_run: false,
            lowercase: false,
            rescue: false,
            max_expansion: None,
            sync: false,
        }
    }
}

/// What was done, or in a dry run: what would be.
#[derive(Debug, Default)]
pub struct Extracted {
    /// Every archive that could be opened, in the order of the inputs; where loose files are extracted,
    /// too, each directory that has some, in the order in which they load.
    pub paks: Vec<ExtractedPak>,
    /// What is not about one of these.
    pub problems: Vec<Problem>,
}

/// What became of one archive.
#[derive(Debug)]
pub struct ExtractedPak {
    /// The archive, or the directory.
    pub path: PathBuf,
    /// Whether it is a directory, and its files are loose ones.
    pub is_loose: bool,
    /// Where its files go.
    pub destination: PathBuf,
    /// The entries that are meant, in the directory's order.
    pub files: Vec<ExtractedFile>,
    /// What went wrong, or was odd: of the archive as a whole, then by entry.
    pub problems: Vec<Problem>,
}

/// What became of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedFile {
    /// Its number, counted from 0; none for a loose file.
    pub index: Option<usize>,
    /// Its name.
    pub name: Vec<u8>,
    /// Its file, from the archive's destination; none where no file may have the name.
    pub path: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    pub aside: Option<Aside>,
    /// Its size, decompressed.
    pub size: u64,
    /// What became of it.
    pub outcome: Outcome,
}

impl ExtractedPak {
    /// How many files came to this end, and how many bytes these have.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> (usize, u64) {
        let files = self.files.iter().filter(|file| file.outcome == outcome);
        files.fold((0, 0), |(n, bytes), file| (n + 1, bytes + file.size))
    }
}

impl ExtractOptions {
    /// What becomes of names.
    pub(super) const fn name_rules(&self) -> Rules {
        Rules {
            lowercase: self.lowercase,
            rescue: self.rescue,
        }
    }
}
