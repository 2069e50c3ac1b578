//! What there is to fill, cut into pieces of work that threads take one by one.
//!
//! | piece    | of what                                                                       |
//! |----------|-------------------------------------------------------------------------------|
//! | `Copy`   | stored payloads that lie side by side in the source and will in the output    |
//! | `Decode` | one compressed payload                                                        |
//! | `Batch`  | small payloads, streams among them, side by side in the output and close in the source |

use crate::ops::nearby::Neighbours;
use crate::ops::plan::part::Part;

/// How much is copied at once: enough to forget the cost of the call, and little enough that
/// threads share a large payload and a stop is heard.
const COPY: u64 = 1 << 20;

/// A payload that takes this long is begun before the others, the longest first, so that no thread
/// works alone at the end. All others keep their order, which is how a disk likes to be read.
const LARGE: u64 = 1 << 20;

/// How much a batch fills at most.
const BATCH: u64 = 256 * 1024;

/// A payload, and where it will lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Payload<'p, 'a> {
    pub(super) part: &'p Part<'a>,
    pub(super) to: u64,
}

/// A piece of work. Payloads are meant by their positions.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Bytes of stored payloads.
    Copy(Range),
    /// A stream.
    Decode(usize),
    /// Small payloads.
    Batch(Batch),
}

/// Bytes of stored payloads that lie side by side in the source and in the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    /// The payload that the first of them belong to.
    pub(super) first: usize,
    pub(super) from: u64,
    pub(super) len: u64,
    pub(super) to: u64,
    /// How many payloads end in it.
    pub(super) ends: u64,
}

/// Small payloads that lie side by side in the output, and close together in one source.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    pub(super) payloads: core::ops::Range<usize>,
    pub(super) neighbours: Neighbours,
    pub(super) to: u64,
    pub(super) len: u64,
    /// Whether one of them is a stream, or has to be checked.
    compressed: bool,
}

impl<'p, 'a> Payload<'p, 'a> {
    /// Whether both lie in one file.
    fn is_beside(&self, other: &Payload<'p, 'a>) -> bool {
        let (one, other) = (self.part.entry, other.part.entry);
        !one.is_file() && core::ptr::eq(one.archive(), other.archive())
    }
}

impl Range {
    /// All of a stored payload.
    pub(super) fn of(at: usize, payload: &Payload<'_, '_>) -> Self {
        Self {
            first: at,
            from: payload.part.entry.offset(),
            len: payload.part.size(),
            to: payload.to,
            ends: 1,
        }
    }

    /// Whether the other one follows, in the output and in the source.
    const fn is_followed_by(&self, next: &Self) -> bool {
        self.from + self.len == next.from && self.to + self.len == next.to
    }

    /// In pieces.
    fn cut(self) -> impl Iterator<Item = Self> {
        (0..self.len.div_ceil(COPY)).map(move |n| {
            let done = n * COPY;
            let len = COPY.min(self.len - done);
            let is_last = done + len == self.len;
            Self {
                from: self.from + done,
                to: self.to + done,
                len,
                ends: if is_last { self.ends } else { 0 },
                ..self
            }
        })
    }
}

impl Batch {
    /// A batch of one payload, if it is small.
    fn of(at: usize, payload: &Payload<'_, '_>) -> Option<Self> {
        Some(Self {
            payloads: at..at + 1,
            neighbours: Neighbours::of(&payload.part.entry)?,
            to: payload.to,
            len: payload.part.size(),
            compressed: !payload.part.entry.is_plain(),
        })
    }

    /// Takes in the next one, which lies in the same file, if it is close by.
    fn join(&mut self, next: &Self) -> bool {
        let joins = self.to + self.len == next.to
            && self.len + next.len <= BATCH
            && self.neighbours.join(&next.neighbours);
        if joins {
            self.payloads.end = next.payloads.end;
            self.len += next.len;
            self.compressed |= next.compressed;
        }
        joins
    }
}

/// The work that all payloads are, the longest first.
pub(super) fn pieces(all: &[Payload<'_, '_>]) -> Vec<Piece> {
    let mut cutting = Cutting {
        all,
        pieces: Vec::new(),
        ranges: Vec::new(),
    };
    let mut open: Option<Batch> = None;
    for (at, payload) in all.iter().enumerate() {
        let small = Batch::of(at, payload);
        if let (Some(batch), Some(next)) = (&mut open, &small)
            && all
                .get(batch.payloads.start)
                .is_some_and(|it| it.is_beside(payload))
            && batch.join(next)
        {
            continue;
        }
        if let Some(batch) = core::mem::replace(&mut open, small) {
            cutting.batch(batch);
        }
        if open.is_none() {
            cutting.single(at, payload);
        }
    }
    if let Some(batch) = open {
        cutting.batch(batch);
    }
    cutting.finish()
}

/// Pieces in the making.
struct Cutting<'p, 'a> {
    all: &'p [Payload<'p, 'a>],
    pieces: Vec<Piece>,
    ranges: Vec<Range>,
}

impl Cutting<'_, '_> {
    /// A payload that is handled by itself.
    fn single(&mut self, at: usize, payload: &Payload<'_, '_>) {
        if !payload.part.entry.is_plain() {
            self.pieces.push(Piece::Decode(at));
            return;
        }
        let range = Range::of(at, payload);
        if let Some(last) = self.ranges.last_mut()
            && last.is_followed_by(&range)
            && self
                .all
                .get(last.first)
                .is_some_and(|it| it.is_beside(payload))
        {
            last.len += range.len;
            last.ends += range.ends;
        } else {
            self.ranges.push(range);
        }
    }

    /// Payloads that are handled together, where that pays: stored ones the kernel copies, and
    /// joins to what is beside them.
    fn batch(&mut self, batch: Batch) {
        if batch.compressed && batch.payloads.len() > 1 {
            self.pieces.push(Piece::Batch(batch));
            return;
        }
        for at in batch.payloads {
            if let Some(payload) = self.all.get(at) {
                self.single(at, payload);
            }
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        let size = |piece: &Piece| match piece {
            Piece::Decode(at) => self.all.get(*at).map_or(0, |it| it.part.size()),
            _ => 0,
        };
        let urgency = |piece: &Piece| Some(size(piece)).filter(|size| *size >= LARGE);
        self.pieces
            .sort_by_cached_key(|piece| core::cmp::Reverse(urgency(piece)));
        let ranges = self.ranges.into_iter().flat_map(Range::cut);
        self.pieces.extend(ranges.map(Piece::Copy));
        self.pieces
    }
}
