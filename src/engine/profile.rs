//! What a profile says.

use bstr::ByteSlice as _;

use super::names::Names;
use crate::archive::Format;
use crate::format::{Limits, NUMBER_MAX};

/// The largest number that an engine can say which keeps offsets in a signed `int`.
const SIGNED_MAX: u64 = i32::MAX as u64;

/// A list that some engines take the order of archives from.
const ORDER_LIST: &[u8] = b"pak.lst";

/// What an engine makes of paks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The layout that it reads.
    pub layout: Format,
    /// How many entries a pak may have; none where there is no limit.
    pub max_entries: Option<MaxEntries>,
    /// How far a pak may reach.
    pub offsets: Offsets,
    /// How it compares the name that the game asks for with an entry's.
    pub names: Names,
    /// Which of several entries of one name in one pak it serves.
    pub duplicates: Duplicates,
    /// Which paks of a folder it loads, and in which order.
    pub numbering: Numbering,
    /// Whether a loose file goes before the paks of its own folder.
    pub loose: Loose,
    /// What it makes of a pak without entries: where that counts as missing, it ends the numbers.
    pub empty: Effect,
    /// What it does about what is no whole pak of its layout.
    pub broken: Broken,
    /// The pak of its own that it loads behind the first pak of the base directory.
    pub own: OwnPak,
    /// Whether it starts only where the base directory has a `pak0.pak`.
    pub needs_pak0: bool,
    /// The extensions of other archives that it loads from the same folder, which are no paks.
    pub others: &'static [&'static str],
    /// Whether it takes the order of its archives from a file `pak.lst`, where there is one.
    pub order_list: bool,
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
pub struct Broken {
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
    /// It serves what is there of it.
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
pub enum OwnPak {
    /// There is none.
    None,
    /// A file of this name beside the base directory, or beside the engine, which is often there.
    Beside(&'static str),
    /// It is part of the engine, and cannot be seen.
    Within,
}

/// How far a pak may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Offsets {
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

/// Which paks of a folder are loaded, and in which order. A later one goes before an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// `pak0.pak`, `pak1.pak`, and so on up to the first that is missing; then, where there is a
    /// listing, every other one that it yields.
    UpToFirstMissing {
        /// What is loaded behind the numbered ones.
        then: Option<Listing>,
        /// Whether a number counts as there when only its `.pk3` is.
        pk3_counts: bool,
    },
    /// `pak0.pak` to the one of the number `last`, each that is there; then as above.
    Fixed {
        /// The last number that is asked for.
        last: u32,
        /// What is loaded behind the numbered ones.
        then: Option<Listing>,
    },
    /// Every pak of the folder, by name.
    ByName(Listing),
    /// Those that begin with `pak`, by the number behind that, then all others, by name.
    ByNumberThenName(Listing),
}

/// How an engine finds paks by listing a folder. Where it takes them as the file system lists them,
/// which is no order, they are taken by name here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Listing {
    /// Whether `.PAK` will do for `.pak`.
    pub any_case: bool,
    /// Whether it is sorted by name without case, rather than taken as the file system lists it.
    pub sorted: bool,
    /// Whether a name is passed over that is a numbered one's but for its case, because it should
    /// have been loaded by its number.
    pub not_numbered: bool,
    /// Whether a pak is passed over when one is loaded whose name differs in case only.
    pub once: bool,
}

/// Which goes first: a loose file, or the paks of its own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loose {
    /// The loose file.
    Wins,
    /// The pak.
    Loses,
}

impl Effect {
    /// A stable word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Misread => "misread",
            Self::Refused => "refused",
            Self::CountsAsMissing => "missing",
            Self::NoStart => "no start",
        }
    }
}

impl Profile {
    /// Whether a file of this name in a game's folder is another archive that it loads.
    #[must_use]
    pub fn is_other_archive(&self, name: &[u8]) -> bool {
        let any_case = self.numbering.listing().is_none_or(|it| it.any_case);
        let Some((_, extension)) = name.rsplit_once_str(b".") else {
            return false;
        };
        self.others.iter().any(|other| {
            let other = other.as_bytes();
            extension == other || any_case && extension.eq_ignore_ascii_case(other)
        })
    }

    /// Whether a file of this name in a game's folder sets the order in which it loads archives.
    #[must_use]
    pub fn is_order_list(&self, name: &[u8]) -> bool {
        self.order_list && name.eq_ignore_ascii_case(ORDER_LIST)
    }

    /// What a pak must keep to, so that no rule of the engine speaks against it.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            max_entries: self.max_entries.map_or(u64::MAX, |most| most.count.into()),
            max_bytes: self.offsets.max_bytes(),
        }
    }
}

impl Numbering {
    /// The listing that it ends with, or is.
    #[must_use]
    pub const fn listing(self) -> Option<Listing> {
        match self {
            Self::UpToFirstMissing { then, .. } | Self::Fixed { then, .. } => then,
            Self::ByName(listing) | Self::ByNumberThenName(listing) => Some(listing),
        }
    }
}

impl Offsets {
    /// The longest file that these rules can never speak against, its directory at its end.
    #[must_use]
    pub const fn max_bytes(self) -> u64 {
        match self {
            Self::Signed | Self::SignedEnds | Self::SignedDirectory | Self::ShortFile => SIGNED_MAX,
            Self::Unsigned => NUMBER_MAX,
        }
    }

    /// The last byte at which a payload may begin, and the largest size that it may have.
    #[must_use]
    pub const fn max_payload(self) -> u64 {
        match self {
            Self::Signed | Self::SignedEnds | Self::ShortFile => SIGNED_MAX,
            Self::SignedDirectory | Self::Unsigned => NUMBER_MAX,
        }
    }
}
