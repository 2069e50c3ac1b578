//! Which names are one, which copy of one name is served, and which are never found.

use std::collections::HashMap;
use std::fs;
use std::num::NonZeroU64;

use crate::ops::report::{convert, merge};
use daisho::archive::RawName;
use daisho::engine::{Engine, Facts, Findable, Reason};
use daisho::ops::game::View;
use daisho::ops::source::Selection;
use daisho::ops::write::Rules;
use daisho::{Archive, Format};

use super::super::naive::{self, contents};
use super::super::{context, into_file, names_in};
use super::game::{Game, finish, layout};
use super::observed::{Backslash, Duplicates, Observed, rules};
use super::pak_engines;
use crate::archive::build::Pak;

/// The entries of the pak that engines were asked for names: `NAME#N`, the Nth of a name.
pub(super) fn entries() -> Vec<String> {
    let observed = Observed::read();
    let given = observed.of("names").next().unwrap().given;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut all = Vec::new();
    for word in given.split(' ') {
        let (name, times) = word.split_once('*').unwrap_or((word, "1"));
        for _ in 0..times.parse().unwrap() {
            let count = counts.entry(name).or_default();
            *count += 1;
            all.push(format!("{name}#{count}"));
        }
    }
    all
}

/// The pak of them, each with what it is called above for a content.
fn pak() -> Vec<u8> {
    let pak = entries().iter().fold(Pak::new(), |pak, entry| {
        let (name, _) = entry.split_once('#').unwrap();
        pak.stored(name, entry.as_bytes())
    });
    pak.quake()
}

/// The requests that an engine was asked, and what it served, `NAME#N`.
pub(super) fn answers(seen: &str) -> Vec<(&str, Option<String>)> {
    let numbered = |answer: &str| {
        let numbered = if answer.contains('#') { "" } else { "#1" };
        format!("{answer}{numbered}")
    };
    let pairs = seen.split(' ').map(|pair| pair.split_once('=').unwrap());
    pairs.map(|(asked, answer)| (asked, (answer != "-").then(|| numbered(answer)))).collect()
}

/// The content of what is served under a name.
pub(super) fn served(view: &View, name: &str) -> Option<String> {
    let found = view.game.find(name.as_bytes());
    let entry = found.first()?.entry()?;
    Some(String::from_utf8(entry.read().unwrap()).unwrap())
}

#[test]
fn names_serve_the_entries_that_were_seen() {
    let observed = Observed::read();
    let section = observed.of("names").next().unwrap();
    for (engine, seen) in section.rows(&observed) {
        let game = Game::new(engine);
        game.file("id1/pak0.pak", pak());
        let view = game.view(&["id1"]);
        let winners = view.winners(&Selection::all(), false);
        let listed = winners.served.iter().map(|it| it.name().as_bytes().to_vec());
        let listed: Vec<String> = listed.map(|it| String::from_utf8(it).unwrap()).collect();

        // A merge serves the same, also where it is what the engine would find in it.
        let out = game.path("out/pak0.pak");
        fs::create_dir(game.path("out")).unwrap();
        merge(&context(1), &view, &into_file(&out, Format::Quake)).unwrap();
        let merged = game.view(&["out"]);

        for (asked, answer) in answers(seen) {
            let found = view.game.find(asked.as_bytes());
            let ours = served(&view, asked);
            if view.game.is_doubtful(&found) {
                assert_eq!(rules(engine).duplicates, Duplicates::Any, "{engine} {asked}");
                let name =
                    |it: &Option<String>| it.as_ref().map(|it| it.to_lowercase()[..3].to_owned());
                assert_eq!(name(&ours), name(&answer), "{engine} {asked}");
            } else {
                assert_eq!(ours, answer, "{engine} {asked}");
            }
            assert_eq!(served(&merged, asked), ours, "{engine} {asked}, merged");
            // Under its own name it is listed.
            if let Some((name, _)) = ours.as_ref().and_then(|ours| ours.split_once('#')) {
                let is_listed = listed.iter().any(|other| other == name);
                assert!(is_listed, "{engine} {name}: {listed:?}");
            }
        }
        // What is in no listing is reported there.
        let reported = winners.findings.iter().map(|finding| finding.to_string());
        let reported: Vec<String> =
            reported.filter(|it| !it.contains(" may serve any of the entries")).collect();
        let never = entries().len();
        let never = (0..never).filter(|index| {
            let names = engine.profile().request_names();
            let archive = &view.game.loaded().next().unwrap().archive;
            let entry = archive.entry(*index).unwrap();
            names.find(entry.name().as_bytes()) == Findable::Never
        });
        let never = never.count();
        let expected = format!("{engine} never finds {never} of the names: ");
        assert_eq!(reported.len(), usize::from(never > 0), "{engine}: {reported:?}");
        assert!(
            reported.iter().all(|reported| reported.starts_with(&expected)),
            "{engine}: {reported:?}"
        );
        for name in &listed {
            // One drops what an entry begins with, and refuses to be asked so.
            let name = match engine {
                Engine::Fteqw => name.trim_start_matches('/'),
                _ => name,
            };
            assert!(served(&view, name).is_some(), "{engine} {name}");
        }
    }
}

