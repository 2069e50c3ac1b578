//! The operations that the sweeps run, their directories, and the expected results.

use std::collections::BTreeMap;
use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::faulty::Faulty;
use super::fixtures::{pak, scratch};
use crate::archive::Format;
use crate::cli::verbs::gallery::{gallery, tests};
use crate::fs::{Call, System};
use crate::ops::context::{Context, Existing, Refusal};
use crate::ops::convert::convert as convert_archives;
use crate::ops::create::create;
use crate::ops::extract::{ExtractOptions, ExtractRow, extract, extract_served};
use crate::ops::finding::Finding;
use crate::ops::game::View;
use crate::ops::report::Reported;
use crate::ops::source::Selection;
use crate::ops::write::{Destination, Rules, WriteOptions};

/// An operation and its options.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scenario {
    pub(super) verb: Verb,
    /// Whether the outputs exist before the run, and are overwritten.
    pub(super) over: bool,
    /// Whether a pak is split into two of two entries each.
    pub(super) split: bool,
    pub(super) jobs: usize,
    /// The calls that the system lacks.
    pub(super) lacks: &'static [Call],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Convert {
        to: Format,
        keep_going: bool,
    },
    Extract,
    /// The files that an engine uses from a game's directory, including loose files.
    ExtractServed,
    Create {
        to: Format,
    },
    /// A page, and its files beside it.
    Gallery,
}

use Format::{Daikatana, Quake};

const TO_QUAKE: Verb = convert(Quake, false);
const TO_DAIKATANA: Verb = convert(Daikatana, false);
const PLAIN: Scenario =
    Scenario { verb: Verb::Extract, over: false, split: false, jobs: 1, lacks: &[] };

/// Calls that many file systems lack.
const NO_UNNAMED: &[Call] = &[Call::CreateUnnamed];
/// Calls that a file system without hard links lacks.
const NO_LINKS: &[Call] = &[Call::CreateUnnamed, Call::Link, Call::Copy];

pub(super) const SCENARIOS: &[Scenario] = &[
    new(TO_QUAKE),
    over(TO_QUAKE),
    lacking(TO_QUAKE, &[Call::Copy, Call::Allocate]),
    lacking(TO_QUAKE, NO_UNNAMED),
    lacking(TO_QUAKE, &[Call::LinkUnnamed]),
    new(convert(Quake, true)),
    new(TO_DAIKATANA),
    over(convert(Daikatana, true)),
    new(Verb::Extract),
    over(Verb::Extract),
    lacking(Verb::Extract, NO_UNNAMED),
    lacking(Verb::Extract, NO_LINKS),
    new(Verb::ExtractServed),
    over(Verb::ExtractServed),
    lacking(Verb::ExtractServed, NO_LINKS),
    new(Verb::Create { to: Quake }),
    over(Verb::Create { to: Daikatana }),
    split(new(Verb::Create { to: Quake })),
    split(over(Verb::Create { to: Daikatana })),
    split(lacking(Verb::Create { to: Quake }, NO_UNNAMED)),
    split(lacking(Verb::Create { to: Quake }, &[Call::LinkUnnamed])),
    new(Verb::Gallery),
    over(Verb::Gallery),
    lacking(Verb::Gallery, NO_UNNAMED),
    lacking(Verb::Gallery, NO_LINKS),
    two_threads(new(Verb::Gallery)),
    two_threads(split(new(Verb::Create { to: Quake }))),
    two_threads(new(TO_QUAKE)),
    two_threads(over(TO_DAIKATANA)),
    two_threads(over(Verb::Extract)),
    two_threads(new(Verb::Create { to: Daikatana })),
];

const fn convert(to: Format, keep_going: bool) -> Verb {
    Verb::Convert { to, keep_going }
}

const fn new(verb: Verb) -> Scenario {
    Scenario { verb, ..PLAIN }
}

const fn over(verb: Verb) -> Scenario {
    Scenario { over: true, ..new(verb) }
}

const fn lacking(verb: Verb, lacks: &'static [Call]) -> Scenario {
    Scenario { lacks, ..new(verb) }
}

