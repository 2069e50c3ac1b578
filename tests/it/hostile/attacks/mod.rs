//! The attack table: each row of `tests/ATTACKS.md` is a test here.
//!
//! A test works in an [`Arena`]: a directory `work` to run in, with something precious beside it,
//! and a picture of all of it from before, so that whatever an attack changes where it should not
//! is seen. What an attack is made of are paks, each by a name, and `table` runs every verb over
//! every one of them besides.
//!
//! Every run prints a line that begins with `attack:`, which `cargo test` shows with
//! `-- --nocapture`: that is how attacks are counted.

// Figures, attacks that are counted, and what was skipped.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bombs;
mod conflicts;
mod headers;
mod inputs;
mod links;
mod maps;
mod names;
mod outputs;
mod page;
mod races;
mod table;
mod wads;
mod zips;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::build::{Entry, Pak};
use crate::cli::{Dir, Ran, TestCommand};

/// What must never change.
const PRECIOUS: &[u8] = b"precious";

/// A pak of an attack, and what it is called.
type Attack = (String, Vec<u8>);

/// What a run may take of memory: this, and so much for each thread and each entry, as README promises.
const MEMORY: u64 = 64 << 20;
const MEMORY_A_THREAD: u64 = 4 << 20;
const MEMORY_AN_ENTRY: u64 = 1024;

/// How long a processor may work for a run that is limited, in seconds. Without optimization everything is slower.
const SECONDS: f64 = if cfg!(debug_assertions) { 20.0 } else { 2.0 };

/// What a run took: bytes of memory, and seconds of all processors.
#[derive(Debug)]
struct Taken {
    memory: u64,
    seconds: f64,
}

/// Whether the system can say what a run took: by GNU `time`.
fn is_measured() -> bool {
    Path::new("/usr/bin/time").exists()
}

/// A place to be attacked.
struct Arena {
    dir: Dir,
    /// All that was there when it was last looked at.
    before: Tree,
}

/// What is below a directory, by path.
type Tree = BTreeMap<PathBuf, Thing>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Thing {
    Directory,
    File(Vec<u8>),
    Link(PathBuf),
    /// A pipe, a socket.
    Other,
}

impl Arena {
    /// With a directory to work in, and one outside of it.
    fn new() -> Self {
        let dir = Dir::new();
        dir.file("outside/victim", PRECIOUS);
        fs::create_dir(dir.path("work")).unwrap();
        let before = tree(&dir.path(""));
        Self { dir, before }
    }

    /// With a pak, `work/p.pak`.
    fn with(pak: impl AsRef<[u8]>) -> Self {
        let mut arena = Self::new();
        arena.file("work/p.pak", pak);
        arena
    }

    /// Makes a file.
    fn file(&mut self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        self.dir.file(name, content);
        self.look();
    }

    /// Makes a symbolic link.
    fn link(&mut self, to: impl AsRef<Path>, at: &str) {
        let at = self.dir.path(at);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, at).unwrap();
        self.look();
    }

    /// Remembers all files, which must stay as they are.
    fn look(&mut self) {
        self.before = tree(&self.dir.path(""));
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.dir.path(name)
    }

    /// Runs the command in `work`, with words that have no spaces in them.
    fn run(&self, line: &str) -> Ran {
        println!("attack: daisho {line}");
        self.daisho().args(line.split(' ')).run()
    }

    /// The same, and what the run took. That is nothing where it is not measured.
    fn measure(&self, line: &str) -> (Ran, Taken) {
        let (memory, seconds) = (0, 0.0);
        if !is_measured() {
            return (self.run(line), Taken { memory, seconds });
        }
        println!("attack: daisho {line}");
        let time = "/usr/bin/time -q -f '%M %U %S' -o ../taken";
        let script = format!("cd work && exec {time} daisho {line}");
        let ran = self.dir.sh(&script).run();
        let taken = self.dir.read("taken");
        fs::remove_file(self.path("taken")).unwrap();
        let mut numbers = core::str::from_utf8(&taken).unwrap().split_whitespace();
        let kilobytes: u64 = numbers.next().unwrap().parse().unwrap();
        let memory = kilobytes << 10;
        let mut seconds = 0.0;
        for number in numbers {
            seconds += number.parse::<f64>().unwrap();
        }
        (ran, Taken { memory, seconds })
    }

    /// Runs the command in `work`. It must take no more memory than is promised for so many entries, and little time.
    #[track_caller]
    fn run_within_limits(&self, line: &str, entries: u64) -> Ran {
        let (ran, taken) = self.measure(&format!("-j4 {line}"));
        let memory = MEMORY + 4 * MEMORY_A_THREAD + MEMORY_AN_ENTRY * entries;
        let Taken { memory: most, seconds } = taken;
        assert!(most <= memory, "{line}: {most} bytes of {memory}");
        assert!(seconds <= SECONDS, "{line}: {seconds} seconds of {SECONDS}");
        ran
    }

    /// The command, to be run in `work`.
    fn daisho(&self) -> TestCommand {
        self.dir.daisho().within(self.path("work"))
    }

    /// What was made, removed or changed since the last look.
    fn changed(&self) -> Vec<PathBuf> {
        let now = tree(&self.dir.path(""));
        let paths = self.before.keys().chain(now.keys());
        let mut changed: Vec<PathBuf> =
            paths.filter(|path| self.before.get(*path) != now.get(*path)).cloned().collect();
        changed.sort();
        changed.dedup();
        changed
    }

    /// Nothing at all has changed.
    #[track_caller]
    fn assert_untouched(&self) {
        self.assert_only_within(&[]);
    }

    /// Nothing has changed but in these and the directories that lead there, and nothing temporary is left anywhere.
    #[track_caller]
    fn assert_only_within(&self, allowed: &[&str]) {
        for path in self.changed() {
            let inside = allowed.iter().any(|allowed| {
                path.starts_with(allowed)
                    || Path::new(allowed).starts_with(&path) && self.path(&path).is_dir()
            });
            assert!(inside, "{} was changed", path.display());
            let name = path.file_name().unwrap().to_string_lossy();
            assert!(!name.starts_with(".daisho-"), "{} is left", path.display());
        }
    }

    /// The regular files below a directory, by their paths from there.
    fn files(&self, below: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let all = tree(&self.path(below)).into_iter();
        all.filter_map(|(path, thing)| match thing {
            Thing::File(content) => Some((path, content)),
            _ => None,
        })
        .collect()
    }
}

/// Everything below `root`, or nothing if it does not exist.
fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            let thing = if kind.is_dir() {
                open.push(path.clone());
                Thing::Directory
            } else if kind.is_symlink() {
                Thing::Link(fs::read_link(&path).unwrap())
            } else if kind.is_file() {
                Thing::File(fs::read(&path).unwrap())
            } else {
                Thing::Other
            };
            tree.insert(path.strip_prefix(root).unwrap().to_path_buf(), thing);
        }
    }
    tree
}
