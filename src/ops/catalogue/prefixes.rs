//! The prefix of each archive's names in a snapshot.
//!
//! It is the archive's path below the directory that was searched. If another archive has the same path there, it is the
//! archive's path as the user typed it.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use crate::ops::source::{Input, Inputs};

/// Everything that a search found, whether it is an archive or not.
pub(super) fn all(inputs: &Inputs) -> impl Iterator<Item = &Input> {
    let passed_over = inputs.passed_over.iter().map(|(input, _)| input);
    inputs.archives.iter().chain(passed_over)
}

/// The prefixes of all archives of a run, by their paths: as the user would write them, and below the searched
/// directory. Two arguments can lead to one archive, such as a directory and a directory in it.
pub(super) type InputPrefixes = HashMap<(PathBuf, PathBuf), Vec<u8>>;

/// Chooses the prefixes of all archives of a run.
pub(super) fn prefixes(inputs: &Inputs) -> InputPrefixes {
    let mut choices = Vec::new();
    for input in all(inputs) {
        choices.push(Choice {
            input,
            prefix: prefix(&input.relative),
        });
    }
    while set_apart(&mut choices) {}
    let mut prefixes = InputPrefixes::new();
    for Choice { input, prefix } in choices {
        prefixes.insert((input.path.clone(), input.relative.clone()), prefix);
    }
    prefixes
}

/// What the names of each archive begin with, without an old snapshot.
pub(in crate::ops) struct NamePrefixes {
    /// `None` if the user named a single file, whose names have no prefix.
    prefixes: Option<InputPrefixes>,
}

impl NamePrefixes {
    /// The prefixes of `inputs`, which are `several` if the user named several paths or a list.
    pub(in crate::ops) fn new(inputs: &Inputs, several: bool) -> Self {
        let has_prefixes = several || all(inputs).any(|input| input.found);
        Self {
            prefixes: has_prefixes.then(|| prefixes(inputs)),
        }
    }

    /// The prefix of an archive's names.
    pub(in crate::ops) fn of(&self, input: &Input) -> &[u8] {
        let key = (input.path.clone(), input.relative.clone());
        let prefixes = self.prefixes.as_ref();
        let prefix = prefixes.and_then(|prefixes| prefixes.get(&key));
        prefix.map_or(&[], Vec::as_slice)
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
