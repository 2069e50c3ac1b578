//! Every call of the verbs that change an archive fails in turn, once and from then on, or comes back
//! short. After each the archive is the old one or the new one, and nothing else lies beside it; where
//! it is changed in place, there may be bytes behind its end, which the next undo removes.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use super::faulty::{Fault, Faulty, When};
use super::fixtures::{pak, scratch};
use crate::archive::{Archive, Format, ReadOptions};
use crate::error::Error;
use crate::format::trail::{State, latest};
use crate::fs::{Call, System, is_temporary};
use crate::ops::context::{Cancel, Context, Problem, Refusal, Unobserved};
use crate::ops::edit::{EditOptions, Edited, add_on, remove_on, rename_on};
use crate::ops::undo::undo_on;
use crate::ops::write::{Destination, WriteOptions};

const ERRNOS: [Errno; 4] = [Errno::NOSPC, Errno::IO, Errno::ACCESS, Errno::INTR];

/// What is done to an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    /// Adds two files, one over an entry, one of which is compressed.
    Add,
    Remove,
    Rename,
    Undo,
}

/// How.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Anew,
    WithBackup,
    InPlace,
    /// In place, of an archive that was changed in place before.
    InPlaceAgain,
}

use How::{Anew, InPlace, InPlaceAgain, WithBackup};
use Verb::{Add, Remove, Rename, Undo};

const SCENARIOS: [(Verb, How); 11] = [
    (Add, Anew),
    (Add, WithBackup),
    (Remove, Anew),
    (Remove, WithBackup),
    (Rename, Anew),
    (Add, InPlace),
    (Add, InPlaceAgain),
    (Remove, InPlace),
    (Rename, InPlaceAgain),
    (Undo, InPlace),
    (Undo, InPlaceAgain),
];

/// A directory with an archive, files beside it, and what becomes of it where all goes well.
struct Stage {
    verb: Verb,
    how: How,
    dir: tempfile::TempDir,
    old: Vec<u8>,
    new: Vec<u8>,
}

struct Run {
    errors: Vec<Error>,
    archive: Vec<u8>,
    /// What lies beside it.
    others: BTreeMap<PathBuf, Vec<u8>>,
    log: Vec<Call>,
}

impl Stage {
    fn new((verb, how): (Verb, How)) -> Self {
        let dir = scratch();
        fs::create_dir(dir.path().join("out")).unwrap();
        let compressed = b"a picture, ".repeat(40);
        fs::create_dir_all(dir.path().join("new")).unwrap();
        fs::write(dir.path().join("new/c.tga"), &compressed).unwrap();
        fs::write(dir.path().join("new/a.txt"), b"another text").unwrap();
        let mut stage = Self {
            verb,
            how,
            dir,
            old: pak(
                Format::Daikatana,
                &[
                    ("a.txt", b"a text", false),
                    ("b.tga", &compressed, true),
                    ("b2.tga", &compressed, true),
                ],
            ),
            new: Vec::new(),
        };
        if how == InPlaceAgain {
            stage.old = stage.after(Remove);
        }
        if verb == Undo {
            stage.new = std::mem::take(&mut stage.old);
            stage.old = stage.new.clone();
            stage.old = stage.after(Add);
        } else {
            stage.new = stage.after(verb);
        }
        stage
    }

    /// What becomes of the archive by a verb without faults.
    fn after(&self, verb: Verb) -> Vec<u8> {
        fs::write(self.path(), &self.old).unwrap();
        self.ask(&System::real(), verb).unwrap();
        fs::read(self.path()).unwrap()
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("out/a.pak")
    }

    fn is_in_place(&self) -> bool {
        matches!(self.how, InPlace | InPlaceAgain)
    }

    fn run(&self, system: Faulty) -> Run {
        let out = self.dir.path().join("out");
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
        fs::write(self.path(), &self.old).unwrap();
        let calls = Arc::new(system);
        let system = System::new(Arc::clone(&calls) as Arc<_>);
        let errors = match self.ask(&system, self.verb) {
            Ok(problems) => problems,
            Err(refusal) => refusal.0,
        };
        let found = fs::read_dir(&out).unwrap();
        let found = found.map(|entry| entry.unwrap().path());
        let mut others: BTreeMap<PathBuf, Vec<u8>> = found
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        Run {
            errors,
            archive: others.remove(&self.path()).unwrap_or_default(),
            others,
            log: calls.log(),
        }
    }

