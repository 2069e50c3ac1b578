//! The directory of an archive that is being written: what its entries are, and where each payload
//! lies.
//!
//! An entry that is added gets its place at once, behind the one before it. So who knows all sizes
//! beforehand adds all entries and then fills the places in any order, from any thread; and who finds
//! sizes out on the way adds each entry when its payload is there.

use std::borrow::Cow;
use std::io;

use super::limits::{Limits, check_name, number};
use crate::archive::error::{ENTRY_SIZE, Error, ErrorKind};
use crate::archive::{Coding, Format, RawName};
use crate::format::container::Placed;
use crate::format::spec::Spec;

/// How much of a directory is put together before it is written.
const CHUNK: usize = 64 * 1024;

/// Writes some bytes of the archive at a place.
pub(crate) type Put<'a> = &'a mut dyn FnMut(&[u8], u64) -> io::Result<()>;

/// The entries so far, and where their payloads lie.
#[derive(Debug)]
pub(crate) struct Directory<'a> {
    format: Format,
    pub(super) spec: &'static Spec,
    limits: Limits,
    entries: Vec<Placed<'a>>,
    end: u64,
    /// How long the records of all entries are.
    records_len: u64,
}

impl<'a> Directory<'a> {
    /// One without entries so far.
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

    /// Adds an entry to an archive that does not state what contents sum up to. See
    /// [`add_summed`](Self::add_summed).
    #[cfg(any(test, feature = "ops"))]
    pub(crate) fn add(
        &mut self,
        name: Cow<'a, [u8]>,
        size: u64,
        stored_len: u64,
        coding: Coding,
    ) -> Result<u64, Error> {
        self.add_summed(name, size, stored_len, coding, 0)
    }

