//! The directory of an archive that is being written: its entries, and the places of their payloads.
//!
//! Payloads are written without gaps in the order of the entries, right after the header. Then comes the
//! directory, with names padded by zeros. The header is written last, so that an incomplete file is not an
//! archive. Entries that the format or an engine cannot take are refused: see [`Limits`]. A directory
//! without entries is never written, because two engines refuse such a pak and three others stop looking
//! for further paks at it.
//!
//! An entry gets its place when it is added, after the previous one. A caller that knows all sizes adds all
//! entries first, and then fills the places in any order and from any thread. A caller that does not adds
//! each entry when its payload is written.

use std::borrow::Cow;
use std::io;

use super::container::Placed;
use super::records::NUMBER_MAX;
use super::spec::Spec;
use crate::archive::error::{Error, ErrorKind, Limit};
use crate::archive::{Coding, Format, RawName};

/// How much of a directory is assembled before it is written.
const CHUNK: usize = 64 * 1024;

/// Writes bytes of the archive at an offset.
pub(crate) type Put<'a> = &'a mut dyn FnMut(&[u8], u64) -> io::Result<()>;

/// The entries so far, and the places of their payloads.
#[derive(Debug)]
pub(crate) struct Directory<'a> {
    pub(super) format: Format,
    pub(super) spec: &'static Spec,
    limits: Limits,
    entries: Vec<Placed<'a>>,
    end: u64,
    /// The length of all records.
    records_len: u64,
}

/// A payload that is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Payload {
    /// The length of the content.
    pub(crate) size: u64,
    /// How many bytes the payload takes.
    pub(crate) stored_len: u64,
    pub(crate) coding: Coding,
    /// The CRC-32 of the content. It is written only if the format has one.
    pub(crate) crc32: u32,
}

impl Payload {
    /// A payload that is not compressed.
    pub(crate) const fn stored(size: u64, crc32: u32) -> Self {
        Self { size, stored_len: size, coding: Coding::Stored, crc32 }
    }
}

impl<'a> Directory<'a> {
    /// Creates a directory without entries.
    pub(crate) const fn new(format: Format, limits: Limits) -> Self {
        Self {
            format,
            spec: format.spec(),
            limits,
            entries: Vec::new(),
            end: format.spec().first_offset,
            records_len: 0,
        }
    }

    /// Adds an entry, and returns the offset of its payload. A refused entry changes nothing.
    ///
    /// # Errors
    /// If the name cannot be written, the format does not have this coding, or a limit is exceeded.
    pub(crate) fn add(&mut self, name: Cow<'a, [u8]>, payload: Payload) -> Result<u64, Error> {
        let Payload { size, stored_len, coding, crc32 } = payload;
        self.check(&name)?;
        if coding != Coding::Stored && self.spec.coding != Some(coding) {
            let format = self.format;
            return Err(ErrorKind::CannotCompress { format }.into());
        }
        if coding == Coding::Stored && stored_len != size {
            let (expected, found) = (size, stored_len);
            return Err(ErrorKind::WrongLength { expected, found }.into());
        }
        let start = self.place(&name);
        let end = start.saturating_add(stored_len);
        let most = self.spec.number_max;
        let placed = Placed {
            name_len: self.name_len(&name)?,
            size: number(Limit::EntrySize, size, most)?,
            offset: number(Limit::EntryOffset, start, most)?,
            stored_len: number(Limit::StreamLength, stored_len, most)?,
            coding,
            crc32,
            shares: false,
            name,
        };
        self.check_room(&placed.name, stored_len)?;
        self.records_len += self.spec.entry_len(placed.name.len());
        self.entries.push(placed);
        self.end = end;
        Ok(start)
    }

    /// The offset of the next entry's payload, if the entry has this name.
    pub(crate) fn place(&self, name: &[u8]) -> u64 {
        self.end.saturating_add(self.spec.lead_len(name.len()))
    }

    /// The header before the last entry's payload, and its offset. Most formats have none.
    pub(crate) fn last_header(&self) -> Option<(Vec<u8>, u64)> {
        let last = self.entries.last()?;
        let header = self.spec.writer()?.lead(last)?;
        let at = u64::from(last.offset).saturating_sub(header.len() as u64);
        Some((header, at))
    }

