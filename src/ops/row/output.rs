//! What became of the archives and files that an operation writes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::json::{self, text_entry};
use crate::archive::{Format, path_bytes};
use crate::engine::Engines;
use crate::ops::finding::Finding;

/// What became of one input.
#[derive(Debug)]
pub struct OutputRow {
    /// The input.
    pub source: PathBuf,
    /// The output that it has, or would have had; where it is split, the first one.
    pub target: PathBuf,
    /// What became of it.
    pub outcome: Outcome,
    /// The format it has; none where it was not opened.
    pub from: Option<Format>,
    /// The format it was to get.
    pub to: Format,
    /// Entries of the input.
    pub entries: u64,
    /// Entries that were not converted, or would not be.
    pub skipped: u64,
    /// Entries that were odd in the input and are not in the output.
    pub mended: u64,
    /// The input's length in bytes.
    pub bytes_in: u64,
    /// The outputs that are written, or would be: one, or where it is split several, in their
    /// order.
    pub parts: Vec<OutputFile>,
    /// The output's length, or that of all outputs; none where it was not written, and is not known
    /// without writing.
    pub bytes_out: Option<u64>,
    /// The files that were to become entries, in their order, where it was created from files.
    pub files: Vec<Created>,
    /// Names that the engine which is to load it never finds, or only as they are spelled. Problems
    /// sum them up.
    pub hard_to_find: Vec<HardToFind>,
    /// Errors and warnings: each entry that was skipped or mended, in their order.
    pub findings: Vec<Finding>,
}

/// An archive that is written, or would be.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct OutputFile {
    /// Where.
    #[serde(flatten, serialize_with = "json::file")]
    pub target: PathBuf,
    /// Whether it takes the place of a file, or would.
    pub replaces: bool,
    /// How many entries it has, or would have.
    pub entries: u64,
    /// Its length; none where it was not written, and is not known without writing.
    pub bytes: Option<u64>,
}

/// A name that an engine never finds, or only as it is spelled.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HardToFind {
    /// The entry's number in its pak, or among the files, or in what a merge takes.
    pub index: usize,
    /// Its name.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Vec<u8>,
    /// Whether it is found at all.
    pub found: bool,
    /// The engines for which that is so.
    #[serde(serialize_with = "engine_names")]
    pub engines: Engines,
}

/// The entry that a file becomes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Created {
    /// The name in the archive.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Vec<u8>,
    /// How many bytes it has.
    pub size: u64,
}

/// What became of an archive or a file that was to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was written.
    Written,
    /// It was written over an existing file.
    #[serde(rename = "written")]
    Replaced,
    /// The existing file is kept.
    Kept,
    /// It would be written: this is a dry run.
    Planned,
    /// It was skipped: no file may have its name, or no entry is selected.
    Skipped,
    /// It was not written, or would not be; the findings say why.
    Failed,
    /// The user stopped the operation before it was written.
    Stopped,
}

impl OutputRow {
    /// Nothing has become of this input so far.
    pub(in crate::ops) const fn new(source: PathBuf, target: PathBuf, to: Format) -> Self {
        Self {
            source,
            target,
            outcome: Outcome::Failed,
            from: None,
            to,
            entries: 0,
            skipped: 0,
            mended: 0,
            bytes_in: 0,
            parts: Vec::new(),
            bytes_out: None,
            files: Vec::new(),
            hard_to_find: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Entries of the outputs that are written, or would be.
    #[must_use]
    pub fn entries_out(&self) -> u64 {
        self.parts.iter().map(|part| part.entries).sum()
    }

    /// Nothing is reported of an input whose outputs are kept.
    pub(in crate::ops) fn forget(&mut self) {
        self.hard_to_find.clear();
        self.findings.clear();
        self.mended = 0;
        self.skipped = 0;
    }
}

impl Serialize for OutputRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.files.is_empty() {
            text_entry(&mut map, "archive", &path_bytes(&self.source))?;
        }
        text_entry(&mut map, "output", &path_bytes(&self.target))?;
        map.serialize_entry("status", &self.outcome)?;
        map.serialize_entry("from", &self.from.map(Format::as_str))?;
        map.serialize_entry("to", self.to.as_str())?;
        map.serialize_entry("entries", &self.entries_out())?;
        map.serialize_entry("failed", &self.skipped)?;
        map.serialize_entry("mended", &self.mended)?;
        map.serialize_entry("bytes_in", &self.bytes_in)?;
        map.serialize_entry("bytes", &self.bytes_out)?;
        map.serialize_entry("outputs", &self.parts)?;
        if self.outcome == Outcome::Planned && !self.files.is_empty() {
            map.serialize_entry("files", &self.files)?;
        }
        map.serialize_entry("hard_to_find", &self.hard_to_find)?;
        json::sentences(&mut map, &self.findings)?;
        map.end()
    }
}

