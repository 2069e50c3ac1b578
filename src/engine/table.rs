//! The table: what each engine makes of archives.
//!
//! Every fact was **observed**: the engine was run over paks and folders that show it, and said which
//! copy it served. What was seen, by engine and version, stands in
//! `tests/it/ops/engines/observed.txt`, and the tests beside it hold this table to it. Where a doc
//! line says *read*, the fact comes from the engine's source alone: of hexenwail, dhewm3 and daikatana
//! all of it does, and none of them was run. An engine is added here, in [`Engine`], and in that file.
//!
//! **Paks:**
//!
//! | engine          | version that was run | entries   | over     | case    | `\`           | duplicates  | empty pak |
//! |-----------------|----------------------|-----------|----------|---------|---------------|-------------|-----------|
//! | quake           | WinQuake 1.09        | 2,048     | no start | matters | itself        | first       | loads     |
//! | quakespasm      | 0.97.0               | 2,048     | no start | matters | itself        | first       | ends them |
//! | ironwail        | 0.8.3-dev            | 2,048     | no start | matters | itself        | first       | ends them |
//! | vkquake         | 46e5e6dd (2026-08)   | 2,048     | no start | matters | itself        | first       | ends them |
//! | qss             | c4893638 (2021-07)   | 4,096     | no start | matters | itself        | first       | ends them |
//! | darkplaces      | 2f25af65 (2024-08)   | 65,536    | no pak   | ignored | not found     | not defined | loads     |
//! | fteqw           | 93257c1a (2026-01)   |           |          | ignored | is `/`        | first       | loads     |
//! | ezquake         | 3.6.1 of Debian      |           |          | ignored | not found     | first       | loads     |
//! | hexen2          | bf2121f7 of uHexen2  | 2,048     | no pak   | matters | itself        | last        | no pak    |
//! | hexenwail       | *read*: f540490      | 2,048     | no pak   | ignored | itself        | last        | no pak    |
//! | xash3d          | 633203e1             | 65,536    | no pak   | ignored | itself        | not defined | no pak    |
//! | quake2          | 3.21                 | 4,096     | no start | ignored | itself        | first       | loads     |
//! | yquake2         | 69599f5a (2026-08)   | 4,096     | warning  | ignored | itself        | not defined | no start  |
//! | yquake2remaster | e98451aa             | 4,096     | warning  | ignored | itself        | not defined | no start  |
//! | q2pro           | 3aa0d40b (2025-07)   | 1,048,576 | no pak   | ignored | is `/`        | last        | no pak    |
//! | ioquake3        | 5956299e             | reads none|          |         |               |             |           |
//! | dhewm3          | *read*: b65d8d9      | reads none|          |         |               |             |           |
//! | daikatana       | *read*               | 20,480    | no start | ignored | itself        | not defined | loads     |
//!
//! **ZIPs:**
//!
//! | engine          | extensions         | entries   | longest name   | duplicates  | empty ZIP | ZIP64          | links     |
//! |-----------------|--------------------|-----------|----------------|-------------|-----------|----------------|-----------|
//! | qss             | pk3                | 25,000    | 63, cut        | first       | loads     | read           | not found |
//! | darkplaces      | pk3, obb, dpk      | 65,535    | 127, no ZIP    | not defined | loads     | no ZIP         | followed  |
//! | fteqw           | pk3, pk4, iwd, kpf |           | 127, cut       | first       | loads     | read           | followed  |
//! | ezquake         | pk3, pk4           | 65,534    | 63, not found  | first       | loads     | end record     | as text   |
//! | hexenwail       | pk3                | 65,536    | 63, not found  | last        | no ZIP    | read           | as text   |
//! | xash3d          | pk3                | 65,535    |                | not defined | no ZIP    | not, if needed | as text   |
//! | yquake2         | pk2, pk3, pkz, zip |           | 63, stops      | first       | no start  | read           | as text   |
//! | yquake2remaster | pk2, pk3, pkz, zip |           | 127, stops     | first       | no start  | read           | as text   |
//! | q2pro           | pkz                | 1,048,576 | 63, not found  | last        | no ZIP    | read           | as text   |
//! | ioquake3        | pk3                | 65,535    | 255, not found | last        | loads     | no ZIP         | as text   |
//! | dhewm3          | pk4                |           | 2,047, not found | last      | loads     | read           | as text   |
//!
//! **Archives of a folder, a later one before an earlier one:**
//!
//! | engine          | order                                                                         | loose files |
//! |-----------------|-------------------------------------------------------------------------------|-------------|
//! | quake and its closest kin | paks by number, to the first missing                                | lose        |
//! | qss             | by number a pak, then a pk3, to the first missing; `*.pak`, then `*.pk3`, as listed | win   |
//! | darkplaces      | `*.pak` by name; then pk3, obb, dpk, pk3dir and dpkdir by name                | win         |
//! | fteqw           | by number, each to the first missing: pak, pk3, pk4, iwd, kpf; then the same by name, and pk3dir | win |
//! | ezquake         | paks by number, to the first missing, then as listed; the same for pk3, then pk4 | lose     |
//! | hexen2          | paks 0 to 9, gaps allowed                                                     | win         |
//! | hexenwail       | paks 0 to 9, gaps allowed; then `*.pk3` by name                               | win         |
//! | xash3d          | `*.pak`, then `*.pk3`, then `*.pk3dir`, each by the bytes of the name         | win         |
//! | quake2          | paks 0 to 9, gaps allowed                                                     | lose        |
//! | yquake2, yquake2remaster | 0 to 99, gaps allowed: pak, pk2, pk3, pkz, zip; then the same, as listed | lose   |
//! | q2pro           | pak and pkz in one list: `pak*` by number, then by name                       | lose        |
//! | ioquake3        | pk3 and pk3dir in one list by name                                            | win         |
//! | dhewm3          | `*.pk4` by name                                                               | win         |
//! | daikatana       | paks 0 to 9, gaps allowed                                                     | win         |

