//! The rules of an engine for archives, as plain data.

use super::names::Names;
use crate::archive::{Format, RawName, is_extension_of};
use crate::format::{Limits, NUMBER_MAX};

/// The largest offset in an engine that keeps offsets in a signed `int`.
pub(super) const SIGNED_MAX: u64 = i32::MAX as u64;

/// A list from which some engines take the order of archives.
const ORDER_LIST: &[u8] = b"pak.lst";

/// Everything that is known of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineProfile {
    /// The engine's stable name.
    pub name: &'static str,
    /// The word for all engines that play the same game.
    pub family: Option<&'static str>,
    /// How the facts of this profile are known.
    pub known: Known,
    /// How it treats paks; `None` if it does not read them.
    pub paks: Option<Paks>,
    /// How it treats ZIPs; `None` if it does not read them.
    pub zips: Option<Zips>,
    /// Which archives of a folder it asks for, and in which order. Files of a later archive replace files of
    /// earlier ones.
    pub(crate) order: &'static [Step],
    /// Whether a loose file replaces a file in the archives of its own folder.
    pub(crate) loose: LooseRule,
    /// The engine's own pak, which it loads after the first pak of the base directory.
    pub(crate) own: OwnPak,
    /// Whether it needs a `pak0.pak` in the base directory to start.
    pub needs_pak0: bool,
    /// Extensions of other files that it loads from the folder, and that daisho ignores.
    pub(crate) others: &'static [&'static str],
    /// Whether it takes the order of its archives from a file `pak.lst`, if that exists.
    pub order_list: bool,
    /// The types of files that it reads, if they are known.
    pub(crate) types: Option<FileTypes>,
    /// Whether it may load a picture of another type for a map's texture.
    pub replaces_textures: bool,
    /// The files beside a map from which it reads the entities in place of the map's own; `None` if it never does.
    pub(crate) ents: Option<Ents>,
}

/// Files with a map's entities: `maps/mine.ent` beside `maps/mine.bsp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ents {
    /// Where `maps/mine@1a2b.ent` is read, with the checksum of the map's own entities. If it exists, the other file is
    /// not looked for.
    pub by_checksum: Option<EntsFrom>,
    /// Where `maps/mine.ent` is read.
    pub plain: EntsFrom,
}

/// From which directories of the game such a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntsFrom {
    /// From all of them.
    Any,
    /// From that of the map and those after it.
    MapsOrLater,
    /// From the last.
    Last,
}

/// How an engine treats paks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Paks {
    /// The layout of the paks that it reads.
    pub layout: Format,
    /// Whether it also reads Daikatana's paks, and recognises them by the length of their directories. If that
    /// length is a multiple of Quake's record, too, the pak is misread. This happens at every eighth number of
    /// entries.
    pub by_length: bool,
    /// The largest offsets and sizes in a pak.
    pub(crate) offsets: Offsets,
    /// The rules that ZIPs have, too.
    pub rules: ArchiveRules,
    /// How it treats files that are not complete paks of its layout.
    pub(crate) broken: Broken,
}

/// The types of files that an engine reads, by their short names. Compiled code, demos, videos and lumps are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileTypes {
    /// The types that it reads.
    pub read: &'static str,
    /// The types for which this is unknown.
    pub unknown: &'static str,
}

/// The rules of an engine for paks, or for ZIPs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveRules {
    /// How many entries an archive may have; `None` if there is no limit.
    pub max_entries: Option<MaxEntries>,
    /// How it compares the name that the game asks for with the name of an entry.
    pub names: Names,
    /// Which of several entries with one name in one archive it serves.
    pub duplicates: Duplicates,
    /// The effect of an archive without entries. If it counts as missing, it ends the numbers.
    pub empty: Effect,
    /// What happens if the game asks for an odd entry.
    pub(crate) odd: Odd<OddEntry>,
}

impl ArchiveRules {
    /// The rules without an engine: names are equal in the widest sense, and the last copy counts.
    pub(super) const WITHOUT_ENGINE: Self = Self {
        max_entries: None,
        names: Names::WIDEST,
        duplicates: Duplicates::Last,
        empty: Effect::Loads,
        odd: Odd::READ,
    };
}