    /// Adds an entry that shares the payload of entry `of`.
    ///
    /// # Errors
    /// If there is no such entry, the name cannot be written, or there are too many entries.
    pub(crate) fn share(&mut self, name: Cow<'a, [u8]>, of: usize) -> Result<(), Error> {
        let count = self.entries.len();
        let first = self.entries.get(of).cloned();
        let first = first.ok_or(ErrorKind::NoEntry { index: of, count })?;
        self.check(&name)?;
        let (name_len, shares) = (self.name_len(&name)?, true);
        self.records_len += self.spec.entry_len(name.len());
        self.entries.push(Placed { name, name_len, shares, ..first });
        Ok(())
    }

    /// Whether the name is valid, and there is room for another entry.
    pub(crate) fn check(&self, name: &[u8]) -> Result<(), Error> {
        check_name(self.format, RawName::new(name))?;
        self.check_room(name, 0)
    }

    /// The length of a name, which the headers of a ZIP have in two bytes.
    fn name_len(&self, name: &[u8]) -> Result<u16, ErrorKind> {
        u16::try_from(name.len()).map_err(|_| ErrorKind::NameTooLong {
            len: name.len(),
            most: u16::MAX.into(),
            format: self.format,
        })
    }

    /// Whether the archive can have this many entries in all. A caller that knows their number asks this first, so
    /// that an error has the true number.
    pub(crate) fn check_count(&self, entries: usize) -> Result<(), Error> {
        let max_entries = self.limits.max_entries.min(self.spec.entries_max);
        within(Limit::Entries, entries as u64, max_entries)
    }

    /// Whether there is room for an entry with this [checked](Self::check) name and a payload of this
    /// length.
    pub(crate) fn check_room(&self, name: &[u8], stored_len: u64) -> Result<(), Error> {
        let end = self.place(name).saturating_add(stored_len);
        let records = self.records_len + self.spec.entry_len(name.len());
        let entries = self.entries.len() as u64 + 1;
        let file = self.len_with(end.saturating_add(records));
        self.limits.check(self.spec, entries, file)
    }

    /// The length of the file if payloads and records end here.
    const fn len_with(&self, end: u64) -> u64 {
        end.saturating_add(self.spec.frame_len - self.spec.first_offset)
    }

    /// Leaves `bytes` bytes unused before the next entry, or before the directory.
    pub(crate) const fn skip(&mut self, bytes: u64) {
        self.end = self.end.saturating_add(bytes);
    }

    /// How many entries there are so far.
    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// The offset of the next payload.
    pub(crate) const fn end(&self) -> u64 {
        self.end
    }

    /// The entries so far.
    pub(crate) fn entries(&self) -> &[Placed<'a>] {
        &self.entries
    }

    /// How long the file will be.
    pub(crate) const fn file_len(&self) -> u64 {
        self.len_with(self.end + self.records_len)
    }

    /// Writes the directory, then the header. This is the last step. Returns the file's length.
    ///
    /// # Errors
    /// If there is no entry, the output fails, or the archive could not be opened again because its names
    /// do not show its format. Then no header is written.
    pub(crate) fn seal(&self, put: Put<'_>) -> Result<u64, Error> {
        let (format, spec) = (self.format, self.spec);
        let writer = spec.writer().ok_or(ErrorKind::NotWritten { format })?;
        if self.entries.is_empty() {
            return Err(ErrorKind::NothingToWrite.into());
        }
        let mut end = self.end;
        let mut chunk = Vec::with_capacity(CHUNK);
        for entry in &self.entries {
            writer.record(format, entry, &mut chunk);
            if chunk.len() + spec.record_len > CHUNK {
                end = flush(put, &mut chunk, end)?;
            }
        }
        end = flush(put, &mut chunk, end)?;
        let offset = number(Limit::DirectoryOffset, self.end, spec.number_max)?;
        let len = number(Limit::DirectoryLength, end - self.end, spec.number_max)?;
        let (frame, at) = writer.frame(format, &self.entries, (offset, len))?;
        put(&frame, at).map_err(Error::from_io)?;
        Ok(end.max(at + frame.len() as u64))
    }
}

