//! An entry of an open archive: its properties, their plausibility, and how to find it.

use core::fmt;
use std::path::Path;
use std::sync::Arc;

use super::container::{Archive, Coding, EntryRecord, Extent, LocalFacts};
use super::error::{Error, ErrorKind, Place};
use super::lookup::{Case, Index, Which};
use super::name::RawName;
use super::source::ArchiveSource;

impl Archive {
    /// Finds the first entry with exactly this name. Most engines serve that one.
    ///
    /// [`find`](Self::find) is for engines that ignore case, or that serve the last of several.
    #[must_use]
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<Entry<'_>> {
        self.find(name, Case::Matters, Which::First)
    }

    /// Like [`get`](Self::get), for callers to whom a missing entry is an error.
    ///
    /// ```
    /// let archive = daisho::Archive::open("corpus/game/data/pak1.pak")?;
    /// let error = archive.by_name("maps/e1m9.bsp").unwrap_err();
    /// let said = "corpus/game/data/pak1.pak: no entry is named \"maps/e1m9.bsp\"";
    /// assert_eq!(error.to_string(), said);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the archive has no entry with this name. The error names the archive and the entry.
    pub fn by_name(&self, name: impl AsRef<[u8]>) -> Result<Entry<'_>, Error> {
        let name = name.as_ref();
        let missing = || {
            let error = Error::from(ErrorKind::NoEntryNamed(name.into()));
            match self.path() {
                Some(path) => error.at_path(path),
                None => error,
            }
        };
        self.get(name).ok_or_else(missing)
    }

    /// Reads the content of the first entry with exactly this name.
    ///
    /// ```
    /// let archive = daisho::Archive::open("corpus/game/data/pak1.pak")?;
    /// assert_eq!(archive.read("skins/hero.tga")?.len(), 12_306);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the archive has no such entry, or it cannot be read or is damaged.
    pub fn read(&self, name: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
        self.by_name(name)?.read()
    }

    /// Decodes every entry to its end. Returns the error of each one that cannot be read or is damaged.
    ///
    /// ```
    /// let archive = daisho::Archive::open("corpus/game/data/pak1.pak")?;
    /// assert_eq!(archive.verify().count(), 0);
    /// # Ok::<(), daisho::Error>(())
    /// ```
    pub fn verify(&self) -> impl Iterator<Item = Error> {
        self.entries().filter_map(|entry| entry.verify().err())
    }

    /// The entry with this number, counted from 0.
    #[inline]
    #[must_use]
    pub fn entry(&self, index: usize) -> Option<Entry<'_>> {
        let record = self.contents.records.get(index)?;
        Some(Entry { archive: self, record, index })
    }

    /// Iterates over all entries, in the directory's order.
    pub fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator + Clone {
        let records = self.contents.records.iter().enumerate();
        records.map(|(index, record)| Entry { archive: self, record, index })
    }

    /// Finds the first or last entry with this name.
    #[must_use]
    pub fn find(&self, name: impl AsRef<[u8]>, case: Case, which: Which) -> Option<Entry<'_>> {
        let mut found = self.find_all(name, case);
        match which {
            Which::First => found.next(),
            Which::Last => found.next_back(),
        }
    }

    /// Finds all entries with this name, in the directory's order.
    pub fn find_all<N: AsRef<[u8]>>(
        &self,
        name: N,
        case: Case,
    ) -> impl DoubleEndedIterator<Item = Entry<'_>> + use<'_, N> {
        let names = || self.entries().map(|entry| entry.name().as_bytes());
        let index = self.index(case).get_or_init(|| Index::new(names(), case));
        index
            .candidates(name.as_ref())
            .filter_map(|number| self.entry(number))
            .filter(move |entry| index.case().same(entry.name().as_bytes(), name.as_ref()))
    }
}

/// An entry of an open archive. Copying it is cheap. None of its content is read until
/// [`read`](Self::read), [`reader`](Self::reader), [`payload`](Self::payload) or [`verify`](Self::verify) is
/// called.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    archive: &'a Archive,
    record: &'a EntryRecord,
    index: usize,
}

