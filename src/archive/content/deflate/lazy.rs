//! The lazy parser: at each position the longest match, unless the one at the next position is better.

use super::chains::{Chains, Match};
use super::symbols::{DISTANCE_MAX, MATCH_MAX, MATCH_MIN, Token};
use super::tally::{FRACTION, add_one, log2};

/// How hard the lazy parser looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Care {
    /// How many places are looked at for a match.
    pub(super) places: usize,
    /// A match of so many bytes is taken without a look at the next position.
    pub(super) enough: usize,
}

/// How many bytes are judged together.
const STRETCH: usize = 64 << 10;

/// A parser on its way through a text.
pub(super) struct Lazy<'a> {
    text: &'a [u8],
    chains: &'a mut Chains,
    care: Care,
    at: usize,
    /// The farthest distance of a match of each short length that is worth it.
    far: [usize; SHORT],
    /// Where `far` is to be judged again.
    judged: usize,
}

/// Literals of so many bits are dear enough for a match at any distance. Half as many would do as well by
/// what a match takes, but literals that matches leave over are dearer than bytes are on average.
const CHEAP: u64 = 9;

/// Matches of so many bytes are always worth it.
const SHORT: usize = 16;

impl<'a> Lazy<'a> {
    /// A parser that begins behind the history.
    pub(super) fn new(text: &'a [u8], history: usize, chains: &'a mut Chains, care: Care) -> Self {
        chains.begin(text);
        for at in 0..history {
            chains.pass(text, at);
        }
        Self {
            text,
            chains,
            care,
            at: history,
            far: [0; SHORT],
            judged: history,
        }
    }

    /// Appends tokens until so many are there or the text ends, and returns where that is.
    pub(super) fn parse(&mut self, tokens: &mut Vec<Token>, enough: usize) -> usize {
        while tokens.len() < enough && self.at < self.text.len() {
            if self.at >= self.judged {
                self.judge();
            }
            let found = self.find(0, self.care.places);
            self.token(found, tokens);
        }
        self.at
    }

    /// Passes the position, and returns the best match there that is longer than `longer`.
    #[inline]
    fn find(&mut self, longer: usize, places: usize) -> Match {
        let most = (self.text.len() - self.at).min(MATCH_MAX);
        let found = self
            .chains
            .find(self.text, self.at, longer, places, self.care.enough, most);
        self.at += 1;
        let far = self.far.get(found.len).copied().unwrap_or(usize::MAX);
        if found.distance == 0 || found.distance > far {
            return Match::default();
        }
        found
    }

    /// Appends the token of a match that begins one byte back, or literals up to where a better one does.
    #[inline]
    fn token(&mut self, mut found: Match, tokens: &mut Vec<Token>) {
        loop {
            let byte = self.text.get(self.at - 1).copied().unwrap_or_default();
            if found.len == 0 {
                return tokens.push(Token::literal(byte));
            }
            if found.len >= self.care.enough || self.at >= self.text.len() {
                return self.take(found, 0, tokens);
            }
            let next = self.find(found.len - 1, self.care.places / 2);
            if next.len < found.len || worth(next) <= worth(found) + 2 {
                return self.take(found, 1, tokens);
            }
            tokens.push(Token::literal(byte));
            found = next;
        }
    }

    /// Takes a match, of which `passed` positions behind the first are passed already.
    #[inline]
    fn take(&mut self, found: Match, passed: usize, tokens: &mut Vec<Token>) {
        tokens.push(Token::matching(found.len, found.distance));
        let end = self.at + (found.len - 1 - passed);
        for at in self.at..end {
            self.chains.pass(self.text, at);
        }
        self.at = end;
    }

    /// Judges how far back short matches may lie: where literals are cheap, such as those of a text in
    /// few letters, three of them take less than a distance does.
    fn judge(&mut self) {
        let end = self.text.len().min(self.at + STRETCH);
        let bytes = self.text.get(self.at..end).unwrap_or_default();
        let mut counts = [0_u32; 256];
        for byte in bytes {
            add_one(&mut counts, usize::from(*byte));
        }
        let each = |count: &u32| u64::from(*count) * u64::from(log2(*count));
        let total = u32::try_from(bytes.len()).unwrap_or_default();
        let bits = each(&total) - counts.iter().map(each).sum::<u64>();
        let literal = bits / u64::from(total.max(1));
        for (len, far) in (0..).zip(&mut self.far).skip(MATCH_MIN) {
            let literals = (literal * len) >> FRACTION;
            *far = match literals {
                0..CHEAP => 4 << literals,
                _ => DISTANCE_MAX,
            };
        }
        self.judged = end;
    }
}

/// How good a match is, in quarters of a byte.
#[inline]
fn worth(found: Match) -> u32 {
    let len = u32::try_from(found.len).unwrap_or_default();
    4 * len + 16 - found.distance.checked_ilog2().unwrap_or_default()
}
