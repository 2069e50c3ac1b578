//! Resolves symbolic links in a ZIP to other entries, never to anything outside.

use std::collections::BTreeMap;

use bstr::ByteSlice as _;

use crate::archive::{Archive, Case, Flaw, Which};

/// The longest target of a symbolic link.
const TARGET_MAX: u64 = 4 << 10;

/// How many symbolic links are followed, one to the next.
const LINKS_MAX: usize = 8;

/// Gives each symbolic link the payload of the entry that it points to. A link to nothing, to the outside,
/// or in a circle cannot be read.
pub(super) fn follow_links(archive: &mut Archive) {
    let mut targets: BTreeMap<usize, Result<usize, Flaw>> = BTreeMap::new();
    for link in &archive.quirks().links {
        let link = *link as usize;
        if archive.flaw(link).is_none()
            && let Some(target) = target(archive, link)
        {
            targets.insert(link, target);
        }
    }
    let ends = targets
        .keys()
        .map(|link| (*link, last(archive, &targets, *link)));
    let ends = ends.collect();
    archive.redirect(ends);
}

/// The entry at the end of a chain of links.
fn last(
    archive: &Archive,
    targets: &BTreeMap<usize, Result<usize, Flaw>>,
    link: usize,
) -> Result<usize, Flaw> {
    let mut at = link;
    // The last target is examined, too.
    for _ in 0..=LINKS_MAX {
        match targets.get(&at) {
            None => return Ok(at),
            Some(target) => at = target.clone()?,
        }
    }
    let content = archive.entry(link).and_then(|link| link.read().ok());
    Err(Flaw::Link(content.unwrap_or_default().into()))
}

/// The entry that a symbolic link points to. `None` if it cannot be read: reading it will give the error.
fn target(archive: &Archive, index: usize) -> Option<Result<usize, Flaw>> {
    let link = archive.entry(index)?;
    if link.size() > TARGET_MAX {
        return Some(Err(Flaw::LongLink(link.size())));
    }
    let target = link.read().ok()?;
    Some(follow(archive, link.name().as_bytes(), &target))
}

/// The entry that a link with this name and this target points to.
fn follow(archive: &Archive, name: &[u8], target: &[u8]) -> Result<usize, Flaw> {
    let wrong = || Flaw::Link(target.into());
    let folder = name.rfind_byte(b'/').and_then(|at| name.get(..at));
    let mut path: Vec<&[u8]> = folder
        .into_iter()
        .flat_map(|it| it.split_str("/"))
        .collect();
    if target.starts_with(b"/") {
        return Err(wrong());
    }
    for part in target.split_str("/") {
        match part {
            b"" | b"." => {}
            b".." => {
                path.pop().ok_or_else(wrong)?;
            }
            part => path.push(part),
        }
    }
    let path = path.join(&b'/');
    let found = archive.get(&path);
    let found = found.or_else(|| archive.find(&path, Case::Ignored, Which::First));
    found.map(|entry| entry.index()).ok_or_else(wrong)
}
