//! The table of engines: a row for each, with everything that is known of it.
//!
//! Each row says how its facts are known. `ran`: this version was run on paks and folders that show them, and it
//! said which copy it served. `tests/it/ops/engines/observed.txt` has the observations, and the tests beside it
//! compare this table with them. `read`: the facts were read in the engine's source. Facts that were only read are
//! marked *read* in the row of an engine that was run. A new engine is a line in the list and a row, both here,
//! and, if it was run, its observations in that file.
//!
//! The file types of each row were read in the engine's source, with its default compile options; nothing was
//! observed. The engine's loader refuses a type that its row does not name, or reads it as something else. "Sounds"
//! are the effects of a game; music is not covered. Where engines look for a map's entities (`ents`) was read, too,
//! with the default values of their settings.

use super::names::{Backslash, LongName, LongestName, Names, OddPaths};
use super::profile::{
    ArchiveRules, Broken, Duplicates, Effect, EngineProfile, Ents, EntsFrom, FileTypes, Known,
    Larger, ListOrder, LooseRule, MaxEntries, Odd, OddEntry, Offsets, OwnPak, Paks, SIGNED_MAX,
    Step, Zips,
};
use crate::archive::{Case, Format};
use crate::format::NUMBER_MAX;
use Duplicates::{First, Last};
use Effect::{CountsAsMissing, Loads, Misread, NoStart, Refused};
use ListOrder::{Bytes, FileSystem, Name};
use LooseRule::{Loses, Wins};
use OddEntry::{NotFound, NotKnown, Stops, Wrong};

