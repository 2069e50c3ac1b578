//! The table: what each engine makes of paks.
//!
//! Every fact was read in the engine's own code that loads a pak, finds a file in it, and adds a
//! game's folder to the search path; where that leaves something open, the doc line says what is
//! taken for it. An engine is added here, in [`Engine`], and in `tests/it/ops/engines`, which shows
//! each fact by what the engine makes of paks; nowhere else.
//!
//! | engine     | entries   | over     | reach         | case    | duplicates  | paks                               | empty pak   | loose |
//! |------------|-----------|----------|---------------|---------|-------------|------------------------------------|-------------|-------|
//! | quake      | 2,048     | no start | 2 GiB         | matters | first       | to the first missing               | loads       | loses |
//! | quakespasm | 2,048     | no start | 2 GiB         | matters | first       | to the first missing               | ends them   | loses |
//! | ironwail   | 2,048     | no start | 2 GiB         | matters | first       | to the first missing               | ends them   | loses |
//! | vkquake    | 2,048     | no start | 2 GiB         | matters | first       | to the first missing               | ends them   | loses |
//! | qss        | 4,096     | no start | 2 GiB         | matters | first       | the same, or its pk3, then `*.pak` | ends them   | wins  |
//! | darkplaces | 65,536    | no pak   | 4 GiB         | ignored | not defined | `*.pak` by name                    | loads       | wins  |
//! | fteqw      |           |          | 4 GiB         | ignored | first       | to the first missing, then `*.pak` | loads       | wins  |
//! | quake2     | 4,096     | no start | 2 GiB         | ignored | first       | 0 to 9, gaps allowed               | loads       | loses |
//! | yquake2    | 4,096     | warning  | 2 GiB         | ignored | not defined | 0 to 99, then `*.pak`              | no start    | loses |
//! | q2pro      | 1,048,576 | no pak   | 2 GiB to ends | ignored | last        | `pak*` by number, then by name     | no pak      | loses |
//! | daikatana  | 20,480    | no start | 2 GiB         | ignored | not defined | 0 to 9, gaps allowed               | loads       | wins  |
//!
//! "Reach" is what offsets and sizes stay below; in Q2PRO so do the ends of payloads.

use super::Engine;
use super::profile::{
    Duplicates, Empty, Listing, Loose, MaxEntries, Numbering, Offsets, Over, Profile,
};
use crate::pak::{Case, Layout};

pub(super) const fn profile(engine: Engine) -> Profile {
    match engine {
        Engine::Quake => QUAKE,
        Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake => QUAKESPASM,
        Engine::Qss => QSS,
        Engine::DarkPlaces => DARKPLACES,
        Engine::Fteqw => FTEQW,
        Engine::Quake2 => QUAKE2,
        Engine::Yquake2 => YQUAKE2,
        Engine::Q2pro => Q2PRO,
        Engine::Daikatana => DAIKATANA,
    }
}

const fn most(count: u32, over: Over) -> Option<MaxEntries> {
    Some(MaxEntries { count, over })
}

/// Read in `COM_LoadPackFile`, `COM_FindFile` and `COM_AddGameDirectory` of the released source.
/// The directory is copied into an array of 2,048 records, and more end the program. Offsets are
/// `int`s that go to `fseek`. Names are compared with `strcmp`, from the first entry on. The folder
/// goes into the search path before its paks do, so that these go first. Nothing is said against a
/// pak without entries.
const QUAKE: Profile = Profile {
    layout: Layout::Quake,
    max_entries: most(2048, Over::RefusesToStart),
    offsets: Offsets::Signed,
    case: Case::Matters,
    duplicates: Duplicates::First,
    numbering: Numbering::UpToFirstMissing {
        then: None,
        pk3_counts: false,
    },
    loose: Loose::Loses,
    empty: Empty::Loads,
    others: &[],
    order_list: false,
};

/// Read in the same functions of QuakeSpasm's, Ironwail's and vkQuake's source, which are alike. A
/// pak without entries is "ignored", with the answer that a missing one gives: no further number is
/// tried.
const QUAKESPASM: Profile = Profile {
    empty: Empty::CountsAsMissing,
    ..QUAKE
};

/// Read in the same functions of QuakeSpasm-Spiked's source. Each number is tried as `.pak` and
/// then as `.pk3`, and one of them is enough to go on. What a listing of the folder yields comes
/// behind them, its extension compared without case, as the file system lists it; a pak is passed
/// over when one of that path, compared without case, is loaded. The folder comes last, so that
/// loose files go first. A file `pak.lst`, which sets another order, is not followed here.
const QSS: Profile = Profile {
    max_entries: most(4096, Over::RefusesToStart),
    numbering: Numbering::UpToFirstMissing {
        then: Some(Listing {
            any_case: true,
            not_pak: false,
            once: true,
        }),
        pk3_counts: true,
    },
    loose: Loose::Wins,
    empty: Empty::CountsAsMissing,
    others: &["pk3"],
    order_list: true,
    ..QUAKE
};

