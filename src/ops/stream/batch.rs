//! With one call, reads small payloads that are close together in the file.
//!
//! One by one, 20,000 files of a kilobyte take 20,000 reads and as many writes, and a conversion spends three quarters
//! of its time in those calls. So each thread reads neighbours into one buffer, its window, and takes their contents
//! from there: decoded, or as they are if they are stored. Only payloads that are intact and have nothing unusual are
//! taken from the window. All others are read one at a time by [`copy`], which finds out what to report.

use std::cmp::Reverse;
use std::ops::Range;

use crate::archive::{Archive, Coding, Entry};
use crate::codec::StreamSummary;
use crate::ops::context::Context;
use crate::ops::pool::Pool;
use crate::ops::stream::content::{Failure, PIECE, copy};

/// The largest content that is read together with others.
const CONTENT_MAX: u64 = PIECE as u64;

/// The longest window: enough for a hundred small files. From 64 KiB to 1 MiB no size was clearly faster than
/// another.
const WINDOW_MAX: u64 = 256 * 1024;

/// The most content of one batch. The output of a batch is put together in memory.
const BATCH_MAX: u64 = 256 * 1024;

/// The most payloads of one batch, so that each thread gets some of many tiny ones.
const PAYLOADS_MAX: usize = 4096;

/// The longest gap between two payloads that are read together. To verify every other one of 20,000 tiny files took
/// 17.3 ms with no gap, 13.2 with 2 KiB, 12.8 with 8, 13.8 with 32.
const GAP_MAX: u64 = 8 * 1024;

/// Contents of at least this length are read before others.
pub(crate) const LARGE: u64 = 1 << 20;

/// Payloads that one thread reads, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    /// Their positions in the list of all payloads.
    pub(crate) payloads: Range<usize>,
    /// The sum of the lengths of their contents.
    pub(crate) len: u64,
    /// Whether they are stored, without anything between them.
    is_range: bool,
    /// The part of the file that holds them, if they are small.
    window: Option<Range<u64>>,
}

/// How a payload follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    /// It is in another file, or goes elsewhere in the output.
    Not,
    /// They may be read together.
    Near,
    /// Both are stored, and there is nothing between them.
    Directly,
}

impl Batch {
    fn of(position: usize, entry: &Entry<'_>) -> Self {
        let extent = entry.extent().ok().flatten().filter(|_| !entry.is_file());
        let is_small = |len: u64| len <= CONTENT_MAX && entry.size() <= CONTENT_MAX;
        Self {
            payloads: position..position + 1,
            len: entry.size(),
            is_range: entry.is_plain(),
            window: extent
                .filter(|extent| is_small(extent.len))
                .map(|extent| extent.offset..extent.end()),
        }
    }

    /// Whether it is copied as one range of the file, because it is too long to be read at once.
    pub(crate) const fn is_copied(&self) -> bool {
        self.is_range && self.window.is_none()
    }

    /// Adds the next batch to this one if both are small and close together, or are copied as one range of at most
    /// `range_max` bytes. Returns whether it did.
    fn take(&mut self, next: &Self, follows: Follows, range_max: u64) -> bool {
        let window = match (&self.window, &next.window) {
            (Some(one), Some(other)) => span(one, other),
            _ => None,
        };
        let len = self.len.saturating_add(next.len);
        let is_range = self.is_range && follows == Follows::Directly;
        let is_small = window.is_some() && len <= BATCH_MAX && self.payloads.len() < PAYLOADS_MAX;
        let is_copied = is_range && len <= range_max;
        if !is_small && !is_copied {
            return false;
        }
        self.payloads.end = next.payloads.end;
        self.len = len;
        self.is_range = is_range;
        self.window = window;
        true
    }
}

/// The part of the file that spans both, unless it is too long or the gap between them is.
fn span(one: &Range<u64>, other: &Range<u64>) -> Option<Range<u64>> {
    let whole = one.start.min(other.start)..one.end.max(other.end);
    let gap = (one.start.max(other.start)).saturating_sub(one.end.min(other.end));
    (gap <= GAP_MAX && whole.end - whole.start <= WINDOW_MAX).then_some(whole)
}

/// Divides payloads into batches. Each is given with how it follows the one before it. Ranges of at most `range_max`
/// bytes are copied without being read.
pub(crate) fn batches<'a>(
    payloads: impl Iterator<Item = (Entry<'a>, Follows)>,
    range_max: u64,
) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (position, (entry, follows)) in payloads.enumerate() {
        let next = Batch::of(position, &entry);
        let Some(last) = batches.last_mut() else {
            batches.push(next);
            continue;
        };
        if follows == Follows::Not || !last.take(&next, follows, range_max) {
            batches.push(next);
        }
    }
    batches
}

/// The key to sort items by, if this is an item's length: large items come before all others, the largest first, so
/// that no thread works alone at the end. Small items keep their order, because disks are fastest if they are read in
/// order.
pub(crate) fn largest_first(len: u64) -> Reverse<u64> {
    Reverse(if len >= LARGE { len } else { 0 })
}

