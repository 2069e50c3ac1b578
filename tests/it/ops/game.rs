//! A game's folders as each engine sees them. What is expected is written by hand, engine by
//! engine: turning a rule round fails here.

use std::fs;
use std::path::PathBuf;

use daisho::ops::context::Severity;
use daisho::ops::engine::Engine;
use daisho::ops::game::{Served, View};
use daisho::ops::select::Selection;
use tempfile::TempDir;

use super::{Random, context};
use crate::pak::build::{Entry, Pak};

/// All engines but Daikatana, and Daikatana, whose paks have another layout.
const QUAKES: [Engine; 10] = [
    Engine::Quake,
    Engine::QuakeSpasm,
    Engine::Ironwail,
    Engine::VkQuake,
    Engine::Qss,
    Engine::DarkPlaces,
    Engine::Fteqw,
    Engine::Quake2,
    Engine::Yquake2,
    Engine::Q2pro,
];

fn layout_of(engine: Engine) -> fn(Pak) -> Vec<u8> {
    match engine {
        Engine::Daikatana => Pak::daikatana,
        _ => Pak::quake,
    }
}

/// Folders with paks and files in them.
struct Game(TempDir);

impl Game {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A pak of these names, in `engine`'s layout.
    fn pak(&self, engine: Engine, path: &str, names: &[&str]) {
        let pak = names.iter().fold(Pak::new(), |pak, name| {
            pak.stored(name, format!("{path} {name}").as_bytes())
        });
        self.file(path, layout_of(engine)(pak));
    }

    fn view(&self, engine: Engine, folders: &[&str]) -> View {
        let folders: Vec<PathBuf> = folders.iter().map(|f| self.0.path().join(f)).collect();
        View::open(&context(1), &folders, Some(engine)).unwrap()
    }

    /// `PATH#INDEX`, or `PATH` for a loose file.
    fn shown(&self, served: &Served<'_>) -> String {
        let path = served.path().strip_prefix(self.0.path()).unwrap();
        let path = path.to_str().unwrap().replace('\\', "/");
        match served.entry() {
            Some(entry) => format!("{path}#{}", entry.index()),
            None => path,
        }
    }

    /// Every copy of `name`, in the order in which they are served.
    fn found(&self, engine: Engine, folders: &[&str], name: &str) -> Vec<String> {
        let view = self.view(engine, folders);
        let found = view.find(name.as_bytes());
        found.iter().map(|served| self.shown(served)).collect()
    }

    /// The paks that load, in order, and what is said of the others: `NAME: REASON`, with `!` in
    /// front where the engine does not start.
    fn loaded(&self, engine: Engine) -> (Vec<String>, Vec<String>) {
        let view = self.view(engine, &["g"]);
        let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let loaded = view.paks().map(|pak| name(&pak.path)).collect();
        let never = view.folders()[0].never_loaded().iter().map(|never| {
            let fatal = if never.why.is_fatal() { "!" } else { "" };
            format!("{fatal}{}: {}", name(&never.path), never.why)
        });
        (loaded, never.collect())
    }
}

#[test]
fn a_later_pak_goes_before_an_earlier_one_and_a_mod_before_the_base() {
    for engine in Engine::ALL {
        let game = Game::new();
        for path in ["base/pak0.pak", "base/pak1.pak", "mod/pak0.pak"] {
            game.pak(engine, path, &["other", "a"]);
        }
        assert_eq!(
            game.found(engine, &["base", "mod"], "a"),
            ["mod/pak0.pak#1", "base/pak1.pak#1", "base/pak0.pak#1"],
            "{engine}"
        );
        assert_eq!(
            game.found(engine, &["mod", "base"], "a"),
            ["base/pak1.pak#1", "base/pak0.pak#1", "mod/pak0.pak#1"],
            "{engine}"
        );
    }
}

