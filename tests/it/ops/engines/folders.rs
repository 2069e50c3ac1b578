//! Which paks of a folder load, and in which order.

#![cfg_attr(
    not(target_os = "linux"),
    allow(
        dead_code,
        unused_imports,
        reason = "some of these folders hold names that differ in case alone"
    )
)]

use std::collections::BTreeSet;
use std::fs;

use crate::ops::report::convert;
use daisho::Format;
use daisho::engine::Engine;
use daisho::ops::finding::Finding;
use daisho::ops::game::View;

use super::super::{context, into_file};
use super::game::{Game, finish, layout, name, reported};
use super::observed::{Observed, Section};
use super::pak_engines;
use crate::archive::build::Pak;

/// The name that every pak and the loose file of a folder have.
const SCRIPT: &str = "x.cfg";

/// Lays out a folder that engines were asked about, as `id1` and `mod`.
fn write_folder(game: &Game, section: &Section) -> Vec<&'static str> {
    for given in section.given.split(' ') {
        let (folder, file) = match given.strip_prefix("mod/") {
            Some(file) => ("mod", file),
            None => ("id1", given),
        };
        let path = format!("{folder}/{file}");
        match file.rsplit_once('.') {
            Some((_, end)) if end.eq_ignore_ascii_case("pak") => game.pak(&path, &[SCRIPT]),
            Some((_, end)) if end.ends_with('/') => game.file(&format!("{path}{SCRIPT}"), "loose"),
            Some(_) => game.zip(&path, &[SCRIPT]),
            None => game.file(&format!("{folder}/{SCRIPT}"), "loose"),
        }
    }
    let has_mod = section.given.contains("mod/");
    if has_mod { vec!["id1", "mod"] } else { vec!["id1"] }
}

/// A copy as rows have it: `pak0.pak`, `mod/loose`.
fn as_seen(shown: &str) -> String {
    let path = shown.split('#').next().unwrap();
    let path = path.strip_prefix("id1/").unwrap_or(path);
    path.replace(&format!("dir/{SCRIPT}"), "dir").replace(SCRIPT, "loose")
}

/// Whether `ours` is what was seen, or differs only in an order that the engine leaves to the file
/// system, with a warning about it.
fn is_as_seen(view: &View, seen: &[&str], ours: &[String]) -> bool {
    if seen == ours {
        return true;
    }
    let sorted = |names: Vec<String>| names.into_iter().collect::<BTreeSet<_>>();
    let seen = sorted(seen.iter().map(|it| it.to_lowercase()).collect());
    let ours = sorted(ours.iter().map(|it| it.to_lowercase()).collect());
    let is_warned = view.findings.iter().any(is_about_order);
    seen == ours && is_warned
}

/// Whether the engine loads archives, or one of them, in no defined order.
fn is_about_order(finding: &Finding) -> bool {
    finding.detail.contains("the order in which the file system lists them")
}

#[test]
#[cfg(target_os = "linux")]
fn folders_serve_and_shadow_as_seen() {
    let observed = Observed::read();
    let mut left_open = BTreeSet::new();
    for section in observed.of("folder") {
        for (engine, seen) in section.rows(&observed) {
            let at = format!("{engine} {}", section.name);
            let game = Game::new(engine);
            let folders = write_folder(&game, section);
            let view = game.view(&folders);
            if seen == "no start" {
                let needs_first = "does not start if the base directory has no pak0.pak";
                let mut findings = view.findings.iter();
                assert!(findings.any(|it| it.detail.contains(needs_first)));
                continue;
            }
            let seen: Vec<&str> = seen.split(" > ").filter(|it| *it != "nothing").collect();
            let found = view.game.find(SCRIPT.as_bytes());
            let found: Vec<String> = found.iter().map(|it| as_seen(&game.shown(it))).collect();
            assert!(is_as_seen(&view, &seen, &found), "{at}: {found:?}, seen {seen:?}");
            if section.name == "unnumbered" {
                // Laid in no order: who has them sorted sorts them.
                let is_warned = view.findings.iter().any(is_about_order);
                assert_eq!(is_warned, found != seen, "{at}");
            }
            if found != seen {
                left_open.insert(format!("{at}: {}", seen.len()));
            }
            let listed = game.listed(&folders, true);
            // Archives of other kinds are files to an engine that does not load them.
            let first = found.first().cloned().unwrap_or_default();
            let is_copy = |it: &&str| {
                it.contains('#')
                    || it.ends_with(SCRIPT) && !it.contains("dir/")
                    || as_seen(it) == first
            };
            let listed: Vec<&str> = listed.split(' ').filter(is_copy).collect();
            assert_eq!(as_seen(&listed.join(" ")), first, "{at}");
        }
    }
    // Wherever an engine's order is its own, it is the one that is reported.
    let engines: BTreeSet<&str> =
        left_open.iter().map(|it| it.split(' ').next().unwrap()).collect();
    let expected = ["darkplaces", "ezquake", "q2pro", "qss", "yquake2", "yquake2remaster"];
    assert_eq!(engines.into_iter().collect::<Vec<_>>(), expected, "{left_open:?}");
    assert!(left_open.len() < 35, "{left_open:?}");
}

