//! Streams that a fuzzer puts together token by token, and what the target `token_streams` asserts
//! of them: most of what a fuzzer makes up byte by byte ends at its first copy.

use daisho::codec::{self, End, Profile, Reserved};

use super::{fuzz_bodies, oracle};
use crate::choices::Choices;

/// A stream as far as it was chosen.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) bytes: Vec<u8>,
    /// What the tokens would write if nothing were wrong with them and 0xFE were skipped.
    written: usize,
    last: Vec<u8>,
    last_written: usize,
}

impl Tokens {
    /// Adds a token, or the last one again and again, unless more than `limit` bytes of content
    /// or of stream are there already.
    pub(crate) fn push(&mut self, choices: &mut Choices<'_>, limit: usize) {
        let class = choices.byte();
        if self.written.max(self.bytes.len()) > limit {
            return;
        }
        let times = match class {
            0..=251 => {
                let (token, written) = self.token(class, choices);
                (self.last, self.last_written) = (token, written);
                1
            }
            _ => 1 + choices.below(64),
        };
        for _ in 0..times {
            self.bytes.extend_from_slice(&self.last);
            self.written += self.last_written;
        }
    }

    /// A token's bytes, and what it writes.
    fn token(&self, class: u8, choices: &mut Choices<'_>) -> (Vec<u8>, usize) {
        match class {
            80..=119 => {
                let extra = choices.below(64);
                (vec![0x40 + extra as u8], 2 + extra)
            }
            120..=159 => {
                let extra = choices.below(64);
                (vec![0x80 + extra as u8, choices.byte()], 2 + extra)
            }
            // From where there is something, nearly always.
            160..=231 if self.written >= 2 => {
                let extra = choices.below(62);
                let back = choices.below((self.written - 1).min(256));
                (vec![0xC0 + extra as u8, back as u8], 2 + extra)
            }
            232..=239 => {
                let extra = choices.below(62);
                (vec![0xC0 + extra as u8, choices.byte()], 2 + extra)
            }
            240..=244 => (vec![0xFE, choices.byte()], 0),
            245..=247 => (vec![0xFE], 0),
            248..=251 => (vec![choices.byte()], 0),
            _ => {
                let len = 1 + choices.below(64);
                let (first, step) = (choices.byte(), choices.byte());
                let byte = |i: usize| first.wrapping_add(step.wrapping_mul(i as u8));
                let mut token = vec![len as u8 - 1];
                token.extend((0..len).map(byte));
                (token, len)
            }
        }
    }

    /// The stream with an end: most times the marker, now and then none, one with bytes behind it,
    /// or a cut.
    pub(crate) fn end(&self, choices: &mut Choices<'_>) -> Vec<u8> {
        let mut stream = self.bytes.clone();
        match choices.byte() {
            0..=199 => stream.push(0xFF),
            200..=219 => {}
            220..=239 => {
                stream.push(0xFF);
                let len = 1 + choices.below(9);
                stream.extend((0..len).map(|_| choices.byte()));
            }
            _ => {
                let cut = 1 + choices.below(70);
                stream.truncate(stream.len().saturating_sub(cut));
            }
        }
        stream
    }
}

/// A stream of tokens: all doors of the decoder agree on it, cut in any way; what it decodes to is
/// encoded and decoded again; and no encoder's stream is longer than one that was made by chance.
pub(crate) fn token_streams(data: &[u8]) {
    let mut choices = Choices(data);
    // Long ones, which no fast loop takes in one go, are slow to try.
    let limit = if choices.below(32) == 0 { 20_000 } else { 1_500 };
    let (end, at, byte) = (choices.take(12), choices.number(), choices.byte());
    let mut tokens = Tokens::default();
    while !choices.0.is_empty() {
        tokens.push(&mut choices, limit);
    }
    let mut stream = tokens.end(&mut Choices(end));
    if byte >= 128
        && let Some(at) = (at as usize).checked_rem(stream.len())
    {
        stream[at] ^= byte << 1;
    }
    fuzz_bodies::decode_oracle(&stream);
    fuzz_bodies::decode_chunks(&stream);

    let reported = oracle::verdict(&stream, None, Reserved::Skip);
    fuzz_bodies::roundtrip(&reported.output);
    let plain = reported.result.is_ok_and(|summary| {
        summary.end == End::Marker && summary.tail == 0 && summary.reserved == 0
    });
    if plain {
        let len = |profile| codec::encode(&reported.output, profile).len();
        assert!(len(Profile::Overlapping) <= stream.len());
        assert!(reported.overlapping > 0 || len(Profile::Compatible) <= stream.len());
    }
}
