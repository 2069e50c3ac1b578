//! Checks the rules of the architecture: which layer may use which, and which file alone may do a thing.
//!
//! A failure names the file and the line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A Rust file of `src/`, by its path from there.
struct Source {
    path: String,
    /// Its lines without comments and without its unit tests, numbered from 1.
    lines: Vec<(usize, String)>,
}

/// A folder that has only tests.
const TESTS: &str = "testing";

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

/// The code of a file without its unit tests, which come last in it.
fn code(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_attribute = |line: &&&str| line.starts_with("#[");
    let tests = (0..lines.len()).find(|&n| {
        let is_for_tests = ["#[cfg(test)]", "#[cfg(all(test"];
        let item = lines[n..].iter().find(|line| !is_attribute(line));
        is_for_tests.iter().any(|start| lines[n].starts_with(start))
            && item.is_some_and(|item| item.contains("mod ") && item.ends_with('{'))
    });
    (lines[..tests.unwrap_or(lines.len())].iter().enumerate())
        .map(|(n, line)| (n + 1, line.split("//").next().unwrap_or_default()))
        .filter(|(_, line)| !line.is_empty())
        .map(|(n, line)| (n, line.to_owned()))
        .collect()
}

/// Fails if a file that `forbidden` picks has one of `words`, and shows every such line.
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
                "crate::archive",
                "crate::format",
                "crate::engine",
                "crate::media",
                "crate::fs",
                "crate::ops",
            ]
            .as_slice(),
        ),
        (
            "archive/",
            [
                "crate::format",
                "crate::engine",
                "crate::media",
                "crate::fs",
                "crate::ops",
            ]
            .as_slice(),
        ),
        (
            "format/",
            ["crate::engine", "crate::media", "crate::fs", "crate::ops"].as_slice(),
        ),
        (
            "engine/",
            ["crate::media", "crate::fs", "crate::ops"].as_slice(),
        ),
        (
            "media/",
            ["crate::engine", "crate::fs", "crate::ops"].as_slice(),
        ),
        (
            "fs/",
            ["crate::engine", "crate::media", "crate::ops"].as_slice(),
        ),
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

/// The layers, lowest first.
const LAYERS: [&str; 7] = [
    "codec/", "archive/", "format/", "engine/", "media/", "fs/", "ops/",
];

/// A later layer's `impl` of a type is a name, too: an earlier layer must not call its methods.
#[test]
fn no_layer_calls_methods_that_a_later_layer_defines() {
    let sources = sources();
    let layered: Vec<(usize, &Source)> = (sources.iter())
        .filter_map(|source| {
            let layer = LAYERS.iter().position(|it| source.path.starts_with(it))?;
            Some((layer, source))
        })
        .collect();
    // The layers that declare each type, and the first one that declares each function.
    let (mut types, mut functions) = (BTreeMap::new(), BTreeMap::new());
    for (layer, source) in &layered {
        for (_, line) in &source.lines {
            for keyword in ["struct ", "enum ", "trait "] {
                if let Some((_, after)) = line.split_once(keyword) {
                    let layers = types.entry(word(after)).or_insert_with(BTreeSet::new);
                    layers.insert(*layer);
                }
            }
            if let Some((_, after)) = line.split_once("fn ") {
                let first = functions.entry(word(after)).or_insert(*layer);
                *first = (*first).min(*layer);
            }
        }
    }
    // The methods of types that only an earlier layer declares.
    let mut later = BTreeMap::new();
    for (layer, source) in &layered {
        let mut is_foreign = false;
        for (_, line) in &source.lines {
            if line.starts_with("impl") {
                let mut parts = line.split(['<', '>', ' ']);
                let layers = parts.find_map(|part| types.get(part));
                is_foreign =
                    !line.contains(" for ") && layers.is_some_and(|layers| !layers.contains(layer));
            } else if is_foreign
                && let Some((_, after)) = line.split_once("fn ")
                && functions[word(after)] == *layer
            {
                later.insert(word(after), *layer);
            }
        }
    }
    assert_eq!(later.get("spec"), Some(&2), "{later:?}");
    let mut found = Vec::new();
    for (layer, source) in &layered {
        for (n, line) in &source.lines {
            let is_std = line.contains("std::") || line.contains("core::");
            let calls = line
                .match_indices(['.', ':'])
                .map(|(at, _)| &line[at + 1..]);
            let is_later = |call: &str| {
                let name = word(call);
                let is_call = call[name.len()..].starts_with('(');
                is_call && later.get(name).is_some_and(|first| first > layer)
            };
            if !is_std && calls.into_iter().any(is_later) {
                found.push(format!("  src/{}:{n}: {line}", source.path));
            }
        }
    }
    let found = found.join("\n");
    assert!(found.is_empty(), "a method of a later layer:\n{found}");
}

