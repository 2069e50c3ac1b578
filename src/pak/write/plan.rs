//! Writing with all sizes known: a plan says where every byte lies before the first is written,
//! and payloads are then filled in, in any order, from any thread.

use std::io;

use super::directory::seal;
use super::limits::{Limits, check_name, number};
use super::shares::{Coding, Origin, Shares};
use super::sink::Sink;
use crate::error::{ENTRY_SIZE, Error, ErrorKind};
use crate::pak::entry::Entry;
use crate::pak::layout::{HEADER_LEN, Layout, Record};
use crate::pak::name::RawName;
use crate::pak::source::ReadAt;

/// How much is decoded at once where an entry is poured into its place.
const BUFFER: usize = 64 * 1024;

/// Puts a plan together, entry by entry.
#[derive(Debug)]
pub struct Planner<'a> {
    layout: Layout,
    limits: Limits,
    entries: Vec<Planned<'a>>,
    end: u64,
    shares: Shares,
}

/// Where everything in a pak will lie.
///
/// ```
/// use daisho::pak::{Archive, Layout, Limits, MemorySink, Planner, RawName};
///
/// let files = [("progs.dat", &b"code"[..]), ("quake.rc", b"exec default.cfg\n")];
/// let mut planner = Planner::new(Layout::Quake, Limits::default());
/// for (name, content) in files {
///     planner.push(RawName::from(name), content.len() as u64, None)?;
/// }
/// let plan = planner.finish()?;
///
/// let sink = MemorySink::new();
/// for index in [1, 0] {
///     let mut slot = plan.slot(index, &sink)?;
///     slot.write(files[index].1)?;
///     slot.finish()?;
/// }
/// plan.seal(&sink)?;
///
/// let archive = Archive::new(sink.into_bytes())?;
/// assert_eq!(archive.entry(1).unwrap().read()?, b"exec default.cfg\n");
/// # Ok::<(), daisho::Error>(())
/// ```
#[derive(Debug)]
pub struct Plan<'a> {
    layout: Layout,
    entries: Vec<Planned<'a>>,
    directory_offset: u32,
    file_len: u64,
}

/// Where one entry will lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned<'a> {
    /// Its name.
    pub name: RawName<'a>,
    /// Its size, which is what it takes.
    pub size: u32,
    /// Where it begins. For an empty one, where it would.
    pub offset: u32,
    /// Whether an entry before it has the same extent, so that nothing is left to fill.
    pub shares: bool,
}

impl<'a> Planner<'a> {
    /// A plan of no entries so far.
    #[must_use]
    pub fn new(layout: Layout, limits: Limits) -> Self {
        Self {
            layout,
            limits,
            entries: Vec::new(),
            end: HEADER_LEN as u64,
            shares: Shares::new(),
        }
    }

    /// Adds an entry behind the others and returns its number. Entries of one `origin` share
    /// their extent. An entry that is refused changes nothing, so that the plan can go on without
    /// it.
    ///
    /// # Errors
    /// If the name cannot be written, the pak would exceed its limits, or the first entry of this
    /// origin has another size.
    pub fn push(
        &mut self,
        name: RawName<'a>,
        size: u64,
        origin: Option<Origin>,
    ) -> Result<usize, Error> {
        let index = self.entries.len();
        let planned = self.plan(index, name, size, origin);
        let (planned, end) = planned.map_err(|error| error.in_entry(index, name))?;
        self.entries.push(planned);
        self.end = end;
        Ok(index)
    }

    /// Adds an entry of another pak, to be stored.
    ///
    /// # Errors
    /// As [`push`](Self::push), and what [`Entry::check_claims`] finds.
    pub fn push_entry<S>(&mut self, source: u32, entry: &Entry<'a, S>) -> Result<usize, Error> {
        entry.check_claims()?;
        let origin = Origin::of(source, entry);
        let pushed = self.push(entry.name(), entry.size().into(), origin);
        // The place in the source says more than the place in the plan.
        pushed.map_err(|error| Error::new(error.into_kind()).in_entry(entry.index(), entry.name()))
    }

    /// Adds an entry that has the extent of the entry `of`, and returns its number: for whoever
    /// knows already what is shared, and needs no origins.
    ///
    /// # Errors
    /// If there is no such entry, the name cannot be written, or the pak would exceed its limits.
    pub fn share(&mut self, name: RawName<'a>, of: usize) -> Result<usize, Error> {
        let index = self.entries.len();
        let first = self.entries.get(of).copied();
        let shared = first
            .ok_or_else(|| {
                Error::from(ErrorKind::NoEntry {
                    index: of,
                    count: index,
                })
            })
            .and_then(|first| self.sharing(index, name, first));
        self.entries
            .push(shared.map_err(|error| error.in_entry(index, name))?);
        Ok(index)
    }

