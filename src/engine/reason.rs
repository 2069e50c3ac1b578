//! What there is to say of a pak for an engine, and why it never asks for one, as clauses.

use super::facts::{Entries, FarEntry};
use super::names::LongName;
use super::profile::{CutPayload, Effect, OddEntry};
use crate::archive::Format;
use crate::codec::Bytes;

/// Something to be said of a pak. It shows itself as a clause that can stand for itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The engine reads another layout.
    #[error("it is a {found} archive, not a {wanted} archive")]
    Format {
        /// The pak's.
        found: Format,
        /// The engine's.
        wanted: Format,
    },
    /// There are more entries than the engine allows.
    #[error("{}, {}", count_words(*.read_as, *.entries, *.limit), over_words(*.over))]
    Entries {
        /// The layout that the engine takes the pak for, if that is not the pak's own.
        read_as: Option<Format>,
        /// How many there are, as this engine counts them.
        entries: u64,
        /// How many are allowed.
        limit: u32,
        /// What the engine makes of it.
        over: Effect,
    },
    /// There is no entry.
    #[error("it has no entries, {}", empty_words(*.effect))]
    Empty {
        /// What the engine makes of it.
        effect: Effect,
    },
    /// The directory's length is no multiple of a record's.
    #[error("its directory ends in {} that {} not a whole record, {}", Bytes(*bytes), if *bytes == 1 { "is" } else { "are" }, words(*.effect))]
    PartialRecord {
        /// How many bytes are too many.
        bytes: u64,
        /// What becomes of the pak.
        effect: Effect,
    },
    /// The file ends before its directory does.
    #[error("the file holds only {held} of the directory's {}, {}", Bytes(*claimed), words(*.effect))]
    CutDirectory {
        /// How long the directory should be.
        claimed: u64,
        /// How much of it there is.
        held: u64,
        /// What becomes of the pak.
        effect: Effect,
    },
    /// The directory lies beyond what the engine can say.
    #[error(
        "its directory begins at byte {at}, beyond byte {limit}, {}", words(*.effect)
    )]
    Directory {
        /// Where it begins.
        at: u64,
        /// The last byte that can be said.
        limit: u64,
        /// What becomes of the pak.
        effect: Effect,
    },
    /// The file is longer than what the engine can open.
    #[error("it is {len} bytes long, and files of more than {limit} bytes are not opened")]
    FileLen {
        /// How long it is.
        len: u64,
        /// The longest that is opened.
        limit: u64,
    },
    /// A payload lies beyond what the engine can say.
    #[error("{entry}, beyond the limit of {limit}")]
    Far {
        /// The entry, and what is too large of it.
        entry: FarEntry,
        /// The largest number that can be said.
        limit: u64,
    },
    /// Payloads that the file's end cuts off.
    #[error("{} that the file's end cuts off: {entries}", cut_words(*.then))]
    CutPayload {
        /// Their entries.
        entries: Entries,
        /// What happens when one is asked for.
        then: CutPayload,
    },
    /// A ZIP's name ends as none does that the engine loads.
    #[error("it loads only ZIPs whose names end in {loads}")]
    Extension {
        /// What they end in.
        loads: String,
    },
    /// Something in a ZIP that the engine does not take.
    #[error("{what}, {}", words(*.effect))]
    Zip {
        /// What it is.
        what: &'static str,
        /// What the engine makes of it.
        effect: Effect,
    },
    /// Entries of a ZIP with something that the engine does not take.
    #[error("{what}, {}: {entries}", words(*.effect))]
    ZipEntries {
        /// What it is.
        what: &'static str,
        /// What the engine makes of it.
        effect: Effect,
        /// The entries.
        entries: Entries,
    },
    /// Entries that the engine does not read.
    #[error("{}: {entries}", odd_words(*.then, .what))]
    OddEntries {
        /// What they are.
        what: &'static str,
        /// What happens when one is asked for.
        then: OddEntry,
        /// The entries.
        entries: Entries,
    },
    /// Names that are too long.
    #[error("it takes names of at most {most} bytes, {}: {entries}", long_words(*.over, *.most))]
    LongNames {
        /// How many bytes a name may have.
        most: usize,
        /// What happens to a longer one.
        over: LongName,
        /// Their entries.
        entries: Entries,
    },
    /// Names that the engine finds only as they are spelled.
    #[error("it finds names only as they are spelled: those of {0}")]
    FoundAsSpelled(Entries),
    /// Names that the engine never finds.
    #[error("it never finds {0}")]
    NeverFound(Entries),
}

impl Reason {
    /// Whether something else is served than what entries hold.
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
    /// The numbers before it end earlier.
    #[error("{missing} {}", gap_words(*.there))]
    Gap {
        /// The first that is missing.
        missing: String,
        /// Whether there is an archive of that number, which the engine takes for missing.
        there: bool,
    },
    /// Its number is above the last that is asked for.
    #[error("it asks for no number above {last}")]
    Number {
        /// The last.
        last: u32,
    },
    /// It has no number, and only numbers are asked for.
    #[error("it asks for pak0.pak, pak1.pak and so on, and no others")]
    Unnumbered,
    /// An archive is loaded whose name differs only in case.
    #[error("{loaded}, whose name differs only in case, is loaded{}", order_words(*.listed))]
    Twice {
        /// The one that is loaded.
        loaded: String,
        /// Whether the order in which the file system lists the two decides which is loaded.
        listed: bool,
    },
    /// Its name does not end as those do that are loaded.
    #[error("it loads only archives whose names end in {loads}")]
    Extension {
        /// What those end in.
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
