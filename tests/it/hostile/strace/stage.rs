//! What is run under strace, in which directory, and what is there before and after.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use daisho::codec::{Profile, encode};

use crate::archive::build::{Entry, Pak};

/// A verb and how it is asked for.
#[derive(Debug)]
pub(super) struct Verb {
    pub(super) args: &'static [&'static str],
    /// Whether old files are where new ones go.
    pub(super) over: bool,
}

/// One thread, so that a call has the same number in every run.
pub(super) const VERBS: &[Verb] = &[
    new(&["convert", "-j1", "-r", "sources", "-C", "made/out"]),
    over(&[
        "convert",
        "-j1",
        "-r",
        "sources",
        "-C",
        "made/out",
        "-f",
        "--to",
        "daikatana",
    ]),
    new(&["extract", "-j1", "-r", "sources", "-C", "made/out"]),
    over(&["extract", "-j1", "-r", "sources", "-C", "made/out", "-f"]),
    new(&["create", "-j1", "sources", "-o", "new.pak"]),
    over(&[
        "create",
        "-j1",
        "sources",
        "-o",
        "new.pak",
        "-f",
        "--to",
        "daikatana",
    ]),
];

const fn new(args: &'static [&'static str]) -> Verb {
    Verb { args, over: false }
}

const fn over(args: &'static [&'static str]) -> Verb {
    Verb { args, over: true }
}

/// What is about files; those that a system does not have are passed over. No `close`: see above.
const CALLS: &str = "trace=?open,?openat,?openat2,?read,?pread64,?readv,?write,?pwrite64,?writev,\
    ?copy_file_range,?sendfile,?fallocate,?ftruncate,?link,?linkat,?rename,?renameat,?renameat2,\
    ?unlink,?unlinkat,?rmdir,?mkdir,?mkdirat,?stat,?lstat,?fstat,?statx,?newfstatat,?access,\
    ?faccessat,?faccessat2,?fsync,?fdatasync,?syncfs,?getdents64,?readlink,?readlinkat,?lseek,\
    ?fcntl,?dup,?dup3,?getcwd,?statfs,?fstatfs,?fchmod,?fadvise64";

/// A call that fails.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) call: String,
    /// Counted from 1, among the calls of this kind.
    pub(super) number: usize,
    pub(super) errno: &'static str,
    pub(super) from_then_on: bool,
}

/// Files by their paths.
pub(super) type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// A directory with sources, and what becomes of them where all goes well.
pub(super) struct Stage<'a> {
    pub(super) verb: &'a Verb,
    dir: tempfile::TempDir,
    sources: Tree,
    /// What is under the outputs' names before.
    pub(super) old: Tree,
    pub(super) whole: Tree,
}

/// What a run has done.
pub(super) struct Run {
    pub(super) code: Option<i32>,
    pub(super) stderr: String,
    /// Everything but the sources.
    pub(super) tree: Tree,
    pub(super) sources_are_untouched: bool,
}

