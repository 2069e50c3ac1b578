//! The table as a whole: every verb over every pak of it, what must hold of every run, and how much
//! memory the largest one took.
//!
//! GNU `time` reports the peak. If it is not installed, memory is not judged, and a line reports that.

use super::*;

/// More files than this are planned, and not written.
const FILES_MAX: u64 = 5000;

/// What every pak goes through in a normal run.
const SHORT: [&str; 5] = [
    "list --json p.pak",
    "info p.pak",
    "verify p.pak",
    "extract p.pak -C out",
    "convert --keep-going p.pak -o q.pak",
];

/// And what besides in a long one.
const LONG: [&str; 9] = [
    "list p.pak",
    "list --tree p.pak",
    "verify --json p.pak",
    "verify p.pak --snapshot snapshot --update",
    "diff p.pak p.pak",
    "extract --rescue --lowercase p.pak -C out",
    "extract -v -r . -C out",
    "convert --keep-going --to daikatana p.pak -o q.pak",
    "convert -r . -C out",
];

/// What was seen.
#[derive(Default)]
struct Figures {
    paks: usize,
    runs: usize,
    /// The most memory that a run took, and which run.
    most: (u64, String),
}

fn all() -> Vec<Attack> {
    [names::paks(), conflicts::paks(), headers::paks(), bombs::paks(), wads::paks(), zips::paks()]
        .concat()
}

/// So many entries have paks that are made for what an entry takes of memory.
const MANY: u32 = 200_000;

/// Paks of many entries with something to report of each, or with a long path for each.
fn many() -> Vec<Attack> {
    let long = |n: u32| format!("d/{n:07}{}.wav", "x".repeat(42));
    let deep = |n: u32| format!("{n:06x}/a/b/c/d/e/f/g/h/i/j/k/{}", "x".repeat(26));
    // Rescued, it has three times the bytes.
    let bad = |n: u32| format!("../{n:07}{}", "!".repeat(45));
    let cases = |n: u32| match n % 2 {
        0 => long(n),
        _ => long(n - 1).to_uppercase(),
    };
    type Sort<'a> = (&'a str, &'a dyn Fn(u32) -> String, &'a dyn Fn(u32) -> (u32, u32));
    let inside = |n: u32| (12 + n, 1);
    let outside = |n: u32| (0x7000_0000 + n, 9);
    let sorts: [Sort<'_>; 9] = [
        ("long", &long, &inside),
        ("deep", &deep, &inside),
        ("bad", &bad, &inside),
        ("one name", &|_| long(0), &inside),
        ("one bad name", &|_| bad(0), &inside),
        ("two cases", &cases, &inside),
        ("outside", &long, &outside),
        ("bad and outside", &bad, &outside),
        ("negative", &long, &|n| (u32::MAX - n, u32::MAX - 4)),
    ];
    let pak = |(sort, name, place): Sort<'_>| {
        let mut pak = Pak::new();
        pak.payload(&vec![7; MANY as usize]);
        for n in 0..MANY {
            let (offset, size) = place(n);
            pak = pak.entry(Entry { name: name(n).into_bytes(), offset, size, packed: None });
        }
        (format!("many: {sort}"), pak.quake())
    };
    sorts.map(pak).to_vec()
}

/// How many entries a header claims and a file has room for.
fn entries(pak: &[u8]) -> u64 {
    if pak.starts_with(b"PK") {
        let record = |at: &usize| pak[*at..].starts_with(b"PK\x01\x02");
        return (0..pak.len()).filter(record).count() as u64;
    }
    let claimed = pak.get(8..12).map_or(0, |len| u32::from_le_bytes(len.try_into().unwrap()));
    u64::from(claimed).min(pak.len() as u64) / 64
}

fn run_all(attacks: &[Attack], lines: &[&str]) -> Figures {
    let mut figures = Figures::default();
    for (name, pak) in attacks {
        figures.paks += 1;
        for line in lines {
            let line = if entries(pak) > FILES_MAX && line.starts_with("extract") {
                format!("{line} -n")
            } else {
                (*line).to_owned()
            };
            let line = format!("-j4 {line}");
            let arena = Arena::with(pak);
            let taken = run(&arena, &line);
            figures.runs += 1;
            let allowed = MEMORY + MEMORY_AN_ENTRY * entries(pak);
            assert!(taken <= allowed, "{name}: {line} took {taken} bytes of {allowed}");
            if taken > figures.most.0 {
                figures.most = (taken, format!("{name}: {line}"));
            }
            arena.assert_only_within(&["work/out", "work/q.pak", "work/snapshot"]);
            if arena.path("work/q.pak").exists() {
                arena.run("verify -q q.pak").code(0);
            }
        }
    }
    figures
}

/// Runs a line, judges how it ended, and returns how much memory it took.
#[track_caller]
fn run(arena: &Arena, line: &str) -> u64 {
    let (ran, taken) = arena.measure(line);
    // Neither a panic, which is 101, nor a signal.
    assert!((0..3).any(|code| ran.is(code)), "{line}: {ran}");
    let said = ran.stderr().contains("error: ") || ran.stderr().contains("warning: ");
    assert!(ran.is(0) || said, "{line}: {ran}");
    // What is on standard output is text, in every one of these verbs.
    let _ = ran.text();
    taken.memory
}

fn print(figures: &Figures) {
    let Figures { paks, runs, most, .. } = figures;
    println!("{paks} paks, {runs} runs, at most {} kB: {}", most.0 >> 10, most.1);
    if !is_measured() {
        crate::skips::skip("/usr/bin/time is not installed, so memory is not measured");
    }
}

#[test]
fn every_pak_is_survived_and_takes_little_memory() {
    print(&run_all(&all(), &SHORT));
}

/// `cargo test --release --test it hostile -- --ignored`
#[test]
#[ignore = "takes a minute"]
fn every_pak_and_the_corpus_under_every_verb() {
    let mut attacks = [all(), many()].concat();
    for folder in
        ["paks/broken", "paks/sound", "zips/broken", "zips/sound", "wads/broken", "wads/sound"]
    {
        attacks.extend(crate::corpus::files(folder));
    }
    let lines: Vec<&str> = SHORT.into_iter().chain(LONG).collect();
    print(&run_all(&attacks, &lines));
}
