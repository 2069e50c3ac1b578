//! Whole commands beside what they are measured by: converting beside `cp` of the result, extracting
//! beside `cp -r` of the result, verifying beside decoding the same streams in memory on as many
//! threads. Of a PK3, converting it to a pak beside inflating alone, verifying it beside inflating and
//! summing, and making it of a pak beside the same on one thread.
//!
//! `cargo bench --bench commands` prints one table, of medians of wall-clock time and of the
//! processor time of both sides; in each round all take turns, so that a slow spell of the machine
//! meets all of them. It works in a directory of its own below the one for temporary files;
//! `DAISHO_BENCH_DIR` names another, `DAISHO_BENCH_ROUNDS` another number of rounds than 11. What
//! was just written is read again, so the page cache is warm.

// A benchmark stops where something is wrong.
#![allow(missing_docs, dead_code)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::panic
)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

#[path = "../codec/samples.rs"]
mod samples;
mod sets;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fs, thread};

use daisho::Archive;
use daisho::codec::{Reserved, decode_into};

use sets::Set;

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    if env::args().any(|arg| arg == "--test") {
        return;
    }
    let rounds = env::var("DAISHO_BENCH_ROUNDS").map_or(11, |n| n.parse().unwrap());
    let base = env::var_os("DAISHO_BENCH_DIR").map_or_else(env::temp_dir, PathBuf::from);
    let scratch = tempfile::tempdir_in(&base).unwrap();
    let sets = sets::make(scratch.path());
    println!("\nThe sets:\n");
    for set in &sets {
        let packed: u64 = set
            .paks()
            .iter()
            .map(|p| fs::metadata(p).unwrap().len())
            .sum();
        let (packed, content) = (packed as f64 / 1e6, set.content as f64 / 1e6);
        println!(
            "- {}: {}; {packed:.0} MB, {content:.0} MB of content",
            set.name, set.what
        );
    }
    println!(
        "\nMedians of {rounds} rounds in ms; in brackets user and system time, the mean of all rounds:\n"
    );
    println!("| set | command | daisho | beside it | ratio | system time's ratio |");
    println!("|---|---|---:|---|---:|---:|");
    for set in &sets {
        for pair in [convert, extract, verify] {
            pair(set, scratch.path(), rounds).print(set);
        }
    }
    let game = &sets[0];
    let zip = Set {
        name: "game as PK3",
        what: "the same, deflated",
        path: scratch.path().join("game.pk3"),
        content: game.content,
    };
    let mut command = daisho();
    command
        .arg("convert")
        .args([&game.path, Path::new("-o"), &zip.path]);
    Times::default().run(&mut command);
    extract(&zip, scratch.path(), rounds).print(&zip);
    zip_to_pak(&zip, scratch.path(), rounds).print(&zip);
    verify_zip(&zip, rounds).print(&zip);
    pak_to_zip(game, scratch.path(), rounds).print(&zip);
}

/// Two jobs that took turns.
struct Pair {
    command: &'static str,
    yardstick: &'static str,
    ours: Times,
    theirs: Times,
}

impl Pair {
    fn print(&self, set: &Set) {
        let (ours, theirs) = (&self.ours, &self.theirs);
        println!(
            "| {} | {} | {} | {}: {} | {:.2} | {} |",
            set.name,
            self.command,
            ours.shown(),
            self.yardstick,
            theirs.shown(),
            ours.median() / theirs.median(),
            if theirs.system > 0.0 && self.yardstick.starts_with('`') {
                format!("{:.2}", ours.system / theirs.system)
            } else {
                String::from("-")
            },
        );
    }
}

/// Of one job, in milliseconds.
#[derive(Default)]
struct Times {
    wall: Vec<f64>,
    user: f64,
    system: f64,
}

impl Times {
    fn median(&self) -> f64 {
        let mut wall = self.wall.clone();
        wall.sort_by(f64::total_cmp);
        wall[wall.len() / 2]
    }

