//! Verbs that change an archive are killed just before each of their system calls: the archive is the old
//! one or the new one, the next run can go on, and at most three hidden names are left: one of the new archive,
//! one of the previous, and one of the backup from before. The backup is always the version before the archive, or the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use super::Signal;
use super::boundaries::{Boundary, CHANGES, all_calls};
use crate::archive::build::Pak;
use crate::hostile::stage::{has_unnamed_files, say};
use crate::hostile::strace::is_traced;

/// What is done, behind the verb and the archive.
type Edit = (&'static str, &'static [&'static str]);

const EDITS: [Edit; 5] = [
    ("add", &["new", "-f"]),
    ("add", &["new", "-f", "--no-backup"]),
    ("remove", &["maps/a.bsp"]),
    ("rename", &["maps/a.bsp", "maps/z.bsp"]),
    ("undo", &[]),
];

#[test]
fn a_kill_in_some_calls_of_an_edit_leaves_old_or_new() {
    sweep(10);
}

/// `cargo test --release --test it hostile::kills -- --ignored --nocapture`
#[test]
#[ignore = "a minute"]
fn a_kill_in_any_call_of_an_edit_leaves_old_or_new() {
    sweep(usize::MAX);
}

/// Kills each edit before every call, or before no more than `most` of those that change files.
fn sweep(most: usize) {
    if !is_traced("kills of edits") {
        return;
    }
    let (mut runs, mut old, mut new, mut left) = (0, 0, 0, 0);
    for (number, edit) in EDITS.into_iter().enumerate() {
        let stage = Stage::new(edit);
        let mut calls = stage.calls();
        if most < calls.len() {
            calls.retain(|call| CHANGES.contains(&call.name.as_str()));
            let step = calls.len() / most + 1;
            calls = calls.into_iter().skip(number % step).step_by(step).collect();
        }
        for boundary in calls {
            stage.reset();
            let mut options = boundary.strace(Signal::Kill);
            options.extend(["-o", "/dev/null"].map(str::to_owned));
            let ran = stage.traced(&options).output().unwrap();
            let what = format!("{edit:?}, killed {boundary}: {ran:?}");
            let found = stage.judge(ran.status.success(), &what);
            runs += 1;
            old += usize::from(!found.is_new);
            new += usize::from(found.is_new);
            left += found.left;
        }
    }
    say(&format!(
        "kills of edits: {runs} runs: {old} old archives, {new} new, 0 others; {left} temporaries left"
    ));
    assert!(runs > 20 && old > 0);
}

/// A directory with an archive, and what becomes of it.
struct Stage {
    edit: Edit,
    dir: tempfile::TempDir,
    old: Vec<u8>,
    new: Vec<u8>,
    /// What `a.pak~` holds before the edit.
    previous: Option<Vec<u8>>,
}

struct Found {
    is_new: bool,
    /// Temporaries.
    left: usize,
}

impl Stage {
    fn new(edit: Edit) -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let mut stage = Self {
            edit,
            dir: dir.unwrap(),
            old: Pak::new()
                .stored("maps/a.bsp", [5; 3000])
                .stored("maps/b.bsp", b"another map")
                .stored("sound/c.wav", [9; 700])
                .quake(),
            new: Vec::new(),
            previous: None,
        };
        for (name, content) in [("new/maps/b.bsp", &b"a map"[..]), ("new/d.cfg", b"more")] {
            let path = stage.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        if edit.0 == "undo" {
            stage.new = stage.old.clone();
            stage.reset();
            stage.run(&["remove", "out/a.pak", "maps/a.bsp"]);
            stage.old = fs::read(stage.path("out/a.pak")).unwrap();
            stage.previous = Some(stage.new.clone());
        } else {
            stage.reset();
            stage.run(&stage.arguments());
            stage.new = fs::read(stage.path("out/a.pak")).unwrap();
            if stage.keeps() {
                stage.previous = Some(Pak::new().stored("maps/a.bsp", b"the first").quake());
            }
        }
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn reset(&self) {
        let _ = fs::remove_dir_all(self.path("out"));
        fs::create_dir(self.path("out")).unwrap();
        fs::write(self.path("out/a.pak"), &self.old).unwrap();
        if let Some(previous) = &self.previous {
            fs::write(self.path("out/a.pak~"), previous).unwrap();
        }
    }

    /// Whether the edit keeps the previous version.
    fn keeps(&self) -> bool {
        !self.edit.1.contains(&"--no-backup")
    }

    fn arguments(&self) -> Vec<&'static str> {
        [&[self.edit.0, "out/a.pak"], self.edit.1].concat()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Output {
        let mut daisho = self.command(env!("CARGO_BIN_EXE_daisho"));
        let ran = daisho.args(arguments).output().unwrap();
        assert!(ran.status.success(), "{arguments:?}: {ran:?}");
        ran
    }

    /// strace with the edit.
    fn traced(&self, strace: &[String]) -> Command {
        let mut command = self.command("strace");
        command.args(strace).args([env!("CARGO_BIN_EXE_daisho"), "-j1"]);
        command.args(self.arguments());
        command
    }

    fn calls(&self) -> Vec<Boundary> {
        self.reset();
        let options = ["-f", "-qq", "-o", "trace"].map(str::to_owned);
        let ran = self.traced(&options).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
        all_calls(&self.path("trace"))
    }

    /// The entries of the archive and their contents, as the command gives them.
    fn contents(&self) -> BTreeMap<String, String> {
        let verified = self.run(&["verify", "out/a.pak", "--json"]);
        let text = String::from_utf8(verified.stdout).unwrap();
        let rows = text.lines().map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            (row["name"].to_string(), row["crc32"].to_string())
        });
        rows.collect()
    }

    fn judge(&self, is_done: bool, what: &str) -> Found {
        let there = fs::read(self.path("out/a.pak")).unwrap();
        let is_new = there == self.new;
        assert!(is_new || there == self.old, "lost: {what}");
        assert!(!is_done || is_new, "not done: {what}");
        let left = fs::read_dir(self.path("out")).unwrap();
        let left = left.map(|it| it.unwrap().file_name().into_string().unwrap());
        let left: Vec<String> = left.filter(|it| it != "a.pak").collect();
        let keeps = self.keeps();
        for name in &left {
            let is_backup = name == "a.pak~" && keeps;
            assert!(is_backup || name.starts_with(".daisho-"), "{name}: {what}");
        }
        if keeps {
            self.judge_backup(is_new, what);
        }
        let temporaries = left.iter().filter(|it| it.starts_with(".daisho-"));
        let left = temporaries.count();
        let most = match self.edit {
            _ if !has_unnamed_files(&self.path("out")) => usize::MAX,
            // The two archives exchange their names.
            ("undo", _) => 0,
            // The new archive; the second names of the old one and of its backup.
            _ => 1 + 2 * usize::from(keeps),
        };
        assert!(left <= most, "{left} temporaries: {what}");
        self.contents();
        if !is_new {
            self.run(&self.arguments());
        }
        let contents = self.contents();
        assert_eq!(contents, self.contents(), "{what}");
        Found { is_new, left }
    }

    /// The backup is always the version before the archive, or the same version.
    fn judge_backup(&self, is_new: bool, what: &str) {
        let backup = fs::read(self.path("out/a.pak~")).ok();
        if self.edit.0 == "undo" {
            let other = if is_new { &self.old } else { &self.new };
            assert!(backup.as_ref() == Some(other), "the other version is lost: {what}");
        } else if is_new {
            assert!(backup.as_ref() == Some(&self.old), "the previous version is lost: {what}");
        } else {
            let is_same = backup.as_ref() == Some(&self.old);
            assert!(is_same || backup == self.previous, "the backup is lost: {what}");
        }
    }
}
