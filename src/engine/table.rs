//! The table of engines: how each treats paks and ZIPs, and which archives of a folder it loads.
//!
//! Each row says how its facts are known. `ran`: this version was run on paks and folders that show them, and it
//! said which copy it served. `tests/it/ops/engines/observed.txt` has the observations, and the tests beside it
//! compare this table with them. `read`: the facts were read in the engine's source. Facts that were only read are
//! marked *read* in the row of an engine that was run. A new engine is added here, in [`Engine`], and, if it was
//! run, in that file.

use super::engines::Engine;
use super::names::{Backslash, LongName, Names, OddPaths};
use super::profile::{
    ArchiveRules, Broken, Duplicates, Effect, EngineProfile, Known, Larger, Loose, MaxEntries, Odd,
    OddEntry, Offsets, OwnPak, SIGNED_MAX, Sort, Step, Zips,
};
use crate::archive::{Case, Format};
use crate::format::NUMBER_MAX;
use Effect::{CountsAsMissing as G, Loads as L, Misread as M, NoStart as S, Refused as R};

const EXACT: Names = Names::EXACT;

const NO_CASE: Names = Names {
    case: Case::Ignored,
    ..EXACT
};

impl Engine {
    /// Its rules for archives.
    #[must_use]
    pub const fn profile(self) -> EngineProfile {
        EngineProfile {
            zips: zips(self),
            order: order(self),
            ..paks(self)
        }
    }
}

