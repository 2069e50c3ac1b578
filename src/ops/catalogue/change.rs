//! What can become of an entry or an archive.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::ser::{Serialize, Serializer};

use crate::ops::json;

/// What became of an entry or an archive, between an archive and another one, or since a snapshot. In the order in which
/// changes are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It did not exist before.
    Added,
    /// It does not exist any more.
    Removed,
    /// It is recorded in the snapshot, and does not exist any more.
    Missing,
    /// The content differs.
    Changed,
    /// The content is the same, but the name differs.
    Renamed,
    /// The content is the same, but its place in the order differs. A snapshot records no order.
    Moved,
    /// It is not recorded in the snapshot.
    New,
    /// The archive cannot be read any more, at least not completely. Only snapshots record this.
    Unreadable,
    /// The archive can be read again. Only snapshots record this.
    Readable,
}

impl Change {
    /// The changes between two archives, in the order in which they are counted.
    pub const OF_ARCHIVES: [Self; 5] =
        [Self::Added, Self::Removed, Self::Changed, Self::Renamed, Self::Moved];

    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
            Self::New => "new",
            Self::Unreadable => "unreadable",
            Self::Readable => "readable",
        }
    }
}

/// How many changes there are of each kind.
pub type ChangeCounts = BTreeMap<Change, usize>;

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
    /// Why the content in A, or else that in B, cannot be read, so that it is not known whether they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Box<str>>,
    /// Whether only the smaller sizes of a texture differ.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub same_picture: bool,
    /// How many entries of A with this name become the one entry of B.
    #[serde(skip)]
    pub entries: usize,
}

impl ChangeRow {
    /// A change about which nothing else is known.
    pub(crate) const fn new(change: Change, name: Vec<u8>) -> Self {
        Self {
            archive: None,
            name,
            change,
            new_name: None,
            size_a: None,
            size_b: None,
            problem: None,
            same_picture: false,
            entries: 1,
        }
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