use super::engines::Engine;
use super::names::{Backslash, ENDED, LongName, LongestName, Names, OddPaths};
use super::profile::{
    Broken, CutPayload, Duplicates, Effect, Larger, LargerEntry, Loose, MaxEntries, OddEntry,
    Offsets, OwnPak, Profile, SIGNED_MAX, Zips,
};
use super::steps::{Listing, Sort, Step};
use crate::archive::{Case, Format};
use crate::format::NUMBER_MAX;

impl Engine {
    /// What it makes of archives.
    #[must_use]
    pub const fn profile(self) -> Profile {
        match self {
            Self::Quake => QUAKE,
            Self::QuakeSpasm => QUAKESPASM,
            Self::Ironwail => IRONWAIL,
            Self::VkQuake => VKQUAKE,
            Self::Qss => QSS,
            Self::DarkPlaces => DARKPLACES,
            Self::Fteqw => FTEQW,
            Self::EzQuake => EZQUAKE,
            Self::Hexen2 => HEXEN2,
            Self::Hexenwail => HEXENWAIL,
            Self::Xash3d => XASH3D,
            Self::Quake2 => QUAKE2,
            Self::Yquake2 => YQUAKE2,
            Self::Yquake2Remaster => YQUAKE2REMASTER,
            Self::Q2pro => Q2PRO,
            Self::IoQuake3 => IOQUAKE3,
            Self::Dhewm3 => DHEWM3,
            Self::Daikatana => DAIKATANA,
        }
    }
}

const fn most(count: u32, over: Effect) -> Option<MaxEntries> {
    Some(MaxEntries { count, over })
}

const fn longest(bytes: usize, over: LongName) -> Option<LongestName> {
    Some(LongestName { bytes, over })
}

