//! The encoder: the smallest stream that there is for a content.
//!
//! Three steps, each linear in the input, and each as fast for one content as for another:
//!
//! | step     | direction | what it finds out                                              |
//! |----------|-----------|----------------------------------------------------------------|
//! | `find`   | backward  | how long the longest copy is at each position                  |
//! | `choose` | backward  | which token at each position makes the rest of the stream smallest |
//! | `emit`   | forward   | the distances of the copies that were chosen, and the stream   |
//!
//! One byte for each byte of input is all that passes between them: first the longest copy,
//! then, in its place, the control byte.
//!
//! # Which stream
//!
//! The smallest for the [`Profile`], down to the byte, and among the smallest one with the fewest
//! tokens. Which of those is not promised: do not rely on the exact bytes. The same input gives
//! the same stream on every machine. It never holds the reserved byte `0xFE`, and ends in `0xFF`,
//! which stands nowhere else as a control byte.
//!
//! # Which door
//!
//! [`encode`] and [`Encoder::encode`] take a slice and are exact, in memory of one byte for each
//! byte of input, beside the stream. [`BlockEncoder`] takes pieces and needs memory for one
//! [`BLOCK`] however long the input is, 2 MiB; it is at most 3 bytes above the optimum for each
//! cut. (A token that spans the cut becomes two. The second header of a literal is 1 byte, a
//! second run or copy 2; a zero run that leaves a single zero on either side, 2, or 3 if it was
//! one of two.) [`Encoder::encode_block`] is the part of it that threads can share.

mod blocks;
mod choose;
mod emit;
mod find;

use alloc::vec::Vec;
use core::fmt;

pub use blocks::{BLOCK, BlockEncoder};

use super::grammar::{DISTANCE_MAX, LITERAL_MAX, Token};

/// What a stream may hold, by who is to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// No copy is longer than its distance. Every reader that is known takes such streams; some
    /// tools decode other copies wrongly, or not at all.
    #[default]
    Compatible,
    /// Copies may read what they have just written, as the game allows: 1 to 3 % smaller.
    Overlapping,
}

/// How a stream is cut into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Parse {
    /// The smallest stream that the profile allows.
    #[default]
    Optimal,
    /// The longest run or copy first, as other encoders do: a yardstick.
    Greedy,
}

/// The end marker: what follows the tokens of the last block.
pub const END_MARKER: u8 = Token::End.to_control().unwrap();

/// Encodes `data` into the smallest stream that `profile` allows, end marker included.
///
/// ```
/// use daisho::codec::{Profile, encode};
/// assert_eq!(encode(&[0; 100], Profile::Compatible).len(), 3);
/// assert_eq!(encode(&[], Profile::Compatible), [0xFF]);
/// ```
#[must_use]
pub fn encode(data: &[u8], profile: Profile) -> Vec<u8> {
    Encoder::new(profile).encode(data)
}

/// The most bytes that the stream of `len` bytes can take: the bytes, one for each 64 begun (the
/// literals), and the end marker. It holds for every door, and [`usize::MAX`] stands for more.
#[must_use]
pub const fn encode_bound(len: usize) -> usize {
    len.saturating_add(len.div_ceil(LITERAL_MAX))
        .saturating_add(1)
}

/// An encoder: a profile, a way to parse, and the memory it works in, kept from call to call so
/// that many blocks cost no more than one allocation.
#[derive(Clone, Default)]
pub struct Encoder {
    profile: Profile,
    parse: Parse,
    /// The longest copy at each position, then the control byte.
    plan: Vec<u8>,
    /// History and block side by side.
    text: Vec<u8>,
}

impl Encoder {
    /// An encoder for streams of `profile`.
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        Self {
            profile,
            parse: Parse::Optimal,
            plan: Vec::new(),
            text: Vec::new(),
        }
    }

    /// The same encoder with another way to parse.
    #[must_use]
    pub fn parse(mut self, parse: Parse) -> Self {
        self.parse = parse;
        self
    }

    /// The stream of `data`, end marker included.
    #[must_use]
    pub fn encode(&mut self, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode_into(data, &mut out);
        out
    }

    /// Appends the stream of `data` to `out`, end marker included.
    pub fn encode_into(&mut self, data: &[u8], out: &mut Vec<u8>) {
        self.encode_from(data, 0, out);
        out.push(END_MARKER);
    }

    /// Appends to `out` the tokens for `data`, a block out of a longer input, without an end
    /// marker.
    ///
    /// `history` is what stands before the block; its last 257 bytes are all that counts. The
    /// tokens write the block and nothing else, so blocks can be coded in any order.
    pub fn encode_block(&mut self, history: &[u8], data: &[u8], out: &mut Vec<u8>) {
        let reach = history.len().saturating_sub(DISTANCE_MAX);
        let history = history.get(reach..).unwrap_or_default();
        let mut text = core::mem::take(&mut self.text);
        text.clear();
        text.extend_from_slice(history);
        text.extend_from_slice(data);
        self.encode_from(&text, history.len(), out);
        self.text = text;
    }

    /// The same for a block that stands behind its history: `text[start..]`.
    fn encode_from(&mut self, text: &[u8], start: usize, out: &mut Vec<u8>) {
        let block = text.get(start..).unwrap_or_default();
        self.plan.clear();
        self.plan.resize(block.len(), 0);
        find::find(text, start, self.profile, &mut self.plan);
        match self.parse {
            Parse::Optimal => choose::optimal(block, &mut self.plan),
            Parse::Greedy => choose::greedy(block, &mut self.plan),
        }
        emit::emit(text, start, &self.plan, self.profile, out);
    }
}

impl fmt::Debug for Encoder {
    /// The settings; a megabyte of what was coded last helps nobody.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("profile", &self.profile)
            .field("parse", &self.parse)
            .finish_non_exhaustive()
    }
}
