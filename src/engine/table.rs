//! The table: what each engine makes of paks.
//!
//! Every fact was **observed**: the engine was run over paks and folders that show it, and said which
//! copy it served. What was seen, by engine and version, stands in
//! `tests/it/ops/engines/observed.txt`, and the tests beside it hold this table to it. Where a doc
//! line says *read*, the fact comes from the engine's source alone. An engine is added here, in
//! [`Engine`], and in that file; nowhere else.
//!
//! | engine     | version that was run | entries   | over     | case    | `\`      | duplicates  | paks                                          | empty pak | loose |
//! |------------|----------------------|-----------|----------|---------|----------|-------------|-----------------------------------------------|-----------|-------|
//! | quake      | WinQuake 1.09        | 2,048     | no start | matters | itself   | first       | to the first missing                          | loads     | loses |
//! | quakespasm | 0.97.0               | 2,048     | no start | matters | itself   | first       | to the first missing                          | ends them | loses |
//! | ironwail   | 0.8.3-dev            | 2,048     | no start | matters | itself   | first       | to the first missing                          | ends them | loses |
//! | vkquake    | 46e5e6dd (2026-08)   | 2,048     | no start | matters | itself   | first       | to the first missing                          | ends them | loses |
//! | qss        | c4893638 (2021-07)   | 4,096     | no start | matters | itself   | first       | the same, or its pk3, then `*.pak` as listed  | ends them | wins  |
//! | darkplaces | 2f25af65 (2024-08)   | 65,536    | no pak   | ignored | not found | not defined | `*.pak` by name                              | loads     | wins  |
//! | fteqw      | 93257c1a (2026-01)   |           |          | ignored | is `/`   | first       | to the first missing, then `*.pak` by name    | loads     | wins  |
//! | quake2     | 3.21                 | 4,096     | no start | ignored | itself   | first       | 0 to 9, gaps allowed                          | loads     | loses |
//! | yquake2    | 69599f5a (2026-08)   | 4,096     | warning  | ignored | itself   | not defined | 0 to 99, gaps allowed, then `*.pak` as listed | no start  | loses |
//! | q2pro      | 3aa0d40b (2025-07)   | 1,048,576 | no pak   | ignored | is `/`   | last        | `pak*` by number, then by name                | no pak    | loses |
//! | daikatana  | *read*               | 20,480    | no start | ignored | itself   | not defined | 0 to 9, gaps allowed                          | loads     | wins  |

use super::engines::Engine;
use super::names::{Backslash, Names, OddPaths};
use super::profile::{
    Broken, CutPayload, Duplicates, Effect, Listing, Loose, MaxEntries, Numbering, Offsets, OwnPak,
    Profile,
};
use crate::archive::{Case, Format};

impl Engine {
    /// What it makes of paks.
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
            Self::Quake2 => QUAKE2,
            Self::Yquake2 => YQUAKE2,
            Self::Q2pro => Q2PRO,
            Self::Daikatana => DAIKATANA,
        }
    }
}

const fn most(count: u32, over: Effect) -> Option<MaxEntries> {
    Some(MaxEntries { count, over })
}

/// WinQuake 1.09 of id's source (bf4ac42), for 32 bits, as all of its builds are: a file of 2 GiB or
/// more cannot be opened, and counts as missing. A record that is cut off, or that belongs to a
/// Daikatana pak, is taken as what it is not, without a word. What happens at a payload that is cut
/// off was not asked.
const QUAKE: Profile = Profile {
    layout: Format::Quake,
    max_entries: most(2048, Effect::NoStart),
    offsets: Offsets::ShortFile,
    names: Names {
        case: Case::Matters,
        backslash: Backslash::Itself,
        odd: OddPaths::Plain,
        full: false,
    },
    duplicates: Duplicates::First,
    numbering: Numbering::UpToFirstMissing {
        then: None,
        pk3_counts: false,
    },
    loose: Loose::Loses,
    empty: Effect::Loads,
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
/// loaded. A file `pak.lst`, which sets another order, is not followed here. What becomes of a
/// directory by a pak's name was not asked.
const QSS: Profile = Profile {
    max_entries: most(4096, Effect::NoStart),
    numbering: Numbering::UpToFirstMissing {
        then: Some(Listing {
            any_case: true,
            sorted: false,
            not_numbered: false,
            once: true,
        }),
        pk3_counts: true,
    },
    loose: Loose::Wins,
    broken: Broken {
        too_short: Effect::Misread,
        is_directory: Effect::CountsAsMissing,
        cut_directory: Effect::Loads,
        cut_payload: CutPayload::Served,
        ..QUAKESPASM.broken
    },
    others: &["pk3"],
    order_list: true,
    ..QUAKESPASM
};

/// DarkPlaces 2f25af65 of August 2024; Debian's of September 2018 differs in nothing that is said
/// here. Files are kept sorted, and a search ends at any of several equal names: the middle one in
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
        full: false,
    },
    duplicates: Duplicates::NotDefined,
    numbering: Numbering::ByName(Listing {
        any_case: true,
        sorted: true,
        not_numbered: false,
        once: true,
    }),
    loose: Loose::Wins,
    broken: Broken {
        partial_record: Effect::Refused,
        cut_directory: Effect::Refused,
        far_directory: Effect::Refused,
        cut_payload: CutPayload::Served,
        ..PASSES_OVER
    },
    others: &["pk3", "obb", "dpk"],
    ..QUAKE
};

/// FTEQW 93257c1a of January 2026, as a server. The listing behind the numbers is sorted by name
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
        full: true,
    },
    numbering: Numbering::UpToFirstMissing {
        then: Some(Listing {
            any_case: true,
            sorted: true,
            not_numbered: false,
            once: true,
        }),
        pk3_counts: false,
    },
    loose: Loose::Wins,
    broken: Broken {
        cut_payload: CutPayload::Served,
        ..PASSES_OVER
    },
    others: &["pk3", "pk4", "iwd", "kpf"],
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
    numbering: Numbering::Fixed {
        last: 9,
        then: None,
    },
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
    numbering: Numbering::Fixed {
        last: 99,
        then: Some(Listing {
            any_case: false,
            sorted: false,
            not_numbered: true,
            once: false,
        }),
    },
    empty: Effect::NoStart,
    broken: Broken {
        is_directory: Effect::CountsAsMissing,
        far_directory: Effect::NoStart,
        ..QUAKE2.broken
    },
    others: &["pk2", "pk3", "pkz", "zip"],
    ..QUAKE2
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
    numbering: Numbering::ByNumberThenName(Listing {
        any_case: true,
        sorted: true,
        not_numbered: false,
        once: false,
    }),
    empty: Effect::Refused,
    broken: Broken {
        partial_record: Effect::Refused,
        cut_directory: Effect::Refused,
        far_directory: Effect::Refused,
        far_payload: Effect::Refused,
        cut_payload: CutPayload::NotFound,
        ..PASSES_OVER
    },
    others: &["pkz"],
    ..QUAKE2
};

/// *Read* in the game's own loader; it was not run. Ten numbers are tried, each on its own. Taken for
/// it: nothing is said against a pak without entries, and what is no pak is passed over.
const DAIKATANA: Profile = Profile {
    layout: Format::Daikatana,
    max_entries: most(20_480, Effect::NoStart),
    offsets: Offsets::Signed,
    names: Names {
        full: true,
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