/// Archives by number, up to the first that is missing.
const fn to_the_first_missing(extensions: &'static [&'static str]) -> Step {
    Step::Numbers {
        extensions,
        last: None,
        any_case: false,
    }
}

/// Archives by number, gaps allowed.
const fn up_to(last: u32, extensions: &'static [&'static str]) -> Step {
    Step::Numbers {
        extensions,
        last: Some(last),
        any_case: false,
    }
}

/// A listing in which an extension in any case will do, and names are one but for their case.
const fn listed(extensions: &'static [&'static str], sort: Sort) -> Step {
    Step::Listed(Listing {
        extensions,
        any_case: true,
        sort,
        not_numbered: false,
        once: true,
    })
}

/// WinQuake 1.09 of id's source (bf4ac42), for 32 bits, as all of its builds are: a file of 2 GiB or
/// more cannot be opened, and counts as missing. A record that is cut off, or that belongs to a
/// Daikatana pak, is taken as what it is not, without a word. What happens at a payload that is cut
/// off was not asked.
const QUAKE: Profile = Profile {
    layout: Format::Quake,
    by_length: false,
    max_entries: most(2048, Effect::NoStart),
    offsets: Offsets::ShortFile,
    names: Names {
        case: Case::Matters,
        backslash: Backslash::Itself,
        odd: OddPaths::Plain,
        lowered: false,
        longest: ENDED,
    },
    duplicates: Duplicates::First,
    zips: None,
    order: &[to_the_first_missing(&["pak"])],
    loose: Loose::Loses,
    empty: Effect::Loads,
    empty_file: OddEntry::Read,
    broken: Broken {
        not_a_pak: Effect::NoStart,
        too_short: Effect::NoStart,
        is_directory: Effect::NoStart,
        other_layout: Effect::Misread,
        partial_record: Effect::Loads,
        cut_directory: Effect::Loads,
        far_directory: Effect::CountsAsMissing,
        far_payload: Effect::Loads,
        cut_payload: CutPayload::NotKnown,
    },
    own: OwnPak::None,
    needs_pak0: false,
    others: &[],
    order_list: false,
};

/// QuakeSpasm 0.97.0 (f5fe1786). A pak without entries is "ignored", as a missing one is: no further
/// number is tried. Its own pak lies above the loose files of the base directory, too. Debian's 0.95.1
/// differs in three things: it goes on with what it read of a directory that is cut off, serves what
/// is there of a payload that is, and takes a file shorter than a header for the pak before it.
const QUAKESPASM: Profile = Profile {
    offsets: Offsets::Signed,
    empty: Effect::CountsAsMissing,
    broken: Broken {
        cut_directory: Effect::NoStart,
        far_directory: Effect::NoStart,
        cut_payload: CutPayload::Stops,
        ..QUAKE.broken
    },
    own: OwnPak::Beside("quakespasm.pak"),
    ..QUAKE
};

/// Ironwail 0.8.3-dev (7ff4ec57).
const IRONWAIL: Profile = Profile {
    own: OwnPak::Beside("ironwail.pak"),
    needs_pak0: true,
    ..QUAKESPASM
};

/// vkQuake 46e5e6dd of August 2026. Its own pak is loaded behind the base directory's pak0, so that an
/// empty pak0 there ends no numbers. Of a directory that is cut off it makes nonsense.
const VKQUAKE: Profile = Profile {
    broken: Broken {
        too_short: Effect::Misread,
        cut_directory: Effect::Misread,
        cut_payload: CutPayload::Served,
        ..QUAKESPASM.broken
    },
    own: OwnPak::Within,
    ..QUAKESPASM
};

