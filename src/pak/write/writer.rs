//! Writing while sizes are found out: payloads are laid down one behind the other, in entry order,
//! in pieces of any size, and one that proves too long is taken back and laid down anew.

use super::directory::seal;
use super::limits::{Limits, check_name, number};
use super::shares::{Coding, Origin, Shares};
use super::sink::Sink;
use crate::error::{ENTRY_SIZE, Error, ErrorKind};
use crate::pak::entry::Entry;
use crate::pak::layout::{FLAG_COMPRESSED, HEADER_LEN, Layout, NUMBER_MAX, Packed, Record};
use crate::pak::name::RawName;
use crate::pak::payload::encode;
use crate::pak::source::ReadAt;

/// How much of a file is decoded at once.
const BUFFER: usize = 64 * 1024;

/// Lays a pak down in entry order.
///
/// ```
/// use daisho::pak::{Archive, Coding, Layout, Limits, MemorySink, RawName, Writer};
///
/// let mut writer = Writer::new(MemorySink::new(), Layout::Daikatana, Limits::default());
/// writer.begin(RawName::from("skins/black.tga"))?;
/// writer.append(b"\x7f\x7f\xff")?; // 130 zeros as a stream
/// writer.end(130, Coding::Compressed)?;
/// writer.begin(RawName::from("sound/hit.wav"))?;
/// writer.append(b"RIFF")?;
/// writer.end(4, Coding::Stored)?;
/// let (sink, len) = writer.finish()?;
/// assert_eq!(len, 12 + 3 + 4 + 2 * 72);
///
/// let archive = Archive::new(sink.into_bytes())?;
/// assert_eq!(archive.entry(0).unwrap().read()?, [0; 130]);
/// assert_eq!(archive.entry(1).unwrap().read()?, b"RIFF");
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<'a, K> {
    sink: K,
    layout: Layout,
    limits: Limits,
    /// Where the next payload begins.
    end: u64,
    records: Vec<Record<'a>>,
    open: Option<Open<'a>>,
    shares: Shares,
}

/// The entry that is being laid down.
#[derive(Debug, Clone, Copy)]
struct Open<'a> {
    name: RawName<'a>,
    len: u64,
}

const NOTHING_BEGUN: ErrorKind = ErrorKind::OutOfOrder("no entry was begun");
const NOT_ENDED: ErrorKind = ErrorKind::OutOfOrder("an entry was begun and not ended");

impl<'a, K: Sink> Writer<'a, K> {
    /// A pak of no entries so far.
    #[must_use]
    pub fn new(sink: K, layout: Layout, limits: Limits) -> Self {
        Self {
            sink,
            layout,
            limits,
            end: HEADER_LEN as u64,
            records: Vec::new(),
            open: None,
            shares: Shares::new(),
        }
    }

    /// Adds an entry of another pak and returns its number. `source` tells several paks apart.
    ///
    /// A stream that every reader decodes alike is passed on as it is where it may be compressed
    /// and is smaller than its file; any other is decoded, and coded again where that makes it
    /// smaller. An entry that fails leaves nothing behind, so that the pak can go on without it.
    ///
    /// # Errors
    /// If the entry is damaged, its name cannot be written, a limit is exceeded, the last entry was
    /// not ended, or either side fails.
    pub fn add_entry<S: ReadAt>(
        &mut self,
        source: u32,
        entry: &Entry<'a, S>,
        coding: Coding,
    ) -> Result<usize, Error> {
        // Before anything that can fail and clean up behind itself: what is open is the caller's.
        if self.open.is_some() {
            return Err(entry.located(NOT_ENDED.into()));
        }
        let origin = Origin::of(source, entry);
        let added = match origin.and_then(|origin| self.shares.find(origin, coding)) {
            Some(first) => self.share(entry.name(), first),
            None => self.lay_down(entry, coding),
        };
        // The place in the source says more than the place in the output.
        let added = added.map_err(|error| {
            self.abandon();
            match error.entry() {
                Some((index, _)) if index == entry.index() => error,
                _ => Error::new(error.into_kind()).in_entry(entry.index(), entry.name()),
            }
        })?;
        if let Some(origin) = origin {
            self.shares.find_or_insert(origin, coding, added);
        }
        Ok(added)
    }

