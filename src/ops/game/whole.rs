//! What a game serves: of directories and archives, the base first, what is found under a name.

use crate::ops::finding::Finding;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use super::loose::archives_and_files;
use super::view::View;
use crate::archive::{Archive, Entry};
use crate::engine::{Engine, Names};
use crate::ops::context::{Context, Refusal};
use crate::ops::source::Selection;
use crate::ops::source::open;

/// A game.
#[derive(Debug)]
pub(in crate::ops) struct Game {
    /// Its directories, as the engine sees them, where one was named.
    view: Option<View>,
    /// Archives; without an engine also those of the directories, and these as archives.
    archives: Vec<Archive>,
    /// The entries of the archives by their names as they are compared: the archive and the entry, the
    /// last of each name.
    keys: HashMap<Vec<u8>, (usize, usize)>,
    /// How names that are asked for are compared.
    names: Names,
}

impl Game {
    /// Opens the directories and archives. What cannot be read becomes a finding where it was not named.
    pub(in crate::ops) fn open(
        context: &Context<'_>,
        paths: &[PathBuf],
        engine: Option<Engine>,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, Refusal> {
        let (mut folders, mut archives, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for path in paths {
            context.cancel.check()?;
            let is_folder = fs::metadata(path).map(|found| found.is_dir());
            match is_folder {
                Ok(true) if engine.is_some() => folders.push(path.clone()),
                Ok(true) => match archives_and_files(&context.system, path, context.open, findings)
                {
                    Ok(found) => archives.extend(found),
                    Err(error) => refused.push(error.in_pak(path)),
                },
                _ => match open(&context.system, path, context.open) {
                    Ok(archive) => archives.push(archive),
                    Err(error) => refused.push(error),
                },
            }
        }
        if !refused.is_empty() {
            return Err(Refusal(refused));
        }
        let mut view = match engine {
            Some(engine) if !folders.is_empty() => {
                Some(View::open_with_loose(context, &folders, engine)?)
            }
            _ => None,
        };
        findings.extend(view.iter_mut().flat_map(View::take_problems));
        Ok(Self {
            view,
            keys: keys(&archives, engine),
            archives,
            names: engine.map_or(Names::WIDEST, |engine| engine.profile().names),
        })
    }

    /// Whether something is served under a name.
    pub(in crate::ops) fn has(&self, name: &[u8]) -> bool {
        let view = self.view.as_ref();
        self.get(name).is_some() || view.is_some_and(|view| !view.find(name).is_empty())
    }

    /// What the archives serve under a name.
    pub(in crate::ops) fn get(&self, name: &[u8]) -> Option<Entry<'_>> {
        let key = self.names.of_request(name)?;
        self.keys.get(&*key).and_then(|place| self.entry(*place))
    }

    /// The files that are served and picked, those of one name once.
    pub(in crate::ops) fn files(&self, selection: &Selection) -> Vec<Entry<'_>> {
        let mut files = Vec::new();
        if let Some(view) = &self.view {
            files.extend(view.winners(selection, true).served);
        }
        let mut own: Vec<Entry<'_>> = self
            .keys
            .values()
            .filter_map(|place| self.entry(*place))
            .collect();
        own.retain(|entry| selection.picks(entry.name()));
        own.sort_by_key(|entry| entry.name().as_bytes());
        files.extend(own);
        files
    }

    fn entry(&self, (archive, index): (usize, usize)) -> Option<Entry<'_>> {
        self.archives.get(archive)?.entry(index)
    }
}

/// The entries of archives by their names as they are compared, the last of each name.
fn keys(archives: &[Archive], engine: Option<Engine>) -> HashMap<Vec<u8>, (usize, usize)> {
    let mut keys = HashMap::new();
    for (number, archive) in archives.iter().enumerate() {
        let profile = engine.map(Engine::profile);
        let names = profile.map_or(Names::WIDEST, |profile| profile.names_in(archive.format()));
        for entry in archive.entries() {
            if let Some(key) = names.of_entry(entry.name().as_bytes()) {
                keys.insert(key.into_owned(), (number, entry.index()));
            }
        }
    }
    keys
}