/// The identifier at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn one_file_names_the_simd_crate() {
    nowhere("a second file names SIMD", &["fearless_simd"], |path| {
        path != "codec/encode/find.rs" && path != "lib.rs"
    });
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
fn one_folder_joins_archives_and_codings() {
    nowhere(
        "something else in src/archive or src/format names the codec, or deflate",
        &["crate::codec", "flate2"],
        |path| {
            let container = path.starts_with("archive/") || path.starts_with("format/");
            // `format.rs` re-exports the codec's types that later layers need, and an archive's error
            // contains the codec's.
            let is_joint = ["archive/format.rs", "archive/error.rs"].contains(&path);
            container && !is_joint && !path.starts_with("archive/content/")
        },
    );
}

/// It must compile without a file system, for a web page.
#[test]
fn the_library_without_features_names_a_file_where_it_is_opened_and_read_only() {
    nowhere(
        "a file system, threads or the environment in what has no feature",
        &[
            "std::fs",
            "std::env",
            "std::thread",
            "std::process",
            "std::net",
        ],
        |path| {
            let layers = ["codec/", "archive/", "format/", "engine/", "media/"];
            layers.iter().any(|layer| path.starts_with(layer))
                && !["archive/source.rs", "format/open.rs"].contains(&path)
        },
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
        // The files of the page's program are in memory: see `src/web/system.js`.
        |path| !path.starts_with("fs/") && !path.starts_with("web/"),
    );
}

#[test]
fn what_not_every_system_has_is_called_in_the_files_meant_for_it() {
    let meant = [
        "archive/source.rs", // reading at an offset
        "archive/path.rs",   // names that are not UTF-8
        "fs/unix.rs",        // all output
        "fs/portable.rs",    // output on other systems
        "cli/exit.rs",       // signals
        "cli/output.rs",     // whether standard output is closed
        "cli/terminal.rs",   // the terminal's size
    ];
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
        |path| !meant.contains(&path),
    );
}

#[test]
fn only_the_command_prints_and_the_pages_program_in_one_file() {
    nowhere(
        "a file outside of src/cli prints",
        &[
            "println!", "print!", "eprint!", "dbg!", "stdout()", "stderr()",
        ],
        |path| !path.starts_with("cli/") && path != "web/report.rs",
    );
}

#[test]
fn there_is_no_unsafe_code_and_all_roots_forbid_it() {
    nowhere("unsafe code", &["unsafe "], |_| true);
    for root in ["lib.rs", "main.rs", "web/main.rs"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(root);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains("#![forbid(unsafe_code)]"), "src/{root}");
    }
}

#[test]
fn no_folder_holds_a_single_file() {
    let mut entries = BTreeMap::new();
    for source in sources() {
        // A folder inside of a folder counts as one entry.
        let mut path = source.path.as_str();
        while let Some((folder, entry)) = path.rsplit_once('/') {
            entries
                .entry(folder.to_owned())
                .or_insert_with(BTreeSet::new)
                .insert(entry.to_owned());
            path = folder;
        }
    }
    for (folder, entries) in entries {
        assert!(entries.len() > 1, "src/{folder} has one file");
    }
}

