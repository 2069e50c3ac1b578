//! A stage on which a verb that writes is run, is disturbed, and is judged.
//!
//! | directory | holds                                                                          |
//! |-----------|--------------------------------------------------------------------------------|
//! | `in/`     | two paks, one of them in a folder, and the files that `create` packs           |
//! | `out/`    | the outputs; in a play with [`Over::Old`], old files under all of their names   |
//!
//! What the outputs should be is known from a run that nobody disturbed. After one that somebody
//! did, every file under a final name is the old one or the new one, whole, or not there if it
//! was not there before; the sources are what they were; and there is nothing else but, where a
//! kill allows it, temporaries. Then a second run has to complete the work around these.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::archive::build::Pak;
use crate::codec::dice::Dice;
use crate::codec::tokens;

/// Says something that belongs to the result: what was counted, or why nothing was.
#[allow(clippy::print_stderr)]
pub(super) fn say(line: &str) {
    eprintln!("{line}");
}

/// Files by their paths.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Something that writes files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    /// `convert`, which fills places that are known before.
    Convert,
    /// `convert --to daikatana`, which lays down one entry after the other.
    Encode,
    /// `convert` of paks that are split.
    Split,
    Extract,
    Create,
    /// `gallery`, whose page gets its name after its files.
    Gallery,
}

/// What is under the final names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    Nothing,
    /// Old files, and `-f` replaces them.
    Old,
}

/// All that is played.
pub(super) const PLAYS: [(Verb, Over); 10] = [
    (Verb::Convert, Over::Nothing),
    (Verb::Convert, Over::Old),
    (Verb::Encode, Over::Nothing),
    (Verb::Encode, Over::Old),
    (Verb::Extract, Over::Nothing),
    (Verb::Extract, Over::Old),
    (Verb::Create, Over::Nothing),
    (Verb::Create, Over::Old),
    (Verb::Gallery, Over::Nothing),
    (Verb::Gallery, Over::Old),
];

/// What is played besides where a run is killed: outputs of several files, which get their names one
/// after the other.
pub(super) const SPLITS: [(Verb, Over); 2] =
    [(Verb::Split, Over::Nothing), (Verb::Split, Over::Old)];

/// How much there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A few kilobytes.
    Small,
    /// More files, of less.
    Medium,
    /// Megabytes: long enough to be met in the middle.
    Large,
}

/// What was found under the final names.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) new: usize,
    pub(super) old: usize,
    pub(super) absent: usize,
    /// Temporaries.
    pub(super) left: usize,
}

/// See the module.
pub(super) struct Stage {
    dir: TempDir,
    verb: Verb,
    over: Over,
    sources: Files,
    old: Files,
    new: Files,
}

impl Stage {
    pub(super) fn new((verb, over): (Verb, Over), scale: Scale) -> Self {
        // In memory where there is such a place: a disk makes every replaced file wait.
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let mut stage = Self {
            dir: dir.unwrap(),
            verb,
            over,
            sources: sources(scale),
            old: Files::new(),
            new: Files::new(),
        };
        if verb == Verb::Split {
            // Parts are counted up from a number.
            let numbered = stage.sources.into_iter();
            let numbered = numbered.map(|(name, content)| (name.replace(".pak", "1.pak"), content));
            stage.sources = numbered.collect();
        }
        if verb == Verb::Gallery {
            stage.sources = texts(&stage.sources);
        }
        for (name, content) in &stage.sources {
            put(&stage.path("in").join(name), content);
        }
        stage.reset();
        let ran = stage.daisho().output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        stage.new = files(&stage.path("out"));
        if over == Over::Old {
            let old = |(n, (name, new)): (usize, (&String, &Vec<u8>))| {
                let len = if n % 2 == 0 { new.len() + 5000 } else { 7 };
                (name.clone(), vec![b'o'; len])
            };
            stage.old = stage.new.iter().enumerate().map(old).collect();
        }
        stage.reset();
        stage
    }

    /// What it plays, for messages.
    pub(super) fn name(&self) -> String {
        let over = match self.over {
            Over::Nothing => "",
            Over::Old => " -f",
        };
        format!("{:?}{over}", self.verb).to_lowercase()
    }

    /// Whether all outputs are a page and its files, which are written together.
    pub(super) fn is_page(&self) -> bool {
        self.verb == Verb::Gallery
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// What every output is to hold.
    pub(super) const fn new_files(&self) -> &Files {
        &self.new
    }

    pub(super) const fn old_files(&self) -> &Files {
        &self.old
    }

    /// The outputs are as before the first run.
    pub(super) fn reset(&self) {
        let _ = fs::remove_dir_all(self.path("out"));
        fs::create_dir(self.path("out")).unwrap();
        for (name, content) in &self.old {
            put(&self.path("out").join(name), content);
        }
    }

    /// The arguments of a first run.
    pub(super) fn arguments(&self) -> Vec<&'static str> {
        self.with(match self.over {
            Over::Nothing => &[],
            Over::Old => &["-f"],
        })
    }

