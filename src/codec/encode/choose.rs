//! Choose: cuts a block into tokens, given the longest copy at each position.
//!
//! The plan holds the lengths of these copies. The position where a token begins is overwritten with the token's control
//! byte. Positions in between get values that mean nothing.
//!
//! Let `f(i)` be the fewest bytes that code the block from `i` to its end, `f(n) = 0`. Going backward,
//! `f(i)` is the least of `cost + f(i + len)` over all tokens that are possible at `i`. There may be 250 of
//! them, but only a few must be examined:
//!
//! **A shorter token is never much better.** Let `L` be the longest run or copy. All lengths from 2 to `L`
//! are possible and cost the same. Only `f(i + L)` and `f(i + L - 1)` must be examined, because for `j < k`
//! always `f(j) >= min(f(k), f(k - 1))`. Proof: take the best parse from `j`, and drop its bytes before
//! `k`. Tokens that end there are dropped; at most one reaches across `k`, and its rest must still be
//! coded. A literal's rest costs less than the literal. A run's or copy's rest of two bytes or more is a
//! run or copy (same byte, same distance) of the same cost. A rest of one byte is a literal of cost 2: as
//! much as the byte run or copy did cost, but one more than a zero run. In that last case begin one byte
//! earlier: a rest of two zeros is a zero run again, so `f(j) >= f(k - 1)`. The number of tokens does not
//! grow in any of these cases.
//!
//! **Literals** are the minimum of a sliding window of 64: see [`Window`].
//!
//! **Byte runs and copies** cost the same, so the longer of the two wins. A run wins a tie: it needs no
//! search, and the decoder needs no history for it. A byte run of zeros always loses to the zero run.
//!
//! So each position costs the same few steps, whatever the data is. Among parses of the same size, the one
//! with the fewest tokens is chosen, because a decoder's time depends on the number of tokens. Both are
//! minimised at once, see [`Cost`]; the lemma holds for the pair.

use crate::codec::grammar::{COPY_MAX, LITERAL_MAX, RUN_MAX, RUN_MIN, Token};

/// The cost to minimise: bytes, then tokens, packed into one number, so that one operation compares or adds both.
/// The tokens of a large block overflow into the bytes, but the sums that are compared differ by far less than 2^16
/// tokens, so comparing the numbers orders them like the pairs. The lowest 8 bits are 0; [`Window`] uses them.
///
/// The cost of a position is the cost of the block from that position to its end, *plus* one byte for each byte of
/// the block before the position. So the cost of a literal does not depend on its length. This removes two steps
/// from the chain that limits the speed of the parse.
type Cost = u64;

const BYTE: Cost = 1 << 24;
const TOKEN: Cost = 1 << 8;

/// Replaces each longest copy in `plan` by the control byte of the best token. The result is the smallest
/// possible stream.
///
/// Each position waits for the one after it, and that chain limits the speed. Two changes were tried and
/// dropped. Selects instead of the branches were faster on textures by a tenth, but slower on noise by a
/// quarter. Finding and choosing in one loop, so that each can work while the other waits, was slower by a
/// sixth: a mispredicted branch of the choice then also throws away work of the search.
pub(super) fn choose(block: &[u8], plan: &mut [u8]) {
    let end = block.len() as Cost * BYTE;
    let mut costs = Ring([0; RING]);
    costs.set(block.len(), end);
    let mut literals = Window::new(block.len(), end);
    let mut run = 0;
    let mut last = None;
    for ((at, byte), slot) in (0..block.len()).zip(block).zip(plan).rev() {
        run = if last == Some(*byte) { RUN_MAX.min(run + 1) } else { 1 };
        last = Some(*byte);

        let (rest, len) = literals.best(at);
        let mut best = rest + BYTE + TOKEN;
        let mut control = LITERAL.control(len);
        let longest = run.max(usize::from(*slot));
        let zeros = *byte == 0 && run >= RUN_MIN;
        if longest >= RUN_MIN && !(zeros && longest == run) {
            let (len, rest) = costs.best(at, longest);
            let cost = rest + 2 * BYTE + TOKEN;
            if cost <= best {
                best = cost;
                let class = if len <= run { BYTE_RUN } else { COPY };
                control = class.control(len);
            }
        }
        if zeros {
            let (len, rest) = costs.best(at, run);
            let cost = rest + BYTE + TOKEN;
            if cost <= best {
                best = cost;
                control = ZERO_RUN.control(len);
            }
        }
        *slot = control;
        costs.set(at, best);
        literals.insert(at, best);
    }
}

/// How many costs are kept: more than the longest token writes, and a power of two.
const RING: usize = 128;

