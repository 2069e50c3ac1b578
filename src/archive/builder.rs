//! Builds an archive whose directory the caller has read, for formats that daisho does not know.

use core::fmt;
use std::path::Path;
use std::sync::Arc;

use super::container::{Archive, ArchiveContents, Coding, EntryRecord, Extent, ReadOptions};
use super::error::Error;
use super::flaw::Flaw;
use super::format::Format;
use super::name::RawName;
use super::source::{ArchiveSource, Files, LooseFile, OpenFile, ReadAt};

/// Builds an [`Archive`] of a format of your own: you read its directory, and add its entries. Everything
/// else then works with it: reading and decoding entries, finding them, [`Archive::account`], and writing
/// them into another archive.
///
/// Build's GRP archives have a magic of twelve bytes, the number of files, and a name of twelve bytes and a
/// size for each file; the contents follow in that order:
///
/// ```
/// use daisho::archive::{ArchiveBuilder, Coding, Extent, RawName};
/// use daisho::{Archive, Error};
///
/// fn open_grp(bytes: Vec<u8>) -> Result<Archive, Error> {
///     let mut grp = ArchiveBuilder::new("grp");
///     let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
///     let count = bytes.get(12..16).map_or(0, number);
///     let mut offset = 16 + 16 * u64::from(count);
///     for record in bytes[16..].chunks_exact(16).take(count as usize) {
///         let name = RawName::from_field(&record[..12]);
///         let len = u64::from(number(&record[12..]));
///         grp.entry(name, Extent { offset, len }, len, Coding::Stored)?;
///         offset += len;
///     }
///     grp.open(bytes)
/// }
///
/// let grp = b"KenSilverman\x02\0\0\0A.MAP\0\0\0\0\0\0\0\x03\0\0\0B.ART\0\0\0\0\0\0\0\x02\0\0\0mapar";
/// let archive = open_grp(grp.to_vec())?;
/// assert_eq!(archive.format_word(), "grp");
/// assert_eq!(archive.get("B.ART").unwrap().read()?, b"ar");
/// # Ok::<(), Error>(())
/// ```
pub struct ArchiveBuilder {
    contents: ArchiveContents,
}

impl ArchiveBuilder {
    /// Creates a builder without entries, for a format of this name.
    #[must_use]
    pub fn new(format: &'static str) -> Self {
        let contents = ArchiveContents::other(format);
        Self { contents }
    }

    /// Adds an entry: its name, the place of its payload, its decoded size, and its coding.
    ///
    /// An entry whose payload is outside of the file, or cannot have its size, is added, too. Reading it
    /// returns an error that says why.
    ///
    /// # Errors
    /// If the name has more than 65,535 bytes, or all names have 4 GiB. Then the entry is not added.
    pub fn entry(
        &mut self,
        name: RawName<'_>,
        payload: Extent,
        size: u64,
        coding: Coding,
    ) -> Result<(), Error> {
        let packed = payload.len;
        let is_wrong = coding == Coding::Stored && packed != size;
        let record = EntryRecord {
            offset: payload.offset,
            size,
            stored_len: packed,
            coding,
            ..EntryRecord::default()
        };
        let flaw = is_wrong.then_some(Flaw::StoredLength { size, packed });
        self.contents.add(name.as_bytes(), record, flaw)?;
        Ok(())
    }

    /// Opens the archive with these entries, whose payloads are in `source`.
    ///
    /// # Errors
    /// If the length of the source cannot be determined.
    pub fn open(self, source: impl ReadAt + 'static) -> Result<Archive, Error> {
        let len = source.size().map_err(Error::from_io)?;
        Ok(self.build(ArchiveSource::One(Arc::new(source)), None, len))
    }

    fn build(self, store: ArchiveSource, path: Option<&Path>, len: u64) -> Archive {
        Archive::new(store, path, len, ReadOptions::default(), self.contents)
    }
}

impl fmt::Debug for ArchiveBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArchiveBuilder")
            .field("format", &self.contents.format_word)
            .field("entries", &self.contents.records.len())
            .finish_non_exhaustive()
    }
}