/// The names that no request led to, and those to which only their own spelling did.
#[test]
fn hard_to_find_names_are_those_that_were_seen() {
    let observed = Observed::read();
    let section = observed.of("names").next().unwrap();
    let archive = Archive::from_bytes(pak()).unwrap();
    for (engine, seen) in section.rows(&observed) {
        let answers = answers(seen);
        let leading_to = |name: &str| -> Vec<&str> {
            let entry = format!("{name}#1");
            let requests = answers.iter().filter(|(_, it)| it.as_deref() == Some(&*entry));
            requests.map(|(asked, _)| *asked).collect()
        };
        for (name, other) in [
            ("UPPER.CFG", "upper.cfg"),
            ("d\\b1.cfg", "d/b1.cfg"),
            ("/abs.cfg", "abs.cfg"),
            ("./dot.cfg", "dot.cfg"),
        ] {
            let requests = leading_to(name);
            let expected = match (requests.as_slice(), requests.contains(&other)) {
                ([], _) => Findable::Never,
                (_, false) => Findable::Exactly,
                (_, true) => Findable::Any,
            };
            let found = engine.profile().request_names().find(name.as_bytes());
            assert_eq!(found, expected, "{engine} {name}");
        }
        // The same in what `info` says.
        let verdict = Facts::of(&archive).unwrap().judge(engine);
        let count = |findable: Findable| {
            let names = archive.entries().map(|entry| entry.name().as_bytes());
            names.filter(|it| engine.profile().request_names().find(it) == findable).count()
        };
        let (mut exactly, mut never) = (0, 0);
        for reason in &verdict.why {
            match reason {
                Reason::FoundAsSpelled(entries) => exactly = entries.count,
                Reason::NeverFound(entries) => never = entries.count,
                other => panic!("{engine}: {other}"),
            }
        }
        assert!(verdict.loads());
        assert_eq!(
            (exactly, never),
            (count(Findable::Exactly), count(Findable::Never)),
            "{engine}"
        );
    }
}

#[test]
fn the_served_entry_of_one_name_is_as_seen() {
    let observed = Observed::read();
    let mut undefined = 0;
    for section in observed.of("copies") {
        let (copies, others) = section.name.split_once(", others ").unwrap();
        let (copies, others): (usize, usize) = (copies.parse().unwrap(), others.parse().unwrap());
        let around = |pak, side: &str| {
            (0..others).fold(pak, |pak: Pak, n| pak.stored(format!("{side}{n}.cfg"), b""))
        };
        let pak = (1..=copies)
            .fold(around(Pak::new(), "a"), |pak, n| pak.stored("m.cfg", format!("{n}").as_bytes()));
        let pak = around(pak, "z").quake();
        for (engine, seen) in section.rows(&observed) {
            let game = Game::new(engine);
            game.file("id1/pak0.pak", &pak);
            let view = game.view(&["id1"]);
            if view.game.is_doubtful(&view.game.find(b"m.cfg")) {
                undefined += 1;
                continue;
            }
            assert_eq!(served(&view, "m.cfg").as_deref(), Some(seen), "{engine}");
        }
    }
    // Four engines of fourteen, each time.
    assert_eq!(undefined, 4 * 4);
}

/// However it is asked for, a loose file has one name, but for engines that mend what is asked for.
#[test]
fn loose_files_are_not_found_by_roundabout_paths() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a"]);
        game.file("g/maps/b.bsp", "loose");
        let found = |name| game.found(&["g"], name);
        let back = rules(engine).backslash;
        let is_slash = matches!(back, Backslash::Slash | Backslash::OfRequests);
        let slash = if is_slash { "g/maps/b.bsp" } else { "" };
        assert_eq!(found("maps\\b.bsp"), slash, "{engine}");
        let is_mended = matches!(engine, Engine::Q2pro | Engine::Yquake2 | Engine::Yquake2Remaster);
        let mended = if is_mended { "g/maps/b.bsp" } else { "" };
        for name in ["./maps/b.bsp", "maps//b.bsp", "/maps/b.bsp"] {
            assert_eq!(found(name), mended, "{engine} {name}");
        }
        assert_eq!(found("maps/b.bsp"), "g/maps/b.bsp");
        assert_eq!(found("../g/maps/b.bsp"), "", "{engine}");
        if cfg!(target_os = "linux") {
            // There it is a file of another name.
            game.file("g/a\\b", "loose");
            assert_eq!(found("a\\b"), "", "{engine}");
        }
    }
}