/// Makes [`Engine`] from the list of engines, each with its row.
macro_rules! engines {
    ($($(#[$doc:meta])* $name:ident = $row:ident,)*) => {
        /// An engine that loads paks, ZIPs, or both.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Engine {
            $($(#[$doc])* $name,)*
        }

        impl Engine {
            /// All engines, by family.
            pub const ALL: [Self; [$(stringify!($name),)*].len()] = [$(Self::$name,)*];

            /// Everything that is known of it.
            #[must_use]
            pub const fn profile(self) -> &'static EngineProfile {
                match self {
                    $(Self::$name => &$row,)*
                }
            }
        }
    };
}

engines! {
    /// Quake, as id Software released it.
    Quake = QUAKE,
    /// QuakeSpasm.
    QuakeSpasm = QUAKESPASM,
    /// Ironwail.
    Ironwail = IRONWAIL,
    /// vkQuake.
    VkQuake = VKQUAKE,
    /// QuakeSpasm-Spiked.
    Qss = QSS,
    /// DarkPlaces.
    DarkPlaces = DARKPLACES,
    /// FTEQW.
    Fteqw = FTEQW,
    /// ezQuake.
    EzQuake = EZQUAKE,
    /// Hexen II, in the engine uHexen2.
    Hexen2 = HEXEN2,
    /// Hexenwail, another engine for Hexen II.
    Hexenwail = HEXENWAIL,
    /// Xash3D FWGS, an engine for Half-Life.
    Xash3d = XASH3D,
    /// Quake II, as id Software released it.
    Quake2 = QUAKE2,
    /// Yamagi Quake II.
    Yquake2 = YQUAKE2,
    /// Yamagi Quake II Remaster.
    Yquake2Remaster = YQUAKE2_REMASTER,
    /// Q2PRO.
    Q2pro = Q2PRO,
    /// ioquake3.
    IoQuake3 = IOQUAKE3,
    /// dhewm3, an engine for Doom 3.
    Dhewm3 = DHEWM3,
    /// Daikatana.
    Daikatana = DAIKATANA,
}

// All builds of it are for 32 bits, so a file of 2 GiB or more cannot be opened and counts as missing. It reads an
// incomplete record, or a record of a Daikatana pak, as a whole one of its own, without a warning.
const QUAKE: EngineProfile = EngineProfile {
    name: "quake", family: Some("all-quake"),
    known: ran("WinQuake 1.09 of id's source, bf4ac42, for 32 bits", "2026-11"),
    paks: Some(Paks {
        layout: Format::Quake,
        by_length: false,
        offsets: Offsets::ShortFile,
        rules: ArchiveRules {
            max_entries: most(2_048, NoStart), names: Names { longest: ENDED, ..EXACT },
            duplicates: First, empty: Loads, odd: Odd { cut: NotKnown, ..ALL_READ },
        },
        broken: Broken {
            not_a_pak: NoStart, too_short: NoStart, is_directory: NoStart,
            other_layout: Misread, partial_record: Loads, cut_directory: Loads,
            far_directory: CountsAsMissing, far_payload: Loads,
        },
    }),
    zips: None,
    order: &[numbers(&["pak"])],
    loose: Loses, own: OwnPak::None, needs_pak0: false, others: &[], order_list: false,
    // a8f828a `WinQuake/model.c`; 0023db3 `snd_mem.c`, `draw.c`
    types: types("bsp29 mdl spr wav lmp", ""),
    replaces_textures: false,
    ents: None,
};

// After a pak without entries it tries no further number, as after a missing one. Its own pak also replaces the loose
// files of the base directory. Debian's 0.95.1 differs: it continues with the part of a directory that is cut off,
// serves the part of a payload that is cut off, and reads a file shorter than a header with the header of the pak
// before it.
const QUAKESPASM: EngineProfile = EngineProfile {
    name: "quakespasm",
    known: ran("0.97.0, f5fe1786 of 2026-08-11", "2026-11"),
    paks: Some(QUAKESPASM_PAKS),
    own: OwnPak::Beside("quakespasm.pak"),
    // f5fe1786 `gl_model.c`, `snd_mem.c`; 1e728fa `image.c`; WADs of worldspawn since December 2024
    types: types("bsp29 bsp30 bsp2 2psb q64 mdl spr wav tga pcx lmp", "md3 md5mesh md5anim"),
    replaces_textures: true,
    // `gl_model.c`, Mod_LoadEntities
    ents: Some(Ents { by_checksum: Some(EntsFrom::MapsOrLater), plain: EntsFrom::MapsOrLater }),
    ..QUAKE
};

const QUAKESPASM_PAKS: Paks = Paks {
    offsets: Offsets::Signed,
    rules: ArchiveRules {
        empty: CountsAsMissing, odd: Odd { cut: Stops, ..ALL_READ }, ..QUAKE_PAKS.rules
    },
    broken: Broken { cut_directory: NoStart, far_directory: NoStart, ..QUAKE_PAKS.broken },
    ..QUAKE_PAKS
};

const IRONWAIL: EngineProfile = EngineProfile {
    name: "ironwail",
    known: ran("0.8.3-dev, 7ff4ec57 of 2026-08-20", "2026-11"),
    own: OwnPak::Beside("ironwail.pak"),
    needs_pak0: true,
    // 0c69c8f `gl_model.c`; 8fca359 `image.c`; 7ff4ec57 `snd_mem.c`; it reads MD3 and MD5 in place of an MDL
    types: types(
        "bsp29 bsp2 2psb q64 mdl md3 md5mesh md5anim spr wav tga png jpeg pcx lmp", "bsp30",
    ),
    ..QUAKESPASM
};

// It loads its own pak after the base directory's pak0. So even if that pak0 is empty, a pak has loaded, and the
// numbers go on.
const VKQUAKE: EngineProfile = EngineProfile {
    name: "vkquake",
    known: ran("46e5e6dd of 2026-08-21", "2026-11"),
    paks: Some(Paks {
        rules: ArchiveRules { odd: ALL_READ, ..QUAKESPASM_PAKS.rules },
        broken: Broken { too_short: Misread, cut_directory: Misread, ..QUAKESPASM_PAKS.broken },
        ..QUAKESPASM_PAKS
    }),
    own: OwnPak::Within,
    // 46e5e6dd `gl_model.c`, `image.c`, `snd_mem.c`
    types: types(
        "bsp29 bsp30 bsp2 2psb q64 mdl md3 md5mesh md5anim spr wav tga png jpeg pcx lmp", "",
    ),
    // `gl_model.c`, Mod_LoadEntities: where a file with the right checksum is does not matter
    ents: Some(Ents { by_checksum: Some(EntsFrom::Any), plain: EntsFrom::MapsOrLater }),
    ..QUAKESPASM
};

// A file `pak.lst`, which sets another order, is ignored here. A directory with a pak's name was not tried. Names
// become lower case when a ZIP is loaded, so only a request in lower case finds them. The entries fill the memory
// that it starts with: 25,000 loaded, and with 30,000 it did not start.
const QSS: EngineProfile = EngineProfile {
    name: "qss",
    known: ran("c4893638 of 2021-07-10", "2026-11"),
    paks: Some(Paks {
        rules: ArchiveRules {
            max_entries: most(4_096, NoStart), odd: ALL_READ, ..QUAKESPASM_PAKS.rules
        },
        broken: Broken {
            too_short: Misread, is_directory: CountsAsMissing, cut_directory: Loads,
            ..QUAKESPASM_PAKS.broken
        },
        ..QUAKESPASM_PAKS
    }),
    zips: Some(Zips {
        max_bytes: SIGNED_MAX,
        rules: ArchiveRules {
            max_entries: most(25_000, NoStart), duplicates: First,
            names: Names { lowered: true, longest: longest(63, LongName::Cut), ..EXACT },
            odd: Odd {
                encrypted: NotFound, method: NotFound, link: NotFound, behind: Wrong,
                ..ZIPS.rules.odd
            },
            ..ZIPS.rules
        },
        before: NoStart,
        ..ZIPS
    }),
    // One archive of each number is enough to continue.
    order: &[numbers(&["pak", "pk3"]), listed(&["pak"], FileSystem), listed(&["pk3"], FileSystem)],
    loose: Wins,
    order_list: true,
    // c4893638 `gl_model.c`, `image.c`; 189fcc1 `snd_mem.c`; PNG by vkQuake's issue 333 of August 2021
    types: types(
        "bsp29 bsp2 2psb mdl spr wav ogg mp3 tga png pcx lmp",
        "bsp30 q64 wal md3 md5mesh md5anim hlspr spr32 jpeg bmp",
    ),
    ents: Some(Ents { by_checksum: None, plain: EntsFrom::MapsOrLater }),
    ..QUAKESPASM
};

// Debian's version of September 2018 knows neither `dpk` nor `dpkdir`. Files are kept sorted, and a search ends at any
// of several equal names. Payloads may begin beyond 2 GiB, but the directory may not: such a pak loads, but none of
// its names is found. It refuses a ZIP with a name that is too long, unless that is the last name, which is cut.
const DARKPLACES: EngineProfile = EngineProfile {
    name: "darkplaces",
    known: ran("2f25af655 of 2024-08-07", "2026-11"),
    paks: Some(Paks {
        offsets: Offsets::SignedDirectory,
        rules: ArchiveRules {
            max_entries: most(65_536, Refused), names: Names { longest: ENDED, ..DARKPLACES_NAMES },
            duplicates: Duplicates::NotDefined, empty: Loads, odd: ALL_READ,
        },
        broken: STRICT,
        ..QUAKE_PAKS
    }),
    zips: Some(Zips {
        max_bytes: NUMBER_MAX,
        rules: ArchiveRules {
            max_entries: most(65_535, Refused), duplicates: Duplicates::NotDefined,
            names: Names { longest: longest(127, LongName::Refused), ..DARKPLACES_NAMES },
            odd: Odd { larger: NotFound, encrypted: NotFound, method: NotFound, ..ZIPS.rules.odd },
            ..ZIPS.rules
        },
        larger: Larger::Refused,
        ..ZIPS
    }),
    order: &[listed(&["pak"], Name), listed(&["pk3", "obb", "dpk", "pk3dir", "dpkdir"], Name)],
    loose: Wins,
    // 5e50734, b32e6e3 `model_shared.c`; 7307693 `model_brush.c`; 0128967 `model_sprite.c`; bebdddd `image.c`; 503f6fe
    // `snd_mem.c`
    types: types(
        "bsp29 bsp30 bsp2 2psb ibsp46 ibsp47 wal mdl md2 md3 spr hlspr spr32 sp2 wav ogg tga png jpeg pcx lmp",
        "q64 rbsp fbsp ibsp38 mp3",
    ),
    replaces_textures: true,
    // `sv_main.c`, sv_entpatch
    ents: Some(BESIDE),
    ..QUAKE
};

const DARKPLACES_NAMES: Names =
    Names { backslash: Backslash::Refused, odd: OddPaths::Refused, ..NO_CASE };

// The whole records of a directory that is cut off count. A file `pak.lst`, whose paks it loads before the numbers, is
// ignored here. As a client it also loads `pkz` and `pkx` (*read*).
const FTEQW: EngineProfile = EngineProfile {
    name: "fteqw",
    known: ran("93257c1ac of 2026-01-05, the server", "2026-11"),
    paks: Some(Paks {
        offsets: Offsets::Unsigned,
        rules: ArchiveRules {
            max_entries: None, duplicates: First, empty: Loads, odd: ALL_READ,
            names: Names { odd: OddPaths::RefusedRootDropped, ..SLASHES },
        },
        broken: Broken { far_directory: CountsAsMissing, ..TOLERANT },
        ..QUAKE_PAKS
    }),
    zips: Some(Zips {
        rules: ArchiveRules {
            duplicates: First,
            names: Names {
                odd: OddPaths::Refused, longest: longest(127, LongName::Cut), ..SLASHES
            },
            odd: Odd { encrypted: NotFound, method: NotFound, behind: Wrong, ..ZIPS.rules.odd },
            ..ZIPS.rules
        },
        utf8: Refused,
        ..ZIPS
    }),
    // With `fs_packageprioritisation 0` the listing would be sorted by time (*read*).
    order: &[
        numbers(&["pak"]), numbers(&["pk3"]), numbers(&["pk4"]), numbers(&["iwd"]),
        numbers(&["kpf"]), listed(&["pak"], Name), listed(&["pk3"], Name), listed(&["pk4"], Name),
        listed(&["iwd"], Name), listed(&["kpf"], Name), listed(&["pk3dir"], Name),
    ],
    loose: Wins,
    order_list: true,
    // 2bf1930 `gl_model.c`, `com_mesh.c`, and a later text of the former for the list of maps, which has Quake 64's, and
    // those of Raven and QFusion if they are compiled in; 95f13b3 `image.c`; 062cdf6 `snd_mem.c`
    types: types(
        "bsp29 bsp30 bsp2 2psb q64 ibsp38 qbsp38 ibsp46 ibsp47 wal mdl md2 md3 md5mesh md5anim hlmdl spr hlspr spr32 sp2 wav ogg tga png jpeg pcx bmp lmp",
        "rbsp fbsp wal3 m8 m32 swl dkm mp3",
    ),
    replaces_textures: true,
    // `gl_model.c`, sv_loadentfiles
    ents: Some(BESIDE),
    ..QUAKE
};

// A ZIP with 65,535 entries loaded only if it had an end record of ZIP64. A name of more than 63 bytes in a ZIP was
// not found; perhaps the console cut it.
const EZQUAKE: EngineProfile = EngineProfile {
    name: "ezquake",
    known: ran("3.6.1 of Debian, the client", "2026-11"),
    paks: Some(Paks {
        offsets: Offsets::Signed,
        rules: ArchiveRules {
            max_entries: None, names: Names { longest: ENDED, ..EZQUAKE_NAMES }, odd: ALL_READ,
            ..QUAKE_PAKS.rules
        },
        broken: Broken {
            not_a_pak: CountsAsMissing, too_short: CountsAsMissing, far_directory: Refused,
            ..TOLERANT
        },
        ..QUAKE_PAKS
    }),
    zips: Some(Zips {
        rules: ArchiveRules {
            max_entries: most(65_534, Refused), duplicates: First,
            names: Names { longest: longest(63, LongName::NotFound), ..EZQUAKE_NAMES },
            odd: Odd { larger: NotFound, ..WRONG },
            ..ZIPS.rules
        },
        larger: Larger::LiftsLimit,
        ..ZIPS
    }),
    // Numbers end at a file that is not a pak.
    order: &[
        Step::Numbers { extensions: &["pak"], last: None, any_case: true },
        listed_once_in_lower_case(&["pak"]),
        Step::Numbers { extensions: &["pk3"], last: None, any_case: true },
        listed_once_in_lower_case(&["pk3"]),
        Step::Numbers { extensions: &["pk4"], last: None, any_case: true },
        listed_once_in_lower_case(&["pk4"]),
    ],
    order_list: true,
    // 0349e45 `r_model.c`; 743353c `r_texture_load.c`; 2f0ff42 `snd_mem.c`
    types: types(
        "bsp29 bsp30 bsp2 2psb mdl md3 spr wav tga png jpeg pcx lmp", "q64 hlspr spr32 ogg mp3",
    ),
    replaces_textures: true,
    ..QUAKE
};

const EZQUAKE_NAMES: Names = Names { backslash: Backslash::OfRequests, ..NO_CASE };

// A directory with a pak's name was not tried. *Read*: two other texts of `engine/h2shared/quakefs.c` (0189762, e80662f)
// serve the first of equal names, and do not check whether a file was read, so that none stops the game. All else is
// the same; neither reads ZIPs. The change of September 2026 could not be read.
const HEXEN2: EngineProfile = EngineProfile {
    name: "hexen2", family: None,
    known: ran(
        "uHexen2 bf2121f7, the server, without its check for the game's own paks", "2026-11",
    ),
    paks: Some(Paks {
        offsets: Offsets::Signed,
        rules: ArchiveRules {
            max_entries: most(2_048, Refused), duplicates: Last, empty: Refused,
            odd: Odd { empty: Stops, cut: Stops, ..ALL_READ },
            ..QUAKE_PAKS.rules
        },
        broken: Broken { cut_directory: NoStart, ..TOLERANT },
        ..QUAKE_PAKS
    }),
    order: &[numbers_to(9, &["pak"])],
    loose: Wins,
    // uHexen2 38d89c0, 0085bef `gl_model.c`; 061b9dd `gl_draw.c`; 15d4570 `snd_mem.c`; a WAL needs "HWAL" before it
    types: types("bsp29 mdl spr wav lmp", ""),
    replaces_textures: true,
    ..QUAKE
};

// The missing part of a payload that is cut off is served as zeros. It loads no entry of more than 2 GiB and 64 ZIPs
// at most, which are ignored here. Whether bytes before a ZIP matter was not looked up. Only the code that loads
// archives was read.
const HEXENWAIL: EngineProfile = EngineProfile {
    name: "hexenwail",
    known: Known::Read { source: "engine/h2shared/quakefs.c, f540490" },
    paks: Some(Paks {
        offsets: Offsets::Signed,
        rules: ArchiveRules {
            max_entries: most(2_048, Refused), names: Names { longest: ENDED, ..NO_CASE },
            duplicates: Last, empty: Refused, odd: ALL_READ,
        },
        broken: TOLERANT,
        ..QUAKE_PAKS
    }),
    zips: Some(Zips {
        rules: ArchiveRules {
            max_entries: most(65_536, Refused), empty: Refused,
            names: Names { longest: longest(63, LongName::NotFound), ..NO_CASE },
            odd: Odd { encrypted: NotFound, method: NotFound, link: Wrong, ..ZIPS.rules.odd },
            ..ZIPS.rules
        },
        ..ZIPS
    }),
    order: &[
        numbers_to(9, &["pak"]),
        Step::Listing {
            extensions: &["pk3"], order: Name, any_case: false, skip_numbered: false, once: false,
        },
    ],
    types: None,
    ..HEXEN2
};

// Names are sorted for a search, which may end at any of several equal ones. It also loads WADs as archives; their
// entries are ignored here. If names of archives differ only in case, it loads the first by their bytes.
const XASH3D: EngineProfile = EngineProfile {
    name: "xash3d", family: None,
    known: ran("633203e1 of FWGS, the server", "2026-11"),
    paks: Some(Paks {
        offsets: Offsets::Signed,
        rules: ArchiveRules {
            max_entries: most(65_536, Refused), duplicates: Duplicates::NotDefined, empty: Refused,
            names: Names { odd: OddPaths::RootRefused, longest: ENDED, ..NO_CASE },
            ..QUAKE_PAKS.rules
        },
        broken: STRICT,
        ..QUAKE_PAKS
    }),
    zips: Some(Zips {
        max_bytes: NUMBER_MAX,
        rules: ArchiveRules {
            max_entries: most(65_535, Refused), duplicates: Duplicates::NotDefined, empty: Refused,
            names: Names { odd: OddPaths::RootRefused, ..NO_CASE },
            odd: Odd { larger: NotFound, method: NotFound, empty: NotFound, ..WRONG },
        },
        larger: Larger::RefusedIfNeeded,
        before: Refused,
        begins: Refused,
        ..ZIPS
    }),
    order: &[listed(&["pak"], Bytes), listed(&["pk3"], Bytes), listed(&["pk3dir"], Bytes)],
    loose: Wins,
    others: &["wad"],
    // eacc35d `mod_bmodel.c`, `model.c`; 0fe18ae `mod_sprite.c`; 2320734 `img_utils.c`; d5832e9 `snd_utils.c`
    types: types("bsp29 bsp30 bsp2 hlmdl mdl hlspr spr wav mp3 ogg bmp tga png lmp", "spr32"),
    replaces_textures: true,
    // eacc35d `mod_bmodel.c`, Mod_LoadEntities: from the mod's own directory and its archives, unless it is older than
    // the map. The latter is left out, because a copy or a checkout gives files other times, and one answer must hold
    // for all of them.
    ents: Some(Ents { plain: EntsFrom::Last, ..BESIDE }),
    ..QUAKE
};

const QUAKE2: EngineProfile = EngineProfile {
    name: "quake2", family: Some("all-quake2"),
    known: ran("3.21 of id's source, 372afde, for 32 bits", "2026-11"),
    paks: Some(Paks {
        rules: ArchiveRules {
            max_entries: most(4_096, NoStart), names: Names { longest: ENDED, ..NO_CASE },
            odd: Odd { cut: Stops, ..ALL_READ },
            ..QUAKE_PAKS.rules
        },
        ..QUAKE_PAKS
    }),
    order: &[numbers_to(9, &["pak"])],
    // 2afeb3f `ref_gl/gl_model.c`; 372afde `gl_image.c`, `snd_mem.c`
    types: types("ibsp38 wal md2 sp2 wav pcx tga", ""),
    ..QUAKE
};

// Names are sorted for a search, which may end at any of several equal ones. A request loses `./`, `//` and a leading
// `/` (*read*); entries with these are not found (observed). A directory with a pak's name was not tried.
const YQUAKE2: EngineProfile = EngineProfile {
    name: "yquake2",
    known: ran("69599f5a of 2026-08-08", "2026-11"),
    paks: Some(YQUAKE2_PAKS),
    zips: Some(YQUAKE2_ZIPS),
    order: &[
        numbers_to(99, &["pak"]), numbers_to(99, &["pk2"]), numbers_to(99, &["pk3"]),
        numbers_to(99, &["pkz"]), numbers_to(99, &["zip"]), listed_unless_numbered(&["pak"]),
        listed_unless_numbered(&["pk2"]), listed_unless_numbered(&["pk3"]),
        listed_unless_numbered(&["pkz"]), listed_unless_numbered(&["zip"]),
    ],
    // e4818d3 `cmodel.c`; 0588d3f `wal.c`; 146e561 `models.c`; ea09e5c `stb.c`; 6f045f7 `sound`
    types: types("ibsp38 wal md2 sp2 wav ogg pcx tga png jpeg",
        "qbsp38 m8 m32 swl md5mesh md5anim"),
    replaces_textures: true,
    // sv_entfile; the checksum since July 2024, as the names in `stuff/mapfixes` show (cb8612b)
    ents: Some(Ents { by_checksum: Some(EntsFrom::Any), ..BESIDE }),
    ..QUAKE2
};

const YQUAKE2_PAKS: Paks = Paks {
    offsets: Offsets::Signed,
    rules: ArchiveRules {
        max_entries: most(4_096, Loads), names: Names { longest: ENDED, ..YQUAKE2_NAMES },
        duplicates: Duplicates::NotDefined, empty: NoStart, odd: Odd { cut: Stops, ..ALL_READ },
    },
    broken: Broken { is_directory: CountsAsMissing, far_directory: NoStart, ..QUAKE_PAKS.broken },
    ..QUAKE_PAKS
};

const YQUAKE2_ZIPS: Zips = Zips {
    rules: ArchiveRules {
        names: Names { longest: longest(63, LongName::Stops), ..YQUAKE2_NAMES },
        duplicates: First, empty: NoStart, odd: Odd { method: Stops, ..WRONG },
        ..ZIPS.rules
    },
    ..ZIPS
};

const YQUAKE2_NAMES: Names = Names { odd: OddPaths::RequestsCleaned, ..NO_CASE };

// It recognises Daikatana's paks by the length of the directory. If that is a multiple of 64, the pak is read as a
// Quake pak, so a Daikatana pak is misread if its number of entries is a multiple of 8. A pak that fits neither length
// is skipped.
const YQUAKE2_REMASTER: EngineProfile = EngineProfile {
    name: "yquake2remaster",
    known: ran("e98451aa", "2026-11"),
    paks: Some(Paks {
        by_length: true,
        rules: ArchiveRules {
            names: YQUAKE2_NAMES, odd: Odd { cut: NotKnown, ..ALL_READ }, ..YQUAKE2_PAKS.rules
        },
        broken: Broken { partial_record: Refused, cut_directory: NoStart, ..YQUAKE2_PAKS.broken },
        ..YQUAKE2_PAKS
    }),
    zips: Some(Zips {
        rules: ArchiveRules {
            names: Names { longest: longest(127, LongName::Stops), ..YQUAKE2_NAMES },
            ..YQUAKE2_ZIPS.rules
        },
        ..YQUAKE2_ZIPS
    }),
    // 1aa53f3 `Mod_LoadGetRules`; 0ef8409 `models.c`; 2faf2b4 `sprites.c`; a33d6b0 `cl_image.c`; afd16ad `sound.c`
    types: types(
        "bsp29 ibsp38 qbsp38 ibsp41 ibsp46 wal wal3 m8 m32 swl mdl hlmdl md2 md3 md5mesh md5anim dkm spr sp2 wav ogg mp3 pcx tga png jpeg lmp",
        "bsp30 bsp2 2psb q64 rbsp fbsp ibsp47 spr32 bmp",
    ),
    ..YQUAKE2
};

// The end of each payload must also be below 2 GiB, and so must the offset of an empty payload. Otherwise the pak is
// refused.
// A map's entities are only replaced by files in the directory of the setting `map_override_path` (*read*).
const Q2PRO: EngineProfile = EngineProfile {
    name: "q2pro",
    known: ran("3aa0d40b of 2025-07-21, the server", "2026-11"),
    paks: Some(Paks {
        offsets: Offsets::SignedEnds,
        rules: ArchiveRules {
            max_entries: most(1_048_576, Refused), names: Names::WIDEST, duplicates: Last,
            empty: Refused, odd: Odd { cut: NotFound, ..ALL_READ },
        },
        broken: Broken { far_payload: Refused, ..STRICT },
        ..QUAKE_PAKS
    }),
    zips: Some(Zips {
        rules: ArchiveRules {
            max_entries: most(1_048_576, Refused), empty: Refused,
            names: Names { longest: longest(63, LongName::NotFound), ..Names::WIDEST },
            odd: Odd { method: NotFound, empty: NotFound, ..WRONG },
            ..ZIPS.rules
        },
        larger: Larger::Required,
        ..ZIPS
    }),
    // First names that begin with `pak` in any case, by the number after it as `strtoul` reads it (`pakfoo` is 0, and
    // `pak-2` comes after all others), then by the rest of the name.
    order: &[listed_each(&["pak", "pkz"], ListOrder::Number)],
    // d487c85 `bsp.c`; 050f260 `images.c`; bcfebdc `models.c`; a00ae87 `mem.c`
    types: types("ibsp38 qbsp38 wal md2 md3 md5mesh md5anim sp2 wav ogg pcx tga jpeg png", ""),
    replaces_textures: true,
    ..QUAKE2
};

// Debian's version of November 2022 has the same rules. It ends if the game asks for an entry with ZIP64 numbers.
const IOQUAKE3: EngineProfile = EngineProfile {
    name: "ioquake3", family: Some("all-quake3"),
    known: ran("5956299e, the server", "2026-11"),
    paks: None,
    zips: Some(Zips {
        max_bytes: NUMBER_MAX,
        rules: ArchiveRules {
            max_entries: most(65_535, Refused),
            names: Names { longest: longest(255, LongName::NotFound), ..IOQUAKE3_NAMES },
            odd: Odd { larger: Stops, ..WRONG },
            ..ZIPS.rules
        },
        larger: Larger::Refused,
        ..ZIPS
    }),
    order: &[listed(&["pk3", "pk3dir"], Name)],
    loose: Wins,
    // 5956299 `tr_bsp.c`; 2ca0594 `tr_image.c`, `tr_model.c`; 0742d30 `snd_codec.c`, `qfiles.h`
    types: types("ibsp46 md3 wav ogg png tga jpeg pcx bmp", ""),
    replaces_textures: true,
    ..QUAKE
};

const IOQUAKE3_NAMES: Names = Names { odd: OddPaths::RootDropped, ..SLASHES };

// A ZIP with an `addon.conf` is not searched unless it was chosen, and a ZIP with a `binary.conf` is skipped; both are
// ignored here. Its code for unknown compressions was not read to the end: it is only known that it does not serve the
// content. Only the code that loads archives was read.
const DHEWM3: EngineProfile = EngineProfile {
    name: "dhewm3", family: None,
    known: Known::Read { source: "neo/framework/FileSystem.cpp, b65d8d9, and its minizip" },
    zips: Some(Zips {
        rules: ArchiveRules {
            names: Names { longest: longest(2_047, LongName::NotFound), ..IOQUAKE3_NAMES },
            odd: WRONG,
            ..ZIPS.rules
        },
        ..ZIPS
    }),
    order: &[listed_each(&["pk4"], Name)],
    types: None,
    ..IOQUAKE3
};

// It accepts a pak without entries. It has no public source.
const DAIKATANA: EngineProfile = EngineProfile {
    name: "daikatana", family: None,
    known: Known::Read { source: "the game's own loader" },
    paks: Some(Paks {
        layout: Format::Daikatana,
        offsets: Offsets::Signed,
        rules: ArchiveRules {
            max_entries: most(20_480, NoStart), names: NO_CASE,
            duplicates: Duplicates::NotDefined, ..QUAKE_PAKS.rules
        },
        broken: Broken { other_layout: Refused, far_directory: Refused, ..TOLERANT },
        ..QUAKE_PAKS
    }),
    order: &[numbers_to(9, &["pak"])],
    loose: Wins,
    types: None,
    replaces_textures: true,
    ..QUAKE
};

/// The rules without an engine: all archives that any engine loads, by name, and the last copy of a name in its
/// widest sense.
pub(super) const ANY_ENGINE: EngineProfile = EngineProfile {
    name: "any",
    paks: Some(Paks {
        offsets: Offsets::Unsigned,
        rules: ArchiveRules::WITHOUT_ENGINE,
        broken: Broken { far_directory: CountsAsMissing, ..TOLERANT },
        ..QUAKE_PAKS
    }),
    order: &[listed_each(
        &[
            "pak", "pk2", "pk3", "pk4", "pkz", "zip", "iwd", "kpf", "obb", "dpk",
            "pk3dir", "dpkdir",
        ],
        Bytes,
    )],
    loose: Wins,
    ents: VKQUAKE.ents,
    ..QUAKE
};

const QUAKE_PAKS: Paks = match QUAKE.paks {
    Some(paks) => paks,
    None => panic!("Quake reads paks"),
};

/// How most engines treat broken paks that do not end because of one.
const TOLERANT: Broken = Broken {
    not_a_pak: Refused, too_short: Refused, is_directory: CountsAsMissing, other_layout: Misread,
    partial_record: Loads, cut_directory: Loads, far_directory: NoStart, far_payload: Loads,
};

/// How engines treat broken paks that check the directory.
const STRICT: Broken =
    Broken { partial_record: Refused, cut_directory: Refused, far_directory: Refused, ..TOLERANT };

/// What most engines that read ZIPs have in common.
const ZIPS: Zips = Zips {
    max_bytes: u64::MAX,
    rules: ArchiveRules {
        max_entries: None, names: EXACT, duplicates: Last, empty: Loads,
        odd: Odd { cut: NotKnown, ..ALL_READ },
    },
    larger: Larger::Read,
    utf8: Loads, before: Loads, begins: Loads,
};

const ALL_READ: Odd<OddEntry> = Odd::READ;

/// `maps/mine.ent` beside `maps/mine.bsp`.
const BESIDE: Ents = Ents { by_checksum: None, plain: EntsFrom::Any };

/// Entries of ZIPs, in engines that decode whatever there is.
const WRONG: Odd<OddEntry> =
    Odd { encrypted: Wrong, method: Wrong, link: Wrong, ..ZIPS.rules.odd };

const EXACT: Names = Names::EXACT;

const NO_CASE: Names = Names { case: Case::Ignored, ..EXACT };

const SLASHES: Names = Names { backslash: Backslash::Slash, ..NO_CASE };

/// The longest name of an engine that finds a name in a pak's field only if it ends with a NUL.
const ENDED: Option<LongestName> = longest(Format::Quake.spec().name_max, LongName::NotFound);

const fn longest(bytes: usize, over: LongName) -> Option<LongestName> {
    Some(LongestName { bytes, over })
}

const fn most(count: u32, over: Effect) -> Option<MaxEntries> {
    Some(MaxEntries { count, over })
}

const fn ran(version: &'static str, when: &'static str) -> Known {
    Known::Ran { version, when }
}

const fn types(read: &'static str, unknown: &'static str) -> Option<FileTypes> {
    Some(FileTypes { read, unknown })
}

/// `pak0`, `pak1` and so on, up to the first that is missing.
const fn numbers(extensions: &'static [&'static str]) -> Step {
    Step::Numbers { extensions, last: None, any_case: false }
}

/// `pak0`, `pak1` and so on, up to the last. Numbers may be missing.
const fn numbers_to(last: u32, extensions: &'static [&'static str]) -> Step {
    Step::Numbers { extensions, last: Some(last), any_case: false }
}

