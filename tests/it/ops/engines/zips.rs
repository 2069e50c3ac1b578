//! ZIPs that are odd, and what is written for engines that read them.

use std::fs;

use crate::ops::report::{convert, merge};
use daisho::archive::RawName;
use daisho::engine::{Effect, Engine, Facts, LongName, OddEntry, Reason};
use daisho::ops::game::View;
use daisho::{Archive, Format};

use super::super::{context, into_file, names_in};
use super::WITHOUT_PAKS;
use super::game::{Game, reported};
use super::names::{answers, entries, served};
use super::observed::Observed;
use crate::archive::zips::build::Zip;

/// The engines that load ZIPs.
fn zip_engines() -> impl Iterator<Item = Engine> {
    let all = Engine::ALL.into_iter();
    all.filter(|engine| engine.profile().zips.is_some())
}

/// How a ZIP is called that an engine loads.
fn name(engine: Engine) -> &'static str {
    match engine {
        Engine::Q2pro => "zz.pkz",
        Engine::Dhewm3 => "zz.pk4",
        _ => "zz.pk3",
    }
}

/// A game with this ZIP, and a loose file, so that there is something besides.
fn game(engine: Engine, zip: &[u8]) -> Game {
    let game = Game::new(engine);
    game.file(&format!("id1/{}", name(engine)), zip);
    game
}

/// The ZIP that engines were asked for names, each with what it is called for a content.
fn with_names() -> Vec<u8> {
    let zip = entries().iter().fold(Zip::new(), |zip, entry| {
        let (name, _) = entry.split_once('#').unwrap();
        zip.stored(name, entry.as_bytes())
    });
    zip.bytes()
}

#[test]
fn zip_names_serve_the_entries_that_were_seen() {
    let observed = Observed::read();
    let section = observed.of("zip-names").next().unwrap();
    let zip = with_names();
    let mut undefined = 0;
    for (engine, seen) in section.rows(&observed) {
        let game = game(engine, &zip);
        let view = game.view(&["id1"]);
        for (asked, answer) in answers(seen) {
            // Such a name is read without its first two bytes, whatever engines do.
            if asked.contains("dot.cfg") {
                continue;
            }
            let found = view.game.find(asked.as_bytes());
            if view.game.is_doubtful(&found) {
                undefined += 1;
                continue;
            }
            assert_eq!(served(&view, asked), answer, "{engine} {asked}");
        }
    }
    // Those of which it is not defined were asked for the same names.
    let unsure = [Engine::DarkPlaces, Engine::Xash3d];
    assert!(undefined % unsure.len() == 0 && undefined > 10, "{undefined}");
}

fn good() -> Zip {
    Zip::new().stored("good.cfg", b"good")
}

/// Makes an unusual ZIP, by the word that `observed.txt` has for it.
fn make(what: &str) -> Vec<u8> {
    let t = || good().deflated("t.cfg", b"t");
    let tail = |zip: Zip| zip.stored("tail.cfg", b"tail");
    if let Some(count) = what.strip_prefix("entries-") {
        let count: usize = count.parse().unwrap();
        let all = (1..count).fold(good(), |zip, n| zip.stored(format!("f{n}"), b"x"));
        return all.bytes();
    }
    if let Some(len) = what.strip_prefix("name-") {
        let name = "n".repeat(len.parse().unwrap());
        return tail(good().stored(name, b"n")).bytes();
    }
    let zip = match what {
        "stored" => tail(good().stored("t.cfg", b"t")),
        "deflated" => tail(t()),
        "method-9" => tail(t().both(|it| it.method = 9)),
        "encrypted" => tail(t().both(|it| it.flags |= 1)),
        "sizes-before-and-behind" => tail(t().both(|it| it.flags |= 8)),
        "zip64-entry" => tail(t().both(|it| it.large = true)),
        "zip64-end" => tail(t()).large(),
        "zip64-entry-and-end" => tail(t().both(|it| it.large = true)).large(),
        "zip64-end-not-needed" => {
            let bytes = tail(t()).bytes();
            let numbers = &bytes[bytes.len() - 14..bytes.len() - 2];
            tail(t()).large().end(8, numbers)
        }
        "bytes-before" => tail(t()).before(&[b'x'; 100], true),
        "link" => tail(good().link("t.cfg", "good.cfg")),
        "empty" => Zip::new(),
        "comment" => tail(t()).comment(&[b'c'; 1000]),
        other => panic!("{other}"),
    };
    zip.bytes()
}

