//! The optimal parser: of all ways to write a stretch the one that takes the fewest bits, at what symbols
//! cost in the blocks that an earlier parse was cut into.

use super::split::split;
use super::symbols::{DISTANCES, MATCH_MAX, MATCH_MIN, Token, of_distance, of_length};
use super::tally::{FRACTION, Tally, add_one, log2};
use super::tree::Tree;

/// How hard the optimal parser looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Care {
    /// How many places are looked at for matches.
    pub(super) places: usize,
    /// Within a match of so many bytes none is looked for.
    pub(super) enough: usize,
    /// How many times a stretch is parsed.
    pub(super) rounds: u32,
}

/// How many bytes are parsed together.
const STRETCH: usize = 64 << 10;
/// How many matches are kept; a stretch ends where they become more.
const MATCHES: usize = 160 << 10;

/// A parser, and what it works in.
pub(super) struct Optimal {
    tree: Tree,
    /// All matches in the stretch, and how many there are at each position.
    matches: Vec<Token>,
    counts: Vec<u8>,
    /// What it costs to write the stretch from each position on, and which token comes first.
    costs: Vec<u32>,
    choices: Vec<Token>,
}

impl Optimal {
    pub(super) fn new() -> Self {
        Self {
            tree: Tree::new(),
            matches: Vec::new(),
            counts: Vec::new(),
            costs: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Begins a text.
    pub(super) fn begin(&mut self, text: &[u8], history: usize, care: Care) {
        self.tree.begin(text);
        for at in 0..history {
            self.skip(text, at, care);
        }
    }

    fn skip(&mut self, text: &[u8], at: usize, care: Care) {
        let most = (text.len() - at).min(care.enough);
        self.tree
            .pass(text, at, care.places, care.enough, most, |_| {});
    }

    /// Appends the tokens of the stretch that begins at `from`, and returns where it ends.
    pub(super) fn parse(
        &mut self,
        text: &[u8],
        from: usize,
        care: Care,
        tokens: &mut Vec<Token>,
    ) -> usize {
        let end = self.gather(text, from, care);
        let stretch = text.get(from..end).unwrap_or_default();
        let first = tokens.len();
        self.choose(stretch, &[(0, Prices::first(stretch))]);
        self.walk(tokens);
        for _ in 1..care.rounds {
            let blocks = price(tokens.get(first..).unwrap_or_default());
            self.choose(stretch, &blocks);
            tokens.truncate(first);
            self.walk(tokens);
        }
        end
    }

    /// Finds the matches of a stretch, and where it ends.
    fn gather(&mut self, text: &[u8], from: usize, care: Care) -> usize {
        self.matches.clear();
        self.counts.clear();
        let end = text.len().min(from + STRETCH);
        let mut at = from;
        while at < end && self.matches.len() < MATCHES {
            let most = (text.len() - at).min(MATCH_MAX);
            let before = self.matches.len();
            let matches = &mut self.matches;
            let give = |found| matches.push(found);
            self.tree
                .pass(text, at, care.places, care.enough, most, give);
            let count = self.matches.len() - before;
            self.counts.push(u8::try_from(count).unwrap_or(u8::MAX));
            at += 1;
            let longest = match self.matches.last() {
                Some(found) if count > 0 => found.len(),
                _ => continue,
            };
            if longest >= care.enough {
                let past = end.min(at + longest - 1);
                for at in at..past {
                    self.skip(text, at, care);
                    self.counts.push(0);
                }
                at = past;
            }
        }
        at
    }

    /// Finds out what it costs to write the stretch from each position on. `blocks` are where blocks begin,
    /// and what tokens cost there.
    fn choose(&mut self, stretch: &[u8], blocks: &[(usize, Prices)]) {
        self.costs.clear();
        self.costs.resize(stretch.len() + 1, 0);
        self.choices.clear();
        self.choices.resize(stretch.len(), Token::default());
        let mut matches = self.matches.as_slice();
        let mut end = stretch.len();
        for (start, prices) in blocks.iter().rev() {
            for at in (*start..end).rev() {
                let count = self.counts.get(at).copied().unwrap_or_default();
                let before = matches.len().saturating_sub(count.into());
                let (before, here) = matches.split_at(before);
                matches = before;
                let costs = self.costs.get_mut(at..).and_then(<[u32]>::split_first_mut);
                let choice = self.choices.get_mut(at);
                if let (Some((cost, costs)), Some(byte), Some(choice)) =
                    (costs, stretch.get(at), choice)
                {
                    (*cost, *choice) = prices.best(*byte, here, costs);
                }
            }
            end = *start;
        }
    }

    /// Appends the tokens that were chosen.
    fn walk(&self, tokens: &mut Vec<Token>) {
        let mut at = 0;
        while let Some(token) = self.choices.get(at) {
            tokens.push(*token);
            at += token.len();
        }
    }
}

/// What a literal costs at first on top of telling which one it is: half a bit.
const FIRST_LITERAL: u32 = 1 << (FRACTION - 1);
/// What a length or a distance costs at first without extra bits: 4 1/2 bits.
const FIRST_SYMBOL: u32 = 9 << (FRACTION - 1);

/// What each token costs in a block, in units of `2^-FRACTION` bits.
struct Prices {
    literals: [u32; 256],
    lengths: [u32; MATCH_MAX + 1],
    distances: [u32; DISTANCES],
}

impl Prices {
    /// What is taken to begin with, when nothing is known but which bytes there are: all literals cost the
    /// same, and so do all symbols of lengths, and of distances.
    fn first(stretch: &[u8]) -> Self {
        let mut counts = [0; 256];
        for byte in stretch {
            add_one(&mut counts, usize::from(*byte));
        }
        let kinds = counts.iter().filter(|count| **count > 0).count();
        let kinds = u32::try_from(kinds).unwrap_or_default();
        let literal = log2(kinds.max(2)) + FIRST_LITERAL;
        Self::with([literal; 256], |_| FIRST_SYMBOL, [FIRST_SYMBOL; DISTANCES])
    }

    fn of(tally: &Tally) -> Self {
        let symbols = prices(&tally.literals);
        let price = |symbol: usize| symbols.get(symbol).copied().unwrap_or_default();
        let mut literals = [0; 256];
        for (slot, price) in literals.iter_mut().zip(&symbols) {
            *slot = *price;
        }
        Self::with(literals, price, prices(&tally.distances))
    }

    /// Prices of tokens by those of symbols.
    fn with(
        literals: [u32; 256],
        length: impl Fn(usize) -> u32,
        mut distances: [u32; DISTANCES],
    ) -> Self {
        let mut lengths = [0; MATCH_MAX + 1];
        for (len, slot) in lengths.iter_mut().enumerate().skip(MATCH_MIN) {
            let (symbol, extra) = of_length(len);
            *slot = length(symbol) + (extra << FRACTION);
        }
        for (symbol, price) in (0_u32..).zip(&mut distances) {
            *price += (symbol / 2).saturating_sub(1) << FRACTION;
        }
        Self {
            literals,
            lengths,
            distances,
        }
    }

    /// The cheapest way to go on from a position, where `costs` is what it costs from the next one on.
    #[inline]
    fn best(&self, byte: u8, matches: &[Token], costs: &[u32]) -> (u32, Token) {
        let literal = self.literals.get(usize::from(byte)).copied();
        let rest = costs.first().copied().unwrap_or_default();
        // A cost and its token in one number, of which the least is found without a branch.
        let rated = |cost: u32, token: Token| u64::from(cost) << 32 | u64::from(token.to_bits());
        let mut best = rated(literal.unwrap_or_default() + rest, Token::literal(byte));
        let mut shorter = MATCH_MIN - 1;
        for found in matches {
            let (symbol, _) = of_distance(found.distance());
            let distance = self.distances.get(symbol).copied().unwrap_or_default();
            let len = found.len().min(costs.len());
            let prices = self.lengths.get(shorter + 1..=len).unwrap_or_default();
            let rests = costs.get(shorter..len).unwrap_or_default();
            for ((len, price), rest) in (shorter + 1..).zip(prices).zip(rests) {
                let token = Token::matching(len, found.distance());
                best = best.min(rated(price + rest + distance, token));
            }
            shorter = found.len();
        }
        let half = |bits: u64| u32::try_from(bits & 0xFFFF_FFFF).unwrap_or_default();
        (half(best >> 32), Token::from_bits(half(best)))
    }
}

/// Where the blocks of a stretch begin, and what tokens cost in them.
fn price(tokens: &[Token]) -> Vec<(usize, Prices)> {
    let mut rest = tokens.iter();
    let mut at = 0;
    let blocks = split(tokens).into_iter().map(|split| {
        let start = at;
        let own = rest.by_ref().take(split.tokens);
        at += own.map(|token| token.len()).sum::<usize>();
        (start, Prices::of(&split.tally))
    });
    blocks.collect()
}

/// What symbols cost that are used so often. One that is not is twice as dear as one that is used once.
fn prices<const N: usize>(counts: &[u32; N]) -> [u32; N] {
    let total = log2(counts.iter().sum::<u32>().max(1));
    counts.map(|count| match count {
        0 => total + (1 << FRACTION),
        count => (total - log2(count)).max(1 << FRACTION),
    })
}