/// All archives in any case. Of names that differ only in case, one is loaded.
const fn listed(extensions: &'static [&'static str], order: ListOrder) -> Step {
    Step::Listing { extensions, order, any_case: true, skip_numbered: false, once: true }
}

/// All archives in any case, and each spelling of a name.
const fn listed_each(extensions: &'static [&'static str], order: ListOrder) -> Step {
    Step::Listing { extensions, order, any_case: true, skip_numbered: false, once: false }
}

const fn listed_once_in_lower_case(extensions: &'static [&'static str]) -> Step {
    let order = FileSystem;
    Step::Listing { extensions, order, any_case: false, skip_numbered: false, once: true }
}

const fn listed_unless_numbered(extensions: &'static [&'static str]) -> Step {
    let order = FileSystem;
    Step::Listing { extensions, order, any_case: false, skip_numbered: true, once: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::{FileType, Kind};
    use std::collections::BTreeSet;

    #[test]
    fn every_engine_has_its_place_and_reads_some_archives() {
        for (number, engine) in Engine::ALL.into_iter().enumerate() {
            let profile = engine.profile();
            assert_eq!(engine as usize, number);
            assert_eq!(Engine::by_word(profile.name), Some(engine));
            assert!(profile.paks.is_some() || profile.zips.is_some(), "{engine}");
        }
    }

    #[test]
    fn every_word_of_the_table_is_a_type_and_said_once() {
        let types: BTreeSet<&str> = FileType::ALL.iter().map(|it| it.as_str()).collect();
        for engine in Engine::ALL {
            let Some(FileTypes { read, unknown }) = engine.profile().types else {
                continue;
            };
            let mut seen = BTreeSet::new();
            for word in read.split(' ').chain(unknown.split(' ')) {
                assert!(word.is_empty() || types.contains(word), "{engine}: {word}");
                assert!(seen.insert(word), "{engine}: {word}");
            }
        }
    }

    /// Each game's first engine reads the maps that the game came with.
    #[test]
    fn engines_read_the_maps_of_their_games() {
        let reads = |engine: Engine| -> Vec<&str> {
            let types = FileType::ALL.iter().filter(|it| it.kind() == Kind::Map);
            let types = types.filter(|it| engine.reads(it.as_str()) == Some(true));
            types.map(|it| it.as_str()).collect()
        };
        assert_eq!(reads(Engine::Quake), ["bsp29"]);
        assert_eq!(reads(Engine::Xash3d), ["bsp29", "bsp30", "bsp2"]);
        assert_eq!(reads(Engine::Quake2), ["ibsp38"]);
        assert_eq!(reads(Engine::IoQuake3), ["ibsp46"]);
        assert_eq!(Engine::IoQuake3.reads("ibsp47"), Some(false));
        assert_eq!(Engine::Fteqw.reads("q64"), Some(true));
        assert_eq!(Engine::DarkPlaces.reads("ibsp47"), Some(true));
        assert_eq!(Engine::Qss.reads("png"), Some(true));
        for engine in Engine::ALL {
            let expected = match engine {
                Engine::Hexenwail | Engine::Dhewm3 | Engine::Daikatana => None,
                _ => Some(engine == Engine::Yquake2Remaster),
            };
            assert_eq!(engine.reads("ibsp41"), expected, "{engine}");
        }
    }
}