    fn shown(&self) -> String {
        let rounds = self.wall.len() as f64;
        let (user, system) = (self.user / rounds, self.system / rounds);
        format!("{:.0} ({user:.0} + {system:.0})", self.median())
    }

    fn run(&mut self, command: &mut Command) {
        let before = children();
        let start = Instant::now();
        let output = command.stdin(Stdio::null()).output().unwrap();
        self.wall.push(start.elapsed().as_secs_f64() * 1e3);
        assert!(output.status.success(), "{command:?}: {output:?}");
        let after = children();
        self.user += after.0 - before.0;
        self.system += after.1 - before.1;
    }
}

/// User and system time of all processes that have ended, in milliseconds; 0 where the system does
/// not tell it in this way. It counts in steps of 10 ms, which a sum over rounds evens out.
fn children() -> (f64, f64) {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is a name, and may hold anything but ends with the last bracket.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split(' ').collect();
    let ticks = |n: usize| fields.get(n).and_then(|t| t.parse().ok()).unwrap_or(0.0);
    (ticks(14) * 10.0, ticks(15) * 10.0)
}

fn daisho() -> Command {
    Command::new(env!("CARGO_BIN_EXE_daisho"))
}

fn clear(path: &Path) {
    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    } else if path.exists() {
        fs::remove_file(path).unwrap();
    }
}

/// Runs two commands in turn; each writes into a path that is free when it begins.
fn take_turns(
    rounds: usize,
    (our_out, their_out): (&Path, &Path),
    ours: impl Fn() -> Command,
    theirs: impl Fn() -> Command,
) -> (Times, Times) {
    let (mut our_times, mut their_times) = (Times::default(), Times::default());
    for _ in 0..rounds {
        clear(our_out);
        our_times.run(&mut ours());
        clear(their_out);
        their_times.run(&mut theirs());
    }
    clear(our_out);
    clear(their_out);
    (our_times, their_times)
}

fn convert(set: &Set, scratch: &Path, rounds: usize) -> Pair {
    let (out, copy) = (scratch.join("converted"), scratch.join("copied"));
    let (ours, theirs) = take_turns(
        rounds,
        (&out, &copy),
        || {
            let mut command = daisho();
            command.arg("convert").arg(&set.path);
            if set.is_directory() {
                command.arg("-r").arg("-C").arg(&out);
            } else {
                command.arg("-o").arg(&out);
            }
            command
        },
        || {
            let mut command = Command::new("cp");
            command.arg("-r").arg(&out).arg(&copy);
            command
        },
    );
    Pair {
        command: "convert",
        yardstick: "`cp`",
        ours,
        theirs,
    }
}

fn extract(set: &Set, scratch: &Path, rounds: usize) -> Pair {
    let (out, copy) = (scratch.join("extracted"), scratch.join("copied"));
    let (ours, theirs) = take_turns(
        rounds,
        (&out, &copy),
        || {
            let mut command = daisho();
            command.arg("extract").arg(&set.path).arg("-C").arg(&out);
            if set.is_directory() {
                command.arg("-r");
            }
            command
        },
        || {
            let mut command = Command::new("cp");
            command.arg("-r").arg(&out).arg(&copy);
            command
        },
    );
    Pair {
        command: "extract",
        yardstick: "`cp -r`",
        ours,
        theirs,
    }
}

fn verify(set: &Set, _: &Path, rounds: usize) -> Pair {
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..rounds {
        let mut command = daisho();
        command.arg("verify").arg(&set.path);
        if set.is_directory() {
            command.arg("-r");
        }
        ours.run(&mut command);
        theirs.wall.push(decode_all(set));
    }
    Pair {
        command: "verify",
        yardstick: "decoding",
        ours,
        theirs,
    }
}

