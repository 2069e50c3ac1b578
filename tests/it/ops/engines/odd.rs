//! Paks that are empty, cut short, too large, of another layout, or none.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports, reason = "sparse files"))]

use std::fs::{self, File};

use daisho::archive::RawName;
use daisho::engine::{Effect, Engine, Facts};
use daisho::ops::finding::{Finding, Meaning};
use daisho::ops::game::View;
use daisho::{Archive, Format};

use super::game::Game;
use super::observed::{Observed, Section};
use super::pak_engines;
use crate::archive::build::{Entry, Pak};

const GIB_2: u64 = 1 << 31;

fn good(script: &str, content: &str) -> Pak {
    Pak::new().stored(format!("{script}.cfg"), content.as_bytes())
}

/// A pak that is good, and another one of the number, which is odd.
fn write_paks(game: &Game, section: &Section) {
    let (odd, what) = section.name.split_once('=').unwrap();
    for number in 0..3 {
        let name = format!("pak{number}");
        if name != odd {
            game.file(&format!("id1/{name}.pak"), good(&format!("g{number}"), &name).quake());
        }
    }
    make(game, &format!("id1/{odd}.pak"), what);
}

/// Makes an unusual archive, by the word that `observed.txt` has for it.
fn make(game: &Game, path: &str, what: &str) {
    let t = || good("t", "t");
    let empty_at = |offset| Entry {
        name: if offset == 0 { b"e0.cfg".to_vec() } else { b"efar.cfg".to_vec() },
        offset,
        size: 0,
        packed: None,
    };
    let bytes = match what {
        "empty" => Pak::new().quake(),
        "10-bytes-of-a-record" => {
            // With one record alone it might be a Daikatana pak's.
            let mut bytes = t().stored("u.cfg", b"u").stored("v.cfg", b"v").quake();
            bytes.extend([0xAA; 10]);
            bytes[8..12].copy_from_slice(&(3 * 64 + 10_u32).to_le_bytes());
            bytes
        }
        "20-bytes-of-the-directory-cut" => {
            let mut bytes = t().stored("t2.cfg", b"t2").quake();
            bytes.truncate(bytes.len() - 20);
            bytes
        }
        "empty-entry-at-1000000" => t().entry(empty_at(1_000_000)).quake(),
        "empty-entry-at-0" => t().entry(empty_at(0)).quake(),
        "garbage-behind-a-name" => {
            let mut bytes = t().stored("gb.cfg", b"gb").quake();
            let end = bytes.len() - 8;
            bytes[end - 40..end].fill(0xCC);
            bytes
        }
        "KCAP" => {
            let mut bytes = t().quake();
            bytes[..4].copy_from_slice(b"KCAP");
            bytes
        }
        "daikatana-8-entries" => {
            let all = (0..8).fold(Pak::new(), |pak, n| {
                pak.stored(format!("t{n}.cfg"), format!("t{n}").as_bytes())
            });
            all.daikatana()
        }
        "5-bytes" => b"PACK\x0c".to_vec(),
        "0-bytes" => Vec::new(),
        "zip" => b"PK\x03\x04 and so on: a ZIP archive".to_vec(),
        far if far.contains("gib") => return sparse(game, path, far),
        many => many_entries(many).quake(),
    };
    game.file(path, bytes);
}

fn many_entries(what: &str) -> Pak {
    let count: u32 = what.strip_prefix("entries-").unwrap().parse().unwrap();
    let mut pak = good("first", "first");
    let between = (2..count).map(|n| Entry {
        name: format!("f{n}").into_bytes(),
        offset: 12,
        size: 0,
        packed: None,
    });
    pak.entries.extend(between);
    pak.stored("last.cfg", b"last")
}

/// A file with holes: where the directory is, and two payloads.
fn sparse(game: &Game, path: &str, what: &str) {
    use std::io::{Seek as _, SeekFrom, Write as _};

    let (directory, high, len) = match what {
        "directory-at-2.5-gib" => (GIB_2 / 4 * 5, GIB_2 / 10 * 11, 0),
        "payload-from-2-gib-less-8" => (300, GIB_2 - 8, 0),
        "payload-to-2-gib-less-1" => (300, GIB_2 - 1 - 4, 0),
        "payload-to-2-gib" => (300, GIB_2 - 4, 0),
        "file-of-2.5-gib" => (300, 0, GIB_2 / 4 * 5),
        other => panic!("{other}"),
    };
    let crosses = if what.ends_with("less-8") { &b"high and on"[..] } else { b"high" };
    let files: &[(&str, &[u8], u64)] = if high == 0 {
        &[("t.cfg", b"t", 12)]
    } else {
        &[("low.cfg", b"low", 12), ("high.cfg", crosses, high)]
    };
    game.file(path, "");
    let mut file = File::options().write(true).open(game.path(path)).unwrap();
    let mut write = |at: u64, bytes: &[u8]| {
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(bytes).unwrap();
    };
    write(0, b"PACK");
    write(4, &(directory as u32).to_le_bytes());
    write(8, &(files.len() as u32 * 64).to_le_bytes());
    for (n, (name, content, offset)) in files.iter().enumerate() {
        write(*offset, content);
        let mut record = name.as_bytes().to_vec();
        record.resize(56, 0);
        record.extend((*offset as u32).to_le_bytes());
        record.extend((content.len() as u32).to_le_bytes());
        write(directory + n as u64 * 64, &record);
    }
    if len > 0 {
        file.set_len(len).unwrap();
    }
}