    fn lay_down<S: ReadAt>(
        &mut self,
        entry: &Entry<'a, S>,
        coding: Coding,
    ) -> Result<usize, Error> {
        let size = u64::from(entry.size());
        entry.check_claims()?;
        self.begin(entry.name())?;
        let from: &dyn ReadAt = &entry.archive().source();
        if let (Some(extent), false) = (entry.extent(), entry.is_compressed()) {
            if coding == Coding::Compressed && self.encode(entry)? {
                return self.end(size, Coding::Compressed);
            }
            let appended = self.append_from(from, extent.offset, extent.len);
            appended.map_err(|error| entry.copy_failed(error))?;
            return self.end(size, Coding::Stored);
        }
        if let (Some(extent), Coding::Compressed) = (entry.extent(), coding) {
            if extent.len < size && entry.is_clean_stream()? {
                let appended = self.append_from(from, extent.offset, extent.len);
                appended.map_err(|error| entry.copy_failed(error))?;
                return self.end(size, Coding::Compressed);
            }
            if self.encode(entry)? {
                return self.end(size, Coding::Compressed);
            }
        }
        let mut reader = entry.decoded()?;
        let mut buffer = vec![0; usize::try_from(size).unwrap_or(BUFFER).clamp(1, BUFFER)];
        loop {
            let read = reader.read_some(&mut buffer)?;
            if read == 0 {
                return self.end(size, Coding::Stored);
            }
            self.append(buffer.get(..read).unwrap_or_default())?;
        }
    }

    /// Lays the entry down compressed, or says `false` and has taken it back.
    fn encode<S: ReadAt>(&mut self, entry: &Entry<'a, S>) -> Result<bool, Error> {
        let mut append = |bytes: &[u8]| self.append(bytes);
        let smaller = encode(entry.decoded()?, entry.size().into(), &mut append)?;
        if !smaller {
            self.rewind();
        }
        Ok(smaller)
    }

    /// Begins the next entry.
    ///
    /// # Errors
    /// If the name cannot be written, there would be too many entries, or the last one was not
    /// ended.
    pub fn begin(&mut self, name: RawName<'a>) -> Result<(), Error> {
        if self.open.is_some() {
            return Err(NOT_ENDED.into());
        }
        check_name(self.layout, name)
            .and_then(|()| self.check(self.end))
            .map_err(|error| self.located(error, name))?;
        self.open = Some(Open { name, len: 0 });
        Ok(())
    }

