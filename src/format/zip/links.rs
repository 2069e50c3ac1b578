//! Resolves symbolic links in a ZIP to other entries, never to anything outside.

use std::collections::BTreeMap;

use bstr::ByteSlice as _;

use crate::archive::{Archive, Case, Flaw, Which};

/// The longest target of a symbolic link.
const TARGET_MAX: u64 = 4 << 10;

/// How many bytes of a target are kept for a message.
const SHOWN_MAX: usize = 64;

/// How many symbolic links are followed, one to the next.
const LINKS_MAX: usize = 8;

/// Gives each symbolic link the payload of the entry that it points to. A link to nothing, to the outside,
/// to a folder, or in a circle cannot be read.
pub(crate) fn follow_links(archive: &mut Archive) {
    let mut links: Vec<usize> = Vec::new();
    for link in &archive.quirks().links {
        let link = *link as usize;
        if archive.flaw(link).is_none() {
            links.push(link);
        }
    }
    if links.is_empty() {
        return;
    }
    let names = SortedNames::of(archive);
    // Thousands of links may share one payload, which is read once.
    links.sort_by_key(|link| (payload(archive, *link), *link));
    let mut targets = BTreeMap::new();
    let mut last_read = (None, None);
    for link in links {
        let payload = payload(archive, link);
        if last_read.0 != payload {
            last_read = (payload, read_target(archive, link));
        }
        if let Some(text) = &last_read.1 {
            targets.insert(link, follow(archive, &names, link, text));
        }
    }
    let ends = targets.keys().map(|link| (*link, last(&targets, *link)));
    let ends = ends.collect();
    archive.redirect(ends);
}

/// Where a link leads.
struct LinkTarget {
    /// The entry, if there is one.
    entry: Option<usize>,
    /// Why the link cannot be read, unless its chain ends at a file.
    flaw: Flaw,
}

/// All numbers on which it depends whether a payload can be read, and as what.
fn payload(archive: &Archive, index: usize) -> Option<impl Ord + use<>> {
    let entry = archive.entry(index)?;
    let place = (entry.place(), entry.size());
    Some((place, entry.is_compressed(), entry.stated_crc32()))
}

/// The beginning of a target, for messages.
fn shown(target: &[u8]) -> Box<[u8]> {
    match target.get(..SHOWN_MAX) {
        Some(start) if start.len() < target.len() => [start, b"..."].concat().into(),
        _ => target.into(),
    }
}

/// The entry at the end of a chain of links.
fn last(targets: &BTreeMap<usize, LinkTarget>, link: usize) -> Result<usize, Flaw> {
    let mut at = link;
    // The last target is examined, too.
    for _ in 0..=LINKS_MAX {
        match targets.get(&at) {
            None => return Ok(at),
            Some(target) => at = target.entry.ok_or_else(|| target.flaw.clone())?,
        }
    }
    match targets.get(&link) {
        None => Ok(link),
        Some(target) => Err(target.flaw.clone()),
    }
}

/// The path in a link, or the flaw of one that is too long. `None` if it cannot be read: reading it will give
/// the error.
fn read_target(archive: &Archive, index: usize) -> Option<Result<Vec<u8>, Flaw>> {
    let link = archive.entry(index)?;
    if link.size() > TARGET_MAX {
        return Some(Err(Flaw::LongLink(link.size())));
    }
    Some(Ok(link.read().ok()?))
}

/// The names of all entries, sorted, so that a folder is found quickly.
struct SortedNames<'a>(Vec<&'a [u8]>);

impl<'a> SortedNames<'a> {
    fn of(archive: &'a Archive) -> Self {
        let mut names = Vec::with_capacity(archive.len());
        for entry in archive.entries() {
            names.push(entry.name().as_bytes());
        }
        names.sort_unstable();
        Self(names)
    }

    /// Whether an entry is in this folder. An empty path is the root.
    fn has_folder(&self, path: &[u8]) -> bool {
        let mut start = path.to_vec();
        if !path.is_empty() {
            start.push(b'/');
        }
        let at = self.0.partition_point(|name| *name < start.as_slice());
        self.0.get(at).is_some_and(|name| name.starts_with(&start))
    }
}

/// Where a link with this path in it leads.
fn follow(
    archive: &Archive,
    names: &SortedNames<'_>,
    link: usize,
    text: &Result<Vec<u8>, Flaw>,
) -> LinkTarget {
    let text = match text {
        Ok(text) => text,
        Err(flaw) => {
            return LinkTarget { entry: None, flaw: flaw.clone() };
        }
    };
    let name = archive.entry(link).map(|link| link.name());
    let path = name.and_then(|name| target_path(name.as_bytes(), text));
    let is_folder = path.as_ref().is_some_and(|path| names.has_folder(path));
    LinkTarget {
        entry: path.and_then(|path| find(archive, &path)),
        flaw: if is_folder { Flaw::LinkToFolder(shown(text)) } else { Flaw::Link(shown(text)) },
    }
}

/// The path in the archive that a link with this name and this target points to. `None` if it is outside.
fn target_path(name: &[u8], target: &[u8]) -> Option<Vec<u8>> {
    let folder = name.rfind_byte(b'/').and_then(|at| name.get(..at));
    let mut path: Vec<&[u8]> = folder.into_iter().flat_map(|it| it.split_str("/")).collect();
    if target.is_empty() || target.starts_with(b"/") {
        return None;
    }
    for part in target.split_str("/") {
        match part {
            b"" | b"." => {}
            b".." => {
                path.pop()?;
            }
            part => path.push(part),
        }
    }
    Some(path.join(&b'/'))
}

/// The entry at this path.
fn find(archive: &Archive, path: &[u8]) -> Option<usize> {
    let found = archive.get(path);
    let found = found.or_else(|| archive.find(path, Case::Ignored, Which::First));
    found.map(|entry| entry.index())
}