/// Not seen, but for one engine read: the numbers go on behind it.
#[test]
fn a_pk3_fills_in_for_a_missing_pak_in_one_engine() {
    let game = |engine| {
        let game = Game::new(engine);
        for name in ["a", "pak0", "pak2"] {
            game.pak(&format!("g/{name}.pak"), &["a"]);
        }
        game.zip("g/pak1.pk3", &["z"]);
        game.loaded()
    };
    assert_eq!(game(Engine::Qss), "pak0.pak pak1.pk3 pak2.pak a.pak");
    assert_eq!(game(Engine::Fteqw), "pak0.pak a.pak pak2.pak pak1.pk3");
    assert_eq!(game(Engine::Quake), "pak0.pak");
}

/// Seen, and not in the half of the answers that is kept here: both load what it lists first.
#[test]
fn order_lists_are_reported_for_engines_that_obey() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/pak.lst", "pak0.pak");
        let is_reported = reported(&game.view(&["g"])).contains("pak.lst: ");
        assert_eq!(
            is_reported,
            matches!(engine, Engine::Qss | Engine::Fteqw | Engine::EzQuake),
            "{engine}"
        );
    }
}

/// A pak is passed over for another spelling of its name only if that one is loaded.
#[test]
#[cfg(target_os = "linux")]
fn a_refused_pak_does_not_block_another_spelling() {
    for (engine, both) in [
        (Engine::Qss, false),
        (Engine::DarkPlaces, false),
        (Engine::Fteqw, false),
        (Engine::Yquake2, true),
        (Engine::Q2pro, true),
    ] {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/mod.pak", "no pak at all");
        game.pak("g/Mod.pak", &["a"]);
        assert!(game.loaded().contains("Mod.pak"), "{engine}");
        game.pak("g/mod.pak", &["a"]);
        assert_eq!(game.loaded().contains("Mod.pak"), both, "{engine}");
        assert!(game.view(&["g"]).findings.iter().any(is_about_order), "{engine}");
    }
}

/// An engine that ends with an error at such a one loads nothing at all: what would be served
/// without the damage is the more useful answer.
#[test]
fn numbers_go_on_after_an_unreadable_pak() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/pak1.pak", "no pak at all");
        game.pak("g/pak2.pak", &["a"]);
        assert_eq!(game.loaded(), "pak0.pak pak2.pak", "{engine}");
    }
}

/// Seen, and not in the half of the answers that is kept here. Of the others it was not asked, and
/// those take it for missing.
#[test]
fn a_directory_named_like_a_pak_stops_some_engines() {
    let stopped: Vec<&str> = pak_engines()
        .filter(|engine| {
            let game = Game::new(*engine);
            game.pak("g/pak0.pak", &["a"]);
            game.file("g/pak1.pak/file", "");
            game.file("g/pak7.pak/file", "");
            let view = game.view(&["g"]);
            let mut never = view.game.skipped().iter();
            let loaded: Vec<&str> = view.game.loaded().map(|pak| name(pak.path())).collect();
            assert_eq!(loaded, ["pak0.pak"], "{engine}");
            never.any(|never| never.why.is_fatal() && name(&never.path) == "pak1.pak")
        })
        .map(Engine::as_str)
        .collect();
    assert_eq!(stopped, ["quake", "quakespasm", "ironwail", "vkquake", "quake2"]);
}

