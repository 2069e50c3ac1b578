//! The order of system calls, and runs that strace holds up at one of them while something changes.
//!
//! Each test prints that it was skipped if strace is not installed or may not trace.

use std::fs;
use std::time::{Duration, Instant};

use super::strace::is_traced;
use crate::archive::build::Pak;
use crate::cli::{Dir, Ran};

/// How long strace holds up a call: long enough for the test to notice and to act.
const HELD: &str = "delay_enter=2000000:when=1";

/// The calls of these names that a command makes, with the paths of what they work on.
fn calls(dir: &Dir, names: &str, line: &str) -> Vec<String> {
    dir.sh(&format!("strace -f -y -o trace -e trace={names} {line}")).run().code(0);
    let trace = String::from_utf8(dir.read("trace")).unwrap();
    fs::remove_file(dir.path("trace")).unwrap();
    trace.lines().map(str::to_owned).collect()
}

/// Runs a command whose source cannot be read any more from the copy of this number on. `calls` are those of
/// a run without faults. Nothing if there are not so many copies.
fn unreadable_from_copy(dir: &Dir, copy: usize, calls: &[String], line: &str) -> Option<Ran> {
    let copies = calls.iter().enumerate();
    let mut copies = copies.filter(|(_, call)| call.contains("copy_file_range("));
    let Some((copied, _)) = copies.nth(copy - 1) else {
        crate::skips::skip("the kernel does not copy here");
        return None;
    };
    let is_read = |call: &&String| call.contains("pread64(");
    let read = calls[..copied].iter().filter(is_read).count() + 1;
    let strace = format!(
        "strace -f -o trace -e trace=pread64,copy_file_range \
         -e inject=copy_file_range:error=EIO:when={copy}+ -e inject=pread64:error=EIO:when={read}+"
    );
    Some(dir.sh(&format!("{strace} {line}")).run())
}

/// Runs a line of a shell, and does something as soon as the command has begun to write.
fn disturbed(dir: &Dir, line: &str, disturb: impl FnOnce() + Send) -> Ran {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let start = Instant::now();
            while !dir.is_written_to() {
                assert!(start.elapsed() < Duration::from_secs(20), "nothing written");
                std::thread::sleep(Duration::from_millis(5));
            }
            disturb();
        });
        dir.sh(line).run()
    })
}

#[test]
fn a_replacement_is_synced_before_and_after_rename() {
    if !is_traced("the order of fsync and rename") {
        return;
    }
    let dir = Dir::new();
    dir.file("a.pak", Pak::new().stored("a", b"new").quake());
    dir.file("x.cfg", "bind");
    let names = "?fsync,?fdatasync,?rename,?renameat,?renameat2";
    for line in [
        "daisho convert a.pak -o out.pak -f",
        "daisho create x.cfg -o out.pak -f",
        "daisho add out.pak x.cfg",
        "daisho extract a.pak -C . -f",
    ] {
        dir.file("out.pak", Pak::new().stored("old", b"old").quake());
        dir.file("a", "old");
        let target = if line.contains("extract") { "\"a\")" } else { "\"out.pak\")" };
        let calls = calls(&dir, names, line);
        let is_rename = |call: &String| call.contains("rename") && call.contains(target);
        let renamed = calls.iter().position(is_rename);
        let renamed = renamed.unwrap_or_else(|| panic!("{line}: {calls:#?}"));
        let is_sync = |call: &&String| call.contains("sync(") && call.contains(" = 0");
        let root = dir.path("").canonicalize().unwrap();
        let root = root.to_str().unwrap().trim_end_matches('/');
        // The file is inside of the directory, with or without a name.
        let of_file = |call: &&String| call.contains(&format!("<{root}/"));
        let of_directory = |call: &&String| call.contains(&format!("<{root}>"));
        let before = calls[..renamed].iter().filter(is_sync);
        assert_eq!(before.filter(of_file).count(), 1, "{line}: {calls:#?}");
        let after = calls[renamed..].iter().filter(is_sync);
        assert_eq!(after.filter(of_directory).count(), 1, "{line}: {calls:#?}");
    }
}