/// The content of what is served, or none.
fn served(view: &View, script: &str) -> Option<String> {
    let name = format!("{script}.cfg");
    let found = view.game.find(name.as_bytes());
    let entry = found.first()?.entry()?;
    let content: Vec<u8> = entry.read().unwrap();
    Some(String::from_utf8(content).unwrap())
}

fn content_of(script: &str) -> &str {
    match script {
        "g0" => "pak0",
        "g1" => "pak1",
        "g2" => "pak2",
        "e0" | "efar" => "",
        other => other,
    }
}

fn is_yquake2(engine: Engine) -> bool {
    matches!(engine, Engine::Yquake2 | Engine::Yquake2Remaster)
}

/// Every pak that was laid before engines, and what became of it.
#[test]
#[cfg(target_os = "linux")]
fn odd_paks_load_or_fail_as_seen() {
    let observed = Observed::read();
    let (mut stopped, mut asked) = (0, 0);
    for section in observed.of("odd") {
        // Those of a million are left to the numbers below.
        if section.name.contains("-10485") {
            continue;
        }
        for (engine, seen) in section.rows(&observed) {
            let at = format!("{engine} {}", section.name);
            let game = Game::new(engine);
            write_paks(&game, section);
            let folders = [game.path("id1")];
            let context = super::super::context(1);
            let view = View::open(&context, &folders, Some(engine), false).unwrap();
            let mut never = view.game.skipped().iter();
            let is_fatal = never.any(|never| never.why.is_fatal());
            assert_eq!(is_fatal, seen == "no start", "{at}");
            if is_fatal {
                assert!(view.findings.iter().any(Finding::is_error), "{at}");
                stopped += 1;
                continue;
            }
            for word in seen.split(' ') {
                asked += 1;
                let script = word.trim_start_matches(['-', '~', '!']);
                let found = served(&view, script);
                match word.as_bytes()[0] {
                    // To this one nothing is what is empty.
                    b'-' if is_yquake2(engine) && content_of(script).is_empty() => {
                        assert_eq!(found.as_deref(), Some(""), "{at} {script}");
                    }
                    b'-' => assert_eq!(found, None, "{at} {script}"),
                    // Asked for an empty file, it ends with an error, and answers nothing more.
                    b'!' if engine == Engine::Hexen2 => {
                        let why =
                            Facts::of(&Archive::open(game.path("id1/pak1.pak")).unwrap()).unwrap();
                        let why = why.judge(engine).why;
                        let is_reported =
                            why.iter().any(|why| why.to_string().contains("empty files"));
                        assert!(is_reported, "{at} {script}");
                    }
                    // Nonsense is not served here. A finding says that the engine serves it, or
                    // that the pak is cut.
                    b'~' | b'!' => {
                        assert_eq!(found, None, "{at} {script}");
                        let is_reported = view.findings.iter().any(|it| {
                            it.meaning == Meaning::Cut || it.detail.contains(" this archive: ")
                        });
                        assert!(is_reported, "{at} {script}: {:?}", view.findings);
                    }
                    _ if script == "high" => {
                        assert!(found.unwrap().starts_with("high"), "{at}");
                    }
                    _ => assert_eq!(found.as_deref(), Some(content_of(script)), "{at} {script}"),
                }
            }
        }
    }
    assert!(stopped > 50 && asked > 500, "{stopped} {asked}");
}

