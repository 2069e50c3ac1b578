//! The prefix of each archive's names in a snapshot.
//!
//! It is the archive's path below the directory that was searched. If another archive has the same path there, it is the
//! archive's path as the user typed it.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};

use crate::ops::source::Input;

/// What the names of each archive begin with: nothing, if the user named a single file. `several` says that the user
/// named several paths or a list.
pub(crate) fn name_prefixes(inputs: &[Input], several: bool) -> Vec<Vec<u8>> {
    let mut prefixes = vec![Vec::new(); inputs.len()];
    // Whatever is found in a directory: an archive more or less changes no other line.
    if several || inputs.iter().any(|input| input.found) {
        for (own, input) in prefixes.iter_mut().zip(inputs) {
            *own = prefix(&input.relative);
        }
        while set_apart(inputs, &mut prefixes) {}
    }
    prefixes
}

/// Gives inputs with the same prefix their path as a prefix. Returns whether a prefix has changed.
fn set_apart(inputs: &[Input], prefixes: &mut [Vec<u8>]) -> bool {
    let mut owners: HashMap<&[u8], &Path> = HashMap::new();
    let mut shared: HashSet<Vec<u8>> = HashSet::new();
    for (input, prefix) in inputs.iter().zip(&*prefixes) {
        // Two arguments can lead to one archive, such as a directory and a directory in it.
        if *owners.entry(prefix).or_insert(&input.path) != input.path {
            shared.insert(prefix.clone());
        }
    }
    let mut is_any = false;
    for (input, own) in inputs.iter().zip(prefixes) {
        let typed = prefix(&input.path);
        if *own != typed && shared.contains(own) {
            *own = typed;
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
