//! How archives are extracted.

use std::path::PathBuf;

use crate::ops::context::Existing;
use crate::ops::pictures::PictureOptions;
use crate::ops::plan::paths::{AsPictures, PathRules};
use crate::ops::source::Selection;

/// What to extract, and how.
#[derive(Debug, Default)]
pub struct ExtractOptions {
    /// Whether the paths come from a list. Then an archive goes below its own path, even if it is the only one.
    pub listed: bool,
    /// Where everything goes.
    pub directory: Option<PathBuf>,
    /// Which entries to extract.
    pub selection: Selection,
    /// What is done about files that exist.
    pub existing: Existing,
    /// Whether to write nothing, and only report what would be written.
    pub dry_run: bool,
    /// ASCII letters of the files' paths become lower case.
    pub lowercase: bool,
    /// Entries with names that are not allowed for files go into `_rescued/`, under other names.
    pub rescue: bool,
    /// All files go into one directory, without the directories in their names.
    pub flat: bool,
    /// Pictures become PNG files, with `.png` added to their names.
    pub pictures: Option<PictureOptions>,
    /// An archive is not extracted if its files would take more than this many times its length. By default, only
    /// an archive with overlapping payloads exceeds the limit.
    pub max_expansion: Option<u64>,
}

impl ExtractOptions {
    /// How names become paths.
    pub(super) const fn path_rules(&self, served: bool) -> PathRules {
        PathRules {
            lowercase: self.lowercase,
            rescue: self.rescue,
            flat: self.flat,
            served,
            pictures: match &self.pictures {
                None => AsPictures::None,
                Some(options) if options.decode.all_frames => AsPictures::WithMaps,
                Some(_) => AsPictures::NoMaps,
            },
        }
    }
}
