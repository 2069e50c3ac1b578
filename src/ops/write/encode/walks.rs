//! Which payloads are passed on as they are, compressed: a walk along each tells.
//!
//! Threads walk a little ahead of what is fed, so that there is something to lay down from the start, and one
//! thread lays down while the others walk.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::archive::Format;
use crate::ops::context::Cancel;
use crate::ops::plan::part::Part;

/// How many streams are walked along ahead of what is fed, for each thread.
const STREAMS_AHEAD: usize = 64;

pub(super) struct Walks<'p, 'a> {
    cancel: &'p Cancel,
    /// What may be passed on, in order. One walk is enough however many parts share a payload.
    streams: Vec<Stream<'p, 'a>>,
    /// The first one that nobody has begun to walk along ahead of its turn.
    next: AtomicUsize,
    /// The first one that was not fed yet.
    due: AtomicUsize,
    most_ahead: usize,
}

struct Stream<'p, 'a> {
    /// The position of its part.
    position: usize,
    part: &'p Part<'a>,
    /// Whether every reader decodes it alike, once that is known.
    is_clean: OnceLock<bool>,
}

impl<'p, 'a> Walks<'p, 'a> {
    pub(super) fn new(
        cancel: &'p Cancel,
        threads: usize,
        parts: &'p [&'p Part<'a>],
        to: Format,
    ) -> Self {
        let mut streams = Vec::new();
        for (position, part) in parts.iter().enumerate() {
            let is_alike = part.coding(to) == part.entry.coding();
            if part.has_payload() && part.entry.is_compressed() && is_alike {
                streams.push(Stream {
                    position,
                    part,
                    is_clean: OnceLock::new(),
                });
            }
        }
        Self {
            streams,
            ..Self::none(cancel, threads)
        }
    }

    /// Where nothing is passed on.
    pub(super) const fn none(cancel: &'p Cancel, threads: usize) -> Self {
        Self {
            cancel,
            streams: Vec::new(),
            next: AtomicUsize::new(0),
            due: AtomicUsize::new(0),
            most_ahead: STREAMS_AHEAD.saturating_mul(threads),
        }
    }

    /// Whether the payload of the part at this position is passed on. Parts are asked for in their order.
    pub(super) fn pass(&self, position: usize) -> bool {
        let found = self
            .streams
            .binary_search_by_key(&position, |it| it.position);
        let Ok(index) = found else { return false };
        self.due.store(index + 1, Ordering::Relaxed);
        self.streams.get(index).is_some_and(|it| self.walk(it))
    }

    /// Walks along the next stream, unless enough of them are walked along, and says whether it did.
    pub(super) fn walk_ahead(&self) -> bool {
        let due = self.due.load(Ordering::Relaxed);
        let most = due.saturating_add(self.most_ahead).min(self.streams.len());
        let advance = |next: usize| Some(next.max(due) + 1).filter(|next| *next <= most);
        let order = Ordering::Relaxed;
        let next = self.next.fetch_update(order, order, advance);
        let stream = next.ok().and_then(|next| self.streams.get(next.max(due)));
        stream.map(|stream| self.walk(stream)).is_some()
    }

    /// What a walk along a stream says. Whoever comes second waits for the first.
    fn walk(&self, Stream { part, is_clean, .. }: &Stream<'_, '_>) -> bool {
        *is_clean.get_or_init(|| {
            !self.cancel.is_set()
                && part.entry.stored_len() < part.size()
                && part.entry.is_clean_stream().unwrap_or(false)
        })
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::Archive;
    use crate::testing::pak;

    #[test]
    fn streams_are_walked_along_a_little_ahead_of_what_is_fed() {
        let names: Vec<String> = (0..300).map(|n| format!("{n}.tga")).collect();
        let contents: Vec<_> = names.iter().map(|it| it.repeat(100)).collect();
        let files = names.iter().zip(&contents);
        let files: Vec<_> = files
            .map(|(it, content)| (&**it, content.as_bytes(), true))
            .collect();
        let mut bytes = pak(Format::Daikatana, &files);
        let archive = Archive::from_bytes(bytes.clone()).unwrap();
        // The second one does not decode to its size any more.
        let at = usize::try_from(archive.entry(1).unwrap().offset()).unwrap();
        bytes[at] = 0xff;
        let archive = Archive::from_bytes(bytes).unwrap();
        let parts = Part::all(&archive, Format::Daikatana, false);
        let parts: Vec<&Part<'_>> = parts.iter().collect();
        let cancel = Cancel::new();
        let walks = Walks::new(&cancel, 2, &parts, Format::Daikatana);
        let ahead = || (0..).take_while(|_| walks.walk_ahead()).count();
        assert_eq!(ahead(), 2 * STREAMS_AHEAD);
        assert_eq!([0, 1, 2].map(|it| walks.pass(it)), [true, false, true]);
        assert_eq!(ahead(), 3);
        // Past what was walked along ahead.
        assert!(walks.pass(199));
        assert_eq!(ahead(), 100);
        assert!((0..300).all(|it| walks.pass(it) == (it != 1)));
        let to_quake = Walks::new(&cancel, 2, &parts, Format::Quake);
        assert!(!to_quake.walk_ahead() && !to_quake.pass(0));
    }
}