const _: () = assert!(RING > RUN_MAX && RING > COPY_MAX && RING.is_power_of_two());

/// The costs of the last positions.
struct Ring([Cost; RING]);

impl Ring {
    fn set(&mut self, at: usize, cost: Cost) {
        if let Some(slot) = self.0.get_mut(at % RING) {
            *slot = cost;
        }
    }

    fn get(&self, at: usize) -> Cost {
        self.0.get(at % RING).copied().unwrap_or(Cost::MAX)
    }

    /// The length, from 2 to `longest`, with the cheapest rest, and the cost of that rest. Only `longest`
    /// and `longest - 1` are examined (the lemma above). If `longest` is below 2, the answer means nothing.
    fn best(&self, at: usize, longest: usize) -> (usize, Cost) {
        let shorter = longest.saturating_sub(1).max(RUN_MIN);
        let cost = |len: usize| self.get(at + len).wrapping_sub(len as Cost * BYTE);
        let (long, short) = (cost(longest), cost(shorter));
        if short < long { (shorter, short) } else { (longest, long) }
    }
}

/// The cheapest of the 64 positions where a literal can end, for the position where it begins.
///
/// Positions are cut into groups of 64. The lower part of each window is in the group being filled; the
/// upper part is the first members of the previous group. A running minimum covers the lower part; the
/// minima of the upper part were all computed when its group was full. So every step takes two comparisons.
/// A queue of candidates takes as few only on average, and branches on the data.
struct Window {
    /// The position added last. The next one waits for it, so it is compared last.
    newest: Cost,
    /// The minimum of the group being filled, without the newest.
    filling: Cost,
    /// The members of that group.
    group: [Cost; LITERAL_MAX],
    /// The minima of the previous group: of its first member, of its first two, and so on. The minimum of
    /// all 64 is not kept, since no window holds all of them and one more.
    before: [Cost; LITERAL_MAX],
}

// The lowest 8 bits of a cost hold the lowest 8 bits of its position, which identify it within a window.
const _: () = assert!(LITERAL_MAX.is_power_of_two() && (LITERAL_MAX as Cost) < TOKEN);

impl Window {
    /// Creates a window with a first position.
    fn new(end: usize, cost: Cost) -> Self {
        let mut window = Self {
            newest: Cost::MAX,
            filling: Cost::MAX,
            group: [Cost::MAX; LITERAL_MAX],
            before: [Cost::MAX; LITERAL_MAX],
        };
        window.insert(end, cost);
        window
    }

    /// Adds the position `at`, which is one below the last one.
    #[inline]
    fn insert(&mut self, at: usize, cost: Cost) {
        self.filling = self.filling.min(self.newest);
        self.newest = cost + at as Cost % TOKEN;
        let member = at % LITERAL_MAX;
        if member == LITERAL_MAX - 1 {
            // A new group begins.
            self.filling = Cost::MAX;
            let mut least = Cost::MAX;
            for (before, member) in self.before.iter_mut().zip(&self.group).take(LITERAL_MAX - 1) {
                least = least.min(*member);
                *before = least;
            }
        }
        if let Some(slot) = self.group.get_mut(member) {
            *slot = self.newest;
        }
    }

    /// The cost of the best of the 64 positions above `at` (one below the newest), and its distance from
    /// `at`.
    #[inline]
    fn best(&self, at: usize) -> (Cost, usize) {
        let before = self.before.get(at % LITERAL_MAX);
        let others = self.filling.min(before.copied().unwrap_or(Cost::MAX));
        let least = self.newest.min(others);
        let end = least % TOKEN;
        // Below 256.
        let len = (end.wrapping_sub(at as Cost) % TOKEN) as usize;
        (least - end, len)
    }
}

/// A class of tokens, as the number to add to a length to get the control byte. So choosing between classes
/// is choosing between numbers.
#[derive(Clone, Copy)]
struct Class(u8);

const LITERAL: Class = Class::of(Token::Literal { len: 1 });
const ZERO_RUN: Class = Class::of(Token::ZeroRun { len: 2 });
const BYTE_RUN: Class = Class::of(Token::ByteRun { len: 2 });
const COPY: Class = Class::of(Token::Copy { len: 2 });

impl Class {
    /// The class of `token`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::unwrap_used,
        reason = "used at compile time only, where a failure is an error of the compiler"
    )]
    const fn of(token: Token) -> Self {
        Self(token.to_control().unwrap().wrapping_sub(token.output_len() as u8))
    }

    /// The control byte of the token of this class that writes `len` bytes.
    #[expect(clippy::cast_possible_truncation, reason = "no length is above 65")]
    const fn control(self, len: usize) -> u8 {
        self.0.wrapping_add(len as u8)
    }
}
