//! Tallies: how often each symbol is used in a piece of the content, and what that costs.

use super::symbols::{DISTANCES, END, LITERALS, Token, of_distance, of_length};

/// How often each symbol is used.
#[derive(Clone)]
pub(super) struct Tally {
    pub(super) literals: [u32; LITERALS],
    pub(super) distances: [u32; DISTANCES],
}

impl Tally {
    pub(super) const EMPTY: Self = Self {
        literals: [0; LITERALS],
        distances: [0; DISTANCES],
    };

    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut tally = Self::EMPTY;
        for token in tokens {
            let symbol = match token.distance() {
                0 => token.value(),
                distance => {
                    let (symbol, _) = of_distance(distance);
                    add_one(&mut tally.distances, symbol);
                    of_length(token.value()).0
                }
            };
            add_one(&mut tally.literals, symbol);
        }
        tally
    }

    /// The tally of two pieces together.
    pub(super) fn with(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (count, more) in sum.literals.iter_mut().zip(&other.literals) {
            *count += more;
        }
        for (count, more) in sum.distances.iter_mut().zip(&other.distances) {
            *count += more;
        }
        sum
    }

    /// The tally with the symbol that ends a block.
    pub(super) fn with_end(&self) -> Self {
        let mut sum = self.clone();
        add_one(&mut sum.literals, END);
        sum
    }

    /// About how many bits the codes of all these symbols take as a block, with what tells the codes.
    /// Extra bits do not count: they are the same however blocks are cut.
    pub(super) fn cost(&self) -> u64 {
        let mut total = HEAD;
        for counts in [&self.literals[..], &self.distances] {
            let (mut sum, mut each) = (0, 0);
            for count in counts.iter().filter(|count| **count > 0) {
                sum += u64::from(*count);
                each += u64::from(*count) * u64::from(log2(*count));
                total += SYMBOL;
            }
            if let Ok(sum) = u32::try_from(sum) {
                total += u64::from(sum) * u64::from(log2(sum.max(1))) - each;
            }
        }
        total >> FRACTION
    }
}

/// Counts a symbol.
#[inline]
pub(super) fn add_one(counts: &mut [u32], symbol: usize) {
    if let Some(count) = counts.get_mut(symbol) {
        *count += 1;
    }
}

/// What a block costs before its first token, but for what each symbol adds.
const HEAD: u64 = 60 << FRACTION;
/// What tells the length of one code that is used.
const SYMBOL: u64 = 7 << (FRACTION - 1);

/// How many bits of a logarithm stand behind its point.
pub(super) const FRACTION: u32 = 8;

/// The logarithm to the base of 2, in units of `2^-FRACTION`; 0 for 0. Of whole numbers, so that it is the
/// same on every machine.
#[inline]
pub(super) fn log2(number: u32) -> u32 {
    let whole = number.checked_ilog2().unwrap_or_default();
    // The bits below the highest one, as an index of so many.
    let below = (u64::from(number) << STEPS_LOG >> whole) % STEPS as u64;
    let below = usize::try_from(below).unwrap_or_default();
    let part = LOGS.get(below).copied().unwrap_or_default();
    (whole << FRACTION) + u32::from(part)
}

const STEPS_LOG: u32 = 10;
const STEPS: usize = 1 << STEPS_LOG;

/// The logarithms of `1 + n / STEPS`.
static LOGS: [u8; STEPS] = logs();

#[expect(clippy::indexing_slicing, reason = "when compiled")]
#[expect(clippy::cast_possible_truncation, reason = "below 2^8")]
const fn logs() -> [u8; STEPS] {
    let mut logs = [0; STEPS];
    let mut n = 0;
    while n < STEPS {
        // With 30 bits behind the point: each squaring doubles the logarithm, and gives its next bit.
        let mut number = (STEPS + n) as u64;
        number <<= 30 - STEPS_LOG;
        let (mut log, mut bit) = (0_u32, 0);
        while bit < FRACTION {
            number = (number * number) >> 30;
            log <<= 1;
            if number >= 2 << 30 {
                number >>= 1;
                log |= 1;
            }
            bit += 1;
        }
        logs[n] = log as u8;
        n += 1;
    }
    logs
}
