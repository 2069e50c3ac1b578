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
    /// The name that it will have.
    pub(super) name: Vec<u8>,
}

/// The archive as it will be.
pub(super) struct NewArchive<'a> {
    pub(super) old: &'a Old,
    pub(super) entries: Arc<[NewEntry]>,
    /// The entries as an archive, in which a change finds the names and the contents that changes before it have left.
    pub(super) now: Archive,
    pub(super) changes: Vec<ChangeRow>,
    /// Warnings.
    pub(super) findings: Vec<Finding>,
}

impl<'a> NewArchive<'a> {
    /// The old archive, before the first change.
    pub(super) fn of(old: &'a Old) -> Result<Self, Refusal> {
        let entries = old.archive.entries().map(|entry| NewEntry {
            archive: Arc::clone(&old.archive),
            index: entry.index(),
            name: entry.name().as_bytes().to_vec(),
        });
        let entries: Arc<[_]> = entries.collect();
        let now = archive_of(old, &entries)?;
        Ok(Self { old, entries, now, changes: Vec::new(), findings: Vec::new() })
    }

    /// The archive after a change.
    pub(super) fn become_these(&mut self, entries: Vec<NewEntry>) -> Result<(), Refusal> {
        self.entries = entries.into();
        self.now = archive_of(self.old, &self.entries)?;
        Ok(())
    }

    /// The numbers of the entries that a name means.
    pub(super) fn meant_by(&self, name: &[u8]) -> Result<Vec<usize>, Refusal> {
        let name = without_dot(&self.now, name);
        let mut meant: Vec<Entry<'_>> = self.now.find_all(name, Case::Matters).collect();
        if meant.is_empty() {
            meant.extend(self.only_lump(name)?);
        }
        if meant.is_empty() {
            meant = in_folder_or_glob(&self.now, name)?;
        }
        Ok(meant.iter().map(Entry::index).collect())
    }

    /// The lump that has this as another name.
    ///
    /// # Errors
    /// If several lumps have it.
    pub(super) fn only_lump(&self, name: &[u8]) -> Result<Option<Entry<'_>>, Finding> {
        let lumps = lumps_named(&self.now, name);
        if lumps.len() > 1 {
            let names = lumps.iter().map(|it| quoted_name(it.name().as_bytes()).to_string());
            let names = names.collect::<Vec<_>>().join(" or ");
            let why = format!("{} could be {names}", quoted_name(name));
            return Err(Finding::error(why).advice("give the whole name").at_path(&self.old.shown));
        }
        Ok(lumps.first().copied())
    }

    /// The old and the new name of an entry, with the extension of a lump where they leave it out.
    pub(super) fn with_extensions(
        &self,
        from: &[u8],
        to: &[u8],
    ) -> Result<(Vec<u8>, Vec<u8>), Finding> {
        let (mut from, mut to) = (from.to_vec(), to.to_vec());
        if !self.old.options.to.spec().has_lumps() {
            return Ok((from, to));
        }
        if self.now.get(&from).is_none()
            && let Some(lump) = self.only_lump(&from)?
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
}

/// The entries as an archive of the old one's format. Their contents are decoded when they are read.
fn archive_of(old: &Old, entries: &Arc<[NewEntry]>) -> Result<Archive, Refusal> {
    let named = entries.iter().map(|NewEntry { archive, index, name }| {
        (&**name, archive.entry(*index).map_or(0, |entry| entry.size()))
    });
    let contents = Arc::clone(entries);
    let open = move |name: &[u8], _: &Path| -> io::Result<Arc<dyn ReadAt>> {
        let new = contents.iter().find(|it| it.name == name);
        let entry = new.and_then(|it| it.archive.entry(it.index));
        Ok(Arc::new(entry.ok_or(io::ErrorKind::NotFound)?.read()?))
    };
    let archive = Archive::of_contents(&old.shown, old.options.to, named, Box::new(open));
    Ok(archive.map_err(Finding::from)?)
}