#[test]
fn loose_files_go_before_the_paks_of_their_folder_or_behind_them() {
    for (engine, first) in [
        (Engine::Quake, "pak"),
        (Engine::QuakeSpasm, "pak"),
        (Engine::Ironwail, "pak"),
        (Engine::VkQuake, "pak"),
        (Engine::Qss, "loose"),
        (Engine::DarkPlaces, "loose"),
        (Engine::Fteqw, "loose"),
        (Engine::Quake2, "pak"),
        (Engine::Yquake2, "pak"),
        (Engine::Q2pro, "pak"),
        (Engine::Daikatana, "loose"),
    ] {
        let game = Game::new();
        game.pak(engine, "base/pak0.pak", &["maps/a.bsp"]);
        game.file("base/maps/a.bsp", "loose");
        game.pak(engine, "mod/pak0.pak", &["maps/a.bsp"]);
        game.file("mod/maps/a.bsp", "loose");
        let folder = |folder: &str| {
            let both = [
                format!("{folder}/pak0.pak#0"),
                format!("{folder}/maps/a.bsp"),
            ];
            let [pak, loose] = both;
            if first == "pak" {
                [pak, loose]
            } else {
                [loose, pak]
            }
        };
        // The folder decides before the kind does.
        assert_eq!(
            game.found(engine, &["base", "mod"], "maps/a.bsp"),
            [folder("mod"), folder("base")].concat(),
            "{engine}"
        );
        let view = game.view(engine, &["base", "mod"]);
        let winners = view.winners(&Selection::all(), true);
        let shown: Vec<String> = winners.served.iter().map(|s| game.shown(s)).collect();
        assert_eq!(shown, [folder("mod")[0].clone()], "{engine}");
        // From paks alone the loose file shadows nothing.
        let winners = view.winners(&Selection::all(), false);
        let shown: Vec<String> = winners.served.iter().map(|s| game.shown(s)).collect();
        assert_eq!(shown, ["mod/pak0.pak#0"], "{engine}");
    }
}

#[test]
fn of_one_name_in_one_pak_the_first_or_the_last_is_served_or_it_is_not_defined() {
    for (engine, rule) in [
        (Engine::Quake, "first"),
        (Engine::QuakeSpasm, "first"),
        (Engine::Ironwail, "first"),
        (Engine::VkQuake, "first"),
        (Engine::Qss, "first"),
        (Engine::DarkPlaces, "not defined"),
        (Engine::Fteqw, "first"),
        (Engine::Quake2, "first"),
        (Engine::Yquake2, "not defined"),
        (Engine::Q2pro, "last"),
        (Engine::Daikatana, "not defined"),
    ] {
        let game = Game::new();
        game.pak(engine, "g/pak0.pak", &["b", "a", "c", "a", "a"]);
        let expected = match rule {
            "last" => ["g/pak0.pak#4", "g/pak0.pak#3", "g/pak0.pak#1"],
            _ => ["g/pak0.pak#1", "g/pak0.pak#3", "g/pak0.pak#4"],
        };
        assert_eq!(game.found(engine, &["g"], "a"), expected, "{engine}");
        let view = game.view(engine, &["g"]);
        let is_undefined = rule == "not defined";
        assert_eq!(
            view.is_undefined(&view.find(b"a")),
            is_undefined,
            "{engine}"
        );
        assert!(!view.is_undefined(&view.find(b"b")), "{engine}");
        // In the list the directory's order stays.
        let winners = view.winners(&Selection::all(), false);
        let shown: Vec<String> = winners.served.iter().map(|s| game.shown(s)).collect();
        let (list, doubtful) = match rule {
            "last" => (["g/pak0.pak#0", "g/pak0.pak#2", "g/pak0.pak#4"], vec![]),
            "first" => (["g/pak0.pak#0", "g/pak0.pak#1", "g/pak0.pak#2"], vec![]),
            _ => (["g/pak0.pak#0", "g/pak0.pak#1", "g/pak0.pak#2"], vec![1]),
        };
        assert_eq!(
            (shown.as_slice(), winners.undefined),
            (&list.map(String::from)[..], doubtful)
        );
    }
}

/// A duplicate that is shadowed by another pak leaves nothing undefined.
#[test]
fn what_is_not_served_can_stay_undefined() {
    let game = Game::new();
    game.pak(Engine::Yquake2, "g/pak0.pak", &["a", "a"]);
    game.pak(Engine::Yquake2, "g/pak1.pak", &["a"]);
    let view = game.view(Engine::Yquake2, &["g"]);
    assert!(!view.is_undefined(&view.find(b"a")));
    let winners = view.winners(&Selection::all(), false);
    assert_eq!((winners.served.len(), winners.undefined.len()), (1, 0));
}

