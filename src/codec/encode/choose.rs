//! Choose: which tokens a block is cut into, given the longest copy at each position.
//!
//! Both choosers take a plan that holds those lengths and leave in it, at the position where each
//! token begins, the token's control byte. What stands between is left over and means nothing.
//!
//! # The optimal parse
//!
//! Let `f(i)` be the fewest bytes that code the block from `i` to its end, `f(n) = 0`. Backward,
//! `f(i)` is the least of `cost + f(i + len)` over all tokens that could stand at `i`. There may
//! be 250 of those, but few need a look:
//!
//! **Shorter is never better by much.** Of a run or a copy all lengths from 2 to the longest, `L`,
//! are possible and cost the same. Only `f(i + L)` and `f(i + L - 1)` need a look, because for
//! `j < k` always `f(j) >= min(f(k), f(k - 1))`. Proof: take the best parse from `j`, and drop its
//! bytes before `k`. Tokens that end there go; at most one reaches across `k`, and what is left of
//! it must still be coded. A literal's rest costs less than the literal. A run's or copy's rest of
//! two bytes or more is a run or copy (same byte, same distance) of the same cost. A rest of
//! one byte is a literal of cost 2: as much as the byte run or copy had cost; but one more than
//! a zero run. In that last case begin one byte earlier: a rest of two zeros is a zero run
//! again, so `f(j) >= f(k - 1)`. In each case tokens become no more, either.
//!
//! **Literals** are the minimum of a sliding window of 64: see [`Window`].
//!
//! **Byte runs and copies** cost the same, so the longer of the two counts. A run wins a tie: it
//! needs no search, and a decoder none of its history. A byte run of zeros always loses to the
//! zero run.
//!
//! So a position costs the same few steps whatever the data is. Of parses of the same size
//! the one with the fewest tokens is taken (both are minimised at once, see [`Cost`]; the lemma
//! holds for the pair), because a decoder's time goes by tokens.

use crate::codec::grammar::{COPY_MAX, LITERAL_MAX, RUN_MAX, RUN_MIN, Token};

/// What is minimised: bytes, then tokens, in one number that is compared and added as one. Sums
/// that meet in a comparison differ by far less than 2^16 tokens, so the order is that of the
/// pair, although the tokens of a large block run over into the bytes. The lowest 8 bits are 0,
/// and lend themselves to [`Window`].
///
/// The cost of a position is that of the block from there on *and* one byte for each byte of the
/// block up to there. A literal's cost then does not depend on its length, which takes two steps
/// out of the chain that the parse is bound by.
type Cost = u64;

const BYTE: Cost = 1 << 24;
const TOKEN: Cost = 1 << 8;