/// What was changed in an archive, or would be.
#[derive(Debug)]
pub struct EditRow {
    /// The archive as it is written.
    pub output: OutputRow,
    /// What was changed, in the order of the entries.
    pub changes: Vec<Edit>,
}

impl EditRow {
    /// How many entries were added, replaced, removed and renamed, each with the word for it.
    #[must_use]
    pub fn counts(&self) -> [(usize, &'static str); 4] {
        let count = |is: fn(&Edit) -> bool| self.changes.iter().filter(|it| is(it)).count();
        [
            (count(|it| matches!(it, Edit::Added { .. })), "added"),
            (count(|it| matches!(it, Edit::Replaced { .. })), "replaced"),
            (count(|it| matches!(it, Edit::Removed { .. })), "removed"),
            (count(|it| matches!(it, Edit::Renamed { .. })), "renamed"),
        ]
    }
}

impl Serialize for EditRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let output = &self.output;
        let (status, entries, bytes) = match output.outcome {
            Outcome::Planned => ("planned", output.entries_out(), output.bytes_out),
            Outcome::Kept => ("unchanged", output.entries, Some(output.bytes_in)),
            _ => ("done", output.entries_out(), output.bytes_out),
        };
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "archive", &path_bytes(&output.target))?;
        map.serialize_entry("status", status)?;
        for (count, word) in self.counts() {
            map.serialize_entry(word, &count)?;
        }
        map.serialize_entry("entries", &entries)?;
        map.serialize_entry("bytes", &bytes)?;
        map.end()
    }
}

/// What became of an entry or a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
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

/// A file that an entry becomes.
#[derive(Debug)]
pub struct FileRow {
    /// The archive; of a loose file its directory.
    pub archive: Arc<Path>,
    /// The entry's index, counted from 0; none for a loose file.
    pub index: Option<usize>,
    /// The entry's name.
    pub name: Vec<u8>,
    /// The file; none if the name cannot be a path.
    pub file: Option<PathBuf>,
    /// Why the file does not have the path that the name says.
    pub aside: Option<Aside>,
    /// The size of the file that was written, or else of the entry, decompressed.
    pub size: u64,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether nothing was written, and the outcome is what would be.
    pub is_planned: bool,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
}

impl FileRow {
    /// Whether a file is to be written, or was.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        matches!(self.outcome, Outcome::Written | Outcome::Replaced)
    }
}

impl Serialize for FileRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let status = match self.is_planned && self.is_written() {
            true => Outcome::Planned,
            false => self.outcome,
        };
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "archive", &path_bytes(&self.archive))?;
        if let Some(index) = self.index {
            map.serialize_entry("index", &index)?;
        }
        text_entry(&mut map, "name", &self.name)?;
        if let Some(file) = &self.file {
            text_entry(&mut map, "file", &path_bytes(file))?;
        }
        map.serialize_entry("size", &self.size)?;
        map.serialize_entry("status", &status)?;
        map.serialize_entry("replaces", &(self.outcome == Outcome::Replaced))?;
        let mut findings = self.findings.iter().rev();
        if let Some(finding) = findings.find(|finding| finding.is_error()) {
            map.serialize_entry("problem", &finding.detail)?;
        }
        map.end()
    }
}

/// Why an entry's file does not have the path that its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aside {
    /// An earlier entry has the same name.
    Duplicate,
    /// An earlier entry's name differs only in case.
    Case,
    /// Other entries need its name as a directory.
    Directory,
    /// Its name is too long with `.png` added.
    Long,
}

impl Aside {
    /// The reason, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Duplicate => "another entry already has this name",
            Self::Case => "another entry's name differs only in case",
            Self::Directory => "other entries need this name for a directory",
            Self::Long => "with .png its name would have more than 255 bytes",
        }
    }
}

/// A page on which people look at what archives hold.
#[derive(Debug, serde::Serialize)]
pub struct PageRow {
    /// The page.
    #[serde(flatten, serialize_with = "json::page")]
    pub page: PathBuf,
    /// What became of it. If it is not written, files that were made for it may be left.
    #[serde(rename = "status")]
    pub outcome: Outcome,
    /// How many entries it shows.
    pub entries: usize,
    /// How many of these are pictures that can be seen.
    pub pictures: usize,
    /// Archives, entries and pictures that cannot be shown, and warnings.
    #[serde(flatten, serialize_with = "json::errors_and_warnings")]
    pub findings: Vec<Finding>,
}

fn engine_names<S: Serializer>(engines: &Engines, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(engines)
}