/// The verdict on the odd entry, in the words of `observed.txt`.
fn said(view: &View, zip: &Archive, engine: Engine, what: &str) -> String {
    let verdict = Facts::of(zip).unwrap().judge(engine);
    match verdict.effect {
        Effect::Loads => {}
        Effect::NoStart => return "no start".to_owned(),
        _ => return "none".to_owned(),
    }
    for reason in &verdict.why {
        match reason {
            Reason::OddEntries { then, .. } if what != "empty" => match then {
                OddEntry::Read | OddEntry::NotKnown => {}
                OddEntry::NotFound => return "not found".to_owned(),
                OddEntry::Wrong => return "wrong".to_owned(),
                OddEntry::Stops => return "stops".to_owned(),
            },
            Reason::LongNames { over, most, .. } => {
                return match over {
                    LongName::Cut => format!("found under {most}"),
                    LongName::NotFound => "not found".to_owned(),
                    LongName::Stops => "stops".to_owned(),
                    LongName::Refused => "none".to_owned(),
                };
            }
            _ => {}
        }
    }
    match what.strip_prefix("name-") {
        Some(len) => format!("found under {len}"),
        None if view.game.find(b"good.cfg").is_empty() => "none".to_owned(),
        None => "found".to_owned(),
    }
}

/// Every ZIP that was laid before engines, and what became of its odd entry.
#[test]
fn odd_zips_load_or_fail_as_seen() {
    let observed = Observed::read();
    let mut asked = 0;
    for section in observed.of("zip") {
        let (what, zip) = (section.name, make(section.name));
        for (engine, seen) in section.rows(&observed) {
            let seen = match (engine, what) {
                // The names were asked for by a command that cuts them. Another one found them.
                (Engine::IoQuake3, "name-64") => "found under 64",
                (Engine::IoQuake3, "name-65") => "found under 65",
                (Engine::IoQuake3, "name-128") => "found under 128",
                // It had written beyond the name's place.
                (Engine::Qss, "name-128") => "found under 63",
                _ => seen,
            };
            let at = format!("{engine} {what}");
            let game = game(engine, &zip);
            // An engine that loads paks is seen with one.
            game.file("id1/loose", "");
            let view = game.view(&["id1"]);
            let path = game.path(&format!("id1/{}", name(engine)));
            let archive = Archive::open(path).unwrap();
            assert_eq!(said(&view, &archive, engine, what), seen, "{at}");
            // And so it is found, or not, among the archives that load.
            let finds = |name: &str| !view.game.find(name.as_bytes()).is_empty();
            let never = &view.game.skipped();
            match seen {
                "none" | "no start" if what != "empty" => assert!(!finds("good.cfg"), "{at}"),
                "found" if !what.starts_with("entries") => assert!(finds("t.cfg"), "{at}"),
                "not found" => assert!(finds("good.cfg") && !finds("t.cfg"), "{at}"),
                "wrong" => {
                    assert!(reported(&view).contains("serves wrong content from it"), "{at}")
                }
                _ => {}
            }
            if let Some(len) = seen.strip_prefix("found under ") {
                let len: usize = len.parse().unwrap();
                assert!(finds(&"n".repeat(len)), "{at}");
                assert!(!finds(&"n".repeat(len - 1)), "{at}");
            }
            let is_fatal = never.iter().any(|never| never.why.is_fatal());
            assert_eq!(is_fatal, seen == "no start", "{at}");
            asked += 1;
        }
    }
    assert!(asked > 140, "{asked}");
}

