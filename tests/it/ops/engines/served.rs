//! Which copy of a file is served, which names are one, and which are never found.

use std::fs;
use std::num::NonZeroU64;

use daisho::ops::convert::{convert, merge};
use daisho::ops::select::Selection;
use daisho::ops::split::Rules;
use daisho::pak::Layout;

use super::super::naive::{self, contents};
use super::super::{context, into_file, names_in};
use super::ROWS;
use super::game::Game;

/// What an engine does not find, as it would have to be.
const NEVER_FOUND: [(&str, &str); 2] =
    [("Maps/a.bsp", "maps/a.bsp"), ("maps\\b.bsp", "maps/b.bsp")];

/// The folder decides first, then the kind, then the pak.
#[test]
fn a_mod_goes_before_the_base_and_a_loose_file_before_or_behind_the_paks_of_its_folder() {
    for row in &ROWS {
        let game = Game::new(row);
        for path in ["base/pak0.pak", "base/pak1.pak", "mod/pak0.pak"] {
            game.pak(path, &["x", "a"]);
        }
        game.file("base/a", "loose");
        game.file("mod/a", "loose");
        let (base, all) = if row.loose_wins {
            (
                "base/a base/pak1.pak#1 base/pak0.pak#1",
                "mod/a mod/pak0.pak#1",
            )
        } else {
            (
                "base/pak1.pak#1 base/pak0.pak#1 base/a",
                "mod/pak0.pak#1 mod/a",
            )
        };
        let both = ["base", "mod"];
        assert_eq!(
            game.found(&both, "a"),
            format!("{all} {base}"),
            "{}",
            row.engine
        );
        let turned = game.found(&["mod", "base"], "a");
        assert_eq!(turned, format!("{base} {all}"), "{}", row.engine);
        let winner = all.split(' ').next().unwrap();
        let listed = game.listed(&both, true);
        let listed: Vec<&str> = listed.split(' ').collect();
        assert!(
            listed.contains(&winner) && listed.len() == 2,
            "{}: {listed:?}",
            row.engine
        );
    }
}

/// However it is asked for, a loose file has one name.
#[test]
fn a_loose_file_is_not_found_under_a_name_that_only_leads_to_it() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/maps/b.bsp", "loose");
        for name in ["maps\\b.bsp", "./maps/b.bsp", "maps//b.bsp", "/maps/b.bsp"] {
            assert_eq!(game.found(&["g"], name), "", "{} {name}", row.engine);
        }
        assert_eq!(game.found(&["g"], "maps/b.bsp"), "g/maps/b.bsp");
    }
}

#[test]
fn of_two_entries_of_one_name_the_first_or_the_last_is_served_or_any() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a", "b", "a", "c", "a"]);
        let (found, served) = match row.duplicates {
            "last" => ("#4 #2 #0", "#1 #3 #4"),
            "first" | "any" => ("#0 #2 #4", "#0 #1 #3"),
            other => panic!("{other}"),
        };
        let placed = |short: &str| short.replace('#', "g/pak0.pak#");
        assert_eq!(game.found(&["g"], "a"), placed(found), "{}", row.engine);
        assert_eq!(game.listed(&["g"], false), placed(served), "{}", row.engine);
        let view = game.view(&["g"]);
        let doubtful = view.is_undefined(&view.find(b"a"));
        assert_eq!(doubtful, row.duplicates == "any", "{}", row.engine);
        let winners = view.winners(&Selection::all(), false);
        assert_eq!(!winners.undefined.is_empty(), doubtful, "{}", row.engine);

        // A merge holds what is served.
        let out = game.path("out.pak");
        merge(&context(1), &view, false, &into_file(&out, row.layout)).unwrap();
        let entries = naive::read(&fs::read(out).unwrap(), row.layout);
        let merged: Vec<String> = contents(&entries)
            .iter()
            .map(|(_, content)| String::from_utf8_lossy(content).into_owned())
            .collect();
        assert_eq!(merged.join(" "), placed(served), "{}", row.engine);
    }
}

/// Who has a merge written in the other layout means another engine.
#[test]
fn a_merge_into_the_other_layout_is_not_measured_by_the_games_engine() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["a"]);
        for to in [Layout::Quake, Layout::Daikatana] {
            let options = into_file(game.path(&format!("{to}.pak")), to);
            let report = merge(&context(1), &game.view(&["g"]), false, &options).unwrap();
            assert!(
                report.paks[0].problems.is_empty(),
                "{}: {report:?}",
                row.engine
            );
        }
    }
}

#[test]
fn two_names_that_differ_in_case_are_one_or_two_and_are_split_or_kept_together() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &["A/b", "x"]);
        game.pak("g/pak1.pak", &["a/B", "y"]);
        let expected = if row.case {
            ""
        } else {
            "g/pak1.pak#0 g/pak0.pak#0"
        };
        assert_eq!(game.found(&["g"], "a/b"), expected, "{}", row.engine);
        let count = game.listed(&["g"], false).split(' ').count();
        assert_eq!(count, if row.case { 4 } else { 3 }, "{}", row.engine);

        // Two fit into a part.
        game.pak("in.pak", &["a", "b", "A"]);
        let to = game.path("split");
        fs::create_dir(&to).unwrap();
        let mut options = into_file(to.join("pak0.pak"), row.layout);
        options.rules = Rules {
            engine: Some(row.engine),
            max_entries: NonZeroU64::new(2),
            max_size: None,
        };
        convert(&context(1), &[game.path("in.pak")], &options).unwrap();
        let parts: Vec<String> = names_in(&to)
            .iter()
            .map(|part| {
                let entries = naive::read(&fs::read(to.join(part)).unwrap(), row.layout);
                let names = contents(&entries)
                    .into_iter()
                    .map(|(name, _)| name.to_vec());
                String::from_utf8(names.collect::<Vec<_>>().join(&b' ')).unwrap()
            })
            .collect();
        let expected = if row.case { ["a b", "A"] } else { ["a A", "b"] };
        assert_eq!(parts, expected, "{}", row.engine);
    }
}

#[test]
fn what_is_spelled_otherwise_is_never_found_where_case_matters_and_that_is_told() {
    for row in &ROWS {
        let game = Game::new(row);
        game.pak("g/pak0.pak", &[NEVER_FOUND[0].0, NEVER_FOUND[1].0, "c"]);
        for (name, works) in NEVER_FOUND {
            // A slash is another character to all of them; only the case of letters is passed over.
            let is_served = !game.found(&["g"], works).is_empty();
            assert_eq!(
                is_served,
                !row.case && !name.contains('\\'),
                "{}",
                row.engine
            );
        }
        let mut options = into_file(game.path("out.pak"), row.layout);
        options.rules.engine = Some(row.engine);
        let report = convert(&context(1), &[game.path("g/pak0.pak")], &options).unwrap();
        let told: Vec<(String, String)> = report.paks[0]
            .never_found
            .iter()
            .map(|never| {
                let text = |name: &[u8]| String::from_utf8(name.to_vec()).unwrap();
                (text(&never.name), text(&never.works))
            })
            .collect();
        let all = NEVER_FOUND.map(|(name, works)| (name.to_owned(), works.to_owned()));
        let expected = if row.case { &all[..] } else { &[] };
        assert_eq!(told, expected, "{}", row.engine);
    }
}
