//! Edits archives while every system call fails in turn, and checks that no version is lost.
//!
//! After each run the archive is the old one or the new one, its previous version exists, and the directory has
//! no other files.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::io::Errno;

use super::faulty::{Fault, Faulty, When};
use super::fixtures::{pak, scratch};
use crate::archive::Format;
use crate::fs::{Call, System, is_temporary};
use crate::ops::PackOptions;
use crate::ops::context::{Context, Refusal};
use crate::ops::create::create;
use crate::ops::edit::{AddOptions, Edit, EditOptions, edit};
use crate::ops::finding::Finding;
use crate::ops::report::Reported;
use crate::ops::row::OutputStatus;
use crate::ops::undo::undo;
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

/// What happens to the previous version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Previous {
    NotKept,
    Kept,
    /// It is kept, and an even earlier version exists.
    Replacing,
}

use Previous::{Kept, NotKept, Replacing};
use Verb::{Add, Remove, Rename, Undo};

/// Calls that a file system may lack.
const NO_UNNAMED: &[Call] = &[Call::CreateUnnamed];
const NO_LINK: &[Call] = &[Call::CreateUnnamed, Call::Link];
const NO_EXCHANGE: &[Call] = &[Call::Exchange];
const NEITHER: &[Call] = &[Call::CreateUnnamed, Call::Link, Call::Exchange];

const SCENARIOS: [(Verb, Previous, &[Call]); 20] = [
    (Add, NotKept, &[]),
    (Add, Kept, &[]),
    (Add, Replacing, &[]),
    (Add, Replacing, NO_LINK),
    (Add, NotKept, NO_UNNAMED),
    (Add, Replacing, NO_UNNAMED),
    (Add, Replacing, &[Call::LinkUnnamed]),
    (Remove, NotKept, &[]),
    (Remove, Kept, &[]),
    (Remove, Kept, NO_UNNAMED),
    (Remove, Kept, NO_LINK),
    (Remove, Replacing, &[]),
    (Rename, NotKept, &[]),
    (Rename, Kept, &[]),
    (Rename, Replacing, &[]),
    (Rename, Replacing, NO_LINK),
    (Undo, Replacing, &[]),
    (Undo, Replacing, NO_EXCHANGE),
    (Undo, Replacing, NO_LINK),
    (Undo, Replacing, NEITHER),
];

/// A directory with an archive and other files, and its contents after an edit without faults.
struct Stage {
    verb: Verb,
    how: Previous,
    lacks: &'static [Call],
    dir: tempfile::TempDir,
    old: Vec<u8>,
    /// The previous version before the run.
    earlier: Vec<u8>,
    new: Vec<u8>,
}

struct Run {
    errors: Vec<Finding>,
    archive: Vec<u8>,
    backup: Option<Vec<u8>>,
    /// All other files beside it.
    others: BTreeMap<PathBuf, Vec<u8>>,
    log: Vec<Call>,
}

