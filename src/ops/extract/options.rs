//! How archives are extracted.

use std::path::PathBuf;

use crate::ops::context::Existing;
use crate::ops::pictures::PictureOptions;
use crate::ops::plan::paths::{AsPictures, PathRules};
use crate::ops::source::Selection;

/// What is to be extracted, and how.
#[derive(Debug, Default)]
pub struct ExtractOptions {
    /// Whether the paths come from a list: then each archive keeps its folders, even if it is alone.
    pub listed: bool,
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

impl ExtractOptions {
    /// How names become paths.
    pub(super) const fn name_rules(&self, spelled_first: bool) -> PathRules {
        PathRules {
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