/// The buffers of a thread, which it uses for one content after another. They come from the pool.
#[derive(Debug)]
pub(crate) struct Buffers<'p> {
    pool: &'p Pool,
    window: Vec<u8>,
    /// The part of the file that the window holds.
    held: Range<u64>,
    /// Decoded content, or the contents of a batch.
    output: Vec<u8>,
}

impl<'p> Buffers<'p> {
    pub(crate) fn new(pool: &'p Pool) -> Self {
        Self { pool, window: pool.buffer(), held: 0..0, output: pool.buffer() }
    }

    /// Reads the window of a batch. An error is not reported here, because then the payloads are read one at a time.
    pub(crate) fn fill_window(&mut self, archive: &Archive, batch: &Batch) {
        self.held = 0..0;
        let Some(window) = batch.window.as_ref().filter(|_| batch.payloads.len() > 1) else {
            return;
        };
        let Some(source) = archive.source() else {
            return;
        };
        let len = (window.end - window.start).min(WINDOW_MAX);
        let room = room(&mut self.window, usize::try_from(len).unwrap_or_default());
        if let Ok(read) = source.read_full_at(room, window.start) {
            self.held = window.start..window.start + read as u64;
        }
    }

    /// Room for a piece of a content.
    pub(crate) fn piece(&mut self) -> &mut [u8] {
        room(&mut self.output, PIECE)
    }

    /// Gives `take` a content, from the window if possible, else as [`copy`] does.
    pub(crate) fn read(
        &mut self,
        context: &Context<'_>,
        entry: &Entry<'_>,
        take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<Option<StreamSummary>, Failure> {
        let in_window = payload(&self.window, &self.held, entry);
        let output = room(&mut self.output, PIECE);
        if let Some(content) = in_window.and_then(|it| content(entry, it, output)) {
            Failure::check(context)?;
            take(content)?;
            return Ok(None);
        }
        copy(context, entry, self.piece(), take)
    }

    /// The contents of all of these entries, one after the other. `None` if the window lacks one of them, or if one is
    /// damaged or unusual.
    pub(crate) fn contents<'a>(
        &mut self,
        batch: &Batch,
        entries: impl Iterator<Item = Entry<'a>>,
    ) -> Option<&[u8]> {
        let len = usize::try_from(batch.len).ok()?;
        if batch.is_range && self.held.end - self.held.start == batch.len {
            return self.window.get(..len);
        }
        let mut rest = room(&mut self.output, len);
        for entry in entries {
            let size = usize::try_from(entry.size()).ok()?;
            let (output, next) = rest.split_at_mut_checked(size)?;
            let payload = payload(&self.window, &self.held, &entry)?;
            if !entry.decode_plain(payload, output) {
                return None;
            }
            rest = next;
        }
        self.output.get(..len)
    }
}

/// The first `len` bytes of a buffer, which grows if it is shorter. They are not cleared.
fn room(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
    buffer.get_mut(..len).unwrap_or_default()
}

/// An entry's payload, if the window, which holds this part of the file, has all of it.
fn payload<'w>(window: &'w [u8], held: &Range<u64>, entry: &Entry<'_>) -> Option<&'w [u8]> {
    let extent = entry.extent().ok()?.filter(|extent| extent.end() <= held.end)?;
    let from = usize::try_from(extent.offset.checked_sub(held.start)?).ok()?;
    let end = from.checked_add(usize::try_from(extent.len).ok()?)?;
    window.get(from..end)
}

/// The content of a payload that is in memory: the payload itself if it is stored, or else its decoded content, in
/// `room`. `None` if it is damaged or unusual.
fn content<'w>(entry: &Entry<'_>, payload: &'w [u8], room: &'w mut [u8]) -> Option<&'w [u8]> {
    if entry.coding() == Coding::Stored {
        return entry.is_content(payload).then_some(payload);
    }
    let output = room.get_mut(..usize::try_from(entry.size()).ok()?)?;
    entry.decode_plain(payload, output).then_some(output)
}

impl Drop for Buffers<'_> {
    fn drop(&mut self) {
        self.pool.give_back(core::mem::take(&mut self.window));
        self.pool.give_back(core::mem::take(&mut self.output));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_have_little_between_them_in_any_order() {
        assert_eq!(span(&(10..20), &(20..30)), Some(10..30));
        assert_eq!(span(&(20..30), &(10..20)), Some(10..30));
        assert_eq!(span(&(10..30), &(15..20)), Some(10..30));
        assert_eq!(span(&(0..1), &(1 + GAP_MAX..9000)), Some(0..9000));
        assert_eq!(span(&(0..1), &(2 + GAP_MAX..9000)), None);
        assert_eq!(span(&(2 + GAP_MAX..9000), &(0..1)), None);
        let almost = WINDOW_MAX - 1;
        assert_eq!(span(&(0..almost), &(almost..WINDOW_MAX)), Some(0..WINDOW_MAX));
        assert_eq!(span(&(0..WINDOW_MAX), &(WINDOW_MAX..WINDOW_MAX + 1)), None);
    }
}
