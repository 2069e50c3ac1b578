//! Interrupts: of what writes to standard output alone, and of what writes files.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Dir;
use super::paks::quake;
use super::slow::slow_pak;
use crate::archive::build::Pak;

/// Those that ask for an end, with the status that says so and their numbers: but one that is ignored
/// here, and so by what is started here.
fn heard() -> Vec<(&'static str, i32)> {
    let all = [("INT", 130), ("QUIT", 131), ("TERM", 143)];
    all.into_iter().filter(|(_, code)| is_heard(code - 128)).collect()
}

/// Whether what is started here hears the signal of this number: under `nohup` one is ignored, in the
/// background of a script others are.
pub(crate) fn is_heard(number: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |bits| u64::from_str_radix(bits.trim(), 16).unwrap());
    let heard = ignored & (1 << (number - 1)) == 0;
    if !heard {
        crate::skips::skip(&format!("signal {number} is ignored"));
    }
    heard
}

/// Sends a signal to a process.
pub(crate) fn send(signal: &str, process: u32) {
    let process = process.to_string();
    let sent = Command::new("kill").args(["-s", signal, &process]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_filter_ends_at_the_first_signal() {
    for (signal, code) in heard() {
        let mut filter = Command::new(env!("CARGO_BIN_EXE_daisho"))
            .args(["cat", "-", "a"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // More than a pipe holds: when it is taken the filter has begun to listen. It then waits
        // for more, in a call that no signal ends.
        let mut stdin = filter.stdin.take().unwrap();
        stdin.write_all(&vec![0; 1 << 18]).unwrap();
        send(signal, filter.id());
        assert_eq!(filter.wait().unwrap().code(), Some(code));
        drop(stdin);
    }
}

/// It waits in a call that no signal ends.
#[test]
fn waiting_for_standard_input_can_be_interrupted() {
    let dir = Dir::new();
    dir.file("a.pak", quake());
    for line in [
        "convert - -o out.pak",
        "extract - -C out",
        "verify -",
        "verify -- -//in.pak",
        "cat -- -//in.pak a",
        "dupes -",
        "diff - a.pak",
        "gallery - -o out",
        "verify --files-from -",
    ] {
        for (signal, code) in heard() {
            let mut waiting = Command::new(env!("CARGO_BIN_EXE_daisho"))
                .args(line.split(' '))
                .current_dir(dir.path(""))
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut stdin = waiting.stdin.take().unwrap();
            stdin.write_all(&vec![0; 1 << 18]).unwrap();
            send(signal, waiting.id());
            assert_eq!(waiting.wait().unwrap().code(), Some(code), "{line}");
            drop(stdin);
            assert_eq!(dir.all(), ["a.pak"], "{line}");
        }
    }
}

/// A shell ignores two of them for its jobs in the background, `nohup` one.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ignored_from_the_start_stays_ignored() {
    // Each half is more than a pipe holds.
    let pak = Pak::new().stored("a", vec![0; 1 << 19]).quake();
    let (first, second) = pak.split_at(1 << 18);
    for signal in ["HUP", "INT", "QUIT", "TERM"] {
        let mut filter = Command::new("sh")
            .args(["-c", &format!("trap '' {signal}; exec \"$0\" cat - a")])
            .arg(env!("CARGO_BIN_EXE_daisho"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = filter.stdin.take().unwrap();
        stdin.write_all(first).unwrap();
        send(signal, filter.id());
        // It is over before it has taken this, where the signal ends it.
        let _ = stdin.write_all(second);
        drop(stdin);
        assert_eq!(filter.wait().unwrap().code(), Some(0), "{signal}");
    }
}

/// A process that is held gets all that was sent to it at once when it goes on.
#[test]
fn a_second_signal_ends_at_once_with_whole_files() {
    let dir = Dir::new();
    slow_pak(&dir, "slow.pak");
    let mut convert = Command::new(env!("CARGO_BIN_EXE_daisho"))
        .args(["convert", "slow.pak", "-o", "out.pak", "--to", "daikatana"])
        .args(["-j", "1"])
        .current_dir(dir.path(""))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !dir.is_written_to() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
    for signal in ["STOP", "INT", "TERM", "CONT"] {
        send(signal, convert.id());
    }
    let code = convert.wait().unwrap().code().unwrap();
    assert!([130, 143].contains(&code), "{code}");
    assert!(!dir.has("out.pak"));
}

#[test]
fn an_interrupted_conversion_leaves_nothing() {
    for (signal, code) in heard() {
        let dir = Dir::new();
        slow_pak(&dir, "slow.pak");
        let convert = Command::new(env!("CARGO_BIN_EXE_daisho"))
            .args("convert slow.pak -o out.pak --to daikatana -j 1 --json".split(' '))
            .current_dir(dir.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The file that it writes tells that it is at work.
        let start = Instant::now();
        while !dir.is_written_to() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(dir.is_written_to(), "{:?}", dir.all());
        send(signal, convert.id());
        let ran = convert.wait_with_output().unwrap();
        assert_eq!(ran.status.code(), Some(code));
        let row: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(row["status"], "stopped");
        dir.holds("slow.pak");
    }
}
