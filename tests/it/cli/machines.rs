//! A collection shared among several workers, as the guide shows it: what their parts come to together is
//! what one run says, and a worker that was killed goes on where it was.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Dir, slow_pak};
use crate::archive::build::Pak;

/// Paks of the same names in several directories, and a list of them.
fn collection(count: usize) -> (Dir, Vec<String>) {
    let dir = Dir::new();
    let mut list = Vec::new();
    for number in 0..count {
        let name = format!("g/{}/pak {}.pak", number % 3, number / 3);
        let pak = Pak::new()
            .stored("a.cfg", format!("{number}").as_bytes())
            .stored("twice", b"1")
            .stored("twice", format!("again {number}").as_bytes())
            .stored("dir\\b c.wav", vec![0; number]);
        dir.file(&name, pak.quake());
        list.push(name);
    }
    list.sort();
    dir.file("paks", list.join("\n") + "\n");
    (dir, list)
}

/// All files below a directory, with their contents.
fn files(dir: &Dir, folder: &str) -> Vec<(String, Vec<u8>)> {
    let inside = format!("{folder}/");
    let all = dir.all().into_iter();
    let files = all.filter(|path| path.starts_with(&inside) && !path.ends_with('/'));
    let named = |path: String| (path[inside.len()..].to_owned(), dir.read(&path));
    files.map(named).collect()
}

/// The lines of these files together, sorted.
fn lines(dir: &Dir, names: &[String]) -> Vec<String> {
    let texts = names.iter().map(|name| dir.text(name));
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// One run over all, for the workers' parts to be compared with.
fn one_run(dir: &Dir) {
    let script = "
        daisho list --files-from paks --json > one.list &&
        daisho verify -q --files-from paks --json --snapshot one.sums --update > one.json &&
        daisho convert -q --files-from paks -C one --to pk3 &&
        daisho extract -q --files-from paks -C one.files";
    dir.sh(script).run().code(0).quiet();
}

/// What workers have left under `PART.list`, `.json` and `.sums`, and in two directories.
fn same_as_one_run(dir: &Dir, parts: &[String]) {
    for kind in ["list", "json", "sums"] {
        let parts: Vec<String> = parts.iter().map(|part| format!("{part}.{kind}")).collect();
        assert_eq!(lines(dir, &parts), lines(dir, &[format!("one.{kind}")]), "{kind}");
    }
    assert_eq!(files(dir, "all"), files(dir, "one"));
    assert_eq!(files(dir, "all.files"), files(dir, "one.files"));
    // Put one behind the other they are a snapshot.
    let sums = parts.iter().map(|part| dir.read(format!("{part}.sums")));
    dir.file("all.sums", sums.collect::<Vec<_>>().concat());
    dir.ok("verify -q --files-from paks --snapshot all.sums").out("").quiet();
}

/// What a worker does with its part of the list on standard input.
const WORKER: &str = "
    cat > $1 &&
    daisho list --files-from $1 --json > $1.list &&
    daisho verify -q --files-from $1 --json --snapshot $1.sums --update > $1.json &&
    daisho convert -q --files-from $1 -C all --to pk3 &&
    daisho extract -q --files-from $1 -C all.files";

#[test]
fn workers_together_write_what_one_run_writes() {
    let (dir, list) = collection(17);
    one_run(&dir);
    // The last worker has a single path, which is one of several all the same.
    let parts: Vec<String> = (0..5).map(|number| format!("part.{number}")).collect();
    let shares = list.chunks(4).map(|share| share.join("\n"));
    std::thread::scope(|scope| {
        for (part, share) in parts.iter().zip(shares) {
            let worker = dir.sh(&format!("set -- {part}; {WORKER}")).stdin(share);
            scope.spawn(|| worker.run().code(0).quiet());
        }
    });
    same_as_one_run(&dir, &parts);
}

/// The tools of the guide, where they are.
#[test]
fn gnu_parallel_and_split_share_a_list() {
    let is_there = |tool: &str, words: &str| {
        let run = Command::new(tool).arg("--version").stderr(Stdio::null()).output();
        run.is_ok_and(|ran| String::from_utf8_lossy(&ran.stdout).contains(words))
    };
    let (dir, _) = collection(17);
    one_run(&dir);
    dir.file("worker", WORKER);
    if is_there("parallel", "GNU parallel") {
        let run = "parallel --will-cite --pipe -N 4 -j 3 sh worker part.{#} < paks";
        dir.sh(&run.replace("sh worker", "sh ./worker")).run().code(0).quiet();
        let parts: Vec<String> = (1..=5).map(|number| format!("part.{number}")).collect();
        same_as_one_run(&dir, &parts);
    } else {
        crate::skips::skip("GNU parallel is not installed");
    }
    if is_there("split", "GNU coreutils") {
        fs::remove_dir_all(dir.path("all")).ok();
        fs::remove_dir_all(dir.path("all.files")).ok();
        // As the tasks of an array, each of which knows its own number alone.
        for task in 0..6 {
            let run = format!("split -n r/$(({task} + 1))/6 paks | sh ./worker task.{task}");
            dir.sh(&run).run().code(0).quiet();
        }
        let parts: Vec<String> = (0..6).map(|task| format!("task.{task}")).collect();
        same_as_one_run(&dir, &parts);
    } else {
        crate::skips::skip("GNU split is not installed");
    }
}

#[test]
fn a_worker_that_was_killed_resumes_with_k() {
    let (dir, mut list) = collection(6);
    slow_pak(&dir, "g/z/slow.pak");
    list.push("g/z/slow.pak".to_owned());
    dir.file("paks", list.join("\n"));
    let convert = "convert -q -j1 --to daikatana --files-from paks -C all";
    let mut worker = Command::new(env!("CARGO_BIN_EXE_daisho"))
        .args(convert.split_whitespace())
        .current_dir(dir.path(""))
        .spawn()
        .unwrap();
    let small = |all: &str| {
        let done = list.iter().filter(|name| !name.contains("slow"));
        done.map(|name| dir.path(all).join(name)).collect::<Vec<_>>()
    };
    let begun = Instant::now();
    while !small("all").iter().all(|path| path.exists()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", dir.all());
        std::thread::sleep(Duration::from_millis(1));
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    let slow = Path::new("all/g/z/slow.pak");
    assert!(!dir.has(slow), "it was too fast to be killed");
    let written = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let before: Vec<_> = small("all").iter().map(|path| written(path)).collect();
    // The rest is as it was to be, and nothing of what was there is done again.
    dir.ok(format!("{convert} -k"));
    let after: Vec<_> = small("all").iter().map(|path| written(path)).collect();
    assert_eq!(before, after);
    let verify = "verify -q -r --snapshot sums";
    dir.ok(format!("{verify} g --update"));
    dir.ok("verify -q -r all/g --snapshot sums").out("");
}