fn flush(put: Put<'_>, chunk: &mut Vec<u8>, at: u64) -> Result<u64, Error> {
    put(chunk, at).map_err(Error::from_io)?;
    let end = at + chunk.len() as u64;
    chunk.clear();
    Ok(end)
}

/// The limits of a pak. The default is the format's: all offsets, sizes and the file's length are below
/// 2^32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most entries.
    pub max_entries: u64,
    /// The most bytes of the whole file.
    pub max_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_entries: u64::MAX, max_bytes: NUMBER_MAX }
    }
}

impl Limits {
    /// The stricter of two limits.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            max_entries: self.max_entries.min(other.max_entries),
            max_bytes: self.max_bytes.min(other.max_bytes),
        }
    }

    /// Checks an archive with this many entries and this length.
    fn check(self, spec: &Spec, entries: u64, file: u64) -> Result<(), Error> {
        let max_entries = self.max_entries.min(spec.entries_max);
        within(Limit::Entries, entries, max_entries)?;
        let max_bytes = self.max_bytes.min(spec.number_max);
        within(Limit::ArchiveLength, file, max_bytes)
    }
}

/// Converts a number of at most `most`, the format's largest, or returns an error.
fn number(what: Limit, value: u64, most: u64) -> Result<u32, Error> {
    within(what, value, most)?;
    Ok(u32::try_from(value).unwrap_or(u32::MAX))
}

/// Checks that an entry of a written archive can have this name.
pub(crate) fn check_name(format: Format, name: RawName<'_>) -> Result<(), Error> {
    let Some(writer) = format.spec().writer() else {
        return Err(ErrorKind::NotWritten { format }.into());
    };
    if name.as_bytes().contains(&0) {
        return Err(ErrorKind::NameHasNul.into());
    }
    Ok(writer.check_name(format, name)?)
}

