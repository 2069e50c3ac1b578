//! The archive as it will be: a list of entries, each from the old archive or from files.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::archive::{Archive, Case, Entry, RawName, ReadAt, quoted_name};
use crate::ops::context::Refusal;
use crate::ops::edit::old::Old;
use crate::ops::finding::Finding;
use crate::ops::row::ChangeRow;
use crate::ops::source::named::{in_folder_or_glob, lumps_named, without_dot};

/// An entry of the new archive.
#[derive(Clone)]
pub(super) struct NewEntry {
    /// Where its content comes from.
    pub(super) archive: Arc<Archive>,
    pub(super) index: usize,
    /// Its new name, if it gets one.
    pub(super) name: Option<Vec<u8>>,
}

impl NewEntry {
    /// The entry that its content comes from. It always exists.
    pub(super) fn source(&self) -> Option<Entry<'_>> {
        self.archive.entry(self.index)
    }

    fn name(&self) -> &[u8] {
        let own = || self.source().map_or(&[][..], |it| it.name().as_bytes());
        self.name.as_deref().unwrap_or_else(own)
    }
}

/// The archive as it will be.
pub(super) struct NewArchive<'a> {
    pub(super) old: &'a Old,
    pub(super) entries: Arc<[NewEntry]>,
    pub(super) changes: Vec<ChangeRow>,
    /// Warnings.
    pub(super) findings: Vec<Finding>,
}

impl<'a> NewArchive<'a> {
    /// The old archive, before the first change.
    pub(super) fn of(old: &'a Old) -> Self {
        let entry = |index| NewEntry { archive: Arc::clone(&old.archive), index, name: None };
        let entries = (0..old.archive.len()).map(entry).collect();
        Self { old, entries, changes: Vec::new(), findings: Vec::new() }
    }

    /// The entries as an archive, in which the next change finds names and contents. Contents are decoded when they are
    /// read.
    pub(super) fn now(&self) -> Result<Archive, Finding> {
        let size = |it: &NewEntry| it.source().map_or(0, |entry| entry.size());
        let named = self.entries.iter().map(|it| (it.name(), size(it)));
        let entries = Arc::clone(&self.entries);
        let open = move |name: &[u8], _: &Path| -> io::Result<Arc<dyn ReadAt>> {
            let entry = entries.iter().find(|it| it.name() == name).and_then(NewEntry::source);
            Ok(Arc::new(entry.ok_or(io::ErrorKind::NotFound)?.read()?))
        };
        let format = self.old.options.to;
        Ok(Archive::of_contents(&self.old.shown, format, named, Box::new(open))?)
    }
}

/// The numbers of the entries that a name means.
pub(super) fn meant_by(now: &Archive, name: &[u8]) -> Result<Vec<usize>, Refusal> {
    let name = without_dot(now, name);
    let mut meant: Vec<Entry<'_>> = now.find_all(name, Case::Matters).collect();
    if meant.is_empty() {
        meant.extend(only_lump(now, name)?);
    }
    if meant.is_empty() {
        meant = in_folder_or_glob(now, name)?;
    }
    Ok(meant.iter().map(Entry::index).collect())
}

/// The lump that has this as another name.
///
/// # Errors
/// If several lumps have it.
pub(super) fn only_lump<'n>(now: &'n Archive, name: &[u8]) -> Result<Option<Entry<'n>>, Finding> {
    let lumps = lumps_named(now, name);
    if lumps.len() > 1 {
        let names = lumps.iter().map(|it| quoted_name(it.name().as_bytes()).to_string());
        let names = names.collect::<Vec<_>>().join(" or ");
        let why = format!("{} could be {names}", quoted_name(name));
        let place = now.path().unwrap_or(Path::new(""));
        return Err(Finding::error(why).advice("give the whole name").at_path(place));
    }
    Ok(lumps.first().copied())
}

/// The old and the new name of an entry, with the extension of a lump where they leave it out.
pub(super) fn with_extensions(
    now: &Archive,
    from: &[u8],
    to: &[u8],
) -> Result<(Vec<u8>, Vec<u8>), Finding> {
    let (mut from, mut to) = (from.to_vec(), to.to_vec());
    if !now.format().is_some_and(|format| format.spec().has_lumps()) {
        return Ok((from, to));
    }
    if now.get(&from).is_none()
        && let Some(lump) = only_lump(now, &from)?
    {
        from = lump.name().as_bytes().to_vec();
    }
    if let Some(extension) = RawName::new(&from).extension()
        && RawName::new(&to).extension().is_none()
        && !to.ends_with(b"/")
    {
        to.push(b'.');
        to.extend_from_slice(extension);
    }
    Ok((from, to))
}
