//! What a profile says.

use super::names::Names;
use super::steps::{Step, has_extension};
use crate::archive::Format;
use crate::format::{Limits, NUMBER_MAX};

/// The largest number that an engine can say which keeps offsets in a signed `int`.
pub(super) const SIGNED_MAX: u64 = i32::MAX as u64;

/// A list that some engines take the order of archives from.
const ORDER_LIST: &[u8] = b"pak.lst";

/// What an engine makes of archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// How all of this is known.
    pub known: Known,
    /// The layout of the paks that it reads; PK3 where it reads none.
    pub layout: Format,
    /// Whether it reads Daikatana's paks, too, and tells them by the length of their directories: where
    /// that is a multiple of a Quake record's as well, as it is for every eighth number of entries, they
    /// are misread.
    pub by_length: bool,
    /// How many entries a pak may have; none where there is no limit.
    pub max_entries: Option<MaxEntries>,
    /// How far a pak may reach.
    pub(crate) offsets: Offsets,
    /// How it compares the name that the game asks for with that of a pak's entry.
    pub names: Names,
    /// Which of several entries of one name in one pak it serves.
    pub duplicates: Duplicates,
    /// What it makes of ZIPs; none where it reads none.
    pub zips: Option<Zips>,
    /// Which archives of a folder it asks for, and in which order. A later one goes before an
    /// earlier one.
    pub(crate) order: &'static [Step],
    /// Whether a loose file goes before the archives of its own folder.
    pub(crate) loose: Loose,
    /// What it makes of a pak without entries: where that counts as missing, it ends the numbers.
    pub empty: Effect,
    /// What happens when an empty file of a pak is asked for.
    pub empty_file: OddEntry,
    /// What it does about what is no whole pak of its layout.
    pub(crate) broken: Broken,
    /// The pak of its own that it loads behind the first pak of the base directory.
    pub(crate) own: OwnPak,
    /// Whether it starts only where the base directory has a `pak0.pak`.
    pub needs_pak0: bool,
    /// Extensions of other files that it loads from the same folder and that daisho does not read.
    pub(crate) others: &'static [&'static str],
    /// Whether it takes the order of its archives from a file `pak.lst`, where there is one.
    pub order_list: bool,
}

/// How the facts of an engine are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It was run, and what it did was seen.
    Ran {
        /// The version that was run.
        version: &'static str,
        /// The year and month when it was run.
        when: &'static str,
    },
    /// They were read in its source.
    Read {
        /// Which part of it, and which version.
        source: &'static str,
    },
}

/// What an engine makes of ZIPs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Zips {
    /// What the names of those end in that it loads, without the dot.
    pub extensions: &'static [&'static str],
    /// How many entries a ZIP may have; none where there is no limit.
    pub max_entries: Option<MaxEntries>,
    /// How long the file may be.
    pub max_bytes: u64,
    /// How it compares the name that the game asks for with an entry's.
    pub names: Names,
    /// Which of several entries of one name in one ZIP it serves.
    pub duplicates: Duplicates,
    /// What it makes of a ZIP without entries.
    pub empty: Effect,
    /// What it makes of an end record of ZIP64.
    pub(crate) larger: Larger,
    /// What becomes of entries whose numbers are those of ZIP64.
    pub(crate) larger_entry: LargerEntry,
    /// Its effect if a name in a ZIP has the UTF-8 flag.
    pub utf8: Effect,
    /// What it makes of bytes before the ZIP that are not counted in its offsets.
    pub before: Effect,
    /// What it makes of a file that begins with anything but an entry.
    pub begins: Effect,
    /// What becomes of entries that are encrypted.
    pub encrypted: OddEntry,
    /// What becomes of entries that are compressed in another way than by deflate.
    pub method: OddEntry,
    /// What becomes of symbolic links.
    pub link: OddEntry,
    /// What becomes of deflated entries with a data descriptor, whose sizes come after the content.
    pub behind: OddEntry,
    /// What becomes of empty files.
    pub empty_file: OddEntry,
}

/// What an engine makes of an end record of ZIP64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Larger {
    /// It is read.
    Read,
    /// It is read, and with it there may be more entries than without it.
    LiftsLimit,
    /// The ZIP is refused where the other end record says that this one is needed.
    RefusedIfNeeded,
    /// The ZIP is refused.
    Refused,
}

/// What becomes of entries whose numbers are those of ZIP64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LargerEntry {
    /// The same as of other odd entries.
    Entry(OddEntry),
    /// They are read where there is an end record of ZIP64, and without one the ZIP is refused.
    NeedsEnd,
}

/// How many entries a pak may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaxEntries {
    /// The number that it may have at most.
    pub count: u32,
    /// What the engine makes of a pak that has more: where that loads all the same, with a warning.
    pub over: Effect,
}

/// What an engine makes of a file that is named as a pak is, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It loads.
    Loads,
    /// It loads, and what is served from it is not what it holds.
    Misread,
    /// The engine goes on without it.
    Refused,
    /// The engine takes it for missing.
    CountsAsMissing,
    /// The engine ends with an error.
    NoStart,
}