/// The rules of an engine for paks. The effects in brackets are, in this order: a file that is not a pak, a file that
/// is too short, a directory with a pak's name, the other layout; an incomplete record, a directory that is cut off,
/// a directory and a payload beyond the largest offset. The last column is a payload that is cut off.
#[rustfmt::skip]
const fn paks(engine: Engine) -> EngineProfile {
    use Duplicates::{First, Last, NotDefined};
    use Format::{Daikatana, Pk3, Quake};
    use Loose::{Loses, Wins};
    use OddEntry::{NotFound, NotKnown, Read, Stops};
    use Offsets::{ShortFile, Signed, SignedDirectory, SignedEnds, Unsigned};
    match engine {
        // All of its builds are for 32 bits, so a file of 2 GiB or more cannot be opened and counts as missing. It
        // reads an incomplete record, or a record of a Daikatana pak, as a whole one of its own, without a warning.
        Engine::Quake => pak(ran("WinQuake 1.09 of id's source, bf4ac42, for 32 bits", "2026-11"), (Quake, most(2_048, S), ShortFile), EXACT.ended(), (First, Loses), (L, Read), [S, S, S, M, L, L, G, L], NotKnown),
        // After a pak without entries it tries no further number, as after a missing one. Its own pak also replaces
        // the loose files of the base directory. Debian's 0.95.1 differs: it continues with the part of a directory
        // that is cut off, serves the part of a payload that is cut off, and reads a file shorter than a header with
        // the header of the pak before it.
        Engine::QuakeSpasm => EngineProfile { own: OwnPak::Beside("quakespasm.pak"), ..pak(ran("0.97.0, f5fe1786 of 2026-08-11", "2026-11"), (Quake, most(2_048, S), Signed), EXACT.ended(), (First, Loses), (G, Read), [S, S, S, M, L, S, S, L], Stops) },
        Engine::Ironwail => EngineProfile { own: OwnPak::Beside("ironwail.pak"), needs_pak0: true, ..pak(ran("0.8.3-dev, 7ff4ec57 of 2026-08-20", "2026-11"), (Quake, most(2_048, S), Signed), EXACT.ended(), (First, Loses), (G, Read), [S, S, S, M, L, S, S, L], Stops) },
        // It loads its own pak after the base directory's pak0. So even if that pak0 is empty, a pak has loaded, and
        // the numbers go on.
        Engine::VkQuake => EngineProfile { own: OwnPak::Within, ..pak(ran("46e5e6dd of 2026-08-21", "2026-11"), (Quake, most(2_048, S), Signed), EXACT.ended(), (First, Loses), (G, Read), [S, M, S, M, L, M, S, L], Read) },
        // A file `pak.lst`, which sets another order, is ignored here. A directory with a pak's name was not tried.
        Engine::Qss => EngineProfile { own: OwnPak::Beside("quakespasm.pak"), order_list: true, ..pak(ran("c4893638 of 2021-07-10", "2026-11"), (Quake, most(4_096, S), Signed), EXACT.ended(), (First, Wins), (G, Read), [S, M, G, M, L, L, S, L], Read) },
        // Debian's version of September 2018 knows neither `dpk` nor `dpkdir`. Files are kept sorted, and a search
        // ends at any of several equal names. Payloads may begin beyond 2 GiB, but the directory may not: such a pak
        // loads, but none of its names is found.
        Engine::DarkPlaces => pak(ran("2f25af655 of 2024-08-07", "2026-11"), (Quake, most(65_536, R), SignedDirectory), NO_CASE.slashes(Backslash::Refused, OddPaths::Refused).ended(), (NotDefined, Wins), (L, Read), [R, R, G, M, R, R, R, L], Read),
        // The whole records of a directory that is cut off count. A file `pak.lst`, whose paks it loads before the
        // numbers, is ignored here.
        Engine::Fteqw => EngineProfile { order_list: true, ..pak(ran("93257c1ac of 2026-01-05, the server", "2026-11"), (Quake, None, Unsigned), NO_CASE.slashes(Backslash::Slash, OddPaths::RefusedRootDropped), (First, Wins), (L, Read), [R, R, G, M, L, L, G, L], Read) },
        Engine::EzQuake => EngineProfile { order_list: true, ..pak(ran("3.6.1 of Debian, the client", "2026-11"), (Quake, None, Signed), NO_CASE.slashes(Backslash::OfRequests, OddPaths::Plain).ended(), (First, Loses), (L, Read), [G, G, G, M, L, L, R, L], Read) },
        // A directory with a pak's name was not tried.
        Engine::Hexen2 => pak(ran("uHexen2 bf2121f7, the server, without its check for the game's own paks", "2026-11"), (Quake, most(2_048, R), Signed), EXACT.ended(), (Last, Wins), (R, Stops), [R, R, G, M, L, S, S, L], Stops),
        // The missing part of a payload that is cut off is served as zeros.
        Engine::Hexenwail => pak(read("engine/h2shared/quakefs.c, f540490"), (Quake, most(2_048, R), Signed), NO_CASE.ended(), (Last, Wins), (R, Read), [R, R, G, M, L, L, S, L], Read),
        // Names are sorted for a search, which may end at any of several equal ones. It also loads WADs as archives;
        // their entries are ignored here.
        Engine::Xash3d => EngineProfile { others: &["wad"], ..pak(ran("633203e1 of FWGS, the server", "2026-11"), (Quake, most(65_536, R), Signed), NO_CASE.slashes(Backslash::Itself, OddPaths::RootRefused).ended(), (NotDefined, Wins), (R, Read), [R, R, G, M, R, R, R, L], NotKnown) },
        Engine::Quake2 => pak(ran("3.21 of id's source, 372afde, for 32 bits", "2026-11"), (Quake, most(4_096, S), ShortFile), NO_CASE.ended(), (First, Loses), (L, Read), [S, S, S, M, L, L, G, L], Stops),
        // Names are sorted for a search, which may end at any of several equal ones. A request loses `./`, `//` and
        // a leading `/` (*read*); entries with these are not found (observed). A directory with a pak's name was not
        // tried.
        Engine::Yquake2 => pak(ran("69599f5a of 2026-08-08", "2026-11"), (Quake, most(4_096, L), Signed), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned).ended(), (NotDefined, Loses), (S, Read), [S, S, G, M, L, L, S, L], Stops),
        // It recognises Daikatana's paks by the length of the directory. If that is a multiple of 64, the pak is read
        // as a Quake pak, so a Daikatana pak is misread if its number of entries is a multiple of 8. A pak that fits
        // neither length is skipped.
        Engine::Yquake2Remaster => EngineProfile { by_length: true, ..pak(ran("e98451aa", "2026-11"), (Quake, most(4_096, L), Signed), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned), (NotDefined, Loses), (S, Read), [S, S, G, M, R, S, S, L], NotKnown) },
        // The end of each payload must also be below 2 GiB, and so must the offset of an empty payload. Otherwise the
        // pak is refused.
        Engine::Q2pro => pak(ran("3aa0d40b of 2025-07-21, the server", "2026-11"), (Quake, most(1_048_576, R), SignedEnds), Names::WIDEST, (Last, Loses), (R, Read), [R, R, G, M, R, R, R, R], NotFound),
        // Debian's version of November 2022 has the same rules. It loads no paks.
        Engine::IoQuake3 => pak(ran("5956299e, the server", "2026-11"), (Pk3, most(65_535, R), ShortFile), IOQUAKE3.longest(255, LongName::NotFound), (Last, Wins), (L, Read), [R, R, G, M, L, L, G, L], NotKnown),
        // It loads no paks.
        Engine::Dhewm3 => pak(read("neo/framework/FileSystem.cpp, b65d8d9, and its minizip"), (Pk3, None, Unsigned), IOQUAKE3.longest(2_047, LongName::NotFound), (Last, Wins), (L, Read), [R, R, G, M, L, L, G, L], NotKnown),
        // It accepts a pak without entries.
        Engine::Daikatana => pak(read("the game's own loader"), (Daikatana, most(20_480, S), Signed), NO_CASE, (NotDefined, Wins), (L, Read), [R, R, G, R, L, L, R, L], NotKnown),
    }
}

