//! Every command beside its limit: what its parts take alone, and what follows for the threads there are.
//!
//! Run in this folder, `cargo bench --bench limits` prints tables. For each command and set it takes, in turn, the command on one
//! thread and on all, each of its parts alone on one thread, and other programs that do the same where they are
//! installed; so that a slow spell of the machine meets all of them. The bound of one thread is the sum of the
//! parts; that of all is the sum of what the parts take when all threads do all of each at once, divided by their
//! number, or the longest piece that cannot be divided if that is longer. Times are medians.
//!
//! It measures `target/release/daisho`, or the program that `DAISHO_BENCH_PROGRAM` names.
//! It works in a directory of its own below the one for temporary files, and `DAISHO_BENCH_DIR` names another,
//! best on a RAM disk; `DAISHO_BENCH_ROUNDS` another number of rounds than 7, `DAISHO_BENCH_ONLY` a part of the
//! text in the first two columns. What was just written is read again, so the page cache is warm.
//!
//! | file    | job                                              |
//! |---------|--------------------------------------------------|
//! | `sets`  | what is worked on                                |
//! | `jobs`  | the commands                                     |
//! | `parts` | what they are made of                            |

#![allow(dead_code)]

mod jobs;
mod parts;
#[path = "../codec/samples.rs"]
mod samples;
mod sets;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs, thread};

use jobs::{JOBS, Job, words};
use parts::{Loaded, Places};
use sets::Set;

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    if env::args().any(|arg| arg == "--test") {
        return;
    }
    let rounds = env::var("DAISHO_BENCH_ROUNDS").map_or(7, |n| n.parse().unwrap());
    let only = env::var("DAISHO_BENCH_ONLY").unwrap_or_default();
    let base = env::var_os("DAISHO_BENCH_DIR").map_or_else(env::temp_dir, PathBuf::from);
    let scratch = tempfile::tempdir_in(&base).unwrap();
    let place = Place::new(scratch.path());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    println!("\nThe sets:\n");
    for set in &place.sets {
        println!("- {}: {}", set.name, set.what);
    }
    start_up(rounds);
    println!("\nMedians of {rounds} rounds in ms. Parts are on one thread each.\n");
    println!(
        "| set | command | parts | bound | `-j1` | ratio | bound of {threads} | `-j{threads}` | ratio | serial | on 16 | others |"
    );
    println!("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|");
    let mut loaded: HashMap<&str, Loaded> = HashMap::new();
    for job in JOBS {
        if !job.set.contains(&only) && !job.what.contains(&only) {
            continue;
        }
        let set = place.set(job.set);
        // One set at a time: contents are in memory.
        loaded.retain(|name, _| *name == job.set);
        let loaded = loaded.entry(job.set).or_insert_with(|| Loaded::new(set.paks()));
        Measured::of(job, &place, loaded, threads, rounds).print(job, threads);
    }
}

/// Where everything lies.
struct Place {
    folder: PathBuf,
    sets: Vec<Set>,
}

impl Place {
    fn new(folder: &Path) -> Self {
        let mut sets = sets::make(folder);
        let game = sets[0].path.clone();
        for (name, what, file) in [
            ("game.quake", "the same as a Quake pak", "game.quake.pak"),
            ("game.pk3", "the same, deflated", "game.pk3"),
        ] {
            let path = folder.join(file);
            run(daisho().arg("convert").args([&game, Path::new("-o"), &path]));
            sets.push(Set { name, what, path });
        }
        let tree = folder.join("tree");
        run(daisho().arg("extract").args([&game, Path::new("-C"), &tree]));
        Self { folder: folder.to_owned(), sets }
    }

    fn set(&self, name: &str) -> &Set {
        self.sets.iter().find(|set| set.name == name).unwrap()
    }

    fn made(&self) -> PathBuf {
        self.folder.join("made")
    }

    /// A command of a job, with nothing where it writes.
    fn command(&self, job: &Job, line: &str, program: Option<&Path>) -> Command {
        let made = self.made();
        clear(&made);
        clear(&made.with_extension("zip"));
        let old = made.join("old.pak");
        if line.contains("OLD") {
            fs::create_dir(&made).unwrap();
            fs::copy(&self.set(job.set).path, &old).unwrap();
        }
        if line.contains("OUT/") {
            fs::create_dir(&made).unwrap();
        }
        let paths = [
            ("IN", &*self.set(job.set).path),
            ("OUT", &*made),
            ("TREE", &*self.folder.join("tree")),
            ("OLD", &*old),
            ("OTHER", &*self.set("game.quake").path),
        ];
        let mut words = words(line, &paths);
        let mut command = match program {
            Some(program) => Command::new(program),
            None => Command::new(words.remove(0)),
        };
        if program.is_none() {
            command.current_dir(self.folder.join("tree"));
        }
        command.args(words);
        command
    }
}