#[test]
fn names_are_compared_with_case_or_without_and_loose_files_always_with() {
    for (engine, matters) in [
        (Engine::Quake, true),
        (Engine::QuakeSpasm, true),
        (Engine::Ironwail, true),
        (Engine::VkQuake, true),
        (Engine::Qss, true),
        (Engine::DarkPlaces, false),
        (Engine::Fteqw, false),
        (Engine::Quake2, false),
        (Engine::Yquake2, false),
        (Engine::Q2pro, false),
        (Engine::Daikatana, false),
    ] {
        let game = Game::new();
        game.pak(engine, "g/pak0.pak", &["MAPS/A.bsp", "maps\\b.bsp"]);
        game.pak(engine, "g/pak1.pak", &["maps/a.bsp"]);
        let found = |name: &str| game.found(engine, &["g"], name);
        let both = ["g/pak1.pak#0", "g/pak0.pak#0"];
        let (lower, upper) = if matters {
            (&both[..1], &both[1..])
        } else {
            (&both[..], &both[..])
        };
        assert_eq!(found("maps/a.bsp"), lower, "{engine}");
        assert_eq!(found("MAPS/A.bsp"), upper, "{engine}");
        // The kind of slash always matters.
        assert_eq!(found("maps/b.bsp"), [""; 0], "{engine}");
        let winners = game.view(engine, &["g"]);
        let winners = winners.winners(&Selection::all(), false).served.len();
        assert_eq!(winners, if matters { 3 } else { 2 }, "{engine}");
    }
}

/// The file system tells cases apart; where it does not, there is nothing to see.
#[cfg(target_os = "linux")]
#[test]
fn a_loose_file_is_found_under_exactly_its_name() {
    for engine in Engine::ALL {
        let game = Game::new();
        game.pak(engine, "g/pak0.pak", &["x"]);
        game.file("g/Maps/A.bsp", "loose");
        assert_eq!(game.found(engine, &["g"], "maps/a.bsp"), [""; 0]);
        assert_eq!(game.found(engine, &["g"], "Maps/A.bsp"), ["g/Maps/A.bsp"]);
        assert_eq!(game.found(engine, &["g"], "../g/Maps/A.bsp"), [""; 0]);
    }
}

#[test]
fn paks_load_in_each_engines_order_and_the_others_have_their_reason() {
    let gap = "pak3.pak: pak2.pak is missing, and it asks for no number behind a gap";
    let upper = "PAK4.PAK: it asks for pak4.pak, in lower case";
    let plain = "mod.pak: it asks for pak0.pak, pak1.pak and so on, and no others";
    let twelve = "pak12.pak: it asks for no number above 9";
    let behind = "pak12.pak: pak2.pak is missing, and it asks for no number behind a gap";
    for (engines, loaded, never) in [
        (
            &[
                Engine::Quake,
                Engine::QuakeSpasm,
                Engine::Ironwail,
                Engine::VkQuake,
            ][..],
            "pak0.pak pak1.pak",
            &[upper, plain, behind, gap][..],
        ),
        (
            &[Engine::Qss],
            "pak0.pak pak1.pak mod.pak pak12.pak pak3.pak PAK4.PAK",
            &[],
        ),
        (
            &[Engine::DarkPlaces],
            "mod.pak pak0.pak pak1.pak pak12.pak pak3.pak PAK4.PAK",
            &[],
        ),
        (
            &[Engine::Fteqw],
            "pak0.pak pak1.pak mod.pak pak12.pak pak3.pak",
            &[upper],
        ),
        (
            &[Engine::Quake2, Engine::Daikatana],
            "pak0.pak pak1.pak pak3.pak",
            &[upper, plain, twelve],
        ),
        (
            &[Engine::Yquake2],
            "pak0.pak pak1.pak pak3.pak pak12.pak mod.pak",
            &[upper],
        ),
        (
            &[Engine::Q2pro],
            "pak0.pak pak1.pak pak3.pak PAK4.PAK pak12.pak mod.pak",
            &[],
        ),
    ] {
        for engine in engines {
            let game = Game::new();
            for name in [
                "pak0.pak",
                "pak1.pak",
                "pak3.pak",
                "pak12.pak",
                "PAK4.PAK",
                "mod.pak",
            ] {
                game.pak(*engine, &format!("g/{name}"), &["a"]);
            }
            game.file("g/notes.txt", "no pak");
            let expected = loaded.split(' ').map(String::from).collect();
            let never = never.iter().map(|s| (*s).to_owned()).collect();
            assert_eq!(game.loaded(*engine), (expected, never), "{engine}");
            // The one that loads last is served.
            let last = format!("g/{}#0", loaded.rsplit(' ').next().unwrap());
            assert_eq!(game.found(*engine, &["g"], "a")[0], last, "{engine}");
        }
    }
}

