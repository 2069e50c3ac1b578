//! Why an engine does not load an archive, or does not serve some entries, as clauses of a sentence.

use super::facts::{Entries, FarEntry};
use super::names::LongName;
use super::profile::{CutPayload, Effect, OddEntry};
use crate::archive::Format;
use crate::codec::Bytes;

/// A remark about an archive, for one engine. `Display` writes a complete clause.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The engine reads another layout.
    #[error("it is a {found} archive, not a {wanted} archive")]
    Format {
        /// The layout of the archive.
        found: Format,
        /// The layout that the engine reads.
        wanted: Format,
    },
    /// There are more entries than the engine allows.
    #[error("{}, {}", count_words(*.read_as, *.entries, *.limit), over_words(*.over))]
    Entries {
        /// The layout as which the engine reads the pak, if that is not its own.
        read_as: Option<Format>,
        /// Their number as this engine counts them.
        entries: u64,
        /// The most that are allowed.
        limit: u32,
        /// The effect on the archive.
        over: Effect,
    },
    /// There are no entries.
    #[error("it has no entries, {}", empty_words(*.effect))]
    Empty {
        /// The effect on the archive.
        effect: Effect,
    },
    /// The length of the directory is not a multiple of the record's.
    #[error("its directory ends in {} that {} not a whole record, {}", Bytes(*bytes), if *bytes == 1 { "is" } else { "are" }, words(*.effect))]
    PartialRecord {
        /// The number of bytes after the last whole record.
        bytes: u64,
        /// The effect on the archive.
        effect: Effect,
    },
    /// The file ends before the end of its directory.
    #[error("the file holds only {held} of the directory's {}, {}", Bytes(*claimed), words(*.effect))]
    CutDirectory {
        /// The claimed length of the directory.
        claimed: u64,
        /// The length of the part in the file.
        held: u64,
        /// The effect on the archive.
        effect: Effect,
    },
    /// The directory begins beyond the engine's largest offset.
    #[error(
        "its directory begins at byte {at}, beyond byte {limit}, {}", words(*.effect)
    )]
    Directory {
        /// Its offset.
        at: u64,
        /// The largest offset.
        limit: u64,
        /// The effect on the archive.
        effect: Effect,
    },
    /// The file is longer than the engine can open.
    #[error("it is {len} bytes long, and files of more than {limit} bytes are not opened")]
    FileLen {
        /// Its length.
        len: u64,
        /// The greatest length.
        limit: u64,
    },
    /// An offset or a size of a payload is too large for the engine.
    #[error("{entry}, beyond the limit of {limit}")]
    Far {
        /// The entry and the number.
        entry: FarEntry,
        /// The largest number that the engine accepts.
        limit: u64,
    },
    /// Payloads that are cut off by the end of the file.
    #[error("{} that the file's end cuts off: {entries}", cut_words(*.then))]
    CutPayload {
        /// Their entries.
        entries: Entries,
        /// What happens if the game asks for one.
        then: CutPayload,
    },
    /// The engine loads no ZIPs with this extension.
    #[error("it loads only ZIPs whose names end in {loads}")]
    Extension {
        /// The extensions that it loads.
        loads: String,
    },
    /// A property of a ZIP, or of some of its entries, that the engine does not accept.
    #[error("{what}, {}{}", words(*.effect), list_words(.entries))]
    Zip {
        /// The property.
        what: &'static str,
        /// The effect on the archive.
        effect: Effect,
        /// The entries, if it is a property of entries.
        entries: Option<Entries>,
    },
    /// Entries that the engine does not read like others.
    #[error("{}: {entries}", odd_words(*.then, .what))]
    OddEntries {
        /// A description of the entries.
        what: &'static str,
        /// What happens if the game asks for one.
        then: OddEntry,
        /// The entries.
        entries: Entries,
    },
    /// Names that are too long.
    #[error("it takes names of at most {most} bytes, {}: {entries}", long_words(*.over, *.most))]
    LongNames {
        /// The most bytes that a name may have.
        most: usize,
        /// How longer names are treated.
        over: LongName,
        /// Their entries.
        entries: Entries,
    },
    /// Entries that the engine finds only under the exact spelling of their names.
    #[error("it finds names only as they are spelled: those of {0}")]
    FoundAsSpelled(Entries),
    /// Entries that the engine never finds.
    #[error("it never finds {0}")]
    NeverFound(Entries),
}

