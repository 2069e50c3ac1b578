//! Symbolic links in a ZIP, read as what they lead to: another entry, never anything outside.

use std::collections::BTreeMap;

use bstr::ByteSlice as _;

use crate::archive::{Archive, Case, Flaw, Which};

/// The longest target of a symbolic link.
const TARGET_MAX: u64 = 4 << 10;

/// How many symbolic links are followed, one to the next.
const LINKS_MAX: usize = 8;

/// Makes symbolic links what they lead to: each gets the payload of that entry. One that leads nowhere
/// in the archive, outside of it, or in a circle, cannot be read.
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

/// The entry that a link leads to in the end, over others.
fn last(
    archive: &Archive,
    targets: &BTreeMap<usize, Result<usize, Flaw>>,
    link: usize,
) -> Result<usize, Flaw> {
    let mut at = link;
    // What the last of them leads to is looked at, too.
    for _ in 0..=LINKS_MAX {
        match targets.get(&at) {
            None => return Ok(at),
            Some(target) => at = target.clone()?,
        }
    }
    let content = archive.entry(link).and_then(|link| link.read().ok());
    Err(Flaw::Link(content.unwrap_or_default().into()))
}

/// Which entry a symbolic link names. Nothing where it cannot be read: whoever reads it will see why.
fn target(archive: &Archive, index: usize) -> Option<Result<usize, Flaw>> {
    let link = archive.entry(index)?;
    if link.size() > TARGET_MAX {
        return Some(Err(Flaw::LongLink(link.size())));
    }
    let target = link.read().ok()?;
    Some(follow(archive, link.name().as_bytes(), &target))
}

/// The entry that a link of this name with this target leads to.
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