/// The same, but only for numbers of entries, up to a million.
#[test]
fn the_most_entries_of_engines_are_those_seen() {
    let observed = Observed::read();
    for section in observed.of("odd") {
        let Some((_, count)) = section.name.split_once("entries-") else {
            continue;
        };
        let count: usize = count.parse().unwrap();
        let mut facts = Facts::new(Format::Quake, 12);
        for _ in 0..count {
            facts.add(RawName::from("a"), 0, None);
        }
        for (engine, seen) in section.rows(&observed) {
            let expected = match seen {
                "no start" => Effect::NoStart,
                seen if seen.starts_with("-first") => Effect::Refused,
                _ => Effect::Loads,
            };
            let verdict = facts.judge(engine);
            assert_eq!(verdict.effect, expected, "{engine} {count}");
            // One warns, and loads.
            let is_silent = verdict.why.is_empty();
            let warns = is_yquake2(engine) && count > 4096;
            // Empty files end another, when they are asked for.
            let warns = warns || engine == Engine::Hexen2;
            assert_eq!(is_silent, expected == Effect::Loads && !warns, "{engine} {count}");
        }
    }
}

/// Read in the game's own source; it was not run.
#[test]
fn daikatana_takes_20480_entries_and_no_more() {
    let mut facts = Facts::new(Format::Daikatana, 12);
    for _ in 0..20_480 {
        facts.add(RawName::from("a"), 0, None);
    }
    assert!(facts.judge(Engine::Daikatana).loads());
    facts.add(RawName::from("a"), 0, None);
    assert_eq!(facts.judge(Engine::Daikatana).effect, Effect::NoStart);
}

/// A Daikatana pak in whose directory records of both lengths fit, and one in which they do not.
#[test]
fn daikatana_paks_of_even_length_are_misread() {
    let pak = |count: usize| {
        let all = (0..count).fold(Pak::new(), |pak, n| pak.stored(format!("a{n}.cfg"), b"x"));
        Facts::of(&Archive::from_bytes(all.daikatana()).unwrap()).unwrap()
    };
    for (count, refused) in [(8, &[][..]), (7, &["darkplaces", "xash3d", "q2pro"])] {
        let facts = pak(count);
        for engine in pak_engines() {
            let expected = match engine {
                Engine::Daikatana => Effect::Loads,
                // It distinguishes the layouts by that length.
                Engine::Yquake2Remaster if count == 7 => Effect::Loads,
                engine if refused.contains(&engine.as_str()) => Effect::Refused,
                _ => Effect::Misread,
            };
            assert_eq!(facts.judge(engine).effect, expected, "{engine} {count}");
        }
    }
}

/// Seen, and not in the half of the answers that is kept here: what happens when a payload is asked
/// for that the file's end cuts off, and what an empty entry far away does.
#[test]
fn cut_and_far_empty_payloads_are_reported() {
    let mut bytes = Pak::new().stored("a", b"a").quake();
    let offset = 12 + 1;
    bytes[offset + 60..offset + 64].copy_from_slice(&1000_u32.to_le_bytes());
    let facts = Facts::of(&Archive::from_bytes(bytes).unwrap()).unwrap();
    let words = |engine: Engine| {
        let verdict = facts.judge(engine);
        assert!(verdict.loads());
        verdict.why.iter().map(ToString::to_string).collect::<String>()
    };
    for engine in pak_engines().filter(|it| *it != Engine::Daikatana) {
        let expected = match engine {
            Engine::QuakeSpasm
            | Engine::Ironwail
            | Engine::Hexen2
            | Engine::Quake2
            | Engine::Yquake2 => {
                "it quits with an error when it is asked for payloads that the file's end cuts off: \
                 entry 0 \"a\""
            }
            Engine::Q2pro => {
                "it does not find payloads that the file's end cuts off: entry 0 \"a\""
            }
            _ => "",
        };
        assert_eq!(words(engine), expected, "{engine}");
    }

    let far = Entry { name: b"e".to_vec(), offset: 1 << 31, size: 0, packed: None };
    let facts =
        Facts::of(&Archive::from_bytes(Pak::new().stored("a", b"a").entry(far).quake()).unwrap())
            .unwrap();
    for engine in pak_engines().filter(|it| *it != Engine::Daikatana) {
        let expected = if engine == Engine::Q2pro { Effect::Refused } else { Effect::Loads };
        assert_eq!(facts.judge(engine).effect, expected, "{engine}");
    }
}

/// What is shorter than a header is read by the header of the pak before it, where there is one.
#[test]
fn short_files_are_misread_or_stop_the_engine() {
    for engine in [Engine::VkQuake, Engine::Qss] {
        let why = |short: &str| {
            let game = Game::new(engine);
            for name in ["pak0", "pak1"] {
                game.pak(&format!("g/{name}.pak"), &["a"]);
            }
            fs::write(game.path(&format!("g/{short}.pak")), b"PACK").unwrap();
            let view = game.view(&["g"]);
            let never = &view.game.skipped()[0];
            (never.why.is_misread(), never.why.is_fatal())
        };
        assert_eq!(why("pak1"), (true, false), "{engine}");
        assert_eq!(why("pak0"), (false, true), "{engine}");
    }
}
