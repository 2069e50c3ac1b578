//! What the files of an archive are, by their first bytes, and which of them an engine cannot read.
//!
//! Only entries whose extension is that of a type that is known are looked at, and of each only its header;
//! of a map of Daikatana some leafs as well. What is compressed is decoded so far and no further.

use std::collections::BTreeMap;

use crate::archive::{Archive, Entry};
use crate::engine::Engines;
use crate::media::{self, Depth, FileType, Found};
use crate::ops::context::Context;
use crate::ops::read::entry_source::{EntrySource, start_limit};
use crate::ops::row::{Content, Contrary, Held, Named, Unread};

/// Files by their type and, of maps of Daikatana, the length of their leafs.
type Kinds = BTreeMap<(FileType, u64), Vec<Named>>;

impl Content {
    /// Looks at the entries of an archive, on all threads, and finds what these engines cannot read.
    pub(super) fn of(context: &Context<'_>, archive: &Archive, engines: Engines) -> Self {
        let worth = |entry: &Entry<'_>| {
            entry.size() > 0 && media::is_worth_a_look(entry.name()) && entry.check_claims().is_ok()
        };
        let entries: Vec<Entry<'_>> = archive.entries().filter(worth).collect();
        let limit = start_limit(&entries);
        let found = context
            .pool
            .map(&entries, || (), |(), entry| look(*entry, limit));
        let mut content = Self::default();
        let mut kinds: Kinds = BTreeMap::new();
        for (entry, found) in entries.iter().zip(found) {
            let entry = Named {
                index: entry.index(),
                name: entry.name().as_bytes().to_vec(),
            };
            let Some(found) = found else {
                content.unreadable.push(entry);
                continue;
            };
            if found.is_contrary() {
                content.contrary.push(Contrary {
                    entry: entry.clone(),
                    found: found.file_type,
                });
            }
            if let Some(file_type) = found.file_type {
                // Maps of which it is not certain come last.
                let leaf_bytes = found.number("leaf_bytes").unwrap_or(u64::MAX);
                kinds
                    .entry((file_type, leaf_bytes))
                    .or_default()
                    .push(entry);
            }
        }
        content.unread = unread(&kinds, engines);
        let kind = |((file_type, leaf_bytes), entries)| Held {
            file_type,
            leaf_bytes: Some(leaf_bytes).filter(|it| *it != u64::MAX),
            entries,
        };
        content.kinds = kinds.into_iter().map(kind).collect();
        content
    }
}

/// Looks at an entry; nothing where it cannot be read.
fn look(entry: Entry<'_>, limit: u64) -> Option<Found> {
    let source = EntrySource::start(entry, limit).ok()?;
    media::facts(entry.name(), &source, Depth::Type).ok()
}

/// For each of these engines the files that it cannot read. Music is not judged: most engines play it by
/// other means than effects.
fn unread(kinds: &Kinds, engines: Engines) -> Vec<Unread> {
    let mut counts: BTreeMap<FileType, usize> = BTreeMap::new();
    for ((file_type, _), entries) in kinds {
        let judged = entries
            .iter()
            .filter(|entry| !is_music(&entry.name))
            .count();
        if judged > 0 && !file_type.shares_extensions() {
            *counts.entry(*file_type).or_default() += judged;
        }
    }
    let mut unread = Vec::new();
    for engine in engines.iter() {
        for (&file_type, &count) in &counts {
            if engine.reads(file_type.as_str()) == Some(false) {
                unread.push(Unread {
                    engine,
                    file_type,
                    count,
                });
            }
        }
    }
    unread
}

/// Whether it lies where games keep their music.
fn is_music(name: &[u8]) -> bool {
    let folder = name.get(..6).unwrap_or_default();
    folder.eq_ignore_ascii_case(b"music/") || folder.eq_ignore_ascii_case(b"music\\")
}
