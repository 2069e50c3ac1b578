//! Every fact of the engines' table, seen in what an engine makes of paks and of a game's folder.
//!
//! [`ROWS`] says the facts once more, by hand and in the words of people, and the tests turn them
//! into what must be seen: which pak loads, which copy is served, where a pak is split. Nothing of
//! the table under test is looked at, so that a slip in it cannot be in both.
//!
//! That they can fail was tried: each field of each of the eleven profiles was turned round, one at
//! a time, limits by one below, one above and far off, which makes 356 tables that are wrong in one
//! place. The tests here fail for every one but a limit of FTEQW's one below what a pak can have,
//! which the unit tests of `check` see.

mod folders;
mod game;
mod limits;
mod served;

use daisho::ops::engine::Engine;
use daisho::pak::Layout;

use crate::pak::build::Pak;

/// What is known of an engine.
struct Row {
    engine: Engine,
    layout: Layout,
    /// How many entries a pak may have, and what becomes of one with more: the engine `stops`, the
    /// pak is `refused`, or it is only `warned` of.
    entries: Option<(u64, &'static str)>,
    /// `2 GiB` for offsets and sizes; `2 GiB, ends` where the ends of payloads count, too; `4 GiB`.
    reach: &'static str,
    /// Whether `A` and `a` are two names.
    case: bool,
    /// Which of two entries of one name is served: the `first`, the `last`, or `any`.
    duplicates: &'static str,
    /// Whether a loose file goes before the paks of its folder.
    loose_wins: bool,
    /// An empty pak `loads`, `ends` the numbers, is `refused`, or `stops` the engine.
    empty: &'static str,
    /// What loads of [`folders::NAMES`], in order, without the extension where that is `.pak`.
    loads: &'static str,
    /// What loads, in order, of `pak0.pak`, an empty `pak1.pak`, `pak2.pak` and `a.pak`.
    around_empty: &'static str,
    /// What loads, in order, where `pak1.pk3` stands between `pak0.pak` and `pak2.pak`, and an
    /// `a.pak` beside them.
    around_pk3: &'static str,
    /// What it loads or obeys beside paks, of [`folders::OTHERS`].
    others: &'static str,
}

impl Row {
    fn finish(&self, pak: Pak) -> Vec<u8> {
        match self.layout {
            Layout::Daikatana => pak.daikatana(),
            _ => pak.quake(),
        }
    }
}

/// The numbered ones, up to the first that is missing.
const CONTIGUOUS: &str = "pak0 pak1";
/// The first ten numbers.
const TEN: &str = "pak0 pak1 pak3 pak9";

/// id's Quake, of which the others of its family differ in what stands there.
const QUAKE: Row = Row {
    engine: Engine::Quake,
    layout: Layout::Quake,
    entries: Some((2048, "stops")),
    reach: "2 GiB",
    case: true,
    duplicates: "first",
    loose_wins: false,
    empty: "loads",
    loads: CONTIGUOUS,
    around_empty: "pak0 pak1 pak2",
    around_pk3: "pak0",
    others: "",
};

/// id's Quake II, likewise.
const QUAKE2: Row = Row {
    engine: Engine::Quake2,
    entries: Some((4096, "stops")),
    case: false,
    loads: TEN,
    around_pk3: "pak0 pak2",
    ..QUAKE
};

const ROWS: [Row; 11] = [
    QUAKE,
    Row {
        engine: Engine::QuakeSpasm,
        empty: "ends",
        around_empty: "pak0",
        ..QUAKE
    },
    Row {
        engine: Engine::Ironwail,
        empty: "ends",
        around_empty: "pak0",
        ..QUAKE
    },
    Row {
        engine: Engine::VkQuake,
        empty: "ends",
        around_empty: "pak0",
        ..QUAKE
    },
    Row {
        engine: Engine::Qss,
        entries: Some((4096, "stops")),
        loose_wins: true,
        empty: "ends",
        loads: "pak0 pak1 b.PAK mod pak07 pak10 pak100 pak3 PAK4.PAK pak9 pak99 pakx zoo",
        around_empty: "pak0 a pak2",
        around_pk3: "pak0 pak2 a",
        others: "pak.lst x.pk3",
        ..QUAKE
    },
    Row {
        engine: Engine::DarkPlaces,
        entries: Some((65_536, "refused")),
        reach: "4 GiB",
        case: false,
        duplicates: "any",
        loose_wins: true,
        loads: "b.PAK mod pak0 pak07 pak1 pak10 pak100 pak3 PAK4.PAK pak9 pak99 pakx zoo",
        around_empty: "a pak0 pak1 pak2",
        around_pk3: "a pak0 pak2",
        others: "x.pk3",
        ..QUAKE
    },
    Row {
        engine: Engine::Fteqw,
        entries: None,
        reach: "4 GiB",
        case: false,
        loose_wins: true,
        loads: "pak0 pak1 mod pak07 pak10 pak100 pak3 pak9 pak99 pakx zoo",
        around_empty: "pak0 pak1 pak2 a",
        around_pk3: "pak0 a pak2",
        others: "pak.lst x.pk3 x.pk4",
        ..QUAKE
    },
    QUAKE2,
    Row {
        engine: Engine::Yquake2,
        entries: Some((4096, "warned")),
        duplicates: "any",
        empty: "stops",
        loads: "pak0 pak1 pak3 pak9 pak10 pak99 mod Mod Pak1 zoo",
        around_empty: "pak0 pak2 a",
        around_pk3: "pak0 pak2 a",
        others: "x.pk2 x.pk3 x.pkz x.zip",
        ..QUAKE2
    },
    Row {
        engine: Engine::Q2pro,
        entries: Some((1_048_576, "refused")),
        reach: "2 GiB, ends",
        duplicates: "last",
        empty: "refused",
        loads: "pak0 pakx pak1 Pak1 pak3 PAK4.PAK pak07 pak9 pak10 pak99 pak100 b.PAK mod Mod zoo",
        around_empty: "pak0 pak2 a",
        around_pk3: "pak0 pak2 a",
        others: "x.pkz",
        ..QUAKE2
    },
    Row {
        engine: Engine::Daikatana,
        layout: Layout::Daikatana,
        entries: Some((20_480, "stops")),
        case: false,
        duplicates: "any",
        loose_wins: true,
        loads: TEN,
        around_pk3: "pak0 pak2",
        ..QUAKE
    },
];

#[test]
fn every_engine_has_its_row() {
    let rows: Vec<Engine> = ROWS.iter().map(|row| row.engine).collect();
    assert_eq!(rows, Engine::ALL);
}
