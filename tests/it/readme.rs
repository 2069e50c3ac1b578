//! README.md does what it says: every command in it is run, in order, and prints what stands
//! there.
//!
//! A block of `console` is a session: lines that begin with `$ ` are commands, what follows is
//! what they print, on either stream. The time that the work took may be another one; `[..]` stands
//! for whatever else differs from run to run. All blocks share one directory, which holds a copy of `corpus/`, so a block can use
//! what the one before it made. Blocks of `rust` are run by `cargo test --doc`.

#[cfg(unix)]
use std::fs;
#[cfg(unix)]
use std::path::Path;

/// One command, and what the README says that it prints.
#[cfg_attr(not(unix), expect(dead_code, reason = "commands of a Unix shell"))]
struct Step {
    line: usize,
    command: String,
    output: String,
}

#[cfg_attr(not(unix), expect(dead_code, reason = "commands of a Unix shell"))]
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                line: number + 1,
                command: command.to_owned(),
                output: String::new(),
            });
        } else if inside && let Some(step) = steps.last_mut() {
            step.output.push_str(line);
            step.output.push('\n');
        }
    }
    steps
}

/// Whether `found` is `expected`, in which `[..]` stands for anything within a line.
fn alike(expected: &str, found: &str) -> bool {
    let line = |expected: &str, found: &str| {
        let mut parts = expected.split("[..]");
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = found.strip_prefix(first) else {
            return false;
        };
        let mut parts = parts.peekable();
        if parts.peek().is_none() {
            return rest.is_empty();
        }
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                return rest.ends_with(part);
            }
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        true
    };
    let pairs = || expected.lines().zip(found.lines());
    expected.lines().count() == found.lines().count()
        && pairs().all(|(e, f)| line(timeless(e), timeless(f)))
}

/// A line without the time at its end, and the rate.
fn timeless(line: &str) -> &str {
    match line.rsplit_once(" in ") {
        Some((start, time))
            if time.starts_with(|c: char| c.is_ascii_digit())
                && (time.ends_with(" s") || time.ends_with(" MB/s")) =>
        {
            start
        }
        _ => line,
    }
}

#[cfg(unix)]
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
#[cfg(unix)]
fn every_command_of_the_readme_prints_what_stands_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).unwrap();
    let steps = steps(&text);
    assert!(steps.len() > 10, "only {} commands found", steps.len());

    let dir = tempfile::tempdir().unwrap();
    copy(&root.join("corpus"), &dir.path().join("corpus"));
    let binary = Path::new(env!("CARGO_BIN_EXE_daisho")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = vec![binary.to_path_buf()];
    folders.extend(std::env::split_paths(&path));
    for step in steps {
        // `cargo run` would build once more what is being tested.
        let command = step.command.replace("cargo run --release --", "daisho");
        let run = std::process::Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(dir.path())
            .env("PATH", std::env::join_paths(&folders).unwrap())
            .env_remove("DAISHO_JOBS")
            .output()
            .unwrap();
        let found = String::from_utf8(run.stdout).unwrap();
        assert!(
            alike(&step.output, &found),
            "README.md:{}: {}\n--- it says\n{}--- it printed\n{found}",
            step.line,
            step.command,
            step.output
        );
    }
}

#[test]
fn a_gap_in_what_is_expected_stands_for_anything_within_its_line() {
    assert!(alike("a [..] b\n", "a 1.5 s b\n"));
    assert!(alike("a [..]/[..]s\n", "a 1 MB/2s\n"));
    assert!(!alike("a [..] b\n", "a 1.5 s c\n"));
    assert!(!alike("a\n", "a\nb\n"));
    assert!(!alike("a\n", "a b\n"));
}

#[test]
fn the_time_that_the_work_took_may_be_another_one_and_nothing_else() {
    assert!(alike("1 pak in 0.01 s\n", "1 pak in 12.30 s, 55 MB/s\n"));
    assert!(!alike("1 pak in 0.01 s\n", "2 paks in 0.01 s\n"));
    assert!(!alike("1 pak in 0.01 s\n", "1 pak in the box\n"));
    assert!(!alike("1 file in 3 parts\n", "1 file in 4 parts\n"));
}