/// A value for each kind of entry that some engines do not read like others. [`ODD_WORDS`] describes the kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Odd<T> {
    pub larger: T,
    pub encrypted: T,
    pub method: T,
    pub link: T,
    pub behind: T,
    pub cut: T,
    pub empty: T,
}

/// The entries of each kind, in words.
pub(crate) const ODD_WORDS: Odd<&str> = Odd {
    larger: "entries with ZIP64 numbers",
    encrypted: "encrypted entries",
    method: "entries that are neither stored nor deflated",
    link: "symbolic links",
    behind: "deflated entries whose sizes only follow them",
    cut: "payloads that the file's end cuts off",
    empty: "empty files",
};

impl Odd<OddEntry> {
    /// An engine that reads all of them like others.
    pub(super) const READ: Self = Self {
        larger: OddEntry::Read,
        encrypted: OddEntry::Read,
        method: OddEntry::Read,
        link: OddEntry::Read,
        behind: OddEntry::Read,
        cut: OddEntry::Read,
        empty: OddEntry::Read,
    };
}

impl<T> Odd<T> {
    /// The values in the order in which they are reported.
    pub(crate) const fn each(&self) -> [&T; 7] {
        let Self { larger, encrypted, method, link, behind, cut, empty } = self;
        [larger, encrypted, method, link, behind, cut, empty]
    }
}

/// How the facts of an engine are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It was run and observed.
    Ran {
        /// The version that was run.
        version: &'static str,
        /// The year and month when it was run.
        when: &'static str,
    },
    /// Its source was read.
    Read {
        /// The file, and its version.
        source: &'static str,
    },
}

/// How an engine treats ZIPs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Zips {
    /// The length of the longest ZIP that it opens.
    pub max_bytes: u64,
    /// The rules that paks have, too.
    pub rules: ArchiveRules,
    /// How it treats an end record of ZIP64.
    pub(crate) larger: Larger,
    /// The effect of a name with the UTF-8 flag.
    pub utf8: Effect,
    /// The effect of bytes before the ZIP that its offsets do not count.
    pub before: Effect,
    /// The effect of a file that does not begin with an entry.
    pub begins: Effect,
}

/// How an engine treats an end record of ZIP64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Larger {
    /// It is read.
    Read,
    /// It is read. A ZIP that lacks it is refused if entries have ZIP64 numbers.
    Required,
    /// It is read, and lifts the limit of entries.
    LiftsLimit,
    /// The ZIP is refused if the other end record says that this one is needed.
    RefusedIfNeeded,
    /// The ZIP is refused.
    Refused,
}

/// How many entries an archive may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaxEntries {
    /// The most entries.
    pub count: u32,
    /// The effect of an archive with more entries. If it loads, the engine warns.
    pub over: Effect,
}

/// What happens if an engine opens a file that is named like an archive, from good to bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It loads.
    Loads,
    /// It loads, but its files come out as garbage.
    Misread,
    /// The engine continues without it.
    Refused,
    /// The engine treats it as missing.
    CountsAsMissing,
    /// The engine ends with an error.
    NoStart,
}

/// How an engine treats files that are not complete paks of its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Broken {
    /// The effect of a file that does not begin like a pak.
    pub not_a_pak: Effect,
    /// The effect of a file that is shorter than a header. An engine that misreads it uses the header of the pak
    /// before it.
    pub too_short: Effect,
    /// The effect of a directory that is named like a pak.
    pub is_directory: Effect,
    /// The effect of a pak of the other layout.
    pub other_layout: Effect,
    /// The effect of a directory whose length is not a multiple of the record's.
    pub partial_record: Effect,
    /// The effect of a directory that is cut off by the end of the file.
    pub cut_directory: Effect,
    /// The effect of a directory that begins beyond the engine's largest offset.
    pub far_directory: Effect,
    /// The effect of a payload that begins beyond it.
    pub far_payload: Effect,
}

/// An engine's own pak, which it loads after the first pak of the base directory and before the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum OwnPak {
    /// The engine has no such pak.
    None,
    /// A file of this name beside the base directory, or beside the engine, which is often the same place.
    Beside(&'static str),
    /// It is part of the engine, so daisho cannot see it.
    Within,
}