/// The rules of an engine for ZIPs. After ZIP64 (the end record, entries with ZIP64 numbers), the first brackets are:
/// a ZIP without entries, a name in UTF-8, bytes before the ZIP that its offsets do not count, a file that does not
/// begin with an entry. The second brackets are entries: encrypted, compressed in another way, links, with sizes
/// after the content, empty.
#[rustfmt::skip]
const fn zips(engine: Engine) -> Option<Zips> {
    use Duplicates::{First, Last, NotDefined};
    use Larger::{LiftsLimit, Refused, RefusedIfNeeded, Required};
    use OddEntry::{NotFound as Gone, Read, Stops, Wrong};
    const ANY: u64 = u64::MAX;
    const READ: (Larger, OddEntry) = (Larger::Read, OddEntry::Read);
    Some(match engine {
        // Names become lower case when a ZIP is loaded, so only a request in lower case finds them. The entries fill
        // the memory that it starts with: 25,000 loaded, and with 30,000 it did not start.
        Engine::Qss => zip(&["pk3"], (most(25_000, S), SIGNED_MAX), EXACT.lowered().longest(63, LongName::Cut), First, READ, [L, L, S, L], [Gone, Gone, Gone, Wrong, Read]),
        // It refuses a ZIP with a name that is too long, unless that is the last name, which is cut.
        Engine::DarkPlaces => zip(&["pk3", "obb", "dpk"], (most(65_535, R), NUMBER_MAX), NO_CASE.slashes(Backslash::Refused, OddPaths::Refused).longest(127, LongName::Refused), NotDefined, (Refused, Gone), [L, L, L, L], [Gone, Gone, Read, Read, Read]),
        // As a server. The client also loads `pkz` and `pkx` (*read*).
        Engine::Fteqw => zip(&["pk3", "pk4", "iwd", "kpf"], (None, ANY), NO_CASE.slashes(Backslash::Slash, OddPaths::Refused).longest(127, LongName::Cut), First, READ, [L, R, L, L], [Gone, Gone, Read, Wrong, Read]),
        // A ZIP with 65,535 entries loaded only if it had an end record of ZIP64. A name of more than 63 bytes was
        // not found; perhaps the console cut it.
        Engine::EzQuake => zip(&["pk3", "pk4"], (most(65_534, R), ANY), NO_CASE.slashes(Backslash::OfRequests, OddPaths::Plain).longest(63, LongName::NotFound), First, (LiftsLimit, Gone), [L, L, L, L], [Wrong, Wrong, Wrong, Read, Read]),
        // It loads no entry of more than 2 GiB, which is ignored here. Whether bytes before a ZIP matter was not
        // looked up.
        Engine::Hexenwail => zip(&["pk3"], (most(65_536, R), ANY), NO_CASE.longest(63, LongName::NotFound), Last, READ, [R, L, L, L], [Gone, Gone, Wrong, Read, Read]),
        Engine::Xash3d => zip(&["pk3"], (most(65_535, R), NUMBER_MAX), NO_CASE.slashes(Backslash::Itself, OddPaths::RootRefused), NotDefined, (RefusedIfNeeded, Gone), [R, L, R, R], [Wrong, Gone, Wrong, Read, Gone]),
        Engine::Yquake2 => zip(YQUAKE2_ZIPS, (None, ANY), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned).longest(63, LongName::Stops), First, READ, [S, L, L, L], [Wrong, Stops, Wrong, Read, Read]),
        Engine::Yquake2Remaster => zip(YQUAKE2_ZIPS, (None, ANY), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned).longest(127, LongName::Stops), First, READ, [S, L, L, L], [Wrong, Stops, Wrong, Read, Read]),
        Engine::Q2pro => zip(&["pkz"], (most(1_048_576, R), ANY), Names::WIDEST.longest(63, LongName::NotFound), Last, (Required, Read), [R, L, L, L], [Wrong, Gone, Wrong, Read, Gone]),
        // It ends if the game asks for an entry with ZIP64 numbers.
        Engine::IoQuake3 => zip(&["pk3"], (most(65_535, R), NUMBER_MAX), IOQUAKE3.longest(255, LongName::NotFound), Last, (Refused, Stops), [L, L, L, L], [Wrong, Wrong, Wrong, Read, Read]),
        // A ZIP with an `addon.conf` is not searched unless it was chosen, and a ZIP with a `binary.conf` is skipped;
        // both are ignored here. Its code for unknown compressions was not read to the end: it is only known that it
        // does not serve the content.
        Engine::Dhewm3 => zip(&["pk4"], (None, ANY), IOQUAKE3.longest(2_047, LongName::NotFound), Last, READ, [L, L, L, L], [Wrong, Wrong, Wrong, Read, Read]),
        Engine::Quake | Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake | Engine::Hexen2 | Engine::Quake2 | Engine::Daikatana => return None,
    })
}

