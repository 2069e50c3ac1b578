//! Blocks: tokens written with the codes that suit them, or bytes as they are.

use super::bits::Bits;
use super::codes::{Code, code_lengths, codes_of};
use super::symbols::{DISTANCES, END, LITERALS, MATCH_MAX, MATCH_MIN, Token};
use super::symbols::{extra_of, of_distance, of_length};
use super::tally::{Tally, add_one};

/// How many symbols of literals and lengths, and of distances, the fixed code has.
const FIXED: (usize, usize) = (288, 30);
/// The lengths of the fixed code (RFC 1951, 3.2.6).
const FIXED_LENGTHS: [(usize, u8); 4] = [(144, 8), (112, 9), (24, 7), (8, 8)];
/// The longest code of a token.
const TOKEN_LIMIT: u8 = 15;
/// The longest code of a code length.
const LENGTH_LIMIT: u8 = 7;
/// How many symbols code lengths are written with.
const LENGTH_SYMBOLS: usize = 19;
/// The order that their own code lengths stand in (RFC 1951, 3.2.7).
const LENGTH_ORDER: [usize; LENGTH_SYMBOLS] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];
/// The most bytes of a stored block.
const STORED_MAX: usize = 0xFFFF;

/// What stands in front of a block: whether it is the last one, and its type.
fn put_type(bits: &mut Bits, last: bool, kind: u64) {
    bits.put(u64::from(last) | kind << 1, 3);
}

/// Writes a block in whichever of the three ways takes the fewest bits. `content` is what the tokens
/// stand for.
pub(super) fn put_block(
    bits: &mut Bits,
    tokens: &[Token],
    tally: &Tally,
    content: &[u8],
    last: bool,
) {
    let tally = &tally.with_end();
    let mut dynamic = Lengths::of(tally);
    let header = Header::of(&dynamic);
    let extra = tally.extra_bits();
    let of_dynamic = header.cost() + dynamic.cost(tally) + extra;
    let fixed = Lengths::fixed();
    let of_fixed = fixed.cost(tally) + extra;
    let of_stored = stored_cost(content.len(), bits.missing());
    if of_stored <= of_fixed.min(of_dynamic) {
        return put_stored(bits, content, last);
    }
    bits.reserve(of_fixed.min(of_dynamic) + 3);
    if of_fixed <= of_dynamic {
        put_type(bits, last, 1);
        dynamic = fixed;
    } else {
        put_type(bits, last, 2);
        header.put(bits);
    }
    Codes::of(&dynamic).put(bits, tokens);
}

/// An upper bound of what it takes to store so many bytes.
fn stored_cost(len: usize, missing: u32) -> u64 {
    let heads = len.div_ceil(STORED_MAX).max(1) as u64 * 40;
    len as u64 * 8 + heads + u64::from(missing)
}

/// Writes bytes as they are: one block without any, if there are none.
pub(super) fn put_stored(bits: &mut Bits, content: &[u8], last: bool) {
    let mut rest = content;
    loop {
        let (now, later) = rest.split_at(rest.len().min(STORED_MAX));
        bits.reserve(64);
        put_type(bits, last && later.is_empty(), 0);
        bits.align();
        let len = now.len() as u64;
        bits.put(len | (len ^ 0xFFFF) << 16, 32);
        bits.put_bytes(now);
        rest = later;
        if rest.is_empty() {
            return;
        }
    }
}

impl Tally {
    /// How many bits stand behind symbols.
    fn extra_bits(&self) -> u64 {
        let mut bits = 0;
        // By the shortest length and the smallest distance of each symbol.
        for len in MATCH_MIN..=MATCH_MAX {
            let (symbol, extra) = of_length(len);
            if of_length(len - 1).0 != symbol {
                let count = self.literals.get(symbol).copied().unwrap_or_default();
                bits += u64::from(count) * u64::from(extra);
            }
        }
        for (symbol, count) in self.distances.iter().enumerate() {
            bits += u64::from(*count) * (symbol as u64 / 2).saturating_sub(1);
        }
        bits
    }
}

/// How long the codes of a block are.
struct Lengths {
    literals: [u8; FIXED.0],
    distances: [u8; FIXED.1],
}

impl Lengths {
    fn of(tally: &Tally) -> Self {
        let mut it = Self {
            literals: [0; FIXED.0],
            distances: [0; FIXED.1],
        };
        code_lengths(&tally.literals, TOKEN_LIMIT, &mut it.literals);
        code_lengths(&tally.distances, TOKEN_LIMIT, &mut it.distances);
        it
    }

    fn fixed() -> Self {
        let mut literals = [0; FIXED.0];
        let lengths = FIXED_LENGTHS.iter();
        let lengths = lengths.flat_map(|(count, len)| core::iter::repeat_n(*len, *count));
        for (slot, len) in literals.iter_mut().zip(lengths) {
            *slot = len;
        }
        Self {
            literals,
            distances: [5; FIXED.1],
        }
    }

    /// How many bits the codes of all symbols take.
    fn cost(&self, tally: &Tally) -> u64 {
        let literals = self.literals.iter().zip(&tally.literals);
        let distances = self.distances.iter().zip(&tally.distances);
        let both = literals.chain(distances);
        both.map(|(len, count)| u64::from(*len) * u64::from(*count))
            .sum()
    }
}

/// How a block tells the lengths of its codes.
struct Header {
    /// How many lengths of either alphabet are told.
    literals: usize,
    distances: usize,
    /// Symbols with their extra bits.
    symbols: Vec<(u8, u8)>,
    lengths: [u8; LENGTH_SYMBOLS],
    /// How many of the code lengths' own lengths are told.
    told: usize,
}