/// Read in `FS_LoadPackPAK`, `FS_AddFileToPack` and `FS_AddGameDirectory` of DarkPlaces' source.
/// Offsets become unsigned. Files are kept sorted for a binary search without case, which may end
/// at any of several equal names. The folder is listed and sorted, extensions are compared without
/// case, and a pak is passed over when one of that path, compared without case, is loaded.
const DARKPLACES: Profile = Profile {
    layout: Layout::Quake,
    max_entries: most(65_536, Over::RefusesPak),
    offsets: Offsets::Unsigned,
    case: Case::Ignored,
    duplicates: Duplicates::NotDefined,
    numbering: Numbering::ByName(Listing {
        any_case: true,
        not_pak: false,
        once: true,
    }),
    loose: Loose::Wins,
    empty: Empty::Loads,
    others: &["pk3"],
    order_list: false,
};

/// Read in the pak reader and in `FS_AddDataFiles` of FTEQW's source. What a listing yields is
/// taken as the file system lists it, unless a pak of that path, compared without case, is loaded.
/// Taken for it, since builds differ: the listing's `*.pak` is in lower case, and nothing is said
/// against a pak without entries. A file `pak.lst`, which sets another order, is not followed here.
const FTEQW: Profile = Profile {
    layout: Layout::Quake,
    max_entries: None,
    offsets: Offsets::Unsigned,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    numbering: Numbering::UpToFirstMissing {
        then: Some(Listing {
            any_case: false,
            not_pak: false,
            once: true,
        }),
        pk3_counts: false,
    },
    loose: Loose::Wins,
    empty: Empty::Loads,
    others: &["pk3", "pk4"],
    order_list: true,
};

/// Read in `FS_LoadPackFile`, `FS_FOpenFile` and `FS_AddGameDirectory` of the released source.
/// Names are compared with `Q_strcasecmp`, from the first entry on. Ten numbers are tried, each on
/// its own. Nothing is said against a pak without entries.
const QUAKE2: Profile = Profile {
    layout: Layout::Quake,
    max_entries: most(4096, Over::RefusesToStart),
    offsets: Offsets::Signed,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    numbering: Numbering::Fixed {
        last: 9,
        then: None,
    },
    loose: Loose::Loses,
    empty: Empty::Loads,
    others: &[],
    order_list: false,
};

/// Read in `FS_LoadPAK` and `FS_AddDirToSearchPath` of Yamagi Quake II's source. Names are sorted
/// for a search, which may end at any of several equal ones. A hundred numbers are tried, each on
/// its own; then a listing of `*.pak` in lower case, without what begins with `pak`, as the file
/// system lists it.
const YQUAKE2: Profile = Profile {
    max_entries: most(4096, Over::Warns),
    duplicates: Duplicates::NotDefined,
    numbering: Numbering::Fixed {
        last: 99,
        then: Some(Listing {
            any_case: false,
            not_pak: true,
            once: false,
        }),
    },
    empty: Empty::RefusesToStart,
    others: &["pk2", "pk3", "pkz", "zip"],
    ..QUAKE2
};

/// Read in `load_pak_file`, `pakcmp` and `add_game_dir` of Q2PRO's source. The end of each payload
/// must be a signed number, too, or the pak is refused. Entries go into chains of a hash, each in
/// front of those before it, so that the last of a name is found first. The folder is listed, its
/// extensions compared without case.
const Q2PRO: Profile = Profile {
    max_entries: most(1_048_576, Over::RefusesPak),
    offsets: Offsets::SignedEnds,
    duplicates: Duplicates::Last,
    numbering: Numbering::ByNumberThenName(Listing {
        any_case: true,
        not_pak: false,
        once: false,
    }),
    empty: Empty::RefusesPak,
    others: &["pkz"],
    ..QUAKE2
};

/// Read in the game's own loader. Ten numbers are tried, each on its own. Taken for it: nothing is
/// said against a pak without entries.
const DAIKATANA: Profile = Profile {
    layout: Layout::Daikatana,
    max_entries: most(20_480, Over::RefusesToStart),
    offsets: Offsets::Signed,
    case: Case::Ignored,
    duplicates: Duplicates::NotDefined,
    numbering: Numbering::Fixed {
        last: 9,
        then: None,
    },
    loose: Loose::Wins,
    empty: Empty::Loads,
    others: &[],
    order_list: false,
};
