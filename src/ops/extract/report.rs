//! What is to be extracted, and what became of it, as plain data.

use std::path::PathBuf;

use super::names::{AsPictures, Aside, Rules};
use crate::ops::context::{Existing, Problem};
use crate::ops::inputs::Search;
use crate::ops::pictures::PictureOptions;
use crate::ops::select::Selection;
use crate::ops::write::Outcome;

/// What is to be extracted, and how.
#[derive(Debug)]
pub struct ExtractOptions {
    /// Where archives are looked for besides those that are named.
    pub search: Search,
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
    /// All files go into one directory, without the directories in their names.
    pub flat: bool,
    /// Pictures become PNG files, named as they are with `.png` behind that.
    pub pictures: Option<PictureOptions>,
    /// How many times an archive's length its files may take. Only payloads that lie over each other
    /// can take more than that many times. Such an archive is not extracted.
    pub max_expansion: Option<u64>,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self {
            search: Search::default(),
            directory: None,
            selection: Selection::all(),
            existing: Existing::default(),
            dry_run: false,
            lowercase: false,
            rescue: false,
            flat: false,
            pictures: None,
            max_expansion: None,
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
    /// The entries that were selected, in the directory's order.
    pub files: Vec<ExtractedFile>,
    /// What went wrong, or was odd: of the archive as a whole, then by entry.
    pub problems: Vec<Problem>,
}

/// What became of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractedFile {
    /// The entry's index, counted from 0; none for a loose file.
    pub index: Option<usize>,
    /// The entry's name.
    pub name: Vec<u8>,
    /// Its file, from the archive's destination; none if its name cannot be a path.
    pub path: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    pub aside: Option<Aside>,
    /// The size of the file that was written; otherwise that of the entry, decompressed.
    pub size: u64,
    /// What became of it.
    pub outcome: Outcome,
}

impl ExtractedFile {
    /// Whether a file is to be written, or was.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        matches!(self.outcome, Outcome::Written | Outcome::Replaced)
    }
}

impl ExtractedPak {
    /// How many files came to this end, and how many bytes these have.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> (usize, u64) {
        let (mut count, mut bytes) = (0, 0_u64);
        for file in self.files.iter().filter(|file| file.outcome == outcome) {
            count += 1;
            bytes = bytes.saturating_add(file.size);
        }
        (count, bytes)
    }

    /// How many files are written, or would be, and do not have the path that their names say.
    #[must_use]
    pub fn count_aside(&self) -> usize {
        let aside = |file: &&ExtractedFile| file.is_written() && file.aside.is_some();
        self.files.iter().filter(aside).count()
    }
}

impl ExtractOptions {
    /// How names become paths.
    pub(super) const fn name_rules(&self, spelled_first: bool) -> Rules {
        Rules {
            lowercase: self.lowercase,
            rescue: self.rescue,
            flat: self.flat,
            spelled_first,
            pictures: match &self.pictures {
                None => AsPictures::None,
                Some(options) if options.all_frames => AsPictures::WithMaps,
                Some(_) => AsPictures::NoMaps,
            },
        }
    }
}
