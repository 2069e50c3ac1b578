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

#[test]
fn decode_oracle() {
    replay("decode_oracle", fuzz_bodies::decode_oracle);
}

#[test]
fn decode_chunks() {
    replay("decode_chunks", fuzz_bodies::decode_chunks);
}

#[test]
fn roundtrip() {
    replay("roundtrip", fuzz_bodies::roundtrip);
}

#[test]
fn token_streams() {
    replay("token_streams", fuzz_tokens::token_streams);
    let mut dice = Dice::new(5);
    let longest = if long::whole() { 300 } else { 60 };
    for len in (0..longest).step_by(5) {
        let bytes: Vec<u8> = (0..len).map(|_| dice.byte()).collect();
        fuzz_tokens::token_streams(&bytes);
    }
}