/// QuakeSpasm-Spiked c4893638 of July 2021. Each number is tried as `.pak` and then as `.pk3`, and one
/// of them is enough to go on. What a listing yields comes behind them in the order of the listing,
/// its extension in any case; a pak is passed over when one of that path, compared without case, is
/// loaded. A file `pak.lst`, which sets another order, is not followed here. Names in a ZIP are lowered
/// when it is loaded, so that only a request in lower case finds them; a ZIP's entries fill the memory
/// that it begins with: 25,000 were seen to load, and with 30,000 it did not start. What becomes of a
/// directory by a pak's name was not asked.
const QSS: Profile = Profile {
    max_entries: most(4096, Effect::NoStart),
    zips: Some(Zips {
        max_entries: most(25_000, Effect::NoStart),
        max_bytes: SIGNED_MAX,
        names: Names {
            lowered: true,
            longest: longest(63, LongName::Cut),
            ..QUAKE.names
        },
        before: Effect::NoStart,
        encrypted: OddEntry::NotFound,
        link: OddEntry::NotFound,
        behind: OddEntry::Wrong,
        ..Zips::USUAL
    }),
    order: &[
        to_the_first_missing(&["pak", "pk3"]),
        listed(&["pak"], Sort::AsListed),
        listed(&["pk3"], Sort::AsListed),
    ],
    loose: Loose::Wins,
    broken: Broken {
        too_short: Effect::Misread,
        is_directory: Effect::CountsAsMissing,
        cut_directory: Effect::Loads,
        cut_payload: CutPayload::Served,
        ..QUAKESPASM.broken
    },
    order_list: true,
    ..QUAKESPASM
};

/// DarkPlaces 2f25af65 of August 2024; of what is said here Debian's of September 2018 differs in that
/// it knows neither `dpk` nor `dpkdir`. A ZIP is refused for a name that is too long, but where that is its
/// last, which is cut. Files are kept sorted, and a search ends at any of several equal names: the middle one in
/// what was run. Payloads may begin beyond 2 GiB, and the directory may not: such a pak loads, and
/// none of its names is found. Of paks whose names differ in case alone one is loaded, by the order in
/// which the file system lists them.
const DARKPLACES: Profile = Profile {
    max_entries: most(65_536, Effect::Refused),
    offsets: Offsets::SignedDirectory,
    names: Names {
        case: Case::Ignored,
        backslash: Backslash::Refused,
        odd: OddPaths::Refused,
        lowered: false,
        longest: ENDED,
    },
    duplicates: Duplicates::NotDefined,
    zips: Some(Zips {
        extensions: &["pk3", "obb", "dpk"],
        max_entries: most(65_535, Effect::Refused),
        max_bytes: NUMBER_MAX,
        names: Names {
            case: Case::Ignored,
            backslash: Backslash::Refused,
            odd: OddPaths::Refused,
            lowered: false,
            longest: longest(127, LongName::Refused),
        },
        duplicates: Duplicates::NotDefined,
        larger: Larger::Refused,
        larger_entry: LargerEntry::Entry(OddEntry::NotFound),
        encrypted: OddEntry::NotFound,
        link: OddEntry::Read,
        ..Zips::USUAL
    }),
    order: &[
        listed(&["pak"], Sort::Name),
        listed(&["pk3", "obb", "dpk", "pk3dir", "dpkdir"], Sort::Name),
    ],
    loose: Loose::Wins,
    broken: Broken {
        partial_record: Effect::Refused,
        cut_directory: Effect::Refused,
        far_directory: Effect::Refused,
        cut_payload: CutPayload::Served,
        ..PASSES_OVER
    },
    ..QUAKE
};

