//! Runs every command in README.md and the guide, in order, and compares the output with the text.
//!
//! A block of `console` is a session. A line that begins with `$ ` is a command, and the lines after it are its
//! output, on either stream. The time at the end of a line may differ, and `[..]` matches anything within a
//! line. All blocks of a text share one directory, which begins as a copy of `corpus/`, so a block can use
//! files from the blocks before it. Lines of `sh` that begin with `daisho` name files that do not exist in `corpus/`;
//! they run on substitutes. Blocks of `rust` are run by `cargo test --doc`.

use daisho::engine::Known;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines and bytes of README.md, and the most lines of a chapter of the guide and of other texts.
const README_LINES: usize = 135;
const README_BYTES: usize = 8_500;
const CHAPTER_LINES: usize = 200;
const BENCHES_LINES: usize = 120;
/// Until the first release.
const CHANGELOG_LINES: usize = 100;

/// One command, and the output that the text shows for it.
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

/// Whether `found` is `expected`, where `[..]` matches anything within a line.
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
pub(crate) fn timeless(line: &str) -> &str {
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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The chapters of the guide.
pub(crate) fn chapters() -> Vec<PathBuf> {
    let mut chapters = Vec::new();
    for entry in fs::read_dir(root().join("src/guide")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            chapters.push(path);
        }
    }
    chapters.sort();
    chapters
}

/// Runs every command of a text, and compares its output with the text. Returns the number of commands.
#[cfg(unix)]
fn run_commands(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let steps = steps(&text);
    let dir = tempfile::tempdir().unwrap();
    copy(&root().join("corpus"), &dir.path().join("corpus"));
    let binary = Path::new(env!("CARGO_BIN_EXE_daisho")).parent().unwrap();
    let search = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = vec![binary.to_path_buf()];
    folders.extend(std::env::split_paths(&search));
    for step in &steps {
        // `cargo run` would build the program again.
        let command = step.command.replace("cargo run --release --", "daisho");
        let run = std::process::Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(dir.path())
            .env("PATH", std::env::join_paths(&folders).unwrap())
            .env_remove("DAISHO_JOBS")
            .env_remove("DAISHO_GAME")
            .output()
            .unwrap();
        let found = String::from_utf8(run.stdout).unwrap();
        assert!(
            alike(&step.output, &found),
            "{}:{}: {}\n--- it says\n{}--- it printed\n{found}",
            path.display(),
            step.line,
            step.command,
            step.output
        );
    }
    steps.len()
}

#[test]
#[cfg(unix)]
fn every_command_of_the_readme_prints_its_output() {
    let commands = run_commands(&root().join("README.md"));
    assert!(commands > 5, "only {commands} commands found");
}

#[test]
#[cfg(unix)]
fn every_command_of_the_guide_prints_its_output() {
    let mut commands = 0;
    for chapter in chapters() {
        commands += run_commands(&chapter);
    }
    assert!(commands > 60, "only {commands} commands found");
}

/// The `daisho` lines in blocks of `sh`, up to a pipe, a list operator or a comment.
#[cfg(unix)]
fn shell_lines(text: &str) -> Vec<String> {
    let (mut lines, mut inside) = (Vec::new(), false);
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && line.starts_with("daisho ") {
            let command = line.split(['|', '#']).next().unwrap_or_default();
            lines.push(command.trim().replace('\\', "/"));
        }
    }
    lines
}

