//! Which paks of a folder load, and in which order.

use std::fs;

use daisho::ops::convert::convert;
use daisho::ops::engine::Engine;
use daisho::ops::game::View;
use daisho::pak::Layout;

use super::super::{context, into_file};
use super::ROWS;
use super::game::{Game, name};
use crate::pak::build::Pak;

/// Files of a folder, each of which shows a rule for what is loaded: a gap, the numbers around 9
/// and 99, one written with a zero, upper case in a name and in an extension, what only begins as
/// the numbered ones do, and two that differ in case only.
#[cfg(target_os = "linux")]
pub(super) const NAMES: &str = "pak0 pak1 pak3 pak9 pak10 pak99 pak100 pak07 pakx Pak1 PAK4.PAK \
                                mod Mod zoo b.PAK";

/// Files that are no paks.
pub(super) const OTHERS: &str = "pak.lst x.pk2 x.pk3 x.pk4 x.pkz x.zip x.txt";

#[test]
#[cfg(target_os = "linux")]
fn the_paks_of_a_folder_load_in_the_engines_order() {
    for row in &ROWS {
        let game = Game::new(row);
        for name in NAMES.split_whitespace() {
            game.pak(&format!("g/{}", extended(name)), &["a"]);
        }
        let expected: Vec<String> = row.loads.split(' ').map(extended).collect();
        assert_eq!(game.loaded(), expected.join(" "), "{}", row.engine);
        // The last one is served, and shadows the others from the last to the first.
        let search: Vec<String> = expected
            .iter()
            .rev()
            .map(|it| format!("g/{it}#0"))
            .collect();
        assert_eq!(game.found(&["g"], "a"), search.join(" "), "{}", row.engine);
        assert_eq!(game.listed(&["g"], false), search[0], "{}", row.engine);
    }
}

#[test]
fn a_pk3_of_its_number_stands_in_for_a_missing_pak_in_one_engine() {
    for row in &ROWS {
        let game = Game::new(row);
        for name in ["a", "pak0", "pak2"] {
            game.pak(&format!("g/{name}.pak"), &["a"]);
        }
        game.file("g/pak1.pk3", "PK\x03\x04");
        let expected: Vec<String> = row.around_pk3.split(' ').map(extended).collect();
        assert_eq!(game.loaded(), expected.join(" "), "{}", row.engine);
    }
}

#[test]
fn other_archives_that_it_loads_are_told_and_no_others() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a"]);
        for name in OTHERS.split(' ') {
            game.file(&format!("g/{name}"), "something");
        }
        let view = game.view(&["g"]);
        let told: Vec<&str> = view
            .problems()
            .iter()
            .map(|problem| name(problem.error.pak().unwrap()))
            .collect();
        assert_eq!(told.join(" "), row.others, "{}", row.engine);
        // To the game it is no file then.
        let listed = game.listed(&["g"], true);
        for other in row
            .others
            .split(' ')
            .filter(|other| other.starts_with("x."))
        {
            assert!(!listed.contains(other), "{}: {listed}", row.engine);
        }
        assert!(listed.contains("g/x.txt"), "{}: {listed}", row.engine);
    }
}

#[test]
fn an_empty_pak_is_nothing_is_refused_ends_the_numbers_or_stops_the_engine() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a"]);
        game.pak("g/pak1.pak", &[]);
        game.pak("g/pak2.pak", &["a"]);
        game.pak("g/a.pak", &["a"]);
        let expected: Vec<String> = row.around_empty.split(' ').map(extended).collect();
        assert_eq!(game.loaded(), expected.join(" "), "{}", row.engine);
        let why = match row.empty {
            "loads" => None,
            "ends" => Some("this engine looks for no further paks at such a one"),
            "refused" => Some("this engine refuses such a pak"),
            "stops" => Some("this engine does not start with such a pak"),
            other => panic!("{other}"),
        };
        let view = game.view(&["g"]);
        let mut never = view.folders()[0].never_loaded().iter();
        let said = never.find(|never| name(&never.path) == "pak1.pak");
        let said = said.map(|never| never.why.to_string());
        let why = why.map(|why| format!("it has no entries, and {why}"));
        assert_eq!(said, why, "{}", row.engine);
        assert_eq!(game.is_fatal(), row.empty == "stops", "{}", row.engine);
    }
}