/// Which archives of a folder an engine loads, and in which order: files of a later one replace files of an earlier
/// one. The columns of numbers are the last one that is asked for (without it, they end at the first that is missing),
/// and whether any case is accepted.
#[rustfmt::skip]
const fn order(engine: Engine) -> &'static [Step] {
    use Sort::{AsListed, Bytes, Name, Number};
    match engine {
        Engine::Quake | Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake => const { &[numbers(&["pak"], None, false)] },
        // One archive of each number is enough to continue.
        Engine::Qss => const { &[numbers(&["pak", "pk3"], None, false), listed(&["pak"], AsListed, ONCE), listed(&["pk3"], AsListed, ONCE)] },
        Engine::DarkPlaces => const { &[listed(&["pak"], Name, ONCE), listed(&["pk3", "obb", "dpk", "pk3dir", "dpkdir"], Name, ONCE)] },
        // With `fs_packageprioritisation 0` the listing would be sorted by time (*read*).
        Engine::Fteqw => const { &[
            numbers(&["pak"], None, false), numbers(&["pk3"], None, false), numbers(&["pk4"], None, false), numbers(&["iwd"], None, false), numbers(&["kpf"], None, false),
            listed(&["pak"], Name, ONCE), listed(&["pk3"], Name, ONCE), listed(&["pk4"], Name, ONCE), listed(&["iwd"], Name, ONCE), listed(&["kpf"], Name, ONCE),
            listed(&["pk3dir"], Name, ONCE),
        ] },
        // Numbers end at a file that is not a pak.
        Engine::EzQuake => const { &[
            numbers(&["pak"], None, true), listed(&["pak"], AsListed, LOWER_ONCE),
            numbers(&["pk3"], None, true), listed(&["pk3"], AsListed, LOWER_ONCE),
            numbers(&["pk4"], None, true), listed(&["pk4"], AsListed, LOWER_ONCE),
        ] },
        Engine::Hexen2 | Engine::Quake2 | Engine::Daikatana => const { &[numbers(&["pak"], Some(9), false)] },
        // It loads 64 ZIPs at most, which is ignored here.
        Engine::Hexenwail => const { &[numbers(&["pak"], Some(9), false), listed(&["pk3"], Name, LOWER)] },
        // If names of archives differ only in case, it loads the first by their bytes.
        Engine::Xash3d => const { &[listed(&["pak"], Bytes, ONCE), listed(&["pk3"], Bytes, ONCE), listed(&["pk3dir"], Bytes, ONCE)] },
        Engine::Yquake2 | Engine::Yquake2Remaster => const { &[
            numbers(&["pak"], Some(99), false), numbers(&["pk2"], Some(99), false), numbers(&["pk3"], Some(99), false), numbers(&["pkz"], Some(99), false), numbers(&["zip"], Some(99), false),
            listed(&["pak"], AsListed, REST), listed(&["pk2"], AsListed, REST), listed(&["pk3"], AsListed, REST), listed(&["pkz"], AsListed, REST), listed(&["zip"], AsListed, REST),
        ] },
        // First names that begin with `pak` in any case, by the number after it as `strtoul` reads it (`pakfoo`
        // is 0, and `pak-2` comes after all others), then by the rest of the name.
        Engine::Q2pro => const { &[listed(&["pak", "pkz"], Number, ALL)] },
        Engine::IoQuake3 => const { &[listed(&["pk3", "pk3dir"], Name, ONCE)] },
        Engine::Dhewm3 => const { &[listed(&["pk4"], Name, ALL)] },
    }
}