/// The largest offsets and sizes that an engine can handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Offsets {
    /// Each offset and each size is a signed number of 32 bits: below 2 GiB.
    Signed,
    /// As `Signed`, and the end of each payload is below 2 GiB, too.
    SignedEnds,
    /// Each is an unsigned number of 32 bits, but the directory must begin below 2 GiB.
    SignedDirectory,
    /// Each is an unsigned number of 32 bits: everything that the format allows.
    Unsigned,
    /// The whole file must be shorter than 2 GiB, or it is not opened.
    ShortFile,
}

/// Which of several entries with one name in one archive is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Duplicates {
    /// The first in the directory.
    First,
    /// The last in the directory.
    Last,
    /// Any of them, depending on a sort or a search.
    NotDefined,
}

/// What happens if the game asks for an odd entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OddEntry {
    /// It is read like any other. If its payload is cut off, the bytes that exist are served.
    Read,
    /// The behaviour is unknown.
    NotKnown,
    /// It is not found.
    NotFound,
    /// The wrong content is served.
    Wrong,
    /// The engine ends with an error.
    Stops,
}

/// Which is served: a loose file, or a file in the archives of its own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LooseRule {
    /// The loose file.
    Wins,
    /// The file in the archive.
    Loses,
}

/// Archives that an engine asks for in one go. Extensions are in lower case. If one ends in `dir`, it is of directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// By number: `pak0`, `pak1` and so on.
    Numbers {
        /// Each number is tried with them in this order.
        extensions: &'static [&'static str],
        /// The last number, if there is one: then numbers may be missing. Otherwise the first number without an
        /// archive ends them.
        last: Option<u32>,
        /// Whether `PAK0.PAK` is accepted for `pak0.pak`.
        any_case: bool,
    },
    /// All archives with these extensions, from a listing of the folder.
    Listing {
        extensions: &'static [&'static str],
        order: ListOrder,
        /// Whether `.PAK` is accepted for `.pak`.
        any_case: bool,
        /// Whether it skips an archive whose name, ignoring case, has a number, such as `PAK0.PAK`. Such an archive
        /// should have been loaded by its number.
        skip_numbered: bool,
        /// Whether an archive is skipped if another one was loaded whose name differs only in case.
        once: bool,
    },
}

/// The order in which an engine asks for the archives of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ListOrder {
    /// As the file system lists them, in no defined order. Here they are then sorted by name.
    FileSystem,
    /// By the name without case.
    Name,
    /// By the bytes of the name, so upper-case letters come before lower-case ones.
    Bytes,
    /// Names that begin with `pak` first, by the number after it; then all others, by name.
    Number,
}

impl Effect {
    /// The verdict on an archive, in the words of every message and of JSON.
    pub(crate) const fn verdict(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Misread => "misreads",
            Self::Refused | Self::CountsAsMissing | Self::NoStart => "refuses",
        }
    }
}

impl EngineProfile {
    /// The layout of the paks that it reads; PK3 if it reads no paks.
    #[must_use]
    pub const fn layout(&self) -> Format {
        match &self.paks {
            Some(paks) => paks.layout,
            None => Format::Pk3,
        }
    }

    /// The rules for ZIPs, if this format is a ZIP and the engine reads ZIPs.
    #[must_use]
    pub fn zips_in(&self, format: impl Into<Option<Format>>) -> Option<&Zips> {
        let is_zip = format.into() == Some(Format::Pk3);
        self.zips.as_ref().filter(|_| is_zip)
    }