/// Seen, and not in the half of the answers that is kept here.
#[test]
fn odd_zips_are_reported_to_the_engines_that_mind() {
    let verdicts = |zip: Zip| -> Vec<(Engine, Effect, String)> {
        let archive = Archive::from_bytes(zip.bytes()).unwrap();
        let judged = zip_engines().map(|engine| {
            let verdict = Facts::of(&archive).unwrap().judge(engine);
            let why: Vec<String> = verdict.why.iter().map(ToString::to_string).collect();
            (engine, verdict.effect, why.join("; "))
        });
        judged.collect()
    };
    let two = || good().deflated("t.cfg", b"tttttt");
    // Names marked as UTF-8.
    for (engine, effect, _) in verdicts(two().both(|it| it.flags |= 1 << 11)) {
        let expected = match engine {
            Engine::Fteqw => Effect::Refused,
            _ => Effect::Loads,
        };
        assert_eq!(effect, expected, "{engine}");
    }
    // Sizes behind the payload alone.
    for (engine, effect, why) in verdicts(two().descriptor(true)) {
        let minds = matches!(engine, Engine::Fteqw | Engine::Qss);
        assert_eq!((effect, why.is_empty()), (Effect::Loads, !minds), "{engine} {why}");
    }
    // Bytes before the ZIP that its offsets do not count.
    for (engine, effect, _) in verdicts(two().before(&[b'x'; 100], false)) {
        let expected = match engine {
            Engine::Qss => Effect::NoStart,
            Engine::Xash3d => Effect::Refused,
            _ => Effect::Loads,
        };
        assert_eq!(effect, expected, "{engine}");
    }
    // Empty files, which two pass over.
    for (engine, effect, why) in verdicts(two().stored("empty", b"")) {
        let minds = matches!(engine, Engine::Q2pro | Engine::Xash3d);
        assert_eq!((effect, why.is_empty()), (Effect::Loads, !minds), "{engine} {why}");
    }
}

/// A copy that the engine passes over shadows nothing.
#[test]
fn archives_skipped_by_an_engine_shadow_nothing() {
    for engine in zip_engines().filter(|it| !WITHOUT_PAKS.contains(it)) {
        let game = game(engine, &good().stored("a.cfg", b"").bytes());
        game.pak("id1/pak0.pak", &["a.cfg"]);
        let passes = matches!(engine, Engine::Q2pro | Engine::Xash3d);
        let expected = if passes {
            "id1/pak0.pak#0".to_owned()
        } else {
            format!("id1/{}#1 id1/pak0.pak#0", name(engine))
        };
        assert_eq!(game.found(&["id1"], "a.cfg"), expected, "{engine}");
        let listed = game.listed(&["id1"], false);
        assert_eq!(listed.contains("pak0.pak"), passes, "{engine} {listed}");
    }
}

/// The most entries, at the limit and beyond it: of DarkPlaces, ioquake3, ezQuake and QuakeSpasm-Spiked
/// seen, of the others read.
#[test]
fn too_many_entries_in_a_zip_are_refused_by_engine() {
    let mut facts = Facts::new(Format::Pk3, 0);
    let mut judged = Vec::new();
    for count in 1..=1_048_577_u32 {
        facts.add(RawName::from("a"), 1, None);
        if matches!(count, 25_000 | 25_001 | 65_534..=65_537 | 1_048_576 | 1_048_577) {
            let refused = zip_engines().filter(|engine| !facts.judge(*engine).loads());
            let names: Vec<&str> = refused.map(Engine::as_str).collect();
            judged.push(format!("{count}: {}", names.join(" ")));
        }
    }
    let expected = [
        "25000: ",
        "25001: qss",
        "65534: qss",
        "65535: qss ezquake",
        "65536: qss darkplaces ezquake xash3d ioquake3",
        "65537: qss darkplaces ezquake hexenwail xash3d ioquake3",
        "1048576: qss darkplaces ezquake hexenwail xash3d ioquake3",
        "1048577: qss darkplaces ezquake hexenwail xash3d q2pro ioquake3",
    ];
    assert_eq!(judged, expected);
}