/// What was measured of a job, all rounds of each.
#[derive(Default)]
struct Measured {
    one: Vec<f64>,
    all: Vec<f64>,
    parts: Vec<Vec<f64>>,
    /// The same, done by all threads at once, of each.
    parts_of_all: Vec<Vec<f64>>,
    /// The shares of the parts that cannot be divided.
    whole: Vec<f64>,
    others: Vec<(&'static str, Vec<f64>)>,
}

impl Measured {
    fn of(job: &Job, place: &Place, loaded: &Loaded, threads: usize, rounds: usize) -> Self {
        let places = Places {
            set: place.set(job.set).path.clone(),
            tree: place.folder.join("tree"),
            made: place.made(),
            copy: place.folder.join("copy.0"),
        };
        let program = program();
        let others = job.others.iter().filter(|line| is_installed(line));
        let mut measured = Self {
            parts: vec![Vec::new(); job.parts.len()],
            parts_of_all: vec![Vec::new(); job.parts.len()],
            whole: job.parts.iter().map(|part| loaded.whole(*part)).collect(),
            others: others.map(|line| (*line, Vec::new())).collect(),
            ..Self::default()
        };
        for _ in 0..rounds {
            for (line, times) in &mut measured.others {
                times.push(run(&mut place.command(job, line, None)));
            }
            for (threads, times) in [(1, &mut measured.one), (threads, &mut measured.all)] {
                let mut command = place.command(job, job.line, Some(&program));
                times.push(run(command.arg(format!("-j{threads}"))));
            }
            for (part, times) in job.parts.iter().zip(&mut measured.parts) {
                times.push(loaded.time(*part, &places));
                clear_copies(&places.copy, 1);
            }
            for (part, times) in job.parts.iter().zip(&mut measured.parts_of_all) {
                times.push(loaded.time_of(threads, *part, &places));
                clear_copies(&places.copy, threads);
            }
        }
        measured
    }

    fn print(&self, job: &Job, threads: usize) {
        let parts: Vec<f64> = self.parts.iter().map(|times| median(times)).collect();
        let words = job.parts.iter().zip(&parts);
        let words: Vec<String> =
            words.map(|(part, ms)| format!("{} {ms:.0}", part.name())).collect();
        let sum: f64 = parts.iter().sum();
        let whole = parts.iter().zip(&self.whole).map(|(ms, share)| ms * share).fold(0.0, f64::max);
        let of_all = self.parts_of_all.iter().map(|times| median(times));
        let bound = of_all.sum::<f64>().max(whole);
        let (one, all) = (median(&self.one), median(&self.all));
        let many = threads as f64;
        // Of a job whose share s cannot be divided, n threads leave s + (1 - s) / n.
        let serial = ((many * all / one - 1.0) / (many - 1.0)).clamp(0.0, 1.0);
        let on_16 = 1.0 / (serial + (1.0 - serial) / 16.0);
        let ratio = |ours: f64, bound: f64| match bound > 0.5 {
            true => format!("{:.2}", ours / bound),
            false => "-".to_owned(),
        };
        let scaling = match threads > 1 && one >= 20.0 {
            true => format!("{:.0} % | {on_16:.1} times", serial * 100.0),
            false => "- | -".to_owned(),
        };
        let other = |(line, times): &(&str, Vec<f64>)| {
            let name = line.split(' ').next().unwrap();
            format!("{name} {:.0} ({:.1})", median(times), median(times) / all)
        };
        let others: Vec<String> = self.others.iter().map(other).collect();
        println!(
            "| {} | {} | {} | {sum:.0} | {one:.0} | {} | {bound:.0} | {all:.0} | {} | {scaling} | {} |",
            job.set,
            job.what,
            words.join(", "),
            ratio(one, sum),
            ratio(all, bound),
            others.join(", "),
        );
    }
}

/// What a process takes that does nothing, and daisho saying its version.
fn start_up(rounds: usize) {
    let (mut nothing, mut version) = (Vec::new(), Vec::new());
    for _ in 0..rounds * 5 {
        nothing.push(run(&mut Command::new("true")));
        version.push(run(daisho().arg("--version")));
    }
    let (nothing, version) = (median(&nothing), median(&version));
    println!(
        "\nStart-up: {version:.2} ms for `daisho --version`, of which `true` takes {nothing:.2}."
    );
}

fn daisho() -> Command {
    Command::new(program())
}

/// The program that is measured.
fn program() -> PathBuf {
    env::var_os("DAISHO_BENCH_PROGRAM").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/daisho"),
        PathBuf::from,
    )
}

/// Runs a command and says how many milliseconds it took.
fn run(command: &mut Command) -> f64 {
    let start = Instant::now();
    let output =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
    let time = start.elapsed().as_secs_f64() * 1e3;
    // 1 says that something was found: differences, or contents that lie twice.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{command:?}: {output:?}");
    time
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn is_installed(line: &str) -> bool {
    let program = line.split(' ').next().unwrap();
    let paths = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&paths).any(|folder| folder.join(program).is_file());
    if !found {
        println!("<!-- {program} is not installed here, and was skipped -->");
    }
    found
}

fn clear(path: &Path) {
    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    } else if path.exists() {
        fs::remove_file(path).unwrap();
    }
}

fn clear_copies(copy: &Path, count: usize) {
    for number in 0..count {
        clear(&copy.with_extension(number.to_string()));
    }
}