impl Reason {
    /// Whether the wrong content is served for some entries.
    #[must_use]
    pub const fn is_wrong_content(&self) -> bool {
        matches!(
            self,
            Self::OddEntries {
                then: OddEntry::Wrong,
                ..
            }
        )
    }
}

/// Why an engine never asks for an archive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unasked {
    /// It asks for the same name in lower case.
    #[error("it asks for {asks}, in lower case")]
    Case {
        /// The name it asks for.
        asks: String,
    },
    /// A number before it is missing.
    #[error("{missing} {}", gap_words(*.there))]
    Gap {
        /// The first missing archive.
        missing: String,
        /// Whether an archive of that number exists, but counts as missing.
        there: bool,
    },
    /// Its number is above the last one that the engine asks for.
    #[error("it asks for no number above {last}")]
    Number {
        /// The last number.
        last: u32,
    },
    /// It has no number, and the engine asks only for numbers.
    #[error("it asks for pak0.pak, pak1.pak and so on, and no others")]
    Unnumbered,
    /// An archive is loaded whose name differs only in case.
    #[error("{loaded}, whose name differs only in case, is loaded{}", order_words(*.listed))]
    Twice {
        /// The archive that is loaded.
        loaded: String,
        /// Whether the order in which the file system lists the two decides which is loaded.
        listed: bool,
    },
    /// The engine loads no archives with this extension.
    #[error("it loads only archives whose names end in {loads}")]
    Extension {
        /// The extensions that it loads.
        loads: String,
    },
}

const fn words(effect: Effect) -> &'static str {
    match effect {
        Effect::NoStart => "and such an archive keeps the game from starting",
        Effect::Refused => "and such an archive is refused",
        Effect::CountsAsMissing => "and such an archive counts as missing",
        Effect::Misread => "and garbage is loaded from such an archive",
        Effect::Loads => "which does no harm",
    }
}

fn list_words(entries: &Option<Entries>) -> String {
    match entries {
        Some(entries) => format!(": {entries}"),
        None => String::new(),
    }
}

fn count_words(read_as: Option<Format>, entries: u64, limit: u32) -> String {
    match read_as {
        None => format!("its {entries} entries are more than {limit}"),
        Some(layout) => {
            format!("read as a {layout} pak it has {entries} entries, more than {limit}")
        }
    }
}

const fn over_words(over: Effect) -> &'static str {
    match over {
        Effect::Loads => "which only causes a warning",
        other => words(other),
    }
}

const fn empty_words(effect: Effect) -> &'static str {
    match effect {
        Effect::CountsAsMissing => "and no archives after it are looked for",
        other => words(other),
    }
}

const fn cut_words(then: CutPayload) -> &'static str {
    match then {
        CutPayload::Served => "it serves the beginning of payloads",
        CutPayload::NotFound => "it does not find payloads",
        CutPayload::Stops => "it quits with an error when it is asked for payloads",
        CutPayload::NotKnown => "it is not known what it does about payloads",
    }
}

fn odd_words(then: OddEntry, what: &str) -> String {
    match then {
        OddEntry::Read => format!("it reads {what}"),
        OddEntry::NotFound => format!("it does not find {what}"),
        OddEntry::Wrong => format!("{what} come out wrong"),
        OddEntry::Stops => format!("it quits with an error when it is asked for {what}"),
    }
}

fn long_words(over: LongName, most: usize) -> String {
    match over {
        LongName::NotFound => "and never finds longer ones".to_owned(),
        LongName::Cut => format!("and finds a longer name only under its first {most} bytes"),
        LongName::Stops => "and quits with an error when it is asked for a longer one".to_owned(),
        LongName::Refused => "and refuses a ZIP with a longer one".to_owned(),
    }
}

const fn gap_words(there: bool) -> &'static str {
    match there {
        true => "has no entries, and the engine asks for no number after such a one",
        false => "is missing, and the engine asks for no number after a gap",
    }
}

const fn order_words(listed: bool) -> &'static str {
    match listed {
        true => "; the order in which the file system lists the two decides which",
        false => "",
    }
}