#[test]
fn zips_load_only_under_the_engines_extension() {
    let dir = tempfile::tempdir().unwrap();
    for (extension, loads) in [
        ("pk3", "qss darkplaces fteqw ezquake hexenwail xash3d yquake2 yquake2remaster ioquake3"),
        ("PK3", "qss darkplaces fteqw ezquake hexenwail xash3d yquake2 yquake2remaster ioquake3"),
        ("pkz", "yquake2 yquake2remaster q2pro"),
        ("pk4", "fteqw ezquake dhewm3"),
        ("pk2", "yquake2 yquake2remaster"),
        ("zip", "yquake2 yquake2remaster"),
        ("obb", "darkplaces"),
        ("dpk", "darkplaces"),
        ("iwd", "fteqw"),
        ("kpf", "fteqw"),
        ("pak", ""),
        ("apk", ""),
    ] {
        let path = dir.path().join(format!("a.{extension}"));
        fs::write(&path, good().bytes()).unwrap();
        let archive = Archive::open(&path).unwrap();
        let loading = Engine::ALL.into_iter();
        let loading = loading.filter(|engine| Facts::of(&archive).unwrap().judge(*engine).loads());
        let loading: Vec<&str> = loading.map(Engine::as_str).collect();
        assert_eq!(loading.join(" "), loads, "{extension}");
    }
}

/// A pak by a ZIP's name is no ZIP, and what is read from bytes has no name.
#[test]
fn a_pak_named_like_a_zip_is_refused_by_zip_engines() {
    for engine in Engine::ALL {
        let game = Game::new(engine);
        game.pak("id1/a.pk3", &["a"]);
        let archive = Archive::open(game.path("id1/a.pk3")).unwrap();
        let loads = Facts::of(&archive).unwrap().judge(engine).loads();
        let reads_pk3 = check_name(engine, "a.pk3");
        let is_pak_engine = !WITHOUT_PAKS.contains(&engine);
        assert_eq!(loads, is_pak_engine && !reads_pk3, "{engine}");
    }
}

fn check_name(engine: Engine, name: &str) -> bool {
    engine.profile().loads_zip(name.as_bytes())
}

/// Its limits hold for ZIPs, too, and names that are longer than it takes are reported.
#[test]
fn a_zip_is_written_only_for_engines_of_zips() {
    for engine in Engine::ALL {
        let game = Game::new(engine);
        let (long, longer) = ("l".repeat(64), "m".repeat(64));
        game.zip("in.zip", &["a", &long, &longer]);
        let zips = engine.profile().zips;
        let extensions = engine.profile().zip_extensions();
        let extension = extensions.first().unwrap_or(&"pk3");
        let mut options = into_file(game.path(&format!("pak0.{extension}")), Format::Pk3);
        options.rules.engines = engine.into();
        let made = convert(&context(1), &[game.path("in.zip")], options);
        assert_eq!(made.is_ok(), zips.is_some(), "{engine}: {made:?}");
        let Ok(report) = made else { continue };
        let findings = report.paks[0].findings.iter();
        let long_names: Vec<String> = findings
            .filter(|it| it.detail.contains(" never find"))
            .map(|it| it.detail.to_string())
            .collect();
        let takes_63 =
            [Engine::Qss, Engine::EzQuake, Engine::Hexenwail, Engine::Q2pro, Engine::Yquake2];
        let mut expected = Vec::new();
        if takes_63.contains(&engine) {
            expected.push(format!("{engine} never finds 2 of the names: \"{long}\", \"{longer}\""));
        }
        assert_eq!(long_names, expected, "{engine}");
    }
}