#[test]
#[cfg(unix)]
fn every_shell_line_of_readme_and_guide_is_accepted() {
    let mut texts = chapters();
    texts.push(root().join("README.md"));
    let dir = tempfile::tempdir().unwrap();
    let corpus = root().join("corpus/game");
    for (name, from) in [("games", "data"), ("id1", "id1"), ("mod", "")] {
        copy(&corpus.join(from), &dir.path().join(name));
    }
    let daisho = |command: &str| {
        std::process::Command::new("sh")
            .args(["-c", &format!("{} {command}", env!("CARGO_BIN_EXE_daisho"))])
            .current_dir(dir.path())
            .output()
            .unwrap()
    };
    let stage = [
        "convert games/pak0.pak -o pak0.pak --to daikatana",
        "extract id1/pak0.pak -C mymod",
        "create mod -o mod.zip",
    ];
    for command in stage {
        assert!(daisho(command).status.success(), "{command}");
    }
    let maps = dir.path().join("mymod/maps");
    fs::copy(maps.join("e1m1.bsp"), maps.join("mine.bsp")).unwrap();
    let wall = daisho::media::Pixels {
        width: 16,
        height: 16,
        data: daisho::media::Data::Rgb(vec![9; 768]),
    };
    let wall = daisho::media::png(&wall, &daisho::media::Palette::grey()).unwrap();
    let map = |name: &str| {
        let texture = crate::archive::wads::texture(name, false);
        crate::archive::maps::textured(b"\x1D\0\0\0", &[Some(texture)])
    };
    for (name, file) in
        [("textures/wall.png", wall), ("maps/a.bsp", map("brick")), ("maps/b.bsp", map("lava"))]
    {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    let mut count = 0;
    for path in texts {
        for line in shell_lines(&fs::read_to_string(&path).unwrap()) {
            let ran = daisho(line.trim_start_matches("daisho "));
            // 1: something is missing, or damaged. 2: an option that does not exist.
            let is_accepted = ran.status.code().is_some_and(|code| code < 2);
            let message = String::from_utf8_lossy(&ran.stderr);
            assert!(is_accepted, "{}: {line}: {message}", path.display());
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} lines found");
}

#[test]
fn the_readme_and_its_guide_are_short() {
    let lines = |path: &Path| fs::read_to_string(path).unwrap().lines().count();
    let readme = lines(&root().join("README.md"));
    assert!(readme <= README_LINES, "README.md has {readme} lines");
    let bytes = fs::metadata(root().join("README.md")).unwrap().len();
    assert!(bytes <= README_BYTES as u64, "README.md has {bytes} bytes");
    for (file, most) in [("benches/README.md", BENCHES_LINES), ("CHANGELOG.md", CHANGELOG_LINES)] {
        let text = root().join(file);
        // The published crate has no benches.
        if text.exists() {
            let found = lines(&text);
            assert!(found <= most, "{file} has {found} lines");
        }
    }
    for chapter in chapters() {
        let found = lines(&chapter);
        assert!(found <= CHAPTER_LINES, "{} has {found} lines", chapter.display());
    }
}

#[test]
fn the_library_documents_every_guide_chapter() {
    let modules = fs::read_to_string(root().join("src/guide.rs")).unwrap();
    let chapters = chapters();
    assert!(chapters.len() >= 9);
    for chapter in chapters {
        let name = chapter.file_name().unwrap().to_str().unwrap();
        assert!(modules.contains(&format!("include_str!(\"guide/{name}\")")), "{name}");
    }
}

#[test]
fn the_guides_tables_match_the_engines() {
    let text = fs::read_to_string(root().join("src/guide/engines.md")).unwrap();
    let (pak_table, zips) = text.split_once("## ZIPs").unwrap();
    for engine in daisho::engine::Engine::ALL {
        let profile = engine.profile();
        if let Some(paks) = profile.paks {
            let expected = limit(paks.rules.max_entries.map(|most| most.count));
            let cells = row(pak_table, engine.as_str());
            assert_eq!(cells[1], expected, "paks of {}", engine.as_str());
        }
        if let Some(profile) = profile.zips {
            let expected = limit(profile.rules.max_entries.map(|most| most.count));
            let cells = row(zips, engine.as_str());
            assert_eq!(
                cells[1],
                engine.profile().zip_extensions().join(" "),
                "{}",
                engine.as_str()
            );
            assert_eq!(cells[2], expected, "ZIPs of {}", engine.as_str());
        }
    }
}

#[test]
fn the_guide_has_the_version_of_each_engine() {
    let text = fs::read_to_string(root().join("src/guide/engines.md")).unwrap();
    let (_, versions) = text.split_once("## Versions").unwrap();
    for engine in daisho::engine::Engine::ALL {
        let expected = match engine.profile().known {
            Known::Ran { version, when } => [version.to_owned(), when.to_owned()],
            Known::Read { source } => [format!("not run; read in {source}"), String::new()],
        };
        assert_eq!(row(versions, engine.as_str())[1..], expected, "{engine}");
    }
}

/// The cells of the row that begins with `name`.
fn row<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    for line in text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells[0] == name && cells.len() > 2 {
            return cells;
        }
    }
    panic!("no row for {name}");
}

/// A limit as the tables write it: `65,536`.
fn limit(count: Option<u32>) -> String {
    let Some(count) = count else {
        return "no limit".to_owned();
    };
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[test]
fn a_gap_in_expected_output_matches_within_its_line() {
    assert!(alike("a [..] b\n", "a 1.5 s b\n"));
    assert!(alike("a [..]/[..]s\n", "a 1 MB/2s\n"));
    assert!(!alike("a [..] b\n", "a 1.5 s c\n"));
    assert!(!alike("a\n", "a\nb\n"));
    assert!(!alike("a\n", "a b\n"));
}

#[test]
fn only_the_time_at_the_end_of_a_line_may_differ() {
    assert!(alike("1 pak in 0.01 s\n", "1 pak in 12.30 s, 55 MB/s\n"));
    assert!(!alike("1 pak in 0.01 s\n", "2 paks in 0.01 s\n"));
    assert!(!alike("1 pak in 0.01 s\n", "1 pak in the box\n"));
    assert!(!alike("1 file in 3 parts\n", "1 file in 4 parts\n"));
}
