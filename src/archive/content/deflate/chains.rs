//! Chains: where the bytes at a position stood before, the nearest place first.

use super::hash::{hash, is_three, low};
use super::symbols::{DISTANCE_MAX, MATCH_MIN};
use super::table::{Table, alike, four};

/// How many chains there are.
const CHAINS_LOG: u32 = 15;
const CHAINS: usize = 1 << CHAINS_LOG;
/// The same for three bytes, of which only the nearest place is known.
const SHORTS_LOG: u32 = 16;
const SHORTS: usize = 1 << SHORTS_LOG;

/// The places of all positions that were passed. A place is kept as the low 16 bits of its position: what
/// they say of one that is out of reach may be wrong, but a match is only ever what was compared.
pub(super) struct Chains {
    /// The last place of each hash of four bytes.
    heads: Table<u16, CHAINS>,
    /// The last place of each hash of three bytes.
    shorts: Table<u16, SHORTS>,
    /// The place before each place.
    before: Table<u16, DISTANCE_MAX>,
    next: Next,
}

/// The hashes of the position that is passed next, and what stands there: looked up one position early, so
/// that it has come from memory when it is needed.
#[derive(Debug, Clone, Copy, Default)]
struct Next {
    hash: usize,
    head: u16,
    short_hash: usize,
    short: u16,
}

/// A match that was found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Match {
    /// 0 where there is none.
    pub(super) len: usize,
    pub(super) distance: usize,
}

impl Chains {
    pub(super) fn new() -> Self {
        Self {
            heads: Table::new(),
            shorts: Table::new(),
            before: Table::new(),
            next: Next::default(),
        }
    }

    /// Begins a text.
    pub(super) fn begin(&mut self, text: &[u8]) {
        self.heads.clear();
        self.shorts.clear();
        self.before.clear();
        self.look_up(text, 0);
    }

    #[inline]
    fn look_up(&mut self, text: &[u8], at: usize) {
        let bytes = four(text, at);
        let (hash, short_hash) = (hash(bytes, CHAINS_LOG), hash(bytes << 8, SHORTS_LOG));
        self.next = Next {
            hash,
            head: self.heads.get(hash),
            short_hash,
            short: self.shorts.get(short_hash),
        };
    }

    /// Passes a position, and returns the last places of its four and its three bytes.
    #[inline]
    pub(super) fn pass(&mut self, text: &[u8], at: usize) -> (u16, u16) {
        let Next {
            hash,
            head,
            short_hash,
            short,
        } = self.next;
        self.shorts.set(short_hash, low(at));
        self.heads.set(hash, low(at));
        self.before.set(at, head);
        self.look_up(text, at + 1);
        (head, short)
    }

    /// Passes a position, and returns the longest match there that is longer than `longer`, looking at
    /// so many places, and at no more once one of `enough` bytes is found.
    #[inline]
    pub(super) fn find(
        &mut self,
        text: &[u8],
        at: usize,
        longer: usize,
        places: usize,
        enough: usize,
        most: usize,
    ) -> Match {
        let (mut place, short) = self.pass(text, at);
        let mut best = Match {
            len: longer.max(MATCH_MIN),
            distance: 0,
        };
        let first = four(text, at);
        if longer < MATCH_MIN && most > MATCH_MIN {
            let distance = usize::from(low(at).wrapping_sub(short));
            if is_three(text, at, distance) {
                best.distance = distance;
            }
        }
        if most <= best.len {
            return best;
        }
        let mut nearer = 0;
        // The bytes that make a match longer than the best one, with the three before.
        let mut wanted = four(text, at + best.len - 3);
        for _ in 0..places {
            let distance = usize::from(low(at).wrapping_sub(place));
            if distance <= nearer || distance > DISTANCE_MAX.min(at) {
                break;
            }
            nearer = distance;
            let from = at - distance;
            if four(text, from + best.len - 3) == wanted && four(text, from) == first {
                let len = alike(text, from, at, most);
                if len > best.len {
                    best = Match { len, distance };
                    if len >= enough.min(most) {
                        break;
                    }
                    wanted = four(text, at + len - 3);
                }
            }
            place = self.before.get(from);
        }
        best
    }
}
