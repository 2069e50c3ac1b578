//! The rows of comparisons: differences, copies, and missing files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::json::{self, escaped, hex, text_entry};
use crate::archive::path_bytes;
use crate::media::FileType;
use crate::media::asked::{Asker, shown_class};
use crate::ops::catalogue::{Change, ChangeCounts, SnapshotDifference};

/// A difference between two archives, or between an archive and its new version.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ChangeRow {
    /// The path of the archive in A, if A is a directory of archives.
    #[serde(flatten, serialize_with = "json::archive")]
    pub archive: Option<PathBuf>,
    /// The entry's name in A, or the name that only B has.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Vec<u8>,
    /// What became of it.
    pub change: Change,
    /// Its name in B, if it was renamed.
    #[serde(flatten, serialize_with = "json::new_name")]
    pub new_name: Option<Vec<u8>>,
    /// Its size in A.
    pub size_a: Option<u64>,
    /// Its size in B.
    pub size_b: Option<u64>,
    /// How many entries of A with this name become the one entry of B.
    #[serde(skip)]
    pub entries: usize,
}

impl ChangeRow {
    /// A change about which nothing else is known.
    pub(in crate::ops) const fn new(change: Change, name: Vec<u8>) -> Self {
        Self {
            archive: None,
            name,
            change,
            new_name: None,
            size_a: None,
            size_b: None,
            entries: 1,
        }
    }
}

/// The identity of what an archive holds, and the name that a table has for it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct IdentityRow {
    /// The archive, or a directory of loose files.
    #[serde(flatten, serialize_with = "json::archive")]
    pub archive: PathBuf,
    /// 64 hexadecimal digits.
    pub identity: String,
    /// The number of files that count.
    pub files: u64,
    /// The sum of their sizes.
    pub size: u64,
    /// Whether the identity was looked up in a table.
    #[serde(skip)]
    pub is_looked_up: bool,
    /// Its name in the table.
    pub known: Option<String>,
    /// The notes in the table.
    pub notes: Option<String>,
}

/// How two sides compare as a whole, after all differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ComparedRow {
    /// How many pairs of archives were compared, if both sides are directories of archives.
    pub pairs: usize,
    /// How many archives were taken together, if only one side is a directory of archives.
    pub together: usize,
    /// How many entries are the same, and in the same order.
    pub same: usize,
    /// How many differences there are.
    pub differences: ChangeCounts,
}

/// A difference from a snapshot.
#[derive(Debug)]
pub struct SnapshotRow {
    /// The snapshot.
    pub snapshot: Arc<Path>,
    /// What differs.
    pub difference: SnapshotDifference,
}

/// The result for a snapshot, reported after all differences from it.
#[derive(Debug)]
pub struct RecordedRow {
    /// The snapshot.
    pub snapshot: Arc<Path>,
    /// What became of it.
    pub outcome: Recorded,
    /// How many entries differ.
    pub differences: ChangeCounts,
}

/// What became of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It did not exist, so it was created with this many lines, and nothing was compared.
    Made(usize),
    /// It was compared.
    Compared,
    /// It was compared, and updated if anything differed.
    Renewed,
}

/// One of several copies of a content.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CopyRow {
    /// The content's SHA-256.
    #[serde(serialize_with = "hexadecimal")]
    pub sha256: [u8; 32],
    /// How long the content is.
    pub size: u64,
    /// How many copies there are.
    pub copies: usize,
    /// The archive.
    #[serde(flatten, serialize_with = "json::archive")]
    pub archive: Arc<Path>,
    /// The entry's number there. `None` if the whole archive is the copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The entry's name.
    #[serde(flatten, serialize_with = "json::name")]
    pub name: Option<Vec<u8>>,
    /// How many bytes the copy takes: 0 if it shares another entry's payload.
    pub packed_size: u64,
}

/// How much is stored more than once.
#[derive(Debug, Clone, Copy, Default)]
pub struct DuplicatesRow {
    /// Archives that are stored more than once, each group counted once.
    pub archives: usize,
    /// How many times these are stored.
    pub archive_copies: usize,
    /// Files that are stored more than once, each group counted once.
    pub files: usize,
    /// How many times these are stored.
    pub file_copies: usize,
    /// The bytes of all copies but the first of each group.
    pub wasted: u64,
}

/// A file that a map asks for but the game does not serve.
#[derive(Debug, serde::Serialize)]
pub struct MissingFile {
    /// The map's name.
    #[serde(flatten, serialize_with = "json::map")]
    pub map: Vec<u8>,
    /// Where the map is.
    #[serde(flatten, serialize_with = "json::path")]
    pub path: PathBuf,
    /// What kind of file it is.
    pub kind: &'static str,
    /// Its name.
    #[serde(flatten, serialize_with = "json::missing")]
    pub missing: Vec<u8>,
    /// Names of files that the engine would take instead.
    #[serde(serialize_with = "escaped_list")]
    pub instead: Vec<Vec<u8>>,
    /// What in the map asks for it.
    #[serde(flatten, serialize_with = "asker")]
    pub asker: Asker,
}

/// A file of a mod that no map needs.
#[derive(Debug, serde::Serialize)]
pub struct UnusedRow {
    /// Its name.
    #[serde(flatten, serialize_with = "json::unused")]
    pub unused: Vec<u8>,
    /// The archive, or the file.
    #[serde(flatten, serialize_with = "json::path")]
    pub path: PathBuf,
    /// What its extension stands for.
    pub kind: &'static str,
    /// Its size.
    pub size: u64,
}

/// A map, reported after all of its missing files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapRow {
    /// The archive, or the file.
    pub path: PathBuf,
    /// Its name.
    pub name: Vec<u8>,
    /// Its format.
    pub file_type: FileType,
    /// How many files it asks for.
    pub asked: usize,
    /// How many of them are not served.
    pub missing: usize,
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for SnapshotRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let difference = &self.difference;
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "snapshot", &path_bytes(&self.snapshot))?;
        text_entry(&mut map, "archive", &difference.archive)?;
        text_entry(&mut map, "name", difference.name())?;
        map.serialize_entry("change", difference.change.since_snapshot())?;
        if let Some(former) = difference.former_name() {
            text_entry(&mut map, "from", former)?;
        }
        map.end()
    }
}

fn asker<S: Serializer>(asker: &Asker, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    match asker {
        Asker::Texture { record } => map.serialize_entry("texture", record)?,
        Asker::Entity { number, class, key } => {
            map.serialize_entry("entity", number)?;
            text_entry(&mut map, "class", &shown_class(class))?;
            text_entry(&mut map, "key", key)?;
        }
    }
    map.end()
}

fn hexadecimal<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

fn escaped_list<S: Serializer>(texts: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    escaped(texts).serialize(serializer)
}