/// A part gets as many entries as the engine loads.
#[test]
fn zips_split_after_the_last_allowed_entry() {
    let zip = (0..25_001).fold(Zip::new(), |zip, n| zip.stored(format!("f{n}"), b""));
    let game = Game::new(Engine::Qss);
    game.file("in.zip", zip.bytes());
    fs::create_dir(game.path("out")).unwrap();
    let mut options = into_file(game.path("out/pak0.pk3"), Format::Pk3);
    options.rules.engines = Engine::Qss.into();
    convert(&context(1), &[game.path("in.zip")], options).unwrap();
    assert_eq!(names_in(&game.path("out")), ["pak0.pk3", "pak1.pk3"]);
    let parts = ["pak0.pk3", "pak1.pk3"].map(|part| {
        let part = Archive::open(game.path(&format!("out/{part}"))).unwrap();
        (part.len(), Facts::of(&part).unwrap().judge(Engine::Qss).loads())
    });
    assert_eq!(parts, [(25_000, true), (1, true)]);
    // Another engine takes them in one.
    let mut one = into_file(game.path("one.pk3"), Format::Pk3);
    one.rules.engines = Engine::Fteqw.into();
    let report = convert(&context(1), &[game.path("in.zip")], one).unwrap();
    assert_eq!(report.paks[0].parts.len(), 1);
}

/// WADs are loaded as archives by one engine, and not looked into here.
#[test]
fn wads_that_an_engine_also_loads_are_reported() {
    for engine in Engine::ALL {
        let game = game(engine, &good().bytes());
        game.pak("id1/pak0.pak", &["a"]);
        game.file("id1/gfx.wad", "WAD2");
        let is_reported = reported(&game.view(&["id1"])).contains("gfx.wad: ");
        assert_eq!(is_reported, engine == Engine::Xash3d, "{engine}");
    }
}

/// A merge takes the copies that are served, from paks, ZIPs and directories that count as archives, into
/// a pak or a ZIP.
#[test]
fn a_merge_takes_served_files_of_every_format() {
    for (engine, from_folder) in [
        (Engine::DarkPlaces, false),
        (Engine::Fteqw, true),
        (Engine::Xash3d, true),
        (Engine::Qss, false),
        (Engine::Yquake2, false),
    ] {
        let game = Game::new(engine);
        game.pak("g/pak0.pak", &["pak", "both", "all"]);
        game.zip("g/zz.pk3", &["zip", "both", "all"]);
        game.file("g/aa.pk3dir/all", "folder");
        for (to, out) in [(Format::Quake, "out.pak"), (Format::Pk3, "out.pk3")] {
            let options = into_file(game.path(out), to);
            let report = merge(&context(1), &game.view(&["g"]), &options).unwrap();
            assert!(report.paks[0].findings.is_empty(), "{engine}: {report:?}");
            let archive = Archive::open(game.path(out)).unwrap();
            let content = |name: &str| {
                let entry = archive.get(name).unwrap();
                String::from_utf8(entry.read().unwrap()).unwrap()
            };
            assert_eq!(archive.len(), 4, "{engine}");
            assert_eq!(content("pak"), "g/pak0.pak#0", "{engine}");
            assert_eq!(content("zip"), "g/zz.pk3#0", "{engine}");
            assert_eq!(content("both"), "g/zz.pk3#1", "{engine}");
            let all = if from_folder { "folder" } else { "g/zz.pk3#2" };
            assert_eq!(content("all"), all, "{engine}");
        }
    }
    // Without any pak, too.
    let game = Game::new(Engine::IoQuake3);
    game.zip("g/a.pk3", &["a"]);
    game.zip("g/b.PK3", &["a", "b"]);
    game.file("g/c.pk3dir/a", "folder");
    let file = if cfg!(windows) { "g/c.pk3dir/A " } else { "" };
    assert_eq!(game.found(&["g"], "A"), format!("{file}g/b.PK3#0 g/a.pk3#0"));
    assert_eq!(game.found(&["g"], "a"), "g/c.pk3dir/a g/b.PK3#0 g/a.pk3#0");
    assert_eq!(game.listed(&["g"], true), "g/b.PK3#1 g/c.pk3dir/a");
}