/// Decodes all streams of a set on all cores, from memory into one buffer a thread, and says how
/// many milliseconds that took; reading the paks does not count.
fn decode_all(set: &Set) -> f64 {
    let paks: Vec<(Vec<u8>, Archive)> = set
        .paks()
        .iter()
        .map(|path| (fs::read(path).unwrap(), Archive::open(path).unwrap()))
        .collect();
    let mut jobs: Vec<(&[u8], usize)> = Vec::new();
    for (bytes, pak) in &paks {
        for entry in pak.entries().filter(|entry| entry.is_compressed()) {
            let extent = entry.extent().unwrap();
            let from = extent.offset as usize;
            let stream = &bytes[from..from + extent.len as usize];
            jobs.push((stream, entry.size() as usize));
        }
    }
    jobs.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut buffer = Vec::new();
                while let Some((stream, size)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if buffer.len() < *size {
                        buffer.resize(*size, 0);
                    }
                    decode_into(stream, &mut buffer[..*size], Reserved::Skip).unwrap();
                }
            });
        }
    });
    start.elapsed().as_secs_f64() * 1e3
}

fn zip_to_pak(zip: &Set, scratch: &Path, rounds: usize) -> Pair {
    let out = scratch.join("converted.pak");
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..rounds {
        clear(&out);
        let mut command = daisho();
        ours.run(
            command
                .arg("convert")
                .args([&zip.path, Path::new("-o"), &out]),
        );
        theirs.wall.push(inflate_all(zip, false));
    }
    clear(&out);
    Pair {
        command: "convert to a pak",
        yardstick: "inflating",
        ours,
        theirs,
    }
}

fn verify_zip(zip: &Set, rounds: usize) -> Pair {
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..rounds {
        ours.run(daisho().arg("verify").arg(&zip.path));
        theirs.wall.push(inflate_all(zip, true));
    }
    Pair {
        command: "verify",
        yardstick: "inflating and summing",
        ours,
        theirs,
    }
}

fn pak_to_zip(pak: &Set, scratch: &Path, rounds: usize) -> Pair {
    let (out, one) = (scratch.join("all.pk3"), scratch.join("one.pk3"));
    let convert = |out: &Path| {
        let mut command = daisho();
        command
            .arg("convert")
            .args([&pak.path, Path::new("-o"), out]);
        command
    };
    let (ours, theirs) = take_turns(
        rounds,
        (&out, &one),
        || convert(&out),
        || {
            let mut command = convert(&one);
            command.arg("-j1");
            command
        },
    );
    Pair {
        command: "made of the pak",
        yardstick: "`-j1`",
        ours,
        theirs,
    }
}

/// Inflates all that is deflated in a ZIP on all cores, from memory into one buffer a thread, by the
/// library that the command uses, and sums it and what is stored if that is asked for.
fn inflate_all(set: &Set, sums: bool) -> f64 {
    let (bytes, archive) = (
        fs::read(&set.path).unwrap(),
        Archive::open(&set.path).unwrap(),
    );
    let mut jobs: Vec<(&[u8], usize, bool)> = Vec::new();
    for entry in &archive {
        let Some(extent) = entry.extent() else {
            continue;
        };
        let payload = &bytes[extent.offset as usize..][..extent.len as usize];
        jobs.push((payload, entry.size() as usize, entry.is_compressed()));
    }
    jobs.sort_by_key(|(_, size, _)| std::cmp::Reverse(*size));
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let mut inflater = flate2::Decompress::new(false);
                let mut buffer = Vec::new();
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (payload, size, is_deflated) = *job;
                    buffer.resize(buffer.len().max(size), 0);
                    let mut content = payload;
                    if is_deflated {
                        let finish = flate2::FlushDecompress::Finish;
                        inflater.reset(false);
                        inflater
                            .decompress(payload, &mut buffer[..size], finish)
                            .unwrap();
                        content = &buffer[..size];
                    }
                    if sums {
                        std::hint::black_box(crc32fast::hash(content));
                    }
                }
            });
        }
    });
    start.elapsed().as_secs_f64() * 1e3
}