    fn sharing(
        &self,
        index: usize,
        name: RawName<'a>,
        first: Planned<'a>,
    ) -> Result<Planned<'a>, Error> {
        check_name(self.layout, name)?;
        self.limits.check(self.layout, index as u64 + 1, self.end)?;
        Ok(Planned {
            name,
            shares: true,
            ..first
        })
    }

    fn plan(
        &mut self,
        index: usize,
        name: RawName<'a>,
        size: u64,
        origin: Option<Origin>,
    ) -> Result<(Planned<'a>, u64), Error> {
        check_name(self.layout, name)?;
        let bytes = number(ENTRY_SIZE, size)?;
        let entries = index as u64 + 1;
        let shared = origin.and_then(|origin| self.shares.find(origin, Coding::Stored));
        if let Some(first) = shared.and_then(|first| self.entries.get(first)) {
            if first.size != bytes {
                let (expected, found) = (first.size.into(), size);
                return Err(ErrorKind::WrongLength { expected, found }.into());
            }
            return Ok((self.sharing(index, name, *first)?, self.end));
        }
        let end = self.end.saturating_add(size);
        self.limits.check(self.layout, entries, end)?;
        if let Some(origin) = origin {
            self.shares.find_or_insert(origin, Coding::Stored, index);
        }
        let planned = Planned {
            name,
            size: bytes,
            offset: number("the entry's offset", self.end)?,
            shares: false,
        };
        Ok((planned, end))
    }

    /// How many entries there are so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The plan.
    ///
    /// # Errors
    /// If there is no entry.
    pub fn finish(self) -> Result<Plan<'a>, Error> {
        if self.entries.is_empty() {
            return Err(ErrorKind::NothingToWrite.into());
        }
        let directory = self.entries.len() as u64 * self.layout.record_len() as u64;
        Ok(Plan {
            layout: self.layout,
            entries: self.entries,
            directory_offset: number("the directory's offset", self.end)?,
            file_len: self.end + directory,
        })
    }
}

impl<'a> Plan<'a> {
    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Where each entry will lie, in the directory's order.
    #[must_use]
    pub fn entries(&self) -> &[Planned<'a>] {
        &self.entries
    }

    /// The entries that have a payload of their own to fill, in the order they lie in.
    pub fn payloads(&self) -> impl Iterator<Item = (usize, &Planned<'a>)> {
        let own = |(_, entry): &(usize, &Planned<'a>)| !entry.shares && entry.size > 0;
        self.entries.iter().enumerate().filter(own)
    }

    /// Where the directory will begin, which is where the last payload ends.
    #[must_use]
    pub const fn directory_offset(&self) -> u32 {
        self.directory_offset
    }

    /// How long the file will be.
    #[must_use]
    pub const fn file_len(&self) -> u64 {
        self.file_len
    }

    /// The place of an entry's payload in `sink`, to be written from its start to its end.
    ///
    /// # Errors
    /// If there is no such entry.
    pub fn slot<'k, K: Sink + ?Sized>(
        &self,
        index: usize,
        sink: &'k K,
    ) -> Result<Slot<'k, K>, Error> {
        let count = self.entries.len();
        let entry = self
            .entries
            .get(index)
            .ok_or(ErrorKind::NoEntry { index, count })?;
        Ok(Slot {
            sink,
            start: entry.offset.into(),
            len: entry.size.into(),
            done: 0,
        })
    }

    /// Fills the place of the entry `index` with what `source` holds: copied where that is
    /// stored, decoded where it is compressed.
    ///
    /// # Errors
    /// If the source is damaged, or either side fails.
    pub fn fill<S: ReadAt, K: Sink + ?Sized>(
        &self,
        index: usize,
        source: &Entry<'_, S>,
        sink: &K,
    ) -> Result<(), Error> {
        let mut slot = self.slot(index, sink)?;
        if slot.len != u64::from(source.size()) {
            return Err(source.located(slot.wrong_length(source.size().into())));
        }
        if let (Some(extent), false) = (source.extent(), source.is_compressed()) {
            source.check_claims()?;
            let from: &dyn ReadAt = &source.archive().source();
            return sink
                .copy_from(from, extent.offset, extent.len, slot.start)
                .map_err(|error| source.copy_failed(Error::from_io(error)).at(extent.offset));
        }
        let mut reader = source.decoded()?;
        let mut buffer = vec![0; usize::try_from(slot.len).unwrap_or(BUFFER).clamp(1, BUFFER)];
        loop {
            let read = reader.read_some(&mut buffer)?;
            if read == 0 {
                return slot.finish();
            }
            slot.write(buffer.get(..read).unwrap_or_default())?;
        }
    }

    /// Writes the directory, then the header: the last thing to do. Returns the file's length.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn seal<K: Sink + ?Sized>(&self, sink: &K) -> Result<u64, Error> {
        let records = self.entries.iter().map(|entry| Record {
            name: entry.name,
            offset: entry.offset,
            size: entry.size,
            packed: None,
        });
        seal(sink, self.layout, self.directory_offset, records)
    }
}

/// The place of one payload: takes as many bytes as were planned, and not one more.
#[derive(Debug)]
pub struct Slot<'k, K: ?Sized> {
    sink: &'k K,
    start: u64,
    len: u64,
    done: u64,
}