/// All archives that any engine loads, by name.
#[rustfmt::skip]
pub(super) const ANY_ORDER: &[Step] = &[listed(&["pak", "pk2", "pk3", "pk4", "pkz", "zip", "iwd", "kpf", "obb", "dpk", "pk3dir", "dpkdir"], Sort::Bytes, ALL)];

const YQUAKE2_ZIPS: &[&str] = &["pk2", "pk3", "pkz", "zip"];

const IOQUAKE3: Names = NO_CASE.slashes(Backslash::Slash, OddPaths::RootDropped);

const fn most(count: u32, over: Effect) -> Option<MaxEntries> {
    Some(MaxEntries { count, over })
}

const fn ran(version: &'static str, when: &'static str) -> Known {
    Known::Ran { version, when }
}

const fn read(source: &'static str) -> Known {
    Known::Read { source }
}

const fn pak(
    known: Known,
    (layout, max_entries, offsets): (Format, Option<MaxEntries>, Offsets),
    names: Names,
    (duplicates, loose): (Duplicates, Loose),
    (empty, empty_file): (Effect, OddEntry),
    broken: [Effect; 8],
    cut: OddEntry,
) -> EngineProfile {
    const READ: OddEntry = OddEntry::Read;
    EngineProfile {
        known,
        layout,
        by_length: false,
        offsets,
        paks: ArchiveRules {
            max_entries,
            max_bytes: offsets.max_bytes(),
            names,
            duplicates,
            empty,
            odd: Odd {
                larger: READ,
                encrypted: READ,
                method: READ,
                link: READ,
                behind: READ,
                cut,
                empty: empty_file,
            },
        },
        zips: None,
        order: &[],
        loose,
        broken: Broken {
            not_a_pak: broken[0],
            too_short: broken[1],
            is_directory: broken[2],
            other_layout: broken[3],
            partial_record: broken[4],
            cut_directory: broken[5],
            far_directory: broken[6],
            far_payload: broken[7],
        },
        own: OwnPak::None,
        needs_pak0: false,
        others: &[],
        order_list: false,
    }
}

const fn zip(
    extensions: &'static [&'static str],
    (max_entries, max_bytes): (Option<MaxEntries>, u64),
    names: Names,
    duplicates: Duplicates,
    (larger, larger_entry): (Larger, OddEntry),
    [empty, utf8, before, begins]: [Effect; 4],
    [encrypted, method, link, behind, empty_file]: [OddEntry; 5],
) -> Zips {
    Zips {
        extensions,
        rules: ArchiveRules {
            max_entries,
            max_bytes,
            names,
            duplicates,
            empty,
            odd: Odd {
                larger: larger_entry,
                encrypted,
                method,
                link,
                behind,
                cut: OddEntry::NotKnown,
                empty: empty_file,
            },
        },
        larger,
        utf8,
        before,
        begins,
    }
}

const fn numbers(extensions: &'static [&'static str], last: Option<u32>, any_case: bool) -> Step {
    listed(extensions, Sort::Asked(last), [any_case, false, false])
}

/// Whether extensions in any case are accepted, whether names of numbered archives in another case are skipped, and
/// whether only one of several names that differ only in case is loaded.
type Which = [bool; 3];

const ALL: Which = [true, false, false];
const ONCE: Which = [true, false, true];
const LOWER: Which = [false, false, false];
const LOWER_ONCE: Which = [false, false, true];
const REST: Which = [false, true, false];

const fn listed(
    extensions: &'static [&'static str],
    sort: Sort,
    [any_case, not_numbered, once]: Which,
) -> Step {
    Step {
        extensions,
        any_case,
        sort,
        not_numbered,
        once,
    }
}
