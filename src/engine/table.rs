//! The table: what each engine makes of paks and of ZIPs, and which archives of a folder it loads.
//!
//! Each row says how its facts are known. `ran`: this version was run over paks and folders that show them,
//! and said which copy it served. `tests/it/ops/engines/observed.txt` has what was seen, and the tests beside
//! it compare this table with it. `read`: they were read in the engine's source. What was only read in a row
//! of an engine that was run is marked *read*. A new engine is added here, in [`Engine`], and, if it was run,
//! in that file.

use super::engines::Engine;
use super::load_order::{Listing, Numbers, Sort, Step};
use super::names::{Backslash, LongName, Names, OddPaths};
use super::profile::{
    Broken, CutPayload, Duplicates, Effect, Known, Larger, LargerEntry, Loose, MaxEntries,
    OddEntry, Offsets, OwnPak, Profile, SIGNED_MAX, Zips,
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
    /// What it makes of archives.
    #[must_use]
    pub const fn profile(self) -> Profile {
        Profile {
            zips: zips(self),
            order: order(self),
            ..paks(self)
        }
    }
}

/// What an engine makes of paks. In `Broken` come, one behind the other: a file that is no pak, one that is too
/// short, a directory of that name, the other layout; a part of a record, a directory that the file cuts
/// off, a directory and a payload beyond what the engine can say; at last a payload that the file cuts off.
#[rustfmt::skip]
const fn paks(engine: Engine) -> Profile {
    use CutPayload::{NotFound, NotKnown, Served, Stops};
    use Duplicates::{First, Last, NotDefined};
    use Format::{Daikatana, Pk3, Quake};
    use Loose::{Loses, Wins};
    use OddEntry::Read;
    use Offsets::{ShortFile, Signed, SignedDirectory, SignedEnds, Unsigned};
    match engine {
        // As all of its builds are for 32 bits, a file of 2 GiB or more cannot be opened, and counts as missing. A
        // record that is cut off, or that belongs to a Daikatana pak, is taken as what it is not, without a word.
        Engine::Quake => pak(ran("WinQuake 1.09 of id's source, bf4ac42, for 32 bits", "2026-11"), (Quake, most(2_048, S), ShortFile), EXACT.ended(), (First, Loses), (L, Read), [S, S, S, M, L, L, G, L], NotKnown),
        // After a pak without entries no further number is tried, as after a missing one. Its own pak goes before
        // the loose files of the base directory, too. Debian's 0.95.1 differs: it goes on with what it read of a
        // directory that is cut off, serves what there is of a payload that is, and takes a file shorter than a
        // header for the pak before it.
        Engine::QuakeSpasm => Profile { own: OwnPak::Beside("quakespasm.pak"), ..pak(ran("0.97.0, f5fe1786 of 2026-08-11", "2026-11"), (Quake, most(2_048, S), Signed), EXACT.ended(), (First, Loses), (G, Read), [S, S, S, M, L, S, S, L], Stops) },
        Engine::Ironwail => Profile { own: OwnPak::Beside("ironwail.pak"), needs_pak0: true, ..pak(ran("0.8.3-dev, 7ff4ec57 of 2026-08-20", "2026-11"), (Quake, most(2_048, S), Signed), EXACT.ended(), (First, Loses), (G, Read), [S, S, S, M, L, S, S, L], Stops) },
        // Its own pak is loaded behind the base directory's pak0, so that an empty pak0 there ends no numbers.
        Engine::VkQuake => Profile { own: OwnPak::Within, ..pak(ran("46e5e6dd of 2026-08-21", "2026-11"), (Quake, most(2_048, S), Signed), EXACT.ended(), (First, Loses), (G, Read), [S, M, S, M, L, M, S, L], Served) },
        // A file `pak.lst`, which sets another order, is not followed here. What becomes of a directory by a pak's
        // name was not asked.
        Engine::Qss => Profile { own: OwnPak::Beside("quakespasm.pak"), order_list: true, ..pak(ran("c4893638 of 2021-07-10", "2026-11"), (Quake, most(4_096, S), Signed), EXACT.ended(), (First, Wins), (G, Read), [S, M, G, M, L, L, S, L], Served) },
        // Debian's of September 2018 differs in that it knows neither `dpk` nor `dpkdir`. Files are kept sorted, and
        // a search ends at any of several equal names. Payloads may begin beyond 2 GiB, and the directory may not:
        // such a pak loads, and none of its names is found.
        Engine::DarkPlaces => pak(ran("2f25af655 of 2024-08-07", "2026-11"), (Quake, most(65_536, R), SignedDirectory), NO_CASE.slashes(Backslash::Refused, OddPaths::Refused).ended(), (NotDefined, Wins), (L, Read), [R, R, G, M, R, R, R, L], Served),
        // Of a directory that is cut off the whole records count. A file `pak.lst`, whose paks it loads before the
        // numbers, is not followed here.
        Engine::Fteqw => Profile { order_list: true, ..pak(ran("93257c1ac of 2026-01-05, the server", "2026-11"), (Quake, None, Unsigned), NO_CASE.slashes(Backslash::Slash, OddPaths::RefusedRootDropped), (First, Wins), (L, Read), [R, R, G, M, L, L, G, L], Served) },
        Engine::EzQuake => Profile { order_list: true, ..pak(ran("3.6.1 of Debian, the client", "2026-11"), (Quake, None, Signed), NO_CASE.slashes(Backslash::OfRequests, OddPaths::Plain).ended(), (First, Loses), (L, Read), [G, G, G, M, L, L, R, L], Served) },
        // What becomes of a directory by a pak's name was not asked.
        Engine::Hexen2 => pak(ran("uHexen2 bf2121f7, the server, without its check for the game's own paks", "2026-11"), (Quake, most(2_048, R), Signed), EXACT.ended(), (Last, Wins), (R, OddEntry::Stops), [R, R, G, M, L, S, S, L], Stops),
        // What a file's end cuts off is served as zeros.
        Engine::Hexenwail => pak(read("engine/h2shared/quakefs.c, f540490"), (Quake, most(2_048, R), Signed), NO_CASE.ended(), (Last, Wins), (R, Read), [R, R, G, M, L, L, S, L], Served),
        // Names are sorted for a search, which may end at any of several equal ones. The entries of WADs, which it
        // loads as archives, are not looked at here.
        Engine::Xash3d => Profile { others: &["wad"], ..pak(ran("633203e1 of FWGS, the server", "2026-11"), (Quake, most(65_536, R), Signed), NO_CASE.slashes(Backslash::Itself, OddPaths::RootRefused).ended(), (NotDefined, Wins), (R, Read), [R, R, G, M, R, R, R, L], NotKnown) },
        Engine::Quake2 => pak(ran("3.21 of id's source, 372afde, for 32 bits", "2026-11"), (Quake, most(4_096, S), ShortFile), NO_CASE.ended(), (First, Loses), (L, Read), [S, S, S, M, L, L, G, L], Stops),
        // Names are sorted for a search, which may end at any of several equal ones. That a request loses `./`, `//`
        // and a leading `/` was *read*; that entries with them are not found was seen. What becomes of a directory
        // by a pak's name was not asked.
        Engine::Yquake2 => pak(ran("69599f5a of 2026-08-08", "2026-11"), (Quake, most(4_096, L), Signed), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned).ended(), (NotDefined, Loses), (S, Read), [S, S, G, M, L, L, S, L], Stops),
        // It tells Daikatana's paks by the length of the directory: what is a multiple of 64 is taken for a Quake
        // pak, so that Daikatana's are misread where the number of entries is a multiple of 8. What fits neither
        // length is passed over.
        Engine::Yquake2Remaster => Profile { by_length: true, ..pak(ran("e98451aa", "2026-11"), (Quake, most(4_096, L), Signed), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned), (NotDefined, Loses), (S, Read), [S, S, G, M, R, S, S, L], NotKnown) },
        // The end of each payload must be a signed number, too, and the offset even of an empty one, or the pak is
        // refused.
        Engine::Q2pro => pak(ran("3aa0d40b of 2025-07-21, the server", "2026-11"), (Quake, most(1_048_576, R), SignedEnds), Names::WIDEST, (Last, Loses), (R, Read), [R, R, G, M, R, R, R, R], NotFound),
        // Debian's of November 2022 differs in nothing that is said here. It loads no paks.
        Engine::IoQuake3 => pak(ran("5956299e, the server", "2026-11"), (Pk3, most(65_535, R), ShortFile), IOQUAKE3.longest(255, LongName::NotFound), (Last, Wins), (L, Read), [R, R, G, M, L, L, G, L], NotKnown),
        // It loads no paks.
        Engine::Dhewm3 => pak(read("neo/framework/FileSystem.cpp, b65d8d9, and its minizip"), (Pk3, None, Unsigned), IOQUAKE3.longest(2_047, LongName::NotFound), (Last, Wins), (L, Read), [R, R, G, M, L, L, G, L], NotKnown),
        // Nothing there speaks against a pak without entries.
        Engine::Daikatana => pak(read("the game's own loader"), (Daikatana, most(20_480, S), Signed), NO_CASE, (NotDefined, Wins), (L, Read), [R, R, G, R, L, L, R, L], NotKnown),
    }
}

