//! Writes one file while every system call fails in turn, and checks that nothing is lost.
//!
//! After each run, the final name has the whole old or the whole new content, the source is unchanged, and an
//! error names each temporary file that is left.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use super::faulty::{Fault, Faulty, When};
use super::fixtures::scratch;
use crate::fs::{Call, CommitError, FileAction, Over, Root, Source, System, WriteAt as _};

/// A way to write a file.
#[derive(Debug, Clone, Copy)]
struct Mode {
    over: Over,
    /// The calls that the system lacks.
    lacks: &'static [Call],
}

const MODES: &[Mode] = &[
    mode(Over::Nothing, &[]),
    mode(Over::Old, &[]),
    mode(Over::Nothing, &[Call::Copy, Call::Allocate]),
    mode(Over::Old, &[Call::Copy, Call::Allocate]),
    mode(Over::Nothing, &[Call::CreateUnnamed]),
    mode(Over::Old, &[Call::CreateUnnamed]),
    mode(Over::Nothing, &[Call::LinkUnnamed]),
    mode(Over::Old, &[Call::LinkUnnamed]),
    mode(Over::Nothing, &[Call::CreateUnnamed, Call::Link]),
    mode(Over::Nothing, &[Call::CreateUnnamed, Call::Link, Call::RenameNew]),
];

const fn mode(over: Over, lacks: &'static [Call]) -> Mode {
    Mode { over, lacks }
}

const OLD: &[u8] = b"what was there before";
const SOURCE: &[u8] = b"0123456789 bytes from a source, copied by kernel or user";
const HEAD: &[u8] = b"PACK and then ";
const NAME: &str = "maps/deep/e1m1.bsp";

/// A run in a directory of its own.
struct Run {
    dir: tempfile::TempDir,
    errors: Vec<CommitError>,
    /// The errors in reading the source.
    source_errors: Vec<io::Error>,
    log: Vec<Call>,
}

impl Run {
    fn new(mode: Mode, fault: Option<(When, Fault)>) -> Self {
        let dir = scratch();
        fs::write(dir.path().join("source"), SOURCE).unwrap();
        let out = dir.path().join("made/out");
        if mode.over == Over::Old {
            fs::create_dir_all(out.join("maps/deep")).unwrap();
            fs::write(out.join(NAME), OLD).unwrap();
        }
        let mut calls = Faulty::lacking(mode.lacks);
        if let Some((when, fault)) = fault {
            calls = calls.with(when, fault);
        }
        let calls = Arc::new(calls);
        let system = System::new(Arc::clone(&calls) as Arc<_>);
        let root = system.root(out);
        let path = dir.path().join("source");
        let source = system.adopt(&path, File::open(&path).unwrap());

        let mut run = Self { dir, errors: Vec::new(), source_errors: Vec::new(), log: Vec::new() };
        match write(&root, &source, mode.over).map_err(CommitError::from_io) {
            Ok(()) => {}
            Err(Ok(error)) => run.errors.push(error),
            Err(Err(error)) => run.source_errors.push(error),
        }
        run.errors.extend(root.finish());
        run.log = calls.log();
        run
    }

    fn is_well(&self) -> bool {
        self.errors.is_empty() && self.source_errors.is_empty()
    }

    fn output(&self) -> Option<Vec<u8>> {
        fs::read(self.dir.path().join("made/out").join(NAME)).ok()
    }

    /// All files but the source and the output.
    fn others(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let mut folders = vec![self.dir.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("source") && !path.ends_with(NAME) {
                    found.insert(path);
                }
            }
        }
        found
    }

    fn named(&self) -> BTreeSet<PathBuf> {
        self.errors.iter().map(|e| e.path().to_path_buf()).collect()
    }
}

/// Writes one file with every kind of call, and drops a draft of another.
fn write(root: &Root, source: &Source, over: Over) -> io::Result<()> {
    let name = Path::new(NAME);
    root.look(name)?;
    let given_up = root.draft(Path::new("maps/given up"))?;
    given_up.write_at(HEAD, 0)?;
    drop(given_up);

    let draft = root.draft(name)?;
    let (head, len) = (HEAD.len() as u64, SOURCE.len() as u64);
    draft.expect_len(head + len)?;
    draft.copy_from(source, 0, len, head)?;
    draft.write_at(HEAD, 0)?;
    draft.end_at(head + len)?;
    draft.commit(over)?;
    Ok(())
}