/// FTEQW 93257c1a of January 2026, as a server; the client loads `pkz` and `pkx`, too (*read*). The listing behind the numbers is sorted by name
/// without case; with `fs_packageprioritisation 0` it would be by time (*read*). A file `pak.lst`,
/// whose paks it loads before the numbers, is not followed here. Of a directory that is cut off the
/// whole records count.
const FTEQW: Profile = Profile {
    max_entries: None,
    offsets: Offsets::Unsigned,
    names: Names {
        case: Case::Ignored,
        backslash: Backslash::Slash,
        odd: OddPaths::RefusedRootDropped,
        lowered: false,
        longest: None,
    },
    zips: Some(Zips {
        extensions: &["pk3", "pk4", "iwd", "kpf"],
        names: Names {
            case: Case::Ignored,
            backslash: Backslash::Slash,
            odd: OddPaths::Refused,
            lowered: false,
            longest: longest(127, LongName::Cut),
        },
        utf8: Effect::Refused,
        encrypted: OddEntry::NotFound,
        link: OddEntry::Read,
        behind: OddEntry::Wrong,
        ..Zips::USUAL
    }),
    order: &[
        to_the_first_missing(&["pak"]),
        to_the_first_missing(&["pk3"]),
        to_the_first_missing(&["pk4"]),
        to_the_first_missing(&["iwd"]),
        to_the_first_missing(&["kpf"]),
        listed(&["pak"], Sort::Name),
        listed(&["pk3"], Sort::Name),
        listed(&["pk4"], Sort::Name),
        listed(&["iwd"], Sort::Name),
        listed(&["kpf"], Sort::Name),
        listed(&["pk3dir"], Sort::Name),
    ],
    loose: Loose::Wins,
    broken: Broken {
        cut_payload: CutPayload::Served,
        ..PASSES_OVER
    },
    order_list: true,
    ..QUAKE
};

/// What engines do that go on without a file that is no pak.
const PASSES_OVER: Broken = Broken {
    not_a_pak: Effect::Refused,
    too_short: Effect::Refused,
    is_directory: Effect::CountsAsMissing,
    ..QUAKE.broken
};

/// Quake II 3.21 of id's source (372afde), for 32 bits, as [`QUAKE`].
const QUAKE2: Profile = Profile {
    max_entries: most(4096, Effect::NoStart),
    names: Names {
        case: Case::Ignored,
        ..QUAKE.names
    },
    order: &[up_to(9, &["pak"])],
    broken: Broken {
        cut_payload: CutPayload::Stops,
        ..QUAKE.broken
    },
    ..QUAKE
};

/// Yamagi Quake II 69599f5a of August 2026. Names are sorted for a search, which may end at any of
/// several equal ones: at the middle one in what was run. Behind the numbers comes every `*.pak` in
/// lower case, as the file system lists them, but for those whose names are numbered ones' but for
/// their case. That a request loses `./`, `//` and a leading `/` was *read*; that entries with them
/// are not found was seen. What becomes of a directory by a pak's name was not asked.
const YQUAKE2: Profile = Profile {
    max_entries: most(4096, Effect::Loads),
    offsets: Offsets::Signed,
    names: Names {
        odd: OddPaths::RequestsCleaned,
        ..QUAKE2.names
    },
    duplicates: Duplicates::NotDefined,
    zips: Some(Zips {
        extensions: &["pk2", "pk3", "pkz", "zip"],
        names: Names {
            case: Case::Ignored,
            odd: OddPaths::RequestsCleaned,
            longest: longest(63, LongName::Stops),
            ..QUAKE.names
        },
        empty: Effect::NoStart,
        method: OddEntry::Stops,
        ..Zips::USUAL
    }),
    order: &[
        up_to(99, &["pak"]),
        up_to(99, &["pk2"]),
        up_to(99, &["pk3"]),
        up_to(99, &["pkz"]),
        up_to(99, &["zip"]),
        the_rest(&["pak"]),
        the_rest(&["pk2"]),
        the_rest(&["pk3"]),
        the_rest(&["pkz"]),
        the_rest(&["zip"]),
    ],
    empty: Effect::NoStart,
    broken: Broken {
        is_directory: Effect::CountsAsMissing,
        far_directory: Effect::NoStart,
        ..QUAKE2.broken
    },
    ..QUAKE2
};

/// What a listing in lower case yields behind the numbers.
const fn the_rest(extensions: &'static [&'static str]) -> Step {
    Step::Listed(Listing {
        extensions,
        any_case: false,
        sort: Sort::AsListed,
        not_numbered: true,
        once: false,
    })
}