/// Archives are loaded out of the folder itself, and what a killed run of ours left is no file.
#[test]
fn archives_in_subfolders_are_plain_files() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a"]);
        for path in ["g/sub/pak1.pak", "g/sub/x.pk3", "g/.daisho-0123abcd.tmp"] {
            game.file(path, "something");
        }
        let listed = game.listed(&["g"], true);
        let listed: Vec<&str> = listed.split(' ').filter(|it| !it.contains('#')).collect();
        assert_eq!(listed, ["g/sub/pak1.pak", "g/sub/x.pk3"], "{engine}");
    }
}

/// Seen: above the first pak and the base directory's loose files where these lose, below the second
/// pak; in no other directory.
#[test]
fn an_engines_own_pak_loads_after_pak0() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        for path in ["id1/pak0.pak", "id1/pak1.pak", "quakespasm.pak", "ironwail.pak"] {
            game.pak(path, &["a"]);
        }
        game.pak("mod/pak0.pak", &["b"]);
        game.file("id1/a", "loose");
        let own = match engine {
            Engine::QuakeSpasm | Engine::Qss => "quakespasm.pak#0 ",
            Engine::Ironwail => "ironwail.pak#0 ",
            _ => "",
        };
        let paks = format!("id1/pak1.pak#0 {own}id1/pak0.pak#0");
        let expected = if super::observed::rules(engine).loose_wins {
            format!("id1/a {paks}")
        } else {
            format!("{paks} id1/a")
        };
        assert_eq!(game.found(&["id1", "mod"], "a"), expected, "{engine}");
        // From within the base directory, too.
        let within = game.view(&["id1/../id1/."]);
        let paths = within.game.loaded().filter(|pak| pak.path().ends_with("../quakespasm.pak"));
        assert!(paths.count() <= 1);
    }
}

#[test]
fn without_an_engine_the_paks_decide_on_daikatana() {
    let dir = tempfile::tempdir().unwrap();
    let pak = || Pak::new().stored("a", b"a");
    let chosen = |name: &str, bytes: Vec<u8>| {
        fs::write(dir.path().join(name), bytes).unwrap();
        let view = View::open(&context(1), &[dir.path().to_path_buf()], None, false).unwrap();
        assert!(view.is_chosen);
        view.engine().unwrap()
    };
    assert_eq!(chosen("pak0.pak", pak().daikatana()), Engine::Daikatana);
    assert_eq!(chosen("pak1.pak", pak().quake()), Engine::Quake);
    assert_eq!(chosen("pak2.pak", pak().daikatana()), Engine::Daikatana);
}

#[test]
fn paks_of_another_layout_are_neither_served_nor_made() {
    for engine in pak_engines() {
        let dir = tempfile::tempdir().unwrap();
        let own = finish(engine, Pak::new().stored("a", b"own"));
        let other = Pak::new().stored("a", b"other");
        let other = match layout(engine) {
            Format::Daikatana => other.quake(),
            _ => other.daikatana(),
        };
        fs::write(dir.path().join("pak0.pak"), own).unwrap();
        fs::write(dir.path().join("pak1.pak"), other).unwrap();
        let folders = [dir.path().to_path_buf()];
        let view = View::open(&context(1), &folders, Some(engine), false).unwrap();
        let loaded: Vec<&str> = view.game.loaded().map(|pak| name(pak.path())).collect();
        // One recognises Daikatana's by the length of the directory.
        let is_recognised = engine == Engine::Yquake2Remaster;
        assert_eq!(loaded.len(), 1 + usize::from(is_recognised), "{engine}");

        let made = |to| {
            let mut options = into_file(dir.path().join("pak2.pak"), to);
            options.rules.engines = engine.into();
            options.dry_run = true;
            convert(&context(1), &[dir.path().join("pak0.pak")], options).is_ok()
        };
        let layouts = [Format::Quake, Format::Daikatana];
        assert_eq!(layouts.map(made), layouts.map(|it| it == layout(engine)), "{engine}");
    }
}