    fn ask(&self, system: &System, verb: Verb) -> Result<Vec<Error>, Refusal> {
        let cancel = Cancel::new();
        let context = &Context {
            jobs: NonZeroUsize::new(1),
            open: ReadOptions::default(),
            observer: &Unobserved,
            cancel: &cancel,
        };
        let path = &self.path();
        let options = EditOptions {
            write: WriteOptions::new(Destination::File(path.clone()), Format::Quake),
            backup: self.how == WithBackup,
            append: self.is_in_place(),
        };
        let edited = match verb {
            Add => {
                let files = [self.dir.path().join("new")];
                add_on(system, context, path, &files, None, options, true)
            }
            Remove => remove_on(system, context, path, &[b"b2.tga".to_vec()], options),
            Rename => rename_on(system, context, path, (b"a.txt", b"z.txt"), false, options),
            Undo => return undo_on(system, context, path, false).map(|_| Vec::new()),
        };
        let problems = |edited: Edited| edited.written.problems.into_iter();
        let errors = problems(edited?).filter(Problem::is_error);
        Ok(errors.map(|problem| problem.error).collect())
    }

    fn judge(&self, run: &Run, what: &str) {
        let told: Vec<String> = run.errors.iter().map(ToString::to_string).collect();
        let what = format!("{:?} {:?}, {what}: {told:#?}", self.verb, self.how);
        let is_well = run.errors.is_empty();
        for error in &run.errors {
            let path = error.pak().unwrap_or_else(|| panic!("where? {what}"));
            assert!(path.starts_with(self.dir.path()), "what file? {what}");
        }
        let backup = self.path().with_file_name("a.pak~");
        for (path, content) in &run.others {
            let is_named = || run.errors.iter().any(|error| error.pak() == Some(path));
            let is_backup = *path == backup && self.how == WithBackup && *content == self.old;
            let is_left = path.file_name().is_some_and(is_temporary) && is_named();
            assert!(is_backup || is_left, "{} is left: {what}", path.display());
        }
        let (is_old, is_new) = (run.archive == self.old, run.archive == self.new);
        if is_well {
            assert!(is_new, "not told: {what}");
            assert!(
                self.how != WithBackup || run.others.contains_key(&backup),
                "{what}"
            );
            return;
        }
        if !self.is_in_place() {
            assert!(is_old || is_new, "lost: {what}");
            return;
        }
        let either = [&self.old, &self.new];
        let mut either = either.into_iter().filter(|it| run.archive.starts_with(it));
        let Some(either) = either.next() else {
            panic!("lost: {what}");
        };
        let contents = |bytes: &[u8]| {
            let archive = Archive::from_bytes(bytes).unwrap();
            let entries = archive.entries();
            let content =
                |it: crate::archive::Entry<'_>| (it.name().to_string(), it.read().unwrap());
            entries.map(content).collect::<Vec<_>>()
        };
        assert_eq!(contents(&run.archive), contents(either), "{what}");
        // What an interrupted change has left is removed, where it is known for that.
        let last = latest(&run.archive).unwrap();
        let is_known = last.is_some_and(|(_, state)| state != State::InForce);
        if is_known && self.verb != Undo {
            assert!(self.after_all(Undo) == *either, "not mended: {what}");
        }
        if self.verb == Undo && !is_new {
            assert!(self.after_all(Undo) == self.new, "not gone on with: {what}");
        }
    }

    /// What becomes of the archive as it is by a verb without faults.
    fn after_all(&self, verb: Verb) -> Vec<u8> {
        self.ask(&System::real(), verb).unwrap();
        fs::read(self.path()).unwrap()
    }
}

#[test]
fn whatever_call_fails_the_archive_is_the_old_one_or_the_new_one() {
    let mut runs = 0;
    for scenario in SCENARIOS {
        let stage = Stage::new(scenario);
        let whole = stage.run(Faulty::default());
        assert!(whole.errors.is_empty(), "{scenario:?}: {:?}", whole.errors);
        stage.judge(&whole, "without a fault");
        for (number, call) in whole.log.iter().enumerate() {
            let mut faults = vec![(When::Once(number), Fault::Short)];
            for errno in ERRNOS {
                faults.push((When::Once(number), Fault::Fails(errno)));
                faults.push((When::From(number), Fault::Fails(errno)));
                // A file that was created by a call that says it was not: nobody can know of it.
                if *call != Call::Create {
                    faults.push((When::Once(number), Fault::DoneAndFails(errno)));
                }
            }
            for (when, fault) in faults {
                let run = stage.run(Faulty::default().with(when, fault));
                let what = format!("{when:?} ({call:?}): {fault:?}");
                stage.judge(&run, &what);
                if fault == Fault::Short {
                    assert!(run.errors.is_empty(), "not healed: {scenario:?}, {what}");
                }
                runs += 1;
            }
        }
        let run = stage.run(Faulty::default().with(When::From(0), Fault::Short));
        stage.judge(&run, "everything comes back short");
        assert!(run.errors.is_empty(), "{scenario:?}: {:?}", run.errors);
    }
    assert!(runs > 2000, "{runs}");
}

