//! Encodes inputs of any size in bounded memory: they are cut into blocks that are coded separately.

use alloc::vec::Vec;

use super::encoder::{END_MARKER, Encoder};
use crate::codec::grammar::{DISTANCE_MAX, LITERAL_MAX};

// A block is a whole number of literals, so a cut input has the same bound as an uncut one.
const _: () =
    assert!(BlockEncoder::BLOCK.is_multiple_of(LITERAL_MAX) && BlockEncoder::BLOCK >= DISTANCE_MAX);

/// Encodes an input that comes in pieces, in memory that does not grow with the input.
///
/// The input is cut after every [`Self::BLOCK`] bytes, wherever the pieces begin and end. So the stream depends
/// on the content alone. It equals the output of [`Encoder::encode_block`] for each block with its history,
/// in order, followed by the end marker; those calls may run on any number of threads.
///
/// ```
/// use daisho::codec::{BlockEncoder, Encoder, Profile};
///
/// let mut stream = Vec::new();
/// let mut encoder = BlockEncoder::new(Encoder::new(Profile::Compatible));
/// encoder.push(b"to be, or not ", &mut stream);
/// encoder.push(b"to be, to be", &mut stream);
/// encoder.finish(&mut stream);
/// assert_eq!(stream, Encoder::new(Profile::Compatible).encode(b"to be, or not to be, to be"));
/// ```
#[derive(Debug)]
pub struct BlockEncoder {
    encoder: Encoder,
    /// The history, then the part of the block received so far.
    text: Vec<u8>,
    /// How many bytes of `text` are history.
    history: usize,
    /// [`Self::BLOCK`], except in tests.
    block: usize,
}

impl BlockEncoder {
    /// The block size: 1 MiB.
    ///
    /// A cut costs at most 3 bytes, so the block size matters for memory and for sharing work, not for the
    /// size of the stream. Measured on 14 MB of maps: blocks of 1 MiB cost 17 bytes of 7 MB, blocks of 64 KiB
    /// 202, blocks of 4 KiB 3235 (0.05 %), all at the same speed.
    pub const BLOCK: usize = 1 << 20;

    /// Creates an encoder at the start of an input. From the first full block on, it holds up to 2 MiB.
    #[must_use]
    pub fn new(encoder: Encoder) -> Self {
        Self::with_block(encoder, Self::BLOCK)
    }

    fn with_block(encoder: Encoder, block: usize) -> Self {
        Self { encoder, text: Vec::new(), history: 0, block }
    }

    /// Takes the next piece of the input, of any size. Appends the tokens of each completed block to `out`.
    pub fn push(&mut self, mut data: &[u8], out: &mut Vec<u8>) {
        while !data.is_empty() {
            let missing = self.history + self.block - self.text.len();
            let (now, later) = data.split_at(missing.min(data.len()));
            self.text.extend_from_slice(now);
            data = later;
            if now.len() == missing {
                self.flush(out);
            }
        }
    }

    /// Appends the rest of the stream and its end marker. The next push begins a new input.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.flush(out);
        out.push(END_MARKER);
        self.text.clear();
        self.history = 0;
    }

    /// Encodes the current block, and keeps the part of it that the next block can copy from.
    fn flush(&mut self, out: &mut Vec<u8>) {
        self.encoder.encode_from(&self.text, self.history, out);
        self.text.drain(..self.text.len().saturating_sub(DISTANCE_MAX));
        self.history = self.text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::Profile;
    use alloc::vec;

    /// Runs, copies and literals of many lengths, so that cuts fall into tokens of every class.
    fn mixture(len: usize) -> Vec<u8> {
        let mut data = Vec::new();
        let mut state = 7_u32;
        while data.len() < len {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let n = usize::try_from(state >> 8 & 63).unwrap() + 1;
            let [.., a, b] = state.to_be_bytes();
            match state >> 29 {
                0 | 1 => data.resize(data.len() + n, 0),
                2 => data.resize(data.len() + n, a),
                3 => data.extend([a, b, 0, 0, a]),
                _ => {
                    let from = data.len().saturating_sub(200);
                    data.extend_from_within(from..data.len().min(from + n));
                }
            }
        }
        data.truncate(len);
        data
    }

    fn blocks(profile: Profile, block: usize, pieces: &[&[u8]]) -> Vec<u8> {
        let mut encoder = BlockEncoder::with_block(Encoder::new(profile), block);
        let mut out = Vec::new();
        for piece in pieces {
            encoder.push(piece, &mut out);
        }
        encoder.finish(&mut out);
        out
    }

    #[test]
    fn how_the_input_is_fed_does_not_matter() {
        let data = mixture(5000);
        for block in [1, 2, 64, 300, 2500, 5000, 8192] {
            let whole = blocks(Profile::Compatible, block, &[&data]);
            for piece in [1, 7, 299, 300, 301, 4999] {
                let pieces: Vec<&[u8]> = data.chunks(piece).collect();
                assert_eq!(blocks(Profile::Compatible, block, &pieces), whole);
            }
        }
    }

    #[test]
    fn each_block_is_what_encode_block_makes_of_it() {
        let data = mixture(5000);
        for profile in [Profile::Compatible, Profile::Overlapping] {
            for block in [1, 64, 256, 257, 258, 1000, 5000] {
                let mut strung = Vec::new();
                // From the last block to the first: blocks do not depend on each other.
                for at in (0..data.len()).step_by(block).rev() {
                    let mut out = Vec::new();
                    let end = data.len().min(at + block);
                    Encoder::new(profile).encode_block(&data[..at], &data[at..end], &mut out);
                    strung.splice(0..0, out);
                }
                strung.push(END_MARKER);
                assert_eq!(blocks(profile, block, &[&data]), strung, "{profile:?} {block}");
            }
        }
    }

    #[test]
    fn a_cut_costs_at_most_3_bytes() {
        let data = mixture(5000);
        for profile in [Profile::Compatible, Profile::Overlapping] {
            let best = Encoder::new(profile).encode(&data).len();
            for block in [2, 3, 5, 63, 64, 65, 256, 257, 258, 1000, 4999] {
                let cuts = data.len().div_ceil(block) - 1;
                let size = blocks(profile, block, &[&data]).len();
                assert!((best..=best + 3 * cuts).contains(&size), "{profile:?} {block}");
            }
        }
        // The most expensive cut: a zero run of two becomes two literals.
        assert_eq!(blocks(Profile::Compatible, 2, &[&[0, 0]]).len(), 2);
        assert_eq!(blocks(Profile::Compatible, 1, &[&[0, 0]]).len(), 2 + 3);
    }

    #[test]
    fn after_finish_a_new_input_begins() {
        let mut encoder = BlockEncoder::with_block(Encoder::new(Profile::Compatible), 16);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        encoder.push(b"abcdefabcdefabcdefabcdef", &mut first);
        encoder.finish(&mut first);
        encoder.push(b"abcdefabcdefabcdefabcdef", &mut second);
        encoder.finish(&mut second);
        assert_eq!(first, second);
        let mut empty = vec![];
        encoder.finish(&mut empty);
        assert_eq!(empty, [END_MARKER]);
    }
}
