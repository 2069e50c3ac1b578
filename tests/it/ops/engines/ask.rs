//! Engines that are installed here answer `tests/engines/ask` as `observed.txt` says that they did.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where an engine is installed, if it is.
fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::env::split_paths(&path).chain(["/usr/games".into(), "/usr/lib/ioquake3".into()]);
    let found = folders.map(|folder| folder.join(name)).find(|it| it.is_file());
    if found.is_none() {
        crate::skips::skip(&format!("{name} is not installed"));
    }
    found
}

/// QuakeSpasm makes a folder in the home directory that the system reports. It is removed afterwards. `None` if
/// there is one already, whose files would be served, too.
struct Home(Option<PathBuf>);

impl Home {
    fn before() -> Option<Self> {
        let home = PathBuf::from(std::env::var_os("HOME")?).join(".quakespasm");
        if home.join("id1").exists() {
            crate::skips::skip(&format!("{} has files that would be served", home.display()));
            return None;
        }
        Some(Self((!home.exists()).then_some(home)))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        for made in self.0.iter().flat_map(|home| [home.join("id1"), home.clone()]) {
            // A directory that is not empty stays.
            let _ = fs::remove_dir(made);
        }
    }
}

#[test]
fn installed_engines_answer_as_observed() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/ask");
    let python = Command::new("python3").arg("--version").output();
    if python.is_err() {
        crate::skips::skip("python3 is not installed");
        return;
    }
    for (row, program, most_different) in [
        ("quakespasm-0.95.1", "quakespasm", 0),
        // It sorts neither names that are one nor archives whose names are one.
        ("darkplaces-2018", "darkplaces-server", 3),
        ("ioquake3-2022", "ioq3ded", 0),
    ] {
        let (Some(program), Some(_home)) = (installed(program), Home::before()) else {
            continue;
        };
        let asked = Command::new(&script).arg(row).arg(program).output();
        let answer = String::from_utf8(asked.unwrap().stdout).unwrap();
        let (_, counts) = answer.rsplit_once(": ").expect(&answer);
        let numbers = counts.split_whitespace();
        let numbers: Vec<usize> = numbers.filter_map(|it| it.parse().ok()).collect();
        let [same, different] = numbers[..] else {
            panic!("{answer}");
        };
        assert!(same > 5 && different <= most_different, "{answer}");
    }
}