#[test]
fn the_files_that_newcomers_are_sent_to_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The package does not contain it.
    let Ok(text) = fs::read_to_string(root.join(".github/CONTRIBUTING.md")) else {
        return;
    };
    let files = text.split('`').filter(|word| {
        let is_path = word.starts_with("src/") || word.starts_with("tests/");
        is_path && word.ends_with(".rs") && !word.contains("VERB") && !word.contains("TYPE")
    });
    let missing: Vec<&str> = files.filter(|file| !root.join(file).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn no_two_files_import_each_other_in_a_circle() {
    let found: Vec<String> = (circles(&sources()).iter())
        .map(|circle| format!("{circle:#?}"))
        .collect();
    assert!(
        found.is_empty(),
        "files import each other:\n{}",
        found.join("\n")
    );
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    let circle_of = |files: &[(&str, &str)]| {
        let sources: Vec<Source> = (files.iter())
            .map(|(path, text)| Source {
                path: (*path).to_owned(),
                lines: code(text),
            })
            .collect();
        let files = circles(&sources)
            .into_iter()
            .flat_map(|circle| circle.into_keys());
        files.collect::<Vec<_>>().join(" ")
    };
    let parent = ("a/mod.rs", "mod b;\nmod c;\npub use b::B;\npub struct A;");
    for (b, c, expected) in [
        ("use super::c::C;", "use super::b::B;", "a/b.rs a/c.rs"),
        (
            "use crate::a::{\n    c::{self, C},\n};",
            "use super::B as D;",
            "a/b.rs a/c.rs",
        ),
        (
            "fn f() { super::c::C }",
            "fn f(b: crate::a::B) {}",
            "a/b.rs a/c.rs",
        ),
        ("use super::c::*;", "", ""),
        // Items that the parent defines, and items that it re-exports.
        ("use super::A;", "", "a/b.rs a/mod.rs"),
        (
            "use super::c::C;",
            "use super::A;",
            "a/b.rs a/c.rs a/mod.rs",
        ),
        ("", "use super::B;\nuse super::A;", ""),
        (
            "// use super::A;\n#[cfg(test)]\nmod tests {\n    use super::super::A;",
            "",
            "",
        ),
    ] {
        assert_eq!(
            circle_of(&[parent, ("a/b.rs", b), ("a/c.rs", c)]),
            expected,
            "{b} {c}"
        );
    }
    let system = (
        "a/mod.rs",
        "#[cfg_attr(unix, path = \"b.rs\")]\nmod system;\nmod c;",
    );
    let files = [
        system,
        ("a/b.rs", "use super::c::C;"),
        ("a/c.rs", "use super::system;"),
    ];
    assert_eq!(circle_of(&files), "a/b.rs a/c.rs");
}

/// The path of a module from its crate's root.
type Module = Vec<String>;

/// The groups of files that import each other, each file with those of its group that it imports.
fn circles(sources: &[Source]) -> Vec<BTreeMap<String, BTreeSet<String>>> {
    let imports = Crate::new(sources).imports();
    let reached: BTreeMap<&String, BTreeSet<&String>> = imports
        .keys()
        .map(|start| {
            let (mut reached, mut open) = (BTreeSet::new(), vec![start]);
            while let Some(file) = open.pop() {
                open.extend(imports[file].iter().filter(|file| reached.insert(*file)));
            }
            (start, reached)
        })
        .collect();
    let mut circles = BTreeMap::new();
    for file in imports.keys().filter(|file| reached[file].contains(file)) {
        let is_in =
            |other: &&String| reached[file].contains(other) && reached[other].contains(file);
        let circle: BTreeSet<&String> = imports.keys().filter(is_in).collect();
        let inside = imports[file].iter().filter(|it| circle.contains(it));
        let inside: BTreeSet<String> = inside.cloned().collect();
        let first = circle.first().copied();
        let circle: &mut BTreeMap<_, _> = circles.entry(first).or_default();
        circle.insert(file.clone(), inside);
    }
    circles.into_values().collect()
}

/// All modules, by what they import.
struct Crate<'a> {
    /// Each module with its files: more than one where each system has its own.
    files: BTreeMap<Module, Vec<&'a Source>>,
    /// The names that each module imports, with the paths that they stand for.
    names: BTreeMap<Module, BTreeMap<String, Module>>,
    /// All paths in a module: those that it imports, and those that stand in its code.
    paths: BTreeMap<Module, Vec<Module>>,
}

impl<'a> Crate<'a> {
    fn new(sources: &'a [Source]) -> Self {
        let elsewhere = declared_elsewhere(sources);
        let mut it = Self {
            files: BTreeMap::new(),
            names: BTreeMap::new(),
            paths: BTreeMap::new(),
        };
        for source in sources {
            let path = elsewhere.get(&source.path).unwrap_or(&source.path);
            let path = path.trim_end_matches(".rs");
            let path = path.strip_suffix("/mod").unwrap_or(path);
            let mut module: Module = path.split('/').map(str::to_owned).collect();
            if path == "lib" {
                module.clear();
            }
            let mut text = String::new();
            for (_, line) in &source.lines {
                // A visibility imports nothing.
                text.push_str(
                    &line
                        .replace("pub(in crate::ops)", "pub")
                        .replace("pub(in crate::media)", "pub"),
                );
                text.push('\n');
            }
            let (uses, rest) = split_uses(&text);
            let mut paths: Vec<Module> = words(&rest).filter(|path| path.len() > 1).collect();
            for tree in uses {
                let mut leaves = Vec::new();
                flatten(&tree, &[], &mut leaves);
                for (name, path) in leaves {
                    paths.push(path.clone());
                    let names = it.names.entry(module.clone()).or_default();
                    names.insert(name, path);
                }
            }
            it.paths.entry(module.clone()).or_default().extend(paths);
            it.files.entry(module).or_default().push(source);
        }
        it
    }