#[test]
fn unreadable_stored_neighbours_are_all_named() {
    if !is_traced("how unreadable neighbours are named") {
        return;
    }
    let dir = Dir::new();
    let pak = Pak::new().stored("first.cfg", b"one");
    let pak = pak.stored("second.cfg", b"two").stored("third.cfg", b"3");
    dir.file("in.pak", pak.quake());
    let convert = "daisho convert -j1 -v in.pak -o out.pak";
    let calls = calls(&dir, "pread64,copy_file_range", convert);
    fs::remove_file(dir.path("out.pak")).unwrap();
    // The directory is read before the first payload is copied.
    let Some(ran) = unreadable_from_copy(&dir, 1, &calls, convert) else {
        return;
    };
    let ran = ran.code(1);
    for entry in ["entry 0 \"first.cfg\"", "entry 1 \"second.cfg\"", "entry 2 \"third.cfg\""] {
        let named = ran.stderr().matches(entry).count();
        assert_eq!(named, 1, "{entry}: {ran}");
    }
    assert!(!dir.path("out.pak").exists());
}

/// What is left without the damaged entries is written in a second pass.
#[test]
fn an_entry_unreadable_on_second_read_costs_output() {
    if !is_traced("what a second pass does with an entry that cannot be read") {
        return;
    }
    let dir = Dir::new();
    let pak = Pak::new().compressed("cut.tga", 9, b"\x05a");
    let pak = pak.stored("a.cfg", [7; 100]).stored("b.cfg", [8; 100]);
    dir.file("in.pak", pak.daikatana());
    let convert = "daisho convert -j1 in.pak -o out.pak --to quake --keep-going";
    let names = "pread64,copy_file_range";
    let calls = calls(&dir, names, &format!("{convert} || test $? = 1"));
    assert_eq!(dir.all(), ["in.pak", "out.pak"]);
    fs::remove_file(dir.path("out.pak")).unwrap();
    let is_copy = |call: &&String| call.contains("copy_file_range(");
    let last = calls.iter().filter(is_copy).count().max(1);
    let Some(ran) = unreadable_from_copy(&dir, last, &calls, convert) else {
        return;
    };
    ran.code(1).err_has("input/output error").err_has("in.pak -> out.pak: not written");
    assert!(!dir.path("out.pak").exists());
}

/// So many archives are open at once that the last one is opened again after the first are written.
#[test]
fn an_archive_replaced_after_planning_is_kept() {
    if !is_traced("an archive that changes between plan and extraction") {
        return;
    }
    let dir = Dir::new();
    for n in 0..17 {
        let pak = Pak::new().stored("a.cfg", b"first").stored("b.cfg", b"two");
        dir.file(format!("in/p{n:02}.pak"), pak.quake());
    }
    let extract = "daisho extract -j1 -r in -C out";
    let held = format!("-e inject=?linkat,?renameat2:{HELD}");
    let line = format!("strace -f -o trace -e trace=?linkat,?renameat2 {held} {extract}");
    // The same file with the same length, so that only its directory differs.
    let other = Pak::new().stored("a.cfg", b"first").stored("c.cfg", b"two");
    let ran = disturbed(&dir, &line, || {
        fs::write(dir.path("in/p16.pak"), other.quake()).unwrap();
    });
    ran.code(1).err_has("changed since the work was planned").err_has("--> in/p16.pak\n");
    assert!(!dir.path("out/p16/").exists(), "{:?}", dir.all());
    assert_eq!(dir.read("out/p15/b.cfg"), b"two");
}

