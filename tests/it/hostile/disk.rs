//! A disk that is full: a small file system in memory under the outputs, of every size from one
//! page to just too small, and with every number of files up to just too few.
//!
//! The file system is mounted in a namespace of the run's own, which is gone with the run, however
//! that ends. It needs the right to mount, which root has, and where users may have namespaces,
//! everybody. Where neither is so these tests say that they were skipped.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use super::stage::{Over, PLAYS, SPLITS, Scale, Stage, say};

#[test]
fn a_disk_of_some_sizes_holds_whole_files_or_none() {
    sweep(Scale::Small, Room::Bytes, 4096, 4);
}

#[test]
fn a_disk_full_at_some_numbers_leaves_whole_files() {
    sweep(Scale::Small, Room::Files, 1, 4);
}

/// `cargo test --release --test it hostile::disk -- --ignored --nocapture`
#[test]
#[ignore = "a minute"]
fn a_disk_full_at_any_size_leaves_whole_files() {
    sweep(Scale::Small, Room::Bytes, 4096, 1);
    sweep(Scale::Small, Room::Files, 1, 1);
    sweep(Scale::Large, Room::Bytes, 4096 * 16, 1);
    sweep(Scale::Large, Room::Files, 1, 1);
}

/// Unnamed files get their names through `/proc`. Without it they have hidden names from the first.
#[test]
fn without_proc_every_file_is_written_all_the_same() {
    let Some(unshare) = *UNSHARE else {
        crate::skips::skip("no right to mount a file system");
        return;
    };
    for play in PLAYS.into_iter().chain(SPLITS) {
        let stage = Stage::new(play, Scale::Small);
        let mut command = stage.command("unshare");
        let script = "mount -t tmpfs none /proc && exec \"$0\" \"$@\"";
        command.args(unshare).args(["sh", "-c", script]);
        command.arg(env!("CARGO_BIN_EXE_daisho"));
        let ran = command.args(stage.arguments()).output().unwrap();
        assert!(ran.status.success(), "{}: {ran:?}", stage.name());
        let found = stage.judge(&stage.path("out"), "without /proc");
        assert_eq!((found.new, found.left), (stage.new_files().len(), 0));
    }
}

/// What there is too little of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    Bytes,
    Files,
}

/// Every play on disks of growing size, by `unit`, of which only each `step`-th is tried, until
/// all fits.
fn sweep(scale: Scale, room: Room, unit: usize, step: usize) {
    let Some(unshare) = *UNSHARE else {
        crate::skips::skip("no right to mount a file system");
        return;
    };
    let (mut full, mut whole, mut kept) = (0, 0, 0);
    for (play, shift) in PLAYS.into_iter().zip(0..) {
        let stage = Stage::new(play, scale);
        let _ = fs::rename(stage.path("out"), stage.path("old"));
        fs::create_dir(stage.path("out")).unwrap();
        // The files that existed before have to fit.
        let least = match (room, play.1) {
            (Room::Bytes, Over::Nothing) => 1,
            (Room::Bytes, Over::Old) => {
                let pages = |file: &Vec<u8>| file.len().div_ceil(4096);
                (stage.old_files().values().map(pages).sum::<usize>() * 4096).div_ceil(unit)
            }
            (Room::Files, _) => 2,
        };
        let mut size = least + shift % step;
        loop {
            let (options, what) = match room {
                Room::Bytes => {
                    let bytes = size * unit;
                    (format!("size={bytes}"), format!("a disk of {bytes} bytes"))
                }
                Room::Files => {
                    let options = format!("size=64m,nr_inodes={size}");
                    (options, format!("a disk for {size} files"))
                }
            };
            size += step;
            let ran = run(unshare, &stage, &options);
            // The old files do not fit in it.
            if ran.status.code() == Some(98) {
                continue;
            }
            let found = stage.judge(&stage.path("kept"), &what);
            let what = format!("{}, {what}: {ran:?}", stage.name());
            assert_eq!(found.left, 0, "{what}");
            if found.new == stage.new_files().len() {
                assert_eq!(ran.status.code(), Some(0), "{what}");
                break;
            }
            assert_eq!(ran.status.code(), Some(1), "{what}");
            assert_missing_are_named(&stage, &ran, &what);
            full += 1;
            whole += found.new;
            kept += found.old;
        }
    }
    assert!(full > 4, "{full}");
    say(&format!(
        "full disks ({scale:?}, {room:?}): {full} runs on disks too small, all reported with status 1; \
         {whole} files whole all the same, {kept} old ones kept, 0 torn, 0 temporaries left"
    ));
}

/// Every file that is not there is named, and why.
fn assert_missing_are_named(stage: &Stage, ran: &Output, what: &str) {
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert!(stderr.contains("no space left on device"), "{what}");
    if stage.is_page() {
        let named = stderr.contains("out/index.html: not written");
        assert!(named, "{what}: the page is not named");
        return;
    }
    for (name, new) in stage.new_files() {
        let there = fs::read(stage.path("kept").join(name));
        if !there.is_ok_and(|there| there == *new) {
            let named = format!("out/{name}");
            // Where a folder could not be made, that is what is reported.
            let mut folders = Path::new(&named).ancestors().skip(1);
            let reported = stderr.contains(&named)
                || folders.any(|at| stderr.contains(&format!("--> {}\n", at.display())));
            assert!(reported, "{what}: {name} is not named");
        }
    }
}

/// Lines of a shell in a namespace of its own; the first argument is mount's options.
const SCRIPT: &str = "mount -t tmpfs -o \"$0\" none out || exit 99\n\
                      cp -a old/. out/ 2>/dev/null || exit 98\n\
                      \"$@\"; code=$?\n\
                      cp -a out/. kept/ || exit 97\n\
                      exit $code";

/// Runs a play on a disk with these options, and has what is on it then in `kept`.
fn run(unshare: &[&str], stage: &Stage, options: &str) -> Output {
    let kept = stage.path("kept");
    let _ = fs::remove_dir_all(&kept);
    fs::create_dir(&kept).unwrap();
    let mut command = stage.command("unshare");
    command.args(unshare).args(["sh", "-c", SCRIPT, options]);
    command
        .arg(env!("CARGO_BIN_EXE_daisho"))
        .args(stage.arguments())
        // Each file that is not written is named.
        .arg("-v");
    let ran = command.output().unwrap();
    let code = ran.status.code();
    assert!(!matches!(code, Some(97 | 99) | None), "{ran:?}");
    ran
}

/// The arguments of `unshare` that give the right to mount, if any do.
static UNSHARE: LazyLock<Option<&[&str]>> = LazyLock::new(|| {
    let works = |arguments: &&&[&str]| {
        let mut unshare = Command::new("unshare");
        unshare.args(**arguments).args(["mount", "-t", "tmpfs", "none", "/tmp"]);
        let ran = unshare.stdout(Stdio::null()).stderr(Stdio::null()).status();
        ran.is_ok_and(|status| status.success())
    };
    [&["-m"][..], &["-Urm"]].iter().find(works).copied()
});