impl Archive {
    /// Moves the payload of an entry to another place of the source, where it is stored.
    pub(crate) fn move_payload(&mut self, index: usize, place: Extent) {
        if let Some(record) = self.contents.records.get_mut(index) {
            record.offset = place.offset;
            record.size = place.len;
            record.stored_len = place.len;
            record.coding = Coding::Stored;
            record.crc32 = None;
        }
    }

    /// An archive of this format, whose entries have these names and sizes. Each content is opened when it is read.
    ///
    /// # Errors
    /// If a name is too long.
    pub(crate) fn of_contents<'n>(
        path: &Path,
        format: Format,
        entries: impl Iterator<Item = (&'n [u8], u64)>,
        open: Box<OpenFile>,
    ) -> Result<Self, Error> {
        let mut builder = ArchiveBuilder { contents: ArchiveContents::new(format) };
        for (name, size) in entries {
            let payload = Extent { offset: 0, len: size };
            builder.entry(RawName::new(name), payload, size, Coding::Stored)?;
        }
        let store = ArchiveSource::Each(Files { paths: Vec::new(), open });
        Ok(builder.build(store, Some(path), 0))
    }

    /// A directory as an archive: these files, in this order. Each is opened when it is read, and must have
    /// the length that it had.
    ///
    /// # Errors
    /// If a name is too long.
    pub(crate) fn of_files(
        path: &Path,
        files: Vec<LooseFile>,
        open: Box<OpenFile>,
    ) -> Result<Self, Error> {
        let contents = ArchiveContents::other("directory");
        let mut builder = ArchiveBuilder { contents };
        let (mut paths, mut len) = (Vec::new(), 0_u64);
        for file in files {
            let (offset, size) = (0, file.size);
            let payload = Extent { offset, len: size };
            builder
                .entry(RawName::new(&file.name), payload, size, Coding::Stored)
                .map_err(|error| error.at_path(&file.path))?;
            paths.push(file.path);
            len = len.saturating_add(size);
        }
        let store = ArchiveSource::Each(Files { paths, open });
        Ok(builder.build(store, Some(path), len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::error::ErrorKind;

    #[test]
    fn directory_claims_are_checked_on_reading() {
        let mut builder = ArchiveBuilder::new("x");
        let extent = |offset, len| Extent { offset, len };
        let mut add = |name: &str, extent, size, coding| {
            builder.entry(name.into(), extent, size, coding).unwrap();
        };
        add("a", extent(1, 3), 3, Coding::Stored);
        add("b", extent(2, 3), 3, Coding::Stored);
        add("c", extent(u64::MAX, 3), 3, Coding::Stored);
        add("d", extent(0, 2), 1 << 40, Coding::Deflate);
        add("a", extent(0, 2), 3, Coding::Stored);
        let archive = builder.open(b"0123".to_vec()).unwrap();
        assert_eq!(archive.entry(0).unwrap().read().unwrap(), b"123");
        for index in [1, 2] {
            let error = archive.entry(index).unwrap().read().unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::OutsideFile { .. }), "{error}");
        }
        let stored = archive.entry(4).unwrap().read().unwrap_err();
        assert!(matches!(stored.kind(), ErrorKind::Flawed(_)), "{stored}");
        let packed = archive.entry(3).unwrap().read().unwrap_err();
        assert!(matches!(packed.kind(), ErrorKind::ImpossibleSize { .. }), "{packed}");
        assert_eq!(archive.account().unwrap().sum(), 4);
        assert_eq!(archive.format_word(), "x");
        assert!(archive.is_unchanged().unwrap());
    }

    #[test]
    fn a_name_that_is_too_long_is_refused_and_not_cut() {
        let mut builder = ArchiveBuilder::new("x");
        let mut add = |len: usize| {
            let (name, payload) = ("n".repeat(len), Extent { offset: 0, len: 1 });
            builder.entry(name.as_str().into(), payload, 1, Coding::Stored)
        };
        add(65_535).unwrap();
        let error = add(65_536).unwrap_err();
        let why = "the length of the name would be 65536, but the limit is 65535";
        assert_eq!(error.to_string(), why);
        add(2).unwrap();
        let archive = builder.open(b"0".to_vec()).unwrap();
        let lens = archive.entries().map(|entry| entry.name().as_bytes().len());
        assert_eq!(lens.collect::<Vec<_>>(), [65_535, 2]);
        assert_eq!(archive.get("nn").unwrap().read().unwrap(), b"0");
    }
}
