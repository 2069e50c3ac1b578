//! The row of an edit.

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::archive::path_bytes;
use crate::ops::catalogue::{Change, ChangeRow};
use crate::ops::json::text_entry;
use crate::ops::row::OutputRow;

/// The changes that an edit made in an archive, or would make.
#[derive(Debug)]
pub struct EditRow {
    /// The new archive.
    pub output: OutputRow,
    /// The changes, in the order of the entries.
    pub changes: Vec<ChangeRow>,
}

impl EditRow {
    /// How many entries were added, replaced, removed and renamed, with the word for each.
    #[must_use]
    pub fn counts(&self) -> [(u64, &'static str); 4] {
        [
            (Change::Added, "added"),
            (Change::Changed, "replaced"),
            (Change::Removed, "removed"),
            (Change::Renamed, "renamed"),
        ]
        .map(|(change, word)| {
            let changes = self.changes.iter().filter(|it| it.change == change);
            (changes.count() as u64, word)
        })
    }
}

impl Serialize for EditRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let output = &self.output;
        let (mut entries, mut bytes) = (output.entries_out(), output.bytes_out);
        let status = if output.status.is_kept() {
            (entries, bytes) = (output.entries, Some(output.bytes_in));
            "unchanged"
        } else if output.status.is_planned() {
            "planned"
        } else {
            "done"
        };
        let mut map = serializer.serialize_map(None)?;
        text_entry(&mut map, "archive", &path_bytes(&output.target))?;
        map.serialize_entry("status", status)?;
        for (count, word) in self.counts() {
            map.serialize_entry(word, &count)?;
        }
        map.serialize_entry("failed", &output.skipped)?;
        map.serialize_entry("entries", &entries)?;
        map.serialize_entry("bytes", &bytes)?;
        map.end()
    }
}