#[test]
fn a_loose_file_growing_while_copied_is_not_extracted() {
    if !is_traced("a file that grows while it is copied") {
        return;
    }
    let dir = Dir::new();
    dir.file("g/pak0.pak", Pak::new().stored("a.cfg", b"a").quake());
    dir.file("g/big.wav", vec![7; 1 << 20]);
    let extract = "daisho extract -j1 --effective g --loose --engine quake -C out";
    let held = format!("-e inject=copy_file_range:{HELD}");
    let line = format!("strace -f -o trace -e trace=copy_file_range {held} {extract}");
    let ran = disturbed(&dir, &line, || {
        fs::write(dir.path("g/big.wav"), vec![7; 2 << 20]).unwrap();
    });
    if !String::from_utf8_lossy(&dir.read("trace")).contains("copy_file_range") {
        crate::skips::skip("the kernel does not copy here");
        return;
    }
    ran.code(1).err_has("it is changing while it is read").err_has("big.wav");
    assert!(!dir.path("out/big.wav").exists(), "{:?}", dir.all());
    assert_eq!(dir.read("out/a.cfg"), b"a");
}

/// A program that finds the first part finds the others, too.
#[test]
fn parts_get_their_names_from_the_last_one_on() {
    if !is_traced("the order in which parts get their names") {
        return;
    }
    let dir = Dir::new();
    let pak = Pak::new().stored("a", b"a").stored("b", b"b");
    dir.file("in.pak", pak.stored("c", b"c").quake());
    let parts = ["pak0.pak", "pak1.pak", "pak2.pak"];
    for flag in ["", "-f"] {
        let line = format!("daisho convert in.pak -o pak0.pak --max-entries 1 {flag}");
        let calls = calls(&dir, "?linkat,?rename,?renameat,?renameat2", &line);
        let place = |name: &str| {
            let name = format!("\"{name}\"");
            let named = calls.iter().position(|call| call.contains(&name));
            named.unwrap_or_else(|| panic!("{name} in {calls:#?}"))
        };
        let [first, second, third] = parts.map(place);
        assert!(third < second && second < first, "{line}: {calls:#?}");
    }
}

/// Some file systems cannot exchange two names, and a signal can interrupt those that can.
#[test]
fn undo_swaps_both_files_without_a_call_for_it() {
    if !is_traced("an exchange of names that the system refuses") {
        return;
    }
    let last_rename = "ENOSYS -e inject=?renameat:error=EIO:when=2";
    for (fault, code) in [("EINVAL", 0), ("ENOSYS", 0), ("EINTR:when=1", 0), (last_rename, 2)] {
        let dir = Dir::new();
        dir.file("a.pak", Pak::new().stored("new", b"new").quake());
        dir.file("a.pak~", Pak::new().stored("old", b"old").quake());
        let strace = format!("strace -f -o /dev/null -e inject=?renameat2:error={fault}");
        let undo = dir.sh(&format!("{strace} daisho undo a.pak"));
        undo.run().code(code);
        // If it fails, both are what they were.
        let (first, second) = if code == 0 { ("old", "new") } else { ("new", "old") };
        dir.lists("a.pak", first);
        dir.lists("a.pak~", second);
        dir.holds("a.pak a.pak~");
    }
}

/// A file server can hold a lease: then the kernel asks it before another program opens the file.
#[test]
fn a_file_with_a_lease_is_read_when_it_ends() {
    let dir = Dir::new();
    dir.file("a.pak", Pak::new().stored("a", b"a").quake());
    let lease = r#"
import fcntl, signal, subprocess, sys
file = open('a.pak', 'r+b')
signal.signal(signal.SIGIO, lambda *_: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK))
try: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
except OSError: sys.exit(99)
sys.exit(subprocess.call(['daisho', 'list', '-q', 'a.pak']))
"#;
    dir.file("lease.py", lease);
    let ran = dir.sh("command -v python3 >/dev/null || exit 99; python3 lease.py").run();
    if ran.is(99) {
        crate::skips::skip("no python3, or no leases on files here");
        return;
    }
    ran.code(0).out_has("a");
}