fn whole() -> Vec<u8> {
    [HEAD, SOURCE].concat()
}

#[test]
fn without_a_fault_every_mode_writes_the_file() {
    for &mode in MODES {
        let run = Run::new(mode, None);
        assert!(run.is_well(), "{mode:?}: {:?}", run.errors);
        assert_eq!(run.output(), Some(whole()), "{mode:?}");
        assert!(run.others().is_empty(), "{mode:?}");
    }
}

/// A short selection: an ordinary error, one that may mean that a call does not exist, and one that is retried.
#[test]
fn any_failure_leaves_whole_files_and_names_the_rest() {
    assert!(sweep(&[Errno::IO, Errno::ACCESS, Errno::INTR]) > 300);
}

/// `cargo test --lib testing::one_file -- --ignored`, some seconds.
#[test]
#[ignore = "adds only more names of errors"]
fn every_error_of_every_call_is_survived() {
    let errnos = [
        Errno::NOSPC,
        Errno::DQUOT,
        Errno::MFILE,
        Errno::NFILE,
        Errno::ROFS,
        Errno::FBIG,
        Errno::PERM,
        Errno::OPNOTSUPP,
        Errno::NOSYS,
        Errno::XDEV,
        Errno::STALE,
    ];
    assert!(sweep(&errnos) > 1000);
}

/// Runs with every fault at every call. Returns how many runs reported an error.
fn sweep(errnos: &[Errno]) -> usize {
    let fails = errnos.iter().map(|&errno| Fault::Fails(errno));
    let done = errnos.iter().map(|&errno| Fault::DoneAndFails(errno));
    let faults: Vec<Fault> = fails.chain(done).chain([Fault::Short]).collect();
    let mut told = 0;
    for &mode in MODES {
        let calls = Run::new(mode, None).log;
        for (number, &call) in calls.iter().enumerate() {
            for &fault in &faults {
                let done = matches!(fault, Fault::DoneAndFails(_));
                // A call that creates a file and reports an error: no run can know that the file exists.
                if done && call == Call::Create {
                    continue;
                }
                let what = format!("{mode:?}, call {number} ({call:?}): {fault:?}");
                let run = Run::new(mode, Some((When::Once(number), fault)));
                judge(&run, mode, fault, &what);
                told += usize::from(!run.is_well());
                if heals(fault) {
                    assert!(run.is_well(), "{what}: {:?}", run.errors);
                }
                if !done {
                    let run = Run::new(mode, Some((When::From(number), fault)));
                    judge(&run, mode, fault, &format!("{what} from there on"));
                    told += usize::from(!run.is_well());
                }
            }
        }
    }
    told
}

/// Whether daisho retries after such a fault.
fn heals(fault: Fault) -> bool {
    matches!(fault, Fault::Short | Fault::Fails(Errno::INTR) | Fault::DoneAndFails(Errno::INTR))
}

fn judge(run: &Run, mode: Mode, fault: Fault, what: &str) {
    let (output, named) = (run.output(), run.named());
    let before = (mode.over == Over::Old).then(|| OLD.to_vec());
    // Without links and without a rename that spares files, an empty file reserves the name. An error reports it.
    let held = mode.lacks.contains(&Call::RenameNew)
        && output.as_deref() == Some(b"")
        && (run.errors.iter())
            .any(|e| e.step() == FileAction::REMOVING && e.path().ends_with(NAME));
    assert!(output == Some(whole()) || output == before || held, "{what}: {output:?}");
    if run.is_well() {
        assert_eq!(output, Some(whole()), "{what}: not told");
    }
    for path in run.others() {
        assert!(named.contains(&path), "{what}: {} is left", path.display());
    }
    assert_eq!(fs::read(run.dir.path().join("source")).unwrap(), SOURCE);
    for error in &run.errors {
        let (text, path) = (error.to_string(), error.path().display().to_string());
        assert!(path.starts_with(run.dir.path().to_str().unwrap()), "{text}");
        assert!(text.contains(&path), "{text}");
        // After a call that was done but reported an error, the next call may fail instead.
        if let Fault::Fails(errno) = fault {
            let cause = io::Error::from(errno).kind();
            // Endless interruptions have a message of their own.
            let endless = errno == Errno::INTR && text.ends_with("every read is interrupted");
            assert!(error.cause().kind() == cause || endless, "{what}: {text}");
        }
    }
}