/// Who has a merge written in the other layout means another engine.
#[test]
fn a_merge_into_another_layout_ignores_engine_limits() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["a"]);
        for to in [Format::Quake, Format::Daikatana] {
            let options = into_file(game.path(&format!("{to}.pak")), to);
            let report = merge(&context(1), &game.view(&["g"]), &options).unwrap();
            assert!(report.paks[0].findings.is_empty(), "{engine}: {report:?}");
        }
    }
}

/// Names that are one to the engine, in the paks of a folder and in a split.
#[test]
fn names_equal_to_an_engine_stay_in_one_part() {
    for engine in pak_engines() {
        let rules = rules(engine);
        for (a, b, is_one) in [
            ("A/b", "a/B", !rules.case_matters),
            ("a\\b", "a/b", rules.backslash == Backslash::Slash),
        ] {
            let game = Game::new(engine);
            game.pak("g/pak0.pak", &[a, "x"]);
            game.pak("g/pak1.pak", &[b, "y"]);
            let found = game.found(&["g"], b);
            let expected = if is_one { "g/pak1.pak#0 g/pak0.pak#0" } else { "g/pak1.pak#0" };
            assert_eq!(found, expected, "{engine} {a}");
            let is_found = rules.key(a).is_some();
            let count = game.listed(&["g"], false).split(' ').count();
            assert_eq!(count, 3 + usize::from(!is_one && is_found), "{engine} {a}");

            // Two fit into a part.
            game.pak("in.pak", &[a, "x", b]);
            let to = game.path("split");
            fs::create_dir(&to).unwrap();
            let mut options = into_file(to.join("pak0.pak"), layout(engine));
            options.rules =
                Rules { engines: engine.into(), max_entries: NonZeroU64::new(2), max_size: None };
            convert(&context(1), &[game.path("in.pak")], options).unwrap();
            let parts: Vec<String> = names_in(&to)
                .iter()
                .map(|part| {
                    let entries = naive::read(&fs::read(to.join(part)).unwrap(), layout(engine));
                    let names = contents(&entries).into_iter().map(|(name, _)| name.to_vec());
                    String::from_utf8(names.collect::<Vec<_>>().join(&b' ')).unwrap()
                })
                .collect();
            let together = [format!("{a} {b}"), "x".to_owned()];
            let apart = [format!("{a} x"), b.to_owned()];
            assert_eq!(parts, if is_one { together } else { apart }, "{engine}");
        }
    }
}

/// What is written for an engine is reported of: what it never finds, and what it finds only as it is
/// spelled, which is no fault.
#[test]
fn convert_for_an_engine_reports_unfindable_names() {
    for engine in pak_engines() {
        let game = Game::new(engine);
        let names = ["Maps/a.bsp", "maps\\b.bsp", "c"];
        game.pak("g/pak0.pak", &names);
        let mut options = into_file(game.path("pak0.pak"), layout(engine));
        options.rules.engines = engine.into();
        let report = convert(&context(1), &[game.path("g/pak0.pak")], options).unwrap();
        let hard = report.paks[0].hard_to_find.iter();
        let hard: Vec<(&str, bool)> = hard.map(|it| (names[it.index], it.found)).collect();
        let rules = rules(engine);
        let upper = rules.case_matters.then_some((names[0], true));
        let back = match rules.backslash {
            Backslash::Itself => Some((names[1], true)),
            Backslash::Never | Backslash::OfRequests => Some((names[1], false)),
            Backslash::Slash => None,
        };
        let expected: Vec<(&str, bool)> = upper.into_iter().chain(back).collect();
        assert_eq!(hard, expected, "{engine}");
        for (index, _) in hard {
            // And it is found so, or not at all.
            let view = game.view(&["g"]);
            let found = view.game.find(index.as_bytes());
            assert_eq!(found.is_empty(), rules.key(index).is_none(), "{engine} {index}");
        }
    }
}

/// Seen, and not in the half of the answers that is kept here.
#[test]
fn a_name_of_56_bytes_is_found_by_three_engines() {
    let name = "x".repeat(56);
    for engine in pak_engines().filter(|it| *it != Engine::Daikatana) {
        let game = Game::new(engine);
        let pak = Pak::new().stored(&name, b"full").stored("a", b"a");
        game.file("g/pak0.pak", finish(engine, pak));
        let found = !game.found(&["g"], &name).is_empty();
        assert_eq!(
            found,
            matches!(engine, Engine::Fteqw | Engine::Q2pro | Engine::Yquake2Remaster),
            "{engine}"
        );
        let mut facts = Facts::new(Format::Quake, 12);
        facts.add(RawName::from(name.as_str()), 0, None);
        assert_eq!(facts.judge(engine).why.is_empty(), found, "{engine}");
    }
}
