//! What is unusual in an archive that can be read all the same.

use super::format::{Bytes, Format};

/// Something unusual in an archive that can be read all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// The directory has no entry.
    #[error("the pak has no entries")]
    Empty,
    /// The file ends before the directory does.
    #[error(
        "the directory should have {}, and the file holds {held} of them: entries are missing",
        Bytes(*claimed)
    )]
    DirectoryCut {
        /// How long it should be.
        claimed: u64,
        /// How much of it there is.
        held: u64,
    },
    /// Bytes at the directory's end are not enough for another record.
    #[error("the directory ends in {} that {} no whole record", Bytes(*bytes), if *bytes == 1 { "is" } else { "are" })]
    PartialRecord {
        /// How many there are.
        bytes: u64,
    },
    /// The records say another format than the directory's length does.
    #[error("the directory's length does not fit its records, which are {format}'s")]
    LengthContradicted {
        /// What the records say.
        format: Format,
    },
    /// The directory's length fits no format.
    #[error("the directory's length fits no layout, and its records look like {format}'s")]
    LengthOfNone {
        /// What the records say.
        format: Format,
    },
    /// Hardly anything in the directory looks like a record.
    #[error(
        "the directory looks like noise: it is taken for {format}'s, and hardly a record of it can be one"
    )]
    Noise {
        /// What it is taken for.
        format: Format,
    },
    /// Another number of entries is there than is claimed.
    #[error("the end record says {claimed} {}, and the directory has {found}", if *claimed == 1 { "entry" } else { "entries" })]
    EntryCount {
        /// How many there should be.
        claimed: u64,
        /// How many there are.
        found: u64,
    },
    /// Bytes stand before the archive, as in a program that unpacks itself.
    #[error("{} {} before the archive: some engines refuse it so", Bytes(*bytes), if *bytes == 1 { "stands" } else { "stand" })]
    Before {
        /// How many.
        bytes: u64,
    },
    /// Lumps of a WAD state two sizes, and are not compressed.
    #[error("{count} {} another size decompressed than on disk, which counts; the first is entry {first}", if *count == 1 { "lump states" } else { "lumps state" })]
    LumpSizes {
        /// How many do.
        count: usize,
        /// The first of these entries.
        first: usize,
    },
    /// Local headers say other things than the directory.
    #[error("{count} local {} another name, other flags or other sizes than the directory, which counts; the first is that of entry {first}", if *count == 1 { "header has" } else { "headers have" })]
    LocalHeaders {
        /// How many do.
        count: usize,
        /// The first of these entries.
        first: usize,
    },
    /// A ZIP that is something else, as programs, books and office files are.
    #[error("the names in this ZIP are those of {what}")]
    AnotherKind {
        /// What it is.
        what: &'static str,
    },
}
