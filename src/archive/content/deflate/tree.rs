//! A tree for each hash of four bytes: all places where they stood before, sorted by what follows there.
//!
//! The way to where a position belongs leads past the places that share most with it. Each position that
//! is passed becomes the root of its tree, so that near places are met first.

use super::hash::{hash, is_three, low};
use super::symbols::{DISTANCE_MAX, MATCH_MIN, Token};
use super::table::{Table, alike, four};

const TREES_LOG: u32 = 15;
const TREES: usize = 1 << TREES_LOG;
const SHORTS_LOG: u32 = 16;
const SHORTS: usize = 1 << SHORTS_LOG;

/// The places of all positions that were passed. A place is one more than its position; 0 is none.
pub(super) struct Tree {
    roots: Table<u32, TREES>,
    /// The last position of each hash of three bytes, its low 16 bits. A match is only what was compared.
    shorts: Table<u16, SHORTS>,
    /// What is less than a place and what is more, one after the other.
    below: Table<u32, { 2 * DISTANCE_MAX }>,
    next: Next,
}

/// The hashes of the position that is passed next, and what stands there: looked up one position early, so
/// that it has come from memory when it is needed.
#[derive(Debug, Clone, Copy, Default)]
struct Next {
    hash: usize,
    root: u32,
    short_hash: usize,
    short: u16,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            roots: Table::new(),
            shorts: Table::new(),
            below: Table::new(),
            next: Next::default(),
        }
    }

    /// Begins a text.
    pub(super) fn begin(&mut self, text: &[u8]) {
        self.roots.clear();
        self.shorts.clear();
        // What no root leads to is never looked at.
        self.look_up(text, 0);
    }

    #[inline]
    fn look_up(&mut self, text: &[u8], at: usize) {
        let bytes = four(text, at);
        let (hash, short_hash) = (hash(bytes, TREES_LOG), hash(bytes << 8, SHORTS_LOG));
        self.next = Next {
            hash,
            root: self.roots.get(hash),
            short_hash,
            short: self.shorts.get(short_hash),
        };
    }

    /// Passes a position, and gives each match there that is longer than those before, the nearest first.
    /// It looks at so many places, and at no more once one of `enough` bytes is found.
    #[inline]
    pub(super) fn pass(
        &mut self,
        text: &[u8],
        at: usize,
        places: usize,
        enough: usize,
        most: usize,
        mut give: impl FnMut(Token),
    ) {
        // Four bytes and one behind them, which decides where it belongs in its tree.
        if most <= 4 {
            return;
        }
        let place = u32::try_from(at + 1).unwrap_or_default();
        let Next {
            hash,
            root: mut next,
            short_hash,
            short,
        } = self.next;
        self.shorts.set(short_hash, low(at));
        self.roots.set(hash, place);
        self.look_up(text, at + 1);
        let mut best = MATCH_MIN - 1;
        let distance = usize::from(low(at).wrapping_sub(short));
        if is_three(text, at, distance) {
            best = MATCH_MIN;
            give(Token::matching(MATCH_MIN, distance));
        }
        // Where the next place goes that is less or more, and how much all further ones on that side share.
        let (mut less, mut more) = (2 * at, 2 * at + 1);
        let (mut less_len, mut more_len) = (0, 0);
        for _ in 0..places {
            let distance = (place - next) as usize;
            if next == 0 || distance >= DISTANCE_MAX {
                break;
            }
            let from = at - distance;
            let known = usize::min(less_len, more_len);
            let len = known + alike(text, from + known, at + known, most - known);
            if len > best {
                best = len;
                give(Token::matching(len, distance));
                if len >= enough.min(most) {
                    // It takes the place of one that is the same as far as anyone looks.
                    self.below.set(less, self.below.get(2 * from));
                    self.below.set(more, self.below.get(2 * from + 1));
                    return;
                }
            }
            if text.get(from + len) < text.get(at + len) {
                self.below.set(less, next);
                less = 2 * from + 1;
                less_len = len;
                next = self.below.get(less);
            } else {
                self.below.set(more, next);
                more = 2 * from;
                more_len = len;
                next = self.below.get(more);
            }
        }
        self.below.set(less, 0);
        self.below.set(more, 0);
    }
}