impl<'a> Entry<'a> {
    /// Its number in the directory, counted from 0.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The archive it is in.
    #[must_use]
    pub const fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// Its name.
    #[inline]
    #[must_use]
    pub fn name(&self) -> RawName<'a> {
        let start = self.record.name_at as usize;
        let end = start + usize::from(self.record.name_len);
        let name = self.archive.names().get(start..end);
        RawName::new(name.unwrap_or_default())
    }

    /// What the directory has of it.
    pub(crate) const fn record(&self) -> &'a EntryRecord {
        self.record
    }

    /// Its name in the file, with a beginning that is not part of it.
    pub(crate) fn whole_name(&self) -> &'a [u8] {
        let records = &self.archive.contents.records;
        let before = self.index.checked_sub(1).and_then(|before| records.get(before));
        let start = before.map_or(0, EntryRecord::name_end);
        self.archive.names().get(start..self.record.name_end()).unwrap_or_default()
    }

    /// The file that contains its content: the archive, or the file itself if the archive is a directory.
    /// `None` if there is no such file.
    #[must_use]
    pub fn path(&self) -> Option<&'a Path> {
        match &self.archive.store {
            ArchiveSource::One(_) => self.archive.path(),
            ArchiveSource::Each(files) => files.path(self.index),
        }
    }

    /// Whether it is a file in a directory.
    #[must_use]
    pub const fn is_file(&self) -> bool {
        matches!(self.archive.store, ArchiveSource::Each(_))
    }

    /// Its size, decompressed.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.record.size
    }

    /// The coding of its payload.
    #[must_use]
    pub const fn coding(&self) -> Coding {
        self.record.coding
    }

    /// Whether its payload is a compressed stream.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        !matches!(self.record.coding, Coding::Stored)
    }

    /// The CRC-32 of its content, if the archive contains it.
    #[must_use]
    pub const fn stated_crc32(&self) -> Option<u32> {
        self.record.crc32
    }

    /// Whether the payload is the content and has no checksum, so that it can be copied without being
    /// examined.
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.record.coding, Coding::Stored) && self.record.crc32.is_none()
    }

    /// The place of its payload and of the header that precedes it.
    pub(super) fn footprint(&self) -> Option<Extent> {
        match self.known_lead() {
            0 => self.place(),
            lead => {
                let len = self.stored_len().saturating_add(lead.into());
                Some(Extent { offset: self.offset(), len })
            }
        }
    }

    /// The length of its payload, as stated in the directory.
    #[must_use]
    pub const fn stored_len(&self) -> u64 {
        self.record.stored_len
    }

    /// The offset in the directory: of its payload, or of the header before it in a ZIP. Meaningless if the size is 0.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.record.offset
    }

    /// Its offset and the length of its payload, or `None` if it has none. Two entries share a payload if they have
    /// the same.
    #[must_use]
    pub fn place(&self) -> Option<Extent> {
        // An empty file in a ZIP may have a stream, which may be wrong.
        let streams = self.record.crc32.is_some() && self.record.stored_len > 0;
        (self.record.size > 0 || streams)
            .then_some(Extent { offset: self.record.offset, len: self.record.stored_len })
    }

    /// The place of its payload, or `None` if it has none. In a ZIP it is after a header, which is read unless
    /// [`Archive::check_headers`] has read all of them.
    ///
    /// # Errors
    /// If the header cannot be read, or contradicts the directory.
    pub fn extent(&self) -> Result<Option<Extent>, Error> {
        let Some(place) = self.place() else {
            return Ok(None);
        };
        let read = self.archive.read_header(self.index).map_err(|error| self.locate(error))?;
        match read {
            None => Ok(self.known_place()),
            Some(LocalFacts { flaw: Some(flaw), .. }) => {
                Err(self.locate(flaw.into()).at(place.offset))
            }
            Some(LocalFacts { lead, .. }) => {
                Ok(Some(Extent { offset: place.offset.saturating_add(lead.into()), ..place }))
            }
        }
    }

    /// The length of the header before its payload, or 0 if it was not read.
    fn known_lead(&self) -> u32 {
        self.archive.known_header(self.index).map_or(0, |header| header.lead)
    }

    /// The offset of its payload as far as it is known: of the header before it if none was read.
    pub(crate) fn known_offset(&self) -> u64 {
        self.offset().saturating_add(self.known_lead().into())
    }

    fn known_place(&self) -> Option<Extent> {
        self.place().map(|place| Extent { offset: self.known_offset(), ..place })
    }

    /// Checks whether the directory's claims are possible. Nothing is read or allocated for that.
    ///
    /// # Errors
    /// If the payload is outside of the file, its stream is too short for its size, or the entry has a
    /// [`Flaw`](super::Flaw).
    pub fn check_claims(&self) -> Result<(), Error> {
        if let Some((flaw, at)) = self.archive.flaw(self.index) {
            return Err(self.locate(flaw.clone().into()).at(at));
        }
        self.check_place(self.known_place())
    }

    /// Checks whether the payload can be at this place, and can have its size.
    pub(super) fn check_place(&self, place: Option<Extent>) -> Result<(), Error> {
        match self.impossible_size(place) {
            Some((kind, at)) => Err(self.locate(Error::new(kind)).at(at)),
            None => Ok(()),
        }
    }

    /// Whether the payload is inside the file and can hold as much as the entry claims.
    pub(crate) fn has_possible_size(&self) -> bool {
        self.impossible_size(self.known_place()).is_none()
    }

    /// Why the sizes that the directory claims are impossible, and the offset of the payload.
    fn impossible_size(&self, place: Option<Extent>) -> Option<(ErrorKind, u64)> {
        let extent = place.filter(|_| !self.is_file())?;
        let (size, file) = (self.record.size, self.archive.file_len());
        let most = self.record.coding.most(extent.len);
        let kind = if extent.end() > file {
            ErrorKind::OutsideFile { offset: extent.offset, len: extent.len, file }
        } else if most < size {
            ErrorKind::ImpossibleSize { size, packed: extent.len, most }
        } else {
            return None;
        };
        Some((kind, extent.offset))
    }

    /// Adds this entry to an error as its place, unless the error has one.
    #[must_use]
    pub fn locate(&self, mut error: Error) -> Error {
        self.locate_at(error.place_mut());
        error
    }

    /// Sets this entry as the place, unless one is set.
    pub(crate) fn locate_at(&self, place: &mut Place) {
        if let ArchiveSource::Each(files) = &self.archive.store
            && let Some(path) = files.path(self.index)
        {
            place.set_path(path);
            return;
        }
        place.set_entry(self.index, self.name());
        if let Some(path) = &self.archive.path {
            place.set_path(Arc::clone(path));
        }
    }
}

/// Whether it is the same entry of the same open archive.
impl PartialEq for Entry<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.archive.id(), self.index) == (other.archive.id(), other.index)
    }
}

impl Eq for Entry<'_> {}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("index", &self.index)
            .field("name", &self.name())
            .field("size", &self.size())
            .field("coding", &self.coding())
            .finish_non_exhaustive()
    }
}
