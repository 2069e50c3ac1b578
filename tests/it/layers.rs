//! Checks which part of `src` uses which: the layers, and the inner order of `ops`.

use crate::source::{self, Source};

/// The layers, lowest first. Those of one rank do not name each other.
const LAYERS: [&[&str]; 6] =
    [&["codec"], &["archive"], &["format"], &["engine", "media", "fs"], &["ops"], &["cli"]];

/// The inner order of `ops`: each part names only those before it.
const PARTS_OF_OPS: [&str; 25] = [
    "finding",
    "report",
    "json",
    "selection",
    "pool",
    "context",
    "source",
    "expansion",
    "stream",
    "catalogue",
    "row",
    "game",
    "pictures",
    "plan",
    "gather_files",
    "write",
    "other_palette",
    "base64",
    "read",
    "extract",
    "convert_pictures",
    "create",
    "convert",
    "edit",
    "undo",
];

/// The inner order of `media`.
const PARTS_OF_MEDIA: [&str; 18] = [
    "pixels",
    "quake",
    "quantize",
    "entities",
    "file_type",
    "fields",
    "colouring",
    "mips",
    "file",
    "types",
    "found",
    "look",
    "decode",
    "encode",
    "colours",
    "asked",
    "drawing",
    "png",
];

/// What only a few files may name: the words, where the rule holds, and the files that may.
const ALONE: [(&[&str], &[&str], &[&str]); 5] = [
    (&["rayon"], &[""], &["ops/pool.rs"]),
    (&["indicatif"], &[""], &["cli/", "main.rs"]),
    (&["clap"], &[""], &["cli/", "main.rs"]),
    // What has no feature compiles without a file system, for a web page.
    (
        &["std::fs", "std::env", "std::thread", "std::process", "std::net"],
        &["codec/", "archive/", "format/", "engine/", "media/"],
        &["archive/source.rs", "format/open.rs"],
    ),
    (
        &[
            "File::create",
            "OpenOptions",
            "fs::write",
            "create_dir",
            "hard_link",
            "rename(",
            "remove_file",
            "remove_dir",
            "set_len(",
            "set_permissions",
            "cap_std",
        ],
        &[""],
        &["fs/", "web/"],
    ),
];

impl Source {
    fn module(&self) -> Vec<&str> {
        let path = self.path.trim_end_matches(".rs").trim_end_matches("/mod");
        path.split('/').collect()
    }

    fn rank(&self) -> usize {
        let own = LAYERS.iter().position(|it| it.contains(&self.module()[0]));
        own.unwrap_or(LAYERS.len())
    }

    /// The paths in its code, from the root of the crate.
    fn names(&self) -> Vec<Vec<&str>> {
        let (module, mut names) = (self.module(), Vec::new());
        let is_outside = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
        for word in self.code.split(is_outside).filter(|it| it.contains("::")) {
            let parts: Vec<&str> = word.split("::").collect();
            let above = parts.iter().take_while(|part| **part == "super").count();
            if parts[0] == "crate" {
                names.push(parts[1..].to_vec());
            } else if above > 0 {
                names.push([&module[..module.len() - above], &parts[above..]].concat());
            }
        }
        names
    }
}

#[test]
fn each_layer_names_only_those_below_it() {
    for source in source::all() {
        let later: Vec<&str> = LAYERS.into_iter().skip(source.rank()).flatten().copied().collect();
        for name in source.names() {
            let is_later = later.contains(&name[0]) && name[0] != source.module()[0];
            assert!(!is_later, "src/{} names {name:?}", source.path);
        }
    }
}

/// What `format` adds to types of `archive` is no name of a path, but `archive` must not need it either.
#[test]
fn the_archive_layer_calls_no_method_of_formats() {
    let all = source::all();
    let (mut added, mut owner) = (Vec::new(), None);
    let of_formats = all.iter().filter(|it| it.path.starts_with("format/"));
    for line in of_formats.flat_map(|it| it.code.lines()) {
        if line.starts_with("impl") {
            let mut types = ["Archive", "Entry", "Format"].into_iter();
            owner = types.find(|owner| line.starts_with(&format!("impl {owner} {{")));
        } else if let Some(owner) = owner
            && let Some((_, rest)) = line.split_once(" fn ")
        {
            added.push((owner, rest.split(['(', '<']).next().unwrap()));
        }
    }
    assert!(added.contains(&("Format", "spec")) && added.len() > 10, "{added:?}");
    for source in all.iter().filter(|it| ["codec", "archive"].contains(&it.module()[0])) {
        for (owner, name) in &added {
            let is_called = source.code.contains(&format!(".{name}("))
                || source.code.contains(&format!("{owner}::{name}("));
            let is_own = all.iter().any(|it| {
                it.path.starts_with("archive/") && it.code.contains(&format!("fn {name}"))
            });
            assert!(is_own || !is_called, "src/{} calls {owner}::{name}", source.path);
        }
    }
}

/// Checks that each part of a layer names only those before it.
fn check_order(layer: &str, order: &[&str]) {
    for source in source::all() {
        let module = source.module();
        if module[0] != layer || module.len() < 2 {
            continue;
        }
        let mut parts = order.iter().copied();
        let before: Vec<&str> = parts.by_ref().take_while(|part| *part != module[1]).collect();
        for name in source.names() {
            // A name without a part hides what is used: it is a group, or something of the layer's `mod.rs`.
            if name.len() < 2 || name[0] != layer {
                continue;
            }
            let is_allowed = name[1] == module[1] || before.contains(&name[1]);
            assert!(is_allowed, "src/{} names {name:?}", source.path);
        }
    }
}

#[test]
fn each_part_of_ops_names_only_those_before_it() {
    check_order("ops", &PARTS_OF_OPS);
}

#[test]
fn each_part_of_media_names_only_those_before_it() {
    check_order("media", &PARTS_OF_MEDIA);
}

#[test]
fn some_things_are_named_in_few_files() {
    for source in source::all() {
        let is_in = |places: &[&str]| places.iter().any(|it| source.path.starts_with(it));
        for (words, places, allowed) in ALONE {
            for word in words.iter().filter(|_| is_in(places) && !is_in(allowed)) {
                assert!(!source.code.contains(word), "src/{} names {word}", source.path);
            }
        }
    }
}
