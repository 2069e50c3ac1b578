//! The types of the files in an archive, judged by their headers, and the files that an engine cannot read.
//!
//! Only entries with the extension of a known type are examined, and only their headers. For a map of Daikatana,
//! some leafs are read, too. Compressed entries are decoded up to that point.

use std::collections::BTreeMap;

use crate::archive::{Archive, Entry};
use crate::engine::Engines;
use crate::media::{Depth, FileType};
use crate::ops::context::Context;
use crate::ops::read::facts::headers_of;
use crate::ops::row::{Content, Contrary, EntryName, Held, Unread};

/// Files by their type and, for maps of Daikatana, the length of their leafs.
type Kinds = BTreeMap<(FileType, u64), Vec<EntryName>>;

impl Content {
    /// Looks at the entries of an archive, on all threads, and finds what these engines cannot read.
    pub(super) fn of(context: &Context<'_>, archive: &Archive, engines: Engines) -> Self {
        let entries: Vec<Entry<'_>> = archive.entries().collect();
        let headers = headers_of(context, &entries, Depth::Type);
        let mut content = Self::default();
        let mut kinds: Kinds = BTreeMap::new();
        for (entry, header) in entries.iter().zip(headers) {
            let Some(header) = header else { continue };
            let entry = EntryName {
                index: entry.index(),
                name: entry.name().as_bytes().to_vec(),
            };
            let Ok(found) = header else {
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

/// For each of these engines, the files that it cannot read. Music is not judged, because most engines do not play
/// it in the same way as effects.
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

/// Whether a file is in a folder where games keep their music.
fn is_music(name: &[u8]) -> bool {
    let folder = name.get(..6).unwrap_or_default();
    folder.eq_ignore_ascii_case(b"music/") || folder.eq_ignore_ascii_case(b"music\\")
}