/// What an engine does about what is no whole pak of its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Broken {
    /// About a file that begins as no pak does.
    pub not_a_pak: Effect,
    /// About one that is shorter than a header. Where it is misread, it is by the header of the
    /// pak before it.
    pub too_short: Effect,
    /// About a directory of that name.
    pub is_directory: Effect,
    /// About a pak of the other layout.
    pub other_layout: Effect,
    /// About a directory whose length is no multiple of a record's.
    pub partial_record: Effect,
    /// About a directory that the file's end cuts off.
    pub cut_directory: Effect,
    /// About a directory that begins where the engine can say no number.
    pub far_directory: Effect,
    /// About a payload that lies there.
    pub far_payload: Effect,
    /// About a payload that the file's end cuts off.
    pub cut_payload: CutPayload,
}

/// What an engine does when a payload is asked for that the file's end cuts off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CutPayload {
    /// It serves the bytes that exist.
    Served,
    /// It does not find it.
    NotFound,
    /// It ends with an error.
    Stops,
    /// This is not known.
    NotKnown,
}

/// A pak of an engine's own, which lies above the base directory's first pak and below its second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum OwnPak {
    /// The engine has no such pak.
    None,
    /// A file of this name beside the base directory, or beside the engine, which is often there.
    Beside(&'static str),
    /// It is part of the engine, and cannot be seen.
    Within,
}

/// How far a pak may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Offsets {
    /// Each offset and each size is a signed number of 32 bits: below 2 GiB.
    Signed,
    /// As `Signed`, and so is the end of each payload.
    SignedEnds,
    /// Each is an unsigned number of 32 bits, but for where the directory begins, which is below
    /// 2 GiB.
    SignedDirectory,
    /// Each is an unsigned number of 32 bits: all that the format can say.
    Unsigned,
    /// The whole file must be shorter than 2 GiB, or it is not opened.
    ShortFile,
}

/// Which of several entries of one name in one pak is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// The first in the directory.
    First,
    /// The last in the directory.
    Last,
    /// Whichever a sort or a search happens upon.
    NotDefined,
}

/// What becomes of an odd entry when it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OddEntry {
    /// It is read as others are.
    Read,
    /// It is not found, as if it were not there.
    NotFound,
    /// Something else is served than what it holds.
    Wrong,
    /// The engine ends with an error.
    Stops,
}

/// Which goes first: a loose file, or the archives of its own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Loose {
    /// The loose file.
    Wins,
    /// The pak.
    Loses,
}

impl Effect {
    /// The verdict on an archive, in the words of every message and of JSON.
    #[must_use]
    pub const fn verdict(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Misread => "loads garbage",
            Self::Refused | Self::CountsAsMissing | Self::NoStart => "refuses",
        }
    }
}

impl Profile {
    /// What it makes of archives of this format, where these are ZIPs and it reads them.
    #[must_use]
    pub fn zips_in(&self, format: Format) -> Option<Zips> {
        self.zips.filter(|_| format == Format::Pk3)
    }

    /// Whether it reads archives of this format.
    #[must_use]
    pub fn reads(&self, format: Format) -> bool {
        format == self.layout || self.zips_in(format).is_some()
    }

    /// How it takes names of entries in archives of this format.
    #[must_use]
    pub fn names_in(&self, format: Format) -> Names {
        self.zips_in(format).map_or(self.names, |zips| zips.names)
    }

    /// Which of several entries of one name it serves, in an archive of this format.
    #[must_use]
    pub fn duplicates_in(&self, format: Format) -> Duplicates {
        let zips = self.zips_in(format);
        zips.map_or(self.duplicates, |zips| zips.duplicates)
    }

    /// Whether a file of this name in a game's folder is an archive that it can ask for.
    #[must_use]
    pub fn is_archive(&self, name: &[u8]) -> bool {
        self.order.iter().any(|step| step.may_ask_for(name))
    }

    /// Whether a file of this name in a game's folder is loaded by it, and not read here.
    #[must_use]
    pub fn is_other_archive(&self, name: &[u8]) -> bool {
        has_extension(name, self.others, true)
    }

    /// Whether a file of this name in a game's folder sets the order in which it loads archives.
    #[must_use]
    pub fn is_order_list(&self, name: &[u8]) -> bool {
        self.order_list && name.eq_ignore_ascii_case(ORDER_LIST)
    }

    /// What an archive of this format must keep to, so that no rule of the engine speaks against it.
    #[must_use]
    pub fn limits(&self, format: Format) -> Limits {
        let (most, max_bytes) = match self.zips_in(format) {
            Some(zips) => (zips.max_entries, zips.max_bytes),
            None => (self.max_entries, self.offsets.max_bytes()),
        };
        Limits {
            max_entries: most.map_or(u64::MAX, |most| most.count.into()),
            max_bytes,
        }
    }
}

impl Zips {
    /// Whether it loads a ZIP whose name ends so.
    #[must_use]
    pub fn loads(&self, name: &[u8]) -> bool {
        has_extension(name, self.extensions, true)
    }
}

impl Offsets {
    /// The longest file that these rules can never speak against, its directory at its end.
    #[must_use]
    pub(crate) const fn max_bytes(self) -> u64 {
        match self {
            Self::Signed | Self::SignedEnds | Self::SignedDirectory | Self::ShortFile => SIGNED_MAX,
            Self::Unsigned => NUMBER_MAX,
        }
    }

    /// The last byte at which a payload may begin, and the largest size that it may have.
    #[must_use]
    pub(crate) const fn max_payload(self) -> u64 {
        match self {
            Self::Signed | Self::SignedEnds | Self::ShortFile => SIGNED_MAX,
            Self::SignedDirectory | Self::Unsigned => NUMBER_MAX,
        }
    }
}