impl Stage {
    fn new((verb, how, lacks): (Verb, Previous, &'static [Call])) -> Self {
        let dir = scratch();
        fs::create_dir(dir.path().join("out")).unwrap();
        let compressed = b"a picture, ".repeat(40);
        fs::create_dir_all(dir.path().join("new")).unwrap();
        fs::write(dir.path().join("new/c.tga"), &compressed).unwrap();
        fs::write(dir.path().join("new/a.txt"), b"another text").unwrap();
        let files: &[(&str, &[u8], bool)] = &[
            ("a.txt", b"a text", false),
            ("b.tga", &compressed, true),
            ("b2.tga", &compressed, true),
        ];
        let mut stage = Self {
            verb,
            how,
            lacks,
            dir,
            old: pak(Format::Daikatana, files),
            earlier: pak(Format::Daikatana, &files[1..]),
            new: Vec::new(),
        };
        stage.new = match verb {
            Undo => stage.earlier.clone(),
            _ => {
                stage.reset();
                stage.ask(&System::real()).unwrap();
                fs::read(stage.path()).unwrap()
            }
        };
        stage
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("out/a.pak")
    }

    fn backup(&self) -> PathBuf {
        self.dir.path().join("out/a.pak~")
    }

    fn reset(&self) {
        let out = self.dir.path().join("out");
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
        fs::write(self.path(), &self.old).unwrap();
        if self.how == Replacing {
            fs::write(self.backup(), &self.earlier).unwrap();
        }
    }

    fn run(&self, faults: &[(When, Fault)]) -> Run {
        self.reset();
        let mut calls = Faulty::lacking(self.lacks);
        for (when, fault) in faults {
            calls = calls.with(*when, *fault);
        }
        let calls = Arc::new(calls);
        let system = System::new(Arc::clone(&calls) as Arc<_>);
        let errors = match self.ask(&system) {
            Ok(findings) => findings,
            Err(refusal) => refusal.0,
        };
        let mut others = BTreeMap::new();
        for entry in fs::read_dir(self.dir.path().join("out")).unwrap() {
            let path = entry.unwrap().path();
            let content = fs::read(&path).unwrap();
            others.insert(path, content);
        }
        Run {
            errors,
            archive: others.remove(&self.path()).unwrap_or_default(),
            backup: others.remove(&self.backup()),
            others,
            log: calls.log(),
        }
    }

    fn ask(&self, system: &System) -> Result<Vec<Finding>, Refusal> {
        let context = &Context::new().with_jobs(NonZeroUsize::new(1)).on(system.clone());
        let path = &self.path();
        let options = EditOptions { no_backup: self.how == NotKept, ..EditOptions::default() };
        let edited = match self.verb {
            Add => {
                let files = vec![self.dir.path().join("new")];
                let adding = AddOptions { replace: true, ..AddOptions::default() };
                edit(context, path, &[Edit::Add(files, Box::new(adding))], options)
            }
            Remove => {
                let names = vec![b"b2.tga".to_vec()];
                edit(context, path, &[Edit::Remove(names)], options)
            }
            Rename => {
                let rename = Edit::Rename(b"a.txt".to_vec(), b"z.txt".to_vec());
                edit(context, path, &[rename], options)
            }
            Undo => {
                undo(context, path, false)?;
                return Ok(Vec::new());
            }
        };
        let mut errors = edited?.output.findings;
        errors.retain(Finding::is_error);
        Ok(errors)
    }

    fn judge(&self, run: &Run, what: &str) {
        let told: Vec<String> = run.errors.iter().map(ToString::to_string).collect();
        let (verb, how, lacks) = (self.verb, self.how, self.lacks);
        let what = format!("{verb:?} {how:?}, without {lacks:?}, {what}: {told:#?}");
        for error in &run.errors {
            let path = error.place.path.as_deref().unwrap_or_else(|| panic!("where? {what}"));
            assert!(path.starts_with(self.dir.path()), "what file? {what}");
        }
        let (is_old, is_new) = (run.archive == self.old, run.archive == self.new);
        assert!(is_old || is_new, "lost: {what}");
        let mut kept: Vec<&Vec<u8>> = run.backup.iter().collect();
        for (path, content) in &run.others {
            let is_named = run.errors.iter().any(|error| error.place.path.as_deref() == Some(path));
            let is_left = path.file_name().is_some_and(is_temporary) && is_named;
            assert!(is_left, "{} is left: {what}", path.display());
            kept.push(content);
        }
        if run.errors.is_empty() {
            assert!(is_new, "not reported: {what}");
            let expected = (how != NotKept).then_some(&self.old);
            assert_eq!(run.backup.as_ref(), expected, "{what}");
        } else if is_new && how != NotKept && verb != Undo {
            let backup = run.backup.as_ref();
            assert_eq!(backup, Some(&self.old), "the previous one is lost: {what}");
        } else if is_new && how != NotKept {
            assert!(kept.contains(&&self.old), "the previous one is lost: {what}");
        } else if verb == Undo {
            assert!(kept.contains(&&self.earlier), "the other one is lost: {what}");
        } else if how == Replacing && is_old {
            // It may be impossible to restore the backup from before. Then it has another name, which is reported.
            let is_same = run.backup.as_ref() == Some(&self.old);
            let is_kept = is_same && kept.contains(&&self.earlier);
            let is_restored = run.backup.as_ref() == Some(&self.earlier);
            assert!(is_restored || is_kept, "replaced too early: {what}");
        }
    }
}

#[test]
fn any_failing_call_leaves_the_old_or_new_archive() {
    let mut runs = 0;
    for scenario in SCENARIOS {
        let stage = Stage::new(scenario);
        let whole = stage.run(&[]);
        assert!(whole.errors.is_empty(), "{scenario:?}: {:?}", whole.errors);
        stage.judge(&whole, "without a fault");
        for (number, call) in whole.log.iter().enumerate() {
            let mut faults = vec![(When::Once(number), Fault::Short)];
            for errno in ERRNOS {
                faults.push((When::Once(number), Fault::Fails(errno)));
                faults.push((When::From(number), Fault::Fails(errno)));
                // A call that creates a file and reports an error: no run can know that the file exists.
                if *call != Call::Create {
                    faults.push((When::Once(number), Fault::DoneAndFails(errno)));
                }
            }
            for (when, fault) in faults {
                let run = stage.run(&[(when, fault)]);
                let what = format!("{when:?} ({call:?}): {fault:?}");
                stage.judge(&run, &what);
                if fault == Fault::Short {
                    assert!(run.errors.is_empty(), "not healed: {scenario:?}, {what}");
                }
                runs += 1;
            }
        }
        let run = stage.run(&[(When::From(0), Fault::Short)]);
        stage.judge(&run, "everything comes back short");
        assert!(run.errors.is_empty(), "{scenario:?}: {:?}", run.errors);
    }
    assert!(runs > 4900, "{runs}");
}

/// On a system without hard links, the previous version is a copy. It must survive a power cut, too.
#[test]
fn the_backup_is_on_disk_before_the_archive_changes() {
    let log = Stage::new((Remove, Kept, NO_LINK)).run(&[]).log;
    let replaced = log.iter().position(|call| *call == Call::Rename).unwrap();
    let synced = log[..replaced].iter().filter(|call| **call == Call::SyncFile);
    assert_eq!(synced.count(), 2, "{log:?}");
}

/// The edit of another run, which was done first, is not lost.
#[test]
fn an_archive_replaced_by_another_run_is_kept() {
    let stage = Stage::new((Add, Kept, &[]));
    stage.reset();
    let (path, other) = (stage.path(), pak(Format::Quake, &[("b", b"theirs", false)]));
    let theirs = other.clone();
    // The new archive is complete by then, and still has a temporary name.
    let calls = Faulty::default().meddled(Call::SyncFile, move || {
        let beside = path.with_extension("new");
        fs::write(&beside, theirs).unwrap();
        fs::rename(beside, path).unwrap();
    });
    let errors = stage.ask(&System::new(Arc::new(calls))).unwrap();
    assert!(errors.iter().any(|error| error.to_string().contains("changed since")), "{errors:?}");
    assert!(fs::read(stage.path()).unwrap() == other);
    let files = fs::read_dir(stage.dir.path().join("out")).unwrap();
    assert_eq!(files.count(), 1, "neither a backup nor a temporary file");
}

/// The other run does not wait: it fails, and can be repeated.
#[test]
fn of_two_edits_at_the_same_moment_one_fails() {
    for verb in [Rename, Undo] {
        let stage = Stage::new((Add, Replacing, &[]));
        stage.reset();
        let path = stage.path();
        // This run has checked that the archive is the one that it has read, and now gives it its second name.
        let calls = Faulty::default().meddled(Call::Link, move || {
            let context = Context::new();
            let errors = match verb {
                Undo => undo(&context, &path, false).unwrap_err().0,
                _ => {
                    let options = EditOptions::default();
                    let rename = Edit::Rename(b"a.txt".to_vec(), b"z.txt".to_vec());
                    let edited = edit(&context, &path, &[rename], options);
                    edited.unwrap().output.findings
                }
            };
            let [error] = errors.as_slice() else {
                panic!("{errors:?}");
            };
            assert!(error.to_string().contains("changed since"), "{error}");
        });
        let errors = stage.ask(&System::new(Arc::new(calls))).unwrap();
        assert!(errors.is_empty(), "{errors:?}");
        assert!(fs::read(stage.path()).unwrap() == stage.new);
        assert!(fs::read(stage.backup()).unwrap() == stage.old);
    }
}

/// Damaged entries may be left out, but not the file that replaces an entry.
#[test]
fn a_vanished_file_does_not_remove_what_it_replaces() {
    for only_that in [true, false] {
        let stage = Stage::new((Add, Kept, &[]));
        stage.reset();
        let new = stage.dir.path().join("new");
        let file = new.join("a.txt");
        let files = if only_that { [file.clone()] } else { [new.clone()] };
        let calls = Faulty::default().meddled(Call::CreateUnnamed, move || {
            fs::remove_file(file).unwrap();
        });
        let system = System::new(Arc::new(calls));
        let context = Context::new().with_jobs(NonZeroUsize::new(1)).on(system);
        let adding = AddOptions {
            replace: true,
            pack: PackOptions { root: Some(new), ..PackOptions::default() },
            ..AddOptions::default()
        };
        let options = EditOptions { keep_going: true, ..EditOptions::default() };
        let add = Edit::Add(files.to_vec(), Box::new(adding));
        let edited = edit(&context, &stage.path(), &[add], options).unwrap();
        assert_eq!(edited.output.status, OutputStatus::Failed);
        let errors = edited.output.findings;
        assert!(errors.iter().any(Finding::is_error), "{errors:?}");
        assert!(fs::read(stage.path()).unwrap() == stage.old);
        assert!(!stage.backup().exists());
    }
}

/// `keep_going` is about pictures that cannot be made.
#[test]
fn a_vanished_file_is_not_missing_in_a_new_archive() {
    let dir = scratch();
    let file = dir.path().join("a.txt");
    fs::write(&file, "a").unwrap();
    fs::write(dir.path().join("b.txt"), "b").unwrap();
    let calls = Faulty::default().meddled(Call::CreateUnnamed, move || {
        fs::remove_file(file).unwrap();
    });
    let context = Context::new().on(System::new(Arc::new(calls)));
    let out = scratch();
    let output = out.path().join("a.pak");
    let options = WriteOptions {
        keep_going: true,
        ..WriteOptions::new(Destination::File(output.clone()), Format::Quake)
    };
    let mut reported = Reported::default();
    let paths = [dir.path().to_path_buf()];
    create(&context, &paths, &options.into(), &mut reported).unwrap();
    assert_eq!(reported.rows[0].status, OutputStatus::Failed);
    assert!(reported.rows[0].findings.iter().any(Finding::is_error));
    assert!(!output.exists());
}
