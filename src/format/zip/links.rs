//! Symbolic links in a ZIP, read as what they lead to: another entry, never anything outside.

use bstr::ByteSlice as _;

use crate::archive::{Archive, Case, Flaw, Which};

/// The longest target of a symbolic link.
const TARGET_MAX: u64 = 4 << 10;

/// How many symbolic links are followed, one to the next.
const LINKS_MAX: usize = 8;

/// Makes symbolic links what they lead to: each gets the payload of that entry. One that leads nowhere
/// in the archive, outside of it, or in a circle, cannot be read.
pub(crate) fn follow_links(archive: &mut Archive, links: &[usize]) {
    let steps: Vec<(usize, Result<usize, Flaw>)> = links
        .iter()
        .filter(|index| archive.flaw(**index).is_none())
        .filter_map(|index| Some((*index, target(archive, *index)?)))
        .collect();
    let step = |index: usize| {
        let found = steps.binary_search_by_key(&index, |(of, _)| *of).ok()?;
        steps.get(found).map(|(_, to)| to.clone())
    };
    let end = |from: usize| {
        let mut at = from;
        // Where the last of them leads is looked at, too.
        for _ in 0..=LINKS_MAX {
            match step(at) {
                None => return Ok(at),
                Some(to) => at = to?,
            }
        }
        let link = archive.entry(from).and_then(|link| link.read().ok());
        Err(Flaw::Link(link.unwrap_or_default().into()))
    };
    let ends: Vec<(usize, Result<usize, Flaw>)> =
        steps.iter().map(|(of, _)| (*of, end(*of))).collect();
    archive.redirect(ends);
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
