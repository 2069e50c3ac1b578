//! The prefix of each archive's names in a snapshot.
//!
//! It is the archive's path from the directory that was searched. If another archive has the same path, a
//! different prefix makes it unique.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use bstr::ByteSlice as _;

use crate::ops::snapshot::Snapshot;
use crate::ops::source::{Input, Inputs};

/// Everything that a search found, whether it is an archive or not.
pub(super) fn all(inputs: &Inputs) -> impl Iterator<Item = &Input> {
    let passed_over = inputs.passed_over.iter().map(|(input, _)| input);
    inputs.archives.iter().chain(passed_over)
}

/// The prefixes of all archives of a run, by their paths: as the user would write them, and below the searched
/// directory. Two arguments can lead to one archive, such as a directory and a directory in it.
pub(super) type InputPrefixes = HashMap<(PathBuf, PathBuf), Vec<u8>>;

/// Chooses the prefixes of all archives of a run. An archive keeps the prefix that it has in the old snapshot, because
/// another archive with the usual prefix may have gone since then.
pub(super) fn prefixes(inputs: &Inputs, old: Option<&Snapshot>) -> InputPrefixes {
    let relatives = all(inputs).map(|it| (bytes(&it.path), it.relative.as_path()));
    let relatives = relatives.collect();
    let mut choices: Vec<Choice<'_>> = all(inputs)
        .map(|input| Choice::of(input, &relatives))
        .collect();
    if let Some(old) = old {
        let usual: HashSet<Vec<u8>> = choices.iter().map(|it| it.prefix().to_vec()).collect();
        for choice in &mut choices {
            let is_known = |prefix: &Vec<u8>| !usual.contains(prefix) && old.has_prefix(prefix);
            if !old.has_prefix(choice.prefix()) {
                let known = choice.prefixes.iter().position(is_known);
                choice.taken = known.unwrap_or(choice.taken);
            }
        }
    }
    while set_apart(&mut choices) {}
    let mut prefixes = InputPrefixes::new();
    for (input, choice) in all(inputs).zip(choices) {
        let key = (input.path.clone(), input.relative.clone());
        prefixes.insert(key, choice.prefix().to_vec());
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
            prefixes: has_prefixes.then(|| prefixes(inputs, None)),
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

/// The possible prefixes of an archive.
struct Choice<'a> {
    path: &'a Path,
    /// The usual prefix, the name in the outer archive after that one's prefix, and the path as the user would write
    /// it.
    prefixes: [Vec<u8>; 3],
    /// Which of them is taken.
    taken: usize,
}

impl<'a> Choice<'a> {
    fn of(input: &'a Input, relatives: &HashMap<&[u8], &Path>) -> Self {
        let usual = prefix(&input.relative);
        let outer = outer(bytes(&input.path), relatives);
        let outer = outer.unwrap_or_else(|| usual.clone());
        Self {
            path: &input.path,
            prefixes: [usual, outer, prefix(&input.path)],
            taken: 0,
        }
    }

    fn prefix(&self) -> &[u8] {
        self.prefixes.get(self.taken).map_or(&[], Vec::as_slice)
    }
}

/// Gives archives with the same prefix their next one. Returns whether there were any.
fn set_apart(choices: &mut [Choice<'_>]) -> bool {
    let mut owners: HashMap<&[u8], &Path> = HashMap::new();
    let mut shared: HashSet<Vec<u8>> = HashSet::new();
    for choice in &*choices {
        if *owners.entry(choice.prefix()).or_insert(choice.path) != choice.path {
            shared.insert(choice.prefix().to_vec());
        }
    }
    let mut is_any = false;
    for choice in choices {
        if choice.taken + 1 < choice.prefixes.len() && shared.contains(choice.prefix()) {
            choice.taken += 1;
            is_any = true;
        }
    }
    is_any
}

/// The prefix of an archive inside another archive that was found: the prefix of the outer one, then the name in
/// it.
fn outer(path: &[u8], relatives: &HashMap<&[u8], &Path>) -> Option<Vec<u8>> {
    path.rfind_iter("//").find_map(|at| {
        let (found, name) = path.split_at_checked(at)?;
        let relative = relatives.get(found)?;
        let mut prefix = outer(found, relatives).unwrap_or_else(|| prefix(relative));
        prefix.extend_from_slice(name.get(2..)?);
        prefix.push(b'/');
        Some(prefix)
    })
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

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