/// Whether there is a strace that may trace.
pub(in crate::hostile) fn strace_works() -> Result<(), &'static str> {
    let tried = Command::new("strace")
        .args(["-o", "/dev/null", "-e", "trace=?openat", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match tried {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("strace may not trace here"),
        Err(_) => Err("there is no strace"),
    }
}

impl<'a> Stage<'a> {
    pub(super) fn new(verb: &'a Verb) -> Self {
        // In memory where there is such a place: thousands of runs replace files.
        let dir = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        let sources = if verb.args[0] == "create" {
            files()
        } else {
            paks()
        };
        for (name, content) in &sources {
            put(&dir.path().join("sources").join(name), content);
        }
        let mut stage = Self {
            verb,
            dir,
            sources,
            old: Tree::new(),
            whole: Tree::new(),
        };
        if verb.over {
            stage.whole = stage.run(None).tree;
            let old = |path: &PathBuf| (path.clone(), b"what was there before".to_vec());
            stage.old = stage.whole.keys().map(old).collect();
        }
        let run = stage.run(None);
        assert_eq!(run.code, Some(0), "{:?}: {}", verb.args, run.stderr);
        assert!(!run.tree.is_empty() && run.tree != stage.old);
        stage.whole = run.tree;
        stage
    }

    /// Runs the command on a fresh output, with a fault.
    pub(super) fn run(&self, fault: Option<&Fault>) -> Run {
        let mut args = vec!["-e".to_owned(), CALLS.to_owned()];
        if let Some(fault) = fault {
            let Fault {
                call,
                number,
                errno,
                from_then_on,
            } = fault;
            let on = if *from_then_on { "+" } else { "" };
            args.push("-e".into());
            args.push(format!("inject={call}:error={errno}:when={number}{on}"));
        }
        self.prepare();
        // A run that hangs is killed by strace's own end, and has no code.
        let output = Command::new("timeout")
            .args(["-s", "KILL", "20", "strace", "-f", "-o", "trace"])
            .args(args)
            .arg(env!("CARGO_BIN_EXE_daisho"))
            .args(self.verb.args)
            // Whatever fails is named.
            .arg("-v")
            .current_dir(self.dir.path())
            .env_remove("DAISHO_JOBS")
            .env_remove("DAISHO_GAME")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let mut tree = tree(self.dir.path());
        tree.remove(Path::new("trace"));
        let (sources, tree): (Tree, Tree) = tree
            .into_iter()
            .partition(|(path, _)| path.starts_with("sources"));
        let mut sources = sources.into_iter();
        let same = self.sources.iter().all(|(name, content)| {
            let found = sources.next();
            found.is_some_and(|(path, found)| path.ends_with(name) && found == *content)
        });
        Run {
            code: output.status.code(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            tree,
            sources_are_untouched: same && sources.next().is_none(),
        }
    }

    fn prepare(&self) {
        for entry in fs::read_dir(self.dir.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("sources") {
                fs::remove_dir_all(path).unwrap();
            } else if path.is_file() {
                fs::remove_file(path).unwrap();
            }
        }
        for (name, content) in &self.old {
            put(&self.dir.path().join(name), content);
        }
    }

    /// The calls of a run without faults, each kind with the numbers of those that are made from
    /// the first one on that names an argument: what is before is the loader's, and Rust's own.
    pub(super) fn calls(&self) -> Vec<(String, RangeInclusive<usize>)> {
        self.run(None);
        let trace = fs::read_to_string(self.dir.path().join("trace")).unwrap();
        // One process, whose first thread does all the work. Calls are counted by thread.
        let first = trace.split(' ').next().unwrap().to_owned();
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut begun = false;
        for line in trace.lines() {
            let Some((thread, call)) = line.split_once(' ') else {
                continue;
            };
            let Some((name, args)) = call.trim_start().split_once('(') else {
                continue;
            };
            // The rest of a line that another thread has interrupted, an exit or a signal.
            if thread != first || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                continue;
            }
            begun |= args.contains("\"sources");
            let (before, all) = counts.entry(name.to_owned()).or_default();
            *all += 1;
            *before += usize::from(!begun);
        }
        assert!(begun, "{trace}");
        counts
            .into_iter()
            .map(|(name, (before, all))| (name, before + 1..=all))
            .collect()
    }
}

fn put(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn tree(root: &Path) -> Tree {
    let mut found = Tree::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_path_buf();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Longer than what is read and written in one go, so that the kernel copies it.
fn long() -> Vec<u8> {
    (0..=250).cycle().take(70_000).collect()
}

/// What compression makes smaller.
fn picture() -> Vec<u8> {
    b"a picture, ".repeat(40)
}

fn files() -> Tree {
    let files = [
        ("a.txt", b"a text".to_vec()),
        ("empty", Vec::new()),
        ("maps/e1.bsp", picture()),
        ("maps/more/long.wav", long()),
    ];
    files.map(|(name, content)| (name.into(), content)).into()
}

fn paks() -> Tree {
    let size = picture().len() as u32;
    let stream = encode(&picture(), Profile::Compatible);
    let mut first = Pak::new()
        .compressed("maps/e1.bsp", size, &stream)
        .stored("maps/more/long.wav", long())
        .stored("skins/a.tga", b"does not shrink")
        .stored("empty", b"");
    // Shares its payload with the first.
    let shared = Entry {
        name: b"maps/again.bsp".to_vec(),
        ..first.entries[0].clone()
    };
    first = first.entry(shared);
    let second = Pak::new()
        .stored("a.txt", b"a text")
        .compressed("b.tga", size, &stream);
    let third = Pak::new()
        .stored("b.tga", picture())
        .stored("c/d.txt", b"another text");
    let paks = [
        ("first.pak", first.daikatana()),
        ("more/second.pak", second.daikatana()),
        ("more/third.pak", third.quake()),
    ];
    paks.map(|(name, bytes)| (name.into(), bytes)).into()
}