impl<K: Sink + ?Sized> Slot<'_, K> {
    /// Writes all of `bytes` behind what was written.
    ///
    /// # Errors
    /// If they are more than were planned, or the sink fails.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let done = self.done + bytes.len() as u64;
        if done > self.len {
            return Err(self.wrong_length(done));
        }
        self.sink
            .write_at(bytes, self.start + self.done)
            .map_err(Error::from_io)?;
        self.done = done;
        Ok(())
    }

    /// Says that this was all.
    ///
    /// # Errors
    /// If it was less than was planned.
    pub fn finish(self) -> Result<(), Error> {
        if self.done < self.len {
            return Err(self.wrong_length(self.done));
        }
        Ok(())
    }

    fn wrong_length(&self, found: u64) -> Error {
        let expected = self.len;
        ErrorKind::WrongLength { expected, found }.into()
    }
}

impl<K: Sink + ?Sized> io::Write for Slot<'_, K> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Slot::write(self, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pak::write::MemorySink;

    #[test]
    fn payloads_lie_without_gaps_and_empty_entries_where_they_would() {
        let mut planner = Planner::new(Layout::Quake, Limits::default());
        for (name, size) in [("a", 5), ("empty", 0), ("b", 7)] {
            planner.push(name.into(), size, None).unwrap();
        }
        let plan = planner.finish().unwrap();
        let offsets: Vec<u32> = plan.entries().iter().map(|entry| entry.offset).collect();
        assert_eq!(offsets, [12, 17, 17]);
        assert_eq!(
            (plan.directory_offset(), plan.file_len()),
            (24, 24 + 3 * 64)
        );
        assert_eq!(
            plan.payloads().map(|(index, _)| index).collect::<Vec<_>>(),
            [0, 2]
        );
    }

    #[test]
    fn a_plan_goes_on_without_what_it_refused() {
        let limits = Limits {
            max_entries: 2,
            max_bytes: 12 + 100 + 128,
        };
        let mut planner = Planner::new(Layout::Quake, limits);
        assert!(planner.push(RawName::new(&[b'x'; 56]), 1, None).is_err());
        assert_eq!(planner.push("a".into(), 60, None).unwrap(), 0);
        assert!(planner.push("too large".into(), 41, None).is_err());
        assert_eq!(planner.push("b".into(), 40, None).unwrap(), 1);
        let error = planner.push("one more".into(), 0, None).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::OverLimit {
                    value: 3,
                    limit: 2,
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(planner.finish().unwrap().file_len(), limits.max_bytes);
    }

    #[test]
    fn an_entry_that_shares_takes_the_place_of_the_other_and_none_of_its_own() {
        let mut planner = Planner::new(Layout::Quake, Limits::default());
        assert!(planner.is_empty());
        planner.push("a".into(), 5, None).unwrap();
        assert!(!planner.is_empty());
        assert_eq!(planner.share("b".into(), 0).unwrap(), 1);
        planner.push("c".into(), 7, None).unwrap();
        let error = planner.share("d".into(), 3).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::NoEntry { index: 3, count: 3 }),
            "{error}"
        );
        let plan = planner.finish().unwrap();
        assert_eq!(plan.layout(), Layout::Quake);
        let places = plan.entries().iter().map(|e| (e.offset, e.size, e.shares));
        assert_eq!(
            places.collect::<Vec<_>>(),
            [(12, 5, false), (12, 5, true), (17, 7, false)]
        );
        let own = plan.payloads().map(|(index, _)| index);
        assert_eq!(own.collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn a_slot_takes_what_any_writer_takes() {
        let mut planner = Planner::new(Layout::Quake, Limits::default());
        planner.push("a".into(), 3, None).unwrap();
        let plan = planner.finish().unwrap();
        let sink = MemorySink::new();
        let mut slot = plan.slot(0, &sink).unwrap();
        assert_eq!(io::copy(&mut &b"abc"[..], &mut slot).unwrap(), 3);
        io::Write::flush(&mut slot).unwrap();
        assert!(io::Write::write(&mut slot, b"d").is_err());
        slot.finish().unwrap();
        assert_eq!(sink.into_bytes(), b"\0\0\0\0\0\0\0\0\0\0\0\0abc");
    }

    #[test]
    fn a_plan_of_nothing_is_refused() {
        let error = Planner::new(Layout::Quake, Limits::default())
            .finish()
            .unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NothingToWrite));
        assert!(error.help().unwrap().contains("stop looking"));
    }

    #[test]
    fn a_slot_takes_exactly_what_was_planned() {
        let mut planner = Planner::new(Layout::Daikatana, Limits::default());
        planner.push("a".into(), 3, None).unwrap();
        let plan = planner.finish().unwrap();
        let sink = MemorySink::new();
        let mut slot = plan.slot(0, &sink).unwrap();
        slot.write(b"ab").unwrap();
        assert!(slot.write(b"cd").is_err());
        assert!(slot.finish().is_err());
        assert!(plan.slot(1, &sink).is_err());
    }
}