/// Yamagi Quake II Remaster e98451aa. It reads Daikatana's paks, too, and tells them by the length of the
/// directory: what is a multiple of 64 is taken for a Quake pak, whatever it is, so that Daikatana's are
/// misread where the number of their entries is a multiple of 8. What fits neither length is passed over.
/// What happens at a payload that is cut off was not asked.
const YQUAKE2REMASTER: Profile = Profile {
    by_length: true,
    names: Names {
        longest: None,
        ..YQUAKE2.names
    },
    zips: Some(Zips {
        extensions: &["pk2", "pk3", "pkz", "zip"],
        names: Names {
            case: Case::Ignored,
            odd: OddPaths::RequestsCleaned,
            longest: longest(127, LongName::Stops),
            ..QUAKE.names
        },
        empty: Effect::NoStart,
        method: OddEntry::Stops,
        ..Zips::USUAL
    }),
    broken: Broken {
        partial_record: Effect::Refused,
        cut_directory: Effect::NoStart,
        cut_payload: CutPayload::NotKnown,
        ..YQUAKE2.broken
    },
    ..YQUAKE2
};

/// ioquake3 5956299e; Debian's of November 2022 differs in nothing that is said here. It loads no paks.
/// An entry whose numbers are those of ZIP64 ends it, when it is asked for.
const IOQUAKE3: Profile = Profile {
    layout: Format::Pk3,
    max_entries: most(65_535, Effect::Refused),
    names: IOQUAKE3_NAMES,
    duplicates: Duplicates::Last,
    zips: Some(Zips {
        max_entries: most(65_535, Effect::Refused),
        max_bytes: NUMBER_MAX,
        names: IOQUAKE3_NAMES,
        duplicates: Duplicates::Last,
        larger: Larger::Refused,
        larger_entry: LargerEntry::Entry(OddEntry::Stops),
        method: OddEntry::Wrong,
        ..Zips::USUAL
    }),
    order: &[listed(&["pk3", "pk3dir"], Sort::Name)],
    loose: Loose::Wins,
    broken: PASSES_OVER,
    ..QUAKE
};

const IOQUAKE3_NAMES: Names = Names {
    case: Case::Ignored,
    backslash: Backslash::Slash,
    odd: OddPaths::RootDropped,
    lowered: false,
    longest: longest(255, LongName::NotFound),
};

/// dhewm3, *read* in `neo/framework/FileSystem.cpp` (b65d8d9) and in the minizip that it brings; it was not
/// run. It loads no paks. A ZIP that holds an `addon.conf` is not searched unless it was chosen, and one with
/// a `binary.conf` is passed over; neither is looked at here. A name of more than 2,047 bytes is cut there
/// when it is read. What it makes of a compression that it does not know was not read to its end: nothing
/// is said but that the content is not what it serves.
const DHEWM3: Profile = Profile {
    max_entries: None,
    offsets: Offsets::Unsigned,
    names: DHEWM3_NAMES,
    zips: Some(Zips {
        extensions: &["pk4"],
        names: DHEWM3_NAMES,
        duplicates: Duplicates::Last,
        method: OddEntry::Wrong,
        ..Zips::USUAL
    }),
    order: &[Step::Listed(Listing {
        extensions: &["pk4"],
        any_case: true,
        sort: Sort::Name,
        not_numbered: false,
        once: false,
    })],
    ..IOQUAKE3
};

const DHEWM3_NAMES: Names = Names {
    longest: longest(2047, LongName::NotFound),
    ..IOQUAKE3_NAMES
};