    /// Each file with those that it imports.
    fn imports(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, files) in &self.files {
            let targets = self.paths[module].iter();
            let targets = targets.filter_map(|path| self.resolve(module, path, 0));
            let targets: BTreeSet<String> = targets
                .filter(|target| target != module)
                .flat_map(|target| &self.files[&target])
                .map(|source| source.path.clone())
                .collect();
            for file in files {
                imports.insert(file.path.clone(), targets.clone());
            }
        }
        imports
    }

    /// The module that defines what a path in another module names, if it is one of ours.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut rest = path.iter().peekable();
        let mut at = from.clone();
        match rest.peek()?.as_str() {
            "crate" | "daisho" => {
                at.clear();
                rest.next();
            }
            "self" => drop(rest.next()),
            "super" => {
                while rest.next_if(|part| *part == "super").is_some() {
                    at.pop();
                }
            }
            child => {
                at.push(child.to_owned());
                if !self.files.contains_key(&at) {
                    return None;
                }
                rest.next();
            }
        }
        while let Some(part) = rest.next() {
            at.push(part.clone());
            if self.files.contains_key(&at) {
                continue;
            }
            at.pop();
            // A name that the module hands on leads to where it is defined.
            let handed_on = self.names.get(&at).and_then(|names| names.get(part));
            return match handed_on {
                Some(path) if depth < 10 => {
                    let path: Module = path.iter().chain(rest).cloned().collect();
                    self.resolve(&at, &path, depth + 1)
                }
                _ => self.files.contains_key(&at).then_some(at),
            };
        }
        self.files.contains_key(&at).then_some(at)
    }
}

/// Files that a `path` attribute gives to a module, with the paths that they would have without.
fn declared_elsewhere(sources: &[Source]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for source in sources {
        let folder = source
            .path
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        let mut files = Vec::new();
        for (_, line) in &source.lines {
            if let Some((_, path)) = line.split_once("path = \"") {
                files.extend(path.split_once('"').map(|(path, _)| path));
            } else if let Some((_, name)) = line.split_once("mod ") {
                let name = name.trim_end_matches(';');
                let moved = files.drain(..);
                found
                    .extend(moved.map(|it| (format!("{folder}/{it}"), format!("{folder}/{name}"))));
            }
        }
    }
    found
}

/// The trees of all `use` declarations, and the text without them.
fn split_uses(text: &str) -> (Vec<String>, String) {
    let (mut trees, mut rest, mut tree) = (Vec::new(), String::new(), None::<String>);
    for line in text.lines() {
        let begins = line.find("use ").filter(|&at| {
            let before = line[..at].trim_end();
            before.is_empty()
                || before == "pub"
                || before.starts_with("pub(") && before.ends_with(')')
        });
        match (&mut tree, begins) {
            (Some(tree), _) => tree.push_str(line),
            (None, Some(at)) => tree = Some(line[at + 4..].to_owned()),
            (None, None) => rest.extend([line, "\n"]),
        }
        if let Some(whole) = tree.take_if(|tree| tree.trim_end().ends_with(';')) {
            trees.push(whole.trim_end().trim_end_matches(';').to_owned());
        }
    }
    (trees, rest)
}

/// All paths in a text, those of a single part among them.
fn words(text: &str) -> impl Iterator<Item = Module> {
    let is_outside = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
    let paths = text.split(is_outside).filter(|path| !path.is_empty());
    paths.map(|path| {
        let parts = path.split("::").filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    })
}

/// The names that the tree of a `use` declaration makes known, each with its path.
fn flatten(tree: &str, above: &[String], leaves: &mut Vec<(String, Module)>) {
    let tree = tree.trim();
    if let Some((before, group)) = tree.split_once('{') {
        let above: Module = above
            .iter()
            .cloned()
            .chain(words(before).flatten())
            .collect();
        let group = group.trim_end().trim_end_matches('}');
        let (mut depth, mut start) = (0, 0);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    flatten(&group[start..at], &above, leaves);
                    start = at + 1;
                }
                _ => {}
            }
        }
        flatten(&group[start..], &above, leaves);
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path: Module = above.iter().cloned().chain(words(path).flatten()).collect();
        path.pop_if(|last| last == "self" && !above.is_empty());
        let name = match name.trim() {
            "" => path.last().cloned().unwrap_or_default(),
            name => name.to_owned(),
        };
        leaves.push((name, path));
    }
}
