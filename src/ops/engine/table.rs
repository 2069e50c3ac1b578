//! The table: what each engine makes of paks.
//!
//! Every fact was read in the engine's own code that loads a pak, finds a file in it, and adds a
//! game's folder to the search path; where that leaves something open, the doc line says what is
//! taken for it. An engine is added here, in [`Engine`], and nowhere else.
//!
//! | engine                            | entries   | over       | case    | duplicates  | paks                        | loose |
//! |-----------------------------------|-----------|------------|---------|-------------|-----------------------------|-------|
//! | quake, quakespasm, ironwail, vkquake | 2,048  | no start   | matters | first       | to the first missing        | loses |
//! | qss                               | 4,096     | no start   | matters | first       | the same, then `*.pak`      | wins  |
//! | darkplaces                        | 65,536    | no pak     | ignored | not defined | `*.pak` by name             | wins  |
//! | fteqw                             |           |            | ignored | first       | to the first missing, then `*.pak` | wins |
//! | quake2                            | 4,096     | no start   | ignored | first       | 0 to 9, gaps allowed        | loses |
//! | yquake2                           | 4,096     | warning    | ignored | not defined | 0 to 99, then `*.pak`       | loses |
//! | q2pro                             | 1,048,576 | no pak     | ignored | last        | `pak*` by number, then `*.pak` by name | loses |
//! | daikatana                         | 20,480    | no start   | ignored | not defined | 0 to 9, gaps allowed        | wins  |

use super::Engine;
use super::profile::{Duplicates, Empty, Listing, Loose, Numbering, Offsets, Over, Profile};
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

/// Read in `COM_LoadPackFile`, `COM_FindFile` and `COM_AddGameDirectory` of the released source.
/// The directory is copied into an array of 2,048 records, and more end the program. Offsets are
/// `int`s that go to `fseek`. Names are compared with `strcmp`, from the first entry on. The folder
/// goes into the search path before its paks do, so that these go first. Nothing is said against a
/// pak without entries.
const QUAKE: Profile = Profile {
    layout: Layout::Quake,
    max_entries: Some(2048),
    over: Over::RefusesToStart,
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
    max_entries: Some(4096),
    numbering: Numbering::UpToFirstMissing {
        then: Some(Listing {
            any_case: true,
            not_pak: false,
            sorted: false,
            once: true,
        }),
        pk3_counts: true,
    },
    loose: Loose::Wins,
    empty: Empty::CountsAsMissing,
    others: &["pk3"],
    ..QUAKE
};

/// Read in `FS_LoadPackPAK`, `FS_AddFileToPack` and `FS_AddGameDirectory` of DarkPlaces' source.
/// Offsets become unsigned. Files are kept sorted for a binary search without case, which may end
/// at any of several equal names. The folder is listed and sorted, extensions are compared without
/// case, and a pak is passed over when one of that path, compared without case, is loaded.
const DARKPLACES: Profile = Profile {
    layout: Layout::Quake,
    max_entries: Some(65_536),
    over: Over::RefusesPak,
    offsets: Offsets::Unsigned,
    case: Case::Ignored,
    duplicates: Duplicates::NotDefined,
    numbering: Numbering::ByName(Listing {
        any_case: true,
        not_pak: false,
        sorted: true,
        once: true,
    }),
    loose: Loose::Wins,
    empty: Empty::Loads,
    others: &["pk3"],
};

/// Read in the pak reader and in `FS_AddDataFiles` of FTEQW's source. What a listing yields is
/// taken as the file system lists it, unless a pak of that path, compared without case, is loaded.
/// Taken for it, since builds differ: the listing's `*.pak` is in lower case, and nothing is said
/// against a pak without entries. A file `pak.lst`, which sets another order, is not followed here.
const FTEQW: Profile = Profile {
    layout: Layout::Quake,
    max_entries: None,
    over: Over::Nothing,
    offsets: Offsets::Unsigned,
    case: Case::Ignored,
    duplicates: Duplicates::First,
    numbering: Numbering::UpToFirstMissing {
        then: Some(Listing {
            any_case: false,
            not_pak: false,
            sorted: false,
            once: true,
        }),
        pk3_counts: false,
    },
    loose: Loose::Wins,
    empty: Empty::Loads,
    others: &["pk3", "pk4"],
};