/// What an engine makes of ZIPs. After ZIP64 (its end record, and entries with its numbers) come a ZIP
/// without entries, a name in UTF-8, bytes before the ZIP that its offsets do not count, and a file that begins
/// with no entry; then entries that are encrypted, compressed in another way, links, those whose sizes are
/// behind them, and empty ones.
#[rustfmt::skip]
const fn zips(engine: Engine) -> Option<Zips> {
    use Duplicates::{First, Last, NotDefined};
    use Larger::{LiftsLimit, Refused, RefusedIfNeeded};
    use LargerEntry::{Entry, NeedsEnd};
    use OddEntry::{NotFound as Gone, Read, Stops, Wrong};
    const ANY: u64 = u64::MAX;
    const READ: (Larger, LargerEntry) = (Larger::Read, LargerEntry::Entry(OddEntry::Read));
    Some(match engine {
        // Names are lowered when a ZIP is loaded, so that only a request in lower case finds them. Its entries
        // fill the memory that it begins with: 25,000 were seen to load, and with 30,000 it did not start.
        Engine::Qss => zip(&["pk3"], (most(25_000, S), SIGNED_MAX), EXACT.lowered().longest(63, LongName::Cut), First, READ, [L, L, S, L], [Gone, Gone, Gone, Wrong, Read]),
        // A ZIP is refused for a name that is too long, but where that is its last, which is cut.
        Engine::DarkPlaces => zip(&["pk3", "obb", "dpk"], (most(65_535, R), NUMBER_MAX), NO_CASE.slashes(Backslash::Refused, OddPaths::Refused).longest(127, LongName::Refused), NotDefined, (Refused, Entry(Gone)), [L, L, L, L], [Gone, Gone, Read, Read, Read]),
        // As a server; the client loads `pkz` and `pkx`, too (*read*).
        Engine::Fteqw => zip(&["pk3", "pk4", "iwd", "kpf"], (None, ANY), NO_CASE.slashes(Backslash::Slash, OddPaths::Refused).longest(127, LongName::Cut), First, READ, [L, R, L, L], [Gone, Gone, Read, Wrong, Read]),
        // With 65,535 entries a ZIP was loaded only if it had an end record of ZIP64. That a longer name than 63
        // bytes is not found was seen; it may be the console that cut it.
        Engine::EzQuake => zip(&["pk3", "pk4"], (most(65_534, R), ANY), NO_CASE.slashes(Backslash::OfRequests, OddPaths::Plain).longest(63, LongName::NotFound), First, (LiftsLimit, Entry(Gone)), [L, L, L, L], [Wrong, Wrong, Wrong, Read, Read]),
        // It loads no entry of more than 2 GiB, which is not looked at here. That bytes before a ZIP do not matter
        // was not looked up.
        Engine::Hexenwail => zip(&["pk3"], (most(65_536, R), ANY), NO_CASE.longest(63, LongName::NotFound), Last, READ, [R, L, L, L], [Gone, Gone, Wrong, Read, Read]),
        Engine::Xash3d => zip(&["pk3"], (most(65_535, R), NUMBER_MAX), NO_CASE.slashes(Backslash::Itself, OddPaths::RootRefused), NotDefined, (RefusedIfNeeded, Entry(Gone)), [R, L, R, R], [Wrong, Gone, Wrong, Read, Gone]),
        Engine::Yquake2 => zip(YQUAKE2_ZIPS, (None, ANY), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned).longest(63, LongName::Stops), First, READ, [S, L, L, L], [Wrong, Stops, Wrong, Read, Read]),
        Engine::Yquake2Remaster => zip(YQUAKE2_ZIPS, (None, ANY), NO_CASE.slashes(Backslash::Itself, OddPaths::RequestsCleaned).longest(127, LongName::Stops), First, READ, [S, L, L, L], [Wrong, Stops, Wrong, Read, Read]),
        Engine::Q2pro => zip(&["pkz"], (most(1_048_576, R), ANY), Names::WIDEST.longest(63, LongName::NotFound), Last, (Larger::Read, NeedsEnd), [R, L, L, L], [Wrong, Gone, Wrong, Read, Gone]),
        // An entry whose numbers are those of ZIP64 ends it, when it is asked for.
        Engine::IoQuake3 => zip(&["pk3"], (most(65_535, R), NUMBER_MAX), IOQUAKE3.longest(255, LongName::NotFound), Last, (Refused, Entry(Stops)), [L, L, L, L], [Wrong, Wrong, Wrong, Read, Read]),
        // A ZIP that holds an `addon.conf` is not searched unless it was chosen, and one with a `binary.conf` is
        // passed over; neither is looked at here. What it makes of a compression that it does not know was not
        // read to its end: nothing is said but that the content is not what it serves.
        Engine::Dhewm3 => zip(&["pk4"], (None, ANY), IOQUAKE3.longest(2_047, LongName::NotFound), Last, READ, [L, L, L, L], [Wrong, Wrong, Wrong, Read, Read]),
        Engine::Quake | Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake | Engine::Hexen2 | Engine::Quake2 | Engine::Daikatana => return None,
    })
}

