//! The row of a file that was extracted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::archive::path_bytes;
use crate::ops::finding::Finding;
use crate::ops::json::text_entry;
use crate::ops::plan::paths::Aside;
use crate::ops::row::OutputStatus;

/// The file that an entry was extracted to, or would be.
#[derive(Debug)]
pub struct FileRow {
    /// The archive, or the directory of a loose file.
    pub archive: Arc<Path>,
    /// The entry's index, counted from 0. `None` for a loose file.
    pub index: Option<usize>,
    /// The entry's name.
    pub name: Vec<u8>,
    /// The file. `None` if the name cannot be a path.
    pub file: Option<PathBuf>,
    /// Why the file does not have the path that the name asks for.
    pub aside: Option<Aside>,
    /// Whether the file is a PNG of a picture in another format.
    pub is_png: bool,
    /// The size of the file if it was written, or else of the decompressed entry.
    pub size: u64,
    /// What becomes of it.
    pub status: OutputStatus,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
}

impl Serialize for FileRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("replaces", &self.status.replaces())?;
        let mut findings = self.findings.iter().rev();
        if let Some(finding) = findings.find(|finding| finding.is_error()) {
            map.serialize_entry("problem", &finding.detail)?;
        }
        map.end()
    }
}