/// ezQuake 3.6.1 of Debian. Numbers are found in any case, and end at what is no pak. What a listing yields
/// has its extension in lower case. With 65,535 entries a ZIP was loaded only where it had an end record of
/// ZIP64. That a longer name than 63 bytes is not found was seen; it may be the console that cut it.
const EZQUAKE: Profile = Profile {
    max_entries: None,
    offsets: Offsets::Signed,
    names: Names {
        case: Case::Ignored,
        backslash: Backslash::OfRequests,
        ..QUAKE.names
    },
    zips: Some(Zips {
        extensions: &["pk3", "pk4"],
        max_entries: most(65_534, Effect::Refused),
        names: Names {
            case: Case::Ignored,
            backslash: Backslash::OfRequests,
            longest: longest(63, LongName::NotFound),
            ..QUAKE.names
        },
        larger: Larger::LiftsLimit,
        larger_entry: LargerEntry::Entry(OddEntry::NotFound),
        method: OddEntry::Wrong,
        ..Zips::USUAL
    }),
    order: &[
        in_any_case(&["pak"]),
        in_lower_case(&["pak"]),
        in_any_case(&["pk3"]),
        in_lower_case(&["pk3"]),
        in_any_case(&["pk4"]),
        in_lower_case(&["pk4"]),
    ],
    broken: Broken {
        not_a_pak: Effect::CountsAsMissing,
        too_short: Effect::CountsAsMissing,
        far_directory: Effect::Refused,
        cut_payload: CutPayload::Served,
        ..PASSES_OVER
    },
    order_list: true,
    ..QUAKE
};

const fn in_any_case(extensions: &'static [&'static str]) -> Step {
    Step::Numbers {
        extensions,
        last: None,
        any_case: true,
    }
}

const fn in_lower_case(extensions: &'static [&'static str]) -> Step {
    Step::Listed(Listing {
        extensions,
        any_case: false,
        sort: Sort::AsListed,
        not_numbered: false,
        once: true,
    })
}

/// uHexen2 bf2121f7, its server, without its check for the paks that the game came with. It ends with an
/// error when it is asked for an empty file. What becomes of a directory by a pak's name was not asked.
const HEXEN2: Profile = Profile {
    max_entries: most(2048, Effect::Refused),
    offsets: Offsets::Signed,
    duplicates: Duplicates::Last,
    order: &[up_to(9, &["pak"])],
    loose: Loose::Wins,
    empty: Effect::Refused,
    empty_file: OddEntry::Stops,
    broken: Broken {
        cut_directory: Effect::NoStart,
        far_directory: Effect::NoStart,
        cut_payload: CutPayload::Stops,
        ..PASSES_OVER
    },
    ..QUAKE
};

/// Hexenwail, *read* in `engine/h2shared/quakefs.c` (f540490); it was not run. The paks are uHexen2's, but
/// that names are compared without case, that what a file's end cuts off is served as zeros, and that an
/// empty file is read. Of a folder's ZIPs it loads 64 at most, of those whose extension is in lower case,
/// and of a ZIP no entry of more than 2 GiB; neither is looked at here. That bytes before a ZIP do not
/// matter was not looked up.
const HEXENWAIL: Profile = Profile {
    names: Names {
        case: Case::Ignored,
        ..QUAKE.names
    },
    zips: Some(Zips {
        max_entries: most(65_536, Effect::Refused),
        names: Names {
            case: Case::Ignored,
            longest: longest(63, LongName::NotFound),
            ..QUAKE.names
        },
        duplicates: Duplicates::Last,
        empty: Effect::Refused,
        encrypted: OddEntry::NotFound,
        ..Zips::USUAL
    }),
    order: &[
        up_to(9, &["pak"]),
        Step::Listed(Listing {
            extensions: &["pk3"],
            any_case: false,
            sort: Sort::Name,
            not_numbered: false,
            once: false,
        }),
    ],
    empty_file: OddEntry::Read,
    broken: Broken {
        cut_directory: Effect::Loads,
        cut_payload: CutPayload::Served,
        ..HEXEN2.broken
    },
    ..HEXEN2
};