const fn split(scenario: Scenario) -> Scenario {
    Scenario { split: true, ..scenario }
}

const fn two_threads(scenario: Scenario) -> Scenario {
    Scenario { jobs: 2, ..scenario }
}

/// Files by their paths.
pub(super) type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// A directory with sources, and the outputs of a run without faults.
pub(super) struct Stage<'a> {
    pub(super) scenario: &'a Scenario,
    dir: tempfile::TempDir,
    sources: Tree,
    /// The files in the output directory before the run.
    pub(super) old: Tree,
    pub(super) whole: Tree,
}

/// The result of a run.
pub(super) struct Run {
    pub(super) errors: Vec<Finding>,
    /// Whether it was refused before anything was written.
    pub(super) refused: bool,
    /// The files in the output directory after the run.
    pub(super) tree: Tree,
    /// Empty directories in the output directory.
    pub(super) empty: Vec<PathBuf>,
    pub(super) log: Vec<Call>,
}

impl Run {
    pub(super) fn is_well(&self) -> bool {
        self.errors.is_empty()
    }
}

impl<'a> Stage<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        let dir = scratch();
        let inputs = match scenario.verb {
            Verb::Create { .. } => files(),
            Verb::ExtractServed => game(),
            Verb::Gallery => texts(),
            Verb::Convert { .. } | Verb::Extract => paks(),
        };
        for (name, content) in inputs {
            put(&dir.path().join("in").join(name), &content);
        }
        let mut stage = Self {
            scenario,
            sources: tree(&dir.path().join("in")).0,
            dir,
            old: Tree::new(),
            whole: Tree::new(),
        };
        stage.whole = stage.run(Faulty::lacking(scenario.lacks)).tree;
        if scenario.over {
            let old = |path: &PathBuf| (path.clone(), b"what was there before".to_vec());
            stage.old = stage.whole.keys().map(old).collect();
        }
        stage
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Whether the sources are unchanged.
    pub(super) fn sources_are_untouched(&self) -> bool {
        tree(&self.dir.path().join("in")).0 == self.sources
    }

    /// Runs the operation on a fresh output directory.
    pub(super) fn run(&self, system: Faulty) -> Run {
        let made = self.dir.path().join("made");
        let _ = fs::remove_dir_all(&made);
        // For many files, a directory that the run creates; for one file, a directory that exists.
        let out = made.join("out");
        if matches!(self.scenario.verb, Verb::Create { .. }) {
            fs::create_dir_all(&out).unwrap();
        }
        for (name, content) in &self.old {
            put(&out.join(name), content);
        }
        let calls = Arc::new(system);
        let system = System::new(Arc::clone(&calls) as Arc<_>);
        let (errors, refused) = match self.ask(&system, &out) {
            Ok(findings) => (findings, false),
            Err(refusal) => (refusal.0, true),
        };
        let (tree, empty) = tree(&out);
        Run { errors, refused, tree, empty, log: calls.log() }
    }

    fn ask(&self, system: &System, out: &Path) -> Result<Vec<Finding>, Refusal> {
        let Scenario { over, jobs, .. } = *self.scenario;
        let context = Context::new().with_jobs(NonZeroUsize::new(jobs)).on(system.clone());
        let existing = if over { Existing::Replace } else { Existing::Refuse };
        let inputs = [self.dir.path().join("in")];
        let mut findings = Vec::new();
        match self.scenario.verb {
            Verb::Convert { to, keep_going } => {
                let destination = Destination::Directory(out.to_path_buf());
                let options =
                    WriteOptions { keep_going, existing, ..WriteOptions::new(destination, to) };
                let mut reported = Reported::default();
                convert_archives(&context, &inputs, &options.into(), &mut reported)?;
                findings.extend(reported.findings);
                findings.extend(reported.rows.into_iter().flat_map(|row| row.findings));
            }
            Verb::Extract | Verb::ExtractServed => {
                let served = self.scenario.verb == Verb::ExtractServed;
                let options = ExtractOptions {
                    directory: Some(out.to_path_buf()),
                    existing,
                    ..ExtractOptions::default()
                };
                let mut reported = Reported::default();
                if served {
                    let view = View::open(&context, &inputs, None, true)?;
                    extract_served(&context, &view, &options, &mut reported)?;
                } else {
                    extract(&context, &inputs, &options, &mut reported)?;
                }
                findings.extend(reported.findings);
                for row in reported.rows {
                    if let ExtractRow::File(file) = row {
                        findings.extend(file.findings);
                    }
                }
            }
            Verb::Create { to } => {
                let destination = Destination::File(out.join("new1.pak"));
                let options = WriteOptions {
                    rules: Rules {
                        max_entries: NonZeroU64::new(2).filter(|_| self.scenario.split),
                        ..Rules::default()
                    },
                    existing,
                    ..WriteOptions::new(destination, to)
                };
                let mut reported = Reported::default();
                create(&context, &inputs, &options.into(), &mut reported)?;
                findings.extend(reported.findings);
                findings.extend(reported.rows.into_iter().flat_map(|row| row.findings));
            }
            Verb::Gallery => {
                let mut words = vec!["gallery".into()];
                words.extend(inputs.iter().map(|input| input.clone().into_os_string()));
                words.extend((existing == Existing::Replace).then(|| "-f".into()));
                let args = tests::parsed(words);
                let mut reported = Reported::default();
                gallery(&context, &args, &Selection::all(), out, &mut reported)?;
                findings.extend(reported.findings);
                findings.extend(reported.rows.into_iter().flat_map(|row| row.findings));
            }
        }
        findings.retain(Finding::is_error);
        Ok(findings)
    }
}

