//! The prefix of each archive's names in a snapshot.
//!
//! It is the archive's path from the directory that was searched. If another archive has the same path, a
//! different prefix makes it unique.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use bstr::ByteSlice as _;

use crate::ops::snapshot::Snapshot;
use crate::ops::source::{Input, Inputs};

/// The prefixes of all archives of a run.
#[derive(Debug)]
pub(super) struct InputPrefixes {
    /// Prefixes that differ from the path below the searched directory, by the archive's path.
    own: HashMap<PathBuf, Vec<u8>>,
}

impl InputPrefixes {
    /// Finds the archives that need another prefix than the usual one, or have one in the old snapshot.
    pub(super) fn new(inputs: &Inputs, old: Option<&Snapshot>) -> Self {
        let relatives = all(inputs).map(|it| (bytes(&it.path), it.relative.as_path()));
        let relatives = relatives.collect();
        let choice = |input| Choice::of(input, &relatives);
        let mut choices: Vec<Choice<'_>> = all(inputs).map(choice).collect();
        if let Some(old) = old {
            let usual: HashSet<Vec<u8>> = choices.iter().map(|it| it.prefix().to_vec()).collect();
            for choice in &mut choices {
                choice.remember(old, &usual);
            }
        }
        while set_apart(&mut choices) {}
        let own = choices.iter_mut().filter_map(|choice| {
            let prefix = choice.prefixes.pop().filter(|_| choice.is_own)?;
            Some((choice.path.to_path_buf(), prefix))
        });
        Self { own: own.collect() }
    }

    /// The prefix of an archive's names.
    pub(super) fn of(&self, input: &Input) -> Vec<u8> {
        let own = self.own.get(&input.path).cloned();
        own.unwrap_or_else(|| prefix(&input.relative))
    }
}

/// Everything that a search found, whether it is an archive or not.
pub(super) fn all(inputs: &Inputs) -> impl Iterator<Item = &Input> {
    let passed_over = inputs.passed_over.iter().map(|(input, _)| input);
    inputs.archives.iter().chain(passed_over)
}

/// The possible prefixes of an archive.
struct Choice<'a> {
    path: &'a Path,
    /// The possible prefixes. The last one counts, and `take_next` removes it. At first the last is the usual
    /// prefix. The first is the path as the user would write it.
    prefixes: Vec<Vec<u8>>,
    /// Whether the prefix is not the usual one.
    is_own: bool,
}

impl<'a> Choice<'a> {
    fn of(input: &'a Input, relatives: &HashMap<&[u8], &Path>) -> Self {
        let usual = prefix(&input.relative);
        let outer = outer(bytes(&input.path), relatives);
        Self {
            path: &input.path,
            prefixes: vec![
                prefix(&input.path),
                outer.unwrap_or_else(|| usual.clone()),
                usual,
            ],
            is_own: false,
        }
    }

    /// The prefix that counts so far.
    fn prefix(&self) -> &[u8] {
        self.prefixes.last().map_or(&[], Vec::as_slice)
    }

    /// Drops the prefix that counts so far, so that the next one counts. `None` if there is no other.
    fn take_next(&mut self) -> Option<()> {
        let [_, .., _] = self.prefixes.as_slice() else {
            return None;
        };
        self.prefixes.pop()?;
        self.is_own = true;
        Some(())
    }

    /// Takes the prefix that the old snapshot has. Another archive with the usual prefix may have gone since then.
    fn remember(&mut self, old: &Snapshot, usual: &HashSet<Vec<u8>>) {
        if old.has_prefix(self.prefix()) {
            return;
        }
        let is_known = |prefix: &Vec<u8>| !usual.contains(prefix) && old.has_prefix(prefix);
        if let Some(known) = self.prefixes.iter().rposition(is_known) {
            self.prefixes.truncate(known + 1);
            self.is_own = true;
        }
    }
}

/// Gives archives with the same prefix their next one. Returns whether there were any.
fn set_apart(choices: &mut [Choice<'_>]) -> bool {
    let mut owners: HashMap<&[u8], Option<&Path>> = HashMap::new();
    for choice in &*choices {
        let owner = owners.entry(choice.prefix()).or_insert(Some(choice.path));
        *owner = owner.filter(|owner| *owner == choice.path);
    }
    let shared = owners.into_iter().filter(|(_, owner)| owner.is_none());
    let shared: HashSet<Vec<u8>> = shared.map(|(prefix, _)| prefix.to_vec()).collect();
    let alike = choices.iter_mut().filter(|it| shared.contains(it.prefix()));
    // `count` makes it visit all of them.
    alike.filter_map(|choice| choice.take_next()).count() > 0
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
