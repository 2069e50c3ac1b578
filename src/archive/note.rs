//! Unusual properties of an archive that can still be read: notes for people, and quirks for engines.

use super::format::{Bytes, Format};

/// An unusual property of an archive that can still be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// The directory has no entry.
    #[error("the archive has no entries")]
    Empty,
    /// The file ends before the directory does.
    #[error(
        "the directory should have {}, but the file holds only {held} of them: entries are missing",
        Bytes(*claimed)
    )]
    DirectoryCut {
        /// Its claimed length.
        claimed: u64,
        /// How many bytes of it are in the file.
        held: u64,
    },
    /// The directory is missing or cut, and the entries were found by the headers before their payloads.
    #[error(
        "the ZIP's directory is missing or cut, and {found} {} by the headers before their payloads: others may be lost",
        if *found == 1 { "file was found" } else { "files were found" }
    )]
    Salvaged {
        /// How many entries.
        found: usize,
    },
    /// Bytes at the directory's end are not enough for another record.
    #[error("the directory ends in {}, which {} not a whole record", Bytes(*bytes), if *bytes == 1 { "is" } else { "are" })]
    PartialRecord {
        /// How many bytes.
        bytes: u64,
    },
    /// The records contradict the directory's length.
    #[error("the directory's length does not fit its records, which are {format}'s")]
    LengthContradicted {
        /// The format of the records.
        format: Format,
    },
    /// The directory's length fits no format.
    #[error("the directory's length fits no layout, but its records look like {format}'s")]
    LengthOfNone {
        /// The format of the records.
        format: Format,
    },
    /// Hardly anything in the directory looks like a record.
    #[error(
        "the directory looks like noise: it is read as {} directory, but hardly anything in it can be a record",
        format.with_article()
    )]
    Noise {
        /// The assumed format.
        format: Format,
    },
    /// The number of entries differs from the claimed one.
    #[error("the end record says {claimed} {}, but the directory has {found}", if *claimed == 1 { "entry" } else { "entries" })]
    EntryCount {
        /// The claimed number.
        claimed: u64,
        /// The actual number.
        found: u64,
    },
    /// The archive begins after other bytes, as in a self-extractor.
    #[error("there {} {} before the archive, so some engines refuse it", if *bytes == 1 { "is" } else { "are" }, Bytes(*bytes))]
    Before {
        /// How many.
        bytes: u64,
    },
    /// Lumps of a WAD state two sizes, and are not compressed.
    #[error("{count} {} one size on disk and another decompressed; the size on disk counts; the first is entry {first}", if *count == 1 { "lump has" } else { "lumps have" })]
    LumpSizes {
        /// How many lumps.
        count: usize,
        /// The number of the first one.
        first: usize,
    },
    /// Local headers disagree with the directory.
    #[error("{count} local {} a name, flags, sizes or a CRC-32 that differ from the directory; the directory counts; the first is that of entry {first}", if *count == 1 { "header gives" } else { "headers give" })]
    LocalHeaders {
        /// How many entries.
        count: usize,
        /// The number of the first one.
        first: usize,
    },
    /// Textures of a map are not in it.
    #[error("{}", not_in_map(*outside, names, *empty))]
    NotInMap {
        /// How many are in WADs.
        outside: usize,
        /// The first of their names.
        names: String,
        /// How many slots are empty.
        empty: usize,
    },
}

/// What a map lacks.
fn not_in_map(outside: usize, names: &str, empty: usize) -> String {
    let mut words = Vec::new();
    match outside {
        0 => {}
        1 => words.push(format!("1 texture is not in the map, but in a WAD: {names}")),
        _ => words.push(format!("{outside} textures are not in the map, but in WADs: {names}")),
    }
    match empty {
        0 => {}
        1 => words.push("1 slot has no texture".to_owned()),
        _ => words.push(format!("{empty} slots have no texture")),
    }
    words.join("; ")
}

/// Properties of a ZIP that some engines do not support. Lists contain the numbers of entries, sorted.
/// Empty for all other archives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Quirks {
    /// Whether there is a ZIP64 end record.
    pub(crate) larger_end: bool,
    /// Whether the normal end record refers to it.
    pub(crate) larger_end_needed: bool,
    /// Whether the file does not begin with an entry.
    pub(crate) begins_otherwise: bool,
    /// Entries with ZIP64 numbers.
    pub(crate) larger: Vec<u32>,
    /// Entries whose names are marked as UTF-8.
    pub(crate) utf8: Vec<u32>,
    /// Symbolic links, which are read as their targets.
    pub(crate) links: Vec<u32>,
}

impl Quirks {
    /// Whether an entry is a symbolic link.
    pub(crate) fn is_link(&self, index: usize) -> bool {
        u32::try_from(index).is_ok_and(|index| self.links.binary_search(&index).is_ok())
    }

    /// Adds the number of an entry.
    pub(crate) fn mark(marked: &mut Vec<u32>, index: usize) {
        marked.extend(u32::try_from(index));
    }
}