/// Xash3D FWGS 633203e1, its server. Names are sorted for a search, which may end at any of several equal
/// ones. Of archives whose names differ in case alone it loads the first by their bytes. What is in WADs,
/// which it loads as archives, is not looked at here. What happens at a payload that is cut off was not
/// asked.
const XASH3D: Profile = Profile {
    max_entries: most(65_536, Effect::Refused),
    offsets: Offsets::Signed,
    names: Names {
        case: Case::Ignored,
        odd: OddPaths::RootRefused,
        ..QUAKE.names
    },
    duplicates: Duplicates::NotDefined,
    zips: Some(Zips {
        max_entries: most(65_535, Effect::Refused),
        max_bytes: NUMBER_MAX,
        names: Names {
            case: Case::Ignored,
            odd: OddPaths::RootRefused,
            longest: None,
            ..QUAKE.names
        },
        duplicates: Duplicates::NotDefined,
        empty: Effect::Refused,
        larger: Larger::RefusedIfNeeded,
        larger_entry: LargerEntry::Entry(OddEntry::NotFound),
        before: Effect::Refused,
        begins: Effect::Refused,
        empty_file: OddEntry::NotFound,
        ..Zips::USUAL
    }),
    order: &[
        listed(&["pak"], Sort::Bytes),
        listed(&["pk3"], Sort::Bytes),
        listed(&["pk3dir"], Sort::Bytes),
    ],
    loose: Loose::Wins,
    empty: Effect::Refused,
    broken: Broken {
        partial_record: Effect::Refused,
        cut_directory: Effect::Refused,
        far_directory: Effect::Refused,
        ..PASSES_OVER
    },
    others: &["wad"],
    ..QUAKE
};

/// Q2PRO 3aa0d40b of July 2025. The end of each payload must be a signed number, too, and the offset
/// even of an empty one, or the pak is refused. The listing is sorted: first what begins with `pak` in
/// any case, by the number behind that as `strtoul` reads it (`pakfoo` is 0, and `pak-2` comes behind
/// all others), then by the rest of the name.
const Q2PRO: Profile = Profile {
    max_entries: most(1_048_576, Effect::Refused),
    offsets: Offsets::SignedEnds,
    names: Names::WIDEST,
    duplicates: Duplicates::Last,
    zips: Some(Zips {
        extensions: &["pkz"],
        max_entries: most(1_048_576, Effect::Refused),
        names: Names {
            longest: longest(63, LongName::NotFound),
            ..Names::WIDEST
        },
        duplicates: Duplicates::Last,
        empty: Effect::Refused,
        larger_entry: LargerEntry::NeedsEnd,
        empty_file: OddEntry::NotFound,
        ..Zips::USUAL
    }),
    order: &[Step::Listed(Listing {
        extensions: &["pak", "pkz"],
        any_case: true,
        sort: Sort::Number,
        not_numbered: false,
        once: false,
    })],
    empty: Effect::Refused,
    broken: Broken {
        partial_record: Effect::Refused,
        cut_directory: Effect::Refused,
        far_directory: Effect::Refused,
        far_payload: Effect::Refused,
        cut_payload: CutPayload::NotFound,
        ..PASSES_OVER
    },
    ..QUAKE2
};

/// *Read* in the game's own loader; it was not run. Ten numbers are tried, each on its own. Taken for
/// it: nothing is said against a pak without entries, and what is no pak is passed over.
const DAIKATANA: Profile = Profile {
    layout: Format::Daikatana,
    max_entries: most(20_480, Effect::NoStart),
    offsets: Offsets::Signed,
    names: Names {
        longest: None,
        ..QUAKE2.names
    },
    duplicates: Duplicates::NotDefined,
    loose: Loose::Wins,
    broken: Broken {
        other_layout: Effect::Refused,
        far_directory: Effect::Refused,
        cut_payload: CutPayload::NotKnown,
        ..PASSES_OVER
    },
    ..QUAKE2
};