/// Read in `FS_LoadPackFile`, `FS_FOpenFile` and `FS_AddGameDirectory` of the released source.
/// Names are compared with `Q_strcasecmp`, from the first entry on. Ten numbers are tried, each on
/// its own. Nothing is said against a pak without entries.
const QUAKE2: Profile = Profile {
    layout: Layout::Quake,
    max_entries: Some(4096),
    over: Over::RefusesToStart,
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
};

/// Read in `FS_LoadPAK` and `FS_AddDirToSearchPath` of Yamagi Quake II's source. Names are sorted
/// for a search, which may end at any of several equal ones. A hundred numbers are tried, each on
/// its own; then a listing of `*.pak` in lower case, without what begins with `pak`, as the file
/// system lists it.
const YQUAKE2: Profile = Profile {
    over: Over::Warns,
    duplicates: Duplicates::NotDefined,
    numbering: Numbering::Fixed {
        last: 99,
        then: Some(Listing {
            any_case: false,
            not_pak: true,
            sorted: false,
            once: false,
        }),
    },
    empty: Empty::RefusesToStart,
    others: &["pk3"],
    ..QUAKE2
};

/// Read in `load_pak_file`, `pakcmp` and `add_game_dir` of Q2PRO's source. The end of each payload
/// must be a signed number, too, or the pak is refused. Entries go into chains of a hash, each in
/// front of those before it, so that the last of a name is found first. The folder is listed, its
/// extensions compared without case.
const Q2PRO: Profile = Profile {
    max_entries: Some(1_048_576),
    over: Over::RefusesPak,
    offsets: Offsets::SignedEnds,
    duplicates: Duplicates::Last,
    numbering: Numbering::ByNumberThenName(Listing {
        any_case: true,
        not_pak: false,
        sorted: true,
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
    max_entries: Some(20_480),
    over: Over::RefusesToStart,
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
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The facts, said once more by hand: a slip of the table fails here.
    #[test]
    fn the_table_says_what_is_known_of_each_engine() {
        let rows: Vec<String> = Engine::ALL
            .into_iter()
            .map(|engine| {
                let it = engine.profile();
                let limits = it.limits();
                format!(
                    "{engine} {} {:?} {:?} {} {:?} {:?} {:?} {:?} {:?}",
                    it.layout,
                    it.max_entries,
                    it.over,
                    limits.max_bytes,
                    it.offsets,
                    it.case,
                    it.duplicates,
                    it.loose,
                    it.empty
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                "quake quake Some(2048) RefusesToStart 2147483647 Signed Matters First Loses Loads",
                "quakespasm quake Some(2048) RefusesToStart 2147483647 Signed Matters First Loses CountsAsMissing",
                "ironwail quake Some(2048) RefusesToStart 2147483647 Signed Matters First Loses CountsAsMissing",
                "vkquake quake Some(2048) RefusesToStart 2147483647 Signed Matters First Loses CountsAsMissing",
                "qss quake Some(4096) RefusesToStart 2147483647 Signed Matters First Wins CountsAsMissing",
                "darkplaces quake Some(65536) RefusesPak 4294967295 Unsigned Ignored NotDefined Wins Loads",
                "fteqw quake None Nothing 4294967295 Unsigned Ignored First Wins Loads",
                "quake2 quake Some(4096) RefusesToStart 2147483647 Signed Ignored First Loses Loads",
                "yquake2 quake Some(4096) Warns 2147483647 Signed Ignored NotDefined Loses RefusesToStart",
                "q2pro quake Some(1048576) RefusesPak 2147483647 SignedEnds Ignored Last Loses RefusesPak",
                "daikatana daikatana Some(20480) RefusesToStart 2147483647 Signed Ignored NotDefined Wins Loads",
            ]
        );
    }
}
