//! The fuzz targets on the stable toolchain: their seeds, and everything they ever found.

use super::dice::Dice;
use super::{fuzz_bodies, fuzz_tokens};
use crate::{corpus, long};

/// Calls `target` with every file of the corpus, its beginnings included, and with every finding
/// in `tests/fuzz/found/NAME`.
fn replay(name: &str, target: fn(&[u8])) {
    for (_, bytes) in corpus::files("streams") {
        target(&bytes);
        for end in 0..bytes.len().min(80) {
            target(&bytes[..end]);
        }
    }
    for bytes in corpus::found(name) {
        target(&bytes);
    }
}

/// Calls `target` with random bytes of every length below `longest`, so many times over.
fn made_up(longest: usize, times: u32, target: fn(&[u8])) {
    let mut dice = Dice::new(5);
    for len in (0..times).flat_map(|_| 0..longest) {
        let bytes: Vec<u8> = (0..len).map(|_| dice.byte()).collect();
        target(&bytes);
    }
}

#[test]
fn every_decoder_agrees_with_the_oracle() {
    replay("decode_oracle", fuzz_bodies::decode_oracle);
    made_up(300, long::cases(1, 20), fuzz_bodies::decode_oracle);
}

#[test]
fn streams_in_pieces_decode_like_the_whole() {
    replay("decode_chunks", fuzz_bodies::decode_chunks);
}

#[test]
fn encoded_bytes_decode_to_themselves() {
    replay("roundtrip", fuzz_bodies::roundtrip);
}

#[test]
fn streams_of_random_tokens_agree_everywhere() {
    replay("token_streams", fuzz_tokens::token_streams);
    made_up(250, long::cases(4, 40), fuzz_tokens::token_streams);
}