    fn with(&self, how: &[&'static str]) -> Vec<&'static str> {
        let verb: &[&str] = match self.verb {
            Verb::Convert => &["convert", "-r", "in", "-C", "out"],
            Verb::Encode => &["convert", "-r", "in", "-C", "out", "--to", "daikatana"],
            Verb::Split => &["convert", "-r", "in", "-C", "out", "--max-entries", "2"],
            Verb::Extract => &["extract", "-r", "in", "-C", "out"],
            Verb::Create => &["create", "in/files", "-o", "out/new.pak"],
            Verb::Gallery => &["gallery", "in", "-o", "out"],
        };
        [verb, how].concat()
    }

    /// The command, for a first run.
    pub(super) fn daisho(&self) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_daisho"));
        command.args(self.arguments());
        command
    }

    /// Any command, run where the arguments hold.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Judges what is in `out` after a run that was disturbed. `what` describes how.
    #[track_caller]
    pub(super) fn judge(&self, out: &Path, what: &str) -> Found {
        let what = format!("{}, {what}", self.name());
        assert!(files(&self.path("in")) == self.sources, "{what}: a source");
        let there = files(out);
        let mut found = Found::default();
        for (name, new) in &self.new {
            match (there.get(name), self.old.get(name)) {
                (Some(there), _) if there == new => found.new += 1,
                (Some(there), Some(old)) if there == old => found.old += 1,
                (None, None) => found.absent += 1,
                (there, _) => panic!("{what}: {name} has {:?} bytes", there.map(Vec::len)),
            }
        }
        for name in there.keys().filter(|name| !self.new.contains_key(*name)) {
            assert!(is_temporary(name), "{what}: {name} is left");
            found.left += 1;
        }
        found
    }

    /// How many temporaries a killed run may leave. An old file is replaced by one that has a hidden
    /// name for a moment.
    pub(super) fn temporaries_after_a_kill(&self, threads: usize) -> usize {
        match self.over {
            _ if !has_unnamed_files(&self.path("out")) => usize::MAX,
            Over::Nothing => 0,
            Over::Old => threads,
        }
    }

    /// Runs it again after a kill: then every output exists.
    #[track_caller]
    pub(super) fn complete(&self, what: &str) {
        let out = self.path("out");
        if !temporaries(&out).is_empty() {
            self.passes_over_what_is_left(what);
        }
        let how: &[&str] = match (self.verb, self.over) {
            // -k refuses a split or a page of which only some files exist.
            (Verb::Create | Verb::Split | Verb::Gallery, _) | (_, Over::Old) => &["-f"],
            (_, Over::Nothing) => &["-k"],
        };
        let mut again = self.command(env!("CARGO_BIN_EXE_daisho"));
        let ran = again.args(self.with(how)).output().unwrap();
        assert!(ran.status.success(), "{what}: {ran:?}");
        let found = self.judge(&out, what);
        assert_eq!(found.new, self.new.len(), "{what}: {found:?}");
    }

    /// What a killed run has left is nobody's source.
    #[track_caller]
    fn passes_over_what_is_left(&self, what: &str) {
        for arguments in ["list -r out", "create -n out -o all.pak"] {
            let mut look = self.command(env!("CARGO_BIN_EXE_daisho"));
            let Output { stdout, .. } = look.args(arguments.split_whitespace()).output().unwrap();
            let stdout = String::from_utf8(stdout).unwrap();
            assert!(!stdout.contains(".daisho-"), "{what}: {stdout}");
        }
    }
}

/// All files below a directory.
fn files(root: &Path) -> Files {
    let mut files = Files::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                files.insert(name.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Whether files can be without a name in a directory.
pub(super) fn has_unnamed_files(directory: &Path) -> bool {
    use rustix::fs::{Mode, OFlags};
    rustix::fs::open(directory, OFlags::TMPFILE | OFlags::RDWR, Mode::RUSR).is_ok()
}

fn temporaries(out: &Path) -> Files {
    let all = files(out).into_iter();
    all.filter(|(name, _)| is_temporary(name)).collect()
}

/// `.daisho-XXXXXXXX.tmp`, in any folder.
fn is_temporary(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let number = name.strip_prefix(".daisho-").and_then(|rest| rest.strip_suffix(".tmp"));
    number.is_some_and(|n| n.len() == 8 && n.chars().all(|c| c.is_ascii_hexdigit()))
}

fn put(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// What is below `in`.
fn sources(scale: Scale) -> Files {
    let mut dice = Dice::new(5);
    let (count, longest) = match scale {
        Scale::Small => (6, 6000),
        Scale::Medium => (24, 1500),
        Scale::Large => (24, 120_000),
    };
    let kinds = ["maps/m.bsp", "skins/s.tga", "sound/w.wav", "pics/p.wal", "c.cfg"];
    let mut contents = Files::new();
    for n in 0..count {
        // One is empty, and one is so large that room for it is reserved.
        let len = match (n, scale) {
            (1, _) => 0,
            (2, Scale::Large) => 1_300_000,
            _ => dice.below(longest) + 1,
        };
        let name = kinds[n % kinds.len()].replace('.', &format!("{n}."));
        contents.insert(name, dice.mixture(len));
    }
    let mut files = Files::new();
    for (pak, every) in [("a.pak", 1), ("sub/b.pak", 2)] {
        let chosen = contents.iter().step_by(every);
        let pak_of = chosen.fold(Pak::new(), |pak, (name, content)| {
            let size = u32::try_from(content.len()).unwrap();
            if size > 0 && (name.ends_with(".bsp") || name.ends_with(".tga")) {
                pak.compressed(name, size, &tokens::literals(content))
            } else {
                pak.stored(name, content)
            }
        });
        files.insert(pak.to_owned(), pak_of.daikatana());
    }
    let loose = contents.into_iter();
    files.extend(loose.map(|(name, content)| (format!("files/{name}"), content)));
    files
}

/// A pak of texts, as many and as long as the files that `create` packs.
fn texts(sources: &Files) -> Files {
    let mut pak = Pak::new();
    for (name, content) in sources {
        if let Some(name) = name.strip_prefix("files/") {
            pak = pak.stored(format!("{name}.txt"), vec![b't'; content.len()]);
        }
    }
    [("a.pak".to_owned(), pak.quake())].into()
}
