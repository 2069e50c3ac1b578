//! What is no file where a file is expected: pipes, devices, sockets, directories as inputs and
//! outputs, and standard streams that are full, closed or gone. Nothing hangs, nothing fills the
//! memory, nothing panics.

use std::fs::File;
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::archive::build::Pak;
use crate::cli::Dir;

/// Verbs with an input that is no file, and the way of each to take it.
const VERBS: [&str; 13] = [
    "list IT",
    "list --json IT",
    "info IT",
    "verify IT",
    "extract IT -C out",
    "convert IT -o out.pak",
    "convert IT -C out",
    "cat IT name",
    "diff IT a.pak",
    "create IT -o out.pak",
    "add IT a.pak",
    "remove IT name",
    "dupes IT",
];

/// Everything that writes to standard output.
const PRINTS: [&str; 15] = [
    "list a.pak",
    "list --json a.pak",
    "list --tree a.pak",
    "info a.pak",
    "info --json a.pak",
    "verify --json a.pak",
    "cat a.pak large.cfg",
    "diff a.pak b.pak",
    "diff --json a.pak b.pak",
    "man",
    "man list",
    "completions zsh",
    "--help",
    "--version",
    "list --help",
];

#[test]
fn a_full_standard_output_is_an_error() {
    let dir = scene();
    for line in PRINTS {
        let ran = run(&dir, &format!("daisho {line} >/dev/full"));
        assert_eq!(ran.code, Some(1), "{line}: {ran:?}");
        let why = "cannot write to standard output: no space left on device";
        assert!(ran.stderr.contains(why), "{line}: {ran:?}");
    }
}

#[test]
fn closed_or_full_standard_streams_are_survived() {
    let dir = scene();
    let mut lines: Vec<String> = PRINTS.map(str::to_owned).into();
    for verb in VERBS {
        lines.push(verb.replace("IT", "missing"));
        lines.push(verb.replace("IT", "a.pak"));
    }
    lines.extend(["list", "list --no-such-option", "", "list - <large"].map(str::to_owned));
    for line in &lines {
        for streams in [
            ">&-",
            "2>&-",
            "<&-",
            ">&- 2>&-",
            "<&- >&- 2>&-",
            "2>/dev/full",
            ">/dev/full 2>/dev/full",
            ">/dev/full 2>&-",
        ] {
            let clean = "rm -rf out out.pak";
            let ran = run(&dir, &format!("{clean}; daisho {line} </dev/null {streams}"));
            assert!(matches!(ran.code, Some(0..=2)), "{line} {streams}: {ran:?}");
            assert!(!ran.stderr.contains("panicked"), "{line} {streams}: {ran:?}");
            // What is done does not depend on who hears of it.
            if line.starts_with("convert a.pak") && !streams.contains('<') {
                assert_eq!(ran.code, Some(0), "{line} {streams}: {ran:?}");
            }
        }
    }
}

/// Two paks that differ, and one of each that is no file.
fn scene() -> Dir {
    let dir = Dir::new();
    let large = b"bind w +forward\n".repeat(20_000);
    let a = Pak::new().stored("large.cfg", &large).stored("name", b"a");
    let a = a.quake();
    dir.file("a.pak", &a);
    dir.file("inner/a.pak", &a);
    dir.file("b.pak", Pak::new().stored("name", b"b").quake());
    dir.file("large", &large);
    for folder in ["", "inner/"] {
        dir.file(format!("{folder}dir/file"), "x");
        let fifo = dir.path(format!("{folder}fifo"));
        assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
        drop(UnixListener::bind(dir.path(format!("{folder}socket"))).unwrap());
        std::os::unix::fs::symlink("/dev/zero", dir.path(format!("{folder}zero"))).unwrap();
    }
    dir
}

#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    stderr: String,
}

/// Runs lines of a shell in time and in half a gigabyte of addresses. Standard output goes where
/// nobody looks. One arena, since glibc reserves 64 MiB of addresses for each that a thread makes:
/// on a machine with many cores the limit would then be met without any memory being filled.
fn run(dir: &Dir, script: &str) -> Ran {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_daisho"));
    let paths =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let stderr = dir.path(".stderr");
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v 524288\n{script}")])
        .env("PATH", paths)
        .env("MALLOC_ARENA_MAX", "1")
        .current_dir(dir.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&stderr).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("{script}: hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.signal(), None, "{script}");
    Ran { code: status.code(), stderr: String::from_utf8(std::fs::read(stderr).unwrap()).unwrap() }
}
