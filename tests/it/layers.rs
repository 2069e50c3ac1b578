//! The architecture's rules, read off the sources: which layer may name which, and which single
//! file may do what no other does.
//!
//! A rule that a reviewer has to remember is forgotten; these fail with the file and the line.

use std::fs;
use std::path::{Path, PathBuf};

/// A Rust file of `src/`, by its path from there.
struct Source {
    path: String,
    /// Its lines without comments and without its unit tests, numbered from 1.
    lines: Vec<(usize, String)>,
}

/// A folder that holds nothing but tests.
const TESTS: &str = "ops/sweep";

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    files.retain(|file| !file.starts_with(root.join(TESTS)));
    files
        .iter()
        .map(|file| Source {
            path: file
                .strip_prefix(&root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/"),
            lines: code(&fs::read_to_string(file).unwrap()),
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// What the compiler sees of a file outside of tests: they stand last in a file.
fn code(text: &str) -> Vec<(usize, String)> {
    text.lines()
        .enumerate()
        .map(|(n, line)| (n + 1, line.trim()))
        .take_while(|(_, line)| *line != "#[cfg(test)]")
        .map(|(n, line)| (n, line.split("//").next().unwrap_or_default().to_owned()))
        .filter(|(_, line)| !line.is_empty())
        .collect()
}

/// Fails with every line that holds one of `words` in a file that `forbidden` picks.
fn nowhere(rule: &str, words: &[&str], forbidden: impl Fn(&str) -> bool) {
    let found: Vec<String> = sources()
        .iter()
        .filter(|source| forbidden(&source.path))
        .flat_map(|source| {
            source
                .lines
                .iter()
                .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
                .map(|(n, line)| format!("  src/{}:{n}: {line}", source.path))
        })
        .collect();
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn a_layer_names_only_those_below_it() {
    let layers = [
        (
            "codec/",
            [
                "crate::error",
                "crate::pak",
                "crate::engine",
                "crate::fs",
                "crate::ops",
            ]
            .as_slice(),
        ),
        (
            "pak/",
            ["crate::engine", "crate::fs", "crate::ops"].as_slice(),
        ),
        ("error/", ["crate::engine", "crate::ops"].as_slice()),
        ("engine/", ["crate::fs", "crate::ops"].as_slice()),
        ("fs/", ["crate::engine", "crate::ops"].as_slice()),
    ];
    for (layer, above) in layers {
        nowhere(&format!("src/{layer} names a later layer"), above, |path| {
            path.starts_with(layer)
        });
    }
    nowhere(
        "the library names the command",
        &["cli::", "clap", "indicatif"],
        |path| !path.starts_with("cli/") && path != "main.rs",
    );
}

#[test]
fn the_codec_names_core_and_alloc_only_but_for_its_reader() {
    nowhere(
        "the codec names something outside core and alloc",
        &["std::", "thiserror", "bstr", "crc32fast"],
        |path| path.starts_with("codec/") && path != "codec/decode/read.rs",
    );
}

#[test]
fn one_file_joins_container_and_codec() {
    nowhere(
        "a second file of src/pak names the codec",
        &["crate::codec"],
        |path| path.starts_with("pak/") && path != "pak/payload.rs",
    );
}

#[test]
fn one_file_knows_the_thread_pool() {
    nowhere("a second file names rayon", &["rayon"], |path| {
        path != "ops/pool.rs"
    });
}

#[test]
fn one_module_makes_links_renames_and_removes_files() {
    nowhere(
        "a file outside of src/fs changes what is on disk",
        &[
            "File::create",
            "OpenOptions",
            "create_new(",
            "fs::write",
            "create_dir",
            "hard_link",
            "rename(",
            "remove_file",
            "remove_dir",
            // Not `is_symlink(`, which only looks.
            " symlink(",
            ".symlink(",
            "::symlink(",
            "set_len(",
            "set_permissions",
            "cap_std",
        ],
        |path| !path.starts_with("fs/"),
    );
}

#[test]
fn what_not_every_system_has_is_called_in_the_files_meant_for_it() {
    let meant = [
        "pak/source.rs",  // reading at a place
        "pak/path.rs",    // names that are not UTF-8
        "fs/unix.rs",     // all that is written
        "fs/portable.rs", // the same elsewhere
        "cli/closed.rs",  // whether there is a standard output
        "cli/screen.rs",  // a terminal's width
        "cli/signals.rs",
    ];
    // Declared for tests only, in src/fs/mod.rs.
    let tests = ["fs/faults.rs", "fs/sweep.rs", "fs/tests.rs"];
    nowhere(
        "a system's own call outside of the files that are meant for it",
        &[
            "std::os::",
            "rustix",
            "libc::",
            "signal_hook",
            "ctrlc",
            "windows_sys",
        ],
        |path| !meant.contains(&path) && !tests.contains(&path),
    );
}

#[test]
fn only_the_command_prints() {
    nowhere(
        "a file outside of src/cli prints",
        &[
            "println!", "print!", "eprint!", "dbg!", "stdout()", "stderr()",
        ],
        |path| !path.starts_with("cli/"),
    );
}

#[test]
fn there_is_no_unsafe_code_and_both_roots_forbid_it() {
    nowhere("unsafe code", &["unsafe "], |_| true);
    for root in ["lib.rs", "main.rs"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(root);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains("#![forbid(unsafe_code)]"), "src/{root}");
    }
}

#[test]
fn no_folder_holds_a_single_file() {
    let mut entries = std::collections::BTreeMap::new();
    for source in sources() {
        // A folder inside of a folder counts there as one thing, as a file does.
        let mut path = source.path.as_str();
        while let Some((folder, entry)) = path.rsplit_once('/') {
            entries
                .entry(folder.to_owned())
                .or_insert_with(std::collections::BTreeSet::new)
                .insert(entry.to_owned());
            path = folder;
        }
    }
    for (folder, entries) in entries {
        assert!(entries.len() > 1, "src/{folder} has one file");
    }
}