    /// Lays `bytes` down behind what was laid down for this entry.
    ///
    /// # Errors
    /// If no entry was begun, the pak would become too long, or the sink fails.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let at = self.advance(bytes.len() as u64)?;
        self.sink.write_at(bytes, at).map_err(Error::from_io)
    }

    /// Lays down a range of `source` as it is, by the sink's shortest way.
    ///
    /// # Errors
    /// If no entry was begun, the pak would become too long, or either side fails.
    pub fn append_from(&mut self, source: &dyn ReadAt, from: u64, len: u64) -> Result<(), Error> {
        let at = self.advance(len)?;
        self.sink
            .copy_from(source, from, len, at)
            .map_err(Error::from_io)
    }

    /// How many bytes were laid down for this entry.
    #[must_use]
    pub fn appended(&self) -> u64 {
        self.open.map_or(0, |open| open.len)
    }

    /// Takes back what was laid down for this entry, which stays begun: for a stream that has not
    /// become smaller than its file.
    pub fn rewind(&mut self) {
        if let Some(open) = &mut self.open {
            open.len = 0;
        }
    }

    /// Ends the entry, whose file has `size` bytes, and returns its number.
    ///
    /// # Errors
    /// If no entry was begun, a stored payload has another length, or a limit is exceeded.
    pub fn end(&mut self, size: u64, coding: Coding) -> Result<usize, Error> {
        let open = self.open.ok_or(NOTHING_BEGUN)?;
        let record = self.record(open, size, coding);
        let record = record.map_err(|error| self.located(error, open.name))?;
        self.open = None;
        self.end += open.len;
        self.records.push(record);
        Ok(self.records.len() - 1)
    }

    /// Gives up the entry that was begun, as if it had not been.
    pub fn abandon(&mut self) {
        self.open = None;
    }

    /// Adds an entry that has the extent of the entry `of`, and returns its number.
    ///
    /// # Errors
    /// If there is no such entry, the name cannot be written, there would be too many entries, or
    /// the last one was not ended.
    pub fn share(&mut self, name: RawName<'a>, of: usize) -> Result<usize, Error> {
        let count = self.records.len();
        let first = self.records.get(of).copied();
        let first = first.ok_or(ErrorKind::NoEntry { index: of, count })?;
        self.begin(name)?;
        self.open = None;
        self.records.push(Record { name, ..first });
        Ok(count)
    }

    /// How many entries were ended.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether no entry was ended.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Writes the directory, then the header. Returns the sink and the file's length.
    ///
    /// # Errors
    /// If there is no entry, the last one was not ended, or the sink fails.
    pub fn finish(self) -> Result<(K, u64), Error> {
        if self.open.is_some() {
            return Err(NOT_ENDED.into());
        }
        let directory_offset = number("the directory's offset", self.end)?;
        let records = self.records.iter().copied();
        let len = seal(&self.sink, self.layout, directory_offset, records)?;
        Ok((self.sink, len))
    }

    fn record(&self, open: Open<'a>, size: u64, coding: Coding) -> Result<Record<'a>, Error> {
        let packed = match coding {
            Coding::Compressed if !self.layout.can_compress() => {
                let layout = self.layout;
                return Err(ErrorKind::CannotCompress { layout }.into());
            }
            Coding::Compressed => Some(Packed {
                size: number("the stream's length", open.len)?,
                flag: FLAG_COMPRESSED,
            }),
            Coding::Stored if open.len != size => {
                return Err(ErrorKind::WrongLength {
                    expected: size,
                    found: open.len,
                }
                .into());
            }
            Coding::Stored => None,
        };
        self.check(self.end + open.len)?;
        Ok(Record {
            name: open.name,
            offset: number("the entry's offset", self.end)?,
            size: number(ENTRY_SIZE, size)?,
            packed,
        })
    }

    /// Whether one entry more, and payloads up to `end`, are within the limits.
    fn check(&self, end: u64) -> Result<(), Error> {
        self.limits
            .check(self.layout, self.records.len() as u64 + 1, end)
    }

    /// Where the next `len` bytes go. Only the format's own limit stops them here: what is laid
    /// down may be taken back, and the caller's limits are for what stays.
    fn advance(&mut self, len: u64) -> Result<u64, Error> {
        let open = self.open.as_mut().ok_or(NOTHING_BEGUN)?;
        let at = self.end + open.len;
        let end = at.saturating_add(len);
        if end > NUMBER_MAX {
            return Err(ErrorKind::OverLimit {
                what: "the pak's length",
                value: end,
                limit: NUMBER_MAX,
            }
            .into());
        }
        open.len += len;
        Ok(at)
    }

    fn located(&self, error: Error, name: RawName<'_>) -> Error {
        error.in_entry(self.records.len(), name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pak::Archive;
    use crate::pak::write::MemorySink;

    fn writer(layout: Layout) -> Writer<'static, MemorySink> {
        Writer::new(MemorySink::new(), layout, Limits::default())
    }

    #[test]
    fn what_was_taken_back_leaves_nothing_behind() {
        let mut writer = writer(Layout::Daikatana);
        writer.begin("a.tga".into()).unwrap();
        writer.append(&[0xEE; 1000]).unwrap();
        writer.rewind();
        writer.append(b"abc").unwrap();
        writer.end(3, Coding::Stored).unwrap();
        let (sink, len) = writer.finish().unwrap();
        let bytes = sink.into_bytes();
        assert_eq!((bytes.len() as u64, len), (12 + 3 + 72, 12 + 3 + 72));
        assert!(!bytes.contains(&0xEE));
    }

    #[test]
    fn what_was_laid_down_is_counted_until_it_is_ended_or_given_up() {
        let mut writer = writer(Layout::Quake);
        assert_eq!((writer.appended(), writer.is_empty()), (0, true));
        writer.begin("a".into()).unwrap();
        writer.append(b"abc").unwrap();
        writer.append(b"de").unwrap();
        assert_eq!((writer.appended(), writer.is_empty()), (5, true));
        writer.abandon();
        assert_eq!(writer.appended(), 0);
        writer.begin("b".into()).unwrap();
        writer.append(b"xyz").unwrap();
        assert_eq!(writer.end(3, Coding::Stored).unwrap(), 0);
        assert_eq!((writer.appended(), writer.is_empty()), (0, false));
        let (sink, _) = writer.finish().unwrap();
        assert!(sink.into_bytes()[12..].starts_with(b"xyzb\0"));
    }

    #[test]
    fn what_no_offset_can_say_is_refused_before_it_is_laid_down() {
        let mut writer = writer(Layout::Quake);
        writer.begin("a".into()).unwrap();
        let nothing: &[u8] = &[];
        let error = writer.append_from(&nothing, 0, NUMBER_MAX - 11);
        assert!(matches!(
            error.unwrap_err().kind(),
            ErrorKind::OverLimit { value, .. } if *value == NUMBER_MAX + 1
        ));
        assert_eq!(writer.appended(), 0);
    }

    #[test]
    fn a_shared_extent_is_laid_down_once() {
        let mut writer = writer(Layout::Quake);
        writer.begin("a".into()).unwrap();
        writer.append(b"abc").unwrap();
        writer.end(3, Coding::Stored).unwrap();
        writer.share("b".into(), 0).unwrap();
        assert!(writer.share("c".into(), 2).is_err());
        let (sink, len) = writer.finish().unwrap();
        assert_eq!(len, 12 + 3 + 128);
        let archive = Archive::new(sink.into_bytes()).unwrap();
        assert_eq!(archive.entry(1).unwrap().read().unwrap(), b"abc");
        assert_eq!(archive.account().shared.len(), 1);
    }

    #[test]
    fn a_quake_pak_takes_no_stream_and_a_stored_payload_has_its_size() {
        let mut writer = writer(Layout::Quake);
        writer.begin("a.tga".into()).unwrap();
        writer.append(b"\x40\xff").unwrap();
        assert!(writer.end(2, Coding::Compressed).is_err());
        assert!(writer.end(3, Coding::Stored).is_err());
        writer.end(2, Coding::Stored).unwrap();
    }

    #[test]
    fn out_of_order_is_an_error_and_nothing_else() {
        let mut writer = writer(Layout::Quake);
        assert!(writer.append(b"x").is_err());
        assert!(writer.end(0, Coding::Stored).is_err());
        writer.begin("a".into()).unwrap();
        assert!(writer.begin("b".into()).is_err());
        assert!(writer.finish().is_err());
    }

    #[test]
    fn an_entry_of_the_callers_is_not_given_up_for_another() {
        let mut source = writer(Layout::Quake);
        source.begin("x".into()).unwrap();
        source.append(b"other").unwrap();
        source.end(5, Coding::Stored).unwrap();
        let archive = Archive::new(source.finish().unwrap().0.into_bytes()).unwrap();
        let mut writer = Writer::new(MemorySink::new(), Layout::Quake, Limits::default());
        writer.begin("a".into()).unwrap();
        writer.append(b"abc").unwrap();
        let error = writer.add_entry(0, &archive.entry(0).unwrap(), Coding::Stored);
        assert!(matches!(
            error.unwrap_err().kind(),
            ErrorKind::OutOfOrder(_)
        ));
        writer.end(3, Coding::Stored).unwrap();
        let (sink, _) = writer.finish().unwrap();
        let archive = Archive::new(sink.into_bytes()).unwrap();
        assert_eq!(archive.entry(0).unwrap().read().unwrap(), b"abc");
    }

    #[test]
    fn a_file_that_is_cut_while_it_is_copied_is_told_by_entry_and_byte() {
        use crate::pak::write::Planner;
        /// Longer when it is opened than when payloads are read.
        struct Cut(Vec<u8>);
        impl ReadAt for Cut {
            fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
                let payload = (12..1012).contains(&offset);
                let end = if payload { 600 } else { self.0.len() };
                self.0.get(..end).unwrap().read_at(buffer, offset)
            }
            fn size(&self) -> std::io::Result<u64> {
                Ok(self.0.len() as u64)
            }
        }
        let mut source = writer(Layout::Quake);
        source.begin("a.wav".into()).unwrap();
        source.append(&[7; 1000]).unwrap();
        source.end(1000, Coding::Stored).unwrap();
        let archive = Archive::new(Cut(source.finish().unwrap().0.into_bytes())).unwrap();
        let entry = archive.entry(0).unwrap();
        let mut planner = Planner::new(Layout::Quake, Limits::default());
        planner.push_entry(0, &entry).unwrap();
        let plan = planner.finish().unwrap();
        let mut writer = Writer::new(MemorySink::new(), Layout::Quake, Limits::default());
        for error in [
            plan.fill(0, &entry, &MemorySink::new()).unwrap_err(),
            writer.add_entry(0, &entry, Coding::Stored).unwrap_err(),
        ] {
            let place = (error.entry().unwrap().0, error.offset());
            assert_eq!(place, (0, Some(600)), "{error}");
            assert!(
                matches!(error.kind(), ErrorKind::CutWhileRead { at: 600 }),
                "{error}"
            );
        }
    }

    #[test]
    fn a_payload_has_one_size() {
        use crate::pak::write::Planner;
        let mut source = writer(Layout::Quake);
        source.begin("a".into()).unwrap();
        source.append(b"abc").unwrap();
        source.end(3, Coding::Stored).unwrap();
        let archive = Archive::new(source.finish().unwrap().0.into_bytes()).unwrap();
        let origin = Origin::of(0, &archive.entry(0).unwrap());
        let mut planner = Planner::new(Layout::Quake, Limits::default());
        planner.push("a".into(), 3, origin).unwrap();
        let error = planner.push("b".into(), 4, origin).unwrap_err();
        let expected = ErrorKind::WrongLength {
            expected: 3,
            found: 4,
        };
        assert_eq!(error.kind().to_string(), expected.to_string());
        planner.push("c".into(), 3, origin).unwrap();
        assert_eq!(planner.len(), 2);
    }

    #[test]
    fn no_entries_no_pak() {
        let error = writer(Layout::Quake).finish().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
    }
}