    /// The extensions of the ZIPs that it asks for, without the dot.
    #[must_use]
    pub fn zip_extensions(&self) -> Vec<&'static str> {
        let mut zips = Vec::new();
        for extension in self.order.iter().flat_map(Step::extensions).copied() {
            let is_zip = extension != "pak" && !extension.ends_with("dir");
            if is_zip && !zips.contains(&extension) {
                zips.push(extension);
            }
        }
        zips
    }

    /// Whether it loads a ZIP whose name has this ending.
    #[must_use]
    pub fn loads_zip(&self, name: &[u8]) -> bool {
        has_extension(name, &self.zip_extensions(), true)
    }

    /// Whether it reads archives of this format.
    #[must_use]
    pub fn reads(&self, format: Format) -> bool {
        format == self.layout() || self.zips_in(format).is_some()
    }

    /// Its rules for archives of this format. For a format that it does not read, and for an archive of none, these
    /// are its rules for paks, or for ZIPs if it reads no paks.
    #[must_use]
    pub fn rules_in(&self, format: impl Into<Option<Format>>) -> &ArchiveRules {
        match (&self.paks, &self.zips) {
            (Some(_), Some(zips)) if format.into() == Some(Format::Pk3) => &zips.rules,
            (Some(paks), _) => &paks.rules,
            (None, Some(zips)) => &zips.rules,
            // A test checks that every engine reads one of them.
            (None, None) => &ArchiveRules::WITHOUT_ENGINE,
        }
    }

    /// How it compares the name that a game asks for, in paks and in ZIPs.
    #[must_use]
    pub fn request_names(&self) -> &Names {
        &self.rules_in(self.layout()).names
    }

    /// Whether a file of this name is an archive that it may ask for.
    #[must_use]
    pub fn is_archive(&self, name: &[u8]) -> bool {
        let mut steps = self.order.iter();
        steps.any(|step| step.has_extension(name))
    }

    /// Whether it loads a file of this name that daisho ignores.
    #[must_use]
    pub fn is_other_archive(&self, name: &[u8]) -> bool {
        has_extension(name, self.others, true)
    }

    /// Whether a file of this name sets the order in which it loads archives.
    #[must_use]
    pub fn is_order_list(&self, name: &[u8]) -> bool {
        self.order_list && name.eq_ignore_ascii_case(ORDER_LIST)
    }

    /// The limits within which an archive of this format breaks no rule of the engine. A longer pak may load: the
    /// number follows from the engine's largest offset, and the directory may not begin beyond it.
    #[must_use]
    pub fn limits(&self, format: Format) -> Limits {
        let rules = self.rules_in(format);
        let max_bytes = match (self.zips_in(format), &self.paks) {
            (None, Some(paks)) => paks.offsets.max_bytes(),
            (zips, _) => zips.map_or(u64::MAX, |zips| zips.max_bytes),
        };
        let max_entries = rules.max_entries.map_or(u64::MAX, |most| most.count.into());
        Limits { max_entries, max_bytes }
    }
}

impl Step {
    /// The extensions, in lower case.
    pub(super) const fn extensions(&self) -> &'static [&'static str] {
        match self {
            Self::Numbers { extensions, .. } | Self::Listing { extensions, .. } => extensions,
        }
    }

    /// Whether a name ends in one of the extensions, as this step spells them.
    pub(super) fn has_extension(&self, name: &[u8]) -> bool {
        let (Self::Numbers { any_case, .. } | Self::Listing { any_case, .. }) = self;
        has_extension(name, self.extensions(), *any_case)
    }
}

impl Offsets {
    /// The length of the longest file that never breaks these rules, with its directory at the end.
    pub(crate) const fn max_bytes(self) -> u64 {
        match self {
            Self::Signed | Self::SignedEnds | Self::SignedDirectory | Self::ShortFile => SIGNED_MAX,
            Self::Unsigned => NUMBER_MAX,
        }
    }

    /// The last offset and the largest size of a payload.
    pub(crate) const fn max_payload(self) -> u64 {
        match self {
            Self::Signed | Self::SignedEnds | Self::ShortFile => SIGNED_MAX,
            Self::SignedDirectory | Self::Unsigned => NUMBER_MAX,
        }
    }
}

/// Whether a name ends in a dot and one of these extensions.
pub(super) fn has_extension(name: &[u8], extensions: &[&str], any_case: bool) -> bool {
    let extension = RawName::new(name).extension();
    extension.is_some_and(|extension| {
        if any_case {
            is_extension_of(extension, extensions)
        } else {
            extensions.iter().any(|it| it.as_bytes() == extension)
        }
    })
}