/// Replaces each longest copy in `plan` by the control byte of the best token, for the smallest
/// stream that there is.
///
/// Each position waits for the one behind it, and that chain is the speed. Tried and left: selects
/// instead of the branches (faster on textures by a tenth, slower on noise by a quarter), and
/// choosing in the same loop that finds, so that the one works while the other waits (a sixth
/// slower: a mispredicted branch here then throws away work there).
pub(super) fn optimal(block: &[u8], plan: &mut [u8]) {
    let end = block.len() as Cost * BYTE;
    let mut costs = Ring([0; RING]);
    costs.set(block.len(), end);
    let mut literals = Window::new(block.len(), end);
    let mut run = 0;
    let mut last = None;
    for ((at, byte), slot) in (0..block.len()).zip(block).zip(plan).rev() {
        run = if last == Some(*byte) {
            RUN_MAX.min(run + 1)
        } else {
            1
        };
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

/// Replaces longest copies in `plan` by control bytes, going forward and always taking the
/// longest run or copy, as the encoders do that are in use. The yardstick of [`optimal`].
pub(super) fn greedy(block: &[u8], plan: &mut [u8]) {
    let mut rest = block;
    let mut literal = 0;
    while let Some(byte) = rest.first() {
        let at = block.len() - rest.len();
        let run = rest.iter().take(RUN_MAX).take_while(|b| *b == byte).count();
        let copy = plan.get(at).map_or(0, |longest| usize::from(*longest));
        let zeros = *byte == 0 && run >= RUN_MIN;
        // A run of zeros costs one byte, all others two. What writes two bytes for two saves
        // nothing and would cut a literal in two.
        let (len, class) = if zeros && run + 1 >= copy {
            (run, ZERO_RUN)
        } else if run.max(copy) < 3 {
            (1, LITERAL)
        } else if run >= copy {
            (run, BYTE_RUN)
        } else {
            (copy, COPY)
        };
        // One byte alone goes to the literal so far, or begins one.
        let (begins, writes) = if len == 1 {
            literal += 1;
            (at + 1 - literal, literal)
        } else {
            (at, len)
        };
        if len > 1 || literal == LITERAL_MAX {
            literal = 0;
        }
        if let Some(slot) = plan.get_mut(begins) {
            *slot = class.control(writes);
        }
        rest = rest.get(len..).unwrap_or_default();
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

    /// The length, from 2 to `longest`, after which the rest is cheapest, and what the rest
    /// costs. Only `longest` and one less need a look (the lemma above). Where `longest` is below
    /// 2 the answer means nothing.
    fn best(&self, at: usize, longest: usize) -> (usize, Cost) {
        let shorter = longest.saturating_sub(1).max(RUN_MIN);
        let cost = |len: usize| self.get(at + len).wrapping_sub(len as Cost * BYTE);
        let (long, short) = (cost(longest), cost(shorter));
        if short < long {
            (shorter, short)
        } else {
            (longest, long)
        }
    }
}

/// The cheapest of the 64 positions where the literal could end that begins at a position.
///
/// Positions are cut into groups of 64, so that of each window the lower part lies in the group
/// being filled, and the upper part is the first members of the group before it. Of the lower
/// part a running minimum is kept; the minima of the upper part were all computed when its group
/// was full. So it is two comparisons, always; a queue of candidates takes as few on average only,
/// and branches on the data.
struct Window {
    /// The position added last, which the next one waits for: it is compared last.
    newest: Cost,
    /// The minimum of the group being filled, but for the newest.
    filling: Cost,
    /// The members of that group.
    group: [Cost; LITERAL_MAX],
    /// Of the group before: the minimum of its first member, of its first two, and so on, but not
    /// that of all 64, since no window holds all of them and one more.
    before: [Cost; LITERAL_MAX],
}

// A position's lowest 8 bits ride in the lowest bits of its cost, and tell it from all others of
// a window.
const _: () = assert!(LITERAL_MAX.is_power_of_two() && (LITERAL_MAX as Cost) < TOKEN);

impl Window {
    /// With a first position.
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

    /// Adds the position `at`, one below the one added last.
    #[inline]
    fn insert(&mut self, at: usize, cost: Cost) {
        self.filling = self.filling.min(self.newest);
        self.newest = cost + at as Cost % TOKEN;
        let member = at % LITERAL_MAX;
        if member == LITERAL_MAX - 1 {
            // A new group begins.
            self.filling = Cost::MAX;
            let mut least = Cost::MAX;
            for (before, member) in self
                .before
                .iter_mut()
                .zip(&self.group)
                .take(LITERAL_MAX - 1)
            {
                least = least.min(*member);
                *before = least;
            }
        }
        if let Some(slot) = self.group.get_mut(member) {
            *slot = self.newest;
        }
    }

    /// The cost of the best of the 64 positions above `at`, which is the one below the newest,
    /// and how far above it is.
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

/// A class of tokens, as the number to which a length is added to give the control byte: so that
/// the choice between classes is one between numbers.
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
        Self(
            token
                .to_control()
                .unwrap()
                .wrapping_sub(token.output_len() as u8),
        )
    }

    /// The control byte of the class's token that writes `len` bytes.
    #[expect(clippy::cast_possible_truncation, reason = "no length is above 65")]
    const fn control(self, len: usize) -> u8 {
        self.0.wrapping_add(len as u8)
    }
}