    /// Adds an entry whose payload takes `stored_len` bytes, and returns where that begins. An entry
    /// that is refused changes nothing. The CRC-32 of its content is written where the format
    /// states it.
    ///
    /// # Errors
    /// If the name cannot be written, the format has no place for this coding, or a limit is exceeded.
    pub(crate) fn add_summed(
        &mut self,
        name: Cow<'a, [u8]>,
        size: u64,
        stored_len: u64,
        coding: Coding,
        crc32: u32,
    ) -> Result<u64, Error> {
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
            size: number(ENTRY_SIZE, size, most)?,
            offset: number("the entry's offset", start, most)?,
            stored_len: number("the stream's length", stored_len, most)?,
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

    /// Where the payload of the next entry begins, if it has this name.
    pub(crate) fn place(&self, name: &[u8]) -> u64 {
        self.end.saturating_add(self.spec.lead_len(name.len()))
    }

    /// What stands before the payload of the entry that was added last, and where. Nothing does in
    /// most formats.
    pub(crate) fn last_header(&self) -> Option<(Vec<u8>, u64)> {
        let last = self.entries.last()?;
        let header = self.spec.writer?.lead(last)?;
        let at = u64::from(last.offset).saturating_sub(header.len() as u64);
        Some((header, at))
    }

    /// Adds an entry that has the payload of entry `of`.
    ///
    /// # Errors
    /// If there is no such entry, the name cannot be written, or there are too many entries.
    pub(crate) fn share(&mut self, name: Cow<'a, [u8]>, of: usize) -> Result<(), Error> {
        let count = self.entries.len();
        let first = self.entries.get(of).cloned();
        let first = first.ok_or(ErrorKind::NoEntry { index: of, count })?;
        self.check(&name)?;
        let shares = true;
        self.records_len += self.spec.entry_len(name.len());
        self.entries.push(Placed {
            name,
            shares,
            ..first
        });
        Ok(())
    }

    /// Whether an entry of this name can be added, as far as its name and the number of entries say.
    pub(crate) fn check(&self, name: &[u8]) -> Result<(), Error> {
        check_name(self.format, RawName::new(name))?;
        self.check_room(name, 0)
    }

    /// Whether there is room for an entry of this name, which is [checked](Self::check), with so long a payload.
    pub(crate) fn check_room(&self, name: &[u8], stored_len: u64) -> Result<(), Error> {
        let end = self.place(name).saturating_add(stored_len);
        let records = self.records_len + self.spec.entry_len(name.len());
        let entries = self.entries.len() as u64 + 1;
        let file = self.len_with(end.saturating_add(records));
        self.limits.check(self.spec, entries, file)
    }

    /// How long the file is whose payloads and records end here.
    const fn len_with(&self, end: u64) -> u64 {
        end.saturating_add(self.spec.frame_len - self.spec.first_offset)
    }

    /// Leaves so many bytes unused before what is added next, or before the directory.
    pub(crate) const fn skip(&mut self, bytes: u64) {
        self.end = self.end.saturating_add(bytes);
    }

    /// How many entries there are so far.
    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where the next payload would begin.
    pub(crate) const fn end(&self) -> u64 {
        self.end
    }

    /// The entries so far.
    #[cfg(feature = "ops")]
    pub(crate) fn entries(&self) -> &[Placed<'a>] {
        &self.entries
    }

    /// How long the file will be.
    pub(crate) const fn file_len(&self) -> u64 {
        self.len_with(self.end + self.records_len)
    }

    /// The directory as it will stand in the file.
    #[cfg(any(test, feature = "ops"))]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Some(writer) = self.spec.writer {
            for entry in &self.entries {
                writer.record(self.format, entry, &mut bytes);
            }
        }
        bytes
    }

    /// Writes the directory, then the header: the last thing to do. Returns the file's length.
    ///
    /// # Errors
    /// If there is no entry, the output fails, or the archive could not be opened again, because its
    /// names say nothing or too little of its format: there is no header then.
    pub(crate) fn seal(&self, put: Put<'_>) -> Result<u64, Error> {
        let (format, spec) = (self.format, self.spec);
        let writer = spec.writer.ok_or(ErrorKind::NoFile { format })?;
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
        let offset = number("the directory's offset", self.end, spec.number_max)?;
        let len = number("the directory's length", end - self.end, spec.number_max)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;
    use crate::archive::sink::{MemorySink, Sink as _};
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

    #[test]
    fn a_payload_that_is_shared_lies_once() {
        let mut directory = Directory::new(Format::Quake, Limits::default());
        assert_eq!(directory.add(name("a"), 3, 3, Coding::Stored).unwrap(), 12);
        directory.share(name("b"), 0).unwrap();
        assert_eq!(directory.add(name("c"), 1, 1, Coding::Stored).unwrap(), 15);
        let archive = Archive::from_bytes(sealed(&directory, b"abcd").unwrap()).unwrap();
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [&b"abc"[..], b"abc", b"d"]);
        let error = directory.share(name("x"), 3).unwrap_err();
        assert!(matches!(
            error.kind(),
            ErrorKind::NoEntry { index: 3, count: 3 }
        ));
    }

    #[test]
    fn an_entry_that_is_refused_changes_nothing() {
        let limits = Limits {
            max_entries: 1,
            max_bytes: 12 + 3 + 64,
        };
        let mut directory = Directory::new(Format::Quake, limits);
        let long = "x".repeat(56);
        let refused = [
            directory.add(name(&long), 1, 1, Coding::Stored),
            directory.add(name("a\0b"), 1, 1, Coding::Stored),
            directory.add(name("a"), 4, 4, Coding::Stored),
            directory.add(name("a"), 65, 3, Coding::Daikatana),
            directory.add(name("a"), 1 << 32, 1 << 32, Coding::Stored),
        ];
        assert!(refused.iter().all(Result::is_err), "{refused:?}");
        // What no archive of this format holds is told from what this one has no room for.
        let sizes = refused
            .iter()
            .map(|it| match it.as_ref().map_err(Error::kind) {
                Err(ErrorKind::OverLimit { what, .. }) => *what == ENTRY_SIZE,
                _ => false,
            });
        assert_eq!(
            sizes.collect::<Vec<_>>(),
            [false, false, false, false, true]
        );
        assert_eq!((directory.len(), directory.end()), (0, 12));
        directory.add(name("a"), 3, 3, Coding::Stored).unwrap();
        assert!(directory.share(name("b"), 0).is_err());
        assert!(directory.add(name("b"), 0, 0, Coding::Stored).is_err());
        assert_eq!(sealed(&directory, b"abc").unwrap().len(), 79);
    }

    #[test]
    fn a_stored_payload_has_its_files_size_and_only_what_compresses_takes_a_stream() {
        let mut quake = Directory::new(Format::Quake, Limits::default());
        let error = quake.add(name("a"), 3, 2, Coding::Stored).unwrap_err();
        let wrong = matches!(
            error.kind(),
            ErrorKind::WrongLength {
                expected: 3,
                found: 2
            }
        );
        assert!(wrong, "{error}");
        for format in [Format::Quake, Format::Sin, Format::Hrot] {
            let mut directory = Directory::new(format, Limits::default());
            let error = directory.add(name("a.tga"), 65, 2, Coding::Daikatana);
            let error = error.unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::CannotCompress { .. }),
                "{error}"
            );
        }
        let mut daikatana = Directory::new(Format::Daikatana, Limits::default());
        // Whatever its type is: who chooses the coding knows.
        daikatana
            .add(name("a.wav"), 65, 2, Coding::Daikatana)
            .unwrap();
        daikatana.add(name("b.tga"), 3, 3, Coding::Stored).unwrap();
        let archive = Archive::from_bytes(sealed(&daikatana, b"\x7f\xffabc").unwrap()).unwrap();
        let contents: Vec<_> = archive.entries().map(|it| it.read().unwrap()).collect();
        assert_eq!(contents, [vec![0; 65], b"abc".to_vec()]);
    }

    #[test]
    fn payloads_lie_without_gaps_and_empty_entries_where_they_would() {
        let mut directory = Directory::new(Format::Quake, Limits::default());
        for (text, size) in [("a", 5), ("empty", 0), ("b", 7)] {
            directory
                .add(name(text), size, size, Coding::Stored)
                .unwrap();
        }
        directory.share(name("c"), 0).unwrap();
        let offsets: Vec<u32> = directory.entries.iter().map(|it| it.offset).collect();
        assert_eq!(offsets, [12, 17, 17, 12]);
        let shares: Vec<bool> = directory.entries.iter().map(|it| it.shares).collect();
        assert_eq!(shares, [false, false, false, true]);
        assert_eq!((directory.end(), directory.file_len()), (24, 24 + 4 * 64));
    }

    /// All places are known when the last entry is added, so payloads can come in any order.
    #[test]
    fn the_order_in_which_places_are_filled_does_not_matter() {
        let mut directory = Directory::new(Format::Daikatana, Limits::default());
        let contents: Vec<Vec<u8>> = (0..20_u8).map(|n| vec![n; usize::from(n) * 7]).collect();
        let mut places = Vec::new();
        for (number, content) in contents.iter().enumerate() {
            let name = format!("sound/{number}.wav").into_bytes();
            let len = content.len() as u64;
            places.push(
                directory
                    .add(name.into(), len, len, Coding::Stored)
                    .unwrap(),
            );
        }
        let fill = |order: &mut dyn Iterator<Item = usize>| {
            let sink = MemorySink::new();
            for number in order {
                sink.write_at(&contents[number], places[number]).unwrap();
            }
            let len = directory
                .seal(&mut |part, at| sink.write_at(part, at))
                .unwrap();
            let bytes = sink.into_bytes();
            assert_eq!((len, len), (bytes.len() as u64, directory.file_len()));
            bytes
        };
        let forwards = fill(&mut (0..20));
        assert_eq!(fill(&mut (0..20).rev()), forwards);
        assert_eq!(fill(&mut (0..20).map(|n| n * 7 % 20)), forwards);
        let archive = Archive::from_bytes(forwards).unwrap();
        assert_eq!(archive.format(), Format::Daikatana);
        for (entry, content) in archive.entries().zip(&contents) {
            assert_eq!(entry.read().unwrap(), *content);
        }
    }

    #[test]
    fn it_goes_on_without_what_a_limit_refused() {
        let limits = Limits {
            max_entries: 2,
            max_bytes: 12 + 100 + 128,
        };
        let mut directory = Directory::new(Format::Quake, limits);
        directory.add(name("a"), 60, 60, Coding::Stored).unwrap();
        assert!(
            directory
                .add(name("too large"), 41, 41, Coding::Stored)
                .is_err()
        );
        directory.add(name("b"), 40, 40, Coding::Stored).unwrap();
        let error = directory.add(name("c"), 0, 0, Coding::Stored).unwrap_err();
        let over = matches!(
            error.kind(),
            ErrorKind::OverLimit {
                value: 3,
                limit: 2,
                ..
            }
        );
        assert!(over, "{error}");
        assert_eq!(directory.file_len(), limits.max_bytes);
    }

    #[test]
    fn what_no_offset_can_say_is_refused_before_it_is_written() {
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
}
