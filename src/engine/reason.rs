//! Why an engine does not load an archive, or does not serve some entries, as clauses of a sentence.

use super::facts::EntrySet;
use super::names::LongName;
use super::profile::{Effect, OddEntry};
use crate::archive::{Format, escape, or_list};

/// A remark about an archive, for one engine. `Display` writes a complete clause.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The engine reads another layout. Most engines have this reason for any archive, so it allocates nothing.
    #[error("it is {} archive, not {} archive", found.with_article(), wanted.with_article())]
    Format {
        /// The layout of the archive.
        found: Format,
        /// The layout that the engine reads.
        wanted: Format,
    },
    /// Another property of the archive as a whole.
    #[error("{0}")]
    Archive(String),
    /// Entries that the engine does not read like others.
    #[error("{}: {entries}", odd_words(*.then, .what))]
    OddEntries {
        /// A description of the entries.
        what: &'static str,
        /// What happens if the game asks for one.
        then: OddEntry,
        /// The entries.
        entries: EntrySet,
    },
    /// Names that are too long.
    #[error("it takes names of at most {most} bytes, {}: {entries}", long_words(*.over, *.most))]
    LongNames {
        /// The most bytes that a name may have.
        most: usize,
        /// How longer names are treated.
        over: LongName,
        /// Their entries.
        entries: EntrySet,
    },
    /// Entries that the engine finds only under the exact spelling of their names.
    #[error("it finds names only as they are spelled: those of {0}")]
    FoundAsSpelled(EntrySet),
    /// Entries that the engine never finds.
    #[error("it never finds {0}")]
    NeverFound(EntrySet),
}

impl Reason {
    /// Whether the wrong content is served for some entries.
    #[must_use]
    pub const fn is_wrong_content(&self) -> bool {
        matches!(self, Self::OddEntries { then: OddEntry::Wrong, .. })
    }
}

/// Why an engine never asks for an archive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unasked {
    /// It loads only archives with other extensions.
    #[error("it loads only archives whose names end in {}", in_words(loads))]
    Extension {
        /// The extensions that it loads.
        loads: Vec<&'static str>,
    },
    /// An archive is loaded whose name differs only in case.
    #[error("{}, whose name differs only in case, is loaded", escape(loaded))]
    Twice {
        /// The archive that is loaded.
        loaded: Vec<u8>,
    },
    /// It asks only for names in lower case.
    #[error("it asks for {}.{extension}, in lower case", number.map_or("*".to_owned(), |it| format!("pak{it}")))]
    UpperCase {
        /// The number in the name, if it asks by number.
        number: Option<u64>,
        /// The extension.
        extension: &'static str,
    },
    /// It asks only for names with a number.
    #[error("it looks only for pak0.pak, pak1.pak and so on")]
    NotNumbered,
    /// It asks for no number after one that is missing.
    #[error("pak{missing}.{extension} {}", gap_words(*.exists))]
    AfterGap {
        /// The first missing number.
        missing: u64,
        /// The extension.
        extension: &'static str,
        /// Whether an archive of that number exists, but counts as missing.
        exists: bool,
    },
    /// It asks for no number as high as this one.
    #[error("it asks for no number above {last}")]
    Above {
        /// The last number.
        last: u32,
    },
}

impl Effect {
    /// The effect on an archive, as the end of a sentence about it. Empty if the verdict before the sentence says it
    /// already. An archive that loads is mentioned only if the engine warns about it.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::NoStart => ", and the game does not start with it",
            Self::Refused | Self::Misread => "",
            Self::CountsAsMissing => ", so it counts as missing",
            Self::Loads => ", which only causes a warning",
        }
    }
}

fn odd_words(then: OddEntry, what: &str) -> String {
    match then {
        // No reason is made of these two.
        OddEntry::Read => format!("it reads {what}"),
        OddEntry::NotKnown => format!("it may not read {what}"),
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

const fn gap_words(exists: bool) -> &'static str {
    if exists {
        "has no entries, and the engine asks for no number after such a one"
    } else {
        "is missing, and the engine asks for no number after a gap"
    }
}

/// These extensions in words, each once: `.pak, .pk3 or .zip`.
pub(super) fn in_words(extensions: &[&str]) -> String {
    let mut all: Vec<String> = Vec::new();
    for extension in extensions.iter().map(|it| format!(".{it}")) {
        if !all.contains(&extension) {
            all.push(extension);
        }
    }
    or_list(&all)
}
