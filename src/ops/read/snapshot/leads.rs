//! What leads the names of each archive of a run in a snapshot: its path from the directory that was
//! searched, and where that is the path of another one, too, another that is its own.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use bstr::ByteSlice as _;

use crate::archive::snapshot::Snapshot;
use crate::ops::source::{Input, Inputs};

/// What leads the names of each archive of a run.
#[derive(Debug)]
pub(super) struct InputLeads {
    /// Those that are not the path from the directory that was searched, by the archive's path.
    own: HashMap<PathBuf, Vec<u8>>,
}

impl InputLeads {
    /// Finds out which archives need one of their own, or have one in the old snapshot.
    pub(super) fn new(inputs: &Inputs, old: Option<&Snapshot>) -> Self {
        let relatives = all(inputs).map(|it| (bytes(&it.path), it.relative.as_path()));
        let relatives = relatives.collect();
        let choice = |input| Choice::of(input, &relatives);
        let mut choices: Vec<Choice<'_>> = all(inputs).map(choice).collect();
        if let Some(old) = old {
            let usual: HashSet<Vec<u8>> = choices.iter().map(|it| it.lead().to_vec()).collect();
            for choice in &mut choices {
                choice.remember(old, &usual);
            }
        }
        while set_apart(&mut choices) {}
        let own = choices.iter_mut().filter_map(|choice| {
            let lead = choice.leads.pop().filter(|_| choice.is_own)?;
            Some((choice.path.to_path_buf(), lead))
        });
        Self { own: own.collect() }
    }

    /// What leads the names of an archive.
    pub(super) fn of(&self, input: &Input) -> Vec<u8> {
        let own = self.own.get(&input.path).cloned();
        own.unwrap_or_else(|| lead(&input.relative))
    }
}

/// All that a search has found, taken for an archive or not.
pub(super) fn all(inputs: &Inputs) -> impl Iterator<Item = &Input> {
    let passed_over = inputs.passed_over.iter().map(|(input, _)| input);
    inputs.archives.iter().chain(passed_over)
}

/// What can lead the names of an archive.
struct Choice<'a> {
    path: &'a Path,
    /// From the path as the user would write it to the usual one. The last one counts.
    leads: Vec<Vec<u8>>,
    /// Whether it is not the usual one.
    is_own: bool,
}

impl<'a> Choice<'a> {
    fn of(input: &'a Input, relatives: &HashMap<&[u8], &Path>) -> Self {
        let usual = lead(&input.relative);
        let outer = outer(bytes(&input.path), relatives);
        Self {
            path: &input.path,
            leads: vec![
                lead(&input.path),
                outer.unwrap_or_else(|| usual.clone()),
                usual,
            ],
            is_own: false,
        }
    }

    /// What counts as yet.
    fn lead(&self) -> &[u8] {
        self.leads.last().map_or(&[], Vec::as_slice)
    }

    /// Takes the next one, if there is one.
    fn take_next(&mut self) -> Option<()> {
        let [_, .., _] = self.leads.as_slice() else {
            return None;
        };
        self.leads.pop()?;
        self.is_own = true;
        Some(())
    }

    /// Takes what the old snapshot has: the other archive of the usual one may have gone since.
    fn remember(&mut self, old: &Snapshot, usual: &HashSet<Vec<u8>>) {
        if old.has_lead(self.lead()) {
            return;
        }
        let is_known = |lead: &Vec<u8>| !usual.contains(lead) && old.has_lead(lead);
        if let Some(known) = self.leads.iter().rposition(is_known) {
            self.leads.truncate(known + 1);
            self.is_own = true;
        }
    }
}

/// Gives archives that have the same lead the next one, and says whether there were any.
fn set_apart(choices: &mut [Choice<'_>]) -> bool {
    let mut owners: HashMap<&[u8], Option<&Path>> = HashMap::new();
    for choice in &*choices {
        let owner = owners.entry(choice.lead()).or_insert(Some(choice.path));
        *owner = owner.filter(|owner| *owner == choice.path);
    }
    let shared = owners.into_iter().filter(|(_, owner)| owner.is_none());
    let shared: HashSet<Vec<u8>> = shared.map(|(lead, _)| lead.to_vec()).collect();
    let alike = choices.iter_mut().filter(|it| shared.contains(it.lead()));
    // All of them, and not only up to the first.
    alike.filter_map(|choice| choice.take_next()).count() > 0
}

/// What leads an archive within another one that was found, with the extension of that one.
fn outer(path: &[u8], relatives: &HashMap<&[u8], &Path>) -> Option<Vec<u8>> {
    path.rfind_iter("//").find_map(|at| {
        let (found, name) = path.split_at_checked(at)?;
        let relative = relatives.get(found)?;
        let mut lead = outer(found, relatives).unwrap_or_else(|| lead(relative));
        lead.extend_from_slice(name.get(2..)?);
        lead.push(b'/');
        Some(lead)
    })
}

/// An archive's path and a slash, the same on every system.
fn lead(path: &Path) -> Vec<u8> {
    let mut lead = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => continue,
            Component::RootDir => {}
            Component::Prefix(_) | Component::ParentDir | Component::Normal(_) => {
                lead.extend_from_slice(part.as_os_str().as_encoded_bytes());
            }
        }
        lead.push(b'/');
    }
    lead
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}