/// A pak is passed over for another spelling of its name only if that one is loaded.
#[test]
#[cfg(target_os = "linux")]
fn a_pak_that_is_refused_does_not_stand_in_the_way_of_another_spelling() {
    for row in ROWS.iter().filter(|row| row.loads.contains(" mod")) {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/mod.pak", "no pak at all");
        game.pak("g/Mod.pak", &["a"]);
        assert!(game.loaded().contains("Mod.pak"), "{}", row.engine);
        game.pak("g/mod.pak", &["a"]);
        let both = row.loads.contains(" Mod ");
        assert_eq!(game.loaded().contains("Mod.pak"), both, "{}", row.engine);
    }
}

/// An engine that ends with an error at such a one loads nothing at all: what would be served
/// without the damage is the more useful answer.
#[test]
fn a_pak_that_cannot_be_read_ends_no_numbers() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/pak1.pak", "no pak at all");
        game.pak("g/pak2.pak", &["a"]);
        assert_eq!(game.loaded(), "pak0.pak pak2.pak", "{}", row.engine);
    }
}

/// Archives are loaded out of the folder itself, and what a killed run of ours left is no file.
#[test]
fn archives_further_down_are_files_and_halves_of_outputs_are_none() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a"]);
        for path in ["g/sub/pak1.pak", "g/sub/x.pk3", "g/.daisho-0123abcd.tmp"] {
            game.file(path, "something");
        }
        let listed = game.listed(&["g"], true);
        let listed: Vec<&str> = listed.split(' ').filter(|it| !it.contains('#')).collect();
        assert_eq!(listed, ["g/sub/pak1.pak", "g/sub/x.pk3"], "{}", row.engine);
    }
}

#[test]
fn without_a_name_the_engine_is_daikatana_where_most_paks_are_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let pak = || Pak::new().stored("a", b"a");
    let chosen = |name: &str, bytes: Vec<u8>| {
        fs::write(dir.path().join(name), bytes).unwrap();
        let view = View::open(&context(1), &[dir.path().to_path_buf()], None).unwrap();
        assert!(view.is_chosen());
        view.engine()
    };
    assert_eq!(chosen("pak0.pak", pak().daikatana()), Engine::Daikatana);
    assert_eq!(chosen("pak1.pak", pak().quake()), Engine::Quake);
    assert_eq!(chosen("pak2.pak", pak().daikatana()), Engine::Daikatana);
}

#[test]
fn a_pak_of_the_other_layout_never_loads_and_is_never_made() {
    for row in &ROWS {
        let dir = tempfile::tempdir().unwrap();
        let own = row.finish(Pak::new().stored("a", b"own"));
        let other = Pak::new().stored("a", b"other");
        let other = match row.layout {
            Layout::Daikatana => other.quake(),
            _ => other.daikatana(),
        };
        fs::write(dir.path().join("pak0.pak"), own).unwrap();
        fs::write(dir.path().join("pak1.pak"), other).unwrap();
        let folders = [dir.path().to_path_buf()];
        let view = View::open(&context(1), &folders, Some(row.engine)).unwrap();
        let loaded: Vec<&str> = view.paks().map(|pak| name(&pak.path)).collect();
        assert_eq!(loaded, ["pak0.pak"], "{}", row.engine);

        let made = |to| {
            let mut options = into_file(dir.path().join("out.pak"), to);
            options.rules.engine = Some(row.engine);
            options.dry_run = true;
            convert(&context(1), &[dir.path().join("pak0.pak")], &options).is_ok()
        };
        let layouts = [Layout::Quake, Layout::Daikatana];
        assert_eq!(
            layouts.map(made),
            layouts.map(|it| it == row.layout),
            "{}",
            row.engine
        );
    }
}

fn extended(name: &str) -> String {
    if name.contains('.') {
        name.to_owned()
    } else {
        format!("{name}.pak")
    }
}
