//! The rows of operations that write archives.

use std::path::PathBuf;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::archive::{Format, path_bytes};
use crate::engine::Engines;
use crate::media::FileType;
use crate::ops::finding::Finding;
use crate::ops::json::{self, text_entry};
use crate::ops::row::info::Unread;

/// What an output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenType {
    /// An archive of this format.
    Archive(Format),
    /// A loose picture of this type.
    Picture(FileType),
}

impl From<Format> for WrittenType {
    fn from(format: Format) -> Self {
        Self::Archive(format)
    }
}

/// The result for one input: the archive that it becomes, or the parts of it, or a loose picture.
#[derive(Debug)]
pub struct OutputRow {
    /// The input.
    pub source: PathBuf,
    /// The path of the output, or of the first output if the input is split. Also given if nothing was written.
    pub target: PathBuf,
    /// What became of it.
    pub status: OutputStatus,
    /// Whether it is one of more than 20 inputs.
    pub is_one_of_many: bool,
    /// The format of the input. `None` if the input was not opened.
    pub from: Option<&'static str>,
    /// The format of the output.
    pub to: WrittenType,
    /// The number of entries in the input.
    pub entries: u64,
    /// The number of entries that were not written, or would not be.
    pub skipped: u64,
    /// The number of entries that are unusual in the input and normal in the output.
    pub mended: u64,
    /// The input's length in bytes.
    pub bytes_in: u64,
    /// The outputs that were written, or would be: one, or several if the input is split.
    pub parts: Vec<OutputFile>,
    /// The length of all outputs together. `None` if nothing was written, unless it is known without writing.
    pub bytes_out: Option<u64>,
    /// The files that become entries, if the archive is created from files.
    pub files: Vec<Created>,
    /// Names that an engine never finds, or finds only in one spelling. A finding sums them up.
    pub hard_to_find: Vec<HardToFind>,
    /// What the engines for which it is written cannot read of its entries, although they load it.
    pub unread: Vec<Unread>,
    /// Errors and warnings, by the order of the entries that they are about.
    pub findings: Vec<Finding>,
}

/// An archive that was written, or would be.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct OutputFile {
    /// Its path.
    #[serde(flatten, serialize_with = "json::file")]
    pub target: PathBuf,
    /// Whether it replaces an existing file.
    pub replaces: bool,
    /// The number of its entries.
    pub entries: u64,
    /// Its length. `None` in a dry run if only encoding can tell.
    pub bytes: Option<u64>,
}

/// A name that an engine never finds, or finds only in one spelling.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HardToFind {
    /// The entry's number among all entries of the input.
    pub index: usize,
    /// Its name.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Vec<u8>,
    /// Whether the engines find it if a game asks for exactly this spelling.
    pub found: bool,
    /// The engines.
    #[serde(serialize_with = "engine_names")]
    pub engines: Engines,
}

/// The entry that a file becomes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Created {
    /// The name in the archive.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Vec<u8>,
    /// The size of the file.
    pub size: u64,
}

/// What happens at an output's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// The output is a new file.
    New,
    /// The output replaces a file.
    Replace,
    /// A file exists and is kept, and nothing is written.
    Keep,
}

/// What becomes of an output: an archive, a page, or the file of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutputStatus {
    /// This will happen at its path. A dry run ends with this, and so does a file that is kept.
    Planned(Fate),
    /// This has happened at its path.
    Done(Fate),
    /// It was skipped, because no file can have its name, or no entry is selected.
    Skipped,
    /// It was not written, or would not be. The findings say why.
    Failed,
    /// The user stopped the operation before it was written.
    Stopped,
}

impl Fate {
    /// Whether the output is written.
    #[must_use]
    pub const fn is_written(self) -> bool {
        matches!(self, Self::New | Self::Replace)
    }
}

impl OutputStatus {
    /// Whether it would be written. This is a dry run.
    #[must_use]
    pub const fn is_planned(self) -> bool {
        matches!(self, Self::Planned(fate) if fate.is_written())
    }

    /// Whether it was written.
    #[must_use]
    pub const fn is_written(self) -> bool {
        matches!(self, Self::Done(fate) if fate.is_written())
    }

    /// Whether the existing file is kept.
    #[must_use]
    pub const fn is_kept(self) -> bool {
        matches!(self, Self::Planned(Fate::Keep) | Self::Done(Fate::Keep))
    }

    /// Whether it replaced a file, or would.
    #[must_use]
    pub const fn replaces(self) -> bool {
        matches!(self, Self::Planned(Fate::Replace) | Self::Done(Fate::Replace))
    }
}

