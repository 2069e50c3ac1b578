//! Small payloads that lie close together, read in one go.
//!
//! A pak of 20,000 files of a kilobyte takes 20,000 reads and as many writes where each is handled
//! by itself, and three quarters of a conversion go into those calls. So neighbours are read
//! together into one buffer a thread, and decoded from there. Only what is sound and plain comes
//! out of it; for everything else there is the reader that takes one payload at a time, and it
//! alone knows what to say of damage.

use std::ops::Range;

use crate::archive::{Archive, Coding, Entry};

/// The largest content that is decoded in one go.
pub(super) const CONTENT_MAX: u64 = 64 * 1024;

/// The most that is read in one go: enough for a hundred small files. From 64 KiB to 1 MiB no size was
/// clearly faster than another.
const READ_MAX: u64 = 256 * 1024;

/// What is read in vain between two payloads, rather than to read twice. Of every other one of 20,000 tiny
/// files verify took 17.3 ms with nothing, 13.2 with 2 KiB, 12.8 with 8, 13.8 with 32.
const GAP_MAX: u64 = 8 * 1024;

/// A part of the file that holds some payloads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Neighbours(Range<u64>);

impl Neighbours {
    /// Those that lie around `entry`, if it is small and no file of its own; so far only itself.
    pub(super) fn of(entry: &Entry<'_>) -> Option<Self> {
        let extent = entry.extent().filter(|_| !entry.is_file())?;
        let small = entry.size() <= CONTENT_MAX && extent.len <= CONTENT_MAX;
        small.then(|| Self(extent.offset..extent.end()))
    }

    /// Takes in others, if they are close enough.
    pub(super) fn join(&mut self, next: &Self) -> bool {
        let (one, other) = (&self.0, &next.0);
        let both = one.start.min(other.start)..one.end.max(other.end);
        let gap = one
            .start
            .max(other.start)
            .saturating_sub(one.end.min(other.end));
        let joins = gap <= GAP_MAX && both.end - both.start <= READ_MAX;
        if joins {
            self.0 = both;
        }
        joins
    }
}

/// What was read in one go.
#[derive(Debug, Default)]
pub(super) struct Nearby {
    bytes: Vec<u8>,
    start: u64,
}

impl Nearby {
    /// Reads them. What cannot be read is not there, and not reported: whoever needs it reads again.
    pub(super) fn read(&mut self, archive: &Archive, neighbours: &Neighbours) {
        let span = &neighbours.0;
        let len = (span.end - span.start).min(READ_MAX);
        self.bytes
            .resize(usize::try_from(len).unwrap_or_default(), 0);
        self.start = span.start;
        let source = archive.source();
        let read = source.and_then(|it| it.read_full_at(&mut self.bytes, span.start).ok());
        self.bytes.truncate(read.unwrap_or(0));
    }

    /// Uses this buffer, and nothing of what is in it.
    pub(super) fn in_buffer(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Self { bytes, start: 0 }
    }

    /// Gives its buffer away.
    pub(super) fn take_buffer(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }

    /// Nothing is there.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    /// The content of an entry: the payload itself where it is stored, else what it decodes to, in
    /// `room`. Nothing where the payload is not there, there is too little room, or anything is
    /// unusual about it; `room` may hold anything then.
    pub(super) fn content<'a>(&'a self, entry: &Entry<'_>, room: &'a mut [u8]) -> Option<&'a [u8]> {
        let payload = self.payload(entry)?;
        if entry.coding() == Coding::Stored {
            return entry.is_content(payload).then_some(payload);
        }
        let output = room.get_mut(..usize::try_from(entry.size()).ok()?)?;
        entry.decode_plain(payload, output).then_some(output)
    }

    /// Decodes an entry into `output`, which is as long as its content. `false` where
    /// [`content`](Self::content) would give nothing.
    pub(super) fn decode(&self, entry: &Entry<'_>, output: &mut [u8]) -> bool {
        self.payload(entry)
            .is_some_and(|payload| entry.decode_plain(payload, output))
    }

    fn payload(&self, entry: &Entry<'_>) -> Option<&[u8]> {
        let extent = entry.extent()?;
        let from = usize::try_from(extent.offset.checked_sub(self.start)?).ok()?;
        let end = from.checked_add(usize::try_from(extent.len).ok()?)?;
        self.bytes.get(from..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(one: Range<u64>, other: Range<u64>) -> Option<Range<u64>> {
        let mut one = Neighbours(one);
        one.join(&Neighbours(other)).then_some(one.0)
    }

    #[test]
    fn neighbours_are_those_with_little_between_them_in_any_order() {
        assert_eq!(join(10..20, 20..30), Some(10..30));
        assert_eq!(join(20..30, 10..20), Some(10..30));
        assert_eq!(join(10..30, 15..20), Some(10..30));
        assert_eq!(join(0..1, 1 + GAP_MAX..9000), Some(0..9000));
        assert_eq!(join(0..1, 2 + GAP_MAX..9000), None);
        assert_eq!(join(2 + GAP_MAX..9000, 0..1), None);
        assert_eq!(
            join(0..READ_MAX - 1, READ_MAX - 1..READ_MAX),
            Some(0..READ_MAX)
        );
        assert_eq!(join(0..READ_MAX, READ_MAX..READ_MAX + 1), None);
    }
}
