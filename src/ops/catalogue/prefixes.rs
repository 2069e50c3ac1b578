//! The prefix of each archive's names in a snapshot.
//!
//! It is the archive's path below the directory that was searched. If another archive has the same path there, it is the
//! archive's path as the user typed it.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

use super::compare::Prefixes;
use crate::ops::source::{Input, Inputs};

/// What the names of each archive in a snapshot begin with.
#[derive(Debug)]
pub(in crate::ops) struct NamePrefixes<'a> {
    inputs: &'a Inputs,
    /// By the path as the user would write it, and the path below the searched directory: two arguments can lead to one
    /// archive, such as a directory and a directory in it. `None` if the user named a single file, whose names have no
    /// prefix.
    by_paths: Option<HashMap<(&'a Path, &'a Path), Vec<u8>>>,
}

impl<'a> NamePrefixes<'a> {
    /// The prefixes of everything that a search found, whether it is an archive or not. `several` says that the user
    /// named several paths or a list.
    pub(in crate::ops) fn new(inputs: &'a Inputs, several: bool) -> Self {
        let passed_over = inputs.passed_over.iter().map(|(input, _)| input);
        let mut choices = Vec::new();
        for input in inputs.archives.iter().chain(passed_over) {
            choices.push(Choice {
                input,
                prefix: prefix(&input.relative),
            });
        }
        // Whatever is found in a directory: an archive more or less changes no other line.
        let has_prefixes = several || choices.iter().any(|choice| choice.input.found);
        let by_paths = has_prefixes.then(|| {
            while set_apart(&mut choices) {}
            let paths = |input: &'a Input| (&*input.path, &*input.relative);
            let prefixes = choices.into_iter();
            prefixes.map(|it| (paths(it.input), it.prefix)).collect()
        });
        Self { inputs, by_paths }
    }

    /// The prefix of an archive's names.
    pub(in crate::ops) fn of<'s>(&'s self, input: &'s Input) -> &'s [u8] {
        let prefix =
            (self.by_paths.as_ref()).and_then(|it| it.get(&(&*input.path, &*input.relative)));
        prefix.map_or(&[], Vec::as_slice)
    }

    /// The prefixes of everything that a search found.
    pub(super) fn all(&self) -> HashSet<&[u8]> {
        let prefixes = self.by_paths.iter().flat_map(HashMap::values);
        prefixes.map(Vec::as_slice).collect()
    }

    /// The prefixes of the archives.
    pub(super) fn of_archives(&self) -> Prefixes {
        let archives = self
            .inputs
            .archives
            .iter()
            .filter(|_| self.by_paths.is_some());
        archives.map(|input| self.of(input).to_vec()).collect()
    }
}

/// An archive, and the prefix that it has so far.
struct Choice<'a> {
    input: &'a Input,
    prefix: Vec<u8>,
}

/// Gives archives with the same prefix their path as a prefix. Returns whether a prefix has changed.
fn set_apart(choices: &mut [Choice<'_>]) -> bool {
    let mut owners: HashMap<&[u8], &Path> = HashMap::new();
    let mut shared: HashSet<Vec<u8>> = HashSet::new();
    for choice in &*choices {
        let path = &choice.input.path;
        if *owners.entry(&choice.prefix).or_insert(path) != path {
            shared.insert(choice.prefix.clone());
        }
    }
    let mut is_any = false;
    for choice in choices {
        let typed = prefix(&choice.input.path);
        if choice.prefix != typed && shared.contains(&choice.prefix) {
            choice.prefix = typed;
            is_any = true;
        }
    }
    is_any
}

/// An archive's path and a slash, the same on every system.
fn prefix(path: &Path) -> Vec<u8> {
    let mut prefix = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => continue,
            Component::RootDir => {}
            Component::Prefix(_) | Component::ParentDir | Component::Normal(_) => {
                prefix.extend_from_slice(part.as_os_str().as_encoded_bytes());
            }
        }
        prefix.push(b'/');
    }
    prefix
}
