//! Rates in summaries: of what was done, in the time that it took.

use std::fs::File;

use super::Dir;
use super::paks::entry;
use crate::archive::build::Pak;

/// As much content as a rate is shown for.
const CONTENT: u64 = 12_000_000;

/// The rate and the time in the last line of standard error say that no more was done than there
/// is; nothing is judged where there is no rate.
#[track_caller]
fn judge(stderr: &str, most: u64) {
    let line = stderr.lines().last().unwrap();
    let Some((before, rate)) = line.trim_end_matches(" MB/s").rsplit_once(" s, ") else {
        assert!(!line.contains("MB/s"), "{line}");
        return;
    };
    let seconds = before.rsplit(' ').next().unwrap();
    let (seconds, rate): (f64, f64) = (seconds.parse().unwrap(), rate.parse().unwrap());
    // What is printed is rounded.
    let done = (rate - 0.5) * (seconds - 0.005);
    assert!(done <= most as f64 / 1e6, "{line}");
}

fn content() -> Vec<u8> {
    (0..CONTENT).map(|n| ((n * n) >> 7) as u8).collect()
}

#[test]
fn a_shared_payload_counts_once_in_a_rate() {
    let dir = Dir::new();
    let mut pak = Pak::new();
    let offset = pak.payload(&content());
    for n in 0..2000 {
        let name = format!("{n}.wav");
        pak = pak.entry(entry(name.as_bytes(), offset, CONTENT as u32, None));
    }
    dir.file("id1/pak0.pak", pak.clone().quake());
    dir.file("d.pak", pak.daikatana());
    for line in [
        "convert --merge id1 -o merged.pak",
        "convert d.pak -o q.pak",
        "convert d.pak -o d2.pak --to daikatana",
    ] {
        let ran = dir.ok(line);
        judge(ran.stderr(), CONTENT);
    }
}

/// It is as long as all the paks of a game, and holds next to nothing.
#[test]
fn bytes_without_an_entry_do_not_count_in_a_rate() {
    let dir = Dir::new();
    let pak = Pak::new().stored("a.wav", content()).quake();
    let path = dir.file("a.pak", pak);
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(1 << 36).unwrap();
    let ran = dir.ok("convert a.pak -o b.pak");
    judge(ran.stderr(), CONTENT);
}