/// Which archives of a folder an engine loads, and in which order: a later one goes before an earlier one. With
/// numbers come the last that is asked for (without one they end at the first that is missing), and whether any
/// case will do.
#[rustfmt::skip]
const fn order(engine: Engine) -> &'static [Step] {
    use Sort::{AsListed, Bytes, Name, Number};
    match engine {
        Engine::Quake | Engine::QuakeSpasm | Engine::Ironwail | Engine::VkQuake => const { &[numbers(&["pak"], None, false)] },
        // One archive of each number is enough to go on.
        Engine::Qss => const { &[numbers(&["pak", "pk3"], None, false), listed(&["pak"], AsListed, ONCE), listed(&["pk3"], AsListed, ONCE)] },
        Engine::DarkPlaces => const { &[listed(&["pak"], Name, ONCE), listed(&["pk3", "obb", "dpk", "pk3dir", "dpkdir"], Name, ONCE)] },
        // With `fs_packageprioritisation 0` the listing would be sorted by time (*read*).
        Engine::Fteqw => const { &[
            numbers(&["pak"], None, false), numbers(&["pk3"], None, false), numbers(&["pk4"], None, false), numbers(&["iwd"], None, false), numbers(&["kpf"], None, false),
            listed(&["pak"], Name, ONCE), listed(&["pk3"], Name, ONCE), listed(&["pk4"], Name, ONCE), listed(&["iwd"], Name, ONCE), listed(&["kpf"], Name, ONCE),
            listed(&["pk3dir"], Name, ONCE),
        ] },
        // Numbers end at what is no pak.
        Engine::EzQuake => const { &[
            numbers(&["pak"], None, true), listed(&["pak"], AsListed, LOWER_ONCE),
            numbers(&["pk3"], None, true), listed(&["pk3"], AsListed, LOWER_ONCE),
            numbers(&["pk4"], None, true), listed(&["pk4"], AsListed, LOWER_ONCE),
        ] },
        Engine::Hexen2 | Engine::Quake2 | Engine::Daikatana => const { &[numbers(&["pak"], Some(9), false)] },
        // It loads 64 ZIPs at most, which is not looked at here.
        Engine::Hexenwail => const { &[numbers(&["pak"], Some(9), false), listed(&["pk3"], Name, LOWER)] },
        // Of archives whose names differ in case alone it loads the first by their bytes.
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
    cut_payload: CutPayload,
) -> Profile {
    Profile {
        known,
        layout,
        by_length: false,
        max_entries,
        offsets,
        names,
        duplicates,
        zips: None,
        order: &[],
        loose,
        empty,
        empty_file,
        broken: Broken {
            not_a_pak: broken[0],
            too_short: broken[1],
            is_directory: broken[2],
            other_layout: broken[3],
            partial_record: broken[4],
            cut_directory: broken[5],
            far_directory: broken[6],
            far_payload: broken[7],
            cut_payload,
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
    (larger, larger_entry): (Larger, LargerEntry),
    [empty, utf8, before, begins]: [Effect; 4],
    [encrypted, method, link, behind, empty_file]: [OddEntry; 5],
) -> Zips {
    Zips {
        extensions,
        max_entries,
        max_bytes,
        names,
        duplicates,
        empty,
        larger,
        larger_entry,
        utf8,
        before,
        begins,
        encrypted,
        method,
        link,
        behind,
        empty_file,
    }
}

const fn numbers(extensions: &'static [&'static str], last: Option<u32>, any_case: bool) -> Step {
    Step::Numbers(Numbers {
        extensions,
        last,
        any_case,
    })
}

/// Whether extensions in any case will do, whether names of numbered archives in another case are passed over,
/// and whether names that differ only in case are one.
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
    Step::Listed(Listing {
        extensions,
        any_case,
        sort,
        not_numbered,
        once,
    })
}