#[test]
fn an_empty_pak_loads_is_refused_ends_the_numbers_or_stops_the_engine() {
    let stops = [
        "pak1.pak: it has no entries, and this engine looks for no further paks at such a one",
        "pak2.pak: pak1.pak has no entries, and it asks for no number behind such a one",
    ];
    for (engine, loaded, never) in [
        (Engine::Quake, "pak0.pak pak1.pak pak2.pak", &[][..]),
        (Engine::QuakeSpasm, "pak0.pak", &stops),
        (Engine::Ironwail, "pak0.pak", &stops),
        (Engine::VkQuake, "pak0.pak", &stops),
        // The listing finds what the numbers do not reach.
        (Engine::Qss, "pak0.pak pak2.pak", &stops[..1]),
        (Engine::DarkPlaces, "pak0.pak pak1.pak pak2.pak", &[]),
        (Engine::Fteqw, "pak0.pak pak1.pak pak2.pak", &[]),
        (Engine::Quake2, "pak0.pak pak1.pak pak2.pak", &[]),
        (
            Engine::Yquake2,
            "pak0.pak pak2.pak",
            &["!pak1.pak: it has no entries, and this engine does not start with such a pak"],
        ),
        (
            Engine::Q2pro,
            "pak0.pak pak2.pak",
            &["pak1.pak: it has no entries, and this engine refuses such a pak"],
        ),
    ] {
        let game = Game::new();
        game.pak(engine, "g/pak0.pak", &["a"]);
        game.pak(engine, "g/pak1.pak", &[]);
        game.pak(engine, "g/pak2.pak", &["a"]);
        let expected = loaded.split(' ').map(String::from).collect();
        let never = never.iter().map(|s| (*s).to_owned()).collect();
        assert_eq!(game.loaded(engine), (expected, never), "{engine}");
    }
}

/// Entries of no content, all of them.
fn pak_of(entries: usize) -> Pak {
    (0..entries).fold(Pak::new(), |pak, n| {
        pak.entry(Entry {
            name: format!("f{n}").into_bytes(),
            offset: 12,
            size: 0,
            packed: None,
        })
    })
}

#[test]
fn a_pak_over_the_limit_stops_the_engine_is_refused_or_loads() {
    for (engine, limit, what) in [
        (Engine::Quake, 2048, "stops"),
        (Engine::QuakeSpasm, 2048, "stops"),
        (Engine::Ironwail, 2048, "stops"),
        (Engine::VkQuake, 2048, "stops"),
        (Engine::Qss, 4096, "stops"),
        (Engine::DarkPlaces, 65_536, "refuses"),
        (Engine::Quake2, 4096, "stops"),
        (Engine::Yquake2, 4096, "loads"),
        (Engine::Daikatana, 20_480, "stops"),
    ] {
        let game = Game::new();
        game.file("g/pak0.pak", layout_of(engine)(pak_of(limit)));
        game.file("g/pak1.pak", layout_of(engine)(pak_of(limit + 1)));
        game.pak(engine, "g/pak2.pak", &["a"]);
        let (loaded, never) = game.loaded(engine);
        let over = limit + 1;
        let expected = match what {
            "loads" => vec![],
            "refuses" => vec![format!(
                "pak1.pak: its {over} entries are more than {limit}, and this engine refuses such a pak"
            )],
            _ => vec![format!(
                "!pak1.pak: its {over} entries are more than {limit}, and this engine does not start with such a pak"
            )],
        };
        assert_eq!(never, expected, "{engine}");
        assert_eq!(loaded.len(), 3 - expected.len(), "{engine}");
        // That the engine does not start is no warning.
        let view = game.view(engine, &["g"]);
        let severities: Vec<Severity> = view.problems().iter().map(|p| p.severity).collect();
        let expected = match what {
            "loads" => vec![],
            "refuses" => vec![Severity::Warning],
            _ => vec![Severity::Error],
        };
        assert_eq!(severities, expected, "{engine}");
    }
}

#[test]
fn a_pak_of_the_other_layout_is_never_loaded() {
    let game = Game::new();
    game.pak(Engine::Quake, "g/pak0.pak", &["a"]);
    game.pak(Engine::Daikatana, "g/pak1.pak", &["a"]);
    game.pak(Engine::Quake, "g/pak2.pak", &["a"]);
    for engine in QUAKES {
        let (loaded, never) = game.loaded(engine);
        assert_eq!(loaded, ["pak0.pak", "pak2.pak"], "{engine}");
        assert_eq!(
            never,
            ["pak1.pak: it is a daikatana pak, and this engine reads only quake paks"]
        );
    }
    assert_eq!(game.loaded(Engine::Daikatana).0, ["pak1.pak"]);
}

