//! What there is to fill, cut into pieces of work that threads take one by one.
//!
//! | piece    | of what                                                                       |
//! |----------|-------------------------------------------------------------------------------|
//! | `Copy`   | stored payloads that lie side by side in the source and will in the output    |
//! | `Decode` | one compressed payload                                                        |
//! | `Batch`  | small payloads, streams among them, side by side in the output and close in the source |

use crate::fs::Source;
use crate::ops::assemble::part::{Part, Parts};
use crate::ops::context::Work;
use crate::ops::nearby::Neighbours;
use crate::pak::{Entry, Plan, Planned};

/// How much is copied at once: enough to forget the cost of the call, and little enough that
/// threads share a large payload and a stop is heard.
const COPY: u64 = 1 << 20;

/// A payload that takes this long is begun before the others, the longest first, so that no thread
/// works alone at the end. All others keep their order, which is how a disk likes to be read.
const LARGE: u64 = 1 << 20;

/// How much a batch fills at most.
const BATCH: u64 = 256 * 1024;

/// A piece of work.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Bytes of stored payloads.
    Copy(Range),
    /// The stream of a part.
    Decode { index: usize, size: u64, to: u64 },
    /// Small payloads.
    Batch(Batch),
}

/// Bytes of stored payloads that lie side by side in the source and in the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    /// The part that the first of them belong to.
    pub(super) first: usize,
    /// The pak that they lie in.
    pub(super) pak: Option<u32>,
    pub(super) from: u64,
    pub(super) len: u64,
    pub(super) to: u64,
    /// How many parts end in it.
    pub(super) ends: u64,
}

/// Small payloads that lie side by side in the output, and close together in one source.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    /// The payloads of these parts.
    pub(super) parts: core::ops::Range<usize>,
    pub(super) neighbours: Neighbours,
    pub(super) to: u64,
    pub(super) len: u64,
    entries: u64,
    /// Whether one of them is a stream.
    compressed: bool,
}

impl Range {
    /// Takes in what follows, if this is what follows. A file's bytes never are: they begin at 0.
    fn join(&mut self, next: Self) -> bool {
        let follows = self.from + self.len == next.from && self.to + self.len == next.to;
        let joins = follows && self.pak == next.pak;
        if joins {
            self.len += next.len;
            self.ends += next.ends;
        }
        joins
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

impl Piece {
    pub(super) fn work(&self) -> Work {
        let (entries, bytes) = match *self {
            Self::Copy(range) => (range.ends, range.len),
            Self::Decode { size, .. } => (1, size),
            Self::Batch(ref batch) => (batch.entries, batch.len),
        };
        Work { entries, bytes }
    }

    /// The longer, the sooner it is to be begun.
    fn urgency(&self) -> u64 {
        match *self {
            Self::Decode { size, .. } if size >= LARGE => size,
            _ => 0,
        }
    }
}

impl Batch {
    /// A batch of one payload, if it is small.
    fn of(index: usize, entry: &Entry<'_, Source>, to: u64) -> Option<Self> {
        Some(Self {
            parts: index..index + 1,
            neighbours: Neighbours::of(entry)?,
            to,
            len: entry.size().into(),
            entries: 1,
            compressed: entry.is_compressed(),
        })
    }

    /// Takes in the next one, if it is one of the same pak's and close by.
    fn join(&mut self, next: &Self, parts: &dyn Parts) -> bool {
        let pak = |batch: &Self| parts.part(batch.parts.start).and_then(Part::pak);
        let joins = self.to + self.len == next.to
            && self.len + next.len <= BATCH
            && pak(self) == pak(next)
            && self.neighbours.join(&next.neighbours);
        if joins {
            self.parts.end = next.parts.end;
            self.len += next.len;
            self.entries += next.entries;
            self.compressed |= next.compressed;
        }
        joins
    }
}

/// The work there is in some parts, the longest first.
pub(super) fn pieces(
    parts: &dyn Parts,
    plan: &Plan<'_>,
    some: core::ops::Range<usize>,
) -> Vec<Piece> {
    let mut cutting = Cutting::default();
    let mut open: Option<Batch> = None;
    for (index, planned) in payloads(plan, some) {
        let to = u64::from(planned.offset);
        let Some(part) = parts.part(index) else {
            continue;
        };
        let small = match part {
            Part::Entry(entry, _) => Batch::of(index, &entry, to),
            Part::Loose(_) => None,
        };
        if let (Some(batch), Some(next)) = (&mut open, &small)
            && batch.join(next, parts)
        {
            continue;
        }
        if let Some(batch) = core::mem::replace(&mut open, small) {
            cutting.batch(batch, parts, plan);
        }
        if open.is_none() {
            cutting.single(index, part, planned);
        }
    }
    if let Some(batch) = open {
        cutting.batch(batch, parts, plan);
    }
    cutting.finish()
}

/// Pieces in the making.
#[derive(Debug, Default)]
struct Cutting {
    pieces: Vec<Piece>,
    ranges: Vec<Range>,
}

impl Cutting {
    /// A payload that is handled by itself.
    fn single(&mut self, index: usize, part: Part<'_>, planned: &Planned<'_>) {
        let (size, to) = (u64::from(planned.size), u64::from(planned.offset));
        let Some(from) = part.stored_at() else {
            self.pieces.push(Piece::Decode { index, size, to });
            return;
        };
        let range = Range {
            first: index,
            pak: part.pak(),
            from,
            len: size,
            to,
            ends: 1,
        };
        if !self.ranges.last_mut().is_some_and(|last| last.join(range)) {
            self.ranges.push(range);
        }
    }

    /// Payloads that are handled together, where that pays: stored ones the kernel copies, and
    /// joins to what is beside them.
    fn batch(&mut self, batch: Batch, parts: &dyn Parts, plan: &Plan<'_>) {
        if batch.compressed && batch.entries > 1 {
            self.pieces.push(Piece::Batch(batch));
            return;
        }
        for (index, planned) in payloads(plan, batch.parts) {
            if let Some(part) = parts.part(index) {
                self.single(index, part, planned);
            }
        }
    }

    fn finish(mut self) -> Vec<Piece> {
        self.pieces
            .sort_by_key(|piece| core::cmp::Reverse(piece.urgency()));
        let ranges = self.ranges.into_iter().flat_map(Range::cut);
        self.pieces.extend(ranges.map(Piece::Copy));
        self.pieces
    }
}

/// The payloads of some parts, as [`Plan::payloads`] has them.
pub(super) fn payloads<'p, 'a>(
    plan: &'p Plan<'a>,
    parts: core::ops::Range<usize>,
) -> impl Iterator<Item = (usize, &'p Planned<'a>)> {
    let entries = plan.entries().get(parts.clone()).unwrap_or_default();
    parts
        .zip(entries)
        .filter(|(_, entry)| !entry.shares && entry.size > 0)
}