/// How many extra bits stand behind a symbol of a code length.
fn extra_of_length(symbol: u8) -> u32 {
    match symbol {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    }
}

impl Header {
    fn of(lengths: &Lengths) -> Self {
        let told = |lengths: &[u8], least: usize| {
            let last = lengths.iter().rposition(|len| *len > 0);
            last.map_or(least, |last| least.max(last + 1))
        };
        let literals = told(&lengths.literals, END + 1);
        let distances = told(&lengths.distances, 1);
        let both = lengths.literals.iter().take(literals);
        let both = both.chain(lengths.distances.iter().take(distances));
        let all: Vec<u8> = both.copied().collect();
        let mut symbols = Vec::new();
        for run in all.chunk_by(|a, b| a == b) {
            run_symbols(run, &mut symbols);
        }
        let mut counts = [0; LENGTH_SYMBOLS];
        for (symbol, _) in &symbols {
            add_one(&mut counts, usize::from(*symbol));
        }
        let mut own = [0; LENGTH_SYMBOLS];
        code_lengths(&counts, LENGTH_LIMIT, &mut own);
        let is_used = |at: &usize| own.get(*at).is_some_and(|len| *len > 0);
        let last = LENGTH_ORDER.iter().rposition(is_used);
        Self {
            literals,
            distances,
            symbols,
            lengths: own,
            told: last.map_or(4, |last| 4.max(last + 1)),
        }
    }

    fn cost(&self) -> u64 {
        let symbols = self.symbols.iter().map(|(symbol, _)| {
            let own = self.lengths.get(usize::from(*symbol)).copied();
            u64::from(own.unwrap_or_default()) + u64::from(extra_of_length(*symbol))
        });
        14 + 3 * self.told as u64 + symbols.sum::<u64>()
    }

    fn put(&self, bits: &mut Bits) {
        bits.put((self.literals - 257) as u64, 5);
        bits.put((self.distances - 1) as u64, 5);
        bits.put((self.told - 4) as u64, 4);
        for at in LENGTH_ORDER.iter().take(self.told) {
            let len = self.lengths.get(*at).copied().unwrap_or_default();
            bits.put(len.into(), 3);
        }
        let mut codes = [Code::default(); LENGTH_SYMBOLS];
        codes_of(&self.lengths, &mut codes);
        for (symbol, extra) in &self.symbols {
            let code = codes.get(usize::from(*symbol)).copied().unwrap_or_default();
            let value = u64::from(code.bits) | u64::from(*extra) << code.len;
            bits.put(value, u32::from(code.len) + extra_of_length(*symbol));
        }
    }
}

/// The symbols of a run of the same code length.
fn run_symbols(run: &[u8], symbols: &mut Vec<(u8, u8)>) {
    let Some(len) = run.first().copied() else {
        return;
    };
    let mut left = run.len();
    let repeats: &[(u8, usize, usize)] = match len {
        0 => &[(18, 11, 138), (17, 3, 10)],
        _ => {
            // What is repeated is what stands before.
            symbols.push((len, 0));
            left -= 1;
            &[(16, 3, 6)]
        }
    };
    for (symbol, least, most) in repeats {
        while left >= *least {
            let now = left.min(*most);
            symbols.push((*symbol, u8::try_from(now - least).unwrap_or_default()));
            left -= now;
        }
    }
    symbols.extend(core::iter::repeat_n((len, 0), left));
}

/// The codes of a block, ready to be written.
struct Codes {
    literals: [Code; FIXED.0],
    distances: [Code; FIXED.1],
    /// The bits and their number for each length of a match, extra bits and all.
    lengths: [(u32, u8); MATCH_MAX + 1],
}

impl Codes {
    fn of(lengths: &Lengths) -> Self {
        let mut it = Self {
            literals: [Code::default(); FIXED.0],
            distances: [Code::default(); FIXED.1],
            lengths: [(0, 0); MATCH_MAX + 1],
        };
        codes_of(&lengths.literals, &mut it.literals);
        codes_of(&lengths.distances, &mut it.distances);
        for (len, slot) in it.lengths.iter_mut().enumerate().skip(MATCH_MIN) {
            let (symbol, extra) = of_length(len);
            let code = it.literals.get(symbol).copied().unwrap_or_default();
            let rest = extra_of(len - MATCH_MIN, extra);
            let bits = u64::from(code.bits) | rest << code.len;
            let count = u32::from(code.len) + extra;
            *slot = (
                u32::try_from(bits).unwrap_or_default(),
                u8::try_from(count).unwrap_or_default(),
            );
        }
        it
    }

    /// Writes tokens and the end of their block.
    fn put(&self, bits: &mut Bits, tokens: &[Token]) {
        let code = |codes: &[Code], symbol: usize| codes.get(symbol).copied().unwrap_or_default();
        for token in tokens {
            let distance = token.distance();
            if distance == 0 {
                let code = code(&self.literals, token.value());
                bits.put(code.bits.into(), code.len.into());
                continue;
            }
            let length = self.lengths.get(token.value()).copied();
            let (length, count) = length.unwrap_or_default();
            let (symbol, extra) = of_distance(distance);
            let code = code(&self.distances, symbol);
            let rest = extra_of(distance - 1, extra) << code.len;
            let value = u64::from(length) | (u64::from(code.bits) | rest) << count;
            bits.put(value, u32::from(count) + u32::from(code.len) + extra);
        }
        let end = code(&self.literals, END);
        bits.put(end.bits.into(), end.len.into());
    }
}

const _: () = assert!(LITERALS <= FIXED.0 && DISTANCES == FIXED.1);