#[test]
fn what_cannot_be_read_is_an_error_and_other_archives_are_told() {
    let game = Game::new();
    game.pak(Engine::Qss, "g/pak0.pak", &["a"]);
    game.file("g/pak1.pak", "no pak at all");
    game.file("g/pak2.pk3", "PK\x03\x04");
    game.file("g/pak.lst", "pak0.pak");
    let told = |engine| {
        let view = game.view(engine, &["g"]);
        let problems = view.problems().iter();
        let shown = problems.map(|problem| {
            let name = problem.error.pak().unwrap().file_name().unwrap();
            format!("{:?} {}", problem.severity, name.to_str().unwrap())
        });
        shown.collect::<Vec<String>>().join(", ")
    };
    assert_eq!(told(Engine::Quake), "Error pak1.pak");
    assert_eq!(
        told(Engine::Qss),
        "Error pak1.pak, Warning pak.lst, Warning pak2.pk3"
    );
    assert_eq!(told(Engine::Q2pro), "Error pak1.pak");
}

/// An engine, whether loose files win, whether case matters, and the rule for duplicates: of those
/// whose rules are defined.
const DEFINED: [(Engine, bool, bool, &str); 9] = [
    (Engine::Quake, false, true, "first"),
    (Engine::QuakeSpasm, false, true, "first"),
    (Engine::Ironwail, false, true, "first"),
    (Engine::VkQuake, false, true, "first"),
    (Engine::Qss, true, true, "first"),
    (Engine::Fteqw, true, false, "first"),
    (Engine::Quake2, false, false, "first"),
    (Engine::Q2pro, false, false, "last"),
    // One that is not defined: the first is taken.
    (Engine::DarkPlaces, true, false, "first"),
];

/// Games at random, against a search that knows the rules by the table above.
#[test]
fn every_name_is_served_as_a_plain_search_has_it() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..60 {
        let (engine, loose_wins, case_matters, rule) = DEFINED[round % DEFINED.len()];
        let game = Game::new();
        // Everything in the order in which it is searched: a copy's name, and how it is shown.
        let mut search: Vec<(String, String, bool)> = Vec::new();
        for folder in ["base", "mod"] {
            let mut paks = Vec::new();
            for pak in 0..1 + random.below(3) {
                let names: Vec<String> = (0..random.below(6) + 1)
                    .map(|_| ["a", "b", "A", "c/d", "C/d"][random.below(5)].to_owned())
                    .collect();
                let path = format!("{folder}/pak{pak}.pak");
                let all: Vec<&str> = names.iter().map(String::as_str).collect();
                game.pak(engine, &path, &all);
                let mut entries: Vec<(String, String, bool)> = names
                    .into_iter()
                    .enumerate()
                    .map(|(n, name)| (name, format!("{path}#{n}"), false))
                    .collect();
                if rule == "last" {
                    entries.reverse();
                }
                paks.splice(0..0, entries);
            }
            let mut loose = Vec::new();
            for name in ["a", "c/d", "e"] {
                if random.below(2) == 0 {
                    game.file(&format!("{folder}/{name}"), "loose");
                    loose.push((name.to_owned(), format!("{folder}/{name}"), true));
                }
            }
            let both = if loose_wins {
                [loose, paks]
            } else {
                [paks, loose]
            };
            search.splice(0..0, both.concat());
        }
        let same = |asked: &str, name: &str, loose: bool| {
            asked == name || !case_matters && !loose && asked.eq_ignore_ascii_case(name)
        };
        let view = game.view(engine, &["base", "mod"]);
        let mut winners: Vec<String> = Vec::new();
        for asked in ["a", "b", "A", "B", "c/d", "C/d", "e"] {
            let expected: Vec<&String> = search
                .iter()
                .filter(|(name, _, loose)| same(asked, name, *loose))
                .map(|(_, shown, _)| shown)
                .collect();
            let found = view.find(asked.as_bytes());
            let found: Vec<String> = found.iter().map(|s| game.shown(s)).collect();
            assert_eq!(
                found.iter().collect::<Vec<_>>(),
                expected,
                "{engine} {asked}"
            );
        }
        // A copy is listed that is served under its own name.
        for (name, shown, _) in &search {
            let first = search
                .iter()
                .find(|(n, _, loose)| same(name, n, *loose))
                .unwrap();
            if first.1 == *shown {
                winners.push(shown.clone());
            }
        }
        let listed = view.winners(&Selection::all(), true);
        let mut listed: Vec<String> = listed.served.iter().map(|s| game.shown(s)).collect();
        listed.sort();
        winners.sort();
        assert_eq!(listed, winners, "{engine}");
    }
}
