//! What the files of an archive are, by their first bytes, and which of them each engine does not read.
//!
//! Only entries whose extension is that of a type that is known are looked at, and of each only its header;
//! of a map of Daikatana some leafs as well. What is compressed is decoded so far and no further.

use std::collections::BTreeMap;

use crate::archive::{Archive, Entry, FileType, RawName};
use crate::engine::{Engine, Engines, Reading};
use crate::media::map::Leafs;
use crate::media::{self, Facts, Found};
use crate::ops::pool::Pool;
use crate::ops::read::entry_source::{EntrySource, start_limit};

/// What the files of an archive are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// The files of each type, in the types' order.
    pub kinds: Vec<Kind>,
    /// The files that are something else than their names say.
    pub contrary: Vec<Contrary>,
    /// The entries whose headers could not be read.
    pub unreadable: Vec<usize>,
    /// For each engine that does not read all of it, what it does not read.
    pub unread: Vec<(Engine, Vec<Unread>)>,
}

/// Files of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The type.
    pub file_type: FileType,
    /// How long the leafs are, in maps of Daikatana.
    pub leafs: Option<Leafs>,
    /// The entries, by their numbers.
    pub entries: Vec<usize>,
}

/// A file that is something else than its name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrary {
    /// The entry's number.
    pub index: usize,
    /// What it is, where that is known.
    pub found: Option<FileType>,
}

/// Files of a type that an engine does not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The type.
    pub file_type: FileType,
    /// How many there are.
    pub count: usize,
    /// Where in the engine's source that was read.
    pub source: &'static str,
}

impl Content {
    /// Looks at the entries of an archive, on all threads. What is not read is said of these engines, or
    /// where there are none, of all.
    pub(super) fn of(archive: &Archive, only: Engines, pool: &Pool) -> Self {
        let worth = |entry: &Entry<'_>| {
            entry.size() > 0 && media::is_worth_a_look(entry.name()) && entry.check_claims().is_ok()
        };
        let entries: Vec<Entry<'_>> = archive.entries().filter(worth).collect();
        let limit = start_limit(&entries);
        let found = pool.map(&entries, || (), |(), entry| look(*entry, limit));
        let mut content = Self::default();
        let mut kinds: BTreeMap<(FileType, Option<Leafs>), Vec<usize>> = BTreeMap::new();
        for (entry, found) in entries.iter().zip(found) {
            let index = entry.index();
            let Some(found) = found else {
                content.unreadable.push(index);
                continue;
            };
            if found.is_contrary() {
                let found = found.file_type();
                content.contrary.push(Contrary { index, found });
            }
            if let Some(facts) = &found.facts {
                let leafs = match facts {
                    Facts::Map(map) => map.leafs,
                    _ => None,
                };
                let kind = kinds.entry((facts.file_type(), leafs)).or_default();
                kind.push(index);
            }
        }
        content.unread = unread(archive, &kinds, only);
        let kind = |((file_type, leafs), entries)| Kind {
            file_type,
            leafs,
            entries,
        };
        content.kinds = kinds.into_iter().map(kind).collect();
        content
    }

    /// How many files of a known type there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kinds.iter().map(|kind| kind.entries.len()).sum()
    }
}

/// Looks at an entry; nothing where it cannot be read.
fn look(entry: Entry<'_>, limit: u64) -> Option<Found> {
    let mut source = EntrySource::start(entry, limit).ok()?;
    media::look(entry.name(), &mut source).ok()
}

/// What of these files each engine does not read. Music is not judged: most engines play it by other
/// means than effects.
fn unread(
    archive: &Archive,
    kinds: &BTreeMap<(FileType, Option<Leafs>), Vec<usize>>,
    only: Engines,
) -> Vec<(Engine, Vec<Unread>)> {
    let is_judged = |index: &&usize| {
        let name = archive.entry(**index).map(|entry| entry.name());
        name.is_some_and(|name| !is_music(name))
    };
    let mut counts: BTreeMap<FileType, usize> = BTreeMap::new();
    for ((file_type, _), entries) in kinds {
        *counts.entry(*file_type).or_default() += entries.iter().filter(is_judged).count();
    }
    counts.retain(|_, count| *count > 0);
    let of_engine = |engine: Engine| {
        let unread = counts.iter().filter_map(|(file_type, count)| {
            let Reading::DoesNot(source) = engine.reading(*file_type) else {
                return None;
            };
            Some(Unread {
                file_type: *file_type,
                count: *count,
                source,
            })
        });
        (engine, unread.collect::<Vec<Unread>>())
    };
    let engines = Engine::ALL.into_iter();
    let engines = engines.filter(|engine| only.is_empty() || only.contains(*engine));
    let engines = engines.map(of_engine);
    engines.filter(|(_, unread)| !unread.is_empty()).collect()
}

/// Whether it lies where games keep their music.
fn is_music(name: RawName<'_>) -> bool {
    let folder = name.as_bytes().get(..6).unwrap_or_default();
    folder.eq_ignore_ascii_case(b"music/") || folder.eq_ignore_ascii_case(b"music\\")
}
