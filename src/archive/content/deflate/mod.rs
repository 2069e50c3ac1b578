//! Deflate, tried harder than the library that this uses otherwise does: for whoever has the time.
//!
//! | file      | job                                                                     |
//! |-----------|-------------------------------------------------------------------------|
//! | `lazy`    | a parser that takes the longest match, unless the next one is better    |
//! | `chains`  | its matches: for each position where its bytes stood before             |
//! | `optimal` | a parser that weighs all ways to write a stretch, by what symbols cost  |
//! | `tree`    | its matches: the nearest one of each length                             |
//! | `hash`    | where bytes are looked up, for both                                     |
//! | `split`   | where a new block begins                                                |
//! | `tally`   | how often each symbol is used, and about what that costs                |
//! | `block`   | a block, written in whichever way takes the fewest bits                 |
//! | `codes`   | the lengths of codes, and their bits                                    |
//! | `bits`    | a stream that is being written                                          |
//! | `symbols` | tokens, and the symbols that they are written as                        |
//! | `table`   | arrays that no index misses, and bytes compared eight at a time         |
//!
//! A parser makes tokens, literals and matches. Tokens are gathered, cut into blocks, and written, each
//! block with codes of its own. Everything is counted in whole numbers, so that the same content gives
//! the same stream on every machine. Memory depends on what is handed over at once alone: below 4 MiB
//! for 1 MiB.

mod bits;
mod block;
mod chains;
mod codes;
mod hash;
mod lazy;
mod optimal;
mod split;
mod symbols;
mod table;
mod tally;
mod tree;

use bits::Bits;
use chains::Chains;
use lazy::Lazy;
use optimal::Optimal;
use symbols::{DISTANCE_MAX, Token};
use tally::Tally;

/// How many tokens are gathered at least before blocks are made of them.
const TOKENS: usize = 128 << 10;

/// The lowest level that is worth this encoder. Below it the library is faster.
pub(super) const LEVEL_MIN: u8 = 5;

/// How hard each level from [`LEVEL_MIN`] on tries.
#[derive(Debug, Clone, Copy)]
enum Care {
    Lazy(lazy::Care),
    Optimal(optimal::Care),
}

impl Care {
    const fn of_level(level: u8) -> Self {
        match level {
            ..=5 => Self::lazy(4, 24),
            6 => Self::lazy(12, 40),
            7 => Self::lazy(64, 128),
            8 => Self::optimal(10, 32, 1),
            9.. => Self::optimal(12, 32, 2),
        }
    }

    const fn lazy(places: usize, enough: usize) -> Self {
        Self::Lazy(lazy::Care { places, enough })
    }

    const fn optimal(places: usize, enough: usize, rounds: u32) -> Self {
        Self::Optimal(optimal::Care {
            places,
            enough,
            rounds,
        })
    }
}

/// Encodes content, piece by piece, each by itself.
pub(super) struct Deflater {
    parser: Parser,
    /// History and content side by side.
    text: Vec<u8>,
    tokens: Vec<Token>,
}

enum Parser {
    Lazy(Chains, lazy::Care),
    Optimal(Optimal, optimal::Care),
}

impl Deflater {
    /// An encoder at a level, from [`LEVEL_MIN`] to 9.
    pub(super) fn new(level: u8) -> Self {
        Self::with(Care::of_level(level))
    }

    fn with(care: Care) -> Self {
        Self {
            parser: match care {
                Care::Lazy(care) => Parser::Lazy(Chains::new(), care),
                Care::Optimal(care) => Parser::Optimal(Optimal::new(), care),
            },
            text: Vec::new(),
            tokens: Vec::new(),
        }
    }

    /// Encodes content that stands behind `history`, up to a whole byte; the last one closes the stream.
    pub(super) fn encode(&mut self, history: &[u8], content: &[u8], last: bool) -> Vec<u8> {
        let reach = history.len().saturating_sub(DISTANCE_MAX);
        let history = history.get(reach..).unwrap_or_default();
        self.text.clear();
        self.text.extend_from_slice(history);
        self.text.extend_from_slice(content);
        let (text, tokens) = (self.text.as_slice(), &mut self.tokens);
        let mut bits = Bits::with_room(content.len() / 2);
        match &mut self.parser {
            Parser::Lazy(chains, care) => {
                let mut lazy = Lazy::new(text, history.len(), chains, *care);
                write(text, history.len(), tokens, last, &mut bits, |_, tokens| {
                    lazy.parse(tokens, TOKENS)
                });
            }
            Parser::Optimal(optimal, care) => {
                optimal.begin(text, history.len(), *care);
                write(
                    text,
                    history.len(),
                    tokens,
                    last,
                    &mut bits,
                    |from, tokens| optimal.parse(text, from, *care, tokens),
                );
            }
        }
        if !last && bits.missing() > 0 {
            // A block without content ends at a whole byte.
            block::put_stored(&mut bits, &[], false);
        }
        bits.finish()
    }
}

/// Writes a text from a position on. `parse` appends tokens for what stands at a position, and returns the
/// position behind that.
fn write(
    text: &[u8],
    from: usize,
    tokens: &mut Vec<Token>,
    last: bool,
    bits: &mut Bits,
    mut parse: impl FnMut(usize, &mut Vec<Token>) -> usize,
) {
    let (mut from, mut at) = (from, from);
    loop {
        tokens.clear();
        while at < text.len() && tokens.len() < TOKENS {
            at = parse(at, tokens);
        }
        let content = text.get(from..at).unwrap_or_default();
        from = at;
        let is_end = at >= text.len();
        put_blocks(bits, tokens, content, last && is_end);
        if is_end {
            return;
        }
    }
}

/// Writes tokens as blocks; `content` is what they stand for.
fn put_blocks(bits: &mut Bits, tokens: &[Token], content: &[u8], last: bool) {
    let (mut tokens, mut content) = (tokens, content);
    if tokens.is_empty() {
        return block::put_block(bits, tokens, &Tally::EMPTY, content, last);
    }
    let mut splits = split::split(tokens).into_iter().peekable();
    while let Some(split) = splits.next() {
        let (now, later) = tokens.split_at(split.tokens.min(tokens.len()));
        let len = now.iter().map(|token| token.len()).sum::<usize>();
        let (bytes, rest) = content.split_at(len.min(content.len()));
        let last = last && splits.peek().is_none();
        block::put_block(bits, now, &split.tally, bytes, last);
        (tokens, content) = (later, rest);
    }
}

#[cfg(test)]
mod tests;
