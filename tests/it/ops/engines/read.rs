//! Engines whose rules were read, and who were not run: what was read, once more.

use daisho::engine::{Effect, Engine, Facts};
use daisho::{Archive, Format};

use super::game::Game;
use crate::archive::zips::build::Zip;

/// How it takes a ZIP of this name and content.
fn effect(engine: Engine, name: &str, zip: Vec<u8>) -> Effect {
    let game = Game::new(engine);
    game.file(name, zip);
    let archive = Archive::open(game.path(name)).unwrap();
    Facts::of(&archive).unwrap().judge(engine).effect
}

/// Ten paks, gaps allowed, and behind them ZIPs by name, whose extension is in lower case.
#[test]
fn hexenwail_loads_zips_behind_numbered_paks() {
    let game = Game::new(Engine::Hexenwail);
    for pak in ["pak0", "pak9", "pak10", "mod"] {
        game.pak(&format!("g/{pak}.pak"), &["a", "both"]);
    }
    for zip in ["b.pk3", "A.pk3", "c.PK3", "d.pk4"] {
        game.zip(&format!("g/{zip}"), &["both"]);
    }
    let upper = if cfg!(windows) { " c.PK3" } else { "" };
    let loaded = format!("pak0.pak pak9.pak A.pk3 b.pk3{upper}");
    assert_eq!(game.loaded(), loaded);
    let upper = if cfg!(windows) { "g/c.PK3#0 " } else { "" };
    let both = format!("{upper}g/b.pk3#0 g/A.pk3#0 g/pak9.pak#1 g/pak0.pak#1");
    assert_eq!(game.found(&["g"], "both"), both);
    // A file goes before them all, and case decides nothing.
    game.file("g/both", "loose");
    assert_eq!(game.found(&["g"], "both"), format!("g/both {both}"));
    // Unless the file system finds that in either case.
    let file = if cfg!(windows) { "g/BOTH " } else { "" };
    assert_eq!(game.found(&["g"], "BOTH"), format!("{file}{both}"));
}

#[test]
fn hexenwail_serves_the_last_and_no_long_names() {
    let game = Game::new(Engine::Hexenwail);
    let (fits, long) = ("f".repeat(63), "l".repeat(64));
    game.zip("g/a.pk3", &["A", "a", "b\\c", &fits, &long]);
    assert_eq!(game.found(&["g"], "A"), "g/a.pk3#1 g/a.pk3#0");
    assert_eq!(game.found(&["g"], "b/c"), "");
    assert_eq!(game.found(&["g"], "B\\C"), "g/a.pk3#2");
    assert_eq!(game.found(&["g"], &fits), "g/a.pk3#3");
    assert_eq!(game.found(&["g"], &long), "");
    // In its paks, too, and there is no empty one.
    game.pak("g/pak0.pak", &["X", "x"]);
    game.pak("g/pak1.pak", &[]);
    assert_eq!(game.found(&["g"], "x"), "g/pak0.pak#1 g/pak0.pak#0");
    assert_eq!(game.loaded(), "pak0.pak a.pk3");
}

#[test]
fn hexenwail_refuses_empty_and_skips_unreadable_zips() {
    let engine = Engine::Hexenwail;
    assert_eq!(effect(engine, "a.pk3", Zip::new().bytes()), Effect::Refused);
    let one = || Zip::new().deflated("a.cfg", b"a");
    assert_eq!(effect(engine, "a.pk3", one().bytes()), Effect::Loads);
    assert_eq!(effect(engine, "a.pk3", one().large().bytes()), Effect::Loads);
    let game = Game::new(engine);
    game.file("g/a.pk3", one().both(|it| it.flags |= 1).stored("b", b"").bytes());
    assert_eq!(game.found(&["g"], "a.cfg"), "");
    assert_eq!(game.found(&["g"], "b"), "g/a.pk3#1");
}

/// ZIPs alone, by name, a later one first, whatever the case of their extension.
#[test]
fn dhewm3_loads_zips_by_name() {
    let game = Game::new(Engine::Dhewm3);
    for zip in ["pak001.pk4", "Pak000.PK4", "mod.pk4", "zz.pk3"] {
        game.zip(&format!("g/{zip}"), &["a"]);
    }
    game.pak("g/pak0.pak", &["a"]);
    assert_eq!(game.loaded(), "mod.pk4 Pak000.PK4 pak001.pk4");
    let all = "g/pak001.pk4#0 g/Pak000.PK4#0 g/mod.pk4#0";
    assert_eq!(game.found(&["g"], "A"), all);
    game.file("g/a", "loose");
    assert_eq!(game.found(&["g"], "a"), format!("g/a {all}"));
}

#[test]
fn dhewm3_serves_the_last_name_with_either_slash() {
    let game = Game::new(Engine::Dhewm3);
    let (fits, long) = ("f".repeat(2047), "l".repeat(2048));
    game.zip("g/a.pk4", &["B\\c", "b/C", &fits, &long]);
    assert_eq!(game.found(&["g"], "b/c"), "g/a.pk4#1 g/a.pk4#0");
    assert_eq!(game.found(&["g"], "/B\\C"), "g/a.pk4#1 g/a.pk4#0");
    assert_eq!(game.found(&["g"], &fits), "g/a.pk4#2");
    assert_eq!(game.found(&["g"], &long), "");
}

#[test]
fn dhewm3_loads_empty_zips_and_large_ones_and_no_pak() {
    let engine = Engine::Dhewm3;
    assert_eq!(effect(engine, "a.pk4", Zip::new().bytes()), Effect::Loads);
    let large = Zip::new().deflated("a", b"a").large().bytes();
    assert_eq!(effect(engine, "a.pk4", large.clone()), Effect::Loads);
    assert_eq!(effect(engine, "a.pk3", large), Effect::Refused);
    assert!(!engine.profile().reads(Format::Quake));
    let encrypted = Zip::new().deflated("a", b"a").both(|it| it.flags |= 1);
    let archive = Archive::from_bytes(encrypted.bytes()).unwrap();
    let why = &Facts::of(&archive).unwrap().judge(engine).why;
    assert_eq!(why.len(), 1);
    assert!(why[0].to_string().contains("come out wrong"), "{}", why[0]);
}