fn put(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// All files below a directory, and all empty directories in it.
fn tree(root: &Path) -> (Tree, Vec<PathBuf>) {
    let (mut found, mut empty) = (Tree::new(), Vec::new());
    let mut open: Vec<PathBuf> = root.exists().then(|| root.to_path_buf()).into_iter().collect();
    while let Some(folder) = open.pop() {
        let mut holds = false;
        for entry in fs::read_dir(&folder).unwrap() {
            holds = true;
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_path_buf();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
        if !holds {
            empty.push(folder);
        }
    }
    (found, empty)
}

/// Longer than one read or write, so that the kernel copies it.
fn long() -> Vec<u8> {
    (0..=250).cycle().take(70_000).collect()
}

/// Content that compression makes smaller.
fn picture() -> Vec<u8> {
    b"a picture, ".repeat(40)
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("maps/e1.bsp", picture()),
        ("maps/more/long.wav", long()),
        ("a.txt", b"a text".to_vec()),
        ("empty", Vec::new()),
    ]
}

/// Files beside a pak that provides one entry: if the pak cannot be opened again, that costs one entry.
fn game() -> Vec<(&'static str, Vec<u8>)> {
    let pak = pak(Quake, &[("b.tga", &picture(), false)]);
    [vec![("pak0.pak", pak)], files()].concat()
}

/// A pak of which a page shows three texts.
fn texts() -> Vec<(&'static str, Vec<u8>)> {
    let pak = pak(
        Quake,
        &[
            ("a.txt", b"a text", false),
            ("b.cfg", &picture(), false),
            ("c/d.txt", b"another text", false),
        ],
    );
    vec![("a.pak", pak)]
}

fn paks() -> Vec<(&'static str, Vec<u8>)> {
    let first = pak(
        Daikatana,
        &[
            ("maps/e1.bsp", &picture(), true),
            ("maps/more/long.wav", &long(), false),
            // Shares its payload with the first.
            ("maps/again.bsp", &picture(), true),
            ("skins/a.tga", b"does not shrink", false),
            ("empty", b"", false),
        ],
    );
    let second = pak(Daikatana, &[("a.txt", b"a text", false), ("b.tga", &picture(), true)]);
    let third = pak(Quake, &[("b.tga", &picture(), false), ("c/d.txt", b"another text", false)]);
    vec![("first.pak", first), ("more/second.pak", second), ("more/third.pak", third)]
}
