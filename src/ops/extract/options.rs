//! How archives are extracted.

use std::path::PathBuf;

use crate::ops::context::Existing;
use crate::ops::pictures::PictureOptions;
use crate::ops::plan::paths::PathRules;
use crate::ops::source::Selection;

/// What to extract, and how.
#[derive(Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct ExtractOptions {
    /// Extract into DIR, which is created if necessary [default: ./STEM]
    #[cfg_attr(feature = "cli", arg(short = 'C', long, value_name = "DIR"))]
    #[cfg_attr(feature = "cli", arg(value_hint = clap::ValueHint::DirPath, help_heading = "Output"))]
    pub directory: Option<PathBuf>,
    /// Make all names lower case
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Output"))]
    pub lowercase: bool,
    /// Put all files into DIR itself, without folders
    ///
    /// If several files have the same name, the first one gets it; the others become NAME.dup-INDEX.
    #[cfg_attr(feature = "cli", arg(long, requires = "directory", help_heading = "Output"))]
    pub flat: bool,
    /// Also extract entries whose names are not allowed, into _rescued/
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Output"))]
    pub rescue: bool,
    /// Whether the paths come from a list. Then an archive goes below its own path, even if it is the only one.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub listed: bool,
    /// Which entries to extract.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub selection: Selection,
    /// What is done about files that exist.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub existing: Existing,
    /// Whether to write nothing, and only report what would be written.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub dry_run: bool,
    /// Pictures become PNG files, with `.png` added to their names.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub pictures: Option<PictureOptions>,
    /// An archive is not extracted if its files would take more than this many times its length. By default, only
    /// an archive with overlapping payloads exceeds the limit.
    #[cfg_attr(feature = "cli", arg(skip))]
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
            png: self.pictures.is_some(),
        }
    }
}
