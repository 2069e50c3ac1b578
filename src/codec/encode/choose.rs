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

/// Bytes, then tokens, in one number that is compared and added as one: bytes times 2^24 plus
/// tokens times 2^8. Sums that meet in a comparison differ by less than 2^16 tokens, so the order
/// is that of the pair, although the tokens of a large block run over into the bytes. The lowest
/// 8 bits are 0, and lend themselves to [`Window`].
type Cost = u64;

const BYTE: Cost = 1 << 24;
const TOKEN: Cost = 1 << 8;

/// Replaces each longest copy in `plan` by the control byte of the best token, for the smallest
/// stream that there is.
pub(super) fn optimal(block: &[u8], plan: &mut [u8]) {
    let mut costs = Ring([0; RING]);
    let mut literals = Window::new();
    literals.insert(block.len(), 0);
    let mut run = 0;
    let mut last = None;
    for ((at, byte), slot) in (0..block.len()).zip(block).zip(plan).rev() {
        run = if last == Some(*byte) {
            RUN_MAX.min(run + 1)
        } else {
            1
        };
        last = Some(*byte);

        let copy = usize::from(*slot);
        let (best, token) = literals.best(at);
        let (mut best, mut token) = (best, Token::Literal { len: token });
        let zeros = *byte == 0 && run >= RUN_MIN;
        if !zeros || copy > run {
            let (len, cost) = costs.best(at, copy.max(run));
            let cost = cost + 2 * BYTE + TOKEN;
            // One byte alone costs what a literal of one costs, and is not better than the best
            // literal, so a length of 1 needs no exception before here.
            if cost <= best && len >= RUN_MIN {
                let length = small(len);
                best = cost;
                token = if len <= run {
                    Token::ByteRun { len: length }
                } else {
                    Token::Copy { len: length }
                };
            }
        }
        if zeros {
            let (len, cost) = costs.best(at, run);
            let cost = cost + BYTE + TOKEN;
            if cost <= best && len >= RUN_MIN {
                best = cost;
                token = Token::ZeroRun { len: small(len) };
            }
        }
        *slot = control(token);
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
        let (len, token) = if zeros && run + 1 >= copy {
            (run, Token::ZeroRun { len: small(run) })
        } else if run.max(copy) < 3 {
            (
                1,
                Token::Literal {
                    len: small(literal + 1),
                },
            )
        } else if run >= copy {
            (run, Token::ByteRun { len: small(run) })
        } else {
            (copy, Token::Copy { len: small(copy) })
        };
        let begins = if matches!(token, Token::Literal { .. }) {
            // It is the last byte of the literal so far.
            let begins = at - literal;
            literal = (literal + 1) % LITERAL_MAX;
            begins
        } else {
            literal = 0;
            at
        };
        if let Some(slot) = plan.get_mut(begins) {
            *slot = control(token);
        }
        rest = rest.get(len..).unwrap_or_default();
    }
}

/// How many costs are kept: more than the longest token writes, and a power of two.
const RING: usize = 128;

const _: () = assert!(RING > RUN_MAX && RING > COPY_MAX && RING > LITERAL_MAX);
const _: () = assert!(RING.is_power_of_two());

/// `f` of the last positions.
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

    /// The length, at most `longest`, after which the rest is cheapest, and what the rest costs.
    /// Only `longest` and one less need a look (the lemma above).
    fn best(&self, at: usize, longest: usize) -> (usize, Cost) {
        let shorter = longest.saturating_sub(1).max(1);
        let (long, short) = (self.get(at + longest), self.get(at + shorter));
        if short < long {
            (shorter, short)
        } else {
            (longest, long)
        }
    }
}

/// The best literal at each position: the minimum over the 64 positions `j` where it could end
/// of the bytes up to `j` and `f(j)`.
///
/// Positions are cut into groups of 64. A window is the lower end of one group and the upper end
/// of the one below... seen backward: what has been inserted of the group that is being filled,
/// of which a running minimum is kept, and the lowest positions of the group before it, whose
/// minima were all computed at once when it was full. Two values to compare, always; a queue of
/// candidates takes as few on average, but mispredicts.
struct Window {
    /// The minimum of the group being filled.
    filling: Cost,
    /// The members of that group.
    group: [Cost; LITERAL_MAX],
    /// Of the group before: the minimum of its first member, of its first two, and so on.
    before: [Cost; LITERAL_MAX],
}

// A position is known by its lowest 8 bits among the candidates of one window.
const _: () = assert!(LITERAL_MAX.is_power_of_two() && LITERAL_MAX < 256);

impl Window {
    fn new() -> Self {
        Self {
            filling: Cost::MAX,
            group: [Cost::MAX; LITERAL_MAX],
            before: [Cost::MAX; LITERAL_MAX],
        }
    }

    /// Adds the position `at`, one below the one added last, from which on the rest costs `cost`.
    fn insert(&mut self, at: usize, cost: Cost) {
        let member = at % LITERAL_MAX;
        if member == LITERAL_MAX - 1 {
            let mut least = Cost::MAX;
            for (before, member) in self.before.iter_mut().zip(&self.group) {
                least = least.min(*member);
                *before = least;
            }
            self.filling = Cost::MAX;
        }
        // The position's lowest byte rides along, so that the minimum says whose it is.
        let cost = cost + at as Cost * BYTE + at as Cost % TOKEN;
        if let Some(slot) = self.group.get_mut(member) {
            *slot = cost;
        }
        self.filling = self.filling.min(cost);
    }

    /// The cost of the best literal at `at`, one below the position added last, and its length.
    fn best(&self, at: usize) -> (Cost, u8) {
        let least = match at % LITERAL_MAX {
            // The group being filled is full and is the window.
            member if member == LITERAL_MAX - 1 => self.filling,
            member => self
                .before
                .get(member)
                .map_or(self.filling, |before| self.filling.min(*before)),
        };
        let end = least % TOKEN;
        let len = small((end.wrapping_sub(at as Cost) % TOKEN) as usize);
        (least - end - at as Cost * BYTE + BYTE + TOKEN, len)
    }
}

/// A token's length: none is above 65.
#[allow(clippy::cast_possible_truncation)]
fn small(len: usize) -> u8 {
    debug_assert!(len <= RUN_MAX);
    len as u8
}

/// The token's control byte. Lengths here are those that the grammar has; were one not, a literal
/// of one byte would still be right anywhere.
fn control(token: Token) -> u8 {
    debug_assert!(token.to_control().is_some(), "{token:?}");
    token.to_control().unwrap_or(0)
}