/// The header is written in part, and nothing can be written after that: what opens it says so, and undo
/// mends it.
#[test]
fn a_header_that_is_torn_by_faults_is_mended() {
    let mut torn = 0;
    for scenario in [(Add, InPlace), (Remove, InPlace), (Undo, InPlaceAgain)] {
        let stage = Stage::new(scenario);
        let log = stage.run(Faulty::default()).log;
        let writes = log.iter().enumerate();
        let writes = writes.filter(|(_, call)| **call == Call::Write);
        for (number, _) in writes {
            let calls = Faulty::default()
                .with(When::Once(number), Fault::Short)
                .with(When::From(number + 1), Fault::Fails(Errno::IO));
            let run = stage.run(calls);
            assert!(!run.errors.is_empty(), "{scenario:?}");
            let former = match stage.verb {
                Undo => &stage.new,
                _ => &stage.old,
            };
            if run.archive.get(..12) != stage.old.get(..12)
                && run.archive.get(..12) != stage.new.get(..12)
            {
                let error = Archive::from_bytes(run.archive.clone()).unwrap_err();
                let words = error.to_string();
                assert!(words.starts_with("only a part of"), "{words}");
                assert!(stage.after_all(Undo) == *former, "{scenario:?}");
                torn += 1;
            }
        }
    }
    assert_eq!(torn, 3);
}

/// Disks write a sector as a whole. All the same, any byte of the header may be the old one or the new.
#[test]
fn a_header_of_any_mix_of_old_and_new_bytes_is_told_and_mended() {
    let stage = Stage::new((Add, InPlaceAgain));
    let (mut told, mut whole) = (0, 0);
    for mask in 0..256_u32 {
        let mut bytes = stage.new.clone();
        for at in (0..8).filter(|at| mask >> at & 1 == 0) {
            bytes[4 + at] = stage.old[4 + at];
        }
        fs::write(stage.path(), &bytes).unwrap();
        let same = [&stage.old, &stage.new];
        let same = same.into_iter().find(|it| it[..12] == bytes[..12]);
        match (Archive::from_bytes(bytes.clone()), same) {
            (Ok(archive), Some(same)) => {
                assert_eq!(
                    archive.len(),
                    Archive::from_bytes(same.clone()).unwrap().len()
                );
                whole += 1;
            }
            (Err(error), None) => {
                let words = error.to_string();
                assert!(words.starts_with("only a part of"), "{mask}: {words}");
                told += 1;
            }
            (opened, same) => panic!("{mask}: {opened:?}, {}", same.is_some()),
        }
        assert!(stage.after_all(Undo) == stage.old, "{mask}");
    }
    assert!(told > 0 && whole >= 2, "{told}, {whole}");
}

/// A run that is killed at any byte that it writes: the old archive, with something behind its end.
#[test]
fn whatever_was_written_behind_the_end_the_archive_is_the_old_one() {
    let stage = Stage::new((Add, InPlaceAgain));
    let [old, new] = [&stage.old, &stage.new];
    let former = {
        fs::write(stage.path(), old).unwrap();
        stage.after_all(Undo)
    };
    for end in old.len()..=new.len() {
        let bytes = [old, &new[old.len()..end]].concat();
        fs::write(stage.path(), &bytes).unwrap();
        let archive = Archive::from_bytes(bytes).unwrap();
        assert_eq!(
            archive.len(),
            Archive::from_bytes(old.clone()).unwrap().len()
        );
        // Going on from there, and back, leaves what was there.
        let before = fs::read(stage.path()).unwrap();
        assert!(stage.after_all(Add).starts_with(&[&new[..4], &[]].concat()));
        assert!(stage.after_all(Undo) == before, "{end}");
        // What was interrupted goes first, where it is known to be that.
        let expected = if end == new.len() { old } else { &former };
        assert!(stage.after_all(Undo) == *expected, "{end}");
    }
}

#[test]
fn two_runs_do_not_change_one_archive_at_once() {
    let stage = Stage::new((Add, InPlace));
    fs::write(stage.path(), &stage.old).unwrap();
    let first = System::real().open_in_place(&stage.path()).unwrap();
    for verb in [Add, Remove, Rename, Undo] {
        let refused = stage.ask(&System::real(), verb).unwrap_err();
        assert!(refused.to_string().contains("another run"), "{refused}");
    }
    drop(first);
    assert!(stage.after_all(Add) == stage.new);
    let link = stage.path().with_file_name("link.pak");
    fs::hard_link(stage.path(), &link).unwrap();
    let refused = stage.ask(&System::real(), Undo).unwrap_err();
    assert!(refused.to_string().contains("2 names"), "{refused}");
    assert!(fs::read(Path::new(&link)).unwrap() == stage.new);
}