impl Serialize for OutputStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Planned(Fate::Keep) | Self::Done(Fate::Keep) => "kept",
            Self::Planned(_) => "planned",
            Self::Done(_) => "written",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        })
    }
}

impl OutputRow {
    /// The row of an input for which nothing has been done yet.
    pub(crate) fn new(source: PathBuf, target: PathBuf, to: impl Into<WrittenType>) -> Self {
        Self {
            source,
            target,
            status: OutputStatus::Failed,
            is_one_of_many: false,
            from: None,
            to: to.into(),
            entries: 0,
            skipped: 0,
            mended: 0,
            bytes_in: 0,
            parts: Vec::new(),
            bytes_out: None,
            files: Vec::new(),
            hard_to_find: Vec::new(),
            unread: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// The number of entries in all outputs that were written, or would be.
    #[must_use]
    pub fn entries_out(&self) -> u64 {
        self.parts.iter().map(|part| part.entries).sum()
    }

    /// Removes what was found out about an input, because its outputs are kept.
    pub(crate) fn forget(&mut self) {
        self.parts.clear();
        self.hard_to_find.clear();
        self.findings.clear();
        self.mended = 0;
        self.skipped = 0;
    }
}

impl Serialize for OutputRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let (source, target) = (path_bytes(&self.source), path_bytes(&self.target));
        let to = match self.to {
            WrittenType::Picture(to) => {
                text_entry(&mut map, "picture", &source)?;
                text_entry(&mut map, "output", &target)?;
                map.serialize_entry("status", &self.status)?;
                map.serialize_entry("to", to.as_str())?;
                map.serialize_entry("replaces", &self.status.replaces())?;
                map.serialize_entry("bytes_in", &self.bytes_in)?;
                map.serialize_entry("bytes", &self.bytes_out)?;
                json::sentences(&mut map, &self.findings)?;
                return map.end();
            }
            WrittenType::Archive(to) => to,
        };
        if self.files.is_empty() {
            text_entry(&mut map, "archive", &source)?;
        }
        text_entry(&mut map, "output", &target)?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("from", &self.from)?;
        map.serialize_entry("to", to.as_str())?;
        map.serialize_entry("entries", &self.entries_out())?;
        map.serialize_entry("left_out", &self.skipped)?;
        map.serialize_entry("corrected", &self.mended)?;
        map.serialize_entry("bytes_in", &self.bytes_in)?;
        map.serialize_entry("bytes", &self.bytes_out)?;
        map.serialize_entry("outputs", &self.parts)?;
        if self.status.is_planned() && !self.files.is_empty() {
            map.serialize_entry("files", &self.files)?;
        }
        map.serialize_entry("hard_to_find", &self.hard_to_find)?;
        json::sentences(&mut map, &self.findings)?;
        map.end()
    }
}

/// How much was written, in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WriteTotals {
    /// Archives, files, pictures or pages that were written, or would be.
    pub done: u64,
    /// Outputs that existed and were kept.
    pub kept: u64,
    /// Archives without a selected entry, and entries whose names are not allowed.
    pub skipped: u64,
    /// Outputs that could not be written.
    pub failed: u64,
    /// Entries in the outputs that were written.
    pub entries: u64,
    /// Bytes of the archives or files that were read.
    pub bytes_in: u64,
    /// Bytes that were written.
    pub bytes_out: u64,
}

impl WriteTotals {
    /// Counts an output, or each archive of a split output.
    pub(crate) fn count(&mut self, output: &OutputRow) {
        let written = Self {
            done: output.parts.len() as u64,
            entries: output.entries_out(),
            bytes_in: output.bytes_in,
            bytes_out: output.bytes_out.unwrap_or(0),
            ..Self::default()
        };
        self.add(output.status, &written);
    }

    /// Counts an output with this status. `written` are its totals if it was written, or would be.
    pub(crate) fn add(&mut self, status: OutputStatus, written: &Self) {
        match status {
            OutputStatus::Planned(Fate::Keep) | OutputStatus::Done(Fate::Keep) => self.kept += 1,
            OutputStatus::Planned(_) | OutputStatus::Done(_) => {
                self.done += written.done;
                self.entries += written.entries;
                self.bytes_in = self.bytes_in.saturating_add(written.bytes_in);
                self.bytes_out = self.bytes_out.saturating_add(written.bytes_out);
            }
            OutputStatus::Skipped => self.skipped += 1,
            OutputStatus::Failed | OutputStatus::Stopped => self.failed += 1,
        }
    }
}

fn engine_names<S: Serializer>(engines: &Engines, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(engines)
}