fn within(what: Limit, value: u64, limit: u64) -> Result<(), Error> {
    if value > limit {
        return Err(ErrorKind::OverLimit { what, value, limit }.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;
    use crate::format::{HEADER_LEN, NUMBER_MAX};

    fn name(name: &str) -> Cow<'_, [u8]> {
        name.as_bytes().into()
    }

    fn sealed(directory: &Directory<'_>, payloads: &[u8]) -> Result<Vec<u8>, Error> {
        let mut bytes = [&[0; HEADER_LEN][..], payloads].concat();
        let len = directory.seal(&mut |part, at| {
            let at = usize::try_from(at).unwrap();
            bytes.resize(bytes.len().max(at + part.len()), 0);
            bytes[at..at + part.len()].copy_from_slice(part);
            Ok(())
        })?;
        assert_eq!((len, len), (bytes.len() as u64, directory.file_len()));
        Ok(bytes)
    }

    fn payload(size: u64, stored_len: u64, coding: Coding) -> Payload {
        Payload { size, stored_len, coding, crc32: 0 }
    }

    #[test]
    fn a_payload_that_is_shared_lies_once() {
        let mut directory = Directory::new(Format::Quake, Limits::default());
        assert_eq!(directory.add(name("a"), payload(3, 3, Coding::Stored)).unwrap(), 12);
        directory.share(name("b"), 0).unwrap();
        assert_eq!(directory.add(name("c"), payload(1, 1, Coding::Stored)).unwrap(), 15);
        let archive = Archive::from_bytes(sealed(&directory, b"abcd").unwrap()).unwrap();
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [&b"abc"[..], b"abc", b"d"]);
        let error = directory.share(name("x"), 3).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NoEntry { index: 3, count: 3 }));
    }

    #[test]
    fn an_entry_that_is_refused_changes_nothing() {
        let limits = Limits { max_entries: 1, max_bytes: 12 + 3 + 64 };
        let mut directory = Directory::new(Format::Quake, limits);
        let long = "x".repeat(56);
        let refused = [
            directory.add(name(&long), payload(1, 1, Coding::Stored)),
            directory.add(name("a\0b"), payload(1, 1, Coding::Stored)),
            directory.add(name("a"), payload(4, 4, Coding::Stored)),
            directory.add(name("a"), payload(65, 3, Coding::Daikatana)),
            directory.add(name("a"), payload(1 << 32, 1 << 32, Coding::Stored)),
        ];
        assert!(refused.iter().all(Result::is_err), "{refused:?}");
        // An entry that no archive of this format can contain is not an entry that is one too many.
        let sizes = refused.iter().map(|it| match it.as_ref().map_err(Error::kind) {
            Err(ErrorKind::OverLimit { what, .. }) => *what == Limit::EntrySize,
            _ => false,
        });
        assert_eq!(sizes.collect::<Vec<_>>(), [false, false, false, false, true]);
        assert_eq!((directory.len(), directory.end()), (0, 12));
        directory.add(name("a"), payload(3, 3, Coding::Stored)).unwrap();
        assert!(directory.share(name("b"), 0).is_err());
        assert!(directory.add(name("b"), payload(0, 0, Coding::Stored)).is_err());
        assert_eq!(sealed(&directory, b"abc").unwrap().len(), 79);
    }

    #[test]
    fn only_compressible_payloads_become_streams() {
        let mut quake = Directory::new(Format::Quake, Limits::default());
        let error = quake.add(name("a"), payload(3, 2, Coding::Stored)).unwrap_err();
        let wrong = matches!(error.kind(), ErrorKind::WrongLength { expected: 3, found: 2 });
        assert!(wrong, "{error}");
        for format in [Format::Quake, Format::Sin, Format::Hrot] {
            let mut directory = Directory::new(format, Limits::default());
            let error = directory.add(name("a.tga"), payload(65, 2, Coding::Daikatana));
            let error = error.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::CannotCompress { .. }), "{error}");
        }
        let mut daikatana = Directory::new(Format::Daikatana, Limits::default());
        // Whatever its type: the caller chooses the coding.
        daikatana.add(name("a.wav"), payload(65, 2, Coding::Daikatana)).unwrap();
        daikatana.add(name("b.tga"), payload(3, 3, Coding::Stored)).unwrap();
        let archive = Archive::from_bytes(sealed(&daikatana, b"\x7f\xffabc").unwrap()).unwrap();
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [vec![0; 65], b"abc".to_vec()]);
    }

    #[test]
    fn payloads_and_empty_entries_have_no_gaps() {
        let mut directory = Directory::new(Format::Quake, Limits::default());
        for (text, size) in [("a", 5), ("empty", 0), ("b", 7)] {
            directory.add(name(text), payload(size, size, Coding::Stored)).unwrap();
        }
        directory.share(name("c"), 0).unwrap();
        let offsets: Vec<u32> = directory.entries.iter().map(|it| it.offset).collect();
        assert_eq!(offsets, [12, 17, 17, 12]);
        let shares: Vec<bool> = directory.entries.iter().map(|it| it.shares).collect();
        assert_eq!(shares, [false, false, false, true]);
        assert_eq!((directory.end(), directory.file_len()), (24, 24 + 4 * 64));
    }

    /// All places are known after the last entry is added, so payloads can be written in any order.
    #[test]
    fn the_order_of_filling_does_not_matter() {
        let mut directory = Directory::new(Format::Daikatana, Limits::default());
        let contents: Vec<Vec<u8>> = (0..20_u8).map(|n| vec![n; usize::from(n) * 7]).collect();
        let mut places = Vec::new();
        for (number, content) in contents.iter().enumerate() {
            let name = format!("sound/{number}.wav").into_bytes();
            let len = content.len() as u64;
            places.push(directory.add(name.into(), payload(len, len, Coding::Stored)).unwrap());
        }
        let fill = |order: &mut dyn Iterator<Item = usize>| {
            let mut bytes = Vec::new();
            let mut put = |part: &[u8], at: u64| {
                let at = usize::try_from(at).unwrap();
                bytes.resize(bytes.len().max(at + part.len()), 0);
                bytes[at..at + part.len()].copy_from_slice(part);
                Ok(())
            };
            for number in order {
                put(&contents[number], places[number]).unwrap();
            }
            let len = directory.seal(&mut put).unwrap();
            assert_eq!((len, len), (bytes.len() as u64, directory.file_len()));
            bytes
        };
        let forwards = fill(&mut (0..20));
        assert_eq!(fill(&mut (0..20).rev()), forwards);
        assert_eq!(fill(&mut (0..20).map(|n| n * 7 % 20)), forwards);
        let archive = Archive::from_bytes(forwards).unwrap();
        assert_eq!(archive.format(), Some(Format::Daikatana));
        for (entry, content) in archive.entries().zip(&contents) {
            assert_eq!(entry.read().unwrap(), *content);
        }
    }

    #[test]
    fn it_goes_on_without_what_a_limit_refused() {
        let limits = Limits { max_entries: 2, max_bytes: 12 + 100 + 128 };
        let mut directory = Directory::new(Format::Quake, limits);
        directory.add(name("a"), payload(60, 60, Coding::Stored)).unwrap();
        assert!(directory.add(name("too large"), payload(41, 41, Coding::Stored)).is_err());
        directory.add(name("b"), payload(40, 40, Coding::Stored)).unwrap();
        let error = directory.add(name("c"), payload(0, 0, Coding::Stored)).unwrap_err();
        let over = matches!(error.kind(), ErrorKind::OverLimit { value: 3, limit: 2, .. });
        assert!(over, "{error}");
        assert_eq!(directory.file_len(), limits.max_bytes);
    }

    #[test]
    fn offsets_beyond_the_format_are_refused_unwritten() {
        let directory = Directory::new(Format::Quake, Limits::default());
        let most = NUMBER_MAX - 12 - 64;
        directory.check_room(b"a", most).unwrap();
        let error = directory.check_room(b"a", most + 1).unwrap_err();
        assert!(matches!(
            error.kind(),
            ErrorKind::OverLimit { value, .. } if *value == NUMBER_MAX + 1
        ));
    }

    #[test]
    fn without_entries_there_is_no_archive() {
        let directory = Directory::new(Format::Quake, Limits::default());
        let error = sealed(&directory, b"").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
    }

    #[test]
    fn each_limit_is_the_last_that_passes() {
        let limits = Limits { max_entries: 3, max_bytes: 1000 };
        assert!(limits.check(Format::Quake.spec(), 3, 1000).is_ok());
        assert!(limits.check(Format::Quake.spec(), 3, 1001).is_err());
        assert!(limits.check(Format::Quake.spec(), 4, 12).is_err());
        let format = Limits::default();
        assert!(format.check(Format::Daikatana.spec(), 1, NUMBER_MAX).is_ok());
        assert!(format.check(Format::Daikatana.spec(), 1, NUMBER_MAX + 1).is_err());
        assert!(format.check(Format::Pk3.spec(), 65_534, NUMBER_MAX - 1).is_ok());
        assert!(format.check(Format::Pk3.spec(), 65_535, 22).is_err());
        assert!(format.check(Format::Pk3.spec(), 1, NUMBER_MAX).is_err());
        assert!(format.check(Format::Quake.spec(), u64::MAX, u64::MAX).is_err());
        assert_eq!(number(Limit::EntrySize, NUMBER_MAX, NUMBER_MAX).unwrap(), u32::MAX);
        assert!(number(Limit::EntrySize, NUMBER_MAX, NUMBER_MAX - 1).is_err());
    }

    #[test]
    fn two_limits_together_are_the_smaller_of_each_kind() {
        let of = |max_entries, max_bytes| Limits { max_entries, max_bytes };
        assert_eq!(of(3, 1000).and(of(5, 10)), of(3, 10));
        assert_eq!(of(5, 10).and(of(3, 1000)), of(3, 10));
    }

    #[test]
    fn names_have_55_bytes_in_paks_and_119_in_sin() {
        for (format, longest) in
            [(Format::Quake, 55), (Format::Daikatana, 55), (Format::Sin, 119), (Format::Hrot, 119)]
        {
            let check = |name: &[u8]| check_name(format, RawName::new(name));
            assert!(check(&vec![b'x'; longest]).is_ok());
            assert!(check(&vec![b'x'; longest + 1]).is_err());
            assert!(check(b"a\0b").is_err());
            assert!(check(b"").is_ok());
        }
    }
}
